/* scene.h: random convex polygons and circles, in pairs, the same on every run. */
#ifndef BENCH_SCENE_H
#define BENCH_SCENE_H

#include "common.h"
#include "textbook.h"

/* What a pair is made of. */
typedef struct bench_Class {
  const char *name;
  size_t vertices;
  bool against_circle; /* the second of each pair is a circle */
  bool regular;        /* all sides of a polygon are equal, and all angles */
} bench_Class;

/* Which pairs: those that meet, and near misses, which are apart although their boxes overlap. */
typedef enum bench_Mix { BENCH_HITS, BENCH_HALF, BENCH_MISSES } bench_Mix;
const char *bench_mix_name(bench_Mix mix);

/* The pairs, and what is true of each: how deep it overlaps, or less than 0: how far it is apart
 * along the best axis. */
typedef struct bench_Scene {
  size_t count, vertices; /* pairs; vertices of a polygon */
  bench_Polygon *a, *b;
  double *depth;
  sat_Vec2 *points;
} bench_Scene;

bench_Scene *bench_scene_create(bench_Class kind, bench_Mix mix, size_t count);
bench_Scene *bench_scene_copy(const bench_Scene *scene);
void bench_scene_destroy(bench_Scene *scene);

/* Brings `world` up to date with the center and an angle. */
void bench_polygon_place(bench_Polygon *polygon, double angle);

#endif
