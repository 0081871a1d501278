/* oracle.c: exact and brute-force answers about pairs of convex shapes, and random scenes. */
#include "test/oracle.h"

#include "polygon/polygon.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 Wide;

/* ---------------------------------------------------------------- solids */

Real real_epsilon(void) {
  static volatile Real epsilon =
      0; /* volatile, so that the machine computes it and not the compiler */
  if (epsilon > 0) return epsilon;
  volatile Real one = 1, half = 1;
  while (one + half > one) {
    epsilon = half;
    half /= 2;
  }
  return epsilon;
}

Point solid_vertex(const sat_Shape *shape, size_t index) {
  return point_add(point_of(shape->origin), point_of(vertices_of(shape)[index]));
}

void solid_read(Solid *solid, const sat_Shape *shape) {
  assert_true(shape->vertex_count <= MOST_VERTICES);
  solid->count = shape->vertex_count;
  solid->radius = shape->radius;
  for (size_t i = 0; i < solid->count; i++) solid->vertices[i] = solid_vertex(shape, i);
}

static Point next_vertex(const Solid *solid, size_t index) {
  return solid->vertices[index + 1 < solid->count ? index + 1 : 0];
}

static Real least_along(const Solid *solid, Point direction) {
  Real least = point_dot(solid->vertices[0], direction);
  for (size_t i = 1; i < solid->count; i++) {
    least = least_of(least, point_dot(solid->vertices[i], direction));
  }
  return least;
}

static Real most_along(const Solid *solid, Point direction) {
  return -least_along(solid, point_mul(direction, -1));
}

Real solid_gap_along(const Solid *a, Point shift, const Solid *b, Point direction) {
  Real core = least_along(a, direction) + point_dot(shift, direction) - most_along(b, direction);
  return core - a->radius - b->radius;
}

/* The outward normals of a solid's edges, times `sign`. A segment has two edges, a point none. */
static size_t edge_normals(const Solid *solid, Real sign, Point *normals) {
  if (solid->count < 2) return 0;
  for (size_t i = 0; i < solid->count; i++) {
    Point edge = point_sub(next_vertex(solid, i), solid->vertices[i]);
    normals[i] = point_mul(point_at(edge.y, -edge.x), sign / point_length(edge));
  }
  return solid->count;
}

size_t solid_directions(const Solid *a, const Solid *b, Point *directions) {
  size_t count = edge_normals(a, -1, directions);
  return count + edge_normals(b, 1, directions + count);
}

/* ---------------------------------------------------------------- distances between boundaries */

static Real point_to_segment(Point point, Point from, Point to) {
  Point edge = point_sub(to, from), arm = point_sub(point, from);
  Real size = point_dot(edge, edge);
  Real t = size > 0 ? least_of(most_of(point_dot(arm, edge) / size, 0), 1) : 0;
  return point_length(point_sub(arm, point_mul(edge, t)));
}

static Real side_of(Point from, Point to, Point point) {
  return point_cross(point_sub(to, from), point_sub(point, from));
}

static Real segment_to_segment(Point p, Point q, Point r, Point s) {
  if (side_of(p, q, r) * side_of(p, q, s) < 0 && side_of(r, s, p) * side_of(r, s, q) < 0) return 0;
  Real of_ends = least_of(point_to_segment(p, r, s), point_to_segment(q, r, s));
  return least_of(of_ends, least_of(point_to_segment(r, p, q), point_to_segment(s, p, q)));
}

/* A point counts as one edge without length. */
static Real boundary_distance(const Solid *a, Point shift, const Solid *b) {
  Real least = HUGE_VALL;
  for (size_t i = 0; i < (a->count > 2 ? a->count : 1); i++) {
    Point p = point_add(a->vertices[i], shift), q = point_add(next_vertex(a, i), shift);
    for (size_t k = 0; k < (b->count > 2 ? b->count : 1); k++) {
      least = least_of(least, segment_to_segment(p, q, b->vertices[k], next_vertex(b, k)));
    }
  }
  return least;
}

