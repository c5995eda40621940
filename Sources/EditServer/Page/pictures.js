// Which picture the viewer shows, and in which resolution: previews of the edit that is seen, as large as the stage, and
// a sharp part when the picture is larger than that. While the edit changes it is seen in drafts, which are made in a
// fraction of the time; the exact pictures follow once it is quiet. One preview of a kind is asked for at a time.

import * as api from "./api.js";
import { Latest, whenQuiet } from "./latest.js";

/** Most pixels along the longer side of the whole picture; beyond, a part is fetched. */
const LARGEST_BASE = 2048;
/** Most pixels along the longer side of a whole picture with light above white. */
const LARGEST_HDR = 8192;
/** The part that is fetched reaches this share of the visible part beyond it. */
const AROUND = 0.15;
/** Most pixels along the longer side of a picture that the server cuts a part from. */
const LARGEST_FIT = 65_500;

/** Milliseconds from a draft to the exact picture, when no other edit comes between. */
const QUIET = 80;

/**
 * Dispatches `tones` with a histogram, null for none, and what is clipped, `trouble` with an error or with null, and
 * `broken` with whether the photo is one of which no picture can be made.
 */
export class Pictures extends EventTarget {
  /** Turns the edit into the one that is seen, for example without its crop. */
  seen = stack => stack;
  /** Whether exact pictures have the photo's light above white, for screens that show it. Drafts never have it. */
  #isHDR = false;
  #viewer;
  #editing;
  #drafts = new Latest((_, signal) => this.#draft(signal));
  #exact = new Latest((_, signal) => this.#render(signal));
  #exactSoon = whenQuiet(QUIET, () => this.#exact.ask());
  #viewSoon = whenQuiet(120, () => this.#drafts.ask());
  /** What the exact pictures show, as text: a picture that is right is not asked for again. */
  #shown = new Map();
  /** The edit that the whole picture shows, as text, also as a draft. */
  #shownEdit;

