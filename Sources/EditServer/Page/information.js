// What is known about the photo: camera, exposure, place, what is applied, and the files that belong to it.

import * as api from "./api.js";
import { guarded } from "./dialogs.js";
import { make, textButton } from "./dom.js";
import { exportPhotos } from "./export.js";
import { bytes, date, exposureTime, fileName, measured, moment, place, title } from "./words.js";

const FILES = {
  photo: "The original, never changed", pairedVideo: "The video taken with it", fullSizePairedVideo: "The edited video", adjustmentData: "The record of the edit", fullSizePhoto: "The edited picture",
  adjustmentBasePhoto: "What another program's edit starts from", alternatePhoto: "Another picture of the photo",
};

/** The information as elements, made anew for each photo. */
export class Information {
  element = make("div", { class: "information" });
  #editing;
  #near;

  /** @param {(place: object) => void} near Shows the photos near a place. */
  constructor(editing, near) {
    this.#editing = editing;
    this.#near = near;
    editing.addEventListener("state", () => this.#show());
    editing.addEventListener("stack", () => this.#showApplied());
  }

  #applied = make("ul", { class: "applied" });

  #show() {
    const { photo } = this.#editing;
    if (!photo) {
      this.element.replaceChildren();
      return;
    }
    const { original, asset = {} } = photo;
    const facts = [
      ["Name", photo.name],
      ["Title", asset.title],
      ["Caption", asset.caption ?? asset.description],
      ["Taken", date(asset.localDate ?? original.localDate ?? original.creationDate)],
      ["Size", `${original.pixelWidth} × ${original.pixelHeight}`],
      ["File", `${original.format.toUpperCase()}, ${bytes(original.bytes)}`],
      ["Camera", original.camera ?? asset.camera],
      ["Lens", asset.lens],
      ["Exposure", exposure(asset)],
      ["Place", original.location && this.#place(original.location)],
      ["Keywords", asset.keywords?.join?.(", ")],
      ["Rating", asset.rating > 0 ? "★".repeat(asset.rating) : undefined],
    ].filter(([, value]) => value);
    this.element.replaceChildren(
      make("dl", {}, ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])),
      make("h2", {}, "Applied"), this.#applied,
      ...(photo.warnings ?? []).map(text => make("p", { class: "warning" }, text)),
      make("h2", {}, "Files"),
      make("ul", { class: "files" }, ...photo.resources.map(resource => this.#file(photo, resource))),
      textButton("Export…", () => guarded(() => exportPhotos([photo.id])), { action: "export" }));
    this.#showApplied();
  }

  #place(location) {
    const here = textButton("Photos near here", () => this.#near(location), { class: "quiet", action: "near" });
    return make("span", {}, place(location), here);
  }

  #file(photo, { type, path }) {
    const kind = { photo: "original", fullSizePhoto: "render", pairedVideo: "original-video", fullSizePairedVideo: "video" }[type];
    const name = fileName(path);
    return make("li", {},
      kind ? make("a", { href: api.fileAddress(photo.id, kind), download: name }, name) : make("span", {}, name),
      make("small", {}, FILES[type] ?? type));
  }

  #showApplied() {
    const { stack, table, photo, isDirty } = this.#editing;
    const items = stack.entries.map(entry => make("li", {}, applied(entry, stack, table)));
    if (this.#editing.isForeign) {
      const editor = photo.edit.editor ?? photo.edit.formatIdentifier;
      items.push(make("li", {}, `An edit of ${editor}, kept as it is`));
    }
    if (items.length === 0) items.push(make("li", { class: "quiet-words" }, "Nothing"));
    const when = photo?.edit?.date && !isDirty ? `Saved ${moment(photo.edit.date)}` : isDirty ? "Not saved yet" : "";
    if (when) items.push(make("li", { class: "quiet-words" }, when));
    this.#applied.replaceChildren(...items);
  }
}

/** One adjustment in words, such as "Exposure +0.5". */
export function applied(entry, stack, table) {
  if (entry.id === "filter") {
    return entry.intensity < 1 ? `${entry.title}, intensity ${Math.round(entry.intensity * 100)} %` : entry.title;
  }
  const known = table.adjustment(entry.id);
  if (!known || stack.isNewer(entry.id)) return `${title(entry.id)}, of a newer version`;
  if (entry.id === "lut") return `Lookup table ${entry.title}`;
  if (entry.id === "crop") return cropped(entry, stack);
  const parts = known.parameters.flatMap(parameter => {
    const value = stack.value(entry.id, parameter.name);
    if (JSON.stringify(value) === JSON.stringify(parameter.default)) return [];
    const isMain = parameter.name === "amount" || (parameter.type === "curve" && parameter.name === "all");
    const words = isMain || !parameter.option ? "" : `${title(parameter.name).toLowerCase()} `;
    if (parameter.type === "number" || parameter.type === "integer") return [words + measured(value, parameter)];
    return [words + (Array.isArray(value) ? "" : value === true ? "" : value)];
  });
  return `${title(entry.id)} ${parts.join(", ")}`.trim();
}

/** How much of the width and of the height a crop leaves. */
function cropped({ id }, stack) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map(name => stack.value(id, name));
  const percent = share => `${Math.round(share * 100)} %`;
  return `Crop to ${percent(Math.min(width, 1 - x))} of the width, ${percent(Math.min(height, 1 - y))} of the height`;
}

function exposure({ exposureTime: seconds, aperture, iso, focalLength }) {
  return [
    seconds > 0 && exposureTime(seconds), aperture > 0 && `f/${Number(aperture.toFixed(1))}`, iso > 0 && `ISO ${iso}`,
    focalLength > 0 && `${Number(focalLength.toFixed(1))} mm`,
  ].filter(Boolean).join(", ");
}
