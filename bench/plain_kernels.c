/* plain_kernels.c: closed forms for circles, capsules and upright boxes, clipping against half planes for
 * rays and casts of polygons, and all pairs of vertices and edges for their distance. */
#include "plain_kernels.h"

#include <math.h>
#include <stdlib.h>

static inline double dot(sat_Vec2 a, sat_Vec2 b) { return a.x * b.x + a.y * b.y; }
static inline double cross(sat_Vec2 a, sat_Vec2 b) { return a.x * b.y - a.y * b.x; }
static inline sat_Vec2 sub(sat_Vec2 a, sat_Vec2 b) { return (sat_Vec2){a.x - b.x, a.y - b.y}; }
static inline sat_Vec2 along(sat_Vec2 a, sat_Vec2 way, double t) {
  return (sat_Vec2){a.x + way.x * t, a.y + way.y * t};
}
static inline double least(double a, double b) { return a < b ? a : b; }
static inline double most(double a, double b) { return a > b ? a : b; }

void bench_plain_measure(bench_Plain *shape) {
  shape->box = (sat_Box){shape->vertex[0], shape->vertex[0]};
  for (size_t i = 0; i < shape->count; i++) {
    sat_Vec2 from = shape->vertex[i], edge = sub(shape->vertex[(i + 1) % shape->count], from);
    double length = sqrt(dot(edge, edge));
    shape->normal[i] = (sat_Vec2){edge.y / length, -edge.x / length};
    shape->box.min = (sat_Vec2){least(shape->box.min.x, from.x), least(shape->box.min.y, from.y)};
    shape->box.max = (sat_Vec2){most(shape->box.max.x, from.x), most(shape->box.max.y, from.y)};
  }
}

/* ---------------------------------------------------------------- rays */

static inline bool ray_at_disc(sat_Vec2 center, double radius, sat_Vec2 from, sat_Vec2 motion,
                               sat_Hit *hit) {
  sat_Vec2 out = sub(from, center);
  double a = dot(motion, motion), b = dot(out, motion), c = dot(out, out) - radius * radius;
  double root = b * b - a * c;
  if (c < 0 || b >= 0 || root < 0) return false;
  hit->t = (-b - sqrt(root)) / a;
  if (hit->t > 1) return false;
  hit->point = along(from, motion, hit->t);
  hit->normal = (sat_Vec2){(hit->point.x - center.x) / radius, (hit->point.y - center.y) / radius};
  return true;
}

bool plain_ray_circle(const bench_Plain *shape, sat_Vec2 from, sat_Vec2 motion, sat_Hit *hit) {
  return ray_at_disc(shape->vertex[0], shape->radius, from, motion, hit);
}

bool plain_ray_capsule(const bench_Plain *shape, sat_Vec2 from, sat_Vec2 motion, sat_Hit *hit) {
  sat_Vec2 axis = sub(shape->vertex[1], shape->vertex[0]), out = sub(from, shape->vertex[0]);
  double side = dot(shape->normal[0], out), closing = dot(shape->normal[0], motion);
  double sign = side > 0 ? 1 : -1, t = (sign * shape->radius - side) / closing;
  double size = dot(axis, axis), place = dot(out, axis) + dot(motion, axis) * t;
  if (sign * closing < 0 && sign * side > shape->radius && place >= 0 && place <= size) {
    if (t > 1) return false;
    hit->t = t;
    hit->normal = (sat_Vec2){sign * shape->normal[0].x, sign * shape->normal[0].y};
    hit->point = along(from, motion, t);
    return true;
  }
  bool late = sign * side > shape->radius ? place > size : dot(out, axis) > size / 2;
  return ray_at_disc(shape->vertex[late], shape->radius, from, motion, hit);
}

bool plain_ray_segment(const bench_Plain *shape, sat_Vec2 from, sat_Vec2 motion, sat_Hit *hit) {
  sat_Vec2 axis = sub(shape->vertex[1], shape->vertex[0]), out = sub(shape->vertex[0], from);
  double closing = cross(motion, axis), t = cross(out, axis) / closing,
         place = cross(out, motion) / closing;
  if (closing == 0 || t < 0 || t > 1 || place < 0 || place > 1) return false;
  double sign = closing < 0 ? 1 : -1;
  hit->t = t;
  hit->normal = (sat_Vec2){sign * shape->normal[0].x, sign * shape->normal[0].y};
  hit->point = along(from, motion, t);
  return true;
}

