"""The kinds of photos, made here from the project's fixtures, and what each of them holds.

Kinds that nothing here writes, an iPhone's HEIC above all, come from a folder of real photos where it is given.
"""

import dataclasses
import io
import pathlib
import shutil
import struct
import subprocess
import sys

import numpy
import PIL.Image
import tifffile

from . import judges

TOP = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TOP / "Fixtures"))
from make.exif import ASCII, MAKER_NOTE, UNDEFINED, exif_block, exif_segment, with_segments, xmp_segment  # noqa: E402

IDENTIFIER = "7A1C3F52-5C1E-4D0B-9C3B-0D6A6C1E2F31"
SIZE = (952, 634)


@dataclasses.dataclass
class Thing:
    """What a photo holds, who judges it, and the words of a warning that it is lost."""
    name: str
    judge: object
    words: str = r"$^"


@dataclasses.dataclass
class Kind:
    """A kind of photo: its name, the function that makes a file in a folder, and its things."""
    name: str
    make: object
    things: list


PICTURE = Thing("picture, upright", judges.picture)


def beach(size=SIZE):
    return PIL.Image.open(TOP / "Fixtures" / "beach.jpg").convert("RGB").resize(size, PIL.Image.Resampling.LANCZOS)


def jpeg(path, image=None, **options):
    (image or beach()).save(path, quality=92, subsampling=0, **options)
    return path


def write_tags(path, *arguments):
    subprocess.run(["exiftool", "-q", "-m", "-overwrite_original", *arguments, path], check=True)
    return path


def ordinary(folder):
    path = jpeg(folder / "ordinary.jpg", PIL.Image.Image.transpose(beach(), PIL.Image.Transpose.ROTATE_90))
    return write_tags(
        path, "-n", "-EXIF:Orientation=6", "-EXIF:DateTimeOriginal=2024:05:06 07:08:09", "-EXIF:GPSLatitude=47.5",
        "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=8.5", "-EXIF:GPSLongitudeRef=E", "-XMP-dc:Title=Am Meer",
        "-IPTC:Caption-Abstract=The sea", "-IPTC:Keywords=sea", "-IPTC:Keywords=sand")


NOTE = b"SAFELIGHT NOTE\0\1" + bytes(range(64, 120))


def maker(folder):
    path = jpeg(folder / "maker.jpg")
    block = exif_block({0x010F: (ASCII, "Safelight")}, {MAKER_NOTE: (UNDEFINED, NOTE)})
    path.write_bytes(with_segments(path.read_bytes(), exif_segment(block)))
    return path


def ultra_hdr(folder):
    return pathlib.Path(shutil.copy(TOP / "Fixtures" / "hdr" / "iso.jpg", folder / "ultra.jpg"))


def video(path, *arguments):
    still = path.with_suffix(".png")
    beach((480, 320)).save(still)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-loop", "1", "-i", still, "-f", "lavfi", "-i", "sine=440:r=44100", "-t", "1",
         "-r", "15", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", *arguments, path],
        check=True, capture_output=True, timeout=120)
    still.unlink()
    return path


MOTION = """<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"
    xmlns:Container="http://ns.google.com/photos/1.0/container/"
    xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
    GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:MotionPhotoPresentationTimestampUs="500000">
   <Container:Directory><rdf:Seq>
    <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary" Item:Length="0"
      Item:Padding="0"/></rdf:li>
    <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto"
      Item:Length="%d" Item:Padding="0"/></rdf:li>
   </rdf:Seq></Container:Directory>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>"""


def motion_photo(folder):
    """A JPEG with a video behind it, as Android's motion photos have it."""
    path = jpeg(folder / "motion.jpg")
    film = video(folder / "film.mp4")
    content = film.read_bytes()
    film.unlink()
    packet = MOTION % len(content)
    path.write_bytes(with_segments(path.read_bytes(), xmp_segment(packet)) + content)
    return path


def live_pair(folder):
    """A still and a video with the same content identifier, as an iPhone's."""
    path = jpeg(folder / "IMG_0001.JPG")
    text = IDENTIFIER.encode() + b"\0"
    start = 14 + 2 + 12 + 4
    note = b"Apple iOS\0\0\1MM" + struct.pack(">HHHIII", 1, 0x11, 2, len(text), start, 0) + text
    block = exif_block({0x010F: (ASCII, "Apple"), 0x0110: (ASCII, "iPhone")}, {MAKER_NOTE: (UNDEFINED, note)})
    path.write_bytes(with_segments(path.read_bytes(), exif_segment(block)))
    video(folder / "IMG_0001.MOV", "-movflags", "use_metadata_tags",
          "-metadata", f"com.apple.quicktime.content.identifier={IDENTIFIER}")
    return path


def deep():
    """The beach with finer steps than 8 bits have."""
    pixels = numpy.asarray(beach()).astype(float) * 257
    height, width = pixels.shape[:2]
    ramp = numpy.linspace(0, 200, width)[None, :, None] + numpy.linspace(0, 50, height)[:, None, None]
    return numpy.clip(pixels + ramp, 0, 65535).astype("uint16")


