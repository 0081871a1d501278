/* lua_quadtree.c: see lua_quadtree.h.
 *
 * The core knows items by number, the script by value. Which is which stands in two tables, kept
 * with the loops' idle cursors in the tree's home: a table that is the user value of the tree and of
 * each of its cursors, where the collector sees cycles.
 *
 * An error must leave the core and the tables as they were, and of all that is done to them only the
 * growing of a table can raise one. So a change first checks everything, then makes room (places
 * in the one table, a key in the other), then changes the core, which may refuse for want of memory,
 * and at last writes what needs no more room. Finalizers run where Lua makes objects, which it does
 * not when a table is written to: none can come in between. */
#include "lua_quadtree.h"

#include "lua_memory.h"
#include "lua_shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_CAPACITY 1000000
#define MOST_ITEMS 100000000
#define MOST_WANTED 4294967295.0

/* What lies where in a tree's home. */
enum {
  HOME_TREE = 1,
  HOME_ITEMS,   /* at number + 1 the item; false where there is none, so that the place stays */
  HOME_NUMBERS, /* by item its number, or a negative one while it is being added */
  HOME_CURSORS, /* those that no loop uses */
  HOME_SIZE = HOME_CURSORS
};

/* What lies in the metatable beside SAT_TYPE_NAME. */
enum { CURSOR_METATABLE = SAT_TYPE_NAME + 1, NEXT_PAIR, NEXT_NODE };

#define NO_ITEM UINT32_MAX

/* An item with the distance or the fraction of the way at which it was found. */
typedef struct Hit {
  double at;
  sat_Item item;
} Hit;

/* What a loop found when it began, and how far it has got. */
typedef struct Snapshot {
  struct Snapshot *next, *next_idle;
  sat_ItemPairs pairs;
  sat_Nodes nodes;
  size_t position;
  uint64_t loop;     /* this one's number */
  uint64_t removals; /* how many there had been */
  bool is_of_nodes;
} Snapshot;

typedef struct Tree {
  sat_Holder holder;
  sat_Quadtree core;
  sat_Rectangle area;
  sat_Items found;
  Hit *hits;
  size_t hit_count, hit_capacity;
  /* By number, in which loop's time an item came: one of a later time is not in a loop's snapshot,
   * and has the number of one that was. */
  uint64_t *times;
  size_t time_capacity;
  uint64_t loops, removals;
  size_t used;   /* above all numbers that there have been */
  size_t places; /* in HOME_ITEMS */
  bool is_torn;  /* HOME_NUMBERS was left in the middle of a change */
  int idle_cursors;
  Snapshot *snapshots, *idle; /* all, and those that no cursor has */
} Tree;

/* The state of a loop. */
typedef struct Cursor {
  Tree *tree;         /* which its home keeps */
  Snapshot *snapshot; /* NULL when the loop is over */
} Cursor;

/* ---------------------------------------------------------------- memory */

static void *resize(Tree *tree, void *block, size_t old_count, size_t count, size_t size) {
  sat_Allocator allocator = sat_holder_allocator(&tree->holder);
  if (count == 0 && !block) return NULL;
  return allocator.allocate(allocator.context, block, old_count * size, count * size);
}

static void free_hits(Tree *tree) {
  tree->hits = resize(tree, tree->hits, tree->hit_capacity, 0, sizeof *tree->hits);
  tree->hit_count = tree->hit_capacity = 0;
}

static void free_times(Tree *tree) {
  tree->times = resize(tree, tree->times, tree->time_capacity, 0, sizeof *tree->times);
  tree->time_capacity = 0;
}

static void free_lists(Snapshot *snapshot) {
  sat_item_pairs_free(&snapshot->pairs);
  sat_nodes_free(&snapshot->nodes);
}

static void release_tree(sat_Holder *holder) {
  Tree *tree = (Tree *)holder;
  sat_quadtree_free(&tree->core);
  sat_items_free(&tree->found);
  free_hits(tree);
  free_times(tree);
  while (tree->snapshots) {
    Snapshot *snapshot = tree->snapshots;
    tree->snapshots = snapshot->next;
    free_lists(snapshot);
    resize(tree, snapshot, 1, 0, sizeof *snapshot);
  }
  tree->idle = NULL;
}

static bool reserve_times(Tree *tree, size_t count) {
  if (count <= tree->time_capacity) return true;
  size_t capacity = count + count / 2 + 16;
  uint64_t *times = resize(tree, tree->times, tree->time_capacity, capacity, sizeof *tree->times);
  if (!times) return false;
  tree->times = times;
  tree->time_capacity = capacity;
  return true;
}

