/* oracle.h: the right answers about convex shapes, from the definitions alone, and random scenes of
 * two shapes.
 *
 * The oracle compares every edge with every vertex and every edge with every edge, in long
 * double, or in whole numbers of 128 bits where an answer has to be exact. Vectors and normals
 * of a pair point out of B towards A, as in sat.h. */
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

/* The unit in the last place of 1 of the real arithmetic: on some machines, and in some
 * emulators of others, a long double has no more digits than a double. */
Real real_epsilon(void);

/* These replace fminl and fmaxl, whose calls took a sixth of a suite's time. Like those they
 * ignore a second argument that is NaN, as an edge without length gives. */
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

/* Reads a shape as a solid. Its vertices are the sums of the shape's own numbers in long double. */
void solid_read(Solid *solid, const sat_Shape *shape);
Point solid_vertex(const sat_Shape *shape, size_t index);

/* The distance of two solids once A has moved by `shift` or, if they overlap then, the depth of
 * the minimum translation vector, negative. */
Real solid_gap(const Solid *a, Point shift, const Solid *b);

/* The separation along a unit direction alone: if negative, the depth along it. */
Real solid_gap_along(const Solid *a, Point shift, const Solid *b, Point direction);

/* The distance of a point from a solid; inside of the solid, the depth, negative. */
Real solid_gap_of_point(const Solid *solid, Point point);

/* The centroid of a solid without its radius. */
Point solid_centroid(const Solid *solid);

/* The largest distance by which B sticks out of A; A contains B if it is not positive. */
Real solid_excess(const Solid *a, const Solid *b);

/* The directions that the minimum translation vector of two solids without radius can have: the
 * outward normals of B's edges and the inward ones of A's. Returns how many there are;
 * `directions` has room for twice MOST_VERTICES. */
size_t solid_directions(const Solid *a, const Solid *b, Point *directions);

/* The choice among equally short vectors of the directions `units`, as sat.h says it. `centers`
 * leads from B's centre to A's; it is 0, 0 where these coincide. */
typedef struct TieChoice {
  size_t index;
  int step;  /* the step that decided: 0, 1 or 2; -1 where there is one direction */
  bool sure; /* no comparison was within rounding of the rule's tolerance */
} TieChoice;
TieChoice tie_choice(Point centers, const Point *units, size_t count);

/* ---------------------------------------------------------------- exactly */

/* The sign of the gap between B's core and A's core as it moves by `motion`, where all numbers
 * are multiples of `unit`, a power of two: 1 when the two never share a point, 0 when they only
 * touch, -1 when their Minkowski difference holds the origin inside at some time. */
int exact_sweep_sign(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, double unit);
/* The same without a motion. */
static inline int exact_sign(const sat_Shape *a, const sat_Shape *b, double unit) {
  return exact_sweep_sign(a, (sat_Vec2){0, 0}, b, unit);
}

/* ---------------------------------------------------------------- shapes and scenes */

/* A shape in a block of its size, for `free`. Each function fails the test if there is no such
 * shape. */
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

/* The scratch memory of all tests. */
sat_Scratch *test_scratch(void);

/* Two random convex shapes near each other. */
typedef struct Scene {
  uint64_t seed;
  /* vertices and radii are multiples of `unit`, and no shape is rotated, scaled or flipped */
  bool whole;
  bool large;   /* a shape has more than 14 vertices, so that a test should ask less */
  bool hard;    /* a shape is a polygon of random_hard_polygon */
  bool needles; /* the shapes may be needles that lie along each other */
  double unit;  /* a power of two */
  sat_Shape *a, *b;
  Solid solid_a, solid_b;
} Scene;

/* Makes the scene of a seed. About half of all scenes are whole. */
void scene_make(Scene *scene, uint64_t seed);
/* Frees the scene, unless it is all zeros, and makes the scene of the next seed. Returns false
 * after the seed `last`. */
bool scene_next(Scene *scene, uint64_t last);
/* Makes a scene in which one vertex of A, and no other point, is on an edge of B that runs along
 * neither axis. All coordinates are whole numbers, and the unit is one in the last place of 64.
 * A is a segment in one of eight scenes, a point in another one of eight, and a polygon in the
 * others. */
void scene_make_slanted_touch(Scene *scene, uint64_t seed);
/* Moves A as near to touching B as rounding allows. The scene is not whole any more. */
void scene_bring_to_touch(Scene *scene);
/* Asks every question about A and B that tells whether they overlap, fails the test unless all
 * give the same answer, and returns that answer. */
bool questions_agree(const sat_Shape *a, const sat_Shape *b, uint64_t seed);

/* Reads the solids again after the shapes have changed. */
void scene_read(Scene *scene);
void scene_free(Scene *scene);

/* A double's unit in the last place. */
Real ulp_of(Real number);
/* The largest magnitude of a coordinate of any point of the two. */
Real scene_reach(const Scene *scene);
/* The error bound of a length: four units in the last place of the largest coordinate, and the
 * rounding of the oracle itself. */
Real scene_hair(const Scene *scene);
/* Whether the exact oracle can tell whether the two overlap: whole numbers and no radius. */
bool scene_is_exact(const Scene *scene);
static inline Real scene_gap(const Scene *scene) {
  return solid_gap(&scene->solid_a, point_at(0, 0), &scene->solid_b);
}

/* Fails the test, naming the seed and both shapes with all their digits, unless the condition
 * holds. */
#define CHECK_SCENE(scene, condition)                                                              \
  do {                                                                                             \
    if (!(condition)) scene_fail(scene, #condition, __FILE__, __LINE__);                           \
  } while (0)
void scene_fail(const Scene *scene, const char *condition, const char *file, int line);

/* The triangles of a simple polygon, at most `count` - 2 of them; returns their number. */
size_t triangles_of(const sat_Vec2 *points, size_t count, sat_Vec2 (*triangles)[3]);

#endif
