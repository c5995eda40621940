// The dialog that asks how pictures are written, and the download of each. It is made from the server's table of what can
// be asked of an output, so a new parameter appears by itself.

import * as api from "./api.js";
import { ask, guarded, say } from "./dialogs.js";
import { make } from "./dom.js";
import { count, title } from "./words.js";

/** Where the last choices are kept. */
const KEPT = "safelight-export";
/** Parameters that are in sight; the others are folded away. */
const IN_SIGHT = ["format", "quality", "longestSide", "sharpen", "profile"];

/**
 * Asks how photos are written, and downloads them.
 *
 * @param {string[]} ids The photos.
 */
export async function exportPhotos(ids) {
  if (ids.length === 0) return;
  const parameters = await api.outputs();
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  const fields = parameters.map(parameter => field(parameter, kept[parameter.name]));
  const isOriginal = make("input", { type: "checkbox", name: "original" });
  const isInSight = ({ parameter }) => IN_SIGHT.includes(parameter.name);
  const content = [
    ...fields.filter(isInSight).map(({ element }) => element),
    make("details", {}, make("summary", {}, "More"),
      ...fields.filter(each => !isInSight(each)).map(({ element }) => element),
      make("label", { class: "check" }, isOriginal, "Without the edit")),
  ];
  const facts = () => Object.fromEntries(fields.flatMap(({ parameter, value }) => {
    const given = value();
    return given === undefined ? [] : [[parameter.name, given]];
  }));
  // The first one shows whether the server takes what is asked for; the dialog stays until it does.
  const first = async () => download(ids[0], { ...facts(), original: isOriginal.checked });
  const question = ids.length === 1 ? "Export the photo" : `Export ${count(ids.length, "photo")}`;
  if (!await ask(question, content, { label: "Export", act: first })) return;
  localStorage.setItem(KEPT, JSON.stringify(facts()));
  await guarded(async () => {
    for (const id of ids.slice(1)) await download(id, { ...facts(), original: isOriginal.checked });
    say(`${count(ids.length, "photo")} exported.`);
  });
}

/** A control for a parameter, with what it says: nothing when it has what counts without it. */
function field(parameter, kept) {
  const { name, type, values, minimum, maximum, summary } = parameter;
  const neutral = parameter.default;
  const label = title(name);
  if (type === "boolean") {
    const input = make("input", { type: "checkbox", name, checked: kept ?? neutral ?? false });
    const element = make("label", { class: "check", title: summary }, input, label);
    return { parameter, element, value: () => (input.checked ? true : undefined) };
  }
  const isNumber = type === "number" || type === "integer";
  const input = values
    ? make("select", { name }, ...values.map(value => make("option", { value, selected: value === (kept ?? neutral) }, value)))
    : make("input", {
      name, type: isNumber ? "number" : "text", value: kept ?? neutral ?? "", autocomplete: "off", spellcheck: false,
      ...(isNumber ? { min: minimum, max: maximum, step: type === "integer" ? 1 : "any" } : {}),
    });
  const value = () => {
    const text = input.value.trim();
    if (text === "" || text === String(neutral ?? "")) return undefined;
    return isNumber ? Number(text) : text;
  };
  return { parameter, element: make("label", { class: "stacked", title: summary }, label, input), value };
}

/** Has a picture made, and saves it where the browser saves files. */
async function download(id, facts) {
  const { blob, name, warnings } = await api.exported(id, facts);
  const href = URL.createObjectURL(blob);
  make("a", { href, download: name }).click();
  // The browser reads it in its own time.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  if (warnings.length > 0) say(`${name}: ${warnings.join(" ")}`);
}
