#!/usr/bin/env python3
"""Drives `edit mcp` with the official client of the Model Context Protocol, PyPI's `mcp`, as an agent would.

    python3 -m venv .build/agents && .build/agents/bin/pip install 'mcp>=2.3,<3'
    .build/agents/bin/python Tests/Agents/run.py EDIT

The client checks every result against the schema that the tool announced. The test finds a photo, looks at it,
tries three edits, commits one, undoes it, compares, runs a batch with its plan, copies an edit, exports, and
cancels a batch; the files on the disk are compared with what the results said, and with those that the
command line makes. Then the program is spoken to by hand: revisions of the protocol, hostile messages, the end
of the input, SIGTERM, and a folder that may only be read. Takes some seconds.
"""

import argparse
import asyncio
import base64
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

PHOTOS = ["Fixtures/beach.jpg", "Fixtures/orientation/6.jpg", "Fixtures/progressive.jpg"]
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Failure(Exception):
    pass


def check(condition, message):
    if not condition:
        raise Failure(message)


def digests(folder: pathlib.Path) -> dict:
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def make_folder(scratch: pathlib.Path, name: str) -> pathlib.Path:
    folder = scratch / name
    folder.mkdir()
    for photo in PHOTOS:
        shutil.copy(ROOT / photo, folder)
    return folder


def structured(result, failed=False):
    check(result.is_error == failed, f"unexpected end: {result.content[0].text}")
    if not failed:
        return result.structured_content
    # Clients hold structured content against the tool's schema, which says what comes of a success.
    check(result.structured_content is None, "a failure has structured content")
    return json.loads(result.content[1].text)


def pictures(result):
    found = [part for part in result.content if part.type == "image"]
    for picture in found:
        check(picture.mime_type == "image/jpeg", "a picture is no JPEG")
        check(base64.b64decode(picture.data)[:3] == b"\xff\xd8\xff", "a picture is no JPEG")
    return found


class Told:
    """Calls tools, and compares what they say of the disk with the disk."""

    def __init__(self, client, folder):
        self.client, self.folder = client, folder

    async def __call__(self, name, failed=False, **arguments):
        before = digests(self.folder)
        result = await self.client.call_tool(name, arguments)
        said = structured(result, failed)
        after = digests(self.folder)
        written = set(after) - set(before)
        removed = set(before) - set(after)
        replaced = {path for path in set(after) & set(before) if after[path] != before[path]}
        files = {key: {os.path.relpath(path, self.folder) for path in paths}
                 for key, paths in said["files"].items()}
        check(files["written"] == written and files["removed"] == removed,
              f"{name} said {files}, but wrote {written} and removed {removed}")
        check(files["replaced"] >= replaced, f"{name} did not say that it replaced {replaced}")
        return result, said


