/* test_outline.c: outlines of grids, simpler rings, and holes that are joined to a ring, against
 * plain loops over all cells, edges and vertices. */
#include "base/memory.h"
#include "base/predicates.h"
#include "test/scratch.h"
#include "test/random.h"

#include <string.h>

/* ---------------------------------------------------------------- rings */

enum { MOST_SIDE = 14, MOST_CELLS = MOST_SIDE * MOST_SIDE, MOST = 4 * MOST_CELLS };

typedef struct Rings {
  size_t count;
  uint32_t first[MOST_CELLS + 1], around[MOST_CELLS];
  sat_Vec2 points[MOST];
} Rings;

static size_t ring_size(const Rings *rings, size_t k) {
  return rings->first[k + 1] - rings->first[k];
}

static sat_Vec2 ring_point(const Rings *rings, size_t k, size_t i) {
  return rings->points[rings->first[k] + i % ring_size(rings, k)];
}

static double area_of(const Rings *rings, size_t k) {
  return sat_ring_area(rings->points + rings->first[k], ring_size(rings, k));
}

/* How often the rings go round a point that is on none of them. */
static int winding_around(const Rings *rings, sat_Vec2 p) {
  int winding = 0;
  for (size_t k = 0; k < rings->count; k++) {
    for (size_t i = 0; i < ring_size(rings, k); i++) {
      sat_Vec2 a = ring_point(rings, k, i), b = ring_point(rings, k, i + 1);
      if ((a.y > p.y) == (b.y > p.y)) continue;
      int side = sat_orientation(a, b, p);
      if (b.y > a.y ? side < 0 : side > 0) winding += b.y > a.y ? -1 : 1;
    }
  }
  return winding;
}

static bool is_between(sat_Vec2 p, sat_Vec2 a, sat_Vec2 b) {
  return sat_orientation(a, b, p) == 0 && p.x >= min2(a.x, b.x) && p.x <= max2(a.x, b.x) &&
         p.y >= min2(a.y, b.y) && p.y <= max2(a.y, b.y);
}

/* Whether two edges share a point but a common end. */
static bool edges_meet(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c, sat_Vec2 d, bool may_share) {
  sat_Vec2 ends[4] = {a, b, c, d};
  for (int i = 0; i < 4; i++) {
    sat_Vec2 from = i < 2 ? c : a, to = i < 2 ? d : b;
    bool is_end = equal_points(ends[i], from) || equal_points(ends[i], to);
    if (!(is_end && may_share) && is_between(ends[i], from, to)) return true;
  }
  return sat_orientation(a, b, c) * sat_orientation(a, b, d) < 0 &&
         sat_orientation(c, d, a) * sat_orientation(c, d, b) < 0;
}

/* Whether no two edges of any rings meet, but neighbours at their common vertex, and others at
 * common vertices where `may_touch`. */
static bool edges_are_apart(const Rings *rings, bool may_touch) {
  for (size_t k = 0; k < rings->count; k++) {
    for (size_t i = 0; i < ring_size(rings, k); i++) {
      for (size_t l = 0; l < rings->count; l++) {
        for (size_t j = 0; j < ring_size(rings, l); j++) {
          if (k == l && i == j) continue;
          size_t count = ring_size(rings, k);
          bool neighbors = k == l && ((i + 1) % count == j || (j + 1) % count == i);
          if (edges_meet(ring_point(rings, k, i), ring_point(rings, k, i + 1),
                         ring_point(rings, l, j), ring_point(rings, l, j + 1),
                         neighbors || may_touch))
            return false;
        }
      }
    }
  }
  return true;
}

/* ---------------------------------------------------------------- grids */

typedef struct Cells {
  size_t columns, rows;
  double threshold, values[MOST_CELLS];
} Cells;

/* Values of a few levels, so that many equal the threshold or each other, or of any. */
static Cells random_cells(Random *random) {
  Cells cells = {.columns = (size_t)random_integer(random, 0, MOST_SIDE),
                 .rows = (size_t)random_integer(random, 0, MOST_SIDE),
                 .threshold = random_integer(random, 0, 3) ? 0.5 : random_real(random, -1, 1)};
  int64_t levels = random_integer(random, 0, 2) * 2;
  double shift = random_real(random, -0.4, 0.4);
  for (size_t i = 0; i < cells.columns * cells.rows; i++) {
    double value = levels ? (double)random_integer(random, 0, levels) / (double)levels
                          : random_real(random, 0, 1) + shift;
    cells.values[i] = value;
  }
  return cells;
}

static double value_at(const Cells *cells, int64_t column, int64_t row) {
  if (column < 0 || row < 0 || column >= (int64_t)cells->columns || row >= (int64_t)cells->rows)
    return cells->threshold > 0 ? 0 : cells->threshold - 1;
  return cells->values[(size_t)row * cells->columns + (size_t)column];
}

