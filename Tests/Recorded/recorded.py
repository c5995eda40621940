"""What make.py and check.py share: the photos and how they were edited, where they are laid out, what is
done with them, and how two answers of the program are compared.

Everything goes through the program `edit`, so names inside the library may change freely.
"""

import base64
import contextlib
import fcntl
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
MATERIAL = HERE / "material"
SET = HERE / "set"
EXPECTED = HERE / "expected"

# The catalog keeps the absolute paths of its folders, so its photos must always lie at the same place.
FIXED = pathlib.Path("/tmp/safelight-recorded")
LIBRARY = FIXED / "library"

# ---- The photos, and what was done with each. ----

FILTERS = ["noir", "mono", "fade", "vivid-warm", "dramatic-cool"]

# Every adjustment but the filters and lookup tables, which `apply` sets.
ADJUSTMENTS = {
    "rotate": "--rotate 90",
    "flip": "--flip-horizontal yes",
    "noise-reduction": "--noise-reduction-luminance 30 --noise-reduction-color 60",
    "deblur": "--deblur 40",
    "dehaze": "--dehaze 40",
    "white-balance": "--temperature 5200 --tint 12",
    "exposure": "--exposure 0.7",
    "tone-equalizer": "--tone-equalizer-shadows 0.8 --tone-equalizer-whites -0.4",
    "highlights-shadows": "--highlights -40 --shadows 35",
    "whites-blacks": "--whites 20 --blacks -15",
    "brightness": "--brightness 20",
    "contrast": "--contrast 30",
    "gamma": "--gamma 1.3",
    "levels": "--levels-black 12 --levels-white 240 --levels-red-gamma 1.2",
    "tone-curve": "--tone-curve 0,0/0.5,0.6/1,1 --tone-curve-blue 0,0.1/1,0.9",
    "channel-mixer": "--channel-mixer-red 0.8,0.1,0.1",
    "color-mixer": "--color-mixer-red-hue 20 --color-mixer-blue-saturation -40 "
                    "--color-mixer-orange-luminance 25",
    "hue": "--hue 25",
    "vibrance": "--vibrance 45",
    "saturation": "--saturation -35",
    "color-grading": "--color-grading-shadows-hue 210 --color-grading-shadows-saturation 40 "
                      "--color-grading-global-hue 35 --color-grading-global-saturation 15",
    "black-and-white": "--black-and-white 100 --black-and-white-red 30 --black-and-white-toning 20",
    "clarity": "--clarity 40",
    "sharpen": "--sharpen 60 --sharpen-radius 1.5",
    "blur": "--blur 1.5",
    "glow": "--glow 40",
    "fade": "--fade 30",
    "invert": "--invert 100",
    "posterize": "--posterize 6",
    "perspective": "--perspective-vertical -20 --perspective-horizontal 10",
    "straighten": "--straighten 3",
    "crop": "--crop-x 0.1 --crop-y 0.2 --crop-width 0.7 --crop-height 0.6",
    "vignette": "--vignette -50 --vignette-midpoint 40",
    "grain": "--grain 50 --grain-seed 7",
}

# The adjustments that have photos of their own; the others share some.
ALONE = ["color-mixer", "color-grading", "noise-reduction", "vibrance", "hue"]
SHARED = {
    "light": ["white-balance", "exposure", "tone-equalizer", "highlights-shadows", "whites-blacks", "brightness",
              "contrast", "gamma", "levels", "tone-curve"],
    "color": ["channel-mixer", "saturation", "black-and-white", "fade", "invert", "posterize"],
    "detail": ["deblur", "dehaze", "clarity", "sharpen", "blur", "glow", "vignette", "grain"],
    "geometry": ["rotate", "flip", "perspective", "straighten", "crop"],
}

COLORFUL = ["--color-mixer-green-hue", "30", "--color-grading-midtones-hue", "40",
            "--color-grading-midtones-saturation", "30", "--noise-reduction-color", "35"]
STEPS = ["exposure", "color-mixer", "white-balance", "color-grading", "noise-reduction", "crop"]

# What later versions say at the end of a batch.
SUMMARY = re.compile(r"^edit: \d+ photos( in a dry run)?: \d+ .*\n(  .*\n?)*", re.MULTILINE)

FORMATS = ["turned.jpg", "gray.jpg", "p3.jpg", "cmyk.jpg", "exif-gps-makernote.jpg", "alpha.png", "sixteen-bit.tif",
           "lossy.webp", "photo.heic"]


def adjust(*names):
    return ["adjust", *[word.replace("/", " ") for name in names for word in ADJUSTMENTS[name].split()]]


def put(material, name):
    """Another program's file, there before the edit."""
    def action(folder, photo):
        shutil.copy2(MATERIAL / material, folder / name)
    action.before = True
    return action


