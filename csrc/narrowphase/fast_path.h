/* fast_path.h: SIMD fast path for polygons of few vertices, rounded or not, and for such a polygon
 * and a circle. */
#ifndef SAT_NARROWPHASE_FAST_PATH_H
#define SAT_NARROWPHASE_FAST_PATH_H

#include "narrowphase/convex_pair.h"
#include "narrowphase/separation_kernels.h"

/* The verdict SAT_UNDECIDED leaves the pair to the general path, wherever no single facet decides
 * beyond doubt. A decided verdict comes with the numbers of the general path. */
typedef enum sat_Verdict { SAT_UNDECIDED, SAT_SEPARATE, SAT_OVERLAP } sat_Verdict;

/* The functions of one instruction set. `overlap` and `collide` answer about any two shapes; only
 * composite ones need working memory. The tables of all instruction sets answer with the same
 * bits. */
typedef struct sat_Kernels {
  sat_Status (*collide)(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                        sat_Result *result);
  /* As `collide`, but undecided where the distance is within rounding, and where the general path
   * has to answer. */
  sat_Verdict (*touch)(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
  sat_Status (*overlap)(const sat_Shape *a, const sat_Shape *b);
} sat_Kernels;

#ifdef SAT_AVX_KERNELS
extern const sat_Kernels sat_kernels_avx;
#endif
extern const sat_Kernels sat_kernels_baseline;

/* The table of the widest instruction set that the processor has. */
static inline const sat_Kernels *sat_kernels(void) {
#ifdef SAT_AVX_KERNELS
  if (__builtin_cpu_supports("avx")) return &sat_kernels_avx;
#endif
  return &sat_kernels_baseline;
}

/* A separation of more than this many tie bounds is more than sat_touch_rounding. */
#define CLEARLY 4

#endif
