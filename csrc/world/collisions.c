/* collisions.c: finds and caches the colliding pairs.
 *
 * The cached pairs are sorted. Pairs of shapes that have not changed stay valid, so only pairs with
 * a dirty shape are searched: by a query for each dirty shape while these are few, else by the
 * tree's walk over all pairs. The new pairs are sorted and merged with the valid ones. */
#include "narrowphase/collide.h"
#include "world/world.h"

/* The walk over all pairs costs about as much as queries for one shape in this many. */
enum { WALK_PAYS = 8 };

/* ---------------------------------------------------------------- sorting pairs */

enum { FEW_CANDIDATES = 32, DIGIT_BITS = 10 };

static void sort_few_pairs(sat_ItemPair *pairs, size_t count) {
  for (size_t i = 1; i < count; i++) {
    sat_ItemPair pair = pairs[i];
    uint64_t key = sat_pair_key(pair.a, pair.b);
    size_t at = i;
    for (; at > 0 && key < sat_pair_key(pairs[at - 1].a, pairs[at - 1].b); at--)
      pairs[at] = pairs[at - 1];
    pairs[at] = pair;
  }
}

static uint32_t digit_of(const sat_ItemPair *pair, bool by_a, uint32_t shift, uint32_t mask) {
  return (by_a ? pair->a : pair->b) >> shift & mask;
}

static void sort_by_digit(const sat_ItemPair *from, sat_ItemPair *to, size_t count, bool by_a,
                          uint32_t shift, uint32_t bits) {
  uint32_t mask = (1u << bits) - 1;
  size_t starts[1 << DIGIT_BITS] = {0}, sum = 0;
  for (size_t i = 0; i < count; i++) starts[digit_of(&from[i], by_a, shift, mask)]++;
  for (uint32_t digit = 0; digit <= mask; digit++) {
    size_t start = sum;
    sum += starts[digit];
    starts[digit] = start;
  }
  for (size_t i = 0; i < count; i++) to[starts[digit_of(&from[i], by_a, shift, mask)]++] = from[i];
}

/* A radix sort by the digits of B, then of A, each from the lowest digit on; all digits have about
 * as many bits. */
static sat_Status sort_candidates(sat_World *world) {
  sat_ItemPairs *pairs = &world->candidates, *spare = &world->spare_pairs;
  if (pairs->count <= FEW_CANDIDATES) {
    sort_few_pairs(pairs->at, pairs->count);
    return SAT_OK;
  }
  spare->count = 0;
  sat_Status status = SAT_LIST_RESERVE(spare, pairs->count);
  if (status) return status;
  uint32_t bits = 1;
  while ((world->end - 1) >> bits) bits++;
  uint32_t digits = (bits + DIGIT_BITS - 1) / DIGIT_BITS, width = (bits + digits - 1) / digits;
  for (uint32_t i = 0; i < 2 * digits; i++) {
    sort_by_digit(pairs->at, spare->at, pairs->count, i >= digits, i % digits * width, width);
    spare->count = pairs->count;
    SAT_SWAP(sat_ItemPairs, pairs, spare);
  }
  return SAT_OK;
}

/* ---------------------------------------------------------------- candidates */

static bool is_dirty(const sat_World *world, uint32_t index) {
  return world->entries[index].state & SAT_ENTRY_DIRTY;
}

static bool all_dirty(const sat_World *world) { return world->dirty_count == world->end; }

static void drop_clean_pairs(sat_World *world) {
  sat_ItemPairs *pairs = &world->candidates;
  size_t count = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    sat_ItemPair pair = pairs->at[i];
    pairs->at[count] = pair;
    count += is_dirty(world, pair.a) || is_dirty(world, pair.b);
  }
  pairs->count = count;
}

/* Adds the pairs of a dirty shape with its neighbours; of two dirty shapes the one with the higher
 * index adds the pair. */
