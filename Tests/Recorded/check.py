#!/usr/bin/env python3
"""Checks that the program reads, renders and goes on with what an earlier version left behind.

    check.py EDIT [--times] [--keep]

EDIT is the program. `set` holds photos, sidecars, renders and a library that an earlier version wrote,
`expected` what that version said and did with them. Both are compared exactly; members that are new in
JSON are allowed, and so are other words where the program speaks to people: messages, advice and
descriptions. Needs vips.
"""

import argparse
import concurrent.futures
import contextlib
import difflib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import time

import recorded as r

# Commands that change something when they are given again.
NO_EDIT_AGAIN = ("undo", "rotate", "flip", "sync")

# What the program says to people, who understand it in other words too: members of JSON, messages, and
# lines of commands that print sentences. Of such lines only the first word must be the same.
PROSE = (".message", ".hint", ".summary")
SENTENCES = (": adjustments", ": verify .")


def is_prose(do, where):
    return where.endswith(PROSE) or where.startswith(".err[") or \
        where.startswith(".out[") and "--json" not in do and any(words in do for words in SENTENCES)


def differences(expected, actual, where="", do=""):
    """What is not as expected. Objects may have more members."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            if key not in actual:
                yield f"{where}.{key} is missing"
            else:
                yield from differences(value, actual[key], f"{where}.{key}", do)
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            yield f"{where} has {len(actual)} entries, not {len(expected)}: {short(actual)}"
            return
        for number, (one, two) in enumerate(zip(expected, actual)):
            yield from differences(one, two, f"{where}[{number}]", do)
    elif isinstance(expected, str) and isinstance(actual, str):
        # Columns are as wide as their words.
        count = (0 if where.endswith(PROSE) else 1) if is_prose(do, where) else None
        if expected.split()[:count] != actual.split()[:count]:
            yield f"{where} is {short(actual)}, not {short(expected)}"
    elif expected != actual or type(expected) is not type(actual):
        yield f"{where} is {short(actual)}, not {short(expected)}"


# What a sidecar says of the bytes of a render, or of a base that was one.
NEW_RENDER = re.compile(r"<integer>\d+</integer>\s*<key>sha256</key>\s*<string>\w+</string>(?=\s*<key>pixelWidth)"
                        r"|(?<=_base.jpg</string>)\s*<key>size</key>\s*<integer>\d+</integer>"
                        r"\s*<key>sha256</key>\s*<string>\w+</string>"
                        r"|<key>replaces</key>\s*<string>\w+</string>")


def library_content():
    """The catalog's rows and the bytes of its export: SQLite may arrange a file's pages anew."""
    content = {path.name: path.read_bytes() for path in r.LIBRARY.glob("*.*json")}
    with contextlib.closing(sqlite3.connect(r.LIBRARY / "catalogue.sqlite")) as catalog:
        tables = catalog.execute("SELECT name FROM sqlite_master WHERE type = 'table' "
                                 "AND name NOT LIKE 'nameIndex%' ORDER BY 1").fetchall()
        for (table,) in tables:
            content[table] = sorted(map(repr, catalog.execute(f'SELECT * FROM "{table}"')))
    return content


def short(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 300 else text[:300] + "…"


def files_differ(expected, actual, exact):
    """What is not as expected of a folder's files."""
    for name in sorted(set(expected) | set(actual)):
        one, two = expected.get(name), actual.get(name)
        if one is None or two is None:
            yield f"{name} is {'too much' if one is None else 'missing'}"
        # What is made anew beside a private original is private.
        elif int(two["mode"], 8) & ~int(one["mode"], 8):
            yield f"{name} has the mode {two['mode']}, not {one['mode']}"
        elif "stored" in one:
            # The hash of a render stands in its sidecar.
            if exact and one["stored"] != two.get("stored"):
                yield f"{name} holds something else"
        elif one["hash"] != two.get("hash") and (exact or "_edited" not in name):
            yield f"{name} has other bytes"