/* Whether the two are apart along an edge, whichever of them is in front. */
static bool separate_along_edge(const Solid *a, Point shift, const Solid *b, const Point *normals,
                                size_t count) {
  for (size_t i = 0; i < count; i++) {
    Point along = point_at(-normals[i].y, normals[i].x), back = point_mul(along, -1);
    Real most = most_of(solid_gap_along(a, shift, b, along), solid_gap_along(a, shift, b, back));
    if (most + a->radius + b->radius > 0) return true;
  }
  return false;
}

Real solid_gap(const Solid *a, Point shift, const Solid *b) {
  Point directions[2 * MOST_VERTICES];
  Real radius = a->radius + b->radius, max_facet = -HUGE_VALL;
  size_t count = solid_directions(a, b, directions);
  for (size_t i = 0; i < count; i++) {
    max_facet = most_of(max_facet, solid_gap_along(a, shift, b, directions[i]) + radius);
  }
  /* Points, segments and needles thinner than rounding may be apart although no edge's normal
   * separates them. */
  bool thin = a->count < 3 && b->count < 3;
  bool outside = max_facet > 0 || thin || separate_along_edge(a, shift, b, directions, count);
  Real separate = outside ? boundary_distance(a, shift, b) : 0;
  if (separate > 0) return separate - radius;
  return (count > 0 ? least_of(max_facet, 0) : 0) - radius;
}

Real solid_gap_of_point(const Solid *solid, Point point) {
  Solid lone;
  lone.count = 1;
  lone.radius = 0;
  lone.vertices[0] = point;
  return solid_gap(&lone, point_at(0, 0), solid);
}

Point solid_centroid(const Solid *solid) {
  Point first = solid->vertices[0], sum = {0, 0};
  Real area = 0;
  if (solid->count < 3) {
    return point_mul(point_add(first, solid->vertices[solid->count - 1]), 0.5L);
  }
  for (size_t i = 2; i < solid->count; i++) {
    Point p = point_sub(solid->vertices[i - 1], first), q = point_sub(solid->vertices[i], first);
    area += point_cross(p, q);
    sum = point_add(sum, point_mul(point_add(p, q), point_cross(p, q)));
  }
  return point_add(first, point_mul(sum, 1 / (3 * area)));
}

Real solid_excess(const Solid *a, const Solid *b) {
  Real most = -HUGE_VALL;
  for (size_t i = 0; i < b->count; i++) {
    most = most_of(most, solid_gap_of_point(a, b->vertices[i]));
  }
  return most + b->radius;
}

/* ---------------------------------------------------------------- ties */

static Real tie_merit(Point centers, int step, Point unit) {
  Real size = point_length(centers);
  if (size == 0) return step == 0 ? fabsl(unit.y) : step == 1 ? -unit.y : unit.x;
  if (step == 1) return fabsl(unit.y);
  return (step == 0 ? point_dot(centers, unit) : point_cross(centers, unit)) / size;
}

/* Keeps those of the directions that are the best at a step but for the rule's tolerance. */
static size_t keep_best(TieChoice *choice, Point centers, int step, const Point *units,
                        size_t *kept, size_t count) {
  Real most = -HUGE_VALL;
  size_t left = 0;
  for (size_t i = 0; i < count; i++) most = most_of(most, tie_merit(centers, step, units[kept[i]]));
  for (size_t i = 0; i < count; i++) {
    size_t one = kept[i];
    Real below = most - tie_merit(centers, step, units[one]);
    choice->sure = choice->sure && fabsl(below - 1e-12L) > 1e-14L;
    if (below <= 0) choice->index = one;
    if (below <= 1e-12L) kept[left++] = one;
  }
  return left;
}

TieChoice tie_choice(Point centers, const Point *units, size_t count) {
  static size_t kept[4 * MOST_VERTICES];
  TieChoice choice = {0, -1, true};
  for (size_t i = 0; i < count; i++) kept[i] = i;
  for (int step = 0; step < 3; step++) {
    Real spread = 0;
    for (size_t i = 1; i < count; i++)
      spread = most_of(spread, point_length(point_sub(units[kept[i]], units[kept[0]])));
    if (spread <= 1e-9L) break;
    choice.step = step;
    count = keep_best(&choice, centers, step, units, kept, count);
  }
  return choice;
}

