#!/usr/bin/env python3
"""Does one thing to many photos on a Spark cluster whose machines all see them.

    spark-submit spark_photos.py FOLDER RESULTS COMMAND...
    spark-submit --master spark://desk:7077 spark_photos.py \\
        /photos/harbour file:///photos/harbour-answers apply noir --intensity 0.6

RESULTS is a folder that Spark makes, with one JSON object a line in its files. The same line again,
with another RESULTS, does what is missing. Exit code 1: a photo failed.
"""

import json
import os
import sys

from pyspark.sql import SparkSession

KINDS = (b".jpg", b".jpeg", b".png", b".tif", b".tiff", b".webp", b".heic", b".avif")
CHUNK = int(os.environ.get("CHUNK", 50))  # photos for one task


def photos(folder: bytes):
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(place, name) for name in sorted(names)
                    if name.lower().endswith(KINDS))


def job(photo: bytes, command: list[str]) -> str:
    """A line for `edit worker`. A byte that is not UTF-8 is written as U+10FF00 plus the byte."""
    name = photo.decode("utf-8", "surrogateescape")
    name = "".join(chr(ord(c) - 0xDC00 + 0x10FF00) if "\udc80" <= c <= "\udcff" else c
                   for c in name)
    return json.dumps({"photo": name, "command": command})


def main():
    folder, results, command = os.fsencode(sys.argv[1]), sys.argv[2], sys.argv[3:]
    jobs = [job(photo, command) for photo in photos(os.path.abspath(folder))]
    # Spark gives the process this environment and no other. A task has one core, so one thread.
    environment = {key: os.environ[key] for key in ("PATH", "HOME", "XDG_DATA_HOME")
                   if key in os.environ} | {"VIPS_CONCURRENCY": "1"}
    spark = SparkSession.builder.appName("edit").getOrCreate()
    answers = (spark.sparkContext.parallelize(jobs, max(1, len(jobs) // CHUNK))
               .pipe("edit worker --memory-limit 4096", environment, checkCode=True))
    # Written once for each task, however often Spark tried it.
    answers.saveAsTextFile(results)
    failed = (spark.sparkContext.textFile(results)
              .filter(lambda line: json.loads(line)["status"] == "failed").count())
    spark.stop()
    print(f"{len(jobs)} photos, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
