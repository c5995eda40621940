// The loops that remember the results for colors, compiled like those in loops.h.
//
// A table has an entry for each 8-bit color: 0 while the result is unknown, otherwise the red, green and
// blue of the result from the low byte up, with the high byte set. Colors that differ only in their low
// four bits lie together, because a photo has many such colors. Threads may share a table: all threads
// would write the same entry.

TARGET static inline uint32_t NAME(place)(const uint8_t *color)
{
  uint32_t r = color[0], g = color[1], b = color[2];
  return (r >> 4) << 20 | (g >> 4) << 16 | (b >> 4) << 12 | (r & 15) << 8 | (g & 15) << 4 | (b & 15);
}

TARGET static int NAME(recall)(
  const uint8_t *input, uint8_t *output, uint32_t *table, int32_t *unknown, int count)
{
  int found = 0;
  for (int i = 0; i < count; i++) {
    uint32_t entry = __atomic_load_n(table + NAME(place)(input + 3 * i), __ATOMIC_RELAXED);
    output[3 * i] = (uint8_t)entry;
    output[3 * i + 1] = (uint8_t)(entry >> 8);
    output[3 * i + 2] = (uint8_t)(entry >> 16);
    unknown[found] = i;
    found += entry == 0;
  }
  return found;
}

// The same for 16-bit colors, in a table of 2^SAFELIGHT_COLORS_LOG2 pairs of numbers, each for the last of many colors.
// The first number of a pair is the color with bit 48, by exclusive or with the second, which is the result: numbers of
// two threads that write at once do not fit together.

TARGET static inline uint64_t NAME(number16)(const uint16_t *color)
{
  return (uint64_t)1 << 48 | (uint64_t)color[2] << 32 | (uint64_t)color[1] << 16 | color[0];
}

TARGET static inline uint64_t NAME(pair16)(uint64_t color)
{
  // Fibonacci hashing: D. E. Knuth, "The Art of Computer Programming", volume 3, 6.4.
  return (color * 0x9E3779B97F4A7C15u >> (64 - SAFELIGHT_COLORS_LOG2)) * 2;
}

TARGET static int NAME(recall16)(
  const uint16_t *input, uint16_t *output, const uint64_t *table, int32_t *pixels, int count)
{
  int found = 0;
  for (int i = 0; i < count; i++) {
    const uint64_t color = NAME(number16)(input + 3 * pixels[i]);
    const uint64_t *pair = table + NAME(pair16)(color);
    const uint64_t first = __atomic_load_n(pair, __ATOMIC_RELAXED);
    const uint64_t result = __atomic_load_n(pair + 1, __ATOMIC_RELAXED);
    if ((first ^ result) == color) {
      uint16_t *pixel = output + 3 * pixels[i];
      pixel[0] = (uint16_t)result;
      pixel[1] = (uint16_t)(result >> 16);
      pixel[2] = (uint16_t)(result >> 32);
    } else {
      pixels[found++] = pixels[i];
    }
  }
  return found;
}

TARGET static void NAME(learn16)(
  const uint16_t *colors, const uint16_t *results, uint64_t *table, const int32_t *pixels,
  uint16_t *output, int count)
{
  for (int i = 0; i < count; i++) {
    const uint64_t color = NAME(number16)(colors + 3 * i);
    const uint64_t result = NAME(number16)(results + 3 * i) ^ (uint64_t)1 << 48;
    uint64_t *pair = table + NAME(pair16)(color);
    __atomic_store_n(pair, color ^ result, __ATOMIC_RELAXED);
    __atomic_store_n(pair + 1, result, __ATOMIC_RELAXED);
    memcpy(output + 3 * pixels[i], results + 3 * i, 6);
  }
}

TARGET static void NAME(collect)(
  const uint8_t *input, const int32_t *unknown, uint8_t *colors, int count)
{
  for (int i = 0; i < count; i++) memcpy(colors + 3 * i, input + 3 * unknown[i], 3);
}

TARGET static void NAME(learn)(
  const uint8_t *colors, const uint8_t *results, uint32_t *table, const int32_t *unknown,
  uint8_t *output, int count)
{
  for (int i = 0; i < count; i++) {
    const uint8_t *result = results + 3 * i;
    uint32_t entry = 0xFF000000u | (uint32_t)result[2] << 16 | (uint32_t)result[1] << 8 | result[0];
    __atomic_store_n(table + NAME(place)(colors + 3 * i), entry, __ATOMIC_RELAXED);
    memcpy(output + 3 * unknown[i], result, 3);
  }
}
