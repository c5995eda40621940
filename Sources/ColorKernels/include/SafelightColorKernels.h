#ifndef SAFELIGHT_COLOR_KERNELS_H
#define SAFELIGHT_COLOR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// The innermost loops of rendering, one version for each useful instruction set.
//
// They are in C because the compiler then makes AVX2 and AVX-512 versions of the same plain loops; the
// program chooses a version when it starts. Swift uses only the instructions that all x86-64 processors
// have. Measured against the same loops in Swift: encoding is 20 times faster, matrices 5 times, tables
// 1.5 times. All versions give the same bits: no fused multiply-add, no reordered sums.

// The size of half a table for `curve`: 512 values for each doubling from 2^-20 to 2^6, and two more:
// 26 times 512 + 2.
#define SAFELIGHT_CURVE_ENTRIES 13314

// The distance between the three planes of a tile, in numbers: red, then green, then blue.
#define SAFELIGHT_TILE 1024

// The most pixels that one call of `interpolate` or `resample` makes.
#define SAFELIGHT_RUN 128

// The table of `resample`: so many places between two pixels, and so many numbers for each of them and for
// the next pixel itself. First the 12 weights, and then each of them three times.
#define SAFELIGHT_PHASES 128
#define SAFELIGHT_PHASE_ENTRIES 48

// The tones at which `between_tones` has numbers: so many, evenly from 0 to 1.
#define SAFELIGHT_TONES 16

// The pixels of a row whose noise `encode8_dithered` judges together.
#define SAFELIGHT_DITHER_RUN 32

// The entries of a table for `take_entries`, which stand for equal parts of 0 to 1.
#define SAFELIGHT_ENTRIES 256

// The cells along an edge of the table of `convert`; 65,535 is a multiple of it.
#define SAFELIGHT_CONVERSION_CELLS 51

// The table of `recall16` has so many pairs, as a power of two.
#define SAFELIGHT_COLORS_LOG2 18

// The rows of memory, each as long as the distance of two rows, that `shrink_level`, `measure_pair` and
// `smooth_pair` need besides their planes.
#define SAFELIGHT_LEVEL_ROOM 64

// A level of wavelets on planes of floats. The numbers of a square lie `step` apart, at most 8.
typedef struct {
  // Numbers from the start of a row to the start of the next, in all planes.
  int64_t stride;
  // Columns and rows of the input.
  int32_t width, height;
  int32_t step;
  // The first column and row of the result, more than `step`, and the ends of its columns and rows, which lie
  // at least `step` + 1 before those of the input.
  int32_t first, end_column, end_row;
} SafelightLevel;

// Overlapping squares of 8 x 8 numbers of a plane, four numbers apart.
typedef struct {
  // Numbers from the start of a row to the start of the next, in all planes.
  int64_t stride;
  // How many squares lie beside each other, at least 2, and how many below each other.
  int32_t across, down;
  // How much of the mean of a square is that of the pilot, 0 to 1.
  float smooth;
} SafelightSquares;

// A part of a picture of three bands of floats, with its place in the picture.
typedef struct {
  // The first number of the part.
  const float *start;
  // Numbers from the start of a row to the start of the next.
  int64_t stride;
  // The column and row of its first pixel, and the size of the whole picture.
  int32_t left, top, width, height;
} SafelightPart;

// What color grading adds: red, green, blue and luminance for the mid-tones, and the differences for
// shadows and highlights; then the borders in luma, and the inverse of their width.
typedef struct {
  float midtones[4], shadows[4], highlights[4];
  float shadows_end, highlights_start, steepness;
} SafelightGrading;

// What white balance does: the matrix on linear light, row after row, and the number from which on the smallest
// channel leads to what the color was.
typedef struct {
  float rows[9];
  float start;
} SafelightBalance;

// What an exposure above 0 does: the factor of light, where the shoulder begins, and how much it bends.
typedef struct {
  float gain, knee, bend;
} SafelightShoulder;

// By what colors the bands of hues judge the pixels of a tile. `rows` has eight rows, as far apart as the planes of a
// tile: what L, a and b of a pixel count for the calm a, and a constant, and the same for the calm b. `share` is how
// much the calm color counts, `noise` the square of the chroma at which a color counts half.
typedef struct {
  const float *rows;
  float share, noise;
} SafelightCalm;

// The air: its color as OKLab, and how much of it is taken away where there is nothing else.
typedef struct {
  float lightness, a, b, strength;
} SafelightAir;

