// The filters of PNG; see loops.h. Source: PNG specification, third edition, 9.2 and 12.7.

// A number as the distance from 0 that a decoder would see: 255 is 1 below 0.
#define DISTANCE(x) ((x) < 128 ? (x) : 256 - (x))

// The Paeth predictor: of left, above and above left the one nearest to left + above - above left.
TARGET static inline uint8_t NAME(predict)(int16_t left, int16_t above, int16_t corner)
{
  int16_t by_left = (int16_t)(above - corner), by_above = (int16_t)(left - corner);
  int16_t by_corner = (int16_t)(by_left + by_above);
  by_left = by_left < 0 ? (int16_t)-by_left : by_left;
  by_above = by_above < 0 ? (int16_t)-by_above : by_above;
  by_corner = by_corner < 0 ? (int16_t)-by_corner : by_corner;
  const int16_t rest = by_above <= by_corner ? above : corner;
  const int16_t nearest = by_above < by_corner ? by_above : by_corner;
  return (uint8_t)(by_left <= nearest ? left : rest);
}

TARGET static uint32_t NAME(sum_distances)(const uint8_t *restrict bytes, int count)
{
  uint32_t sum = 0;
  for (int i = 0; i < count; i++) sum += (uint32_t)DISTANCE(bytes[i]);
  return sum;
}
#undef DISTANCE

TARGET static int NAME(filter)(
  const uint8_t *row, const uint8_t *above, int step, uint8_t *restrict room, int count)
{
  uint8_t *restrict sub = room, *restrict up = room + count, *restrict paeth = up + count;
  const int start = step < count ? step : count;
  memcpy(sub, row, (size_t)start);
  for (int i = start; i < count; i++) sub[i] = (uint8_t)(row[i] - row[i - step]);
  if (!above) return 1;
  for (int i = 0; i < count; i++) up[i] = (uint8_t)(row[i] - above[i]);
  memcpy(paeth, up, (size_t)start);
  for (int i = start; i < count; i++)
    paeth[i] = (uint8_t)(row[i] - NAME(predict)(row[i - step], above[i], above[i - step]));
  const uint32_t sums[3] = {
    NAME(sum_distances)(sub, count), NAME(sum_distances)(up, count), NAME(sum_distances)(paeth, count)};
  if (sums[2] <= sums[0] && sums[2] <= sums[1]) return 4;
  return sums[1] < sums[0] ? 2 : 1;
}
