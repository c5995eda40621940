// The keys of the whole page. Keys of one control stand with the control.

import { tell } from "./dialogs.js";
import { make } from "./dom.js";

/** What the help shows. */
const KEYS = [
  ["Everywhere", [["?", "This help"], ["/", "Search"], ["Esc", "Back, or choose nothing"]]],
  ["All photos", [
    ["Arrows, Page, Home, End", "Move; with Shift choose a range, with Ctrl only look"],
    ["Space", "Add to what is chosen, or take out"], ["Ctrl A", "Choose all"], ["Enter", "Open"], ["F", "Favorite"],
    ["C, V, also with Ctrl", "Copy an edit, paste it"], ["H", "Hide, or show again"], ["Delete", "Trash"],
  ]],
  ["One photo", [
    ["← →", "The photo before, the next; when zoomed in they move the picture"], ["B", "Hold: before the edit"],
    ["S", "Before and after side by side"], ["H", "Light above white, where the photo has some"],
    ["L", "Play the video of a Live Photo or motion photo, or stop it"], ["0, 1, + −", "Fit, 100 %, larger and smaller"], ["[ ]", "Turn left, right"],
    ["A", "Adjust automatically"], ["W", "Pick a gray: press on it, or arrows and Enter"], ["F", "Favorite"],
    ["1…5 with Alt", "Adjust, Filters, Crop, History, Info"], ["Ctrl Z, Ctrl Shift Z", "Undo, redo"],
    ["Ctrl C, Ctrl V", "Copy, paste the edit"], ["Ctrl S", "Save at once"], ["Esc in Crop", "Drop what was cropped"],
  ]],
  ["A slider", [["Arrows", "A step"], ["Page", "A large step"], ["Delete", "Reset; a double click too"]]],
  ["A curve", [["Arrows", "Move the point"], ["+", "Add a point"], ["Delete", "Remove the point"]]],
];

/** Shows the keys. */
export function help() {
  tell("Keys", KEYS.map(([place, rows]) => make("section", {}, make("h3", {}, place),
    make("dl", { class: "keys" }, ...rows.flatMap(
      ([key, words]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)])))));
}

const isTyping = event => {
  const { target } = event;
  return target.isContentEditable || target.tagName === "TEXTAREA" || target.tagName === "SELECT"
    || (target.tagName === "INPUT" && !["range", "checkbox", "radio"].includes(target.type));
};

/** Elements that have their own use of the arrow keys. */
const usesArrows = event =>
  event.target.matches("input, [role=slider], [role=tab], [role=radio], .frame, .frame *, summary");

/**
 * Listens to the page's keys.
 *
 * @param {object} parts The photo's view, the search, what can be done to chosen photos, how to `step` to another
 *   photo, what `escape` does, and how to `run` something that may fail.
 */
export function listen({ view, search, chosen, step, escape, run }) {
  const tabs = ["adjust", "looks", "crop", "past", "information"];
  document.addEventListener("keydown", event => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const isControl = event.ctrlKey || event.metaKey;
    const act = keyFor(event, isControl);
    if (!act) return;
    event.preventDefault();
    run(act);
  });
  document.addEventListener("keyup", event => { if (event.key.toLowerCase() === "b" && view.isOpen) view.hold(false); });
  addEventListener("blur", () => { if (view.isOpen) view.hold(false); });

  function keyFor(event, isControl) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (view.isOpen && isControl && !isTyping(event)) {
      if (key === "z") return () => (event.shiftKey ? view.redo() : view.undo());
      if (key === "y") return () => view.redo();
    }
    if (isControl && !isTyping(event)) {
      const host = view.isOpen ? view : chosen;
      if (key === "c" && getSelection().isCollapsed) return () => host.copy();
      if (key === "v") return () => host.paste();
    }
    if (view.isOpen && isControl && key === "s") return () => view.save();
    if (event.altKey && !isControl) {
      const tab = view.isOpen && tabs[Number(event.code.replace("Digit", "")) - 1];
      return tab ? () => view.choose(tab, true) : undefined;
    }
    if (isControl || isTyping(event)) return undefined;
    if (key === "?") return help;
    return view.isOpen ? keyOfPhoto(event, key) : keyOfGrid(event, key);
  }

  function keyOfGrid(event, key) {
    // On a control this key takes nothing away.
    if (key === "Delete" && event.target.matches("input")) return undefined;
    return {
      "/": () => search.focus(), f: () => chosen.favorite(), c: () => chosen.copy(), v: () => chosen.paste(),
      h: () => chosen.hide(),
      Delete: () => chosen.trash(), Escape: () => chosen.none(),
    }[key];
  }

  function keyOfPhoto(event, key) {
    if (key === "b") return () => { if (!event.repeat) view.hold(true); };
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (key in arrows) {
      if (usesArrows(event)) return undefined;
      const [x, y] = arrows[key];
      if (view.isZoomed) return () => view.pan(-x * 80, -y * 80);
      return x ? () => step(x) : undefined;
    }
    return {
      Escape: escape, s: () => view.toggleSplit(), 0: () => view.fit(), 1: () => view.toggleZoom(),
      "+": () => view.zoomBy(1.25), "=": () => view.zoomBy(1.25), "-": () => view.zoomBy(0.8),
      "[": () => view.crop.turn(-1), "]": () => view.crop.turn(1),
      a: () => view.auto(), w: () => view.pickGray(), f: () => view.favorite(),
      h: () => view.toggleHDR(), l: () => view.live.toggle(),
    }[key];
  }
}
