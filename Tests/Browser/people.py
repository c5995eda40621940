"""What happens to people: no pointer, two tabs, other programs, a server that goes away, a network that stalls."""

import json
import re
import shutil
import signal
import threading

from served import FIXTURES, Page, Served, check, served, until


# Lets every preview take 0.4 s, and counts them.
SLOW = """(() => {
  const quick = window.fetch;
  window.slow = { flying: 0, most: 0, sent: [] };
  window.fetch = async (path, request) => {
    if (!String(path).endsWith("/preview")) return quick(path, request);
    slow.flying += 1;
    slow.most = Math.max(slow.most, slow.flying);
    slow.sent.push(JSON.parse(request.body).adjustments[0]?.amount);
    let isOver = false;
    const over = () => {
      if (!isOver) slow.flying -= 1;
      isOver = true;
    };
    request.signal.addEventListener("abort", over);
    try {
      await new Promise(resolve => setTimeout(resolve, 400));
      return await quick(path, request);
    } finally {
      over();
    }
  };
})()"""


def keyboard(program, scratch, browser):
    """From the grid to a saved edit and back without a pointer, with the focus seen on the way."""
    with served(program, scratch, browser, photos=("beach.jpg", "progressive.jpg")) as (server, page):
        tab = page.tab
        tab.locator("#grid").focus()
        tab.keyboard.press("Home")
        for _ in range(2):
            if tab.locator(".cell[aria-selected=true]").get_attribute("aria-label").startswith("beach"):
                break
            tab.keyboard.press("ArrowRight")
        active = tab.locator("#grid").get_attribute("aria-activedescendant")
        check(tab.locator(f"#{active}").get_attribute("aria-label") == "beach.jpg", "screen readers hear of", active)
        tab.keyboard.press("Enter")
        page.shown()

        def tab_to(what, most=80):
            for _ in range(most):
                tab.keyboard.press("Tab")
                if tab.evaluate(f"document.activeElement.matches({json.dumps(what)})"):
                    style = tab.evaluate("""(() => {
                      const style = getComputedStyle(document.activeElement);
                      return [style.outlineStyle, parseFloat(style.outlineWidth)];
                    })()""")
                    check(style[0] != "none" and style[1] >= 1, "the focus is not seen on", what, style)
                    return
            check(False, "Tab does not reach", what, "but", tab.evaluate("document.activeElement.outerHTML.slice(0, 200)"))

        tab_to('input[data-option="exposure"]')
        for _ in range(4):
            tab.keyboard.press("ArrowRight")
        value = float(tab.locator('input[data-option="exposure"]').input_value())
        check(value > 0, "arrow keys do not move the slider")
        tab_to('[data-number="highlights"]')
        tab.keyboard.type("-30")
        tab.keyboard.press("Enter")
        tab.keyboard.press("Alt+Digit3")
        tab_to(".frame")
        tab_to(".handle.e")
        tab.keyboard.press("Shift+ArrowLeft")
        tab.keyboard.press("Alt+Digit2")
        tab_to(".look")
        tab.keyboard.press("ArrowRight")
        page.save()
        made = server.state("beach.jpg", server.folder)
        check(made["values"].get("exposure") == value and made["values"].get("highlights") == -30, "saved:", made["values"])
        check(abs(made["values"].get("crop-width", 1) - 0.95) < 0.01, "the crop is", made["values"])
        check([entry["name"] for entry in made["adjustments"] if entry["id"] == "filter"] == ["noir"], "the filter is", made["adjustments"])
        tab.keyboard.press("Escape")
        tab.wait_for_selector("#photos:not([hidden])")
        check(tab.evaluate("document.activeElement.id") == "grid", "the focus is lost on the way back")
        tab.keyboard.press("?")
        tab.wait_for_selector("dialog[open] kbd")
        tab.keyboard.press("Escape")
        tab.wait_for_selector("dialog", state="detached")
        tab.keyboard.press("Enter")
        page.shown()
        tab.keyboard.press("s")
        tab.wait_for_selector(".split:not([hidden])")
        tab.locator(".split").press("ArrowRight")
        check(tab.locator(".split").get_attribute("aria-valuenow") == "52", "the split does not move by keys")
        tab.keyboard.press("s")
        tab.keyboard.down("b")
        tab.wait_for_selector(".layer.before:not([hidden]) .base[src^=blob]")
        tab.keyboard.up("b")
        tab.wait_for_selector(".layer.before", state="hidden")


