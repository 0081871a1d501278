/* saved.c: reads and checks saves, which anybody may have written. */
#include "world/save/saved.h"

#include "base/heap.h"
#include "base/memory.h"

const sat_Base sat_base_of_none = {.saved = {.internal = {.next_id = 1}}};

/* ---------------------------------------------------------------- the bytes alone */

/* A damaged version number counts as damage, not as another version. */
static sat_Status check_format(const unsigned char *bytes, size_t size) {
  if (size < SAT_SAVED_SUM_AT + 8 || size % 8 != 0) return SAT_ESAVED;
  if (sat_get_64(bytes) != SAT_SAVED_MAGIC) return SAT_ESAVED;
  if (sat_get_64(bytes + SAT_SAVED_SUM_AT) != sat_saved_sum(bytes, size)) return SAT_ESAVED;
  if (sat_get_32(bytes + SAT_SAVED_VERSION_AT) != SAT_SAVED_VERSION) return SAT_EVERSION;
  return size < SAT_SAVED_HEAD || sat_get_32(bytes + SAT_SAVED_BEGUN_AT + 4) ? SAT_ESAVED : SAT_OK;
}

/* Checks the ids and records, of which the last has the highest index. */
static bool are_shapes(sat_Saved *saved, const unsigned char *end) {
  const unsigned char *at = saved->internal.bytes + SAT_SAVED_HEAD;
  for (uint32_t i = 0; i < saved->count; i++) {
    if (end - at < 8) return false;
    uint64_t id = sat_get_64(at);
    if (id == 0 || id >= saved->internal.next_id) return false;
    at += 8;
    if (!sat_record_check(at, (size_t)(end - at), 0)) return false;
    uint32_t index = sat_record_index(at);
    if (index < saved->internal.end || index >= SAT_MOST_ITEMS) return false;
    saved->internal.end = index + 1;
    at += sat_record_size(at);
  }
  saved->internal.freed = at;
  return true;
}

static bool are_indices(const unsigned char *at, const unsigned char *end) {
  for (uint64_t least = 0; at < end; at += SAT_SAVED_INDEX) {
    uint64_t index = sat_get_64(at);
    if (index < least || index >= SAT_MOST_ITEMS) return false;
    least = index + 1;
  }
  return true;
}

static bool are_pairs(const unsigned char *at, const unsigned char *end) {
  for (uint64_t last = 0; at < end; at += SAT_SAVED_PAIR) {
    uint64_t pair = sat_saved_pair(at);
    if (pair >> 32 >= (uint32_t)pair || pair <= last) return false;
    last = pair;
  }
  return true;
}

/* Checks the lists behind the records, and the bytes of 0 behind these. */
static bool are_lists(sat_Saved *saved, const unsigned char *end) {
  const unsigned char *bytes = saved->internal.bytes, *freed = saved->internal.freed;
  uint64_t ended = sat_get_32(bytes + SAT_SAVED_ENDED_AT),
           begun = sat_get_32(bytes + SAT_SAVED_BEGUN_AT);
  if (saved->freed + ended + begun > (size_t)(end - freed) / 8) return false;
  saved->internal.ended = freed + (size_t)saved->freed * SAT_SAVED_INDEX;
  saved->internal.begun = saved->internal.ended + (size_t)ended * SAT_SAVED_PAIR;
  saved->internal.padding = saved->internal.begun + (size_t)begun * SAT_SAVED_PAIR;
  for (const unsigned char *at = saved->internal.padding; at < end; at += 8)
    if (sat_get_64(at) != 0) return false;
  return are_indices(freed, saved->internal.ended) &&
         are_pairs(saved->internal.ended, saved->internal.begun) &&
         are_pairs(saved->internal.begun, saved->internal.padding);
}

bool sat_saved_is_delta(const sat_Saved *saved) {
  static const unsigned char nothing[SAT_DIGEST];
  return memcmp(saved->internal.bytes + SAT_SAVED_BASE_AT, nothing, SAT_DIGEST) != 0;
}

