/* quadtree.c: quadtrees as a script sees them: their memory, the tables of items and their numbers,
 * the checks that all methods begin with, changes, the constructor and the metatable.
 *
 * The core identifies items by number, and scripts by value. Two tables map numbers to values and
 * values to numbers. They are in the state table, with the idle cursors of loops. The state table
 * is the user value of the tree and of each of its cursors, where the collector sees cycles.
 *
 * An error must leave the core and the tables as they were. New items first enter the core, which
 * takes all of them or none and gives them numbers, and then the tables, whose growth may fail for
 * lack of memory. In the meantime the tree counts as inconsistent, and the new items are in its
 * list `found`: after an error the next method removes them from the core, and makes the tables
 * again. Finalizers run when Lua makes objects, and writes to a table make none, so no finalizer
 * comes in between. */
#include "base/memory.h"
#include "lua/calls.h"
#include "lua/quadtree/quadtree_state.h"
#include "lua/shape/shape_methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_CAPACITY 1000000
#define MOST_ITEMS 100000000

/* ---------------------------------------------------------------- memory */

/* Empties the core and frees all memory but the snapshots of running loops. */
static void free_tree(satlua_Quadtree *tree) {
  sat_quadtree_clear(tree->core);
  SAT_LIST_FREE(&tree->found);
  SAT_LIST_FREE(&tree->hits);
  SAT_LIST_FREE(&tree->asked);
  SAT_LIST_FREE(&tree->times);
  SAT_LIST_FREE(&tree->boxes);
  satlua_snapshots_shrink(&tree->owner);
}

/* Frees all memory of a tree but its block, when the tree or its state ends. */
static void release_tree(satlua_TrackedMemory *memory) {
  satlua_Quadtree *tree = (satlua_Quadtree *)memory;
  free_tree(tree);
  satlua_snapshots_free(&tree->owner);
}

/* ---------------------------------------------------------------- items and their numbers */

/* Undoes an interrupted change: removes the new items from the core, makes
 * SATLUA_QUADTREE_STATE_NUMBERS again from SATLUA_QUADTREE_STATE_ITEMS, in the empty table on top
 * of the stack, which is popped, and removes items that the core does not have. A table of 5.1 that
 * fails to grow may have lost keys. */
static void undo_change(lua_State *L, satlua_Quadtree *tree) {
  while (tree->found.count > 0)
    sat_quadtree_remove(tree->core, tree->found.at[--tree->found.count]);
  lua_getuservalue(L, 1);
  lua_insert(L, -2);
  int state_table = lua_gettop(L) - 1;
  lua_rawgeti(L, state_table, SATLUA_QUADTREE_STATE_ITEMS);
  for (size_t i = 0; i < tree->place_count; i++) {
    bool is_there = sat_quadtree_has(tree->core, (sat_Item)i);
    if (is_there) lua_rawgeti(L, -1, (int)i + 1);
    else lua_pushboolean(L, 0);
    if (is_there) lua_pushinteger(L, (lua_Integer)i);
    if (is_there) lua_rawset(L, state_table + 1);
    else lua_rawseti(L, -2, (int)i + 1);
  }
  lua_pop(L, 1);
  lua_rawseti(L, state_table, SATLUA_QUADTREE_STATE_NUMBERS);
  lua_pop(L, 1);
  tree->is_inconsistent = false;
}

satlua_Quadtree *satlua_quadtree_check(lua_State *L) {
  satlua_Quadtree *tree = satlua_check_owner(L, SATLUA_UP_QUADTREE, "quadtree");
  if (!tree->is_inconsistent) return tree;
  lua_createtable(L, 0, (int)sat_quadtree_count(tree->core));
  tree = satlua_check_owner(L, SATLUA_UP_QUADTREE, "quadtree");
  if (tree->is_inconsistent) undo_change(L, tree); /* a finalizer may have done so already */
  else lua_pop(L, 1);
  return tree;
}

/* The tree for a method that changes it. Raises an error while a search waits for a function. */
static satlua_Quadtree *check_changing_tree(lua_State *L) {
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  if (tree->is_locked)
    luaL_error(L, "the tree cannot change until the function that it asks has returned");
  return tree;
}

satlua_Quadtree *satlua_quadtree_handle_open(const void *block) {
  satlua_Quadtree *tree = satlua_handle_open(block);
  bool is_easy = tree && !tree->is_inconsistent && !tree->is_locked &&
                 !satlua_memory_has_unreported(&tree->owner.memory);
  return is_easy ? tree : NULL;
}

