/* fuzz_quadtree.c: any bytes as changes and queries of a quadtree, whose answers must be those of a
 * plain list, while some allocations fail.
 *
 * Boxes have small whole numbers, so that many touch, or any place and size, or a mix of both.
 * `make fuzz` builds this file with libFuzzer. */
#include "base/predicates.h"
#include "quadtree/store.h"

#include <stdio.h>
#include <stdlib.h>

/* Inputs stay small, so that each takes about a millisecond at most. */
enum { MOST_ITEMS = 160, MOST_STEPS = 400, MOST_BUILT = 64 };

/* ---------------------------------------------------------------- bytes */

typedef struct Input {
  const uint8_t *bytes;
  size_t left;
  unsigned kind; /* the kind of numbers */
} Input;

/* Returns the next byte, or 0 after the last one. */
static unsigned next_byte(Input *input) {
  if (input->left == 0) return 0;
  input->left--;
  return *input->bytes++;
}

static double next_number(Input *input) {
  unsigned byte = next_byte(input);
  switch (input->kind == 3 ? byte % 3 : input->kind) {
  case 0: return (double)(byte / 3 % 17) - 8;
  case 1: return ldexp((double)byte - 128, (int)(next_byte(input) % 51) - 10);
  default: return ((double)byte - 128) * 256 + next_byte(input) + 0.1 * next_byte(input);
  }
}

static sat_Rectangle next_box(Input *input) {
  sat_Rectangle box;
  box.x = next_number(input);
  box.y = next_number(input);
  unsigned size = next_byte(input);
  box.w = size % 4 == 0 ? 0 : fabs(next_number(input)) / (size % 4 == 1 ? 64 : 1);
  box.h = size / 4 % 4 == 0 ? 0 : fabs(next_number(input)) / (size % 4 == 1 ? 64 : 1);
  return box;
}

static sat_Vec2 next_point(Input *input) {
  double x = next_number(input);
  return vec2(x, next_number(input));
}

/* ---------------------------------------------------------------- a tree and a list */

typedef struct Twin {
  sat_Quadtree tree;
  sat_Items items;
  sat_ItemPairs pairs;
  sat_Nodes nodes;
  int until_fails; /* allocations that still succeed; below 0 all do */
  size_t bytes;
  uint32_t count, end;
  bool held[MOST_ITEMS], fixed[MOST_ITEMS];
  sat_Rectangle boxes[MOST_ITEMS];
} Twin;

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  Twin *twin = context;
  if (size && twin->until_fails == 0) return NULL;
  if (size && twin->until_fails > 0) twin->until_fails--;
  twin->bytes += size - old_size;
  if (size) return realloc(block, size);
  free(block);
  return NULL;
}

static _Noreturn void fail(const char *condition, int line) {
  fprintf(stderr, "line %d: %s\n", line, condition);
  abort();
}

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) fail(#condition, __LINE__);                                                  \
  } while (0)

static void open_twin(Twin *twin) {
  sat_Allocator allocator = {allocate, twin};
  twin->until_fails = -1;
  twin->items.allocator = twin->pairs.allocator = twin->nodes.allocator = allocator;
  sat_Rectangle area = {0, 0, 100, 100};
  CHECK(sat_quadtree_init(&twin->tree, allocator, area, 10, 8) == SAT_OK);
}

static void close_twin(Twin *twin) {
  sat_quadtree_free(&twin->tree);
  SAT_LIST_FREE(&twin->items);
  SAT_LIST_FREE(&twin->pairs);
  SAT_LIST_FREE(&twin->nodes);
  CHECK(twin->bytes == 0);
}

static void check_list(const Twin *twin) {
  CHECK(sat_quadtree_count(&twin->tree) == twin->count);
  for (sat_Item item = 0; item < MOST_ITEMS; item++) {
    CHECK(sat_quadtree_has(&twin->tree, item) == twin->held[item]);
    if (!twin->held[item]) continue;
    sat_Rectangle box = sat_quadtree_box(&twin->tree, item);
    CHECK(memcmp(&box, &twin->boxes[item], sizeof box) == 0);
    CHECK(sat_quadtree_is_static(&twin->tree, item) == twin->fixed[item]);
  }
}

/* Whether a call has succeeded, which only a lack of memory may prevent. */
static bool is_done(Twin *twin, sat_Status status) {
  bool failing = twin->until_fails >= 0;
  twin->until_fails = -1;
  CHECK(status == SAT_OK || (status == SAT_ENOMEM && failing));
  return status == SAT_OK;
}

/* ---------------------------------------------------------------- changes */

/* The first item from a number on that is in the tree, or SAT_NULL_INDEX if there is none. */
static sat_Item any_item(const Twin *twin, unsigned from) {
  for (uint32_t i = 0; i < twin->end; i++)
    if (twin->held[(from + i) % twin->end]) return (from + i) % twin->end;
  return SAT_NULL_INDEX;
}

static void enter(Twin *twin, sat_Item item, sat_Rectangle box) {
  CHECK(item < MOST_ITEMS && item <= twin->end && !twin->held[item]);
  twin->held[item] = true;
  twin->fixed[item] = false;
  twin->boxes[item] = box;
  twin->count++;
  if (item == twin->end) twin->end++;
}

