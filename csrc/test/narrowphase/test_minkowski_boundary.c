/* test_minkowski_boundary.c: the distance of a point from a difference is that of the two shapes,
 * and the part of a curve that a difference covers lies in the difference. */
#include "narrowphase/union/minkowski_boundary.h"
#include "narrowphase/convex/convex_pair.h"
#include "test/answers.h"

enum { MOST_CORNERS = 6, MOST_EDGES = 2 * MOST_CORNERS };

/* A hair's breadth: above rounding and what arcs of radius 10 tell apart, far below the sizes of
 * the shapes. */
#define HAIR 1e-8

/* A point, a level segment or a polygon of whole numbers, with or without a radius. */
static sat_Shape *random_piece(Random *random) {
  sat_Vec2 points[MOST_CORNERS] = {random_whole(random, 6)};
  size_t count = (size_t)random_integer(random, 1, 3);
  points[1] = add(points[0], vec2((double)random_integer(random, 1, 6), 0));
  if (count == 3) count = random_whole_polygon(random, 6, MOST_CORNERS, points);
  double radius = (double)random_integer(random, -2, 5);
  return shape_make(points, count, radius > 0 ? radius : 0);
}

/* The differences of one piece and two others; in one of four scenes all are rotated by one angle,
 * so that they touch but for rounding. */
typedef struct Differences {
  sat_Shape *shapes[3];
  sat_BoundaryEdge edges[2][MOST_EDGES];
  sat_Boundary of[2];
} Differences;

static void free_differences(Differences *differences) {
  for (int i = 0; i < 3; i++) free(differences->shapes[i]);
}

static bool make_differences(Random *random, Differences *differences) {
  double angle = random_integer(random, 0, 3) ? 0 : random_real(random, 0, 6);
  for (int i = 0; i < 3; i++) {
    sat_Shape *shape = differences->shapes[i] = random_piece(random);
    assert_int_equal(sat_shape_rotate_about(shape, angle, vec2(0, 0)), SAT_OK);
  }
  for (int i = 0; i < 2; i++) {
    const sat_Shape *a = differences->shapes[i], *b = differences->shapes[2];
    sat_Pair pair = sat_convex_pair(a, b);
    differences->of[i] = sat_boundary_of(&pair, differences->edges[i]);
  }
  return !differences->of[0].degenerate && !differences->of[1].degenerate;
}

static double side_of(const sat_Boundary *boundary, const sat_Curve *curve, double t) {
  return sat_boundary_signed_distance(boundary, sat_curve_point(curve, t), HUGE_VAL);
}

/* ---------------------------------------------------------------- distances */

/* Outside of a sharp difference the computed distance may be too small, but not 0. Half of the
 * points are on a level line through a vertex of the difference, beside a core that may have no
 * width. */
TEST(the_distance_from_a_difference_is_that_of_the_shapes) {
  uint64_t inside = 0;
  for (uint64_t seed = 0; seed < rounds(20000); seed++) {
    Random random = {seed};
    Differences differences;
    Solid a, b;
    bool any = make_differences(&random, &differences);
    solid_read(&a, differences.shapes[0]);
    solid_read(&b, differences.shapes[2]);
    for (int i = 0; any && i < 8; i++) {
      sat_Vec2 point = random_whole(&random, 14);
      if (i % 2) point.y = differences.edges[0][0].start.y;
      double distance = sat_boundary_signed_distance(&differences.of[0], point, HUGE_VAL);
      Real exact = solid_gap(&a, point_of(point), &b);
      bool beside = differences.of[0].radius == 0 && distance > 1e-12;
      CHECK_SEED(seed, beside ? exact > distance - 1e-12L : fabsl(distance - exact) < 1e-12L);
      inside += distance < 0;
    }
    free_differences(&differences);
  }
  assert_true(inside > rounds(20000));
}

/* ---------------------------------------------------------------- covers */

