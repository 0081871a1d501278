/* test_turn.c: the bits of turned vertices, their edges and bounds on every instruction set, and
 * of turned circles and bounding radii. */
#include "shape/convex.h"
#include "test/random.h"
#include "test/suite.h"

#include <string.h>

enum { MOST = 19, BLOCKS = MOST / 4 + 1 };

typedef struct Ring {
  uint32_t count;
  sat_Vec2 vertex[MOST];
} Ring;

/* The computed edges and bounds of a ring. */
typedef struct Measures {
  sat_Edges edges[BLOCKS];
  sat_Box box;
  bool regular;
} Measures;

/* A convex ring of any size, about 0, 0 or far from it. */
static Ring random_ring(Random *random) {
  Ring ring = {(uint32_t)random_integer(random, 2, MOST), {{0, 0}}};
  double size = pow(10, random_real(random, -3, 3)), far = random_integer(random, 0, 1) ? 1e4 : 0;
  for (uint32_t i = 0; i < ring.count; i++) {
    double angle = ((double)i + random_real(random, -0.3, 0.3)) * 6.283185307179586 / ring.count;
    sat_sine_cosine(angle, &ring.vertex[i].y, &ring.vertex[i].x);
    ring.vertex[i] = vec2(ring.vertex[i].x * size + far, ring.vertex[i].y * size - far);
  }
  return ring;
}

/* The kernels of one instruction set. */
typedef struct Kernels {
  bool (*measure)(const sat_Vec2 *vertex, uint32_t count, sat_Edges *edges, sat_Box *box);
  bool (*turn)(double pivot_x, double pivot_y, double x_to_x, double x_to_y, double y_to_x,
               double y_to_y, const sat_Vec2 *local, uint32_t count, sat_Vec2 *vertex,
               sat_Edges *edges, sat_Box *box);
} Kernels;
static const Kernels kernels[2] = {{sat_measure_edges_baseline, sat_turn_points_baseline},
                                   {sat_measure_edges, sat_turn_points}};
enum { BASELINE, BEST };

static Measures measure(int set, const Ring *ring) {
  Measures measures;
  memset(&measures, 0, sizeof measures);
  measures.regular = kernels[set].measure(ring->vertex, ring->count, measures.edges, &measures.box);
  return measures;
}

/* ---------------------------------------------------------------- instruction sets */

TEST(every_instruction_set_turns_by_plain_arithmetic) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    Ring ring = random_ring(&random);
    double n[6];
    for (int i = 0; i < 6; i++) n[i] = random_real(&random, -2, 2);
    for (int set = 0; set < 2; set++) {
      sat_Vec2 turned[MOST + 1] = {{0, 0}};
      CHECK_SEED(seed, kernels[set].turn(n[0], n[1], n[2], n[3], n[4], n[5], ring.vertex,
                                         ring.count, turned, NULL, NULL));
      for (uint32_t i = 0; i < ring.count; i++) {
        double x = ring.vertex[i].x - n[0], y = ring.vertex[i].y - n[1];
        CHECK_SEED(seed, turned[i].x == x * n[2] + y * n[4] && turned[i].y == x * n[3] + y * n[5]);
      }
      CHECK_SEED(seed, turned[ring.count].x == 0 && turned[ring.count].y == 0);
    }
  }
}

