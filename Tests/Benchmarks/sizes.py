#!/usr/bin/env python3
"""How large the renders of a folder's photos are, and how much their JPEG loses.

Each photo is edited with the release build, as a user would. The render beside it is compared with the same edit
written as PNG, and so is a JPEG of that PNG with quality 95 and color at full resolution, which every render was
before renders followed their originals. The figures are the size as a multiple of the original's, and CIEDE2000:
mean and 99 % over sixteen squares of 256 pixels, spread over the picture.

    pip install numpy pillow
    python3 Tests/Benchmarks/sizes.py FOLDER --output Tests/Benchmarks/results/sizes.md
"""

import argparse
import io
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import numpy
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
EDITS = {
    "vivid": ["apply", "vivid"],
    "noir": ["apply", "noir"],
    "light and color": ["adjust", "--exposure", "0.3", "--contrast", "10", "--temperature", "5800"],
}
Image.MAX_IMAGE_PIXELS = None


def lab(codes):
    """CIE Lab of sRGB codes, by IEC 61966-2-1 and the white D65."""
    encoded = codes.astype(float) / 255
    linear = numpy.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    matrix = numpy.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                          [0.0193339, 0.1191920, 0.9503041]])
    share = linear @ matrix.T / numpy.array([0.95047, 1, 1.08883])
    bent = numpy.where(share > 216 / 24389, numpy.cbrt(share), (24389 / 27 * share + 16) / 116)
    x, y, z = numpy.moveaxis(bent, -1, 0)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(left, right):
    """The color difference of CIE 142-2001, in the notation of Sharma, Wu and Dalal (2005)."""
    (l1, a1, b1), (l2, a2, b2) = lab(left), lab(right)
    mean = (numpy.hypot(a1, b1) + numpy.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * numpy.sqrt(mean ** 7 / (mean ** 7 + 25.0 ** 7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = numpy.hypot(a1, b1), numpy.hypot(a2, b2)
    h1, h2 = numpy.degrees(numpy.arctan2(b1, a1)) % 360, numpy.degrees(numpy.arctan2(b2, a2)) % 360
    gray = c1 * c2 == 0
    turn = numpy.where(gray, 0, (h2 - h1 + 180) % 360 - 180)
    hue_difference = 2 * numpy.sqrt(c1 * c2) * numpy.sin(numpy.radians(turn / 2))
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = numpy.where(gray, h1 + h2, numpy.where(abs(h1 - h2) <= 180, (h1 + h2) / 2,
                                                 ((h1 + h2 + 360) / 2) % 360))
    cosine = lambda factor, offset: numpy.cos(numpy.radians(factor * hue + offset))
    t = (1 - 0.17 * cosine(1, -30) + 0.24 * cosine(2, 0) + 0.32 * cosine(3, 6)
         - 0.20 * cosine(4, -63))
    sl = 1 + 0.015 * (lightness - 50) ** 2 / numpy.sqrt(20 + (lightness - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = -2 * numpy.sqrt(chroma ** 7 / (chroma ** 7 + 25.0 ** 7)) * numpy.sin(
        numpy.radians(60 * numpy.exp(-(((hue - 275) / 25) ** 2))))
    dl, dc, dh = (l2 - l1) / sl, (c2 - c1) / sc, hue_difference / sh
    return numpy.sqrt(numpy.maximum(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh, 0))


def squares(picture):
    """Sixteen squares of a picture, or all of a small one."""
    width, height = picture.size
    if min(width, height) < 1024:
        return numpy.asarray(picture.convert("RGB"))
    parts = []
    for row in range(4):
        for column in range(4):
            left, top = (width - 256) * column // 3, (height - 256) * row // 3
            parts.append(numpy.asarray(picture.crop((left, top, left + 256, top + 256)).convert("RGB")))
    return numpy.concatenate(parts)


def loss(jpeg, reference):
    difference = ciede2000(squares(Image.open(jpeg)), reference)
    return float(difference.mean()), float(numpy.percentile(difference, 99))


def run(edit, *words):
    done = subprocess.run([edit, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"edit {' '.join(map(str, words))}: {done.stderr}")


def measure(edit, photo, command, room):
    """The sizes and losses of one edit of one photo."""
    copy = room / photo.name
    shutil.copyfile(photo, copy)
    run(edit, *command, copy)
    run(edit, "render", copy, "-o", room / "lossless.png", "--overwrite")
    render = room / f"{photo.stem}_edited{photo.suffix if photo.suffix == '.jpg' else '.jpg'}"
    whole = Image.open(room / "lossless.png").convert("RGB")
    reference = squares(whole)
    before = io.BytesIO()
    whole.save(before, "JPEG", quality=95, subsampling=0)
    size = photo.stat().st_size
    result = {"before": (len(before.getvalue()) / size, *loss(before, reference)),
              "now": (render.stat().st_size / size, *loss(render, reference))}
    for file in room.iterdir():
        file.unlink()
    return result


def table(edit, photos):
    rows = ["| Photo | Edit | Size before | Size now | Mean before | Mean now | 99 % before | 99 % now |",
            "|---|---|--:|--:|--:|--:|--:|--:|"]
    sizes = {name: ([], []) for name in EDITS}
    with tempfile.TemporaryDirectory() as folder:
        for photo in photos:
            for name, command in EDITS.items():
                found = measure(edit, photo, command, pathlib.Path(folder))
                before, now = found["before"], found["now"]
                sizes[name][0].append(before[0])
                sizes[name][1].append(now[0])
                rows.append(f"| {photo.name} | {name} | {before[0]:.2f} | {now[0]:.2f} | {before[1]:.2f} | "
                            f"{now[1]:.2f} | {before[2]:.2f} | {now[2]:.2f} |")
                print(rows[-1], flush=True)
    for name, (before, now) in sizes.items():
        rows.append(f"| *median* | {name} | {statistics.median(before):.2f} | {statistics.median(now):.2f} | | | | |")
        rows.append(f"| *largest* | {name} | {max(before):.2f} | {max(now):.2f} | | | | |")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--edit", default=ROOT / ".build/release/edit", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, help="the table, as Markdown")
    options = parser.parse_args()
    photos = sorted(path for path in options.folder.iterdir() if path.suffix == ".jpg")
    rows = table(options.edit, photos)
    text = ("# Sizes of renders\n\nMade by `Tests/Benchmarks/sizes.py`, which says what the figures are. *Before* is "
            "quality 95 with color at full\nresolution for every photo; *now* follows the original. Sizes are multiples "
            "of the original's.\n\n" + "\n".join(rows) + "\n")
    if options.output:
        options.output.write_text(text)


if __name__ == "__main__":
    main()
