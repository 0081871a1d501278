/* world.c: the entries of a world: adding, removing, indices and ids, and the flush of changes. */
#include "world/world.h"

#include "base/heap.h"

/* The bytes of one index in the block of the arrays, and the least capacity. */
enum { BYTES_PER_INDEX = sizeof(sat_WorldEntry) + 3 * sizeof(uint32_t), FEWEST_ENTRIES = 16 };

/* The area of the quadtree, which decides nothing but where its cells lie. */
static const sat_Rectangle TREE_AREA = {0, 0, 1024, 1024};

/* ---------------------------------------------------------------- the base */

sat_BaseEntry *sat_base_allocate(sat_World *world, sat_BaseEntry *entries, size_t old_count,
                                 size_t count) {
  sat_BaseEntry *made = world->allocator.allocate(
      world->allocator.context, entries, old_count * sizeof *entries, count * sizeof *entries);
  if (made && count > old_count) memset(made + old_count, 0, (count - old_count) * sizeof *made);
  return made;
}

void sat_base_forget(sat_World *world) {
  if (world->base.entries) sat_base_allocate(world, world->base.entries, world->base.capacity, 0);
  world->base = (sat_Base){.entries = NULL};
}

/* The capacity of an array that grows by half, at least to `count`. */
static uint32_t grown(uint32_t capacity, size_t count) {
  size_t wanted = capacity + capacity / 2;
  if (wanted < count) wanted = count;
  return wanted < SAT_MOST_ITEMS ? (uint32_t)wanted : SAT_MOST_ITEMS;
}

/* Reserves entries of the base, if there is one, for indices below `count`. */
static sat_Status reserve_base(sat_World *world, size_t count) {
  sat_Base *base = &world->base;
  if (!base->entries || count <= base->capacity) return SAT_OK;
  uint32_t wanted = grown(base->capacity, count);
  sat_BaseEntry *entries = sat_base_allocate(world, base->entries, base->capacity, wanted);
  if (!entries) return SAT_ENOMEM;
  base->entries = entries;
  base->capacity = wanted;
  return SAT_OK;
}

/* ---------------------------------------------------------------- making and freeing */

size_t sat_world_size(void) { return sizeof(sat_World); }

/* The lists of a world, with those of its moves, their spaces and ways, and of its carries. */
/* clang-format off */
#define WORLD_LISTS(X)                                                                             \
  X(collisions) X(fresh_collisions) X(spare_collisions) X(candidates) X(spare_pairs) X(near)       \
  X(touching) X(began) X(ended) X(spare_events) X(neighbors) X(ray_hits)               \
  X(carry.carried) X(carry.near)                                                                   \
  X(push.pushed) X(push.fresh) X(push.chain) MOVE_LISTS(X, moves[0]) MOVE_LISTS(X, moves[1])
/* NOLINTBEGIN(bugprone-macro-parentheses): the argument names a field */
#define MOVE_LISTS(X, move)                                                                        \
  X(move.others) X(move.events) X(move.crossings) X(move.held) X(move.here)          \
  X(move.turned) X(move.hits) X(move.fresh) X(move.touched) SPACE_LISTS(X, move.solids)            \
  SPACE_LISTS(X, move.crossed) WAY_LISTS(X, move.way) WAY_LISTS(X, move.probe)
#define SPACE_LISTS(X, space) X(space.obstacles) X(space.facets) X(space.near)
#define WAY_LISTS(X, way) X(way.entries) X(way.bars)
/* NOLINTEND(bugprone-macro-parentheses) */
/* clang-format on */

void sat_world_init(sat_World *world, sat_Allocator allocator, sat_ChangeList *changes) {
  *changes = (sat_ChangeList){{NULL, 0, 0, false}};
  uint64_t key = (uint64_t)(uintptr_t)world * 0x9e3779b97f4a7c15u ^ (uint64_t)(uintptr_t)changes;
  *world = (sat_World){.saves.key = (key ^ key >> 32) * 0xd6e8feb86659fd93u | 1,
                       .allocator = allocator,
                       .changes = changes,
                       .next_id = 1,
                       .saved_id = 1,
                       .move = &world->moves[0],
                       .waiting = &world->moves[1],
                       .compared = true};
  sat_quadtree_init(&world->tree, allocator, TREE_AREA, SAT_QUADTREE_FASTEST, SAT_QUADTREE_FASTEST);
#define SET_LIST_ALLOCATOR(list) world->list.allocator = allocator;
  WORLD_LISTS(SET_LIST_ALLOCATOR)
  world->scratch = world->compound_scratch = world->turn.copies = sat_scratch_make(allocator);
}

