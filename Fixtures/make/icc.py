"""Matrix-and-curve ICC profiles (ICC.1:2022 and, for version 2, ICC.1:2001), byte by byte."""

import hashlib
import struct

D65 = (0.3127, 0.3290)
SRGB_PRIMARIES = ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
P3_PRIMARIES = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
ADOBE_PRIMARIES = ((0.640, 0.330), (0.210, 0.710), (0.150, 0.060))
# The profile connection space's white, as the standard's s15Fixed16 numbers: 0.9642, 1, 0.8249.
D50_FIXED = (0xF6D6, 0x10000, 0xD32D)
# Cone responses of the Bradford adaptation (Lam 1985; ICC.1:2022 annex E).
BRADFORD = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))


def make(darkroom):
    """The profiles under profiles/."""
    darkroom.write("profiles/srgb.icc", rgb_profile(
        "Safelight sRGB", SRGB_PRIMARIES, table_curve(srgb_to_linear, 1024), version=2))
    darkroom.write("profiles/display-p3.icc", rgb_profile(
        "Safelight Display P3", P3_PRIMARIES, srgb_curve(), version=4))
    darkroom.write("profiles/adobe-rgb-compatible.icc", rgb_profile(
        "Safelight Adobe RGB compatible", ADOBE_PRIMARIES, gamma_curve_v2(0x0233), version=2))
    darkroom.write("profiles/grey-gamma22.icc", grey_profile("Safelight grey gamma 2.2", 2.2))


def rgb_profile(name, primaries, curve, version):
    adaptation = white_adaptation()
    columns = [fixed(times(adaptation, column)) for column in rgb_to_xyz(primaries)]
    # White must come out as exactly the connection space's white: blue takes the rounding.
    columns[2] = tuple(w - r - g for w, r, g in zip(D50_FIXED, columns[0], columns[1]))
    tags = _common_tags(name, version)
    tags += [(tag, _xyz(column)) for tag, column in zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns)]
    tags += [(tag, curve) for tag in (b"rTRC", b"gTRC", b"bTRC")]
    return _profile(tags, b"RGB ", version)


def grey_profile(name, gamma):
    curve = b"para" + bytes(4) + struct.pack(">HHi", 0, 0, round(gamma * 65536))
    return _profile(_common_tags(name, 4) + [(b"kTRC", curve)], b"GRAY", 4)


def srgb_curve():
    """The sRGB curve of IEC 61966-2-1 as parametric type 3: (ax + b)^g from d up, else cx."""
    numbers = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    return b"para" + bytes(4) + struct.pack(">HH5i", 3, 0, *fixed(numbers))


def gamma_curve_v2(gamma):
    """One exponent as a u8Fixed8 number: 0x0233 is 2.19921875."""
    return b"curv" + bytes(4) + struct.pack(">IH", 1, gamma)


def table_curve(function, count):
    values = [round(65535 * function(i / (count - 1))) for i in range(count)]
    return b"curv" + bytes(4) + struct.pack(f">I{count}H", count, *values)


def srgb_to_linear(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def linear_to_srgb(value):
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def rgb_to_xyz(primaries):
    """The XYZ of full red, green and blue, scaled so that they sum to the white D65."""
    columns = [chromaticity_to_xyz(*xy) for xy in primaries]
    matrix = tuple(zip(*columns))
    scales = times(inverse(matrix), chromaticity_to_xyz(*D65))
    return [tuple(scale * v for v in column) for scale, column in zip(scales, columns)]


def white_adaptation():
    """The Bradford matrix from D65 to the connection space's D50."""
    source = times(BRADFORD, chromaticity_to_xyz(*D65))
    target = times(BRADFORD, tuple(v / 65536 for v in D50_FIXED))
    scaled = tuple(
        tuple(t / s * v for v in row) for s, t, row in zip(source, target, BRADFORD))
    back = inverse(BRADFORD)
    columns = [times(back, column) for column in zip(*scaled)]
    return tuple(zip(*columns))


def chromaticity_to_xyz(x, y):
    return (x / y, 1.0, (1 - x - y) / y)


def times(matrix, vector):
    return tuple(sum(m * v for m, v in zip(row, vector)) for row in matrix)


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    adjugate = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d))
    return tuple(tuple(v / determinant for v in row) for row in adjugate)


def fixed(values):
    return tuple(round(v * 65536) for v in values)


def _xyz(fixed_numbers):
    return b"XYZ " + bytes(4) + struct.pack(">3i", *fixed_numbers)


def _common_tags(name, version):
    adaptation = [v for row in white_adaptation() for v in row]
    return [
        (b"desc", _description(name, version)),
        (b"cprt", _text("No copyright, use freely", version)),
        (b"wtpt", _xyz(D50_FIXED)),
        (b"chad", b"sf32" + bytes(4) + struct.pack(">9i", *fixed(adaptation))),
    ]


def _text(text, version):
    if version == 2:
        return b"text" + bytes(4) + text.encode() + b"\0"
    encoded = text.encode("utf-16-be")
    return b"mluc" + bytes(4) + struct.pack(">II2s2sII", 1, 12, b"en", b"GB", len(encoded), 28) \
        + encoded


def _description(text, version):
    if version == 4:
        return _text(text, 4)
    ascii_text = text.encode() + b"\0"
    # Version 2 wants an empty Unicode and an empty Macintosh description after the ASCII one.
    return b"desc" + bytes(4) + struct.pack(">I", len(ascii_text)) + ascii_text + bytes(78)


def _profile(tags, colour_space, version):
    table, body, at, known = b"", b"", 128 + 4 + 12 * len(tags), {}
    for tag, content in tags:
        # Equal contents, such as three equal curves, are stored once.
        if content not in known:
            known[content] = at + len(body)
            body += content + bytes(-len(content) % 4)
        table += struct.pack(">4sII", tag, known[content], len(content))
    header = struct.pack(
        ">I4sI4s4s4s6H4s4sI4s4sQI3i4s",
        at + len(body), b"", {2: 0x02400000, 4: 0x04400000}[version], b"mntr", colour_space,
        b"XYZ ", 2024, 6, 1, 0, 0, 0, b"acsp", b"", 0, b"", b"", 0, 0, *D50_FIXED, b"")
    profile = header.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body
    if version == 4:
        # The profile ID: MD5 of the profile; flags, intent and the ID itself are zero here.
        profile = profile[:84] + hashlib.md5(profile).digest() + profile[100:]
    return profile
