#!/usr/bin/env python3
"""Kills `edit` with SIGKILL in the middle of its work, hundreds of times, and looks what is left.

    kill.py EDIT PHOTO [--kills N] [--seed N]

Two ways to die: at the n-th system call of a kind that a commit is made of (by strace, when it is
installed and allowed), one after the other until the work succeeds; and after a random time. Each
dies during a first edit, a second edit, a revert, an undo, or while a version is saved, replaced,
used or removed. After each: the original's bytes, times and mode are as they were; `edit show` sees
wholly the old or wholly the new edit, and its render's bytes are those that its record names; the
next edit and revert work, and leave nothing behind.
"""

import argparse
import hashlib
import json
import os
import pathlib
import plistlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

# Those that only a commit makes come first; the others are made by the hundred at start-up.
CALLS = ["/^rename", "/^link", "/^unlink", "fsync", "flock", "write", "pread64", "newfstatat", "openat"]


class Half(Exception):
    """Something was left that is neither the old state nor the new one."""


def facts(path):
    with open(os.open(path, os.O_RDONLY | os.O_NOATIME), "rb") as file:
        stat = os.fstat(file.fileno())
        digest = hashlib.sha256(file.read()).hexdigest()
    return digest, stat.st_mtime_ns, stat.st_mode, stat.st_size


class Case:
    """One way from an old state to a new one; maybe over another program's sidecar."""

    def __init__(self, edit, photo, old, new, sidecar=None):
        self.edit, self.photo, self.old, self.new = edit, photo, old, new
        self.sidecar = sidecar

    def __str__(self):
        over = " over another program's sidecar" if self.sidecar else ""
        return f"{self.old} to {self.new}{over}"

    def command(self, state, folder):
        photo = str(folder / self.photo.name)
        if state is None:
            return [self.edit, "revert", photo]
        return [self.edit, "apply", state, "--quiet", photo]

    def prepare(self, folder):
        shutil.copy2(self.photo, folder)
        if self.sidecar:
            shutil.copy2(self.sidecar, folder / (self.photo.name + ".aae"))
        if self.old is not None:
            subprocess.run(self.command(self.old, folder), check=True, capture_output=True)

    def check(self, folder, before):
        """Looks at what a death left; returns whether the new state is there."""
        photo = folder / self.photo.name
        if facts(photo) != before:
            raise Half("the original changed")
        shown = subprocess.run([self.edit, "show", "--json", str(photo)], capture_output=True)
        if shown.returncode != 0:
            raise Half(f"show failed: {shown.stderr.decode()}")
        state = json.loads(shown.stdout)
        names = [entry.get("name") for entry in state.get("edit", {}).get("adjustments", [])]
        now = names[0] if names else None
        if now not in (self.old, self.new):
            raise Half(f"the edit is {now}")
        warnings = [text for text in state.get("warnings", [])
                    if "interrupted" not in text and "another program's" not in text]
        if warnings:
            raise Half(f"show warns: {warnings}")
        if now is not None:
            self.check_render(folder, state)
        self.check_afterwards(folder)
        return now == self.new

    def check_afterwards(self, folder):
        # The lock died with its holder, and what was begun is finished or gone.
        for command in (self.command("mono", folder), self.command(None, folder)):
            done = subprocess.run(command, capture_output=True, timeout=60)
            if done.returncode != 0:
                raise Half(f"{command[1]} failed afterwards: {done.stderr.decode()}")
        names = {self.photo.name}
        if self.sidecar:
            names.add(self.photo.name + ".aae")
            if (folder / (self.photo.name + ".aae")).read_bytes() != self.sidecar.read_bytes():
                raise Half("the other program's sidecar did not come back")
        if set(os.listdir(folder)) != names:
            raise Half(f"left behind: {sorted(os.listdir(folder))}")

    @staticmethod
    def check_render(folder, state):
        pending = list(folder.glob(".safelight-*.pending"))
        record = plistlib.loads((pending[0] if pending else folder / state["record"]).read_bytes())
        wanted = record["safelight"]["render"]["sha256"]
        found = hashlib.sha256(pathlib.Path(state["rendered"]).read_bytes()).hexdigest()
        if wanted != found:
            raise Half("the render is not the one that the record names")


