/* test_convex_cast.c: casts and rays against the oracle, whose separation along the motion is a
 * convex function of the time, so that a golden section search finds its minimum. */
#include "narrowphase/collide.h"
#include "narrowphase/configuration_space.h"
#include "narrowphase/convex/convex_cast.h"
#include "narrowphase/convex/convex_pair.h"
#include "narrowphase/composite/piece_pairs.h"
#include "test/composite_shapes.h"

#include <stdlib.h>
#include <string.h>

static Point at_time(sat_Vec2 motion, Real t) { return point_mul(point_of(motion), t); }

static Real gap_at(const Scene *scene, sat_Vec2 motion, Real t) {
  return solid_gap(&scene->solid_a, at_time(motion, t), &scene->solid_b);
}

/* The error bound of a position: sixteen units in the last place of the largest coordinate on the
 * way. */
static Real way_hair(const Scene *scene, sat_Vec2 motion) {
  return 16 * ulp_of(scene_reach(scene) + point_length(point_of(motion)));
}

static sat_Status cast(const Scene *scene, sat_Vec2 motion, sat_Hit *hit) {
  return sat_cast(scene->a, motion, scene->b, test_scratch(), hit);
}

/* The rounding within which the two touch: see sat_touch_rounding. */
static Real touch_of(const Scene *scene) { return sat_touch_rounding(scene->a, scene->b); }

/* ---------------------------------------------------------------- the definition */

typedef enum Passage { STAYS_OUT, UNCLEAR, GOES_IN } Passage;

/* An interval of times that contains the minimum of the separation, and the separations at two
 * times in it. */
typedef struct TimeRange {
  Real low, early, late, high, gap_early, gap_late;
} TimeRange;

#define GOLDEN 0.6180339887498948482L

/* Drops the part of the interval beyond the larger of the two separations, by the golden
 * section. */
static void narrow(const Scene *scene, sat_Vec2 motion, TimeRange *s) {
  if (s->gap_early < s->gap_late) {
    s->high = s->late;
    s->late = s->early;
    s->gap_late = s->gap_early;
    s->early = s->high - GOLDEN * (s->high - s->low);
    s->gap_early = gap_at(scene, motion, s->early);
  } else {
    s->low = s->early;
    s->early = s->late;
    s->gap_early = s->gap_late;
    s->late = s->low + GOLDEN * (s->high - s->low);
    s->gap_late = gap_at(scene, motion, s->late);
  }
}

/* Whether A gets into B by more than rounding, or stays outside by more than rounding. The
 * separation cannot change by more than A moves. */
static Passage passage_of(const Scene *scene, sat_Vec2 motion) {
  Real hair = way_hair(scene, motion), deep = hair + 4 * touch_of(scene),
       way = point_length(point_of(motion));
  TimeRange s = {0, 1 - GOLDEN, GOLDEN, 1, 0, 0};
  s.gap_early = gap_at(scene, motion, s.early);
  s.gap_late = gap_at(scene, motion, s.late);
  for (;;) {
    Real least = fminl(s.gap_early, s.gap_late), left = way * (s.high - s.low);
    if (least < -deep) return GOES_IN;
    if (least - left > hair) return STAYS_OUT;
    if (!(left >= hair / 4)) return UNCLEAR;
    narrow(scene, motion, &s);
  }
}

/* Whether the Minkowski difference has no inside, as that of a point and a segment or of two
 * parallel segments. */
static bool is_flat(const Scene *scene) {
  const Solid *a = &scene->solid_a, *b = &scene->solid_b;
  if (a->count > 2 || b->count > 2 || a->radius + b->radius > 0) return false;
  if (a->count == 1 || b->count == 1) return true;
  Point of_a = point_sub(a->vertices[1], a->vertices[0]);
  return point_cross(of_a, point_sub(b->vertices[1], b->vertices[0])) == 0;
}

/* Whether the two overlap by more than rounding at the start, and the minimum translation then. */
static bool starts_inside(const Scene *scene, sat_Result *way) {
  sat_Status status = sat_collide(scene->a, scene->b, test_scratch(), way);
  return status == SAT_OK && way->depth > touch_of(scene);
}

/* The sign of a motion along a normal; 0 within rounding. */
static int sense_of(const Scene *scene, sat_Vec2 motion, sat_Vec2 normal) {
  Real along = point_dot(point_of(motion), point_of(normal));
  Real leeway = scene->whole ? 0x1p-50L : 0x1p-48L;
  return fabsl(along) <= leeway * point_length(point_of(motion)) ? 0 : along < 0 ? -1 : 1;
}

/* Whether a cast must hit, in a scene with exact answers that starts separate or touching. A motion
 * 64 times as long tells a motion that ends in a touch from one that passes B. */
static bool must_hit(const Scene *scene, sat_Vec2 motion) {
  double unit = scene->unit;
  int start = exact_sign(scene->a, scene->b, unit);
  bool gets_there = exact_sweep_sign(scene->a, motion, scene->b, unit) <= 0;
  if (is_flat(scene)) return start > 0 && gets_there;
  sat_Vec2 drawn_out = mul(motion, 64);
  return gets_there && exact_sweep_sign(scene->a, drawn_out, scene->b, unit) < 0;
}

/* ---------------------------------------------------------------- an answer */

/* The error of a round corner's normal is that of a position over the radius, and a shape
 * multiplies it by its size. This is the size over the radius. */
static Real normal_leverage(const Scene *scene) {
  Real radius = scene->solid_a.radius + scene->solid_b.radius;
  return radius > 0 ? (scene->a->l1_bound + scene->b->l1_bound) / radius : 0;
}

/* The most that the rounding of a normal may turn it along the motion. */
static Real normal_leeway(const Scene *scene) { return scene->whole ? 0 : 0x1p-51L; }

/* How far from a corner that is hit the point and the surface of its normal may be: of the surfaces
 * that meet there but for the rounding of a touch the most head-on one counts, and corners at the
 * ends of an edge shorter than SAT_ACTIVE times that are one corner. */
static Real corner_leeway(const Scene *scene, sat_Vec2 motion, const sat_Hit *hit) {
  const Solid *solids[2] = {&scene->solid_a, &scene->solid_b};
  sat_Motion way = {motion, 4 * sat_touch_rounding(scene->a, scene->b), false, false};
  sat_Pair pair = sat_convex_pair(scene->a, scene->b);
  if (!sat_is_corner_hit(&pair, &way, hit)) return 0; /* nor is the told point near a corner */
  for (int side = 0; side < 2; side++)
    for (size_t i = 0, last = solids[side]->count - 1; i <= last; i++) {
      Point edge = point_sub(solids[side]->vertices[i], solids[side]->vertices[i ? i - 1 : last]);
      if (last > 1 && point_length(edge) < SAT_ACTIVE * touch_of(scene))
        return SAT_ACTIVE * touch_of(scene);
    }
  return touch_of(scene);
}

/* Checks that A and B touch at the time of the hit, at time 0 within the rounding of a touch, and
 * that the normal separates them. The motion leads against the normal, so that A and B have not met
 * before. */
static void check_hit(const Scene *scene, sat_Vec2 motion, const sat_Hit *hit) {
  Real hair = way_hair(scene, motion) + (hit->t == 0 ? touch_of(scene) : 0);
  Point normal = point_of(hit->normal), shift = at_time(motion, hit->t);
  Point point = point_of(hit->point);
  CHECK_SCENE(scene, hit->t >= 0 && hit->t <= 1);
  CHECK_SCENE(scene, fabsl(gap_at(scene, motion, hit->t)) <= hair);
  CHECK_SCENE(scene, fabsl(point_length(normal) - 1) < 1e-15L);
  Real leeway = normal_leeway(scene) * point_length(point_of(motion));
  CHECK_SCENE(scene, point_dot(normal, point_of(motion)) < leeway);
  Real along = solid_gap_along(&scene->solid_a, shift, &scene->solid_b, normal);
  Real near = hair + corner_leeway(scene, motion, hit);
  CHECK_SCENE(scene, along <= hair * (1 + normal_leverage(scene)));
  CHECK_SCENE(scene, -along <= near * (1 + normal_leverage(scene)));
  CHECK_SCENE(scene, fabsl(solid_gap_of_point(&scene->solid_b, point)) <= near);
  CHECK_SCENE(scene, fabsl(solid_gap_of_point(&scene->solid_a, point_sub(point, shift))) <= near);
}

