// The photo's history and its versions, to go back to, and revert.

import * as api from "./api.js";
import { ask, askText, guarded, sayProblem } from "./dialogs.js";
import { iconButton, make, textButton } from "./dom.js";
import { applied } from "./information.js";
import { Stack } from "./stack.js";
import { fileName, moment, title } from "./words.js";

export class Past {
  #editing;
  #steps = make("ol", { class: "steps" });
  #conflicts = make("div", { class: "conflicts" });
  #versions = make("ul", { class: "versions" });
  #keeping = textButton("Keep this edit under a name…", () => this.#keep(), { action: "save-version" });
  #revert = textButton("Revert to the original…", () => this.revert(), { action: "revert", class: "danger" });
  #isOn = false;
  #shown;

  constructor(editing) {
    this.#editing = editing;
    this.element = make(
      "div", { class: "past" }, make("h2", {}, "History"), this.#steps, this.#conflicts,
      make("h2", {}, "Versions"), this.#versions, this.#keeping, make("hr"), this.#revert);
    editing.addEventListener("state", () => {
      this.#keeping.disabled = editing.isFixed;
      this.#load();
    });
  }

  turnOn(isOn) {
    this.#isOn = isOn;
    if (isOn) this.#load();
  }

  /** Asks again for lists that could not be had, or may have changed. */
  again() {
    this.#shown = undefined;
    this.#load();
  }

  /** Another photo: the lists of the one before go. */
  clear() {
    this.#shown = undefined;
    this.#steps.replaceChildren();
    this.#conflicts.replaceChildren();
    this.#versions.replaceChildren();
    this.#revert.disabled = true;
  }

  async #load() {
    const { photo } = this.#editing;
    if (!this.#isOn || !photo || this.#shown === `${photo.id} ${photo.revision}`) return;
    const wanted = this.#shown = `${photo.id} ${photo.revision}`;
    try {
      const [history, versions] = await Promise.all([api.history(photo.id), api.versions(photo.id)]);
      if (this.#shown !== wanted) return;
      this.#show(history, versions);
    } catch (error) {
      if (this.#shown !== wanted) return;
      this.#shown = undefined;
      sayProblem(error);
    }
  }

  #show({ steps, present, conflicts = [] }, versions) {
    this.#steps.replaceChildren(...steps.toReversed().map(step => this.#step(step, present)));
    this.#conflicts.replaceChildren(...conflicts.filter(each => !each.contained).map(conflict));
    this.#versions.replaceChildren(...versions.map(version => this.#version(version)));
    this.#revert.disabled = this.#editing.isReadOnly || !this.#editing.photo.canRevert;
  }

  #step(step, present) {
    const { number, date, undone, reachable, editor } = step;
    const isPresent = number === present;
    const words = number === 0 ? "The original" : this.#changes(step);
    const who = editor && editor !== "org.safelight.edit" && editor;
    const go = () => { if (!isPresent) guarded(() => this.#editing.command("history", { step: number })); };
    const button = make(
      "button", {
        type: "button", class: "step", "aria-current": isPresent ? "step" : undefined, data: { step: number },
        disabled: !reachable || this.#editing.isReadOnly, on: { click: go },
      },
      make("span", {}, words),
      make("small", {}, [date && moment(date), undone && "undone", who].filter(Boolean).join(", ")));
    return make("li", { class: undone ? "undone" : "" }, button);
  }

  /** What a step changed, as the panel and the information name it: "Exposure +0.5, without clarity". */
  #changes({ adjustments = [], changes = [] }) {
    const { table } = this.#editing;
    const stack = new Stack(table, adjustments);
    const words = changes.map(({ change, id, text }) => {
      const entry = adjustments.findLast(each => each.id === id);
      if (change !== "removed") return entry ? applied(entry, stack, table) : text;
      return `without ${id === "filter" ? text.replace(/^\W+/, "") : title(id).toLowerCase()}`;
    }).join(", ");
    return words ? words.charAt(0).toUpperCase() + words.slice(1) : "Saved";
  }

  #version({ name, present, date }) {
    const { isReadOnly, id } = this.#editing;
    const use = () => this.#editing.onSaved((_, revision) => api.useVersion(id, name, { revision }));
    const remove = async () => {
      const action = { label: "Remove", isDangerous: true };
      if (!await ask(`Remove the version “${name}”?`, [make("p", {}, "Its picture goes too.")], action)) return;
      await api.removeVersion(id, name);
      await this.#renew();
    };
    const button = make(
      "button", {
        type: "button", class: "step", "aria-current": present ? "true" : undefined, disabled: isReadOnly,
        on: { click: () => guarded(use) },
      },
      make("span", {}, name),
      make("small", {}, [date && moment(date), present && "the present edit"].filter(Boolean).join(", ")));
    const removing = iconButton("trash", `Remove the version ${name}`, () => guarded(remove));
    removing.disabled = isReadOnly;
    return make("li", { class: "version" }, button, removing);
  }

  /** Fetches the lists anew, also when the photo's revision stayed. */
  async #renew() {
    await this.#editing.refresh();
    this.#shown = undefined;
    await this.#load();
  }

  async #keep() {
    const { id: opened } = this.#editing;
    await askText("Keep this edit under a name", "Name", { maxLength: 60, placeholder: "warm" }, async text => {
      if (this.#editing.id !== opened) return;
      const name = versionName(text);
      await this.#editing.onSaved((id, revision) => api.saveVersion(id, { name, revision }));
      await this.#renew();
    });
  }

  /** Asks, telling what goes, and takes the edit away. */
  async revert() {
    const { id, photo } = this.#editing;
    if (!photo) return;
    await guarded(async () => {
      const versions = await api.versions(id);
      const facts = versions.length > 0 ? { versions: true } : {};
      const report = await api.change(id, "revert", { ...facts, dryRun: true });
      const files = (report.resources ?? []).map(({ path }) => make("li", {}, fileName(path)));
      const content = [
        make("p", {}, "The original stays as it always was. The edit goes, with its history",
          versions.length > 0 ? ` and the versions ${versions.map(({ name }) => name).join(", ")}` : "", "."),
        files.length > 0 && make("p", {}, "These files go:"), files.length > 0 && make("ul", { class: "files" }, ...files),
      ].filter(Boolean);
      if (!await ask(`Revert ${photo.name}?`, content, { label: "Revert", isDangerous: true })) return;
      if (this.#editing.id !== id) return;
      this.#editing.discard({ isAll: false });
      await this.#editing.command("revert", facts);
    });
  }
}

/** What is said of the copy of a record in which a sync kept another computer's edits. */
function conflict({ record, steps, commonStep }) {
  const edits = steps.length === 1 ? "an edit" : `${steps.length} edits`;
  const since = commonStep === 0 ? "of the original" : `made after step ${commonStep}`;
  return make(
    "p", {}, `Another computer has ${edits} ${since}, in ${fileName(record)}. `,
    make("code", {}, "edit history --merge"), " keeps the newest as a version.");
}

/**
 * A version's name from what somebody wrote: spaces become hyphens, and letters lose their accents, because the name is
 * part of a file's name.
 */
function versionName(text) {
  const name = text.normalize("NFD").replace(/\p{M}+/gu, "").replace(/\s+/g, "-");
  if (/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name)) return name;
  throw new Error("A name has letters from a to z, digits, spaces, hyphens, underscores and dots, and no dot in front.");
}
