/* test_boolean.c: unions, intersections, differences and exclusions, against windings around random
 * points, all pairs of edges, areas, and each other. */
#include "base/memory.h"
#include "polygon/polygon.h"
#include "test/scratch.h"
#include "test/random.h"

#include <string.h>

/* ---------------------------------------------------------------- rings */

enum { MOST_RINGS = 2000, MOST_POINTS = 20000 };

typedef struct RingSet {
  size_t count;
  uint32_t first[MOST_RINGS + 1], around[MOST_RINGS];
  sat_Vec2 points[MOST_POINTS];
} RingSet;

static sat_Region region_of(const RingSet *rings, bool even_odd) {
  return (sat_Region){rings->points, rings->first, rings->count, even_odd};
}

static size_t size_of_ring(const RingSet *rings, size_t k) {
  return rings->first[k + 1] - rings->first[k];
}

static sat_Vec2 point_of_ring(const RingSet *rings, size_t k, size_t i) {
  return rings->points[rings->first[k] + i % size_of_ring(rings, k)];
}

static double area_of_rings(const RingSet *rings) {
  double area = 0;
  for (size_t k = 0; k < rings->count; k++)
    area += sat_ring_area(rings->points + rings->first[k], size_of_ring(rings, k));
  return area;
}

static double length_of_rings(const RingSet *rings) {
  double sum = 0;
  for (size_t k = 0; k < rings->count; k++)
    sum += sat_ring_perimeter(rings->points + rings->first[k], size_of_ring(rings, k));
  return sum;
}

static int winding_of_rings(const RingSet *rings, sat_Vec2 p) {
  int winding = 0;
  for (size_t k = 0; k < rings->count; k++) {
    for (size_t i = 0; i < size_of_ring(rings, k); i++) {
      sat_Vec2 a = point_of_ring(rings, k, i), b = point_of_ring(rings, k, i + 1);
      if ((a.y > p.y) == (b.y > p.y)) continue;
      int side = sat_orientation(a, b, p);
      if (b.y > a.y ? side > 0 : side < 0) winding += side;
    }
  }
  return winding;
}

static bool is_near_rings(const RingSet *rings, sat_Vec2 p, double near) {
  for (size_t k = 0; k < rings->count; k++) {
    for (size_t i = 0; i < size_of_ring(rings, k); i++) {
      sat_Vec2 a = point_of_ring(rings, k, i), way = sub(point_of_ring(rings, k, i + 1), a);
      double t = dot(way, way) > 0 ? clamp(dot(sub(p, a), way) / dot(way, way), 0, 1) : 0;
      if (length(sub(p, add(a, mul(way, t)))) <= near) return true;
    }
  }
  return false;
}

static bool proper_crossing(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c, sat_Vec2 d) {
  return sat_orientation(a, b, c) * sat_orientation(a, b, d) < 0 &&
         sat_orientation(c, d, a) * sat_orientation(c, d, b) < 0;
}

static bool any_edges_cross(const RingSet *rings) {
  for (size_t k = 0; k < rings->count; k++)
    for (size_t i = 0; i < size_of_ring(rings, k); i++)
      for (size_t l = k; l < rings->count; l++)
        for (size_t j = 0; j < size_of_ring(rings, l); j++)
          if (proper_crossing(point_of_ring(rings, k, i), point_of_ring(rings, k, i + 1),
                              point_of_ring(rings, l, j), point_of_ring(rings, l, j + 1)))
            return true;
  return false;
}

static bool are_same_rings(const RingSet *a, const RingSet *b) {
  return a->count == b->count && !memcmp(a->first, b->first, (a->count + 1) * sizeof *a->first) &&
         !memcmp(a->around, b->around, a->count * sizeof *a->around) &&
         !memcmp(a->points, b->points, a->first[a->count] * sizeof *a->points);
}

static sat_Status combine(sat_BooleanOperation operation, const RingSet *a, const RingSet *b,
                          bool even_odd, RingSet *result) {
  sat_Region regions[2] = {region_of(a, even_odd), region_of(b, even_odd)};
  sat_Outline outline;
  sat_Status status = sat_boolean(operation, &regions[0], &regions[1], &scratch, &outline);
  if (status) return status;
  assert_true(outline.count <= MOST_RINGS && outline.first[outline.count] <= MOST_POINTS);
  result->count = outline.count;
  memcpy(result->first, outline.first, (outline.count + 1) * sizeof *outline.first);
  memcpy(result->around, outline.around, outline.count * sizeof *outline.around);
  memcpy(result->points, outline.points, outline.first[outline.count] * sizeof *outline.points);
  return SAT_OK;
}

