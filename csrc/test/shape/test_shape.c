/* test_shape.c: the vertices, measures, filters and setters of shapes. */
#include "test/oracle.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static Real error_of(sat_Vec2 got, Point expected) {
  return point_length(point_sub(point_of(got), expected));
}

/* ---------------------------------------------------------------- the vertices given */

/* A fraction that hardly any double holds, or a double that uses all its bits, small or large. */
static double awkward_number(Random *random) {
  switch (random_integer(random, 0, 3)) {
  case 0: return (double)random_integer(random, -1000, 1000) / 10;
  case 1: return (double)random_integer(random, -1000, 1000) / 7;
  case 2: return random_real(random, -1, 1) * ldexp(1, (int)random_integer(random, -60, 40));
  default: return random_real(random, -1000, 1000);
  }
}

static size_t awkward_points(Random *random, sat_Vec2 *points) {
  size_t count = (size_t)random_integer(random, 1, 12);
  bool far = random_integer(random, 0, 1) == 1;
  sat_Vec2 corner = vec2(far ? awkward_number(random) : 0, far ? awkward_number(random) : 0);
  double size = fabs(awkward_number(random)) + 1e-6;
  for (size_t i = 0; i < count; i++) {
    points[i].x = far ? corner.x + size * random_real(random, 0, 1) : awkward_number(random);
    points[i].y = far ? corner.y + size * random_real(random, 0, 1) : awkward_number(random);
  }
  return count > 2 ? hull_of(points, count, 1e-300L)
                   : count; /* 1 or 2 where all points lie on a line */
}

TEST(an_unturned_shape_gives_back_the_vertices_given_bit_for_bit) {
  for (uint64_t seed = 1; seed <= rounds(100000); seed++) {
    Random random = {seed};
    sat_Vec2 points[16];
    size_t count = awkward_points(&random, points);
    if (count == 2 && same_vector(points[0], points[1])) count = 1;
    sat_Shape *shape = shape_make(points, count, 0);
    CHECK_SEED(seed, sat_shape_vertex_count(shape) == count);
    for (size_t i = 0; i < count; i++) {
      CHECK_SEED(seed, same_vector(sat_shape_vertex(shape, i), points[i]));
    }
    free(shape);
  }
}

TEST(whole_vertices_stay_exact_wherever_whole_moves_take_them) {
  for (uint64_t seed = 1; seed <= rounds(10000); seed++) {
    Random random = {seed};
    sat_Vec2 points[16], at = {0, 0};
    size_t count = random_whole_polygon(&random, 1000, 12, points);
    sat_Shape *shape = shape_make(points, count, 0);
    for (int step = 0; step < 20; step++) {
      double x = (double)random_integer(&random, -10000000, 10000000) / 8;
      double y = (double)random_integer(&random, -10000000, 10000000) / 8;
      at = add(at, vec2(x, y));
      assert_int_equal(sat_shape_move(shape, x, y), SAT_OK);
    }
    for (size_t i = 0; i < count; i++) {
      CHECK_SEED(seed, same_vector(sat_shape_vertex(shape, i), add(points[i], at)));
    }
    free(shape);
  }
}

TEST(points_about_a_centre_are_kept_relative_to_it) {
  sat_Vec2 points[3] = {{-0.1, -0.1}, {0.2, -0.1}, {-0.1, 0.2}}, center = {1e7, -3};
  sat_Shape *shape = malloc(sat_shape_bytes(3));
  assert_non_null(shape);
  assert_int_equal(sat_shape_init_about(shape, center, points, 3, 2), SAT_OK);
  assert_true(same_vector(sat_shape_center(shape), center));
  for (size_t i = 0; i < 3; i++) {
    assert_true(same_vector(sat_shape_vertex(shape, i), add(center, points[i])));
    assert_true(same_vector(vertices_of(shape)[i], points[i]));
  }
  assert_true(sat_shape_radius(shape) == 2);
  free(shape);
}

TEST(two_equal_points_make_one) {
  sat_Vec2 points[2] = {{3.3, 4}, {3.3, 4}};
  for (int radius = 0; radius < 2; radius++) {
    sat_Shape *shape = shape_make(points, 2, radius);
    assert_int_equal(sat_shape_vertex_count(shape), 1);
    assert_int_equal(shape->bytes, sat_shape_bytes(1));
    assert_int_equal(sat_shape_kind(shape), radius ? SAT_CIRCLE : SAT_POINT);
    assert_true(same_vector(sat_shape_vertex(shape, 0), points[0]));
    free(shape);
  }
}

/* The constructor of one vertex, which measures nothing, gives the bits that measuring gives. */
TEST(one_vertex_has_the_bits_of_a_measured_shape) {
  static const double coordinates[] = {0, -0.0, 0.1, -7, 1e15 - 4, -1e-300};
  sat_Vec2 at_centroid = {0, 0};
  sat_Shape *measured = malloc(sat_shape_bytes(1));
  assert_non_null(measured);
  for (int i = 0; i < 36; i++) {
    double radius = i % 2 ? 2.5 : 0;
    sat_Vec2 center = {coordinates[i % 6], coordinates[i / 6]};
    sat_Shape *shape = shape_make(&center, 1, radius);
    assert_int_equal(sat_shape_init_about(measured, center, &at_centroid, 1, radius), SAT_OK);
    assert_memory_equal(shape, measured, shape->bytes);
    free(shape);
  }
  free(measured);
}

