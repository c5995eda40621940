"""The tasks: what Safelight is asked to do, against which others, and what a right output is."""

import dataclasses
import json
import pathlib
import re
import shlex
import shutil
import subprocess

from contenders import Contender, Peers
from inputs import BEACH
from outputs import Wanted, difference, size, vips

TEN_STEPS = pathlib.Path(__file__).resolve().parent / "ten-steps.json"
LOCAL = ["--highlights", "-40", "--shadows", "30", "--clarity", "30", "--sharpen", "60"]
LONGEST = 1600


class Unavailable(Exception):
    """This `edit` cannot do the task; the text is what it says about it."""


@dataclasses.dataclass
class Task:
    """A task's title for people, and what it means."""

    title: str
    meaning: str


TASKS = {
    "copy": Task("Copy", "decode and encode; Safelight renders a photo without an edit"),
    "noir": Task("Black and white", "`edit apply noir`: hash, metadata, record and fsync included"),
    "ten": Task("Ten adjustments and a LUT", "ten point-wise steps and a 33-cube, as a filter"),
    "local": Task("Local adjustments", "highlights, shadows, clarity and sharpening"),
    "preview": Task("Preview", f"`edit render --longest-side {LONGEST}` of a photo with noir"),
}


def said(words):
    """What `edit` printed; its first complaint as `Unavailable` when it would not."""
    done = subprocess.run([str(word) for word in words], capture_output=True)
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        line = lines[0].removeprefix("Error: ").removeprefix("edit: ")
        # Names without folders: the reason goes into the report.
        raise Unavailable(re.sub(r"\S*/(?=\S)", "", line))
    return done.stdout.decode()


def fresh(photo, folder):
    """A shell command that gives Safelight a folder with nothing but the photo, safe on disk."""
    place = shlex.quote(str(folder))
    # Without the sync, the program's own fsync would also pay for the copy made for it.
    return (f"rm -rf {place} && mkdir {place} && cp {shlex.quote(str(photo))} {place} && "
            f"sync {shlex.quote(str(folder / photo.name))}")


class Safelight:
    """The command lines of `edit`."""

    def __init__(self, edit, work, scratch):
        self.edit, self.work, self.scratch = str(edit), work, scratch
        self.refused = {}
        for task, probe in (("ten", self.probe_ten), ("local", self.probe_local)):
            try:
                probe()
            except Unavailable as reason:
                self.refused[task] = str(reason)

    def probe_folder(self, name):
        folder = self.scratch / name
        folder.mkdir()
        return pathlib.Path(shutil.copy(BEACH, folder))

    def probe_ten(self):
        """Writes the filter of ten steps and the cube; each must change a picture by itself."""
        look = json.loads(TEN_STEPS.read_text())
        steps = list(look["steps"])
        cube = json.loads(said([self.edit, "filters", self.work["look.cube"], "--json"]))
        if not cube["steps"]:
            raise Unavailable("it finds no step in a .cube file")
        photo = self.probe_folder("probe-ten")
        plain, changed = photo.parent / "plain.png", photo.parent / "changed.png"
        said([self.edit, "render", photo, "-o", plain, "--quiet"])
        for step in [*steps, *cube["steps"]]:
            alone = photo.parent / "step.json"
            alone.write_text(json.dumps({**look, "steps": [step]}))
            said([self.edit, "apply", alone, photo, "--quiet"])
            said([self.edit, "render", photo, "-o", changed, "--overwrite", "--quiet"])
            if difference(plain, changed, photo.parent) == 0:
                raise Unavailable(f"the step {step['id']} changes nothing")
        look["steps"] = steps + cube["steps"]
        self.ten_steps = self.scratch / "ten-steps.json"
        self.ten_steps.write_text(json.dumps(look))

    def probe_local(self):
        photo = self.probe_folder("probe-local")
        for option, value in zip(LOCAL[::2], LOCAL[1::2]):
            said([self.edit, "adjust", photo, option, value, "--quiet"])

    def contender(self, task, photo, folder):
        """Safelight at a task, or `Unavailable`."""
        if task in self.refused:
            raise Unavailable(self.refused[task])
        own = folder / "safelight"
        inside = own / photo.name
        render = own / f"{photo.stem}_edited.jpg"
        prepare = fresh(photo, own)
        if task in ("copy", "preview"):
            out = folder / "rendered.jpg"
            command = [self.edit, "render", photo, "-o", out, "--quiet"]
            if task == "copy":
                return Contender("Safelight", "Safelight", command, out,
                                 "a photo without an edit, metadata kept", True)
            subprocess.run(["sh", "-c", prepare], check=True)
            said([self.edit, "apply", "noir", inside, "--quiet"])
            command[2] = inside
            return Contender("Safelight", "Safelight",
                             [*command, "--longest-side", self.work.longest], out, "with noir")
        if task == "local":
            what = ["adjust", inside, *LOCAL]
        else:
            what = ["apply", "noir" if task == "noir" else self.ten_steps, inside]
        return Contender("Safelight", "Safelight", [self.edit, *what, "--quiet"], render,
                         "everything included", task == "noir", prepare)


def lineup(task, safelight, tools, work, photo, folder):
    """The contenders: `vips copy` first, then Safelight, then the others; and why some are not."""
    peers = Peers(tools, work, photo, folder)
    baseline = peers.vips_copy()
    absent = {}
    entries = [baseline]
    try:
        entries.append(safelight.contender(task, photo, folder))
    except Unavailable as reason:
        absent["Safelight"] = f"not available: {reason}"
    for entry in getattr(peers, task)():
        if entry.tool in tools:
            entries.append(entry)
        else:
            absent[entry.name] = "not installed"
    return entries, absent


def wanted(task, photo, work, scratch):
    """What a right output of a task is, with the decoded pictures that it is compared with."""
    width, height = size(photo)
    plain = scratch / "input.v"
    vips("copy", photo, plain)
    if task == "copy":
        return Wanted((width, height), reference=plain, within=2.5)
    if task == "preview":
        scale = min(work.longest / max(width, height), 1)
        return Wanted((round(width * scale), round(height * scale)))
    if task != "noir":
        return Wanted((width, height), input=plain)
    light, mixed, reference = (scratch / f"{name}.v" for name in ("light", "mixed", "reference"))
    vips("maplut", plain, light, work["light.pgm"])
    vips("recomb", light, mixed, work["gray.mat"])
    vips("maplut", mixed, reference, work["curve-of-light.pgm"])
    light.unlink()
    mixed.unlink()
    return Wanted((width, height), input=plain, reference=reference, gray=True)
