/* test_composite_exact.c: composite shapes of small whole numbers, whose minimum translation
 * vectors are known exactly. */
#include "narrowphase/convex/convex_pair.h"
#include "test/answers.h"
#include "test/composite_shapes.h"
#include "test/exact_union.h"
#include "test/polygons.h"

/* ---------------------------------------------------------------- scenes */

enum { RING, HEAP, BOXES, SEGMENT, POINT, POLYGON, KINDS };

static sat_Shape *whole_shape(Random *random, int kind);

static sat_Shape *whole_ring(Random *random, int size) {
  sat_Vec2 points[MOST_VERTICES];
  size_t count = 0;
  while (count < 4)
    count = random_simple_polygon(random, size, (size_t)random_integer(random, 4, 9), points);
  return make_ring(points, count);
}

static sat_Shape *whole_box(Random *random) {
  double x = (double)random_integer(random, -6, 4), y = (double)random_integer(random, -6, 4);
  double w = (double)random_integer(random, 1, 6), h = (double)random_integer(random, 1, 6);
  return shape_box(x, y, w, h);
}

static sat_Shape *whole_member(Random *random, bool first) {
  if (first && random_integer(random, 0, 3) == 0) return whole_ring(random, 5);
  return whole_shape(random, (int)random_integer(random, SEGMENT, POLYGON));
}

/* A compound of boxes or of members of any kind. Some members are copies of the one before: in its
 * place, beside it or elsewhere. */
static sat_Shape *whole_compound(Random *random, bool boxes) {
  sat_Shape *members[5] = {NULL};
  size_t count = (size_t)random_integer(random, 1, 4);
  for (size_t i = 0; i < count; i++) {
    bool again = i > 0 && random_integer(random, 0, 2) == 0;
    if (again) members[i] = shape_copy(members[i - 1]);
    else members[i] = boxes ? whole_box(random) : whole_member(random, i == 0);
    sat_Box box = sat_shape_bounds(members[i]);
    if (again && random_integer(random, 0, 1)) move_by(members[i], vec2(box.max.x - box.min.x, 0));
    else if (random_integer(random, 0, 1)) move_by(members[i], random_whole(random, 4));
  }
  sat_Shape *shape = make_compound((const sat_Shape *const *)members, count);
  free_all(members);
  return shape;
}

/* A polygon some of whose vertices are nearly straight. */
static sat_Shape *nearly_straight_slope(Random *random) {
  sat_Vec2 points[6] = {{0, 20}, {-30, 20}, {-30, 10}, {-20, 7}, {-10, 3}, {0, 0}};
  points[3].y -= (double)random_integer(random, 0, 1);
  size_t count = hull_of(points, 6, 0);
  return shape_make(points, count, 0);
}

static sat_Shape *whole_shape(Random *random, int kind) {
  sat_Vec2 points[16];
  int size = (int)random_integer(random, 2, 6);
  size_t count = 1;
  points[0] = random_whole(random, size);
  switch (kind) {
  case RING: return whole_ring(random, size);
  case HEAP: return whole_compound(random, false);
  case BOXES: return whole_compound(random, true);
  case SEGMENT:
    points[1] = random_whole(random, size);
    count = same_vector(points[0], points[1]) ? 1 : 2;
    break;
  case POINT: break;
  default:
    if (random_integer(random, 0, 9) == 0) return nearly_straight_slope(random);
    count = random_whole_polygon(random, size, 7, points);
  }
  return shape_make(points, count, 0);
}

/* ---------------------------------------------------------------- the exact answer */

enum { MOST_PIECES = 32 };

static size_t read_pieces(const sat_Shape *shape, Solid *solids) {
  size_t count = sat_shape_piece_count(shape);
  assert_true(count <= MOST_PIECES);
  for (size_t i = 0; i < count; i++) {
    solids[i].count = sat_shape_piece_size(shape, i);
    solids[i].radius = 0;
    for (size_t k = 0; k < solids[i].count; k++)
      solids[i].vertices[k] = point_of(sat_shape_piece_vertex(shape, i, k));
  }
  return count;
}

/* Whether a component of a vector is right. A component of 0 is exactly 0: a number that is tiny
 * but not 0 would be a rounding error. */
