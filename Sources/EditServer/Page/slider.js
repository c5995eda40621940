// One parameter as a slider with a number beside it. Everything about it comes from the parameter table.

import { make, newId } from "./dom.js";
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
  const reset = () => { if (value !== parameter.default) set(parameter.default, true); };

  range.addEventListener("input", () => set(scale.value(Number(range.value)), false));
  range.addEventListener("change", () => changed(value, true));
  range.addEventListener("keydown", event => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    reset();
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
      const next = Math.min(Math.max(typed, parameter.minimum), parameter.maximum);
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
      const step = stepOf(parameter) * (event.shiftKey ? 10 : 1);
      set(rounded(Math.min(Math.max(value + direction * step, parameter.minimum), parameter.maximum), parameter), true);
      write();
    }
  });
  show(value);
  return {
    element, show,
    disable(isDisabled) { range.disabled = number.disabled = isDisabled; },
  };
}

/** The value without digits that nobody chose. */
function rounded(value, parameter) { return Number(plain(value, parameter)); }

/**
 * How positions of the slider and values belong together. A range over a factor of ten or more is even in its
 * logarithm, so that gamma's 1 lies in the middle of 0.1 to 10.
 */
function scaleOf(parameter) {
  const { minimum, maximum } = parameter;
  if (minimum > 0 && maximum / minimum >= 10) {
    const span = Math.log(maximum / minimum);
    return {
      first: 0, last: POSITIONS, step: 1,
      position: value => (Math.log(value / minimum) / span) * POSITIONS,
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
