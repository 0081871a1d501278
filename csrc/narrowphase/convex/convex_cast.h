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

static inline double sat_along_axis(const sat_Vec2 *v, uint32_t axis) { return axis ? v->y : v->x; }

/* The edge of an upright box that faces the way of a motion along an axis, or the way back. */
static inline uint32_t sat_upright_edge(const sat_Convex *box, uint32_t axis, sat_Vec2 motion,
                                        bool back) {
  const double *normal = axis ? box->edges->y : box->edges->x;
  uint32_t edge = normal[0] == 0;
  return (normal[edge] * sat_along_axis(&motion, axis) > 0) != back ? edge : edge + 2;
}

/* The normal of that edge in the way back, as sat_outward_of computes it. */
static inline sat_Vec2 sat_upright_normal(uint32_t axis, sat_Vec2 motion) {
  double back = sat_along_axis(&motion, axis) > 0 ? -1 : 1;
  return axis ? vec2(0, back) : vec2(back, -0.0);
}

/* Where a ray from the origin enters a box whose sides are parallel to the axes, moved by `offset`:
 * `*axis` is 0 or 1 for the pair of sides which it gets between last, at the time `*t`. `sure` is a
 * length that is surely more than rounding, `hair` the same as a cross product with the motion.
 * A ray that comes within rounding of what decides is left undecided, and so is one that starts
 * between those sides. Both axes are computed at once, without a branch. */
SAT_INLINE sat_Verdict sat_enter_box(sat_Vec2 offset, double2 low, double2 high, sat_Vec2 motion,
                                     double sure, double hair, uint32_t *axis, double *t) {
  low = double2_add(double2_of(offset.x, offset.y), low);
  high = double2_add(double2_of(offset.x, offset.y), high);
  double2 way = double2_of(motion.x, motion.y), speed = double2_max(way, double2_neg(way)),
          half = double2_of(0.5, 0.5);
  double2 entry = double2_min(double2_div(low, way), double2_div(high, way)),
          along = double2_min(double2_mul(low, way), double2_mul(high, way)),
          place = double2_mul(double2_across(way, way), entry), /* along the other axis */
      inside = double2_min(double2_sub(place, double2_across(low, low)),
                           double2_sub(double2_across(high, high), place)),
          least = double2_min(double2_mul(double2_sub(high, low), half),
                              double2_min(double2_mul(entry, speed), speed));
  double of_entry[2], of_inside[2], of_least[2], of_along[2];
  double2_store_pair(of_entry, entry);
  double2_store_pair(of_inside, double2_mul(inside, speed));
  double2_store_pair(of_least, least);
  double2_store_pair(of_along, along);
  uint32_t k = *axis = of_entry[1] > of_entry[0];
  /* not before the nearest corner */
  *t = max2(of_entry[k], (of_along[0] + of_along[1]) / dot(motion, motion));
  if (!(of_least[k] >= sure) || !(fabs(of_inside[k]) >= hair)) return SAT_UNDECIDED;
  return of_inside[k] < 0 || *t > 1 ? SAT_SEPARATE : SAT_OVERLAP;
}

/* Two opposite sides of an upright box, as its vertices tell. */
SAT_INLINE double2 sat_low_corner(const sat_Convex *box) {
  return double2_min(double2_load(&box->vertex[0]), double2_load(&box->vertex[2]));
}
SAT_INLINE double2 sat_high_corner(const sat_Convex *box) {
  return double2_max(double2_load(&box->vertex[0]), double2_load(&box->vertex[2]));
}

/* Answers about a shape of one piece with the bits of sat_convex_cast of a point: SAT_OVERLAP for a
 * hit. A ray that starts within rounding of the shape's boundary, passes a corner or an end within
 * rounding, or runs along a side is left undecided. */
sat_Verdict sat_ray_at_shape(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 motion, sat_Hit *hit);
/* The same about the cast of a circle or a point at one, or at a segment or a capsule. */
sat_Verdict sat_circle_cast(const sat_Shape *a, const sat_Motion *motion, const sat_Shape *b,
                            sat_Hit *hit);
/* The same about a piece that is in no chain, with the rounding of the cast. A ray that starts
 * inside, or hits an internal edge, is left undecided, too. */
sat_Verdict sat_ray_at_piece(const sat_PieceView *view, const sat_Piece *piece, sat_Vec2 from,
                             const sat_Motion *motion, sat_Hit *hit);

/* The same about the cast of a pair of polygons without a radius. `pieces` is NULL or the pieces
 * that the two are, in no chain: an internal edge is left undecided. */
sat_Verdict sat_polygon_sweep(const sat_Pair *pair, const sat_PiecePair *pieces,
                              const sat_Motion *motion, sat_Hit *hit);
/* The same about two upright boxes, wherever they start. */
sat_Verdict sat_upright_sweep(const sat_Shape *a, const sat_Motion *motion, const sat_Shape *b,
                              sat_Hit *hit);

#endif
