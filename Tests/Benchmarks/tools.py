"""Finds the programs that take part, and says what machine and which versions they are."""

import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

# A program's name, how to ask its version, and where the answer stands in what it prints.
PROGRAMS = {
    "vips": (["vips", "--version"], r"vips-(\S+)"),
    "vipsthumbnail": (["vipsthumbnail", "--vips-version"], r"(\d+\.\d+\S*)"),
    "hyperfine": (["hyperfine", "--version"], r"hyperfine (\S+)"),
    "GNU time": (["/usr/bin/time", "--version"], r"(\d+\.\d+)"),
    "djpeg": (["djpeg", "-version"], r"version (\S+)"),
    "cjpeg": (["cjpeg", "-version"], r"version (\S+)"),
    "ImageMagick": (["convert", "-version"], r"ImageMagick (\S+)"),
    "GraphicsMagick": (["gm", "version"], r"GraphicsMagick (\S+)"),
    "gmic": (["gmic", "-version"], r"[Vv]ersion (\d+(?:\.\d+)+)"),
    "ffmpeg": (["ffmpeg", "-version"], r"ffmpeg version (\S+)"),
    "darktable-cli": (["darktable-cli", "--version"], r"darktable-cli (\S+)"),
    "RawTherapee": (["rawtherapee-cli", "-h"], r"version (\d[^,\s]*)"),
}

# Python packages: what to import, and what says the version.
PACKAGES = {
    "pyvips": "import pyvips; print(pyvips.__version__)",
    "Pillow": "import PIL.Image, PIL.ImageFilter; print(PIL.__version__)",
    "OpenCV": "import cv2, numpy; print(cv2.__version__)",
}

INSTALL = "apt-get install hyperfine time libvips-tools libjpeg-turbo-progs"


def output(words):
    """What a command prints, on either stream; nothing when it cannot run."""
    try:
        done = subprocess.run(words, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout + done.stderr).decode(errors="replace")


class Tools:
    """The programs that are there: `versions` by name, and `python`, which has a package."""

    def __init__(self, edit, pythons=()):
        self.edit = edit
        self.versions = {}
        self.python = {}
        # Version 7 calls itself magick, and has convert only for those who knew version 6.
        self.magick = "magick" if shutil.which("magick") else "convert"
        for name, (words, pattern) in PROGRAMS.items():
            if shutil.which(words[0]):
                found = re.search(pattern, output(words))
                self.versions[name] = found.group(1) if found else ""
        if self.magick != "convert":
            found = re.search(r"ImageMagick (\S+)", output([self.magick, "-version"]))
            self.versions["ImageMagick"] = found.group(1) if found else ""
        candidates = [*pythons, sys.executable, "/usr/bin/python3"]
        for name, code in PACKAGES.items():
            for python in candidates:
                done = subprocess.run([python, "-c", code], capture_output=True)
                if done.returncode == 0:
                    self.versions[name] = done.stdout.decode().strip()
                    self.python[name] = python
                    break
        said = output([str(edit), "--version"]).strip()
        self.versions["Safelight"] = said.splitlines()[0].removeprefix("edit").strip() or "unknown"

    def __contains__(self, name):
        return name in self.versions

    def missing(self, timed, batch):
        """The programs without which the work that is asked for cannot be done."""
        needed = ["vips", "GNU time", *(["hyperfine"] if timed else []),
                  *(["djpeg", "cjpeg"] if batch else [])]
        return [name for name in needed if name not in self]


def machine():
    """What the numbers depend on."""
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.lower().startswith(("model name", "hardware")):
            model = line.split(":", 1)[1].strip()
            break
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    system = re.search(r'PRETTY_NAME="([^"]*)"', pathlib.Path("/etc/os-release").read_text())
    return {
        "processor": model,
        "cores": len(os.sched_getaffinity(0)),
        "memory": f"{pages / 2**30:.0f} GB",
        "kernel": platform.release(),
        "system": system.group(1) if system else "unknown system",
    }
