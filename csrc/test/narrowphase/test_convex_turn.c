/* test_convex_turn.c: turns against the oracle, which rotates the vertices in long double and
 * compares all edges at many angles; and the cases that the contract of a turn names. */
#include "narrowphase/convex/convex_turn.h"
#include "test/oracle.h"

#include <stdlib.h>

/* A scene and a turn of its A. */
typedef struct TurnCase {
  const Scene *scene;
  sat_Vec2 pivot;
  double angle;
  Real r, farthest,
      least; /* rounding, the farthest vertex from the pivot, the distance not to fall below */
} TurnCase;

static Real distance_at(const TurnCase *turn, Real angle) {
  static Solid turned;
  Real c = cosl(angle), s = sinl(angle);
  Point pivot = point_of(turn->pivot);
  turned.count = turn->scene->solid_a.count;
  turned.radius = turn->scene->solid_a.radius;
  for (size_t i = 0; i < turned.count; i++) {
    Point arm = point_sub(turn->scene->solid_a.vertices[i], pivot);
    turned.vertices[i] = point_add(pivot, point_at(arm.x * c - arm.y * s, arm.x * s + arm.y * c));
  }
  return solid_gap(&turned, point_at(0, 0), &turn->scene->solid_b);
}

static double scale_of_shape(const sat_Shape *shape) {
  sat_Box box = sat_shape_bounds(shape);
  double far = max2(max2(-box.min.x, box.max.x), max2(-box.min.y, box.max.y));
  return max2(far, max2(box.max.x - box.min.x, box.max.y - box.min.y));
}

static TurnCase turn_case(const Scene *scene, Random *random) {
  TurnCase turn = {.scene = scene, .pivot = sat_shape_center(scene->a)};
  double size = sat_shape_bounding_radius(scene->a);
  if (random_integer(random, 0, 1))
    turn.pivot = add(turn.pivot, vec2(random_real(random, -size, size) * 2,
                                      random_real(random, -size, size) * 2));
  turn.angle = random_real(random, -7, 7);
  if (random_integer(random, 0, 2) == 0) turn.angle /= 100;
  turn.r = max2(scale_of_shape(scene->a), scale_of_shape(scene->b));
  turn.r = SAT_TOUCH_ERROR * most_of(turn.r, max2(fabs(turn.pivot.x), fabs(turn.pivot.y)));
  for (size_t i = 0; i < scene->solid_a.count; i++)
    turn.farthest = most_of(
        turn.farthest, point_length(point_sub(scene->solid_a.vertices[i], point_of(turn.pivot))));
  turn.farthest += scene->solid_a.radius;
  Real distance = distance_at(&turn, 0);
  turn.least = distance < -turn.r ? distance : 0;
  return turn;
}

/* Whether A falls below what is allowed by more than rounding after an angle, before it is clear of
 * it by as much; the steps grow by a fifth from what moves the farthest vertex by rounding. */
static bool gets_deeper(const TurnCase *turn, Real from) {
  Real step = turn->r / turn->farthest / 8;
  for (int i = 0; i < 200 && step < 7; i++) {
    Real distance = distance_at(turn, from + copysignl(step, turn->angle)) - turn->least;
    if (distance < -turn->r * 0.99L) return true;
    if (distance > turn->r * 1.01L) return false;
    step *= 1.2L;
  }
  return false;
}

/* Neither has an inside, and one is a point: a hit is no overlap. */
static bool is_thin(const Scene *scene) {
  return scene->solid_a.radius + scene->solid_b.radius == 0 && scene->solid_a.count <= 2 &&
         scene->solid_b.count <= 2 && scene->solid_a.count + scene->solid_b.count < 4;
}

static void check_way(const TurnCase *turn, Real end) {
  int samples = turn->scene->large ? 20 : 200;
  for (int i = 0; i <= samples; i++)
    CHECK_SCENE(turn->scene, distance_at(turn, end * i / samples) >= turn->least - turn->r * 1.01L);
}

/* Checks the answer of a turn. Returns whether it is a hit on the way. */
static bool check_turn(const TurnCase *turn) {
  const Scene *scene = turn->scene;
  sat_Hit hit;
  sat_Status status = sat_turn(scene->a, turn->angle, scene->b, turn->pivot, test_scratch(), &hit);
  CHECK_SCENE(scene, status == SAT_OK || status == SAT_MISS);
  bool is_hit = status == SAT_OK;
  Real way = most_of(-7, least_of(turn->angle, 7)), at = is_hit ? hit.t * (Real)turn->angle : way;
  check_way(turn, at);
  if (!is_hit) return false;
  CHECK_SCENE(scene, hit.t >= 0 && hit.t <= 1);
  CHECK_SCENE(scene, fabsl(distance_at(turn, at) - turn->least) <= turn->r);
  CHECK_SCENE(scene, fabs(length(hit.normal) - 1) < 1e-12);
  if (!scene->hard) CHECK_SCENE(scene, is_thin(scene) || gets_deeper(turn, at));
  sat_Vec2 motion = mul(perp(sub(hit.point, turn->pivot)), copysign(1, turn->angle));
  double slow = 4 * sqrt(2 * (double)(turn->r * turn->farthest));
  CHECK_SCENE(scene, dot(motion, hit.normal) < slow);
  return hit.t > 0;
}

