/* carry.c: moves a platform with its riders, and pushes what it sweeps over.
 *
 * Nothing stops the platform. Its riders move as if they were fixed to it, each by a move of its
 * own that passes through the platform and the other riders. What the platform meets on its way is
 * pushed as a move that pushes does it (push.c), and along what a wall makes of that. A shape that
 * cannot be pushed out of the way is crushed: it stays where it was, and stops nothing. */
#include "base/heap.h"
#include "base/memory.h"
#include "shape/convex.h"
#include "world/world.h"

/* A rider stands on a shape if the contact normal is within 60 degrees of up. */
#define LEAST_UPRIGHT 0.5
/* The pushes of a shape along normals before one along the motion itself. */
enum { MOST_PUSHES = 4, HALVINGS = 50 };

/* ---------------------------------------------------------------- the carried shapes */

static sat_CarryEntry *carried_entry(sat_World *world, uint32_t index) {
  return &world->push.fresh.at[world->entries[index].place];
}

static double both_sides(const sat_Shape *shape) {
  sat_Box box = sat_shape_bounds(shape);
  return box.max.x - box.min.x + box.max.y - box.min.y;
}

#define IS_BEYOND(w, a, b) sat_is_farther(from_platform(w, *(a)), from_platform(w, *(b)))

static sat_Vec2 from_platform(const sat_World *world, uint32_t index) {
  return sub(sat_entry_shape(world, index)->centroid, world->carry.platform->centroid);
}
SAT_DEFINE_MERGESORT(uint32_t, near, IS_BEYOND)

/* Lists in carry.near what may be moved near a shape, the farthest first, which makes room for the
 * rest. */
static sat_Status find_movable_near(sat_World *world, const sat_Shape *shape) {
  sat_Items *near = &world->carry.near;
  sat_Rectangle box = sat_box_of(shape);
  double out = 4 * sat_touch_rounding(shape, shape);
  near->count = 0;
  sat_Status status = sat_world_query_boxes(
      world, &(sat_Rectangle){box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out});
  if (!status) status = SAT_LIST_RESERVE(near, 2 * world->near.count);
  for (size_t i = 0; !status && i < world->near.count; i++) {
    uint32_t index = world->near.at[i];
    if (sat_entry_shape(world, index) != shape && sat_world_may_carry(world, index))
      near->at[near->count++] = index;
  }
  if (!status && near->count > 1) near_sort(near->at, near->at + near->count, near->count, world);
  return status;
}

/* ---------------------------------------------------------------- riders */

/* Whether a shape stands on another one, on a surface that is real among all that is around: SAT_OK
 * or SAT_MISS. */
static sat_Status stands_on(sat_World *world, sat_Shape *shape, const sat_Shape *base,
                            sat_Vec2 up) {
  sat_Surfaces *found = &world->move->way.bars;
  sat_Space *space = &world->move->solids;
  sat_Status status = sat_world_look_around(world, shape);
  if (status) return status;
  found->count = 0;
  sat_space_surfaces(space, vec2(0, 0), SAT_ACTIVE * space->rounding, found);
  for (size_t i = 0; !space->status && i < found->count; i++) {
    const sat_Surface *s = &found->at[i];
    uint32_t index = world->move->others.at[sat_obstacle_of(space, s)->solid].index;
    if (sat_entry_shape(world, index) == base && s->outside <= space->rounding &&
        dot(s->normal, up) >= LEAST_UPRIGHT && sat_surface_is_open(space, s) &&
        sat_surface_is_real(space, s, vec2(0, 0)))
      return SAT_OK;
  }
  return space->status ? space->status : SAT_MISS;
}

/* Lists the riders of the platform, the riders of those riders, and so on. */
static sat_Status find_riders(sat_World *world, sat_Vec2 up) {
  const sat_Items *near = &world->carry.near;
  const sat_Shape *base = world->carry.platform;
  sat_CarryEntries *riders = &world->push.fresh;
  for (size_t next = 0;; base = sat_entry_shape(world, riders->at[next++].carried.other)) {
    sat_Status status = find_movable_near(world, base);
    for (size_t i = 0; !status && i < near->count; i++) {
      sat_Shape *other = sat_entry_shape(world, near->at[i]);
      if (!sat_shapes_filter(base, other) || sat_has_state(world, near->at[i], SAT_ENTRY_CARRIED))
        continue;
      status = stands_on(world, other, base, up);
      if (!status) status = sat_world_list_moved(world, riders, near->at[i]);
      if (!status) sat_set_state(world, near->at[i], SAT_ENTRY_RIDES, true);
      if (status == SAT_MISS) status = SAT_OK;
    }
    if (status || next == riders->count) return status;
  }
}