static void free_entries(sat_World *world) {
  size_t bytes = (size_t)world->capacity * BYTES_PER_INDEX;
  if (bytes) world->allocator.allocate(world->allocator.context, world->entries, bytes, 0);
}

void sat_world_free(sat_World *world) {
  sat_world_remove_entries(world);
  sat_world_discard(world);
}

void sat_world_discard(sat_World *world) {
  uint64_t next_id = world->next_id, saved_id = world->saved_id, changes = world->change_count;
  sat_Saves saves = world->saves;
  free_entries(world);
  sat_quadtree_free(&world->tree);
#define FREE_WORLD_LIST(list) SAT_LIST_FREE(&world->list);
  WORLD_LISTS(FREE_WORLD_LIST)
  sat_scratch_free(&world->scratch);
  sat_scratch_free(&world->compound_scratch);
  sat_scratch_free(&world->turn.copies);
  sat_base_forget(world);
  sat_world_init(world, world->allocator, world->changes);
  world->next_id = next_id;
  world->saved_id = saved_id;
  world->change_count = changes + 1;
  world->saves = saves;
}

/* ---------------------------------------------------------------- capacity */

static void copy_indices(uint32_t *to, const uint32_t *from, uint32_t count) {
  if (count) memcpy(to, from, count * sizeof *to);
}

/* The arrays lie in one block, those of larger elements first. */
static bool grow_entries(sat_World *world, uint32_t capacity) {
  sat_Allocator allocator = world->allocator;
  sat_WorldEntry *entries =
      allocator.allocate(allocator.context, NULL, 0, (size_t)capacity * BYTES_PER_INDEX);
  if (!entries) return false;
  uint32_t *free_indices = (uint32_t *)(entries + capacity), *dirty = free_indices + capacity,
           *changes = dirty + capacity;
  if (world->end) memcpy(entries, world->entries, world->end * sizeof *entries);
  copy_indices(free_indices, world->free_indices, world->free_index_count);
  copy_indices(dirty, world->dirty, world->dirty_count);
  copy_indices(changes, world->changes->internal.indices, world->changes->internal.count);
  free_entries(world);
  world->entries = entries;
  world->free_indices = free_indices;
  world->dirty = dirty;
  world->changes->internal.indices = changes;
  world->capacity = world->changes->internal.capacity = capacity;
  return true;
}

sat_Status sat_world_reserve(sat_World *world, size_t count) {
  if (count > SAT_MOST_ITEMS) return SAT_ENOMEM;
  sat_Status status = sat_tree_reserve_items(&world->tree, count);
  if (!status) status = reserve_base(world, count);
  if (status || count <= world->capacity) return status;
  uint32_t wanted = grown(world->capacity, count < FEWEST_ENTRIES ? FEWEST_ENTRIES : count);
  return grow_entries(world, wanted) ? SAT_OK : SAT_ENOMEM;
}

/* ---------------------------------------------------------------- free indices, a binary heap */

static bool is_lower_index(const uint32_t *p, const uint32_t *q) { return *p < *q; }
SAT_DEFINE_HEAP(uint32_t, indices, is_lower_index)

void sat_world_free_index(sat_World *world, uint32_t index) {
  world->free_indices[world->free_index_count++] = index;
  indices_sift_up(world->free_indices, world->free_index_count - 1);
}

/* ---------------------------------------------------------------- adding and removing */

static void mark_entry_dirty(sat_World *world, uint32_t index) {
  if (world->entries[index].state & SAT_ENTRY_DIRTY) return;
  world->entries[index].state |= SAT_ENTRY_DIRTY;
  world->dirty[world->dirty_count++] = index;
}

