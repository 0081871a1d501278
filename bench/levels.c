/* levels.c: questions to worlds of long levels and of heaps, beside a plain grid of the same boxes.
 *
 *   levels [times.csv]
 *
 * A level is one row of tiles, or a ground with platforms in the air. A heap has all its boxes in a
 * few places. Both sides are timed in turns, and the least counts; both must find the same. */
#include "plain_grid.h"
#include "sat_world.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { QUESTIONS = 128, ROUNDS = 40 };
#define LONGEST 3e8 /* ns of a row's rounds, but for the first */

/* ---------------------------------------------------------------- scenes */

typedef struct Scene {
  const char *name;
  double cell; /* of the plain grid */
  size_t count;
  sat_Rectangle *boxes;
  bench_Grid grid;
  sat_World *world;
  sat_ChangeList changes;
  sat_Shape **shapes;
} Scene;

enum { MOST_BOXES = 100000 };

static void put(Scene *scene, double x, double y, double w, double h) {
  if (scene->count < MOST_BOXES) scene->boxes[scene->count++] = (sat_Rectangle){x, y, w, h};
}

/* 100,000 tiles. */
static void lay_row(Scene *scene) {
  for (int i = 0; i < MOST_BOXES; i++) put(scene, i, 0, 1, 1);
}

/* 4,000 columns of ground, of up to six tiles, below platforms of four tiles. */
static void lay_level(Scene *scene) {
  uint64_t random = 3;
  int top = 3;
  for (int column = 0; column < 4000; column++) {
    if (column % 5 == 0) top = 1 + (int)(bench_next_bits(&random) % 6);
    for (int row = 0; row < top; row++) put(scene, column, -row, 1, 1);
    if (column % 8 != 0) continue;
    int high = 8 + (int)(bench_next_bits(&random) % 8);
    for (int i = 0; i < 4; i++) put(scene, column + i, -high, 1, 1);
  }
}

static void lay_evenly(Scene *scene) {
  uint64_t random = 5;
  for (int i = 0; i < 10000; i++)
    put(scene, bench_between(&random, 0, 200), bench_between(&random, 0, 200), 1, 1);
}

/* All boxes lie around one place. */
static void lay_heaps(Scene *scene, double spread) {
  uint64_t random = 7;
  for (int i = 0; i < 10000; i++) {
    double angle = bench_between(&random, 0, 2 * PI);
    double far = spread * sqrt(-2 * log(1 - bench_between(&random, 0, 1)));
    put(scene, far * cos(angle), far * sin(angle), 1, 1);
  }
}
static void lay_heap(Scene *scene) { lay_heaps(scene, 25); }
static void lay_dense_heap(Scene *scene) { lay_heaps(scene, 10); }

static void make_scene(Scene *scene, void (*lay)(Scene *scene)) {
  scene->boxes = bench_allocate(MOST_BOXES, sizeof *scene->boxes);
  lay(scene);
  scene->grid = bench_grid_make(scene->boxes, scene->count, scene->cell);
  scene->world = bench_allocate(1, sat_world_size());
  scene->shapes = bench_allocate(scene->count, sizeof(sat_Shape *));
  sat_world_init(scene->world, (sat_Allocator){bench_reallocate, NULL}, &scene->changes);
  for (size_t i = 0; i < scene->count; i++) {
    sat_Rectangle r = scene->boxes[i];
    sat_Vec2 corners[4] = {{r.x, r.y}, {r.x + r.w, r.y}, {r.x + r.w, r.y + r.h}, {r.x, r.y + r.h}};
    scene->shapes[i] = bench_allocate(1, sat_shape_bytes(4));
    bench_check(sat_shape_init(scene->shapes[i], corners, 4, 0));
    bench_check(sat_world_add(scene->world, scene->shapes[i]));
  }
}

static void free_scene(Scene *scene) {
  sat_world_free(scene->world);
  for (size_t i = 0; i < scene->count; i++) free(scene->shapes[i]);
  free(scene->shapes);
  free(scene->world);
  bench_grid_free(&scene->grid);
  free(scene->boxes);
}

/* ---------------------------------------------------------------- questions */

/* Where a question begins, and the sides of its window, the way of its ray, or nothing. */
typedef struct Question {
  sat_Vec2 at, way;
} Question;

/* The box of a cast is two thirds of a tile wide. */
#define CAST 0.65

static double ask_window(Scene *scene, const Question *question, bool ours) {
  static sat_Items found = {.allocator = {bench_reallocate, NULL}};
  sat_Rectangle window = {question->at.x, question->at.y, question->way.x, question->way.y};
  if (!ours) return (double)bench_grid_window(&scene->grid, window);
  bench_check(sat_world_query(scene->world, window, NULL, &found));
  return (double)found.count;
}

