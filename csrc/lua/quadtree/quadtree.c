/* quadtree.c: quadtrees as a script sees them: their memory, the tables of items and their numbers,
 * the checks that all methods begin with, the constructor, single items and the metatable.
 *
 * The core identifies items by number, and scripts by value. Two tables map numbers to values and
 * values to numbers. They are in the state table, with the idle cursors of loops. The state table
 * is the user value of the tree and of each of its cursors, where the collector sees cycles. */
#include "lua/calls.h"
#include "lua/quadtree/quadtree_state.h"
#include "lua/shape/shape_methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_CAPACITY 1000000

/* ---------------------------------------------------------------- memory */

void satlua_quadtree_free(satlua_Quadtree *tree) {
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
  satlua_quadtree_free(tree);
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

satlua_Quadtree *satlua_quadtree_check_changing(lua_State *L) {
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

bool satlua_quadtree_is_nan(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TNUMBER && isnan(lua_tonumber(L, index));
}

void satlua_quadtree_check_item(lua_State *L, int arg) {
  if (lua_isnone(L, arg)) satlua_raise_argument(L, arg, "item is missing");
  if (lua_isnil(L, arg)) satlua_raise_argument(L, arg, "item is nil");
  if (satlua_quadtree_is_nan(L, arg)) satlua_raise_argument(L, arg, "item is NaN");
}

lua_Integer satlua_quadtree_pop_number(lua_State *L, int numbers) {
  lua_rawget(L, numbers);
  lua_Integer number = lua_isnil(L, -1) ? -1 : lua_tointeger(L, -1);
  lua_pop(L, 1);
  return number;
}

sat_Item satlua_quadtree_find(lua_State *L, int index) {
  lua_getuservalue(L, 1);
  lua_rawgeti(L, -1, SATLUA_QUADTREE_STATE_NUMBERS);
  lua_pushvalue(L, index);
  lua_Integer number = satlua_quadtree_pop_number(L, -2);
  lua_pop(L, 2);
  return number < 0 ? SATLUA_NO_ITEM : (sat_Item)number;
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
    {"has", tree_has},
    {"get", tree_get},
    {"count", tree_count},
    {NULL, NULL},
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
