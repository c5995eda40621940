#!/usr/bin/env python3
"""Measures libraries of 10,000, 100,000 and 1,000,000 photos, or checks what is measured.

    run.py                            measures, and writes results/library.json, .md and .svg
    run.py --check                    10,000 photos, nothing timed: all results compared with what
                                      Python finds in the same rows and photos
    run.py --folder DIR               where catalogs are made; a real disk, for durable changes

Builds the program first; needs vipsthumbnail, 3 GB of disk and, for all of it, some twenty minutes.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile

import catalog
import fetches
import photos
import table

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
BUILD = TOP / ".build" / "library-benchmark"
# The program that decodes photos for the one that is measured.
os.environ.setdefault("SAFELIGHT_EDIT", str(TOP / ".build" / "release" / "edit"))


def progress(words):
    print(words, file=sys.stderr, flush=True)


def built(configuration):
    command = ["swift", "build", "-c", configuration, "--package-path", HERE, "--scratch-path",
               BUILD, "--product", "LibraryBenchmark"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return BUILD / configuration / "LibraryBenchmark"


class Measured:
    """The program, and what it says."""

    def __init__(self, program, runs):
        self.program, self.runs = program, runs

    def __call__(self, *words, question=None):
        done = subprocess.run([self.program, *map(str, words)], text=True, capture_output=True,
                              input=json.dumps(question) if question else None)
        if done.returncode != 0:
            sys.exit(f"{words[0]} failed: {done.stderr[-2000:]}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def fetch(self, folder, rows):
        return self("fetch", folder, self.runs,
                    question=[fetch.question(rows) for fetch in fetches.FETCHES])


def spread(values):
    values = sorted(values)
    return {"median": statistics.median(values), "p95": values[int(len(values) * 0.95)],
            "runs": len(values)}


class Problems(list):
    def expect(self, found, wanted, what):
        if found != wanted:
            self.append(f"{what}: found {str(found)[:300]}, wanted {str(wanted)[:300]}")


def compare(found, rows, problems):
    """What was fetched with what all rows say."""
    for fetch, one in zip(fetches.FETCHES, found, strict=True):
        wanted = fetch.answer(rows)
        problems.expect(one["count"], len(wanted), f"{fetch.name}, count")
        problems.expect(one["first"], wanted[:fetches.PAGE], f"{fetch.name}, first page")


def moved(album, count):
    """An album as the program's moves leave it; what is hidden stands still behind its neighbor."""
    blocks, head = [], []
    for row in album:
        if not row["hidden"] and row["trashedDate"] is None:
            blocks.append([row])
        else:
            (blocks[-1] if blocks else head).append(row)
    size = len(blocks)
    for number in range(count):
        source, target = (size - 1, size // 2) if number % 2 == 0 else (number % size, 0)
        blocks.insert(target, blocks.pop(source))
    return head + [row for block in blocks for row in block]


def measure(program, folder, count, problems, moves, toggles):
    """All that is measured on a made catalog."""
    progress(f"{count:,} photos: making the catalog")
    catalog.make(program.program, folder, count, seed=1)
    path = folder / "catalogue.sqlite"
    rows = fetches.Rows(path)
    progress(f"{count:,} photos: fetching")
    found = program.fetch(folder, rows)
    compare(found, rows, problems)
    result = {"photos": count, "fetches": {
        one["name"]: {"page": spread(one["page"]), "count": spread(one["counting"]),
                      "found": one["count"]} for one in found}}
    result["iteration"], = program("iterate", folder)
    shown = sum(not row["hidden"] and row["trashedDate"] is None for row in rows.all)
    problems.expect(result["iteration"]["count"], shown, "photos gone through")
    progress(f"{count:,} photos: changing")
    changes, = program("favorites", folder, toggles)
    marks = {row["identifier"]: row["favorite"] for row in rows.all}
    for identifier in changes["turned"]:
        marks[identifier] = 1 - marks[identifier]
    later = fetches.Rows(path)
    problems.expect({row["identifier"]: row["favorite"] for row in later.all}, marks, "favorites")
    result["favorite"] = spread(changes["changes"]) | {"disk": spread(changes["disk"])}
    moving, = program("moves", folder, fetches.ALBUM, moves)
    wanted = [row["identifier"] for row in moved(later.albums[fetches.ALBUM], moves)]
    after = [row["identifier"] for row in fetches.Rows(path).albums[fetches.ALBUM]]
    problems.expect(after, wanted, "order of the album")
    result["move"] = spread(moving["changes"]) | {"album": moving["size"]}
    database = sqlite3.connect(path)
    problems.expect(database.execute("PRAGMA integrity_check").fetchone()[0], "ok", "integrity")
    database.close()
    result["bytes"] = path.stat().st_size
    return result


def adding(program, folder, count, problems):
    """How fast varied photos are taken in, and whether what is taken in is right."""
    progress(f"making {count:,} photos")
    known = photos.make(folder / "photos", count, folder)
    progress(f"taking in {count:,} photos")
    result = {one.pop("work"): one for one in
              program("add", folder / "library", folder / "photos")}
    problems.expect([result[work]["count"] for work in ("add", "scan", "rebuild")], [count] * 3,
                    "photos taken in")
    database = sqlite3.connect(folder / "library" / "catalogue.sqlite")
    found = {}
    for path, name, camera, orientation, date, latitude, longitude in database.execute(
            """SELECT path, name, camera, orientation, creationDate, latitude, longitude
               FROM asset JOIN folder ON folder.id = asset.folder"""):
        relative = pathlib.Path(os.fsdecode(path)).relative_to(folder / "photos")
        found[str(relative / os.fsdecode(name))] = (
            camera, orientation, date, latitude and round(latitude, 3),
            longitude and round(longitude, 3))
    database.close()
    for name, facts in known.items():
        # Photos without a zone were taken in local time.
        wanted = (facts["camera"] or None, facts["orientation"], facts["date"].timestamp(),
                  *(facts["place"] or (None, None)))
        problems.expect(found.get(name), wanted, name)
        if len(problems) > 20:
            break
    for one in result.values():
        one["photosPerProcessorSecond"] = count / one["processor"] * 1000
    return result


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--check", action="store_true")
    options.add_argument("--program", type=pathlib.Path, help="built already; default: builds it")
    options.add_argument("--folder", type=pathlib.Path, default=TOP / ".build")
    options.add_argument("--output", type=pathlib.Path, default=HERE / "results")
    options.add_argument("--sizes", default="10000,100000,1000000")
    options.add_argument("--photos", type=int, default=20_000, help="how many are taken in")
    options.add_argument("--runs", type=int, default=15)
    given = options.parse_args()
    if given.check:
        given.sizes, given.photos, given.runs = "10000", 1000, 0
    program = Measured(given.program or built("debug" if given.check else "release"),
                       max(given.runs, 1))
    problems = Problems()
    results = {"date": datetime.date.today().isoformat(), "sqlite": sqlite3.sqlite_version,
               "machine": {"processor": processor(), "cores": os.cpu_count()}, "sizes": []}
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="library-benchmark-", dir=given.folder) as scratch:
        scratch = pathlib.Path(scratch).resolve()
        for size in map(int, given.sizes.split(",")):
            results["sizes"].append(measure(
                program, scratch / str(size), size, problems, moves=6 if given.check else 20,
                toggles=20 if given.check else 200))
        results["adding"] = adding(program, scratch, given.photos, problems)
    for problem in problems[:20]:
        progress(problem)
    if problems:
        sys.exit("results are wrong")
    if given.check:
        return progress("results are right")
    given.output.mkdir(exist_ok=True)
    (given.output / "library.json").write_text(json.dumps(results, indent=1) + "\n")
    (given.output / "library.md").write_text(table.markdown(results))
    table.draw(results, given.output / "library.svg")
    print(table.markdown(results))


if __name__ == "__main__":
    main()