static const RingSet nothing = {.count = 0};

/* ---------------------------------------------------------------- random rings */

typedef enum Family {
  ON_5_BY_5,
  ANYWHERE,
  STARS,
  BOXES,
  NEEDLES,
  FAR_AWAY,
  FINEST,
  COARSE,
  FAMILIES
} Family;

static sat_Vec2 random_point(Random *random, Family family, size_t i, size_t count) {
  double turn = 6.283185307179586 * (double)i / (double)count, t = random_real(random, 0, 1);
  double radius = random_real(random, 4, 10);
  switch (family) {
  case STARS: return vec2(radius * cos(turn), radius * sin(turn));
  case ANYWHERE: return vec2(random_real(random, -9, 9), random_real(random, -9, 9));
  case NEEDLES: return vec2(8 * t, 5 * t + (double)random_integer(random, -2, 2) * 1e-12);
  case FAR_AWAY: return vec2(1e9 + random_real(random, 0, 0.1), random_real(random, 0, 0.1));
  case FINEST:
    return vec2((double)(((int64_t)1 << 39) + random_integer(random, 0, 30)),
                (double)random_integer(random, 0, 30));
  case COARSE: /* many on one line but for rounding to a grid of whole numbers */
    if (i == 0) return vec2(0x1p39, random_real(random, 0, 1000));
    if (i % 4) return vec2(1000 * t, 400 * t);
    return vec2(random_real(random, 0, 1000), random_real(random, 0, 1000));
  default: return vec2((double)random_integer(random, 0, 4), (double)random_integer(random, 0, 4));
  }
}

static RingSet random_rings(Random *random, Family family) {
  static RingSet rings;
  rings.count = (size_t)random_integer(random, 0, 4);
  for (size_t k = 0; k < rings.count; k++) {
    size_t count =
        (size_t)random_integer(random, family == BOXES ? 4 : 1, family == BOXES ? 4 : 10);
    sat_Vec2 *ring = rings.points + rings.first[k];
    sat_Vec2 by = vec2(random_real(random, 0, 5), random_real(random, 0, 5));
    for (size_t i = 0; i < count; i++) ring[i] = random_point(random, family, i, count);
    for (size_t i = 0; i < count && family == STARS; i++) ring[i] = add(ring[i], by);
    if (family == BOXES) {
      ring[2] = add(ring[0], vec2((double)random_integer(random, 1, 3), 2));
      ring[1] = vec2(ring[2].x, ring[0].y);
      ring[3] = vec2(ring[0].x, ring[2].y);
    }
    rings.first[k + 1] = rings.first[k] + (uint32_t)count;
  }
  return rings;
}

/* The same rings in another order, each beginning elsewhere. */
static RingSet shuffled(const RingSet *rings) {
  static RingSet other;
  other.count = rings->count;
  for (size_t k = 0; k < rings->count; k++) {
    size_t of = rings->count - 1 - k, count = size_of_ring(rings, of);
    for (size_t i = 0; i < count; i++)
      other.points[other.first[k] + i] = point_of_ring(rings, of, i + 1);
    other.first[k + 1] = other.first[k] + (uint32_t)count;
  }
  return other;
}

static bool expected_inside(sat_BooleanOperation operation, bool a, bool b) {
  switch (operation) {
  case SAT_UNION: return a || b;
  case SAT_INTERSECTION: return a && b;
  case SAT_DIFFERENCE: return a && !b;
  default: return a != b;
  }
}

static double grid_of(const RingSet *a, const RingSet *b) {
  double largest = 0;
  for (size_t i = 0; i < a->first[a->count]; i++)
    largest = max2(largest, max2(fabs(a->points[i].x), fabs(a->points[i].y)));
  for (size_t i = 0; i < b->first[b->count]; i++)
    largest = max2(largest, max2(fabs(b->points[i].x), fabs(b->points[i].y)));
  return ldexp(1, ilogb(max2(largest, 1e-9)) + 1 - 40);
}

