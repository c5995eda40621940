// The histogram above the tools: how light the picture is, and how much of it is clipped.

import { make } from "./dom.js";

const WIDTH = 256;
const HEIGHT = 72;

/** Below this share nobody sees clipping. */
const NOTICED = 0.001;

/** Draws what previews say about their tones. */
export class Histogram {
  #canvas = make("canvas", { width: WIDTH, height: HEIGHT, role: "img", "aria-label": "Histogram" });
  #shadows = make("span", { class: "clipped" });
  #highlights = make("span", { class: "clipped" });

  constructor(host) {
    host.append(this.#canvas, make("p", { class: "clipping" }, this.#shadows, this.#highlights));
  }

  /**
   * Shows a histogram.
   *
   * @param {?Uint8Array} bins 256 bins each of luma, red, green and blue, in 255ths of the largest.
   * @param {{shadows?: number, highlights?: number}} clipped Shares of the pixels, as far as they are known.
   */
  show(bins, clipped) {
    const context = this.#canvas.getContext("2d");
    context.clearRect(0, 0, WIDTH, HEIGHT);
    if (bins) {
      context.globalCompositeOperation = "source-over";
      this.#area(context, bins, 0, "#5c5c5c");
      // Where channels lie over each other the colors add up to gray, as light does.
      context.globalCompositeOperation = "screen";
      ["#c83c3c", "#3c9a4a", "#4464d8"].forEach((color, n) => this.#area(context, bins, n + 1, color));
    }
    this.#say(this.#shadows, "Black", clipped.shadows);
    this.#say(this.#highlights, "White", clipped.highlights);
    this.#canvas.setAttribute("aria-label", bins
      ? `Histogram, mean brightness ${mean(bins)} %` : "Histogram");
  }

  #area(context, bins, channel, color) {
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(0, HEIGHT);
    for (let n = 0; n < 256; n += 1) {
      context.lineTo(n + 0.5, HEIGHT - (Math.min(bins[channel * 256 + n], 255) / 255) * (HEIGHT - 2));
    }
    context.lineTo(WIDTH, HEIGHT);
    context.fill();
  }

  #say(element, word, share) {
    element.textContent = share === undefined ? "" : `${word} ${share > 0 && share < 0.001 ? "< 0.1" : (share * 100).toFixed(1)} %`;
    element.title = `Pixels with a channel at ${word === "Black" ? 0 : 255}: no detail is left there.`;
    element.classList.toggle("much", share > NOTICED);
  }
}

function mean(bins) {
  let [sum, weight] = [0, 0];
  for (let n = 0; n < 256; n += 1) {
    sum += bins[n];
    weight += bins[n] * n;
  }
  return sum > 0 ? Math.round((weight / sum / 255) * 100) : 0;
}
