#!/usr/bin/env python3
"""Compares what “edit adopt --translate” makes of photos with the pictures that Apple's Photos rendered.

    compare.py EDIT FOLDER

EDIT is the program, FOLDER has for each photo NAME.jpeg or NAME.heic, NAME.AAE and NAME_apple_render.*. For each photo
the table says the median color difference (CIEDE2000, Sharma, Wu and Dalal 2005) of the original and of the translated
picture from Apple's picture. Nothing in FOLDER is written. Needs numpy, Pillow and pillow-heif.
"""

import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy
from PIL import Image, ImageCms, ImageOps

try:
    import pillow_heif

    pillow_heif.register_heif_opener()
except ImportError:
    pass

SIDE = 1000


def opened(path):
    """A picture, upright and in sRGB, at full size."""
    image = Image.open(path)
    profile = image.info.get("icc_profile")
    image = ImageOps.exif_transpose(image).convert("RGB")
    if profile:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        image = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"))
    return image


def lab(image, size):
    """CIELAB of D65 of a picture at a size."""
    values = numpy.asarray(image.resize(size, Image.BOX), dtype=float) / 255
    light = numpy.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    matrix = numpy.array([
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ])
    xyz = light @ matrix.T / [0.95047, 1, 1.08883]
    f = numpy.where(xyz > 216 / 24389, numpy.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return 116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])


def difference(one, other):
    """CIEDE2000 of each pixel."""
    l1, a1, b1 = one
    l2, a2, b2 = other
    mean7 = ((numpy.hypot(a1, b1) + numpy.hypot(a2, b2)) / 2) ** 7
    g = (1 - numpy.sqrt(mean7 / (mean7 + 25.0**7))) / 2
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = numpy.hypot(a1, b1), numpy.hypot(a2, b2)
    h1, h2 = numpy.arctan2(b1, a1), numpy.arctan2(b2, a2)
    turn = 2 * numpy.pi
    dh = (h2 - h1 + numpy.pi) % turn - numpy.pi
    dh = numpy.where(c1 * c2 == 0, 0, dh)
    hue = numpy.where(c1 * c2 == 0, h1 + h2, h1 + dh / 2)
    dl, dc, dH = l2 - l1, c2 - c1, 2 * numpy.sqrt(c1 * c2) * numpy.sin(dh / 2)
    l, c = (l1 + l2) / 2, (c1 + c2) / 2

    def degrees(number):
        return numpy.radians(number)

    t = (
        1 - 0.17 * numpy.cos(hue - degrees(30)) + 0.24 * numpy.cos(2 * hue)
        + 0.32 * numpy.cos(3 * hue + degrees(6)) - 0.2 * numpy.cos(4 * hue - degrees(63))
    )
    sl = 1 + 0.015 * (l - 50) ** 2 / numpy.sqrt(20 + (l - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    angle = numpy.degrees(hue) % 360
    rotation = 2 * numpy.sqrt(c**7 / (c**7 + 25.0**7)) * numpy.sin(
        degrees(60 * numpy.exp(-(((angle - 275) / 25) ** 2))))
    return numpy.sqrt(
        (dl / sl) ** 2 + (dc / sc) ** 2 + (dH / sh) ** 2 - rotation * (dc / sc) * (dH / sh))


def median(one, other):
    """The median difference of two pictures; none when they are not of one shape."""
    if abs(one.width / one.height - other.width / other.height) > 0.01:
        return None
    scale = min(1, SIDE / max(other.size))
    size = tuple(max(1, round(side * scale)) for side in other.size)
    return float(numpy.median(difference(lab(one, size), lab(other, size))))


def main(edit, folder):
    print("| Photo | Adjustments | Size as Apple's | dE of the original | dE translated |")
    print("|---|---|---|---|---|")
    for sidecar in sorted(pathlib.Path(folder).glob("*.AAE")):
        name = sidecar.stem
        originals = [p for p in sidecar.parent.glob(f"{name}.*") if p.suffix in (".jpeg", ".heic", ".HEIC", ".JPG")]
        renders = list(sidecar.parent.glob(f"{name}_apple_render.*"))
        renders += list(sidecar.parent.glob(f"{name.replace('IMG_', 'IMG_E')}.JPG")) if "IMG_" in name else []
        if not originals or not renders:
            continue
        with tempfile.TemporaryDirectory() as work:
            photo = pathlib.Path(work) / originals[0].name
            shutil.copy(originals[0], photo)
            shutil.copy(sidecar, work)
            run = subprocess.run(
                [edit, "adopt", "--translate", "--json", str(photo)], capture_output=True, text=True)
            result = json.loads(run.stdout.splitlines()[0])
            if run.returncode:
                print(f"| {name} | {result['error']['code']} | | | |")
                continue
            parts = ", ".join(f"{p['title']} ({p['grade']})" for p in result["adopted"]["parts"])
            rendered = opened(photo.parent / f"{photo.stem}_edited.jpg")
            apples = opened(renders[0])
            before = median(opened(originals[0]), apples)
            after = median(rendered, apples)
            said = ["–" if value is None else f"{value:.2f}" for value in (before, after)]
            same = "yes" if rendered.size == apples.size else f"{rendered.size} / {apples.size}"
            print(f"| {name} | {parts} | {same} | {said[0]} | {said[1]} |")


if __name__ == "__main__":
    main(*sys.argv[1:3])