/* Whether the value at an index is NaN, which is no key of a table. */
static bool is_nan_at(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TNUMBER && isnan(lua_tonumber(L, index));
}

void satlua_quadtree_check_item(lua_State *L, int arg) {
  if (lua_isnone(L, arg)) satlua_raise_argument(L, arg, "item is missing");
  if (lua_isnil(L, arg)) satlua_raise_argument(L, arg, "item is nil");
  if (is_nan_at(L, arg)) satlua_raise_argument(L, arg, "item is NaN");
}

/* Looks up the value on top of the stack, which is popped, in SATLUA_QUADTREE_STATE_NUMBERS at the
 * index `numbers`: its number, or -1 when the value is not in the tree. */
static lua_Integer pop_number(lua_State *L, int numbers) {
  lua_rawget(L, numbers);
  lua_Integer number = lua_isnil(L, -1) ? -1 : lua_tointeger(L, -1);
  lua_pop(L, 1);
  return number;
}

sat_Item satlua_quadtree_find(lua_State *L, int index) {
  lua_getuservalue(L, 1);
  lua_rawgeti(L, -1, SATLUA_QUADTREE_STATE_NUMBERS);
  lua_pushvalue(L, index);
  lua_Integer number = pop_number(L, -2);
  lua_pop(L, 2);
  return number < 0 ? SATLUA_NO_ITEM : (sat_Item)number;
}

/* ---------------------------------------------------------------- room */

/* Pushes two tables of the state table: items by number, numbers by item. */
static void push_tables(lua_State *L) {
  lua_getuservalue(L, 1);
  lua_rawgeti(L, -1, SATLUA_QUADTREE_STATE_ITEMS);
  lua_rawgeti(L, -2, SATLUA_QUADTREE_STATE_NUMBERS);
  lua_remove(L, -3);
}

/* Removes the item on top of the stack, which is popped, from the tables, which are at the index
 * `tables` and the one after it. */
static void pop_out_of(lua_State *L, int tables, size_t number) {
  lua_pushnil(L);
  lua_rawset(L, tables + 1);
  lua_pushboolean(L, 0);
  lua_rawseti(L, tables, (int)number + 1);
}

/* ---------------------------------------------------------------- new items */

/* Checks the item with that index of the list, which is on top of the stack, before the tables at
 * `tables` have it. */
static void check_listed(lua_State *L, const satlua_Quadtree *tree, int tables, size_t i) {
  lua_pushvalue(L, -1);
  lua_Integer number = pop_number(L, tables + 1);
  bool is_nil = lua_isnil(L, -1), is_nan = is_nan_at(L, -1);
  if (number < 0 && !is_nil && !is_nan) return;
  size_t same = 0;
  while (same < i && tree->found.at[same] != (sat_Item)number) same++;
  const char *error = is_nil ? "is nil" : is_nan ? "is NaN" : "is in the tree already";
  if (number >= 0 && same < i) error = lua_pushfstring(L, "is item %d once more", (int)same + 1);
  satlua_raise_argument(L, 2, "item %d %s", (int)i + 1, error);
}

/* Writes the new items, argument 2 or the elements of that list, into the tables at `tables`, under
 * the numbers that the core has given them. */
static void enter_items(lua_State *L, satlua_Quadtree *tree, int tables, bool listed) {
  for (size_t i = 0; i < tree->found.count; i++) {
    sat_Item item = tree->found.at[i];
    if (listed) lua_rawgeti(L, 2, (int)i + 1);
    else lua_pushvalue(L, 2);
    if (listed) check_listed(L, tree, tables, i);
    lua_pushvalue(L, -1);
    lua_rawseti(L, tables, (int)item + 1);
    if (item >= tree->place_count) tree->place_count = (size_t)item + 1;
    lua_pushinteger(L, (lua_Integer)item);
    lua_rawset(L, tables + 1);
  }
}

/* Adds new items with these boxes, to the core and to the tables at `tables`. */
static void add_items(lua_State *L, satlua_Quadtree *tree, int tables, const sat_Rectangle *boxes,
                      size_t count, bool listed) {
  tree->found.count = 0;
  satlua_check_status(L, 2, SAT_LIST_RESERVE(&tree->times, tree->used + count));
  satlua_check_status(L, 2, SAT_LIST_RESERVE(&tree->found, count));
  satlua_check_status(L, 2, sat_quadtree_build(tree->core, boxes, count, tree->found.at));
  tree->is_inconsistent = true;
  for (; tree->found.count < count; tree->found.count++) {
    sat_Item item = tree->found.at[tree->found.count];
    tree->times.at[item] = tree->loops;
    if (item >= tree->used) tree->used = (size_t)item + 1;
  }
  enter_items(L, tree, tables, listed);
  tree->is_inconsistent = false;
}