typedef struct {
  // Reads `count` pixels of `bands` whole numbers into three planes; with one band all three planes are
  // equal. Each sample is an index into the table of its plane.
  void (*decode8)(
    const uint8_t *input, int bands, const float *red, const float *green, const float *blue,
    float *planes, int count);
  void (*decode16)(
    const uint16_t *input, int bands, const float *red, const float *green, const float *blue,
    float *planes, int count);
  // The same for three bands without tables: divides each sample by the largest code.
  void (*scale8)(const uint8_t *input, float *planes, int count);
  void (*scale16)(const uint16_t *input, float *planes, int count);
  // Copies three bands of floats to planes, which lie `distance` numbers apart.
  void (*spread)(const float *input, float *planes, ptrdiff_t distance, int count);

  // Rounds to the nearest code, ties to the even one; below 0, above 1 and not-a-number are cut off.
  void (*encode8)(const float *planes, uint8_t *output, int count);
  void (*encode16)(const float *planes, uint16_t *output, int count);
  // The same for pixels from column `x` of a row on, with triangular noise, equal for the three channels, of
  // up to three quarters of a code on either side. It depends on the place alone. Where the pixels have noise
  // themselves, there is less or none of it. Three quarters leave an error of the mean of 0.03 codes at most, in
  // place of none with a whole code, and a JPEG of a sky without noise grows by a half in place of three quarters.
  void (*encode8_dithered)(const float *planes, int x, uint32_t row, uint8_t *output, int count);
  // Random numbers from -1 to 1, those near 0 more often (variance 1/6): one for each of `count` whole numbers from
  // `start` on, which wrap.
  void (*randomize)(uint32_t start, float *output, int count);
  // Copies the first of the three bytes of each pixel.
  void (*take_first)(const uint8_t *input, uint8_t *output, int count);
  // Copies planes, which lie `distance` numbers apart, to three bands of floats.
  void (*gather)(const float *planes, ptrdiff_t distance, float *output, int count);

  // Multiplies each pixel by three rows of four numbers: red, green, blue, constant.
  void (*matrix)(float *planes, const float rows[12], int count);
  // Replaces the first plane by a mix of the three planes.
  void (*mix)(float *planes, const float row[4], int count);

  // Replaces numbers by their values in a curve. The first half of `values` is for numbers from 2^-20
  // up, the second half for numbers from -2^-20 down. Between these and 0, where the value is `zero`, the
  // curve is straight. Not-a-number gives `zero`.
  void (*curve)(float *row, const float *values, float zero, int count);

  // Makes `count` pixels of a row, from `column` on, by cubic convolution of 4 x 4 pixels of another
  // picture, whose edge is repeated beyond it. The pixel in column x shows the place (u / w, v / w), with
  // (u, v, w) = start + (x + 0.5) step; the middle of the first pixel is (0.5, 0.5).
  void (*interpolate)(
    const SafelightPart *part, const double start[3], const double step[3], int column,
    float *output, int count);

  // The same from 12 x 12 pixels, with the weights of a table. Between two places of the table each weight
  // follows a straight line.
  void (*resample)(
    const SafelightPart *part, const float *table, const double start[3], const double step[3], int column,
    float *output, int count);

  // Interpolates by straight lines from each number of `line` to the next: `factor` places on each
  // straight line, at the middles of as many equal parts. The first `skipped` places of the first
  // straight line are left out. `factor` is a power of two, and not 1.
  void (*stretch)(const float *line, int factor, int skipped, float *row, int count);

  // Adds to each sum how far a number is drawn from `tone` to one of `tones`: by their distance up to `reach`, and by
  // less beyond it, `fall` times the rest of the distance less, down to nothing.
  void (*pull)(const float *tones, float tone, float reach, float fall, float *sums, int count);
  // For each place the number between those of two columns and two tones. `line` has SAFELIGHT_TONES numbers for each
  // column, and columns as in `stretch`, where `factor` may also be 1. Tones outside 0 to 1 count as the ends.
  void (*between_tones)(
    const float *line, int factor, int skipped, const float *tones, float *row, int count);
  // Multiplies colors by a gain that depends on the tone of their area, `base`: `dark` is how much it is above 1 in
  // black areas, `bright` its factor in bright ones; with `sparing` 1 white stays. Weak colors fade in black areas that it opens.
  // See `HighlightsShadows`.
  void (*gain_areas)(
    float *planes, const float *base, float dark, float bright, float sparing, int count);

  // The luma of colors whose planes lie `distance` numbers apart.
  void (*find_luma)(const float *planes, ptrdiff_t distance, float *output, int count);
  // Makes details stronger or weaker: `detail` is how far the luma of each place lies from that around it. See `Clarity`.
  void (*clarify)(float *planes, const float *detail, float strength, int count);
  // Turns the blurred luma of a row, `changes`, into what sharpening adds to the colors. Differences whose square is
  // well below `limit` count little. See `Sharpen`.
  void (*find_edges)(
    const float *luma, float amount, float limit, float *changes, int count);

  // Sums of weighted neighbors: weights[0] times the number itself plus, from the nearest on,
  // weights[k] times the sum of the two numbers that lie k steps before and after it.
  void (*convolve)(
    const float *input, ptrdiff_t step, const float *weights, int reach, float *output, int count);

  // Replaces codes by their values in tables; pixels of one band or three stay as they lie.
  void (*lighten8)(
    const uint8_t *input, int bands, const float *red, const float *green, const float *blue,
    float *output, int count);
  void (*lighten16)(
    const uint16_t *input, int bands, const float *red, const float *green, const float *blue,
    float *output, int count);
  // The sum of weighted rows, which lie `stride` numbers apart.
  void (*sum_rows)(
    const float *input, ptrdiff_t stride, const float *weights, int rows, float *output, int count);
  // For each of `count` pixels the sum of so many weighted pixels from its first one on. `weights` has as many
  // numbers for each pixel. With three bands, the number after the last pixel is read too.
  void (*sum_columns)(
    const float *input, int bands, const int32_t *first, const float *weights, int columns, float *output,
    int count);

  // The means of squares whose four numbers lie `step` apart, at the places of their upper left numbers.
  void (*average_squares)(
    const float *input, ptrdiff_t stride, int width, int height, int step, float *mean);
  // Replaces numbers from 0 to 1 by the entries of a table; below and above count as 0 and 1.
  void (*take_entries)(const float *row, const float *table, float *output, int count);
  // A level of one plane: what the shrunk differences of squares say about each number. `noise` times `strength` is
  // how much of the sum of nine squared differences is noise.
  void (*shrink_level)(
    const float *input, const SafelightLevel *level, const float *noise, float strength, float *detail,
    float *room);
  // Adds to each number the mean of the four squares that it belongs to.
  void (*add_means)(const float *means, const SafelightLevel *level, float *output);
  // A level of two planes with common shares: the means of squares, and how much of their differences is not
  // noise. `noise` times `strength` is how much of nine sums of six squared differences, times 16, is noise.
  void (*measure_pair)(
    const float *first, const float *second, const SafelightLevel *level, const float *noise, float strength,
    float *first_mean, float *second_mean, float *share, float *room);
  // Puts a level of two planes together: the mean, over the four squares that a number belongs to, of the
  // smooth mean and of the share of the number's difference from the mean.
  void (*smooth_pair)(
    const float *const planes[2], const float *const means[2], const float *const smooth[2],
    const SafelightLevel *level, const float *share, float *const outputs[2], float *room);

  // Copies every second number of every second row, `width` and `height` of them.
  void (*halve)(
    const float *input, ptrdiff_t stride, float *output, ptrdiff_t output_stride, int width, int height);
  // What a plane lost when it became smooth comes off a plane with twice the rows and columns: between two numbers
  // the mean of what they lost. Of the first plane one more row and column than `width` and `height` are read.
  void (*lift)(
    const float *plane, const float *smooth, ptrdiff_t stride, int width, int height, const float *input,
    float *output, ptrdiff_t output_stride);
  // Brightness and two color differences, which are 0 for gray, in place of red, green and blue, and back.
  // `NoiseReduction` documents them.
  void (*to_opponents)(float *red, float *green, float *blue, int count);
  void (*from_opponents)(
    const float *brightness, const float *first, const float *second, float *red, float *green, float *blue,
    int count);

  // Weighs each wave of overlapping squares by how much of it is not noise, as a first result, the pilot, tells:
  // Wiener's filter. Squares begin at the first number of all planes. `noise` is the energy of noise by waves, down
  // and then across, and is multiplied by the number of `factors` 2 rows and columns after a square's first one.
  // Writes all numbers of the squares; those of the outer four rows and columns have part of their sum. `room` has 48
  // numbers for each column.
  void (*filter_squares)(
    const float *input, const float *pilot, const SafelightSquares *squares, const float *noise,
    const float *factors, float *output, float *room);

  // Copies pixels of `size` bytes, from rows that lie `stride` bytes apart, to other places: one column on is
  // `across` bytes on in the output, one row on is `down` bytes on.
  void (*turn)(
    const uint8_t *input, ptrdiff_t stride, int width, int height, int size, uint8_t *output, ptrdiff_t across,
    ptrdiff_t down);

  // Applies three of PNG's filters to the bytes of a row: Sub (1), Up (2) and Paeth (4), one after the other into
  // `room`, which has three times `count` bytes. Returns the number of the filter whose result is nearest to 0.
  // `step` is the bytes of a pixel. Without a row above there is Sub alone.
  int (*filter)(
    const uint8_t *row, const uint8_t *above, int step, uint8_t *room, int count);

  // Remember the results for 8-bit colors, in a table of 2^20 entries that begins as zeros, where colors take the
  // places of others. `recall` writes the known results, lists the pixels with unknown colors, where there is
  // room for 15 more, and returns their number. `collect` copies these colors. `learn` enters their results in the table and writes them.
  int (*recall)(
    const uint8_t *input, uint8_t *output, uint32_t *table, int32_t *unknown, int count);
  void (*collect)(const uint8_t *input, const int32_t *unknown, uint8_t *colors, int count);
  void (*learn)(
    const uint8_t *colors, const uint8_t *results, uint32_t *table, const int32_t *unknown,
    uint8_t *output, int count);

  // The adjustments of these names, which document their formulas.
  void (*grade)(float *planes, const SafelightGrading *grading, int count);
  // On linear light.
  void (*balance)(float *planes, const SafelightBalance *balance, int count);
  void (*expose)(float *planes, const SafelightShoulder *shoulder, int count);
  void (*turn_hues)(float *planes, float cosine, float sine, int count);
  void (*saturate)(float *planes, float factor, int count);
  void (*vibrance)(float *planes, float amount, int count);
  // `density` is 1 where there is nothing but air; see `Dehaze`.
  void (*clear_air)(float *planes, const float *density, const SafelightAir *air, int count);
  // `table` has 12 rows of 32 numbers: for turn, saturation and luminance of a hue of OKLab, and for each power from the
  // constant up, a number for each piece of 15 degrees; the last eight numbers repeat the first eight. A turn of 1 is
  // 60 degrees. Without `calm` each color judges itself.
  void (*mix_seen_hues)(float *planes, const float *table, const SafelightCalm *calm, int count);
  // The same bands for black and white, which makes encoded colors of linear light. `tones` has the encoded tone of each
  // color before the bands change it.
  void (*gray_hues)(
    float *planes, const float *table, const float *tones, const float tint[3],
    const SafelightCalm *calm, int count);
  // Adds L, a, b and their products LL, La, Lb, aa, ab, bb to nine rows of sums, which lie `distance` numbers apart.
  void (*add_products)(const float *planes, float *sums, ptrdiff_t distance, int count);

  // Replaces colors by those of a cube with `size` nodes along each edge, red fastest. A node is four
  // floats (the last is padding) at a multiple of 16 bytes. Nodes begin at `lowest` and are 1 / `scale`
  // apart. A color outside counts as the nearest color inside, not-a-number as the lowest.
  // Interpolates in tetrahedra.
  void (*cube)(
    float *planes, const float *nodes, int size, const float lowest[3], const float scale[3],
    int count);
  // The same for 8-bit colors, with nodes at every 8th or 16th code from 0 to 256 along a side, as `step` says, and
  // results from 0 to 1.
  void (*find8)(const float *nodes, int step, const uint8_t *input, uint8_t *output, int count);
  // Replaces 16-bit colors by what tetrahedra between corners give, of which there are
  // SAFELIGHT_CONVERSION_CELLS + 1 along an edge, four numbers each, red fastest. `convert` does it where the state of
  // the cell is 1, lists the other pixels, behind them whether the state of any is 0, and returns their number.
  int (*convert)(
    const uint16_t *input, uint16_t *output, const uint16_t *corners, const uint8_t *states, int32_t *others,
    int count);
  // Remember the results for 16-bit colors, in a table of 2 << SAFELIGHT_COLORS_LOG2 numbers that begins as zeros.
  // `recall16` writes the known results of the listed pixels, keeps the others in the list and returns their number.
  // `learn16` enters results in the table and writes them.
  int (*recall16)(
    const uint16_t *input, uint16_t *output, const uint64_t *table, int32_t *pixels, int count);
  void (*learn16)(
    const uint16_t *colors, const uint16_t *results, uint64_t *table, const int32_t *pixels,
    uint16_t *output, int count);
  void (*mix_corners)(const uint16_t *input, uint16_t *output, const uint16_t *corners, int count);
} SafelightKernels;

// The state of a cell, which threads share: what was written before it is seen after it.
static inline uint8_t safelight_state(const uint8_t *state) { return __atomic_load_n(state, __ATOMIC_ACQUIRE); }
static inline void safelight_set_state(uint8_t *state, uint8_t value)
{
  __atomic_store_n(state, value, __ATOMIC_RELEASE);
}

// The number of versions that this processor can run: 1 (any), 2 (AVX2) or 3 (AVX-512).
int safelight_kernel_levels(void);
// The version for a level from 0; the last version is the fastest.
const SafelightKernels *safelight_kernels(int level);

// Gives memory for `count` floats that belongs to the calling thread, at a multiple of 64 bytes; null when less is left.
// Memory is given back in the opposite order. The heap is slower, because threads wait for each other there, and one
// picture needs such memory hundreds of thousands of times.
float *safelight_take_floats(int count);
void safelight_give_floats(int count);

#endif
