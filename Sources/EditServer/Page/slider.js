// One parameter as a slider with a number beside it. Everything about it comes from the parameter table.

import { limited, make, newId } from "./dom.js";
import { measured, plain, stepOf } from "./words.js";

/** Positions of a slider whose scale is logarithmic. */
const POSITIONS = 1000;

/**
 * Makes a slider.
 *
 * @param {object} parameter From the table: name, minimum, maximum, unit, default, summary.
 * @param {string} label What people call it.
 * @param {(value: number, isDone: boolean) => void} changed Called while it moves, and once with `true` at the end.
 * @returns {{element: HTMLElement, show: (value: number) => void, disable: (isDisabled: boolean) => void}}
 */
export function slider(parameter, label, changed) {
  const scale = scaleOf(parameter);
  const id = newId("slider");
  const range = make("input", {
    type: "range", id, min: scale.first, max: scale.last, step: scale.step,
    title: `${parameter.summary} Double click resets.`,
    data: { option: parameter.option ?? parameter.name, unit: parameter.unit ?? "" },
  });
  const number = make("input", {
    type: "text", class: "number", inputMode: "decimal", autocomplete: "off", "aria-label": `${label}, as a number`,
    data: { number: parameter.option ?? parameter.name },
  });
  const words = make("label", { for: id, title: parameter.summary }, label);
  const element = make("div", { class: "slider" }, words, number, range);
  let value = parameter.default;
  /** The text that stood in the field before somebody typed. It has fewer digits than the value may have. */
  let written;

  const show = next => {
    value = next;
    range.value = scale.position(next);
    range.setAttribute("aria-valuetext", measured(next, parameter));
    if (document.activeElement !== number) number.value = measured(next, parameter);
    const share = position => ((position - scale.first) / (scale.last - scale.first)) * 100;
    const [neutral, here] = [share(scale.position(parameter.default)), share(scale.position(next))];
    range.style.setProperty("--from", `${Math.min(neutral, here)}%`);
    range.style.setProperty("--to", `${Math.max(neutral, here)}%`);
    element.classList.toggle("set", next !== parameter.default);
  };
  const set = (next, isDone) => {
    show(next);
    changed(next, isDone);
  };
  const moveBy = change => set(
    rounded(limited(value + change, parameter.minimum, parameter.maximum), parameter), true);
  const reset = () => { if (value !== parameter.default) set(parameter.default, true); };

  const touch = slideByTouch(range, isDone => {
    if (isDone) changed(value, true);
    else set(scale.value(Number(range.value)), false);
  });
  range.addEventListener("input", () => { if (!touch.undoes()) set(scale.value(Number(range.value)), false); });
  range.addEventListener("change", () => { if (!touch.undoes()) changed(value, true); });
  range.addEventListener("keydown", event => {
    const direction = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Delete" || event.key === "Backspace") reset();
    // A step of a bent scale is no step of the value.
    else if (direction && scale.isBent) moveBy(direction * stepOf(parameter));
    else return;
    event.preventDefault();
  });
  element.addEventListener("dblclick", event => { if (event.target !== number) reset(); });

  const write = () => { number.value = written = plain(value, parameter); };
  number.addEventListener("focus", () => {
    write();
    number.select();
  });
  const take = () => {
    // Looking at a value does not round it.
    if (number.value === written) return;
    const typed = Number.parseFloat(number.value.replace(",", ".").replace("−", "-"));
    if (Number.isFinite(typed)) {
      const next = limited(typed, parameter.minimum, parameter.maximum);
      if (next !== value) set(parameter.type === "integer" ? Math.round(next) : next, true);
    }
  };
  number.addEventListener("blur", () => {
    take();
    number.value = measured(value, parameter);
  });
  number.addEventListener("keydown", event => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.key === "Enter") {
      take();
      write();
      number.select();
    } else if (event.key === "Escape") {
      write();
      range.focus();
    } else if (direction) {
      event.preventDefault();
      moveBy(direction * stepOf(parameter) * (event.shiftKey ? 10 : 1));
      write();
    }
  });
  show(value);
  return {
    element, show,
    disable(isDisabled) { range.disabled = number.disabled = isDisabled; },
  };
}

