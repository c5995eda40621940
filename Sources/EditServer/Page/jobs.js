// Long work on many photos: its progress, a button to cancel it, and what came of it.

import * as api from "./api.js";
import { announce, guarded, say, sayProblem, tell } from "./dialogs.js";
import { find, make, textButton } from "./dom.js";
import { count, fileName } from "./words.js";

const DOING = {
  apply: "Applying a filter", adjust: "Adjusting", auto: "Adjusting automatically", sync: "Pasting the edit",
  undo: "Undoing", redo: "Redoing", revert: "Reverting",
};

/** Photos from which on screen readers hear of each tenth, and not only of the beginning and the end. */
const LONG = 50;

/** Milliseconds between questions while events do not come. */
const PATIENCE = 2000;

/** The jobs that this page started, or found when it was opened. */
export class Jobs {
  #cards = new Map();

  constructor(events) {
    events.addEventListener("job", event => this.#show(event.detail));
    events.addEventListener("reset", () => this.#again());
    setInterval(() => this.#again(), PATIENCE);
    this.#adopt();
  }

  /** Shows the jobs that go on since another page, or this one before, started them. */
  async #adopt() {
    try {
      const { jobs } = await api.jobs();
      for (const job of jobs.reverse()) {
        if (job.state === "done" || job.state === "cancelled") continue;
        this.#card(job, job.command !== "revert");
        this.#show(job);
      }
    } catch (error) {
      // That the server is away is said elsewhere.
      if (error instanceof api.Problem) sayProblem(error);
    }
  }

  /**
   * Starts a job.
   *
   * @param {object} facts The body of `POST /v1/jobs`.
   * @param {{canUndo: boolean}} [options] Whether undoing it on all photos is offered at the end.
   */
  async start(facts, { canUndo = true } = {}) {
    try {
      const job = await api.startJob(facts);
      this.#card(job, canUndo);
      this.#show(job);
    } catch (error) {
      sayProblem(error);
    }
  }

  #card(job, undoable) {
    if (this.#cards.has(job.id)) return;
    const label = DOING[job.command] ?? job.command;
    const bar = make("progress", { max: Math.max(job.total, 1), value: job.done, "aria-label": label });
    const words = make("p", {});
    const cancel = textButton("Cancel", () => this.#cancel(job.id));
    const element = make("div", { class: "message job", data: { job: job.id } }, words, cancel, bar);
    find("messages").append(element);
    this.#cards.set(job.id, { element, bar, words, cancel, undoable, heard: 0 });
    announce(`${label}: ${count(job.total, "photo")}`);
  }

  #show(job) {
    const card = this.#cards.get(job.id);
    if (!card) return;
    card.bar.max = Math.max(job.total, 1);
    card.bar.value = job.done;
    const done = `${job.done.toLocaleString("en")} of ${count(job.total, "photo")}`;
    card.words.textContent = `${DOING[job.command] ?? job.command}: ${done}`;
    const tenths = Math.floor((10 * job.done) / card.bar.max);
    if (job.total >= LONG && tenths > card.heard) {
      card.heard = tenths;
      announce(card.words.textContent);
    }
    card.cancel.disabled = job.state === "cancelling";
    if (job.state === "done" || job.state === "cancelled") this.#end(job, card);
  }

  async #end(job, card) {
    this.#cards.delete(job.id);
    card.element.remove();
    const isCancelled = job.state === "cancelled";
    let { done, failed } = job;
    let isEdited = done > 0;
    if (isCancelled || failed > 0) {
      const results = await guarded(() => this.#results(job.id));
      if (!results) return;
      failed = results.filter(({ error }) => error).length;
      done = results.length - failed;
      isEdited = results.some(({ status }) => status === "edited");
    }
    const words = [isCancelled ? `Cancelled after ${count(done + failed, "photo")}.` : `${count(done, "photo")} done.`];
    const actions = [];
    if (card.undoable && isEdited && job.command !== "undo") actions.push({ label: "Undo", act: () => this.#undo(job.id) });
    if (failed > 0) {
      words.push(`${count(failed, "photo")} failed.`);
      actions.push({ label: "Why", act: () => this.#why(job.id) });
    }
    say(words.join(" "), { isTrouble: failed > 0, actions });
  }

  /** What came of the photos, without those that were in hand when the job was cancelled: these are as they were. */
  async #results(id) {
    const { results = [] } = await api.job(id);
    return results.filter(({ status, error }) => status !== "cancelled" && error?.code !== "cancelled");
  }

  /** Undoes what a job changed, and nothing on photos that it left unchanged. */
  async #undo(id) {
    try {
      const results = await this.#results(id);
      const photos = results.filter(({ status }) => status === "edited").map(result => result.id);
      if (photos.length > 0) await this.start({ command: "undo", photos }, { canUndo: false });
      else say("Nothing was changed.");
    } catch (error) {
      sayProblem(error);
    }
  }

  async #why(id) {
    try {
      const results = await this.#results(id);
      const failed = results.filter(({ error }) => error);
      tell("What failed", [make("dl", {}, ...failed.slice(0, 200).flatMap(({ photo, error }) =>
        [make("dt", {}, fileName(photo)), make("dd", {}, error.hint ? `${error.message} ${error.hint}` : error.message)]))]);
    } catch (error) {
      sayProblem(error);
    }
  }

  async #cancel(id) {
    try {
      this.#show(await api.cancelJob(id));
    } catch (error) {
      sayProblem(error);
    }
  }

  /** Asks for the state of running jobs, in case an event was missed. */
  async #again() {
    for (const [id, card] of this.#cards) {
      try {
        this.#show(await api.job(id, 1_000_000));
      } catch (error) {
        if (error.status !== 404) continue;
        this.#cards.delete(id);
        card.element.remove();
        say("The server was started again and does not know the job any more. What it had done stays.", { isTrouble: true });
      }
    }
  }
}
