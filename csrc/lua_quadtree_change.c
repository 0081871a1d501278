/* lua_quadtree_change.c: what changes a quadtree.
 *
 * An error must leave the core and the tables as they were, and of all that is done to them only
 * the growing of a table can raise one. So a change first checks everything, then makes room
 * (places in the one table, a key in the other), then changes the core, which may refuse for want
 * of memory, and at last writes what needs no more room. Finalizers run where Lua makes objects,
 * which it does not when a table is written to: none can come in between. */
#include "lua_tree.h"

#include "lua_quadtree.h"
#include "lua_shape.h"

#include <math.h>

#define MOST_ITEMS 100000000

/* ---------------------------------------------------------------- room */

static bool reserve_times(sat_LuaTree *tree, size_t count) {
  if (count <= tree->time_capacity) return true;
  size_t capacity = count + count / 2 + 16;
  uint64_t *times =
      sat_luatree_resize(tree, tree->times, tree->time_capacity, capacity, sizeof *tree->times);
  if (!times) return false;
  tree->times = times;
  tree->time_capacity = capacity;
  return true;
}

/* Makes room for that many more items, but for their keys. */
static void reserve_places(lua_State *L, sat_LuaTree *tree, size_t count) {
  size_t needed = tree->used + count;
  if (!reserve_times(tree, needed)) sat_raise_status(L, 1, SAT_ENOMEM);
  if (needed <= tree->places) return;
  sat_luatree_push(L, SAT_HOME_ITEMS);
  for (; tree->places < needed; tree->places++) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, (int)tree->places + 1);
  }
  lua_pop(L, 1);
}

/* Writes an item that the core has taken, and has room, into the tables. It is on top of the stack
 * and is popped. */
static void pop_new_item(lua_State *L, sat_LuaTree *tree, int items, int numbers, sat_Item item) {
  lua_pushvalue(L, -1);
  lua_rawseti(L, items, (int)item + 1);
  lua_pushinteger(L, (lua_Integer)item);
  lua_rawset(L, numbers);
  tree->times[item] = tree->loops;
  if (item >= tree->used) tree->used = (size_t)item + 1;
}

/* ---------------------------------------------------------------- single items */

/* The item that is argument 2, and its box: the numbers behind it, or the bounds of a shape that
 * stands alone. */
static sat_Rectangle check_item_and_box(lua_State *L) {
  if (lua_gettop(L) == 2) {
    const sat_Shape *shape = sat_to_shape(L, 2);
    if (shape) return sat_shape_rectangle(shape);
  }
  sat_luatree_check_item(L, 2);
  return sat_luatree_check_box(L, 3);
}

/* Returns the tree itself, so that calls chain. */
static int return_self(lua_State *L, sat_LuaTree *tree) {
  lua_settop(L, 1);
  return sat_luatree_finish(L, tree, 1);
}

static int tree_insert(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  sat_Rectangle box = check_item_and_box(L);
  lua_settop(L, 2);
  sat_luatree_push(L, SAT_HOME_ITEMS);
  sat_luatree_push(L, SAT_HOME_NUMBERS);
  lua_pushvalue(L, 2);
  if (sat_luatree_pop_number(L, 4) >= 0)
    return sat_raise_argument(L, 2, "item is in the tree already: move it with update");
  reserve_places(L, tree, 1);
  tree->is_torn = true;
  lua_pushvalue(L, 2);
  lua_pushinteger(L, -1);
  lua_rawset(L, 4);
  sat_Item item;
  sat_Status status = sat_quadtree_insert(&tree->core, box, &item);
  lua_pushvalue(L, 2);
  if (status == SAT_OK) {
    pop_new_item(L, tree, 3, 4, item);
  } else {
    lua_pushnil(L);
    lua_rawset(L, 4);
  }
  tree->is_torn = false;
  sat_luatree_check_done(L, status);
  return return_self(L, tree);
}

static int tree_update(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  sat_Rectangle box = check_item_and_box(L);
  sat_Item item = sat_luatree_find(L, 2);
  if (item == SAT_NO_ITEM)
    return sat_raise_argument(L, 2, "item is not in the tree: add it with insert");
  sat_luatree_check_done(L, sat_quadtree_update(&tree->core, item, box));
  return return_self(L, tree);
}

