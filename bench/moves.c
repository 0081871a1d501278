/* moves.c: one world:move in the air, along a floor of tiles, onto it and into its corners, beside
 * the move that a game would write for boxes: swept boxes by a grid, the first one slid along, once
 * more at most twice.
 *
 *   moves [rounds]
 *
 * The least of many rounds counts, in turns; a row of boxes whose ends differ ends the program. */
#include "levels.h"

#include <stdlib.h>

enum { COLUMNS = 256, WALL = 4, TILES = COLUMNS + 2 * WALL, MOVERS = 64 };
#define SIZE 16.0
#define SIDE 10.0
#define FELT 1e-9 /* the plain move stands this near */

typedef enum Kind { BOX, CIRCLE, CAPSULE } Kind;
typedef enum Walk { AIR, SLIDES, LANDS, CORNER } Walk;

typedef struct Scene {
  sat_World *world;
  sat_Rectangle tiles[TILES];
  sat_Shape *movers[MOVERS];
  sat_Vec2 from[MOVERS], motion[MOVERS], end[MOVERS]; /* corners of the movers' boxes */
  bench_Grid *grid;
} Scene;

/* ---------------------------------------------------------------- the plain move */

/* The slab of one axis: boxes that only touch do not meet. */
static bool cut(double from, double way, double low, double high, double *enter, double *leave,
                bool *is_last) {
  if (way == 0) return low + FELT < from && from < high - FELT;
  double a = (low - from) / way, b = (high - from) / way;
  double first = fmin(a, b), last = fmax(a, b);
  *is_last = first > *enter;
  *enter = fmax(*enter, first);
  *leave = fmin(*leave, last);
  return *enter < *leave;
}

/* The first tile that a motion leads into: its fraction, and whether the tile's side is upright. */
static double plain_hit(const Scene *scene, sat_Vec2 from, sat_Vec2 motion, bool *is_upright) {
  const bench_Grid *grid = scene->grid;
  double first = 2;
  int left = (int)floor((fmin(from.x, from.x + motion.x) - grid->left) / SIZE),
      right = (int)floor((fmax(from.x, from.x + motion.x) + SIDE - grid->left) / SIZE),
      top = (int)floor((fmin(from.y, from.y + motion.y) - grid->top) / SIZE),
      bottom = (int)floor((fmax(from.y, from.y + motion.y) + SIDE - grid->top) / SIZE);
  for (int row = top < 0 ? 0 : top; row <= bottom && row < grid->rows; row++)
    for (int column = left < 0 ? 0 : left; column <= right && column < grid->columns; column++) {
      size_t cell = (size_t)row * (size_t)grid->columns + (size_t)column;
      for (size_t i = grid->starts[cell]; i < grid->starts[cell + 1]; i++) {
        const sat_Rectangle *b = &grid->boxes[grid->listed[i]];
        double enter = -HUGE_VAL, leave = HUGE_VAL;
        bool by_x = false, by_y = false;
        if (!cut(from.x, motion.x, b->x - SIDE, b->x + b->w, &enter, &leave, &by_x) ||
            !cut(from.y, motion.y, b->y - SIDE, b->y + b->h, &enter, &leave, &by_y))
          continue;
        if (enter <= -FELT || enter >= 1 || enter >= first) continue;
        first = fmax(enter, 0);
        *is_upright = by_x && !by_y;
      }
    }
  return first;
}

static sat_Vec2 plain_move(const Scene *scene, sat_Vec2 p, sat_Vec2 motion) {
  for (int leg = 0; leg < 3; leg++) {
    bool is_upright = false;
    double t = plain_hit(scene, p, motion, &is_upright);
    if (t > 1) return (sat_Vec2){p.x + motion.x, p.y + motion.y};
    p = (sat_Vec2){p.x + t * motion.x, p.y + t * motion.y};
    motion = (sat_Vec2){is_upright ? 0 : (1 - t) * motion.x, is_upright ? (1 - t) * motion.y : 0};
  }
  return p;
}

/* ---------------------------------------------------------------- the scene */

static sat_Shape *make_mover(Kind kind, sat_Vec2 at) {
  sat_Vec2 core[2] = {{at.x + SIDE / 2, at.y + 3}, {at.x + SIDE / 2, at.y + SIDE - 3}};
  if (kind == BOX) return bench_box((sat_Rectangle){at.x, at.y, SIDE, SIDE});
  if (kind == CAPSULE) return bench_shape(core, 2, 3);
  core[0].y = at.y + SIDE / 2;
  return bench_shape(core, 1, SIDE / 2);
}

/* A floor whose upper side is y = 0, between walls. */
static void add_tiles(Scene *scene) {
  for (int i = 0; i < TILES; i++) {
    int k = i - COLUMNS; /* in the walls */
    double x = k < 0 ? i : k % 2 ? COLUMNS - 1 : 0, y = k < 0 ? 0 : -(k / 2 + 1);
    scene->tiles[i] = (sat_Rectangle){x * SIZE, y * SIZE, SIZE, SIZE};
    sat_Shape *tile = bench_box(scene->tiles[i]);
    sat_shape_set_static(tile, true);
    bench_check(sat_world_add(scene->world, tile));
  }
}

