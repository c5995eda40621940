"""What stands on the beach and sails by: parasol, towel, ball, bather, boats."""

import math

from .canvas import bend, ellipse, stroke
from .noise import layered_noise, mix, noise, smoothstep
from .scenery import HORIZON

RED, WHITE = (0.78, 0.030, 0.028), (0.86, 0.80, 0.72)
SHADE = (0.115, 0.080, 0.075)
SKIN, SKIN_SHADE = (0.62, 0.30, 0.17), (0.20, 0.080, 0.045)


def draw(canvas):
    _sails(canvas)
    _footprints(canvas)
    _bather(canvas, 0.945, 0.700, 0.185)
    _parasol_shadow(canvas)
    _towel(canvas)
    _parasol(canvas, 0.435, 0.455, 0.215, 0.130, -0.16)
    _ball(canvas, 0.655, 0.845, 0.036)


def _sails(canvas):
    for x, size, colour in ((0.745, 0.062, (0.88, 0.80, 0.70)), (0.862, 0.030, (0.70, 0.16, 0.09))):
        base = HORIZON + 0.10 * size
        main = [(x, base - size), (x + 0.02 * size, base - 0.1 * size),
                (x - 0.42 * size, base - 0.12 * size), (x - 0.25 * size, base - 0.5 * size)]
        jib = [(x + 0.06 * size, base - 0.85 * size), (x + 0.40 * size, base - 0.10 * size),
               (x + 0.07 * size, base - 0.12 * size)]
        canvas.glow(x, base + 0.30 * size, 0.16 * size, 0.28 * size, colour, 0.30)
        canvas.fill(main, colour)
        canvas.fill(jib, tuple(0.85 * c for c in colour))
        canvas.fill([(x - 0.42 * size, base - 0.07 * size), (x + 0.42 * size, base - 0.08 * size),
                     (x + 0.30 * size, base + 0.02 * size), (x - 0.36 * size, base + 0.02 * size)],
                    (0.10, 0.08, 0.09))


def _footprints(canvas):
    for step in range(18):
        t = step / 17
        y = 0.99 - 0.30 * (1 - (1 - t) ** 1.5)
        size = 0.004 + 0.034 * (y - HORIZON)
        x = 0.70 + 0.235 * t + (0.35 if step % 2 else -0.35) * size
        canvas.glow(x, y, 0.50 * size, 0.26 * size, (0.16, 0.105, 0.065), 0.80)
        canvas.glow(x - 0.30 * size, y + 0.30 * size, 0.45 * size, 0.13 * size,
                    (0.86, 0.64, 0.40), 0.55)


