/* base.c: the saved world that deltas are made since, and the list of indices that may differ from
 * it. */
#include "world/base.h"

#include "shape/shape_save.h"
#include "world/save.h"

/* ---------------------------------------------------------------- comparing */

/* The size of the largest record of a shape of the world. */
static size_t largest_record(const sat_World *world) {
  size_t most = 0;
  for (uint32_t index = 0; index < world->end; index++) {
    const sat_Shape *shape = world->entries[index].shape;
    size_t size = shape ? sat_shape_record_size(shape) : 0;
    if (size > most) most = size;
  }
  return most;
}

/* Whether the entry of an index, which may be NULL, equals the entry of the base. */
static bool is_saved(const sat_Base *base, uint32_t index, const sat_WorldEntry *entry,
                     unsigned char *record) {
  const unsigned char *saved = sat_base_saved(base, index);
  if (!entry || !entry->shape) return !saved;
  if (!saved || sat_get_64(saved) != entry->id) return false;
  size_t size = sat_shape_record_size(entry->shape);
  if (size != sat_record_size(saved + 8)) return false;
  sat_shape_write(entry->shape, record);
  return memcmp(record, saved + 8, size) == 0;
}

/* SAT_MISS: the index has the same shape as in the base. SAT_EBASE: its shape comes from another
 * world. */
static sat_Status compare(const sat_World *world, const sat_Base *base, uint32_t index,
                          unsigned char *record) {
  const sat_WorldEntry *entry = index < world->end ? &world->entries[index] : NULL;
  if (is_saved(base, index, entry, record)) return SAT_MISS;
  bool is_foreign = entry && entry->shape && !sat_base_allows(base, index, entry->id);
  return is_foreign ? SAT_EBASE : SAT_OK;
}

/* Lists the indices at which the world differs from the base. */
static sat_Status compare_all(const sat_World *world, sat_Base *base, unsigned char *record) {
  uint32_t end = world->end > base->saved.end ? world->end : base->saved.end;
  for (uint32_t index = 0; index < end; index++) {
    sat_Status status = compare(world, base, index, record);
    if (status > SAT_MISS) return status;
    if (status == SAT_OK) sat_base_note(base, index);
  }
  return SAT_OK;
}

/* ---------------------------------------------------------------- the list */

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

/* Reserves memory for the record of any shape of the list. */
static unsigned char *reserve_record(sat_World *world) {
  const sat_Base *base = &world->base;
  size_t most = 1;
  for (uint32_t i = 0; i < base->count; i++) {
    const sat_Shape *shape = sat_world_shape(world, base->entries[i].listed);
    size_t size = shape ? sat_shape_record_size(shape) : 0;
    if (size > most) most = size;
  }
  return sat_scratch_reserve(&world->scratch, most);
}

sat_Status sat_base_sort(sat_World *world) {
  sat_Base *base = &world->base;
  unsigned char *record = reserve_record(world);
  sat_Status worst = record ? SAT_OK : SAT_ENOMEM;
  uint32_t count = 0, end = record ? base->count : 0;
  sort_list(base->entries, base->count);
  for (uint32_t i = 0; i < end; i++) {
    uint32_t index = base->entries[i].listed;
    sat_Status status = compare(world, base, index, record);
    base->entries[index].differs = status != SAT_MISS;
    base->entries[count].listed = index;
    count += status != SAT_MISS;
    if (status > SAT_MISS) worst = status;
  }
  if (record) base->count = count;
  return worst;
}

/* ---------------------------------------------------------------- a new base */

bool sat_world_has_base(const sat_World *world, const void *bytes, size_t size) {
  const unsigned char *start = bytes;
  return world->base.entries && size == world->base.size &&
         (start == world->base.saved.internal.bytes ||
          sat_get_64(start + SAT_SAVED_SUM_AT) == world->base.sum);
}

sat_Status sat_world_set_base(sat_World *world, const sat_Saved *saved, size_t size) {
  uint32_t capacity = world->capacity > saved->end ? world->capacity : saved->end;
  sat_Allocator allocator = world->allocator;
  unsigned char *record = sat_scratch_reserve(&world->scratch, largest_record(world) + 1);
  sat_SavedShape shape = {0};
  if (capacity == 0) capacity = 1;
  if (!record) return SAT_ENOMEM;
  sat_Base base = {
      *saved,
      sat_get_64(saved->internal.bytes + SAT_SAVED_SUM_AT),
      size,
      allocator.allocate(allocator.context, NULL, 0, (size_t)capacity * sizeof *base.entries),
      capacity,
      0};
  if (!base.entries) return SAT_ENOMEM;
  memset(base.entries, 0, (size_t)capacity * sizeof *base.entries);
  while (sat_saved_next(saved, &shape)) base.entries[shape.index].saved = shape.record - 8;
  sat_world_flush(world);
  sat_Status status = compare_all(world, &base, record);
  if (status) {
    allocator.allocate(allocator.context, base.entries, (size_t)capacity * sizeof *base.entries, 0);
    return status;
  }
  sat_base_forget(world);
  world->base = base;
  return SAT_OK;
}