  constructor(viewer, editing) {
    super();
    this.#viewer = viewer;
    this.#editing = editing;
    editing.addEventListener("stack", () => this.refresh());
    viewer.addEventListener("view", () => { if (editing.photo) this.#viewSoon(); });
  }

  /** Shows the edit as it is now: a draft at once, and the exact picture when no other edit follows. */
  refresh() {
    if (!this.#editing.photo) return;
    this.#stopExact();
    this.#drafts.ask();
  }

  /** Whether light above white is shown. */
  get isHDR() { return this.#isHDR; }

  /** Shows light above white, or only what every screen shows. */
  set isHDR(isOn) {
    this.#isHDR = isOn;
    this.refresh();
  }

  /** Whether a picture of the photo is seen. */
  get isShown() { return this.#shownEdit !== undefined; }

  /** Shows nothing, for another photo. */
  clear() {
    this.#drafts.stop();
    this.#shown.clear();
    this.#shownEdit = undefined;
    this.#viewer.clear();
    this.#stopExact();
    this.#tellTones(null, {});
  }

  #stopExact() {
    this.#exact.stop();
    this.#exactSoon.cancel();
    this.#viewSoon.cancel();
  }

  /** Pixels along the longer side that fill the stage. */
  get #fit() {
    const { clientWidth, clientHeight } = this.#viewer.stage;
    const pixels = Math.max(clientWidth, clientHeight) * devicePixelRatio;
    // Few different sizes, so that a small change of the window keeps the picture.
    return Math.min(Math.max(Math.ceil(pixels / 256) * 256, 512), LARGEST_BASE);
  }

  /** Shows a quick picture of an edit of which nothing is shown yet; then the exact picture's turn comes. */
  async #draft(signal) {
    const { id } = this.#editing.photo ?? {};
    if (!id) return;
    const { entries } = this.seen(this.#editing.stack);
    const edit = JSON.stringify([id, entries]);
    if (this.#shownEdit === edit) {
      this.#exact.ask();
      return;
    }
    try {
      const facts = { adjustments: entries, fit: this.#fit, histogram: true, draft: true };
      const picture = await api.preview(id, facts, "after", signal);
      await this.#showBase("after", picture, edit, signal);
      this.#say(null);
    } catch (error) {
      this.#fail(error);
    }
    if (!signal.aborted && !this.#drafts.isOutdated) this.#exactSoon();
  }

  async #render(signal) {
    const { id, revision } = this.#editing.photo ?? {};
    if (!id) return;
    const after = this.seen(this.#editing.stack);
    const before = this.#viewer.comparing === "none" ? null : after.geometry;
    // A part would show less light than the picture around it, so the whole is as sharp as the part.
    const part = this.#tile();
    const tile = this.#isHDR ? undefined : part;
    const fit = this.#isHDR && part ? Math.min(part.fit, LARGEST_HDR) : this.#fit;
    try {
      // What is looked at comes first: with a sharp part, the part.
      if (tile) {
        await this.#part("after", id, revision, after, tile, signal);
        if (before) await this.#part("before", id, revision, before, tile, signal);
        if (this.#exact.isOutdated) return;
      } else {
        this.#hideTile("after");
        this.#hideTile("before");
      }
      await this.#base("after", id, revision, after, fit, signal);
      if (before) await this.#base("before", id, revision, before, fit, signal);
      this.#say(null);
    } catch (error) {
      this.#fail(error);
      // An aborted request that came later than this one outdid it.
      if (error.code === "superseded" && !signal.aborted && !this.#exact.isOutdated) this.#exactSoon();
    }
  }

  async #base(role, id, revision, { entries }, fit, signal) {
    const hdr = this.#isHDR;
    const wanted = JSON.stringify([id, revision, entries, fit, hdr]);
    if (this.#shown.get(`${role} base`) === wanted) return;
    const more = hdr ? { hdr } : { histogram: role === "after" };
    const facts = { adjustments: entries, fit, ...more };
    const picture = await api.preview(id, facts, role, signal);
    await this.#showBase(role, picture, JSON.stringify([id, entries]), signal);
    this.#shown.set(`${role} base`, wanted);
  }

  /** Shows a whole picture of an edit, exact or a draft. */
  async #showBase(role, picture, edit, signal) {
    const isAfter = role === "after";
    signal.throwIfAborted();
    if (isAfter && picture.whole.width > 0) this.#viewer.setWhole(picture.whole);
    await this.#viewer[role].showBase(picture.blob, signal);
    this.#shown.delete(`${role} base`);
    // A sharp part of another edit would be wrong; it is fetched anew.
    if (!this.#shown.get(`${role} tile`)?.startsWith(edit.slice(0, -1))) this.#hideTile(role);
    if (!isAfter) return;
    this.#shownEdit = edit;
    this.dispatchEvent(new CustomEvent("broken", { detail: false }));
    // Light above white has no bins; those of the draft stay.
    if (picture.histogram) this.#tellTones(picture.histogram, picture.clipped);
  }

  #tellTones(bins, clipped) { this.dispatchEvent(new CustomEvent("tones", { detail: { bins, clipped } })); }

  async #part(role, id, revision, { entries }, { crop, fit }, signal) {
    const wanted = JSON.stringify([id, entries, revision, fit, crop]);
    if (this.#shown.get(`${role} tile`) === wanted) return;
    const facts = { adjustments: entries, fit, crop, quality: 90 };
    const picture = await api.preview(id, facts, `${role}-tile`, signal);
    await this.#viewer[role].showTile(picture.blob, crop, signal);
    this.#shown.set(`${role} tile`, wanted);
  }

  #hideTile(role) {
    this.#viewer[role].hideTile();
    this.#shown.delete(`${role} tile`);
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

  #fail(error) {
    // A newer preview of this tab is on its way.
    if (error.name === "AbortError" || error.code === "superseded") return;
    if (error.status === 422 && !this.isShown) this.dispatchEvent(new CustomEvent("broken", { detail: true }));
    this.#say(error);
  }

  #say(error) { this.dispatchEvent(new CustomEvent("trouble", { detail: error })); }
}