def rewritten(change):
    """The sidecar with another text, as a newer version or another program would have written it."""
    def action(folder, photo):
        sidecar = folder / (photo + ".aae")
        sidecar.write_text(change(sidecar.read_text()))
    return action


def unknown_keys(text):
    text = text.replace("\t<key>safelight</key>\n\t<dict>", """\t<!-- written by a newer program -->
\t<key>zoneSystem</key>
\t<dict><key>stops</key><real>1.500</real><key>zones</key><array><integer>0x1F</integer><true/>
\t</array><key/><string>&#x73;ea &amp; <![CDATA[sand]]></string></dict>
\t<key>safelight</key>\n\t<dict>\n\t\t<key>colorOfTheDay</key>\n\t\t<string>gray</string>""", 1)
    assert "zoneSystem" in text and "colorOfTheDay" in text
    return text


def with_data(change):
    """Another content of the present edit's data."""
    def changed(text):
        pattern = re.compile(r"(<key>adjustmentData</key>\s*<data>)([^<]*)(</data>)")
        data = base64.b64decode(pattern.search(text).group(2)).decode()
        new = base64.b64encode(change(data).encode()).decode()
        return pattern.sub(lambda found: f"{found[1]}\n\t{new}\n\t{found[3]}", text, count=1)
    return changed


def unknown_adjustment(data):
    stack = json.loads(data)
    stack["adjustments"].append(
        {"id": "color-zones", "version": 3, "color": "sea green", "strength": 0.25})
    return json.dumps(stack, separators=(",", ":"))


def newer_adjustment(data):
    stack = json.loads(data)
    stack["adjustments"][0].update(version=9, reach="far")
    return json.dumps(stack, separators=(",", ":"))


def third_party(text):
    """The edit of a program that uses the library under its own identifier."""
    text = with_data(lambda data: "strokes: 12 / 40 / 7")(text)
    for key, value in [("adjustmentEditorBundleID", "com.example.sketch"),
                       ("adjustmentFormatIdentifier", "com.example.sketch"),
                       ("adjustmentFormatVersion", "2.5")]:
        text = re.sub(rf"(<key>{key}</key>\s*<string>)[^<]*", rf"\g<1>{value}", text, count=1)
    return re.sub(r"(<key>renderer</key>\s*<string>)[^<]*", r"\g<1>com.example.sketch", text, count=1)


def retouched(folder, photo):
    with open(folder / "retouched_edited.jpg", "ab") as file:
        file.write(b"by another program")


def remove(name):
    return lambda folder, photo: (folder / name).unlink()


def stray(folder, photo):
    (folder / "stray.jpg.aae").unlink()


