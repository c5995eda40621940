"""The fetches that are measured, and what each of them has to find, by going through all rows."""

import calendar
import dataclasses
import sqlite3
import time
from typing import Callable

PAGE = 100
SCREENSHOT = 4


@dataclasses.dataclass
class Fetch:
    """A fetch as the library is asked for it, and the same in Python."""
    name: str
    predicate: str = None
    holds: Callable = lambda row: True
    # A key of the library; one that begins with a minus is sorted by backwards.
    sort: str = "-creationDate"
    limit: int = 0
    album: str = None
    every: int = 0

    def question(self, rows):
        question = {"name": self.name, "predicate": self.predicate, "limit": self.limit,
                    "sort": [self.sort] if self.sort else [], "album": self.album}
        if self.every:
            question["identifiers"] = self.wanted(rows)
        return {key: value for key, value in question.items() if value is not None}

    def wanted(self, rows):
        return [row["identifier"] for row in rows.all[::len(rows.all) // self.every]]

    def answer(self, rows):
        """The identifiers that are to be found, in their order."""
        if self.album:
            found = rows.albums[self.album]
        else:
            found = rows.all
        if self.every:
            wanted = set(self.wanted(rows))
            found = [row for row in found if row["identifier"] in wanted]
        else:
            found = [row for row in found if not row["hidden"]]
        found = [row for row in found if row["trashedDate"] is None and self.holds(row)]
        if self.sort:
            column = self.sort.lstrip("-").replace("filename", "name")

            def place(row):
                # What is missing comes first.
                value = row[column]
                return (0, row["id"]) if value is None else (1, value, row["id"])
            found = sorted(found, key=place, reverse=self.sort.startswith("-"))
        found = [row["identifier"] for row in found]
        return found[:self.limit] if self.limit else found


def seconds(date):
    return calendar.timegm(time.strptime(date, "%Y-%m-%d"))


def since(row, date):
    return row["creationDate"] is not None and row["creationDate"] >= seconds(date)


def edited(row):
    return row["adjustmentFormat"] is not None


def named(row, text):
    return text in row["name"].decode().lower()


ALBUM = "Everything worth it"

FETCHES = [
    Fetch("newest first"),
    Fetch("last changed first", sort="-modificationDate"),
    Fetch("by name", sort="filename"),
    Fetch("the first 50", limit=50, sort="creationDate"),
    Fetch("100 identifiers", every=100),
    Fetch("favorites", "favorite = 1", lambda row: row["favorite"]),
    Fetch("screenshots", "(mediaSubtypes & 4) != 0", lambda row: row["mediaSubtypes"] & SCREENSHOT),
    Fetch("one year", "creationDate >= '2015-01-01 00:00:00Z' AND creationDate < "
          "'2016-01-01 00:00:00Z'",
          lambda row: since(row, "2015-01-01") and not since(row, "2016-01-01")),
    Fetch("one camera", "camera = 'Pixel 8'", lambda row: row["camera"] == "Pixel 8"),
    Fetch("camera contains", "camera CONTAINS[c] 'eos'",
          lambda row: "EOS" in (row["camera"] or "")),
    Fetch("edited, one camera", "hasAdjustments = 1 AND camera = 'NIKON D750'",
          lambda row: edited(row) and row["camera"] == "NIKON D750"),
    Fetch("edited favorites since 2020, last changed first",
          "favorite = 1 AND hasAdjustments = 1 AND creationDate >= '2020-01-01 00:00:00Z'",
          lambda row: row["favorite"] and edited(row) and since(row, "2020-01-01"),
          sort="-modificationDate"),
    Fetch("north of 60 degrees", "latitude > 60", lambda row: (row["latitude"] or 0) > 60),
    Fetch("name contains, few", "filename CONTAINS[cd] 'g_0000777'",
          lambda row: named(row, "g_0000777")),
    Fetch("name contains, some", "filename CONTAINS[c] '0777'", lambda row: named(row, "0777")),
    Fetch("name contains, none", "filename CONTAINS[cd] 'holiday'",
          lambda row: named(row, "holiday")),
    Fetch("name contains, all", "filename CONTAINS 'IMG'", lambda row: named(row, "img")),
    Fetch("name contains two letters", "filename CONTAINS '77'", lambda row: named(row, "77")),
    Fetch("favorite or edited", "favorite = 1 OR hasAdjustments = 1",
          lambda row: row["favorite"] or edited(row)),
    Fetch("favorite or one camera", "favorite = 1 OR camera = 'Pixel 8'",
          lambda row: row["favorite"] or row["camera"] == "Pixel 8"),
    Fetch("screenshot or edited, last changed first",
          "(mediaSubtypes & 4) != 0 OR hasAdjustments = 1",
          lambda row: row["mediaSubtypes"] & SCREENSHOT or edited(row), sort="-modificationDate"),
    Fetch("large album", album=ALBUM, sort=None),
    Fetch("large album, newest first", album=ALBUM),
    Fetch("favorites of a large album", "favorite = 1", lambda row: row["favorite"], album=ALBUM,
          sort=None),
    Fetch("small album", album="Journey 3", sort=None),
    Fetch("sorted without an index", sort="-pixelWidth"),
]


class Rows:
    """What a catalog holds."""

    def __init__(self, path):
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        database.row_factory = sqlite3.Row
        self.all = [dict(row) for row in database.execute(
            """SELECT id, identifier, name, favorite, hidden, trashedDate, adjustmentFormat, camera,
               creationDate, modificationDate, addedDate, pixelWidth, pixelHeight, mediaSubtypes,
               latitude FROM asset ORDER BY id""")]
        by_row = {row["id"]: row for row in self.all}
        self.albums = {}
        for title, asset in database.execute(
                """SELECT title, asset FROM collection JOIN member ON album = collection.id
                   ORDER BY album, member.position"""):
            self.albums.setdefault(title, []).append(by_row[asset])
        database.close()