class Check:
    def __init__(self, edit, keep):
        self.edit, self.keep = edit, keep
        self.known = r.known_words()
        self.about = json.loads((r.EXPECTED / "about.json").read_text())
        with r.scratch() as folder:
            self.exact = r.machine(folder) == self.about["machine"]
        self.count = 0

    def room(self, part):
        return r.laid_out(self.edit, part, self.known, self.keep)

    # ---- What the program says, compared with what the version before said. ----

    def notes(self, name, part, action):
        expected = r.expected(name)
        reading = name.startswith("reading") or name == "renders"
        with self.room(part) as room:
            # SQLite's own files come and go beside a catalog, so of its folder only the content counts.
            library = part and "library" in part
            watched = [room.folder / "photos"] if part == "photos" else \
                [r.FIXED / "photos", r.FIXED / "single"] if library else []
            if library:
                # A later version brings a catalog up to date when it opens it.
                subprocess.run([self.edit, "library", "list", "--count", "--library", str(r.LIBRARY)],
                               capture_output=True)
            catalog = library_content() if library else {}
            before = [r.facts(folder) for folder in watched]
            action(room)
            for png in sorted((room.folder / "out/png").glob("*.png")):
                self.count += 1
                if worst := pixels_apart(next(png.parents[1].glob(f"tiff/{png.stem}.tif*")), png):
                    yield f"{name}: {png.name}: pixels differ from the TIFF by up to {worst} codes"
            if reading:
                for folder, old in zip(watched, before):
                    for path, now in r.facts(folder).items():
                        if old.get(path) != now:
                            yield f"{name}: looking changed {path}: {old.get(path)} became {now}"
                    if set(old) - set(r.facts(folder)):
                        yield f"{name}: looking removed {set(old) - set(r.facts(folder))}"
                now = library_content() if library else {}
                for part in sorted(catalog | now):
                    if catalog.get(part) != now.get(part):
                        yield f"{name}: looking changed {part} of the library"
        if len(expected) != len(room.notes):
            yield f"{name}: {len(room.notes)} answers, not {len(expected)}"
        for one, two in zip(expected, room.notes):
            self.count += 1
            files, now = one.pop("files", {}), two.pop("files", {})
            for text in [*differences(one, two, do=one["do"]), *files_differ(files, now, self.exact)]:
                yield f"{name}: {one['do']}: {text}"

    # ---- What must hold whatever was said. ----

    def unharmed(self):
        """The recorded set is what was recorded."""
        manifest = json.loads((r.SET / "files.json").read_text())
        for stored, entry in manifest.items():
            self.count += 1
            try:
                if r.digest(r.stored_content(stored, entry)) != entry["hash"]:
                    yield f"the recorded set itself was changed: {stored}"
            except (OSError, EOFError) as error:
                yield f"the recorded set itself is not whole: {stored}: {error}"

    def stale(self):
        """Renders that are gone are made again, with the same bytes; no sidecar changes."""
        with self.room("photos") as room:
            room.linked = False
            shutil.rmtree(room.folder / "photos/problems")
            shutil.copytree(room.folder / "photos", room.folder / "recorded", symlinks=True)
            gone = []
            for path, material, steps in r.recipe():
                # Another program's edit cannot be rendered again.
                if path.startswith("problems/") or "sketch" in path or "unknown/" in path:
                    continue
                shown = room.run("photos", "show", "--json", path)["out"][0] if "taken" in path else None
                name = pathlib.Path(path)
                render = name.with_name(name.stem + "_edited.jpg")
                if shown:
                    render = pathlib.Path(shown.get("rendered", "none"))
                if (room.folder / "photos" / render).exists():
                    (room.folder / "photos" / render).unlink()
                    gone.append(render)
            answer = room.run("photos", "render", "--stale", "--json", "-r", ".")
            if len(gone) < 40:
                yield f"stale: only {len(gone)} renders were there"
            for render in gone:
                self.count += 1
                yield from self.same_picture(room.folder / "recorded" / render, room.folder / "photos" / render,
                                             f"stale: {render}")
            before, after = (room.state(place) for place in ("recorded", "photos"))
            for text in files_differ(before, after, self.exact):
                yield f"stale: {text}"
            failed = [one["photo"] for one in answer["out"]
                      if one["status"] == "failed" and "unknown/" not in one["photo"]]
            if failed:
                yield f"stale: failed for {failed}"

    def same_picture(self, expected, actual, where):
        if not actual.exists():
            yield f"{where} was not made"
        elif expected.read_bytes() != actual.read_bytes():
            worst = pixels_apart(expected, actual)
            if self.exact or worst > 1:
                yield f"{where} has other bytes; pixels differ by up to {worst} codes"

    def anew(self):
        """The same commands on fresh photos give the same renders and sidecars."""
        with self.room("photos") as room:
            room.folder.joinpath("photos").rename(room.folder / "recorded")
            jobs, modes = {}, []
            for path, material, steps in r.recipe():
                group = path.split("/")[0]
                if group == "problems":
                    continue
                place, name = r.fresh(room.folder / "photos", path, material, steps)
                mode = (room.folder / "recorded" / path).stat().st_mode & 0o7777
                modes.append((place / name, mode))
                if group in r.PLAIN:
                    jobs.setdefault(group, []).extend((name, step) for step in steps)
                    continue
                for step in steps:
                    if callable(step):
                        if not getattr(step, "before", False):
                            step(place, name)
                        continue
                    answer = room.run(f"photos/{group}", *r.command(step, name))
                    if answer["exit"] != 0:
                        yield f"anew: {path}: {step}: {answer}"
            for group, photos in jobs.items():
                for (name, step), answer in zip(photos, r.as_jobs(room, f"photos/{group}", photos)):
                    if answer["status"] != "edited":
                        yield f"anew: {group}/{name}: {step}: {short(answer)}"
            for path, mode in modes:
                path.chmod(mode)
                self.count += 1
            expected, actual = (
                {path.relative_to(room.folder / place): path
                 for path in (room.folder / place).rglob("*") if path.is_file() and "problems" not in path.parts}
                for place in ("recorded", "photos"))
            if set(expected) != set(actual):
                yield f"anew: other files: {sorted(map(str, set(expected) ^ set(actual)))}"
            for path in sorted(set(expected) & set(actual)):
                if path.suffix == ".aae":
                    if self.exact:
                        yield from self.same_sidecar(room, expected[path], actual[path])
                elif "_edited" in path.name:
                    yield from self.same_picture(expected[path], actual[path], f"anew: {path}")

    def same_sidecar(self, room, expected, actual):
        one, two = expected.read_bytes(), actual.read_bytes()
        if not one.startswith(b"<?xml") or one == two:
            return
        # All dates go, those of the recorded one too.
        texts = [NEW_RENDER.sub("", r.DATE.sub("DATE", room.sidecar(text))) for text in (one, two)]
        lines = [[line.replace("DATEZ", "DATE") for line in text.split("\n")] for text in texts]
        if lines[0] != lines[1]:
            changed = [line for line in difflib.unified_diff(*lines, n=0, lineterm="")][2:]
            yield f"anew: {actual.parent.name}/{actual.name}: " + " ".join(changed)[:600]

    def again(self):
        """The edit that a photo has already changes nothing."""
        with self.room("photos") as room:
            before = r.facts(room.folder / "photos")
            yield from self.last_edits(room)
            for path, now in r.facts(room.folder / "photos").items():
                # A change's claim comes and goes, and the folder's time shows it.
                if before.get(path) != now and not (room.folder / "photos" / path).is_dir():
                    yield f"again: {path} was written to"

    def last_edits(self, room):
        """Gives each photo its last edit once more; yields where that changes something."""
        jobs = {}
        for path, material, steps in r.recipe():
            group, name = path.split("/")
            last = steps[-1]
            if group in ("problems", "unknown") or callable(last) or last[0] in NO_EDIT_AGAIN or "--add" in last:
                continue
            if group in r.PLAIN:
                jobs.setdefault(group, []).append((name, last))
                continue
            answer = room.run(f"photos/{group}", *r.command(last + ["--json"], name))
            yield from self.unchanged(path, last, answer["out"][0] if answer["out"] else answer)
        for group, photos in jobs.items():
            for (name, words), answer in zip(photos, r.as_jobs(room, f"photos/{group}", photos)):
                yield from self.unchanged(f"{group}/{name}", words, answer)

    def unchanged(self, path, words, answer):
        self.count += 1
        if answer.get("status") != "unchanged":
            yield f"again: {path}: {' '.join(words)}: {short(answer)}"

    def reverted(self):
        """After a revert a folder is byte for byte what it was before the edit."""
        with self.room("photos") as room:
            manifest = json.loads((r.SET / "files.json").read_text())
            r.revert_all(room)
            for path, material, steps in r.recipe():
                if not path.startswith("problems/"):
                    r.fresh(room.folder / "fresh", path, material, steps)
            kept, now = (
                {str(path.relative_to(room.folder / place)): path.read_bytes()
                 for path in (room.folder / place).rglob("*")
                 if path.is_file() and "problems" not in path.parts} for place in ("fresh", "photos"))
            for path in sorted(set(kept) | set(now)):
                self.count += 1
                entry = manifest.get("photos/" + r.plain(path))
                if kept.get(path) != now.get(path):
                    kind = "is left" if path not in kept else "is gone" if path not in now else "has other bytes"
                    yield f"reverted: {path} {kind}"
                elif entry and not path.endswith(".aae"):
                    status = (room.folder / "photos" / path).stat()
                    if (oct(status.st_mode & 0o7777), status.st_mtime_ns) != (entry["mode"], entry["time"]):
                        yield f"reverted: {path} has another time or mode"

    def sound(self):
        """verify finds nothing wrong, but for the problems that were made on purpose."""
        with self.room("photos") as room:
            shutil.rmtree(room.folder / "photos/problems")
            answer = room.run("photos", "verify", "-r", "--json", ".")
            self.count += 1
            if answer["exit"] != 0 or any(one["status"] != "verified" for one in answer["out"]):
                yield f"sound: {short(answer)}"

    def library(self):
        with r.fixed_place():
            for name, part, action in r.READING + r.WRITING:
                if part and "library" in part:
                    yield from self.notes(name, part, action)