def recipe():
    """(folder/name, material, steps): a step is a command without the photo, or a function."""
    photos = []
    for number, name in enumerate(FILTERS):
        strength = [] if number % 2 == 0 else ["--intensity", "0.6"]
        photos.append((f"filters/{name}.jpg", "small.jpg", [["apply", name, *strength]]))
    for name, names in {**{name: [name] for name in ALONE}, **SHARED}.items():
        # Not the usual quality, which also keeps the set small.
        photos.append((f"adjustments/{name}.jpg", "small.jpg", [adjust(*names) + ["--quality", "70"]]))
    for name in FORMATS:
        photos.append((f"formats/{name}", name, 
                       [["apply", "vivid"], ["adjust", "--quality", "80", *COLORFUL]]))

    def add(path, *steps, material="small.jpg"):
        photos.append((path, material, list(steps)))

    add("tables/cube.jpg", ["apply", "@warm.cube"])
    add("tables/curves.jpg", ["apply", "@soft.cube", "--intensity", "0.7"])
    add("tables/shaper.jpg", ["apply", "@shaped.cube"])
    add("tables/hald.jpg", ["apply", "@hald-warm.png"])

    add("geometry/aspect.jpg", ["crop", "--aspect", "1:1", "--gravity", "right"])
    add("geometry/pixels.jpg", ["crop", "--rect", "8,4,40,30px"])
    add("geometry/angle.jpg", ["straighten", "-4"])
    add("geometry/quarter.jpg", ["rotate", "left"], material="turned.jpg")
    add("geometry/mirror.jpg", ["flip", "vertical"], material="turned.jpg")
    add("geometry/all.jpg", adjust("perspective"), ["straighten", "2.5"], ["rotate", "right"],
        ["crop", "--aspect", "4:3"], adjust("vignette"), ["apply", "noir"], material="turned.jpg")
    add("geometry/quality.jpg", ["apply", "sepia", "--quality", "60"])
    add("geometry/auto.jpg", ["auto"])

    add("own/harbor.jpg", ["apply", "@harbor.json"])
    add("own/weaker.jpg", ["apply", "@harbor.json", "--intensity", "0.4"])
    add("own/added.jpg", ["apply", "fade"], ["apply", "@harbor.json", "--add"],
        ["apply", "@warm.cube", "--add"], ["adjust", *COLORFUL])

    add("history/half.jpg", *[adjust(name) for name in STEPS], ["undo", "--steps", "3"])
    add("history/all.jpg", ["apply", "noir"], adjust("color-mixer"), ["undo", "--steps", "2"])
    add("history/forked.jpg", ["apply", "chrome"], adjust("color-grading"), ["undo"],
        adjust("noise-reduction"))
    add("history/synced.jpg", ["apply", "mono"], ["sync", "--from", "forked.jpg"])

    add("versions/two.jpg", adjust("color-mixer"), ["version", "save", "mixed"],
        ["apply", "noir"], ["version", "save", "Dark.2"], adjust("color-grading"))
    add("versions/present.jpg", ["apply", "instant"], ["version", "save", "instant"], material="turned.jpg")
    add("versions/undone.jpg", adjust("noise-reduction"), ["version", "save", "smooth"],
        ["apply", "sepia"], ["undo", "--steps", "2"])

    add("foreign/taken-over.jpg", put("apple.aae", "taken-over.jpg.aae"), ["apply", "noir"],
        adjust("color-mixer"))
    add("foreign/untouched.jpg", put("apple.aae", "untouched.jpg.aae"))
    add("foreign/sketch.jpg", adjust("exposure"), rewritten(third_party))
    add("foreign/over-sketch.jpg", adjust("color-grading"), rewritten(third_party), adjust("contrast"))

    add("unknown/keys.jpg", adjust("color-mixer"), rewritten(unknown_keys))
    add("unknown/keys-undone.jpg", adjust("color-mixer"), rewritten(unknown_keys), ["apply", "noir"],
        ["undo"])
    add("unknown/adjustment.jpg", adjust("exposure"), rewritten(with_data(unknown_adjustment)))
    add("unknown/newer.jpg", adjust("exposure"), rewritten(with_data(newer_adjustment)))

    add("names/a b.jpg", ["apply", "fade"])
    add("names/caf\udce9.jpg", ["apply", "fade"])
    add("names/\u00fcn\u00ef \u6d77 100%.jpg", ["apply", "fade"], ["version", "save", "One"])
    add("names/-dash.jpg", ["apply", "fade"])
    add("names/two.dots.JPG", ["apply", "fade"])
    add("names/taken.jpg", put("gray.jpg", "taken_edited.jpg"), ["apply", "fade"])
    add("names/same.jpg", ["apply", "fade"])
    add("names/same.png", ["apply", "noir"], material="alpha.png")

    add("problems/retouched.jpg", ["apply", "fade"], retouched)
    add("problems/missing.jpg", ["apply", "fade"], remove("missing_edited.jpg"))
    add("problems/orphan.jpg", ["apply", "fade"], remove("orphan.jpg"))
    add("problems/stray.jpg", ["apply", "fade"], stray)
    add("problems/changed.jpg", ["apply", "fade"],
        lambda folder, photo: shutil.copyfile(MATERIAL / "gray.jpg", folder / photo))
    return photos


def groups():
    found = {}
    for path, material, steps in recipe():
        group, name = path.split("/")
        found.setdefault(group, []).append(name)
    return found


def fresh(folder, path, material, steps):
    """The photo as it is before its first edit, with what other programs have put there."""
    group, name = path.split("/")
    place = folder / group
    place.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(MATERIAL / material, place / name)
    for step in steps:
        if getattr(step, "before", False):
            step(place, name)
    return place, name


def as_jobs(room, place, photos):
    """Commands on photos through one worker, which spares many starts of the program."""
    jobs = "".join(json.dumps({"photo": name, "command": command(words, "")[:-1]}) + "\n"
                   for name, words in photos)
    answers = room.run(place, "worker", input=jobs.encode())["out"]
    return answers if len(answers) == len(photos) else [{"status": f"no answer: {answers}"}] * len(photos)


# Groups of photos that differ in nothing but their edits.
PLAIN = ("filters", "adjustments", "formats", "tables", "geometry")


def command(words, name):
    """A step's command line for a photo; @ stands for the folder of the materials."""
    words = [str(MATERIAL / word[1:]) if word.startswith("@") else word for word in words]
    return [*words, "./" + name if name.startswith("-") else name]


# ---- A scratch folder, and what the program says and does in it. ----

ENVIRONMENT = {"PATH": os.environ["PATH"], "TZ": "UTC", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
DATE = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)")
# Of albums and the like; the identifiers of photos follow from their paths.
IDENTIFIER = re.compile(r"\b[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\b|\b[0-9a-f]{32}(?=-\d)")
DATA = re.compile(r"<data>([^<]*)</data>")


