/* test_quadtree.c: the quadtree gives the answers of a plain list of boxes, through all changes and
 * queries. */
#include "base/predicates.h"
#include "quadtree/store.h"
#include "test/memory.h"
#include "test/random.h"
#include "test/suite.h"

#include <string.h>

/* ---------------------------------------------------------------- a tree and a list */

enum { MOST = 1200 };

typedef struct Twin {
  Memory memory;
  sat_Quadtree tree;
  sat_Items items;
  sat_ItemPairs pairs, expected_pairs;
  sat_Nodes nodes;
  sat_Neighbors neighbors;
  /* the plain list, by item */
  bool held[MOST], fixed[MOST];
  sat_Rectangle boxes[MOST];
  uint32_t count, end;
} Twin;

static Twin twin;
static Random random_state;
static uint64_t seed;

#define CHECK(condition) CHECK_SEED(seed, condition)

static sat_Allocator watched(void) { return (sat_Allocator){watched_allocate, &twin.memory}; }

static const sat_Rectangle AREA = {0, 0, 1000, 1000};

static void make_twin(uint64_t new_seed) {
  seed = new_seed;
  random_state.state = seed;
  memset(&twin, 0, sizeof twin);
  twin.memory.until_fails = -1;
  twin.items.allocator = twin.pairs.allocator = watched();
  twin.expected_pairs.allocator = twin.nodes.allocator = watched();
  twin.neighbors.allocator = watched();
  CHECK(sat_quadtree_init(&twin.tree, watched(), AREA, SAT_QUADTREE_FASTEST,
                          SAT_QUADTREE_FASTEST) == SAT_OK);
}

/* Replaces the tree by an empty one with other options. */
static void give_options(uint32_t capacity, uint32_t depth) {
  sat_quadtree_free(&twin.tree);
  CHECK(sat_quadtree_init(&twin.tree, watched(), AREA, capacity, depth) == SAT_OK);
}

static void free_twin(void) {
  sat_quadtree_free(&twin.tree);
  SAT_LIST_FREE(&twin.items);
  SAT_LIST_FREE(&twin.pairs);
  SAT_LIST_FREE(&twin.expected_pairs);
  SAT_LIST_FREE(&twin.nodes);
  SAT_LIST_FREE(&twin.neighbors);
  CHECK(twin.memory.bytes == 0);
}

static double real(double low, double high) { return random_real(&random_state, low, high); }
static int64_t whole(int64_t low, int64_t high) { return random_integer(&random_state, low, high); }
static bool one_in(int64_t n) { return whole(1, n) == 1; }

/* ---------------------------------------------------------------- invariants */

static bool float_box_contains(const float *outer, const sat_Rectangle *box) {
  return (double)outer[0] <= box->x && (double)outer[1] <= box->y &&
         -(double)outer[2] >= box->x + box->w && -(double)outer[3] >= box->y + box->h;
}

static bool bounds_contain(const float *bounds, const sat_Rectangle *box) {
  const float outer[4] = {-bounds[2], -bounds[3], -bounds[0], -bounds[1]};
  return float_box_contains(outer, box);
}

/* Checks that an item that is not dirty is in the cell of its box, and within the bounds. */
static void check_item(const sat_Quadtree *tree, sat_Item item) {
  uint32_t slot = tree->entry_of_item[item];
  bool noted = tree->rebuild || (tree->item_flags[item] & SAT_ITEM_DIRTY);
  CHECK(slot != SAT_NO_ENTRY || noted);
  if (slot == SAT_NO_ENTRY) return;
  CHECK(slot < tree->entry_end);
  CHECK(tree->entries[slot].id == sat_tree_id(tree, item));
  if (noted) return;
  const sat_Rectangle *box = &tree->boxes[item];
  CHECK(float_box_contains(tree->entries[slot].float_box, box));
  const sat_Level *level = &tree->levels[0];
  while (tree->entries[slot].cell > level->first + level->mask || !level->mask) level++;
  double cell = 1 / level->inverse;
  CHECK(box->x + box->w - box->x < cell && box->y + box->h - box->y < cell);
  CHECK(sat_cell_of(tree, level, box) == tree->entries[slot].cell);
  CHECK(bounds_contain(sat_level_bounds(tree, level), box) && bounds_contain(tree->bounds, box));
}

static void check_items(const sat_Quadtree *tree) {
  uint32_t count = 0, noted = 0, free_numbers = 0;
  for (sat_Item item = 0; item < tree->item_end; item++) {
    noted += (tree->item_flags[item] & SAT_ITEM_DIRTY) != 0;
    if (!sat_tree_holds(tree, item)) continue;
    count++;
    check_item(tree, item);
  }
  for (uint32_t link = tree->free_item; link != SAT_FREE_END;
       link = tree->entry_of_item[link - SAT_FREE]) {
    CHECK(!sat_tree_holds(tree, link - SAT_FREE));
    CHECK(free_numbers++ < tree->item_end);
  }
  CHECK(count == tree->count);
  CHECK(count + free_numbers == tree->item_end);
  CHECK(noted == tree->dirty_count);
  for (uint32_t i = 0; i < tree->dirty_count; i++)
    CHECK(tree->item_flags[tree->dirty[i]] & SAT_ITEM_DIRTY);
}

static bool is_empty_box(const float *outer) {
  return outer[0] == HUGE_VALF && outer[1] == HUGE_VALF && outer[2] == HUGE_VALF &&
         outer[3] == HUGE_VALF;
}

static void check_entries(const sat_Quadtree *tree) {
  uint32_t holes = 0;
  for (uint32_t slot = 0; slot < tree->entry_end; slot++) {
    uint32_t id = tree->entries[slot].id;
    bool is_free = is_empty_box(tree->entries[slot].float_box);
    if (!is_free) CHECK(tree->entry_of_item[id & ~SAT_STATIC_BIT] == slot);
    if (slot >= tree->sorted_end) CHECK(is_free == (id == SAT_NULL_INDEX));
    if (slot >= tree->sorted_end) continue;
    holes += is_free;
    uint32_t cell = tree->entries[slot].cell;
    CHECK(cell < tree->cell_end && tree->starts[cell] <= slot && slot < tree->starts[cell + 1]);
  }
  CHECK(holes == tree->holes);
  for (uint32_t cell = 0; tree->listed && cell < tree->cell_end; cell++)
    for (uint32_t slot = tree->heads[cell]; slot < tree->sorted_end;
         slot = tree->entries[slot].id) {
      CHECK(slot < tree->sorted_end && tree->entries[slot].cell == cell && holes > 0);
      CHECK(is_empty_box(tree->entries[slot].float_box));
      holes--;
    }
  CHECK(holes == 0);
}

