// Wiener's filter on overlapping squares of 8 x 8 numbers; see loops.h. `NoiseReduction` documents the formula.
//
// A square is a vector for each of its columns. The cosine transform down the columns of eight rows is common to
// all squares that lie in them, and so is the way back.

typedef float NAME(eight) __attribute__((vector_size(32), aligned(4)));

// Half the cosines of multiples of a sixteenth of pi.
#define COS1 0.4903926402f
#define COS2 0.4619397663f
#define COS3 0.4157348062f
#define COS4 0.3535533906f
#define COS5 0.2777851165f
#define COS6 0.1913417162f
#define COS7 0.0975451610f

// The cosine transform of eight vectors (DCT-II), orthonormal. Source: N. Ahmed, T. Natarajan and K. R. Rao, "Discrete
// cosine transform", 1974, with sums and differences of the ends taken first.
TARGET static inline void NAME(to_waves)(NAME(eight) x[8])
{
  NAME(eight) s0 = x[0] + x[7], s1 = x[1] + x[6], s2 = x[2] + x[5], s3 = x[3] + x[4];
  NAME(eight) d0 = x[0] - x[7], d1 = x[1] - x[6], d2 = x[2] - x[5], d3 = x[3] - x[4];
  NAME(eight) outer = s0 + s3, inner = s1 + s2, far = s0 - s3, near = s1 - s2;
  x[0] = (outer + inner) * COS4;
  x[4] = (outer - inner) * COS4;
  x[2] = far * COS2 + near * COS6;
  x[6] = far * COS6 - near * COS2;
  x[1] = (d0 * COS1 + d1 * COS3) + (d2 * COS5 + d3 * COS7);
  x[3] = (d0 * COS3 - d1 * COS7) - (d2 * COS1 + d3 * COS5);
  x[5] = (d0 * COS5 - d1 * COS1) + (d2 * COS7 + d3 * COS3);
  x[7] = (d0 * COS7 - d1 * COS5) + (d2 * COS3 - d3 * COS1);
}

// The way back.
TARGET static inline void NAME(from_waves)(NAME(eight) x[8])
{
  NAME(eight) outer = (x[0] + x[4]) * COS4, inner = (x[0] - x[4]) * COS4;
  NAME(eight) far = x[2] * COS2 + x[6] * COS6, near = x[2] * COS6 - x[6] * COS2;
  NAME(eight) s0 = outer + far, s3 = outer - far, s1 = inner + near, s2 = inner - near;
  NAME(eight) d0 = (x[1] * COS1 + x[3] * COS3) + (x[5] * COS5 + x[7] * COS7);
  NAME(eight) d1 = (x[1] * COS3 - x[3] * COS7) - (x[5] * COS1 + x[7] * COS5);
  NAME(eight) d2 = (x[1] * COS5 - x[3] * COS1) + (x[5] * COS7 + x[7] * COS3);
  NAME(eight) d3 = (x[1] * COS7 - x[3] * COS5) + (x[5] * COS3 - x[7] * COS1);
  x[0] = s0 + d0;
  x[7] = s0 - d0;
  x[1] = s1 + d1;
  x[6] = s1 - d1;
  x[2] = s2 + d2;
  x[5] = s2 - d2;
  x[3] = s3 + d3;
  x[4] = s3 - d3;
}

#undef COS1
#undef COS2
#undef COS3
#undef COS4
#undef COS5
#undef COS6
#undef COS7

// Makes columns of rows.
TARGET static inline void NAME(transpose)(NAME(eight) x[8])
{
  NAME(eight) pairs[8], fours[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int k = 0; k < 2; k++) {
      fours[i + 2 * k] =
        __builtin_shufflevector(pairs[i + k], pairs[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + 2 * k + 1] =
        __builtin_shufflevector(pairs[i + k], pairs[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; i++) {
    x[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    x[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

// Transforms eight rows down their columns; a vector for each column.
TARGET static inline void NAME(transform_columns)(
  const float *rows, ptrdiff_t stride, NAME(eight) *columns, int width)
{
  for (int x = 0; x < width; x += 8) {
    // The last columns are transformed again where fewer than eight are left.
    const int start = x < width - 8 ? x : width - 8;
    NAME(eight) square[8];
    for (int i = 0; i < 8; i++) square[i] = *(const NAME(eight) *)(rows + i * stride + start);
    NAME(to_waves)(square);
    NAME(transpose)(square);
    for (int i = 0; i < 8; i++) columns[start + i] = square[i];
  }
}

TARGET static void NAME(filter_squares)(
  const float *input, const float *pilot, const SafelightSquares *squares, const float *noise,
  const float *factors, float *output, float *room)
{
  const ptrdiff_t stride = squares->stride;
  const int width = 4 * squares->across + 4;
  // Two squares overlap at each place of a row or column, and their weights add up to 1.
  static const float weights[8] = {0.125f, 0.375f, 0.625f, 0.875f, 0.875f, 0.625f, 0.375f, 0.125f};
  NAME(eight) *columns = (NAME(eight) *)room, *smooth = columns + width, *sums = smooth + width;
  NAME(eight) noises[8];
  memcpy(noises, noise, sizeof noises);
  for (int y = 0; y < 4; y++) memset(output + y * stride, 0, (size_t)width * sizeof *output);
  for (int row = 0; row < squares->down; row++) {
    const ptrdiff_t place = 4 * row * stride;
    NAME(transform_columns)(input + place, stride, columns, width);
    NAME(transform_columns)(pilot + place, stride, smooth, width);
    memset(sums, 0, (size_t)width * sizeof *sums);
    for (int column = 0; column < squares->across; column++) {
      const int x = 4 * column;
      NAME(eight) waves[8], known[8];
      memcpy(waves, columns + x, sizeof waves);
      memcpy(known, smooth + x, sizeof known);
      NAME(to_waves)(waves);
      NAME(to_waves)(known);
      // The factor in the middle of the square.
      const float factor = factors[place + 2 * stride + x + 2];
      const float mean = known[0][0];
      for (int i = 0; i < 8; i += 2) {
        NAME(eight) energy = known[i] * known[i], second = known[i + 1] * known[i + 1];
        // A tiny number, because 0 must not be divided by 0.
        NAME(eight) all = energy + (noises[i] * factor + 1e-12f);
        NAME(eight) second_all = second + (noises[i + 1] * factor + 1e-12f);
        // One division instead of two.
        NAME(eight) share = 1 / (all * second_all);
        waves[i] *= energy * (second_all * share);
        waves[i + 1] *= second * (all * share);
      }
      // The mean of a square is nearer to the truth where more than the square was looked at.
      waves[0][0] = mean;
      NAME(from_waves)(waves);
      for (int i = 0; i < 8; i++) sums[x + i] += waves[i] * weights[i];
    }
    for (int y = 4; y < 8; y++)
      memset(output + place + y * stride, 0, (size_t)width * sizeof *output);
    for (int x = 0; x < width; x += 8) {
      const int start = x < width - 8 ? x : width - 8;
      NAME(eight) square[8];
      memcpy(square, sums + start, sizeof square);
      NAME(transpose)(square);
      NAME(from_waves)(square);
      for (int i = 0; i < 8; i++) {
        float *line = output + place + i * stride;
        const NAME(eight) weighted = square[i] * weights[i];
        if (start == x) {
          *(NAME(eight) *)(line + x) += weighted;
        } else {
          for (int k = x - start; k < 8; k++) line[start + k] += weighted[k];
        }
      }
    }
  }
}
