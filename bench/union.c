/* union.c: the shortest way out of shapes of several convex parts, in times of what two convex 12-gons
 * take, and whether that is within limits.
 *
 * Each row asks about many pairs in turn, so that the processor cannot learn one by heart. */
#include "common.h"
#include "sat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS = 32, ROUNDS = 400, MOST_VERTICES = 10000, MOST_ROWS = 32 };
#define LEAST_NS 2e3
static const double turn = 6.283185307179586;

static sat_Scratch scratch;

/* ---------------------------------------------------------------- shapes */

static sat_Shape *polygon(sat_Vec2 *points, size_t count) {
  sat_Decomposition pieces;
  sat_Shape *shape;
  bench_check(sat_ring_clean(points, &count, &scratch, NULL));
  if (sat_ring_is_convex(points, count, NULL)) {
    shape = bench_allocate(1, sat_shape_bytes(count));
    bench_check(sat_shape_init(shape, points, count, 0));
  } else {
    bench_check(sat_ring_decompose(points, count, &scratch, &pieces));
    shape = bench_allocate(1, sat_polygon_bytes(count, &pieces));
    bench_check(sat_polygon_init(shape, points, count, &pieces));
  }
  return shape;
}

/* A ring about 0, 0 whose vertices are at these distances in turn. */
static sat_Shape *ring(size_t count, double first, double second) {
  sat_Vec2 points[32];
  for (size_t i = 0; i < count; i++) {
    double angle = turn * (double)i / (double)count, radius = i % 2 ? second : first;
    points[i] = (sat_Vec2){radius * cos(angle), radius * sin(angle)};
  }
  return polygon(points, count);
}

static sat_Shape *twelve(void) { return ring(12, 10, 10); }
static sat_Shape *star(void) { return ring(12, 10, 5); }
static sat_Shape *hexagon(void) { return ring(6, 6, 6); }

static sat_Shape *cross_of(double half, double end) {
  sat_Vec2 points[12] = {{-half, -end}, {half, -end}, {half, -half}, {end, -half},
                         {end, half},   {half, half}, {half, end},   {-half, end},
                         {-half, half}, {-end, half}, {-end, -half}, {-half, -half}};
  return polygon(points, 12);
}

static sat_Shape *cross(void) { return cross_of(3, 10); }

/* Sharp, and as large as a star or a cross with a radius of 1: its ends and its hollows are as far
 * from 0, 0. */
static sat_Shape *large_star(void) { return ring(12, 11, 6.24); }
static sat_Shape *large_cross(void) { return cross_of(4, 11); }

static sat_Shape *angle(void) {
  static const double outline[12] = {-10, -10, 10, -10, 10, -2, -2, -2, -2, 10, -10, 10};
  sat_Vec2 points[6];
  for (size_t i = 0; i < 6; i++) points[i] = (sat_Vec2){outline[2 * i], outline[2 * i + 1]};
  return polygon(points, 6);
}

/* Bays and headlands about 0, 0, each side about as long as the hexagon's. */
static sat_Shape *coastline(size_t count) {
  static sat_Vec2 points[MOST_VERTICES];
  uint64_t random = 7;
  for (size_t i = 0; i < count; i++) {
    double angle = turn * (double)i / (double)count;
    double radius = (double)count + bench_between(&random, 0, 20);
    points[i] = (sat_Vec2){radius * cos(angle), radius * sin(angle)};
  }
  return polygon(points, count);
}

static sat_Shape *coast_1000(void) { return coastline(1000); }
static sat_Shape *coast_10000(void) { return coastline(10000); }

/* Boxes in rows of 25, with room for a hexagon between them; about 0, 0 there are some either way. */
static sat_Shape *heap(int rows) {
  size_t count = (size_t)rows * 25, used = 0;
  sat_Shape **boxes = bench_allocate(count, sizeof *boxes);
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < 25; column++) {
      double x = 24 * (column - 12), y = 24 * (row - rows / 2), width = 7 + column % 3;
      sat_Vec2 corners[4] = {{x, y}, {x + width, y}, {x + width, y + 9}, {x, y + 9}};
      boxes[used++] = polygon(corners, 4);
    }
  }
  sat_Shape *shape = bench_compound(boxes, count);
  for (size_t i = 0; i < count; i++) free(boxes[i]);
  free(boxes);
  return shape;
}

static sat_Shape *heap_500(void) { return heap(20); }
static sat_Shape *heap_125(void) { return heap(5); }

/* ---------------------------------------------------------------- rows */

/* How the first shape lies to the other: its centre so far away, in any direction. */
typedef struct Place {
  double from, to;
  bool hits, turns;
} Place;