def _bather(canvas, x, feet, height):
    """Somebody in a straw hat and a light dress, seen from behind, the sun ahead on the right."""
    def at(u, v):
        return (x + u * height, feet - v * height)

    def lit(bright, dark, reach=0.06, centre=0.0):
        """Shade, with light that wraps around the edge turned to the sun."""
        return lambda px, _: mix(
            dark, bright, 0.22 + 0.78 * smoothstep(-0.3 * reach, reach, (px - x) / height - centre))

    def limb(points, thick, thin, colour):
        canvas.fill(stroke(bend(*(at(*point) for point in points)),
                           lambda t: height * (thick + (thin - thick) * t)), colour)

    canvas.fill(stroke([(x + 0.002, feet), (x - 0.050, feet + 0.075), (x - 0.086, feet + 0.112)],
                       lambda t: 0.016 + 0.022 * math.sin(2.6 * t) ** 2), SHADE, 0.42)
    canvas.glow(x - 0.096, feet + 0.126, 0.013, 0.009, SHADE, 0.60)
    # She walks: one leg bears, the other swings with its heel lifted.
    limb(((-0.030, 0.50), (-0.020, 0.26), (-0.052, 0.055)), 0.078, 0.034,
         lit(SKIN, SKIN_SHADE, 0.05, -0.04))
    limb(((-0.056, 0.075), (-0.060, 0.05), (-0.050, 0.030)), 0.034, 0.022, SKIN_SHADE)
    limb(((0.030, 0.50), (0.052, 0.26), (0.030, 0.01)), 0.080, 0.034,
         lit(SKIN, SKIN_SHADE, 0.05, 0.03))
    canvas.fill(ellipse(*at(0.034, 0.008), 0.030 * height, 0.010 * height), SKIN_SHADE)
    limb(((-0.082, 0.795), (-0.135, 0.66), (-0.120, 0.505)), 0.044, 0.026,
         lit(SKIN, SKIN_SHADE, 0.04, -0.12))
    limb(((0.082, 0.795), (0.140, 0.68), (0.148, 0.53)), 0.044, 0.026,
         lit(SKIN, SKIN_SHADE, 0.04, 0.11))
    limb(((0, 0.77), (0, 0.81), (0.004, 0.88)), 0.080, 0.050, lit(SKIN, SKIN_SHADE))
    canvas.fill([at(-0.09, 0.80), at(0, 0.835), at(0.09, 0.80), at(0.07, 0.72), at(-0.07, 0.72)],
                lit(SKIN, SKIN_SHADE, 0.08))
    outline = (
        bend(at(-0.074, 0.80), at(-0.072, 0.70), at(-0.062, 0.62))
        + bend(at(-0.062, 0.62), at(-0.105, 0.46), at(-0.185, 0.285))
        + bend(at(-0.185, 0.285), at(-0.10, 0.285), at(-0.05, 0.262))
        + bend(at(-0.05, 0.262), at(0.03, 0.245), at(0.092, 0.285))
        + bend(at(0.092, 0.285), at(0.092, 0.46), at(0.060, 0.62))
        + bend(at(0.060, 0.62), at(0.070, 0.70), at(0.074, 0.80))
        + bend(at(0.074, 0.80), at(0.0, 0.70), at(-0.074, 0.80)))

    def dress(px, py):
        u, v = (px - x) / height, (feet - py) / height
        drop = max(0.62 - v, 0.0)
        # Folds fan out from the waist and are blown to the left.
        folds = math.sin((u + 0.16 * drop) / (0.055 + 0.34 * drop) * 7 + 2 * noise(u * 9, v * 7))
        light = smoothstep(-0.14, 0.11, u + 0.12 * drop) * (0.72 + 0.28 * folds)
        return mix((0.27, 0.20, 0.19), (0.98, 0.80, 0.58), max(light, 0.0))
    canvas.fill(outline, dress)
    sash = [at(-0.063, 0.622), at(0, 0.610), at(0.062, 0.622)]
    canvas.fill(stroke(sash, lambda t: 0.018 * height),
                lit((0.70, 0.05, 0.04), (0.20, 0.012, 0.012)))
    hair = lit((0.30, 0.125, 0.045), (0.030, 0.013, 0.009), 0.05, 0.01)
    canvas.fill(ellipse(*at(0.004, 0.905), 0.044 * height, 0.060 * height), hair)
    canvas.fill(bend(at(-0.040, 0.90), at(-0.064, 0.78), at(-0.026, 0.715))
                + bend(at(-0.026, 0.715), at(0.048, 0.78), at(0.046, 0.90)), hair)
    straw = lit((1.0, 0.74, 0.40), (0.26, 0.15, 0.075), 0.09)
    canvas.fill(ellipse(*at(0.004, 0.938), 0.098 * height, 0.022 * height, -0.12), straw)
    crown = (*at(0.008, 0.942), 0.052 * height, 0.060 * height, -0.12, math.pi, 2 * math.pi)
    canvas.fill(ellipse(*crown), straw)
    band = (*at(0.008, 0.944), 0.052 * height, 0.010 * height, -0.12, 0, math.pi)
    canvas.fill(stroke(ellipse(*band), lambda t: 0.016 * height), (0.12, 0.03, 0.025))


def _parasol_shadow(canvas):
    # The sun is no point: ellipses of growing size add up to a soft edge.
    for size in range(8):
        grow = 0.80 + 0.055 * size
        canvas.fill(ellipse(0.275, 0.872, 0.225 * grow, 0.052 * grow, 0.05), SHADE, 0.10)


def _towel(canvas):
    corners = [(0.245, 0.822), (0.405, 0.800), (0.480, 0.868), (0.295, 0.900)]

    def woven(x, y):
        along = (x - 0.245 - 0.75 * (y - 0.822)) / 0.17
        along += 0.05 * layered_noise(x * 14, y * 26, 2)
        stripe = math.sin(along * 34)
        thread = 1 + 0.35 * (layered_noise(x * 260, y * 420, 2) - 0.5)
        colour = mix((0.72, 0.68, 0.62), (0.025, 0.155, 0.36), smoothstep(-0.25, 0.25, stripe))
        shadow = 1 - 0.58 * smoothstep(0.47, 0.40, x - 0.9 * (y - 0.84))
        shadow *= 0.80 + 0.4 * layered_noise(x * 22, y * 30, 2)
        return tuple(c * thread * shadow for c in colour)
    canvas.glow(0.36, 0.872, 0.14, 0.034, SHADE, 0.45)
    canvas.fill(corners, woven)
    canvas.fill(stroke([corners[3], corners[2]], lambda t: 0.0045), (0.30, 0.26, 0.24))


