/* simd.h: four doubles at once.
 *
 * A file that defines SAT_AVX gets AVX, and its functions are called only where the processor has
 * it; other files get SSE2, which every x86-64 has, or else plain doubles. All three add, multiply
 * and compare in the same order, so that they give the same bits. */
#ifndef SAT_BASE_SIMD_H
#define SAT_BASE_SIMD_H

#include "base/vec2.h"

/* Asks the compiler to unroll the loop that follows. */
#if defined(__GNUC__) && !defined(__clang__)
#define SAT_UNROLL _Pragma("GCC unroll 8")
#else
#define SAT_UNROLL
#endif

/* The name of a kernel's function in the instruction set of the file. */
#ifdef SAT_AVX
#define SAT_IN_THIS_SET(name) name##_avx
#else
#define SAT_IN_THIS_SET(name) name##_baseline
#endif

#if defined(SAT_AVX)
#include "base/simd_avx.h"
#elif defined(__SSE2__)
#include "base/simd_sse2.h"
#else
#include "base/simd_scalar.h"
#endif

/* The dot products of four vectors with one vector. */
SAT_INLINE double4 double4_dot(double4 x, double4 y, sat_Vec2 v) {
  return double4_add(double4_mul(x, double4_of(v.x)), double4_mul(y, double4_of(v.y)));
}

/* The index of the lowest set bit. At least one bit must be set. */
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
