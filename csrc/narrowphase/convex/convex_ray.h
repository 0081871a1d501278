/* convex_ray.h: a ray at one convex set, where no test comes within rounding. */
#ifndef SAT_NARROWPHASE_CONVEX_RAY_H
#define SAT_NARROWPHASE_CONVEX_RAY_H

#include "narrowphase/convex/convex_cast.h"
#include "narrowphase/convex/simd/fast_path.h"

/* Answers about a shape of one piece with the bits of sat_convex_cast of a point: SAT_OVERLAP for a
 * hit. A ray that starts within rounding of the shape's boundary, passes a corner or an end within
 * rounding, or runs along a side is left undecided. */
sat_Verdict sat_ray_at_shape(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 motion, sat_Hit *hit);
/* The same about a piece that is in no chain, with the rounding of the cast. A ray that starts
 * inside, or hits an internal edge, is left undecided, too. */
sat_Verdict sat_ray_at_piece(const sat_PieceView *view, const sat_Piece *piece, sat_Vec2 from,
                             sat_Motion motion, sat_Hit *hit);

/* The same about the cast of a pair of polygons without a radius. `pieces` is NULL or the pieces
 * that the two are, in no chain: an internal edge is left undecided. */
sat_Verdict sat_polygon_sweep(const sat_Pair *pair, const sat_PiecePair *pieces, sat_Motion motion,
                              sat_Hit *hit);

#endif