class Room:
    """A folder of its own, in which the program is run and what it says is written down."""

    def __init__(self, edit, folder, known=()):
        self.edit, self.folder, self.known = edit, pathlib.Path(folder), known
        self.environment = dict(
            ENVIRONMENT, HOME=str(self.folder), XDG_DATA_HOME=str(self.folder / "data"))
        self.notes = []
        self.title = ""
        # Whether it counts what a sidecar took the place of, and what came with it; --stale writes that anew.
        self.linked = True

    def run(self, place, *words, input=None):
        """What the program answers, with nothing in it that may differ from run to run."""
        done = subprocess.run([self.edit, *words], cwd=self.folder / place, env=self.environment,
                              input=input, capture_output=True, timeout=120)
        out, err = (self.steady(text.decode("utf-8", "replace")) for text in (done.stdout, done.stderr))
        lines = [line for line in out.split("\n") if line]
        try:
            answers = [json.loads(line) for line in lines]
            for answer in answers:
                answer.pop("milliseconds", None)
        except (ValueError, AttributeError):
            answers = lines
        # Photos are worked on side by side, so their messages come in any order.
        return {"exit": done.returncode, "out": answers,
                "err": sorted(line for line in SUMMARY.sub("", err).split("\n") if line)}

    def steady(self, text):
        """Without places of this run, and without dates and identifiers that are not the recorded ones."""
        text = text.replace(str(self.folder), "SCRATCH").replace(str(MATERIAL), "MATERIAL")
        if self.known:
            text = DATE.sub(lambda date: date[0] if " ".join(date.groups()) in self.known else "DATE", text)
            text = IDENTIFIER.sub(lambda one: one[0] if one[0] in self.known else "NEW", text)
        return text

    def note(self, place, *words, state=False, input=None):
        """Runs the program and writes down the answer, and the files of the place where asked."""
        answer = self.run(place, *words, input=input)
        shown = " ".join(words).encode("utf-8", "backslashreplace").decode()
        entry = {"do": self.steady(f"{self.title} | {place}: {shown}"), **answer}
        if state:
            entry["files"] = self.state(place)
        self.notes.append(entry)
        return answer

    def state(self, place):
        """All files below a place: their modes and the hashes of their contents."""
        folder = self.folder / place
        found = {}
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            content = path.read_bytes()
            entry = {"mode": oct(path.stat().st_mode & 0o7777)}
            if path.suffix == ".aae" and content.startswith(b"<?xml"):
                entry["stored"] = digest(self.sidecar(content).encode())
            else:
                entry["hash"] = digest(content)
            found[plain(str(path.relative_to(folder)))] = entry
        return found

    def sidecar(self, content):
        """A sidecar's text with its data in the clear and without new dates."""
        def clear(found):
            data = base64.b64decode(found[1])
            try:
                return f"<data>{data.decode()}</data>"
            except UnicodeDecodeError:
                return f"<data>{digest(data)}</data>"
        text = DATA.sub(clear, content.decode())
        # It is the hash of a sidecar, whose dates may be new.
        text = re.sub(r"(<key>replacesRecord</key>\s*<string>)[0-9a-f]*", r"\1RECORD", text)
        if not self.linked:
            text = re.sub(r"\s*<key>replaces(Record)?</key>\s*<string>\w*</string>", "", text)
            text = re.sub(r"\s*<key>(newVersions|staged)</key>\s*<array(/>|>.*?</array>)", "", text, flags=re.DOTALL)
        return self.steady(text)


def digest(content):
    return hashlib.sha256(content).hexdigest()[:20]


def plain(name):
    """A file's name for JSON and for repositories: anything odd as %XX."""
    return urllib.parse.quote(os.fsencode(name), safe="/-")


def facts(folder):
    """Bytes, times, modes and places of all files and folders: what reading must leave alone."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        status = path.lstat()
        content = None
        if path.is_file():
            with open(os.open(path, os.O_RDONLY | os.O_NOATIME), "rb") as file:
                content = digest(file.read())
        # Only photos and renders are read without a trace.
        read = None if path.suffix == ".aae" or path.is_dir() else status.st_atime_ns
        found[plain(str(path.relative_to(folder)))] = (
            content, status.st_mode, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, read)
    return found


# ---- The recorded set. ----

def lay_out(part, folder, only=None):
    """Copies a part of the recorded set (photos, library) to a folder, under its true names."""
    manifest = json.loads((SET / "files.json").read_text())
    for stored, entry in manifest.items():
        if not stored.startswith(part + "/"):
            continue
        path = stored[len(part) + 1:]
        if only is not None and path.split("/")[0] not in only:
            continue
        target = pathlib.Path(folder) / os.fsdecode(urllib.parse.unquote_to_bytes(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(stored_content(stored, entry))
        target.chmod(int(entry["mode"], 8))
        os.utime(target, ns=(entry["time"], entry["time"]))


def stored_content(stored, entry):
    if "material" in entry:
        return (MATERIAL / entry["material"]).read_bytes()
    if entry.get("packed"):
        return gzip.decompress((SET / (stored + ".gz")).read_bytes())
    return (SET / stored).read_bytes()


def expected(name):
    return json.loads(gzip.decompress((EXPECTED / f"{name}.json.gz").read_bytes()))


def known_words():
    """Dates and identifiers that the recorded set itself holds; all others are new in each run."""
    known = set()
    texts = [gzip.decompress(file.read_bytes()).decode() for file in EXPECTED.glob("reading*.gz")]
    texts += [file.read_text(errors="replace") for file in SET.rglob("*.aae")]
    for text in texts:
        known.update(" ".join(date.groups()) for date in DATE.finditer(text))
        known.update(IDENTIFIER.findall(text))
    return known


def machine(folder):
    """What this machine's decoders, encoder and color conversion make of pictures, without Safelight."""
    found = {}
    for name in FORMATS:
        target = pathlib.Path(folder) / "machine.jpg"
        words = ["vips", "jpegsave", str(MATERIAL / name), str(target), "--Q=95", "--strip"]
        if name in ("cmyk.jpg", "p3.jpg"):
            raw = pathlib.Path(folder) / "machine.v"
            subprocess.run(["vips", "icc_transform", str(MATERIAL / name), str(raw), "srgb",
                            "--embedded", "--input-profile", "cmyk"], capture_output=True)
            words[2] = str(raw)
        done = subprocess.run(words, capture_output=True)
        found[name] = digest(target.read_bytes()) if done.returncode == 0 else "not read"
        target.unlink(missing_ok=True)
    return found