static bool add_hit(Tree *tree, Hit hit) {
  if (tree->hit_count == tree->hit_capacity) {
    size_t capacity = tree->hit_capacity + tree->hit_capacity / 2 + 16;
    Hit *hits = resize(tree, tree->hits, tree->hit_capacity, capacity, sizeof *tree->hits);
    if (!hits) return false;
    tree->hits = hits;
    tree->hit_capacity = capacity;
  }
  tree->hits[tree->hit_count++] = hit;
  return true;
}

/* ---------------------------------------------------------------- items and their numbers */

/* Pushes one of the tables of the home of the tree (or cursor) at index 1. */
static void push_from_home(lua_State *L, int place) {
  lua_getuservalue(L, 1);
  lua_rawgeti(L, -1, place);
  lua_remove(L, -2);
}

/* Makes HOME_NUMBERS anew by HOME_ITEMS. A table of 5.1 that fails to grow may have lost keys, and
 * one that was left may have some too many. */
static void mend(lua_State *L, Tree *tree) {
  lua_getuservalue(L, 1);
  int home = lua_gettop(L);
  lua_createtable(L, 0, (int)sat_quadtree_count(&tree->core));
  lua_rawgeti(L, home, HOME_ITEMS);
  for (size_t i = 0; i < tree->used; i++) {
    if (!sat_quadtree_has(&tree->core, (sat_Item)i)) continue;
    lua_rawgeti(L, -1, (int)i + 1);
    lua_pushinteger(L, (lua_Integer)i);
    lua_rawset(L, home + 1);
  }
  lua_pop(L, 1);
  lua_rawseti(L, home, HOME_NUMBERS);
  lua_pop(L, 1);
  tree->is_torn = false;
}

/* The tree before the colon, in order. */
static Tree *check_self(lua_State *L) {
  Tree *tree = sat_to_block(L, 1, SAT_UP_QUADTREE);
  if (!tree) sat_raise_type(L, 1, "it", "quadtree");
  if (tree->is_torn) mend(L, tree);
  return tree;
}

/* Whether the value at an index is NaN, which is no key of a table. */
static bool is_nan(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TNUMBER && isnan(lua_tonumber(L, index));
}

static void check_item(lua_State *L, int arg) {
  if (lua_isnone(L, arg)) sat_raise_argument(L, arg, "item is missing");
  if (lua_isnil(L, arg)) sat_raise_argument(L, arg, "item is nil");
  if (is_nan(L, arg)) sat_raise_argument(L, arg, "item is NaN");
}

/* What HOME_NUMBERS, at the index `numbers`, says of the value on top of the stack, which is popped:
 * a number, a negative one that is none, or -1. */
static lua_Integer pop_number(lua_State *L, int numbers) {
  lua_rawget(L, numbers);
  lua_Integer number = lua_isnil(L, -1) ? -1 : lua_tointeger(L, -1);
  lua_pop(L, 1);
  return number;
}

/* The number of the item at an index, or NO_ITEM. */
static sat_Item find_item(lua_State *L, int index) {
  lua_getuservalue(L, 1);
  lua_rawgeti(L, -1, HOME_NUMBERS);
  lua_pushvalue(L, index);
  lua_Integer number = pop_number(L, -2);
  lua_pop(L, 2);
  return number < 0 ? NO_ITEM : (sat_Item)number;
}

static sat_Item check_present(lua_State *L, int arg) {
  check_item(L, arg);
  sat_Item item = find_item(L, arg);
  if (item == NO_ITEM) sat_raise_argument(L, arg, "item is not in the tree");
  return item;
}

/* Makes room for that many more items, but for their keys. */
static void reserve_places(lua_State *L, Tree *tree, size_t count) {
  size_t needed = tree->used + count;
  if (!reserve_times(tree, needed)) sat_raise_status(L, 1, SAT_ENOMEM);
  if (needed <= tree->places) return;
  push_from_home(L, HOME_ITEMS);
  for (; tree->places < needed; tree->places++) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, (int)tree->places + 1);
  }
  lua_pop(L, 1);
}

/* Writes an item that the core has taken, and has room, into the tables. It is on top of the stack
 * and is popped. */
static void pop_new_item(lua_State *L, Tree *tree, int items, int numbers, sat_Item item) {
  lua_pushvalue(L, -1);
  lua_rawseti(L, items, (int)item + 1);
  lua_pushinteger(L, (lua_Integer)item);
  lua_rawset(L, numbers);
  tree->times[item] = tree->loops;
  if (item >= tree->used) tree->used = (size_t)item + 1;
}

