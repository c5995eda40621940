"""Measures commands: hyperfine for time, GNU time for memory and for whole batches."""

import json
import re
import resource
import shlex
import statistics
import subprocess

from outputs import ToolFailed

# Every command gets its turn this many times, so that a slow spell of the machine meets them all.
ROUNDS = 5
# Commands of more than these seconds get fewer runs: their median needs no more.
SLOW, SLOW_RUNS = 2.0, 3


def measure(contenders, runs, warmup, scratch):
    """Times commands in turns; returns seconds by name: each wall time, mean user and system.

    Each of `contenders` comes with the seconds that it took before.
    """
    results = {entry.name: {"times": [], "cpu": []} for entry, _ in contenders}
    for number in range(ROUNDS):
        for entry, before in contenders:
            wanted = min(runs, SLOW_RUNS) if before > SLOW else runs
            share = wanted // ROUNDS + (1 if number < wanted % ROUNDS else 0)
            if share == 0:
                continue
            report = scratch / "hyperfine.json"
            done = subprocess.run(
                ["hyperfine", "--shell=none", "--style=none", "--runs", str(share),
                 "--warmup", str(warmup if number == 0 else 0), "--export-json", str(report),
                 "--prepare", shlex.join(["sh", "-c", entry.prepare]), shlex.join(entry.command)],
                capture_output=True)
            if done.returncode != 0:
                raise ToolFailed(f"hyperfine: {done.stderr.decode(errors='replace').strip()}")
            found = json.loads(report.read_text())["results"][0]
            results[entry.name]["times"] += found["times"]
            results[entry.name]["cpu"].append(found["user"] + found["system"])
    return {name: {"median": statistics.median(found["times"]), "times": found["times"],
                   "cpu": statistics.median(found["cpu"])} for name, found in results.items()}


def once(command, prepare="true"):
    """Runs a command under GNU time: wall and CPU seconds, peak resident memory in megabytes."""
    subprocess.run(["sh", "-c", prepare], check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["/usr/bin/time", "-v", *command], capture_output=True,
                          stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = done.stderr.decode(errors="replace")

    def value(label):
        return float(re.search(rf"{re.escape(label)}: ([\d.]+)", said).group(1))

    wall = re.search(r"Elapsed \(wall clock\) time .*?: (?:(\d+):)?(\d+):([\d.]+)\n", said)
    if done.returncode != 0 or wall is None:
        lines = [line for line in said.splitlines() if line and not line.startswith("\t")]
        raise ToolFailed(" ".join(lines[:2])[:300] or f"exit code {done.returncode}")
    hours, minutes, seconds = wall.groups()
    return {
        "wall": int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds),
        # GNU time says hundredths only; the kernel counts finer.
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "memory": value("Maximum resident set size (kbytes)") * 1024 / 1e6,
    }
