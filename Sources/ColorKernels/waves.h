// Haar wavelets and their shrinkage; see loops.h. `NoiseReduction` documents the formulas.
//
// The square of a place has its upper left number there, and its four numbers lie `step` apart. The planes of a level
// all have the same rows and columns: those of the picture, or every second or fourth one.

// Brightness and two color differences in place of red, green and blue.
TARGET static void NAME(to_opponents)(
  float *restrict red, float *restrict green, float *restrict blue, int count)
{
  for (int i = 0; i < count; i++) {
    float r = red[i], g = green[i], b = blue[i];
    red[i] = (r + g + b) * (1.0f / 3);
    green[i] = (r - b) * 0.5f;
    blue[i] = (r - 2 * g + b) * 0.25f;
  }
}

TARGET static void NAME(from_opponents)(
  const float *restrict y, const float *restrict u, const float *restrict v, float *restrict red,
  float *restrict green, float *restrict blue, int count)
{
  for (int i = 0; i < count; i++) {
    float third = v[i] * (2.0f / 3), both = y[i] + third;
    red[i] = both + u[i];
    green[i] = y[i] - 2 * third;
    blue[i] = both - u[i];
  }
}

TARGET static void NAME(average)(
  const float *restrict upper, const float *restrict lower, int step, float *restrict mean, int count)
{
  for (int i = 0; i < count; i++)
    mean[i] = ((upper[i] + upper[i + step]) + (lower[i] + lower[i + step])) * 0.25f;
}

TARGET static void NAME(average_squares)(
  const float *input, ptrdiff_t stride, int width, int height, int step, float *mean)
{
  for (int y = 0; y < height - step; y++)
    NAME(average)(input + y * stride, input + (y + step) * stride, step, mean + y * stride, width - step);
}

TARGET static void NAME(take_entries)(
  const float *restrict row, const float *restrict table, float *restrict output, int count)
{
  for (int i = 0; i < count; i++) {
    float place = row[i] * SAFELIGHT_ENTRIES;
    place = place > 0 ? place : 0;
    place = place < SAFELIGHT_ENTRIES - 1 ? place : SAFELIGHT_ENTRIES - 1;
    output[i] = table[(int32_t)place];
  }
}

// The differences of squares from above to below, from left to right, and crosswise.
TARGET static inline void NAME(split_squares)(
  const float *restrict upper, const float *restrict lower, int step, float *restrict down,
  float *restrict across, float *restrict cross, int count)
{
  for (int i = 0; i < count; i++) {
    float a = upper[i], b = upper[i + step], c = lower[i], d = lower[i + step];
    float top = a + b, bottom = c + d, left = a - b, right = c - d;
    down[i] = (top - bottom) * 0.25f;
    across[i] = (left + right) * 0.25f;
    cross[i] = (left - right) * 0.25f;
  }
}

// The sums of the squares of three numbers, one above the other.
TARGET static inline void NAME(sum_squares)(
  const float *restrict above, const float *restrict row, const float *restrict below, float *restrict sum,
  int count)
{
  for (int i = 0; i < count; i++) sum[i] = (above[i] * above[i] + below[i] * below[i]) + row[i] * row[i];
}

// Multiplies three rows of differences by the share of the squares around each of them that is not noise.
// The sums begin one number before.
TARGET static inline void NAME(shrink_row)(
  const float *restrict x, const float *restrict y, const float *restrict z, const float *restrict s,
  const float *restrict t, const float *restrict u, const float *restrict noise, float strength,
  float *restrict down, float *restrict across, float *restrict cross, int count)
{
  for (int i = 0; i < count; i++) {
    float limit = noise[i] * strength;
    // A tiny number, because 0 must not be divided by 0.
    float a = (s[i] + s[i + 2]) + s[i + 1] + 1e-11f;
    float b = (t[i] + t[i + 2]) + t[i + 1] + 1e-11f;
    float c = (u[i] + u[i + 2]) + u[i + 1] + 1e-11f;
    float first = a - limit, second = b - limit, third = c - limit;
    first = first > 0 ? first : 0;
    second = second > 0 ? second : 0;
    third = third > 0 ? third : 0;
    // One division instead of three.
    float ab = a * b, share = 1 / (ab * c);
    down[i] = x[i] * (first * (b * c) * share);
    across[i] = y[i] * (second * (a * c) * share);
    cross[i] = z[i] * (third * ab * share);
  }
}

// A number's mean share of the differences of the four squares that it belongs to.
TARGET static inline void NAME(join_squares)(
  const float *restrict upper_down, const float *restrict upper_across, const float *restrict upper_cross,
  const float *restrict down, const float *restrict across, const float *restrict cross, int step,
  float *restrict output, int count)
{
  for (int i = 0; i < count; i++) {
    float own = down[i] + across[i] + cross[i];
    float left = down[i - step] - across[i - step] - cross[i - step];
    float up = upper_across[i] - upper_down[i] - upper_cross[i];
    float corner = upper_cross[i - step] - upper_down[i - step] - upper_across[i - step];
    output[i] = ((own + left) + (up + corner)) * 0.25f;
  }
}

