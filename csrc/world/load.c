/* load.c: checks saved worlds and loads them. The bytes are untrusted until all of them are
 * checked, and the world changes only after all memory for loading has been reserved. */
#include "world/base.h"

#include "base/heap.h"
#include "base/memory.h"
#include "shape/shape_save.h"
#include "world/save.h"

/* ---------------------------------------------------------------- ids in order */

static bool has_higher_id(const sat_KnownId *p, const sat_KnownId *q) { return p->id > q->id; }
SAT_DEFINE_SORT(sat_KnownId, known, has_higher_id)

bool sat_ids_ascend(const sat_KnownId *known, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (known[i - 1].id >= known[i].id) return false;
  return true;
}

/* The ids are mostly in order already, since indices are seldom reused. */
void sat_ids_sort(sat_KnownId *known, size_t count) {
  if (!sat_ids_ascend(known, count)) known_sort(known, count);
}

/* ---------------------------------------------------------------- checking the bytes */

static bool is_taken(const sat_Saved *saved, uint32_t index) {
  return index < saved->end && (saved->internal.taken[index / 8] >> index % 8 & 1);
}

/* Checks framing, checksum and format. A damaged version number counts as damage, not as another
 * version. */
static sat_Status check_format(const unsigned char *bytes, size_t size) {
  if (size < SAT_SAVED_HEAD || size % 8 != 0) return SAT_ESAVED;
  if (sat_get_64(bytes) != SAT_SAVED_MAGIC) return SAT_ESAVED;
  if (sat_get_64(bytes + SAT_SAVED_SUM_AT) != sat_saved_sum(bytes, size)) return SAT_ESAVED;
  return sat_get_32(bytes + SAT_SAVED_VERSION_AT) == SAT_SAVED_VERSION ? SAT_OK : SAT_EVERSION;
}

static bool read_head(sat_Saved *saved, const unsigned char *bytes) {
  saved->internal.bytes = bytes;
  saved->internal.next_id = sat_get_64(bytes + SAT_SAVED_ID_AT);
  saved->end = sat_get_32(bytes + SAT_SAVED_END_AT);
  saved->count = sat_get_32(bytes + SAT_SAVED_COUNT_AT);
  saved->internal.pair_count = sat_get_32(bytes + SAT_SAVED_PAIRS_AT);
  saved->internal.taken = bytes + SAT_SAVED_HEAD;
  return saved->internal.next_id >= 1 && saved->internal.next_id <= SAT_MOST_IDS &&
         saved->end <= SAT_MOST_ITEMS;
}

/* Checks the bits of indices in use: the last index is in use, none follows, and their number is
 * right. */
static bool are_index_bits(sat_Saved *saved, size_t left) {
  size_t bits = sat_saved_bits(saved->end), count = 0;
  if (bits > left) return false;
  for (size_t i = 0; i < bits * 8; i++) {
    bool taken = saved->internal.taken[i / 8] >> i % 8 & 1;
    if (taken && i >= saved->end) return false;
    count += taken;
  }
  saved->internal.shapes = saved->internal.taken + bits;
  return count == saved->count && (saved->end == 0 || is_taken(saved, saved->end - 1));
}

static bool are_shapes(sat_Saved *saved, const unsigned char *end) {
  const unsigned char *at = saved->internal.shapes;
  for (uint32_t i = 0; i < saved->count; i++) {
    if (end - at < 8) return false;
    uint64_t id = sat_get_64(at);
    if (id == 0 || id >= saved->internal.next_id) return false;
    at += 8;
    if (!sat_record_check(at, (size_t)(end - at), 0)) return false;
    at += sat_record_size(at);
  }
  saved->internal.pairs = at;
  return true;
}

static sat_Status check_ids(const sat_Saved *saved, sat_Scratch *scratch) {
  sat_SavedShape shape = {0};
  size_t count = 0;
  if (saved->count == 0) return SAT_OK;
  sat_KnownId *known = sat_scratch_reserve(scratch, saved->count * sizeof *known);
  if (!known) return SAT_ENOMEM;
  while (sat_saved_next(saved, &shape)) known[count++] = (sat_KnownId){shape.id, shape.index};
  sat_ids_sort(known, count);
  return sat_ids_ascend(known, count) ? SAT_OK : SAT_ESAVED;
}

static bool are_pairs(const sat_Saved *saved, size_t left) {
  uint32_t last_a = 0, last_b = 0;
  if (left % SAT_SAVED_PAIR != 0 || left / SAT_SAVED_PAIR != saved->internal.pair_count)
    return false;
  for (uint32_t i = 0; i < saved->internal.pair_count; i++) {
    const unsigned char *pair = saved->internal.pairs + (size_t)i * SAT_SAVED_PAIR;
    uint32_t a = sat_get_32(pair), b = sat_get_32(pair + 4);
    if (a >= b || !is_taken(saved, a) || !is_taken(saved, b)) return false;
    if (a < last_a || (a == last_a && b <= last_b)) return false;
    last_a = a;
    last_b = b;
  }
  return true;
}

sat_Status sat_saved_open(sat_Saved *saved, const void *bytes, size_t size, sat_Scratch *scratch) {
  const unsigned char *start = bytes, *end = start + size;
  sat_Status status = check_format(start, size);
  if (status) return status;
  if (!read_head(saved, start) || !are_index_bits(saved, size - SAT_SAVED_HEAD)) return SAT_ESAVED;
  if (!are_shapes(saved, end) || !are_pairs(saved, (size_t)(end - saved->internal.pairs)))
    return SAT_ESAVED;
  return check_ids(saved, scratch);
}

