/* test_mtv_tie_break.c: the choice among equally short translations, against a brute force over all
 * directions, in scenes that are swapped and mirrored, by every path that can answer. */
#include "narrowphase/convex/convex_pair.h"
#include "test/composite_shapes.h"
#include "test/exact_union.h"
#include "test/oracle.h"
#include "test/polygons.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- examples */

static void check_way(sat_Shape *a, sat_Shape *b, double x, double y) {
  sat_Result way;
  assert_int_equal(sat_collide(a, b, test_scratch(), &way), SAT_OK);
  assert_true(fabs(way.vector.x - x) + fabs(way.vector.y - y) <= 1e-14 * way.depth);
  assert_true(fabs(way.depth - length(vec2(x, y))) <= 1e-14 * way.depth);
  free(a);
  free(b);
}

TEST(the_most_upright_of_vectors_as_much_away_from_the_other_centre_wins) {
  check_way(shape_box(7, 7, 20, 20), shape_box(0, 0, 20, 20), 0, 13);
  check_way(shape_box(-7, 7, 20, 20), shape_box(0, 0, 20, 20), 0, 13);
  check_way(shape_box(7, -7, 20, 20), shape_box(0, 0, 20, 20), 0, -13);
  check_way(shape_box(1e7, 1e7, 2, 2), shape_box(1e7 + 1, 1e7 + 1, 2, 2), 0, -1);
}

TEST(where_the_centres_coincide_the_way_out_leads_up) {
  check_way(shape_box(0, 0, 14, 14), shape_box(2, 2, 10, 10), 0, -12);
  check_way(shape_box(-3, -30, 6, 60), shape_box(-30, -3, 60, 6), 0, -33);
  check_way(shape_circle(5, 5, 3), shape_box(0, 0, 10, 10), 0, -8);
  check_way(shape_circle(5, 5, 3), shape_circle(5, 5, 4), 0, -7);
  check_way(shape_regular(0, 0, 12, 6), shape_regular(0, 0, 12, 6), 0, -12 * sqrt(3));
  check_way(shape_box(-1, -4, 2, 8), shape_box(-1, -4, 2, 8), 2, 0);
  /* The centres differ by less than 1e-12 of the coordinates. */
  check_way(shape_box(0, 1000 + 2e-10, 14, 40), shape_box(0, 1000, 14, 40), 14, 0);
  check_way(shape_box(0, 1000 - 2e-10, 14, 40), shape_box(0, 1000, 14, 40), 14, 0);
}

TEST(of_opposite_vectors_across_the_line_of_the_centres_the_cross_product_decides) {
  check_way(shape_box(0, 0, 8, 2), shape_box(1, 0, 8, 2), 0, -2);
  check_way(shape_box(1, 0, 8, 2), shape_box(0, 0, 8, 2), 0, 2);
}

/* ---------------------------------------------------------------- scenes full of ties */

enum { MIRRORED_X = 1, MIRRORED_Y = 2, SWAPPED = 4, ALL_CHANGES = 8 };

static sat_Vec2 changed(sat_Vec2 v, int change) {
  return vec2(change & MIRRORED_X ? -v.x : v.x, change & MIRRORED_Y ? -v.y : v.y);
}

static sat_Shape *changed_shape(const sat_Shape *shape, int change) {
  sat_Vec2 points[MOST_VERTICES];
  size_t count = shape->vertex_count;
  int mirrors = change & (MIRRORED_X | MIRRORED_Y);
  bool turns_back = mirrors == MIRRORED_X || mirrors == MIRRORED_Y;
  for (size_t i = 0; i < count; i++)
    points[turns_back ? count - 1 - i : i] = changed(sat_shape_vertex(shape, i), change);
  return shape_make(points, count, shape->radius);
}

static sat_Shape *random_regular(Random *random, double x, double y) {
  static const int64_t counts[12] = {3, 4, 5, 6, 8, 12, 16, 24, 40, 100, 260, 300};
  size_t count = (size_t)counts[random_integer(random, 0, random_integer(random, 0, 3) ? 5 : 11)];
  double size = (double)random_integer(random, 1, 4), sine, cosine;
  sat_Vec2 points[MOST_VERTICES];
  for (size_t i = 0; i < count; i++) {
    sat_sine_cosine((double)i * (2 * 3.14159265358979323846) / (double)count, &sine, &cosine);
    points[i] = vec2(x + size * cosine, y + size * sine);
  }
  return shape_make(points, count, random_integer(random, 0, 7) ? 0 : 0.5);
}

