/* test_composite_pair.c: every decomposition of a shape gives the same answers, shared edges of
 * pieces are closed, and the order of two composite shapes does not matter. */
#include "base/vec2.h"
#include "narrowphase/composite/composite_cast.h"
#include "narrowphase/composite/piece_pairs.h"
#include "test/answers.h"
#include "test/composite_shapes.h"
#include "test/families.h"
#include "test/polygons.h"

static size_t random_boundary(Random *random, sat_Vec2 *points) {
  size_t count = 0;
  while (count < 4)
    count = random_simple_polygon(random, 10, (size_t)random_integer(random, 5, 14), points);
  return count;
}

/* The triangles of a ring as a compound; `twice`: the compound has each triangle twice. */
static sat_Shape *compound_of_triangles(const sat_Vec2 *points, size_t count, bool twice) {
  sat_Shape *members[2 * MOST_VERTICES];
  sat_Vec2 triangles[MOST_VERTICES][3];
  size_t n = triangles_of(points, count, triangles), used = 0;
  for (size_t i = 0; i < n; i++) {
    for (int times = twice ? 2 : 1; times > 0; times--)
      members[used++] = shape_make(triangles[i], 3, 0);
  }
  sat_Shape *compound = make_compound((const sat_Shape *const *)members, used);
  for (size_t i = 0; i < used; i++) free(members[i]);
  return compound;
}

/* A ring that begins at another vertex, from which the decomposition may differ. */
static sat_Shape *begun_elsewhere(const sat_Vec2 *points, size_t count, size_t from) {
  sat_Vec2 ring[MOST_VERTICES];
  for (size_t i = 0; i < count; i++) ring[i] = points[(from + i) % count];
  return make_ring(ring, count);
}

/* A ring that is mirrored, decomposed, and mirrored back. */
static sat_Shape *cut_in_a_mirror(const sat_Vec2 *points, size_t count) {
  sat_Vec2 ring[MOST_VERTICES];
  for (size_t i = 0; i < count; i++)
    ring[i] = vec2(-points[count - 1 - i].x, points[count - 1 - i].y);
  sat_Shape *shape = make_ring(ring, count);
  sat_Vec2 center = sat_shape_center(shape);
  sat_shape_flip(shape, false);
  assert_int_equal(sat_shape_move_to(shape, -center.x, center.y), SAT_OK);
  return shape;
}

/* Whether a shape that touches another one with this normal can leave it, or slide along it. */
static bool can_move(const sat_Shape *thing, const sat_Shape *other, sat_Vec2 normal) {
  sat_Vec2 ways[3] = {normal, perp(normal), neg(perp(normal))}, center = sat_shape_center(thing);
  sat_Shape *moved = shape_copy(thing);
  bool can = false;
  for (int i = 0; i < 3; i++) {
    sat_Result way;
    sat_Vec2 to = add(center, mul(ways[i], 1e-4));
    assert_int_equal(sat_shape_move_to(moved, to.x, to.y), SAT_OK);
    can = can || sat_collide(moved, other, test_scratch(), &way) != SAT_OK || way.depth < 1e-9;
  }
  free(moved);
  return can;
}

static void check_same(uint64_t seed, const sat_Shape *thing, const sat_Shape *one,
                       const sat_Shape *other, sat_Vec2 motion, bool exact) {
  Answers a = ask(thing, one, motion), b = ask(thing, other, motion);
  bool hair = a.result.depth < 1e-9 && a.distance.distance < 1e-9;
  if (hair && !exact) return;
  CHECK_SEED(seed, a.overlap == b.overlap && a.collide == b.collide && a.contacts == b.contacts);
  CHECK_SEED(seed, fabs(a.result.depth - b.result.depth) < 1e-9);
  CHECK_SEED(seed, near(a.result.vector, b.result.vector, 1e-7));
  CHECK_SEED(seed, fabs(a.distance.distance - b.distance.distance) < 1e-9);
  if (exact || sat_shape_radius(thing) > 0)
    CHECK_SEED(seed, (sat_contains(one, thing, test_scratch()) == SAT_OK) ==
                         (sat_contains(other, thing, test_scratch()) == SAT_OK));
  if (exact && !near(a.result.normal, b.result.normal, 1e-7)) /* it fits into a hole exactly */
    CHECK_SEED(seed, !can_move(thing, one, a.result.normal));
  if (exact) CHECK_SEED(seed, same_hits(one, &a, &b, motion));
}

TEST(a_ring_answers_as_its_triangles) {
  uint64_t hits = 0;
  for (uint64_t seed = 0; seed < rounds(10000); seed++) {
    Random random = {seed};
    sat_Vec2 points[MOST_VERTICES], motion = random_whole(&random, 30);
    size_t count = random_boundary(&random, points);
    sat_Shape *ring = make_ring(points, count), *thing = random_thing(&random);
    sat_Shape *triangles = compound_of_triangles(points, count, seed % 5 == 0);
    move_by(thing, random_whole(&random, 14));
    if (seed % 3 == 0) bring_to_touch(thing, ring);
    check_same(seed, thing, ring, triangles, motion, sat_shape_radius(thing) == 0);
    hits += sat_overlaps(thing, ring, test_scratch()) == SAT_OK;
    free(ring);
    free(thing);
    free(triangles);
  }
  assert_true(hits > rounds(10000) / 10 && hits < rounds(10000) * 9 / 10);
}

