// The photo that is open: its committed edit, and the changes that are not saved yet.
//
// Nothing is written until `save`. Unsaved changes are also kept in the tab's storage, so that they survive a reload of
// the page and a restart of the server. A save says which revision it is based on; when somebody else changed the photo
// meanwhile, the server refuses it, and the page offers the changes again on top of the new state.

import * as api from "./api.js";
import { Stack } from "./stack.js";

/** Steps of undo that are kept for one photo. */
const STEPS = 200;
const key = id => `safelight-draft-${id}`;
/** The unsaved changes that are kept for a photo, or null. */
const kept = id => JSON.parse(sessionStorage.getItem(key(id)));

/**
 * Dispatches `stack` when the edit that is seen changed, `state` when the photo's committed state did, `saving` when what
 * is said about saving changed, and `elsewhere` when somebody else changed the photo below unsaved changes.
 */
export class Editing extends EventTarget {
  /** What `edit show --json` says, or undefined when no photo is open. */
  photo;
  /** The edit that is seen. */
  stack;
  /** What went wrong with the last save, or "". */
  trouble = "";
  /** Whether the last save found no photo any more. */
  isGone = false;
  isReadOnly = false;
  /** Whether somebody else changed the photo below unsaved changes. */
  isElsewhere = false;
  #base;
  #past = [];
  #future = [];
  #gesture = false;
  #opening = 0;
  /** The saves that run, by the photo's id. */
  #saves = new Map();

  constructor(table) {
    super();
    this.table = table;
    this.stack = new Stack(table);
    this.#base = this.stack;
  }

