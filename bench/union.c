/* union.c: the shortest way out of shapes of several convex parts, in times of what two convex 12-gons
 * take, and whether that is within limits.
 *
 * Each row asks about many pairs in turn, so that the processor cannot learn one by heart. */
#include "common.h"

enum { PAIRS = 128, PASSES = 4, MOST_VERTICES = 10000 };
static const double turn = 2 * BENCH_PI;

/* ---------------------------------------------------------------- shapes */

/* A ring about 0, 0 whose vertices are at these distances in turn. */
static sat_Shape *ring(size_t count, double first, double second) {
  sat_Vec2 points[32];
  bench_ring(points, count, first, second);
  return bench_polygon(points, count);
}

static sat_Shape *twelve(void) { return ring(12, 10, 10); }
static sat_Shape *star(void) { return ring(12, 10, 5); }
static sat_Shape *hexagon(void) { return ring(6, 6, 6); }

static sat_Shape *cross_of(double half, double end) {
  sat_Vec2 points[12] = {{-half, -end}, {half, -end}, {half, -half}, {end, -half},
                         {end, half},   {half, half}, {half, end},   {-half, end},
                         {-half, half}, {-end, half}, {-end, -half}, {-half, -half}};
  return bench_polygon(points, 12);
}

static sat_Shape *cross(void) { return cross_of(3, 10); }

/* Sharp, and as large as a star or a cross with a radius of 1: its ends and its hollows are as far
 * from 0, 0. */
static sat_Shape *large_star(void) { return ring(12, 11, 6.24); }
static sat_Shape *large_cross(void) { return cross_of(4, 11); }

static sat_Shape *angle(void) {
  sat_Vec2 points[6] = {{-10, -10}, {10, -10}, {10, -2}, {-2, -2}, {-2, 10}, {-10, 10}};
  return bench_polygon(points, 6);
}

/* Bays and headlands about 0, 0, each side about as long as the hexagon's. */
static sat_Shape *coastline(size_t count) {
  static sat_Vec2 points[MOST_VERTICES];
  Random random = {7};
  for (size_t i = 0; i < count; i++)
    points[i] =
        bench_polar((double)count + random_real(&random, 0, 20), turn * (double)i / (double)count);
  return bench_polygon(points, count);
}

static sat_Shape *coast_1000(void) { return coastline(1000); }
static sat_Shape *coast_10000(void) { return coastline(10000); }

/* Boxes in rows of 25, with room for a hexagon between them; about 0, 0 there are some either way. */
static sat_Shape *heap(int rows) {
  size_t used = 0;
  sat_Shape *boxes[500];
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < 25; column++)
      boxes[used++] =
          bench_box((sat_Rectangle){24 * (column - 12), 24 * (row - rows / 2), 7 + column % 3, 9});
  return bench_compound(boxes, used);
}

static sat_Shape *heap_500(void) { return heap(20); }
static sat_Shape *heap_125(void) { return heap(5); }

/* ---------------------------------------------------------------- rows */

/* How the first shape lies to the other: its centre so far away, in any direction. */
typedef struct Place {
  double from, to;
  bool hits, turns;
} Place;

static const Place ANYWHERE = {0, 12, true, true}, NEAR_EDGE = {13, 19, true, true},
                   NEAR_MIDDLE = {0, 4, true, true}, SAME = {0, 0, true, false},
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

/* Rows that others are compared with. */
enum {
  CONVEX = 0,
  SHALLOW = 0,
  DEEP = 4,
  LARGE = 2,
  STARS = 1,
  CROSSES = 11,
  COAST = 21,
  HEAP = 23
};

/* Both overlap, sharp, with a radius, and beside sharp ones as large. */
#define OVERLAPPING(name, shape, large, place, first, limit, both)                                 \
  {name, {shape, shape}, place, {0, 0}, limit, CONVEX, 0},                                         \
      {name ", one rounded", {shape, shape}, place, {1, 0}, 2, first, 0},                          \
      {name ", as large", {large, large}, place, {0, 0}, 0, CONVEX, 0}, {                          \
    name ", both rounded", {shape, shape}, place, {1, 1}, both, (first) + LARGE, 0                 \
  }