TEST(points_that_make_no_shape_are_refused) {
  static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL, 1.1e15};
  sat_Vec2 points[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, center = {0, 0};
  sat_Shape *shape = malloc(sat_shape_bytes(4));
  assert_non_null(shape);
  assert_int_equal(sat_shape_init(shape, points, 0, 0), SAT_EFEW);
  assert_int_equal(sat_shape_init(shape, points, 4, -1), SAT_EVALUE);
  assert_int_equal(sat_shape_init(shape, points, 4, NAN), SAT_ERANGE);
  assert_int_equal(sat_shape_init(shape, points, 4, 1.1e15), SAT_ERANGE);
  for (int i = 0; i < 4; i++) {
    points[i].x = bad[i];
    assert_int_equal(sat_shape_init(shape, points, 4, 0), SAT_ERANGE);
    assert_int_equal(sat_shape_init_about(shape, center, points, 4, 0), SAT_ERANGE);
    points[i].x = 0;
    points[i].y = bad[i];
    assert_int_equal(sat_shape_init(shape, points, 4, 0), SAT_ERANGE);
    points[i].y = 0;
    assert_int_equal(sat_shape_init_about(shape, vec2(bad[i], 0), points, 4, 0), SAT_ERANGE);
  }
  free(shape);
}

/* ---------------------------------------------------------------- measures */

TEST(the_kind_follows_from_vertices_and_radius) {
  sat_Vec2 points[3] = {{0, 0}, {4, 0}, {0, 3}};
  static const char *const names[] = {"point", "circle", "segment", "capsule", "polygon"};
  static const sat_Kind kinds[3][2] = {
      {SAT_POINT, SAT_CIRCLE}, {SAT_SEGMENT, SAT_CAPSULE}, {SAT_POLYGON, SAT_POLYGON}};
  for (size_t count = 1; count <= 3; count++) {
    sat_Shape *shape = shape_make(points, count, 0);
    assert_int_equal(sat_shape_kind(shape), kinds[count - 1][0]);
    assert_int_equal(sat_shape_set_radius(shape, 0.5), SAT_OK);
    assert_int_equal(sat_shape_kind(shape), kinds[count - 1][1]);
    free(shape);
  }
  for (int kind = SAT_POINT; kind <= SAT_POLYGON; kind++) {
    assert_string_equal(sat_kind_name((sat_Kind)kind), names[kind]);
  }
}

/* Twice the area, in whole numbers. */
static int64_t whole_area(const sat_Vec2 *points, size_t count) {
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 v = points[i], w = points[i + 1 < count ? i + 1 : 0];
    sum += (int64_t)v.x * (int64_t)w.y - (int64_t)v.y * (int64_t)w.x;
  }
  return sum;
}

static Real perimeter_of(const Solid *solid) {
  Real sum = 0;
  for (size_t i = 0; i < solid->count; i++) {
    Point next = solid->vertices[i + 1 < solid->count ? i + 1 : 0];
    sum += point_length(point_sub(next, solid->vertices[i]));
  }
  return sum;
}

TEST(areas_of_whole_polygons_are_exact_and_a_radius_adds_its_band) {
  for (uint64_t seed = 1; seed <= rounds(10000); seed++) {
    Random random = {seed};
    sat_Vec2 points[16];
    size_t count = random_whole_polygon(&random, 1000, 12, points);
    sat_Shape *shape = shape_make(points, count, 0);
    double area = (double)whole_area(points, count) / 2;
    CHECK_SEED(seed, sat_shape_area(shape) == area);
    Solid solid;
    solid_read(&solid, shape);
    assert_int_equal(sat_shape_set_radius(shape, 3), SAT_OK);
    Real expected = area + 3 * perimeter_of(&solid) + 9 * (Real)pi;
    CHECK_SEED(seed, fabsl(sat_shape_area(shape) - expected) <= 1e-14L * expected);
    assert_int_equal(sat_shape_scale(shape, 4), SAT_OK);
    CHECK_SEED(seed, fabsl(sat_shape_area(shape) - 16 * expected) <= 16e-14L * expected);
    free(shape);
  }
}

TEST(areas_of_round_shapes_are_those_of_the_textbook) {
  sat_Vec2 ends[2] = {{1, 1}, {4, 5}};
  sat_Shape *circle = shape_circle(7, 7, 2), *capsule = shape_make(ends, 2, 2);
  sat_Shape *segment = shape_make(ends, 2, 0), *point = shape_make(ends, 1, 0);
  assert_true(fabs(sat_shape_area(circle) - 4 * pi) < 1e-14);
  assert_true(fabs(sat_shape_area(capsule) - (20 + 4 * pi)) < 1e-14);
  assert_true(sat_shape_area(segment) == 0 && sat_shape_area(point) == 0);
  free(circle);
  free(capsule);
  free(segment);
  free(point);
}

/* The rounding of a centroid: each cross product of the sum may err by the square of the size, and
 * their sum is divided by the area, which is small for thin shapes. */
