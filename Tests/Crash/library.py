#!/usr/bin/env python3
"""Kills a process that indexes and changes a library with SIGKILL, and looks what is left.

    library.py [--kills N] [--seed N] [--tests BUNDLE]

The processes are tests of PhotoLibraryTests (CrashChild), so build them first:
swift build --build-tests. The one that dies adds photos, moves them about, scans, and marks
favourites, and writes down what it begins and what was done. After each death another one opens the
catalogue: `PRAGMA integrity_check` is clean, every change that was done is there and none that was
not begun, a scan finds the photos that are on the disk and no others, and a catalogue made anew from
the disk and the export is the same.
"""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]


def command(bundle, test):
    return [bundle, "--testing-library", "swift-testing", "--filter", f"CrashChild/{test}"]


def kill(bundle, folder, seed, draw):
    """Starts the work and ends it at a random moment."""
    diary = folder / "diary"
    length = diary.stat().st_size if diary.exists() else 0
    environment = dict(os.environ, SAFELIGHT_CRASH_FOLDER=str(folder), SAFELIGHT_CRASH_SEED=str(seed))
    child = subprocess.Popen(command(bundle, "worksUntilItIsKilled"), env=environment,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not diary.exists() or diary.stat().st_size == length:
        if child.poll() is not None or time.monotonic() > deadline:
            child.kill()
            sys.exit(f"seed {seed}: the work did not begin: {child.stderr.read().decode()}")
        time.sleep(0.002)
    time.sleep(draw.expovariate(4))
    if child.poll() is not None:
        sys.exit(f"seed {seed}: the work ended by itself: {child.stderr.read().decode()}")
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stderr.close()


def check(bundle, folder, seed):
    environment = dict(os.environ, SAFELIGHT_CRASH_FOLDER=str(folder))
    done = subprocess.run(command(bundle, "whatIsLeftIsWhole"), env=environment,
                          capture_output=True, timeout=300)
    text = done.stdout.decode() + done.stderr.decode()
    if done.returncode != 0 or "Test run with 1 test" not in text:
        sys.exit(f"seed {seed}: something was lost:\n{text[-4000:]}")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--kills", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--tests", type=pathlib.Path,
                         default=TOP / ".build" / "debug" / "safelightPackageTests.xctest")
    given = options.parse_args()
    draw = random.Random(given.seed)
    done = 0
    while done < given.kills:
        # A new folder now and then, so that first openings die too.
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as name:
            for _ in range(min(10, given.kills - done)):
                seed = given.seed * 1_000_000 + done
                kill(given.tests, pathlib.Path(name), seed, draw)
                check(given.tests, pathlib.Path(name), seed)
                done += 1
    print(f"{done} kills: nothing was lost")


if __name__ == "__main__":
    main()