/* Checks a hit at time 0 with the normal of sat_contacts. */
static void check_start_inside(const Scene *scene, const sat_Hit *hit) {
  sat_Manifold manifold;
  Point point = point_of(hit->point);
  CHECK_SCENE(scene, sat_contacts(scene->a, scene->b, test_scratch(), &manifold) == SAT_OK);
  CHECK_SCENE(scene, hit->t == 0);
  CHECK_SCENE(scene, hit->normal.x == manifold.normal.x);
  CHECK_SCENE(scene, hit->normal.y == manifold.normal.y);
  Real limit = manifold.depth * (1 + 1e-9L) + 4 * scene_hair(scene);
  CHECK_SCENE(scene, solid_gap_of_point(&scene->solid_a, point) <= limit);
  CHECK_SCENE(scene, solid_gap_of_point(&scene->solid_b, point) <= limit);
}

static void check_cast(const Scene *scene, sat_Vec2 motion) {
  sat_Hit hit = {.t = -1};
  sat_Status status = cast(scene, motion, &hit);
  CHECK_SCENE(scene, status == SAT_OK || (status == SAT_MISS && hit.t == -1));
  sat_Result way;
  bool inside = starts_inside(scene, &way), is_hit = status == SAT_OK;
  int sense = inside ? sense_of(scene, motion, way.normal) : 0;
  if (sense) CHECK_SCENE(scene, is_hit == (sense < 0));
  if (!inside && scene_is_exact(scene)) CHECK_SCENE(scene, is_hit == must_hit(scene, motion));
  Passage passage = inside ? UNCLEAR : passage_of(scene, motion);
  if (passage != UNCLEAR) CHECK_SCENE(scene, is_hit == (passage == GOES_IN));
  if (!is_hit) return;
  if (inside) check_start_inside(scene, &hit);
  else check_hit(scene, motion, &hit);
}

/* A motion of whole numbers where the scene has whole numbers. */
static sat_Vec2 random_motion(Random *random, const Scene *scene) {
  if (!scene->whole) {
    double x = random_real(random, -20, 20), y = random_real(random, -20, 20);
    return vec2(x * scene->unit, y * scene->unit);
  }
  double x = (double)random_integer(random, -12, 12), y = (double)random_integer(random, -12, 12);
  return vec2(x * scene->unit, y * scene->unit);
}

/* Moves A aside, in two of three cases, so that it has to come back to meet B. */
static void step_aside(Random *random, Scene *scene) {
  sat_Vec2 aside = mul(random_motion(random, scene), (double)random_integer(random, 0, 2));
  assert_int_equal(sat_shape_move(scene->a, aside.x, aside.y), SAT_OK);
  scene_read(scene);
}

TEST(a_cast_hits_when_where_and_as_the_definition_says) {
  for (Scene scene = {0}; scene_next(&scene, rounds(4000));) {
    Random random = {scene.seed};
    if (scene.large && scene.seed % 8) continue; /* large scenes take long */
    step_aside(&random, &scene);
    for (int i = 0; i < 3; i++) check_cast(&scene, random_motion(&random, &scene));
  }
}

/* Casts A from a vertex to one of B. Returns whether it hits, going on. */
static bool check_cast_towards(Scene *scene) {
  sat_Hit hit;
  Random random = {scene->seed};
  /* The last bit decides whether a cast of flat shapes hits an end or passes it, unless all numbers
   * are whole. */
  if (scene->large || (!scene->whole && is_flat(scene))) return false;
  step_aside(&random, scene);
  size_t from = (size_t)random_integer(&random, 0, scene->a->vertex_count - 1);
  size_t to = (size_t)random_integer(&random, 0, scene->b->vertex_count - 1);
  sat_Vec2 way = sub(sat_shape_vertex(scene->b, to), sat_shape_vertex(scene->a, from));
  check_cast(scene, way);
  check_cast(scene, mul(way, 2));
  return cast(scene, mul(way, 2), &hit) == SAT_OK;
}

/* More than half of these motions lead to a hit; most random motions do not. */
TEST(a_cast_towards_the_other_hits_it) {
  uint64_t hits = 0;
  for (Scene scene = {0}; scene_next(&scene, rounds(3000));) hits += check_cast_towards(&scene);
  assert_true(hits > rounds(3000) / 2);
}

/* ---------------------------------------------------------------- within a bit of touching */

/* Checks that a bit does not decide a cast: a motion along an edge does not hit, and a shape that
 * touches within rounding hits at time 0 if at all. */
static void check_way(const Scene *scene, sat_Vec2 way, bool along) {
  sat_Hit hit;
  sat_Status status = cast(scene, way, &hit);
  if (along) CHECK_SCENE(scene, status == SAT_MISS);
  if (status != SAT_OK) return;
  Real start = scene_gap(scene);
  if (start <= touch_of(scene)) CHECK_SCENE(scene, hit.t == 0);
  CHECK_SCENE(scene, gap_at(scene, way, hit.t) >= -touch_of(scene));
}

/* Casts A along an edge of B, both ways, and across it. */
static void check_ways_by_edge(const Scene *scene, size_t index) {
  size_t next = index + 1 < scene->solid_b.count ? index + 1 : 0;
  sat_Vec2 edge = sub(sat_shape_vertex(scene->b, next), sat_shape_vertex(scene->b, index));
  Point outward = point_at(edge.y, -edge.x);
  outward = point_mul(outward, 1 / point_length(outward));
  Real separation = solid_gap_along(&scene->solid_a, point_at(0, 0), &scene->solid_b, outward);
  bool along = fabsl(separation) <= touch_of(scene) / 2;
  check_way(scene, edge, along);
  check_way(scene, neg(edge), along);
  check_way(scene, perp(edge), false);
  check_way(scene, neg(perp(edge)), along);
  Passage passage = passage_of(scene, perp(edge));
  sat_Hit hit;
  if (passage == GOES_IN && along)
    CHECK_SCENE(scene, cast(scene, perp(edge), &hit) == SAT_OK && hit.t == 0);
}

TEST(a_bit_more_or_less_does_not_decide_at_a_slanted_edge) {
  for (uint64_t seed = 1; seed <= rounds(3000); seed++) {
    Scene scene;
    Random random = {seed};
    scene_make_slanted_touch(&scene, seed);
    double bit = (double)random_integer(&random, -1, 1) * scene.unit;
    assert_int_equal(sat_shape_move(scene.a, bit, 0), SAT_OK);
    scene_read(&scene);
    for (size_t i = 0; i < scene.b->vertex_count; i++) check_ways_by_edge(&scene, i);
    scene_free(&scene);
  }
}

/* Casts A inward and outward from where the two touch but for rounding. A does not slip in, and
 * where a hit is later than time 0, a gap was there at the start. */
static void check_all_but_touching(const Scene *scene, sat_Vec2 inward) {
  sat_Vec2 ways[2] = {inward, neg(inward)};
  for (int i = 0; i < 2; i++) {
    sat_Hit hit;
    bool is_hit = cast(scene, ways[i], &hit) == SAT_OK;
    bool goes_in = !is_flat(scene) && passage_of(scene, ways[i]) == GOES_IN;
    if (goes_in) CHECK_SCENE(scene, is_hit);
    if (is_hit) check_hit(scene, ways[i], &hit);
    if (is_hit) CHECK_SCENE(scene, hit.t == 0 || scene_gap(scene) > touch_of(scene) / 2);
  }
}

/* The direction from A towards B, one unit long; 0, 0 where the two are too near to tell. */
static sat_Vec2 way_to_b(const Scene *scene) {
  sat_Distance separation;
  sat_Result way;
  if (sat_collide(scene->a, scene->b, test_scratch(), &way) == SAT_OK) {
    return mul(way.normal, -scene->unit);
  }
  sat_distance(scene->a, scene->b, test_scratch(), &separation);
  sat_Vec2 across = sub(separation.on_b, separation.on_a);
  double size = length(across);
  return size > 0 ? mul(across, scene->unit / size) : across;
}

