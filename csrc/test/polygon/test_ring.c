/* test_ring.c: cleaning, crossings, convexity, hulls, areas and centroids of rings, scratch
 * memory, and the texts of the statuses. */
#include "base/predicates.h"
#include "base/memory.h"
#include "test/scratch.h"
#include "test/random.h"

#include <string.h>

/* ---------------------------------------------------------------- small rings */

enum { MOST = 64 };

typedef struct Ring {
  size_t count;
  sat_Vec2 points[MOST];
} Ring;

static Ring ring_of(size_t count, const sat_Vec2 *points) {
  Ring ring = {count, {{0, 0}}};
  memcpy(ring.points, points, count * sizeof *points);
  return ring;
}

static bool same(sat_Vec2 a, sat_Vec2 b) { return a.x == b.x && a.y == b.y; }

static sat_Vec2 at(const Ring *ring, size_t index) { return ring->points[index % ring->count]; }

/* Twice the area of a ring, exact for whole numbers. */
static double doubled_area(const Ring *ring) {
  double sum = 0;
  for (size_t i = 0; i < ring->count; i++) sum += cross(at(ring, i), at(ring, i + 1));
  return sum;
}

/* Reverses the vertices from first to last. */
static void turn_round(Ring *ring, size_t first, size_t last) {
  for (; first < last; first++, last--) {
    sat_Vec2 point = ring->points[first];
    ring->points[first] = ring->points[last];
    ring->points[last] = point;
  }
}

static void remove_vertex(Ring *ring, size_t index) {
  ring->count--;
  for (size_t i = index; i < ring->count; i++) ring->points[i] = ring->points[i + 1];
}

static Ring reversed(const Ring *ring) {
  Ring result = *ring;
  turn_round(&result, 0, ring->count - 1);
  return result;
}

static Ring rotated(const Ring *ring, size_t by) {
  Ring result = *ring;
  for (size_t i = 0; i < ring->count; i++) result.points[i] = at(ring, i + by);
  return result;
}

/* Cleans a ring slowly: drops vertices on a line with their neighbours until none is left. */
static Ring slowly_cleaned(Ring ring) {
  for (size_t i = 0; i < ring.count && ring.count > 2;) {
    if (sat_orientation(at(&ring, i + ring.count - 1), at(&ring, i), at(&ring, i + 1)) == 0) {
      remove_vertex(&ring, i);
      i = 0;
    } else {
      i++;
    }
  }
  return ring;
}

static bool equal_up_to_rotation(const Ring *a, const Ring *b) {
  if (a->count != b->count) return false;
  for (size_t by = 0; by < a->count; by++) {
    size_t i = 0;
    while (i < a->count && same(at(a, i), at(b, i + by))) i++;
    if (i == a->count) return true;
  }
  return false;
}

/* Whether two closed segments share a point. */
static bool segments_meet(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c, sat_Vec2 d) {
  if (max2(a.x, b.x) < min2(c.x, d.x) || max2(c.x, d.x) < min2(a.x, b.x)) return false;
  if (max2(a.y, b.y) < min2(c.y, d.y) || max2(c.y, d.y) < min2(a.y, b.y)) return false;
  return sat_orientation(a, b, c) * sat_orientation(a, b, d) <= 0 &&
         sat_orientation(c, d, a) * sat_orientation(c, d, b) <= 0;
}

/* Whether each of two segments has its ends on both sides of the other one. */
static bool segments_cross(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c, sat_Vec2 d) {
  return sat_orientation(a, b, c) * sat_orientation(a, b, d) < 0 &&
         sat_orientation(c, d, a) * sat_orientation(c, d, b) < 0;
}

static bool are_neighbours(size_t i, size_t j, size_t count) {
  return (i + 1) % count == j || (j + 1) % count == i;
}

/* ---------------------------------------------------------------- random rings */

static sat_Vec2 random_point(Random *random, int64_t size) {
  double x = (double)random_integer(random, -size, size);
  return vec2(x, (double)random_integer(random, -size, size));
}

static Ring scribble(Random *random, size_t most) {
  Ring ring = {(size_t)random_integer(random, 3, (int64_t)most), {{0, 0}}};
  int64_t size = random_integer(random, 1, 8);
  for (size_t i = 0; i < ring.count; i++) ring.points[i] = random_point(random, size);
  return ring;
}

/* A ring of short steps in a small space, with many touching vertices, spikes and edges along
 * each other. */
static Ring random_walk(Random *random, size_t most) {
  Ring ring = {(size_t)random_integer(random, 3, (int64_t)most), {{0, 0}}};
  int64_t step = random_integer(random, 1, 2);
  for (size_t i = 1; i < ring.count; i++) {
    sat_Vec2 next = add(ring.points[i - 1], random_point(random, step));
    ring.points[i] = vec2(clamp(next.x, -8, 8), clamp(next.y, -8, 8));
  }
  return ring;
}

/* Reverses the vertices between two crossing edges until no edges cross. Each step makes the
 * ring shorter, so that the loop ends. */
