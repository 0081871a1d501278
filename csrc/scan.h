/* scan.h: the gaps of every edge of one side.
 *
 * In the scan no branch depends on the data, and its loops over three to eight vertices have a
 * fixed length: on small polygons one wrong guess of the processor's costs more than all the
 * projections of an edge. */
#ifndef SAT_SCAN_H
#define SAT_SCAN_H

#include "minkowski.h"

/* The widest gap of one side's edges, whose it is, and the one that comes next to it. */
typedef struct sat_Scan {
  double widest, second;
  uint32_t edge;
} sat_Scan;

SAT_INLINE double sat_least_one_by_one(sat_Vec2 normal, const sat_Vertex *vertex, uint32_t count) {
  double least = dot(normal, vertex[0].turned);
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 8
#endif
  for (uint32_t i = 1; i < count; i++) least = min2(dot(normal, vertex[i].turned), least);
  return least;
}

#ifdef __SSE2__
#include <emmintrin.h>

/* Two vertices at a time, by what every x86-64 has: their products side by side, then crosswise, so
 * that one addition makes both sums. They are the same sums. */
SAT_INLINE double sat_least_by_two(sat_Vec2 normal, const sat_Vertex *vertex, uint32_t count) {
  const __m128d n = _mm_set_pd(normal.y, normal.x);
  __m128d least = _mm_set1_pd(HUGE_VAL);
#ifndef __clang__
#pragma GCC unroll 4
#endif
  for (uint32_t i = 0; i < count; i += 2) {
    __m128d a = _mm_mul_pd(n, _mm_loadu_pd(&vertex[i].turned.x));
    __m128d b = i + 1 < count ? _mm_mul_pd(n, _mm_loadu_pd(&vertex[i + 1].turned.x)) : a;
    least = _mm_min_pd(_mm_add_pd(_mm_unpacklo_pd(a, b), _mm_unpackhi_pd(a, b)), least);
  }
  return _mm_cvtsd_f64(_mm_min_sd(least, _mm_unpackhi_pd(least, least)));
}
#else
#define sat_least_by_two sat_least_one_by_one
#endif

/* The gap between an edge and the other side, whose origin is `away`: the same sum in the same
 * order as everywhere. */
SAT_INLINE double sat_edge_gap(const sat_Vertex *edge, const sat_Vertex *other, uint32_t others,
                               sat_Vec2 away) {
  sat_Vec2 normal = edge->normal;
  double least = others < 4 ? sat_least_one_by_one(normal, other, others)
                            : sat_least_by_two(normal, other, others);
  return (dot(normal, away) - edge->offset) + least;
}

SAT_INLINE void sat_note_gap(sat_Scan *scan, uint32_t edge, double gap) {
  scan->second = max2(scan->second, min2(gap, scan->widest));
  scan->edge = gap > scan->widest ? edge : scan->edge;
  scan->widest = max2(gap, scan->widest);
}

SAT_INLINE sat_Scan sat_scan_against(const sat_Vertex *own, uint32_t count, const sat_Vertex *other,
                                     uint32_t others, sat_Vec2 away, double apart) {
  sat_Scan scan = {-HUGE_VAL, -HUGE_VAL, 0};
  for (uint32_t i = 0; i < count; i++) {
    double gap = sat_edge_gap(&own[i], other, others, away);
    sat_note_gap(&scan, i, gap);
    if (gap > apart) break;
  }
  return scan;
}

/* All edges of a side, or as many as it takes to find a gap above `apart`. `count` is 2 or more: a
 * point has none. */
SAT_INLINE sat_Scan sat_scan_side(const sat_Vertex *own, uint32_t count, const sat_Vertex *other,
                                  uint32_t others, sat_Vec2 away, double apart) {
  switch (others) {
  case 1: return sat_scan_against(own, count, other, 1, away, apart);
  case 3: return sat_scan_against(own, count, other, 3, away, apart);
  case 4: return sat_scan_against(own, count, other, 4, away, apart);
  case 6: return sat_scan_against(own, count, other, 6, away, apart);
  case 8: return sat_scan_against(own, count, other, 8, away, apart);
  default: return sat_scan_against(own, count, other, others, away, apart);
  }
}

/* The same for more vertices: as the normals turn, the other side's extreme vertex only moves
 * forward, as calipers do. O(n + m). de Berg et al., Computational Geometry, 3rd ed., ch. 13. */
static inline sat_Scan sat_turn_calipers(const sat_Vertex *own, uint32_t count,
                                         const sat_Vertex *other, uint32_t others, sat_Vec2 away,
                                         double apart) {
  sat_Scan scan = {-HUGE_VAL, -HUGE_VAL, 0};
  uint32_t at = sat_support_index(other, others, neg(own[0].normal));
  for (uint32_t i = 0; i < count && scan.widest <= apart; i++) {
    double least = dot(own[i].normal, other[at].turned);
    for (uint32_t steps = others; steps > 1;
         steps--) { /* vertices that turning has melted into one are no reason to stop */
      uint32_t next = at + 1 < others ? at + 1 : 0;
      double projection = dot(own[i].normal, other[next].turned);
      if (projection > least) break;
      least = projection;
      at = next;
    }
    sat_note_gap(&scan, i, (dot(own[i].normal, away) - own[i].offset) + least);
  }
  return scan;
}

/* The vertex farthest along a direction. */
SAT_INLINE uint32_t sat_scan_support(const sat_Vertex *vertex, uint32_t count, sat_Vec2 direction) {
  uint32_t best = 0;
  double most = dot(direction, vertex[0].turned);
  for (uint32_t i = 1; i < count; i++) {
    double projection = dot(direction, vertex[i].turned);
    best = projection > most ? i : best;
    most = max2(projection, most);
  }
  return best;
}

/* Whether two edges' normals on D are the same direction: an edge of A bounds D from the other
 * side. */
SAT_INLINE bool sat_back_to_back(const sat_Vertex *of_a, const sat_Vertex *of_b) {
  return fabs(cross(of_a->normal, of_b->normal)) <= SAT_SAME_DIRECTION &&
         dot(of_a->normal, of_b->normal) < 0;
}

/* Whether the widest of both sides is so without rival: parallel edges back to back are one
 * axis. */
SAT_INLINE bool sat_scans_tie(const sat_Scan scan[2], const sat_Vertex *of_a,
                              const sat_Vertex *of_b, double tie) {
  double limit = max2(scan[0].widest, scan[1].widest) - tie;
  if (max2(scan[0].second, scan[1].second) >= limit) return true;
  if (min2(scan[0].widest, scan[1].widest) < limit) return false;
  return !sat_back_to_back(&of_a[scan[0].edge], &of_b[scan[1].edge]);
}

#endif
