#!/usr/bin/env python3
"""Measures what sharpening for output does to photos, with arithmetic of its own.

Each photo is reduced to 1,600 pixels: by Lanczos's kernel in linear light here, and by `edit render --sharpen`. Said is
the acutance, the mean gradient of L* (central differences, CIE 1976 on the luminance of sRGB), over that of the
reduction here, and the largest overshoot: by how much L* leaves the range that the reduction has in the 5 × 5 pixels
around, at the 99.9th percentile.

Needs numpy and Pillow, photos in sRGB and minutes for large ones. Set EDIT to the program.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile

import numpy
from PIL import Image

SIDE = 1600
KINDS = ["none", "screen", "glossy", "matte"]
LUMINANCE = numpy.array([0.2126, 0.7152, 0.0722])


def light(codes):
    return numpy.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)


def codes(light):
    light = numpy.clip(light, 0, 1)
    return numpy.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def lightness(picture):
    luminance = light(picture) @ LUMINANCE
    return numpy.where(luminance > 216 / 24389, 116 * numpy.cbrt(luminance) - 16, luminance * 24389 / 27)


def weights(length, results):
    """The matrix of Lanczos's kernel with three lobes; the pixels of the edges are repeated."""
    ratio = length / results
    matrix = numpy.zeros((results, length))
    for result in range(results):
        middle = (result + 0.5) * ratio - 0.5
        places = numpy.arange(numpy.ceil(middle - 3 * ratio), numpy.floor(middle + 3 * ratio) + 1)
        distances = (places - middle) / ratio
        kernel = numpy.sinc(distances) * numpy.sinc(distances / 3)
        numpy.add.at(matrix[result], numpy.clip(places, 0, length - 1).astype(int), kernel / kernel.sum())
    return matrix


def reduced(photo):
    picture = light(numpy.asarray(photo.convert("RGB")) / 255.0)
    height, width = picture.shape[:2]
    scale = SIDE / max(width, height)
    down, across = weights(height, round(height * scale)), weights(width, round(width * scale))
    return codes(numpy.stack([down @ picture[..., channel] @ across.T for channel in range(3)], 2))


def acutance(lightness):
    across = (lightness[1:-1, 2:] - lightness[1:-1, :-2]) / 2
    down = (lightness[2:, 1:-1] - lightness[:-2, 1:-1]) / 2
    return numpy.hypot(across, down).mean()


def overshoot(lightness, reference):
    around = numpy.lib.stride_tricks.sliding_window_view(numpy.pad(reference, 2, "edge"), (5, 5))
    over = numpy.maximum(lightness - around.max((2, 3)), around.min((2, 3)) - lightness)
    return numpy.percentile(numpy.maximum(over, 0), 99.9)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("photos", nargs="+")
    program = os.environ.get("EDIT", ".build/release/edit")
    for photo in parser.parse_args().photos:
        reference = lightness(reduced(Image.open(photo)))
        said = []
        for kind in KINDS:
            with tempfile.TemporaryDirectory() as folder:
                output = pathlib.Path(folder, "out.png")
                subprocess.run(
                    [program, "render", photo, "-o", output, "-q", "--original", "--longest-side", str(SIDE), "--sharpen",
                     kind], check=True)
                rendered = lightness(numpy.asarray(Image.open(output).convert("RGB")) / 255.0)
            if rendered.shape != reference.shape:
                rendered = rendered.T
            said.append(f"{kind} {acutance(rendered) / acutance(reference):.3f} ({overshoot(rendered, reference):.2f} L*)")
        print(f"{pathlib.Path(photo).name}: acutance {acutance(reference):.3f}; " + ", ".join(said), flush=True)


if __name__ == "__main__":
    main()
