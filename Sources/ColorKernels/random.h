// Noise, and rounding with it; see loops.h.

// C. Wellons' "lowbias32".
TARGET static inline uint32_t NAME(hash)(uint32_t number)
{
  number = (number ^ number >> 16) * 0x7FEB352Du;
  number = (number ^ number >> 15) * 0x846CA68Bu;
  return number ^ number >> 16;
}

// The sum of two halves of a hash: a triangle from -65,535 to 65,535.
TARGET static inline int32_t NAME(triangle)(uint32_t place)
{
  const uint32_t bits = NAME(hash)(place);
  return (int32_t)(bits & 0xFFFF) + (int32_t)(bits >> 16) - 65535;
}

TARGET static void NAME(randomize)(uint32_t start, float *restrict output, int count)
{
  for (int i = 0; i < count; i++) output[i] = (float)NAME(triangle)(start + (uint32_t)i) * (1.0f / 65535);
}

// How far each number but the first and the last bends away from its neighbors, in 256ths of a code; steps of edges
// count as 4 codes.
TARGET static void NAME(measure_bends)(const float *restrict green, int32_t *restrict bends, int count)
{
  bends[0] = 0;
  bends[count - 1] = 0;
  for (int i = 1; i + 1 < count; i++) {
    float bend = (green[i - 1] + green[i + 1] - 2 * green[i]) * 255;
    bend = bend < 0 ? -bend : bend;
    bends[i] = (int32_t)((bend < 4 ? bend : 4) * 256);
  }
}

// How much noise a run of pixels gets, from 0 to 1: all of it where their own noise has a deviation of up to a
// tenth of a code, and none from a fifth on, where a sky has no bands any more. White noise of deviation s has
// second differences of 1.95 s on average, and a gradient has none.
TARGET static inline float NAME(dithering)(const int32_t *bends, int count)
{
  if (count < 3) return 1;
  int32_t sum = -bends[0] - bends[count - 1];
  if (count == SAFELIGHT_DITHER_RUN) {
    for (int i = 0; i < SAFELIGHT_DITHER_RUN; i++) sum += bends[i];
  } else {
    for (int i = 0; i < count; i++) sum += bends[i];
  }
  const float share = 2 - 5 * ((float)sum / (float)(count - 2) * (1.0f / 256));
  return share < 0 ? 0 : share < 1 ? share : 1;
}

// A code with noise; black and white stay even.
TARGET static inline uint8_t NAME(noisy_code)(float value, float noise)
{
  float code = value > 0 ? value : 0;
  code = code < 1 ? code : 1;
  code = code * 255 + (value > 0 && value < 1 ? noise : 0);
  code = code > 0 ? code : 0;
  code = code < 255 ? code : 255;
  code += 0x1p23f;
  uint32_t bits;
  memcpy(&bits, &code, sizeof bits);
  return (uint8_t)bits;
}

TARGET static void NAME(encode8_dithered)(
  const float *planes, int x, uint32_t row, uint8_t *output, int count)
{
  const float *r = planes, *g = r + SAFELIGHT_TILE, *b = g + SAFELIGHT_TILE;
  uint8_t *restrict out = output;
  const uint32_t key = NAME(hash)(row + 0x5AFE1167u) + (uint32_t)x;
  int32_t bends[SAFELIGHT_TILE];
  float noise[SAFELIGHT_TILE];
  if (count <= 0) return;
  NAME(measure_bends)(g, bends, count);
  int is_noisy = 0;
  for (int start = 0; start < count;) {
    // Runs begin at the same places of the picture wherever a tile begins.
    int length = SAFELIGHT_DITHER_RUN - (x + start) % SAFELIGHT_DITHER_RUN;
    length = length < count - start ? length : count - start;
    const float amount = NAME(dithering)(bends + start, length) * (0.75f / 65535);
    if (amount > 0) {
      is_noisy = 1;
      for (int i = 0; i < length; i++)
        noise[start + i] = (float)NAME(triangle)(key + (uint32_t)(start + i)) * amount;
    } else {
      memset(noise + start, 0, (size_t)length * sizeof *noise);
    }
    start += length;
  }
  // Most of a photo is not smooth.
  if (!is_noisy) {
    NAME(encode8)(planes, output, count);
    return;
  }
  for (int i = 0; i < count; i++) {
    out[3 * i] = NAME(noisy_code)(r[i], noise[i]);
    out[3 * i + 1] = NAME(noisy_code)(g[i], noise[i]);
    out[3 * i + 2] = NAME(noisy_code)(b[i], noise[i]);
  }
}
