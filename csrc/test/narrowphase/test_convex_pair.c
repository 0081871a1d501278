/* test_convex_pair.c: overlap, minimum translation vector, contacts, distance and containment
 * of two convex shapes, against the oracle. */
#include "narrowphase/convex/convex_pair.h"
#include "test/oracle.h"

#include <stdlib.h>
#include <string.h>

static const Point nowhere = {0, 0};

/* The error bound that needles add: the rounding of a separation hides which of their vertices is
 * the nearest. 0 in other scenes. */
static Real needle_hair(const Scene *scene) {
  return scene->needles ? sat_convex_pair(scene->a, scene->b).error_bound : 0;
}

/* The error bound of a depth. Of two vectors whose lengths differ by no more than eight roundings
 * of the largest coordinate, the tie rule may take the longer one. */
static Real depth_hair(const Scene *scene, Real depth) {
  return 1e-9L * depth + scene_hair(scene) + 8 * (Real)DBL_EPSILON * scene_reach(scene) +
         needle_hair(scene);
}

static bool same_result(const sat_Result *a, const sat_Result *b) {
  return same_vector(a->vector, b->vector) && same_vector(a->normal, b->normal) &&
         a->depth == b->depth && a->side == b->side && a->edge == b->edge && a->corner == b->corner;
}

static bool collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  return sat_collide(a, b, test_scratch(), result) == SAT_OK;
}

static void assert_way(sat_Result result, double x, double y, double depth) {
  assert_true(result.vector.x == x && result.vector.y == y && result.depth == depth);
}

static sat_Status collide_and_free(sat_Shape *a, sat_Shape *b, sat_Result *result) {
  sat_Status status = sat_collide(a, b, test_scratch(), result);
  free(a);
  free(b);
  return status;
}

/* ---------------------------------------------------------------- yes or no */

static sat_Status status_of(bool meet) { return meet ? SAT_OK : SAT_MISS; }

/* Whether the two meet. Checks that the order of the arguments does not matter. */
static bool scene_meets(const Scene *scene) {
  bool meet = questions_agree(scene->a, scene->b, scene->seed);
  CHECK_SCENE(scene, questions_agree(scene->b, scene->a, scene->seed) == meet);
  return meet;
}

/* Within rounding of a touch only the exact oracle knows the answer, and it knows no radius. */
static void check_convex_test(const Scene *scene) {
  bool meet = scene_meets(scene);
  Real separation = scene_gap(scene);
  if (fabsl(separation) > scene_hair(scene)) CHECK_SCENE(scene, meet == (separation < 0));
  if (!scene_is_exact(scene)) return;
  int sign = exact_sign(scene->a, scene->b, scene->unit);
  CHECK_SCENE(scene, meet == (sign <= 0));
  sat_Result way = {.depth = 0};
  if (sign == 0) CHECK_SCENE(scene, collide(scene->a, scene->b, &way) && way.depth == 0);
}

TEST(every_question_says_yes_where_the_definition_does) {
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    check_convex_test(&scene);
  }
}

TEST(every_question_says_the_same_within_rounding_of_a_touch) {
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    scene_bring_to_touch(&scene);
    check_convex_test(&scene);
    sat_Vec2 step = vec2((double)scene_hair(&scene) / 4, 0);
    sat_shape_move(scene.a, scene.seed % 2 ? step.x : step.y, scene.seed % 2 ? step.y : step.x);
    scene_read(&scene);
    check_convex_test(&scene);
  }
}

/* ---------------------------------------------------------------- nearly straight corners */

/* The top edges of two tiles, whose slope is one in three, meet at a vertex that is straight but
 * for rounding. */
TEST(a_circle_on_a_nearly_straight_corner_is_as_deep_as_on_an_edge) {
  static const sat_Vec2 points[] = {
      {0, 100}, {0, 700}, {-32, 700}, {-32, 110.66666666666667}, {-16, 105.33333333333333}};
  sat_Vec2 ring[5];
  size_t count = 5;
  memcpy(ring, points, sizeof ring);
  assert_int_equal(sat_ring_clean(ring, &count, test_scratch(), NULL), SAT_OK);
  assert_int_equal(count, 5);
  sat_Shape *slope = shape_make(ring, 5, 0);
  sat_Vec2 out = {-1 / sqrt(10), -3 / sqrt(10)};
  for (int i = -60; i <= 60; i++) {
    for (int tenths = 1; tenths < 20; tenths++) {
      double depth = tenths / 10.0, origin_offset = 6 - depth;
      sat_Vec2 foot = {-16 + i * 0.1, 105.33333333333333 - i * 0.1 / 3};
      sat_Shape *circle =
          shape_circle(foot.x + out.x * origin_offset, foot.y + out.y * origin_offset, 6);
      sat_Result way;
      assert_true(questions_agree(circle, slope, 1) && questions_agree(slope, circle, 1));
      assert_true(collide(circle, slope, &way));
      assert_true(fabs(way.depth - depth) < 1e-12 && length(sub(way.normal, out)) < 1e-12);
      free(circle);
    }
  }
  free(slope);
}

/* The rotation rounds every vertex. */
TEST(a_rotated_shape_contains_its_own_vertices) {
  for (uint64_t seed = 1; seed <= rounds(6000); seed++) {
    Random random = {seed};
    sat_Vec2 points[16];
    size_t count = random_hard_polygon(&random, points);
    sat_Shape *shape = shape_make(points, count, 0);
    assert_int_equal(sat_shape_rotate(shape, random_real(&random, -4, 4)), SAT_OK);
    assert_int_equal(sat_shape_move_to(shape, 0, 0), SAT_OK);
    CHECK_SEED(seed, sat_contains(shape, shape, test_scratch()) == SAT_OK);
    for (size_t i = 0; i < count; i++) {
      sat_Vec2 vertex = sat_shape_vertex(shape, i);
      sat_Shape *point = shape_make(&vertex, 1, 0);
      CHECK_SEED(seed, questions_agree(point, shape, seed) && questions_agree(shape, point, seed));
      free(point);
    }
    free(shape);
  }
}

/* ---------------------------------------------------------------- exact touches */

static void check_touch(const Scene *scene) {
  sat_Result result;
  sat_Distance distance;
  CHECK_SCENE(scene, exact_sign(scene->a, scene->b, scene->unit) == 0);
  CHECK_SCENE(scene, scene_meets(scene));
  CHECK_SCENE(scene, collide(scene->a, scene->b, &result));
  CHECK_SCENE(scene, result.depth == 0 && result.vector.x == 0 && result.vector.y == 0);
  CHECK_SCENE(scene, fabsl(point_length(point_of(result.normal)) - 1) < 1e-15L);
  sat_distance(scene->a, scene->b, test_scratch(), &distance);
  CHECK_SCENE(scene, distance.distance == 0 && same_vector(distance.on_a, distance.on_b));
  sat_Manifold manifold;
  sat_contacts(scene->a, scene->b, test_scratch(), &manifold);
  /* Between edges that are all but parallel a contact may slip along them. */
  for (uint32_t i = 0; i < manifold.count; i++) {
    Point error = point_sub(point_of(manifold.points[i]), point_of(distance.on_a));
    CHECK_SCENE(scene, point_length(error) <= 1e-12L);
  }
}