TEST(a_ring_answers_the_same_wherever_it_begins) {
  for (uint64_t seed = 0; seed < rounds(5000); seed++) {
    Random random = {seed};
    sat_Vec2 points[MOST_VERTICES], motion = random_whole(&random, 30);
    size_t count = random_boundary(&random, points);
    size_t from = (size_t)random_integer(&random, 1, (int64_t)count - 1);
    sat_Shape *ring = make_ring(points, count), *thing = random_thing(&random);
    sat_Shape *elsewhere = begun_elsewhere(points, count, from);
    sat_Shape *mirrored = cut_in_a_mirror(points, count);
    move_by(thing, random_whole(&random, 14));
    if (seed % 3 == 0) bring_to_touch(thing, ring);
    check_same(seed, thing, ring, elsewhere, motion, sat_shape_radius(thing) == 0);
    check_same(seed, thing, ring, mirrored, motion, false);
    free(ring);
    free(thing);
    free(elsewhere);
    free(mirrored);
  }
}

/* The vertices of a gear about 0, 0, most of which one piece of its decomposition has. */
static size_t random_gear(Random *random, sat_Vec2 *points) {
  size_t count = (size_t)random_integer(random, 40, 120);
  int64_t every = random_integer(random, 2, 20);
  double low = random_real(random, 5, 8), high = random_real(random, 8, 11);
  for (size_t i = 0; i < count; i++) {
    sat_sine_cosine((double)i * (6.283185307179586 / (double)count), &points[i].y, &points[i].x);
    points[i] = mul(points[i], (int64_t)i % every ? low : high);
  }
  return count;
}

static sat_Shape *random_wheel(Random *random, const sat_Shape *gear) {
  static const double factors[] = {1 - 1e-6, 1, 1 + 1e-6, 0.7};
  sat_Shape *wheel =
      random_integer(random, 0, 1)
          ? shape_copy(gear)
          : shape_regular(random_real(random, -3, 3), random_real(random, -3, 3),
                          random_real(random, 1, 9), (size_t)random_integer(random, 3, 150));
  double factor = factors[random_integer(random, 0, COUNT_OF(factors) - 1)];
  assert_int_equal(sat_shape_scale_about(wheel, factor, vec2(0, 0)), SAT_OK);
  if (random_integer(random, 0, 3) == 0) sat_shape_rotate(wheel, random_real(random, -4, 4));
  return wheel;
}

/* Rounds the gear and its triangles by one radius, and the wheel by one that is often nearly the
 * same. */
static void round_gear(Random *random, sat_Shape *gear, sat_Shape *triangles, sat_Shape *wheel) {
  static const double factors[] = {0, 0.5, 1 - 1e-7, 1, 1 + 1e-7, 1.5};
  double radius = random_real(random, 0, 1) * random_real(random, 0, 3);
  assert_int_equal(sat_shape_set_radius(gear, radius), SAT_OK);
  assert_int_equal(sat_shape_set_radius(triangles, radius), SAT_OK);
  radius *= factors[random_integer(random, 0, COUNT_OF(factors) - 1)];
  assert_int_equal(sat_shape_set_radius(wheel, radius), SAT_OK);
}

/* In pieces of many vertices a search finds the few edges that are near. Triangles need no
 * search. */
static void check_gears(bool rounded) {
  uint64_t inside = 0;
  for (uint64_t seed = 0; seed < rounds(300); seed++) {
    Random random = {seed};
    sat_Vec2 points[MOST_VERTICES];
    size_t count = random_gear(&random, points);
    sat_Shape *gear = make_ring(points, count),
              *triangles = compound_of_triangles(points, count, false);
    for (int i = 0; i < 8; i++) {
      sat_Shape *wheel = random_wheel(&random, gear);
      if (rounded) round_gear(&random, gear, triangles, wheel);
      sat_Status answer = sat_contains(gear, wheel, test_scratch());
      CHECK_SEED(seed, answer == sat_contains(triangles, wheel, test_scratch()));
      inside += answer == SAT_OK;
      free(wheel);
    }
    free(gear);
    free(triangles);
  }
  assert_in_range(inside, rounds(300) * 2, rounds(300) * 6);
}

TEST(a_ring_of_many_vertices_contains_the_shapes_that_its_triangles_contain) { check_gears(false); }

TEST(a_rounded_ring_of_many_vertices_contains_the_shapes_that_its_triangles_contain) {
  check_gears(true);
}

