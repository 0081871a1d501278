/* simplify.c: leaves out vertices of rings, the least error first, while no ring meets another.
 *
 * A vertex may go if no other vertex lies in the triangle with its two neighbours: then no edge
 * crosses the triangle, and the new edge meets none. The vertices that an edge replaces follow each
 * other as given, so that a tree over these, of rectangles in any direction, finds the one that is
 * farthest from the edge: a branch whose rectangle is nearer than what has been found is left out,
 * and of branches that lie along a line or a cloud the hull is enough. Visvalingam and Whyatt, Line
 * generalisation by repeated elimination of points, 1993, by distance. */
#include "base/box.h"
#include "base/tolerance.h"
#include "polygon/polygon.h"

#define MOST_VERTICES 0x0fffffffu
#define NO_VERTEX UINT32_MAX

typedef struct Vertex {
  double error; /* of leaving it out, a squared distance; or one of these */
  uint32_t before, after, ring;
} Vertex;

#define GONE (-1.0)         /* it has been left out */
#define NEVER_GOES HUGE_VAL /* it is an end, or another vertex blocks it */

/* A node of a binary tree of the vertices that are left, in their order. */
typedef struct Branch {
  sat_Box box;
  double error; /* the least one, of the first vertex that has it */
  uint32_t vertex;
} Branch;

/* The vertices as given below a node of such a tree, in a rectangle of any direction. One that is
 * as thin as they are lies apart from most edges where an upright box does not. In the place of
 * `read` ones below it, the node's hull has `size`, if that is at most half as many. So all hulls
 * together have no more than there are vertices. */
typedef struct Span {
  sat_Vec2 middle, half[2]; /* half: from the middle to two sides */
  uint32_t hull, size, read;
} Span;

/* A leaf has this many vertices; no hull is made of FEW_VERTICES, nor of more than MOST_READ. */
enum { LEAF = 8, FEW_VERTICES = 2 * LEAF, MOST_READ = 64 };

typedef struct Simplifier {
  const sat_Vec2 *points;
  const uint32_t *first; /* of each ring */
  Vertex *at;
  size_t count, leaves;
  double limit;     /* the square of the tolerance */
  uint32_t least;   /* number of vertices of a ring */
  Branch *branches; /* the root is 1, the children of k are 2k and 2k + 1 */
  Span *spans;      /* likewise */
  sat_Vec2 *hulls;
  uint32_t *left; /* for each ring, the number of its vertices */
} Simplifier;

/* ---------------------------------------------------------------- what has been given */

/* Copies what is to be read of the vertices below a node, and returns its number. */
static size_t copy_span(const Simplifier *work, size_t k, sat_Vec2 *to) {
  const Span *span = &work->spans[k];
  if (span->size == 0 && k < work->leaves) {
    size_t half = copy_span(work, 2 * k, to);
    return half + copy_span(work, 2 * k + 1, to + half);
  }
  const sat_Vec2 *from = work->hulls + span->hull;
  if (span->size == 0) from = work->points + (k - work->leaves) * LEAF;
  memcpy(to, from, span->read * sizeof *to);
  return span->read;
}

/* One axis leads to the point that is farthest from the first. `rounding` makes the span larger. */
static Span span_around(const sat_Vec2 *points, size_t count, double rounding) {
  sat_Vec2 axis = vec2(1, 0);
  double most = SAT_UNDERFLOW_ERROR;
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 way = sub(points[i], points[0]);
    if (dot(way, way) <= most) continue;
    most = dot(way, way);
    axis = way;
  }
  if (most > SAT_UNDERFLOW_ERROR) axis = mul(axis, 1 / sqrt(most));
  sat_Box box = sat_no_box();
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 way = sub(points[i], points[0]);
    sat_extend_box(&box, vec2(dot(axis, way), cross(axis, way)));
  }
  sat_Vec2 at = lerp(box.min, box.max, 0.5), side = vec2(-axis.y, axis.x);
  return (Span){.middle = add(points[0], add(mul(axis, at.x), mul(side, at.y))),
                .half = {mul(axis, (box.max.x - box.min.x) / 2 + rounding),
                         mul(side, (box.max.y - box.min.y) / 2 + rounding)}};
}