/* A shape of many symmetries near 0, 0. */
static sat_Shape *symmetric_shape(Random *random) {
  double x = (double)random_integer(random, -3, 3), y = (double)random_integer(random, -3, 3);
  double w = (double)random_integer(random, 1, 4), h = (double)random_integer(random, 1, 4);
  sat_Vec2 diamond[4] = {{x, y - h}, {x + w, y}, {x, y + h}, {x - w, y}};
  sat_Vec2 upright[2] = {{x, y - h}, {x, y + h}}, level[2] = {{x - w, y}, {x + w, y}};
  double round = random_integer(random, 0, 5) == 5 ? 1 : 0;
  switch (random_integer(random, 0, 8)) {
  case 0: return shape_make(diamond, 4, round);
  case 1: return shape_make(upright, 2, round);
  case 2: return shape_make(level, 2, round);
  case 3: return shape_circle(x, y, w);
  case 4: return shape_make(diamond, 1, round);
  case 5: return random_regular(random, x, y);
  default: return shape_box(x, y, w, h);
  }
}

typedef struct Tie {
  Scene scene;
  Point centers;
  Point units[2 * MOST_VERTICES + 4];
  size_t count;
  bool sure; /* no depth is within rounding of the limit */
} Tie;

static void add_if_short(Tie *tie, Point unit, Real shortest) {
  Scene *scene = &tie->scene;
  Real limit = shortest * (1 + 1e-12L) + 8 * (Real)DBL_EPSILON * scene_reach(scene);
  Real depth = -solid_gap_along(&scene->solid_a, point_at(0, 0), &scene->solid_b, unit);
  tie->sure = tie->sure && fabsl(depth - limit) > scene_hair(scene);
  if (depth <= limit) tie->units[tie->count++] = unit;
}

/* Lists the directions of all vectors that are equally short: edges' normals, the directions that a
 * round corner may be left in, and the one that was chosen. */
static void list_units(Tie *tie, const sat_Result *way) {
  static Point units[2 * MOST_VERTICES + 4];
  Scene *scene = &tie->scene;
  Real shortest = most_of(-scene_gap(scene), 0), size;
  size_t count = solid_directions(&scene->solid_a, &scene->solid_b, units);
  Point centers =
      point_sub(point_of(sat_shape_center(scene->a)), point_of(sat_shape_center(scene->b)));
  size = point_length(centers);
  tie->centers = size > sat_touch_rounding(scene->a, scene->b) ? centers : point_at(0, 0);
  tie->count = 0;
  tie->sure = true;
  bool round = scene->a->radius + scene->b->radius > 0 || way->corner;
  if (round && (tie->centers.x != 0 || tie->centers.y != 0)) {
    units[count++] = point_mul(centers, 1 / size);
  } else if (round) {
    units[count++] = point_at(0, 1);
    units[count++] = point_at(0, -1);
  }
  for (size_t i = 0; i < count; i++) add_if_short(tie, units[i], shortest);
  tie->units[tie->count++] = point_of(way->normal);
}

/* Whether two answers are one but for rounding. */
static bool same_way(const sat_Result *one, const sat_Result *other, Real hair) {
  return length(sub(one->normal, other->normal)) <= 1e-9 &&
         fabsl((Real)one->depth - other->depth) <= hair;
}

/* The pair as the search in a union, the contacts and the axis see it. */
static void check_other_paths(const Scene *scene, const sat_Result *way) {
  const sat_Shape *a = scene->a, *b = scene->b;
  sat_Shape *of_a = make_compound(&a, 1), *of_b = make_compound(&b, 1);
  Real hair = 4 * scene_hair(scene) + 1e-11L * way->depth;
  sat_Result general, by_union;
  sat_Manifold manifold;
  sat_Axis axis;
  CHECK_SCENE(scene, sat_convex_collide(a, b, &general) == SAT_OK);
  CHECK_SCENE(scene,
              same_vector(general.vector, way->vector) && same_vector(general.normal, way->normal));
  CHECK_SCENE(scene, sat_contacts(a, b, test_scratch(), &manifold) == SAT_OK);
  CHECK_SCENE(scene, same_vector(manifold.normal, way->normal));
  CHECK_SCENE(scene, sat_axis(a, b, test_scratch(), &axis) == SAT_OK);
  CHECK_SCENE(scene, same_vector(axis.normal, way->normal));
  CHECK_SCENE(scene, sat_collide(of_a, b, test_scratch(), &by_union) == SAT_OK);
  CHECK_SCENE(scene, same_way(&by_union, way, hair));
  CHECK_SCENE(scene, sat_contacts(of_a, b, test_scratch(), &manifold) == SAT_OK);
  CHECK_SCENE(scene, same_vector(manifold.normal, by_union.normal));
  CHECK_SCENE(scene, sat_collide(a, of_b, test_scratch(), &by_union) == SAT_OK);
  CHECK_SCENE(scene, same_way(&by_union, way, hair));
  free(of_a);
  free(of_b);
}

