/* test_composite.c: concave polygons, compounds and chains, compared with their pieces. */
#include "shape/composite.h"
#include "narrowphase/convex/convex_cast.h"
#include "test/composite_shapes.h"
#include "test/polygons.h"

#include <string.h>

/* ---------------------------------------------------------------- one shape */

TEST(a_ring_has_the_vertices_given_and_its_pieces_make_it_up) {
  for (uint64_t seed = 0; seed < rounds(500); seed++) {
    Random random = {seed};
    sat_Vec2 points[MOST_VERTICES];
    size_t count = 0;
    while (count < 4) count = random_simple_polygon(&random, 20, 40, points);
    sat_Shape *shape = make_ring(points, count);
    assert_int_equal(sat_shape_kind(shape), SAT_POLYGON);
    assert_int_equal(sat_shape_vertex_count(shape), count);
    for (size_t i = 0; i < count; i++)
      CHECK_SEED(seed, same_vector(sat_shape_vertex(shape, i), points[i]));
    double sum = 0;
    for (size_t i = 0; i < sat_shape_piece_count(shape); i++) {
      sat_Shape *piece = piece_of(shape, i);
      sum += sat_shape_area(piece);
      free(piece);
    }
    CHECK_SEED(seed, fabs(sum - sat_ring_area(points, count)) < 1e-9);
    CHECK_SEED(seed, fabs(sum - sat_shape_area(shape)) < 1e-9);
    sat_Vec2 center = sat_ring_centroid(points, count);
    CHECK_SEED(seed, same_vector(sat_shape_center(shape), center));
    free(shape);
  }
}

/* The pieces give the bounds and the support point, and lie in the bounding circle. */
TEST(a_shape_reaches_as_far_as_its_pieces) {
  for (uint64_t seed = 0; seed < rounds(2000); seed++) {
    Twosome two = make_twosome(seed);
    Random random = {seed};
    const sat_Shape *shape = two.of[0];
    sat_Vec2 direction = {random_real(&random, -1, 1), random_real(&random, -1, 1)};
    sat_Box box = sat_shape_bounds(shape), sum = {{1e9, 1e9}, {-1e9, -1e9}};
    sat_Vec2 center = sat_shape_center(shape), support = sat_shape_support(shape, direction);
    double farthest = -HUGE_VAL, threshold = sat_shape_bounding_radius(shape);
    for (size_t i = 0; i < two.count[0]; i++) {
      const sat_Shape *piece = two.pieces[0][i];
      sat_Box own = sat_shape_bounds(piece);
      sum.min = vec2(min2(sum.min.x, own.min.x), min2(sum.min.y, own.min.y));
      sum.max = vec2(max2(sum.max.x, own.max.x), max2(sum.max.y, own.max.y));
      farthest = max2(farthest, dot(direction, sat_shape_support(piece, direction)));
      sat_Vec2 out = sub(sat_shape_center(piece), center);
      CHECK_SEED(seed,
                 length(sub(sat_shape_support(piece, out.x != 0 || out.y != 0 ? out : direction),
                            center)) <= threshold + 1e-9);
    }
    CHECK_SEED(seed, fabs(farthest - dot(direction, support)) < 1e-9);
    CHECK_SEED(seed, length(sub(sum.min, box.min)) < 1e-9 && length(sub(sum.max, box.max)) < 1e-9);
    free_twosome(&two);
  }
}

TEST(flipping_twice_changes_no_bit) {
  for (uint64_t seed = 0; seed < rounds(500); seed++) {
    Random random = {seed};
    sat_Shape *shape = random_shape(&random, true), *copy = shape_copy(shape);
    sat_shape_flip(shape, seed % 2);
    sat_shape_flip(shape, seed % 2);
    CHECK_SEED(seed, memcmp(shape, copy, shape->bytes) == 0);
    free(shape);
    free(copy);
  }
}