/* The slabs of a box that has the sides of another one added. */
static inline bool ray_at_box(sat_Vec2 min, sat_Vec2 max, sat_Vec2 from, sat_Vec2 motion,
                              sat_Hit *hit) {
  double x = 1 / motion.x, y = 1 / motion.y;
  double x0 = (min.x - from.x) * x, x1 = (max.x - from.x) * x;
  double y0 = (min.y - from.y) * y, y1 = (max.y - from.y) * y;
  double in_x = least(x0, x1), in_y = least(y0, y1);
  double in = most(in_x, in_y), until = least(most(x0, x1), most(y0, y1));
  if (in > until || in < 0 || in > 1) return false;
  hit->t = in;
  hit->normal =
      in_x > in_y ? (sat_Vec2){motion.x > 0 ? -1 : 1, 0} : (sat_Vec2){0, motion.y > 0 ? -1 : 1};
  hit->point = along(from, motion, in);
  return true;
}

bool plain_ray_box(const bench_Plain *shape, sat_Vec2 from, sat_Vec2 motion, sat_Hit *hit) {
  return ray_at_box(shape->box.min, shape->box.max, from, motion, hit);
}

bool plain_ray_polygon(const bench_Plain *shape, sat_Vec2 from, sat_Vec2 motion, sat_Hit *hit) {
  double in = 0, until = 1;
  size_t side = shape->count;
  for (size_t i = 0; i < shape->count; i++) {
    double ahead = dot(shape->normal[i], sub(shape->vertex[i], from)),
           speed = dot(shape->normal[i], motion);
    if (speed == 0 && ahead < 0) return false;
    if (speed < 0 && ahead < in * speed) in = ahead / speed, side = i;
    else if (speed > 0 && ahead < until * speed) until = ahead / speed;
    if (until < in) return false;
  }
  if (side == shape->count) return false;
  hit->t = in;
  hit->normal = shape->normal[side];
  hit->point = along(from, motion, in);
  return true;
}

/* ---------------------------------------------------------------- casts */

bool plain_cast_circles(const bench_Plain *a, sat_Vec2 motion, const bench_Plain *b, sat_Hit *hit) {
  if (!ray_at_disc(b->vertex[0], a->radius + b->radius, a->vertex[0], motion, hit)) return false;
  hit->point = along(b->vertex[0], hit->normal, b->radius);
  return true;
}

bool plain_cast_boxes(const bench_Plain *a, sat_Vec2 motion, const bench_Plain *b, sat_Hit *hit) {
  sat_Vec2 half = {(a->box.max.x - a->box.min.x) / 2, (a->box.max.y - a->box.min.y) / 2};
  sat_Vec2 from = {a->box.min.x + half.x, a->box.min.y + half.y};
  sat_Vec2 min = sub(b->box.min, half), max = {b->box.max.x + half.x, b->box.max.y + half.y};
  if (!ray_at_box(min, max, from, motion, hit)) return false;
  hit->point.x = most(b->box.min.x, least(hit->point.x, b->box.max.x));
  hit->point.y = most(b->box.min.y, least(hit->point.y, b->box.max.y));
  return true;
}

typedef struct Clip {
  double in, until;
  sat_Vec2 normal, point;
} Clip;

/* Clips against the half planes of one side's edges; `sign` is 1 for B's. */
static inline bool clip(const bench_Plain *own, const bench_Plain *other, sat_Vec2 motion,
                        double sign, Clip *all) {
  for (size_t i = 0; i < own->count; i++) {
    size_t best = 0;
    double apart = HUGE_VAL, speed = sign * dot(own->normal[i], motion);
    for (size_t k = 0; k < other->count; k++) {
      double at = dot(own->normal[i], sub(other->vertex[k], own->vertex[i]));
      if (at < apart) apart = at, best = k;
    }
    if (speed >= 0 && apart > 0) return false;
    double t = -apart / speed;
    if (speed < 0 && t > all->in) {
      sat_Vec2 at = sign > 0 ? along(other->vertex[best], motion, t) : other->vertex[best];
      *all = (Clip){t, all->until, {sign * own->normal[i].x, sign * own->normal[i].y}, at};
    } else if (speed > 0) {
      all->until = least(all->until, t);
    }
    if (all->until < all->in) return false;
  }
  return true;
}

bool plain_cast_polygons(const bench_Plain *a, sat_Vec2 motion, const bench_Plain *b,
                         sat_Hit *hit) {
  Clip all = {-1, 1, {0, 0}, {0, 0}};
  if (!clip(b, a, motion, 1, &all) || !clip(a, b, motion, -1, &all) || all.in < 0) return false;
  *hit = (sat_Hit){all.in, all.normal, all.point};
  return true;
}

/* ---------------------------------------------------------------- distances */

double plain_distance_circles(const bench_Plain *a, const bench_Plain *b, sat_Vec2 closest[2]) {
  sat_Vec2 way = sub(b->vertex[0], a->vertex[0]);
  double length = sqrt(dot(way, way));
  closest[0] = along(a->vertex[0], way, a->radius / length);
  closest[1] = along(b->vertex[0], way, -b->radius / length);
  return most(length - a->radius - b->radius, 0);
}

