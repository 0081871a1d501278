/* delta_load.c: checks deltas and loads them. As in load.c the bytes are untrusted until all of
 * them are checked, and the world changes only after all memory for loading has been reserved.
 *
 * Every index that may differ from the base gets the delta's shape, or none, or the base's; at all
 * other indices the world has the shapes of the base, and keeps them. */
#include "world/base.h"

#include "shape/shape_save.h"
#include "world/save.h"

/* ---------------------------------------------------------------- checking the bytes */

bool sat_saved_is_delta(const void *bytes, size_t size) {
  return size >= 8 && sat_get_64(bytes) == SAT_DELTA_MAGIC;
}

static sat_Status check_delta(const unsigned char *bytes, size_t size) {
  if (size < SAT_DELTA_HEAD || size % 8 != 0 || !sat_saved_is_delta(bytes, size)) return SAT_ESAVED;
  if (sat_get_64(bytes + SAT_SAVED_SUM_AT) != sat_saved_sum(bytes, size)) return SAT_ESAVED;
  return sat_get_32(bytes + SAT_SAVED_VERSION_AT) == SAT_SAVED_VERSION ? SAT_OK : SAT_EVERSION;
}

static bool are_records(sat_Delta *delta, const unsigned char *end) {
  const unsigned char *at = delta->internal.shapes;
  uint64_t least = 0;
  for (uint32_t i = 0; i < delta->count; i++) {
    if (end - at < SAT_DELTA_INDEX + 8) return false;
    uint64_t index = sat_get_64(at), id = sat_get_64(at + SAT_DELTA_INDEX);
    if (index < least || index >= SAT_MOST_ITEMS) return false;
    if (id == 0 || id >= delta->internal.next_id) return false;
    least = index + 1;
    at += SAT_DELTA_INDEX + 8;
    if (!sat_record_check(at, (size_t)(end - at), 0)) return false;
    at += sat_record_size(at);
  }
  delta->internal.freed = at;
  return true;
}

static bool are_indices(const unsigned char *at, uint32_t count) {
  uint64_t least = 0;
  for (uint32_t i = 0; i < count; i++, at += SAT_DELTA_INDEX) {
    uint64_t index = sat_get_64(at);
    if (index < least || index >= SAT_MOST_ITEMS) return false;
    least = index + 1;
  }
  return true;
}

static bool are_delta_pairs(const unsigned char *at, const unsigned char *end) {
  for (uint64_t last = 0; at < end; at += SAT_SAVED_PAIR) {
    uint64_t pair = sat_saved_pair(at);
    if (pair >> 32 >= (uint32_t)pair || pair <= last) return false;
    last = pair;
  }
  return true;
}

/* Checks the lists behind the records, which fill all bytes that are left. */
static bool are_lists(sat_Delta *delta, const unsigned char *end, uint64_t ended, uint64_t begun) {
  const unsigned char *freed = delta->internal.freed;
  uint64_t room = delta->internal.room, size = (uint64_t)(end - freed);
  if (size != 8 * (delta->freed + ended + begun + room)) return false;
  for (; room > 0; room--)
    if (sat_get_64(end -= 8) != 0) return false;
  delta->internal.ended = freed + (size_t)delta->freed * SAT_DELTA_INDEX;
  delta->internal.begun = delta->internal.ended + (size_t)ended * SAT_SAVED_PAIR;
  delta->internal.end = end;
  return are_indices(freed, delta->freed) &&
         are_delta_pairs(delta->internal.ended, delta->internal.begun) &&
         are_delta_pairs(delta->internal.begun, end);
}

sat_Status sat_delta_open(sat_Delta *delta, const void *bytes, size_t size) {
  const unsigned char *start = bytes, *end = start + size;
  sat_Status status = check_delta(start, size);
  if (status) return status;
  delta->count = sat_get_32(start + SAT_DELTA_COUNT_AT);
  delta->freed = sat_get_32(start + SAT_DELTA_FREED_AT);
  delta->internal.bytes = start;
  delta->internal.shapes = start + SAT_DELTA_HEAD;
  delta->internal.next_id = sat_get_64(start + SAT_DELTA_ID_AT);
  delta->internal.room = sat_get_32(start + SAT_DELTA_ROOM_AT);
  bool right = delta->internal.next_id >= 1 && delta->internal.next_id <= SAT_MOST_IDS &&
               are_records(delta, end) &&
               are_lists(delta, end, sat_get_32(start + SAT_DELTA_ENDED_AT),
                         sat_get_32(start + SAT_DELTA_BEGUN_AT));
  return right ? SAT_OK : SAT_ESAVED;
}

