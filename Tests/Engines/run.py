#!/usr/bin/env python3
"""Runs the recipes for distributed engines, and harms them while they run.

    run.py [--engine parallel|slurm|dask|spark]... EDIT

For each engine, some 60 photos with awkward names are given a filter by its recipe: the first run is
stopped half way; during the second a worker dies by SIGKILL, and with some engines a machine or a
task too; further runs follow until one says that all is done. Then the folder is compared with one
that a single `edit apply` wrote: the same names, the same bytes, records equal but for dates, no
leftovers, and originals as they were. An engine that is not installed is passed over.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import folders
from engines import COMMAND, ENGINES
from processes import TooLong, running, wait_for

RUNS = 5


def renders(photos: pathlib.Path) -> int:
    return sum(name.endswith(b"_edited.jpg") for name in folders.files(photos))


def trial(kind, program: pathlib.Path, scratch: pathlib.Path, wanted: pathlib.Path) -> str:
    """One engine's runs; says what happened."""
    photos = scratch / "photos"
    folders.make(photos)
    before = folders.originals(photos)
    engine = kind(scratch, program, photos)

    def half_way(run, count):
        wait_for(f"{count} renders", lambda: renders(photos) >= count or not run.is_running())
        if not run.is_running():
            raise TooLong("the run was over before it could be harmed")

    try:
        engine.begin()
        run = engine.start()
        half_way(run, folders.COUNT // 4)
        engine.stop(run)
        # What the stopped run left working somewhere may go on for one more photo.
        wait_for("the stopped run's processes", lambda: not running(program), 60)
        stopped = renders(photos)
        if stopped == folders.COUNT:
            raise TooLong("the first run was stopped too late")
        run = engine.start()
        half_way(run, stopped + folders.COUNT // 8)
        harm = engine.harm(run)
        while code := run.wait():
            if engine.runs == RUNS:
                raise folders.Unlike(f"run {RUNS} ended with exit code {code}")
            run = engine.start()
        wait_for("the program's processes to end", lambda: not running(program), 60)
    finally:
        engine.end()
        for process in running(program):
            os.kill(process, 9)
    folders.compare(photos, wanted, before)
    return f"stopped after {stopped} photos; {harm}; {engine.runs} runs"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", action="append", choices=ENGINES, help="only this one")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a failed test")
    parser.add_argument("edit", type=pathlib.Path)
    options = parser.parse_args()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="engines-"))
    try:
        # A copy of its own, by which the test knows its processes among all others.
        program = scratch / "bin" / "edit"
        program.parent.mkdir()
        shutil.copy(options.edit, program)
        wanted = scratch / "wanted"
        folders.make(wanted)
        subprocess.run([program, *COMMAND, "--recursive", "--quiet", wanted], check=True)
        for name in options.engine or ENGINES:
            if missing := ENGINES[name].missing():
                print(f"{name}: skipped, as there is no {missing}")
                counts["skipped"] += 1
                continue
            place = scratch / name
            place.mkdir()
            start = time.monotonic()
            try:
                print(f"{name}: {trial(ENGINES[name], program, place, wanted)}; "
                      f"{time.monotonic() - start:.0f} s", flush=True)
                counts["passed"] += 1
            except (folders.Unlike, TooLong) as failure:
                counts["failed"] += 1
                log = place / "engine.log"
                text = log.read_text(errors="replace")[-3000:] if log.exists() else ""
                print(f"{name}: FAILED: {failure}\n{text}", flush=True)
    finally:
        if options.keep and counts["failed"]:
            print(f"kept: {scratch}")
        else:
            shutil.rmtree(os.fsencode(scratch))
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