/* Checks the choice of one scene against the brute force. Returns the step that decided, or -1. */
static int check_choice(Tie *tie, const sat_Result *way) {
  list_units(tie, way);
  TieChoice choice = tie_choice(tie->centers, tie->units, tie->count);
  if (!tie->sure || !choice.sure) return -1;
  Point off = point_sub(tie->units[choice.index], point_of(way->normal));
  CHECK_SCENE(&tie->scene, point_length(off) <= 2e-6L);
  bool chosen_is_short = tie->count > 1;
  CHECK_SCENE(&tie->scene, chosen_is_short || tie->scene.a->radius + tie->scene.b->radius > 0 ||
                               way->depth == 0);
  return choice.step;
}

static Scene changed_scene(const Scene *scene, int change) {
  Scene other = {.seed = scene->seed, .unit = 1};
  other.a = changed_shape(change & SWAPPED ? scene->b : scene->a, change);
  other.b = changed_shape(change & SWAPPED ? scene->a : scene->b, change);
  scene_read(&other);
  return other;
}

/* The vector of the changed scene has to be the changed vector, unless the cross product decided,
 * or what decides where the centres coincide. */
static void check_changed(const Tie *tie, const sat_Result *way, int step, int change) {
  static Tie other;
  sat_Result result;
  other.scene = changed_scene(&tie->scene, change);
  CHECK_SCENE(&tie->scene,
              sat_collide(other.scene.a, other.scene.b, test_scratch(), &result) == SAT_OK);
  check_choice(&other, &result);
  bool coincide = tie->centers.x == 0 && tie->centers.y == 0, mirrored = change & ~SWAPPED;
  if (!coincide && (step < 2 || !mirrored)) {
    sat_Vec2 normal = changed(way->normal, change);
    if (change & SWAPPED) normal = neg(normal);
    CHECK_SCENE(&tie->scene, length(sub(normal, result.normal)) <= 1e-9);
  }
  scene_free(&other.scene);
}

static void check_tie(Tie *tie, uint64_t decided[4]) {
  sat_Result way;
  if (sat_collide(tie->scene.a, tie->scene.b, test_scratch(), &way) != SAT_OK) return;
  int step = check_choice(tie, &way);
  decided[step + 1]++;
  check_other_paths(&tie->scene, &way);
  for (int change = 1; step >= 0 && change < ALL_CHANGES; change++)
    check_changed(tie, &way, step, change);
}

TEST(every_path_chooses_as_the_brute_force_does) {
  static Tie tie;
  uint64_t decided[4] = {0}, all = rounds(6000);
  for (uint64_t seed = 1; seed <= all; seed++) {
    Random random = {seed};
    tie.scene = (Scene){.seed = seed, .unit = 1};
    tie.scene.a = symmetric_shape(&random);
    tie.scene.b =
        random_integer(&random, 0, 4) ? symmetric_shape(&random) : shape_copy(tie.scene.a);
    scene_read(&tie.scene);
    check_tie(&tie, decided);
    scene_free(&tie.scene);
  }
  for (int step = 0; step < 3; step++) assert_true(decided[step + 1] > all / 50);
}

/* ---------------------------------------------------------------- ties that form chains */

/* A circle in the middle of a polygon, or nearly so, whose edges are at distances that differ by
 * parts of the tolerance of a tie: of three, the first may tie with the second and that with the
 * third, but not the first with the third. The edges begin anywhere. */
static sat_Shape *nearly_regular(Random *random, size_t count, size_t first) {
  sat_Vec2 points[16];
  double distance[16], sine[16], cosine[16];
  for (size_t i = 0; i < count; i++) {
    sat_sine_cosine((double)i * (2 * 3.14159265358979323846) / (double)count, &sine[i], &cosine[i]);
    distance[i] = 100 * (1 + 0.35e-12 * (double)random_integer(random, 0, 6));
  }
  for (size_t i = 0; i < count; i++) {
    size_t next = (i + 1) % count, at = (i + first) % count;
    double area = cosine[i] * sine[next] - sine[i] * cosine[next];
    points[at] = vec2((distance[i] * sine[next] - distance[next] * sine[i]) / area,
                      (distance[next] * cosine[i] - distance[i] * cosine[next]) / area);
  }
  return shape_make(points, count, 0);
}

