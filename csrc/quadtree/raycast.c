/* raycast.c: finds the items near a point, along a segment, and in the way of a box, and keeps the
 * nearest ones. */
#include "base/heap.h"
#include "base/memory.h"
#include "base/predicates.h"
#include "quadtree/store.h"

/* ---------------------------------------------------------------- visits in order */

bool sat_comes_later(const sat_Neighbor *p, const sat_Neighbor *q) {
  return p->distance != q->distance ? p->distance > q->distance : p->item > q->item;
}
SAT_DEFINE_SORT(sat_Neighbor, found, sat_comes_later)

/* A visitor, the greatest distance or fraction of a segment that it still wants, and the items that
 * have been collected for it. */
typedef struct Visitor {
  sat_Visit visit;
  void *context;
  double limit;
  uint32_t count;
  sat_Neighbor found[2 * SAT_SEARCH_ROOM];
} Visitor;

/* Sorts items, few by insertion alone. */
static void sort_found(sat_Neighbor *at, uint32_t count) {
  enum { FEW_FOUND = 16 };
  if (count > FEW_FOUND) found_sort(at, count);
  for (uint32_t i = 1; i < count; i++) {
    sat_Neighbor one = at[i];
    uint32_t k = i;
    for (; k > 0 && sat_comes_later(&at[k - 1], &one); k--) at[k] = at[k - 1];
    at[k] = one;
  }
}

/* Visits the items that have been collected in order, so that the limit of a caller that wants the
 * first soon excludes the others. Most often the first excludes all others, which then need no
 * order. */
SAT_INLINE bool visit_in_order(Visitor *visitor) {
  sat_Neighbor *at = visitor->found;
  uint32_t least = 0, left = 0;
  if (visitor->count == 0) return true;
  for (uint32_t i = 1; i < visitor->count; i++)
    if (sat_comes_later(&at[least], &at[i])) least = i;
  visitor->limit = visitor->visit(visitor->context, at[least].item, at[least].distance);
  at[least] = at[0];
  for (uint32_t i = 1; i < visitor->count; i++) {
    at[left] = at[i];
    left += at[i].distance <= visitor->limit;
  }
  if (left > 1) sort_found(at, left);
  for (uint32_t i = 0; i < left && at[i].distance <= visitor->limit; i++)
    visitor->limit = visitor->visit(visitor->context, at[i].item, at[i].distance);
  return visitor->limit >= 0;
}

/* ---------------------------------------------------------------- near a point */

/* A distance larger than any between two boxes. */
#define EVERYWHERE 0x1p54

/* Each round searches a square around the point, or a disc where the point is outside of the bounds
 * of all levels, of a radius of which `done` has been searched before. */
typedef struct NearestSearch {
  sat_EntrySearch search;
  sat_Vec2 point;
  const sat_Level *level;
  double outside; /* of the bounds of the nearest level */
  double done, radius;
  Visitor visitor;
} NearestSearch;

/* The result is exact along an axis, where the square of a small number could underflow. */
static double hypotenuse(double dx, double dy) {
  if (dx == 0 || dy == 0) return dx + dy;
  return sqrt(dx * dx + dy * dy);
}

/* How far a coordinate is from an interval. */
static double way_to(double x, double low, double high) { return max2(max2(low - x, x - high), 0); }

/* How far a point is from some bounds along both axes. */
SAT_INLINE sat_Vec2 way_to_bounds(const float *bounds, sat_Vec2 p) {
  return vec2(way_to(p.x, -(double)bounds[2], (double)bounds[0]),
              way_to(p.y, -(double)bounds[3], (double)bounds[1]));
}

/* Half the length of the chord at a distance from the centre of a disc. */
static double half_chord(double radius, double outside) {
  if (outside == 0) return radius;
  return radius > outside ? sqrt(radius - outside) * sqrt(radius + outside) : 0;
}

/* Restricts the search to a box around what this round searches, within the bounds of the level
 * where the point is outside of all bounds, and within the disc of the visitor's limit. */
SAT_INLINE sat_Rectangle restrict_search(NearestSearch *near) {
  sat_Vec2 p = near->point;
  double radius = min2(near->radius, near->visitor.limit);
  double error = (max2(fabs(p.x), fabs(p.y)) + radius) * SAT_SQUARE_ERROR;
  double x = radius + error, y = x;
  if (near->outside > 0) {
    error += sqrt(SAT_UNDERFLOW_ERROR);
    sat_Vec2 way = way_to_bounds(sat_level_bounds(near->search.tree, near->level), p);
    y = half_chord(x + error, way.x) + error;
    x = half_chord(x + error, way.y) + error;
  }
  sat_Rectangle box = {p.x - x, p.y - y, 2 * x, 2 * y};
  near->search.limits = sat_overlap_limits(sat_rectangle_float_box(&box));
  return box;
}