TEST(a_vertex_on_a_slanted_edge_touches_it_and_one_bit_decides) {
  for (uint64_t seed = 1; seed <= rounds(10000); seed++) {
    Scene scene;
    scene_make_slanted_touch(&scene, seed);
    check_touch(&scene);
    /* A move along x in at least one direction separates the two. */
    for (int way = -1; way <= 1; way += 2) {
      sat_Shape *at_touch = shape_copy(scene.a);
      assert_int_equal(sat_shape_move(scene.a, way * scene.unit, 0), SAT_OK);
      scene_read(&scene);
      check_convex_test(&scene);
      free(scene.a);
      scene.a = at_touch;
    }
    scene_free(&scene);
  }
}

TEST(a_shape_made_a_bit_off_a_slanted_edge_is_decided_exactly) {
  uint64_t parted = 0;
  for (uint64_t seed = 1; seed <= rounds(3000); seed++) {
    Scene scene;
    scene_make_slanted_touch(&scene, seed);
    Random random = {seed};
    sat_Vec2 points[16], way = {0, 0};
    while (way.x == 0 && way.y == 0) {
      way.x = (double)random_integer(&random, -1, 1) * scene.unit;
      way.y = (double)random_integer(&random, -1, 1) * scene.unit;
    }
    for (size_t i = 0; i < scene.a->vertex_count; i++) {
      points[i] = add(sat_shape_vertex(scene.a, i), way);
    }
    size_t count = scene.a->vertex_count;
    free(scene.a);
    scene.a = shape_make(points, count, 0);
    scene_read(&scene);
    check_convex_test(&scene);
    parted += exact_sign(scene.a, scene.b, scene.unit) > 0;
    scene_free(&scene);
  }
  assert_true(parted > rounds(3000) / 4);
}

TEST(circles_on_whole_numbers_touch_where_they_should) {
  static const double triples[][3] = {
      {3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {7, 24, 25}, {20, 21, 29}};
  for (size_t i = 0; i < sizeof triples / sizeof *triples; i++) {
    const double *t = triples[i];
    for (int whole = 1; whole < t[2]; whole++) {
      double radius = whole;
      sat_Result result;
      sat_Shape *b = shape_circle(t[0] + 100, 100 - t[1], t[2] - radius);
      assert_int_equal(collide_and_free(shape_circle(100, 100, radius), b, &result), SAT_OK);
      assert_way(result, 0, 0, 0);
      assert_true(result.normal.x == -t[0] / t[2] && result.normal.y == t[1] / t[2]);
      b = shape_circle(t[0], t[1], nextafter(t[2] - radius, 0));
      assert_int_equal(collide_and_free(shape_circle(0, 0, radius), b, &result),
                       radius + nextafter(t[2] - radius, 0) < t[2] ? SAT_MISS : SAT_OK);
    }
  }
}

TEST(tiles_of_any_size_touch_their_neighbours_and_no_others) {
  static const double sizes[] = {16, 17.3, 0.1, 33.333, 1e-9 / 3};
  for (size_t k = 0; k < 5; k++) {
    sat_Shape *tiles[60];
    for (int i = 0; i < 60; i++) {
      double s = sizes[k], low = i * s, high = (i + 1) * s;
      sat_Vec2 corners[4] = {{low, -s}, {high, -s}, {high, s}, {low, s}};
      tiles[i] = shape_make(corners, 4, 0);
    }
    for (int i = 0; i < 60; i++) {
      for (int j = 0; j < 60; j++) {
        sat_Result result;
        bool meet = collide(tiles[i], tiles[j], &result);
        assert_int_equal(meet, abs(i - j) < 2);
        if (abs(i - j) == 1) assert_way(result, 0, 0, 0);
        if (abs(i - j) == 1) assert_true(result.normal.x == i - j && result.normal.y == 0);
      }
    }
    for (int i = 0; i < 60; i++) free(tiles[i]);
  }
}

/* ---------------------------------------------------------------- the way out */

static void check_way(const Scene *scene, const sat_Result *way) {
  Point normal = point_of(way->normal), vector = point_of(way->vector);
  Point error = point_sub(vector, point_mul(normal, way->depth));
  CHECK_SCENE(scene, fabsl(way->depth + scene_gap(scene)) <= depth_hair(scene, way->depth));
  CHECK_SCENE(scene, fabsl(point_length(normal) - 1) < 1e-15L);
  CHECK_SCENE(scene, point_length(error) <= 1e-15L * way->depth);
  Real along = solid_gap_along(&scene->solid_a, nowhere, &scene->solid_b, normal);
  CHECK_SCENE(scene, fabsl(way->depth + along) <= depth_hair(scene, way->depth));
}

/* Checks that A, once moved, is neither inside B nor clear of it. */
static void check_way_leads_out(const Scene *scene, const sat_Result *way) {
  sat_Shape *moved = shape_copy(scene->a);
  sat_Result left;
  assert_int_equal(sat_shape_move(moved, way->vector.x, way->vector.y), SAT_OK);
  if (collide(moved, scene->b, &left)) CHECK_SCENE(scene, left.depth <= 1e-9L * scene_reach(scene));
  Real separation = solid_gap(&scene->solid_a, point_of(way->vector), &scene->solid_b);
  CHECK_SCENE(scene, fabsl(separation) <= depth_hair(scene, way->depth));
  free(moved);
}

TEST(the_way_out_has_the_depth_of_the_definition_and_leads_out) {
  uint64_t found = 0;
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    sat_Result way;
    if (collide(scene.a, scene.b, &way)) {
      check_way(&scene, &way);
      check_way_leads_out(&scene, &way);
      found++;
    }
  }
  assert_true(found > rounds(6000) / 4);
}

TEST(no_direction_leads_out_sooner) {
  for (Scene scene = {0}; scene_next(&scene, rounds(500));) {
    sat_Result way;
    bool meet = collide(scene.a, scene.b, &way);
    int samples = scene.large ? 8 : 256;
    for (int i = 0; meet && i < samples; i++) {
      Real angle = 6.283185307179586L * i / samples;
      Real step = way.depth - 2 * depth_hair(&scene, way.depth);
      Point shift = point_mul(point_at(cosl(angle), sinl(angle)), step);
      if (step <= 0) break;
      CHECK_SCENE(&scene, solid_gap(&scene.solid_a, shift, &scene.solid_b) <= 0);
    }
  }
}

/* The larger side of the box of a solid's vertices. */
static Real own_reach(const Solid *solid) {
  Point low = solid->vertices[0], high = low;
  for (size_t i = 1; i < solid->count; i++) {
    Point v = solid->vertices[i];
    low = point_at(fminl(low.x, v.x), fminl(low.y, v.y));
    high = point_at(fmaxl(high.x, v.x), fmaxl(high.y, v.y));
  }
  return fmaxl(high.x - low.x, high.y - low.y);
}

/* Checks that `side`, `edge` and `corner` name the features that decide: the edge is perpendicular
 * to the normal, and its first vertex is as deep as the result. */
static void check_features(const Scene *scene, const sat_Result *way) {
  bool of_a = way->corner || way->side == SAT_A;
  const Solid *own = of_a ? &scene->solid_a : &scene->solid_b;
  const Solid *other = of_a ? &scene->solid_b : &scene->solid_a;
  Point out = point_mul(point_of(way->normal), of_a ? -1 : 1);
  CHECK_SCENE(scene, way->edge < own->count && (own->count > 1 || way->corner));
  if (way->edge >= own->count) return;
  Point from = own->vertices[way->edge];
  Point edge = point_sub(own->vertices[way->edge + 1 < own->count ? way->edge + 1 : 0], from);
  if (!way->corner) {
    Real rounding = 2 * scene_reach(scene) * real_epsilon() + 2 * ulp_of(own_reach(own));
    CHECK_SCENE(scene, fabsl(point_dot(edge, out)) <= 1e-10L * point_length(edge) + rounding);
  }
  Solid lone = {1, own->radius, {from}};
  Real depth = -solid_gap_along(other, nowhere, &lone, out);
  CHECK_SCENE(scene, fabsl(depth - way->depth) <= depth_hair(scene, way->depth));
}