static void untangle(Ring *ring) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < ring->count; i++) {
      for (size_t j = i + 2; j < ring->count; j++) {
        if (!segments_cross(at(ring, i), at(ring, i + 1), at(ring, j), at(ring, j + 1))) continue;
        turn_round(ring, i + 1, j);
        again = true;
      }
    }
  }
}

static Ring random_ring(Random *random) {
  int64_t kind = random_integer(random, 0, 2);
  if (kind == 0) return random_walk(random, 16);
  Ring ring = scribble(random, 12);
  if (kind == 1) untangle(&ring);
  return ring;
}

typedef bool (*PairTest)(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c, sat_Vec2 d);

/* Whether two edges that are no neighbours pass a test. */
static bool any_pair(const Ring *ring, PairTest test) {
  for (size_t i = 0; i < ring->count; i++) {
    for (size_t j = i + 1; j < ring->count; j++) {
      if (are_neighbours(i, j, ring->count)) continue;
      if (test(at(ring, i), at(ring, i + 1), at(ring, j), at(ring, j + 1))) return true;
    }
  }
  return false;
}

/* ---------------------------------------------------------------- winding numbers, slowly */

typedef struct Fraction {
  int64_t top, bottom; /* bottom > 0 */
} Fraction;

typedef struct Level {
  Fraction y;
  int direction;
} Level;

static int compare(Fraction a, Fraction b) {
  int64_t left = a.top * b.bottom, right = b.top * a.bottom;
  return (left > right) - (left < right);
}

static int compare_fractions(const void *a, const void *b) {
  return compare(*(const Fraction *)a, *(const Fraction *)b);
}
static int compare_levels(const void *a, const void *b) {
  return compare(((const Level *)a)->y, ((const Level *)b)->y);
}

/* The x of all vertices and of all crossings of lines through edges, sorted. */
static size_t all_stations(const Ring *ring, Fraction *stations) {
  size_t size = 0;
  for (size_t i = 0; i < ring->count; i++) {
    sat_Vec2 a = at(ring, i), b = at(ring, i + 1);
    stations[size++] = (Fraction){(int64_t)a.x, 1};
    for (size_t j = 0; j < i; j++) {
      sat_Vec2 c = at(ring, j), d = at(ring, j + 1);
      double bottom = cross(sub(b, a), sub(d, c));
      double top = a.x * bottom + cross(sub(c, a), sub(d, c)) * (b.x - a.x);
      if (bottom > 0) stations[size++] = (Fraction){(int64_t)top, (int64_t)bottom};
      if (bottom < 0) stations[size++] = (Fraction){-(int64_t)top, -(int64_t)bottom};
    }
  }
  qsort(stations, size, sizeof *stations, compare_fractions);
  return size;
}

static size_t levels_at(const Ring *ring, Fraction x, Level *levels) {
  size_t size = 0;
  for (size_t i = 0; i < ring->count; i++) {
    sat_Vec2 a = at(ring, i), b = at(ring, i + 1);
    int direction = a.x < b.x ? 1 : -1;
    sat_Vec2 low = direction > 0 ? a : b, high = direction > 0 ? b : a;
    if (compare((Fraction){(int64_t)low.x, 1}, x) > 0 ||
        compare((Fraction){(int64_t)high.x, 1}, x) < 0)
      continue;
    if (low.x == high.x) continue;
    int64_t width = (int64_t)(high.x - low.x), rise = (int64_t)(high.y - low.y);
    int64_t along = x.top - (int64_t)low.x * x.bottom;
    Fraction y = {(int64_t)low.y * width * x.bottom + along * rise, width * x.bottom};
    levels[size++] = (Level){y, direction};
  }
  qsort(levels, size, sizeof *levels, compare_levels);
  return size;
}

/* Returns 1 or -1 if the ring winds around every point that often or not at all, else 0. Between
 * two neighbouring stations no edges cross, and every face lies between some two of them. */
static int slow_sign(const Ring *ring) {
  Fraction stations[MOST * MOST];
  Level levels[MOST];
  size_t count = all_stations(ring, stations);
  int low = 0, high = 0;
  for (size_t i = 1; i < count; i++) {
    Fraction a = stations[i - 1], b = stations[i];
    if (compare(a, b) == 0) continue;
    Fraction between = {a.top + b.top, a.bottom + b.bottom};
    size_t size = levels_at(ring, between, levels);
    int winding = 0;
    for (size_t k = 0; k < size; k++) {
      winding += levels[k].direction;
      if (k + 1 < size && compare(levels[k].y, levels[k + 1].y) == 0) continue;
      low = winding < low ? winding : low;
      high = winding > high ? winding : high;
    }
  }
  return high - low == 1 ? high + low : 0;
}

/* ---------------------------------------------------------------- cleaning */

static sat_Status clean(Ring *ring, sat_RingError *error) {
  return sat_ring_clean(ring->points, &ring->count, &scratch, error);
}

