#include "SafelightColorKernels.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#pragma STDC FP_CONTRACT OFF

typedef float SafelightFour __attribute__((vector_size(16)));

#define NAME(x) any_##x
#define LEVEL 0
#define TARGET
#include "loops.h"
#undef NAME
#undef LEVEL
#undef TARGET

#if defined(__x86_64__)

#define NAME(x) avx2_##x
#define LEVEL 1
#define TARGET __attribute__((target("avx2,bmi,bmi2")))
#include "loops.h"
#undef NAME
#undef LEVEL
#undef TARGET

#define NAME(x) avx512_##x
#define LEVEL 2
#define TARGET __attribute__((target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))
#include "loops.h"
#undef NAME
#undef LEVEL
#undef TARGET

int safelight_kernel_levels(void)
{
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) return 1;
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
      && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") ? 3 : 2;
}

const SafelightKernels *safelight_kernels(int level)
{
  return level >= 2 ? &avx512_kernels : level == 1 ? &avx2_kernels : &any_kernels;
}

#else

int safelight_kernel_levels(void) { return 1; }

const SafelightKernels *safelight_kernels(int level)
{
  (void)level;
  return &any_kernels;
}

#endif

// Floats of each thread for `safelight_take_floats`: 128 KB, of which the kernel only provides pages that are used.
#define SCRATCH 32768

static __thread float scratch[SCRATCH] __attribute__((aligned(64)));
static __thread int taken;

static int whole_lines(int count) { return (count + 15) & ~15; }

float *safelight_take_floats(int count)
{
  if (count < 0 || count > SCRATCH - taken)
    return NULL;
  float *memory = scratch + taken;
  taken += whole_lines(count);
  return memory;
}

void safelight_give_floats(int count) { taken -= whole_lines(count); }
