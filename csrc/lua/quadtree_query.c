/* quadtree_query.c: what a quadtree is asked for: items by place. */
#include "lua/quadtree_state.h"

#include "lua/quadtree.h"
#include "lua/shape_methods.h"

#include <math.h>

#define MOST_WANTED 4294967295.0

/* ---------------------------------------------------------------- all that overlap */

/* Returns the list at `out`, which is the top of the stack, with the items found but one, and how
 * many they are. */
static int return_found(lua_State *L, sat_LuaTree *tree, int out, sat_Item except) {
  int length = 0;
  sat_luatree_push(L, SAT_HOME_ITEMS);
  for (size_t i = 0; i < tree->found.count; i++) {
    if (tree->found.at[i] == except) continue;
    lua_rawgeti(L, out + 1, (int)tree->found.at[i] + 1);
    lua_rawseti(L, out, ++length);
  }
  sat_clear_behind(L, out, length);
  lua_settop(L, out);
  lua_pushinteger(L, length);
  return sat_luatree_finish(L, tree, 2);
}

static int tree_retrieve(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  const sat_Shape *shape = sat_to_shape(L, 2);
  if (!shape && lua_type(L, 2) != LUA_TNUMBER)
    return sat_raise_type(L, 2, "x", "number or a shape");
  sat_Rectangle box = {0, 0, 0, 0};
  if (!shape) box = sat_luatree_check_box(L, 2);
  int out = shape ? 3 : 6;
  sat_check_out(L, out);
  tree = sat_luatree_check(L);
  if (shape) box = sat_shape_rectangle(shape); /* a finalizer may have moved it meanwhile */
  sat_luatree_check_done(L, sat_quadtree_query(&tree->core, box, &tree->found));
  return return_found(L, tree, out, SAT_NO_ITEM);
}

static sat_Item check_present(lua_State *L, int arg) {
  sat_luatree_check_item(L, arg);
  sat_Item item = sat_luatree_find(L, arg);
  if (item == SAT_NO_ITEM) sat_raise_argument(L, arg, "item is not in the tree");
  return item;
}

static int tree_neighbors(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  check_present(L, 2);
  sat_check_out(L, 3);
  tree = sat_luatree_check(L);
  sat_Item item = check_present(L, 2); /* a finalizer may have removed it meanwhile */
  sat_Rectangle box = sat_quadtree_box(&tree->core, item);
  sat_luatree_check_done(L, sat_quadtree_query(&tree->core, box, &tree->found));
  return return_found(L, tree, 3, item);
}

/* ---------------------------------------------------------------- the nearest first */

/* The order of answers: nearest first, of equally near ones the lower number. */
static bool is_behind(sat_Hit a, sat_Hit b) {
  return a.at > b.at || (a.at == b.at && a.item > b.item);
}

/* Moves the first of `count` hits down to its place in a heap whose first is behind all others
 * (Williams, Algorithm 232: Heapsort, 1964). */
static void sift_down(sat_Hit *hits, size_t first, size_t count) {
  sat_Hit hit = hits[first];
  for (size_t child; (child = 2 * first + 1) < count; first = child) {
    if (child + 1 < count && is_behind(hits[child + 1], hits[child])) child++;
    if (!is_behind(hits[child], hit)) break;
    hits[first] = hits[child];
  }
  hits[first] = hit;
}

static void make_heap(sat_Hit *hits, size_t count) {
  for (size_t i = count / 2; i-- > 0;) sift_down(hits, i, count);
}

static void sort_heap(sat_Hit *hits, size_t count) {
  while (count > 1) {
    sat_Hit last = hits[0];
    hits[0] = hits[--count];
    hits[count] = last;
    sift_down(hits, 0, count);
  }
}

static bool add_hit(sat_LuaTree *tree, sat_Hit hit) {
  if (tree->hit_count == tree->hit_capacity) {
    size_t capacity = tree->hit_capacity + tree->hit_capacity / 2 + 16;
    sat_Hit *hits =
        sat_luatree_resize(tree, tree->hits, tree->hit_capacity, capacity, sizeof *tree->hits);
    if (!hits) return false;
    tree->hits = hits;
    tree->hit_capacity = capacity;
  }
  tree->hits[tree->hit_count++] = hit;
  return true;
}

/* A search for the first few, kept in the tree's list of hits: a heap, once it has them all. */
typedef struct Search {
  sat_LuaTree *tree;
  size_t most;
  double limit;
  bool has_failed;
} Search;

