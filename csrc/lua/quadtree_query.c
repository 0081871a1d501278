/* quadtree_query.c: queries of a quadtree: overlaps, rays and the nearest items. */
#include "lua/push.h"
#include "lua/quadtree.h"
#include "lua/quadtree_state.h"
#include "lua/shape_methods.h"

#include <math.h>

#define MAX_WANTED_ITEMS 4294967295.0

/* ---------------------------------------------------------------- all that overlap */

/* Returns the list at `out`, which is the top of the stack, with the items found but one, and how
 * many they are. */
static int return_items(lua_State *L, satlua_Quadtree *tree, int out, sat_Item except) {
  int length = 0;
  satlua_push_state(L, SATLUA_QUADTREE_STATE_ITEMS);
  for (size_t i = 0; i < tree->found.count; i++) {
    if (tree->found.at[i] == except) continue;
    lua_rawgeti(L, out + 1, (int)tree->found.at[i] + 1);
    lua_rawseti(L, out, ++length);
  }
  satlua_clear_behind(L, out, length);
  lua_settop(L, out);
  lua_pushinteger(L, length);
  return satlua_quadtree_finish(L, tree, 2);
}

static int tree_retrieve(lua_State *L) {
  satlua_quadtree_check(L);
  const sat_Shape *shape = satlua_to_shape(L, 2);
  if (!shape && lua_type(L, 2) != LUA_TNUMBER)
    return satlua_raise_type(L, 2, "x", "number or a shape");
  sat_Rectangle box = {0, 0, 0, 0};
  if (!shape) box = satlua_quadtree_check_box(L, 2);
  int out = shape ? 3 : 6;
  satlua_check_out(L, out);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  if (shape) box = satlua_shape_rectangle(shape); /* a finalizer may have moved it meanwhile */
  satlua_quadtree_check_done(L, sat_quadtree_query(tree->core, box, &tree->found));
  return return_items(L, tree, out, SATLUA_NO_ITEM);
}

static sat_Item check_present(lua_State *L, int arg) {
  satlua_quadtree_check_item(L, arg);
  sat_Item item = satlua_quadtree_find(L, arg);
  if (item == SATLUA_NO_ITEM) satlua_raise_argument(L, arg, "item is not in the tree");
  return item;
}

static int tree_neighbors(lua_State *L) {
  satlua_quadtree_check(L);
  check_present(L, 2);
  satlua_check_out(L, 3);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  sat_Item item = check_present(L, 2); /* a finalizer may have removed it meanwhile */
  sat_Rectangle box = sat_quadtree_box(tree->core, item);
  satlua_quadtree_check_done(L, sat_quadtree_query(tree->core, box, &tree->found));
  return return_items(L, tree, 3, item);
}

/* ---------------------------------------------------------------- the nearest first */

/* The order of answers: nearest first, of equally near ones the lower number. */
static bool is_behind(satlua_Hit a, satlua_Hit b) {
  return a.at > b.at || (a.at == b.at && a.item > b.item);
}

/* Moves the first of `count` hits down to its place in a heap whose first is behind all others
 * (Williams, Algorithm 232: Heapsort, 1964). */
static void quadtree_query_sift_down(satlua_Hit *hits, size_t first, size_t count) {
  satlua_Hit hit = hits[first];
  for (size_t child; (child = 2 * first + 1) < count; first = child) {
    if (child + 1 < count && is_behind(hits[child + 1], hits[child])) child++;
    if (!is_behind(hits[child], hit)) break;
    hits[first] = hits[child];
  }
  hits[first] = hit;
}

static void make_heap(satlua_Hit *hits, size_t count) {
  for (size_t i = count / 2; i-- > 0;) quadtree_query_sift_down(hits, i, count);
}

static void sort_heap(satlua_Hit *hits, size_t count) {
  while (count > 1) {
    satlua_Hit last = hits[0];
    hits[0] = hits[--count];
    hits[count] = last;
    quadtree_query_sift_down(hits, 0, count);
  }
}

static bool add_item_hit(satlua_Quadtree *tree, satlua_Hit hit) {
  if (tree->hit_count == tree->hit_capacity) {
    size_t capacity = tree->hit_capacity + tree->hit_capacity / 2 + 16;
    satlua_Hit *hits =
        satlua_quadtree_resize(tree, tree->hits, tree->hit_capacity, capacity, sizeof *tree->hits);
    if (!hits) return false;
    tree->hits = hits;
    tree->hit_capacity = capacity;
  }
  tree->hits[tree->hit_count++] = hit;
  return true;
}

/* A search for the first few, kept in the tree's list of hits: a heap, once it has them all. */
typedef struct ItemSearch {
  satlua_Quadtree *tree;
  size_t most;
  double limit;
  bool has_failed;
} ItemSearch;