static const Place ANYWHERE = {0, 12, true, true}, SHALLOW = {13, 19, true, true},
                   DEEP = {0, 4, true, true}, SAME = {0, 0, true, false},
                   BOXES = {13, 22, false, true};

/* At most `limit` times what the row `of` takes. */
typedef struct Row {
  const char *name;
  sat_Shape *(*make[2])(void);
  const Place *place;
  double radius[2], limit;
  int of;
  double around; /* the place is relative to this distance from 0, 0 */
} Row;

/* The rows that others are compared with. */
enum { CONVEX = 0, SHALLOW_STARS = 1, DEEP_STARS = 5, SHALLOW_CROSSES = 11, DEEP_CROSSES = 15 };
enum { SHALLOW_LARGE_STARS = 3, DEEP_LARGE_STARS = 7 };
enum { SHALLOW_LARGE_CROSSES = 13, DEEP_LARGE_CROSSES = 17 };
enum { COAST = 21, HEAP = 23 };

static const Row rows[] = {
    {"12-gons", {twelve, twelve}, &ANYWHERE, {0, 0}, 1, CONVEX, 0},
    {"stars, shallow", {star, star}, &SHALLOW, {0, 0}, 300, CONVEX, 0},
    {"stars, shallow, one rounded", {star, star}, &SHALLOW, {1, 0}, 2, SHALLOW_STARS, 0},
    {"stars, shallow, as large", {large_star, large_star}, &SHALLOW, {0, 0}, 0, CONVEX, 0},
    {"stars, shallow, both rounded", {star, star}, &SHALLOW, {1, 1}, 1.5, SHALLOW_LARGE_STARS, 0},
    {"stars, deep", {star, star}, &DEEP, {0, 0}, 300, CONVEX, 0},
    {"stars, deep, one rounded", {star, star}, &DEEP, {1, 0}, 2, DEEP_STARS, 0},
    {"stars, deep, as large", {large_star, large_star}, &DEEP, {0, 0}, 0, CONVEX, 0},
    {"stars, deep, both rounded", {star, star}, &DEEP, {1, 1}, 2.2, DEEP_LARGE_STARS, 0},
    {"stars in one place", {star, star}, &SAME, {0, 0}, 0, CONVEX, 0},
    {"stars, boxes only", {star, star}, &BOXES, {0, 0}, 5, CONVEX, 0},
    {"crosses, shallow", {cross, cross}, &SHALLOW, {0, 0}, 200, CONVEX, 0},
    {"crosses, shallow, one rounded", {cross, cross}, &SHALLOW, {1, 0}, 2, SHALLOW_CROSSES, 0},
    {"crosses, shallow, as large", {large_cross, large_cross}, &SHALLOW, {0, 0}, 0, CONVEX, 0},
    {"crosses, shallow, both rounded",
     {cross, cross},
     &SHALLOW,
     {1, 1},
     1.5,
     SHALLOW_LARGE_CROSSES,
     0},
    {"crosses, deep", {cross, cross}, &DEEP, {0, 0}, 200, CONVEX, 0},
    {"crosses, deep, one rounded", {cross, cross}, &DEEP, {1, 0}, 2, DEEP_CROSSES, 0},
    {"crosses, deep, as large", {large_cross, large_cross}, &DEEP, {0, 0}, 0, CONVEX, 0},
    {"crosses, deep, both rounded", {cross, cross}, &DEEP, {1, 1}, 2.2, DEEP_LARGE_CROSSES, 0},
    {"crosses, boxes only", {cross, cross}, &BOXES, {0, 0}, 5, CONVEX, 0},
    {"L and hexagon", {angle, hexagon}, &ANYWHERE, {0, 0}, 0, CONVEX, 0},
    {"hexagon, coast of 1000", {hexagon, coast_1000}, &ANYWHERE, {0, 0}, 0, CONVEX, 1000},
    {"hexagon, coast of 10000", {hexagon, coast_10000}, &ANYWHERE, {0, 0}, 2, COAST, 10000},
    {"hexagon, 125 boxes", {hexagon, heap_125}, &ANYWHERE, {0, 0}, 0, CONVEX, 0},
    {"hexagon, 500 boxes", {hexagon, heap_500}, &ANYWHERE, {0, 0}, 1.5, HEAP, 0},
};
enum { COUNT = sizeof rows / sizeof *rows };

/* ---------------------------------------------------------------- pairs */

typedef struct Scene {
  sat_Shape *of[PAIRS][2];
  int at_once;
  double least[PAIRS],
      ns; /* of the pairs from each on that are timed at once; of one, on average */
} Scene;

static bool boxes_overlap(const sat_Shape *a, const sat_Shape *b) {
  sat_Box p = sat_shape_bounds(a), q = sat_shape_bounds(b);
  return p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y;
}