static void check_overflow(const sat_Quadtree *tree) {
  if (tree->entry_end == tree->sorted_end) {
    CHECK(tree->overflow == 0);
    return;
  }
  uint32_t chained = 0, unused = 0;
  for (uint32_t cell = 0; cell < tree->cell_end; cell++)
    for (uint32_t slot = tree->heads[cell], before = SAT_NULL_INDEX; sat_is_overflow(tree, slot);
         before = slot, slot = tree->next[slot - tree->sorted_end]) {
      CHECK(slot >= tree->sorted_end && slot < tree->entry_end);
      CHECK(tree->previous[slot - tree->sorted_end] == before);
      CHECK(tree->entries[slot].cell == cell && tree->entries[slot].id != SAT_NULL_INDEX);
      CHECK(chained++ < tree->entry_end);
    }
  for (uint32_t slot = tree->free_entry; slot != SAT_NULL_INDEX;
       slot = tree->next[slot - tree->sorted_end]) {
    CHECK(tree->entries[slot].id == SAT_NULL_INDEX);
    CHECK(unused++ < tree->entry_end);
  }
  CHECK(chained == tree->overflow);
  CHECK(chained + unused == tree->entry_end - tree->sorted_end);
}

static void check_levels(const sat_Quadtree *tree) {
  uint32_t first = 0;
  for (uint32_t i = 0; i < SAT_LEVELS; i++) {
    const sat_Level *level = &tree->levels[i];
    CHECK((tree->used_levels >> i & 1) == (level->mask != 0));
    if (!level->mask) continue;
    CHECK(level->first == first);
    CHECK((level->mask & (level->mask + 1)) == 0);
    CHECK(level->stride >= 3 && 2 * level->stride + 3 <= level->mask + 1);
    first += level->mask + 1;
  }
  CHECK(first == tree->cell_end);
}

static void check_list(void) {
  CHECK(sat_quadtree_count(&twin.tree) == twin.count);
  for (sat_Item item = 0; item < MOST; item++) {
    CHECK(sat_quadtree_has(&twin.tree, item) == twin.held[item]);
    if (!twin.held[item]) continue;
    sat_Rectangle box = sat_quadtree_box(&twin.tree, item);
    CHECK(memcmp(&box, &twin.boxes[item], sizeof box) == 0);
    CHECK(sat_quadtree_is_static(&twin.tree, item) == twin.fixed[item]);
  }
}

static void check_tree(void) {
  check_levels(&twin.tree);
  check_items(&twin.tree);
  check_entries(&twin.tree);
  check_overflow(&twin.tree);
  check_list();
}

/* ---------------------------------------------------------------- random boxes */

typedef enum Scene {
  UNIFORM,
  CLUSTERED,
  MANY_SIZES, /* from 0.03 to 630 */
  ONE_SPOT,
  ONE_LINE,
  NO_SIZE,
  FAR_AWAY, /* some at 1e7 and -1e7 */
  LARGER_THAN_THE_AREA,
  WHOLE_NUMBERS, /* many of these only touch */
  LATTICE,       /* at multiples of 64 */
  NEEDLES,       /* level needles, in few cells of one row */
  FAR_CLUSTERS,  /* in one cell each */
  LONG_ROW,      /* tiles side by side, or one above the other */
  LONG_LEVEL,    /* tiles in many columns and few rows */
  EXTREME,       /* as large, small and far as numbers may be */
  EVERYTHING,    /* each box is of any of these kinds */
  SCENES
} Scene;

static double power(double lowest, double highest) { return exp2(real(lowest, highest)); }

static sat_Rectangle extreme_box(void) {
  static const double numbers[] = {0,    1e-300, -1e-300, 5e-324, 1e-30, -1e-5, 1,
                                   1e15, -1e15,  1e7,     -1e7,   1e14,  0.1,   -0.0};
  sat_Rectangle box = {0, 0, 0, 0};
  box.x = numbers[whole(0, COUNT_OF(numbers) - 1)];
  box.y = numbers[whole(0, COUNT_OF(numbers) - 1)];
  box.w = fabs(numbers[whole(0, COUNT_OF(numbers) - 1)]);
  box.h = fabs(numbers[whole(0, COUNT_OF(numbers) - 1)]);
  return box;
}

static sat_Rectangle random_box(Scene scene) {
  if (scene == EVERYTHING) scene = (Scene)whole(0, EVERYTHING - 1);
  sat_Rectangle box = {real(0, 1000), real(0, 1000), real(20, 40), real(20, 40)};
  double size = power(-4, 9.3);
  switch (scene) {
  case CLUSTERED:
    return (sat_Rectangle){(double)(100 * whole(1, 5)) + real(-1, 1),
                           (double)(100 * whole(1, 2)) + real(-1, 1), real(0, .1), real(0, .1)};
  case MANY_SIZES: return (sat_Rectangle){box.x, box.y, size * real(.5, 1), size * real(.5, 1)};
  case ONE_SPOT: return (sat_Rectangle){500, 300, 10, 10};
  case ONE_LINE: return (sat_Rectangle){real(-1e4, 1e4), 77, real(0, 20), 0};
  case NO_SIZE: return (sat_Rectangle){(double)whole(0, 30) / 8, (double)whole(0, 30) / 8, 0, 0};
  case FAR_AWAY:
    if (one_in(4)) box.x += (double)whole(-1, 1) * 1e7, box.y += (double)whole(-1, 1) * 1e7;
    return box;
  case LARGER_THAN_THE_AREA:
    return (sat_Rectangle){real(-9000, 9000), real(-9000, 9000), real(500, 9000), real(500, 9000)};
  case WHOLE_NUMBERS:
    return (sat_Rectangle){(double)whole(-20, 20), (double)whole(-20, 20), (double)whole(0, 4),
                           (double)whole(0, 4)};
  case LATTICE:
    return (sat_Rectangle){(double)(64 * whole(-9, 9)), (double)(64 * whole(-9, 9)),
                           (double)(16 * whole(0, 4)), (double)(16 * whole(0, 4))};
  case NEEDLES: return (sat_Rectangle){real(0, 1e6), box.y, 1e5, 0.25};
  case FAR_CLUSTERS:
    return (sat_Rectangle){(double)whole(-1, 2) * 2e14 + box.x, (double)whole(0, 99), 0.5, 0.5};
  case LONG_ROW:
    if (one_in(60)) return (sat_Rectangle){-5e4, (double)whole(0, 2000), 1, 1};
    return (sat_Rectangle){(double)whole(-1000, 1000), 7, 1, one_in(20) ? 9 : 1};
  case LONG_LEVEL:
    return (sat_Rectangle){(double)whole(0, 2000), (double)whole(0, one_in(9) ? 300 : 12), 1, 1};
  case EXTREME: return extreme_box();
  default: return box;
  }
}

/* ---------------------------------------------------------------- changes */

/* With `failing`, allocations fail from one of the first on, and a call that fails must change
 * nothing. */
static bool failing;

static void maybe_fail(void) { twin.memory.until_fails = failing ? (int)whole(0, 6) : -1; }

static bool is_done(sat_Status status) {
  twin.memory.until_fails = -1;
  CHECK(status == SAT_OK || (failing && status == SAT_ENOMEM));
  return status == SAT_OK;
}

static void enter(sat_Item item, sat_Rectangle box) {
  CHECK(item < MOST && !twin.held[item]);
  twin.held[item] = true;
  twin.fixed[item] = false;
  twin.boxes[item] = box;
  twin.count++;
  if (item >= twin.end) twin.end = item + 1;
}

