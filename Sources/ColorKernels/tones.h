// The loops that change tones by those around them, compiled like those in loops.h.

TARGET static void NAME(pull)(
  const float *restrict tones, float tone, float reach, float fall, float *restrict sums, int count)
{
  for (int i = 0; i < count; i++) {
    float distance = tones[i] - tone, size = distance < 0 ? -distance : distance;
    float rest = reach - (size - reach) * fall;
    rest = rest > 0 ? rest : 0;
    rest = rest < size ? rest : size;
    sums[i] += distance < 0 ? -rest : rest;
  }
}

TARGET static void NAME(between_tones)(
  const float *restrict line, int factor, int skipped, const float *restrict tones, float *restrict row,
  int count)
{
  int shift = 0;
  while (1 << shift < factor) shift++;
  const float width = 1.0f / (float)factor, half = factor > 1 ? 0.5f * width : 0;
  const float last = SAFELIGHT_TONES - 1;
#pragma clang loop vectorize(enable) interleave(enable)
  for (int i = 0; i < count; i++) {
    float place = tones[i] * last;
    // Not-a-number fails the first comparison.
    place = place > 0 ? place : 0;
    place = place < last ? place : last;
    int32_t below = (int32_t)place;
    below = below < SAFELIGHT_TONES - 2 ? below : SAFELIGHT_TONES - 2;
    float up = place - (float)below;
    int32_t column = skipped + i;
    float across = (float)(column & (factor - 1)) * width + half;
    const int32_t cell = (column >> shift) * SAFELIGHT_TONES + below;
    float low = line[cell], high = line[cell + SAFELIGHT_TONES];
    low += (high - low) * across;
    float above = line[cell + 1], beyond = line[cell + SAFELIGHT_TONES + 1];
    above += (beyond - above) * across;
    row[i] = low + (above - low) * up;
  }
}

TARGET static void NAME(gain_areas)(
  float *planes, const float *restrict base, float dark, float bright, float sparing, int count)
{
  float *restrict r = planes, *restrict g = planes + SAFELIGHT_TILE;
  float *restrict b = planes + 2 * SAFELIGHT_TILE;
#pragma clang loop vectorize(enable) interleave(enable)
  for (int i = 0; i < count; i++) {
    const float red = r[i], green = g[i], blue = b[i];
    float tone = base[i] > 0 ? base[i] : 0;
    tone = tone < 1 ? tone : 1;
    float down = 1 - tone * (1 / 0.6f), up = (tone - 0.4f) * (1 / 0.6f);
    down = down > 0 ? down : 0;
    up = up > 0 ? up : 0;
    float low = green < blue ? green : blue, high = green > blue ? green : blue;
    low = red < low ? red : low;
    high = red > high ? red : high;
    const float top = NAME(limited)(high);
    const float luma = NAME(limited)(NAME(luma)(red, green, blue));
    const float rest = 1 - sparing * (luma * luma);
    const float opening = 1 + dark * (down * down * down);
    const float gain = opening + bright * rest * (up * up) * (3.2f - 2.6f * up);
    const float more = gain - 1 > 0 ? gain - 1 : 0;
    const float factor = gain / (1 + more * top);
    const float opened = opening > 1 ? opening : 1;
    const float fading = (1 - 1 / (opened * opened)) * (1 - NAME(smooth_step)(5 * tone))
      * (1 - NAME(smooth_step)(10 * (high - low) - 0.5f));
    const float new_red = red * factor, new_green = green * factor, new_blue = blue * factor;
    const float gray = NAME(luma)(new_red, new_green, new_blue);
    r[i] = new_red + fading * (gray - new_red);
    g[i] = new_green + fading * (gray - new_green);
    b[i] = new_blue + fading * (gray - new_blue);
  }
}

TARGET static void NAME(find_luma)(
  const float *planes, ptrdiff_t distance, float *restrict output, int count)
{
  const float *r = planes, *g = r + distance, *b = g + distance;
  for (int i = 0; i < count; i++) output[i] = NAME(luma)(r[i], g[i], b[i]);
}

TARGET static void NAME(clarify)(
  float *planes, const float *restrict detail, float strength, int count)
{
  float *restrict r = planes, *restrict g = r + SAFELIGHT_TILE, *restrict b = g + SAFELIGHT_TILE;
  for (int i = 0; i < count; i++) {
    float change = strength * NAME(limited)(1 - NAME(luma)(r[i], g[i], b[i])) * detail[i];
    float factor = (1 + NAME(larger)(change, 0)) / (1 - NAME(smaller)(change, 0));
    r[i] *= factor;
    g[i] *= factor;
    b[i] *= factor;
  }
}

TARGET static void NAME(find_edges)(
  const float *restrict luma, float amount, float limit, float *restrict changes, int count)
{
  for (int i = 0; i < count; i++) {
    float edge = luma[i] - changes[i], size = edge * edge;
    changes[i] = amount * edge * (size / (size + limit));
  }
}