static void place(const Row *row, sat_Shape *a, sat_Shape *b, uint64_t *random) {
  const Place *at = row->place;
  do {
    double angle = bench_between(random, 0, turn), around = bench_between(random, 0, turn);
    double away = bench_between(random, at->from, at->to);
    if (at->turns) bench_check(sat_shape_rotate(a, bench_between(random, 0, turn)));
    bench_check(sat_shape_move_to(a, away * cos(angle) + row->around * cos(around),
                                  away * sin(angle) + row->around * sin(around)));
  } while (!boxes_overlap(a, b) || (sat_overlaps(a, b, &scratch) == SAT_OK) != at->hits);
}

/* One large shape is enough for all. */
static void make_scene(const Row *row, Scene *scene) {
  uint64_t random = 1;
  for (int i = 0; i < PAIRS; i++) {
    bool again = i > 0 && sat_shape_piece_count(scene->of[0][1]) > 100;
    scene->of[i][0] = row->make[0]();
    scene->of[i][1] = again ? scene->of[0][1] : row->make[1]();
    for (int side = 0; side < 2; side++)
      bench_check(sat_shape_set_radius(scene->of[i][side], row->radius[side]));
    place(row, scene->of[i][0], scene->of[i][1], &random);
  }
}

static void free_scene(Scene *scene) {
  for (int i = 0; i < PAIRS; i++) {
    free(scene->of[i][0]);
    if (i == 0 || scene->of[i][1] != scene->of[0][1]) free(scene->of[i][1]);
  }
}

/* ---------------------------------------------------------------- timing */

static double ask(const Scene *scene, int first, int count) {
  double sum = 0;
  for (int i = first; i < first + count; i++) {
    sat_Result result;
    if (sat_collide(scene->of[i][0], scene->of[i][1], &scratch, &result) == SAT_OK)
      sum += result.depth;
  }
  return sum;
}

/* As few pairs as the clock can time well are timed at once. */
static int pairs_at_once(const Scene *scene) {
  double start = bench_wall_now();
  ask(scene, 0, PAIRS);
  double ns = (bench_wall_now() - start) / PAIRS;
  int count = 1;
  while (count < PAIRS && count * ns < LEAST_NS) count *= 2;
  return count;
}

static double time_row(Scene *scene, bool first) {
  double sum = ask(scene, 0, PAIRS); /* which warms the caches */
  for (int i = 0; i < PAIRS; i += scene->at_once) {
    double start = bench_wall_now();
    sum += ask(scene, i, scene->at_once);
    double ns = bench_wall_now() - start;
    if (first || ns < scene->least[i]) scene->least[i] = ns;
  }
  return sum;
}

/* All rows in turn, many times, all pairs of a row one after the other. Of each the least time counts,
 * since what disturbs only adds: so short a time is often left alone. */
static double time_all(Scene *scenes) {
  double sum = 0;
  for (int i = 0; i < COUNT; i++) scenes[i].at_once = pairs_at_once(&scenes[i]);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < COUNT; i++) sum += time_row(&scenes[i], round == 0);
  for (int i = 0; i < COUNT; i++) {
    for (int k = 0; k < PAIRS; k += scenes[i].at_once) scenes[i].ns += scenes[i].least[k];
    scenes[i].ns /= PAIRS;
  }
  return sum;
}

/* Whether the row is within its limit. */
static bool write_row(int index, const Scene *scenes) {
  const Row *row = &rows[index];
  double ns = scenes[index].ns, ratio = ns / scenes[row->of].ns;
  printf("%-28s %9.0f %9.1f", row->name, ns, ns / scenes[CONVEX].ns);
  if (row->limit > 0 && index > 0)
    printf("   %6.1f of %5.1f times %s%s", ratio, row->limit, rows[row->of].name,
           ratio <= row->limit ? "" : ": too long");
  printf("\n");
  return row->limit == 0 || ratio <= row->limit;
}

int main(void) {
  Scene *scenes = bench_allocate(COUNT, sizeof *scenes);
  bool good = true;
  scratch = sat_scratch_make((sat_Allocator){bench_reallocate, NULL});
  for (int i = 0; i < COUNT; i++) make_scene(&rows[i], &scenes[i]);
  double sum = time_all(scenes);
  printf("%-28s %9s %9s   %s\n", "the shortest way out", "ns", "12-gons", "limit");
  for (int i = 0; i < COUNT; i++) good = write_row(i, scenes) && good;
  for (int i = 0; i < COUNT; i++) free_scene(&scenes[i]);
  free(scenes);
  sat_scratch_free(&scratch);
  return good && isfinite(sum) ? 0 : 1;
}
