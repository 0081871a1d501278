/* quadtree_query.c: queries of a quadtree: overlaps, rays and the nearest items, and loops over its
 * pairs and nodes. */
#include "lua/calls.h"
#include "lua/quadtree_state.h"
#include "lua/shape_methods.h"

#include <math.h>

#define MAX_WANTED_ITEMS 4294967295.0

/* ---------------------------------------------------------------- overlaps */

/* Returns the list at `out`, which is the top of the stack, with the items found but one, and their
 * number. */
static int return_items(lua_State *L, satlua_Quadtree *tree, int out, sat_Item except) {
  int length = 0;
  satlua_push_state(L, SATLUA_QUADTREE_STATE_ITEMS);
  for (size_t i = 0; i < tree->found.count; i++) {
    if (tree->found.at[i] == except) continue;
    lua_rawgeti(L, out + 1, (int)tree->found.at[i] + 1);
    lua_rawseti(L, out, ++length);
  }
  return satlua_return_list(L, out, length);
}

static int tree_retrieve(lua_State *L) {
  satlua_quadtree_check(L);
  const sat_Shape *shape = satlua_to_shape(L, 2);
  if (!shape && lua_type(L, 2) != LUA_TNUMBER)
    return satlua_raise_type(L, 2, "x", "number or a shape");
  sat_Rectangle box = {0, 0, 0, 0};
  if (!shape) box = satlua_check_box(L, 2);
  int out = shape ? 3 : 6;
  satlua_check_out(L, out);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  if (shape) box = satlua_shape_rectangle(shape); /* a finalizer may have moved it meanwhile */
  satlua_check_status(L, 2, sat_quadtree_query(tree->core, box, &tree->found));
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
  satlua_check_status(L, 2, sat_quadtree_query(tree->core, box, &tree->found));
  return return_items(L, tree, 3, item);
}

/* ---------------------------------------------------------------- rays and the nearest items */

/* Returns the list at `out`, the top of the stack, with the items of a search. */
static int return_hits(lua_State *L, satlua_Quadtree *tree, sat_Status status, int out) {
  satlua_check_status(L, 2, status);
  satlua_push_state(L, SATLUA_QUADTREE_STATE_ITEMS);
  for (size_t i = 0; i < tree->hits.count; i++) {
    lua_rawgeti(L, out + 1, (int)tree->hits.at[i].item + 1);
    lua_rawseti(L, out, (int)i + 1);
  }
  return satlua_return_list(L, out, (int)tree->hits.count);
}

static double keep_nearest_item(void *context, sat_Item item, double at) {
  sat_Neighbor *nearest = context;
  if (at < nearest->distance || (at == nearest->distance && item < nearest->item))
    *nearest = (sat_Neighbor){at, item};
  return nearest->distance;
}

/* Returns an item and its distance or fraction, or nil. */
static int return_hit(lua_State *L, sat_Status status, sat_Neighbor hit) {
  satlua_check_status(L, 2, status);
  if (hit.item == SATLUA_NO_ITEM) return satlua_finish(L, satlua_push_none(L));
  satlua_push_state(L, SATLUA_QUADTREE_STATE_ITEMS);
  lua_rawgeti(L, -1, (int)hit.item + 1);
  lua_pushnumber(L, hit.distance + 0.0);
  return satlua_finish(L, 2);
}

static int tree_raycast(lua_State *L) {
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  sat_Neighbor first = {INFINITY, SATLUA_NO_ITEM};
  sat_Status status = sat_quadtree_raycast(tree->core, from, to, keep_nearest_item, &first);
  return return_hit(L, status, first);
}

static int tree_raycast_all(lua_State *L) {
  satlua_quadtree_check(L);
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  satlua_check_out(L, 6);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  return return_hits(L, tree, sat_quadtree_raycast_all(tree->core, from, to, &tree->hits), 6);
}

static int tree_nearest(lua_State *L) {
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  sat_Neighbor nearest = {INFINITY, SATLUA_NO_ITEM};
  sat_Status status =
      sat_quadtree_nearest(tree->core, point, INFINITY, keep_nearest_item, &nearest);
  return return_hit(L, status, nearest);
}

static int tree_nearest_all(lua_State *L) {
  satlua_quadtree_check(L);
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  double k = satlua_check_whole(L, 4, "k", 0, MAX_WANTED_ITEMS);
  satlua_check_out(L, 5);
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  sat_Status status = sat_quadtree_nearest_all(tree->core, point, (size_t)k, &tree->hits);
  return return_hits(L, tree, status, 5);
}