static void assert_cleaned(size_t count, const sat_Vec2 *given, size_t expected_count,
                           const sat_Vec2 *expected) {
  Ring ring = ring_of(count, given);
  sat_RingError error = {7, 7};
  assert_int_equal(clean(&ring, &error), SAT_OK);
  assert_int_equal(ring.count, expected_count);
  assert_memory_equal(ring.points, expected, expected_count * sizeof *expected);
  assert_int_equal(error.first, 0);
  assert_int_equal(error.second, 0);
}

#define ASSERT_CLEANED(given, expected)                                                            \
  assert_cleaned(COUNT_OF(given), given, COUNT_OF(expected), expected)

static void assert_refused(size_t count, const sat_Vec2 *given, sat_Status status, size_t first,
                           size_t second) {
  Ring ring = ring_of(count, given), before = ring;
  sat_RingError error = {7, 7};
  assert_int_equal(clean(&ring, &error), status);
  assert_int_equal(error.first, first);
  assert_int_equal(error.second, second);
  assert_memory_equal(&ring, &before, sizeof ring);
  assert_int_equal(clean(&ring, NULL), status);
}

#define ASSERT_REFUSED(given, status, first, second)                                               \
  assert_refused(COUNT_OF(given), given, status, first, second)

TEST(a_clean_ring_stays_as_it_is) {
  const sat_Vec2 square[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  ASSERT_CLEANED(square, square);
  const sat_Vec2 arrow[] = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
  ASSERT_CLEANED(arrow, arrow);
}

TEST(a_ring_of_negative_area_is_turned_round_and_keeps_its_first_vertex) {
  const sat_Vec2 given[] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}},
                 expected[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  ASSERT_CLEANED(given, expected);
}

TEST(repeated_and_closing_vertices_are_dropped) {
  const sat_Vec2 given[] = {{0, 0}, {0, 0}, {1, 0}, {1, 1}, {1, 1}, {1, 1}, {0, 1}, {0, 0}, {0, 0}};
  const sat_Vec2 expected[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  ASSERT_CLEANED(given, expected);
}

TEST(vertices_on_a_straight_line_are_dropped_even_at_the_seam) {
  const sat_Vec2 given[] = {{1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}, {0, 0}};
  const sat_Vec2 expected[] = {{2, 0}, {2, 2}, {0, 2}, {0, 0}};
  ASSERT_CLEANED(given, expected);
}

TEST(spikes_are_dropped_with_all_their_vertices) {
  const sat_Vec2 given[] = {{9, 2}, {4, 2}, {4, 4}, {4, 9}, {6, 9}, {4, 9},
                            {4, 4}, {0, 4}, {0, 0}, {4, 0}, {4, 2}};
  const sat_Vec2 expected[] = {{4, 4}, {0, 4}, {0, 0}, {4, 0}};
  ASSERT_CLEANED(given, expected);
}

TEST(a_number_out_of_range_is_refused_and_its_vertex_named) {
  const double numbers[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1.0000000000000002e15,
                            -1e16};
  for (size_t i = 0; i < COUNT_OF(numbers); i++) {
    const sat_Vec2 bad_x[] = {{0, 0}, {1, 0}, {numbers[i], 1}, {0, numbers[i]}};
    ASSERT_REFUSED(bad_x, SAT_ERANGE, 2, 0);
    const sat_Vec2 bad_y[] = {{0, 0}, {1, 0}, {1, 1}, {0, numbers[i]}};
    ASSERT_REFUSED(bad_y, SAT_ERANGE, 3, 0);
  }
  const sat_Vec2 largest[] = {{-1e15, -1e15}, {1e15, -1e15}, {1e15, 1e15}, {-1e15, 1e15}};
  ASSERT_CLEANED(largest, largest);
}

TEST(fewer_than_three_distinct_vertices_are_refused) {
  const sat_Vec2 points[] = {{7, 7}, {7, 7}, {8, 8}, {7, 7}, {8, 8}};
  for (size_t count = 0; count <= COUNT_OF(points); count++)
    assert_refused(count, points, SAT_EFEW, 0, 0);
}

TEST(vertices_that_enclose_nothing_are_refused) {
  const sat_Vec2 line[] = {{0, 0}, {1, 1}, {-1, -1}, {5, 5}};
  ASSERT_REFUSED(line, SAT_EAREA, 0, 0);
  const sat_Vec2 star[] = {{0, 0}, {3, 0}, {0, 0}, {0, 3}, {0, 0}, {-3, -3}, {-1, -1}};
  ASSERT_REFUSED(star, SAT_EAREA, 0, 0);
}

/* ---------------------------------------------------------------- crossings */

TEST(edges_that_cross_are_named_as_the_caller_counts_them) {
  const sat_Vec2 bow_tie[] = {{0, 0}, {2, 2}, {2, 0}, {0, 2}};
  ASSERT_REFUSED(bow_tie, SAT_ECROSS, 0, 2);
  const sat_Vec2 unclean[] = {{0, 0}, {0, 0},  {1, 1}, {2, 2}, {2, 2},
                              {2, 0}, {2, -5}, {2, 0}, {0, 2}, {0, 1}};
  ASSERT_REFUSED(unclean, SAT_ECROSS, 0, 7);
  const sat_Vec2 pentagram[] = {{0, 3}, {2, -3}, {-3, 1}, {3, 1}, {-2, -3}};
  Ring ring = ring_of(COUNT_OF(pentagram), pentagram);
  sat_RingError error;
  assert_int_equal(clean(&ring, &error), SAT_ECROSS);
  assert_true(segments_cross(at(&ring, error.first), at(&ring, error.first + 1),
                             at(&ring, error.second), at(&ring, error.second + 1)));
}

TEST(a_ring_that_crosses_itself_at_a_vertex_is_refused) {
  const sat_Vec2 twice_through[] = {{0, 0}, {2, 2}, {4, 4}, {4, 0}, {2, 2}, {0, 4}};
  ASSERT_REFUSED(twice_through, SAT_ECROSS, 0, 3);
  const sat_Vec2 over_an_edge[] = {{0, 0}, {4, 0}, {4, 4}, {2, 0}, {1, -2}, {0, 4}};
  Ring ring = ring_of(COUNT_OF(over_an_edge), over_an_edge);
  assert_int_equal(clean(&ring, NULL), SAT_ECROSS);
}

TEST(a_ring_walked_twice_is_refused) {
  const sat_Vec2 twice[] = {{0, 0}, {2, 0}, {0, 2}, {0, 0}, {2, 0}, {0, 2}};
  ASSERT_REFUSED(twice, SAT_ECROSS, 0, 3);
}

TEST(loops_that_cancel_each_other_are_refused) {
  const sat_Vec2 there_and_back[] = {{0, 0}, {2, -1}, {2, 1},  {0, 0}, {-2, 1},  {-2, -1},
                                     {0, 0}, {2, 1},  {2, -1}, {0, 0}, {-2, -1}, {-2, 1}};
  Ring ring = ring_of(COUNT_OF(there_and_back), there_and_back);
  assert_int_equal(clean(&ring, NULL), SAT_ECROSS);
}

TEST(loops_of_opposite_direction_at_the_ends_of_a_bridge_are_refused) {
  const sat_Vec2 wound_back[] = {{0, 0}, {4, 0}, {6, -2},  {6, 2},
                                 {4, 0}, {0, 0}, {-2, -2}, {-2, 2}};
  ASSERT_REFUSED(wound_back, SAT_ECROSS, 0, 4);
  const sat_Vec2 level[] = {{0, 0}, {4, 0}, {6, -2}, {6, 2}, {4, 0}, {0, 0}, {-2, 2}, {-2, -2}};
  ASSERT_CLEANED(level, level);
}

TEST(a_ring_may_touch_itself_with_a_vertex) {
  const sat_Vec2 vertex_on_vertex[] = {{0, 0}, {4, 0}, {2, 2}, {4, 4}, {0, 4}, {2, 2}};
  ASSERT_CLEANED(vertex_on_vertex, vertex_on_vertex);
  const sat_Vec2 vertex_on_edge[] = {{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}};
  ASSERT_CLEANED(vertex_on_edge, vertex_on_edge);
}

TEST(a_ring_may_run_to_a_hole_and_back) {
  const sat_Vec2 hole[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 3}, {3, 3},
                           {3, 6}, {6, 6}, {6, 3}, {3, 3}, {0, 3}};
  const sat_Vec2 expected[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 3},
                               {3, 3}, {3, 6}, {6, 6}, {6, 3}, {0, 3}};
  ASSERT_CLEANED(hole, expected);
}