/* Writes the corners of a span, which has none without vertices. */
static size_t write_corners(const Span *span, sat_Vec2 *corners) {
  if (span->read == 0) return 0;
  for (int i = 0; i < 4; i++)
    corners[i] = add(add(span->middle, mul(span->half[0], i % 2 ? 1 : -1)),
                     mul(span->half[1], i / 2 ? 1 : -1));
  return 4;
}

/* Makes all spans, from the leaves up. A computed place is off by less than 16 units in the last
 * place of the largest coordinate. */
static void fill_spans(const Simplifier *work) {
  struct {
    sat_Vec2 points[MOST_READ + 1];
    uint32_t order[2 * (MOST_READ + 1)];
  } memory;
  double largest = 0;
  for (size_t i = 0; i < work->count; i++)
    largest = max2(largest, max2(fabs(work->points[i].x), fabs(work->points[i].y)));
  double rounding = 2 * SAT_ULPS_8 * largest;
  uint32_t hull = 0;
  for (size_t k = 2 * work->leaves; --k > 0;) {
    Span *span = &work->spans[k];
    size_t from = (k - work->leaves) * LEAF, count = 0;
    uint32_t read = 0;
    sat_Vec2 corners[8];
    const sat_Vec2 *points = corners;
    if (k < work->leaves) {
      const Span *a = &work->spans[2 * k], *b = a + 1;
      count = write_corners(a, corners);
      count += write_corners(b, corners + count);
      read = a->read + b->read;
    } else if (from < work->count) {
      points = work->points + from;
      count = read = (uint32_t)(work->count - from < LEAF ? work->count - from : LEAF);
    }
    *span = (Span){.read = 0};
    if (count) *span = span_around(points, count, rounding);
    span->hull = hull;
    span->read = read;
    if (read <= FEW_VERTICES || read > MOST_READ) continue;
    count = copy_span(work, k, work->hulls + hull);
    count = sat_hull_in(&memory, work->hulls + hull, count);
    if (2 * count > read) continue;
    span->size = span->read = (uint32_t)count;
    hull += span->size;
  }
}

/* ---------------------------------------------------------------- the error of an edge */

/* The edge between a vertex's neighbours, and the greatest squared distances from it so far. */
typedef struct EdgeError {
  sat_Vec2 from, to, along;
  double length;         /* squared */
  double beside, beyond; /* of points beside the edge, times its length, and beyond its ends */
} EdgeError;

static inline void extend_error(EdgeError *edge, const sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 way = sub(points[i], edge->from);
    double ahead = dot(edge->along, way), side = cross(edge->along, way);
    if (ahead > 0 && ahead < edge->length) {
      edge->beside = max2(edge->beside, side * side);
    } else {
      if (ahead > 0) way = sub(points[i], edge->to);
      edge->beyond = max2(edge->beyond, dot(way, way));
    }
  }
}

static double greatest_error(const EdgeError *edge) {
  return edge->beside > 0 ? max2(edge->beyond, edge->beside / edge->length) : edge->beyond;
}

/* How far a span reaches on either side of its middle, times the length of a vector along which
 * this does not count. */
static inline double extent_across(const Span *span, sat_Vec2 along) {
  return fabs(cross(along, span->half[0])) + fabs(cross(along, span->half[1]));
}

/* No point of a span is farther from the edge, by its square. */
static double farthest_in_span(const EdgeError *edge, const Span *span) {
  if (edge->length == 0) return HUGE_VAL;
  sat_Vec2 way = sub(span->middle, edge->from), along = edge->along;
  double ahead = dot(along, way), extent = extent_across(span, vec2(-along.y, along.x));
  double side = fabs(cross(along, way)) + extent_across(span, along);
  double beyond = max2(0, max2(extent - ahead, ahead + extent - edge->length));
  return (side * side + beyond * beyond) / edge->length;
}

/* Takes into account the vertices below a node, the farther branch first. */
static void extend_error_by_span(const Simplifier *work, EdgeError *error, size_t k) {
  const Span *span = &work->spans[k];
  if (farthest_in_span(error, span) <= greatest_error(error)) return;
  if (span->size > 0) {
    extend_error(error, work->hulls + span->hull, span->size);
  } else if (k >= work->leaves) {
    extend_error(error, work->points + (k - work->leaves) * LEAF, span->read);
  } else {
    const Span *a = &work->spans[2 * k], *b = a + 1;
    size_t far = farthest_in_span(error, a) < farthest_in_span(error, b);
    extend_error_by_span(work, error, 2 * k + far);
    extend_error_by_span(work, error, 2 * k + !far);
  }
}

