#!/usr/bin/env python3
"""Damages photos and sidecars at random and looks that `edit` answers each with a picture or an error.

    fuzz.py EDIT FOLDER... [--cases N] [--seed N]

Never a crash, a hang, a changed original, or a file left behind after an error.
"""

import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import tempfile


def damaged(data, chance):
    data = bytearray(data)
    for _ in range(chance.choice([1, 2, 4, 16])):
        kind, at = chance.randrange(6), chance.randrange(len(data))
        if kind < 3:
            # Most of what a decoder trusts stands near the start.
            data[at if kind else min(at, chance.randrange(1024) % len(data))] = chance.randrange(256)
        elif kind == 3:
            data[at:at + 4] = chance.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff"])
        elif kind == 4:
            del data[at:at + chance.randrange(1, 64)]
        else:
            data[at:at] = data[chance.randrange(len(data)):][:chance.randrange(1, 64)]
        if not data:
            return b"\0"
    return bytes(data[:chance.randrange(len(data))] if chance.random() < 0.1 else data)


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def case(edit, original, chance):
    """Runs one case; returns what went wrong, or None."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        photo = folder / original.name
        data = original.read_bytes()
        sidecar = None
        if chance.random() < 0.25:
            photo.write_bytes(data)
            made = subprocess.run([edit, "apply", "fade", "-q", photo], capture_output=True)
            sidecar = folder / (original.name + ".aae")
            if made.returncode != 0 or not sidecar.exists():
                return None
            sidecar.write_bytes(damaged(sidecar.read_bytes(), chance))
        else:
            data = damaged(data, chance)
            photo.write_bytes(data)
        before = {name: (folder / name).read_bytes() for name in os.listdir(folder)}
        try:
            done = subprocess.run([edit, "apply", "noir", "--json", photo], capture_output=True,
                                  timeout=60, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            return "hangs"
        if photo.read_bytes() != data:
            return "changed the original"
        if done.returncode not in (0, 1):
            return f"ended with {done.returncode}: {done.stderr[-200:]}"
        result = json.loads(done.stdout)
        after = {name: (folder / name).read_bytes() for name in os.listdir(folder)}
        if done.returncode == 1 and after != before:
            return f"an error left {sorted(set(after) ^ set(before))}"
        if done.returncode == 0 and result["status"] not in ("edited", "unchanged", "skipped"):
            return f"status {result['status']}"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edit")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    edit = os.path.abspath(options.edit)
    photos = sorted(file for folder in options.folders for file in pathlib.Path(folder).iterdir()
                    if file.is_file() and file.stat().st_size < 1 << 20
                    and file.suffix.lower() in (".jpg", ".png", ".tif", ".webp", ".heic", ".avif"))
    failures = 0
    for number in range(options.cases):
        # Each case has a seed of its own, so that one can be repeated without the others.
        chance = random.Random(f"{options.seed} {number}")
        original = chance.choice(photos)
        if problem := case(edit, original, chance):
            failures += 1
            print(f"seed {options.seed}, case {number}, {original.name}: {problem}")
    print(f"seed {options.seed}: {len(photos)} files damaged {options.cases} times")
    print(f"{options.cases - failures} passed, {failures} failed")
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
