"""A folder of photos with `edit serve` on it, the command line beside it, and a browser to look at it."""

import contextlib
import hashlib
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"
PAGE = ROOT / "Sources" / "EditServer" / "Page"
# The longest that a server or the page may take for one thing, in seconds. Nothing waits that long when all is well.
PATIENCE = 60


class Failure(Exception):
    """Something is not as it should be."""


def check(is_so, *words):
    """Fails unless something is so."""
    if not is_so:
        raise Failure(" ".join(str(word) for word in words))


def until(what, holds, seconds=PATIENCE):
    """Waits until something holds, and gives its value; fails when it does not come."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = holds()
        if value:
            return value
        Page.let_go(0.02)
    raise Failure(f"waited {seconds} s in vain: {what}")


class Served:
    """A folder that is served. `twin` is a folder with the same photos for the command line to do the same."""

    def __init__(self, program: pathlib.Path, scratch: pathlib.Path, photos=("beach.jpg",), options=()):
        self.program = program.resolve()
        self.folder, self.twin = scratch / "served", scratch / "twin"
        self.environment = os.environ | {
            "XDG_DATA_HOME": str(scratch / "data"), "XDG_CACHE_HOME": str(scratch / "cache"),
            "XDG_STATE_HOME": str(scratch / "state"),
        }
        for folder in (self.folder, self.twin):
            folder.mkdir(parents=True)
            for photo in photos:
                name, source = photo if isinstance(photo, tuple) else (photo, FIXTURES / photo)
                shutil.copy(source, folder / name)
        self.options = options
        self.log = scratch / "serve.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = None
        self.process = None

    def start(self) -> str:
        """Starts the server and gives the address that it prints."""
        log = self.log.open("ab")
        self.process = subprocess.Popen(
            [self.program, "serve", self.folder, "--port", str(self.port), "--page", PAGE,
             "--token-file", self.log.with_name("token"), *self.options],
            stdout=subprocess.PIPE, stderr=log, env=self.environment, text=True)
        printed = ""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                line = self.process.stdout.readline()
                printed += line
                found = re.search(r"http://\S+token=\w+", line)
                if found:
                    self.address = found.group()
                    return self.address
            if self.process.poll() is not None:
                break
        raise Failure(f"edit serve did not start: {printed}{self.log.read_text()[-2000:]}")

    def stop(self, how=signal.SIGTERM):
        """Stops the server and waits for its end."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise Failure("edit serve did not stop")
        if self.process:
            self.process.stdout.close()

    def edit(self, *words, folder=None, fails=False) -> str:
        """Runs a command in the twin folder, or in another."""
        done = subprocess.run(
            [self.program, *map(str, words)], cwd=folder or self.twin, env=self.environment, capture_output=True, text=True,
            timeout=PATIENCE * 4)
        check(fails or done.returncode == 0, "edit", *words, "failed:", done.stderr)
        return done.stdout

    def state(self, name, folder) -> dict:
        """What is applied to a photo, without what differs from run to run, and its render's hash."""
        shown = json.loads(self.edit("show", "--json", name, folder=folder))
        edit = shown.get("edit")
        render = shown.get("rendered")
        return {
            "adjustments": edit and edit["adjustments"], "values": edit and edit.get("values", {}),
            "render": render and hashlib.sha256((folder / pathlib.Path(render).name).read_bytes()).hexdigest(),
        }

    def agree(self, what, name="beach.jpg"):
        """Fails unless the page and the command line made the same record and the same render."""
        page, command = self.state(name, self.folder), self.state(name, self.twin)
        for key in ("values", "adjustments", "render"):
            check(page[key] == command[key], f"{what}: {key} of the page {page[key]}, of the command {command[key]}")


