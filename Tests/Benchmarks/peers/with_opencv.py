"""The tasks by OpenCV, with numpy where it has nothing ready."""

import pathlib

import cv2
import numpy


def save(image, out):
    """Quality 95, and 4:4:4 since there is an option for it; before, 4:2:0."""
    options = [cv2.IMWRITE_JPEG_QUALITY, 95]
    if hasattr(cv2, "IMWRITE_JPEG_SAMPLING_FACTOR"):
        options += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    if not cv2.imwrite(out, image, options):
        raise SystemExit(f"cannot write {out}")


def read(photo, how=cv2.IMREAD_COLOR):
    return cv2.imread(photo, how | cv2.IMREAD_IGNORE_ORIENTATION)


def tables(values):
    """Three tables for red, green and blue, as OpenCV's blue, green and red."""
    return numpy.array(values[::-1], numpy.uint8).T.reshape(1, 256, 3)


def noir(photo, out, work):
    light = cv2.LUT(read(photo), numpy.array(work["light"], numpy.uint16))
    gray = cv2.transform(light, numpy.array([work["gray"][::-1]]))
    curve = cv2.imread(work["curve_of_light"], cv2.IMREAD_GRAYSCALE).ravel()
    save(cv2.cvtColor(curve[gray], cv2.COLOR_GRAY2BGR), out)


def ten(photo, out, work):
    image = cv2.LUT(read(photo), tables(work["tables"]))
    image = cv2.transform(image, numpy.array(work["mix"])[::-1, ::-1])
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV_FULL)
    steps = [list(range(256)), work["colorfulness"], work["hue"]]
    image = cv2.cvtColor(cv2.LUT(hsv, tables(steps)), cv2.COLOR_HSV2BGR_FULL)
    image = cv2.LUT(image, tables(work["grading"]))
    data = (pathlib.Path(work["folder"]) / "look.f32").read_bytes()
    cube = numpy.frombuffer(data, numpy.float32).reshape(33, 33, 33, 3)
    cube = numpy.ascontiguousarray(cube[..., ::-1] * 255)
    for top in range(0, image.shape[0], 64):
        image[top:top + 64] = through(cube, image[top:top + 64])
    save(image, out)


def through(cube, rows):
    """Trilinear interpolation in a cube indexed blue, green, red."""
    place = rows.astype(numpy.float32) * (32 / 255)
    low = numpy.minimum(place.astype(numpy.int32), 31)
    part = (place - low)[..., None]
    b, g, r = low[..., 0], low[..., 1], low[..., 2]
    fb, fg, fr = part[..., 0, :], part[..., 1, :], part[..., 2, :]

    def edge(b, g):
        return cube[b, g, r] * (1 - fr) + cube[b, g, r + 1] * fr

    def face(b):
        return edge(b, g) * (1 - fg) + edge(b, g + 1) * fg

    mapped = face(b) * (1 - fb) + face(b + 1) * fb
    return numpy.clip(mapped + 0.5, 0, 255).astype(numpy.uint8)


def local(photo, out, work):
    image = read(photo)
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    size = (image.shape[1], image.shape[0])
    small = cv2.resize(gray, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    base = cv2.GaussianBlur(small, (0, 0), 5)
    # Shadows up and highlights down, by how dark the surroundings are.
    change = cv2.resize(20 - base * (40 / 255), size, interpolation=cv2.INTER_LINEAR)
    near = cv2.resize(base, size, interpolation=cv2.INTER_LINEAR)
    detail = cv2.subtract(gray, near, dtype=cv2.CV_32F) * 0.3
    moved = cv2.merge([cv2.add(change, detail, dtype=cv2.CV_32F)] * 3)
    image = cv2.add(image, moved, dtype=cv2.CV_8U)
    soft = cv2.GaussianBlur(image, (0, 0), 1)
    save(cv2.addWeighted(image, 1.6, soft, -0.6, 0), out)


def preview(photo, out, work):
    image = read(photo, cv2.IMREAD_REDUCED_COLOR_2)
    scale = work["longest"] / max(image.shape[:2])
    save(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), out)