static void insert(sat_Rectangle box) {
  sat_Item item = SAT_NULL_INDEX;
  maybe_fail();
  if (!is_done(sat_quadtree_insert(&twin.tree, box, &item))) return;
  CHECK(item <= twin.end);
  enter(item, box);
}

static void update(sat_Item item, sat_Rectangle box) {
  maybe_fail();
  if (is_done(sat_quadtree_update(&twin.tree, item, box))) twin.boxes[item] = box;
}

static void take_out(sat_Item item) {
  twin.memory.until_fails = 0;
  sat_quadtree_remove(&twin.tree, item);
  twin.memory.until_fails = -1;
  twin.held[item] = twin.fixed[item] = false;
  twin.count--;
}

static void build(Scene scene, size_t count) {
  sat_Rectangle boxes[100];
  sat_Item items[100];
  for (size_t i = 0; i < count; i++) boxes[i] = random_box(scene);
  maybe_fail();
  if (!is_done(sat_quadtree_build(&twin.tree, boxes, count, items))) return;
  for (size_t i = 0; i < count; i++) enter(items[i], boxes[i]);
}

static void clear(void) {
  sat_quadtree_clear(&twin.tree);
  CHECK(sat_quadtree_bytes(&twin.tree) == 0);
  memset(twin.held, 0, sizeof twin.held);
  twin.count = twin.end = 0;
}

static sat_Item any_item(void) {
  sat_Item item;
  do item = (sat_Item)whole(0, twin.end - 1);
  while (!twin.held[item]);
  return item;
}

static void nudge(sat_Item item) {
  sat_Rectangle box = twin.boxes[item];
  double step = box.w / 50 + 0.01;
  box.x = clamp(box.x + real(-step, step), -SAT_LIMIT, SAT_LIMIT);
  box.y = clamp(box.y + real(-step, step), -SAT_LIMIT, SAT_LIMIT);
  update(item, box);
}

/* ---------------------------------------------------------------- queries */

static void ask_query(sat_Rectangle box) {
  maybe_fail();
  if (!is_done(sat_quadtree_query(&twin.tree, box, &twin.items))) {
    CHECK(twin.items.count == 0);
    return;
  }
  size_t found = 0;
  for (sat_Item item = 0; item < twin.end; item++) {
    if (!twin.held[item] || !sat_rectangles_overlap(&twin.boxes[item], &box)) continue;
    CHECK(found < twin.items.count && twin.items.at[found] == item);
    found++;
  }
  CHECK(found == twin.items.count);
}

static int compare_pairs(const void *left, const void *right) {
  const sat_ItemPair *p = left, *q = right;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return p->b < q->b ? -1 : p->b > q->b;
}

static void expect_pairs(void) {
  twin.expected_pairs.count = 0;
  for (sat_Item a = 0; a < twin.end; a++)
    for (sat_Item b = a + 1; b < twin.end && twin.held[a]; b++) {
      if (!twin.held[b] || (twin.fixed[a] && twin.fixed[b])) continue;
      if (!sat_rectangles_overlap(&twin.boxes[a], &twin.boxes[b])) continue;
      CHECK(SAT_LIST_RESERVE(&twin.expected_pairs, 1) == SAT_OK);
      twin.expected_pairs.at[twin.expected_pairs.count++] = (sat_ItemPair){a, b};
    }
}

static void ask_pairs(void) {
  maybe_fail();
  if (!is_done(sat_quadtree_pairs(&twin.tree, &twin.pairs))) {
    CHECK(twin.pairs.count == 0);
    return;
  }
  expect_pairs();
  CHECK(twin.pairs.count == twin.expected_pairs.count);
  if (twin.pairs.count == 0) return;
  qsort(twin.pairs.at, twin.pairs.count, sizeof *twin.pairs.at, compare_pairs);
  CHECK(memcmp(twin.pairs.at, twin.expected_pairs.at, twin.pairs.count * sizeof *twin.pairs.at) ==
        0);
}

/* The items that a search has visited. */
typedef struct Seen {
  uint32_t times[MOST];
  double distance[MOST], limit;
  uint32_t left; /* visits until it ends the search */
  bool lowers;   /* each visit lowers the limit to its distance */
} Seen;

static double see(void *context, sat_Item item, double distance) {
  Seen *seen = context;
  CHECK(item < MOST && twin.held[item] && distance <= seen->limit && seen->left > 0);
  seen->times[item]++;
  seen->distance[item] = distance;
  if (seen->lowers) seen->limit = distance;
  return --seen->left ? seen->limit : -1;
}

/* Checks the visits of a search. An item with a negative distance must not be found. */
static void check_seen(const Seen *seen, double limit, const double *distances) {
  double least = HUGE_VAL;
  for (sat_Item item = 0; item < twin.end; item++)
    if (twin.held[item] && distances[item] >= 0) least = min2(least, distances[item]);
  for (sat_Item item = 0; item < twin.end; item++) {
    bool there = twin.held[item] && distances[item] >= 0 && distances[item] <= limit;
    CHECK(seen->times[item] <= there);
    if (seen->times[item]) CHECK(seen->distance[item] == distances[item]);
    else CHECK(!there || seen->left == 0 || (seen->lowers && distances[item] >= least));
  }
  if (seen->lowers && seen->left && least <= limit) CHECK(seen->limit == least);
}

/* Checks that the list has the first items in the order of their distances and then of their
 * ids. */
static void check_neighbors(sat_Status status, size_t wanted, const double *distances) {
  size_t expected = 0, before = 0;
  const sat_Neighbors *found = &twin.neighbors;
  if (!is_done(status)) {
    CHECK(found->count == 0);
    return;
  }
  for (sat_Item item = 0; item < twin.end; item++)
    expected += twin.held[item] && distances[item] >= 0;
  CHECK(found->count == (wanted < expected ? wanted : expected));
  for (size_t i = 0; i < found->count; i++) {
    const sat_Neighbor *one = &found->at[i];
    CHECK(twin.held[one->item] && one->distance == distances[one->item]);
    if (i > 0)
      CHECK(one[-1].distance < one->distance ||
            (one[-1].distance == one->distance && one[-1].item < one->item));
  }
  if (found->count == 0) return;
  const sat_Neighbor *last = &found->at[found->count - 1];
  for (sat_Item item = 0; item < twin.end; item++)
    before += twin.held[item] && distances[item] >= 0 &&
              (distances[item] < last->distance ||
               (item <= last->item && distances[item] == last->distance));
  CHECK(before == found->count);
}

static Seen random_search(double limit) {
  Seen seen;
  memset(&seen, 0, sizeof seen);
  seen.limit = limit;
  seen.left = one_in(4) ? (uint32_t)whole(1, 5) : MOST + 1;
  seen.lowers = one_in(2);
  return seen;
}

static double distance_to(sat_Vec2 p, const sat_Rectangle *box) {
  double dx = max2(max2(box->x - p.x, p.x - (box->x + box->w)), 0);
  double dy = max2(max2(box->y - p.y, p.y - (box->y + box->h)), 0);
  return dx == 0 || dy == 0 ? dx + dy : sqrt(dx * dx + dy * dy);
}