static void check_windings(const RingSet *a, const RingSet *b, sat_BooleanOperation operation,
                           bool even_odd, const RingSet *result, Random *random, uint64_t seed) {
  double grid = grid_of(a, b);
  for (size_t i = 0; i < result->first[result->count]; i++)
    CHECK_SEED(seed, is_near_rings(a, result->points[i], 4 * grid) ||
                         is_near_rings(b, result->points[i], 4 * grid));
  for (int i = 0; i < 12; i++) {
    const RingSet *near = a->first[a->count] ? a : b;
    if (near->first[near->count] == 0) return;
    size_t last = near->first[near->count] - 1;
    double wide = i % 2 ? 50 * grid : 3;
    sat_Vec2 p = near->points[random_integer(random, 0, (int64_t)last)];
    p = add(p, vec2(random_real(random, -wide, wide), random_real(random, -wide, wide)));
    if (is_near_rings(a, p, 4 * grid) || is_near_rings(b, p, 4 * grid)) continue;
    int of_a = winding_of_rings(a, p), of_b = winding_of_rings(b, p);
    bool in = expected_inside(operation, even_odd ? of_a % 2 : of_a, even_odd ? of_b % 2 : of_b);
    CHECK_SEED(seed, winding_of_rings(result, p) == in);
  }
}

/* Every ring is cleaned as it is, outer ones have positive area, and a polygon of a ring with its
 * holes becomes one ring of the same area. */
static void check_polygons(const RingSet *result, uint64_t seed) {
  static sat_Vec2 given[MOST_POINTS], merged[MOST_POINTS + 2 * MOST_RINGS];
  static uint32_t first[MOST_RINGS + 1];
  for (size_t k = 0; k < result->count; k++) {
    size_t count = size_of_ring(result, k), cleaned = count, rings = 0;
    const sat_Vec2 *ring = result->points + result->first[k];
    memcpy(given, ring, count * sizeof *given);
    CHECK_SEED(seed, sat_ring_clean(given, &cleaned, &scratch, NULL) == SAT_OK);
    CHECK_SEED(seed, cleaned == count);
    bool is_outer = result->around[k] == k;
    CHECK_SEED(seed, is_outer == equal_points(given[1], ring[1])); /* cleaning turns holes round */
    if (!is_outer) continue;
    double area = 0;
    for (size_t l = k; l < result->count; l++) {
      if (result->around[l] != k) continue;
      count = size_of_ring(result, l);
      memcpy(given + first[rings], result->points + result->first[l], count * sizeof *given);
      area += sat_ring_area(given + first[rings], count);
      first[rings + 1] = first[rings] + (uint32_t)count;
      rings++;
    }
    CHECK_SEED(seed, sat_ring_join(given, first, rings, merged, &count, &scratch, NULL) == SAT_OK);
    double scale = fabs(given[0].x) + fabs(given[0].y) + 1;
    CHECK_SEED(seed, fabs(sat_ring_area(merged, count) - area) <= 1e-12 * scale * scale);
  }
}

TEST(random_rings_are_combined_as_the_windings_around_points_tell) {
  static RingSet a, b, result, again, other;
  for (uint64_t seed = 1; seed <= rounds(4000); seed++) {
    Random random = {seed};
    Family family = (Family)(seed % FAMILIES);
    bool even_odd = random_integer(&random, 0, 1);
    a = random_rings(&random, family);
    b = random_rings(&random, family);
    double areas[4], bound = grid_of(&a, &b) * (length_of_rings(&a) + length_of_rings(&b));
    for (int i = SAT_UNION; i <= SAT_EXCLUSION; i++) {
      sat_BooleanOperation operation = (sat_BooleanOperation)i;
      CHECK_SEED(seed, combine(operation, &a, &b, even_odd, &result) == SAT_OK);
      areas[i] = area_of_rings(&result);
      CHECK_SEED(seed, !any_edges_cross(&result));
      check_polygons(&result, seed);
      check_windings(&a, &b, operation, even_odd, &result, &random, seed);
      CHECK_SEED(seed, combine(SAT_UNION, &result, &nothing, seed / 7 % 2, &again) == SAT_OK);
      CHECK_SEED(seed, are_same_rings(&again, &result));
      other = shuffled(&a);
      CHECK_SEED(seed, combine(operation, &other, &b, even_odd, &again) == SAT_OK);
      CHECK_SEED(seed, are_same_rings(&again, &result));
      if (operation == SAT_DIFFERENCE) continue;
      CHECK_SEED(seed, combine(operation, &b, &a, even_odd, &again) == SAT_OK);
      CHECK_SEED(seed, are_same_rings(&again, &result));
    }
    CHECK_SEED(seed, combine(SAT_UNION, &a, &nothing, even_odd, &again) == SAT_OK);
    double of_a = area_of_rings(&again);
    CHECK_SEED(seed, combine(SAT_UNION, &nothing, &b, even_odd, &again) == SAT_OK);
    double of_b = area_of_rings(&again);
    CHECK_SEED(seed, fabs(areas[0] + areas[1] - of_a - of_b) <= 8 * bound);
    CHECK_SEED(seed, fabs(areas[2] + areas[1] - of_a) <= 8 * bound);
    CHECK_SEED(seed, fabs(areas[3] + areas[1] - areas[0]) <= 8 * bound);
  }
}

