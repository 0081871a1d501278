/* push.c: begins, runs and ends moves, and moves what they push.
 *
 * A move that reaches a shape which can be pushed waits there, in world->waiting, while that shape
 * moves by the part of the motion left which leads into it; then it goes on. What is pushed pushes
 * what it meets in the same way: who pushes whom is a list, so that rows may be long. All shapes
 * stand where they are so far while the move runs, and where they were while it asks, so that
 * nothing has changed until it ends. */
#include "world/world.h"

#include <string.h>

/* ---------------------------------------------------------------- the shapes that are moved */

sat_Status sat_world_list_moved(sat_World *world, sat_CarryEntries *moved, uint32_t index) {
  sat_WorldEntry *entry = &world->entries[index];
  if (sat_has_state(world, index, SAT_ENTRY_CARRIED)) return SAT_OK;
  entry->place = (uint32_t)moved->count;
  sat_Status status =
      SAT_LIST_ADD(moved, (sat_CarryEntry){.carried = {.other = index, .id = entry->id},
                                           .start = sat_shape_position(entry->shape)});
  if (!status) sat_set_state(world, index, SAT_ENTRY_CARRIED, true);
  return status;
}

void sat_world_forget_moved(sat_World *world, const sat_CarryEntries *moved, bool back) {
  const uint32_t all = SAT_ENTRY_CARRIED | SAT_ENTRY_PASSABLE | SAT_ENTRY_RIDES | SAT_ENTRY_PUSHES |
                       SAT_ENTRY_JAMMED;
  for (size_t i = 0; i < moved->count; i++) {
    uint32_t index = moved->at[i].carried.other;
    if (back) sat_shape_put(sat_entry_shape(world, index), moved->at[i].start);
    sat_set_state(world, index, all, false);
  }
}

static bool is_at(const sat_Shape *shape, const sat_SavedPosition *place) {
  sat_SavedPosition here = sat_shape_position(shape);
  return memcmp(&here, place, sizeof here) == 0;
}

/* A shape that stays where it is has not changed. */
static void put_at(sat_Shape *shape, const sat_SavedPosition *place) {
  if (!is_at(shape, place)) sat_shape_put(shape, *place);
}

/* Puts all that was pushed to where it is so far, or back. */
static void put_pushed(sat_World *world, bool back) {
  const sat_CarryEntries *fresh = &world->push.fresh;
  for (size_t i = 0; i < fresh->count; i++) {
    sat_CarryEntry *entry = &fresh->at[i];
    sat_Shape *shape = sat_entry_shape(world, entry->carried.other);
    if (back) entry->place = sat_shape_position(shape);
    put_at(shape, back ? &entry->start : &entry->place);
  }
}

/* ---------------------------------------------------------------- the chain */

/* Adds what a move has met to the chain. */
static sat_Status begin_push(sat_World *world, uint32_t index, sat_Vec2 asked) {
  sat_PushState *push = &world->push;
  sat_WorldEntry *entry = &world->entries[index];
  sat_Shape *shape = entry->shape;
  bool is_new = !(entry->state & SAT_ENTRY_CARRIED);
  sat_Status status = SAT_LIST_RESERVE(&push->pushed, push->fresh.count + 1);
  if (!status) status = SAT_LIST_RESERVE(&push->chain, 1);
  if (!status) status = sat_world_list_moved(world, &push->fresh, index);
  if (status) return status;
  if (is_new) push->weight += shape->mass;
  sat_CarryEntry *moved = &push->fresh.at[entry->place];
  moved->turns++;
  sat_set_state(world, index, SAT_ENTRY_PUSHES, true);
  sat_Vec2 gone = sub(shape->centroid, moved->start.centroid);
  double room = max2(push->longest - length(gone), 0), size = length(asked);
  sat_Vec2 left = size > room ? mul(asked, room / size) : asked;
  push->chain.at[push->chain.count++] = (sat_Push){index, asked, left, shape->centroid};
  return SAT_OK;
}

/* Ends the last push of the chain. What has not gone as far as asked stays where it is now. */
static void end_push(sat_World *world) {
  sat_Push last = world->push.chain.at[--world->push.chain.count];
  const sat_Shape *shape = sat_entry_shape(world, last.index);
  double size = length(last.asked);
  double gone = dot(sub(shape->centroid, last.from), last.asked) / size;
  sat_set_state(world, last.index, SAT_ENTRY_PUSHES, false);
  if (gone < size - sat_push_rounding(shape))
    sat_set_state(world, last.index, SAT_ENTRY_JAMMED, true);
}

/* Leaves the shape of a move where it has come to, as the world sees it. */
static sat_Status stand_where_pushing(sat_MoveState *move) {
  sat_Status status = SAT_OK;
  sat_shape_stand_at(move->shape, move->place);
  if (move->phase == SAT_MOVE_PUSH) status = sat_shape_shift(move->shape, move->at);
  if (!is_at(move->shape, &move->start))
    sat_shape_put(move->shape, sat_shape_position(move->shape));
  return status;
}