TEST(the_way_out_names_the_features_that_decide) {
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    sat_Result way;
    if (collide(scene.a, scene.b, &way)) check_features(&scene, &way);
  }
}

/* A regular polygon. Half of them are rotated; the others often have edges along the axes and along
 * edges of the other shape. */
static sat_Shape *random_regular(Random *random, size_t count) {
  double x = (double)random_integer(random, -3, 3), y = random_real(random, -3, 3);
  sat_Shape *shape = shape_regular(x, y, (double)random_integer(random, 1, 4), count);
  if (random_integer(random, 0, 1)) sat_shape_rotate(shape, random_real(random, -4, 4));
  return shape;
}

/* Checks A where it is, where it touches B, and after small and large steps out and in from
 * there. */
static void check_near_touching(Scene *scene) {
  static const double steps[] = {0, -1e-6, 2e-6, 0.3, -1};
  sat_Result way;
  check_convex_test(scene);
  scene_bring_to_touch(scene);
  sat_Vec2 out = sub(sat_shape_center(scene->a), sat_shape_center(scene->b));
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    sat_shape_move(scene->a, out.x * steps[i], out.y * steps[i]);
    scene_read(scene);
    check_convex_test(scene);
    if (!collide(scene->a, scene->b, &way)) continue;
    check_way(scene, &way);
    check_features(scene, &way);
  }
}

TEST(polygons_of_3_to_14_vertices_meet_where_the_definition_says) {
  for (uint64_t seed = 1; seed <= rounds(3000); seed++) {
    Random random = {seed};
    Scene scene = {.seed = seed, .unit = 1};
    size_t of_a = 3 + seed % 12, of_b = 3 + seed / 12 % 12;
    scene.a = random_regular(&random, of_a);
    scene.b = seed % 7 ? random_regular(&random, of_b) : shape_circle(1, 1, (double)of_b / 4);
    scene_read(&scene);
    check_near_touching(&scene);
    scene_free(&scene);
  }
}

/* ---------------------------------------------------------------- the tie rule */

static void check_example(sat_Shape *a, sat_Shape *b, double x, double y, double depth) {
  sat_Result way;
  assert_int_equal(collide_and_free(a, b, &way), SAT_OK);
  assert_true(fabs(way.vector.x - x) <= 1e-15 * depth && fabs(way.vector.y - y) <= 1e-15 * depth);
  assert_true(fabs(way.depth - depth) <= 1e-15 * depth);
}

TEST(squares_on_the_diagonal_part_upright) {
  check_example(shape_box(0, 0, 2, 2), shape_box(1, 1, 2, 2), 0, -1, 1);
  check_example(shape_box(1, 1, 2, 2), shape_box(0, 0, 2, 2), 0, 1, 1);
  check_example(shape_box(1, 0, 2, 2), shape_box(0, 1, 2, 2), 0, -1, 1);
  check_example(shape_box(0, 1, 2, 2), shape_box(1, 0, 2, 2), 0, 1, 1);
  check_example(shape_box(1e7, 1e7, 2, 2), shape_box(1e7 + 1, 1e7 + 1, 2, 2), 0, -1, 1);
}

TEST(boxes_off_the_diagonal_part_away_from_the_other_centroid) {
  check_example(shape_box(0, 0, 4, 2), shape_box(2, 0, 4, 2), -2, 0, 2);
  check_example(shape_box(0, 0, 2, 2), shape_box(0, 1, 2, 2), 0, -1, 1);
  check_example(shape_box(0, 0, 8, 2), shape_box(1, 0, 8, 2), 0, -2, 2);
}

TEST(concentric_shapes_part_upwards) {
  check_example(shape_box(0, 0, 2, 2), shape_box(0, 0, 2, 2), 0, -2, 2);
  check_example(shape_box(0, 0, 8, 2), shape_box(0, 0, 8, 2), 0, -2, 2);
  check_example(shape_box(0, 0, 2, 8), shape_box(0, 0, 2, 8), 2, 0, 2);
  check_example(shape_box(-1, -1, 2, 2), shape_box(-3, -3, 6, 6), 0, -4, 4);
  check_example(shape_circle(5, 5, 1), shape_circle(5, 5, 2), 0, -3, 3);
  check_example(shape_circle(5, 5, 1), shape_box(4, 4, 2, 2), 0, -2, 2);
  check_example(shape_circle(5, 5, 0), shape_circle(5, 5, 2), 0, -2, 2);
  sat_Vec2 level[2] = {{-3, 0}, {3, 0}}, upright[2] = {{0, -3}, {0, 3}};
  check_example(shape_make(level, 2, 1), shape_make(level, 2, 1), 0, -2, 2);
  check_example(shape_make(upright, 2, 1), shape_make(upright, 2, 1), 2, 0, 2);
  check_example(shape_make(level, 2, 0), shape_make(upright, 2, 0), 0, -3, 3);
}

TEST(a_circle_on_a_corner_leaves_from_centroid_to_centroid) {
  double diagonal = sqrt(0.5);
  check_example(shape_circle(4, 4, 1), shape_box(0, 0, 4, 4), diagonal, diagonal, 1);
  check_example(shape_box(0, 0, 4, 4), shape_circle(4, 4, 1), -diagonal, -diagonal, 1);
  check_example(shape_circle(4, 0, 1), shape_box(0, 0, 4, 4), diagonal, -diagonal, 1);
  check_example(shape_circle(4, 4, 1), shape_box(-4, 0, 8, 4), 2 / sqrt(5), 1 / sqrt(5), 1);
}

/* The vector from B's centroid to A's; 0, 0 where they coincide within rounding. */
static Point centroids_apart(const Scene *scene) {
  Point separate = point_sub(solid_centroid(&scene->solid_a), solid_centroid(&scene->solid_b));
  Real rounding = sat_touch_rounding(scene->a, scene->b);
  return point_length(separate) <= rounding ? nowhere : separate;
}

/* ---------------------------------------------------------------- the same scene, transformed */

TEST(swapped_shapes_have_the_opposite_way_out) {
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    sat_Result way, back;
    bool coincide = point_length(centroids_apart(&scene)) == 0;
    if (!coincide && collide(scene.a, scene.b, &way)) {
      CHECK_SCENE(&scene, collide(scene.b, scene.a, &back));
      Point rest = point_add(point_of(way.vector), point_of(back.vector));
      Point arc = point_add(point_of(way.normal), point_of(back.normal));
      CHECK_SCENE(&scene, fabsl((Real)way.depth - back.depth) <= scene_hair(&scene));
      CHECK_SCENE(&scene, point_length(arc) <= 1e-9L);
      CHECK_SCENE(&scene, point_length(rest) <= 1e-9L * way.depth + scene_hair(&scene));
    }
  }
}

/* A change of every point of a scene, and of a radius as the length of a vector. */
typedef sat_Vec2 (*Map)(sat_Vec2);

static sat_Vec2 unchanged(sat_Vec2 v) { return v; }
static sat_Vec2 quarter_turn(sat_Vec2 v) { return vec2(-v.y, v.x); }
static sat_Vec2 half_turn(sat_Vec2 v) { return vec2(-v.x, -v.y); }
static sat_Vec2 enlarged(sat_Vec2 v) { return vec2(v.x * 0x1p10, v.y * 0x1p10); }
static sat_Vec2 shrunk(sat_Vec2 v) { return vec2(v.x * 0x1p-10, v.y * 0x1p-10); }