static Real centroid_rounding(const Solid *solid) {
  Real size = 0, area = 0;
  for (size_t i = 0; i < solid->count; i++) {
    Point from = point_sub(solid->vertices[i], solid->vertices[0]);
    Point to = point_sub(solid->vertices[(i + 1) % solid->count], solid->vertices[0]);
    size = fmaxl(size, point_length(from));
    area += point_cross(from, to) / 2;
  }
  return area > 0 ? (Real)solid->count * DBL_EPSILON * size * size * size / (2 * area) : 0;
}

/* Checks the measures of a shape of any convex kind and after any changes. */
static void check_measures(const Scene *scene, const sat_Shape *shape, const Solid *solid) {
  Real hair = scene_hair(scene), low_x = HUGE_VALL, low_y = HUGE_VALL, high_x = -HUGE_VALL;
  Real high_y = -HUGE_VALL, farthest = 0;
  Point center = point_of(sat_shape_center(shape));
  for (size_t i = 0; i < solid->count; i++) {
    Point v = solid->vertices[i];
    low_x = fminl(low_x, v.x - solid->radius);
    low_y = fminl(low_y, v.y - solid->radius);
    high_x = fmaxl(high_x, v.x + solid->radius);
    high_y = fmaxl(high_y, v.y + solid->radius);
    farthest = fmaxl(farthest, point_length(point_sub(v, center)) + solid->radius);
  }
  sat_Box box = sat_shape_bounds(shape);
  Real bit = scene_reach(scene) * real_epsilon();
  CHECK_SCENE(scene, box.min.x <= low_x + bit && box.min.y <= low_y + bit);
  CHECK_SCENE(scene, box.max.x >= high_x - bit && box.max.y >= high_y - bit);
  CHECK_SCENE(scene, box.min.x >= low_x - hair && box.min.y >= low_y - hair);
  CHECK_SCENE(scene, box.max.x <= high_x + hair && box.max.y <= high_y + hair);
  if (scene->whole) CHECK_SCENE(scene, box.min.x == low_x && box.max.y == high_y);
  Real centroid_error = error_of(sat_shape_center(shape), solid_centroid(solid));
  CHECK_SCENE(scene, centroid_error <= hair + centroid_rounding(solid));
  /* The bounding radius counts from the centroid that the shape holds, before its place in the
   * world is rounded. */
  CHECK_SCENE(scene, sat_shape_bounding_radius(shape) >= farthest - hair);
  CHECK_SCENE(scene, sat_shape_bounding_radius(shape) <= farthest * (1 + 1e-14L) + hair);
}

TEST(bounds_centre_and_bounding_circle_are_those_of_the_vertices) {
  for (Scene scene = {0}; scene_next(&scene, rounds(10000));) {
    check_measures(&scene, scene.a, &scene.solid_a);
    check_measures(&scene, scene.b, &scene.solid_b);
  }
}

TEST(bounds_are_rounded_outward) {
  sat_Shape *circle = shape_circle(1, -1, 0x1p-60);
  sat_Box box = sat_shape_bounds(circle);
  assert_true(box.min.x == nextafter(1, 0) && box.max.x == nextafter(1, 2));
  assert_true(box.min.y == nextafter(-1, -2) && box.max.y == nextafter(-1, 0));
  assert_true(sat_shape_bounding_radius(circle) >= 0x1p-60);
  free(circle);
}

static void check_support(const Scene *scene, const sat_Shape *shape, const Solid *solid,
                          sat_Vec2 direction) {
  Point along = point_of(direction);
  along = point_mul(along, 1 / fmaxl(fabsl(along.x), fabsl(along.y)));
  along = point_mul(along, 1 / point_length(along));
  Point support = point_of(sat_shape_support(shape, direction)), best = {0, 0};
  Real most = -HUGE_VALL, hair = scene_hair(scene);
  for (size_t i = 0; i < solid->count; i++) {
    if (point_dot(solid->vertices[i], along) <= most) continue;
    most = point_dot(solid->vertices[i], along);
    best = solid->vertices[i];
  }
  CHECK_SCENE(scene, fabsl(point_dot(point_sub(support, best), along) - solid->radius) <= hair);
  CHECK_SCENE(scene, fabsl(solid_gap_of_point(solid, support)) <= hair);
}

TEST(the_support_point_is_the_farthest_of_all) {
  for (Scene scene = {0}; scene_next(&scene, rounds(2000));) {
    Random random = {scene.seed};
    for (int i = 0; i < 10; i++) {
      double size = ldexp(1, (int)random_integer(&random, -1000, 1000));
      double x = random_real(&random, -1, 1) * size, y = random_real(&random, -1, 1) * size;
      if (i > 7) x = 0;
      check_support(&scene, scene.a, &scene.solid_a, vec2(x, y));
      check_support(&scene, scene.b, &scene.solid_b, vec2(y, x));
      if (scene.a->vertex_count == 1) continue;
      check_support(&scene, scene.a, &scene.solid_a, normal_of(edges_of(scene.a), 0));
    }
  }
}

static void check_projection(const Scene *scene, const sat_Shape *shape, const Solid *solid,
                             sat_Vec2 axis) {
  sat_Interval shadow = sat_shape_project(shape, axis);
  Real low = HUGE_VALL, high = -HUGE_VALL, size = point_length(point_of(axis));
  for (size_t i = 0; i < solid->count; i++) {
    Real along = point_dot(solid->vertices[i], point_of(axis));
    low = fminl(low, along - solid->radius * size);
    high = fmaxl(high, along + solid->radius * size);
  }
  CHECK_SCENE(scene, fabsl(shadow.low - low) <= 2 * scene_hair(scene) * size);
  CHECK_SCENE(scene, fabsl(shadow.high - high) <= 2 * scene_hair(scene) * size);
}

