/* arrangement.h: edges of rings that may cross, cut and rounded to a grid so that they meet in
 * common ends alone. */
#ifndef SAT_POLYGON_ARRANGEMENT_H
#define SAT_POLYGON_ARRANGEMENT_H

#include "base/vec2.h"

/* An edge between two points, the lower one first in the order of the sweep. The winding numbers of
 * two sets of rings grow by `winding` from below the edge to above. */
typedef struct sat_PlaneEdge {
  uint32_t low, high;
  int32_t winding[2];
} sat_PlaneEdge;

typedef struct sat_Arrangement {
  SAT_LIST(sat_Vec2) points;
  SAT_LIST(sat_PlaneEdge) edges;
} sat_Arrangement;

/* Rounds the points to whole numbers, cuts the edges where they meet, and joins equal ones. At
 * first the points and edges are in any order, and the coordinates at most 2^40. Afterwards no two
 * points are equal, all are ends of edges, and points and edges are in the order of the sweep:
 * edges by their first ends. No two edges share a point but ends, by the exact predicate. Fails
 * with SAT_EMANY and SAT_ENOMEM, which leave any points and edges. With k points where edges meet,
 * usually O((n + k) log(n + k)). */
sat_Status sat_snap_round(sat_Arrangement *plane);

#endif
