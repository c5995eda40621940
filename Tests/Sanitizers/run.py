#!/usr/bin/env python3
"""Runs the tests under a sanitizer, one target after the other, and prints what it reports.

    run.py address|thread [TARGET...] [--scratch FOLDER]

`address` has AddressSanitizer for everything and UndefinedBehaviorSanitizer for the C parts: the kernels, and the
functions in the headers of the system's libraries. `thread` has ThreadSanitizer. Without targets, all run.

LeakSanitizer stays off, because it does not see what Swift keeps. An enumeration with indirect cases marks its
pointers with bits in them, and this program, which forgets nothing, has "800 byte(s) leaked in 30 allocation(s)":

    indirect enum Tree { case leaf(Int), pair(Tree, Tree) }
    final class Keeper { var trees: [Tree] = [] }
    let keeper = Keeper()
    for number in 0..<10 { keeper.trees.append(.pair(.leaf(number), .leaf(2))) }
    print(keeper.trees.count)

Photos are decoded in the tests' own process: AddressSanitizer takes terabytes of addresses, and a decoder in a process of
its own has a limit on them. DarkroomTests are about such processes, and were not run under it.

With `address`, tests run one after the other, because Foundation reads behind the end of its memory when it starts a process while very
many files are open. This program is told so when 1,337 are asked for, with `ulimit -n 20000`:

    import Foundation
    let open = (0..<Int(CommandLine.arguments[1])!).map { _ in FileHandle(forReadingAtPath: "/dev/null")! }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    try process.run()
    print(open.count)

ThreadSanitizer does not see all that Swift's Mutex does; mutex.c says what, and tells it.

`Tests/Leaks/leaks.py` and `Tests/Load/load.py` find leaks.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = {"address": ["-Xcc", "-fsanitize=undefined", "-Xcc", "-fno-sanitize-recover=undefined"], "thread": []}
REPORTS = re.compile(r"(?:SUMMARY: |.*runtime error: |.*recorded an issue).*")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sanitizer", choices=FLAGS)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--scratch")
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
    scratch = options.scratch or f".build/{options.sanitizer}"
    if not options.no_build:
        subprocess.run(
            ["swift", "build", "--build-tests", "--sanitize", options.sanitizer, *FLAGS[options.sanitizer],
             "--scratch-path", scratch], cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    bundle = ROOT / scratch / "debug/safelightPackageTests.xctest"
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "ASAN_OPTIONS": "detect_leaks=0", "TSAN_OPTIONS": "halt_on_error=0", "SWIFT_BACKTRACE": "enable=no",
            "SAFELIGHT_IN_PROCESS": "1"}
        if options.sanitizer == "thread":
            told = f"{folder}/mutex.so"
            subprocess.run(["clang", "-O1", "-shared", "-fPIC", ROOT / "Tests/Sanitizers/mutex.c", "-o", told], check=True)
            environment["LD_PRELOAD"] = told
        everything = sorted(path.name for path in (ROOT / "Tests").glob("*Tests"))
        failed = [target for target in options.targets or everything
                  if not is_clean(bundle, target, environment, options.sanitizer)]
    sys.exit(1 if failed else 0)


def is_clean(bundle, target, environment, sanitizer):
    """Runs the tests of a target, and prints what the sanitizer and the tests say."""
    start = time.monotonic()
    order = ["--no-parallel"] if sanitizer == "address" else []
    try:
        done = subprocess.run(
            [bundle, "--testing-library", "swift-testing", "--filter", rf"^{target}\.", *order], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1800)
        text, code = done.stdout.decode(errors="replace"), done.returncode
    except subprocess.TimeoutExpired as late:
        text, code = (late.stdout or b"").decode(errors="replace"), "timeout"
    ends = re.findall(r"Test run with .*", text)
    print(f"{target}: {ends[-1] if ends else f'ended with {code}'} ({time.monotonic() - start:.0f} s)", flush=True)
    for report, count in collections.Counter(REPORTS.findall(text)).most_common(20):
        print(f"  {count} × {report[:300]}", flush=True)
    return code == 0


if __name__ == "__main__":
    main()
