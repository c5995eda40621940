"""matplotlib, imported where a chart is drawn and nowhere else: checks do without it."""

import sys

INK = "#1f2430"


def pyplot():
    """The module that draws; ends the program with a message where it is missing."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("matplotlib is missing: apt install python3-matplotlib, or pip install matplotlib")
    matplotlib.use("svg")
    from matplotlib import pyplot as module
    # Text stays text, and the same results give the same file.
    module.rcParams.update({
        "svg.fonttype": "none", "svg.hashsalt": "safelight", "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial"], "font.size": 9,
        "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK})
    return module


def save(figure, path):
    """Writes a figure as an SVG without the date, and forgets it."""
    figure.savefig(path, format="svg", metadata={"Date": None})
    pyplot().close(figure)