static double ask_nearest(Scene *scene, const Question *question, bool ours) {
  sat_NearestHit hit = {0, 0, {0, 0}};
  if (!ours) return bench_grid_nearest(&scene->grid, question->at);
  bench_check(sat_world_nearest(scene->world, question->at, HUGE_VAL, NULL, &hit));
  return hit.distance;
}

static double ask_ray(Scene *scene, const Question *question, bool ours) {
  sat_Vec2 from = question->at, to = {from.x + question->way.x, from.y + question->way.y};
  sat_CastHit hit = {0, {2, {0, 0}, {0, 0}}};
  if (!ours) return bench_grid_cast(&scene->grid, from, (sat_Vec2){0, 0}, question->way);
  bench_check(sat_world_raycast(scene->world, from, to, NULL, &hit));
  return hit.hit.t;
}

static double ask_cast(Scene *scene, const Question *question, bool ours) {
  static sat_Shape *box;
  static sat_Vec2 at;
  sat_CastHit hit = {0, {2, {0, 0}, {0, 0}}};
  sat_Vec2 from = question->at, size = {CAST, CAST};
  if (!ours) return bench_grid_cast(&scene->grid, from, size, question->way);
  if (!box) {
    sat_Vec2 corners[4] = {{0, 0}, {CAST, 0}, {CAST, CAST}, {0, CAST}};
    box = bench_allocate(1, sat_shape_bytes(4));
    bench_check(sat_shape_init(box, corners, 4, 0));
  }
  bench_check(sat_shape_move(box, from.x - at.x, from.y - at.y));
  at = from;
  bench_check(sat_world_cast(scene->world, box, question->way, NULL, &hit));
  return hit.hit.t;
}

/* ---------------------------------------------------------------- rows */

/* Questions begin in a rectangle, or, where that has no width, around a box of a heap: windows and
 * points there, and rays and casts where nothing is, towards the box. */
typedef struct Row {
  const char *name;
  double (*ask)(Scene *scene, const Question *question, bool ours);
  sat_Rectangle from;
  double width, height;         /* of a window */
  double length, angle, spread; /* of a way */
} Row;

static Question aim(const Row *row, Scene *scene, uint64_t *random) {
  sat_Rectangle box =
      scene->boxes[scene->count - 1 - bench_next_bits(random) % (scene->count / 2 + 1)];
  if (row->length == 0) {
    sat_Vec2 at = {box.x + bench_between(random, row->from.x, -row->from.x),
                   box.y + bench_between(random, row->from.y, -row->from.y)};
    return (Question){at, {row->width, row->height}};
  }
  for (;;) {
    double angle = bench_between(random, -PI, PI),
           far = row->length * bench_between(random, 0.5, 1);
    sat_Vec2 way = {row->length * cos(angle), row->length * sin(angle)};
    sat_Vec2 at = {box.x + box.w / 3 - far * cos(angle), box.y + box.h / 2 - far * sin(angle)};
    if (bench_grid_nearest(&scene->grid, at) > 1) return (Question){at, way};
  }
}

static Question make_question(const Row *row, Scene *scene, uint64_t *random) {
  if (row->from.w == 0) return aim(row, scene, random);
  double angle = row->angle + bench_between(random, -row->spread, row->spread);
  sat_Vec2 at = {row->from.x + bench_between(random, 0, row->from.w),
                 row->from.y + bench_between(random, 0, row->from.h)};
  sat_Vec2 way = {row->length * cos(angle), row->length * sin(angle)};
  return (Question){at, row->length > 0 ? way : (sat_Vec2){row->width, row->height}};
}

static bool same(double a, double b) { return fabs(a - b) <= 1e-9 * (1 + fabs(a)); }

static double time_once(Scene *scene, const Row *row, const Question *questions, bool ours) {
  double start = bench_wall_now(), sum = 0;
  for (int i = 0; i < QUESTIONS; i++) sum += row->ask(scene, &questions[i], ours);
  if (!(sum >= 0)) bench_check(SAT_EVALUE);
  return (bench_wall_now() - start) / QUESTIONS;
}