sat_Status sat_saved_open(sat_Saved *saved, const void *bytes, size_t size, sat_Scratch *scratch) {
  const unsigned char *at = bytes;
  sat_Status status = check_format(at, size);
  if (status) return status;
  const unsigned char *end = at + size;
  uint64_t next_id = sat_get_64(at + SAT_SAVED_ID_AT);
  *saved = (sat_Saved){sat_get_32(at + SAT_SAVED_COUNT_AT),
                       sat_get_32(at + SAT_SAVED_FREED_AT),
                       {.bytes = at, .size = size, .next_id = next_id}};
  if (next_id < 1 || next_id > SAT_MOST_IDS || !are_shapes(saved, end) || !are_lists(saved, end))
    return SAT_ESAVED;
  if (sat_saved_is_delta(saved)) return SAT_OK;
  size_t room = saved->count + (size_t)1;
  sat_SavedShape *shapes = sat_scratch_reserve(scratch, room * (sizeof *shapes + sizeof(uint64_t)));
  if (!shapes) return SAT_ENOMEM;
  if (saved->freed > 0) return SAT_ESAVED;
  sat_saved_list(saved, shapes);
  bool fits = sat_saved_fits(saved, &sat_base_of_none, shapes, (uint64_t *)(shapes + room));
  return fits ? SAT_OK : SAT_ESAVED;
}

bool sat_saved_is_since(const sat_Saved *saved, const void *base, size_t size) {
  unsigned char digest[SAT_DIGEST];
  sat_digest(base, size, digest);
  return memcmp(saved->internal.bytes + SAT_SAVED_BASE_AT, digest, SAT_DIGEST) == 0;
}

/* ---------------------------------------------------------------- the list of shapes */

void sat_saved_list(const sat_Saved *saved, sat_SavedShape *shapes) {
  const unsigned char *at = saved->internal.bytes + SAT_SAVED_HEAD;
  for (uint32_t i = 0; i < saved->count; i++) {
    shapes[i] = sat_saved_shape(at);
    at = shapes[i].record + sat_record_size(shapes[i].record);
  }
  for (uint32_t i = 0; i < saved->freed; i++, at += SAT_SAVED_INDEX)
    shapes[saved->count + i] = (sat_SavedShape){.index = (uint32_t)sat_get_64(at)};
}

/* As many places as there are gaps between the indices may lie between an index and its place. */
static bool is_among(const sat_SavedShape *shapes, size_t count, uint32_t index) {
  if (count == 0 || index > shapes[count - 1].index) return false;
  size_t gaps = shapes[count - 1].index + (size_t)1 - count;
  size_t low = index > gaps ? index - gaps : 0, high = index < count ? index : count - 1;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (shapes[middle].index < index) low = middle + 1;
    else high = middle;
  }
  return shapes[low].index == index;
}

bool sat_saved_changes(const sat_Saved *saved, const sat_SavedShape *shapes, uint32_t index) {
  return is_among(shapes, saved->count, index);
}

bool sat_saved_frees(const sat_Saved *saved, const sat_SavedShape *shapes, uint32_t index) {
  return is_among(shapes + saved->count, saved->freed, index);
}

/* ---------------------------------------------------------------- the saves of a world */

void sat_saves_remember(sat_World *world, const unsigned char *bytes, size_t size) {
  sat_Saves *saves = &world->saves;
  size_t at = saves->count++ % SAT_SAVES;
  if (saves->count > SAT_SAVES) saves->known_from = saves->next_ids[at] + 1;
  saves->sums[at] = sat_sum_by(saves->key, bytes, size);
  saves->next_ids[at] = world->next_id;
}

bool sat_saves_may_have(const sat_Saves *saves, const sat_Saved *whole) {
  uint64_t sum = sat_sum_by(saves->key, whole->internal.bytes, whole->internal.size);
  for (size_t i = 0; i < saves->count && i < SAT_SAVES; i++)
    if (saves->sums[i] == sum) return true;
  return whole->internal.next_id < saves->known_from;
}

/* ---------------------------------------------------------------- contacts */

sat_PairMerge sat_saved_merge(const sat_Saved *saved, const sat_Base *base) {
  return (sat_PairMerge){sat_saved_pairs(&base->saved),
                         {saved->internal.ended, saved->internal.begun},
                         sat_saved_pairs(saved)};
}