/* ---------------------------------------------------------------- single items */

static int tree_has(lua_State *L) {
  satlua_quadtree_check(L);
  satlua_quadtree_check_item(L, 2);
  return satlua_push_boolean(L, satlua_quadtree_find(L, 2) != SATLUA_NO_ITEM);
}

static int tree_get(lua_State *L) {
  const satlua_Quadtree *tree = satlua_quadtree_check(L);
  satlua_quadtree_check_item(L, 2);
  sat_Item item = satlua_quadtree_find(L, 2);
  if (item == SATLUA_NO_ITEM) return satlua_push_none(L);
  return satlua_push_box(L, sat_quadtree_box(tree->core, item));
}

static int tree_count(lua_State *L) {
  const satlua_Quadtree *tree = satlua_quadtree_check(L);
  lua_pushinteger(L, (lua_Integer)sat_quadtree_count(tree->core));
  return 1;
}

int satlua_call_quadtree_count(void *context, const void *block) {
  satlua_Quadtree *tree = satlua_quadtree_handle_open(block);
  if (!tree) return SATLUA_REFUSED;
  satlua_put_number(context, 0, (double)sat_quadtree_count(tree->core));
  return satlua_next_serial(context);
}

/* Checks the item that is argument 2, and returns its box: the numbers that follow, or the bounds
 * of a shape that is the only argument. */
static sat_Rectangle check_item_and_box(lua_State *L) {
  if (lua_gettop(L) == 2) {
    const sat_Shape *shape = satlua_to_shape(L, 2);
    if (shape) return satlua_shape_rectangle(shape);
  }
  satlua_quadtree_check_item(L, 2);
  return satlua_check_rectangle(L, 3, "the box", true);
}

/* Returns the tree itself, so that calls chain. */
static int return_quadtree(lua_State *L) { return satlua_finish(L, satlua_return_self(L)); }

static int tree_insert(lua_State *L) {
  satlua_Quadtree *tree = check_changing_tree(L);
  sat_Rectangle box = check_item_and_box(L);
  lua_settop(L, 2);
  if (satlua_quadtree_find(L, 2) != SATLUA_NO_ITEM)
    return satlua_raise_argument(L, 2, "item is in the tree already: move it with update");
  push_tables(L);
  add_items(L, tree, 3, &box, 1, false);
  return return_quadtree(L);
}

static int tree_update(lua_State *L) {
  satlua_Quadtree *tree = check_changing_tree(L);
  sat_Rectangle box = check_item_and_box(L);
  sat_Item item = satlua_quadtree_find(L, 2);
  if (item == SATLUA_NO_ITEM)
    return satlua_raise_argument(L, 2, "item is not in the tree: add it with insert");
  satlua_check_status(L, 2, sat_quadtree_update(tree->core, item, box));
  return return_quadtree(L);
}

/* Updates an item, whose number the caller has looked up, to the bounds of a shape or, without one,
 * to a box. A new serial number means that the number may be another item's by now. */
int satlua_call_update_item(void *context, int serial, const void *block, double number,
                            void *shape, double x, double y, double w, double h) {
  satlua_Quadtree *tree = satlua_quadtree_handle_open(block);
  if (!tree || ((satlua_StateContext *)context)->serial != serial) return SATLUA_REFUSED;
  if (!shape && !satlua_in_range(x + w, y + h)) return SATLUA_REFUSED;
  sat_Rectangle box = shape ? satlua_shape_rectangle(shape) : (sat_Rectangle){x, y, w, h};
  return (int)sat_quadtree_update(tree->core, (sat_Item)number, box);
}

static int tree_remove(lua_State *L) {
  satlua_Quadtree *tree = check_changing_tree(L);
  satlua_quadtree_check_item(L, 2);
  lua_settop(L, 2);
  sat_Item item = satlua_quadtree_find(L, 2);
  lua_pushboolean(L, item != SATLUA_NO_ITEM);
  if (item == SATLUA_NO_ITEM) return 1;
  sat_quadtree_remove(tree->core, item);
  tree->removals++;
  push_tables(L);
  lua_pushvalue(L, 2);
  pop_out_of(L, 4, item);
  lua_settop(L, 3);
  return 1;
}

/* ---------------------------------------------------------------- all items */

/* Puts new tables into the state table, with room for `count` items, unless the core holds more
 * than `most`: a finalizer may have inserted an item while the tables were made. Returns the tree,
 * checked again. */