/* ---------------------------------------------------------------- promises one by one */

static RingSet one_ring(const sat_Vec2 *points, size_t count) {
  static RingSet rings;
  rings.count = 1;
  rings.first[1] = (uint32_t)count;
  memcpy(rings.points, points, count * sizeof *points);
  return rings;
}

TEST(coordinates_of_40_bits_stay_bit_for_bit) {
  static RingSet ring, result;
  double unit = ldexp(1, -30), large = ldexp(1, 40) - 1;
  const sat_Vec2 points[] = {
      {-large * unit, 0}, {3 * unit, -unit}, {large * unit, 5 * unit}, {0, large * unit}};
  ring = one_ring(points, 4);
  assert_int_equal(combine(SAT_UNION, &ring, &nothing, false, &result), SAT_OK);
  assert_int_equal(result.count, 1);
  assert_memory_equal(result.points, points, sizeof points);
}

/* The largest coordinate is rounded up to a power of two, which has a coarser grid. */
TEST(a_result_whose_largest_coordinate_grows_to_a_power_of_two_stays) {
  static RingSet ring, result, again;
  const sat_Vec2 points[] = {
      {0, 0}, {1 - ldexp(1, -50), ldexp(1, -40)}, {0.3, 0.7}, {ldexp(5, -40), ldexp(3, -40)}};
  ring = one_ring(points, 4);
  assert_int_equal(combine(SAT_UNION, &ring, &nothing, false, &result), SAT_OK);
  assert_int_equal(combine(SAT_UNION, &result, &nothing, false, &again), SAT_OK);
  assert_true(are_same_rings(&result, &again));
}

/* The line that ends on the upper side of the pixel where the triangle crosses it would be led back
 * into that pixel. */
TEST(an_edge_that_begins_on_the_side_of_a_pixel_does_not_pass_it) {
  static RingSet triangle, line, result;
  const sat_Vec2 corners[] = {{-5, 4e7}, {1e15, 0}, {0, 0}}, ends[] = {{0, 1e15}, {0, 4e7}, {0, 0}};
  triangle = one_ring(corners, 3);
  line = one_ring(ends, 3);
  assert_int_equal(combine(SAT_UNION, &triangle, &line, false, &result), SAT_OK);
  assert_int_equal(result.count, 1);
  check_polygons(&result, 0);
}

TEST(slivers_and_lines_vanish) {
  static RingSet ring, result;
  const sat_Vec2 sliver[] = {{0, 0}, {1000, 1000}, {500, 500 + 1e-13}};
  ring = one_ring(sliver, 3);
  assert_int_equal(combine(SAT_UNION, &ring, &nothing, false, &result), SAT_OK);
  assert_int_equal(result.count, 0);
  const sat_Vec2 spike[] = {{0, 0}, {4, 0}, {4, 4}, {9, 9}, {4, 4}, {0, 4}};
  ring = one_ring(spike, 6);
  assert_int_equal(combine(SAT_UNION, &ring, &nothing, false, &result), SAT_OK);
  assert_int_equal(result.first[1], 4);
  assert_true(area_of_rings(&result) == 16);
}

