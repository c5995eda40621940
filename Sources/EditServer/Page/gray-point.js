// Finds the temperature and the tint that make a color gray. The formulas are those of WhiteBalance.swift: Krystek's
// white of a black body in CIE 1960 (u, v), tint along the isotherm of 6500 K, Bradford's adaptation to 6500 K.

import * as api from "./api.js";

const NEUTRAL = 6500;
/** Bradford's responses from XYZ; ICC.1:2022, annex E. */
const BRADFORD = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];
/** XYZ from linear sRGB; IEC 61966-2-1. */
const SRGB = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
/** The place that is measured reaches this share of the longer side in each direction. */
const RADIUS = 0.006;
/** Pixels of the whole picture from which the place is cut. */
const FIT = 1600;

/**
 * The white balance that makes a place of the picture gray.
 *
 * @param {string} id The photo.
 * @param {Stack} stack The edit. The place is measured after its geometry and before its white balance.
 * @param {number[]} at The place, as shares of the picture that is seen.
 * @param {{width: number, height: number}} whole Pixels of the full-size picture.
 * @returns {Promise<?{temperature: number, tint: number}>} null when no light has this color.
 */
export async function grayPoint(id, stack, at, whole) {
  const longer = Math.max(whole.width, whole.height);
  const sides = [whole.width, whole.height].map(side => Math.min((2 * RADIUS * longer) / side, 1));
  const corner = at.map((share, n) => Math.min(Math.max(share - sides[n] / 2, 0), 1 - sides[n]));
  const facts = { adjustments: stack.before("white-balance").entries, fit: FIT, crop: [...corner, ...sides], quality: 100 };
  const { blob } = await api.preview(id, facts, "gray");
  return whiteBalance(await mean(blob));
}

/** The mean color of a picture, in linear light. */
async function mean(blob) {
  const image = await createImageBitmap(blob);
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const sums = [0, 0, 0];
  for (let n = 0; n < data.length; n += 4) {
    for (let channel = 0; channel < 3; channel += 1) sums[channel] += linear(data[n + channel] / 255);
  }
  return sums.map(sum => sum / (data.length / 4));
}

/** sRGB's curve; IEC 61966-2-1. */
function linear(share) { return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; }

const times = (matrix, vector) => matrix.map(row => row.reduce((sum, factor, n) => sum + factor * vector[n], 0));

/** The place of a black body's white in CIE 1960 (u, v). Krystek, Color Research & Application 10 (1985), p. 38. */
function locus(T) {
  return [
    (0.860117757 + 1.54118254e-4 * T + 1.28641212e-7 * T * T) / (1 + 8.42420235e-4 * T + 7.08145163e-7 * T * T),
    (0.317398726 + 4.22806245e-5 * T + 4.20481691e-8 * T * T) / (1 - 2.89741816e-5 * T + 1.61456053e-7 * T * T),
  ];
}

/** Bradford's responses to a white of luminance 1. */
function responses([u, v]) {
  const below = 2 * u - 8 * v + 4;
  const [x, y] = [(3 * u) / below, (2 * v) / below];
  return times(BRADFORD, [x / y, 1, (1 - x - y) / y]);
}

/** The place a tint away from 6500 K, at right angles to the locus and to the green side; 3000 steps are 1. */
function tinted(tint) {
  const [before, middle, after] = [NEUTRAL - 1, NEUTRAL, NEUTRAL + 1].map(locus);
  const along = [after[0] - before[0], after[1] - before[1]];
  const length = Math.hypot(...along);
  const side = along[0] > 0 ? 1 : -1;
  return [middle[0] - (side * along[1] * tint) / length / 3000, middle[1] + (side * along[0] * tint) / length / 3000];
}

/** How far a color is from gray with a white balance: two differences of logarithms of Bradford's responses. */
function distance(color, inverse, tint, white) {
  const [neutral, light, green] = [locus(NEUTRAL), locus(1e6 / inverse), tinted(tint)].map(responses);
  const [long, middle, short] = color.map(
    (value, n) => Math.log((value * neutral[n] * neutral[n]) / (light[n] * green[n] * white[n])));
  return [long - middle, short - middle];
}

/**
 * The white balance that makes a color gray, by Newton's method in reciprocal temperature and tint.
 *
 * @param {number[]} rgb Linear red, green and blue.
 * @returns {?{temperature: number, tint: number}} null when no light within the ranges has this color.
 */
export function whiteBalance(rgb) {
  if (Math.min(...rgb) < 0.0005) return null;
  const color = times(BRADFORD, times(SRGB, rgb));
  if (Math.min(...color) <= 0) return null;
  const white = times(BRADFORD, times(SRGB, [1, 1, 1]));
  const step = 0.01;
  // Colors change evenly with 1 / T, so Newton's method needs few rounds.
  let [inverse, tint] = [1e6 / NEUTRAL, 0];
  for (let round = 0; round < 50; round += 1) {
    const here = distance(color, inverse, tint, white);
    if (Math.hypot(...here) < 1e-6) break;
    const heat = distance(color, inverse + step, tint, white).map((value, n) => (value - here[n]) / step);
    const hue = distance(color, inverse, tint + step, white).map((value, n) => (value - here[n]) / step);
    const determinant = heat[0] * hue[1] - hue[0] * heat[1];
    if (Math.abs(determinant) < 1e-14) return null;
    inverse -= (hue[1] * here[0] - hue[0] * here[1]) / determinant;
    tint -= (heat[0] * here[1] - heat[1] * here[0]) / determinant;
    inverse = Math.min(Math.max(inverse, 1e6 / 25_000), 1e6 / 2000);
    tint = Math.min(Math.max(tint, -100), 100);
  }
  if (Math.hypot(...distance(color, inverse, tint, white)) > 0.05) return null;
  return { temperature: Math.round(1e5 / inverse) * 10, tint: Math.round(tint * 2) / 2 };
}
