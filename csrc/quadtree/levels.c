/* levels.c: the cost model that selects the sizes of cells.
 *
 * A box may lie on any level whose cells are wider than the box, so the selection of levels affects
 * time alone. The model estimates how long the search for all pairs takes with cells of given
 * widths, from the histogram of the boxes' sizes and from their density, and takes the cheapest of
 * a few dozen plans. A capacity or depth that is given decides the finest width instead. */
#include "quadtree/store.h"

#include "base/heap.h"

/* The number of items in the sample that estimates the spread. */
enum { LEVELS_SAMPLES = 64 };
/* The number of rebuilds after which the levels are selected again. */
enum { REBUILDS_PER_PLAN = 16 };

/* ---------------------------------------------------------------- the spread of the items */

static bool is_greater(const double *p, const double *q) { return *p > *q; }
SAT_DEFINE_SORT(double, numbers, is_greater)

/* The spread of the numbers: 4/3 of the distance between their first and last octiles, so that a
 * single distant item has no effect. */
static double clustering_spread(double *numbers, uint32_t count) {
  numbers_sort(numbers, count);
  uint32_t aside = count / 8;
  return (numbers[count - 1 - aside] - numbers[aside]) * (4.0 / 3);
}

/* Estimates middle, width, height and least size from items at regular intervals. Free ids are
 * skipped: most ids may be free. */
static void measure_spread(sat_Quadtree *tree) {
  double x[LEVELS_SAMPLES], y[LEVELS_SAMPLES];
  uint32_t count = 0, step = tree->count / LEVELS_SAMPLES + 1, wait = step / 2;
  for (sat_Item item = 0; item < tree->item_end && count < LEVELS_SAMPLES; item++) {
    if (!sat_tree_holds(tree, item) || wait-- > 0) continue;
    wait = step - 1;
    tree->least_size = min2(count ? tree->least_size : HUGE_VAL, sat_size_of(&tree->boxes[item]));
    x[count] = tree->boxes[item].x;
    y[count++] = tree->boxes[item].y;
  }
  tree->width = tree->height = 0;
  if (count == 0) return;
  tree->width = clustering_spread(x, count);
  tree->height = clustering_spread(y, count);
  tree->middle = vec2(x[count / 2], y[count / 2]);
}

/* ---------------------------------------------------------------- the cost of a plan */

/* The number of items in each size class. */
typedef struct SizeHistogram {
  uint32_t first_size_class, counts[SAT_SIZE_CLASSES];
  uint32_t end; /* no class from this one on has items */
} SizeHistogram;

/* A plan: each level's cells are two or four times as wide as the previous level's. Size classes
 * below `size_class` go to the finest level. */
typedef struct LevelPlan {
  uint32_t size_class, classes_per_level;
  double finest_cell, cost;
} LevelPlan;

/* The width of a level's cells: the finest width times a power of two, without rounding. */
static double cell_of_level(const LevelPlan *plan, uint32_t level) {
  uint32_t class_of_1 = sat_size_class_of(1);
  return plan->finest_cell * sat_size_class_min(class_of_1 + level * plan->classes_per_level);
}

/* The expected number of items with the index of one cell, where `count` items lie in the spread:
 * those in the cell, and those in other cells that share the index. */
static double density(const sat_Quadtree *tree, double cell, double count) {
  double there = (tree->width / cell + 1) * (tree->height / cell + 1);
  double separate = there > count ? (1 - count / there) : 0; /* items of the other cells */
  return min2(count / there * tree->clustering, count) + separate;
}

/* Rough costs in nanoseconds: of fetching a run of adjacent cells, and of one comparison of
 * boxes. */
#define RUN_COST 2.5
#define COMPARISON_COST 1.0

/* The cost of the items of a finer level that search a coarser one; and of the items of the coarser
 * level that search the finer one. */
static double cost_up(const sat_Quadtree *tree, double fine_count, double coarse,
                      double coarse_count) {
  return fine_count * (2.5 * RUN_COST + 5 * density(tree, coarse, coarse_count) * COMPARISON_COST);
}

static double cost_down(const sat_Quadtree *tree, double fine, double fine_count, double coarse,
                        double coarse_count) {
  double cells = coarse / fine * 0.75 + 1.5;
  return coarse_count * cells *
         (RUN_COST + cells * density(tree, fine, fine_count) * COMPARISON_COST);
}

/* The last level has a single cell, for boxes of the last size class and for all that are too large
 * for the levels before. */
static uint32_t level_of_size_class(const SizeHistogram *sizes, const LevelPlan *plan, uint32_t i) {
  uint32_t size_class = sizes->first_size_class + i;
  if (size_class < plan->size_class) return 0;
  uint32_t level = (size_class - plan->size_class) / plan->classes_per_level + 1;
  return i < SAT_SIZE_CLASSES - 1 && level < SAT_LEVELS ? level : SAT_LEVELS - 1;
}