/* ---------------------------------------------------------------- exactly */

typedef struct WidePoint {
  Wide x, y;
} WidePoint;

typedef struct WideSolid {
  size_t count;
  WidePoint vertices[2 * MOST_VERTICES];
} WideSolid;

static WidePoint wide_of(Point point, double unit) {
  Point whole = point_mul(point, 1 / (Real)unit);
  assert_true(rintl(whole.x) == whole.x && rintl(whole.y) == whole.y);
  return (WidePoint){(Wide)whole.x, (Wide)whole.y};
}

static void wide_read(WideSolid *solid, const sat_Shape *shape, double unit) {
  solid->count = shape->vertex_count;
  for (size_t i = 0; i < solid->count; i++) {
    solid->vertices[i] = wide_of(solid_vertex(shape, i), unit);
  }
}

static Wide least_wide(const WideSolid *solid, WidePoint axis) {
  Wide least = 0;
  for (size_t i = 0; i < solid->count; i++) {
    Wide along = solid->vertices[i].x * axis.x + solid->vertices[i].y * axis.y;
    if (i == 0 || along < least) least = along;
  }
  return least;
}

/* The sign of the gap along an axis, whichever of the two is in front. */
static int sign_along(const WideSolid *a, const WideSolid *b, WidePoint axis) {
  WidePoint back = {-axis.x, -axis.y};
  Wide a_in_front = least_wide(a, axis) + least_wide(b, back);
  Wide b_in_front = least_wide(b, axis) + least_wide(a, back);
  Wide separation = a_in_front > b_in_front ? a_in_front : b_in_front;
  return (separation > 0) - (separation < 0);
}

/* The larger one of the signs across and along an edge. Collinear segments are apart only along
 * it. */
static int sign_by_edge(const WideSolid *a, const WideSolid *b, WidePoint edge) {
  if (edge.x == 0 && edge.y == 0) return -1;
  int across = sign_along(a, b, (WidePoint){edge.y, -edge.x}), along = sign_along(a, b, edge);
  return across > along ? across : along;
}

static int sign_by_edges(const WideSolid *a, const WideSolid *b, const WideSolid *of) {
  int max_facet = -1;
  for (size_t i = 0; i < of->count && of->count > 1; i++) {
    WidePoint from = of->vertices[i], to = of->vertices[i + 1 < of->count ? i + 1 : 0];
    int sign = sign_by_edge(a, b, (WidePoint){to.x - from.x, to.y - from.y});
    if (sign > max_facet) max_facet = sign;
  }
  return max_facet;
}

/* The area that A passes is the hull of A at the start and at the end. Its edges are those of A
 * and of the motion. */
int exact_sweep_sign(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, double unit) {
  static WideSolid start, swept, other;
  WidePoint way = wide_of(point_of(motion), unit);
  wide_read(&start, a, unit);
  wide_read(&other, b, unit);
  swept = start;
  for (size_t i = 0; i < start.count; i++) {
    WidePoint from = start.vertices[i];
    swept.vertices[swept.count++] = (WidePoint){from.x + way.x, from.y + way.y};
  }
  int by_a = sign_by_edges(&swept, &other, &start), by_b = sign_by_edges(&swept, &other, &other);
  int by_way = sign_by_edge(&swept, &other, way);
  if (start.count == 1 && other.count == 1 && way.x == 0 && way.y == 0) { /* two points */
    WidePoint x = {1, 0};
    by_way = sign_by_edge(&swept, &other, x);
  }
  int max_facet = by_a > by_b ? by_a : by_b;
  return by_way > max_facet ? by_way : max_facet;
}

/* ---------------------------------------------------------------- shapes */

static void *take(size_t bytes) {
  void *block = malloc(bytes);
  assert_non_null(block);
  return block;
}

sat_Shape *shape_make(const sat_Vec2 *points, size_t count, double radius) {
  sat_Shape *shape = take(sat_shape_bytes(count));
  assert_int_equal(sat_shape_init(shape, points, count, radius), SAT_OK);
  return shape;
}