static bool is_solid_at(const Cells *cells, int64_t column, int64_t row) {
  return value_at(cells, column, row) >= cells->threshold;
}

static sat_Status outline_of(const Cells *cells, bool smooth, Rings *rings) {
  sat_Grid grid = {cells->values, cells->columns, cells->rows, cells->threshold};
  sat_Outline outline;
  sat_Status status = sat_outline(&grid, smooth, &scratch, &outline);
  if (status) return status;
  rings->count = outline.count;
  memcpy(rings->first, outline.first, (outline.count + 1) * sizeof *outline.first);
  memcpy(rings->around, outline.around, outline.count * sizeof *outline.around);
  memcpy(rings->points, outline.points, outline.first[outline.count] * sizeof *outline.points);
  return SAT_OK;
}

/* Whether the two solid ones of four cells that meet at a corner are joined there. */
static bool is_corner_connected(const Cells *cells, bool smooth, int64_t left, int64_t top) {
  double sum = value_at(cells, left, top) + value_at(cells, left + 1, top);
  sum = sum + value_at(cells, left, top + 1) + value_at(cells, left + 1, top + 1);
  return smooth && sum / 4 >= cells->threshold;
}

/* Whether two cells of one kind, at most one apart in either direction, are in one part. */
static bool are_linked(const Cells *cells, bool smooth, int64_t c, int64_t r, int64_t x,
                       int64_t y) {
  if (c == x || r == y) return true;
  bool solid = is_solid_at(cells, c, r);
  if (is_solid_at(cells, c, y) == solid || is_solid_at(cells, x, r) == solid) return true;
  return is_corner_connected(cells, smooth, c < x ? c : x, r < y ? r : y) == solid;
}

typedef int Components[MOST_SIDE + 2][MOST_SIDE + 2];

/* Gives the number to a cell and to all that are in its part. */
static void flood_from(const Cells *cells, bool smooth, int64_t c, int64_t r, int number,
                       Components components) {
  components[r + 1][c + 1] = number;
  for (int64_t y = r - 1; y <= r + 1; y++) {
    for (int64_t x = c - 1; x <= c + 1; x++) {
      if (x < -1 || y < -1 || x > (int64_t)cells->columns || y > (int64_t)cells->rows) continue;
      if (is_solid_at(cells, x, y) != is_solid_at(cells, c, r) || components[y + 1][x + 1])
        continue;
      if (are_linked(cells, smooth, c, r, x, y))
        flood_from(cells, smooth, x, y, number, components);
    }
  }
}

/* The number of solid or of empty components, in a grid with a frame of width 1. */
static int count_components(const Cells *cells, bool smooth, bool solid) {
  static Components components;
  int count = 0;
  memset(components, 0, sizeof components);
  for (int64_t r = -1; r <= (int64_t)cells->rows; r++) {
    for (int64_t c = -1; c <= (int64_t)cells->columns; c++) {
      if (is_solid_at(cells, c, r) == solid && !components[r + 1][c + 1])
        flood_from(cells, smooth, c, r, ++count, components);
    }
  }
  return count;
}

/* Each solid part has an outer ring, and each empty one but the outside is a hole. */
static void check_components(uint64_t seed, const Cells *cells, bool smooth, const Rings *rings) {
  int solid_count = count_components(cells, smooth, true), outer = 0;
  int empty_count = count_components(cells, smooth, false), holes = 0;
  for (size_t k = 0; k < rings->count; k++) {
    bool is_outer = rings->around[k] == k;
    CHECK_SEED(seed, is_outer == (area_of(rings, k) > 0));
    outer += is_outer;
    holes += !is_outer;
    CHECK_SEED(seed, rings->around[k] <= k && rings->around[rings->around[k]] == rings->around[k]);
  }
  CHECK_SEED(seed, outer == solid_count);
  CHECK_SEED(seed, holes == empty_count - 1);
}

/* Each hole belongs to the part of solid beside its first vertex: the ring around it has that part
 * inside, and no smaller outer ring has. */
static void check_holes(uint64_t seed, const Rings *rings) {
  for (size_t k = 0; k < rings->count; k++) {
    if (rings->around[k] == k) continue;
    sat_Vec2 a = ring_point(rings, k, 0), b = ring_point(rings, k, 1), middle = lerp(a, b, 0.5);
    sat_Vec2 side = perp(sub(b, a));
    sat_Vec2 p = add(middle, mul(side, 0x1p-14 / length(side)));
    size_t best = SIZE_MAX;
    for (size_t l = 0; l < rings->count; l++) {
      static Rings one;
      one.count = 1;
      one.first[0] = 0;
      one.first[1] = (uint32_t)ring_size(rings, l);
      memcpy(one.points, rings->points + rings->first[l], one.first[1] * sizeof *one.points);
      if (rings->around[l] != l || winding_around(&one, p) == 0) continue;
      if (best == SIZE_MAX || area_of(rings, l) < area_of(rings, best)) best = l;
    }
    CHECK_SEED(seed, best == rings->around[k]);
  }
}

