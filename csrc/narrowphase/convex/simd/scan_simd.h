/* scan_simd.h: the search for the greatest separation of one side's edges, for the instruction set
 * of the file that includes it. */
#include "narrowphase/convex/simd/separation_simd.h"

/* ---------------------------------------------------------------- all edges of a side */

/* The running maxima of a side's separations in four columns, each with its row. */
typedef struct ScanColumns {
  double4 max_separation, second, row;
} ScanColumns;

SAT_INLINE ScanColumns no_columns(void) {
  return (ScanColumns){double4_of(-HUGE_VAL), double4_of(-HUGE_VAL), double4_of(0)};
}

SAT_INLINE void scan_row(ScanColumns *columns, double4 separations, uint32_t row) {
  columns->second = double4_max(columns->second, double4_min(separations, columns->max_separation));
  columns->row = double4_where_more(separations, columns->max_separation, double4_of((double)row),
                                    columns->row);
  columns->max_separation = double4_max(separations, columns->max_separation);
}

/* The first of several edges of equal separation counts. */
SAT_INLINE sat_SeparationScan merge_columns(const ScanColumns *columns) {
  double max_separation[4], second[4], row[4];
  sat_SeparationScan scan = SAT_NOTHING_SCANNED;
  double4_store(max_separation, columns->max_separation);
  double4_store(second, columns->second);
  double4_store(row, columns->row);
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t edge = 4 * (uint32_t)row[i] + i;
    bool wider = max_separation[i] > scan.max_separation ||
                 (max_separation[i] == scan.max_separation && edge < scan.edge);
    scan.second = max2(scan.second, max2(second[i], min2(max_separation[i], scan.max_separation)));
    scan.edge = wider ? edge : scan.edge;
    scan.max_separation = max2(max_separation[i], scan.max_separation);
  }
  return scan;
}

/* The maximum over all edges of a side, or over the first edges up to a separation above
 * `threshold`. */
sat_SeparationScan SAT_IN_THIS_SET(sat_scan_edges)(const sat_Convex *own, const sat_Convex *other,
                                                   sat_Vec2 origin_offset, double threshold) {
  ScanColumns columns = no_columns();
  for (uint32_t row = 0; row < edge_block_count(own->count); row++) {
    ScanNormals normals = normals_of(&own->edges[row], origin_offset);
    scan_row(&columns, separations_to(&normals, other->vertex, other->count), row);
    if (double4_greatest(columns.max_separation) > threshold) break;
  }
  return merge_columns(&columns);
}

/* ---------------------------------------------------------------- calipers */

/* The calipers: as one side's normals turn, the other side's support vertex only moves forward. */
typedef struct Calipers {
  const sat_Convex *other;
  uint32_t at;     /* the extreme vertex on the last edge's normal, */
  sat_Vec2 normal; /* which is this */
} Calipers;

/* The separations of the next four edges, the last of which has the normal `last`. */
SAT_INLINE double4 calipers_step(Calipers *calipers, const ScanNormals *normals, sat_Vec2 last) {
  const sat_Convex *other = calipers->other;
  /* A turn of nearly half a circle or more starts a new support search; it occurs at most twice.
   * From an edge that faces away, the first step may lead back by rounding. */
  double turn = cross(calipers->normal, last);
  bool far = !(turn > (dot(calipers->normal, last) < 0 ? SAT_NEARLY_HALF_TURN : 0));
  calipers->normal = last;
  if (far) {
    calipers->at = sat_support_index(other, neg(last));
    return separations_to(normals, other->vertex, other->count);
  }
  const sat_Vec2 *start = other->vertex + calipers->at, *end = other->vertex + other->count,
                 *at = start, *next = at + 1 < end ? at + 1 : other->vertex;
  double4 along = double4_dot(normals->x, normals->y, *at), least = along;
  while (next != start) {
    double4 farther = double4_dot(normals->x, normals->y, *next);
    /* Edges that a turn has melted into one do not end the loop. */
    if (double4_last(farther) > double4_last(along)) break;
    least = double4_min(farther, least);
    along = farther;
    at = next;
    next = at + 1 < end ? at + 1 : other->vertex;
  }
  calipers->at = (uint32_t)(at - other->vertex);
  return double4_add(normals->base, least);
}

/* The result of the scan in O(n + m). de Berg et al., Computational Geometry, 3rd ed., ch. 13.
 * The last row's normals may be fewer than four; its last normal then decides nothing. */
sat_SeparationScan SAT_IN_THIS_SET(sat_calipers_edges)(const sat_Convex *own,
                                                       const sat_Convex *other,
                                                       sat_Vec2 origin_offset, double threshold) {
  ScanColumns columns = no_columns();
  sat_Vec2 first = normal_of(own->edges, 0);
  Calipers calipers = {other, sat_support_index(other, neg(first)), first};
  for (uint32_t row = 0; row < edge_block_count(own->count); row++) {
    ScanNormals normals = normals_of(&own->edges[row], origin_offset);
    sat_Vec2 last = vec2(own->edges[row].x[3], own->edges[row].y[3]);
    scan_row(&columns, calipers_step(&calipers, &normals, last), row);
    if (double4_greatest(columns.max_separation) > threshold) break;
  }
  return merge_columns(&columns);
}