TEST(a_mirrored_ring_is_in_the_order_of_positive_area) {
  for (uint64_t seed = 0; seed < rounds(300); seed++) {
    Random random = {seed};
    sat_Shape *shape = random_ring(&random);
    double area = sat_shape_area(shape);
    sat_shape_flip(shape, seed % 2);
    sat_Vec2 ring[MOST_VERTICES];
    size_t count = sat_shape_vertex_count(shape);
    for (size_t i = 0; i < count; i++) ring[i] = sat_shape_vertex(shape, i);
    CHECK_SEED(seed, fabs(sat_ring_area(ring, count) - area) < 1e-9);
    for (size_t i = 0; i < sat_shape_piece_count(shape); i++) {
      sat_Shape *piece = piece_of(shape, i);
      CHECK_SEED(seed, sat_shape_area(piece) > 0);
      free(piece);
    }
    free(shape);
  }
}

TEST(the_centroid_of_a_compound_weighs_by_area_else_length_else_number) {
  sat_Shape *box = shape_box(0, 0, 2, 2), *circle = shape_circle(10, 0, 0);
  sat_Shape *small = shape_circle(4, 1, 1);
  sat_Vec2 ends[2] = {{0, 0}, {6, 0}};
  sat_Shape *segment = shape_make(ends, 2, 0);
  const sat_Shape *with_area[3] = {box, circle, segment};
  sat_Shape *compound = make_compound(with_area, 3);
  assert_true(same_vector(sat_shape_center(compound), vec2(1, 1)));
  assert_true(sat_shape_area(compound) == 4);
  const sat_Shape *with_length[2] = {circle, segment};
  sat_Shape *lines = make_compound(with_length, 2);
  assert_true(same_vector(sat_shape_center(lines), vec2(3, 0)));
  const sat_Shape *points[2] = {circle, circle};
  sat_Shape *number = make_compound(points, 2);
  assert_true(same_vector(sat_shape_center(number), vec2(10, 0)));
  const sat_Shape *both[2] = {box, small};
  sat_Shape *rounded = make_compound(both, 2);
  assert_int_equal(sat_shape_set_radius(rounded, 0.5), SAT_OK);
  double pi = 3.14159265358979323846;
  assert_true(fabs(sat_shape_area(rounded) - (4 + 8 * 0.5 + pi / 4 + pi * 2.25)) < 1e-12);
  assert_int_equal(sat_shape_kind(rounded), SAT_COMPOUND);
  free_all((sat_Shape *[]){box, circle, small, segment, compound, lines, number, rounded, NULL});
}

TEST(a_chain_drops_repeated_points) {
  sat_Vec2 points[6] = {{0, 0}, {0, 0}, {4, 0}, {4, 3}, {4, 3}, {0, 0}};
  sat_Shape *closed = make_chain(points, 6, true), *open = make_chain(points, 6, false);
  assert_int_equal(sat_shape_vertex_count(closed), 3);
  assert_int_equal(sat_shape_piece_count(closed), 3);
  assert_int_equal(sat_shape_vertex_count(open), 4);
  assert_int_equal(sat_shape_piece_count(open), 3);
  assert_int_equal(sat_shape_kind(open), SAT_CHAIN);
  assert_true(sat_shape_area(closed) == 0);
  assert_true(same_vector(sat_shape_center(open), sat_shape_center(closed)));
  sat_Vec2 again[5] = {{0, 0}, {4, 0}, {0, 0}, {0, 0}, {0, 0}};
  sat_Shape *back = make_chain(again, 5, true);
  assert_int_equal(sat_shape_piece_count(back), 1);
  free(back);
  sat_Shape *point = make_chain(points, 2, true);
  assert_int_equal(sat_shape_piece_count(point), 1);
  free(closed);
  free(open);
  free(point);
}

/* ---------------------------------------------------------------- two shapes */

