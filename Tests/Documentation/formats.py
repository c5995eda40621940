#!/usr/bin/env python3
"""Tries which metadata of which format renders of each format keep, and compares that with the article that says so.

exiftool writes the metadata into copies of the fixtures and reads the renders. `--write` writes the article's tables anew.
Usage: formats.py EDIT [--write]
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ARTICLE = pathlib.Path("Sources/PhotoEditing/PhotoEditing.docc/MetadataOfRenders.md")
SOURCES = {"JPEG": "progressive.jpg", "PNG": "gradients/chart.png", "TIFF": "rgb.tif", "WebP": "lossy.webp",
           "HEIC": "photo.heic", "AVIF": "photo.avif"}
TARGETS = {"JPEG": "jpg", "PNG": "png", "TIFF": "tif", "WebP": "webp", "AVIF": "avif",
           "JPEG XL": "jxl"}

# What is written, the value that a reader must find, and the tags that have a place for it.
KINDS = {
    "Camera and date (Exif)": (["-EXIF:Make=Acme", "-EXIF:DateTimeOriginal=2023:05:06 07:08:09"],
                               {"EXIF:Make": "Acme", "EXIF:DateTimeOriginal": "2023:05:06 07:08:09"}),
    "Place (Exif)": (["-EXIF:GPSLatitude=47.5", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=8.5",
                      "-EXIF:GPSLongitudeRef=E"], {"EXIF:GPSLatitude": "47.5"}),
    "Title and credit (XMP)": (["-XMP-dc:Title=Ein Titel", "-XMP-photoshop:Credit=Agentur X"],
                               {"XMP:Title": "Ein Titel", "XMP:Credit": "Agentur X"}),
    "Caption and keywords (IPTC)": (
        ["-CodedCharacterSet=UTF8", "-IPTC:Caption-Abstract=Überschrift", "-IPTC:Keywords=eins",
         "-IPTC:Keywords=zwei", "-IPTC:By-line=Zoë"],
        {"IPTC:Caption-Abstract|XMP:Description": "Überschrift", "IPTC:Keywords|XMP:Subject": "['eins', 'zwei']",
         "IPTC:By-line|XMP:Creator": "Zoë"}),
    "Comment": (["-Comment=Ein Kommentar"], {"File:Comment|PNG:Comment|XMP:UserComment": "Ein Kommentar"}),
    "Text of a PNG": (["-PNG:Title=Ein Text", "-PNG:Author=Ann"],
                      {"PNG:Title|XMP:Title": "Ein Text", "PNG:Author|XMP:Creator": "Ann"}),
}
# What exiftool writes into which formats.
WRITABLE = {
    "Caption and keywords (IPTC)": {"JPEG", "TIFF"}, "Comment": {"JPEG", "PNG"}, "Text of a PNG": {"PNG"},
}


# What each choice of --metadata leaves of a photo that has all of this, in each format.
CHOICES = ["all", "no-place", "no-people", "no-place-or-people", "copyright", "none"]
LEFT = {
    "Camera and date": (["-EXIF:Make=Acme", "-EXIF:DateTimeOriginal=2023:05:06 07:08:09"], ["Acme", "2023:05:06"]),
    "Place": (["-EXIF:GPSLatitude=47.5", "-EXIF:GPSLatitudeRef=N", "-XMP-exif:GPSLatitude=47.5",
               "-XMP-photoshop:City=Ortstadt", "-XMP-iptcExt:LocationShownCity=Ortstadt", "-IPTC:City=Ortstadt"],
              ["GPS", "Ortstadt"]),
    "People": (["-XMP-iptcExt:PersonInImage=Mensch", "-XMP-mwg-rs:RegionName=Mensch", "-XMP-mwg-rs:RegionType=Face",
                "-XMP-MP:RegionPersonDisplayName=Mensch"], ["Mensch"]),
    "Keywords": (["-XMP-dc:Subject=Stichwort", "-IPTC:Keywords=Stichwort"], ["Stichwort"]),
    "Title and caption": (["-XMP-dc:Title=Titelwort", "-EXIF:ImageDescription=Titelwort"], ["Titelwort"]),
    "Copyright, creator, credit": (["-EXIF:Copyright=Recht", "-XMP-dc:Rights=Recht", "-XMP-dc:Creator=Recht",
                                    "-IPTC:Credit=Recht"], ["Recht"]),
    "Comment": (["-Comment=Kommentar"], ["Kommentar"]),
    "Name of the original": ([], ["left.jpg"]),
}


def read(path: pathlib.Path) -> dict[str, str]:
    run = subprocess.run(["exiftool", "-j", "-G", "-n", path], capture_output=True, text=True, check=True)
    return {key: str(value) for key, value in json.loads(run.stdout)[0].items()}


def cell(kind: str, found: dict[str, str], warnings: list[str]) -> str:
    places = []
    for tags, value in KINDS[kind][1].items():
        place = next((tag for tag in tags.split("|") if found.get(tag) == value), None)
        if place is None:
            return "said" if warnings else "**lost**"
        places.append("its own" if place.startswith("File") else place.split(":")[0].replace("EXIF", "Exif"))
    return places[0]


def table(edit: str, kind: str, folder: pathlib.Path) -> list[str]:
    lines = [f"### {kind}", "", "| From | " + " | ".join(TARGETS) + " |", "|---|" + "---|" * len(TARGETS)]
    for source, fixture in SOURCES.items():
        if source not in WRITABLE.get(kind, SOURCES):
            continue
        path = folder / f"{source}{pathlib.Path(fixture).suffix}"
        path.write_bytes(pathlib.Path("Fixtures", fixture).read_bytes())
        subprocess.run(["exiftool", "-q", "-m", "-overwrite_original", "-XMP:all=", "-IPTC:all=",
                        *KINDS[kind][0], path], check=True)
        cells = []
        for target in TARGETS.values():
            render = folder / f"{source}-render.{target}"
            run = subprocess.run(
                [edit, "render", "--json", "--overwrite", "--original", path, "-o", render],
                capture_output=True, text=True, check=True,
                env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)})
            report = json.loads(run.stdout.splitlines()[0])
            cells.append(cell(kind, read(render), report.get("warnings", [])))
        lines.append(f"| {source} | " + " | ".join(cells) + " |")
    return lines + [""]


def choices(edit: str, folder: pathlib.Path) -> list[str]:
    """What is left by each choice, the same in all formats or an error."""
    photo = folder / "left.jpg"
    photo.write_bytes(pathlib.Path("Fixtures", SOURCES["JPEG"]).read_bytes())
    tags = [tag for written, _ in LEFT.values() for tag in written]
    subprocess.run(["exiftool", "-q", "-m", "-overwrite_original", *tags, photo], check=True)
    left: dict[str, list[str]] = {name: [] for name in LEFT}
    for choice in CHOICES:
        texts = []
        for ending in TARGETS.values():
            render = folder / f"left-render.{ending}"
            subprocess.run([edit, "render", "--overwrite", "--metadata", choice, photo, "-o", render], check=True,
                           capture_output=True, env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)})
            texts.append(subprocess.run(["exiftool", "-a", "-G1", "-s", "-u", "-ee", render], capture_output=True,
                                        text=True, check=True).stdout)
            render.unlink()
        for name, (_, words) in LEFT.items():
            found = {any(word in text for word in words) for text in texts}
            if len(found) > 1:
                sys.exit(f"--metadata {choice}: formats differ in “{name}”.")
            left[name].append("yes" if found.pop() else "–")
    lines = ["### What --metadata leaves", "", "| | " + " | ".join(f"`{each}`" for each in CHOICES) + " |",
             "|---|" + "---|" * len(CHOICES)]
    return lines + [f"| {name} | " + " | ".join(cells) + " |" for name, cells in left.items()] + [""]


def main() -> None:
    edit = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        tables = [line for kind in KINDS for line in table(edit, kind, pathlib.Path(folder))]
        tables += choices(edit, pathlib.Path(folder))
    text = ARTICLE.read_text()
    begin = text.index("### Camera and date")
    following = re.search(r"^## ", text[begin:], re.MULTILINE)
    end = begin + following.start() if following else len(text)
    made = text[:begin] + "\n".join(tables) + "\n" + text[end:]
    if "--write" in sys.argv:
        ARTICLE.write_text(made)
    elif made != text:
        sys.exit(f"{ARTICLE} says something else than the renders:\n" + "\n".join(tables))
    if "**lost**" in made:
        sys.exit("Metadata are lost without a word.")


if __name__ == "__main__":
    main()