static void ask_nearest(sat_Vec2 point, double limit) {
  Seen seen = random_search(limit);
  double distances[MOST];
  maybe_fail();
  if (!is_done(sat_quadtree_nearest(&twin.tree, point, limit, see, &seen))) return;
  for (sat_Item item = 0; item < twin.end; item++)
    distances[item] = distance_to(point, &twin.boxes[item]);
  check_seen(&seen, limit, distances);
  size_t wanted = (size_t)whole(0, one_in(2) ? 5 : MOST);
  maybe_fail();
  for (sat_Item item = 0; item < twin.end; item++)
    if (distances[item] > limit) distances[item] = -1;
  check_neighbors(sat_quadtree_nearest_all(&twin.tree, point, wanted, limit, &twin.neighbors),
                  wanted, distances);
}

static bool segments_meet(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c, sat_Vec2 d) {
  if (min2(a.x, b.x) > max2(c.x, d.x) || min2(c.x, d.x) > max2(a.x, b.x)) return false;
  if (min2(a.y, b.y) > max2(c.y, d.y) || min2(c.y, d.y) > max2(a.y, b.y)) return false;
  return sat_orientation(a, b, c) * sat_orientation(a, b, d) <= 0 &&
         sat_orientation(c, d, a) * sat_orientation(c, d, b) <= 0;
}

/* A segment meets a box if it starts inside or meets a side. */
static bool segment_meets_box(sat_Vec2 a, sat_Vec2 b, const sat_Rectangle *box) {
  double right = box->x + box->w, bottom = box->y + box->h;
  sat_Vec2 corners[] = {vec2(box->x, box->y), vec2(right, box->y), vec2(right, bottom),
                        vec2(box->x, bottom)};
  if (a.x >= box->x && a.x <= right && a.y >= box->y && a.y <= bottom) return true;
  for (int i = 0; i < 4; i++)
    if (segments_meet(a, b, corners[i], corners[(i + 1) % 4])) return true;
  return false;
}

/* The fraction of the segment at which it enters the box: the greatest at which it passes a side
 * that faces it. -1: it misses the box. */
static double entry_fraction(sat_Vec2 from, sat_Vec2 to, const sat_Rectangle *box) {
  if (!segment_meets_box(from, to, box)) return -1;
  sat_Vec2 way = sub(to, from);
  double t = 0;
  if (way.x > 0) t = max2(t, (box->x - from.x) / way.x);
  if (way.x < 0) t = max2(t, (box->x + box->w - from.x) / way.x);
  if (way.y > 0) t = max2(t, (box->y - from.y) / way.y);
  if (way.y < 0) t = max2(t, (box->y + box->h - from.y) / way.y);
  return min2(t, 1);
}

static void ask_raycast(sat_Vec2 from, sat_Vec2 to) {
  Seen seen = random_search(1);
  double distances[MOST];
  maybe_fail();
  if (!is_done(sat_quadtree_raycast(&twin.tree, from, to, see, &seen))) return;
  for (sat_Item item = 0; item < twin.end; item++)
    distances[item] = twin.held[item] ? entry_fraction(from, to, &twin.boxes[item]) : -1;
  check_seen(&seen, 1, distances);
  maybe_fail();
  check_neighbors(sat_quadtree_raycast_all(&twin.tree, from, to, &twin.neighbors), MOST, distances);
}

/* The fractions of a motion between which an interval overlaps another one that is widened. */
static void overlap_times(double low, double size, double way, double other, double other_size,
                          double out, double *enter, double *leave) {
  double out_by = out * (fabs(low) + size + fabs(way) + fabs(other) + other_size);
  double ahead = other - (low + size) - out_by, behind = other + other_size - low + out_by;
  if (ahead > behind || (way == 0 && (ahead > 0 || behind < 0))) *leave = -1;
  if (ahead > behind || way == 0) return;
  *enter = max2(*enter, min2(ahead / way, behind / way));
  *leave = min2(*leave, max2(ahead / way, behind / way));
}

/* The fraction at which a moving box first overlaps another one that is widened, or -1. */
static double cast_fraction(sat_Rectangle box, sat_Vec2 way, const sat_Rectangle *other,
                            double out) {
  double enter = 0, leave = 1;
  overlap_times(box.x, box.w, way.x, other->x, other->w, out, &enter, &leave);
  overlap_times(box.y, box.h, way.y, other->y, other->h, out, &enter, &leave);
  return enter <= leave ? enter : -1;
}

/* A cast visits what the box surely overlaps, not later than it does, and nothing that it surely
 * does not overlap. */
static void ask_cast(sat_Rectangle box, sat_Vec2 motion) {
  Seen seen = random_search(1);
  maybe_fail();
  if (!is_done(sat_tree_cast(&twin.tree, box, motion, see, &seen))) return;
  for (sat_Item item = 0; item < twin.end; item++) {
    if (!twin.held[item]) continue;
    double earliest = cast_fraction(box, motion, &twin.boxes[item], 0x1p-44);
    double latest = cast_fraction(box, motion, &twin.boxes[item], -0x1p-44);
    CHECK(seen.times[item] <= (earliest >= 0));
    if (seen.times[item]) CHECK(seen.distance[item] >= earliest);
    if (latest < 0) continue;
    if (seen.times[item]) CHECK(seen.distance[item] <= latest);
    else CHECK(seen.left == 0 || (seen.lowers && latest >= seen.limit));
  }
}

/* Whether an interval contains another one, up to the rounding of a cell's position, to which the
 * origin is added. */
static bool interval_contains(double low, double size, double inner_low, double inner_size) {
  sat_Vec2 origin = twin.tree.origin;
  double error = (fabs(low) + size + max2(fabs(origin.x), fabs(origin.y))) * 0x1p-50;
  return inner_low >= low - error && inner_low + inner_size <= low + size + error;
}

/* Whether a node is a child of another: inside it, and exactly half as wide. */
static bool is_child(const sat_Node *child, const sat_Node *parent) {
  const sat_Rectangle *a = &child->box, *b = &parent->box;
  return a->w * 2 == b->w && interval_contains(b->x, b->w, a->x, a->w) &&
         interval_contains(b->y, b->h, a->y, a->h);
}

static void check_count(const sat_Node *node) {
  uint32_t held = 0;
  for (sat_Item item = 0; item < twin.end; item++) {
    const sat_Rectangle *box = &twin.boxes[item];
    held += twin.held[item] && interval_contains(node->box.x, node->box.w, box->x, 0) &&
            interval_contains(node->box.y, node->box.h, box->y, 0);
  }
  CHECK(node->count <= held);
}

/* Checks that the nodes are a tree: each has a parent on the level before, and no two are the same.
 * Of many nodes some are checked. */