void sat_world_add_entry(sat_World *world, uint32_t index, uint64_t id, sat_Shape *shape) {
  for (; world->end <= index; world->end++) world->entries[world->end] = (sat_WorldEntry){0};
  sat_WorldEntry *entry = &world->entries[index];
  entry->shape = shape;
  entry->id = id;
  entry->touching = 0;
  shape->index = index;
  shape->changes = world->changes;
  shape->flags |= SAT_CHANGED;
  if (!(entry->state & SAT_ENTRY_CHANGED))
    world->changes->internal.indices[world->changes->internal.count++] = index;
  entry->state &= ~(uint32_t)SAT_ENTRY_CHANGED;
  world->count++;
}

sat_Status sat_world_reserve_more(sat_World *world, size_t count) {
  size_t more = count > world->free_index_count ? count - world->free_index_count : 0;
  return sat_world_reserve(world, world->end + more);
}

sat_Status sat_world_add(sat_World *world, sat_Shape *shape) {
  if (shape->changes) return SAT_ETAKEN;
  sat_Status status = sat_world_reserve_more(world, 1);
  if (status) return status;
  uint32_t index = world->end, *free_indices = world->free_indices;
  if (world->free_index_count > 0) {
    index = free_indices[0];
    free_indices[0] = free_indices[--world->free_index_count];
    indices_sift_down(free_indices, world->free_index_count, 0);
  }
  sat_world_add_entry(world, index, world->next_id, shape);
  world->saved_id = ++world->next_id;
  return SAT_OK;
}

/* The dirty flag may stay set: the next shape with this index is dirty anyway. */
void sat_world_release_entry(sat_World *world, uint32_t index) {
  sat_WorldEntry *entry = &world->entries[index];
  if (entry->shape->flags & SAT_CHANGED) entry->state |= SAT_ENTRY_CHANGED;
  entry->shape->flags &= ~(uint32_t)SAT_CHANGED;
  entry->shape->changes = NULL;
  entry->shape = NULL;
  entry->id = 0;
  entry->touching = 0;
  world->change_count++;
}

void sat_world_remove_entry(sat_World *world, uint32_t index) {
  if (world->entries[index].state & SAT_ENTRY_IN_TREE) sat_tree_drop(&world->tree, index);
  world->entries[index].state &= ~(uint32_t)SAT_ENTRY_IN_TREE;
  mark_entry_dirty(world, index);
  sat_base_note(&world->base, index);
  sat_world_release_entry(world, index);
  sat_world_free_index(world, index);
  world->count--;
}

void sat_world_remove(sat_World *world, sat_Shape *shape) {
  SAT_ASSERT(sat_world_has(world, shape));
  sat_world_remove_entry(world, (uint32_t)shape->index);
}

void sat_world_remove_entries(sat_World *world) {
  for (uint32_t index = 0; index < world->end; index++) {
    if (!world->entries[index].shape) continue;
    sat_base_note(&world->base, index);
    sat_world_release_entry(world, index);
  }
  world->count = world->end = world->free_index_count = world->dirty_count =
      world->changes->internal.count = 0;
  world->collisions.count = 0;
}

/* Frees the tree's memory; the next shape that is added reserves as much as the world has capacity
 * for. */
void sat_world_clear(sat_World *world) {
  sat_world_remove_entries(world);
  sat_quadtree_clear(&world->tree);
  world->compared = false;
}

/* ---------------------------------------------------------------- reading */

uint32_t sat_world_index(const sat_World *world, const sat_Shape *shape) {
  return sat_index_in(world, shape);
}

bool sat_world_is_locked(const sat_World *world) { return world->changes->internal.locked; }

void sat_world_set_locked(sat_World *world, bool locked) {
  world->changes->internal.locked = locked;
}

bool sat_world_has(const sat_World *world, const sat_Shape *shape) {
  return sat_index_in(world, shape) != SAT_NO_SHAPE;
}

size_t sat_world_count(const sat_World *world) { return world->count; }