def messages(program, scratch, browser):
    """A message waits while somebody points at it or has the focus in it, and screen readers hear it. Keys go on working
    where the focus is."""
    with served(program, scratch, browser, photos=("beach.jpg", "progressive.jpg")) as (server, page):
        tab = page.tab
        page.cell("beach.jpg").click()
        tab.locator("[data-action=favorite]").focus()
        tab.keyboard.press("Escape")
        until("nothing is chosen", lambda: not tab.locator(".cell[aria-selected=true]").count())

        tab.locator("#grid").focus()
        tab.keyboard.press("Home")
        tab.keyboard.press("Enter")
        page.shown()
        name = tab.inner_text("#photo-name")
        tab.get_by_label("The next photo").focus()
        tab.keyboard.press("Enter")
        until("the next photo is open", lambda: tab.inner_text("#photo-name") not in ("", name))
        page.shown()
        tab.get_by_label("The photo before", exact=True).focus()
        tab.keyboard.press("Enter")
        until("the first photo is open", lambda: tab.inner_text("#photo-name") == name)
        page.shown()
        # There is none before the first one, so that the keyboard goes on from the button that is left.
        until("the list begins here", lambda: tab.get_by_label("The photo before", exact=True).is_disabled())
        check(tab.evaluate("document.activeElement.ariaLabel") == "The next photo", "the focus is lost")

        tab.clock.install()
        tab.evaluate("import('/dialogs.js').then(({ say }) => say('Done.', { actions: [{ label: 'Undo', act() {} }] }))")
        message = tab.locator(".message", has_text="Done.")
        message.hover()
        check(tab.inner_text("[role=status]#said") == "Done.", "screen readers do not hear it")
        tab.clock.fast_forward(10_000)
        check(message.count(), "the message goes while it is pointed at")
        message.get_by_text("Undo").focus()
        tab.mouse.move(10, 10)
        tab.clock.fast_forward(10_000)
        check(message.count(), "the message goes while the focus is in it")
        tab.locator("#stage").focus()
        tab.clock.fast_forward(15_000)
        until("the message goes", lambda: not message.count())


def tabs(program, scratch, browser):
    """Two tabs on one photo: the second sees the first one's edit, and keeps its own unsaved change on top."""
    with served(program, scratch, browser) as (server, page):
        other = Page(page.tab.context.new_page(), server.address)
        page.open()
        other.open()
        page.type("exposure", 0.5)
        page.save()
        until("the other tab follows", lambda: other.tab.locator('input[data-option="exposure"]').input_value() == "0.5")
        check(not other.tab.is_visible("#elsewhere"), "a tab without changes is asked")
        page.type("contrast", 10)
        other.type("vibrance", 30)
        page.save()
        other.tab.wait_for_selector("#elsewhere:not([hidden])")
        check(other.tab.locator('input[data-option="contrast"]').input_value() == "10", "the new state is not shown below")
        check(other.tab.locator('input[data-option="vibrance"]').input_value() == "30", "the unsaved change is lost")
        other.tab.click("[data-action=on-top]")
        until("it is saved", lambda: server.state("beach.jpg", server.folder)["values"]
              == {"exposure": 0.5, "contrast": 10, "vibrance": 30})
        other.fine()


