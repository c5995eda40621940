// The list of photos that the grid shows: pages fetched when they are looked at, never the whole list.

import * as api from "./api.js";
import { whenQuiet } from "./latest.js";
import { Selection } from "./selection.js";

/** Photos of a page. A page is about a screen at desktop size. */
const PAGE = 200;
/** Photos of a page of which only the ids are wanted; the server gives no more. */
const LARGE_PAGE = 1000;
/** Most pages out of sight whose order is compared, so that photos in them stay chosen. */
const COMPARED = 5;
/** Pages that are kept; older ones are fetched again. 60 pages are about 8 MB. */
const KEPT = 60;

/**
 * All pages that are kept are of one state of the list, because choices are places. Where photos are chosen and others
 * stand now, or may stand, nothing is chosen any more.
 *
 * Dispatches `found` when another list is shown, `changed` when there are more or fewer photos, `page` when photos
 * arrived, `photo` when one photo changed, and `failed` with an error.
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
  #selection;

  constructor(selection = new Selection()) {
    super();
    this.#selection = selection;
  }

  /** Shows another list, from its beginning. */
  async find(search) {
    this.search = search;
    this.#seen = [0, 0];
    await this.#fetchSeen("found");
  }

  /** Shows no photos, since nobody knows which are wanted. */
  empty() {
    this.#round += 1;
    this.#pages.clear();
    this.#places.clear();
    this.total = 0;
    this.#selection.reset();
    this.dispatchEvent(new CustomEvent("found"));
  }

  /** Fetches anew what is seen, after something changed the list; other pages follow when they are looked at. */
  async reload() { await this.#fetchSeen("page"); }

  async #fetchSeen(name) {
    this.#round += 1;
    const round = this.#round;
    for (const controller of this.#asked.values()) controller.abort();
    this.#asked.clear();
    const [first, last] = this.#seen.map(index => Math.floor(index / PAGE));
    const chosen = name === "found" ? [] : this.#selection.pages(PAGE, COMPARED);
    const numbers = new Set(chosen);
    // Of an empty list nothing is seen, and perhaps it is not empty any more.
    for (let number = first; number <= Math.max(first, last); number += 1) numbers.add(number);
    try {
      const pages = new Map();
      for (const number of numbers) pages.set(number, await api.photos(this.search, number * PAGE, PAGE));
      if (round !== this.#round) return;
      const words = new Set([...pages.values()].map(page => page.list));
      const isSame = words.size === 1 && words.has(this.list);
      if (name === "found") this.#selection.reset();
      else if (!isSame && !this.#isKept(pages)) this.#selection.none();
      for (const number of this.#pages.keys()) if (!pages.has(number)) this.#pages.delete(number);
      this.#places.clear();
      // When the list changed between two pages, the event of that is still news.
      [this.list] = words;
      for (const [number, page] of pages) this.#take(number, page);
      this.dispatchEvent(new CustomEvent(name));
    } catch (error) {
      if (round === this.#round) this.#fail(error);
    }
  }

  /** Whether each chosen place has the photo in new pages that it had. */
  #isKept(pages) {
    let kept = 0;
    for (const [number, { photos }] of pages) {
      photos.forEach(({ id }, n) => {
        const place = number * PAGE + n;
        if (this.#selection.has(place) && this.#places.get(id) === place) kept += 1;
      });
    }
    return kept === this.#selection.count;
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
    const kept = this.#pages.get(number);
    if (kept) return kept[index % PAGE];
    const { search } = this;
    const page = await api.photos(search, number * PAGE, PAGE);
    // The place is one of another list by now.
    if (search !== this.search) return undefined;
    this.#add(number, page);
    return page.photos[index % PAGE];
  }

  /**
   * The ids of the photos from one place to another, both included; fetched as far as they are not here.
   *
   * @param {string} list The state of the list in which they were chosen.
   * @throws {Error} The list has changed, so that other photos may stand there.
   */
  async ids(first, last, list) {
    const changed = new Error("The list has changed meanwhile. Choose again.");
    if (list !== this.list) throw changed;
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
      if (page.list !== list || page.photos.length === 0) {
        this.reload();
        throw changed;
      }
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
        this.#add(number, page);
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
      if (round === this.#round) this.#add(number, page);
    } catch (error) {
      if (error.name !== "AbortError" && round === this.#round) this.#fail(error);
    } finally {
      if (this.#asked.get(number) === controller) this.#asked.delete(number);
    }
  }

  /** Takes a page to those that are kept. One of another state tells that the list has changed. */
  #add(number, page) {
    if (page.list === this.list) this.#take(number, page);
    else this.reload();
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
    this.dispatchEvent(new CustomEvent(isOther ? "changed" : "page"));
  }

  #fail(error) { this.dispatchEvent(new CustomEvent("failed", { detail: error })); }
}