sat_Shape *shape_box(double x, double y, double width, double height) {
  sat_Vec2 corners[4] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
  return shape_make(corners, 4, 0);
}

sat_Shape *shape_circle(double x, double y, double radius) {
  sat_Vec2 center = {x, y};
  return shape_make(&center, 1, radius);
}

sat_Shape *shape_regular(double x, double y, double radius, size_t count) {
  sat_Vec2 *points = take(count * sizeof *points);
  for (size_t i = 0; i < count; i++) {
    double sine, cosine;
    sat_sine_cosine(6.283185307179586 * (double)i / (double)count, &sine, &cosine);
    points[i] = vec2(radius * cosine, radius * sine);
  }
  sat_Shape *shape = take(sat_shape_bytes(count));
  assert_int_equal(sat_shape_init_about(shape, vec2(x, y), points, count, 0), SAT_OK);
  free(points);
  return shape;
}

sat_Shape *shape_copy(const sat_Shape *shape) {
  sat_Shape *copy = take(shape->bytes);
  memcpy(copy, shape, shape->bytes);
  return copy;
}

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context;
  (void)old_size;
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

sat_Scratch *test_scratch(void) {
  static sat_Scratch scratch = {NULL, 0, {allocate, NULL}, 0};
  return &scratch;
}

/* ---------------------------------------------------------------- random polygons */

static int by_place(const void *left, const void *right) {
  const sat_Vec2 *a = left, *b = right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return (a->y > b->y) - (a->y < b->y);
}

static bool arcs(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c, Real least) {
  return side_of(point_of(a), point_of(b), point_of(c)) > least;
}

/* Andrew's monotone chain. */
size_t hull_of(sat_Vec2 *points, size_t count, Real least) {
  sat_Vec2 *hull = take((2 * count + 1) * sizeof *hull);
  size_t size = 0;
  qsort(points, count, sizeof *points, by_place);
  for (size_t pass = 0; pass < 2; pass++) {
    size_t base = size;
    for (size_t i = 0; i < count; i++) {
      sat_Vec2 next = points[pass == 0 ? i : count - 1 - i];
      while (size > base + 1 && !arcs(hull[size - 2], hull[size - 1], next, least)) size--;
      hull[size++] = next;
    }
    size--; /* the other chain begins with this vertex */
  }
  for (size_t i = 0; i < size && i < count; i++) points[i] = hull[i];
  free(hull);
  return size;
}

size_t random_whole_polygon(Random *random, int size, size_t most, sat_Vec2 *points) {
  size_t count = 0;
  while (count < 3) {
    count = (size_t)random_integer(random, 3, (int64_t)most);
    for (size_t i = 0; i < count; i++) {
      points[i].x = (double)random_integer(random, -size, size);
      points[i].y = (double)random_integer(random, -size, size);
    }
    count = hull_of(points, count, 0);
  }
  return count;
}

static size_t random_real_polygon(Random *random, double size, size_t most, sat_Vec2 *points) {
  size_t count = 0;
  while (count < 3) {
    count = (size_t)random_integer(random, 3, (int64_t)most);
    for (size_t i = 0; i < count; i++) {
      points[i].x = random_real(random, -size, size);
      points[i].y = random_real(random, -size, size);
    }
    count = hull_of(points, count, 1e-3L * size * size);
  }
  return count;
}

static int64_t greatest_divisor(int64_t a, int64_t b) {
  return b == 0 ? (a < 0 ? -a : a) : greatest_divisor(b, a % b);
}

static int by_angle(const void *left, const void *right) {
  const sat_Vec2 *a = left, *b = right;
  double side = a->x * b->y - a->y * b->x;
  return (side < 0) - (side > 0);
}

/* A polygon of 20 to 300 whole vertices. Its edges are short whole vectors of the upper half
 * plane in the order of their angles, some of them left out, and then the opposite vectors. */
