// The picture on its stage: zoom, pan, and before and after. It shows what it is given and asks for nothing.

import { follow, limited, make } from "./dom.js";

/** Pixels of the screen for one of the picture, at most. */
const LARGEST = 4;
/** Pixels around a picture that fits. */
const MARGIN = { plain: 16, roomy: 44 };

/** A picture in two resolutions: the whole, and a sharp part over it. */
class Layer {
  constructor(name) {
    this.base = make("img", { alt: "", class: "base", draggable: false });
    this.tile = make("img", { alt: "", class: "tile", draggable: false, hidden: true });
    this.element = make("div", { class: `layer ${name}` }, this.base, this.tile);
  }

  /** Shows a blob once it is decoded, so that nothing flickers; throws when `signal` has ended it meanwhile. */
  async #load(image, blob, signal) {
    const address = URL.createObjectURL(blob);
    const next = new Image();
    next.src = address;
    try {
      await next.decode();
    } finally {
      if (signal.aborted) URL.revokeObjectURL(address);
      signal.throwIfAborted();
      const old = image.src;
      image.src = address;
      if (old.startsWith("blob:")) URL.revokeObjectURL(old);
    }
  }

  async showBase(blob, signal) { await this.#load(this.base, blob, signal); }

  /** Shows a sharp part, whose place is given in shares of the picture. */
  async showTile(blob, [x, y, width, height], signal) {
    await this.#load(this.tile, blob, signal);
    const { style } = this.tile;
    [style.left, style.top, style.width, style.height] = [x, y, width, height].map(share => `${share * 100}%`);
    this.tile.hidden = false;
  }

  hideTile() { this.tile.hidden = true; }

  clear() {
    for (const image of [this.base, this.tile]) {
      if (image.src.startsWith("blob:")) URL.revokeObjectURL(image.src);
      image.removeAttribute("src");
    }
    this.hideTile();
  }
}

/**
 * Dispatches `view` when the zoom or the visible part changed, `placed` when the picture's box moved, and `pick` with a
 * place in shares while a place is being picked.
 */
export class Viewer extends EventTarget {
  after = new Layer("after");
  before = new Layer("before");
  /** The full size of the picture that is seen, in pixels. */
  whole = { width: 0, height: 0 };
  /** Where the picture lies on the stage, in CSS pixels. */
  box = { x: 0, y: 0, width: 0, height: 0 };
  /** Pixels of the screen for one of the picture; undefined when the picture fits the stage. */
  #zoom;
  #middle = [0.5, 0.5];
  #isPicking = false;
  /** Where keys pick, in shares of the picture; undefined until an arrow key is pressed. */
  #aim;
  #isLocked = false;
  #pointers = new Map();
  #split = 0.5;