static bool is_component(double computed, Real exact) {
  if (computed == 0) return fabsl(exact) < 1e-12L;
  return fabsl(computed - exact) <= 1e-9L * fabsl(exact) + 1e-14L && fabs(computed) > 1e-20;
}

static void check_translation(uint64_t seed, const sat_Shape *a, const sat_Shape *b,
                              const sat_Result *result, const ExactMtv *mtv) {
  Point units[MOST_EXACT_TRANSLATIONS];
  Point centers = point_of(sub(sat_shape_center(a), sat_shape_center(b)));
  if (point_length(centers) <= sat_touch_rounding(a, b)) centers = point_at(0, 0);
  for (size_t i = 0; i < mtv->count; i++) units[i] = point_mul(mtv->all[i].vector, 1 / mtv->depth);
  TieChoice choice = tie_choice(centers, units, mtv->count);
  const ExactTranslation *chosen = &mtv->all[choice.index];
  Point off = point_sub(chosen->vector, point_of(result->vector));
  CHECK_SEED(seed, choice.sure && point_length(off) < 1e-9L);
  if (!chosen->foot) return;
  CHECK_SEED(seed, is_component(result->vector.x, chosen->vector.x));
  CHECK_SEED(seed, is_component(result->vector.y, chosen->vector.y));
}

static Real check_pair(uint64_t seed, const sat_Shape *a, const sat_Shape *b) {
  static Solid solids[2][MOST_PIECES];
  ExactPair pair = {{solids[0], solids[1]}, {read_pieces(a, solids[0]), read_pieces(b, solids[1])}};
  ExactMtv mtv = exact_mtv(&pair);
  sat_Result result;
  bool meet = questions_agree(a, b, seed);
  CHECK_SEED(seed, meet == (mtv.depth < HUGE_VALL));
  if (!meet) return mtv.depth;
  assert_int_equal(sat_collide(a, b, test_scratch(), &result), SAT_OK);
  CHECK_SEED(seed, (result.depth == 0) == (mtv.depth == 0));
  CHECK_SEED(seed, fabsl(result.depth - mtv.depth) <= 1e-9L * mtv.depth + 1e-14L);
  if (mtv.depth > 0) check_translation(seed, a, b, &result, &mtv);
  else CHECK_SEED(seed, same_vector(result.vector, vec2(0, 0)));
  return mtv.depth;
}

/* ---------------------------------------------------------------- tests */

TEST(the_translation_is_the_shortest_that_separates) {
  uint64_t all = rounds(20000), separate = 0, touching = 0;
  for (uint64_t seed = 0; seed < all; seed++) {
    Random random = {seed};
    sat_Shape *a = whole_shape(&random, (int)(seed % KINDS));
    sat_Shape *b = whole_shape(&random, (int)(seed / KINDS % 3));
    move_by(a, random_whole(&random, 8));
    if (random_integer(&random, 0, 2) == 0) bring_to_touch(a, b);
    Real depth = check_pair(seed, a, b), back = check_pair(seed, b, a);
    CHECK_SEED(seed, back == depth || fabsl(back - depth) < 1e-12L);
    separate += depth == HUGE_VALL;
    touching += depth == 0;
    free(a);
    free(b);
  }
  assert_true(separate < all * 9 / 10 && touching < all / 2 && touching > all / 100);
}

/* A compound of the segments of a path of whole numbers, of which many lie along one another. */
static sat_Shape *whole_path(Random *random) {
  sat_Shape *segments[7] = {NULL};
  int size = (int)random_integer(random, 1, 6);
  sat_Vec2 points[2] = {random_whole(random, size)};
  size_t count = (size_t)random_integer(random, 1, 6);
  for (size_t i = 0; i < count; i++) {
    do {
      points[1] = random_whole(random, size);
      int64_t axis = random_integer(random, 0, 3);
      if (axis == 0) points[1].x = points[0].x;
      if (axis == 1) points[1].y = points[0].y;
    } while (same_vector(points[0], points[1]));
    segments[i] = shape_make(points, 2, 0);
    points[0] = points[1];
  }
  sat_Shape *path = make_compound((const sat_Shape *const *)segments, count);
  free_all(segments);
  return path;
}

