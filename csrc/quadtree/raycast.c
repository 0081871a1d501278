/* raycast.c: finds the items near a point and along a segment. */
#include "base/predicates.h"
#include "quadtree/levels.h"

/* ---------------------------------------------------------------- near a point */

/* A distance larger than any between two boxes. */
#define EVERYWHERE 0x1p54

typedef struct NearestSearch {
  sat_EntrySearch search;
  sat_Vec2 point;
  double done, half_side; /* half sides of the square already searched, and of the present one */
  double limit;           /* the greatest distance still wanted */
  sat_Visit visit;
  void *context;
} NearestSearch;

/* The result is exact along an axis, where the square of a small number could underflow. */
static double hypotenuse(double dx, double dy) {
  if (dx == 0 || dy == 0) return dx + dy;
  return sqrt(dx * dx + dy * dy);
}

/* A square that contains all points within `distance` of `p`. */
static sat_Rectangle square_around(sat_Vec2 p, double distance) {
  double error = (max2(fabs(p.x), fabs(p.y)) + distance) * SAT_SQUARE_ERROR,
         half = distance + error;
  return (sat_Rectangle){p.x - half, p.y - half, 2 * half, 2 * half};
}

/* Restricts the search to the distance limit, where the limit is less than the square's half
 * side. */
static void lower_limit(NearestSearch *near) {
  if (near->limit >= near->half_side) return;
  sat_Rectangle square = square_around(near->point, near->limit);
  near->search.limits = sat_overlap_limits(sat_rectangle_float_box(&square));
}

static bool visit_near_entries(sat_EntrySearch *search) {
  NearestSearch *near = (NearestSearch *)search;
  for (uint32_t i = 0; i < search->count; i++) {
    sat_Item item = search->tree->entries[search->entries[i]].id & ~SAT_STATIC_BIT;
    const sat_Rectangle *box = &search->tree->boxes[item];
    double dx = max2(max2(box->x - near->point.x, near->point.x - sat_right(box)), 0);
    double dy = max2(max2(box->y - near->point.y, near->point.y - sat_bottom(box)), 0);
    double square = max2(dx, dy), distance = hypotenuse(dx, dy);
    if (square <= near->done || square > near->half_side || distance > near->limit) continue;
    near->limit = near->visit(near->context, item, distance);
    if (!(near->limit >= 0)) return false;
  }
  lower_limit(near);
  return true;
}

/* Whether every level would be searched whole for the square. */
static bool covers_all(const sat_Quadtree *tree, sat_Vec2 p, double half) {
  for (uint64_t levels = tree->used_levels; levels;) {
    const sat_Level *level = &tree->levels[sat_next_level(&levels)];
    sat_CellRange range = sat_range_of(tree, level, p.x - half, p.y - half, p.x + half, p.y + half);
    if (level->inverse > 0 && !sat_range_meets_itself(level, range)) return false;
  }
  return true;
}

/* Searches squares, each twice as wide as the previous one, and skips items of the previous
 * square. */