static uint64_t first_pair(const sat_SavedPairs *pairs) {
  return pairs->at < pairs->end ? sat_saved_pair(pairs->at) : UINT64_MAX;
}

uint64_t sat_saved_next_pair(sat_PairMerge *merge, bool *twice) {
  while (merge->old.at < merge->old.end && first_pair(&merge->old) == first_pair(&merge->ended)) {
    merge->old.at += SAT_SAVED_PAIR;
    merge->ended.at += SAT_SAVED_PAIR;
  }
  uint64_t old = first_pair(&merge->old), begun = first_pair(&merge->begun);
  *twice = old == begun && old != UINT64_MAX;
  if (old == UINT64_MAX && begun == UINT64_MAX) return UINT64_MAX;
  if (old < begun) merge->old.at += SAT_SAVED_PAIR;
  else merge->begun.at += SAT_SAVED_PAIR;
  return old < begun ? old : begun;
}

/* ---------------------------------------------------------------- the base and the save */

typedef struct Change {
  const sat_Saved *saved;
  const sat_Base *base;
  const sat_SavedShape *shapes;
} Change;

/* Whether the base's shape at an index, if there is one, stays. */
static bool stays(const Change *change, uint32_t index) {
  return sat_base_saved(change->base, index) &&
         !sat_saved_changes(change->saved, change->shapes, index) &&
         !sat_saved_frees(change->saved, change->shapes, index);
}

static bool are_freed_right(const Change *change) {
  const sat_SavedShape *freed = change->shapes + change->saved->count;
  for (uint32_t i = 0; i < change->saved->freed; i++)
    if (!sat_base_saved(change->base, freed[i].index) ||
        sat_saved_changes(change->saved, change->shapes, freed[i].index))
      return false;
  return true;
}

/* Whether the base's shapes that stay have smaller ids than the save's next id: an earlier world
 * may have been loaded since the base was saved. */
static bool are_old_ids_below(const Change *change) {
  uint64_t next_id = change->saved->internal.next_id;
  if (next_id >= change->base->saved.internal.next_id) return true;
  for (uint32_t index = 0; index < change->base->saved.internal.end; index++)
    if (stays(change, index) && sat_get_64(change->base->entries[index].saved) >= next_id)
      return false;
  return true;
}

static bool has_lower_id(const uint64_t *p, const uint64_t *q) { return *p > *q; }
SAT_DEFINE_SORT(uint64_t, ids, has_lower_id)

/* The ids are mostly in order already, since indices are seldom reused. */
static bool are_ids_right(const Change *change, uint64_t *ids) {
  uint32_t count = change->saved->count;
  for (uint32_t i = 0; i < count; i++) {
    ids[i] = change->shapes[i].id;
    if (!sat_base_allows(change->base, change->shapes[i].index, ids[i])) return false;
  }
  ids_sort(ids, count);
  for (uint32_t i = 1; i < count; i++)
    if (ids[i - 1] == ids[i]) return false;
  return true;
}

static bool will_have(const Change *change, uint32_t index) {
  return sat_saved_changes(change->saved, change->shapes, index) || stays(change, index);
}

static bool are_contacts(const Change *change) {
  sat_PairMerge merge = sat_saved_merge(change->saved, change->base);
  bool twice = false;
  for (uint64_t pair; (pair = sat_saved_next_pair(&merge, &twice)) != UINT64_MAX;)
    if (twice || !will_have(change, (uint32_t)(pair >> 32)) || !will_have(change, (uint32_t)pair))
      return false;
  return merge.ended.at == merge.ended.end;
}

bool sat_saved_fits(const sat_Saved *saved, const sat_Base *base, const sat_SavedShape *shapes,
                    uint64_t *ids) {
  Change change = {saved, base, shapes};
  size_t size = (size_t)(saved->internal.padding - saved->internal.bytes);
  return saved->internal.size == sat_saved_padded(base, saved->internal.end, size) &&
         are_freed_right(&change) && are_old_ids_below(&change) && are_ids_right(&change, ids) &&
         are_contacts(&change);
}
