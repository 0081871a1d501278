/* move.c: sweeps a shape through a world and responds to hits.
 *
 * A leg sweeps the shape along the remaining motion. At a hit the shape advances to contact, and
 * the remaining motion is clipped by every surface that the shape still touches: Quake's rule
 * (PM_SlideMove), applied to the motion asked for instead of the last one.
 *
 * Three measures keep the answer free of skins and nudges. First, after an advance the exact
 * predicate tells whether rounding has left the shape inside another one; then the shape steps out
 * along the normal by units in the last place (move_step_out.c). Second, a clipped motion leads out
 * of the surface by 2^-46 of its length, so that rounding cannot lead it back in. Third, two solids
 * that abut may have a lip of rounding between them, so every hit of a shape in contact is tested
 * again from slightly farther out along the contact normal (move_contacts.c). */
#include "narrowphase/composite_cast.h"
#include "world/move.h"

#include <string.h>

/* The largest number of slides; the motion that remains after them is dropped. */
enum { MOST_LEGS = 64 };

/* ---------------------------------------------------------------- a leg */

static sat_Vec2 mirror(sat_Vec2 motion, sat_Vec2 normal) {
  return sub(motion, mul(normal, 2 * dot(motion, normal)));
}

/* The remaining motion, clipped by the surfaces that the shape still touches. */
static sat_Status finish_leg(sat_World *world) {
  sat_MoveState *move = &world->move;
  sat_Status status = sat_move_drop_left_surfaces(world);
  sat_move_finish(move, sat_move_clip(move, move->motion));
  return status;
}

static bool meets_obstacle(const sat_World *world) {
  const sat_MoveEvents *events = &world->move.events;
  for (size_t i = 0; i < events->count; i++)
    if (sat_move_is_obstacle(world, events->at[i].other)) return true;
  return false;
}

/* Finds the hits of a leg whose end overlaps an obstacle, though it had none. Thin shapes that end
 * at one point may each take the hit of another for a lip. Otherwise no sweep has seen the
 * obstacle, and the shape hits it where it is nearest. */
static sat_Status find_events_of_blocked(sat_World *world) {
  sat_MoveState *move = &world->move;
  const sat_MoveSurface *blocker = &move->blocker;
  sat_Distance distance;
  sat_Status status = sat_move_find_events(world, move->left, &move->events);
  if (status || meets_obstacle(world)) return status;
  const sat_Shape *other = sat_entry_shape(world, blocker->other);
  status = sat_distance(move->shape, other, &world->scratch, &distance);
  if (status) return status;
  const sat_Hit hit = {0, blocker->normal, distance.on_b};
  return sat_move_add_event(&move->events, (sat_MoveEvent){hit, blocker->other, SAT_NO_SHAPE});
}

/* Moves by all of the remaining motion, which meets no surface. */
static sat_Status advance_freely(sat_World *world) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition from = move->place;
  bool has_met = move->turned.count > 0 || move->fresh.count > 0;
  sat_Status status = sat_move_shift(world, move->left);
  if (!status) status = sat_move_step_out(world, has_met, vec2(0, 0), from);
  if (!status && move->blocker.other != SAT_NO_SHAPE) {
    move->lips_dropped = true;
    return find_events_of_blocked(world);
  }
  return status ? status : finish_leg(world);
}

static sat_Status respond(sat_World *world, sat_MoveEvent event, sat_Response response) {
  sat_MoveState *move = &world->move;
  sat_Vec2 normal = event.hit.normal, left = mul(move->left, 1 - event.hit.t);
  sat_Status status = SAT_OK;
  if (response == SAT_TOUCH) {
    sat_move_finish(move, vec2(0, 0));
  } else if (response == SAT_BOUNCE) {
    move->motion = mirror(move->motion, normal);
    move->left = mirror(left, normal);
  } else {
    status = sat_move_drop_left_surfaces(world);
    if (!status) status = sat_move_add_turned(move, normal, event.other);
    if (!status) status = sat_move_center_in_gap(world);
    move->left = sat_move_clip(move, left);
  }
  return status;
}

/* Advances to a surface and responds to the hit. */
static sat_Status meet_surface(sat_World *world, sat_MoveEvent event, sat_Response response) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition from = move->place;
  sat_Status status = SAT_OK;
  if (event.hit.t > 0) status = sat_move_shift(world, mul(move->left, event.hit.t));
  if (!status) status = sat_move_step_out(world, true, event.hit.normal, from);
  move->t += (1 - move->t) * event.hit.t;
  if (!status) status = sat_move_add_hit(world, event.other, &event.hit, move->t, response);
  if (!status) status = respond(world, event, response);
  if (status || move->phase == SAT_MOVE_DONE) return status;
  move->phase = SAT_MOVE_LEG;
  move->legs++;
  return SAT_OK;
}

