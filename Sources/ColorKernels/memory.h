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