static bool visit_near_entries(sat_EntrySearch *search) {
  NearestSearch *near = (NearestSearch *)search;
  sat_Neighbor *found = near->visitor.found;
  uint32_t count = 0;
  double limit = near->visitor.limit;
  for (uint32_t i = 0; i < search->count; i++) {
    sat_Item item = search->tree->entries[search->entries[i]].id & ~SAT_STATIC_BIT;
    const sat_Rectangle *box = &search->tree->boxes[item];
    double dx = way_to(near->point.x, box->x, sat_right(box));
    double dy = way_to(near->point.y, box->y, sat_bottom(box)), distance = hypotenuse(dx, dy);
    double radius = near->outside > 0 ? distance : max2(dx, dy);
    if (radius <= near->done || radius > near->radius || distance > limit) continue;
    found[count++] = (sat_Neighbor){distance, item};
  }
  near->visitor.count = count;
  if (!visit_in_order(&near->visitor)) return false;
  if (near->visitor.limit < near->radius) restrict_search(near);
  return true;
}

static bool search_round(NearestSearch *near) {
  sat_Rectangle box;
  if (near->outside == 0) {
    box = restrict_search(near);
    return sat_search_box(&near->search, &box);
  }
  near->search.count = 0;
  for (uint64_t levels = near->search.tree->used_levels; levels;) {
    near->level = &near->search.tree->levels[sat_next_level(&levels)];
    box = restrict_search(near);
    if (!sat_search_within_bounds(&near->search, near->level, &box)) return false;
  }
  return true;
}

/* Each round reaches twice as far into the bounds of all levels as the last one, and skips what it
 * has found. The round after a good part of all entries has been compared is the last. */
static void search_near(NearestSearch *near) {
  const sat_Quadtree *tree = near->search.tree;
  double inverse = sat_finest_level(tree)->inverse;
  double step = inverse > 0 ? 1 / inverse / 2 : EVERYWHERE;
  sat_Vec2 way = way_to_bounds(tree->bounds, near->point);
  near->outside = min2(hypotenuse(way.x, way.y), EVERYWHERE);
  near->done = -1;
  for (;;) {
    near->radius = min2(near->outside + step, near->visitor.limit);
    if (near->search.compared > tree->count / 4) near->radius = EVERYWHERE;
    if (!search_round(near)) return;
    if (near->radius >= near->visitor.limit || near->radius >= EVERYWHERE) return;
    near->done = near->radius;
    step *= 2;
  }
}

sat_Status sat_quadtree_nearest(sat_Quadtree *tree, sat_Vec2 point, double limit, sat_Visit visit,
                                void *context) {
  if (!in_range(point.x) || !in_range(point.y)) return SAT_ERANGE;
  if (!(limit >= 0)) return SAT_EVALUE;
  sat_Status status = sat_quadtree_flush(tree);
  if (status) return status;
  NearestSearch near;
  near.search.tree = tree;
  near.search.visit_entries = visit_near_entries;
  near.search.compared = 0;
  near.point = point;
  near.level = sat_finest_level(tree);
  near.visitor.visit = visit;
  near.visitor.context = context;
  near.visitor.limit = limit;
  search_near(&near);
  return SAT_OK;
}

/* ---------------------------------------------------------------- along a segment */

/* The number of columns in one step of the search, or of rows for a steep segment; and the most
 * rows and entries of a level in the box of a whole way that are searched in one step. */
enum { COLUMNS_PER_STEP = 3, MOST_ROWS_AT_ONCE = 4, MOST_AT_ONCE = 64 };

/* A segment, or the way of the corner of least x and y of a box that moves. */
typedef struct TreeRay {
  sat_EntrySearch search;
  sat_Vec2 from, to, way;
  bool leftward, upward;
  sat_Vec2 size;       /* of the box */
  sat_Rectangle swept; /* the box of the whole way, rounded outward */
  const sat_Level *level;
  sat_CellRange range; /* the cells of this step; the search also finds entries of other cells */
  Visitor visitor;
} TreeRay;

/* The greatest and the least cross product of the segment with the way from its start to a corner
 * of a box, and a bound of their rounding errors. A box has corners on both sides of the line
 * through the segment if the greatest is above 0 and the least below. */
