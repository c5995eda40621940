#!/usr/bin/env python3
"""Fails when a public declaration has no comment, when docc warns about the documentation, or when a
recipe that the tests run is not the one that the documentation shows.

Reads the symbol graphs that the compiler writes, so it sees what a user of the library sees.
Run from the top of the repository; needs only the Swift toolchain. Arguments are options of SwiftPM, such as where it
builds.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

# The products' modules, with their folders below Sources.
PRODUCTS = {"PhotoEditing": "PhotoEditing", "PhotoLibraryKit": "PhotoLibrary", "Photos": "Photos"}
PARTS = ["Adjustments", "Arguments", "Catalog", "EditCommands", "Files", "Filters", "Formats",
         "LookupTables", "Metadata", "Rendering", "Storage", "Vips"]
MODULES = PRODUCTS | {f"Safelight{part}": part for part in PARTS}
RECIPES = pathlib.Path("Tests/Engines/recipes")
ARTICLE = pathlib.Path("Sources/EditCommands/EditCommands.docc/BatchesOnManyMachines.md")


def symbol_graphs() -> pathlib.Path:
    run = subprocess.run(
        ["swift", "package", *sys.argv[1:], "dump-symbol-graph", "--minimum-access-level", "public",
         "--skip-synthesized-members"],
        capture_output=True, text=True)
    lines = [line for line in run.stdout.splitlines() if line.startswith("Files written to ")]
    if not lines:
        sys.exit(run.stdout + run.stderr)
    return pathlib.Path(lines[-1].removeprefix("Files written to "))


def undocumented(graph: dict) -> list[str]:
    """Symbols without a comment, but for witnesses of protocols that carry their own."""
    inherited = {edge["source"] for edge in graph["relationships"] if "sourceOrigin" in edge}
    names = []
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        if "::SYNTHESIZED::" in identifier or identifier in inherited:
            continue
        lines = symbol.get("docComment", {}).get("lines", [])
        if not any(line["text"].strip() for line in lines):
            place = symbol.get("location", {})
            file = place.get("uri", "?").rsplit("/", 1)[-1]
            line = place.get("position", {}).get("line", -1) + 1
            names.append(f"{file}:{line}: {'.'.join(symbol['pathComponents'])}")
    return names


def docc(graphs: pathlib.Path, module: str, name: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        only = pathlib.Path(folder) / "graphs"
        only.mkdir()
        for file in graphs.glob(f"{module}*.symbols.json"):
            shutil.copy(file, only)
        catalog = pathlib.Path("Sources") / name / f"{name}.docc"
        run = subprocess.run(
            ["docc", "convert", *([str(catalog)] if catalog.exists() else []),
             "--additional-symbol-graph-dir", str(only),
             "--fallback-display-name", module, "--fallback-bundle-identifier", module,
             "--output-path", str(pathlib.Path(folder) / "archive"), "--warnings-as-errors"],
            capture_output=True, text=True)
        return "" if run.returncode == 0 else run.stdout + run.stderr


def other_recipes() -> list[str]:
    """Recipes that the article does not show word for word."""
    article = ARTICLE.read_text()
    language = {".sh": "sh", ".py": "python"}
    return [str(recipe) for recipe in sorted(RECIPES.iterdir()) if recipe.is_file()
            and f"\n```{language[recipe.suffix]}\n{recipe.read_text()}```\n" not in article]


def main() -> None:
    graphs = symbol_graphs()
    failures = 0
    for module, name in MODULES.items():
        graph = json.loads((graphs / f"{module}.symbols.json").read_text())
        for name in undocumented(graph):
            print(f"no comment: {module}: {name}")
            failures += 1
        if complaint := docc(graphs, module, name):
            print(complaint)
            failures += 1
    for recipe in other_recipes():
        print(f"not as it stands in {ARTICLE.name}: {recipe}")
        failures += 1
    print(f"documentation: {len(MODULES)} modules, {failures} problems")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
