// Wiener's filter on overlapping squares of 8 x 8 numbers; see loops.h. `NoiseReduction` documents the formula.
//
// A square is a vector for each of its columns; the other half of the vector is the square four rows below. The cosine
// transform down the columns of their rows is common to all squares that lie in them, and so is the way back.

typedef float NAME(eight) __attribute__((vector_size(32), aligned(4)));
typedef float NAME(sixteen) __attribute__((vector_size(64), aligned(4)));

// The root of a half, and the cosine and sine of an eighth of pi.
#define ROOT 0.7071067812f
#define COSINE 0.9238795325f
#define SINE 0.3826834324f

// The cosine transform of eight vectors (DCT-II), whose wave k is a factor times the orthonormal one; see `scales`.
// Source: Y. Arai, T. Agui and M. Nakajima, "A fast DCT-SQ scheme for images", 1988: five multiplications.
TARGET static inline void NAME(to_waves)(NAME(sixteen) x[8])
{
  NAME(sixteen) s0 = x[0] + x[7], s1 = x[1] + x[6], s2 = x[2] + x[5], s3 = x[3] + x[4];
  NAME(sixteen) d0 = x[0] - x[7], d1 = x[1] - x[6], d2 = x[2] - x[5], d3 = x[3] - x[4];
  NAME(sixteen) outer = s0 + s3, inner = s1 + s2, far = s0 - s3, near = (s1 - s2 + far) * ROOT;
  x[0] = outer + inner;
  x[4] = outer - inner;
  x[2] = far + near;
  x[6] = far - near;
  NAME(sixteen) low = d3 + d2, middle = (d2 + d1) * ROOT, high = d1 + d0;
  NAME(sixteen) turn = (low - high) * SINE;
  low = low * (COSINE - SINE) + turn;
  high = high * (COSINE + SINE) + turn;
  NAME(sixteen) sum = d0 + middle, difference = d0 - middle;
  x[1] = sum + high;
  x[7] = sum - high;
  x[5] = difference + low;
  x[3] = difference - low;
}

// The way back, of waves as `to_waves` makes them; eight times the numbers.
TARGET static inline void NAME(from_waves)(NAME(sixteen) x[8])
{
  NAME(sixteen) outer = x[0] + x[4], inner = x[0] - x[4], near = x[2] + x[6];
  NAME(sixteen) far = (x[2] - x[6]) * (2 * ROOT) - near;
  NAME(sixteen) s0 = outer + near, s3 = outer - near, s1 = inner + far, s2 = inner - far;
  NAME(sixteen) a = x[5] + x[3], b = x[5] - x[3], c = x[1] + x[7], d = x[1] - x[7];
  NAME(sixteen) turn = (b + d) * (2 * COSINE);
  NAME(sixteen) d0 = c + a;
  NAME(sixteen) d1 = turn - b * (2 * (COSINE + SINE)) - d0;
  NAME(sixteen) d2 = (c - a) * (2 * ROOT) - d1;
  NAME(sixteen) d3 = turn - d * (2 * (COSINE - SINE)) - d2;
  x[0] = s0 + d0;
  x[7] = s0 - d0;
  x[1] = s1 + d1;
  x[6] = s1 - d1;
  x[2] = s2 + d2;
  x[5] = s2 - d2;
  x[3] = s3 + d3;
  x[4] = s3 - d3;
}

#undef ROOT
#undef COSINE
#undef SINE