/* Moves the last of the chain on, to where it ends or pushes another shape. */
static sat_Status push_on(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_MoveHit question;
  size_t at = world->push.chain.count - 1;
  const sat_Push *last = &world->push.chain.at[at];
  move->phase = SAT_MOVE_IDLE;
  if (last->left.x == 0 && last->left.y == 0) return end_push(world), SAT_OK;
  sat_Shape *shape = sat_entry_shape(world, last->index);
  sat_Status status = sat_world_way_begin(world, shape, last->left, SAT_PUSH);
  if (!status) status = sat_world_way_go_on(world, &question);
  if (!status) status = stand_where_pushing(move);
  if (status) return status;
  if (move->phase == SAT_MOVE_DONE) return end_push(world), SAT_OK;
  world->push.chain.at[at].left = move->left;
  return begin_push(world, move->pushed, move->push);
}

sat_Status sat_world_push(sat_World *world, uint32_t index, sat_Vec2 vector) {
  world->push.chain.count = 0;
  sat_Status status = begin_push(world, index, vector);
  while (!status && world->push.chain.count > 0) status = push_on(world);
  world->move->phase = SAT_MOVE_IDLE;
  return status;
}

/* Pushes what the mover has met, while the mover waits and stands where it has come to. */
static sat_Status push_met(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_Status status = stand_where_pushing(move);
  SAT_SWAP(sat_MoveState *, &world->move, &world->waiting);
  if (!status) status = sat_world_push(world, move->pushed, move->push);
  SAT_SWAP(sat_MoveState *, &world->move, &world->waiting);
  sat_shape_stand_at(move->shape, move->place);
  move->phase = SAT_MOVE_PUSHED;
  return status;
}

/* ---------------------------------------------------------------- the calls */

sat_Status sat_world_move_begin(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                                sat_Response response) {
  sat_PushState *push = &world->push;
  push->fresh.count = 0;
  push->weight = 0;
  push->limit = shape->mass;
  push->longest = length(motion);
  return sat_world_way_begin(world, shape, motion, response);
}

/* Locks the world and what moves or turns in it, while a question is open. */
static void lock_for_question(sat_World *world, bool locked) {
  sat_Shape *shape = world->turn.shape ? world->turn.shape : world->move->shape;
  sat_world_set_locked(world, locked);
  shape->flags = locked ? shape->flags | SAT_LOCKED : shape->flags & ~(uint32_t)SAT_LOCKED;
}

void sat_world_cancel(sat_World *world) {
  bool moves = world->move->phase != SAT_MOVE_IDLE;
  if (moves || world->turn.shape) lock_for_question(world, false);
  if (moves) sat_world_forget_moved(world, &world->push.fresh, false);
  world->move->phase = SAT_MOVE_IDLE;
  world->turn.shape = NULL;
}

static sat_Status run_move(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = world->move;
  SAT_ASSERT(move->phase != SAT_MOVE_IDLE);
  put_pushed(world, false);
  sat_shape_stand_at(move->shape, move->place);
  sat_Status status = sat_world_way_go_on(world, question);
  while (!status && move->phase == SAT_MOVE_PUSH) {
    status = push_met(world);
    if (!status) status = sat_world_way_go_on(world, question);
  }
  sat_shape_stand_at(move->shape, move->start);
  if (world->push.fresh.count > 0) sat_shape_put(move->shape, move->start);
  put_pushed(world, true);
  return status;
}

sat_Status sat_world_run(sat_World *world, sat_MoveHit *question) {
  lock_for_question(world, false);
  sat_Status status =
      world->turn.shape ? sat_world_run_turn(world, question) : run_move(world, question);
  if (status == SAT_MISS) lock_for_question(world, true);
  if (status > SAT_MISS) sat_world_cancel(world);
  return status;
}

void sat_world_move_apply(sat_World *world) { put_at(world->move->shape, &world->move->place); }

sat_MoveResult sat_world_move_end(sat_World *world, bool stay) {
  sat_MoveState *move = world->move;
  const sat_CarryEntries *fresh = &world->push.fresh;
  sat_CarriedShapes *pushed = &world->push.pushed;
  pushed->count = fresh->count;
  for (size_t i = 0; i < fresh->count; i++) {
    pushed->at[i] = fresh->at[i].carried;
    pushed->at[i].motion = sub(fresh->at[i].place.centroid, fresh->at[i].start.centroid);
  }
  sat_world_forget_moved(world, fresh, false);
  sat_world_take_hits(world, &move->fresh, move->start.centroid, move->place.centroid);
  move->phase = SAT_MOVE_IDLE;
  if (!stay) put_pushed(world, false);
  if (!stay) sat_world_move_apply(world);
  return (sat_MoveResult){move->place.centroid, move->rest, move->hits.count};
}

static sat_Status move_at_once(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                               sat_Response response, bool stay, sat_MoveResult *result) {
  sat_MoveHit question;
  sat_Status status = sat_world_move_begin(world, shape, motion, response);
  if (!status) status = run_move(world, &question);
  if (!status) *result = sat_world_move_end(world, stay);
  else sat_world_cancel(world);
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
  const sat_MoveState *move = world->move;
  if (move->phase != SAT_MOVE_IDLE || move->shape != shape ||
      !equal_points(move->place.centroid, centroid) || !is_at(shape, &move->start))
    return SAT_MISS;
  for (size_t i = 0; i < world->push.fresh.count; i++) {
    const sat_CarryEntry *pushed = &world->push.fresh.at[i];
    uint32_t index = pushed->carried.other;
    if (sat_world_id(world, index) != pushed->carried.id ||
        !is_at(sat_entry_shape(world, index), &pushed->start))
      return SAT_MISS;
  }
  put_pushed(world, false);
  sat_world_move_apply(world);
  return SAT_OK;
}
