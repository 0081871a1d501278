/* quadtree_iterators.c: loops over a quadtree.
 *
 * A loop goes over a snapshot of what there was when it began. How far it has got is written there,
 * since the control variable of a generic for is an item and tells nothing. What refers to a
 * snapshot is a cursor, a small userdata: a loop that ends gives it back, one that is left by break
 * leaves it to the collector. Snapshots belong to their tree. */
#include "lua/quadtree_state.h"

#include "lua/quadtree.h"
#include "lua/shape_methods.h"

#include <string.h>

/* What lies in the metatable of quadtrees beside SATLUA_TYPE_NAME and SATLUA_TREE_CURSORS. */
enum { NEXT_PAIR = SATLUA_TREE_CURSORS + 1, NEXT_NODE };

/* The state of a loop. */
typedef struct QuadtreeCursor {
  const satlua_QuadtreeHandle *handle; /* which its home keeps */
  satlua_QuadtreeSnapshot *snapshot;   /* NULL when the loop is over; gone when the tree is */
} QuadtreeCursor;

/* What a cursor goes over, or NULL. */
static satlua_QuadtreeSnapshot *idle_quadtree_snapshot(const QuadtreeCursor *cursor) {
  return satlua_quadtree_handle_open(cursor->handle) ? cursor->snapshot : NULL;
}

/* ---------------------------------------------------------------- beginning */

/* The cursor of the tree at index 1 that is on top of the stack, or NULL for anything else. It is
 * told by the address that it begins with, which no script can write into a userdata. */
static QuadtreeCursor *quadtree_iterators_to_idle(lua_State *L) {
  QuadtreeCursor *cursor = lua_touserdata(L, -1);
  if (!cursor || lua_rawlen(L, -1) != sizeof *cursor) return NULL;
  return cursor->handle == lua_touserdata(L, 1) ? cursor : NULL;
}

/* Pushes a cursor: an idle one, or a new one. */
static QuadtreeCursor *push_quadtree_cursor(lua_State *L, satlua_Quadtree *tree) {
  satlua_quadtree_push(L, SATLUA_QUADTREE_STATE_CURSORS);
  while (tree->idle_cursors > 0) {
    lua_rawgeti(L, -1, tree->idle_cursors);
    QuadtreeCursor *idle = quadtree_iterators_to_idle(L);
    if (idle && idle->snapshot) idle = NULL; /* see the end of lua/world_iterators.c */
    if (idle) lua_pushnil(L);
    if (idle) lua_rawseti(L, -3, tree->idle_cursors);
    tree->idle_cursors--;
    lua_remove(L, idle ? -2 : -1);
    if (idle) return idle;
  }
  lua_pop(L, 1);
  QuadtreeCursor *cursor = lua_newuserdata(L, sizeof *cursor);
  cursor->handle = lua_touserdata(L, 1);
  cursor->snapshot = NULL;
  lua_getuservalue(L, 1);
  lua_setuservalue(L, -2);
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_QUADTREE), SATLUA_TREE_CURSORS);
  lua_setmetatable(L, -2);
  return cursor;
}

/* A snapshot that no loop uses, or NULL for want of memory. */
static satlua_QuadtreeSnapshot *fill_quadtree_snapshot(satlua_Quadtree *tree) {
  satlua_QuadtreeSnapshot *snapshot = tree->idle;
  if (snapshot) {
    tree->idle = snapshot->next_idle;
    return snapshot;
  }
  snapshot = satlua_quadtree_resize(tree, NULL, 0, 1, sizeof *snapshot);
  if (!snapshot) return NULL;
  memset(snapshot, 0, sizeof *snapshot);
  snapshot->pairs.allocator = snapshot->nodes.allocator = satlua_memory_allocator(&tree->memory);
  snapshot->next = tree->snapshots;
  tree->snapshots = snapshot;
  return snapshot;
}

static size_t quadtree_snapshot_bytes(const satlua_QuadtreeSnapshot *snapshot) {
  return snapshot->pairs.capacity * sizeof *snapshot->pairs.at +
         snapshot->nodes.capacity * sizeof *snapshot->nodes.at;
}

/* Returns what a generic for wants: the iterator, its state, no control variable yet, and since 5.4
 * what is to be closed when the loop is left. */