static const Row rows[] = {
    {"12-gons", {twelve, twelve}, &ANYWHERE, {0, 0}, 1, CONVEX, 0},
    OVERLAPPING("stars, shallow", star, large_star, &NEAR_EDGE, STARS + SHALLOW, 300, 1.5),
    OVERLAPPING("stars, deep", star, large_star, &NEAR_MIDDLE, STARS + DEEP, 300, 2.2),
    {"stars in one place", {star, star}, &SAME, {0, 0}, 0, CONVEX, 0},
    {"stars, boxes only", {star, star}, &BOXES, {0, 0}, 5, CONVEX, 0},
    OVERLAPPING("crosses, shallow", cross, large_cross, &NEAR_EDGE, CROSSES + SHALLOW, 200, 1.5),
    OVERLAPPING("crosses, deep", cross, large_cross, &NEAR_MIDDLE, CROSSES + DEEP, 200, 2.2),
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
} Scene;

static bool boxes_overlap(const sat_Shape *a, const sat_Shape *b) {
  sat_Box p = sat_shape_bounds(a), q = sat_shape_bounds(b);
  return p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y;
}

static void place(const Row *row, sat_Shape *a, sat_Shape *b, Random *random) {
  const Place *at = row->place;
  do {
    double angle = random_real(random, 0, turn), around = random_real(random, 0, turn);
    double away = random_real(random, at->from, at->to);
    if (at->turns) bench_check(sat_shape_rotate(a, random_real(random, 0, turn)));
    bench_check(sat_shape_move_to(a, away * cos(angle) + row->around * cos(around),
                                  away * sin(angle) + row->around * sin(around)));
  } while (!boxes_overlap(a, b) || (sat_overlaps(a, b, &bench_scratch) == SAT_OK) != at->hits);
}

/* One large shape is enough for all. */
static void make_scene(const Row *row, Scene *scene) {
  Random random = {1};
  for (int i = 0; i < PAIRS; i++) {
    bool again = i > 0 && sat_shape_piece_count(scene->of[0][1]) > 100;
    scene->of[i][0] = row->make[0]();
    scene->of[i][1] = again ? scene->of[0][1] : row->make[1]();
    for (int side = 0; side < 2; side++)
      bench_check(sat_shape_set_radius(scene->of[i][side], row->radius[side]));
    place(row, scene->of[i][0], scene->of[i][1], &random);
  }
}

/* ---------------------------------------------------------------- rows beside each other */

static double depth_of(const sat_Shape *a, const sat_Shape *b) {
  sat_Result result = {.depth = 0};
  sat_collide(a, b, &bench_scratch, &result);
  return result.depth;
}

static bench_Sum ask(void *opened) {
  const Scene *scene = opened;
  bench_Sum sum = {0};
  for (int i = 0; i < PAIRS; i++) sum.depths += depth_of(scene->of[i][0], scene->of[i][1]);
  return sum;
}

/* Whether the row is within its limit. */
static bool write_row(int index, const bench_Contestant *list) {
  const Row *row = &rows[index];
  double ns = list[index].ns, ratio = ns / list[row->of].ns;
  printf("%-28s %9.0f %9.1f", row->name, ns, ns / list[CONVEX].ns);
  if (row->limit > 0 && index > 0)
    printf("   %6.1f of %5.1f times %s%s", ratio, row->limit, rows[row->of].name,
           ratio <= row->limit ? "" : ": too long");
  printf("\n");
  return row->limit == 0 || ratio <= row->limit;
}

/* All rows in turn, so that the processor has forgotten a row's pairs when it comes again. */
static bool write_rows(void) {
  bench_Contestant list[COUNT] = {{0}};
  bool good = true;
  for (int i = 0; i < COUNT; i++) {
    list[i] = (bench_Contestant){.pass = ask, .state = bench_allocate(1, sizeof(Scene))};
    make_scene(&rows[i], list[i].state);
  }
  bench_race(list, COUNT, PASSES, PAIRS);
  for (int i = 0; i < COUNT; i++) good = write_row(i, list) && good;
  return good;
}

