// The grid of photos. Only the cells that are seen are in the document, whatever the length of the list.

import { Unreachable } from "./api.js";
import { find, icon, limited, make } from "./dom.js";
import { LongScroll } from "./long-scroll.js";
import { Thumbnails } from "./thumbnails.js";
import { count } from "./words.js";

const GAP = 6;
/** Rows above and below the window that are made ready. */
const MARGIN = 1;
/** Milliseconds after which a touch is a long one. */
const LONG_TOUCH = 450;
const SIZES = [160, 320, 480, 640];

/** Dispatches `open` with the place of a photo. */
export class Grid extends EventTarget {
  #photos;
  #selection;
  #thumbnails = new Thumbnails();
  #window = find("grid");
  #spacer = find("grid-spacer");
  #scroll;
  /** The cells by place. */
  #cells = new Map();
  #columns = 1;
  #side = 160;
  #wish = 180;
  #framed = false;
  #held;
  #begin;
  /** Fulfilled when the first thumbnail is seen. */
  begun = new Promise(resolve => { this.#begin = resolve; });

  constructor(photos, selection) {
    super();
    this.#photos = photos;
    this.#selection = selection;
    this.#scroll = new LongScroll(this.#window, this.#spacer, () => this.#soon());
    new ResizeObserver(() => this.#measure()).observe(this.#window);
    photos.addEventListener("found", () => {
      this.#scroll.go(0);
      this.#measure();
    });
    photos.addEventListener("changed", () => this.#measure());
    photos.addEventListener("page", () => this.#soon());
    photos.addEventListener("photo", event => this.#renew(event.detail.index));
    selection.addEventListener("changed", () => this.#showSelection());
    this.#window.addEventListener("keydown", event => this.#key(event));
    this.#window.addEventListener("focus", () => this.#showSelection());
    this.#spacer.addEventListener("click", event => this.#click(event));
    this.#spacer.addEventListener("dblclick", event => {
      const index = placeOf(event);
      if (index !== undefined) this.#open(index);
    });
    this.#spacer.addEventListener("pointerdown", event => this.#hold(event));
    this.#spacer.addEventListener("contextmenu", event => { if (this.#held) event.preventDefault(); });
    for (const end of ["pointerup", "pointercancel", "pointermove"]) {
      this.#spacer.addEventListener(end, event => {
        if (end !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 4) clearTimeout(this.#held?.timer);
      });
    }
  }

  /** Sets how wide cells should be, in pixels. */
  resize(side) {
    this.#wish = side;
    this.#measure();
  }

  /** Asks again for the thumbnails that could not be had while the server was away. */
  again() { for (const [index, { isMissed }] of this.#cells) if (isMissed) this.#renew(index); }

  focus() { this.#window.focus({ preventScroll: true }); }

  /** Scrolls as far as needed to show a place. */
  reveal(index) {
    const top = Math.floor(index / this.#columns) * this.#pitch;
    const height = this.#window.clientHeight;
    if (top < this.#scroll.top) this.#scroll.go(top - GAP);
    else if (top + this.#pitch > this.#scroll.top + height) this.#scroll.go(top + this.#pitch - height + GAP);
    this.#soon();
  }

  get #pitch() { return this.#side + GAP; }

  #measure() {
    const width = this.#window.clientWidth - 2 * GAP;
    if (width <= 0) return;
    const first = Math.floor(this.#scroll.top / this.#pitch) * this.#columns;
    const columns = this.#columns;
    this.#columns = Math.max(2, Math.floor((width + GAP) / (this.#wish + GAP)));
    this.#side = (width + GAP) / this.#columns - GAP;
    const rows = Math.ceil(this.#photos.total / this.#columns);
    this.#scroll.setHeight(rows * this.#pitch + GAP);
    // The first photo that is seen stays the first when the width changes.
    if (columns !== this.#columns) this.#scroll.go(Math.floor(first / this.#columns) * this.#pitch);
    this.#draw();
  }

  #soon() {
    if (this.#framed) return;
    this.#framed = true;
    requestAnimationFrame(() => {
      this.#framed = false;
      this.#draw();
    });
  }

  #draw() {
    const height = this.#window.clientHeight;
    if (height === 0) return;
    const firstRow = Math.max(Math.floor(this.#scroll.top / this.#pitch) - MARGIN, 0);
    const lastRow = Math.floor((this.#scroll.top + height) / this.#pitch) + MARGIN;
    const first = firstRow * this.#columns;
    const last = Math.min((lastRow + 1) * this.#columns, this.#photos.total) - 1;
    this.#photos.look(first, last);
    for (const [index, cell] of this.#cells) {
      if (index >= first && index <= last) continue;
      this.#drop(cell);
      this.#cells.delete(index);
    }
    for (let index = first; index <= last; index += 1) {
      let cell = this.#cells.get(index);
      const photo = this.#photos.at(index);
      if (cell && cell.photo !== photo) {
        this.#drop(cell);
        cell = undefined;
      }
      if (!cell) {
        cell = this.#make(index, photo);
        this.#cells.set(index, cell);
        this.#spacer.append(cell.element);
      }
      this.#put(cell, index);
    }
    this.#showSelection();
  }

  #put({ element }, index) {
    const row = Math.floor(index / this.#columns);
    const x = GAP + (index % this.#columns) * this.#pitch;
    const y = GAP + this.#scroll.place(row * this.#pitch);
    element.style.transform = `translate(${x}px, ${y}px)`;
    element.style.width = element.style.height = `${this.#side}px`;
    element.setAttribute("aria-setsize", this.#photos.total);
  }

  #make(index, photo) {
    const picture = make("img", { alt: "", draggable: false, decoding: "async" });
    const element = make(
      "div",
      {
        class: photo ? "cell" : "cell awaited", role: "option", id: `cell-${index}`, data: { index },
        "aria-selected": "false", "aria-posinset": index + 1, "aria-setsize": this.#photos.total,
        "aria-label": photo ? describe(photo) : "Not loaded yet", title: photo?.name,
      },
      picture, photo?.favorite && icon("heart"), photo?.hasAdjustments && icon("edited"));
    const cell = { element, picture, photo };
    if (photo) this.#load(cell);
    return cell;
  }

  #load(cell) {
    const { photo, picture, element } = cell;
    const pixels = this.#side * devicePixelRatio;
    const size = SIZES.find(each => each >= pixels) ?? SIZES.at(-1);
    cell.cancel = this.#thumbnails.ask({ id: photo.id, revision: photo.revision, size }, (address, error) => {
      if (address) {
        picture.src = address;
        // A blob that went meanwhile is asked for again when the cell is made again.
        picture.onload = () => {
          element.classList.add("loaded");
          this.#begin();
        };
        return;
      }
      cell.isMissed = error instanceof Unreachable;
      element.classList.add("broken");
      element.title = `${photo.name}: ${error.message}`;
      element.setAttribute("aria-label", `${describe(photo)}, cannot be shown: ${error.message}`);
      const words = make("small", {}, shortened(error.message));
      element.append(make("span", { class: "broken-words" }, icon("broken"), photo.name, words));
    });
  }

  #drop(cell) {
    cell.cancel?.();
    cell.element.remove();
  }

  #renew(index) {
    const old = this.#cells.get(index);
    if (!old) return;
    const shown = old.picture.src;
    this.#drop(old);
    const cell = this.#make(index, this.#photos.at(index));
    // The earlier thumbnail stays until the new one is there.
    if (shown && !cell.picture.src) cell.picture.src = shown;
    if (shown) cell.element.classList.add("loaded");
    this.#cells.set(index, cell);
    this.#spacer.append(cell.element);
    this.#put(cell, index);
    this.#showSelection();
  }

  #showSelection() {
    for (const [index, { element }] of this.#cells) {
      const isChosen = this.#selection.has(index);
      if ((element.getAttribute("aria-selected") === "true") !== isChosen) element.setAttribute("aria-selected", isChosen);
      element.classList.toggle("focused", index === this.#selection.focus);
    }
    const { focus } = this.#selection;
    if (this.#cells.has(focus)) this.#window.setAttribute("aria-activedescendant", `cell-${focus}`);
    else this.#window.removeAttribute("aria-activedescendant");
  }

  #click(event) {
    const index = placeOf(event);
    if (index === undefined) {
      this.#selection.none();
    } else if (this.#held?.isLong) {
      this.#held = undefined;
    } else if (event.pointerType === "touch") {
      // A finger opens; once something is chosen by a long touch, it chooses more.
      if (this.#selection.isEmpty) this.#open(index);
      else this.#selection.toggle(index);
    } else if (event.shiftKey) {
      this.#selection.extend(index);
    } else if (event.ctrlKey || event.metaKey) {
      this.#selection.toggle(index);
    } else {
      this.#selection.choose(index);
    }
  }

  #hold(event) {
    const index = placeOf(event);
    clearTimeout(this.#held?.timer);
    this.#held = undefined;
    if (event.pointerType !== "touch" || index === undefined) return;
    const held = { isLong: false };
    held.timer = setTimeout(() => {
      held.isLong = true;
      this.#selection.toggle(index);
    }, LONG_TOUCH);
    this.#held = held;
  }

  #open(index) {
    this.#selection.choose(index);
    this.dispatchEvent(new CustomEvent("open", { detail: index }));
  }

  #key(event) {
    const { total } = this.#photos;
    if (total === 0 || event.altKey) return;
    const at = this.#selection.focus;
    const screen = Math.max(Math.floor(this.#window.clientHeight / this.#pitch), 1) * this.#columns;
    const steps = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.#columns, ArrowDown: this.#columns, PageUp: -screen, PageDown: screen,
      Home: -total, End: total,
    };
    const isControl = event.ctrlKey || event.metaKey;
    if (event.key in steps) {
      // Without a focus, keys begin at what is seen.
      const seen = Math.ceil(this.#scroll.top / this.#pitch) * this.#columns;
      const isJump = event.key === "Home" || event.key === "End";
      const index = limited(at === undefined && !isJump ? seen : (at ?? 0) + steps[event.key], 0, total - 1);
      if (event.shiftKey) this.#selection.extend(index);
      else if (isControl) this.#selection.look(index);
      else this.#selection.choose(index);
      this.reveal(index);
    } else if (event.key === "Enter" && at !== undefined) {
      this.#open(at);
    } else if (event.key === " " && at !== undefined) {
      this.#selection.toggle(at);
    } else if (event.key === "a" && isControl) {
      this.#selection.all(total);
    } else if (event.key === "Escape") {
      this.#selection.none();
    } else {
      return;
    }
    event.preventDefault();
  }
}

function placeOf(event) {
  const cell = event.target.closest?.(".cell");
  return cell ? Number(cell.dataset.index) : undefined;
}

/** A photo in words, for screen readers. */
function describe(photo) {
  const facts = [photo.name];
  if (photo.hasAdjustments) facts.push("edited");
  if (photo.favorite) facts.push("favorite");
  return facts.join(", ");
}

/** A message without the path, which would not fit into a cell. */
function shortened(message) {
  const text = message.replace(/^.*?(\/\S*\/)?[^/\s]+\.\w+:?\s*/, "") || message;
  return text.length > 70 ? `${text.slice(0, 69)}…` : text;
}

/** What is below the grid's title: how many photos there are and are chosen. */
export function summary(photos, selection) {
  const all = count(photos.total, "photo");
  return selection.count > 0 ? `${selection.count.toLocaleString("en")} of ${all} selected` : all;
}
