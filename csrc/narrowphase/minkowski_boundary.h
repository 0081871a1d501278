/* minkowski_boundary.h: the outline of a Minkowski difference with its radius, as straight and
 * round stretches, and what of a stretch is inside of another difference. */
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

/* A place, and what rounding may have moved it by. */
typedef struct sat_Parameter {
  double t, error;
} sat_Parameter;

/* Whether what follows a place on a stretch, forward or backward, is inside of D, closed, and if so
 * moves the place to where it no longer is, or beyond the end. A part that is not wider than
 * rounding counts as inside, and so does what D abuts on from outside. */
bool sat_boundary_covers_parameter(const sat_Boundary *boundary, const sat_Curve *curve,
                                   bool forward, sat_Parameter *parameter);

/* Whether a place is inside of D beyond rounding; if so, gives the places back and ahead where it
 * ends, which may be beyond the stretch. */
bool sat_boundary_contains_parameter(const sat_Boundary *boundary, const sat_Curve *curve, double t,
                                     sat_Parameter exits[2]);

/* The directions from a point of D's outline that lead into D, from the first to the last in the
 * order of positive area, which are of unit length and no more than half a turn apart. Straight
 * edges belong to D, as closed ends. */
typedef struct sat_Wedge {
  sat_Vec2 from, to;
  bool closed[2];
} sat_Wedge;

/* The wedge at a point. False: the point is farther from D's outline than `error_bound`, which
 * should be the same for all that are asked about a point, so that they agree on which lines it
 * is. */
bool sat_boundary_wedge(const sat_Boundary *boundary, sat_Vec2 point, double error_bound,
                        sat_Wedge *wedge);

/* Whether a direction of unit length leads into D; `start` is set where it leads along D's
 * outline at the wedge's start. */
bool sat_wedge_holds(const sat_Wedge *wedge, sat_Vec2 direction, bool *start);

/* Whether all of a stretch is inside of D beyond rounding; false may mean that it is hard to
 * tell. */
bool sat_boundary_contains_curve(const sat_Boundary *boundary, const sat_Curve *curve);

/* A place behind another on a stretch, by more than a hair, where it meets the outline; no place
 * where it does is passed over. HUGE_VAL: none. */
double sat_boundary_next_crossing(const sat_Boundary *boundary, const sat_Curve *curve,
                                  double after);

/* Whether a point is inside of D or not farther from it than rounding. */
bool sat_boundary_is_near(const sat_Boundary *boundary, sat_Vec2 point);

#endif
