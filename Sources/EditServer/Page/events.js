// The server's change events, and whether the server is there. After a break the connection comes back by itself; what
// was missed comes again, or `reset` says that everything has to be fetched anew. A tab that is not seen has no
// connection: a browser opens six to a server, so that tabs in the background would keep those in sight from loading.

import * as api from "./api.js";

const KINDS = ["photo", "list", "albums", "filters", "job", "indexing", "reset"];

/** Milliseconds between attempts: short at first, so that a restart is hardly noticed. */
const PAUSES = [250, 500, 1000, 2000, 5000];

/**
 * Dispatches `photo`, `list`, `albums`, `filters`, `job` and `indexing` with the server's data as `detail`; `reset` when
 * everything may have changed; `reach` with whether the server is there; `refused` when it does not know this browser.
 */
export class Events extends EventTarget {
  #source;
  /** The last event that was had. */
  #last;
  #attempts = 0;
  #isReached = true;
  #timer;

  /**
   * Begins.
   *
   * @param {string} after The event after which everything is news to this page.
   */
  start(after) {
    this.#last = after;
    api.onReach(reached => {
      this.#tell(reached);
      // A request noticed a break first, or alone: the next connection tells that the server is there.
      if (!reached) this.#again();
    });
    addEventListener("online", () => this.#open());
    document.addEventListener("visibilitychange", () => this.#open());
    this.#open();
  }

  #open() {
    this.#timer = clearTimeout(this.#timer);
    this.#source?.close();
    if (document.hidden) return;
    const source = new EventSource(api.eventsAddress(this.#last));
    this.#source = source;
    const listen = (kind, act) => source.addEventListener(kind, event => {
      if (event.lastEventId) this.#last = event.lastEventId;
      act(JSON.parse(event.data));
    });
    listen("hello", () => {
      this.#attempts = 0;
      this.#timer = clearTimeout(this.#timer);
      this.#tell(true);
    });
    for (const kind of KINDS) listen(kind, facts => this.#send(kind, facts));
    source.addEventListener("bye", () => { this.#tell(false); this.#again(); });
    source.addEventListener("error", () => {
      this.#tell(false);
      // The browser tries again itself, except after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) {
        this.#again();
        api.service().catch(problem => { if (problem.status === 401) this.#send("refused"); });
      }
    });
  }

  /** Connects again soon. */
  #again() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#open(), PAUSES[Math.min(this.#attempts, PAUSES.length - 1)]);
    this.#attempts += 1;
  }

  #tell(reached) {
    if (reached === this.#isReached) return;
    this.#isReached = reached;
    this.#send("reach", reached);
  }

  #send(kind, detail) { this.dispatchEvent(new CustomEvent(kind, { detail })); }
}