static int tree_remove(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  sat_luatree_check_item(L, 2);
  lua_settop(L, 2);
  sat_Item item = sat_luatree_find(L, 2);
  lua_pushboolean(L, item != SAT_NO_ITEM);
  if (item == SAT_NO_ITEM) return 1;
  sat_quadtree_remove(&tree->core, item);
  tree->removals++;
  sat_luatree_push(L, SAT_HOME_ITEMS);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, (int)item + 1);
  sat_luatree_push(L, SAT_HOME_NUMBERS);
  lua_pushvalue(L, 2);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_settop(L, 3);
  return 1;
}

/* ---------------------------------------------------------------- all of them */

/* Puts new tables into the home. */
static void replace_tables(lua_State *L, sat_LuaTree *tree) {
  lua_newtable(L);
  lua_newtable(L);
  lua_getuservalue(L, 1);
  lua_insert(L, -3);
  lua_rawseti(L, -3, SAT_HOME_NUMBERS);
  lua_rawseti(L, -2, SAT_HOME_ITEMS);
  lua_pop(L, 1);
  tree->places = 0;
}

/* Empties the tables, which keep their room: a game may fill the tree anew in every frame. */
static void empty_tables(lua_State *L, sat_LuaTree *tree) {
  sat_luatree_push(L, SAT_HOME_ITEMS);
  sat_luatree_push(L, SAT_HOME_NUMBERS);
  for (size_t i = 0; i < tree->used; i++) {
    if (!sat_quadtree_has(&tree->core, (sat_Item)i)) continue;
    lua_rawgeti(L, -2, (int)i + 1);
    lua_pushnil(L);
    lua_rawset(L, -3);
    lua_pushboolean(L, 0);
    lua_rawseti(L, -3, (int)i + 1);
  }
  lua_pop(L, 2);
}

static int tree_clear(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  bool is_too_large = tree->places > 1024 && sat_quadtree_count(&tree->core) < tree->places / 8;
  if (is_too_large) replace_tables(L, tree);
  else empty_tables(L, tree);
  sat_luatree_free(tree);
  tree->used = 0;
  tree->removals++;
  return return_self(L, tree);
}

/* ---------------------------------------------------------------- many at once */

/* The length of the list of items that is argument 2, none of which may be nil or NaN. The length
 * of a table with holes is any of several numbers, so what lies behind must be looked for. */
static size_t check_items(lua_State *L) {
  size_t count = (size_t)lua_rawlen(L, 2);
  if (count > MOST_ITEMS) sat_raise_argument(L, 2, "more than %d items", MOST_ITEMS);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    if (lua_isnil(L, -1)) sat_raise_argument(L, 2, "item %d is nil", (int)i + 1);
    if (sat_luatree_is_nan(L, -1)) sat_raise_argument(L, 2, "item %d is NaN", (int)i + 1);
    lua_pop(L, 1);
  }
  lua_pushnil(L);
  while (lua_next(L, 2)) {
    double key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
    lua_pop(L, 1);
    if (key > (double)count && key == floor(key))
      sat_raise_argument(L, 2, "item %d is nil", (int)count + 1);
  }
  return count;
}