static void check_middles(uint64_t seed, const Cells *cells, const Rings *rings) {
  for (int64_t r = -1; r <= (int64_t)cells->rows; r++) {
    for (int64_t c = -1; c <= (int64_t)cells->columns; c++) {
      int winding = winding_around(rings, vec2((double)c + 0.5, (double)r + 0.5));
      CHECK_SEED(seed, winding == is_solid_at(cells, c, r));
    }
  }
}

TEST(an_outline_along_the_borders_has_the_solid_cells_inside_and_no_other) {
  static Rings rings;
  for (uint64_t seed = 1; seed <= rounds(2000); seed++) {
    Random random = {seed};
    Cells cells = random_cells(&random);
    CHECK_SEED(seed, outline_of(&cells, false, &rings) == SAT_OK);
    double area = 0, solid = 0;
    for (size_t k = 0; k < rings.count; k++) area += area_of(&rings, k);
    for (size_t i = 0; i < cells.columns * cells.rows; i++)
      solid += cells.values[i] >= cells.threshold;
    CHECK_SEED(seed, area == solid);
    check_middles(seed, &cells, &rings);
    check_components(seed, &cells, false, &rings);
    check_holes(seed, &rings);
    CHECK_SEED(seed, edges_are_apart(&rings, true));
  }
}

TEST(a_smooth_outline_separates_the_middles_of_cells_and_its_rings_never_touch) {
  static Rings rings;
  for (uint64_t seed = 1; seed <= rounds(2000); seed++) {
    Random random = {seed};
    Cells cells = random_cells(&random);
    CHECK_SEED(seed, outline_of(&cells, true, &rings) == SAT_OK);
    check_middles(seed, &cells, &rings);
    check_components(seed, &cells, true, &rings);
    check_holes(seed, &rings);
    CHECK_SEED(seed, edges_are_apart(&rings, false));
  }
}

TEST(a_crossing_lies_where_the_value_is_the_threshold) {
  static Rings rings;
  Cells cells = {.columns = 2, .rows = 1, .threshold = 0.5, .values = {1, 0.25}};
  assert_int_equal(outline_of(&cells, true, &rings), SAT_OK);
  assert_int_equal(rings.count, 1);
  const sat_Vec2 expected[] = {{0, 0.5}, {0.5, 0}, {0.5 + 2.0 / 3, 0.5}, {0.5, 1}};
  assert_int_equal(ring_size(&rings, 0), 4);
  for (size_t i = 0; i < 4; i++) {
    assert_true(fabs(ring_point(&rings, 0, i).x - expected[i].x) < 1e-15);
    assert_true(fabs(ring_point(&rings, 0, i).y - expected[i].y) < 1e-15);
  }
  cells.values[0] = 0.5; /* the vertices stay away from the middle */
  assert_int_equal(outline_of(&cells, true, &rings), SAT_OK);
  assert_true(ring_point(&rings, 0, 0).x == 0.5 - 1.0 / 1024);
}

TEST(a_grid_without_solid_cells_or_without_cells_has_no_outline) {
  static Rings rings;
  Cells cells = {.columns = 3, .rows = 2, .threshold = 0.5};
  for (int smooth = 0; smooth <= 1; smooth++) {
    assert_int_equal(outline_of(&cells, smooth, &rings), SAT_OK);
    assert_int_equal(rings.count, 0);
  }
  cells.columns = 0;
  assert_int_equal(outline_of(&cells, true, &rings), SAT_OK);
  assert_int_equal(rings.count, 0);
  sat_Grid grid = {cells.values, 1, 1, NAN};
  sat_Outline outline;
  assert_int_equal(sat_outline(&grid, true, &scratch, &outline), SAT_ERANGE);
  grid = (sat_Grid){cells.values, 1u << 20, 1u << 20, 0.5};
  assert_int_equal(sat_outline(&grid, true, &scratch, &outline), SAT_ENOMEM);
}

/* ---------------------------------------------------------------- simpler rings */

static double distance_from(sat_Vec2 p, sat_Vec2 a, sat_Vec2 b) {
  sat_Vec2 along = sub(b, a);
  double square = dot(along, along), t = square > 0 ? dot(sub(p, a), along) / square : 0;
  return length(sub(p, add(a, mul(along, clamp(t, 0, 1)))));
}

