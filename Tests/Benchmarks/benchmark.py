#!/usr/bin/env python3
"""Measures `edit` against other programs on the same work, and checks what each of them wrote.

    benchmark.py                                       all tasks, on a 20-megapixel photo it makes
    benchmark.py --photo a.jpg b.jpg --output results  on photos of yours
    benchmark.py --check                               one run each on a small photo, nothing timed

Writes benchmark.json, benchmark.md and benchmark.svg into the output folder. Needs vips, hyperfine
and GNU time; every other program takes part when it is installed. Time is hyperfine's wall time of
the whole process, in turns; memory is the peak resident set size that GNU time tells.
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import sys
import tempfile

import batches
import chart
import inputs
import report
from contenders import Peers
from outputs import ToolFailed, check
from tasks import LONGEST, TASKS, Safelight, Unavailable, lineup, wanted
from timing import measure, once
from tools import INSTALL, Tools, machine
from work import Work

# Smaller than the small photo of a check.
CHECKED_LONGEST = 600
TOP = pathlib.Path(__file__).resolve().parents[2]


def progress(words):
    print(words, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edit", type=pathlib.Path, default=TOP / ".build/release/edit",
                        help="the program; default: the release build of this package")
    parser.add_argument("--photo", nargs="+", default=[], metavar="FILE",
                        help="color JPEGs stored upright; default: one of 20 megapixels is made")
    parser.add_argument("--output", type=pathlib.Path, default=TOP / ".build/benchmark",
                        metavar="DIR", help="where the results go; default: .build/benchmark")
    parser.add_argument("--runs", type=int, default=10, help="timed runs of each command")
    parser.add_argument("--warmup", type=int, default=1, help="runs before, not timed")
    parser.add_argument("--tasks", default="copy,noir,ten,local,preview,memory,batch",
                        help="which tasks, by commas; default: %(default)s")
    parser.add_argument("--batch", type=int, default=50, metavar="N", help="photos in the batch")
    parser.add_argument("--gigapixel", action="store_true",
                        help="also measure memory on a JPEG of 32768x32768 pixels (minutes, 1 GB)")
    parser.add_argument("--python", nargs="+", default=[], metavar="PYTHON",
                        help="Pythons that have pyvips, Pillow or OpenCV, tried first")
    parser.add_argument("--readme", type=pathlib.Path, metavar="FILE",
                        help=f"put the summary between {report.BEGIN} and {report.END} of FILE")
    parser.add_argument("--check", action="store_true",
                        help="run everything once on a small photo and check the outputs only")
    parser.add_argument("--complete", action="store_true",
                        help="fail when this `edit` cannot do one of the tasks")
    options = parser.parse_args()
    options.tasks = [name.strip() for name in options.tasks.split(",")]
    unknown = set(options.tasks) - {*TASKS, "memory", "batch"}
    if unknown:
        parser.error(f"no such task: {', '.join(sorted(unknown))}")
    if options.runs < 1 or options.batch < 1 or options.warmup < 0:
        parser.error("--runs and --batch must be 1 or more, --warmup 0 or more")
    if options.readme and (options.check or not set(options.tasks) & set(TASKS)):
        parser.error("--readme needs a task that is timed")
    return options


class Benchmark:
    """One run of all: the programs, the photos and the results so far."""

    def __init__(self, options, tools, scratch):
        self.options, self.tools, self.scratch = options, tools, scratch
        self.edit = options.edit.resolve()
        self.work = Work(self.edit, scratch / "work", CHECKED_LONGEST if options.check else LONGEST)
        given = [inputs.BEACH] if options.check else options.photo
        self.photos = inputs.photos(given or [inputs.made(scratch)], scratch)
        self.safelight = Safelight(self.edit, self.work, scratch)
        self.results = {
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="minutes"),
            "machine": machine(), "versions": tools.versions, "runs": options.runs,
            "photos": [inputs.described(photo) for photo in self.photos],
            "tasks": {}, "memory": [], "batch": None}

    def task(self, name):
        """All contenders on all photos; a wrong output is reported and not timed."""
        rows = {}
        for photo in self.photos:
            progress(f"{name}: {photo.name}")
            folder = self.scratch / f"{name}-{photo.stem}"
            folder.mkdir()
            entries, absent = lineup(name, self.safelight, self.tools, self.work, photo, folder)
            for who, why in absent.items():
                rows.setdefault(who, {"name": who, "note": "", "problem": why, "photos": []})
            for entry, found in self.checked(name, entries, photo, folder):
                row = rows.setdefault(entry.name, {"name": entry.name, "note": entry.note,
                                                   "problem": None, "photos": []})
                row["photos"].append(found)
                row["problem"] = row["problem"] or found["problem"]
        self.results["tasks"][name] = list(rows.values())

    def checked(self, name, entries, photo, folder):
        """Runs each contender once and looks at its output, then times those that were right."""
        right = wanted(name, photo, self.work, folder)
        copied = wanted("copy", photo, self.work, folder)
        found, seconds = [], {}
        for entry in entries:
            result = {"photo": photo.name, "problem": None, "sampling": "", "difference": None}
            try:
                seconds[entry.name] = once(entry.command, entry.prepare)["wall"]
                seen = check(entry.output, copied if entry is entries[0] else right,
                             entry.same_work, folder)
                # A look must move pixels more than encoding alone does.
                right.least = right.least or max(1.25 * (seen.difference or 0), 0.5)
                result |= {"problem": f"wrong output: {seen.problem}" if seen.problem else None,
                           "sampling": seen.sampling, "difference": seen.difference}
                if entry.output.read_bytes() == photo.read_bytes():
                    result["problem"] = "wrong output: is the input, byte for byte"
            except (ToolFailed, OSError) as failure:
                result["problem"] = f"failed: {failure}"
            found.append((entry, result))
        if found[0][1]["problem"]:
            raise ToolFailed(f"vips copy, which all is compared with, {found[0][1]['problem']}")
        if not self.options.check:
            good = [(entry, seconds[entry.name]) for entry, result in found
                    if result["problem"] is None]
            times = measure(good, self.options.runs, self.options.warmup, folder)
            for entry, result in found:
                if entry.name in times:
                    result |= times[entry.name]
                    result["ratio"] = result["median"] / times["vips copy"]["median"]
        return found

    def memory(self):
        """Peak memory on the largest photo, and on the gigapixel when it is asked for."""
        largest = max(self.photos, key=lambda photo: math.prod(inputs.size(photo)))
        folder = self.scratch / "memory"
        folder.mkdir()
        progress(f"memory: {largest.name}")
        entries, _ = lineup("noir", self.safelight, self.tools, self.work, largest, folder)
        # A check has run them all before; here it only sees that memory can be read.
        for entry in entries[:2] if self.options.check else entries:
            self.peak(entry, largest, folder)
        if not self.options.gigapixel or self.options.check:
            return
        progress("memory: making a gigapixel photo")
        giant = inputs.gigapixel(largest, folder)
        safelight = self.safelight.contender("noir", giant, folder)
        safelight.command += ["--pixel-limit", "1100"]
        self.peak(safelight, giant, folder)
        self.peak(Peers(self.tools, self.work, giant, folder).vips_copy(), giant, folder)

    def peak(self, entry, photo, folder):
        row = {"name": entry.name, "photo": photo.name, "problem": None}
        try:
            row |= once(entry.command, entry.prepare)
            size = inputs.size(photo)
            if inputs.size(entry.output) != size:
                row["problem"] = f"its output is not {size[0]}x{size[1]}"
        except ToolFailed as failure:
            row["problem"] = str(failure)
        entry.output.unlink(missing_ok=True)
        self.results["memory"].append(row)

    def run(self):
        for name in self.options.tasks:
            if name == "memory":
                self.memory()
            elif name == "batch":
                count = 3 if self.options.check else self.options.batch
                progress(f"batch: {count} photos")
                self.results["batch"] = batches.run(self.edit, self.tools, self.work, self.photos,
                                                    count, self.scratch)
            else:
                self.task(name)
        return self.results


def verdict(results, complete):
    """Says what was wrong; returns whether all of Safelight's work was right."""
    good = True
    rows = [(TASKS[name].title, row) for name, found in results["tasks"].items() for row in found]
    rows += [("Memory", row) for row in results["memory"]]
    rows += [("Batch", row) for row in (results["batch"] or {"rows": []})["rows"]]
    for title, row in rows:
        if row["problem"]:
            own = row["name"] == "Safelight"
            absent = row["problem"].startswith("not ")
            good = good and not (own and (complete or not absent))
            if own or not absent:
                progress(f"{title}: {row['name']}: {row['problem']}")
    return good


