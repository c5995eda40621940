// The photo that is open: its committed edit, and the changes that are not saved yet.
//
// Changes save by themselves once they rest, and when the photo is left; `hold` keeps them back while something can be
// cancelled. Until they are saved they are kept in the tab's storage too, so that they survive a reload of the page and a
// restart of the server. A save says which revision it is based on; when somebody else changed the photo meanwhile, the
// server refuses it, and the page offers the changes again on top of the new state. A save that fails is tried again.

import * as api from "./api.js";
import * as drafts from "./drafts.js";
import { Turns, whenQuiet } from "./latest.js";
import { Stack } from "./stack.js";
import { Trail } from "./trail.js";

/** Steps of undo that are kept for one photo. */
const STEPS = 200;
/** Milliseconds without a change after which the changes are saved, as one step of the history. */
const REST = 2000;
/** Milliseconds until a save that failed is tried again: longer and longer. */
const AGAIN = [4000, 10_000, 30_000];

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
  /** Whether there is no picture of the photo that could be changed. */
  isBroken = false;
  /** Whether somebody else changed the photo below unsaved changes. */
  isElsewhere = false;
  #base;
  /** The edit when the photo was opened. */
  #opened;
  #past = [];
  #future = [];
  #gesture = false;
  #opening = 0;
  /** Each change of a photo is based on the one before. */
  #turns = new Turns();
  /** The saves that run or wait for their turn, by the photo's id. */
  #saves = new Map();
  /** The ids of the photos that are written, each as often as it is. */
  #written = [];
  #trail;
  #isHeld = false;
  /** How often the last save failed. */
  #failures = 0;
  #saveSoon = whenQuiet(REST, () => this.#saveByItself());
  /** Operations that the server is asked for, one after the other; what is dropped or closed meanwhile ends them. */
  #operations = new Turns();
  /** The promises of those that are not done. */
  #asked = new Set();
  /** Counts what ends them. */
  #round = 0;

  constructor(table) {
    super();
    this.table = table;
    this.stack = new Stack(table);
    this.#base = this.#opened = this.stack;
  }

  get id() { return this.photo?.id; }
  get isSaving() { return this.#written.includes(this.id); }
  /** Whether the photo cannot be changed. */
  get isFixed() { return this.isReadOnly || !this.photo || this.isBroken; }
  get isDirty() { return Boolean(this.photo) && !this.stack.equals(this.#base); }
  /** Whether the edit is another than when the photo was opened. */
  get isChanged() { return Boolean(this.photo) && !this.stack.equals(this.#opened); }
  /** Whether the photo can be changed. That only looking is allowed is said. */
  mayChange() {
    if (this.photo && this.isReadOnly) this.#tell("refused");
    return !this.isFixed;
  }

  get canUndo() { return this.#past.length > 0 || this.#canGoBack; }
  get canRedo() { return this.#future.length > 0 || (this.photo?.edit?.undone > 0 && !this.isDirty); }
  /** Whether the photo's history has an earlier step. */
  get #canGoBack() {
    const { edit, edited } = this.photo ?? {};
    return edit !== undefined && (edited !== false || edit.history > 0);
  }
  /** Whether the edit is another program's, which can be kept or reverted, and not taken apart. */
  get isForeign() { return Boolean(this.photo?.edit && !this.photo.edit.adjustments); }

  /** Opens a photo; throws what the server says when it cannot. */
  async open(id) {
    this.#opening += 1;
    const opening = this.#opening;
    let photo;
    try {
      // What was begun before it was left is shown, too.
      photo = await this.#turns.take(id, () => api.show(id));
    } catch (error) {
      // What went wrong with a photo is nothing for the next one.
      if (opening !== this.#opening) return;
      throw error;
    }
    if (opening !== this.#opening) return;
    // Unsaved changes are taken up again that were left when the page went.
    const draft = drafts.kept(id);
    const made = entries => new Stack(this.table, entries, draft?.values);
    const from = made(draft?.base);
    this.stack = made(draft?.entries);
    this.#past = [];
    this.#future = [];
    this.#gesture = false;
    this.trouble = "";
    this.#failures = 0;
    this.isBroken = false;
    this.#adopt(photo, { from, isElsewhere: Boolean(draft) && draft.revision !== photo.revision });
    this.#opened = this.#base;
    if (this.isDirty) this.#past = [this.#base];
    this.#tell("saving");
    this.#settle();
  }

  /** Closes the photo; unsaved changes stay in the tab's storage. */
  close() {
    this.#opening += 1;
    this.#dropOperations();
    this.photo = undefined;
    this.#saveSoon.cancel();
    this.#isHeld = false;
    this.stack = this.#base = this.#opened = new Stack(this.table);
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
    this.#settle();
  }

  /**
   * Does operations to the edit that is seen, as one step of undo. The server computes them; what is changed meanwhile stays
   * on top.
   *
   * @param {(stack: Stack) => object[]} make Gets the edit when it is their turn, and gives the operations.
   * @returns {Promise<?{before: Stack, next: Stack, notes: string[]}>} The edit before and after them, and what is said of
   *   it; nothing when they were dropped meanwhile.
   */
  async operate(make) {
    if (!this.mayChange()) return undefined;
    const { id } = this;
    const round = this.#round;
    const isDropped = () => round !== this.#round;
    const asked = this.#operations.take(id, async () => {
      if (isDropped()) return undefined;
      const start = this.stack;
      const { adjustments, values, notes = [] } = await api.operate(id, start.entries, make(start));
      if (isDropped()) return undefined;
      const made = new Stack(this.table, adjustments, values);
      const before = this.stack;
      const next = before.rebased(start, made);
      this.#gesture = false;
      this.change(next);
      return { before, next, notes };
    });
    this.#asked.add(asked);
    this.#tell("stack", "saving");
    try {
      return await asked;
    } catch (error) {
      if (isDropped()) return undefined;
      throw error;
    } finally {
      this.#asked.delete(asked);
      if (!isDropped()) this.#tell("stack", "saving");
    }
  }

  /** Whether the server computes operations. */
  get isOperating() { return this.#asked.size > 0; }

  /** Waits for the operations that were asked for. False when they were dropped meanwhile. */
  async #operated() {
    const round = this.#round;
    while (this.isOperating) await Promise.allSettled(this.#asked);
    return round === this.#round;
  }

  /** Drops the operations that were asked for. */
  #dropOperations() {
    this.#round += 1;
    this.#asked.clear();
  }

  /** Keeps changes from being saved by themselves, as long as they can be cancelled; or lets them be saved. */
  hold(isHeld) {
    this.#isHeld = isHeld;
    this.#settle();
  }

  get isHeld() { return this.#isHeld; }

  /** Saves soon, when there is something to be saved and nothing else is changed meanwhile. */
  #settle(pause) {
    if (!this.isDirty || this.#gesture || this.#isHeld || this.isElsewhere || this.isFixed) this.#saveSoon.cancel();
    else this.#saveSoon.after(pause);
  }

  async #saveByItself() {
    if (!this.isDirty || this.#gesture || this.#isHeld || this.isElsewhere) return;
    await this.save();
  }

  /** Says that there is no picture of the photo, or that there is one. */
  setBroken(isBroken) {
    if (this.isBroken === isBroken) return;
    this.isBroken = isBroken;
    this.#settle();
    this.#tell("state", "stack", "saving");
  }

  /** Undoes the last change since the photo was opened, or, when there is none, goes back in the photo's history. */
  async undo() {
    this.#gesture = false;
    if (!this.mayChange() || !await this.#operated()) return;
    if (this.#past.length > 0) {
      this.#step(this.#past, this.#future);
    } else {
      if (this.isDirty && !await this.save()) return;
      await this.#go("undo", () => this.#canGoBack);
    }
  }

  async redo() {
    if (!this.mayChange() || !await this.#operated()) return;
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

  /** Goes back to the edit that the photo had when it was opened; or, without what is not saved, to what is committed. */
  discard({ isAll = true } = {}) {
    this.#dropOperations();
    this.#past = [];
    this.#future = [];
    this.#gesture = false;
    this.stack = isAll && !this.isElsewhere ? this.#opened : this.#base;
    this.trouble = "";
    this.isElsewhere = false;
    this.#keep();
    this.#tell("stack", "saving", "elsewhere");
    this.#settle();
  }

  /**
   * Commits the unsaved changes, also those that were made while an earlier save ran, once all that was begun is done.
   *
   * @returns {Promise<boolean>} Whether they are written.
   */
  async save() {
    const { id } = this;
    await this.#operated();
    if (this.id !== id) return false;
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
    this.#saveSoon.cancel();
    this.trouble = "";
    const [command, facts, at] = this.#trail.way(stack);
    try {
      await api.change(id, command, { ...facts, revision: this.photo.revision });
      // A newer change may be kept there meanwhile.
      const draft = drafts.kept(id);
      if (draft && stack.equals(draft)) drafts.drop(id);
      // What was changed while it was saved is on top.
      await this.#fetch(id, { from: stack, isElsewhere: false, at });
      this.#failures = 0;
      return true;
    } catch (error) {
      if (this.id !== id) return false;
      this.trouble = error.message;
      this.isGone = error.code === "no-such-photo";
      if (error.code === "input-outdated") await this.#meet(id);
      // Where undo is refused, the same edit is a new step.
      else if (error.status && command !== "adjust") this.#trail = new Trail(this.#base);
      this.#failures += 1;
      this.#settle(AGAIN[Math.min(this.#failures, AGAIN.length) - 1]);
      return false;
    }
  }

  /** Where the changes are now, to go back to by `returnTo`. */
  mark() { return { id: this.id, stack: this.stack, depth: this.#past.length }; }

  /** Drops what was changed since a mark, as if it had not been. */
  returnTo({ id, stack, depth }) {
    if (id !== this.id) return;
    this.#dropOperations();
    this.#past.length = Math.min(this.#past.length, depth);
    this.#future = [];
    this.#gesture = false;
    this.stack = stack;
    this.#keep();
    this.#tell("stack", "saving");
    this.#settle();
  }

  /** Saves what is kept of photos that were left when they could not be saved; not of the one that is being `opened`. */
  async saveDrafts(opened) {
    if (this.isReadOnly) return;
    const save = (id, take) => this.#turns.take(id, async () => {
      // It may have been opened, and saved, since.
      const draft = id === this.id ? null : take();
      if (draft) await api.change(id, "adjust", { adjustments: draft.entries, revision: draft.revision });
    });
    await drafts.saveAll(drafts.waiting().filter(id => id !== this.id && id !== opened), save,
      name => this.dispatchEvent(new CustomEvent("rescued", { detail: name })));
  }

  /** Whether changes of any photo are not saved yet and may still be. */
  get hasDrafts() { return this.isDirty || this.isSaving || this.isOperating || drafts.waiting().length > 0; }

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
    await this.#fetch(id, { isCommand: true });
  }

  /** Does one of the photo's commands: undo, redo, revert, history, apply. Unsaved changes are saved before. */
  command(name, facts = {}) {
    return this.onSaved((id, revision) => api.change(id, name, { ...facts, revision }));
  }

  /** Fetches the photo's state again, after something that changed it. */
  async refresh() {
    const { id } = this;
    if (id) await this.#turns.take(id, () => this.#fetch(id));
  }

  /** The server says that a photo has another revision. It may be of what the page itself writes, and comes after that. */
  async notice({ id, revision }) {
    const isNews = () => id === this.id && revision !== this.photo.revision;
    if (isNews()) await this.#turns.take(id, async () => { if (isNews()) await this.#meet(id); });
  }

  /** The server answers again: what was said about it is over. */
  forgetTrouble() {
    this.trouble = "";
    this.#failures = 0;
    this.#tell("saving");
    this.#settle();
  }

  /** Puts the unsaved changes on top of the state that somebody else made. */
  putOnTop() {
    this.isElsewhere = false;
    this.trouble = "";
    this.#keep();
    this.#tell("elsewhere", "saving");
    this.#settle();
  }

  /** Writes something in its turn; it is said until it is done. */
  async #writing(id, act) {
    this.#written.push(id);
    this.#tell("saving");
    try {
      return await this.#turns.take(id, act);
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
   * @param {{from?: Stack, isElsewhere?: boolean, isCommand?: boolean, at?: number}} [facts] The edit that the changes were
   *   made to, whether somebody else changed the photo below them, whether one of the photo's commands did, and the edit's
   *   place in the trail when the page itself committed it.
   */
  #adopt(photo, { from = this.#base, isElsewhere = this.isElsewhere, isCommand = false, at } = {}) {
    const wasDirty = this.isDirty;
    const before = this.photo?.id === photo.id ? this.#base : undefined;
    this.photo = photo;
    this.#base = new Stack(this.table, photo.edit?.adjustments ?? [], photo.edit?.values ?? {});
    const onTop = stack => stack.rebased(from, this.#base);
    this.stack = onTop(this.stack);
    if (at === undefined && !before?.equals(this.#base)) {
      this.#trail = new Trail(this.#base);
      this.#past = wasDirty && this.isDirty && !isCommand ? this.#past.map(onTop) : [];
      this.#future = isCommand ? [] : this.#future.map(onTop);
      this.#opened = this.#base;
    } else if (at !== undefined) {
      // The page's own steps stay as they are.
      this.#trail.note(at, from, this.#base);
    }
    if (!this.isDirty) this.#gesture = false;
    this.isElsewhere = isElsewhere && this.isDirty;
    this.#keep();
    this.#tell("state", "stack", "saving", "elsewhere");
    this.#settle();
  }

  #step(from, to) {
    to.push(this.stack);
    this.stack = from.pop();
    this.#keep();
    this.#tell("stack", "saving");
    this.#settle();
  }

  /** Keeps unsaved changes in the tab's storage. While a slider moves it is not worth the time. */
  #keep(isDone = true) {
    if (!isDone || !this.photo) return;
    if (!this.isDirty) drafts.drop(this.id);
    else drafts.keep(this.id, {
      name: this.photo.name, revision: this.photo.revision, entries: this.stack.entries, base: this.#base.entries,
      values: this.#base.values,
    });
  }

  #tell(...names) { for (const name of names) this.dispatchEvent(new CustomEvent(name)); }
}
