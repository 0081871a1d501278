/* Not a whole <math.h>: what sat takes of it, where it is built for a system whose headers are not here. */
#ifndef SAT_SYSROOT_MATH_H
#define SAT_SYSROOT_MATH_H

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)

double ceil(double), fabs(double), floor(double), sqrt(double);
double copysign(double, double), fmax(double, double), fmin(double, double),
    nextafter(double, double);
double frexp(double, int *), ldexp(double, int);
float fabsf(float);

#endif