/* Counts the cases of the random test, which must not pass for lack of them. */
typedef struct Tally {
  uint64_t kept, touching, crossing, wound_back;
} Tally;

static void check_kept(uint64_t seed, const Ring *cleaned, const Ring *expected, int sign,
                       Tally *tally) {
  Ring other_way = reversed(expected);
  CHECK_SEED(seed, equal_up_to_rotation(cleaned, sign > 0 ? expected : &other_way));
  CHECK_SEED(seed, doubled_area(cleaned) > 0);
  tally->kept++;
  tally->touching += any_pair(expected, segments_meet);
}

static void check_named(uint64_t seed, Ring ring, Tally *tally) {
  Ring before = ring;
  bool crossing = any_pair(&ring, segments_cross);
  sat_RingError error;
  CHECK_SEED(seed, clean(&ring, &error) == SAT_ECROSS);
  CHECK_SEED(seed, memcmp(&ring, &before, sizeof ring) == 0);
  size_t i = error.first, j = error.second;
  CHECK_SEED(seed, i < j && j < ring.count && !are_neighbours(i, j, ring.count));
  PairTest test = crossing ? segments_cross : segments_meet;
  CHECK_SEED(seed, test(at(&ring, i), at(&ring, i + 1), at(&ring, j), at(&ring, j + 1)));
  *(crossing ? &tally->crossing : &tally->wound_back) += 1;
}

/* A ring crosses itself where edges cross, where it winds around a face more than once, or if it
 * winds around faces in both directions. */