static sat_Status add_pairs_of(sat_World *world, uint32_t index) {
  sat_Rectangle box = sat_quadtree_box(&world->tree, index);
  sat_Status status = sat_tree_query(&world->tree, &box, &world->near);
  if (!status) status = SAT_LIST_RESERVE(&world->candidates, world->near.count);
  for (size_t i = 0; !status && i < world->near.count; i++) {
    uint32_t other = world->near.at[i];
    if (other == index || (other > index && is_dirty(world, other))) continue;
    sat_ItemPair pair = {other < index ? other : index, other < index ? index : other};
    world->candidates.at[world->candidates.count++] = pair;
  }
  return status;
}

static sat_Status find_dirty_candidates(sat_World *world) {
  bool few = world->dirty_count <= world->count / WALK_PAYS;
  sat_Status status = few ? SAT_OK : sat_quadtree_pairs(&world->tree, &world->candidates);
  if (few) world->candidates.count = 0;
  for (uint32_t i = 0; few && !status && i < world->dirty_count; i++)
    if (sat_has_state(world, world->dirty[i], SAT_ENTRY_IN_TREE))
      status = add_pairs_of(world, world->dirty[i]);
  if (status) return status;
  if (!few && !all_dirty(world)) drop_clean_pairs(world);
  return sort_candidates(world);
}

sat_Status sat_world_find_candidates(sat_World *world) {
  sat_world_flush(world);
  sat_Status status = sat_quadtree_pairs(&world->tree, &world->candidates);
  return status ? status : sort_candidates(world);
}

/* ---------------------------------------------------------------- collisions */

/* The depth that marks a pair that does not overlap but whose gap is within rounding: such a pair
 * is in contact for events alone. */
#define NEAR (-1.0)

static sat_Status add_collision(sat_World *world, uint32_t a, uint32_t b, sat_Collisions *hits) {
  const sat_Shape *of_a = sat_entry_shape(world, a), *of_b = sat_entry_shape(world, b);
  sat_Result result;
  if (!sat_is_pair(of_a, of_b)) return SAT_OK;
  bool near;
  sat_Status status = sat_touch(of_a, of_b, &world->scratch, &result, &near);
  if (status > SAT_MISS) return status;
  if (status == SAT_OK)
    return SAT_LIST_ADD(hits,
                        (sat_Collision){a, b, result.vector.x, result.vector.y, result.depth});
  return near ? SAT_LIST_ADD(hits, (sat_Collision){a, b, 0, 0, NEAR}) : SAT_OK;
}

static sat_Status find_fresh(sat_World *world) {
  const sat_ItemPairs *pairs = &world->candidates;
  sat_Status status = SAT_OK;
  world->fresh_collisions.count = 0;
  for (size_t i = 0; !status && i < pairs->count; i++) {
    sat_pairs_prefetch(world, pairs, i);
    status = add_collision(world, pairs->at[i].a, pairs->at[i].b, &world->fresh_collisions);
  }
  return status;
}

/* Merges the new pairs with the cached pairs that have no dirty shape; the list has room. */
static void merge_collisions(sat_World *world) {
  sat_Collision *to = world->spare_collisions.at;
  const sat_Collision *fresh = world->fresh_collisions.at;
  size_t next = 0, end = world->fresh_collisions.count;
  for (size_t i = 0; i < world->collisions.count; i++) {
    const sat_Collision *kept = &world->collisions.at[i];
    if (is_dirty(world, kept->a) || is_dirty(world, kept->b)) continue;
    uint64_t key = sat_pair_key(kept->a, kept->b);
    while (next < end && sat_pair_key(fresh[next].a, fresh[next].b) < key) *to++ = fresh[next++];
    *to++ = *kept;
  }
  while (next < end) *to++ = fresh[next++];
  world->spare_collisions.count = (size_t)(to - world->spare_collisions.at);
}

static sat_Status merge_fresh(sat_World *world) {
  if (all_dirty(world)) {
    SAT_SWAP(sat_Collisions, &world->collisions, &world->fresh_collisions);
    return SAT_OK;
  }
  world->spare_collisions.count = 0;
  sat_Status status = SAT_LIST_RESERVE(&world->spare_collisions,
                                       world->collisions.count + world->fresh_collisions.count);
  if (status || world->spare_collisions.capacity == 0) return status;
  merge_collisions(world);
  SAT_SWAP(sat_Collisions, &world->collisions, &world->spare_collisions);
  return SAT_OK;
}