/* ---------------------------------------------------------------- arguments */

static double check_side(lua_State *L, int arg, const char *name, double from) {
  double side = sat_check_number(L, arg, name);
  if (side < 0) sat_raise_argument(L, arg, "%s must not be negative", name);
  if (from + side > SAT_LIMIT) sat_raise_argument(L, arg, "the box would reach beyond 1e15");
  return side;
}

static sat_Rectangle check_box(lua_State *L, int arg) {
  sat_Rectangle box;
  box.x = sat_check_number(L, arg, "x");
  box.y = sat_check_number(L, arg + 1, "y");
  box.w = check_side(L, arg + 2, "w", box.x);
  box.h = check_side(L, arg + 3, "h", box.y);
  return box;
}

/* The item that is argument 2, and its box: the numbers behind it, or the bounds of a shape that
 * stands alone. */
static sat_Rectangle check_item_and_box(lua_State *L) {
  if (lua_gettop(L) == 2) {
    const sat_Shape *shape = sat_to_shape(L, 2);
    if (shape) return sat_shape_rectangle(shape);
  }
  check_item(L, 2);
  return check_box(L, 3);
}

static void check_point(lua_State *L, int arg, const char *x, const char *y, sat_Vec2 *point) {
  point->x = sat_check_number(L, arg, x);
  point->y = sat_check_number(L, arg + 1, y);
}

static void check_done(lua_State *L, sat_Status status) {
  if (status != SAT_OK) sat_raise_status(L, 2, status);
}

/* The end of what returns so many values and may have taken memory. */
static int finish(lua_State *L, Tree *tree, int results) {
  sat_holder_tell(L, &tree->holder);
  return results;
}

/* Returns the tree itself, so that calls chain. */
static int return_self(lua_State *L, Tree *tree) {
  lua_settop(L, 1);
  return finish(L, tree, 1);
}

/* ---------------------------------------------------------------- changing */

static int tree_insert(lua_State *L) {
  Tree *tree = check_self(L);
  sat_Rectangle box = check_item_and_box(L);
  lua_settop(L, 2);
  push_from_home(L, HOME_ITEMS);
  push_from_home(L, HOME_NUMBERS);
  lua_pushvalue(L, 2);
  if (pop_number(L, 4) >= 0)
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
  check_done(L, status);
  return return_self(L, tree);
}

static int tree_update(lua_State *L) {
  Tree *tree = check_self(L);
  sat_Rectangle box = check_item_and_box(L);
  sat_Item item = find_item(L, 2);
  if (item == NO_ITEM)
    return sat_raise_argument(L, 2, "item is not in the tree: add it with insert");
  check_done(L, sat_quadtree_update(&tree->core, item, box));
  return return_self(L, tree);
}

static int tree_remove(lua_State *L) {
  Tree *tree = check_self(L);
  check_item(L, 2);
  lua_settop(L, 2);
  sat_Item item = find_item(L, 2);
  lua_pushboolean(L, item != NO_ITEM);
  if (item == NO_ITEM) return 1;
  sat_quadtree_remove(&tree->core, item);
  tree->removals++;
  push_from_home(L, HOME_ITEMS);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, (int)item + 1);
  push_from_home(L, HOME_NUMBERS);
  lua_pushvalue(L, 2);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_settop(L, 3);
  return 1;
}

/* Puts new tables into the home. */
static void replace_tables(lua_State *L, Tree *tree) {
  lua_newtable(L);
  lua_newtable(L);
  lua_getuservalue(L, 1);
  lua_insert(L, -3);
  lua_rawseti(L, -3, HOME_NUMBERS);
  lua_rawseti(L, -2, HOME_ITEMS);
  lua_pop(L, 1);
  tree->places = 0;
}

/* Empties the tables, which keep their room: a game may fill the tree anew in every frame. */
static void empty_tables(lua_State *L, Tree *tree) {
  push_from_home(L, HOME_ITEMS);
  push_from_home(L, HOME_NUMBERS);
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
  Tree *tree = check_self(L);
  bool is_too_large = tree->places > 1024 && sat_quadtree_count(&tree->core) < tree->places / 8;
  if (is_too_large) replace_tables(L, tree);
  else empty_tables(L, tree);
  sat_quadtree_clear(&tree->core);
  sat_items_free(&tree->found);
  free_hits(tree);
  free_times(tree);
  for (Snapshot *snapshot = tree->idle; snapshot; snapshot = snapshot->next_idle)
    free_lists(snapshot);
  tree->used = 0;
  tree->removals++;
  return return_self(L, tree);
}

