// The loops that change chroma, and hues by their band, compiled like those in loops.h. They work in OKLab, as those of
// oklab.h do, whose macros end here.

// Colors of a part as OKLab.
typedef struct {
  float lightness[NAME(PART)], a[NAME(PART)], b[NAME(PART)];
} NAME(Seen);

TARGET static void NAME(see)(
  NAME(Seen) *seen, const float *r, const float *g, const float *b, int count)
{
  for (int i = 0; i < count; i++) {
    CONES(r[i], g[i], b[i]);
    seen->lightness[i] = LIGHTNESS(l, m, s);
    seen->a[i] = TO_A(l, m, s);
    seen->b[i] = TO_B(l, m, s);
  }
}

// Four times the chroma, 1 at most: the chroma of the strongest colors is about a quarter.
TARGET static inline float NAME(strength)(float a, float b)
{
  float square = 16 * (a * a + b * b);
  return square < 1 ? __builtin_elementwise_sqrt(square) : 1;
}

// Finds what the bands do to the colors of a part, which begins with the pixel `start` of its tile.
TARGET static void NAME(judge)(
  NAME(Hues) *hues, const NAME(Seen) *seen, const float *table, const SafelightCalm *calm, int start,
  int count)
{
  if (calm == NULL) {
    for (int i = 0; i < count; i++) {
      hues->strength[i] = NAME(strength)(seen->a[i], seen->b[i]);
      hues->hue[i] = NAME(angle)(seen->a[i], seen->b[i]);
    }
    NAME(look_up)(hues, table, count);
    return;
  }
  const float share = calm->share, noise = calm->noise;
  const float *restrict row = calm->rows + start;
  for (int i = 0; i < count; i++) {
    float light = seen->lightness[i], a = seen->a[i], b = seen->b[i];
    float calm_a = row[i] * light + row[i + SAFELIGHT_TILE] * a + row[i + 2 * SAFELIGHT_TILE] * b
      + row[i + 3 * SAFELIGHT_TILE];
    float calm_b = row[i + 4 * SAFELIGHT_TILE] * light + row[i + 5 * SAFELIGHT_TILE] * a
      + row[i + 6 * SAFELIGHT_TILE] * b + row[i + 7 * SAFELIGHT_TILE];
    a += share * (calm_a - a);
    b += share * (calm_b - b);
    hues->strength[i] = NAME(strength)(a, b);
    hues->hue[i] = NAME(angle)(a, b);
  }
  NAME(look_up)(hues, table, count);
  for (int i = 0; i < count; i++) {
    // A color no stronger than noise has no hue. The sum is never 0.
    float square = hues->strength[i] * hues->strength[i];
    float trust = square / (square + 16 * noise + 1e-30f);
    hues->turn[i] *= trust;
    hues->saturation[i] *= trust;
    hues->luminance[i] *= trust;
  }
}

TARGET static void NAME(mix_seen_hues)(
  float *planes, const float *table, const SafelightCalm *calm, int count)
{
  NAME(Lab) lab;
  NAME(Seen) seen;
  NAME(Hues) hues;
  for (int start = 0; start < count; start += NAME(PART)) {
    const int length = count - start < NAME(PART) ? count - start : NAME(PART);
    float *restrict r = planes + start, *restrict g = r + SAFELIGHT_TILE;
    float *restrict b = g + SAFELIGHT_TILE;
    NAME(see)(&seen, r, g, b, length);
    NAME(judge)(&hues, &seen, table, calm, start, length);
    for (int i = 0; i < length; i++) {
      float weak = hues.strength[i];
      float saturation = hues.saturation[i], luminance = hues.luminance[i];
      float gain = 1 + (saturation > 0 ? saturation * (1 - weak) : saturation);
      float light = seen.lightness[i];
      float darkening = 1 + (luminance < 0 ? 0.8f * luminance * weak : 0);
      float room = light * (1 - light);
      float rise = luminance > 0 ? luminance * weak * (2 - weak) * (room > 0 ? room : 0) : 0;
      // Sine and cosine of the turn, which is at most 36 degrees, by their series.
      float turn = 1.0471975512f * hues.turn[i], turn2 = turn * turn;
      float sine = turn * (1 + turn2 * (-1.0f / 6 + turn2 * (1.0f / 120 - turn2 * (1.0f / 5040))));
      float cosine =
        1 + turn2 * (-0.5f + turn2 * (1.0f / 24 + turn2 * (-1.0f / 720 + turn2 * (1.0f / 40320))));
      float chroma = gain * darkening;
      NAME(enter)(
        &lab, i, darkening * light + rise, chroma * (cosine * seen.a[i] - sine * seen.b[i]),
        chroma * (sine * seen.a[i] + cosine * seen.b[i]), r[i], g[i], b[i]);
      NAME(keep_chroma)(&lab, i, NAME(larger)(gain, 1) * (1 + 0.25f * NAME(size)(turn)));
    }
    NAME(fit)(&lab, r, length);
  }
}