static void check_brought_to_touch(Scene *scene) {
  sat_Vec2 inward = way_to_b(scene);
  scene_bring_to_touch(scene);
  check_all_but_touching(scene, inward);
}

TEST(shapes_that_all_but_touch_hit_at_once_or_move_freely) {
  for (Scene scene = {0}; scene_next(&scene, rounds(4000));)
    if (!scene.large || scene.seed % 8 == 0) check_brought_to_touch(&scene);
}

/* Replaces A by a circle that touches B at the end of an edge, where the side ends and the round
 * corner begins. Returns the direction to B. */
static sat_Vec2 put_before_corner(Scene *scene, Random *random) {
  size_t count = scene->b->vertex_count;
  size_t index = (size_t)random_integer(random, 0, (int64_t)count - 1);
  size_t next = index + 1 < count ? index + 1 : 0;
  sat_Vec2 normal = normal_of(edges_of(scene->b), (uint32_t)index);
  sat_Vec2 corner = sat_shape_vertex(scene->b, random_integer(random, 0, 1) ? index : next);
  double radius = random_real(random, 0.1, 4) * scene->unit;
  sat_Vec2 center = add(corner, mul(normal, radius + scene->b->radius));
  free(scene->a);
  scene->a = shape_circle(center.x, center.y, radius);
  scene->whole = false;
  scene_read(scene);
  return mul(normal, -scene->unit);
}

TEST(round_shapes_do_not_slip_in_between_a_side_and_its_corner) {
  for (Scene scene = {0}; scene_next(&scene, rounds(4000));) {
    Random random = {scene.seed};
    if (scene.b->vertex_count > 1 && !scene.large) {
      sat_Vec2 inward = put_before_corner(&scene, &random);
      check_all_but_touching(&scene, inward);
      double off = (double)way_hair(&scene, inward) * random_real(&random, -1, 1) / scene.unit;
      assert_int_equal(sat_shape_move(scene.a, inward.x * off, inward.y * off), SAT_OK);
      scene_read(&scene);
      check_all_but_touching(&scene, inward);
    }
  }
}

/* A regular polygon whose vertices are `size` from its centroid, 1 at most, with a radius from
 * 2^-34 of the size to all of it. */
static sat_Shape *random_rounded(Random *random) {
  double size = ldexp(1, -(int)random_integer(random, 0, 12));
  double x = random_real(random, -8, 8), y = random_real(random, -8, 8);
  sat_Shape *shape = shape_regular(x, y, size, (size_t)random_integer(random, 3, 8));
  sat_shape_set_radius(shape, size * ldexp(1, -(int)random_integer(random, 0, 34)));
  return shape;
}

/* A point, a segment or a triangle with sides of 2 or less along each axis, up to 2^30 away. */
static sat_Shape *random_far_shape(Random *random) {
  sat_Vec2 points[3];
  double far = ldexp(1, (int)random_integer(random, 4, 30)), size = random_real(random, 0, 1);
  points[0] = vec2(random_real(random, -far, far), random_real(random, -far, far));
  for (int i = 1; i < 3; i++) {
    sat_Vec2 aside = vec2(random_real(random, -size, size), random_real(random, -size, size));
    points[i] = add(points[0], aside);
  }
  size_t count = (size_t)random_integer(random, 1, 3);
  if (count == 3) count = hull_of(points, 3, 0);
  return shape_make(points, count ? count : 1, 0);
}

/* Checks that A is never deeper in B than rounding, up to the hit or, without a hit, up to the end
 * of the motion. */
static void check_gets_no_deeper(const Scene *scene, sat_Vec2 motion) {
  sat_Hit hit;
  sat_Result way;
  if (starts_inside(scene, &way)) return;
  bool is_hit = cast(scene, motion, &hit) == SAT_OK;
  Real end = is_hit ? hit.t : 1, allowed = touch_of(scene) + way_hair(scene, motion);
  TimeRange s = {0, end * (1 - GOLDEN), end * GOLDEN, end, 0, 0};
  s.gap_early = gap_at(scene, motion, s.early);
  s.gap_late = gap_at(scene, motion, s.late);
  CHECK_SCENE(scene, gap_at(scene, motion, end) >= -allowed);
  for (int i = 0; i < 100; i++) {
    CHECK_SCENE(scene, fminl(s.gap_early, s.gap_late) >= -allowed);
    narrow(scene, motion, &s);
  }
}

/* Coordinates so far away are coarser than the radius, so that the end of a side and the circle
 * about its corner meet within rounding only. */
TEST(small_round_shapes_get_no_deeper_into_far_shapes_than_rounding) {
  for (uint64_t seed = 1; seed <= rounds(10000); seed++) {
    Random random = {seed};
    Scene scene = {.seed = seed, .unit = 1};
    scene.a = random_rounded(&random);
    scene.b = random_far_shape(&random);
    scene_read(&scene);
    /* The motion leads to a corner of B: from a corner of A, from its centroid, or from any
     * point. */
    size_t from = (size_t)random_integer(&random, 0, (int64_t)scene.a->vertex_count - 1);
    sat_Vec2 to = sat_shape_vertex(scene.b, 0), way = sub(to, sat_shape_vertex(scene.a, from));
    if (seed % 3 == 1) way = sub(to, scene.a->centroid);
    if (seed % 3 == 2)
      way = sub(to, vec2(random_real(&random, -8, 8), random_real(&random, -8, 8)));
    check_gets_no_deeper(&scene, mul(way, (double)random_integer(&random, 1, 3)));
    scene_free(&scene);
  }
}

static sat_Vec2 any_direction(Random *random) {
  double angle = random_real(random, 0, 6.3);
  return vec2(cos(angle), sin(angle));
}

/* A triangle that reaches out to both sides of a place, thinner than the rounding of touches or a
 * little wider. */
static sat_Shape *random_needle(Random *random, sat_Vec2 place, double far) {
  sat_Vec2 along = any_direction(random), points[3];
  double wide = far * ldexp(1, -(int)random_integer(random, 36, 50));
  for (int i = 0; i < 3; i++) {
    double distance = random_real(random, 0, far) * (i ? 1 : -1);
    points[i] = add(place, mul(along, distance));
  }
  points[2] = add(points[2], mul(perp(along), wide));
  size_t count = hull_of(points, 3, 0);
  return shape_make(points, count ? count : 1, 0);
}

/* The front end of a segment that moves along itself is never deep in a needle, but the segment
 * behind that end is. The needle or the segment moves. */
TEST(segments_that_move_along_themselves_get_no_deeper_into_needles_than_rounding) {
  uint64_t hits = 0;
  for (uint64_t seed = 1; seed <= rounds(10000); seed++) {
    Random random = {seed};
    Scene scene = {.seed = seed, .unit = 1};
    double far = ldexp(1, (int)random_integer(&random, 0, 30)),
           start = random_integer(&random, 0, 1) ? random_real(&random, 0, 1) : 0;
    sat_Vec2 place = vec2(random_real(&random, -far, far), random_real(&random, -far, far));
    sat_Vec2 along = mul(any_direction(&random), ldexp(far, -(int)random_integer(&random, 0, 24)));
    sat_Vec2 ends[2] = {add(place, mul(along, start)), add(place, mul(along, start + 1))};
    sat_Shape *needle = random_needle(&random, place, far), *segment = shape_make(ends, 2, 0);
    bool moves = seed & 1;
    scene.a = moves ? segment : needle;
    scene.b = moves ? needle : segment;
    scene_read(&scene);
    double way = (double)random_integer(&random, 1, 3);
    sat_Vec2 motion = mul(sub(ends[0], ends[1]), moves ? way : -way);
    sat_Hit hit;
    hits += cast(&scene, motion, &hit) == SAT_OK;
    check_gets_no_deeper(&scene, motion);
    scene_free(&scene);
  }
  assert_true(hits > rounds(10000) / 2);
}

/* Puts a vertex of A on a vertex of B, each shape on its own side of that point. */
static void check_corners_touch(Scene *scene) {
  sat_Vec2 from = sat_shape_support(scene->a, vec2(-3, -7));
  sat_Vec2 to = sat_shape_support(scene->b, vec2(3, 7));
  assert_int_equal(sat_shape_move(scene->a, to.x - from.x, to.y - from.y), SAT_OK);
  scene->whole = false;
  scene_read(scene);
  check_all_but_touching(scene, vec2(-3 * scene->unit, -7 * scene->unit));
  check_all_but_touching(scene, vec2(7 * scene->unit, -3 * scene->unit));
}