/* ---------------------------------------------------------------- building */

/* The length of the list of items that is argument 2, none of which may be nil or NaN. The length of
 * a table with holes is any of several numbers, so what lies behind must be looked for. */
static size_t check_items(lua_State *L) {
  size_t count = (size_t)lua_rawlen(L, 2);
  if (count > MOST_ITEMS) sat_raise_argument(L, 2, "more than %d items", MOST_ITEMS);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    if (lua_isnil(L, -1)) sat_raise_argument(L, 2, "item %d is nil", (int)i + 1);
    if (is_nan(L, -1)) sat_raise_argument(L, 2, "item %d is NaN", (int)i + 1);
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
static void reserve_keys(lua_State *L, Tree *tree, int numbers, size_t count) {
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
static sat_Status build(lua_State *L, Tree *tree, size_t count, int items, int numbers) {
  sat_Rectangle *boxes = resize(tree, NULL, 0, count, sizeof *boxes);
  sat_Item *added = resize(tree, NULL, 0, count, sizeof *added);
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
  resize(tree, boxes, count, 0, sizeof *boxes);
  resize(tree, added, count, 0, sizeof *added);
  return status;
}

static int tree_build(lua_State *L) {
  Tree *tree = check_self(L);
  sat_check_table(L, 2, "items");
  sat_check_table(L, 3, "boxes");
  lua_settop(L, 3);
  size_t count = check_items(L);
  check_boxes(L, count);
  if (count == 0) return return_self(L, tree);
  push_from_home(L, HOME_ITEMS);
  push_from_home(L, HOME_NUMBERS);
  reserve_places(L, tree, count);
  tree->is_torn = true;
  reserve_keys(L, tree, 5, count);
  sat_Status status = build(L, tree, count, 4, 5);
  if (status != SAT_OK) drop_keys(L, 5, count);
  tree->is_torn = false;
  check_done(L, status);
  return return_self(L, tree);
}

/* ---------------------------------------------------------------- single items */

static int tree_has(lua_State *L) {
  check_self(L);
  check_item(L, 2);
  lua_pushboolean(L, find_item(L, 2) != NO_ITEM);
  return 1;
}

static int push_none(lua_State *L) {
  lua_pushnil(L);
  return 1;
}

/* Adding 0 makes 0 of -0. */
static int push_box(lua_State *L, sat_Rectangle box) {
  lua_pushnumber(L, box.x + 0.0);
  lua_pushnumber(L, box.y + 0.0);
  lua_pushnumber(L, box.w + 0.0);
  lua_pushnumber(L, box.h + 0.0);
  return 4;
}

static int tree_get(lua_State *L) {
  const Tree *tree = check_self(L);
  check_item(L, 2);
  sat_Item item = find_item(L, 2);
  if (item == NO_ITEM) return push_none(L);
  return push_box(L, sat_quadtree_box(&tree->core, item));
}

static int tree_count(lua_State *L) {
  const Tree *tree = check_self(L);
  lua_pushinteger(L, (lua_Integer)sat_quadtree_count(&tree->core));
  return 1;
}

/* ---------------------------------------------------------------- lists of items */

/* Returns the list at `out`, which is the top of the stack, with the items found but one, and how
 * many they are. */
static int return_found(lua_State *L, Tree *tree, int out, sat_Item except) {
  size_t old_length = (size_t)lua_rawlen(L, out);
  int length = 0;
  push_from_home(L, HOME_ITEMS);
  for (size_t i = 0; i < tree->found.count; i++) {
    if (tree->found.at[i] == except) continue;
    lua_rawgeti(L, out + 1, (int)tree->found.at[i] + 1);
    lua_rawseti(L, out, ++length);
  }
  sat_clear_behind(L, out, length, old_length);
  lua_settop(L, out);
  lua_pushinteger(L, length);
  return finish(L, tree, 2);
}

static int tree_retrieve(lua_State *L) {
  Tree *tree = check_self(L);
  const sat_Shape *shape = sat_to_shape(L, 2);
  if (!shape && lua_type(L, 2) != LUA_TNUMBER)
    return sat_raise_type(L, 2, "x", "number or a shape");
  sat_Rectangle box = shape ? sat_shape_rectangle(shape) : check_box(L, 2);
  int out = shape ? 3 : 6;
  sat_check_out(L, out);
  check_done(L, sat_quadtree_query(&tree->core, box, &tree->found));
  return return_found(L, tree, out, NO_ITEM);
}

static int tree_neighbors(lua_State *L) {
  Tree *tree = check_self(L);
  check_present(L, 2);
  sat_check_out(L, 3);
  sat_Item item = check_present(L, 2); /* a finalizer may have removed it meanwhile */
  sat_Rectangle box = sat_quadtree_box(&tree->core, item);
  check_done(L, sat_quadtree_query(&tree->core, box, &tree->found));
  return return_found(L, tree, 3, item);
}

/* ---------------------------------------------------------------- the nearest */

/* The order of answers: nearest first, of equally near ones the lower number. */
static bool is_behind(Hit a, Hit b) { return a.at > b.at || (a.at == b.at && a.item > b.item); }

/* Moves the first of `count` hits down to its place in a heap whose first is behind all others
 * (Williams, Algorithm 232: Heapsort, 1964). */
static void sift_down(Hit *hits, size_t first, size_t count) {
  Hit hit = hits[first];
  for (size_t child; (child = 2 * first + 1) < count; first = child) {
    if (child + 1 < count && is_behind(hits[child + 1], hits[child])) child++;
    if (!is_behind(hits[child], hit)) break;
    hits[first] = hits[child];
  }
  hits[first] = hit;
}

static void make_heap(Hit *hits, size_t count) {
  for (size_t i = count / 2; i-- > 0;) sift_down(hits, i, count);
}

static void sort_heap(Hit *hits, size_t count) {
  while (count > 1) {
    Hit last = hits[0];
    hits[0] = hits[--count];
    hits[count] = last;
    sift_down(hits, 0, count);
  }
}

/* A search for the first few, kept in the tree's list of hits: a heap, once it has them all. */
typedef struct Search {
  Tree *tree;
  size_t most;
  double limit;
  bool has_failed;
} Search;

static double keep_first(void *context, sat_Item item, double at) {
  Search *search = context;
  Tree *tree = search->tree;
  Hit hit = {at, item};
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
  Tree *tree = search->tree;
  check_done(L, search->has_failed ? SAT_ENOMEM : status);
  make_heap(tree->hits, tree->hit_count);
  sort_heap(tree->hits, tree->hit_count);
  size_t old_length = (size_t)lua_rawlen(L, out);
  push_from_home(L, HOME_ITEMS);
  for (size_t i = 0; i < tree->hit_count; i++) {
    lua_rawgeti(L, out + 1, (int)tree->hits[i].item + 1);
    lua_rawseti(L, out, (int)i + 1);
  }
  int length = (int)tree->hit_count;
  sat_clear_behind(L, out, length, old_length);
  lua_settop(L, out);
  lua_pushinteger(L, length);
  return finish(L, tree, 2);
}

static double keep_nearest(void *context, sat_Item item, double at) {
  Hit *nearest = context, hit = {at, item};
  if (is_behind(*nearest, hit)) *nearest = hit;
  return nearest->at;
}

/* Returns an item and where, or nil. */
static int return_hit(lua_State *L, Tree *tree, sat_Status status, Hit hit) {
  check_done(L, status);
  if (hit.item == NO_ITEM) return finish(L, tree, push_none(L));
  push_from_home(L, HOME_ITEMS);
  lua_rawgeti(L, -1, (int)hit.item + 1);
  lua_pushnumber(L, hit.at + 0.0);
  return finish(L, tree, 2);
}

static int tree_raycast(lua_State *L) {
  Tree *tree = check_self(L);
  sat_Vec2 from, to;
  check_point(L, 2, "x1", "y1", &from);
  check_point(L, 4, "x2", "y2", &to);
  Hit first = {INFINITY, NO_ITEM};
  sat_Status status = sat_quadtree_raycast(&tree->core, from, to, keep_nearest, &first);
  return return_hit(L, tree, status, first);
}

static int tree_raycast_all(lua_State *L) {
  Tree *tree = check_self(L);
  sat_Vec2 from, to;
  check_point(L, 2, "x1", "y1", &from);
  check_point(L, 4, "x2", "y2", &to);
  sat_check_out(L, 6);
  tree->hit_count = 0;
  Search search = {tree, SIZE_MAX, 1, false};
  sat_Status status = sat_quadtree_raycast(&tree->core, from, to, keep_first, &search);
  return return_hits(L, &search, status, 6);
}

static int tree_nearest(lua_State *L) {
  Tree *tree = check_self(L);
  sat_Vec2 point;
  check_point(L, 2, "x", "y", &point);
  Hit nearest = {INFINITY, NO_ITEM};
  sat_Status status = sat_quadtree_nearest(&tree->core, point, INFINITY, keep_nearest, &nearest);
  return return_hit(L, tree, status, nearest);
}

static int tree_nearest_all(lua_State *L) {
  Tree *tree = check_self(L);
  sat_Vec2 point;
  check_point(L, 2, "x", "y", &point);
  double k = sat_check_whole(L, 4, "k", 0, MOST_WANTED);
  sat_check_out(L, 5);
  tree->hit_count = 0;
  Search search = {tree, (size_t)k, INFINITY, false};
  sat_Status status = SAT_OK;
  if (k > 0) status = sat_quadtree_nearest(&tree->core, point, INFINITY, keep_first, &search);
  return return_hits(L, &search, status, 5);
}

/* ---------------------------------------------------------------- loops */

/* Pushes a cursor: an idle one, or a new one. */
static Cursor *push_cursor(lua_State *L, Tree *tree) {
  push_from_home(L, HOME_CURSORS);
  if (tree->idle_cursors > 0) {
    lua_rawgeti(L, -1, tree->idle_cursors);
    lua_pushnil(L);
    lua_rawseti(L, -3, tree->idle_cursors--);
    lua_remove(L, -2);
    return lua_touserdata(L, -1);
  }
  lua_pop(L, 1);
  Cursor *cursor = lua_newuserdata(L, sizeof *cursor);
  cursor->tree = tree;
  cursor->snapshot = NULL;
  lua_getuservalue(L, 1);
  lua_setuservalue(L, -2);
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_QUADTREE), CURSOR_METATABLE);
  lua_setmetatable(L, -2);
  return cursor;
}