/* Whether a part of a curve is in a difference. */
static bool is_part_inside(const sat_Boundary *boundary, const sat_Curve *curve, double from,
                           double to) {
  to = clamp(to, 0, curve->end);
  for (int i = 0; i <= 4; i++)
    if (side_of(boundary, curve, from + (to - from) * i / 4) >= HAIR) return false;
  return true;
}

/* Compares whether a parameter is inside with its distance. The exits of a segment are on the
 * boundary; those of an arc may be too near, too. */
static void check_contains(uint64_t seed, const sat_Boundary *boundary, const sat_Curve *curve,
                           double t, uint64_t *contained) {
  sat_Parameter exits[2];
  double side = side_of(boundary, curve, t);
  bool inside = sat_boundary_contains_parameter(boundary, curve, t, exits);
  CHECK_SEED(seed, fabs(side) < HAIR || inside == (side < 0));
  *contained += inside;
  for (int i = 0; inside && i < 2; i++) {
    CHECK_SEED(seed, i ? exits[i].t > t : exits[i].t < t);
    CHECK_SEED(seed, is_part_inside(boundary, curve, t, exits[i].t));
    if (!sat_is_arc(curve) && fabs(exits[i].t) < HUGE_VAL)
      CHECK_SEED(seed, fabs(side_of(boundary, curve, exits[i].t)) < HAIR);
  }
}

/* Checks that nothing crosses the boundary between two parameters that follow each other. */
static void check_between(uint64_t seed, const sat_Boundary *boundary, const sat_Curve *curve,
                          double from, double to) {
  bool inside = false, outside = false;
  for (int i = 1; i <= 4; i++) {
    double side = side_of(boundary, curve, from + (to - from) * i / 5);
    inside = inside || side < -HAIR;
    outside = outside || side > HAIR;
  }
  CHECK_SEED(seed, !inside || !outside);
}

/* Checks the ends of a curve, a random parameter, and the crossings with the boundary, exactly or
 * but for the square root of rounding. */
static void check_curve(uint64_t seed, Random *random, const sat_Boundary *boundary,
                        const sat_Curve *curve, uint64_t *contained) {
  double parameters[8] = {0, curve->end, random_real(random, 0, curve->end)}, after = 0;
  size_t count = 3;
  while (count < COUNT_OF(parameters)) {
    double last = after;
    after = sat_boundary_next_crossing(boundary, curve, true, last);
    check_between(seed, boundary, curve, last, min2(after, curve->end));
    if (after > curve->end) break;
    double hair = (double)random_integer(random, -2, 2) * 1e-8;
    parameters[count++] = clamp(after + hair, 0, curve->end);
  }
  for (size_t i = 0; i < count; i++)
    check_contains(seed, boundary, curve, parameters[i], contained);
}

static void check_differences(uint64_t seed, Random *random, const Differences *differences,
                              uint64_t *contained) {
  const sat_Boundary *boundary = &differences->of[0];
  for (uint32_t i = 0; i < boundary->count; i++) {
    sat_Curve curves[5] = {sat_segment_of_edge(boundary, i)};
    uint32_t first = boundary->count == 1, count = 1;
    if (boundary->radius > 0) count += sat_arcs_of_vertex(boundary, i, curves + 1);
    for (uint32_t k = first; k < count; k++)
      check_curve(seed, random, &differences->of[1], &curves[k], contained);
  }
}

TEST(a_difference_covers_the_part_of_a_curve_that_is_in_it) {
  uint64_t contained = 0;
  for (uint64_t seed = 0; seed < rounds(20000) + 2000; seed++) { /* enough to count when few */
    Random random = {seed};
    Differences differences;
    if (make_differences(&random, &differences))
      check_differences(seed, &random, &differences, &contained);
    free_differences(&differences);
  }
  assert_true(contained > rounds(20000));
}

int main(void) { return run_suite(NULL, NULL); }