/* Whether a vertex but the three corners lies in a closed triangle. */
static bool is_triangle_taken(const Rings *rings, size_t k, size_t i) {
  sat_Vec2 a = ring_point(rings, k, i + ring_size(rings, k) - 1), b = ring_point(rings, k, i);
  sat_Vec2 c = ring_point(rings, k, i + 1);
  int sign = sat_orientation(a, b, c) < 0 ? -1 : 1;
  size_t count = ring_size(rings, k);
  for (size_t l = 0; l < rings->count; l++) {
    for (size_t j = 0; j < ring_size(rings, l); j++) {
      if (l == k && (j == i || (j + 1) % count == i || (i + 1) % count == j)) continue;
      sat_Vec2 p = ring_point(rings, l, j);
      if (is_between(p, a, b) || is_between(p, b, c) || is_between(p, c, a)) return true;
      if (sign * sat_orientation(a, b, p) > 0 && sign * sat_orientation(b, c, p) > 0 &&
          sign * sat_orientation(c, a, p) > 0)
        return true;
    }
  }
  return false;
}

/* The greatest distance of the given vertices of a ring from place `from` on to place `to` from the
 * edge between those two. */
static double greatest_distance(const Rings *given, size_t k, size_t from, size_t to) {
  double greatest = 0;
  sat_Vec2 a = ring_point(given, k, from), b = ring_point(given, k, to);
  for (size_t i = from; i != to; i = (i + 1) % ring_size(given, k))
    greatest = max2(greatest, distance_from(ring_point(given, k, i), a, b));
  return greatest;
}

/* Checks what is left of ring k, whose places in the given ring are found in order. */
static void check_ring(uint64_t seed, const Rings *given, const Rings *rings, size_t k,
                       double tolerance) {
  static size_t place[MOST];
  size_t count = ring_size(rings, k), next = 0;
  CHECK_SEED(seed, count >= 3);
  for (size_t i = 0; i < count; i++, next++) {
    while (next < ring_size(given, k) &&
           !equal_points(ring_point(given, k, next), ring_point(rings, k, i)))
      next++;
    CHECK_SEED(seed, next < ring_size(given, k));
    place[i] = next;
  }
  for (size_t i = 0; i < count; i++) {
    double error = greatest_distance(given, k, place[i], place[(i + 1) % count]);
    CHECK_SEED(seed, error <= tolerance + 1e-12);
    size_t before = place[(i + count - 1) % count], after = place[(i + 1) % count];
    double without = greatest_distance(given, k, before, after);
    bool may_go = count > 3 && !is_triangle_taken(rings, k, i);
    CHECK_SEED(seed, !may_go || without > tolerance - 1e-12);
    sat_Vec2 a = given->points[given->first[k] + before], c = ring_point(given, k, after);
    CHECK_SEED(seed, !may_go || !is_between(ring_point(rings, k, i), a, c));
  }
}

TEST(simpler_rings_keep_to_the_tolerance_and_apart_and_no_vertex_may_go_any_more) {
  static Rings given, rings;
  const double tolerances[] = {0, 0.25, 0.5, 0.75, 1, 2, 100};
  for (uint64_t seed = 1; seed <= rounds(1500); seed++) {
    Random random = {seed};
    Cells cells = random_cells(&random);
    bool smooth = seed % 2;
    double tolerance = tolerances[random_integer(&random, 0, COUNT_OF(tolerances) - 1)];
    CHECK_SEED(seed, outline_of(&cells, smooth, &given) == SAT_OK);
    rings = given;
    CHECK_SEED(seed, sat_simplify(rings.points, rings.first, rings.count, tolerance, false,
                                  &scratch, NULL) == SAT_OK);
    for (size_t k = 0; k < rings.count; k++) {
      check_ring(seed, &given, &rings, k, tolerance);
      CHECK_SEED(seed, (area_of(&rings, k) > 0) == (area_of(&given, k) > 0));
    }
    CHECK_SEED(seed, edges_are_apart(&rings, !smooth));
  }
}

/* The squared distance from an edge, rounded as the core rounds it. */
static double squared_distance(sat_Vec2 p, sat_Vec2 a, sat_Vec2 b) {
  sat_Vec2 along = sub(b, a), way = sub(p, a);
  double square = dot(along, along), ahead = dot(along, way), side = cross(along, way);
  if (ahead > 0 && ahead < square) return side * side / square;
  return ahead > 0 ? dot(sub(p, b), sub(p, b)) : dot(way, way);
}

/* The error of vertex i of a ring that is left of a given one: all that has been left out counts.
 * Place k of a vertex is that in the given ring. */
static double error_of_vertex(const Rings *given, const size_t *place, size_t count, size_t i) {
  size_t from = place[(i + count - 1) % count], to = place[(i + 1) % count];
  sat_Vec2 a = ring_point(given, 0, from), b = ring_point(given, 0, to);
  double error = 0;
  for (size_t k = (from + 1) % ring_size(given, 0); k != to; k = (k + 1) % ring_size(given, 0))
    error = max2(error, squared_distance(ring_point(given, 0, k), a, b));
  return error;
}

