/* levels.c: questions to worlds of long levels and of heaps, and to compounds of many pieces, beside
 * plain code on the same boxes.
 *
 *   levels [scene]   those whose name has that word
 *
 * A level is one row of tiles, or a ground with platforms in the air. A heap has all its boxes in a
 * few places. */
#include "levels.h"

#include <string.h>

#define PI BENCH_PI

enum { QUESTIONS = 256 };

/* ---------------------------------------------------------------- boxes */

enum { MOST_BOXES = 100000 };

static void put(bench_Boxes *boxes, double x, double y, double w, double h) {
  if (boxes->count < MOST_BOXES) boxes->at[boxes->count++] = (sat_Rectangle){x, y, w, h};
}

static void lay_row(bench_Boxes *boxes, int width) {
  for (int i = 0; i < width; i++) put(boxes, i, 0, 1, 1);
}

/* Columns of ground, of up to six tiles, below platforms of four tiles. */
static void lay_level(bench_Boxes *boxes, int width) {
  Random random = {3};
  int top = 3;
  for (int column = 0; column < width; column++) {
    if (column % 5 == 0) top = 1 + (int)(random_bits(&random) % 6);
    for (int row = 0; row < top; row++) put(boxes, column, -row, 1, 1);
    if (column % 8 != 0) continue;
    int high = 8 + (int)(random_bits(&random) % 8);
    for (int i = 0; i < 4; i++) put(boxes, column + i, -high, 1, 1);
  }
}

static void lay_evenly(bench_Boxes *boxes, int width) {
  Random random = {5};
  for (int i = 0; i < 10000; i++) {
    sat_Vec2 at = bench_anywhere(&random, 0, width);
    put(boxes, at.x, at.y, 1, 1);
  }
}

/* All boxes lie around one place. */
static void lay_heap(bench_Boxes *boxes, int spread) {
  Random random = {7};
  for (int i = 0; i < 10000; i++) {
    double angle = random_real(&random, 0, 2 * PI);
    sat_Vec2 at = bench_polar(spread * sqrt(-2 * log(1 - random_real(&random, 0, 1))), angle);
    put(boxes, at.x, at.y, 1, 1);
  }
}

/* Boxes of 6 to 14 in a square of cells of 24. */
static void lay_pieces(bench_Boxes *boxes, int side) {
  Random random = {1};
  for (int i = 0; i < side * side; i++) {
    double x = 24.0 * (i % side) + random_real(&random, -4, 4),
           y = 24.0 * (i / side) + random_real(&random, -4, 4);
    put(boxes, x, y, random_real(&random, 6, 14), random_real(&random, 6, 14));
  }
}

/* ---------------------------------------------------------------- ours */

typedef struct Ours {
  sat_World *world;                  /* of the boxes, or their compound */
  sat_Shape *compound, *box, *point; /* the latter two ask */
  double half;                       /* of the box */
  sat_Items found;
} Ours;

static Ours *open_ours(const bench_Boxes *boxes) {
  Ours *ours = bench_allocate(1, sizeof *ours);
  ours->box = bench_box((sat_Rectangle){0, 0, boxes->cast, boxes->cast});
  ours->point = bench_shape(&(sat_Vec2){0, 0}, 1, 0);
  ours->half = boxes->cast / 2;
  ours->found.allocator = bench_allocator;
  return ours;
}

static void *open_world(const bench_Boxes *boxes) {
  Ours *ours = open_ours(boxes);
  ours->world = bench_world(bench_allocator);
  for (size_t i = 0; i < boxes->count; i++)
    bench_check(sat_world_add(ours->world, bench_box(boxes->at[i])));
  return ours;
}

static void *open_compound(const bench_Boxes *boxes) {
  Ours *ours = open_ours(boxes);
  sat_Shape **pieces = bench_allocate(boxes->count, sizeof *pieces);
  for (size_t i = 0; i < boxes->count; i++) pieces[i] = bench_box(boxes->at[i]);
  ours->compound = bench_compound(pieces, boxes->count);
  return ours;
}

static void close_ours(void *opened) {
  Ours *ours = opened;
  if (ours->world) sat_world_free(ours->world);
  SAT_LIST_FREE(&ours->found);
}

static double our_window(void *opened, const bench_Question *question) {
  Ours *ours = opened;
  sat_Rectangle window = {question->at.x, question->at.y, question->way.x, question->way.y};
  bench_check(sat_world_query(ours->world, window, NULL, &ours->found));
  return (double)ours->found.count;
}