typedef struct Sides {
  double most, least, error;
} Sides;

SAT_INLINE Sides sides_of(const TreeRay *ray, double left, double top, double right,
                          double bottom) {
  double p = ray->way.x * (top - ray->from.y), q = ray->way.x * (bottom - ray->from.y);
  double r = ray->way.y * (left - ray->from.x), s = ray->way.y * (right - ray->from.x);
  double size = max2(fabs(p), fabs(q)) + max2(fabs(r), fabs(s));
  return (Sides){max2(p, q) - min2(r, s), min2(p, q) - max2(r, s),
                 size * SAT_SEGMENT_ERROR + SAT_UNDERFLOW_ERROR};
}

/* Whether a box meets the segment: their bounds overlap, and the line through the segment meets the
 * box. Where rounded numbers cannot tell, the exact orientations of two opposite corners decide. */
static bool ray_meets(const TreeRay *ray, const sat_Rectangle *box) {
  sat_Vec2 a = ray->from, b = ray->to;
  double x[2] = {box->x, sat_right(box)}, y[2] = {box->y, sat_bottom(box)};
  if (min2(a.x, b.x) > x[1] || max2(a.x, b.x) < x[0]) return false;
  if (min2(a.y, b.y) > y[1] || max2(a.y, b.y) < y[0]) return false;
  Sides sides = sides_of(ray, x[0], y[0], x[1], y[1]);
  if (sides.most > sides.error && sides.least < -sides.error) return true;
  sat_Vec2 most = vec2(x[ray->upward], y[!ray->leftward]);
  sat_Vec2 least = vec2(x[!ray->upward], y[ray->leftward]);
  return sat_orientation(a, b, most) >= 0 && sat_orientation(a, b, least) <= 0;
}

/* The fraction of the segment at which its coordinate enters the range from `least` to `least` +
 * `size`. */
static double enter_time(double from, double way, double least, double size, bool backward) {
  double sides[2] = {least, least + size};
  return way == 0 ? 0 : (sides[backward] - from) / way;
}

/* The part of the way, between two fractions, within an interval of one coordinate. */
SAT_INLINE void clip_way(double from, double way, double low, double high, double *t0, double *t1) {
  if (way == 0) {
    if (from < low || from > high) *t1 = -1;
    return;
  }
  double a = (low - from) / way, b = (high - from) / way;
  *t0 = max2(*t0, min2(a, b));
  *t1 = min2(*t1, max2(a, b));
}

/* The part of the way where the moving box overlaps another one along one axis, rounded outward. */
static void clip_to_box(double from, double size, double way, double low, double high, double *t0,
                        double *t1) {
  double error = (fabs(from) + size + fabs(low) + fabs(high)) * SAT_BOX_ERROR;
  clip_way(from, way, low - size - error, high + error, t0, t1);
}

SAT_INLINE bool in_range_cells(const TreeRay *ray, const sat_Rectangle *box) {
  int32_t column, row;
  sat_find_cell(ray->search.tree, ray->level, box->x, box->y, &column, &row);
  return column >= ray->range.left && column <= ray->range.right && row >= ray->range.top &&
         row <= ray->range.bottom;
}

/* Drops entries whose float boxes lie on one side of the line through the segment, beyond any
 * rounding error. No branch depends on the entries' boxes. */
static void drop_beside_line(TreeRay *ray) {
  sat_EntrySearch *search = &ray->search;
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->count; i++) {
    const float *box = search->tree->entries[search->entries[i]].float_box;
    Sides sides = sides_of(ray, (double)box[0], (double)box[1], -(double)box[2], -(double)box[3]);
    search->entries[count] = search->entries[i];
    count += (sides.most >= -sides.error) & (sides.least <= sides.error);
  }
  search->count = count;
}

static bool visit_ray_entries(sat_EntrySearch *search) {
  TreeRay *ray = (TreeRay *)search;
  sat_Neighbor *found = ray->visitor.found;
  uint32_t count = 0;
  drop_beside_line(ray);
  for (uint32_t i = 0; i < search->count; i++) {
    sat_Item item = search->tree->entries[search->entries[i]].id & ~SAT_STATIC_BIT;
    const sat_Rectangle *box = &search->tree->boxes[item];
    if (!in_range_cells(ray, box) || !ray_meets(ray, box)) continue;
    double tx = enter_time(ray->from.x, ray->way.x, box->x, box->w, ray->leftward);
    double ty = enter_time(ray->from.y, ray->way.y, box->y, box->h, ray->upward);
    double t = clamp(max2(tx, ty), 0, 1);
    if (t <= ray->visitor.limit) found[count++] = (sat_Neighbor){t, item};
  }
  ray->visitor.count = count;
  return visit_in_order(&ray->visitor);
}

