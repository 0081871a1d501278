/* queries.c: rays, casts and distances, in times of plain code for just that question and kind of
 * shape, timed in turns; and how far their answers are apart.
 *
 *   queries [row]   the rows whose name has that word */
#include "plain_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 512, ROUNDS = 60, MOST_PIECES = 19600 };
#define PASS_NS 2e5
static const double turn = 6.283185307179586;

static sat_Scratch scratch;

/* ---------------------------------------------------------------- shapes */

typedef enum Kind {
  POINT,
  CIRCLE,
  CAPSULE,
  SEGMENT,
  UPRIGHT,
  TURNED,
  TRIANGLE,
  HEXAGON,
  OCTAGON,
  PIECES
} Kind;

static void add_ring(bench_Plain *plain, sat_Vec2 center, size_t count, double size, double angle) {
  plain->count = count;
  for (size_t i = 0; i < count; i++) {
    double at = angle + turn * (double)i / (double)count;
    plain->vertex[i] = (sat_Vec2){center.x + size * cos(at), center.y + size * sin(at)};
  }
}

static void add_box(bench_Plain *plain, sat_Vec2 center, sat_Vec2 half) {
  sat_Vec2 p = {center.x - half.x, center.y - half.y}, q = {center.x + half.x, center.y + half.y};
  plain->count = 4;
  plain->vertex[0] = p;
  plain->vertex[1] = (sat_Vec2){q.x, p.y};
  plain->vertex[2] = q;
  plain->vertex[3] = (sat_Vec2){p.x, q.y};
}

static bench_Plain plain_at(Kind kind, sat_Vec2 center, uint64_t *random) {
  bench_Plain plain = {.count = 1, .vertex = {center}};
  double angle = bench_between(random, 0, turn), size = bench_between(random, 4, 8);
  if (kind == CIRCLE) plain.radius = size;
  if (kind == CAPSULE || kind == SEGMENT) add_ring(&plain, center, 2, size, angle);
  if (kind == CAPSULE) plain.radius = 3;
  if (kind == UPRIGHT) add_box(&plain, center, (sat_Vec2){size, bench_between(random, 4, 8)});
  if (kind == TURNED) add_ring(&plain, center, 4, size, angle);
  if (kind == TRIANGLE) add_ring(&plain, center, 3, size, angle);
  if (kind == HEXAGON) add_ring(&plain, center, 6, size, angle);
  if (kind == OCTAGON) add_ring(&plain, center, 8, size, angle);
  bench_plain_measure(&plain);
  return plain;
}

static sat_Shape *shape_of(const bench_Plain *plain) {
  sat_Shape *shape = bench_allocate(1, sat_shape_bytes(plain->count));
  bench_check(sat_shape_init(shape, plain->vertex, plain->count, plain->radius));
  return shape;
}

/* ---------------------------------------------------------------- rows */

/* The subjects of a row: B at rest, A at `from` or the point there, and its motion. */
typedef struct Scene {
  bench_Plain *a, *b;
  sat_Shape *of_a[PAIRS], *of_b[PAIRS];
  sat_Vec2 from[PAIRS], motion[PAIRS];
  bench_PlainTree tree;
} Scene;

typedef struct Row {
  const char *name;
  Kind a, b;
  uint32_t pieces;
  double (*ours)(const Scene *scene);
  double (*plain)(const Scene *scene);
  double goal;
} Row;

/* The sums of all times and coordinates of normals. */
static double sum_of(const sat_Hit *hit) { return hit->t + hit->normal.x + hit->normal.y; }

static double our_rays(const Scene *scene) {
  double sum = 0;
  sat_Hit hit;
  for (size_t i = 0; i < PAIRS; i++) {
    sat_Vec2 from = scene->from[i], motion = scene->motion[i];
    sat_Vec2 to = {from.x + motion.x, from.y + motion.y};
    if (sat_raycast(scene->of_b[i], from, to, &scratch, &hit) == SAT_OK) sum += sum_of(&hit);
  }
  return sum;
}

static double our_casts(const Scene *scene) {
  double sum = 0;
  sat_Hit hit;
  for (size_t i = 0; i < PAIRS; i++)
    if (sat_cast(scene->of_a[i], scene->motion[i], scene->of_b[i], &scratch, &hit) == SAT_OK)
      sum += sum_of(&hit);
  return sum;
}