/* The i-th box of the list that is argument 3, as numbers that may be anything. */
static sat_Rectangle box_at(lua_State *L, size_t i) {
  double numbers[4];
  for (int k = 0; k < 4; k++) {
    lua_rawgeti(L, 3, 4 * (int)i + k + 1);
    numbers[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  sat_Rectangle box = {numbers[0], numbers[1], numbers[2], numbers[3]};
  return box;
}

/* Raises what is wrong with a number of a box, by the words that a single box would get. */
static int raise_box(lua_State *L, size_t i, const char *reason) {
  return sat_raise_argument(L, 3, "box %d: %s", (int)i + 1, reason);
}

static void check_boxes(lua_State *L, size_t count) {
  static const char *const names[4] = {"x", "y", "w", "h"};
  for (size_t i = 0; i < count; i++) {
    double numbers[4];
    for (int k = 0; k < 4; k++) {
      lua_rawgeti(L, 3, 4 * (int)i + k + 1);
      if (lua_isnil(L, -1)) sat_raise_argument(L, 3, "box %d: %s is missing", (int)i + 1, names[k]);
      const char *fault = sat_push_number_fault(L, lua_gettop(L), names[k]);
      if (fault) raise_box(L, i, fault);
      numbers[k] = lua_tonumber(L, -1);
      if (k >= 2 && numbers[k] < 0)
        sat_raise_argument(L, 3, "box %d: %s must not be negative", (int)i + 1, names[k]);
      if (k >= 2 && numbers[k - 2] + numbers[k] > SAT_LIMIT)
        raise_box(L, i, "it would reach beyond 1e15");
      lua_pop(L, 1);
    }
  }
  lua_rawgeti(L, 3, 4 * (int)count + 1);
  if (!lua_isnil(L, -1))
    sat_raise_argument(L, 3, "there are more numbers than the %d of %d items", 4 * (int)count,
                       (int)count);
  lua_pop(L, 1);
}

/* Takes the keys of the first items out again, which were reserved. */
static void drop_keys(lua_State *L, int numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    lua_pushnil(L);
    lua_rawset(L, numbers);
  }
}

/* Reserves a key for each item of the list, with its place there as a negative number, by which it
 * is told when it comes again. */
static void reserve_keys(lua_State *L, sat_LuaTree *tree, int numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    lua_pushvalue(L, -1);
    lua_rawget(L, numbers);
    if (!lua_isnil(L, -1)) {
      lua_Integer number = lua_tointeger(L, -1);
      drop_keys(L, numbers, i);
      tree->is_torn = false;
      if (number >= 0) sat_raise_argument(L, 2, "item %d is in the tree already", (int)i + 1);
      sat_raise_argument(L, 2, "item %d is item %d once more", (int)i + 1, (int)-number);
    }
    lua_pop(L, 1);
    lua_pushinteger(L, -(lua_Integer)i - 1);
    lua_rawset(L, numbers);
  }
}

/* Hands the boxes to the core and writes the items' numbers down. Raises nothing, so that it may
 * hold memory meanwhile. */
static sat_Status build(lua_State *L, sat_LuaTree *tree, size_t count, int items, int numbers) {
  sat_Rectangle *boxes = sat_luatree_resize(tree, NULL, 0, count, sizeof *boxes);
  sat_Item *added = sat_luatree_resize(tree, NULL, 0, count, sizeof *added);
  sat_Status status = boxes && added ? SAT_OK : SAT_ENOMEM;
  if (status == SAT_OK) {
    for (size_t i = 0; i < count; i++) boxes[i] = box_at(L, i);
    status = sat_quadtree_build(&tree->core, boxes, count, added);
  }
  if (status == SAT_OK) {
    for (size_t i = 0; i < count; i++) {
      lua_rawgeti(L, 2, (int)i + 1);
      pop_new_item(L, tree, items, numbers, added[i]);
    }
  }
  sat_luatree_resize(tree, boxes, count, 0, sizeof *boxes);
  sat_luatree_resize(tree, added, count, 0, sizeof *added);
  return status;
}

static int tree_build(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  sat_check_table(L, 2, "items");
  sat_check_table(L, 3, "boxes");
  lua_settop(L, 3);
  size_t count = check_items(L);
  check_boxes(L, count);
  if (count == 0) return return_self(L, tree);
  sat_luatree_push(L, SAT_HOME_ITEMS);
  sat_luatree_push(L, SAT_HOME_NUMBERS);
  reserve_places(L, tree, count);
  tree->is_torn = true;
  reserve_keys(L, tree, 5, count);
  sat_Status status = build(L, tree, count, 4, 5);
  if (status != SAT_OK) drop_keys(L, 5, count);
  tree->is_torn = false;
  sat_luatree_check_done(L, status);
  return return_self(L, tree);
}

const luaL_Reg sat_quadtree_changes[] = {
    {"insert", tree_insert}, {"update", tree_update}, {"remove", tree_remove},
    {"clear", tree_clear},   {"build", tree_build},   {NULL, NULL},
};
