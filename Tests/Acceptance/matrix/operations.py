"""The operations of the matrix: what each does to the picture, in numbers that every program gets."""

import math

import cv2
import numpy

CROP = (0.125, 0.25, 0.625, 0.5)
"""Left, top, width and height of the crop, in shares of the upright picture."""
DEGREES = 4
"""How far the picture is straightened, clockwise."""
SHARE = 0.5
"""What is left of each side in an export."""

COLOR = ["filter", "adjust"]
GEOMETRY = ["crop", "turn", "straighten", "export"]
ALL = COLOR + GEOMETRY


def straightened(width, height):
    """The share of each side that is left of a straightened picture of the same aspect without empty corners."""
    angle = math.radians(DEGREES)
    longest = max(width / height, height / width)
    return 1 / (math.cos(angle) + longest * math.sin(angle))


def moved(operation, point, size):
    """Where a point of the upright picture is after an operation, both in shares of the sides."""
    x, y = point
    if operation == "crop":
        return (x - CROP[0]) / CROP[2], (y - CROP[1]) / CROP[3]
    if operation == "turn":
        return 1 - y, x
    if operation == "straighten":
        width, height = size
        left = straightened(width, height)
        angle = math.radians(DEGREES)
        dx, dy = (x - 0.5) * width, (y - 0.5) * height
        return (0.5 + (dx * math.cos(angle) - dy * math.sin(angle)) / width / left,
                0.5 + (dx * math.sin(angle) + dy * math.cos(angle)) / height / left)
    return x, y


def size(operation, before):
    """The size of the picture after an operation, within a pixel or two."""
    width, height = before
    if operation == "crop":
        return width * CROP[2], height * CROP[3]
    if operation == "turn":
        return height, width
    if operation == "straighten":
        left = straightened(width, height)
        return width * left, height * left
    if operation == "export":
        return width * SHARE, height * SHARE
    return before


def expected(operation, pixels, shape):
    """What an array of pixels looks like after an operation, reduced to `shape` (rows, columns)."""
    fine = max(pixels.shape[0] // shape[0], pixels.shape[1] // shape[1], 1) + 1
    found = _sampled(operation, pixels, (shape[0] * fine, shape[1] * fine))
    return cv2.resize(found, shape[::-1], interpolation=cv2.INTER_AREA)


def _sampled(operation, pixels, shape):
    rows, columns = shape
    y, x = numpy.mgrid[0:rows, 0:columns].astype(float)
    u, v = (x + 0.5) / columns, (y + 0.5) / rows
    if operation == "crop":
        u, v = CROP[0] + u * CROP[2], CROP[1] + v * CROP[3]
    elif operation == "turn":
        u, v = v, 1 - u
    elif operation == "straighten":
        height, width = pixels.shape[:2]
        left, angle = straightened(width, height), math.radians(DEGREES)
        dx, dy = (u - 0.5) * width * left, (v - 0.5) * height * left
        u = 0.5 + (dx * math.cos(angle) + dy * math.sin(angle)) / width
        v = 0.5 + (-dx * math.sin(angle) + dy * math.cos(angle)) / height
    height, width = pixels.shape[:2]
    return pixels[numpy.clip((v * height).astype(int), 0, height - 1),
                  numpy.clip((u * width).astype(int), 0, width - 1)]
