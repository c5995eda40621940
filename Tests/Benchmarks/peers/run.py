#!/usr/bin/env python3
"""Runs a task of a Python library.

    run.py LIBRARY TASK WORK PHOTO OUT           one photo
    run.py LIBRARY TASK WORK --into DIR PHOTO... a batch, on as many processes as there are cores

LIBRARY is pillow, opencv or pyvips, WORK the work.json that the benchmark wrote.
"""

import importlib
import json
import multiprocessing
import os
import pathlib
import sys


def run(job):
    library, task, work, photo, out = job
    module = importlib.import_module(f"with_{library}")
    values = json.loads(pathlib.Path(work).read_text())
    values["folder"] = os.path.dirname(work)
    getattr(module, task)(photo, out, values)


def main():
    library, task, work, *rest = sys.argv[1:]
    if rest[0] != "--into":
        return run((library, task, work, *rest))
    jobs = [(library, task, work, photo, os.path.join(rest[1], os.path.basename(photo)))
            for photo in rest[2:]]
    # Each process imports the library by itself: libvips does not live through a fork.
    context = multiprocessing.get_context("spawn")
    with context.Pool(len(os.sched_getaffinity(0))) as pool:
        pool.map(run, jobs, chunksize=1)


if __name__ == "__main__":
    main()