static sat_Shape *mapped(const sat_Shape *shape, Map map) {
  sat_Vec2 points[MOST_VERTICES];
  double radius = length(map(vec2(shape->radius, 0)));
  for (size_t i = 0; i < shape->vertex_count; i++) points[i] = map(sat_shape_vertex(shape, i));
  return shape_make(points, shape->vertex_count, radius);
}

/* The answers about a scene whose shapes are made anew from mapped vertices. */
typedef struct Seen {
  bool meet;
  double depth, distance;
  sat_Vec2 vector;
} Seen;

static Seen seen_through(const Scene *scene, Map map) {
  sat_Shape *a = mapped(scene->a, map), *b = mapped(scene->b, map);
  sat_Result way = {0};
  sat_Distance distance;
  Seen seen = {collide(a, b, &way), way.depth, 0, way.vector};
  sat_distance(a, b, test_scratch(), &distance);
  seen.distance = distance.distance;
  free(a);
  free(b);
  return seen;
}

static void check_scaled(const Scene *scene, Map map) {
  Seen as_it_is = seen_through(scene, unchanged), scaled = seen_through(scene, map);
  CHECK_SCENE(scene, scaled.meet == as_it_is.meet);
  CHECK_SCENE(scene, scaled.depth == map(vec2(as_it_is.depth, 0)).x);
  CHECK_SCENE(scene, scaled.distance == map(vec2(as_it_is.distance, 0)).x);
  CHECK_SCENE(scene, same_vector(scaled.vector, map(as_it_is.vector)));
}

TEST(scaling_by_a_power_of_two_scales_every_bit_of_the_answer) {
  for (Scene scene = {0}; scene_next(&scene, rounds(4000));) {
    if (scene.whole) {
      check_scaled(&scene, enlarged);
      check_scaled(&scene, shrunk);
    }
  }
}

static void check_turned(const Scene *scene, Map map) {
  Seen as_it_is = seen_through(scene, unchanged), turned = seen_through(scene, map);
  Real hair = scene_hair(scene);
  CHECK_SCENE(scene, turned.meet == as_it_is.meet);
  CHECK_SCENE(scene, fabsl((Real)turned.depth - as_it_is.depth) <= hair);
  CHECK_SCENE(scene, fabsl((Real)turned.distance - as_it_is.distance) <= hair);
  Point separate = centroids_apart(scene);
  sat_Vec2 difference = sub(turned.vector, map(as_it_is.vector));
  sat_Vec2 centers = vec2((double)separate.x, (double)separate.y);
  if (centers.x == 0 && centers.y == 0) return; /* the way up wins then, turned or not */
  /* Of vectors as much away from the other centroid the most upright one wins, turned or not. */
  CHECK_SCENE(scene, fabs(dot(difference, map(centers))) <= 1e-9 * turned.depth * length(centers));
  if (map != quarter_turn) CHECK_SCENE(scene, length(difference) <= hair);
}

TEST(turning_both_by_quarters_turns_the_answer) {
  for (Scene scene = {0}; scene_next(&scene, rounds(4000));) {
    /* With a radius, computed numbers decide a touch. */
    if (scene_is_exact(&scene)) {
      check_turned(&scene, quarter_turn);
      check_turned(&scene, half_turn);
    }
  }
}

TEST(moving_both_by_whole_numbers_keeps_every_bit_of_the_way_out) {
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    sat_Result before, after;
    bool meet = collide(scene.a, scene.b, &before);
    double x = (double)(scene.seed % 2001) - 1000, y = 1000 - (double)(scene.seed % 2000);
    sat_shape_move(scene.a, x * scene.unit, y * scene.unit);
    sat_shape_move(scene.b, x * scene.unit, y * scene.unit);
    if (scene.whole) {
      CHECK_SCENE(&scene, collide(scene.a, scene.b, &after) == meet);
      if (meet) CHECK_SCENE(&scene, same_result(&before, &after));
    }
  }
}

/* A rotation of both shapes about one point keeps depth and distance. */
TEST(turning_both_keeps_depth_and_distance) {
  for (Scene scene = {0}; scene_next(&scene, rounds(3000));) {
    sat_Distance before, after;
    Random random = {scene.seed};
    double angle = random_real(&random, -4, 4);
    sat_Result way, turned;
    bool meet = collide(scene.a, scene.b, &way);
    sat_distance(scene.a, scene.b, test_scratch(), &before);
    sat_Vec2 pivot = sat_shape_center(scene.b);
    assert_int_equal(sat_shape_rotate_about(scene.a, angle, pivot), SAT_OK);
    assert_int_equal(sat_shape_rotate_about(scene.b, angle, pivot), SAT_OK);
    scene_read(&scene);
    /* The rotation rounds every vertex. */
    Real hair = 4 * scene_hair(&scene) + 1e-9L * (meet ? way.depth : 0);
    sat_distance(scene.a, scene.b, test_scratch(), &after);
    CHECK_SCENE(&scene, fabsl((Real)before.distance - after.distance) <= hair);
    if (meet && collide(scene.a, scene.b, &turned)) {
      CHECK_SCENE(&scene, fabsl((Real)way.depth - turned.depth) <= hair);
    } else if (meet) {
      CHECK_SCENE(&scene, way.depth <= hair);
    }
  }
}

/* ---------------------------------------------------------------- the separating axis */

static void check_axis(const Scene *scene) {
  Real separation = scene_gap(scene);
  Real hair = 4 * scene_hair(scene) + 1e-12L * fabsl(separation); /* with the tolerance of ties */
  sat_Axis axis;
  sat_Result result;
  CHECK_SCENE(scene, sat_axis(scene->a, scene->b, test_scratch(), &axis) == SAT_OK);
  Point normal = point_of(axis.normal);
  CHECK_SCENE(scene, fabsl(point_length(normal) - 1) <= 1e-12L);
  CHECK_SCENE(scene, fabsl(axis.separation - separation) <= hair);
  bool meet = sat_collide(scene->a, scene->b, test_scratch(), &result) == SAT_OK;
  CHECK_SCENE(scene, meet ? axis.separation == -result.depth : axis.separation > 0);
  if (separation < 1e-6L * scene_reach(scene) && separation > 0)
    return; /* the axis of a small separation is rounded */
  Real shadows = solid_gap_along(&scene->solid_a, point_at(0, 0), &scene->solid_b, normal);
  CHECK_SCENE(scene, fabsl(shadows - separation) <= hair);
}

TEST(the_projections_on_the_axis_are_as_far_apart_as_the_shapes) {
  for (Scene scene = {0}; scene_next(&scene, rounds(4000));) {
    check_axis(&scene);
    sat_shape_move(scene.a, 50, 20);
    scene_read(&scene);
    check_axis(&scene);
    scene_bring_to_touch(&scene);
    check_axis(&scene);
  }
}

/* ---------------------------------------------------------------- distance */

/* Where two needles overlap by no more than the rounding of a separation, the closest points of
 * their boundaries count as common. */
