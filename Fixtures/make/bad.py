"""bad/: files that must be refused with a clear message, and records by other hands."""

import datetime
import hashlib
import plistlib
import struct
import zlib

from .exif import frame_offset
from .noise import Random
from .picture import Picture, png_chunk

HUGE = 65500
TIME = datetime.datetime(2024, 6, 1, 10, 34, 56)


def make(darkroom):
    _pictures(darkroom)
    _records(darkroom)


def _pictures(darkroom):
    scene = Picture.painted(64, 48, lambda x, y: (x * 4, y * 5, (x * y) % 256))
    jpeg = darkroom.jpeg(scene, 90)
    darkroom.write("bad/empty.jpg", b"")
    darkroom.write("bad/text.jpg", b"This is a text file whose name says that it is a photo.\n")
    darkroom.write("bad/truncated.jpg", jpeg[:len(jpeg) * 3 // 5])
    # After the precision byte the frame header holds height and width.
    at = frame_offset(jpeg) + 1
    claimed = struct.pack(">HH", HUGE, HUGE)
    darkroom.write("bad/huge-header.jpg", jpeg[:at] + claimed + jpeg[at + 4:])
    header = struct.pack(">IIBBBBB", HUGE, HUGE, 8, 2, 0, 0, 0)
    darkroom.write("bad/huge-header.png", b"\x89PNG\r\n\x1a\n" + b"".join((
        png_chunk(b"IHDR", header), png_chunk(b"IDAT", zlib.compress(bytes(1000), 9)),
        png_chunk(b"IEND", b""))))


def _records(darkroom):
    darkroom.write("bad/sidecar-empty.aae", b"")
    darkroom.write("bad/sidecar-not-xml.aae", b"adjustmentFormatVersion = 1.0\n")
    stack = b'{"adjustments":[{"id":"exposure","version":9,"stops":0.5}]}'
    own = _record("org.safelight.edit", "1.0", stack, "org.safelight.edit")
    other = dict(own, safelight=_own_keys("another.jpg", b"another photo", "another_edited.jpg"))
    darkroom.write("bad/sidecar-binary.aae", plistlib.dumps(other, fmt=plistlib.FMT_BINARY))
    darkroom.write("bad/sidecar-another-photo.aae", plistlib.dumps(other))
    random = Random(1853)
    opaque = bytes(random.bits() & 255 for _ in range(240))
    darkroom.write("bad/apple.aae", plistlib.dumps(
        _record("com.apple.photo", "1.4", opaque, "com.apple.Photos")))
    chart = darkroom.read("gradients/chart.png")
    known = plistlib.dumps(
        dict(own, safelight=_own_keys("chart.png", chart, "chart_edited.jpg"))).decode()
    # The first </dict> ends "original": its unknown keys stand within, then come others.
    known = known.replace("</dict>", _UNKNOWN_INSIDE + "</dict>", 1)
    end = known.rindex("</dict>")
    darkroom.write("bad/unknown-keys.aae", (known[:end] + _UNKNOWN_OUTSIDE + known[end:]).encode())


def _record(identifier, version, data, editor):
    return {
        "adjustmentBaseVersion": 0,
        "adjustmentData": data,
        "adjustmentEditorBundleID": editor,
        "adjustmentFormatIdentifier": identifier,
        "adjustmentFormatVersion": version,
        "adjustmentTimestamp": TIME,
    }


def _own_keys(name, content, render):
    return {
        "recordVersion": 1,
        "original": {
            "name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()},
        "render": {
            "name": render, "size": 4321, "sha256": hashlib.sha256(b"no such render").hexdigest(),
            "pixelWidth": 124, "pixelHeight": 84, "renderer": "1"},
        "history": [],
        "redo": [],
    }


# Spellings that a parser which forgets the text would change when it writes them again.
_UNKNOWN_INSIDE = """\t<key>colourOfTheDay</key>
\t\t\t<string>&#x73;ea &amp; <![CDATA[sand & sky]]></string>
\t\t"""
_UNKNOWN_OUTSIDE = """\t<!-- written by a newer program -->
\t<key>zoneSystem</key>
\t<dict>
\t\t<key>stops</key>
\t\t<real>1.500</real>
\t\t<key>zones</key>
\t\t<array>
\t\t\t<integer>+7</integer>
\t\t\t<integer>0x1F</integer>
\t\t\t<true/>
\t\t\t<false></false>
\t\t\t<date>2031-01-02T03:04:05Z</date>
\t\t\t<data> AAEC\tAwQ= </data>
\t\t</array>
\t\t<key/>
\t\t<string/>
\t</dict>
"""
