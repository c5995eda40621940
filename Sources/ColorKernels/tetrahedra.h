// The loop for 3D lookup tables, compiled like those in loops.h.
//
// It interpolates in the tetrahedron around a color: of the six that share the diagonal of a cell,
// the one where the largest, the middle and the smallest of the three fractions lie. The result is
// (1 - f1) c0 + (f1 - f2) c1 + (f2 - f3) c2 + f3 c3 with the fractions in falling order and the corners
// met on the way from the cell's lowest to its highest, along the largest fraction's axis first.
// Source: Kasson, Nin, Plouffe and Hafner, "Performing color space conversions with three-dimensional
// linear interpolation", Journal of Electronic Imaging 4 (1995).
//
// Finding the corners, fetching them and spreading the results over the planes are loops of their
// own: the first and the last then work on several colors at once, the second on the four floats of
// a corner. All in one would make a compiler take the corners apart.

typedef float NAME(Corner) __attribute__((vector_size(16)));

TARGET static void NAME(cube)(
  float *planes, const float *nodes, int size, const float lowest[3], const float scale[3],
  int count)
{
  enum { BLOCK = 64 };
  const NAME(Corner) *corners = (const NAME(Corner) *)nodes;
  const float last = (float)(size - 1);
  const int cells = size - 2, line = size, sheet = size * size, diagonal = 1 + line + sheet;
  int32_t first[BLOCK], second[BLOCK], third[BLOCK];
  float one[BLOCK], two[BLOCK], three[BLOCK], four[BLOCK];
  NAME(Corner) mixed[BLOCK];
  for (int start = 0; start < count; start += BLOCK) {
    const int length = count - start < BLOCK ? count - start : BLOCK;
    float *restrict r = planes + start, *restrict g = r + SAFELIGHT_TILE;
    float *restrict b = g + SAFELIGHT_TILE;
    for (int i = 0; i < length; i++) {
      float x = (r[i] - lowest[0]) * scale[0];
      float y = (g[i] - lowest[1]) * scale[1];
      float z = (b[i] - lowest[2]) * scale[2];
      // Not-a-number fails the first comparison.
      x = x > 0 ? x : 0;
      y = y > 0 ? y : 0;
      z = z > 0 ? z : 0;
      x = x < last ? x : last;
      y = y < last ? y : last;
      z = z < last ? z : last;
      // The upper end belongs to the last cell, at fraction one.
      int32_t red = (int32_t)x, green = (int32_t)y, blue = (int32_t)z;
      red = red < cells ? red : cells;
      green = green < cells ? green : cells;
      blue = blue < cells ? blue : cells;
      x -= (float)red;
      y -= (float)green;
      z -= (float)blue;

      const float smaller = x < y ? x : y, larger = x < y ? y : x;
      const float high = larger > z ? larger : z, low = smaller < z ? smaller : z;
      const float rest = larger < z ? larger : z;
      const float middle = smaller > rest ? smaller : rest;
      const int32_t up = x >= y ? (x >= z ? 1 : sheet) : (y >= z ? line : sheet);
      const int32_t down = x >= y ? (y >= z ? sheet : line) : (x >= z ? sheet : 1);
      const int32_t corner = red + green * line + blue * sheet;
      first[i] = corner;
      second[i] = corner + up;
      third[i] = corner + diagonal - down;
      one[i] = 1 - high;
      two[i] = high - middle;
      three[i] = middle - low;
      four[i] = low;
    }
    for (int i = 0; i < length; i++) {
      mixed[i] = corners[first[i]] * one[i] + corners[second[i]] * two[i]
          + corners[third[i]] * three[i] + corners[first[i] + diagonal] * four[i];
    }
    for (int i = 0; i < length; i++) {
      r[i] = mixed[i][0];
      g[i] = mixed[i][1];
      b[i] = mixed[i][2];
    }
  }
}

