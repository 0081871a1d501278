/* minkowski.h: the Minkowski difference of two convex shapes, which answers every question of the
 * narrow phase.
 *
 * D = { b - a : a in A, b in B } is a convex polygon, perhaps flat. Its facets are the edges of B
 * and those of A, reversed, merged by angle; the outward normals of D are therefore all the axes of
 * the separating axis theorem. A and B share a point exactly where D holds the origin. A
 * translation of A by m moves the origin, seen from D, to m. So the minimum translation vector is
 * the point of D's boundary closest to the origin, the distance is the origin's distance from D,
 * and a cast of A is a ray from the origin. Radii are added up and grow D in every direction. de
 * Berg et al., Computational Geometry, 3rd ed., ch. 13.3. */
#ifndef SAT_NARROWPHASE_MINKOWSKI_H
#define SAT_NARROWPHASE_MINKOWSKI_H

#include "base/double2.h"
#include "shape/convex.h"

/* Two convex sets. `origin_offset[side]` leads from that side's origin to the other's: subtracting
 * the origins first keeps all digits however far from 0, 0 the two are. */
typedef struct sat_Pair {
  sat_Convex of[2];
  sat_Vec2 origin_offset[2];
  double radius;      /* both together */
  double error_bound; /* a computed separation beyond this has the sign of the exact one */
} sat_Pair;

/* An edge of D: edge `edge` of one side against vertex `vertex` of the other, which is the other's
 * extreme one there. */
typedef struct sat_Facet {
  double separation; /* how far outside of it the origin is; negative inside */
  uint32_t side, edge;
  uint32_t vertex; /* SAT_NO_VERTEX: not computed yet */
} sat_Facet;
#define SAT_NO_VERTEX UINT32_MAX

/* The point of D's boundary that is closest to an origin outside of D. */
typedef struct sat_ClosestFeature {
  sat_Facet facet;       /* the point is on this one, */
  double t;              /* this far along it, 0 to 1 */
  bool corner;           /* at an end of it, */
  uint32_t vertex_of[2]; /* which is made of these vertices */
  double distance;
  sat_Vec2 normal; /* of unit length, from there to the origin; 0, 0 for a corner at the origin */
} sat_ClosestFeature;

static inline sat_Pair sat_pair_make(sat_Convex a, sat_Convex b, double l1_bounds, double radius) {
  sat_Vec2 origin_offset = sub(b.origin, a.origin);
  double error_bound =
      SAT_SEPARATION_ROUNDING * (fabs(origin_offset.x) + fabs(origin_offset.y) + l1_bounds);
  return (sat_Pair){{a, b}, {origin_offset, neg(origin_offset)}, radius, error_bound};
}

/* The vertex of D that two vertices make. */
static inline sat_Vec2 corner_of(const sat_Pair *pair, uint32_t a, uint32_t b) {
  sat_Vec2 of_a = pair->of[SAT_A].vertex[a], of_b = pair->of[SAT_B].vertex[b];
  return add(pair->origin_offset[SAT_A], sub(of_b, of_a));
}

/* The facet's outward normal on D. An edge of A bounds D from the other side. */
static inline sat_Vec2 facet_normal(const sat_Pair *pair, const sat_Facet *facet) {
  sat_Vec2 normal = normal_of(pair->of[facet->side].edges, facet->edge);
  return facet->side == SAT_B ? normal : neg(normal);
}

/* The separation of an edge of one side from the other side's origin. */
static inline double sat_origin_separation(const sat_Pair *pair, uint32_t side, uint32_t edge) {
  const sat_Edges *edges = pair->of[side].edges;
  return dot(normal_of(edges, edge), pair->origin_offset[side]) - offset_of(edges, edge);
}

/* The facet of an edge of one side and a vertex of the other side, which is the extreme one
 * there. */
static inline sat_Facet sat_facet_at(const sat_Pair *pair, uint32_t side, uint32_t edge,
                                     uint32_t vertex) {
  sat_Vec2 normal = normal_of(pair->of[side].edges, edge);
  double separation =
      sat_origin_separation(pair, side, edge) + dot(normal, pair->of[!side].vertex[vertex]);
  return (sat_Facet){separation, side, edge, vertex};
}

