#!/usr/bin/env python3
"""Many processes work on the same few photos at once, while their folder and their files move under them.

    crowd.py EDIT [PHOTO] [--seconds N] [--processes N] [--seed N]

Each of the processes takes a photo by one of its names (its own, a symbolic link, through a link to the folder) and
applies, adjusts, undoes, redoes, reverts, saves and uses versions, verifies with --fix, relinks, renders again or only
looks; one in ten is killed. Meanwhile the folder is renamed and comes back, originals are replaced by identical copies,
their times go back and forth, and another program links them. On half of the photos nothing is ever reverted or
removed: there, each version that was reported as saved must be there in the end.

Afterwards, and after `verify --fix`: the originals' bytes are as they were, everything is as recorded, each render
is the one that its record names, nothing hidden is left, and no command took longer than a minute.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import plistlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

FILTERS = ["noir", "vivid", "sepia", "chrome", "mono"]
PATIENCE = 60


class Crowd:
    def __init__(self, edit, photo, folder, seed):
        self.edit, self.folder = edit, folder
        self.bytes = photo.read_bytes()
        self.home = folder / "photos"
        self.home.mkdir()
        self.names = [f"{number}.jpg" for number in range(10)]
        for name in self.names:
            (self.home / name).write_bytes(self.bytes)
            os.symlink(f"photos/{name}", folder / f"link-{name}")
        os.symlink("photos", folder / "also")
        self.kept = set(self.names[::2])
        self.saved = {name: set() for name in self.kept}
        self.counts, self.reasons, self.wrong = collections.Counter(), collections.Counter(), []
        self.lock, self.seed = threading.Lock(), seed
        self.over = threading.Event()

    def words(self, name, chance, serial):
        """A command; those that lose something are for photos that keep nothing."""
        version = f"v{serial}"
        choices = [["apply", chance.choice(FILTERS)], ["adjust", "--exposure", str(chance.uniform(-1, 1))], ["undo"],
                   ["redo"], ["verify", "--fix"], ["render", "--stale"], ["show", "--json"], ["relink"],
                   ["version", "save", version], ["rotate", "left"]]
        if name not in self.kept:
            choices += [["revert", "--yes", "--versions"], ["version", "save", "warm", "--replace"],
                        ["version", "use", "warm"], ["version", "remove", "warm"], ["crop", "--none"]]
        return chance.choice(choices)

    def told(self, body, *arguments):
        """Runs `body`; what it fails with is told."""
        try:
            body(*arguments)
        except Exception as failure:
            self.tell(f"{body.__name__} ended: {failure!r}")

    def work(self, number):
        chance = random.Random(self.seed * 1000 + number)
        serial = 0
        while not self.over.is_set():
            name, serial = chance.choice(self.names), serial + 1
            words = self.words(name, chance, f"{number}-{serial}")
            path = chance.choice([self.home / name, self.folder / f"link-{name}", self.folder / "also" / name])
            if words[0] == "relink":
                path = pathlib.Path(str(self.home / name) + ".aae")
            dies = chance.random() < 0.1
            process = subprocess.Popen([self.edit, *words, str(path)], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if dies:
                time.sleep(chance.uniform(0, 0.5))
                process.send_signal(signal.SIGKILL)
            try:
                _, errors = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                self.tell(f"{' '.join(words)} {name} took longer than {PATIENCE} seconds")
                continue
            code = process.returncode
            with self.lock:
                self.counts["killed" if dies and code < 0 else "done" if code == 0 else "refused"] += 1
                if code < 0 and not dies:
                    self.wrong.append(f"{words} on {name} ended with signal {-code}: {errors.decode()[:500]}")
                if code not in (0, 1) and code >= 0:
                    self.wrong.append(f"{words} on {name} ended with {code}: {errors.decode()[:500]}")
                if code == 1:
                    self.reasons[re.sub(r"\S*/(\S+)", r"\1", (errors.decode() or "nothing").splitlines()[0])] += 1
                if code == 0 and name in self.kept and words[:2] == ["version", "save"]:
                    self.saved[name].add(words[2])

    def tell(self, text):
        with self.lock:
            self.wrong.append(text)

    def disturb(self):
        chance = random.Random(self.seed)
        away = self.folder / "elsewhere"
        while not self.over.is_set():
            time.sleep(chance.uniform(0, 0.1))
            name = chance.choice(self.names)
            kind = chance.choice(["folder", "copy", "copy", "copy", "times", "link", "link"])
            if kind == "folder":
                self.home.rename(away)
                time.sleep(chance.uniform(0, 0.01))
                away.rename(self.home)
            elif kind == "copy":
                copy = self.home / f"copy-{name}.part"
                copy.write_bytes(self.bytes)
                copy.rename(self.home / name)
            elif kind == "times":
                moment = time.time() + chance.uniform(-1e6, 1e6)
                os.utime(self.home / name, (moment, moment))
            else:
                link = self.folder / "linked.jpg"
                os.link(self.home / name, link)
                link.unlink()

    def run(self, seconds, processes):
        threads = [threading.Thread(target=self.told, args=(self.work, number)) for number in range(processes)]
        threads.append(threading.Thread(target=self.told, args=(self.disturb,)))
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        self.over.set()
        for thread in threads:
            thread.join()

    def look(self):
        for _ in range(2):  # The second finds everything in order.
            fixed = subprocess.run([self.edit, "verify", "--fix", str(self.home)], capture_output=True)
        if fixed.returncode != 0:
            self.tell(f"verify: {fixed.stdout.decode()}{fixed.stderr.decode()}")
        expected = set(self.names)
        for name in self.names:
            if (self.home / name).read_bytes() != self.bytes:
                self.tell(f"the original {name} changed")
            sidecar = self.home / (name + ".aae")
            if not sidecar.exists():
                continue
            record = plistlib.loads(sidecar.read_bytes())["safelight"]
            # The render of an edit that shows the original went; the record still says what it was.
            kinds = ("base",) if "formerRender" in record else ("render", "base")
            files = [record[key] for key in kinds if key in record]
            files += [own[key] for own in (version.get("safelight", {}) for version in
                                           record.get("versions", {}).values()) for key in ("render", "base") if key in own]
            expected |= {sidecar.name} | {file["name"] for file in files}
            for file in files:
                path = self.home / file["name"]
                found = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "missing"
                if found != file["sha256"]:
                    self.tell(f"{file['name']} is not the one that the record names")
            listed = subprocess.run([self.edit, "show", "--json", str(self.home / name)], capture_output=True)
            if listed.returncode != 0:
                self.tell(f"show {name}: {listed.stderr.decode()}")
                continue
            versions = json.loads(listed.stdout).get("versions", [])
            expected |= {os.path.basename(version["rendered"]) for version in versions if version.get("rendered")}
            lost = self.saved.get(name, set()) - {version["name"] for version in versions}
            if lost:
                self.tell(f"{name} lost versions that were reported as saved: {sorted(lost)}")
        left = set(os.listdir(self.home)) - expected
        if left:
            self.tell(f"left behind: {sorted(left)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edit")
    parser.add_argument("photo", nargs="?",
                        default=pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "orientation" / "6.jpg")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        crowd = Crowd(os.path.abspath(options.edit), pathlib.Path(options.photo), pathlib.Path(name), options.seed)
        crowd.run(options.seconds, options.processes)
        crowd.told(crowd.look)
        if crowd.wrong:
            kept = pathlib.Path(tempfile.gettempdir()) / f"crowd-{options.seed}"
            shutil.copytree(crowd.folder, kept, symlinks=True)
            print(f"the folder is kept in {kept}")
    counts = crowd.counts
    saved = sum(len(names) for names in crowd.saved.values())
    print(f"{counts.total()} commands: {counts['done']} done, {counts['refused']} refused, {counts['killed']} killed; "
          f"{saved} versions saved")
    for reason, count in crowd.reasons.most_common():
        print(f"  {count} × {reason}")
    for text in crowd.wrong:
        print(text)
    print(f"{len(crowd.wrong)} wrong")
    raise SystemExit(1 if crowd.wrong else 0)


if __name__ == "__main__":
    main()
