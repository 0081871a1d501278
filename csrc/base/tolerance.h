/* tolerance.h: error bounds and other small constants, each with its reason. */
#ifndef SAT_BASE_TOLERANCE_H
#define SAT_BASE_TOLERANCE_H

/* The distance from 1 to the next double: twice the largest relative error of one rounding. */
#define SAT_EPSILON 0x1p-52

/* sat_orientation: three roundings of 2^-53 each, and the second-order terms (Shewchuk, Adaptive
 * precision floating-point arithmetic, 1997, section 4.2: (3 + 16 e) e = 3.33e-16). */
#define SAT_CROSS_ERROR 3.4e-16
/* sat_orientation: each underflow of a product loses less than 2^-1074, far below this number. */
#define SAT_UNDERFLOW_ERROR 1e-290

/* Half of pi in three doubles, and the inverse of the first, both to the nearest double. */
#define SAT_HALF_PI_HIGH 0x1.921fb54442d18p+0
#define SAT_HALF_PI_MIDDLE 0x1.1a62633145c07p-54
#define SAT_HALF_PI_LOW (-0x1.f1976b7ed8fbcp-110)
#define SAT_QUARTERS_PER_RADIAN 0x1.45f306dc9c883p-1
/* Half of pi to 119 bits, in numbers of 33, 33 and 53 bits: the products of the first two with
 * whole numbers below 2^20 are exact. */
#define SAT_HALF_PI_33_BITS 0x1.921fb544p+0
#define SAT_HALF_PI_NEXT_33_BITS 0x1.0b4611a6p-34
#define SAT_HALF_PI_LAST_BITS 0x1.3198a2e037073p-69
/* The best polynomials for r up to pi / 4: sin r = r + r^3 (...), cos r = 1 - r^2 / 2 + r^4 (...),
 * with errors below 2^-57. From fdlibm, Sun Microsystems, 1993. */
#define SAT_SINE_FACTORS                                                                           \
  {                                                                                                \
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,          \
        2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10        \
  }
#define SAT_COSINE_FACTORS                                                                         \
  {                                                                                                \
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,           \
        -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11       \
  }

/* A computed radius or distance, times this, is no smaller than the exact one: the square root of a
 * sum of two squares has a relative error of four roundings at most. */
#define SAT_ROUND_UP (1 + 1e-15)

/* Records of shapes: a unit vector, or a turned vertex, differs from the exact one by less than
 * this part of its size, also after many turns, each of which adds a few roundings. */
#define SAT_RECORD_ROUNDING 0x1p-40
/* Records of shapes: centroids and bounding radii may differ by this part of the size. Bounds need
 * safety here, not precision. */
#define SAT_BOUND_ERROR 0x1p-20

#endif