def deep_tiff(folder):
    tifffile.imwrite(folder / "deep.tif", deep(), photometric="rgb")
    return folder / "deep.tif"


def deep_png(folder):
    import imagecodecs
    (folder / "deep.png").write_bytes(imagecodecs.png_encode(deep()))
    return folder / "deep.png"


def transparent(folder):
    image = beach()
    x = numpy.linspace(0, 255, SIZE[0])[None, :].repeat(SIZE[1], 0)
    x[: SIZE[1] // 3] = 255
    image.putalpha(PIL.Image.fromarray(x.astype("uint8")))
    image.save(folder / "transparent.png")
    return folder / "transparent.png"


def cmyk(folder):
    pixels = 255 - numpy.asarray(beach())
    black = pixels.min(axis=2, keepdims=True) // 2
    inks = numpy.concatenate([pixels - black, black], axis=2)
    return jpeg(folder / "cmyk.jpg", PIL.Image.fromarray(inks, "CMYK"))


def wide(folder):
    pixels = numpy.asarray(beach()).copy()
    # A red, a green and an orange that only the wider profile has.
    for index, color in enumerate([(200, 16, 16), (16, 200, 16), (200, 110, 0)]):
        pixels[240:360, 180 + 200 * index:320 + 200 * index] = color
    profile = (TOP / "Fixtures" / "profiles" / "display-p3.icc").read_bytes()
    return jpeg(folder / "wide.jpg", PIL.Image.fromarray(pixels), icc_profile=profile)


def gray(folder):
    return jpeg(folder / "gray.jpg", beach().convert("L"))


def sphere(folder):
    path = jpeg(folder / "sphere.jpg")
    return write_tags(
        path, "-XMP-GPano:ProjectionType=equirectangular", f"-XMP-GPano:CroppedAreaImageWidthPixels={SIZE[0]}",
        f"-XMP-GPano:CroppedAreaImageHeightPixels={SIZE[1]}", f"-XMP-GPano:FullPanoWidthPixels={SIZE[0] * 2}",
        f"-XMP-GPano:FullPanoHeightPixels={SIZE[0]}", "-XMP-GPano:CroppedAreaLeftPixels=100",
        "-XMP-GPano:CroppedAreaTopPixels=100")


def faces(folder):
    path = jpeg(folder / "faces.jpg")
    return write_tags(
        path, f"-XMP-mwg-rs:RegionInfo={{AppliedToDimensions={{W={SIZE[0]},H={SIZE[1]},Unit=pixel}},"
        "RegionList=[{Area={X=0.4,Y=0.45,W=0.1,H=0.12,Unit=normalized},Name=Ann,Type=Face}]}")


def real(relative):
    """A real photo from the folder that is given, if it is there."""
    def make(folder):
        path = make.photos and make.photos / relative
        return pathlib.Path(shutil.copy(path, folder / path.name)) if path and path.exists() else None
    make.photos = None
    return make


GAIN_MAP = Thing("HDR gain map", judges.gain_map, r"gain map|HDR")

KINDS = [
    Kind("JPEG, turned by its tag", ordinary, [
        PICTURE,
        Thing("date and place (Exif)", judges.of_tags("DateTimeOriginal", "GPSLatitude", "GPSLongitude"), "Exif"),
        Thing("title (XMP)", judges.of_tags("Title"), "XMP"),
        Thing("caption, keywords (IPTC)", judges.of_tags("Caption-Abstract", "Keywords"), "IPTC"),
    ]),
    Kind("JPEG with maker note", maker, [Thing("maker note", judges.maker_note(NOTE), "maker note")]),
    Kind("Ultra HDR JPEG", ultra_hdr, [PICTURE, GAIN_MAP]),
    Kind("iPhone HEIC with depth", real("depth/IMG_5747.HEIC"), [
        PICTURE, GAIN_MAP, Thing("depth map", judges.depth, "depth"),
        Thing("wide colors", judges.wide_colors, "profile|color")]),
    Kind("motion photo", motion_photo, [PICTURE, Thing("video inside", judges.motion, "video|motion")]),
    Kind("Live Photo", live_pair, [
        PICTURE, Thing("identifier of the pair", judges.pair_identifier, "Live|pair|identifier"),
        Thing("video with the edit", judges.pair_video, "video|Live")]),
    Kind("TIFF of 16 bits", deep_tiff, [PICTURE, Thing("16 bits", judges.sixteen_bits, "bits")]),
    Kind("PNG of 16 bits", deep_png, [PICTURE, Thing("16 bits", judges.sixteen_bits, "bits")]),
    Kind("transparent PNG", transparent, [PICTURE, Thing("transparency", judges.alpha, "transparen")]),
    Kind("CMYK JPEG", cmyk, [PICTURE]),
    Kind("wide gamut JPEG", wide, [PICTURE, Thing("wide colors", judges.wide_colors, "profile|color")]),
    Kind("gray JPEG", gray, [PICTURE]),
    Kind("panorama", sphere, [Thing("part of the sphere", judges.panorama, "panorama|GPano|sphere")]),
    Kind("face region", faces, [Thing("region on the face", judges.regions, "region|face")]),
]
