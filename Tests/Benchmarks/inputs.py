"""Makes the photos to work on when none are given, and looks at those that are."""

import pathlib
import shutil

from outputs import ToolFailed, header, size, vips

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
BEACH = FIXTURES / "beach.jpg"


def made(scratch):
    """A 20-megapixel JPEG: the beach in tiles, with noise of 4 codes, to pack like a photo."""
    width, height = 5472, 3648
    tiles, part, noise, noisy = (scratch / name for name in
                                 ("tiles.v", "part.v", "noise.v", "noisy.v"))
    across, down = (-(-wanted // found) for wanted, found in zip((width, height), size(BEACH)))
    vips("replicate", BEACH, tiles, across, down)
    vips("extract_area", tiles, part, 0, 0, width, height)
    vips("gaussnoise", noise, width, height, "--sigma", 4, "--mean", 0, "--seed", 1)
    vips("add", part, noise, noisy)
    photo = scratch / "made-20mp.jpg"
    # Noise makes floats; back to 8 bits, with what is beyond black and white cut off.
    vips("cast", noisy, part, "uchar")
    vips("jpegsave", part, photo, "--Q", 95, "--subsample-mode", "off")
    for path in (tiles, part, noise, noisy):
        path.unlink()
    return photo


def gigapixel(photo, scratch):
    """A JPEG of 32768x32768 pixels: 2048 pixels square from a photo's middle, 16 times each way."""
    width, height = size(photo)
    side = 2048
    if min(width, height) < side:
        raise ToolFailed(f"{photo.name} is too small to tile: it needs {side} pixels each way")
    tile, giant = scratch / "tile.v", scratch / "gigapixel.jpg"
    vips("extract_area", photo, tile, (width - side) // 2, (height - side) // 2, side, side)
    vips("replicate", tile, f"{giant}[Q=90]", 16, 16)
    tile.unlink()
    return giant


def photos(paths, scratch):
    """Copies of the photos beside the outputs, so that all is on one disk; refuses unfit ones."""
    folder = scratch / "photos"
    folder.mkdir()
    taken = []
    for path in map(pathlib.Path, paths):
        if not path.is_file():
            raise ToolFailed(f"{path} is not a file")
        if header(path, "vips-loader") != "jpegload" or header(path, "bands") != "3":
            raise ToolFailed(f"{path} is not a color JPEG")
        if header(path, "orientation") not in (None, "", "0", "1"):
            raise ToolFailed(f"{path} is stored lying down; programs differ in turning it")
        copy = folder / path.name
        if copy.exists():
            raise ToolFailed(f"two photos are called {path.name}")
        shutil.copyfile(path, copy)
        taken.append(copy)
    return taken


def described(photo):
    """A photo's name and sizes, for the report."""
    width, height = size(photo)
    return {"name": photo.name, "width": width, "height": height,
            "megapixels": width * height / 1e6, "bytes": photo.stat().st_size}
