/* move_step_out.c: steps a moving shape out of what it overlaps by rounding. */
#include "world/move.h"

enum { MOST_STEPS_OUT = 6 };

/* The shortest step along a direction that has an effect, about half a unit in the last place of
 * one coordinate: in a gap that fits to the bit a longer one leads from one side into the other. */
static double shortest_step(const sat_Shape *shape, sat_Vec2 direction) {
  double x = max2(fabs(shape->centroid.x), fabs(shape->local_origin.x));
  double y = max2(fabs(shape->centroid.y), fabs(shape->local_origin.y));
  double least = HUGE_VAL;
  if (direction.x != 0) least = min2(least, x / fabs(direction.x));
  if (direction.y != 0) least = min2(least, y / fabs(direction.y));
  return max2(least * (SAT_EPSILON / 2), DBL_MIN);
}

/* The neighbour that the shape overlaps deepest by rounding, or none. `all`: neighbours that it
 * overlapped at the start count, too. */
static sat_Status find_overlap(sat_World *world, bool all, uint32_t *index, sat_Result *way) {
  sat_MoveState *move = &world->move;
  *index = SAT_NO_SHAPE;
  for (size_t i = 0; i < move->neighbors.count; i++) {
    uint32_t other = move->neighbors.at[i];
    const sat_MoveOther *known = sat_move_known_other(move, other);
    sat_Result own;
    if (!sat_move_is_obstacle(world, other) ||
        (known && (known->inside || (known->shallow && !all))))
      continue;
    sat_Status status = sat_move_overlap(world, other, &own);
    if (status > SAT_MISS) return status;
    if (status == SAT_MISS || sat_move_passes_through(world, other, own.depth)) continue;
    if (*index != SAT_NO_SHAPE && !sat_is_deeper(&own, way, move->left)) continue;
    *index = other;
    *way = own;
  }
  return SAT_OK;
}

/* Steps along a direction, each step twice as long as the previous one, until the shape has left
 * one neighbour, or all of them (SAT_NO_SHAPE). SAT_MISS: the steps exceed rounding. */
static sat_Status step_out(sat_World *world, bool all, uint32_t index, sat_Vec2 direction) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition from = move->place;
  double step = shortest_step(move->shape, direction);
  while (step <= 64 * move->rounding) {
    uint32_t met = SAT_NO_SHAPE;
    sat_Result way = {.depth = 0};
    sat_move_stand_at(world, from);
    sat_Status status = sat_move_shift(world, mul(direction, step));
    if (!status && index == SAT_NO_SHAPE) status = find_overlap(world, all, &met, &way);
    else if (!status) status = sat_move_overlap(world, index, &way);
    if (status > SAT_MISS) return status;
    if (status == SAT_MISS || (index == SAT_NO_SHAPE && met == SAT_NO_SHAPE)) return SAT_OK;
    step *= 2;
  }
  sat_move_stand_at(world, from);
  return SAT_MISS;
}

/* Moves out of a neighbour by the way out of it, or where rounding makes that too short by steps:
 * in a gap as wide as the shape a longer way leads into the other side. */
static sat_Status leave_overlap(sat_World *world, bool all, uint32_t index, const sat_Result *way) {
  sat_SavedPosition from = world->move.place;
  sat_Result left;
  bool is_short = length(way->vector) <= world->move.rounding;
  sat_Status status = is_short ? sat_move_shift(world, way->vector) : SAT_OK;
  if (!status) status = sat_move_overlap(world, index, &left);
  if (status == SAT_MISS) return SAT_OK;
  sat_move_stand_at(world, from);
  return status ? status : step_out(world, all, index, way->normal);
}

/* Steps out of all neighbours along the sum of the directions, if it is one. */
static sat_Status step_out_of_all(sat_World *world, bool all, sat_Vec2 sum) {
  double size = length(sum);
  if (size <= SAT_SAME_SURFACE) return SAT_MISS;
  return step_out(world, all, SAT_NO_SHAPE, mul(sum, 1 / size));
}

/* Steps out of all neighbours along one of two surfaces, away from the other one: a gap as wide as
 * the shape may have a wall that leans into it. */
static sat_Status step_out_along(sat_World *world, bool all, sat_Vec2 normal, sat_Vec2 other) {
  sat_Vec2 along = perp(normal);
  return step_out_of_all(world, all, dot(along, other) < 0 ? neg(along) : along);
}

/* In a gap as wide as the shape, rounding may leave no place without overlap. Then the shape stays
 * where it has come to if it overlaps nothing by more than rounding there. Otherwise it returns,
 * and the overlapped shape is the blocker. */
static sat_Status stay_within_rounding(sat_World *world, bool all, sat_SavedPosition reached,
                                       sat_SavedPosition from) {
  uint32_t index;
  sat_Result way;
  sat_move_stand_at(world, reached);
  sat_Status status = find_overlap(world, all, &index, &way);
  if (status || index == SAT_NO_SHAPE || way.depth <= world->move.rounding) return status;
  sat_move_stand_at(world, from);
  world->move.blocker = (sat_MoveSurface){way.normal, 0, 0, index};
  return SAT_OK;
}

sat_Status sat_move_step_out(sat_World *world, bool all, sat_Vec2 met, sat_SavedPosition from) {
  sat_SavedPosition reached = world->move.place;
  sat_Vec2 sum = {0, 0}, last = {0, 0}, before = {0, 0};
  world->move.blocker.other = SAT_NO_SHAPE;
  for (int rounds = 0; rounds < MOST_STEPS_OUT; rounds++) {
    uint32_t index;
    sat_Result way;
    sat_Status status = find_overlap(world, all, &index, &way);
    if (status || index == SAT_NO_SHAPE) return status;
    if (!sat_normals_agree(last, way.normal)) {
      sum = add(sum, way.normal);
      before = last;
    }
    last = way.normal;
    status = leave_overlap(world, all, index, &way);
    if (status > SAT_MISS) return status;
    if (status) break;
  }
  sat_Status status = step_out_of_all(world, all, sum);
  /* Within rounding of a corner of a composite shape, the way out of it may be that of the other
   * side of the corner. */
  if (status == SAT_MISS) status = step_out_of_all(world, all, met);
  if (status == SAT_MISS) status = step_out_of_all(world, all, add(met, sum));
  if (status == SAT_MISS) status = step_out_of_all(world, all, neg(world->move.left));
  if (status == SAT_MISS) status = step_out_along(world, all, last, before);
  if (status == SAT_MISS) status = step_out_along(world, all, before, last);
  if (status != SAT_MISS) return status;
  return stay_within_rounding(world, all, reached, from);
}
