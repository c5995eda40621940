// The loops on linear light that keep hues as they are seen, compiled like those in loops.h.
//
// They work in OKLab: linear sRGB becomes the responses of three kinds of cones (l, m, s), their cube roots are
// mixed to L, a and b. Source: B. Ottosson, "A perceptual color space for image processing", 2020, with the
// matrices of its present edition.

// The cube root, to about the precision of a float: a guess from the exponent and two steps of Halley's method.
TARGET static inline float NAME(cube_root)(float value)
{
  // Below this the root of nothing would be divided by nothing.
  float size = (value < 0 ? -value : value) + 1e-30f;
  uint32_t bits;
  memcpy(&bits, &size, sizeof bits);
  bits = bits / 3 + 709921077u;
  float root;
  memcpy(&root, &bits, sizeof root);
  float cube = root * root * root;
  root = root * (cube + 2 * size) / (2 * cube + size);
  cube = root * root * root;
  root = root * (cube + 2 * size) / (2 * cube + size);
  return value < 0 ? -root : root;
}

// The cube roots of the cones' responses to linear light.
#define CONES(red, green, blue) \
  float l = NAME(cube_root)(0.4122214708f * (red) + 0.5363325363f * (green) + 0.0514459929f * (blue)); \
  float m = NAME(cube_root)(0.2119034982f * (red) + 0.6806995451f * (green) + 0.1073969566f * (blue)); \
  float s = NAME(cube_root)(0.0883024619f * (red) + 0.2817188376f * (green) + 0.6299787005f * (blue))

// Linear light from the cube roots.
#define LIGHT(l, m, s, red, green, blue) \
  do { \
    float l3 = (l) * (l) * (l), m3 = (m) * (m) * (m), s3 = (s) * (s) * (s); \
    red = 4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3; \
    green = -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3; \
    blue = -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3; \
  } while (0)

// OKLab's lightness, from the cube roots.
#define LIGHTNESS(l, m, s) (0.2104542553f * (l) + 0.7936177850f * (m) - 0.0040720468f * (s))

TARGET static void NAME(expose)(float *planes, const SafelightShoulder *shoulder, int count)
{
  float *restrict r = planes, *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  const SafelightShoulder way = *shoulder;
  for (int i = 0; i < count; i++) {
    float red = r[i], green = g[i], blue = b[i];
    float top = red > green ? red : green;
    top = way.gain * (top > blue ? top : blue);
    float above = top - way.knee;
    int bends = above > 0;
    above = bends ? above : 0;
    float mapped = way.knee + above / (1 + way.bend * above);
    // How much of the color stays: the more light the shoulder takes away, the less.
    float root = NAME(cube_root)(bends ? mapped / top : 1), keep = root * root;
    CONES(red, green, blue);
    float lightness = LIGHTNESS(l, m, s);
    l = lightness + keep * (l - lightness);
    m = lightness + keep * (m - lightness);
    s = lightness + keep * (s - lightness);
    float pale_red, pale_green, pale_blue;
    LIGHT(l, m, s, pale_red, pale_green, pale_blue);
    float largest = pale_red > pale_green ? pale_red : pale_green;
    largest = largest > pale_blue ? largest : pale_blue;
    float scale = mapped / (bends ? largest : 1);
    // Gray stays exactly gray, whatever the matrices round to.
    int is_gray = (red == green) & (green == blue);
    r[i] = bends ? (is_gray ? mapped : scale * pale_red) : way.gain * red;
    g[i] = bends ? (is_gray ? mapped : scale * pale_green) : way.gain * green;
    b[i] = bends ? (is_gray ? mapped : scale * pale_blue) : way.gain * blue;
  }
}

// Colors of a part of a tile: their lightness, what chroma adds to the cones' cube roots, the smallest and the largest
// number that a channel may have, how far the chroma may reach before the color is dimmed, which share of the chroma is
// surely inside, and below what channels are cut off.
typedef struct {
  float lightness[NAME(PART)], l[NAME(PART)], m[NAME(PART)], s[NAME(PART)];
  float low[NAME(PART)], high[NAME(PART)], reach[NAME(PART)], kept[NAME(PART)];
  float floor[NAME(PART)];
} NAME(Lab);

// Enters a and b, and the limits: those of sRGB, and wider where the color itself lay outside.
TARGET static inline void NAME(enter)(
  NAME(Lab) *lab, int i, float lightness, float a, float b, float red, float green, float blue)
{
  float low = red < green ? red : green, high = red < green ? green : red;
  low = low < blue ? low : blue;
  high = high > blue ? high : blue;
  lab->lightness[i] = lightness;
  lab->l[i] = 0.3963377774f * a + 0.2158037573f * b;
  lab->m[i] = -0.1055613458f * a - 0.0638541728f * b;
  lab->s[i] = -0.0894841775f * a - 1.2914855480f * b;
  // Rounding must not count as leaving sRGB.
  lab->low[i] = lab->floor[i] = (low < 0 ? low : 0) - 1e-5f;
  lab->high[i] = lab->reach[i] = (high > 1 ? high : 1) + 1e-5f;
  lab->kept[i] = 0;
}

