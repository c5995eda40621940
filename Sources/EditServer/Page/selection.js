// Which photos are chosen. A choice of a whole list of a million photos is one range, not a million entries.

/** Dispatches `changed`. Places are those in the list; another list begins with another selection. */
export class Selection extends EventTarget {
  /** The place that arrow keys move from; undefined when there is none. */
  focus;
  /** Where a range begins. */
  #anchor = 0;
  /** Ranges of places, from and to, both included; sorted, without overlaps. */
  #ranges = [];

  get isEmpty() { return this.#ranges.length === 0; }

  get count() { return this.#ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0); }

  /** The only place that is chosen, or undefined. */
  get only() { return this.count === 1 ? this.#ranges[0][0] : undefined; }

  has(index) { return this.#ranges.some(([first, last]) => first <= index && index <= last); }

  /** The numbers of the pages with chosen places, when they are not more than `most`; none otherwise. */
  pages(size, most) {
    const numbers = new Set();
    for (const [first, last] of this.#ranges) {
      for (let number = Math.floor(first / size); number * size <= last; number += 1) {
        numbers.add(number);
        if (numbers.size > most) return [];
      }
    }
    return [...numbers];
  }

  /** Chooses one photo. */
  choose(index) {
    this.#anchor = index;
    this.#set([[index, index]], index);
  }

  /** Adds a photo or takes it out. */
  toggle(index) {
    this.#anchor = index;
    this.#set(this.has(index) ? without(this.#ranges, index) : joined([...this.#ranges, [index, index]]), index);
  }

  /** Chooses everything from the last chosen photo to this one. */
  extend(index) {
    this.#set([[Math.min(this.#anchor, index), Math.max(this.#anchor, index)]], index);
  }

  /** Moves the focus without choosing. */
  look(index) { this.#set(this.#ranges, index); }

  all(total) { if (total > 0) this.#set([[0, total - 1]], this.focus ?? 0); }

  none() { this.#set([], this.focus); }

  /** Forgets everything, for another list. */
  reset() {
    this.#anchor = 0;
    this.#set([], undefined);
  }

  /** The ids of the chosen photos, in the list's order. */
  async ids(photos) {
    const parts = [];
    const { list, total } = photos;
    for (const [first, last] of this.#ranges) parts.push(...await photos.ids(first, Math.min(last, total - 1), list));
    return parts;
  }

  #set(ranges, focus) {
    this.#ranges = ranges;
    this.focus = focus;
    this.dispatchEvent(new CustomEvent("changed"));
  }
}

function joined(ranges) {
  const result = [];
  for (const [first, last] of ranges.sort((left, right) => left[0] - right[0])) {
    const before = result.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else result.push([first, last]);
  }
  return result;
}

function without(ranges, index) {
  return ranges.flatMap(([first, last]) => {
    if (index < first || index > last) return [[first, last]];
    return [[first, index - 1], [index + 1, last]].filter(([low, high]) => low <= high);
  });
}