def _parasol(canvas, x, y, radius, rise, tilt):
    """A red and white canopy, its centre at x, y, lit through from behind on the right."""
    def place(u, v):
        return (x + u * math.cos(tilt) - v * math.sin(tilt),
                y + u * math.sin(tilt) + v * math.cos(tilt))

    canvas.fill(stroke([place(0, -rise), (0.472, 0.842)], lambda t: 0.0085),
                lambda px, _: mix((0.62, 0.52, 0.42), (0.22, 0.15, 0.11),
                                  0.5 + 0.5 * math.sin(px * 700)))
    canvas.glow(0.472, 0.842, 0.016, 0.006, SHADE, 0.7)
    sag, panels = 0.030, 8

    def rim(angle):
        """The lower edge: between two ribs the cloth hangs in a shallow arc."""
        hang = abs(math.sin(angle * panels / 2))
        return place(radius * math.cos(angle), sag * math.sin(angle) + 0.010 * hang)

    front = [rim(math.pi * i / 96) for i in range(97)]
    back = [rim(-math.pi * i / 96) for i in range(97)]
    dome = [place(radius * math.cos(a), -rise * math.sin(a) ** 0.9)
            for a in (math.pi * i / 64 for i in range(1, 64))]

    def cloth(px, py):
        dx, dy = px - x, py - y
        u = (dx * math.cos(tilt) + dy * math.sin(tilt)) / radius
        v = (-dx * math.sin(tilt) + dy * math.cos(tilt)) / rise
        height = min(max(-v, 0.0), 1.0)
        girth = math.sqrt(max(1 - height ** 2, 1e-4))
        turn = math.acos(min(max(u / girth, -1.0), 1.0))
        panel = turn / math.pi * panels / 2 + 0.5
        side = smoothstep(-0.06, 0.06, math.sin(panel * 2 * math.pi) * girth)
        seam = smoothstep(0.10, 0.0, abs(math.sin(panel * 2 * math.pi)) * girth)
        colour = mix(RED, WHITE, side)
        through = 0.42 + 0.80 * smoothstep(-1.0, 0.9, u) + 0.14 * height
        weave = 1 + 0.10 * (noise(px * 500, py * 500) - 0.5)
        sunlit = tuple(c * through * weave * (1 - 0.28 * seam) for c in colour)
        return mix(sunlit, (1.0, 0.42, 0.25), 0.16 * smoothstep(0.2, 1.0, u))

    canvas.fill(dome + back[::-1], cloth)
    canvas.fill(dome + front[::-1], cloth)
    canvas.fill(stroke(front, lambda t: 0.0022), (0.36, 0.03, 0.03), 0.7)
    finial = [place(0, -rise - 0.018), place(0, -rise + 0.004)]
    canvas.fill(stroke(finial, lambda t: 0.004 + 0.006 * t), (0.50, 0.38, 0.28))


def _ball(canvas, x, y, radius):
    canvas.glow(x - 0.045, y + 0.72 * radius, 0.040, 0.010, SHADE, 0.85)
    stripes = ((0.78, 0.06, 0.04), (0.88, 0.82, 0.74), (0.02, 0.20, 0.55),
               (0.88, 0.82, 0.74), (0.93, 0.58, 0.03), (0.88, 0.82, 0.74))

    def rubber(px, py):
        u, v = (px - x) / radius, (py - y) / radius
        w = math.sqrt(max(1 - u * u - v * v, 0.0))
        # Turn the ball so that its pole faces up, left and towards us.
        pole = (-0.35 * u - 0.62 * v + 0.70 * w)
        east, north = 0.89 * u - 0.12 * v + 0.34 * w, -0.12 * u + 0.77 * v + 0.62 * w
        angle = (math.atan2(north, east) / (2 * math.pi)) % 1 * len(stripes)
        index, along = int(angle), angle % 1
        colour = mix(stripes[index], stripes[index - 5], smoothstep(0.93, 1.0, along))
        colour = mix(colour, stripes[1], smoothstep(0.955, 0.97, pole))
        light = 0.34 + 0.85 * max(0.0, 0.70 * u - 0.62 * v + 0.25 * w)
        bounce = 0.14 * max(0.0, v)
        shine = 1.3 * max(0.0, 0.55 * u - 0.55 * v + 0.63 * w) ** 40
        warm = (1.05, 1.0, 0.92)
        return tuple(c * (light * k + bounce) + shine * k for c, k in zip(colour, warm))
    canvas.fill(ellipse(x, y, radius, radius), rubber)
