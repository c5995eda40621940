#!/usr/bin/env python3
"""Kills batches of `edit` and their decoders at random times, and looks what is left.

    batches.py EDIT PHOTO [--kills N] [--seed N]

A batch applies a filter to copies of the photo. Either one of its decoders is killed, which must cost
at most the photo it was at, or the batch itself, whose decoders must end with it. After each: the
originals are as they were, every photo has wholly the old or wholly the new edit, and the same
command again does what is left: then every render has the bytes that a single run gives it, and
nothing else lies in the folder.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

from kill import Half, facts

COUNT = 12


def children(process):
    found = []
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/children") as file:
                found += map(int, file.read().split())
    except OSError:
        pass  # It has ended.
    return found


def ended(process):
    try:
        os.kill(process, 0)
        return False
    except ProcessLookupError:
        return True


class Batch:
    def __init__(self, edit, photo, folder):
        self.edit, self.folder = edit, folder
        self.photos = [folder / f"{number:02d}{photo.suffix}" for number in range(COUNT)]
        for path in self.photos:
            path.write_bytes(photo.read_bytes())
        self.before = [facts(path) for path in self.photos]

    def command(self, *more):
        return [self.edit, "apply", "noir", "--json", "--jobs", "3", *more, *map(str, self.photos)]

    def check_originals(self):
        if [facts(path) for path in self.photos] != self.before:
            raise Half("an original changed")

    def check_edits(self):
        shown = subprocess.run([self.edit, "show", "--json", *map(str, self.photos)],
                               capture_output=True, timeout=120)
        if shown.returncode != 0:
            raise Half(f"show failed: {shown.stderr.decode()}")
        edited = 0
        for line in shown.stdout.splitlines():
            state = json.loads(line)
            warnings = [text for text in state.get("warnings", []) if "interrupted" not in text]
            if warnings:
                raise Half(f"show warns: {warnings}")
            edited += "edit" in state
        return edited

    def finish(self, render):
        done = subprocess.run(self.command(), capture_output=True, timeout=300)
        if done.returncode != 0:
            raise Half(f"the second run failed: {done.stderr.decode()}")
        for path in self.photos:
            made = path.with_name(path.stem + "_edited.jpg").read_bytes()
            # The render names its original, so only its pixels are the same in all.
            if made[made.rindex(b"\xff\xda"):] != render:
                raise Half(f"{path.name} has another render")
        names = {path.name + end for path in self.photos for end in ("", ".aae")}
        names |= {path.stem + "_edited.jpg" for path in self.photos}
        if set(os.listdir(self.folder)) != names:
            raise Half(f"left behind: {sorted(set(os.listdir(self.folder)) - names)}")


def kill_decoder(batch, delay):
    """Kills one decoder; returns whether it was at a photo."""
    process = subprocess.Popen(batch.command(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    time.sleep(delay)
    decoders = children(process.pid)
    if decoders:
        os.kill(decoders[0], signal.SIGKILL)
    output = process.communicate(timeout=300)[0]
    results = [json.loads(line) for line in output.splitlines()]
    if [result["photo"] for result in results] != [str(path) for path in batch.photos]:
        raise Half("the results are not those of the photos, in their order")
    failed = [result for result in results if result["status"] == "failed"]
    if len(failed) > 1 or any(it["error"]["code"] != "worker-crashed" for it in failed):
        raise Half(f"more than the killed decoder's photo failed: {failed}")
    return bool(failed)


def kill_batch(batch, delay):
    process = subprocess.Popen(batch.command(), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    time.sleep(delay)
    decoders = children(process.pid)
    process.kill()
    process.wait()
    limit = time.monotonic() + 60
    while not all(map(ended, decoders)):
        if time.monotonic() > limit:
            raise Half("a decoder outlives its batch")
        time.sleep(0.01)
    return bool(decoders)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edit")
    parser.add_argument("photo")
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    chance = random.Random(options.seed)
    edit, photo = os.path.abspath(options.edit), pathlib.Path(options.photo).resolve()

    with tempfile.TemporaryDirectory() as name:
        batch = Batch(edit, photo, pathlib.Path(name))
        start = time.monotonic()
        subprocess.run(batch.command(), check=True, capture_output=True)
        longest = time.monotonic() - start
        render = (pathlib.Path(name) / "00_edited.jpg").read_bytes()
        render = render[render.rindex(b"\xff\xda"):]

    hits = failures = 0
    for number in range(options.kills):
        die = (kill_decoder, kill_batch)[number % 2]
        with tempfile.TemporaryDirectory() as name:
            batch = Batch(edit, photo, pathlib.Path(name))
            try:
                hits += die(batch, chance.uniform(0, longest))
                batch.check_originals()
                batch.check_edits()
                batch.finish(render)
                batch.check_originals()
            except Half as half:
                failures += 1
                print(f"{die.__name__}: {half}")
    print(f"{options.kills} kills, {hits} of them at work, {failures} failed")
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
