/* carry.c: moves a platform with its riders, and pushes what it sweeps over.
 *
 * Nothing stops the platform. Its riders move as if they were fixed to it, each by a move of its
 * own that passes through the platform and the other riders. What the platform meets on its way is
 * pushed along the normal of the surface that it meets, as often as that is met again, and along
 * what a wall makes of that; what a pushed shape meets and may itself be pushed goes first. A shape
 * that cannot be pushed out of the way is crushed: it stays where it was, and stops nothing. */
#include "base/box.h"
#include "base/heap.h"
#include "base/memory.h"
#include "shape/convex.h"
#include "world/world.h"

#include <string.h>

/* A rider stands on a shape if the contact normal is within 60 degrees of up. */
#define LEAST_UPRIGHT 0.5
/* Pushes in a row along normals before one along the motion itself; times that the platform may
 * meet a shape, of which the later ones push along the motion; and shapes that push each other. */
enum { MOST_PUSHES = 8, NORMAL_TURNS = 2, MOST_TIMES = 8, LONGEST_ROW = 500, HALVINGS = 50 };

/* A shape that stands somewhere on its way and goes on by a motion, and what it meets there. */
typedef struct Pusher {
  sat_Shape *shape;
  sat_SavedPosition place;
  sat_Vec2 motion;
  double t;
  sat_Vec2 normal;
  uint32_t depth; /* the number of shapes that push it */
  bool along;     /* the whole row goes along the motion */
} Pusher;

/* ---------------------------------------------------------------- the carried shapes */

static sat_CarryEntry *carried_entry(sat_World *world, uint32_t index) {
  return &world->carry.fresh.at[world->entries[index].place];
}

static bool can_be_moved(const sat_World *world, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(world, index), *platform = world->carry.platform;
  return other != platform && !(other->flags & (SAT_STATIC | SAT_SENSOR)) &&
         sat_is_solid(platform) && sat_shapes_filter(platform, other);
}

static double both_sides(const sat_Shape *shape) {
  sat_Box box = sat_shape_bounds(shape);
  return box.max.x - box.min.x + box.max.y - box.min.y;
}

/* Lists what may be moved and is near the platform where it has been before a motion and after it,
 * in carry.near. */
static sat_Status find_movable_near(sat_World *world, const sat_Shape *shape, sat_Vec2 back) {
  sat_Items *near = &world->carry.near;
  sat_Rectangle box = sat_box_of(shape);
  double out = 4 * sat_touch_rounding(shape, shape);
  near->count = 0;
  sat_world_flush(world);
  sat_Status status = sat_world_query_boxes(
      world, (sat_Rectangle){min2(box.x, box.x + back.x) - out, min2(box.y, box.y + back.y) - out,
                             box.w + fabs(back.x) + 2 * out, box.h + fabs(back.y) + 2 * out});
  if (!status) status = SAT_LIST_RESERVE(near, world->near.count);
  for (size_t i = 0; !status && i < world->near.count; i++) {
    uint32_t index = world->near.at[i];
    if (sat_entry_shape(world, index) != shape && can_be_moved(world, index))
      near->at[near->count++] = index;
  }
  return status;
}

/* ---------------------------------------------------------------- what is met */

/* Makes the space of a shape, where it stands, with one other. */
static sat_Status make_space_of_two(sat_World *world, const sat_Shape *shape,
                                    const sat_Shape *other, sat_Vec2 motion) {
  sat_Space *space = &world->move.solids;
  const sat_Box none = sat_no_box();
  sat_space_clear(space,
                  sat_rounding_of_way(sat_shape_bounds(shape), motion, sat_shape_bounds(other)));
  sat_Box range = {vec2(min2(motion.x, 0), min2(motion.y, 0)),
                   vec2(max2(motion.x, 0), max2(motion.y, 0))};
  range = box_moved(range, vec2(0, 0), 80.0 * SAT_ACTIVE * space->rounding);
  sat_Status status = sat_space_add(space, shape, other, &range, &none, 0, 0);
  for (size_t i = 0; i < space->obstacles.count; i++) {
    space->obstacles.at[i].open = vec2(0, 0);
    space->obstacles.at[i].one_sided = false;
  }
  sat_space_finish(space, 0);
  return status;
}

