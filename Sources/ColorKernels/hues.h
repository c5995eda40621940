// The loops for tints and for the bands of hues, compiled like those in loops.h. Hues are sixths of a turn, 0 to 6.

TARGET static inline float NAME(larger)(float a, float b) { return a > b ? a : b; }
TARGET static inline float NAME(smaller)(float a, float b) { return a < b ? a : b; }
TARGET static inline float NAME(limited)(float a) { return NAME(smaller)(NAME(larger)(a, 0), 1); }
TARGET static inline float NAME(size)(float a) { return a < 0 ? -a : a; }
TARGET static inline float NAME(luma)(float r, float g, float b)
{
  return 0.2126f * r + 0.7152f * g + 0.0722f * b;
}
// 0 up to 0, 1 from 1 on, and 3x² - 2x³ between.
TARGET static inline float NAME(smooth_step)(float position)
{
  float x = NAME(limited)(position);
  return x * x * (3 - 2 * x);
}
// The strength of a tint at a tone from 0 to 1: 0 at the ends, so that black and white stay clean.
TARGET static inline float NAME(tint_room)(float tone)
{
  float distance = 2 * tone - 1, square = distance * distance;
  return 1 - square * square;
}

#define LARGER NAME(larger)
#define SMALLER NAME(smaller)
#define LIMITED NAME(limited)
#define LUMA NAME(luma)

TARGET static void NAME(grade)(float *planes, const SafelightGrading *grading, int count)
{
  float *restrict r = planes, *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  const SafelightGrading s = *grading;
  for (int i = 0; i < count; i++) {
    float red = r[i], green = g[i], blue = b[i];
    float tone = LIMITED(LUMA(red, green, blue));
    float dark = 1 - NAME(smooth_step)(s.steepness * (tone - s.shadows_end));
    float light = NAME(smooth_step)(s.steepness * (tone - s.highlights_start));
    float room = NAME(tint_room)(tone);
    float lift = tone * (1 - tone) * (s.midtones[3] + dark * s.shadows[3] + light * s.highlights[3]);
    r[i] = red + lift + room * (s.midtones[0] + dark * s.shadows[0] + light * s.highlights[0]);
    g[i] = green + lift + room * (s.midtones[1] + dark * s.shadows[1] + light * s.highlights[1]);
    b[i] = blue + lift + room * (s.midtones[2] + dark * s.shadows[2] + light * s.highlights[2]);
  }
}

// The hues of a part of a tile with their settings, and how strong each color is: 4 times its chroma, 1 at most.
enum { NAME(PART) = 256 };
typedef struct {
  float strength[NAME(PART)], hue[NAME(PART)];
  float turn[NAME(PART)], saturation[NAME(PART)], luminance[NAME(PART)];
} NAME(Hues);

// Evaluates the bands' cubics: `table` holds, for turn, saturation and luminance and for each power
// from the constant up, a number for each of 32 pieces of 15 degrees.
TARGET static void NAME(look_up)(NAME(Hues) *hues, const float *table, int count)
{
#if LEVEL == 2
  const __m512 half = _mm512_set1_ps(0.5f), shift = _mm512_set1_ps(0x1.8p23f);
  float *const results[3] = {hues->turn, hues->saturation, hues->luminance};
  for (int i = 0; i < count; i += 16) {
    // The last vector may reach beyond the part's pixels, but not beyond its planes.
    __m512 position = _mm512_mul_ps(_mm512_set1_ps(4), _mm512_loadu_ps(hues->hue + i));
    __m512 shifted = _mm512_add_ps(_mm512_sub_ps(position, half), shift);
    __m512 share = _mm512_sub_ps(position, _mm512_sub_ps(shifted, shift));
    __m512i piece = _mm512_castps_si512(shifted);
    for (int k = 0; k < 3; k++) {
      __m512 c[4];
      for (int power = 0; power < 4; power++) {
        const float *row = table + (k * 4 + power) * 32;
        c[power] = _mm512_permutex2var_ps(_mm512_loadu_ps(row), piece, _mm512_loadu_ps(row + 16));
      }
      __m512 value = _mm512_add_ps(c[2], _mm512_mul_ps(share, c[3]));
      value = _mm512_add_ps(c[1], _mm512_mul_ps(share, value));
      value = _mm512_add_ps(c[0], _mm512_mul_ps(share, value));
      _mm512_storeu_ps(results[k] + i, value);
    }
  }
#else
  for (int i = 0; i < count; i++) {
    float position = 4 * hues->hue[i];
    // After adding 1.5 times 2^23 the low bits are the nearest whole number. Half a piece is subtracted
    // before, which gives the piece below. At a border both pieces are right.
    float shifted = (position - 0.5f) + 0x1.8p23f;
    float share = position - (shifted - 0x1.8p23f);
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    const float *c = table + (bits & 31);
    hues->turn[i] = c[0] + share * (c[32] + share * (c[64] + share * c[96]));
    hues->saturation[i] = c[128] + share * (c[160] + share * (c[192] + share * c[224]));
    hues->luminance[i] = c[256] + share * (c[288] + share * (c[320] + share * c[352]));
  }
#endif
}

// The luma of a color after the luminance setting of its hue.
TARGET static inline float NAME(lightened)(float luminance, float chroma, float luma)
{
  float room = chroma * (2 - chroma) * LARGER(luma * (1 - luma), 0);
  float darkening = 1 + 0.8f * SMALLER(luminance, 0) * chroma;
  return darkening * luma + LARGER(luminance, 0) * room;
}

#undef LARGER
#undef SMALLER
#undef LIMITED
#undef LUMA