/* ---------------------------------------------------------------- moves */

/* Sets a bit of all that are carried or pushed. */
static void set_all_states(sat_World *world, uint32_t state, bool on) {
  const sat_CarryEntries *carried = &world->push.fresh;
  for (size_t i = 0; i < carried->count; i++)
    sat_set_state(world, carried->at[i].carried.other, state, on);
}

/* Moves one rider as far as possible, as if its centroid were fixed to the platform. */
static sat_Status move_rider(sat_World *world, sat_CarryEntry *rider, bool *held) {
  const sat_CarryState *carry = &world->carry;
  sat_Shape *shape = sat_entry_shape(world, rider->carried.other);
  sat_Vec2 way = carry->motion, from = rider->start.centroid;
  if (carry->angle != 0) {
    double sine, cosine;
    sat_sine_cosine(carry->angle, &sine, &cosine);
    sat_Vec2 arm = sub(from, carry->start.centroid);
    sat_Vec2 turned = vec2(cosine * arm.x - sine * arm.y, sine * arm.x + cosine * arm.y);
    way = sub(add(carry->platform->centroid, turned), from);
  }
  sat_shape_put(shape, rider->start);
  sat_Status status = sat_world_find_way(world, shape, way, SAT_SLIDE);
  if (!status) sat_world_move_apply(world);
  sat_Vec2 missed = sub(sub(shape->centroid, from), way);
  *held = length(missed) > 4 * sat_touch_rounding(shape, shape);
  return status;
}

static bool holds_back(const sat_World *world, const sat_Shape *shape, uint32_t index) {
  return sat_has_state(world, index, SAT_ENTRY_CARRIED) &&
         !sat_has_state(world, index, SAT_ENTRY_PASSABLE) &&
         sat_shapes_filter(shape, sat_entry_shape(world, index));
}

/* Whether a rider now overlaps one that is held back: SAT_OK or SAT_MISS. */
static sat_Status runs_into_held(sat_World *world, const sat_CarryEntry *rider) {
  sat_Result way;
  sat_Shape *shape = sat_entry_shape(world, rider->carried.other);
  sat_Status status = sat_world_way_out(world, shape, holds_back, NULL, &way);
  return status == SAT_OK && way.depth == 0 ? SAT_MISS : status;
}

/* Moves all riders through each other; those that a wall holds back are no longer passable then,
 * and hold back riders that would run into them, from the top of a stack down. */
static sat_Status move_riders(sat_World *world) {
  const sat_CarryEntries *carried = &world->push.fresh;
  bool any_held = false;
  sat_Status status = SAT_OK;
  set_all_states(world, SAT_ENTRY_PASSABLE, true);
  for (size_t i = 0; !status && i < carried->count; i++)
    status = move_rider(world, &carried->at[i], &carried->at[i].carried.held);
  for (size_t i = 0; i < carried->count; i++) {
    any_held = any_held || carried->at[i].carried.held;
    sat_set_state(world, carried->at[i].carried.other, SAT_ENTRY_PASSABLE,
                  !carried->at[i].carried.held);
  }
  for (size_t i = carried->count; any_held && !status && i-- > 0;) {
    sat_CarryEntry *rider = &carried->at[i];
    bool held = rider->carried.held;
    if (!held) status = runs_into_held(world, rider);
    if (!held && !status) status = move_rider(world, rider, &held);
    if (status == SAT_MISS) status = SAT_OK;
    sat_set_state(world, rider->carried.other, SAT_ENTRY_PASSABLE, !held);
  }
  set_all_states(world, SAT_ENTRY_PASSABLE, false);
  return status;
}

/* ---------------------------------------------------------------- shapes in the way */

/* Finds where the platform, at a displacement from its start, meets a shape that it is not inside
 * of. SAT_MISS: nowhere. */
