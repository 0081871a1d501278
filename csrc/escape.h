/* escape.h: the shortest way out of a body of many convex pieces.
 *
 * Moving A by m moves the origin, seen from the Minkowski differences of all pairs of pieces, to m.
 * The two bodies overlap while it is inside of any of them; so the minimum translation vector of
 * the two is the shortest that leads out of the union of all. */
#ifndef SAT_ESCAPE_H
#define SAT_ESCAPE_H

#include "minkowski.h"

/* A convex piece of a body, relative to the body's origin. */
typedef struct sat_Piece {
  const sat_Vec2 *vertex;
  const sat_Edges *edges;
  const bool *inner; /* of each edge: other pieces share all of it; NULL if none does */
  uint32_t count;
  double radius;
  double extent; /* at least |x| + |y| of every vertex */
  sat_Box box;   /* of the vertices, without the radius */
} sat_Piece;

/* A rigid body of one or more pieces, which may lie apart, abut or overlap. */
typedef struct sat_Body {
  const sat_Piece *pieces;
  uint32_t count;
  sat_Vec2 origin; /* in the world; a move changes nothing else */
  sat_Vec2 hub;    /* the centroid, relative to the origin */
  sat_Box box;     /* of all pieces, with their radii, relative to the origin */
} sat_Body;

typedef struct sat_Escape {
  sat_Result way;    /* its edge is of the piece, */
  uint32_t piece[2]; /* of these two, that touch once A has moved */
} sat_Escape;

/* The shortest way out of B for A, with the rules and ties of sat_collide. After the move no
 * interiors overlap, that of all of B's pieces taken together being one interior: what fits nowhere
 * but between two pieces that abut does not fit there. Gaps and holes with a width are free. Fails
 * with SAT_MISS where no pieces meet, SAT_ENOMEM. */
sat_Status sat_escape(const sat_Body *a, const sat_Body *b, sat_Scratch *scratch,
                      sat_Escape *escape);

#endif