static satlua_Quadtree *restart_tables(lua_State *L, int count, size_t most) {
  lua_createtable(L, count, 0);
  lua_createtable(L, 0, count);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  if (sat_quadtree_count(tree->core) > most) {
    lua_pop(L, 2);
    return tree;
  }
  lua_getuservalue(L, 1);
  lua_insert(L, -3);
  lua_rawseti(L, -3, SATLUA_QUADTREE_STATE_NUMBERS);
  lua_rawseti(L, -2, SATLUA_QUADTREE_STATE_ITEMS);
  lua_pop(L, 1);
  tree->place_count = 0;
  return tree;
}

/* Empties the tables, which keep their room: a game may fill the tree again in every frame. */
static void empty_tables(lua_State *L, satlua_Quadtree *tree) {
  push_tables(L);
  int tables = lua_gettop(L) - 1;
  for (size_t i = 0; i < tree->used; i++) {
    if (!sat_quadtree_has(tree->core, (sat_Item)i)) continue;
    lua_rawgeti(L, tables, (int)i + 1);
    pop_out_of(L, tables, i);
  }
  lua_pop(L, 2);
}

static int tree_clear(lua_State *L) {
  satlua_Quadtree *tree = check_changing_tree(L);
  bool is_too_large =
      tree->place_count > 1024 && sat_quadtree_count(tree->core) < tree->place_count / 8;
  if (is_too_large) tree = restart_tables(L, 0, SIZE_MAX);
  else empty_tables(L, tree);
  free_tree(tree);
  tree->used = 0;
  tree->removals++;
  return return_quadtree(L);
}

/* ---------------------------------------------------------------- several items at once */

static int raise_box(lua_State *L, size_t i, const char *reason) {
  return satlua_raise_argument(L, 3, "box %d: %s", (int)i + 1, reason);
}

/* Reads the next box of the list that is argument 3. Returns whether there is one. */
static bool read_box(lua_State *L, size_t i, sat_Rectangle *box) {
  int index = lua_gettop(L) + 1;
  for (int k = 1; k <= 4; k++) lua_rawgeti(L, 3, 4 * (int)i + k);
  bool is_end = lua_isnil(L, index) && lua_isnil(L, index + 1) && lua_isnil(L, index + 2) &&
                lua_isnil(L, index + 3);
  int bad = is_end ? 0 : satlua_read_rectangle(L, index, "it", true, box);
  if (bad && lua_isnil(L, index + bad - 1)) lua_pushfstring(L, "%c is missing", "xywh"[bad - 1]);
  if (bad) raise_box(L, i, lua_tostring(L, -1));
  lua_settop(L, index - 1);
  return !is_end;
}

/* An estimate of the number of boxes in the list, from its length. Every other box is looked up,
 * since a table of a few elements may report any length, and the memory taken must be in proportion
 * to the table's. */
static size_t likely_boxes(lua_State *L) {
  size_t length = (size_t)lua_rawlen(L, 3) / 4, count = 0;
  if (length > MOST_ITEMS) length = MOST_ITEMS;
  for (bool is_there = true; is_there && count < length; count += 2) {
    lua_rawgeti(L, 3, 4 * (int)count + 1);
    is_there = !lua_isnil(L, -1);
    lua_pop(L, 1);
  }
  return count < length ? count : length;
}

/* Reads all boxes into the tree's list, and returns their number, which the number of items must
 * equal: the length of a table with holes differs from Lua to Lua. */
static size_t read_boxes(lua_State *L, satlua_Quadtree *tree, size_t likely) {
  sat_Rectangle box;
  for (size_t i = 0; read_box(L, i, &box); i++) {
    if (i == MOST_ITEMS) satlua_raise_argument(L, 3, "more than %d boxes", MOST_ITEMS);
    satlua_check_status(L, 3, SAT_LIST_RESERVE(&tree->boxes, i < likely ? likely - i : 1));
    tree->boxes.at[tree->boxes.count++] = box;
  }
  return tree->boxes.count;
}

static int tree_build(lua_State *L) {
  satlua_Quadtree *tree = check_changing_tree(L);
  satlua_check_table(L, 2, "items");
  satlua_check_table(L, 3, "boxes");
  lua_settop(L, 3);
  size_t likely = likely_boxes(L);
  if (sat_quadtree_count(tree->core) == 0 && tree->place_count < likely)
    tree = restart_tables(L, (int)likely, 0);
  tree->boxes.count = 0;
  size_t count = read_boxes(L, tree, likely);
  lua_rawgeti(L, 2, (int)count + 1);
  if (!lua_isnil(L, -1)) return raise_box(L, count, "x is missing");
  lua_settop(L, 3);
  push_tables(L);
  add_items(L, tree, 4, tree->boxes.at, count, true);
  SAT_LIST_FREE(&tree->boxes);
  return return_quadtree(L);
}

