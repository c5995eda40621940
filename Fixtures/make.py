#!/usr/bin/env python3
"""Makes Safelight's test pictures again, or checks that they are what this script makes.

Needs Python 3.11, vips (Debian: libvips-tools) and exiftool (libimage-exiftool-perl).

    Fixtures/make.py            make everything
    Fixtures/make.py --check    make everything elsewhere and compare; exit code 1 on a difference
    Fixtures/make.py --check --quick    without those made of the beach, whose drawing takes most of the time
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from make import bad, cards, carried, gainmaps, icc, photos, tables  # noqa: E402
from make.darkroom import Darkroom, ToolFailed, run  # noqa: E402

HERE = Path(__file__).resolve().parent
SOURCES = {"make.py", "README.md"}
# What the program itself makes: its renders, goldens and recorded sidecars.
PROGRAM = ("make/", "renders/", "goldens/", "recorded/")
OPTIONAL = {"photo.heic", "photo.avif"}
PICTURES = {".jpg", ".png", ".tif", ".webp", ".heic", ".avif"}
# Mean difference in 8-bit codes that another version of an encoder may cause.
ENCODER_TOLERANCE = 1.0


def make_all(folder, of_beach=True):
    """Makes every fixture in a folder, perhaps but those of the beach, and returns notes on what could not be made."""
    with tempfile.TemporaryDirectory() as scratch:
        darkroom = Darkroom(folder, scratch)
        icc.make(darkroom)
        cards.make_orientation(darkroom)
        cards.make_gradients(darkroom)
        bad.make(darkroom)
        tables.make(darkroom)
        photos.make_profiled(darkroom)
        photos.make_formats(darkroom)
        gainmaps.make(darkroom)
        if not of_beach:
            return []
        photo = photos.Beach(darkroom)
        photos.make_beach(darkroom, photo)
        carried.make(darkroom, photo)
        return photos.make_shrunk(darkroom, photo)


def check(of_beach):
    """Names what differs between the committed files and freshly made ones."""
    with tempfile.TemporaryDirectory() as fresh:
        fresh = Path(fresh)
        notes = make_all(fresh, of_beach)
        committed, made = fixtures(HERE), fixtures(fresh)
        differences = []
        if of_beach:
            differences += [f"{name}: nobody makes it" for name in sorted(committed - made - OPTIONAL)]
        differences += [f"{name}: not committed" for name in sorted(made - committed)]
        for name in sorted(committed & made):
            reason = difference(HERE / name, fresh / name)
            if reason:
                differences.append(f"{name}: {reason}")
    return notes, differences


def fixtures(folder):
    """Relative names of the files in a folder that are fixtures rather than their sources."""
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in names if name not in SOURCES and not name.startswith(PROGRAM)}


def difference(committed, made):
    """Why two files are not the same fixture; None when they are.

    Bytes decide. Where another encoder or zlib wrote other bytes, size, channels, pixels and
    metadata do.
    """
    if committed.read_bytes() == made.read_bytes():
        return None
    if committed.suffix not in PICTURES or committed.parent.name == "bad":
        return "other bytes"
    try:
        with tempfile.TemporaryDirectory() as scratch:
            apart, mean = Path(scratch) / "apart.v", Path(scratch) / "mean.v"
            shapes = [re.sub(r"^.*?: ", "", run("vipsheader", path)) for path in (committed, made)]
            if shapes[0].split(",")[:2] != shapes[1].split(",")[:2]:
                return f"{shapes[1].strip()} instead of {shapes[0].strip()}"
            run("vips", "subtract", committed, made, apart)
            run("vips", "abs", apart, mean)
            average = float(run("vips", "avg", mean))
    except ToolFailed as failure:
        return str(failure)
    if average > ENCODER_TOLERANCE * (257 if "ushort" in shapes[0] else 1):
        return f"pixels differ by {average:.2f} on average"
    if metadata(committed) != metadata(made):
        return "other metadata"
    return None


def metadata(path):
    """What exiftool reads, without what belongs to the file or to the encoder."""
    return run(
        "exiftool", "-config", "", "-G1", "-s", "-n", "-EXIF:all", "-XMP:all", "-IPTC:all",
        "-GPS:all", "-ICC_Profile:all", "-JFIF:all", "-Comment", "-EncodingProcess", "-u",
        "--ThumbnailImage", "--ThumbnailLength", "--ThumbnailOffset", "--XMPToolkit", path)


def main():
    parser = argparse.ArgumentParser(
        description="Makes Safelight's test pictures, or checks them.")
    parser.add_argument(
        "--check", action="store_true", help="compare with what is there, change nothing")
    parser.add_argument(
        "--quick", action="store_true", help="leave out what is made of the beach")
    arguments = parser.parse_args()
    of_beach = not arguments.quick
    notes, differences = check(of_beach) if arguments.check else (
        make_all(HERE, of_beach), [])
    for line in notes + differences:
        print(line, file=sys.stderr)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
