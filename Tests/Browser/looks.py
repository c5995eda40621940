"""How it looks: nothing that an accessibility checker calls serious, in the main states, dark and light, wide and narrow;
and screenshots of them for people to look at."""

import io
import re

from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from served import FIXTURES, PAGE, check, served, until

# A folder for screenshots, or None.
PICTURES = None
# How many of the looks are checked.
LOOKS = 4

SIZES = {"wide": (1280, 800), "phone": (390, 844)}


def states(page, server, touch):
    """Goes through the main states, and gives the name of each while it is seen."""
    tab = page.tab
    yield "grid"
    if not touch:
        page.cell("beach.jpg").click()
        yield "selection"
        tab.click("#search-more")
        yield "search"
        tab.click("#search-more")
        for name in ("copy-the-edit", "apply-a-filter", "add-to-an-album", "revert"):
            tab.click(f"#chosen-actions [data-action={name}]")
            if name != "copy-the-edit":
                yield from question(tab, name)
        tab.keyboard.press("?")
        yield from question(tab, "keys")
    cell = page.cell("beach.jpg")
    if touch:
        cell.tap()
    else:
        cell.dblclick()
    page.shown()
    page.choose("adjust")
    page.type("exposure", 0.4)
    page.type("temperature", 7400)
    yield "adjust"
    page.unfold()
    tab.locator("svg.curve").scroll_into_view_if_needed()
    yield "curve"
    tab.locator('details.fold:has([data-option="color-mixer-red-hue"])').scroll_into_view_if_needed()
    yield "mixer"
    page.choose("looks")
    tab.click('[data-filter="vivid-warm"]')
    until("the filters are drawn", lambda: tab.evaluate("[...document.querySelectorAll('.look img')].every(each => each.naturalWidth)"))
    yield "filters"
    page.choose("crop")
    tab.wait_for_selector(".frame:not([hidden])")
    tab.select_option("[data-action=aspect]", "16:9")
    yield "crop"
    tab.click('[aria-label="Copy the edit"]:visible')
    tab.click('[aria-label="Paste the edit…"]:visible')
    yield from question(tab, "paste")
    page.save()
    page.choose("past")
    tab.wait_for_selector(".step")
    yield "history"
    if not touch:
        tab.click(".past [data-action=revert]")
        yield from question(tab, "revert-one")
        tab.click(".past [data-action=save-version]")
        yield from question(tab, "version")
    page.choose("information")
    yield "information"
    tab.keyboard.press("s")
    tab.wait_for_selector(".layer.before:not([hidden]) .base[src^=blob]")
    yield "split"


def question(tab, name):
    """A dialog, while it is open."""
    tab.wait_for_selector("dialog[open]")
    yield f"dialog-{name}"
    tab.keyboard.press("Escape")
    tab.wait_for_selector("dialog", state="detached")


def accessible(program, scratch, browser):
    """axe-core finds nothing serious."""
    axe = Axe()
    found, checked = [], 0
    for scheme, size in (("dark", "phone"), ("light", "wide"), ("light", "phone"), ("dark", "wide"))[:LOOKS]:
        touch = size == "phone"
        width, height = SIZES[size]
        photos = ["beach.jpg", "progressive.jpg", "exif-gps-makernote.jpg", "cmyk.jpg", ("broken.jpg", FIXTURES / "bad" / "truncated.jpg")]
        with served(program, scratch / f"{scheme}-{size}", browser, photos=photos, color_scheme=scheme, has_touch=touch,
                    reduced_motion="reduce") as (server, page):
            page.tab.set_viewport_size({"width": width, "height": height})
            for name in states(page, server, touch):
                page.tab.wait_for_timeout(250)
                if PICTURES:
                    PICTURES.mkdir(parents=True, exist_ok=True)
                    page.tab.screenshot(path=PICTURES / f"{scheme}-{size}-{name}.png")
                checked += 1
                for violation in axe.run(page.tab).response["violations"]:
                    if violation["impact"] in ("serious", "critical"):
                        where = violation["nodes"][0]["html"][:200]
                        found.append(f"{scheme} {size} {name}: {violation['id']}, {violation['help']}: {where}")
    check(not found, "\n".join(found))
    return f"{checked} states"


def editor(program, scratch, browser):
    """Makes the README's picture of the page, when pictures are wanted."""
    if not PICTURES:
        return "no pictures wanted"
    with served(program, scratch, browser, color_scheme="dark") as (server, page):
        tab = page.tab
        page.open()
        page.choose("looks")
        tab.click('[data-filter="vivid-warm"]')
        page.choose("adjust")
        for option, value in (("exposure", 0.25), ("highlights", -40), ("shadows", 35), ("blacks", -12), ("contrast", 15)):
            page.type(option, value)
        tab.click('[aria-label="Before and after side by side"]')
        tab.wait_for_selector(".layer.before:not([hidden]) .base[src^=blob]")
        tab.evaluate("document.activeElement.blur(); document.getElementById(\"tab-panels\").scrollTop = 0")
        tab.mouse.move(600, 50)
        PICTURES.mkdir(parents=True, exist_ok=True)
        shot = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
        shot.save(PICTURES / "editor.jpg", quality=86, optimize=True, subsampling=0)


def modules(program, scratch, browser):
    """The page names all its modules, so that they come at once."""
    named = set(re.findall(r'rel="modulepreload" href="(.+?)"', (PAGE / "index.html").read_text()))
    there = {path.name for path in PAGE.glob("*.js")} - {"main.js"}
    check(named == there, "index.html does not name, or names without need:", *sorted(named ^ there))


CASES = [modules, accessible, editor]