static double our_distances(const Scene *scene) {
  double sum = 0;
  sat_Distance distance;
  for (size_t i = 0; i < PAIRS; i++) {
    sat_distance(scene->of_a[i], scene->of_b[i], &scratch, &distance);
    sum += distance.distance;
  }
  return sum;
}

static double our_contains(const Scene *scene) {
  double sum = 0;
  for (size_t i = 0; i < PAIRS; i++)
    sum += sat_contains_point(scene->of_b[i], scene->from[i], &scratch) == SAT_OK;
  return sum;
}

#define PLAIN_RAYS(name, kernel)                                                                   \
  static double name(const Scene *scene) {                                                         \
    double sum = 0;                                                                                \
    sat_Hit hit;                                                                                   \
    for (size_t i = 0; i < PAIRS; i++)                                                             \
      if (kernel(&scene->b[i], scene->from[i], scene->motion[i], &hit)) sum += sum_of(&hit);       \
    return sum;                                                                                    \
  }
PLAIN_RAYS(rays_circle, plain_ray_circle)
PLAIN_RAYS(rays_capsule, plain_ray_capsule)
PLAIN_RAYS(rays_segment, plain_ray_segment)
PLAIN_RAYS(rays_box, plain_ray_box)
PLAIN_RAYS(rays_polygon, plain_ray_polygon)

#define PLAIN_CASTS(name, kernel)                                                                  \
  static double name(const Scene *scene) {                                                         \
    double sum = 0;                                                                                \
    sat_Hit hit;                                                                                   \
    for (size_t i = 0; i < PAIRS; i++)                                                             \
      if (kernel(&scene->a[i], scene->motion[i], &scene->b[i], &hit)) sum += sum_of(&hit);         \
    return sum;                                                                                    \
  }
PLAIN_CASTS(casts_circles, plain_cast_circles)
PLAIN_CASTS(casts_boxes, plain_cast_boxes)
PLAIN_CASTS(casts_polygons, plain_cast_polygons)

#define PLAIN_DISTANCES(name, kernel)                                                              \
  static double name(const Scene *scene) {                                                         \
    double sum = 0;                                                                                \
    sat_Vec2 closest[2];                                                                           \
    for (size_t i = 0; i < PAIRS; i++) sum += kernel(&scene->a[i], &scene->b[i], closest);         \
    return sum;                                                                                    \
  }
PLAIN_DISTANCES(distances_circles, plain_distance_circles)
PLAIN_DISTANCES(distances_capsules, plain_distance_capsules)
PLAIN_DISTANCES(distances_boxes, plain_distance_boxes)
PLAIN_DISTANCES(distances_box_circle, plain_distance_box_circle)
PLAIN_DISTANCES(distances_polygons, plain_distance_polygons)

/* Trees have the times alone. */
static double tree_casts(const Scene *scene, sat_Vec2 half) {
  double sum = 0, t;
  for (size_t i = 0; i < PAIRS; i++)
    if (plain_tree_cast(&scene->tree, scene->from[i], scene->motion[i], half, &t)) sum += t;
  return sum;
}
static double tree_rays(const Scene *scene) { return tree_casts(scene, (sat_Vec2){0, 0}); }
static double tree_box_casts(const Scene *scene) { return tree_casts(scene, (sat_Vec2){3, 3}); }
static double tree_distances(const Scene *scene) {
  double sum = 0;
  for (size_t i = 0; i < PAIRS; i++) sum += plain_tree_distance(&scene->tree, scene->from[i]);
  return sum;
}
static double tree_contains(const Scene *scene) {
  double sum = 0;
  for (size_t i = 0; i < PAIRS; i++) sum += plain_tree_contains(&scene->tree, scene->from[i]);
  return sum;
}

