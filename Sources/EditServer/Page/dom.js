// Small words for making elements. Every other file builds its part of the page with these.
//
// Styles are set through properties and never through `style` attributes, because the page's security policy
// forbids attributes.

import { ICONS } from "./icons.js";

/**
 * Makes an element.
 *
 * @param {string} name The tag, such as "button".
 * @param {object} [facts] Properties of the element. `class`, `for`, `role`, `tabindex` and names with a dash become
 *   attributes; `on` is an object of listeners, `style` one of CSS properties, `data` one of data attributes.
 * @param {...(Node|string|null|undefined|false)} children What stands inside.
 * @returns {HTMLElement}
 */
export function make(name, facts = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(facts)) {
    if (value === undefined || value === null) continue;
    if (key === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (key === "style") {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    } else if (key === "data") {
      for (const [word, text] of Object.entries(value)) element.dataset[word] = text;
    } else if (key === "class" || key === "for" || key === "role" || key === "tabindex" || key.includes("-")) {
      if (value !== false) element.setAttribute(key, value === true ? "" : value);
    } else {
      element[key] = value;
    }
  }
  element.append(...children.filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes an SVG element; all facts become attributes. */
export function draw(name, facts = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(facts)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A picture from icons.js, hidden from screen readers: the words beside it say the same. */
export function icon(name) {
  const path = draw("path", { d: ICONS[name] });
  return draw("svg", { class: `icon icon-${name}`, viewBox: "0 0 20 20", "aria-hidden": "true" }, path);
}

/**
 * A button with a picture and words for screen readers and for the pointer.
 *
 * @param {string} name The picture.
 * @param {string} label What it does.
 * @param {() => void} act Called when it is pressed.
 * @param {string} [key] The key that does the same, for the tip.
 */
export function iconButton(name, label, act, key) {
  return make(
    "button",
    {
      type: "button", class: "quiet", "aria-label": label, title: key ? `${label} (${key})` : label,
      "aria-keyshortcuts": key && key.length === 1 ? key : undefined, on: { click: act },
    },
    icon(name));
}

/**
 * A button with words.
 *
 * @param {string} words What it does.
 * @param {() => void} act Called when it is pressed.
 * @param {object} [facts] `action`, a word by which tests and styles find it, `picture`, the name of an icon before the
 *   words, and facts as `make` takes them.
 */
export function textButton(words, act, { action, picture, ...facts } = {}) {
  return make(
    "button", { type: "button", data: action ? { action } : {}, on: { click: act }, ...facts },
    picture && icon(picture), picture ? make("span", {}, words) : words);
}

/** The element with an id, which has to be there. */
export function find(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element “${id}”.`);
  return element;
}

let counted = 0;

/** An id that no other element has. */
export function newId(word) {
  counted += 1;
  return `${word}-${counted}`;
}

/** A number between two limits. */
export function limited(number, low, high) {
  return Math.min(Math.max(number, low), high);
}

/**
 * Follows a pointer from a press to its release, wherever it goes meanwhile.
 *
 * @param {PointerEvent} event The press.
 * @param {(event: PointerEvent) => void} moved Called for each movement.
 * @param {(isMoved: boolean) => void} [ended] Called once at the end, with whether the pointer went anywhere.
 */
export function follow(event, moved, ended) {
  const target = event.currentTarget;
  target.setPointerCapture(event.pointerId);
  let isMoved = false;
  const move = next => {
    if (next.pointerId !== event.pointerId) return;
    // Some browsers tell of a movement at the place of the press.
    isMoved ||= next.clientX !== event.clientX || next.clientY !== event.clientY;
    if (isMoved) moved(next);
  };
  const end = next => {
    if (next.pointerId !== event.pointerId) return;
    target.removeEventListener("pointermove", move);
    target.removeEventListener("pointerup", end);
    target.removeEventListener("pointercancel", end);
    ended?.(isMoved);
  };
  target.addEventListener("pointermove", move);
  target.addEventListener("pointerup", end);
  target.addEventListener("pointercancel", end);
}