static size_t random_lattice_round(Random *random, sat_Vec2 *points) {
  sat_Vec2 edges[MOST_VERTICES / 2];
  size_t count = 0, keep = (size_t)random_integer(random, 2, 8);
  for (int64_t y = 0; y <= 9; y++) {
    for (int64_t x = -9; x <= 9 && count < 150; x++) {
      if (greatest_divisor(x, y) != 1 || (y == 0 && x < 0)) continue;
      if (count >= 10 && random_integer(random, 1, 8) > (int64_t)keep) continue;
      edges[count++] = vec2((double)x, (double)y);
    }
  }
  qsort(edges, count, sizeof *edges, by_angle);
  points[0] = vec2(0, 0);
  for (size_t i = 1; i < 2 * count; i++) {
    sat_Vec2 edge = edges[(i - 1) % count];
    points[i] = i <= count ? add(points[i - 1], edge) : sub(points[i - 1], edge);
  }
  return 2 * count;
}

/* ---------------------------------------------------------------- hard polygons */

/* Replaces points by their exact hull. Returns its size, or 0 where there is no area. */
static size_t exact_hull(sat_Vec2 *points, size_t count) {
  return sat_hull(points, &count, test_scratch(), NULL) == SAT_OK ? count : 0;
}

static sat_Vec2 random_nudge(Random *random, double size) {
  double x = random_real(random, -size, size);
  return vec2(x, random_real(random, -size, size));
}

/* Adds points to an edge, along all of it or next to its start, each as near to the edge as
 * rounding allows. */
static size_t cut_an_edge(Random *random, sat_Vec2 *points, size_t count) {
  size_t from = (size_t)random_integer(random, 0, (int64_t)count - 1);
  sat_Vec2 start = points[from], edge = sub(points[(from + 1) % count], start);
  int pieces = (int)random_integer(random, 2, 5);
  double length = random_integer(random, 0, 2) ? 1 : 1e-9;
  for (int i = 1; i < pieces; i++) points[count++] = add(start, mul(edge, length * i / pieces));
  return exact_hull(points, count);
}

/* Adds a second vertex beside one, so that the edge between them has a billionth of the others'
 * lengths. */
static size_t double_a_vertex(Random *random, sat_Vec2 *points, size_t count) {
  size_t index = (size_t)random_integer(random, 0, (int64_t)count - 1);
  points[count] = add(points[index], random_nudge(random, 1e-9));
  return exact_hull(points, count + 1);
}

/* A triangle with next to no width, whose third vertex may be next to the first. */
static size_t random_needle(Random *random, sat_Vec2 *points) {
  static const double widths[] = {1e-3, 1e-6, 1e-9, 1e-12, 0};
  double width = widths[random_integer(random, 0, 4)];
  double along = random_integer(random, 0, 1) ? 1 : 1e-9;
  points[0] = random_nudge(random, 6);
  points[1] = random_nudge(random, 6);
  points[2] = lerp(points[0], points[1], along * random_real(random, 0, 1));
  points[2] = add(points[2], random_nudge(random, width));
  return exact_hull(points, 3);
}

size_t random_hard_polygon(Random *random, sat_Vec2 *points) {
  size_t count = 0;
  int kind = (int)random_integer(random, 0, 2);
  while (count < 3) {
    if (kind == 0) {
      count = random_needle(random, points);
      continue;
    }
    count = random_whole_polygon(random, 6, 6, points);
    for (size_t i = 0; i < count; i++) points[i] = mul(points[i], 1.0 / 3);
    count = exact_hull(points, count);
    if (count > 2 && kind == 2) count = double_a_vertex(random, points, count);
    for (int i = 0; i < 2 && count > 2; i++) count = cut_an_edge(random, points, count);
  }
  return count;
}

/* ---------------------------------------------------------------- random scenes */

/* Makes the points of a random shape about 0, 0, with whole numbers or not. */
static size_t random_points(Random *random, bool whole, sat_Vec2 *points) {
  int kind = (int)random_integer(random, 0, 40);
  int size = (int)random_integer(random, 1, 6);
  if (kind > 38) return random_lattice_round(random, points);
  if (kind >= 20) {
    size_t most = (size_t)random_integer(random, 3, 14);
    if (whole) return random_whole_polygon(random, size, most, points);
    return random_real_polygon(random, size, most, points);
  }
  for (size_t i = 0; i < 2; i++) {
    points[i].x = (double)random_integer(random, -size, size);
    points[i].y = (double)random_integer(random, -size, size);
    if (whole) continue;
    points[i].x += random_real(random, -1, 1);
    points[i].y += random_real(random, -1, 1);
  }
  return kind < 10 ? 1 : 2;
}

