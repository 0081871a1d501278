/* boundary_clip.h: the part of a segment or an arc that is inside a rounded Minkowski
 * difference. */
#ifndef SAT_NARROWPHASE_BOUNDARY_CLIP_H
#define SAT_NARROWPHASE_BOUNDARY_CLIP_H

#include "narrowphase/union/minkowski_boundary.h"

/* A parameter and its error bound. */
typedef struct sat_Parameter {
  double t, error;
} sat_Parameter;

/* How D covers a part of a curve: */
typedef enum sat_Cover {
  SAT_COVER_NONE,     /* not */
  SAT_COVER_DIVERGES, /* from outside, as far as the two are no farther apart than rounding */
  SAT_COVER_ABUTS,    /* from outside, along an edge of D */
  SAT_COVER_INSIDE    /* the part is inside D */
} sat_Cover;

/* How D, closed, covers the part of a curve that follows a parameter, forward or backward; unless
 * it does not, moves the parameter to the exit, or beyond the curve's end. A part that is not wider
 * than rounding counts as inside. */
sat_Cover sat_boundary_cover(const sat_Boundary *boundary, const sat_Curve *curve, bool forward,
                             sat_Parameter *parameter);

/* Whether an edge of D is parallel to a segment, but for rounding, and faces the other way. Only
 * then can D abut on the segment; to ask costs a fraction of looking for the exit. */
bool sat_boundary_may_abut(const sat_Boundary *boundary, const sat_Curve *curve);

/* A range of parameters on a curve. */
typedef struct sat_Range {
  double from, to;
} sat_Range;

/* Whether D covers the part that follows a parameter, for a boundary that may be partial, whose
 * edges are listed as far as a range around the parameter needs them. An exit beyond the range is
 * any parameter beyond it, or its end. */
bool sat_boundary_covers_within(const sat_Boundary *boundary, const sat_Curve *curve,
                                sat_Range range, sat_Parameter *parameter);

/* Whether a parameter is inside D beyond rounding; if so, gives the exits backward and forward,
 * which may be beyond the curve. */
bool sat_boundary_contains_parameter(const sat_Boundary *boundary, const sat_Curve *curve, double t,
                                     sat_Parameter exits[2]);

/* The directions from a point of D's boundary that lead into D, from the first to the last in the
 * order of positive area, which are of unit length and no more than half a turn apart. Straight
 * edges belong to D, as closed ends. */
typedef struct sat_Wedge {
  sat_Vec2 from, to;
  bool closed[2];
} sat_Wedge;

/* The wedge at a point. False: the point is farther from D's boundary than `error_bound`, which
 * should be the same for all differences at a point, so that they agree on the lines that the point
 * is on. */
bool sat_boundary_wedge(const sat_Boundary *boundary, sat_Vec2 point, double error_bound,
                        sat_Wedge *wedge);

/* Whether a direction of unit length leads into D; `start` is set where it leads along D's boundary
 * at the wedge's start. Directions at an angle of at most `same_sine` are the same. */
bool sat_wedge_holds(const sat_Wedge *wedge, sat_Vec2 direction, double same_sine, bool *start);

/* Whether a whole curve is inside D beyond rounding; false may mean that the test cannot tell. */
bool sat_boundary_contains_curve(const sat_Boundary *boundary, const sat_Curve *curve);

/* The next crossing of a curve with the boundary, by more than the rounding error after a
 * parameter; no crossing is passed over. HUGE_VAL: none. */
double sat_boundary_next_crossing(const sat_Boundary *boundary, const sat_Curve *curve,
                                  double after);

/* The edges of a boundary that are near a box, as a partial boundary that has the same points
 * inside within the box. False: the box is outside. `room` has place for SAT_SUBSET_EDGES
 * more edges than the boundary has. O(log n + k) with k edges near the box. */
#define SAT_SUBSET_EDGES 3
bool sat_boundary_subset(const sat_Boundary *boundary, const sat_Box *box, sat_BoundaryEdge *room,
                         sat_Boundary *subset);

/* Whether a point is inside D or within rounding of it. */
bool sat_boundary_is_near(const sat_Boundary *boundary, sat_Vec2 point);

#endif
