/* test_max_separation.c: scan and calipers find the same facet of maximum separation. */
#include "test/oracle.h"

#include "narrowphase/convex/convex_pair.h"

#include <stdlib.h>

static bool meets(const sat_Pair *pair) {
  sat_ConvexTest test;
  return sat_convex_test(pair, 0, false, NULL, &test);
}

static sat_Facet max_facet_by(const sat_Pair *pair, sat_Algorithm algorithm, bool *ties) {
  sat_SeparationQuery query = {pair->radius, 8 * pair->error_bound, algorithm};
  sat_Facet facet = {0, 0, 0, 0};
  assert_true(sat_max_separation(pair, query, &facet, ties));
  return facet;
}

/* For pairs that meet, all algorithms find the same separation within rounding and, unless another
 * facet ties, the same normal. The tie rule decides among ties. */
TEST(every_algorithm_finds_the_same_facet) {
  uint64_t compared = 0;
  for (Scene scene = {0}; scene_next(&scene, rounds(20000));) {
    sat_Pair pair = sat_convex_pair(scene.a, scene.b);
    bool facets = pair.of[0].count > 1 || pair.of[1].count > 1;
    if (facets && meets(&pair)) {
      bool ties[2];
      sat_Facet scan = max_facet_by(&pair, SAT_ALGORITHM_SCAN, &ties[0]),
                walk = max_facet_by(&pair, SAT_ALGORITHM_CALIPERS, &ties[1]);
      bool tie = ties[0] || ties[1];
      CHECK_SCENE(&scene, fabs(scan.separation - walk.separation) <= pair.error_bound);
      if (!tie) {
        sat_Vec2 normal = facet_normal(&pair, &scan);
        CHECK_SCENE(&scene, dot(normal, facet_normal(&pair, &walk)) > 1 - 1e-12);
        compared++;
      }
    }
  }
  assert_true(compared > rounds(20000) / 7);
}

/* A hexagon with edges of opposite directions, which calipers may pass in one step. If `is_cut`,
 * vertices cut its edges, and rounding moves each of them off its edge's line. */
static sat_Shape *make_hexagon(Random *random, double angle, bool is_cut) {
  static const sat_Vec2 sides[3] = {{5, 1}, {2, 4}, {-3, 5}};
  sat_Vec2 points[48], at = {0, 0};
  size_t pieces = is_cut ? 8 : 1, count = 0;
  for (size_t i = 0; i < 6 * pieces; i++) {
    points[count++] = at;
    sat_Vec2 side = mul(sides[i / pieces % 3], i / pieces < 3 ? 1 : -1);
    at = add(at, mul(side, 3.0 / (double)pieces));
  }
  sat_Vec2 pivot = {random_real(random, -9, 9), random_real(random, -9, 9)};
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 from = sub(points[i], pivot);
    points[i] =
        vec2(from.x * cos(angle) - from.y * sin(angle), from.x * sin(angle) + from.y * cos(angle));
  }
  assert_int_equal(sat_hull(points, &count, test_scratch(), NULL), SAT_OK);
  sat_Shape *shape = malloc(sat_shape_bytes(count));
  assert_int_equal(sat_shape_init(shape, points, count, 0), SAT_OK);
  return shape;
}

TEST(calipers_find_the_extreme_vertex_past_half_a_turn) {
  for (uint64_t seed = 1; seed <= rounds(3000); seed++) {
    Random random = {seed};
    double angle = random_real(&random, -4, 4);
    sat_Shape *hexagon = make_hexagon(&random, angle, false);
    sat_Shape *cut = make_hexagon(&random, angle, true);
    sat_Pair pair = sat_convex_pair(hexagon, cut);
    bool ties;
    double by_scan = max_facet_by(&pair, SAT_ALGORITHM_SCAN, &ties).separation;
    double by_calipers = max_facet_by(&pair, SAT_ALGORITHM_CALIPERS, &ties).separation;
    CHECK_SEED(seed, fabs(by_scan - by_calipers) <= 2 * pair.error_bound ||
                         (by_scan > 0 && by_calipers > 0));
    free(hexagon);
    free(cut);
  }
}

/* A polygon with its corners on a circle. A short edge, almost in line with the next one, comes
 * before some of its edges. */