/* Movers stand on the floor, but for those that fly, land, or stand in a corner. */
static void place_movers(Scene *scene, Walk walk, Kind kind) {
  Random random = {3};
  for (int i = 0; i < MOVERS; i++) {
    bool at_left = i % 2 == 0;
    double x = 40 + i * 60 + random_real(&random, 0, 40), dx = random_real(&random, 1, 4);
    sat_Vec2 at = {x, -SIDE}, motion = {at_left ? -dx : dx, random_real(&random, 1, 3)};
    if (walk == AIR) at.y = -40;
    if (walk == LANDS) at.y -= random_real(&random, 0.1, 0.9);
    if (walk == CORNER) at.x = at_left ? SIZE : (COLUMNS - 1) * SIZE - SIDE;
    if (walk == CORNER && kind == CAPSULE) at.x += at_left ? -2 : 2;
    scene->from[i] = at;
    scene->motion[i] = motion;
    scene->movers[i] = make_mover(kind, at);
    sat_shape_set_filter(scene->movers[i], 2, 1, 0);
    bench_check(sat_world_add(scene->world, scene->movers[i]));
  }
}

/* ---------------------------------------------------------------- rows */

static double time_sat(Scene *scene) {
  sat_Items found = {.allocator = bench_allocator};
  sat_MoveResult result;
  sat_Vec2 before[MOVERS];
  for (int i = 0; i < MOVERS; i++) before[i] = sat_shape_center(scene->movers[i]);
  bench_check(sat_world_nearest_all(scene->world, (sat_Vec2){0, 900}, 1, INFINITY, NULL, &found));
  double start = bench_wall_now();
  for (int i = 0; i < MOVERS; i++) {
    bench_check(
        sat_world_move(scene->world, scene->movers[i], scene->motion[i], SAT_SLIDE, &result));
    scene->end[i] = result.centroid;
  }
  double time = bench_wall_now() - start;
  for (int i = 0; i < MOVERS; i++) {
    sat_Vec2 *end = &scene->end[i];
    bench_check(sat_shape_move(scene->movers[i], before[i].x - end->x, before[i].y - end->y));
    *end = (sat_Vec2){end->x - SIDE / 2, end->y - SIDE / 2};
  }
  SAT_LIST_FREE(&found);
  return time / MOVERS;
}

static double time_plain(const Scene *scene, sat_Vec2 end[MOVERS]) {
  double start = bench_wall_now();
  for (int i = 0; i < MOVERS; i++) end[i] = plain_move(scene, scene->from[i], scene->motion[i]);
  return (bench_wall_now() - start) / MOVERS;
}

static void compare(const Scene *scene, const sat_Vec2 end[MOVERS]) {
  for (int i = 0; i < MOVERS; i++) {
    if (hypot(end[i].x - scene->end[i].x, end[i].y - scene->end[i].y) < 1e-6) continue;
    fprintf(stderr, "mover %d ends at %g, %g; the plain one at %g, %g\n", i, scene->end[i].x,
            scene->end[i].y, end[i].x, end[i].y);
    exit(1);
  }
}

static void measure(Walk walk, Kind kind, int rounds) {
  static const char *const walks[] = {"in the air", "slides along", "lands on", "in a corner"};
  static const char *const kinds[] = {"box", "circle", "capsule"};
  static Scene scene;
  sat_Vec2 end[MOVERS];
  double sat = HUGE_VAL, plain = HUGE_VAL;
  size_t mark = bench_mark();
  scene = (Scene){.world = bench_world(bench_allocator)};
  add_tiles(&scene);
  scene.grid = bench_grid_make(&(bench_Boxes){scene.tiles, TILES, SIZE, 0});
  place_movers(&scene, walk, kind);
  for (int round = 0; round < rounds; round++) {
    sat = fmin(sat, time_sat(&scene));
    plain = fmin(plain, time_plain(&scene, end));
    if (kind == BOX) compare(&scene, end);
  }
  printf("%-8s %-19s %8.1f %8.1f %8.2f\n", kinds[kind], walks[walk], sat, plain, sat / plain);
  sat_world_free(scene.world);
  bench_release(mark);
}

int main(int count, char **arguments) {
  int rounds = count > 1 ? (int)strtol(arguments[1], NULL, 10) : 400;
  printf("ns a move, the least of %d rounds\n%-28s %8s %8s %8s\n", rounds, "", "sat", "plain",
         "ratio");
  for (int walk = AIR; walk <= CORNER; walk++)
    for (int kind = BOX; kind <= CAPSULE; kind++) measure((Walk)walk, (Kind)kind, rounds);
  return 0;
}
