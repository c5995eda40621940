// Cropping over the picture: a frame with handles and a grid, aspects, straightening, perspective, turns and mirrors.

import { guarded } from "./dialogs.js";
import { follow, iconButton, limited, make, textButton } from "./dom.js";
import { geometrySliders } from "./panel.js";

/** Aspects to choose from; null keeps none, "original" is the picture's own. */
const ASPECTS = [
  ["free", null], ["original", "original"], ["1:1", [1, 1]], ["5:4", [5, 4]], ["4:3", [4, 3]], ["3:2", [3, 2]],
  ["16:9", [16, 9]],
];
const HANDLES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
const HANDLE_NAMES = {
  nw: "Top left corner", n: "Top edge", ne: "Top right corner", e: "Right edge", se: "Bottom right corner",
  s: "Bottom edge", sw: "Bottom left corner", w: "Left edge",
};
/** The smallest side of a crop, as a share. */
const SMALLEST = 0.02;

export class Crop {
  #editing;
  #viewer;
  #frame;
  #panel;
  #aspect = null;
  #isOn = false;
  /** The edit before it was cropped, to go back to. */
  #mark;
  #aspects;
  #standing;
  #shown;

  /**
   * @param {Editing} editing The photo's edit.
   * @param {Viewer} viewer Shows the picture without its crop while this is on.
   * @param {() => void} auto Asks the server for a level picture.
   * @param {() => void} done Leaves the tools.
   */
  constructor(editing, viewer, auto, done) {
    this.#editing = editing;
    this.#viewer = viewer;
    this.#frame = this.#makeFrame();
    this.#panel = this.#makePanel(auto, done);
    viewer.stage.append(this.#frame);
    viewer.addEventListener("placed", () => this.#place());
    editing.addEventListener("state", () => {
      if (editing.id === this.#shown) return;
      this.#shown = editing.id;
      this.#free();
      this.#begin();
    });
    editing.addEventListener("stack", () => {
      this.#place();
      this.#frame.inert = editing.isFixed;
      for (const control of this.#panel.querySelectorAll("button, select")) control.disabled = editing.isFixed;
      for (const name of ["done-crop", "cancel-crop"]) {
        this.#panel.querySelector(`[data-action=${name}]`).hidden = !this.#isBegun;
      }
    });
  }

  get element() { return this.#panel; }

  /** Shows the frame, or takes it away. */
  turnOn(isOn) {
    this.#isOn = isOn;
    this.#viewer.lock(isOn);
    this.#place();
    this.#begin();
  }

  /** A crop is saved when its tools are left, so that it can be dropped until then. */
  #begin() {
    const isBegun = this.#isOn && Boolean(this.#editing.photo);
    this.#mark = isBegun ? this.#editing.mark() : undefined;
    const { isDirty, isOperating, isElsewhere } = this.#editing;
    // What was changed before is saved as ever, and what the server still computes then is no crop to be dropped.
    if (isBegun && (isDirty || isOperating) && !isElsewhere) guarded(() => this.#saveWhatWasBefore(this.#mark));
    this.#editing.hold(isBegun);
  }

  async #saveWhatWasBefore(mark) {
    const wasOperating = this.#editing.isOperating;
    await this.#editing.save();
    if (wasOperating && mark === this.#mark) this.#mark = this.#editing.mark();
  }

  /** Whether something was cropped and not saved. */
  get #isBegun() {
    const { isOperating, isDirty, stack } = this.#editing;
    return Boolean(this.#mark) && (isOperating || (isDirty && !stack.equals(this.#mark.stack)));
  }

  /** Drops what was cropped since the tools were opened; false when there is nothing. */
  cancel() {
    if (!this.#isBegun) return false;
    this.#editing.returnTo(this.#mark);
    this.#free();
    return true;
  }

  /** No aspect is kept any more. */
  #free() {
    this.#aspect = null;
    this.#isStanding = false;
    this.#aspects.value = "free";
    this.#standing.hidden = true;
    this.#standing.setAttribute("aria-pressed", false);
  }

  /** Turns the picture by a quarter; 1 is clockwise. */
  turn(direction) {
    return this.#operate(stack => {
      // A turn before a mirror is the opposite turn after it.
      const isMirrored = stack.value("flip", "horizontal") !== stack.value("flip", "vertical");
      const degrees = stack.value("rotate", "amount") + 90 * (isMirrored ? -direction : direction);
      return [{ operation: "rotate", degrees: (degrees + 360) % 360 }];
    });
  }

  /** Mirrors the picture as it is seen: left and right, or top and bottom. */
  #mirror(side) {
    return this.#operate(stack => {
      const sides = ["horizontal", "vertical"].filter(each => stack.value("flip", each) !== (each === side));
      return [{ operation: "flip", direction: sides.length === 2 ? "both" : sides[0] ?? "none" }];
    });
  }