// Makes columns of the rows of both squares.
TARGET static inline void NAME(transpose)(NAME(sixteen) x[8])
{
  NAME(sixteen) pairs[8], fours[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = __builtin_shufflevector(
      x[i], x[i + 1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    pairs[i + 1] = __builtin_shufflevector(
      x[i], x[i + 1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  }
  for (int i = 0; i < 8; i += 4)
    for (int k = 0; k < 2; k++) {
      fours[i + 2 * k] = __builtin_shufflevector(
        pairs[i + k], pairs[i + k + 2], 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
      fours[i + 2 * k + 1] = __builtin_shufflevector(
        pairs[i + k], pairs[i + k + 2], 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    }
  for (int i = 0; i < 4; i++) {
    x[i] = __builtin_shufflevector(
      fours[i], fours[i + 4], 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);
    x[i + 4] = __builtin_shufflevector(
      fours[i], fours[i + 4], 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
  }
}

// Two vectors in one.
#define BOTH(first, second) \
  __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define LOW(vector) __builtin_shufflevector(vector, vector, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH(vector) __builtin_shufflevector(vector, vector, 8, 9, 10, 11, 12, 13, 14, 15)

// Transforms eight rows down their columns, and eight that begin `below` numbers later; a vector for each column.
TARGET static inline void NAME(transform_columns)(
  const float *rows, ptrdiff_t stride, ptrdiff_t below, NAME(sixteen) *columns, int width)
{
  for (int x = 0; x < width; x += 8) {
    // The last columns are transformed again where fewer than eight are left.
    const int start = x < width - 8 ? x : width - 8;
    NAME(sixteen) square[8];
    for (int i = 0; i < 8; i++) {
      const float *row = rows + i * stride + start;
      square[i] = BOTH(*(const NAME(eight) *)row, *(const NAME(eight) *)(row + below));
    }
    NAME(to_waves)(square);
    NAME(transpose)(square);
    for (int i = 0; i < 8; i++) columns[start + i] = square[i];
  }
}

// Writes the numbers of a vector from the first one on that is needed.
#define KEEP(line, vector, first) \
  do { \
    const NAME(eight) kept = vector; \
    if (first == 0) { \
      *(NAME(eight) *)(line) = kept; \
    } else { \
      for (int k = first; k < 8; k++) (line)[k] = kept[k]; \
    } \
  } while (0)

TARGET static void NAME(filter_squares)(
  const float *input, const float *pilot, const SafelightSquares *squares, const float *noise,
  const float *factors, float *output, float *room)
{
  const ptrdiff_t stride = squares->stride;
  const int width = 4 * squares->across + 4;
  // Two squares overlap at each place of a row or column, and their weights add up to 1: Kaiser's window of shape 2. An
  // eighth of them, because of `from_waves`.
  static const float weights[8] = {
    0.038493915f, 0.054657612f, 0.070342388f, 0.086506085f, 0.086506085f, 0.070342388f, 0.054657612f, 0.038493915f};
  NAME(sixteen) *columns = (NAME(sixteen) *)room, *smooth = columns + width, *sums = smooth + width;
  // The squares of the factors of `to_waves`: 8, and 16 times the square of the cosine of k sixteenths of pi.
  static const float scales[8] = {
    8, 15.3910363f, 13.6568542f, 11.0614675f, 8, 4.93853254f, 2.34314575f, 0.608963735f};
  NAME(eight) scale;
  memcpy(&scale, scales, sizeof scale);
  NAME(sixteen) noises[8];
  for (int i = 0; i < 8; i++) {
    NAME(eight) energies;
    memcpy(&energies, noise + 8 * i, sizeof energies);
    energies *= scale * scales[i];
    noises[i] = BOTH(energies, energies);
  }
  for (int row = 0; row < squares->down; row += 2) {
    // The last row of squares may have none below it, and is then its own second.
    const int isPair = row + 1 < squares->down;
    const ptrdiff_t place = 4 * row * stride, below = isPair ? 4 * stride : 0;
    NAME(transform_columns)(input + place, stride, below, columns, width);
    NAME(transform_columns)(pilot + place, stride, below, smooth, width);
    NAME(sixteen) carried[4] = {{0}};
    for (int column = 0; column < squares->across; column++) {
      const int x = 4 * column;
      NAME(sixteen) waves[8], known[8];
      memcpy(waves, columns + x, sizeof waves);
      memcpy(known, smooth + x, sizeof known);
      NAME(to_waves)(waves);
      NAME(to_waves)(known);
      // The factors in the middles of the squares.
      const float *middle = factors + place + 2 * stride + x + 2;
      const NAME(eight) none = {0};
      const NAME(sixteen) factor = BOTH(none + middle[0], none + middle[below]);
      const float mean = known[0][0], second_mean = known[0][8];
      for (int i = 0; i < 8; i += 2) {
        NAME(sixteen) energy = known[i] * known[i], second = known[i + 1] * known[i + 1];
        // A tiny number, because 0 must not be divided by 0.
        NAME(sixteen) all = energy + (noises[i] * factor + 1e-12f);
        NAME(sixteen) second_all = second + (noises[i + 1] * factor + 1e-12f);
        // One division instead of two.
        NAME(sixteen) share = 1 / (all * second_all);
        waves[i] *= energy * (second_all * share);
        waves[i + 1] *= second * (all * share);
      }
      waves[0][0] += (mean - waves[0][0]) * squares->smooth;
      waves[0][8] += (second_mean - waves[0][8]) * squares->smooth;
      NAME(from_waves)(waves);
      for (int i = 0; i < 4; i++) {
        sums[x + i] = carried[i] + waves[i] * weights[i];
        carried[i] = waves[i + 4] * weights[i + 4];
      }
    }
    memcpy(sums + width - 4, carried, sizeof carried);
    for (int x = 0; x < width; x += 8) {
      const int start = x < width - 8 ? x : width - 8;
      // Where fewer than eight columns are left, the first ones are there already.
      const int first = x - start;
      NAME(sixteen) square[8];
      memcpy(square, sums + start, sizeof square);
      NAME(transpose)(square);
      NAME(from_waves)(square);
      for (int i = 0; i < 8; i++) square[i] *= weights[i];
      float *line = output + place + start;
      for (int i = 0; i < 4; i++) {
        NAME(eight) sum = LOW(square[i]);
        if (row > 0) sum += *(const NAME(eight) *)(line + i * stride);
        KEEP(line + i * stride, sum, first);
      }
      for (int i = 4; i < 8; i++) {
        NAME(eight) sum = LOW(square[i]);
        if (isPair) sum += HIGH(square[i - 4]);
        KEEP(line + i * stride, sum, first);
      }
      if (isPair)
        for (int i = 4; i < 8; i++) KEEP(line + (i + 4) * stride, HIGH(square[i]), first);
    }
  }
}

#undef BOTH
#undef LOW
#undef HIGH
#undef KEEP