/* ---------------------------------------------------------------- loops */

/* The kinds of loops. */
enum { PAIRS, NODES_OF_TREE, KINDS_OF_TREE };

static int begin_quadtree_loop(lua_State *L, int kind) {
  satlua_Quadtree *tree = satlua_quadtree_check(L);
  lua_settop(L, 1);
  satlua_Cursor *cursor = satlua_cursor_push(L, &tree->owner, SATLUA_UP_QUADTREE);
  tree = satlua_quadtree_check(L);
  satlua_Snapshot *snapshot = satlua_cursor_begin(cursor, &tree->owner, kind);
  if (!snapshot) return satlua_raise_status(L, 1, SAT_ENOMEM);
  snapshot->born = ++tree->loops;
  snapshot->changes = tree->removals;
  satlua_check_status(L, 2,
                      kind == PAIRS ? sat_quadtree_pairs(tree->core, &snapshot->pairs)
                                    : sat_quadtree_nodes(tree->core, &snapshot->nodes));
  return satlua_cursor_return_loop(L, cursor, SATLUA_UP_QUADTREE);
}

static int tree_pairs(lua_State *L) { return begin_quadtree_loop(L, PAIRS); }
static int tree_nodes(lua_State *L) { return begin_quadtree_loop(L, NODES_OF_TREE); }

/* Whether an item of a snapshot has left the tree since the loop began. */
static bool is_gone(const satlua_Quadtree *tree, const satlua_Snapshot *snapshot, sat_Item item) {
  return !sat_quadtree_has(tree->core, item) || tree->times.at[item] >= snapshot->born;
}

/* The next pair of a loop with both items still in the tree, or NULL. */
static const sat_ItemPair *next_found_pair(const satlua_Quadtree *tree, satlua_Snapshot *snapshot) {
  while (snapshot && snapshot->position < snapshot->pairs.count) {
    const sat_ItemPair *pair = &snapshot->pairs.at[snapshot->position++];
    if (snapshot->changes == tree->removals ||
        (!is_gone(tree, snapshot, pair->a) && !is_gone(tree, snapshot, pair->b)))
      return pair;
  }
  return NULL;
}

static int iterate_pairs(lua_State *L) {
  satlua_Cursor *cursor = satlua_cursor_check(L, PAIRS, "pairs");
  const sat_ItemPair *pair =
      next_found_pair(satlua_handle_open(cursor->handle), satlua_cursor_snapshot(cursor));
  if (!pair) return satlua_cursor_return_end(L, cursor);
  lua_getuservalue(L, 1);
  lua_rawgeti(L, 2, SATLUA_QUADTREE_STATE_ITEMS);
  lua_rawgeti(L, 3, (int)pair->a + 1);
  lua_rawgeti(L, 3, (int)pair->b + 1);
  return 2;
}

static int next_quadtree_node(lua_State *L) { return satlua_cursor_next_node(L, NODES_OF_TREE); }

int satlua_call_next_pair(void *context, void *block) {
  satlua_Cursor *cursor = block;
  satlua_Snapshot *snapshot = satlua_cursor_snapshot(cursor);
  if (!snapshot) return SATLUA_OVER;
  if (snapshot->kind != PAIRS) return SATLUA_REFUSED;
  const sat_ItemPair *pair = next_found_pair(satlua_handle_open(cursor->handle), snapshot);
  if (!pair) return satlua_cursor_end(cursor);
  satlua_put_number(context, 0, (double)pair->a + 1);
  satlua_put_number(context, 1, (double)pair->b + 1);
  return satlua_next_serial(context);
}

const luaL_Reg satlua_quadtree_queries[] = {
    {"retrieve", tree_retrieve},
    {"neighbors", tree_neighbors},
    {"raycast", tree_raycast},
    {"raycastAll", tree_raycast_all},
    {"nearest", tree_nearest},
    {"nearestAll", tree_nearest_all},
    {"pairs", tree_pairs},
    {"nodes", tree_nodes},
    {NULL, NULL},
};

void satlua_quadtree_set_iterators(lua_State *L, int metatable) {
  static const lua_CFunction next[KINDS_OF_TREE] = {iterate_pairs, next_quadtree_node};
  satlua_cursor_set_metatable(L, metatable, next, KINDS_OF_TREE);
}
