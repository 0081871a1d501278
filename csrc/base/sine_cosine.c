/* sine_cosine.c: sine, cosine and arctangent from the four basic operations alone, since what libm
 * gives differs from one system to the next. */
#include "base/vec2.h"

#include "base/double2.h"
#include "base/tolerance.h"

#include <string.h>

/* Half of pi to 160 bits. The reduction of an angle up to 2^50 may cancel 52 bits, and 106 bits
 * then remain. */
static const double HALF_PI[3] = {SAT_HALF_PI_HIGH, SAT_HALF_PI_MIDDLE, SAT_HALF_PI_LOW};

/* Angles below this have fewer than 2^20 quarters, for which products with SAT_HALF_PI_33_BITS are
 * exact. */
#define LARGE_ANGLE 0x1p20

/* Below this angle the low part of a reduced angle is within rounding of the high part without
 * another addition. */
#define SMALL_ANGLE 0x1p10

/* Adding this to a number of up to 2^51 rounds it to a whole number, which the last bits of the sum
 * hold, as the complement of two where it is negative. */
#define WHOLE_NUMBERS 0x1.8p52

static const double FACTORS[6][2] = SAT_SINE_COSINE_FACTORS;

/* An angle from -pi / 4 to pi / 4 with more digits than one double has, and the number of quarter
 * turns taken off, of which the last two bits count. */
typedef struct ReducedAngle {
  double high, low;
  uint64_t quarters;
} ReducedAngle;

/* The sums of six terms, of sine and cosine, in pairs, which a processor computes side by side. */
SAT_INLINE double2 polynomials(double x) {
  double2 all = double2_of(x, x), squared = double2_mul(all, all), pairs[3];
  for (size_t i = 0; i < 3; i++)
    pairs[i] = double2_add(double2_load_pair(FACTORS[2 * i]),
                           double2_mul(all, double2_load_pair(FACTORS[2 * i + 1])));
  return double2_add(pairs[0],
                     double2_mul(squared, double2_add(pairs[1], double2_mul(squared, pairs[2]))));
}

/* Returns angle - quarters * pi / 2 with an error below 2^-99, and below 2^-67 of the result unless
 * the angle is within rounding of a quarter turn. W. J. Cody and W. Waite, Software manual for the
 * elementary functions, 1980. */
SAT_INLINE ReducedAngle reduce_small(double angle) {
  double shifted = angle * SAT_QUARTERS_PER_RADIAN + WHOLE_NUMBERS;
  double quarters = shifted - WHOLE_NUMBERS, second = quarters * SAT_HALF_PI_NEXT_33_BITS;
  double rest = angle - quarters * SAT_HALF_PI_33_BITS; /* exact */
  double high = rest - second, low = ((rest - high) - second) - quarters * SAT_HALF_PI_LAST_BITS;
  ReducedAngle reduced = {high, low, 0};
  if (fabs(angle) >= SMALL_ANGLE) {
    reduced.high = high + low;
    reduced.low = (high - reduced.high) + low;
  }
  memcpy(&reduced.quarters, &shifted, sizeof shifted);
  return reduced;
}

/* The reduction where nearly all digits cancel. */
static ReducedAngle subtract_quarters(double angle, uint64_t whole) {
  double quarters = (double)whole;
  sat_DoubleDouble first = two_product(quarters, HALF_PI[0]);
  sat_DoubleDouble second = two_product(quarters, HALF_PI[1]);
  sat_DoubleDouble a = two_sum(angle, -first.high);
  sat_DoubleDouble b = two_sum(a.high, -first.low);
  sat_DoubleDouble c = two_sum(b.high, -second.high);
  sat_DoubleDouble r =
      two_sum(c.high, a.low + (b.low + (c.low - (second.low + quarters * HALF_PI[2]))));
  return (ReducedAngle){r.high, r.low, whole};
}

/* The number of quarters is rounded to an eighth before it is rounded to a whole number. */
SAT_NOT_INLINE ReducedAngle reduce_large(double angle) {
  const double eighth_turn = HALF_PI[0] / 2, size = fabs(angle);
  ReducedAngle r = subtract_quarters(size, (uint64_t)(size * SAT_QUARTERS_PER_RADIAN + 0.5));
  if (r.high > eighth_turn) r = subtract_quarters(size, r.quarters + 1);
  else if (r.high < -eighth_turn) r = subtract_quarters(size, r.quarters - 1);
  return angle < 0 ? (ReducedAngle){-r.high, -r.low, -r.quarters} : r;
}

SAT_INLINE ReducedAngle reduce_angle(double angle) {
  SAT_ASSERT(in_range(angle));
  return fabs(angle) < LARGE_ANGLE ? reduce_small(angle) : reduce_large(angle);
}

/* Whether nothing but rounding is left of an angle without its quarter turns. */
SAT_INLINE bool is_whole(ReducedAngle reduced, double angle) {
  return fabs(reduced.high) <= fabs(angle) * SAT_EPSILON;
}

bool sat_is_quarter_turn(double angle) { return is_whole(reduce_angle(angle), angle); }

void sat_sine_cosine(double angle, double *sine, double *cosine) {
  ReducedAngle r = reduce_angle(angle);
  if (is_whole(r, angle)) {
    static const double quarter_turns[5] = {0, 1, 0, -1, 0};
    uint64_t quarters = (angle < 0 ? -r.quarters : r.quarters) & 3;
    *sine = copysign(1, angle) * quarter_turns[quarters];
    *cosine = quarter_turns[quarters + 1];
    return;
  }
  double x = r.high * r.high, half = 0.5 * x, rest = 1 - half;
  double2 terms = double2_mul(double2_of(r.high * x, x * x), polynomials(x));
  double2 low = double2_of(r.low * rest, ((1 - rest) - half) - r.high * r.low);
  double2 reduced = double2_add(double2_of(r.high, rest), double2_add(terms, low));
  double2_split(double2_add_quarters(reduced, r.quarters), sine, cosine);
}

/* The arctangent of rise / run, with 0 <= rise <= run: t is the tangent of the difference from the
 * nearest of 0 and the arctangents of 1 / 2 and 1. */
static double arctangent(double rise, double run) {
  static const double factors[] = SAT_ARCTANGENT_FACTORS, half[2] = {SAT_ARCTANGENT_OF_HALF},
                      one[2] = {SAT_ARCTANGENT_OF_1}, none[2] = {0, 0};
  const double *from = 16 * rise < 7 * run ? none : 16 * rise < 11 * run ? half : one;
  double t = from == none   ? rise / run
             : from == half ? (2 * rise - run) / (2 * run + rise)
                            : (rise - run) / (rise + run);
  double z = t * t, sum = 0;
  for (size_t i = sizeof factors / sizeof *factors; i-- > 0;) sum = (sum + factors[i]) * z;
  return from[0] - ((t * sum - from[1]) - t);
}

double sat_angle_of(sat_Vec2 v) {
  double x = fabs(v.x), y = fabs(v.y);
  double angle = y <= x ? arctangent(y, x) : SAT_HALF_PI_HIGH - arctangent(x, y);
  if (v.x < 0) angle = SAT_PI - angle;
  return v.y < 0 ? 2 * SAT_PI - angle : angle;
}
