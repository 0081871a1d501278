/* move.h: what the files of a move share; world/move.c says how a move goes. */
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

/* The world hears nothing of it: the shape is back at its start before anyone else asks. */
void sat_move_stand_at(sat_World *world, sat_SavedPosition place);
/* Moves the shape by the same sums as sat_shape_move. */
sat_Status sat_move_shift(sat_World *world, sat_Vec2 motion);
/* A box that holds all of a motion, and `out` more. */
sat_Rectangle sat_swept_rectangle(sat_Rectangle box, sat_Vec2 motion, double out);
/* How deep the shape is in another one. SAT_MISS: not at all, it touches that one at most. */
sat_Status sat_move_overlap(sat_World *world, uint32_t index, sat_Result *way);
/* Sweeps the shape against another one. The boxes tell of most of what it slides along that it
 * meets nothing there. */
sat_Status sat_move_cast(sat_World *world, sat_Vec2 motion, uint32_t index, sat_Hit *hit);
/* Whether a moving box comes to overlap a still one. */
bool sat_boxes_meet_on_the_way(sat_Rectangle box, sat_Vec2 motion, sat_Rectangle other,
                               double limit);
const sat_MoveOther *sat_move_known_other(const sat_MoveState *move, uint32_t index);
/* The record of another shape, made at need. NULL: no memory. */
sat_MoveOther *sat_move_get_other(sat_MoveState *move, uint32_t index);
/* The response to another shape. A sensor is crossed unless the answer was to ignore it. */
sat_Response sat_move_response_to(const sat_World *world, uint32_t index);
bool sat_move_is_one_way(const sat_World *world, uint32_t index);
/* Whether the shape has come so deep into a one-way platform that it is on its way through. */
bool sat_move_passes_through(const sat_World *world, uint32_t index, double depth);
/* Whether a one-way platform lets the shape through: it comes from another side, or was inside of
 * the platform when the move began. */
bool sat_move_is_let_through(const sat_World *world, uint32_t index, sat_Vec2 motion,
                             sat_Vec2 normal);
/* Whether the shape may not overlap another one. */
bool sat_move_is_obstacle(const sat_World *world, uint32_t index);
/* Two sensors are no pair, and neither are two that their filters keep apart. */
bool sat_move_may_meet(const sat_World *world, uint32_t index);
/* Lists everything that the shape may meet on a motion. */
sat_Status sat_move_find_neighbors(sat_World *world, sat_Vec2 motion);

static inline bool sat_normals_differ(sat_Vec2 one, sat_Vec2 other, double most) {
  return fabs(one.x - other.x) > most || fabs(one.y - other.y) > most;
}

static inline bool sat_normals_agree(sat_Vec2 one, sat_Vec2 other) {
  return !sat_normals_differ(one, other, SAT_SAME_SURFACE);
}

/* ---------------------------------------------------------------- move_events.c */

/* Sweeps the shape, where it stands now, against every neighbour. */
sat_Status sat_move_find_events(sat_World *world, sat_Vec2 motion, sat_MoveEvents *events);
size_t sat_move_first_event(const sat_World *world, const sat_MoveEvents *events);

static inline void sat_move_drop_event(sat_MoveEvents *events, size_t index) {
  events->at[index] = events->at[--events->count];
}

/* ---------------------------------------------------------------- move_contacts.c */

/* Leaves out of a leg's events what is only a lip of rounding beside something that the shape
 * touches. */
sat_Status sat_move_drop_lips(sat_World *world);
/* The rest of a motion along the surfaces that the shape touches: clipped by the one of them whose
 * clipped motion leads into no other, and does not turn against what was asked for. */
sat_Vec2 sat_move_clip(const sat_MoveSurfaces *surfaces, sat_Vec2 motion, sat_Vec2 asked);
/* Forgets the surfaces that the shape no longer touches. */
sat_Status sat_move_drop_left_surfaces(sat_World *world);
/* A surface that is met again leads out by more: a round shape finds its normal, at every corner
 * anew, a few bits off. */
sat_Status sat_move_add_turned(sat_MoveState *move, sat_Vec2 normal, uint32_t other);

/* Whether a probe has met something at once, but for rounding. */
static inline bool sat_move_is_touch(const sat_MoveState *move, const sat_Hit *hit) {
  return hit->t * SAT_PROBE_LENGTH * move->size <= move->rounding;
}

/* ---------------------------------------------------------------- move_step_out.c */

/* Steps out of everything that the shape is inside of by rounding: out of one neighbour after the
 * other, and where these push it to and fro, towards where the gap between them opens. Where that
 * fails the shape steps out along the normal `met` or back on its way, and where that fails, too,
 * it goes to `from`. */
sat_Status sat_move_step_out(sat_World *world, bool all, sat_Vec2 met, sat_SavedPosition from);

/* ---------------------------------------------------------------- move_start.c */

sat_Status sat_move_begin_inside(sat_World *world);
/* Asks about the next solid that the shape is inside of; SAT_OK: all have been answered. */
sat_Status sat_move_ask_about_inside(sat_World *world, sat_MoveHit *question);
/* Moves the shape out of everything solid at once. */
sat_Status sat_move_leave_inside(sat_World *world);

/* ---------------------------------------------------------------- phases */

static inline void sat_move_finish(sat_MoveState *move, sat_Vec2 rest) {
  move->rest = rest;
  move->phase = SAT_MOVE_DONE;
}

/* The caller is to answer what the response to that shape is. */
static inline sat_Status sat_move_ask(sat_World *world, uint32_t other, const sat_Hit *hit,
                                      double t, sat_MoveHit *question) {
  *question = (sat_MoveHit){other, world->entries[other].id, hit->normal, hit->point, t, SAT_ASK};
  return SAT_MISS;
}

#endif
