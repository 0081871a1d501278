/* configuration_space.h: a moving shape as a point, and what bars its way.
 *
 * Each pair of a convex piece of the moving shape M and one of a solid S becomes an obstacle: the
 * Minkowski difference D = { s - m }, seen from where M stood when the space was made. The shape,
 * displaced by p, overlaps the piece exactly where p is inside of D. The union of all obstacles is
 * barred, and what bounds this union stops the shape: seams between tiles, lips, corners and gaps
 * are one question, whether a facet of one obstacle is part of the union's boundary at a place.
 * Lozano-Perez, Spatial planning: a configuration space approach, 1983.
 *
 * The rounding r of a move is a length. An obstacle bars what is farther inside than r, so that a
 * gap as wide as the shape stays open; where the shape has no width along a normal, the obstacle
 * grows by a part of r instead, so that seams are closed. */
#ifndef SAT_NARROWPHASE_CONFIGURATION_SPACE_H
#define SAT_NARROWPHASE_CONFIGURATION_SPACE_H

#include "narrowphase/convex/convex_cast.h"
#include "narrowphase/convex/minkowski.h"
#include "shape/composite.h"

/* Lengths, in multiples of r. */
enum {
  /* Surfaces this near to a place count as being there, and a shorter motion is none: facets that
   * are aslant by less over their length are one, and a lip up to this height is no wall. */
  SAT_ACTIVE = 64,
  /* A facet longer than four times this goes on if it goes on as far: the sides of the notch
   * between a needle's tip and a tile go on upwards for r / tan of half its angle. */
  SAT_GOES_ON = 100000,
  /* A question about a place does not feel obstacles that are farther away. */
  SAT_FELT = 2 * SAT_GOES_ON + 80 * SAT_ACTIVE,
  /* An overlap up to this is contact. The sums of a long path and of a platform's motion stay far
   * below, and any overlap above is to be seen. */
  SAT_CONTACT = 1000
};

/* An edge of D, the radius included. `line`, `bar` and `stop` are distances along the normal: of
 * the facet itself, of what is barred, and of the place of a shape that it stops. */
typedef struct sat_ObstacleFacet {
  sat_Vec2 normal;
  double line, bar, stop;
  double low, high; /* its extent along perp(normal) */
  sat_Vec2 corner;  /* D's corner where it starts */
} sat_ObstacleFacet;

typedef struct sat_Obstacle {
  sat_Box box;           /* holds what is barred */
  uint32_t facet, count; /* the range of the facets; a D of two points has a corner and no facet */
  uint32_t solid;        /* the caller's number of the solid */
  uint32_t piece[2];     /* of the shape, and of the solid */
  bool line[2];          /* the piece of the shape, that of the solid has no inside */
  bool round;            /* has a radius, or bars as if it had one */
  bool one_sided;        /* a segment of a closed chain */
  bool has_side;         /* bars only what comes from the side that it is open on */
  bool passed;           /* bars nothing */
  double radius, bar_radius, stop_radius;
  sat_Vec2 open;  /* that side's normal, of unit length, or 0, 0 */
  double key;     /* a sum over the facets: two obstacles of one box and one key are equal; such
                   * stand in the order of their solids */
  uint64_t order; /* of the solid */
} sat_Obstacle;

/* A part of an obstacle's boundary near a place. */
typedef struct sat_Surface {
  uint32_t obstacle;
  uint32_t facet; /* in the space's list; of a round corner the facet that starts there */
  bool corner;
  bool is_gap_end; /* it goes on nowhere, but is the end of a gap */
  bool tried;      /* the caller's */
  sat_Vec2 normal;
  double outside;     /* the distance of the place */
  double back, ahead; /* how far the surface goes on */
} sat_Surface;

typedef SAT_LIST(sat_Surface) sat_Surfaces;

/* The obstacles on a straight way, in the order in which the way enters them. */
typedef struct sat_WayEntry {
  double t;
  uint32_t obstacle;
} sat_WayEntry;

typedef struct sat_Way {
  sat_Vec2 from, motion;
  double end; /* of the part of the motion that counts */
  SAT_LIST(sat_WayEntry) entries;
  double t; /* where it is barred; 1: nowhere */
  sat_Surfaces bars;
} sat_Way;