// Lets a color that has been entered keep the chroma that it gained, and dims it instead. Around a sun chroma would
// otherwise fall where the first channel is full, which shows as a ring. As light is a cube, the channels grow by about
// the cube of the gain at most.
TARGET static inline void NAME(keep_chroma)(NAME(Lab) *lab, int i, float gain)
{
  lab->reach[i] *= gain > 1 ? gain * gain * gain : 1;
}

#define OUTSIDE(i, red, green, blue) \
  (((red) < lab->low[i]) | ((green) < lab->low[i]) | ((blue) < lab->low[i]) \
    | ((red) > lab->high[i]) | ((green) > lab->high[i]) | ((blue) > lab->high[i]))

// A channel's light by the share of the chroma: a cubic, because the cube roots are straight lines.
typedef struct {
  float once, twice, thrice;
} NAME(Cubic);

// The cubic of a channel with a row of the matrix from cubes to light.
TARGET static inline NAME(Cubic) NAME(channel)(
  float light, float l, float m, float s, float by_l, float by_m, float by_s)
{
  float ll = by_l * l, mm = by_m * m, ss = by_s * s;
  NAME(Cubic) cubic;
  cubic.once = 3 * light * light * (ll + mm + ss);
  ll *= l, mm *= m, ss *= s;
  cubic.twice = 3 * light * (ll + mm + ss);
  cubic.thrice = ll * l + mm * m + ss * s;
  return cubic;
}

TARGET static inline float NAME(at)(NAME(Cubic) cubic, float gray, float share)
{
  return gray + share * (cubic.once + share * (cubic.twice + share * cubic.thrice));
}

// The share at which a channel leaves its limits: 1 where it does not. It does so between `inside` and `beyond`: a
// straight line and two steps of Halley's method find where.
TARGET static inline float NAME(leaving)(
  NAME(Cubic) cubic, float gray, float low, float high, float inside, float beyond)
{
  const float start = NAME(at)(cubic, gray, inside), end = NAME(at)(cubic, gray, beyond);
  const int leaves = (end < low) | (end > high);
  const float limit = end < low ? low : high;
  float share = inside + (beyond - inside) * (limit - start) / (leaves ? end - start : 1);
  for (int step = 0; step < 2; step++) {
    share = share > inside ? share : inside;
    share = share < beyond ? share : beyond;
    const float above = NAME(at)(cubic, gray - limit, share);
    const float slope = cubic.once + share * (2 * cubic.twice + share * (3 * cubic.thrice));
    const float half_bend = cubic.twice + share * (3 * cubic.thrice);
    const float divisor = slope * slope - above * half_bend;
    share -= above * slope / (divisor != 0 ? divisor : 1);
  }
  share = share > inside ? share : inside;
  share = share < beyond ? share : beyond;
  return leaves ? share : 1;
}

// Finds the largest share of the chroma that leaves colors inside their limits. Halves shares until the limit that
// is left first is the only one near, as a channel may leave its limits and come back.
TARGET static void NAME(find_shares)(const NAME(Lab) *lab, float *restrict shares, int count)
{
  for (int i = 0; i < count; i++) {
    const float light = lab->lightness[i], gray = light * light * light;
    const float l = lab->l[i], m = lab->m[i], s = lab->s[i], low = lab->low[i], high = lab->high[i];
    const NAME(Cubic) red =
      NAME(channel)(light, l, m, s, 4.0767416621f, -3.3077115913f, 0.2309699292f);
    const NAME(Cubic) green =
      NAME(channel)(light, l, m, s, -1.2684380046f, 2.6097574011f, -0.3413193965f);
    const NAME(Cubic) blue =
      NAME(channel)(light, l, m, s, -0.0041960863f, -0.7034186147f, 1.7076147010f);
    float inside = lab->kept[i], beyond = 1;
    for (int step = 0; step < 4; step++) {
      const float share = 0.5f * (inside + beyond);
      const int leaves = OUTSIDE(
        i, NAME(at)(red, gray, share), NAME(at)(green, gray, share), NAME(at)(blue, gray, share));
      inside = leaves ? inside : share;
      beyond = leaves ? share : beyond;
    }
    const float by_red = NAME(leaving)(red, gray, low, high, inside, beyond);
    const float by_green = NAME(leaving)(green, gray, low, high, inside, beyond);
    const float by_blue = NAME(leaving)(blue, gray, low, high, inside, beyond);
    float share = by_red < by_green ? by_red : by_green;
    share = share < by_blue ? share : by_blue;
    share = share < beyond ? share : beyond;
    // The lightness alone may lie outside.
    shares[i] = ((gray < low) | (gray > high)) ? 0 : share;
  }
}

