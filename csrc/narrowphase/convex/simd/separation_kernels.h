/* separation_kernels.h: the edge of one convex set with the greatest separation from another one,
 * searched with the widest instruction set of the processor. */
#ifndef SAT_NARROWPHASE_SEPARATION_KERNELS_H
#define SAT_NARROWPHASE_SEPARATION_KERNELS_H

#include "base/base.h"
#include "narrowphase/convex/minkowski.h"

/* The maximum separation of one side's edges, its edge, and the second greatest separation. */
typedef struct sat_SeparationScan {
  double max_separation, second;
  uint32_t edge;
} sat_SeparationScan;

#define SAT_NOTHING_SCANNED ((sat_SeparationScan){-HUGE_VAL, -HUGE_VAL, 0})

/* The search; the convex set `own` has edges, and a separation above `threshold` ends it. The scan
 * projects every vertex on every normal, the calipers move the support vertex along as the normals
 * turn. */
SAT_KERNEL(sat_SeparationScan, sat_scan_edges,
           (const sat_Convex *own, const sat_Convex *other, sat_Vec2 origin_offset,
            double threshold),
           (own, other, origin_offset, threshold))
SAT_KERNEL(sat_SeparationScan, sat_calipers_edges,
           (const sat_Convex *own, const sat_Convex *other, sat_Vec2 origin_offset,
            double threshold),
           (own, other, origin_offset, threshold))

/* ---------------------------------------------------------------- ties */

/* Whether two edges' normals on D are the same direction: an edge of A bounds D from the other
 * side. */
SAT_INLINE bool are_back_to_back(sat_Vec2 normal_a, sat_Vec2 normal_b) {
  return fabs(cross(normal_a, normal_b)) <= SAT_SAME_DIRECTION && dot(normal_a, normal_b) < 0;
}

/* Whether the maximum separation of both sides has a rival: parallel edges back to back are one
 * axis. */
SAT_INLINE bool scans_tie(const sat_SeparationScan scan[2], const sat_Edges *const edges[2],
                          double tie) {
  double limit = max2(scan[0].max_separation, scan[1].max_separation) - tie;
  if (max2(scan[0].second, scan[1].second) >= limit) return true;
  if (min2(scan[0].max_separation, scan[1].max_separation) < limit) return false;
  return !are_back_to_back(normal_of(edges[0], scan[0].edge), normal_of(edges[1], scan[1].edge));
}

#endif