/* An edge across a whole piece has bounds that are near every curve, but the edge itself is not. */
TEST(a_star_of_many_vertices_contains_a_copy_smaller_by_a_hair) {
  for (uint64_t seed = 0; seed < rounds(600); seed++) {
    Random random = {seed};
    sat_Vec2 points[2 * MOST_VERTICES];
    size_t count = 2 * (size_t)random_integer(&random, 90, MOST_VERTICES - 1);
    double low = random_real(&random, 3, 9), hair = 1 / random_real(&random, 1e6, 1e9);
    for (size_t i = 0; i < count; i++) {
      sat_sine_cosine((double)i * (6.283185307179586 / (double)count), &points[i].y, &points[i].x);
      points[i] = mul(points[i], i % 2 ? low : 10);
    }
    sat_Shape *star = make_ring(points, count), *other = shape_copy(star);
    double turn = random_real(&random, -4, 4);
    sat_shape_rotate(star, turn);
    sat_shape_rotate(other, turn);
    assert_int_equal(sat_shape_scale_about(other, 1 - hair, vec2(0, 0)), SAT_OK);
    CHECK_SEED(seed, sat_contains(star, other, test_scratch()) == SAT_OK);
    CHECK_SEED(seed, sat_contains(other, star, test_scratch()) == SAT_MISS);
    free(star);
    free(other);
  }
}

/* ---------------------------------------------------------------- shared edges */

static sat_Shape *boxes_of(const double (*box)[4], size_t count) {
  sat_Shape *members[10] = {NULL};
  for (size_t i = 0; i < count; i++)
    members[i] = shape_box(box[i][0], box[i][1], box[i][2], box[i][3]);
  sat_Shape *compound = make_compound((const sat_Shape *const *)members, count);
  for (size_t i = 0; i < count; i++) free(members[i]);
  return compound;
}

static double depth_in(const sat_Shape *a, const sat_Shape *b) {
  sat_Result way;
  assert_int_equal(sat_collide(a, b, test_scratch(), &way), SAT_OK);
  return way.depth;
}

TEST(shapes_that_move_along_a_shared_edge_hit_it) {
  static const double pair[2][4] = {{0, 0, 5, 10}, {5, 0, 5, 10}};
  static const double tee[3][4] = {{0, 0, 5, 10}, {5, 3, 5, 2}, {5, 5, 5, 5}};
  static const double far_apart[2][4] = {{0, 0, 5, 2}, {5, 4, 5, 2}};
  sat_Vec2 ends[2] = {{5, -5}, {5, -3}}, at = {5, -5}, down = {0, 20};
  sat_Shape *point = shape_make(&at, 1, 0), *segment = shape_make(ends, 2, 0);
  sat_Shape *box = shape_box(3, -3, 4, 2);
  sat_Shape *abutting = boxes_of(pair, 2), *junction = boxes_of(tee, 3),
            *separation = boxes_of(far_apart, 2);
  assert_true(time_of_hit(point, down, abutting) == 0.25);
  assert_true(time_of_hit(segment, down, abutting) == 0.15);
  assert_true(time_of_hit(abutting, neg(down), point) == 0.25);
  assert_true(time_of_hit(point, down, junction) == 0.4); /* the point slides along a box */
  assert_true(time_of_hit(segment, down, junction) == 0.3);
  /* The point is never between the two boxes. */
  assert_true(time_of_hit(point, down, separation) == HUGE_VAL);
  assert_true(time_of_hit(box, down, abutting) == 0.05);
  sat_Hit hit;
  sat_Vec2 inside = {5, 4}, below = {5, 20};
  assert_int_equal(sat_raycast(abutting, inside, below, test_scratch(), &hit), SAT_OK);
  assert_true(hit.t == 0 && same_vector(hit.normal, vec2(0, 0)));
  sat_Vec2 corner = {5, 0}, origin_offset = {5, -9};
  assert_int_equal(sat_raycast(abutting, corner, origin_offset, test_scratch(), &hit), SAT_MISS);
  assert_int_equal(sat_raycast(abutting, corner, below, test_scratch(), &hit), SAT_OK);
  assert_true(hit.t == 0 && hit.normal.y == -1);
  free_all((sat_Shape *[]){point, segment, box, abutting, junction, separation, NULL});
}

TEST(shapes_on_a_shared_edge_are_as_deep_as_in_one_box) {
  static const double pair[2][4] = {{0, 0, 5, 10}, {5, 0, 5, 10}};
  sat_Vec2 at = {5, 4}, ends[2] = {{5, 3}, {5, 6}};
  sat_Shape *point = shape_make(&at, 1, 0), *segment = shape_make(ends, 2, 0);
  sat_Shape *abutting = boxes_of(pair, 2), *whole = shape_box(0, 0, 10, 10);
  assert_true(depth_in(point, whole) == 4 && depth_in(point, abutting) == 4);
  assert_true(depth_in(segment, whole) == 5 && depth_in(segment, abutting) == 5);
  assert_true(depth_in(abutting, point) == 4 && depth_in(abutting, segment) == 5);
  free_all((sat_Shape *[]){point, segment, abutting, whole, NULL});
}