static sat_Status cross_shape(sat_World *world, sat_MoveEvent event) {
  sat_MoveState *move = &world->move;
  sat_MoveOther *other = sat_move_get_other(move, event.other);
  if (!other) return SAT_ENOMEM;
  other->reported = true;
  double t = move->t + (1 - move->t) * event.hit.t;
  return sat_move_add_hit(world, event.other, &event.hit, t, SAT_CROSS);
}

static sat_Status begin_leg(sat_World *world) {
  sat_MoveState *move = &world->move;
  move->lips_dropped = move->outdated = false;
  if ((move->left.x == 0 && move->left.y == 0) || move->legs == MOST_LEGS) return finish_leg(world);
  sat_Status status = sat_move_find_neighbors(world, move->left);
  if (!status) status = sat_move_find_events(world, move->left, &move->events);
  move->phase = SAT_MOVE_EVENTS;
  return status;
}

/* Handles the next event of a leg. */
static sat_Status handle_next_event(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = &world->move;
  if (move->outdated) return begin_leg(world);
  if (move->events.count == 0) return advance_freely(world);
  size_t first = sat_move_first_event(world, &move->events);
  sat_MoveEvent event = move->events.at[first];
  if (sat_move_is_obstacle(world, event.other) && !move->lips_dropped)
    return sat_move_drop_lips(world);
  sat_move_add_point(world, move->left, event.other, &event.hit);
  sat_Response response = sat_move_response_to(world, event.other);
  uint32_t asked = event.other;
  if (response != SAT_ASK && event.beside != SAT_NO_SHAPE &&
      sat_move_response_to(world, event.beside) == SAT_ASK)
    asked = event.beside;
  if (response == SAT_ASK || asked != event.other)
    return sat_move_ask(world, asked, &event.hit, move->t + (1 - move->t) * event.hit.t, question);
  sat_move_drop_event(&move->events, first);
  if (response == SAT_IGNORE) return SAT_OK;
  return response == SAT_CROSS ? cross_shape(world, event) : meet_surface(world, event, response);
}

/* ---------------------------------------------------------------- the questions */

static sat_Status run(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = &world->move;
  sat_Status status = SAT_OK;
  while (!status && move->phase != SAT_MOVE_DONE) {
    if (move->phase == SAT_MOVE_BEGIN) status = sat_move_begin_inside(world);
    else if (move->phase == SAT_MOVE_LEG) status = begin_leg(world);
    else if (move->phase == SAT_MOVE_EVENTS) status = handle_next_event(world, question);
    else {
      status = sat_move_ask_about_inside(world, question);
      if (!status) status = sat_move_leave_inside(world);
    }
  }
  return status;
}

/* The rounding of a move, from the largest coordinate that it can reach. */
static double rounding_of_move(const sat_Shape *shape, sat_Vec2 motion) {
  sat_Rectangle box = sat_box_of(shape);
  double x = max2(fabs(box.x), fabs(box.x + box.w)) + fabs(motion.x);
  double y = max2(fabs(box.y), fabs(box.y + box.h)) + fabs(motion.y);
  return SAT_MOVE_ROUNDING * max2(max2(x, y), max2(box.w, box.h));
}

sat_Status sat_world_move_begin(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                                sat_Response response) {
  sat_MoveState *move = &world->move;
  SAT_ASSERT(move->phase == SAT_MOVE_IDLE);
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  sat_SavedPosition start = sat_shape_position(shape);
  sat_Status status = sat_shape_shift(shape, motion);
  sat_shape_stand_at(shape, start);
  if (status) return status;
  sat_world_flush(world);
  sat_Rectangle box = sat_box_of(shape);
  move->phase = SAT_MOVE_BEGIN;
  move->shape = shape;
  move->response = response;
  move->motion = move->left = motion;
  move->rest = vec2(0, 0);
  move->size = max2(max2(box.w, box.h), SAT_TINY);
  move->rounding = rounding_of_move(shape, motion);
  move->scale = max2(move->size, SAT_LEAST_LIFT * move->rounding / SAT_LIFT);
  move->runs_along = sat_is_solid(shape) && sat_may_run_along(shape);
  move->t = 0;
  move->legs = 0;
  move->start = move->place = start;
  move->area = (sat_Rectangle){0, 0, -1, -1};
  move->others.count = move->events.count = move->turned.count = move->fresh.count = 0;
  return SAT_OK;
}

/* While a question is open, the shape and the world must not change. */
static void set_locked(sat_World *world, bool locked) {
  sat_Shape *shape = world->move.shape;
  world->changes->internal.locked = locked;
  shape->flags = locked ? shape->flags | SAT_LOCKED : shape->flags & ~(uint32_t)SAT_LOCKED;
}