static sat_Status meet(sat_World *world, uint32_t index, sat_Vec2 at, sat_Vec2 motion, double *t) {
  sat_CarryState *carry = &world->carry;
  const sat_MoveHits *hits = &world->move->fresh;
  sat_SavedPosition here = sat_shape_position(carry->platform);
  carry->only = index;
  sat_shape_stand_at(carry->platform, carry->start);
  sat_Status status = sat_shape_shift(carry->platform, at);
  if (!status) status = sat_world_find_way(world, carry->platform, motion, SAT_TOUCH);
  sat_shape_stand_at(carry->platform, here);
  carry->only = SAT_NO_SHAPE;
  if (status) return status;
  if (hits->count == 0 || hits->at[0].how >= SAT_FREED) return SAT_MISS;
  *t = hits->at[0].t;
  return SAT_OK;
}

/* The least part of a slide, up to `most`, that takes a shape out of the platform's way: by as much
 * as if the platform stood back. */
static sat_Status least_slide(sat_World *world, uint32_t index, const sat_MoveState *sweep,
                              sat_Vec2 slide, double most, double *least) {
  double low = 0, high = most, k = most, t;
  sat_Status status = SAT_OK;
  for (int i = 0; i <= HALVINGS && status <= SAT_MISS; i++) {
    status = meet(world, index, sub(sweep->at, mul(slide, k)), sweep->left, &t);
    if (status == SAT_MISS) high = k;
    else if (i == 0) break; /* nor does all of it */
    else low = k;
    k = (low + high) / 2;
  }
  *least = high;
  return status == SAT_MISS ? SAT_OK : status;
}

static void crush(sat_World *world, uint32_t index) {
  sat_CarryEntry *entry = carried_entry(world, index);
  entry->carried.crushed = true;
  entry->turns++; /* its obstacles are no longer where it is */
  sat_set_state(world, index, SAT_ENTRY_PASSABLE, true);
  sat_shape_put(sat_entry_shape(world, index), entry->start);
}

/* Pushes a shape, and first whatever stands in its way and may be pushed; `along`: all of them by
 * the vector. Notes whether the shape has moved, and the direction that a wall has given it, or has
 * had given a shape that slides. No shape goes farther than the platform's motion and the sides of
 * both boxes. */
static sat_Status push(sat_World *world, uint32_t index, sat_Vec2 vector, bool along, bool slides) {
  sat_PushState *push = &world->push;
  const sat_Shape *platform = world->carry.platform, *shape = sat_entry_shape(world, index);
  sat_Vec2 from = shape->centroid;
  push->longest = length(world->carry.motion) + both_sides(platform) + both_sides(shape);
  push->along = along;
  sat_Status status = sat_world_push(world, index, vector);
  push->along = false;
  if (status) return status;
  sat_CarryEntry *entry = carried_entry(world, index);
  sat_Vec2 gone = sub(shape->centroid, from);
  double way = length(gone);
  bool is_turned = way > 0 && (slides || sat_has_state(world, index, SAT_ENTRY_JAMMED));
  entry->slide = is_turned ? mul(gone, 1 / way) : vec2(0, 0);
  entry->stood = way == 0;
  set_all_states(world, SAT_ENTRY_JAMMED, false);
  return SAT_OK;
}

/* Pushes what the platform has met, which waits, out of its way: along the normal, along a wall
 * that has let it slide, and last along the motion itself, by which shapes that push each other
 * back go together. */
static sat_Status push_aside(sat_World *world, const sat_MoveState *sweep) {
  uint32_t index = sweep->pushed;
  sat_Status status = sat_world_list_moved(world, &world->push.fresh, index);
  if (status) return status;
  sat_CarryEntry *entry = carried_entry(world, index);
  sat_Vec2 vector = sweep->push, slide = entry->slide, normal = sweep->front.normal;
  double into = -dot(sweep->left, normal), slid = -dot(slide, normal);
  bool along = entry->stood || entry->met == MOST_PUSHES;
  if (entry->met++ > MOST_PUSHES) return crush(world, index), SAT_OK;
  bool slides = !along && slid > SAT_LEAST_SLIDING && slid < 1 - SAT_LEAST_SLIDING;
  if (along) vector = sweep->left;
  if (slides) {
    double most = both_sides(sat_entry_shape(world, index)) + both_sides(world->carry.platform), k;
    status = least_slide(world, index, sweep, slide, min2(into / slid, most), &k);
    vector = mul(slide, k + 2 * sweep->solids.rounding / slid); /* and clear of it */
  }
  if (!status) status = push(world, index, vector, along, slides);
  if (!status && along && carried_entry(world, index)->stood) crush(world, index);
  return status;
}

