"""A phone: fingers scroll over controls, and move them sideways."""

from served import check, served, until

PHONE = {"has_touch": True, "is_mobile": True}


class Finger:
    """A finger on the page."""

    def __init__(self, tab):
        self.tab, self.devtools = tab, tab.context.new_cdp_session(tab)

    def move(self, start, by, steps=12):
        """Moves from a place by a distance, both in pixels."""
        for n in range(steps + 1):
            at = {"x": start[0] + by[0] * n / steps, "y": start[1] + by[1] * n / steps, "id": 1}
            self.devtools.send("Input.dispatchTouchEvent", {"type": "touchMove" if n else "touchStart", "touchPoints": [at]})
            self.tab.wait_for_timeout(16)
        self.devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def flicks(program, scratch, browser):
    """A flick over sliders and curves scrolls and changes nothing; a slider follows sideways from where it is."""
    with served(program, scratch, browser, **PHONE) as (server, page):
        tab = page.tab
        tab.set_viewport_size({"width": 390, "height": 844})
        page.cell("beach.jpg").tap()
        page.shown()
        finger = Finger(tab)
        top = lambda: tab.evaluate("document.getElementById('tab-panels').scrollTop")
        values = lambda: tab.evaluate("[...document.querySelectorAll('.slider .number, .curve circle')].map(e => e.value ?? e.cx.baseVal.value).join()")

        def middle(what, across=0.5):
            tab.locator(what).scroll_into_view_if_needed()
            box = tab.locator(what).bounding_box()
            return box["x"] + box["width"] * across, min(box["y"] + box["height"] / 2, 820)

        exposure = 'input[data-option="exposure"]'
        before = values()
        for across in (0.1, 0.5, 0.9):
            scrolled = top()
            finger.move(middle(exposure, across), (0, -110))
            until("the panel scrolls", lambda: top() > scrolled)
            tab.evaluate("document.getElementById('tab-panels').scrollTop = 0")
        page.unfold()
        for what, across in (("svg.curve", 0.2), ("svg.curve", 0.7), ("svg.curve circle >> nth=0", 0.5)):
            at = middle(what, across)
            scrolled = top()
            finger.move(at, (0, -110))
            until(f"the panel scrolls over {what}", lambda: top() > scrolled)
        tab.touchscreen.tap(*middle(exposure, 0.9))
        page.let_go(0.1)
        check(values() == before and page.saving == "", "a flick or a tap changes a value:", page.saving)
        finger.move(middle(exposure, 0.3), (60, 4))
        value = float(tab.input_value(exposure))
        check(0.5 < value < 2.5, "the slider moves to", value)

        # A point is added by a tap, and follows the finger once it is chosen.
        tab.touchscreen.tap(*middle("svg.curve", 0.5))
        until("there is another point", lambda: tab.locator("svg.curve circle").count() == 3)
        point = tab.locator("svg.curve circle").nth(1)
        height = float(point.get_attribute("cy"))
        finger.move(middle("svg.curve circle >> nth=1"), (10, -40))
        check(float(point.get_attribute("cy")) < height - 15, "the point does not follow:", height, point.get_attribute("cy"),
              tab.evaluate("document.activeElement.outerHTML"), middle("svg.curve circle >> nth=1"))

        page.choose("crop")
        beyond = tab.evaluate("[...document.querySelectorAll('button')].filter(each => each.offsetParent && each.getBoundingClientRect().right > innerWidth).length")
        check(beyond == 0, beyond, "buttons lie beyond the edge")
        finger.move(middle('input[data-option="straighten"]', 0.5), (10, 0))
        angle = tab.input_value('[data-number="straighten"]')
        check(angle in ("0°", "+0.1°", "+0.2°"), "two pixels straighten by", angle)
        tab.locator("#tab-adjust").tap()
        until("it is saved by itself", lambda: page.saving == "Saved")
        page.back()
        tab.locator("#search-more").tap()
        beyond = tab.evaluate("[...document.querySelectorAll('.fields input')].filter(each => each.getBoundingClientRect().right > innerWidth).length")
        check(beyond == 0, beyond, "fields lie beyond the edge")


CASES = [flicks]
