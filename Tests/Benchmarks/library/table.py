"""Writes what was measured as a table, and draws how it grows with the number of photos."""

import html
import math

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 900, 560, 70, 74, 60, 300
INK, FAINT, GOAL = "#1f2430", "#d9dde5", "#b3261e"
COLOURS = ["#3d4a5c", "#2a7f62", "#7a4fa3", "#c77d0a", "#1d6fb8", "#a23b72", "#5c7d1e", "#00838f",
           "#8d99ae"]
LINES = ["newest first", "favourites", "edited, one camera", "name contains, some",
         "favourites of a large album", "favourite or edited", "camera contains"]


def milliseconds(value):
    return f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"


def markdown(results):
    """The table, as Markdown."""
    sizes = results["sizes"]
    machine = results["machine"]
    lines = [
        f"# Libraries of many photos, {results['date']}", "",
        f"{machine['processor']}, {machine['cores']} cores shared with other work; SQLite "
        f"{results['sqlite']}. Milliseconds, medians; of the first page of 100 photos with the time "
        "that opening a snapshot takes, and of counting, each as a program begins that has nothing "
        "in its memory yet. Python finds the same in the same rows.", "",
        "| First page; count | " + " | ".join(f"{size['photos']:,}" for size in sizes)
        + " | found |", "|---|" + "---|" * (len(sizes) + 1)]
    for name in sizes[0]["fetches"]:
        cells = [f"{milliseconds(size['fetches'][name]['page']['median'])}; "
                 f"{milliseconds(size['fetches'][name]['count']['median'])}" for size in sizes]
        lines.append(f"| {name} | " + " | ".join(cells)
                     + f" | {sizes[-1]['fetches'][name]['found']:,} |")

    def row(title, value):
        lines.append(f"| {title} | " + " | ".join(value(size) for size in sizes) + " |")

    def both(spread):
        return f"{milliseconds(spread['median'])}; {milliseconds(spread['p95'])}"

    lines += ["", "| Changes on the disk, median; 95 % | "
              + " | ".join(f"{size['photos']:,}" for size in sizes) + " |",
              "|---|" + "---|" * len(sizes)]
    row("a favourite", lambda size: both(size["favourite"]))
    row("the disk alone: 4 KB written and kept", lambda size: both(size["favourite"]["disk"]))
    row("a move in an album of a tenth of all photos", lambda size: both(size["move"]))
    lines += ["", "| Going through all photos | "
              + " | ".join(f"{size['photos']:,}" for size in sizes) + " |",
              "|---|" + "---|" * len(sizes)]
    row("seconds", lambda size: f"{size['iteration']['milliseconds'] / 1000:.2f}")
    row("peak memory after a tenth; at the end, MB", lambda size: "; ".join(
        f"{size['iteration'][key] / 1e6:.0f}" for key in ("afterATenth", "after")))
    row("size of the catalogue, MB", lambda size: f"{size['bytes'] / 1e6:.0f}")
    lines += ["", "| Photos of a folder | photos | seconds | processor | a second of one core |",
              "|---|---|---|---|---|"]
    for work, words in (("add", "taken in"), ("scan", "looked through again"),
                        ("rebuild", "catalogue made anew")):
        one = results["adding"][work]
        lines.append(
            f"| {words} | {one['count']:,} | {one['milliseconds'] / 1000:.1f} | "
            f"{one['processor'] / 1000:.1f} | {one['photosPerProcessorSecond']:,.0f} |")
    return "\n".join(lines) + "\n"


def text(x, y, words, size=13, anchor="start", colour=INK, weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{colour}" font-weight="{weight}">{html.escape(words)}</text>')


def drawn(results):
    """Milliseconds over photos, both by powers of ten, as SVG."""
    sizes = [size["photos"] for size in results["sizes"]]
    series = [(name, [size["fetches"][name]["page"]["median"] for size in results["sizes"]])
              for name in LINES]
    series.append(("a favourite, durable", [size["favourite"]["median"] for size in results["sizes"]]))
    series.append(("a move in the large album", [size["move"]["median"] for size in results["sizes"]]))
    low, high = -1, max(2, math.ceil(math.log10(max(max(values) for _, values in series))))
    first, last = math.log10(sizes[0]), math.log10(sizes[-1])

    def x(count):
        return LEFT + (math.log10(count) - first) / ((last - first) or 1) * (WIDTH - LEFT - RIGHT)

    def y(value):
        place = (math.log10(max(value, 10 ** low)) - low) / (high - low)
        return HEIGHT - BOTTOM - place * (HEIGHT - TOP - BOTTOM)

    parts = [text(24, 34, "Libraries as they grow", 20, weight="bold"),
             text(24, 56, "Milliseconds to the first page, and for a change to be on the disk; "
                  "medians")]
    for power in range(low, high + 1):
        colour = GOAL if power == 1 else FAINT
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(10 ** power):.1f}" '
                     f'y2="{y(10 ** power):.1f}" stroke="{colour}" '
                     f'stroke-dasharray="{"4 3" if power == 1 else ""}"/>')
        parts.append(text(LEFT - 10, y(10 ** power) + 4, f"{10.0 ** power:g}", anchor="end"))
    for count in sizes:
        parts.append(f'<line x1="{x(count):.1f}" x2="{x(count):.1f}" y1="{TOP}" '
                     f'y2="{HEIGHT - BOTTOM}" stroke="{FAINT}"/>')
        parts.append(text(x(count), HEIGHT - BOTTOM + 22, f"{count:,}", anchor="middle"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, "photos", anchor="middle"))
    labels = sorted(range(len(series)), key=lambda index: y(series[index][1][-1]))
    place = -math.inf
    for index in labels:
        name, values = series[index]
        colour = COLOURS[index % len(COLOURS)]
        points = " ".join(f"{x(count):.1f},{y(value):.1f}" for count, value in zip(sizes, values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" '
                     'stroke-width="2"/>')
        parts += [f'<circle cx="{x(count):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>'
                  for count, value in zip(sizes, values)]
        # Names that would stand on one another move down.
        place = max(place + 17, y(values[-1]) + 4)
        parts.append(text(WIDTH - RIGHT + 14, place, f"{name}: {milliseconds(values[-1])}",
                          colour=colour))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="Helvetica, Arial, DejaVu Sans, sans-serif">\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n'
            + "\n".join(parts) + "\n</svg>\n")
