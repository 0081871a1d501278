/* turn.c: turns a shape in a world until something stops it, and lets it give way.
 *
 * What turns is a copy of the shape, so that neither shape nor world changes before the end. A
 * sweep asks for the first contact with each shape near the way, and takes the events in order:
 * what is crossed is reported, and what blocks ends the sweep. A turn that slides then steps back
 * from what has stopped it, turns on, and returns: two moves and a sweep. Records, questions and
 * hits are a move's: those in world->waiting, since no move of the copy pushes. */
#include "base/box.h"
#include "base/memory.h"
#include "narrowphase/collide.h"
#include "narrowphase/composite/composite_turn.h"
#include "world/world.h"

#include <string.h>

enum { MOST_STEPS_BACK = 32 };

static sat_Shape *copy_of(const sat_TurnState *turn) { return turn->copies.block; }

/* The copy as it was before it stepped back. */
static sat_Shape *kept_copy(const sat_TurnState *turn) {
  return (sat_Shape *)(void *)((char *)turn->copies.block + turn->shape->bytes);
}

/* The head of a shape as that of a copy. */
static sat_Shape head_of_copy(const sat_Shape *shape) {
  sat_Shape head = *shape;
  head.flags &= ~(uint32_t)(SAT_CHANGED | SAT_LOCKED);
  head.changes = NULL;
  head.owner = NULL;
  return head;
}

/* ---------------------------------------------------------------- a sweep */

/* Adds the event of a shape, if the turn meets it and it is not told yet. */
static sat_Status sweep_at(sat_World *world, uint32_t record) {
  const sat_TurnState *turn = &world->turn;
  sat_MoveState *state = world->waiting;
  const sat_MoveOther *by = &state->others.at[record];
  const sat_Shape *other = sat_entry_shape(world, by->index);
  sat_Hit hit;
  bool passes = false;
  if (by->response == SAT_IGNORE || (by->response == SAT_CROSS && by->reported)) return SAT_OK;
  sat_Status status =
      sat_turn_facing(copy_of(turn), turn->rest, other, turn->pivot, true, &world->scratch, &hit);
  if (!status) status = sat_world_passes_side(world, turn->shape, other, hit.normal, true, &passes);
  if (status || passes) return status == SAT_MISS ? SAT_OK : status;
  return SAT_LIST_ADD(&state->events,
                      (sat_MoveEvent){.other = record,
                                      .id = world->entries[by->index].id,
                                      .normal = hit.normal,
                                      .point = hit.point,
                                      .parts = hit.parts,
                                      .t = state->begun + (1 - state->begun) * hit.t,
                                      .order = hit.t});
}

/* Lists the events of the copy on its way, in order. */
static sat_Status begin_sweep(sat_World *world) {
  sat_TurnState *turn = &world->turn;
  sat_MoveState *state = world->waiting;
  sat_Box box = box_turned(sat_shape_bounds(copy_of(turn)), turn->pivot, turn->rest);
  state->events.count = 0;
  turn->is_swept = true;
  sat_Status status = sat_world_find_others(world, state, &box);
  for (uint32_t i = 0; !status && i < state->others.count; i++) status = sweep_at(world, i);
  sat_sort_events(&state->events);
  return status;
}

/* Reports a shape, once in a turn. */
static sat_Status report_other(sat_World *world, const sat_MoveEvent *event, sat_Response how) {
  sat_MoveOther *other = &world->waiting->others.at[event->other];
  if (other->reported) return SAT_OK;
  other->reported = true;
  sat_Vec2 centroid = copy_of(&world->turn)->centroid;
  return SAT_LIST_ADD(&world->waiting->fresh,
                      sat_world_hit_of(world, world->waiting, event, how, centroid));
}

/* Whether an event is farther out than another one, or at the same place with another normal. */
static bool is_beyond(const sat_TurnState *turn, const sat_MoveEvent *p, const sat_MoveEvent *q) {
  if (equal_points(p->point, q->point)) return sat_is_farther(p->normal, q->normal);
  return sat_is_farther(sub(p->point, turn->pivot), sub(q->point, turn->pivot));
}

/* Takes the events up to the one that stops the turn, of several at one angle with the strongest
 * answer that farthest out: asks, reports what is crossed, and last the stop. SAT_MISS: a question
 * is open, after which all are taken again. */