static bool visit_cast_entries(sat_EntrySearch *search) {
  TreeRay *ray = (TreeRay *)search;
  sat_Neighbor *found = ray->visitor.found;
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->count; i++) {
    sat_Item item = search->tree->entries[search->entries[i]].id & ~SAT_STATIC_BIT;
    const sat_Rectangle *box = &search->tree->boxes[item];
    double t = 0, leave = ray->visitor.limit;
    clip_to_box(ray->from.x, ray->size.x, ray->way.x, box->x, sat_right(box), &t, &leave);
    clip_to_box(ray->from.y, ray->size.y, ray->way.y, box->y, sat_bottom(box), &t, &leave);
    if (t <= leave && in_range_cells(ray, box)) found[count++] = (sat_Neighbor){t, item};
  }
  ray->visitor.count = count;
  return visit_in_order(&ray->visitor);
}

/* Vectors whose x is along the major axis of the segment and whose y is across it. Of a level: the
 * sides of its bounds, the width of its cells, and an upper bound of the rounding error of a point
 * on the segment and of a cell's edge. */
typedef struct Axes {
  sat_Vec2 from, way, size, origin;
  bool steep;
  sat_Vec2 low, high;
  double cell, error;
} Axes;

static void set_level(Axes *axes, const sat_Level *level, const float *bounds) {
  bool steep = axes->steep;
  double along = fabs(axes->from.x) + fabs(axes->way.x) + axes->size.x + fabs(axes->origin.x);
  double across = fabs(axes->from.y) + fabs(axes->way.y) + axes->size.y;
  axes->cell = 1 / level->inverse;
  axes->error = (along + across) * SAT_SEGMENT_ERROR + axes->cell * SAT_CELL_EDGE_ERROR;
  axes->low =
      vec2(-(double)bounds[2 + steep] - axes->error, -(double)bounds[3 - steep] - axes->error);
  axes->high = vec2((double)bounds[steep] + axes->error, (double)bounds[1 - steep] + axes->error);
}

/* The coordinates at which column `first` begins, and at which boxes of column `last` end. */
static double begin_of_axis(const Axes *axes, int32_t first) {
  return axes->origin.x + ((double)first - SAT_MIDDLE_CELL) * axes->cell - axes->error;
}
static double end_of_axis(const Axes *axes, int32_t last) {
  return axes->origin.x + ((double)last + 2 - SAT_MIDDLE_CELL) * axes->cell + axes->error;
}

/* Searches columns `first` to `last`, or rows for a steep way, between two fractions. */
static bool search_step(TreeRay *ray, const Axes *axes, int32_t first, int32_t last, double t0,
                        double t1) {
  double inverse = ray->level->inverse, p = axes->from.y + axes->way.y * t0,
         q = axes->from.y + axes->way.y * t1;
  double low = begin_of_axis(axes, first), high = end_of_axis(axes, last);
  double least = max2(min2(p, q) - axes->error, axes->low.y);
  double most = min2(max2(p, q) + axes->size.y + axes->error, axes->high.y);
  if (least > most) return true;
  int32_t before = (int32_t)sat_in_cells(least, axes->origin.y, inverse) - 1;
  int32_t behind = (int32_t)sat_in_cells(most, axes->origin.y, inverse);
  ray->range = axes->steep ? (sat_CellRange){before, behind, first, last}
                           : (sat_CellRange){first, last, before, behind};
  sat_Rectangle along = {low, least, high - low, most - least};
  sat_Rectangle upright = {least, low, most - least, high - low};
  ray->search.limits = sat_overlap_limits(sat_rectangle_float_box(axes->steep ? &upright : &along));
  return sat_search_level(&ray->search, ray->level, ray->range);
}

/* Finds the cells that the box of the whole way reaches, if these are few rows with few entries. */
SAT_INLINE bool find_few_ahead(const TreeRay *ray, sat_CellRange *range) {
  const sat_Quadtree *tree = ray->search.tree;
  const sat_Level *level = ray->level;
  const sat_Rectangle *swept = &ray->swept;
  if (swept->h * level->inverse > MOST_ROWS_AT_ONCE) return false;
  *range = sat_range_of(tree, level, swept->x, swept->y, sat_right(swept), sat_bottom(swept));
  const uint32_t *starts = tree->starts + level->first;
  uint32_t columns = (uint32_t)(range->right - range->left) + 1, entries = 0;
  if (sat_range_meets_itself(level, *range)) return false;
  for (int32_t row = range->top; row <= range->bottom && entries <= MOST_AT_ONCE; row++) {
    uint32_t cell = sat_wrapped_index(level, range->left, row);
    if (cell + columns > level->mask + 1) return false;
    entries += starts[cell + columns] - starts[cell];
  }
  return entries <= MOST_AT_ONCE;
}