TEST(just_the_rings_that_cross_themselves_are_refused) {
  Tally tally = {0, 0, 0, 0};
  for (uint64_t seed = 1; seed <= rounds(60000); seed++) {
    Random random = {seed};
    Ring ring = random_ring(&random), expected = slowly_cleaned(ring);
    sat_Status status = clean(&ring, NULL);
    int sign = any_pair(&expected, segments_cross) ? 0 : slow_sign(&expected);
    if (expected.count < 3) {
      CHECK_SEED(seed, status == SAT_EAREA || status == SAT_EFEW);
    } else if (sign != 0) {
      CHECK_SEED(seed, status == SAT_OK);
      check_kept(seed, &ring, &expected, sign, &tally);
    } else {
      CHECK_SEED(seed, status == SAT_ECROSS);
      check_named(seed, expected, &tally);
    }
  }
  uint64_t composite = rounds(60000) / 12, some = rounds(60000) / 30;
  assert_true(tally.kept > composite && tally.touching > some && tally.crossing > composite &&
              tally.wound_back > some);
}

TEST(rings_of_random_reals_are_refused_just_when_two_edges_meet) {
  uint64_t kept = 0;
  for (uint64_t seed = 1; seed <= rounds(3000); seed++) {
    Random random = {seed};
    Ring ring = {(size_t)random_integer(&random, 3, MOST), {{0, 0}}};
    double flatness = random_integer(&random, 0, 1) ? 1 : 1e-14;
    for (size_t i = 0; i < ring.count; i++) {
      double x = random_real(&random, -1e7, 1e7);
      ring.points[i] = vec2(x, x * 0.3 + flatness * random_real(&random, -1e7, 1e7));
    }
    if (flatness == 1) untangle(&ring);
    bool meet = any_pair(&ring, segments_meet);
    kept += !meet;
    CHECK_SEED(seed, clean(&ring, NULL) == (meet ? SAT_ECROSS : SAT_OK));
  }
  assert_in_range(kept, rounds(3000) / 3, rounds(3000) * 29 / 30);
}

TEST(a_ring_is_the_same_wherever_it_starts_and_whichever_way_it_goes) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    Ring ring = random_ring(&random),
         turned = rotated(&ring, (size_t)random_integer(&random, 0, 16));
    if (random_integer(&random, 0, 1)) turned = reversed(&turned);
    sat_Status status = clean(&ring, NULL);
    CHECK_SEED(seed, clean(&turned, NULL) == status);
    CHECK_SEED(seed, status != SAT_OK || equal_up_to_rotation(&ring, &turned));
  }
}

/* A loop, a random walk over four places, a second loop, and the same walk back. The walk mostly
 * goes round the triangle of places 0, 1 and 2, sometimes by way of place 3, which lies on a side;
 * therefore no edges cross, but many run along each other. */
static Ring there_and_back(Random *random) {
  const sat_Vec2 places[] = {{0, 0}, {8, 0}, {0, 8}, {4, 0}};
  const sat_Vec2 loops[2][2] = {{{-1, -2}, {-2, -1}}, {{11, -2}, {10, -3}}};
  int walk[29] = {0}, steps = (int)random_integer(random, 1, COUNT_OF(walk) - 2);
  for (int i = 1; i < steps; i++) {
    int onward = walk[i - 1] == 3 ? (int)random_integer(random, 0, 2) : (walk[i - 1] + 1) % 3;
    walk[i] = random_integer(random, 0, 5) ? onward : 3;
  }
  walk[steps] = 1;
  Ring ring = {0, {{0, 0}}};
  for (int i = 0; i <= steps; i++) ring.points[ring.count++] = places[walk[i]];
  for (int i = 0; i < 2; i++) ring.points[ring.count++] = loops[1][i];
  for (int i = steps; i >= 0; i--) ring.points[ring.count++] = places[walk[i]];
  for (int i = 0; i < 2; i++) ring.points[ring.count++] = loops[0][i];
  return ring;
}

TEST(a_ring_of_many_vertices_on_few_places_is_the_same_wherever_it_starts) {
  uint64_t kept = 0, refused = 0;
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    Ring ring = there_and_back(&random),
         turned = rotated(&ring, (size_t)random_integer(&random, 0, MOST));
    if (random_integer(&random, 0, 1)) turned = reversed(&turned);
    sat_Status status = clean(&ring, NULL);
    *(status ? &refused : &kept) += 1;
    CHECK_SEED(seed, clean(&turned, NULL) == status);
    Ring again = ring;
    CHECK_SEED(seed, clean(&again, NULL) == status);
    CHECK_SEED(seed, memcmp(&again, &ring, sizeof ring) == 0);
    CHECK_SEED(seed, status != SAT_OK || equal_up_to_rotation(&ring, &turned));
  }
  assert_true(kept > rounds(20000) / 4 && refused > rounds(20000) / 10);
}

/* ---------------------------------------------------------------- many vertices */

static sat_Vec2 *many_points(size_t count) {
  sat_Vec2 *points = calloc(count, sizeof *points);
  assert_non_null(points);
  return points;
}