TEST(the_projection_on_an_axis_is_that_of_the_vertices_and_the_radius) {
  for (Scene scene = {0}; scene_next(&scene, rounds(2000));) {
    Random random = {scene.seed};
    for (int i = 0; i < 10; i++) {
      double size = ldexp(1, (int)random_integer(&random, -900, 900));
      double x = random_real(&random, -1, 1) * size, y = random_real(&random, -1, 1) * size;
      check_projection(&scene, scene.a, &scene.solid_a, vec2(i > 7 ? 0 : x, y));
      check_projection(&scene, scene.b, &scene.solid_b, vec2(y, x));
    }
  }
}

/* A normal is a quotient of rounded numbers: three roundings of 2^-53. Both ends of an edge, and
 * its offset, are off by a unit in the last place of the vertices at most. */
TEST(an_edge_has_the_unit_normal_that_points_out_and_its_distance) {
  for (Scene scene = {0}; scene_next(&scene, rounds(3000));) {
    const sat_Vec2 *vertex = vertices_of(scene.a);
    const sat_Edges *edges = edges_of(scene.a);
    uint32_t count = scene.a->vertex_count;
    for (uint32_t i = 0; i < count && count > 1; i++) {
      Point from = point_of(vertex[i]), to = point_of(vertex[i + 1 < count ? i + 1 : 0]);
      Point edge = point_sub(to, from), normal = point_of(normal_of(edges, i));
      Real size = point_length(edge), rounding = 2 * ulp_of(scene.a->l1_bound);
      CHECK_SCENE(&scene, fabsl(point_length(normal) - 1) <= 4e-16L);
      CHECK_SCENE(&scene, fabsl(point_dot(normal, edge)) <= 4e-16L * size + rounding);
      CHECK_SCENE(&scene, point_cross(edge, normal) < 0);
      CHECK_SCENE(&scene, fabsl(offset_of(edges, i) - point_dot(normal, from)) <= rounding);
    }
  }
}

TEST(the_filter_has_the_rules_of_box2d) {
  sat_Shape *a = shape_circle(0, 0, 1), *b = shape_circle(0, 0, 1);
  assert_true(sat_shapes_filter(a, b));
  a->mask = 2;
  assert_false(sat_shapes_filter(a, b));
  assert_false(sat_shapes_filter(b, a));
  b->category = 6;
  assert_true(sat_shapes_filter(a, b));
  a->group = b->group = -3;
  assert_false(sat_shapes_filter(a, b));
  a->group = -4;
  assert_true(sat_shapes_filter(a, b));
  b->category = 0x80000000u;
  assert_false(sat_shapes_filter(a, b));
  a->group = b->group = 7;
  assert_true(sat_shapes_filter(a, b));
  free(a);
  free(b);
}

/* ---------------------------------------------------------------- the setters, one after
 * another */

/* The expected pose of a shape: its given vertices about their centroid, stretched, flipped,
 * scaled, rotated and moved. */
typedef struct Pose {
  size_t count;
  Point given[16];
  Point centroid, axis_scale;
  Real angle, scale, radius;
  bool flipped_x, flipped_y;
} Pose;

static Point turned(Point v, Real angle) {
  Real cosine = cosl(angle), sine = sinl(angle);
  return point_at(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine);
}

static Point turned_about(Point v, Real angle, Point pivot) {
  return point_add(pivot, turned(point_sub(v, pivot), angle));
}

static void pose_read(Pose *pose, const sat_Shape *shape) {
  Solid solid;
  solid_read(&solid, shape);
  *pose = (Pose){
      .count = solid.count, .scale = 1, .radius = solid.radius, .axis_scale = point_at(1, 1)};
  pose->centroid = solid_centroid(&solid);
  for (size_t i = 0; i < solid.count; i++) {
    pose->given[i] = point_sub(solid.vertices[i], pose->centroid);
  }
}

/* A flip reverses the order of the vertices, and the first vertex stays the first. */
static Point pose_vertex(const Pose *pose, size_t index) {
  bool reversed = pose->flipped_x != pose->flipped_y;
  Point v = pose->given[reversed && index > 0 ? pose->count - index : index];
  v = point_at(v.x * pose->axis_scale.x, v.y * pose->axis_scale.y);
  v = point_at(pose->flipped_x ? -v.x : v.x, pose->flipped_y ? -v.y : v.y);
  return point_add(pose->centroid, turned(point_mul(v, pose->scale), pose->angle));
}

static sat_Status turn_randomly(Random *random, sat_Shape *shape, Pose *pose) {
  double angle = random_real(random, -7, 7);
  sat_Vec2 pivot = vec2(random_real(random, -20, 20), random_real(random, -20, 20));
  switch (random_integer(random, 0, 4)) {
  case 0: pose->angle += angle; return sat_shape_rotate(shape, angle);
  case 1: pose->angle = angle; return sat_shape_set_rotation(shape, angle);
  case 2:
    pose->centroid = turned_about(pose->centroid, angle, point_of(pivot));
    pose->angle += angle;
    return sat_shape_rotate_about(shape, angle, pivot);
  case 3:
    pose->centroid = turned_about(pose->centroid, angle - pose->angle, point_of(pivot));
    pose->angle = angle;
    return sat_shape_set_rotation_about(shape, angle, pivot);
  default:
    pose->centroid = point_of(pivot);
    pose->angle = angle;
    return sat_shape_transform(shape, pivot.x, pivot.y, angle);
  }
}

