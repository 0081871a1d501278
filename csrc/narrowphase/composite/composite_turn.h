/* composite_turn.h: a shape that turns against another one, either of them convex or composite. */
#ifndef SAT_NARROWPHASE_COMPOSITE_TURN_H
#define SAT_NARROWPHASE_COMPOSITE_TURN_H

#include "shape/piece_view.h"

/* The ring about a pivot in which all pieces of a shape stay, whatever the angle. */
sat_Interval sat_ring_about(const sat_PieceView *view, sat_Vec2 pivot);

/* As sat_turn. `by_front`: segments of closed chains bar what comes from their front alone. */
sat_Status sat_turn_facing(const sat_Shape *a, double angle, const sat_Shape *b, sat_Vec2 pivot,
                           bool by_front, sat_Scratch *scratch, sat_Hit *hit);

#endif
