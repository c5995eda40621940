// The loops themselves, compiled once for each instruction set: NAME(x) gives a function its name and
// TARGET its instructions.

TARGET static void NAME(decode8)(
  const uint8_t *input, int bands, const float *red, const float *green, const float *blue,
  float *planes, int count)
{
  float *restrict r = planes, *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  const int step = bands == 1 ? 1 : 3, second = bands == 1 ? 0 : 1, third = bands == 1 ? 0 : 2;
  for (int i = 0; i < count; i++) {
    r[i] = red[input[step * i]];
    g[i] = green[input[step * i + second]];
    b[i] = blue[input[step * i + third]];
  }
}

TARGET static void NAME(decode16)(
  const uint16_t *input, int bands, const float *red, const float *green, const float *blue,
  float *planes, int count)
{
  float *restrict r = planes, *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  const int step = bands == 1 ? 1 : 3, second = bands == 1 ? 0 : 1, third = bands == 1 ? 0 : 2;
  for (int i = 0; i < count; i++) {
    r[i] = red[input[step * i]];
    g[i] = green[input[step * i + second]];
    b[i] = blue[input[step * i + third]];
  }
}

TARGET static void NAME(scale8)(const uint8_t *restrict input, float *planes, int count)
{
  float *restrict r = planes, *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  for (int i = 0; i < count; i++) {
    r[i] = (float)input[3 * i] / 255.0f;
    g[i] = (float)input[3 * i + 1] / 255.0f;
    b[i] = (float)input[3 * i + 2] / 255.0f;
  }
}

TARGET static void NAME(scale16)(const uint16_t *restrict input, float *planes, int count)
{
  float *restrict r = planes, *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  for (int i = 0; i < count; i++) {
    r[i] = (float)input[3 * i] / 65535.0f;
    g[i] = (float)input[3 * i + 1] / 65535.0f;
    b[i] = (float)input[3 * i + 2] / 65535.0f;
  }
}

TARGET static void NAME(spread)(
  const float *restrict input, float *planes, ptrdiff_t distance, int count)
{
  float *restrict r = planes, *restrict g = r + distance, *restrict b = g + distance;
  for (int i = 0; i < count; i++) {
    r[i] = input[3 * i];
    g[i] = input[3 * i + 1];
    b[i] = input[3 * i + 2];
  }
}

