"""Draws the ratios as an SVG: for each task a row of bars, fastest first, on one scale."""

import html
import math

from report import overall
from tasks import TASKS

WIDTH, LABELS, RIGHT = 860, 190, 110
BAR, GAP, TITLE, MARGIN = 18, 7, 46, 24
OWN, PEER, COPY = "#b3261e", "#8d99ae", "#3d4a5c"
INK, FAINT = "#1f2430", "#d9dde5"
LIMIT = 8.0


def text(x, y, words, size=13, anchor="start", weight="normal", colour=INK):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
            f'font-weight="{weight}" fill="{colour}">{html.escape(words)}</text>')


def line(x, top, bottom, colour=FAINT, dash=""):
    return (f'<line x1="{x:.1f}" y1="{top:.1f}" x2="{x:.1f}" y2="{bottom:.1f}" '
            f'stroke="{colour}" stroke-dasharray="{dash}"/>')


class Scale:
    """Ratios to pixels, from 0 to the largest ratio or to `LIMIT`, where longer bars are broken."""

    def __init__(self, ratios):
        self.top = min(max(math.ceil(max(ratios, default=1)), 2), LIMIT)
        self.width = WIDTH - LABELS - RIGHT

    def __call__(self, ratio):
        return LABELS + min(ratio, self.top) / self.top * self.width


def bar(scale, y, name, ratio):
    """A bar with its name and ratio; cut through by two strokes when it leaves the scale."""
    colour = {"Safelight": OWN, "vips copy": COPY}.get(name, PEER)
    weight = "bold" if name == "Safelight" else "normal"
    end = scale(ratio)
    parts = [text(LABELS - 10, y + BAR - 4, name, anchor="end", weight=weight),
             f'<rect x="{LABELS}" y="{y}" width="{max(end - LABELS, 1):.1f}" height="{BAR}" '
             f'rx="2" fill="{colour}"/>']
    if ratio > scale.top:
        parts += [f'<path d="M{x:.1f} {y + BAR + 2} l6 -{BAR + 4}" stroke="#ffffff" '
                  'stroke-width="3"/>' for x in (end - 26, end - 18)]
    number = text(end + 8, y + BAR - 4, f"{ratio:.2f}", weight=weight)
    # A white edge, so that the grid does not run through the number.
    parts.append(number.replace("<text ", '<text stroke="#ffffff" stroke-width="4" '
                                'paint-order="stroke" ', 1))
    return parts


def panel(scale, y, key, rows):
    """A task: its title, the grid, its bars and the axis below; returns the parts and the end."""
    parts = [text(MARGIN, y + 22, TASKS[key].title, 16, weight="bold")]
    top = y + TITLE - 10
    bottom = top + len(rows) * (BAR + GAP) + GAP
    for tick in range(int(scale.top) + 1):
        dash = "4 3" if tick == 1 else ""
        parts.append(line(scale(tick), top, bottom, COPY if tick == 1 else FAINT, dash))
        parts.append(text(scale(tick), bottom + 16, f"{tick}", 12, "middle"))
    for index, (name, ratio) in enumerate(rows):
        parts += bar(scale, top + GAP + index * (BAR + GAP), name, ratio)
    return parts, bottom + 26


def draw(results):
    """The whole picture as SVG text."""
    panels = {}
    for key, rows in results["tasks"].items():
        timed = [(row["name"], overall(row)) for row in rows if overall(row) is not None]
        if len(timed) > 1:
            panels[key] = sorted(timed, key=lambda entry: entry[1])
    scale = Scale([ratio for rows in panels.values() for _, ratio in rows])
    megapixels = sorted({round(photo["megapixels"]) for photo in results["photos"]})
    sizes = " and ".join(", ".join(map(str, megapixels)).rsplit(", ", 1))
    machine = results["machine"]
    parts = [text(MARGIN, 36, "Time as a multiple of vips copy", 20, weight="bold"),
             text(MARGIN, 58, f"Less is faster. JPEG to JPEG of quality 95; photos of {sizes} "
                  f"megapixels; {machine['processor']}, {machine['cores']} cores")]
    y = 74
    for key, rows in panels.items():
        drawn, y = panel(scale, y, key, rows)
        parts += drawn
    parts.append(text(LABELS + scale.width / 2, y + 14, "time ÷ time of vips copy", 12, "middle"))
    height = y + 32
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" '
            'font-family="Helvetica, Arial, DejaVu Sans, sans-serif">\n'
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n'
            + "\n".join(parts) + "\n</svg>\n")