static void check_nodes(void) {
  const sat_Node *at = twin.nodes.at;
  size_t before = 0, level = 0, step = 1 + twin.nodes.count / 500;
  uint64_t count = at[0].count;
  CHECK(at[0].level == 0);
  for (size_t i = 1; i < twin.nodes.count; i++) {
    CHECK(at[i].box.w == at[i].box.h && at[i].box.w > 0);
    if (at[i].level != at[i - 1].level) before = level, level = i;
    CHECK(at[i].level == at[before].level + 1);
    count += at[i].count;
    if (i % step) continue;
    size_t parents = 0;
    for (size_t j = before; j < level; j++) parents += is_child(&at[i], &at[j]);
    CHECK(parents > 0);
    for (size_t j = level; j < i; j++)
      CHECK(at[i].box.x != at[j].box.x || at[i].box.y != at[j].box.y || at[i].box.w < 1e-3);
    check_count(&at[i]);
  }
  CHECK(at[twin.nodes.count - 1].count > 0);
  CHECK(count == twin.count);
}

static void ask_nodes(void) {
  maybe_fail();
  if (!is_done(sat_quadtree_nodes(&twin.tree, &twin.nodes))) {
    CHECK(twin.nodes.count == 0);
    return;
  }
  if (twin.count == 0) CHECK(twin.nodes.count == 0);
  else check_nodes();
}

static sat_Vec2 random_point(Scene scene) {
  sat_Rectangle box = random_box(scene);
  return one_in(2) ? vec2(box.x, box.y)
                   : vec2(min2(box.x + box.w, SAT_LIMIT), min2(box.y + box.h, SAT_LIMIT));
}

/* Some motions are along an axis, and some are none. */
static sat_Vec2 random_motion(Scene scene) {
  sat_Vec2 way = sub(random_point(scene), random_point(scene));
  return vec2(one_in(4) ? 0 : way.x, one_in(4) ? 0 : way.y);
}

static void ask(Scene scene) {
  switch (whole(0, 10)) {
  case 10: ask_cast(random_box(scene), random_motion(scene)); break;
  case 0: ask_pairs(); break;
  case 1: ask_nearest(random_point(scene), one_in(2) ? HUGE_VAL : power(-10, 12)); break;
  case 2: ask_raycast(random_point(scene), random_point(scene)); break;
  case 3: ask_nodes(); break;
  case 4:
    if (twin.count) ask_query(twin.boxes[any_item()]);
    break;
  default: ask_query(random_box(one_in(8) ? EVERYTHING : scene)); break;
  }
}

/* ---------------------------------------------------------------- long random sequences */

static void change_any(Scene scene) {
  if (twin.count == 0) return;
  sat_Item item = any_item();
  if (one_in(3)) update(item, random_box(scene));
  else nudge(item);
}

static void fix_any(void) {
  if (twin.count == 0) return;
  sat_Item item = any_item();
  twin.fixed[item] = one_in(2);
  sat_quadtree_set_static(&twin.tree, item, twin.fixed[item]);
}

static void change_all(void) {
  for (sat_Item item = 0; item < twin.end; item++)
    if (twin.held[item]) nudge(item);
}

static void remove_all(void) {
  for (sat_Item item = 0; item < twin.end; item++)
    if (twin.held[item]) take_out(item);
}

static void step(Scene scene, uint32_t most) {
  int64_t choice = whole(0, 199);
  if (choice < 50) insert(random_box(scene));
  else if (choice < 70) change_any(scene);
  else if (choice < 90 && twin.count) take_out(any_item());
  else if (choice < 100) fix_any();
  else if (choice < 102) change_all();
  else if (choice < 105) build(scene, (size_t)whole(0, most / 12));
  else if (choice == 105 && one_in(4)) remove_all();
  else if (choice == 106 && one_in(4)) clear();
  else ask(scene);
  while (twin.count > most) take_out(any_item());
}

/* Few items make every case common, and many items make many cells. */
static void change_at_random(Scene scene, uint32_t most, uint32_t steps, uint64_t new_seed) {
  make_twin(new_seed);
  while (twin.count < most / 2) build(scene, (size_t)whole(1, most / 12));
  for (uint32_t i = 0; i < rounds(steps); i++) {
    step(scene, most);
    if (i % (most / 16 + 1) == 0) check_tree();
  }
  check_tree();
  ask_pairs();
  free_twin();
}

static void change_all_scenes(bool with_failures) {
  failing = with_failures;
  for (int scene = 0; scene < SCENES; scene++) {
    change_at_random((Scene)scene, 12, 3000, 1000 + (uint64_t)scene);
    change_at_random((Scene)scene, 150, 1500, 2000 + (uint64_t)scene);
    change_at_random((Scene)scene, 1000, 300, 3000 + (uint64_t)scene);
  }
  failing = false;
}

TEST(a_tree_answers_as_a_plain_list_does) { change_all_scenes(false); }

/* Whether two cells of a range have one index, by a mark for each index. */
static bool shares_an_index(const sat_Level *level, sat_CellRange range) {
  bool marked[256] = {false};
  for (int32_t row = range.top; row <= range.bottom; row++)
    for (int32_t column = range.left; column <= range.right; column++) {
      uint32_t cell = sat_wrapped_index(level, column, row);
      if (marked[cell]) return true;
      marked[cell] = true;
    }
  return false;
}

TEST(a_range_of_cells_knows_whether_it_meets_itself) {
  make_twin(8);
  int shared = 0, unshared = 0;
  for (uint32_t i = 0; i < rounds(20000); i++) {
    sat_Level level = {.mask = (1u << whole(4, 8)) - 1};
    level.stride = (uint32_t)whole(4, (level.mask + 1) / 2 - 2);
    int32_t left = (int32_t)whole(0, 1000), top = (int32_t)whole(0, 1000);
    sat_CellRange range = {left, left + (int32_t)whole(0, one_in(2) ? 6 : 90), top,
                           top + (int32_t)whole(0, one_in(2) ? 6 : 90)};
    bool meets = shares_an_index(&level, range);
    CHECK(sat_range_meets_itself(&level, range) == meets);
    CHECK(!meets || sat_range_may_wrap(&level, range));
    shared += meets;
    unshared += !meets && sat_range_may_wrap(&level, range);
  }
  CHECK(shared > 0 && unshared > 0);
  free_twin();
}

/* Points around a long row, and far from it. */
TEST(long_rows_are_searched_from_anywhere) {
  for (uint64_t of_seed = 0; of_seed < rounds(20); of_seed++) {
    make_twin(of_seed);
    bool upright = one_in(2);
    double place = one_in(3) ? 0x1p40 : 0;
    for (int i = 0; i < 1000; i++) {
      double at = place + i, other = (double)whole(0, 1) * 3 - place;
      insert(upright ? (sat_Rectangle){other, at, 1, 1} : (sat_Rectangle){at, other, 1, 1});
    }
    for (int i = 0; i < 50; i++) {
      double x = place + real(-400, 1400), y = (double)whole(-1, 1) * power(0, 12) - place;
      sat_Vec2 p = upright ? vec2(y, x) : vec2(x, y), way = vec2(real(-900, 900), real(-900, 900));
      ask_nearest(p, one_in(2) ? HUGE_VAL : power(0, 12));
      ask_raycast(p, add(p, way));
      ask_cast((sat_Rectangle){p.x, p.y, power(-3, 5), power(-3, 5)}, way);
      ask_query((sat_Rectangle){p.x - 30, p.y - 9, real(0, 60), real(0, 18)});
    }
    check_tree();
    free_twin();
  }
}

