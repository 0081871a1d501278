/* convex_cast.h: a moving convex set or a ray against another one: the time, the normal and the
 * point of the first contact. */
#ifndef SAT_NARROWPHASE_CONVEX_CAST_H
#define SAT_NARROWPHASE_CONVEX_CAST_H

#include "base/double2.h"
#include "narrowphase/composite/chain_neighbors.h"
#include "narrowphase/convex/simd/fast_path.h"

/* Whether the facets of two small polygons show that the two overlap by less than that, if at
 * all. */
bool sat_overlap_is_rounding(const sat_Pair *pair, double rounding);

/* How A moves, and what is rounding to it. */
typedef struct sat_Motion {
  sat_Vec2 vector;
  double rounding;   /* see sat_touch_rounding */
  bool leaves_point; /* a hit's point is left to sat_convex_cast_point */
  bool by_all;       /* all facets and corners are looked at; tests compare the shortcuts with it */
} sat_Motion;

/* A vector at unit length; 0, 0 stays. */
static inline sat_Vec2 sat_unit(sat_Vec2 v) {
  double size = square_root(dot(v, v));
  return size > 0 ? vec2(v.x / size, v.y / size) : v;
}

/* Whether a motion leads further in, `out` being the normal of the way out. */
bool sat_leads_deeper(sat_Vec2 motion, sat_Vec2 out);

/* The outward normal of an edge, not of unit length, so that its products are exact for whole
 * numbers. Parallel to an axis it is of unit length: the quotients are the same then for edges of
 * all lengths in one line. */
static inline sat_Vec2 sat_outward_of(sat_Vec2 edge) {
  double size = fabs(edge.x) + fabs(edge.y);
  if ((edge.x == 0) != (edge.y == 0)) edge = vec2(edge.x / size, edge.y / size);
  return neg(perp(edge));
}

/* Whether rounding may have turned an edge away from its normal. */
static inline bool sat_is_turned(sat_Vec2 along, sat_Vec2 normal) {
  double off = dot(along, normal);
  return off * off > SAT_SAME_DIRECTION * SAT_SAME_DIRECTION * dot(along, along);
}

/* Casts a pair that overlaps by no more than rounding. A pair that touches is a hit at t = 0 if the
 * motion leads in. `pieces` is NULL or the pieces that the two convex sets are: an internal edge
 * gives no normal where it shares a corner with others, and neither a chain's inner vertex nor its
 * closed side is a hit. */
sat_Status sat_convex_cast(const sat_Pair *given, const sat_PiecePair *pieces, sat_Motion motion,
                           const double radius[2], sat_Hit *hit);
/* The places beside the line of a motion where a pair without a hit has D, if a side of it is a
 * point or a segment that moves along itself. An edge of D along the line, within rounding, is on a
 * hand: with one on the other hand, too, that is a seam. A D that the line meets at all may be part
 * of the surface where something else is hit. */
enum { SAT_ON_RIGHT = 1, SAT_ON_LEFT = 2, SAT_ON_BOTH_HANDS = 3, SAT_ON_LINE = 4 };
uint32_t sat_places_beside_way(const sat_Pair *pair, const double radius[2], sat_Motion motion);
/* Computes the point of a hit of that cast. */
void sat_convex_cast_point(const sat_Pair *given, const sat_PiecePair *pieces, sat_Motion motion,
                           const double radius[2], sat_Hit *hit);

/* ---------------------------------------------------------------- closed forms */

/* The sides of an upright box, towards smaller x, smaller y, larger x and larger y: their places
 * from the box's origin, and the one that is its first edge. */
typedef struct sat_UprightSides {
  const double *at;
  uint32_t first;
} sat_UprightSides;

SAT_INLINE sat_UprightSides sat_sides_of_shape(const sat_Shape *box) {
  return (sat_UprightSides){(const void *)&box->box, box->flags / SAT_FIRST_SIDE & 3};
}

/* Answers about a shape of one piece with the bits of sat_convex_cast of a point: SAT_OVERLAP for a
 * hit. A ray that starts within rounding of the shape's boundary, passes a corner or an end within
 * rounding, or runs along a side is left undecided. */
sat_Verdict sat_ray_at_shape(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 motion, sat_Hit *hit);
/* The same about the cast of a circle or a point at one, or at a segment or a capsule; one that
 * starts inside is left undecided. */
sat_Verdict sat_circle_cast(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, sat_Hit *hit);
/* The same about a piece that is in no chain, with the rounding of the cast. A ray that starts
 * inside, or hits an internal edge, is left undecided, too. */
sat_Verdict sat_ray_at_piece(const sat_PieceView *view, const sat_Piece *piece, sat_Vec2 from,
                             const sat_Motion *motion, sat_Hit *hit);

/* The same about the cast of a pair of polygons without a radius. `pieces` is NULL or the pieces
 * that the two are, in no chain: an internal edge is left undecided. */
sat_Verdict sat_polygon_sweep(const sat_Pair *pair, const sat_PiecePair *pieces,
                              const sat_Motion *motion, sat_Hit *hit);
/* The same about two upright boxes, wherever they start. `at_corner`: the hit may be one that
 * sat_is_corner_hit. */
sat_Verdict sat_boxes_cast(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, bool *at_corner,
                           sat_Hit *hit);
/* The same about a ray at an upright box, with its edge. */
sat_Verdict sat_ray_at_box(sat_UprightSides box, sat_Vec2 origin, sat_Vec2 from, sat_Vec2 motion,
                           double rounding, uint32_t *edge, sat_Hit *hit);

#endif
