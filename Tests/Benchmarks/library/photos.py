"""Makes folders of small JPEGs that differ as photos do: in size, pixels, Exif and names."""

import datetime
import pathlib
import random
import struct
import subprocess

FIXTURES = pathlib.Path(__file__).resolve().parents[3] / "Fixtures"
CAMERAS = ["NIKON D750", "Canon EOS R6", "iPhone 15 Pro", "Pixel 8", "ILCE-7M4", "X-T5", ""]
PER_FOLDER = 500


def bases(folder):
    """Pictures of several sizes, without any metadata."""
    folder.mkdir()
    made = []
    for source in sorted(FIXTURES.glob("*.jpg")):
        for size in (160, 240, 320, 480, 640):
            target = folder / f"{source.stem}-{size}.jpg"
            subprocess.run(["vipsthumbnail", source, "--size", f"{size}x{size}", "-o",
                            f"{target}[Q=80,strip]"], check=True, capture_output=True)
            made.append(target.read_bytes())
    return made


def text(tag, words):
    data = words.encode() + b"\0"
    return (tag, 2, len(data), data)


def directory(entries, start):
    """A directory of Exif and what does not fit into it, as they stand at an offset."""
    entries = sorted(entries)
    head = struct.pack(">H", len(entries))
    values, place = b"", start + 2 + 12 * len(entries) + 4
    for tag, kind, count, value in entries:
        if len(value) > 4:
            field = struct.pack(">I", place + len(values))
            values += value
        else:
            field = value.ljust(4, b"\0")
        head += struct.pack(">HHI", tag, kind, count) + field
    return head + b"\0\0\0\0" + values


def degrees(value):
    value = abs(value)
    whole, minutes = int(value), value % 1 * 60
    return struct.pack(">6I", whole, 1, int(minutes), 1, int(minutes % 1 * 60_000), 1000)


def exif(facts):
    """An Exif segment of what is known of a photo."""
    main = [(0x112, 3, 1, struct.pack(">H", facts["orientation"]))]
    if facts["camera"]:
        main += [text(0x10F, facts["camera"].split()[0]), text(0x110, facts["camera"])]
    inner = [text(0x9003, facts["date"].strftime("%Y:%m:%d %H:%M:%S"))]
    place = []
    if facts["place"]:
        north, east = facts["place"]
        place = [text(1, "N" if north >= 0 else "S"), (2, 5, 3, degrees(north)),
                 text(3, "E" if east >= 0 else "W"), (4, 5, 3, degrees(east))]
    links = [(0x8769, 4, 1, b"\0" * 4)] + [(0x8825, 4, 1, b"\0" * 4)] * bool(place)
    first = 8 + len(directory(main + links, 8))
    second = first + len(directory(inner, first))
    links = [(0x8769, 4, 1, struct.pack(">I", first))]
    if place:
        links.append((0x8825, 4, 1, struct.pack(">I", second)))
    body = b"MM\0*\0\0\0\x08" + directory(main + links, 8) + directory(inner, first)
    body += directory(place, second) if place else b""
    return segment(0xE1, b"Exif\0\0" + body)


def segment(marker, payload):
    return struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload


def make(folder, count, scratch, seed=1):
    """Writes photos; returns what is known of each, by its path under the folder."""
    draw = random.Random(seed)
    pictures, known = bases(scratch / "bases"), {}
    for number in range(count):
        facts = {
            "orientation": draw.choice((1, 1, 1, 3, 6, 8)), "camera": draw.choice(CAMERAS),
            "date": datetime.datetime(2005, 1, 1) + datetime.timedelta(
                seconds=draw.randrange(20 * 365 * 86_400)),
            "place": (round(draw.uniform(-80, 80), 3), round(draw.uniform(-179, 179), 3))
            if draw.random() < 0.3 else None}
        name = draw.choice(("IMG_{:05}.jpg", "DSC{:05}.JPG", "été {:05}.jpg", "{:05}.jpeg"))
        path = pathlib.Path(f"{number // PER_FOLDER:04}") / name.format(number)
        note = draw.randbytes(draw.randrange(20, 400))
        picture = draw.choice(pictures)
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(b"\xff\xd8" + exif(facts) + segment(0xFE, note) + picture[2:])
        known[str(path)] = facts
    return known