TEST(overlap_and_distance_are_those_of_the_nearest_pieces) {
  uint64_t met = 0;
  for (uint64_t seed = 0; seed < rounds(6000); seed++) {
    Twosome two = make_twosome(seed);
    bool meet = false;
    double least = HUGE_VAL;
    for (size_t i = 0; i < two.count[0]; i++) {
      for (size_t k = 0; k < two.count[1]; k++) {
        const sat_Shape *a = two.pieces[0][i], *b = two.pieces[1][k];
        sat_Distance separation;
        meet = sat_overlaps(a, b, test_scratch()) == SAT_OK || meet;
        assert_int_equal(sat_distance(a, b, test_scratch(), &separation), SAT_OK);
        least = min2(least, separation.distance);
      }
    }
    met += meet;
    sat_Distance separation;
    sat_Result way;
    sat_Manifold manifold;
    sat_Scratch *scratch = test_scratch();
    CHECK_SEED(seed, (sat_overlaps(two.of[0], two.of[1], scratch) == SAT_OK) == meet);
    CHECK_SEED(seed, (sat_collide(two.of[0], two.of[1], scratch, &way) == SAT_OK) == meet);
    CHECK_SEED(seed, (sat_contacts(two.of[0], two.of[1], scratch, &manifold) == SAT_OK) == meet);
    assert_int_equal(sat_distance(two.of[0], two.of[1], scratch, &separation), SAT_OK);
    CHECK_SEED(seed,
               (separation.distance == 0) == meet && fabs(separation.distance - least) < 1e-12);
    if (!meet) CHECK_SEED(seed, fabs(length(sub(separation.on_a, separation.on_b)) - least) < 1e-9);
    free_twosome(&two);
  }
  assert_true(met > rounds(6000) / 10 && met < rounds(6000) * 9 / 10);
}

/* Circles around 0, 0, with a hole if `out` is larger than the radius, unless a further circle
 * plugs it. */
static sat_Shape *make_round(size_t count, double radius, double out, bool plugged) {
  const sat_Shape **members = malloc((count + plugged) * sizeof(sat_Shape *));
  assert_non_null(members);
  for (size_t i = 0; i < count; i++) {
    double sine, cosine, angle = 6.28 * (double)i / (double)count;
    sat_sine_cosine(angle, &sine, &cosine);
    members[i] = shape_make(&(sat_Vec2){out * cosine, out * sine}, 1, radius);
  }
  if (plugged) members[count] = shape_make(&(sat_Vec2){0.25, 0}, 1, 1.5);
  sat_Shape *shape = malloc(sat_compound_bytes(members, count + plugged));
  assert_non_null(shape);
  assert_int_equal(sat_compound_init(shape, members, count + plugged), SAT_OK);
  for (size_t i = 0; i < count + plugged; i++) free((void *)members[i]);
  free(members);
  return shape;
}

/* No circle of `circles` is in a single circle of the others, so that only the union may contain
 * it. */
TEST(a_union_of_circles_contains_others_unless_it_has_a_hole) {
  sat_Shape *circles = make_round(201, 8.75, 8, false), *holed = make_round(200, 9, 10, false),
            *plugged = make_round(200, 9, 10, true);
  assert_int_equal(sat_contains(holed, circles, test_scratch()), SAT_MISS);
  assert_int_equal(sat_contains(plugged, circles, test_scratch()), SAT_OK);
  assert_int_equal(sat_contains(plugged, plugged, test_scratch()), SAT_OK);
  free(circles);
  free(holed);
  free(plugged);
}