static double keep_first(void *context, sat_Item item, double at) {
  Search *search = context;
  sat_LuaTree *tree = search->tree;
  sat_Hit hit = {at, item};
  if (tree->hit_count < search->most) {
    search->has_failed = !add_hit(tree, hit);
    if (search->has_failed) return -1;
    if (tree->hit_count < search->most) return search->limit;
    make_heap(tree->hits, tree->hit_count);
  } else if (is_behind(tree->hits[0], hit)) {
    tree->hits[0] = hit;
    sift_down(tree->hits, 0, tree->hit_count);
  }
  return tree->hits[0].at;
}

/* Returns the list at `out`, the top of the stack, with the items of a search. */
static int return_hits(lua_State *L, Search *search, sat_Status status, int out) {
  sat_LuaTree *tree = search->tree;
  sat_luatree_check_done(L, search->has_failed ? SAT_ENOMEM : status);
  make_heap(tree->hits, tree->hit_count);
  sort_heap(tree->hits, tree->hit_count);
  sat_luatree_push(L, SAT_HOME_ITEMS);
  for (size_t i = 0; i < tree->hit_count; i++) {
    lua_rawgeti(L, out + 1, (int)tree->hits[i].item + 1);
    lua_rawseti(L, out, (int)i + 1);
  }
  int length = (int)tree->hit_count;
  sat_clear_behind(L, out, length);
  lua_settop(L, out);
  lua_pushinteger(L, length);
  return sat_luatree_finish(L, tree, 2);
}

static double keep_nearest(void *context, sat_Item item, double at) {
  sat_Hit *nearest = context, hit = {at, item};
  if (is_behind(*nearest, hit)) *nearest = hit;
  return nearest->at;
}

/* Returns an item and where, or nil. */
static int return_hit(lua_State *L, sat_LuaTree *tree, sat_Status status, sat_Hit hit) {
  sat_luatree_check_done(L, status);
  if (hit.item == SAT_NO_ITEM) return sat_luatree_finish(L, tree, sat_luatree_push_none(L));
  sat_luatree_push(L, SAT_HOME_ITEMS);
  lua_rawgeti(L, -1, (int)hit.item + 1);
  lua_pushnumber(L, hit.at + 0.0);
  return sat_luatree_finish(L, tree, 2);
}

static void check_point(lua_State *L, int arg, const char *x, const char *y, sat_Vec2 *point) {
  point->x = sat_check_number(L, arg, x);
  point->y = sat_check_number(L, arg + 1, y);
}

static int tree_raycast(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  sat_Vec2 from, to;
  check_point(L, 2, "x1", "y1", &from);
  check_point(L, 4, "x2", "y2", &to);
  sat_Hit first = {INFINITY, SAT_NO_ITEM};
  sat_Status status = sat_quadtree_raycast(&tree->core, from, to, keep_nearest, &first);
  return return_hit(L, tree, status, first);
}

static int tree_raycast_all(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  sat_Vec2 from, to;
  check_point(L, 2, "x1", "y1", &from);
  check_point(L, 4, "x2", "y2", &to);
  sat_check_out(L, 6);
  tree = sat_luatree_check(L);
  tree->hit_count = 0;
  Search search = {tree, SIZE_MAX, 1, false};
  sat_Status status = sat_quadtree_raycast(&tree->core, from, to, keep_first, &search);
  return return_hits(L, &search, status, 6);
}

static int tree_nearest(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  sat_Vec2 point;
  check_point(L, 2, "x", "y", &point);
  sat_Hit nearest = {INFINITY, SAT_NO_ITEM};
  sat_Status status = sat_quadtree_nearest(&tree->core, point, INFINITY, keep_nearest, &nearest);
  return return_hit(L, tree, status, nearest);
}

static int tree_nearest_all(lua_State *L) {
  sat_LuaTree *tree = sat_luatree_check(L);
  sat_Vec2 point;
  check_point(L, 2, "x", "y", &point);
  double k = sat_check_whole(L, 4, "k", 0, MOST_WANTED);
  sat_check_out(L, 5);
  tree = sat_luatree_check(L);
  tree->hit_count = 0;
  Search search = {tree, (size_t)k, INFINITY, false};
  sat_Status status = SAT_OK;
  if (k > 0) status = sat_quadtree_nearest(&tree->core, point, INFINITY, keep_first, &search);
  return return_hits(L, &search, status, 5);
}

const luaL_Reg sat_quadtree_questions[] = {
    {"retrieve", tree_retrieve},
    {"neighbors", tree_neighbors},
    {"raycast", tree_raycast},
    {"raycastAll", tree_raycast_all},
    {"nearest", tree_nearest},
    {"nearestAll", tree_nearest_all},
    {NULL, NULL},
};