static void measure(Scene *scene, const Row *row, FILE *csv) {
  Question questions[QUESTIONS];
  uint64_t random = 11;
  double least[2] = {HUGE_VAL, HUGE_VAL}, sum = 0;
  int wrong = 0;
  for (int i = 0; i < QUESTIONS; i++) {
    questions[i] = make_question(row, scene, &random);
    double ours = row->ask(scene, &questions[i], true);
    wrong += !same(ours, row->ask(scene, &questions[i], false));
    sum += ours;
  }
  double end = bench_wall_now() + LONGEST;
  for (int round = 0; round < ROUNDS && (round == 0 || bench_wall_now() < end); round++)
    for (int ours = 0; ours < 2; ours++)
      least[ours] = fmin(least[ours], time_once(scene, row, questions, ours == 1));
  printf("%-12s %-22s %10.0f %8.0f %8.2f   %.2f", scene->name, row->name, least[1], least[0],
         least[1] / least[0], sum / QUESTIONS);
  fflush(stdout);
  printf(wrong ? "   %d differ\n" : "\n", wrong);
  fprintf(csv, "%s,%s,%.1f,%.1f,%.3f\n", scene->name, row->name, least[1], least[0],
          least[1] / least[0]);
}

#define DOWN (PI / 2)
#define END                                                                                        \
  { NULL, NULL, {0, 0, 0, 0}, 0, 0, 0, 0, 0 }
static const Row of_row[] = {
    {"window 2 x 3", ask_window, {10, -1, 99000, 1}, 2, 3, 0, 0, 0},
    {"ray of 20", ask_ray, {100, -12, 99000, 6}, 0, 0, 20, PI / 4, 0.1},
    {"ray of 400", ask_ray, {500, -250, 99000, 200}, 0, 0, 400, PI / 4, 0.1},
    {"nearest 1 to 20 away", ask_nearest, {100, -20, 99000, 19}, 0, 0, 0, 0, 0},
    {"nearest 300 away", ask_nearest, {100, -310, 99000, 20}, 0, 0, 0, 0, 0},
    {"cast of 20", ask_cast, {100, -12, 99000, 6}, 0, 0, 20, PI / 4, 0.1},
    END};
static const Row of_level[] = {
    {"screen", ask_window, {10, -18, 3900, 4}, 30, 17, 0, 0, 0},
    {"window 2 x 2", ask_window, {10, -14, 3900, 12}, 2, 2, 0, 0, 0},
    {"ray at 45 degrees", ask_ray, {100, -30, 3800, 10}, 0, 0, 60, PI / 4, 0},
    {"ray along 500", ask_ray, {100, -7.5, 3300, 0.9}, 0, 0, 500, 0, 0},
    {"nearest", ask_nearest, {100, -20, 3800, 20}, 0, 0, 0, 0, 0},
    {"cast at 45 degrees", ask_cast, {100, -30, 3800, 10}, 0, 0, 60, PI / 4, 0},
    END};
static const Row of_even[] = {{"window", ask_window, {0, 0, 200, 200}, 2, 2, 0, 0, 0},
                              {"nearest", ask_nearest, {0, 0, 200, 200}, 0, 0, 0, 0, 0},
                              {"first along a ray", ask_ray, {0, 0, 0, 0}, 0, 0, 20, 0, PI},
                              {"cast of a box", ask_cast, {0, 0, 0, 0}, 0, 0, 20, 0, PI},
                              END};
static const Row of_heaps[] = {
    {"window", ask_window, {-2, -2, 0, 0}, 2, 2, 0, 0, 0},
    {"nearest", ask_nearest, {-4, -4, 0, 0}, 0, 0, 0, 0, 0},
    {"nearest from anywhere", ask_nearest, {-150, -150, 300, 300}, 0, 0, 0, 0, 0},
    {"first along a ray", ask_ray, {0, 0, 0, 0}, 0, 0, 80, 0, PI},
    {"ray from anywhere", ask_ray, {-150, -150, 300, 300}, 0, 0, 100, 0, PI},
    {"cast of a box", ask_cast, {0, 0, 0, 0}, 0, 0, 80, 0, PI},
    END};

static const struct {
  const char *name;
  void (*lay)(Scene *scene);
  double cell;
  const Row *rows;
} scenes[] = {{"row", lay_row, 1, of_row},
              {"level", lay_level, 1, of_level},
              {"even", lay_evenly, 1, of_even},
              {"heap", lay_heap, 1, of_heaps},
              {"dense heap", lay_dense_heap, 0.5, of_heaps}};

int main(int count, char **arguments) {
  FILE *csv = bench_open_csv(count, arguments);
  fprintf(csv, "scene,question,sat ns,plain ns,ratio\n");
  printf("%-12s %-22s %10s %8s %8s   mean answer\n", "scene", "question", "sat, ns", "plain",
         "ratio");
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    Scene scene = {.name = scenes[i].name, .cell = scenes[i].cell};
    make_scene(&scene, scenes[i].lay);
    for (const Row *row = scenes[i].rows; row->name; row++) measure(&scene, row, csv);
    free_scene(&scene);
  }
  fclose(csv);
  return 0;
}