// Writes colors as linear light. Those outside the limits get the largest chroma that lies inside, with the same
// lightness and hue. The cubics are those of B. Ottosson, "Gamut clipping", 2021. Where the chroma may reach beyond the
// largest number, colors get less light in the same proportions instead.
TARGET static void NAME(fit)(const NAME(Lab) *lab, float *restrict r, int count)
{
  float *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  int leaves[NAME(PART)], some = 0;
  for (int i = 0; i < count; i++) {
    float light = lab->lightness[i], red, green, blue;
    LIGHT(light + lab->l[i], light + lab->m[i], light + lab->s[i], red, green, blue);
    leaves[i] = OUTSIDE(i, red, green, blue);
    some |= leaves[i];
    r[i] = red > lab->floor[i] ? red : lab->floor[i];
    g[i] = green > lab->floor[i] ? green : lab->floor[i];
    b[i] = blue > lab->floor[i] ? blue : lab->floor[i];
  }
  if (!some) return;
  NAME(Lab) left;
  int places[NAME(PART)], found = 0;
  for (int i = 0; i < count; i++) {
    places[found] = i;
    found += leaves[i];
  }
  for (int k = 0; k < found; k++) {
    const int i = places[k];
    left.lightness[k] = lab->lightness[i];
    left.l[k] = lab->l[i];
    left.m[k] = lab->m[i];
    left.s[k] = lab->s[i];
    left.low[k] = lab->low[i];
    left.high[k] = lab->reach[i];
    left.kept[k] = lab->kept[i];
  }
  float shares[NAME(PART)];
  NAME(find_shares)(&left, shares, found);
  for (int k = 0; k < found; k++) {
    const float light = left.lightness[k], share = shares[k];
    const int i = places[k];
    LIGHT(
      light + share * left.l[k], light + share * left.m[k], light + share * left.s[k], r[i], g[i], b[i]);
    float top = r[i] > g[i] ? r[i] : g[i];
    top = top > b[i] ? top : b[i];
    const float scale = top > lab->high[i] ? lab->high[i] / top : 1;
    const float floor = lab->floor[i];
    r[i] = scale * r[i] > floor ? scale * r[i] : floor;
    g[i] = scale * g[i] > floor ? scale * g[i] : floor;
    b[i] = scale * b[i] > floor ? scale * b[i] : floor;
  }
}

// OKLab's a and b, from the cones' cube roots. The sums of the factors are 0, so that gray has none.
#define TO_A(l, m, s) (1.9779984951f * ((l) - (m)) + 0.4505937099f * ((s) - (m)))
#define TO_B(l, m, s) (0.0259040371f * ((l) - (s)) + 0.7827717662f * ((m) - (s)))

// Colors of a part that left their limits, one after the other, with their places in the part.
typedef struct {
  float light[3 * SAFELIGHT_TILE];
  float low[NAME(PART)], high[NAME(PART)];
  int place[NAME(PART)];
} NAME(Left);

// Leads colors back inside their limits: neutral ones keep their lightness, strong ones are dimmed.
TARGET static void NAME(lead_back)(NAME(Left) *left, int count)
{
  NAME(Lab) lab;
  float *restrict r = left->light, *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  for (int i = 0; i < count; i++) {
    float low = left->low[i], high = left->high[i];
    float white = low < 0 ? 0 : low < 1 ? low : 1, limit = high < 1 ? 1 : high;
    float top = r[i] > g[i] ? r[i] : g[i];
    top = top > b[i] ? top : b[i];
    float neutral = high > 0 ? white / high : 0;
    neutral = neutral * (2 - neutral);
    float dimming = NAME(cube_root)(top > limit ? limit / top : 1);
    float scale = neutral + (1 - neutral) * dimming;
    CONES(r[i], g[i], b[i]);
    l *= scale;
    m *= scale;
    s *= scale;
    NAME(enter)(&lab, i, LIGHTNESS(l, m, s), TO_A(l, m, s), TO_B(l, m, s), low, low, high);
  }
  NAME(fit)(&lab, r, count);
}