static void extend_error_by_range(const Simplifier *work, EdgeError *error, size_t from,
                                  size_t end) {
  size_t first = (from + LEAF - 1) / LEAF, last = end / LEAF;
  if (first < last) {
    size_t low = first + work->leaves, high = last + work->leaves;
    extend_error(error, work->points + from, first * LEAF - from);
    for (; low < high; low /= 2, high /= 2) {
      if (low % 2) extend_error_by_span(work, error, low++);
      if (high % 2) extend_error_by_span(work, error, --high);
    }
    from = last * LEAF;
  }
  extend_error(error, work->points + from, end - from);
}

static bool is_on_edge(sat_Vec2 from, sat_Vec2 to, sat_Vec2 p) {
  return p.x >= min2(from.x, to.x) && p.x <= max2(from.x, to.x) && p.y >= min2(from.y, to.y) &&
         p.y <= max2(from.y, to.y) && sat_orientation(from, to, p) == 0;
}

/* The greatest squared distance, from the edge between the neighbours of a vertex, of all that this
 * edge would replace. Without a tolerance, all that has been replaced lies on the edges that are
 * there, so that the vertex alone counts. */
static double error_without(const Simplifier *work, uint32_t vertex) {
  const Vertex *v = &work->at[vertex];
  EdgeError error = {.from = work->points[v->before], .to = work->points[v->after]};
  if (work->limit == 0)
    return is_on_edge(error.from, error.to, work->points[vertex]) ? 0 : NEVER_GOES;
  error.along = sub(error.to, error.from);
  error.length = dot(error.along, error.along);
  extend_error(&error, work->points + vertex, 1);
  if (greatest_error(&error) > work->limit) return NEVER_GOES;
  if (v->before < v->after) {
    extend_error_by_range(work, &error, v->before + 1, v->after);
  } else {
    extend_error_by_range(work, &error, v->before + 1, work->first[v->ring + 1]);
    extend_error_by_range(work, &error, work->first[v->ring], v->after);
  }
  return greatest_error(&error);
}

/* ---------------------------------------------------------------- the tree */

static Branch leaf_of(const Simplifier *work, size_t leaf) {
  Branch branch = {sat_no_box(), NEVER_GOES, NO_VERTEX};
  for (size_t i = leaf * LEAF; i < (leaf + 1) * LEAF && i < work->count; i++) {
    double error = work->at[i].error;
    if (error == GONE) continue;
    sat_extend_box(&branch.box, work->points[i]);
    if (!(error < branch.error)) continue;
    branch.error = error;
    branch.vertex = (uint32_t)i;
  }
  return branch;
}

static const Branch *least_branch(const Branch *a, const Branch *b) {
  return b->error < a->error ? b : a;
}

static Branch join_branches(const Branch *a, const Branch *b) {
  Branch both = *least_branch(a, b);
  both.box = a->box;
  sat_grow_box(&both.box, &b->box, 0);
  return both;
}

static void update_errors_above(Simplifier *work, uint32_t vertex) {
  size_t k = work->leaves + vertex / LEAF;
  Branch branch = leaf_of(work, vertex / LEAF);
  while (branch.error != work->branches[k].error || branch.vertex != work->branches[k].vertex) {
    work->branches[k].error = branch.error;
    work->branches[k].vertex = branch.vertex;
    if ((k /= 2) == 0) return;
    branch = *least_branch(&work->branches[2 * k], &work->branches[2 * k + 1]);
  }
}

static void shrink_boxes_above(Simplifier *work, uint32_t vertex) {
  sat_Vec2 p = work->points[vertex];
  size_t k = work->leaves + vertex / LEAF;
  work->branches[k].box = leaf_of(work, vertex / LEAF).box;
  while ((k /= 2) > 0) {
    sat_Box *box = &work->branches[k].box;
    if (p.x > box->min.x && p.x < box->max.x && p.y > box->min.y && p.y < box->max.y) return;
    *box = join_branches(&work->branches[2 * k], &work->branches[2 * k + 1]).box;
  }
}

/* ---------------------------------------------------------------- vertices in a triangle */

/* A triangle in the order of positive area, which may be none, and its box. */
typedef struct Triangle {
  sat_Vec2 a, b, c;
  sat_Box box;
} Triangle;

