/* simd.h: four doubles at once.
 *
 * By AVX in a file that asks for it with SAT_AVX, which then is called only where the processor has
 * it; by SSE2, which every x86-64 has; else one by one. All three add, multiply and compare in the
 * same order, so that their bits are the same. */
#ifndef SAT_BASE_SIMD_H
#define SAT_BASE_SIMD_H

#include "base/vec2.h"

/* Before a loop that is to be written out where its length is known. */
#if defined(__GNUC__) && !defined(__clang__)
#define SAT_UNROLL _Pragma("GCC unroll 8")
#else
#define SAT_UNROLL
#endif

#if defined(SAT_AVX)
#include "base/simd_avx.h"
#elif defined(__SSE2__)
#include "base/simd_sse2.h"
#else
#include "base/simd_scalar.h"
#endif

/* The same vector's product with each of four. */
SAT_INLINE double4 double4_dot(double4 x, double4 y, sat_Vec2 v) {
  return double4_add(double4_mul(x, double4_of(v.x)), double4_mul(y, double4_of(v.y)));
}

/* The index of the lowest bit that is set, of at least one. */
SAT_INLINE uint32_t lowest_bit(uint32_t bits) {
#ifdef __GNUC__
  return (uint32_t)__builtin_ctz(bits);
#else
  uint32_t index = 0;
  while (!(bits & 1)) bits >>= 1, index++;
  return index;
#endif
}

#endif