TEST(every_instruction_set_measures_rings_by_plain_arithmetic) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    Ring ring = random_ring(&random);
    Measures base = measure(BASELINE, &ring), best = measure(BEST, &ring);
    CHECK_SEED(seed, memcmp(&base, &best, sizeof base) == 0);
    CHECK_SEED(seed, base.regular);
    sat_Box box = {ring.vertex[0], ring.vertex[0]};
    for (uint32_t i = 0; i < ring.count; i++) {
      sat_Vec2 v = ring.vertex[i], edge = sub(ring.vertex[(i + 1) % ring.count], v);
      sat_Vec2 normal = vec2(edge.y / length(edge), -edge.x / length(edge));
      CHECK_SEED(seed, normal_of(base.edges, i).x == normal.x);
      CHECK_SEED(seed, normal_of(base.edges, i).y == normal.y);
      CHECK_SEED(seed, offset_of(base.edges, i) == dot(normal, v));
      box = (sat_Box){{fmin(box.min.x, v.x), fmin(box.min.y, v.y)},
                      {fmax(box.max.x, v.x), fmax(box.max.y, v.y)}};
    }
    CHECK_SEED(seed, base.box.min.x == box.min.x && base.box.min.y == box.min.y);
    CHECK_SEED(seed, base.box.max.x == box.max.x && base.box.max.y == box.max.y);
    for (uint32_t i = ring.count; i < 4 * edge_block_count(ring.count); i++)
      CHECK_SEED(seed, normal_of(base.edges, i).x == 0 && normal_of(base.edges, i).y == 0 &&
                           offset_of(base.edges, i) == HUGE_VAL);
  }
}

TEST(turning_and_measuring_at_once_has_the_bits_of_both_in_turn) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    Ring local = random_ring(&random), turned = local, at_once = local;
    double n[4], angle = random_real(&random, -4, 4);
    for (int i = 0; i < 2; i++) n[i] = random_real(&random, -2, 2);
    sat_sine_cosine(angle, &n[3], &n[2]);
    for (int set = 0; set < 2; set++) {
      Measures all;
      memset(&all, 0, sizeof all);
      kernels[set].turn(n[0], n[1], n[2], n[3], -n[3], n[2], local.vertex, local.count,
                        turned.vertex, NULL, NULL);
      Measures measures = measure(set, &turned);
      all.regular = kernels[set].turn(n[0], n[1], n[2], n[3], -n[3], n[2], local.vertex,
                                      local.count, at_once.vertex, all.edges, &all.box);
      CHECK_SEED(seed, memcmp(&turned, &at_once, sizeof turned) == 0);
      CHECK_SEED(seed, memcmp(&measures, &all, sizeof all) == 0);
    }
  }
}

/* A vertex moves onto the next one, or across the line through its neighbours. */
TEST(edges_without_length_and_reflex_corners_are_noticed_wherever_they_are) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    Ring ring = random_ring(&random), melted = ring, reflex = ring;
    uint32_t at = (uint32_t)random_integer(&random, 0, ring.count - 1);
    uint32_t next = (at + 1) % ring.count, before = (at + ring.count - 1) % ring.count;
    melted.vertex[at] = ring.vertex[next];
    CHECK_SEED(seed, !measure(BASELINE, &melted).regular);
    CHECK_SEED(seed, !measure(BEST, &melted).regular);
    if (ring.count < 4) continue;
    sat_Vec2 middle = lerp(ring.vertex[before], ring.vertex[next], 0.5);
    reflex.vertex[at] = lerp(ring.vertex[at], middle, 1.1);
    CHECK_SEED(seed, !measure(BASELINE, &reflex).regular);
    CHECK_SEED(seed, !measure(BEST, &reflex).regular);
  }
}

/* ---------------------------------------------------------------- shapes */

static void check_radius(uint64_t seed, const sat_Shape *shape, double radius) {
  CHECK_SEED(seed, shape->bounding_radius == radius);
  for (uint32_t i = 0; i < shape->vertex_count; i++) {
    sat_Vec2 v = vertices_of(shape)[i], center = shape->centroid_from_origin;
    long double x = (long double)v.x - center.x, y = (long double)v.y - center.y;
    CHECK_SEED(seed, x * x + y * y <= (long double)radius * radius);
  }
}

/* Checks a one-way normal that was 1, 0 at the angle 0. */
static void check_one_way(uint64_t seed, const sat_Shape *shape, double angle) {
  double sine, cosine;
  sat_Vec2 normal;
  sat_sine_cosine(angle, &sine, &cosine);
  CHECK_SEED(seed, sat_shape_one_way(shape, &normal));
  CHECK_SEED(seed, normal.x == cosine && normal.y == sine);
}

