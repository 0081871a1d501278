/* test_convex_decomposition.c: the convex pieces of concave rings, and how few they are. */
#include "base/predicates.h"
#include "test/scratch.h"
#include "test/polygons.h"

enum { MOST = 400 };

#define CHECK(ring, condition)                                                                     \
  do {                                                                                             \
    if (!(condition)) fail_ring(ring, #condition, __LINE__);                                       \
  } while (0)

/* ---------------------------------------------------------------- rings */

typedef struct Ring {
  const char *name;
  uint64_t seed;
  size_t count;
  sat_Vec2 points[MOST];
} Ring;

static _Noreturn void fail_ring(const Ring *ring, const char *condition, int line) {
  print_error("line %d: %s, with %s (seed %llu):", line, condition, ring->name,
              (unsigned long long)ring->seed);
  for (size_t i = 0; i < ring->count; i++)
    print_error(" %g,%g", ring->points[i].x, ring->points[i].y);
  print_error("\n");
  fail();
  abort();
}

static sat_Vec2 at(const Ring *ring, size_t index) {
  return ring->points[ring->count > 0 ? index % ring->count : 0];
}

/* ---------------------------------------------------------------- checks of pieces */

/* An edge of a ring or of a piece. */
typedef struct Edge {
  sat_Vec2 from, to;
} Edge;

static Edge piece_edge(const Ring *ring, const sat_Decomposition *pieces, uint32_t piece,
                       uint32_t k) {
  uint32_t first = pieces->first[piece], size = pieces->first[piece + 1] - first;
  return (Edge){at(ring, pieces->corners[first + k % size].vertex),
                at(ring, pieces->corners[first + (k + 1) % size].vertex)};
}

static uint32_t size_of(const sat_Decomposition *pieces, uint32_t piece) {
  return pieces->first[piece + 1] - pieces->first[piece];
}

/* The length by which a collinear edge covers an edge, along x, or along y where the edge is
 * vertical: positive if both run the same way, else negative. The length is exact for whole
 * numbers. */
static double covered(Edge edge, Edge by) {
  if (sat_orientation(edge.from, edge.to, by.from) || sat_orientation(edge.from, edge.to, by.to))
    return 0;
  bool by_x = edge.from.x != edge.to.x;
  double from = by_x ? edge.from.x : edge.from.y, to = by_x ? edge.to.x : edge.to.y;
  double p = by_x ? by.from.x : by.from.y, q = by_x ? by.to.x : by.to.y;
  double low = max2(min2(from, to), min2(p, q)), high = min2(max2(from, to), max2(p, q));
  if (high <= low) return 0;
  return (to > from) == (q > p) ? high - low : low - high;
}

static double extent_of(Edge edge) {
  return edge.from.x != edge.to.x ? fabs(edge.to.x - edge.from.x) : fabs(edge.to.y - edge.from.y);
}

/* The length by which the ring covers an edge. What the ring walks there and back adds up to 0. */
static double covered_by_ring(const Ring *ring, Edge edge) {
  double sum = 0;
  for (size_t i = 0; i < ring->count; i++)
    sum += covered(edge, (Edge){at(ring, i), at(ring, i + 1)});
  return sum;
}

static double covered_by_pieces(const Ring *ring, const sat_Decomposition *pieces, Edge edge,
                                int sign) {
  double sum = 0;
  for (uint32_t piece = 0; piece < pieces->count; piece++) {
    for (uint32_t k = 0; k < size_of(pieces, piece); k++) {
      double overlap_length = covered(edge, piece_edge(ring, pieces, piece, k));
      if (overlap_length * sign > 0) sum += fabs(overlap_length);
    }
  }
  return sum;
}

/* Every point of a piece's edge is on the ring or shared with exactly one other piece. */
static void check_edges(const Ring *ring, const sat_Decomposition *pieces) {
  for (uint32_t piece = 0; piece < pieces->count; piece++) {
    for (uint32_t k = 0; k < size_of(pieces, piece); k++) {
      Edge edge = piece_edge(ring, pieces, piece, k);
      double outer = covered_by_ring(ring, edge);
      double shared = covered_by_pieces(ring, pieces, edge, -1);
      CHECK(ring, outer >= 0 && outer + shared == extent_of(edge));
      CHECK(ring, covered_by_pieces(ring, pieces, edge, 1) == extent_of(edge));
      CHECK(ring, pieces->corners[pieces->first[piece] + k].internal == (outer == 0));
    }
  }
}

static bool is_between(sat_Vec2 point, sat_Vec2 from, sat_Vec2 to) {
  return sat_orientation(from, to, point) == 0 && point.x >= fmin(from.x, to.x) &&
         point.x <= fmax(from.x, to.x) && point.y >= fmin(from.y, to.y) &&
         point.y <= fmax(from.y, to.y);
}

/* Whether no edge of the ring touches a vertex but the two that meet there. */
static bool is_alone(const Ring *ring, size_t vertex) {
  for (size_t i = vertex + 1; i < vertex + ring->count - 1; i++)
    if (is_between(at(ring, vertex), at(ring, i), at(ring, i + 1))) return false;
  return true;
}

/* At a vertex that no other edge touches, a corner is reflex exactly if the ring is. */
static void check_reflex(const Ring *ring, const sat_Decomposition *pieces) {
  for (uint32_t k = 0; k < pieces->first[pieces->count]; k++) {
    size_t i = pieces->corners[k].vertex;
    if (!is_alone(ring, i)) continue;
    sat_Vec2 before = at(ring, i + ring->count - 1), after = at(ring, i + 1);
    bool reflex = sat_orientation(before, at(ring, i), after) < 0;
    CHECK(ring, pieces->corners[k].reflex == reflex);
  }
}

/* The pieces cover each edge of the ring exactly once, except for bridges. */
static void check_boundary(const Ring *ring, const sat_Decomposition *pieces) {
  for (size_t i = 0; i < ring->count; i++) {
    Edge edge = {at(ring, i), at(ring, i + 1)};
    bool bridge = covered_by_ring(ring, edge) != extent_of(edge);
    if (!bridge) CHECK(ring, covered_by_pieces(ring, pieces, edge, 1) == extent_of(edge));
  }
}

static void check_convex(const Ring *ring, const sat_Decomposition *pieces, uint32_t piece) {
  uint32_t size = size_of(pieces, piece);
  CHECK(ring, size >= 3);
  for (uint32_t k = 0; k < size; k++) {
    Edge edge = piece_edge(ring, pieces, piece, k);
    for (uint32_t j = 2; j < size; j++) {
      sat_Vec2 other = piece_edge(ring, pieces, piece, k + j).from;
      CHECK(ring, sat_orientation(edge.from, edge.to, other) > 0);
    }
  }
}

/* Whether an edge has another piece entirely on its outer side. */
static bool edge_separates(const Ring *ring, const sat_Decomposition *pieces, Edge edge,
                           uint32_t other) {
  for (uint32_t k = 0; k < size_of(pieces, other); k++) {
    sat_Vec2 point = piece_edge(ring, pieces, other, k).from;
    if (sat_orientation(edge.from, edge.to, point) > 0) return false;
  }
  return true;
}

static bool has_separating_edge(const Ring *ring, const sat_Decomposition *pieces, uint32_t first,
                                uint32_t second) {
  for (uint32_t k = 0; k < size_of(pieces, first); k++)
    if (edge_separates(ring, pieces, piece_edge(ring, pieces, first, k), second)) return true;
  return false;
}

/* Twice the area of a piece, exact for whole numbers. */
static double doubled_area(const Ring *ring, const sat_Decomposition *pieces, uint32_t piece) {
  double sum = 0;
  for (uint32_t k = 0; k < size_of(pieces, piece); k++) {
    Edge edge = piece_edge(ring, pieces, piece, k);
    sum += cross(edge.from, edge.to);
  }
  return sum;
}

static void check_pieces(const Ring *ring, const sat_Decomposition *pieces) {
  double area = 0, whole = 0;
  for (size_t i = 0; i < ring->count; i++) whole += cross(at(ring, i), at(ring, i + 1));
  for (uint32_t piece = 0; piece < pieces->count; piece++) {
    check_convex(ring, pieces, piece);
    area += doubled_area(ring, pieces, piece);
    for (uint32_t other = 0; other < piece; other++)
      CHECK(ring, has_separating_edge(ring, pieces, piece, other) ||
                      has_separating_edge(ring, pieces, other, piece));
  }
  CHECK(ring, area == whole);
  check_edges(ring, pieces);
  check_reflex(ring, pieces);
  check_boundary(ring, pieces);
}

/* Cleans a valid ring, decomposes it, checks the pieces, and returns their number. */
static uint32_t cut(Ring *ring) {
  sat_Decomposition pieces;
  CHECK(ring, sat_ring_clean(ring->points, &ring->count, &scratch, NULL) == SAT_OK);
  CHECK(ring, sat_ring_decompose(ring->points, ring->count, &scratch, &pieces) == SAT_OK);
  check_pieces(ring, &pieces);
  return pieces.count;
}

/* ---------------------------------------------------------------- named shapes */

static Ring ring_of(const char *name, size_t count, const double *coordinates) {
  Ring ring = {name, 0, count, {{0, 0}}};
  for (size_t i = 0; i < count; i++)
    ring.points[i] = vec2(coordinates[2 * i], coordinates[2 * i + 1]);
  return ring;
}

#define RING(name, ...)                                                                            \
  ring_of(name, sizeof((double[]){__VA_ARGS__}) / sizeof(double) / 2, (double[]){__VA_ARGS__})

TEST(a_convex_ring_is_one_piece) {
  Ring box = RING("box", 0, 0, 4, 0, 4, 3, 0, 3), triangle = RING("triangle", 0, 0, 4, 0, 0, 3);
  assert_int_equal(cut(&box), 1);
  assert_int_equal(cut(&triangle), 1);
}

TEST(letters_are_cut_into_few_pieces) {
  Ring l = RING("L", 0, 0, 2, 0, 2, 1, 1, 1, 1, 4, 0, 4);
  Ring t = RING("T", 0, 0, 6, 0, 6, 2, 4, 2, 4, 8, 2, 8, 2, 2, 0, 2);
  Ring u = RING("U", 0, 0, 6, 0, 6, 8, 4, 8, 4, 2, 2, 2, 2, 8, 0, 8);
  Ring e = RING("E", 0, 0, 4, 0, 4, 1, 1, 1, 1, 3, 3, 3, 3, 4, 1, 4, 1, 6, 4, 6, 4, 7, 0, 7);
  Ring plus = RING("plus", 1, 0, 2, 0, 2, 1, 3, 1, 3, 2, 2, 2, 2, 3, 1, 3, 1, 2, 0, 2, 0, 1, 1, 1);
  Ring z = RING("Z", 0, 0, 4, 0, 4, 1, 1, 4, 4, 4, 4, 5, 0, 5, 0, 4, 3, 1, 0, 1);
  assert_int_equal(cut(&l), 2);
  assert_int_equal(cut(&t), 2);
  assert_int_equal(cut(&u), 3);
  assert_int_equal(cut(&e), 4);
  assert_int_equal(cut(&plus), 3);
  assert_int_equal(cut(&z), 3);
}

TEST(a_bridge_to_a_hole_is_inside) {
  Ring hole = RING("bridged hole", 0, 0, 6, 0, 6, 6, 0, 6, 0, 0, 2, 2, 2, 4, 4, 4, 4, 2, 2, 2);
  Ring holes = RING("two bridged holes", 0, 0, 12, 0, 12, 6, 0, 6, 0, 0, 2, 2, 2, 4, 4, 4, 4, 2, 8,
                    2, 8, 4, 10, 4, 10, 2, 8, 2, 4, 2, 2, 2);
  assert_int_equal(cut(&hole), 4);
  assert_int_equal(cut(&holes), 5);
}

/* The lips of this C have different lengths. */
TEST(a_closed_mouth_is_inside) {
  Ring ring =
      RING("closed mouth", 0, 0, 6, 0, 6, 3, 4, 3, 4, 2, 2, 2, 2, 4, 5, 4, 5, 3, 7, 3, 7, 6, 0, 6);
  assert_in_range(cut(&ring), 4, 6);
}

TEST(a_way_without_width_outside_is_in_no_piece) {
  Ring ring =
      RING("dumbbell", 0, 0, 2, 0, 2, 1, 6, 1, 6, 0, 8, 0, 8, 2, 6, 2, 6, 1, 2, 1, 2, 2, 0, 2);
  assert_int_equal(cut(&ring), 2);
}

TEST(a_ring_may_touch_itself) {
  Ring corner = RING("two boxes at a corner", 0, 0, 2, 0, 2, 2, 4, 2, 4, 4, 2, 4, 2, 2, 0, 2);
  Ring hole = RING("hole at a corner", 0, 0, 6, 0, 6, 6, 0, 6, 0, 0, 1, 3, 4, 4, 3, 1);
  Ring inside = RING("hole at an edge", 0, 0, 8, 0, 8, 8, 0, 8, 0, 4, 2, 4, 3, 6, 4, 0, 2, 4, 0, 4);
  Ring outside = RING("tooth on an edge", 0, 0, 8, 0, 8, 6, 6, 6, 4, 2, 4, 6, 2, 6, 2, 2, 0, 6);
  assert_int_equal(cut(&corner), 2);
  assert_in_range(cut(&hole), 3, 5);
  assert_in_range(cut(&inside), 3, 6);
  assert_in_range(cut(&outside), 3, 5);
}

/* Bridges meet at -3, -3, and every direction from there leads inside. */
TEST(a_vertex_may_be_inside) {
  Ring ring = RING("crossing bridges", -8, -8, -3, -8, -3, -3, 7, 7, 5, 7, -8, -8, -3, -3, -3, -7,
                   1, -3, 3, -6, 3, 3);
  assert_in_range(cut(&ring), 3, 5);
}

/* ---------------------------------------------------------------- families */

/* A point rounded to whole numbers. */
static sat_Vec2 polar(double radius, double angle) {
  double sine, cosine;
  sat_sine_cosine(angle, &sine, &cosine);
  return vec2(floor(radius * cosine + 0.5), floor(radius * sine + 0.5));
}

static void make_star(sat_Vec2 *points, size_t count) {
  double step = 6.283185307179586 / (double)count;
  for (size_t i = 0; i < count; i++) points[i] = polar(i % 2 ? 5e5 : 1e6, step * (double)i);
}

static void make_comb(sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t tooth = i / 4, overlap_length = i % 4;
    points[i] = vec2((double)(4 * tooth + (overlap_length > 1 ? 2 : 0)),
                     overlap_length == 1 || overlap_length == 2 ? 100 : 1);
  }
  points[0].y = points[count - 1].y = 0;
}