static double our_nearest(void *opened, const bench_Question *question) {
  Ours *ours = opened;
  sat_NearestHit hit = {0, 0, {0, 0}};
  sat_Distance result;
  if (ours->world) {
    bench_check(sat_world_nearest(ours->world, question->at, HUGE_VAL, NULL, &hit));
    return hit.distance;
  }
  bench_check(sat_shape_move_to(ours->point, question->at.x, question->at.y));
  bench_check(sat_distance(ours->point, ours->compound, &bench_scratch, &result));
  return result.distance;
}

/* The fraction of a hit, or 2. */
static double fraction_of(sat_Status status, double t) {
  bench_check(status);
  return status == SAT_OK ? t : 2;
}

static double our_ray(void *opened, const bench_Question *question) {
  Ours *ours = opened;
  sat_CastHit hit;
  sat_Vec2 from = question->at, to = {from.x + question->way.x, from.y + question->way.y};
  sat_Status status = ours->world ? sat_world_raycast(ours->world, from, to, NULL, &hit)
                                  : sat_raycast(ours->compound, from, to, &bench_scratch, &hit.hit);
  return fraction_of(status, hit.hit.t);
}

static double our_cast(void *opened, const bench_Question *question) {
  Ours *ours = opened;
  sat_CastHit hit;
  sat_Shape *box = ours->box;
  bench_check(sat_shape_move_to(box, question->at.x + ours->half, question->at.y + ours->half));
  sat_Status status = ours->world
                          ? sat_world_cast(ours->world, box, question->way, NULL, &hit)
                          : sat_cast(box, question->way, ours->compound, &bench_scratch, &hit.hit);
  return fraction_of(status, hit.hit.t);
}

static double our_contains(void *opened, const bench_Question *question) {
  Ours *ours = opened;
  return sat_contains_point(ours->compound, question->at, &bench_scratch) == SAT_OK;
}

#define OUR_ANSWERS                                                                                \
  { our_window, our_nearest, our_ray, our_cast, our_contains }
static const bench_Keeper ours_world = {"sat", NULL, open_world, close_ours, OUR_ANSWERS},
                          ours_compound = {"sat", NULL, open_compound, close_ours, OUR_ANSWERS};

/* ---------------------------------------------------------------- rows */

/* Questions begin in a rectangle, or, where that has no width, around a box of a heap: windows and
 * points there, and rays and casts where nothing is, towards the box. */
typedef struct Row {
  const char *name;
  bench_About about;
  sat_Rectangle from;
  double width, height;         /* of a window */
  double length, angle, spread; /* of a way; below 0: to anywhere in the rectangle */
  double clear; /* no box is nearer to the beginning, or to the middle of a cast box */
  double goal;  /* in times of the plain code */
} Row;

static bench_Question aim(const Row *row, const bench_Boxes *boxes, Random *random) {
  sat_Rectangle box = boxes->at[boxes->count - 1 - random_bits(random) % (boxes->count / 2 + 1)];
  double angle = random_real(random, -PI, PI), far = row->length * random_real(random, 0.5, 1);
  sat_Vec2 way = bench_polar(row->length, angle);
  sat_Vec2 near = {box.x + random_real(random, row->from.x, -row->from.x),
                   box.y + random_real(random, row->from.y, -row->from.y)};
  sat_Vec2 at = {box.x + box.w / 3 - far * cos(angle), box.y + box.h / 2 - far * sin(angle)};
  return row->length > 0 ? (bench_Question){at, way}
                         : (bench_Question){near, {row->width, row->height}};
}

static sat_Vec2 anywhere(sat_Rectangle in, Random *random) {
  sat_Vec2 part = bench_anywhere(random, 0, 1);
  return (sat_Vec2){in.x + in.w * part.x, in.y + in.h * part.y};
}

static bench_Question question_of(const Row *row, const bench_Boxes *boxes, Random *random) {
  if (row->from.w == 0) return aim(row, boxes, random);
  double angle = row->angle + random_real(random, -row->spread, row->spread);
  sat_Vec2 at = anywhere(row->from, random), to = anywhere(row->from, random);
  if (row->length < 0) return (bench_Question){at, {to.x - at.x, to.y - at.y}};
  sat_Vec2 way = bench_polar(row->length, angle);
  return (bench_Question){at, row->length > 0 ? way : (sat_Vec2){row->width, row->height}};
}

enum { SAT, PLAIN, BOX2D3, SIDES };

typedef struct Side {
  bench_Answer *answer;
  void *state;
  const bench_Question *questions;
} Side;

static bench_Sum run(void *opened) {
  Side *side = opened;
  bench_Sum sum = {.hits = QUESTIONS};
  for (int i = 0; i < QUESTIONS; i++) sum.depths += side->answer(side->state, &side->questions[i]);
  return sum;
}

