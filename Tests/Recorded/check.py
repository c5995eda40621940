#!/usr/bin/env python3
"""Checks that the program reads, renders and goes on with what the version before it left behind.

    check.py EDIT [--before OLD] [--keep]

EDIT is the program. `set` holds photos, sidecars, renders and a library that an earlier version wrote,
`expected` what that version said and did with them. Both are compared, exactly but for the spelling
table in recorded.py; members that are new in JSON are allowed, and so are other words where the program
speaks to people: messages, advice and descriptions. A later version upgrades the catalog when it opens it,
and its first scan reads what an earlier one did not keep; that is done before the comparison. With
--before the earlier version's program must also understand what EDIT leaves behind. Needs vips.
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
import urllib.parse

import recorded as r

# Commands that change something when they are given again; the automatic adjustments are chosen otherwise since.
NO_EDIT_AGAIN = ("undo", "rotate", "flip", "sync", "auto")

# What the program says to people, who understand it in other words too: members of JSON, messages, and
# lines of commands that print sentences. Of such lines only the first word must be the same.
PROSE = (".message", ".hint", ".summary")
SENTENCES = (": adjustments", ": verify .")


def is_prose(do, where):
    return where.endswith(PROSE) or where.startswith(".err[") or \
        where.startswith(".out[") and "--json" not in do and any(words in do for words in SENTENCES)


# Values that later versions call misuse: one out of its range, and a name that no version may have.
MISUSES = ("-hue 500 f.jpg", "version save bad name --json two.jpg")


def differences(expected, actual, where="", do=""):
    """What is not as expected. Spelling may differ, and objects may have more members."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        members = {r.spelled(key): value for key, value in actual.items()}
        for key, value in expected.items():
            if r.spelled(key) not in members:
                yield f"{where}.{key} is missing"
            else:
                yield from differences(value, members[r.spelled(key)], f"{where}.{key}", do)
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            yield f"{where} has {len(actual)} entries, not {len(expected)}: {short(actual)}"
            return
        for number, (one, two) in enumerate(zip(expected, actual)):
            yield from differences(one, two, f"{where}[{number}]", do)
    elif isinstance(expected, str) and isinstance(actual, str):
        if ": library changes --now" in do and where.startswith(".out["):
            # The scan that upgrades the catalog is one change more.
            expected, actual = expected.rpartition("-")[0], actual.rpartition("-")[0]
        # Later versions spell out bytes that are no text.
        actual = re.sub(r"\\x[0-9A-F]{2}", "\ufffd", actual)
        # Columns are as wide as their words.
        count = (0 if where.endswith(PROSE) else 1) if is_prose(do, where) else None
        if r.spelled(expected).split()[:count] != r.spelled(actual).split()[:count]:
            yield f"{where} is {short(actual)}, not {short(expected)}"
    elif where == ".exit" and do.endswith(MISUSES) and (expected, actual) == (1, 64):
        return
    elif expected != actual or type(expected) is not type(actual):
        yield f"{where} is {short(actual)}, not {short(expected)}"


# Tables that a command on photos may bring up to date: it reads again what it was given, and the version
# before kept no descriptions.
READ_AGAIN = ("asset", "change", "changedObject", "sqlite_sequence", "dayTally")


# Renders whose color profile has its proper name since: other bytes and the same pixels.
OTHER_PROFILE = ("formats/cmyk", "formats/gray-profile")

# Renders elsewhere that are packed by Safelight itself since, with the same pixels, which `notes` compares with those
# of the TIFFs; and one that is made smaller by averages of light.
OTHER_PACKING = ("png/", "original.png", "both.png")
OTHER_SIZE = ("small.jpg",)


# Filters and adjustments that have a later version since, which gives other pixels to new edits: black and white,
# saturation and the curves of some looks weigh luminance, hue and the color mixer turn hues as they are seen, exposure
# has a shoulder, highlights, shadows and clarity are local, noise reduction measures noise, grain belongs to the
# picture, and turned pictures are interpolated by a sinc. What was stored with the earlier versions still renders with
# the same bytes; `stale` compares that for all of them.
LATER_FILTERS = ("noir", "mono", "tonal", "silvertone", "sepia", "vivid", "chrome", "dramatic", "dramatic-cool")
LATER_OPTIONS = ("--black-and-white", "--saturation", "--exposure", "--highlights", "--shadows", "--hue",
                 "--color-mixer", "--colour-mixer", "--tone-curve", "--straighten", "--perspective", "--clarity",
                 "--noise-reduction", "--grain")
