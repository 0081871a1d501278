/* quadtree_state.c: the memory of a quadtree's userdata, its tables of items and their numbers, and
 * the checks that all of its methods begin with.
 *
 * The core identifies items by number, and scripts by value. Two tables map numbers to values and
 * values to numbers. They are in the state table, with the idle cursors of loops. The state table
 * is the user value of the tree and of each of its cursors, where the collector sees cycles. */
#include "lua/quadtree_state.h"

#include <math.h>

/* ---------------------------------------------------------------- memory */

void *satlua_quadtree_resize(satlua_Quadtree *tree, void *block, size_t old_count, size_t count,
                             size_t size) {
  sat_Allocator allocator = satlua_memory_allocator(&tree->owner.memory);
  size_t bytes = satlua_array_bytes(count, size);
  if (bytes == 0 && (count > 0 || !block)) return NULL;
  return allocator.allocate(allocator.context, block, old_count * size, bytes);
}

void satlua_quadtree_free_boxes(satlua_Quadtree *tree) {
  tree->boxes =
      satlua_quadtree_resize(tree, tree->boxes, tree->box_capacity, 0, sizeof *tree->boxes);
  tree->box_count = tree->box_capacity = 0;
}

void satlua_quadtree_free(satlua_Quadtree *tree) {
  satlua_quadtree_free_boxes(tree);
  sat_quadtree_clear(tree->core);
  SAT_LIST_FREE(&tree->found);
  SAT_LIST_FREE(&tree->hits);
  tree->times =
      satlua_quadtree_resize(tree, tree->times, tree->time_capacity, 0, sizeof *tree->times);
  tree->time_capacity = 0;
  satlua_snapshots_shrink(&tree->owner);
}

void satlua_quadtree_release(satlua_TrackedMemory *memory) {
  satlua_Quadtree *tree = (satlua_Quadtree *)memory;
  satlua_quadtree_free(tree);
  satlua_snapshots_free(&tree->owner);
}

/* ---------------------------------------------------------------- items and their numbers */

/* Makes SATLUA_QUADTREE_STATE_NUMBERS again from SATLUA_QUADTREE_STATE_ITEMS, in the empty table on
 * top of the stack, which is popped, and removes items that the core does not have. A table of 5.1
 * that fails to grow may have lost keys, and an interrupted change may have left too many. */
static void rebuild_tables(lua_State *L, satlua_Quadtree *tree) {
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
  rebuild_tables(L, tree);
  return tree;
}

satlua_Quadtree *satlua_quadtree_handle_open(const void *block) {
  satlua_Quadtree *tree = satlua_handle_open(block);
  bool is_easy =
      tree && !tree->is_inconsistent && !satlua_memory_has_unreported(&tree->owner.memory);
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