/* Windows of Box2D find what is nearly there, too. */
static int count_differences(const Side *a, const Side *b, double within) {
  int differences = 0;
  for (int i = 0; i < QUESTIONS; i++) {
    double one = a->answer(a->state, &a->questions[i]),
           other = b->answer(b->state, &b->questions[i]);
    differences += !(fabs(one - other) <= within * (1 + fabs(one)));
  }
  return differences;
}

static void measure(const char *scene, const Row *row, const bench_Boxes *boxes,
                    const bench_Keeper *const keepers[SIDES], void *states[SIDES], FILE *csv) {
  bench_Question questions[QUESTIONS];
  bench_Contestant list[SIDES] = {{0}};
  Side sides[SIDES];
  Random random = {11};
  for (int i = 0; i < QUESTIONS;) {
    double half = row->about == BENCH_CAST ? boxes->cast / 2 : 0;
    bench_Question middle = questions[i] = question_of(row, boxes, &random);
    middle.at = (sat_Vec2){middle.at.x + half, middle.at.y + half};
    i += keepers[PLAIN]->answer[BENCH_NEAREST](states[PLAIN], &middle) >= row->clear;
  }
  for (int i = 0; i < SIDES; i++) {
    sides[i] = (Side){keepers[i]->answer[row->about], states[i], questions};
    list[i] = (bench_Contestant){.name = keepers[i]->name, .state = &sides[i]};
    if (sides[i].answer) list[i].pass = run;
  }
  int wrong = count_differences(&sides[SAT], &sides[PLAIN], 1e-9),
      others = sides[BOX2D3].answer ? count_differences(&sides[SAT], &sides[BOX2D3], 0.02) : 0;
  bench_race(list, SIDES, 0, QUESTIONS);
  double ratio = list[SAT].ns / list[PLAIN].ns;
  char goal[64] = "", note[256];
  if (row->goal > 0)
    snprintf(goal, sizeof goal, ", goal %g%s", row->goal, ratio > row->goal ? " *" : "");
  snprintf(note, sizeof note, "   %.2f of plain%s; differ: %d, %d", ratio, goal, wrong, others);
  bench_write_row((bench_Row){scene, row->name, "", boxes->count, 1, note}, list, SIDES, csv);
  if (wrong > 0) bench_check(SAT_EVALUE);
}

#define END                                                                                        \
  { NULL, BENCH_ABOUT, {0, 0, 0, 0}, 0, 0, 0, 0, 0, 0, 0 }
#define WINDOW(name, w, h, goal, ...)                                                              \
  { name, BENCH_WINDOW, {__VA_ARGS__}, w, h, 0, 0, 0, 0, goal }
#define NEAREST(name, goal, ...)                                                                   \
  { name, BENCH_NEAREST, {__VA_ARGS__}, 0, 0, 0, 0, 0, 0, goal }
#define WAY(name, about, length, angle, spread, clear, goal, ...)                                  \
  { name, about, {__VA_ARGS__}, 0, 0, length, angle, spread, clear, goal }
static const Row of_row[] = {
    WINDOW("window 2 x 3", 2, 3, 3.2, 10, -1, 99000, 1),
    WAY("ray of 20", BENCH_RAY, 20, PI / 4, 0.1, 0, 2, 100, -12, 99000, 6),
    WAY("ray of 400", BENCH_RAY, 400, PI / 4, 0.1, 0, 3, 500, -250, 99000, 200),
    NEAREST("nearest 1 to 20 away", 45, 100, -20, 99000, 19),
    NEAREST("nearest 300 away", 45, 100, -310, 99000, 20),
    WAY("cast of 20", BENCH_CAST, 20, PI / 4, 0.1, 0, 0, 100, -12, 99000, 6),
    END};
static const Row of_level[] = {
    WINDOW("screen", 30, 17, 4, 10, -18, 3900, 4),
    WINDOW("window 2 x 2", 2, 2, 3.7, 10, -14, 3900, 12),
    WAY("ray at 45 degrees", BENCH_RAY, 60, PI / 4, 0, 0, 2.6, 100, -30, 3800, 10),
    WAY("ray along 500", BENCH_RAY, 500, 0, 0, 0, 1.5, 100, -7.5, 3300, 0.9),
    NEAREST("nearest", 6, 100, -20, 3800, 20),
    WAY("cast at 45 degrees", BENCH_CAST, 60, PI / 4, 0, 0, 0, 100, -30, 3800, 10),
    END};
