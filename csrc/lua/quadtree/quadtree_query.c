/* quadtree_query.c: queries of a quadtree: overlaps, rays and the nearest items, and loops over its
 * pairs and nodes. */
#include "lua/quadtree/quadtree_state.h"
#include "lua/shape/shape_methods.h"
#include "lua/world/world_state.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define MAX_WANTED_ITEMS 4294967295.0

/* ---------------------------------------------------------------- overlaps */

static int tree_retrieve(lua_State *L) {
  satlua_quadtree_check(L);
  const sat_Shape *shape = satlua_to_shape(L, 2);
  if (!shape && lua_type(L, 2) != LUA_TNUMBER)
    return satlua_raise_type(L, 2, "x", "number or a shape");
  sat_Rectangle box = {0, 0, 0, 0};
  if (!shape) box = satlua_check_rectangle(L, 2, "the box", true);
  int out = shape ? 3 : 6;
  satlua_check_out(L, out, out, 0);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  if (shape) box = satlua_shape_rectangle(shape); /* a finalizer may have moved it meanwhile */
  satlua_check_status(L, 2, sat_quadtree_query(tree->core, box, &tree->found));
  return satlua_return_members(L, out, tree->found.at, tree->found.count, sizeof(sat_Item));
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
  satlua_check_out(L, 3, 3, 0);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  sat_Item item = check_present(L, 2); /* a finalizer may have removed it meanwhile */
  sat_Rectangle box = sat_quadtree_box(tree->core, item);
  sat_Items *found = &tree->found;
  satlua_check_status(L, 2, sat_quadtree_query(tree->core, box, found));
  size_t count = found->count;
  found->count = 0;
  for (size_t i = 0; i < count; i++)
    if (found->at[i] != item) found->at[found->count++] = found->at[i];
  return satlua_return_members(L, 3, found->at, found->count, sizeof(sat_Item));
}

/* ---------------------------------------------------------------- rays and the nearest items */

/* Returns the list at `out` with the items of a search, nearest first, and their number; or without
 * a list the first item and its distance or fraction, or nil. */
static int return_hits(lua_State *L, int out, const sat_Neighbor *hits, size_t count) {
  if (out) return satlua_return_members(L, out, hits ? &hits->item : NULL, count, sizeof *hits);
  if (count == 0) return satlua_finish(L, satlua_push_none(L));
  satlua_push_member(L, hits->item);
  lua_pushnumber(L, hits->distance + 0.0);
  return satlua_finish(L, 2);
}

static double keep_nearest_item(void *context, sat_Item item, double at) {
  sat_Neighbor *nearest = context;
  if (at < nearest->distance || (at == nearest->distance && item < nearest->item))
    *nearest = (sat_Neighbor){at, item};
  return nearest->distance;
}

static int tree_raycast(lua_State *L) {
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  if (satlua_which(L) == 1) {
    satlua_check_out(L, 6, 6, 0);
    tree = satlua_quadtree_check(L);
    satlua_check_status(L, 2, sat_quadtree_raycast_all(tree->core, from, to, &tree->hits));
    return return_hits(L, 6, tree->hits.at, tree->hits.count);
  }
  sat_Neighbor first = {INFINITY, SATLUA_NO_ITEM};
  satlua_check_status(L, 2, sat_quadtree_raycast(tree->core, from, to, keep_nearest_item, &first));
  return return_hits(L, 0, &first, first.item != SATLUA_NO_ITEM);
}

/* The items nearest to a point, of which a function at the stack index `accept` has the last word.
 */
typedef struct NearestItems {
  sat_Vec2 point;
  size_t wanted;
  double limit;
  int accept; /* 0: there is none */
} NearestItems;

/* Finds ever more of the nearest items, and asks about those that are new, nearest first, until as
 * many as wanted are accepted or none is left. The accepted ones lie in `asked`, behind those of
 * searches that wait. Returns their number. */