TARGET static void NAME(shrink_level)(
  const float *input, const SafelightLevel *level, const float *noise, float strength, float *detail,
  float *room)
{
  const ptrdiff_t stride = level->stride;
  const int step = level->step, first = level->first, from = first - step;
  const int count = level->end_column - from;
  // Four rows of differences and sixteen of shrunk ones, of three kinds each, and a row of sums of each kind.
  float *bands = room, *shrunk = bands + 12 * stride, *sums = shrunk + 48 * stride;
  for (int y = from - 1; y <= level->end_row; y++) {
    const float *row = input + y * stride + from - 1;
    float *band = bands + (y & 3) * 3 * stride + from - 1;
    NAME(split_squares)(
      row, row + step * stride, step, band, band + stride, band + 2 * stride, count + 2);
    const int middle = y - 1;
    if (middle < from) continue;
    const float *above = bands + ((y - 2) & 3) * 3 * stride + from;
    const float *own = bands + (middle & 3) * 3 * stride + from;
    for (int kind = 0; kind < 3; kind++) {
      const ptrdiff_t place = kind * stride - 1;
      NAME(sum_squares)(
        above + place, own + place, band + kind * stride, sums + kind * stride, count + 2);
    }
    float *now = shrunk + (middle & 15) * 3 * stride;
    NAME(shrink_row)(
      own, own + stride, own + 2 * stride, sums, sums + stride, sums + 2 * stride,
      noise + middle * stride + from, strength, now + from, now + stride + from, now + 2 * stride + from,
      count);
    if (middle < first) continue;
    const float *upper = shrunk + ((middle - step) & 15) * 3 * stride + first;
    now += first;
    NAME(join_squares)(
      upper, upper + stride, upper + 2 * stride, now, now + stride, now + 2 * stride, step,
      detail + middle * stride + first, level->end_column - first);
  }
}

TARGET static inline void NAME(add_mean)(
  const float *restrict upper, const float *restrict row, int step, float *restrict output, int count)
{
  for (int i = 0; i < count; i++)
    output[i] += ((upper[i] + upper[i - step]) + (row[i] + row[i - step])) * 0.25f;
}

TARGET static void NAME(add_means)(const float *means, const SafelightLevel *level, float *output)
{
  const int first = level->first;
  for (int y = first; y < level->end_row; y++) {
    const float *row = means + y * level->stride + first;
    NAME(add_mean)(
      row - level->step * level->stride, row, level->step, output + y * level->stride + first,
      level->end_column - first);
  }
}

// The means of the squares of two planes, and the sum of the squares of their differences, times 16.
TARGET static inline void NAME(measure_squares)(
  const float *restrict first, const float *restrict lower_first, const float *restrict second,
  const float *restrict lower_second, int step, float *restrict first_mean, float *restrict second_mean,
  float *restrict energy, int count)
{
  for (int i = 0; i < count; i++) {
    float a = first[i], b = first[i + step], c = lower_first[i], d = lower_first[i + step];
    float top = a + b, bottom = c + d, left = a - b, right = c - d;
    float down = top - bottom, across = left + right, cross = left - right;
    float sum = down * down + across * across + cross * cross;
    first_mean[i] = (top + bottom) * 0.25f;
    a = second[i], b = second[i + step], c = lower_second[i], d = lower_second[i + step];
    top = a + b, bottom = c + d, left = a - b, right = c - d;
    down = top - bottom, across = left + right, cross = left - right;
    second_mean[i] = (top + bottom) * 0.25f;
    energy[i] = sum + (down * down + across * across + cross * cross);
  }
}

TARGET static inline void NAME(sum_three)(
  const float *restrict above, const float *restrict row, const float *restrict below, float *restrict sum,
  int count)
{
  for (int i = 0; i < count; i++) sum[i] = (above[i] + below[i]) + row[i];
}

TARGET static inline void NAME(shares)(
  const float *restrict sums, const float *restrict noise, float strength, float *restrict share, int count)
{
  for (int i = 0; i < count; i++) {
    float energy = (sums[i] + sums[i + 2]) + sums[i + 1] + 1e-11f;
    float rest = energy - noise[i] * strength;
    share[i] = (rest > 0 ? rest : 0) / energy;
  }
}