bool sat_delta_is_since(const sat_Delta *delta, const void *saved, size_t size) {
  const unsigned char *start = saved;
  return size >= SAT_SAVED_HEAD && sat_get_64(start) == SAT_SAVED_MAGIC &&
         sat_get_64(start + SAT_SAVED_SUM_AT) ==
             sat_get_64(delta->internal.bytes + SAT_DELTA_BASE_AT);
}

bool sat_delta_fits(const sat_Delta *delta, const sat_World *world) {
  return world->base.entries &&
         world->base.sum == sat_get_64(delta->internal.bytes + SAT_DELTA_BASE_AT);
}

/* ---------------------------------------------------------------- the shapes that change */

/* The shapes of a delta: first those with records, then those that are gone, both ascending. */
typedef struct Changes {
  const sat_Base *base;
  const sat_Delta *delta;
  const sat_SavedShape *shapes;
} Changes;

static bool is_among(const sat_SavedShape *shapes, size_t count, uint32_t index) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (shapes[middle].index < index) low = middle + 1;
    else high = middle;
  }
  return low < count && shapes[low].index == index;
}

static bool is_changed(const Changes *changes, uint32_t index) {
  return is_among(changes->shapes, changes->delta->count, index);
}

static bool is_freed(const Changes *changes, uint32_t index) {
  return is_among(changes->shapes + changes->delta->count, changes->delta->freed, index);
}

/* Whether an index has a shape when the delta is loaded. */
static bool will_be_taken(const Changes *changes, uint32_t index) {
  if (is_changed(changes, index)) return true;
  return sat_base_saved(changes->base, index) && !is_freed(changes, index);
}

static void list_changes(const sat_Delta *delta, sat_SavedShape *shapes) {
  const unsigned char *at = delta->internal.shapes;
  for (uint32_t i = 0; i < delta->count; i++) {
    const unsigned char *record = at + SAT_DELTA_INDEX + 8;
    *shapes++ = (sat_SavedShape){sat_get_64(at + SAT_DELTA_INDEX), (uint32_t)sat_get_64(at),
                                 sat_record_block(record), record};
    at = record + sat_record_size(record);
  }
  for (uint32_t i = 0; i < delta->freed; i++, at += SAT_DELTA_INDEX)
    *shapes++ = (sat_SavedShape){0, (uint32_t)sat_get_64(at), 0, NULL};
}

/* Appends the base's shapes at the indices that may differ and are not in the delta. */
static size_t list_restored(const Changes *changes, sat_SavedShape *shapes) {
  const sat_Base *base = changes->base;
  size_t count = (size_t)changes->delta->count + changes->delta->freed;
  for (uint32_t i = 0; i < base->count; i++) {
    uint32_t index = base->entries[i].listed;
    const unsigned char *saved = sat_base_saved(base, index);
    if (is_changed(changes, index) || is_freed(changes, index)) continue;
    shapes[count++] =
        saved ? (sat_SavedShape){sat_get_64(saved), index, sat_record_block(saved + 8), saved + 8}
              : (sat_SavedShape){0, index, 0, NULL};
  }
  return count;
}

/* ---------------------------------------------------------------- checking against the base */

static bool are_freed_right(const Changes *changes) {
  for (uint32_t i = 0; i < changes->delta->freed; i++) {
    uint32_t index = changes->shapes[changes->delta->count + i].index;
    if (!sat_base_saved(changes->base, index) || is_changed(changes, index)) return false;
  }
  return true;
}

/* Whether the delta has the words of 0 that its last index requires. */
static bool is_room_right(const Changes *changes) {
  uint32_t count = changes->delta->count;
  uint32_t end = count > 0 ? changes->shapes[count - 1].index + 1 : 0;
  return changes->delta->internal.room == sat_delta_room(changes->base, end);
}

/* Whether the base's shapes that stay have smaller ids than the delta's next id: an earlier world
 * may have been loaded since the base was saved. */
static bool are_old_ids_below(const Changes *changes) {
  uint64_t next_id = changes->delta->internal.next_id;
  if (next_id >= changes->base->saved.internal.next_id) return true;
  for (uint32_t index = 0; index < changes->base->saved.end; index++) {
    const unsigned char *saved = changes->base->entries[index].saved;
    if (!saved || sat_get_64(saved) < next_id) continue;
    if (!is_changed(changes, index) && !is_freed(changes, index)) return false;
  }
  return true;
}