@contextlib.contextmanager
def scratch(keep=False):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="safelight-recorded-run-"))
    try:
        yield folder
    finally:
        if not keep:
            shutil.rmtree(folder)


@contextlib.contextmanager
def fixed_place():
    """The place of the library's photos; only one check uses it at a time."""
    with open(f"{FIXED}.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        mark = FIXED / "made-by-recorded-check"
        if FIXED.exists():
            if not mark.exists():
                raise SystemExit(f"{FIXED} is there and is not ours; the recorded library needs this place")
            shutil.rmtree(FIXED)
        FIXED.mkdir()
        mark.touch()
        try:
            yield FIXED
        finally:
            shutil.rmtree(FIXED)


# ---- What is done with the photos. ----

def read_photos(room):
    """Everything that only looks. Nothing may change by it."""
    room.title = "read"
    for group, names in groups().items():
        place = f"photos/{group}"
        photos = ["./" + name if name.startswith("-") else name for name in names]
        room.note(place, "show", "--json", *photos)
        room.note(place, "show", *photos)
        room.note(place, "history", *photos)
        # Elsewhere there is one edit for each photo, and `show` has told it.
        if group not in ("filters", "adjustments", "formats", "tables"):
            room.note(place, "history", "--json", *photos)
            room.note(place, "version", "list", "--json", *photos)
        room.note(place, "verify", "--json", ".")
        room.note(place, "verify", ".")
    room.note("photos", "show", "--histogram", "--json", "adjustments/color-mixer.jpg", "formats/p3.jpg")
    room.note("photos", "verify", "-r", "--quiet", "--json", ".")


def read_program(room):
    """What the program says of itself."""
    room.title = "program"
    for words in (["filters", "--json"], ["filters"], ["filters", "dramatic-cool", "--json"],
                  ["adjustments", "--json"], ["adjustments"],
                  ["adjustments", "color-mixer"], ["adjustments", "color-grading", "--json"],
                  ["adjustments", "noise-reduction-color"], ["adjustments", "color-mixer-red-hue"],
                  ["adjustments", "no-such"], ["filters", "no-such"]):
        room.note(".", *words)


def go_back_and_forth(room):
    """Undo, redo, history --to and versions; none of them makes a new edit."""
    room.title = "undo all, redo all"
    for group in ("history", "versions", "own", "unknown", "foreign"):
        place = f"photos/{group}"
        for name in groups()[group]:
            for words in (["undo"], ["undo", "--steps", "9"], ["redo"], ["redo", "--steps", "9"]):
                room.note(place, *words, "--json", name)
        room.note(place, "history", "--json", *groups()[group], state=True)
    room.title = "history --to"
    for number in (0, 6, 2, 5, 4, 7):
        room.note("photos/history", "history", "--to", str(number), "--json", "half.jpg", state=True)
    room.title = "versions"
    place = "photos/versions"
    for words in (["use", "mixed"], ["use", "dark.2"], ["save", "mixed"], ["save", "--replace", "mixed"],
                  ["remove", "Dark.2"], ["use", "none"], ["save", "bad name"]):
        room.note(place, "version", *words, "--json", "two.jpg", state=True)
    room.note(place, "version", "use", "smooth", "--json", "undone.jpg", state=True)
    room.note(place, "version", "remove", "smooth", "undone.jpg", state=True)


def render_elsewhere(room):
    """Pictures from stored edits, in files of their own."""
    room.title = "render -o"
    for group, names in groups().items():
        if group == "problems":
            continue
        room.folder.joinpath("out", group).mkdir(parents=True)
        photos = ["./" + name if name.startswith("-") else name for name in names]
        if group == "names":
            photos.remove("same.png")
        room.note(f"photos/{group}", "render", "--json", "-o", f"../../out/{group}", *photos)
    for format in ("png", "tiff", "webp"):
        room.folder.joinpath("out", format).mkdir()
        room.note("photos", "render", "--json", "--format", format, "-o", f"../out/{format}",
                  "formats/p3.jpg", "formats/turned.jpg", "formats/sixteen-bit.tif", "formats/gray.jpg",
                  "adjustments/color-mixer.jpg", "own/added.jpg", "geometry/all.jpg", "tables/cube.jpg")
    photo = "formats/exif-gps-makernote.jpg"
    room.note("photos", "render", "--longest-side", "100", "-o", "../out/small.jpg", photo)
    room.note("photos", "render", "--original", "-o", "../out/original.png", photo)
    room.note("photos", "compare", "-o", "../out/both.png", "geometry/quarter.jpg")
    room.note("photos", "filters", "--sheet", "formats/turned.jpg", "-o", "../out/sheet.png")
    room.note("out", "render", "-o", "small.jpg", "../photos/" + photo, state=True)


def edit_on(room):
    """New edits on top of recorded ones."""
    room.title = "edit on"
    place = "photos/adjustments"
    room.note(place, "adjust", "--json", "--color-mixer-red-hue", "0", "color-mixer.jpg")
    room.note(place, "adjust", "--json", "--color-grading-shadows-saturation", "10", "color-grading.jpg")
    room.note(place, "adjust", "--json", "--noise-reduction-color", "0", "noise-reduction.jpg")
    room.note(place, "apply", "--json", "--add", "fade", "color-mixer.jpg")
    room.note(place, "sync", "--json", "--from", "color-grading.jpg", "--only",
              "color-mixer,color-grading", "vibrance.jpg", "color-mixer.jpg")
    room.note(place, "sync", "--json", "--from", "color-mixer.jpg", "hue.jpg", state=True)
    for group in ("unknown", "foreign", "own", "history", "names"):
        names = ["./" + name if name.startswith("-") else name for name in groups()[group]]
        room.note(f"photos/{group}", "adjust", "--json", "--exposure", "0.3", *names)
        room.note(f"photos/{group}", "adjust", "--json", "--noise-reduction-color", "20", *names,
                  state=True)
        room.note(f"photos/{group}", "history", *names)
    room.note("photos/problems", "apply", "--json", "noir", "retouched.jpg", "missing.jpg", "changed.jpg",
              "stray.jpg", state=True)
    room.title = "filters of your own"
    room.note(place, "filters", "save", "mixed", "--from", "color-grading.jpg", "--json")
    room.note(place, "apply", "--json", "mixed", "fade.jpg", state=True)
    room.note(".", "filters", "mixed", "--json")


def find_moved(room):
    """relink, and what verify repairs."""
    room.title = "relink"
    # Photos of the same content without an edit would all be taken for the one that is looked for.
    shutil.rmtree(room.folder / "photos/problems")
    for folder, old, new in (("versions", "two.jpg", "names/moved away.jpg"),
                             ("history", "half.jpg", "history/other.jpg")):
        (room.folder / "photos" / folder / old).rename(room.folder / "photos" / new)
        room.note("photos", "verify", "-r", "--json", folder)
        room.note("photos", "relink", "--json", folder, "--in", ".")
        room.note("photos", "show", "--json", new)
    room.note("photos", "redo", "--json", "history/other.jpg")
    room.note("photos", "version", "use", "--json", "mixed", "names/moved away.jpg")
    room.note("photos", "verify", "-r", "--fix", "--json", ".", state=True)


def revert_all(room):
    """Back to the originals; versions stay until it is said that they shall go."""
    room.title = "revert"
    for group, names in groups().items():
        if group == "problems":
            continue
        photos = ["./" + name if name.startswith("-") else name for name in names]
        room.note(f"photos/{group}", "revert", "--json", *photos)
        if group in ("versions", "names"):
            room.note(f"photos/{group}", "revert", "--json", "--versions", *photos)
        room.note(f"photos/{group}", "show", "--json", *photos)


# ---- The photo library. ----

IN_LIBRARY = ["formats", "versions", "foreign", "history", "names"]
ITALY = "Trips/Italy"


def lay_out_library():
    """The photos, and the catalog as it was recorded, with the inodes that the photos have here."""
    for part in ("photos", "single", "library"):
        shutil.rmtree(FIXED / part, ignore_errors=True)
    lay_out("photos", FIXED / "photos", only=IN_LIBRARY)
    (FIXED / "single").mkdir()
    shutil.copyfile(MATERIAL / "turned.jpg", FIXED / "single/alone.jpg")
    os.utime(FIXED / "single/alone.jpg", ns=(1717000000 * 10**9,) * 2)
    lay_out("library", LIBRARY)


def with_inodes():
    """The catalog knows files by their inodes, and a copy has others. Written in, nothing has moved."""
    with contextlib.closing(sqlite3.connect(LIBRARY / "catalogue.sqlite")) as catalog, catalog:
        rows = catalog.execute("SELECT asset.id, folder.path, asset.name FROM asset "
                               "JOIN folder ON folder.id = asset.folder").fetchall()
        for row, folder, name in rows:
            inode = os.stat(os.path.join(folder, name)).st_ino
            catalog.execute("UPDATE asset SET inode = ? WHERE id = ?", (inode, row))


def make_library(room):
    def library(*words):
        answer = room.run(".", "library", *words, "--library", str(LIBRARY))
        assert answer["exit"] == 0, (words, answer)
    photos = str(FIXED / "photos")
    library("init")
    library("add", photos, str(FIXED / "single/alone.jpg"))
    library("album", "create", "Wall")
    library("album", "create", "Trips", "--folder")
    library("album", "create", "Italien", "--in", "Trips")
    library("album", "rename", "Trips/Italien", "Italy")
    library("album", "add", "Wall", f"{photos}/formats/p3.jpg", f"{photos}/formats/photo.heic",
            f"{photos}/history/half.jpg", str(FIXED / "single/alone.jpg"), f"{photos}/names/a b.jpg")
    library("album", "move", "Wall", f"{photos}/history/half.jpg", "--to", "1")
    library("album", "add", ITALY, f"{photos}/formats/lossy.webp", f"{photos}/formats/turned.jpg")
    library("favorite", f"{photos}/formats/p3.jpg", f"{photos}/formats/lossy.webp",
            os.fsdecode(os.fsencode(f"{photos}/names/caf\udce9.jpg")))
    library("hide", f"{photos}/formats/gray.jpg", f"{photos}/names/a b.jpg")
    library("trash", f"{photos}/formats/alpha.png", f"{photos}/foreign/sketch.jpg")
    library("access", "grant", "org.example.frames")
    # Where the journal is gone, the whole export is written anew: so both files are recorded with entries.
    for name in ("catalogue.json", "catalogue.journal.ndjson"):
        (LIBRARY / name).unlink()
    library("verify", "--fix")
    library("access", "limit", "org.example.few", "--album", "Wall")
    library("access", "grant", "org.example.none", "--add-only")
    library("access", "revoke", "org.example.none")
    library("favorite", str(FIXED / "single/alone.jpg"))
    library("favorite", "--off", f"{photos}/formats/lossy.webp")
    library("album", "create", "Empty")
    library("trash", f"{photos}/versions/undone.jpg")
    library("trash", "restore", f"{photos}/formats/alpha.png")


# What is asked of the library wherever all of it must be seen.
ASK = [["list", "--hidden", "--json"], ["album", "list", "--json"], ["album", "show", "Wall", "--json"],
       ["album", "show", ITALY, "--json"], ["trash", "list", "--json"], ["access", "list", "--json"]]


def ask(room, *words, **options):
    return room.note(".", "library", *words, "--library", str(LIBRARY), **options)


def read_library(room):
    room.title = "library, read"
    photos = FIXED / "photos"
    for words in [*ASK, ["list"], ["list", "--json"], ["list", "--count"], ["album", "list"],
                  ["album", "show", "Wall"], ["trash", "list"], ["access", "list"],
                  ["changes", "--json"], ["changes", "--now"],
                  ["list", "--album", "Wall", "--json"], ["list", "--album", "Wall", "--hidden"],
                  ["list", "--album", ITALY], ["list", "--album", "smart-album/favorites"],
                  ["list", "--album", "Favorites"], ["list", "--album", "Edited"], ["list", "--album", "Hidden"],
                  ["list", "--where", "favorite = 1"], ["list", "--where", "favorite = YES", "--json"],
                  ["list", "--where", "pixelWidth > pixelHeight", "--sort", "pixelWidth:descending",
                   "--sort", "filename"],
                  ["list", "--where", "filename CONTAINS[c] 'GRAY'", "--hidden"],
                  ["list", "--where", "filename LIKE '*.jp*g' AND NOT favorite = 1", "--limit", "5"],
                  ["list", "--where", "creationDate > '2024-01-01'", "--sort", "creationDate:descending"],
                  ["list", "--where", "camera CONTAINS 'Safelight'", "--count"],
                  ["list", "--where", "hasAdjustments = 0"], ["list", "--where", "latitude < 0"],
                  ["list", "--where", "adjustmentFormatIdentifier BEGINSWITH 'com.'"],
                  ["list", "--where", "no such thing"], ["list", "--album", "No such album"],
                  ["show", "--json", f"{photos}/formats/p3.jpg", f"{photos}/formats/exif-gps-makernote.jpg"],
                  ["show", f"{photos}/history/half.jpg"],
                  ["verify"], ["verify", "--json"]]:
        ask(room, *words)
    # Commands on photos take those of the library.
    room.note(".", "show", "--json", "--album", "Wall", "--library", str(LIBRARY))
    room.note(".", "history", "--where", "favorite = 1", "--library", str(LIBRARY))


def change_library(room):
    room.title = "library, change"
    photos = FIXED / "photos"
    for words in (["favorite", f"{photos}/formats/photo.heic"], ["favorite", "--off", f"{photos}/formats/p3.jpg"],
                  ["hide", "--off", f"{photos}/formats/gray.jpg"], ["hide", f"{photos}/formats/cmyk.jpg"],
                  ["trash", "restore", f"{photos}/foreign/sketch.jpg"], ["trash", f"{photos}/names/same.png"],
                  ["album", "add", "Empty", f"{photos}/formats/gray.jpg", f"{photos}/names/taken.jpg"],
                  ["album", "remove", "Wall", f"{photos}/formats/p3.jpg"],
                  ["album", "move", "Wall", f"{photos}/formats/photo.heic", "--to", "1"],
                  ["album", "move", "Empty", "--in", "Trips"], ["album", "rename", "Trips", "Journeys"],
                  ["album", "create", "Later"], ["album", "create", "Gone"], ["album", "delete", "Gone"],
                  ["access", "grant", "org.example.none", "--add-only"]):
        ask(room, *words)
    for words in ASK[:3] + ASK[4:] + [["album", "show", "Journeys/Italy"], ["list", "--count"], ["verify"]]:
        ask(room, *words)
    room.title = "library, edits"
    room.note(".", "apply", "noir", "--json", "--album", "Later", "--library", str(LIBRARY))
    room.note(".", "apply", "noir", "--json", "--where", "filename = 'alone.jpg'", "--library", str(LIBRARY))
    room.note(".", "revert", "--json", "--album", "Wall", "--library", str(LIBRARY))
    for words in (["scan"], ["list", "--where", "hasAdjustments = 1", "--json"], ["verify"],
                  ["trash", "empty", "--yes"], ["trash", "list"], ["list", "--count"], ["verify"],
                  ["album", "delete", "Journeys", "--recursive"], ["album", "list"], ["changes", "--now"]):
        ask(room, *words)
    # New folders are called after the moment, so only what lies where is written down.
    left = sorted(room.steady(plain(str(path.relative_to(FIXED)))) for path in FIXED.rglob("*")
                  if path.is_file() and ("photos" in path.parts or "single" in path.parts))
    room.notes.append({"do": "library, edits | files", "exit": 0, "out": left, "err": []})


def move_library(room):
    room.title = "library, add and remove"
    ask(room, "remove", str(FIXED / "photos"))
    ask(room, "list", "--json")
    ask(room, "add", str(FIXED / "photos"))
    for words in ASK + [["verify"]]:
        ask(room, *words)


def copied_library(room):
    room.title = "library, copied to another disk"
    ask(room, "scan")
    for words in ASK + [["verify"]]:
        ask(room, *words)


def rebuild_library(room):
    room.title = "library, rebuild"
    ask(room, "rebuild")
    for words in ASK + [["verify"]]:
        ask(room, *words)
    kept = sorted(path.name for path in LIBRARY.iterdir() if path.is_file())
    room.notes.append({"do": "library, rebuild | files", "exit": 0, "out": kept, "err": []})


def lose_library(room):
    for path in LIBRARY.glob("catalogue.sqlite*"):
        path.unlink()
    rebuild_library(room)
    for note in room.notes:
        note["do"] = note["do"].replace("library, rebuild", "library, rebuild without a catalog")


# In files of their own, so that each stays small: (name, what is laid out, what is done).
READING = [("reading-photos", "photos", read_photos), ("reading-program", None, read_program),
           ("reading-library", "library", read_library)]
WRITING = [("back-and-forth", "photos", go_back_and_forth), ("renders", "photos", render_elsewhere),
           ("edits", "photos", edit_on), ("moved", "photos", find_moved),
           ("reverted", "photos", revert_all),
           ("library-changed", "library", change_library), ("library-moved", "library", move_library),
           ("library-copied", "copied library", copied_library),
           ("library-rebuilt", "library", rebuild_library), ("library-lost", "library", lose_library)]


@contextlib.contextmanager
def laid_out(edit, part, known=(), keep=False):
    """A room with a part of the set in it."""
    with scratch(keep) as folder:
        if part and "library" in part:
            lay_out_library()
            if part == "library":
                with_inodes()
        elif part:
            lay_out(part, folder / part)
        yield Room(edit, folder, known)


def observe(edit, part, action, known):
    with laid_out(edit, part, known) as room:
        action(room)
        return room.notes