// Floats from 2^23 on have no bits for a fraction, so adding 2^23 rounds.
#define CODE(value, largest) NAME(code)(value, largest)
TARGET static inline uint32_t NAME(code)(float value, float largest)
{
  value = value > 0 ? value : 0;
  value = value < 1 ? value : 1;
  value = value * largest + 0x1p23f;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

TARGET static void NAME(encode8)(const float *planes, uint8_t *output, int count)
{
  const float *r = planes, *g = r + SAFELIGHT_TILE, *b = g + SAFELIGHT_TILE;
  uint8_t *restrict out = output;
  for (int i = 0; i < count; i++) {
    out[3 * i] = (uint8_t)CODE(r[i], 255);
    out[3 * i + 1] = (uint8_t)CODE(g[i], 255);
    out[3 * i + 2] = (uint8_t)CODE(b[i], 255);
  }
}

TARGET static void NAME(encode16)(const float *planes, uint16_t *output, int count)
{
  const float *r = planes, *g = r + SAFELIGHT_TILE, *b = g + SAFELIGHT_TILE;
  uint16_t *restrict out = output;
  for (int i = 0; i < count; i++) {
    out[3 * i] = (uint16_t)CODE(r[i], 65535);
    out[3 * i + 1] = (uint16_t)CODE(g[i], 65535);
    out[3 * i + 2] = (uint16_t)CODE(b[i], 65535);
  }
}
#undef CODE

TARGET static void NAME(take_first)(const uint8_t *restrict input, uint8_t *restrict output, int count)
{
  for (int i = 0; i < count; i++) output[i] = input[3 * i];
}

TARGET static void NAME(gather)(
  const float *planes, ptrdiff_t distance, float *restrict output, int count)
{
  const float *r = planes, *g = r + distance, *b = g + distance;
  for (int i = 0; i < count; i++) {
    output[3 * i] = r[i];
    output[3 * i + 1] = g[i];
    output[3 * i + 2] = b[i];
  }
}

TARGET static void NAME(matrix)(float *planes, const float rows[12], int count)
{
  float *restrict r = planes, *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  for (int i = 0; i < count; i++) {
    float red = r[i], green = g[i], blue = b[i];
    r[i] = rows[0] * red + rows[1] * green + rows[2] * blue + rows[3];
    g[i] = rows[4] * red + rows[5] * green + rows[6] * blue + rows[7];
    b[i] = rows[8] * red + rows[9] * green + rows[10] * blue + rows[11];
  }
}

TARGET static void NAME(mix)(float *planes, const float row[4], int count)
{
  float *restrict r = planes;
  const float *g = r + SAFELIGHT_TILE, *b = g + SAFELIGHT_TILE;
  for (int i = 0; i < count; i++) r[i] = row[0] * r[i] + row[1] * g[i] + row[2] * b[i] + row[3];
}

TARGET static void NAME(curve)(
  float *restrict row, const float *restrict values, float zero, int count)
{
  const float lowest = 0x1p-20f, highest = 0x1p6f;
  uint32_t first;
  memcpy(&first, &lowest, sizeof first);
  first >>= 14;
#pragma clang loop vectorize(enable) interleave(enable)
  for (int i = 0; i < count; i++) {
    float input = row[i];
    float size = input < 0 ? -input : input;
    float inside = size > lowest ? size : lowest;
    inside = inside < highest ? inside : highest;
    uint32_t bits;
    memcpy(&bits, &inside, sizeof bits);
    int32_t index = (int32_t)((bits >> 14) - first) + (input < 0 ? SAFELIGHT_CURVE_ENTRIES : 0);
    float value = values[index];
    float result = value + (values[index + 1] - value) * ((float)(int32_t)(bits & 0x3FFF) * (1.0f / 16384));
    // For numbers nearer to zero than the table; not-a-number fails both comparisons.
    float near = zero + (value - zero) * (size * 0x1p20f);
    row[i] = size >= lowest ? result : size < lowest ? near : zero;
  }
}

#include "hues.h"
#include "oklab.h"
#include "blocks.h"
#include "chroma.h"
#include "filters.h"
#include "memory.h"
#include "neighbors.h"
#include "places.h"
#include "random.h"
#include "sizes.h"
#include "tetrahedra.h"
#include "tones.h"
#include "turns.h"
#include "waves.h"

static const SafelightKernels NAME(kernels) = {
  .decode8 = NAME(decode8), .decode16 = NAME(decode16), .scale8 = NAME(scale8),
  .scale16 = NAME(scale16), .spread = NAME(spread), .gather = NAME(gather),
  .take_first = NAME(take_first), .encode8 = NAME(encode8),
  .encode8_dithered = NAME(encode8_dithered), .randomize = NAME(randomize), .encode16 = NAME(encode16), .matrix = NAME(matrix), .mix = NAME(mix),
  .curve = NAME(curve), .vibrance = NAME(vibrance), .grade = NAME(grade),
  .recall = NAME(recall), .collect = NAME(collect), .learn = NAME(learn),
  .gray_hues = NAME(gray_hues), .balance = NAME(balance), .expose = NAME(expose),
  .turn_hues = NAME(turn_hues), .mix_seen_hues = NAME(mix_seen_hues),
  .saturate = NAME(saturate), .clear_air = NAME(clear_air), .add_products = NAME(add_products), .cube = NAME(cube), .find8 = NAME(find8),
  .convert = NAME(convert), .recall16 = NAME(recall16), .learn16 = NAME(learn16), .mix_corners = NAME(mix_corners),
  .stretch = NAME(stretch), .convolve = NAME(convolve), .interpolate = NAME(interpolate),
  .resample = NAME(resample), .lighten8 = NAME(lighten8), .lighten16 = NAME(lighten16),
  .sum_rows = NAME(sum_rows), .sum_columns = NAME(sum_columns), .filter = NAME(filter),
  .turn = NAME(turn), .pull = NAME(pull), .between_tones = NAME(between_tones),
  .gain_areas = NAME(gain_areas), .find_luma = NAME(find_luma), .clarify = NAME(clarify),
  .find_edges = NAME(find_edges),
  .average_squares = NAME(average_squares), .take_entries = NAME(take_entries),
  .shrink_level = NAME(shrink_level), .add_means = NAME(add_means), .measure_pair = NAME(measure_pair),
  .smooth_pair = NAME(smooth_pair), .filter_squares = NAME(filter_squares),
  .halve = NAME(halve),
  .lift = NAME(lift),
  .to_opponents = NAME(to_opponents),
  .from_opponents = NAME(from_opponents),
};
