/* separation_simd.h: the gaps of one side's edges, four at a time. On small polygons one wrong
 * guess of the processor's costs more than all the projections of an edge, so that no branch
 * depends on a single gap, and loops over up to eight vertices can have a fixed length. */
#ifndef SAT_NARROWPHASE_SEPARATION_SIMD_H
#define SAT_NARROWPHASE_SEPARATION_SIMD_H

#include "base/simd.h"
#include "narrowphase/fast_path.h"

/* The normals of four edges, and the part of their gaps that does not depend on the other side's
 * vertices. */
typedef struct Normals {
  Four x, y, base;
} Normals;

SAT_INLINE Normals normals_of(const sat_Edges *edges, sat_Vec2 away) {
  Normals normals = {four_load(edges->x), four_load(edges->y), four_of(0)};
  Four across = four_dot(normals.x, normals.y, away);
  normals.base = four_sub(across, four_load(edges->offset));
  return normals;
}

/* The gaps of four edges: the same sums in the same order as everywhere. */
SAT_INLINE Four gaps_to(const Normals *normals, const sat_Vec2 *vertex, uint32_t count) {
  Four least = four_dot(normals->x, normals->y, vertex[0]);
  SAT_UNROLL
  for (uint32_t i = 1; i < count; i++)
    least = four_min(four_dot(normals->x, normals->y, vertex[i]), least);
  return four_add(normals->base, least);
}

/* ---------------------------------------------------------------- all edges of a side */

/* A side's widest gaps as they come, in four columns, each with the row it is in. */
typedef struct Columns {
  Four widest, second, row;
} Columns;

SAT_INLINE Columns no_columns(void) {
  return (Columns){four_of(-HUGE_VAL), four_of(-HUGE_VAL), four_of(0)};
}

SAT_INLINE void note_row(Columns *columns, Four gaps, uint32_t row) {
  columns->second = four_max(columns->second, four_min(gaps, columns->widest));
  columns->row = four_where_more(gaps, columns->widest, four_of((double)row), columns->row);
  columns->widest = four_max(gaps, columns->widest);
}

/* Of equally wide ones the first edge's counts. */
SAT_INLINE sat_Scan merge_columns(const Columns *columns) {
  double widest[4], second[4], row[4];
  sat_Scan scan = SAT_NOTHING_SCANNED;
  four_store(widest, columns->widest);
  four_store(second, columns->second);
  four_store(row, columns->row);
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t edge = 4 * (uint32_t)row[i] + i;
    bool wider = widest[i] > scan.widest || (widest[i] == scan.widest && edge < scan.edge);
    scan.second = max2(scan.second, max2(second[i], min2(widest[i], scan.widest)));
    scan.edge = wider ? edge : scan.edge;
    scan.widest = max2(widest[i], scan.widest);
  }
  return scan;
}

/* All edges of a side, or as many as it takes to find a gap above `apart`. */
SAT_INLINE sat_Scan scan_edges(const sat_Convex *own, const sat_Convex *other, sat_Vec2 away,
                               double apart) {
  Columns columns = no_columns();
  for (uint32_t row = 0; row < fours_of(own->count); row++) {
    Normals normals = normals_of(&own->edges[row], away);
    note_row(&columns, gaps_to(&normals, other->vertex, other->count), row);
    if (four_greatest(columns.widest) > apart) break;
  }
  return merge_columns(&columns);
}

/* ---------------------------------------------------------------- calipers */

/* As one side's normals turn, the other side's extreme vertex only moves forward. */
typedef struct Calipers {
  const sat_Convex *other;
  uint32_t at;     /* the extreme vertex on the last edge's normal, */
  sat_Vec2 normal; /* which is this */
} Calipers;

/* The gaps of four edges that follow, the last of which has the normal `last`. */
SAT_INLINE Four turn_calipers(Calipers *calipers, const Normals *normals, sat_Vec2 last) {
  const sat_Convex *other = calipers->other;
  /* By half a turn or more the vertex may come from the other side; that is twice round at most. */
  bool far = !(cross(calipers->normal, last) > 0);
  calipers->normal = last;
  if (far) {
    calipers->at = sat_support_index(other, neg(last));
    return gaps_to(normals, other->vertex, other->count);
  }
  const sat_Vec2 *start = other->vertex + calipers->at, *end = other->vertex + other->count,
                 *at = start, *next = at + 1 < end ? at + 1 : other->vertex;
  Four along = four_dot(normals->x, normals->y, *at), least = along;
  while (next != start) {
    Four farther = four_dot(normals->x, normals->y, *next);
    /* Those that turning has melted into one are no reason to stop. */
    if (four_last(farther) > four_last(along)) break;
    least = four_min(farther, least);
    along = farther;
    at = next;
    next = at + 1 < end ? at + 1 : other->vertex;
  }
  calipers->at = (uint32_t)(at - other->vertex);
  return four_add(normals->base, least);
}

/* The same as scan_edges in O(n + m). de Berg et al., Computational Geometry, 3rd ed., ch. 13. The
 * last row's normals may be fewer than four, and then its last one decides nothing. */
SAT_INLINE sat_Scan turn_edges(const sat_Convex *own, const sat_Convex *other, sat_Vec2 away,
                               double apart) {
  Columns columns = no_columns();
  sat_Vec2 first = normal_of(own->edges, 0);
  Calipers calipers = {other, sat_support_index(other, neg(first)), first};
  for (uint32_t row = 0; row < fours_of(own->count); row++) {
    Normals normals = normals_of(&own->edges[row], away);
    sat_Vec2 last = vec2(own->edges[row].x[3], own->edges[row].y[3]);
    note_row(&columns, turn_calipers(&calipers, &normals, last), row);
    if (four_greatest(columns.widest) > apart) break;
  }
  return merge_columns(&columns);
}

#endif
