"""Where fixtures are written, and the command line tools that develop them."""

import os
import subprocess
from pathlib import Path


class ToolFailed(Exception):
    """A command line tool ended with an error; the text is what it printed."""


class Darkroom:
    """A folder of finished fixtures and a scratch folder for the steps between."""

    def __init__(self, folder, scratch):
        self.folder, self.scratch = Path(folder), Path(scratch)
        self._scratch_files = 0

    def path(self, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, name, content):
        self.path(name).write_bytes(content)

    def read(self, name):
        return self.path(name).read_bytes()

    def temporary(self, suffix, content=None):
        """A new path in the scratch folder, holding `content` when there is any."""
        self._scratch_files += 1
        path = self.scratch / f"{self._scratch_files:03}{suffix}"
        if content is not None:
            path.write_bytes(content)
        return path

    def develop(self, source, operation, *options, suffix):
        """The bytes of the file that `vips operation source file options` writes."""
        result = self.temporary(suffix)
        run("vips", operation, source, result, *options)
        return result.read_bytes()

    def jpeg(self, picture, quality=90, *options):
        """A JPEG without metadata; full-size colour channels unless the options say otherwise."""
        if not any(option.startswith("--subsample-mode") for option in options):
            options += ("--subsample-mode=off",)
        source = self.temporary(".png", picture.png())
        return self.develop(
            source, "jpegsave", f"--Q={quality}", "--strip", *options, suffix=".jpg")

    def tag(self, name, *assignments):
        """Writes metadata into a finished fixture with exiftool; each assignment is "Tag=value"."""
        options = [f"-{assignment}" for assignment in assignments]
        run("exiftool", "-config", "", "-q", "-overwrite_original", *options, self.path(name),
            silent=True)


def run(*command, silent=False):
    """Runs a tool in a fixed language and time zone, so that its output is the same anywhere.

    A tool that should be silent fails by saying anything: exiftool only warns of unknown tags.
    """
    environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")
    command = [str(part) for part in command]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0 or silent and done.stderr:
        raise ToolFailed(f"{' '.join(command)}\n{done.stderr}{done.stdout}".strip())
    return done.stdout
