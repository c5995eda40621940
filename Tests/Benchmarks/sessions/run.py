#!/usr/bin/env python3
"""Measures the previews of an edit session, beside pyvips and OpenCV doing the same.

    run.py PHOTO                      measures, and writes ../results/sessions.json and .md
    run.py PHOTO --program FILE       with a SessionBenchmark that is built already
    run.py PHOTO --rounds 40 --side 1600

"The same" is: a picture of 1,600 pixels along the longer side that is in memory already, a new value of
a slider, and a JPEG in memory at the end (quality 88, color at half the resolution). The peers have the
picture at that size and adjust it there, in 8 bits; a session also adjusts at twice the size where there
are hard edges, and reduces light, but for drafts. Builds the program first. The packages `pyvips` and
`opencv-python-headless` from PyPI take part where they are installed.
"""

import argparse
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
BUILD = TOP / ".build" / "session-benchmark"
# The program that decodes photos for the one that is measured.
os.environ.setdefault("SAFELIGHT_EDIT", str(TOP / ".build" / "release" / "edit"))

GOALS = {
    "ten color adjustments": 16,
    "highlights, shadows, clarity, sharpen": 50,
    "crop": 33,
    "straighten": 33,
    "embedded preview after opening": 80,
    "first preview after opening": 250,
}


def built():
    command = ["swift", "build", "-c", "release", "--package-path", HERE, "--scratch-path", BUILD]
    if subprocess.run(command).returncode != 0:
        sys.exit("The benchmark could not be built.")
    return BUILD / "release" / "SessionBenchmark"


def curve(change):
    """A table of 256 codes."""
    return [min(max(round(255 * change(code / 255)), 0), 255) for code in range(256)]


class PyVips:
    """The tasks by pyvips."""

    def __init__(self, photo, side):
        import pyvips

        self.vips = pyvips
        self.image = pyvips.Image.thumbnail(str(photo), side, height=side, size="down")
        self.image = self.image.copy_memory()
        self.version = f"pyvips {pyvips.__version__}, libvips {pyvips.version(0)}.{pyvips.version(1)}"

    def save(self, image):
        return image.jpegsave_buffer(Q=88, subsample_mode="on")

    def table(self, values):
        bands = values if isinstance(values[0], list) else [values]
        data = bytes(code for codes in zip(*bands) for code in codes)
        return self.vips.Image.new_from_memory(data, 256, 1, len(bands), "uchar")

    def ten(self, share):
        """White balance, exposure, whites and blacks, contrast and a curve are one table; color mixer,
        vibrance, saturation and hue act in HSV; color grading is another table."""
        gain = 2 ** (0.6 * share)
        light = [curve(lambda x, g=g: math.tanh(1.1 * g * gain * x ** 1.05) / math.tanh(1.1 * gain))
                 for g in (1.06, 1.0, 0.92)]
        hsv = self.image.maplut(self.table(light)).copy(interpretation="srgb").sRGB2HSV()
        hue = [(code + 4) % 256 for code in range(256)]
        hsv = hsv.maplut(self.table([hue, curve(lambda x: x ** 0.85), list(range(256))]))
        image = hsv.copy(interpretation="hsv").HSV2sRGB()
        tint = [curve(lambda x, a=a: x + a * (1 - x) ** 2) for a in (-0.02, 0, 0.03)]
        return self.save(image.maplut(self.table(tint)))

    def local(self, share):
        image = self.image
        gray = image.colourspace("b-w")
        base = gray.shrink(8, 8).gaussblur(5)
        near = base.resize(image.width / base.width, vscale=image.height / base.height,
                           kernel="linear")
        moved = near.linear(-(40 + 20 * share) / 255 - 0.3, 20) + gray.linear(0.3, 0)
        result = (image + moved).cast("uchar").copy(interpretation="srgb")
        return self.save(result.sharpen(sigma=1, m2=1.5))

    def crop(self, share):
        width, height = self.image.width, self.image.height
        part = self.image.crop(int(0.2 * share * width), height // 10, int(0.8 * width),
                               int(0.8 * height))
        # The cropped picture is as large as the whole one was: the peer enlarges it.
        return self.save(part.resize(1 / 0.8, kernel="lanczos3"))

    def straighten(self, share):
        return self.save(self.image.similarity(
            angle=1 + 4 * share, interpolate=self.vips.Interpolate.new("bicubic")))


