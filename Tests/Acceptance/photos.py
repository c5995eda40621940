#!/usr/bin/env python3
"""Edits many photos as a user would and checks what can be seen from outside.

    photos.py [--every N] EDIT FOLDER [FOLDER...]

EDIT is the program, each FOLDER holds photos of any kind, good or hostile. Every file, or with --every each
N-th, is copied to an empty folder, given a filter, shown, rendered without loss, and reverted. Checked: the
original's bytes, times and mode; the exit code and JSON; the sidecar as exiftool reads it; every tag of the
render against the original's; the profile; the orientation, pixel by pixel against libvips; the folder after
the revert. Needs exiftool and vips.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EDIT = ""

# Tags that a render may change, drop or gain, by group and name. Everything else must be equal.
CHANGED = [
    # The file itself.
    r"System:.*", r"File:(FileType|FileTypeExtension|MIMEType|ImageWidth|ImageHeight|"
    r"EncodingProcess|BitsPerSample|ColorComponents|YCbCrSubSampling|ExifByteOrder|.*Digest)",
    r"ExifTool:.*",
    # What the render makes true: upright, its size.
    r"(IFD0|ExifIFD|XMP-tiff|XMP-exif):(Orientation|ExifImageWidth|ExifImageHeight|ImageWidth|"
    r"ImageHeight|PixelXDimension|PixelYDimension|ImageLength)",
    r"JFIF:.*Resolution",
    # Places in the picture follow it; their own tests say where to.
    r"(ExifIFD|XMP-exif):Subject(Area|Location)", r"XMP-(mwg-rs|MP|iptcExt|acdsee-rs):.*(Region|Area).*",
    # Where it comes from.
    r"XMP-xmpMM:DerivedFrom.*", r"XMP-x:XMPToolkit",
    # The thumbnail shows the unedited picture.
    r"IFD1:.*", r"(IFD0|Photoshop|XMP-xmp|JFXX|JFIF):.*Thumbnail.*", r"Photoshop:PhotoshopBGR.*",
    # What the warnings say is not carried.
    r"MPF\d*:.*", r"MPImage.*", r"XMP-(hdrgm|HDRGainMap|GContainer|GCamera|GDepth|GImage)\w*:.*",
    r"(Trailer|Samsung|SEFT|JUMBF|CBOR|PNG|PNG-.*|QuickTime|Meta|RIFF|Track.*|XMP-Container|"
    r"XMP-Item|HDRGainMap):.*", r"ICC-header:.*", r"ICC_Profile.*:.*", r"ICC-.*:.*",
    r"Adobe:.*", r"Composite:.*",
    # A depth map's own packet; the map is not carried, and a warning says so.
    r"XMP-(apdi|depth\w*|portrait\w*):.*",
    # exiftool's own account of where a value stands in the file.
    r".*:(ThumbnailOffset|ThumbnailLength|PreviewImageStart|OtherImageStart|OffsetSchema)",
]
CHANGED = [re.compile(pattern) for pattern in CHANGED]


def run(*words, limit=True, cwd=None):
    if limit:
        words = ("prlimit", f"--as={6 << 30}", *words)
    return subprocess.run(words, capture_output=True, timeout=300, cwd=cwd)


def tags(*paths):
    """What exiftool reads of files, profiles whole too; its start takes longer than the reading."""
    out = run("exiftool", "-a", "-G1", "-u", "-json", "-b", "-api", "RequestAll=0", "-all",
              "-icc_profile", *map(str, paths), limit=False).stdout
    try:
        read = json.loads(out.decode("utf-8", "replace"))
    except ValueError:
        read = []
    return read if len(read) == len(paths) else [{} for _ in paths]


def facts(path):
    with open(os.open(path, os.O_RDONLY | os.O_NOATIME), "rb") as file:
        stat = os.fstat(file.fileno())
        digest = hashlib.sha256(file.read()).hexdigest()
    return (digest, stat.st_mtime_ns, stat.st_atime_ns, stat.st_mode)


# How a TIFF stores its pixels, which says nothing of the picture.
STORED = re.compile(
    r"IFD0:(BitsPerSample|Compression|PhotometricInterpretation|PlanarConfiguration|Predictor|"
    r"RowsPerStrip|SampleFormat|SamplesPerPixel|Strip\w+|Tile\w+|(Old)?SubfileType|Thresholding|"
    r"FillOrder|T[46]Options|Wang\w+|ExtraSamples|JPEG\w+|PageNumber)|IFD[2-9]:.*|File:PageCount")
# What every JPEG may have that other formats do not.
JPEG_ONLY = re.compile(r"JFIF:.*|XMP-xmpNote:HasExtendedXMP")


def differences(one, two):
    kind = one.get("File:FileType")
    found = []
    for key in sorted(set(one) | set(two)):
        if one.get(key) == two.get(key) or key == "SourceFile":
            continue
        if kind == "TIFF" and STORED.fullmatch(key) or kind != "JPEG" and JPEG_ONLY.fullmatch(key):
            continue
        if not any(pattern.fullmatch(key) for pattern in CHANGED):
            found.append(f"{key}: {str(one.get(key))[:60]!r} became {str(two.get(key))[:60]!r}")
    return found


def profile(read):
    return next((value for key, value in read.items() if key.endswith(":ICC_Profile")), None)


def check(file, problems):
    def problem(text):
        problems.append(f"{file.parent.name}/{file.name}: {text}")

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        photo = folder / file.name
        shutil.copy2(file, photo)
        before = facts(photo)

        applied = run(EDIT, "apply", "noir", "--json", str(photo))
        if applied.returncode not in (0, 1):
            problem(f"apply ended with {applied.returncode}: {applied.stderr[-300:]}")
            return "crashed"
        result = json.loads(applied.stdout)
        if facts(photo) != before:
            problem("apply changed the original")
        if applied.returncode == 1:
            if sorted(os.listdir(folder)) != [file.name]:
                problem(f"a failure left {sorted(os.listdir(folder))}")
            if not result.get("error", {}).get("code") or file.name not in result["error"]["message"]:
                problem(f"the error does not name the file: {result}")
            return result["error"]["code"]

        render = folder / pathlib.Path(result["rendered"]).name
        sidecar = folder / (file.name + ".aae")
        record, original, written = tags(sidecar, photo, render)
        if record.get("File:FileType") != "AAE" or \
                record.get("XML:AdjustmentFormatIdentifier") != "org.safelight.edit" or \
                str(record.get("XML:AdjustmentFormatVersion")) not in ("1.0", "1"):
            problem(f"exiftool reads the sidecar as {str(record)[:300]}")
        for difference in differences(original, written):
            problem(difference)
        if written.get("IFD0:Orientation", 1) not in (1, "Horizontal (normal)"):
            problem(f"orientation tag {written.get('IFD0:Orientation')}")

        text = " ".join(result.get("warnings", []))
        own = profile(original)
        # A damaged profile that no decoder reads is lost without the renderer's knowing.
        if own and own != profile(written) and "profile" not in text and "sRGB" not in text \
                and file.parent.name != "hostile":
            problem("the profile changed without a word")

        neutral(photo, folder, text, problem)

        again = json.loads(run(EDIT, "apply", "noir", "--json", str(photo)).stdout)
        if again["status"] != "unchanged":
            problem(f"applying again gives {again['status']}")
        if run(EDIT, "show", str(photo)).returncode != 0:
            problem("show failed")
        if run(EDIT, "revert", str(photo)).returncode != 0:
            problem("revert failed")
        left = sorted(name for name in os.listdir(folder) if not name.startswith("neutral"))
        if left != [file.name]:
            problem(f"revert left {left}")
        # exiftool and vips have read it since, so its access time says nothing any more.
        if facts(photo)[::3] != before[::3] or facts(photo)[1] != before[1]:
            problem("the original is not as it was")
    return "edited"


def neutral(photo, folder, warnings, problem):
    """At intensity 0 the pixels are libvips's own, turned upright."""
    run(EDIT, "apply", "noir", "--intensity", "0", str(photo))
    target = folder / "neutral.png"
    if run(EDIT, "render", "-o", str(target), str(photo)).returncode != 0:
        problem("render to PNG failed")
        return
    run(EDIT, "apply", "noir", str(photo))
    if any(word in warnings for word in ("transparency", "sRGB", "tone-mapped")):
        return  # Converted, so there is nothing to be equal to.
    upright = folder / "neutral-expected.v"
    run("vips", "autorot", f"{photo}", str(upright), limit=False)
    if not upright.exists():
        return
    result = folder / "neutral-difference.v"
    done = run("vips", "subtract", str(upright), str(target), str(result), limit=False)
    if done.returncode != 0:
        problem(f"the neutral render has another size: {done.stderr[-200:]}")
        return
    # The first row is for all bands, and begins with the least and the greatest.
    limits = folder / "neutral-limits.csv"
    run("vips", "stats", str(result), str(limits), limit=False)
    least, greatest = map(float, limits.read_text().split()[:2])
    if (least, greatest) != (0, 0):
        problem(f"neutral pixels differ (from {least} to {greatest})")


def main():
    global EDIT
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edit")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    EDIT = os.path.abspath(options.edit)
    files = [file for folder in options.folders for file in sorted(folder.iterdir())
             if file.is_file() and file.name not in ("README.md", "INDEX.md")][::options.every]

    def outcome(file):
        problems = []
        try:
            return check(file, problems), problems
        except subprocess.TimeoutExpired:
            return "timeout", problems + [f"{file}: took more than five minutes"]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = list(pool.map(outcome, files))
    for _, problems in results:
        for line in problems:
            print(line)
    counts = collections.Counter(name for name, _ in results)
    failed = sum(1 for _, problems in results if problems)
    print("photos:", ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    print(f"{len(files) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