async def work(program: pathlib.Path, scratch: pathlib.Path):
    folder = make_folder(scratch, "photos")
    reference = make_folder(scratch, "reference")
    parameters = StdioServerParameters(command=str(program), args=["mcp", str(folder)])
    async with Client(parameters) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        check(len(tools) == 29, f"{len(tools)} tools")
        check(all(tool.output_schema and tool.description for tool in tools.values()),
              "a tool is not described")
        call = Told(client, folder)

        # Find and look.
        _, page = await call("list_photos")
        check(page["total"] == 3, f"{page['total']} photos")
        photo = page["photos"][1]["photo"]
        check(photo.endswith("beach.jpg"), photo)
        seen, facts = await call("see_photo", photo=photo)
        check(len(pictures(seen)) == 1, "no picture")
        check(0 < facts["histogram"]["luma"]["mean"] < 255, "no numbers")

        # Three tries, one commit.
        edits = [{"filter": "noir"}, {"auto": {}},
                 {"filter": "vivid-warm", "intensity": 0.6, "values": {"exposure": 0.3}}]
        for edit in edits:
            tried, _ = await call("try_edit", photo=photo, edit=edit, longestSide=512)
            check(len(pictures(tried)) == 2, "a try has two pictures")
        _, done = await call("commit_edit", photo=photo, edit=edits[0], revision=facts["revision"])
        check(done["status"] == "edited", done["status"])
        subprocess.run([program, "apply", "noir", "--quiet", reference / "beach.jpg"], check=True)
        name = "beach_edited.jpg"
        check(digests(folder)[name] == digests(reference)[name], "the command renders otherwise")

        # A stale revision is a conflict.
        conflict, error = await call(
            "commit_edit", failed=True, photo=photo, edit=edits[1], revision=facts["revision"])
        check(error["error"]["code"] == "input-outdated", conflict.content[0].text)
        _, done = await call("commit_edit", photo=photo, edit=edits[2])
        both, _ = await call("compare_photo", photo=photo)
        check(len(pictures(both)) == 1, "no comparison")
        _, undone = await call("undo_edit", photo=photo)
        check(undone["summary"] == "noir", undone["summary"])
        _, error = await call("revert_photo", failed=True, photo=photo)
        check(error["error"]["code"] == "not-confirmed", str(error))

        # A batch: its plan, then what it says, with progress.
        arguments = {"folder": str(folder), "edit": {"filter": "fade"}}
        _, plan = await call("run_batch", **arguments)
        check(plan["dryRun"] and plan["counts"] == {"edited": 3}, str(plan["counts"]))
        told = []

        async def progress(done, total, message):
            told.append((done, total))

        before = digests(folder)
        result = structured(await client.call_tool(
            "run_batch", {**arguments, "dryRunToken": plan["dryRunToken"]},
            progress_callback=progress))
        check(result["counts"] == {"edited": 3}, str(result["counts"]))
        check(told == [(1, 3), (2, 3), (3, 3)], f"progress {told}")
        check(set(digests(folder)) - set(before) ==
              {os.path.relpath(path, folder) for path in result["files"]["written"]}, "files")
        _, plan = await call("sync_edit", **{"from": photo}, photos=["6.jpg"])
        _, done = await call(
            "sync_edit", **{"from": photo}, photos=["6.jpg"], dryRunToken=plan["dryRunToken"])
        check(done["counts"] == {"unchanged": 1}, str(done["counts"]))

        # An export, and what must not be done.
        await call("export_render", photo=photo, output="small.webp", longestSide=100)
        for arguments in [{"photo": "../secret.jpg"}, {"photo": "/etc/passwd"}]:
            _, error = await call("see_photo", failed=True, **arguments)
            check(error["error"]["code"] == "outside-folders", str(error))
        _, error = await call("commit_edit", failed=True, photo=photo,
                              edit={"values": {"exposure": 99}})
        check(error["error"]["code"] == "invalid-arguments", str(error))
        try:
            await client.call_tool("no_such_tool", {})
            raise Failure("an unknown tool was called")
        except MCPError as error:
            check(error.error.code == -32602, str(error))
        _, done = await call("revert_photo", photo=photo, confirm=True)
        check(done["status"] == "reverted", done["status"])

        # A cancelled batch leaves whole photos.
        for number in range(30):
            shutil.copy(ROOT / PHOTOS[0], folder / f"copy{number}.jpg")
        arguments = {"folder": str(folder), "edit": {"auto": {}}}
        _, plan = await call("run_batch", **arguments)
        started = asyncio.Event()

        async def start(*_):
            started.set()

        batch = asyncio.create_task(client.call_tool(
            "run_batch", {**arguments, "dryRunToken": plan["dryRunToken"]},
            progress_callback=start))
        await started.wait()
        batch.cancel()
        await asyncio.gather(batch, return_exceptions=True)
        # Answered once the cancelled call is over, since calls are done in order.
        await client.call_tool("list_filters", {})
        names = set(digests(folder))
        check(not any(name.startswith(".") for name in names), "something half done is left")
        edited = sum(name.endswith(".aae") for name in names)
        check(edited < 30, "the batch was not cancelled")
    return f"{len(tools)} tools, a batch cancelled after {edited} photos"


