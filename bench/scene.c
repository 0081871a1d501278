/* scene.c: polygons inscribed in ellipses, at jittered angles, so that they are convex and nothing
 * is regular; or in circles, at even ones. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Half the width of the square in which the shapes are, and their half axes. */
#define WORLD 50
#define SMALLEST 0.5
#define LARGEST 2.5

const char *bench_mix_name(bench_Mix mix) {
  static const char *const names[] = {"hits", "half", "misses"};
  return names[mix];
}

/* ---------------------------------------------------------------- shapes */

static void make_box(bench_Polygon *box, uint64_t *state) {
  double w = bench_between(state, SMALLEST, LARGEST), h = bench_between(state, SMALLEST, LARGEST);
  const sat_Vec2 corners[4] = {{-w, -h}, {w, -h}, {w, h}, {-w, h}};
  memcpy(box->local, corners, sizeof corners);
}

static void make_polygon(bench_Polygon *polygon, bool regular, uint64_t *state) {
  size_t n = polygon->count;
  double rx = bench_between(state, SMALLEST, LARGEST), ry = bench_between(state, SMALLEST, LARGEST);
  if (regular) ry = rx;
  for (size_t i = 0; i < n; i++) {
    double jitter = regular ? 0 : bench_between(state, -0.35, 0.35);
    double angle = ((double)i + jitter) * 2 * PI / (double)n;
    polygon->local[i].x = rx * cos(angle);
    polygon->local[i].y = ry * sin(angle);
  }
  sat_Vec2 centroid = sat_ring_centroid(polygon->local, n);
  for (size_t i = 0; i < n; i++) {
    polygon->local[i].x -= centroid.x;
    polygon->local[i].y -= centroid.y;
  }
}

void bench_polygon_place(bench_Polygon *polygon, double angle) {
  double c = cos(angle), s = sin(angle);
  for (size_t i = 0; i < polygon->count; i++) {
    sat_Vec2 v = polygon->local[i];
    polygon->world[i].x = polygon->center.x + (c * v.x - s * v.y);
    polygon->world[i].y = polygon->center.y + (s * v.x + c * v.y);
  }
}

static void make_shape(bench_Polygon *shape, sat_Vec2 center, bool regular, uint64_t *state) {
  shape->center = center;
  shape->angle = bench_between(state, 0, 2 * PI);
  shape->radius = shape->count ? 0 : bench_between(state, SMALLEST, LARGEST);
  if (shape->count == 4 && !regular) make_box(shape, state);
  else if (shape->count) make_polygon(shape, regular, state);
  bench_polygon_place(shape, shape->angle);
}

static sat_Box box_of(const bench_Polygon *shape) {
  double r = shape->radius;
  sat_Box box = {{shape->center.x - r, shape->center.y - r},
                 {shape->center.x + r, shape->center.y + r}};
  for (size_t i = 0; i < shape->count; i++) {
    sat_Vec2 v = shape->world[i];
    box.min = (sat_Vec2){fmin(box.min.x, v.x), fmin(box.min.y, v.y)};
    box.max = (sat_Vec2){fmax(box.max.x, v.x), fmax(box.max.y, v.y)};
  }
  return box;
}

static bool boxes_overlap(const bench_Polygon *a, const bench_Polygon *b) {
  sat_Box p = box_of(a), q = box_of(b);
  return p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y;
}

/* ---------------------------------------------------------------- pairs */

/* Pairs that a broad phase would hand on: anywhere, as long as the boxes overlap. */
static void make_pair(bench_Scene *scene, size_t i, bool regular, bool hit, uint64_t *state) {
  bench_Polygon *a = &scene->a[i], *b = &scene->b[i];
  do {
    sat_Vec2 center = {bench_between(state, -WORLD, WORLD), bench_between(state, -WORLD, WORLD)};
    make_shape(a, center, regular, state);
    center.x += bench_between(state, -4 * LARGEST, 4 * LARGEST);
    center.y += bench_between(state, -4 * LARGEST, 4 * LARGEST);
    make_shape(b, center, regular, state);
    scene->depth[i] = textbook_depth(a, b);
  } while (!boxes_overlap(a, b) || (scene->depth[i] >= 0) != hit);
}

static bench_Scene *create_empty(size_t count, size_t vertices, size_t vertices_of_b) {
  bench_Scene *scene = bench_allocate(1, sizeof *scene);
  scene->count = count;
  scene->vertices = vertices;
  scene->a = bench_allocate(count, sizeof *scene->a);
  scene->b = bench_allocate(count, sizeof *scene->b);
  scene->depth = bench_allocate(count, sizeof *scene->depth);
  /* What is worked on together lies together: the world vertices of a pair, side by side. */
  size_t all = count * (vertices + vertices_of_b);
  sat_Vec2 *world = scene->points = bench_allocate(2 * all, sizeof *scene->points);
  for (size_t i = 0; i < count; i++, world += vertices + vertices_of_b) {
    scene->a[i].count = vertices;
    scene->b[i].count = vertices_of_b;
    scene->a[i].world = world;
    scene->a[i].local = world + all;
    scene->b[i].world = world + vertices;
    scene->b[i].local = world + vertices + all;
  }
  return scene;
}

bench_Scene *bench_scene_create(bench_Class kind, bench_Mix mix, size_t count) {
  uint64_t state = 2 * kind.vertices + kind.against_circle;
  bench_Scene *scene = create_empty(count, kind.vertices, kind.against_circle ? 0 : kind.vertices);
  for (size_t i = 0; i < count; i++) {
    bool hit = mix == BENCH_HITS || (mix == BENCH_HALF && bench_next_bits(&state) >> 63);
    make_pair(scene, i, kind.regular, hit, &state);
  }
  return scene;
}

static void copy_polygon(bench_Polygon *to, const bench_Polygon *from) {
  memcpy(to->local, from->local, from->count * sizeof *from->local);
  memcpy(to->world, from->world, from->count * sizeof *from->world);
  to->center = from->center;
  to->angle = from->angle;
  to->radius = from->radius;
}

bench_Scene *bench_scene_copy(const bench_Scene *scene) {
  bench_Scene *copy = create_empty(scene->count, scene->vertices, scene->b[0].count);
  for (size_t i = 0; i < scene->count; i++) {
    copy_polygon(&copy->a[i], &scene->a[i]);
    copy_polygon(&copy->b[i], &scene->b[i]);
    copy->depth[i] = scene->depth[i];
  }
  return copy;
}

void bench_scene_destroy(bench_Scene *scene) {
  free(scene->points);
  free(scene->depth);
  free(scene->b);
  free(scene->a);
  free(scene);
}