/* A box, a hexagon, a circle or a capsule. */
static sat_Shape *whole_thing(Random *random, int kind) {
  double x = (double)random_integer(random, -16, 88) / 2, y = (double)random_integer(random, -6, 0);
  sat_Vec2 points[6] = {{x, y},         {x + 3, y}, {x + 4, y + 1},
                        {x + 3, y + 2}, {x, y + 2}, {x - 1, y + 1}};
  if (kind == 0) return shape_box(x, y, 3, 2);
  return shape_make(points, kind == 1 ? 6 : (size_t)kind - 1, kind == 1 ? 0 : 2);
}

TEST(a_floor_of_tiles_is_touched_as_one_box) {
  static const double tiles[10][4] = {{0, 0, 4, 4},  {4, 0, 4, 4},  {8, 0, 4, 4},  {12, 0, 4, 4},
                                      {16, 0, 4, 4}, {20, 0, 4, 4}, {24, 0, 4, 4}, {28, 0, 4, 4},
                                      {32, 0, 4, 4}, {36, 0, 4, 4}};
  int touching = 0;
  for (uint64_t seed = 0; seed < rounds(4000); seed++) {
    Random random = {seed};
    size_t count = (size_t)random_integer(&random, 1, 10);
    sat_Shape *cut = boxes_of(tiles, count), *whole = shape_box(0, 0, 4 * (double)count, 4);
    sat_Shape *thing = whole_thing(&random, (int)(seed % 4));
    sat_Result of_cut, of_whole;
    sat_Status status = sat_collide(thing, whole, test_scratch(), &of_whole);
    CHECK_SEED(seed, sat_collide(thing, cut, test_scratch(), &of_cut) == status);
    if (status == SAT_OK) {
      CHECK_SEED(seed, fabs(of_cut.depth - of_whole.depth) < 1e-12);
      CHECK_SEED(seed, near(of_cut.normal, of_whole.normal, 1e-7));
      touching += of_whole.depth == 0;
      assert_int_equal(sat_collide(cut, thing, test_scratch(), &of_whole), SAT_OK);
      CHECK_SEED(seed, near(neg(of_cut.normal), of_whole.normal, 1e-7));
    }
    free_all((sat_Shape *[]){cut, whole, thing, NULL});
  }
  assert_true(touching > (int)rounds(4000) / 20);
}

/* The shared edge is turned and at a random place, so that a point on it may be outside one of the
 * two boxes by rounding, and in the other one by no more. */
TEST(a_point_on_a_shared_edge_is_inside_for_casts_as_for_collide) {
  static const double pair[2][4] = {{0, 0, 5, 10}, {5, 0, 5, 10}};
  size_t meetings = 0;
  for (uint64_t seed = 0; seed < rounds(4000); seed++) {
    Random random = {seed};
    sat_Vec2 ends[2] = {{5, 0}, {5, 10}};
    sat_Shape *abutting = boxes_of(pair, 2), *edge = shape_make(ends, 2, 0);
    double angle = random_real(&random, -3, 3);
    sat_Vec2 far = {random_real(&random, -500, 500), random_real(&random, -500, 500)};
    assert_int_equal(sat_shape_rotate_about(abutting, angle, vec2(0, 0)), SAT_OK);
    assert_int_equal(sat_shape_rotate_about(edge, angle, vec2(0, 0)), SAT_OK);
    assert_int_equal(sat_shape_move(abutting, far.x, far.y), SAT_OK);
    assert_int_equal(sat_shape_move(edge, far.x, far.y), SAT_OK);
    for (int i = 0; i < 10; i++) {
      sat_Vec2 at = lerp(sat_shape_vertex(edge, 0), sat_shape_vertex(edge, 1),
                         random_real(&random, 0.1, 0.9));
      sat_Vec2 motion = {random_real(&random, -9, 9), random_real(&random, -9, 9)};
      sat_Shape *point = shape_make(&at, 1, 0);
      sat_Result way = {.depth = 0};
      bool meet = sat_collide(point, abutting, test_scratch(), &way) == SAT_OK;
      bool deeper = meet && way.depth > 0.9 && sat_leads_deeper(motion, way.normal);
      double t = time_of_hit(point, motion, abutting);
      CHECK_SEED(seed, !meet || way.depth <= 0.9 || (t == 0) == deeper);
      meetings += meet && way.depth > 0.9;
      free(point);
    }
    free_all((sat_Shape *[]){abutting, edge, NULL});
  }
  assert_true(meetings > rounds(20000));
}

/* A ray starts on a reflex vertex of a concave polygon, where pieces with shared edges meet, and
 * leads in. Only the two edges of the polygon there may stop it. */