static sat_Shape *make_with_short_edges(Random *random) {
  sat_Vec2 corners[9], points[18];
  size_t corner_count = (size_t)random_integer(random, 3, 8), count = 0;
  double radius = random_real(random, 0.1, 100), start = random_real(random, 0, 6);
  for (size_t i = 0; i <= corner_count; i++) {
    double angle = start + 6.283185307179586 * (double)(i % corner_count) / (double)corner_count;
    corners[i] = vec2(radius * cos(angle), radius * sin(angle));
  }
  for (size_t i = 0; i < corner_count; i++) {
    sat_Vec2 edge = sub(corners[i + 1], corners[i]);
    double share = pow(10, -random_real(random, 1, 13)),
           slope = pow(10, -random_real(random, 1, 9));
    sat_Vec2 start_of_edge = add(edge, mul(neg(perp(edge)), slope));
    points[count++] = corners[i];
    if (random_integer(random, 0, 1)) points[count++] = add(corners[i], mul(start_of_edge, share));
  }
  assert_int_equal(sat_hull(points, &count, test_scratch(), NULL), SAT_OK);
  return shape_make(points, count, 0);
}

TEST(every_algorithm_finds_the_same_depth_with_short_edges) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    Scene scene = {.seed = seed, .unit = 1};
    scene.a = make_with_short_edges(&random);
    scene.b = make_with_short_edges(&random);
    double angle = random_real(&random, 0, 6);
    assert_int_equal(sat_shape_move(scene.a, cos(angle), sin(angle)), SAT_OK);
    scene_read(&scene);
    scene_bring_to_touch(&scene);
    double depth = pow(10, -random_real(&random, 0, 12));
    assert_int_equal(sat_shape_move(scene.a, -depth * cos(angle), -depth * sin(angle)), SAT_OK);
    sat_Pair pair = sat_convex_pair(scene.a, scene.b);
    bool ties;
    double by_scan = max_facet_by(&pair, SAT_ALGORITHM_SCAN, &ties).separation,
           by_calipers = max_facet_by(&pair, SAT_ALGORITHM_CALIPERS, &ties).separation;
    CHECK_SCENE(&scene, fabs(by_scan - by_calipers) <= 2 * pair.error_bound ||
                            (by_scan > 0 && by_calipers > 0));
    scene_free(&scene);
  }
}

/* Two algorithms may find different facets that separate a pair, but never disagree whether a facet
 * separates it. */
TEST(every_algorithm_separates_the_same_pairs) {
  uint64_t separate = 0;
  for (Scene scene = {0}; scene_next(&scene, rounds(20000));) {
    sat_Pair pair = sat_convex_pair(scene.a, scene.b);
    if (pair.of[0].count > 1 || pair.of[1].count > 1) {
      bool ties;
      double threshold = pair.radius + 2 * pair.error_bound,
             separation = max_facet_by(&pair, SAT_ALGORITHM_CALIPERS, &ties).separation;
      if (pair.radius == 0 || separation > pair.radius + 4 * pair.error_bound ||
          separation < pair.radius - 4 * pair.error_bound) {
        bool yes = pair.radius == 0 ? separation > 0 : separation > threshold;
        double by_scan = max_facet_by(&pair, SAT_ALGORITHM_SCAN, &ties).separation;
        CHECK_SCENE(&scene, (pair.radius == 0 ? by_scan > 0 : by_scan > threshold) == yes);
        separate += yes;
      }
    }
  }
  assert_true(separate > rounds(20000) / 7);
}

/* A polygon two of whose neighbouring vertices are the same point, as rounding in a rotation leaves
 * them. */
static sat_Shape *polygon_with_equal_vertices(Random *random) {
  sat_Vec2 points[12];
  size_t count = random_whole_polygon(random, 6, 7, points);
  size_t twice = (size_t)random_integer(random, 0, (int64_t)count - 1);
  for (size_t i = count; i > twice; i--) points[i] = points[i - 1];
  return shape_make(points, count + 1, 0);
}

static double least_separation(const sat_Pair *pair, const sat_Facet *facet) {
  double least = HUGE_VAL;
  for (uint32_t i = 0; i < pair->of[!facet->side].count; i++)
    least = fmin(least, sat_facet_at(pair, facet->side, facet->edge, i).separation);
  return least;
}

static void check_walk(uint64_t seed, const sat_Shape *a, const sat_Shape *b) {
  sat_Pair pair = sat_convex_pair(a, b);
  sat_Walk walk = sat_walk_begin(&pair);
  sat_Facet facet;
  uint32_t facets = 0;
  for (; sat_walk_next(&walk, &facet); facets++)
    CHECK_SEED(seed, facet.separation <= least_separation(&pair, &facet) + pair.error_bound);
  CHECK_SEED(seed, facets == a->vertex_count + b->vertex_count);
}

TEST(a_walk_has_the_extreme_vertex_of_each_facet_even_past_edges_without_length) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    sat_Shape *a = polygon_with_equal_vertices(&random), *b = polygon_with_equal_vertices(&random);
    sat_shape_move(a, (double)random_integer(&random, -6, 6), 0);
    check_walk(seed, a, b);
    free(a);
    free(b);
  }
}

