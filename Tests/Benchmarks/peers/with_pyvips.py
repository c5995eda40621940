"""The tasks by pyvips."""

import pyvips


def load(photo):
    return pyvips.Image.new_from_file(photo, access="sequential")


def save(image, out):
    image.jpegsave(out, Q=95, subsample_mode="off")


def table(values):
    """A table for `maplut`: one list, or three for red, green and blue."""
    bands = values if isinstance(values[0], list) else [values]
    data = bytes(code for codes in zip(*bands) for code in codes)
    return pyvips.Image.new_from_memory(data, 256, 1, len(bands), "uchar")


def noir(photo, out, work):
    light = load(photo).maplut(pyvips.Image.new_from_file(work["light_table"]))
    mix = pyvips.Image.new_from_array([[*work["gray"]]] * 3)
    save(light.recomb(mix).maplut(pyvips.Image.new_from_file(work["curve_of_light"])), out)


def ten(photo, out, work):
    """All but the 3-D table, which libvips does not have."""
    image = load(photo).maplut(table(work["tables"]))
    image = image.recomb(pyvips.Image.new_from_array(work["mix"])).cast("uchar")
    hsv = image.copy(interpretation="srgb").sRGB2HSV()
    hsv = hsv.maplut(table([work["hue"], work["colorfulness"], list(range(256))]))
    image = hsv.copy(interpretation="hsv").HSV2sRGB().maplut(table(work["grading"]))
    save(image, out)


def local(photo, out, work):
    image = pyvips.Image.new_from_file(photo)
    gray = image.colourspace("b-w")
    base = gray.shrink(8, 8).gaussblur(5)
    near = base.resize(image.width / base.width, vscale=image.height / base.height,
                       kernel="linear")
    # Shadows up and highlights down, by how dark the surroundings are; then clarity.
    moved = near.linear(-40 / 255 - 0.3, 20) + gray.linear(0.3, 0)
    result = (image + moved).cast("uchar").copy(interpretation="srgb")
    save(result.sharpen(sigma=1, m2=1.5), out)


def preview(photo, out, work):
    save(pyvips.Image.thumbnail(photo, work["longest"], height=work["longest"]), out)
