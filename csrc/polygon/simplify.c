/* simplify.c: leaves out vertices of rings, the least error first, while no ring meets another.
 *
 * A vertex may go if no other vertex lies in the triangle with its two neighbours: then no edge
 * crosses the triangle, and the new edge meets none. Of the vertices that an edge has replaced, the
 * hull is enough, since the distance to a segment is greatest at a corner of the hull. Visvalingam
 * and Whyatt, Line generalisation by repeated elimination of points, 1993, by distance. */
#include "base/box.h"
#include "base/memory.h"
#include "base/predicates.h"
#include "base/tolerance.h"

#define MOST_VERTICES 0x0fffffffu
#define NO_VERTEX UINT32_MAX

enum { LOWER, UPPER };

/* A vertex. Of the vertices replaced by the edge to the next one, the lower and the upper hull are
 * two lists in the order of their coordinates. */
typedef struct Vertex {
  double error; /* of leaving it out, a squared distance; or one of these */
  uint32_t before, after, ring;
  uint32_t hull[2], next_in_hull[2];
} Vertex;

#define GONE (-1.0)         /* it has been left out */
#define NEVER_GOES HUGE_VAL /* it is an end, or another vertex blocks it */

/* A node of a binary tree of the vertices that are left, in their order. */
typedef struct Branch {
  sat_Box box;
  double error; /* the least one, of the first vertex that has it */
  uint32_t vertex;
} Branch;

/* A leaf has this many vertices. */
enum { LEAF = 8 };

typedef struct Simplifier {
  const sat_Vec2 *points;
  Vertex *at;
  size_t count, leaves;
  double limit;     /* the square of the tolerance */
  uint32_t least;   /* number of vertices of a ring */
  Branch *branches; /* the root is 1, the children of k are 2k and 2k + 1 */
  uint32_t *left;   /* for each ring, the number of its vertices */
  uint32_t *stack;
} Simplifier;

/* ---------------------------------------------------------------- the error of an edge */

/* The edge between the neighbours of a vertex, and the greatest squared distances from it so far.
 * */
typedef struct EdgeError {
  sat_Vec2 from, to, along;
  double length;         /* squared */
  double beside, beyond; /* of points beside the edge, times its length, and beyond its ends */
  bool exact, is_off;    /* only tells whether a point lies off the edge, exactly */
} EdgeError;

static bool is_on_edge(const EdgeError *edge, sat_Vec2 p) {
  return p.x >= min2(edge->from.x, edge->to.x) && p.x <= max2(edge->from.x, edge->to.x) &&
         p.y >= min2(edge->from.y, edge->to.y) && p.y <= max2(edge->from.y, edge->to.y) &&
         sat_orientation(edge->from, edge->to, p) == 0;
}

static inline void extend_error(EdgeError *edge, sat_Vec2 p) {
  sat_Vec2 way = sub(p, edge->from);
  double ahead = dot(edge->along, way), side = cross(edge->along, way);
  if (edge->exact) {
    edge->is_off = edge->is_off || !is_on_edge(edge, p);
  } else if (ahead > 0 && ahead < edge->length) {
    edge->beside = max2(edge->beside, side * side);
  } else {
    if (ahead > 0) way = sub(p, edge->to);
    edge->beyond = max2(edge->beyond, dot(way, way));
  }
}

/* Takes into account what an edge has replaced. The two hulls begin with the same point. */
static void extend_error_by_hull(const Simplifier *work, EdgeError *error, uint32_t edge) {
  for (int side = LOWER; side <= UPPER; side++) {
    uint32_t i = work->at[edge].hull[side];
    if (side == UPPER && i != NO_VERTEX) i = work->at[i].next_in_hull[side];
    for (; i != NO_VERTEX; i = work->at[i].next_in_hull[side]) extend_error(error, work->points[i]);
  }
}

/* The greatest squared distance, from the edge between the neighbours of a vertex, of all that this
 * edge would replace. */
static double error_without(const Simplifier *work, uint32_t vertex) {
  const Vertex *v = &work->at[vertex];
  EdgeError error = {
      .from = work->points[v->before], .to = work->points[v->after], .exact = work->limit == 0};
  error.along = sub(error.to, error.from);
  error.length = dot(error.along, error.along);
  extend_error(&error, work->points[vertex]);
  extend_error_by_hull(work, &error, v->before);
  extend_error_by_hull(work, &error, vertex);
  if (error.is_off) return NEVER_GOES;
  return error.beside > 0 ? max2(error.beyond, error.beside / error.length) : error.beyond;
}