static void estimate_cost(const sat_Quadtree *tree, const SizeHistogram *sizes, LevelPlan *plan) {
  double counts[SAT_LEVELS] = {0};
  uint32_t end = 0;
  for (uint32_t i = 0; i < sizes->end; i++) {
    if (!sizes->counts[i]) continue;
    uint32_t level = level_of_size_class(sizes, plan, i);
    counts[level] += sizes->counts[i];
    if (level >= end) end = level + 1;
  }
  plan->cost = 0;
  for (uint32_t i = 0; i < end; i++) {
    if (counts[i] == 0) continue;
    double fine = cell_of_level(plan, i);
    plan->cost += /* of the comparisons within the level */
        counts[i] * (2 * RUN_COST + 4.5 * density(tree, fine, counts[i]) * COMPARISON_COST);
    for (uint32_t j = i + 1; j < end; j++) {
      if (counts[j] == 0) continue;
      double coarse = cell_of_level(plan, j);
      plan->cost += min2(cost_up(tree, counts[i], coarse, counts[j]),
                         cost_down(tree, fine, counts[i], coarse, counts[j]));
    }
  }
}

/* ---------------------------------------------------------------- making a plan */

/* The narrowest cells that doubles tell apart where the items are. */
static double least_cell(const sat_Quadtree *tree) {
  double far = max2(fabs(tree->middle.x), fabs(tree->middle.y));
  return max2(far * SAT_LEAST_CELL_RELATIVE, SAT_LEAST_CELL);
}

/* The size class of cells that are so wide that the spread of the items has `clustering` cells for
 * each item, and no narrower than the items: in one place they would seem to want cells so narrow
 * that they themselves were too large for any level. */
static uint32_t class_by_density(const sat_Quadtree *tree) {
  double width = tree->width, height = tree->height, wanted = tree->count * tree->clustering;
  double least = max2(least_cell(tree), tree->least_size);
  double cell = max2(max2(width, height), least);
  while (cell > least && (width / cell + 1) * (height / cell + 1) < wanted) cell /= 2;
  return sat_size_class_of(cell);
}

/* Counts the items in size classes from `first_size_class` on; smaller and larger boxes count in
 * the first and the last class. */
static void count_sizes(const sat_Quadtree *tree, uint32_t first_size_class, SizeHistogram *sizes) {
  memset(sizes, 0, sizeof *sizes);
  sizes->first_size_class = first_size_class;
  for (sat_Item item = 0; item < tree->item_end; item++) {
    if (!sat_tree_holds(tree, item)) continue;
    uint32_t size_class = sat_size_class_of(sat_size_of(&tree->boxes[item]));
    size_class = size_class < first_size_class ? 0 : size_class - first_size_class;
    sizes->counts[size_class < SAT_SIZE_CLASSES ? size_class : SAT_SIZE_CLASSES - 1]++;
  }
  for (sizes->end = SAT_SIZE_CLASSES; sizes->end > 0 && !sizes->counts[sizes->end - 1];)
    sizes->end--;
}

uint32_t sat_levels_max_cells(const sat_Quadtree *tree) {
  uint32_t levels = tree->count < SAT_LEVELS ? tree->count : SAT_LEVELS;
  return tree->count + tree->count / 2 + SAT_FEWEST_CELLS * levels;
}

/* The stride is the distance between the starts of two rows: long enough that neighbouring rows
 * within the spread do not share indices, and that a cell and its eight neighbours never do. Where
 * a row has more than a third of the level's cells, the golden ratio keeps the rows of a cluster
 * apart. */
static void lay_out(sat_Quadtree *tree, const LevelPlan *plan) {
  uint32_t first = 0;
  tree->used_levels = 0;
  for (uint32_t i = 0; i < SAT_LEVELS; i++) {
    sat_Level *level = &tree->levels[i];
    level->mask = 0;
    level->first = first;
    if (!level->count) continue;
    tree->used_levels |= UINT64_C(1) << i;
    uint32_t cells = SAT_FEWEST_CELLS; /* a power of two near the number of items */
    while (cells < level->count - level->count / 4) cells *= 2;
    level->mask = cells - 1;
    level->inverse = i < SAT_LEVELS - 1 ? 1 / cell_of_level(plan, i) : 0;
    double columns = tree->width * level->inverse + 4;
    if (columns > cells / 3.0) columns = cells * 0.381966;
    level->stride = (uint32_t)clamp(columns, 4, cells / 2.0 - 2);
    first += cells;
  }
  tree->cell_end = first;
}

/* For every two levels, decides whether the items of the finer one search the coarser level or the
 * other way round. */
static void pair_up(sat_Quadtree *tree) {
  for (uint32_t i = 0; i < SAT_LEVELS; i++)
    tree->levels[i].search_coarser = tree->levels[i].search_finer = 0;
  for (uint64_t fines = tree->used_levels; fines;) {
    uint32_t i = sat_next_level(&fines);
    sat_Level *fine = &tree->levels[i];
    for (uint64_t coarses = fines; coarses;) {
      uint32_t j = sat_next_level(&coarses);
      sat_Level *coarse = &tree->levels[j];
      double fine_cell = 1 / fine->inverse, coarse_cell = 1 / coarse->inverse;
      if (coarse->inverse > 0 &&
          cost_down(tree, fine_cell, fine->count, coarse_cell, coarse->count) <
              cost_up(tree, fine->count, coarse_cell, coarse->count))
        coarse->search_finer |= UINT64_C(1) << i;
      else fine->search_coarser |= UINT64_C(1) << j;
    }
  }
}

