"""Leaves close to the camera: palm fronds above, beach grass below."""

import math

from .canvas import bend, stroke
from .noise import Random, mix, smoothstep
from .scenery import SUN


def draw(canvas):
    _palm(canvas)
    _grass(canvas)


def _palm(canvas):
    """Fronds that hang into the picture from a palm beyond its upper left corner."""
    random = Random(31)
    fronds = (
        ((-0.10, -0.06), (0.30, -0.09), (0.56, 0.17), 0.135),
        ((-0.10, -0.02), (0.22, 0.03), (0.36, 0.31), 0.125),
        ((-0.12, 0.02), (0.10, 0.08), (0.145, 0.43), 0.115),
        ((-0.06, -0.10), (0.42, -0.16), (0.80, 0.035), 0.120),
    )
    for start, control, end, reach in fronds:
        spine = bend(start, control, end, 72)
        for index in range(6, len(spine)):
            t = index / (len(spine) - 1)
            (x, y), (px, py) = spine[index], spine[index - 1]
            direction = math.atan2(y - py, x - px)
            length = reach * (math.sin(math.pi * min(0.22 + 0.80 * t, 1.0)) ** 0.7 + 0.10)
            for side in (-1, 1):
                angle = direction + side * random.between(0.62, 0.86) * (1.15 - 0.45 * t)
                size = length * random.between(0.82, 1.08)
                tip = (x + size * math.cos(angle), y + size * math.sin(angle) + 0.30 * size)
                elbow = (x + 0.55 * size * math.cos(angle), y + 0.55 * size * math.sin(angle))
                glow = smoothstep(0.9, 0.2, math.hypot(x - SUN[0], y - SUN[1]) - 0.3)
                tone = random.unit() * 0.6 + 0.4 * glow
                green = mix((0.010, 0.030, 0.012), (0.075, 0.135, 0.022), tone)
                canvas.fill(stroke(bend((x, y), elbow, tip, 7), _leaflet), green, 0.96)
        canvas.fill(stroke(spine, lambda t: 0.007 - 0.005 * t), (0.10, 0.12, 0.035))


def _leaflet(t):
    """The width of a leaflet: broadest near its root, running out to a point."""
    return 0.0072 * (1 - t) ** 0.7 * min(1, 0.45 + 3 * t) + 0.0006


def _grass(canvas):
    """Beach grass close to the camera, lower right, its edges caught by the sun."""
    random = Random(77)
    for index in range(120):
        depth = index / 120
        x = random.between(1.16, 1.56) - 0.08 * random.unit()
        height = random.between(0.10, 0.30) * (0.45 + 0.75 * smoothstep(1.10, 1.45, x))
        lean = random.between(-0.16, 0.06)
        root, tip = (x, 1.03), (x + lean * 1.3, 1.03 - height + 0.25 * abs(lean))
        blade = bend(root, (x + 0.15 * lean, 1.03 - 0.75 * height), tip, 12)
        width = random.between(0.004, 0.0075)
        green = mix((0.020, 0.040, 0.014), (0.20, 0.20, 0.05), depth * random.between(0.5, 1.0))
        canvas.fill(stroke(blade, lambda t: width * (1 - t) ** 0.8 + 0.0005), green, 0.97)
        if random.unit() < 0.5:
            lit = [(px + 0.28 * width, py) for px, py in blade]
            canvas.fill(stroke(lit, lambda t: 0.35 * width * (1 - t)), (0.85, 0.66, 0.26), 0.6)