static const Row of_even[] = {WINDOW("window", 2, 2, 3.3, 0, 0, 200, 200),
                              NEAREST("nearest", 4, 0, 0, 200, 200),
                              WAY("first along a ray", BENCH_RAY, 20, 0, PI, 1, 3.1, 0, 0, 0, 0),
                              WAY("cast of a box", BENCH_CAST, 20, 0, PI, 1, 5.4, 0, 0, 0, 0), END};
#define HEAP(window, ray)                                                                          \
  WINDOW("window", 2, 2, window, -2, -2, 0, 0), NEAREST("nearest", 5, -4, -4, 0, 0),               \
      NEAREST("nearest from anywhere", 0, -150, -150, 300, 300),                                   \
      WAY("first along a ray", BENCH_RAY, 80, 0, PI, 1, ray, 0, 0, 0, 0),                          \
      WAY("ray from anywhere", BENCH_RAY, 100, 0, PI, 0, 0, -150, -150, 300, 300),                 \
      WAY("cast of a box", BENCH_CAST, 80, 0, PI, 1, 6, 0, 0, 0, 0), END
static const Row of_heap[] = {HEAP(4.6, 4)}, of_dense_heap[] = {HEAP(2.6, 5)};
#define PIECES(wide, ray, cast, distance, contains)                                                \
  WAY("ray", BENCH_RAY, -1, 0, 0, 5, ray, 0, 0, wide, wide),                                       \
      WAY("cast of a box", BENCH_CAST, -1, 0, 0, 5, cast, 0, 0, wide, wide),                       \
      NEAREST("distance of a point", distance, 0, 0, wide, wide),                                  \
      WAY("contains a point", BENCH_CONTAINS, 0, 0, 0, 0, contains, 0, 0, wide, wide), END
static const Row of_100[] = {PIECES(240, 5, 8, 20, 1.2)},
                 of_4900[] = {PIECES(1680, 4.5, 8, 20, 0.95)},
                 of_19600[] = {PIECES(3360, 4.6, 8, 20, 1.05)};

static const struct {
  const char *name;
  void (*lay)(bench_Boxes *boxes, int size);
  int size;
  double cell, cast;
  const Row *rows;
  const bench_Keeper *ours, *plain;
} scenes[] = {
    {"a row of 100000 tiles", lay_row, 100000, 1, 0.65, of_row, &ours_world, &bench_plain_grid},
    {"a level of 4000 columns", lay_level, 4000, 1, 0.65, of_level, &ours_world, &bench_plain_grid},
    {"10000 boxes spread evenly", lay_evenly, 200, 1, 0.65, of_even, &ours_world, &bench_plain_grid},
    {"a heap", lay_heap, 25, 1, 0.65, of_heap, &ours_world, &bench_plain_grid},
    {"a dense heap", lay_heap, 10, 0.5, 0.65, of_dense_heap, &ours_world, &bench_plain_grid},
    {"a compound of 100 pieces", lay_pieces, 10, 24, 6, of_100, &ours_compound, &bench_plain_tree},
    {"a compound of 4900 pieces", lay_pieces, 70, 24, 6, of_4900, &ours_compound, &bench_plain_tree},
    {"a compound of 19600 pieces", lay_pieces, 140, 24, 6, of_19600, &ours_compound,
     &bench_plain_tree}};

int main(int count, char **arguments) {
  FILE *csv = bench_open_times(1, arguments);
  if (bench_box2d3_world.missing) puts("Box2D 3 is missing: BOX2D3=folder names it");
  puts("ns a question, and how many times ours");
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    if (count > 1 && !strstr(scenes[i].name, arguments[1])) continue;
    size_t mark = bench_mark();
    bench_Boxes boxes = {bench_allocate(MOST_BOXES, sizeof *boxes.at), 0, scenes[i].cell,
                         scenes[i].cast};
    scenes[i].lay(&boxes, scenes[i].size);
    const bench_Keeper *const keepers[SIDES] = {scenes[i].ours, scenes[i].plain,
                                                &bench_box2d3_world};
    void *states[SIDES];
    bench_Contestant heads[SIDES];
    for (int k = 0; k < SIDES; k++) {
      states[k] = keepers[k]->missing ? NULL : keepers[k]->open(&boxes);
      heads[k].name = keepers[k]->name;
    }
    bench_write_heading(scenes[i].name, heads, SIDES);
    for (const Row *row = scenes[i].rows; row->name; row++)
      measure(scenes[i].name, row, &boxes, keepers, states, csv);
    for (int k = 0; k < SIDES; k++)
      if (states[k] && keepers[k]->close) keepers[k]->close(states[k]);
    bench_release(mark);
  }
  fclose(csv);
  return 0;
}
