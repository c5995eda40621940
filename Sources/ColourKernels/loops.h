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

TARGET static void NAME(spread)(const float *restrict input, float *planes, int count)
{
  float *restrict r = planes, *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  for (int i = 0; i < count; i++) {
    r[i] = input[3 * i];
    g[i] = input[3 * i + 1];
    b[i] = input[3 * i + 2];
  }
}

// A float of 2^23 and more has no room for a fraction, so adding that rounds.
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

TARGET static void NAME(gather)(const float *planes, float *restrict output, int count)
{
  const float *r = planes, *g = r + SAFELIGHT_TILE, *b = g + SAFELIGHT_TILE;
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
    // Nearer to zero than the tables reach; not-a-number fails both comparisons.
    float near = zero + (value - zero) * (size * 0x1p20f);
    row[i] = size >= lowest ? result : size < lowest ? near : zero;
  }
}

// The four weights of R. G. Keys's cubic convolution for places that lie `share` after the second.
TARGET static inline void NAME(weigh)(float share, float weights[4])
{
  const float square = share * share, cube = square * share;
  weights[0] = -0.5f * cube + square - 0.5f * share;
  weights[1] = 1.5f * cube - 2.5f * square + 1;
  weights[2] = -1.5f * cube + 2 * square + 0.5f * share;
  weights[3] = 0.5f * cube - 0.5f * square;
}

// Four numbers wherever they lie: a pixel and the first number of the next.
TARGET static inline SafelightFour NAME(four)(const float *numbers)
{
  SafelightFour four;
  memcpy(&four, numbers, sizeof four);
  return four;
}

// Four rows of four pixels become one pixel. The number after each row is read too.
TARGET static inline void NAME(convolve)(
  const float *row, int64_t stride, const float down[4], const float across[4],
  float *restrict pixel)
{
  SafelightFour sum = {0, 0, 0, 0};
  for (int k = 0; k < 4; k++, row += stride)
    sum += (NAME(four)(row) * across[0] + NAME(four)(row + 3) * across[1]
      + NAME(four)(row + 6) * across[2] + NAME(four)(row + 9) * across[3]) * down[k];
  memcpy(pixel, &sum, 3 * sizeof(float));
}

TARGET static void NAME(interpolate)(
  const SafelightPart *part, const double start[3], const double step[3], int column,
  float *restrict output, int count)
{
  int32_t left[SAFELIGHT_RUN], top[SAFELIGHT_RUN];
  // Weights are made in a loop before the one that reads them: reading four at once what has just
  // been written one by one would wait for the memory.
  float across[SAFELIGHT_RUN][4], down[SAFELIGHT_RUN][4];
  const double u = start[0], v = start[1], w = start[2], du = step[0], dv = step[1], dw = step[2];
  const double columns = part->width + 1, rows = part->height + 1;
  for (int i = 0; i < count; i++) {
    const double place = column + i + 0.5, share = 1 / (dw * place + w);
    double x = (du * place + u) * share - 0.5, y = (dv * place + v) * share - 0.5;
    // Places far outside repeat the edge too; what is no number becomes one.
    x = x > -2 ? x : -2;
    y = y > -2 ? y : -2;
    x = x < columns ? x : columns;
    y = y < rows ? y : rows;
    // Truncating rounds down what is not negative.
    left[i] = (int32_t)(x + 4) - 4;
    top[i] = (int32_t)(y + 4) - 4;
    NAME(weigh)((float)(x - left[i]), across[i]);
    NAME(weigh)((float)(y - top[i]), down[i]);
  }
  for (int i = 0; i < count; i++) {
    const int32_t x = left[i] - 1, y = top[i] - 1;
    if (x >= 0 && y >= 0 && x + 4 < part->width && y + 3 < part->height) {
      const float *first =
        part->start + (y - part->top) * part->stride + 3 * (int64_t)(x - part->left);
      NAME(convolve)(first, part->stride, down[i], across[i], output + 3 * i);
      continue;
    }
    float edge[4 * 12 + 1] = {0};
    for (int k = 0; k < 4; k++) {
      const int32_t row = y + k < 0 ? 0 : y + k < part->height ? y + k : part->height - 1;
      for (int j = 0; j < 4; j++) {
        const int32_t near = x + j < 0 ? 0 : x + j < part->width ? x + j : part->width - 1;
        memcpy(
          edge + 12 * k + 3 * j,
          part->start + (row - part->top) * part->stride + 3 * (int64_t)(near - part->left),
          3 * sizeof(float));
      }
    }
    NAME(convolve)(edge, 12, down[i], across[i], output + 3 * i);
  }
}

static const SafelightKernels NAME(kernels) = {
  .decode8 = NAME(decode8), .decode16 = NAME(decode16), .scale8 = NAME(scale8),
  .scale16 = NAME(scale16), .spread = NAME(spread), .gather = NAME(gather),
  .encode8 = NAME(encode8), .encode16 = NAME(encode16), .matrix = NAME(matrix), .mix = NAME(mix),
  .curve = NAME(curve), .interpolate = NAME(interpolate),
};