class OpenCV:
    """The tasks by OpenCV."""

    def __init__(self, photo, side):
        import cv2
        import numpy

        self.cv, self.numpy = cv2, numpy
        image = cv2.imread(str(photo))
        scale = side / max(image.shape[:2])
        self.image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        self.version = f"OpenCV {cv2.__version__}"

    def save(self, image):
        done, data = self.cv.imencode(".jpg", image, [self.cv.IMWRITE_JPEG_QUALITY, 88])
        return data

    def tables(self, values):
        return self.numpy.array(values[::-1], self.numpy.uint8).T.reshape(1, 256, 3)

    def ten(self, share):
        cv = self.cv
        gain = 2 ** (0.6 * share)
        light = [curve(lambda x, g=g: math.tanh(1.1 * g * gain * x ** 1.05) / math.tanh(1.1 * gain))
                 for g in (1.06, 1.0, 0.92)]
        hsv = cv.cvtColor(cv.LUT(self.image, self.tables(light)), cv.COLOR_BGR2HSV_FULL)
        hue = [(code + 4) % 256 for code in range(256)]
        steps = [list(range(256)), curve(lambda x: x ** 0.85), hue]
        image = cv.cvtColor(cv.LUT(hsv, self.tables(steps)), cv.COLOR_HSV2BGR_FULL)
        tint = [curve(lambda x, a=a: x + a * (1 - x) ** 2) for a in (-0.02, 0, 0.03)]
        return self.save(cv.LUT(image, self.tables(tint)))

    def local(self, share):
        cv = self.cv
        gray = cv.cvtColor(self.image, cv.COLOR_BGR2GRAY)
        size = (self.image.shape[1], self.image.shape[0])
        small = cv.resize(gray, None, fx=1 / 8, fy=1 / 8, interpolation=cv.INTER_AREA)
        base = cv.GaussianBlur(small, (0, 0), 5)
        change = cv.resize(20 - base * ((40 + 20 * share) / 255), size)
        detail = cv.subtract(gray, cv.resize(base, size), dtype=cv.CV_32F) * 0.3
        moved = cv.merge([cv.add(change, detail, dtype=cv.CV_32F)] * 3)
        image = cv.add(self.image, moved, dtype=cv.CV_8U)
        return self.save(cv.addWeighted(image, 1.6, cv.GaussianBlur(image, (0, 0), 1), -0.6, 0))

    def crop(self, share):
        height, width = self.image.shape[:2]
        left, top = int(0.2 * share * width), height // 10
        part = self.image[top:top + int(0.8 * height), left:left + int(0.8 * width)]
        return self.save(self.cv.resize(part, (width, height), interpolation=self.cv.INTER_LANCZOS4))

    def straighten(self, share):
        height, width = self.image.shape[:2]
        turn = self.cv.getRotationMatrix2D((width / 2, height / 2), -(1 + 4 * share), 1.1)
        return self.save(self.cv.warpAffine(self.image, turn, (width, height),
                                            flags=self.cv.INTER_LANCZOS4))


PEER_TASKS = {"ten color adjustments": "ten", "highlights, shadows, clarity, sharpen": "local",
              "crop": "crop", "straighten": "straighten"}


def measured(task, rounds):
    task(0)
    times, before = [], time.process_time()
    for index in range(rounds):
        start = time.perf_counter()
        task((index + 1) / rounds)
        times.append(1000 * (time.perf_counter() - start))
    processor = 1000 * (time.process_time() - before) / rounds
    times.sort()
    return {"median": statistics.median(times),
            "p95": times[min(int(0.95 * rounds), rounds - 1)], "processor": processor}


def cell(result):
    if not result:
        return ""
    text = f"{result['median']:.0f} / {result['p95']:.0f}"
    return text + (f" ({result['processor']:.0f})" if result.get("processor") else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photo", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--side", type=int, default=1600)
    parser.add_argument("--output", type=pathlib.Path, default=HERE.parent / "results")
    options = parser.parse_args()
    program = options.program or built()
    loads = [os.getloadavg()[0]]
    done = subprocess.run([program, options.photo, str(options.rounds), str(options.side)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    results = {"Safelight": {}}
    for line in done.stdout.splitlines():
        found = json.loads(line)
        results["Safelight"][found.pop("task")] = found
    versions = []
    for kind in (PyVips, OpenCV):
        try:
            peer = kind(options.photo, options.side)
        except ImportError:
            continue
        loads.append(os.getloadavg()[0])
        versions.append(peer.version)
        results[kind.__name__] = {
            name: measured(getattr(peer, task), options.rounds) for name, task in PEER_TASKS.items()}
    loads.append(os.getloadavg()[0])

    lines = [
        "# Previews of an edit session", "",
        f"`{options.photo.name}` at {options.side} pixels, {options.rounds} rounds each, from a new value to a",
        "JPEG in memory: the draft that is shown while the value changes, and the preview that follows it.",
        "Milliseconds: median / 95th percentile, and processor time in brackets. The machine had other work: its load over a minute was "
        + ", ".join(f"{load:.1f}" for load in loads) + " on "
        f"{os.cpu_count()} cores.", "",
        "| | Goal | " + " | ".join(results) + " |", "|---|---:|" + "---:|" * len(results)]
    for task in results["Safelight"]:
        lines.append(f"| {task} | {GOALS.get(task.removesuffix(', draft'), '')} | "
                     + " | ".join(cell(found.get(task)) for found in results.values()) + " |")
    lines += ["", "; ".join([platform.machine(), f"{os.cpu_count()} cores", *versions,
                            time.strftime("%Y-%m-%d")]) + "."]
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "sessions.md").write_text("\n".join(lines) + "\n")
    (options.output / "sessions.json").write_text(json.dumps(
        {"photo": options.photo.name, "side": options.side, "loads": loads, "results": results},
        indent=1) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
