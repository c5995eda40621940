// The sliders of all adjustments. They are made from the parameter table, so a new adjustment appears by itself.

import { curve } from "./curve.js";
import { make, newId, textButton } from "./dom.js";
import { slider } from "./slider.js";
import { title } from "./words.js";

/** The groups in the order of the panel. Geometry has its own tab, and looks have theirs. */
const GROUPS = ["light", "color", "detail", "effects"];
/** Groups that are open at first. */
const OPEN = ["light", "color"];
/** More sliders than this are folded away under the adjustment's name. */
const MOST_IN_SIGHT = 3;

/**
 * Makes the panel.
 *
 * @param {Table} table The adjustments.
 * @param {Editing} editing The photo's edit, which the sliders show and change.
 * @returns {{element: HTMLElement, showTones: (bins: Uint8Array) => void}}
 */
export function panel(table, editing) {
  const curves = [];
  const groups = GROUPS.map(group => {
    const adjustments = table.adjustments.filter(adjustment => adjustment.group === group);
    return make(
      "details", { class: "group", open: OPEN.includes(group) }, make("summary", {}, title(group)),
      ...adjustments.flatMap(adjustment => rows(adjustment, editing, curves)));
  });
  const element = make("div", { class: "sliders" }, ...groups);
  return { element, showTones(bins) { for (const each of curves) each.showTones(bins); } };
}

/** The sliders of geometry, for the tab Crop: what is neither a rectangle nor a turn by quarters. */
export function geometrySliders(table, editing) {
  return table.adjustments.filter(({ group }) => group === "geometry")
    .flatMap(adjustment => adjustment.parameters
      .filter(({ type, unit }) => type === "number" && unit !== "share")
      .map(parameter => row(adjustment, parameter, title(parameter.option), editing)));
}

/** What stands in the panel for one adjustment. */
function rows(adjustment, editing, curves) {
  const parameters = adjustment.parameters.filter(parameter => parameter.option);
  const [main, ...others] = parameters;
  if (parameters.some(({ type }) => type === "curve")) {
    return [folded(adjustment, editing, curveEditor(adjustment, parameters, editing, curves))];
  }
  if (main.name === "amount" && others.length > 0) {
    return [
      row(adjustment, main, title(adjustment.id), editing),
      folded(adjustment, editing, named(adjustment, others, editing), `More of ${title(adjustment.id).toLowerCase()}`),
    ];
  }
  const isPlain = parameters.length <= MOST_IN_SIGHT && parameters.every(({ type }) => type !== "mix");
  if (isPlain) {
    return parameters.map(parameter => row(adjustment, parameter, title(parameter.option), editing));
  }
  return [folded(adjustment, editing, grouped(adjustment, parameters, editing))];
}

/** Rows under the adjustment's name, which need not say it again. */
function named(adjustment, parameters, editing) {
  return parameters.map(parameter => row(adjustment, parameter, title(parameter.name), editing));
}

/** A fold with the adjustment's name, marked while the edit has the adjustment. */
function folded(adjustment, editing, content, words = title(adjustment.id)) {
  const summary = make("summary", { title: adjustment.summary }, words);
  const element = make("details", { class: "fold" }, summary, ...content);
  editing.addEventListener("stack", () => {
    summary.classList.toggle("set", Boolean(editing.stack.entry(adjustment.id)));
  });
  return element;
}

/**
 * Parameters that come in groups by the first word of their names, such as redHue, redSaturation and redLuminance: one
 * group is seen at a time, chosen by a button. A word that is a color gets a button of this color.
 */
function grouped(adjustment, parameters, editing) {
  const groups = new Map();
  for (const parameter of parameters) {
    const word = parameter.type === "mix" ? parameter.name : /^[a-z]+(?=[A-Z])/.exec(parameter.name)?.[0];
    const isGroup = word && (parameter.type === "mix"
      || parameters.filter(({ name }) => name.startsWith(word) && /^[A-Z]/.test(name.slice(word.length))).length > 2);
    const name = isGroup ? word : "all";
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(parameter);
  }
  if (groups.size === 1) return named(adjustment, parameters, editing);

  const parts = [...groups].map(([name, members]) => {
    const content = members.flatMap(parameter => {
      if (parameter.type === "mix") return mixRows(adjustment, parameter, editing);
      const label = name === "all" ? parameter.name : parameter.name.slice(name.length);
      return [row(adjustment, parameter, title(label), editing, name)];
    });
    const facts = { class: "part", role: "group", "aria-label": title(name), data: { part: name } };
    return { name, members, element: make("div", facts, ...content) };
  });
  const chooser = segments(
    `Part of ${title(adjustment.id).toLowerCase()}`, parts.map(({ name }) => name),
    chosen => { for (const { name, element } of parts) element.hidden = name !== chosen; });
  editing.addEventListener("stack", () => {
    parts.forEach(({ members }, n) => {
      const isSet = members.some(parameter =>
        JSON.stringify(editing.stack.value(adjustment.id, parameter.name)) !== JSON.stringify(parameter.default));
      chooser.buttons[n].classList.toggle("set", isSet);
    });
  });
  return [chooser.element, ...parts.map(({ element }) => element)];
}

