/* test_plain_pairs.c: the closed forms for the plain pairs of games have the bits of the general
 * path: random, touching, tied, tiny, huge and without size, in both orders. */
#include "test/oracle.h"

#include "narrowphase/collide.h"
#include "narrowphase/convex/simd/fast_path.h"

#include <stdlib.h>
#include <string.h>

/* The units of a scene: whole, dyadic and decimal numbers, tiny ones, huge ones, and such as no
 * other number is near to. */
static const double units[] = {1, 0x1p-4, 0.1, 1.0 / 3, 16, 1e-30, 0x1p-300, 1e11, 0x1p37, 0.7071};
enum { UNITS = sizeof units / sizeof *units };

/* A number of whole units, or any, or one within rounding of a whole one. */
static double random_length(Random *random, double unit, int64_t low, int64_t high) {
  double whole = unit * (double)random_integer(random, low, high);
  switch (random_integer(random, 0, 11)) {
  case 0: return unit * random_real(random, (double)low, (double)high);
  case 1: return whole + unit * 0x1p-50;
  default: return whole;
  }
}

/* A box whose ring begins at any of its corners. */
static sat_Shape *random_box(Random *random, double unit, sat_Vec2 at) {
  double w = random_length(random, unit, 1, 6), h = random_length(random, unit, 1, 6);
  if (random_integer(random, 0, 9) == 0) {
    at.x = 0;
    w = unit * (double)random_integer(random, 1, 3) * 0x1p-52;
  }
  if (random_integer(random, 0, 30) == 0) h = 1000 * unit;
  if (random_integer(random, 0, 2) == 0) h = w;
  sat_Vec2 corners[4] = {at, {at.x + w, at.y}, {at.x + w, at.y + h}, {at.x, at.y + h}}, points[4];
  size_t first = (size_t)random_integer(random, 0, 3);
  for (size_t i = 0; i < 4; i++) points[i] = corners[(first + i) % 4];
  if (equal_points(corners[0], corners[1]) || equal_points(corners[1], corners[2]))
    return shape_make(&at, 1, 0);
  return shape_make(points, 4, 0);
}

static sat_Shape *random_round(Random *random, double unit, sat_Vec2 at) {
  sat_Vec2 points[2] = {
      at, {at.x + random_length(random, unit, -6, 6), at.y + random_length(random, unit, -2, 2)}};
  if (random_integer(random, 0, 2)) points[1].y = at.y;
  double radius = fabs(random_length(random, unit, 0, 4));
  size_t count = random_integer(random, 0, 2) && !equal_points(points[0], points[1]) ? 2 : 1;
  return shape_make(points, count, radius >= SAT_TINY ? radius : 0);
}

/* Quarter turns, mirrors and other transforms, most of which leave boxes upright. */
static void transform(Random *random, sat_Shape *shape) {
  sat_Vec2 center = sat_shape_center(shape);
  switch (random_integer(random, 0, 10)) {
  case 0: sat_shape_rotate(shape, 1.5707963267948966); break;
  case 1: sat_shape_rotate(shape, 3.141592653589793); break;
  case 2: sat_shape_flip(shape, random_integer(random, 0, 1)); break;
  case 3: sat_shape_scale(shape, 2); break;
  case 4: sat_shape_rotate(shape, random_real(random, -4, 4)); break;
  case 5: sat_shape_rotate_about(shape, 1.5707963267948966, vec2(center.x + 1, center.y)); break;
  case 6: sat_shape_set_radius(shape, random_integer(random, 0, 1) ? 1 : 0); break;
  default: break;
  }
}

static sat_Shape *random_plain(Random *random, double unit) {
  sat_Vec2 at = {random_length(random, unit, -6, 6), random_length(random, unit, -6, 6)};
  sat_Shape *shape = random_integer(random, 0, 4) < 3 ? random_box(random, unit, at)
                                                      : random_round(random, unit, at);
  transform(random, shape);
  return shape;
}

static void make_plain_scene(Scene *scene, uint64_t seed) {
  Random random = {seed};
  double unit = units[random_integer(&random, 0, UNITS - 1)];
  *scene = (Scene){.seed = seed, .unit = unit};
  scene->a = random_plain(&random, unit);
  scene->b = random_integer(&random, 0, 30) ? random_plain(&random, unit) : shape_copy(scene->a);
  switch (random_integer(&random, 0, 9)) {
  case 0: scene_bring_to_touch(scene); break;
  case 1:
    sat_shape_move(scene->a, 1e6 * unit, -3e7 * unit);
    sat_shape_move(scene->b, 1e6 * unit, -3e7 * unit);
    break;
  case 2: sat_shape_move(scene->b, 20 * unit, 0); break;
  default: break;
  }
}

