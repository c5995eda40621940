"""Integer pixels and the PNG file format, written out byte by byte."""

import struct
import zlib
from array import array


class Picture:
    """A picture of 8 or 16 bits per channel: grey, RGB or RGBA, rows from the top."""

    def __init__(self, width, height, channels=3, bits=8):
        self.width, self.height, self.channels, self.bits = width, height, channels, bits
        self.samples = array("H" if bits == 16 else "B", [0]) * (width * height * channels)

    @classmethod
    def painted(cls, width, height, paint, channels=3, bits=8):
        """A picture whose pixel at x, y is what `paint(x, y)` returns: one integer or a tuple."""
        picture = cls(width, height, channels, bits)
        for y in range(height):
            for x in range(width):
                picture.set(x, y, paint(x, y))
        return picture

    def set(self, x, y, colour):
        start = (y * self.width + x) * self.channels
        if self.channels == 1:
            self.samples[start] = colour
        else:
            self.samples[start:start + self.channels] = array(self.samples.typecode, colour)

    def get(self, x, y):
        start = (y * self.width + x) * self.channels
        return tuple(self.samples[start:start + self.channels])

    def rectangle(self, left, top, right, bottom, colour):
        """Fills from left, top up to, not including, right, bottom."""
        for y in range(top, bottom):
            for x in range(left, right):
                self.set(x, y, colour)

    def png(self):
        """The bytes of a PNG file without any ancillary chunk: no date, no profile."""
        colour_type = {1: 0, 3: 2, 4: 6}[self.channels]
        header = struct.pack(
            ">IIBBBBB", self.width, self.height, self.bits, colour_type, 0, 0, 0)
        step = self.channels * self.bits // 8
        previous, lines = bytes(self.width * step), []
        for y in range(self.height):
            start = y * self.width * self.channels
            row = self.samples[start:start + self.width * self.channels]
            if self.bits == 16:
                row.byteswap()
            row = row.tobytes()
            lines.append(_filtered(row, previous, step))
            previous = row
        return b"\x89PNG\r\n\x1a\n" + b"".join([
            png_chunk(b"IHDR", header),
            png_chunk(b"IDAT", zlib.compress(b"".join(lines), 9)),
            png_chunk(b"IEND", b""),
        ])


def png_chunk(kind, payload):
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(
        ">I", zlib.crc32(kind + payload))


def _filtered(row, previous, step):
    """The row under the filter (none, sub or up) that leaves the smallest differences."""
    left = bytes(step) + row[:-step]
    candidates = [
        b"\0" + row,
        b"\1" + bytes((a - b) & 255 for a, b in zip(row, left)),
        b"\2" + bytes((a - b) & 255 for a, b in zip(row, previous)),
    ]
    return min(candidates, key=lambda line: sum(min(v, 256 - v) for v in line[1:]))