static size_t ask_about_items(lua_State *L, const NearestItems *search) {
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  size_t begin = tree->owner.asked_from, accepted = 0, asked = 0, most = search->wanted;
  tree->asked.count = begin;
  for (;; most += most < SIZE_MAX / 2 ? most : 0) {
    satlua_check_status(
        L, 2,
        sat_quadtree_nearest_all(tree->core, search->point, most, search->limit, &tree->hits));
    size_t count = tree->hits.count, more = count - asked;
    if (more == 0) return accepted;
    if (SAT_LIST_RESERVE(&tree->asked, more)) satlua_raise_status(L, 2, SAT_ENOMEM);
    sat_Neighbor *new = tree->asked.at + begin + accepted;
    memcpy(new, tree->hits.at + asked, more * sizeof *new);
    tree->asked.count = begin + accepted + more;
    for (size_t i = 0, first = begin + accepted; i < more; i++) {
      sat_Neighbor hit = tree->asked.at[first + i];
      if (satlua_accepts(L, SATLUA_UP_QUADTREE, search->accept, hit.item, &tree->asked.count))
        tree->asked.at[begin + accepted++] = hit;
      if (accepted == search->wanted) return accepted;
    }
    tree->asked.count = begin + accepted;
    asked = count;
  }
}

static int tree_nearest(lua_State *L) {
  int out = satlua_which(L) == 1 ? 5 : 0, limit = out ? 6 : 4, accept = limit + 1;
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  NearestItems search = {satlua_check_vec2(L, 2, "x", "y"), 1, satlua_check_limit(L, limit), 0};
  if (!lua_isnoneornil(L, accept)) search.accept = accept;
  if (search.accept && !lua_isfunction(L, accept))
    satlua_raise_type(L, accept, "accept", "function");
  if (out) {
    search.wanted = (size_t)satlua_check_whole(L, 4, "k", 0, MAX_WANTED_ITEMS);
    satlua_check_out(L, out, accept, 0);
    tree = satlua_quadtree_check(L);
  }
  if (search.accept) {
    size_t count = ask_about_items(L, &search);
    return return_hits(L, out, count > 0 ? tree->asked.at + tree->owner.asked_from : NULL, count);
  }
  sat_Neighbor first = {search.limit, SATLUA_NO_ITEM};
  satlua_check_status(L, 2,
                      out ? sat_quadtree_nearest_all(tree->core, search.point, search.wanted,
                                                     search.limit, &tree->hits)
                          : sat_quadtree_nearest(tree->core, search.point, search.limit,
                                                 keep_nearest_item, &first));
  if (out) return return_hits(L, out, tree->hits.at, tree->hits.count);
  return return_hits(L, 0, &first, first.item != SATLUA_NO_ITEM);
}

/* ---------------------------------------------------------------- loops */

/* The loops, in the order of their kinds. */
static int tree_loop(lua_State *L) {
  int kind = SATLUA_LOOP_PAIRS + satlua_which(L);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  lua_settop(L, 1);
  satlua_Cursor *cursor = satlua_cursor_push(L, &tree->owner);
  tree = satlua_quadtree_check(L);
  satlua_Snapshot *snapshot = satlua_cursor_begin(cursor, &tree->owner, kind);
  if (!snapshot) return satlua_raise_status(L, 1, SAT_ENOMEM);
  snapshot->born = ++tree->loops;
  snapshot->changes = tree->removals;
  satlua_check_status(L, 2,
                      kind == SATLUA_LOOP_PAIRS ? sat_quadtree_pairs(tree->core, &snapshot->pairs)
                                                : sat_quadtree_nodes(tree->core, &snapshot->nodes));
  return satlua_cursor_return_loop(L, cursor);
}

const luaL_Reg satlua_quadtree_queries[] = {
    {"retrieve", tree_retrieve},  {"neighbors", tree_neighbors}, {"raycast", tree_raycast},
    {"raycastAll", tree_raycast}, {"nearest", tree_nearest},     {"nearestAll", tree_nearest},
    {"pairs", tree_loop},         {"nodes", tree_loop},          {NULL, NULL},
};