  get id() { return this.photo?.id; }
  get isSaving() { return this.#saves.has(this.id); }
  /** Whether the photo cannot be changed. */
  get isFixed() { return this.isReadOnly || !this.photo; }
  get isDirty() { return Boolean(this.photo) && !this.stack.equals(this.#base); }
  get canUndo() { return this.#past.length > 0 || (this.photo?.edit !== undefined && !this.isDirty); }
  get canRedo() { return this.#future.length > 0 || (this.photo?.edit?.undone > 0 && !this.isDirty); }
  /** Whether the edit is another program's, which can be kept or reverted, and not taken apart. */
  get isForeign() { return Boolean(this.photo?.edit && !this.photo.edit.adjustments); }

  /** Opens a photo; throws what the server says when it cannot. */
  async open(id) {
    this.#opening += 1;
    const opening = this.#opening;
    let photo;
    try {
      photo = await api.show(id);
    } catch (error) {
      // What went wrong with a photo is nothing for the next one.
      if (opening !== this.#opening) return;
      throw error;
    }
    if (opening !== this.#opening) return;
    this.#take(photo);
    this.#past = [];
    this.#future = [];
    this.#gesture = false;
    this.trouble = "";
    this.isElsewhere = false;
    this.#recall();
    this.#tell("state", "stack", "saving");
    if (this.isElsewhere) this.#tell("elsewhere");
  }

  /** Closes the photo; unsaved changes stay in the tab's storage. */
  close() {
    this.#opening += 1;
    this.photo = undefined;
    this.stack = this.#base = new Stack(this.table);
    this.#past = this.#future = [];
    this.trouble = "";
    this.isElsewhere = false;
  }

  /** Sets a parameter. Until `isDone`, settings belong to one movement and are undone together. */
  set(id, name, value, isDone = true) { this.change(this.stack.set(id, name, value), isDone); }

  /** Shows another edit, and keeps the one before for undo. */
  change(stack, isDone = true) {
    if (this.isFixed) return;
    if (!this.#gesture) {
      if (stack.equals(this.stack)) return;
      this.#past.push(this.stack);
      if (this.#past.length > STEPS) this.#past.shift();
    }
    this.#gesture = !isDone;
    this.#future = [];
    this.stack = stack;
    if (isDone && this.#past.at(-1)?.equals(stack)) this.#past.pop();
    this.#keep(isDone);
    this.#tell("stack", "saving");
  }

  /** Undoes the last unsaved change, or, when there is none, goes back in the photo's history. */
  async undo() {
    this.#gesture = false;
    if (this.#past.length > 0) this.#step(this.#past, this.#future);
    else if (this.photo?.edit && !this.isDirty) await this.command("undo");
  }

  async redo() {
    if (this.#future.length > 0) this.#step(this.#future, this.#past);
    else if (this.photo?.edit?.undone > 0 && !this.isDirty) await this.command("redo");
  }

  /** Drops the unsaved changes. */
  discard() {
    this.#past = [];
    this.#future = [];
    this.#gesture = false;
    this.stack = this.#base;
    this.trouble = "";
    this.isElsewhere = false;
    this.#keep();
    this.#tell("stack", "saving", "elsewhere");
  }

  /**
   * Commits the unsaved changes, also those that were made while an earlier save ran.
   *
   * @returns {Promise<boolean>} Whether they are written.
   */
  async save() {
    const { id } = this;
    const running = this.#saves.get(id);
    if (running) return await running && (this.id !== id || this.save());
    if (!this.isDirty) return true;
    const save = this.#write();
    this.#saves.set(id, save);
    this.#tell("saving");
    try {
      return await save;
    } finally {
      this.#saves.delete(id);
      this.#tell("saving");
    }
  }

  async #write() {
    const { id, stack } = this;
    this.#gesture = false;
    this.trouble = "";
    try {
      await api.change(id, "adjust", { adjustments: stack.entries, revision: this.photo.revision });
      // A newer change may be kept there meanwhile.
      const draft = kept(id);
      if (draft && stack.equals(draft)) sessionStorage.removeItem(key(id));
      const photo = await api.show(id);
      if (this.id !== id) return true;
      const isSame = this.stack.equals(stack);
      this.#take(photo);
      this.isElsewhere = false;
      // What was changed while it was saved is on top.
      if (isSame) this.stack = this.#base;
      this.#past = isSame ? [] : this.#past;
      this.#keep();
      this.#tell("state", "stack", "elsewhere");
      return true;
    } catch (error) {
      if (this.id !== id) return false;
      this.trouble = error.message;
      this.isGone = error.code === "no-such-photo";
      if (error.code === "input-outdated") await this.#meet(id);
      return false;
    }
  }

  /**
   * Saves, does something to the photo, and shows what came of it. Nothing is done when it is not saved, and when another
   * photo is open by then.
   *
   * @param {(id: string, revision: string) => Promise} act Gets what is saved.
   * @throws {Problem} What the server says when it does not.
   */
  async onSaved(act) {
    const { id } = this;
    if (!id || !await this.save() || this.id !== id) return;
    await act(id, this.photo.revision);
    if (this.id === id) await this.refresh();
  }

  /** Does one of the photo's commands: undo, redo, revert, history, apply. Unsaved changes are saved before. */
  command(name, facts = {}) {
    return this.onSaved((id, revision) => api.change(id, name, { ...facts, revision }));
  }

  /** Fetches the photo's state again, after something that changed it. */
  async refresh() {
    const { id } = this;
    if (!id) return;
    const photo = await api.show(id);
    if (this.id !== id) return;
    this.#take(photo);
    if (!this.#past.length) this.stack = this.#base;
    this.#tell("state", "stack", "saving");
  }

  /** The server says that a photo has another revision. */
  async notice({ id, revision }) {
    if (id !== this.id || revision === this.photo.revision || this.isSaving) return;
    await this.#meet(id);
  }

  /** The server answers again: what was said about it is over. */
  forgetTrouble() {
    if (!this.trouble) return;
    this.trouble = "";
    this.#tell("saving");
  }

  /** Puts the unsaved changes on top of the state that somebody else made. */
  putOnTop() {
    this.isElsewhere = false;
    this.trouble = "";
    this.#keep();
    this.#tell("elsewhere", "saving");
  }

  async #meet(id) {
    const photo = await api.show(id);
    if (id !== this.id || photo.revision === this.photo.revision) return;
    const mine = this.stack;
    const base = this.#base;
    const wasDirty = this.isDirty;
    this.#take(photo);
    if (wasDirty) {
      this.stack = mine.rebased(base, this.#base);
      this.#past = [this.#base];
      this.isElsewhere = this.isDirty;
    } else {
      this.stack = this.#base;
      this.#past = [];
    }
    this.#future = [];
    this.#keep();
    this.#tell("state", "stack", "saving", "elsewhere");
  }

  #take(photo) {
    this.photo = photo;
    this.#base = new Stack(this.table, photo.edit?.adjustments ?? [], photo.edit?.values ?? {});
  }

  #step(from, to) {
    to.push(this.stack);
    this.stack = from.pop();
    this.#keep();
    this.#tell("stack", "saving");
  }

  /** Keeps unsaved changes in the tab's storage. While a slider moves it is not worth the time. */
  #keep(isDone = true) {
    if (!isDone || !this.photo) return;
    try {
      if (this.isDirty) {
        sessionStorage.setItem(key(this.id), JSON.stringify({
          revision: this.photo.revision, entries: this.stack.entries, base: this.#base.entries, values: this.#base.values,
        }));
      } else {
        sessionStorage.removeItem(key(this.id));
      }
    } catch {
      // A full storage costs only the safety net.
    }
  }

  /** Takes unsaved changes up again that were left when the page went. */
  #recall() {
    this.stack = this.#base;
    const draft = kept(this.id);
    if (!draft) return;
    const mine = new Stack(this.table, draft.entries, draft.values);
    const base = new Stack(this.table, draft.base, draft.values);
    this.stack = mine.rebased(base, this.#base);
    if (this.isDirty) this.#past = [this.#base];
    this.isElsewhere = draft.revision !== this.photo.revision && this.isDirty;
  }

  #tell(...names) { for (const name of names) this.dispatchEvent(new CustomEvent(name)); }
}
