/* composite_cast.h: a moving shape against another one, at least one of them composite. */
#ifndef SAT_NARROWPHASE_COMPOSITE_CAST_H
#define SAT_NARROWPHASE_COMPOSITE_CAST_H

#include "base/memory.h"
#include "narrowphase/convex_cast.h"

/* As sat_cast. */
sat_Status sat_composite_cast(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                              sat_Scratch *scratch, sat_Hit *hit);

/* Whether two shapes, at least one of them composite, may overlap by more than rounding. A gap that
 * is narrower than a shape by less does not: the way out of the union may still be long. */
bool sat_composite_is_deep(const sat_Shape *a, const sat_Shape *b);

/* The cast of two shapes that overlap by no more than rounding. */
sat_Status sat_composite_cast_separate(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                                       sat_Hit *hit);

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
