/* move.h: the declarations that the files of a move share; world/move.c describes a move. */
#ifndef SAT_WORLD_MOVE_H
#define SAT_WORLD_MOVE_H

#include "base/memory.h"
#include "shape/convex.h"
#include "world/world.h"

/* ---------------------------------------------------------------- move_lists.c */

sat_Status sat_move_add_event(sat_MoveEvents *events, sat_MoveEvent event);
sat_Status sat_move_add_surface(sat_MoveSurfaces *surfaces, sat_MoveSurface surface);
sat_Status sat_move_add_hit(sat_World *world, uint32_t other, const sat_Hit *hit, double t,
                            sat_Response how);

/* ---------------------------------------------------------------- move_others.c */

/* Sets the shape's position without notifying the world: the shape is back at its start before the
 * next query. */
void sat_move_stand_at(sat_World *world, sat_SavedPosition place);
/* Moves the shape by the same sums as sat_shape_move. */
sat_Status sat_move_shift(sat_World *world, sat_Vec2 motion);
/* The box that a moving box sweeps over, widened by `out`. */
sat_Rectangle sat_swept_rectangle(sat_Rectangle box, sat_Vec2 motion, double out);
/* Whether bounds show that the shape is farther from another one than what counts as contact. */
bool sat_move_is_apart(const sat_World *world, uint32_t index);
/* The depth of the shape in another one. In a gap of a composite shape that is narrower than the
 * shape by rounding, the depth is that rounding. SAT_MISS: the two touch at most. */
sat_Status sat_move_overlap(sat_World *world, uint32_t index, sat_Result *way);
/* Sweeps the shape against another one. For most shapes that it slides along, a comparison of boxes
 * shows that there is no hit. */
sat_Status sat_move_cast(sat_World *world, sat_Vec2 motion, uint32_t index, sat_Hit *hit);
/* Computes the point of that cast's hit, which most hits do not need. The shape stands where it
 * stood. */
void sat_move_add_point(const sat_World *world, sat_Vec2 motion, uint32_t index, sat_Hit *hit);
/* Whether a moving box overlaps a resting one at some time up to `limit`. */
bool sat_boxes_meet_on_the_way(sat_Rectangle box, sat_Vec2 motion, sat_Rectangle other,
                               double limit);
const sat_MoveOther *sat_move_known_other(const sat_MoveState *move, uint32_t index);
/* The move's record of another shape, made on demand. NULL: no memory. */
sat_MoveOther *sat_move_get_other(sat_MoveState *move, uint32_t index);
/* The response to another shape. A sensor is crossed unless the answer was to ignore it. */
sat_Response sat_move_response_to(const sat_World *world, uint32_t index);
bool sat_move_is_one_way(const sat_World *world, uint32_t index);
/* Whether the shape overlaps a one-way platform so deep that it is passing through. */
bool sat_move_passes_through(const sat_World *world, uint32_t index, double depth);
/* Whether a one-way platform lets the shape pass: the shape comes from another side, or was inside
 * the platform when the move began. */
bool sat_move_is_let_through(const sat_World *world, uint32_t index, sat_Vec2 motion,
                             sat_Vec2 normal);
/* Whether the shape may not overlap another one. */
bool sat_move_is_obstacle(const sat_World *world, uint32_t index);
/* Two sensors are no pair, and neither are two shapes that their filters keep apart. */
bool sat_move_may_meet(const sat_World *world, uint32_t index);
/* Lists the neighbours that the shape may meet on a motion. */
sat_Status sat_move_find_neighbors(sat_World *world, sat_Vec2 motion);

static inline bool sat_normals_differ(sat_Vec2 one, sat_Vec2 other, double most) {
  return fabs(one.x - other.x) > most || fabs(one.y - other.y) > most;
}

static inline bool sat_normals_agree(sat_Vec2 one, sat_Vec2 other) {
  return !sat_normals_differ(one, other, SAT_SAME_SURFACE);
}

/* ---------------------------------------------------------------- move_events.c */

/* Sweeps the shape from its position against every neighbour. */
sat_Status sat_move_find_events(sat_World *world, sat_Vec2 motion, sat_MoveEvents *events);
size_t sat_move_first_event(const sat_World *world, const sat_MoveEvents *events);

static inline void sat_move_drop_event(sat_MoveEvents *events, size_t index) {
  events->at[index] = events->at[--events->count];
}

/* ---------------------------------------------------------------- move_contacts.c */

/* Drops events that are only a lip of rounding beside a surface in contact. */
sat_Status sat_move_drop_lips(sat_World *world);
/* A motion clipped by the surfaces that have turned the move: by the one whose clipped motion leads
 * into no other surface and not against the motion asked for. */
sat_Vec2 sat_move_clip(const sat_MoveState *move, sat_Vec2 motion);
/* Moves a round shape that touches both corners of a gap's mouth within rounding to the middle. */
sat_Status sat_move_center_in_gap(sat_World *world);
/* Removes the surfaces that the shape no longer touches. */
sat_Status sat_move_drop_left_surfaces(sat_World *world);
/* Adds a surface that has turned the motion. One that is hit again leads out by more: a round
 * shape's normals at one corner differ in their last bits. */
sat_Status sat_move_add_turned(sat_MoveState *move, sat_Vec2 normal, uint32_t other);

/* Whether a probe hits at its start, within rounding. */
static inline bool sat_move_is_touch(const sat_MoveState *move, const sat_Hit *hit) {
  return hit->t * SAT_PROBE_LENGTH * move->scale <= move->rounding;
}

/* ---------------------------------------------------------------- move_step_out.c */

/* Steps out of all shapes that the shape overlaps by rounding: out of one neighbour after the
 * other, and where two push it to and fro, towards the end at which their gap opens. If that fails,
 * the shape returns to `from`, and `blocker` is the overlap. */
sat_Status sat_move_step_out(sat_World *world, bool all, sat_Vec2 met, sat_SavedPosition from);

/* ---------------------------------------------------------------- move_start.c */

sat_Status sat_move_begin_inside(sat_World *world);
/* Asks about the next solid that the shape overlaps; SAT_OK: all have been answered. */
sat_Status sat_move_ask_about_inside(sat_World *world, sat_MoveHit *question);
/* Moves the shape out of all solid shapes at once. */
sat_Status sat_move_leave_inside(sat_World *world);

/* ---------------------------------------------------------------- phases */

static inline void sat_move_finish(sat_MoveState *move, sat_Vec2 rest) {
  move->rest = rest;
  move->phase = SAT_MOVE_DONE;
}

/* Makes the response to that shape the caller's next question. */
static inline sat_Status sat_move_ask(sat_World *world, uint32_t other, const sat_Hit *hit,
                                      double t, sat_MoveHit *question) {
  *question = (sat_MoveHit){other,   world->entries[other].id,  hit->normal, hit->point, t,
                            SAT_ASK, world->move.place.centroid};
  return SAT_MISS;
}

#endif
