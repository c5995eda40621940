"""Says the results as Markdown: tables of medians and ratios, for a file and for README.md beside this."""

import math
import os

from tasks import TASKS
from timing import SLOW, SLOW_RUNS

# Columns of words; all others hold numbers.
WORDS = {"", "Program", "Photo", "Chroma", "What it does"}
BEGIN, END = "<!-- benchmark -->", "<!-- /benchmark -->"


def overall(row):
    """The geometric mean of a row's ratios; `None` when one of its outputs was wrong or untimed."""
    if row["problem"]:
        return None
    ratios = [found["ratio"] for found in row["photos"] if "ratio" in found]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |",
             "|" + "|".join("---" if name in WORDS else "---:" for name in head) + "|"]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]


def conditions(results):
    """Machine, versions and photos."""
    machine = results["machine"]
    versions = ", ".join(f"{name} {version}".strip()
                         for name, version in results["versions"].items())
    lines = [f"- {machine['processor']}, {machine['cores']} cores, {machine['memory']}; "
             f"{machine['system']}, Linux {machine['kernel']}; {results['date']}",
             f"- {versions}"]
    for photo in results["photos"]:
        lines.append(f"- `{photo['name']}`: {photo['width']}x{photo['height']}, "
                     f"{photo['megapixels']:.1f} megapixels, {photo['bytes'] / 1e6:.1f} MB")
    return lines


def cell(found):
    return f"{found['median'] * 1000:.0f} ms, {found['ratio']:.2f}"


def task_section(key, rows, photos):
    """One task: a row for each program, a column for each photo."""
    head = ["Program", *(photo["name"] for photo in photos), "CPU", "Ratio", "Off by", "Chroma",
            "What it does"]
    lines = []
    for row in sorted(rows, key=lambda row: overall(row) or math.inf):
        timed = row["photos"]
        if overall(row) is None:
            continue
        cpu = sum(found["cpu"] for found in timed) / len(timed) * 1000
        off = [found["difference"] for found in timed if found["difference"] is not None]
        lines.append([row["name"], *map(cell, row["photos"]), f"{cpu:.0f} ms",
                      f"**{overall(row):.2f}**", f"{max(off):.2f}" if off else "",
                      timed[0]["sampling"], row["note"]])
    section = ["", f"## {TASKS[key].title}", "", TASKS[key].meaning[0].upper()
               + TASKS[key].meaning[1:] + ".", ""]
    if lines:
        section += table(head, lines)
    left_out = [f"- {row['name']}: {row['problem']}" for row in rows if row["problem"]]
    return section + ([""] + left_out if left_out else [])


def memory_section(rows):
    lines = [[row["name"], row["photo"], f"{row['memory']:.0f} MB", f"{row['wall']:.2f} s"]
             if row["problem"] is None else [row["name"], row["photo"], row["problem"], ""]
             for row in rows]
    return ["", "## Memory", "", "Peak resident memory of one process, black and white.", "",
            *table(["Program", "Photo", "Peak", "Time"], lines)]


def batch_section(batch):
    lines = [[row["name"], f"{row['cpu'] * 1000:.0f} ms", f"{row['wall'] * 1000:.0f} ms",
              f"**{row['ratio']:.2f}**"] if row["problem"] is None
             else [row["name"], row["problem"], "", ""] for row in batch["rows"]]
    return ["", "## Batch", "",
            f"{batch['photos']} photos made black and white, all cores. The ratio is CPU time for "
            f"a photo over that of djpeg and cjpeg alone, {batch['codec'] * 1000:.0f} ms.", "",
            *table(["Program", "CPU for a photo", "Time for a photo", "Ratio"], lines)]


def markdown(results):
    """The whole report."""
    lines = ["# Benchmark", "", *conditions(results), "",
             f"Medians of {results['runs']} runs, taken in turns (at most {SLOW_RUNS} of what "
             f"takes longer than {SLOW:.0f} seconds); JPEG quality 95, 4:4:4 where a program can. "
             "The ratio is to `vips copy` in the same turns, over several photos the "
             "geometric mean. “Off by” is the mean difference in codes of 255 from the same "
             "arithmetic without JPEG, for programs that do that arithmetic."]
    for key, rows in results["tasks"].items():
        lines += task_section(key, rows, results["photos"])
    if results["memory"]:
        lines += memory_section(results["memory"])
    if results["batch"]:
        lines += batch_section(results["batch"])
    return "\n".join(lines) + "\n"


def summary(results, picture, details):
    """The part of README.md: one table of ratios, programs by tasks."""
    keys = list(results["tasks"])
    ratios = {}
    for key in keys:
        for row in results["tasks"][key]:
            ratios.setdefault(row["name"], {})[key] = overall(row)
    known = {name: [ratio for ratio in found.values() if ratio] for name, found in ratios.items()}
    # Safelight, then the measure, then who does most tasks, and of those the fastest at any.
    order = sorted((name for name in ratios if known[name]), key=lambda name: (
        name != "Safelight", name != "vips copy", -len(known[name]), min(known[name])))
    rows = [[f"**{name}**" if name == "Safelight" else name,
             *(f"{ratios[name][key]:.2f}" if ratios[name].get(key) else "" for key in keys)]
            for name in order]
    names = ", ".join(f"`{photo['name']}` ({photo['megapixels']:.0f} MP)"
                      for photo in results["photos"])
    machine = results["machine"]
    lines = [BEGIN, "", f"![Time over vips copy for each task and program]({picture})", "",
             "Time as a multiple of `vips copy`; less is faster.", "",
             *table(["", *(TASKS[key].title for key in keys)], rows), "",
             f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; {names}; "
             f"{results['date'][:10]}. [Times, memory, batches, versions]({details})", "", END]
    return "\n".join(lines)


def update_readme(readme, results, picture, details):
    """Puts the summary between the two markers of a README; returns whether they were there."""
    text = readme.read_text()
    before, mark, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        return False
    links = [os.path.relpath(path, readme.resolve().parent) for path in (picture, details)]
    readme.write_text(before + summary(results, *links) + after)
    return True
