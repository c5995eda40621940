"""Many photos, and broken ones."""

import statistics

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
  return [times, document.querySelectorAll(".cell").length, performance.memory.usedJSHeapSize];
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
        check(len(page.tab.inner_text(".stage-trouble p")) > 10, "the photo's view does not say what is wrong")
        with page.tab.expect_response(lambda answer: "/v1/photos/" in answer.url):
            page.tab.click(".stage-trouble button")
        page.back()
        page.open()


def scrolled(program, scratch, browser):
    """A long list: frames stay short, few cells are in the document, memory does not grow, every end is reached."""
    source = FIXTURES / "progressive.jpg"
    server = Served(program, scratch, photos=())
    for n in range(PHOTOS):
        folder = server.folder / f"{n // 1000:04}"
        folder.mkdir(exist_ok=True)
        name = folder / f"photo-{n:06}.jpg"
        # Links to one file are one inode; each photo needs its own.
        name.write_bytes(source.read_bytes() + n.to_bytes(4, "big"))
    server.start()
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    try:
        page = Page(context.new_page(), server.address)
        tab = page.tab
        until("all photos are listed", lambda: f"{PHOTOS:,} photos" in tab.inner_text("#summary"), seconds=60 + PHOTOS / 200)
        tab.evaluate(SCROLL, [200, 30])
        until("thumbnails come", lambda: tab.locator(".cell.loaded").count() > 10)
        before = tab.evaluate("performance.memory.usedJSHeapSize")
        told = []
        for pixels in (120, 900, -500, 5000):
            times, cells, memory = tab.evaluate(SCROLL, [pixels, 120])
            told += times
            check(cells < 150, "too many cells are in the document:", cells)
        median, worst = statistics.median(told), sorted(told)[int(len(told) * 0.99)]
        check(median < 34, "frames take", median, "ms")
        tab.locator("#grid").focus()
        tab.keyboard.press("End")
        until("the end is reached", lambda: tab.locator(f'.cell[aria-posinset="{PHOTOS}"].loaded').count())
        tab.keyboard.press("Home")
        until("the beginning is reached", lambda: tab.locator('.cell[aria-posinset="1"].loaded').count())
        # The scroll bar's middle is the list's middle.
        tab.evaluate("(() => { const grid = document.getElementById('grid'); grid.scrollTop = (grid.scrollHeight - grid.clientHeight) / 2; })()")
        seen = until("the middle is reached", lambda: tab.evaluate(
            "Math.min(...[...document.querySelectorAll('.cell.loaded')].map(each => Number(each.dataset.index)))"))
        check(abs(seen / PHOTOS - 0.5) < 0.1, "the middle of the scroll bar is at", seen)
        grown = (memory - before) / 1e6
        check(grown < 60, "the page's memory grew by", grown, "MB")
        page.fine()
        return f"{PHOTOS} photos, frames {median:.1f} ms median, {worst:.1f} ms 99 %, {cells} cells, {memory / 1e6:.0f} MB of script memory"
    finally:
        context.close()
        server.stop()


CASES = [broken, scrolled]
