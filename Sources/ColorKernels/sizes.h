// Pictures made smaller or larger: sums of weighted rows, then of weighted columns; see loops.h.

// Numbers of a row through tables, band by band, side by side as they were.
#define LIGHTEN(codes) \
  if (bands == 1) { \
    for (int i = 0; i < count; i++) output[i] = red[codes[i]]; \
    return; \
  } \
  for (int i = 0; i < count; i++) { \
    output[3 * i] = red[codes[3 * i]]; \
    output[3 * i + 1] = green[codes[3 * i + 1]]; \
    output[3 * i + 2] = blue[codes[3 * i + 2]]; \
  }
TARGET static void NAME(lighten8)(
  const uint8_t *input, int bands, const float *red, const float *green, const float *blue,
  float *restrict output, int count)
{
  LIGHTEN(input)
}

TARGET static void NAME(lighten16)(
  const uint16_t *input, int bands, const float *red, const float *green, const float *blue,
  float *restrict output, int count)
{
  LIGHTEN(input)
}
#undef LIGHTEN

// Two runs of 16 numbers at a time, as in `convolve`.
TARGET static void NAME(sum_rows)(
  const float *input, ptrdiff_t stride, const float *weights, int rows, float *restrict output, int count)
{
  int i = 0;
  for (; i + 32 <= count; i += 32) {
    const float *row = input + i;
    NAME(run) first = *(const NAME(run) *)row * weights[0];
    NAME(run) second = *(const NAME(run) *)(row + 16) * weights[0];
    for (int k = 1; k < rows; k++) {
      row += stride;
      first += *(const NAME(run) *)row * weights[k];
      second += *(const NAME(run) *)(row + 16) * weights[k];
    }
    *(NAME(run) *)(output + i) = first;
    *(NAME(run) *)(output + i + 16) = second;
  }
  for (; i < count; i++) {
    float sum = input[i] * weights[0];
    for (int k = 1; k < rows; k++) sum += input[i + k * stride] * weights[k];
    output[i] = sum;
  }
}

TARGET static void NAME(sum_columns)(
  const float *input, int bands, const int32_t *first, const float *weights, int columns,
  float *restrict output, int count)
{
  for (int i = 0; i < count; i++, weights += columns) {
    const float *pixel = input + (int64_t)bands * first[i];
    if (bands == 1) {
      float sum = 0;
      for (int k = 0; k < columns; k++) sum += pixel[k] * weights[k];
      output[i] = sum;
      continue;
    }
    // Two sums, because an addition waits for the one before.
    SafelightFour even = {0, 0, 0, 0}, odd = {0, 0, 0, 0};
    int k = 0;
    for (; k + 1 < columns; k += 2, pixel += 6) {
      even += NAME(four)(pixel) * weights[k];
      odd += NAME(four)(pixel + 3) * weights[k + 1];
    }
    if (k < columns) even += NAME(four)(pixel) * weights[k];
    even += odd;
    memcpy(output + 3 * i, &even, 3 * sizeof(float));
  }
}
