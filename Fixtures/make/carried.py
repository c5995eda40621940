"""exif-gps-makernote.jpg: metadata that an editor must carry over byte for byte."""

import struct

from .exif import (
    ASCII, BYTE, LONG, MAKER_NOTE, RATIONAL, SHORT, UNDEFINED, exif_block, exif_segment,
    iptc_segment, resolution, segment, with_segments, xmp_segment)

PRIVATE_TAG = 0xF00D
NOTE_MARK = b"SAFELIGHT NOTE\0\1"

XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Safelight fixtures">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
    xmlns:stRef="http://ns.adobe.com/xap/1.0/sType/ResourceRef#"
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    tiff:Orientation="6"
    xmp:Rating="3"
    xmpMM:DocumentID="xmp.did:00000000-0000-4000-8000-000000000001"
    xmpMM:InstanceID="xmp.iid:00000000-0000-4000-8000-000000000002">
   <xmpMM:DerivedFrom
     stRef:documentID="xmp.did:00000000-0000-4000-8000-000000000000"
     stRef:filePath="scan &amp; negative.tif"/>
   <dc:title>
    <rdf:Alt>
     <rdf:li xml:lang="x-default">Möwe über dem Meer</rdf:li>
    </rdf:Alt>
   </dc:title>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
%s<?xpacket end="w"?>""" % ((" " * 99 + "\n") * 10)


def make(darkroom, photo):
    """A photo stored lying down, with every kind of metadata a JPEG can hold."""
    lying = darkroom.temporary(
        ".png", darkroom.develop(photo.shrunk(240), "rot", "d270", suffix=".png"))
    jpeg = darkroom.develop(
        lying, "jpegsave", "--Q=85", "--strip", "--optimize-coding", suffix=".jpg")
    # JFIF density: unit 1 is dots per inch; it stands 13 bytes into the file.
    jpeg = jpeg[:13] + struct.pack(">BHH", 1, 300, 300) + jpeg[18:]
    caption = iptc_segment(((120, "A gull over the sea"), (25, "gull"), (25, "Möwe")))
    darkroom.write("exif-gps-makernote.jpg", with_segments(
        jpeg, exif_segment(_exif()), xmp_segment(XMP), caption,
        segment(0xFE, b"A comment to be kept verbatim\0\xff\x01")))


def _exif():
    """The block, with the note's own offset written inside the note as cameras do."""
    block = _exif_with_note(0)
    return _exif_with_note(block.index(NOTE_MARK))


def _exif_with_note(offset):
    # A mark, where the note starts in the TIFF structure, then every byte value once.
    note = NOTE_MARK + struct.pack("<I", offset) + bytes(range(256))
    main = {
        0x010F: (ASCII, "Safelight"), 0x0110: (ASCII, "Procedural"),
        0x0112: (SHORT, [6]), 0x0132: (ASCII, "2024:06:01 12:34:56"),
        **resolution(300),
    }
    photo = {
        0x829A: (RATIONAL, [1, 500]), 0x829D: (RATIONAL, [56, 10]), 0x8827: (SHORT, [100]),
        0x9000: (UNDEFINED, b"0232"), 0x9003: (ASCII, "2024:06:01 12:34:56"),
        0x9011: (ASCII, "+02:00"), 0x9291: (ASCII, "078"), 0x9101: (UNDEFINED, [1, 2, 3, 0]),
        0xA000: (UNDEFINED, b"0100"), 0xA001: (SHORT, [1]),
        MAKER_NOTE: (UNDEFINED, note), 0xA002: (LONG, [160]), 0xA003: (LONG, [240]),
        PRIVATE_TAG: (ASCII, "a private tag to be kept verbatim"),
    }
    place = {
        0x0000: (BYTE, [2, 3, 0, 0]),
        0x0001: (ASCII, "S"), 0x0002: (RATIONAL, [33, 1, 51, 1, 24840, 1000]),
        0x0003: (ASCII, "W"), 0x0004: (RATIONAL, [71, 1, 37, 1, 11160, 1000]),
        0x0005: (BYTE, [1]), 0x0006: (RATIONAL, [25, 10]),
    }
    return exif_block(main, photo, place)
