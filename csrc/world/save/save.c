/* save.c: writes worlds and deltas, and compares the world with the base. */
#include "world/save/saved.h"

/* ---------------------------------------------------------------- what differs from the base */

/* Whether an index has what the base has there. The record has room for the index's shape. */
static bool is_saved(const sat_World *world, const sat_Base *base, uint32_t index,
                     unsigned char *record) {
  const unsigned char *saved = sat_base_saved(base, index);
  const sat_Shape *shape = sat_world_shape(world, index);
  if (!shape || !saved) return !shape && !saved;
  size_t size = sat_shape_record_size(shape);
  if (sat_get_64(saved) != sat_world_id(world, index) || size != sat_record_size(saved + 8))
    return false;
  sat_shape_write(shape, index, record);
  return memcmp(record, saved + 8, size) == 0;
}

/* Whether a shape has come from another world since the base was saved. */
static bool is_foreign(const sat_World *world, const sat_Base *base, uint32_t index) {
  return sat_world_shape(world, index) && !sat_base_allows(base, index, sat_world_id(world, index));
}

/* The memory for the record of any shape of the list, or of all shapes without one. */
static unsigned char *reserve_record(sat_World *world, const sat_Base *list) {
  size_t most = 1;
  for (uint32_t i = 0; i < (list ? list->count : world->end); i++) {
    const sat_Shape *shape = sat_world_shape(world, list ? list->entries[i].listed : i);
    size_t size = shape ? sat_shape_record_size(shape) : 0;
    if (size > most) most = size;
  }
  return sat_scratch_reserve(&world->scratch, most);
}

/* A shell sort, which is fast for a list that is mostly in order, as this one is after a delta has
 * sorted it. The list lies among the fields of entries that stay in place. */
static void sort_list(sat_BaseEntry *entries, uint32_t count) {
  uint32_t step = 1;
  while (step < count / 3) step = 3 * step + 1;
  for (; step > 0; step /= 3)
    for (uint32_t i = step; i < count; i++) {
      uint32_t index = entries[i].listed, at = i;
      for (; at >= step && entries[at - step].listed > index; at -= step)
        entries[at].listed = entries[at - step].listed;
      entries[at].listed = index;
    }
}

/* Sorts the list, and drops the indices at which the world does not differ from the base. */
static sat_Status update_list(sat_World *world) {
  sat_Base *base = &world->base;
  sat_Status status = SAT_OK;
  uint32_t count = base->count;
  unsigned char *record = reserve_record(world, base);
  if (!record) return SAT_ENOMEM;
  sort_list(base->entries, count);
  base->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index = base->entries[i].listed;
    base->entries[index].differs = false;
    if (is_saved(world, base, index, record)) continue;
    sat_base_note(base, index);
    if (is_foreign(world, base, index)) status = SAT_EBASE;
  }
  return status;
}

/* ---------------------------------------------------------------- a new base */

bool sat_world_has_base(const sat_World *world, const void *bytes, size_t size) {
  const sat_Saved *saved = &world->base.saved;
  if (!world->base.entries || size != saved->internal.size) return false;
  return bytes == saved->internal.bytes || memcmp(bytes, saved->internal.bytes, size) == 0;
}

/* Lists the indices at which the world differs from the base. */
static sat_Status list_all(const sat_World *world, sat_Base *base, unsigned char *record) {
  uint32_t end = base->saved.internal.end > world->end ? base->saved.internal.end : world->end;
  const unsigned char *at = base->saved.internal.bytes + SAT_SAVED_HEAD;
  for (uint32_t i = 0; i < base->saved.count; i++) {
    sat_SavedShape shape = sat_saved_shape(at);
    base->entries[shape.index].saved = at;
    at = shape.record + sat_record_size(shape.record);
  }
  for (uint32_t index = 0; index < end; index++) {
    if (is_saved(world, base, index, record)) continue;
    if (is_foreign(world, base, index)) return SAT_EBASE;
    sat_base_note(base, index);
  }
  return SAT_OK;
}

sat_Status sat_world_set_base(sat_World *world, const sat_Saved *saved) {
  sat_Base base = {.saved = *saved, .capacity = saved->internal.end + 1};
  const unsigned char *bytes = saved->internal.bytes;
  if (sat_saved_is_delta(saved)) return SAT_ESAVED;
  if (!sat_saves_may_have(&world->saves, saved)) return SAT_EBASE;
  unsigned char *record = reserve_record(world, NULL);
  if (!record) return SAT_ENOMEM;
  if (base.capacity < world->capacity) base.capacity = world->capacity;
  base.entries = sat_base_allocate(world, NULL, 0, base.capacity);
  if (!base.entries) return SAT_ENOMEM;
  sat_world_flush(world);
  sat_Status status = list_all(world, &base, record);
  if (status) {
    sat_base_allocate(world, base.entries, base.capacity, 0);
    return status;
  }
  sat_digest(bytes, saved->internal.size, base.digest);
  sat_base_forget(world);
  world->base = base;
  return SAT_OK;
}

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

