#!/usr/bin/env python3
"""Lets single system calls of `edit library` fail, SQLite's too, and looks what is left.

    refusals.py EDIT [--faults N] [--seconds S] [--seed N] [--jobs N]

strace refuses the n-th call of a kind that touches the library or its photos, once or from then on. The
command then ends with an error or without one. Afterwards the photos are what they were, the library is
old or new, and sound, and nothing hidden is left.
"""

import argparse
import collections
import hashlib
import multiprocessing
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
PHOTOS = sorted((TOP / "Fixtures" / "orientation").glob("?.jpg"))[:4]
CALLS = {
    "openat": ["EIO", "EACCES", "EMFILE", "ENOSPC", "EROFS"],
    "pread64": ["EIO"], "read": ["EIO"], "getdents64": ["EIO"],
    "newfstatat": ["EIO", "EACCES"], "fstat": ["EIO"],
    "write": ["EIO", "ENOSPC", "EDQUOT", "EINTR"], "pwrite64": ["EIO", "ENOSPC", "EDQUOT", "EINTR"],
    "fsync": ["EIO", "ENOSPC", "EINTR"], "fdatasync": ["EIO", "ENOSPC", "EINTR"],
    "ftruncate": ["EIO", "ENOSPC", "EINTR"], "fallocate": ["ENOSPC"],
    "renameat": ["EIO", "EACCES", "ENOSPC"], "renameat2": ["EIO", "EACCES", "EROFS"],
    "unlink": ["EIO", "EACCES"], "unlinkat": ["EIO", "EACCES"], "mkdirat": ["EIO", "EDQUOT"],
    "flock": ["EIO", "EINTR"], "fcntl": ["EIO", "EINTR"], "mmap": ["ENOMEM"],
}
COMMANDS = {
    "favorite": ("favorite", "photos/2.jpg"),
    "album": ("album", "add", "Sea", "photos/2.jpg"),
    "trash": ("trash", "put", "photos/2.jpg"),
    "restore": ("trash", "restore", "photos/3.jpg"),
    "empty": ("trash", "empty", "--yes"),
    "add": ("add", "more"),
    "remove": ("remove", "more2"),
    "scan": ("scan",),
    "fix": ("verify", "--fix"),
    "rebuild": ("rebuild",),
    "list": ("list",),
}


class Bench:
    def __init__(self, edit, root):
        self.edit, self.base, self.work = edit, root / "base", root / "work"
        for name in ["photos", "more", "more2"]:
            (self.work / name).mkdir(parents=True)
        for photo in PHOTOS[:3]:
            shutil.copy(photo, self.work / "photos")
        shutil.copy(PHOTOS[3], self.work / "more" / "4.jpg")
        shutil.copy(PHOTOS[3], self.work / "more2" / "5.jpg")
        subprocess.run([edit, "apply", "noir", "-q", "photos/3.jpg"], cwd=self.work, check=True)
        for words in [("init",), ("add", "photos", "more2"), ("favorite", "photos/1.jpg"),
                      ("album", "create", "Sea"), ("album", "add", "Sea", "photos/1.jpg"),
                      ("trash", "put", "photos/3.jpg"), ("verify", "--fix")]:
            done = self.run(*words)
            if done.returncode != 0:
                sys.exit(f"{words}: {done.stderr.decode()}")
        shutil.copytree(self.work, self.base)
        self.counts, self.new = {}, {}
        self.old = self.view()
        for name, words in COMMANDS.items():
            self.renew()
            self.counts[name] = self.count(words)
            self.new[name] = self.view()

    def run(self, *words, through=()):
        return subprocess.run(
            [*through, self.edit, "library", *words, "--library", "library"], capture_output=True,
            timeout=60, stdin=subprocess.DEVNULL, cwd=self.work)

    def renew(self):
        shutil.rmtree(self.work)
        shutil.copytree(self.base, self.work)
        # The copies of the photos are other files.
        self.run("scan")

    def strace(self, *more):
        paths = [word for path in [self.work, *sorted(self.work.rglob("*")), "library/catalogue.sqlite-wal",
                                   "library/catalogue.sqlite-shm", "library/catalogue.rebuilding.sqlite",
                                   "library/catalogue.rebuilding.sqlite-wal", "library/catalogue.rebuilt.sqlite"]
                 for word in ("-P", str(self.work / path))]
        return ["strace", "-f", "-qq", "-o", str(self.work.parent / "trace"), *paths, *more]

    def count(self, words):
        """How often a command makes each call."""
        done = self.run(*words, through=self.strace("-e", "trace=" + ",".join(CALLS)))
        if done.returncode != 0:
            sys.exit(f"{words}: {done.stderr.decode()}")
        calls = collections.Counter()
        for line in (self.work.parent / "trace").read_text(errors="replace").splitlines():
            name = line.split(maxsplit=1)[1].split("(")[0]
            if name in CALLS and "resumed" not in line:
                calls[name] += 1
        return calls

    def view(self):
        """What the library and the folders have; a photo may be in the trash beside it."""
        lines = [sorted(self.run(*words).stdout.splitlines()) for words in [
            ("list", "--hidden"), ("album", "list"), ("trash", "list"), ("album", "show", "Sea")]]
        files = collections.Counter()
        for path in self.work.rglob("*"):
            if path.suffix != ".claim" and path.is_file() and self.work / "library" not in path.parents:
                name = ".safelight-trash" if ".safelight-trash" in str(path) else path.name
                files[name, hashlib.sha256(path.read_bytes()).hexdigest()] += 1
        return lines, files

    def hidden(self):
        return [str(path) for path in self.work.rglob(".safelight-*")
                if path.is_file() and path.suffix != ".claim"] + [
            str(path) for path in (self.work / "library").rglob(".incoming/*")]