TEST(a_ray_from_a_reflex_vertex_has_the_normal_of_an_edge_there) {
  static const struct {
    sat_Vec2 ring[9], to, normal;
    size_t count, start;
  } cases[] = {{{{6, 0}, {3, 3}, {0, 4}, {-4, 4}, {-1, 0}, {-5, -5}, {0, -2}, {5, -5}},
                {-1, 10},
                {-0.8, -0.6},
                8,
                4},
               {{{5, 0}, {4, 3}, {2, 6}, {-2, 2}, {-5, 0}, {-3, -2}, {0, -1}, {2, -6}, {2, -1}},
                {-7, 6},
                {0.31622776601683794, -0.9486832980505138},
                9,
                6},
               {{{7, 0}, {3, 2}, {1, 4}, {-3, 6}, {-6, 2}, {-6, -2}, {-3, -6}, {1, -7}, {2, -2}},
                {-5, -11},
                {0.9805806756909202, -0.19611613513818404},
                9,
                8}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    sat_Hit hit;
    sat_Shape *shape = make_ring(cases[i].ring, cases[i].count);
    sat_Vec2 from = cases[i].ring[cases[i].start];
    assert_int_equal(sat_raycast(shape, from, cases[i].to, test_scratch(), &hit), SAT_OK);
    assert_true(hit.t == 0 && length(sub(hit.normal, cases[i].normal)) < 1e-12);
    free(shape);
  }
}

/* A ray starts where two boxes and two triangles meet, between which there are two gaps, and leads
 * into a triangle. The side of a box faces it more head-on than the triangle's. */
TEST(a_ray_from_where_gaps_meet_has_the_most_head_on_normal) {
  static const sat_Vec2 left[3] = {{0, 0}, {-2, 2}, {-2, 0}}, right[3] = {{2, -2}, {2, 0}, {0, 0}};
  sat_Shape *members[] = {shape_box(0, 0, 2, 2), shape_box(-2, -2, 2, 2), shape_make(left, 3, 0),
                          shape_make(right, 3, 0), NULL};
  sat_Shape *shape = make_compound((const sat_Shape *const *)members, 4);
  sat_Hit hit;
  assert_int_equal(sat_raycast(shape, vec2(0, 0), vec2(5, -2), test_scratch(), &hit), SAT_OK);
  assert_true(hit.t == 0 && same_vector(hit.normal, vec2(-1, 0)));
  assert_int_equal(sat_raycast(shape, vec2(0, 0), vec2(-5, 2), test_scratch(), &hit), SAT_OK);
  assert_true(hit.t == 0 && same_vector(hit.normal, vec2(1, 0)));
  free_all(members);
  free(shape);
}

/* A shape may be exactly as wide as the gap. */
TEST(a_gap_between_two_pieces_has_room_for_shapes_no_wider) {
  static const double walls[2][4] = {{-10, 0, 10, 10}, {4, 0, 10, 10}};
  sat_Vec2 down = {0, 20};
  sat_Shape *gap_between = boxes_of(walls, 2);
  sat_Shape *fits = shape_box(1, -5, 2, 2), *tight = shape_box(0, -5, 4, 2);
  sat_Shape *circle = shape_circle(2, -5, 2), *small = shape_circle(2, -5, 1.5);
  sat_Shape *wide = shape_box(0, -5, 4 + 1e-9, 2);
  assert_true(time_of_hit(fits, down, gap_between) == HUGE_VAL);
  assert_true(time_of_hit(small, down, gap_between) == HUGE_VAL);
  assert_true(time_of_hit(tight, down, gap_between) == HUGE_VAL);
  assert_true(time_of_hit(circle, down, gap_between) == HUGE_VAL);
  assert_true(time_of_hit(wide, down, gap_between) == 0.15);
  free_all((sat_Shape *[]){gap_between, fits, tight, circle, small, wide, NULL});
}

/* The shared edge is a diagonal, beside which rounding may put the segment's rear end. */
TEST(a_segment_along_itself_hits_a_shared_edge_as_its_front_end_does) {
  sat_Vec2 corners[2][3] = {{{0, 2}, {1, 2}, {1, 3}}, {{0, 2}, {1, 3}, {0, 3}}};
  sat_Shape *halves[2] = {shape_make(corners[0], 3, 0), shape_make(corners[1], 3, 0)};
  sat_Shape *square = make_compound((const sat_Shape *const *)halves, 2);
  for (int i = 1; i < 1000; i++) {
    double threshold = i / (200 * sqrt(50));
    sat_Vec2 front = {-1, 1}, ends[2] = {front, {-1 - 5 * threshold, 1 - 5 * threshold}};
    sat_Shape *segment = shape_make(ends, 2, 0), *point = shape_make(&front, 1, 0);
    assert_true(time_of_hit(point, vec2(5, 5), square) == 0.2);
    assert_true(time_of_hit(segment, vec2(5, 5), square) == 0.2);
    assert_true(time_of_hit(square, vec2(-5, -5), segment) == 0.2);
    free_all((sat_Shape *[]){segment, point, NULL});
  }
  free_all((sat_Shape *[]){halves[0], halves[1], square, NULL});
}