sat_Status sat_world_find_collisions(sat_World *world) {
  sat_world_flush(world);
  if (world->dirty_count == 0) return SAT_OK;
  sat_Status status = find_dirty_candidates(world);
  if (!status) status = find_fresh(world);
  if (!status) status = merge_fresh(world);
  if (status) return status;
  for (uint32_t i = 0; i < world->dirty_count; i++)
    sat_set_state(world, world->dirty[i], SAT_ENTRY_DIRTY, false);
  world->dirty_count = 0;
  world->compared = false;
  return SAT_OK;
}

/* ---------------------------------------------------------------- the public functions */

sat_Status sat_world_collisions(sat_World *world, sat_Collisions *found) {
  found->count = 0;
  sat_Status status = sat_world_find_collisions(world);
  if (!status) status = SAT_LIST_RESERVE(found, world->collisions.count);
  for (size_t i = 0; !status && i < world->collisions.count; i++)
    if (world->collisions.at[i].depth != NEAR) found->at[found->count++] = world->collisions.at[i];
  return status;
}

/* Sets the way out of two shapes. SAT_MISS: they do not collide. */
static sat_Status refresh(sat_World *world, const sat_Shape *a, const sat_Shape *b,
                          sat_Collision *collision) {
  sat_Result result;
  if (!sat_is_pair(a, b)) return SAT_MISS;
  sat_Status status = sat_collide(a, b, &world->scratch, &result);
  if (status) return status;
  collision->dx = result.vector.x;
  collision->dy = result.vector.y;
  collision->depth = result.depth;
  return SAT_OK;
}

sat_Status sat_world_collisions_of(sat_World *world, const sat_Shape *shape,
                                   sat_Collisions *found) {
  found->count = 0;
  uint32_t index = sat_index_in(world, shape);
  sat_world_flush(world);
  bool kept = index != SAT_NO_SHAPE && world->entries[index].state & SAT_ENTRY_IN_TREE;
  sat_Rectangle box = kept ? sat_quadtree_box(&world->tree, index) : sat_box_of(shape);
  sat_Status status = sat_world_query_boxes(world, &box);
  for (size_t i = 0; !status && i < world->near.count; i++)
    sat_entry_prefetch(world, world->near.at[i]);
  for (size_t i = 0; !status && i < world->near.count; i++) {
    sat_Collision hit = {index, world->near.at[i], 0, 0, 0};
    if (hit.b == index) continue;
    status = refresh(world, shape, sat_entry_shape(world, hit.b), &hit);
    if (!status) status = SAT_LIST_ADD(found, hit);
    else if (status == SAT_MISS) status = SAT_OK;
  }
  if (status) found->count = 0;
  return status;
}

uint64_t sat_world_change_count(const sat_World *world) { return world->change_count; }

bool sat_world_has_changed_since(const sat_World *world, uint64_t change_count) {
  return world->change_count != change_count || world->changes->internal.count > 0;
}

static bool has_changed(const sat_World *world, uint32_t index, uint64_t change_count) {
  const sat_WorldEntry *entry = &world->entries[index];
  return (entry->shape->flags & SAT_CHANGED) || entry->changed > change_count;
}

sat_Status sat_world_refresh_collision(sat_World *world, uint64_t change_count,
                                       sat_Collision *collision) {
  uint32_t a = collision->a, b = collision->b;
  if (!has_changed(world, a, change_count) && !has_changed(world, b, change_count)) return SAT_OK;
  const sat_Shape *of_a = sat_entry_shape(world, a), *of_b = sat_entry_shape(world, b);
  if ((of_a->flags | of_b->flags) & SAT_DISABLED) return SAT_MISS;
  return refresh(world, of_a, of_b, collision);
}

sat_Status sat_world_refresh_collision_of(sat_World *world, const sat_Shape *shape,
                                          sat_Collision *collision) {
  const sat_Shape *other = sat_entry_shape(world, collision->b);
  if (other == shape || other->flags & SAT_DISABLED) return SAT_MISS;
  return refresh(world, shape, other, collision);
}