def speak(program, arguments, text: bytes, end=None):
    """What the program answers to these bytes. With `end`, a signal ends it once it has answered one line."""
    process = subprocess.Popen([program, "mcp", *map(str, arguments)], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if end is None:
        output, errors = process.communicate(text, timeout=60)
    else:
        process.stdin.write(text)
        process.stdin.flush()
        first = process.stdout.readline()
        process.send_signal(end)
        # The input stays open: its end would end the program, too.
        process.wait(timeout=60)
        output, errors = process.communicate(timeout=60)
        output = first + output
    return [json.loads(line) for line in output.splitlines()], errors, process.returncode


def by_hand(program: pathlib.Path, scratch: pathlib.Path):
    folder = make_folder(scratch, "by-hand")
    before = digests(folder)

    def line(id, method, **params):
        return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"

    for revision in ["2024-11-05", "2025-03-26", "2025-06-18"]:
        hello = line(1, "initialize", protocolVersion=revision, capabilities={},
                     clientInfo={"name": "t", "version": "1"})
        answers, errors, code = speak(program, [folder], hello + line(2, "tools/list"))
        check(code == 0 and answers[0]["result"]["protocolVersion"] == revision, revision)
        check(("outputSchema" in answers[1]["result"]["tools"][0]) == (revision == "2025-06-18"), revision)
    # What was asked before the input ends is still done; lines may be broken, huge, or no text at all.
    hostile = b"\xff\xfe\n{\n" + b"[" * 100_000 + b"\n" + b"x" * (5 << 20) + b"\n"
    answers, errors, code = speak(
        program, [folder], hello + hostile + line("e", "tools/call", name="see_photo",
                                                  arguments={"photo": "6.jpg"}))
    check(code == 0 and errors == b"", f"exit code {code}: {errors[:200]}")
    check([answer.get("error", {}).get("code") for answer in answers]
          == [None, -32700, -32700, -32700, -32600, None], str(answers)[:500])
    check(answers[-1]["result"]["isError"] is False, str(answers[-1])[:500])
    for number in [signal.SIGTERM, signal.SIGINT]:
        start = time.monotonic()
        _, errors, code = speak(program, [folder], hello, end=number)
        check(code == 130, f"exit code {code} after signal {number}: {errors[:200]}")
        check(time.monotonic() - start < 20, "the program ended late")
    # Many changes were asked for; the photo in hand is rolled back or whole.
    commits = b"".join(
        line(number, "tools/call", name="commit_edit",
             arguments={"photo": "beach.jpg", "edit": {"values": {"exposure": number / 10}}})
        for number in range(1, 20))
    _, _, code = speak(program, [folder], hello + commits, end=signal.SIGTERM)
    check(code == 130, f"exit code {code}")
    verify = subprocess.run([program, "verify", folder, "--recursive"], capture_output=True)
    check(verify.returncode == 0, verify.stdout.decode())
    if "beach.jpg.aae" in digests(folder):
        subprocess.run([program, "revert", "--quiet", folder / "beach.jpg"], check=True)
    check(digests(folder) == before, "something is left")
    answers, _, _ = speak(
        program, ["--read-only", folder],
        hello + line(3, "tools/call", name="commit_edit",
                     arguments={"photo": "6.jpg", "edit": {"filter": "noir"}}))
    failure = json.loads(answers[1]["result"]["content"][1]["text"])
    check(failure["error"]["code"] == "read-only", str(answers[1]))
    check(digests(folder) == before, "a server that only reads wrote")
    _, errors, code = speak(program, [folder / "nothing"], b"")
    check(code == 64 and errors, f"exit code {code}")
    return "three revisions, hostile lines, the end of the input, signals, read only"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", action="store_true", help="keep the folder of a failed test")
    parser.add_argument("edit", type=pathlib.Path)
    options = parser.parse_args()
    program = options.edit.resolve()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="agents-"))
    passed = failed = 0
    for name, trial in [("official client", lambda: asyncio.run(work(program, scratch))),
                        ("by hand", lambda: by_hand(program, scratch))]:
        start = time.monotonic()
        try:
            print(f"{name}: {trial()}; {time.monotonic() - start:.0f} s", flush=True)
            passed += 1
        except Failure as failure:
            print(f"{name}: {failure}", file=sys.stderr)
            failed += 1
    print(f"{passed} passed, {failed} failed")
    if failed and options.keep:
        print(f"kept {scratch}", file=sys.stderr)
    else:
        shutil.rmtree(scratch)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
