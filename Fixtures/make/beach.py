"""The beach: draws the scene and develops it into encoded pixels."""

import math
import multiprocessing
from array import array

from . import figures, leaves
from .canvas import Canvas
from .icc import linear_to_srgb
from .noise import Random, smoothstep
from .picture import Picture
from .scenery import backdrop

WIDTH, HEIGHT = 1200, 800


def draw(width=WIDTH, height=HEIGHT):
    """The scene as an 8-bit sRGB picture."""
    canvas = Canvas(width, height)
    # Three quarters of the work, and no row needs another.
    with multiprocessing.Pool() as cores:
        rows = cores.starmap(_row, ((width, height, row) for row in range(height)))
    canvas.light = array("d", b"".join(rows))
    figures.draw(canvas)
    leaves.draw(canvas)
    return develop(canvas)


def _row(width, height, row):
    """The bytes of a row's light before anything stands in front."""
    light = array("d")
    for column in range(width):
        light.extend(backdrop((column + 0.5) / height, (row + 0.5) / height))
    return light.tobytes()


def develop(canvas):
    """Vignetting, film-like shoulder, sRGB encoding and a little grain."""
    width, height = canvas.width, canvas.height
    curve = [255 * linear_to_srgb(_shoulder(i / 1024)) for i in range(8192)]
    grain = _grain(width, height)
    picture = Picture(width, height)
    samples, light = picture.samples, canvas.light
    for row in range(height):
        v = (row + 0.5) / height - 0.5
        for column in range(width):
            u = (column + 0.5) / height - 0.5 * width / height
            vignette = 1 - 0.42 * smoothstep(0.40, 1.15, math.hypot(u, v))
            at = 3 * (row * width + column)
            lift = grain[row * width + column]
            for channel in range(3):
                exposed = 0.98 * light[at + channel] * vignette * 1024
                value = curve[min(max(int(exposed), 0), 8191)]
                samples[at + channel] = min(max(round(value + lift), 0), 255)
    return picture


def _shoulder(light):
    """Deeper shadows, then a bend in the lights so that the sun does not clip hard."""
    light *= 0.80 + 0.25 * smoothstep(0.0, 0.5, light)
    knee = 0.55
    if light <= knee:
        return light
    return knee + (1 - knee) * (1 - math.exp(-(light - knee) / (1 - knee)))


def _grain(width, height):
    """Noise in 8-bit codes, a little wider than one pixel as a camera's filter leaves it."""
    random = Random(7)
    raw = [random.unit() + random.unit() + random.unit() - 1.5 for _ in range(width * height)]
    return [1.2 * (0.6 * raw[i] + 0.25 * raw[i - 1] + 0.25 * raw[i - width])
            for i in range(width * height)]
