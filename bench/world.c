/* world.c: a frame of a world without a solver: shapes move, and what touches is found. Ours beside
 * Box2D 3's world, whose step moves the bodies by its solver, too: without gravity, with one
 * sub-step, and either with all contacts or with none of them left to the solver, by a callback
 * that refuses each after it has been computed.
 *
 *   world [times.csv]
 *
 * And crates in rows, which all move by a tile, beside a plain loop over the neighbours of a grid:
 * there the moves are not timed. */
#include "common.h"

#ifdef BENCH_BOX2D3
#include <box2d/box2d.h>
#endif

enum { LEAST = 1000, FRAMES_A_ROUND = 4, MOST_VERTICES = 8 };

/* Shapes about a unit wide, which go to and fro by a hundredth of that. */
typedef struct Scene {
  size_t count, vertices, share; /* one in `share` moves in a frame */
  sat_Vec2 *centers, corners[MOST_VERTICES];
  size_t frame, side; /* of a square of crates, which move together */
} Scene;

static void make_scene(Scene *scene, size_t count, size_t vertices, size_t share) {
  Random random = {1};
  double width = 2 * sqrt((double)count);
  *scene = (Scene){.count = count, .vertices = vertices, .share = share};
  scene->centers = bench_allocate(count, sizeof *scene->centers);
  for (size_t i = 0; i < count; i++) scene->centers[i] = bench_anywhere(&random, 0, width);
  for (size_t i = 0; i < vertices; i++)
    scene->corners[i] = bench_polar(0.7, BENCH_PI * (2 * (double)i + 1) / (double)vertices);
}

/* Crates of 16 by 16 in rows, so far from each other. */
static void make_crates(Scene *scene, size_t side, double pitch) {
  *scene = (Scene){.count = side * side, .vertices = 4, .share = 1, .side = side};
  scene->centers = bench_allocate(scene->count, sizeof *scene->centers);
  for (size_t i = 0; i < scene->count; i++)
    scene->centers[i] = (sat_Vec2){pitch * (double)(i % side), pitch * (double)(i / side)};
  const sat_Vec2 corners[4] = {{-8, -8}, {8, -8}, {8, 8}, {-8, 8}};
  for (size_t i = 0; i < 4; i++) scene->corners[i] = corners[i];
}

static bool moves(const Scene *scene, size_t i) {
  return scene->share > 0 && (i + scene->frame) % scene->share == 0;
}

/* The way of a shape in this frame, which the next of its frames takes back. */
static double step(const Scene *scene, size_t i) {
  size_t turn = (i + scene->frame) / scene->share;
  if (scene->side > 0) return scene->frame % 2 ? -1 : 1;
  return (i + turn) % 2 ? 0.01 : -0.01;
}

/* ---------------------------------------------------------------- ours */

typedef struct Ours {
  sat_World *world;
  sat_Shape **shapes;
  sat_Collisions found;
} Ours;

static void open_ours(Ours *ours, const Scene *scene) {
  ours->world = bench_world(bench_allocator);
  ours->found = (sat_Collisions){.allocator = bench_allocator};
  ours->shapes = bench_allocate(scene->count, sizeof(sat_Shape *));
  for (size_t i = 0; i < scene->count; i++) {
    sat_Vec2 at = scene->centers[i];
    ours->shapes[i] = bench_shape(scene->corners, scene->vertices, 0);
    bench_check(sat_shape_move(ours->shapes[i], at.x, at.y));
    bench_check(sat_world_add(ours->world, ours->shapes[i]));
  }
}

static void move_ours(void *opened, const Scene *scene) {
  Ours *ours = opened;
  for (size_t i = 0; i < scene->count; i++)
    if (moves(scene, i)) bench_check(sat_shape_move(ours->shapes[i], step(scene, i), 0));
}

static size_t collide_ours(void *opened) {
  Ours *ours = opened;
  bench_check(sat_world_collisions(ours->world, &ours->found));
  return ours->found.count;
}

static size_t update_ours(void *opened) {
  Ours *ours = opened;
  bench_check(sat_world_update(ours->world));
  return sat_world_event_count(ours->world, SAT_BEGIN) +
         sat_world_event_count(ours->world, SAT_PERSIST);
}

/* ---------------------------------------------------------------- Box2D 3 */

#ifdef BENCH_BOX2D3
typedef struct Theirs {
  b2WorldId world;
  b2BodyId *bodies;
  sat_Vec2 *at;
  size_t refused;
} Theirs;

