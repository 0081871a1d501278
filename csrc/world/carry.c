/* carry.c: moves a platform with its riders, and pushes the shapes in its way.
 *
 * Nothing stops the platform. Its riders move as if they were fixed to it, each by a move of its
 * own that passes through the platform and the other riders. A shape that the platform then
 * overlaps is pushed by the shortest part of the motion that frees it, or, if a rotation has caused
 * the overlap, by the minimum translation vector. A shape that still overlaps is crushed: it stays
 * where it was. */
#include "base/heap.h"
#include "base/memory.h"
#include "shape/convex.h"
#include "world/world.h"

#include <string.h>

/* A rider stands on a shape if the contact normal is within 60 degrees of up. */
#define LEAST_UPRIGHT 0.5

/* ---------------------------------------------------------------- the carried shapes */

static bool is_carried(const sat_World *world, uint32_t index) {
  return world->entries[index].state & SAT_ENTRY_CARRIED;
}

static sat_Status add_carried(sat_World *world, uint32_t index) {
  sat_CarryEntries *carried = &world->carry.fresh;
  sat_Status status = SAT_LIST_RESERVE(carried, 1);
  if (status) return status;
  carried->at[carried->count++] =
      (sat_CarryEntry){.carried = {.other = index, .id = world->entries[index].id},
                       .start = sat_shape_position(sat_entry_shape(world, index))};
  world->entries[index].state |= SAT_ENTRY_CARRIED;
  return SAT_OK;
}

static sat_CarryEntry *find_carried(sat_World *world, uint32_t index) {
  sat_CarryEntry *carried = world->carry.fresh.at;
  while (carried->carried.other != index) carried++;
  return carried;
}

static void forget_carried(sat_World *world) {
  const sat_CarryEntries *carried = &world->carry.fresh;
  for (size_t i = 0; i < carried->count; i++)
    world->entries[carried->at[i].carried.other].state &= ~(uint32_t)SAT_ENTRY_CARRIED;
}

/* ---------------------------------------------------------------- riders */

static bool can_be_moved(const sat_World *world, const sat_Shape *platform, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(world, index);
  return other != platform && !(other->flags & (SAT_STATIC | SAT_SENSOR)) &&
         sat_is_solid(platform) && sat_shapes_filter(platform, other);
}

/* Whether a shape stands on another one: SAT_OK or SAT_MISS. */
static sat_Status stands_on(sat_World *world, const sat_Shape *shape, const sat_Shape *base,
                            sat_Vec2 up) {
  sat_Rectangle box = sat_box_of(shape);
  double way = SAT_PROBE_LENGTH * max2(box.w, box.h);
  sat_Hit hit;
  sat_Status status = sat_cast(shape, mul(up, -way), base, &world->scratch, &hit);
  if (status) return status;
  bool stands =
      hit.t * way <= sat_touch_rounding(shape, base) && dot(hit.normal, up) >= LEAST_UPRIGHT;
  return stands ? SAT_OK : SAT_MISS;
}

/* Adds the shapes that stand on a shape and are not listed yet. */
static sat_Status add_riders_of(sat_World *world, const sat_Shape *base, const sat_Shape *platform,
                                sat_Vec2 up) {
  sat_Rectangle box = sat_box_of(base);
  double out = 4 * sat_touch_rounding(base, base);
  sat_Status status = sat_world_query_boxes(
      world, (sat_Rectangle){box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out});
  for (size_t i = 0; !status && i < world->near.count; i++) {
    uint32_t index = world->near.at[i];
    const sat_Shape *other = sat_entry_shape(world, index);
    if (other == base || !can_be_moved(world, platform, index) || !sat_shapes_filter(base, other) ||
        is_carried(world, index))
      continue;
    status = stands_on(world, other, base, up);
    if (status == SAT_OK) status = add_carried(world, index);
    else if (status == SAT_MISS) status = SAT_OK;
  }
  return status;
}

