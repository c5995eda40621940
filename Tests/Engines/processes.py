"""The processes of a test. Nothing is ever killed that the test did not start: those of the program
are told by their file, a copy in the test's own folder, and the others are its children."""

import os
import pathlib
import signal
import subprocess
import time


class TooLong(Exception):
    """Something did not happen in time."""


def wait_for(what: str, condition, seconds: float = 120):
    """Looks again and again until a condition gives something."""
    end = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > end:
            raise TooLong(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.005)
    return result


def running(program: pathlib.Path, word: str | None = None) -> list[int]:
    """The processes of a program, or those with a word on their command line."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            if os.readlink(f"/proc/{entry}/exe") != str(program):
                continue
            words = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().split(b"\0")
        except OSError:  # ended meanwhile
            continue
        if word is None or word.encode() in words[1:2]:
            found.append(int(entry))
    return found


def parent(process: int) -> int | None:
    """The process that started one; None when that one has ended."""
    try:
        stat = pathlib.Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return None
    # The name stands in brackets and may hold anything.
    return int(stat.rpartition(")")[2].split()[1])


def kill(process: int, number: int = signal.SIGKILL) -> bool:
    """Sends a signal; False when the process has ended."""
    try:
        os.kill(process, number)
        return True
    except ProcessLookupError:
        return False


class Run:
    """One run of a recipe, in a process group of its own so that it can be stopped as a whole."""

    def __init__(self, words: list, log: pathlib.Path, environment: dict, folder: pathlib.Path):
        self.log = log
        with open(log, "ab") as file:
            file.write(f"\n$ {' '.join(map(str, words))}\n".encode())
            file.flush()
            self.process = subprocess.Popen(
                list(map(str, words)), stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                env=environment, cwd=folder, start_new_session=True)

    def is_running(self) -> bool:
        return self.process.poll() is None

    def wait(self, seconds: float = 240) -> int:
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.stop()
            raise TooLong(f"the run took more than {seconds:.0f} s") from None

    def stop(self, number: int = signal.SIGKILL) -> None:
        """Kills the run's processes on this machine, as a crash or a closed terminal does."""
        if self.is_running():
            os.killpg(self.process.pid, number)
        self.process.wait()
