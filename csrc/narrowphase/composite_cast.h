/* composite_cast.h: a moving shape against another one, at least one of them composite. */
#ifndef SAT_NARROWPHASE_COMPOSITE_CAST_H
#define SAT_NARROWPHASE_COMPOSITE_CAST_H

#include "base/memory.h"
#include "narrowphase/convex_cast.h"

/* As sat_cast. */
sat_Status sat_composite_cast(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                              sat_Scratch *scratch, sat_Hit *hit);

/* The cast of two shapes that overlap by no more than rounding, which they may do only where
 * `starts_near` is set. */
sat_Status sat_composite_cast_separate(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                                       sat_Scratch *scratch, bool *starts_near, sat_Hit *hit);

/* Gives a hit where several surfaces meet the normal, and the point, of one that the union of the
 * pieces really shows: the most head-on, of equal ones the most upright. Without a hit tells what
 * the motion touches at its end where pieces meet, which each of them alone lets pass, or
 * SAT_MISS. */
sat_Status sat_tell_real_surface(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                                 sat_Scratch *scratch, bool is_hit, sat_Hit *hit);

/* A tangential contact of a piece of A, a point or the front end of a segment that moves along
 * itself, with B, which `other` stands for. A fraction of the motion below `error_bound` is
 * rounding. */
typedef struct sat_PieceTangent {
  sat_TangentContact contact;
  double error_bound;
  uint32_t piece, other;
} sat_PieceTangent;
typedef SAT_LIST(sat_PieceTangent) sat_PieceTangents;

/* Whether a shape has a piece that may have tangential contacts. */
bool sat_may_run_along(const sat_Shape *shape);

/* Appends the tangential contacts of A's pieces with B during a motion of A. */
sat_Status sat_cast_tangents(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                             uint32_t other, sat_PieceTangents *found);

#endif
