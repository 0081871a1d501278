/* sine_cosine.c: sine and cosine from the four basic operations alone, since the results of libm
 * differ from one system to the next. */
#include "base/double_double.h"
#include "base/tolerance.h"

/* Half of pi to 160 bits. The reduction of an angle of up to 2^50 may cancel 52 bits; 106 bits then
 * remain. */
static const double HALF_PI[3] = {SAT_HALF_PI_HIGH, SAT_HALF_PI_MIDDLE, SAT_HALF_PI_LOW};

/* The Taylor series about 0, without their first terms: sin r = r + r^3 (...), cos r = 1 - r^2 /
 * 2 + r^4 (...). The remainder is below 1e-19 for the largest r that `reduce` leaves, 1.05. */
static const double SINE[] = {-1.0 / 6,
                              1.0 / 120,
                              -1.0 / 5040,
                              1.0 / 362880,
                              -1.0 / 39916800,
                              1.0 / 6227020800.0,
                              -1.0 / 1307674368000.0,
                              1.0 / 355687428096000.0,
                              -1.0 / 121645100408832000.0};
static const double COSINE[] = {1.0 / 24,
                                -1.0 / 720,
                                1.0 / 40320,
                                -1.0 / 3628800,
                                1.0 / 479001600,
                                -1.0 / 87178291200.0,
                                1.0 / 20922789888000.0,
                                -1.0 / 6402373705728000.0,
                                1.0 / 2432902008176640000.0};
enum { TERMS = sizeof SINE / sizeof *SINE };
_Static_assert(sizeof COSINE == sizeof SINE, "the series are equally long");

static double series(const double *factors, double x) {
  double sum = 0;
  for (int i = TERMS - 1; i >= 0; i--) sum = sum * x + factors[i];
  return sum;
}

/* Returns angle - quarters * pi / 2 with more digits than one double has, even where nearly all
 * digits cancel. */
static sat_DoubleDouble reduce(double angle, double quarters) {
  sat_DoubleDouble first = two_product(quarters, HALF_PI[0]);
  sat_DoubleDouble second = two_product(quarters, HALF_PI[1]);
  sat_DoubleDouble a = two_sum(angle, -first.high);
  sat_DoubleDouble b = two_sum(a.high, -first.low);
  sat_DoubleDouble c = two_sum(b.high, -second.high);
  return two_sum(c.high, a.low + (b.low + (c.low - (second.low + quarters * HALF_PI[2]))));
}

void sat_sine_cosine(double angle, double *sine, double *cosine) {
  SAT_ASSERT(in_range(angle));
  double size = fabs(angle);
  int64_t quarters = (int64_t)(size * SAT_QUARTERS_PER_RADIAN + 0.5);
  sat_DoubleDouble r = {size, 0};
  if (quarters > 0) r = reduce(size, (double)quarters);
  double square = r.high * r.high;
  double s = r.high + (r.low * (1 - square * 0.5) + r.high * square * series(SINE, square));
  double c = 1 - (square * 0.5 - (square * square * series(COSINE, square) - r.high * r.low));
  if (quarters > 0 && fabs(r.high) <= size * SAT_EPSILON) {
    s = 0;
    c = 1;
  }
  /* Subtracted from 0, not negated: 0 - 0 is 0, and the negative of 0 would be -0. */
  const double arcs[5] = {s, c, 0 - s, 0 - c, s};
  *sine = signbit(angle) ? -arcs[quarters & 3] : arcs[quarters & 3];
  *cosine = arcs[(quarters & 3) + 1];
}