/* Lists the riders of the platform, the riders of those riders, and so on. */
static sat_Status find_riders(sat_World *world, const sat_Shape *platform, sat_Vec2 up) {
  const sat_CarryEntries *carried = &world->carry.fresh;
  sat_Status status = add_riders_of(world, platform, platform, up);
  for (size_t i = 0; !status && i < carried->count; i++)
    status =
        add_riders_of(world, sat_entry_shape(world, carried->at[i].carried.other), platform, up);
  return status;
}

/* ---------------------------------------------------------------- moves */

/* Moves one shape through all shapes that are marked as passable. */
static sat_Status move_one(sat_World *world, uint32_t index, sat_Vec2 motion) {
  sat_MoveHit question;
  sat_Status status = sat_world_move_begin(world, sat_entry_shape(world, index), motion, SAT_SLIDE);
  if (!status) status = sat_world_move_run(world, &question);
  if (!status) sat_world_move_apply(world);
  return status;
}

static void set_passable(sat_World *world, uint32_t index, bool passable) {
  if (index == SAT_NO_SHAPE) return;
  uint32_t *state = &world->entries[index].state;
  *state = passable ? *state | SAT_ENTRY_PASSABLE : *state & ~(uint32_t)SAT_ENTRY_PASSABLE;
}

/* The motion of a point that is fixed to the platform. */
static sat_Vec2 motion_of_point(const sat_Shape *platform, const sat_CarryMotion *motion,
                                sat_Vec2 point) {
  if (motion->angle == 0) return motion->vector;
  double sine, cosine;
  sat_sine_cosine(motion->angle, &sine, &cosine);
  sat_Vec2 arm = sub(point, motion->centroid);
  sat_Vec2 turned = vec2(cosine * arm.x - sine * arm.y, sine * arm.x + cosine * arm.y);
  return sub(add(platform->centroid, turned), point);
}

/* Moves one rider as far as possible. A rider that is held back is no longer passable. */
static sat_Status move_rider(sat_World *world, const sat_Shape *platform,
                             const sat_CarryMotion *motion, sat_CarryEntry *rider, bool *held) {
  sat_Shape *shape = sat_entry_shape(world, rider->carried.other);
  sat_shape_put(shape, rider->start);
  sat_Vec2 way = motion_of_point(platform, motion, rider->start.centroid);
  sat_Status status = move_one(world, rider->carried.other, way);
  sat_Vec2 missed = sub(sub(shape->centroid, rider->start.centroid), way);
  *held = length(missed) > sat_touch_rounding(shape, platform);
  if (!status && *held) set_passable(world, rider->carried.other, false);
  return status;
}

/* Whether a rider now overlaps one that is held back: SAT_OK or SAT_MISS. */
static sat_Status runs_into_held(sat_World *world, const sat_CarryEntry *rider) {
  const sat_Shape *shape = sat_entry_shape(world, rider->carried.other);
  sat_world_flush(world);
  sat_Status status = sat_world_query_boxes(world, sat_box_of(shape));
  for (size_t i = 0; !status && i < world->near.count; i++) {
    uint32_t index = world->near.at[i], state = world->entries[index].state;
    const sat_Shape *other = sat_entry_shape(world, index);
    sat_Result way;
    if (other == shape || !(state & SAT_ENTRY_CARRIED) || (state & SAT_ENTRY_PASSABLE) ||
        !sat_shapes_filter(shape, other))
      continue;
    status = sat_collide(shape, other, &world->scratch, &way);
    if (status == SAT_OK && way.depth > sat_touch_rounding(shape, other)) return SAT_OK;
    if (status == SAT_MISS) status = SAT_OK;
  }
  return status ? status : SAT_MISS;
}

/* A rider that a wall holds back also holds back riders that would run into it, from the top of a
 * stack down. */