/* Finds where a pusher, standing where its shape stands, meets another shape. SAT_MISS: nowhere. A
 * one-way platform meets only what is on its side. */
static sat_Status meet_here(sat_World *world, Pusher *pusher, const sat_Shape *other) {
  sat_Space *space = &world->move.solids;
  sat_Way *way = &world->move.way;
  sat_Shape *shape = pusher->shape;
  sat_Vec2 motion = pusher->motion, open;
  bool has_side = sat_shape_one_way(shape, &open);
  if ((motion.x == 0 && motion.y == 0) || (has_side && dot(motion, open) <= 0)) return SAT_MISS;
  sat_Status status = make_space_of_two(world, shape, other, motion);
  double r = space->rounding;
  for (size_t i = 0; !status && i < space->obstacles.count; i++) {
    sat_Result out;
    if (sat_obstacle_depth(space, &space->obstacles.at[i], vec2(0, 0)) <= SAT_CONTACT * r) continue;
    status = sat_collide(shape, other, &world->scratch, &out);
    if (status > SAT_MISS) return status;
    if (status == SAT_OK && out.depth > r) {
      pusher->t = 0;
      pusher->normal = out.normal;
      return !has_side && dot(out.vector, motion) < 0 ? SAT_OK : SAT_MISS;
    }
    status = SAT_OK;
  }
  if (!status) status = sat_way_begin(space, way, vec2(0, 0), motion, 0, 1);
  if (!status) status = sat_way_find_hit(space, way);
  if (status) return status;
  const sat_Surface *by = sat_most_head_on(&way->bars, motion);
  if (!by || (has_side && -dot(by->normal, open) <= SAT_LEAST_FACING)) return SAT_MISS;
  pusher->t = sat_surface_time(space, by, vec2(0, 0), motion, way->t, r);
  pusher->normal = by->normal;
  return SAT_OK;
}

static sat_Status meet(sat_World *world, Pusher *pusher, const sat_Shape *other) {
  sat_SavedPosition here = sat_shape_position(pusher->shape);
  sat_shape_stand_at(pusher->shape, pusher->place);
  sat_Status status = meet_here(world, pusher, other);
  sat_shape_stand_at(pusher->shape, here);
  return status;
}

/* The place of a shape after a part of its way. */
static sat_SavedPosition place_after(sat_Shape *shape, sat_SavedPosition from, sat_Vec2 motion) {
  sat_SavedPosition here = sat_shape_position(shape);
  sat_shape_stand_at(shape, from);
  sat_shape_shift(shape, motion); /* beyond the limits it stays where it is */
  sat_SavedPosition place = sat_shape_position(shape);
  sat_shape_stand_at(shape, here);
  return place;
}

/* ---------------------------------------------------------------- riders */

/* Whether a shape stands on another one, on a surface that is real among all that is around: SAT_OK
 * or SAT_MISS. */
