// Pixels moved to their places in a turned picture; see loops.h.

// With a known size the copy is a move or two.
#define TURN(size) \
  if (down == (size) || down == -(size)) { \
    for (int left = 0; left < width; left += 16) { \
      const int end = left + 16 < width ? left + 16 : width; \
      for (int x = left; x < end; x++) \
        for (int y = 0; y < height; y++) \
          memcpy(output + x * across + y * down, input + y * stride + x * (ptrdiff_t)(size), (size)); \
    } \
  } else { \
    for (int y = 0; y < height; y++) \
      for (int x = 0; x < width; x++) \
        memcpy(output + x * across + y * down, input + y * stride + x * (ptrdiff_t)(size), (size)); \
  }

// Columns of pixels of three bytes that become rows. Four bytes are copied at once: the fourth is the next
// pixel's, which is written after it. Neither the last pixel of a column nor the last column has one.
TARGET static void NAME(turn_columns)(
  const uint8_t *input, ptrdiff_t stride, int width, int height, uint8_t *output, ptrdiff_t across,
  ptrdiff_t down)
{
  // From the pixel that comes first in its row of the output.
  if (down < 0) {
    input += (height - 1) * stride;
    output += (height - 1) * down;
    stride = -stride;
    down = -down;
  }
  for (int left = 0; left < width; left += 16) {
    const int end = left + 16 < width ? left + 16 : width;
    for (int x = left; x < end; x++) {
      const uint8_t *from = input + x * (ptrdiff_t)3;
      uint8_t *to = output + x * across;
      int y = 0;
      if (x + 1 < width)
        for (; y + 1 < height; y++, from += stride, to += 3) memcpy(to, from, 4);
      for (; y < height; y++, from += stride, to += 3) memcpy(to, from, 3);
    }
  }
}

TARGET static void NAME(turn)(
  const uint8_t *restrict input, ptrdiff_t stride, int width, int height, int size, uint8_t *restrict output,
  ptrdiff_t across, ptrdiff_t down)
{
  if (size == 3 && (down == 3 || down == -3)) {
    NAME(turn_columns)(input, stride, width, height, output, across, down);
    return;
  }
  switch (size) {
    case 1: TURN(1) break;
    case 2: TURN(2) break;
    case 3: TURN(3) break;
    case 6: TURN(6) break;
    default: TURN(size) break;
  }
}
#undef TURN
