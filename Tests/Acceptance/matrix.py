#!/usr/bin/env python3
"""What edits leave of what a photo holds, for Safelight and other programs, judged by programs from outside.

    matrix.py EDIT [--photos FOLDER] [--kind WORD] [--only PROGRAM] [--write]

Each kind of photo goes through each operation. What it holds is then there and right ("kept"), lost with a warning that
names it ("said"), lost without a word ("lost"), or there but no longer true ("wrong"). Safelight's folder must be as it
was after a revert, and take up what another program writes into the original's metadata. Ends with 1 where Safelight
loses something without a word. `--photos` is a folder with real photos of kinds that nothing here writes. `--write`
writes the article's tables anew. Needs exiftool, ffmpeg, and from PyPI: numpy, pillow, pillow-heif, imagecodecs,
opencv-python-headless, tifffile, and pyvips where libvips is.
"""

import argparse
import collections
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from matrix import judges, kinds, operations, programs  # noqa: E402

ARTICLE = kinds.TOP / "Sources/PhotoEditing/PhotoEditing.docc/NothingLost.md"
REVERT, WRITTEN = "revert", "written"


def files(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


def verdicts(program, kind, operation):
    """What became of each thing of a kind, and why."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        photo = kind.make(folder)
        if photo is None:
            return None
        before = files(folder)
        try:
            result, said, film = program.perform(operation, photo, folder)
        except programs.Failed as error:
            return {thing.name: ("failed", str(error)) for thing in kind.things}
        if files(folder).items() < before.items():
            sys.exit(f"{program.name} changed {kind.name}.")
        trial = judges.Trial(photo, result, operation, film)
        found = {}
        for thing in kind.things:
            try:
                verdict = thing.judge(trial)
            except (OSError, ValueError, KeyError, RuntimeError, subprocess.SubprocessError) as error:
                verdict, said = "wrong", f"{said} [{type(error).__name__}: {error}]"
            if verdict == "lost" and re.search(thing.words, said, re.IGNORECASE):
                verdict = "said"
            found[thing.name] = (verdict, said)
        return found


def reverted(safelight, kind):
    """Whether a revert leaves the folder as it was."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        photo = kind.make(folder)
        before = files(folder)
        safelight.perform("crop", photo, folder)
        safelight.revert(photo, folder)
        left = {name: digest for name, digest in files(folder).items() if not name.startswith("result.")}
        return "kept" if left == before else "wrong"


def written(safelight, kind):
    """Whether the render takes up a rating and a title that another program writes into the original, and stays edited."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        photo = kind.make(folder)
        try:
            report, _ = safelight.call(folder, *safelight.WORDS["turn"], photo)
            render = folder / report["rendered"]
            kinds.write_tags(photo, "-XMP-xmp:Rating=4", "-XMP-dc:Title=Neu")
            now = files(folder)[photo.name]
            safelight.call(folder, "render", "--stale", photo)
        except (programs.Failed, subprocess.SubprocessError) as error:
            print(f"  {kind.name}: {error}", file=sys.stderr)
            return "failed"
        if files(folder)[photo.name] != now:
            return "wrong"
        right = judges.tag(render, "Rating") == 4 and judges.tag(render, "Title") == "Neu"
        return "kept" if right and judges.picture(judges.Trial(photo, render, "turn")) == "kept" else "wrong"


def mark(verdict):
    return {"kept": "kept", "said": "said", "lost": "**lost**", "wrong": "**wrong**", "failed": "–"}[verdict]


def own_table(found, photos):
    columns = operations.ALL + [REVERT, WRITTEN]
    lines = ["| Photo | What it holds | " + " | ".join(columns) + " |", "|---|---|" + "---|" * len(columns)]
    for (kind, thing), cells in found.items():
        lines.append(f"| {kind} | {thing} | " + " | ".join(mark(cells[each]) if each in cells else "" for each in columns) + " |")
    return lines


def summary(cells):
    counts = collections.Counter(cells)
    if counts["failed"] == len(cells):
        return "–"
    words = [f"{counts[each]} {each}" for each in ("kept", "said", "lost", "wrong") if counts[each]]
    return "kept" if words == [f"{len(cells)} kept"] else ", ".join(words)


def all_table(results, versions):
    names = list(results)
    lines = ["| Photo | What it holds | " + " | ".join(f"{name} {versions[name]}" for name in names) + " |",
             "|---|---|" + "---|" * len(names)]
    for row in results[names[0]]:
        lines.append(f"| {row[0]} | {row[1]} | " + " | ".join(
            summary([results[name][row][each] for each in operations.ALL]) for name in names) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edit")
    parser.add_argument("--photos", type=pathlib.Path)
    parser.add_argument("--kind", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    for kind in kinds.KINDS:
        if hasattr(kind.make, "photos"):
            kind.make.photos = options.photos
    safelight, *others = programs.installed(os.path.abspath(options.edit))
    results, versions, silent = {}, {}, []
    for program in [safelight, *others]:
        if options.only.lower() not in program.name.lower():
            continue
        rows = results.setdefault(program.name, {})
        versions[program.name] = program.version()
        for kind in kinds.KINDS:
            if options.kind.lower() not in kind.name.lower():
                continue
            for operation in operations.ALL:
                found = verdicts(program, kind, operation)
                for thing, (verdict, said) in (found or {}).items():
                    rows.setdefault((kind.name, thing), {})[operation] = verdict
                    if program is safelight and verdict not in ("kept", "said"):
                        silent.append(f"{kind.name}, {thing}, {operation}: {verdict} {said}")
            if found is not None and program is safelight:
                first = rows[kind.name, kind.things[0].name]
                first[REVERT], first[WRITTEN] = reverted(safelight, kind), written(safelight, kind)
                silent += [f"{kind.name}, {each}: {first[each]}" for each in (REVERT, WRITTEN) if first[each] != "kept"]
    tables = own_table(results[safelight.name], options.photos) if safelight.name in results else []
    text = "\n".join(tables)
    if len(results) > 1:
        text += "\n\n### Other programs\n\nOf the six operations:\n\n" + "\n".join(all_table(results, versions))
    print(text)
    if options.write:
        article = ARTICLE.read_text()
        begin, end = article.index("### Safelight\n"), article.index("## How it is judged")
        ARTICLE.write_text(article[:begin] + "### Safelight\n\n" + text + "\n\n" + article[end:])
    for line in silent:
        print(line, file=sys.stderr)
    cells = sum(len(row) for row in results.get(safelight.name, {}).values())
    print(f"{cells - len(silent)} passed, {len(silent)} failed")
    sys.exit(1 if silent else 0)


if __name__ == "__main__":
    main()