/* ---------------------------------------------------------------- beside plain answers */

enum { TILES = 10, SIDES = 1000 };
static sat_Vec2 sides[SIDES];
static sat_Shape *tiles[TILES];

/* Those tiles alone that are near, which the floor's pieces are. */
static bench_Sum ask_tiles(void *opened) {
  const Scene *scene = opened;
  bench_Sum sum = {0};
  for (int i = 0; i < PAIRS; i++) {
    double x = sat_shape_center(scene->of[i][0]).x;
    for (int k = 0; k < TILES; k++)
      if (fabs(x - 16 * k - 8) <= 14) sum.depths += depth_of(scene->of[i][0], tiles[k]);
  }
  return sum;
}

/* The least depth under a side. */
static bench_Sum ask_sides(void *opened) {
  const Scene *scene = opened;
  bench_Sum sum = {0};
  for (int i = 0; i < PAIRS; i++) {
    sat_Vec2 center = sat_shape_center(scene->of[i][0]);
    double most = -INFINITY;
    for (int k = 0; k < SIDES; k++) {
      sat_Vec2 from = sides[k], to = sides[(k + 1) % SIDES];
      double x = to.y - from.y, y = from.x - to.x;
      most = fmax(most, ((center.x - from.x) * x + (center.y - from.y) * y) / sqrt(x * x + y * y));
    }
    sum.depths += most;
  }
  return sum;
}

/* A floor of touching tiles, and a polygon of many sides. */
static bool write_grounds(void) {
  static const char *const names[] = {"floor, box 2 deep", "floor, box rests on it",
                                      "floor, circle 2 deep", "1000-gon, circle deep",
                                      "1000-gon, in its centre"};
  static const double limits[] = {7.5, 9, 7.5, 0.4, 1}; /* in times of the plain answer */
  static Scene scenes[5];
  Random random = {1};
  bool good = true;
  for (int i = 0; i < TILES; i++) tiles[i] = bench_box((sat_Rectangle){16 * i, 0, 16, 16});
  for (int i = 0; i < SIDES; i++) sides[i] = bench_polar(100, turn * i / SIDES);
  sat_Shape *floors = bench_compound(tiles, TILES), *gon = bench_shape(sides, SIDES, 0);
  for (int i = 0; i < PAIRS; i++) {
    double x = 16 + floor(random_real(&random, 0, 7168)) / 64;
    sat_Vec2 middle = {x + 6, -4}, deep = {60, 20}, center = {0, 0};
    sat_Shape *of[5] = {bench_box((sat_Rectangle){x, -10, 12, 12}),
                        bench_box((sat_Rectangle){x, -12, 12, 12}), bench_shape(&middle, 1, 6),
                        bench_shape(&deep, 1, 10), bench_shape(&center, 1, 10)};
    for (int k = 0; k < 5; k++)
      scenes[k].of[i][0] = of[k], scenes[k].of[i][1] = k < 3 ? floors : gon;
  }
  for (int i = 0; i < 5; i++) {
    bench_Contestant list[2] = {{.pass = ask, .state = &scenes[i]},
                                {.pass = i < 3 ? ask_tiles : ask_sides, .state = &scenes[i]}};
    bench_race(list, 2, 0, PAIRS);
    double ratio = list[0].ns / list[1].ns;
    printf("%-28s %9.0f %9s   %6.1f of %5.1f times plain%s\n", names[i], list[0].ns, "", ratio,
           limits[i], ratio <= limits[i] ? "" : ": too long");
    good = good && ratio <= limits[i];
  }
  return good;
}

int main(void) {
  printf("%-28s %9s %9s   %s\n", "the shortest way out", "ns", "12-gons", "limit");
  bool good = write_rows();
  return write_grounds() && good ? 0 : 1;
}
