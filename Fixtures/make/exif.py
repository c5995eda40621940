"""EXIF blocks (CIPA DC-008, TIFF 6.0), and the JPEG segments and WebP chunks that hold them."""

import struct

BYTE, ASCII, SHORT, LONG, RATIONAL, UNDEFINED = 1, 2, 3, 4, 5, 7
_UNIT = {BYTE: 1, ASCII: 1, SHORT: 2, LONG: 4, RATIONAL: 8, UNDEFINED: 1}

EXIF_POINTER, GPS_POINTER = 0x8769, 0x8825
MAKER_NOTE = 0x927C
START_OF_FRAME = (0xC0, 0xC1, 0xC2)


def resolution(dots_per_inch):
    """The entries of the main directory that every JPEG with EXIF must have."""
    return {
        0x011A: (RATIONAL, [dots_per_inch, 1]), 0x011B: (RATIONAL, [dots_per_inch, 1]),
        0x0128: (SHORT, [2]), 0x0213: (SHORT, [1])}


def exif_block(main, photo=None, place=None, order="<"):
    """A TIFF structure: the main directory and, when given, the Exif and GPS directories.

    Each directory maps a tag to (type, value); values are text, bytes or lists of integers,
    rationals flattened to numerator, denominator. `order` is "<" (II) or ">" (MM).
    """
    directories, pointers = [dict(main)], []
    for pointer, directory in ((EXIF_POINTER, photo), (GPS_POINTER, place)):
        if directory:
            directories.append(directory)
            pointers.append(pointer)
            directories[0][pointer] = (LONG, [0])
    starts, at = [], 8
    for directory in directories:
        starts.append(at)
        at += _size(directory, order)
    for pointer, start in zip(pointers, starts[1:]):
        directories[0][pointer] = (LONG, [start])
    header = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8)
    return header + b"".join(
        _directory(directory, start, order) for directory, start in zip(directories, starts))


def _encoded(kind, value, order):
    if kind == ASCII:
        return value.encode() + b"\0"
    if kind in (BYTE, UNDEFINED):
        return bytes(value)
    return struct.pack(f"{order}{len(value)}{'H' if kind == SHORT else 'I'}", *value)


def _size(directory, order):
    sizes = [len(_encoded(*entry, order)) for entry in directory.values()]
    return 2 + 12 * len(sizes) + 4 + sum(size + size % 2 for size in sizes if size > 4)


def _directory(directory, start, order):
    entries, values = b"", b""
    at = start + 2 + 12 * len(directory) + 4
    for tag, (kind, value) in sorted(directory.items()):
        content = _encoded(kind, value, order)
        entries += struct.pack(order + "HHI", tag, kind, len(content) // _UNIT[kind])
        if len(content) <= 4:
            entries += content.ljust(4, b"\0")
        else:
            entries += struct.pack(order + "I", at + len(values))
            values += content + bytes(len(content) % 2)
    return struct.pack(order + "H", len(directory)) + entries + bytes(4) + values


def segment(marker, payload):
    return struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload


def exif_segment(block):
    return segment(0xE1, b"Exif\0\0" + block)


def xmp_segment(packet):
    return segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet.encode())


def icc_segment(profile):
    return segment(0xE2, b"ICC_PROFILE\0\1\1" + profile)


def iptc_segment(records):
    """A Photoshop segment with IPTC application records: (dataset number, text)."""
    data = b"\x1c\x01\x5a\x00\x03\x1b%G"  # 1:90, the records are UTF-8
    for dataset, text in records:
        text = text.encode()
        data += struct.pack(">BBBH", 0x1C, 2, dataset, len(text)) + text
    resource = b"8BIM" + struct.pack(">HHI", 0x0404, 0, len(data)) + data + bytes(len(data) % 2)
    return segment(0xED, b"Photoshop 3.0\0" + resource)


def with_segments(jpeg, *segments):
    """The JPEG with the segments put after its JFIF header."""
    at = 2
    if jpeg[2:4] == b"\xff\xe0":
        at += 2 + struct.unpack(">H", jpeg[4:6])[0]
    return jpeg[:at] + b"".join(segments) + jpeg[at:]


def frame_offset(jpeg):
    """Where the payload of the frame header starts: precision, height, width, components."""
    at = 2
    while True:
        marker, length = jpeg[at + 1], struct.unpack(">H", jpeg[at + 2:at + 4])[0]
        if marker in START_OF_FRAME:
            return at + 4
        at += 2 + length


def without_exif(webp):
    """The WebP file without its EXIF chunk (RFC 9649)."""
    chunks, at = b"", 12
    while at < len(webp):
        kind, size = struct.unpack("<4sI", webp[at:at + 8])
        chunk = webp[at:at + 8 + size + size % 2]
        if kind == b"VP8X":
            chunk = chunk[:8] + bytes([chunk[8] & ~0x08]) + chunk[9:]
        if kind != b"EXIF":
            chunks += chunk
        at += len(chunk)
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WEBP" + chunks
