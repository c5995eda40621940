"""The tasks by Pillow."""

import array
import pathlib

from PIL import Image, ImageChops, ImageFilter


def save(image, original, out):
    """As the other programs do: same quality, no subsampling, EXIF and profile carried over."""
    extra = {key: original.info[key] for key in ("exif", "icc_profile") if key in original.info}
    image.save(out, quality=95, subsampling=0, **extra)


def noir(photo, out, work):
    original = Image.open(photo).convert("RGB")
    gray = original.convert("L", (*work["gray"], 0)).point(work["curve"])
    save(gray.convert("RGB"), original, out)


def ten(photo, out, work):
    original = Image.open(photo).convert("RGB")
    image = original.point(sum(work["tables"], []))
    image = image.convert("RGB", [value for row in work["mix"] for value in (*row, 0)])
    image = image.convert("HSV").point(work["hue"] + work["colorfulness"] + list(range(256)))
    image = image.convert("RGB").point(sum(work["grading"], []))
    table = array.array("f")
    table.frombytes((pathlib.Path(work["folder"]) / "look.f32").read_bytes())
    # The class checks each of the values of a list; an array of its own it takes as it is.
    cube = ImageFilter.Color3DLUT(33, table, _copy_table=False)
    save(image.filter(cube), original, out)


def local(photo, out, work):
    original = Image.open(photo).convert("RGB")
    gray = original.convert("L")
    small = gray.resize((max(gray.width // 8, 1), max(gray.height // 8, 1)), Image.BOX)
    base = small.filter(ImageFilter.GaussianBlur(5))
    # Shadows up and highlights down, by how dark the surroundings are; 128 changes nothing.
    change = base.point([round(128 + 40 * (0.5 - i / 255)) for i in range(256)])
    change = change.resize(gray.size, Image.BILINEAR)
    image = ImageChops.add(original, Image.merge("RGB", [change] * 3), 1, -128)
    near = base.resize(gray.size, Image.BILINEAR)
    detail = ImageChops.subtract(gray, near, 1 / 0.3, 128)
    image = ImageChops.add(image, Image.merge("RGB", [detail] * 3), 1, -128)
    save(image.filter(ImageFilter.UnsharpMask(1, 60, 0)), original, out)


def preview(photo, out, work):
    original = Image.open(photo)
    box = (work["longest"], work["longest"])
    original.draft("RGB", box)
    image = original.convert("RGB")
    image.thumbnail(box, Image.LANCZOS, reducing_gap=None)
    save(image, original, out)