static sat_Status hold_back(sat_World *world, const sat_Shape *platform,
                            const sat_CarryMotion *motion) {
  const sat_CarryEntries *carried = &world->carry.fresh;
  for (size_t i = carried->count; i-- > 0;) {
    sat_CarryEntry *rider = &carried->at[i];
    bool held;
    if (!(world->entries[rider->carried.other].state & SAT_ENTRY_PASSABLE)) continue;
    sat_Status status = runs_into_held(world, rider);
    if (status == SAT_OK) status = move_rider(world, platform, motion, rider, &held);
    if (status > SAT_MISS) return status;
  }
  return SAT_OK;
}

static sat_Status move_riders(sat_World *world, const sat_Shape *platform,
                              const sat_CarryMotion *motion) {
  const sat_CarryEntries *carried = &world->carry.fresh;
  sat_Status status = SAT_OK;
  bool any_held = false, held = false;
  for (size_t i = 0; i < carried->count; i++)
    set_passable(world, carried->at[i].carried.other, true);
  for (size_t i = 0; !status && i < carried->count; i++) {
    status = move_rider(world, platform, motion, &carried->at[i], &held);
    set_passable(world, carried->at[i].carried.other, true);
    carried->at[i].carried.held = held;
    any_held = any_held || held;
  }
  for (size_t i = 0; i < carried->count; i++)
    if (carried->at[i].carried.held) set_passable(world, carried->at[i].carried.other, false);
  if (!status && any_held) status = hold_back(world, platform, motion);
  for (size_t i = 0; i < carried->count; i++)
    set_passable(world, carried->at[i].carried.other, false);
  return status;
}

/* ---------------------------------------------------------------- shapes in the way */

/* The depth of a shape in the platform; 0 for an overlap within rounding. */
static sat_Status depth_in(sat_World *world, const sat_Shape *shape, const sat_Shape *platform,
                           sat_Result *way) {
  sat_Status status = sat_collide(shape, platform, &world->scratch, way);
  if (status == SAT_MISS || (status == SAT_OK && way->depth <= sat_touch_rounding(shape, platform)))
    *way = (sat_Result){.depth = 0};
  return status == SAT_MISS ? SAT_OK : status;
}

/* The fraction of the motion that remains after the platform's first contact with a shape. */
static sat_Status fraction_that_frees(sat_World *world, sat_Shape *platform,
                                      const sat_CarryMotion *motion, const sat_Shape *other,
                                      double *fraction) {
  sat_Hit hit;
  sat_SavedPosition end = sat_shape_position(platform);
  sat_Status status = sat_shape_shift(platform, neg(motion->vector));
  if (!status) status = sat_cast(platform, motion->vector, other, &world->scratch, &hit);
  sat_shape_stand_at(platform, end);
  *fraction = status == SAT_OK ? 1 - hit.t : 0;
  return status == SAT_MISS ? SAT_OK : status;
}

/* Pushes one shape out of the platform. A shape without a way out is crushed and stays where it
 * was. */
static sat_Status push_one(sat_World *world, sat_Shape *platform, const sat_CarryMotion *motion,
                           uint32_t index) {
  sat_Shape *other = sat_entry_shape(world, index);
  sat_Result way;
  double fraction;
  sat_Status status = depth_in(world, other, platform, &way);
  if (status || way.depth == 0) return status;
  if (!is_carried(world, index)) status = add_carried(world, index);
  if (!status) status = fraction_that_frees(world, platform, motion, other, &fraction);
  if (!status && fraction > 0) status = move_one(world, index, mul(motion->vector, fraction));
  if (!status) status = depth_in(world, other, platform, &way);
  if (!status && way.depth > 0 && motion->angle != 0) {
    status = move_one(world, index, way.vector);
    if (!status) status = depth_in(world, other, platform, &way);
  }
  if (status || way.depth == 0) return status;
  sat_CarryEntry *carried = find_carried(world, index);
  carried->carried.crushed = true;
  sat_shape_put(other, carried->start);
  return SAT_OK;
}