static double keep_first(void *context, sat_Item item, double at) {
  ItemSearch *search = context;
  satlua_Quadtree *tree = search->tree;
  satlua_Hit hit = {at, item};
  if (tree->hit_count < search->most) {
    search->has_failed = !add_item_hit(tree, hit);
    if (search->has_failed) return -1;
    if (tree->hit_count < search->most) return search->limit;
    make_heap(tree->hits, tree->hit_count);
  } else if (is_behind(tree->hits[0], hit)) {
    tree->hits[0] = hit;
    quadtree_query_sift_down(tree->hits, 0, tree->hit_count);
  }
  return tree->hits[0].at;
}

/* Returns the list at `out`, the top of the stack, with the items of a search. */
static int return_hits(lua_State *L, ItemSearch *search, sat_Status status, int out) {
  satlua_Quadtree *tree = search->tree;
  satlua_quadtree_check_done(L, search->has_failed ? SAT_ENOMEM : status);
  make_heap(tree->hits, tree->hit_count);
  sort_heap(tree->hits, tree->hit_count);
  satlua_push_state(L, SATLUA_QUADTREE_STATE_ITEMS);
  for (size_t i = 0; i < tree->hit_count; i++) {
    lua_rawgeti(L, out + 1, (int)tree->hits[i].item + 1);
    lua_rawseti(L, out, (int)i + 1);
  }
  int length = (int)tree->hit_count;
  satlua_clear_behind(L, out, length);
  lua_settop(L, out);
  lua_pushinteger(L, length);
  return satlua_quadtree_finish(L, tree, 2);
}

static double keep_nearest_item(void *context, sat_Item item, double at) {
  satlua_Hit *nearest = context, hit = {at, item};
  if (is_behind(*nearest, hit)) *nearest = hit;
  return nearest->at;
}

/* Returns an item and where, or nil. */
static int return_hit(lua_State *L, satlua_Quadtree *tree, sat_Status status, satlua_Hit hit) {
  satlua_quadtree_check_done(L, status);
  if (hit.item == SATLUA_NO_ITEM) return satlua_quadtree_finish(L, tree, satlua_push_none(L));
  satlua_push_state(L, SATLUA_QUADTREE_STATE_ITEMS);
  lua_rawgeti(L, -1, (int)hit.item + 1);
  lua_pushnumber(L, hit.at + 0.0);
  return satlua_quadtree_finish(L, tree, 2);
}

static void check_query_point(lua_State *L, int arg, const char *x, const char *y,
                              sat_Vec2 *point) {
  point->x = satlua_check_number(L, arg, x);
  point->y = satlua_check_number(L, arg + 1, y);
}

static int tree_raycast(lua_State *L) {
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  sat_Vec2 from, to;
  check_query_point(L, 2, "x1", "y1", &from);
  check_query_point(L, 4, "x2", "y2", &to);
  satlua_Hit first = {INFINITY, SATLUA_NO_ITEM};
  sat_Status status = sat_quadtree_raycast(tree->core, from, to, keep_nearest_item, &first);
  return return_hit(L, tree, status, first);
}

static int tree_raycast_all(lua_State *L) {
  satlua_quadtree_check(L);
  sat_Vec2 from, to;
  check_query_point(L, 2, "x1", "y1", &from);
  check_query_point(L, 4, "x2", "y2", &to);
  satlua_check_out(L, 6);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  tree->hit_count = 0;
  ItemSearch search = {tree, SIZE_MAX, 1, false};
  sat_Status status = sat_quadtree_raycast(tree->core, from, to, keep_first, &search);
  return return_hits(L, &search, status, 6);
}

static int tree_nearest(lua_State *L) {
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  sat_Vec2 point;
  check_query_point(L, 2, "x", "y", &point);
  satlua_Hit nearest = {INFINITY, SATLUA_NO_ITEM};
  sat_Status status =
      sat_quadtree_nearest(tree->core, point, INFINITY, keep_nearest_item, &nearest);
  return return_hit(L, tree, status, nearest);
}

static int tree_nearest_all(lua_State *L) {
  satlua_quadtree_check(L);
  sat_Vec2 point;
  check_query_point(L, 2, "x", "y", &point);
  double k = satlua_check_whole(L, 4, "k", 0, MAX_WANTED_ITEMS);
  satlua_check_out(L, 5);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  tree->hit_count = 0;
  ItemSearch search = {tree, (size_t)k, INFINITY, false};
  sat_Status status = SAT_OK;
  if (k > 0) status = sat_quadtree_nearest(tree->core, point, INFINITY, keep_first, &search);
  return return_hits(L, &search, status, 5);
}

const luaL_Reg satlua_quadtree_queries[] = {
    {"retrieve", tree_retrieve},
    {"neighbors", tree_neighbors},
    {"raycast", tree_raycast},
    {"raycastAll", tree_raycast_all},
    {"nearest", tree_nearest},
    {"nearestAll", tree_nearest_all},
    {NULL, NULL},
};