/* The circles rotate in place, by quarter turns and by other angles. */
TEST(the_one_way_normal_of_a_circle_has_the_last_angle) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    sat_Vec2 center = {random_real(&random, -50, 50), random_real(&random, -50, 50)};
    sat_Shape *circle = malloc(sat_shape_bytes(1));
    assert_non_null(circle);
    assert_int_equal(sat_shape_init(circle, &center, 1, 1), SAT_OK);
    assert_int_equal(sat_shape_set_one_way(circle, vec2(1, 0)), SAT_OK);
    for (int i = 0; i < 6; i++) {
      bool quarter = random_integer(&random, 0, 2) == 0;
      double angle = quarter ? (double)random_integer(&random, -4, 4) * SAT_HALF_PI_HIGH
                             : random_real(&random, -9, 9);
      assert_int_equal(sat_shape_set_rotation(circle, angle), SAT_OK);
      check_one_way(seed, circle, angle);
      assert_int_equal(sat_shape_scale(circle, i % 2 ? 0.5 : 2), SAT_OK);
      check_one_way(seed, circle, angle);
      assert_int_equal(sat_shape_rotate(circle, SAT_HALF_PI_HIGH), SAT_OK);
      double after = angle + SAT_HALF_PI_HIGH;
      if (quarter) after = floor(after * SAT_QUARTERS_PER_RADIAN + 0.5) * SAT_HALF_PI_HIGH;
      CHECK_SEED(seed, sat_shape_rotation(circle) == after);
      check_one_way(seed, circle, after);
      sat_Vec2 now = sat_shape_center(circle);
      CHECK_SEED(seed, now.x == center.x && now.y == center.y);
    }
    free(circle);
  }
}

TEST(no_turn_or_mirror_changes_the_bounding_radius) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    Ring ring = random_ring(&random);
    sat_Shape *shape = malloc(sat_shape_bytes(ring.count));
    assert_non_null(shape);
    assert_int_equal(sat_shape_init(shape, ring.vertex, ring.count, 0), SAT_OK);
    for (int i = 0; i < 4; i++) {
      double radius = shape->bounding_radius;
      assert_int_equal(sat_shape_rotate(shape, random_real(&random, -9, 9)), SAT_OK);
      check_radius(seed, shape, radius);
      sat_shape_flip(shape, i % 2);
      check_radius(seed, shape, radius);
      assert_int_equal(sat_shape_transform(shape, 3, i, random_real(&random, -9, 9)), SAT_OK);
      check_radius(seed, shape, radius);
      assert_int_equal(sat_shape_scale(shape, random_real(&random, 0.5, 2)), SAT_OK);
      check_radius(seed, shape, shape->bounding_radius);
    }
    free(shape);
  }
}

/* The angles are random, quarter turns among them. */
TEST(a_turned_circle_has_the_bits_that_its_angle_and_centre_give) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    sat_Vec2 center = vec2(random_real(&random, -9, 9), (double)random_integer(&random, -9, 9));
    size_t bytes = sat_shape_bytes(1);
    sat_Shape *circle = malloc(bytes), *derived = malloc(bytes);
    assert_non_null(circle);
    assert_non_null(derived);
    assert_int_equal(sat_shape_init(circle, &center, 1, random_real(&random, 1, 2)), SAT_OK);
    for (int i = 0; i < 6; i++) {
      bool quarter = random_integer(&random, 0, 2) == 0;
      double angle = quarter ? (double)random_integer(&random, -4, 4) * 1.5707963267948966
                             : random_real(&random, -9, 9);
      if (i % 2) assert_int_equal(sat_shape_set_rotation(circle, angle), SAT_OK);
      else assert_int_equal(sat_shape_transform(circle, center.y, i, angle), SAT_OK);
      memcpy(derived, circle, bytes);
      sat_shape_derive(derived);
      CHECK_SEED(seed, memcmp(derived, circle, bytes) == 0);
    }
    free(circle);
    free(derived);
  }
}

int main(void) { return run_suite(NULL, NULL); }