  #operate(operations) { return guarded(() => this.#editing.operate(operations)); }

  get #rectangle() {
    const [x, y, width, height] = ["x", "y", "width", "height"].map(name => this.#editing.stack.value("crop", name));
    return { x, y, width, height };
  }

  #set({ x, y, width, height }, isDone) {
    // Shares of whole pixels, as the command line's rectangle of pixels has them.
    const { whole } = this.#viewer;
    const [left, top] = [Math.round(x * whole.width), Math.round(y * whole.height)];
    const [right, bottom] = [Math.round((x + width) * whole.width), Math.round((y + height) * whole.height)];
    this.#editing.change(this.#editing.stack.setAll("crop", {
      x: left / whole.width, y: top / whole.height, width: Math.max(right - left, 1) / whole.width,
      height: Math.max(bottom - top, 1) / whole.height,
    }), isDone);
  }

  #place() {
    const { box } = this.#viewer;
    this.#frame.hidden = !this.#isOn || !box.width || !this.#editing.photo;
    if (this.#frame.hidden) return;
    const { x, y, width, height } = this.#rectangle;
    const { style } = this.#frame;
    style.transform = `translate(${box.x + x * box.width}px, ${box.y + y * box.height}px)`;
    style.width = `${width * box.width}px`;
    style.height = `${height * box.height}px`;
    const { whole } = this.#viewer;
    const size = `${Math.round(width * whole.width)} × ${Math.round(height * whole.height)}`;
    this.#frame.setAttribute("aria-label", `Crop frame, ${size} pixels. Arrow keys move it.`);
    this.#frame.querySelector(".frame-size").textContent = size;
  }

  #makeFrame() {
    const frame = make(
      "div", { class: "frame", role: "group", tabindex: "0", hidden: true, "aria-label": "Crop frame" },
      make("div", { class: "thirds", "aria-hidden": "true" }), make("span", { class: "frame-size", "aria-hidden": "true" }));
    for (const handle of HANDLES) {
      const button = make("button", { type: "button", class: `handle ${handle}`, "aria-label": HANDLE_NAMES[handle] });
      button.addEventListener("pointerdown", event => this.#drag(event, handle));
      button.addEventListener("keydown", event => this.#key(event, handle));
      frame.append(button);
    }
    frame.addEventListener("pointerdown", event => { if (!event.target.closest(".handle")) this.#drag(event, "move"); });
    frame.addEventListener("keydown", event => { if (event.target === frame) this.#key(event, "move"); });
    return frame;
  }

  #drag(event, handle) {
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.focus();
    // The frame may be another one in a moment.
    if (this.#editing.isOperating) return;
    const start = this.#rectangle;
    const { box } = this.#viewer;
    const from = [event.clientX, event.clientY];
    const moved = next => {
      const [across, down] = [(next.clientX - from[0]) / box.width, (next.clientY - from[1]) / box.height];
      this.#move(start, handle, across, down, false);
    };
    // A press alone does not round the frame to whole pixels.
    follow(event, moved, isMoved => { if (isMoved) this.#set(this.#rectangle, true); });
  }

  #key(event, handle) {
    const step = event.shiftKey ? 0.05 : 0.005;
    const steps = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (!(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.#editing.isOperating) return;
    this.#move(this.#rectangle, handle, ...steps[event.key], true);
  }

  /** Moves an edge, a corner or the whole frame by shares of the picture. */
  #move(start, handle, across, down, isDone) {
    if (handle === "move") {
      this.#set({
        ...start, x: limited(start.x + across, 0, 1 - start.width), y: limited(start.y + down, 0, 1 - start.height),
      }, isDone);
      return;
    }
    let [left, top, right, bottom] = [start.x, start.y, start.x + start.width, start.y + start.height];
    if (handle.includes("w")) left = limited(left + across, 0, right - SMALLEST);
    if (handle.includes("e")) right = limited(right + across, left + SMALLEST, 1);
    if (handle.includes("n")) top = limited(top + down, 0, bottom - SMALLEST);
    if (handle.includes("s")) bottom = limited(bottom + down, top + SMALLEST, 1);
    const aspect = this.#ratio;
    if (aspect) ({ left, top, right, bottom } = this.#kept({ left, top, right, bottom }, handle, aspect));
    this.#set({ x: left, y: top, width: right - left, height: bottom - top }, isDone);
  }

  /** The chosen aspect as width through height in shares of the picture; null when it is free. */
  get #ratio() {
    if (!this.#aspect) return null;
    const { whole } = this.#viewer;
    const [wide, high] = this.#pair;
    return (wide / high) * (whole.height / whole.width);
  }

  /** The chosen aspect as two numbers, lying or standing as the frame is. */
  get #pair() {
    const { whole } = this.#viewer;
    const pair = this.#aspect === "original" ? [whole.width, whole.height] : this.#aspect;
    return this.#isStanding && this.#aspect !== "original" ? [pair[1], pair[0]] : pair;
  }

  #isStanding = false;

  /** A rectangle made to keep an aspect: the sides that the handle does not hold give way. */
  #kept({ left, top, right, bottom }, handle, ratio) {
    let width = right - left;
    let height = bottom - top;
    if (handle === "n" || handle === "s") width = height * ratio;
    else if (handle === "e" || handle === "w") height = width / ratio;
    else if (width / height > ratio) width = height * ratio;
    else height = width / ratio;
    const middle = [(left + right) / 2, (top + bottom) / 2];
    const room = {
      across: handle.includes("w") ? right : handle.includes("e") ? 1 - left : 2 * Math.min(middle[0], 1 - middle[0]),
      down: handle.includes("n") ? bottom : handle.includes("s") ? 1 - top : 2 * Math.min(middle[1], 1 - middle[1]),
    };
    const shrink = Math.min(1, room.across / width, room.down / height);
    width *= shrink;
    height *= shrink;
    const x = handle.includes("w") ? right - width : handle.includes("e") ? left : middle[0] - width / 2;
    const y = handle.includes("n") ? bottom - height : handle.includes("s") ? top : middle[1] - height / 2;
    return { left: x, top: y, right: x + width, bottom: y + height };
  }

  #choose(name) {
    this.#aspect = ASPECTS.find(([each]) => each === name)[1];
    if (!this.#aspect || !this.#viewer.whole.width) return;
    const aspect = this.#pair.join(":");
    this.#operate(() => [{ operation: "crop", aspect }]);
  }

  #makePanel(auto, done) {
    const aspects = make(
      "select", { data: { action: "aspect" }, on: {
        change: event => {
          this.#choose(event.target.value);
          standing.hidden = !Array.isArray(this.#aspect) || this.#aspect[0] === this.#aspect[1];
        },
      } },
      ...ASPECTS.map(([name]) => make("option", { value: name }, name.charAt(0).toUpperCase() + name.slice(1))));
    const stand = () => {
      this.#isStanding = !this.#isStanding;
      standing.setAttribute("aria-pressed", this.#isStanding);
      this.#choose(aspects.value);
    };
    const standing = textButton(
      "Upright", stand, { action: "standing", class: "quiet", "aria-pressed": "false", hidden: true });
    [this.#aspects, this.#standing] = [aspects, standing];
    const reset = () => {
      this.#free();
      const { stack, table } = this.#editing;
      this.#editing.change(stack.with(stack.entries.filter(({ id }) => !table.isGeometry(id))));
    };
    return make(
      "div", { class: "crop" },
      make("div", { class: "row" },
        iconButton("left", "Turn left", () => this.turn(-1), "["),
        iconButton("right", "Turn right", () => this.turn(1), "]"),
        iconButton("mirror", "Mirror left and right", () => this.#mirror("horizontal")),
        iconButton("mirror-down", "Mirror top and bottom", () => this.#mirror("vertical"))),
      make("div", { class: "row" }, make("label", { class: "choice" }, "Aspect", aspects), standing),
      ...geometrySliders(this.#editing.table, this.#editing),
      make("div", { class: "row" },
        textButton("Level automatically", () => auto(), { action: "level" }),
        textButton("Reset", reset, { action: "reset-crop", class: "quiet" })),
      make("div", { class: "row" },
        textButton("Done", () => done(), { action: "done-crop", class: "main", hidden: true, title: "Keep what was cropped" }),
        textButton("Cancel", () => this.cancel(), {
          action: "cancel-crop", class: "quiet", hidden: true, title: "Drop what was cropped (Esc)",
        })));
  }
}