TEST(corners_that_all_but_touch_hit_at_once_or_move_freely) {
  for (Scene scene = {0}; scene_next(&scene, rounds(4000));)
    if (!scene.large) check_corners_touch(&scene);
}

/* A segment that touches a pentagon, two pentagons, two heptagons, and a needle that a pentagon far
 * from the origin meets: an edge of a few roundings is between the corner that is hit and the
 * surface that tells the normal. A segment whose end all but grazes a triangle's side: rounding is
 * between. */
TEST(corners_that_an_edge_of_a_few_roundings_parts_are_one) {
  Scene scene;
  scene_make(&scene, 6737);
  check_brought_to_touch(&scene);
  scene_free(&scene);
  for (int i = 0; i < 2; i++) {
    scene_make(&scene, i ? 8013 : 12518);
    check_corners_touch(&scene);
    scene_free(&scene);
  }
  for (int i = 0; i < 2; i++) {
    scene_make(&scene, i ? 10697 : 11256); /* which compilers draw in different orders */
    check_cast_towards(&scene);
    scene_free(&scene);
  }
}

/* ---------------------------------------------------------------- landings */

/* Checks that A, which touches B but for rounding, with that normal, moves away and along freely
 * and does not move in. */
static void check_landed(Random *random, Scene *scene, sat_Vec2 normal) {
  sat_Hit hit;
  double size = random_real(random, 0.01, 20) * scene->unit;
  sat_Vec2 origin_offset = mul(normal, size), along = perp(origin_offset);
  scene_read(scene);
  CHECK_SCENE(scene, fabsl(scene_gap(scene)) <= touch_of(scene));
  CHECK_SCENE(scene, cast(scene, origin_offset, &hit) == SAT_MISS);
  CHECK_SCENE(scene, cast(scene, add(origin_offset, along), &hit) == SAT_MISS);
  CHECK_SCENE(scene, cast(scene, along, &hit) == SAT_MISS);
  CHECK_SCENE(scene, cast(scene, neg(along), &hit) == SAT_MISS);
  for (int digits = 0; digits < 16; digits++) {
    sat_Vec2 way = sub(along, mul(origin_offset, pow(10, -digits)));
    Passage passage = passage_of(scene, way);
    sat_Status status = cast(scene, way, &hit);
    if (passage == GOES_IN) CHECK_SCENE(scene, status == SAT_OK);
    if (status == SAT_MISS) continue;
    CHECK_SCENE(scene, hit.t == 0);
    check_hit(scene, way, &hit);
  }
}

/* A starts where a cast has ended, or where a minimum translation has moved it. */
TEST(a_shape_that_has_landed_or_was_pushed_out_is_not_stuck) {
  uint64_t landed = 0, pushed = 0;
  for (Scene scene = {0}; scene_next(&scene, rounds(6000));) {
    Random random = {scene.seed};
    sat_Hit hit;
    sat_Result way;
    if (!scene.large && !is_flat(&scene)) {
      if (starts_inside(&scene, &way)) {
        assert_int_equal(sat_shape_move(scene.a, way.vector.x, way.vector.y), SAT_OK);
        check_landed(&random, &scene, way.normal);
        pushed++;
      }
      step_aside(&random, &scene);
      sat_Vec2 off = mul(random_motion(&random, &scene), 0.37), motion = neg(way_to_b(&scene));
      motion = mul(motion, random_real(&random, -30, -1));
      motion = add(motion, mul(perp(motion), random_real(&random, -1, 1)));
      assert_int_equal(sat_shape_move(scene.a, off.x, off.y), SAT_OK);
      scene.whole = false;
      scene_read(&scene);
      bool is_hit = cast(&scene, motion, &hit) == SAT_OK;
      if (is_hit && !starts_inside(&scene, &way)) {
        sat_shape_move(scene.a, motion.x * hit.t, motion.y * hit.t);
        check_landed(&random, &scene, hit.normal);
        scene_read(&scene);
        if (passage_of(&scene, motion) == GOES_IN)
          CHECK_SCENE(&scene, cast(&scene, motion, &hit) == SAT_OK && hit.t == 0);
        landed++;
      }
    }
  }
  assert_true(landed > rounds(6000) / 6 && pushed > rounds(6000) / 6);
}

/* ---------------------------------------------------------------- examples */

static sat_Status cast_and_free(sat_Shape *a, double dx, double dy, sat_Shape *b, sat_Hit *hit) {
  sat_Status status = sat_cast(a, vec2(dx, dy), b, test_scratch(), hit);
  free(a);
  free(b);
  return status;
}

static void assert_hit(sat_Hit hit, double t, double normal_x, double normal_y) {
  assert_true(hit.t == t);
  assert_true(hit.normal.x == normal_x && hit.normal.y == normal_y);
}

static void assert_cast_hit(sat_Shape *a, double dx, double dy, sat_Shape *b, double t,
                            double normal_x, double normal_y) {
  sat_Hit hit;
  assert_int_equal(cast_and_free(a, dx, dy, b, &hit), SAT_OK);
  assert_hit(hit, t, normal_x, normal_y);
}

static void assert_miss(sat_Shape *a, double dx, double dy, sat_Shape *b) {
  sat_Hit hit;
  assert_int_equal(cast_and_free(a, dx, dy, b, &hit), SAT_MISS);
}

static sat_Shape *segment(double x1, double y1, double x2, double y2) {
  sat_Vec2 ends[2] = {{x1, y1}, {x2, y2}};
  return shape_make(ends, 2, 0);
}

static sat_Shape *point(double x, double y) { return shape_circle(x, y, 0); }

TEST(a_box_meets_another_after_the_exact_fraction_of_the_way) {
  for (int separation = 1; separation < 40; separation++) {
    for (int way = separation; way < 60; way++) {
      double t = (double)separation / way;
      assert_cast_hit(shape_box(0, 0, 2, 2), way, 0, shape_box(2 + separation, -1, 3, 9), t, -1, 0);
      assert_cast_hit(shape_box(0, 0, 2, 2), way, 0, shape_circle(5 + separation, 1, 3), t, -1, 0);
      assert_cast_hit(shape_box(1e7, 0, 2, 2), 0, -way, shape_box(1e7 + 1, -3 - separation, 1, 3),
                      t, 0, 1);
    }
    assert_miss(shape_box(0, 0, 2, 2), nextafter(separation, 0), 0,
                shape_box(2 + separation, -1, 3, 9));
  }
}

TEST(touching_shapes_may_move_away_and_along_but_not_in) {
  static const double ways[][2] = {{-1, 0}, {-1, 5}, {0, 1}, {0, -100}, {0, 0}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    double x = ways[i][0], y = ways[i][1];
    assert_miss(shape_box(0, 0, 2, 2), x, y, shape_box(2, 0, 2, 2));
    assert_miss(shape_circle(0, 0, 1), x, y, shape_circle(3, 0, 2));
    assert_miss(shape_circle(1, 1, 1), x, y, shape_box(2, 0, 2, 2));
    assert_miss(point(2, 1), x, y, shape_box(2, 0, 2, 2));
    assert_miss(segment(0, 1, 2, 1), x, y, shape_box(2, 0, 2, 2));
  }
  assert_cast_hit(shape_box(0, 0, 2, 2), 1, 1, shape_box(2, 0, 2, 2), 0, -1, 0);
  assert_cast_hit(shape_circle(0, 0, 1), 1, 9, shape_circle(3, 0, 2), 0, -1, 0);
  assert_cast_hit(point(2, 1), 1, 0, shape_box(2, 0, 2, 2), 0, -1, 0);
  assert_cast_hit(shape_box(0, 0, 2, 2), 1, 2, shape_box(2, 2, 2, 2), 0, 0, -1);
}

