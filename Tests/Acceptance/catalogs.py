#!/usr/bin/env python3
"""Tampers with the files of a library, and looks how `edit library` takes it.

    catalogs.py EDIT [--cases N] [--seconds S] [--seed N] [--jobs N]

A library with photos, albums, a trash, clients and an export is tampered with: bytes and pages of the
catalog and of its log, rows, the schema, the export, and links in the place of files. Then some commands
run, each with 4 GB of memory and 20 seconds. None of them may crash, hang, print text that is meant for
programmers, or touch a file that is not the library's.
"""

import argparse
import collections
import hashlib
import multiprocessing
import os
import pathlib
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
PHOTOS = sorted((TOP / "Fixtures" / "orientation").glob("?.jpg"))[:6]
RAW_TEXT = [b"DecodingError", b"Debug description", b"Fatal error", b"NSError", b"Swift."]


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (4_000_000 * 1024,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Bench:
    """A library in a folder of its own, with files of somebody else beside it."""

    def __init__(self, edit, root):
        self.edit, self.base, self.work = edit, root / "base", root / "work"
        self.library, self.photos = self.work / "library", self.work / "photos"
        self.victim = self.work / "victim"
        self.make()
        shutil.copytree(self.work, self.base, symlinks=True)

    def run(self, *words):
        return subprocess.run(
            [self.edit, "library", *words, "--library", self.library], capture_output=True,
            timeout=20, preexec_fn=limit, stdin=subprocess.DEVNULL, cwd=self.work)

    def make(self):
        for folder in [self.photos / "2024", self.victim]:
            folder.mkdir(parents=True)
        for number, photo in enumerate(PHOTOS):
            shutil.copy(photo, self.photos / ("2024" if number % 2 else ".") / photo.name)
        shutil.copy(PHOTOS[0], self.victim / "other.jpg")
        (self.victim / "key.txt").write_text("a private key\n")
        (self.victim / ".profile").write_text("a profile\n")
        subprocess.run([self.edit, "apply", "noir", "-q", self.photos / "1.jpg"], check=True)
        one, three, five = (self.photos / name for name in ["1.jpg", "3.jpg", "5.jpg"])
        two = self.photos / "2024" / "2.jpg"
        for words in [
            ("init",), ("add", self.photos), ("favorite", one), ("hide", three),
            ("album", "create", "Journeys", "--folder"), ("album", "create", "Sea", "--in", "Journeys"),
            ("album", "add", "Sea", one, two), ("trash", "put", five),
            ("access", "grant", "org.example.app"), ("access", "limit", "org.example.two", one),
            ("rebuild",), ("album", "create", "Hills"), ("album", "add", "Hills", two),
        ]:
            done = self.run(*words)
            if done.returncode != 0:
                sys.exit(f"{words}: {done.stderr.decode()}")

    def renew(self):
        shutil.rmtree(self.work)
        shutil.copytree(self.base, self.work, symlinks=True)

    def commands(self, chance):
        one = self.photos / "1.jpg"
        reading = [
            ("list",), ("list", "--json", "--hidden"), ("show", one), ("show", "--json", one),
            ("verify",), ("changes", "--json"), ("album", "list"), ("album", "show", "Sea"),
            ("trash", "list"), ("access", "list"), ("list", "--album", "Hills"),
            ("list", "--where", "favorite = 1 OR camera = 'x'", "--sort", "creationDate"),
            ("list", "--client", "org.example.two"),
        ]
        writing = [
            ("scan",), ("verify", "--fix"), ("favorite", one), ("album", "add", "Hills", one),
            ("trash", "put", one), ("album", "delete", "Sea"), ("trash", "restore", self.photos / "5.jpg"),
        ]
        return chance.sample(reading, 3) + chance.sample(writing, 2) + [("rebuild",), ("list",)]

    def traces(self):
        """What may not change: all of the other folder, and the bytes of the photos and of the edit."""
        others = {}
        for path in sorted(self.victim.rglob("*")):
            status = path.lstat()
            data = path.read_bytes() if path.is_file() else b""
            others[str(path.relative_to(self.victim))] = (
                hashlib.sha256(data).hexdigest(), status.st_mode, status.st_mtime_ns)
        contents = collections.Counter(
            hashlib.sha256(path.read_bytes()).hexdigest() for path in self.photos.rglob("*")
            if path.is_file())
        return others, contents


# Kinds of tampering. Each changes the files of the library, and returns what it did.

ENDINGS = ["", "", "", "-wal"]


def flip(bench, chance):
    path = bench.library / ("catalogue.sqlite" + chance.choice(ENDINGS))
    if not path.exists():
        path = bench.library / "catalogue.sqlite"
    data = bytearray(path.read_bytes())
    count = chance.choice([1, 2, 5, 50, 1000])
    for _ in range(count):
        # Page headers and the file's header decide most.
        at = chance.choice([chance.randrange(len(data)), chance.randrange(100),
                            chance.randrange(len(data) // 4096) * 4096 + chance.randrange(12)])
        data[min(at, len(data) - 1)] = chance.choice([0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)])
    path.write_bytes(data)
    return f"{count} bytes of {path.name}"


def pages(bench, chance):
    path = bench.library / "catalogue.sqlite"
    data = bytearray(path.read_bytes())
    count = len(data) // 4096
    kind = chance.choice(["swap", "copy", "empty", "truncate", "append"])
    one, two = (chance.randrange(count) * 4096 for _ in range(2))
    first, second = bytes(data[one:one + 4096]), bytes(data[two:two + 4096])
    if kind == "swap":
        data[one:one + 4096], data[two:two + 4096] = second, first
    elif kind == "copy":
        data[one:one + 4096] = second
    elif kind == "empty":
        data[one:one + 4096] = bytes(4096)
    elif kind == "truncate":
        del data[chance.randrange(len(data)):]
    else:
        data += chance.randbytes(chance.randrange(1, 20_000))
    path.write_bytes(data)
    return f"{kind} pages"


def connect(bench):
    database = sqlite3.connect(bench.library / "catalogue.sqlite", isolation_level=None)
    database.create_function(
        "foldedText", 1, lambda value: str(value).lower()[:100], deterministic=True)
    return database


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def values(bench, chance):
    paths = [bench.victim / "key.txt", bench.victim / "new", bench.victim, bench.photos / "1.jpg",
             bench.library / "originals" / ".." / ".." / "victim" / "key.txt", "/etc/passwd", "/",
             "/proc/self/mem", "/dev/zero", bench.library / "catalogue.sqlite"]
    return chance.choice([
        2**63 - 1, -2**63, 2**53, 2**31, -1, 0, 1, 7, 255, 1e308, -1e308, float("inf"), float("-inf"),
        5e-324, 1.5, None, "", "text", "a\0b", "../../victim/key.txt", "..", ".", "/", "a/b",
        "\x1b[31mred\u202e\u009b", "x" * 300, "x" * 2_000_000, b"", b"\0", b"../key.txt",
        b"\xff\xfe\x80", b"name\n.jpg", chance.randbytes(32), chance.randbytes(100_000),
        os.fsencode(chance.choice(paths)), str(chance.choice(paths)), chance.randrange(-2**63, 2**63),
    ])


def tables(database):
    names = [row[0] for row in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    return [name for name in names if name != "nameIndex"]


def rows(bench, chance, strict=True):
    database = connect(bench)
    done = []
    if not strict:
        # The texts of the tables stay what Safelight expects, and the rows are what they do not allow.
        kept = database.execute("SELECT name, sql FROM sqlite_schema").fetchall()
        database.execute("PRAGMA writable_schema = ON")
        database.execute(
            "UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT, ', ''), ') STRICT', ')')")
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.close()
        database = connect(bench)
    for _ in range(chance.choice([1, 1, 2, 5])):
        table = chance.choice(tables(database) + ["asset", "asset", "folder", "fileMove", "member"])
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({quoted(table)})")]
        if not columns:
            continue
        column = chance.choice(columns)
        try:
            kind = chance.randrange(10)
            if kind == 0:
                database.execute(f"DELETE FROM {quoted(table)} WHERE random() % 2")
            elif kind < 3:
                names = chance.sample(columns, chance.randrange(1, len(columns) + 1))
                marks = ", ".join("?" * len(names))
                database.execute(
                    f"INSERT OR REPLACE INTO {quoted(table)} ({', '.join(map(quoted, names))}) "
                    f"VALUES ({marks})", [values(bench, chance) for _ in names])
            else:
                some = "random() % 2" if chance.random() < 0.5 else "1"
                database.execute(
                    f"UPDATE OR IGNORE {quoted(table)} SET {quoted(column)} = ? WHERE {some}",
                    [values(bench, chance)])
            done.append(f"{table}.{column}")
        except (sqlite3.Error, OverflowError):
            pass
    if not strict:
        database.execute("PRAGMA writable_schema = ON")
        for name, text in kept:
            database.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", [text, name])
    database.close()
    return ("rows " if strict else "types ") + ", ".join(done)


def types(bench, chance):
    return rows(bench, chance, strict=False)


def moves(bench, chance):
    database = connect(bench)
    stage = bench.library / "originals" / ".incoming" / "one"
    stage.mkdir(parents=True, exist_ok=True)
    (stage / "staged.jpg").write_bytes(PHOTOS[0].read_bytes())
    ends = [bench.victim / "key.txt", bench.victim / ".profile", bench.victim / "new.jpg",
            bench.victim / ".safelight-trash" / "X", bench.victim, stage / "staged.jpg",
            stage / ".." / ".." / ".." / ".." / "victim" / "key.txt", bench.photos / "1.jpg",
            bench.library / "originals" / "2024" / "05" / "x.jpg", bench.library / "catalogue.json",
            bench.photos / ".safelight-trash" / "X", bench.photos / ".safelight-trash" / "..",
            bench.library / "originals" / ".." / "catalogue.json", "/", "", "relative", "a\0b"]
    for _ in range(chance.choice([1, 2, 8])):
        source, target = (chance.choice(ends) for _ in range(2))
        if chance.random() < 0.4:
            source = chance.choice(ends[:2] + [bench.photos / "1.jpg"])
            target = pathlib.Path(source).parent / ".safelight-trash" / "X"
        if chance.random() < 0.1:
            target = chance.choice(["../victim/key.txt", bench.victim / "link" / "x"])
        database.execute(
            "INSERT INTO fileMove (kind, source, target) VALUES (?, ?, ?)",
            [chance.choice([0, 0, 1, 1, 2, 3, -1, 2**62]), os.fsencode(source),
             chance.choice([os.fsencode(target), os.fsencode(target), chance.randbytes(32)])])
    database.close()
    return "file moves"


SCHEMA = [
    "CREATE TRIGGER evil AFTER UPDATE ON asset BEGIN DELETE FROM asset; END",
    "CREATE TRIGGER evil AFTER INSERT ON change BEGIN INSERT INTO fileMove (kind, source, target) "
    "VALUES (0, CAST('{victim}/key.txt' AS BLOB), CAST('{victim}/x' AS BLOB)); END",
    "CREATE TRIGGER evil AFTER INSERT ON change BEGIN WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL "
    "SELECT x + 1 FROM n) INSERT INTO unexported SELECT x FROM n; END",
    "CREATE VIEW evil AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n",
    "DROP TABLE member", "DROP TABLE identity", "DROP TABLE fileMove", "DROP INDEX assetByName",
    "DROP TABLE nameIndex", "DROP TABLE change", "DROP TABLE unexported", "DROP TABLE tally",
    "ALTER TABLE asset ADD COLUMN evil", "ALTER TABLE folder RENAME TO folders",
    "DROP TABLE folder", "ALTER TABLE asset DROP COLUMN rating", "DROP TABLE migration",
    "INSERT INTO migration VALUES ('tomorrow')", "DELETE FROM migration",
    "DELETE FROM migration WHERE name = 'consent'", "UPDATE migration SET name = name || 'x'",
    "CREATE TABLE evil (a CHECK (a IN (SELECT randomblob(900000000))))",
    "CREATE INDEX evil ON asset (abs(id))", "UPDATE sqlite_sequence SET seq = 9223372036854775807",
    "DELETE FROM identity", "INSERT INTO identity VALUES ('x'), ('y')",
    "INSERT INTO nameIndex (nameIndex) VALUES ('delete-all')", "DELETE FROM nameIndex_config",
    "UPDATE nameIndex_data SET block = randomblob(4000)", "PRAGMA user_version = 99",
    "PRAGMA application_id = 1", "PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512; VACUUM",
    "PRAGMA auto_vacuum = FULL; VACUUM", "PRAGMA encoding = 'UTF-16'; VACUUM",
]
TEXTS = [
    "DROP TABLE folder", "CREATE TABLE asset (id)", "", None, "CREATE", "CREATE TABLE x AS SELECT 1",
    "CREATE VIEW x AS SELECT 1", "CREATE VIRTUAL TABLE x USING fts5(a)", "x" * 100_000,
    "CREATE TABLE asset (id INTEGER PRIMARY KEY, " + ", ".join(f"c{n}" for n in range(1500)) + ")",
]


def schema(bench, chance):
    database = connect(bench)
    text = chance.choice(SCHEMA + [None] * 8)
    try:
        if text is None:
            database.execute("PRAGMA writable_schema = ON")
            column = chance.choice(["sql", "sql", "name", "tbl_name", "rootpage", "type"])
            value = chance.choice(TEXTS) if column == "sql" else values(bench, chance)
            database.execute(
                f"UPDATE sqlite_schema SET {column} = ? WHERE rowid = ?", [value, chance.randrange(1, 60)])
            text = f"sqlite_schema.{column}"
        else:
            database.executescript(text.replace("{victim}", str(bench.victim)))
    except (sqlite3.Error, OverflowError):
        pass
    database.close()
    return f"schema {text[:60]}"


def log(bench, chance):
    """A log beside the catalog that was not moved into it, and is damaged."""
    database = connect(bench)
    database.execute("UPDATE asset SET rating = 1")
    database.execute("UPDATE asset SET title = 'title'")
    path = bench.library / "catalogue.sqlite-wal"
    data = bytearray(path.read_bytes())
    copy = (bench.library / "catalogue.sqlite").read_bytes()
    database.close()
    (bench.library / "catalogue.sqlite").write_bytes(copy)
    kind = chance.choice(["flip", "truncate", "whole", "other"])
    for _ in range(chance.randrange(1, 20) if kind == "flip" else 0):
        data[chance.randrange(len(data))] = chance.randrange(256)
    if kind == "truncate":
        del data[chance.randrange(len(data)):]
    if kind == "other":
        # The log of another state of the catalog.
        shutil.copy(bench.base / "library" / "catalogue.sqlite", bench.library / "catalogue.sqlite")
    path.write_bytes(data)
    if chance.random() < 0.3:
        (bench.library / "catalogue.sqlite-shm").write_bytes(chance.randbytes(32_768))
    if chance.random() < 0.3:
        os.utime(path, (1, 1))
    return f"log {kind}"


def export(bench, chance):
    """The export is damaged, and in most cases the catalog is missing."""
    path = bench.library / chance.choice(["catalogue.json", "catalogue.journal.ndjson"])
    data = bytearray(path.read_bytes())
    kind = chance.choice(["flip", "truncate", "numbers", "nested", "strings", "repeat", "large"])
    strange = chance.choice([
        b'"../../victim/key.txt"', b'"/etc/passwd"', b'"a\\u0000b"', b'"\\ud800"', b"1e999", b"NaN", b"-1",
        b"99999999999999999999", b"9223372036854775807", b"null", b"[]", b"{}", b'"\\u001b[31m\\u202e"',
        b'{"bytes":"Li4vLi4vdmljdGlt"}', b'{"bytes":"//8="}', b'{"bytes":"!"}'])
    if kind == "flip" and data:
        for _ in range(chance.choice([1, 3, 20])):
            data[chance.randrange(len(data))] = chance.choice(b'{}[]",:0129\\\n \xff\0abc')
    elif kind == "truncate" and data:
        del data[chance.randrange(len(data)):]
    elif kind in ["numbers", "strings"]:
        text, ends = bytes(data), b',}]\n'
        places = [at + 1 for at in range(len(text)) if text[at:at + 1] == b":"]
        for start in chance.sample(places, min(len(places), chance.choice([1, 2]))):
            end = next((at for at in range(start, len(text)) if text[at] in ends), start)
            data[start:end] = strange
            break
    elif kind == "nested":
        data = bytearray(b'{"version":1,"sequence":1,"entries":' + b"[" * 200_000)
        if path.suffix == ".ndjson":
            data = bytearray(b'{"sequence":9,"asset":' * 100_000 + b"\n")
    elif kind == "repeat":
        data = data * chance.choice([2, 50])
    else:
        data += b'{"sequence":' + str(chance.randrange(1, 2**63)).encode() + b',"asset":{"identifier":' \
            + strange + b',"path":' + strange + b',"creationDate":' + strange + b"}}\n"
    path.write_bytes(data)
    gone = chance.random() < 0.8
    if gone:
        for name in bench.library.glob("catalogue.sqlite*"):
            name.unlink()
    return f"export {path.name} {kind}" + (" without catalog" if gone else "")


def links(bench, chance):
    """Something else stands where the library expects its files."""
    name = chance.choice([
        "catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm", "catalogue.json",
        "catalogue.journal.ndjson", "catalogue.rebuilding.sqlite", "catalogue.rebuilt.sqlite",
        "catalogue.before-rebuild.sqlite", "catalogue.before-rebuild.json", "originals", "cache",
        "originals/.incoming", "catalogue.rebuilding.sqlite-wal", "catalogue.sqlite-journal"])
    path = bench.library / name
    if path.is_dir():
        shutil.rmtree(path)
    elif path.exists():
        path.unlink()
    path.parent.mkdir(exist_ok=True)
    kind = chance.choice(["file", "folder", "pipe", "nothing", "loop", "new", "other", "empty", "noise"])
    if kind == "file":
        path.symlink_to(bench.victim / "key.txt")
    elif kind == "folder":
        path.symlink_to(bench.victim)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "nothing":
        path.symlink_to(bench.victim / "missing")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "new":
        path.mkdir()
    elif kind == "other":
        shutil.copy(bench.base / "library" / "catalogue.sqlite", path)
    elif kind == "empty":
        path.write_bytes(b"")
    else:
        path.write_bytes(chance.randbytes(9000))
    return f"{kind} as {name}"


KINDS = [flip, flip, pages, rows, rows, types, types, moves, schema, log, export, export, links]


def case(bench, seed):
    """Tampers once; returns the kind, the number of commands, and what went wrong."""
    chance = random.Random(seed)
    bench.renew()
    kind = chance.choice(KINDS)
    what = kind(bench, chance)
    if kind not in [export, links] and chance.random() < 0.1:
        what += " and " + chance.choice([flip, export])(bench, chance)
    before = bench.traces()
    wrong = []
    commands = bench.commands(chance)
    for words in commands:
        try:
            done = bench.run(*words)
        except subprocess.TimeoutExpired:
            wrong.append(f"{words[0]} hangs")
            continue
        if done.returncode not in [0, 1]:
            wrong.append(f"{' '.join(map(str, words))} ends with {done.returncode}: "
                         + done.stderr.decode(errors="replace")[-300:])
        text = done.stdout + done.stderr
        wrong += [f"{words[0]} prints {part.decode()}: {done.stderr[-300:]!r}"
                  for part in RAW_TEXT if part in text]
        # JSON is for programs.
        shown = b"\n".join(line for line in text.splitlines() if not line.startswith((b"{", b"[")))
        if any(byte < 32 and byte != 10 for byte in shown) or b"\xc2\x9b" in shown:
            wrong.append(f"{words[0]} prints control characters: {text[-300:]!r}")
    if bench.traces() != before:
        after = bench.traces()
        changed = [str(old)[:400] + " became " + str(new)[:400] for old, new in zip(before, after) if old != new]
        wrong.append("files of others changed: " + "; ".join(changed))
    return kind.__name__, len(commands), [f"seed {seed}, {what}: {one}" for one in wrong]


def work(given):
    edit, seeds, end = given
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as root:
        bench = Bench(edit, pathlib.Path(root))
        found = []
        for seed in seeds:
            if time.monotonic() > end:
                break
            found.append(case(bench, seed))
        return found


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("edit", type=pathlib.Path)
    options.add_argument("--cases", type=int, default=300)
    options.add_argument("--seconds", type=float, default=float("inf"), help="begin no case later than this")
    options.add_argument("--seed", type=int, default=1, help="the number of the first case")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    given = options.parse_args()
    end = time.monotonic() + given.seconds
    seeds = range(given.seed, given.seed + given.cases)
    shares = [(given.edit.resolve(), seeds[job::given.jobs], end) for job in range(given.jobs)]
    with multiprocessing.Pool(given.jobs) as pool:
        found = [one for share in pool.map(work, shares) for one in share]
    for line in (line for _, _, wrong in found for line in wrong):
        print(line)
    kinds = collections.Counter(kind for kind, _, _ in found)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    bad = sum(bool(wrong) for _, _, wrong in found)
    print(f"{len(found)} tampered libraries ({kinds}), {sum(count for _, count, _ in found)} commands: "
          + (f"{bad} went wrong" if bad else "no crash, no hang, no file of others touched"))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