/* Pushes what the platform meets on its way. What it begins inside of is left to its new place, and
 * so is what it meets at the side of a one-way platform that stops nothing. Where the way ends in a
 * gap of what has been pushed last, that is pushed along. */
static sat_Status sweep(sat_World *world) {
  const sat_CarryState *carry = &world->carry;
  sat_MoveState *move = world->move;
  sat_SavedPosition end = sat_shape_position(carry->platform);
  sat_MoveHit met;
  sat_Vec2 open;
  bool has_side = sat_shape_one_way(carry->platform, &open);
  if (has_side && dot(carry->motion, open) <= 0) return SAT_OK;
  sat_shape_stand_at(carry->platform, carry->start);
  move->pushed = SAT_NO_SHAPE;
  sat_Status status = sat_world_way_begin(world, carry->platform, carry->motion, SAT_ASK);
  while (!status) {
    status = sat_world_way_go_on(world, &met);
    if (status == SAT_MISS) {
      bool passes = move->phase == SAT_MOVE_INSIDE ||
                    (has_side && -dot(met.normal, open) <= SAT_LEAST_FACING);
      sat_world_answer(world, met.other, passes ? SAT_IGNORE : SAT_PUSH);
      status = SAT_OK;
      continue;
    }
    if (status) break;
    if (move->phase == SAT_MOVE_DONE) {
      if (move->pushed == SAT_NO_SHAPE || equal_points(move->at, move->goal) ||
          sat_has_state(world, move->pushed, SAT_ENTRY_PASSABLE))
        break;
      carried_entry(world, move->pushed)->stood = true;
      move->left = sub(move->goal, move->at);
    }
    SAT_SWAP(sat_MoveState *, &world->move, &world->waiting);
    status = push_aside(world, move);
    SAT_SWAP(sat_MoveState *, &world->move, &world->waiting);
    move->phase = SAT_MOVE_PUSHED;
  }
  move->phase = SAT_MOVE_IDLE;
  sat_shape_stand_at(carry->platform, end);
  return status;
}

/* ---------------------------------------------------------------- overlaps at the end */

/* The way of a shape out of the platform's new place; depth 0 for an overlap within rounding, and
 * for that of a one-way platform with what it has neither carried nor met. */
static sat_Status find_way_out(sat_World *world, uint32_t index, sat_Result *way) {
  const sat_Shape *platform = world->carry.platform;
  sat_Vec2 open;
  bool is_known =
      sat_has_state(world, index, SAT_ENTRY_RIDES) ||
      (sat_has_state(world, index, SAT_ENTRY_CARRIED) && carried_entry(world, index)->met > 0);
  sat_Status status = sat_collide(sat_entry_shape(world, index), platform, &world->scratch, way);
  if (status > SAT_MISS) return status;
  if (status == SAT_MISS || (sat_shape_one_way(platform, &open) && !is_known) ||
      way->depth <= 2 * sat_touch_rounding(platform, platform))
    *way = (sat_Result){.depth = 0};
  return SAT_OK;
}

/* Pushes one shape out of the platform's new place: a rider that was held, what a turn has reached,
 * or what another shape has pushed there. It is pushed by what is left of the motion where the
 * platform meets it, by the way out, and by the motion as it is. */
static sat_Status free_one(sat_World *world, uint32_t index) {
  const sat_CarryState *carry = &world->carry;
  bool rides = sat_has_state(world, index, SAT_ENTRY_RIDES);
  double t;
  sat_Result way;
  sat_Status status = find_way_out(world, index, &way);
  if (status || way.depth == 0) return status;
  status = sat_world_list_moved(world, &world->push.fresh, index);
  if (!status) status = meet(world, index, vec2(0, 0), carry->motion, &t);
  if (status > SAT_MISS) return status;
  if (status == SAT_OK) status = push(world, index, mul(carry->motion, 1 - t), false, false);
  if (status <= SAT_MISS) status = find_way_out(world, index, &way);
  if (!status && way.depth > 0 && (carry->angle != 0 || !rides))
    status = push(world, index, way.vector, false, false);
  return status;
}

