"""Edits save by themselves; what was only looked at, or cancelled, is never written."""

from served import FIXTURES, check, served, until


def written(server):
    """The names in the folder."""
    return sorted(path.name for path in server.folder.iterdir())


def itself(program, scratch, browser):
    """A change is saved by itself once it rests, as one step; undo and redo of it too."""
    with served(program, scratch, browser) as (server, page):
        tab = page.tab
        page.open()
        page.type("exposure", 0.5)
        page.type("contrast", 10)
        check(page.saving == "Not saved yet", "it says", page.saving)
        until("it is saved", lambda: page.saving == "Saved")
        check(server.state("beach.jpg", server.folder)["values"] == {"exposure": 0.5, "contrast": 10}, "other values are saved")
        page.choose("past")
        until("the history has one step", lambda: tab.locator(".step[data-step]").count() == 2)
        tab.click('[aria-label="Undo"]')
        tab.click('[aria-label="Undo"]')
        until("it is undone", lambda: written(server) == ["beach.jpg", "beach.jpg.aae"])
        until("that is said to be saved", lambda: page.saving == "Saved")
        check(tab.is_disabled('[aria-label="Undo"]') and tab.is_enabled('[aria-label="Redo"]'), "more can be undone, or nothing redone")
        page.back()
        until("the grid shows no edit", lambda: page.cell("beach.jpg").get_attribute("aria-label") == "beach.jpg")
        page.open()
        tab.click('[aria-label="Redo"]')
        until("it is redone", lambda: server.state("beach.jpg", server.folder)["values"] == {"exposure": 0.5, "contrast": 10})


def looked(program, scratch, browser):
    """A filter that was tried and taken away, a crop that was dropped, a comparison, and dialogs that were left write nothing."""
    with served(program, scratch, browser, photos=("beach.jpg", "progressive.jpg")) as (server, page):
        tab = page.tab
        before = written(server)
        page.open()
        page.choose("looks")
        tab.wait_for_selector('[data-filter="noir"]')
        tab.click('[data-filter="noir"]')
        tab.click('[data-filter=""]')
        tab.click("[data-action=save-filter]")
        tab.click("dialog[open] button:text-is('Cancel')")
        tab.keyboard.press("s")
        tab.keyboard.press("s")
        page.choose("crop")
        tab.wait_for_selector(".frame:not([hidden])")
        tab.select_option("[data-action=aspect]", "1:1")
        tab.locator(".handle.e").press("Shift+ArrowLeft")
        page.let_go(2.5)
        check("cropping" in page.saving, "while cropping it says", page.saving)
        tab.keyboard.press("Escape")
        check(tab.is_visible("#photo") and page.saving == "", "Esc does not drop the crop:", page.saving)
        check(tab.input_value("[data-action=aspect]") == "free", "the aspect stays")
        tab.select_option("[data-action=aspect]", "16:9")
        tab.click("[data-action=cancel-crop]")
        tab.keyboard.press("Escape")
        tab.wait_for_selector("#photos:not([hidden])")
        check(written(server) == before, "looking wrote", written(server))

        # A crop that is not dropped is saved when its tools are left, and the next photo has an aspect of its own.
        page.open()
        page.choose("crop")
        tab.select_option("[data-action=aspect]", "16:9")
        # The other one was written later: it comes first, and nothing after this one.
        until("the list ends here", lambda: tab.is_disabled('[aria-label="The next photo"]'))
        tab.click('[aria-label="The photo before"]')
        until("the crop is saved", lambda: "beach.jpg.aae" in written(server))
        until("the other photo is open", lambda: tab.inner_text("#photo-name") == "progressive.jpg")
        check(tab.input_value("[data-action=aspect]") == "free", "the aspect is that of the photo before")


def rescued(program, scratch, browser):
    """What could not be saved when its photo was left is saved when the server answers again."""
    with served(program, scratch, browser, photos=("beach.jpg", "progressive.jpg")) as (server, page):
        tab = page.tab
        page.open()
        tab.route("**/adjust", lambda route: route.fulfill(status=503, json={"error": {"code": "server-busy", "message": "Too much."}}))
        page.type("exposure", 0.5)
        tab.locator("#stage").focus()
        tab.keyboard.press("Escape")
        until("it says that the photo is not saved", lambda: tab.locator(".message", has_text="beach.jpg is not saved").count())
        tab.unroute("**/adjust")
        tab.evaluate("dispatchEvent(new Event('online'))")
        until("it is saved by itself", lambda: "beach_edited.jpg" in written(server))
        until("that is said", lambda: tab.locator(".message", has_text="beach.jpg are saved").count())
        check(not tab.evaluate("sessionStorage.length"), "it is still kept as unsaved")
        # What is being saved is not saved again, and what is saved is what is kept when its turn comes.
        sent = tab.evaluate("""async () => {
            const drafts = await import("./drafts.js");
            drafts.keep("a", { name: "a", entries: [1] });
            const sent = [];
            const save = async (id, take) => { await null; sent.push(take().entries[0]); };
            const runs = [1, 2].map(() => drafts.saveAll(["a"], save, () => {}));
            drafts.keep("a", { name: "a", entries: [2] });
            await Promise.all(runs);
            return sent;
        }""")
        check(sent == [2], "what is sent is", sent)


def asked(program, scratch, browser):
    """A name that cannot be used is said in the dialog, and stays there to be changed. Auto says what it replaces."""
    with served(program, scratch, browser, photos=[("upright.jpg", FIXTURES / "orientation" / "6.jpg"), "beach.jpg"]) as (server, page):
        tab = page.tab
        until("thumbnails are there", lambda: tab.locator(".cell.loaded").count() == 2)
        cut = tab.evaluate("[...document.querySelectorAll('.cell')].some(each => each.querySelector('img').clientHeight > each.clientHeight)")
        check(not cut, "thumbnails are cut")
        page.open()
        page.type("exposure", -1.5)
        page.save()
        page.choose("past")
        tab.click("[data-action=save-version]")
        tab.fill("dialog input", "a/b")
        tab.click("dialog[open] button:text-is('Save')")
        until("it is said in the dialog", lambda: tab.locator("dialog[open] .wrong:visible").count())
        check(tab.input_value("dialog input") == "a/b", "the text is lost")
        tab.fill("dialog input", "BW portrait")
        page.agree("Save")
        until("there is the version", lambda: "beach_edited-BW-portrait.jpg" in written(server))
        tab.wait_for_selector(".version")
        tab.click("[data-action=save-version]")
        tab.fill("dialog input", "BW portrait")
        page.agree("Save")
        page.choose("adjust")
        tab.click("[data-action=auto]")
        message = tab.locator(".message", has_text="Auto replaced")
        until("it is said what auto replaces", lambda: message.count())
        check("exposure" in message.inner_text(), "it says", message.inner_text())
        message.get_by_text("Put back").click()
        check(tab.input_value('input[data-option="exposure"]') == "-1.5", "the values do not come back")


CASES = [itself, looked, rescued, asked]
