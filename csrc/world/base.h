/* base.h: the saved world that deltas are made since, which the world is compared with. */
#ifndef SAT_WORLD_BASE_H
#define SAT_WORLD_BASE_H

#include "base/byte_order.h"
#include "world/world.h"

/* Adds an index to the list of those that may differ from the base. */
static inline void sat_base_note(sat_Base *base, uint32_t index) {
  if (!base->entries || base->entries[index].differs) return;
  base->entries[index].differs = true;
  base->entries[base->count++].listed = index;
}

/* Frees the entries of the base: the world has no base then. */
void sat_base_forget(sat_World *world);

/* The saved id of an index, followed by the shape's record; NULL where the base has no shape. */
static inline const unsigned char *sat_base_saved(const sat_Base *base, uint32_t index) {
  return index < base->saved.end ? base->entries[index].saved : NULL;
}

/* Whether a shape may have an id at an index: the id of the base there, or an id that the base has
 * not given yet. So no two shapes have the same id, whether or not they are in the base. */
static inline bool sat_base_allows(const sat_Base *base, uint32_t index, uint64_t id) {
  const unsigned char *saved = sat_base_saved(base, index);
  return id >= base->saved.internal.next_id || (saved && sat_get_64(saved) == id);
}

/* Sorts the list, and drops the indices at which the world does not differ from the base.
 * SAT_EBASE: a shape has an id that sat_base_allows refuses. SAT_ENOMEM. */
sat_Status sat_base_sort(sat_World *world);

/* An upper bound of ids that no world reaches. */
#define SAT_MOST_IDS ((uint64_t)1 << 53)

typedef struct sat_KnownId {
  uint64_t id, index;
} sat_KnownId;
/* Sorts by id; and tells whether each id is larger than the one before. */
void sat_ids_sort(sat_KnownId *known, size_t count);
bool sat_ids_ascend(const sat_KnownId *known, size_t count);

/* Whether both shapes of a contact are still in the world. */
bool sat_event_is_saved(const sat_World *world, const sat_Event *event);
/* Restores a contact of the last update; the list has room. */
static inline void sat_restore_contact(sat_World *world, uint32_t a, uint32_t b) {
  sat_WorldEntry *entries = world->entries;
  world->touching.at[world->touching.count++] = (sat_Event){a, b, entries[a].id, entries[b].id};
  entries[a].touching++;
  entries[b].touching++;
}
/* Sets the ids that follow, once all shapes and contacts are loaded. */
static inline void sat_end_loading(sat_World *world, uint64_t next_id) {
  world->saved_id = next_id;
  if (world->next_id < next_id) world->next_id = next_id;
  world->compared = false;
  world->ignored = true;
}

/* The number of words of 0 in a delta whose last shape has an index below `end`. */
static inline uint32_t sat_delta_room(const sat_Base *base, uint32_t end) {
  return end > base->saved.end ? (end - base->saved.end + 63) / 64 : 0;
}

/* Saved contacts in ascending order. */
typedef struct sat_SavedPairs {
  const unsigned char *at, *end;
} sat_SavedPairs;

static inline uint64_t sat_saved_pair(const unsigned char *pair) {
  return (uint64_t)sat_get_32(pair) << 32 | sat_get_32(pair + 4);
}

static inline sat_SavedPairs sat_base_pairs(const sat_Base *base) {
  const unsigned char *pairs = base->saved.internal.pairs;
  return (sat_SavedPairs){pairs, pairs + (size_t)base->saved.internal.pair_count * 8};
}

#endif