static sat_Vec2 random_corner(Random *random) {
  return vec2(random_real(random, -9, 9), random_real(random, -9, 9));
}

/* Makes a needle of up to `size` to either side of a place. Returns whether it has an area. */
static bool random_needle_at(Random *random, sat_Vec2 place, sat_Vec2 along, double size,
                             sat_Vec2 needle[3]) {
  sat_Vec2 side = mul(perp(along), ldexp(1, -(int)random_integer(random, 30, 50)));
  for (int i = 0; i < 3; i++) {
    double t = random_real(random, -size, size);
    if (i > 0) t = ldexp(t, -(int)random_integer(random, 0, 30));
    needle[i] = add(place, mul(add(along, side), t));
  }
  needle[2] = add(needle[2], mul(side, ldexp(size, -(int)random_integer(random, 0, 20))));
  return hull_of(needle, 3, 0) == 3;
}

/* Makes a triangle at a place, with an edge so short that both of its ends are on a needle's side
 * there but for rounding. Returns whether it has an area. */
static bool triangle_with_short_edge(Random *random, sat_Vec2 place, sat_Vec2 along,
                                     sat_Vec2 triangle[3]) {
  triangle[0] = place;
  triangle[1] = add(place, mul(along, ldexp(1, -(int)random_integer(random, 0, 45))));
  triangle[2] = random_corner(random);
  return hull_of(triangle, 3, 0) == 3;
}

/* Makes a needle, and such a triangle or a second needle along the first one. */
static bool needle_scene(Random *random, sat_Vec2 needle[3], sat_Vec2 other[3]) {
  double angle = random_integer(random, 0, 1) ? random_real(random, 0, 7) : 0;
  double size = ldexp(1, (int)random_integer(random, 0, 20));
  sat_Vec2 along = vec2(cos(angle), sin(angle)), place = random_corner(random);
  if (!random_needle_at(random, place, along, size, needle)) return false;
  return random_integer(random, 0, 1) ? random_needle_at(random, place, along, size, other)
                                      : triangle_with_short_edge(random, place, along, other);
}

TEST(a_walk_has_the_extreme_vertex_of_each_facet_of_needles) {
  uint64_t walks = 0;
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    sat_Vec2 points[2][3];
    if (!needle_scene(&random, points[seed & 1], points[~seed & 1])) continue;
    sat_Shape *a = shape_make(points[0], 3, 0), *b = shape_make(points[1], 3, 0);
    check_walk(seed, a, b);
    walks++;
    free(a);
    free(b);
  }
  assert_true(walks > rounds(20000) / 3);
}

/* ---------------------------------------------------------------- upright boxes */

/* A grid of numbers: whole ones, tenths, or any, and how far off the boxes are. */
typedef struct Grid {
  double step, offset;
} Grid;

static Grid random_grid(Random *random) {
  static const double steps[] = {1, 0.1, 0}, offsets[] = {0, 0, 1e6, 1e6 + 1.0 / 3, -0x1p44};
  return (Grid){steps[random_integer(random, 0, COUNT_OF(steps) - 1)],
                offsets[random_integer(random, 0, COUNT_OF(offsets) - 1)]};
}

static double number_on(const Grid *grid, Random *random, int64_t low, int64_t high) {
  if (grid->step == 0) return random_real(random, (double)low, (double)high);
  return grid->step * (double)random_integer(random, low, high);
}

static sat_Vec2 place_on(const Grid *grid, Random *random) {
  double x = number_on(grid, random, -6, 6), y = number_on(grid, random, -6, 6);
  return vec2(x + grid->offset, y - grid->offset);
}

/* A ring of these corners that begins anywhere, is moved, or is turned by quarter turns. */
static sat_Shape *upright_box(const Grid *grid, Random *random, sat_Vec2 low, double radius) {
  sat_Vec2 high = {low.x + number_on(grid, random, 1, 6), low.y + number_on(grid, random, 1, 6)};
  sat_Vec2 corners[4] = {low, {high.x, low.y}, high, {low.x, high.y}}, ring[4];
  int64_t first = random_integer(random, 0, 3);
  for (int i = 0; i < 4; i++) ring[i] = corners[(first + i) % 4];
  sat_Shape *box = shape_make(ring, 4, radius);
  double quarter = 1.5707963267948966 * (double)random_integer(random, 1, 3);
  if (random_integer(random, 0, 3) == 0) assert_int_equal(sat_shape_rotate(box, quarter), SAT_OK);
  if (random_integer(random, 0, 3) == 0)
    assert_int_equal(
        sat_shape_move(box, number_on(grid, random, -3, 3), number_on(grid, random, -3, 3)),
        SAT_OK);
  return box;
}

