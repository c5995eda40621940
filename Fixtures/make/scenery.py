"""Sky, sea and sand of the beach: what every pixel shows before anything stands in front."""

import math

from .noise import layered_noise, mix, noise, smoothstep

HORIZON = 0.455
SUN = (1.16, 0.30)
SUNLIGHT = (1.30, 0.86, 0.50)
CAMERA_X = 0.75


def backdrop(x, y):
    """Linear light at a place; lengths are in picture heights."""
    if y < HORIZON:
        return _hills(x, y, sky(x, y))
    sea_edge = shoreline(x)
    depth = y - HORIZON
    # The line between water and sand wanders as the last wave runs out.
    wander = (layered_noise(x * 9, 3.7, 3) - 0.5) * 0.05 * depth / 0.3
    reach = (sea_edge + wander - y) / (0.12 + depth)
    if reach > 0:
        return _sea(x, y, depth, reach)
    return sand(x, y, depth, -reach)


def shoreline(x):
    """How far down the water reaches: far away on the left, close by on the right."""
    return 0.545 + 0.055 * x + 0.105 * x * x


def sky(x, y):
    height = max(HORIZON - y, 0.0) / HORIZON
    colour = mix((0.80, 0.62, 0.47), (0.34, 0.53, 0.74), smoothstep(0.0, 0.42, height))
    colour = mix(colour, (0.075, 0.205, 0.50), smoothstep(0.18, 1.15, height))
    dx, dy = x - SUN[0], (y - SUN[1]) * 1.1
    distance = math.hypot(dx, dy)
    near = math.exp(-distance * 3.2)
    colour = mix(colour, (1.0, 0.72, 0.42), 0.55 * near)
    colour = _clouds(x, y, height, distance, colour)
    halo = 0.80 * math.exp(-distance * 10) + 0.20 * near
    disc = 3 * math.exp(-(distance / 0.034) ** 2)
    return tuple(c + s * (halo + disc) for c, s in zip(colour, SUNLIGHT))


def _clouds(x, y, height, distance, colour):
    # A flat layer of cloud seen from below: far clouds are small and close together.
    far = 1 / (height + 0.16)
    u, v = (x - CAMERA_X) * far * 1.15 + 4.3, far * 1.75 + 21.0
    warp = noise(u * 0.9 + 40, v * 0.9) - 0.5
    density = layered_noise(u + warp, v + 0.7 * warp, 6)
    cover = smoothstep(0.47, 0.72, density) * smoothstep(0.0, 0.10, height)
    if cover == 0:
        return colour
    # Thinner towards the sun means lit, thicker means in shade.
    towards = layered_noise(u + warp + (0.16 if x < SUN[0] else -0.16), v + 0.7 * warp + 0.10, 4)
    lit = smoothstep(-0.14, 0.14, density - towards + 0.03)
    shade = mix((0.40, 0.41, 0.50), (0.70, 0.50, 0.42), math.exp(-distance * 2.2))
    bright = mix((0.98, 0.92, 0.86), (1.35, 1.00, 0.66), math.exp(-distance * 2.6))
    cloud = mix(shade, bright, 0.25 + 0.75 * lit)
    return mix(colour, cloud, 0.88 * cover)


def _hills(x, y, behind):
    colour = behind
    for far, base, colour_near, shift in (
            (0.95, 0.048, (0.36, 0.40, 0.48), 2.0), (0.70, 0.070, (0.13, 0.18, 0.19), 7.4)):
        slope = smoothstep(0.80 * far, 0.05, x) ** 1.3
        ridge = base * slope * (0.55 + 0.9 * layered_noise(x * 7 + shift, shift, 4))
        edge = smoothstep(-0.0012, 0.0012, ridge - (HORIZON - y))
        if edge > 0:
            haze = smoothstep(0.0, 0.05, HORIZON - y)
            rough = layered_noise(x * 45 + shift, y * 130 + x * 30, 4) - 0.5
            hill = mix(mix(colour_near, (0.62, 0.55, 0.48), 0.35), colour_near, haze)
            colour = mix(colour, tuple(c * (1 + 0.8 * rough) for c in hill), edge)
    return colour


