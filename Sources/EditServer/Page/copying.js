// Copying an edit, and pasting it with a choice of what.

import { ask } from "./dialogs.js";
import { make } from "./dom.js";
import { applied } from "./information.js";
import { Stack } from "./stack.js";
import { count } from "./words.js";

/** Copied edits go to the other tabs of this page too. */
const KEY = "safelight-copied";

/** Keeps an edit for pasting. */
export function copy(stack, name) {
  localStorage.setItem(KEY, JSON.stringify({ name, entries: stack.entries, values: stack.values }));
}

/** The copied edit, or null. */
export function copied(table) {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
  return kept && { name: kept.name, stack: new Stack(table, kept.entries, kept.values) };
}

/**
 * Asks which parts of the copied edit should be pasted.
 *
 * @returns {Promise<?{ids: string[], facts: object}>} The adjustments, and the same as options of `sync`; null when the
 *   question is left.
 */
export async function choose({ name, stack }, table, photos) {
  const boxes = [...new Set(stack.entries.map(({ id }) => id))].map(id => {
    const isGeometry = table.isGeometry(id);
    const words = stack.entries.filter(entry => entry.id === id).map(entry => applied(entry, stack, table)).join(", ");
    const box = make("input", { type: "checkbox", value: id, checked: !isGeometry, data: { geometry: isGeometry } });
    return { id, isGeometry, box, row: make("label", { class: "check" }, box, words) };
  });
  // Of an edit of nothing only this is left to be pasted.
  const isReplacing = make("input", { type: "checkbox", checked: stack.isEmpty });
  const content = [
    make("p", {}, stack.isEmpty
      ? `${name} has no edit. Pasting takes the adjustments of ${count(photos, "photo")} away; their crops stay.`
      : `From ${name} to ${count(photos, "photo")}:`),
    ...boxes.map(({ row }) => row),
    !stack.isEmpty && make("hr"),
    !stack.isEmpty && make("label", { class: "check" }, isReplacing, "Take away adjustments that are not in the copied edit"),
  ].filter(Boolean);
  if (!await ask("Paste the edit", content, { label: "Paste" })) return null;
  const chosen = boxes.filter(({ box }) => box.checked);
  const geometry = boxes.filter(({ isGeometry }) => isGeometry);
  const isAllOfLook = boxes.every(({ box, isGeometry }) => isGeometry || box.checked);
  const isAllOfGeometry = geometry.length > 0 && geometry.every(({ box }) => box.checked);
  const isNoGeometry = geometry.every(({ box }) => !box.checked);
  if (isReplacing.checked && isAllOfLook && isAllOfGeometry) return { ids: null, facts: { geometry: true } };
  if (isReplacing.checked && isAllOfLook && isNoGeometry) {
    return { ids: table.adjustments.filter(({ group }) => group !== "geometry").map(({ id }) => id), facts: {} };
  }
  const ids = isReplacing.checked
    ? [...new Set([...chosen.map(({ id }) => id), ...missing(stack, table)])] : chosen.map(({ id }) => id);
  return ids.length > 0 ? { ids, facts: { only: ids } } : null;
}

/** Adjustments that are not geometry and not in the edit: they are taken away. */
function missing(stack, table) {
  return table.adjustments.filter(({ id, group }) => group !== "geometry" && !stack.entry(id)).map(({ id }) => id);
}

/** An edit with parts of another: what `edit sync` does, for the photo that is open. */
export function pasted(stack, source, ids) {
  const isPart = ({ id }) => ids === null || ids.includes(id);
  return stack.with([...stack.entries.filter(entry => !isPart(entry)), ...source.entries.filter(isPart)]);
}
