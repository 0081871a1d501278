/* quadtree_edit.c: the methods that change a quadtree.
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

#define MOST_ITEMS 100000000

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
  lua_Integer number = satlua_quadtree_pop_number(L, tables + 1);
  bool is_nil = lua_isnil(L, -1), is_nan = satlua_quadtree_is_nan(L, -1);
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
  satlua_Quadtree *tree = satlua_quadtree_check_changing(L);
  sat_Rectangle box = check_item_and_box(L);
  lua_settop(L, 2);
  push_tables(L);
  lua_pushvalue(L, 2);
  if (satlua_quadtree_pop_number(L, 4) >= 0)
    return satlua_raise_argument(L, 2, "item is in the tree already: move it with update");
  add_items(L, tree, 3, &box, 1, false);
  return return_quadtree(L);
}

static int tree_update(lua_State *L) {
  satlua_Quadtree *tree = satlua_quadtree_check_changing(L);
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
  satlua_Quadtree *tree = satlua_quadtree_check_changing(L);
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
  satlua_Quadtree *tree = satlua_quadtree_check_changing(L);
  bool is_too_large =
      tree->place_count > 1024 && sat_quadtree_count(tree->core) < tree->place_count / 8;
  if (is_too_large) tree = restart_tables(L, 0, SIZE_MAX);
  else empty_tables(L, tree);
  satlua_quadtree_free(tree);
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
  satlua_Quadtree *tree = satlua_quadtree_check_changing(L);
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

const luaL_Reg satlua_quadtree_edits[] = {
    {"insert", tree_insert}, {"update", tree_update}, {"remove", tree_remove},
    {"clear", tree_clear},   {"build", tree_build},   {NULL, NULL},
};
