/* world.c: the shapes of a world. */
#include "world/world.h"

/* A number's share of the block that the arrays are in. */
enum { BYTES_A_NUMBER = sizeof(sat_Member) + 3 * sizeof(uint32_t), FEWEST_MEMBERS = 16 };

/* Where most shapes are expected. What lies where decides, so that any will do. */
static const sat_Rectangle AREA = {0, 0, 1024, 1024};
enum { SPLIT_ABOVE = 8, DEEPEST = 8 };

/* ---------------------------------------------------------------- making and freeing */

void sat_world_init(sat_World *world, sat_Allocator allocator, sat_Moved *moved) {
  *moved = (sat_Moved){NULL, 0, 0, false};
  *world = (sat_World){
      .allocator = allocator, .moved = moved, .next_id = 1, .saved_id = 1, .compared = true};
  sat_quadtree_init(&world->tree, allocator, AREA, SPLIT_ABOVE, DEEPEST);
  world->hits.allocator = world->fresh.allocator = world->spare_hits.allocator = allocator;
  world->candidates.allocator = world->spare_pairs.allocator = allocator;
  world->near.allocator = allocator;
  world->touching.allocator = world->spare_events.allocator = allocator;
  world->began.allocator = world->ended.allocator = allocator;
  world->places.allocator = world->finds.allocator = allocator;
  world->scratch = world->compound = sat_scratch_make(allocator);
  sat_world_move_init(world);
}

static void free_members(sat_World *world) {
  size_t bytes = (size_t)world->capacity * BYTES_A_NUMBER;
  if (bytes) world->allocator.allocate(world->allocator.context, world->members, bytes, 0);
}

void sat_world_free(sat_World *world) {
  sat_world_leave_all(world);
  sat_world_abandon(world);
}

void sat_world_abandon(sat_World *world) {
  uint64_t next_id = world->next_id, saved_id = world->saved_id, changes = world->change_count;
  free_members(world);
  sat_quadtree_free(&world->tree);
  sat_collisions_free(&world->hits);
  sat_collisions_free(&world->fresh);
  sat_collisions_free(&world->spare_hits);
  sat_item_pairs_free(&world->candidates);
  sat_item_pairs_free(&world->spare_pairs);
  sat_items_free(&world->near);
  sat_events_free(&world->touching);
  sat_events_free(&world->began);
  sat_events_free(&world->ended);
  sat_events_free(&world->spare_events);
  sat_standings_free(&world->places);
  sat_finds_free(&world->finds);
  sat_scratch_free(&world->scratch);
  sat_scratch_free(&world->compound);
  sat_world_move_free(world);
  sat_world_init(world, world->allocator, world->moved);
  world->next_id = next_id;
  world->saved_id = saved_id;
  world->change_count = changes;
}

size_t sat_world_bytes(const sat_World *world) {
  size_t hits = world->hits.capacity + world->fresh.capacity + world->spare_hits.capacity;
  size_t pairs = world->candidates.capacity + world->spare_pairs.capacity;
  size_t events = world->touching.capacity + world->began.capacity + world->ended.capacity +
                  world->spare_events.capacity;
  return sat_quadtree_bytes(&world->tree) + (size_t)world->capacity * BYTES_A_NUMBER +
         hits * sizeof(sat_Collision) + pairs * sizeof(sat_ItemPair) + events * sizeof(sat_Event) +
         world->places.capacity * sizeof(sat_Standing) + world->finds.capacity * sizeof(sat_Find) +
         world->near.capacity * sizeof(sat_Item) + world->scratch.bytes;
}

/* ---------------------------------------------------------------- room */

static void copy_numbers(uint32_t *to, const uint32_t *from, uint32_t count) {
  if (count) memcpy(to, from, count * sizeof *to);
}

/* The arrays lie behind one another, those of larger elements first. */
static bool grow_members(sat_World *world, uint32_t capacity) {
  sat_Allocator allocator = world->allocator;
  sat_Member *members =
      allocator.allocate(allocator.context, NULL, 0, (size_t)capacity * BYTES_A_NUMBER);
  if (!members) return false;
  uint32_t *vacant = (uint32_t *)(members + capacity), *dirty = vacant + capacity,
           *moved = dirty + capacity;
  if (world->end) memcpy(members, world->members, world->end * sizeof *members);
  copy_numbers(vacant, world->vacant, world->vacant_count);
  copy_numbers(dirty, world->dirty, world->dirty_count);
  copy_numbers(moved, world->moved->slots, world->moved->count);
  free_members(world);
  world->members = members;
  world->vacant = vacant;
  world->dirty = dirty;
  world->moved->slots = moved;
  world->capacity = world->moved->capacity = capacity;
  return true;
}

