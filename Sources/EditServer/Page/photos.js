// The list of photos that the grid shows: pages fetched when they are looked at, never the whole list.

import * as api from "./api.js";
import { whenQuiet } from "./latest.js";

/** Photos of a page. A page is about a screen at desktop size. */
const PAGE = 200;
/** Photos of a page of which only the ids are wanted; the server gives no more. */
const LARGE_PAGE = 1000;
/** Pages that are kept; older ones are fetched again. 60 pages are about 8 MB. */
const KEPT = 60;

/**
 * Dispatches `found` when another list is shown, `changed` when there are more or fewer photos, `moved` when photos stand
 * at other places, `page` when photos arrived, `photo` when one photo changed, and `failed` with an error.
 */
export class Photos extends EventTarget {
  search = {};
  total = 0;
  /** The server's word for the state of the list. */
  list;
  #pages = new Map();
  #asked = new Map();
  #places = new Map();
  #round = 0;
  /** The places that are seen. */
  #seen = [0, 0];
  /** Photos that changed and whose facts were not fetched yet. */
  #changed = new Set();
  #fetchSoon = whenQuiet(200, () => this.#fetchChanged());

  /** Shows another list, from its beginning. */
  async find(search) {
    this.search = search;
    this.#seen = [0, 0];
    await this.#fetchSeen("found");
  }

  /** Fetches anew what is seen, after something changed the list; other pages follow when they are looked at. */
  async reload() { await this.#fetchSeen("page"); }

  async #fetchSeen(name) {
    this.#round += 1;
    const round = this.#round;
    for (const controller of this.#asked.values()) controller.abort();
    this.#asked.clear();
    const [first, last] = this.#seen.map(index => Math.floor(index / PAGE));
    try {
      const pages = [];
      // Of an empty list nothing is seen, and perhaps it is not empty any more.
      for (let number = first; number <= Math.max(first, last); number += 1) {
        pages.push([number, await api.photos(this.search, number * PAGE, PAGE)]);
      }
      if (round !== this.#round) return;
      const before = new Map(this.#places);
      const total = this.total;
      const isFilled = this.#pages.size > 0;
      for (const number of this.#pages.keys()) if (number < first || number > last) this.#pages.delete(number);
      this.#places.clear();
      for (const [number, page] of pages) this.#take(number, page);
      // Choices are places: when photos stand elsewhere now, they would be of other photos.
      const isMoved = [...before].some(([id, place]) => this.#places.has(id) && this.#places.get(id) !== place);
      if (isFilled && name !== "found" && (isMoved || total !== this.total)) this.dispatchEvent(new CustomEvent("moved"));
      this.dispatchEvent(new CustomEvent(name));
    } catch (error) {
      if (round === this.#round) this.#fail(error);
    }
  }

  /** The photo at a place of the list, or undefined when it is not here yet; it is fetched then. */
  at(index) {
    if (index < 0 || index >= this.total) return undefined;
    const number = Math.floor(index / PAGE);
    const page = this.#pages.get(number);
    if (page) return page[index % PAGE];
    this.#fetch(number);
    return undefined;
  }

  /** The photo at a place, fetched when it has to be. */
  async load(index) {
    const number = Math.floor(index / PAGE);
    if (!this.#pages.has(number)) {
      const round = this.#round;
      const page = await api.photos(this.search, number * PAGE, PAGE);
      // The place is one of another list by now.
      if (round !== this.#round) return undefined;
      this.#take(number, page);
    }
    return this.#pages.get(number)?.[index % PAGE];
  }

  /** The ids of the photos from one place to another, both included; fetched as far as they are not here. */
  async ids(first, last) {
    const ids = [];
    for (let index = first; index <= last;) {
      const photo = this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE];
      if (photo) {
        ids.push(photo.id);
        index += 1;
        continue;
      }
      // Far from what is seen: large pages, which are not kept.
      const page = await api.photos(this.search, index, Math.min(last - index + 1, LARGE_PAGE));
      if (page.photos.length === 0) break;
      ids.push(...page.photos.map(({ id }) => id));
      index += page.photos.length;
    }
    return ids;
  }

  /** Where a photo stands in the list, as far as it was fetched. */
  place(id) { return this.#places.get(id); }

  /** Says which places are seen. Requests for pages outside of them end. */
  look(first, last) {
    this.#seen = [first, last];
    for (const [number, controller] of this.#asked) {
      if ((number + 1) * PAGE <= first || number * PAGE > last) {
        controller.abort();
        this.#asked.delete(number);
      }
    }
  }

  /** Takes over what an event or an answer says about one photo. */
  update(id, facts) {
    const index = this.#places.get(id);
    if (index === undefined) return;
    const page = this.#pages.get(Math.floor(index / PAGE));
    if (!page?.[index % PAGE]) return;
    Object.assign(page[index % PAGE], facts);
    this.dispatchEvent(new CustomEvent("photo", { detail: { id, index } }));
  }

  /** A photo changed. Its facts are fetched with those of its neighbors, because a batch changes many. */
  renew(id) {
    if (!this.#places.has(id)) return;
    this.#changed.add(id);
    this.#fetchSoon();
  }

  async #fetchChanged() {
    // A photo may have left the list since.
    const places = [...this.#changed].map(id => this.#places.get(id)).filter(place => place !== undefined);
    const numbers = new Set(places.map(place => Math.floor(place / PAGE)));
    this.#changed.clear();
    const seen = this.#seen.map(index => Math.floor(index / PAGE));
    const round = this.#round;
    for (const number of numbers) {
      if (number < seen[0] || number > seen[1]) {
        // It is fetched anew when it is looked at.
        this.#pages.delete(number);
        continue;
      }
      try {
        const page = await api.photos(this.search, number * PAGE, PAGE);
        if (round !== this.#round) return;
        this.#take(number, page);
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  async #fetch(number) {
    if (this.#asked.has(number)) return;
    const controller = new AbortController();
    this.#asked.set(number, controller);
    const round = this.#round;
    try {
      const page = await api.photos(this.search, number * PAGE, PAGE, controller.signal);
      if (round === this.#round) this.#take(number, page);
    } catch (error) {
      if (error.name !== "AbortError" && round === this.#round) this.#fail(error);
    } finally {
      if (this.#asked.get(number) === controller) this.#asked.delete(number);
    }
  }

  #take(number, page) {
    // What did not change stays the same object, so that its cell stays.
    const before = new Map(this.#pages.get(number)?.map(photo => [photo.id, photo]));
    page.photos.forEach((photo, n) => {
      const old = before.get(photo.id);
      if (!old) return;
      const isSame = JSON.stringify(old) === JSON.stringify(photo);
      page.photos[n] = Object.assign(old, photo);
      const detail = { id: photo.id, index: number * PAGE + n };
      if (!isSame) queueMicrotask(() => this.dispatchEvent(new CustomEvent("photo", { detail })));
    });
    this.#pages.delete(number);
    this.#pages.set(number, page.photos);
    page.photos.forEach((photo, n) => this.#places.set(photo.id, number * PAGE + n));
    for (const [old, photos] of this.#pages) {
      if (this.#pages.size <= KEPT) break;
      this.#pages.delete(old);
      for (const photo of photos) this.#places.delete(photo.id);
    }
    const isOther = page.total !== this.total;
    this.total = page.total;
    this.list = page.list;
    this.dispatchEvent(new CustomEvent(isOther ? "changed" : "page"));
  }

  #fail(error) { this.dispatchEvent(new CustomEvent("failed", { detail: error })); }
}
