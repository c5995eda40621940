// The video of a Live Photo or a motion photo: a button that plays it once over the picture, also while the pointer rests
// on it. It is the video of what is saved; changes that are not saved yet are not in it.

import * as api from "./api.js";
import { say } from "./dialogs.js";
import { iconButton, make } from "./dom.js";

export class Live {
  #viewer;
  #photo;
  #video;

  constructor(viewer) {
    this.#viewer = viewer;
    this.button = iconButton("live", "Play the video", () => this.toggle(), "L");
    this.button.setAttribute("aria-pressed", false);
    this.button.hidden = true;
    // A finger that rests on it is a press.
    this.button.addEventListener("pointerenter", event => { if (event.pointerType === "mouse") this.#play({ isMuted: true }); });
    this.button.addEventListener("pointerleave", () => { if (this.#video?.muted) this.#end(); });
  }

  /** Says which photo is seen; one without a video has no button. */
  show(photo) {
    if (photo?.id !== this.#photo?.id || photo?.revision !== this.#photo?.revision) this.#end();
    this.#photo = photo;
    this.button.hidden = !photo?.original?.video;
  }

  /** Plays the video with its sound, or stops it. */
  toggle() {
    if (this.button.hidden) return;
    if (this.#video && !this.#video.muted) this.#end();
    else this.#play({ isMuted: false });
  }

  #play({ isMuted }) {
    // A press while it plays silently goes on with sound.
    if (this.#video) {
      this.#video.muted = isMuted;
      return;
    }
    const { id, name, revision, edited, original } = this.#photo;
    const video = make("video", {
      muted: isMuted, playsInline: true, src: api.fileAddress(id, edited ? "video" : "original-video", revision),
      "aria-label": `The video of ${name}`, hidden: true,
    });
    this.#video = video;
    // The still stays until there is a frame to show.
    video.addEventListener("playing", () => { video.hidden = false; });
    video.addEventListener("ended", () => this.#end(video));
    video.addEventListener("error", () => {
      if (!this.#end(video)) return;
      say(`This browser cannot play the video of ${name} (${original.video.codec}).`, { isTrouble: true });
    });
    this.#viewer.over.append(video);
    this.button.setAttribute("aria-pressed", true);
    video.play().catch(error => {
      // Told above, or ended meanwhile.
      if (error.name !== "AbortError" && error.name !== "NotSupportedError") this.#end(video);
    });
  }

  /** Shows the still again. False when this video plays no more. */
  #end(video = this.#video) {
    if (!video || video !== this.#video) return false;
    this.#video = undefined;
    this.button.setAttribute("aria-pressed", false);
    video.pause();
    video.remove();
    video.removeAttribute("src");
    video.load();
    return true;
  }
}
