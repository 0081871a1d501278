/* minkowski_boundary.h: the boundary of a rounded Minkowski difference, as segments and arcs. */
#ifndef SAT_NARROWPHASE_MINKOWSKI_BOUNDARY_H
#define SAT_NARROWPHASE_MINKOWSKI_BOUNDARY_H

#include "narrowphase/minkowski.h"

/* A facet of D's core, and the corner where it starts. */
typedef struct sat_BoundaryEdge {
  sat_Vec2 start, normal;
  double separation, length;
  sat_Facet facet;
  uint32_t corner_of[2]; /* the vertices that make the start */
} sat_BoundaryEdge;

/* The Minkowski difference of two pieces, seen from the origin. Two points have a rim of no length,
 * which stands for their one corner. */
typedef struct sat_Boundary {
  const sat_BoundaryEdge *boundary_edges;
  uint32_t count;
  double radius;
  double error_bound; /* what a distance from it may be wrong by */
  bool degenerate;    /* without radius and area */
} sat_Boundary;

static inline double sat_boundary_error_bound(const sat_Pair *pair) {
  return pair->error_bound + SAT_SEPARATION_ROUNDING * pair->radius;
}

static inline uint32_t next_boundary_edge(const sat_Boundary *boundary, uint32_t boundary_edge) {
  return boundary_edge + 1 < boundary->count ? boundary_edge + 1 : 0;
}
static inline uint32_t previous_boundary_edge(const sat_Boundary *boundary,
                                              uint32_t boundary_edge) {
  return (boundary_edge > 0 ? boundary_edge : boundary->count) - 1;
}

static inline double separation_of(const sat_BoundaryEdge *boundary_edge, sat_Vec2 point) {
  return dot(boundary_edge->normal, point) + boundary_edge->separation;
}

/* How far along a rim a point is. */
static inline double along_boundary_edge(const sat_BoundaryEdge *boundary_edge, sat_Vec2 point) {
  return dot(perp(boundary_edge->normal), sub(point, boundary_edge->start));
}

/* The outline of a pair's difference. `boundary_edges` has place for as many as both sides have
 * vertices. */
sat_Boundary sat_boundary_of(const sat_Pair *pair, sat_BoundaryEdge *boundary_edges);

/* How far outside of D a point is; negative inside. More than `enough` need not be exact. */
double sat_boundary_signed_distance(const sat_Boundary *boundary, sat_Vec2 point, double enough);

/* A part of an outline: straight, or a turn of at most a quarter round a corner. From where it is
 * nearest to the origin it leads only away, both ways. A place on it is how far it is from the
 * start: as a length, or as the tangent of half the angle. */
typedef struct sat_Curve {
  sat_Vec2 base;   /* the start; of a turn its centre */
  sat_Vec2 ahead;  /* the direction of unit length; of a turn the normal where it starts */
  sat_Vec2 normal; /* of a straight one */
  double radius;   /* of a turn; 0 for a straight one */
  double end;
} sat_Curve;

static inline bool sat_is_arc(const sat_Curve *curve) { return curve->radius > 0; }

/* The outward normal at a place. */
static inline sat_Vec2 sat_curve_normal(const sat_Curve *curve, double t) {
  if (!sat_is_arc(curve)) return curve->normal;
  double scale = 1 / (1 + t * t);
  sat_Vec2 n = curve->ahead;
  return add(mul(n, (1 - t * t) * scale), mul(perp(n), 2 * t * scale));
}

static inline sat_Vec2 sat_curve_point(const sat_Curve *curve, double t) {
  sat_Vec2 way =
      sat_is_arc(curve) ? mul(sat_curve_normal(curve, t), curve->radius) : mul(curve->ahead, t);
  return add(curve->base, way);
}

/* The straight stretch of a rim. */
sat_Curve sat_segment_of_edge(const sat_Boundary *boundary, uint32_t boundary_edge);

/* The turn round the corner where a rim starts, which is in up to four parts; returns how many
 * there are. */
uint32_t sat_arcs_of_vertex(const sat_Boundary *boundary, uint32_t boundary_edge,
                            sat_Curve arcs[4]);

/* A stretch of an outline with what makes it. */
typedef struct sat_Candidate {
  sat_Curve curve;
  sat_Facet facet;      /* of a straight one */
  uint32_t vertex_of_a; /* of a turn */
  uint32_t owner;       /* for the caller to use */
} sat_Candidate;

/* What of a side's edges and vertices cannot be on the outline of the union, or NULL: nothing. */
typedef struct sat_HiddenFeatures {
  const bool *internal, *reflex;
} sat_HiddenFeatures;

/* Up to so many stretches come of each vertex of both sides. */
#define SAT_MAX_CANDIDATES 4

/* All stretches of an outline that may be on that of the union, in any order. Straight ones that
 * the origin is outside of are left out: they are only on the way to others that it is inside
 * of. */
uint32_t sat_candidates_of(const sat_Boundary *boundary, const sat_HiddenFeatures hidden[2],
                           sat_Candidate *candidates);

/* The others, as bits. */
typedef struct sat_ExposedFeatures {
  uint32_t edges, corners;
} sat_ExposedFeatures;

/* Which edges of two small polygons come first by angle: bit j of row i, of as many rows as A has
 * vertices, is set where edge j of B does before edge i of A, reversed; less than half a turn apart
 * they are where it matters. Once round D is a path through that table, on along B at a set bit,
 * and else to the next row: each step is a facet. False: they are not so small, or there is no such
 * path, since edges are parallel but for rounding. */
bool sat_edge_order_of(const sat_Pair *pair, uint32_t *rows);

/* The outline by that order. */
sat_Boundary sat_boundary_in_order(const sat_Pair *pair, const uint32_t *rows,
                                   sat_BoundaryEdge *boundary_edges);

/* The stretches by that order, without those that are surely farther from the origin than
 * `max_distance`. */
uint32_t sat_candidates_in_order(const sat_Pair *pair, const uint32_t *rows,
                                 const sat_ExposedFeatures exposed[2], double max_distance,
                                 sat_Candidate *candidates);

/* Where a stretch comes nearest to the origin. If it is equally near everywhere, where it comes
 * nearest to the direction `wanted`. */
double sat_curve_nearest(const sat_Curve *curve, double same, sat_Vec2 wanted);

/* Places on a turn that are nearer to each other than this, as half an angle, are one. */
#define SAME_ARC 1e-10

/* The parameter on an arc, which starts at the normal `from`, of another normal. */
static inline double arc_parameter(sat_Vec2 from, sat_Vec2 normal) {
  return cross(from, normal) / (1 + dot(from, normal));
}

#endif