TEST(after_the_translation_two_shapes_touch_at_the_contacts) {
  for (uint64_t seed = 0; seed < rounds(4000); seed++) {
    Twosome two = make_twosome(seed);
    sat_Scratch *scratch = test_scratch();
    sat_Manifold manifold;
    sat_Result way;
    bool composite = is_composite(two.of[0]) || is_composite(two.of[1]);
    if (composite && sat_collide(two.of[0], two.of[1], scratch, &way) == SAT_OK) {
      assert_int_equal(sat_contacts(two.of[0], two.of[1], scratch, &manifold), SAT_OK);
      assert_int_equal(sat_shape_move(two.of[0], way.vector.x, way.vector.y), SAT_OK);
      for (uint32_t i = 0; i < manifold.count; i++) {
        sat_Shape *point = shape_make(&manifold.points[i], 1, 0);
        sat_Distance to_a, to_b;
        assert_int_equal(sat_distance(point, two.of[0], scratch, &to_a), SAT_OK);
        assert_int_equal(sat_distance(point, two.of[1], scratch, &to_b), SAT_OK);
        CHECK_SEED(seed, to_a.distance < 1e-9 && to_b.distance < 1e-9);
        free(point);
      }
      if (sat_collide(two.of[0], two.of[1], scratch, &way) == SAT_OK)
        CHECK_SEED(seed, way.depth < 1e-9);
    }
    free_twosome(&two);
  }
}

/* A cast hits when the first two pieces hit. If the shapes overlap at the start, it hits at once
 * unless the motion leads out. */
TEST(a_cast_hits_when_the_first_piece_hits) {
  uint64_t hits = 0;
  for (uint64_t seed = 0; seed < rounds(4000); seed++) {
    Twosome two = make_twosome(seed);
    Random random = {seed};
    sat_Scratch *scratch = test_scratch();
    sat_Vec2 motion = {(double)random_integer(&random, -30, 30) + (seed % 2 ? 0 : 0.1234),
                       (double)random_integer(&random, -30, 30) + 0.4321};
    sat_Hit hit;
    sat_Status status = sat_cast(two.of[0], motion, two.of[1], scratch, &hit);
    double first = HUGE_VAL;
    for (size_t i = 0; i < two.count[0]; i++) {
      for (size_t k = 0; k < two.count[1]; k++) {
        sat_Hit piece;
        if (sat_cast(two.pieces[0][i], motion, two.pieces[1][k], scratch, &piece) == SAT_OK)
          first = min2(first, piece.t);
      }
    }
    sat_Result way = {.depth = 0};
    sat_Status start = sat_collide(two.of[0], two.of[1], scratch, &way);
    if (start == SAT_OK && way.depth > sat_touch_rounding(two.of[0], two.of[1])) {
      double along = dot(motion, way.normal);
      if (fabs(along) > 1e-9) CHECK_SEED(seed, (status == SAT_OK) == (along < 0));
      if (status == SAT_OK) CHECK_SEED(seed, hit.t == 0);
    } else {
      CHECK_SEED(seed, (status == SAT_OK) == (first < HUGE_VAL));
      if (status == SAT_OK) CHECK_SEED(seed, fabs(hit.t - first) < 1e-12);
    }
    if (status == SAT_OK && hit.t > 0) {
      CHECK_SEED(seed, dot(hit.normal, motion) < 1e-9);
      hits++;
    }
    free_twosome(&two);
  }
  assert_true(hits > rounds(4000) / 20);
}

/* Moves the first shape to its hit. Returns false without a hit, or with an overlap at the
 * start. */
static bool land(const Twosome *two, sat_Vec2 motion, sat_Hit *hit) {
  sat_Result way = {.depth = 0};
  sat_Scratch *scratch = test_scratch();
  sat_Status start = sat_collide(two->of[0], two->of[1], scratch, &way);
  if (start == SAT_OK && way.depth > sat_touch_rounding(two->of[0], two->of[1])) return false;
  if (sat_cast(two->of[0], motion, two->of[1], scratch, hit) != SAT_OK) return false;
  sat_shape_move(two->of[0], motion.x * hit->t, motion.y * hit->t);
  return true;
}

static bool hits_at_once(const Twosome *two, sat_Vec2 motion) {
  sat_Hit hit;
  sat_Status status = sat_cast(two->of[0], motion, two->of[1], test_scratch(), &hit);
  return status == SAT_OK && hit.t == 0;
}

/* Off the surface the motion is free. Along it other pieces block one direction at most, and
 * only in corners. */