static void check_distance(const Scene *scene) {
  sat_Distance d;
  Real separation = scene_gap(scene), hair = 2 * fmaxl(scene_hair(scene), 4 * ulp_of(separation));
  sat_distance(scene->a, scene->b, test_scratch(), &d);
  Point on_a = point_of(d.on_a), on_b = point_of(d.on_b);
  Real from_a = solid_gap_of_point(&scene->solid_a, on_a);
  Real from_b = solid_gap_of_point(&scene->solid_b, on_b);
  Real outside = d.distance > 0 ? hair : hair + needle_hair(scene);
  CHECK_SCENE(scene, from_a <= outside);
  CHECK_SCENE(scene, from_b <= outside);
  CHECK_SCENE(scene, fabsl(d.distance - fmaxl(separation, 0)) <= hair);
  if (d.distance > 0) {
    CHECK_SCENE(scene, fabsl(point_length(point_sub(on_a, on_b)) - d.distance) <= hair);
  } else {
    CHECK_SCENE(scene, same_vector(d.on_a, d.on_b));
  }
}

TEST(the_distance_is_that_of_the_definition_and_of_its_witnesses) {
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    check_distance(&scene);
    Random random = {scene.seed};
    double angle = random_real(&random, 0, 6.28), far = random_real(&random, 0, 40) * scene.unit;
    sat_shape_move(scene.a, far * cos(angle), far * sin(angle));
    scene_read(&scene);
    check_distance(&scene);
  }
}

/* The circle is off the end of an edge, along the edge's normal: the last bit decides whether the
 * edge or the vertex is nearer. */
TEST(off_the_end_of_an_edge_the_distance_is_that_of_the_definition) {
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    Random random = {scene.seed};
    sat_Result way;
    if (scene.b->vertex_count > 1 && !scene.large) {
      size_t index = (size_t)random_integer(&random, 0, scene.b->vertex_count - 1);
      sat_Vec2 normal = normal_of(edges_of(scene.b), (uint32_t)index);
      sat_Vec2 corner = sat_shape_vertex(scene.b, (index + scene.seed % 2) % scene.b->vertex_count);
      double radius = scene.seed % 3 ? random_real(&random, 0, 4) * scene.unit : 0;
      double origin_offset = random_real(&random, 0, 8) * scene.unit + scene.b->radius;
      sat_Vec2 center = add(corner, mul(normal, origin_offset));
      free(scene.a);
      scene.a = shape_circle(center.x, center.y, radius);
      scene.whole = false;
      scene_read(&scene);
      check_convex_test(&scene);
      check_distance(&scene);
      if (collide(scene.a, scene.b, &way)) check_way(&scene, &way);
    }
  }
}

TEST(swapped_shapes_have_the_same_distance) {
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    sat_Distance d, back;
    sat_distance(scene.a, scene.b, test_scratch(), &d);
    sat_distance(scene.b, scene.a, test_scratch(), &back);
    CHECK_SCENE(&scene, fabsl((Real)d.distance - back.distance) <= scene_hair(&scene));
  }
}

/* ---------------------------------------------------------------- contacts */

/* The error bound of a contact. Clipping may leave a contact beyond the other's face by the
 * rounding of a separation, and the move from one surface to the other rounds again. */
static Real contact_hair(const Scene *scene, Real depth) {
  return 1e-9L * depth + 4 * scene_hair(scene) + sat_convex_pair(scene->a, scene->b).error_bound +
         needle_hair(scene);
}

/* Checks that every contact is in both shapes grown by the depth and on the line along which the
 * two touch once A has moved out. Returns how far the nearest contact is from both shapes then. */
static Real check_each_contact(const Scene *scene, const sat_Manifold *m) {
  Point normal = point_of(m->normal), back = point_mul(normal, -1);
  Real hair = contact_hair(scene, m->depth), limit = m->depth + hair, nearest = HUGE_VALL;
  Point vector = point_mul(normal, m->depth);
  CHECK_SCENE(scene, m->count == 1 || m->count == 2);
  for (uint32_t i = 0; i < m->count && i < 2; i++) {
    Point point = point_of(m->points[i]);
    Solid lone = {1, 0, {point}};
    Real of_a = solid_gap_of_point(&scene->solid_a, point);
    Real of_b = solid_gap_of_point(&scene->solid_b, point);
    Real above_a = solid_gap_along(&lone, nowhere, &scene->solid_a, back);
    Real above_b = solid_gap_along(&lone, nowhere, &scene->solid_b, normal);
    CHECK_SCENE(scene, of_a <= limit && of_b <= limit);
    CHECK_SCENE(scene, fabsl(above_a + m->depth) <= hair && fabsl(above_b) <= hair);
    Real of_moved = solid_gap_of_point(&scene->solid_a, point_sub(point, vector));
    nearest = fminl(nearest, fmaxl(of_moved, of_b));
  }
  CHECK_SCENE(scene, m->count == 1 || !same_vector(m->points[0], m->points[1]));
  return nearest;
}

/* Checks also that the two touch at one of the contacts once A has moved out. */
static void check_contacts(const Scene *scene, const sat_Manifold *m) {
  CHECK_SCENE(scene, check_each_contact(scene, m) <= contact_hair(scene, m->depth));
}

/* Three vertices of each shape are on one line but for rounding, and the deepest one is beside an
 * edge that is as deep as the one that decides. */
TEST(contacts_beside_a_nearly_straight_corner_are_where_the_two_meet) {
  Scene scene;
  sat_Manifold manifold;
  scene_make(&scene, 6531);
  sat_Vec2 points[4] = {{-7. / 9, -4. / 9}, {-1. / 9, -1. / 9}, {5. / 9, 2. / 9}, {2. / 9, 2. / 9}};
  free(scene.a);
  free(scene.b);
  scene.a = shape_make(points, 4, 2.4);
  scene.b = shape_make(points, 4, 2.4);
  assert_int_equal(sat_shape_rotate(scene.a, -3.1415926535897931), SAT_OK);
  assert_int_equal(sat_shape_rotate(scene.b, -3.1415926535897931), SAT_OK);
  scene_read(&scene);
  assert_int_equal(sat_contacts(scene.a, scene.b, test_scratch(), &manifold), SAT_OK);
  check_contacts(&scene, &manifold);
  scene_free(&scene);
}

/* A polygon with a face along a line at `level`, from face[0] to face[1], and the opposite face at
 * `height`. The face has further vertices on the line but for rounding, as far as they are
 * convex. */
static sat_Shape *shape_with_face(Random *random, sat_Vec2 along, double level, double height,
                                  const double face[2]) {
  sat_Vec2 points[8], out = perp(along);
  for (int i = 0; i < 8; i++) {
    double at = random_real(random, face[0], face[1]);
    points[i] = add(mul(along, i < 4 ? face[i % 2] : at), mul(out, i < 2 ? height : level));
  }
  size_t count = hull_of(points, 8, 0);
  return shape_make(points, count, 0);
}

TEST(contacts_of_two_faces_reach_as_far_as_both_of_them_do) {
  for (uint64_t seed = 1; seed <= rounds(3000); seed++) {
    Random random = {seed};
    double angle = random_real(&random, -4, 4), low = random_real(&random, 0, 4),
           high = random_real(&random, 5, 9), depth = random_real(&random, 0.001, 0.5);
    double of_a[2] = {0, high}, of_b[2] = {low, 10};
    sat_Vec2 along = {cos(angle), sin(angle)};
    Scene scene = {.seed = seed, .unit = 1};
    scene.a = shape_with_face(&random, along, depth, -8, of_a);
    scene.b = shape_with_face(&random, along, 0, 8, of_b);
    sat_Manifold m;
    scene_read(&scene);
    CHECK_SCENE(&scene, sat_contacts(scene.a, scene.b, test_scratch(), &m) == SAT_OK);
    check_contacts(&scene, &m);
    CHECK_SCENE(&scene, m.count == 2);
    double first = dot(m.points[0], along), second = dot(m.points[1], along);
    CHECK_SCENE(&scene, fabs(min2(first, second) - low) < 1e-9);
    CHECK_SCENE(&scene, fabs(max2(first, second) - high) < 1e-9);
    scene_free(&scene);
  }
}

