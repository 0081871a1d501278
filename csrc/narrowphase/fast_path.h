/* fast_path.h: a fast lane for what most calls ask about, two small polygons, or one and a circle,
 * and the cheap questions that come before any other. */
#ifndef SAT_NARROWPHASE_FAST_PATH_H
#define SAT_NARROWPHASE_FAST_PATH_H

#include "narrowphase/minkowski.h"

/* The widest gap of one side's edges, whose it is, and the one that comes next to it. */
typedef struct sat_SeparationScan {
  double max_separation, second;
  uint32_t edge;
} sat_SeparationScan;

#define SAT_NOTHING_SCANNED ((sat_SeparationScan){-HUGE_VAL, -HUGE_VAL, 0})

/* SAT_UNDECIDED hands over to the general machinery, which is needed where no single facet decides
 * beyond doubt. Where the lane answers, it does so with the same numbers. */
typedef enum sat_Verdict { SAT_UNDECIDED, SAT_SEPARATE, SAT_OVERLAP } sat_Verdict;

/* Collides without a lane, whatever the shapes; see narrowphase/convex_pair.c. What a lane is not
 * sure of it hands over by calling this last. */
sat_Status sat_collide_general(const sat_Shape *a, const sat_Shape *b, sat_AxisCache *axis_cache,
                               sat_Scratch *scratch, sat_Result *result);

/* What there is in one instruction set and in another; all answer with the same bits. */
typedef struct sat_Kernels {
  sat_Status (*collide)(const sat_Shape *a, const sat_Shape *b, sat_AxisCache *axis_cache,
                        sat_Scratch *scratch, sat_Result *result);
  /* As `collide`, but unsure of what is no farther apart than rounding may be. */
  sat_Verdict (*touch)(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
  sat_Verdict (*overlap)(const sat_Shape *a, const sat_Shape *b);
  /* The widest gap of one side, which has edges: all of them in turn, or by calipers. A gap above
   * `threshold` ends the search. */
  sat_SeparationScan (*scan)(const sat_Convex *own, const sat_Convex *other, sat_Vec2 origin_offset,
                             double threshold);
  sat_SeparationScan (*arc)(const sat_Convex *own, const sat_Convex *other, sat_Vec2 origin_offset,
                            double threshold);
} sat_Kernels;

/* Not where all sources are one file, which has one instruction set: SAT_BASELINE_ONLY says so. And
 * not with gcc on Windows, where the stack is aligned to 16 bytes alone: gcc puts values of 32
 * bytes there all the same, and moves them as if they were aligned (its bug 54412). */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(SAT_BASELINE_ONLY) &&                     \
    (!defined(_WIN32) || defined(__clang__))
#define SAT_AVX_KERNELS
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

/* Ways out whose lengths differ by less, relatively, are equally short: the contract's number. */
#define SAT_TIE_RELATIVE 1e-12
#define SAT_ULPS_8 (8 * 0x1p-52)

/* The cheapest question first: the boxes. Only a sure no counts. */
static inline bool boxes_are_separate(const sat_Shape *a, const sat_Shape *b,
                                      sat_Vec2 origin_offset, double margin) {
  if (origin_offset.x + b->box.min.x - a->box.max.x > margin ||
      a->box.min.x - origin_offset.x - b->box.max.x > margin)
    return true;
  return origin_offset.y + b->box.min.y - a->box.max.y > margin ||
         a->box.min.y - origin_offset.y - b->box.max.y > margin;
}

/* Then the circles about the centroids. */
static inline bool circles_are_separate(const sat_Shape *a, const sat_Shape *b,
                                        sat_Vec2 origin_offset, double margin) {
  sat_Vec2 between = add(origin_offset, sub(b->centroid_from_origin, a->centroid_from_origin));
  double circles = a->bounding_radius + b->bounding_radius + margin;
  return dot(between, between) > circles * circles * (1 + SAT_TIE_RELATIVE);
}

/* A bound on what sat_convex_mtv may call a tie, cheap enough for every call. */
static inline double tie_bound(const sat_Shape *a, const sat_Shape *b) {
  double coordinate_sum =
      fabs(a->origin.x) + fabs(a->origin.y) + fabs(b->origin.x) + fabs(b->origin.y);
  double size = a->l1_bound + b->l1_bound + a->radius + b->radius;
  return (SAT_TIE_RELATIVE + SAT_ULPS_8) * (coordinate_sum + size);
}

/* A gap of more than so many tie bounds is more than sat_touch_rounding. */
#define CLEARLY 4

/* ---------------------------------------------------------------- ties */

/* Whether two edges' normals on D are the same direction: an edge of A bounds D from the other
 * side. */
SAT_INLINE bool are_back_to_back(sat_Vec2 normal_a, sat_Vec2 normal_b) {
  return fabs(cross(normal_a, normal_b)) <= SAT_SAME_DIRECTION && dot(normal_a, normal_b) < 0;
}

/* Whether the widest of both sides is so without rival: parallel edges back to back are one
 * axis. */
SAT_INLINE bool scans_tie(const sat_SeparationScan scan[2], const sat_Edges *const edges[2],
                          double tie) {
  double limit = max2(scan[0].max_separation, scan[1].max_separation) - tie;
  if (max2(scan[0].second, scan[1].second) >= limit) return true;
  if (min2(scan[0].max_separation, scan[1].max_separation) < limit) return false;
  return !are_back_to_back(normal_of(edges[0], scan[0].edge), normal_of(edges[1], scan[1].edge));
}

#endif