/* A way that no obstacle but perhaps one stops. */
typedef struct sat_FreeWay {
  sat_Vec2 from, motion;
  uint32_t but;
  bool is_known; /* and no obstacle has been added or passed since */
} sat_FreeWay;

typedef struct sat_Space {
  double rounding;
  sat_Status status; /* SAT_ENOMEM once a question has found no memory */
  SAT_LIST(sat_Obstacle) obstacles;
  SAT_LIST(sat_ObstacleFacet) facets;
  sat_Surfaces near; /* memory of a question */
  sat_FreeWay free;  /* the last way along a surface that none stopped */
} sat_Space;

/* The rounding of a shape with these bounds, and of its way, cut at the bounds of all that it may
 * meet: what is far away or huge is not felt. */
double sat_rounding_of_way(sat_Box own, sat_Vec2 motion, sat_Box all);

/* A space for a number of obstacles in a block of memory, with the bars of a way: its lists do not
 * grow, but answer SAT_ENOMEM. */
size_t sat_space_bytes(size_t obstacles);
void sat_space_in_block(sat_Space *space, sat_Way *way, void *block, size_t obstacles);
/* Empties the space, whose moving shape has this rounding. */
void sat_space_clear(sat_Space *space, double rounding);

/* Adds the obstacles that a solid makes within reach of a shape: those that a displacement in a box
 * may meet, but for those that one in another box may meet, which the space has. `number` is the
 * caller's of the solid, and `order` tells equal obstacles apart. */
sat_Status sat_space_add(sat_Space *space, const sat_Shape *shape, const sat_Shape *solid,
                         const sat_Box *range, const sat_Box *known, uint32_t number,
                         uint64_t order);
/* Sorts the obstacles from an index on by place, so that no answer depends on the order of adding.
 * The others keep their indices. */
void sat_space_finish(sat_Space *space, size_t first);

static inline const sat_Obstacle *sat_obstacle_of(const sat_Space *space, const sat_Surface *s) {
  return &space->obstacles.at[s->obstacle];
}

/* The parts of the shape and of a solid that an obstacle is made of. */
static inline sat_Parts sat_parts_of(const sat_Obstacle *obstacle, const sat_Shape *shape,
                                     const sat_Shape *solid) {
  return (sat_Parts){sat_part_of_piece(shape, obstacle->piece[SAT_A]),
                     sat_part_of_piece(solid, obstacle->piece[SAT_B])};
}
/* The surface with the lowest parts among those of a solid that agree with one of them. Surfaces at
 * whose end the place is, which alone would let the motion pass, are the last to count. */
const sat_Surface *sat_surface_of_lowest_parts(const sat_Space *space, const sat_Surfaces *surfaces,
                                               const sat_Surface *met, sat_Vec2 motion,
                                               const sat_Shape *shape, const sat_Shape *solid);

/* How far a place is outside of the line of a surface's facet. */
static inline double sat_surface_outside(const sat_Space *space, const sat_Surface *s, sat_Vec2 p) {
  return dot(space->facets.at[s->facet].normal, p) - space->facets.at[s->facet].line;
}

/* How deep a place is inside of what an obstacle bars; negative or 0 outside. */
double sat_obstacle_depth(const sat_Space *space, const sat_Obstacle *obstacle, sat_Vec2 p);
/* The part of a way, in fractions of its motion, that an obstacle bars. False: none. */
typedef struct sat_Chord {
  double enter, leave;
} sat_Chord;
bool sat_obstacle_chord(const sat_Space *space, const sat_Obstacle *obstacle, sat_Vec2 p,
                        sat_Vec2 motion, sat_Chord *chord);
/* Whether a motion passes an obstacle: it is passed, or open on the side that the motion is on. */
bool sat_obstacle_lets_pass(const sat_Obstacle *obstacle, sat_Vec2 motion);
/* Whether a surface stops anything: one of an obstacle that is open on one side may not. */
bool sat_surface_is_open(const sat_Space *space, const sat_Surface *surface);
/* Adds the surfaces of one obstacle, or of all that are not passed, that are no farther from a
 * place than a distance. Without memory some are missing, as the space's status tells. */