/* The rounding by which turning moves the vertices has to be far below that of the answers. */
static bool is_fine(const TurnCase *turn) {
  return turn->r * 1024 < turn->farthest && !turn->scene->needles;
}

TEST(random_pairs_stop_where_they_touch) {
  Scene scene = {.seed = 0};
  Random random = {1};
  uint64_t count = rounds(1500), hits = 0;
  while (scene_next(&scene, count)) {
    TurnCase turn = turn_case(&scene, &random);
    if (is_fine(&turn)) hits += check_turn(&turn);
  }
  assert_true(hits > count / 10);
}

TEST(pairs_that_touch_stop_at_once_or_never_get_deeper) {
  Scene scene = {.seed = 0};
  Random random = {2};
  uint64_t count = rounds(400);
  while (scene_next(&scene, count)) {
    scene_bring_to_touch(&scene);
    TurnCase turn = turn_case(&scene, &random);
    if (is_fine(&turn)) check_turn(&turn);
  }
}

/* ---------------------------------------------------------------- named cases */

static sat_Status turn_by(const sat_Shape *a, double angle, const sat_Shape *b, sat_Hit *hit) {
  return sat_turn(a, angle, b, sat_shape_center(a), test_scratch(), hit);
}

TEST(a_box_between_walls_turns_by_the_angle_that_fits) {
  sat_Shape *box = shape_box(-20, -10, 40, 20), *wall = shape_box(-100, 17.5, 200, 10);
  sat_Hit hit;
  /* the corner is at 17.5 where sin(angle + atan(1 / 2)) = 17.5 / sqrt(500) */
  double angle = asin(17.5 / sqrt(500)) - atan(0.5);
  assert_int_equal(turn_by(box, 2, wall, &hit), SAT_OK);
  assert_true(fabs(hit.t * 2 - angle) < 1e-12);
  assert_true(same_vector(hit.normal, vec2(0, -1)) && fabs(hit.point.y - 17.5) < 1e-9);
  assert_int_equal(turn_by(box, -2, wall, &hit), SAT_OK);
  assert_true(fabs(hit.t * 2 - angle) < 1e-12);
  assert_int_equal(turn_by(box, angle - 1e-9, wall, &hit), SAT_MISS);
  free(box);
  free(wall);
}

TEST(a_touch_counts_only_where_the_turn_leads_in) {
  sat_Shape *box = shape_box(0, -10, 20, 10), *floor = shape_box(-50, 0, 100, 10);
  sat_Hit hit;
  assert_int_equal(sat_turn(box, 0.1, floor, vec2(0, 0), test_scratch(), &hit), SAT_OK);
  assert_true(hit.t == 0 && same_vector(hit.normal, vec2(0, -1)));
  assert_int_equal(sat_turn(box, -0.1, floor, vec2(0, 0), test_scratch(), &hit), SAT_MISS);
  assert_int_equal(turn_by(box, 0.1, floor, &hit), SAT_OK);
  assert_true(hit.t == 0);
  free(box);
  free(floor);
}

TEST(a_bar_rolls_about_its_corner_until_it_is_flush) {
  sat_Shape *bar = shape_box(0, -10, 20, 10), *floor = shape_box(-50, 0, 100, 10);
  sat_Hit hit;
  assert_int_equal(sat_shape_rotate_about(bar, -0.5, vec2(0, 0)), SAT_OK);
  assert_int_equal(sat_turn(bar, 1, floor, vec2(0, 0), test_scratch(), &hit), SAT_OK);
  assert_true(fabs(hit.t - 0.5) < 1e-9);
  free(bar);
  free(floor);
}

TEST(what_overlaps_turns_until_it_would_be_deeper) {
  sat_Shape *bar = shape_box(-10, -1, 20, 2), *block = shape_box(5, -20, 10, 20.5);
  sat_Hit hit;
  assert_int_equal(turn_by(bar, -0.2, block, &hit), SAT_OK);
  assert_true(hit.t == 0);
  assert_int_equal(turn_by(bar, 0.2, block, &hit), SAT_MISS);
  free(bar);
  free(block);
}

TEST(a_circle_about_its_centre_meets_nothing) {
  sat_Shape *circle = shape_circle(3, 4, 5), *box = shape_box(-10, 9, 20, 5),
            *in = shape_box(0, 0, 4, 4);
  sat_Hit hit;
  assert_int_equal(turn_by(circle, 100, box, &hit), SAT_MISS);
  assert_int_equal(turn_by(circle, -100, in, &hit), SAT_MISS);
  free(circle);
  free(box);
  free(in);
}

