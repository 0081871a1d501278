/* move_others.c: the shapes that a moving shape may meet, and how it responds to each. */
#include "base/box.h"
#include "narrowphase/collide.h"
#include "narrowphase/composite_cast.h"
#include "world/move.h"

#include <string.h>

/* ---------------------------------------------------------------- the position */

void sat_move_stand_at(sat_World *world, sat_SavedPosition place) {
  world->move.place = place;
  sat_shape_stand_at(world->move.shape, place);
}

sat_Status sat_move_shift(sat_World *world, sat_Vec2 motion) {
  sat_MoveState *move = &world->move;
  sat_Status status = sat_shape_shift(move->shape, motion);
  if (!status) move->place = sat_shape_position(move->shape);
  return status;
}

/* ---------------------------------------------------------------- boxes on the way */

sat_Rectangle sat_swept_rectangle(sat_Rectangle box, sat_Vec2 motion, double out) {
  double x = min2(box.x, box.x + motion.x) - out, y = min2(box.y, box.y + motion.y) - out;
  double right = max2(box.x, box.x + motion.x) + box.w + out;
  double bottom = max2(box.y, box.y + motion.y) + box.h + out;
  return (sat_Rectangle){x, y, right - x, bottom - y};
}

/* The fractions of the motion at which an interval begins and ceases to overlap a resting one,
 * rounded outward. */
static void overlap_times(double low, double high, double motion, double other_low,
                          double other_high, double *enter, double *leave) {
  double error_bound =
      (fabs(low) + fabs(high) + fabs(other_low) + fabs(other_high)) * SAT_LOOSE_ERROR;
  double ahead = other_low - high - error_bound, behind = other_high - low + error_bound;
  if (motion == 0) {
    if (ahead > 0 || behind < 0) *leave = -1;
    return;
  }
  *enter = max2(*enter, (motion > 0 ? ahead : behind) / motion - SAT_LOOSE_ERROR);
  *leave = min2(*leave, (motion > 0 ? behind : ahead) / motion + SAT_LOOSE_ERROR);
}

bool sat_boxes_meet_on_the_way(sat_Rectangle box, sat_Vec2 motion, sat_Rectangle other,
                               double limit) {
  double enter = 0, leave = limit;
  overlap_times(box.x, box.x + box.w, motion.x, other.x, other.x + other.w, &enter, &leave);
  overlap_times(box.y, box.y + box.h, motion.y, other.y, other.y + other.h, &enter, &leave);
  return enter <= leave;
}

/* How far an interval is from another one, not less than 0. */
static double interval_distance(double low, double high, double other_low, double other_high) {
  return max2(max2(other_low - high, low - other_high), 0);
}

bool sat_move_is_apart(const sat_World *world, uint32_t index) {
  const sat_Shape *shape = world->move.shape, *other = sat_entry_shape(world, index);
  sat_Vec2 o = shape->origin, p = other->origin;
  sat_Box a = {add(o, shape->box.min), add(o, shape->box.max)};
  sat_Box b = {add(p, other->box.min), add(p, other->box.max)};
  double dx = interval_distance(a.min.x, a.max.x, b.min.x, b.max.x);
  double dy = interval_distance(a.min.y, a.max.y, b.min.y, b.max.y);
  double radius = shape->radius + other->radius;
  double coordinates = fabs(b.min.x) + fabs(b.max.x) + fabs(b.min.y) + fabs(b.max.y);
  double least = radius + 16 * (SAT_TOUCH_ERROR * (coordinates + radius) + world->move.rounding);
  return dx * dx + dy * dy > least * least;
}

sat_Status sat_move_overlap(sat_World *world, uint32_t index, sat_Result *way) {
  const sat_Shape *shape = world->move.shape, *other = sat_entry_shape(world, index);
  if (sat_move_is_apart(world, index) || sat_only_touches(shape, other)) return SAT_MISS;
  double rounding = world->move.rounding;
  sat_Status status = sat_collide(shape, other, &world->scratch, way);
  if (status == SAT_OK && way->depth > rounding && (is_composite(shape) || is_composite(other)) &&
      !sat_composite_is_deep(shape, other))
    way->depth = rounding;
  return status == SAT_OK && way->depth == 0 ? SAT_MISS : status;
}

sat_Status sat_move_cast(sat_World *world, sat_Vec2 motion, uint32_t index, sat_Hit *hit) {
  const sat_Shape *shape = world->move.shape, *other = sat_entry_shape(world, index);
  bool has_area = !is_composite(shape) && (shape->vertex_count > 2 || shape->radius > 0);
  if (has_area && boxes_lead_past(sat_shape_bounds(shape), sat_shape_bounds(other), motion))
    return SAT_MISS;
  return sat_cast_without_point(shape, motion, other, &world->scratch, hit);
}