class Page:
    """The page in a tab of a browser, with words for what a person does."""

    # The tab that was opened last. Playwright handles what a browser tells only while one of its calls runs.
    latest = None

    @classmethod
    def let_go(cls, seconds):
        """Waits, and lets the browser's events arrive meanwhile."""
        if cls.latest and not cls.latest.is_closed():
            cls.latest.wait_for_timeout(seconds * 1000)
        else:
            time.sleep(seconds)

    def __init__(self, tab, address):
        self.tab = Page.latest = tab
        self.errors = []
        tab.set_default_timeout(PATIENCE * 1000)
        # Unsaved changes ask before the page goes.
        tab.on("dialog", lambda dialog: dialog.accept())
        tab.on("pageerror", lambda error: self.errors.append(str(error)))
        tab.on("console", lambda message: self.errors.append(message.text)
               if message.type == "error" and "Failed to load resource" not in message.text else None)
        self.visit(address)

    def visit(self, address):
        """Opens the address and waits for the first thumbnail."""
        self.tab.goto(address)
        # Thumbnails of a long list come once its photos are taken in.
        until("the grid shows photos", lambda: self.errors or self.tab.locator(".cell.loaded, .cell.broken").count(),
              seconds=4 * PATIENCE)
        self.fine()

    def cell(self, name):
        return self.tab.locator(f'.cell[aria-label^="{name}"]')

    def open(self, name="beach.jpg"):
        """Opens a photo from the grid."""
        self.cell(name).dblclick()
        self.shown()
        self.choose("adjust")

    def shown(self):
        """Waits until the picture is there."""
        self.tab.wait_for_selector(".layer.after .base[src^=blob]")

    def choose(self, name):
        """Opens a tab of tools."""
        self.tab.click(f"#tab-{name}")

    def unfold(self):
        """Opens everything that is folded away in the panel."""
        self.tab.evaluate("document.querySelectorAll('#panel details').forEach(each => { each.open = true })")

    def type(self, option, value):
        """Types a value beside a slider."""
        field = self.tab.locator(f'[data-number="{option}"]')
        # A part of a grouped adjustment is seen after its button was pressed.
        part = field.evaluate("each => each.closest('.part')?.hidden ? each.closest('.part').dataset.part : null")
        if part:
            fold = self.tab.locator("details.fold", has=field)
            fold.locator(f'.segments input[value="{part}"]').check(force=True)
        field.fill(str(value))
        field.press("Enter")

    def save(self):
        """Saves at once, and waits until it is done."""
        self.tab.keyboard.press("Control+s")
        until("the edit is saved", lambda: self.saving in ("Saved", "") or self.saving.startswith("Not saved:"))
        check(self.saving in ("Saved", ""), "it is not saved:", self.saving)

    @property
    def saving(self):
        return self.tab.inner_text("#saving")

    def back(self):
        """Goes back to the grid."""
        self.tab.keyboard.press("Escape")
        self.tab.wait_for_selector("#photos:not([hidden])")

    def agree(self, label):
        """Presses the button of a dialog, and waits until the dialog is gone."""
        self.tab.click(f"dialog[open] button:text-is('{label}')")
        self.tab.wait_for_selector("dialog", state="detached")

    def job_done(self):
        """Waits for the end of a batch, and closes its message."""
        # A message from before, such as that something was copied, tells of no batch.
        said = lambda: self.tab.locator(".message:not(.job) p").all_inner_texts()
        is_told = lambda: any(" done." in words or words.startswith("Cancelled") for words in said())
        until("the batch ends", lambda: is_told() and not self.tab.locator(".job").count())
        words = said()
        self.tab.evaluate("document.querySelectorAll('.message').forEach(each => each.remove())")
        return words

    def fine(self):
        """Fails when the page had an error in its scripts or met its own security policy."""
        check(not self.errors, "the page had errors:", *self.errors)


@contextlib.contextmanager
def served(program, scratch, browser, photos=("beach.jpg",), options=(), **context):
    """A served folder and the page on it; everything ends with the block."""
    server = Served(program, scratch, photos, options)
    server.start()
    surroundings = browser.new_context(viewport={"width": 1280, "height": 800}, **context)
    try:
        page = Page(surroundings.new_page(), server.address)
        yield server, page
        page.fine()
    finally:
        surroundings.close()
        server.stop()