TEST(angles_beyond_a_turn_meet_what_the_first_turn_does) {
  sat_Shape *bar = shape_box(-10, -1, 20, 2), *far = shape_box(20, 20, 5, 5),
            *near = shape_box(5, 5, 5, 5);
  sat_Hit once, often;
  assert_int_equal(turn_by(bar, 1e15, far, &often), SAT_MISS);
  assert_int_equal(turn_by(bar, 6, near, &once), SAT_OK);
  assert_int_equal(turn_by(bar, 1e15, near, &often), SAT_OK);
  assert_true(fabs(often.t * 1e15 - once.t * 6) < 1e-15 * 10);
  assert_true(same_vector(often.normal, once.normal));
  assert_int_equal(turn_by(bar, 2e15, near, &often), SAT_ERANGE);
  assert_int_equal(turn_by(bar, NAN, near, &often), SAT_ERANGE);
  assert_int_equal(sat_turn(bar, 1, near, vec2(INFINITY, 0), test_scratch(), &often), SAT_ERANGE);
  assert_int_equal(turn_by(bar, 0, near, &often), SAT_MISS);
  free(bar);
  free(far);
  free(near);
}

TEST(a_hand_of_a_clock_crosses_a_point_and_sweeps_along_a_line) {
  sat_Shape *hand = shape_make((sat_Vec2[]){{0, 0}, {10, 0}}, 2, 0),
            *point = shape_make((sat_Vec2[]){{0, 5}}, 1, 0),
            *tip = shape_make((sat_Vec2[]){{0, 10}}, 1, 0),
            *needle = shape_make((sat_Vec2[]){{0, 5}, {0, 20}}, 2, 0);
  sat_Hit hit;
  const sat_Shape *const met[] = {point, tip};
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(sat_turn(hand, SAT_PI, met[i], vec2(0, 0), test_scratch(), &hit), SAT_OK);
    assert_true(fabs(hit.t - 0.5) < 1e-11 && fabs(hit.normal.x - 1) + fabs(hit.normal.y) < 1e-6);
    assert_int_equal(sat_turn(hand, 1, met[i], vec2(0, 0), test_scratch(), &hit), SAT_MISS);
  }
  /* two segments that share more than a point for an instant cross at no time */
  assert_int_equal(sat_turn(hand, SAT_PI, needle, vec2(0, 0), test_scratch(), &hit), SAT_MISS);
  free(hand);
  free(point);
  free(tip);
  free(needle);
}

TEST(turned_against_itself_mirrored_a_turn_stops_at_the_same_angle) {
  Scene scene = {.seed = 0};
  Random random = {3};
  while (scene_next(&scene, rounds(200))) {
    TurnCase turn = turn_case(&scene, &random);
    sat_Hit hit, other;
    if (!is_fine(&turn)) continue;
    sat_Shape *shapes[2] = {shape_copy(scene.a), shape_copy(scene.b)};
    for (size_t i = 0; i < 2; i++) {
      sat_Vec2 center = sat_shape_center(shapes[i]);
      assert_int_equal(sat_shape_flip(shapes[i], false), SAT_OK);
      assert_int_equal(sat_shape_set_rotation(shapes[i], -sat_shape_rotation(shapes[i])), SAT_OK);
      assert_int_equal(sat_shape_move_to(shapes[i], -center.x, center.y), SAT_OK);
    }
    sat_Status status = sat_turn(scene.a, turn.angle, scene.b, turn.pivot, test_scratch(), &hit),
               mirrored = sat_turn(shapes[0], -turn.angle, shapes[1],
                                   vec2(-turn.pivot.x, turn.pivot.y), test_scratch(), &other);
    if (fabsl(distance_at(&turn, turn.angle)) > 16 * turn.r)
      CHECK_SCENE(&scene, status == mirrored);
    if (status == SAT_OK && mirrored == SAT_OK)
      CHECK_SCENE(&scene, fabs(hit.t - other.t) * fabs(turn.angle) < 1e-6);
    free(shapes[0]);
    free(shapes[1]);
  }
}

/* ---------------------------------------------------------------- the arctangent */

TEST(the_angle_of_a_vector_is_right_in_every_direction) {
  Random random = {4};
  const sat_Vec2 axes[] = {{3, 0}, {0, 2}, {-1, 0}, {0, -7}};
  for (int i = 0; i < 4; i++) assert_true(sat_angle_of(axes[i]) == i * SAT_HALF_PI_HIGH);
  for (uint64_t i = 0; i < rounds(20000); i++) {
    double angle = random_real(&random, 0, 2 * SAT_PI), size = exp(random_real(&random, -30, 30));
    sat_Vec2 v = mul(vec2(cos(angle), sin(angle)), size);
    Real right = atan2l(v.y, v.x);
    if (right < 0) right += 2 * acosl(-1);
    assert_true(fabsl(sat_angle_of(v) - right) <= 2 * ulp_of(right));
  }
}

int main(void) { return run_suite(NULL, NULL); }
