/* pairs.h: pairs of convex shapes, the same on every run, and what a library must do to be asked
 * about them. */
#ifndef BENCH_PAIRS_H
#define BENCH_PAIRS_H

#include "common.h"
#include "textbook.h"

/* Points and circles have one vertex, segments and capsules two. */
typedef enum bench_Kind {
  BENCH_POINT,
  BENCH_CIRCLE,
  BENCH_SEGMENT,
  BENCH_CAPSULE,
  BENCH_UPRIGHT, /* a box */
  BENCH_POLYGON, /* of four vertices: a box at any angle */
  BENCH_REGULAR,
  BENCH_ANY /* in a table of what a peer answers */
} bench_Kind;

typedef enum bench_Mix {
  BENCH_HITS,
  BENCH_HALF,   /* of these with the next */
  BENCH_MISSES, /* apart, although their bounding boxes overlap, if they ever are */
  BENCH_SIDES,  /* they touch, B to the right of A; all coordinates are whole or half numbers */
  BENCH_CORNERS,
  BENCH_APART, /* 10 to 30 away, on the way of a motion past B's centre, or near it */
  BENCH_ALIKE  /* as far apart, but B is A elsewhere, and regular: its edges are parallel to A's */
} bench_Mix;

typedef struct bench_Class {
  bench_Kind a, b;
  size_t vertices; /* of polygons */
  bench_Mix mix;
} bench_Class;

typedef struct bench_Scene {
  bench_Class class;
  size_t count;
  bench_Polygon *a, *b;
  sat_Vec2 *motion; /* of A, or of a ray from its centre */
} bench_Scene;

/* Always the same ones. */
bench_Scene *bench_scene_create(bench_Class class, size_t count);

/* Brings `world` up to date with the center and an angle. */
void bench_polygon_place(bench_Polygon *polygon, double angle);

/* Of world vertices, without the radius. */
sat_Box bench_box_of(const bench_Polygon *polygon);

typedef enum bench_Question {
  BENCH_COLLIDE,
  BENCH_OVERLAPS,
  BENCH_CONTACTS,
  BENCH_TURNED, /* all shapes turn by BENCH_TURN_BY and collide, to the left, then to the right */
  BENCH_DISTANCE,
  BENCH_RAY,
  BENCH_CAST
} bench_Question;

#define BENCH_TURN_BY 0.05

/* Answers each pair, in the library's own source, so that no call of ours comes between: with the
 * depth, the distance, the fraction of the motion or 1 for yes; less than 0 is no. What the library
 * tells besides is kept, as a game would keep it. */
typedef void bench_Ask(void *state, double *answers);

#define BENCH_ASK(name, State, answer)                                                             \
  static void name(void *opened, double *answers) {                                                \
    State *state = opened;                                                                         \
    for (size_t i = 0; i < state->count; i++) answers[i] = (answer);                               \
  }

/* The same after the statements have turned the shapes of each pair by `by`. */
#define BENCH_TURN(name, State, answer, ...)                                                       \
  static void name(void *opened, double *answers) {                                                \
    State *state = opened;                                                                         \
    for (int side = -1; side <= 1; side += 2)                                                      \
      for (size_t i = 0; i < state->count; i++) {                                                  \
        const double by = side * BENCH_TURN_BY;                                                    \
        __VA_ARGS__                                                                                \
        answers[i] = (answer);                                                                     \
      }                                                                                            \
  }

/* The answer of a library to a question about two kinds. */
typedef struct bench_Entry {
  bench_Kind a, b;
  bench_Question question;
  bench_Ask *ask;
} bench_Entry;
#define BENCH_ENTRY(a, b, question, ask)                                                           \
  { BENCH_##a, BENCH_##b, BENCH_##question, ask }

typedef struct bench_Peer {
  const char *name, *missing; /* what names its folder, where it is missing */
  size_t most_vertices;
  double skin;    /* it calls those a hit that are not farther apart than this */
  double precise; /* its answers may be off by this much */
  void *(*open)(const bench_Scene *scene); /* in blocks that `bench_release` frees */
  const bench_Entry *asks;                 /* the first that fits counts; the last one is empty */
  bool has_manifolds; /* which answer whether shapes overlap, and have contacts */
} bench_Peer;

/* NULL for what it does not answer. */
bench_Ask *bench_ask_of(const bench_Peer *peer, bench_Class class, bench_Question question);

extern const bench_Peer bench_sat, bench_plain, bench_textbook, bench_box2d3, bench_cute_c2;

#endif
