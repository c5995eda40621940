// Thumbnails, loaded in the order in which they are seen. What has been scrolled past is cancelled.

import * as api from "./api.js";

/** Requests at a time. A browser opens six connections to a server; previews and events need theirs. */
const SIDE_BY_SIDE = 3;

export class Thumbnails {
  #waiting = new Map();
  #running = new Map();
  #kept = new Map();
  #most;

  /** @param {number} most Thumbnails that are kept in memory; 600 are about 10 MB. */
  constructor(most = 600) { this.#most = most; }

  /**
   * Asks for a thumbnail.
   *
   * @param {object} wanted `id`, `revision`, `size` in pixels; with `adjustments`, an edit that is not saved, and
   *   `role`, a word that no other thumbnail on its way has.
   * @param {(address: ?string, error: ?Error) => void} ready Gets a blob's address, which stays valid until the
   *   thumbnail is given back or dropped.
   * @returns {() => void} Cancels the request.
   */
  ask(wanted, ready) {
    const key = JSON.stringify([wanted.id, wanted.revision, wanted.size, wanted.adjustments]);
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      ready(kept);
      return () => {};
    }
    const request = { key, wanted, ready };
    this.#waiting.set(request, true);
    queueMicrotask(() => this.#next());
    return () => {
      this.#waiting.delete(request);
      this.#running.get(request)?.abort();
      this.#running.delete(request);
      this.#next();
    };
  }

  #next() {
    for (const request of this.#waiting.keys()) {
      if (this.#running.size >= SIDE_BY_SIDE) return;
      this.#waiting.delete(request);
      this.#run(request);
    }
  }

  async #run(request) {
    const controller = new AbortController();
    this.#running.set(request, controller);
    const { id, revision, size, adjustments, role } = request.wanted;
    try {
      const blob = adjustments
        ? (await api.preview(id, { adjustments, fit: size }, role, controller.signal)).blob
        : await api.thumbnail(id, { size, v: revision }, controller.signal);
      const address = URL.createObjectURL(blob);
      this.#keep(request.key, address);
      request.ready(address);
    } catch (error) {
      if (error.name !== "AbortError") request.ready(null, error);
    } finally {
      this.#running.delete(request);
      this.#next();
    }
  }

  #keep(key, address) {
    this.#kept.set(key, address);
    for (const [old, oldAddress] of this.#kept) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(old);
      URL.revokeObjectURL(oldAddress);
    }
  }
}
