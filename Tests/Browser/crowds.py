"""Many photos, and broken ones."""

import pathlib
import statistics
import time

from served import FIXTURES, Page, Served, check, served, until

# How many photos the long list has.
PHOTOS = 3000

# Scrolls for a while and notes the time from frame to frame, in milliseconds.
SCROLL = """async ([pixels, frames]) => {
  const grid = document.getElementById("grid");
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let n = 0; n < frames; n += 1) {
    grid.scrollTop += pixels;
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return [times, document.querySelectorAll(".cell").length];
}"""


def broken(program, scratch, browser):
    """Broken photos have a cell that says so, and do not keep others from being shown."""
    photos = ["beach.jpg", "progressive.jpg"] + [(f"bad-{name}", FIXTURES / "bad" / name) for name in ("truncated.jpg", "huge-header.jpg")]
    with served(program, scratch, browser, photos=photos) as (server, page):
        until("good photos are shown", lambda: page.tab.locator(".cell.loaded").count() >= 2)
        until("broken photos say so", lambda: page.tab.locator(".cell.broken").count() >= 1)
        words = page.tab.locator(".cell.broken").first.get_attribute("aria-label")
        check("cannot be shown" in words, "the cell says", words)
        page.tab.locator(".cell.broken").first.dblclick()
        page.tab.wait_for_selector(".stage-trouble")
        check(page.tab.is_disabled('input[data-option="exposure"]') and page.tab.is_disabled("[data-action=auto]"), "controls of a broken photo look alive")
        check(str(server.folder) not in page.tab.inner_text(".stage-trouble"), "the page tells the path:", page.tab.inner_text(".stage-trouble"))
        check(len(page.tab.inner_text(".stage-trouble p")) > 10, "the photo's view does not say what is wrong")
        with page.tab.expect_response(lambda answer: "/v1/photos/" in answer.url):
            page.tab.click(".stage-trouble button")
        page.back()
        page.open()


def scrolled(program, scratch, browser):
    """A long list: few cells are in the document, memory does not grow, every end is reached. Says what it took."""
    source = (FIXTURES / "progressive.jpg").read_bytes()
    server = Served(program, scratch, photos=())
    for n in range(PHOTOS):
        folder = server.folder / f"{n // 1000:04}"
        folder.mkdir(exist_ok=True)
        # Links to one file are one inode; each photo needs its own.
        (folder / f"photo-{n:06}.jpg").write_bytes(source + n.to_bytes(4, "big"))
    started = time.monotonic()
    server.start()
    told = {}
    try:
        told["first thumbnail of a new folder"], _ = opened(browser, server, started)
        with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
            page = Page(context.new_page(), server.address)
            until("all photos are listed", lambda: f"{PHOTOS:,} photos" == page.tab.inner_text("#summary"), seconds=60 + PHOTOS / 200)
            told["all taken in"] = f"{time.monotonic() - started:.1f} s"
        told["first thumbnail of a known folder"], told["a screen of them"] = opened(browser, server, time.monotonic())
        with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
            told |= walked(browser, Page(context.new_page(), server.address), server)
    finally:
        server.stop()
    return f"{PHOTOS} photos; " + "; ".join(f"{what} {value}" for what, value in told.items())


def opened(browser, server, since):
    """Opens the page; gives the seconds until the first thumbnail, and until all that are seen are there."""
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = Page(context.new_page(), server.address)
        first = time.monotonic() - since
        until("all thumbnails that are seen come", lambda: page.tab.evaluate(
            "document.querySelectorAll('.cell').length === document.querySelectorAll('.cell.loaded').length"))
        return f"{first:.2f} s", f"{time.monotonic() - since:.2f} s"