TARGET static void NAME(balance)(float *planes, const SafelightBalance *balance, int count)
{
  const float *m = balance->rows;
  const float start = balance->start, rest = 1 / (1 - start);
  float lows[NAME(PART)], highs[NAME(PART)];
  int leaves[NAME(PART)];
  for (int first = 0; first < count; first += NAME(PART)) {
    const int length = count - first < NAME(PART) ? count - first : NAME(PART);
    float *restrict r = planes + first, *restrict g = r + SAFELIGHT_TILE;
    float *restrict b = g + SAFELIGHT_TILE;
    int some = 0;
    for (int i = 0; i < length; i++) {
      const float red = r[i], green = g[i], blue = b[i];
      float low = red < green ? red : green, high = red < green ? green : red;
      low = low < blue ? low : blue;
      high = high > blue ? high : blue;
      float path = (low - start) * rest;
      path = path > 0 ? path : 0;
      path = path < 1 ? path : 1;
      path = path * path * (3 - 2 * path);
      float warm = m[0] * red + m[1] * green + m[2] * blue;
      float even = m[3] * red + m[4] * green + m[5] * blue;
      float cool = m[6] * red + m[7] * green + m[8] * blue;
      warm += path * (red - warm);
      even += path * (green - even);
      cool += path * (blue - cool);
      float smallest = warm < even ? warm : even, largest = warm < even ? even : warm;
      smallest = smallest < cool ? smallest : cool;
      largest = largest > cool ? largest : cool;
      // Rounding must not count as leaving sRGB.
      int out = (smallest < (low < 0 ? low : 0) - 1e-5f) | (largest > (high > 1 ? high : 1) + 1e-5f);
      r[i] = warm;
      g[i] = even;
      b[i] = cool;
      lows[i] = low;
      highs[i] = high;
      leaves[i] = out;
      some |= out;
    }
    if (!some) continue;
    NAME(Left) left;
    int found = 0;
    for (int i = 0; i < length; i++) {
      left.place[found] = i;
      found += leaves[i];
    }
    for (int k = 0; k < found; k++) {
      const int i = left.place[k];
      left.light[k] = r[i];
      left.light[k + SAFELIGHT_TILE] = g[i];
      left.light[k + 2 * SAFELIGHT_TILE] = b[i];
      left.low[k] = lows[i];
      left.high[k] = highs[i];
    }
    NAME(lead_back)(&left, found);
    for (int k = 0; k < found; k++) {
      const int i = left.place[k];
      r[i] = left.light[k];
      g[i] = left.light[k + SAFELIGHT_TILE];
      b[i] = left.light[k + 2 * SAFELIGHT_TILE];
    }
  }
}

TARGET static void NAME(turn_hues)(float *planes, float cosine, float sine, int count)
{
  NAME(Lab) lab;
  // Other hues have less room at a lightness. A tenth of it may go for them.
  const float half = __builtin_elementwise_sqrt(NAME(larger)(0.5f * (1 - cosine), 0));
  const float gain = 1 + NAME(smaller)(0.5f * half, 0.1f);
  for (int start = 0; start < count; start += NAME(PART)) {
    const int length = count - start < NAME(PART) ? count - start : NAME(PART);
    float *restrict r = planes + start, *restrict g = r + SAFELIGHT_TILE;
    float *restrict b = g + SAFELIGHT_TILE;
    for (int i = 0; i < length; i++) {
      float red = r[i], green = g[i], blue = b[i];
      CONES(red, green, blue);
      float along = TO_A(l, m, s), across = TO_B(l, m, s);
      NAME(enter)(
        &lab, i, LIGHTNESS(l, m, s), cosine * along - sine * across, sine * along + cosine * across,
        red, green, blue);
      NAME(keep_chroma)(&lab, i, gain);
    }
    NAME(fit)(&lab, r, length);
  }
}

// An angle as hues are counted: 0 to 6 for a whole turn, to a ten-thousandth of a degree.
TARGET static inline float NAME(angle)(float a, float b)
{
  float along = NAME(size)(a), across = NAME(size)(b);
  float longer = along > across ? along : across, shorter = along > across ? across : along;
  float x = shorter / (longer > 0 ? longer : 1), y = x * x;
  float turn = 0.0218629679f + y * -0.0040545717f;
  turn = -0.0559123307f + y * turn;
  turn = 0.0964219668f + y * turn;
  turn = -0.1390862886f + y * turn;
  turn = 0.1994656540f + y * turn;
  turn = -0.3332986075f + y * turn;
  turn = 0.9999993356f + y * turn;
  // From radians to sixths of a turn.
  turn = 0.9549296586f * x * turn;
  turn = across > along ? 1.5f - turn : turn;
  turn = a < 0 ? 3 - turn : turn;
  return b < 0 ? 6 - turn : turn;
}

#undef OUTSIDE