// The same for 8-bit colors and nodes that lie `1 << shift` codes apart.
TARGET static inline __attribute__((always_inline)) void NAME(find_codes)(
  const float *nodes, const int shift, const uint8_t *input, uint8_t *output, int count)
{
  typedef int32_t Whole __attribute__((vector_size(16)));
  typedef uint8_t Bytes __attribute__((vector_size(4)));
  enum { BLOCK = 64 };
  const int step = 1 << shift, line = (256 >> shift) + 1, sheet = line * line, diagonal = 1 + line + sheet;
  const NAME(Corner) *corners = (const NAME(Corner) *)nodes;
  const NAME(Corner) dark = {0, 0, 0, 0}, bright = {255, 255, 255, 255};
  // So many parts of 255: what makes codes of results from 0 to 1.
  float shares[17];
  for (int i = 0; i <= step; i++) shares[i] = 255.0f * i / step;
  int32_t first[BLOCK], second[BLOCK], third[BLOCK], highs[BLOCK], middles[BLOCK], lows[BLOCK];
  for (int start = 0; start < count; start += BLOCK) {
    const int length = count - start < BLOCK ? count - start : BLOCK;
    for (int i = 0; i < length; i++) {
      const uint8_t *color = input + 3 * (start + i);
      const int32_t r = color[0], g = color[1], b = color[2];
      const int32_t x = r & (step - 1), y = g & (step - 1), z = b & (step - 1);
      const int32_t smaller = x < y ? x : y, larger = x < y ? y : x;
      const int32_t rest = larger < z ? larger : z;
      highs[i] = larger > z ? larger : z;
      lows[i] = smaller < z ? smaller : z;
      middles[i] = smaller > rest ? smaller : rest;
      const int32_t up = x >= y ? (x >= z ? 1 : sheet) : (y >= z ? line : sheet);
      const int32_t down = x >= y ? (y >= z ? sheet : line) : (x >= z ? sheet : 1);
      const int32_t corner = (r >> shift) + (g >> shift) * line + (b >> shift) * sheet;
      first[i] = corner;
      second[i] = corner + up;
      third[i] = corner + diagonal - down;
    }
    for (int i = 0; i < length; i++) {
      NAME(Corner) mixed = corners[first[i]] * shares[step - highs[i]]
          + corners[second[i]] * shares[highs[i] - middles[i]]
          + corners[third[i]] * shares[middles[i] - lows[i]]
          + corners[first[i] + diagonal] * shares[lows[i]] + 0.5f;
      mixed = __builtin_elementwise_min(__builtin_elementwise_max(mixed, dark), bright);
      const Bytes codes = __builtin_convertvector(__builtin_convertvector(mixed, Whole), Bytes);
      uint8_t *color = output + 3 * (start + i);
      color[0] = codes[0];
      color[1] = codes[1];
      color[2] = codes[2];
    }
  }
}

TARGET static void NAME(find8)(const float *nodes, int step, const uint8_t *input, uint8_t *output, int count)
{
  if (step == 16)
    NAME(find_codes)(nodes, 4, input, output, count);
  else
    NAME(find_codes)(nodes, 3, input, output, count);
}

// The same for 16-bit colors and corners, one color.
TARGET static inline __attribute__((always_inline)) void NAME(mix_one)(
  const uint16_t *color, const int32_t cell[3], uint16_t *output, const uint16_t *corners)
{
  enum { CELLS = SAFELIGHT_CONVERSION_CELLS, WIDTH = 65535 / CELLS, LINE = CELLS + 1, SHEET = LINE * LINE };
  const int32_t x = color[0] - cell[0] * WIDTH, y = color[1] - cell[1] * WIDTH, z = color[2] - cell[2] * WIDTH;
  const int32_t smaller = x < y ? x : y, larger = x < y ? y : x;
  const int32_t high = larger > z ? larger : z, low = smaller < z ? smaller : z;
  const int32_t rest = larger < z ? larger : z, middle = smaller > rest ? smaller : rest;
  const int32_t up = x >= y ? (x >= z ? 1 : SHEET) : (y >= z ? LINE : SHEET);
  const int32_t down = x >= y ? (y >= z ? SHEET : LINE) : (x >= z ? SHEET : 1);
  const int32_t corner = cell[0] + cell[1] * LINE + cell[2] * SHEET, diagonal = 1 + LINE + SHEET;
  const uint16_t *first = corners + 4 * corner, *second = first + 4 * up;
  const uint16_t *last = first + 4 * diagonal, *third = last - 4 * down;
  for (int band = 0; band < 3; band++)
    output[band] = (uint16_t)(((WIDTH - high) * first[band] + (high - middle) * second[band]
        + (middle - low) * third[band] + low * last[band] + WIDTH / 2) / WIDTH);
}

TARGET static inline __attribute__((always_inline)) int32_t NAME(find_cell)(const uint16_t *color, int32_t cell[3])
{
  enum { CELLS = SAFELIGHT_CONVERSION_CELLS, WIDTH = 65535 / CELLS };
  for (int band = 0; band < 3; band++) {
    const int32_t place = color[band] / WIDTH;
    cell[band] = place < CELLS - 1 ? place : CELLS - 1;
  }
  return (cell[2] * CELLS + cell[1]) * CELLS + cell[0];
}

TARGET static int NAME(convert)(
  const uint16_t *input, uint16_t *output, const uint16_t *corners, const uint8_t *states, int32_t *others,
  int count)
{
  int found = 0, unknown = 0;
  for (int i = 0; i < count; i++) {
    int32_t cell[3];
    const uint8_t state = safelight_state(states + NAME(find_cell)(input + 3 * i, cell));
    if (state == 1) {
      NAME(mix_one)(input + 3 * i, cell, output + 3 * i, corners);
    } else {
      others[found++] = i;
      unknown |= state == 0;
    }
  }
  others[found] = unknown;
  return found;
}

TARGET static void NAME(mix_corners)(
  const uint16_t *input, uint16_t *output, const uint16_t *corners, int count)
{
  for (int i = 0; i < count; i++) {
    int32_t cell[3];
    NAME(find_cell)(input + 3 * i, cell);
    NAME(mix_one)(input + 3 * i, cell, output + 3 * i, corners);
  }
}
