/* delta_save.c: writes the difference from the base; world/save.h describes the format. */
#include "world/base.h"

#include "shape/shape_save.h"
#include "world/save.h"

/* ---------------------------------------------------------------- contacts */

/* The contacts that only the base has, and those that only the world has: their numbers, and the
 * places that they are written to, unless these are NULL. */
typedef struct PairDifference {
  uint32_t ended, begun;
  unsigned char *to_ended, *to_begun;
} PairDifference;

static void put_pair(unsigned char **to, uint32_t *count, uint64_t pair) {
  ++*count;
  if (!*to) return;
  sat_put_32(*to, (uint32_t)(pair >> 32));
  sat_put_32(*to + 4, (uint32_t)pair);
  *to += SAT_SAVED_PAIR;
}

static void compare_with_saved(const sat_World *world, PairDifference *difference) {
  sat_SavedPairs old = sat_base_pairs(&world->base);
  for (size_t i = 0; i < world->touching.count; i++) {
    const sat_Event *event = &world->touching.at[i];
    uint64_t pair = (uint64_t)event->a << 32 | event->b;
    if (!sat_event_is_saved(world, event)) continue;
    for (; old.at < old.end && sat_saved_pair(old.at) < pair; old.at += SAT_SAVED_PAIR)
      put_pair(&difference->to_ended, &difference->ended, sat_saved_pair(old.at));
    if (old.at < old.end && sat_saved_pair(old.at) == pair) old.at += SAT_SAVED_PAIR;
    else put_pair(&difference->to_begun, &difference->begun, pair);
  }
  for (; old.at < old.end; old.at += SAT_SAVED_PAIR)
    put_pair(&difference->to_ended, &difference->ended, sat_saved_pair(old.at));
}

/* ---------------------------------------------------------------- writing */

static uint32_t room_of(const sat_World *world) {
  const sat_BaseEntry *entries = world->base.entries;
  for (uint32_t i = world->base.count; i-- > 0;)
    if (sat_world_shape(world, entries[i].listed))
      return sat_delta_room(&world->base, entries[i].listed + 1);
  return 0;
}

sat_Status sat_world_delta_size(sat_World *world, size_t *size) {
  const sat_Base *base = &world->base;
  PairDifference difference = {0};
  if (!base->entries) return SAT_EBASE;
  sat_world_flush(world);
  sat_Status status = sat_base_sort(world);
  if (status) return status;
  compare_with_saved(world, &difference);
  *size = SAT_DELTA_HEAD + SAT_SAVED_PAIR * ((size_t)difference.ended + difference.begun) +
          8 * (size_t)room_of(world);
  for (uint32_t i = 0; i < base->count; i++) {
    const sat_Shape *shape = sat_world_shape(world, base->entries[i].listed);
    *size += SAT_DELTA_INDEX + (shape ? 8 + sat_shape_record_size(shape) : 0);
  }
  return SAT_OK;
}

/* Writes the shapes that differ, and then the indices that are free. */
static unsigned char *write_shapes(const sat_World *world, unsigned char *to, uint32_t *count) {
  const sat_BaseEntry *entries = world->base.entries;
  for (uint32_t i = 0; i < world->base.count; i++) {
    const sat_Shape *shape = sat_world_shape(world, entries[i].listed);
    if (!shape) continue;
    sat_put_64(to, entries[i].listed);
    sat_put_64(to + SAT_DELTA_INDEX, sat_world_id(world, entries[i].listed));
    sat_shape_write(shape, to + SAT_DELTA_INDEX + 8);
    to += SAT_DELTA_INDEX + 8 + sat_shape_record_size(shape);
    ++*count;
  }
  for (uint32_t i = 0; i < world->base.count; i++) {
    if (sat_world_shape(world, entries[i].listed)) continue;
    sat_put_64(to, entries[i].listed);
    to += SAT_DELTA_INDEX;
  }
  return to;
}

void sat_world_save_delta(const sat_World *world, void *bytes) {
  unsigned char *start = bytes;
  PairDifference counted = {0}, written = {0};
  uint32_t count = 0;
  compare_with_saved(world, &counted);
  written.to_ended = write_shapes(world, start + SAT_DELTA_HEAD, &count);
  written.to_begun = written.to_ended + (size_t)counted.ended * SAT_SAVED_PAIR;
  compare_with_saved(world, &written);
  sat_put_64(start, SAT_DELTA_MAGIC);
  sat_put_32(start + SAT_SAVED_VERSION_AT, SAT_SAVED_VERSION);
  sat_put_32(start + SAT_DELTA_COUNT_AT, count);
  sat_put_32(start + SAT_DELTA_FREED_AT, world->base.count - count);
  sat_put_32(start + SAT_DELTA_ENDED_AT, counted.ended);
  sat_put_32(start + SAT_DELTA_BEGUN_AT, counted.begun);
  sat_put_32(start + SAT_DELTA_ROOM_AT, room_of(world));
  sat_put_64(start + SAT_DELTA_BASE_AT, world->base.sum);
  sat_put_64(start + SAT_DELTA_ID_AT, world->saved_id);
  memset(written.to_begun, 0, 8 * (size_t)room_of(world));
  size_t size = (size_t)(written.to_begun - start) + 8 * (size_t)room_of(world);
  sat_put_64(start + SAT_SAVED_SUM_AT, sat_saved_sum(start, size));
}
