"""The folder of photos that every engine gets, and the comparison of what became of it."""

import datetime
import hashlib
import os
import pathlib
import plistlib
import shutil

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"

# Photos of several kinds, and names that break scripts: they all must go through every engine.
SMALL = ["orientation/6.jpg", "progressive.jpg", "exif-gps-makernote.jpg", "profiles/p3.jpg",
         "sixteen-bit.png", "rgb.tif", "lossy.webp", "photo.heic"]
NAMES = [b"with space.jpg", "sunset \N{SUNRISE} \u00e9te\u0301.jpg".encode(), b"latin-\xe9.jpg",
         b"two\nlines.jpg", b"it's \"$HOME\" `x` \\ {} & ;*.jpg", b"-j.jpg", b"tab\there.jpg"]
COUNT = 60


class Unlike(Exception):
    """The folder is not what one run of the program alone makes of it."""


def make(folder: pathlib.Path) -> None:
    """Fills a folder that is not there yet with photos, some of them in folders of their own."""
    names = NAMES + [f"{number:02d}{pathlib.Path(source).suffix}".encode()
                     for number, source in enumerate(SMALL)]
    sources = ["beach.jpg"] * len(NAMES) + SMALL
    for number in range(COUNT - len(names)):
        names.append(f"beach-{number:02d}.jpg".encode())
        sources.append("beach.jpg")
    for number, (name, source) in enumerate(zip(names, sources)):
        place = os.path.join(os.fsencode(folder), [b"", b"one", b"two b"][number % 3])
        os.makedirs(place, exist_ok=True)
        shutil.copy2(FIXTURES / source, os.path.join(place, name))


def files(folder: pathlib.Path) -> dict[bytes, bytes]:
    """Every file below a folder by its path in it, whatever its name, hidden ones too."""
    top = os.fsencode(folder)
    return {os.path.relpath(os.path.join(place, name), top): os.path.join(place, name)
            for place, _, names in os.walk(top) for name in names}


def originals(folder: pathlib.Path) -> dict[bytes, tuple]:
    """What must stay as it is of each file: its bytes, times and mode."""
    found = {}
    for name, path in files(folder).items():
        with open(os.open(path, os.O_RDONLY | os.O_NOATIME), "rb") as file:
            status = os.fstat(file.fileno())
            digest = hashlib.sha256(file.read()).hexdigest()
        found[name] = digest, status.st_mtime_ns, status.st_mode, status.st_size
    return found


def without_dates(value):
    """A property list less the dates in it."""
    if isinstance(value, dict):
        return {key: without_dates(item) for key, item in value.items()
                if not isinstance(item, datetime.datetime)}
    if isinstance(value, list):
        return [without_dates(item) for item in value]
    return value


def compare(found: pathlib.Path, wanted: pathlib.Path, before: dict[bytes, tuple]) -> None:
    """Raises Unlike unless both folders hold the same, but for the dates in the records."""
    here, there = files(found), files(wanted)
    if here.keys() != there.keys():
        raise Unlike(f"missing: {sorted(there.keys() - here.keys())}, "
                     f"left over: {sorted(here.keys() - there.keys())}")
    after = originals(found)
    for name in sorted(here):
        if name in before:
            if after[name] != before[name]:
                raise Unlike(f"the original {name} has changed")
            continue
        one, other = pathlib.Path(os.fsdecode(here[name])), pathlib.Path(os.fsdecode(there[name]))
        same = one.read_bytes() == other.read_bytes()
        if not same and name.endswith(b".aae"):
            same = (without_dates(plistlib.loads(one.read_bytes()))
                    == without_dates(plistlib.loads(other.read_bytes())))
        if not same:
            raise Unlike(f"{name} is not what one run alone writes")
