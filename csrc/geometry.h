/* geometry.h: vectors and boxes, small enough to be inlined. The first room of the house: it knows
 * sat.h alone, and every other file of the core includes it first. */
#ifndef SAT_GEOMETRY_H
#define SAT_GEOMETRY_H

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

/* For what is in the innermost loops. */
#ifdef __GNUC__
#define SAT_INLINE static inline __attribute__((always_inline))
#else
#define SAT_INLINE static inline
#endif

static inline sat_Vec2 vec2(double x, double y) {
  sat_Vec2 v = {x, y};
  return v;
}
static inline sat_Vec2 add(sat_Vec2 a, sat_Vec2 b) { return vec2(a.x + b.x, a.y + b.y); }
static inline sat_Vec2 sub(sat_Vec2 a, sat_Vec2 b) { return vec2(a.x - b.x, a.y - b.y); }
static inline sat_Vec2 neg(sat_Vec2 a) { return vec2(-a.x, -a.y); }
static inline sat_Vec2 mul(sat_Vec2 a, double k) { return vec2(a.x * k, a.y * k); }
static inline double dot(sat_Vec2 a, sat_Vec2 b) { return a.x * b.x + a.y * b.y; }
static inline double cross(sat_Vec2 a, sat_Vec2 b) { return a.x * b.y - a.y * b.x; }
/* A quarter turn from +x towards +y; of an edge in the order of positive area it points in, its
 * negative out. */
static inline sat_Vec2 perp(sat_Vec2 a) { return vec2(-a.y, a.x); }
static inline double length(sat_Vec2 a) { return sqrt(dot(a, a)); }
static inline sat_Vec2 lerp(sat_Vec2 a, sat_Vec2 b, double t) {
  return vec2(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t);
}
/* Plain comparisons, not fmin and fmax, which cost a call and ask what to do about NaN. */
static inline double min2(double a, double b) { return a < b ? a : b; }
static inline double max2(double a, double b) { return a > b ? a : b; }
static inline double clamp(double x, double low, double high) { return min2(max2(x, low), high); }
/* False for NaN, too. */
static inline bool in_range(double x) { return fabs(x) <= SAT_LIMIT; }

#endif
