/* minkowski_boundary.h: the outline of a Minkowski difference with its radius, as straight and
 * round stretches, and what of a stretch is inside of another difference. */
#ifndef SAT_NARROWPHASE_MINKOWSKI_BOUNDARY_H
#define SAT_NARROWPHASE_MINKOWSKI_BOUNDARY_H

#include "narrowphase/minkowski.h"

/* A facet of D's core, and the corner where it starts. */
typedef struct sat_Rim {
  sat_Vec2 start, normal;
  double gap, length;
  sat_Facet facet;
  uint32_t corner_of[2]; /* the vertices that make the start */
} sat_Rim;

/* The Minkowski difference of two pieces, seen from the origin. Two points have a rim of no length,
 * which stands for their one corner. */
typedef struct sat_Outline {
  const sat_Rim *rims;
  uint32_t count;
  double radius;
  double slack; /* what a distance from it may be wrong by */
  bool hollow;  /* without radius and area */
} sat_Outline;

static inline double sat_outline_slack(const sat_Pair *pair) {
  return pair->slack + SAT_GAP_ROUNDING * pair->radius;
}

/* The outline of a pair's difference. `rims` has place for as many as both sides have vertices. */
sat_Outline sat_outline_of(const sat_Pair *pair, sat_Rim *rims);

/* How far outside of D a point is; negative inside. More than `enough` need not be exact. */
double sat_outline_excess(const sat_Outline *outline, sat_Vec2 point, double enough);

/* A part of an outline: straight, or a turn of at most a quarter round a corner. From where it is
 * nearest to the origin it leads only away, both ways. A place on it is how far it is from the
 * start: as a length, or as the tangent of half the angle. */
typedef struct sat_Stretch {
  sat_Vec2 base;   /* the start; of a turn its centre */
  sat_Vec2 ahead;  /* the direction of unit length; of a turn the normal where it starts */
  sat_Vec2 normal; /* of a straight one */
  double radius;   /* of a turn; 0 for a straight one */
  double end;
} sat_Stretch;

static inline bool sat_is_turn(const sat_Stretch *stretch) { return stretch->radius > 0; }

/* The outward normal at a place. */
static inline sat_Vec2 sat_stretch_normal(const sat_Stretch *stretch, double t) {
  if (!sat_is_turn(stretch)) return stretch->normal;
  double scale = 1 / (1 + t * t);
  sat_Vec2 n = stretch->ahead;
  return add(mul(n, (1 - t * t) * scale), mul(perp(n), 2 * t * scale));
}

static inline sat_Vec2 sat_stretch_at(const sat_Stretch *stretch, double t) {
  sat_Vec2 way = sat_is_turn(stretch) ? mul(sat_stretch_normal(stretch, t), stretch->radius)
                                      : mul(stretch->ahead, t);
  return add(stretch->base, way);
}

/* The straight stretch of a rim. */
sat_Stretch sat_straight_of(const sat_Outline *outline, uint32_t rim);

/* The turn round the corner where a rim starts, which is in up to four parts; returns how many
 * there are. */
uint32_t sat_turns_of(const sat_Outline *outline, uint32_t rim, sat_Stretch turns[4]);

/* A stretch of an outline with what makes it. */
typedef struct sat_Strip {
  sat_Stretch stretch;
  sat_Facet facet;      /* of a straight one */
  uint32_t vertex_of_a; /* of a turn */
  uint32_t owner;       /* for the caller to use */
} sat_Strip;

/* What of a side's edges and vertices cannot be on the outline of the union, or NULL: nothing. */
typedef struct sat_Hidden {
  const bool *inner, *buried;
} sat_Hidden;

/* Up to so many stretches come of each vertex of both sides. */
#define SAT_MOST_STRIPS 4

/* All stretches of an outline that may be on that of the union, in any order. Straight ones that
 * the origin is outside of are left out: they are only on the way to others that it is inside
 * of. */
uint32_t sat_strips_of(const sat_Outline *outline, const sat_Hidden hidden[2], sat_Strip *strips);

/* The others, as bits. */
typedef struct sat_Shown {
  uint32_t edges, corners;
} sat_Shown;

/* Which edges of two small polygons come first by angle: bit j of row i, of as many rows as A has
 * vertices, is set where edge j of B does before edge i of A, reversed; less than half a turn apart
 * they are where it matters. Once round D is a path through that table, on along B at a set bit,
 * and else to the next row: each step is a facet. False: they are not so small, or there is no such
 * path, since edges are parallel but for rounding. */
bool sat_order_of(const sat_Pair *pair, uint32_t *rows);

/* The outline by that order. */
sat_Outline sat_outline_in_order(const sat_Pair *pair, const uint32_t *rows, sat_Rim *rims);

/* The stretches by that order, without those that are surely farther from the origin than
 * `reach`. */
uint32_t sat_strips_in_order(const sat_Pair *pair, const uint32_t *rows, const sat_Shown shown[2],
                             double reach, sat_Strip *strips);

/* Where a stretch comes nearest to the origin. If it is equally near everywhere, where it comes
 * nearest to the direction `wanted`. */
double sat_stretch_nearest(const sat_Stretch *stretch, double same, sat_Vec2 wanted);

/* A place, and what rounding may have moved it by. */
typedef struct sat_Place {
  double t, pad;
} sat_Place;

/* Whether what follows a place on a stretch, forward or backward, is inside of D, closed, and if so
 * moves the place to where it no longer is, or beyond the end. A part that is not wider than
 * rounding counts as inside, and so does what D abuts on from outside. */
bool sat_outline_covers(const sat_Outline *outline, const sat_Stretch *stretch, bool forward,
                        sat_Place *place);

/* Whether a place is inside of D beyond rounding; if so, gives the places back and ahead where it
 * ends, which may be beyond the stretch. */
bool sat_outline_holds(const sat_Outline *outline, const sat_Stretch *stretch, double t,
                       sat_Place exits[2]);

/* The directions from a point of D's outline that lead into D, from the first to the last in the
 * order of positive area, which are of unit length and no more than half a turn apart. Straight
 * edges belong to D, as closed ends. */
typedef struct sat_Wedge {
  sat_Vec2 from, to;
  bool closed[2];
} sat_Wedge;

/* The wedge at a point. False: the point is farther from D's outline than `slack`, which should be
 * the same for all that are asked about a point, so that they agree on which lines it is. */
bool sat_outline_wedge(const sat_Outline *outline, sat_Vec2 point, double slack, sat_Wedge *wedge);

/* Whether a direction of unit length leads into D; `start` is set where it leads along D's
 * outline at the wedge's start. */
bool sat_wedge_holds(const sat_Wedge *wedge, sat_Vec2 direction, bool *start);

/* Whether all of a stretch is inside of D beyond rounding; false may mean that it is hard to
 * tell. */
bool sat_outline_swallows(const sat_Outline *outline, const sat_Stretch *stretch);

/* A place behind another on a stretch, by more than a hair, where it meets the outline; no place
 * where it does is passed over. HUGE_VAL: none. */
double sat_outline_next(const sat_Outline *outline, const sat_Stretch *stretch, double after);

/* Whether a point is inside of D or not farther from it than rounding. */
bool sat_outline_is_near(const sat_Outline *outline, sat_Vec2 point);

#endif