void sat_obstacle_surfaces(sat_Space *space, uint32_t index, sat_Vec2 p, double distance,
                           sat_Surfaces *found);
void sat_space_surfaces(sat_Space *space, sat_Vec2 place, double distance, sat_Surfaces *found);
/* Whether a surface is part of the union's boundary near a place: it goes on in a direction that no
 * other obstacle bars. */
bool sat_surface_is_real(sat_Space *space, const sat_Surface *surface, sat_Vec2 place);

/* Finds the obstacles on a way, on the part from one fraction of the motion to another. */
sat_Status sat_way_begin(sat_Space *space, sat_Way *way, sat_Vec2 from, sat_Vec2 motion,
                         double begin, double end);
/* Finds the first place on the way where it is barred, and the surfaces there that bar the rest of
 * it, none where the way ends in a corner without surface. Obstacles on the way may be marked as
 * passed since. */
sat_Status sat_way_find_hit(sat_Space *space, sat_Way *way);

/* The surface that a motion meets at a place: of the real ones there that it leads into the most
 * head-on, or NULL. Without memory the space's status tells. */
const sat_Surface *sat_space_surface_met(sat_Space *space, sat_Way *way, sat_Vec2 place,
                                         sat_Vec2 motion);

/* Finds the seams of obstacles, gaps of no width, that a piece without width runs along during a
 * motion from 0, 0: in the way's entries stands each obstacle of a seam, with the time at which its
 * first one begins. `solid` is the one whose obstacles the space has, if there is one alone: its
 * pieces without width meet the seams of the shape. Without memory the space's status tells. */
void sat_way_find_gaps(sat_Space *space, sat_Way *way, const sat_Shape *shape,
                       const sat_Shape *solid, sat_Vec2 motion);

/* The surface that a motion from 0, 0 touches at its end: what is barred begins within it. */
const sat_Surface *sat_space_surface_touched(sat_Space *space, sat_Way *way, sat_Vec2 motion);

/* The fraction of a way at which the shape reaches a surface itself; at most `limit`, that of the
 * hit. 0 if the gap is up to `touch`. */
double sat_surface_time(const sat_Space *space, const sat_Surface *surface, sat_Vec2 from,
                        sat_Vec2 motion, double limit, double touch);
/* The point of contact of a surface on the solid, with the shape at a place, relative to the
 * shape's origin. */
sat_Vec2 sat_surface_point(const sat_Space *space, const sat_Surface *surface, sat_Vec2 place,
                           const sat_Shape *shape, const sat_Shape *solid);
/* Notes whether the first hit of a cast so far, NULL: none, and another one are at one place with
 * two normals. With one normal the surface is real: what would hide it would be hit there, too. */
static inline void sat_note_tie(bool *is_tied, const sat_Hit *best, const sat_Hit *hit,
                                sat_Motion motion) {
  double least = SAT_ACTIVE * motion.rounding;
  if (!best) return;
  double later = (hit->t - best->t) * length(motion.vector);
  if (later < -least) *is_tied = false;
  else if (later <= least && dot(best->normal, hit->normal) < 1 - SAT_SAME_NORMAL) *is_tied = true;
}

/* Whether a hit is one of a corner on a corner, where several normals are right for the pair. */
bool sat_is_corner_hit(const sat_Pair *pair, const sat_Motion *motion, const sat_Hit *hit);

/* The most head-on of several surfaces, of equal ones the most upright, then the first by place. */
const sat_Surface *sat_most_head_on(const sat_Surfaces *surfaces, sat_Vec2 motion);
/* Whether two surfaces are those of equal obstacles: such stand behind each other in a list, and
 * all are real if one is. */
bool sat_surfaces_are_equal(const sat_Space *space, const sat_Surface *one,
                            const sat_Surface *other);
static inline bool sat_surfaces_agree(const sat_Surface *one, const sat_Surface *other) {
  return dot(one->normal, other->normal) > 0 &&
         fabs(cross(one->normal, other->normal)) <= SAT_SAME_NORMAL;
}
/* The way out of several surfaces to where each puts the shape. */
sat_Vec2 sat_surfaces_leave(const sat_Space *space, const sat_Surfaces *surfaces, sat_Vec2 p);

#endif
