#!/usr/bin/env python3
"""Runs libFuzzer on everything that reads what others wrote: records, formats, photos, jobs, predicates, exports.

    run.py [--all] [--seconds N] [--corpus FOLDER] [--max-len N] [--repeat N] [--scratch FOLDER] [TARGET...]

Builds `Tests/Fuzzers` with libFuzzer's instrumentation, and gives each target N seconds (4 unless told), two
targets at a time. With --all also the targets of the program: jobs, command lines, predicates
and exports; this takes several times as long to build. Inputs that reach new code are kept in the corpus folder, for the next run. A finding is a
trap, an input that takes longer than five seconds or more than 1 GB, or a text that is not read again as it was
written; its bytes stay in the corpus folder, and the run fails. With --repeat, a part of each input is repeated to
N bytes, which finds readers whose time grows faster than their input.
"""

import argparse
import base64
import concurrent.futures
import os
import pathlib
import plistlib
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"

# The sources whose texts in quotes are words that a target may understand.
WORDS = {
    "json": ["Formats/JSON"], "plists": ["Formats/PropertyList"], "xml": ["Formats/XML"],
    "records": ["Storage/Record", "Formats/PropertyList"],
    "stacks": ["Adjustments"], "filters": ["Adjustments"], "cube": ["LookupTables"],
    "jpeg": ["Metadata"], "png": ["Metadata", "Storage/PictureDigest"], "webp": ["Metadata", "Storage/PictureDigest"],
    "isomedia": ["Metadata", "Formats/ISO", "Storage/PictureDigest"], "xmp": ["Metadata/XMP", "Metadata/Photo"],
    "photoshop": ["Metadata/Photoshop"],
    "jobs": ["EditCommands", "Adjustments"], "commands": ["EditCommands", "Adjustments"],
    "predicates": ["PhotoLibrary/Fetching", "Catalog/Query"], "exports": ["Catalog/Export"],
}

TEXTS = {
    "json": ['{"a": [1, -2.5e3, true, null, "\\u00e9\\ud83d\\ude00"], "b": {}}', "[[],{}]", "1e400", '"\\\\"'],
    "xml": ["<a b='c'>&lt;&#x41;<![CDATA[x]]><!-- --></a>", "<?xml version='1.0'?><x:a xmlns:x='y' x:b=''/>"],
    "dates": ["2024-05-01T18:30:15.250+02:00", "2024:05:01 18:30:15\n25\n+02:00", "20240501\n183015+0200",
              "2025-08-01T12:34:56Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "2024-02-29"],
    "jobs": ['{"id": 7, "photo": "beach.jpg", "command": ["apply", "noir", "--intensity=0.6"]}',
             '{"photo": "a", "command": ["adjust", "--exposure", "1.5", "--tone-curve", "0,0 1,1"]}',
             '{"photo": "a", "dryRun": true, "quality": 80, "edit": {"operation": "crop", "aspect": "16:9"}}'],
    "commands": ["apply\nnoir\nbeach.jpg", "adjust\n--exposure=+0.5\n--\n-x.jpg", "crop\n--aspect\n16:9\na.jpg",
                 "library\nlist\n--where\nrating > 3", "render\na.jpg\n-o\nb\n--long-edge=2048", "help\nadjust",
                 "version\nsave\na\nb.jpg", "adjust\n-qv\n--tone-curve\n0,0 0.5,0.6 1,1\na.jpg"],
    "exports": [
        '{"version":1,"sequence":4,"entries":[\n{"sequence":1,"root":"/p"},\n{"sequence":2,"asset":{"identifier":"A",'
        '"path":"/p/a.jpg","favorite":true,"isDateSet":true,"creationDate":1.5}},\n{"sequence":3,"collection":'
        '{"identifier":"C","title":"t","position":0}},\n{"sequence":4,"member":{"album":"C","position":1,"asset":"A"}}\n]}\0'
        '{"sequence":5,"client":{"identifier":"c","readWrite":4}}\n{"sequence":6,"selected":{"client":"c","asset":"A"}}\n'
        '{"sequence":7,"departed":{"asset":{"identifier":"D","path":{"bytes":"L3AvYg=="}},"members":[{"album":"C",'
        '"position":2}],"clients":["c"],"fingerprint":"AAAA"}}\n{"sequence":8,"removed":true,"root":"/p"}\n'],
}


def stacks():
    lists = [plistlib.loads(path.read_bytes()) for path in FIXTURES.glob("recorded/**/*.aae")]
    found = [entry["adjustmentData"] for entry in lists if "adjustmentData" in entry]
    ten = (ROOT / "Tests/Benchmarks/ten-steps.json").read_bytes()
    looks = [path.read_bytes() for path in (ROOT / "Filters/Looks").glob("*.json")]
    return found + [ten] + [b'{"adjustments":[{"id":"filter","version":1,"intensity":1,"filter":%s}]}' % look
                            for look in looks[:4]] + [look.replace(b'"steps"', b'"adjustments"') for look in looks]


def segments(path, marker, header):
    """The payloads of a JPEG's segments that begin with a header, without it."""
    data, offset, found = path.read_bytes(), 2, []
    while offset + 4 <= len(data) and data[offset] == 0xFF and data[offset + 1] != 0xDA:
        length = struct.unpack(">H", data[offset + 2:offset + 4])[0]
        payload = data[offset + 4:offset + 2 + length]
        if data[offset + 1] == marker and payload.startswith(header):
            found.append(payload[len(header):])
        offset += 2 + length
    return found


def doubled(data):
    """A HEIC or AVIF in which everything inside of the meta box is there twice."""
    offset = 0
    while offset + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[offset:offset + 8])
        if kind == b"meta":
            inside = data[offset + 8:offset + size]
            return (data[:offset] + struct.pack(">I4s", 8 + 2 * len(inside) - 4, b"meta") + inside + inside[4:]
                    + data[offset + size:])
        offset += max(size, 8)
    return data