/* A snapshot that no loop uses, or NULL for want of memory. */
static Snapshot *take_snapshot(Tree *tree) {
  Snapshot *snapshot = tree->idle;
  if (snapshot) {
    tree->idle = snapshot->next_idle;
    return snapshot;
  }
  snapshot = resize(tree, NULL, 0, 1, sizeof *snapshot);
  if (!snapshot) return NULL;
  memset(snapshot, 0, sizeof *snapshot);
  snapshot->pairs.allocator = snapshot->nodes.allocator = sat_holder_allocator(&tree->holder);
  snapshot->next = tree->snapshots;
  tree->snapshots = snapshot;
  return snapshot;
}

/* Ends a cursor's loop. Returns whether it had not ended before. */
static bool end_loop(Cursor *cursor) {
  Snapshot *snapshot = cursor->snapshot;
  cursor->snapshot = NULL;
  if (!snapshot || cursor->tree->holder.is_closed) return false; /* it is freed already */
  snapshot->next_idle = cursor->tree->idle;
  cursor->tree->idle = snapshot;
  return true;
}

/* Makes the cursor at index 1, whose loop has ended, idle. */
static void put_back(lua_State *L, Cursor *cursor) {
  push_from_home(L, HOME_CURSORS);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, cursor->tree->idle_cursors + 1);
  cursor->tree->idle_cursors++;
}