def walked(browser, page, server):
    """Scrolls and jumps through the list, and gives what it took."""
    tab = page.tab
    until("all photos are listed", lambda: f"{PHOTOS:,} photos" == tab.inner_text("#summary"))
    tab.evaluate(SCROLL, [200, 30])
    until("thumbnails come", lambda: tab.locator(".cell.loaded").count() > 10)
    before, most = script_memory(tab), 0
    frames = []
    for pixels in (120, 900, -500, 5000, 120):
        times, cells = tab.evaluate(SCROLL, [pixels, 240 if PHOTOS >= 3000 else 60])
        frames += times
        most = max(most, renderer_memory(browser))
        check(cells < 150, "too many cells are in the document:", cells)
    tab.locator("#grid").focus()
    began = time.monotonic()
    tab.keyboard.press("End")
    until("the end is reached", lambda: tab.locator(f'.cell[aria-posinset="{PHOTOS}"].loaded').count())
    jump = time.monotonic() - began
    tab.keyboard.press("Home")
    until("the beginning is reached", lambda: tab.locator('.cell[aria-posinset="1"].loaded').count())
    # The scroll bar's middle is the list's middle.
    tab.evaluate("(() => { const grid = document.getElementById('grid'); grid.scrollTop = (grid.scrollHeight - grid.clientHeight) / 2; })()")
    until("the middle is reached", lambda: abs(tab.evaluate(
        "Math.min(...[...document.querySelectorAll('.cell.loaded')].map(each => Number(each.dataset.index)))") / PHOTOS - 0.5) < 0.1)
    memory = script_memory(tab)
    check(memory - before < 60, "the page's memory grew by", memory - before, "MB")
    frames.sort()
    page.fine()
    return {
        "frames": f"{len(frames)}", "median": f"{statistics.median(frames):.1f} ms", "95 %": f"{frames[int(len(frames) * 0.95)]:.1f} ms",
        "worst": f"{frames[-1]:.0f} ms", "above 50 ms": f"{sum(each > 50 for each in frames) / len(frames):.1%}",
        "from the first to the last photo": f"{jump:.2f} s", "cells": cells, "script memory": f"{memory:.0f} MB",
        "the page's process": f"{max(most, renderer_memory(browser)):.0f} MB", "the server's process": f"{resident(server.process.pid):.0f} MB",
    }


def script_memory(tab):
    """Megabytes of the page's scripts after a collection."""
    tab.context.new_cdp_session(tab).send("HeapProfiler.collectGarbage")
    return tab.evaluate("performance.memory.usedJSHeapSize") / 1e6


def renderer_memory(browser):
    """Megabytes that the largest process of the browser's pages has in memory."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return max(resident(process["id"]) for process in told if process["type"] == "renderer")


def resident(process):
    """Megabytes that a process has in memory; 0 when it is gone."""
    try:
        text = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 / 1e6 for line in text.splitlines() if line.startswith("VmRSS:")), 0)


# Choices in a list of 600 photos that changes.
CHOICES = """async () => {
  const { Photos } = await import("/photos.js");
  const { Selection } = await import("/selection.js");
  let order = Array.from({ length: 600 }, (_, n) => `photo-${n}`);
  let list = "1";
  const whole = window.fetch;
  window.fetch = async path => {
    const query = new URL(path, location).searchParams;
    const offset = Number(query.get("offset"));
    const photos = order.slice(offset, offset + Number(query.get("limit"))).map(id => ({ id }));
    return Response.json({ photos, total: order.length, list });
  };
  const selection = new Selection();
  const photos = new Photos(selection);
  const said = {};
  const look = async place => {
    photos.look(place, place + 20);
    await photos.load(place);
  };
  await photos.find({});
  await look(200);
  for (let place = 200; place <= 205; place += 1) selection.toggle(place);
  await look(450);
  list = "2";
  await photos.reload();
  said.stay = selection.count;
  order = [...order.slice(200, 206), ...order.slice(0, 200), ...order.slice(206)];
  list = "3";
  await photos.reload();
  said.moved = selection.count;

  selection.all(600);
  said.all = (await selection.ids(photos)).length;
  list = "4";
  said.refused = await selection.ids(photos).then(ids => `${ids.length} photos`, error => error.message);
  await photos.reload();
  said.far = selection.count;

  // Only what is seen is kept.
  await photos.reload();
  order = order.toReversed();
  list = "5";
  photos.at(0);
  const end = performance.now() + 5000;
  while (photos.at(450)?.id !== order[450] && performance.now() < end) await new Promise(requestAnimationFrame);
  said.seen = photos.at(450)?.id === order[450];
  window.fetch = whole;
  return said;
}"""


def choices(program, scratch, browser):
    """What is chosen stays chosen while it keeps its places in the list, and never becomes other photos."""
    with served(program, scratch, browser) as (server, page):
        said = page.tab.evaluate(CHOICES)
        check(said["stay"] == 6, "photos that keep their places stay chosen:", said)
        check(said["moved"] == 0, "other photos are chosen after the chosen ones moved out of sight:", said)
        check(said["all"] == 600 and "Choose again" in said["refused"], "photos of another list are given:", said)
        check(said["far"] == 0, "photos stay chosen of which nobody knows whether they moved:", said)
        check(said["seen"], "pages of two states of the list are shown:", said)


CASES = [broken, choices, scrolled]