/* Whether a span certainly lies beyond the line from a to b. */
static inline bool is_beyond_edge(sat_Vec2 a, sat_Vec2 b, const Span *span) {
  sat_Vec2 edge = sub(b, a);
  return cross(edge, sub(span->middle, a)) + extent_across(span, edge) < 0;
}

/* Whether a triangle certainly lies beyond two sides of a span. */
static inline bool is_beyond_sides(const Triangle *triangle, const Span *span, sat_Vec2 half) {
  double a = dot(half, sub(triangle->a, span->middle)),
         b = dot(half, sub(triangle->b, span->middle)),
         c = dot(half, sub(triangle->c, span->middle)), extent = dot(half, half);
  return min2(a, min2(b, c)) > extent || max2(a, max2(b, c)) < -extent;
}

static bool has_vertex_in_leaf(const Simplifier *work, const Triangle *triangle, size_t leaf,
                               const uint32_t own[3]) {
  for (size_t i = leaf * LEAF; i < (leaf + 1) * LEAF && i < work->count; i++) {
    sat_Vec2 p = work->points[i];
    sat_Box point = {p, p};
    if (boxes_meet(&point, &triangle->box, 0) && work->at[i].error != GONE && i != own[0] &&
        i != own[1] && i != own[2] && sat_orientation(triangle->a, triangle->b, p) >= 0 &&
        sat_orientation(triangle->b, triangle->c, p) >= 0 &&
        sat_orientation(triangle->c, triangle->a, p) >= 0)
      return true;
  }
  return false;
}

static inline bool is_near(const Simplifier *work, const Triangle *triangle, size_t k) {
  return boxes_meet(&work->branches[k].box, &triangle->box, 0);
}

/* Searches a branch whose box meets the triangle's. */
static bool has_vertex_below(const Simplifier *work, const Triangle *triangle, size_t k,
                             const uint32_t own[3]) {
  const Span *span = &work->spans[k];
  if (is_beyond_edge(triangle->a, triangle->b, span) ||
      is_beyond_edge(triangle->b, triangle->c, span) ||
      is_beyond_edge(triangle->c, triangle->a, span) ||
      is_beyond_sides(triangle, span, span->half[0]) ||
      is_beyond_sides(triangle, span, span->half[1]))
    return false;
  if (k >= work->leaves) return has_vertex_in_leaf(work, triangle, k - work->leaves, own);
  return (is_near(work, triangle, 2 * k) && has_vertex_below(work, triangle, 2 * k, own)) ||
         (is_near(work, triangle, 2 * k + 1) && has_vertex_below(work, triangle, 2 * k + 1, own));
}

/* Whether a vertex but its own three lies in the closed triangle of own[1] and its neighbours. The
 * search goes up from their leaf, since the boxes above it meet the triangle. */
static bool has_vertex_in_triangle(const Simplifier *work, const Triangle *triangle,
                                   const uint32_t own[3]) {
  size_t k = work->leaves + own[1] / LEAF;
  if (has_vertex_in_leaf(work, triangle, k - work->leaves, own)) return true;
  for (; k > 1; k /= 2)
    if (is_near(work, triangle, k ^ 1) && has_vertex_below(work, triangle, k ^ 1, own)) return true;
  return false;
}

/* ---------------------------------------------------------------- leaving out */

static bool may_go(const Simplifier *work, uint32_t vertex) {
  const Vertex *v = &work->at[vertex];
  if (work->left[v->ring] <= work->least) return false;
  sat_Vec2 a = work->points[v->before], b = work->points[vertex], c = work->points[v->after];
  bool turns_back = sat_orientation(a, b, c) < 0;
  Triangle triangle = {a, turns_back ? c : b, turns_back ? b : c, {a, a}};
  sat_extend_box(&triangle.box, b);
  sat_extend_box(&triangle.box, c);
  return !has_vertex_in_triangle(work, &triangle, (uint32_t[3]){v->before, vertex, v->after});
}

static void update_error(const Simplifier *work, uint32_t vertex) {
  Vertex *v = &work->at[vertex];
  bool is_end = v->before == NO_VERTEX || v->after == NO_VERTEX;
  v->error = is_end ? NEVER_GOES : error_without(work, vertex);
}

