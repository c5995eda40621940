#!/usr/bin/env python3
"""Tries what becomes of each format's colors in renders of each format, and compares that with the article that says so.

lcms2's transicc says which colors the codes of a photo and of its render are; exiftool reads the profiles. `--write` writes
the article's table anew. Usage: colors.py EDIT [--write]
"""

import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

ARTICLE = pathlib.Path("Sources/PhotoEditing/PhotoEditing.docc/ColorsOfFiles.md")
PROFILES = pathlib.Path("Fixtures/profiles").absolute()
TARGETS = {"JPEG": "jpg", "PNG": "png", "TIFF": "tif", "WebP": "webp"}
# As little loss as each format has.
SOURCES = {"JPEG": ("jpg", "Q=100,subsample-mode=off"), "PNG": ("png", ""), "TIFF": ("tif", ""),
           "WebP": ("webp", "lossless=true"), "AVIF": ("avif", "lossless=true")}
SIDE = 32
PATCHES = [(0, 0, 0), (40, 40, 40), (128, 128, 128), (250, 250, 250), (230, 40, 30), (40, 200, 60),
           (30, 60, 220), (240, 200, 40), (200, 150, 120), (90, 130, 170), (120, 40, 120), (20, 60, 40)]
GRAYS = [(n,) for n in (0, 10, 40, 80, 128, 160, 200, 250)]
# The most that a color may be off, in CIE 1976: JPEG and WebP round more than once.
TOLERANCE = 2.5

# How the colors are declared: an option of the writer, what exiftool writes, a chunk of PNG, the profile that says the
# same, the formats that have it.
COLOR = set(SOURCES)
KINDS = {
    "Nothing": ("", [], None, "*sRGB", COLOR),
    "A profile (Display P3)": (f"profile={PROFILES}/display-p3.icc", [], None, f"{PROFILES}/display-p3.icc", COLOR),
    "Adobe RGB by Exif": ("", ["-EXIF:ColorSpace=2", "-EXIF:InteropIndex=R03"], None,
                          f"{PROFILES}/adobe-rgb-compatible.icc", {"JPEG", "PNG", "WebP"}),
    "Numbers (Display P3)": ("", [], (b"cICP", bytes([12, 13, 0, 1])), f"{PROFILES}/display-p3.icc", {"PNG"}),
    "Gray with a profile": (f"profile={PROFILES}/grey-gamma22.icc", [], None, f"{PROFILES}/grey-gamma22.icc",
                            {"JPEG", "PNG", "TIFF"}),
}


def run(*command, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], capture_output=True, check=True, timeout=60, **options)


def lab(codes: list[tuple[float, ...]], profile: str) -> list[list[float]]:
    """The colors of codes from 0 to 255 by lcms2."""
    lines = "".join(" ".join(f"{code:.4f}" for code in patch) + "\n" for patch in codes)
    out = run("transicc", f"-i{profile}", "-o*Lab", "-t1", "-b", "-n", input=lines.encode()).stdout.decode()
    rows = [re.findall(r"-?\d+\.\d+", line) for line in out.splitlines()]
    return [[float(number) for number in row] for row in rows if len(row) == 3]


def write(path: pathlib.Path, patches: list[tuple[int, ...]], quality: str, profile: str, tags: list[str], chunk) -> None:
    bands = len(patches[0])
    row = b"".join(bytes(patch) * SIDE for patch in patches)
    plain = path.with_suffix(".pnm")
    plain.write_bytes(b"P%d %d %d 255\n" % (6 if bands == 3 else 5, SIDE * len(patches), SIDE) + row * SIDE)
    tagged = path.with_suffix(".tagged.png")
    run("vips", "copy", plain, f"{tagged}[{profile}]")
    run("vips", "copy", tagged, f"{path}[{quality}]")
    if chunk:
        kind, content = chunk
        data = path.read_bytes()
        coded = struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        path.write_bytes(data[:33] + coded + data[33:])
    if tags:
        run("exiftool", "-q", "-m", "-overwrite_original", *tags, path)


def codes(path: pathlib.Path, count: int) -> list[tuple[float, ...]]:
    """The code in the middle of each patch, from 0 to 255."""
    plain = path.with_suffix(".read.pnm")
    run("vips", "copy", path, plain)
    data = plain.read_bytes()
    header = re.match(rb"P([56])\s+(?:#.*\s)*(\d+)\s+(\d+)\s+(\d+)\s", data)
    bands, width, largest = (3 if header[1] == b"6" else 1), int(header[2]), int(header[4])
    size = 2 if largest > 255 else 1
    found = []
    for patch in range(count):
        start = header.end() + ((SIDE // 2) * width + patch * SIDE + SIDE // 2) * bands * size
        found.append(tuple(
            int.from_bytes(data[start + size * band:start + size * (band + 1)], "big") / largest * 255
            for band in range(bands)))
    return found


def cell(render: pathlib.Path, wanted: list[list[float]]) -> str:
    profile = render.with_suffix(".icc")
    profile.write_bytes(run("exiftool", "-b", "-ICC_Profile", render).stdout)
    name = run("exiftool", "-s3", "-ICC_Profile:ProfileDescription*", render).stdout.decode().strip()
    isTagged = profile.stat().st_size > 0
    found = lab(codes(render, len(wanted)), str(profile) if isTagged else "*sRGB")
    worst = max(math.dist(a, b) for a, b in zip(found, wanted, strict=True))
    return (name if isTagged else "none") if worst < TOLERANCE else f"**wrong by {worst:.1f}**"


def table(edit: str, folder: pathlib.Path) -> list[str]:
    lines = ["| Colors | From | " + " | ".join(TARGETS) + " |", "|---|---|" + "---|" * len(TARGETS)]
    for kind, (option, tags, chunk, profile, formats) in KINDS.items():
        patches = GRAYS if kind.startswith("Gray") else PATCHES
        for source, (suffix, quality) in SOURCES.items():
            if source not in formats:
                continue
            path = folder / f"photo.{suffix}"
            write(path, patches, quality, option, tags, chunk)
            wanted = lab(patches, profile)
            cells = []
            for target in TARGETS.values():
                render = folder / f"render.{target}"
                run(edit, "render", "--quality", "100", "--overwrite", "--original", path, "-o", render,
                    env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)})
                cells.append(cell(render, wanted))
            lines.append(f"| {kind} | {source} | " + " | ".join(cells) + " |")
    return lines


def main() -> None:
    edit = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        lines = table(edit, pathlib.Path(folder))
    text = ARTICLE.read_text()
    made = text[:text.index("| Colors |")] + "\n".join(lines) + "\n"
    if "--write" in sys.argv:
        ARTICLE.write_text(made)
    elif made != text:
        sys.exit(f"{ARTICLE} says something else than the renders:\n" + "\n".join(lines))
    if "**wrong" in made:
        sys.exit("Colors are wrong.")


if __name__ == "__main__":
    main()