def fault(bench, seed):
    chance = random.Random(seed)
    bench.renew()
    name = chance.choice(list(COMMANDS))
    call = chance.choice([call for call, count in bench.counts[name].items() if count])
    number, reason = chance.randint(1, bench.counts[name][call]), chance.choice(CALLS[call])
    forever = "+" if reason != "EINTR" and chance.random() < 0.3 else ""
    what = f"seed {seed}: {name}, {call} number {number}{forever} {reason}"
    photos = {path: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode)
              for path in bench.work.rglob("*.jpg") if path.name in ["1.jpg", "2.jpg", "4.jpg", "5.jpg"]}
    wrong = []
    done = bench.run(*COMMANDS[name], through=bench.strace(
        "-e", f"trace={call}", "-e", f"inject={call}:error={reason}:when={number}{forever}"))
    if done.returncode not in [0, 1]:
        wrong.append(f"ends with {done.returncode}: {done.stderr.decode(errors='replace')[-200:]}")
    for path, facts in photos.items():
        if not path.exists() or (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode) != facts:
            wrong.append(f"{path.name} changed")
    checked = bench.run("verify")
    found = bench.view()
    allowed = [bench.old, bench.new[name]]
    if done.returncode == 0 and name == "empty" and found != bench.new[name]:
        wrong.append("was reported as done and is not")
    if name in ["add", "remove", "scan", "fix", "rebuild", "empty"]:
        # These go on where they ended.
        again = bench.run(*COMMANDS[name])
        if again.returncode != 0 and name != "remove":
            wrong.append(f"cannot be repeated: {again.stderr.decode(errors='replace')[-200:]}")
        found, allowed = bench.view(), [bench.new[name]]
        checked = bench.run("verify")
    if checked.returncode != 0:
        wrong.append(f"not sound: {(checked.stdout + checked.stderr).decode(errors='replace')[-300:]}")
    if found not in allowed:
        wrong.append(f"neither old nor new: {found}")
    if done.returncode == 0 and found != bench.new[name]:
        wrong.append("was reported as done and is not")
    wrong += [f"{path} is left" for path in bench.hidden()]
    return name, [f"{what}: {one}" for one in wrong]


def work(given):
    edit, seeds, end = given
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as root:
        bench = Bench(edit, pathlib.Path(root).resolve())
        found = []
        for seed in seeds:
            if time.monotonic() > end:
                break
            found.append(fault(bench, seed))
            for line in found[-1][1]:
                print(line, flush=True)
        return found


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("edit", type=pathlib.Path)
    options.add_argument("--faults", type=int, default=200)
    options.add_argument("--seconds", type=float, default=float("inf"), help="begin no fault later than this")
    options.add_argument("--seed", type=int, default=1, help="the number of the first fault")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    given = options.parse_args()
    end = time.monotonic() + given.seconds
    seeds = range(given.seed, given.seed + given.faults)
    shares = [(given.edit.resolve(), seeds[job::given.jobs], end) for job in range(given.jobs)]
    with multiprocessing.Pool(given.jobs) as pool:
        found = [one for share in pool.map(work, shares) for one in share]
    kinds = collections.Counter(name for name, _ in found)
    kinds = ", ".join(f"{count} {name}" for name, count in sorted(kinds.items()))
    bad = sum(bool(wrong) for _, wrong in found)
    print(f"{len(found)} refused system calls ({kinds}): " + (f"{bad} went wrong" if bad else "nothing was lost"))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