/* Whether two results are the same bits: the sign of a zero counts. */
static bool are_same(const sat_Result *a, const sat_Result *b) {
  return memcmp(&a->vector, &b->vector, sizeof a->vector) == 0 &&
         memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 &&
         memcmp(&a->depth, &b->depth, sizeof a->depth) == 0 && a->side == b->side &&
         a->edge == b->edge && a->corner == b->corner && a->tied == b->tied;
}

static bool same_contacts(const sat_Manifold *a, const sat_Manifold *b) {
  return memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 &&
         memcmp(&a->depth, &b->depth, sizeof a->depth) == 0 && a->count == b->count &&
         memcmp(a->points, b->points, a->count * sizeof *a->points) == 0;
}

static bool same_distance(const sat_Distance *a, const sat_Distance *b) {
  return memcmp(&a->distance, &b->distance, sizeof a->distance) == 0 &&
         memcmp(&a->on_a, &b->on_a, sizeof a->on_a) == 0 &&
         memcmp(&a->on_b, &b->on_b, sizeof a->on_b) == 0;
}

typedef struct Count {
  uint64_t inside, hits, touches, ties, separate, kinds[SAT_COMPOSITE_PAIR];
} Count;

static void check_distance(const Scene *scene, const sat_Shape *a, const sat_Shape *b,
                           Count *count) {
  double radius[2] = {a->radius, b->radius}, l1_bound[2] = {a->l1_bound, b->l1_bound};
  sat_Pair pair = sat_convex_pair(a, b);
  sat_Distance plain, baseline, general = sat_convex_distance(&pair, radius, l1_bound);
  CHECK_SCENE(scene, sat_distance(a, b, test_scratch(), &plain) == SAT_OK);
  CHECK_SCENE(scene, same_distance(&plain, &general));
  if (sat_pair_kind(a, b) == SAT_UPRIGHT_BOXES) {
    CHECK_SCENE(scene, sat_boxes_distance_baseline(a, b, &baseline) == SAT_OK);
    CHECK_SCENE(scene, same_distance(&baseline, &general));
  }
  count->separate += plain.distance > 0;
}

/* A coordinate on a side, halfway or anywhere, or one within a few roundings of those. */
static double random_near(Random *random, double origin, double low, double high) {
  double places[3] = {low, high, random_real(random, 2 * low - high, 2 * high - low)};
  double at = origin + places[random_integer(random, 0, 2)];
  for (int64_t steps = random_integer(random, -2, 2); steps != 0; steps += steps > 0 ? -1 : 1)
    at = nextafter(at, steps > 0 ? HUGE_VAL : -HUGE_VAL);
  return at;
}

static void check_points(const Scene *scene, const sat_Shape *shape, Count *count) {
  Random random = {scene->seed};
  sat_Convex convex = sat_convex_of(shape);
  sat_Box box = shape->box;
  for (int i = 0; i < 8; i++) {
    sat_Vec2 point = {random_near(&random, shape->origin.x, box.min.x, box.max.x),
                      random_near(&random, shape->origin.y, box.min.y, box.max.y)};
    bool inside =
        sat_convex_contains(&convex, shape->l1_bound, point, &(sat_Vec2){0, 0}, shape->radius);
    CHECK_SCENE(scene, (sat_contains_point(shape, point, test_scratch()) == SAT_OK) == inside);
    count->inside += inside;
  }
}

/* The kernels for any processor, which sat_collide and the like call where none is wider. */
static sat_Status baseline_collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  switch (sat_pair_kind(a, b)) {
  case SAT_UPRIGHT_BOXES: return sat_boxes_collide_baseline(a, b, result);
  case SAT_BOX_AND_CIRCLE: return sat_box_circle_collide_baseline(a, b, result);
  default: return sat_collide(a, b, test_scratch(), result);
  }
}

static sat_Status baseline_overlap(const sat_Shape *a, const sat_Shape *b) {
  switch (sat_pair_kind(a, b)) {
  case SAT_UPRIGHT_BOXES: return sat_boxes_overlap_baseline(a, b);
  case SAT_BOX_AND_CIRCLE: return sat_box_circle_overlap_baseline(a, b);
  default: return sat_overlaps(a, b, test_scratch());
  }
}

static sat_Verdict baseline_touch(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  switch (sat_pair_kind(a, b)) {
  case SAT_UPRIGHT_BOXES: return sat_boxes_touch_baseline(a, b, result);
  case SAT_BOX_AND_CIRCLE: return sat_box_circle_touch_baseline(a, b, result);
  default: return SAT_UNDECIDED;
  }
}