sat_Status sat_world_shapes(const sat_World *world, sat_Items *found) {
  found->count = 0;
  sat_Status status = SAT_LIST_RESERVE(found, world->count);
  for (uint32_t index = 0; !status && index < world->end; index++)
    if (world->entries[index].shape) found->at[found->count++] = index;
  return status;
}

uint32_t sat_world_end(const sat_World *world) { return world->end; }

sat_Shape *sat_world_shape(const sat_World *world, uint32_t index) {
  return index < world->end ? world->entries[index].shape : NULL;
}

uint64_t sat_world_id(const sat_World *world, uint32_t index) {
  return index < world->end ? world->entries[index].id : 0;
}

uint64_t sat_world_next_id(const sat_World *world) { return world->next_id; }

bool sat_world_has_contact_events(const sat_World *world, const sat_Shape *shape) {
  uint32_t index = sat_index_in(world, shape);
  return index != SAT_NO_SHAPE && world->entries[index].touching > 0;
}

/* ---------------------------------------------------------------- flushing changes */

/* The boxes of two shapes overlap if the gap of the shapes is within sat_touch_rounding, which is a
 * part of the largest coordinate or size of the two. Shapes that touch have a point in common, so
 * neither's largest coordinate exceeds the other's by more than its own size, and a margin of half
 * of the largest coordinate plus the size, on each box, is enough. */
sat_Rectangle sat_box_of(const sat_Shape *shape) {
  sat_Vec2 o = shape->origin, low = shape->box.min, high = shape->box.max;
  double r = shape->radius, left = o.x + low.x - r, right = o.x + high.x + r, top = o.y + low.y - r,
         bottom = o.y + high.y + r, w = right - left, h = bottom - top;
  double x = max2(fabs(left), fabs(right)), y = max2(fabs(top), fabs(bottom));
  double margin = (max2(x, y) / 2 + max2(w, h)) * SAT_BOX_MARGIN;
  return (sat_Rectangle){left - margin, top - margin, w + 2 * margin, h + 2 * margin};
}

static void flush_entry(sat_World *world, uint32_t index) {
  sat_WorldEntry *entry = &world->entries[index];
  sat_Shape *shape = entry->shape;
  mark_entry_dirty(world, index);
  sat_base_note(&world->base, index);
  entry->changed = world->change_count;
  shape->flags &= ~(uint32_t)SAT_CHANGED;
  if (shape->flags & SAT_DISABLED) {
    if (entry->state & SAT_ENTRY_IN_TREE) sat_tree_drop(&world->tree, index);
    entry->state &= ~(uint32_t)SAT_ENTRY_IN_TREE;
    return;
  }
  sat_Rectangle box = sat_box_of(shape);
  sat_tree_put(&world->tree, index, &box);
  bool fixed = shape->flags & SAT_STATIC;
  if (sat_quadtree_is_static(&world->tree, index) != fixed)
    sat_quadtree_set_static(&world->tree, index, fixed);
  entry->state |= SAT_ENTRY_IN_TREE;
}

/* Prefetches the box of the shape that is a few changes ahead. */
SAT_INLINE void prefetch_change(const sat_World *world, uint32_t change) {
  enum { AHEAD = 8 };
  if (change + AHEAD >= world->changes->internal.count) return;
  const sat_Shape *shape = world->entries[world->changes->internal.indices[change + AHEAD]].shape;
  if (!shape) return;
  prefetch(&shape->box, 1);
  prefetch(&shape->origin, 1);
}

void sat_world_flush(sat_World *world) {
  world->change_count += world->changes->internal.count > 0;
  for (uint32_t i = 0; i < world->changes->internal.count; i++) {
    uint32_t index = world->changes->internal.indices[i];
    prefetch_change(world, i);
    world->entries[index].state &= ~(uint32_t)SAT_ENTRY_CHANGED;
    if (world->entries[index].shape) flush_entry(world, index);
  }
  world->changes->internal.count = 0;
}

/* ---------------------------------------------------------------- neighbours */

sat_Status sat_world_query_boxes(sat_World *world, const sat_Rectangle *box) {
  sat_world_flush(world);
  return sat_tree_query(&world->tree, box, &world->near);
}