static void remove_at(Rings *ring, size_t *place, bool *blocked, size_t i) {
  size_t count = --ring->first[1];
  for (size_t k = i; k < count; k++) {
    ring->points[k] = ring->points[k + 1];
    place[k] = place[k + 1];
    blocked[k] = blocked[k + 1];
  }
  blocked[i % count] = blocked[(i + count - 1) % count] = false;
}

/* Leaves out one vertex after another, each found among all. */
static void simplify_plainly(const Rings *given, double tolerance, Rings *ring) {
  static size_t place[MOST];
  static bool blocked[MOST];
  *ring = *given;
  for (size_t i = 0; i < ring->first[1]; i++) place[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    memset(blocked, 0, sizeof blocked);
    for (;;) {
      size_t best = SIZE_MAX;
      double least = HUGE_VAL;
      for (size_t i = 0; i < ring->first[1]; i++) {
        double error = blocked[i] ? HUGE_VAL : error_of_vertex(given, place, ring->first[1], i);
        if (!(error <= tolerance * tolerance && error < least)) continue;
        least = error;
        best = i;
      }
      if (best == SIZE_MAX) break;
      blocked[best] = ring->first[1] <= 3 || is_triangle_taken(ring, 0, best);
      if (blocked[best]) continue;
      remove_at(ring, place, blocked, best);
      changed = true;
    }
  }
}

/* Whole numbers, so that distances are compared exactly. */
static sat_Vec2 point_of_curve(Random *random, int family, int i, int count) {
  double turn = 6.283185307179586 * i / count, noise = random_real(random, 0, 1);
  sat_Vec2 round = vec2(cos(turn), sin(turn)), at;
  switch (family) {
  case 0: at = mul(round, 900); break;
  case 1: at = mul(round, 400 + 500 * noise); break;
  case 2: at = vec2(7 * i, 3 * i + 3 * noise); break;          /* along a slanted line */
  case 3: at = vec2(2 * i, (i % 2 ? 3 : -3) * (i + 1)); break; /* ever farther to both sides */
  case 4: at = i < count / 2 ? mul(round, 9) : vec2(i, (i % 2 ? 5 : -5) * i); break;
  default: at = mul(round, 300 + 3 * i + 40 * noise); break; /* a spiral */
  }
  return vec2(floor(at.x), floor(at.y));
}

TEST(long_rings_are_made_simpler_as_a_search_of_all_vertices_makes_them) {
  static Rings given, plain, rings;
  const double tolerances[] = {1, 4, 20, 150, 1e6};
  for (uint64_t seed = 1; seed <= rounds(120); seed++) {
    Random random = {seed};
    int count = (int)random_integer(&random, 3, 140), family = (int)random_integer(&random, 0, 5);
    double tolerance = tolerances[random_integer(&random, 0, COUNT_OF(tolerances) - 1)];
    int start = (int)random_integer(&random, 0, count - 1);
    given.count = 1;
    given.first[1] = (uint32_t)count;
    for (int i = 0; i < count; i++)
      given.points[(start + i) % count] = point_of_curve(&random, family, i, count);
    simplify_plainly(&given, tolerance, &plain);
    rings = given;
    CHECK_SEED(seed, sat_simplify(rings.points, rings.first, 1, tolerance, false, &scratch, NULL) ==
                         SAT_OK);
    CHECK_SEED(seed, rings.first[1] == plain.first[1]);
    CHECK_SEED(seed, !memcmp(rings.points, plain.points, plain.first[1] * sizeof *plain.points));
  }
}

TEST(an_open_run_keeps_its_ends) {
  sat_Vec2 points[] = {{0, 0}, {1, 0.25}, {2, 0}, {3, 9}, {4, 9.25}, {5, 9}, {50, 0}, {60, 0}};
  uint32_t first[] = {0, 6, 8};
  assert_int_equal(sat_simplify(points, first, 2, 0.25, true, &scratch, NULL), SAT_OK);
  const sat_Vec2 expected[] = {{0, 0}, {2, 0}, {3, 9}, {5, 9}, {50, 0}, {60, 0}};
  assert_int_equal(first[1], 4);
  assert_int_equal(first[2], 6);
  assert_memory_equal(points, expected, sizeof expected);
}

TEST(a_long_straight_or_stepped_run_becomes_one_edge) {
  enum { LONG = 20000 };
  sat_Vec2 *points = malloc(LONG * sizeof *points);
  for (int steps = 0; steps <= 1; steps++) {
    for (int i = 0; i < LONG; i++) points[i] = steps ? vec2((i + 1) >> 1, i >> 1) : vec2(3 * i, i);
    uint32_t first[] = {0, LONG};
    assert_int_equal(sat_simplify(points, first, 1, steps ? 0.75 : 0, true, &scratch, NULL),
                     SAT_OK);
    assert_int_equal(first[1], 2);
  }
  free(points);
}

