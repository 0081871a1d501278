/* visibility.h: the area that is seen from an eye among edges, by a sweep over directions. */
#ifndef SAT_POLYGON_VISIBILITY_H
#define SAT_POLYGON_VISIBILITY_H

#include "base/memory.h"
#include "base/vec2.h"

#define SAT_NOT_ACTIVE 0xffffffffu

/* An edge that hides what is behind it, from `a` on towards `b`, which the sweep meets in this
 * order. The dual vector of its line makes distances linear: cross(way, dual) is the nearness of
 * the edge along a direction, the inverse of the distance in lengths of `way`. A dual of 0, 0: the
 * eye itself is on an outline, which hides all directions from `a` to `b`. */
typedef struct sat_EyeEdge {
  sat_Vec2 a, b, dual;
  uint32_t place; /* among the active edges, or SAT_NOT_ACTIVE */
  uint32_t since; /* the batch of events in which the edge has become active */
} sat_EyeEdge;

/* The edges around an eye. Coordinates closer than `rounding` are the same. */
typedef struct sat_Eye {
  sat_Vec2 at;
  double rounding;
  sat_Scratch *scratch; /* has the edges */
  sat_EyeEdge *edges;
  size_t count, capacity;
} sat_Eye;

/* Makes room for `more` edges. SAT_ENOMEM leaves them as they were. */
sat_Status sat_eye_reserve(sat_Eye *eye, size_t more);
/* Adds an edge, for which there is room, if it faces the eye: if it goes round the eye from +x
 * towards +y. An edge is quickest after one that begins where it ends. */
void sat_eye_add(sat_Eye *eye, sat_Vec2 a, sat_Vec2 b);
/* Hides all directions from that of `a` on to that of `b`, for which there is room. */
void sat_eye_hide(sat_Eye *eye, sat_Vec2 a, sat_Vec2 b);
/* Fills `seen` with the vertices of the area that is seen, in the order of positive area, or with
 * none. The edges go all round the eye, and may cross. Directions closer than SAT_SAME_NORMAL to
 * the next one are the same. `seen` is undefined after SAT_ENOMEM. O(n log n + n a) for at most `a`
 * edges in one direction. */
sat_Status sat_eye_sweep(sat_Eye *eye, sat_Points *seen);

#endif
