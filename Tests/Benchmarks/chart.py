"""Draws the ratios: for each task a row of bars, fastest first, on one scale."""

import math

from plotting import INK, pyplot, save
from report import overall
from tasks import TASKS

OWN, PEER, COPY, FAINT = "#b3261e", "#8d99ae", "#3d4a5c", "#d9dde5"
# Longer bars are cut off here, with their number beside them.
LIMIT = 8.0


def panels(results):
    """The tasks with two contenders or more; for each their names and ratios, fastest first."""
    found = {}
    for key, rows in results["tasks"].items():
        timed = [(row["name"], overall(row)) for row in rows if overall(row) is not None]
        if len(timed) > 1:
            found[key] = sorted(timed, key=lambda entry: entry[1])
    return found


def fill(axes, title, rows, top):
    """One task: its bars, each with its name and ratio."""
    names = [name for name, _ in rows]
    colors = [{"Safelight": OWN, "vips copy": COPY}.get(name, PEER) for name in names]
    bars = axes.barh(range(len(rows)), [min(ratio, top) for _, ratio in rows], color=colors)
    axes.bar_label(bars, [f"{ratio:.2f}" + (" …" if ratio > top else "") for _, ratio in rows],
                   padding=4, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, top)
    axes.grid(axis="x", color=FAINT)
    axes.axvline(1, color=COPY, linestyle="--", linewidth=1, zorder=0)
    axes.set_axisbelow(True)
    axes.tick_params(left=False, bottom=False)
    axes.spines[:].set_visible(False)
    for label in axes.get_yticklabels():
        if label.get_text() == "Safelight":
            label.set_fontweight("bold")


def draw(results, path):
    """Writes the picture as an SVG."""
    tasks = panels(results)
    top = min(max(math.ceil(max(ratio for rows in tasks.values() for _, ratio in rows)), 2), LIMIT)
    heights = [len(rows) + 2 for rows in tasks.values()]
    figure, all_axes = pyplot().subplots(
        len(tasks), squeeze=False, figsize=(9, sum(heights) * 0.27 + 1.2),
        height_ratios=heights, layout="constrained")
    for axes, (key, rows) in zip(all_axes[:, 0], tasks.items()):
        fill(axes, TASKS[key].title, rows, top)
    all_axes[-1, 0].set_xlabel("time ÷ time of vips copy")
    megapixels = sorted({round(photo["megapixels"]) for photo in results["photos"]})
    sizes = " and ".join(", ".join(map(str, megapixels)).rsplit(", ", 1))
    machine = results["machine"]
    figure.suptitle(
        "Time as a multiple of vips copy; less is faster\n"
        f"JPEG to JPEG of quality 95; photos of {sizes} megapixels\n"
        f"{machine['processor']}, {machine['cores']} cores", color=INK, fontsize=11)
    save(figure, path)
