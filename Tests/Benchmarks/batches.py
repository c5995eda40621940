"""Whole batches: many photos made black and white, and what one costs in processor time."""

import os
import shlex
import shutil
import subprocess

from contenders import PEERS, QUALITY, VIPS_SAVE
from outputs import ToolFailed, size
from timing import once


def copies(photos, count, folder):
    """`count` files in a folder, taken from the photos in turn."""
    folder.mkdir()
    for number in range(count):
        photo = photos[number % len(photos)]
        shutil.copyfile(photo, folder / f"{number:04d}-{photo.name}")
    subprocess.run(["sync"], check=True)
    return sorted(folder.iterdir())


def codec(photos, scratch):
    """CPU seconds to decode and encode one photo with djpeg and cjpeg, by way of a file."""
    pixels, out = scratch / "pixels.ppm", scratch / "codec.jpg"
    total = 0.0
    for photo in photos:
        total += once(["djpeg", "-outfile", str(pixels), str(photo)])["cpu"]
        total += once(["cjpeg", "-quality", str(QUALITY), "-sample", "1x1", "-outfile", str(out),
                       str(pixels)])["cpu"]
    pixels.unlink()
    return total / len(photos)


def each(paths, command):
    """One process for each photo, as many at once as there are cores; `{}` stands for the name."""
    names = shlex.join(path.name for path in paths)
    text = f"printf '%s\\0' {names} | xargs -0 -P {len(os.sched_getaffinity(0))} -I {{}} {command}"
    return ["sh", "-c", text]


def commands(edit, tools, work, paths, out):
    """Name, tool, command and the folder of its renders, for each that can do a batch."""
    folder = paths[0].parent
    here, there = shlex.quote(str(folder)), shlex.quote(str(out))
    gray = " ".join(map(str, work.gray * 3))
    curve, hald = shlex.quote(work["curve.pgm"]), shlex.quote(work["curve-hald.ppm"])
    own = [str(edit), "apply", "noir", "--quiet", *map(str, paths)]
    yield "Safelight", "Safelight", own, folder
    for tool in ("pyvips", "Pillow", "OpenCV"):
        if tool in tools:
            yield tool, tool, [tools.python[tool], str(PEERS / "run.py"), tool.lower(), "noir",
                               work["work.json"], "--into", str(out), *map(str, paths)], out
    yield "GraphicsMagick", "GraphicsMagick", each(
        paths, f"gm convert {here}/{{}} -recolor '{gray}' -hald-clut {hald} "
        f"-sampling-factor 1x1 -quality {QUALITY} {there}/{{}}"), out
    yield "ImageMagick", "ImageMagick", each(
        paths, f"{tools.magick} {here}/{{}} -color-matrix '{gray}' {curve} -clut -type TrueColor "
        f"-sampling-factor 1x1 -quality {QUALITY} {there}/{{}}"), out
    yield "vips copy", "vips", each(
        paths, f"vips copy {here}/{{}} '{there}/{{}}{VIPS_SAVE}'"), out


def run(edit, tools, work, photos, count, scratch):
    """The batch by each program: seconds and CPU seconds for one photo, and ratio to the codec."""
    paths = copies(photos, count, scratch / "batch")
    names = {path.name for path in paths}
    floor = codec(photos, scratch)
    rows = []
    for name, tool, command, where in commands(edit, tools, work, paths, scratch / "batch-out"):
        if tool not in tools:
            continue
        out = scratch / "batch-out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        row = {"name": name, "problem": None}
        try:
            found = once(command)
            row |= {"wall": found["wall"] / count, "cpu": found["cpu"] / count,
                    "ratio": found["cpu"] / count / floor}
        except ToolFailed as failure:
            row["problem"] = str(failure)
        renders = sorted(set(where.iterdir()) - set(paths)) if where == out else sorted(
            where.glob("*_edited.jpg"))
        if row["problem"] is None and len(renders) != len(names):
            row["problem"] = f"{len(renders)} of {len(names)} photos written"
        if row["problem"] is None and any(size(render) != size(path)
                                          for render, path in zip(renders, paths)):
            row["problem"] = "a photo is of another size"
        rows.append(row)
    shutil.rmtree(paths[0].parent)
    shutil.rmtree(scratch / "batch-out")
    return {"photos": count, "codec": floor, "rows": rows}