TEST(a_shape_that_has_landed_is_not_stuck) {
  uint64_t landed = 0, corners = 0, stopped = 0;
  for (uint64_t seed = 0; seed < rounds(6000) + 600; seed++) { /* enough to count when few */
    Twosome two = make_twosome(seed);
    Random random = {seed};
    sat_Vec2 motion = {random_real(&random, -30, 30), random_real(&random, -30, 30)};
    sat_Hit hit;
    sat_shape_move(two.of[0], random_real(&random, -9, 9), random_real(&random, -9, 9));
    if (land(&two, motion, &hit)) {
      sat_Vec2 origin_offset = mul(hit.normal, random_real(&random, 0.1, 20));
      bool left = hits_at_once(&two, perp(origin_offset)),
           right = hits_at_once(&two, neg(perp(origin_offset)));
      CHECK_SEED(seed, !hits_at_once(&two, origin_offset));
      CHECK_SEED(seed, !(left && right));
      stopped += hits_at_once(&two, motion);
      corners += left || right;
      landed++;
    }
    free_twosome(&two);
  }
  assert_true(landed > rounds(6000) / 10 && corners < landed / 50 && stopped > landed * 9 / 10);
}

/* Two points differ by one bit until the chain is rotated. */
TEST(a_segment_without_length_is_at_its_point) {
  sat_Vec2 points[3] = {{8, 8}, {8, 8 + 0x1p-49}, {-8, -8}};
  sat_Shape *chain = make_chain(points, 3, false), *point = shape_circle(-8, 20, 0);
  int melted = 0;
  for (int i = 0; i < 100; i++) {
    sat_Distance separation;
    assert_int_equal(sat_shape_rotate(chain, 0.01), SAT_OK);
    sat_Vec2 end = sat_shape_vertex(chain, 0);
    melted += same_vector(end, sat_shape_vertex(chain, 1));
    assert_int_equal(sat_shape_move_to(point, end.x, end.y + 1), SAT_OK);
    assert_int_equal(sat_overlaps(chain, point, test_scratch()), SAT_MISS);
    assert_int_equal(sat_distance(chain, point, test_scratch(), &separation), SAT_OK);
    assert_true(separation.distance > 0.5 && separation.distance <= 1 + 1e-12);
  }
  assert_true(melted > 0);
  free(chain);
  free(point);
}

