#!/usr/bin/env python3
"""Records the set that check.py checks, with a version of the program that is taken to be right.

    make.py EDIT --commit HASH

It makes `set` and `expected` anew. Do not run it to make a failing check pass: see README.md.
"""

import argparse
import gzip
import json
import os
import shutil
import stat
import time

import recorded as r


def complete(edit):
    """Every adjustment of the program must occur in the recipe."""
    with r.scratch() as folder:
        room = r.Room(edit, folder)
        ids = [one["id"] for one in room.run(".", "adjustments", "--json")["out"]]
    recorded = [name for names in [r.ALONE, *r.SHARED.values()] for name in names]
    # What is done to a video changes no pixel of a photo.
    assert sorted(recorded + ["filter", "lut", "video"]) == sorted(ids), set(ids) ^ set(recorded)


def make_photos(edit, folder):
    for path, material, steps in r.recipe():
        place, name = r.fresh(folder / "photos", path, material, steps)
        room = r.Room(edit, folder)
        for step in steps:
            if callable(step):
                if not getattr(step, "before", False):
                    step(place, name)
                continue
            answer = room.run(f"photos/{path.split('/')[0]}", *r.command(step, name))
            assert answer["exit"] == 0, (path, step, answer)


def store(part, folder, manifest):
    materials = {path.read_bytes(): path.name for path in sorted(r.MATERIAL.iterdir())}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        stored = f"{part}/{r.plain(str(path.relative_to(folder)))}"
        content = path.read_bytes()
        target = r.SET / stored
        target.parent.mkdir(parents=True, exist_ok=True)
        # Originals are stored once, and a catalog is mostly empty pages.
        how = {"material": materials[content]} if content in materials else {}
        if path.suffix == ".sqlite":
            how = {"packed": True}
            target.with_name(target.name + ".gz").write_bytes(gzip.compress(content, mtime=0))
        elif not how:
            target.write_bytes(content)
        manifest[stored] = {
            **how,
            "mode": oct(stat.S_IMODE(path.stat().st_mode)),
            # No two the same: a photo is known by its time among other things.
            "time": (1717300000 + 61 * (len(manifest) + 1)) * 10**9 + 123456789,
            "hash": r.digest(content),
        }
    (r.SET / "files.json").write_text(
        json.dumps(manifest, indent=0, separators=(",", ":"), sort_keys=True) + "\n")


def write(name, notes):
    text = ",\n".join(json.dumps(note, ensure_ascii=False, separators=(",", ":")) for note in notes)
    (r.EXPECTED / f"{name}.json.gz").write_bytes(gzip.compress(f"[\n{text}\n]\n".encode(), mtime=0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("edit")
    parser.add_argument("--commit", required=True, help="the commit that EDIT was built from")
    options = parser.parse_args()
    edit = os.path.abspath(options.edit)
    complete(edit)
    for folder in (r.SET, r.EXPECTED):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    manifest = {}
    os.umask(0o022)
    with r.scratch() as folder, r.fixed_place():
        make_photos(edit, folder)
        # Modes are part of what must stay.
        (folder / "photos/filters/mono.jpg").chmod(0o600)
        (folder / "photos/filters/noir.jpg").chmod(0o444)
        store("photos", folder / "photos", manifest)
        r.lay_out_library()
        r.make_library(r.Room(edit, folder))
        store("library", r.LIBRARY, manifest)
        # So that nothing new has a date of the recorded set.
        time.sleep(2)
        for name, part, action in r.READING:
            write(name, r.observe(edit, part, action, ()))
        known = r.known_words()
        for name, part, action in r.WRITING:
            write(name, r.observe(edit, part, action, known))
        about = {"commit": options.commit, "machine": r.machine(folder)}
        version = r.Room(edit, folder).run(".", "--version")["out"]
        (r.EXPECTED / "about.json").write_text(
            json.dumps({**about, "version": version}, indent=2) + "\n")


if __name__ == "__main__":
    main()