static sat_Status check_delta_ids(const Changes *changes, sat_Scratch *scratch) {
  uint32_t count = changes->delta->count;
  if (!are_old_ids_below(changes)) return SAT_ESAVED;
  if (count == 0) return SAT_OK;
  sat_KnownId *known = sat_scratch_reserve(scratch, count * sizeof *known);
  if (!known) return SAT_ENOMEM;
  for (uint32_t i = 0; i < count; i++) {
    const sat_SavedShape *shape = &changes->shapes[i];
    if (!sat_base_allows(changes->base, shape->index, shape->id)) return SAT_ESAVED;
    known[i] = (sat_KnownId){shape->id, shape->index};
  }
  sat_ids_sort(known, count);
  return sat_ids_ascend(known, count) ? SAT_OK : SAT_ESAVED;
}

/* ---------------------------------------------------------------- contacts */

/* The contacts of the base without those that have ended, merged with those that have begun. */
typedef struct PairMerge {
  sat_SavedPairs old, ended, begun;
} PairMerge;

static PairMerge merge_pairs(const sat_Base *base, const sat_Delta *delta) {
  return (PairMerge){sat_base_pairs(base),
                     {delta->internal.ended, delta->internal.begun},
                     {delta->internal.begun, delta->internal.end}};
}

static uint64_t first_pair(const sat_SavedPairs *pairs) {
  return pairs->at < pairs->end ? sat_saved_pair(pairs->at) : UINT64_MAX;
}

/* The next pair, or UINT64_MAX after the last one. Pairs that have ended and are not in the base
 * stay in `ended`. `*twice`: the base has a pair that has begun. */
static uint64_t next_pair(PairMerge *merge, bool *twice) {
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

static bool are_contacts(const Changes *changes) {
  PairMerge merge = merge_pairs(changes->base, changes->delta);
  bool twice = false;
  for (uint64_t pair; (pair = next_pair(&merge, &twice)) != UINT64_MAX;)
    if (twice || !will_be_taken(changes, (uint32_t)(pair >> 32)) ||
        !will_be_taken(changes, (uint32_t)pair))
      return false;
  return merge.ended.at == merge.ended.end;
}

/* ---------------------------------------------------------------- the list */

size_t sat_delta_most(sat_World *world, const sat_Delta *delta) {
  sat_world_flush(world);
  return (size_t)delta->count + delta->freed + world->base.count;
}

sat_Status sat_delta_shapes(sat_World *world, const sat_Delta *delta, sat_SavedShape *shapes,
                            size_t *count) {
  Changes changes = {&world->base, delta, shapes};
  if (!sat_delta_fits(delta, world)) return SAT_EBASE;
  sat_world_flush(world);
  list_changes(delta, shapes);
  if (!is_room_right(&changes) || !are_freed_right(&changes)) return SAT_ESAVED;
  sat_Status status = check_delta_ids(&changes, &world->scratch);
  if (status) return status;
  if (!are_contacts(&changes)) return SAT_ESAVED;
  *count = list_restored(&changes, shapes);
  return SAT_OK;
}

static sat_Shape *shape_at(const sat_World *world, uint32_t index, uint64_t id) {
  return sat_world_id(world, index) == id ? sat_world_shape(world, index) : NULL;
}

void sat_world_match_delta(const sat_World *world, const sat_SavedShape *shapes, size_t count,
                           sat_Shape **blocks) {
  for (size_t i = 0; i < count; i++) {
    blocks[i] = NULL;
    if (!shapes[i].record) continue;
    sat_Shape *there = shape_at(world, shapes[i].index, shapes[i].id);
    if (there && sat_record_is_of(shapes[i].record, there)) blocks[i] = there;
  }
}

/* ---------------------------------------------------------------- loading */

/* Makes the new shapes, in blocks that no caller has seen. */
static sat_Status make_shapes(sat_World *world, const sat_SavedShape *shapes, size_t count,
                              sat_Shape *const *blocks) {
  sat_Allocator allocator = world->allocator;
  sat_Status status = SAT_OK;
  size_t most = 0;
  for (size_t i = 0; i < count; i++) {
    bool is_new = shapes[i].record && !blocks[i]->changes;
    size_t bytes = is_new ? sat_record_memory(shapes[i].record) : 0;
    if (bytes > most) most = bytes;
  }
  void *memory = most ? allocator.allocate(allocator.context, NULL, 0, most) : NULL;
  if (most && !memory) return SAT_ENOMEM;
  for (size_t i = 0; i < count && !status; i++)
    if (shapes[i].record && !blocks[i]->changes)
      status = sat_shape_read(shapes[i].record, blocks[i], memory, &world->scratch);
  if (memory) allocator.allocate(allocator.context, memory, most, 0);
  return status;
}

static sat_Status reserve_for(sat_World *world, const sat_Delta *delta,
                              const sat_SavedShape *shapes, size_t count) {
  size_t end = 0, pairs = world->base.saved.internal.pair_count, now = world->touching.count;
  for (size_t i = 0; i < count; i++)
    if (shapes[i].record && shapes[i].index >= end) end = (size_t)shapes[i].index + 1;
  sat_Status status = sat_world_reserve(world, end);
  pairs += (size_t)(delta->internal.end - delta->internal.begun) / SAT_SAVED_PAIR;
  return status ? status : SAT_LIST_RESERVE(&world->touching, pairs > now ? pairs - now : 0);
}

/* Removes the shapes that change, but for those that are restored in their blocks. */
static void vacate(sat_World *world, const sat_SavedShape *shapes, size_t count,
                   sat_Shape *const *blocks) {
  for (size_t i = 0; i < count; i++) {
    uint32_t index = shapes[i].index;
    sat_Shape *there = sat_world_shape(world, index);
    if (there && !(shapes[i].record && there == blocks[i])) sat_world_vacate(world, index);
  }
}

/* Enters the new and the restored shapes. Returns whether one of them has got a free index. */
static bool enter(sat_World *world, const sat_SavedShape *shapes, size_t count,
                  sat_Shape *const *blocks) {
  bool any_new = false;
  for (size_t i = 0; i < count; i++) {
    const sat_SavedShape *shape = &shapes[i];
    if (!shape->record) continue;
    while (world->end < shape->index) sat_world_add_free(world);
    if (sat_world_shape(world, shape->index)) {
      sat_world_release_index(world, shape->index);
      world->count--;
    } else any_new = true;
    sat_shape_restore(shape->record, blocks[i]);
    sat_world_enter(world, shape->index, shape->id, blocks[i]);
  }
  return any_new;
}

/* Removes the indices in use from the heap of free indices. */
static void drop_taken(sat_World *world) {
  uint32_t count = world->free_index_count;
  world->free_index_count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!world->entries[world->free_indices[i]].shape)
      sat_world_free_index(world, world->free_indices[i]);
}

