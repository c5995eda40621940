#ifndef SAFELIGHT_COLOR_KERNELS_H
#define SAFELIGHT_COLOR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// The innermost loops of rendering, once for each instruction set that is worth it.
//
// They are in C because the compiler then makes AVX2 and AVX-512 versions of the same plain loops,
// chosen when the program starts; Swift has only the instructions of every x86-64 processor.
// Measured against the same loops in Swift: encoding 20 times faster, matrices 5, tables 1.5.
// Every version gives the same bits: no fused multiply-add, no reordered sums.

// Half of a table that `curve` takes: 512 values for each doubling from 2^-20 to 2^6, and two more: 26 times 512 + 2.
#define SAFELIGHT_CURVE_ENTRIES 13314

// How far apart the three planes of a tile lie: red, then green, then blue.
#define SAFELIGHT_TILE 1024

// Most pixels that `interpolate` makes at once.
#define SAFELIGHT_RUN 128

// A part of a picture of three bands of floats, with the place and size it has in the whole.
typedef struct {
  // Its first number.
  const float *start;
  // Numbers from the start of a row to the start of the next.
  int64_t stride;
  // The column and row of its first pixel, and the size of the whole picture.
  int32_t left, top, width, height;
} SafelightPart;

// What color grading adds: red, green, blue and luminance for the mid-tones, and what the shadows and
// highlights get besides; the borders in luma, and one over their width.
typedef struct {
  float midtones[4], shadows[4], highlights[4];
  float shadows_end, highlights_start, steepness;
} SafelightGrading;

typedef struct {
  // Reads `count` pixels of `bands` whole numbers and spreads them over three planes; with one band
  // all three are the same. Each sample is an index into its plane's table.
  void (*decode8)(
    const uint8_t *input, int bands, const float *red, const float *green, const float *blue,
    float *planes, int count);
  void (*decode16)(
    const uint16_t *input, int bands, const float *red, const float *green, const float *blue,
    float *planes, int count);
  // The same for three bands without tables: a sample divided by the largest.
  void (*scale8)(const uint8_t *input, float *planes, int count);
  void (*scale16)(const uint16_t *input, float *planes, int count);
  // Three bands of floats as they are; the planes lie `distance` numbers apart.
  void (*spread)(const float *input, float *planes, ptrdiff_t distance, int count);

  // Rounds to the nearest code, ties to the even one; below 0, above 1 and not-a-number are cut off.
  void (*encode8)(const float *planes, uint8_t *output, int count);
  void (*encode16)(const float *planes, uint16_t *output, int count);
  // Three bands of floats as they are; the planes lie `distance` numbers apart.
  void (*gather)(const float *planes, ptrdiff_t distance, float *output, int count);

  // Multiplies with three rows of four: red, green, blue, constant.
  void (*matrix)(float *planes, const float rows[12], int count);
  // Gives the first plane a mix of the three.
  void (*mix)(float *planes, const float row[4], int count);

  // Looks numbers up in a curve: the first half of `values` is for those from 2^-20, the second for
  // the negative ones from -2^-20; between its first entries and `zero` it is straight. Not-a-number
  // gives `zero`.
  void (*curve)(float *row, const float *values, float zero, int count);

  // Makes pixels from (`column`, row) on by cubic convolution of the 4 x 4 around their places in
  // another picture, whose edge is repeated beyond it. The place of a pixel x is (u / w, v / w), with
  // (u, v, w) = start + (x + 0.5) step and the middle of the first pixel at (0.5, 0.5).
  void (*interpolate)(
    const SafelightPart *part, const double start[3], const double step[3], int column,
    float *output, int count);

  // Draws straight lines from each number of `line` to the next: `factor` places on each, at the
  // middles of as many equal parts. The first of `count` places is the one after `skipped` on the
  // first line. `factor` is a power of two, and not 1.
  void (*stretch)(const float *line, int factor, int skipped, float *row, int count);

  // Sums of weighted neighbors: weights[0] times the number itself and, from the nearest on,
  // weights[k] times the two that lie k steps before and behind it.
  void (*convolve)(
    const float *input, ptrdiff_t step, const float *weights, int reach, float *output, int count);

  // What 8-bit colors became before, in a table of 2^24 entries that begins as zeros: `recall` writes the
  // known results, lists the pixels that are unknown and gives their number; `collect` gathers those
  // colors, and `learn` enters and writes what became of them.
  int (*recall)(
    const uint8_t *input, uint8_t *output, uint32_t *table, int32_t *unknown, int count);
  void (*collect)(const uint8_t *input, const int32_t *unknown, uint8_t *colors, int count);
  void (*learn)(
    const uint8_t *colors, const uint8_t *results, uint32_t *table, const int32_t *unknown,
    uint8_t *output, int count);

  // The adjustments of the same names; their formulas stand there. `table` holds 12 rows of 32 numbers:
  // for turn, saturation and luminance of a hue and for each power from the constant up, one for each
  // piece of 15 degrees, the last eight repeating the first.
  void (*vibrance)(float *planes, float amount, int count);
  void (*grade)(float *planes, const SafelightGrading *grading, int count);
  void (*mix_hues)(float *planes, const float *table, int count);
  void (*gray_hues)(
    float *planes, const float *table, const float tint[3], float amount, int count);

  // Looks colors up in a cube with `size` places along each edge, red fastest, each of four floats
  // (the last is padding) on a multiple of 16 bytes. Places begin at `lowest` and lie 1 / `scale`
  // apart; colors beyond count as the nearest inside, not-a-number as the lowest. Interpolates in
  // tetrahedra.
  void (*cube)(
    float *planes, const float *nodes, int size, const float lowest[3], const float scale[3],
    int count);
} SafelightKernels;

// How many versions this processor can run: 1 (any), 2 (AVX2) or 3 (AVX-512).
int safelight_kernel_levels(void);
// The version for a level from 0; the last one is the fastest.
const SafelightKernels *safelight_kernels(int level);

#endif
