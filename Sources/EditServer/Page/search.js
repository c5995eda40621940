// What the grid shows: words, fields, albums, order. It ends up as parameters of `GET /v1/photos`.

import { find, make, newId, textButton } from "./dom.js";
import { whenQuiet } from "./latest.js";

const ORDERS = [
  ["Newest first", "creationDate:descending"], ["Oldest first", "creationDate"], ["Name", "filename"],
  ["Changed last", "modificationDate:descending"], ["Largest first", "pixelWidth:descending"],
];

/** Plain fields and the key of the catalog that each asks for. */
const FIELDS = [
  { label: "Camera", key: "camera", kind: "text" }, { label: "Lens", key: "lens", kind: "text" },
  { label: "Keyword", key: "keywords", kind: "text" }, { label: "Within 10 km of", key: "latitude", kind: "place" },
  { label: "Taken from", key: "creationDate", kind: "date", compare: ">=" },
  { label: "Taken until", key: "creationDate", kind: "date", compare: "<=" },
  { label: "Rating at least", key: "rating", kind: "number", compare: ">=" },
  { label: "ISO at least", key: "iso", kind: "number", compare: ">=" },
];

/** A condition that no photo meets: what is not understood is not left out. */
const NOTHING = "pixelWidth < 0";

/** Degrees of latitude in 10 km. */
const NEAR = 10 / 111.2;

/** Dispatches `changed` when another list is wanted, and `refused` when the condition is not understood. */
export class Search extends EventTarget {
  #words = find("search-words");
  #source = find("search-source");
  #order = find("search-sort");
  #more = find("search-more");
  #fields = find("search-fields");
  #inputs = [];
  #where;
  #whereWrong;
  #edited;
  /** What is said in place of photos when a field is not understood. */
  trouble;

