// Which picture the viewer shows, and in which resolution: previews of the edit that is seen, as large as the stage, and
// a sharp part when the picture is larger than that. At most one preview is asked for at a time.

import * as api from "./api.js";
import { Latest, whenQuiet } from "./latest.js";

/** Most pixels along the longer side of the whole picture; beyond, a part is fetched. */
const LARGEST_BASE = 2048;
/** The part that is fetched reaches this share of the visible part beyond it. */
const AROUND = 0.15;
/** Most pixels along the longer side of a picture that the server cuts a part from. */
const LARGEST_FIT = 65_500;

/** Dispatches `tones` with a histogram and what is clipped, `shown` with the milliseconds a preview took, and `trouble`
 * with an error or with null. */
export class Pictures extends EventTarget {
  /** Turns the edit into the one that is seen, for example without its crop. */
  seen = stack => stack;
  #viewer;
  #editing;
  #latest = new Latest((_, signal) => this.#render(signal));
  #tileSoon = whenQuiet(120, () => this.#latest.ask());
  /** What each picture shows, as text: a picture that is right is not asked for again. */
  #shown = new Map();

  constructor(viewer, editing) {
    super();
    this.#viewer = viewer;
    this.#editing = editing;
    editing.addEventListener("stack", () => this.refresh());
    viewer.addEventListener("view", () => { if (editing.photo) this.#tileSoon(); });
  }

  /** Shows the edit as it is now. */
  refresh() { if (this.#editing.photo) this.#latest.ask(); }

  /** Shows nothing, for another photo. */
  clear() {
    this.#latest.stop();
    this.#tileSoon.cancel();
    this.#shown.clear();
    this.#viewer.clear();
  }

  /** Pixels along the longer side that fill the stage. */
  get #fit() {
    const { clientWidth, clientHeight } = this.#viewer.stage;
    const pixels = Math.max(clientWidth, clientHeight) * devicePixelRatio;
    // Few different sizes, so that a small change of the window keeps the picture.
    return Math.min(Math.max(Math.ceil(pixels / 256) * 256, 512), LARGEST_BASE);
  }

  async #render(signal) {
    const { id, revision } = this.#editing.photo ?? {};
    if (!id) return;
    const viewer = this.#viewer;
    const after = this.seen(this.#editing.stack);
    const before = viewer.comparing === "none" ? null : after.geometry;
    const tile = this.#tile();
    try {
      // What is looked at comes first: with a sharp part, the part.
      if (tile) {
        await this.#part(viewer.after, "after", id, revision, after, tile, signal);
        if (before) await this.#part(viewer.before, "before", id, revision, before, tile, signal);
        if (this.#latest.isOutdated) return;
      } else {
        viewer.after.hideTile();
        viewer.before.hideTile();
      }
      await this.#base(viewer.after, "after", id, revision, after, signal);
      if (before) await this.#base(viewer.before, "before", id, revision, before, signal);
      this.#say(null);
    } catch (error) {
      // A newer preview of this tab is on its way.
      if (error.name === "AbortError" || error.code === "superseded") return;
      this.#say(error);
    }
  }

  async #base(layer, role, id, revision, stack, signal) {
    const fit = this.#fit;
    const wanted = JSON.stringify([id, revision, stack.entries, fit]);
    if (this.#shown.get(`${role} base`) === wanted) return;
    const isAfter = role === "after";
    const began = performance.now();
    const picture = await api.preview(id, { adjustments: stack.entries, fit, histogram: isAfter }, role, signal);
    if (id !== this.#editing.id) return;
    if (isAfter) this.#viewer.setWhole(picture.whole);
    await layer.showBase(picture.blob);
    this.#shown.set(`${role} base`, wanted);
    const tile = this.#shown.get(`${role} tile`);
    // A sharp part of another edit would be wrong; it is fetched anew.
    if (tile && !tile.startsWith(JSON.stringify([id, revision, stack.entries]).slice(0, -1))) layer.hideTile();
    if (!isAfter) return;
    this.dispatchEvent(new CustomEvent("shown", { detail: performance.now() - began }));
    this.dispatchEvent(new CustomEvent("tones", { detail: { bins: picture.histogram, clipped: picture.clipped } }));
  }

  async #part(layer, role, id, revision, stack, { crop, fit }, signal) {
    const wanted = JSON.stringify([id, revision, stack.entries, fit, crop]);
    if (this.#shown.get(`${role} tile`) === wanted) return;
    const picture = await api.preview(id, { adjustments: stack.entries, fit, crop, quality: 90 }, `${role}-tile`, signal);
    if (id !== this.#editing.id) return;
    await layer.showTile(picture.blob, crop);
    this.#shown.set(`${role} tile`, wanted);
  }

  /** The part that is seen and the size of the whole for it; undefined when the whole picture is sharp enough. */
  #tile() {
    const { whole, zoom, visible } = this.#viewer;
    const longer = Math.max(whole.width, whole.height);
    const needed = Math.min(longer * Math.min(zoom, 1), LARGEST_FIT);
    if (!longer || needed <= Math.min(this.#fit, longer) * 1.05) return undefined;
    const [x, y, width, height] = visible;
    const left = Math.max(x - width * AROUND, 0);
    const top = Math.max(y - height * AROUND, 0);
    const right = Math.min(x + width * (1 + AROUND), 1);
    const bottom = Math.min(y + height * (1 + AROUND), 1);
    // Whole pixels, so that the part lies exactly over the picture.
    const scale = needed / longer;
    const [columns, rows] = [Math.round(whole.width * scale), Math.round(whole.height * scale)];
    const crop = [
      Math.floor(left * columns) / columns, Math.floor(top * rows) / rows,
      Math.ceil((right - left) * columns) / columns, Math.ceil((bottom - top) * rows) / rows,
    ];
    crop[2] = Math.min(crop[2], 1 - crop[0]);
    crop[3] = Math.min(crop[3], 1 - crop[1]);
    return { crop, fit: Math.ceil(needed) };
  }

  #say(error) { this.dispatchEvent(new CustomEvent("trouble", { detail: error })); }
}