static sat_Status stands_on(sat_World *world, sat_Shape *shape, const sat_Shape *base,
                            sat_Vec2 up) {
  sat_Surfaces *found = &world->move.way.bars;
  sat_Space *space = &world->move.solids;
  sat_Status status = sat_world_look_around(world, shape);
  if (status) return status;
  found->count = 0;
  sat_space_surfaces(space, vec2(0, 0), SAT_ACTIVE * space->rounding, found);
  for (size_t i = 0; !space->status && i < found->count; i++) {
    const sat_Surface *s = &found->at[i];
    uint32_t index = world->move.others.at[sat_obstacle_of(space, s)->solid].index;
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
  sat_CarryEntries *riders = &world->carry.fresh;
  for (size_t next = 0;; base = sat_entry_shape(world, riders->at[next++].carried.other)) {
    sat_Status status = find_movable_near(world, base, vec2(0, 0));
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
  const sat_CarryEntries *carried = &world->carry.fresh;
  for (size_t i = 0; i < carried->count; i++)
    sat_set_state(world, carried->at[i].carried.other, state, on);
}

/* The motion of a point that is fixed to the platform. */
static sat_Vec2 motion_of_point(const sat_CarryState *carry, sat_Vec2 point) {
  double sine, cosine;
  if (carry->angle == 0) return carry->motion;
  sat_sine_cosine(carry->angle, &sine, &cosine);
  sat_Vec2 arm = sub(point, carry->start.centroid);
  sat_Vec2 turned = vec2(cosine * arm.x - sine * arm.y, sine * arm.x + cosine * arm.y);
  return sub(add(carry->platform->centroid, turned), point);
}

/* Moves one rider as far as possible. */
static sat_Status move_rider(sat_World *world, sat_CarryEntry *rider, bool *held) {
  sat_Shape *shape = sat_entry_shape(world, rider->carried.other);
  sat_shape_put(shape, rider->start);
  sat_Vec2 way = motion_of_point(&world->carry, rider->start.centroid);
  sat_Status status = sat_world_find_way(world, shape, way, SAT_SLIDE);
  if (!status) sat_world_move_apply(world);
  sat_Vec2 missed = sub(sub(shape->centroid, rider->start.centroid), way);
  *held = length(missed) > 4 * sat_touch_rounding(shape, shape);
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

/* Moves all riders through each other; those that a wall holds back are no longer passable then,
 * and hold back riders that would run into them, from the top of a stack down. */
static sat_Status move_riders(sat_World *world) {
  const sat_CarryEntries *carried = &world->carry.fresh;
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

static sat_Status shove(sat_World *world, Pusher pusher, uint32_t index, bool *freed);

static bool was_tried(const sat_CarryState *carry, size_t from, uint32_t index) {
  for (size_t i = from; i < carry->tried.count; i++)
    if (carry->tried.at[i] == index) return true;
  return false;
}

/* The first shape that a planned push runs into and that may be pushed itself: where the pushed
 * shape is then, what is left of its motion, and the normal. False: there is none. */
static bool find_next_of_row(sat_World *world, size_t tried, Pusher *pusher, uint32_t *next) {
  const sat_MoveHits *hits = &world->move.fresh;
  const uint32_t firm = SAT_ENTRY_RIDES | SAT_ENTRY_PASSABLE | SAT_ENTRY_PUSHES | SAT_ENTRY_JAMMED;
  double t = 0;
  for (size_t i = 0; i < hits->count; i++) {
    const sat_MoveHit *hit = &hits->at[i];
    if (hit->how != SAT_SLIDE) continue;
    if (t < 1) pusher->motion = mul(pusher->motion, 1 - (hit->t - t) / (1 - t));
    t = hit->t;
    *next = hit->other;
    pusher->normal = hit->normal;
    sat_Vec2 way = sub(hit->centroid, pusher->shape->centroid);
    if (can_be_moved(world, *next) && !sat_has_state(world, *next, firm) &&
        !was_tried(&world->carry, tried, *next)) {
      pusher->place = place_after(pusher->shape, pusher->place, way);
      pusher->t = 0;
      return dot(pusher->motion, hit->normal) < 0;
    }
    pusher->motion = sub(pusher->motion, mul(hit->normal, dot(pusher->motion, hit->normal)));
  }
  return false;
}

/* Pushes a shape by a vector, and first whatever stands in its way and may be pushed. No shape goes
 * farther than the platform's motion and the sides of both boxes. */
static sat_Status push(sat_World *world, uint32_t index, sat_Vec2 vector, const Pusher *by) {
  sat_CarryState *carry = &world->carry;
  sat_Shape *shape = sat_entry_shape(world, index);
  size_t tried = carry->tried.count;
  sat_Status status = sat_world_list_moved(world, &world->carry.fresh, index);
  if (status) return status;
  sat_Vec2 gone = sub(shape->centroid, carried_entry(world, index)->start.centroid);
  double room = max2(
      length(carry->motion) + both_sides(carry->platform) + both_sides(shape) - length(gone), 0);
  if (length(vector) > room) vector = mul(vector, room / length(vector));
  sat_set_state(world, index, SAT_ENTRY_PUSHES, true);
  for (bool freed = false; !(status = sat_world_find_way(world, shape, vector, SAT_SLIDE));
       freed = false) {
    uint32_t next;
    Pusher own = {.shape = shape,
                  .place = sat_shape_position(shape),
                  .motion = vector,
                  .depth = by->depth + 1,
                  .along = by->along};
    if (own.depth >= LONGEST_ROW || !find_next_of_row(world, tried, &own, &next)) break;
    status = SAT_LIST_ADD(&carry->tried, next);
    if (!status) status = shove(world, own, next, &freed);
    if (status) break;
    if (!freed) sat_set_state(world, next, SAT_ENTRY_JAMMED, true);
  }
  sat_set_state(world, index, SAT_ENTRY_PUSHES, false);
  carry->tried.count = tried;
  if (!status) sat_world_move_apply(world);
  return status;
}

/* The least part of a slide that takes a shape out of a pusher's way, up to `most`. */
static sat_Status least_slide(sat_World *world, Pusher pusher, uint32_t index, sat_Vec2 slide,
                              double most, double *least) {
  sat_Shape *shape = sat_entry_shape(world, index);
  sat_SavedPosition from = sat_shape_position(shape);
  double low = 0, high = most, k = most;
  sat_Status status = SAT_OK;
  for (int i = 0; i <= HALVINGS && status <= SAT_MISS; i++) {
    sat_shape_stand_at(shape, place_after(shape, from, mul(slide, k)));
    status = meet(world, &pusher, shape);
    sat_shape_stand_at(shape, from);
    if (status == SAT_MISS) high = k;
    else if (i == 0) break; /* nor does all of it */
    else low = k;
    k = (low + high) / 2;
  }
  *least = high;
  return status == SAT_MISS ? SAT_OK : status;
}

/* Pushes a shape out of the way of a pusher: along the normals at which it is met, along a wall
 * that lets it slide, and last along the motion itself. `freed`: the rest of the way is free. */
static sat_Status shove(sat_World *world, Pusher pusher, uint32_t index, bool *freed) {
  sat_Shape *shape = sat_entry_shape(world, index);
  sat_Vec2 slide = {0, 0};
  bool stood = false;
  *freed = false;
  for (int round = 0; round <= MOST_PUSHES; round++) {
    if (stood || pusher.along) round = MOST_PUSHES;
    if (pusher.depth == 0) set_all_states(world, SAT_ENTRY_JAMMED, false);
    pusher.place = place_after(pusher.shape, pusher.place, mul(pusher.motion, pusher.t));
    pusher.motion = mul(pusher.motion, 1 - pusher.t);
    double into = dot(pusher.motion, pusher.normal), slid = -dot(slide, pusher.normal), asked;
    sat_Vec2 before = shape->centroid, vector = mul(pusher.normal, into);
    Pusher by = pusher;
    sat_Status status = SAT_OK;
    asked = -into;
    if (round == MOST_PUSHES) {
      vector = pusher.motion;
      asked = length(vector);
      by.along = true;
    } else if (slid > SAT_LEAST_SLIDING && slid < 1 - SAT_LEAST_SLIDING) {
      double k = min2(-into / slid, both_sides(shape) + both_sides(world->carry.platform));
      status = least_slide(world, pusher, index, slide, k, &k);
      vector = mul(slide, k + 2 * world->move.solids.rounding / slid); /* and clear of it */
      asked = HUGE_VAL;
    }
    if (!status) status = push(world, index, vector, &by);
    if (status) return status;
    sat_Vec2 gone = sub(shape->centroid, before);
    double way = length(gone);
    stood = way == 0;
    slide = way > 0 && way < asked * (1 - SAT_LEAST_FACING) ? mul(gone, 1 / way) : vec2(0, 0);
    status = meet(world, &pusher, shape);
    *freed = status == SAT_MISS;
    if (status) return status == SAT_MISS ? SAT_OK : status;
  }
  return SAT_OK;
}

static void crush(sat_World *world, uint32_t index) {
  sat_CarryEntry *entry = carried_entry(world, index);
  entry->carried.crushed = true;
  sat_set_state(world, index, SAT_ENTRY_PASSABLE, true);
  sat_shape_put(sat_entry_shape(world, index), entry->start);
}

/* The first shape that the platform on its way still meets, of equals the first added. */
static sat_Status find_met(sat_World *world, Pusher *pusher, uint32_t *index) {
  const sat_Items *near = &world->carry.near;
  Pusher first = *pusher;
  *index = SAT_NO_SHAPE;
  sat_Status status = find_movable_near(world, pusher->shape, neg(pusher->motion));
  for (size_t i = 0; !status && i < near->count; i++) {
    if (sat_has_state(world, near->at[i], SAT_ENTRY_RIDES | SAT_ENTRY_PASSABLE)) continue;
    status = meet(world, pusher, sat_entry_shape(world, near->at[i]));
    bool is_first =
        *index == SAT_NO_SHAPE || pusher->t < first.t ||
        (pusher->t == first.t && world->entries[near->at[i]].id < world->entries[*index].id);
    if (status == SAT_OK && is_first) {
      first = *pusher;
      *index = near->at[i];
    }
    if (status == SAT_MISS) status = SAT_OK;
  }
  *pusher = first;
  return status;
}

/* The platform where it was, with a motion from there. */
static Pusher platform_at_start(const sat_CarryState *carry, sat_Vec2 motion) {
  return (Pusher){.shape = carry->platform, .place = carry->start, .motion = motion};
}

/* Shoves what the platform meets, the first first, until it meets nothing more. */
static sat_Status shove_all(sat_World *world) {
  for (;;) {
    Pusher pusher = platform_at_start(&world->carry, world->carry.motion);
    uint32_t index;
    bool freed = false;
    sat_Status status = find_met(world, &pusher, &index);
    if (status || index == SAT_NO_SHAPE) return status;
    status = sat_world_list_moved(world, &world->carry.fresh, index);
    if (status) return status;
    sat_set_state(world, index, SAT_ENTRY_MET, true);
    /* two may push each other back into the way: later pushes go along the motion */
    uint32_t turns = ++carried_entry(world, index)->turns;
    pusher.along = turns > NORMAL_TURNS;
    if (turns <= MOST_TIMES) status = shove(world, pusher, index, &freed);
    if (status) return status;
    if (!freed) crush(world, index);
  }
}

/* ---------------------------------------------------------------- overlaps at the end */

/* The way of a shape out of the platform; depth 0 for an overlap within rounding. */
static sat_Status depth_in(sat_World *world, const sat_Shape *shape, sat_Result *way) {
  const sat_Shape *platform = world->carry.platform;
  sat_Status status = sat_collide(shape, platform, &world->scratch, way);
  if (status == SAT_MISS || (!status && way->depth <= 2 * sat_touch_rounding(platform, platform)))
    *way = (sat_Result){.depth = 0};
  return status == SAT_MISS ? SAT_OK : status;
}

/* Pushes one shape out of the platform's new place: a rider that was held, what a turn has reached,
 * or what another shape has pushed there. It is pushed by what is left of the motion where the
 * platform meets it, by the way out, and by the motion as it is. */
static sat_Status free_one(sat_World *world, uint32_t index) {
  const sat_CarryState *carry = &world->carry;
  sat_Shape *shape = sat_entry_shape(world, index);
  Pusher pusher = platform_at_start(carry, carry->motion);
  bool rides = sat_has_state(world, index, SAT_ENTRY_RIDES);
  sat_Vec2 open;
  sat_Result way;
  sat_Status status = depth_in(world, shape, &way);
  if (status || way.depth == 0 ||
      (sat_shape_one_way(carry->platform, &open) &&
       !sat_has_state(world, index, SAT_ENTRY_RIDES | SAT_ENTRY_MET)))
    return status;
  status = sat_world_list_moved(world, &world->carry.fresh, index);
  if (!status) status = meet(world, &pusher, shape);
  if (status > SAT_MISS) return status;
  bool is_met = status == SAT_OK;
  const bool counts[] = {is_met, carry->angle != 0 || !rides, !is_met && !rides};
  for (int i = 0; i < 3 && way.depth > 0; i++) {
    if (!counts[i]) continue;
    pusher.along = i == 2;
    sat_Vec2 left = mul(carry->motion, is_met ? 1 - pusher.t : 1);
    status = push(world, index, i == 1 ? way.vector : left, &pusher);
    if (!status) status = depth_in(world, shape, &way);
    if (status) return status;
  }
  if (way.depth > 0) crush(world, index);
  return SAT_OK;
}

/* A held rider that the platform has leapt over is crushed. */
static sat_Status crush_leapt_over(sat_World *world) {
  const sat_CarryState *carry = &world->carry;
  for (size_t i = 0; i < carry->fresh.count && carry->angle == 0; i++) {
    sat_CarryEntry *entry = &carry->fresh.at[i];
    sat_Shape *shape = sat_entry_shape(world, entry->carried.other);
    if (!entry->carried.held || entry->carried.crushed) continue;
    sat_Vec2 own = sub(shape->centroid, entry->start.centroid);
    Pusher pusher = platform_at_start(carry, sub(carry->motion, own));
    sat_SavedPosition here = sat_shape_position(shape);
    sat_shape_stand_at(shape, entry->start);
    sat_Status status = meet(world, &pusher, shape);
    sat_shape_stand_at(shape, here);
    if (status == SAT_OK) crush(world, entry->carried.other);
    if (status > SAT_MISS) return status;
  }
  return SAT_OK;
}

static sat_Status push_all(sat_World *world) {
  const sat_Items *near = &world->carry.near;
  sat_Status status = shove_all(world);
  if (!status) status = find_movable_near(world, world->carry.platform, vec2(0, 0));
  for (size_t i = 0; !status && i < near->count; i++)
    if (!sat_has_state(world, near->at[i], SAT_ENTRY_PASSABLE))
      status = free_one(world, near->at[i]);
  return status ? status : crush_leapt_over(world);
}

/* ---------------------------------------------------------------- the carry */

static bool was_added_later(const sat_Carried *p, const sat_Carried *q) { return p->id > q->id; }
SAT_DEFINE_SORT(sat_Carried, carried, was_added_later)

/* Lists the carried shapes in the order of adding, with their motions, and those behind the riders
 * in the order of the first push. */
static sat_Status finish_carry(sat_World *world, size_t riders, sat_CarryResult *result) {
  const sat_CarryEntries *fresh = &world->carry.fresh;
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
  carry->platform = platform;
  carry->motion = vector;
  carry->angle = angle;
  carry->start = sat_shape_position(platform);
  carry->fresh.count = carry->tried.count = 0;
  sat_world_flush(world);
  uint32_t own = sat_index_in(world, platform);
  sat_Status status = find_riders(world, mul(up, 1 / size));
  size_t riders = carry->fresh.count;
  if (!status) status = sat_shape_move(platform, vector.x, vector.y);
  bool changes = !status;
  if (own != SAT_NO_SHAPE) sat_set_state(world, own, SAT_ENTRY_PASSABLE, true);
  if (!status && angle != 0) status = sat_shape_rotate(platform, angle);
  if (!status) status = move_riders(world);
  if (!status) status = push_all(world);
  if (own != SAT_NO_SHAPE) sat_set_state(world, own, SAT_ENTRY_PASSABLE, false);
  world->move.shape = NULL; /* nothing of a check is left to be made */
  if (!status) status = finish_carry(world, riders, result);
  bool fails = status && changes;
  sat_world_forget_moved(world, &carry->fresh, fails);
  if (fails && angle != 0) sat_shape_set_rotation(platform, rotation);
  if (fails) sat_shape_put(platform, carry->start);
  return status;
}

const sat_CarriedShapes *sat_world_carried(const sat_World *world) { return &world->carry.carried; }