/* ---------------------------------------------------------------- making */

/* A whole number among the options, which are at index 6, or SAT_QUADTREE_FASTEST where the option
 * is missing. The number replaces argument 5, the options as given, so that errors name that
 * argument. */
static uint32_t check_option(lua_State *L, const char *name, double low, double high) {
  lua_pushstring(L, name);
  lua_rawget(L, 6);
  lua_replace(L, 5);
  if (lua_isnil(L, 5)) return SAT_QUADTREE_FASTEST;
  return (uint32_t)satlua_check_whole(L, 5, name, low, high);
}

static void check_no_other_option(lua_State *L) {
  lua_pushnil(L);
  while (lua_next(L, 6)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      satlua_raise_argument(L, 5, "options have names: capacity and depth");
    const char *name = lua_tostring(L, -1);
    if (strcmp(name, "capacity") != 0 && strcmp(name, "depth") != 0)
      satlua_raise_argument(L, 5, "there is no option '%s', only capacity and depth", name);
  }
}

/* Pushes an empty tree. */
static void push_tree(lua_State *L, sat_Rectangle area, uint32_t capacity, uint32_t depth) {
  satlua_Quadtree *tree = satlua_handle_push(L, SATLUA_UP_QUADTREE, SATLUA_QUADTREE_STATE_SIZE,
                                             sizeof *tree + sat_quadtree_size(), release_tree);
  tree->core = (sat_Quadtree *)(void *)(tree + 1);
  tree->area = area;
  sat_Allocator allocator = satlua_memory_allocator(&tree->owner.memory);
  tree->found.allocator = tree->hits.allocator = tree->asked.allocator = allocator;
  tree->times.allocator = tree->boxes.allocator = allocator;
  satlua_check_status(L, 2, sat_quadtree_init(tree->core, allocator, area, capacity, depth));
}

int satlua_new_quadtree(lua_State *L) {
  satlua_check_count(L, 5, "x, y, w, h, options");
  sat_Rectangle area = satlua_check_rectangle(L, 1, "the area", false);
  lua_settop(L, 5);
  if (lua_isnil(L, 5)) {
    lua_newtable(L);
    lua_replace(L, 5);
  }
  satlua_check_table(L, 5, "options");
  lua_pushvalue(L, 5);
  check_no_other_option(L);
  uint32_t capacity = check_option(L, "capacity", 1, MOST_CAPACITY);
  uint32_t depth = check_option(L, "depth", 0, SAT_QUADTREE_DEEPEST);
  push_tree(L, area, capacity, depth);
  return 1;
}

const luaL_Reg satlua_quadtree_methods[] = {
    {"has", tree_has},       {"get", tree_get},       {"count", tree_count},
    {"insert", tree_insert}, {"update", tree_update}, {"remove", tree_remove},
    {"clear", tree_clear},   {"build", tree_build},   {NULL, NULL},
};

/* ---------------------------------------------------------------- the metatable */

/* "sat.quadtree (3 items) at 0, 0, 800 by 600": with C's own %g, since Lua's differs. */
static int tree_to_string(lua_State *L) {
  const satlua_Quadtree *tree = satlua_quadtree_check(L);
  int count = (int)sat_quadtree_count(tree->core);
  const sat_Rectangle *area = &tree->area;
  char place[120];
  snprintf(place, sizeof place, "at %.14g, %.14g, %.14g by %.14g", area->x + 0.0, area->y + 0.0,
           area->w, area->h);
  lua_pushfstring(L, "sat.quadtree (%d item%s) %s", count, count == 1 ? "" : "s", place);
  return 1;
}

static int collect_tree(lua_State *L) {
  satlua_Handle *handle = satlua_to_block(L, 1, SATLUA_UP_QUADTREE);
  if (!handle) return satlua_raise_self(L, "quadtree");
  satlua_Quadtree *tree = satlua_handle_open(handle);
  handle->owner = NULL;
  if (tree) satlua_memory_free(&tree->owner.memory);
  return 0;
}

void satlua_quadtree_set_metatable(lua_State *L) {
  static const luaL_Reg metamethods[] = {
      {"__tostring", tree_to_string},
      {"__len", tree_count},
      {"__gc", collect_tree},
      {NULL, NULL},
  };
  satlua_fill_metatable(L, SATLUA_UP_QUADTREE, metamethods, "quadtree");
  lua_pop(L, 1);
}