TEST(tangential_contact_with_a_corner_or_a_side_is_no_hit) {
  assert_miss(shape_box(0, 0, 2, 2), 10, 10, shape_box(7, 3, 2, 2));
  assert_miss(shape_box(0, 0, 2, 2), 10, 10, shape_box(3, 7, 2, 2));
  assert_miss(shape_box(0, 0, 2, 2), 10, 0, shape_box(5, 2, 2, 2));
  assert_miss(shape_box(0, 0, 2, 2), 10, 0, shape_box(5, -2, 2, 2));
  assert_miss(shape_circle(0, 0, 1), 10, 0, shape_circle(5, 3, 2));
  assert_miss(shape_circle(0, 0, 1), 10, 0, shape_box(5, 1, 2, 2));
  assert_miss(shape_circle(0, 0, 5), 40, 30, shape_circle(20 - 6, 15 + 8, 5));
  assert_miss(point(0, 0), 8, 8, shape_box(4, 2, 2, 2));
  assert_cast_hit(shape_box(0, 0, 2, 2), 10, 10, shape_box(4, 3, 2, 2), 0.2, -1, 0);
}

/* A vertex of a box or a point passes a corner along every slope of whole numbers. */
TEST(tangential_contact_is_no_hit_along_any_whole_slope) {
  for (int dx = 1; dx <= 40; dx++) {
    for (int dy = 1; dy <= 40; dy++) {
      assert_miss(shape_box(-1, -1, 1, 1), 3 * dx, 3 * dy, shape_box(dx, dy - 2, 1, 1));
      assert_miss(point(0, 0), 3 * dx, 3 * dy, shape_box(dx, dy - 2, 2, 2));
      assert_miss(point(0, 0), 3 * dx, 3 * dy, shape_box(dx - 2, dy, 2, 2));
    }
  }
}

TEST(points_and_segments_that_cross_hit) {
  assert_cast_hit(point(0, 0), 4, 0, segment(1, -1, 1, 1), 0.25, -1, 0);
  assert_cast_hit(segment(1, -1, 1, 1), -4, 0, point(0, 0), 0.25, 1, 0);
  assert_cast_hit(point(0, 0), 4, 0, segment(1, 1, 1, -1), 0.25, -1, 0);
  assert_cast_hit(segment(0, -1, 0, 1), 4, 0, segment(1, 0, 1, 5), 0.25, -1, 0);
  assert_cast_hit(segment(0, 0, 1, 0), 0, 8, segment(-1, 4, 3, 4), 0.5, 0, -1);
  assert_cast_hit(point(0, 0), 4, 0, point(2, 0), 0.5, -1, 0);
  assert_miss(point(0, 0), 4, 0, point(2, 1));
  assert_miss(point(0, 0), 4, 0, point(5, 0));
  assert_miss(point(0, 0), 4, 0, point(-2, 0));
  assert_miss(point(0, 0), 4, 0, segment(1, 1, 1, 3));
  assert_miss(point(0, 0), 4, 0, segment(-1, -1, -1, 3));
}

TEST(segments_on_one_line_hit_head_on) {
  assert_cast_hit(segment(0, 0, 2, 0), 4, 0, segment(3, 0, 5, 0), 0.25, -1, 0);
  assert_cast_hit(segment(3, 0, 5, 0), -4, 0, segment(2, 0, 0, 0), 0.25, 1, 0);
  assert_cast_hit(segment(0, 0, 3, 4), 6, 8, segment(6, 8, 9, 12), 0.5, -0.6, -0.8);
  assert_cast_hit(point(0, 0), 4, 0, segment(3, 0, 5, 0), 0.75, -1, 0);
  assert_miss(segment(0, 0, 2, 0), -4, 0, segment(3, 0, 5, 0));
  assert_miss(segment(0, 0, 2, 0), 4, 0, segment(3, 1, 5, 1));
}

TEST(overlapping_shapes_hit_at_once_where_the_motion_leads_deeper) {
  for (int x = -2; x <= 2; x++) {
    for (int y = -2; y <= 2; y++) {
      sat_Hit hit = {.t = -1};
      sat_Status box = cast_and_free(shape_box(0, 0, 4, 4), x, y, shape_box(3, -2, 8, 8), &hit);
      assert_int_equal(box, x > 0 ? SAT_OK : SAT_MISS);
      if (x > 0) assert_hit(hit, 0, -1, 0);
      if (y > 0) assert_cast_hit(shape_circle(0, 0, 2), x, y, shape_circle(0, 3, 2), 0, 0, -1);
      else assert_miss(shape_circle(0, 0, 2), x, y, shape_circle(0, 3, 2));
    }
  }
}

TEST(swapped_shapes_with_the_opposite_motion_hit_at_the_same_time) {
  for (Scene scene = {0}; scene_next(&scene, rounds(4000));) {
    Random random = {scene.seed};
    sat_Hit hit, back;
    step_aside(&random, &scene);
    sat_Vec2 motion = random_motion(&random, &scene);
    sat_Status status = cast(&scene, motion, &hit);
    sat_Status other = sat_cast(scene.b, neg(motion), scene.a, test_scratch(), &back);
    sat_Result way;
    if (starts_inside(&scene, &way)) {
      /* the tie rule may choose other vectors when the two are swapped */
    } else if (scene_is_exact(&scene)) {
      CHECK_SCENE(&scene, status == other);
      if (status == SAT_OK) CHECK_SCENE(&scene, fabs(hit.t - back.t) <= 1e-15 * hit.t);
    } else if (!scene.large && passage_of(&scene, motion) != UNCLEAR) {
      CHECK_SCENE(&scene, status == other);
    }
  }
}

/* ---------------------------------------------------------------- rays */

TEST(a_ray_hits_a_shape_as_a_moving_point_does) {
  for (Scene scene = {0}; scene_next(&scene, rounds(4000));) {
    Random random = {scene.seed};
    sat_Hit hit = {.t = -1}, ray = {.t = -1};
    sat_Vec2 from = sat_shape_vertex(scene.a, 0), motion = random_motion(&random, &scene);
    sat_Vec2 to = add(from, motion);
    free(scene.a);
    scene.a = shape_make(&from, 1, 0);
    scene_read(&scene);
    motion = sub(to, from);
    sat_Status status = cast(&scene, motion, &hit);
    sat_Status answer = sat_raycast(scene.b, from, to, test_scratch(), &ray);
    bool nowhere_to_go = motion.x == 0 && motion.y == 0;
    sat_Result way;
    bool inside = starts_inside(&scene, &way);
    if (nowhere_to_go || inside) status = sat_contains_point(scene.b, from, test_scratch());
    CHECK_SCENE(&scene, answer == status);
    if (answer == SAT_OK && (inside || nowhere_to_go)) {
      CHECK_SCENE(&scene, ray.t == 0 && ray.normal.x == 0 && ray.normal.y == 0);
    } else if (answer == SAT_OK) {
      CHECK_SCENE(&scene, ray.t == hit.t && ray.normal.x == hit.normal.x);
      CHECK_SCENE(&scene, ray.normal.y == hit.normal.y);
    }
  }
}

/* A place where a ray at a shape may be hard to decide: a vertex, a point of an edge's line, at the
 * radius or not, off by next to nothing or far from the shape. */
static sat_Vec2 place_about(Random *random, const sat_Shape *shape, double scale) {
  size_t count = sat_shape_vertex_count(shape);
  sat_Vec2 from = sat_shape_vertex(shape, random_bits(random) % count),
           to = sat_shape_vertex(shape, random_bits(random) % count);
  sat_Vec2 at = random_bits(random) % 2 ? from : lerp(from, to, random_real(random, -1, 2));
  sat_Vec2 way = vec2(random_real(random, -1, 1), random_real(random, -1, 1));
  if (random_bits(random) % 4 == 0) way = random_bits(random) % 2 ? vec2(1, 0) : vec2(0, -1);
  double radius = sat_shape_radius(shape), hair = scale * pow(10, random_real(random, -17, 1));
  if (random_bits(random) % 4 == 0) at = add(at, mul(way, radius / length(way)));
  if (random_bits(random) % 2) at = add(at, mul(way, hair));
  if (random_bits(random) % 3 == 0) at = add(at, mul(way, 20 * scale));
  return at;
}

