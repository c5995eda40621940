// The dialog that asks how pictures are written, and the download of each. It is made from the server's table of what can
// be asked of an output, so a new parameter appears by itself.

import * as api from "./api.js";
import { ask, guarded, say } from "./dialogs.js";
import { make } from "./dom.js";
import { count, title } from "./words.js";

/** Where the last choices are kept. */
const KEPT = "safelight-export";
/** Parameters that are in sight; the others are folded away. */
const IN_SIGHT = ["preset", "format", "quality", "longestSide", "sharpen", "profile", "watermark"];

/**
 * Asks how photos are written, and downloads them.
 *
 * @param {string[]} ids The photos.
 */
export async function exportPhotos(ids) {
  if (ids.length === 0) return;
  const { parameters, formats, presets } = await api.outputs();
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  const fields = parameters.filter(({ name }) => name !== "preset" || presets.length > 0)
    .map(parameter => field(possible(parameter, formats, presets), kept[parameter.name]));
  // What is kept counts where nothing else is said, so nothing else is said at first.
  fields.find(({ parameter }) => parameter.name === "preset")?.element.addEventListener("change", () => {
    for (const { parameter, clear } of fields) if (parameter.name !== "preset") clear?.();
  });
  const isOriginal = make("input", { type: "checkbox", name: "original" });
  const isInSight = ({ parameter }) => IN_SIGHT.includes(parameter.name);
  const content = [
    ...fields.filter(isInSight).map(({ element }) => element),
    make("details", {}, make("summary", {}, "More"),
      ...fields.filter(each => !isInSight(each)).map(({ element }) => element),
      make("label", { class: "check" }, isOriginal, "Without the edit")),
  ];
  const facts = async () => {
    const given = await Promise.all(fields.map(async ({ parameter, value }) => [parameter.name, await value()]));
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  };
  // The first one shows whether the server takes what is asked for; the dialog stays until it does.
  let chosen;
  const first = async () => {
    chosen = await facts();
    await download(ids[0], { ...chosen, original: isOriginal.checked });
  };
  const question = ids.length === 1 ? "Export the photo" : `Export ${count(ids.length, "photo")}`;
  if (!await ask(question, content, { label: "Export", act: first })) return;
  // Files are chosen anew each time.
  const words = Object.entries(chosen).filter(([, value]) => typeof value !== "object");
  localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(words)));
  await guarded(async () => {
    for (const id of ids.slice(1)) await download(id, { ...chosen, original: isOriginal.checked });
    say(`${count(ids.length, "photo")} exported.`);
  });
}

/** A parameter with the values that can be here: formats that this machine writes, outputs that are kept. */
function possible(parameter, formats, presets) {
  if (parameter.name === "format") {
    const written = new Set(formats.filter(({ writes }) => writes).map(({ name }) => name));
    return { ...parameter, values: parameter.values.filter(value => written.has(value)) };
  }
  if (parameter.name !== "preset") return parameter;
  return { ...parameter, default: "", values: ["", ...presets.map(({ name }) => name)] };
}

/** A control for a file, with its name and its bytes in Base64. */
function fileField(parameter, accept) {
  const input = make("input", { type: "file", name: parameter.name, accept });
  const value = async () => {
    const file = input.files[0];
    if (!file) return undefined;
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let start = 0; start < bytes.length; start += 32_768) {
      text += String.fromCharCode(...bytes.subarray(start, start + 32_768));
    }
    return { name: file.name, data: btoa(text) };
  };
  return { input, value };
}

/** A control for a parameter, with what it says: nothing when it has what counts without it. */
function field(parameter, kept) {
  const { name, type, values, minimum, maximum, summary } = parameter;
  const neutral = parameter.default;
  const label = title(name);
  if (type === "boolean") {
    const input = make("input", { type: "checkbox", name, checked: kept ?? neutral ?? false });
    const element = make("label", { class: "check", title: summary }, input, label);
    const clear = () => { input.checked = neutral ?? false; };
    return { parameter, element, clear, value: () => (input.checked ? true : undefined) };
  }
  if (type === "file") {
    const { input, value } = fileField(parameter, "image/png,image/webp,image/tiff,image/jpeg");
    return { parameter, element: make("label", { class: "stacked", title: summary }, label, input), value };
  }
  if (type === "profile") return profileField(parameter, kept);
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
  const clear = () => { input.value = neutral ?? ""; };
  return { parameter, element: make("label", { class: "stacked", title: summary }, label, input), clear, value };
}

/** A control for a color profile: one of the known ones, or a file. */
function profileField(parameter, kept) {
  const { name, values, summary } = parameter;
  const { input, value: fromFile } = fileField(parameter, ".icc,.icm");
  input.name = "profile-file";
  input.hidden = true;
  input.setAttribute("aria-label", "Profile file");
  const select = make("select", { name },
    ...values.map(value => make("option", { value, selected: value === (kept ?? parameter.default) }, value)),
    make("option", { value: "file" }, "from a file…"));
  select.addEventListener("change", () => { input.hidden = select.value !== "file"; });
  const value = () => {
    if (select.value === "file") return fromFile();
    return select.value === parameter.default ? undefined : select.value;
  };
  const element = make("div", {},
    make("label", { class: "stacked", title: summary }, title(name), select), input);
  const clear = () => {
    select.value = parameter.default;
    input.hidden = true;
  };
  return { parameter, element, clear, value };
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
