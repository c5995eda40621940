#!/usr/bin/env python3
"""Drives the page of `edit serve` in a real Chromium.

    run.py [--case NAME]... [--but NAME]... [--seconds N] [--photos N] [--looks N]
           [--pictures FOLDER] EDIT

EDIT is the program. Every case serves folders of its own on this machine's loopback and ends its server. Without
--case all run, without those of --but. After --seconds no further case begins, so that a slow machine has fewer and
fails none. --photos sets how long the list is that is scrolled (3,000 without it; 100,000 takes some minutes to
index). --looks has the accessibility checker see so many of the four looks: dark on a phone, light and wide, light on a
phone, dark and wide. --pictures keeps screenshots of the main states. Needs Debian's chromium, and from PyPI playwright,
axe-playwright-python and pillow.
"""

import argparse
import pathlib
import sys
import tempfile
import time
import traceback

import controls
import crowds
import looks
import people
import saving
import touching
import videos
from playwright.sync_api import sync_playwright
from served import Failure

CASES = saving.CASES + touching.CASES + controls.CASES + people.CASES + looks.CASES + videos.CASES + crowds.CASES


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edit", type=pathlib.Path)
    parser.add_argument("--case", action="append", choices=[case.__name__ for case in CASES])
    parser.add_argument("--but", action="append", choices=[case.__name__ for case in CASES], default=[])
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--photos", type=int, default=3000)
    parser.add_argument("--looks", type=int, default=4)
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    given = parser.parse_args()
    crowds.PHOTOS = given.photos
    looks.PICTURES, looks.LOOKS = given.pictures, given.looks
    failed = 0
    end = time.monotonic() + given.seconds
    with sync_playwright() as playwright:
        # Root has no user namespaces for the browser's own sandbox in containers; it looks at 127.0.0.1 only.
        browser = playwright.chromium.launch(executable_path=given.chromium, args=["--no-sandbox", "--enable-precise-memory-info"])
        for case in CASES:
            if given.case and case.__name__ not in given.case or case.__name__ in given.but:
                continue
            if time.monotonic() > end:
                print(f"{case.__name__}: not run, the time is over", flush=True)
                continue
            began = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="browser-") as scratch:
                try:
                    said = case(given.edit, pathlib.Path(scratch), browser)
                    print(f"{case.__name__}: ok, {time.monotonic() - began:.1f} s{f', {said}' if said else ''}", flush=True)
                except Failure as failure:
                    failed += 1
                    print(f"{case.__name__}: FAILED: {failure}", flush=True)
                except Exception as error:
                    failed += 1
                    places = [step for step in traceback.extract_tb(error.__traceback__) if "Browser" in step.filename]
                    lines = ", ".join(f"{pathlib.Path(step.filename).name}:{step.lineno}" for step in places[1:])
                    print(f"{case.__name__}: FAILED at {lines}: {str(error)[:600]}", flush=True)
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