static sat_Vec2 random_target(Random *random, const sat_Shape *shape, sat_Vec2 from, double scale) {
  sat_Vec2 to = place_about(random, shape, scale);
  unsigned choice = (unsigned)(random_bits(random) % 8);
  if (choice == 0) to.x = from.x;
  if (choice == 1) to.y = from.y;
  if (choice == 2) to = lerp(from, to, pow(10, random_real(random, -20, 4)));
  if (choice > 4) to = lerp(from, to, random_real(random, 0, 3));
  return to;
}

/* Fails unless a ray that is decided is the cast of its point, to the bit, and a ray that is said
 * to start inside is deeper inside than rounding. Returns the verdict. */
static sat_Verdict check_ray(uint64_t seed, const sat_Shape *shape, sat_Vec2 from, sat_Vec2 to) {
  sat_Shape *point = shape_make(&from, 1, 0);
  sat_Motion motion = {sub(to, from), sat_touch_rounding(point, shape), false, false};
  sat_Pair pair = sat_convex_pair(point, shape);
  double radius[2] = {0, sat_shape_radius(shape)};
  sat_Hit hit = {0}, ray = {0};
  sat_Result start = {.depth = 0};
  sat_Verdict verdict = sat_ray_at_shape(shape, from, motion.vector, &ray);
  if (verdict != SAT_UNDECIDED) {
    bool meets = sat_convex_collide(point, shape, &start) == SAT_OK;
    bool inside = meets && start.depth > motion.rounding;
    bool none = ray.normal.x == 0 && ray.normal.y == 0;
    CHECK_SEED(seed, inside == (verdict == SAT_OVERLAP && none));
    if (inside) CHECK_SEED(seed, ray.t == 0 && same_vector(ray.point, from));
    sat_Status status = inside ? SAT_MISS : sat_convex_cast(&pair, NULL, motion, radius, &hit);
    if (!inside) CHECK_SEED(seed, (status == SAT_OK) == (verdict == SAT_OVERLAP));
    uint32_t hands = status ? sat_places_beside_way(&pair, radius, motion) & SAT_ON_BOTH_HANDS : 0;
    CHECK_SEED(seed, hands == 0);
    if (status == SAT_OK) CHECK_SEED(seed, memcmp(&hit, &ray, sizeof hit) == 0);
  }
  free(point);
  return verdict;
}

TEST(a_ray_in_closed_form_is_the_cast_of_its_point_to_the_bit) {
  size_t count[3] = {0, 0, 0}, asked = 0;
  for (Scene scene = {0}; scene_next(&scene, rounds(12000));) {
    Random random = {scene.seed};
    sat_Shape *shape = scene.b;
    double scale = random_bits(&random) % 6 ? 1 : pow(10, (double)random_integer(&random, -12, 9));
    double size = max2(sat_shape_bounding_radius(shape), 1) * scale;
    /* a scene may be as large as shapes can be, and stays so */
    if (sat_shape_scale(shape, scale) == SAT_ERANGE) size /= scale;
    if (random_bits(&random) % 6 == 0) sat_shape_move(shape, 1e4 * size, -3e5 * size);
    for (int i = 0; i < 8; i++) {
      sat_Vec2 from = place_about(&random, shape, size),
               to = random_target(&random, shape, from, size);
      if (random_bits(&random) % 2)
        from = add(sat_shape_center(shape), mul(random_motion(&random, &scene), 4 * scale));
      if (!vec_in_range(from) || !vec_in_range(to)) continue;
      count[check_ray(scene.seed, shape, from, to)]++;
      asked++;
    }
  }
  assert_true(count[SAT_OVERLAP] > asked / 8 && count[SAT_SEPARATE] > asked / 8);
}

static sat_Vec2 random_place(Random *random, double size) {
  double x = random_real(random, -size, size);
  return vec2(x, random_real(random, -size, size));
}

/* Rays at plain shapes are to be decided, which makes them quick. */
TEST(a_ray_away_from_corners_and_ends_is_decided) {
  size_t undecided = 0, count = rounds(40000);
  for (uint64_t seed = 0; seed < count; seed++) {
    Random random = {seed};
    sat_Vec2 at = random_place(&random, 100), ends[2] = {at, add(at, random_place(&random, 6))};
    double size = random_real(&random, 3, 8);
    size_t corners = seed % 9;
    sat_Shape *shape = corners < 3 ? shape_make(ends, corners > 0 ? 2 : 1, corners < 2 ? size : 0)
                                   : shape_regular(at.x, at.y, size, corners);
    sat_shape_rotate(shape, random_real(&random, 0, 6));
    sat_Vec2 from = add(at, random_place(&random, 40)), to = add(at, random_place(&random, 12));
    undecided += check_ray(seed, shape, from, to) == SAT_UNDECIDED;
    free(shape);
  }
  assert_true(undecided <= count / 1000);
}

static void assert_ray(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 to, double t,
                       double normal_x, double normal_y) {
  sat_Hit hit;
  assert_int_equal(sat_raycast(shape, from, to, test_scratch(), &hit), SAT_OK);
  assert_hit(hit, t, normal_x, normal_y);
  sat_Vec2 place = lerp(from, to, t);
  assert_true(fabs(hit.point.x - place.x) < 1e-14 && fabs(hit.point.y - place.y) < 1e-14);
}

static void assert_no_ray(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 to) {
  sat_Hit hit;
  assert_int_equal(sat_raycast(shape, from, to, test_scratch(), &hit), SAT_MISS);
}

/* The box and the circle extend from 0 to 4 on each axis. */
TEST(a_ray_hits_from_outside_and_from_the_boundary_and_at_once_from_inside) {
  sat_Shape *shapes[] = {shape_box(0, 0, 4, 4), shape_circle(2, 2, 2)};
  for (int i = 0; i < 2; i++) {
    assert_ray(shapes[i], vec2(-2, 2), vec2(6, 2), 0.25, -1, 0);
    assert_ray(shapes[i], vec2(2, 8), vec2(2, 4), 1, 0, 1);
    assert_ray(shapes[i], vec2(1, 2), vec2(9, 2), 0, 0, 0);
    assert_ray(shapes[i], vec2(0, 2), vec2(1, 2), 0, -1, 0);
    assert_ray(shapes[i], vec2(0, 2), vec2(8, 3), 0, -1, 0);
    assert_ray(shapes[i], vec2(1, 2), vec2(1, 2), 0, 0, 0);
    assert_no_ray(shapes[i], vec2(-2, 2), vec2(-1, 2));
    assert_no_ray(shapes[i], vec2(0, 2), vec2(-1, 2));
    assert_no_ray(shapes[i], vec2(0, 2), vec2(0, 3));
    assert_no_ray(shapes[i], vec2(-2, 4), vec2(6, 4));
    assert_no_ray(shapes[i], vec2(8, 8), vec2(8, 8));
  }
  for (int i = 0; i < 2; i++) free(shapes[i]);
}

/* ---------------------------------------------------------------- bad numbers, sizes */

TEST(numbers_out_of_range_are_refused) {
  static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL, 1.1e15};
  sat_Shape *a = shape_box(0, 0, 1, 1), *b = shape_box(3, 0, 1, 1);
  for (int i = 0; i < 8; i++) {
    double x = i % 2 ? bad[i / 2] : 1, y = i % 2 ? 1 : bad[i / 2];
    sat_Hit hit = {.t = -1};
    assert_int_equal(sat_cast(a, vec2(x, y), b, test_scratch(), &hit), SAT_ERANGE);
    assert_int_equal(sat_raycast(a, vec2(x, y), vec2(0, 0), test_scratch(), &hit), SAT_ERANGE);
    assert_int_equal(sat_raycast(a, vec2(0, 0), vec2(x, y), test_scratch(), &hit), SAT_ERANGE);
    assert_true(hit.t == -1);
  }
  free(a);
  free(b);
}

