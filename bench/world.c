/* world.c: a frame of a world without a solver: shapes move, and what touches is found. Ours beside
 * Box2D 3's world, whose step moves the bodies by its solver, too: without gravity, with one
 * sub-step, and either with all contacts or with none of them left to the solver, by a callback
 * that refuses each after it has been computed.
 *
 *   world [times.csv]
 *
 * The least of fifteen rounds of four frames counts, in turns, in processor time. */
#include "race.h"
#include "sat.h"
#include "sat_world.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef BENCH_BOX2D3
#include <box2d/box2d.h>
#endif

#define PI 3.14159265358979323846

enum { LEAST = 1000, FRAMES_A_ROUND = 4, MOST_VERTICES = 8 };

/* Shapes about a unit wide, which go to and fro by a hundredth of that. */
typedef struct Scene {
  size_t count, vertices, share; /* one in `share` moves in a frame */
  sat_Vec2 *centers, corners[MOST_VERTICES];
  size_t frame;
} Scene;

static void make_scene(Scene *scene, size_t count, size_t vertices, size_t share) {
  uint64_t random = 1;
  double width = 2 * sqrt((double)count);
  *scene = (Scene){.count = count, .vertices = vertices, .share = share};
  scene->centers = bench_allocate(count, sizeof *scene->centers);
  for (size_t i = 0; i < count; i++) {
    scene->centers[i].x = bench_between(&random, 0, width);
    scene->centers[i].y = bench_between(&random, 0, width);
  }
  for (size_t i = 0; i < vertices; i++) {
    double angle = PI * (2 * (double)i + 1) / (double)vertices;
    scene->corners[i] = (sat_Vec2){0.7 * cos(angle), 0.7 * sin(angle)};
  }
}

static bool moves(const Scene *scene, size_t i) {
  return scene->share > 0 && (i + scene->frame) % scene->share == 0;
}

/* The way of a shape in this frame, which the next of its frames takes back. */
static double step(const Scene *scene, size_t i) {
  size_t turn = (i + scene->frame) / scene->share;
  return (i + turn) % 2 ? 0.01 : -0.01;
}

/* ---------------------------------------------------------------- ours */

typedef struct Ours {
  sat_World *world;
  sat_ChangeList changes;
  sat_Shape **shapes;
} Ours;

static void open_ours(Ours *ours, const Scene *scene) {
  ours->world = bench_allocate(1, sat_world_size());
  ours->shapes = bench_allocate(scene->count, sizeof(sat_Shape *));
  sat_world_init(ours->world, (sat_Allocator){bench_reallocate, NULL}, &ours->changes);
  for (size_t i = 0; i < scene->count; i++) {
    sat_Vec2 at = scene->centers[i];
    ours->shapes[i] = bench_allocate(1, sat_shape_bytes(scene->vertices));
    bench_check(sat_shape_init(ours->shapes[i], scene->corners, scene->vertices, 0));
    bench_check(sat_shape_move(ours->shapes[i], at.x, at.y));
    bench_check(sat_world_add(ours->world, ours->shapes[i]));
  }
}

static size_t frame_of_ours(void *opened, Scene *scene) {
  Ours *ours = opened;
  for (size_t i = 0; i < scene->count; i++)
    if (moves(scene, i)) bench_check(sat_shape_move(ours->shapes[i], step(scene, i), 0));
  bench_check(sat_world_update(ours->world));
  return sat_world_event_count(ours->world, SAT_BEGIN) +
         sat_world_event_count(ours->world, SAT_PERSIST);
}

static void close_ours(Ours *ours, const Scene *scene) {
  sat_world_free(ours->world);
  for (size_t i = 0; i < scene->count; i++) free(ours->shapes[i]);
  free(ours->shapes);
  free(ours->world);
}

/* ---------------------------------------------------------------- Box2D 3 */

#ifdef BENCH_BOX2D3
typedef struct Theirs {
  b2WorldId world;
  b2BodyId *bodies;
  sat_Vec2 *at;
  size_t refused;
} Theirs;

