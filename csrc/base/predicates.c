/* predicates.c: signs of cross products by a filter, by two exact products, or by expansions. */
#include "base/predicates.h"

#include "base/double_double.h"
#include "base/tolerance.h"

/* This factor keeps products of all but the smallest coordinates from underflow, and products of
 * the largest from overflow. A power of two changes no digit. */
#define SPLIT_SCALE 0x1p450

/* An unrounded sum as terms that do not overlap, the smallest first, none of them 0. The largest
 * term outweighs the others, so its sign is the sign of the sum. */
typedef struct Expansion {
  double terms[32];
  int count;
} Expansion;

/* Shewchuk, section 2.3: Grow-Expansion with zero elimination. */
static void grow(Expansion *sum, double term) {
  int count = 0;
  for (int i = 0; i < sum->count; i++) {
    sat_DoubleDouble next = two_sum(term, sum->terms[i]);
    if (next.low != 0) sum->terms[count++] = next.low;
    term = next.high;
  }
  if (term != 0) sum->terms[count++] = term;
  sum->count = count;
}

static void grow_by_product(Expansion *sum, const Expansion *a, const Expansion *b, double sign) {
  for (int i = 0; i < a->count; i++) {
    for (int j = 0; j < b->count; j++) {
      sat_DoubleDouble product = two_product(sign * a->terms[i], b->terms[j]);
      grow(sum, product.low);
      grow(sum, product.high);
    }
  }
}

/* a - b + c - d */
static Expansion difference(double a, double b, double c, double d) {
  const double terms[4] = {a, -b, c, -d};
  Expansion sum;
  sum.count = 0;
  for (int i = 0; i < 4; i++) grow(&sum, terms[i] * SPLIT_SCALE);
  return sum;
}

/* The sign, whatever the coordinates are. The sum has two products of at most 2 by 4 terms, with
 * two doubles for each: 32 terms. */
static int sign_of_expansion(const sat_Vec2 u[2], const sat_Vec2 w[4]) {
  Expansion ux = difference(u[0].x, u[1].x, 0, 0);
  Expansion uy = difference(u[0].y, u[1].y, 0, 0);
  Expansion wx = difference(w[0].x, w[1].x, w[2].x, w[3].x);
  Expansion wy = difference(w[0].y, w[1].y, w[2].y, w[3].y);
  Expansion sum;
  sum.count = 0;
  grow_by_product(&sum, &ux, &wy, 1);
  grow_by_product(&sum, &uy, &wx, -1);
  if (sum.count == 0) return 0;
  return sum.terms[sum.count - 1] > 0 ? 1 : -1;
}

/* Computes a - b + c - d. False: the exact result needs more than one double. */
static bool short_difference(double a, double b, double c, double d, double *result) {
  sat_DoubleDouble first = two_sum(a, -b), second = two_sum(c, -d);
  sat_DoubleDouble sum = two_sum(first.high, second.high);
  *result = sum.high * SPLIT_SCALE;
  return first.low == 0 && second.low == 0 && sum.low == 0;
}

/* Coordinates with few digits, as of tiles on whole numbers, have differences that are doubles. Two
 * exact products are then compared by their rounded values first, since rounding is monotone. Of a
 * vector along an axis one product is 0. */
int sat_exact_cross_sign(const sat_Vec2 u[2], const sat_Vec2 w[4]) {
  double ux, uy, wx, wy;
  if (u[0].y == u[1].y && short_difference(w[0].y, w[1].y, w[2].y, w[3].y, &wy))
    return ((wy > 0) - (wy < 0)) * ((u[0].x > u[1].x) - (u[0].x < u[1].x));
  if (u[0].x == u[1].x && short_difference(w[0].x, w[1].x, w[2].x, w[3].x, &wx))
    return ((wx < 0) - (wx > 0)) * ((u[0].y > u[1].y) - (u[0].y < u[1].y));
  if (!short_difference(u[0].x, u[1].x, 0, 0, &ux) ||
      !short_difference(u[0].y, u[1].y, 0, 0, &uy) ||
      !short_difference(w[0].x, w[1].x, w[2].x, w[3].x, &wx) ||
      !short_difference(w[0].y, w[1].y, w[2].y, w[3].y, &wy)) {
    return sign_of_expansion(u, w);
  }
  sat_DoubleDouble left = two_product(ux, wy), right = two_product(uy, wx);
  if (left.high != right.high) return left.high > right.high ? 1 : -1;
  return (left.low > right.low) - (left.low < right.low);
}

/* Each product has two rounded differences as factors and is rounded itself, and so is the
 * difference of the two: the relative error is three roundings and a little (Shewchuk, section
 * 4.2). Underflow adds an absolute error far below SAT_UNDERFLOW_ERROR. */
int sat_orientation(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c) {
  double left = (b.x - a.x) * (c.y - a.y);
  double right = (b.y - a.y) * (c.x - a.x);
  double error = (fabs(left) + fabs(right)) * SAT_CROSS_ERROR + SAT_UNDERFLOW_ERROR;
  if (left - right > error) return 1;
  if (right - left > error) return -1;
  sat_Vec2 u[2] = {b, a};
  sat_Vec2 w[4] = {c, a, {0, 0}, {0, 0}};
  return sat_exact_cross_sign(u, w);
}