/* A contact is saved while both of its shapes are in the world. */
static void compare_touching(const sat_World *world, const sat_Base *base,
                             PairDifference *difference) {
  sat_SavedPairs old = sat_saved_pairs(&base->saved);
  for (size_t i = 0; i < world->touching.count; i++) {
    const sat_Event *event = &world->touching.at[i];
    uint64_t pair = sat_pair_key(event->a, event->b);
    if (sat_world_id(world, event->a) != event->id_a) continue;
    if (sat_world_id(world, event->b) != event->id_b) continue;
    for (; old.at < old.end && sat_saved_pair(old.at) < pair; old.at += SAT_SAVED_PAIR)
      put_pair(&difference->to_ended, &difference->ended, sat_saved_pair(old.at));
    if (old.at < old.end && sat_saved_pair(old.at) == pair) old.at += SAT_SAVED_PAIR;
    else put_pair(&difference->to_begun, &difference->begun, pair);
  }
  for (; old.at < old.end; old.at += SAT_SAVED_PAIR)
    put_pair(&difference->to_ended, &difference->ended, sat_saved_pair(old.at));
}

/* ---------------------------------------------------------------- writing */

/* Writes the shapes, of all indices for a whole save, and then the indices that have lost theirs,
 * or, without a place to write to, counts alone. Returns their size. */
static size_t write_shapes(const sat_World *world, const sat_Base *base, unsigned char *to,
                           uint32_t *count, uint32_t *end) {
  size_t size = 0;
  for (uint32_t i = 0; i < (base->entries ? base->count : world->end); i++) {
    uint32_t index = base->entries ? base->entries[i].listed : i;
    const sat_Shape *shape = sat_world_shape(world, index);
    if (!shape) continue;
    if (to) sat_put_64(to + size, sat_world_id(world, index));
    if (to) sat_shape_write(shape, index, to + size + 8);
    size += 8 + sat_shape_record_size(shape);
    *end = index + 1;
    ++*count;
  }
  for (uint32_t i = 0; base->entries && i < base->count; i++) {
    if (sat_world_shape(world, base->entries[i].listed)) continue;
    if (to) sat_put_64(to + size, base->entries[i].listed);
    size += SAT_SAVED_INDEX;
  }
  return size;
}

/* Writes the difference from the base, if there is a place to write to. Returns its size. */
static size_t write_save(const sat_World *world, const sat_Base *base, unsigned char *start) {
  PairDifference counted = {0}, written = {0};
  uint32_t count = 0, end = 0;
  compare_touching(world, base, &counted);
  size_t size = SAT_SAVED_HEAD;
  size += write_shapes(world, base, start ? start + size : NULL, &count, &end);
  size_t begun = size + (size_t)counted.ended * SAT_SAVED_PAIR,
         stop = begun + (size_t)counted.begun * SAT_SAVED_PAIR,
         padded = sat_saved_padded(base, end, stop);
  if (!start) return padded;
  written.to_ended = start + size;
  written.to_begun = start + begun;
  compare_touching(world, base, &written);
  memset(start, 0, SAT_SAVED_HEAD);
  memset(start + stop, 0, padded - stop);
  sat_put_64(start, SAT_SAVED_MAGIC);
  sat_put_32(start + SAT_SAVED_VERSION_AT, SAT_SAVED_VERSION);
  sat_put_32(start + SAT_SAVED_COUNT_AT, count);
  sat_put_32(start + SAT_SAVED_FREED_AT, base->entries ? base->count - count : 0);
  sat_put_32(start + SAT_SAVED_ENDED_AT, counted.ended);
  sat_put_32(start + SAT_SAVED_BEGUN_AT, counted.begun);
  sat_put_64(start + SAT_SAVED_ID_AT, world->saved_id);
  if (base->entries) memcpy(start + SAT_SAVED_BASE_AT, base->digest, SAT_DIGEST);
  sat_put_64(start + SAT_SAVED_SUM_AT, sat_saved_sum(start, padded));
  return padded;
}

size_t sat_world_saved_size(const sat_World *world) {
  return write_save(world, &sat_base_of_none, NULL);
}

void sat_world_save(sat_World *world, void *bytes) {
  sat_saves_remember(world, bytes, write_save(world, &sat_base_of_none, bytes));
}

sat_Status sat_world_delta_size(sat_World *world, size_t *size) {
  if (!world->base.entries) return SAT_EBASE;
  sat_world_flush(world);
  sat_Status status = update_list(world);
  if (!status) *size = write_save(world, &world->base, NULL);
  return status;
}

void sat_world_save_delta(const sat_World *world, void *bytes) {
  write_save(world, &world->base, bytes);
}