/** Pixels that a finger may tremble before it moves something. */
const TREMBLE = 8;

/**
 * Lets a finger move a slider sideways, from where the knob is, and never by a touch alone: a movement up or down that
 * begins on it scrolls. Browsers would move the knob to where the finger touches.
 *
 * @param {HTMLInputElement} range The slider; styles give it `touch-action: pan-y`.
 * @param {(isDone: boolean) => void} moved Called while it moves, and with `true` at the end.
 * @returns {{undoes: () => boolean}} For events of the browser's own: whether the knob is put back, since only a finger
 *   touched it.
 */
export function slideByTouch(range, moved) {
  let touch;
  range.addEventListener("pointerdown", event => {
    touch = event.pointerType === "touch" && !range.disabled
      ? { id: event.pointerId, x: event.clientX, y: event.clientY, from: Number(range.value), isMoving: false } : undefined;
    if (touch) touch.at = touch.from;
  });
  range.addEventListener("pointermove", event => {
    if (touch?.id !== event.pointerId || touch.isOver) return;
    const across = event.clientX - touch.x;
    if (!touch.isMoving) {
      if (Math.abs(across) < TREMBLE || Math.abs(across) <= Math.abs(event.clientY - touch.y)) return;
      touch.isMoving = true;
      touch.x = event.clientX;
      range.setPointerCapture(event.pointerId);
      return;
    }
    const [first, last] = [Number(range.min), Number(range.max)];
    const position = limited(touch.from + (across / range.clientWidth) * (last - first), first, last);
    if (position === touch.at) return;
    touch.at = position;
    range.value = position;
    moved(false);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    range.addEventListener(name, event => {
      if (touch?.id !== event.pointerId || touch.isOver) return;
      // What the browser still makes of this touch, such as the press of a mouse, changes nothing.
      touch.isOver = true;
      if (touch.isMoving) moved(true);
    });
  }
  range.addEventListener("touchmove", event => { if (touch?.isMoving && event.cancelable) event.preventDefault(); }, { passive: false });
  return {
    undoes() {
      if (!touch) return false;
      range.value = touch.at;
      return true;
    },
  };
}

/** The value without digits that nobody chose. */
function rounded(value, parameter) { return Number(plain(value, parameter)); }

/**
 * How positions of the slider and values belong together. A range over a factor of ten or more is even in its
 * logarithm, so that gamma's 1 lies in the middle of 0.1 to 10.
 */
function scaleOf(parameter) {
  const { minimum, maximum, unit } = parameter;
  if (unit === "degrees" && minimum === -maximum && stepOf(parameter) < 1) return bent(parameter);
  if (minimum > 0 && maximum / minimum >= 10) {
    const span = Math.log(maximum / minimum);
    return {
      first: 0, last: POSITIONS, step: 1,
      position: value => (Math.log(value / minimum) / span) * POSITIONS, isBent: false,
      value: position => {
        const value = Math.min(Math.max(minimum * Math.exp((position / POSITIONS) * span), minimum), maximum);
        // The neutral value can be found again by hand.
        const neutral = (Math.log(parameter.default / minimum) / span) * POSITIONS;
        return Math.abs(position - neutral) < 0.75 ? parameter.default : rounded(value, parameter);
      },
    };
  }
  return {
    first: minimum, last: maximum, step: stepOf(parameter),
    position: value => value,
    value: position => rounded(position, parameter),
  };
}

/** How far the middle of a bent scale moves a value, as a share of an even one. */
const FINE = 0.2;

/** A scale that is fine in the middle: a pixel there is a tenth of a degree, and the ends are in reach. */
function bent(parameter) {
  const half = POSITIONS / 2;
  const share = at => FINE * at + (1 - FINE) * at ** 3;
  return {
    first: -half, last: half, step: 1, isBent: true,
    position(value) {
      const wanted = value / parameter.maximum;
      let [low, high] = [-1, 1];
      for (let round = 0; round < 40; round += 1) {
        const middle = (low + high) / 2;
        if (share(middle) < wanted) low = middle; else high = middle;
      }
      return Math.round(low * half);
    },
    value: position => rounded(share(position / half) * parameter.maximum, parameter),
  };
}