/* A ray along the edge that two pieces share does not slip through. */
TEST(a_ray_along_an_internal_edge_hits) {
  sat_Vec2 plus[12] = {{1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {2, 2},
                       {2, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}, {1, 1}};
  sat_Shape *shape = make_ring(plus, 12);
  sat_Hit hit;
  for (int way = 0; way < 2; way++) {
    for (int line = 1; line <= 2; line++) {
      sat_Vec2 from = way ? vec2(line, -5) : vec2(-5, line),
               to = way ? vec2(line, 5) : vec2(5, line);
      sat_Status status = sat_raycast(shape, from, to, test_scratch(), &hit);
      assert_int_equal(status, SAT_OK);
      assert_true(hit.t == 0.6); /* the ray slides along an arm and hits the middle */
    }
  }
  free(shape);
}

/* The box touches the chain on every side. */
TEST(a_cast_without_a_motion_hits_nothing) {
  sat_Vec2 points[4] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
  sat_Shape *box = shape_box(0, 0, 4, 4), *chain = make_chain(points, 4, true);
  sat_Hit hit;
  assert_int_equal(sat_cast(chain, vec2(0, 0), box, test_scratch(), &hit), SAT_MISS);
  assert_int_equal(sat_cast(box, vec2(0, 0), chain, test_scratch(), &hit), SAT_MISS);
  free(box);
  free(chain);
}

/* ---------------------------------------------------------------- containment */

static sat_Vec2 point_in(Random *random, const sat_Shape *piece) {
  sat_Vec2 sum = vec2(0, 0);
  double all = 0;
  size_t count = sat_shape_vertex_count(piece);
  for (size_t i = 0; i < count; i++) {
    double weight = random_real(random, 0, 1);
    weight *= weight * weight;
    sum = add(sum, mul(sat_shape_vertex(piece, i), weight));
    all += weight;
  }
  sat_Vec2 out = {random_real(random, -1, 1), random_real(random, -1, 1)};
  double threshold =
      length(out) > 0 ? sat_shape_radius(piece) * random_real(random, 0, 1) / length(out) : 0;
  return add(mul(sum, 1 / all), mul(out, threshold));
}

TEST(a_shape_that_contains_another_one_contains_its_points) {
  uint64_t held = 0;
  for (uint64_t seed = 0; seed < rounds(6000); seed++) {
    Twosome two = make_twosome(seed);
    Random random = {seed};
    const sat_Vec2 to = sub(sat_shape_center(two.of[0]), sat_shape_center(two.of[1]));
    sat_Vec2 place = vec2(floor(to.x + random_real(&random, -3, 3)), floor(to.y));
    assert_int_equal(sat_shape_scale(two.of[1], 0.25), SAT_OK);
    assert_int_equal(sat_shape_move(two.of[1], place.x, place.y), SAT_OK);
    bool holds = sat_contains(two.of[0], two.of[1], test_scratch()) == SAT_OK, all = true;
    for (int i = 0; i < 200; i++) {
      size_t index = (size_t)random_integer(&random, 0, (int64_t)two.count[1] - 1);
      sat_Shape *piece = piece_of(two.of[1], index);
      all = distance_to(two.of[0], point_in(&random, piece)) < 1e-9 && all;
      free(piece);
    }
    held += holds;
    if (holds) CHECK_SEED(seed, all);
    free_twosome(&two);
  }
  assert_true(held > rounds(6000) / 50);
}

TEST(a_ring_contains_its_triangles_its_edges_and_itself) {
  for (uint64_t seed = 0; seed < rounds(1000); seed++) {
    Random random = {seed};
    sat_Vec2 points[MOST_VERTICES];
    size_t count = 0, used = 0;
    while (count < 4)
      count = random_simple_polygon(&random, 10, (size_t)random_integer(&random, 5, 24), points);
    sat_Shape *ring = make_ring(points, count), *members[MOST_VERTICES];
    sat_Vec2 triangles[MOST_VERTICES][3];
    size_t n = triangles_of(points, count, triangles);
    for (size_t i = 0; i < n; i++)
      if (used == 0 || random_integer(&random, 0, 2))
        members[used++] = shape_make(triangles[i], 3, 0);
    sat_Shape *some = make_compound((const sat_Shape *const *)members, used);
    sat_Shape *edges = make_chain(points, count, true);
    sat_Scratch *scratch = test_scratch();
    double angle = seed % 2 ? random_real(&random, -3, 3) : 0;
    sat_Vec2 pivot = {3, 4};
    if (angle != 0) assert_int_equal(sat_shape_rotate_about(ring, angle, pivot), SAT_OK);
    CHECK_SEED(seed, sat_contains(ring, ring, scratch) == SAT_OK);
    if (angle == 0) {
      CHECK_SEED(seed, sat_contains(ring, some, scratch) == SAT_OK);
      CHECK_SEED(seed, sat_contains(ring, edges, scratch) == SAT_OK);
      CHECK_SEED(seed, sat_contains(edges, edges, scratch) == SAT_OK);
      CHECK_SEED(seed, sat_contains(edges, ring, scratch) == SAT_MISS);
      bool full = used == n;
      CHECK_SEED(seed, sat_contains(some, ring, scratch) == (full ? SAT_OK : SAT_MISS));
    }
    assert_int_equal(sat_shape_move(ring, 1e-6, 0), SAT_OK);
    if (angle == 0) CHECK_SEED(seed, sat_contains(ring, edges, scratch) == SAT_MISS);
    for (size_t i = 0; i < used; i++) free(members[i]);
    free(ring);
    free(some);
    free(edges);
  }
}

int main(void) { return run_suite(NULL, NULL); }
