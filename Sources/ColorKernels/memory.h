// The loops that remember the results for colors, compiled like those in loops.h.
//
// A table has 2^20 entries, in 4 MB, which is little enough for the caches. An entry is 0 while it is free. Otherwise
// it holds the red, green and blue of a result from the low byte up, and in the high byte the four bits of the color
// that its place does not say, with the highest bit set. A color that comes later takes the place of an earlier one.
// Colors that differ only in their low four bits lie together, because a photo has many such colors. Threads may share
// a table: an entry is read and written at once, and says itself for which color it is.

#define PLACE_BITS 20
// Spreads the colors of one place over the table.
#define SPREADING (2531 << 4)

// The bits of a color in the order of places: the high four bits of red, green and blue, then their low four bits.
TARGET static inline uint32_t NAME(nibbles)(const uint8_t *color)
{
  uint32_t r = color[0], g = color[1], b = color[2];
  return (r >> 4) << 20 | (g >> 4) << 16 | (b >> 4) << 12 | (r & 15) << 8 | (g & 15) << 4 | (b & 15);
}

TARGET static inline uint32_t NAME(place)(uint32_t nibbles)
{
  return (nibbles ^ (nibbles >> PLACE_BITS) * SPREADING) & ((1 << PLACE_BITS) - 1);
}

// The high byte of the entry for a color.
TARGET static inline uint32_t NAME(sign)(uint32_t nibbles) { return nibbles >> PLACE_BITS | 128; }

TARGET static int NAME(recall)(
  const uint8_t *input, uint8_t *output, uint32_t *table, int32_t *unknown, int count)
{
  int found = 0, i = 0;
#if LEVEL == 2
  // Sixteen colors at once, each in a number of four bytes.
  const __m512i counted =
    _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i to_numbers = _mm512_add_epi32(
    _mm512_mullo_epi32(counted, _mm512_set1_epi32(0x030303)), _mm512_set1_epi32(0x3F020100));
  uint8_t to_bytes[64] = {0};
  for (int k = 0; k < 48; k++) to_bytes[k] = (uint8_t)(4 * (k / 3) + k % 3);
  const __m512i packed = _mm512_loadu_si512(to_bytes), low = _mm512_set1_epi32(0x0F0F0F);
  const __m512i mask = _mm512_set1_epi32((1 << PLACE_BITS) - 1);
  // Factors that bring three low halves of bytes together, red before green before blue.
  const __m512i pairs = _mm512_set1_epi32(0x00010110), triples = _mm512_set1_epi32(0x00010010);
  for (; i < count; i += 16) {
    const int length = count - i < 16 ? count - i : 16;
    const __mmask64 bytes = ((__mmask64)1 << (3 * length)) - 1;
    const __mmask16 pixels = (__mmask16)((1u << length) - 1);
    __m512i color =
      _mm512_permutexvar_epi8(to_numbers, _mm512_maskz_loadu_epi8(bytes, input + 3 * i));
    __m512i upper = _mm512_and_si512(_mm512_srli_epi32(color, 4), low);
    __m512i lower = _mm512_and_si512(color, low);
    upper = _mm512_madd_epi16(_mm512_maddubs_epi16(upper, pairs), triples);
    lower = _mm512_madd_epi16(_mm512_maddubs_epi16(lower, pairs), triples);
    __m512i nibbles = _mm512_or_si512(_mm512_slli_epi32(upper, 12), lower);
    __m512i rest = _mm512_srli_epi32(nibbles, PLACE_BITS);
    __m512i place = _mm512_and_si512(
      mask,
      _mm512_xor_si512(nibbles, _mm512_mullo_epi32(rest, _mm512_set1_epi32(SPREADING))));
    __m512i entry = _mm512_i32gather_epi32(place, table, 4);
    __mmask16 missing = _mm512_mask_cmpneq_epi32_mask(
      pixels, _mm512_srli_epi32(entry, 24), _mm512_or_si512(rest, _mm512_set1_epi32(128)));
    _mm512_mask_storeu_epi8(output + 3 * i, bytes, _mm512_permutexvar_epi8(packed, entry));
    // A store of chosen numbers alone is slow on some processors.
    _mm512_storeu_si512(
      unknown + found,
      _mm512_maskz_compress_epi32(missing, _mm512_add_epi32(counted, _mm512_set1_epi32(i))));
    found += __builtin_popcount(missing);
  }
#endif
  for (; i < count; i++) {
    uint32_t nibbles = NAME(nibbles)(input + 3 * i);
    uint32_t entry = __atomic_load_n(table + NAME(place)(nibbles), __ATOMIC_RELAXED);
    output[3 * i] = (uint8_t)entry;
    output[3 * i + 1] = (uint8_t)(entry >> 8);
    output[3 * i + 2] = (uint8_t)(entry >> 16);
    unknown[found] = i;
    found += entry >> 24 != NAME(sign)(nibbles);
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
    uint32_t nibbles = NAME(nibbles)(colors + 3 * i);
    uint32_t entry =
      NAME(sign)(nibbles) << 24 | (uint32_t)result[2] << 16 | (uint32_t)result[1] << 8 | result[0];
    __atomic_store_n(table + NAME(place)(nibbles), entry, __ATOMIC_RELAXED);
    memcpy(output + 3 * unknown[i], result, 3);
  }
}

#undef PLACE_BITS
#undef SPREADING