TEST(the_order_of_the_edges_does_not_matter_where_ties_form_chains) {
  static Tie tie;
  uint64_t unsure = 0, all = rounds(2000);
  for (uint64_t seed = 1; seed <= all; seed++) {
    Random random = {seed}, same = {seed + 1000000};
    size_t count = (size_t)random_integer(&random, 3, 16);
    sat_Vec2 first_way = {0, 0};
    for (size_t first = 0; first < count; first++) {
      Random again = same;
      sat_Result way;
      tie.scene = (Scene){.seed = seed, .unit = 1};
      tie.scene.a = shape_circle((double)(seed % 3) * 1e-13, 0, 1);
      tie.scene.b = nearly_regular(&again, count, first);
      scene_read(&tie.scene);
      assert_int_equal(sat_collide(tie.scene.a, tie.scene.b, test_scratch(), &way), SAT_OK);
      unsure += check_choice(&tie, &way) < 0 && !tie.sure;
      if (first == 0) first_way = way.normal;
      CHECK_SCENE(&tie.scene, !tie.sure || length(sub(way.normal, first_way)) <= 1e-9);
      scene_free(&tie.scene);
    }
  }
  assert_true(unsure < 2 * all);
}

/* ---------------------------------------------------------------- unions */

/* A plus, a ring of boxes or a block of tiles: composite shapes of many symmetries. */
static sat_Shape *symmetric_union(Random *random) {
  sat_Shape *members[10] = {NULL};
  double x = (double)random_integer(random, -2, 2), y = (double)random_integer(random, -2, 2);
  double size = (double)random_integer(random, 1, 3);
  int64_t kind = random_integer(random, 0, 3);
  size_t count = 0;
  if (kind == 0) {
    members[count++] = shape_box(x - size, y - 3 * size, 2 * size, 6 * size);
    members[count++] = shape_box(x - 3 * size, y - size, 6 * size, 2 * size);
  }
  for (int64_t i = 0; i < 9 && kind > 0 && kind < 3; i++) {
    int64_t column = i % 3, row = i / 3;
    if (kind == 2 && i == 4) continue;
    members[count++] = shape_box(x + (double)column * size, y + (double)row * size, size, size);
  }
  for (int64_t i = 0; i < 2 && kind == 3; i++)
    members[count++] = shape_circle(x + (double)i * size, y, size);
  sat_Shape *shape = make_compound((const sat_Shape *const *)members, count);
  free_all(members);
  return shape;
}

static sat_Shape *changed_union(const sat_Shape *shape, int change) {
  sat_Shape *members[16] = {NULL};
  size_t count = sat_shape_piece_count(shape);
  for (size_t i = 0; i < count; i++) {
    sat_Shape *piece = piece_of(shape, i);
    members[count - 1 - i] = changed_shape(piece, change);
    free(piece);
  }
  sat_Shape *other = make_compound((const sat_Shape *const *)members, count);
  free_all(members);
  return other;
}

/* A mirrored scene, its pieces in the opposite order, has the mirrored vector, or one that is as
 * much away from the other centre and as upright, so that the cross product decides. */
static void check_changed_unions(uint64_t seed, const sat_Shape *a, const sat_Shape *b) {
  sat_Result way, other;
  sat_Vec2 centres = sub(sat_shape_center(a), sat_shape_center(b));
  bool coincide = length(centres) <= sat_touch_rounding(a, b);
  sat_Status status = sat_collide(a, b, test_scratch(), &way);
  if (status == SAT_OK && way.depth < 1e-9) return; /* rounding may decide about touching circles */
  for (int change = 1; status == SAT_OK && change < ALL_CHANGES; change++) {
    sat_Shape *p = changed_union(a, change), *q = changed_union(b, change);
    bool swapped = change & SWAPPED, mirrored = change & ~SWAPPED;
    sat_Vec2 normal = changed(way.normal, change), centers = changed(centres, change);
    normal = swapped ? neg(normal) : normal;
    centers = swapped ? neg(centers) : centers;
    status = sat_collide(swapped ? q : p, swapped ? p : q, test_scratch(), &other);
    CHECK_SEED(seed, status == SAT_OK && fabs(way.depth - other.depth) <= 1e-12 * way.depth);
    double along = dot(centers, sub(normal, other.normal));
    CHECK_SEED(seed, coincide || fabs(along) <= 1e-9 * length(centers));
    CHECK_SEED(seed, fabs(fabs(normal.y) - fabs(other.normal.y)) <= 1e-9);
    bool same = length(sub(normal, other.normal)) <= 1e-9;
    CHECK_SEED(seed, same || mirrored || coincide);
    free(p);
    free(q);
  }
}

TEST(mirrored_unions_have_mirrored_vectors) {
  for (uint64_t seed = 1; seed <= rounds(3000); seed++) {
    Random random = {seed};
    sat_Shape *a = symmetric_union(&random);
    sat_Shape *b =
        random_integer(&random, 0, 2) ? symmetric_union(&random) : symmetric_shape(&random);
    check_changed_unions(seed, a, b);
    free(a);
    free(b);
  }
}

int main(void) { return run_suite(NULL, NULL); }
