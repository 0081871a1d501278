/* fast_path.h: a fast lane for what most calls ask about, two small polygons, or one and a circle,
 * and the cheap questions that come before any other. */
#ifndef SAT_NARROWPHASE_FAST_PATH_H
#define SAT_NARROWPHASE_FAST_PATH_H

#include "narrowphase/minkowski.h"

/* The widest gap of one side's edges, whose it is, and the one that comes next to it. */
typedef struct sat_Scan {
  double widest, second;
  uint32_t edge;
} sat_Scan;

#define SAT_NOTHING_SCANNED ((sat_Scan){-HUGE_VAL, -HUGE_VAL, 0})

/* SAT_UNSURE hands over to the general machinery, which is needed where no single facet decides
 * beyond doubt. Where the lane answers, it does so with the same numbers. */
typedef enum sat_Verdict { SAT_UNSURE, SAT_APART, SAT_MEET } sat_Verdict;

/* Collides without a lane, whatever the shapes; see narrowphase/convex_pair.c. What a lane is not
 * sure of it hands over by calling this last. */
sat_Status sat_collide_at_all(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                              sat_Scratch *scratch, sat_Result *result);

/* What there is in one instruction set and in another; all answer with the same bits. */
typedef struct sat_Lane {
  sat_Status (*collide)(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                        sat_Scratch *scratch, sat_Result *result);
  /* As `collide`, but unsure of what is no farther apart than rounding may be. */
  sat_Verdict (*touch)(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
  sat_Verdict (*overlap)(const sat_Shape *a, const sat_Shape *b);
  /* The widest gap of one side, which has edges: all of them in turn, or by calipers. A gap above
   * `apart` ends the search. */
  sat_Scan (*scan)(const sat_Convex *own, const sat_Convex *other, sat_Vec2 away, double apart);
  sat_Scan (*turn)(const sat_Convex *own, const sat_Convex *other, sat_Vec2 away, double apart);
} sat_Lane;

/* Not where all sources are one file, which has one instruction set: SAT_ONE_LANE says so. And not
 * with gcc on Windows, where the stack is aligned to 16 bytes alone: gcc puts values of 32 bytes
 * there all the same, and moves them as if they were aligned (its bug 54412). */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(SAT_ONE_LANE) &&                          \
    (!defined(_WIN32) || defined(__clang__))
#define SAT_AVX_LANE
extern const sat_Lane sat_lane_avx;
#endif
extern const sat_Lane sat_lane_any;

/* The best one that the processor has. */
static inline const sat_Lane *sat_lane(void) {
#ifdef SAT_AVX_LANE
  if (__builtin_cpu_supports("avx")) return &sat_lane_avx;
#endif
  return &sat_lane_any;
}

/* Ways out whose lengths differ by less, relatively, are equally short: the contract's number. */
#define SAT_TIE_RELATIVE 1e-12
#define SAT_ULPS_8 (8 * 0x1p-52)

/* The cheapest question first: the boxes. Only a sure no counts. */
static inline bool boxes_apart(const sat_Shape *a, const sat_Shape *b, sat_Vec2 away,
                               double reach) {
  if (away.x + b->box.min.x - a->box.max.x > reach || a->box.min.x - away.x - b->box.max.x > reach)
    return true;
  return away.y + b->box.min.y - a->box.max.y > reach ||
         a->box.min.y - away.y - b->box.max.y > reach;
}

/* Then the circles about the centroids. */
static inline bool circles_apart(const sat_Shape *a, const sat_Shape *b, sat_Vec2 away,
                                 double reach) {
  sat_Vec2 between = add(away, sub(b->hub, a->hub));
  double circles = a->bound + b->bound + reach;
  return dot(between, between) > circles * circles * (1 + SAT_TIE_RELATIVE);
}

/* A bound on what sat_way_out may call a tie, cheap enough for every call. */
static inline double tie_bound(const sat_Shape *a, const sat_Shape *b) {
  double place = fabs(a->origin.x) + fabs(a->origin.y) + fabs(b->origin.x) + fabs(b->origin.y);
  double size = a->extent + b->extent + a->radius + b->radius;
  return (SAT_TIE_RELATIVE + SAT_ULPS_8) * (place + size);
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
SAT_INLINE bool scans_tie(const sat_Scan scan[2], const sat_Edges *const edges[2], double tie) {
  double limit = max2(scan[0].widest, scan[1].widest) - tie;
  if (max2(scan[0].second, scan[1].second) >= limit) return true;
  if (min2(scan[0].widest, scan[1].widest) < limit) return false;
  return !are_back_to_back(normal_of(edges[0], scan[0].edge), normal_of(edges[1], scan[1].edge));
}

#endif