static double height_of_bounds(void) {
  ask_query((sat_Rectangle){0, 0, 1, 1});
  check_tree();
  return (double)twin.tree.bounds[1];
}

/* The bounds follow an item that moves away, and shrink some changes after it has come back or has
 * left. */
TEST(bounds_shrink_after_items_have_left) {
  for (int leaves = 0; leaves < 2; leaves++) {
    make_twin(9);
    for (int i = 0; i < 300; i++) insert((sat_Rectangle){i, 0, 1, 1});
    CHECK(height_of_bounds() < 2);
    update(7, (sat_Rectangle){7, 1e6, 1, 1});
    CHECK(height_of_bounds() > 1e6);
    if (leaves) take_out(7);
    else update(7, (sat_Rectangle){7, 0, 1, 1});
    for (int i = 0; i < 300 * 5; i++) {
      update(8, (sat_Rectangle){8, 0, 1, 1});
      height_of_bounds();
    }
    CHECK(height_of_bounds() < 2);
    free_twin();
  }
}

TEST(a_tree_without_memory_stays_as_it_is) { change_all_scenes(true); }

/* ---------------------------------------------------------------- the contract */

static sat_Item insert_at(double x, double y, double w, double h) {
  sat_Item item = SAT_NULL_INDEX;
  CHECK(sat_quadtree_insert(&twin.tree, (sat_Rectangle){x, y, w, h}, &item) == SAT_OK);
  return item;
}

static size_t count_in(double x, double y, double w, double h) {
  CHECK(sat_quadtree_query(&twin.tree, (sat_Rectangle){x, y, w, h}, &twin.items) == SAT_OK);
  return twin.items.count;
}

static size_t count_pairs(void) {
  CHECK(sat_quadtree_pairs(&twin.tree, &twin.pairs) == SAT_OK);
  return twin.pairs.count;
}

TEST(an_empty_tree_takes_no_memory_and_finds_nothing) {
  make_twin(0);
  CHECK(count_in(-1e15, -1e15, 1e15, 1e15) == 0);
  CHECK(count_pairs() == 0);
  CHECK(sat_quadtree_nodes(&twin.tree, &twin.nodes) == SAT_OK && twin.nodes.count == 0);
  CHECK(sat_quadtree_bytes(&twin.tree) == 0 && twin.memory.bytes == 0);
  CHECK(!sat_quadtree_has(&twin.tree, 0) && !sat_quadtree_has(&twin.tree, SAT_NULL_INDEX));
  free_twin();
}

TEST(options_out_of_range_are_refused) {
  make_twin(0);
  static const struct {
    sat_Rectangle area;
    uint32_t capacity, depth;
    sat_Status status;
  } cases[] = {
      {{0, 0, 1, 1}, 0, 8, SAT_EVALUE},
      {{0, 0, 1, 1}, 10, 1000, SAT_EVALUE},
      {{0, 0, 0, 1}, 10, 8, SAT_EVALUE},
      {{0, 0, 1, 0}, 10, 8, SAT_EVALUE},
      {{0, 0, -1, 1}, 10, 8, SAT_EVALUE},
      {{0, 0, NAN, 1}, 10, 8, SAT_ERANGE},
      {{0, 0, 1, INFINITY}, 10, 8, SAT_ERANGE},
      {{2e15, 0, 1, 1}, 10, 8, SAT_ERANGE},
      {{0, 0, 1, 1}, 1, 0, SAT_OK},
      {{0, 0, 1, 1}, UINT32_MAX, 32, SAT_OK},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++)
    CHECK(sat_quadtree_init(&twin.tree, watched(), cases[i].area, cases[i].capacity,
                            cases[i].depth) == cases[i].status);
  free_twin();
}

TEST(numbers_that_make_no_box_are_refused_and_nothing_changes) {
  make_twin(0);
  sat_Item item = insert_at(1, 2, 3, 4);
  enter(item, (sat_Rectangle){1, 2, 3, 4});
  static const struct {
    sat_Rectangle box;
    sat_Status status;
  } cases[] = {
      {{NAN, 0, 1, 1}, SAT_ERANGE},    {{0, INFINITY, 1, 1}, SAT_ERANGE},
      {{0, 0, NAN, 1}, SAT_ERANGE},    {{0, 0, 1, -INFINITY}, SAT_ERANGE},
      {{1.1e15, 0, 1, 1}, SAT_ERANGE}, {{0, 0, 1.1e15, 1}, SAT_ERANGE},
      {{0, 0, -1, 1}, SAT_EVALUE},     {{0, 0, 1, -1e-300}, SAT_EVALUE},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    sat_Rectangle boxes[] = {{0, 0, 1, 1}, cases[i].box};
    sat_Item items[2];
    CHECK(sat_quadtree_insert(&twin.tree, cases[i].box, &items[0]) == cases[i].status);
    CHECK(sat_quadtree_build(&twin.tree, boxes, 2, items) == cases[i].status);
    CHECK(sat_quadtree_update(&twin.tree, item, cases[i].box) == cases[i].status);
    CHECK(sat_quadtree_query(&twin.tree, cases[i].box, &twin.items) == cases[i].status);
    check_tree();
  }
  Seen seen = random_search(1);
  CHECK(sat_quadtree_raycast(&twin.tree, vec2(0, 0), vec2(NAN, 0), see, &seen) == SAT_ERANGE);
  CHECK(sat_quadtree_raycast(&twin.tree, vec2(0, 2e15), vec2(0, 0), see, &seen) == SAT_ERANGE);
  CHECK(sat_quadtree_nearest(&twin.tree, vec2(INFINITY, 0), 1, see, &seen) == SAT_ERANGE);
  CHECK(sat_quadtree_nearest(&twin.tree, vec2(0, 0), -1, see, &seen) == SAT_EVALUE);
  CHECK(sat_quadtree_nearest(&twin.tree, vec2(0, 0), NAN, see, &seen) == SAT_EVALUE);
  free_twin();
}

TEST(items_are_numbered_from_0_and_numbers_are_used_again) {
  make_twin(0);
  for (sat_Item item = 0; item < 5; item++) CHECK(insert_at(item, 0, 1, 1) == item);
  sat_quadtree_remove(&twin.tree, 3);
  sat_quadtree_remove(&twin.tree, 1);
  static const sat_Item next[] = {1, 3, 5};
  for (size_t i = 0; i < COUNT_OF(next); i++) CHECK(insert_at(0, 0, 1, 1) == next[i]);
  sat_quadtree_clear(&twin.tree);
  CHECK(insert_at(0, 0, 1, 1) == 0);
  free_twin();
}

