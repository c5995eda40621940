"""The upright card in every EXIF orientation, and charts of known colours."""

import colorsys

from .exif import SHORT, exif_block, exif_segment, resolution, with_segments
from .picture import Picture

CARD_WIDTH, CARD_HEIGHT = 96, 64
PAPER, INK = (235, 235, 235), (24, 24, 24)
RED, GREEN, BLUE, YELLOW = (220, 30, 30), (30, 160, 50), (30, 60, 210), (240, 210, 20)

# Letters on a grid of 3 by 5.
LETTERS = {
    "T": ("###", ".#.", ".#.", ".#.", ".#."),
    "O": ("###", "#.#", "#.#", "#.#", "###"),
    "P": ("###", "#.#", "###", "#..", "#.."),
    "L": ("#..", "#..", "#..", "#..", "###"),
    "R": ("##.", "#.#", "##.", "#.#", "#.#"),
}

# Which upright pixel is stored at x, y, for each value of the EXIF tag Orientation.
STORED = {
    1: lambda x, y, right, bottom: (x, y),
    2: lambda x, y, right, bottom: (right - x, y),
    3: lambda x, y, right, bottom: (right - x, bottom - y),
    4: lambda x, y, right, bottom: (x, bottom - y),
    5: lambda x, y, right, bottom: (y, x),
    6: lambda x, y, right, bottom: (right - y, x),
    7: lambda x, y, right, bottom: (right - y, bottom - x),
    8: lambda x, y, right, bottom: (y, bottom - x),
}

# The 24 patches of the classic colour chart, in sRGB as published for the chart, row by row.
CHART = (
    (115, 82, 68), (194, 150, 130), (98, 122, 157), (87, 108, 67), (133, 128, 177),
    (103, 189, 170), (214, 126, 44), (80, 91, 166), (193, 90, 99), (94, 60, 108),
    (157, 188, 64), (224, 163, 46), (56, 61, 150), (70, 148, 73), (175, 54, 60),
    (231, 199, 31), (187, 86, 149), (8, 133, 161), (243, 243, 242), (200, 200, 200),
    (160, 160, 160), (122, 122, 121), (85, 85, 85), (52, 52, 52),
)


def make_orientation(darkroom):
    """orientation/1.jpg to 8.jpg: the same card once the tag is obeyed."""
    upright = card()
    for orientation in STORED:
        jpeg = darkroom.jpeg(stored(upright, orientation), 98, "--optimize-coding")
        block = exif_block({0x0112: (SHORT, [orientation]), **resolution(72)}, order=">")
        darkroom.write(f"orientation/{orientation}.jpg", with_segments(jpeg, exif_segment(block)))


def card():
    """An arrow up, TOP above it, L and R beside it, a colour in every corner."""
    picture = Picture(CARD_WIDTH, CARD_HEIGHT)
    picture.rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, PAPER)
    for left, top, colour in ((0, 0, RED), (80, 0, GREEN), (0, 48, BLUE), (80, 48, YELLOW)):
        picture.rectangle(left, top, left + 16, top + 16, colour)
    for index, letter in enumerate("TOP"):
        _letter(picture, letter, 31 + 12 * index, 2)
    _letter(picture, "L", 6, 25)
    _letter(picture, "R", 81, 25)
    for row in range(18):
        half = row
        picture.rectangle(48 - half, 18 + row, 48 + half, 19 + row, INK)
    picture.rectangle(42, 36, 54, 60, INK)
    return picture


def _letter(picture, letter, left, top, dot=3):
    for row, line in enumerate(LETTERS[letter]):
        for column, mark in enumerate(line):
            if mark == "#":
                x, y = left + dot * column, top + dot * row
                picture.rectangle(x, y, x + dot, y + dot, INK)


def stored(upright, orientation):
    width, height = upright.width, upright.height
    size = (height, width) if orientation >= 5 else (width, height)
    place = STORED[orientation]
    return Picture.painted(
        *size, lambda x, y: upright.get(*place(x, y, width - 1, height - 1)))


def make_gradients(darkroom):
    """Charts and ramps under gradients/, without a profile and so sRGB."""
    def png(name, picture):
        darkroom.write(f"gradients/{name}.png", picture.png())

    png("grey-ramp", Picture.painted(256, 16, lambda x, y: x, channels=1))
    png("grey-ramp-16", Picture.painted(1024, 4, lambda x, y: x * 65535 // 1023, 1, 16))
    png("rgb-ramps", Picture.painted(256, 48, _rgb_ramp))
    png("saturated", Picture.painted(360, 48, _hue_sweep))
    png("chart", chart())
    grey = Picture.painted(128, 96, lambda x, y: (x * 2 + y // 8 * 16) % 256, channels=1)
    darkroom.write("gradients/grey.jpg", darkroom.jpeg(grey, 92))


def _rgb_ramp(x, y):
    channel = y // 16
    return tuple(x if index == channel else 0 for index in range(3))


def _hue_sweep(x, y):
    """Hue in degrees along x; full saturation in the upper half, half of it below."""
    saturation = 1.0 if y < 24 else 0.5
    return tuple(round(255 * v) for v in colorsys.hsv_to_rgb(x / 360, saturation, 1.0))


def chart(patch=16, gap=4):
    width, height = 6 * (patch + gap) + gap, 4 * (patch + gap) + gap
    picture = Picture(width, height)
    for index, colour in enumerate(CHART):
        left, top = gap + index % 6 * (patch + gap), gap + index // 6 * (patch + gap)
        picture.rectangle(left, top, left + patch, top + patch, colour)
    return picture