/* The edge that replaces the first vertices has ever more of them, all on their hull. */
TEST(a_long_run_whose_parts_grow_becomes_one_edge) {
  enum { LONG = 200000 };
  sat_Vec2 *points = malloc(LONG * sizeof *points);
  for (int i = 0; i < LONG; i++)
    points[i] = vec2(i * (1 + (double)i / LONG), (i % 2 ? 1 : -1) * (i + 1));
  uint32_t first[] = {0, LONG};
  assert_int_equal(sat_simplify(points, first, 1, 1e9, true, &scratch, NULL), SAT_OK);
  assert_int_equal(first[1], 2);
  free(points);
}

TEST(rings_that_cannot_be_made_simpler_are_errors_and_stay_as_they_were) {
  sat_Vec2 points[] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 0}}, before[5];
  uint32_t first[] = {0, 3, 5};
  memcpy(before, points, sizeof points);
  sat_RingError error;
  assert_int_equal(sat_simplify(points, first, 2, 1, false, &scratch, &error), SAT_EFEW);
  assert_int_equal(error.first, 3);
  assert_int_equal(sat_simplify(points, first, 1, -1, false, &scratch, &error), SAT_EVALUE);
  assert_int_equal(sat_simplify(points, first, 1, NAN, false, &scratch, &error), SAT_ERANGE);
  points[1].y = before[1].y = INFINITY;
  assert_int_equal(sat_simplify(points, first, 2, 1, true, &scratch, &error), SAT_ERANGE);
  assert_int_equal(error.first, 1);
  assert_memory_equal(points, before, sizeof points);
  assert_int_equal(sat_simplify(points, first, 0, 1, false, &scratch, &error), SAT_OK);
}

/* ---------------------------------------------------------------- holes */

/* The ring k of an outline with its holes, each reversed or not. */
static Rings polygon_of(const Rings *rings, size_t k, Random *random) {
  Rings polygon = {.count = 0};
  for (size_t l = k; l < rings->count; l++) {
    if (rings->around[l] != k) continue;
    uint32_t first = polygon.first[polygon.count], count = (uint32_t)ring_size(rings, l);
    bool reversed = random_integer(random, 0, 1);
    for (uint32_t i = 0; i < count; i++)
      polygon.points[first + i] = ring_point(rings, l, reversed ? count - i : i);
    polygon.first[++polygon.count] = first + count;
  }
  return polygon;
}

static double area_of_pieces(const sat_Vec2 *ring, size_t count) {
  sat_Decomposition pieces;
  assert_int_equal(sat_ring_decompose(ring, count, &scratch, &pieces), SAT_OK);
  double area = 0;
  for (uint32_t k = 0; k < pieces.count; k++) {
    static sat_Vec2 piece[MOST];
    size_t corners = pieces.first[k + 1] - pieces.first[k];
    for (size_t i = 0; i < corners; i++)
      piece[i] = ring[pieces.corners[pieces.first[k] + i].vertex];
    area += sat_ring_area(piece, corners);
  }
  return area;
}

TEST(a_ring_with_its_holes_becomes_one_ring_of_the_same_area_and_inside) {
  static Rings rings, polygon, whole;
  for (uint64_t seed = 1; seed <= rounds(1500); seed++) {
    Random random = {seed};
    Cells cells = random_cells(&random);
    CHECK_SEED(seed, outline_of(&cells, seed % 2, &rings) == SAT_OK);
    for (size_t k = 0; k < rings.count; k++) {
      if (rings.around[k] != k) continue;
      polygon = polygon_of(&rings, k, &random);
      double area = 0;
      for (size_t l = 0; l < polygon.count; l++)
        area += l == 0 ? fabs(area_of(&polygon, l)) : -fabs(area_of(&polygon, l));
      size_t count = 0;
      CHECK_SEED(seed, sat_ring_join(polygon.points, polygon.first, polygon.count, whole.points,
                                     &count, &scratch, NULL) == SAT_OK);
      whole.count = 1;
      whole.first[1] = (uint32_t)count;
      CHECK_SEED(seed, fabs(area_of(&whole, 0) - area) < 1e-9);
      CHECK_SEED(seed, fabs(area_of_pieces(whole.points, count) - area) < 1e-9);
      for (int i = 0; i < 50; i++) {
        sat_Vec2 p = vec2(random_real(&random, -1, MOST_SIDE), random_real(&random, -1, MOST_SIDE));
        int inside = 0;
        for (size_t l = 0; l < polygon.count; l++) {
          static Rings one;
          one = polygon;
          one.count = 1;
          memmove(one.points, polygon.points + polygon.first[l],
                  ring_size(&polygon, l) * sizeof *one.points);
          one.first[1] = (uint32_t)ring_size(&polygon, l);
          inside += winding_around(&one, p) == 0 ? 0 : l == 0 ? 1 : -1;
        }
        CHECK_SEED(seed, winding_around(&whole, p) == inside);
      }
    }
  }
}