#ifdef B2_NULL_INDEX /* 3.2, which else keeps manifolds of pairs that have moved by less than 0.05 */
#define SET_PRE_SOLVE(world, refuse, context)                                                      \
  (b2World_SetPreSolveCallback(world, refuse, NULL, context),                                      \
   b2World_SetContactRecycleDistance(world, 0))
static void refuse(b2ShapeId a, b2ShapeId b, b2Manifold *manifold, void *context) {
  (void)a;
  (void)b;
  manifold->pointCount = 0;
  ((Theirs *)context)->refused++;
}
#else
#define SET_PRE_SOLVE b2World_SetPreSolveCallback
static bool refuse(b2ShapeId a, b2ShapeId b, b2Manifold *manifold, void *context) {
  (void)a;
  (void)b;
  (void)manifold;
  ((Theirs *)context)->refused++;
  return false;
}
#endif

static void add_body(Theirs *theirs, const Scene *scene, size_t i, const b2Polygon *polygon,
                     bool refuses) {
  b2BodyDef body = b2DefaultBodyDef();
  b2ShapeDef shape = b2DefaultShapeDef();
  body.type = b2_dynamicBody;
  body.position = (b2Vec2){(float)scene->centers[i].x, (float)scene->centers[i].y};
  shape.enablePreSolveEvents = refuses;
  theirs->at[i] = scene->centers[i];
  theirs->bodies[i] = b2CreateBody(theirs->world, &body);
  b2CreatePolygonShape(theirs->bodies[i], &shape, polygon);
}

static void open_theirs(Theirs *theirs, const Scene *scene, bool refuses) {
  b2WorldDef world = b2DefaultWorldDef();
  b2Vec2 corners[MOST_VERTICES];
  world.gravity = (b2Vec2){0, 0};
  world.enableSleep = world.enableContinuous = false;
  theirs->world = b2CreateWorld(&world);
  theirs->bodies = bench_allocate(scene->count, sizeof *theirs->bodies);
  theirs->at = bench_allocate(scene->count, sizeof *theirs->at);
  if (refuses) SET_PRE_SOLVE(theirs->world, refuse, theirs);
  for (size_t i = 0; i < scene->vertices; i++)
    corners[i] = (b2Vec2){(float)scene->corners[i].x, (float)scene->corners[i].y};
  b2Hull hull = b2ComputeHull(corners, (int)scene->vertices);
  b2Polygon polygon = b2MakePolygon(&hull, 0);
  for (size_t i = 0; i < scene->count; i++) add_body(theirs, scene, i, &polygon, refuses);
}

static void move_theirs(void *opened, const Scene *scene) {
  Theirs *theirs = opened;
  for (size_t i = 0; i < scene->count; i++) {
    if (!moves(scene, i)) continue;
    theirs->at[i].x += step(scene, i);
    b2Vec2 at = {(float)theirs->at[i].x, (float)theirs->at[i].y};
    b2Body_SetTransform(theirs->bodies[i], at, b2Rot_identity);
  }
}

static size_t step_theirs(void *opened) {
  Theirs *theirs = opened;
  theirs->refused = 0;
  b2World_Step(theirs->world, 1 / 60.0f, 1);
  return theirs->refused;
}

#endif

/* ---------------------------------------------------------------- plain crates */

/* With a crate beyond each side that meets none. */
typedef struct Crates {
  size_t side;
  sat_Box *at;
  struct {
    double depth;
    int way;
  } * kept;
} Crates;

static void open_crates(Crates *crates, const Scene *scene) {
  size_t side = crates->side = scene->side;
  crates->at = bench_allocate((side + 2) * (side + 2), sizeof *crates->at);
  crates->kept = bench_allocate(4 * scene->count, sizeof *crates->kept);
  for (size_t i = 0; i < (side + 2) * (side + 2); i++)
    crates->at[i] = (sat_Box){{-99, -99}, {-99, -99}};
  for (size_t i = 0; i < scene->count; i++) {
    sat_Vec2 at = scene->centers[i];
    crates->at[(i / side + 1) * (side + 2) + i % side + 1] =
        (sat_Box){{at.x - 8, at.y - 8}, {at.x + 8, at.y + 8}};
  }
}

