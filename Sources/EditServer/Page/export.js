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
  const { parameters, formats, presets, problems } = await api.outputs();
  if (problems.length > 0) say(problems.join(" "));
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  // What counts where nothing else is said: the parameters of the chosen preset.
  const said = { output: presets.find(({ name }) => name === kept.preset)?.output ?? {}, preset: kept.preset };
  const fields = parameters.filter(({ name }) => name !== "preset" || presets.length > 0)
    .map(parameter => field(possible(parameter, formats, presets), kept[parameter.name], said));
  const chooser = fields.find(({ parameter }) => parameter.name === "preset")?.element.querySelector("select");
  chooser?.addEventListener("change", () => {
    said.preset = chooser.value;
    said.output = presets.find(({ name }) => name === chooser.value)?.output ?? {};
    for (const { parameter, fill } of fields) if (parameter.name !== "preset") fill();
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

/** A parameter with the values that can be here: formats that this machine writes, the presets. */
function possible(parameter, formats, presets) {
  if (parameter.name === "format" && formats) {
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

/**
 * A control for a parameter, with what it says: nothing when it has what counts without it.
 *
 * @param {object} parameter The row of the server's table.
 * @param kept The value of the last time.
 * @param {{output: object, preset: string}} said The parameters of the preset that is chosen. `fill` shows them.
 */
function field(parameter, kept, said) {
  const { name, type, values, minimum, maximum, summary } = parameter;
  const basis = () => (name === "preset" ? undefined : said.output[name]) ?? parameter.default;
  const label = title(name);
  if (type === "boolean") {
    const input = make("input", { type: "checkbox", name, checked: kept ?? basis() ?? false });
    const element = make("label", { class: "check", title: summary }, input, label);
    const fill = () => { input.checked = basis() ?? false; };
    return { parameter, element, fill, value: () => (input.checked === (basis() ?? false) ? undefined : input.checked) };
  }
  if (type === "file") return pictureField(parameter, basis);
  if (type === "profile") return profileField(parameter, kept, basis);
  const isNumber = type === "number" || type === "integer";
  const start = kept ?? basis();
  const input = values
    ? make("select", { name }, ...values.map(value => make("option", { value, selected: value === start }, value)))
    : make("input", {
      name, type: isNumber ? "number" : "text", value: start ?? "", autocomplete: "off", spellcheck: false,
      ...(isNumber ? { min: minimum, max: maximum, step: type === "integer" ? 1 : "any" } : {}),
    });
  const value = () => {
    const text = input.value.trim();
    // A choice without a word is a format that this machine does not write.
    if (text === String(basis() ?? "") || (values && text === "")) return undefined;
    if (text !== "") return isNumber ? Number(text) : text;
    if (said.output[name] === undefined) return undefined;
    if (parameter.default !== undefined && parameter.default !== null) return parameter.default;
    throw new Error(`“${label}” is part of “${said.preset}”. Choose no preset to leave it out.`);
  };
  const fill = () => { input.value = basis() ?? ""; };
  return { parameter, element: make("label", { class: "stacked", title: summary }, label, input), fill, value };
}

/** A control for a picture's file, with the name of the file that is kept. */
function pictureField(parameter, basis) {
  const { input, value } = fileField(parameter, "image/png,image/webp,image/tiff,image/jpeg");
  const note = make("small", {}, "");
  const fill = () => {
    input.value = "";
    note.textContent = basis() ? `Without another file: ${basis()}` : "";
  };
  fill();
  const element = make("label", { class: "stacked", title: parameter.summary }, title(parameter.name), input, note);
  return { parameter, element, fill, value };
}

/** A control for a color profile: one of the known ones, or a file. */
function profileField(parameter, kept, basis) {
  const { name, values, summary } = parameter;
  const { input, value: fromFile } = fileField(parameter, ".icc,.icm");
  input.name = "profile-file";
  input.hidden = true;
  input.setAttribute("aria-label", "Profile file");
  const own = make("option", { value: "kept" }, "");
  const select = make("select", { name },
    ...values.map(value => make("option", { value }, value)), own, make("option", { value: "file" }, "from a file…"));
  select.addEventListener("change", () => { input.hidden = select.value !== "file"; });
  const show = chosen => {
    // A preset can have a file's profile, of which the page knows the name.
    const isKnown = values.includes(basis());
    own.hidden = isKnown;
    own.disabled = isKnown;
    own.textContent = isKnown ? "" : basis();
    select.value = values.includes(chosen) ? chosen : isKnown ? basis() : "kept";
    input.hidden = true;
  };
  const fill = () => show(basis());
  show(kept ?? basis());
  const value = async () => {
    if (select.value !== "file") return select.value === "kept" || select.value === basis() ? undefined : select.value;
    const file = await fromFile();
    if (!file) throw new Error("Choose the profile's file.");
    return file;
  };
  const element = make("div", {},
    make("label", { class: "stacked", title: summary }, title(name), select), input);
  return { parameter, element, fill, value };
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