TEST(paths_that_cross_are_separated_by_the_shortest_translation) {
  for (uint64_t seed = 0; seed < rounds(20000); seed++) {
    Random random = {seed};
    sat_Shape *a = whole_path(&random);
    sat_Shape *b = seed % 3 ? whole_path(&random) : whole_shape(&random, (int)(seed / 3 % KINDS));
    Real depth = check_pair(seed, a, b), back = check_pair(seed, b, a);
    CHECK_SEED(seed, back == depth || fabsl(back - depth) < 1e-12L);
    free(a);
    free(b);
  }
}

/* The line lies on the bar of a cross whose arms are not opposite each other. It has to leave the
 * bar at one end, and may cover it up to the other one. */
TEST(a_line_is_free_where_its_end_is_on_the_end_of_another_one) {
  const sat_Vec2 ends[4][2] = {
      {{1, -4}, {1, 2}}, {{-4, 2}, {4, 2}}, {{-1, 2}, {-1, 4}}, {{-6, 0}, {6, 0}}};
  sat_Shape *lines[5] = {NULL};
  for (int i = 0; i < 4; i++) lines[i] = shape_make(ends[i], 2, 0);
  sat_Shape *cross = make_compound((const sat_Shape *const *)lines, 3);
  Real depth = check_pair(0, lines[3], cross), back = check_pair(0, cross, lines[3]);
  assert_true(fabsl(depth - sqrtl(8)) < 1e-12L && fabsl(back - sqrtl(8)) < 1e-12L);
  free_all(lines);
  free(cross);
}

/* A chain of whole numbers, which often comes back to a point or runs back along itself. */
static sat_Shape *whole_chain(Random *random) {
  sat_Vec2 points[8];
  size_t count = (size_t)random_integer(random, 2, 6);
  for (size_t i = 0; i < count; i++) {
    points[i] = random_whole(random, 4);
    int64_t like = random_integer(random, 0, 4);
    if (i > 0 && like == 0) points[i].x = points[i - 1].x;
    if (i > 0 && like == 1) points[i].y = points[i - 1].y;
    if (i > 1 && like == 2) points[i] = points[i - 2];
  }
  bool all_same = true;
  for (size_t i = 1; i < count; i++) all_same = all_same && same_vector(points[i], points[0]);
  if (all_same) points[0].x += 1;
  return make_chain(points, count, false);
}

TEST(chains_that_pass_one_another_are_separated_by_the_shortest_translation) {
  for (uint64_t seed = 0; seed < rounds(6000); seed++) {
    Random random = {seed};
    sat_Shape *a = whole_chain(&random);
    sat_Shape *b = seed % 3 == 0 ? whole_path(&random) : whole_chain(&random);
    if (seed % 2 == 0) bring_to_touch(a, b);
    Real depth = check_pair(seed, a, b), back = check_pair(seed, b, a);
    CHECK_SEED(seed, back == depth || fabsl(back - depth) < 1e-12L);
    free(a);
    free(b);
  }
}

/* The segment of such a chain has no neighbours. */
TEST(a_chain_of_one_segment_answers_as_the_segment) {
  for (uint64_t seed = 0; seed < rounds(10000); seed++) {
    Random random = {seed};
    sat_Vec2 ends[2] = {random_whole(&random, 6), random_whole(&random, 6)};
    if (same_vector(ends[0], ends[1])) continue;
    sat_Shape *segment = shape_make(ends, 2, 0), *chain = make_chain(ends, 2, false);
    sat_Shape *thing = whole_shape(&random, (int)(seed % KINDS));
    if (random_integer(&random, 0, 2) == 0) bring_to_touch(thing, segment);
    Answers one = ask(thing, segment, random_whole(&random, 20));
    Answers other = ask(thing, chain, vec2(0, 0));
    CHECK_SEED(seed, one.overlap == other.overlap && one.collide == other.collide);
    CHECK_SEED(seed, fabs(one.result.depth - other.result.depth) < 1e-12);
    CHECK_SEED(seed, near(one.result.vector, other.result.vector, 1e-11));
    CHECK_SEED(seed, one.result.depth == 0 || near(one.result.normal, other.result.normal, 1e-9));
    CHECK_SEED(seed, fabs(one.distance.distance - other.distance.distance) < 1e-12);
    free_all((sat_Shape *[]){segment, chain, thing, NULL});
  }
}

int main(void) { return run_suite(NULL, NULL); }
