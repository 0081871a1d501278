/* base.h: what every file of the core is compiled with: no contraction of products, hidden symbols,
 * assertions, inlining. */
#ifndef SAT_BASE_BASE_H
#define SAT_BASE_BASE_H

/* The same bits everywhere: a product and a sum must not melt into one rounding. It is said here,
 * not in a build file alone, since a rockspec or an engine that compiles these files passes flags
 * of its own. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

/* What the core's files share among themselves is nobody else's business, whoever links them and
 * with which flags. */
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

/* Our own mistakes, never the caller's: on in the tests, nothing in a release. */
#ifdef SAT_DEBUG
#define SAT_ASSERT(condition) assert(condition)
#else
#define SAT_ASSERT(condition) ((void)0)
#endif

/* What has to melt into its caller, whatever the compiler makes of its size, and what must not,
 * since its caller has little to do besides. */
#ifdef __GNUC__
#define SAT_INLINE static inline __attribute__((always_inline))
#define SAT_NOT_INLINE static __attribute__((noinline))
#else
#define SAT_INLINE static inline
#define SAT_NOT_INLINE static
#endif

#endif