/* Returns what a generic for wants: the iterator, its state, no control variable yet, and since 5.4
 * what is to be closed when the loop is left. */
static int begin_loop(lua_State *L, Tree *tree, int iterator) {
  lua_settop(L, 1);
  Cursor *cursor = push_cursor(L, tree);
  Snapshot *snapshot = take_snapshot(tree);
  if (!snapshot) return sat_raise_status(L, 1, SAT_ENOMEM);
  cursor->snapshot = snapshot;
  snapshot->position = 0;
  snapshot->loop = ++tree->loops;
  snapshot->removals = tree->removals;
  snapshot->is_of_nodes = iterator == NEXT_NODE;
  check_done(L, snapshot->is_of_nodes ? sat_quadtree_nodes(&tree->core, &snapshot->nodes)
                                      : sat_quadtree_pairs(&tree->core, &snapshot->pairs));
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_QUADTREE), iterator);
  lua_pushvalue(L, 2);
  lua_pushnil(L);
  lua_pushvalue(L, 2);
  return finish(L, tree, 4);
}

static int tree_pairs(lua_State *L) { return begin_loop(L, check_self(L), NEXT_PAIR); }
static int tree_nodes(lua_State *L) { return begin_loop(L, check_self(L), NEXT_NODE); }

/* The iterators have the metatable of cursors for their only upvalue. */
static Cursor *check_cursor(lua_State *L, bool is_of_nodes) {
  Cursor *cursor = sat_to_block(L, 1, 1);
  if (!cursor || (cursor->snapshot && !cursor->tree->holder.is_closed &&
                  cursor->snapshot->is_of_nodes != is_of_nodes))
    luaL_error(L, "the iterator of '%s' needs the state that came with it",
               is_of_nodes ? "nodes" : "pairs");
  lua_settop(L, 1);
  return cursor;
}