sat_Status sat_world_reserve(sat_World *world, size_t count) {
  if (count > SAT_MOST_ITEMS) return SAT_ENOMEM;
  sat_Status status = sat_tree_reserve_items(&world->tree, count);
  if (status || count <= world->capacity) return status;
  size_t wanted = world->capacity + world->capacity / 2;
  if (wanted < count) wanted = count;
  if (wanted < FEWEST_MEMBERS) wanted = FEWEST_MEMBERS;
  if (wanted > SAT_MOST_ITEMS) wanted = SAT_MOST_ITEMS;
  return grow_members(world, (uint32_t)wanted) ? SAT_OK : SAT_ENOMEM;
}

/* ---------------------------------------------------------------- free numbers, a binary heap */

void sat_world_give_number(sat_World *world, uint32_t slot) {
  uint32_t at = world->vacant_count++;
  for (; at > 0 && world->vacant[(at - 1) / 2] > slot; at = (at - 1) / 2)
    world->vacant[at] = world->vacant[(at - 1) / 2];
  world->vacant[at] = slot;
}

static uint32_t take_number(sat_World *world) {
  uint32_t *vacant = world->vacant;
  if (world->vacant_count == 0) return world->end;
  uint32_t least = vacant[0], last = vacant[--world->vacant_count], at = 0;
  for (uint32_t child; (child = 2 * at + 1) < world->vacant_count; at = child) {
    if (child + 1 < world->vacant_count && vacant[child + 1] < vacant[child]) child++;
    if (vacant[child] >= last) break;
    vacant[at] = vacant[child];
  }
  vacant[at] = last;
  return least;
}

/* ---------------------------------------------------------------- coming and going */

static void make_dirty(sat_World *world, uint32_t slot) {
  if (world->members[slot].state & SAT_MEMBER_DIRTY) return;
  world->members[slot].state |= SAT_MEMBER_DIRTY;
  world->dirty[world->dirty_count++] = slot;
}

void sat_world_enter(sat_World *world, uint32_t slot, uint64_t id, sat_Shape *shape) {
  for (; world->end <= slot; world->end++) world->members[world->end] = (sat_Member){0};
  sat_Member *member = &world->members[slot];
  member->shape = shape;
  member->id = id;
  member->touching = 0;
  shape->slot = slot;
  shape->moved = world->moved;
  shape->flags |= SAT_NOTED;
  if (!(member->state & SAT_MEMBER_NOTED)) world->moved->slots[world->moved->count++] = slot;
  member->state &= ~(uint32_t)SAT_MEMBER_NOTED;
  world->count++;
}

sat_Status sat_world_reserve_more(sat_World *world, size_t count) {
  size_t more = count > world->vacant_count ? count - world->vacant_count : 0;
  return sat_world_reserve(world, world->end + more);
}

sat_Status sat_world_add(sat_World *world, sat_Shape *shape) {
  if (shape->moved) return SAT_ETAKEN;
  sat_Status status = sat_world_reserve_more(world, 1);
  if (status) return status;
  sat_world_enter(world, take_number(world), world->next_id, shape);
  world->saved_id = ++world->next_id;
  return SAT_OK;
}

/* The number stays noted if it was: whoever gets it next is noted then. */
static void let_go(sat_World *world, uint32_t slot) {
  sat_Member *member = &world->members[slot];
  if (member->shape->flags & SAT_NOTED) member->state |= SAT_MEMBER_NOTED;
  member->shape->flags &= ~(uint32_t)SAT_NOTED;
  member->shape->moved = NULL;
  member->shape = NULL;
  member->id = 0;
  member->touching = 0;
}

void sat_world_remove(sat_World *world, sat_Shape *shape) {
  SAT_ASSERT(sat_world_has(world, shape));
  uint32_t slot = (uint32_t)shape->slot;
  if (world->members[slot].state & SAT_MEMBER_IN_TREE) sat_tree_drop(&world->tree, slot);
  world->members[slot].state &= ~(uint32_t)SAT_MEMBER_IN_TREE;
  make_dirty(world, slot);
  let_go(world, slot);
  sat_world_give_number(world, slot);
  world->count--;
}

