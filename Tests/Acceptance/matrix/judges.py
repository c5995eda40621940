"""Outside judges: Pillow, lcms, OpenCV, tifffile, libultrahdr, ExifTool and ffprobe say whether a thing is still there.

A judge takes a `Trial` and says "kept", "wrong" or "lost", and nothing where the question makes no sense.
"""

import dataclasses
import functools
import io
import json
import pathlib
import subprocess

import cv2
import imagecodecs
import numpy
import pillow_heif
import PIL.Image
import PIL.ImageCms
import PIL.ImageOps
import tifffile

from . import operations

pillow_heif.register_heif_opener()
PIL.Image.MAX_IMAGE_PIXELS = None


@dataclasses.dataclass
class Trial:
    """A photo, what a program made of it, and the operation that it was asked for."""
    original: pathlib.Path
    result: pathlib.Path
    operation: str
    video: pathlib.Path | None = None


@functools.lru_cache(maxsize=400)
def _tags(path, stamp):
    run = subprocess.run(["exiftool", "-j", "-G1", "-n", "-a", "-u", "-struct", path], capture_output=True, timeout=60)
    return json.loads(run.stdout)[0]


def tags(path):
    return _tags(str(path), path.stat().st_mtime_ns)


def tag(path, name):
    """The value of a tag in whatever group; `None` where there is none."""
    return next((value for key, value in tags(path).items() if key.split(":")[-1] == name), None)


def upright(path):
    return PIL.ImageOps.exif_transpose(PIL.Image.open(path))


