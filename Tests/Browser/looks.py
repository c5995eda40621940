"""How it looks: nothing that an accessibility checker calls serious, in the main states, dark and light, wide and narrow;
and screenshots of them for people to look at."""

import io

from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from served import FIXTURES, check, served, until

# A folder for screenshots, or None.
PICTURES = None

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
    until("the filters are drawn", lambda: tab.evaluate("[...document.querySelectorAll('.look img')].slice(0, 4).every(each => each.naturalWidth)"))
    yield "filters"
    page.choose("crop")
    tab.wait_for_selector(".frame:not([hidden])")
    tab.select_option("[data-action=aspect]", "16:9")
    yield "crop"
    page.save()
    page.choose("past")
    tab.wait_for_selector(".step")
    yield "history"
    if not touch:
        tab.click(".past [data-action=revert]")
        tab.wait_for_selector("dialog[open]")
        yield "question"
        tab.keyboard.press("Escape")
    page.choose("information")
    yield "information"
    tab.keyboard.press("s")
    tab.wait_for_selector(".layer.before:not([hidden]) .base[src^=blob]")
    yield "split"


def accessible(program, scratch, browser):
    """axe-core finds nothing serious."""
    axe = Axe()
    found, checked = [], 0
    for scheme in ("dark", "light"):
        for size, (width, height) in SIZES.items():
            touch = size == "phone"
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


CASES = [accessible, editor]
