"""The videos of Live Photos, played over the picture."""

import subprocess

from served import FIXTURES, check, served, until


def videos(program, scratch, browser):
    """The video of a Live Photo plays over the picture, with the edit once it is saved, and gives way to the still again."""
    movie = scratch / "movie.mov"
    frames = ["-f", "lavfi", "-i", "color=red:size=160x120:rate=10", "-t", "1", "-pix_fmt", "yuv420p"]
    subprocess.run(["ffmpeg", "-v", "error", *frames, "-c:v", "libx264", movie], check=True, timeout=60)
    photos = [("beach.jpg", FIXTURES / "beach.jpg"), ("beach.mov", movie), ("plain.jpg", FIXTURES / "beach.jpg")]
    with served(program, scratch, browser, photos) as (server, page):
        tab = page.tab
        page.open()
        play = tab.locator('#view-bar button[aria-label="Play the video"]')
        until("the button is there", play.is_visible)

        def color():
            """What the frame that is seen has in its middle; None while there is none."""
            return tab.evaluate("""() => {
                const video = document.querySelector(".over video");
                if (!video || video.hidden || video.readyState < 2) return null;
                const canvas = new OffscreenCanvas(1, 1), context = canvas.getContext("2d");
                context.drawImage(video, 0, 0, 1, 1);
                return [...context.getImageData(0, 0, 1, 1).data];
            }""")

        def is_seen(fits):
            seen = color()
            return seen is not None and fits(seen)

        tab.locator("#stage").focus()
        tab.keyboard.press("l")
        until("the video plays", lambda: is_seen(lambda seen: seen[0] > 200 and seen[1] < 60))
        check(play.get_attribute("aria-pressed") == "true", "the button does not follow the key")
        until("the still is back at its end", lambda: tab.locator(".over video").count() == 0)
        check(play.get_attribute("aria-pressed") == "false", "the button does not follow the video")
        page.type("saturation", -100)
        page.save()
        play.hover()
        until("the edited video plays", lambda: is_seen(lambda seen: abs(seen[0] - seen[1]) < 6))
        check(tab.evaluate("document.querySelector('.over video').muted"), "a video plays with sound unasked")
        tab.locator("#stage").hover()
        until("it stops when the pointer leaves", lambda: tab.locator(".over video").count() == 0)
        tab.locator("#stage").focus()
        page.back()
        page.open("plain.jpg")
        check(not play.is_visible(), "a photo without a video has a button")
        return "original and edited"


CASES = [videos]