static int begin_quadtree_loop(lua_State *L, satlua_Quadtree *tree, int iterator) {
  lua_settop(L, 1);
  QuadtreeCursor *cursor = push_quadtree_cursor(L, tree);
  tree = satlua_quadtree_check(L);
  satlua_QuadtreeSnapshot *snapshot = fill_quadtree_snapshot(tree);
  if (!snapshot) return satlua_raise_status(L, 1, SAT_ENOMEM);
  cursor->snapshot = snapshot;
  snapshot->position = 0;
  snapshot->loop = ++tree->loops;
  snapshot->removals = tree->removals;
  snapshot->is_of_nodes = iterator == NEXT_NODE;
  satlua_quadtree_check_done(L, snapshot->is_of_nodes
                                    ? sat_quadtree_nodes(&tree->core, &snapshot->nodes)
                                    : sat_quadtree_pairs(&tree->core, &snapshot->pairs));
  satlua_memory_add_loop(&tree->memory, quadtree_snapshot_bytes(snapshot));
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_QUADTREE), iterator);
  lua_pushvalue(L, 2);
  lua_pushnil(L);
  lua_pushvalue(L, 2);
  return satlua_quadtree_finish(L, tree, 4);
}

static int tree_pairs(lua_State *L) {
  return begin_quadtree_loop(L, satlua_quadtree_check(L), NEXT_PAIR);
}

static int tree_nodes(lua_State *L) {
  return begin_quadtree_loop(L, satlua_quadtree_check(L), NEXT_NODE);
}

/* ---------------------------------------------------------------- ending */

/* Ends a cursor's loop. Returns what it went over, or NULL when it had ended before. */
static const satlua_QuadtreeSnapshot *end_quadtree_loop(QuadtreeCursor *cursor) {
  satlua_QuadtreeSnapshot *snapshot = idle_quadtree_snapshot(cursor);
  cursor->snapshot = NULL;
  if (!snapshot) return NULL;
  satlua_Quadtree *tree = cursor->handle->tree;
  snapshot->next_idle = tree->idle;
  tree->idle = snapshot;
  return snapshot;
}

/* The same of a loop that is known to be over, which gives back what it was lent. False: it had
 * ended before. */
static bool finish_quadtree_loop(QuadtreeCursor *cursor) {
  const satlua_QuadtreeSnapshot *snapshot = end_quadtree_loop(cursor);
  if (snapshot)
    satlua_memory_end_loop(&cursor->handle->tree->memory, quadtree_snapshot_bytes(snapshot));
  return snapshot != NULL;
}

/* Ends the loop of the cursor at index 1, which becomes idle. */
static void make_cursor_idle(lua_State *L, QuadtreeCursor *cursor) {
  if (!finish_quadtree_loop(cursor)) return;
  satlua_Quadtree *tree = cursor->handle->tree;
  satlua_quadtree_push(L, SATLUA_QUADTREE_STATE_CURSORS);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, tree->idle_cursors + 1);
  tree->idle_cursors++;
}

/* The cursor that a metamethod is called with, whose only upvalue is the metatable of cursors. A
 * script that has got hold of the metatable may call it with anything. */
static QuadtreeCursor *quadtree_iterators_check_metamethod(lua_State *L, const char *name) {
  QuadtreeCursor *cursor = satlua_to_block(L, 1, 1);
  if (!cursor) luaL_error(L, "calling '%s' on bad self (it must be the state of a loop)", name);
  return cursor;
}

static int last_quadtree_step(lua_State *L, QuadtreeCursor *cursor) {
  make_cursor_idle(L, cursor);
  return satlua_quadtree_push_none(L);
}

/* Since 5.4, when a loop is left. */
static int close_quadtree_cursor(lua_State *L) {
  QuadtreeCursor *cursor = quadtree_iterators_check_metamethod(L, "__close");
  lua_settop(L, 1);
  make_cursor_idle(L, cursor);
  return 0;
}

static int collect_quadtree_cursor(lua_State *L) {
  end_quadtree_loop(quadtree_iterators_check_metamethod(L, "__gc"));
  return 0;
}

/* ---------------------------------------------------------------- going on */

/* The iterators have the metatable of cursors for their only upvalue. */
static QuadtreeCursor *check_quadtree_cursor(lua_State *L, bool is_of_nodes) {
  QuadtreeCursor *cursor = satlua_to_block(L, 1, 1);
  const satlua_QuadtreeSnapshot *snapshot = cursor ? idle_quadtree_snapshot(cursor) : NULL;
  if (!cursor || (snapshot && snapshot->is_of_nodes != is_of_nodes))
    luaL_error(L, "the iterator of '%s' needs the state that came with it",
               is_of_nodes ? "nodes" : "pairs");
  lua_settop(L, 1);
  return cursor;
}

