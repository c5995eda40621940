#!/usr/bin/env python3
"""Makes a catalog of many assets, without any photos, to measure and test libraries on.

    catalog.py LIBRARYBENCHMARK FOLDER [--assets N] [--seed N]

Writes FOLDER/catalogue.sqlite, 1,000,000 assets in half a minute. The tables are those that the
program LibraryBenchmark makes, which the package in this folder builds. The same seed gives the
same assets: photos of twenty years in folders by year under /photos, 2 % of them favorites, 1 %
hidden, 15 % edited, 0.5 % in the trash, 30 % with a place; an album of a tenth of all assets,
twenty of up to fifty, and a list that holds ten of them.
"""

import argparse
import hashlib
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import time

START, YEARS = 1_104_537_600, 20
CAMERAS = ["NIKON D750", "Canon EOS R6", "iPhone 15 Pro", "Pixel 8", "SONY ILCE-7M4", None]
SIZES = [(6016, 4016), (4032, 3024), (3024, 4032), (6000, 4000), (4000, 6000), (1179, 2556),
         (12000, 3200)]
PANORAMA, HDR, SCREENSHOT, LIVE, DEPTH = 1, 2, 4, 8, 16


def identifier(relative):
    """What the program calls the asset that it first saw at this path under its root."""
    digest = bytearray(hashlib.sha256(os.fsencode(relative)).digest()[:16])
    digest[6], digest[8] = digest[6] & 0x0F | 0x80, digest[8] & 0x3F | 0x80
    text = digest.hex().upper()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])) + "/L0/001"


def assets(count, draw):
    """The rows of the assets, and the folders that they are in, by number."""
    folders, rows = {}, []
    for number in range(1, count + 1):
        # In another order than they were taken in: a step of a prime goes round all places.
        place = number * 7_919 % count
        taken = START + (place + draw.random()) / count * YEARS * 31_557_600
        # Some 500 photos a folder, as cameras and people make them.
        folder = f"{time.gmtime(taken).tm_year}/{place // 500:04}"
        key = folders.setdefault(folder, len(folders) + 2)
        name = f"IMG_{number:07}.jpg"
        width, height = SIZES[number * 11 % len(SIZES)]
        subtypes = PANORAMA if width > 10_000 else SCREENSHOT if width == 1179 else \
            draw.choice((0, 0, 0, 0, HDR, LIVE, DEPTH))
        place = (draw.uniform(-60, 70), draw.uniform(-180, 180)) if draw.random() < 0.3 \
            else (None, None)
        edited = draw.random() < 0.15
        added = START + YEARS * 31_557_600 + number // 500
        dated = None if draw.random() < 0.01 else taken
        rows.append((
            number, identifier(f"{folder}/{name}"), key, name.encode(),
            draw.randrange(2_000_000, 12_000_000), int(taken * 1e9), 1_000_000 + number, "jpeg",
            width, height, 1, subtypes, CAMERAS[number * 5 % len(CAMERAS)], dated, *place, dated,
            taken + (86_400 if edited else 0), added, *place,
            draw.random() < 0.02, draw.random() < 0.01,
            int(taken * 1e9) if edited else None, "org.safelight.edit" if edited else None,
            added if draw.random() < 0.005 else None))
    return folders, rows


ASSET = """INSERT INTO asset (id, identifier, folder, name, size, modified, inode, format,
  pixelWidth, pixelHeight, orientation, mediaSubtypes, camera, fileCreationDate, fileLatitude,
  fileLongitude, creationDate, modificationDate, addedDate, latitude, longitude, favorite, hidden,
  recordModified, adjustmentFormat, trashedDate, isDerived)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)"""


def fill(database, count, seed):
    draw = random.Random(seed)
    folders, rows = assets(count, draw)
    insert = database.executemany
    insert("INSERT INTO folder (id, path, isRoot) VALUES (?, ?, ?)",
           [(1, b"/photos", 1)]
           + [(key, f"/photos/{path}".encode(), 0) for path, key in folders.items()])
    insert(ASSET, rows)
    number = 2
    collections, members = [(1, number_uuid(draw), 1, "Journeys", None, 0, START)], []
    for album in range(21):
        title = "Everything worth it" if album == 0 else f"Journey {album}"
        inside = 1 if album > 10 else None
        collections.append((number, number_uuid(draw), 0, title, inside, album + 1, START + album))
        size = count // 10 if album == 0 else min(count, 50)
        members += [(number, position * 65536, asset) for position, asset in
                    enumerate(draw.sample(range(1, count + 1), size), 1)]
        number += 1
    insert("""INSERT INTO collection (id, identifier, isList, title, list, position, creationDate)
              VALUES (?, ?, ?, ?, ?, ?, ?)""", collections)
    insert("INSERT INTO member (album, position, asset) VALUES (?, ?, ?)", members)
    insert("INSERT INTO change (date, origin) VALUES (?, ?)", [(START, "generator")])


def number_uuid(draw):
    text = f"{draw.getrandbits(128):032X}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])) + "/L0/040"


def make(program, folder, count, seed):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "catalogue.sqlite"
    if path.exists():
        sys.exit(f"{path} is there already")
    subprocess.run([program, "create", folder], check=True)
    for export in folder.glob("catalogue.j*"):
        export.unlink()
    database = sqlite3.connect(path, isolation_level=None)
    # As the program's own, for the names that are made here, which have no accents.
    database.create_function("foldedText", 1, lambda name: name.decode().lower())
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -1000000")
    database.execute("BEGIN")
    # An index is built faster once its rows are there.
    indexes = database.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL").fetchall()
    for name, _ in indexes:
        database.execute(f"DROP INDEX {name}")
    fill(database, count, seed)
    for _, script in indexes:
        database.execute(script)
    # As if all had been exported already.
    database.execute("DELETE FROM unexported")
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode = WAL")
    database.close()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("program", type=pathlib.Path)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--assets", type=int, default=1_000_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    make(given.program, given.folder, given.assets, given.seed)


if __name__ == "__main__":
    main()
