/* fast_path.h: a fast lane for what most calls ask about, two small polygons, or one and a circle,
 * and the cheap questions that come before any other. */
#ifndef SAT_NARROWPHASE_FAST_PATH_H
#define SAT_NARROWPHASE_FAST_PATH_H

#include "narrowphase/convex_pair.h"
#include "narrowphase/separation_kernels.h"

/* SAT_UNDECIDED hands over to the general machinery, which is needed where no single facet decides
 * beyond doubt. Where the lane answers, it does so with the same numbers. */
typedef enum sat_Verdict { SAT_UNDECIDED, SAT_SEPARATE, SAT_OVERLAP } sat_Verdict;

/* What there is in one instruction set and in another; all answer with the same bits. */
typedef struct sat_Kernels {
  sat_Status (*collide)(const sat_Shape *a, const sat_Shape *b, sat_AxisCache *axis_cache,
                        sat_Result *result);
  /* As `collide`, but unsure of what is no farther apart than rounding may be. */
  sat_Verdict (*touch)(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
  sat_Verdict (*overlap)(const sat_Shape *a, const sat_Shape *b);
} sat_Kernels;

#ifdef SAT_AVX_KERNELS
extern const sat_Kernels sat_kernels_avx;
#endif
extern const sat_Kernels sat_kernels_baseline;

/* The best one that the processor has. */
static inline const sat_Kernels *sat_kernels(void) {
#ifdef SAT_AVX_KERNELS
  if (__builtin_cpu_supports("avx")) return &sat_kernels_avx;
#endif
  return &sat_kernels_baseline;
}

/* A gap of more than so many tie bounds is more than sat_touch_rounding. */
#define CLEARLY 4

#endif