TEST(shapes_of_all_sizes_and_places_are_hit) {
  sat_Hit hit;
  assert_cast_hit(shape_box(0, 0, 1e-12, 1e-12), 8e-12, 0, shape_box(5e-12, -1, 1, 2), 0.5, -1, 0);
  assert_cast_hit(shape_box(-3e9, 0, 1e9, 1e9), 4e9, 0, shape_box(0, -1, 1, 2e9), 0.5, -1, 0);
  assert_cast_hit(point(1e7, 1e7), 1e6, 0, shape_circle(1e7 + 1000, 1e7, 500), 0.0005, -1, 0);
  sat_Shape *round = shape_regular(0, 0, 100, 1000000);
  assert_int_equal(cast_and_free(shape_box(-201, -1, 1, 2), 200, 0, round, &hit), SAT_OK);
  assert_true(fabs(hit.t - 0.5) < 3e-5 && hit.normal.x < -0.99);
}

/* ---------------------------------------------------------------- shortcuts */

/* Fails unless a cast that is decided in closed form has the bits of the general one. Returns the
 * verdict. */
static sat_Verdict check_sweep(uint64_t seed, const sat_Pair *pair, const sat_PiecePair *pieces,
                               sat_Motion motion) {
  sat_Hit sweep = {0}, hit = {0};
  sat_Verdict verdict = sat_polygon_sweep(pair, pieces, &motion, &sweep);
  if (verdict == SAT_UNDECIDED) return verdict;
  sat_Status status = sat_convex_cast(pair, pieces, motion, (double[2]){0, 0}, &hit);
  CHECK_SEED(seed, (status == SAT_OK) == (verdict == SAT_OVERLAP));
  if (status == SAT_OK) CHECK_SEED(seed, memcmp(&hit, &sweep, sizeof hit) == 0);
  return verdict;
}

/* Polygons of few and of many vertices, of parallel edges and needles, on whole numbers and not. */
TEST(a_cast_in_closed_form_has_the_bits_of_the_general_one) {
  size_t count[3] = {0, 0, 0};
  for (Scene scene = {0}; scene_next(&scene, rounds(20000));) {
    Random random = {scene.seed};
    if (random_bits(&random) % 4 == 0) {
      free(scene.b);
      scene.b = shape_copy(scene.a); /* all edges are parallel */
    }
    sat_Vec2 way = mul(random_motion(&random, &scene), 4);
    if (random_bits(&random) % 4 == 0) way.x = 0;
    sat_shape_move(scene.a, -way.x, -way.y);
    double rounding = sat_touch_rounding(scene.a, scene.b);
    sat_Motion motion = {mul(way, random_real(&random, 0.5, 3)), rounding, false, false};
    sat_Pair pair = sat_convex_pair(scene.a, scene.b);
    count[check_sweep(scene.seed, &pair, NULL, motion)]++;
  }
  assert_true(count[SAT_OVERLAP] > rounds(20000) / 20);
}

/* Circles and points towards circles, capsules and segments: apart, touching, grazing. */
TEST(a_cast_of_a_circle_in_closed_form_has_the_bits_of_the_general_one) {
  size_t count[3] = {0, 0, 0};
  uint64_t asked = rounds(40000);
  for (uint64_t seed = 0; seed < asked; seed++) {
    Random random = {seed};
    double scale = random_bits(&random) % 6 ? 1 : pow(10, (double)random_integer(&random, -12, 9));
    double radius[2] = {scale * (double)random_integer(&random, 0, 3),
                        scale * random_real(&random, 0, 4)};
    sat_Vec2 from = mul(random_place(&random, 20), scale), ends[2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < 2; i++) ends[i] = mul(random_place(&random, 6), scale);
    if (random_bits(&random) % 4 == 0) ends[1] = add(ends[0], vec2(scale, 0));
    sat_Shape *a = shape_make(&from, 1, radius[0]), *b = shape_make(ends, 1 + seed % 2, radius[1]);
    sat_Vec2 way = mul(sub(ends[0], from), random_real(&random, 0.3, 2));
    if (random_bits(&random) % 3) way = add(way, mul(random_place(&random, 6), scale));
    if (random_bits(&random) % 8 == 0) way.y = ends[0].y + radius[0] + radius[1] - from.y;
    sat_Motion motion = {way, sat_touch_rounding(a, b), false, false};
    sat_Pair pair = sat_convex_pair(a, b);
    sat_Hit closed = {.t = -1}, hit = {0};
    sat_Verdict verdict = sat_circle_cast(a, way, b, &closed);
    count[verdict]++;
    if (verdict != SAT_OVERLAP) CHECK_SEED(seed, closed.t == -1);
    if (verdict != SAT_UNDECIDED) {
      sat_Status status = sat_convex_cast(&pair, NULL, motion, radius, &hit);
      CHECK_SEED(seed, (status == SAT_OK) == (verdict == SAT_OVERLAP));
      if (status == SAT_OK) CHECK_SEED(seed, memcmp(&hit, &closed, sizeof hit) == 0);
    }
    free(a);
    free(b);
  }
  assert_true(count[SAT_OVERLAP] > asked / 8 && count[SAT_SEPARATE] > asked / 8);
}

/* Fails unless the cast of two convex pieces has the same bits by its shortcuts as by all facets
 * and corners. Returns whether it is a hit. */
static bool check_shortcuts(uint64_t seed, const sat_Pair *pair, const sat_PiecePair *pieces,
                            sat_Motion motion, const double radius[2]) {
  check_sweep(seed, pair, pieces, motion);
  sat_Motion by_all = motion, later = motion;
  sat_Hit hit, hit_by_all, hit_later;
  by_all.by_all = later.leaves_point = true;
  sat_Status status = sat_convex_cast(pair, pieces, motion, radius, &hit);
  CHECK_SEED(seed, sat_convex_cast(pair, pieces, by_all, radius, &hit_by_all) == status);
  if (status != SAT_OK) return false;
  CHECK_SEED(seed, memcmp(&hit, &hit_by_all, sizeof hit) == 0);
  CHECK_SEED(seed, sat_convex_cast(pair, pieces, later, radius, &hit_later) == SAT_OK);
  CHECK_SEED(seed, isnan(hit_later.point.x));
  sat_convex_cast_point(pair, pieces, later, radius, &hit_later);
  CHECK_SEED(seed, memcmp(&hit, &hit_later, sizeof hit) == 0);
  return true;
}

/* A number of one of three kinds, times `scale`: a whole number, a multiple of a tile's 17.3, or
 * any fraction. */
static double random_number(Random *random, int64_t kind, double scale) {
  double whole = (double)random_integer(random, -20, 20);
  if (kind == 0) return whole * scale;
  return (kind == 1 ? whole * 17.3 : random_real(random, -20, 20)) * scale;
}

/* An upright box with any of its vertices first, at times flipped or moved. */
static sat_Shape *random_box(Random *random, int64_t kind, double scale) {
  double x = random_number(random, kind, scale), y = random_number(random, kind, scale);
  double w = fabs(random_number(random, kind, scale)) + scale;
  double h = fabs(random_number(random, kind, scale)) + scale;
  sat_Vec2 corners[] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, points[4];
  size_t first = random_bits(random) % 4;
  for (size_t i = 0; i < 4; i++) points[i] = corners[(first + i) % 4];
  sat_Shape *box = shape_make(points, 4, 0);
  if (random_bits(random) % 4 == 0) sat_shape_flip(box, random_bits(random) % 2);
  if (random_bits(random) % 2 == 0)
    sat_shape_move(box, random_number(random, kind, scale), random_number(random, kind, scale));
  return box;
}

static sat_Vec2 random_way(Random *random, int64_t kind, double scale) {
  sat_Vec2 way = vec2(random_number(random, kind, scale), random_number(random, kind, scale));
  unsigned choice = (unsigned)(random_bits(random) % 8);
  if (choice == 0) way.x = 0;
  if (choice == 1) way.y = 0;
  if (choice == 2) way = mul(way, 1e-6);
  return way;
}

/* Moves A to the first contact of a cast, where it touches B but for rounding. */
static void land(sat_Shape *a, sat_Vec2 way, const sat_Shape *b) {
  sat_Hit hit;
  if (sat_cast(a, way, b, test_scratch(), &hit) == SAT_OK)
    sat_shape_move(a, way.x * hit.t, way.y * hit.t);
}