static inline sat_Vec2 nearest_on(sat_Vec2 from, sat_Vec2 to, sat_Vec2 point) {
  sat_Vec2 edge = sub(to, from);
  double t = dot(sub(point, from), edge) / dot(edge, edge);
  return along(from, edge, most(0, least(t, 1)));
}

static inline void keep_nearest(sat_Vec2 p, sat_Vec2 q, double *square, sat_Vec2 closest[2]) {
  sat_Vec2 way = sub(q, p);
  if (dot(way, way) >= *square) return;
  *square = dot(way, way);
  closest[0] = p;
  closest[1] = q;
}

/* All vertices of each shape and all edges of the other one. */
static inline double all_pairs(const bench_Plain *a, const bench_Plain *b, sat_Vec2 closest[2]) {
  double square = HUGE_VAL;
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < b->count; k++) {
      sat_Vec2 p = a->vertex[i], q = b->vertex[k];
      keep_nearest(p, nearest_on(q, b->vertex[k + 1 < b->count ? k + 1 : 0], p), &square, closest);
      keep_nearest(nearest_on(p, a->vertex[i + 1 < a->count ? i + 1 : 0], q), q, &square, closest);
    }
  return sqrt(square);
}

double plain_distance_capsules(const bench_Plain *a, const bench_Plain *b, sat_Vec2 closest[2]) {
  double square = HUGE_VAL;
  for (size_t i = 0; i < 2; i++) {
    sat_Vec2 p = a->vertex[i], q = b->vertex[i];
    keep_nearest(p, nearest_on(b->vertex[0], b->vertex[1], p), &square, closest);
    keep_nearest(nearest_on(a->vertex[0], a->vertex[1], q), q, &square, closest);
  }
  double length = sqrt(square);
  sat_Vec2 way = sub(closest[1], closest[0]);
  closest[0] = along(closest[0], way, a->radius / length);
  closest[1] = along(closest[1], way, -b->radius / length);
  return most(length - a->radius - b->radius, 0);
}

double plain_distance_boxes(const bench_Plain *a, const bench_Plain *b, sat_Vec2 closest[2]) {
  double right = b->box.min.x - a->box.max.x, left = a->box.min.x - b->box.max.x;
  double above = b->box.min.y - a->box.max.y, below = a->box.min.y - b->box.max.y;
  double x = most(most(right, left), 0), y = most(most(above, below), 0);
  closest[0].x = most(a->box.min.x, least(b->box.min.x, a->box.max.x));
  closest[0].y = most(a->box.min.y, least(b->box.min.y, a->box.max.y));
  closest[1].x = most(b->box.min.x, least(closest[0].x, b->box.max.x));
  closest[1].y = most(b->box.min.y, least(closest[0].y, b->box.max.y));
  return sqrt(x * x + y * y);
}

double plain_distance_box_circle(const bench_Plain *a, const bench_Plain *b, sat_Vec2 closest[2]) {
  sat_Vec2 center = b->vertex[0];
  closest[0].x = most(a->box.min.x, least(center.x, a->box.max.x));
  closest[0].y = most(a->box.min.y, least(center.y, a->box.max.y));
  sat_Vec2 way = sub(closest[0], center);
  double length = sqrt(dot(way, way));
  closest[1] = along(center, way, b->radius / length);
  return most(length - b->radius, 0);
}

double plain_distance_polygons(const bench_Plain *a, const bench_Plain *b, sat_Vec2 closest[2]) {
  return all_pairs(a, b, closest);
}

/* ---------------------------------------------------------------- trees */

static uint32_t build(bench_PlainTree *tree, uint32_t first, uint32_t count);

static int compare_x(const void *a, const void *b) {
  double x = ((const sat_Box *)a)->min.x, y = ((const sat_Box *)b)->min.x;
  return (x > y) - (x < y);
}
static int compare_y(const void *a, const void *b) {
  double x = ((const sat_Box *)a)->min.y, y = ((const sat_Box *)b)->min.y;
  return (x > y) - (x < y);
}

static void halve(bench_PlainTree *tree, uint32_t node, uint32_t first, uint32_t count) {
  sat_Box box = tree->nodes[node].box;
  bool wide = box.max.x - box.min.x > box.max.y - box.min.y;
  qsort(tree->boxes + first, count, sizeof *tree->boxes, wide ? compare_x : compare_y);
  uint32_t left = build(tree, first, count / 2),
           right = build(tree, first + count / 2, count - count / 2);
  tree->nodes[node].left = left;
  tree->nodes[node].right = right;
}