  constructor(stage) {
    super();
    this.stage = stage;
    this.handle = make("div", {
      class: "split", role: "slider", tabindex: "0", "aria-label": "Where before and after meet", "aria-valuemin": 0,
      "aria-valuemax": 100, "aria-valuenow": 50, hidden: true,
    });
    this.cross = make("div", { class: "cross", hidden: true, "aria-hidden": "true" });
    /** What lies over the picture, such as a video that plays. */
    this.over = make("div", { class: "over" });
    this.picture = make("div", { class: "picture" }, this.after.element, this.before.element, this.over, this.cross);
    stage.append(this.picture, this.handle);
    this.compare("none");
    new ResizeObserver(() => this.#place()).observe(stage);
    stage.addEventListener("wheel", event => this.#wheel(event), { passive: false });
    stage.addEventListener("pointerdown", event => this.#press(event));
    stage.addEventListener("dblclick", event => this.#double(event));
    stage.addEventListener("keydown", event => { if (this.#isPicking && event.target === stage) this.#pickByKey(event); });
    this.handle.addEventListener("pointerdown", event => this.#drag(event));
    this.handle.addEventListener("keydown", event => {
      const step = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.#splitAt(this.#split + step);
    });
  }

  /** Says how large the full picture is. A picture of another shape is fitted anew. */
  setWhole(whole) {
    if (whole.width === this.whole.width && whole.height === this.whole.height) return;
    this.whole = whole;
    this.#place();
  }

  /** Shows a small picture until the first preview is there, so that a photo opens at once. */
  hint(address, whole) {
    this.setWhole(whole);
    this.after.base.src = address;
  }

  /** Another photo: forgets the pictures and the zoom. */
  clear() {
    this.after.clear();
    this.before.clear();
    this.#zoom = undefined;
    this.#middle = [0.5, 0.5];
    this.whole = { width: 0, height: 0 };
    this.#place();
  }

  get isFitting() { return this.#zoom === undefined; }

  /** Pixels of the screen for one pixel of the picture. */
  get zoom() { return this.#zoom ?? this.fitting; }

  /** The zoom at which the picture fits. Small pictures are not enlarged. */
  get fitting() {
    const { width, height } = this.#room;
    if (!this.whole.width || width <= 0) return 1;
    return Math.min((width / this.whole.width) * devicePixelRatio, (height / this.whole.height) * devicePixelRatio, 1);
  }

  /** The part of the picture that is seen, in shares: left, top, width, height. */
  get visible() {
    const { box } = this;
    if (!box.width) return [0, 0, 1, 1];
    const left = limited(-box.x / box.width, 0, 1);
    const top = limited(-box.y / box.height, 0, 1);
    const right = limited((this.stage.clientWidth - box.x) / box.width, 0, 1);
    const bottom = limited((this.stage.clientHeight - box.y) / box.height, 0, 1);
    return [left, top, right - left, bottom - top];
  }

  fit() { this.#setZoom(undefined); }

  /** Zooms around a place on the stage, or around its middle. */
  zoomTo(zoom, at = [this.stage.clientWidth / 2, this.stage.clientHeight / 2]) {
    const { box } = this;
    if (this.#isLocked || !box.width) return;
    const next = limited(zoom, this.fitting, LARGEST);
    if (next <= this.fitting * 1.001) {
      this.fit();
      return;
    }
    // The place of the picture under the pointer stays there.
    const share = [(at[0] - box.x) / box.width, (at[1] - box.y) / box.height];
    const size = [this.whole.width, this.whole.height].map(pixels => (pixels * next) / devicePixelRatio);
    const stage = [this.stage.clientWidth, this.stage.clientHeight];
    this.#middle = share.map((value, n) => value + (stage[n] / 2 - at[n]) / size[n]);
    this.#setZoom(next);
  }

  pan(x, y) {
    if (this.isFitting) return;
    this.#middle = [this.#middle[0] - x / this.box.width, this.#middle[1] - y / this.box.height];
    this.#place();
  }

  /** While the picture is cropped it keeps fitting, with room for the handles. */
  lock(isLocked) {
    this.#isLocked = isLocked;
    this.stage.classList.toggle("locked", isLocked);
    this.#zoom = isLocked ? undefined : this.#zoom;
    this.#place();
  }

  /** Lets the next press pick a place, or arrow keys and Enter. */
  pick(isPicking) {
    this.#isPicking = isPicking;
    this.stage.classList.toggle("picking", isPicking);
    this.#aimAt(undefined);
    if (isPicking) this.stage.focus({ preventScroll: true });
  }

  #pickByKey(event) {
    const step = event.shiftKey ? 0.05 : 0.01;
    const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (way) {
      // The keys move within the part that is seen, and begin in its middle.
      const [x, y, width, height] = this.visible;
      const [across, down] = this.#aim ?? [x + width / 2, y + height / 2];
      this.#aimAt([limited(across + way[0] * width, x, x + width), limited(down + way[1] * height, y, y + height)]);
    } else if (event.key === "Enter" && this.#aim) {
      this.dispatchEvent(new CustomEvent("pick", { detail: this.#aim }));
    } else {
      return;
    }
    event.preventDefault();
  }

  #aimAt(place) {
    this.#aim = place;
    this.cross.hidden = !place;
    if (place) [this.cross.style.left, this.cross.style.top] = place.map(share => `${share * 100}%`);
  }

  /** Shows "none", "hold" (only before) or "split". */
  compare(mode) {
    this.comparing = mode;
    this.before.element.hidden = mode === "none";
    this.handle.hidden = mode !== "split";
    this.#splitAt(mode === "split" ? this.#split : mode === "hold" ? 1 : this.#split, mode !== "hold");
  }

  #splitAt(share, isKept = true) {
    const at = limited(share, 0, 1);
    if (isKept) this.#split = at;
    this.before.element.style.clipPath = `inset(0 ${(1 - at) * 100}% 0 0)`;
    this.handle.setAttribute("aria-valuenow", Math.round(at * 100));
    this.handle.setAttribute("aria-valuetext", `${Math.round(at * 100)} % before`);
    this.handle.style.transform = `translate(${this.box.x + at * this.box.width}px, ${this.box.y}px)`;
    this.handle.style.height = `${this.box.height}px`;
  }

  get #room() {
    const margin = this.#isLocked ? MARGIN.roomy : MARGIN.plain;
    return { width: this.stage.clientWidth - 2 * margin, height: this.stage.clientHeight - 2 * margin };
  }

  #setZoom(zoom) {
    this.#zoom = zoom;
    this.#place();
  }

  #place() {
    const stage = [this.stage.clientWidth, this.stage.clientHeight];
    const scale = this.zoom / devicePixelRatio;
    const size = [this.whole.width * scale, this.whole.height * scale];
    const corner = [0, 1].map(n => {
      if (this.isFitting || size[n] <= stage[n]) return (stage[n] - size[n]) / 2;
      // No empty space beside a picture that is larger than the stage.
      const wanted = stage[n] / 2 - this.#middle[n] * size[n];
      const at = limited(wanted, stage[n] - size[n], 0);
      this.#middle[n] = (stage[n] / 2 - at) / size[n];
      return at;
    });
    this.box = { x: corner[0], y: corner[1], width: size[0], height: size[1] };
    const { style } = this.picture;
    style.transform = `translate(${corner[0]}px, ${corner[1]}px)`;
    style.width = `${size[0]}px`;
    style.height = `${size[1]}px`;
    this.picture.classList.toggle("pixels", this.zoom > 2);
    this.stage.classList.toggle("movable", !this.isFitting);
    this.#splitAt(this.comparing === "hold" ? 1 : this.#split, this.comparing !== "hold");
    this.dispatchEvent(new CustomEvent("placed"));
    this.dispatchEvent(new CustomEvent("view"));
  }

  #at(event) {
    const stage = this.stage.getBoundingClientRect();
    return [event.clientX - stage.left, event.clientY - stage.top];
  }

  #wheel(event) {
    if (this.#isLocked) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    // A pinch on a touch pad comes as a wheel with Control.
    const speed = event.ctrlKey ? 0.01 : 0.0018;
    this.zoomTo(this.zoom * Math.exp(-event.deltaY * lines * speed), this.#at(event));
  }

  #double(event) {
    if (this.#isLocked || this.#isPicking || event.target === this.handle) return;
    if (this.isFitting && this.fitting < 1) this.zoomTo(1, this.#at(event));
    else this.fit();
  }

  #press(event) {
    // The press of a button on the stage belongs to the button.
    if (event.button !== 0 || this.#isLocked || event.target === this.handle || event.target.closest("button")) return;
    if (this.#isPicking) {
      const [x, y] = this.#at(event);
      const place = [(x - this.box.x) / this.box.width, (y - this.box.y) / this.box.height];
      if (place.every(share => share >= 0 && share <= 1)) this.dispatchEvent(new CustomEvent("pick", { detail: place }));
      return;
    }
    this.#pointers.set(event.pointerId, this.#at(event));
    this.stage.setPointerCapture(event.pointerId);
    const move = next => this.#move(next);
    const end = next => {
      this.#pointers.delete(next.pointerId);
      if (next.pointerId !== event.pointerId) return;
      this.stage.removeEventListener("pointermove", move);
      this.stage.removeEventListener("pointerup", end);
      this.stage.removeEventListener("pointercancel", end);
    };
    if (this.#pointers.size === 1) this.stage.addEventListener("pointermove", move);
    this.stage.addEventListener("pointerup", end);
    this.stage.addEventListener("pointercancel", end);
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#at(event);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (!other) {
      this.pan(now[0] - before[0], now[1] - before[1]);
      return;
    }
    // Two fingers: their distance zooms around their middle.
    const distance = place => Math.max(Math.hypot(place[0] - other[0], place[1] - other[1]), 1);
    const middle = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
    this.zoomTo(this.zoom * (distance(now) / distance(before)), middle);
    this.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  }

  #drag(event) {
    event.preventDefault();
    event.stopPropagation();
    this.handle.focus();
    follow(event, next => this.#splitAt((this.#at(next)[0] - this.box.x) / this.box.width));
  }
}
