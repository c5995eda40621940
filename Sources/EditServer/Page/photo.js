// One photo: the picture, the tools beside it, and what is said about saving.

import * as api from "./api.js";
import { choose, copied, copy, pasted } from "./copying.js";
import { Crop } from "./crop.js";
import { guarded, say } from "./dialogs.js";
import { find, icon, iconButton, make, textButton } from "./dom.js";
import { Histogram } from "./histogram.js";
import { Information } from "./information.js";
import { Live } from "./live.js";
import { Looks } from "./looks.js";
import { panel } from "./panel.js";
import { Past } from "./past.js";
import { Pictures } from "./pictures.js";
import { Viewer } from "./viewer.js";
import { title } from "./words.js";

/** Pixels of the picture that is shown at once: a size that the grid asks for too. */
const HINT = 320;

/**
 * Dispatches `leave` when the grid is wanted, `step` with -1 or 1 for the photo before or after, `again` when the photo
 * should be opened again, and `near` with a place when the photos around it are wanted.
 */
export class PhotoView extends EventTarget {
  #editing;
  #viewer;
  #pictures;
  #tabs = new Map();
  #tab;
  #buttons = {};
  #zoomWords = textButton("", () => this.toggleZoom(), { class: "quiet zoom" });

  constructor(table, editing) {
    super();
    this.#editing = editing;
    this.#viewer = new Viewer(find("stage"));
    this.#pictures = new Pictures(this.#viewer, editing);
    this.histogram = new Histogram(find("histogram"));
    this.#pictures.addEventListener("tones", ({ detail }) => {
      this.histogram.show(detail.bins, detail.clipped);
      this.sliders.showTones(detail.bins);
    });
    this.#pictures.addEventListener("trouble", ({ detail }) => this.#showTrouble(detail));
    // A photo of which there never was a picture cannot be edited.
    this.#pictures.addEventListener("broken", ({ detail }) => editing.setBroken(detail));
    this.#viewer.addEventListener("view", () => this.#showZoom());
    this.#viewer.addEventListener("pick", ({ detail }) => this.#pickGray(detail));
    this.live = new Live(this.#viewer);
    this.sliders = panel(table, editing);
    this.looks = new Looks(editing);
    this.crop = new Crop(
      editing, this.#viewer, () => this.#auto({ straighten: true }), () => this.choose("adjust", true));
    this.past = new Past(editing);
    this.#makeTabs();
    this.#makeBars();
    for (const name of ["stack", "state", "saving"]) editing.addEventListener(name, () => this.#showState());
    editing.addEventListener("rescued", ({ detail }) => say(`The changes of ${detail} are saved now.`));
    editing.addEventListener("elsewhere", () => this.#showElsewhere());
    editing.addEventListener("refused", () => say(
      editing.isReadOnly ? "Only looking is allowed here." : "This photo cannot be edited."));
  }

  get isOpen() { return !find("photo").hidden; }

  /**
   * Shows a photo.
   *
   * @param {string} id The photo.
   * @param {object} [summary] What the list says about it, for a small picture at once.
   */
  async open(id, summary) {
    this.close();
    if (summary?.pixelWidth > 0 && this.#tab !== "crop") {
      const facts = { size: HINT, v: summary.revision };
      this.#viewer.hint(api.thumbnailAddress(id, facts), { width: summary.pixelWidth, height: summary.pixelHeight });
    }
    this.#showTrouble(null);
    try {
      await this.#editing.open(id);
    } catch (error) {
      this.#showTrouble(error);
    }
  }

  /** Drops a crop that was begun. False when there is none, so that Esc goes back. */
  cancelCrop() { return this.#tab === "crop" && this.crop.cancel(); }

  /** Saves what is not saved. False when somebody else changed the photo, so that there is a question to answer. */
  async leave() {
    const { isReadOnly, photo } = this.#editing;
    if (this.#editing.isElsewhere) {
      find("elsewhere").querySelector("button").focus();
      return false;
    }
    if (isReadOnly) return true;
    // What is changed while it is saved is saved too, and an undo that was begun is done.
    let isSaved = true;
    const isBusy = () => {
      const { id, isDirty, isSaving, isOperating } = this.#editing;
      return id === photo?.id && (isDirty || isSaving || isOperating);
    };
    while (isSaved && isBusy()) isSaved = await this.#editing.save();
    if (isSaved) return true;
    if (this.#editing.isElsewhere || this.#editing.id !== photo.id) return false;
    const advice = this.#editing.isGone ? "" : " It is tried again; your changes are kept in this tab.";
    say(`${photo.name} is not saved: ${this.#editing.trouble}${advice}`, { isTrouble: true });
    return true;
  }

  /** Shows nothing any more of the photo that is open, and changes nothing. */
  close() {
    this.#editing.close();
    this.#pictures.clear();
    this.looks.clear();
    this.past.clear();
    this.pickGray(false);
  }

  /** Asks again for what is not right, or could not be had. */
  refresh() {
    if (this.isOpen && !this.#editing.photo) this.#openAgain();
    this.#pictures.refresh();
    this.looks.again();
    this.past.again();
  }

  #openAgain() { this.dispatchEvent(new CustomEvent("again")); }

  /** Opens a tab of tools, and perhaps moves the keyboard's focus there. */
  choose(name, isFocused = false) {
    if (!this.#tabs.has(name)) return;
    if (isFocused) this.#tabs.get(name).button.focus();
    if (name === this.#tab) return;
    const before = this.#tabs.get(this.#tab);
    before?.turnOn?.(false);
    this.#tab = name;
    for (const [each, { button, body }] of this.#tabs) {
      button.setAttribute("aria-selected", each === name);
      button.tabIndex = each === name ? 0 : -1;
      body.hidden = each !== name;
    }
    this.#tabs.get(name).turnOn?.(true);
  }

  #makeTabs() {
    const cropped = isOn => {
      this.pickGray(false);
      this.#pictures.seen = isOn ? stack => stack.remove("crop") : stack => stack;
      this.crop.turnOn(isOn);
      if (isOn) this.compare("none");
      this.#pictures.refresh();
    };
    const add = (name, label, picture, content, turnOn) => {
      const body = make(
        "div", {
          class: `tab-panel ${name}-panel`, role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`,
          hidden: true,
        }, ...content);
      const button = textButton(label, () => this.choose(name), {
        picture, role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "aria-selected": "false",
        tabindex: "-1",
      });
      this.#tabs.set(name, { button, body, turnOn });
      find("tabs").append(button);
      find("tab-panels").append(body);
    };
    this.#buttons.auto = textButton("Auto", () => this.auto(), { action: "auto", picture: "auto" });
    this.#buttons.gray = textButton(
      "Pick a gray", () => this.pickGray(), { action: "gray", picture: "pipette", "aria-pressed": "false" });
    const helpers = make("div", { class: "row" }, this.#buttons.auto, this.#buttons.gray);
    add("adjust", "Adjust", "sliders", [helpers, this.sliders.element]);
    add("looks", "Filters", "looks", [this.looks.element], isOn => this.looks.turnOn(isOn));
    add("crop", "Crop", "crop", [this.crop.element], cropped);
    add("past", "History", "history", [this.past.element], isOn => this.past.turnOn(isOn));
    const near = place => this.dispatchEvent(new CustomEvent("near", { detail: place }));
    add("information", "Info", "information", [new Information(this.#editing, near).element]);
    find("tabs").addEventListener("keydown", event => {
      const names = [...this.#tabs.keys()];
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -names.length, End: names.length }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = names[Math.min(Math.max(names.indexOf(this.#tab) + step, 0), names.length - 1)];
      this.choose(next);
      this.#tabs.get(next).button.focus();
    });
    this.choose("adjust");
  }

  #makeBars() {
    const buttons = this.#buttons;
    const leave = () => this.dispatchEvent(new CustomEvent("leave"));
    find("photo-back").append(iconButton("back", "Back to all photos", leave, "Esc"));
    buttons.undo = iconButton("undo", "Undo", () => this.undo(), "Ctrl Z");
    buttons.redo = iconButton("redo", "Redo", () => this.redo(), "Ctrl Shift Z");
    buttons.copy = iconButton("copy", "Copy the edit", () => this.copy(), "Ctrl C");
    buttons.paste = iconButton("paste", "Paste the edit…", () => this.paste(), "Ctrl V");
    buttons.favorite = iconButton("heart", "Favorite", () => this.favorite(), "F");
    buttons.discard = textButton("Discard", () => this.#editing.discard(), {
      action: "discard", picture: "close", class: "quiet", title: "Back to the photo as it was when you opened it",
    });
    find("photo-actions").append(
      buttons.undo, buttons.redo, buttons.copy, buttons.paste, buttons.favorite, buttons.discard);

    const step = (name, label, by, key) => {
      const act = () => this.dispatchEvent(new CustomEvent("step", { detail: by }));
      return iconButton(name, label, act, key);
    };
    buttons.previous = step("previous", "The photo before", -1, "←");
    buttons.next = step("next", "The next photo", 1, "→");
    buttons.before = iconButton("before", "Hold to see the photo before", () => {}, "B");
    // A press of a key arrives as a click; with the pointer it is held.
    buttons.before.addEventListener("pointerdown", event => {
      buttons.before.setPointerCapture(event.pointerId);
      this.hold(true);
    });
    for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) {
      buttons.before.addEventListener(end, () => this.hold(false));
    }
    buttons.before.addEventListener("keydown", event => {
      if (event.key === " " || event.key === "Enter") this.hold(true);
    });
    buttons.split = iconButton("split", "Before and after side by side", () => this.toggleSplit(), "S");
    buttons.hdr = iconButton("hdr", "HDR: light above white, on screens that show it", () => this.toggleHDR(), "H");
    buttons.hdr.setAttribute("aria-pressed", false);
    buttons.hdr.hidden = true;
    find("view-bar").append(
      buttons.previous, buttons.next, buttons.before, buttons.split, buttons.hdr, this.live.button,
      iconButton("fit", "Fit the picture", () => this.#viewer.fit(), "0"), this.#zoomWords);
  }

  /** Says whether the list has a photo before this one, and one after it. */
  showNeighbors(hasPrevious, hasNext) {
    const { previous, next } = this.#buttons;
    const isFocused = [previous, next].includes(document.activeElement);
    previous.disabled = !hasPrevious;
    next.disabled = !hasNext;
    // The keyboard goes on from the button that is left, or from the picture.
    if (isFocused && document.activeElement.disabled) (hasPrevious ? previous : hasNext ? next : find("stage")).focus();
  }

  /** Shows the photo before its edit while it is held. */
  hold(isHeld) {
    if (this.#tab === "crop" || this.#viewer.comparing === "split") return;
    this.compare(isHeld ? "hold" : "none");
  }

  /** Shows before and after: "none", "hold" or "split". */
  compare(mode) {
    if (this.#viewer.comparing === mode) return;
    if (mode === "split" && this.#tab === "crop") this.choose("adjust");
    this.#viewer.compare(mode);
    this.#buttons.split?.setAttribute("aria-pressed", mode === "split");
    this.#pictures.refresh();
  }

  toggleSplit() { this.compare(this.#viewer.comparing === "split" ? "none" : "split"); }

  /** Shows light above white where the photo has some, or the picture that every screen shows. */
  toggleHDR() {
    if (this.#buttons.hdr.hidden) return;
    this.#pictures.isHDR = !this.#pictures.isHDR;
    this.#buttons.hdr.setAttribute("aria-pressed", this.#pictures.isHDR);
  }

  zoomBy(factor) { this.#viewer.zoomTo(this.#viewer.zoom * factor); }
  fit() { this.#viewer.fit(); }
  toggleZoom() { if (this.#viewer.isFitting) this.#viewer.zoomTo(1); else this.#viewer.fit(); }
  pan(x, y) { this.#viewer.pan(x, y); }
  get isZoomed() { return !this.#viewer.isFitting; }

  /** Waits for a press on something gray, or stops waiting. */
  pickGray(isPicking = !this.#viewer.stage.classList.contains("picking")) {
    if (isPicking === this.#viewer.stage.classList.contains("picking")) return;
    if (isPicking && !this.#editing.mayChange()) return;
    if (isPicking && this.#tab !== "adjust") this.choose("adjust");
    this.#viewer.pick(isPicking);
    this.#buttons.gray.setAttribute("aria-pressed", isPicking);
  }

  async #pickGray(place) {
    this.pickGray(false);
    await guarded(async () => {
      const done = await this.#editing.operate(() => [{ operation: "auto", gray: place }]);
      for (const note of done?.notes ?? []) say(note);
    });
  }

  /** Sets tone and white balance, or what is asked for, by what is in the photo. */
  async #auto(facts) {
    await guarded(async () => {
      const { id } = this.#editing;
      const done = await this.#editing.operate(() => [{ operation: "auto", ...facts }]);
      if (!done) return;
      const { before, next, notes } = done;
      for (const note of notes) say(note);
      if (next.equals(before)) {
        if (notes.length === 0) say("Nothing needs to be changed.");
        return;
      }
      const replaced = before.differing(next);
      if (replaced.length === 0) return;
      const names = replaced.map(option => title(option).toLowerCase());
      const list = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
      const back = () => { if (this.#editing.id === id && this.#editing.stack.equals(next)) this.#editing.undo(); };
      say(`Auto replaced the values that you had set: ${list}.`, {
        actions: [{ label: "Put back", act: () => guarded(back) }],
      });
    });
  }

  auto() { return this.#auto({}); }

  save() { return guarded(() => this.#editing.save()); }
  undo() { return guarded(() => this.#editing.undo()); }
  redo() { return guarded(() => this.#editing.redo()); }

  async favorite() {
    const { photo, isReadOnly } = this.#editing;
    if (!photo || (isReadOnly && !this.#editing.mayChange())) return;
    await guarded(async () => {
      const favorite = !photo.asset.favorite;
      await api.mark([photo.id], { favorite });
      photo.asset.favorite = favorite;
      this.#showState();
      this.dispatchEvent(new CustomEvent("marked", { detail: { id: photo.id, favorite } }));
    });
  }

  copy() {
    if (!this.#editing.photo) return;
    copy(this.#editing.stack, this.#editing.photo.name);
    say(`Copied the edit of ${this.#editing.photo.name}.`);
  }

  async paste() {
    if (!this.#editing.mayChange()) return;
    const kept = copied(this.#editing.table);
    if (!kept) {
      say("No edit was copied yet.", { isTrouble: true });
      return;
    }
    const choice = await choose(kept, this.#editing.table, 1);
    if (choice) this.#editing.change(pasted(this.#editing.stack, kept.stack, choice.ids));
  }

  #showState() {
    const {
      photo, isDirty, isChanged, isHeld, isSaving, isOperating, isReadOnly, isBroken, trouble, isFixed,
    } = this.#editing;
    const buttons = this.#buttons;
    find("photo-name").textContent = photo?.name ?? "";
    buttons.undo.disabled = isFixed || !this.#editing.canUndo;
    buttons.redo.disabled = isFixed || !this.#editing.canRedo;
    buttons.discard.hidden = isFixed || !(isDirty || isChanged);
    for (const name of ["auto", "gray", "paste"]) buttons[name].disabled = isFixed;
    buttons.favorite.disabled = isReadOnly || !photo;
    buttons.copy.disabled = !photo;
    this.live.show(photo);
    const isHDR = Boolean(photo?.original?.gainMap ?? photo?.original?.hdrPixels);
    buttons.hdr.hidden = !isHDR;
    if (photo && !isHDR && this.#pictures.isHDR) {
      this.#pictures.isHDR = false;
      buttons.hdr.setAttribute("aria-pressed", false);
    }
    buttons.favorite.setAttribute("aria-pressed", Boolean(photo?.asset?.favorite));
    const later = isHeld ? "Saved after cropping" : "Not saved yet";
    const settled = isDirty ? later : photo?.edit ? "Saved" : "";
    const words = isReadOnly ? "Read only" : isSaving ? "Saving…" : isOperating ? "Working…" : trouble ? `Not saved: ${trouble}` : settled;
    if (find("saving").textContent !== words) find("saving").textContent = words;
    find("saving").classList.toggle("trouble", Boolean(trouble) && !isSaving);
    document.title = photo ? `${isDirty ? "• " : ""}${photo.name} – Safelight` : "Safelight";
  }

  #showElsewhere() {
    const host = find("elsewhere");
    host.hidden = !this.#editing.isElsewhere;
    if (host.hidden) return;
    const save = () => {
      this.#editing.putOnTop();
      this.save();
    };
    host.replaceChildren(
      "This photo was changed elsewhere. Your changes are shown on top of the new state.",
      textButton("Save them", save, { action: "on-top", class: "main" }),
      textButton("Drop my changes", () => this.#editing.discard({ isAll: false }), { action: "drop-mine" }));
  }

  #showTrouble(error) {
    const stage = find("stage");
    stage.querySelector(".stage-trouble")?.remove();
    if (!error || error.name === "AbortError") return;
    // A picture that is seen stays. That the server is away is said above.
    const isBeside = this.#pictures.isShown;
    if (isBeside && error instanceof api.Unreachable) return;
    const again = textButton("Try again", () => {
      if (this.#editing.photo) this.#pictures.refresh();
      else this.#openAgain();
    });
    stage.append(make(
      "div", { class: isBeside ? "stage-trouble beside" : "stage-trouble", role: "alert" }, icon("broken"), make("p", {}, error.message),
      error.hint && make("p", {}, error.hint), again));
  }

  #showZoom() {
    this.#zoomWords.textContent = `${Math.round(this.#viewer.zoom * 100)} %`;
    const now = this.#zoomWords.textContent;
    this.#zoomWords.setAttribute("aria-label", `Zoom ${now}; press for 100 % or the whole picture`);
  }
}