def seeds(target):
    """Inputs that a target understands."""
    jpegs = sorted(FIXTURES.rglob("*.jpg"))
    if target in TEXTS:
        return [text.encode() for text in TEXTS[target]]
    if target in ("records", "plists"):
        return [path.read_bytes() for path in sorted(FIXTURES.rglob("*.aae"))]
    if target == "stacks":
        return stacks()
    if target == "filters":
        return [path.read_bytes() for path in sorted((ROOT / "Filters/Looks").glob("*.json"))]
    if target == "cube":
        return [path.read_bytes() for path in sorted(FIXTURES.rglob("*.cube"))] + [b"LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"]
    if target == "tables":
        ends = struct.pack("<12f", 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1)
        lattices = [struct.pack("<BBI", kind, depth, 2) + ends for kind in (1, 3) for depth in (1, 2, 4)]
        counts = [3 * 2 ** lattice[0] * lattice[1] for lattice in lattices]
        return [b"\0" + lattice + bytes(count) for lattice, count in zip(lattices, counts)] + [
            b"\1" + lattices[1] + lattices[4] + bytes(range(counts[1] + counts[4]))]
    if target == "predicates":
        tests = (ROOT / "Tests/PhotoLibraryTests/Fetching/PredicateFormatTests.swift").read_text()
        return [text.encode() for text in re.findall(r'^\s*\("([^"\\]+)", ', tests, re.MULTILINE)]
    if target == "exif":
        return [data for path in jpegs for data in segments(path, 0xE1, b"Exif\0\0")]
    if target == "xmp":
        found = [data for path in jpegs for data in segments(path, 0xE1, b"http://ns.adobe.com/xap/1.0/\0")]
        return found + [b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-"
                        b"syntax-ns#'><rdf:Description xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='6'>"
                        b"</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>"]
    if target == "photoshop":
        found = [data for path in jpegs for data in segments(path, 0xED, b"Photoshop 3.0\0")]
        return found + [b"8BIM\x04\x04\0\0\0\0\0\x06\x1c\x02\x05\0\x01A8BIM\x04\x25\0\0\0\0\0\x01x\0"]
    kinds = {"jpeg": ["jpg"], "png": ["png"], "webp": ["webp"], "tiff": ["tif"], "isomedia": ["heic", "avif"]}
    found = [path.read_bytes() for kind in kinds.get(target, []) for path in sorted(FIXTURES.rglob("*." + kind))]
    return found + [doubled(data) for data in found] if target == "isomedia" else found