static uint32_t build(bench_PlainTree *tree, uint32_t first, uint32_t count) {
  uint32_t own = tree->used++;
  sat_Box box = tree->boxes[first];
  for (uint32_t i = first; i < first + count; i++) {
    const sat_Box *other = &tree->boxes[i];
    box.min = (sat_Vec2){least(box.min.x, other->min.x), least(box.min.y, other->min.y)};
    box.max = (sat_Vec2){most(box.max.x, other->max.x), most(box.max.y, other->max.y)};
  }
  tree->nodes[own] = (bench_PlainNode){box, first, first + count, count <= 4};
  if (count > 4) halve(tree, own, first, count);
  return own;
}

bench_PlainTree plain_tree_make(const sat_Box *boxes, uint32_t count) {
  bench_PlainTree tree = {bench_allocate(2 * count, sizeof *tree.nodes),
                          bench_allocate(count, sizeof *tree.boxes), count, 0};
  for (uint32_t i = 0; i < count; i++) tree.boxes[i] = boxes[i];
  build(&tree, 0, count);
  return tree;
}

void plain_tree_free(bench_PlainTree *tree) {
  free(tree->nodes);
  free(tree->boxes);
}

static inline double entry(const sat_Box *box, sat_Vec2 from, sat_Vec2 inverse, sat_Vec2 half,
                           double limit) {
  double x0 = (box->min.x - half.x - from.x) * inverse.x,
         x1 = (box->max.x + half.x - from.x) * inverse.x;
  double y0 = (box->min.y - half.y - from.y) * inverse.y,
         y1 = (box->max.y + half.y - from.y) * inverse.y;
  double in = most(most(least(x0, x1), least(y0, y1)), 0);
  return in <= least(least(most(x0, x1), most(y0, y1)), limit) ? in : HUGE_VAL;
}

bool plain_tree_cast(const bench_PlainTree *tree, sat_Vec2 from, sat_Vec2 motion, sat_Vec2 half,
                     double *t) {
  uint32_t waiting[64], top = 0;
  double times[64], best = HUGE_VAL;
  sat_Vec2 inverse = {1 / motion.x, 1 / motion.y};
  waiting[top++] = 0;
  times[0] = 0;
  while (top > 0) {
    const bench_PlainNode *node = &tree->nodes[waiting[--top]];
    double limit = least(best, 1);
    if (times[top] > limit) continue;
    for (uint32_t i = node->left; node->is_leaf && i < node->right; i++)
      best = least(best, entry(&tree->boxes[i], from, inverse, half, limit));
    if (node->is_leaf) continue;
    double left = entry(&tree->nodes[node->left].box, from, inverse, half, limit),
           right = entry(&tree->nodes[node->right].box, from, inverse, half, limit);
    bool swap = right < left;
    double far = swap ? left : right, near = swap ? right : left;
    if (far <= 1) times[top] = far, waiting[top++] = swap ? node->left : node->right;
    if (near <= 1) times[top] = near, waiting[top++] = swap ? node->right : node->left;
  }
  *t = best;
  return best <= 1;
}

static inline double square_from(const sat_Box *box, sat_Vec2 point) {
  double x = most(most(box->min.x - point.x, point.x - box->max.x), 0);
  double y = most(most(box->min.y - point.y, point.y - box->max.y), 0);
  return x * x + y * y;
}

double plain_tree_distance(const bench_PlainTree *tree, sat_Vec2 point) {
  uint32_t waiting[64], top = 0;
  double squares[64], best = HUGE_VAL;
  waiting[top++] = 0;
  squares[0] = 0;
  while (top > 0) {
    const bench_PlainNode *node = &tree->nodes[waiting[--top]];
    if (squares[top] >= best) continue;
    for (uint32_t i = node->left; node->is_leaf && i < node->right; i++)
      best = least(best, square_from(&tree->boxes[i], point));
    if (node->is_leaf) continue;
    double left = square_from(&tree->nodes[node->left].box, point),
           right = square_from(&tree->nodes[node->right].box, point);
    bool swap = right < left;
    squares[top] = swap ? left : right;
    waiting[top++] = swap ? node->left : node->right;
    squares[top] = swap ? right : left;
    waiting[top++] = swap ? node->right : node->left;
  }
  return sqrt(best);
}

bool plain_tree_contains(const bench_PlainTree *tree, sat_Vec2 point) {
  uint32_t waiting[64], top = 0;
  waiting[top++] = 0;
  while (top > 0) {
    const bench_PlainNode *node = &tree->nodes[waiting[--top]];
    if (square_from(&node->box, point) > 0) continue;
    for (uint32_t i = node->left; node->is_leaf && i < node->right; i++)
      if (square_from(&tree->boxes[i], point) == 0) return true;
    if (node->is_leaf) continue;
    waiting[top++] = node->right;
    waiting[top++] = node->left;
  }
  return false;
}
