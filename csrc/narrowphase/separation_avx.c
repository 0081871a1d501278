/* separation_avx.c: the search for the greatest separation on processors with AVX, whatever
 * instruction set the compiler is told to use elsewhere. */
#include "narrowphase/separation_kernels.h"

#ifdef SAT_AVX_KERNELS

#define SAT_AVX

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx")
#endif

#include "narrowphase/separation_simd.h"

static sat_SeparationScan scan_avx(const sat_Convex *own, const sat_Convex *other,
                                   sat_Vec2 origin_offset, double threshold) {
  return scan_edges(own, other, origin_offset, threshold);
}

static sat_SeparationScan calipers_avx(const sat_Convex *own, const sat_Convex *other,
                                       sat_Vec2 origin_offset, double threshold) {
  return calipers_edges(own, other, origin_offset, threshold);
}

const sat_SeparationKernels sat_separation_kernels_avx = {scan_avx, calipers_avx};

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
