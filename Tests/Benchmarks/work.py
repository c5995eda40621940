"""Writes down the work of each task, in the form that each program takes it.

A peer gets what a skilled user would give it: a whole run of per-channel steps as one table, linear
mixes as one matrix, a look as a cube or Hald picture of ready values.
"""

import array
import json
import math
import struct
import subprocess

CUBE = 33
HALD = 6


def monotone(points):
    """A monotone cubic through points (Fritsch and Carlson, SIAM J. Numer. Anal. 17, 1980)."""
    xs, ys = zip(*points)
    count = len(xs)
    slopes = [(ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]) for i in range(count - 1)]
    tangents = [slopes[0], *((a + b) / 2 if a * b > 0 else 0 for a, b in zip(slopes, slopes[1:])),
                slopes[-1]]
    for i, slope in enumerate(slopes):
        if slope == 0:
            tangents[i] = tangents[i + 1] = 0
            continue
        length = math.hypot(tangents[i] / slope, tangents[i + 1] / slope)
        if length > 3:
            tangents[i] *= 3 / length
            tangents[i + 1] *= 3 / length

    def curve(x):
        i = max((i for i in range(count - 1) if xs[i] <= x), default=0)
        width = xs[i + 1] - xs[i]
        t = min(max((x - xs[i]) / width, 0), 1)
        return ((1 + 2 * t) * (1 - t) ** 2 * ys[i] + t * (1 - t) ** 2 * width * tangents[i]
                + t * t * (3 - 2 * t) * ys[i + 1] + t * t * (t - 1) * width * tangents[i + 1])
    return curve


def code(value):
    return min(max(round(value * 255), 0), 255)


def linear(v):
    """sRGB-encoded to linear light (IEC 61966-2-1)."""
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def encoded(v):
    return v * 12.92 if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055


def look(r, g, b):
    """The look of the cube: softer colors, firm mid-tones, warm lights and cool shadows."""
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    mixed = [y + 0.85 * (v - y) for v in (r, g, b)]
    firm = [min(max(v + 0.04 * math.sin(math.tau * (v - 0.5)), 0), 1)
            for v in mixed]
    tint = (0.03 * y, 0.0, 0.03 * (0.5 - y))
    return [min(max(v + t, 0), 1) for v, t in zip(firm, tint)]


def pgm(path, values, bits=8):
    data = bytes(values) if bits == 8 else struct.pack(f">{len(values)}H", *values)
    path.write_bytes(f"P5 {len(values)} 1 {2 ** bits - 1}\n".encode() + data)


def ppm(path, width, height, triples):
    path.write_bytes(f"P6 {width} {height} 255\n".encode()
                     + bytes(value for triple in triples for value in triple))


def grid(side):
    """Every node of a cube as red, green and blue from 0 to 1, red fastest."""
    top = side - 1
    return ((r / top, g / top, b / top)
            for b in range(side) for g in range(side) for r in range(side))


def hald(path, mapping):
    nodes = ([code(v) for v in mapping(*node)] for node in grid(HALD * HALD))
    ppm(path, HALD ** 3, HALD ** 3, nodes)


def matrix(path, rows, scale=1):
    lines = [" ".join(f"{value * scale:.6f}" for value in row) for row in rows]
    path.write_text(f"{len(rows[0])} {len(rows)}\n" + "\n".join(lines) + "\n")