/* Keeps the depth and the normal's direction of each pair that meets. */
static size_t collide_crates(void *opened) {
  Crates *crates = opened;
  size_t wide = crates->side + 2, found = 0;
  const size_t others[4] = {1, wide - 1, wide, wide + 1};
  for (size_t i = wide; i + 1 < wide * (wide - 1); i++) {
    for (size_t k = 0; k < 4; k++) {
      const sat_Box *a = &crates->at[i], *b = &crates->at[i + others[k]];
      double left = a->max.x - b->min.x, right = b->max.x - a->min.x, up = a->max.y - b->min.y,
             down = b->max.y - a->min.y;
      if (left < 0 || right < 0 || up < 0 || down < 0 || a->min.x == -99) continue;
      double x = left < right ? left : right, y = up < down ? up : down;
      crates->kept[found].depth = x < y ? x : y;
      crates->kept[found++].way = x < y ? (left < right ? 0 : 1) : up < down ? 2 : 3;
    }
  }
  return found;
}

/* ---------------------------------------------------------------- a row */

/* A contestant with a scene of its own, all of which move alike. */
typedef struct Side {
  void (*move)(void *opened, const Scene *scene);
  size_t (*find)(void *opened);
  void *opened;
  Scene scene;
} Side;

static void move(void *opened) {
  Side *side = opened;
  if (side->move) side->move(side->opened, &side->scene);
  side->scene.frame++;
}

static bench_Sum find(void *opened) {
  Side *side = opened;
  return (bench_Sum){.hits = (double)side->find(side->opened)};
}

static bench_Sum run_frame(void *opened) {
  move(opened);
  return find(opened);
}

enum { SAT, PLAIN, UNSOLVED, SOLVED, SIDES };

static void measure(Scene scene, const char *kind, const char *moving, double goal, FILE *csv) {
  Ours ours;
  Crates crates = {0};
  bool boxes = scene.side > 0;
  open_ours(&ours, &scene);
  if (boxes) open_crates(&crates, &scene);
  Side sides[SIDES] = {{move_ours, boxes ? collide_ours : update_ours, &ours, scene},
                       {NULL, boxes ? collide_crates : NULL, &crates, scene}};
#ifdef BENCH_BOX2D3
  Theirs refusing, solving;
  open_theirs(&refusing, &scene, true);
  open_theirs(&solving, &scene, false);
  sides[UNSOLVED] = (Side){move_theirs, step_theirs, &refusing, scene};
  sides[SOLVED] = (Side){move_theirs, step_theirs, &solving, scene};
#endif
  bench_Contestant list[SIDES] = {
      {.name = "sat"}, {.name = "plain"}, {.name = "Box2D 3, unsolved"}, {.name = "Box2D 3"}};
  for (int i = 0; i < SIDES; i++) {
    list[i].state = &sides[i];
    if (sides[i].find) list[i].pass = boxes ? find : run_frame;
    if (boxes) list[i].prepare = move;
  }
  static bool is_headed;
  if (!is_headed) bench_write_heading("A frame of a world, in microseconds", list, SIDES);
  is_headed = true;
  bench_race(list, SIDES, FRAMES_A_ROUND, 1);
  char note[64] = "";
  double ratio = list[SAT].ns / list[PLAIN].ns;
  size_t used = (size_t)snprintf(note, sizeof note, ", of Box2D %.0f", list[UNSOLVED].sum.hits);
  if (boxes)
    snprintf(note + used, sizeof note - used, "   %.1f of plain, goal %g%s", ratio, goal,
             ratio > goal ? " *" : "");
  bench_write_row((bench_Row){"world", kind, moving, scene.count, 1e3, note}, list, SIDES, csv);
  if (boxes && list[SAT].sum.hits != list[PLAIN].sum.hits) bench_check(SAT_EVALUE);
#ifdef BENCH_BOX2D3
  b2DestroyWorld(refusing.world);
  b2DestroyWorld(solving.world);
#endif
  sat_world_free(ours.world);
  SAT_LIST_FREE(&ours.found);
  bench_release(0);
}

int main(int count, char **arguments) {
  static const char *const moving[] = {"none", "all", "tenth"};
  FILE *csv = bench_open_times(count, arguments);
  Scene scene;
  for (size_t shapes = LEAST; shapes <= 10 * LEAST; shapes *= 10)
    for (size_t vertices = 4; vertices <= 8; vertices += 4)
      for (size_t share = 0; share <= 10; share = share * 9 + 1) {
        char kind[32];
        snprintf(kind, sizeof kind, "%zu %zu-gons", shapes, vertices);
        make_scene(&scene, shapes, vertices, share);
        measure(scene, kind, moving[share > 1 ? 2 : share], 0, csv);
      }
  make_crates(&scene, 32, 16);
  measure(scene, "1024 crates side by side", "all", 13, csv);
  make_crates(&scene, 32, 15.5);
  measure(scene, "1024 crates that overlap", "all", 4.5, csv);
  fclose(csv);
  return 0;
}