/* ---------------------------------------------------------------- one by one */

bool sat_saved_next(const sat_Saved *saved, sat_SavedShape *shape) {
  const unsigned char *at = saved->internal.shapes;
  uint32_t index = 0;
  if (shape->record) {
    at = shape->record + sat_record_size(shape->record);
    index = shape->index + 1;
  }
  while (index < saved->end && !is_taken(saved, index)) index++;
  if (index >= saved->end) return false;
  *shape = (sat_SavedShape){sat_get_64(at), index, sat_record_block(at + 8), at + 8};
  return true;
}

/* ---------------------------------------------------------------- shapes that are there already */

static sat_Shape *find_known(const sat_World *world, const sat_KnownId *known,
                             const sat_SavedShape *shape) {
  size_t low = 0, high = world->count;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    if (known[mid].id < shape->id) low = mid + 1;
    else high = mid;
  }
  if (low == world->count || known[low].id != shape->id) return NULL;
  sat_Shape *there = world->entries[known[low].index].shape;
  return sat_record_is_of(shape->record, there) ? there : NULL;
}

sat_Status sat_world_match(sat_World *world, const sat_Saved *saved, sat_Shape **blocks) {
  sat_SavedShape shape = {0};
  size_t count = 0;
  sat_KnownId *known =
      sat_scratch_reserve(&world->scratch, (world->count + (size_t)1) * sizeof *known);
  if (!known) return SAT_ENOMEM;
  for (uint32_t index = 0; index < world->end; index++)
    if (world->entries[index].shape)
      known[count++] = (sat_KnownId){world->entries[index].id, index};
  sat_ids_sort(known, count);
  for (size_t i = 0; sat_saved_next(saved, &shape); i++)
    blocks[i] = find_known(world, known, &shape);
  return SAT_OK;
}

/* ---------------------------------------------------------------- loading */

/* The memory for making any one of the new shapes. */
static size_t memory_for(const sat_Saved *saved, sat_Shape *const *blocks) {
  sat_SavedShape shape = {0};
  size_t most = 0;
  for (size_t i = 0; sat_saved_next(saved, &shape); i++) {
    size_t bytes = blocks[i]->changes ? 0 : sat_record_memory(shape.record);
    if (bytes > most) most = bytes;
  }
  return most;
}

/* Makes the new shapes, in blocks that no caller has seen. */
static sat_Status load_make_shapes(sat_World *world, const sat_Saved *saved,
                                   sat_Shape *const *blocks) {
  sat_Allocator allocator = world->allocator;
  sat_SavedShape shape = {0};
  sat_Status status = SAT_OK;
  size_t bytes = memory_for(saved, blocks);
  void *memory = bytes ? allocator.allocate(allocator.context, NULL, 0, bytes) : NULL;
  if (bytes && !memory) return SAT_ENOMEM;
  for (size_t i = 0; !status && sat_saved_next(saved, &shape); i++)
    if (!blocks[i]->changes)
      status = sat_shape_read(shape.record, blocks[i], memory, &world->scratch);
  if (memory) allocator.allocate(allocator.context, memory, bytes, 0);
  return status;
}

/* Removes all shapes; the tree keeps its reserved memory. */
static void remove_all(sat_World *world) {
  for (uint32_t index = 0; index < world->end; index++)
    if (world->entries[index].state & SAT_ENTRY_IN_TREE) sat_tree_drop(&world->tree, index);
  sat_world_leave_all(world);
}

/* Enters all shapes; restoring does not change new shapes. */
static void enter_shapes(sat_World *world, const sat_Saved *saved, sat_Shape *const *blocks) {
  sat_SavedShape shape = {0};
  for (size_t i = 0; sat_saved_next(saved, &shape); i++) {
    sat_shape_restore(shape.record, blocks[i]);
    sat_world_enter(world, shape.index, shape.id, blocks[i]);
  }
  for (uint32_t index = 0; index < world->end; index++)
    if (!world->entries[index].shape) sat_world_free_index(world, index);
}

/* Restores the contacts of the last update; the list has room. */
static void restore_pairs(sat_World *world, const sat_Saved *saved) {
  world->touching.count = world->began.count = world->ended.count = 0;
  for (uint32_t i = 0; i < saved->internal.pair_count; i++) {
    const unsigned char *pair = saved->internal.pairs + (size_t)i * SAT_SAVED_PAIR;
    sat_restore_contact(world, sat_get_32(pair), sat_get_32(pair + 4));
  }
}

sat_Status sat_world_load(sat_World *world, const sat_Saved *saved, sat_Shape *const *blocks) {
  sat_Status status = sat_world_reserve(world, saved->end);
  size_t more = saved->internal.pair_count > world->touching.count
                    ? saved->internal.pair_count - world->touching.count
                    : 0;
  if (!status) status = SAT_LIST_RESERVE(&world->touching, more);
  if (!status) status = load_make_shapes(world, saved, blocks);
  if (status) return status;
  remove_all(world);
  enter_shapes(world, saved, blocks);
  restore_pairs(world, saved);
  sat_end_loading(world, saved->internal.next_id);
  return SAT_OK;
}