static void restore_contacts(sat_World *world, const sat_Delta *delta) {
  PairMerge merge = merge_pairs(&world->base, delta);
  bool twice;
  world->touching.count = world->began.count = world->ended.count = 0;
  for (uint64_t pair; (pair = next_pair(&merge, &twice)) != UINT64_MAX;)
    sat_restore_contact(world, (uint32_t)(pair >> 32), (uint32_t)pair);
}

static void forget_contacts(sat_World *world) {
  for (size_t i = 0; i < world->touching.count; i++) {
    const sat_Event *event = &world->touching.at[i];
    if (sat_world_id(world, event->a) == event->id_a) world->entries[event->a].touching = 0;
    if (sat_world_id(world, event->b) == event->id_b) world->entries[event->b].touching = 0;
  }
}

/* After loading, the list of indices that may differ has the delta's indices. */
static void note_again(sat_World *world, const sat_SavedShape *shapes, size_t count) {
  sat_Base *base = &world->base;
  sat_world_flush(world);
  for (uint32_t i = 0; i < base->count; i++) base->entries[base->entries[i].listed].differs = false;
  base->count = 0;
  for (size_t i = 0; i < count; i++) sat_base_note(base, shapes[i].index);
}

sat_Status sat_world_load_delta(sat_World *world, const sat_Delta *delta,
                                const sat_SavedShape *shapes, size_t count,
                                sat_Shape *const *blocks) {
  sat_Status status = reserve_for(world, delta, shapes, count);
  if (!status) status = make_shapes(world, shapes, count, blocks);
  if (status) return status;
  forget_contacts(world);
  vacate(world, shapes, count, blocks);
  if (enter(world, shapes, count, blocks)) drop_taken(world);
  restore_contacts(world, delta);
  note_again(world, shapes, (size_t)delta->count + delta->freed);
  sat_end_loading(world, delta->internal.next_id);
  return SAT_OK;
}