/* Checks that every contact is in both shapes grown by the depth. */
static void check_contacts_are_near(const Scene *scene, const sat_Manifold *m) {
  Real limit = m->depth + contact_hair(scene, m->depth);
  for (uint32_t i = 0; i < m->count; i++) {
    Point point = point_of(m->points[i]);
    CHECK_SCENE(scene, solid_gap_of_point(&scene->solid_a, point) <= limit);
    CHECK_SCENE(scene, solid_gap_of_point(&scene->solid_b, point) <= limit);
  }
}

/* The needle is about 6 long and at most 2^-17 wide, and the segment or box has slopes as small.
 * All coordinates are multiples of a power of two. */
TEST(contacts_of_a_needle_are_in_both_shapes) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    double unit = ldexp(1, -(int)random_integer(&random, 20, 34));
    sat_Vec2 needle[3], ground[4];
    for (int i = 0; i < 3; i++) {
      needle[i].x = unit * (double)random_integer(&random, -4, 4);
      needle[i].y = unit * (double)random_integer(&random, -4, 4) + (i == 0 ? 6 : 0);
    }
    size_t count = (size_t)random_integer(&random, 2, 4), corners = hull_of(needle, 3, 0);
    for (int i = 0; i < 4; i++) {
      ground[i].x = (i == 0 || i == 3 ? 6 : 0) + unit * (double)random_integer(&random, -4, 4);
      ground[i].y = (i > 1 ? 6 : 0) + unit * (double)random_integer(&random, -4, 4);
    }
    if (count > 2) count = hull_of(ground, count, 0);
    if (corners < 3 || count < 2) continue;
    Scene scene = {.seed = seed, .unit = unit};
    scene.a = shape_make(needle, corners, (double)random_integer(&random, 0, 1));
    scene.b = shape_make(ground, count, count == 2 ? 1 : (double)random_integer(&random, 0, 1));
    sat_Manifold manifold;
    scene_read(&scene);
    if (sat_contacts(scene.a, scene.b, test_scratch(), &manifold) == SAT_OK)
      check_contacts_are_near(&scene, &manifold);
    scene_free(&scene);
  }
}

TEST(contacts_are_one_or_two_points_where_the_two_meet) {
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    sat_Manifold manifold;
    sat_Result way;
    if (sat_contacts(scene.a, scene.b, test_scratch(), &manifold) == SAT_OK) {
      CHECK_SCENE(&scene, collide(scene.a, scene.b, &way));
      CHECK_SCENE(&scene, manifold.depth == way.depth && same_vector(manifold.normal, way.normal));
      check_contacts(&scene, &manifold);
    }
  }
}

TEST(a_box_on_the_floor_stands_on_both_corners) {
  sat_Shape *box = shape_box(2, -3, 4, 4), *ground = shape_box(-10, 0, 20, 5);
  sat_Manifold m;
  assert_int_equal(sat_contacts(box, ground, test_scratch(), &m), SAT_OK);
  assert_true(m.depth == 1 && m.normal.x == 0 && m.normal.y == -1 && m.count == 2);
  double left = min2(m.points[0].x, m.points[1].x), right = max2(m.points[0].x, m.points[1].x);
  assert_true(left == 2 && right == 6);
  assert_true(m.points[0].y == m.points[1].y && m.points[0].y >= 0 && m.points[0].y <= 1);
  free(box);
  free(ground);
}

TEST(the_contact_of_a_deep_ball_is_where_the_two_touch_once_apart) {
  sat_Shape *box = shape_box(-0.5, -0.5, 1, 1), *ball = shape_make(&(sat_Vec2){0.25, 0}, 1, 1);
  sat_Manifold m;
  assert_int_equal(sat_contacts(ball, box, test_scratch(), &m), SAT_OK);
  assert_true(m.depth == 1.25 && m.count == 1 && m.points[0].x == 0.5 && m.points[0].y == 0);
  assert_int_equal(sat_contacts(box, ball, test_scratch(), &m), SAT_OK);
  assert_true(m.depth == 1.25 && m.count == 1 && m.points[0].x == -0.75 && m.points[0].y == 0);
  free(box);
  free(ball);
}

/* ---------------------------------------------------------------- containment */

static sat_Status all_vertices_inside(const Scene *scene) {
  for (size_t i = 0; i < scene->b->vertex_count; i++) {
    sat_Vec2 vertex = sat_shape_vertex(scene->b, i);
    sat_Shape *point = shape_make(&vertex, 1, 0);
    int sign = exact_sign(scene->a, point, scene->unit);
    free(point);
    if (sign > 0) return SAT_MISS;
  }
  return SAT_OK;
}

static void check_containment(const Scene *scene) {
  sat_Status answer = sat_contains(scene->a, scene->b, test_scratch());
  Real excess = solid_excess(&scene->solid_a, &scene->solid_b);
  if (fabsl(excess) > scene_hair(scene)) CHECK_SCENE(scene, answer == status_of(excess < 0));
  if (scene_is_exact(scene)) CHECK_SCENE(scene, answer == all_vertices_inside(scene));
  CHECK_SCENE(scene, sat_contains(scene->a, scene->a, test_scratch()) == SAT_OK);
}

/* Few random shapes contain another: every second A is scaled up. */
TEST(a_shape_contains_another_where_the_definition_says_so) {
  uint64_t found = 0;
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    uint64_t seed = scene.seed;
    if (scene.large && seed % 8) continue; /* large scenes take long */
    check_containment(&scene);
    if (seed % 2) assert_int_equal(sat_shape_scale(scene.a, (double)(1 + seed % 4)), SAT_OK);
    scene.whole = scene.whole && seed % 2 == 0;
    scene_read(&scene);
    check_containment(&scene);
    found += sat_contains(scene.a, scene.b, test_scratch()) == SAT_OK;
  }
  assert_true(found > rounds(6000) / 20);
}

/* A point at a distance from the boundary, but for two bits: at a vertex, in the middle of an edge,
 * or anywhere along it, moved out by the radius and the distance. */
static sat_Vec2 point_near_boundary(Random *random, const sat_Shape *shape, double distance) {
  size_t i = (size_t)random_integer(random, 0, (int64_t)shape->vertex_count - 1);
  sat_Vec2 a = sat_shape_vertex(shape, i),
           b = sat_shape_vertex(shape, (i + 1) % shape->vertex_count);
  sat_Vec2 out = neg(perp(mul(sub(b, a), 1 / length(sub(b, a)))));
  sat_Vec2 point = lerp(a, b, (double)random_integer(random, 0, 2) / 2);
  if (random_integer(random, 0, 1)) point = lerp(a, b, random_real(random, 0, 1));
  point = add(point, mul(out, shape->radius + distance));
  double bits = (double)random_integer(random, -2, 2) * (double)ulp_of(point.x);
  return add(point, random_integer(random, 0, 1) ? vec2(bits, 0) : vec2(0, bits));
}

/* Whether a core has room for a circle: all edges are as far from its centre as its radius. What
 * rounding may change is told by `sure`. */