LATER_COMMANDS = ("straighten",)
LATER_LISTS = ("filters --json", "adjustments --json", "adjustments", "adjustments noise-reduction-colour",
               "filters dramatic-cool --json")

# New renders follow their originals in quality and in the resolution of color. No renderer was recorded of the start of
# some photos, so that their renders of it are new ones, and their sidecars then name such a render as the one before.
RENDERS_OF_THE_START = ("unknown/adjustment_edited.jpg", "unknown/newer_edited.jpg", "history/half_edited.jpg")
AFTER_THE_START = ("versions/present.jpg.aae", "own/harbor.jpg.aae", "own/weaker.jpg.aae", "unknown/adjustment.jpg.aae",
                   "unknown/keys.jpg.aae", "unknown/newer.jpg.aae", "history/half.jpg.aae")

# What a sidecar says of the bytes of a render, or of a base that was one.
NEW_RENDER = re.compile(r"<integer>\d+</integer>\s*<key>sha256</key>\s*<string>\w+</string>(?=\s*<key>pixelWidth)"
                        r"|(?<=_base.jpg</string>)\s*<key>size</key>\s*<integer>\d+</integer>"
                        r"\s*<key>sha256</key>\s*<string>\w+</string>"
                        r"|<key>replaces</key>\s*<string>\w+</string>")

# Photos whose edits are undone to the original have no render since, and do not count as edited.
UNDONE = re.compile(r": (undo|history) .*--json .*: (\.out\[0\]\.rendered|\w+_edited\.jpg) is missing$"
                    r"|photos/(history|versions): show [^-].*\.out has \d+ entries, not \d+: "
                    r"|\.hasAdjustments is false, not true$|list --where hasAdjustments = 1 .* has \d+ entries, not \d+: "
                    r"|: library album list .*(\.count is \d+, not \d+$|Edited +\d+\", not )"
                    r"|^stale: (history/all|versions/undone)(_edited)?\.jpg"
                    r"|^anew: other files: \['history/all_edited.jpg', 'versions/undone_edited.jpg'\]$")

# Renders say since in their XMP which edit they show: one that is made again has other bytes and the same pixels, which
# `stale` compares, and its record another hash.
IDENTITY = re.compile(r"^(stale|back-and-forth|moved|edits): .*(_edited\S*\.jpg has other bytes|\.aae holds something else)$"
                      r"|has other bytes; pixels differ by up to 0(\.0)? codes$")

# Lists come since by the cameras' clocks, and photos without a date have that of their file: what is listed is compared,
# and not its order or date.
CLOCK = r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?( UTC| [+-]\d\d:\d\d)?"
LISTED = re.compile(rf"^(\s+\d+\s+)?(no date|{CLOCK})\s+|(?<=, taken ){CLOCK}")


def as_listed(note):
    """An answer of `library list` without its order and dates, and with names as they are."""
    out = note.get("out")
    if isinstance(out, list):
        lines = [LISTED.sub("", re.sub(r"\$'([^']*)'", r"\1", line)) if isinstance(line, str) else
                 {key: value for key, value in line.items() if "Date" not in key} if isinstance(line, dict) else line
                 for line in out]
        is_list = " list" in note["do"] or "--where" in note["do"] or "--album" in note["do"]
        note["out"] = sorted(lines, key=lambda line: json.dumps(line.get("path", line.get("photo", line))
                                                                if isinstance(line, dict) else
                                                                line.split("/tmp/")[-1])) if is_list else lines


# Pictures of 8 bits, made elsewhere, that are dithered since, where an edit makes gradients finer than the codes.
DITHERED = ("adjustments/blur.jpg", "formats/", "geometry/all.jpg", "tiff/", "webp/")