@functools.lru_cache(maxsize=8)
def _lab(path, stamp):
    image = upright(path)
    profile = image.info.get("icc_profile")
    image = image.reduce(max(max(image.size) // 800, 1)) if not image.mode.startswith("I") else image
    if image.mode.startswith("I") or image.mode == "LA":
        image = image.convert("L") if image.mode == "LA" else \
            PIL.Image.fromarray((numpy.asarray(image).astype(float) / 257).astype("uint8"))
    if image.mode == "RGBA":
        ground = PIL.Image.new("RGBA", image.size, "white")
        image = PIL.Image.alpha_composite(ground, image)
    if image.mode in ("RGBA", "P"):
        image = image.convert("RGB")
    if image.mode == "CMYK" and not profile:
        image, profile = image.convert("RGB"), None
    source = PIL.ImageCms.ImageCmsProfile(io.BytesIO(profile)) if profile else PIL.ImageCms.createProfile("sRGB")
    if image.mode == "L" and (not profile or source.profile.xcolor_space.strip() != "GRAY"):
        image = image.convert("RGB")
    target = PIL.ImageCms.createProfile("LAB", colorTemp=5000)
    found = numpy.asarray(PIL.ImageCms.profileToProfile(image, source, target, outputMode="LAB")).astype(float)
    signed = (found[..., 1:] + 128) % 256 - 128
    return numpy.dstack([found[..., 0] * 100 / 255, signed])


def lab(path):
    """The upright picture in CIE Lab by its own profile, without one as sRGB, of 8 bits' precision; large ones reduced."""
    return _lab(path, path.stat().st_mtime_ns)


def _like(one, two):
    one, two = (numpy.asarray(each, float).ravel() for each in (one, two))
    one, two = one - one.mean(), two - two.mean()
    return float((one * two).sum() / max(numpy.sqrt((one ** 2).sum() * (two ** 2).sum()), 1e-9))


def _small(pixels, longest=96):
    scale = longest / max(pixels.shape[:2])
    return cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def picture(trial):
    """The picture has the size and the place that the operation gives it, and moved pixels have their colors."""
    before, after = lab(trial.original), lab(trial.result)
    wanted = operations.size(trial.operation, upright(trial.original).size)
    # Straightening is a matter of taste by a few pixels.
    slack = 2 + (0.02 * max(wanted) if trial.operation == "straighten" else 0)
    if any(abs(one - two) > slack for one, two in zip(wanted, upright(trial.result).size)):
        return "wrong"
    small = _small(after)
    expected = operations.expected(trial.operation, before, small.shape[:2])
    if _like(small[..., 0], expected[..., 0]) < 0.85:
        return "wrong"
    # Inks without a profile have no colors that everybody agrees on.
    if trial.operation in operations.GEOMETRY and not (inks(trial.original) or inks(trial.result)):
        distance = numpy.sqrt(((small - expected) ** 2).sum(axis=2))
        return "kept" if float(numpy.median(distance)) < 2.5 else "wrong"
    return "kept"


def inks(path):
    image = PIL.Image.open(path)
    return image.mode == "CMYK" and "icc_profile" not in image.info


def wide_colors(trial):
    """Colors that sRGB does not have are still there, by the result's own profile."""
    if trial.operation == "filter":
        return "kept" if picture(trial) == "kept" else "wrong"
    before, after = (_outside(lab(path)) for path in (trial.original, trial.result))
    return "kept" if after > before / 2 else "lost"


# From XYZ of D50 to linear sRGB: the inverse of the matrix in sRGB's ICC profile.
TO_SRGB = numpy.linalg.inv([[0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169],
                            [0.0139322, 0.0971045, 0.7141733]])


def _outside(pixels):
    """The share of colors that sRGB does not have."""
    middle = (pixels[..., 0] + 16) / 116
    x, z = middle + pixels[..., 1] / 500, middle - pixels[..., 2] / 200
    light = numpy.stack([x, middle, z], axis=-1)
    light = numpy.where(light > 6 / 29, light ** 3, 3 * (6 / 29) ** 2 * (light - 4 / 29))
    rgb = (light * numpy.array([0.9642, 1, 0.8249])) @ TO_SRGB.T
    return float((rgb < -0.004).any(axis=-1).mean())


def sixteen_bits(trial):
    """The samples have 16 bits, and use more levels than 8 bits have."""
    if trial.result.suffix == ".png":
        pixels = imagecodecs.png_decode(trial.result.read_bytes())
    elif trial.result.suffix in (".tif", ".tiff"):
        pixels = tifffile.imread(trial.result)
    else:
        return "lost"
    return "kept" if pixels.dtype == numpy.uint16 and len(numpy.unique(pixels)) > 300 else "lost"


def alpha(trial):
    """Transparency is where the operation takes it."""
    def transparency(path):
        image = upright(path)
        return numpy.asarray(image.getchannel("A")).astype(float) if "A" in image.getbands() else None
    before, after = transparency(trial.original), transparency(trial.result)
    if after is None or after.min() == 255:
        return "lost"
    small = _small(after)
    return "kept" if _like(small, operations.expected(trial.operation, before, small.shape[:2])) > 0.9 else "wrong"


def bright_light(path):
    """The picture for bright screens and for others, as light with white at 1, and what is wrong as text."""
    data = path.read_bytes()
    pixels = imagecodecs.ultrahdr_decode(data, dtype="float16", transfer=0)
    return numpy.asarray(pixels)[..., :3].astype(float)


def gain_map(trial):
    """libultrahdr finds the map, and the light is what the operation makes of the original's."""
    if not any("MPImage" in key or "GainMap" in key for key in tags(trial.result)):
        return "lost"
    try:
        after = bright_light(trial.result)
    except imagecodecs.UltrahdrError:
        return "lost"
    if after.max() < 1.05:
        return "lost"
    if trial.original.suffix.lower() not in (".jpg", ".jpeg"):
        return "kept"
    before = _luminance(bright_light(trial.original))
    small = _small(_luminance(after), 64)
    expected = operations.expected(trial.operation, before, small.shape[:2])
    return "kept" if _like(numpy.log1p(small), numpy.log1p(expected)) > 0.85 else "wrong"


def _luminance(pixels):
    return (pixels @ numpy.array([0.2126, 0.7152, 0.0722])).astype("float32")


def depth(trial):
    """A depth map is in the file, as ExifTool or libheif see it."""
    if trial.result.suffix.lower() in (".heic", ".avif"):
        return "kept" if pillow_heif.open_heif(trial.result).info.get("depth_images") else "lost"
    return "kept" if any(key.startswith("XMP-GDepth") for key in tags(trial.result)) else "lost"


def _embedded_video(path):
    for name in ("EmbeddedVideo", "MotionPhotoVideo", "EmbeddedVideoFile"):
        data = subprocess.run(["exiftool", "-ee", "-b", f"-{name}", path], capture_output=True, timeout=60).stdout
        if data:
            return data
    return b""


def _plays(video):
    run = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-count_frames", "-show_entries",
         "stream=width,height,nb_read_frames", "-of", "csv=p=0", video], capture_output=True, timeout=60)
    fields = run.stdout.decode().strip().split(",")
    return tuple(int(each) for each in fields[:3]) if len(fields) >= 3 and fields[2].isdigit() else None