static sat_Status scale_randomly(Random *random, sat_Shape *shape, Pose *pose) {
  double factor = random_real(random, 0.5, 2);
  sat_Vec2 pivot = vec2(random_real(random, -20, 20), random_real(random, -20, 20));
  bool about = random_integer(random, 0, 1) == 1;
  pose->scale *= factor;
  pose->radius *= factor;
  if (!about) return sat_shape_scale(shape, factor);
  Point arm = point_sub(pose->centroid, point_of(pivot));
  pose->centroid = point_add(point_of(pivot), point_mul(arm, factor));
  return sat_shape_scale_about(shape, factor, pivot);
}

static sat_Status scale_axes_randomly(Random *random, sat_Shape *shape, Pose *pose) {
  double sx = random_real(random, 0.5, 2), sy = random_real(random, 0.5, 2);
  pose->axis_scale = point_at(pose->axis_scale.x * sx, pose->axis_scale.y * sy);
  return sat_shape_scale_axes(shape, sx, sy);
}

static sat_Status change_randomly(Random *random, sat_Shape *shape, Pose *pose) {
  sat_Vec2 way = vec2(random_real(random, -20, 20), random_real(random, -20, 20));
  bool vertical = random_integer(random, 0, 1) == 1;
  switch (random_integer(random, 0, 6)) {
  case 0:
    pose->centroid = point_add(pose->centroid, point_of(way));
    return sat_shape_move(shape, way.x, way.y);
  case 1: pose->centroid = point_of(way); return sat_shape_move_to(shape, way.x, way.y);
  case 2:
    if (vertical) pose->flipped_y = !pose->flipped_y;
    else pose->flipped_x = !pose->flipped_x;
    sat_shape_flip(shape, vertical);
    return SAT_OK;
  case 3: return scale_randomly(random, shape, pose);
  case 4: return scale_axes_randomly(random, shape, pose);
  default: return turn_randomly(random, shape, pose);
  }
}

static void check_pose(uint64_t seed, const sat_Shape *shape, const Pose *pose) {
  Real size = shape->bounding_radius + fabsl(pose->centroid.x) + fabsl(pose->centroid.y),
       hair = 1e-12L * size;
  CHECK_SEED(seed, error_of(sat_shape_center(shape), pose->centroid) <= hair);
  CHECK_SEED(seed, fabsl(sat_shape_rotation(shape) - pose->angle) <= 1e-12L);
  CHECK_SEED(seed, fabsl(sat_shape_scale_factor(shape) - pose->scale) <= 1e-12L * pose->scale);
  CHECK_SEED(seed, fabsl(sat_shape_radius(shape) - pose->radius) <= 1e-12L * pose->radius);
  for (size_t i = 0; i < pose->count; i++) {
    CHECK_SEED(seed, error_of(sat_shape_vertex(shape, i), pose_vertex(pose, i)) <= hair);
  }
}

TEST(any_sequence_of_changes_leads_where_it_should) {
  for (uint64_t seed = 1; seed <= rounds(5000); seed++) {
    Random random = {seed};
    sat_Vec2 points[16];
    Pose pose;
    size_t count = random_whole_polygon(&random, 10, 12, points);
    if (seed % 8 < 2) count = 1 + seed % 2;
    sat_Shape *shape = shape_make(points, count, seed % 3 == 0 ? 0.75 : 0);
    pose_read(&pose, shape);
    for (int i = 0; i < 12; i++) {
      assert_int_equal(change_randomly(&random, shape, &pose), SAT_OK);
      check_pose(seed, shape, &pose);
    }
    free(shape);
  }
}

TEST(a_million_small_turns_and_back_distort_nothing) {
  sat_Shape *shape = shape_box(100, 200, 40, 30), *as_it_was = shape_copy(shape);
  for (int i = 0; i < 1000000; i++) sat_shape_rotate(shape, 0.001);
  assert_true(fabs(sat_shape_rotation(shape) - 1000) < 1e-6);
  assert_true(fabs(shape->bounding_radius - 25) < 1e-12);
  for (int i = 0; i < 1000000; i++) sat_shape_rotate(shape, -0.001);
  for (size_t i = 0; i < 4; i++) {
    Point expected = solid_vertex(as_it_was, i);
    assert_true(error_of(sat_shape_vertex(shape, i), expected) <= 1e-9L);
  }
  assert_true(same_vector(sat_shape_center(shape), sat_shape_center(as_it_was)));
  free(shape);
  free(as_it_was);
}

