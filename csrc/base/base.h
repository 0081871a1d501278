/* base.h: the settings that every file of the core is compiled with: no contraction of products,
 * hidden symbols, assertions, inlining; and what depends on the processor: prefetching, and the one
 * choice between kernels for processors with AVX and those for any. */
#ifndef SAT_BASE_BASE_H
#define SAT_BASE_BASE_H

/* The same bits everywhere: a product and a sum must not be fused into one operation with
 * one rounding. The pragma stands here and not in a build file alone, since a rockspec or an engine
 * that compiles these files passes flags of its own. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
/* gcc would load two numbers as one vector right after they were stored one by one, and such a load
 * waits some twelve cycles for the stores. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

/* Symbols that the core's files share stay hidden from programs that link them, whatever the flags
 * of the build. */
#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

#include "sat.h"

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#include <assert.h>
#include <float.h>
#include <math.h>

/* Assertions catch the core's own mistakes, never the caller's. The tests turn them on. */
#ifdef SAT_DEBUG
#define SAT_ASSERT(condition) assert(condition)
#else
#define SAT_ASSERT(condition) ((void)0)
#endif

/* SAT_INLINE: the compiler has to inline the function, whatever its size. SAT_NOT_INLINE: the
 * function stays apart, so that its caller remains small and quick. */
#ifdef __GNUC__
#define SAT_INLINE static inline __attribute__((always_inline))
#define SAT_NOT_INLINE static __attribute__((noinline))
#else
#define SAT_INLINE static inline
#define SAT_NOT_INLINE static
#endif

/* Asks the compiler to unroll the loop that follows, of up to eight rounds. */
#if defined(__GNUC__) && !defined(__clang__)
#define SAT_UNROLL _Pragma("GCC unroll 8")
#else
#define SAT_UNROLL
#endif

#define SAT_CACHE_LINE 64 /* bytes, on most processors */

/* Brings the cache line where these bytes begin, and as many more as they fill, into the cache. A
 * processor waits for memory about as long as for a hundred additions, unless other work comes
 * first. GCC drops calls of functions that do nothing else, so that these and their like are
 * inlined always. */
SAT_INLINE void prefetch(const void *from, size_t bytes) {
#ifdef __GNUC__
  for (size_t i = 0; i < bytes; i += SAT_CACHE_LINE) __builtin_prefetch((const char *)from + i);
#else
  (void)from;
  (void)bytes;
#endif
}

/* Two builds have no kernels for AVX. SAT_BASELINE_ONLY marks the one whose sources are all in one
 * file, which has one instruction set. gcc on Windows aligns the stack to 16 bytes and yet moves
 * values of 32 bytes there as if they were aligned (bug 54412 of gcc). */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(SAT_BASELINE_ONLY) &&                     \
    (!defined(_WIN32) || defined(__clang__))
#define SAT_AVX_KERNELS
#endif

/* Declares a kernel, and its function in each instruction set, which has the same bits: a call by
 * the kernel's name is a call of the function for the widest set that the processor has. */
#ifdef SAT_AVX_KERNELS
#define SAT_KERNEL(type, name, parameters, arguments)                                              \
  type name##_avx parameters;                                                                      \
  type name##_baseline parameters;                                                                 \
  static inline type name parameters {                                                             \
    return __builtin_cpu_supports("avx") ? name##_avx arguments : name##_baseline arguments;       \
  }
#else
#define SAT_KERNEL(type, name, parameters, arguments)                                              \
  type name##_baseline parameters;                                                                 \
  static inline type name parameters { return name##_baseline arguments; }
#endif

#endif
