/* world_separate.c: pushes what overlaps apart.
 *
 * A push counts at once for the pairs that come after it: a box that overlaps two tiles of a floor
 * is lifted by the first and has nothing to do with the second any more. */
#include "world.h"

/* ---------------------------------------------------------------- taking it back */

static sat_Status remember(sat_World *world, uint32_t slot) {
  sat_Member *member = &world->members[slot];
  sat_Standings *places = &world->places;
  const sat_Shape *shape = member->shape;
  if (member->state & SAT_MEMBER_PUSHED) return SAT_OK;
  if (places->count == places->capacity && sat_standings_reserve(places, 1)) return SAT_ENOMEM;
  places->at[places->count++] = (sat_Standing){shape->center, shape->anchor, shape->origin, slot};
  member->state |= SAT_MEMBER_PUSHED;
  return SAT_OK;
}

/* They stay noted: that costs time, no more. */
static void put_back(sat_World *world) {
  for (size_t i = 0; i < world->places.count; i++) {
    const sat_Standing *place = &world->places.at[i];
    sat_Shape *shape = world->members[place->slot].shape;
    sat_shape_move(shape, 0, 0);
    shape->center = place->center;
    shape->anchor = place->anchor;
    shape->origin = place->origin;
  }
}

static void forget(sat_World *world) {
  for (size_t i = 0; i < world->places.count; i++)
    world->members[world->places.at[i].slot].state &= ~(uint32_t)SAT_MEMBER_PUSHED;
  world->places.count = 0;
}

/* ---------------------------------------------------------------- pushing */

/* One that stands at the limits of the plane stays there. */
static sat_Status push(sat_World *world, uint32_t slot, sat_Vec2 motion) {
  sat_Status status = remember(world, slot);
  if (!status) sat_shape_move(world->members[slot].shape, motion.x, motion.y);
  return status;
}

static sat_Status part(sat_World *world, const sat_ItemPair *pair, size_t *pushed) {
  sat_Shape *a = sat_member_shape(world, pair->a), *b = sat_member_shape(world, pair->b);
  sat_Result way;
  if (!sat_is_solid(a) || !sat_is_solid(b) || !sat_is_pair(a, b)) return SAT_OK;
  sat_Status status = sat_collide(a, b, NULL, &world->scratch, &way);
  if (status) return status == SAT_MISS ? SAT_OK : status;
  if (way.depth == 0) return SAT_OK;
  bool a_stays = a->flags & SAT_STATIC, b_stays = b->flags & SAT_STATIC;
  double share = a_stays || b_stays ? 1 : 0.5;
  if (!a_stays) status = push(world, pair->a, mul(way.vector, share));
  if (!b_stays && !status) status = push(world, pair->b, mul(way.vector, -share));
  ++*pushed;
  return status;
}

static sat_Status part_all(sat_World *world, size_t *pushed) {
  sat_Status status = sat_world_find_candidates(world);
  const sat_ItemPairs *pairs = &world->candidates;
  *pushed = 0;
  for (size_t i = 0; !status && i < pairs->count; i++) status = part(world, &pairs->at[i], pushed);
  return status;
}

sat_Status sat_world_separate(sat_World *world, uint32_t iterations, size_t *pushed) {
  sat_Status status = SAT_OK;
  size_t count = 1;
  for (uint32_t i = 0; !status && count > 0 && i < iterations; i++)
    status = part_all(world, &count);
  if (status) put_back(world);
  forget(world);
  if (pushed && !status) *pushed = iterations ? count : 0;
  return status;
}
