/* polygons.c: random simple polygons, untangled from random points, and the fewest convex
 * pieces. */
#include "test/polygons.h"

#include "base/predicates.h"

#include <string.h>

/* ---------------------------------------------------------------- random polygons */

static bool on_segment(sat_Vec2 a, sat_Vec2 b, sat_Vec2 p) {
  return sat_orientation(a, b, p) == 0 && dot(sub(p, a), sub(p, b)) <= 0;
}

static bool segments_meet(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c, sat_Vec2 d) {
  if (on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) || on_segment(c, d, b))
    return true;
  return sat_orientation(a, b, c) != sat_orientation(a, b, d) &&
         sat_orientation(c, d, a) != sat_orientation(c, d, b);
}

/* Reverses the points from first to last, which replaces two crossing edges of the tour. */
static void reverse(sat_Vec2 *points, size_t first, size_t last) {
  for (; first < last; first++, last--) {
    sat_Vec2 point = points[first];
    points[first] = points[last];
    points[last] = point;
  }
}

static bool untangle_once(sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i + 2 < count; i++) {
    for (size_t j = i + 2; j < count; j++) {
      if (i == 0 && j + 1 == count) continue;
      if (!segments_meet(points[i], points[i + 1], points[j], points[(j + 1) % count])) continue;
      reverse(points, i + 1, j);
      return true;
    }
  }
  return false;
}

static size_t without_straight_ones(sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i < count && count >= 3;) {
    sat_Vec2 before = points[(i + count - 1) % count], after = points[(i + 1) % count];
    if (sat_orientation(before, points[i], after) != 0) {
      i++;
      continue;
    }
    memmove(points + i, points + i + 1, (count - i - 1) * sizeof *points);
    count--;
    i = i > 0 ? i - 1 : 0;
  }
  return count;
}

size_t random_simple_polygon(Random *random, int size, size_t count, sat_Vec2 *points) {
  for (size_t i = 0; i < count; i++) {
    double x = (double)random_integer(random, -size, size);
    points[i] = vec2(x, (double)random_integer(random, -size, size));
  }
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count;)
      if (points[i].x == points[j].x && points[i].y == points[j].y) points[j] = points[--count];
      else j++;
  size_t steps = 20 * count;
  while (steps > 0 && untangle_once(points, count)) steps--;
  count = without_straight_ones(points, count);
  if (steps == 0 || count < 3 || untangle_once(points, count)) return 0;
  double area = 0;
  for (size_t i = 0; i < count; i++) area += cross(points[i], points[(i + 1) % count]);
  if (area < 0) reverse(points, 0, count - 1);
  return count;
}

/* ---------------------------------------------------------------- the fewest pieces */

enum { UNKNOWN = 1000000 };

typedef struct Table {
  const sat_Vec2 *points;
  int count;
  bool reflex[MOST_FOR_FEWEST];
  bool usable[MOST_FOR_FEWEST][MOST_FOR_FEWEST]; /* edges, and diagonals that may be needed */
  int pieces[MOST_FOR_FEWEST][MOST_FOR_FEWEST];  /* the fewest from i to j */
  int chain[MOST_FOR_FEWEST][MOST_FOR_FEWEST];   /* the fewest behind a chain that ends with i, j */
} Table;

static int arc(const Table *table, int a, int b, int c) {
  return sat_orientation(table->points[a], table->points[b], table->points[c]);
}

/* Whether the direction from i to j goes into the polygon. */
static bool goes_inside(const Table *table, int i, int j) {
  int n = table->count, before = (i + n - 1) % n, after = (i + 1) % n;
  if (table->reflex[i]) return arc(table, i, after, j) > 0 || arc(table, before, i, j) > 0;
  return arc(table, i, after, j) > 0 && arc(table, before, i, j) > 0;
}

static bool is_diagonal(const Table *table, int i, int j) {
  if (!goes_inside(table, i, j) || !goes_inside(table, j, i)) return false;
  const sat_Vec2 *p = table->points;
  for (int k = 0; k < table->count; k++) {
    int next = (k + 1) % table->count;
    if (k != i && k != j && on_segment(p[i], p[j], p[k])) return false;
    if (k == i || k == j || next == i || next == j) continue;
    if (segments_meet(p[i], p[j], p[k], p[next])) return false;
  }
  return true;
}

/* Tries all convex pieces whose first edge leads from i to `second`. */
static void try_chains(Table *table, int i, int second) {
  int n = table->count;
  for (int a = i; a < n; a++)
    for (int b = a + 1; b < n; b++) table->chain[a][b] = UNKNOWN;
  table->chain[i][second] = table->pieces[i][second];
  for (int a = i; a < n; a++) {
    for (int b = a + 1; b < n; b++) {
      int cost = table->chain[a][b];
      if (cost >= UNKNOWN) continue;
      bool closes = a != i && table->usable[i][b] && arc(table, a, b, i) >= 0 &&
                    arc(table, b, i, second) >= 0;
      if (closes && cost + 1 < table->pieces[i][b]) table->pieces[i][b] = cost + 1;
      for (int c = b + 1; c < n; c++) {
        if (!table->usable[b][c] || table->pieces[b][c] >= UNKNOWN || arc(table, a, b, c) < 0)
          continue;
        int more = cost + table->pieces[b][c];
        if (more < table->chain[b][c]) table->chain[b][c] = more;
      }
    }
  }
}

size_t fewest_pieces(const sat_Vec2 *points, size_t count) {
  static Table table;
  int n = (int)count;
  table.points = points;
  table.count = n;
  for (int i = 0; i < n; i++) table.reflex[i] = arc(&table, (i + n - 1) % n, i, (i + 1) % n) < 0;
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) {
      bool edge = j == i + 1;
      table.pieces[i][j] = edge ? 0 : UNKNOWN;
      table.usable[i][j] = edge || (i == 0 && j == n - 1) ||
                           ((table.reflex[i] || table.reflex[j]) && is_diagonal(&table, i, j));
    }
  }
  for (int i = n - 2; i >= 0; i--)
    for (int second = i + 1; second < n; second++)
      if (table.usable[i][second] && table.pieces[i][second] < UNKNOWN)
        try_chains(&table, i, second);
  return (size_t)table.pieces[0][n - 1];
}