/* The range of more cells than any level has. */
static const sat_CellRange ALL_CELLS = {INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX};

/* Searches a range for the box of the whole way. */
static bool search_at_once(TreeRay *ray, sat_CellRange range) {
  ray->range = ALL_CELLS;
  ray->search.limits = sat_overlap_limits(sat_rectangle_float_box(&ray->swept));
  return sat_search_level(&ray->search, ray->level, range);
}

/* The columns of the level that the way may meet. False: there are none. */
static bool find_columns(const TreeRay *ray, const Axes *axes, int32_t *first, int32_t *last) {
  double inverse = ray->level->inverse, t0 = 0, t1 = min2(ray->visitor.limit, 1);
  clip_way(axes->from.y, axes->way.y, axes->low.y - axes->size.y, axes->high.y, &t0, &t1);
  double a = axes->from.x + axes->way.x * t0, b = axes->from.x + axes->way.x * t1;
  double low = max2(min2(a, b) - axes->error, axes->low.x);
  double high = min2(max2(a, b) + axes->size.x + axes->error, axes->high.x);
  *first = (int32_t)sat_in_cells(low, axes->origin.x, inverse) - 1;
  *last = (int32_t)sat_in_cells(high, axes->origin.x, inverse);
  return t0 <= t1 && low <= high;
}

/* Searches a level from start to end, a few columns at a time. The whole level is searched at
 * once where the segment crosses more columns than the level has cells, and where the segment
 * reaches the clamped columns. */
static bool search_along(TreeRay *ray, const Axes *axes) {
  int32_t first, last;
  if (!find_columns(ray, axes, &first, &last)) return true;
  uint32_t all = (uint32_t)last - (uint32_t)first;
  if (all > ray->level->mask || first <= 0 || last >= (int32_t)SAT_LAST_CELL - 1)
    return search_at_once(ray, ALL_CELLS);
  uint32_t step = COLUMNS_PER_STEP + (uint32_t)min2(axes->size.x * ray->level->inverse, all);
  for (uint32_t done = 0; done <= all; done += step) {
    int32_t more = (int32_t)(all - done < step ? all - done : step - 1);
    int32_t from = axes->way.x >= 0 ? first + (int32_t)done : last - (int32_t)done - more;
    double t0 = 0, t1 = min2(ray->visitor.limit, 1), low = begin_of_axis(axes, from);
    clip_way(axes->from.x, axes->way.x, low - axes->size.x, end_of_axis(axes, from + more), &t0,
             &t1);
    if (t0 > t1) return true; /* later columns are beyond the limit, too */
    if (!search_step(ray, axes, from, from + more, t0, t1)) return false;
  }
  return true;
}

static sat_Vec2 swapped(sat_Vec2 v, bool swap) { return swap ? vec2(v.y, v.x) : v; }

static Axes axes_of(const TreeRay *ray) {
  bool steep = fabs(ray->way.y) > fabs(ray->way.x);
  return (Axes){.from = swapped(ray->from, steep),
                .way = swapped(ray->way, steep),
                .size = swapped(ray->size, steep),
                .origin = swapped(ray->search.tree->origin, steep),
                .steep = steep};
}

/* Searches the levels, each in steps along the way, or in one step where little is ahead. */
static void search_ray(TreeRay *ray) {
  const sat_Quadtree *tree = ray->search.tree;
  Axes axes = {.cell = 0};
  for (uint64_t levels = tree->used_levels; levels;) {
    const sat_Level *level = ray->level = &tree->levels[sat_next_level(&levels)];
    ray->search.count = 0;
    sat_CellRange range = ALL_CELLS;
    if (sat_is_small(level) || !(level->inverse > 0) || find_few_ahead(ray, &range)) {
      if (!search_at_once(ray, range)) return;
      continue;
    }
    if (axes.cell == 0) axes = axes_of(ray);
    set_level(&axes, level, sat_level_bounds(tree, level));
    if (!search_along(ray, &axes)) return;
  }
}

