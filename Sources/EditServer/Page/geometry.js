// Turning and mirroring the whole picture. The rules are those of EditStack.turn in Swift: the crop keeps the same part
// of the photo, and the same lines stay straight and parallel, so the values of the geometry are converted.

/** Quarter turns clockwise and then mirrors, as the adjustments rotate and flip have them. */
class Turn {
  constructor(degrees, horizontal, vertical) {
    Object.assign(this, { degrees: ((degrees % 360) + 360) % 360, horizontal, vertical });
  }

  static of(stack) {
    return new Turn(
      stack.value("rotate", "amount"), stack.value("flip", "horizontal"), stack.value("flip", "vertical"));
  }

  /** Whether the picture is mirrored; two mirrors are a half turn. */
  get isMirrored() { return this.horizontal !== this.vertical; }

  /** Where a place of the unturned picture goes, as shares of the sides. */
  turned(place) { return this.mirrored(quarters(this.degrees / 90, place)); }

  unturned(place) { return quarters(4 - this.degrees / 90, this.mirrored(place)); }

  mirrored([x, y]) { return [this.horizontal ? 1 - x : x, this.vertical ? 1 - y : y]; }
}

function quarters(count, place) {
  let [x, y] = place;
  for (let n = 0; n < count % 4; n += 1) [x, y] = [1 - y, x];
  return [x, y];
}

/** The edit with another turn. */
function turn(stack, after) {
  const before = Turn.of(stack);
  const moved = place => after.turned(before.unturned(place));
  let result = stack.set("rotate", "amount", after.degrees)
    .setAll("flip", { horizontal: after.horizontal, vertical: after.vertical });
  if (stack.entry("crop")) {
    const [x, y, width, height] = ["x", "y", "width", "height"].map(name => stack.value("crop", name));
    const corners = [moved([x, y]), moved([x + width, y + height])];
    const sides = axis => corners.map(corner => corner[axis]).sort((left, right) => left - right);
    const [across, down] = [sides(0), sides(1)];
    // Rounding must not move a side beyond the edge of the picture.
    result = result.setAll("crop", {
      x: Math.max(across[0], 0), y: Math.max(down[0], 0),
      width: Math.min(across[1] - across[0], 1), height: Math.min(down[1] - down[0], 1),
    });
  }
  if (before.isMirrored !== after.isMirrored && stack.entry("straighten")) {
    result = result.set("straighten", "amount", -stack.value("straighten", "amount"));
  }
  if (stack.entry("perspective")) {
    const [horizontal, vertical] = ["horizontal", "vertical"].map(name => stack.value("perspective", name));
    const middle = moved([0.5, 0.5]);
    const side = moved([0.5 + horizontal / 200, 0.5 + vertical / 200]);
    const share = axis => Number(((side[axis] - middle[axis]) * 200).toFixed(9)) + 0;
    result = result.setAll("perspective", { vertical: share(1), horizontal: share(0) });
  }
  return result;
}

/**
 * Turns the picture as it is seen by a quarter.
 *
 * @param {Stack} stack The edit.
 * @param {1|-1} direction 1 is clockwise.
 */
export function rotated(stack, direction) {
  const now = Turn.of(stack);
  // A turn before a mirror is the opposite turn after it.
  const degrees = now.degrees + 90 * (now.isMirrored ? -direction : direction);
  return turn(stack, new Turn(degrees, now.horizontal, now.vertical));
}

/** Mirrors the picture as it is seen: left and right, or top and bottom. */
export function mirrored(stack, direction) {
  const now = Turn.of(stack);
  const horizontal = direction === "horizontal" ? !now.horizontal : now.horizontal;
  const vertical = direction === "vertical" ? !now.vertical : now.vertical;
  return turn(stack, new Turn(now.degrees, horizontal, vertical));
}

/**
 * The largest rectangle of an aspect in the middle of a picture, in shares, as `edit crop --aspect` finds it.
 *
 * @param {number} ratio Width through height.
 * @param {{width: number, height: number}} picture Pixels of the full-size picture that is cropped.
 */
export function cropOfAspect([wide, high], picture) {
  const scale = Math.min(picture.width / wide, picture.height / high);
  const width = Math.min(Math.max(Math.round(wide * scale), 1), picture.width);
  const height = Math.min(Math.max(Math.round(high * scale), 1), picture.height);
  const left = Math.floor((picture.width - width) * 0.5);
  const top = Math.floor((picture.height - height) * 0.5);
  return {
    x: left / picture.width, y: top / picture.height, width: width / picture.width, height: height / picture.height,
  };
}