/* The origin and the centroid round differently where they lie between different powers of two. */
TEST(a_million_small_moves_leave_the_centre_in_the_middle) {
  static const double places[] = {0, 1000, 1e6, 1e7};
  for (int k = 0; k < 4; k++) {
    sat_Vec2 points[3] = {{0, 0}, {70, 0.3}, {12, 33}};
    for (int i = 0; i < 3; i++) points[i].x += places[k];
    sat_Shape *shape = shape_make(points, 3, 0);
    for (int i = 0; i < 1000000; i++) sat_shape_move(shape, 0.1, 0.07);
    Solid solid;
    solid_read(&solid, shape);
    Real size = places[k] + 1e5L;
    assert_true(error_of(sat_shape_center(shape), solid_centroid(&solid)) <= 1e-12L * size);
    sat_shape_rotate(shape, 1);
    sat_shape_rotate(shape, -1);
    for (size_t i = 0; i < 3; i++) {
      assert_true(error_of(sat_shape_vertex(shape, i), solid.vertices[i]) <= 1e-12L * size);
    }
    free(shape);
  }
}

TEST(flipping_twice_changes_no_bit) {
  for (Scene scene = {0}; scene_next(&scene, rounds(10000));) {
    sat_Shape *before = shape_copy(scene.a);
    for (int vertical = 0; vertical < 2; vertical++) {
      sat_shape_flip(scene.a, vertical);
      sat_shape_flip(scene.a, vertical);
      CHECK_SCENE(&scene, memcmp(scene.a, before, before->bytes) == 0);
    }
    free(before);
  }
}

TEST(quarter_turns_keep_whole_squares_whole) {
  sat_Shape *square = shape_box(2, 4, 6, 6), *about = shape_box(2, 4, 6, 6);
  for (int arc = 1; arc <= 9; arc++) {
    sat_Box box;
    assert_int_equal(sat_shape_rotate(square, pi / 2), SAT_OK);
    box = sat_shape_bounds(square);
    assert_true(box.min.x == 2 && box.min.y == 4 && box.max.x == 8 && box.max.y == 10);
    assert_int_equal(sat_shape_set_rotation_about(about, arc * pi / 2, vec2(0, 0)), SAT_OK);
    box = sat_shape_bounds(about);
    assert_true(box.max.x - box.min.x == 6 && box.max.y - box.min.y == 6);
    assert_true(box.min.x == floor(box.min.x) && box.min.y == floor(box.min.y));
    for (size_t i = 0; i < 4; i++) {
      sat_Vec2 v = sat_shape_vertex(square, i);
      assert_true((v.x == 2 || v.x == 8) && (v.y == 4 || v.y == 10));
    }
  }
  free(square);
  free(about);
}

/* Makes a triangle or a chain of three whole points, which `at` receives. Returns NULL if a
 * triangle has no area. */
static sat_Shape *make_whole(Random *random, sat_Vec2 at[3]) {
  for (int i = 0; i < 3; i++)
    at[i] = vec2((double)random_integer(random, -1000, 1000),
                 (double)random_integer(random, -1000, 1000));
  if (random_integer(random, 0, 1)) {
    sat_Shape *chain = malloc(sat_chain_bytes(3));
    assert_non_null(chain);
    assert_int_equal(sat_chain_init(chain, at, 3, false), SAT_OK);
    return chain;
  }
  double area = sat_ring_area(at, 3);
  sat_Vec2 second = at[1];
  if (area < 0) {
    at[1] = at[2];
    at[2] = second;
  }
  return area != 0 ? shape_make(at, 3, 0) : NULL;
}

/* The sum of many relative quarter turns stays a whole number of quarters, whatever their
 * roundings. */
TEST(a_thousand_quarter_turns_keep_whole_squares_whole) {
  for (int arc = -3; arc <= 3; arc++) {
    sat_Shape *square = shape_box(2, 4, 6, 6);
    sat_Vec2 first = sat_shape_vertex(square, 0), at = first;
    for (int turns = 1; turns <= 1000; turns++) {
      assert_int_equal(sat_shape_rotate(square, arc * (pi / 2)), SAT_OK);
      sat_Box box = sat_shape_bounds(square);
      assert_true(box.min.x == 2 && box.min.y == 4 && box.max.x == 8 && box.max.y == 10);
      assert_true(fabs(sat_shape_rotation(square) - turns * arc * (pi / 2)) < 1e-12);
    }
    for (int turns = 1; turns <= 1000; turns++) {
      assert_int_equal(sat_shape_rotate_about(square, arc * (pi / 2), vec2(-3, 1.5)), SAT_OK);
      for (int k = 0; k < (arc & 3); k++) at = add(vec2(-3, 1.5), perp(sub(at, vec2(-3, 1.5))));
      sat_Vec2 vertex = sat_shape_vertex(square, 0);
      assert_true(same_vector(vertex, at));
    }
    assert_true(same_vector(sat_shape_vertex(square, 0), first));
    free(square);
  }
}

/* Turns a shape by quarters about a pivot of halves, moves it by halves, or turns it about its
 * centroid and back. An angle that is set is a multiple of a quarter turn, since a sum of
 * multiples has the rounding of each. */
