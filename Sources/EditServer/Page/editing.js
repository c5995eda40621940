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
 * is said about saving changed, `elsewhere` when somebody else changed the photo below unsaved changes, and `refused` when
 * a change is wanted where only looking is allowed.
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
  /** What is done to photos last, by their ids: one thing begins when the one before has ended. */
  #turns = new Map();
  /** The saves that run or wait for their turn, by the photo's id. */
  #saves = new Map();
  /** The ids of the photos that are written, each as often as it is. */
  #written = [];

  constructor(table) {
    super();
    this.table = table;
    this.stack = new Stack(table);
    this.#base = this.stack;
  }

  get id() { return this.photo?.id; }
  get isSaving() { return this.#written.includes(this.id); }
  /** Whether the photo cannot be changed. */
  get isFixed() { return this.isReadOnly || !this.photo; }
  get isDirty() { return Boolean(this.photo) && !this.stack.equals(this.#base); }
  /** Whether the photo can be changed. That only looking is allowed is said. */
  mayChange() {
    if (this.photo && this.isReadOnly) this.#tell("refused");
    return !this.isFixed;
  }

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
      // What was begun before it was left is shown, too.
      photo = await this.#inTurn(id, () => api.show(id));
    } catch (error) {
      // What went wrong with a photo is nothing for the next one.
      if (opening !== this.#opening) return;
      throw error;
    }
    if (opening !== this.#opening) return;
    // Unsaved changes are taken up again that were left when the page went.
    const draft = kept(id);
    const made = entries => new Stack(this.table, entries, draft?.values);
    const from = made(draft?.base);
    this.stack = made(draft?.entries);
    this.#past = [from];
    this.#future = [];
    this.#gesture = false;
    this.trouble = "";
    this.#adopt(photo, { from, isElsewhere: Boolean(draft) && draft.revision !== photo.revision });
  }

  /** Closes the photo; unsaved changes stay in the tab's storage. */
  close() {
    this.#opening += 1;
    this.photo = undefined;
    this.stack = this.#base = new Stack(this.table);
    this.#past = [];
    this.#future = [];
    this.#gesture = false;
    this.trouble = "";
    this.isElsewhere = false;
    this.#tell("state", "stack", "saving", "elsewhere");
  }

  /** Sets a parameter. Until `isDone`, settings belong to one movement and are undone together. */
  set(id, name, value, isDone = true) { this.change(this.stack.set(id, name, value), isDone); }

  /** Shows another edit, and keeps the one before for undo. */
  change(stack, isDone = true) {
    if (!this.mayChange()) return;
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
    else await this.#go("undo", () => this.photo.edit);
  }

  async redo() {
    if (this.#future.length > 0) this.#step(this.#future, this.#past);
    else await this.#go("redo", () => this.photo.edit?.undone > 0);
  }

  /**
   * Goes a step in the photo's history. Whether there is one is known when what runs before has ended. What is changed
   * meanwhile is not saved for it, but stays on top.
   */
  async #go(name, canGo) {
    const { id } = this;
    if (!this.mayChange() || this.isDirty || (!this.isSaving && !canGo())) return;
    await this.#writing(id, () => this.#do(id, (_, revision) => canGo() && api.change(id, name, { revision })));
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
   * Commits the unsaved changes, also those that were made while an earlier save ran, once all that was begun is done.
   *
   * @returns {Promise<boolean>} Whether they are written.
   */
  async save() {
    const { id } = this;
    const running = this.#saves.get(id);
    if (running) return await running && (this.id !== id || this.save());
    if (!this.isDirty && !this.isSaving) return true;
    const save = this.#writing(id, () => this.#write(id));
    this.#saves.set(id, save);
    try {
      return await save;
    } finally {
      this.#saves.delete(id);
    }
  }

  /** Writes the unsaved changes when it is their photo's turn. False when another photo is open by then. */
  async #write(id) {
    if (this.id !== id) return false;
    if (!this.isDirty) return true;
    const { stack } = this;
    this.#gesture = false;
    this.trouble = "";
    try {
      await api.change(id, "adjust", { adjustments: stack.entries, revision: this.photo.revision });
      // A newer change may be kept there meanwhile.
      const draft = kept(id);
      if (draft && stack.equals(draft)) sessionStorage.removeItem(key(id));
      // What was changed while it was saved is on top.
      await this.#fetch(id, { from: stack, isElsewhere: false });
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
    if (!id) return;
    await this.#writing(id, async () => { if (await this.#write(id)) await this.#do(id, act); });
  }

  async #do(id, act) {
    if (this.id !== id) return;
    await act(id, this.photo.revision);
    this.#future = [];
    await this.#fetch(id);
  }

  /** Does one of the photo's commands: undo, redo, revert, history, apply. Unsaved changes are saved before. */
  command(name, facts = {}) {
    return this.onSaved((id, revision) => api.change(id, name, { ...facts, revision }));
  }

  /** Fetches the photo's state again, after something that changed it. */
  async refresh() {
    const { id } = this;
    if (id) await this.#inTurn(id, () => this.#fetch(id));
  }

  /** The server says that a photo has another revision. It may be of what the page itself writes, and comes after that. */
  async notice({ id, revision }) {
    const isNews = () => id === this.id && revision !== this.photo.revision;
    if (isNews()) await this.#inTurn(id, async () => { if (isNews()) await this.#meet(id); });
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

  /** Does something to a photo once what is done to it has ended, so that each change is based on the one before. */
  async #inTurn(id, act) {
    const before = this.#turns.get(id);
    const turn = (async () => {
      await Promise.allSettled([before]);
      return act();
    })();
    this.#turns.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    }
  }

  /** Writes something in its turn; it is said until it is done. */
  async #writing(id, act) {
    this.#written.push(id);
    this.#tell("saving");
    try {
      return await this.#inTurn(id, act);
    } finally {
      this.#written.splice(this.#written.indexOf(id), 1);
      this.#tell("saving");
    }
  }

  async #fetch(id, facts) {
    const photo = await api.show(id);
    if (this.id === id) this.#adopt(photo, facts);
  }

  /** Takes over what somebody else made of the photo. */
  async #meet(id) {
    const photo = await api.show(id);
    if (id === this.id && photo.revision !== this.photo.revision) this.#adopt(photo, { isElsewhere: true });
  }

  /**
   * Takes the server's state over. Unsaved changes, and the steps of their undo, are made again on top of it.
   *
   * @param {object} photo What `edit show --json` says.
   * @param {{from?: Stack, isElsewhere?: boolean}} [facts] The edit that the changes were made to, and whether somebody
   *   else changed the photo below them.
   */
  #adopt(photo, { from = this.#base, isElsewhere = this.isElsewhere } = {}) {
    this.photo = photo;
    this.#base = new Stack(this.table, photo.edit?.adjustments ?? [], photo.edit?.values ?? {});
    const onTop = stack => stack.rebased(from, this.#base);
    this.stack = onTop(this.stack);
    this.#past = this.isDirty ? this.#past.map(onTop) : [];
    if (!this.isDirty) this.#gesture = false;
    this.#future = this.#future.map(onTop);
    this.isElsewhere = isElsewhere && this.isDirty;
    this.#keep();
    this.#tell("state", "stack", "saving", "elsewhere");
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

  #tell(...names) { for (const name of names) this.dispatchEvent(new CustomEvent(name)); }
}
