"""beach.jpg with full metadata, and the smaller photos with profiles or in other formats."""

from . import beach, icc
from .darkroom import ToolFailed
from .exif import icc_segment, with_segments, without_exif
from .noise import layered_noise, mix, smoothstep
from .picture import Picture

DESCRIPTION = "A parasol on the beach, late afternoon"
LENS = "Safelight 24-70mm f/2.8"
CAMERA = (
    "EXIF:Make=Safelight", "EXIF:Model=Procedural", "EXIF:Software=Fixtures",
    "EXIF:DateTimeOriginal=2024:06:01 12:34:56", "EXIF:CreateDate=2024:06:01 12:34:56",
    "EXIF:ModifyDate=2024:06:01 12:34:56", "EXIF:OffsetTimeOriginal=+02:00",
    "EXIF:OffsetTime=+02:00", "EXIF:OffsetTimeDigitized=+02:00", "EXIF:SubSecTimeOriginal=78",
    "EXIF:ISO=200", "EXIF:ExposureTime=1/500", "EXIF:FNumber=8", "EXIF:FocalLength=35",
    "EXIF:FocalLengthIn35mmFormat=35", "EXIF:ExposureCompensation=0", "EXIF:Flash#=16",
    "EXIF:MeteringMode#=5", "EXIF:WhiteBalance#=0", "EXIF:ColorSpace#=1",
    f"EXIF:LensModel={LENS}", "EXIF:LensMake=Safelight", "EXIF:LensInfo=24 70 2.8 2.8",
    "EXIF:SerialNumber=0001", f"EXIF:ImageDescription={DESCRIPTION}",
    "EXIF:Artist=Safelight", "EXIF:Copyright=Free to use",
    "EXIF:GPSLatitude=54.1815", "EXIF:GPSLatitudeRef=N", "EXIF:GPSLongitude=7.8855",
    "EXIF:GPSLongitudeRef=E", "EXIF:GPSAltitude=3.5", "EXIF:GPSAltitudeRef#=0",
    "EXIF:GPSDateStamp=2024:06:01", "EXIF:GPSTimeStamp=10:34:56", "EXIF:Orientation#=1",
)
CAPTION = (
    "IPTC:CodedCharacterSet=UTF8", f"IPTC:Caption-Abstract={DESCRIPTION}",
    "IPTC:Keywords=beach", "IPTC:Keywords=parasol", "IPTC:Keywords=Düne", "IPTC:City=Helgoland",
    "XMP-dc:Title=The beach", f"XMP-dc:Description={DESCRIPTION}", "XMP-xmp:Rating=4",
    "XMP-dc:Subject=beach", "XMP-dc:Subject=parasol", "XMP-dc:Subject=Düne",
)


class Beach:
    """The drawn beach, drawn once for all the files made of it."""

    def __init__(self, darkroom):
        self.darkroom, self._png = darkroom, None

    @property
    def png(self):
        if self._png is None:
            self._png = self.darkroom.temporary(".png", beach.draw().png())
        return self._png

    def shrunk(self, longest_side, suffix=".png"):
        """The beach in a smaller size, as a file without metadata."""
        result = self.darkroom.temporary(suffix)
        content = self.darkroom.develop(
            self.png, "resize", str(longest_side / beach.WIDTH), suffix=".png")
        result.write_bytes(content)
        return result


def make_beach(darkroom, photo):
    """beach.jpg: the photo of the README, with all a camera and a photographer add."""
    jpeg = darkroom.develop(
        photo.png, "jpegsave", "--Q=85", "--strip", "--optimize-coding", suffix=".jpg")
    profile = darkroom.read("profiles/srgb.icc")
    darkroom.write("beach.jpg", with_segments(jpeg, icc_segment(profile)))
    thumbnail = darkroom.temporary("-thumbnail.jpg", darkroom.develop(
        photo.shrunk(160), "jpegsave", "--Q=70", "--strip", "--optimize-coding", suffix=".jpg"))
    darkroom.tag("beach.jpg", *CAMERA, *CAPTION, f"EXIF:ExifImageWidth={beach.WIDTH}",
                 f"EXIF:ExifImageHeight={beach.HEIGHT}", f"ThumbnailImage<={thumbnail}")


