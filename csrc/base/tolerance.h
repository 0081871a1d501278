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
#define SAT_HALF_PI_LOW -0x1.f1976b7ed8fbcp-110
#define SAT_QUARTERS_PER_RADIAN 0x1.45f306dc9c883p-1

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
