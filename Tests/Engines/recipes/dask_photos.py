#!/usr/bin/env python3
"""Does one thing to many photos on a Dask cluster whose machines all see them.

    dask_photos.py FOLDER COMMAND...
    dask_photos.py --scheduler tcp://desk:8786 /photos/harbour apply noir --intensity 0.6

Without a scheduler it works on this machine. Answers go to standard output, one JSON object a line
as chunks of photos are done. The same line again does what is missing. Exit code 1: a photo failed.
"""

import argparse
import json
import os
import subprocess
import sys
import threading

from dask.distributed import Client, LocalCluster, as_completed

KINDS = (b".jpg", b".jpeg", b".png", b".tif", b".tiff", b".webp", b".heic", b".avif")
SECONDS = 600  # for one photo


def photos(folder: bytes):
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(place, name) for name in sorted(names)
                    if name.lower().endswith(KINDS))


def job(photo: bytes, command: list[str]) -> str:
    """A line for `edit worker`. A byte that is not UTF-8 is written as U+10FF00 plus the byte."""
    name = photo.decode("utf-8", "surrogateescape")
    name = "".join(chr(ord(c) - 0xDC00 + 0x10FF00) if "\udc80" <= c <= "\udcff" else c
                   for c in name)
    return json.dumps({"photo": name, "command": command})


class Worker:
    """An `edit worker` on the machine of the Dask worker that runs the task."""

    def __init__(self):
        # Machines run a Dask worker for each core; more threads would only be in each other's way.
        self.process = subprocess.Popen(
            ["edit", "worker", "--memory-limit", "4096"], text=True, encoding="utf-8",
            env=os.environ | {"VIPS_CONCURRENCY": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def answer(self, line: str) -> str | None:
        """The answer to a job; None when the process died over it or took too long."""
        clock = threading.Timer(SECONDS, self.process.kill)
        clock.start()
        try:
            print(line, file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        finally:
            clock.cancel()
        return answer if answer.endswith("\n") else None

    def end(self):
        try:
            self.process.communicate()
        except BrokenPipeError:
            self.process.wait()


def work(lines: list[str]) -> list[str]:
    """The task: answers to a chunk of jobs. A photo that kills two workers is given up."""
    answers, worker = [], Worker()
    for line in lines:
        for _ in range(2):
            answer = worker.answer(line)
            if answer:
                break
            worker.end()
            worker = Worker()
        answers.append(answer or json.dumps(
            {"photo": json.loads(line)["photo"], "status": "failed",
             "error": {"code": "worker-crashed", "message": "The worker died twice."}}) + "\n")
    worker.end()
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scheduler", help="its address; without one, work on this machine")
    parser.add_argument("--chunk", type=int, default=50, help="photos for one task")
    parser.add_argument("folder", type=os.fsencode)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="such as: apply noir")
    options = parser.parse_args()
    lines = [job(photo, options.command) for photo in photos(os.path.abspath(options.folder))]
    chunks = [lines[start:start + options.chunk] for start in range(0, len(lines), options.chunk)]
    failed = 0
    with Client(options.scheduler or LocalCluster(threads_per_worker=1)) as client:
        # Not pure: a second run in the same cluster must look at the photos again.
        tasks = client.map(work, chunks, pure=False, retries=2)
        for _, answers in as_completed(tasks, with_results=True):
            for answer in answers:
                failed += json.loads(answer)["status"] == "failed"
                sys.stdout.write(answer)
            sys.stdout.flush()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
