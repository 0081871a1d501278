/* load.c: loads worlds and deltas. The bytes are checked, and the world changes only after all
 * memory for loading has been reserved.
 *
 * A whole save gives a shape, or none, to every index. A delta does so at every index that may
 * differ from the base: the delta's shape, or none, or the base's; at all other indices the world
 * has the shapes of the base, and keeps them. */
#include "world/save/saved.h"

/* ---------------------------------------------------------------- the list of shapes */

static const sat_Base *base_of(const sat_World *world, const sat_Saved *saved) {
  return sat_saved_is_delta(saved) ? &world->base : &sat_base_of_none;
}

bool sat_world_takes(const sat_World *world, const sat_Saved *saved) {
  const unsigned char *digest = saved->internal.bytes + SAT_SAVED_BASE_AT;
  return !sat_saved_is_delta(saved) ||
         (world->base.entries && memcmp(digest, world->base.digest, SAT_DIGEST) == 0);
}

/* Never 0, so that the list is no null pointer. */
size_t sat_world_most_listed(sat_World *world, const sat_Saved *saved) {
  sat_world_flush(world);
  return (size_t)saved->count + saved->freed +
         (sat_saved_is_delta(saved) ? world->base.count : world->count) + 1;
}

/* Appends the indices that may differ from the save and are not in it, with the base's shapes. */
static size_t list_others(const sat_World *world, const sat_Saved *saved, sat_SavedShape *shapes) {
  const sat_Base *base = base_of(world, saved);
  size_t count = (size_t)saved->count + saved->freed;
  for (uint32_t i = 0; i < (base->entries ? base->count : world->end); i++) {
    uint32_t index = base->entries ? base->entries[i].listed : i;
    const unsigned char *there = sat_base_saved(base, index);
    if (!there && !sat_world_shape(world, index)) continue;
    if (sat_saved_changes(saved, shapes, index) || sat_saved_frees(saved, shapes, index)) continue;
    shapes[count++] = there ? sat_saved_shape(there) : (sat_SavedShape){.index = index};
  }
  return count;
}

sat_Status sat_world_list(sat_World *world, const sat_Saved *saved, sat_SavedShape *shapes,
                          size_t *count) {
  if (!sat_world_takes(world, saved)) return SAT_EBASE;
  uint64_t *ids = sat_scratch_reserve(&world->scratch, (saved->count + (size_t)1) * sizeof *ids);
  if (!ids) return SAT_ENOMEM;
  sat_world_flush(world);
  sat_saved_list(saved, shapes);
  if (!sat_saved_fits(saved, base_of(world, saved), shapes, ids)) return SAT_ESAVED;
  *count = list_others(world, saved, shapes);
  return SAT_OK;
}

/* The world's shape that a saved one is restored into, or NULL. */
static sat_Shape *find_kept(const sat_World *world, const sat_SavedShape *shape) {
  sat_Shape *there = sat_world_shape(world, shape->index);
  if (!there || !shape->record || sat_world_id(world, shape->index) != shape->id) return NULL;
  return sat_record_is_of(shape->record, there) ? there : NULL;
}

void sat_world_match(const sat_World *world, const sat_SavedShape *shapes, size_t count,
                     sat_Shape **blocks) {
  for (size_t i = 0; i < count; i++) blocks[i] = find_kept(world, &shapes[i]);
}

/* ---------------------------------------------------------------- before the world changes */

/* The memory for making a shape or for trying to restore it. */
static size_t memory_for(const sat_SavedShape *shape, const sat_Shape *block) {
  if (!shape->record) return 0;
  return block->changes ? sat_shape_try_memory(shape->record, block)
                        : sat_record_memory(shape->record);
}

/* Makes the new shapes, in blocks that no caller has seen, and tries to restore the others. */
static sat_Status make_shapes(sat_World *world, const sat_SavedShape *shapes, size_t count,
                              sat_Shape *const *blocks) {
  sat_Status status = SAT_OK;
  size_t most = 1;
  for (size_t i = 0; i < count; i++)
    if (memory_for(&shapes[i], blocks[i]) > most) most = memory_for(&shapes[i], blocks[i]);
  void *memory = sat_scratch_reserve(&world->compound_scratch, most);
  if (!memory) return SAT_ENOMEM;
  for (size_t i = 0; i < count && !status; i++) {
    const unsigned char *record = shapes[i].record;
    if (record && !blocks[i]->changes)
      status = sat_shape_read(record, blocks[i], memory, &world->scratch);
    else if (memory_for(&shapes[i], blocks[i]) > 0)
      status = sat_shape_try_restore(record, blocks[i], memory);
  }
  return status;
}

/* Whether each shape has a block of its size: the world's block at its index, or a new one. */
static bool are_blocks(const sat_World *world, const sat_SavedShape *shapes, size_t count,
                       sat_Shape *const *blocks) {
  for (size_t i = 0; i < count; i++) {
    const sat_Shape *block = blocks[i];
    if (!shapes[i].record) continue;
    if (!block || block->bytes != shapes[i].bytes) return false;
    if (block->changes && block != find_kept(world, &shapes[i])) return false;
  }
  return true;
}