TARGET static void NAME(gray_hues)(
  float *planes, const float *table, const float *tones, const float tint[3],
  const SafelightCalm *calm, int count)
{
  NAME(Seen) seen;
  NAME(Hues) hues;
  for (int start = 0; start < count; start += NAME(PART)) {
    const int length = count - start < NAME(PART) ? count - start : NAME(PART);
    float *restrict r = planes + start, *restrict g = r + SAFELIGHT_TILE;
    float *restrict b = g + SAFELIGHT_TILE;
    NAME(see)(&seen, r, g, b, length);
    NAME(judge)(&hues, &seen, table, calm, start, length);
    for (int i = 0; i < length; i++) {
      float gray = NAME(lightened)(hues.luminance[i], hues.strength[i], tones[start + i]);
      float room = NAME(tint_room)(NAME(limited)(gray));
      r[i] = gray + room * tint[0];
      g[i] = gray + room * tint[1];
      b[i] = gray + room * tint[2];
    }
  }
}

// Adds a color with more or less chroma. A stronger color keeps its lightness while it can. A weaker one keeps its
// luminance, so that what is left without chroma is the gray of black and white.
TARGET static inline void NAME(enter_stronger)(
  NAME(Lab) *lab, const NAME(Seen) *seen, int i, float factor, float red, float green, float blue)
{
  float light = seen->lightness[i], pale_red, pale_green, pale_blue;
  NAME(enter)(lab, i, light, factor * seen->a[i], factor * seen->b[i], red, green, blue);
  LIGHT(light + lab->l[i], light + lab->m[i], light + lab->s[i], pale_red, pale_green, pale_blue);
  float luminance = NAME(luma)(red, green, blue), pale = NAME(luma)(pale_red, pale_green, pale_blue);
  int dims = (factor < 1) & (pale > 1e-9f);
  float ratio = dims ? luminance / (dims ? pale : 1) : 1;
  // No color of sRGB comes near these limits; numbers far outside must not explode.
  ratio = ratio > 0.25f ? ratio : 0.25f;
  ratio = ratio < 4 ? ratio : 4;
  float scale = NAME(cube_root)(ratio);
  lab->lightness[i] *= scale;
  lab->l[i] *= scale;
  lab->m[i] *= scale;
  lab->s[i] *= scale;
  NAME(keep_chroma)(lab, i, factor);
  // The color as it was. Next to sRGB's blue, colors of less chroma may lie outside.
  lab->kept[i] = factor > 1 ? 1 / factor : 0;
  // There red is a little below 0 on the way to more chroma, and above it again: where that ended a color's way, its
  // neighbor's would go on.
  float excess = factor > 1 ? blue - (red > green ? red : green) : 0;
  lab->low[i] -= 0.004f * factor * factor * factor * (excess > 0 ? excess : 0);
}

TARGET static void NAME(saturate)(float *planes, float factor, int count)
{
  NAME(Lab) lab;
  NAME(Seen) seen;
  for (int start = 0; start < count; start += NAME(PART)) {
    const int length = count - start < NAME(PART) ? count - start : NAME(PART);
    float *restrict r = planes + start, *restrict g = r + SAFELIGHT_TILE;
    float *restrict b = g + SAFELIGHT_TILE;
    NAME(see)(&seen, r, g, b, length);
    for (int i = 0; i < length; i++) {
      NAME(enter_stronger)(&lab, &seen, i, factor, r[i], g[i], b[i]);
    }
    NAME(fit)(&lab, r, length);
  }
}

