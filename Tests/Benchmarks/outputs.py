"""Looks whether what a program wrote is what it was asked for."""

import dataclasses
import pathlib
import struct
import subprocess


class ToolFailed(Exception):
    """A program that the benchmark itself needs refused its work."""


def vips(*words):
    done = subprocess.run(["vips", *map(str, words)], capture_output=True)
    if done.returncode != 0:
        raise ToolFailed(f"vips {words[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode().strip()


def header(path, field):
    """A header field of a picture as text; `None` when there is none."""
    done = subprocess.run(["vipsheader", "-f", field, str(path)], capture_output=True)
    return done.stdout.decode().strip() if done.returncode == 0 else None


def size(path):
    """Width and height in pixels, as stored."""
    width, height = header(path, "width"), header(path, "height")
    return (int(width), int(height)) if width and height else None


def sampling(path):
    """The chroma subsampling of a JPEG, from its frame header (ITU-T T.81, B.2.2)."""
    data = pathlib.Path(path).read_bytes()
    place = 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            factors = [divmod(data[place + 11 + 3 * index], 16)
                       for index in range(data[place + 9])]
            if len(factors) == 1:
                return "gray"
            (across, down), *chroma = factors
            known = {(1, 1): "4:4:4", (2, 1): "4:2:2", (2, 2): "4:2:0", (1, 2): "4:4:0"}
            shares = {(across / wide, down / high) for wide, high in chroma}
            return known.get(shares.pop(), "other") if len(shares) == 1 else "other"
        place += 2 + struct.unpack_from(">H", data, place + 2)[0]
    return "not a JPEG"


def difference(first, second, scratch):
    """The mean absolute difference of two pictures of one size, in codes of 255."""
    apart, absolute = scratch / "apart.v", scratch / "absolute.v"
    vips("subtract", first, second, apart)
    vips("abs", apart, absolute)
    mean = float(vips("avg", absolute))
    apart.unlink()
    absolute.unlink()
    return mean


@dataclasses.dataclass
class Wanted:
    """What a right output is.

    `size` in pixels; `input` and `reference` are decoded pictures or `None`. With `gray`, the
    channels must be equal. `within` is the mean difference, in codes, up to which a program that
    does the same arithmetic as the reference counts as right, and `least` that by which an output
    must differ from the input.
    """

    size: tuple
    input: pathlib.Path | None = None
    reference: pathlib.Path | None = None
    gray: bool = False
    within: float = 4
    least: float = 0


@dataclasses.dataclass
class Checked:
    """What was found: `problem` is `None` for a right output."""

    problem: str | None
    sampling: str = ""
    difference: float | None = None


def check(path, wanted, same_work, scratch):
    """Decodes an output and compares it with what was wanted."""
    if not path.exists() or path.stat().st_size == 0:
        return Checked("wrote nothing")
    found = size(path)
    if found != wanted.size:
        return Checked(f"is {found}, not {wanted.size}")
    chroma = sampling(path)
    decoded = scratch / "decoded.v"
    try:
        vips("copy", f"{path}[fail_on=error]", decoded)
        if wanted.input is not None:
            moved = difference(decoded, wanted.input, scratch)
            if not wanted.least < moved < 100:
                return Checked(f"differs from the input by {moved:.2f} codes", chroma)
        if wanted.gray and int(header(decoded, "bands")) > 1:
            vips("extract_band", decoded, scratch / "first.v", 0)
            color = difference(decoded, scratch / "first.v", scratch)
            if color > 1:
                return Checked(f"is colored by {color:.2f} codes", chroma)
        if wanted.reference is None or not same_work:
            return Checked(None, chroma)
        mean = difference(decoded, wanted.reference, scratch)
        problem = f"differs by {mean:.2f} codes" if mean > wanted.within else None
        return Checked(problem, chroma, mean)
    except ToolFailed as failure:
        return Checked(f"does not decode: {failure}", chroma)
    finally:
        decoded.unlink(missing_ok=True)