  constructor(service) {
    super();
    const soon = whenQuiet(250, () => this.#changed());
    this.#words.addEventListener("input", soon);
    find("search").addEventListener("submit", event => {
      event.preventDefault();
      this.#changed();
    });
    this.#order.append(...ORDERS.map(([words, value]) => make("option", { value }, words)));
    this.#order.value = localStorage.getItem("safelight-order") ?? ORDERS[0][1];
    if (this.#order.selectedIndex < 0) this.#order.selectedIndex = 0;
    this.#order.addEventListener("change", () => {
      localStorage.setItem("safelight-order", this.#order.value);
      this.#changed();
    });
    this.#source.addEventListener("change", () => this.#changed());
    this.#more.addEventListener("click", () => this.#unfold(this.#fields.hidden));
    this.#makeFields(service, soon);
    this.showSources([], service.folders);
  }

  /** What is searched for, as parameters of the list. */
  get parameters() {
    const [kind, id] = this.#source.value.split(/:(.*)/s);
    const search = {
      search: this.#words.value.trim() || undefined, sort: this.#order.value, where: this.#predicate || undefined,
    };
    if (this.#edited.checked) search.edited = true;
    if (kind === "favorites") search.favorite = true;
    if (kind === "album") {
      search.album = id;
      if (this.#order.selectedIndex === 0) search.sort = undefined;
    }
    if (kind === "folder") search.folder = id;
    if (kind === "hidden") {
      search.hidden = true;
      search.where = [search.where, "hidden = 1"].filter(Boolean).join(" AND ");
    }
    if (kind === "trash") return { trash: true };
    return search;
  }

  get isTrash() { return this.#source.value === "trash"; }
  get isHidden() { return this.#source.value === "hidden"; }

  /** The album that is shown, or undefined. */
  get album() { return this.#source.value.startsWith("album:") ? this.#source.value.slice(6) : undefined; }

  /** Shows what there is to look at: all photos, favorites, albums, folders, the trash. */
  showSources(albums, folders) {
    const chosen = this.#source.value;
    const own = albums.filter(({ kind }) => kind === "album");
    this.#source.replaceChildren(
      make("option", { value: "all" }, "All photos"), make("option", { value: "favorites" }, "Favorites"),
      ...(own.length > 0 ? [make("optgroup", { label: "Albums" }, ...own.map(album =>
        make("option", { value: `album:${album.id}` }, `${album.title} (${album.count})`)))] : []),
      ...(folders.length > 1 ? [make("optgroup", { label: "Folders" }, ...folders.map(folder =>
        make("option", { value: `folder:${folder.id}`, title: folder.path }, folder.name)))] : []),
      make("option", { value: "hidden" }, "Hidden"), make("option", { value: "trash" }, "Trash"));
    this.#source.value = chosen;
    if (this.#source.selectedIndex >= 0) return;
    this.#source.selectedIndex = 0;
    // What was shown is not there any more, except at the beginning, when nothing was.
    if (chosen) this.#changed();
  }

  /** Searches for photos that were taken near a place, and nothing else. */
  near({ latitude, longitude }) {
    this.#empty();
    this.#inputs.find(({ kind }) => kind === "place").input.value = `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`;
    this.#unfold(true);
    this.#changed();
  }

  /** Empties all fields. */
  clear() {
    this.#empty();
    this.#changed();
  }

  #empty() {
    this.#words.value = "";
    this.#source.selectedIndex = 0;
    this.#edited.checked = false;
    for (const { input } of this.#inputs) input.value = "";
    this.#where.value = "";
  }

  #unfold(isOpen) {
    this.#fields.hidden = !isOpen;
    this.#more.setAttribute("aria-expanded", isOpen);
  }

  focus() { this.#words.select(); }

  #makeFields(service, soon) {
    const known = new Set(service.sortKeys);
    for (const field of FIELDS) {
      if (known.size > 0 && !known.has(field.key) && field.key !== "keywords") continue;
      const isPlace = field.kind === "place";
      const wrong = make("span", { class: "wrong", id: newId("wrong"), role: "alert", hidden: true });
      const input = make("input", {
        type: isPlace ? "text" : field.kind, min: field.kind === "number" ? 0 : undefined, on: { input: soon },
        placeholder: isPlace ? "54.18, 7.89" : "", title: isPlace ? "Latitude and longitude, in degrees" : "",
      });
      this.#inputs.push({ ...field, input, wrong });
      this.#fields.append(make("label", { class: "stacked" }, field.label, input, wrong));
    }
    this.#edited = make("input", { type: "checkbox", id: "edited-only", on: { change: () => this.#changed() } });
    this.#where = make("input", {
      type: "text", spellcheck: false, autocomplete: "off", placeholder: "pixelWidth > pixelHeight AND favorite = 1",
      title: `Keys: ${service.sortKeys.join(", ")}`, on: { change: () => this.#changed() },
    });
    this.#whereWrong = make("span", { class: "wrong", id: newId("wrong"), role: "alert", hidden: true });
    this.#fields.append(
      make("label", { class: "stacked whole" }, "Condition, as “edit library list --where” takes it", this.#where, this.#whereWrong),
      make("label", { class: "check" }, this.#edited, "Edited only"),
      textButton("Clear", () => this.clear(), { class: "quiet" }));
  }

  /** The fields as one predicate. */
  get #predicate() {
    const parts = this.#inputs.filter(({ input }) => input.value !== "").map(({ key, kind, compare, input }) => {
      const text = input.value.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
      if (key === "keywords") return `ANY keywords CONTAINS[cd] '${text}'`;
      if (kind === "text") return `${key} CONTAINS[cd] '${text}'`;
      if (kind === "number") return `${key} ${compare} ${Number(input.value)}`;
      if (kind === "place") return placed(input.value) ? around(placed(input.value)) : NOTHING;
      return `${key} ${compare} '${text}${compare === "<=" ? "T23:59:59" : ""}'`;
    });
    if (this.#where.value.trim()) parts.push(`(${this.#where.value.trim()})`);
    return parts.filter(Boolean).join(" AND ");
  }

  /** The server does not understand the condition. */
  refuse({ message, hint }) {
    this.trouble = hint ? `${message} ${hint}` : message;
    this.#unfold(true);
    complain(this.#where, this.#whereWrong, this.trouble);
    this.dispatchEvent(new CustomEvent("refused"));
  }

  /** Says beside each field what is not understood. */
  #check() {
    this.trouble = undefined;
    complain(this.#where, this.#whereWrong, "");
    for (const { kind, label, input, wrong } of this.#inputs) {
      const isPlace = kind === "place" && input.value.trim() !== "" && !placed(input.value);
      const words = isPlace ? `“${input.value.trim()}” is no place: write latitude and longitude, such as 54.18, 7.89.`
        : input.validity.badInput ? `This is no ${kind}.` : "";
      complain(input, wrong, words);
      if (words) this.trouble = `${label}: ${words}`;
    }
  }

  #changed() {
    this.#check();
    const { search, where, edited } = this.parameters;
    this.#more.classList.toggle("set", Boolean(where || edited));
    this.isNarrow = Boolean(search || where || edited || this.#source.selectedIndex > 0);
    this.dispatchEvent(new CustomEvent("changed"));
  }
}

/** Says what is wrong with a field, beside it; "" for nothing. */
function complain(input, wrong, words) {
  input.setCustomValidity(words);
  wrong.textContent = words;
  wrong.hidden = !words;
  if (words) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
  if (words) input.setAttribute("aria-describedby", wrong.id);
  else input.removeAttribute("aria-describedby");
}

/** A place as people write it: "54.18, 7.89" or "54.18° N, 7.89° W"; undefined when it is none. */
function placed(text) {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*°?\s*([NS]?)[\s,;]+(-?\d+(?:\.\d+)?)\s*°?\s*([EW]?)\s*$/i.exec(text.replaceAll("−", "-"));
  if (!found) return undefined;
  const latitude = Number(found[1]) * (found[2].toUpperCase() === "S" ? -1 : 1);
  const longitude = Number(found[3]) * (found[4].toUpperCase() === "W" ? -1 : 1);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** A predicate for the square of 20 km around a place. */
function around(place) {
  if (!place) return undefined;
  const { latitude, longitude } = place;
  const rows = `latitude >= ${latitude - NEAR} AND latitude <= ${latitude + NEAR}`;
  // At the poles all longitudes are near.
  const across = NEAR / Math.max(Math.cos((latitude * Math.PI) / 180), 1e-6);
  if (across >= 180) return rows;
  const [west, east] = [longitude - across, longitude + across];
  if (west < -180) return `${rows} AND (longitude >= ${west + 360} OR longitude <= ${east})`;
  if (east > 180) return `${rows} AND (longitude >= ${west} OR longitude <= ${east - 360})`;
  return `${rows} AND longitude >= ${west} AND longitude <= ${east}`;
}
