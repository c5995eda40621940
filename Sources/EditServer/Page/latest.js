// When work is done: of some only the newest counts, such as previews while a slider moves; some is done in turn.

/**
 * Runs work for the newest value: at most one at a time, values that came meanwhile except the last are passed over, and
 * the last value is always worked on.
 */
export class Latest {
  #work;
  #waiting;
  #controller;

  /** @param {(value: any, signal: AbortSignal) => Promise<void>} work It reports its own errors. */
  constructor(work) { this.#work = work; }

  /** Whether a newer value waits for what is in hand. */
  get isOutdated() { return Boolean(this.#waiting); }

  /** Asks for work on a value, now or after what is in hand. */
  ask(value) {
    this.#waiting = { value };
    if (!this.#controller) this.#next();
  }

  /** Drops what waits and ends what is in hand. */
  stop() {
    this.#waiting = undefined;
    this.#controller?.abort();
  }

  async #next() {
    while (this.#waiting) {
      const { value } = this.#waiting;
      this.#waiting = undefined;
      this.#controller = new AbortController();
      try {
        await this.#work(value, this.#controller.signal);
      } catch (error) {
        if (error.name !== "AbortError") console.error(error);
      } finally {
        this.#controller = undefined;
      }
    }
  }
}

/** Does things one after the other, those about one photo in the order in which they were asked for. */
export class Turns {
  /** What is done last, by the photo's id. */
  #last = new Map();

  /** Does something once what was asked for before has ended, however it ended. */
  async take(id, act) {
    const before = this.#last.get(id);
    const turn = (async () => {
      await Promise.allSettled([before]);
      return act();
    })();
    this.#last.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(id) === turn) this.#last.delete(id);
    }
  }
}

/** Calls a function once things have been quiet for some milliseconds; `after` takes another number of them for once. */
export function whenQuiet(milliseconds, act) {
  let timer;
  const wait = (pause, facts) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...facts), pause);
  };
  const later = (...facts) => wait(milliseconds, facts);
  later.after = (pause = milliseconds) => wait(pause, []);
  later.cancel = () => clearTimeout(timer);
  return later;
}
