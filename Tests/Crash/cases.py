#!/usr/bin/env python3
"""Edits a photo on a disk that does not tell capital letters from small ones.

The disk is a FUSE file system over a folder; it needs /dev/fuse, libfuse2 and the package fusepy from
PyPI. It knows no rename that refuses to replace, and with --no-links no hard links either, as FAT. The
photo is named in several spellings, and `edit` is killed at random times in between. Afterwards there
is one photo with one edit, and after a revert the photo alone.
"""
import argparse
import errno
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

FACTS = ("st_atime", "st_ctime", "st_gid", "st_ino", "st_mode", "st_mtime", "st_nlink", "st_size", "st_uid")
SPACE = ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_favail", "f_ffree", "f_files", "f_frsize", "f_namemax")


def serve(folder, mount, has_links):
    """Shows a folder under a mount point, with names in any spelling, until it is unmounted."""
    from fuse import FUSE, FuseOSError, Operations

    def spelled(path):
        place = folder
        for part in filter(None, path.split("/")):
            names = os.listdir(place) if os.path.isdir(place) else []
            same = [name for name in names if name.lower() == part.lower()]
            place = os.path.join(place, (same or [part])[0])
        return place

    class Disk(Operations):
        def access(self, path, mode):
            if not os.access(spelled(path), mode):
                raise FuseOSError(errno.EACCES)

        def getattr(self, path, file=None):
            status = os.fstat(file) if file else os.lstat(spelled(path))
            return {key: getattr(status, key) for key in FACTS}

        def statfs(self, path):
            status = os.statvfs(spelled(path))
            return {key: getattr(status, key) for key in SPACE}

        def readdir(self, path, file):
            return [".", ".."] + os.listdir(spelled(path))

        def rename(self, old, new):
            old, target = spelled(old), spelled(new)
            if old == target:
                target = os.path.join(os.path.dirname(target), os.path.basename(new))
            os.rename(old, target)

        def link(self, new, old):
            if not has_links:
                raise FuseOSError(errno.EPERM)
            if os.path.lexists(spelled(new)):
                raise FuseOSError(errno.EEXIST)
            os.link(spelled(old), spelled(new))

        def create(self, path, mode, file=None):
            return os.open(spelled(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

        def truncate(self, path, length, file=None):
            os.truncate(spelled(path), length)

        def open(self, path, flags):
            return os.open(spelled(path), flags)

        def read(self, path, size, offset, file):
            return os.pread(file, size, offset)

        def write(self, path, data, offset, file):
            return os.pwrite(file, data, offset)

        def fsync(self, path, only_data, file):
            os.fsync(file)

        def release(self, path, file):
            os.close(file)

        def chmod(self, path, mode):
            os.chmod(spelled(path), mode)

        def chown(self, path, user, group):
            os.chown(spelled(path), user, group)

        def utimens(self, path, times=None):
            os.utime(spelled(path), times)

        def mkdir(self, path, mode):
            os.mkdir(spelled(path), mode)

        def rmdir(self, path):
            os.rmdir(spelled(path))

        def unlink(self, path):
            os.unlink(spelled(path))

    FUSE(Disk(), mount, nothreads=True, foreground=True, use_ino=True)


def round_trip(edit, folder, original, rand):
    """Kills an edit under one spelling and edits under another. Returns what is wrong."""
    one, two = rand.sample(["p.jpg", "P.JPG", "P.jpg"], 2)
    edits = ["noir", "sepia", "mono", "vivid"]
    killed = subprocess.Popen([edit, "apply", rand.choice(edits), one], cwd=folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(rand.random() * 0.25)
    killed.kill()
    killed.wait()
    commands = [["apply", rand.choice(["fade", "chrome"]), two], ["verify", "--fix", "."]]
    if rand.random() < 0.3:
        commands.append(["revert", one])
    for command in commands:
        done = subprocess.run([edit, *command], cwd=folder, capture_output=True, text=True, timeout=60)
        if done.returncode:
            yield f"{' '.join(command)}: {done.stdout}{done.stderr}"
    names = {name.lower() for name in os.listdir(folder)}
    wanted = {"p.jpg"} if len(commands) == 3 else {"p.jpg", "p.jpg.aae", "p_edited.jpg"}
    if names != wanted:
        yield f"the folder has {sorted(names)}"
    if (folder / "p.jpg").read_bytes() != original:
        yield "the original has changed"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("edit", type=pathlib.Path)
    parser.add_argument("photo", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--no-links", action="store_true")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(*options.serve, not options.no_links)
    print(f"seed {options.seed}")
    rand = random.Random(options.seed)
    original = options.photo.read_bytes()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for name in ("folder", "disk"):
            (scratch / name).mkdir()
        disk = scratch / "disk"
        server = subprocess.Popen([sys.executable, __file__, *sys.argv[1:], "--serve", scratch / "folder", disk])
        try:
            while not os.path.ismount(disk):
                if server.poll() is not None:
                    sys.exit("the disk could not be mounted")
                time.sleep(0.05)
            (disk / "p.jpg").write_bytes(original)
            problems = [f"round {number}: {problem}" for number in range(options.rounds)
                        for problem in round_trip(options.edit.resolve(), disk, original, rand)]
        finally:
            subprocess.run(["fusermount", "-u", disk])
            server.wait()
    print("\n".join(problems[:20]))
    print(f"{options.rounds} kills on a disk without capital letters, {len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