static double random_radius(Random *random, bool whole) {
  if (random_integer(random, 0, 9) < 6) return 0;
  return whole ? (double)random_integer(random, 1, 4) : random_real(random, 0, 4);
}

static void change_freely(Random *random, sat_Shape *shape) {
  double angle = random_real(random, -10, 10);
  if (random_integer(random, 0, 3) == 0) {
    angle = (double)random_integer(random, -4, 4) * 1.5707963267948966;
  }
  if (random_integer(random, 0, 3) > 0) sat_shape_rotate(shape, angle);
  if (random_integer(random, 0, 2) == 0) sat_shape_scale(shape, random_real(random, 0.3, 2));
  if (random_integer(random, 0, 3) == 0) sat_shape_flip(shape, random_integer(random, 0, 1) == 1);
}

static sat_Shape *random_shape(Random *random, Scene *scene) {
  sat_Vec2 points[MOST_VERTICES];
  bool hard = !scene->whole && random_integer(random, 0, 5) == 0;
  size_t count =
      hard ? random_hard_polygon(random, points) : random_points(random, scene->whole, points);
  scene->hard = scene->hard || hard;
  double x = (double)random_integer(random, -6, 6), y = (double)random_integer(random, -6, 6);
  if (!scene->whole && random_integer(random, 0, 1)) x += random_real(random, -1, 1);
  for (size_t i = 0; i < count; i++) {
    points[i] = mul(add(points[i], vec2(x, y)), scene->unit);
  }
  if (count > 2) count = exact_hull(points, count); /* the sums have rounded */
  if (count == 0) return random_shape(random, scene);
  double radius = random_radius(random, scene->whole) * scene->unit;
  sat_Shape *shape = shape_make(points, count, radius);
  if (!scene->whole && random_integer(random, 0, 4) > 0) change_freely(random, shape);
  return shape;
}

/* Moves a vertex of a shape to a vertex of the other one, since a shape of many vertices is much
 * larger than other shapes and would contain them. */
static void bring_near(Random *random, sat_Shape *shape, const sat_Shape *other) {
  size_t index = (size_t)random_integer(random, 0, shape->vertex_count - 1);
  sat_Vec2 vertex = sat_shape_vertex(shape, index), target = sat_shape_vertex(other, 0);
  sat_shape_move(shape, target.x - vertex.x, target.y - vertex.y);
}

static double random_unit(Random *random) {
  switch (random_integer(random, 0, 9)) {
  case 0: return 0x1p-40;
  case 1: return 0x1p27;
  default: return 1;
  }
}

/* Moves both shapes as far out as the contract's precision reaches. */
static void move_far_away(Random *random, Scene *scene) {
  sat_Vec2 way = vec2((double)random_integer(random, -10000000, 10000000), 1e7);
  if (!scene->whole) way.x += random_real(random, -1, 1);
  if (random_integer(random, 0, 1)) way = vec2(-way.y, way.x);
  sat_shape_move(scene->a, way.x, way.y);
  sat_shape_move(scene->b, way.x, way.y);
}

/* Makes B a copy of A: in the same place or, if A is a polygon, next to it along an axis, or
 * turned by half a turn. */
static void put_copy_beside(Random *random, Scene *scene) {
  sat_Box box = sat_shape_bounds(scene->a);
  sat_Vec2 size = sub(box.max, box.min);
  free(scene->b);
  scene->b = shape_copy(scene->a);
  if (scene->a->vertex_count < 3) return;
  switch (random_integer(random, 0, 3)) {
  case 0: sat_shape_move(scene->b, size.x, 0); break;
  case 1: sat_shape_move(scene->b, 0, size.y); break;
  case 2:
    if (!scene->whole) sat_shape_rotate(scene->b, 3.141592653589793);
    break;
  default: break;
  }
}

