// Tones remapped around sampled tones, and read again between them; see loops.h and `LocalLaplacian`.

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