/* The place of the walls is random, so that every coordinate is rounded. */
TEST(shapes_that_fit_exactly_slide_between_two_walls) {
  for (uint64_t seed = 0; seed < rounds(2000); seed++) {
    Random random = {seed};
    double x = random_real(&random, -500, 500), y = random_real(&random, -500, 500);
    double wide = random_real(&random, 1, 64);
    const double walls[2][4] = {{x - 200, y - 40, 400, 40}, {x - 200, y + wide, 400, 40}};
    sat_Shape *corridor = boxes_of(walls, 2), *box = shape_box(x, y, 20, wide);
    sat_Shape *circle = shape_circle(x, y + wide / 2, wide / 2);
    for (int i = 0; i < 20; i++) {
      double way = random_real(&random, -10, 10);
      CHECK_SEED(seed, time_of_hit(box, vec2(way, 0), corridor) == HUGE_VAL);
      CHECK_SEED(seed, time_of_hit(circle, vec2(way, 0), corridor) == HUGE_VAL);
      CHECK_SEED(seed, time_of_hit(box, vec2(way, 5), corridor) == 0);
      CHECK_SEED(seed, time_of_hit(circle, vec2(way, -5), corridor) == 0);
      assert_int_equal(sat_shape_move(box, way, 0), SAT_OK);
      assert_int_equal(sat_shape_move(circle, way, 0), SAT_OK);
    }
    free_all((sat_Shape *[]){corridor, box, circle, NULL});
  }
}

/* ---------------------------------------------------------------- rounded needles */

/* A triangle on a base of width 2 about `x`. */
static sat_Shape *spike_on(double x, sat_Vec2 tip, double radius) {
  double side = tip.y > 0 ? 1 : -1;
  return shape_make((sat_Vec2[]){{x - side, 0}, {x + side, 0}, tip}, 3, radius);
}

/* Pairs of triangles on bases side by side: one has a tip that all pairs share, the other has a tip
 * of its own. The miters of their rounded edges reach far beyond the sharp tips. */
static sat_Shape *rounded_fan(Random *random, double radius, double side) {
  sat_Shape *members[12] = {NULL};
  size_t needles = (size_t)random_integer(random, 2, 6);
  sat_Vec2 far = {(double)random_integer(random, -16, 16),
                  side * (double)random_integer(random, 1, 28)};
  for (size_t i = 0; i < needles; i++) {
    double x = 2.0 * (double)i - (double)needles;
    members[2 * i] = spike_on(x, far, radius);
    members[2 * i + 1] = spike_on(x, vec2(x, -(double)random_integer(random, 1, 9)), radius);
  }
  sat_Shape *compound = make_compound((const sat_Shape *const *)members, 2 * needles);
  for (size_t i = 0; i < 2 * needles; i++) free(members[i]);
  return compound;
}

TEST(rounded_needles_have_the_same_depth_in_both_orders) {
  for (uint64_t seed = 0; seed < rounds(10000); seed++) {
    Random random = {seed};
    sat_Shape *a = rounded_fan(&random, 0, 1),
              *b = rounded_fan(&random, (double)random_integer(&random, 2, 8), -1);
    double x = (double)random_integer(&random, -5, 5), y = (double)random_integer(&random, -20, 10);
    move_by(b, vec2(x + (seed % 2 ? random_real(&random, 0, 1) : 0), y));
    sat_Result there, back;
    sat_Status status = sat_collide(a, b, test_scratch(), &there);
    CHECK_SEED(seed, sat_collide(b, a, test_scratch(), &back) == status);
    if (status == SAT_OK) CHECK_SEED(seed, fabs(there.depth - back.depth) < 1e-9);
    free_all((sat_Shape *[]){a, b, NULL});
  }
}

/* ---------------------------------------------------------------- crossings at an edge's end */

/* Two segments of a chain meet at a tiny angle, so that edges of their rounded differences cross
 * where one of these edges ends. Rounding must not hide the crossing. */
TEST(a_circle_leaves_both_segments_of_a_narrow_fold) {
  for (int round = 0; round < 17; round++) {
    double e = ldexp(1e-12, round);
    sat_Vec2 points[3] = {{-e, -1}, {e, 7}, {2 * e, e}};
    sat_Shape *circle = shape_circle(-4 * e, -3 * e, 0.5), *chain = make_chain(points, 3, false);
    sat_Shape *segments[2] = {piece_of(chain, 0), piece_of(chain, 1)};
    sat_Result way;
    assert_int_equal(sat_collide(circle, chain, test_scratch(), &way), SAT_OK);
    assert_true(fabs(way.depth - (0.5 - 3.25 * e)) < 1e-13);
    move_by(circle, way.vector);
    for (int i = 0; i < 2; i++)
      assert_true(sat_collide(circle, segments[i], test_scratch(), &way) == SAT_MISS ||
                  way.depth < 1e-13);
    free_all((sat_Shape *[]){circle, chain, segments[0], segments[1], NULL});
  }
}

