/* oracle.h: the right answers about two convex shapes, from the definitions alone, and random
 * scenes.
 *
 * The oracle takes no short cut: every edge against every vertex, every edge against every edge, in
 * long double, or in whole numbers of 128 bits where the answer has to be exact. Vectors and
 * normals of a pair point out of B towards A, as in sat.h. */
#ifndef SAT_TEST_ORACLE_H
#define SAT_TEST_ORACLE_H

#include "shape/convex.h"
#include "test/random.h"
#include "test/suite.h"

/* ---------------------------------------------------------------- points and solids */

typedef long double Real;

typedef struct Point {
  Real x, y;
} Point;

/* The unit in the last place of 1 in the arithmetic at run time: on some machines, and in some
 * emulators, a long double has no more digits than a double. */
Real real_epsilon(void);

/* fminl and fmaxl are calls, which took a sixth of a suite's time. Like them these functions ignore
 * a second argument that is NaN, as an edge without length gives. */
static inline Real least_of(Real a, Real b) { return b < a ? b : a; }
static inline Real most_of(Real a, Real b) { return b > a ? b : a; }
static inline Point point_at(Real x, Real y) { return (Point){x, y}; }
static inline Point point_of(sat_Vec2 v) { return (Point){v.x, v.y}; }
static inline Point point_add(Point a, Point b) { return (Point){a.x + b.x, a.y + b.y}; }
static inline Point point_sub(Point a, Point b) { return (Point){a.x - b.x, a.y - b.y}; }
static inline Point point_mul(Point a, Real k) { return (Point){a.x * k, a.y * k}; }
static inline Real point_dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
static inline Real point_cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
static inline Real point_length(Point a) { return sqrtl(point_dot(a, a)); }
static inline bool same_vector(sat_Vec2 v, sat_Vec2 w) { return v.x == w.x && v.y == w.y; }

/* The most vertices that a random shape has. */
enum { MOST_VERTICES = 320 };

/* All points within `radius` of the hull of the vertices, which stand in the order of positive
 * area. */
typedef struct Solid {
  size_t count;
  Real radius;
  Point vertices[MOST_VERTICES];
} Solid;

/* The solid of a shape in its place: its vertices are sums of the stored numbers in long double. */
void solid_read(Solid *solid, const sat_Shape *shape);
Point solid_vertex(const sat_Shape *shape, size_t index);

/* The distance of two solids once A has moved by `shift`, or the negative depth of the shortest way
 * out if they overlap. */
Real solid_gap(const Solid *a, Point shift, const Solid *b);

/* The separation along one direction of unit length: negative by the depth of the way out of B in
 * that direction. */
Real solid_gap_along(const Solid *a, Point shift, const Solid *b, Point direction);

/* The distance of a point from a solid, negative inside. */
Real solid_gap_of_point(const Solid *solid, Point point);

/* The centroid of the solid without its radius. */
Point solid_centroid(const Solid *solid);

/* The most by which B extends beyond A along any unit vector. B is in A if that is not positive. */
Real solid_excess(const Solid *a, const Solid *b);

/* The directions that shortest ways out of a core can have: the outward normals of B's edges and
 * the inward normals of A's edges. Returns their number, at most twice MOST_VERTICES. */
size_t solid_directions(const Solid *a, const Solid *b, Point *directions);

/* ---------------------------------------------------------------- exactly */

/* How A's core, moved by `motion`, meets B's core, where all numbers are multiples of `unit`, a
 * power of two: 1 when the two never share a point, 0 when they only touch, -1 when their Minkowski
 * difference holds the origin inside at some time. Without a motion A stands still. */
int exact_sweep_sign(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, double unit);
static inline int exact_sign(const sat_Shape *a, const sat_Shape *b, double unit) {
  return exact_sweep_sign(a, (sat_Vec2){0, 0}, b, unit);
}

/* ---------------------------------------------------------------- shapes and scenes */

/* A shape in a block of just its size, for `free`. The test fails if there is none. */
sat_Shape *shape_make(const sat_Vec2 *points, size_t count, double radius);
sat_Shape *shape_box(double x, double y, double width, double height);
sat_Shape *shape_circle(double x, double y, double radius);
sat_Shape *shape_regular(double x, double y, double radius, size_t count);
sat_Shape *shape_copy(const sat_Shape *shape);

/* The hull of points, in place, without vertices that turn by no more than `least` (the cross
 * product of the edges beside them). Returns its size, which is below 3 where there is no area.
 * Exact for whole numbers. */
size_t hull_of(sat_Vec2 *points, size_t count, Real least);

/* A polygon of whole numbers about 0, 0 with no coordinate beyond `size` and up to `most`
 * vertices. */
size_t random_whole_polygon(Random *random, int size, size_t most, sat_Vec2 *points);

/* A polygon of up to 16 vertices about 0, 0 with corners that are straight but for rounding, edges
 * of a billionth of the others' lengths, or next to no width. */
size_t random_hard_polygon(Random *random, sat_Vec2 *points);

/* Working memory for the questions of all tests. */
sat_Scratch *test_scratch(void);

/* Two random shapes of any kinds near each other. */
typedef struct Scene {
  uint64_t seed;
  /* vertices and radii are whole multiples of `unit`, and nothing is turned, scaled or flipped */
  bool whole;
  bool large;  /* one of them has many vertices: ask less */
  bool hard;   /* one of them is a hard polygon, see random_hard_polygon */
  double unit; /* a power of two */
  sat_Shape *a, *b;
  Solid solid_a, solid_b;
} Scene;

/* The same scene for the same seed. Every other one is whole. */
void scene_make(Scene *scene, uint64_t seed);
/* Frees a scene but for one of zeros, and makes the next, whose seed is higher by 1. Returns false
 * after the seed `last`. */
bool scene_next(Scene *scene, uint64_t last);
/* A stands outside of B with one vertex, and nothing else, on an edge of B that runs along neither
 * axis. All is whole, and the unit so small that a move by one is a move by a bit. Every fourth
 * time A is a segment, every eighth a point. */
void scene_make_slanted_touch(Scene *scene, uint64_t seed);
/* Moves A to where it touches B as exactly as rounding allows. */
void scene_bring_to_touch(Scene *scene);
/* Asks every question about A and B whose answer tells whether they meet, and returns that. The
 * test fails unless all agree. */
bool questions_agree(const sat_Shape *a, const sat_Shape *b, uint64_t seed);

/* Reads the solids again after the shapes have changed. */
void scene_read(Scene *scene);
void scene_free(Scene *scene);

/* A double's unit in the last place. */
Real ulp_of(Real number);
/* The largest coordinate of any point of the two. */
Real scene_reach(const Scene *scene);
/* The error bound of a length: four units in the last place of the largest coordinate, and the
 * rounding of the oracle itself. */
Real scene_hair(const Scene *scene);
/* Whether the exact oracle can tell if the two meet: whole numbers and no radius. */
bool scene_is_exact(const Scene *scene);
static inline Real scene_gap(const Scene *scene) {
  return solid_gap(&scene->solid_a, point_at(0, 0), &scene->solid_b);
}

/* Fails the test, naming the seed and both shapes with all their digits, unless it holds. */
#define CHECK_SCENE(scene, condition)                                                              \
  do {                                                                                             \
    if (!(condition)) scene_fail(scene, #condition, __FILE__, __LINE__);                           \
  } while (0)
void scene_fail(const Scene *scene, const char *condition, const char *file, int line);

#endif