TEST(boxes_that_only_touch_overlap_to_the_last_bit) {
  make_twin(0);
  double end = 0.1 + 0.7; /* rounded */
  sat_Item left = insert_at(0.1, 0, 0.7, 1), touching = insert_at(end, 1, 1, 1);
  sat_Item separate = insert_at(nextafter(end, 2), -1, 1, 1);
  CHECK(count_pairs() == 1 && twin.pairs.at[0].a == left && twin.pairs.at[0].b == touching);
  CHECK(count_in(0, 0, 0.1, 0) == 1 && twin.items.at[0] == left);
  CHECK(count_in(0, 0, nextafter(0.1, 0), 0) == 0);
  CHECK(count_in(end, 0, 0, 1) == 2);
  CHECK(sat_quadtree_box(&twin.tree, separate).x == nextafter(end, 2));
  free_twin();
}

TEST(two_static_items_are_no_pair_until_one_is_set_free) {
  make_twin(0);
  sat_Item a = insert_at(0, 0, 1, 1), b = insert_at(0, 0, 1, 1), c = insert_at(0, 0, 1, 1);
  CHECK(count_pairs() == 3);
  sat_quadtree_set_static(&twin.tree, a, true);
  sat_quadtree_set_static(&twin.tree, b, true);
  CHECK(count_pairs() == 2);
  sat_quadtree_set_static(&twin.tree, c, true);
  CHECK(count_pairs() == 0 && count_in(0, 0, 1, 1) == 3);
  sat_quadtree_set_static(&twin.tree, b, false);
  CHECK(count_pairs() == 2);
  sat_quadtree_remove(&twin.tree, a);
  CHECK(insert_at(0, 0, 1, 1) == a && count_pairs() == 3); /* the new item is not static */
  free_twin();
}

/* ---------------------------------------------------------------- many items */

enum { MANY = 20000, VERY_MANY = 300000 };

static sat_Rectangle many_boxes[VERY_MANY];
static sat_Item many_items[VERY_MANY];

static void build_many(size_t count) {
  CHECK(sat_quadtree_build(&twin.tree, many_boxes, count, many_items) == SAT_OK);
}

static void scatter_many(double width, double size) {
  for (size_t i = 0; i < MANY; i++)
    many_boxes[i] = (sat_Rectangle){real(0, width), real(0, width), size, size};
}

/* A tree that has grown by single items has at most half as much capacity again. */
TEST(an_item_takes_96_bytes_of_capacity_even_beside_one_far_away) {
  make_twin(1);
  scatter_many(1000, 5);
  build_many(MANY);
  count_pairs();
  size_t bytes = sat_quadtree_bytes(&twin.tree);
  CHECK(bytes <= (size_t)96 * MANY);
  many_boxes[MANY] = (sat_Rectangle){1e7, 1e7, 5, 5};
  sat_quadtree_clear(&twin.tree);
  build_many(MANY + 1);
  count_pairs();
  CHECK(sat_quadtree_bytes(&twin.tree) <= bytes + bytes / 100);
  sat_quadtree_clear(&twin.tree);
  for (size_t i = 0; i < MANY; i++) {
    many_items[i] = insert_at(many_boxes[i].x, many_boxes[i].y, many_boxes[i].w, many_boxes[i].h);
    if (i % 64 == 0) count_in(many_boxes[i].x, many_boxes[i].y, 1, 1);
  }
  count_pairs();
  CHECK(sat_quadtree_bytes(&twin.tree) <= (size_t)96 * (MANY + MANY / 2));
  sat_quadtree_clear(&twin.tree);
  CHECK(sat_quadtree_bytes(&twin.tree) == 0);
  free_twin();
}

TEST(long_results_are_in_ascending_order) {
  make_twin(2);
  scatter_many(1000, 5);
  build_many(MANY);
  CHECK(count_in(-10, -10, 2000, 2000) == MANY);
  for (size_t i = 0; i < MANY; i++) CHECK(twin.items.at[i] == i);
  size_t count = count_in(200, 300, 90, 500);
  CHECK(count > 100);
  for (size_t i = 1; i < count; i++) CHECK(twin.items.at[i - 1] < twin.items.at[i]);
  free_twin();
}

/* Few and many results, of few and of many items, are sorted in different ways. The stride scatters
 * the items. */
static void check_order(uint32_t count, uint32_t stride) {
  sat_quadtree_clear(&twin.tree);
  for (uint32_t i = 0; i < count; i++)
    many_boxes[(uint64_t)i * stride % count] = (sat_Rectangle){i, 0, 0.5, 0.5};
  CHECK(sat_quadtree_build(&twin.tree, many_boxes, count, many_items) == SAT_OK);
  for (uint32_t most = 1; most < 400; most += most / 16 + 1) {
    uint32_t first = (uint32_t)whole(0, count - most - 1), seen = 0;
    sat_Rectangle window = {first, 0, most - 0.75, 0.25};
    CHECK(sat_quadtree_query(&twin.tree, window, &twin.items) == SAT_OK);
    CHECK(twin.items.count == most);
    for (uint32_t i = 0; i < most; i++) {
      CHECK(i == 0 || twin.items.at[i - 1] < twin.items.at[i]);
      double place = many_boxes[twin.items.at[i]].x - first;
      seen += place >= 0 && place < most;
    }
    CHECK(seen == most);
  }
}

TEST(results_of_any_length_are_in_ascending_order) {
  make_twin(3);
  check_order(500, 7);
  check_order(5000, 1231);
  check_order(MANY, 7919);
  check_order(VERY_MANY, 104729);
  free_twin();
}

/* Checks that the mean number of items in an item's cell, itself included, is no more than that. */
static void check_sharing(double most) {
  uint64_t squares = 0;
  const sat_Quadtree *tree = &twin.tree;
  for (uint32_t cell = 0; cell < tree->cell_end; cell++) {
    uint64_t count = tree->starts[cell + 1] - tree->starts[cell];
    squares += count * count;
  }
  CHECK((double)squares <= most * tree->count);
}

TEST(cells_follow_the_density_wherever_the_items_are) {
  make_twin(3);
  scatter_many(1000, 0);
  build_many(MANY);
  count_pairs();
  check_sharing(3);
  for (size_t i = 0; i < MANY; i++)
    CHECK(sat_quadtree_update(&twin.tree, many_items[i],
                              (sat_Rectangle){500 + real(0, 1), real(0, 1), 0, 0}) == SAT_OK);
  count_pairs();
  check_sharing(3);
  for (size_t i = 0; i < MANY; i += 2)
    CHECK(sat_quadtree_update(&twin.tree, many_items[i],
                              (sat_Rectangle){real(0, 1e4), real(0, 1e4), 0, 0}) == SAT_OK);
  count_pairs();
  check_sharing(6);
  for (size_t i = 0; i < MANY; i++)
    CHECK(sat_quadtree_update(&twin.tree, many_items[i],
                              (sat_Rectangle){(double)i * 64, 1e6, 1, 1}) == SAT_OK);
  count_pairs();
  check_sharing(6);
  free_twin();
}

/* ---------------------------------------------------------------- the tree of cells */

