"""A canvas of linear light on which soft-edged shapes are laid, from the back to the front."""

import math
from array import array

SLICES = 4  # Scan lines per pixel row: enough for edges without visible steps.


class Canvas:
    """Linear RGB light; lengths are in picture heights, from the top left corner."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.light = array("d", bytes(8 * 3 * width * height))

    def blend(self, index, colour, amount):
        light, start = self.light, 3 * index
        for channel in range(3):
            light[start + channel] += (colour[channel] - light[start + channel]) * amount

    def fill(self, outline, colour, opacity=1.0):
        """Fills a polygon; `colour` is a colour or a function of x and y that returns one.

        A function may also return None to leave a place as it is.
        """
        scale = self.height
        points = [(x * scale, y * scale) for x, y in outline]
        top = max(0, math.floor(min(y for _, y in points)))
        bottom = min(self.height, math.ceil(max(y for _, y in points)))
        for row in range(top, bottom):
            for column, coverage in self._coverage(points, row).items():
                paint = colour
                if callable(colour):
                    paint = colour((column + 0.5) / scale, (row + 0.5) / scale)
                if paint is not None:
                    self.blend(row * self.width + column, paint, min(coverage, 1) * opacity)

    def _coverage(self, points, row):
        """How much of each pixel in a row lies inside the polygon (even-odd rule)."""
        coverage = {}
        for piece in range(SLICES):
            y = row + (piece + 0.5) / SLICES
            crossings = []
            for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
                if (y0 <= y) != (y1 <= y):
                    crossings.append(x0 + (y - y0) * (x1 - x0) / (y1 - y0))
            crossings.sort()
            for left, right in zip(crossings[::2], crossings[1::2]):
                left, right = max(left, 0.0), min(right, float(self.width))
                for column in range(int(left), min(math.ceil(right), self.width)):
                    share = min(right, column + 1) - max(left, column)
                    if share > 0:
                        coverage[column] = coverage.get(column, 0) + share / SLICES
        return coverage

    def glow(self, x, y, radius_x, radius_y, colour, amount):
        """A soft elliptical patch of light or shade, gone at twice its radii."""
        scale = self.height
        rows = range(max(0, int((y - 2 * radius_y) * scale)),
                     min(self.height, int((y + 2 * radius_y) * scale) + 1))
        columns = range(max(0, int((x - 2 * radius_x) * scale)),
                        min(self.width, int((x + 2 * radius_x) * scale) + 1))
        for row in rows:
            v = ((row + 0.5) / scale - y) / radius_y
            for column in columns:
                u = ((column + 0.5) / scale - x) / radius_x
                fall = 1 - (u * u + v * v) / 4
                if fall > 0:
                    self.blend(row * self.width + column, colour, amount * fall ** 3)


def ellipse(x, y, radius_x, radius_y, turn=0.0, start=0.0, end=2 * math.pi, steps=48):
    """Points on an ellipse or, between two angles in radians, on an arc of one."""
    points = []
    for step in range(steps + 1):
        angle = start + (end - start) * step / steps
        u, v = radius_x * math.cos(angle), radius_y * math.sin(angle)
        points.append((x + u * math.cos(turn) - v * math.sin(turn),
                       y + u * math.sin(turn) + v * math.cos(turn)))
    return points


def stroke(spine, width_at):
    """The outline of a brush stroke along points; `width_at(t)` is its width, t from 0 to 1."""
    left, right = [], []
    for index, (x, y) in enumerate(spine):
        before, after = spine[max(index - 1, 0)], spine[min(index + 1, len(spine) - 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = math.hypot(dx, dy) or 1
        half = width_at(index / (len(spine) - 1)) / 2
        left.append((x - dy / length * half, y + dx / length * half))
        right.append((x + dy / length * half, y - dx / length * half))
    return left + right[::-1]


def bend(start, control, end, steps=16):
    """Points on a quadratic Bézier curve."""
    points = []
    for step in range(steps + 1):
        t = step / steps
        a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
        points.append((a * start[0] + b * control[0] + c * end[0],
                       a * start[1] + b * control[1] + c * end[1]))
    return points