def _sea(x, y, depth, reach):
    far = 1 / (depth + 0.012)
    u, v = (x - CAMERA_X) * far * 2.6, far * 5.0
    # Waves too small to see from here must fade, or they would flicker into noise.
    near = smoothstep(0.0, 0.10, depth)
    swell = layered_noise(u * 0.8 + 3, v * 1.5, 3) - 0.5
    chop = layered_noise(u * 4 + 11, v * 6, 3) - 0.5
    slope = 0.55 * swell + (0.25 + 0.6 * near) * chop
    deep = mix((0.035, 0.15, 0.22), (0.06, 0.33, 0.37), smoothstep(0.75, 0.12, reach))
    shallow = mix((0.42, 0.40, 0.30), (0.10, 0.42, 0.41), smoothstep(0.0, 0.16, reach))
    water = mix(shallow, deep, smoothstep(0.02, 0.24, reach))
    mirror = sky_reflection(x, depth, slope)
    fresnel = 0.16 + 0.52 * math.exp(-depth * 11) + 0.35 * slope
    colour = mix(water, mirror, min(max(fresnel, 0.04), 0.9))
    colour = tuple(c * (1 + 0.55 * slope) for c in colour)
    # The sun's path, broken into sparkles close by.
    width = 0.045 + 0.34 * depth
    path = math.exp(-((x - SUN[0] + 0.10 * swell) / width) ** 2)
    sparkle = smoothstep(0.02, 0.30, slope + 0.10) * (1 - near) * 0.8
    sparkle += near * 2.6 * smoothstep(0.16, 0.42, chop + 0.5 * swell)
    colour = tuple(c + s * path * (0.16 + 1.1 * sparkle) for c, s in zip(colour, SUNLIGHT))
    return mix(colour, (0.93, 0.88, 0.82), _foam(x, reach, depth))


def _foam(x, reach, depth):
    """Two breaking waves and the lace that the last one leaves at the edge."""
    along = x * (1.0 + 3.0 / (1 + 8 * depth))
    lace = layered_noise(along * 26, reach * 150 + x * 12, 4)
    edge = smoothstep(0.022, 0.0, reach) * smoothstep(0.30, 0.55, lace)
    total = max(edge, 0.75 * smoothstep(0.075, 0.0, reach) * smoothstep(0.52, 0.66, lace))
    for place, thickness, seed in ((0.085, 0.016, 5.1), (0.19, 0.010, 31.0)):
        crest = place * (0.88 + 0.30 * layered_noise(x * 4.5 + seed, seed, 3))
        broken = smoothstep(0.40, 0.62, noise(x * 5 + seed, seed * 2))
        behind = (reach - crest) / thickness
        wave = smoothstep(1.0, 0.5, behind) * smoothstep(-1.6, 0.2, behind)
        total = max(total, wave * broken * (0.35 + 0.9 * lace))
    return min(total, 0.96)


def sky_reflection(x, depth, slope=0.0):
    height = min(0.03 + 0.8 * depth + 0.5 * max(slope, -0.05), 0.9)
    colour = mix((0.80, 0.62, 0.47), (0.30, 0.46, 0.66), smoothstep(0.0, 0.45, height))
    return mix(colour, (1.0, 0.70, 0.40), 0.5 * math.exp(-abs(x - SUN[0]) * 3))


def sand(x, y, depth, distance):
    """Sand `distance` above the water's edge: wet and mirroring first, then dry and rippled."""
    far = 1 / (depth + 0.02)
    u, v = (x - CAMERA_X) * far * 2.2, far * 2.8
    dunes = layered_noise(u * 0.9 + 8, v * 1.4, 3) - 0.5
    # Trodden sand: lit on the side towards the sun, up in the picture and to the right.
    hollow = layered_noise(u * 6, v * 6 + 2 * dunes, 4)
    ripple = layered_noise(u * 6 - 0.12, v * 6 + 2 * dunes - 0.28, 4) - hollow
    ripple = 2.1 * ripple + 0.35 * (hollow - 0.5)
    grain = layered_noise(x * 360, y * 520, 2) - 0.5
    speck = smoothstep(0.80, 0.95, noise(x * 310 + 7, y * 430))
    dry_amount = smoothstep(0.05, 0.17, distance + 0.05 * dunes)
    near = smoothstep(0.05, 0.4, depth)
    relief = 0.42 * dunes + (0.25 + 0.75 * near) * ripple + (0.05 + 0.16 * near) * grain
    dry = tuple(c * (1 + relief) for c in (0.60, 0.435, 0.275))
    dry = mix(dry, (0.24, 0.17, 0.11), 0.35 * speck * near)
    wet = tuple(c * (1 + 0.3 * relief) for c in (0.235, 0.165, 0.115))
    shine = smoothstep(0.16, 0.0, distance) * (0.55 + 0.4 * dunes)
    wet = mix(wet, sky_reflection(x, depth), max(shine, 0.0))
    path = math.exp(-((x - SUN[0]) / (0.07 + 0.3 * depth)) ** 2) * smoothstep(0.14, 0.0, distance)
    wet = tuple(c + 0.5 * path * s for c, s in zip(wet, SUNLIGHT))
    warm = math.exp(-abs(x - SUN[0]) * 1.4)
    colour = mix(wet, dry, dry_amount)
    return tuple(c * (0.86 + 0.26 * warm * w) for c, w in zip(colour, (1.15, 1.0, 0.8)))