void scene_make(Scene *scene, uint64_t seed) {
  Random random = {seed};
  scene->seed = seed;
  scene->hard = false;
  scene->whole = random_integer(&random, 0, 1) == 1;
  scene->unit = random_unit(&random);
  scene->a = random_shape(&random, scene);
  scene->b = random_shape(&random, scene);
  scene->large = scene->a->vertex_count > 14 || scene->b->vertex_count > 14;
  if (scene->large) bring_near(&random, scene->a, scene->b);
  bool far = scene->unit == 1 && random_integer(&random, 0, 9) == 0;
  if (far) move_far_away(&random, scene);
  int relation = (int)random_integer(&random, 0, 15);
  if (relation == 0) put_copy_beside(&random, scene);
  if (relation == 1 && !scene->whole) scene_bring_to_touch(scene);
  scene_read(scene);
  questions_agree(scene->a, scene->b, seed);
  questions_agree(scene->b, scene->a, seed);
}

bool questions_agree(const sat_Shape *a, const sat_Shape *b, uint64_t seed) {
  sat_Scratch *scratch = test_scratch();
  sat_Status meet = sat_overlaps(a, b, scratch);
  sat_Result way = {.depth = -1};
  sat_Manifold manifold = {.depth = -1};
  sat_Distance separation;
  CHECK_SEED(seed, meet == SAT_OK || meet == SAT_MISS);
  CHECK_SEED(seed, sat_collide(a, b, scratch, &way) == meet);
  CHECK_SEED(seed, sat_contacts(a, b, scratch, &manifold) == meet);
  CHECK_SEED(seed, (way.depth >= 0) == (meet == SAT_OK) && way.depth == manifold.depth);
  CHECK_SEED(seed, meet == SAT_MISS || same_vector(way.normal, manifold.normal));
  CHECK_SEED(seed, sat_distance(a, b, scratch, &separation) == SAT_OK);
  CHECK_SEED(seed, (separation.distance == 0) == (meet == SAT_OK));
  if (sat_shape_kind(b) == SAT_POINT) {
    CHECK_SEED(seed, sat_contains(a, b, scratch) == meet);
    CHECK_SEED(seed, sat_contains_point(a, sat_shape_vertex(b, 0), scratch) == meet);
  } else if (meet == SAT_MISS) {
    CHECK_SEED(seed, sat_contains(a, b, scratch) == SAT_MISS);
  }
  return meet == SAT_OK;
}

void scene_bring_to_touch(Scene *scene) {
  sat_Result result;
  sat_Distance distance;
  if (sat_collide(scene->a, scene->b, test_scratch(), &result) == SAT_OK) {
    sat_shape_move(scene->a, result.vector.x, result.vector.y);
  } else {
    sat_distance(scene->a, scene->b, test_scratch(), &distance);
    sat_Vec2 separation = sub(distance.on_b, distance.on_a);
    sat_shape_move(scene->a, separation.x, separation.y);
  }
  scene->whole = false;
  scene_read(scene);
}

/* A polygon of whole numbers, and a whole point on one of its slanted edges, perhaps a vertex. */
typedef struct Slope {
  sat_Vec2 point, outward;
  size_t count;
  sat_Vec2 points[16];
} Slope;

static void random_slope(Random *random, Slope *slope) {
  for (;;) {
    slope->count = random_whole_polygon(random, 8, 8, slope->points);
    size_t first = (size_t)random_integer(random, 0, (int64_t)slope->count - 1);
    sat_Vec2 from = slope->points[first], to = slope->points[(first + 1) % slope->count];
    sat_Vec2 edge = sub(to, from);
    int64_t steps = 1;
    for (int64_t k = 2; k <= 16; k++) {
      if (fmod(edge.x, (double)k) == 0 && fmod(edge.y, (double)k) == 0) steps = k;
    }
    if (edge.x == 0 || edge.y == 0) continue;
    int64_t step = random_integer(random, 0, steps);
    slope->point = add(from, mul(edge, (double)step / (double)steps));
    slope->outward = vec2(edge.y, -edge.x);
    return;
  }
}

