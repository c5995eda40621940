"""The programs that are compared, each with the commands that its manual gives for the operations."""

import json
import math
import os
import pathlib
import shutil
import subprocess

import PIL.Image
import PIL.ImageEnhance
import PIL.ImageOps

from . import operations

LIMIT = 300


class Failed(Exception):
    """A program that could not do what it was asked for."""


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, timeout=LIMIT, **options)
    if done.returncode != 0:
        raise Failed(done.stderr.decode("utf-8", "replace").strip()[-200:])
    return done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def ending(photo):
    """The format in which a program writes: the photo's own, and JPEG for HEIC."""
    return ".jpg" if photo.suffix.lower() in (".heic", ".jpg", ".jpeg") else photo.suffix


def pixels_of(operation, size):
    """The rectangle of a crop, or what is left of a straightened picture, in pixels."""
    width, height = size
    if operation == "crop":
        left, top, wide, high = operations.CROP
        return round(left * width), round(top * height), round(wide * width), round(high * height)
    share = operations.straightened(width, height)
    wide, high = int(width * share), int(height * share)
    return (width - wide) // 2, (height - high) // 2, wide, high


class Safelight:
    name = "Safelight"

    def __init__(self, edit):
        self.edit = edit

    def version(self):
        return run(self.edit, "--version")[0].strip().split()[-1]

    WORDS = {
        "filter": ["apply", "noir"], "adjust": ["adjust", "--exposure", "0.3"],
        "crop": ["crop", "--rect", ",".join(map(str, operations.CROP))], "turn": ["rotate", "90"],
        "straighten": ["straighten", str(operations.DEGREES)],
    }

    def call(self, folder, *words):
        output, errors = run(
            self.edit, *words, "--json", env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)})
        report = json.loads(output.splitlines()[0])
        return report, " ".join(report.get("warnings", [])) + errors

    def perform(self, operation, photo, folder):
        """The render beside a JPEG or a HEIC; an export in the photo's own format of others."""
        if operation == "export":
            result = folder / ("export" + ending(photo))
            _, words = self.call(folder, "render", "--percent", operations.SHARE * 100, "-o", result, photo)
            return result, words, None
        report, words = self.call(folder, *self.WORDS[operation], photo)
        result = folder / report["rendered"]
        if ending(photo) != ".jpg":
            result = folder / ("result" + ending(photo))
            _, words = self.call(folder, "render", "-o", result, photo)
        films = [each for each in folder.iterdir() if "_edited" in each.name and each.suffix.lower() == ".mov"]
        return result, words, next(iter(films), None)

    def revert(self, photo, folder):
        self.call(folder, "revert", photo)


class Magick:
    """ImageMagick 6 and GraphicsMagick, whose commands are nearly the same."""

    def __init__(self, name, command):
        self.name, self.command = name, command

    def version(self):
        words = run(*self.command[:1], "-version")[0].split() if len(self.command) == 1 else run("gm", "version")[0].split()
        return words[words.index("ImageMagick" if len(self.command) == 1 else "GraphicsMagick") + 1]

    def perform(self, operation, photo, folder):
        result = folder / ("result" + ending(photo))
        size = PIL.ImageOps.exif_transpose(PIL.Image.open(photo)).size
        def rectangle(kind):
            left, top, width, height = pixels_of(kind, size)
            return ["-crop", f"{width}x{height}+{left}+{top}", "+repage"]
        gray = ["-colorspace", "Gray"] if len(self.command) == 1 else ["-type", "Grayscale"]
        center = pixels_of("straighten", size)
        words = {
            "filter": gray,
            "adjust": ["-evaluate", "multiply", "1.2"] if len(self.command) == 1 else ["-operator", "all", "multiply", "1.2"],
            "crop": rectangle("crop"), "turn": ["-rotate", "90"],
            "straighten": ["-rotate", operations.DEGREES, "+repage", "-gravity", "center", "-crop",
                           f"{center[2]}x{center[3]}+0+0", "+repage"],
            "export": ["-resize", f"{operations.SHARE * 100}%"],
        }[operation]
        _, errors = run(*self.command, photo, "-auto-orient", *words, "-quality", 95, result)
        return result, errors, None


