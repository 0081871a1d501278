/* sine_cosine.c: sine and cosine from the four basic operations alone, since the results of libm
 * differ from one system to the next. */
#include "base/double_double.h"
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

/* Adding this to a number from 0 to 2^51 rounds it to a whole number, which the last bits of the
 * sum hold. */
#define WHOLE_NUMBERS 0x1.8p52

static const double SINE[6] = SAT_SINE_FACTORS, COSINE[6] = SAT_COSINE_FACTORS;

/* An angle from -pi / 4 to pi / 4 with more digits than one double has, and the number of quarter
 * turns taken off, of which the last two bits count. */
typedef struct ReducedAngle {
  double high, low;
  uint64_t quarters;
} ReducedAngle;

/* The sum of six terms in pairs, which a processor computes side by side. */
SAT_INLINE double polynomial(const double factors[6], double x, double x2) {
  return (factors[0] + x * factors[1]) +
         x2 * ((factors[2] + x * factors[3]) + x2 * (factors[4] + x * factors[5]));
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
  if (angle >= SMALL_ANGLE) {
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
  const double eighth_turn = HALF_PI[0] / 2;
  ReducedAngle r = subtract_quarters(angle, (uint64_t)(angle * SAT_QUARTERS_PER_RADIAN + 0.5));
  if (r.high > eighth_turn) return subtract_quarters(angle, r.quarters + 1);
  return r.high < -eighth_turn ? subtract_quarters(angle, r.quarters - 1) : r;
}

/* -x if `bit` is 1, else x. */
SAT_INLINE double negate_if(double x, uint64_t bit) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits ^= bit << 63;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* x if `bit` is 1, else y, without a branch. */
SAT_INLINE double select_number(uint64_t bit, double x, double y) {
  uint64_t bits[2], mask = -bit;
  memcpy(&bits[0], &x, sizeof x);
  memcpy(&bits[1], &y, sizeof y);
  bits[0] = (bits[0] & mask) | (bits[1] & ~mask);
  memcpy(&x, &bits[0], sizeof x);
  return x;
}

void sat_sine_cosine(double angle, double *sine, double *cosine) {
  SAT_ASSERT(in_range(angle));
  double size = fabs(angle);
  ReducedAngle r = size < LARGE_ANGLE ? reduce_small(size) : reduce_large(size);
  if (fabs(r.high) <= size * SAT_EPSILON) {
    static const double quarter_turns[5] = {0, 1, 0, -1, 0};
    *sine = copysign(1, angle) * quarter_turns[r.quarters & 3];
    *cosine = quarter_turns[(r.quarters & 3) + 1];
    return;
  }
  double x = r.high * r.high, x2 = x * x, half = 0.5 * x, rest = 1 - half;
  double s = r.high + (r.high * x * polynomial(SINE, x, x2) + r.low * rest);
  double c = rest + (x2 * polynomial(COSINE, x, x2) + (((1 - rest) - half) - r.high * r.low));
  uint64_t odd = r.quarters & 1, second_half = r.quarters >> 1 & 1;
  *sine = negate_if(select_number(odd, c, s), second_half ^ (angle < 0));
  *cosine = negate_if(select_number(odd, s, c), second_half ^ odd);
}
