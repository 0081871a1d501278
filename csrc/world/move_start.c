/* move_start.c: the overlaps of a shape as its move begins, and its way out of them. */
#include "world/move.h"

/* Records the depth of the shape in a neighbour as the move begins. */
static sat_Status look_at_start(sat_World *world, uint32_t index, bool *inside) {
  sat_MoveState *move = &world->move;
  sat_Result way;
  sat_Status status = sat_move_overlap(world, index, &way);
  if (status) return status == SAT_MISS ? SAT_OK : status;
  sat_MoveOther *other = sat_move_get_other(move, index);
  if (!other) return SAT_ENOMEM;
  other->shallow = way.depth <= move->rounding;
  other->inside = !other->shallow;
  *inside = *inside || other->inside;
  return SAT_OK;
}

static bool is_inside(const sat_World *world, uint32_t index) {
  const sat_MoveOther *other = sat_move_known_other(&world->move, index);
  return other && other->inside;
}

/* The overlapped neighbour that was added next after the one with that id. */
static uint32_t next_inside(const sat_World *world, uint64_t id) {
  const sat_Items *neighbors = &world->move.neighbors;
  uint32_t next = SAT_NO_SHAPE;
  for (size_t i = 0; i < neighbors->count; i++) {
    uint32_t index = neighbors->at[i];
    uint64_t own = world->entries[index].id;
    if (own > id && is_inside(world, index) &&
        (next == SAT_NO_SHAPE || own < world->entries[next].id))
      next = index;
  }
  return next;
}

/* A one-way platform does not push out shapes inside it. */
static bool has_to_be_left(const sat_World *world, uint32_t index) {
  return sat_move_is_obstacle(world, index) && !sat_move_is_one_way(world, index);
}

static bool counts_as_obstacle(const sat_World *world, const sat_Shape *shape, uint32_t index) {
  (void)shape;
  return sat_move_may_meet(world, index) && has_to_be_left(world, index);
}

/* Marks the solids on either hand of a seam that the shape is on: it is inside their union, but
 * inside none of them. */
static sat_Status look_between(sat_World *world, bool *inside) {
  sat_MoveState *move = &world->move;
  sat_Result way;
  sat_Status status = sat_world_way_out(world, move->shape, counts_as_obstacle, &way);
  if (status || way.depth <= move->rounding) return status == SAT_MISS ? SAT_OK : status;
  for (size_t i = 0; i < move->neighbors.count; i++) {
    uint32_t index = move->neighbors.at[i];
    sat_Distance distance;
    if (!has_to_be_left(world, index)) continue;
    status = sat_distance(move->shape, sat_entry_shape(world, index), &world->scratch, &distance);
    if (status > SAT_MISS) return status;
    if (distance.distance > move->rounding) continue;
    sat_MoveOther *other = sat_move_get_other(move, index);
    if (!other) return SAT_ENOMEM;
    other->inside = *inside = true;
    other->shallow = false;
  }
  return SAT_OK;
}

sat_Status sat_move_begin_inside(sat_World *world) {
  sat_MoveState *move = &world->move;
  bool inside = false;
  sat_Status status = sat_move_find_neighbors(world, move->left);
  for (size_t i = 0; !status && i < move->neighbors.count; i++)
    status = look_at_start(world, move->neighbors.at[i], &inside);
  if (!status && move->runs_along) status = look_between(world, &inside);
  move->phase = inside && sat_is_solid(move->shape) ? SAT_MOVE_INSIDE : SAT_MOVE_LEG;
  move->last_id = 0;
  return status;
}

/* The contact with a shape at the start of a move. A gap of rounding beside a seam is one, too. */
static sat_Status find_start_hit(sat_World *world, uint32_t index, sat_Hit *hit) {
  const sat_Shape *shape = world->move.shape, *other = sat_entry_shape(world, index);
  sat_Manifold manifold;
  sat_Distance distance;
  sat_Status status = sat_contacts(shape, other, &world->scratch, &manifold);
  *hit = (sat_Hit){0, manifold.normal, manifold.points[0]};
  if (status != SAT_MISS) return status;
  status = sat_distance(shape, other, &world->scratch, &distance);
  *hit = (sat_Hit){0, mul(sub(distance.on_a, distance.on_b), 1 / distance.distance), distance.on_b};
  return status;
}

sat_Status sat_move_ask_about_inside(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = &world->move;
  for (;;) {
    uint32_t index = next_inside(world, move->last_id);
    if (index == SAT_NO_SHAPE) return SAT_OK;
    const sat_Shape *other = sat_entry_shape(world, index);
    if (sat_is_solid(other) && !sat_move_is_one_way(world, index) &&
        sat_move_response_to(world, index) == SAT_ASK) {
      sat_Hit hit;
      sat_Status status = find_start_hit(world, index, &hit);
      if (status) return status;
      return sat_move_ask(world, index, &hit, 0, question);
    }
    move->last_id = world->entries[index].id;
  }
}

static sat_Status add_inside_hits(sat_World *world, sat_Vec2 normal, sat_Response how) {
  sat_Status status = SAT_OK;
  uint32_t index = next_inside(world, 0);
  for (; !status && index != SAT_NO_SHAPE; index = next_inside(world, world->entries[index].id)) {
    sat_Hit hit;
    if (!has_to_be_left(world, index)) continue;
    status = find_start_hit(world, index, &hit);
    hit.normal = normal;
    if (!status) status = sat_move_add_hit(world, index, &hit, 0, how);
    if (how == SAT_STUCK) break;
  }
  return status;
}

static bool is_any_in_the_way(const sat_World *world) {
  uint32_t index = next_inside(world, 0);
  while (index != SAT_NO_SHAPE && !has_to_be_left(world, index))
    index = next_inside(world, world->entries[index].id);
  return index != SAT_NO_SHAPE;
}

/* Marks all overlaps as left: the shape touches its former overlaps at most. */
static void forget_inside(sat_World *world) {
  sat_MoveOthers *others = &world->move.others;
  for (size_t i = 0; i < others->count; i++)
    if (has_to_be_left(world, others->at[i].index))
      others->at[i].inside = others->at[i].shallow = false;
}

sat_Status sat_move_leave_inside(sat_World *world) {
  sat_MoveState *move = &world->move;
  sat_Result way;
  move->phase = SAT_MOVE_LEG;
  if (!is_any_in_the_way(world)) return SAT_OK;
  sat_Status status = sat_world_way_out(world, move->shape, counts_as_obstacle, &way);
  if (status > SAT_MISS) return status;
  if (status == SAT_MISS || way.depth <= move->rounding) {
    forget_inside(world); /* an answer has left one side of a seam without solid */
    return SAT_OK;
  }
  if (way.depth > move->size) {
    sat_move_finish(move, vec2(0, 0));
    return add_inside_hits(world, way.normal, SAT_STUCK);
  }
  status = add_inside_hits(world, way.normal, SAT_FREED);
  if (!status) status = sat_move_shift(world, way.vector);
  for (size_t i = 0; i < move->fresh.count; i++) move->fresh.at[i].centroid = move->place.centroid;
  forget_inside(world);
  if (!status) status = sat_move_find_neighbors(world, vec2(0, 0));
  return status ? status : sat_move_step_out(world, true, vec2(0, 0), move->place);
}