static void build(Twin *twin, Input *input) {
  size_t count = next_byte(input) % MOST_BUILT;
  if (twin->count + count > MOST_ITEMS) count = MOST_ITEMS - twin->count;
  sat_Rectangle boxes[MOST_BUILT];
  sat_Item items[MOST_BUILT];
  for (size_t i = 0; i < count; i++) boxes[i] = next_box(input);
  if (!is_done(twin, sat_quadtree_build(&twin->tree, boxes, count, items))) return;
  for (size_t i = 0; i < count; i++) enter(twin, items[i], boxes[i]);
}

static void insert(Twin *twin, Input *input) {
  sat_Rectangle box = next_box(input);
  sat_Item item;
  if (twin->count < MOST_ITEMS && is_done(twin, sat_quadtree_insert(&twin->tree, box, &item)))
    enter(twin, item, box);
}

static void update(Twin *twin, Input *input) {
  sat_Item item = any_item(twin, next_byte(input));
  sat_Rectangle box = next_box(input);
  if (item == SAT_NULL_INDEX || !is_done(twin, sat_quadtree_update(&twin->tree, item, box))) return;
  twin->boxes[item] = box;
}

static void take_out(Twin *twin, sat_Item item) {
  if (item == SAT_NULL_INDEX) return;
  sat_quadtree_remove(&twin->tree, item);
  twin->held[item] = false;
  twin->count--;
}

static void fix(Twin *twin, Input *input) {
  sat_Item item = any_item(twin, next_byte(input));
  if (item == SAT_NULL_INDEX) return;
  twin->fixed[item] = next_byte(input) % 2;
  sat_quadtree_set_static(&twin->tree, item, twin->fixed[item]);
}

static void clear(Twin *twin) {
  sat_quadtree_clear(&twin->tree);
  for (sat_Item item = 0; item < MOST_ITEMS; item++) twin->held[item] = false;
  twin->count = twin->end = 0;
}

/* The tree refuses invalid boxes. */
static void try_nonsense(Twin *twin, Input *input) {
  sat_Rectangle box = next_box(input);
  double bad[] = {NAN, INFINITY, -INFINITY, 2e15, -2e15};
  unsigned byte = next_byte(input);
  sat_Status expected = byte % 2 ? SAT_ERANGE : SAT_EVALUE;
  double number = byte % 2 ? bad[byte / 8 % 5] : -1e-300;
  double *fields[] = {&box.w, &box.h, &box.x, &box.y};
  *fields[byte / 2 % (byte % 2 ? 4 : 2)] = number;
  sat_Item item = any_item(twin, 0);
  CHECK(sat_quadtree_insert(&twin->tree, box, &item) == expected);
  if (twin->count) CHECK(sat_quadtree_update(&twin->tree, item, box) == expected);
  CHECK(sat_quadtree_query(&twin->tree, box, &twin->items) == expected);
}

/* ---------------------------------------------------------------- questions */

static void ask_query(Twin *twin, Input *input) {
  sat_Rectangle box = next_box(input);
  if (!is_done(twin, sat_quadtree_query(&twin->tree, box, &twin->items))) return;
  size_t found = 0;
  for (sat_Item item = 0; item < twin->end; item++)
    if (twin->held[item] && sat_rectangles_overlap(&twin->boxes[item], &box)) {
      CHECK(found < twin->items.count && twin->items.at[found] == item);
      found++;
    }
  CHECK(found == twin->items.count);
}

static bool are_pair(const Twin *twin, sat_Item a, sat_Item b) {
  return a < b && b < twin->end && twin->held[a] && twin->held[b] &&
         !(twin->fixed[a] && twin->fixed[b]) &&
         sat_rectangles_overlap(&twin->boxes[a], &twin->boxes[b]);
}

static void ask_pairs(Twin *twin) {
  static bool seen[MOST_ITEMS][MOST_ITEMS];
  if (!is_done(twin, sat_quadtree_pairs(&twin->tree, &twin->pairs))) return;
  size_t expected = 0;
  for (sat_Item a = 0; a < twin->end; a++)
    for (sat_Item b = 0; b < twin->end; b++) {
      seen[a][b] = false;
      expected += are_pair(twin, a, b);
    }
  CHECK(twin->pairs.count == expected);
  for (size_t i = 0; i < twin->pairs.count; i++) {
    sat_ItemPair pair = twin->pairs.at[i];
    CHECK(are_pair(twin, pair.a, pair.b) && !seen[pair.a][pair.b]);
    seen[pair.a][pair.b] = true;
  }
}

typedef struct Seen {
  bool items[MOST_ITEMS];
  double limit;
  bool lowers; /* lowers the limit to the distance of each item that it sees */
} Seen;

static double see(void *context, sat_Item item, double distance) {
  Seen *seen = context;
  CHECK(item < MOST_ITEMS && !seen->items[item]);
  CHECK(distance >= 0 && distance <= seen->limit);
  seen->items[item] = true;
  if (seen->lowers) seen->limit = distance;
  return seen->limit;
}