static void leave_out(Simplifier *work, uint32_t vertex) {
  Vertex *v = &work->at[vertex];
  work->at[v->before].after = v->after;
  work->at[v->after].before = v->before;
  work->left[v->ring]--;
  v->error = GONE;
  update_error(work, v->before);
  update_error(work, v->after);
  shrink_boxes_above(work, vertex);
  update_errors_above(work, vertex);
  if (v->before / LEAF != vertex / LEAF) update_errors_above(work, v->before);
  if (v->after / LEAF != vertex / LEAF) update_errors_above(work, v->after);
}

/* Leaves out vertices in the order of their errors, until none may go: one that another has blocked
 * may go in the next pass. */
static void leave_out_all(Simplifier *work) {
  const Branch *root = &work->branches[1];
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < work->count; i++)
      if (work->at[i].error != GONE) update_error(work, i);
    for (size_t k = 0; k < work->leaves; k++) work->branches[work->leaves + k] = leaf_of(work, k);
    for (size_t k = work->leaves - 1; k > 0; k--)
      work->branches[k] = join_branches(&work->branches[2 * k], &work->branches[2 * k + 1]);
    while (root->error <= work->limit) {
      uint32_t vertex = root->vertex;
      if (may_go(work, vertex)) {
        leave_out(work, vertex);
        changed = true;
      } else {
        work->at[vertex].error = NEVER_GOES;
        update_errors_above(work, vertex);
      }
    }
  }
}

/* ---------------------------------------------------------------- the rings */

static void link_ring(Simplifier *work, uint32_t ring, uint32_t first, uint32_t end, bool open) {
  work->left[ring] = end - first;
  for (uint32_t i = first; i < end; i++) {
    uint32_t before = i > first ? i - 1 : end - 1, after = i + 1 < end ? i + 1 : first;
    if (open && i == first) before = NO_VERTEX;
    if (open && i + 1 == end) after = NO_VERTEX;
    work->at[i] = (Vertex){NEVER_GOES, before, after, ring};
  }
}

static void write_rings(const Simplifier *work, sat_Vec2 *points, uint32_t *first, size_t rings) {
  uint32_t kept = 0, i = 0;
  for (size_t k = 0; k < rings; k++) {
    uint32_t end = first[k + 1];
    first[k] = kept;
    for (; i < end; i++)
      if (work->at[i].error != GONE) points[kept++] = points[i];
  }
  first[rings] = kept;
}

static sat_Status check_runs(const sat_Vec2 *points, const uint32_t *first, size_t rings,
                             uint32_t least, sat_RingError *error) {
  for (size_t k = 0; k < rings; k++) {
    error->first = first[k];
    if (first[k + 1] - first[k] < least) return SAT_EFEW;
    for (; error->first < first[k + 1]; error->first++)
      if (!vec_in_range(points[error->first])) return SAT_ERANGE;
  }
  *error = (sat_RingError){0, 0};
  return SAT_OK;
}

sat_Status sat_simplify(sat_Vec2 *points, uint32_t *first, size_t rings, double tolerance,
                        bool open, sat_Scratch *scratch, sat_RingError *error) {
  sat_RingError own;
  Simplifier work = {.points = points,
                     .first = first,
                     .count = first[rings],
                     .leaves = 1,
                     .limit = tolerance * tolerance,
                     .least = open ? 2 : 3};
  if (!in_range(tolerance)) return SAT_ERANGE;
  if (tolerance < 0) return SAT_EVALUE;
  sat_Status status = check_runs(points, first, rings, work.least, error ? error : &own);
  if (status || rings == 0) return status;
  if (work.count > MOST_VERTICES) return SAT_ENOMEM;
  while (work.leaves * LEAF < work.count) work.leaves *= 2;
  size_t hulls = work.count + MOST_READ, nodes = 2 * work.leaves;
  work.branches = sat_scratch_reserve(
      scratch, nodes * (sizeof(Branch) + sizeof(Span)) + hulls * sizeof(sat_Vec2) +
                   work.count * sizeof(Vertex) + rings * sizeof(uint32_t));
  if (!work.branches) return SAT_ENOMEM;
  work.spans = (Span *)(work.branches + nodes);
  work.hulls = (sat_Vec2 *)(work.spans + nodes);
  work.at = (Vertex *)(work.hulls + hulls);
  work.left = (uint32_t *)(work.at + work.count);
  for (size_t k = 0; k < rings; k++) link_ring(&work, (uint32_t)k, first[k], first[k + 1], open);
  fill_spans(&work);
  leave_out_all(&work);
  write_rings(&work, points, first, rings);
  return SAT_OK;
}