static bool refuse(b2ShapeId a, b2ShapeId b, b2Manifold *manifold, void *context) {
  (void)a;
  (void)b;
  (void)manifold;
  ((Theirs *)context)->refused++;
  return false;
}

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
  if (refuses) b2World_SetPreSolveCallback(theirs->world, refuse, theirs);
  for (size_t i = 0; i < scene->vertices; i++)
    corners[i] = (b2Vec2){(float)scene->corners[i].x, (float)scene->corners[i].y};
  b2Hull hull = b2ComputeHull(corners, (int)scene->vertices);
  b2Polygon polygon = b2MakePolygon(&hull, 0);
  for (size_t i = 0; i < scene->count; i++) add_body(theirs, scene, i, &polygon, refuses);
}

static size_t frame_of_theirs(void *opened, Scene *scene) {
  Theirs *theirs = opened;
  theirs->refused = 0;
  for (size_t i = 0; i < scene->count; i++) {
    if (!moves(scene, i)) continue;
    theirs->at[i].x += step(scene, i);
    b2Vec2 at = {(float)theirs->at[i].x, (float)theirs->at[i].y};
    b2Body_SetTransform(theirs->bodies[i], at, b2Rot_identity);
  }
  b2World_Step(theirs->world, 1 / 60.0f, 1);
  return theirs->refused;
}

static void close_theirs(Theirs *theirs) {
  b2DestroyWorld(theirs->world);
  free(theirs->bodies);
  free(theirs->at);
}
#endif

/* ---------------------------------------------------------------- a row */

/* A contestant with a scene of its own, all of which move alike. */
typedef struct Side {
  size_t (*frame)(void *opened, Scene *scene);
  void *opened;
  Scene scene;
} Side;

static bench_Sum run_frame(void *opened) {
  Side *side = opened;
  bench_Sum sum = {.hits = (double)side->frame(side->opened, &side->scene)};
  side->scene.frame++;
  return sum;
}

static void measure(size_t count, size_t vertices, size_t share, FILE *csv) {
  Scene scene;
  Ours ours;
  make_scene(&scene, count, vertices, share);
  open_ours(&ours, &scene);
  Side sides[3] = {{frame_of_ours, &ours, scene}};
#ifdef BENCH_BOX2D3
  Theirs refusing, solving;
  open_theirs(&refusing, &scene, true);
  open_theirs(&solving, &scene, false);
  sides[1] = (Side){frame_of_theirs, &refusing, scene};
  sides[2] = (Side){frame_of_theirs, &solving, scene};
#endif
  bench_Contestant list[3] = {{.name = "sat"}, {.name = "Box2D 3, unsolved"}, {.name = "Box2D 3"}};
  for (int i = 0; i < 3; i++) {
    list[i].pass = sides[i].frame ? run_frame : NULL;
    list[i].state = &sides[i];
  }
  const char *moving = share == 0 ? "none" : share == 1 ? "all" : "tenth";
  char kind[32];
  snprintf(kind, sizeof kind, "%zu %zu-gons", count, vertices);
  if (count == LEAST && vertices == 4 && share == 0)
    bench_write_heading("A frame of a world, in microseconds, by which part moves", list, 3);
  bench_race(list, 3, FRAMES_A_ROUND, 1);
  bench_write_row((bench_Row){"world", kind, moving, count, 1e3}, list, 3, csv);
#ifdef BENCH_BOX2D3
  close_theirs(&refusing);
  close_theirs(&solving);
#endif
  close_ours(&ours, &scene);
  free(scene.centers);
}

int main(int count, char **arguments) {
  FILE *csv = bench_open_times(count, arguments);
  for (size_t shapes = LEAST; shapes <= 10 * LEAST; shapes *= 10)
    for (size_t vertices = 4; vertices <= 8; vertices += 4)
      for (size_t share = 0; share <= 10; share = share * 9 + 1)
        measure(shapes, vertices, share, csv);
  fclose(csv);
  return 0;
}