def make_profiled(darkroom):
    """profiles/*.jpg: pictures that are only right when their profile is honoured."""
    def tagged(name, picture, profile):
        jpeg = darkroom.jpeg(picture, 92, "--optimize-coding")
        darkroom.write(name, with_segments(jpeg, icc_segment(darkroom.read(profile))))

    tagged("profiles/p3.jpg", _patches(), "profiles/display-p3.icc")
    tagged("profiles/adobe.jpg", _patches(), "profiles/adobe-rgb-compatible.icc")
    steps = Picture.painted(128, 64, lambda x, y: x // 8 * 17, channels=1)
    tagged("profiles/grey-profile.jpg", steps, "profiles/grey-gamma22.icc")


def _patches():
    """Eight patches of 32 pixels: full red, green, blue, yellow; then skin, grey, white, black."""
    colours = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0),
               (210, 150, 120), (128, 128, 128), (255, 255, 255), (0, 0, 0))
    return Picture.painted(128, 64, lambda x, y: colours[x // 32 + y // 32 * 4])


def make_formats(darkroom):
    """Pictures in formats, depths and channel counts that the beach does not come in."""
    _cmyk(darkroom)
    darkroom.write("alpha.png", _bokeh(8).png())
    darkroom.write("alpha-16.png", _bokeh(16).png())
    dusk = _dusk()
    darkroom.write("sixteen-bit.png", dusk.png())
    darkroom.write("sixteen-bit.tif", darkroom.develop(
        darkroom.temporary(".png", dusk.png()), "tiffsave",
        "--compression=lzw", "--predictor=horizontal", "--strip", suffix=".tif"))
    # vips gives every WebP an EXIF block of its own; this one does without, and so does the beach's.
    darkroom.write("lossless-alpha.webp", without_exif(darkroom.develop(
        darkroom.temporary(".png", _bokeh(8).png()), "webpsave", "--lossless", "--strip",
        suffix=".webp")))


def make_shrunk(darkroom, photo):
    """The beach in every format."""
    small = photo.shrunk(240)
    darkroom.write("rgb.tif", darkroom.develop(
        small, "tiffsave", "--compression=lzw", "--predictor=horizontal", "--strip",
        suffix=".tif"))
    darkroom.tag("rgb.tif", *CAMERA, *CAPTION)
    darkroom.write("progressive.jpg", darkroom.develop(
        small, "jpegsave", "--Q=85", "--interlace", "--strip", suffix=".jpg"))
    # Stored lying on its left side, so that orientation 6 shows it upright.
    lying = darkroom.temporary(
        ".png", darkroom.develop(small, "rot", "d270", suffix=".png"))
    darkroom.write("lossy.webp", without_exif(darkroom.develop(
        lying, "webpsave", "--Q=80", "--strip", suffix=".webp")))
    darkroom.tag("lossy.webp", "EXIF:Orientation#=6", *CAMERA[:4])
    return _heif(darkroom, small)


def _heif(darkroom, small):
    """The two formats whose encoders may be missing; returns what to tell about them."""
    notes = []
    tagged = darkroom.temporary(".jpg", darkroom.read("progressive.jpg"))
    darkroom.tag(tagged, *CAMERA[:6])
    for name, compression in (("photo.heic", "hevc"), ("photo.avif", "av1")):
        try:
            darkroom.write(f"{name}", darkroom.develop(
                tagged, "heifsave", "--Q=60", f"--compression={compression}",
                suffix="." + name.split(".")[1]))
        except ToolFailed as failure:
            notes.append(f"{name} skipped, no encoder: {failure}")
    return notes


def _cmyk(darkroom):
    """A CMYK JPEG without a profile: ramps of cyan, magenta, yellow and black over each other."""
    width, height = 96, 64
    inks = bytearray()
    for y in range(height):
        for x in range(width):
            inks += bytes((x * 255 // 95, y * 255 // 63, 255 - x * 255 // 95, y // 16 * 40))
    raw = darkroom.temporary(".raw", bytes(inks))
    image = darkroom.temporary(".v", darkroom.develop(
        raw, "rawload", str(width), str(height), "4", "--interpretation=cmyk", suffix=".v"))
    darkroom.write("cmyk.jpg", darkroom.develop(
        image, "jpegsave", "--Q=90", "--strip", "--optimize-coding", suffix=".jpg"))


def _bokeh(bits):
    """Soft discs of light on nothing: alpha falls from opaque at their middles to clear."""
    top = (1 << bits) - 1
    discs = ((30, 30, 26, (1.0, 0.35, 0.2)), (66, 24, 20, (0.25, 0.75, 1.0)),
             (58, 48, 30, (1.0, 0.85, 0.3)))

    def paint(x, y):
        colour, alpha = (0.0, 0.0, 0.0), 0.0
        for disc_x, disc_y, radius, disc in discs:
            distance = ((x - disc_x) ** 2 + (y - disc_y) ** 2) ** 0.5
            share = smoothstep(radius, radius * 0.35, distance)
            over = alpha + share * (1 - alpha)
            if over > 0:
                colour = mix(colour, disc, share / over)
            alpha = over
        return tuple(round(top * v) for v in (*colour, alpha))
    return Picture.painted(96, 72, paint, channels=4, bits=bits)


def _dusk():
    """A 16-bit evening sky: slopes so gentle that 8 bits would show bands."""
    def paint(x, y):
        u, v = x / 160, y / 112
        glow = smoothstep(1.1, 0.0, ((u - 0.7) ** 2 + (v - 0.85) ** 2) ** 0.5)
        light = mix((0.010, 0.020, 0.070), (0.10, 0.09, 0.16), v)
        light = mix(light, (0.90, 0.42, 0.14), glow ** 2)
        ridge = 0.80 + 0.12 * layered_noise(u * 4, 9.5, 4)
        light = mix(light, (0.006, 0.006, 0.010), smoothstep(ridge - 0.006, ridge + 0.006, v))
        return tuple(round(65535 * icc.linear_to_srgb(c)) for c in light)
    return Picture.painted(160, 112, paint, bits=16)