static void step_whole(Random *random, sat_Shape *shape, sat_Vec2 at[3]) {
  sat_Vec2 pivot = vec2((double)random_integer(random, -200, 200) / 2,
                        (double)random_integer(random, -200, 200) / 2);
  int64_t quarters = random_integer(random, -3, 3);
  double angle = (double)quarters * (pi / 2), before = sat_shape_rotation(shape);
  double after = (round(before / (pi / 2)) + (double)quarters) * (pi / 2);
  switch (random_integer(random, 0, 3)) {
  case 0:
    assert_int_equal(sat_shape_move(shape, pivot.x, pivot.y), SAT_OK);
    for (int i = 0; i < 3; i++) at[i] = add(at[i], pivot);
    return;
  case 1:
    assert_int_equal(sat_shape_rotate(shape, (double)random_integer(random, 1, 6)), SAT_OK);
    assert_int_equal(sat_shape_set_rotation(shape, before), SAT_OK);
    return;
  case 2: assert_int_equal(sat_shape_rotate_about(shape, angle, pivot), SAT_OK); break;
  default: assert_int_equal(sat_shape_set_rotation_about(shape, after, pivot), SAT_OK);
  }
  for (int i = 0; i < 3; i++)
    for (int64_t k = 0; k < (quarters & 3); k++) at[i] = add(pivot, perp(sub(at[i], pivot)));
}

TEST(quarter_turns_about_whole_pivots_keep_whole_vertices_whole) {
  for (uint64_t seed = 1; seed <= rounds(3000); seed++) {
    Random random = {seed};
    sat_Vec2 at[3], center;
    sat_Shape *shape = make_whole(&random, at);
    for (int step = 0; shape && step < 8; step++) {
      step_whole(&random, shape, at);
      for (size_t i = 0; i < 3; i++)
        CHECK_SEED(seed, same_vector(sat_shape_vertex(shape, i), at[i]));
      center = sat_shape_center(shape);
      assert_int_equal(sat_shape_rotate(shape, 0), SAT_OK);
      CHECK_SEED(seed, same_vector(sat_shape_center(shape), center));
    }
    if (shape && shape->vertex_count == 3) {
      Point middle = point_mul(
          point_add(point_add(point_of(at[0]), point_of(at[1])), point_of(at[2])), 1.0L / 3);
      CHECK_SEED(seed, error_of(sat_shape_center(shape), middle) < 1e-12L);
    }
    free(shape);
  }
}

TEST(the_radius_is_scaled_and_set) {
  sat_Shape *shape = shape_circle(10, 10, 2);
  assert_int_equal(sat_shape_scale_about(shape, 2, vec2(0, 0)), SAT_OK);
  assert_true(sat_shape_radius(shape) == 4 && same_vector(sat_shape_center(shape), vec2(20, 20)));
  assert_int_equal(sat_shape_set_radius(shape, 1), SAT_OK);
  sat_Box box = sat_shape_bounds(shape);
  assert_true(box.min.x == 19 && box.max.y == 21);
  assert_true(sat_shape_scale_factor(shape) == 2);
  free(shape);
}

/* ---------------------------------------------------------------- setters that fail */

/* Each setter, with one number that may be bad. */
static sat_Status call_setter(sat_Shape *shape, int setter, double number) {
  sat_Vec2 good = vec2(1, 2), x = vec2(number, 1), y = vec2(1, number);
  switch (setter) {
  case 0: return sat_shape_move(shape, x.x, x.y);
  case 1: return sat_shape_move(shape, y.x, y.y);
  case 2: return sat_shape_move_to(shape, x.x, x.y);
  case 3: return sat_shape_move_to(shape, y.x, y.y);
  case 4: return sat_shape_rotate(shape, number);
  case 5: return sat_shape_rotate_about(shape, number, good);
  case 6: return sat_shape_rotate_about(shape, 1, x);
  case 7: return sat_shape_rotate_about(shape, 1, y);
  case 8: return sat_shape_set_rotation(shape, number);
  case 9: return sat_shape_set_rotation_about(shape, number, good);
  case 10: return sat_shape_set_rotation_about(shape, 3, x);
  case 11: return sat_shape_transform(shape, x.x, x.y, 1);
  case 12: return sat_shape_transform(shape, y.x, y.y, 1);
  case 13: return sat_shape_transform(shape, 1, 1, number);
  case 14: return sat_shape_scale(shape, number);
  case 15: return sat_shape_scale_about(shape, number, good);
  case 16: return sat_shape_scale_about(shape, 2, x);
  case 17: return sat_shape_scale_about(shape, 2, y);
  case 18: return sat_shape_scale_axes(shape, number, 1);
  case 19: return sat_shape_scale_axes(shape, 1, number);
  default: return sat_shape_set_radius(shape, number);
  }
}

static void assert_refused(sat_Shape *shape, int setter, double number, sat_Status expected) {
  sat_Shape *before = shape_copy(shape);
  assert_int_equal(call_setter(shape, setter, number), expected);
  assert_memory_equal(shape, before, before->bytes);
  free(before);
}

TEST(a_setter_that_fails_changes_no_byte) {
  static const double bad[] = {NAN, HUGE_VAL, 1e300, 2e15};
  for (int form = 0; form < 3; form++) {
    sat_Shape *shape = shape_box(0.1, 0.2, 3, 4);
    assert_int_equal(sat_shape_set_radius(shape, 0.5), SAT_OK);
    if (form > 0) assert_int_equal(sat_shape_rotate(shape, 1), SAT_OK);
    if (form > 1) sat_shape_flip(shape, true);
    for (int setter = 0; setter <= 20; setter++) {
      for (int i = 0; i < 4; i++) assert_refused(shape, setter, bad[i], SAT_ERANGE);
      bool sign = setter < 14; /* the others are sizes */
      if (sign) assert_refused(shape, setter, -HUGE_VAL, SAT_ERANGE);
    }
    assert_refused(shape, 14, 0, SAT_EVALUE);
    assert_refused(shape, 14, -1, SAT_EVALUE);
    assert_refused(shape, 15, -0.0, SAT_EVALUE);
    assert_refused(shape, 18, 0, SAT_EVALUE);
    assert_refused(shape, 19, -1, SAT_EVALUE);
    assert_refused(shape, 19, 1e-16, SAT_ERANGE);
    assert_refused(shape, 20, -1, SAT_EVALUE);
    free(shape);
  }
}