/* Cleans a ring and frees its points. How long that takes, bench/scale.c measures. */
static void assert_many_cleaned(sat_Vec2 *points, size_t count, sat_Status status,
                                size_t expected_count) {
  assert_int_equal(sat_ring_clean(points, &count, &scratch, NULL), status);
  if (status == SAT_OK) assert_int_equal(count, expected_count);
  free(points);
}

TEST(a_ring_may_have_a_hundred_thousand_vertices) {
  enum { COUNT = 100000 };
  Random random = {1};
  sat_Vec2 *circle = many_points(COUNT), *star = many_points(COUNT), *scrawl = many_points(COUNT);
  for (int i = 0; i < COUNT; i++) {
    sat_Vec2 direction;
    sat_sine_cosine(i * (6.283185307179586 / COUNT), &direction.y, &direction.x);
    circle[i] = mul(direction, 1e6);
    star[i] = mul(direction, random_real(&random, 1, 1e6));
    scrawl[i] = vec2(random_real(&random, -1, 1), random_real(&random, -1, 1));
  }
  assert_many_cleaned(circle, COUNT, SAT_OK, COUNT);
  assert_many_cleaned(star, COUNT, SAT_OK, COUNT);
  assert_many_cleaned(scrawl, COUNT, SAT_ECROSS, 0);
}

/* Long edges side by side, all of which the sweep line meets at once, closed around one side or
 * the other. */
static sat_Vec2 *zigzag(int count, sat_Vec2 before_last, sat_Vec2 last) {
  sat_Vec2 *points = many_points((size_t)count);
  for (int i = 0; i < count - 2; i++) points[i] = i % 2 ? vec2(1e6 + i, 1e6 - i) : vec2(i, -i);
  points[count - 2] = before_last;
  points[count - 1] = last;
  return points;
}

TEST(a_zigzag_of_long_edges_is_simple_or_crosses_itself) {
  enum { COUNT = 100000 };
  sat_Vec2 left = vec2(-1e6, -1e6), right = vec2(3e6, -3e6);
  assert_many_cleaned(zigzag(COUNT, right, left), COUNT, SAT_OK, COUNT);
  assert_many_cleaned(zigzag(COUNT, left, right), COUNT, SAT_ECROSS, 0);
}

TEST(many_vertices_may_be_in_one_place_or_line) {
  enum { COUNT = 100000 };
  Random random = {1};
  sat_Vec2 *line = many_points(COUNT), *spokes = many_points(COUNT);
  for (int i = 0; i < COUNT; i++) {
    line[i] = vec2(i ? (double)random_integer(&random, -1000, 1000) : 1e4, i ? 0 : 1);
    sat_sine_cosine(i * 6e-5, &spokes[i].y, &spokes[i].x);
    if (i % 3 == 0) spokes[i] = vec2(0, 0);
  }
  assert_many_cleaned(line, COUNT, SAT_OK, 3);
  assert_many_cleaned(spokes, COUNT - 1, SAT_OK, COUNT - 1);
}

/* Two loops, and a bridge between them that the ring walks again and again. The vertices on the
 * bridge lie on many of its edges. */
TEST(many_edges_along_each_other_are_refused) {
  enum { COUNT = 100000 };
  sat_Vec2 *points = many_points(COUNT);
  const sat_Vec2 loops[8] = {{0, 0}, {9, 0}, {12, -1}, {12, 1}, {9, 0}, {0, 0}, {-1, 1}, {-1, -1}};
  for (int i = 0; i < COUNT; i++) {
    points[i] = loops[i % 8];
    if (i % 8 == 5) points[i].x += i * 5e-5;
  }
  assert_many_cleaned(points, COUNT, SAT_ECROSS, 0);
}

/* ---------------------------------------------------------------- convexity */

static bool repeats_vertex(const Ring *ring) {
  for (size_t i = 0; i < ring->count; i++)
    for (size_t k = 0; k < i; k++)
      if (ring->points[i].x == ring->points[k].x && ring->points[i].y == ring->points[k].y)
        return true;
  return false;
}

TEST(a_ring_is_convex_when_it_turns_one_way_all_round) {
  uint64_t convex = 0, concave = 0;
  for (uint64_t seed = 1; seed <= rounds(30000); seed++) {
    Random random = {seed};
    Ring ring = random_ring(&random);
    if (clean(&ring, NULL)) continue;
    size_t reflex = ring.count;
    for (size_t i = ring.count; i-- > 0;) {
      if (sat_orientation(at(&ring, i + ring.count - 1), at(&ring, i), at(&ring, i + 1)) < 0)
        reflex = i;
    }
    sat_RingError error = {99, 99};
    bool expected = reflex == ring.count && !repeats_vertex(&ring);
    *(expected ? &convex : &concave) += 1;
    CHECK_SEED(seed, sat_ring_is_convex(ring.points, ring.count, &error) == expected);
    CHECK_SEED(seed, sat_ring_is_convex(ring.points, ring.count, NULL) == expected);
    if (reflex == ring.count && !expected) continue; /* the ring goes round more than once */
    CHECK_SEED(seed, error.second == (expected ? 99 : reflex));
    CHECK_SEED(seed, error.first == (expected ? 99 : (reflex + ring.count - 1) % ring.count));
  }
  assert_true(convex > rounds(30000) / 30 && concave > rounds(30000) / 30);
}