/* Crushes what still overlaps the platform, and a held rider that the platform has leapt over. */
static sat_Status crush_rest(sat_World *world) {
  const sat_CarryState *carry = &world->carry;
  for (size_t i = 0; i < world->push.fresh.count; i++) {
    const sat_CarryEntry *entry = &world->push.fresh.at[i];
    uint32_t index = entry->carried.other;
    sat_Vec2 own = sub(sat_entry_shape(world, index)->centroid, entry->start.centroid);
    sat_Result way;
    double t;
    if (entry->carried.crushed) continue;
    sat_Status status = find_way_out(world, index, &way);
    if (!status && way.depth == 0 && (!entry->carried.held || carry->angle != 0)) continue;
    if (!status && way.depth == 0) status = meet(world, index, own, sub(carry->motion, own), &t);
    if (!status) crush(world, index);
    if (status > SAT_MISS) return status;
  }
  return SAT_OK;
}

static sat_Status push_all(sat_World *world) {
  const sat_Items *near = &world->carry.near;
  sat_Status status = sweep(world);
  if (!status) status = find_movable_near(world, world->carry.platform);
  for (size_t i = 0; !status && i < near->count; i++)
    if (!sat_has_state(world, near->at[i], SAT_ENTRY_PASSABLE))
      status = free_one(world, near->at[i]);
  return status ? status : crush_rest(world);
}

/* ---------------------------------------------------------------- the carry */

static bool was_added_later(const sat_Carried *p, const sat_Carried *q) { return p->id > q->id; }
SAT_DEFINE_SORT(sat_Carried, carried, was_added_later)

/* Lists the carried shapes in the order of adding, with their motions, and those behind the riders
 * in the order of the first push. */
static sat_Status finish_carry(sat_World *world, size_t riders, sat_CarryResult *result) {
  const sat_CarryEntries *fresh = &world->push.fresh;
  sat_CarriedShapes *carried = &world->carry.carried, *pushed = &world->push.pushed;
  sat_Status status = SAT_LIST_RESERVE(pushed, fresh->count - riders);
  if (!status) status = SAT_LIST_RESERVE(carried, fresh->count);
  if (status) return status;
  *result = (sat_CarryResult){fresh->count, 0};
  carried->count = fresh->count;
  pushed->count = fresh->count - riders;
  for (size_t i = 0; i < fresh->count; i++) {
    sat_Carried one = fresh->at[i].carried;
    one.motion = sub(sat_entry_shape(world, one.other)->centroid, fresh->at[i].start.centroid);
    result->crushed += one.crushed;
    carried->at[i] = one;
    if (i >= riders) pushed->at[i - riders] = one;
  }
  carried_sort(carried->at, carried->count);
  sat_world_note_hits(world);
  return SAT_OK;
}

sat_Status sat_world_carry(sat_World *world, sat_Shape *platform, sat_Vec2 vector, double angle,
                           sat_Vec2 up, sat_CarryResult *result) {
  double size = length(up);
  if (!in_range(vector.x) || !in_range(vector.y) || !in_range(angle)) return SAT_ERANGE;
  if (!(size > 0) || !in_range(size)) return SAT_EVALUE;
  double rotation = platform->angle;
  sat_CarryState *carry = &world->carry;
  sat_PushState *push = &world->push;
  carry->platform = platform;
  carry->motion = vector;
  carry->angle = angle;
  carry->start = sat_shape_position(platform);
  carry->only = SAT_NO_SHAPE;
  push->fresh.count = 0;
  push->weight = 0;
  push->limit = HUGE_VAL;
  uint32_t own = sat_index_in(world, platform);
  sat_Status status = find_riders(world, mul(up, 1 / size));
  size_t riders = push->fresh.count;
  if (!status) status = sat_shape_move(platform, vector.x, vector.y);
  if (own != SAT_NO_SHAPE) sat_set_state(world, own, SAT_ENTRY_PASSABLE, true);
  if (!status && angle != 0) status = sat_shape_rotate(platform, angle);
  if (!status) status = move_riders(world);
  if (!status) status = push_all(world);
  if (own != SAT_NO_SHAPE) sat_set_state(world, own, SAT_ENTRY_PASSABLE, false);
  world->move->shape = NULL; /* nothing of a check is left to be made */
  if (!status) status = finish_carry(world, riders, result);
  sat_world_forget_moved(world, &push->fresh, status != SAT_OK);
  if (status && platform->angle != rotation) sat_shape_set_rotation(platform, rotation);
  /* The tree may have seen it at its start, where it stands at times meanwhile. */
  sat_shape_put(platform, status ? carry->start : sat_shape_position(platform));
  carry->platform = NULL;
  return status;
}

const sat_CarriedShapes *sat_world_carried(const sat_World *world) { return &world->carry.carried; }