static void check_baseline(const Scene *scene, const sat_Shape *a, const sat_Shape *b,
                           sat_Status status, const sat_Result *general) {
  sat_Result plain = {.depth = 0}, touch = plain;
  sat_Manifold contacts, wanted;
  sat_Verdict verdict = baseline_touch(a, b, &touch);
  CHECK_SCENE(scene, baseline_collide(a, b, &plain) == status);
  CHECK_SCENE(scene, status != SAT_OK || are_same(&plain, general));
  CHECK_SCENE(scene, baseline_overlap(a, b) == status);
  CHECK_SCENE(scene, verdict == SAT_UNDECIDED || status_of_verdict(verdict) == status);
  CHECK_SCENE(scene, verdict != SAT_OVERLAP || are_same(&touch, general));
  if (sat_pair_kind(a, b) != SAT_UPRIGHT_BOXES) return;
  CHECK_SCENE(scene, sat_boxes_contacts_baseline(a, b, &contacts) == status);
  if (status != SAT_OK) return;
  sat_contacts_from_mtv(a, b, general, &wanted);
  CHECK_SCENE(scene, same_contacts(&contacts, &wanted));
}

static void check_pair(const Scene *scene, const sat_Shape *a, const sat_Shape *b, Count *count) {
  sat_Result plain = {.depth = 0}, general = plain, touch = plain;
  sat_Manifold contacts, wanted;
  bool is_near, near;
  check_distance(scene, a, b, count);
  sat_Status status = sat_convex_collide(a, b, &general);
  sat_Status touches = sat_convex_touch(a, b, sat_touch_rounding(a, b), &touch, &near);
  CHECK_SCENE(scene, touches == status && (status != SAT_OK || are_same(&touch, &general)));
  CHECK_SCENE(scene, sat_collide(a, b, test_scratch(), &plain) == status);
  CHECK_SCENE(scene, status != SAT_OK || are_same(&plain, &general));
  CHECK_SCENE(scene, sat_overlaps(a, b, test_scratch()) == status);
  CHECK_SCENE(scene, sat_touch(a, b, test_scratch(), &touch, &is_near) == status);
  CHECK_SCENE(scene, is_near == near && (status != SAT_OK || are_same(&touch, &general)));
  CHECK_SCENE(scene, sat_contacts(a, b, test_scratch(), &contacts) == status);
  check_baseline(scene, a, b, status, &general);
  if (status != SAT_OK) return;
  sat_contacts_from_mtv(a, b, &general, &wanted);
  CHECK_SCENE(scene, same_contacts(&contacts, &wanted));
  count->hits++;
  count->touches += general.depth == 0;
  count->ties += general.tied;
  count->kinds[sat_pair_kind(a, b)]++;
}

TEST(closed_forms_have_the_bits_of_the_general_path) {
  Count count = {.hits = 0};
  for (uint64_t seed = 1; seed <= rounds(60000); seed++) {
    Scene scene;
    make_plain_scene(&scene, seed);
    check_pair(&scene, scene.a, scene.b, &count);
    check_pair(&scene, scene.b, scene.a, &count);
    check_points(&scene, scene.a, &count);
    scene_free(&scene);
  }
  assert_true(count.hits > rounds(60000) / 4);
  assert_true(count.inside > rounds(60000) && count.inside < 7 * rounds(60000));
  assert_true(count.separate > rounds(60000) / 4);
  assert_true(count.touches > rounds(60000) / 40 && count.ties > rounds(60000) / 40);
  assert_true(count.kinds[SAT_UPRIGHT_BOXES] > rounds(60000) / 10);
  assert_true(count.kinds[SAT_BOX_AND_CIRCLE] > rounds(60000) / 50);
  assert_true(count.kinds[SAT_CIRCLES] > rounds(60000) / 100);
}

/* The mark of an upright box is there exactly while the box is one. */
TEST(a_box_is_upright_after_quarter_turns_alone) {
  sat_Vec2 corners[4] = {{0, 0}, {3, 0}, {3, 2}, {0, 2}};
  sat_Shape *box = shape_make(corners, 4, 0);
  assert_true(box->flags & SAT_UPRIGHT);
  sat_shape_rotate(box, 0.1);
  assert_false(box->flags & SAT_UPRIGHT);
  sat_shape_set_rotation(box, 1.5707963267948966);
  assert_true(box->flags & SAT_UPRIGHT);
  corners[2].x = 4;
  sat_Shape *other = shape_make(corners, 4, 0);
  assert_false(other->flags & SAT_UPRIGHT);
  free(box);
  free(other);
}

int main(void) { return run_suite(NULL, NULL); }