# Shows a tab, or hides it, as far as the page can tell.
HIDE = """isHidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def background(program, scratch, browser):
    """A tab in the background leaves its connection to those that are seen, and hears later of what it missed."""
    with served(program, scratch, browser) as (server, page):
        other = Page(page.tab.context.new_page(), server.address)
        ended = []
        other.tab.on("requestfailed", lambda request: ended.append(request.url) if "/v1/events" in request.url else None)
        other.tab.evaluate(HIDE, True)
        until("the tab gives up its connection", lambda: ended)
        page.open()
        page.type("exposure", 0.5)
        page.save()
        check(not other.tab.is_visible("#away"), "a hidden tab takes the server for away")
        check(not other.cell("beach.jpg, edited").count(), "a hidden tab has a connection")
        other.tab.evaluate(HIDE, False)
        until("the tab hears of what it missed", lambda: other.cell("beach.jpg, edited").count())
        other.fine()


def elsewhere(program, scratch, browser):
    """Another process edits the photo; a save that is based on the old state is refused and offered again."""
    with served(program, scratch, browser) as (server, page):
        page.open()
        server.edit("adjust", "--exposure", 1, "beach.jpg", folder=server.folder)
        until("the page follows", lambda: page.tab.locator('input[data-option="exposure"]').input_value() == "1")
        page.back()
        until("the grid says so", lambda: page.cell("beach.jpg, edited").count())
        page.open()
        # Events are held back, so that the page learns of it only by the refusal.
        page.tab.evaluate("EventSource.prototype.dispatchEvent = () => false")
        page.tab.route("**/v1/events?*", lambda route: route.abort())
        page.type("contrast", 15)
        changed = threading.Event()

        def before_save(route):
            if not changed.is_set():
                changed.set()
                server.edit("adjust", "--gamma", 1.2, "beach.jpg", folder=server.folder)
            route.continue_()

        page.tab.route("**/adjust", before_save)
        page.tab.keyboard.press("Control+s")
        page.tab.wait_for_selector("#elsewhere:not([hidden])")
        check("contrast" not in server.state("beach.jpg", server.folder)["values"], "a stale save was written")
        page.tab.click("[data-action=on-top]")
        until("it is saved on top", lambda: server.state("beach.jpg", server.folder)["values"]
              == {"exposure": 1, "gamma": 1.2, "contrast": 15})


def restart(program, scratch, browser):
    """The server dies and comes back: the page reconnects by itself, and unsaved changes are still there, also after a
    reload."""
    with served(program, scratch, browser) as (server, page):
        page.open()
        until("the exact picture is there", lambda: page.tab.locator(".layer.after .base[src^=blob]").count())
        page.type("exposure", 0.7)
        server.stop(signal.SIGKILL)
        page.tab.wait_for_selector("#away:not([hidden])")
        page.type("contrast", 12)
        page.tab.keyboard.press("Control+s")
        until("it says that it is not saved", lambda: "reach" in page.saving)
        check(page.tab.is_visible(".layer.after .base") and not page.tab.locator(".stage-trouble").count(), "the picture goes with the server")
        server.start()
        page.tab.wait_for_selector("#away", state="hidden")
        until("it is saved by itself", lambda: page.saving == "Saved")
        page.tab.goto(server.address.split("?")[0] + page.tab.evaluate("location.hash"))
        # The filters cannot be had at first.
        page.tab.route("**/v1/filters", lambda route: route.abort(), times=1)
        page.tab.reload()
        page.shown()
        until("the filters come", lambda: page.tab.locator(".look").count() > 1)
        check(page.tab.locator('input[data-option="exposure"]').input_value() == "0.7", "unsaved changes are lost")
        check(page.tab.locator('input[data-option="contrast"]').input_value() == "12", "changes made without a server are lost")
        page.save()
        check(server.state("beach.jpg", server.folder)["values"] == {"exposure": 0.7, "contrast": 12}, "they were not saved")
        server.stop()
        page.tab.wait_for_selector("#away:not([hidden])")
        page.choose("past")
        until("it says that the history cannot be had", lambda: page.tab.locator(".message", has_text="reached").count())
        server.start()
        page.tab.wait_for_selector("#away", state="hidden")
        page.tab.wait_for_selector(".step")
        server.edit("adjust", "--exposure", 0.2, "beach.jpg", folder=server.folder)
        until("events come again", lambda: page.tab.locator('input[data-option="exposure"]').input_value() == "0.2")

        # A photo is opened while the server is away: nothing of the one before is shown, and it comes by itself.
        page.choose("information")
        page.tab.wait_for_selector(".information .files a")
        page.back()
        server.stop(signal.SIGKILL)
        page.tab.wait_for_selector("#away:not([hidden])")
        page.cell("beach.jpg").dblclick()
        page.tab.wait_for_selector(".stage-trouble")
        check(not page.tab.locator(".information *").count(), "facts of the photo before are shown")
        check(page.tab.inner_text("#histogram").strip() == "", "tones of the photo before are shown")
        check(page.tab.is_disabled('input[data-option="exposure"]'), "sliders look alive without a photo")
        server.start()
        page.shown()
        until("the photo is there", lambda: page.tab.is_enabled('input[data-option="exposure"]')
              and not page.tab.locator(".stage-trouble").count())


def looking(program, scratch, browser):
    """Where only looking is allowed, controls are off or say so, and nothing is asked of the server that it refuses."""
    with served(program, scratch, browser, options=("--read-only",)) as (server, page):
        tab = page.tab
        server.edit("adjust", "--exposure", 0.5, "beach.jpg", folder=server.folder)
        server.edit("version", "save", "warm", "beach.jpg", folder=server.folder)
        until("the grid shows the edit", lambda: page.cell("beach.jpg, edited").count())
        asked = []
        tab.on("request", lambda request: asked.append(request.url)
               if request.method != "GET" and not request.url.endswith("/preview") else None)
        page.open()
        for action in ("auto", "gray", "aspect", "reset-crop", "level", "save-version", "save-filter"):
            check(tab.is_disabled(f"[data-action={action}]"), action, "looks alive")
        said = tab.locator(".message", has_text="Only looking is allowed here.")
        for key in ("[", "w", "a", "f", "Control+v", "Control+z"):
            tab.locator("#stage").focus()
            tab.keyboard.press(key)
            until(f"{key} says that only looking is allowed", lambda: said.count() == 1)
            said.get_by_label("Close the message").click()
        page.choose("looks")
        tab.click('[data-filter="noir"]')
        until("a filter says so", lambda: said.count() == 1)
        page.choose("past")
        tab.wait_for_selector(".version")
        for button in (".version button[aria-label]", ".version .step", ".past [data-action=revert]"):
            check(tab.is_disabled(button), button, "looks alive")
        check(not asked, "asked are", *asked)


def stalled(program, scratch, browser):
    """Previews hang: the sliders stay free, one request is in flight, and the last value is shown in the end."""
    with served(program, scratch, browser) as (server, page):
        page.open()
        page.tab.evaluate(SLOW)
        slider = page.tab.locator('input[data-option="exposure"]')
        for _ in range(30):
            slider.press("ArrowRight")
        value = float(slider.input_value())
        until("the last value is previewed", lambda: page.tab.evaluate("slow.sent.at(-1)") == value)
        until("nothing is in flight", lambda: page.tab.evaluate("slow.flying") == 0)
        sent, most = page.tab.evaluate("[slow.sent.length, slow.most]")
        check(most == 1, "previews in flight:", most)
        check(sent < 15, "values on the way were not passed over:", sent)

        # Thumbnails that never come do not keep a photo from being opened.
        page.back()
        held = []
        page.tab.route("**/thumbnail*", lambda route: held.append(route))
        page.tab.evaluate("document.getElementById('cell-size').dispatchEvent(new Event('input'))")
        page.open()
        for route in held:
            route.abort()
        page.tab.unroute("**/thumbnail*")
        return f"{sent} previews for 30 steps"


# Goes so many steps in the browser's history, and waits until the page has heard of it.
GO = """steps => new Promise(resolve => {
  addEventListener("hashchange", () => setTimeout(resolve), { once: true });
  history.go(steps);
})"""


def hurried(program, scratch, browser):
    """What is changed while a save runs is saved too, before the photo is left, and nothing is said about it."""
    with served(program, scratch, browser, photos=("beach.jpg", "progressive.jpg")) as (server, page):
        tab = page.tab
        held = []

        def begin_to_save(exposure):
            held.clear()
            tab.route("**/adjust", lambda route: held.append(route))
            page.type("exposure", exposure)
            tab.keyboard.press("Control+s")
            until("the save is on its way", lambda: held)

        page.open()
        begin_to_save(0.5)
        page.type("contrast", 20)
        tab.locator("#stage").focus()
        tab.keyboard.press("Escape")
        until("the page waits for the save", lambda: page.saving == "Saving…")
        held[0].continue_()
        tab.unroute("**/adjust")
        tab.wait_for_selector("#photos:not([hidden])")
        check(server.state("beach.jpg", server.folder)["values"] == {"exposure": 0.5, "contrast": 20}, "a change is lost")
        check(not tab.locator(".message").count(), "it says", *tab.locator(".message").all_inner_texts())
        check(not tab.evaluate("sessionStorage.length"), "saved changes are kept as unsaved ones")

        # Back and forward again while it is saved: the photo stays.
        page.open()
        begin_to_save(0.4)
        tab.evaluate(GO, -1)
        tab.evaluate(GO, 1)
        held[0].continue_()
        tab.unroute("**/adjust")
        until("it is saved", lambda: page.saving == "Saved")
        page.let_go(0.1)
        check(tab.is_visible("#photo") and tab.inner_text("#photo-name") == "beach.jpg", "the photo is closed")
        tab.locator("#stage").focus()
        page.back()

        # The save fails: what is said about it is said about its photo.
        page.open()
        begin_to_save(0.6)
        tab.locator("#stage").focus()
        tab.keyboard.press("Escape")
        held[0].abort()
        tab.unroute("**/adjust")
        tab.wait_for_selector("#photos:not([hidden])")
        until("it says that the photo is not saved", lambda: tab.locator(".message", has_text="beach.jpg is not saved").count())
        page.open("progressive.jpg")
        check(page.saving == "", "another photo's trouble is told:", page.saving)
        page.back()
        page.open()
        check(page.saving in ("Not saved yet", "Saving…", "Saved"), "what is said about the draft is", page.saving)
        check(tab.locator('input[data-option="exposure"]').input_value() == "0.6", "a draft is lost")
        until("it is saved by itself", lambda: server.state("beach.jpg", server.folder)["values"] == {"exposure": 0.6, "contrast": 20})


def late(program, scratch, browser):
    """Answers that come, and questions that are answered, when another photo is open change nothing there."""
    photos = [("one.jpg", FIXTURES / "beach.jpg"), ("two.jpg", FIXTURES / "beach.jpg")]
    with served(program, scratch, browser, photos=photos) as (server, page):
        tab = page.tab
        server.edit("adjust", "--contrast", 10, "two.jpg", folder=server.folder)
        page.open("two.jpg")
        two = tab.evaluate("location.hash")
        page.back()
        page.open("one.jpg")
        page.type("exposure", 0.5)
        page.save()
        page.choose("past")
        tab.wait_for_selector('[data-step="1"]')
        tab.click("[data-action=save-version]")
        tab.fill("dialog input", "warm")

        held = []
        tab.route("**/history", lambda route: held.append(route))
        tab.evaluate("hash => { location.hash = hash }", two)
        until("the other photo is open", lambda: tab.inner_text("#photo-name") == "two.jpg")
        check(not tab.locator(".step").count(), "the history of the photo before is offered")
        page.agree("Save")
        until("the history is asked for", lambda: held)
        held[0].abort()
        tab.unroute("**/history")
        until("that is told", lambda: tab.locator(".message").count())
        check(not tab.locator(".step").count(), "the history of the photo before comes back")
        kept = [name for name in ("one.jpg", "two.jpg") if "warm" in server.edit("version", "list", name, folder=server.folder)]
        check(not kept, "the edit was kept of", *kept)

        # What the server was asked for is done before the photo is left.
        page.choose("adjust")
        autos = []
        tab.route("**/edit", lambda route: autos.append(route))
        tab.click("[data-action=auto]")
        until("auto is asked for", lambda: autos)
        until("that is said", lambda: page.saving == "Working…")
        tab.keyboard.press("Escape")
        page.let_go(0.2)
        check(tab.is_visible("#photo"), "the photo is left without its auto")
        autos[0].continue_()
        tab.unroute("**/edit")
        tab.wait_for_selector("#photos:not([hidden])")
        found = [server.state(name, server.folder)["values"] for name in ("one.jpg", "two.jpg")]
        check(found[0] == {"exposure": 0.5} and len(found[1]) > 1, "auto is of another photo:", found)
        page.open("one.jpg")

        # While the next photo is not there yet, no picture of the one before is asked for.
        shows, previews = [], []
        tab.route(re.compile(r"/v1/photos/[^/?]+$"), lambda route: shows.append(route))
        tab.on("request", lambda request: previews.append(request) if request.url.endswith("/preview") else None)
        tab.evaluate("hash => { location.hash = hash }", two)
        until("the next photo is asked for", lambda: shows)
        page.let_go(0.3)
        check(not previews, "the photo before is asked for")
        shows[0].continue_()
        page.shown()


# Asks for a photo's facts after it has left the list.
LEFT = """async () => {
  const { Photos } = await import("/photos.js");
  const photos = new Photos();
  await photos.find({});
  photos.renew(photos.at(0).id);
  photos.search = { search: "no such photo" };
  await photos.reload();
  await new Promise(resolve => setTimeout(resolve, 300));
  return photos.total;
}"""


def opening(program, scratch, browser):
    """What changes between the list of photos and the first connection for events is not missed, and photos come into an
    empty grid."""
    with served(program, scratch, browser) as (server, page):
        tab = page.tab
        held = []
        tab.route("**/v1/events*", lambda route: held.append(route))
        tab.reload()
        until("the grid shows a photo", lambda: tab.locator(".cell.loaded").count() == 1)
        until("events are asked for", lambda: held)
        shutil.copy(FIXTURES / "progressive.jpg", server.folder / "two.jpg")
        until("the server has the second", lambda: tab.evaluate("fetch('/v1').then(answer => answer.json())")["photos"] == 2)
        held[0].continue_()
        tab.unroute("**/v1/events*")
        until("the grid shows the second", lambda: tab.locator(".cell.loaded").count() == 2)
        empty = Served(program, scratch / "empty", photos=())
        try:
            tab.goto(empty.start())
            tab.wait_for_selector("#nothing:not([hidden])")
            shutil.copy(FIXTURES / "progressive.jpg", empty.folder)
            until("the grid shows the first", lambda: tab.locator(".cell.loaded").count() == 1)
            tab.goto("about:blank")
        finally:
            empty.stop()


def busy(program, scratch, browser):
    """A server that has too much to do is asked again, and an answer that breaks off too."""
    with served(program, scratch, browser, photos=("beach.jpg", "progressive.jpg")) as (server, page):
        tab = page.tab
        refused = []

        def once(route):
            if len(refused) < 2:
                refused.append(route.request.url)
                problem = {"error": {"code": "server-busy", "message": "The server has too much to do."}}
                route.fulfill(status=503, json=problem, headers={"Retry-After": "1"})
            else:
                route.continue_()

        tab.route("**/thumbnail?*", once)
        tab.reload()
        until("the grid shows both", lambda: len(refused) == 2 and tab.locator(".cell.loaded").count() == 2)
        check(not tab.locator(".cell.broken").count(), "a photo is said to be broken")
        tab.unroute("**/thumbnail?*")

        # The bytes of one answer do not come whole.
        tab.evaluate("""() => {
          const whole = window.fetch;
          window.fetch = async (path, request) => {
            const answer = await whole(path, request);
            if (!String(path).includes("/thumbnail")) return answer;
            window.fetch = whole;
            const body = new ReadableStream({ pull: stream => stream.error(new TypeError("network error")) });
            return new Response(body, { status: answer.status, headers: answer.headers });
          };
        }""")
        tab.fill("#cell-size", tab.get_attribute("#cell-size", "max"))
        until("larger thumbnails are there", lambda: not tab.locator(".cell.broken, .cell:not(.loaded)").count())
        tab.wait_for_selector("#away", state="hidden")


def away(program, scratch, browser):
    """Thumbnails that could not be had while the server was away come when it is back."""
    photos = [(f"photo-{n:03}.jpg", FIXTURES / "progressive.jpg") for n in range(80)]
    with served(program, scratch, browser, photos=photos) as (server, page):
        tab = page.tab
        until("all photos are listed", lambda: tab.inner_text("#summary") == "80 photos")
        asked = []
        tab.on("request", lambda request: asked.append(request.url))
        check(tab.evaluate(LEFT) == 0, "the list is not empty")
        check(not any("NaN" in url for url in asked), "a place that is no number is asked for")

        server.stop(signal.SIGKILL)
        tab.locator("#grid").focus()
        tab.keyboard.press("End")
        until("cells are broken", lambda: tab.locator(".cell.broken").count())
        server.start()
        until("they are shown", lambda: tab.locator(".cell.loaded").count() and not tab.locator(".cell.broken, .cell:not(.loaded)").count())

        page.open(tab.locator(".cell[aria-posinset='80']").get_attribute("title"))
        page.choose("looks")
        until("the filters are drawn", lambda: tab.evaluate(DRAWN))
        server.stop(signal.SIGKILL)
        tab.wait_for_selector("#away:not([hidden])")
        page.choose("adjust")
        page.type("exposure", 1)
        before = tab.get_attribute('[data-filter="noir"] img', "src")
        page.choose("looks")
        until("a filter is broken", lambda: tab.locator(".look.broken").count())
        page.choose("adjust")
        server.start()
        tab.wait_for_selector("#away", state="hidden")
        page.choose("looks")
        until("the filters show the present edit", lambda: not tab.locator(".look.broken").count()
              and tab.get_attribute('[data-filter="noir"] img', "src") != before)


# Whether all filters have pictures.
DRAWN = "[...document.querySelectorAll('.look img')].every(each => each.naturalWidth)"


# Names that markup, addresses, shells or lines of text would take for something else.
NAMES = [
    "it's \"quoted\".jpg", "<script>alert(1)<∕script>.jpg", "<img src=x onerror=alert(1)>.jpg", "🏖️ 🌊.jpg", "שלום עולם.jpg",
    "two\nlines.jpg", "space before the end .jpg", " and at the beginning.jpg", "%20?#&=+.jpg", "\u202egpj.exe.jpg", "back\\slash.jpg",
    "a;b|c`d$(e).jpg", "n" * 240 + ".jpg",
]


def names(program, scratch, browser):
    """Photos of all names are shown, opened, edited and named as they are."""
    photos = [(name, FIXTURES / "progressive.jpg") for name in NAMES] + [("empty.jpg", FIXTURES / "bad" / "empty.jpg")]
    with served(program, scratch, browser, photos=photos) as (server, page):
        tab = page.tab
        tab.select_option("#search-sort", "filename")
        until("all photos are shown", lambda: tab.locator(".cell.loaded").count() == len(NAMES))
        check(sorted(tab.evaluate("[...document.querySelectorAll('.cell')].map(each => each.title)")) == sorted(NAMES), "other names are shown")
        for place in range(len(NAMES)):
            cell = tab.locator(f'.cell[data-index="{place}"]')
            name = cell.get_attribute("title")
            cell.dblclick()
            page.shown()
            page.choose("adjust")
            page.type("exposure", 0.5)
            page.save()
            shown = tab.evaluate("document.getElementById('photo-name').textContent")
            check(shown == name and (server.folder / f"{name}.aae").exists(), "another photo was edited than", repr(name))
            page.choose("information")
            page.back()


def gone(program, scratch, browser):
    """Photos that are deleted or replaced, and a folder that goes away, while they are edited."""
    photos = ["beach.jpg", ("two.jpg", FIXTURES / "beach.jpg"), ("three.jpg", FIXTURES / "beach.jpg")]
    with served(program, scratch, browser, photos=photos) as (server, page):
        tab = page.tab
        page.open()
        page.type("exposure", 0.5)
        (server.folder / "beach.jpg").unlink()
        tab.keyboard.press("Control+s")
        until("it says that the photo is gone", lambda: "not in the folder" in page.saving or "does not exist" in page.saving)
        page.choose("crop")
        page.back()
        until("the message is there", lambda: tab.locator(".message").count())
        until("the grid shows the others", lambda: tab.locator(".cell").count() == 2)

        page.open("two.jpg")
        page.type("exposure", 0.7)
        shutil.copy(FIXTURES / "progressive.jpg", server.folder / "two.jpg")
        tab.wait_for_selector("#elsewhere:not([hidden])")
        page.choose("crop")
        tab.keyboard.press("Escape")
        check(tab.is_visible("#photo"), "the photo is left without an answer")
        tab.evaluate(GO, -1)
        until("the address is that of the photo", lambda: tab.evaluate("location.hash").startswith("#photo="))
        check(tab.is_visible("#photo") and page.saving == "Not saved yet", "the browser's way back leaves without an answer")
        tab.keyboard.press("Control+s")
        until("it is saved", lambda: page.saving == "Saved")
        check(not tab.is_visible("#elsewhere"), "the question stays after it was answered")
        page.back()

        page.open("three.jpg")
        page.type("exposure", 0.7)
        server.folder.rename(server.folder.with_name("away"))
        tab.keyboard.press("Control+s")
        until("it says that the folder is gone", lambda: page.saving.startswith("Not saved:"))
        server.folder.with_name("away").rename(server.folder)
        page.save()
        check(server.state("three.jpg", server.folder)["values"] == {"exposure": 0.7}, "it is not saved when the folder is back")


CASES = [keyboard, messages, tabs, background, elsewhere, hurried, late, opening, busy, restart, away, looking, stalled, names, gone]