static void search_near(NearestSearch *near) {
  const sat_Quadtree *tree = near->search.tree;
  sat_Vec2 p = near->point;
  near->done = -1;
  double inverse = sat_finest_level(tree)->inverse;
  near->half_side = inverse > 0 ? 1 / inverse / 2 : EVERYWHERE;
  for (;;) {
    if (near->half_side > near->limit) near->half_side = near->limit;
    if (near->half_side > EVERYWHERE || covers_all(tree, p, near->half_side))
      near->half_side = EVERYWHERE;
    sat_Rectangle square = square_around(p, near->half_side);
    if (!sat_search_box(&near->search, &square)) return;
    if (near->half_side >= near->limit || near->half_side >= EVERYWHERE) return;
    near->done = near->half_side;
    near->half_side *= 2;
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
  near.limit = limit;
  near.visit = visit;
  near.context = context;
  search_near(&near);
  return SAT_OK;
}

/* ---------------------------------------------------------------- along a segment */

/* The number of columns in one step of the search, or of rows for a steep segment. */
enum { COLUMNS_PER_STEP = 3 };

typedef struct TreeRay {
  sat_EntrySearch search;
  sat_Vec2 from, to, way;
  bool leftward, upward;
  const sat_Level *level;
  sat_CellRange range; /* the cells of this step; the search also finds entries of other cells */
  double limit;
  sat_Visit visit;
  void *context;
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

static double entry_fraction(const TreeRay *ray, const sat_Rectangle *box) {
  double tx = enter_time(ray->from.x, ray->way.x, box->x, box->w, ray->leftward);
  double ty = enter_time(ray->from.y, ray->way.y, box->y, box->h, ray->upward);
  return clamp(max2(tx, ty), 0, 1);
}

static bool in_range_cells(const TreeRay *ray, const sat_Rectangle *box) {
  int32_t column = sat_column(ray->search.tree, ray->level, box->x);
  int32_t row = sat_row(ray->search.tree, ray->level, box->y);
  return column >= ray->range.left && column <= ray->range.right && row >= ray->range.top &&
         row <= ray->range.bottom;
}

/* Inserts an item into a list sorted by `t`. */
static void insert_sorted(sat_Item *items, double *times, uint32_t count, sat_Item item, double t) {
  uint32_t at = count;
  for (; at > 0 && times[at - 1] > t; at--) {
    times[at] = times[at - 1];
    items[at] = items[at - 1];
  }
  times[at] = t;
  items[at] = item;
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

/* Visits the collected items in the order in which the ray enters their boxes, so that the limit of
 * a caller that wants the first hit soon excludes the others. */
static bool visit_ray_entries(sat_EntrySearch *search) {
  TreeRay *ray = (TreeRay *)search;
  sat_Item items[2 * SAT_SEARCH_ROOM];
  double times[2 * SAT_SEARCH_ROOM];
  uint32_t count = 0;
  drop_beside_line(ray);
  for (uint32_t i = 0; i < search->count; i++) {
    sat_Item item = search->tree->entries[search->entries[i]].id & ~SAT_STATIC_BIT;
    const sat_Rectangle *box = &search->tree->boxes[item];
    if (!in_range_cells(ray, box) || !ray_meets(ray, box)) continue;
    double t = entry_fraction(ray, box);
    if (t <= ray->limit) insert_sorted(items, times, count++, item, t);
  }
  for (uint32_t i = 0; i < count && times[i] <= ray->limit; i++) {
    ray->limit = ray->visit(ray->context, items[i], times[i]);
    if (!(ray->limit >= 0)) return false;
  }
  return true;
}

/* The major axis of the segment, and the minor one (`across`). */
typedef struct Axes {
  double from, way, across_from, across_way;
  double origin, across_origin;
  bool steep;
} Axes;

/* An upper bound of the rounding error of a point on the segment and of a cell's edge. */
static double ray_error_bound(const Axes *axes, double cell) {
  double along = fabs(axes->from) + fabs(axes->way) + fabs(axes->origin);
  return (along + fabs(axes->across_from) + fabs(axes->across_way)) * SAT_SEGMENT_ERROR +
         cell * SAT_CELL_EDGE_ERROR;
}

/* The coordinates at which column `first` begins, and at which boxes of column `last` end. */
static double begin_of_axis(const Axes *axes, double cell, int32_t first) {
  return axes->origin + ((double)first - SAT_MIDDLE_CELL) * cell - ray_error_bound(axes, cell);
}
static double end_of_axis(const Axes *axes, double cell, int32_t last) {
  return axes->origin + ((double)last + 2 - SAT_MIDDLE_CELL) * cell + ray_error_bound(axes, cell);
}

/* The range of the segment's minor coordinate between two major coordinates. */
static void range_across(const Axes *axes, double low, double high, double *least, double *most) {
  double t0 = 0, t1 = 1;
  if (axes->way != 0) {
    double a = (low - axes->from) / axes->way, b = (high - axes->from) / axes->way;
    t0 = clamp(min2(a, b), 0, 1);
    t1 = clamp(max2(a, b), 0, 1);
  }
  double p = axes->across_from + axes->across_way * t0;
  double q = axes->across_from + axes->across_way * t1;
  *least = min2(p, q);
  *most = max2(p, q);
}

/* Searches columns `first` to `last`, or rows for a steep segment. */
static bool search_step(TreeRay *ray, const Axes *axes, int32_t first, int32_t last) {
  double inverse = ray->level->inverse, cell = 1 / inverse,
         error_bound = ray_error_bound(axes, cell);
  double low = begin_of_axis(axes, cell, first), high = end_of_axis(axes, cell, last), least, most;
  range_across(axes, low, high, &least, &most);
  least -= error_bound;
  most += error_bound;
  int32_t before = (int32_t)sat_in_cells(least, axes->across_origin, inverse) - 1;
  int32_t behind = (int32_t)sat_in_cells(most, axes->across_origin, inverse);
  ray->range = axes->steep ? (sat_CellRange){before, behind, first, last}
                           : (sat_CellRange){first, last, before, behind};
  sat_Rectangle along = {low, least, high - low, most - least};
  sat_Rectangle upright = {least, low, most - least, high - low};
  ray->search.limits = sat_overlap_limits(sat_rectangle_float_box(axes->steep ? &upright : &along));
  return sat_search_level(&ray->search, ray->level, ray->range);
}

/* Whether all boxes of these columns and of later ones are entered after the limit. */
static bool beyond_limit(const TreeRay *ray, const Axes *axes, int32_t first, int32_t last) {
  double cell = 1 / ray->level->inverse;
  if (axes->way > 0) return begin_of_axis(axes, cell, first) - axes->from > axes->way * ray->limit;
  return axes->from - end_of_axis(axes, cell, last) > -axes->way * ray->limit;
}

static bool search_everything(TreeRay *ray) {
  ray->range = (sat_CellRange){INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX};
  sat_Vec2 a = ray->from, b = ray->to;
  ray->search.limits = sat_overlap_limits(
      sat_float_box(min2(a.x, b.x), min2(a.y, b.y), max2(a.x, b.x), max2(a.y, b.y)));
  return sat_search_whole_level(&ray->search, ray->level);
}

/* Searches a level from start to end, a few columns at a time. The whole level is searched at
 * once where it is small or has a single cell, where the segment crosses more columns than the
 * level has cells, and where the segment reaches the clamped columns. */
static bool search_along(TreeRay *ray, const Axes *axes) {
  double inverse = ray->level->inverse, end = axes->from + axes->way;
  if (sat_is_small(ray->level)) return search_everything(ray);
  int32_t first = (int32_t)sat_in_cells(min2(axes->from, end), axes->origin, inverse) - 1;
  int32_t last = (int32_t)sat_in_cells(max2(axes->from, end), axes->origin, inverse);
  uint32_t all = (uint32_t)last - (uint32_t)first;
  if (!(inverse > 0) || all > ray->level->mask || first <= 0 || last >= (int32_t)SAT_LAST_CELL - 1)
    return search_everything(ray);
  for (uint32_t done = 0; done <= all; done += COLUMNS_PER_STEP) {
    int32_t more = (int32_t)(all - done < COLUMNS_PER_STEP ? all - done : COLUMNS_PER_STEP - 1);
    int32_t from = axes->way >= 0 ? first + (int32_t)done : last - (int32_t)done - more;
    if (beyond_limit(ray, axes, from, from + more)) return true;
    if (!search_step(ray, axes, from, from + more)) return false;
  }
  return true;
}

static bool search_ray(TreeRay *ray) {
  sat_Vec2 from = ray->from, way = ray->way, origin = ray->search.tree->origin;
  Axes flat = {from.x, way.x, from.y, way.y, origin.x, origin.y, false};
  Axes steep = {from.y, way.y, from.x, way.x, origin.y, origin.x, true};
  const Axes *axes = fabs(way.y) > fabs(way.x) ? &steep : &flat;
  for (uint64_t levels = ray->search.tree->used_levels; levels;) {
    ray->level = &ray->search.tree->levels[sat_next_level(&levels)];
    ray->search.count = 0;
    if (!search_along(ray, axes)) return false;
  }
  return true;
}

sat_Status sat_quadtree_raycast(sat_Quadtree *tree, sat_Vec2 from, sat_Vec2 to, sat_Visit visit,
                                void *context) {
  if (!in_range(from.x) || !in_range(from.y) || !in_range(to.x) || !in_range(to.y))
    return SAT_ERANGE;
  sat_Status status = sat_quadtree_flush(tree);
  if (status) return status;
  TreeRay ray;
  ray.search.tree = tree;
  ray.search.visit_entries = visit_ray_entries;
  ray.search.compared = 0;
  ray.from = from;
  ray.to = to;
  ray.way = sub(to, from);
  ray.leftward = to.x < from.x;
  ray.upward = to.y < from.y;
  ray.limit = 1;
  ray.visit = visit;
  ray.context = context;
  search_ray(&ray);
  return SAT_OK;
}
