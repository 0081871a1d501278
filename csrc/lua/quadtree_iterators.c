/* quadtree_iterators.c: loops over the pairs and nodes of a quadtree. */
#include "lua/quadtree.h"
#include "lua/quadtree_state.h"

/* The kinds of loops. */
enum { PAIRS, NODES_OF_TREE, KINDS_OF_TREE };

/* ---------------------------------------------------------------- beginning */

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

/* ---------------------------------------------------------------- steps */

/* Whether an item of a snapshot has left the tree since the loop began. */
static bool is_gone(const satlua_Quadtree *tree, const satlua_Snapshot *snapshot, sat_Item item) {
  return !sat_quadtree_has(tree->core, item) || tree->times[item] >= snapshot->born;
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

/* ---------------------------------------------------------------- through the FFI */

/* The function that LuaJIT calls in place of iterate_pairs: see lua/calls.c. */
int satlua_quadtree_cursor_step(void *block, satlua_Step step) {
  satlua_Cursor *cursor = block;
  satlua_Snapshot *snapshot = satlua_cursor_snapshot(cursor);
  if (!snapshot) return SATLUA_STEP_OVER;
  if (snapshot->kind != PAIRS) return SATLUA_STEP_REFUSED;
  const sat_ItemPair *pair = next_found_pair(satlua_handle_open(cursor->handle), snapshot);
  if (!pair) return satlua_cursor_step_end(cursor);
  step[0] = (double)pair->a + 1;
  step[1] = (double)pair->b + 1;
  return SATLUA_STEP_FOUND;
}

const luaL_Reg satlua_quadtree_iterators[] = {
    {"pairs", tree_pairs},
    {"nodes", tree_nodes},
    {NULL, NULL},
};

void satlua_quadtree_set_iterators(lua_State *L) {
  static const lua_CFunction next[KINDS_OF_TREE] = {iterate_pairs, next_quadtree_node};
  satlua_cursor_set_metatable(L, next, KINDS_OF_TREE);
}
