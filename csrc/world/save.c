/* save.c: writes a world; world/save.h describes the format. */
#include "world/base.h"

#include "shape/shape_save.h"
#include "world/save.h"

/* ---------------------------------------------------------------- writing */

bool sat_event_is_saved(const sat_World *world, const sat_Event *event) {
  return sat_world_id(world, event->a) == event->id_a &&
         sat_world_id(world, event->b) == event->id_b;
}

/* One more than the highest index in use. */
static uint32_t end_of_records(const sat_World *world) {
  uint32_t end = world->end;
  while (end > 0 && !world->entries[end - 1].shape) end--;
  return end;
}

static uint32_t count_pairs(const sat_World *world) {
  uint32_t count = 0;
  for (size_t i = 0; i < world->touching.count; i++)
    count += sat_event_is_saved(world, &world->touching.at[i]);
  return count;
}

size_t sat_world_saved_size(const sat_World *world) {
  size_t size = SAT_SAVED_HEAD + sat_saved_bits(end_of_records(world));
  for (uint32_t index = 0; index < world->end; index++)
    if (world->entries[index].shape) size += 8 + sat_shape_record_size(world->entries[index].shape);
  return size + (size_t)count_pairs(world) * SAT_SAVED_PAIR;
}

static unsigned char *write_records(const sat_World *world, uint32_t end, unsigned char *to) {
  unsigned char *taken = to;
  memset(taken, 0, sat_saved_bits(end));
  to += sat_saved_bits(end);
  for (uint32_t index = 0; index < end; index++) {
    const sat_WorldEntry *entry = &world->entries[index];
    if (!entry->shape) continue;
    taken[index / 8] |= (unsigned char)(1u << index % 8);
    sat_put_64(to, entry->id);
    sat_shape_write(entry->shape, to + 8);
    to += 8 + sat_shape_record_size(entry->shape);
  }
  return to;
}

static unsigned char *write_pairs(const sat_World *world, unsigned char *to) {
  for (size_t i = 0; i < world->touching.count; i++) {
    const sat_Event *event = &world->touching.at[i];
    if (!sat_event_is_saved(world, event)) continue;
    sat_put_32(to, event->a);
    sat_put_32(to + 4, event->b);
    to += SAT_SAVED_PAIR;
  }
  return to;
}

void sat_world_save(const sat_World *world, void *bytes) {
  unsigned char *start = bytes;
  uint32_t end = end_of_records(world);
  sat_put_64(start, SAT_SAVED_MAGIC);
  sat_put_32(start + SAT_SAVED_VERSION_AT, SAT_SAVED_VERSION);
  sat_put_32(start + SAT_SAVED_END_AT, end);
  sat_put_32(start + SAT_SAVED_COUNT_AT, world->count);
  sat_put_32(start + SAT_SAVED_PAIRS_AT, count_pairs(world));
  sat_put_64(start + SAT_SAVED_ID_AT, world->saved_id);
  unsigned char *to = write_pairs(world, write_records(world, end, start + SAT_SAVED_HEAD));
  size_t size = (size_t)(to - start);
  sat_put_64(start + SAT_SAVED_SUM_AT, sat_saved_sum(start, size));
}