#define ROWS_OF_PIECES(count, ray, cast, distance, contains)                                       \
  {#count " pieces: ray", POINT, PIECES, count, our_rays, tree_rays, ray},                         \
      {#count " pieces: box cast", UPRIGHT, PIECES, count, our_casts, tree_box_casts, cast},       \
      {#count " pieces: distance of a point",                                                      \
       POINT,                                                                                      \
       PIECES,                                                                                     \
       count,                                                                                      \
       our_distances,                                                                              \
       tree_distances,                                                                             \
       distance},                                                                                  \
  {                                                                                                \
#count " pieces: contains a point", POINT, PIECES, count, our_contains, tree_contains,         \
        contains                                                                                   \
  }

static const Row rows[] = {
    {"ray: circle", POINT, CIRCLE, 0, our_rays, rays_circle, 5.4},
    {"ray: capsule", POINT, CAPSULE, 0, our_rays, rays_capsule, 2.8},
    {"ray: segment", POINT, SEGMENT, 0, our_rays, rays_segment, 8},
    {"ray: upright box", POINT, UPRIGHT, 0, our_rays, rays_box, 8},
    {"ray: turned box", POINT, TURNED, 0, our_rays, rays_polygon, 4.4},
    {"ray: triangle", POINT, TRIANGLE, 0, our_rays, rays_polygon, 5},
    {"ray: hexagon", POINT, HEXAGON, 0, our_rays, rays_polygon, 3.9},
    {"ray: octagon", POINT, OCTAGON, 0, our_rays, rays_polygon, 3.4},
    {"distance: circles", CIRCLE, CIRCLE, 0, our_distances, distances_circles, 9.8},
    {"distance: capsules", CAPSULE, CAPSULE, 0, our_distances, distances_capsules, 7.8},
    {"distance: upright boxes", UPRIGHT, UPRIGHT, 0, our_distances, distances_boxes, 0.75},
    {"distance: box and circle", UPRIGHT, CIRCLE, 0, our_distances, distances_box_circle, 10.4},
    {"distance: turned boxes", TURNED, TURNED, 0, our_distances, distances_polygons, 1.9},
    {"distance: hexagons", HEXAGON, HEXAGON, 0, our_distances, distances_polygons, 1.45},
    {"distance: octagons", OCTAGON, OCTAGON, 0, our_distances, distances_polygons, 1.15},
    {"cast: circles", CIRCLE, CIRCLE, 0, our_casts, casts_circles, 6.9},
    {"cast: upright boxes", UPRIGHT, UPRIGHT, 0, our_casts, casts_boxes, 4.2},
    {"cast: turned boxes", TURNED, TURNED, 0, our_casts, casts_polygons, 2.9},
    {"cast: hexagons", HEXAGON, HEXAGON, 0, our_casts, casts_polygons, 1.55},
    {"cast: octagons", OCTAGON, OCTAGON, 0, our_casts, casts_polygons, 1.05},
    ROWS_OF_PIECES(100, 5, 8, 20, 1.2),
    ROWS_OF_PIECES(4900, 4.5, 8, 20, 0.95),
    ROWS_OF_PIECES(19600, 4.6, 8, 20, 1.05),
};

/* ---------------------------------------------------------------- scenes */

/* B at 0, 0; A 20 to 60 away, and moves past B's centre or near it. */
static void place_pair(const Row *row, Scene *scene, size_t i, uint64_t *random) {
  double angle = bench_between(random, 0, turn), away = bench_between(random, 20, 60);
  sat_Vec2 at = {bench_between(random, -100, 100), bench_between(random, -100, 100)};
  scene->b[i] = plain_at(row->b, at, random);
  scene->from[i] = (sat_Vec2){at.x + away * cos(angle), at.y + away * sin(angle)};
  scene->motion[i] = (sat_Vec2){-1.7 * away * cos(angle) + bench_between(random, -6, 6),
                                -1.7 * away * sin(angle) + bench_between(random, -6, 6)};
  scene->a[i] = plain_at(row->a, scene->from[i], random);
  scene->of_a[i] = shape_of(&scene->a[i]);
  scene->of_b[i] = shape_of(&scene->b[i]);
}

/* Upright boxes of 6 to 14 in a square of cells of 24, and subjects anywhere in it. */
static void place_pieces(const Row *row, Scene *scene, uint64_t *random) {
  uint32_t side = (uint32_t)lround(sqrt(row->pieces));
  sat_Shape **members = bench_allocate(row->pieces, sizeof *members);
  sat_Box *boxes = bench_allocate(row->pieces, sizeof *boxes);
  for (uint32_t i = 0; i < row->pieces; i++) {
    sat_Vec2 at = {24.0 * (i % side) + bench_between(random, -4, 4),
                   24.0 * (i / side) + bench_between(random, -4, 4)};
    sat_Vec2 half = {bench_between(random, 3, 7), bench_between(random, 3, 7)};
    bench_Plain plain = {.count = 4};
    add_box(&plain, at, half);
    bench_plain_measure(&plain);
    members[i] = shape_of(&plain);
    boxes[i] = plain.box;
  }
  const sat_Shape *const *parts = (const sat_Shape *const *)members;
  sat_Shape *compound = bench_allocate(1, sat_compound_bytes(parts, row->pieces));
  bench_check(sat_compound_init(compound, parts, row->pieces));
  scene->tree = plain_tree_make(boxes, row->pieces);
  for (size_t i = 0; i < PAIRS; i++) {
    double wide = 24.0 * side;
    sat_Vec2 to = {bench_between(random, 0, wide), bench_between(random, 0, wide)};
    scene->from[i] = (sat_Vec2){bench_between(random, 0, wide), bench_between(random, 0, wide)};
    if (plain_tree_distance(&scene->tree, scene->from[i]) < 5 && row->ours != our_contains) i--;
    else scene->motion[i] = (sat_Vec2){to.x - scene->from[i].x, to.y - scene->from[i].y};
  }
  for (size_t i = 0; i < PAIRS; i++) {
    bench_Plain plain = {.count = 1, .vertex = {scene->from[i]}};
    if (row->a == UPRIGHT) add_box(&plain, scene->from[i], (sat_Vec2){3, 3});
    scene->of_a[i] = shape_of(&plain);
    scene->of_b[i] = compound;
  }
  for (uint32_t i = 0; i < row->pieces; i++) free(members[i]);
  free(members);
  free(boxes);
}

static void free_scene(const Row *row, Scene *scene) {
  for (size_t i = 0; i < PAIRS; i++) {
    free(scene->of_a[i]);
    if (i == 0 || row->pieces == 0) free(scene->of_b[i]);
  }
  if (row->pieces > 0) plain_tree_free(&scene->tree);
  free(scene->a);
  free(scene->b);
}

/* ---------------------------------------------------------------- timing */

static double time_passes(double (*pass)(const Scene *scene), const Scene *scene, int passes,
                          double *sum) {
  double start = bench_wall_now();
  for (int i = 0; i < passes; i++) *sum = pass(scene);
  return (bench_wall_now() - start) / passes / PAIRS;
}

static int passes_for(double (*pass)(const Scene *scene), const Scene *scene) {
  double sum;
  int passes = 1;
  while (passes < 1 << 20 && time_passes(pass, scene, passes, &sum) * PAIRS * passes < PASS_NS)
    passes *= 2;
  return passes;
}

/* The least times of both in turns: what disturbs only adds. */
static void measure(const Row *row) {
  Scene scene = {.a = bench_allocate(PAIRS, sizeof *scene.a),
                 .b = bench_allocate(PAIRS, sizeof *scene.b)};
  uint64_t random = 1;
  if (row->pieces > 0) place_pieces(row, &scene, &random);
  for (size_t i = 0; row->pieces == 0 && i < PAIRS; i++) place_pair(row, &scene, i, &random);
  double (*const pass[2])(const Scene *) = {row->ours, row->plain}, least[2] = {1e30, 1e30}, sum[2];
  int passes[2] = {passes_for(pass[0], &scene), passes_for(pass[1], &scene)};
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < 2; i++)
      least[i] = fmin(least[i], time_passes(pass[i], &scene, passes[i], &sum[i]));
  double ratio = least[0] / least[1];
  printf("%-36s %9.1f %9.1f %8.2f %8.2f%s", row->name, least[0], least[1], ratio, row->goal,
         ratio > row->goal ? "*" : " ");
  printf("   %.9g %.9g\n", sum[0], sum[1]);
  fflush(stdout);
  free_scene(row, &scene);
}

int main(int count, char **arguments) {
  scratch = sat_scratch_make((sat_Allocator){bench_reallocate, NULL});
  printf("%-36s %9s %9s %8s %8s    sums of answers, ours and plain\n", "row", "sat, ns", "plain",
         "ratio", "goal");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (count < 2 || strstr(rows[i].name, arguments[1])) measure(&rows[i]);
  sat_scratch_free(&scratch);
  return 0;
}