/* Whether an item of a snapshot is in the tree no more. */
static bool is_gone(const Tree *tree, const Snapshot *snapshot, sat_Item item) {
  return !sat_quadtree_has(&tree->core, item) || tree->times[item] >= snapshot->loop;
}

static int last_step(lua_State *L, Cursor *cursor) {
  if (end_loop(cursor)) put_back(L, cursor);
  return push_none(L);
}

static int next_pair(lua_State *L) {
  Cursor *cursor = check_cursor(L, false);
  Tree *tree = cursor->tree;
  Snapshot *snapshot = tree->holder.is_closed ? NULL : cursor->snapshot;
  while (snapshot && snapshot->position < snapshot->pairs.count) {
    sat_ItemPair pair = snapshot->pairs.at[snapshot->position++];
    if (snapshot->removals != tree->removals &&
        (is_gone(tree, snapshot, pair.a) || is_gone(tree, snapshot, pair.b)))
      continue;
    lua_getuservalue(L, 1);
    lua_rawgeti(L, 2, HOME_ITEMS);
    lua_rawgeti(L, 3, (int)pair.a + 1);
    lua_rawgeti(L, 3, (int)pair.b + 1);
    return 2;
  }
  return last_step(L, cursor);
}

static int next_node(lua_State *L) {
  Cursor *cursor = check_cursor(L, true);
  Snapshot *snapshot = cursor->tree->holder.is_closed ? NULL : cursor->snapshot;
  if (!snapshot || snapshot->position == snapshot->nodes.count) return last_step(L, cursor);
  sat_Node node = snapshot->nodes.at[snapshot->position++];
  push_box(L, node.box);
  lua_pushinteger(L, (lua_Integer)node.level);
  lua_pushinteger(L, (lua_Integer)node.count);
  return 6;
}

/* Since 5.4, when a loop is left. */
static int close_cursor(lua_State *L) {
  Cursor *cursor = lua_touserdata(L, 1);
  lua_settop(L, 1);
  if (end_loop(cursor)) put_back(L, cursor);
  return 0;
}

static int collect_cursor(lua_State *L) {
  end_loop(lua_touserdata(L, 1));
  return 0;
}

/* ---------------------------------------------------------------- the tree itself */

/* A whole number among the options, which are at index 6; argument 5 is where they came from and is
 * put to use to check it there. */
static uint32_t check_option(lua_State *L, const char *name, double otherwise, double low,
                             double high) {
  lua_pushstring(L, name);
  lua_rawget(L, 6);
  lua_replace(L, 5);
  return (uint32_t)(lua_isnil(L, 5) ? otherwise : sat_check_whole(L, 5, name, low, high));
}

static void check_no_other_option(lua_State *L) {
  lua_pushnil(L);
  while (lua_next(L, 6)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      sat_raise_argument(L, 5, "options have names: capacity and depth");
    const char *name = lua_tostring(L, -1);
    if (strcmp(name, "capacity") != 0 && strcmp(name, "depth") != 0)
      sat_raise_argument(L, 5, "there is no option '%s', only capacity and depth", name);
  }
}

static double check_area_side(lua_State *L, int arg, const char *name, double from) {
  double side = sat_check_size(L, arg, name);
  if (from + side > SAT_LIMIT) sat_raise_argument(L, arg, "the area would reach beyond 1e15");
  if (from + side == from)
    sat_raise_argument(L, arg, "%s is too small beside the coordinates", name);
  return side;
}

