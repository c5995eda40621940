"""hdr/*.jpg: pictures with a gain map behind them, in the three conventions that JPEGs have.

Sources: ISO 21496-1; Adobe, "Gain map specification" 1.0; Android, "Ultra HDR image format" 1.1; CIPA DC-007 (MPF).
"""

import struct

from . import icc
from .exif import SHORT, exif_block, exif_segment, icc_segment, resolution, segment, with_segments, xmp_segment
from .noise import smoothstep
from .picture import Picture

WIDTH, HEIGHT = 240, 160
HEADROOM = 3
# Stops of the map's codes 0 and 255, and the power of the codes, for red, green and blue.
ONE = ((-0.5, 3.0, 1.5),)
THREE = ((-0.5, 3.0, 1.0), (0.0, 2.4, 0.8), (0.0, 1.5, 2.0))

PACKET = """<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""%s
 </rdf:RDF>
</x:xmpmeta>"""
HDRGM = '\n   xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"'
DIRECTORY = """
   xmlns:Container="http://ns.google.com/photos/1.0/container/"
   xmlns:Item="http://ns.google.com/photos/1.0/container/item/"%s>
   <Container:Directory>
    <rdf:Seq>
     <rdf:li rdf:parseType="Resource">
      <Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/>
     </rdf:li>
     <rdf:li rdf:parseType="Resource">
      <Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="%d"/>
     </rdf:li>
    </rdf:Seq>
   </Container:Directory>
  </rdf:Description>"""
APPLE = """
   xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/"
   HDRGainMap:HDRGainMapVersion="131072" HDRGainMap:HDRGainMapHeadroom="%g"/>"""


def make(darkroom):
    """One channel by ISO and Ultra HDR; three by Adobe's properties, stored lying down; and Apple's."""
    base = darkroom.jpeg(Picture.painted(WIDTH, HEIGHT, _codes), 95)
    profile = icc_segment(darkroom.read("profiles/display-p3.icc"))

    small = darkroom.jpeg(_map(ONE), 95)
    small = with_segments(small, segment(0xE2, ISO + _iso(ONE)), xmp_segment(PACKET % _hdrgm(ONE)))
    primary = with_segments(
        base, xmp_segment(PACKET % (DIRECTORY % (HDRGM, len(small)))), profile,
        segment(0xE2, ISO + bytes(4)))
    darkroom.write("hdr/iso.jpg", _with_list(primary, small))

    small = with_segments(darkroom.jpeg(_map(THREE), 95), xmp_segment(PACKET % _hdrgm(THREE)))
    lying = exif_segment(exif_block({0x0112: (SHORT, [6]), **resolution(72)}))
    darkroom.write("hdr/adobe.jpg", _with_list(with_segments(base, lying, profile), small))

    # Apple's codes are light, by the curve of Rec. 709.
    def code(x, y):
        light = (2 ** _stops(x, y) - 1) / (2 ** HEADROOM - 1)
        return round(255 * (4.5 * light if light < 0.018 else 1.099 * light ** 0.45 - 0.099))
    small = darkroom.jpeg(Picture.painted(WIDTH // 4, HEIGHT // 4, code, channels=1), 95)
    small = with_segments(small, xmp_segment(PACKET % (APPLE % 2 ** HEADROOM)))
    darkroom.write("hdr/apple.jpg", _with_list(with_segments(base, profile), small))


def _codes(x, y):
    """Slopes of color without detail, brightest where the light is."""
    u, v = (x + 0.5) / WIDTH, (y + 0.5) / HEIGHT
    glow = smoothstep(0.9, 0.1, ((u - 0.7) ** 2 + (v - 0.35) ** 2) ** 0.5)
    light = (0.05 + 0.8 * glow, 0.08 + 0.3 * v + 0.4 * glow, 0.1 + 0.3 * u + 0.25 * glow)
    return tuple(round(255 * icc.linear_to_srgb(min(part, 1))) for part in light)


def _stops(x, y):
    """How much brighter a place of the map is, from 0 to the headroom."""
    u, v = (x + 0.5) / (WIDTH // 4), (y + 0.5) / (HEIGHT // 4)
    return HEADROOM * smoothstep(0.7, 0.1, ((u - 0.7) ** 2 + (v - 0.35) ** 2) ** 0.5)


def _map(channels):
    """The map with each channel as bright as its greatest stops let it be."""
    def code(x, y):
        codes = []
        for low, high, gamma in channels:
            stops = _stops(x, y) * high / HEADROOM
            codes.append(round(255 * ((stops - low) / (high - low)) ** gamma))
        return codes[0] if len(codes) == 1 else tuple(codes)
    return Picture.painted(WIDTH // 4, HEIGHT // 4, code, channels=len(channels))


ISO = b"urn:iso:std:iso:ts:21496:-1\0"


def _iso(channels):
    """Versions 0, one channel in the base's colors, then fractions with 64 below."""
    numbers = [0, HEADROOM]
    for low, high, gamma in channels:
        numbers += [low, high, gamma, 1 / 64, 1 / 64]
    return bytes(4) + b"\x40" + b"".join(struct.pack(">iI", int(64 * n), 64) for n in numbers)


def _hdrgm(channels):
    names = ("GainMapMin", "GainMapMax", "Gamma")
    attributes = f'{HDRGM}\n   hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="{HEADROOM}"'
    if len(channels) == 1:
        for name, number in zip(names, channels[0]):
            attributes += f'\n   hdrgm:{name}="{number:g}"'
        return attributes + "/>"
    lists = ""
    for name, numbers in zip(names, zip(*channels)):
        items = "".join(f"<rdf:li>{number:g}</rdf:li>" for number in numbers)
        lists += f"\n   <hdrgm:{name}><rdf:Seq>{items}</rdf:Seq></hdrgm:{name}>"
    return attributes + ">" + lists + "\n  </rdf:Description>"


def _with_list(primary, further):
    """Both pictures, and in the first one their list: version, number, and sixteen bytes for each."""
    def listed(length):
        entries = struct.pack(">IIIHH", 0x030000, length, 0, 0, 0)
        entries += struct.pack(">IIIHH", 0, len(further), length - start, 0, 0)
        block = b"MM\0*" + struct.pack(">IH", 8, 3)
        block += struct.pack(">HHI4s", 0xB000, 7, 4, b"0100") + struct.pack(">HHII", 0xB001, 4, 1, 2)
        block += struct.pack(">HHII", 0xB002, 7, 32, 50) + bytes(4) + entries
        return segment(0xE2, b"MPF\0" + block)
    at = 2 + 2 + struct.unpack(">H", primary[4:6])[0]
    # Places count from the byte order, eight bytes into the segment.
    start = at + 8
    length = len(primary) + len(listed(start))
    return primary[:at] + listed(length) + primary[at:] + further