/* The index of the only point that is farthest back along `outward`, or `count` if several are. */
static size_t lowest_point(const sat_Vec2 *points, size_t count, sat_Vec2 outward) {
  size_t lowest = 0, times = 0;
  for (size_t i = 0; i < count; i++) {
    if (dot(points[i], outward) < dot(points[lowest], outward)) lowest = i;
  }
  for (size_t i = 0; i < count; i++) {
    times += dot(points[i], outward) == dot(points[lowest], outward);
  }
  return times == 1 ? lowest : count;
}

void scene_make_slanted_touch(Scene *scene, uint64_t seed) {
  Random random = {seed};
  Slope slope;
  sat_Vec2 points[16] = {{0, 0}};
  size_t count, lowest;
  random_slope(&random, &slope);
  do {
    count = random_whole_polygon(&random, 8, 8, points);
    if (seed % 4 == 0) count = seed % 8 == 0 ? 1 : 2;
    lowest = lowest_point(points, count, slope.outward);
  } while (lowest == count);
  sat_Vec2 way = sub(slope.point, points[lowest]);
  for (size_t i = 0; i < count; i++) points[i] = add(points[i], way);
  scene->seed = seed;
  scene->whole = true;
  scene->large = false;
  scene->unit = 0x1p-46; /* one in the last place of 64 */
  scene->a = shape_make(points, count, 0);
  scene->b = shape_make(slope.points, slope.count, 0);
  scene_read(scene);
}

void scene_read(Scene *scene) {
  solid_read(&scene->solid_a, scene->a);
  solid_read(&scene->solid_b, scene->b);
}

void scene_free(Scene *scene) {
  free(scene->a);
  free(scene->b);
}

bool scene_next(Scene *scene, uint64_t last) {
  if (scene->seed > 0) scene_free(scene);
  if (scene->seed >= last) return false;
  scene_make(scene, scene->seed + 1);
  return true;
}

Real ulp_of(Real number) {
  double size = fabs((double)number);
  return (Real)nextafter(size, HUGE_VAL) - size;
}

static Real solid_reach(const Solid *solid) {
  Real threshold = 0;
  for (size_t i = 0; i < solid->count; i++) {
    Point v = solid->vertices[i];
    threshold = most_of(threshold, most_of(fabsl(v.x), fabsl(v.y)));
  }
  return threshold + solid->radius;
}

Real scene_reach(const Scene *scene) {
  return most_of(solid_reach(&scene->solid_a), solid_reach(&scene->solid_b));
}

Real scene_hair(const Scene *scene) {
  Real threshold = scene_reach(scene);
  return 4 * ulp_of(threshold) + 8 * real_epsilon() * threshold;
}

bool scene_is_exact(const Scene *scene) {
  return scene->whole && scene->a->radius == 0 && scene->b->radius == 0;
}

/* ---------------------------------------------------------------- failing */

static void print_shape(const char *name, const sat_Shape *shape) {
  print_error("%s: %s, radius %.17g, origin %.17g, %.17g, flags %u, angle %.17g, scale %.17g\n",
              name, sat_kind_name(sat_shape_kind(shape)), shape->radius, shape->origin.x,
              shape->origin.y, (unsigned)shape->flags, shape->angle, shape->scale);
  for (size_t i = 0; i < shape->vertex_count; i++) {
    sat_Vec2 v = vertices_of(shape)[i];
    print_error("  origin + %.17g, %.17g\n", v.x, v.y);
  }
}

void scene_fail(const Scene *scene, const char *condition, const char *file, int line) {
  print_error("with seed %llu: %s\n", (unsigned long long)scene->seed, condition);
  print_shape("a", scene->a);
  print_shape("b", scene->b);
  _fail(file, line);
}

size_t triangles_of(const sat_Vec2 *points, size_t count, sat_Vec2 (*triangles)[3]) {
  void *memory = malloc(sat_triangulation_bytes(count));
  assert_non_null(memory);
  sat_Triangulation all = sat_triangulate(points, count, memory);
  for (uint32_t i = 0; i < all.count; i++)
    triangles[i / 3][i % 3] = points[all.half_edge[i].vertex];
  free(memory);
  return all.count / 3;
}
