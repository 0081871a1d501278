/* vec2.h: vectors of the plane, small enough to be inlined. */
#ifndef SAT_BASE_VEC2_H
#define SAT_BASE_VEC2_H

#include "base/base.h"

static inline sat_Vec2 vec2(double x, double y) { return (sat_Vec2){x, y}; }
static inline sat_Vec2 add(sat_Vec2 a, sat_Vec2 b) { return vec2(a.x + b.x, a.y + b.y); }
static inline sat_Vec2 sub(sat_Vec2 a, sat_Vec2 b) { return vec2(a.x - b.x, a.y - b.y); }
static inline sat_Vec2 neg(sat_Vec2 a) { return vec2(-a.x, -a.y); }
static inline sat_Vec2 mul(sat_Vec2 a, double k) { return vec2(a.x * k, a.y * k); }
static inline double dot(sat_Vec2 a, sat_Vec2 b) { return a.x * b.x + a.y * b.y; }
static inline double cross(sat_Vec2 a, sat_Vec2 b) { return a.x * b.y - a.y * b.x; }
/* The vector after a quarter turn from +x towards +y. For an edge of a ring of positive area it
 * points inwards. */
static inline sat_Vec2 perp(sat_Vec2 a) { return vec2(-a.y, a.x); }
static inline bool equal_points(sat_Vec2 a, sat_Vec2 b) { return a.x == b.x && a.y == b.y; }
static inline double length(sat_Vec2 a) { return sqrt(dot(a, a)); }
static inline sat_Vec2 lerp(sat_Vec2 a, sat_Vec2 b, double t) {
  return vec2(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t);
}
/* Plain comparisons: fmin and fmax cost a call and treat NaN specially. */
static inline double min2(double a, double b) { return a < b ? a : b; }
static inline double max2(double a, double b) { return a > b ? a : b; }
static inline double clamp(double x, double low, double high) { return min2(max2(x, low), high); }
/* NaN is out of range, too. */
static inline bool in_range(double x) { return fabs(x) <= SAT_LIMIT; }
static inline bool vec_in_range(sat_Vec2 v) { return in_range(v.x) && in_range(v.y); }

/* The angle from +x towards +y to a vector of any length but 0, from 0 on and below 2 pi but for
 * rounding, within two units in the last place. */
double sat_angle_of(sat_Vec2 v);

/* Whether sat_sine_cosine gives 0 for the sine or the cosine of an angle. */
bool sat_is_quarter_turn(double angle);

#endif