static sat_Status reserve_for(sat_World *world, const sat_Saved *saved) {
  const sat_SavedPairs old = sat_saved_pairs(&base_of(world, saved)->saved),
                       begun = sat_saved_pairs(saved);
  size_t pairs = (size_t)((old.end - old.at) + (begun.end - begun.at)) / SAT_SAVED_PAIR;
  size_t end = base_of(world, saved)->saved.internal.end, now = world->touching.count;
  sat_Status status =
      sat_world_reserve(world, saved->internal.end > end ? saved->internal.end : end);
  return status ? status : SAT_LIST_RESERVE(&world->touching, pairs > now ? pairs - now : 0);
}

/* ---------------------------------------------------------------- loading */

/* Removes the shapes that change, but for those that are restored in their blocks. */
static void vacate(sat_World *world, const sat_SavedShape *shapes, size_t count,
                   sat_Shape *const *blocks) {
  for (size_t i = 0; i < count; i++) {
    uint32_t index = shapes[i].index;
    sat_Shape *there = sat_world_shape(world, index);
    if (there && !(shapes[i].record && there == blocks[i])) sat_world_remove_entry(world, index);
  }
}

/* Enters the new and the restored shapes. Returns whether one of them has got a free index. */
static bool enter(sat_World *world, const sat_SavedShape *shapes, size_t count,
                  sat_Shape *const *blocks) {
  bool any_new = false;
  for (size_t i = 0; i < count; i++) {
    const sat_SavedShape *shape = &shapes[i];
    if (!shape->record) continue;
    while (world->end < shape->index) {
      world->entries[world->end] = (sat_WorldEntry){0};
      sat_world_free_index(world, world->end++);
    }
    if (sat_world_shape(world, shape->index)) {
      sat_world_release_entry(world, shape->index);
      world->count--;
    } else any_new = true;
    sat_shape_restore(shape->record, blocks[i]);
    sat_world_add_entry(world, shape->index, shape->id, blocks[i]);
  }
  return any_new;
}

static void forget_contacts(sat_World *world) {
  for (size_t i = 0; i < world->touching.count; i++) {
    const sat_Event *event = &world->touching.at[i];
    if (sat_world_id(world, event->a) == event->id_a) world->entries[event->a].touching = 0;
    if (sat_world_id(world, event->b) == event->id_b) world->entries[event->b].touching = 0;
  }
}

static void restore_contacts(sat_World *world, const sat_Saved *saved) {
  sat_PairMerge merge = sat_saved_merge(saved, base_of(world, saved));
  sat_WorldEntry *entries = world->entries;
  bool twice;
  world->touching.count = world->began.count = world->ended.count = 0;
  for (uint64_t pair; (pair = sat_saved_next_pair(&merge, &twice)) != UINT64_MAX;) {
    uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
    world->touching.at[world->touching.count++] = (sat_Event){a, b, entries[a].id, entries[b].id};
    entries[a].touching++;
    entries[b].touching++;
  }
}

sat_Status sat_world_load(sat_World *world, const sat_Saved *saved, const sat_SavedShape *shapes,
                          size_t count, sat_Shape *const *blocks) {
  sat_Base *base = &world->base;
  if (!sat_world_takes(world, saved)) return SAT_EBASE;
  if (!are_blocks(world, shapes, count, blocks)) return SAT_EVALUE;
  sat_Status status = reserve_for(world, saved);
  if (!status) status = make_shapes(world, shapes, count, blocks);
  if (status) return status;
  forget_contacts(world);
  vacate(world, shapes, count, blocks);
  if (enter(world, shapes, count, blocks)) {
    /* the heap of free indices loses those that are in use */
    uint32_t free_count = world->free_index_count;
    world->free_index_count = 0;
    for (uint32_t i = 0; i < free_count; i++)
      if (!world->entries[world->free_indices[i]].shape)
        sat_world_free_index(world, world->free_indices[i]);
    sat_world_note_hits(world);
  }
  restore_contacts(world, saved);
  world->saved_id = saved->internal.next_id;
  if (world->next_id < world->saved_id) world->next_id = world->saved_id;
  if (sat_saved_is_delta(saved)) { /* the list of indices that may differ has the delta's */
    sat_world_flush(world);
    for (uint32_t i = 0; i < base->count; i++)
      base->entries[base->entries[i].listed].differs = false;
    base->count = 0;
    for (size_t i = 0; i < (size_t)saved->count + saved->freed; i++)
      sat_base_note(base, shapes[i].index);
  } else sat_saves_remember(world, saved->internal.bytes, saved->internal.size);
  world->compared = false;
  world->ignored = true;
  return SAT_OK;
}
