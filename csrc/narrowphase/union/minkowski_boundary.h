/* minkowski_boundary.h: the boundary of a rounded Minkowski difference, as segments and arcs, and
 * the part of a curve that is inside. */
#ifndef SAT_NARROWPHASE_MINKOWSKI_BOUNDARY_H
#define SAT_NARROWPHASE_MINKOWSKI_BOUNDARY_H

#include "narrowphase/convex/minkowski.h"

/* A facet of D's core, and the corner where it starts. */
typedef struct sat_BoundaryEdge {
  sat_Vec2 start, normal;
  double separation, length;
  sat_Facet facet;
  uint32_t corner_of[2]; /* the vertices that make the start */
} sat_BoundaryEdge;

/* The boundary of the Minkowski difference of two pieces, seen from the origin. The difference of
 * two points has one edge of length 0, which stands for the one corner. */
typedef struct sat_Boundary {
  const sat_BoundaryEdge *boundary_edges;
  uint32_t count;
  double radius;
  double error_bound; /* the error bound of a distance from it */
  bool degenerate;    /* without radius and area */
  bool in_order;      /* by the order of edges: arcs are listed with the edge that ends at them */
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

/* The position of a point along an edge. */
static inline double along_boundary_edge(const sat_BoundaryEdge *boundary_edge, sat_Vec2 point) {
  return dot(perp(boundary_edge->normal), sub(point, boundary_edge->start));
}

/* The boundary of a pair's difference. `boundary_edges` has room for as many edges as both sides
 * have vertices. */
sat_Boundary sat_boundary_of(const sat_Pair *pair, sat_BoundaryEdge *boundary_edges);

/* The signed distance of a point from D; negative inside. Outside of a D without radius it is the
 * largest separation, which is less beside a corner, and above `enough` it need not be exact. */
double sat_boundary_signed_distance(const sat_Boundary *boundary, sat_Vec2 point, double enough);

/* A segment of a boundary, or an arc of at most a quarter turn about a corner. The distance from
 * the origin has one minimum along a curve. A parameter on a curve is the length from the start, or
 * the tangent of half the angle. */
typedef struct sat_Curve {
  sat_Vec2 base;   /* the start; of an arc the centre */
  sat_Vec2 ahead;  /* the direction of unit length; of an arc the normal where it starts */
  sat_Vec2 normal; /* of a segment */
  double radius;   /* of an arc; 0 for a segment */
  double end;
} sat_Curve;

static inline bool sat_is_arc(const sat_Curve *curve) { return curve->radius > 0; }

/* The outward normal at a parameter. */
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

/* The segment of an edge. */
sat_Curve sat_segment_of_edge(const sat_Boundary *boundary, uint32_t boundary_edge);

/* The up to four arcs about the corner where an edge starts; returns their number. */
uint32_t sat_arcs_of_vertex(const sat_Boundary *boundary, uint32_t boundary_edge,
                            sat_Curve arcs[4]);

/* A curve of a boundary with the features that make it. */
typedef struct sat_Candidate {
  sat_Curve curve;
  sat_Facet facet;      /* of a segment; that which starts at the corner of an arc */
  uint32_t vertex_of_a; /* of an arc */
  uint32_t owner;       /* for the caller to use */
} sat_Candidate;

/* The edges and vertices of one side that cannot be on the boundary of the union, or NULL: none. */
typedef struct sat_HiddenFeatures {
  const bool *internal, *reflex;
} sat_HiddenFeatures;

/* The greatest number of candidates for each vertex of both sides. */
#define SAT_MAX_CANDIDATES 4

/* All curves of a boundary that may be on the boundary of the union, without those that are surely
 * farther from the origin than `max_distance`, and segments that the origin is outside of: a
 * shortest translation never ends on them. */
uint32_t sat_candidates_of(const sat_Boundary *boundary, const sat_HiddenFeatures hidden[2],
                           double max_distance, sat_Candidate *candidates);

/* The edges and vertices that may be on the boundary of the union, as bits. */
typedef struct sat_ExposedFeatures {
  uint32_t edges, corners;
} sat_ExposedFeatures;

/* The parameter where a curve comes nearest to the origin. An arc that is equally near everywhere
 * gives the parameter nearest to the direction `wanted`. */
double sat_curve_nearest(const sat_Curve *curve, double same, sat_Vec2 wanted);

/* The parameter on an arc, which starts at the normal `from`, of another normal. */
static inline double arc_parameter(sat_Vec2 from, sat_Vec2 normal) {
  return cross(from, normal) / (1 + dot(from, normal));
}

/* ---------------------------------------------------------------- what a boundary covers */

/* A parameter and its error bound. */
typedef struct sat_Parameter {
  double t, error;
} sat_Parameter;

/* Whether a parameter is inside D beyond rounding; if so, gives the exits backward and forward,
 * which may be beyond the curve. */
bool sat_boundary_contains_parameter(const sat_Boundary *boundary, const sat_Curve *curve, double t,
                                     sat_Parameter exits[2]);

/* The directions from a point of D's boundary that lead into D, from the first to the last in the
 * order of positive area, which are of unit length and no more than half a turn apart. Straight
 * edges belong to D, as closed ends. */
typedef struct sat_Wedge {
  sat_Vec2 from, to;
  bool closed[2];
} sat_Wedge;

/* The wedge at a point. False: the point is farther from D's boundary than `error_bound`, which
 * should be the same for all differences at a point, so that they agree on the lines that the point
 * is on. */
bool sat_boundary_wedge(const sat_Boundary *boundary, sat_Vec2 point, double error_bound,
                        sat_Wedge *wedge);

/* Whether a direction of unit length leads into D; `start` is set where it leads along D's boundary
 * at the wedge's start. Directions at an angle of at most `same_sine` are the same. */
bool sat_wedge_holds(const sat_Wedge *wedge, sat_Vec2 direction, double same_sine, bool *start);

/* The next crossing of a curve with the boundary, forward or backward, by more than the rounding
 * error after a parameter; no crossing is passed over. Infinite: none. */
double sat_boundary_next_crossing(const sat_Boundary *boundary, const sat_Curve *curve,
                                  bool forward, double after);

/* The edges of a boundary that are near a box, as a boundary that has the same points inside within
 * the box. False: there are none, so that the box is inside or outside as a whole. `room` has place
 * for as many edges as the boundary has. O(log n + k) with k edges near the box. */
bool sat_boundary_subset(const sat_Boundary *boundary, const sat_Box *box, sat_BoundaryEdge *room,
                         sat_Boundary *subset);

#endif