TEST(a_change_that_ends_out_of_range_is_refused) {
  sat_Shape *shape = shape_box(0, 0, 8e14, 8e14), *before = shape_copy(shape);
  assert_int_equal(sat_shape_move(shape, 7e14, 0), SAT_ERANGE); /* the centre */
  assert_int_equal(sat_shape_move(shape, 0, -5e14), SAT_OK);
  assert_int_equal(sat_shape_move(shape, 0, 5e14), SAT_OK);
  assert_int_equal(sat_shape_scale(shape, 4), SAT_ERANGE); /* the size */
  assert_int_equal(sat_shape_scale_axes(shape, 1, 4), SAT_ERANGE);
  assert_int_equal(sat_shape_scale_about(shape, 1.5, vec2(-9e14, 0)), SAT_ERANGE);
  assert_int_equal(sat_shape_rotate_about(shape, 3, vec2(-9e14, 0)), SAT_ERANGE);
  assert_memory_equal(shape, before, before->bytes);
  assert_int_equal(sat_shape_rotate(shape, 9e14), SAT_OK);
  assert_int_equal(sat_shape_rotate(shape, 9e14), SAT_ERANGE); /* the angle */
  free(shape);
  free(before);
  shape = shape_circle(0, 0, 4e14);
  assert_int_equal(sat_shape_scale(shape, 3), SAT_ERANGE); /* the radius */
  assert_true(sat_shape_radius(shape) == 4e14);
  free(shape);
}

TEST(no_move_and_no_scale_takes_a_vertex_out_of_range) {
  sat_Shape *shape = shape_box(0, 0, 8e14, 8e14), *before = shape_copy(shape);
  assert_int_equal(sat_shape_move(shape, 5e14, 0), SAT_ERANGE);
  assert_int_equal(sat_shape_move_to(shape, 4e14, -9e14), SAT_ERANGE);
  assert_int_equal(sat_shape_scale(shape, 1.6), SAT_ERANGE);
  assert_memory_equal(shape, before, before->bytes);
  free(shape);
  free(before);
}

TEST(a_shape_may_shrink_to_a_trillionth_and_come_back) {
  sat_Shape *shape = shape_box(-2, -3, 4, 6);
  for (int i = 0; i < 40; i++) assert_int_equal(sat_shape_scale(shape, 0.5), SAT_OK);
  for (int i = 0; i < 40; i++) assert_int_equal(sat_shape_scale(shape, 2), SAT_OK);
  sat_Box box = sat_shape_bounds(shape);
  assert_true(box.min.x == -2 && box.min.y == -3 && box.max.x == 2 && box.max.y == 3);
  for (int i = 0; i < 40; i++) sat_shape_scale(shape, 0.1);
  assert_true(sat_shape_scale_factor(shape) >= 1e-15 * (1 - 1e-12));
  free(shape);
}

/* ---------------------------------------------------------------- sizes */

TEST(the_measures_of_a_million_vertices_are_accurate) {
  sat_Shape *shape = shape_regular(1e6, -1e6, 1000, 1000000);
  assert_true(fabs(sat_shape_area(shape) / (pi * 1e6) - 1) < 1e-10);
  sat_Box box = sat_shape_bounds(shape);
  assert_true(fabs(box.min.x - 999000) < 1e-8 && fabs(box.max.y + 999000) < 1e-8);
  sat_Vec2 support = sat_shape_support(shape, vec2(3, 4));
  assert_true(error_of(support, point_at(1e6L + 600, -1e6L + 800)) < 1e-2L);
  assert_int_equal(sat_shape_rotate(shape, 1), SAT_OK);
  assert_true(fabs(sat_shape_bounding_radius(shape) - 1000) < 1e-9);
  free(shape);
}

TEST(tiny_and_huge_shapes_keep_their_digits) {
  static const double sizes[] = {1e-12, 1e-3, 1e9, 1e14};
  for (int i = 0; i < 4; i++) {
    sat_Shape *shape = shape_box(0, 0, sizes[i], 2 * sizes[i]);
    assert_true(fabs(sat_shape_area(shape) / (2 * sizes[i] * sizes[i]) - 1) < 1e-15);
    Point middle = point_at(sizes[i] / 2, sizes[i]);
    assert_true(error_of(sat_shape_center(shape), middle) <= 1e-15L * sizes[i]);
    assert_int_equal(sat_shape_rotate(shape, pi / 2), SAT_OK);
    sat_Box box = sat_shape_bounds(shape);
    assert_true(fabs((box.max.x - box.min.x) / (2 * sizes[i]) - 1) < 1e-15);
    free(shape);
  }
}

int main(void) { return run_suite(NULL, NULL); }