def main():
    options = arguments()
    if not os.access(options.edit, os.X_OK):
        sys.exit(f"{options.edit} is not there; CONTRIBUTING.md says how it is built")
    tools = Tools(options.edit.resolve(), options.python)
    missing = tools.missing(timed=not options.check, batch="batch" in options.tasks)
    if missing:
        sys.exit(f"missing: {', '.join(missing)}. {INSTALL}")
    options.output.mkdir(parents=True, exist_ok=True)
    # Scratch beside the results, so that it is on a disk and not in memory.
    with tempfile.TemporaryDirectory(prefix="scratch-", dir=options.output) as scratch:
        try:
            results = Benchmark(options, tools, pathlib.Path(scratch).resolve()).run()
        except (ToolFailed, Unavailable) as failure:
            sys.exit(str(failure))
    good = verdict(results, options.complete)
    if options.check:
        progress("outputs are right" if good else "Safelight's outputs are wrong")
        sys.exit(0 if good else 1)
    (options.output / "benchmark.json").write_text(json.dumps(results, indent=1) + "\n")
    picture, details = options.output / "benchmark.svg", options.output / "benchmark.md"
    if chart.panels(results):
        chart.draw(results, picture)
    details.write_text(report.markdown(results))
    print(report.markdown(results))
    if options.readme and not report.update_readme(options.readme, results, picture, details):
        sys.exit(f"{options.readme} has no {report.BEGIN} and {report.END}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