TEST(nodes_halve_the_area_as_capacity_and_depth_say) {
  make_twin(5);
  scatter_many(999, 1);
  size_t pairs = 0, fewest = SIZE_MAX;
  for (uint32_t capacity = 1; capacity <= 512; capacity *= 8) {
    give_options(capacity, SAT_QUADTREE_FASTEST);
    build_many(MANY);
    CHECK(capacity == 1 || count_pairs() == pairs);
    pairs = count_pairs();
    CHECK(sat_quadtree_nodes(&twin.tree, &twin.nodes) == SAT_OK);
    const sat_Node *root = twin.nodes.at, *last = root + twin.nodes.count - 1;
    CHECK(root->box.x == 0 && root->box.y == 0 && root->box.w == 1000 && root->count == 0);
    CHECK(twin.nodes.count < fewest && last->count <= 4 * capacity + 8);
    fewest = twin.nodes.count;
  }
  for (uint32_t depth = 0; depth <= 6; depth++) {
    give_options(1, depth);
    build_many(MANY);
    CHECK(count_pairs() == pairs);
    CHECK(sat_quadtree_nodes(&twin.tree, &twin.nodes) == SAT_OK);
    const sat_Node *last = twin.nodes.at + twin.nodes.count - 1;
    CHECK(last->level == depth && last->box.w == 1000 / exp2(depth));
    CHECK(twin.nodes.at[0].box.w == 1000);
  }
  free_twin();
}

TEST(answers_are_those_of_a_plain_list_with_any_options) {
  for (uint64_t of_seed = 1; of_seed <= 40; of_seed++) {
    make_twin(of_seed);
    Scene scene = (Scene)whole(0, EVERYTHING);
    give_options(one_in(3) ? SAT_QUADTREE_FASTEST : (uint32_t)whole(1, 40),
                 one_in(3) ? SAT_QUADTREE_FASTEST : (uint32_t)whole(0, SAT_QUADTREE_DEEPEST));
    for (int i = 0; i < 100; i++) {
      step(scene, 150);
      if (i % 20 == 0) ask_nodes();
    }
    check_tree();
    ask_pairs();
    free_twin();
  }
}

/* The entries of one cell are so many that a sweep finds all pairs. */
TEST(crowded_cells_lead_to_a_sweep) {
  static const Scene scenes[] = {NEEDLES, FAR_CLUSTERS};
  for (uint64_t i = 0; i < COUNT_OF(scenes); i++) {
    make_twin(70 + i);
    while (twin.count < MOST - 200) build(scenes[i], 50);
    for (sat_Item item = 0; item < twin.end; item++) {
      twin.fixed[item] = one_in(4);
      sat_quadtree_set_static(&twin.tree, item, twin.fixed[item]);
      if (one_in(9)) take_out(item);
    }
    ask_pairs();
    CHECK(twin.tree.sweep);
    free_twin();
  }
}

/* ---------------------------------------------------------------- memory and order */

static void run_call(int step) {
  sat_Item items[64];
  Seen seen = random_search(HUGE_VAL);
  sat_Status status = SAT_OK;
  switch (step) {
  case 0: status = sat_quadtree_insert(&twin.tree, many_boxes[0], items); break;
  case 1: status = sat_quadtree_build(&twin.tree, many_boxes + 1, 64, items); break;
  case 2: status = sat_quadtree_query(&twin.tree, many_boxes[7], &twin.items); break;
  case 3: status = sat_quadtree_pairs(&twin.tree, &twin.pairs); break;
  case 4: status = sat_quadtree_nearest(&twin.tree, vec2(1, 1), HUGE_VAL, see, &seen); break;
  case 5: status = sat_quadtree_raycast(&twin.tree, vec2(0, 0), vec2(9, 9), see, &seen); break;
  default: status = sat_quadtree_nodes(&twin.tree, &twin.nodes); break;
  }
  twin.memory.until_fails = -1;
  CHECK(status == SAT_OK || status == SAT_ENOMEM);
  failing = status == SAT_ENOMEM;
}

/* Each call begins without memory, and gets one allocation more each time until it succeeds. */
TEST(every_allocation_may_fail_in_turn) {
  make_twin(4);
  scatter_many(30, 3);
  for (int step = 0; step < 7; step++) {
    int failures = 0;
    for (failing = true; failing; failures++) {
      memset(twin.held, 0, sizeof twin.held);
      twin.count = sat_quadtree_count(&twin.tree) ? (step < 2 ? 1 : 65) : 0;
      for (sat_Item item = 0; item < twin.count; item++) {
        twin.held[item] = true;
        twin.boxes[item] = many_boxes[item];
      }
      twin.end = twin.count;
      check_tree();
      twin.memory.until_fails = failures;
      run_call(step);
    }
    CHECK(step > 3 || failures > 1);
    for (sat_Item item = 0; item < 65 && step < 3 && sat_quadtree_has(&twin.tree, item); item++)
      CHECK(sat_quadtree_update(&twin.tree, item, many_boxes[item]) == SAT_OK);
  }
  free_twin();
}

/* A search reads to the end of the overflow. Where the overflow is full, a sanitizer notices a
 * search that reads beyond its memory. */
TEST(every_fill_of_the_overflow_is_searched) {
  make_twin(7);
  for (int i = 0; i < 200; i++) {
    insert((sat_Rectangle){0, 0, 1, 1});
    ask_nearest(vec2(1, 1), HUGE_VAL);
  }
  free_twin();
}

/* Changes beyond the capacity of the dirty list are not counted. */
TEST(no_pairs_are_kept_while_a_tree_grows) {
  make_twin(6);
  for (int i = 0; i < 10; i++) insert_at(0, 0, 1, 1);
  for (int i = 0; i < 2; i++) CHECK(count_pairs() == 10 * 9 / 2);
  for (int i = 10; i < 1000; i++) insert_at(0, 0, 1, 1);
  CHECK(count_pairs() == 1000 * 999 / 2);
  free_twin();
}

/* No list has the changes of a tree that waits for memory to be rebuilt. */
TEST(no_pairs_are_kept_while_a_rebuild_lacks_memory) {
  make_twin(5);
  CHECK(count_pairs() == 0);
  insert_at(0, 0, 1, 1);
  twin.memory.until_fails = 0;
  CHECK(sat_quadtree_query(&twin.tree, (sat_Rectangle){0, 0, 1, 1}, &twin.items) == SAT_ENOMEM);
  twin.memory.until_fails = -1;
  for (int i = 1; i < 21; i++) insert_at(0, 0, 1, 1);
  CHECK(count_pairs() == 21 * 20 / 2);
  free_twin();
}

static uint64_t hash_of_random_calls(uint64_t of_seed) {
  make_twin(of_seed);
  uint64_t hash = 1;
  for (int i = 0; i < 400; i++) {
    step(EVERYTHING, 150);
    if (i % 8) continue;
    size_t count = count_pairs();
    for (size_t k = 0; k < count; k++)
      hash = (hash ^ twin.pairs.at[k].a ^ (uint64_t)twin.pairs.at[k].b << 32) * 0x100000001b3u;
  }
  free_twin();
  return hash;
}

TEST(the_same_calls_give_the_same_order) {
  uint64_t first = hash_of_random_calls(77);
  void *elsewhere = malloc(100000);
  CHECK(hash_of_random_calls(77) == first);
  free(elsewhere);
  CHECK(hash_of_random_calls(78) != first);
}

int main(void) { return run_suite(NULL, NULL); }