/* The three triangles of this ring touch at 0, 0, and all its corners turn one way. */
TEST(a_ring_that_goes_round_more_than_once_is_not_convex) {
  static const sat_Vec2 points[] = {{6, 6}, {-8, -8}, {-7, -8}, {0, 0},
                                    {0, 3}, {-8, 3},  {0, 0},   {6, 0}};
  Ring ring = ring_of(8, points);
  for (size_t first = 0; first < ring.count; first++) {
    Ring one = rotated(&ring, first), other = reversed(&one);
    sat_RingError error = {99, 99};
    CHECK_SEED(first, clean(&one, NULL) == SAT_OK && clean(&other, NULL) == SAT_OK);
    CHECK_SEED(first, !sat_ring_is_convex(one.points, one.count, &error));
    CHECK_SEED(first, error.first < one.count && error.second == (error.first + 1) % one.count);
    CHECK_SEED(first, !sat_ring_is_convex(other.points, other.count, NULL));
  }
}

/* ---------------------------------------------------------------- hull */

static void check_hull(uint64_t seed, const Ring *given, const Ring *hull) {
  for (size_t i = 0; i < hull->count; i++) {
    sat_Vec2 a = at(hull, i), b = at(hull, i + 1);
    bool found = false;
    CHECK_SEED(seed, sat_orientation(a, b, at(hull, i + 2)) > 0);
    for (size_t j = 0; j < given->count; j++) {
      found = found || same(a, given->points[j]);
      CHECK_SEED(seed, sat_orientation(a, b, given->points[j]) >= 0);
    }
    for (size_t j = 0; j < i; j++) CHECK_SEED(seed, !same(a, hull->points[j]));
    CHECK_SEED(seed, found);
  }
}

static void shuffle(Random *random, Ring *ring) {
  for (size_t i = ring->count - 1; i > 0; i--) {
    size_t j = (size_t)random_integer(random, 0, (int64_t)i);
    sat_Vec2 point = ring->points[i];
    ring->points[i] = ring->points[j];
    ring->points[j] = point;
  }
}

TEST(the_hull_is_made_of_given_points_and_holds_them_all_in_any_order) {
  for (uint64_t seed = 1; seed <= rounds(30000); seed++) {
    Random random = {seed};
    Ring given = scribble(&random, seed % 2 ? 6 : MOST), hull = given, other = given;
    shuffle(&random, &other);
    sat_Status status = sat_hull(hull.points, &hull.count, &scratch, NULL);
    CHECK_SEED(seed, sat_hull(other.points, &other.count, &scratch, NULL) == status);
    bool flat = true, two = true;
    for (size_t i = 0; i < given.count; i++) {
      for (size_t j = 0; j < given.count; j++) {
        sat_Vec2 a = at(&given, 0), b = at(&given, i), c = at(&given, j);
        flat = flat && sat_orientation(a, b, c) == 0;
        two = two && (same(a, b) || same(b, c) || same(c, a));
      }
    }
    CHECK_SEED(seed, status == (two ? SAT_EFEW : flat ? SAT_EAREA : SAT_OK));
    if (status == SAT_OK) check_hull(seed, &given, &hull);
    CHECK_SEED(seed, other.count == hull.count && (status || equal_up_to_rotation(&hull, &other)));
  }
}

TEST(the_hull_of_bad_points_is_refused) {
  sat_Vec2 points[] = {{0, 0}, {1, 0}, {1, (double)NAN}, {0, 1}};
  size_t count = 4;
  sat_RingError error;
  assert_int_equal(sat_hull(points, &count, &scratch, &error), SAT_ERANGE);
  assert_int_equal(error.first, 2);
  count = 0;
  assert_int_equal(sat_hull(NULL, &count, &scratch, NULL), SAT_EFEW);
}

/* ---------------------------------------------------------------- area, perimeter, centroid */

TEST(the_area_of_whole_numbers_is_exact_near_and_far) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    Ring ring = random_ring(&random), back = reversed(&ring);
    double expected = doubled_area(&ring) / 2;
    CHECK_SEED(seed, sat_ring_area(ring.points, ring.count) == expected);
    CHECK_SEED(seed, sat_ring_area(back.points, back.count) == -expected);
    for (size_t i = 0; i < ring.count; i++) ring.points[i] = add(ring.points[i], vec2(1e14, -1e14));
    CHECK_SEED(seed, sat_ring_area(ring.points, ring.count) == expected);
  }
}

TEST(a_sliver_keeps_its_area) {
  const sat_Vec2 sliver[] = {{0, 0}, {3, 1}, {1.5, nextafter(0.5, 1)}};
  assert_true(sat_ring_area(sliver, 3) == 1.5 * 0x1p-53);
}

TEST(the_perimeter_goes_all_round) {
  const sat_Vec2 triangle[] = {{1, 1}, {4, 1}, {4, 5}};
  assert_true(sat_ring_perimeter(triangle, 3) == 12);
}