void sat_world_leave_all(sat_World *world) {
  for (uint32_t slot = 0; slot < world->end; slot++)
    if (world->members[slot].shape) let_go(world, slot);
  world->count = world->end = world->vacant_count = world->dirty_count = world->moved->count = 0;
  world->hits.count = 0;
}

/* The tree keeps no memory, and gets as much again as there is room here, when one is added. */
void sat_world_clear(sat_World *world) {
  sat_world_leave_all(world);
  sat_quadtree_clear(&world->tree);
  world->compared = false;
}

/* ---------------------------------------------------------------- reading */

bool sat_world_has(const sat_World *world, const sat_Shape *shape) {
  return sat_slot_in(world, shape) != SAT_NOBODY;
}

size_t sat_world_count(const sat_World *world) { return world->count; }

sat_Status sat_world_shapes(const sat_World *world, sat_Items *found) {
  found->count = 0;
  sat_Status status = sat_items_reserve(found, world->count);
  for (uint32_t slot = 0; !status && slot < world->end; slot++)
    if (world->members[slot].shape) found->at[found->count++] = slot;
  return status;
}

sat_Shape *sat_world_shape(const sat_World *world, uint32_t slot) {
  return slot < world->end ? world->members[slot].shape : NULL;
}

uint64_t sat_world_id(const sat_World *world, uint32_t slot) {
  return slot < world->end ? world->members[slot].id : 0;
}

uint64_t sat_world_next_id(const sat_World *world) { return world->next_id; }

bool sat_world_will_miss(const sat_World *world, const sat_Shape *shape) {
  uint32_t slot = sat_slot_in(world, shape);
  return slot != SAT_NOBODY && world->members[slot].touching > 0;
}

/* ---------------------------------------------------------------- settling */

/* From one end to the other and `slack` beyond both, as it is written down in a rectangle. */
static void stretch(double low, double high, double slack, double *start, double *size) {
  *start = low - slack;
  *size = high - low + 2 * slack;
}

/* Shapes touch as much as sat_touch_rounding apart, in casts and updates: a box is larger than the
 * shape by no less than that. */
#define SLACK 2e-12

sat_Rectangle sat_box_of(const sat_Shape *shape) {
  sat_Vec2 o = shape->origin;
  double r = shape->radius, slack = (fabs(o.x) + fabs(o.y) + shape->extent + r) * SLACK;
  sat_Rectangle box;
  stretch(o.x + shape->box.min.x - r, o.x + shape->box.max.x + r, slack, &box.x, &box.w);
  stretch(o.y + shape->box.min.y - r, o.y + shape->box.max.y + r, slack, &box.y, &box.h);
  return box;
}

static void settle_member(sat_World *world, uint32_t slot) {
  sat_Member *member = &world->members[slot];
  sat_Shape *shape = member->shape;
  make_dirty(world, slot);
  member->changed = world->change_count;
  shape->flags &= ~(uint32_t)SAT_NOTED;
  if (shape->flags & SAT_DISABLED) {
    if (member->state & SAT_MEMBER_IN_TREE) sat_tree_drop(&world->tree, slot);
    member->state &= ~(uint32_t)SAT_MEMBER_IN_TREE;
    return;
  }
  sat_tree_put(&world->tree, slot, sat_box_of(shape));
  bool fixed = shape->flags & SAT_STATIC;
  if (sat_quadtree_is_static(&world->tree, slot) != fixed)
    sat_quadtree_set_static(&world->tree, slot, fixed);
  member->state |= SAT_MEMBER_IN_TREE;
}

void sat_world_settle(sat_World *world) {
  world->change_count += world->moved->count > 0;
  for (uint32_t i = 0; i < world->moved->count; i++) {
    uint32_t slot = world->moved->slots[i];
    world->members[slot].state &= ~(uint32_t)SAT_MEMBER_NOTED;
    if (world->members[slot].shape) settle_member(world, slot);
  }
  world->moved->count = 0;
}

/* ---------------------------------------------------------------- who is near */

static sat_Status gather_all(sat_World *world) {
  sat_Items *near = &world->near;
  near->count = 0;
  sat_Status status = sat_items_reserve(near, world->end);
  for (uint32_t slot = 0; !status && slot < world->end; slot++)
    if (world->members[slot].state & SAT_MEMBER_IN_TREE) near->at[near->count++] = slot;
  return status;
}

sat_Status sat_world_gather(sat_World *world, sat_Rectangle box) {
  sat_world_settle(world);
  if (sat_rectangle_check(&box)) return gather_all(world);
  return sat_quadtree_query(&world->tree, box, &world->near);
}