#define SQUARE(x, y, size)                                                                         \
  {x, y}, {(x) + (size), y}, {(x) + (size), (y) + (size)}, { x, (y) + (size) }

static sat_Status join(const sat_Vec2 *points, size_t rings, sat_Vec2 *ring, size_t *count,
                       sat_RingError *error) {
  uint32_t first[] = {0, 4, 8, 12};
  return sat_ring_join(points, first, rings, ring, count, &scratch, error);
}

TEST(a_hole_that_is_none_is_an_error_that_names_a_vertex) {
  sat_Vec2 ring[16];
  size_t count = 77;
  sat_RingError error;
  const sat_Vec2 outside[] = {SQUARE(0, 0, 9), SQUARE(2, 2, 2), SQUARE(20, 2, 2)};
  assert_int_equal(join(outside, 3, ring, &count, &error), SAT_EHOLE);
  assert_in_range(error.first, 8, 11);
  const sat_Vec2 nested[] = {SQUARE(0, 0, 9), SQUARE(1, 1, 7), SQUARE(3, 3, 2)};
  assert_int_equal(join(nested, 3, ring, &count, &error), SAT_EHOLE);
  assert_in_range(error.first, 8, 11);
  const sat_Vec2 crossing[] = {SQUARE(0, 0, 9), SQUARE(7, 2, 5)};
  assert_int_equal(join(crossing, 2, ring, &count, &error), SAT_ECROSS);
  assert_true(error.first < 4 && error.second >= 4);
  const sat_Vec2 equal[] = {SQUARE(0, 0, 9), SQUARE(0, 0, 9)};
  assert_int_equal(join(equal, 2, ring, &count, &error), SAT_EAREA);
  assert_int_equal(error.first, 0);
  const sat_Vec2 flat[] = {SQUARE(0, 0, 9), {1, 1}, {2, 2}, {3, 3}, {4, 4}};
  assert_int_equal(join(flat, 2, ring, &count, &error), SAT_EAREA);
  assert_int_equal(error.first, 4);
  const sat_Vec2 last_is_flat[] = {SQUARE(0, 0, 9), SQUARE(5, 5, 2), {1, 1},
                                   {2, 2},          {3, 3},          {4, 4}};
  assert_int_equal(join(last_is_flat, 3, ring, &count, &error), SAT_EAREA);
  assert_int_equal(error.first, 8);
  const sat_Vec2 infinite[] = {SQUARE(0, 0, 9), {1, 1}, {2, 1}, {INFINITY, 3}, {4, 4}};
  assert_int_equal(join(infinite, 2, ring, &count, &error), SAT_ERANGE);
  assert_int_equal(error.first, 6);
  assert_int_equal(count, 77);
}

TEST(holes_may_touch_the_ring_and_each_other) {
  sat_Vec2 ring[18];
  size_t count;
  const sat_Vec2 corners[] = {SQUARE(0, 0, 9), SQUARE(0, 0, 2), SQUARE(2, 2, 3)};
  assert_int_equal(join(corners, 3, ring, &count, NULL), SAT_OK);
  assert_true(sat_ring_area(ring, count) == 81 - 4 - 9);
  assert_true(area_of_pieces(ring, count) == 81 - 4 - 9);
  const sat_Vec2 diamond[] = {SQUARE(0, 0, 8), {4, 0}, {8, 4}, {4, 8}, {0, 4}};
  assert_int_equal(join(diamond, 2, ring, &count, NULL), SAT_OK);
  assert_true(area_of_pieces(ring, count) == 32);
  const sat_Vec2 beside[] = {SQUARE(0, 0, 9), {3, 4}, {4, 3}, {5, 4}, {4, 5},
                             {5, 4},          {6, 3}, {7, 4}, {6, 5}};
  assert_int_equal(join(beside, 3, ring, &count, NULL), SAT_OK);
  assert_true(area_of_pieces(ring, count) == 77);
}

/* The joined ring passes {1, 3} twice; a bridge from the one side must not lead to the other. */
TEST(holes_that_touch_leave_several_angles_of_which_a_bridge_takes_its_own) {
  const sat_Vec2 points[] = {
      SQUARE(-1, -1, 8), {1, 4}, {1, 3}, {4, 6}, {2, 2}, {3, 3}, {5, 1}, {1, 3}, {0, 4}, {0, 2}};
  const uint32_t first[] = {0, 4, 7, 10, 13};
  sat_Vec2 ring[20];
  size_t count;
  assert_int_equal(sat_ring_join(points, first, 4, ring, &count, &scratch, NULL), SAT_OK);
  double area = 64;
  for (size_t k = 1; k < 4; k++)
    area -= fabs(sat_ring_area(points + first[k], first[k + 1] - first[k]));
  assert_true(area_of_pieces(ring, count) == area);
}