TEST(the_centroid_of_a_rectangle_is_its_middle) {
  for (int power = 0; power < 47; power++) {
    double far = ldexp(1, power) - 1;
    const sat_Vec2 points[] = {{far, 0}, {far + 8, 0}, {far + 8, 4}, {far, 4}};
    assert_true(same(sat_ring_centroid(points, 4), vec2(far + 4, 2)));
  }
}

/* The expected centroid is the usual formula about 0, 0, whose sums are exact for small whole
 * numbers. */
TEST(the_centroid_is_right_for_concave_rings_near_and_far) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    Ring ring = random_ring(&random);
    if (clean(&ring, NULL)) continue;
    sat_Vec2 sum = {0, 0};
    for (size_t i = 0; i < ring.count; i++) {
      sat_Vec2 a = at(&ring, i), b = at(&ring, i + 1);
      sum = add(sum, mul(add(a, b), cross(a, b)));
    }
    sat_Vec2 expected = mul(sum, 1 / (3 * doubled_area(&ring)));
    sat_Vec2 off = sub(sat_ring_centroid(ring.points, ring.count), expected);
    CHECK_SEED(seed, length(off) < 1e-14);
    for (size_t i = 0; i < ring.count; i++)
      ring.points[i] = add(ring.points[i], vec2(0x1p33, -0x1p33));
    off = sub(sub(sat_ring_centroid(ring.points, ring.count), vec2(0x1p33, -0x1p33)), expected);
    CHECK_SEED(seed, length(off) < 4e-6);
  }
}

TEST(the_centroid_of_a_thin_ring_stays_in_its_box) {
  for (uint64_t seed = 1; seed <= rounds(30000); seed++) {
    Random random = {seed};
    double size = ldexp(1, (int)random_integer(&random, -560, 48));
    sat_Vec2 a = vec2(random_real(&random, -size, size), random_real(&random, -size, size));
    sat_Vec2 b = vec2(random_real(&random, -size, size), random_real(&random, -size, size));
    sat_Vec2 c = lerp(a, b, random_real(&random, 0, 1));
    const sat_Vec2 points[] = {a, b, c};
    sat_Vec2 center = sat_ring_centroid(points, 3);
    CHECK_SEED(seed, center.x >= min2(a.x, b.x) && center.x <= max2(a.x, b.x));
    CHECK_SEED(seed, center.y >= min2(a.y, b.y) && center.y <= max2(a.y, b.y));
  }
}

/* ---------------------------------------------------------------- memory */

typedef sat_Status (*Operation)(sat_Vec2 *points, size_t *count, sat_Scratch *scratch,
                                sat_RingError *error);

TEST(a_failed_allocation_leaves_the_points_as_they_were) {
  const sat_Vec2 points[] = {{0, 4}, {1, 1}, {4, 0}, {2, 0}, {0, 0}};
  const Operation operations[] = {sat_ring_clean, sat_hull};
  for (size_t i = 0; i < COUNT_OF(operations); i++) {
    sat_Status status = SAT_ENOMEM;
    for (int k = 0; status == SAT_ENOMEM; k++) {
      sat_scratch_free(&scratch);
      Ring ring = ring_of(COUNT_OF(points), points), before = ring;
      memory.until_fails = k;
      status = operations[i](ring.points, &ring.count, &scratch, NULL);
      memory.until_fails = -1;
      assert_int_equal(status, k == 0 ? SAT_ENOMEM : SAT_OK);
      if (status) assert_memory_equal(&ring, &before, sizeof ring);
    }
  }
}

TEST(a_scratch_grows_to_the_largest_need_and_no_further) {
  sat_scratch_free(&scratch);
  char *block = sat_scratch_reserve(&scratch, 100);
  assert_int_equal(memory.bytes, 100);
  block[99] = 'x';
  memory.until_fails = 0;
  assert_ptr_equal(sat_scratch_reserve(&scratch, 60), block);
  assert_null(sat_scratch_reserve(&scratch, 101));
  assert_int_equal(memory.bytes, 100);
  memory.until_fails = -1;
  block = sat_scratch_reserve(&scratch, 1000);
  assert_int_equal(memory.bytes, 1000);
  assert_int_equal(block[99], 'x');
  sat_scratch_free(&scratch);
  sat_scratch_free(&scratch);
  assert_int_equal(memory.bytes, 0);
}

/* ---------------------------------------------------------------- statuses */

/* The last status is followed by a number that is none. */
TEST(every_status_has_a_text_of_its_own) {
  const char *unknown = sat_status_text((sat_Status)(SAT_EMANY + 1));
  assert_string_equal(unknown, sat_status_text((sat_Status)(SAT_EMANY + 2)));
  for (int a = SAT_OK; a <= SAT_EMANY + 1; a++) {
    const char *text = sat_status_text((sat_Status)a);
    assert_non_null(text);
    assert_true(strlen(text) > 5 && text[strlen(text) - 1] != '.');
    for (int b = SAT_OK; b < a; b++) assert_string_not_equal(text, sat_status_text((sat_Status)b));
  }
}

int main(void) { return run_suite(make_scratch, free_scratch); }