class LaterEdits:
    """The photos, and saved filters, to which commands gave an edit of a later version, by their folders."""

    def __init__(self):
        self.names = {}

    def made_by(self, do):
        """Whether a command makes such an edit, or speaks of a photo that has one. Remembers it."""
        place, _, command = do.partition(" | ")[2].partition(": ")
        names = self.names.setdefault(place, set())
        words = command.split()
        is_later = makes_later(words) or any(word in names for word in words)
        if is_later and words[0] in ("adjust", "apply", "sync", "filters", *LATER_COMMANDS):
            names |= {word.removeprefix("./") for word in words
                      if "." in word or words[words.index(word) - 1] == "save"}
        return is_later

    def has(self, do, file):
        """Whether a file belongs to a photo with such an edit; a name with spaces is known by its last word."""
        place = do.partition(" | ")[2].partition(": ")[0]
        name = urllib.parse.unquote(file, errors="surrogateescape").encode("utf-8", "backslashreplace").decode()
        photo = name.removesuffix(".aae").partition("_edited")[0].split()[-1]
        return any(photo in (known, pathlib.Path(known).stem) for known in self.names.get(place, ()))


def makes_later(words):
    """Whether a command makes an edit of a later version."""
    return any(word in LATER_FILTERS + LATER_COMMANDS or word.startswith(LATER_OPTIONS) for word in words)


def made_later(path, steps):
    """Whether any of a photo's edits was of a later version, if it were made today."""
    return any(not callable(step) and makes_later(step) for step in steps) or \
        path.startswith("geometry/auto") or path.endswith("synced.jpg")


def is_new_output(notes, do, file):
    """Whether other bytes of a file come from the encoding and dithering of renders that no earlier version made."""
    place = do.partition(" | photos/")[2].partition(":")[0]
    return notes == "back-and-forth" and f"{place}/{file}" in RENDERS_OF_THE_START + AFTER_THE_START \
        or notes == "renders" and file.startswith(DITHERED) or notes == "british"


def library_content():
    """The catalog's rows and the bytes of its export: SQLite may arrange a file's pages anew."""
    content = {path.name: path.read_bytes() for path in r.LIBRARY.glob("*.*json")}
    with contextlib.closing(sqlite3.connect(r.LIBRARY / "catalogue.sqlite")) as catalog:
        tables = catalog.execute("SELECT name FROM sqlite_master WHERE type = 'table' "
                                 "AND name NOT LIKE 'nameIndex%' ORDER BY 1").fetchall()
        for table in {name for (name,) in tables} - set(READ_AGAIN):
            content[table] = sorted(map(repr, catalog.execute(f'SELECT * FROM "{table}"')))
    return content


