// Pixels of a picture that was turned, from the places between those of the source.

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
TARGET static inline void NAME(join)(
  const float *row, int64_t stride, const float down[4], const float across[4],
  float *restrict pixel)
{
  SafelightFour sum = {0, 0, 0, 0};
  for (int k = 0; k < 4; k++, row += stride)
    sum += (NAME(four)(row) * across[0] + NAME(four)(row + 3) * across[1]
      + NAME(four)(row + 6) * across[2] + NAME(four)(row + 9) * across[3]) * down[k];
  memcpy(pixel, &sum, 3 * sizeof(float));
}

// The places of a run of pixels in the source, as the last pixel before each and the share of the way to the
// next. From `margin` pixels outside on, all pixels around a place are those of the edge.
TARGET static inline void NAME(locate)(
  const SafelightPart *part, const double start[3], const double step[3], int column, int margin,
  int32_t *left, int32_t *top, double *across, double *down, int count)
{
  const double u = start[0], v = start[1], w = start[2], du = step[0], dv = step[1], dw = step[2];
  const double columns = part->width + margin - 1, rows = part->height + margin - 1;
  const double before = -margin;
  const int shift = 2 * margin;
  for (int i = 0; i < count; i++) {
    const double place = column + i + 0.5, share = 1 / (dw * place + w);
    double x = (du * place + u) * share - 0.5, y = (dv * place + v) * share - 0.5;
    // Places far outside repeat the edge too; what is no number becomes one.
    x = x > before ? x : before;
    y = y > before ? y : before;
    x = x < columns ? x : columns;
    y = y < rows ? y : rows;
    // Truncating rounds down what is not negative.
    left[i] = (int32_t)(x + shift) - shift;
    top[i] = (int32_t)(y + shift) - shift;
    across[i] = x - left[i];
    down[i] = y - top[i];
  }
}

// Copies `size` x `size` pixels from (x, y) on, and repeats the picture's edge beyond it.
TARGET static inline void NAME(copy_edge)(
  const SafelightPart *part, int32_t x, int32_t y, int size, float *edge)
{
  for (int k = 0; k < size; k++) {
    const int32_t row = y + k < 0 ? 0 : y + k < part->height ? y + k : part->height - 1;
    for (int j = 0; j < size; j++) {
      const int32_t near = x + j < 0 ? 0 : x + j < part->width ? x + j : part->width - 1;
      memcpy(
        edge + 3 * (size * k + j),
        part->start + (row - part->top) * part->stride + 3 * (int64_t)(near - part->left),
        3 * sizeof(float));
    }
  }
}

TARGET static void NAME(interpolate)(
  const SafelightPart *part, const double start[3], const double step[3], int column,
  float *restrict output, int count)
{
  int32_t left[SAFELIGHT_RUN], top[SAFELIGHT_RUN];
  double right[SAFELIGHT_RUN], below[SAFELIGHT_RUN];
  // Weights are made in a loop before the one that reads them: reading four at once what has just
  // been written one by one would wait for the memory.
  float across[SAFELIGHT_RUN][4], down[SAFELIGHT_RUN][4];
  NAME(locate)(part, start, step, column, 2, left, top, right, below, count);
  for (int i = 0; i < count; i++) {
    NAME(weigh)((float)right[i], across[i]);
    NAME(weigh)((float)below[i], down[i]);
  }
  for (int i = 0; i < count; i++) {
    const int32_t x = left[i] - 1, y = top[i] - 1;
    if (x >= 0 && y >= 0 && x + 4 < part->width && y + 3 < part->height) {
      const float *first =
        part->start + (y - part->top) * part->stride + 3 * (int64_t)(x - part->left);
      NAME(join)(first, part->stride, down[i], across[i], output + 3 * i);
      continue;
    }
    float edge[4 * 12 + 1] = {0};
    NAME(copy_edge)(part, x, y, 4, edge);
    NAME(join)(edge, 12, down[i], across[i], output + 3 * i);
  }
}

typedef float NAME(eight) __attribute__((vector_size(32), aligned(4)));

#define LOAD8(numbers) (*(const NAME(eight) *)(numbers))
#define LOW(v) __builtin_shufflevector(v, v, 0, 1, 2, 3)
#define HIGH(v) __builtin_shufflevector(v, v, 4, 5, 6, 7)

// Twelve rows of twelve pixels become one pixel: the rows first, then the 36 numbers that are left.
TARGET static inline void NAME(join_twelve)(
  const float *row, int64_t stride, const float down[12], const float across[36],
  float *restrict pixel)
{
  NAME(eight) a = {0}, b = {0}, c = {0}, d = {0};
  SafelightFour e = {0};
  for (int k = 0; k < 12; k++, row += stride) {
    const float weight = down[k];
    a += LOAD8(row) * weight;
    b += LOAD8(row + 8) * weight;
    c += LOAD8(row + 16) * weight;
    d += LOAD8(row + 24) * weight;
    e += NAME(four)(row + 32) * weight;
  }
  a *= LOAD8(across);
  b *= LOAD8(across + 8);
  c *= LOAD8(across + 16);
  d *= LOAD8(across + 24);
  e *= NAME(four)(across + 32);
  // Three groups of four pixels become one group, and its four pixels one.
  const SafelightFour first = LOW(a) + HIGH(b) + LOW(d), second = HIGH(a) + LOW(c) + HIGH(d),
    third = LOW(b) + HIGH(c) + e;
  const SafelightFour sum = first + __builtin_shufflevector(first, second, 3, 4, 5, 6)
    + __builtin_shufflevector(second, third, 2, 3, 4, 5) + __builtin_shufflevector(third, third, 1, 2, 3, 3);
  memcpy(pixel, &sum, 3 * sizeof(float));
}

TARGET static void NAME(resample)(
  const SafelightPart *part, const float *table, const double start[3], const double step[3], int column,
  float *restrict output, int count)
{
  int32_t left[SAFELIGHT_RUN], top[SAFELIGHT_RUN];
  double right[SAFELIGHT_RUN], below[SAFELIGHT_RUN];
  NAME(locate)(part, start, step, column, 6, left, top, right, below, count);
  for (int i = 0; i < count; i++) {
    const double place_across = right[i] * SAFELIGHT_PHASES, place_down = below[i] * SAFELIGHT_PHASES;
    const int phase_across = (int)place_across, phase_down = (int)place_down;
    const float share_across = (float)(place_across - phase_across),
      share_down = (float)(place_down - phase_down);
    const float *line = table + SAFELIGHT_PHASE_ENTRIES * phase_down;
    float down[12], across[36];
    for (int k = 0; k < 12; k++)
      down[k] = line[k] + (line[SAFELIGHT_PHASE_ENTRIES + k] - line[k]) * share_down;
    line = table + SAFELIGHT_PHASE_ENTRIES * phase_across + 12;
    for (int k = 0; k < 36; k++)
      across[k] = line[k] + (line[SAFELIGHT_PHASE_ENTRIES + k] - line[k]) * share_across;
    const int32_t x = left[i] - 5, y = top[i] - 5;
    if (x >= 0 && y >= 0 && x + 11 < part->width && y + 11 < part->height) {
      const float *first =
        part->start + (y - part->top) * part->stride + 3 * (int64_t)(x - part->left);
      NAME(join_twelve)(first, part->stride, down, across, output + 3 * i);
      continue;
    }
    float edge[12 * 36];
    NAME(copy_edge)(part, x, y, 12, edge);
    NAME(join_twelve)(edge, 36, down, across, output + 3 * i);
  }
}
#undef LOAD8
#undef LOW
#undef HIGH