/* Checks the items seen against the distances, which are below 0 for items that a query must not
 * find. */
static void check_seen(const Twin *twin, const Seen *seen, double limit, const double *distances) {
  for (sat_Item item = 0; item < twin->end; item++) {
    bool there = twin->held[item] && distances[item] >= 0 && distances[item] <= limit;
    if (seen->items[item]) CHECK(there);
    else CHECK(!there || (seen->lowers && distances[item] >= seen->limit));
  }
}

static void ask_nearest(Twin *twin, Input *input) {
  sat_Vec2 p = next_point(input);
  unsigned choice = next_byte(input);
  double limit = choice % 4 ? HUGE_VAL : fabs(next_number(input)), distances[MOST_ITEMS];
  Seen seen = {{false}, limit, choice / 4 % 2};
  if (!is_done(twin, sat_quadtree_nearest(&twin->tree, p, limit, see, &seen))) return;
  for (sat_Item item = 0; item < twin->end; item++) {
    const sat_Rectangle *box = &twin->boxes[item];
    double dx = max2(max2(box->x - p.x, p.x - (box->x + box->w)), 0);
    double dy = max2(max2(box->y - p.y, p.y - (box->y + box->h)), 0);
    distances[item] = dx == 0 || dy == 0 ? dx + dy : sqrt(dx * dx + dy * dy);
  }
  check_seen(twin, &seen, limit, distances);
}

/* The fraction at which a segment enters a box, or -1 if all corners are on one side of its line
 * or the bounding boxes are apart. */
static double entry_fraction(sat_Vec2 from, sat_Vec2 to, const sat_Rectangle *box) {
  double right = box->x + box->w, bottom = box->y + box->h, t = 0;
  if (min2(from.x, to.x) > right || max2(from.x, to.x) < box->x) return -1;
  if (min2(from.y, to.y) > bottom || max2(from.y, to.y) < box->y) return -1;
  sat_Vec2 corners[] = {{box->x, box->y}, {right, box->y}, {box->x, bottom}, {right, bottom}};
  int left_of = 0, right_of = 0;
  for (int i = 0; i < 4; i++) {
    int side = sat_orientation(from, to, corners[i]);
    left_of += side > 0;
    right_of += side < 0;
  }
  if (left_of == 4 || right_of == 4) return -1;
  sat_Vec2 way = sub(to, from);
  if (way.x > 0) t = max2(t, (box->x - from.x) / way.x);
  if (way.x < 0) t = max2(t, (right - from.x) / way.x);
  if (way.y > 0) t = max2(t, (box->y - from.y) / way.y);
  if (way.y < 0) t = max2(t, (bottom - from.y) / way.y);
  return min2(t, 1);
}

static void ask_raycast(Twin *twin, Input *input) {
  sat_Vec2 from = next_point(input), to = next_point(input);
  double distances[MOST_ITEMS];
  Seen seen = {{false}, 1, next_byte(input) % 2};
  if (!is_done(twin, sat_quadtree_raycast(&twin->tree, from, to, see, &seen))) return;
  for (sat_Item item = 0; item < twin->end; item++)
    distances[item] = entry_fraction(from, to, &twin->boxes[item]);
  check_seen(twin, &seen, 1, distances);
}

static void ask_nodes(Twin *twin) {
  if (!is_done(twin, sat_quadtree_nodes(&twin->tree, &twin->nodes))) return;
  uint32_t count = 0;
  for (size_t i = 0; i < twin->nodes.count; i++) count += twin->nodes.at[i].count;
  CHECK(count == twin->count);
}

/* ---------------------------------------------------------------- steps */

static void step(Twin *twin, Input *input) {
  unsigned choice = next_byte(input);
  if (choice >= 224) twin->until_fails = (int)(choice % 8);
  switch (choice % 16) {
  case 0:
  case 1: insert(twin, input); break;
  case 2: build(twin, input); break;
  case 3:
  case 4:
  case 5: update(twin, input); break;
  case 6: take_out(twin, any_item(twin, next_byte(input))); break;
  case 7: fix(twin, input); break;
  case 8:
    if (next_byte(input) % 8 == 0) clear(twin);
    else
      for (sat_Item item = 0; item < twin->end; item += 2) take_out(twin, any_item(twin, item));
    break;
  case 9: try_nonsense(twin, input); break;
  case 10:
  case 11: ask_query(twin, input); break;
  case 12: ask_pairs(twin); break;
  case 13: ask_nearest(twin, input); break;
  case 14: ask_raycast(twin, input); break;
  default: ask_nodes(twin); break;
  }
  twin->until_fails = -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Input input = {bytes, size, 0};
  static Twin twin;
  memset(&twin, 0, sizeof twin);
  open_twin(&twin);
  input.kind = next_byte(&input) % 4;
  for (int steps = 0; input.left > 0 && steps < MOST_STEPS; steps++) step(&twin, &input);
  check_list(&twin);
  ask_pairs(&twin);
  close_twin(&twin);
  return 0;
}
