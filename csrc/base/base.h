/* base.h: the settings that every file of the core is compiled with: no contraction of products,
 * hidden symbols, assertions, inlining. */
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

#endif
