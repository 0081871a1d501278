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

/* What lies in the metatable of quadtrees beside SAT_TYPE_NAME and SAT_TREE_CURSORS. */
enum { NEXT_PAIR = SAT_TREE_CURSORS + 1, NEXT_NODE };

/* The state of a loop. */
typedef struct Cursor {
  const sat_TreeBox *box; /* which its home keeps */
  sat_Snapshot *snapshot; /* NULL when the loop is over; gone when the tree is */
} Cursor;

/* What a cursor goes over, or NULL. */
static sat_Snapshot *snapshot_of(const Cursor *cursor) {
  return sat_treebox_open(cursor->box) ? cursor->snapshot : NULL;
}

/* ---------------------------------------------------------------- beginning */

/* The cursor of the tree at index 1 that is on top of the stack, or NULL for anything else. It is
 * told by the address that it begins with, which no script can write into a userdata. */
static Cursor *to_idle(lua_State *L) {
  Cursor *cursor = lua_touserdata(L, -1);
  if (!cursor || lua_rawlen(L, -1) != sizeof *cursor) return NULL;
  return cursor->box == lua_touserdata(L, 1) ? cursor : NULL;
}

/* Pushes a cursor: an idle one, or a new one. */
static Cursor *push_cursor(lua_State *L, sat_LuaTree *tree) {
  sat_luatree_push(L, SAT_HOME_CURSORS);
  while (tree->idle_cursors > 0) {
    lua_rawgeti(L, -1, tree->idle_cursors);
    Cursor *idle = to_idle(L);
    if (idle && idle->snapshot) idle = NULL; /* see the end of lua/world_iterators.c */
    if (idle) lua_pushnil(L);
    if (idle) lua_rawseti(L, -3, tree->idle_cursors);
    tree->idle_cursors--;
    lua_remove(L, idle ? -2 : -1);
    if (idle) return idle;
  }
  lua_pop(L, 1);
  Cursor *cursor = lua_newuserdata(L, sizeof *cursor);
  cursor->box = lua_touserdata(L, 1);
  cursor->snapshot = NULL;
  lua_getuservalue(L, 1);
  lua_setuservalue(L, -2);
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_QUADTREE), SAT_TREE_CURSORS);
  lua_setmetatable(L, -2);
  return cursor;
}

/* A snapshot that no loop uses, or NULL for want of memory. */
static sat_Snapshot *take_snapshot(sat_LuaTree *tree) {
  sat_Snapshot *snapshot = tree->idle;
  if (snapshot) {
    tree->idle = snapshot->next_idle;
    return snapshot;
  }
  snapshot = sat_luatree_resize(tree, NULL, 0, 1, sizeof *snapshot);
  if (!snapshot) return NULL;
  memset(snapshot, 0, sizeof *snapshot);
  snapshot->pairs.allocator = snapshot->nodes.allocator = sat_holder_allocator(&tree->holder);
  snapshot->next = tree->snapshots;
  tree->snapshots = snapshot;
  return snapshot;
}

static size_t bytes_of(const sat_Snapshot *snapshot) {
  return snapshot->pairs.capacity * sizeof *snapshot->pairs.at +
         snapshot->nodes.capacity * sizeof *snapshot->nodes.at;
}

/* Returns what a generic for wants: the iterator, its state, no control variable yet, and since 5.4
 * what is to be closed when the loop is left. */
static int begin_loop(lua_State *L, sat_LuaTree *tree, int iterator) {
  lua_settop(L, 1);
  Cursor *cursor = push_cursor(L, tree);
  tree = sat_luatree_check(L);
  sat_Snapshot *snapshot = take_snapshot(tree);
  if (!snapshot) return sat_raise_status(L, 1, SAT_ENOMEM);
  cursor->snapshot = snapshot;
  snapshot->position = 0;
  snapshot->loop = ++tree->loops;
  snapshot->removals = tree->removals;
  snapshot->is_of_nodes = iterator == NEXT_NODE;
  sat_luatree_check_done(L, snapshot->is_of_nodes
                                ? sat_quadtree_nodes(&tree->core, &snapshot->nodes)
                                : sat_quadtree_pairs(&tree->core, &snapshot->pairs));
  sat_holder_lend(&tree->holder, bytes_of(snapshot));
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_QUADTREE), iterator);
  lua_pushvalue(L, 2);
  lua_pushnil(L);
  lua_pushvalue(L, 2);
  return sat_luatree_finish(L, tree, 4);
}

static int tree_pairs(lua_State *L) { return begin_loop(L, sat_luatree_check(L), NEXT_PAIR); }

static int tree_nodes(lua_State *L) { return begin_loop(L, sat_luatree_check(L), NEXT_NODE); }

/* ---------------------------------------------------------------- ending */

/* Ends a cursor's loop. Returns what it went over, or NULL when it had ended before. */
static const sat_Snapshot *end_loop(Cursor *cursor) {
  sat_Snapshot *snapshot = snapshot_of(cursor);
  cursor->snapshot = NULL;
  if (!snapshot) return NULL;
  sat_LuaTree *tree = cursor->box->tree;
  snapshot->next_idle = tree->idle;
  tree->idle = snapshot;
  return snapshot;
}

/* The same of a loop that is known to be over, which gives back what it was lent. False: it had
 * ended before. */
static bool finish_loop(Cursor *cursor) {
  const sat_Snapshot *snapshot = end_loop(cursor);
  if (snapshot) sat_holder_take_back(&cursor->box->tree->holder, bytes_of(snapshot));
  return snapshot != NULL;
}