TARGET static void NAME(measure_pair)(
  const float *first, const float *second, const SafelightLevel *level, const float *noise, float strength,
  float *first_mean, float *second_mean, float *share, float *room)
{
  const ptrdiff_t stride = level->stride, under = level->step * stride;
  const int step = level->step, wide = level->width - step, high = level->height - step;
  const int from = level->first - step;
  const int count = level->end_column - from;
  float *energies = room, *sums = room + 4 * stride;
  for (int y = 0; y < high; y++) {
    const float *a = first + y * stride, *b = second + y * stride;
    if (y < from - 1 || y > level->end_row) {
      NAME(average)(a, a + under, step, first_mean + y * stride, wide);
      NAME(average)(b, b + under, step, second_mean + y * stride, wide);
      continue;
    }
    NAME(measure_squares)(
      a, a + under, b, b + under, step, first_mean + y * stride, second_mean + y * stride,
      energies + (y & 3) * stride, wide);
    const int middle = y - 1;
    if (middle < from) continue;
    const ptrdiff_t place = from - 1;
    NAME(sum_three)(
      energies + ((y - 2) & 3) * stride + place, energies + (middle & 3) * stride + place,
      energies + (y & 3) * stride + place, sums, count + 2);
    NAME(shares)(
      sums, noise + middle * stride + from, strength, share + middle * stride + from, count);
  }
}

// What the squares say about their numbers besides the numbers themselves.
TARGET static inline void NAME(part)(
  const float *restrict smooth, const float *restrict mean, const float *restrict share,
  float *restrict part, int count)
{
  for (int i = 0; i < count; i++) part[i] = smooth[i] - share[i] * mean[i];
}

TARGET static inline void NAME(join_pair)(
  const float *restrict upper_share, const float *restrict share, const float *restrict upper_a,
  const float *restrict a, const float *restrict upper_b, const float *restrict b, int step,
  const float *restrict first, const float *restrict second, float *restrict first_output,
  float *restrict second_output, int count)
{
  for (int i = 0; i < count; i++) {
    float kept = ((upper_share[i] + upper_share[i - step]) + (share[i] + share[i - step])) * 0.25f;
    first_output[i] = first[i] * kept
      + ((upper_a[i] + upper_a[i - step]) + (a[i] + a[i - step])) * 0.25f;
    second_output[i] = second[i] * kept
      + ((upper_b[i] + upper_b[i - step]) + (b[i] + b[i - step])) * 0.25f;
  }
}

TARGET static void NAME(smooth_pair)(
  const float *const planes[2], const float *const means[2], const float *const smooth[2],
  const SafelightLevel *level, const float *share, float *const outputs[2], float *room)
{
  const ptrdiff_t stride = level->stride;
  const int step = level->step, first = level->first, from = first - step;
  for (int y = from; y < level->end_row; y++) {
    const ptrdiff_t row = y * stride, start = row + from;
    float *now = room + (y & 15) * 2 * stride;
    for (int k = 0; k < 2; k++)
      NAME(part)(
        smooth[k] + start, means[k] + start, share + start, now + k * stride + from,
        level->end_column - from);
    if (y < first) continue;
    const float *upper = room + ((y - step) & 15) * 2 * stride + first;
    const ptrdiff_t place = row + first;
    now += first;
    NAME(join_pair)(
      share + place - step * stride, share + place, upper, now, upper + stride, now + stride, step,
      planes[0] + place, planes[1] + place, outputs[0] + place, outputs[1] + place,
      level->end_column - first);
  }
}

TARGET static inline void NAME(halve_row)(const float *restrict row, float *restrict output, int count)
{
  for (int i = 0; i < count; i++) output[i] = row[2 * i];
}

TARGET static void NAME(halve)(
  const float *input, ptrdiff_t stride, float *output, ptrdiff_t output_stride, int width, int height)
{
  for (int y = 0; y < height; y++)
    NAME(halve_row)(input + 2 * y * stride, output + y * output_stride, width);
}

// What two rows lost, as a mean, comes off two numbers of a row for each of theirs.
TARGET static inline void NAME(lift_row)(
  const float *restrict upper, const float *restrict upper_smooth, const float *restrict lower,
  const float *restrict lower_smooth, const float *restrict row, float *restrict output, int count)
{
  for (int i = 0; i < count; i++) {
    float lost = ((upper[i] - upper_smooth[i]) + (lower[i] - lower_smooth[i])) * 0.5f;
    float next = ((upper[i + 1] - upper_smooth[i + 1]) + (lower[i + 1] - lower_smooth[i + 1])) * 0.5f;
    output[2 * i] = row[2 * i] - lost;
    output[2 * i + 1] = row[2 * i + 1] - (lost + next) * 0.5f;
  }
}

TARGET static void NAME(lift)(
  const float *plane, const float *smooth, ptrdiff_t stride, int width, int height, const float *input,
  float *output, ptrdiff_t output_stride)
{
  for (int y = 0; y < 2 * height; y++) {
    const ptrdiff_t upper = (y >> 1) * stride, lower = ((y + 1) >> 1) * stride;
    NAME(lift_row)(
      plane + upper, smooth + upper, plane + lower, smooth + lower, input + y * output_stride,
      output + y * output_stride, width);
  }
}
