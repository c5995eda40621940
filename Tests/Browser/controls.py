"""Each control does what the same command does: the same record, and a render of the same bytes."""

import json
import subprocess
import time

from PIL import Image, ImageStat

from served import FIXTURES, check, served, until


def dragged(slider):
    """The value of a slider after its knob was dragged from the middle to the right, in 39 steps."""
    box, mouse = slider.bounding_box(), slider.page.mouse
    middle = box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] / 2, middle)
    mouse.down()
    for step in range(1, 40):
        mouse.move(box["x"] + box["width"] * (0.5 + step / 200), middle)
    mouse.up()
    return float(slider.input_value())


def table(server):
    """The parameters with an option, in the table's order."""
    lines = server.edit("adjustments", "--json").splitlines()
    return [(adjustment, parameter) for adjustment in map(json.loads, lines) for parameter in adjustment["parameters"]
            if parameter.get("option")]


def sliders(program, scratch, browser):
    """Every slider of the table, by its number, in one edit."""
    with served(program, scratch, browser) as (server, page):
        page.open()
        page.unfold()
        words = []
        for adjustment, parameter in table(server):
            if parameter["type"] not in ("number", "integer") or adjustment["group"] in ("geometry", "look"):
                continue
            low, high = parameter["minimum"], parameter["maximum"]
            # Values near the neutral one, so that one adjustment does not hide what the others do.
            start = parameter["default"]
            value = start + (high - start) * 0.1 if high > start else start + (low - start) * 0.1
            value = round(value) if parameter["type"] == "integer" or high - low > 10 else round(value, 2)
            if high - low > 1e6:
                field = page.tab.locator(f'[data-option="{parameter["option"]}"]')
                value = 7
                field.fill("7")
                field.press("Enter")
            else:
                page.type(parameter["option"], value)
            words += [f"--{parameter['option']}", value]
        check(len(words) > 160, "few sliders were found:", len(words) // 2)
        page.save()
        server.edit("adjust", *words, "beach.jpg")
        server.agree("all sliders")
        return f"{len(words) // 2} sliders"


def hand(program, scratch, browser):
    """A slider by pointer and by keys, with previews on the way; a double click resets it."""
    with served(program, scratch, browser) as (server, page):
        page.open()
        tab = page.tab
        slider = tab.locator('input[data-option="exposure"]')
        previews = []
        tab.on("request", lambda request: previews.append(request) if request.url.endswith("/preview") else None)
        value = dragged(slider)
        check(value > 0.5, "the slider did not follow:", value)
        check(page.saving != "", "nothing is said about saving the change")
        until("the last value is previewed", lambda: previews and json.loads(previews[-1].post_data)["adjustments"] == [
            {"id": "exposure", "version": 1, "amount": value}])
        slider.press("ArrowRight")
        value = float(slider.input_value())
        page.save()
        server.edit("adjust", "--exposure", value, "beach.jpg")
        server.agree("a slider by hand")
        slider.dblclick(position={"x": 3, "y": 5})
        check(float(slider.input_value()) == 0, "a double click does not reset:", slider.input_value())
        page.save()
        check(not server.state("beach.jpg", server.folder)["values"], "the reset was not saved")

        # Who only looks at a value with more digits than are shown does not round it.
        server.edit("adjust", "--exposure", 0.347, "--crop-x", 0.10007, "--crop-width", 0.50003, "beach.jpg", folder=server.folder)
        number = tab.locator('[data-number="exposure"]')
        until("the page follows", lambda: number.input_value() == "+0.35")
        number.focus()
        number.press("Enter")
        number.press("Tab")
        page.choose("crop")
        tab.locator(".frame").click()
        check(page.saving == "Saved", "looking at values changes them:", page.saving)
        page.type("straighten", 1)
        page.save()
        values = server.state("beach.jpg", server.folder)["values"]
        check((values["exposure"], values["crop-x"], values["crop-width"]) == (0.347, 0.10007, 0.50003), "the edit is", values)


def light(program, scratch, browser):
    """The switch for light above white: with it the exact picture has the photo's gain map, also after an edit."""
    photos = [("beach.jpg", FIXTURES / "hdr" / "iso.jpg"), ("plain.jpg", FIXTURES / "beach.jpg")]
    with served(program, scratch, browser, photos) as (server, page):
        tab = page.tab
        answers = []
        tab.on("response", lambda answer: answers.append(answer) if answer.url.endswith("/preview") else None)
        page.open()
        switch = tab.locator('#view-bar button[aria-label^="HDR"]')
        until("the switch is there", switch.is_visible)
        check(switch.get_attribute("aria-pressed") == "false", "light above white is shown unasked")

        def asked(answer):
            return json.loads(answer.request.post_data).get("hdr", False)

        def shown(has_map):
            """Whether the last picture was asked for with a map or without, and one is seen. Tests of the server read its bytes."""
            if not answers or asked(answers[-1]) != has_map or answers[-1].status != 200:
                return False
            return tab.evaluate("document.querySelector('.layer.after .base').naturalWidth > 0")

        until("the picture of every screen is shown", lambda: shown(False))
        tab.locator("#stage").focus()
        tab.keyboard.press("h")
        until("light above white is shown", lambda: shown(True))
        check(switch.get_attribute("aria-pressed") == "true", "the switch does not follow the key")
        page.type("exposure", 1)
        page.save()
        until("it is shown with the edit", lambda: shown(True) and json.loads(answers[-1].request.post_data)["adjustments"])
        switch.click()
        until("the picture of every screen is shown again", lambda: shown(False))
        page.back()
        page.open("plain.jpg")
        check(not switch.is_visible(), "a photo without light above white has a switch")
        return "with and without the map"


# Whether the picture on the stage is the exact preview of an exposure.
EXACT = """async ([amount, fit]) => {
  const { photos } = await (await fetch("/v1/photos")).json();
  const facts = { adjustments: [{ id: "exposure", version: 2, amount }], fit, session: "check" };
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(facts) };
  const exact = await createImageBitmap(await (await fetch(`/v1/photos/${photos[0].id}/preview`, request)).blob());
  const shown = document.querySelector(".layer.after .base");
  const [left, right] = [exact, shown].map(image => {
    const context = new OffscreenCanvas(exact.width, exact.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, exact.width, exact.height).data;
  });
  return shown.naturalWidth === exact.width && left.every((code, n) => code === right[n]);
}"""


def drafts(program, scratch, browser):
    """While a slider moves drafts are seen; the exact picture follows, is given up for a newer value, and stays."""
    with served(program, scratch, browser) as (server, page):
        tab = page.tab
        asked = []

        def note(request):
            if request.url.endswith("/preview"):
                asked.append((request, json.loads(request.post_data)))

        def count(isDraft, since=0):
            return sum(bool(body.get("draft")) == isDraft for _, body in asked[since:])

        def fits(amount):
            return tab.evaluate(EXACT, [amount, asked[-1][1]["fit"]])

        tab.on("request", note)
        page.open()
        until("the exact picture follows", lambda: count(False))
        check("draft" in asked[0][1], "a photo does not open with a draft:", asked[0][1])
        slider = tab.locator('input[data-option="exposure"]')
        start = len(asked)
        value = dragged(slider)
        until("the exact picture follows", lambda: not asked[-1][1].get("draft")
              and asked[-1][1]["adjustments"] == [{"id": "exposure", "version": 1, "amount": value}])
        shown, exact = count(True, start), count(False, start)
        check(shown > exact, "drafts:", shown, "exact pictures:", exact)
        until("the exact picture is shown", lambda: fits(value))

        # An edit that is saved is the edit that is shown: no draft comes over its exact picture.
        start = len(asked)
        page.save()
        until("the exact picture of the new state is asked for", lambda: count(False, start))
        check(count(True, start) == 0, "a draft is asked for over the exact picture")

        # A newer value does not wait for the exact picture of the one before.
        held = []
        tab.route("**/preview", lambda route: route.continue_() if route.request.post_data_json.get("draft") else held.append(route))
        failed = []
        tab.on("requestfailed", lambda request: failed.append(request))
        slider.press("ArrowRight")
        until("the exact picture is asked for", lambda: held)
        start = len(asked)
        slider.press("ArrowRight")
        until("a draft of the newer value comes", lambda: count(True, start))
        until("the exact picture is given up", lambda: held[0].request in failed)
        for route in held:
            route.continue_()
        tab.unroute("**/preview")
        value = float(slider.input_value())
        until("the exact picture is shown", lambda: fits(value))
        return f"{shown} drafts and {exact} exact pictures for one movement"


def curves(program, scratch, browser):
    """The tone curve by pointer and by keys."""
    with served(program, scratch, browser) as (server, page):
        page.open()
        page.unfold()
        tab = page.tab
        curve = tab.locator("svg.curve")
        curve.scroll_into_view_if_needed()
        box = curve.bounding_box()
        tab.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
        tab.mouse.down()
        tab.mouse.move(box["x"] + box["width"] * 0.45, box["y"] + box["height"] * 0.4, steps=4)
        tab.mouse.up()
        check(tab.locator("svg.curve circle").count() == 3, "no point was added")
        tab.locator("svg.curve circle").nth(1).press("ArrowUp")
        fold = tab.locator("details.fold", has=curve)
        fold.locator('.segments input[value="blue"]').check(force=True)
        tab.locator("svg.curve circle").nth(0).press("ArrowUp")
        tab.locator("svg.curve circle").nth(0).press("+")
        page.save()
        made = server.state("beach.jpg", server.folder)["values"]
        check(set(made) == {"tone-curve", "tone-curve-blue"}, "the curves are", made)
        check(len(made["tone-curve"]) == 3 and len(made["tone-curve-blue"]) == 3, "the curves have other points:", made)
        words = []
        for option, points in made.items():
            words += [f"--{option}", " ".join(f"{across},{up}" for across, up in points)]
        server.edit("adjust", *words, "beach.jpg")
        server.agree("curves")
        tab.locator("svg.curve circle").nth(1).press("Delete")
        check(tab.locator("svg.curve circle").count() == 2, "Delete does not remove a point")


def mixers(program, scratch, browser):
    """The channel mixer's shares and a choice."""
    with served(program, scratch, browser) as (server, page):
        page.open()
        page.unfold()
        page.type("channel-mixer-red-green", 0.2)
        page.type("channel-mixer-blue-blue", 0.9)
        page.tab.select_option('[data-option="tone-curve-mode"]', "luminance")
        page.save()
        server.edit("adjust", "--channel-mixer-red", "1,0.2,0", "--channel-mixer-blue", "0,0,0.9", "beach.jpg")
        server.agree("the channel mixer")


# The mean difference of a part of the picture on the stage from the render, in codes.
SHARP = """async () => {
  const tile = document.querySelector(".layer.after .tile");
  const { photos } = await (await fetch("/v1/photos")).json();
  const render = await createImageBitmap(await (await fetch(`/v1/photos/${photos[0].id}/file?kind=render`)).blob());
  const [left, top] = ["left", "top"].map(side => parseFloat(tile.style[side]) / 100);
  const size = [tile.naturalWidth, tile.naturalHeight];
  const pixels = (image, x, y) => {
    const canvas = new OffscreenCanvas(...size);
    const context = canvas.getContext("2d");
    context.drawImage(image, -x, -y);
    return context.getImageData(0, 0, ...size).data;
  };
  const shown = pixels(tile, 0, 0);
  const right = pixels(render, Math.round(left * render.width), Math.round(top * render.height));
  let sum = 0;
  for (let n = 0; n < shown.length; n += 1) sum += Math.abs(shown[n] - right[n]);
  return [sum / shown.length * 4 / 3, tile.getBoundingClientRect().width / tile.naturalWidth, size];
}"""


def sharp(tab):
    """Shows 100 %, where each pixel must be that of the render; the difference in codes, and the size of the part."""
    tab.locator("#stage").focus()
    tab.keyboard.press("1")
    check(tab.inner_text(".zoom") == "100 %", "the zoom is", tab.inner_text(".zoom"))
    tab.wait_for_selector(".layer.after .tile:not([hidden])")
    difference, scale, size = tab.evaluate(SHARP)
    check(abs(scale - 1) < 0.002, "a pixel is drawn as", scale)
    check(difference < 3, "the part differs from the render by", difference, "codes")
    return difference, size


def zoomed(program, scratch, browser):
    """At 100 % a pixel of the picture is a pixel of the screen, and is that of the render."""
    source = scratch / "source.jpg"
    Image.open(FIXTURES / "beach.jpg").resize((6000, 4000)).save(source, quality=92)
    with served(program, scratch, browser, photos=[("beach.jpg", source)]) as (server, page):
        page.open()
        tab = page.tab
        page.type("exposure", 0.4)
        page.save()
        difference, size = sharp(tab)
        before = tab.get_attribute(".layer.after .tile", "src")
        stage = tab.locator("#stage").bounding_box()
        tab.mouse.move(stage["x"] + 400, stage["y"] + 300)
        tab.mouse.down()
        tab.mouse.move(stage["x"] + 100, stage["y"] + 100, steps=5)
        tab.mouse.up()
        until("another part comes", lambda: tab.get_attribute(".layer.after .tile", "src") != before)
        difference, scale, size = tab.evaluate(SHARP)
        check(difference < 3, "after panning the part differs from the render by", difference, "codes")
        before = tab.get_attribute(".layer.after .tile", "src")
        page.type("exposure", 0.8)
        page.save()
        until("the part follows the edit", lambda: tab.get_attribute(".layer.after .tile", "src") != before
              and tab.locator(".layer.after .tile").is_visible())
        changed, scale, size = tab.evaluate(SHARP)
        check(changed < 3, "after a change the part differs from the render by", changed, "codes")
        tab.mouse.wheel(0, 4000)
        until("the picture fits again", lambda: tab.locator(".layer.after .tile").is_hidden())
        tab.locator("#stage").focus()
        for _ in range(2):
            tab.keyboard.press("1")
            until("the part comes back", lambda: tab.locator(".layer.after .tile").is_visible())
            tab.keyboard.press("0")
            until("the picture fits again", lambda: tab.locator(".layer.after .tile").is_hidden())
        return f"{difference:.2f} codes from the render, {size[0]} × {size[1]}"


def large(program, scratch, browser):
    """A photo of 108 megapixels is sharp at 100 % too."""
    beach = Image.open(FIXTURES / "beach.jpg")
    picture = Image.new("RGB", (12000, 9000))
    for left in range(0, picture.width, beach.width):
        for top in range(0, picture.height, beach.height):
            # Every copy differs, so that a part of another place is noticed.
            picture.paste(beach.rotate((left + top) / 800), (left, top))
    source = scratch / "source.jpg"
    picture.save(source, quality=90)
    with served(program, scratch, browser, photos=[("beach.jpg", source)]) as (server, page):
        page.open()
        tab = page.tab
        page.type("exposure", 0.2)
        page.save()
        difference, size = sharp(tab)
        began = time.monotonic()
        before = tab.get_attribute(".layer.after .tile", "src")
        for _ in range(5):
            tab.keyboard.press("ArrowRight")
        until("another part comes", lambda: tab.get_attribute(".layer.after .tile", "src") != before)
        return f"{difference:.2f} codes from the render; the next part after {time.monotonic() - began:.1f} s"


def filters(program, scratch, browser):
    """A filter with its intensity; saving the edit as a filter; removing that."""
    with served(program, scratch, browser) as (server, page):
        page.open()
        tab = page.tab
        page.choose("looks")
        tab.click('[data-filter="noir"]')
        page.type("intensity", 0.6)
        page.save()
        server.edit("apply", "noir", "--intensity", 0.6, "beach.jpg")
        server.agree("a filter")
        tab.click("[data-action=save-filter]")
        tab.fill("dialog input", "Night Walk")
        page.agree("Save")
        tab.wait_for_selector('[data-filter="night-walk"]')
        check("night-walk" in server.edit("filters", "--json"), "the command line does not know the filter")
        tab.click('[aria-label="Remove the filter Night Walk"]')
        page.agree("Remove")
        tab.wait_for_selector('[data-filter="night-walk"]', state="detached")
        for title, name in (("Été", "ete"), ("暖色", "filter-1"), ("冷色", "filter-2")):
            tab.click("[data-action=save-filter]")
            tab.fill("dialog input", title)
            page.agree("Save")
            until(f"there is {title}", lambda: title in tab.locator(f'[data-filter="{name}"]').all_inner_texts())
        tab.click('[data-filter=""]')
        page.save()
        check(not server.state("beach.jpg", server.folder)["values"], "None does not take the filter away")


def crops(program, scratch, browser):
    """Crop by aspect, by a corner and by keys; straighten, perspective, turns and mirrors."""
    with served(program, scratch, browser) as (server, page):
        page.open()
        tab = page.tab
        page.choose("crop")
        tab.wait_for_selector(".frame:not([hidden])")
        tab.select_option("[data-action=aspect]", "16:9")
        page.save()
        server.edit("crop", "--aspect", "16:9", "beach.jpg")
        server.agree("crop by aspect")

        tab.select_option("[data-action=aspect]", "free")
        corner = tab.locator(".handle.se").bounding_box()
        tab.mouse.move(corner["x"] + 14, corner["y"] + 14)
        tab.mouse.down()
        tab.mouse.move(corner["x"] - 120, corner["y"] - 60, steps=5)
        tab.mouse.up()
        tab.locator(".handle.w").press("Shift+ArrowRight")
        tab.locator(".frame").press("ArrowDown")
        page.save()
        values = server.state("beach.jpg", server.folder)["values"]
        share = {side: values.get(f"crop-{side}", neutral) for side, neutral in (("x", 0), ("y", 0), ("width", 1), ("height", 1))}
        pixels = [share["x"] * 1200, share["y"] * 800, share["width"] * 1200, share["height"] * 800]
        check(all(abs(number - round(number)) < 1e-6 for number in pixels), "the crop is not of whole pixels:", pixels)
        check(pixels[0] == 60 and pixels[2] < 1100, "the handles did not move the crop:", pixels)
        server.edit("crop", "--rect", ",".join(str(round(number)) for number in pixels) + "px", "beach.jpg")
        server.agree("crop by hand")

        page.type("straighten", 2.5)
        page.type("perspective-vertical", 12)
        page.save()
        server.edit("adjust", "--straighten", 2.5, "--perspective-vertical", 12, "beach.jpg")
        server.agree("straighten and perspective")
        tab.click('[aria-label="Turn right"]')
        page.save()
        server.edit("rotate", "right", "beach.jpg")
        server.agree("a quarter turn")
        tab.click('[aria-label="Mirror left and right"]')
        page.save()
        server.edit("flip", "horizontal", "beach.jpg")
        server.agree("a mirror")
        tab.keyboard.press("[")
        page.save()
        # Seen in the mirror, a turn to the left is one to the right.
        server.edit("rotate", 180, "beach.jpg")
        server.agree("a quarter turn of a mirrored picture")
        tab.click("[data-action=reset-crop]")
        page.save()
        check(not server.state("beach.jpg", server.folder)["values"], "Reset leaves geometry")


def operating(program, scratch, browser):
    """What the server computes keeps its order: with what is changed meanwhile, undone, dropped, saved or refused."""
    with served(program, scratch, browser) as (server, page):
        tab = page.tab
        values = lambda: server.state("beach.jpg", server.folder)["values"]
        held, kept = [], []

        def asked(route):
            if kept and not held:
                held.append(route)
            else:
                route.continue_()

        def hold():
            held.clear()
            kept[:] = [True]

        def release():
            until("the server is asked", lambda: held)
            kept.clear()
            held[0].continue_()
            until("it is done", lambda: page.saving != "Working…")

        tab.route("**/edit", asked)

        page.open()
        hold()
        tab.keyboard.press("]")
        tab.keyboard.press("]")
        page.type("contrast", 10)
        release()
        page.save()
        check(values() == {"rotate": 180, "contrast": 10}, "two turns and a change:", values())
        server.edit("rotate", 180, "beach.jpg")
        server.edit("adjust", "--contrast", 10, "beach.jpg")
        server.agree("two turns and a change")

        hold()
        tab.locator("#stage").focus()
        tab.keyboard.press("]")
        tab.keyboard.press("Control+z")
        release()
        page.save()
        check(values() == {"rotate": 180, "contrast": 10}, "a turn that is undone:", values())

        page.choose("crop")
        tab.wait_for_selector(".frame:not([hidden])")
        hold()
        tab.select_option("[data-action=aspect]", "1:1")
        tab.locator("#stage").focus()
        tab.keyboard.press("Escape")
        check(tab.is_visible("#photo"), "Esc leaves the photo while a crop is computed")
        release()
        page.let_go(0.3)
        check(page.saving == "Saved", "a dropped crop comes back:", page.saving)

        # Undo waits for the turn; when that is dropped, it undoes nothing else.
        hold()
        tab.keyboard.press("]")
        tab.keyboard.press("Control+z")
        tab.keyboard.press("Escape")
        release()
        page.let_go(0.3)
        check(page.saving == "Saved", "undo after a dropped turn changes something:", page.saving)
        check(values() == {"rotate": 180, "contrast": 10}, "undo after a dropped turn:", values())

        # A turn from before the crop tools were opened is no crop to be dropped.
        page.choose("adjust")
        hold()
        tab.locator("#stage").focus()
        tab.keyboard.press("]")
        page.choose("crop")
        release()
        until("the turn is saved", lambda: page.saving == "Saved" and values() == {"rotate": 270, "contrast": 10})
        check(not tab.locator("[data-action=cancel-crop]").is_visible(), "a turn from before can be dropped")
        tab.keyboard.press("[")
        page.choose("adjust")
        page.save()
        check(values() == {"rotate": 180, "contrast": 10}, "a turn back:", values())
        page.choose("crop")

        refusal = {"error": {"code": "unknown", "message": "Not today."}}
        tab.route("**/edit", lambda route: route.fulfill(status=409, json=refusal), times=1)
        tab.keyboard.press("]")
        until("what the server says is told", lambda: tab.locator(".message", has_text="Not today.").count())
        tab.keyboard.press("[")
        page.choose("adjust")
        page.save()
        check(values() == {"rotate": 90, "contrast": 10}, "a turn after one that was refused:", values())


def automatic(program, scratch, browser):
    """Auto, Level automatically, and picking a gray."""
    with served(program, scratch, browser, photos=("beach.jpg", ("plain.jpg", FIXTURES / "beach.jpg"))) as (server, page):
        page.open()
        tab = page.tab
        tab.click("[data-action=auto]")
        until("auto is shown", lambda: page.saving or tab.locator(".message").count())
        page.save()
        server.edit("auto", "beach.jpg")
        server.agree("auto")
        check(not tab.locator(".message", has_text="Auto replaced").count(), "values that nobody set are replaced")
        before = server.state("beach.jpg", server.folder)["values"]
        tab.click("[data-action=gray]")
        tab.wait_for_selector(".stage.picking")
        stage = tab.locator("#stage .picture").bounding_box()
        tab.mouse.click(stage["x"] + stage["width"] * 0.3, stage["y"] + stage["height"] * 0.9)
        until("the white balance is set", lambda: page.saving != "Saved")
        page.save()
        values = server.state("beach.jpg", server.folder)["values"]
        server.edit("adjust", "--temperature", values["temperature"], "--tint", values["tint"], "plain.jpg")
        picture = Image.open(server.twin / "plain_edited.jpg")
        left, top = round(picture.width * 0.3) - 7, round(picture.height * 0.9) - 7
        color = ImageStat.Stat(picture.crop((left, top, left + 14, top + 14))).mean
        check(max(color) - min(color) < 4, "the picked place has the color", color)
        check({key: value for key, value in values.items() if key not in ("temperature", "tint")}
              == {key: value for key, value in (before or {}).items() if key not in ("temperature", "tint")},
              "picking a gray changed something else")

        # The same by keys.
        measured = []
        tab.on("request", lambda request: measured.append(request.post_data_json["operations"][0]["gray"])
               if request.url.endswith("/edit") else None)
        tab.keyboard.press("w")
        tab.wait_for_selector(".stage.picking")
        for key in ("Shift+ArrowLeft", "ArrowUp", "Enter"):
            tab.keyboard.press(key)
        until("the place is measured", lambda: measured)
        across, down = measured[0]
        check(abs(across - 0.45) < 0.001 and abs(down - 0.49) < 0.001, "measured is", measured[0])
        check(not tab.locator(".stage.picking, .cross:not([hidden])").count(), "the cross stays")


def past(program, scratch, browser):
    """Undo, redo, a step of the history, a version, discard, and revert with its question."""
    with served(program, scratch, browser) as (server, page):
        page.open()
        tab = page.tab
        for number in (0.5, 1):
            page.type("exposure", number)
            page.save()
            server.edit("adjust", "--exposure", number, "beach.jpg")
        server.agree("two edits")
        tab.keyboard.press("Tab")
        tab.locator("#stage").focus()
        exposure = tab.locator('input[data-option="exposure"]')

        def after(what, values):
            until(f"{what}: the record follows", lambda: (server.state("beach.jpg", server.folder)["values"] or {}) == values)

        tab.keyboard.press("Control+z")
        after("undo", {"exposure": 0.5})
        server.edit("undo", "beach.jpg")
        server.agree("undo")
        tab.keyboard.press("Control+Shift+z")
        after("redo", {"exposure": 1})
        server.edit("redo", "beach.jpg")
        server.agree("redo")

        # Two quick steps are two steps. Undone to the original, the photo is not edited.
        tab.keyboard.press("Control+z")
        tab.keyboard.press("Control+z")
        check(exposure.input_value() == "0", "two steps back show", exposure.input_value())
        page.save()
        after("two steps back", {})
        server.edit("undo", "--steps", 2, "beach.jpg")
        check({path.name for path in server.folder.iterdir()} == {"beach.jpg", "beach.jpg.aae"}, "a render of the original stays")
        server.agree("undone to the original")
        tab.keyboard.press("Control+Shift+z")
        tab.keyboard.press("Control+Shift+z")
        page.save()
        after("two steps forth", {"exposure": 1})
        server.edit("redo", "--steps", 2, "beach.jpg")
        server.agree("redone")

        # What is changed while a step is written is on top and raises no question.
        held = []
        tab.route("**/undo", lambda route: held.append(route))
        tab.keyboard.press("Control+z")
        tab.keyboard.press("Control+s")
        until("undo is asked for", lambda: held)
        page.type("contrast", 10)
        held[0].continue_()
        tab.unroute("**/undo")
        after("a step back and a change", {"exposure": 0.5, "contrast": 10})
        check(not tab.is_visible("#elsewhere"), "the page takes its own change for another's")
        check(not tab.locator(".message").count(), "it says", *tab.locator(".message").all_inner_texts())
        until("it is saved", lambda: page.saving == "Saved")
        tab.click("[data-action=discard]")
        page.save()
        after("discarded: as when it was opened", {})
        tab.locator("#stage").focus()
        tab.keyboard.press("Control+Shift+z")
        tab.keyboard.press("Control+Shift+z")
        tab.keyboard.press("Escape")
        tab.wait_for_selector("#photos:not([hidden])")
        after("two steps forth before the photo is left", {"exposure": 0.5, "contrast": 10})
        page.open()
        until("the page shows it", lambda: exposure.input_value() == "0.5" and page.saving == "Saved")
        server.edit("undo", "beach.jpg")
        server.edit("adjust", "--contrast", 10, "beach.jpg")
        server.agree("the same in commands")

        page.choose("past")
        tab.click('[data-step="1"]')
        after("history", {"exposure": 0.5})
        server.edit("history", "--to", 1, "beach.jpg")
        server.agree("a step of the history")
        tab.click("[data-action=save-version]")
        tab.fill("dialog input", "warm")
        page.agree("Save")
        tab.wait_for_selector(".version")
        server.edit("version", "save", "warm", "beach.jpg")
        names = {path.name for path in server.folder.iterdir()}
        check(names == {path.name for path in server.twin.iterdir()}, "other files:", names)

        page.choose("adjust")
        page.type("contrast", 20)
        check(page.saving == "Not saved yet", "what is said about saving is", page.saving)
        tab.click("[data-action=discard]")
        check(page.saving == "Saved", "after discarding it says", page.saving)
        server.agree("a discarded change")

        # Changes are undone one by one, though they may be saved together.
        page.type("contrast", 20)
        page.type("contrast", 30)
        tab.locator("#stage").focus()
        tab.keyboard.press("Control+z")
        check(tab.locator('input[data-option="contrast"]').input_value() == "20", "undo of an unsaved change")
        tab.keyboard.press("Control+z")
        page.save()
        server.agree("undone changes")

        page.choose("past")
        tab.click(".past [data-action=revert]")
        words = tab.inner_text("dialog")
        check("beach_edited.jpg" in words and "warm" in words, "the question does not tell what goes:", words)
        page.agree("Revert")
        until("the files are gone", lambda: {path.name for path in server.folder.iterdir()} == {"beach.jpg"})


def exports(program, scratch, browser):
    """The dialog offers what this machine writes, and each download is the file that the same command writes."""
    with served(program, scratch, browser, photos=("beach.jpg",)) as (server, page):
        tab = page.tab
        server.edit("presets", "save", "small", "--longest-side", 64, "--quality", 70)
        mark = FIXTURES / "alpha.png"

        def exported(fill, *words):
            page.cell("beach.jpg").click()
            tab.click("[data-action=export]")
            tab.wait_for_selector("dialog[open]")
            tab.locator("dialog summary").click()
            fill()
            with tab.expect_download() as download:
                page.agree("Export")
            file = scratch / "downloaded"
            download.value.save_as(file)
            # A file would also say where its photo is.
            done = subprocess.run(
                [server.program, "render", "beach.jpg", "-o", "-", *map(str, words)], cwd=server.twin,
                env=server.environment, capture_output=True, timeout=60)
            check(done.returncode == 0, "edit render", *words, "failed:", done.stderr.decode())
            check(file.read_bytes() == done.stdout, "the page exports another file than edit render", *words)
            tab.wait_for_selector("dialog[open]", state="detached")

        formats = [each["name"] for each in map(json.loads, server.edit("help", "formats", "--json").splitlines())
                   if each["writes"]]
        page.cell("beach.jpg").click()
        tab.click("[data-action=export]")
        tab.wait_for_selector("dialog[open]")
        offered = tab.locator("dialog select[name=format] option").evaluate_all("all => all.map(each => each.value)")
        check(offered == formats, "the dialog offers", offered, "and not", formats)
        tab.keyboard.press("Escape")
        tab.wait_for_selector("dialog[open]", state="detached")

        def webp():
            tab.select_option("dialog select[name=format]", "webp")
            tab.fill("dialog input[name=longestSide]", "80")
            tab.fill("dialog input[name=watermark]", "© Ann")

        exported(webp, "--format", "webp", "--longest-side", 80, "--watermark", "© Ann")

        def kept():
            tab.select_option("dialog select[name=preset]", "small")
            check(tab.input_value("dialog input[name=longestSide]") == "64", "a preset is not shown")
            check(tab.input_value("dialog input[name=quality]") == "70", "a preset is not shown")
            # The usual quality counts before the kept one.
            tab.fill("dialog input[name=quality]", "95")
            tab.set_input_files("dialog input[name=watermarkPicture]", mark)

        exported(kept, "--preset", "small", "--quality", 95, "--watermark-picture", mark)


def batches(program, scratch, browser):
    """A copied edit pasted to a selection, a filter for a selection, undo of a batch, favorites and the trash."""
    names = [f"photo-{n}.jpg" for n in range(6)]
    photos = [(name, FIXTURES / "progressive.jpg") for name in names]
    with served(program, scratch, browser, photos=photos) as (server, page):
        tab = page.tab
        tab.select_option("#search-sort", "filename")
        server.edit("adjust", "--exposure", 0.5, "--crop-width", 0.5, "--vibrance", 20, names[0], folder=server.folder)
        server.edit("adjust", "--exposure", 0.5, "--crop-width", 0.5, "--vibrance", 20, names[0])
        until("the grid shows the edit", lambda: page.cell(f"{names[0]}, edited").count())
        page.cell(names[0]).click()
        tab.click("[data-action=copy-the-edit]")
        page.cell(names[1]).click()
        page.cell(names[3]).click(modifiers=["Shift"])
        check(tab.locator(".cell[aria-selected=true]").count() == 3, "a range by Shift")
        # As everywhere else, and by V alone.
        tab.keyboard.press("Control+v")
        tab.wait_for_selector("dialog[open]")
        check(not tab.get_by_label("Take away adjustments").is_checked(), "pasting takes adjustments away unasked")
        page.agree("Paste")
        page.job_done()
        server.edit("sync", "--from", names[0], *names[1:4])
        for name in names[:4]:
            server.agree("a pasted edit", name)
        until("the grid shows the edits", lambda: page.cell(f"{names[3]}, edited").count())
        check(tab.locator(".cell[aria-selected=true]").count() == 3, "photos that keep their places are not chosen any more")
        page.cell(names[4]).click()
        page.cell(names[5]).click(modifiers=["Control"])
        tab.click("[data-action=apply-a-filter]")
        tab.select_option("dialog select", "sepia")
        page.agree("Apply")
        ended = tab.locator(".message:not(.job)", has_text=f"{len(names[4:])} photos done.")
        until("the batch ends", lambda: ended.count())
        server.edit("apply", "sepia", *names[4:])
        for name in names[4:]:
            server.agree("a filter for a selection", name)
        ended.get_by_role("button", name="Undo").click()
        until("the batch is undone", lambda: not server.state(names[5], server.folder)["values"]
              and not server.state(names[5], server.folder)["adjustments"])
        until("what was undone is not edited", lambda: not page.cell(f"{names[5]}, edited").count())
        check(not list(server.folder.glob(f"{names[5][:-4]}_edited*")), "the render stays")
        tab.click("#search-more")
        tab.check("#edited-only")
        until("edited photos alone are shown", lambda: tab.locator(".cell").count() == 4)
        tab.uncheck("#edited-only")
        tab.click("#search-more")
        until("all are shown again", lambda: tab.locator(".cell").count() == 6)

        page.cell(names[4]).click()
        tab.keyboard.press("f")
        until("the favorite is marked", lambda: page.cell(f"{names[4]}").get_attribute("aria-label").endswith("favorite"))
        tab.select_option("#search-source", "favorites")
        until("favorites alone are shown", lambda: tab.locator(".cell").count() == 1)
        tab.select_option("#search-source", "all")
        until("all are shown", lambda: tab.locator(".cell").count() == 6)
        page.cell(names[2]).click()
        trashed = []
        tab.on("request", lambda request: trashed.append(request) if request.url.endswith("/v1/trash") else None)
        tab.locator("#cell-size").press("Delete")
        page.let_go(0.1)
        check(not trashed, "Delete on a slider moves photos to the trash")
        tab.locator("#grid").press("Delete")
        until("it is in the trash", lambda: tab.locator(".cell").count() == 5)
        check((server.folder / names[2]).exists(), "the trash took the file away")
        tab.select_option("#search-source", "trash")
        until("the trash is shown", lambda: tab.locator(".cell").count() == 1)
        page.cell(names[2]).click()
        offered = tab.locator("#chosen-actions button:visible").evaluate_all("all => all.map(each => each.dataset.action)")
        check(offered == ["move-to-the-trash", "choose-nothing"], "in the trash is offered:", offered)
        check(tab.locator("[data-action=move-to-the-trash] .icon-restore").count(), "taking out of the trash looks like the trash")
        tab.select_option("#search-source", "all")
        until("the others are shown", lambda: tab.locator(".cell").count() == 5)
        tab.click(".message button:text-is('Undo')")
        until("it is back", lambda: tab.locator(".cell").count() == 6)


def cancelled(program, scratch, browser):
    """After a cancelled batch what it changed can be undone, and photos that were in hand are not said to have failed."""
    with served(program, scratch, browser) as (server, page):
        tab = page.tab
        job = {"id": "one", "command": "auto", "state": "cancelled", "total": 9, "done": 7, "failed": 3}
        results = [{"photo": f"{n}.jpg", "id": str(n), "status": "edited"} for n in range(4)]
        stopped = {"status": "failed", "error": {"code": "cancelled", "message": "Cancelled."}}
        results += [{"photo": "4.jpg", "id": "4"} | stopped, {"photo": "5.jpg", "id": "5", "status": "cancelled"}]
        broken = {"status": "failed", "error": {"code": "unreadable", "message": "It is broken."}}
        results.append({"photo": "6.jpg", "id": "6"} | broken)
        started = []

        def answer(route):
            if route.request.method == "POST":
                started.append(route.request.post_data_json)
                route.fulfill(status=202, json=job)
            else:
                route.fulfill(json=job | {"results": results} if route.request.url.split("?")[0].endswith("/one") else {"jobs": []})

        tab.route("**/v1/jobs**", answer)
        page.cell("beach.jpg").click()
        tab.click("[data-action=adjust-automatically]")
        message = tab.locator(".message:not(.job)")
        until("the batch ends", lambda: message.count())
        words = message.locator("p").inner_text()
        check(words == "Cancelled after 5 photos. 1 photo failed.", "it says", words)
        message.get_by_text("Why").click()
        check(tab.locator("dialog dt").all_inner_texts() == ["6.jpg"], "other photos failed:", tab.inner_text("dialog"))
        page.agree("Close")
        results.pop()
        tab.click("[data-action=adjust-automatically]")
        until("the batch ends", lambda: message.count())
        words = message.locator("p").inner_text()
        check(words == "Cancelled after 4 photos.", "it says", words)
        message.get_by_text("Undo").click()
        until("undo is asked for", lambda: len(started) == 3)
        check(started[2]["command"] == "undo" and started[2]["photos"] == ["0", "1", "2", "3"], "undone is", started[2])


def choosing(program, scratch, browser):
    """Photos are hidden and shown again, and found by the place where they were taken."""
    with served(program, scratch, browser, photos=("beach.jpg", "progressive.jpg")) as (server, page):
        tab = page.tab
        page.cell("progressive.jpg").click()
        tab.keyboard.press("h")
        until("it is hidden", lambda: tab.locator(".cell").count() == 1)
        tab.select_option("#search-source", "hidden")
        until("hidden photos alone are shown", lambda: tab.locator(".cell").count() == 1 and page.cell("progressive.jpg").count())
        page.cell("progressive.jpg").click()
        tab.click('[aria-label="Show again among all photos"]')
        until("it is not hidden any more", lambda: tab.locator(".cell").count() == 0)
        tab.click("#nothing button")
        until("all are shown", lambda: tab.locator(".cell").count() == 2)
        page.cell("progressive.jpg").click()
        tab.click("[data-action=hide]")
        until("it is hidden by the button", lambda: tab.locator(".cell").count() == 1)
        tab.locator(".message", has_text="1 photo hidden").get_by_text("Undo").click()
        until("hiding is undone", lambda: tab.locator(".cell").count() == 2)
        page.open()
        page.choose("information")
        tab.click("[data-action=near]")
        tab.wait_for_selector("#photos:not([hidden])")
        until("photos of the place are found", lambda: tab.locator(".cell").count() == 1 and page.cell("beach.jpg").count())
        place = tab.get_by_label("Within 10 km of")
        place.fill("54.3° N, 8.0° E")
        until("farther photos are not found", lambda: tab.locator(".cell").count() == 0)
        place.fill("54.15, 7.8")
        until("the place is moved", lambda: tab.locator(".cell").count() == 1)
        place.fill("Lisbon")
        until("a word is no place, and shows no photos", lambda: tab.locator(".cell").count() == 0)
        check("Lisbon" in tab.inner_text(".wrong:visible") and "Lisbon" in tab.inner_text("#nothing"), "it is not said beside the field")
        check(not place.evaluate("each => each.validity.valid"), "a word is taken as a place")
        place.fill("")
        until("all are shown", lambda: tab.locator(".cell").count() == 2 and not tab.locator(".wrong:visible").count())
        condition = tab.get_by_label("Condition, as")
        condition.fill("pixelWith > 10")
        condition.press("Enter")
        until("a condition that is not understood is said beside its field", lambda: tab.locator(".wrong:visible").count())
        until("no photos are shown for it", lambda: tab.locator(".cell").count() == 0)
        check(not tab.locator(".message.trouble").count(), "it is said elsewhere:", *tab.locator(".message").all_inner_texts())
        condition.fill("")
        condition.press("Enter")
        until("all are shown", lambda: tab.locator(".cell").count() == 2)

        # An album that goes away while it is shown leaves all photos.
        page.cell("beach.jpg").click()
        tab.click("[data-action=add-to-an-album]")
        tab.fill("dialog input", "Island")
        page.agree("Save")
        album = tab.locator("#search-source option[value^='album:']")
        until("the album is offered", lambda: album.count())
        tab.select_option("#search-source", album.get_attribute("value"))
        until("the album is shown", lambda: tab.locator(".cell").count() == 1)
        tab.evaluate("id => fetch(`/v1/albums/${id}`, { method: 'DELETE' })", album.get_attribute("value").removeprefix("album:"))
        until("all are shown", lambda: tab.locator(".cell").count() == 2)
        check(tab.input_value("#search-source") == "all", "shown is said to be", tab.input_value("#search-source"))


def deleted(program, scratch, browser):
    """The edit of a photo that was deleted outside is put away after a question, and not without it."""
    with served(program, scratch, browser, photos=("beach.jpg", ("other.jpg", FIXTURES / "progressive.jpg"))) as (server, page):
        tab = page.tab
        button = tab.locator("[data-action=gone]")
        server.edit("apply", "noir", "beach.jpg", "other.jpg", folder=server.folder)
        check(not button.is_visible(), "the button is beside all photos")
        tab.select_option("#search-source", "trash")
        until("it is beside the trash", button.is_visible)
        button.press("Enter")
        until("nothing is found", lambda: tab.get_by_text("There are no edits of deleted photos.").count())

        (server.folder / "beach.jpg").unlink()
        before = {path.name for path in server.folder.iterdir()}
        for answer in ("Escape", "Cancel"):
            button.press("Enter")
            tab.wait_for_selector("dialog[open]")
            check(tab.locator("dialog li").all_inner_texts() == ["beach.jpg"], "it asks about", tab.inner_text("dialog"))
            check(".safelight-trash" in tab.inner_text("dialog"), "it does not tell where the files go")
            if answer == "Cancel":
                page.agree(answer)
            else:
                tab.keyboard.press(answer)
                tab.wait_for_selector("dialog", state="detached")
            check(button.evaluate("button => button === document.activeElement"), "the focus is elsewhere after", answer)
        check({path.name for path in server.folder.iterdir()} == before, "files went without an answer")
        button.press("Enter")
        page.agree("Put away")
        until("it is said", lambda: tab.get_by_text("1 edit put away.").count())
        left = {path.name for path in server.folder.iterdir()}
        check(left == {".safelight-trash", "other.jpg", "other.jpg.aae", "other_edited.jpg"}, "there are", left)

        # What is elsewhere by now stays, with the reason.
        (server.folder / "other.jpg").rename(server.folder / "moved.jpg")
        button.press("Enter")
        tab.wait_for_selector("dialog[open]")
        check("moved.jpg" in tab.inner_text("dialog dd"), "the reason is", tab.inner_text("dialog"))
        page.agree("Close")


CASES = [sliders, hand, drafts, light, curves, mixers, zoomed, large, filters, crops, operating, automatic, past, exports, batches, cancelled, choosing, deleted]
