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

/* Reserves entries of the base, if there is one, for indices below `count`. */
sat_Status sat_base_reserve(sat_World *world, size_t count);
void sat_base_forget(sat_World *world);

/* The id and the record of an index in the base, or NULL. */
static inline const unsigned char *sat_base_saved(const sat_Base *base, uint32_t index) {
  return index < base->saved.end ? base->entries[index].saved : NULL;
}

/* Whether a shape may have an id at an index: that of the base, or one that the base has not given.
 * So no two shapes have the same id, whichever of them are of the base. */
static inline bool sat_base_allows(const sat_Base *base, uint32_t index, uint64_t id) {
  const unsigned char *saved = sat_base_saved(base, index);
  return id >= base->saved.internal.next_id || (saved && sat_get_64(saved) == id);
}

/* Sorts the list, and drops the indices at which the world is what the base has. SAT_EBASE: a shape
 * has an id that it may not have. */
sat_Status sat_base_sort(sat_World *world);

/* An upper bound of ids that no world reaches. */
#define SAT_MOST_IDS ((uint64_t)1 << 53)

typedef struct sat_KnownId {
  uint64_t id, index;
} sat_KnownId;
/* Sorts by id; and whether each id is larger than the one before. */
void sat_ids_sort(sat_KnownId *known, size_t count);
bool sat_ids_ascend(const sat_KnownId *known, size_t count);

/* Whether both shapes of a contact are still in the world. */
bool sat_event_is_saved(const sat_World *world, const sat_Event *event);

/* The number of words of 0 in a delta whose last shape is before an index. */
static inline uint32_t sat_delta_room(const sat_Base *base, uint32_t end) {
  return end > base->saved.end ? (end - base->saved.end + 63) / 64 : 0;
}

/* Pairs of contacts in their order: those of a base, of a delta, or of the world. */
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