static bool comes_first(sat_Vec2 a, sat_Vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

/* Merges what two edges have replaced, and the vertex between them, into the list of the first
 * edge. Andrew's scan drops what is not on the hull. */
static void merge_hulls(Simplifier *work, uint32_t edge, uint32_t vertex, int side) {
  uint32_t from[3] = {work->at[edge].hull[side], vertex, work->at[vertex].hull[side]};
  uint32_t *stack = work->stack, size = 0;
  work->at[vertex].next_in_hull[side] = NO_VERTEX;
  for (;;) {
    int first = -1;
    for (int k = 0; k < 3; k++) {
      if (from[k] == NO_VERTEX) continue;
      if (first < 0 || comes_first(work->points[from[k]], work->points[from[first]])) first = k;
    }
    if (first < 0) break;
    uint32_t i = from[first];
    from[first] = work->at[i].next_in_hull[side];
    for (; size > 1; size--) {
      int turn = sat_orientation(work->points[stack[size - 2]], work->points[stack[size - 1]],
                                 work->points[i]);
      if (side == LOWER ? turn > 0 : turn < 0) break;
    }
    stack[size++] = i;
  }
  uint32_t next = NO_VERTEX;
  while (size > 0) {
    work->at[stack[--size]].next_in_hull[side] = next;
    next = stack[size];
  }
  work->at[edge].hull[side] = next;
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
  const Branch *least = least_branch(a, b);
  Branch both = {a->box, least->error, least->vertex};
  both.box.min = vec2(min2(a->box.min.x, b->box.min.x), min2(a->box.min.y, b->box.min.y));
  both.box.max = vec2(max2(a->box.max.x, b->box.max.x), max2(a->box.max.y, b->box.max.y));
  return both;
}

/* Brings the least errors above a vertex up to date. */
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

/* Shrinks the boxes around a vertex that is gone. */
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

static Triangle triangle_of(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c) {
  bool turns_back = sat_orientation(a, b, c) < 0;
  Triangle triangle = {a, turns_back ? c : b, turns_back ? b : c, {a, a}};
  sat_extend_box(&triangle.box, b);
  sat_extend_box(&triangle.box, c);
  return triangle;
}

/* Whether a box certainly lies beyond the line from a to b, with its corner that is farthest in. */
static inline bool is_beyond_edge(sat_Vec2 a, sat_Vec2 b, const sat_Box *box) {
  double x = a.y > b.y ? box->max.x : box->min.x, y = b.x > a.x ? box->max.y : box->min.y;
  double left = (b.x - a.x) * (y - a.y), right = (b.y - a.y) * (x - a.x);
  return right - left > (fabs(left) + fabs(right)) * SAT_CROSS_ERROR + SAT_UNDERFLOW_ERROR;
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
  const sat_Box *box = &work->branches[k].box;
  if (is_beyond_edge(triangle->a, triangle->b, box) ||
      is_beyond_edge(triangle->b, triangle->c, box) ||
      is_beyond_edge(triangle->c, triangle->a, box))
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
  Triangle triangle =
      triangle_of(work->points[v->before], work->points[vertex], work->points[v->after]);
  return !has_vertex_in_triangle(work, &triangle, (uint32_t[3]){v->before, vertex, v->after});
}

static void update_error(const Simplifier *work, uint32_t vertex) {
  Vertex *v = &work->at[vertex];
  bool is_end = v->before == NO_VERTEX || v->after == NO_VERTEX;
  v->error = is_end ? NEVER_GOES : error_without(work, vertex);
}

static void leave_out(Simplifier *work, uint32_t vertex) {
  Vertex *v = &work->at[vertex];
  for (int side = LOWER; side <= UPPER; side++) merge_hulls(work, v->before, vertex, side);
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
    work->at[i] =
        (Vertex){NEVER_GOES, before, after, ring, {NO_VERTEX, NO_VERTEX}, {NO_VERTEX, NO_VERTEX}};
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
      if (!in_range(points[error->first].x) || !in_range(points[error->first].y)) return SAT_ERANGE;
  }
  *error = (sat_RingError){0, 0};
  return SAT_OK;
}

sat_Status sat_simplify(sat_Vec2 *points, uint32_t *first, size_t rings, double tolerance,
                        bool open, sat_Scratch *scratch, sat_RingError *error) {
  sat_RingError own;
  Simplifier work = {.points = points,
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
  size_t bytes = 2 * work.leaves * sizeof(Branch) + rings * sizeof(uint32_t);
  work.branches =
      sat_scratch_reserve(scratch, bytes + work.count * (sizeof(Vertex) + sizeof(uint32_t)));
  if (!work.branches) return SAT_ENOMEM;
  work.at = (Vertex *)(work.branches + 2 * work.leaves);
  work.stack = (uint32_t *)(work.at + work.count);
  work.left = work.stack + work.count;
  for (size_t k = 0; k < rings; k++) link_ring(&work, (uint32_t)k, first[k], first[k + 1], open);
  leave_out_all(&work);
  write_rings(&work, points, first, rings);
  return SAT_OK;
}