SAT_INLINE sat_Status walk(sat_Quadtree *tree, sat_Rectangle box, sat_Vec2 way, sat_Vec2 to,
                           bool (*visit_entries)(sat_EntrySearch *), sat_Visit visit,
                           void *context) {
  TreeRay ray;
  sat_Status status = sat_quadtree_flush(tree);
  if (status) return status;
  ray.search.tree = tree;
  ray.search.visit_entries = visit_entries;
  ray.search.compared = 0;
  ray.from = vec2(box.x, box.y);
  ray.to = to;
  ray.way = way;
  ray.size = vec2(box.w, box.h);
  ray.leftward = way.x < 0;
  ray.upward = way.y < 0;
  ray.visitor.visit = visit;
  ray.visitor.context = context;
  ray.visitor.limit = 1;
  double x = (fabs(box.x) + fabs(to.x) + box.w) * SAT_SEGMENT_ERROR, left = min2(box.x, to.x) - x;
  double y = (fabs(box.y) + fabs(to.y) + box.h) * SAT_SEGMENT_ERROR, top = min2(box.y, to.y) - y;
  ray.swept = (sat_Rectangle){left, top, max2(box.x, to.x) + box.w + x - left,
                              max2(box.y, to.y) + box.h + y - top};
  search_ray(&ray);
  return SAT_OK;
}

sat_Status sat_quadtree_raycast(sat_Quadtree *tree, sat_Vec2 from, sat_Vec2 to, sat_Visit visit,
                                void *context) {
  if (!in_range(from.x) || !in_range(from.y) || !in_range(to.x) || !in_range(to.y))
    return SAT_ERANGE;
  sat_Rectangle start = {from.x, from.y, 0, 0};
  return walk(tree, start, sub(to, from), to, visit_ray_entries, visit, context);
}

sat_Status sat_tree_cast(sat_Quadtree *tree, sat_Rectangle box, sat_Vec2 motion, sat_Visit visit,
                         void *context) {
  sat_Vec2 to = vec2(box.x + motion.x, box.y + motion.y);
  return walk(tree, box, motion, to, visit_cast_entries, visit, context);
}

/* ---------------------------------------------------------------- lists of the nearest */

/* The list becomes a heap with the farthest item on top once it has as many as are wanted. */
sat_Status sat_neighbors_keep(sat_Neighbors *neighbors, sat_Neighbor neighbor, size_t wanted) {
  if (neighbors->count == wanted) {
    if (!sat_comes_later(&neighbors->at[0], &neighbor)) return SAT_OK;
    neighbors->at[0] = neighbor;
    found_sift_down(neighbors->at, wanted, 0);
    return SAT_OK;
  }
  if (SAT_LIST_ADD(neighbors, neighbor)) return SAT_ENOMEM;
  if (neighbors->count == wanted) found_heapify(neighbors->at, wanted);
  return SAT_OK;
}

void sat_neighbors_sort(sat_Neighbors *neighbors) { found_sort(neighbors->at, neighbors->count); }

typedef struct ItemQuery {
  sat_Neighbors *found;
  size_t wanted;
  double limit;
  sat_Status status;
} ItemQuery;

static double visit_item_near(void *context, sat_Item item, double distance) {
  ItemQuery *query = context;
  sat_Neighbors *found = query->found;
  query->status = sat_neighbors_keep(found, (sat_Neighbor){distance, item}, query->wanted);
  if (query->status) return -1;
  return found->count < query->wanted ? query->limit : found->at[0].distance;
}

static sat_Status finish_item_query(const ItemQuery *query, sat_Status status) {
  if (!status) status = query->status;
  if (status) query->found->count = 0;
  sat_neighbors_sort(query->found);
  return status;
}

sat_Status sat_quadtree_raycast_all(sat_Quadtree *tree, sat_Vec2 from, sat_Vec2 to,
                                    sat_Neighbors *found) {
  ItemQuery query = {found, SIZE_MAX, 1, SAT_OK};
  found->count = 0;
  return finish_item_query(&query, sat_quadtree_raycast(tree, from, to, visit_item_near, &query));
}

sat_Status sat_quadtree_nearest_all(sat_Quadtree *tree, sat_Vec2 point, size_t count, double limit,
                                    sat_Neighbors *found) {
  ItemQuery query = {found, count, limit, SAT_OK};
  found->count = 0;
  if (count == 0) return SAT_OK;
  return finish_item_query(&query,
                           sat_quadtree_nearest(tree, point, limit, visit_item_near, &query));
}
