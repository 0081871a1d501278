/* boundary_clip.h: the part of a segment or an arc that is inside a rounded Minkowski
 * difference. */
#ifndef SAT_NARROWPHASE_BOUNDARY_CLIP_H
#define SAT_NARROWPHASE_BOUNDARY_CLIP_H

#include "narrowphase/minkowski_boundary.h"

/* A place, and what rounding may have moved it by. */
typedef struct sat_Parameter {
  double t, error;
} sat_Parameter;

/* Whether what follows a place on a stretch, forward or backward, is inside of D, closed, and if so
 * moves the place to where it no longer is, or beyond the end. A part that is not wider than
 * rounding counts as inside, and so does what D abuts on from outside. */
bool sat_boundary_covers_parameter(const sat_Boundary *boundary, const sat_Curve *curve,
                                   bool forward, sat_Parameter *parameter);

/* Whether a place is inside of D beyond rounding; if so, gives the places back and ahead where it
 * ends, which may be beyond the stretch. */
bool sat_boundary_contains_parameter(const sat_Boundary *boundary, const sat_Curve *curve, double t,
                                     sat_Parameter exits[2]);

/* The directions from a point of D's outline that lead into D, from the first to the last in the
 * order of positive area, which are of unit length and no more than half a turn apart. Straight
 * edges belong to D, as closed ends. */
typedef struct sat_Wedge {
  sat_Vec2 from, to;
  bool closed[2];
} sat_Wedge;

/* The wedge at a point. False: the point is farther from D's outline than `error_bound`, which
 * should be the same for all that are asked about a point, so that they agree on which lines it
 * is. */
bool sat_boundary_wedge(const sat_Boundary *boundary, sat_Vec2 point, double error_bound,
                        sat_Wedge *wedge);

/* Whether a direction of unit length leads into D; `start` is set where it leads along D's
 * outline at the wedge's start. */
bool sat_wedge_holds(const sat_Wedge *wedge, sat_Vec2 direction, bool *start);

/* Whether all of a stretch is inside of D beyond rounding; false may mean that it is hard to
 * tell. */
bool sat_boundary_contains_curve(const sat_Boundary *boundary, const sat_Curve *curve);

/* A place behind another on a stretch, by more than a hair, where it meets the outline; no place
 * where it does is passed over. HUGE_VAL: none. */
double sat_boundary_next_crossing(const sat_Boundary *boundary, const sat_Curve *curve,
                                  double after);

/* Whether a point is inside of D or not farther from it than rounding. */
bool sat_boundary_is_near(const sat_Boundary *boundary, sat_Vec2 point);

#endif
