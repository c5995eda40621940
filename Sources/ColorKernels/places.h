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
      NAME(join)(first, part->stride, down[i], across[i], output + 3 * i);
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
    NAME(join)(edge, 12, down[i], across[i], output + 3 * i);
  }
}