def pixels_apart(one, two, measure="max"):
    """How far apart two pictures are, in codes; 999 when they cannot be compared."""
    with r.scratch() as folder:
        steps = [["subtract", str(one), str(two), f"{folder}/d.v"], ["abs", f"{folder}/d.v", f"{folder}/a.v"],
                 [measure, f"{folder}/a.v"]]
        for words in steps:
            done = subprocess.run(["vips", *words], capture_output=True)
            if done.returncode != 0:
                return 999
        return float(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("edit")
    parser.add_argument("--keep", action="store_true", help="leave the scratch folders")
    parser.add_argument("--times", action="store_true", help="tell how long each part took")
    options = parser.parse_args()
    os.umask(0o022)
    start = time.monotonic()
    check = Check(os.path.abspath(options.edit), options.keep)
    # The longest come first, so that all cores have work to the end.
    tasks = [check.anew, check.library]
    for name, part, action in r.READING + r.WRITING:
        if not part or "library" not in part:
            tasks.append(lambda name=name, part=part, action=action: check.notes(name, part, action))
    tasks += [check.again, check.stale, check.reverted, check.sound]
    def done(task):
        begin = time.monotonic()
        problems = list(task())
        return problems, time.monotonic() - begin

    problems = list(check.unharmed())
    if problems:
        finish(check, problems, start)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for task, (found, seconds) in zip(tasks, pool.map(done, tasks)):
            problems += found
            if options.times:
                print(f"{seconds:6.1f} s {getattr(task, '__name__', task)}")
    finish(check, problems, start)


def finish(check, problems, start):
    for line in problems:
        # Names of photos may have any bytes.
        print(line.encode("utf-8", "backslashreplace").decode())
    if not check.exact:
        print("note: this machine's codecs are not those of the recording; pictures may differ by one code, "
              "and hashes of renders and sidecars were not compared")
    print(f"recorded with {check.about['commit']}: {check.count} comparisons, {len(problems)} problems, "
          f"{time.monotonic() - start:.0f} s")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
