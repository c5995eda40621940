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

Photos are decoded in the tests' own process: a decoder in a process of its own gives up calls and memory that
sanitizers need. DarkroomTests are about such processes, and do not run. `LEFT_OUT` below says which other tests do not,
and why.

Both take terabytes of addresses, and a worker limits them; limits.c takes that limit away.

With `address`, tests run one after the other, because Foundation reads behind the end of its memory when it starts a
process while very many files are open. This program is told so when 1,337 are asked for, with `ulimit -n 20000`:

    import Foundation
    let open = (0..<Int(CommandLine.arguments[1])!).map { _ in FileHandle(forReadingAtPath: "/dev/null")! }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    try process.run()
    print(open.count)

ThreadSanitizer does not see all that Swift's Mutex and the locks of GLib do; mutex.c and glib.c say what, and tell it.

Reports of all processes count, also of those that the tests start.

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
# The most seconds that the tests of a target may take.
LONGEST = 3600
# What is loaded before the tests.
LOADED = {"address": ["limits.c"], "thread": ["limits.c", "mutex.c", "glib.c"]}
# Tests that cannot run under a sanitizer, and why.
LEFT_OUT = {
    "BatchProcessTests/aPhotoThatNeedsMoreMemoryThanAllowedIsNotSaidToBeDamaged": "limits.c takes the limit away.",
}
REPORTS = re.compile(r"(?:SUMMARY: |.*runtime error: ).*")
ISSUES = re.compile(r".*recorded an issue.*")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sanitizer", choices=FLAGS)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--scratch")
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_intermixed_args()
    scratch = options.scratch or f".build/{options.sanitizer}"
    if not options.no_build:
        subprocess.run(
            ["swift", "build", "--build-tests", "--sanitize", options.sanitizer, *FLAGS[options.sanitizer],
             "--scratch-path", scratch], cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    bundle = ROOT / scratch / "debug/safelightPackageTests.xctest"
    with tempfile.TemporaryDirectory() as folder:
        loaded = f"{folder}/loaded.so"
        sources = [ROOT / "Tests/Sanitizers" / name for name in LOADED[options.sanitizer]]
        subprocess.run(["clang", "-O1", "-shared", "-fPIC", *sources, "-o", loaded], check=True)
        # Reports go to files, because nobody may read what a process of a test writes.
        reports = f"log_path={folder}/report"
        environment = os.environ | {
            "ASAN_OPTIONS": f"detect_leaks=0:{reports}", "UBSAN_OPTIONS": reports,
            "TSAN_OPTIONS": f"halt_on_error=0:{reports}", "SWIFT_BACKTRACE": "enable=no",
            "SAFELIGHT_IN_PROCESS": "1", "LD_PRELOAD": loaded,
            # Tests that all start at once would all last until the end, and exceed their limits of time.
            "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4"}
        everything = sorted(path.name for path in (ROOT / "Tests").glob("*Tests") if path.name != "DarkroomTests")
        failed = [target for target in options.targets or everything
                  if not is_clean(bundle, target, environment, options.sanitizer, pathlib.Path(folder))]
    sys.exit(1 if failed else 0)


def is_clean(bundle, target, environment, sanitizer, folder):
    """Runs the tests of a target, and prints what the sanitizer and the tests say."""
    start = time.monotonic()
    order = []
    if target == "EditServerTests":
        # Their servers need the threads that other tests have.
        environment = environment | {"SAFELIGHT_SERVER_TESTS": "1"}
    if target == "EditServerTests" or sanitizer == "address":
        order = ["--no-parallel"]
    for name in LEFT_OUT:
        order += ["--skip", rf"\.{name}\("]
    with open(folder / "output", "w+", errors="replace") as output:
        try:
            code = subprocess.run(
                [bundle, "--testing-library", "swift-testing", "--filter", rf"^{target}\.", *order], env=environment,
                stdout=output, stderr=subprocess.STDOUT, timeout=LONGEST).returncode
        except subprocess.TimeoutExpired:
            code = "time-out"
        output.seek(0)
        text = output.read()
    reports = []
    for file in folder.glob("report.*"):
        reports += REPORTS.findall(file.read_text(errors="replace")) or ["a report without a summary"]
        file.unlink()
    ends = re.findall(r"Test run with .*", text)
    print(f"{target}: {ends[-1] if ends else f'ended with {code}'} ({time.monotonic() - start:.0f} s)", flush=True)
    for report, count in collections.Counter(reports + ISSUES.findall(text)).most_common(20):
        print(f"  {count} × {report[:300]}", flush=True)
    return code == 0 and not reports


if __name__ == "__main__":
    main()