static sat_Status take_events(sat_World *world, sat_MoveHit *question, const sat_MoveEvent **stop) {
  sat_MoveState *state = world->waiting;
  sat_Response how = SAT_SLIDE;
  sat_Status status = SAT_OK;
  *stop = NULL;
  for (size_t i = 0; !status && i < state->events.count; i++) {
    const sat_MoveEvent *event = &state->events.at[i];
    sat_Response response = (sat_Response)state->others.at[event->other].response;
    if (*stop && event->order > (*stop)->order) break;
    if (response == SAT_ASK) {
      *question = sat_world_hit_of(world, state, event, SAT_ASK, state->place.centroid);
      return SAT_MISS;
    }
    if (response == SAT_CROSS) status = report_other(world, event, SAT_CROSS);
    if (response >= SAT_CROSS || (*stop && how == SAT_TOUCH && response != SAT_TOUCH)) continue;
    if (*stop && how == response && !is_beyond(&world->turn, event, *stop)) continue;
    *stop = event;
    how = response;
  }
  return !status && *stop ? report_other(world, *stop, how) : status;
}

/* ---------------------------------------------------------------- the steps */

static bool stops_turn(const sat_MoveOther *other) {
  return other->response < SAT_CROSS || other->response == SAT_ASK;
}

/* Steps out of what the copy overlaps by rounding. */
static sat_Status free_copy(sat_World *world) {
  sat_TurnState *turn = &world->turn;
  sat_MoveState *state = world->waiting;
  sat_Shape *copy = copy_of(turn);
  sat_Box own = sat_shape_bounds(copy);
  double far = max2(fabs(turn->pivot.x), fabs(turn->pivot.y)), rounding = SAT_TOUCH_ERROR * far;
  state->touched.count = 0;
  sat_Status status = SAT_LIST_RESERVE(&state->touched, state->others.count);
  if (status || !sat_is_solid(copy)) return status;
  for (size_t i = 0; i < state->others.count; i++) {
    const sat_MoveOther *record = &state->others.at[i];
    const sat_Shape *other = sat_entry_shape(world, record->index);
    sat_Box box = sat_shape_bounds(other);
    if (!sat_is_solid(other) || !boxes_meet(&own, &box, 0) || record->one_way ||
        !stops_turn(record))
      continue;
    rounding = max2(rounding, sat_touch_rounding(copy, other));
    state->touched.at[state->touched.count++] = record->index;
  }
  return sat_world_step_free(world, copy, &state->touched, rounding);
}

/* Lets moves pass through the shape and what does not stop it, or no longer. */
static void set_passable(sat_World *world, bool on) {
  const sat_MoveState *state = world->waiting;
  uint32_t own = sat_index_in(world, state->shape);
  if (own != SAT_NO_SHAPE) sat_set_state(world, own, SAT_ENTRY_PASSABLE, on);
  for (size_t i = 0; i < state->others.count; i++)
    if (!stops_turn(&state->others.at[i]))
      sat_set_state(world, state->others.at[i].index, SAT_ENTRY_PASSABLE, on);
}

/* Finds how far the copy can move straight, and unless `stays` moves it. SAT_MISS: it is inside of
 * something. */
static sat_Status move_copy(sat_World *world, sat_Vec2 motion, bool stays, sat_Vec2 *moved) {
  const sat_MoveState *move = world->move;
  sat_Shape *copy = copy_of(&world->turn);
  set_passable(world, true);
  world->push.fresh.count = 0; /* nothing is pushed */
  sat_Status status = sat_world_find_way(world, copy, motion, SAT_TOUCH);
  set_passable(world, false);
  sat_world_note_others(world, world->waiting);
  if (status) return status;
  *moved = sub(move->place.centroid, move->start.centroid);
  bool is_inside = move->fresh.count > 0 && move->fresh.at[0].how >= SAT_FREED;
  if (!stays && !is_inside) sat_shape_stand_at(copy, move->place);
  return is_inside ? SAT_MISS : SAT_OK;
}

/* Steps back from what has stopped the turn, by what a free turn needs, or half of the room. */
static sat_Status step_back(sat_World *world, const sat_MoveEvent *stop) {
  sat_TurnState *turn = &world->turn;
  sat_Vec2 normal = stop->normal, room;
  sat_Piece single;
  sat_PieceView view = sat_pieces_of(copy_of(turn), &single);
  double need =
      sat_ring_about(&view, turn->pivot).high - dot(normal, sub(turn->pivot, stop->point));
  turn->is_done = true;
  if (!(need > 0)) return SAT_OK;
  sat_shape_copy(kept_copy(turn), copy_of(turn));
  sat_Status status = move_copy(world, mul(normal, 2 * need), true, &room);
  if (!status) status = move_copy(world, mul(normal, min2(need, length(room) / 2)), false, &room);
  if (status) return status == SAT_MISS ? SAT_OK : status;
  turn->step = room;
  turn->pivot = add(turn->pivot, room);
  turn->is_back = true;
  turn->is_done = turn->is_swept = false;
  return SAT_OK;
}