def motion(trial):
    """The video behind the picture plays; a sign of a video that is not there is wrong."""
    data = _embedded_video(trial.result)
    if not data:
        signs = any(tag(trial.result, name) in (1, "1", True) for name in ("MotionPhoto", "MicroVideo"))
        return "wrong" if signs else "lost"
    video = trial.result.with_suffix(".found.mp4")
    video.write_bytes(data)
    return "kept" if _plays(video) else "wrong"


def _identifier(path):
    """What joins still and video; older exiftools have another name for that of a still."""
    return tag(path, "ContentIdentifier") or tag(path, "MediaGroupUUID")


def pair_identifier(trial):
    return "kept" if _identifier(trial.result) == _identifier(trial.original) is not None else "lost"


def pair_video(trial):
    """A video with the same edit is there, of the still's shape, that names the pair; an export is one picture."""
    if trial.operation == "export":
        return None
    if trial.video is None or not trial.video.exists():
        return "lost"
    found = _plays(trial.video)
    if not found or _identifier(trial.video) != _identifier(trial.original):
        return "wrong"
    turned = tag(trial.video, "Rotation") in (90, 270)
    width, height = (found[1], found[0]) if turned else found[:2]
    still = upright(trial.result).size
    return "kept" if abs(width / height - still[0] / still[1]) < 0.03 else "wrong"


def panorama(trial):
    """The part of the sphere that the picture shows, in the pixels of the result."""
    names = ["CroppedAreaImageWidthPixels", "CroppedAreaImageHeightPixels", "FullPanoWidthPixels"]
    width, height, full = (tag(trial.result, name) for name in names)
    if full is None:
        return "lost"
    size = upright(trial.result).size
    if trial.operation in ("turn", "straighten"):
        return "wrong"  # No numbers of GPano describe a picture that lies on its side.
    if (width, height) != size:
        return "wrong"
    share = width / full
    wanted = {"crop": operations.CROP[2]}.get(trial.operation, 1) * tag(
        trial.original, names[0]) / tag(trial.original, names[2])
    return "kept" if abs(share - wanted) < 0.01 else "wrong"


def regions(trial):
    """The face's region lies where the face is now."""
    def area(path):
        info = tag(path, "RegionInfo")
        if not info or not info.get("RegionList"):
            return None
        return {key: float(value) for key, value in info["RegionList"][0]["Area"].items() if key in "XYWHxywh"}
    before, after = area(trial.original), area(trial.result)
    if after is None:
        return "lost"
    wanted = operations.moved(trial.operation, (before["X"], before["Y"]), upright(trial.original).size)
    near = all(abs(one - two) < 0.02 for one, two in zip(wanted, (after["X"], after["Y"])))
    return "kept" if near else "wrong"


def of_tags(*names):
    """A judge of tags that must have the same value."""
    def judge(trial):
        before, after = ([tag(path, name) for name in names] for path in (trial.original, trial.result))
        return "kept" if before == after else "lost"
    return judge


def upright_once(trial):
    """The picture is not turned a second time by a tag that stayed."""
    return picture(trial)


def maker_note(mark):
    """A judge of bytes of a camera's maker note."""
    def judge(trial):
        return "kept" if mark in trial.result.read_bytes() else "lost"
    return judge
