// What lies between and around numbers; see loops.h.

// A number for each place of whole lines; with a known factor the inner loop is a vector or two.
#define LINES(factor) \
  for (int i = 0; i < lines; i++) { \
    float start = line[i], rise = line[i + 1] - line[i]; \
    for (int k = 0; k < (factor); k++) \
      row[i * (factor) + k] = start + rise * (((float)k + 0.5f) * share); \
  }
TARGET static void NAME(stretch)(
  const float *restrict line, int factor, int skipped, float *restrict row, int count)
{
  const float share = 1.0f / (float)factor;
  int before = skipped == 0 ? 0 : factor - skipped;
  before = before < count ? before : count;
  for (int i = 0; i < before; i++)
    row[i] = line[0] + (line[1] - line[0]) * (((float)(skipped + i) + 0.5f) * share);
  if (skipped > 0) line++;
  row += before;
  count -= before;
  const int lines = count / factor;
  switch (factor) {
    case 2: LINES(2) break;
    case 4: LINES(4) break;
    case 8: LINES(8) break;
    case 16: LINES(16) break;
    default: LINES(factor) break;
  }
  for (int i = lines * factor, k = 0; i < count; i++, k++)
    row[i] = line[lines] + (line[lines + 1] - line[lines]) * (((float)k + 0.5f) * share);
}
#undef LINES

// Two runs of 16 numbers at a time, whose sums stay in registers whatever the instructions are.
typedef float NAME(run) __attribute__((vector_size(64), aligned(4)));
TARGET static void NAME(convolve)(
  const float *input, ptrdiff_t step, const float *weights, int reach, float *restrict output,
  int count)
{
  int i = 0;
  for (; i + 32 <= count; i += 32) {
    const float *middle = input + i;
    NAME(run) first = *(const NAME(run) *)middle * weights[0];
    NAME(run) second = *(const NAME(run) *)(middle + 16) * weights[0];
    for (int k = 1; k <= reach; k++) {
      const float *before = middle - k * step, *behind = middle + k * step;
      first += (*(const NAME(run) *)before + *(const NAME(run) *)behind) * weights[k];
      second += (*(const NAME(run) *)(before + 16) + *(const NAME(run) *)(behind + 16)) * weights[k];
    }
    *(NAME(run) *)(output + i) = first;
    *(NAME(run) *)(output + i + 16) = second;
  }
  for (; i < count; i++) {
    float sum = input[i] * weights[0];
    for (int k = 1; k <= reach; k++) sum += (input[i - k * step] + input[i + k * step]) * weights[k];
    output[i] = sum;
  }
}
