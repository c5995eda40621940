#!/usr/bin/env python3
"""Kills a process that indexes and changes a library with SIGKILL, and looks what is left.

    library.py [TESTS] [--kills N] [--seconds S] [--seed N]

TESTS is the bundle of tests, of which two are the processes (CrashChild of PhotoLibraryTests), so
build it first: swift build --build-tests. The one that dies adds photos, moves them about, scans,
marks favourites, makes and arranges albums, creates photos, puts them into the trash and empties it,
and makes the catalogue anew; it writes down what it begins and what was reported done. After each
death another one opens the library: `PRAGMA integrity_check` is clean, every change that was done is
there and none that was not begun, a scan finds the photos that are on the disk and no others, and a
catalogue made anew from the disk and the export is the same.
"""

import argparse
import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
BUNDLE = TOP / ".build" / "debug" / "safelightPackageTests.xctest"


def command(bundle, test):
    return [bundle, "--testing-library", "swift-testing", "--filter", f"CrashChild/{test}"]


def kill(bundle, folder, seed, draw):
    """Starts the work and ends it at a random moment; returns what it was at."""
    diary = folder / "diary"
    length = diary.stat().st_size if diary.exists() else 0
    environment = dict(os.environ, SAFELIGHT_CRASH_FOLDER=str(folder), SAFELIGHT_CRASH_SEED=str(seed))
    child = subprocess.Popen(command(bundle, "worksUntilItIsKilled"), env=environment,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + 60
    while not diary.exists() or diary.stat().st_size == length:
        if child.poll() is not None or time.monotonic() > deadline:
            child.kill()
            sys.exit(f"seed {seed}: the work did not begin: {child.stdout.read().decode()}")
        time.sleep(0.002)
    time.sleep(draw.expovariate(4))
    if child.poll() is not None:
        sys.exit(f"seed {seed}: the work ended by itself: {child.stdout.read().decode()[-4000:]}")
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    with open(diary, "rb") as lines:
        lines.seek(length)
        words = [line.split() for line in lines.read().decode().splitlines()]
    works = [line[1] for line in words if line[0] == "doing"]
    return works[-1] if works else "opening"


def check(bundle, folder, seed):
    environment = dict(os.environ, SAFELIGHT_CRASH_FOLDER=str(folder))
    done = subprocess.run(command(bundle, "whatIsLeftIsWhole"), env=environment,
                          capture_output=True, timeout=300)
    text = done.stdout.decode() + done.stderr.decode()
    if done.returncode != 0 or "Test run with 1 test" not in text:
        sys.exit(f"seed {seed}: something was lost:\n{text[-4000:]}")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("tests", type=pathlib.Path, nargs="?", default=BUNDLE)
    options.add_argument("--kills", type=int, default=100)
    options.add_argument("--seconds", type=float, default=float("inf"),
                         help="begin no kill later than this")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    draw = random.Random(given.seed)
    end = time.monotonic() + given.seconds
    done = collections.Counter()
    while done.total() < given.kills and time.monotonic() < end:
        # A new folder now and then, so that first openings die too.
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as name:
            for _ in range(10):
                if done.total() == given.kills or time.monotonic() > end:
                    break
                seed = given.seed * 1_000_000 + done.total()
                done[kill(given.tests, pathlib.Path(name), seed, draw)] += 1
                check(given.tests, pathlib.Path(name), seed)
    works = ", ".join(f"{count} {work}" for work, count in sorted(done.items()))
    print(f"{done.total()} kills ({works}): nothing was lost")


if __name__ == "__main__":
    main()
