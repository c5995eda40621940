// What can be done to the photos that are chosen in the grid.

import * as api from "./api.js";
import { choose, copied, copy } from "./copying.js";
import { ask, askText, guarded, say } from "./dialogs.js";
import { find, icon, iconButton, make } from "./dom.js";
import { exportPhotos } from "./export.js";
import { summary } from "./grid.js";
import { slideByTouch } from "./slider.js";
import { Stack } from "./stack.js";
import { count } from "./words.js";

/** More photos than this are asked about before they are changed. */
const MANY = 50;
/** What can be done to photos in the trash. */
const IN_TRASH = ["move-to-the-trash", "choose-nothing"];

export class Chosen {
  #parts;
  #buttons = [];
  /** A copy that is being made. */
  #copying;

  /** @param {object} parts photos, selection, search, jobs, table, service and albums(), which gives the albums. */
  constructor(parts) {
    this.#parts = parts;
    const { photos, selection, search, service } = parts;
    const add = (name, label, act, key, only) => {
      const button = iconButton(name, label, () => guarded(act), key);
      button.dataset.action = label.toLowerCase().replaceAll(" ", "-").replace("…", "");
      this.#buttons.push({ button, only });
      find("chosen-actions").append(button);
    };
    add("heart", "Favorite", () => this.favorite(), "F");
    add("auto", "Adjust automatically", () => this.#batch("auto", {}), undefined, "write");
    add("looks", "Apply a filter…", () => this.#filter(), undefined, "write");
    add("copy", "Copy the edit", () => this.copy(), "C", "one");
    add("paste", "Paste the edit…", () => this.paste(), "V", "write");
    add("undo", "Undo the last edit", () => this.#batch("undo", {}), undefined, "write");
    add("revert", "Revert…", () => this.#revert(), undefined, "write");
    add("export", "Export…", async () => exportPhotos(await this.#ids()), undefined, "read");
    add("album", "Add to an album…", () => this.#album());
    add("album", "Take out of the album", () => this.#takeOut(), undefined, "album");
    add("hide", "Hide", () => this.hide(), "H");
    add("trash", "Move to the trash", () => this.trash(), "Delete");
    add("close", "Choose nothing", () => this.none(), "Esc");
    const show = () => {
      find("summary").textContent = summary(photos, selection);
      find("chosen").classList.toggle("any", !selection.isEmpty);
      for (const { button, only } of this.#buttons) {
        button.hidden = selection.isEmpty || (only === "one" && selection.count !== 1) || (only === "album" && !search.album)
          || (search.isTrash && !IN_TRASH.includes(button.dataset.action))
          || (service.readOnly && button.dataset.action !== "choose-nothing" && !["one", "read"].includes(only));
        const label = {
          "move-to-the-trash": search.isTrash ? "Take out of the trash" : "Move to the trash",
          hide: search.isHidden ? "Show again among all photos" : "Hide",
        }[button.dataset.action];
        if (!label) continue;
        button.setAttribute("aria-label", label);
        if (button.dataset.action === "move-to-the-trash") {
          button.replaceChildren(icon(search.isTrash ? "restore" : "trash"));
        }
        button.title = `${label} (${button.dataset.action === "hide" ? "H" : "Delete"})`;
      }
    };
    selection.addEventListener("changed", show);
    for (const name of ["found", "changed", "page"]) photos.addEventListener(name, show);
    show();
  }

  none() { this.#parts.selection.none(); }

  /** Makes the chosen photos favorites, or, when the first is one, not. */
  async favorite() {
    const { photos, selection, search } = this.#parts;
    const ids = await this.#ids();
    if (ids.length === 0 || search.isTrash) return;
    const first = photos.at(photos.place(ids[0]) ?? selection.focus);
    const favorite = !first?.favorite;
    await api.mark(ids, { favorite });
    for (const id of ids) photos.update(id, { favorite });
  }

  async trash() {
    const { photos, selection, search } = this.#parts;
    const ids = await this.#ids();
    if (ids.length === 0) return;
    if (search.isTrash) {
      await api.restore(ids);
      await photos.reload();
    } else {
      await api.trash(ids);
      await photos.reload();
      say(`${count(ids.length, "photo")} moved to the trash. The files stay where they are.`, {
        actions: [{ label: "Undo", act: () => guarded(() => api.restore(ids)) }],
      });
    }
    selection.none();
  }

  /** Takes the chosen photos out of sight, or back among all photos. */
  async hide() {
    const { photos, selection, search } = this.#parts;
    const ids = await this.#ids();
    if (ids.length === 0 || search.isTrash) return;
    const hidden = !search.isHidden;
    const mark = async isHidden => {
      await api.mark(ids, { hidden: isHidden });
      await photos.reload();
    };
    await mark(hidden);
    selection.none();
    const words = hidden ? "hidden. They are still under “Hidden”." : "shown again.";
    say(`${count(ids.length, "photo")} ${words}`, {
      actions: [{ label: "Undo", act: () => guarded(() => mark(!hidden)) }],
    });
  }

  /** Copies the edit of the only chosen photo. */
  copy() {
    this.#copying = this.#copy();
    return this.#copying;
  }

  async #copy() {
    const { photos, selection, table } = this.#parts;
    const id = photos.at(selection.only)?.id;
    if (!id) return;
    const photo = await api.show(id);
    if (photo.edit && !photo.edit.adjustments) {
      say("The edit is another program's and cannot be copied.", { isTrouble: true });
      return;
    }
    copy(new Stack(table, photo.edit?.adjustments ?? [], photo.edit?.values ?? {}), photo.name);
    say(`Copied the edit of ${photo.name}.`);
  }

  /** Pastes the copied edit, with a choice of what. */
  async paste() {
    const { jobs, search, table } = this.#parts;
    if (search.isTrash) return;
    await this.#copying;
    const kept = copied(table);
    if (!kept) {
      say("No edit was copied yet. Choose one photo and copy its edit.", { isTrouble: true });
      return;
    }
    const ids = await this.#ids();
    if (ids.length === 0) return;
    const choice = await choose(kept, table, ids.length);
    if (choice) await jobs.start({ command: "sync", photos: ids, adjustments: kept.stack.entries, ...choice.facts });
  }

  async #filter() {
    // Those that are chosen now, whatever becomes of the list until the question is answered.
    const ids = await this.#ids();
    const filters = await api.filters();
    const select = make("select", {}, ...filters.map(({ name, title }) => make("option", { value: name }, title)));
    const intensity = make("input", { type: "range", min: 0, max: 100, value: 100 });
    const touch = slideByTouch(intensity, () => {});
    intensity.addEventListener("input", () => touch.undoes());
    const content = [["Filter", select], ["Intensity", intensity]].map(
      ([label, control]) => make("label", { class: "stacked" }, label, control));
    if (!await ask("Apply a filter", content, { label: "Apply" })) return;
    await this.#batch("apply", { filter: select.value, intensity: intensity.value / 100 }, ids);
  }

  async #revert() {
    const ids = await this.#ids();
    const words = "Their edits go, with the history and the edited pictures. The originals stay as they always were. "
      + "Photos with named versions keep their edit.";
    const action = { label: "Revert", isDangerous: true };
    if (!await ask(`Revert ${count(ids.length, "photo")}?`, [make("p", {}, words)], action)) return;
    await this.#parts.jobs.start({ command: "revert", photos: ids, options: {} }, { canUndo: false });
  }

  async #album() {
    const albums = (await this.#parts.albums()).filter(({ kind }) => kind === "album");
    const select = make(
      "select", {}, ...albums.map(({ id, title }) => make("option", { value: id }, title)),
      make("option", { value: "" }, "A new album…"));
    const ids = await this.#ids();
    const content = [make("label", { class: "stacked" }, "Album", select)];
    const question = `Add ${count(ids.length, "photo")} to an album`;
    if (albums.length > 0 && !await ask(question, content, { label: "Add" })) return;
    if (albums.length > 0 && select.value) {
      await api.changeAlbum(select.value, { add: ids });
    } else {
      await askText("A new album", "Name", { maxLength: 200 }, title => api.makeAlbum(title, ids));
    }
  }

  async #takeOut() {
    const { search, selection } = this.#parts;
    await api.changeAlbum(search.album, { remove: await this.#ids() });
    selection.none();
  }

  /** Does one command to all chosen photos, after a question when they are many. */
  async #batch(command, options, ids) {
    ids ??= await this.#ids();
    const words = [make("p", {}, "It can be cancelled and undone.")];
    if (ids.length > MANY && !await ask(`Change ${count(ids.length, "photo")}?`, words, { label: "Change" })) return;
    await this.#parts.jobs.start({ command, photos: ids, options });
  }

  #ids() { return this.#parts.selection.ids(this.#parts.photos); }
}