/* Ends the loop of the cursor at index 1, which becomes idle. */
static void put_back(lua_State *L, Cursor *cursor) {
  if (!finish_loop(cursor)) return;
  sat_LuaTree *tree = cursor->box->tree;
  sat_luatree_push(L, SAT_HOME_CURSORS);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, tree->idle_cursors + 1);
  tree->idle_cursors++;
}

/* The cursor that a metamethod is called with, whose only upvalue is the metatable of cursors. A
 * script that has got hold of the metatable may call it with anything. */
static Cursor *check_metamethod(lua_State *L, const char *name) {
  Cursor *cursor = sat_to_block(L, 1, 1);
  if (!cursor) luaL_error(L, "calling '%s' on bad self (it must be the state of a loop)", name);
  return cursor;
}

static int last_step(lua_State *L, Cursor *cursor) {
  put_back(L, cursor);
  return sat_luatree_push_none(L);
}

/* Since 5.4, when a loop is left. */
static int close_cursor(lua_State *L) {
  Cursor *cursor = check_metamethod(L, "__close");
  lua_settop(L, 1);
  put_back(L, cursor);
  return 0;
}

static int collect_cursor(lua_State *L) {
  end_loop(check_metamethod(L, "__gc"));
  return 0;
}

/* ---------------------------------------------------------------- going on */

/* The iterators have the metatable of cursors for their only upvalue. */
static Cursor *check_cursor(lua_State *L, bool is_of_nodes) {
  Cursor *cursor = sat_to_block(L, 1, 1);
  const sat_Snapshot *snapshot = cursor ? snapshot_of(cursor) : NULL;
  if (!cursor || (snapshot && snapshot->is_of_nodes != is_of_nodes))
    luaL_error(L, "the iterator of '%s' needs the state that came with it",
               is_of_nodes ? "nodes" : "pairs");
  lua_settop(L, 1);
  return cursor;
}

/* Whether an item of a snapshot is in the tree no more. */
static bool is_gone(const sat_LuaTree *tree, const sat_Snapshot *snapshot, sat_Item item) {
  return !sat_quadtree_has(&tree->core, item) || tree->times[item] >= snapshot->loop;
}

/* The next pair of a loop of which both are there, or NULL. */
static const sat_ItemPair *next_found(const sat_LuaTree *tree, sat_Snapshot *snapshot) {
  while (snapshot && snapshot->position < snapshot->pairs.count) {
    const sat_ItemPair *pair = &snapshot->pairs.at[snapshot->position++];
    if (snapshot->removals == tree->removals ||
        (!is_gone(tree, snapshot, pair->a) && !is_gone(tree, snapshot, pair->b)))
      return pair;
  }
  return NULL;
}

static int next_pair(lua_State *L) {
  Cursor *cursor = check_cursor(L, false);
  const sat_ItemPair *pair = next_found(cursor->box->tree, snapshot_of(cursor));
  if (!pair) return last_step(L, cursor);
  lua_getuservalue(L, 1);
  lua_rawgeti(L, 2, SAT_HOME_ITEMS);
  lua_rawgeti(L, 3, (int)pair->a + 1);
  lua_rawgeti(L, 3, (int)pair->b + 1);
  return 2;
}

static int next_node(lua_State *L) {
  Cursor *cursor = check_cursor(L, true);
  sat_Snapshot *snapshot = snapshot_of(cursor);
  if (!snapshot || snapshot->position == snapshot->nodes.count) return last_step(L, cursor);
  sat_Node node = snapshot->nodes.at[snapshot->position++];
  sat_luatree_push_box(L, node.box);
  lua_pushinteger(L, (lua_Integer)node.level);
  lua_pushinteger(L, (lua_Integer)node.count);
  return 6;
}

/* ---------------------------------------------------------------- through the FFI */

/* What LuaJIT calls in the place of next_pair: see lua/ffi.c. */
int sat_treebox_idle(const void *block) {
  const sat_LuaTree *tree = sat_treebox_open(block);
  return tree ? tree->idle_cursors : -1;
}

int sat_treecursor_step(void *block, sat_Step *step) {
  Cursor *cursor = block;
  sat_Snapshot *snapshot = snapshot_of(cursor);
  if (!snapshot) return SAT_STEP_OVER;
  if (snapshot->is_of_nodes) return SAT_STEP_REFUSED;
  const sat_ItemPair *pair = next_found(cursor->box->tree, snapshot);
  if (pair) {
    step->a = (double)pair->a + 1;
    step->b = (double)pair->b + 1;
    return SAT_STEP_FOUND;
  }
  finish_loop(cursor);
  return SAT_STEP_OVER - 1 - ++cursor->box->tree->idle_cursors;
}

void sat_treecursor_step_back(void *block) {
  sat_Snapshot *snapshot = snapshot_of(block);
  if (snapshot && snapshot->position > 0) snapshot->position--;
}

const luaL_Reg sat_quadtree_loops[] = {
    {"pairs", tree_pairs},
    {"nodes", tree_nodes},
    {NULL, NULL},
};

/* Gives the table on top of the stack, which is the quadtrees' metatable, what loops need. */
void sat_luatree_set_loops(lua_State *L) {
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, collect_cursor, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, close_cursor, 1);
  lua_setfield(L, -2, "__close");
  lua_pushliteral(L, "sat.cursor");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, next_pair, 1);
  lua_rawseti(L, -3, NEXT_PAIR);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, next_node, 1);
  lua_rawseti(L, -3, NEXT_NODE);
  lua_rawseti(L, -2, SAT_TREE_CURSORS);
}
