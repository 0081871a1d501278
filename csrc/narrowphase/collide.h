/* collide.h: the questions of worlds: contact with a gap of rounding size, and what casts and rays
 * tell beside their hits. */
#ifndef SAT_NARROWPHASE_COLLIDE_H
#define SAT_NARROWPHASE_COLLIDE_H

#include "narrowphase/composite/composite_cast.h"

/* Does what sat_collide does. On SAT_MISS `near` tells whether the gap is at most
 * sat_touch_rounding. */
sat_Status sat_touch(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                     sat_Result *result, bool *near);

/* Does what sat_collide does, but an overlap of up to `rounding`, of composite shapes with each
 * piece, is a touch: depth 0. */
sat_Status sat_collide_beyond(const sat_Shape *a, const sat_Shape *b, double rounding,
                              sat_Scratch *scratch, sat_Result *result);

/* A point as a shape, which sat_shape_init makes. */
typedef struct sat_PointShape {
  sat_Shape head;
  sat_Vec2 vertex, local;
} sat_PointShape;

/* Do what sat_cast and sat_raycast do; the latter also tells what the ray misses on its line, as
 * sat_places_beside_way does. */
sat_Status sat_cast_noting(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b,
                           sat_Scratch *scratch, sat_CastNotes *notes, sat_Hit *hit);
sat_Status sat_raycast_noting(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 to,
                              sat_Scratch *scratch, uint32_t *beside, sat_Hit *hit);

/* The parts of two shapes that overlap whose own collision is deepest, of equally deep ones the
 * lowest; before these, if a normal is given, the lowest whose own way out has this normal. */
sat_Status sat_deepest_parts(const sat_Shape *a, const sat_Shape *b, const sat_Vec2 *normal,
                             sat_Scratch *scratch, sat_Parts *deepest);

/* Whether the bounds of two shapes without a radius, or of their pieces, show that the two touch at
 * most: sat_collide gives SAT_MISS or a depth of 0. Tiles and what stands on them are told by this
 * without an exact test. */
bool sat_only_touches(const sat_Shape *a, const sat_Shape *b);

#endif