class Steps(Case):
    """A change that needs more than one command to get ready for: of the history or of a version."""

    SAVED = [["apply", "noir"], ["version", "save", "warm"], ["apply", "sepia"]]

    def __init__(self, edit, photo, ready, change):
        super().__init__(edit, photo, None, "changed")
        self.ready, self.change = ready, change
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.prepare(folder)
            self.old = self.state(folder)
            subprocess.run(self.command("changed", folder), check=True, capture_output=True)
            self.new = self.state(folder)
        if self.old == self.new:
            raise ValueError(f"{self} changes nothing")

    def __str__(self):
        return " ".join(self.change)

    def command(self, state, folder):
        words = ["revert", "--versions"] if state is None else \
            ["apply", state, "--quiet"] if state == "mono" else self.change
        return [self.edit, *words, str(folder / self.photo.name)]

    def prepare(self, folder):
        shutil.copy2(self.photo, folder)
        for words in self.ready:
            subprocess.run([self.edit, *words, str(folder / self.photo.name)], check=True,
                           capture_output=True)

    def state(self, folder):
        """The present step, and what each version holds; raises Half when that is not whole."""
        def said(*words):
            done = subprocess.run([self.edit, *words, "--json", str(folder / self.photo.name)],
                                  capture_output=True)
            if done.returncode != 0:
                raise Half(f"{words[0]} failed: {done.stderr.decode()}")
            return json.loads(done.stdout)
        shown = said("show")
        warnings = [text for text in shown.get("warnings", []) if "interrupted" not in text]
        if warnings:
            raise Half(f"show warns: {warnings}")
        self.check_render(folder, shown)
        versions = [(version["name"], version["adjustments"],
                     hashlib.sha256(pathlib.Path(version["rendered"]).read_bytes()).hexdigest())
                    for version in shown.get("versions", [])]
        return said("history")["present"], shown["edit"]["adjustments"], versions

    def check(self, folder, before):
        if facts(folder / self.photo.name) != before:
            raise Half("the original changed")
        now = self.state(folder)
        if now not in (self.old, self.new):
            raise Half(f"the state is {now}")
        self.check_afterwards(folder)
        return now == self.new


def at_call(case, call, number):
    """Dies at the number-th call; returns None when there are fewer, else whether it was too late."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        case.prepare(folder)
        before = facts(folder / case.photo.name)
        done = subprocess.run(
            ["strace", "-f", "-qqq", "-o", "/dev/null", "-e", f"trace={call}",
             "-e", f"inject={call}:signal=SIGKILL:when={number}", *case.command(case.new, folder)],
            capture_output=True, timeout=120)
        if done.returncode in (0, 1):
            return None
        return case.check(folder, before)


def at_time(case, longest, chance):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        case.prepare(folder)
        before = facts(folder / case.photo.name)
        process = subprocess.Popen(case.command(case.new, folder), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, longest))
        process.send_signal(signal.SIGKILL)
        process.wait()
        return case.check(folder, before)


def can_trace():
    try:
        return subprocess.run(["strace", "-o", "/dev/null", "true"],
                              capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edit")
    parser.add_argument("photo")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    chance = random.Random(options.seed)
    edit, photo = os.path.abspath(options.edit), pathlib.Path(options.photo).resolve()
    foreign = pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "bad" / "apple.aae"
    cases = [Case(edit, photo, None, "noir"), Case(edit, photo, "noir", "sepia"),
             Case(edit, photo, "noir", None), Case(edit, photo, None, "noir", foreign),
             Case(edit, photo, "noir", None, foreign),
             Steps(edit, photo, [["apply", "noir"], ["apply", "sepia"]], ["undo"]),
             Steps(edit, photo, Steps.SAVED, ["version", "save", "cold"]),
             Steps(edit, photo, Steps.SAVED, ["version", "save", "warm", "--replace"]),
             Steps(edit, photo, Steps.SAVED, ["version", "use", "warm"]),
             Steps(edit, photo, Steps.SAVED, ["version", "remove", "warm"])]
    kills = new = failures = 0

    def count(label, die):
        nonlocal kills, new, failures
        try:
            outcome = die()
        except Half as half:
            outcome = False
            failures += 1
            print(f"{label}: {half}")
        if outcome is not None:
            kills += 1
            new += outcome
        return outcome

    if can_trace():
        for index, case in enumerate(cases, 1):
            share = options.kills * 2 * index // (3 * len(cases))
            for call in CALLS:
                number = 1
                while kills < share:
                    label = f"{case}, {call} {number}"
                    if count(label, lambda: at_call(case, call, number)) is None:
                        break
                    # Of the many calls at start-up each fifth will do.
                    number += 1 if number < 20 else 5
    else:
        print("strace is missing or not allowed here; dying at random times only")

    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        cases[0].prepare(pathlib.Path(name))
        subprocess.run(cases[0].command("noir", pathlib.Path(name)), check=True)
    longest = (time.monotonic() - start) * 1.2
    while kills < options.kills:
        case = cases[kills % len(cases)]
        count(f"{case}, at a random time",
              lambda: at_time(case, longest, chance))

    print(f"{kills} kills, {new} after the point of no return")
    print(f"{kills - failures} passed, {failures} failed")
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