/* The facet's two ends, in the order of positive area, as vertices of A and B. */
static inline void sat_facet_ends(const sat_Pair *pair, const sat_Facet *facet, uint32_t from[2],
                                  uint32_t to[2]) {
  from[facet->side] = facet->edge;
  to[facet->side] = next_index(&pair->of[facet->side], facet->edge);
  from[!facet->side] = to[!facet->side] = facet->vertex;
}

/* D's corners at the facet's two ends. */
static inline sat_Vec2 sat_facet_start(const sat_Pair *pair, const sat_Facet *facet) {
  uint32_t from[2], to[2];
  sat_facet_ends(pair, facet, from, to);
  return corner_of(pair, from[SAT_A], from[SAT_B]);
}
static inline sat_Vec2 sat_facet_stop(const sat_Pair *pair, const sat_Facet *facet) {
  uint32_t from[2], to[2];
  sat_facet_ends(pair, facet, from, to);
  return corner_of(pair, to[SAT_A], to[SAT_B]);
}

/* Edges that are no longer than this many error bounds may have been turned away from their normals
 * by more than SAT_SAME_DIRECTION. */
#define SAT_SHORT_EDGE 0x1p40
/* The part of such an edge that runs along the hull. */
sat_Vec2 sat_edge_along_hull(const sat_Convex *convex, uint32_t index, sat_Vec2 edge);

/* The vector from a facet's start to its stop, by the edge's own vertices: D's corners are sums,
 * which far from the origin may round to one point. Where rounding has turned a short edge away
 * from its normal, which is that of the hull's edge there, the vector is the part that runs along
 * the hull. A's edges are walked reversed. */
static inline sat_Vec2 sat_facet_edge(const sat_Pair *pair, uint32_t side, uint32_t edge) {
  const sat_Convex *own = &pair->of[side];
  sat_Vec2 along = sub(own->vertex[next_index(own, edge)], own->vertex[edge]);
  if (fabs(along.x) + fabs(along.y) < pair->error_bound * SAT_SHORT_EDGE)
    along = sat_edge_along_hull(own, edge, along);
  return side == SAT_B ? along : neg(along);
}

/* The facet's separation, with the exact sign where rounding leaves it open: an exact touch has a
 * separation of exactly 0. */
double sat_exact_separation(const sat_Pair *pair, const sat_Facet *facet);

/* The facet of one edge, with its vertex. */
sat_Facet sat_facet_of(const sat_Pair *pair, uint32_t side, uint32_t edge);

/* Whether D is a segment or a point, exactly, so that facets alone cannot tell how far along it the
 * origin is. */
bool sat_lines_are_flat(const sat_Pair *pair);
static inline bool sat_is_flat(const sat_Pair *pair) {
  return pair->of[SAT_A].count <= 2 && pair->of[SAT_B].count <= 2 && sat_lines_are_flat(pair);
}

/* Whether a flat D whose facets all have separation 0 contains the origin, exactly. */
bool sat_flat_contains_origin(const sat_Pair *pair);

/* The closest feature, by a walk along the boundary from a facet (whose vertex may be
 * SAT_NO_VERTEX) that the origin is outside of or on. O(n + m), and a few steps from the facet of
 * maximum separation, unless the origin is on that facet's line beside the facet. NULL as the
 * facet: D is that of two points. */
sat_ClosestFeature sat_closest_feature_from(const sat_Pair *pair, const sat_Facet *start);

/* The point of one side that makes the closest point of D, in the world, without the radius. */
sat_Vec2 sat_closest_witness(const sat_Pair *pair, const sat_ClosestFeature *closest,
                             uint32_t side);

/* A walk around D, over every facet in the order of positive area.
 *   sat_Walk walk = sat_walk_begin(pair);
 *   while (sat_walk_next(&walk, &facet)) ... */