static void make_spiral(sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    double angle = 6.283185307179586 / 32 * (double)i;
    points[i] = polar((10 + angle) * 1e3, angle);
    points[count - 1 - i] = polar((7 + angle) * 1e3, angle);
  }
}

/* Nearly once around, and back on the inside. */
static void make_ring_with_gap(sat_Vec2 *points, size_t count) {
  double step = 12 / (double)count;
  for (size_t i = 0; i < count / 2; i++) {
    points[i] = polar(1e6, step * (double)i);
    points[count - 1 - i] = polar(7e5, step * (double)i);
  }
}

typedef void (*Family)(sat_Vec2 *, size_t);
static const Family families[] = {make_star, make_comb, make_spiral, make_ring_with_gap};
static const char *const family_names[] = {"star", "comb", "spiral", "ring with a gap"};

TEST(families_of_every_size_are_cut) {
  for (size_t family = 0; family < 4; family++) {
    for (size_t count = 8; count <= 200; count = count < 40 ? count + 4 : count + 80) {
      static Ring ring;
      ring = (Ring){family_names[family], count, count, {{0, 0}}};
      families[family](ring.points, count);
      cut(&ring);
    }
  }
}

/* ---------------------------------------------------------------- at random */

TEST(random_polygons_are_cut) {
  static const size_t sizes[] = {5, 6, 7, 8, 10, 12, 15, 20, 30, 40, 60, 100};
  size_t made = 0;
  for (uint64_t seed = 0; seed < rounds(600); seed++) {
    static Ring ring;
    Random random = {seed};
    ring = (Ring){"a random polygon", seed, 0, {{0, 0}}};
    size_t most = seed % 300 == 299 ? 300 : sizes[seed % 12];
    ring.count = random_simple_polygon(&random, seed % 3 ? 1000 : 8, most, ring.points);
    if (ring.count == 0) continue;
    made++;
    cut(&ring);
  }
  assert_true(made * 4 > rounds(600) * 3);
}