/* Two holes that are joined touch at {8, 10}, and each has the third one on its left there: a
 * bridge that left by the upper one would cross the joined ring. */
TEST(where_joined_holes_touch_a_bridge_leaves_by_the_edge_before_it) {
  const sat_Vec2 points[] = {SQUARE(-20, -20, 99),
                             {0, 6},
                             {1, 10},
                             {8, 10},
                             {6, 4},
                             {3, 15},
                             {4, 19},
                             {8, 17},
                             {8, 10},
                             {8, 10},
                             {18, 10},
                             {16, 6},
                             {14, 4},
                             {21, 3},
                             {18, 0}};
  const uint32_t first[] = {0, 4, 8, 12, 15, 18};
  sat_Vec2 ring[30];
  size_t count;
  assert_int_equal(sat_ring_join(points, first, 5, ring, &count, &scratch, NULL), SAT_OK);
  double area = 99 * 99;
  for (size_t k = 1; k < 5; k++)
    area -= fabs(sat_ring_area(points + first[k], first[k + 1] - first[k]));
  assert_true(area_of_pieces(ring, count) == area);
}

/* Rings at random places, of whole numbers, so that they touch, cross, lie inside and outside: the
 * join agrees with the windings around the middles of all cells and sees every crossing. */
TEST(random_squares_become_one_ring_exactly_where_they_make_a_polygon) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    sat_Vec2 points[12], ring[18];
    bool taken[8][8] = {{false}}, valid = true;
    double area = 64;
    const sat_Vec2 outer[] = {SQUARE(0, 0, 8)};
    memcpy(points, outer, sizeof outer);
    for (size_t k = 1; k < 3; k++) {
      int64_t x = random_integer(&random, -1, 8), y = random_integer(&random, -1, 8);
      int64_t size = random_integer(&random, 1, 5);
      const sat_Vec2 hole[] = {SQUARE((double)x, (double)y, (double)size)};
      memcpy(points + 4 * k, hole, sizeof hole);
      for (int64_t i = x; i < x + size; i++) {
        for (int64_t j = y; j < y + size; j++) {
          if (i < 0 || j < 0 || i > 7 || j > 7 || taken[i][j]) valid = false;
          else taken[i][j] = true;
        }
      }
      area -= (double)(size * size);
    }
    size_t count = 0;
    sat_Status status = join(points, 3, ring, &count, NULL);
    CHECK_SEED(seed, valid ? status == SAT_OK : status == SAT_ECROSS || status == SAT_EHOLE);
    if (valid) CHECK_SEED(seed, area_of_pieces(ring, count) == area);
  }
}

/* ---------------------------------------------------------------- memory */

/* Runs an operation with ever more allocations, from none, until it succeeds. */
#define FAIL_EACH_ALLOCATION(call, unchanged)                                                      \
  do {                                                                                             \
    sat_Status status = SAT_ENOMEM;                                                                \
    for (int k = 0; status == SAT_ENOMEM; k++) {                                                   \
      sat_scratch_free(&scratch);                                                                  \
      memory.until_fails = k;                                                                      \
      status = call;                                                                               \
      memory.until_fails = -1;                                                                     \
      assert_true(status == SAT_OK || (status == SAT_ENOMEM && k < 3));                            \
      if (status) assert_true(unchanged);                                                          \
    }                                                                                              \
  } while (false)

TEST(every_failed_allocation_leaves_all_as_it_was) {
  const double values[] = {1, 1, 1, 1, 0, 1, 1, 1, 1};
  sat_Grid grid = {values, 3, 3, 0.5};
  sat_Outline outline = {77, NULL, NULL, NULL};
  FAIL_EACH_ALLOCATION(sat_outline(&grid, false, &scratch, &outline), outline.count == 77);
  sat_Vec2 points[] = {{0, 0}, {1, 0}, {2, 0}, {2, 2}}, before[4];
  uint32_t first[] = {0, 4};
  memcpy(before, points, sizeof points);
  FAIL_EACH_ALLOCATION(sat_simplify(points, first, 1, 0, false, &scratch, NULL),
                       first[1] == 4 && !memcmp(points, before, sizeof points));
  assert_int_equal(first[1], 3);
  const sat_Vec2 holed[] = {SQUARE(0, 0, 9), SQUARE(2, 2, 2)};
  sat_Vec2 ring[10];
  size_t count = 77;
  FAIL_EACH_ALLOCATION(join(holed, 2, ring, &count, NULL), count == 77);
}

int main(void) { return run_suite(make_scratch, free_scratch); }