void sat_world_move_cancel(sat_World *world) {
  if (world->move.phase != SAT_MOVE_IDLE) set_locked(world, false);
  world->move.phase = SAT_MOVE_IDLE;
}

sat_Status sat_world_move_run(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = &world->move;
  SAT_ASSERT(move->phase != SAT_MOVE_IDLE);
  set_locked(world, false);
  sat_shape_stand_at(move->shape, move->place);
  sat_Status status = run(world, question);
  sat_shape_stand_at(move->shape, move->start);
  set_locked(world, status == SAT_MISS);
  if (status > SAT_MISS) sat_world_move_cancel(world);
  return status;
}

sat_Status sat_world_move_answer(sat_World *world, uint32_t other, sat_Response response) {
  sat_MoveOther *known = sat_move_get_other(&world->move, other);
  if (!known) {
    sat_world_move_cancel(world);
    return SAT_ENOMEM;
  }
  known->response = (uint8_t)response;
  world->move.outdated = world->move.outdated || !sat_move_is_obstacle(world, other);
  return SAT_OK;
}

/* A shape that stays where it is has not changed. */
static void put_in_place(const sat_MoveState *move) {
  if (memcmp(&move->place, &move->start, sizeof move->place) == 0) return;
  sat_shape_put(move->shape, move->place);
}

void sat_world_move_apply(sat_World *world) {
  sat_MoveState *move = &world->move;
  SAT_ASSERT(move->phase == SAT_MOVE_DONE);
  move->phase = SAT_MOVE_IDLE;
  put_in_place(move);
}

void sat_world_note_hits(sat_World *world) {
  const sat_MoveHits *hits = &world->move.hits;
  for (size_t i = 0; i < hits->count; i++)
    if (hits->at[i].other < world->end) world->entries[hits->at[i].other].hit = (uint32_t)i;
}

sat_MoveResult sat_world_move_end(sat_World *world, bool stay) {
  sat_MoveState *move = &world->move;
  sat_MoveHits hits = move->hits;
  move->hits = move->fresh;
  move->fresh = hits;
  sat_world_note_hits(world);
  move->from = move->start.centroid;
  move->to = move->place.centroid;
  move->has_ended = true;
  if (stay) move->phase = SAT_MOVE_IDLE;
  else sat_world_move_apply(world);
  return (sat_MoveResult){move->place.centroid, move->rest, move->hits.count};
}

static sat_Status move_at_once(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                               sat_Response response, bool stay, sat_MoveResult *result) {
  sat_MoveHit question;
  sat_Status status = sat_world_move_begin(world, shape, motion, response);
  if (!status) status = sat_world_move_run(world, &question);
  if (!status) *result = sat_world_move_end(world, stay);
  return status;
}

sat_Status sat_world_move(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                          sat_Response response, sat_MoveResult *result) {
  return move_at_once(world, shape, motion, response, false, result);
}

sat_Status sat_world_check(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                           sat_Response response, sat_MoveResult *result) {
  return move_at_once(world, shape, motion, response, true, result);
}

sat_Status sat_world_move_as_checked(sat_World *world, sat_Shape *shape, sat_Vec2 centroid) {
  const sat_MoveState *move = &world->move;
  sat_SavedPosition now = sat_shape_position(shape);
  if (move->phase != SAT_MOVE_IDLE || move->shape != shape ||
      move->place.centroid.x != centroid.x || move->place.centroid.y != centroid.y ||
      memcmp(&now, &move->start, sizeof now) != 0)
    return SAT_MISS;
  put_in_place(move);
  return SAT_OK;
}

const sat_MoveHits *sat_world_hits(const sat_World *world) { return &world->move.hits; }

bool sat_world_move_ends(const sat_World *world, sat_Vec2 *from, sat_Vec2 *to) {
  *from = world->move.from;
  *to = world->move.to;
  return world->move.has_ended;
}

bool sat_world_is_listed(const sat_World *world, const sat_Shape *shape) {
  const sat_WorldEntry *entry = &world->entries[sat_index_in(world, shape)];
  const sat_MoveHits *hits = &world->move.hits;
  const sat_CarriedShapes *carried = &world->carry.carried; /* in ascending order of their ids */
  if (entry->hit < hits->count && hits->at[entry->hit].id == entry->id) return true;
  size_t low = 0, high = carried->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (carried->at[middle].id < entry->id) low = middle + 1;
    else high = middle;
  }
  return low < carried->count && carried->at[low].id == entry->id;
}

sat_Status sat_world_copy_hits(const sat_World *world, sat_MoveHits *copy) {
  const sat_MoveHits *hits = &world->move.hits;
  copy->count = 0;
  sat_Status status = SAT_LIST_RESERVE(copy, hits->count);
  if (status || hits->count == 0) return status;
  memcpy(copy->at, hits->at, hits->count * sizeof *copy->at);
  copy->count = hits->count;
  return SAT_OK;
}
