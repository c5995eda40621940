// The server's change events, and whether the server is there. After a break the connection comes back by itself; what
// was missed comes again, or `reset` says that everything has to be fetched anew.

import * as api from "./api.js";

const KINDS = ["photo", "list", "albums", "filters", "job", "indexing"];

/** Milliseconds between attempts: short at first, so that a restart is hardly noticed. */
const PAUSES = [250, 500, 1000, 2000, 5000];

/**
 * Dispatches `photo`, `list`, `albums`, `filters`, `job` and `indexing` with the server's data as `detail`; `reset` when
 * everything may have changed; `reach` with whether the server is there; `refused` when it does not know this browser.
 */
export class Events extends EventTarget {
  #source;
  #run;
  #attempts = 0;
  #isReached = true;
  #timer;

  start() {
    api.onReach(reached => {
      this.#tell(reached);
      // A request noticed the break first.
      if (!reached && this.#source?.readyState !== EventSource.OPEN) this.#again();
    });
    addEventListener("online", () => this.#again(0));
    this.#open();
  }

  #open() {
    this.#source?.close();
    const source = new EventSource("/v1/events");
    this.#source = source;
    source.addEventListener("hello", event => {
      const { run } = JSON.parse(event.data);
      this.#attempts = 0;
      this.#tell(true);
      // Another server does not know what this page has seen.
      if (this.#run && this.#run !== run) this.#send("reset");
      this.#run = run;
    });
    for (const kind of KINDS) source.addEventListener(kind, event => this.#send(kind, JSON.parse(event.data)));
    source.addEventListener("reset", () => this.#send("reset"));
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

  #again(pause = PAUSES[Math.min(this.#attempts, PAUSES.length - 1)]) {
    clearTimeout(this.#timer);
    this.#attempts += 1;
    this.#timer = setTimeout(() => this.#open(), pause);
  }

  #tell(reached) {
    if (reached === this.#isReached) return;
    this.#isReached = reached;
    this.#send("reach", reached);
  }

  #send(kind, detail) { this.dispatchEvent(new CustomEvent(kind, { detail })); }
}