/* Turns the copy by what a sweep has found. After a step back it returns; where nothing is gained,
 * to what was before. */
static sat_Status end_sweep(sat_World *world, const sat_MoveEvent *stop) {
  sat_TurnState *turn = &world->turn;
  bool was_back = turn->is_back;
  double turned = stop ? stop->order * turn->rest : turn->rest;
  sat_Vec2 back = neg(turn->step);
  sat_Status status = SAT_OK;
  turn->is_back = false;
  turn->is_swept = !was_back;
  turn->is_done = !was_back || !stop;
  if (!stop || stop->order != 0)
    status = sat_shape_rotate_about(copy_of(turn), turned, turn->pivot);
  if (!status && was_back) status = move_copy(world, back, false, &back);
  if (status > SAT_MISS) return status;
  if (was_back && (status == SAT_MISS || fabs(turned) < SAT_LEAST_TURN)) {
    sat_shape_copy(copy_of(turn), kept_copy(turn));
    turn->is_done = true;
    return SAT_OK;
  }
  if (was_back) turn->pivot = add(turn->pivot, back);
  turn->turned = stop ? turn->turned + turned : turn->angle;
  turn->rest -= turned;
  world->waiting->begun = stop ? stop->t : 1;
  status = free_copy(world);
  if (status || was_back || !stop || turn->rounds++ == MOST_STEPS_BACK) return status;
  bool slides = world->waiting->others.at[stop->other].response == SAT_SLIDE;
  return slides ? step_back(world, stop) : SAT_OK;
}

sat_Status sat_world_run_turn(sat_World *world, sat_MoveHit *question) {
  sat_TurnState *turn = &world->turn;
  const sat_MoveEvent *stop;
  sat_Status status = SAT_OK;
  while (!status && !turn->is_done) {
    if (!turn->is_swept) status = begin_sweep(world);
    if (!status) status = take_events(world, question, &stop);
    if (!status) status = end_sweep(world, stop);
  }
  return status;
}

/* ---------------------------------------------------------------- the calls */

sat_Status sat_world_turn_begin(sat_World *world, sat_Shape *shape, double angle, sat_Vec2 pivot,
                                sat_Response response) {
  sat_TurnState *turn = &world->turn;
  SAT_ASSERT(!turn->shape && world->move->phase == SAT_MOVE_IDLE);
  if (!in_range(angle) || !in_range(pivot.x) || !in_range(pivot.y)) return SAT_ERANGE;
  sat_Shape *copy = sat_scratch_reserve(&turn->copies, 2 * (size_t)shape->bytes);
  if (!copy) return SAT_ENOMEM;
  sat_shape_copy(copy, shape);
  *turn = (sat_TurnState){.shape = shape,
                          .copies = turn->copies,
                          .before = head_of_copy(shape),
                          .pivot = pivot,
                          .angle = angle,
                          .rest = angle,
                          .is_done = angle == 0};
  sat_MoveState *state = world->waiting;
  state->shape = shape;
  state->response = response;
  state->begun = 0;
  state->place = sat_shape_position(shape);
  state->others.count = state->events.count = state->fresh.count = 0;
  return SAT_OK;
}

/* A shape that is as it was has not changed. */
static void put_turned(const sat_TurnState *turn, sat_Shape *shape) {
  if (memcmp(copy_of(turn), &turn->before, sizeof turn->before) != 0)
    sat_shape_become(shape, copy_of(turn));
}

sat_TurnResult sat_world_turn_end(sat_World *world, bool stay) {
  sat_TurnState *turn = &world->turn;
  sat_world_take_hits(world, &world->waiting->fresh, turn->before.centroid,
                      copy_of(turn)->centroid);
  if (!stay) put_turned(turn, turn->shape);
  turn->ended = turn->shape;
  turn->shape = NULL;
  return (sat_TurnResult){turn->turned, world->move->hits.count};
}

sat_Status sat_world_turn(sat_World *world, sat_Shape *shape, double angle, sat_Vec2 pivot,
                          sat_Response response, bool stay, sat_TurnResult *result) {
  sat_MoveHit question;
  sat_Status status = sat_world_turn_begin(world, shape, angle, pivot, response);
  if (!status) status = sat_world_run_turn(world, &question);
  if (!status) *result = sat_world_turn_end(world, stay);
  else world->turn.shape = NULL;
  return status;
}

sat_Status sat_world_turn_as_checked(sat_World *world, sat_Shape *shape) {
  sat_TurnState *turn = &world->turn;
  sat_Shape now = head_of_copy(shape);
  if (turn->ended != shape || memcmp(&now, &turn->before, sizeof now) != 0) return SAT_MISS;
  turn->ended = NULL;
  put_turned(turn, shape);
  return SAT_OK;
}