static sat_Status push_all(sat_World *world, sat_Shape *platform, const sat_CarryMotion *motion) {
  sat_Items *near = &world->carry.near;
  sat_world_flush(world);
  sat_Status status = sat_world_query_boxes(world, sat_box_of(platform));
  near->count = 0;
  if (!status) status = SAT_LIST_RESERVE(near, world->near.count);
  for (size_t i = 0; !status && i < world->near.count; i++)
    if (can_be_moved(world, platform, world->near.at[i]))
      near->at[near->count++] = world->near.at[i];
  for (size_t i = 0; !status && i < near->count; i++)
    status = push_one(world, platform, motion, near->at[i]);
  return status;
}

/* ---------------------------------------------------------------- the carry */

/* Restores all positions after a failure. */
static void put_all_back(sat_World *world, sat_Shape *platform, const sat_CarryMotion *motion) {
  const sat_CarryEntries *carried = &world->carry.fresh;
  for (size_t i = 0; i < carried->count; i++)
    sat_shape_put(sat_entry_shape(world, carried->at[i].carried.other), carried->at[i].start);
  if (motion->angle != 0) sat_shape_set_rotation(platform, motion->rotation);
  sat_shape_put(platform, motion->start);
}

static bool was_added_later(const sat_Carried *p, const sat_Carried *q) { return p->id > q->id; }
SAT_DEFINE_SORT(sat_Carried, carried, was_added_later)

/* Lists the carried shapes in the order of adding, with their motions. */
static sat_Status finish_carry(sat_World *world, sat_CarryResult *result) {
  const sat_CarryEntries *fresh = &world->carry.fresh;
  sat_CarriedShapes *carried = &world->carry.carried;
  sat_Status status = SAT_OK;
  if (fresh->count > carried->capacity)
    status = SAT_LIST_RESERVE(carried, fresh->count - carried->count);
  if (status) return status;
  *result = (sat_CarryResult){fresh->count, 0};
  carried->count = fresh->count;
  for (size_t i = 0; i < fresh->count; i++) {
    sat_Carried one = fresh->at[i].carried;
    one.motion = sub(sat_entry_shape(world, one.other)->centroid, fresh->at[i].start.centroid);
    result->crushed += one.crushed;
    carried->at[i] = one;
  }
  carried_sort(carried->at, carried->count);
  return SAT_OK;
}

sat_Status sat_world_carry(sat_World *world, sat_Shape *platform, sat_Vec2 vector, double angle,
                           sat_Vec2 up, sat_CarryResult *result) {
  double size = length(up);
  if (!in_range(vector.x) || !in_range(vector.y) || !in_range(angle)) return SAT_ERANGE;
  if (!(size > 0) || !in_range(size)) return SAT_EVALUE;
  sat_CarryMotion motion = {.vector = vector,
                            .angle = angle,
                            .centroid = platform->centroid,
                            .rotation = platform->angle,
                            .start = sat_shape_position(platform)};
  world->carry.fresh.count = 0;
  sat_world_flush(world);
  uint32_t own = sat_index_in(world, platform);
  sat_Status status = find_riders(world, platform, mul(up, 1 / size));
  if (!status) status = sat_shape_move(platform, vector.x, vector.y);
  bool changes = !status;
  set_passable(world, own, true);
  if (!status && angle != 0) status = sat_shape_rotate(platform, angle);
  if (!status) status = move_riders(world, platform, &motion);
  if (!status) status = push_all(world, platform, &motion);
  set_passable(world, own, false);
  forget_carried(world);
  if (!status) status = finish_carry(world, result);
  if (status && changes) put_all_back(world, platform, &motion);
  return status;
}

const sat_CarriedShapes *sat_world_carried(const sat_World *world) { return &world->carry.carried; }

sat_Status sat_world_copy_carried(const sat_World *world, sat_CarriedShapes *copy) {
  const sat_CarriedShapes *carried = &world->carry.carried;
  copy->count = 0;
  sat_Status status = SAT_LIST_RESERVE(copy, carried->count);
  if (status || carried->count == 0) return status;
  memcpy(copy->at, carried->at, carried->count * sizeof *copy->at);
  copy->count = carried->count;
  return SAT_OK;
}