class Pillow:
    name = "Pillow"

    def version(self):
        return PIL.__version__

    def perform(self, operation, photo, folder):
        result = folder / ("result" + ending(photo))
        stored = PIL.Image.open(photo)
        image = PIL.ImageOps.exif_transpose(stored)
        try:
            if operation == "filter":
                image = PIL.ImageOps.grayscale(image)
            elif operation == "adjust":
                image = PIL.ImageEnhance.Brightness(image).enhance(1.2)
            elif operation == "crop":
                left, top, width, height = pixels_of("crop", image.size)
                image = image.crop((left, top, left + width, top + height))
            elif operation == "turn":
                image = image.rotate(-90, expand=True)
            elif operation == "straighten":
                left, top, width, height = pixels_of("straighten", image.size)
                image = image.rotate(-operations.DEGREES, PIL.Image.Resampling.BICUBIC)
                image = image.crop((left, top, left + width, top + height))
            else:
                image = image.resize([math.ceil(side * operations.SHARE) for side in image.size])
            options = {"exif": image.getexif(), "icc_profile": stored.info.get("icc_profile")}
            if "xmp" in stored.info and result.suffix == ".jpg":
                options["xmp"] = stored.info["xmp"]
            image.save(result, quality=95, **options)
        except (OSError, ValueError, SystemError) as error:
            raise Failed(str(error)) from error
        return result, "", None


class Pyvips:
    name = "pyvips"

    def version(self):
        import pyvips
        return ".".join(str(pyvips.version(part)) for part in range(3))

    def perform(self, operation, photo, folder):
        import pyvips
        result = folder / ("result" + ending(photo))
        try:
            image = pyvips.Image.new_from_file(str(photo)).autorot()
            if operation == "filter":
                image = image.colourspace("grey16" if image.format == "ushort" else "b-w")
            elif operation == "adjust":
                image = (image * 1.2).cast(image.format) if not image.hasalpha() else \
                    (image[:-1] * 1.2).cast(image.format).bandjoin(image[-1])
            elif operation == "crop":
                image = image.crop(*pixels_of("crop", (image.width, image.height)))
            elif operation == "turn":
                image = image.rot90()
            elif operation == "straighten":
                rectangle = pixels_of("straighten", (image.width, image.height))
                size = (image.width, image.height)
                image = image.rotate(operations.DEGREES)
                image = image.crop(
                    rectangle[0] + (image.width - size[0]) // 2, rectangle[1] + (image.height - size[1]) // 2,
                    *rectangle[2:])
            else:
                image = image.resize(operations.SHARE)
            image.write_to_file(str(result), **({"Q": 95} if result.suffix == ".jpg" else {}))
        except pyvips.Error as error:
            raise Failed(str(error)) from error
        return result, "", None


class Darktable:
    """darktable-cli, which has no words for edits: it only exports."""
    name = "darktable"

    def version(self):
        return run("darktable-cli", "--version")[0].split()[-1]

    def perform(self, operation, photo, folder):
        if operation != "export":
            raise Failed("no such command")
        result = folder / ("result" + ending(photo))
        width = math.ceil(PIL.ImageOps.exif_transpose(PIL.Image.open(photo)).width * operations.SHARE)
        bits = ["--conf", "plugins/imageio/format/png/bpp=16", "--conf", "plugins/imageio/format/tiff/bpp=16"]
        _, errors = run("darktable-cli", photo, result, "--width", width, "--core", "--configdir", folder / "dt",
                        "--library", ":memory:", *bits)
        return result, "", None


def installed(edit):
    """Safelight, and what else this machine has."""
    found = [Safelight(edit)]
    if shutil.which("convert-im6") or shutil.which("magick"):
        found.append(Magick("ImageMagick", [shutil.which("magick") or "convert-im6"]))
    if shutil.which("gm"):
        found.append(Magick("GraphicsMagick", ["gm", "convert"]))
    found.append(Pillow())
    try:
        import pyvips  # noqa: F401
        found.append(Pyvips())
    except (ImportError, OSError):
        pass
    if shutil.which("darktable-cli"):
        found.append(Darktable())
    return found