def short(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 300 else text[:300] + "…"


def files_differ(expected, actual, exact, made_anew):
    """What is not as expected of a folder's files."""
    for name in sorted(set(expected) | set(actual)):
        one, two = expected.get(name), actual.get(name)
        if one is None or two is None:
            yield f"{name} is {'too much' if one is None else 'missing'}"
        # Files of a private original are private since.
        elif int(two["mode"], 8) & ~int(one["mode"], 8):
            yield f"{name} has the mode {two['mode']}, not {one['mode']}"
        elif name.startswith(OTHER_PROFILE) or "both.png" in actual and name.startswith(OTHER_PACKING + OTHER_SIZE):
            continue
        elif "stored" in one:
            # The hash of a render stands in its sidecar.
            kind = "spelled" if made_anew else "stored"
            if exact and one[kind] != two.get(kind):
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
                self.upgrade(scan=name == "library-changed")
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
        later = LaterEdits()
        for one, two in zip(expected, room.notes):
            self.count += 1
            files, now = one.pop("files", {}), two.pop("files", {})
            for note in (one, two):
                as_listed(note)
            words = one["do"].split()
            is_later = later.made_by(one["do"])
            for text in differences(one, two, do=one["do"]):
                if is_later and re.search(r"\.version is \d+, not \d+$", text):
                    continue
                if not (text.startswith((".out[", ".out has")) and one["do"].endswith(LATER_LISTS)):
                    yield f"{name}: {one['do']}: {text}"
            # Undo, redo and versions only move what is stored; there not even the spelling changes.
            for text in files_differ(files, now, self.exact, name not in ("back-and-forth", "moved")):
                is_other = text.endswith((" has other bytes", " holds something else"))
                file = text.removesuffix(" has other bytes").removesuffix(" holds something else")
                if not (is_other and (makes_later(words) or file == "sheet.png" or later.has(one["do"], file)
                                      or is_new_output(name, one["do"], file))):
                    yield f"{name}: {one['do']}: {text}"

    def upgrade(self, scan):
        """Lets the program bring a catalog of the version before up to date."""
        for words in [["library", "list", "--count"]] + ([["library", "scan"]] if scan else []):
            subprocess.run([self.edit, *words, "--library", str(r.LIBRARY)], capture_output=True)

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
            if len(gone) < 80:
                yield f"stale: only {len(gone)} renders were there"
            for render in gone:
                self.count += 1
                yield from self.same_picture(room.folder / "recorded" / render, room.folder / "photos" / render,
                                             f"stale: {render}")
            before, after = (room.state(place) for place in ("recorded", "photos"))
            # A record that is written anew has its unknown keys at the end.
            for state in (before, after):
                del state["unknown/keys.jpg.aae"]
            for text in files_differ(before, after, self.exact, False):
                yield f"stale: {text}"
            failed = [one["photo"] for one in answer["out"]
                      if one["status"] == "failed" and "unknown/" not in one["photo"]]
            if failed:
                yield f"stale: failed for {failed}"

    def like_picture(self, expected, actual, where):
        """A new render follows its original, and may be dithered: on the mean its pixels are those of the earlier."""
        if (mean := pixels_apart(expected, actual, "avg")) > 5:
            yield f"{where}: pixels differ by {mean:.2f} codes on the mean"

    def same_picture(self, expected, actual, where):
        if not actual.exists():
            yield f"{where} was not made"
        elif expected.read_bytes() != actual.read_bytes():
            worst = pixels_apart(expected, actual)
            same_bytes = self.exact and not where.partition(": ")[2].startswith(OTHER_PROFILE)
            if same_bytes or worst > (0 if self.exact else 1):
                yield f"{where} has other bytes; pixels differ by up to {worst} codes"

    def anew(self):
        """The same commands on fresh photos give renders that look the same, and the same sidecars but for the render's
        size and hash."""
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
            later = {path for path, material, steps in r.recipe() if made_later(path, steps)}
            stems = {str(pathlib.Path(path).with_suffix("")) for path in later}

            def is_later(path):
                return str(path).removesuffix(".aae") in later or str(path).partition("_edited")[0] in later | stems

            expected, actual = (
                {path.relative_to(room.folder / place): path
                 for path in (room.folder / place).rglob("*") if path.is_file() and "problems" not in path.parts}
                for place in ("recorded", "photos"))
            if set(expected) != set(actual):
                yield f"anew: other files: {sorted(map(str, set(expected) ^ set(actual)))}"
            for path in sorted(set(expected) & set(actual)):
                if is_later(path):
                    continue
                if path.suffix == ".aae":
                    if self.exact and not str(path).startswith(OTHER_PROFILE):
                        yield from self.same_sidecar(room, expected[path], actual[path])
                elif "_edited" in path.name:
                    yield from self.like_picture(expected[path], actual[path], f"anew: {path}")

    def same_sidecar(self, room, expected, actual):
        one, two = expected.read_bytes(), actual.read_bytes()
        if not one.startswith(b"<?xml") or one == two:
            return
        # All dates go, those of the recorded one too.
        texts = [NEW_RENDER.sub("", r.DATE.sub("DATE", r.spelled(room.sidecar(text)))) for text in (one, two)]
        lines = [[line.replace("DATEZ", "DATE") for line in text.split("\n")] for text in texts]
        if lines[0] != lines[1]:
            changed = [line for line in difflib.unified_diff(*lines, n=0, lineterm="")][2:]
            yield f"anew: {actual.parent.name}/{actual.name}: " + " ".join(changed)[:600]

    def again(self):
        """The edit that a photo has already changes nothing."""
        with self.room("photos") as room:
            # The first time, a render that an earlier version made becomes one that follows its original.
            list(self.last_edits(room))
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
            # A filter's later version is another edit; the same parameter of an adjustment is none.
            if group in ("problems", "unknown") or callable(last) or last[0] in NO_EDIT_AGAIN \
                    or "--add" in last or last[0] == "apply" and last[1] in LATER_FILTERS:
                continue
            lines = [last]
            if self.american() and [r.spelled(word) for word in last] != last:
                lines.append([r.spelled(word) for word in last])
            if group in r.PLAIN:
                jobs.setdefault(group, []).extend((name, words) for words in lines)
                continue
            for words in lines:
                answer = room.run(f"photos/{group}", *r.command(words + ["--json"], name))
                yield from self.unchanged(path, words, answer["out"][0] if answer["out"] else answer)
        for group, photos in jobs.items():
            for (name, words), answer in zip(photos, r.as_jobs(room, f"photos/{group}", photos)):
                yield from self.unchanged(f"{group}/{name}", words, answer)

    def unchanged(self, path, words, answer):
        self.count += 1
        if answer.get("status") != "unchanged":
            yield f"again: {path}: {' '.join(words)}: {short(answer)}"

    def american(self):
        if not hasattr(self, "_american"):
            with r.scratch() as folder:
                answer = r.Room(self.edit, folder).run(".", "adjustments", "color-mixer")
                self._american = answer["exit"] == 0
        return self._american

    def both_spellings(self):
        """American names give the pictures that British ones gave."""
        if not self.american():
            return
        with self.room("photos") as room:
            (room.folder / "fresh").mkdir()
            for name, words in r.ADJUSTMENTS.items():
                if "colour" not in words:
                    continue
                photo = room.folder / "fresh" / f"{name}.jpg"
                shutil.copyfile(r.MATERIAL / "small.jpg", photo)
                room.run("fresh", *[r.spelled(word) for word in r.adjust(name)], "--quality", "70",
                         photo.name)
                self.count += 1
                if not makes_later(r.adjust(name)):
                    yield from self.like_picture(room.folder / f"photos/adjustments/{name}_edited.jpg",
                                                 room.folder / f"fresh/{name}_edited.jpg", f"American: {name}")
                answer = room.run("fresh", "adjust", "--json", *r.adjust(name)[1:], "--quality", "70",
                                  photo.name)
                if [one["status"] for one in answer["out"]] != ["unchanged"]:
                    yield f"American: {name}: British words are not the same edit: {short(answer)}"

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

    def before_reads(self, old):
        """The version before understands what this one leaves, where no name is new."""
        with self.room("photos") as room:
            shutil.rmtree(room.folder / "photos/problems")
            for place, words in (("history", ["redo", "half.jpg"]), ("history", ["undo", "all.jpg", "forked.jpg"]),
                                 ("versions", ["version", "use", "mixed", "two.jpg"]),
                                 ("versions", ["version", "save", "new", "undone.jpg"]),
                                 ("filters", ["apply", "noir", "mono.jpg"]),
                                 ("names", ["apply", "noir", "-r", "."]),
                                 ("foreign", ["adjust", "--exposure", "0.4", "over-sketch.jpg", "taken-over.jpg"])):
                answer = room.run(f"photos/{place}", *words)
                if answer["exit"] != 0:
                    yield f"before: {words}: {answer}"
            shown = ["show", "--json", "history/half.jpg", "versions/two.jpg", "filters/mono.jpg",
                     "foreign/over-sketch.jpg", "foreign/taken-over.jpg", "names/taken.jpg"]
            new = room.run("photos", *shown)
            room.edit = old
            for text in differences(room.run("photos", *shown), new):
                yield f"before: {text}"
            for place, words in (("", ["verify", "-r", "."]), ("history", ["redo", "half.jpg", "all.jpg"]),
                                 ("versions", ["version", "use", "dark.2", "two.jpg"]),
                                 ("filters", ["undo", "mono.jpg"]), ("foreign", ["undo", "taken-over.jpg"]),
                                 ("names", ["revert", "--versions", "-r", "."])):
                answer = room.run(f"photos/{place}", *words)
                self.count += 1
                if answer["exit"] != 0:
                    yield f"before: {words}: {answer}"
        with self.room("library") as room:
            r.change_library(room)
            # A deleted album's photos stay in the export, and verify says so; that was so before.
            r.ask(room, "verify", "--fix")
            new = [r.ask(room, *words) for words in r.ASK]
            room.edit = old
            for words, answer in zip(r.ASK, new):
                self.count += 1
                for text in differences(r.ask(room, *words), answer):
                    yield f"before: library {words}: {text}"
            if r.ask(room, "verify")["exit"] != 0:
                yield "before: library verify"

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
    parser.add_argument("--before", help="the earlier version's program, where there is one")
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
    tasks += [check.again, check.stale, check.reverted, check.both_spellings, check.sound]
    if options.before:
        def before():
            with r.fixed_place():
                yield from check.before_reads(os.path.abspath(options.before))
        tasks.append(before)

    def done(task):
        begin = time.monotonic()
        problems = list(task())
        return problems, time.monotonic() - begin

    problems = list(check.unharmed())
    if problems:
        finish(check, problems, start)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for task, (found, seconds) in zip(tasks, pool.map(done, tasks)):
            problems += [text for text in found if not UNDONE.search(text) and not IDENTITY.search(text)]
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
