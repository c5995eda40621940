"""Writes what was measured as a table, and draws how it grows with the number of photos."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import INK, pyplot, save

FAINT, GOAL = "#d9dde5", "#b3261e"
COLORS = ["#3d4a5c", "#2a7f62", "#7a4fa3", "#c77d0a", "#1d6fb8", "#a23b72", "#5c7d1e", "#00838f",
           "#8d99ae"]
LINES = ["newest first", "favorites", "edited, one camera", "name contains, some",
         "favorites of a large album", "favorite or edited", "camera contains"]


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
    row("a favorite", lambda size: both(size["favorite"]))
    row("the disk alone: 4 KB written and kept", lambda size: both(size["favorite"]["disk"]))
    row("a move in an album of a tenth of all photos", lambda size: both(size["move"]))
    lines += ["", "| Going through all photos | "
              + " | ".join(f"{size['photos']:,}" for size in sizes) + " |",
              "|---|" + "---|" * len(sizes)]
    row("seconds", lambda size: f"{size['iteration']['milliseconds'] / 1000:.2f}")
    row("peak memory after a tenth; at the end, MB", lambda size: "; ".join(
        f"{size['iteration'][key] / 1e6:.0f}" for key in ("afterATenth", "after")))
    row("size of the catalog, MB", lambda size: f"{size['bytes'] / 1e6:.0f}")
    lines += ["", "| Photos of a folder | photos | seconds | processor | a second of one core |",
              "|---|---|---|---|---|"]
    for work, words in (("add", "taken in"), ("scan", "looked through again"),
                        ("rebuild", "catalog made anew")):
        one = results["adding"][work]
        lines.append(
            f"| {words} | {one['count']:,} | {one['milliseconds'] / 1000:.1f} | "
            f"{one['processor'] / 1000:.1f} | {one['photosPerProcessorSecond']:,.0f} |")
    return "\n".join(lines) + "\n"


def draw(results, path):
    """Writes milliseconds over photos, both by powers of ten, as an SVG."""
    sizes = [size["photos"] for size in results["sizes"]]
    series = [(name, [size["fetches"][name]["page"]["median"] for size in results["sizes"]])
              for name in LINES]
    series.append(("a favorite, durable", [size["favorite"]["median"] for size in results["sizes"]]))
    series.append(("a move in the large album", [size["move"]["median"] for size in results["sizes"]]))
    figure, axes = pyplot().subplots(figsize=(9, 5.6), layout="constrained")
    for (name, values), color in zip(series, COLORS):
        axes.plot(sizes, values, color=color, marker="o", markersize=4,
                  label=f"{name}: {milliseconds(values[-1])}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.grid(color=FAINT)
    axes.axhline(10, color=GOAL, linestyle="--", linewidth=1)
    axes.set_xlabel("photos")
    axes.set_ylabel("milliseconds")
    axes.spines[["top", "right"]].set_visible(False)
    # The names stand in the order of the lines' ends.
    handles, labels = axes.get_legend_handles_labels()
    order = sorted(range(len(series)), key=lambda index: -series[index][1][-1])
    axes.legend([handles[index] for index in order], [labels[index] for index in order],
                title="at the largest size", loc="center left", bbox_to_anchor=(1.01, 0.5),
                frameon=False)
    figure.suptitle("Milliseconds to the first page, and for a change to be on the disk; medians",
                    color=INK, fontsize=11)
    save(figure, path)
