// Scrolling through more rows than a browser can lay out.
//
// Browsers limit an element to some 30 million pixels; a million photos on a phone are more. Above a limit the element
// that gives the scroll bar its length is shorter than the rows, and this class says which rows are seen: small movements
// move the rows by the same pixels, and large ones, such as dragging the scroll bar, go to the same share of the whole.

/** Pixels that every browser lays out. */
const LONGEST = 8_000_000;

export class LongScroll {
  /** Pixels from the first row to the upper edge of the window. */
  top = 0;
  #window;
  #spacer;
  #height = 0;
  #lastPhysical = 0;
  #settle;

  /**
   * @param {HTMLElement} window The element that scrolls.
   * @param {HTMLElement} spacer The element inside that is as high as all rows, or as high as one may be.
   * @param {() => void} moved Called after each movement.
   */
  constructor(window, spacer, moved) {
    this.#window = window;
    this.#spacer = spacer;
    window.addEventListener("scroll", () => { this.#follow(); moved(); }, { passive: true });
  }

  /** Says how high all rows are together. */
  setHeight(height) {
    this.#height = height;
    this.#spacer.style.height = `${Math.min(height, LONGEST)}px`;
    this.top = Math.min(this.top, this.#farthest);
    this.#align();
  }

  /** Goes to a place, in pixels from the first row. */
  go(top) {
    this.top = Math.max(0, Math.min(top, this.#farthest));
    this.#align();
  }

  /** Where a row is drawn inside the spacer, when it lies `top` pixels from the first row. */
  place(top) { return this.#isShort ? top : top - this.top + this.#window.scrollTop; }

  get #farthest() { return Math.max(this.#height - this.#window.clientHeight, 0); }
  get #isShort() { return this.#height <= LONGEST; }
  get #farthestPhysical() { return Math.max(LONGEST - this.#window.clientHeight, 1); }

  #follow() {
    const physical = this.#window.scrollTop;
    const moved = physical - this.#lastPhysical;
    this.#lastPhysical = physical;
    if (this.#isShort) {
      this.top = physical;
      return;
    }
    // The ends agree; between them a step of less than two windows is a step of the reader.
    const isAtEnd = physical <= 0 || physical >= this.#farthestPhysical - 1;
    if (!isAtEnd && Math.abs(moved) < 2 * this.#window.clientHeight) {
      this.top = Math.max(0, Math.min(this.top + moved, this.#farthest));
    } else if (moved !== 0) {
      this.top = (physical / this.#farthestPhysical) * this.#farthest;
    }
    // The scroll bar follows the rows when the reader pauses.
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => this.#align(), 150);
  }

  #align() {
    const physical = this.#isShort ? this.top : (this.top / Math.max(this.#farthest, 1)) * this.#farthestPhysical;
    if (Math.abs(this.#window.scrollTop - physical) >= 1) this.#window.scrollTop = physical;
    this.#lastPhysical = this.#window.scrollTop;
  }
}