/* The point is on the round end of one capsule and just inside the other. */
TEST(a_member_far_away_changes_nothing) {
  sat_Vec2 cores[2][2] = {{{5, 2}, {3, 1.9999999981373549}}, {{0, 0}, {6, 9.3132257461547852e-10}}};
  sat_Vec2 at = {5, 1}, to = {4, -5};
  sat_Shape *capsules[2] = {shape_make(cores[0], 2, 1), shape_make(cores[1], 2, 1)};
  sat_Shape *both = make_compound((const sat_Shape *const *)capsules, 2);
  sat_Shape *point = shape_make(&at, 1, 0);
  for (int far = 10; far < 2000; far += far / 3) {
    sat_Shape *box = shape_box(far, far, 1, 1);
    sat_Shape *all = make_compound((const sat_Shape *[]){box, capsules[0], capsules[1]}, 3);
    sat_Hit hit;
    assert_true(fabs(depth_in(point, all) - depth_in(point, both)) < 1e-9);
    assert_int_equal(sat_raycast(all, at, to, test_scratch(), &hit), SAT_OK);
    assert_true(hit.t == 0 && hit.normal.x == 0 && hit.normal.y == 0);
    free(box);
    free(all);
  }
  free_all((sat_Shape *[]){capsules[0], capsules[1], both, point, NULL});
}

/* ---------------------------------------------------------------- both orders */

/* Checks that two shapes of these families have opposite vectors in the two orders, but for shapes
 * with coinciding centroids: the tie rule may choose vectors of other directions for them. */
static void check_both_orders(int first, int second, size_t count, double offset) {
  sat_Shape *a = family_shape(first, count, 0), *b = family_shape(second, count, 1);
  assert_int_equal(sat_shape_move(a, offset, offset / 2), SAT_OK);
  sat_Result there, back;
  sat_Status status = sat_collide(a, b, test_scratch(), &there);
  bool concentric = length(sub(a->centroid, b->centroid)) < 1e-12, same = true;
  assert_int_equal(sat_collide(b, a, test_scratch(), &back), status);
  if (status == SAT_OK) {
    same = fabs(there.depth - back.depth) <= 1e-12 * (1 + there.depth) &&
           (concentric || length(add(there.vector, back.vector)) <= 1e-9);
  }
  if (!same)
    fail_msg("%zu %s against %s, moved by %g", count, family_name(first), family_name(second),
             offset);
  free(a);
  free(b);
}

/* ---- the walks, beside loops over all pairs of pieces */

/* Shapes of many sizes on whole numbers, most of which touch others, some of them in one place. */
static sat_Shape *random_heap(Random *random, size_t most) {
  sat_Shape *members[64];
  size_t count = (size_t)random_integer(random, 1, (int64_t)most);
  for (size_t i = 0; i < count; i++) {
    members[i] = random_convex(random);
    move_by(members[i], random_whole(random, 24));
  }
  sat_Shape *shape = make_compound((const sat_Shape *const *)members, count);
  for (size_t i = 0; i < count; i++) free(members[i]);
  if (random_integer(random, 0, 4) == 0) assert_int_equal(sat_shape_set_radius(shape, 0.5), SAT_OK);
  if (random_integer(random, 0, 2) == 0)
    assert_int_equal(sat_shape_rotate(shape, random_real(random, -4, 4)), SAT_OK);
  return shape;
}

/* The pairs in the order of sat_PiecePairs. */
static bool next_of_all(const ViewPair *views, uint32_t piece_index[2], bool first) {
  uint32_t side = views->of[0].count > views->of[1].count;
  if (first) piece_index[0] = piece_index[1] = 0;
  else if (++piece_index[!side] == views->of[!side].count) {
    piece_index[!side] = 0;
    piece_index[side]++;
  }
  return piece_index[side] < views->of[side].count;
}

/* The earliest hit, the most head on, the first of all pairs. Returns false where points may have
 * run along two edges, which close a gap. */
static bool first_of_all_hits(const ViewPair *views, sat_Motion motion, sat_Hit *best) {
  uint32_t piece_index[2];
  uint32_t hands = 0;
  *best = (sat_Hit){HUGE_VAL, {0, 0}, {0, 0}, {0, 0}};
  for (bool more = next_of_all(views, piece_index, true); more;
       more = next_of_all(views, piece_index, false)) {
    PieceQuestion pieces = piece_question(views, piece_index);
    sat_Hit hit = {.t = 2};
    if (motion_leads_past(views, piece_index, motion.vector)) continue;
    sat_Status status = sat_convex_cast(&pieces.pair, &pieces.of, motion, pieces.radius, &hit);
    double ahead = dot(best->normal, motion.vector) - dot(hit.normal, motion.vector);
    if (status == SAT_OK && (hit.t < best->t || (hit.t == best->t && ahead > 0))) *best = hit;
    if (status == SAT_MISS) hands |= sat_places_beside_way(&pieces.pair, pieces.radius, motion);
  }
  return (hands & SAT_ON_BOTH_HANDS) != SAT_ON_BOTH_HANDS;
}