/* Whether an item of a snapshot is in the tree no more. */
static bool is_gone(const satlua_Quadtree *tree, const satlua_QuadtreeSnapshot *snapshot,
                    sat_Item item) {
  return !sat_quadtree_has(&tree->core, item) || tree->times[item] >= snapshot->loop;
}

/* The next pair of a loop of which both are there, or NULL. */
static const sat_ItemPair *next_found_pair(const satlua_Quadtree *tree,
                                           satlua_QuadtreeSnapshot *snapshot) {
  while (snapshot && snapshot->position < snapshot->pairs.count) {
    const sat_ItemPair *pair = &snapshot->pairs.at[snapshot->position++];
    if (snapshot->removals == tree->removals ||
        (!is_gone(tree, snapshot, pair->a) && !is_gone(tree, snapshot, pair->b)))
      return pair;
  }
  return NULL;
}

static int iterate_pairs(lua_State *L) {
  QuadtreeCursor *cursor = check_quadtree_cursor(L, false);
  const sat_ItemPair *pair = next_found_pair(cursor->handle->tree, idle_quadtree_snapshot(cursor));
  if (!pair) return last_quadtree_step(L, cursor);
  lua_getuservalue(L, 1);
  lua_rawgeti(L, 2, SATLUA_QUADTREE_STATE_ITEMS);
  lua_rawgeti(L, 3, (int)pair->a + 1);
  lua_rawgeti(L, 3, (int)pair->b + 1);
  return 2;
}

static int next_quadtree_node(lua_State *L) {
  QuadtreeCursor *cursor = check_quadtree_cursor(L, true);
  satlua_QuadtreeSnapshot *snapshot = idle_quadtree_snapshot(cursor);
  if (!snapshot || snapshot->position == snapshot->nodes.count)
    return last_quadtree_step(L, cursor);
  sat_Node node = snapshot->nodes.at[snapshot->position++];
  satlua_quadtree_push_box(L, node.box);
  lua_pushinteger(L, (lua_Integer)node.level);
  lua_pushinteger(L, (lua_Integer)node.count);
  return 6;
}

/* ---------------------------------------------------------------- through the FFI */

/* What LuaJIT calls in the place of iterate_pairs: see lua/ffi.c. */
int satlua_quadtree_handle_idle(const void *block) {
  const satlua_Quadtree *tree = satlua_quadtree_handle_open(block);
  return tree ? tree->idle_cursors : -1;
}

int satlua_quadtree_cursor_step(void *block, satlua_Step *step) {
  QuadtreeCursor *cursor = block;
  satlua_QuadtreeSnapshot *snapshot = idle_quadtree_snapshot(cursor);
  if (!snapshot) return SATLUA_STEP_OVER;
  if (snapshot->is_of_nodes) return SATLUA_STEP_REFUSED;
  const sat_ItemPair *pair = next_found_pair(cursor->handle->tree, snapshot);
  if (pair) {
    step->a = (double)pair->a + 1;
    step->b = (double)pair->b + 1;
    return SATLUA_STEP_FOUND;
  }
  finish_quadtree_loop(cursor);
  return SATLUA_STEP_OVER - 1 - ++cursor->handle->tree->idle_cursors;
}

void satlua_quadtree_cursor_step_back(void *block) {
  satlua_QuadtreeSnapshot *snapshot = idle_quadtree_snapshot(block);
  if (snapshot && snapshot->position > 0) snapshot->position--;
}

const luaL_Reg satlua_quadtree_iterators[] = {
    {"pairs", tree_pairs},
    {"nodes", tree_nodes},
    {NULL, NULL},
};

/* Gives the table on top of the stack, which is the quadtrees' metatable, what loops need. */
void satlua_quadtree_set_loops(lua_State *L) {
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, collect_quadtree_cursor, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, close_quadtree_cursor, 1);
  lua_setfield(L, -2, "__close");
  lua_pushliteral(L, "sat.cursor");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, iterate_pairs, 1);
  lua_rawseti(L, -3, NEXT_PAIR);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, next_quadtree_node, 1);
  lua_rawseti(L, -3, NEXT_NODE);
  lua_rawseti(L, -2, SATLUA_TREE_CURSORS);
}
