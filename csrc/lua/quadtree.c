/* quadtree.c: quadtrees as a script sees them: constructor, single items and metatable. */
#include "lua/quadtree.h"

#include "lua/push.h"
#include "lua/quadtree_state.h"
#include "lua/shape_methods.h"

#include <stdio.h>
#include <string.h>

#define MOST_CAPACITY 1000000

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

static double check_area_side(lua_State *L, int arg, const char *name, double from) {
  double side = satlua_check_size(L, arg, name);
  if (from + side > SAT_LIMIT) satlua_raise_argument(L, arg, "the area would reach beyond 1e15");
  if (from + side == from)
    satlua_raise_argument(L, arg, "%s is too small beside the coordinates", name);
  return side;
}

/* Pushes an empty tree. */
static void push_tree(lua_State *L, sat_Rectangle area, uint32_t capacity, uint32_t depth) {
  satlua_Quadtree *tree =
      satlua_handle_push(L, SATLUA_UP_QUADTREE, SATLUA_QUADTREE_STATE_SIZE,
                         sizeof *tree + sat_quadtree_size(), satlua_quadtree_release);
  tree->core = (sat_Quadtree *)(void *)(tree + 1);
  tree->area = area;
  tree->found.allocator = tree->hits.allocator = satlua_memory_allocator(&tree->owner.memory);
  satlua_check_status(L, 2,
                      sat_quadtree_init(tree->core, tree->found.allocator, area, capacity, depth));
}

static int new_quadtree(lua_State *L) {
  satlua_check_count(L, 5, "x, y, w, h, options");
  sat_Rectangle area;
  area.x = satlua_check_number(L, 1, "x");
  area.y = satlua_check_number(L, 2, "y");
  area.w = check_area_side(L, 3, "w", area.x);
  area.h = check_area_side(L, 4, "h", area.y);
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

const luaL_Reg satlua_quadtree_constructors[] = {
    {"quadtree", new_quadtree},
    {NULL, NULL},
};

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

static int tree_no_field(lua_State *L) { return satlua_raise_field(L, "quadtree"); }

static int collect_tree(lua_State *L) {
  satlua_Handle *handle = satlua_to_block(L, 1, SATLUA_UP_QUADTREE);
  if (!handle) return satlua_raise_self(L, "quadtree");
  satlua_Quadtree *tree = satlua_handle_open(handle);
  handle->owner = NULL;
  if (tree) satlua_memory_free(&tree->owner.memory);
  return 0;
}

void satlua_quadtree_set_metatable(lua_State *L, const satlua_Common *common, int methods) {
  static const luaL_Reg metamethods[] = {
      {"__tostring", tree_to_string},
      {"__newindex", tree_no_field},
      {"__len", tree_count},
      {"__gc", collect_tree},
      {NULL, NULL},
  };
  lua_pushvalue(L, common->quadtree);
  satlua_fill_metatable(L, common, metamethods, methods, "quadtree");
  satlua_quadtree_set_iterators(L);
  lua_pop(L, 1);
}