/* Pushes an empty tree. */
static void push_tree(lua_State *L, sat_Rectangle area, uint32_t capacity, uint32_t depth) {
  Tree *tree = lua_newuserdata(L, sizeof *tree);
  memset(tree, 0, sizeof *tree);
  tree->area = area;
  tree->found.allocator = sat_holder_allocator(&tree->holder);
  check_done(L, sat_quadtree_init(&tree->core, tree->found.allocator, area, capacity, depth));
  lua_pushvalue(L, lua_upvalueindex(SAT_UP_QUADTREE));
  lua_setmetatable(L, -2);
  sat_holder_init(&tree->holder, lua_touserdata(L, lua_upvalueindex(SAT_UP_SCRATCH)), release_tree);
  lua_createtable(L, HOME_SIZE, 0);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, HOME_TREE);
  for (int i = HOME_ITEMS; i <= HOME_SIZE; i++) {
    lua_newtable(L);
    lua_rawseti(L, -2, i);
  }
  lua_setuservalue(L, -2);
}

static int new_quadtree(lua_State *L) {
  sat_Rectangle area;
  area.x = sat_check_number(L, 1, "x");
  area.y = sat_check_number(L, 2, "y");
  area.w = check_area_side(L, 3, "w", area.x);
  area.h = check_area_side(L, 4, "h", area.y);
  lua_settop(L, 5);
  if (lua_isnil(L, 5)) {
    lua_newtable(L);
    lua_replace(L, 5);
  }
  sat_check_table(L, 5, "options");
  lua_pushvalue(L, 5);
  check_no_other_option(L);
  uint32_t capacity = check_option(L, "capacity", 10, 1, MOST_CAPACITY);
  uint32_t depth = check_option(L, "depth", 8, 0, SAT_QUADTREE_DEEPEST);
  push_tree(L, area, capacity, depth);
  return 1;
}

const luaL_Reg sat_quadtree_constructors[] = {
    {"quadtree", new_quadtree},
    {NULL, NULL},
};

/* "sat.quadtree (3 items) at 0, 0, 800 by 600": with C's own %g, since Lua's differs. */
static int tree_to_string(lua_State *L) {
  const Tree *tree = check_self(L);
  int count = (int)sat_quadtree_count(&tree->core);
  const sat_Rectangle *area = &tree->area;
  char place[120];
  snprintf(place, sizeof place, "at %.14g, %.14g, %.14g by %.14g", area->x + 0.0, area->y + 0.0,
           area->w, area->h);
  lua_pushfstring(L, "sat.quadtree (%d item%s) %s", count, count == 1 ? "" : "s", place);
  return 1;
}

static int tree_no_field(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING)
    return luaL_error(L, "a quadtree has no fields, and none can be set");
  return luaL_error(L, "a quadtree has no field '%s', and none can be set", lua_tostring(L, 2));
}

static int collect_tree(lua_State *L) {
  sat_holder_close(lua_touserdata(L, 1));
  return 0;
}

const luaL_Reg sat_quadtree_methods[] = {
    {"insert", tree_insert},
    {"update", tree_update},
    {"remove", tree_remove},
    {"clear", tree_clear},
    {"build", tree_build},
    {"has", tree_has},
    {"get", tree_get},
    {"count", tree_count},
    {"retrieve", tree_retrieve},
    {"neighbors", tree_neighbors},
    {"pairs", tree_pairs},
    {"raycast", tree_raycast},
    {"raycastAll", tree_raycast_all},
    {"nearest", tree_nearest},
    {"nearestAll", tree_nearest_all},
    {"nodes", tree_nodes},
    {NULL, NULL},
};

static void set_function(lua_State *L, const char *name, lua_CFunction function) {
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, name);
}

/* Gives the table on top of the stack, which is the quadtrees' metatable, what loops need. */
static void set_loops(lua_State *L) {
  lua_createtable(L, 0, 3);
  set_function(L, "__gc", collect_cursor);
  set_function(L, "__close", close_cursor);
  lua_pushliteral(L, "sat.cursor");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, next_pair, 1);
  lua_rawseti(L, -3, NEXT_PAIR);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, next_node, 1);
  lua_rawseti(L, -3, NEXT_NODE);
  lua_rawseti(L, -2, CURSOR_METATABLE);
}

void sat_quadtree_set_metatable(lua_State *L, const sat_Common *common, int methods) {
  static const luaL_Reg metamethods[] = {
      {"__tostring", tree_to_string},
      {"__newindex", tree_no_field},
      {"__len", tree_count},
      {NULL, NULL},
  };
  lua_pushvalue(L, common->quadtree);
  sat_register(L, common, metamethods, true);
  set_function(L, "__gc", collect_tree);
  lua_pushvalue(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "sat.quadtree");
  lua_setfield(L, -2, "__metatable");
  lua_pushliteral(L, "quadtree");
  lua_rawseti(L, -2, SAT_TYPE_NAME);
  set_loops(L);
  lua_pop(L, 1);
}
