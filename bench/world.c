/* world.c: a frame of a world without a solver: shapes move, and what touches is found. Ours beside
 * Box2D 3's world, whose step moves the bodies by its solver, too: without gravity, with one
 * sub-step, and either with all contacts or with none of them left to the solver, by a callback
 * that refuses each after it has been computed.
 *
 *   world [times.csv]
 *
 * The least of many frames counts, in turns, in processor time. */
#include "common.h"
#include "sat.h"
#include "sat_world.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef BENCH_BOX2D3
#include <box2d/box2d.h>
#endif

#define PI 3.14159265358979323846

enum { WARMING_FRAMES = 8, FRAMES = 60, MOST_VERTICES = 8 };

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

typedef size_t Frame(void *opened, Scene *scene);

typedef struct Contestant {
  Frame *frame;
  void *opened;
  double ns;
  size_t touching;
} Contestant;

static void race(Contestant *contestants, size_t count, Scene *scene) {
  for (size_t i = 0; i < count; i++) contestants[i].ns = INFINITY;
  for (scene->frame = 0; scene->frame < WARMING_FRAMES + FRAMES; scene->frame++)
    for (size_t i = 0; i < count; i++) {
      Contestant *one = &contestants[i];
      double start = bench_now();
      one->touching = one->frame(one->opened, scene);
      double ns = bench_now() - start;
      if (scene->frame >= WARMING_FRAMES) one->ns = fmin(one->ns, ns);
    }
}

static void measure(size_t count, size_t vertices, size_t share, FILE *csv) {
  Scene scene;
  make_scene(&scene, count, vertices, share);
  Ours ours;
  open_ours(&ours, &scene);
  Contestant all[3] = {{frame_of_ours, &ours, 0, 0}};
  size_t contestants = 1;
#ifdef BENCH_BOX2D3
  Theirs refusing, solving;
  open_theirs(&refusing, &scene, true);
  open_theirs(&solving, &scene, false);
  all[1] = (Contestant){frame_of_theirs, &refusing, 0, 0};
  all[2] = (Contestant){frame_of_theirs, &solving, 0, 0};
  contestants = 3;
#endif
  race(all, contestants, &scene);
  const char *share_name = share == 0 ? "none" : share == 1 ? "all" : "one in ten";
  printf("%8zu %8zu  %-10s", count, vertices, share_name);
  fprintf(csv, "%zu,%zu,%s", count, vertices, share_name);
  for (size_t i = 0; i < contestants; i++) {
    printf(" %9.1f", all[i].ns / 1000);
    if (i > 0) printf(" %5.2fx", all[i].ns / all[0].ns);
    fprintf(csv, ",%.6g", all[i].ns / 1000);
  }
  printf("   %zu, %zu touch\n", all[0].touching, all[1].touching);
  fputs("\n", csv);
#ifdef BENCH_BOX2D3
  close_theirs(&refusing);
  close_theirs(&solving);
#endif
  close_ours(&ours, &scene);
  free(scene.centers);
}

int main(int count, char **arguments) {
  FILE *csv = bench_open_csv(count, arguments);
  fputs("shapes,vertices,move,sat,Box2D 3 without solving,Box2D 3\n", csv);
  printf("A frame of a world, in microseconds\n  shapes vertices  move             sat"
         "  Box2D 3, no solving     Box2D 3, all\n");
  for (size_t shapes = 1000; shapes <= 10000; shapes *= 10)
    for (size_t vertices = 4; vertices <= 8; vertices += 4)
      for (size_t share = 0; share <= 10; share = share * 9 + 1)
        measure(shapes, vertices, share, csv);
  fclose(csv);
  return 0;
}
