/* separate.c: pushes overlapping shapes apart.
 *
 * A round moves the dynamic shapes out of all static ones at once, parts each pair of dynamic
 * shapes by their masses, and moves them out of the static ones again. So no shape ends inside a
 * wall, and the order in which walls were added does not matter. */
#include "narrowphase/collide.h"
#include "world/world.h"

/* ---------------------------------------------------------------- pushing */

/* The entry of a shape that has been pushed, or NULL. */
static sat_CarryEntry *find_pushed_apart(sat_World *world, uint32_t index) {
  bool is_pushed = sat_has_state(world, index, SAT_ENTRY_CARRIED);
  return is_pushed ? &world->push.fresh.at[world->entries[index].place] : NULL;
}

/* A shape at the limits of the plane stays there. */
static sat_Status push_shape_apart(sat_World *world, uint32_t index, sat_Vec2 motion) {
  if (motion.x == 0 && motion.y == 0) return SAT_OK;
  sat_Status status = sat_world_list_moved(world, &world->push.fresh, index);
  if (!status) sat_shape_move(world->entries[index].shape, motion.x, motion.y);
  return status;
}

/* Pushes a shape that must not be pushed back, since a wall is behind it, or a shape that a wall is
 * behind: a stack rises from its floor in one round instead of by halves. */
static sat_Status push_for_good(sat_World *world, uint32_t index, sat_Vec2 motion) {
  sat_Status status = push_shape_apart(world, index, motion);
  sat_CarryEntry *pushed = find_pushed_apart(world, index);
  if (pushed) pushed->carried.motion = motion;
  return status;
}

/* Whether a wall stops a push. */
static bool is_backed(sat_World *world, uint32_t index, sat_Vec2 push) {
  const sat_CarryEntry *pushed = find_pushed_apart(world, index);
  return pushed && dot(pushed->carried.motion, push) < 0;
}

/* A's share of a push: B's part of both masses. A shape of infinite mass has none. */
static double share_of(double a, double b) {
  if (isinf(a)) return 0;
  return isinf(b) ? 1 : b / (a + b);
}

/* The way that leads A out of B. A point or a segment that touches static shapes may be on a seam
 * of theirs, and is asked about all of them at once. */
static sat_Status find_way(sat_World *world, const sat_ItemPair *pair, sat_Result *way) {
  const sat_Shape *a = sat_entry_shape(world, pair->a), *b = sat_entry_shape(world, pair->b);
  *way = (sat_Result){0};
  if (!sat_is_pair(a, b) || !sat_pushes_out(a, b) || !sat_pushes_out(b, a)) return SAT_MISS;
  if ((a->flags | b->flags) & SAT_STATIC && sat_may_run_along(a->flags & SAT_STATIC ? b : a))
    return SAT_OK;
  sat_Status status = sat_collide_beyond(a, b, sat_touch_rounding(a, b), &world->scratch, way);
  return status == SAT_OK && way->depth == 0 ? SAT_MISS : status;
}

static bool is_static(const sat_World *world, uint32_t index) {
  return sat_entry_shape(world, index)->flags & SAT_STATIC;
}

/* Parts two dynamic shapes that a way leads A out of B. */
static sat_Status part_dynamic(sat_World *world, uint32_t a, uint32_t b, sat_Vec2 way,
                               size_t *pushed) {
  double mass_a = sat_shape_mass(sat_entry_shape(world, a));
  double mass_b = sat_shape_mass(sat_entry_shape(world, b));
  bool a_backed = is_backed(world, a, way) || isinf(mass_a);
  bool b_backed = is_backed(world, b, neg(way)) || isinf(mass_b);
  ++*pushed;
  if (a_backed && !b_backed) return push_for_good(world, b, neg(way));
  if (b_backed && !a_backed) return push_for_good(world, a, way);
  double share_a = share_of(mass_a, mass_b), share_b = share_of(mass_b, mass_a);
  *pushed -= share_a == 0 && share_b == 0;
  sat_Status status = push_shape_apart(world, a, mul(way, share_a));
  return status ? status : push_shape_apart(world, b, mul(way, -share_b));
}

static bool is_wall(const sat_World *world, const sat_Shape *shape, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(world, index);
  return other->flags & SAT_STATIC && sat_pushes_out(other, shape);
}

/* Moves a shape out of all static ones. */
static sat_Status leave_walls(sat_World *world, uint32_t mover, size_t *pushed) {
  sat_Result way;
  sat_Status status = sat_world_way_out(world, sat_entry_shape(world, mover), is_wall, NULL, &way);
  if (status || way.depth == 0) return status == SAT_MISS ? SAT_OK : status;
  ++*pushed;
  return push_for_good(world, mover, way.vector);
}

/* Moves dynamic shapes that overlap static ones out of all of these, or parts pairs of dynamic
 * shapes. The list of candidates is up to date, if nothing was pushed since. */
static sat_Status part_pairs(sat_World *world, bool walls, bool *listed, size_t *pushed) {
  sat_Status status = *listed ? SAT_OK : sat_world_find_candidates(world);
  const sat_ItemPairs *pairs = &world->candidates;
  size_t before = *pushed;
  for (size_t i = 0; !status && i < pairs->count; i++) {
    uint32_t a = pairs->at[i].a, b = pairs->at[i].b;
    bool static_a = is_static(world, a), static_b = is_static(world, b);
    sat_Result way;
    sat_pairs_prefetch(world, pairs, i);
    if (walls ? static_a == static_b : static_a || static_b) continue;
    status = find_way(world, &pairs->at[i], &way);
    if (status == SAT_OK)
      status = walls ? leave_walls(world, static_a ? b : a, pushed)
                     : part_dynamic(world, a, b, way.vector, pushed);
    else if (status == SAT_MISS) status = SAT_OK;
  }
  *listed = !status && *pushed == before;
  return status;
}

sat_Status sat_world_separate(sat_World *world, uint32_t iterations, size_t *pushed) {
  sat_Status status = SAT_OK;
  bool listed = false;
  size_t count = 1;
  world->push.fresh.count = 0;
  sat_world_flush(world);
  bool has_walls = sat_tree_has_static(&world->tree);
  for (uint32_t i = 0; !status && count > 0 && i < iterations; i++) {
    count = 0;
    if (has_walls) status = part_pairs(world, true, &listed, &count);
    if (!status) status = part_pairs(world, false, &listed, &count);
    /* where nothing was pushed, a second pass over the static shapes would push nothing either */
    if (!status && has_walls && count > 0) status = part_pairs(world, true, &listed, &count);
  }
  world->move->shape = NULL; /* nothing of a check is left to be made */
  sat_world_forget_moved(world, &world->push.fresh, status != SAT_OK);
  if (pushed && !status) *pushed = iterations ? count : 0;
  return status;
}
