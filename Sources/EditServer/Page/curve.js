// A tone curve to draw by hand: points on a square, moved with the pointer or with arrow keys.

import { draw, follow, limited, make } from "./dom.js";

/** Units of the drawing. */
const SIDE = 256;
/** Points may not come closer than this; the adjustment asks for 0.001. */
const CLOSEST = 0.01;

/**
 * Makes a curve.
 *
 * @param {(points: number[][], isDone: boolean) => void} changed Called while a point moves, and with `true` at the end.
 * @returns {{element: HTMLElement, show: (points: number[][], channel: string) => void,
 *   showTones: (bins: ?Uint8Array) => void}}
 */
export function curve(changed) {
  const tones = draw("path", { class: "tones" });
  const line = draw("path", { class: "line" });
  const dots = draw("g", {});
  const quarters = [64, 128, 192].map(at => `M${at} 0V${SIDE}M0 ${at}H${SIDE}`).join("");
  const picture = draw(
    "svg", { viewBox: `-6 -6 ${SIDE + 12} ${SIDE + 12}`, class: "curve" },
    draw("rect", { width: SIDE, height: SIDE, class: "square" }), tones, draw("path", { d: quarters, class: "quarters" }),
    draw("path", { d: `M0 ${SIDE}L${SIDE} 0`, class: "diagonal" }), line, dots);
  const element = make(
    "div", { class: "curve-box", role: "group", "aria-label": "Tone curve" }, picture,
    make("p", { class: "hint" },
      matchMedia("(pointer: coarse)").matches ? "Tap to add a point or to choose one, then move it. A double tap removes it."
        : "Press on the line to add a point. Double click or Delete removes one."));
  let points = [[0, 0], [1, 1]];
  /** Whether a point follows the pointer, so that the page does not scroll. */
  let isDragged = false;
  picture.addEventListener("touchmove", event => { if (isDragged && event.cancelable) event.preventDefault(); }, { passive: false });

  const show = (next, channel = "all") => {
    points = next;
    picture.dataset.channel = channel;
    line.setAttribute("d", path(points));
    while (dots.children.length > points.length) dots.lastChild.remove();
    while (dots.children.length < points.length) dots.append(dot(dots.children.length));
    points.forEach(([input, output], n) => {
      const each = dots.children[n];
      each.setAttribute("cx", input * SIDE);
      each.setAttribute("cy", (1 - output) * SIDE);
      each.setAttribute("aria-label", `Point ${n + 1} of ${points.length}, input ${percent(input)}`);
      each.setAttribute("aria-valuenow", Math.round(output * 100));
      each.setAttribute("aria-valuetext", `output ${percent(output)}`);
    });
  };

  /** Moves a point, between its neighbors. */
  const move = (n, input, output, isDone) => {
    const low = n === 0 ? 0 : points[n - 1][0] + CLOSEST;
    const high = n === points.length - 1 ? 1 : points[n + 1][0] - CLOSEST;
    const next = points.map(point => [...point]);
    next[n] = [limited(input, low, high), limited(output, 0, 1)].map(number => Number(number.toFixed(4)));
    show(next, picture.dataset.channel);
    changed(points, isDone);
  };

  const remove = n => {
    if (points.length <= 2) return;
    show(points.filter((_, each) => each !== n), picture.dataset.channel);
    changed(points, true);
    dots.children[Math.min(n, points.length - 1)].focus();
  };

  const place = event => {
    const box = picture.getBoundingClientRect();
    const unit = box.width / (SIDE + 12);
    return [((event.clientX - box.left) / unit - 6) / SIDE, 1 - ((event.clientY - box.top) / unit - 6) / SIDE];
  };

  function dot(n) {
    const each = draw("circle", {
      r: 5, tabindex: 0, role: "slider", "aria-valuemin": 0, "aria-valuemax": 100, "aria-orientation": "vertical",
    });
    each.addEventListener("pointerdown", event => {
      event.stopPropagation();
      // A finger scrolls over a point that it has not chosen by a tap.
      if (event.pointerType === "touch" && document.activeElement !== each) return;
      each.focus();
      isDragged = true;
      follow(event, next => move(n, ...place(next), false), isMoved => {
        isDragged = false;
        if (isMoved) changed(points, true);
      });
    });
    each.addEventListener("click", event => {
      event.stopPropagation();
      each.focus();
    });
    each.addEventListener("dblclick", event => {
      event.stopPropagation();
      remove(n);
    });
    each.addEventListener("keydown", event => {
      const step = event.shiftKey ? 0.05 : 0.01;
      const steps = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
      if (event.key in steps) move(n, points[n][0] + steps[event.key][0], points[n][1] + steps[event.key][1], true);
      else if (event.key === "Delete" || event.key === "Backspace") remove(n);
      else if (event.key === "+" || event.key === "Insert") split(n);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return each;
  }

  /** Adds a point halfway to the next, for the keyboard. */
  const split = n => {
    const [left, right] = n < points.length - 1 ? [n, n + 1] : [n - 1, n];
    const input = (points[left][0] + points[right][0]) / 2;
    add(input, valueAt(points, input), true);
  };

  const add = (input, output, isDone) => {
    const n = points.findIndex(point => point[0] > input);
    const at = n < 0 ? points.length : n;
    if (points.some(point => Math.abs(point[0] - input) < 2 * CLOSEST) || points.length >= 64) return undefined;
    show([...points.slice(0, at), [input, output].map(number => Number(limited(number, 0, 1).toFixed(4))),
      ...points.slice(at)], picture.dataset.channel);
    changed(points, isDone);
    dots.children[at].focus();
    return at;
  };

  // A finger that goes on from here scrolls; where it only taps a point is added.
  let isTouched = false;
  picture.addEventListener("click", event => {
    const [input, output] = place(event);
    if (!isTouched || input < 0 || input > 1) return;
    const at = add(input, output, true);
    if (at === undefined) dots.children[nearest(input)].focus();
  });
  const nearest = input => {
    const distances = points.map(point => Math.abs(point[0] - input));
    return distances.indexOf(Math.min(...distances));
  };

  picture.addEventListener("pointerdown", event => {
    isTouched = event.pointerType === "touch";
    if (isTouched) return;
    const [input, output] = place(event);
    if (input < 0 || input > 1) return;
    const at = add(input, output, false);
    if (at === undefined) return;
    event.preventDefault();
    follow(event, next => move(at, ...place(next), false), () => changed(points, true));
  });

  show(points);
  return {
    element, show,
    showTones(bins) {
      const heights = Array.from(bins ?? [], (height, n) => `L${n} ${SIDE - height * 0.9}`).join("");
      tones.setAttribute("d", bins ? `M0 ${SIDE}${heights}L${SIDE - 1} ${SIDE}z` : "");
    },
  };
}

const percent = share => `${Math.round(share * 100)} %`;

/** The curve as a path. */
function path(points) {
  const slopes = tangents(points);
  const at = ([input, output]) => `${(input * SIDE).toFixed(2)} ${((1 - output) * SIDE).toFixed(2)}`;
  // Outside of its points the curve goes on as a straight line.
  const [first, last] = [points[0], points.at(-1)];
  const parts = [`M${at([0, first[1] - first[0] * slopes[0]])}L${at(first)}`];
  for (let n = 0; n + 1 < points.length; n += 1) {
    const third = (points[n + 1][0] - points[n][0]) / 3;
    parts.push(
      `C${at([points[n][0] + third, points[n][1] + third * slopes[n]])} `
      + `${at([points[n + 1][0] - third, points[n + 1][1] - third * slopes[n + 1]])} ${at(points[n + 1])}`);
  }
  parts.push(`L${at([1, last[1] + (1 - last[0]) * slopes.at(-1)])}`);
  return parts.join("");
}

/** Slopes of the monotone cubic. Source: Fritsch and Carlson, SIAM J. Numer. Anal. 17, 1980. */
function tangents(points) {
  const rises = points.slice(1).map(([input, output], n) => (output - points[n][1]) / (input - points[n][0]));
  const slopes = points.map((_, n) => {
    if (n === 0) return rises[0];
    if (n === points.length - 1) return rises.at(-1);
    return rises[n - 1] * rises[n] <= 0 ? 0 : (rises[n - 1] + rises[n]) / 2;
  });
  rises.forEach((rise, n) => {
    if (rise === 0) {
      slopes[n] = slopes[n + 1] = 0;
      return;
    }
    const [before, after] = [slopes[n] / rise, slopes[n + 1] / rise];
    const length = Math.hypot(before, after);
    if (length > 3) [slopes[n], slopes[n + 1]] = [3 * rise * before / length, 3 * rise * after / length];
  });
  return slopes;
}

/** The output of the curve for an input between its ends. */
function valueAt(points, input) {
  const slopes = tangents(points);
  const n = Math.max(points.findIndex(point => point[0] >= input) - 1, 0);
  const [left, right] = [points[n], points[n + 1]];
  const width = right[0] - left[0];
  const t = (input - left[0]) / width;
  return (2 * t ** 3 - 3 * t ** 2 + 1) * left[1] + (t ** 3 - 2 * t ** 2 + t) * width * slopes[n]
    + (3 * t ** 2 - 2 * t ** 3) * right[1] + (t ** 3 - t ** 2) * width * slopes[n + 1];
}