TARGET static void NAME(vibrance)(float *planes, float amount, int count)
{
  NAME(Lab) lab;
  NAME(Seen) seen;
  const float sparing = amount > 0 ? 0.5f : 0;
  for (int start = 0; start < count; start += NAME(PART)) {
    const int length = count - start < NAME(PART) ? count - start : NAME(PART);
    float *restrict r = planes + start, *restrict g = r + SAFELIGHT_TILE;
    float *restrict b = g + SAFELIGHT_TILE;
    NAME(see)(&seen, r, g, b, length);
    for (int i = 0; i < length; i++) {
      float strength = NAME(strength)(seen.a[i], seen.b[i]), weakness = 1 - strength;
      // Snow and paper, whose trace of blue shall stay one.
      float snow = NAME(smooth_step)((seen.lightness[i] - 0.72f) / 0.15f)
        * (1 - NAME(smooth_step)((0.25f * strength - 0.012f) / 0.04f));
      // The hues of skin, in sixths of a turn.
      float away = NAME(size)(NAME(angle)(seen.a[i], seen.b[i]) - 57.0f / 60);
      float likeness = 1 - away / (38.0f / 60);
      likeness = likeness > 0 ? likeness : 0;
      float spared = (1 - sparing * likeness) * (1 - 2 * sparing * snow);
      float factor = 1 + amount * weakness * weakness * spared;
      NAME(enter_stronger)(&lab, &seen, i, factor, r[i], g[i], b[i]);
    }
    NAME(fit)(&lab, r, length);
  }
}

TARGET static void NAME(clear_air)(
  float *planes, const float *density, const SafelightAir *air, int count)
{
  NAME(Lab) lab;
  NAME(Seen) seen;
  const SafelightAir way = *air;
  for (int start = 0; start < count; start += NAME(PART)) {
    const int length = count - start < NAME(PART) ? count - start : NAME(PART);
    float *restrict r = planes + start, *restrict g = r + SAFELIGHT_TILE;
    float *restrict b = g + SAFELIGHT_TILE;
    NAME(see)(&seen, r, g, b, length);
    for (int i = 0; i < length; i++) {
      float gain = 1 / (1 - way.strength * NAME(limited)(density[start + i]));
      float above = seen.lightness[i] - way.lightness;
      // What is lighter than the air is light itself, and soon white.
      float light = way.lightness + (above > 0 ? 0.5f + 0.5f * gain : gain) * above;
      light = light > 0 ? light : 0;
      // How much of the color is that of the air; the color of noise is not.
      float likeness = (way.a * seen.a[i] + way.b * seen.b[i])
        / (seen.a[i] * seen.a[i] + seen.b[i] * seen.b[i] + 2.5e-5f);
      likeness = likeness > 0 ? likeness : 0;
      float factor = gain - (gain - 1) * likeness;
      factor = factor > 1 ? factor : 1;
      NAME(enter)(&lab, i, light, factor * seen.a[i], factor * seen.b[i], r[i], g[i], b[i]);
    }
    NAME(fit)(&lab, r, length);
  }
}

TARGET static void NAME(add_products)(
  const float *planes, float *restrict sums, ptrdiff_t distance, int count)
{
  NAME(Seen) seen;
  for (int start = 0; start < count; start += NAME(PART)) {
    const int length = count - start < NAME(PART) ? count - start : NAME(PART);
    const float *r = planes + start;
    NAME(see)(&seen, r, r + SAFELIGHT_TILE, r + 2 * SAFELIGHT_TILE, length);
    float *restrict sum = sums + start;
    for (int i = 0; i < length; i++) {
      float light = seen.lightness[i], a = seen.a[i], b = seen.b[i];
      sum[i] += light;
      sum[i + distance] += a;
      sum[i + 2 * distance] += b;
      sum[i + 3 * distance] += light * light;
      sum[i + 4 * distance] += light * a;
      sum[i + 5 * distance] += light * b;
      sum[i + 6 * distance] += a * a;
      sum[i + 7 * distance] += a * b;
      sum[i + 8 * distance] += b * b;
    }
  }
}

#undef TO_A
#undef TO_B
#undef CONES
#undef LIGHT
#undef LIGHTNESS