/* Whether a hit is that of the lowest parts of all pairs that are hit there with its normal, at the
 * point of one of their pairs. */
static bool has_lowest_parts(const ViewPair *views, sat_Motion motion, const sat_Hit *hit) {
  uint32_t piece_index[2];
  bool is_point = false;
  for (bool more = next_of_all(views, piece_index, true); more;
       more = next_of_all(views, piece_index, false)) {
    PieceQuestion pieces = piece_question(views, piece_index);
    sat_Hit own = {.t = 2};
    if (sat_convex_cast(&pieces.pair, &pieces.of, motion, pieces.radius, &own) != SAT_OK ||
        fabs(own.t - hit->t) * length(motion.vector) > motion.rounding ||
        dot(own.normal, hit->normal) < 1 - SAT_SAME_NORMAL)
      continue;
    sat_Parts parts = {pieces.of.piece[SAT_A]->part, pieces.of.piece[SAT_B]->part};
    if (sat_parts_precede(parts, hit->parts)) return false;
    own.t = hit->t;
    own.normal = hit->normal;
    sat_convex_cast_point(&pieces.pair, &pieces.of, motion, pieces.radius, &own);
    is_point = is_point || (parts.a == hit->parts.a && parts.b == hit->parts.b &&
                            same_vector(own.point, hit->point));
  }
  return is_point;
}

TEST(a_cast_by_the_tree_has_the_first_hit_of_all_pairs_of_pieces) {
  uint64_t hits = 0, compared = 0;
  for (uint64_t seed = 0; seed < rounds(6000); seed++) {
    Random random = {seed};
    sat_Shape *a = seed % 3 ? random_convex(&random) : random_heap(&random, 12);
    sat_Shape *b = random_heap(&random, 64);
    sat_Vec2 vector = random_whole(&random, 60);
    move_by(a, random_whole(&random, 40));
    sat_Motion motion = {vector, sat_touch_rounding(a, b), false, false};
    ViewPair views;
    sat_Hit hit, best;
    view_both(&views, a, b);
    if (first_of_all_hits(&views, motion, &best)) {
      sat_CastNotes notes = {.is_apart = true};
      bool is_hit = sat_composite_cast(a, motion, b, test_scratch(), &notes, &hit) == SAT_OK;
      CHECK_SEED(seed, is_hit == (best.t <= 1));
      /* where pieces meet another normal may be the one that the union shows */
      if (is_hit)
        CHECK_SEED(seed, hit.t == best.t && (same_vector(hit.normal, best.normal)
                                                 ? has_lowest_parts(&views, motion, &hit)
                                                 : dot(hit.normal, vector) < 0));
      hits += is_hit;
      compared++;
    }
    free(a);
    free(b);
  }
  assert_true(hits > compared / 4 && compared > rounds(6000) * 9 / 10);
}

TEST(a_distance_by_the_tree_is_the_least_of_all_pairs_of_pieces) {
  uint64_t separate = 0;
  for (uint64_t seed = 0; seed < rounds(3000); seed++) {
    Random random = {seed};
    sat_Shape *a = seed % 3 ? random_convex(&random) : random_heap(&random, 12);
    sat_Shape *b = random_heap(&random, 64);
    move_by(a, random_whole(&random, 40));
    ViewPair views;
    sat_Distance distance;
    uint32_t piece_index[2];
    double least = HUGE_VAL;
    bool is_pair = false;
    view_both(&views, a, b);
    assert_int_equal(sat_distance(a, b, test_scratch(), &distance), SAT_OK);
    for (bool more = next_of_all(&views, piece_index, true); more;
         more = next_of_all(&views, piece_index, false)) {
      PieceQuestion pieces = piece_question(&views, piece_index);
      sat_Distance other = sat_convex_distance(&pieces.pair, pieces.radius, pieces.l1_bound);
      least = min2(least, other.distance);
      is_pair = is_pair ||
                (other.distance == distance.distance && same_vector(other.on_a, distance.on_a) &&
                 same_vector(other.on_b, distance.on_b));
    }
    CHECK_SEED(seed, distance.distance == least && is_pair);
    separate += least > 0;
    free(a);
    free(b);
  }
  assert_true(separate > rounds(3000) / 4);
}

TEST(both_orders_of_all_families_give_opposite_vectors) {
  int pairs = FAMILIES * FAMILIES, step = pairs / (int)rounds((uint64_t)pairs);
  for (int pair = 0; pair < pairs; pair += step < 1 ? 1 : step) {
    int first = pair / FAMILIES, second = pair % FAMILIES;
    for (int offset = 0; offset < 3; offset++) check_both_orders(first, second, 3, 1.3 * offset);
    check_both_orders(first, second, 18, 0.13);
  }
}

int main(void) { return run_suite(NULL, NULL); }
