/* fast_path_avx.c: the fast path for processors with AVX, whatever instruction set the compiler is
 * told to use elsewhere. */
#include "narrowphase/fast_path.h"

#ifdef SAT_AVX_KERNELS

#define SAT_AVX
#define KERNELS sat_kernels_avx

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx")
#endif

#include "narrowphase/fast_path_simd.h"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
