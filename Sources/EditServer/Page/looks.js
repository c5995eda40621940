// The filters as thumbnails of the photo with its other adjustments, saved or not, and the intensity of the one that is
// applied.

import * as api from "./api.js";
import { ask, askText, guarded } from "./dialogs.js";
import { iconButton, make, textButton } from "./dom.js";
import { whenQuiet } from "./latest.js";
import { slider } from "./slider.js";
import { Thumbnails } from "./thumbnails.js";

/** Pixels of a thumbnail's longer side. */
const SIZE = 240;

export class Looks {
  #editing;
  #thumbnails = new Thumbnails(60);
  #list = make("div", { class: "looks", role: "radiogroup", "aria-label": "Filters" });
  #intensity;
  #own = make("div", { class: "row" });
  #cancels = [];
  /** The buttons with the filters that they show, null for none, and the edits that their pictures show, as text. */
  #cards = [];
  /** Whether the filters are those of the server, as far as is known. */
  #isLoaded = false;
  /** The edit that the pictures show once they have come, as text. */
  #drawn;
  #isOn = false;
  #drawSoon;

  constructor(editing) {
    this.#editing = editing;
    const parameter = editing.table.parameter("filter", "intensity");
    this.#intensity = slider({ ...parameter, option: "intensity" }, "Intensity", (value, isDone) =>
      this.#editing.change(this.#editing.stack.setIntensity(value), isDone));
    this.element = make("div", {}, this.#list, this.#intensity.element, this.#own);
    this.#list.addEventListener("keydown", event => this.#key(event));
    this.#drawSoon = whenQuiet(300, () => this.#draw());
    editing.addEventListener("stack", () => this.#show());
    editing.addEventListener("state", () => this.#draw());
  }

  /** Fetches the filters, at first and when they changed. */
  async load() {
    this.#isLoaded = false;
    await guarded(async () => {
      const filters = await api.filters();
      this.#isLoaded = true;
      this.#cards = [null, ...filters].map(filter => this.#card(filter));
      this.#list.replaceChildren(...this.#cards.map(({ element }) => element));
      this.#own.replaceChildren(textButton("Save as filter…", () => this.#save(), { action: "save-filter" }));
      this.#drawn = undefined;
      this.#show();
    });
  }

  /** Thumbnails are made only while they can be seen. */
  turnOn(isOn) {
    this.#isOn = isOn;
    if (isOn) {
      this.#draw();
      return;
    }
    // What was on its way is asked for again next time.
    this.#drawn = undefined;
    this.#stop();
  }

  /** Asks again for filters and pictures that could not be had. */
  again() {
    if (!this.#isLoaded) this.load();
    this.#drawn = undefined;
    this.#draw();
  }

  #stop() {
    for (const cancel of this.#cancels) cancel();
    this.#cancels = [];
  }

  /** Another photo: the pictures of the one before go. */
  clear() {
    this.#stop();
    this.#drawn = undefined;
    for (const card of this.#cards) {
      card.picture.removeAttribute("src");
      card.shown = undefined;
    }
  }

  /** Asks for the pictures that are not right any more: all of them after a change of another kind. */
  #draw() {
    const { photo, stack } = this.#editing;
    if (!this.#isOn || !photo) return;
    const wanted = JSON.stringify([photo.id, photo.revision, stack.setFilter(null).entries]);
    if (this.#drawn === wanted) return;
    this.#drawn = wanted;
    this.#stop();
    this.#cancels = this.#cards.map((card, n) => {
      const { filter, picture, button } = card;
      if (card.shown === wanted) return () => {};
      const adjustments = stack.setFilter(filter).entries;
      const facts = { id: photo.id, revision: photo.revision, size: SIZE, adjustments, role: `look-${n}` };
      return this.#thumbnails.ask(facts, address => {
        if (address) {
          picture.src = address;
          card.shown = wanted;
        }
        button.classList.toggle("broken", !address);
      });
    });
  }

  #card(filter) {
    const picture = make("img", { alt: "", draggable: false });
    const button = make(
      "button",
      {
        type: "button", class: "look", role: "radio", "aria-checked": "false", tabindex: "-1", title: filter?.summary,
        data: { filter: filter?.name ?? "" }, on: { click: () => this.#choose(filter) },
      },
      picture, make("span", {}, filter?.title ?? "None"));
    const remove = filter?.own && iconButton("trash", `Remove the filter ${filter.title}`, () => this.#remove(filter));
    return { filter, picture, button, element: make("div", { class: "look-card" }, button, remove) };
  }

  #choose(filter) {
    const present = this.#editing.stack.filter;
    const intensity = present && filter ? present.intensity : 1;
    this.#editing.change(this.#editing.stack.setFilter(filter, intensity));
  }

  #show() {
    if (this.#isOn) this.#drawSoon();
    const applied = this.#editing.stack.filter;
    const name = applied?.name ?? "";
    let checked;
    for (const button of this.#list.querySelectorAll(".look")) {
      const isChecked = button.dataset.filter === name;
      button.setAttribute("aria-checked", isChecked);
      button.tabIndex = isChecked ? 0 : -1;
      if (isChecked) checked = button;
    }
    if (!checked) this.#list.querySelector(".look")?.setAttribute("tabindex", "0");
    this.#intensity.show(applied?.intensity ?? 1);
    this.#intensity.disable(!applied || this.#editing.isFixed);
    for (const button of this.element.querySelectorAll(".look-card > :not(.look), [data-action=save-filter]")) {
      button.disabled = this.#editing.isFixed;
    }
  }

  #key(event) {
    const buttons = [...this.#list.querySelectorAll(".look")];
    const at = buttons.indexOf(document.activeElement);
    const columns = Math.max(1, Math.round(this.#list.clientWidth / (buttons[0]?.parentElement.offsetWidth || 1)));
    const step = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -at, End: buttons.length - 1 - at,
    }[event.key];
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const next = buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)];
    next.focus();
    next.click();
  }

  async #save() {
    const { id } = this.#editing;
    if (!id) return;
    await askText("Save the edit as a filter", "Name", { maxLength: 60, placeholder: "Warm sand" }, async title => {
      if (this.#editing.id !== id) return;
      // The server takes the filter from the edit that is saved.
      if (!await this.#editing.save()) throw new Error(`The edit is not saved: ${this.#editing.trouble}`);
      if (this.#editing.id !== id) return;
      await api.saveFilter({ name: nameOf(title, this.#cards.map(({ filter }) => filter?.name)), title, from: id });
      await this.load();
    });
  }

  async #remove(filter) {
    const words = "Photos that have it keep their look: a filter is stored in each edit.";
    const action = { label: "Remove", isDangerous: true };
    if (!await ask(`Remove the filter “${filter.title}”?`, [make("p", {}, words)], action)) return;
    await guarded(async () => {
      await api.removeFilter(filter.name);
      await this.load();
    });
  }
}

/** A name for commands from a filter's title: "Été" is "ete"; one without Latin letters gets a name that is free. */
function nameOf(title, taken) {
  const plain = title.normalize("NFD").replace(/\p{M}+/gu, "").toLowerCase();
  const name = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  let number = 1;
  while (taken.includes(`filter-${number}`)) number += 1;
  return name || `filter-${number}`;
}