void sat_move_add_point(const sat_World *world, sat_Vec2 motion, uint32_t index, sat_Hit *hit) {
  sat_cast_point(world->move.shape, motion, sat_entry_shape(world, index), hit);
}

/* ---------------------------------------------------------------- the others */

/* The position of an index in the sorted list of records, or where it would be inserted. */
static size_t find_other(const sat_MoveOthers *others, uint32_t index) {
  size_t low = 0, high = others->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (others->at[middle].index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

const sat_MoveOther *sat_move_known_other(const sat_MoveState *move, uint32_t index) {
  size_t at = find_other(&move->others, index);
  bool known = at < move->others.count && move->others.at[at].index == index;
  return known ? &move->others.at[at] : NULL;
}

sat_MoveOther *sat_move_get_other(sat_MoveState *move, uint32_t index) {
  sat_MoveOthers *others = &move->others;
  size_t at = find_other(others, index);
  if (at < others->count && others->at[at].index == index) return &others->at[at];
  sat_Status status = SAT_LIST_RESERVE(others, 1);
  if (status) return NULL;
  memmove(&others->at[at + 1], &others->at[at], (others->count - at) * sizeof *others->at);
  others->count++;
  others->at[at] = (sat_MoveOther){.index = index, .response = (uint8_t)move->response};
  return &others->at[at];
}

sat_Response sat_move_response_to(const sat_World *world, uint32_t index) {
  const sat_MoveState *move = &world->move;
  const sat_MoveOther *other = sat_move_known_other(move, index);
  sat_Response response = other ? (sat_Response)other->response : move->response;
  bool sensor = !sat_is_solid(sat_entry_shape(world, index)) || !sat_is_solid(move->shape);
  return sensor && response != SAT_ASK && response != SAT_IGNORE ? SAT_CROSS : response;
}

bool sat_move_is_one_way(const sat_World *world, uint32_t index) {
  sat_Vec2 open;
  return sat_shape_one_way(sat_entry_shape(world, index), &open);
}

bool sat_move_passes_through(const sat_World *world, uint32_t index, double depth) {
  return depth > 64 * world->move.rounding && sat_move_is_one_way(world, index);
}

bool sat_move_is_let_through(const sat_World *world, uint32_t index, sat_Vec2 motion,
                             sat_Vec2 normal) {
  sat_Vec2 open;
  if (!sat_shape_one_way(sat_entry_shape(world, index), &open)) return false;
  const sat_MoveOther *known = sat_move_known_other(&world->move, index);
  return (known && known->inside) || dot(motion, open) >= -SAT_LEAST_FACING * length(motion) ||
         dot(normal, open) <= SAT_LEAST_FACING;
}

bool sat_move_is_obstacle(const sat_World *world, uint32_t index) {
  if (!sat_is_solid(sat_entry_shape(world, index)) || !sat_is_solid(world->move.shape))
    return false;
  sat_Response response = sat_move_response_to(world, index);
  return response != SAT_CROSS && response != SAT_IGNORE;
}

bool sat_move_may_meet(const sat_World *world, uint32_t index) {
  const sat_Shape *shape = world->move.shape, *other = sat_entry_shape(world, index);
  return other != shape && !(shape->flags & other->flags & SAT_SENSOR) &&
         !(world->entries[index].state & SAT_ENTRY_PASSABLE) && sat_shapes_filter(shape, other);
}

static bool holds_rectangle(const sat_Rectangle *outer, const sat_Rectangle *inner) {
  return outer->x <= inner->x && outer->y <= inner->y &&
         outer->x + outer->w >= inner->x + inner->w && outer->y + outer->h >= inner->y + inner->h;
}

sat_Status sat_move_find_neighbors(sat_World *world, sat_Vec2 motion) {
  sat_MoveState *move = &world->move;
  sat_Rectangle area = sat_swept_rectangle(sat_box_of(move->shape), motion, 4 * move->rounding);
  if (holds_rectangle(&move->area, &area)) return SAT_OK;
  sat_Status status = sat_world_query_boxes(world, area);
  move->neighbors.count = 0;
  if (!status) status = SAT_LIST_RESERVE(&move->neighbors, world->near.count);
  if (status) return status;
  for (size_t i = 0; i < world->near.count; i++) sat_entry_prefetch(world, world->near.at[i]);
  for (size_t i = 0; i < world->near.count; i++)
    if (sat_move_may_meet(world, world->near.at[i]))
      move->neighbors.at[move->neighbors.count++] = world->near.at[i];
  move->area = area;
  return SAT_OK;
}
