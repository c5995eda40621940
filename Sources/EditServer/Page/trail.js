// The edits that were committed since a photo was opened. An edit that was committed before comes back by the photo's
// undo and redo, so that its history does not grow with every step back and forth.

export class Trail {
  /** Each edit as the page and as the server had it. */
  #edits;
  /** The place of the edit that is committed now. */
  #at = 0;

  /** @param {Stack} stack The committed edit. */
  constructor(stack) { this.#edits = [[stack]]; }

  /**
   * How an edit becomes the photo's: one that was committed before by undo or redo, any other one as a new step.
   *
   * @returns {[string, object, number]} The command, its facts, and the place in the trail that the edit gets.
   */
  way(stack) {
    const at = this.#edits.findLastIndex(each => each.some(other => other.equals(stack)));
    if (at < 0 || at === this.#at) return ["adjust", { adjustments: stack.entries }, this.#at + 1];
    const steps = Math.abs(this.#at - at);
    return [at < this.#at ? "undo" : "redo", { steps }, at];
  }

  /** An edit is committed: as the page sent it, and as the server has it now. */
  note(at, sent, committed) {
    if (at > this.#at && !this.#edits[at]?.some(each => each.equals(sent))) this.#edits.length = at;
    this.#edits[at] = [sent, committed];
    this.#at = at;
  }
}
