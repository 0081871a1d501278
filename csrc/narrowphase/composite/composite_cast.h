/* composite_cast.h: a moving shape against another one, at least one of them composite, and what a
 * shape meets where several pieces or several solids do. */
#ifndef SAT_NARROWPHASE_COMPOSITE_CAST_H
#define SAT_NARROWPHASE_COMPOSITE_CAST_H

#include "base/memory.h"
#include "narrowphase/convex/convex_cast.h"

/* The facts that the cast of two shapes tells beside the hit. */
typedef struct sat_CastNotes {
  bool one_way;     /* asked: one-way solids bar what comes from their side alone */
  bool is_ray;      /* asked: it has no normal where it starts inside of the union */
  bool is_apart;    /* known: composites overlap by no more than rounding at the start */
  bool starts_near; /* composites alone: their boxes are near each other at the start */
  uint32_t beside;  /* what it misses, on the line of something thin: see sat_places_beside_way */
  bool starts_deep; /* composites alone: they overlap at the start, so that the hit has no parts */
  bool is_tied;     /* several normals are right where they meet */
} sat_CastNotes;

/* As sat_cast. */
sat_Status sat_composite_cast(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                              sat_Scratch *scratch, sat_CastNotes *notes, sat_Hit *hit);

/* Whether what moves is a point. A point that goes on into a union goes on into a piece of it, or
 * along a seam: nothing else is touched at its end, and what it leads past may be part of the
 * surface. */
static inline bool sat_is_bare_point(uint32_t vertex_count, double radius) {
  return vertex_count == 1 && radius == 0;
}

/* Whether a shape has a piece that may run along seams: a point or a segment. */
bool sat_may_run_along(const sat_Shape *shape);

/* A solid among others, with its number, and what decides between equal ones. */
typedef struct sat_CastSolid {
  const sat_Shape *shape;
  uint32_t number;
  uint64_t order;
} sat_CastSolid;

#define SAT_NO_SOLID UINT32_MAX

/* A shape that moves among solids. */
typedef struct sat_CastScene {
  const sat_Shape *shape;
  sat_Motion motion;
  const sat_CastSolid *solids;
  size_t count;
  bool gaps;          /* seams may be met, */
  uint32_t gaps_with; /* those of this solid alone, or, without a number, of any */
  bool at_end;        /* what the motion touches at its end is a hit */
  bool one_way;       /* one-way solids bar what comes from their side alone */
  bool is_ray;        /* it has no normal where it starts inside of the union */
  bool in_company;    /* there may be solids beside those of the list */
  bool *felt;         /* NULL, or what is asked of each solid in place of the hit: whether it would
                       * be part of the surface, or of a seam before it */
} sat_CastScene;

/* Gives the first hit of a cast, that of the solid `other`, where several surfaces meet the normal,
 * and the point, of one that the union of the solids really shows: the most head-on, of equal ones
 * the most upright. A seam that begins earlier is the hit; inside of the union its normal is 0, 0.
 * Without a hit tells what the motion touches at its end where pieces meet, which each of them lets
 * pass alone. Without any `other` has no number at the end. */
sat_Status sat_tell_real_surface(const sat_CastScene *scene, sat_Scratch *scratch, uint32_t *other,
                                 sat_Hit *hit);

#endif