static bool has_room(const sat_Shape *shape, sat_Vec2 center, double radius, bool *sure) {
  double least = HUGE_VAL;
  for (size_t i = 0, last = shape->vertex_count - 1; i <= last; i++) {
    sat_Vec2 a = sat_shape_vertex(shape, i), b = sat_shape_vertex(shape, i < last ? i + 1 : 0);
    least = fmin(least, cross(sub(b, a), sub(center, a)) / length(sub(b, a)));
  }
  *sure = fabs(least - radius) > 1e-9;
  return least >= radius;
}

/* The maximum separation decides the overlap, and a search for an edge may decide the containment:
 * they agree. */
TEST(a_point_near_a_boundary_of_many_vertices_is_contained_where_it_overlaps) {
  uint64_t inside = 0, held_circles = 0;
  for (uint64_t seed = 1; seed <= rounds(3000); seed++) {
    Random random = {seed};
    size_t count = (size_t)random_integer(&random, 9, seed % 8 ? 40 : 400);
    sat_Shape *shape = shape_regular(random_real(&random, -9, 9), 0, 5, count);
    double radius = seed % 3 ? 0 : random_real(&random, 0, 9);
    assert_int_equal(sat_shape_set_radius(shape, radius), SAT_OK);
    if (seed % 2)
      assert_int_equal(sat_shape_scale_axes(shape, 1, seed % 4 == 1 ? 1e-9 : 7), SAT_OK);
    if (seed % 5) assert_int_equal(sat_shape_rotate(shape, random_real(&random, -4, 4)), SAT_OK);
    for (int i = 0; i < 12; i++) {
      double distance = i % 3 ? 0 : (i % 2 ? 1 : -1) * pow(10, random_real(&random, -15, 1));
      sat_Vec2 at = point_near_boundary(&random, shape, distance);
      sat_Shape *point = shape_make(&at, 1, 0);
      inside += questions_agree(shape, point, seed);
      bool sure, room = has_room(shape, at, 0.25, &sure);
      assert_int_equal(sat_shape_set_radius(point, shape->radius + 0.25), SAT_OK);
      bool held = sat_contains(shape, point, test_scratch()) == SAT_OK;
      CHECK_SEED(seed, !sure || held == room);
      held_circles += held;
      free(point);
    }
    free(shape);
  }
  assert_in_range(inside, rounds(3000) * 3, rounds(3000) * 9);
  assert_true(held_circles > rounds(3000) / 40);
}

TEST(a_shape_that_touches_from_inside_is_contained) {
  sat_Shape *outer[] = {shape_box(0, 0, 8, 8), shape_circle(4, 4, 4)};
  sat_Shape *inner[] = {shape_box(0, 0, 8, 8), shape_box(0, 2, 3, 6), shape_circle(4, 4, 4),
                        shape_circle(2, 4, 2), shape_circle(8, 8, 0)};
  static const bool held[2][5] = {{true, true, true, true, true},
                                  {false, false, true, true, false}};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 5; k++) {
      assert_int_equal(sat_contains(outer[i], inner[k], test_scratch()), status_of(held[i][k]));
    }
  }
  for (int i = 0; i < 2; i++) free(outer[i]);
  for (int i = 0; i < 5; i++) free(inner[i]);
}

/* ---------------------------------------------------------------- copies */

/* Two copies of a polygon, one of them rounded or turned by half a turn in some scenes: side by
 * side in any direction, or one of them slid along an edge of the other, beyond its end in some
 * scenes. */
static Scene copies_of_a_polygon(uint64_t seed, bool slides) {
  Random random = {seed};
  sat_Vec2 points[16];
  size_t count = 0;
  while (count < 3) count = random_hard_polygon(&random, points);
  double angle = random_real(&random, -4, 4), span = seed / 3 % 2 ? 2 : 9;
  sat_Shape *a = shape_make(points, count, 0), *b = shape_copy(a);
  assert_int_equal(sat_shape_set_rotation(a, angle), SAT_OK);
  assert_int_equal(sat_shape_set_rotation(b, seed / 6 % 3 == 1 ? angle + acos(-1) : angle), SAT_OK);
  assert_int_equal(sat_shape_set_radius(b, seed % 3 == 2), SAT_OK);
  double x = random_real(&random, -span, span), y = random_real(&random, -span, span);
  sat_Vec2 along = sub(sat_shape_vertex(b, 1), sat_shape_vertex(b, 0));
  if (slides) {
    x = along.x * random_real(&random, -2, 2);
    y = along.x != 0 ? along.y * (x / along.x) : along.y;
  }
  assert_int_equal(sat_shape_move(a, x, y), SAT_OK);
  Scene scene = {.seed = seed, .unit = 1, .needles = slides, .a = a, .b = b};
  scene_read(&scene);
  return scene;
}

/* Checks every question about two copies, apart or not, and once they have been brought to
 * touch. */
static void check_copies(uint64_t seed) {
  Scene scene = copies_of_a_polygon(seed, false);
  sat_Result way;
  sat_Manifold manifold;
  check_convex_test(&scene);
  check_distance(&scene);
  check_axis(&scene);
  check_containment(&scene);
  if (collide(scene.a, scene.b, &way)) {
    check_way(&scene, &way);
    check_way_leads_out(&scene, &way);
    assert_int_equal(sat_contacts(scene.a, scene.b, test_scratch(), &manifold), SAT_OK);
    check_contacts(&scene, &manifold);
  }
  scene_bring_to_touch(&scene);
  check_convex_test(&scene);
  scene_free(&scene);
}

/* Checks the distance, the way out and the contacts. Needles that lie in each other along their
 * length touch along all of it but for rounding, so that any contact there is as good as another
 * one. */
static void check_slid_copies(uint64_t seed) {
  Scene scene = copies_of_a_polygon(seed, true);
  sat_Result way;
  sat_Manifold manifold;
  check_distance(&scene);
  if (collide(scene.a, scene.b, &way)) {
    check_way(&scene, &way);
    assert_int_equal(sat_contacts(scene.a, scene.b, test_scratch(), &manifold), SAT_OK);
    check_each_contact(&scene, &manifold);
  }
  scene_free(&scene);
}

/* Edges of both sides are parallel or back to back, so that facets tie, and rounding alone says on
 * which side of one normal another one is. */
TEST(regular_polygons_with_parallel_edges_have_the_depth_of_the_definition) {
  for (uint64_t seed = 0; seed < rounds(4000); seed++) {
    Random random = {seed};
    sat_Vec2 inner[40], outer[40];
    size_t count = (size_t)random_integer(&random, 3, 40);
    size_t first = (size_t)random_integer(&random, 0, (int64_t)count - 1);
    double small = random_real(&random, 1, 9), large = random_real(&random, 9, 400);
    double angle = random_real(&random, -4, 4) * (double)(seed % 2);
    sat_Vec2 middle = {random_real(&random, -40, 40), random_real(&random, -40, 40)};
    for (size_t i = 0; i < count; i++) {
      double step = 2 * acos(-1) / (double)count, at = angle + step * (double)i;
      double far = at + step * (double)first;
      inner[i] = add(middle, vec2(small * cos(at), small * sin(at)));
      outer[i] = add(middle, vec2(large * cos(far), large * sin(far)));
    }
    Scene scene = {.seed = seed, .unit = 1};
    scene.a = shape_make(inner, count, seed / 2 % 2 ? 1 : 0);
    scene.b = shape_make(outer, count, seed / 4 % 2 ? 1 : 0);
    for (int order = 0; order < 2; order++) {
      sat_Result way;
      scene_read(&scene);
      CHECK_SCENE(&scene, collide(scene.a, scene.b, &way));
      check_way(&scene, &way);
      sat_Shape *other = scene.a;
      scene.a = scene.b;
      scene.b = other;
    }
    scene_free(&scene);
  }
}

