#!/usr/bin/env python3
"""Works on a tree of very many small photos, and looks whether memory, descriptors and speed stay the same.

    load.py EDIT [--photos N] [--folder FOLDER] [--images PROGRAM] [--without-edits]

Makes N distinct JPEGs of 64 x 48 pixels (20,000 unless told) in folders of 1,000, and runs `edit apply`,
`edit verify`, `edit library add` and `edit library scan` over all of them, and with PROGRAM, the ImagesBenchmark of
Tests/Benchmarks/library, a thumbnail of each; the first two are left out where asked. A table has one line for each tenth of a run: photos a second,
processor time for a photo, the memory of the process and of its largest worker without files that are mapped, and
the descriptors of all. Fails when something grows. Processor time decides about speed, because other programs
change the rest.
"""

import argparse
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
PER_FOLDER = 1000


def make(folder, count):
    """Photos that differ in their bytes and, twenty of a kind, in their pixels."""
    bases = []
    sources = [path for path in sorted(FIXTURES.rglob("*.jpg")) if "bad" not in path.parts][:20]
    with tempfile.TemporaryDirectory() as temporary:
        for index, source in enumerate(sources):
            target = pathlib.Path(temporary) / f"{index}.jpg"
            subprocess.run(["vipsthumbnail", source, "--size", "64x48!", "-o", f"{target}[Q=80,strip]"],
                           check=True, capture_output=True)
            bases.append(target.read_bytes())
    for number in range(count):
        parent = folder / f"{number // PER_FOLDER:04}"
        if number % PER_FOLDER == 0:
            parent.mkdir(parents=True)
        base = bases[number % len(bases)]
        comment = b"\xff\xfe\x00\x0a%08d" % number
        (parent / f"{number:06}.jpg").write_bytes(base[:2] + comment + base[2:])


def children(process):
    try:
        words = pathlib.Path(f"/proc/{process}/task").iterdir()
        return [int(child) for task in words for child in (task / "children").read_text().split()]
    except OSError:
        return []


def measured(process):
    """Kilobytes, descriptors and seconds of processor time of a process; zeros once it is gone."""
    try:
        lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
        memory = [int(line.split()[1]) for line in lines if line.startswith("RssAnon:")]
        times = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]
        return (memory[0] if memory else 0, len(os.listdir(f"/proc/{process}/fd")),
                sum(map(int, times)) / os.sysconf("SC_CLK_TCK"))
    except OSError:
        return 0, 0, 0


class Sampling(threading.Thread):
    """Measures a process and its workers until it ends; `done` says how many photos are done."""

    def __init__(self, process, done):
        super().__init__(daemon=True)
        self.process, self.done, self.samples = process, done, []

    def run(self):
        while self.process.poll() is None:
            main = measured(self.process.pid)
            workers = [measured(worker) for worker in children(self.process.pid)]
            self.samples.append((
                time.monotonic(), self.done(), main[0], max([0] + [each[0] for each in workers]),
                *(main[column] + sum(each[column] for each in workers) for column in (1, 2))))
            time.sleep(0.25)


def tenths(name, sampling, count, start):
    """One line for each tenth; returns what is not flat."""
    print(f"\n{name}: {count / (time.monotonic() - start):.0f} photos a second", flush=True)
    lines = []
    for tenth in range(10):
        low, high = count * tenth / 10, count * (tenth + 1) / 10
        inside = [each for each in sampling.samples if low < each[1] <= high]
        photos = inside[-1][1] - inside[0][1] if inside else 0
        if photos < count / 40:
            continue
        lines.append((1000 * (inside[-1][5] - inside[0][5]) / photos,
                      *(max(each[column] for each in inside) for column in (2, 3, 4))))
        print("  {:>2} {:>7.0f} a second {:>7.2f} ms each {:>6.1f} MB, workers {:>6.1f} MB {:>4} descriptors".format(
            tenth + 1, photos / (inside[-1][0] - inside[0][0]), lines[-1][0], lines[-1][1] / 1024,
            lines[-1][2] / 1024, lines[-1][3]), flush=True)
    if len(lines) < 4:
        return []
    wrong = []
    # The first tenth has the start in it, the workers' first pictures too.
    first, last = lines[1], lines[-1]
    # Other programs on the machine make a photo cost up to a quarter more.
    if last[0] > 1.25 * first[0] + 0.05:
        wrong.append(f"{name}: {first[0]:.2f} ms of processor time for a photo became {last[0]:.2f}")
    for what, column, slack in (("memory", 1, 4096), ("a worker's memory", 2, 4096), ("descriptors", 3, 4)):
        if last[column] > 1.1 * first[column] + slack:
            wrong.append(f"{name}: {what} grew from {first[column]} to {last[column]}")
    return wrong


def run(name, command, count, done=None):
    """Runs a command; without `done`, each line of its output is a photo."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [0]
    sampling = Sampling(process, done or (lambda: lines[0]))
    sampling.start()
    last = ""
    for last in process.stdout:
        lines[0] += 1
    process.wait()
    sampling.join()
    if process.returncode != 0:
        sys.exit(f"{name} failed: {last}")
    return tenths(name, sampling, count, start)


def indexed(library):
    """Counts the assets of a library's catalog, while others write to it."""
    def count():
        try:
            with sqlite3.connect(f"file:{library}/catalogue.sqlite?mode=ro", uri=True, timeout=1) as catalog:
                return catalog.execute("SELECT count(*) FROM asset").fetchone()[0]
        except sqlite3.Error:
            return 0
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edit", type=pathlib.Path)
    parser.add_argument("--photos", type=int, default=20_000)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--images", type=pathlib.Path)
    parser.add_argument("--without-edits", action="store_true")
    options = parser.parse_args()
    count, edit = options.photos, options.edit.resolve()
    folder = pathlib.Path(tempfile.mkdtemp(dir=options.folder))
    wrong = []
    try:
        photos, library = folder / "photos", folder / "library"
        start = time.monotonic()
        make(photos, count)
        print(f"{count} photos made in {time.monotonic() - start:.0f} s")
        if not options.without_edits:
            wrong += run("apply", [edit, "apply", "noir", "--json", "-r", photos], count)
            wrong += run("verify", [edit, "verify", "--json", "-r", photos], count)
        subprocess.run([edit, "library", "init", "--library", library], check=True, capture_output=True)
        wrong += run("library add", [edit, "library", "add", photos, "--library", library, "--json"], count,
                     indexed(library))
        again = time.monotonic()
        subprocess.run([edit, "library", "scan", "--library", library, "--json"], check=True, capture_output=True)
        print(f"\nlibrary scan of what is known: {count / (time.monotonic() - again):.0f} photos a second")
        if options.images:
            # Its pictures are decoded by this program.
            os.environ["PATH"] = f"{edit.parent}:{os.environ['PATH']}"
            wrong += run("thumbnails", [options.images.resolve(), "--each", folder], count)
    finally:
        shutil.rmtree(folder)
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