/* The points have so few places that almost every valid ring touches itself. */
TEST(random_rings_that_touch_themselves_are_cut) {
  size_t made = 0;
  for (uint64_t seed = 0; seed < rounds(100000); seed++) {
    static Ring ring;
    Random random = {seed};
    ring.name = "a random ring";
    ring.seed = seed;
    ring.count = (size_t)random_integer(&random, 6, 12);
    for (size_t i = 0; i < ring.count; i++) {
      double x = (double)random_integer(&random, 0, 3);
      ring.points[i] = vec2(x, (double)random_integer(&random, 0, 3));
    }
    if (sat_ring_clean(ring.points, &ring.count, &scratch, NULL)) continue;
    if (ring.count < 6) continue;
    made++;
    cut(&ring);
  }
  assert_true(made * 40 > rounds(100000));
}

TEST(there_are_few_more_pieces_than_need_be) {
  size_t all = 0, fewest = 0;
  for (uint64_t seed = 0; seed < rounds(400); seed++) {
    static Ring ring;
    Random random = {seed};
    ring = (Ring){"a random polygon", seed, 0, {{0, 0}}};
    size_t most = 6 + seed % 35;
    ring.count = random_simple_polygon(&random, seed % 3 ? 1000 : 8, most, ring.points);
    if (ring.count == 0) continue;
    size_t least = fewest_pieces(ring.points, ring.count);
    uint32_t pieces = cut(&ring);
    CHECK(&ring, pieces >= least && pieces <= least + least / 2);
    all += pieces;
    fewest += least;
  }
  assert_in_range(all, fewest, fewest + fewest / 50);
}

