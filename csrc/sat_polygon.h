/* sat_polygon.h: polygons as rings with holes: outlines of grids, simpler rings, and booleans. The
 * conventions are those of sat.h, which includes this header. */
#ifndef SAT_H
#include "sat.h"
#elif !defined(SAT_POLYGON_H)
#define SAT_POLYGON_H

/* The cells of a grid, row by row. Cell (column, row), both from 0, is the square from (column,
 * row) to (column + 1, row + 1), and solid if its value is at least `threshold`. A cell outside of
 * the grid is empty: its value is 0 or, for a threshold of 0 or less, the threshold minus 1. */
typedef struct sat_Grid {
  const double *values;
  size_t columns, rows;
  double threshold;
} sat_Grid;

/* Rings: ring k has the points first[k] to first[k + 1] - 1. */
typedef struct sat_Outline {
  uint32_t count;
  const uint32_t *first;
  const uint32_t *around; /* of a hole, the ring that it lies in; of another ring k, k */
  const sat_Vec2 *points;
} sat_Outline;

/* The outlines of the solid cells, outer rings with positive area and holes with negative area,
 * each in the order of its first cell, row by row. `outline` lives in the scratch memory.
 *
 * Along the borders of the cells: the vertices are corners of cells, and the area is the number of
 * solid cells, exactly. Cells that only meet at a corner are apart, so that a ring may touch itself
 * there. Smooth: the vertices lie on the lines between the middles of neighbouring cells, where the
 * value between theirs is the threshold, but 1/1024 away from the middles at least. All rings are
 * simple and apart. Two solid cells that only meet at a corner are joined if the mean of the four
 * cells there is at least the threshold. Fails with SAT_ERANGE (the threshold), SAT_ENOMEM.
 * O(cells). Lorensen and Cline, Marching cubes, 1987. */
sat_Status sat_outline(const sat_Grid *grid, bool smooth, sat_Scratch *scratch,
                       sat_Outline *outline);

/* Leaves out vertices of rings or, if `open`, of runs of points, in place: ring k has the points
 * first[k] to first[k + 1] - 1, before and after. The vertex with the least error goes first, of
 * equal ones the first: the error is the greatest distance of the vertices as given from the edge
 * that replaces them. A vertex goes if its error is at most `tolerance` and no vertex that is left,
 * of any ring, lies in the closed triangle with its neighbours, so that simple rings stay simple,
 * rings that are apart stay apart, and no area changes its sign. Three vertices of a ring stay, and
 * the ends of a run. A tolerance of 0 drops what lies on straight lines, exactly. Fails with
 * SAT_ERANGE (`error`, which may be NULL, has the vertex; or the tolerance), SAT_EVALUE (a negative
 * tolerance), SAT_EFEW (fewer vertices than three or two; the first one of the ring), SAT_ENOMEM.
 * Usually O(n log n). */
sat_Status sat_simplify(sat_Vec2 *points, uint32_t *first, size_t rings, double tolerance,
                        bool open, sat_Scratch *scratch, sat_RingError *error);

/* Rings, as those of a sat_Outline, that may cross themselves and each other. A point is inside if
 * they go round it at all or, if `even_odd`, an odd number of times. None is nothing. */
typedef struct sat_Region {
  const sat_Vec2 *points;
  const uint32_t *first; /* not read if there are no rings */
  size_t rings;
  bool even_odd;
} sat_Region;

typedef enum sat_BooleanOperation {
  SAT_UNION,
  SAT_INTERSECTION,
  SAT_DIFFERENCE, /* A without B */
  SAT_EXCLUSION   /* what is in one of both */
} sat_BooleanOperation;

/* The polygons of what is in A and B: outer rings with positive area and holes with negative area,
 * each from its first vertex in the order of x, then y, without vertices on straight lines. All
 * rings are simple, no two edges cross, and polygons have no more than single points in common.
 * The union of A with nothing repairs A. `outline` lives in the scratch memory, the regions must
 * not.
 *
 * Coordinates are rounded to a grid, 2^-40 of the power of two above the largest one, and edges
 * bent through the rounded places of what they pass or cross: points farther than 4 of these from
 * all edges given are inside as the operation tells. Coordinates of 40 bits stay, so that a result
 * given again is itself. Fails with SAT_ERANGE, SAT_ENOMEM, and with SAT_EMANY where more than
 * 1,000,000 edges would be left, or 2,000,000,000 pairs be looked at. With k crossings, usually
 * O((n + k) log(n + k)); long edges side by side are looked at pair by pair. Hobby, Practical
 * segment intersection with finite precision output, 1999. */
sat_Status sat_boolean(sat_BooleanOperation operation, const sat_Region *a, const sat_Region *b,
                       sat_Scratch *scratch, sat_Outline *outline);

#endif
