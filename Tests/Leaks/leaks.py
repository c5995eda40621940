#!/usr/bin/env python3
"""Runs commands with libvips's leak check, and looks that no image, source or target is left at the end.

    leaks.py EDIT PHOTO...

Each photo goes through every command that makes pictures. libvips reports only when it is shut down, which `edit`
leaves to the end of the process; a small library that is loaded first does it. A program that forgets an image shows
that the report comes.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SHUTDOWN = """#include <vips/vips.h>
__attribute__((destructor)) static void end(void) {
  // Without pictures libvips is not started.
  if (g_type_from_name("VipsImage")) vips_shutdown();
}
"""
FORGETFUL = """#include <vips/vips.h>
int main(void) { vips_init("leak"); vips_image_new_memory(); return 0; }
"""

# Words of command lines; {} is the photo, and the folder is its own.
COMMANDS = [
    "apply noir {}",
    "adjust --exposure 0.5 --clarity 30 --shadows 40 --sharpen 50 --noise-reduction-luminance 30 --vignette -40 {}",
    "crop --aspect 1:1 {}", "straighten 3 {}", "rotate right {}", "auto {}", "undo {}", "version save look {}",
    "apply {folder}/warm.cube {}", "apply {folder}/hald-warm.png --add {}",
    "render {} -o {folder}/out.jpg", "render {} -o {folder}/out.png", "render {} -o {folder}/out.tif --longest-side 50",
    "render {} -o {folder}/out.webp --longest-side 90", "compare {} -o {folder}/compare.png", "show {}",
    "filters --sheet {} -o {folder}/sheet.jpg noir fade", "verify {}", "revert --yes --versions {}",
]


def alive(command, environment):
    """The exit code of a command, its messages, and libvips's report of what it left."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
    found = re.search(r"(\d+) objects alive:(.*)", done.stderr, re.DOTALL)
    return done.returncode, done.stderr, found[0][:600] if found else None


def check(edit, photo, environment, luts):
    """Runs all commands on a copy of a photo; returns how many succeeded, and what was wrong."""
    done, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(photo, folder)
        for lut in luts:
            shutil.copy(lut, folder)
        for line in COMMANDS:
            words = [word.format(copy, folder=folder) for word in line.split()]
            code, messages, leak = alive([edit, *words], environment)
            done += code == 0
            # libvips 8.14 itself forgets images when it cannot finish a WebP, as
            # `vips webpsave "truncated.jpg[fail_on=truncated]" out.webp` shows.
            if code == 1 and leak and "out.webp" in line:
                continue
            if leak or code not in (0, 1):
                wrong.append(f"edit {' '.join(words)}: {leak or messages}")
    return done, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edit", type=pathlib.Path)
    parser.add_argument("photos", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    luts = pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "luts"
    with tempfile.TemporaryDirectory() as folder:
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "vips"], check=True, capture_output=True, text=True)
        for name, text, more in (("shutdown", SHUTDOWN, ["-shared", "-fPIC"]), ("forgetful", FORGETFUL, [])):
            source = pathlib.Path(folder) / f"{name}.c"
            source.write_text(text)
            subprocess.run(["clang", source, "-o", f"{folder}/{name}", *more, *flags.stdout.split()], check=True)
        environment = os.environ | {"VIPS_LEAK": "1", "SAFELIGHT_IN_PROCESS": "1", "LD_PRELOAD": f"{folder}/shutdown"}
        if not alive([f"{folder}/forgetful"], environment)[2]:
            sys.exit("libvips reports no leak of a program that has one")
        luts = [luts / "warm.cube", luts / "hald-warm.png"]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(
                lambda photo: check(options.edit.resolve(), photo, environment, luts), options.photos))
    wrong = [each for _, found in results for each in found]
    print(*wrong, sep="\n")
    print(f"{sum(done for done, _ in results)} commands succeeded with {len(options.photos)} photos, "
          f"{len(wrong)} left something behind")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