class Work:
    """The files in `folder`, and the values behind them; `longest` is a preview's longer side."""

    def __init__(self, edit, folder, longest):
        self.folder, self.longest = folder, longest
        folder.mkdir()
        self.write_noir(edit)
        self.write_ten()
        self.write_look()
        self.write_developers()
        (folder / "work.json").write_text(json.dumps({
            "gray": self.gray, "curve": self.curve, "light": self.light,
            "light_table": self["light.pgm"], "curve_of_light": self["curve-of-light.pgm"],
            "tables": self.tables, "mix": self.mix,
            "hue": self.hue, "colorfulness": self.colorfulness, "grading": self.grading,
            "longest": longest}))

    def __getitem__(self, name):
        return str(self.folder / name)

    def write_noir(self, edit):
        """The filter's own numbers, as the program tells them."""
        done = subprocess.run([edit, "filters", "noir", "--json"], capture_output=True, check=True)
        steps = {step["id"]: step for step in json.loads(done.stdout)["steps"]}
        if steps.keys() != {"black-and-white", "tone-curve"}:
            raise ValueError(f"noir consists of {', '.join(steps)}, and the benchmark knows another")
        # Luminance (ITU-R BT.709-6).
        self.gray = [0.2126, 0.7152, 0.0722]
        curve = monotone(steps["tone-curve"]["all"])
        self.curve = [code(curve(i / 255)) for i in range(256)]
        pgm(self.folder / "curve.pgm", self.curve)
        # Codes to linear light, and luminance to codes, in 16 bits.
        self.light = [round(65535 * linear(i / 255)) for i in range(256)]
        pgm(self.folder / "light.pgm", self.light, bits=16)
        pgm(self.folder / "curve-of-light.pgm",
            [code(curve(encoded(i / 65535))) for i in range(65536)])
        matrix(self.folder / "gray.mat", [self.gray] * 3)
        hald(self.folder / "curve-hald.ppm", lambda *node: map(curve, node))

    def write_ten(self):
        """What `ten-steps.json` means to a peer: tables, a matrix, tables of hue and color."""
        tone = monotone([(0, 0.02), (0.25, 0.2), (0.75, 0.82), (1, 1)])
        gains = [2 ** 0.3 * gain for gain in (1.04, 1, 0.95)]
        self.tables = [[code(tone(min(encoded(linear(i / 255) * gain), 1))) for i in range(256)]
                       for gain in gains]
        ppm(self.folder / "tables.ppm", 256, 1, zip(*self.tables))
        turn = math.radians(5)
        cos, sin = math.cos(turn), math.sin(turn)
        weights = (0.213, 0.715, 0.072)
        # Hue rotation as in the filter effects of SVG 1.1 (feColorMatrix, hueRotate), then
        # saturation about the same gray.
        turned = [[0.213 + cos * 0.787 - sin * 0.213, 0.715 - cos * 0.715 - sin * 0.715,
                   0.072 - cos * 0.072 + sin * 0.928],
                  [0.213 - cos * 0.213 + sin * 0.143, 0.715 + cos * 0.285 + sin * 0.140,
                   0.072 - cos * 0.072 - sin * 0.283],
                  [0.213 - cos * 0.213 - sin * 0.787, 0.715 - cos * 0.715 + sin * 0.715,
                   0.072 + cos * 0.928 + sin * 0.072]]
        self.mix = [[0.1 * -weights[k] + 1.1 * turned[i][k] for k in range(3)] for i in range(3)]
        matrix(self.folder / "mix.mat", self.mix)
        # Tables over 8-bit hue (a whole turn is 256) and saturation.
        self.hue = [(i + round(3 * math.sin(2 * math.pi * i / 256))) % 256 for i in range(256)]
        codes = [i / 255 for i in range(256)]
        self.colorfulness = [code(s + 0.2 * s * (1 - s) ** 2) for s in codes]
        self.grading = [[code(v + lift * (1 - v) ** 3) for v in codes]
                        for lift in (0, 0.004, 0.015)]
        ppm(self.folder / "grading.ppm", 256, 1, zip(*self.grading))
        ppm(self.folder / "hsv.ppm", 256, 1, zip(self.hue, self.colorfulness, range(256)))

        def per_channel(r, g, b):
            return [self.tables[k][code(v)] / 255 for k, v in enumerate((r, g, b))]
        hald(self.folder / "tables-hald.ppm", per_channel)

    def write_look(self):
        nodes = [look(*node) for node in grid(CUBE)]
        lines = "\n".join("%.6f %.6f %.6f" % tuple(node) for node in nodes)
        (self.folder / "look.cube").write_text(
            f'TITLE "Benchmark look"\nLUT_3D_SIZE {CUBE}\n{lines}\n')
        flat = array.array("f", (value for node in nodes for value in node))
        (self.folder / "look.f32").write_bytes(flat.tobytes())
        hald(self.folder / "look-hald.ppm", look)

    def write_developers(self):
        """Noir for darktable and RawTherapee, by their nearest modules."""
        # darktable's "contrast brightness saturation", version 1: three little-endian floats.
        parameters = struct.pack("<3f", 0.4, 0, -1).hex()
        (self.folder / "darktable.xmp").write_text(f"""<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/"
 darktable:xmp_version="4" darktable:auto_presets_applied="1" darktable:history_end="1">
<darktable:history><rdf:Seq>
<rdf:li darktable:num="0" darktable:operation="colisa" darktable:enabled="1"
 darktable:modversion="1" darktable:params="{parameters}" darktable:multi_name=""
 darktable:multi_priority="0"/>
</rdf:Seq></darktable:history>
</rdf:Description></rdf:RDF></x:xmpmeta>
""")
        (self.folder / "rawtherapee.pp3").write_text(
            "[Version]\nVersion=349\n\n[Exposure]\nContrast=30\n\n"
            "[Black & White]\nEnabled=true\nMethod=Desaturation\n")