/* A vertex on an edge is on it after rounding, too: nothing remains of the seam. */
TEST(pieces_that_share_a_seam_with_a_vertex_in_it_become_one) {
  static RingSet rings, result;
  for (uint64_t seed = 1; seed <= rounds(2000); seed++) {
    Random random = {seed};
    sat_Vec2 a = vec2(random_real(&random, -9, 9), random_real(&random, -9, 9));
    sat_Vec2 b = vec2(random_real(&random, -9, 9), random_real(&random, -9, 9));
    sat_Vec2 middle = lerp(a, b, random_real(&random, 0.1, 0.9)), out = perp(sub(b, a));
    const sat_Vec2 points[] = {a,      b, sub(a, out),     b, middle, add(middle, out),
                               middle, a, add(middle, out)};
    memcpy(rings.points, points, sizeof points);
    rings.count = 3;
    for (uint32_t k = 1; k <= 3; k++) rings.first[k] = 3 * k;
    CHECK_SEED(seed, combine(SAT_UNION, &rings, &nothing, false, &result) == SAT_OK);
    CHECK_SEED(seed, result.count == 1);
  }
}

TEST(numbers_out_of_range_are_errors) {
  static RingSet ring, result;
  const double bad[] = {INFINITY, -INFINITY, NAN, 1e16};
  for (size_t i = 0; i < COUNT_OF(bad); i++) {
    const sat_Vec2 points[] = {{0, 0}, {1, bad[i]}, {1, 1}};
    ring = one_ring(points, 3);
    assert_int_equal(combine(SAT_UNION, &ring, &nothing, false, &result), SAT_ERANGE);
    assert_int_equal(combine(SAT_UNION, &nothing, &ring, false, &result), SAT_ERANGE);
  }
}

/* It would have a thousand million crossings, and ends with little time and memory. */
TEST(a_ring_of_100000_random_points_is_refused_early) {
  enum { COUNT = 100000 };
  sat_Vec2 *points = malloc(COUNT * sizeof *points);
  assert_non_null(points);
  Random random = {7};
  for (size_t i = 0; i < COUNT; i++)
    points[i] = vec2(random_real(&random, 0, 1), random_real(&random, 0, 1));
  const uint32_t first[] = {0, COUNT};
  sat_Region ring = {points, first, 1, false}, none = {NULL, NULL, 0, false};
  sat_Outline outline;
  memory.most = memory.bytes;
  assert_int_equal(sat_boolean(SAT_UNION, &ring, &none, &scratch, &outline), SAT_EMANY);
  assert_true(memory.most < (size_t)200 << 20);
  free(points);
}

TEST(edges_through_one_point_count_once) {
  enum { LINES = 1500 };
  static sat_Vec2 points[2 * LINES];
  for (size_t i = 0; i < LINES; i++) {
    sat_Vec2 far = vec2(1 << 20, 512 * ((double)i - 0.5 * LINES) + 7);
    points[2 * i] = i % 2 ? far : neg(far);
    points[2 * i + 1] = neg(points[2 * i]);
  }
  const uint32_t first[] = {0, 2 * LINES};
  sat_Region ring = {points, first, 1, true}, none = {NULL, NULL, 0, false};
  sat_Outline outline;
  assert_int_equal(sat_boolean(SAT_UNION, &ring, &none, &scratch, &outline), SAT_OK);
  assert_true(outline.count > 10);
}

TEST(every_failed_allocation_of_a_boolean_leaves_all_as_it_was) {
  const sat_Vec2 points[] = {{0, 0}, {9, 9}, {9, 0}, {0, 9}, {4, -2}, {5, 12}};
  const uint32_t first[] = {0, 4, 6};
  sat_Region ring = {points, first, 2, false};
  sat_Outline outline = {77, NULL, NULL, NULL};
  sat_Status status = SAT_ENOMEM;
  int failures = 0;
  for (; status == SAT_ENOMEM; failures++) {
    sat_scratch_free(&scratch);
    memory.until_fails = failures;
    status = sat_boolean(SAT_EXCLUSION, &ring, &ring, &scratch, &outline);
    if (status == SAT_OK) status = sat_boolean(SAT_UNION, &ring, &ring, &scratch, &outline);
    memory.until_fails = -1;
    if (status) assert_true(outline.count == 77 || outline.count == 0);
    assert_int_equal(memory.bytes, scratch.bytes);
  }
  assert_int_equal(status, SAT_OK);
  assert_true(failures > 12);
}

int main(void) { return run_suite(make_scratch, free_scratch); }