/* Casts two boxes, which touch in half of the cases. Returns whether it is a hit. */
static bool check_boxes(uint64_t seed) {
  Random random = {seed};
  int64_t kind = random_integer(&random, 0, 2);
  double scale = random_bits(&random) % 8 ? 1 : pow(10, (double)random_integer(&random, -30, 9));
  sat_Shape *a = random_box(&random, kind, scale), *b = random_box(&random, kind, scale);
  if (random_bits(&random) % 2) land(a, random_way(&random, kind, scale), b);
  sat_Pair pair = sat_convex_pair(a, b);
  sat_Motion motion = {random_way(&random, kind, scale), sat_touch_rounding(a, b), false, false};
  bool is_hit = check_shortcuts(seed, &pair, NULL, motion, (double[2]){0, 0}), at_corner = false;
  sat_Hit hit = {0}, closed = {.t = -1};
  sat_Verdict verdict = sat_boxes_cast(a, motion.vector, b, &at_corner, &closed);
  if (verdict == SAT_OVERLAP) {
    CHECK_SEED(seed, is_hit);
    sat_convex_cast(&pair, NULL, motion, (double[2]){0, 0}, &hit);
    closed.parts = hit.parts;
    CHECK_SEED(seed, memcmp(&hit, &closed, sizeof hit) == 0);
    CHECK_SEED(seed, at_corner || !sat_is_corner_hit(&pair, &motion, &hit));
  } else {
    CHECK_SEED(seed, closed.t == -1 && !(is_hit && verdict == SAT_SEPARATE));
  }
  free(a);
  free(b);
  return is_hit;
}

TEST(shortcuts_for_upright_boxes_change_no_bit) {
  size_t hits = 0;
  uint64_t count = rounds(100000);
  for (uint64_t seed = 0; seed < count; seed++) hits += check_boxes(seed);
  assert_true(hits > count / 10);
}

/* The left sides of two boxes, one above the other, are level but for rounding, and exactly so as
 * seen from one of them. */
TEST(boxes_whose_sides_are_level_but_for_rounding_have_the_point_of_the_general_cast) {
  assert_true(check_boxes(113123));
}

/* A circle or a capsule, upright, level or of any direction, at the side of a box where y is
 * least. */
static sat_Shape *random_round(Random *random, const sat_Shape *box, int64_t kind, double scale) {
  sat_Box bounds = sat_shape_bounds(box);
  double along = random_real(random, -0.1, 1.1), radius = fabs(random_number(random, kind, scale));
  sat_Vec2 at = vec2(bounds.min.x + along * (bounds.max.x - bounds.min.x),
                     bounds.min.y - random_real(random, 0, 2) * scale - radius);
  if (random_bits(random) % 2) at.x = bounds.min.x;
  sat_Vec2 to = vec2(random_number(random, kind, scale), random_number(random, kind, scale));
  unsigned choice = (unsigned)(random_bits(random) % 4);
  if (choice == 0) to.x = 0;
  if (choice == 1) to.y = 0;
  sat_Vec2 ends[2] = {at, add(at, mul(to, pow(10, (double)random_integer(random, -9, 0))))};
  return shape_make(ends, choice == 3 ? 1 : 2, radius + scale / 4);
}

TEST(shortcuts_for_round_shapes_on_upright_boxes_change_no_bit) {
  size_t hits = 0;
  uint64_t count = rounds(100000);
  for (uint64_t seed = 0; seed < count; seed++) {
    Random random = {seed};
    int64_t kind = random_integer(&random, 0, 2);
    double scale = random_bits(&random) % 8 ? 1 : pow(10, (double)random_integer(&random, -30, 9));
    sat_Shape *b = random_box(&random, kind, scale);
    sat_Shape *a = random_round(&random, b, kind, scale);
    double offset = random_bits(&random) % 4 ? 0 : random_number(&random, 1, 1e6);
    sat_shape_move(a, offset, offset);
    sat_shape_move(b, offset, offset);
    sat_Vec2 way = sub(sat_shape_center(b), sat_shape_center(a));
    if (random_bits(&random) % 2) way.x = 0;
    if (random_bits(&random) % 8) land(a, way, b);
    double rounding = sat_touch_rounding(a, b), hair = pow(10, random_real(&random, -4, 1));
    if (random_bits(&random) % 2) sat_shape_move(a, 0, rounding * hair);
    if (random_bits(&random) % 2) sat_shape_move(a, 0, -rounding * hair);
    sat_Pair pair = sat_convex_pair(a, b);
    sat_Vec2 steps[] = {way, random_way(&random, kind, scale), vec2(way.y, rounding * hair)};
    sat_Motion motion = {steps[random_bits(&random) % 3], rounding, false, false};
    double radius[2] = {a->radius, b->radius};
    hits += check_shortcuts(seed, &pair, NULL, motion, radius);
    free(a);
    free(b);
  }
  assert_true(hits > count / 10);
}

/* A box is cast against the two pieces of an angle, each of which has an internal edge. */
TEST(shortcuts_for_upright_pieces_change_no_bit) {
  size_t hits = 0;
  uint64_t count = rounds(20000);
  for (uint64_t seed = 0; seed < count; seed++) {
    Random random = {seed};
    int64_t kind = random_integer(&random, 0, 2);
    double x = random_number(&random, kind, 1), y = random_number(&random, kind, 1);
    double u = fabs(random_number(&random, kind, 1)) + 1, v = u + 1 + (double)(seed % 7);
    sat_Vec2 ring[] = {{x, y},         {x + v, y},     {x + v, y + u},
                       {x + u, y + u}, {x + u, y + v}, {x, y + v}};
    sat_Shape *angle = make_ring(ring, 6), *box = random_box(&random, kind, 1);
    if (random_bits(&random) % 2) land(box, random_way(&random, kind, 1), angle);
    sat_Piece single[2];
    sat_PieceView views[2] = {sat_pieces_of(box, &single[0]), sat_pieces_of(angle, &single[1])};
    sat_Motion motion = {random_way(&random, kind, 1), sat_touch_rounding(box, angle), false,
                         false};
    assert_int_equal(views[1].count, 2);
    for (uint32_t i = 0; i < 2; i++) {
      sat_PiecePair pieces = {{&views[0], &views[1]}, {views[0].pieces, views[1].pieces + i}};
      sat_Pair pair = sat_convex_pair_of_pieces(&views[0], &views[1], (uint32_t[2]){0, i});
      hits += check_shortcuts(seed, &pair, &pieces, motion, (double[2]){0, 0});
    }
    free(angle);
    free(box);
  }
  assert_true(hits > count / 10);
}

/* Rays all but miss the circle about a corner, or all but meet two features at once. */
TEST(shortcuts_for_round_corners_change_no_bit) {
  size_t hits = 0;
  uint64_t count = rounds(100000);
  for (uint64_t seed = 0; seed < count; seed++) {
    Random random = {seed};
    sat_Vec2 ends[2] = {{0, 0}, vec2(random_real(&random, -3, 3), random_real(&random, -3, 3))};
    double radius = random_real(&random, 0.5, 4), other_radius = (double)(seed % 3);
    sat_Shape *a = shape_make(ends, 1 + seed % 2, radius);
    sat_Shape *b = shape_regular(random_real(&random, -20, 20), random_real(&random, -20, 20),
                                 random_real(&random, 1, 6), 3 + seed % 6);
    sat_shape_set_radius(b, other_radius);
    sat_Pair pair = sat_convex_pair(a, b);
    /* Towards a corner of D, aside by its radius times a number close to -1, 0 or 1. */
    sat_Vec2 corner = corner_of(&pair, (uint32_t)(random_bits(&random) % pair.of[SAT_A].count),
                                (uint32_t)(random_bits(&random) % pair.of[SAT_B].count));
    double aside = (double)random_integer(&random, -1, 1) +
                   (double)random_integer(&random, -1, 1) * pow(10, random_real(&random, -17, -1));
    sat_Vec2 across = mul(perp(corner), 1 / length(corner));
    sat_Vec2 way = add(corner, mul(across, aside * pair.radius));
    sat_Motion motion = {mul(way, random_real(&random, 0.5, 3)), sat_touch_rounding(a, b), false,
                         false};
    if (length(corner) > pair.radius)
      hits += check_shortcuts(seed, &pair, NULL, motion, (double[2]){radius, other_radius});
    free(a);
    free(b);
  }
  assert_true(hits > count / 10);
}

int main(void) { return run_suite(NULL, NULL); }