def dictionary(target, path):
    words = set()
    for part in WORDS.get(target, []):
        folder = ROOT / "Sources" / part
        files = folder.rglob("*.swift") if folder.is_dir() else folder.parent.glob(folder.name + "*.swift")
        for file in files:
            words |= set(re.findall(r'"((?:[^"\\]|\\0)(?:[^"\\\n]|\\0){1,30})"', file.read_text()))
    lines = [word.replace("\\0", "\0").encode() for word in sorted(words) if word.count(" ") < 3]
    path.write_text("".join(
        '"' + "".join(f"\\x{byte:02x}" for byte in line) + '"\n' for line in lines))


def limit():
    # An allocation beyond this fails, which is a trap in Swift.
    resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(program, target, corpus, options):
    """Runs a target; returns its line of the table and its findings."""
    folder = corpus / target
    own, findings = folder / "corpus", folder / "findings"
    made = folder / "seeds"
    for each in (own, findings, made):
        each.mkdir(parents=True, exist_ok=True)
    for index, seed in enumerate(seeds(target)):
        (made / str(index)).write_bytes(seed[:options.max_len])
    dictionary(target, folder / "words")
    command = [program, f"-max_total_time={options.seconds}", f"-max_len={options.max_len}", "-timeout=5",
               "-rss_limit_mb=1024", "-print_final_stats=1", "-use_value_profile=1",
               f"-artifact_prefix={findings}/", own, made]
    if (folder / "words").stat().st_size > 0:
        command.append(f"-dict={folder / 'words'}")
    environment = os.environ | {"SAFELIGHT_FUZZER": target, "SAFELIGHT_REPEAT": str(options.repeat),
                                "SWIFT_BACKTRACE": "enable=no"}
    done = subprocess.run(command, env=environment, capture_output=True, preexec_fn=limit)
    text = done.stderr.decode(errors="replace")
    (folder / "log").write_text(text)
    executions = re.search(r"number_of_executed_units: (\d+)", text)
    peak = re.search(r"peak_rss_mb:\s+(\d+)", text)
    edges = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", text)
    line = (target, int(executions[1]) if executions else 0, *(map(int, edges[-1]) if edges else (0, 0, 0)),
            int(peak[1]) if peak else 0)
    problem = None
    if done.returncode != 0:
        problem = re.findall(r"(?:Fatal error|ERROR|SUMMARY|Precondition|Test unit).*", text) or [text[-2000:]]
    return line, problem


def names(files):
    """The targets in a file of `Tests/Fuzzers`."""
    return [name for path in sorted((ROOT / "Tests/Fuzzers").glob(files))
            for name in re.findall(r'^  "(\w+)": \{ bytes', path.read_text(), re.MULTILINE)]


def build(scratch, everything):
    start = time.monotonic()
    # Optimized, as programs are shipped; `-enable-testing` opens the modules.
    subprocess.run(
        ["swift", "build", "-c", "release", "--sanitize", "fuzzer", "-Xswiftc", "-enable-testing", "--product",
         "Fuzzers", "--scratch-path", scratch], cwd=ROOT, check=True,
        env=os.environ | {"SAFELIGHT_FUZZERS": "all" if everything else "formats"}, stdout=subprocess.DEVNULL)
    print(f"built in {time.monotonic() - start:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--max-len", type=int, default=8192)
    parser.add_argument("--repeat", type=int, default=0)
    parser.add_argument("--scratch", default=".build/fuzzers")
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    program = names("Program*.swift")
    targets = options.targets or names("Format*.swift") + names("Photo*.swift") + (program if options.all else [])
    if not options.no_build:
        build(options.scratch, not set(targets).isdisjoint(program))
    program = (ROOT / options.scratch / "release/Fuzzers").resolve()
    with tempfile.TemporaryDirectory() as temporary:
        corpus = options.corpus.resolve() if options.corpus else pathlib.Path(temporary)
        with concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
            results = list(pool.map(
                lambda target: run(program, target, corpus, options), targets))
        print(f"{'target':<12}{'executions':>12}{'edges':>8}{'features':>10}{'corpus':>8}{'MB':>6}")
        for line, _ in results:
            print("{:<12}{:>12,}{:>8,}{:>10,}{:>8,}{:>6,}".format(*line))
        print(f"{sum(line[1] for line, _ in results):,} executions")
        failed = [(line[0], problem) for line, problem in results if problem]
        for target, problem in failed:
            print(f"\n{target}:", *problem, sep="\n  ")
            for finding in sorted((corpus / target / "findings").iterdir()):
                print(f"  {finding.name}: {base64.b64encode(finding.read_bytes()).decode()}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