/* Puts the lower corner of a box beside another one, but for a hair in one of four cases. */
static sat_Vec2 place_beside(const sat_Shape *box, sat_Vec2 place, Random *random) {
  sat_Box bounds = sat_shape_bounds(box);
  double hair = ldexp(bounds.max.x, -52) * (double)random_integer(random, -2, 2);
  if (random_integer(random, 0, 3) > 0) hair = 0;
  if (random_integer(random, 0, 1)) place.x = bounds.max.x + hair;
  else place.y = bounds.max.y + hair;
  return place;
}

static bool same_facet(const sat_Facet *p, const sat_Facet *q) {
  return p->separation == q->separation && p->side == q->side && p->edge == q->edge;
}

/* The facet that the sides of two boxes tell is that of the search, which knows of no tie. */
TEST(the_sides_of_upright_boxes_tell_the_facet_of_the_search) {
  uint64_t found = 0, touches = 0;
  for (uint64_t seed = 1; seed <= rounds(200000); seed++) {
    Random random = {seed};
    Grid grid = random_grid(&random);
    sat_Shape *a = upright_box(&grid, &random, place_on(&grid, &random), 0);
    sat_Vec2 place = place_on(&grid, &random);
    if (seed % 3 == 0) place = place_beside(a, place, &random);
    sat_Shape *b = upright_box(&grid, &random, place, 0);
    sat_Pair pair = seed % 2 ? sat_convex_pair(a, b) : sat_convex_pair(b, a);
    double tie = random_integer(&random, 0, 1) ? 8 * pair.error_bound : 0;
    sat_Facet by_sides, by_search;
    if (sat_find_upright_facet(&pair, tie, &by_sides)) {
      bool ties;
      sat_SeparationQuery query = {0, tie, SAT_ALGORITHM_BY_SIZE};
      assert_true(sat_max_separation(&pair, query, &by_search, &ties));
      CHECK_SEED(seed, same_facet(&by_sides, &by_search) && !ties);
      CHECK_SEED(seed, by_sides.separation <= 0 && meets(&pair));
      found++;
      touches += by_sides.separation == 0;
    }
    free(a);
    free(b);
  }
  assert_true(found > rounds(200000) / 5);
  assert_true(touches > rounds(200000) / 50);
}

static bool same_feature(const sat_ClosestFeature *p, const sat_ClosestFeature *q) {
  if (p->distance != q->distance || !same_vector(p->normal, q->normal)) return false;
  if (p->corner != q->corner) return false;
  if (p->corner) return memcmp(p->vertex_of, q->vertex_of, sizeof p->vertex_of) == 0;
  return same_facet(&p->facet, &q->facet) && p->facet.vertex == q->facet.vertex && p->t == q->t;
}

/* A point or circle beside a box, or at one of its corners. */
TEST(the_sides_of_an_upright_box_tell_the_point_that_is_closest_to_a_vertex) {
  uint64_t found = 0, corners = 0;
  for (uint64_t seed = 1; seed <= rounds(200000); seed++) {
    Random random = {seed};
    Grid grid = random_grid(&random);
    double radius = (double)random_integer(&random, 0, 2);
    sat_Shape *box = upright_box(&grid, &random, place_on(&grid, &random), radius);
    sat_Vec2 place = place_on(&grid, &random);
    if (seed % 3 == 0) place = place_beside(box, place, &random);
    sat_Shape *point = shape_make(&place, 1, 1 + (double)random_integer(&random, 0, 4));
    sat_Pair pair = seed % 2 ? sat_convex_pair(box, point) : sat_convex_pair(point, box);
    sat_Facet by_sides, by_search;
    sat_ClosestFeature closest;
    if (sat_find_upright_closest(&pair, &by_sides, &closest)) {
      bool ties;
      sat_SeparationQuery query = {HUGE_VAL, 0, SAT_ALGORITHM_BY_SIZE};
      assert_true(sat_max_separation(&pair, query, &by_search, &ties));
      CHECK_SEED(seed, by_sides.separation == by_search.separation);
      CHECK_SEED(seed, ties || same_facet(&by_sides, &by_search));
      sat_ClosestFeature walked = sat_closest_feature_from(&pair, &by_search);
      CHECK_SEED(seed, same_feature(&closest, &walked));
      found++;
      corners += closest.corner;
    }
    free(box);
    free(point);
  }
  assert_true(found > rounds(200000) / 3);
  assert_true(corners > rounds(200000) / 10);
}

int main(void) { return run_suite(NULL, NULL); }