/** Buttons of which one is pressed. */
function segments(label, names, chosen) {
  const name = newId("segments");
  const isColored = names.every(each => each === "all" || CSS.supports("color", each));
  const buttons = names.map((value, n) => {
    const input = make("input", {
      type: "radio", name, value, checked: n === 0, "aria-label": title(value), on: { change: () => chosen(value) },
    });
    return make(
      "label", { class: isColored ? "swatch" : "segment", title: title(value), data: { value } }, input,
      isColored && value !== "all" ? make("span", { class: "color" }) : title(value));
  });
  chosen(names[0]);
  return { element: make("div", { class: "segments", role: "radiogroup", "aria-label": label }, ...buttons), buttons };
}

/** One parameter's control. */
function row(adjustment, parameter, label, editing, part) {
  const { id } = adjustment;
  const change = (value, isDone) => editing.set(id, parameter.name, value, isDone);
  let control;
  if (parameter.type === "choice") control = chooser(parameter, label, change);
  else if (parameter.type === "boolean") control = checkbox(parameter, label, change);
  else if (parameter.maximum - parameter.minimum > 1e6) control = field(parameter, label, change);
  else control = slider(parameter, label, change);
  if (part) control.element.dataset.part = part;
  control.element.dataset.parameter = parameter.name;
  editing.addEventListener("stack", () => {
    control.show(editing.stack.value(id, parameter.name));
    control.disable?.(editing.isFixed || editing.stack.isNewer(id));
  });
  return control.element;
}

function chooser(parameter, label, changed) {
  const select = make(
    "select",
    {
      title: parameter.summary, data: { option: parameter.option }, on: { change: () => changed(select.value, true) },
    },
    ...parameter.values.map(value => make("option", { value }, title(value))));
  return {
    element: make("label", { class: "choice" }, label, select),
    show(value) { select.value = value; },
    disable(isDisabled) { select.disabled = isDisabled; },
  };
}

function checkbox(parameter, label, changed) {
  const input = make("input", {
    type: "checkbox", title: parameter.summary, data: { option: parameter.option },
    on: { change: () => changed(input.checked, true) },
  });
  return {
    element: make("label", { class: "check" }, input, label),
    show(value) { input.checked = value; },
    disable(isDisabled) { input.disabled = isDisabled; },
  };
}

/** A number whose size means nothing, such as a seed. */
function field(parameter, label, changed) {
  const input = make("input", {
    type: "number", min: parameter.minimum, max: parameter.maximum, step: 1, title: parameter.summary, class: "number",
    data: { option: parameter.option },
    on: { change: () => { if (input.checkValidity() && input.value !== "") changed(Number(input.value), true); } },
  });
  return {
    element: make("label", { class: "choice" }, label, input),
    show(value) { if (document.activeElement !== input) input.value = value; },
    disable(isDisabled) { input.disabled = isDisabled; },
  };
}

/** Three sliders for the shares of red, green and blue in one channel. */
function mixRows(adjustment, parameter, editing) {
  return ["red", "green", "blue"].map((color, n) => {
    const share = {
      ...parameter, type: "number", default: parameter.default[n], option: `${parameter.option}-${color}`,
      summary: `How much ${color} the new ${parameter.name} has.`,
    };
    const control = slider(share, `From ${color}`, (value, isDone) => {
      const mix = [...editing.stack.value(adjustment.id, parameter.name)];
      mix[n] = value;
      editing.set(adjustment.id, parameter.name, mix, isDone);
    });
    editing.addEventListener("stack", () => {
      control.show(editing.stack.value(adjustment.id, parameter.name)[n]);
      control.disable(editing.isFixed || editing.stack.isNewer(adjustment.id));
    });
    return control.element;
  });
}

/** The curves of an adjustment: one drawing, a channel at a time, and its choices. */
function curveEditor(adjustment, parameters, editing, curves) {
  const channels = parameters.filter(({ type }) => type === "curve");
  const others = parameters.filter(({ type }) => type !== "curve");
  let channel = channels[0].name;
  const drawing = curve((points, isDone) => editing.set(adjustment.id, channel, points, isDone));
  const show = () => drawing.show(editing.stack?.value(adjustment.id, channel) ?? channels[0].default, channel);
  const chooser = segments("Channel", channels.map(({ name }) => name), chosen => {
    channel = chosen;
    show();
  });
  const straighten = () => editing.set(adjustment.id, channel, editing.table.neutral(adjustment.id, channel));
  const reset = textButton("Straighten the curve", straighten, { class: "quiet" });
  editing.addEventListener("stack", () => {
    show();
    drawing.element.inert = reset.disabled = editing.isFixed || editing.stack.isNewer(adjustment.id);
    channels.forEach(({ name }, n) => chooser.buttons[n].classList.toggle("set",
      editing.stack.value(adjustment.id, name).some(([input, output]) => input !== output)));
  });
  curves.push(drawing);
  return [
    chooser.element, drawing.element,
    ...others.map(parameter => row(adjustment, parameter, title(parameter.name), editing)), reset,
  ];
}