typedef struct sat_Walk {
  const sat_Pair *pair;
  uint32_t at[2], left[2]; /* the corner that is reached; edges not yet walked */
  sat_Vec2 along;          /* from the last facet's start to its stop */
  sat_Vec2 next[2];        /* the same of the edges that are reached */
} sat_Walk;
sat_Walk sat_walk_begin(const sat_Pair *pair);

/* The first or the last by angle of two edges, one of each side, both at most half a turn from the
 * direction `along`. */
SAT_INLINE uint32_t sat_pick_by_angle(sat_Vec2 of_a, sat_Vec2 of_b, sat_Vec2 along, bool last) {
  /* The cross product does not order two edges that are back to back, or nearly so; the edge that
   * leads ahead comes first. */
  bool a_ahead = dot(along, of_a) > 0, b_ahead = dot(along, of_b) > 0;
  if (a_ahead != b_ahead) {
    sat_Vec2 behind = a_ahead ? of_b : of_a; /* an edge without length comes at once */
    return (behind.x == 0 && behind.y == 0) == a_ahead ? SAT_B : SAT_A;
  }
  double arc = cross(of_b, of_a);
  if (arc == 0) return dot(of_a, of_a) == 0 ? SAT_A : SAT_B;
  return (arc > 0) != last ? SAT_B : SAT_A;
}

SAT_INLINE bool sat_walk_next(sat_Walk *walk, sat_Facet *facet) {
  if (walk->left[0] + walk->left[1] == 0) return false;
  uint32_t side = walk->left[SAT_A] > 0 ? SAT_A : SAT_B;
  if (walk->left[!side] > 0)
    side = sat_pick_by_angle(walk->next[SAT_A], walk->next[SAT_B], walk->along, false);
  bool melted = walk->next[side].x == 0 && walk->next[side].y == 0;
  *facet = melted ? sat_facet_of(walk->pair, side, walk->at[side])
                  : sat_facet_at(walk->pair, side, walk->at[side], walk->at[!side]);
  if (!melted) walk->along = walk->next[side];
  walk->at[side] = next_index(&walk->pair->of[side], walk->at[side]);
  walk->left[side]--;
  if (walk->left[side] > 0) walk->next[side] = sat_facet_edge(walk->pair, side, walk->at[side]);
  return true;
}

/* ---------------------------------------------------------------- upright boxes */

/* Whether a convex set is a box whose sides, and their normals, are parallel to the axes; and a
 * quick test that those at no such angle fail. */
bool sat_is_upright(const sat_Convex *convex);
SAT_INLINE bool sat_may_be_upright(const sat_Convex *convex) {
  return convex->edges->x[0] * convex->edges->y[0] == 0;
}

/* The sides of an upright box, towards smaller x, smaller y, larger x and larger y: their places
 * from the box's origin, and the one that is its first edge. */
typedef struct sat_UprightSides {
  const double *at;
  uint32_t first;
} sat_UprightSides;

SAT_INLINE sat_UprightSides sat_sides_of_shape(const sat_Shape *box) {
  return (sat_UprightSides){(const void *)&box->box, box->flags / SAT_FIRST_SIDE & 3};
}

/* The sides of a convex set that sat_is_upright, which are stored in `box`. */
SAT_INLINE sat_UprightSides sat_sides_of(const sat_Convex *convex, sat_Box *box) {
  sat_Vec2 normal = normal_of(convex->edges, 0);
  double2 corner = double2_load(&convex->vertex[0]), opposite = double2_load(&convex->vertex[2]);
  double2_store(&box->min, double2_min(corner, opposite));
  double2_store(&box->max, double2_max(corner, opposite));
  return (sat_UprightSides){(const void *)box,
                            (normal.y != 0) + 2 * (uint32_t)(normal.x + normal.y > 0)};
}

/* The facet of maximum separation of two upright boxes, with the bits of the search. False:
 * rounding may decide, or another axis is as near but for `tie`. */
bool sat_find_upright_facet(const sat_Pair *pair, double tie, sat_Facet *facet);

/* The same of an upright box and a point outside, and the point of D's boundary closest to the
 * origin. */
bool sat_find_upright_closest(const sat_Pair *pair, sat_Facet *max_facet,
                              sat_ClosestFeature *closest);

#endif