/* The directions are off by a bit or two, as the normal of a parallel edge is. */
TEST(the_support_point_along_a_normal_is_an_end_of_its_edge) {
  for (uint64_t seed = 0; seed < rounds(4000); seed++) {
    Random random = {seed};
    sat_Vec2 points[64];
    size_t count = (size_t)random_integer(&random, 9, 64);
    double radius = random_real(&random, 1, 300), step = 2 * acos(-1) / (double)count;
    for (size_t i = 0; i < count; i++)
      points[i] = vec2(radius * cos(step * (double)i), radius * sin(step * (double)i));
    sat_Shape *shape = shape_make(points, count, 0);
    assert_int_equal(sat_shape_set_rotation(shape, random_real(&random, -4, 4)), SAT_OK);
    sat_Convex convex = sat_convex_pair(shape, shape).of[SAT_A];
    for (uint32_t i = 0; i < 2 * count; i++) {
      sat_Vec2 normal = normal_of(convex.edges, i / 2), along = i % 2 ? normal : neg(normal);
      along.x *= 1 + DBL_EPSILON * (double)random_integer(&random, -2, 2);
      along.y *= 1 + DBL_EPSILON * (double)random_integer(&random, -2, 2);
      sat_Vec2 found = convex.vertex[sat_support_index(&convex, along)],
               best = convex.vertex[sat_support_by_scan(&convex, along)];
      CHECK_SEED(seed, dot(along, sub(best, found)) <= 1e-12 * radius);
    }
    free(shape);
  }
}

/* The edges of copies are parallel, so that rounding alone orders those of needles, and an edge
 * whose ends a turn has brought together has any direction. One scene in 1200 needs care for one of
 * these, mostly for what `contains` says of needles, and one in 25,000 for its distance: listed. */
TEST(copies_of_a_turned_polygon_meet_as_the_definition_says) {
  static const uint64_t listed[] = {34206,  63195,  67058,  73896,  141296, 144432,
                                    171302, 225334, 228374, 240054, 243912, 276308};
  for (uint64_t seed = 0; seed < rounds(20000); seed++) check_copies(seed);
  for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) check_copies(listed[i]);
}

/* Random scenes rarely show a wrong depth of needles, or a contact beside one: the listed seeds
 * do. */
TEST(copies_slid_along_an_edge_have_the_answers_of_the_definition) {
  static const uint64_t listed[] = {20879, 182549, 16414, 41949, 127109, 136014, 262844, 274944};
  for (uint64_t seed = 0; seed < rounds(20000); seed++) check_slid_copies(seed);
  for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) check_slid_copies(listed[i]);
}

/* ---------------------------------------------------------------- needles along each other */

/* A needle up to about ten error bounds wide, along an axis of its own frame, turned by `angle`. */
static sat_Shape *turned_needle(Random *random, double angle, double radius) {
  sat_Vec2 points[3];
  size_t count = 0;
  while (count < 3) {
    double length = random_real(random, 1, 20), width = ldexp(length, -52);
    width *= ldexp(1, (int)random_integer(random, -6, 10));
    points[0] = vec2(0, 0);
    points[1] = vec2(length, 0);
    points[2] = vec2(length * random_real(random, -0.1, 1.1), random_real(random, -width, width));
    count = hull_of(points, 3, 0);
  }
  sat_Shape *needle = shape_make(points, count, radius);
  assert_int_equal(sat_shape_set_rotation(needle, angle), SAT_OK);
  return needle;
}

/* Checks the questions about two needles that lie along each other but for rounding, apart on one
 * line or side by side. */
static void check_needles(uint64_t seed) {
  Random random = {seed};
  double angle = random_real(&random, -4, 4), bend = ldexp(random_real(&random, -1, 1), -50);
  double radius = seed % 4 == 0 ? 0 : ldexp(1, (int)random_integer(&random, -4, 4));
  sat_Shape *a = turned_needle(&random, angle, seed % 3 ? 0 : radius),
            *b = turned_needle(&random, angle + (seed % 2 ? bend : 0), radius);
  double place = random_real(&random, -30, 30),
         side = ldexp(1, -(int)random_integer(&random, 0, 45));
  if (seed % 5 > 1) side = 0;
  sat_Vec2 offset = {place * cos(angle) - side * sin(angle),
                     place * sin(angle) + side * cos(angle)};
  assert_int_equal(sat_shape_move_to(b, 3, -2), SAT_OK);
  assert_int_equal(sat_shape_move_to(a, 3 + offset.x, -2 + offset.y), SAT_OK);
  Scene scene = {.seed = seed, .unit = 1, .needles = true, .a = a, .b = b};
  scene_read(&scene);
  check_convex_test(&scene);
  check_distance(&scene);
  sat_Result way;
  if (collide(a, b, &way)) check_way(&scene, &way);
  scene_free(&scene);
}

TEST(needles_along_each_other_have_the_answers_of_the_definition) {
  for (uint64_t seed = 0; seed < rounds(20000); seed++) check_needles(seed);
}

/* ---------------------------------------------------------------- sizes */

TEST(polygons_of_a_million_vertices_work) {
  const double pi = 3.141592653589793;
  sat_Shape *a = shape_regular(0, 0, 100, 1000000), *b = shape_regular(150, 0, 100, 1000000);
  sat_Result way;
  sat_Manifold manifold;
  sat_Distance separation;
  assert_true(fabs(sat_shape_area(a) - pi * 10000) < 1e-6);
  assert_true(collide(a, b, &way));
  assert_true(fabs(way.depth - 50) < 1e-8 && fabs(way.normal.x + 1) < 1e-8);
  assert_int_equal(sat_contacts(a, b, test_scratch(), &manifold), SAT_OK);
  assert_true(manifold.depth == way.depth);
  assert_int_equal(sat_contains_point(a, vec2(99.9999, 0), test_scratch()), SAT_OK);
  assert_int_equal(sat_contains_point(a, vec2(100.0001, 0), test_scratch()), SAT_MISS);
  assert_int_equal(sat_shape_move(b, 60, 0), SAT_OK);
  assert_int_equal(sat_overlaps(a, b, test_scratch()), SAT_MISS);
  sat_distance(a, b, test_scratch(), &separation);
  assert_true(fabs(separation.distance - 10) < 1e-8);
  assert_true(fabs(separation.on_a.x - 100) < 1e-8 && fabs(separation.on_b.x - 110) < 1e-8);
  free(a);
  free(b);
}

TEST(tiny_and_huge_shapes_meet_where_they_touch_exactly) {
  sat_Shape *shapes[] = {shape_box(0, 0, 1e-12, 1e-12), shape_box(-1e9, -1e9, 1e9, 1e9),
                         shape_circle(-1e-12, 0, 1e-12), shape_circle(0, 2e9, 2e9)};
  sat_Result way;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) assert_true(collide(shapes[i], shapes[k], &way));
  }
  assert_true(collide(shapes[0], shapes[1], &way));
  assert_way(way, 0, 0, 0);
  assert_true(collide(shapes[0], shapes[2], &way));
  assert_way(way, 0, 0, 0);
  assert_int_equal(sat_shape_move(shapes[0], 1e-24, 0), SAT_OK);
  assert_int_equal(sat_overlaps(shapes[0], shapes[1], test_scratch()), SAT_MISS);
  for (int i = 0; i < 4; i++) free(shapes[i]);
}

int main(void) { return run_suite(NULL, NULL); }
