#!/usr/bin/env python3
"""Two edits of a photo at once, while another program puts copies in the original's place.

    replaced.py EDIT PHOTO [--rounds N] [--different]

Each round: a thread copies the original and renames the copy over it, again and again, as rsync and many
programs do; meanwhile two processes edit the photo. Afterwards the record and the render must belong together,
nothing hidden may be left, and each process that reported success must have made an edit. With --different the
copies alternate between two pictures: an edit may then be refused, and never be of the other picture.
"""

import argparse
import hashlib
import json
import os
import pathlib
import plistlib
import shutil
import subprocess
import sys
import tempfile
import threading


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def replacing(photo, pictures, stop):
    count = 0
    while not stop.is_set():
        copy = photo.with_name("copy.tmp")
        shutil.copyfile(pictures[count % len(pictures)], copy)
        os.rename(copy, photo)
        count += 1


def check(edit, photo, successes):
    """What is wrong after a round; an empty list when nothing is."""
    wrong = []
    hidden = [name for name in os.listdir(photo.parent) if name.startswith(".")]
    if hidden:
        wrong.append(f"left behind: {hidden}")
    record = photo.with_name(photo.name + ".aae")
    if not record.exists():
        return wrong + (["success was reported and there is no record"] if successes else [])
    own = plistlib.loads(record.read_bytes())["safelight"]
    render = photo.with_name(own["render"]["name"])
    if not render.exists():
        wrong.append("the render is missing")
    elif digest(render) != own["render"]["sha256"]:
        wrong.append("the render is not the record's")
    if len(own["history"]) + 1 < successes:
        wrong.append(f"{successes} edits succeeded, and {len(own['history']) + 1} are recorded")
    if digest(photo) == own["original"]["sha256"]:
        verify = subprocess.run([edit, "verify", photo], capture_output=True, text=True)
        if verify.returncode != 0:
            wrong.append(verify.stdout + verify.stderr)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edit", type=pathlib.Path)
    parser.add_argument("photo", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--different", action="store_true")
    arguments = parser.parse_args()
    edit = arguments.edit.resolve()
    failures = refused = 0
    with tempfile.TemporaryDirectory(prefix="safelight-replaced-") as scratch:
        scratch = pathlib.Path(scratch)
        pictures = [arguments.photo]
        if arguments.different:
            other = scratch / "other.jpg"
            other.write_bytes(arguments.photo.read_bytes() + b"\0")
            pictures.append(other)
        for number in range(arguments.rounds):
            folder = scratch / str(number)
            folder.mkdir()
            photo = folder / "beach.jpg"
            shutil.copyfile(arguments.photo, photo)
            stop = threading.Event()
            thread = threading.Thread(target=replacing, args=(photo, pictures, stop))
            thread.start()
            edits = [
                subprocess.Popen(
                    [edit, "apply", look, photo, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                for look in ("noir", "vivid")
            ]
            results = [process.communicate() for process in edits]
            stop.set()
            thread.join()
            successes = sum(process.returncode == 0 for process in edits)
            refused += len(edits) - successes
            wrong = check(edit, photo, successes)
            for process, (output, errors) in zip(edits, results):
                if process.returncode not in (0, 1):
                    wrong.append(f"exit {process.returncode}: {errors}")
                elif process.returncode == 1 and not arguments.different:
                    wrong.append(f"refused: {errors or output}")
            if wrong:
                failures += 1
                print(f"round {number}: " + "; ".join(wrong))
            shutil.rmtree(folder)
    kind = "different" if arguments.different else "identical"
    print(f"{arguments.rounds} rounds with {kind} copies: {failures} wrong, {refused} edits refused")
    sys.exit(1 if failures else 0)


main()
