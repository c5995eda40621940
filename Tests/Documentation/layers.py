#!/usr/bin/env python3
"""Fails when a module imports what the arrows of ARCHITECTURE.md do not allow.

A module may import the modules that the tree has directly below it, those that stand later on its own level, and those
that stand under everything. Of all other modules below it may name single values (`import struct Module.Type`). What is
left besides is listed here with its reason and the number of files; fewer files fail, too, so the list can only shrink.

Run from the top of the repository; takes a fraction of a second.
"""

import pathlib
import re
import sys

SOURCES = pathlib.Path("Sources")
DOCUMENT = pathlib.Path("ARCHITECTURE.md").read_text()

# Under everything that needs them.
GROUND = {"Files", "Formats"}
# Not in the tree: it gives another module PhotoKit's names.
ABOVE = {"Photos": {"PhotoLibraryKit"}}
# They stand on one level and do not see each other.
NEVER = {("Rendering", "Storage")}
# The modules that call a library of the system.
LIBRARIES = {
    "CCrypto": {"Files", "Metadata"}, "CLCMS": {"Rendering"}, "CLinux": {"Files", "Processes", "Darkroom", "EditServer"},
    "CMicroHTTPD": {"EditServer"}, "CSQLite": {"Catalog"}, "CSeccomp": {"Processes"}, "CTurboJPEG": {"Rendering"},
    "CVips": {"Vips"}, "CZlib": {"Formats"},
}
# What is imported over the arrows, in how many files, and why.
EXCEPTIONS = {
    ("edit", "Darkroom"): (1, "main.swift forks the process without rights before anything else runs"),
    ("edit", "PhotoEditing"): (1, "main.swift has arguments as paths"),
    ("EditCommands", "Processes"): (2, "lines are read and written with the errors of system calls"),
    ("PhotoLibraryKit", "Storage"): (1, "a scan knows a folder's renders by its records"),
}

IMPORT = re.compile(
    r"^(@\w+ )?(?:public |package |internal |private )?import (?:(struct|enum|protocol|class|func|typealias) )?"
    r"(?:Safelight)?([A-Za-z]\w*)", re.MULTILINE)


def tree():
    """The modules of the tree with their levels, from top to bottom, and their folders."""
    block = DOCUMENT.split("```")[1]
    found = []
    for line in block.strip().splitlines():
        ascent, name, text = re.match(r"([ │├└]*)(\w+)\s+(.*)", line).groups()
        folder = re.match(r"Sources/(\w+)", text)
        path = SOURCES / (folder[1] if folder else name)
        found.append((len(ascent) // 2, name, path if path.is_dir() else pathlib.Path(name)))
    return found


def arrows(modules):
    """What each module may import as a whole."""
    parents, path = {}, []
    for level, name, _ in modules:
        path = path[:level]
        parents[name] = path[-1] if path else None
        path.append(name)
    names = list(parents)
    allowed = {}
    for place, name in enumerate(names):
        below = {other for other in names if parents[other] == name}
        beside = {other for other in names[place + 1:] if parents[other] == parents[name]}
        allowed[name] = {other for other in below | beside if (name, other) not in NEVER} | GROUND
    return allowed | ABOVE


def main():
    modules = tree()
    names = {name for _, name, _ in modules} | set(ABOVE)
    allowed = arrows(modules)
    folders = {name: folder for _, name, folder in modules} | {name: SOURCES / name for name in ABOVE}
    problems, crossing = [], {}
    for module, folder in folders.items():
        for file in sorted(folder.rglob("*.swift")):
            for exported, kind, imported in IMPORT.findall(file.read_text()):
                if imported in LIBRARIES and module not in LIBRARIES[imported]:
                    problems.append(f"{file}: {module} does not call {imported}")
                # What a module's interface names, it hands on by a single type.
                is_value = kind in ("struct", "enum", "protocol") or exported and kind
                if imported in names and imported not in allowed[module] and not is_value:
                    crossing.setdefault((module, imported), []).append(str(file))
    for pair in sorted(crossing.keys() | EXCEPTIONS.keys()):
        files, (known, _) = crossing.get(pair, []), EXCEPTIONS.get(pair, (0, ""))
        if len(files) > known:
            problems.append(f"{pair[0]} does not import {pair[1]}, but {', '.join(files)} do")
        elif len(files) < known:
            problems.append(f"{pair[0]} imports {pair[1]} in {len(files)} files, and no longer in {known}: "
                            f"lower the number in {sys.argv[0]}, or take the line away")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(folders)} modules keep to their arrows, but for "
          f"{sum(count for count, _ in EXCEPTIONS.values())} files with a reason")


if __name__ == "__main__":
    main()