static LevelPlan fastest_plan(const sat_Quadtree *tree, SizeHistogram *sizes) {
  uint32_t middle = class_by_density(tree);
  LevelPlan best = {0, 0, 0, HUGE_VAL};
  count_sizes(tree, middle - 8, sizes);
  for (uint32_t bins = 4; bins <= 8; bins += 4)
    for (uint32_t size_class = middle - 8; size_class <= middle + 6; size_class++) {
      LevelPlan plan = {size_class, bins, sat_size_class_min(size_class) * SAT_WIDER, 0};
      estimate_cost(tree, sizes, &plan);
      if (plan.cost < best.cost) best = plan;
    }
  return best;
}

/* A plan by the given capacity or depth. The width of its finest cells is the longer side of the
 * area, halved while a cell holds more items than `split_above`, or, where that is not given, while
 * the cells are wider than those of the fastest plan. */
static LevelPlan given_plan(const sat_Quadtree *tree, SizeHistogram *sizes) {
  double fastest = fastest_plan(tree, sizes).finest_cell, least = least_cell(tree);
  double cell = max2(tree->area.w, tree->area.h);
  uint32_t most = tree->deepest == SAT_QUADTREE_FASTEST ? SAT_QUADTREE_DEEPEST : tree->deepest;
  for (uint32_t halvings = 0; halvings < most && cell / 2 >= least; halvings++) {
    double there = (tree->width / cell + 1) * (tree->height / cell + 1);
    bool holds_more = min2(tree->count / there * tree->clustering, tree->count) > tree->split_above;
    if (tree->split_above == SAT_QUADTREE_FASTEST ? cell <= fastest : !holds_more) break;
    cell /= 2;
  }
  LevelPlan plan = {sat_size_class_of(cell / SAT_WIDER), 4, cell, 0};
  count_sizes(tree, plan.size_class - 1, sizes); /* the first class is on the finest level */
  return plan;
}

/* The coordinate of the grids' origin: the area's corner, or, where the items are too many cells
 * away from there, the corner of the items' block. Blocks are large cells counted from the area's
 * corner. */
static double origin_near(double corner, double middle, double cell) {
  double block = cell * SAT_ORIGIN_BLOCK;
  if (fabs(middle - corner) < block * SAT_ORIGIN_BLOCKS) return corner;
  return corner + floor((middle - corner) / block) * block;
}

void sat_levels_select(sat_Quadtree *tree) {
  measure_spread(tree);
  tree->clustering = max2(tree->clustering, 1);
  bool fastest = tree->split_above == SAT_QUADTREE_FASTEST && tree->deepest == SAT_QUADTREE_FASTEST;
  SizeHistogram sizes;
  LevelPlan plan = fastest ? fastest_plan(tree, &sizes) : given_plan(tree, &sizes);
  tree->origin = vec2(origin_near(tree->area.x, tree->middle.x, plan.finest_cell),
                      origin_near(tree->area.y, tree->middle.y, plan.finest_cell));
  tree->finest_cell = plan.finest_cell;
  tree->first_size_class = sizes.first_size_class;
  for (uint32_t i = 0; i < SAT_LEVELS; i++) tree->levels[i].count = 0;
  for (uint32_t i = 0; i < SAT_SIZE_CLASSES; i++) {
    uint32_t level = level_of_size_class(&sizes, &plan, i);
    tree->level_of_size_class[i] = (uint8_t)level;
    tree->levels[level].count += sizes.counts[i];
  }
  lay_out(tree, &plan);
  pair_up(tree);
  tree->planned_count = tree->count;
  tree->planned_ago = 0;
}

bool sat_levels_still_fit(sat_Quadtree *tree) {
  uint32_t count = tree->count, planned = tree->planned_count;
  if (count > planned + planned / 4 || count < planned - planned / 4) return false;
  return planned && ++tree->planned_ago < REBUILDS_PER_PLAN;
}

/* Occupancy that wrapping alone about explains proves no clustering: a factor above 1 is then
 * halved, and the levels stand. */
bool sat_levels_match_estimate(sat_Quadtree *tree, double sharing) {
  const sat_Level *finest = sat_finest_level(tree);
  if (!(finest->inverse > 0) || !finest->count) return true;
  double cell = 1 / finest->inverse, count = finest->count;
  double even = count / ((tree->width / cell + 1) * (tree->height / cell + 1));
  double clumped = sharing - min2(count / (finest->mask + 1.0), 1);
  if (clumped < 0.5 && tree->clustering > 1) {
    tree->clustering = max2(tree->clustering / 2, 1);
    return true;
  }
  double measured = clamp(clumped / even, 1, count * count), before = tree->clustering;
  tree->clustering = measured;
  return measured <= 4 * before;
}
