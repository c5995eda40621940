#!/usr/bin/env python3
"""Drives a report in headless Chromium, as somebody who looks at it would.

    Tests/Report/drive.py REPORT [--screenshot FILE.png]

REPORT is the folder of a report. Opens its page from the disk and checks that the sliders move by
mouse and keys, that search and selection show what they promise, that failures come first, that
pictures load, that a cut-off copy still works and says so, and that nothing but files of the folder
is ever asked for. Says what is wrong and exits with 1; with 77 where Chromium is absent.
"""

import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

SKIPPED = 77


class Browser:
    """Chromium at the other end of two pipes, which speak its DevTools protocol."""

    def __init__(self, program, profile):
        incoming, their_output = os.pipe()
        their_input, outgoing = os.pipe()
        # Chromium reads commands from descriptor 3 and answers on 4.
        line = f'exec "$0" "$@" 3<&{their_input} 4>&{their_output}'
        self.process = subprocess.Popen(
            ["sh", "-c", line, program, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--no-first-run", "--remote-debugging-pipe", f"--user-data-dir={profile}",
             "--window-size=1200,900", "about:blank"],
            pass_fds=(their_input, their_output), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(their_input)
        os.close(their_output)
        self.answers = os.fdopen(incoming, "rb")
        self.commands = os.fdopen(outgoing, "wb")
        self.events = []
        self.number = 0
        self.rest = b""
        self.session = None

    def message(self):
        while b"\0" not in self.rest:
            piece = os.read(self.answers.fileno(), 1 << 16)
            if not piece:
                raise EOFError("Chromium ended early.")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        self.commands.write(json.dumps(command).encode() + b"\0")
        self.commands.flush()
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open_tab(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def go(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def value(self, expression):
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def press(self, key, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      buttons=1, clickCount=1)

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (EOFError, OSError):
            pass
        self.process.wait(timeout=20)


class Check:
    """Counts what holds and tells what does not."""

    def __init__(self):
        self.count = 0
        self.failures = []

    def __call__(self, holds, what):
        self.count += 1
        if not holds:
            self.failures.append(what)


CARDS = "[...document.querySelectorAll('article')]"
SHOWN = CARDS + ".filter(card => card.checkVisibility())"


def choose(browser, control, value):
    """Sets a control of the header as a user would, and gives how many entries are shown."""
    browser.value(
        f"(control => {{ control.value = {json.dumps(value)};"
        " control.dispatchEvent(new Event('input', {bubbles: true})); })"
        f"(document.getElementById({json.dumps(control)}))")
    return browser.value(SHOWN + ".length")


def check_requests(browser, folder, check):
    for event in browser.events:
        if event.get("method") == "Network.requestWillBeSent":
            url = event["params"]["request"]["url"]
            path = urllib.parse.unquote(urllib.parse.urlsplit(url).path)
            path = pathlib.Path(os.path.normpath(path))
            check(url.startswith("file:") and folder in path.parents,
                  f"The page asks for {url}.")
        if event.get("method") == "Log.entryAdded":
            entry = event["params"]["entry"]
            # A picture that is gone is checked by itself.
            check(entry["level"] != "error" or "ERR_FILE_NOT_FOUND" in entry["text"],
                  f"The browser complains: {entry['text']}")
        check(event.get("method") != "Runtime.exceptionThrown",
              f"The script fails: {event.get('params')}")


def check_order_and_totals(browser, check, is_whole):
    states = browser.value(CARDS + ".map(card => card.classList.contains('failed'))")
    check(states == sorted(states, reverse=True), "Failures do not come first.")
    totals = browser.value("document.getElementById('totals').textContent")
    number = f"{len(states):,} photo"
    check(totals.startswith(number), f"The totals say “{totals}” of {len(states)} entries.")
    check(("not complete" in totals) == (not is_whole), f"The totals say “{totals}”.")
    # The last entry of a page that is cut off is not all there.
    reasons = browser.value(
        CARDS + ("" if is_whole else ".slice(0, -1)") + ".filter(card =>"
        " card.classList.contains('failed') && !card.querySelector('.error')?.textContent).length")
    check(reasons == 0, f"{reasons} failures have no reason.")
    return len(states)


def check_choice(browser, check, total):
    for control in ("status", "filter"):
        options = browser.value(
            f"[...document.getElementById('{control}').options].map(o => [o.value, o.text])")
        promised = 0
        for value, text in options[1:]:
            number = int(text.rsplit("(", 1)[1].rstrip(")"))
            promised += number
            shown = choose(browser, control, value)
            check(shown == number, f"{control} “{text}” shows {shown} entries.")
        check(promised == total, f"The choices of {control} add up to {promised}.")
        check(choose(browser, control, "") == total, f"Not all come back after {control}.")
    names = browser.value(CARDS + ".map(card => card.querySelector('h2').textContent)")
    for name in sorted(set(names))[:40]:
        expected = sum(name.lower().strip() in other.lower() for other in names)
        shown = choose(browser, "name", name.upper())
        check(shown == expected, f"Search for “{name}” shows {shown} instead of {expected}.")
    check(choose(browser, "name", "no photo is called so \u2620") == 0, "Search shows too much.")
    check(choose(browser, "name", "") == total, "Not all come back after the search.")


def check_slider(browser, check):
    pairs = browser.value("document.querySelectorAll('.pair').length")
    if pairs == 0:
        return 0
    place = browser.value(
        "(pair => { pair.scrollIntoView({block: 'center'}); const r ="
        " pair.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })"
        "(document.querySelector('.pair'))")
    at = ("getComputedStyle(document.querySelector('.pair .before')).clipPath + ' ' +"
          " document.querySelector('.pair').style.getPropertyValue('--at')")
    at_start = browser.value(at)
    browser.click(place[0] + place[2] * 0.25, place[1] + place[3] / 2)
    clicked = int(browser.value("document.querySelector('.pair input').value"))
    check(20 <= clicked <= 30, f"A click at a quarter moves the slider to {clicked}.")
    check(browser.value(at).endswith(f" {clicked}%"), "The picture does not follow the mouse.")
    check(browser.value(at) != at_start, "The click changes nothing.")
    for key, code, expected in (
            ("ArrowRight", 39, clicked + 1), ("ArrowLeft", 37, clicked), ("Home", 36, 0),
            ("End", 35, 100)):
        browser.press(key, code)
        value = int(browser.value("document.querySelector('.pair input').value"))
        check(value == expected, f"{key} moves the slider to {value} instead of {expected}.")
        check(browser.value(at).endswith(f" {value}%"), f"The picture does not follow {key}.")
    check(browser.value("document.activeElement.type") == "range", "The slider has no focus.")
    return pairs


def check_pictures(browser, check):
    browser.value(
        "Promise.all([...document.images].map(image => { image.loading = 'eager';"
        " return image.decode().catch(() => {}); }))")
    broken = browser.value(
        "[...document.images].filter(image => !image.naturalWidth)"
        ".map(image => image.getAttribute('src'))")
    check(broken == [], f"Pictures do not load: {broken}.")
    silent = browser.value("[...document.images].filter(image => !image.alt).length")
    check(silent == 0, f"{silent} pictures have no text.")
    return browser.value("document.images.length")


def check_colours(browser, check):
    back = "getComputedStyle(document.body).backgroundColor"
    colours = []
    for scheme in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])
        colours.append(browser.value(back))
    check(colours[0] != colours[1], f"Dark and light are both {colours[0]}.")


def check_markup(browser, check):
    elements = browser.value("[...new Set([...document.querySelectorAll('main *')]"
                             ".map(element => element.tagName))].sort().join(' ')")
    allowed = set("ARTICLE BDI DIV H2 IMG INPUT LI P UL".split())
    check(set(elements.split()) <= allowed, f"Names make elements: {elements}.")
    wide = browser.value("document.documentElement.scrollWidth > innerWidth")
    check(not wide, "The page is wider than the window.")


def drive(browser, folder, check, screenshot):
    page = folder / "index.html"
    browser.open_tab()
    browser.go(page.as_uri())
    total = check_order_and_totals(browser, check, is_whole=True)
    check_markup(browser, check)
    check_choice(browser, check, total)
    pairs = check_slider(browser, check)
    pictures = check_pictures(browser, check)
    check_colours(browser, check)
    check_requests(browser, folder, check)
    if screenshot:
        browser.value("scrollTo(0, 0)")
        data = browser.call("Page.captureScreenshot", captureBeyondViewport=False)["data"]
        pathlib.Path(screenshot).write_bytes(base64.b64decode(data))

    # As after a power cut in the middle of an entry.
    text = page.read_bytes()
    cut = folder / "cut-off.html"
    try:
        cut.write_bytes(text[:text.rindex(b"<article") + 90])
        browser.go(cut.as_uri())
        check_order_and_totals(browser, check, is_whole=False)
        check_requests(browser, folder, check)
    finally:
        cut.unlink(missing_ok=True)
    return f"{total} entries, {pairs} sliders, {pictures} pictures"


def main():
    parser = argparse.ArgumentParser(description="Drives a report in headless Chromium.")
    parser.add_argument("report", type=pathlib.Path, help="the folder of the report")
    parser.add_argument("--screenshot", help="a PNG of the top of the page")
    arguments = parser.parse_args()
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if not program:
        print("Skipped: there is no Chromium.")
        return SKIPPED
    check = Check()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            seen = drive(browser, arguments.report.resolve(), check, arguments.screenshot)
        finally:
            browser.close()
    for failure in check.failures:
        print(failure)
    print(f"{check.count} checks on {seen}: {len(check.failures)} failed.")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