/* ---------------------------------------------------------------- many vertices, and no memory */

/* An algorithm of quadratic time would take minutes. */
TEST(a_hundred_thousand_vertices_are_cut) {
  size_t composite = rounds(100000);
  sat_Vec2 *points = malloc(composite * sizeof *points);
  assert_non_null(points);
  for (size_t family = 0; family < 4; family++) {
    size_t count = composite;
    sat_Decomposition pieces;
    families[family](points, count);
    for (size_t i = 0; i < count; i++) points[i] = mul(points[i], 1000);
    assert_int_equal(sat_ring_clean(points, &count, &scratch, NULL), SAT_OK);
    assert_int_equal(sat_ring_decompose(points, count, &scratch, &pieces), SAT_OK);
    assert_true(pieces.count > composite / 10 && pieces.count < composite);
  }
  free(points);
}

TEST(without_memory_nothing_changes) {
  Ring ring = RING("L", 0, 0, 2, 0, 2, 1, 1, 1, 1, 4, 0, 4), before = ring;
  sat_Decomposition pieces = {7, NULL, NULL};
  sat_Scratch empty = sat_scratch_make((sat_Allocator){watched_allocate, &memory});
  memory.until_fails = 0;
  assert_int_equal(sat_ring_decompose(ring.points, ring.count, &empty, &pieces), SAT_ENOMEM);
  memory.until_fails = -1;
  assert_int_equal(pieces.count, 7);
  assert_memory_equal(&ring, &before, sizeof ring);
}

int main(void) { return run_suite(make_scratch, free_scratch); }
