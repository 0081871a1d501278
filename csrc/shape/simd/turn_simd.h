/* turn_simd.h: turned vertices and their edges, four at a time, without a branch that depends on a
 * number. */
#ifndef SAT_SHAPE_TURN_SIMD_H
#define SAT_SHAPE_TURN_SIMD_H

#include "base/double2.h"
#include "base/simd/simd.h"
#include "shape/block.h"

/* Turns two vertices at a time; the last one may be alone. */
SAT_INLINE void turn_vertices(sat_Vec2 pivot, sat_Vec2 of_x, sat_Vec2 of_y, const sat_Vec2 *local,
                              uint32_t count, sat_Vec2 *vertex) {
  double2 around = double2_of(pivot.x, pivot.y), x = double2_of(of_x.x, of_x.y),
          y = double2_of(of_y.x, of_y.y);
  double4 pivots = double4_of_halves(around, around), twice_x = double4_of_halves(x, x),
          twice_y = double4_of_halves(y, y);
  uint32_t i = 0;
  for (; i + 1 < count; i += 2) {
    double4 arms = double4_sub(double4_load((const double *)&local[i]), pivots);
    double4_store((double *)&vertex[i],
                  double4_add(double4_mul(double4_firsts(arms, arms), twice_x),
                              double4_mul(double4_seconds(arms, arms), twice_y)));
  }
  if (i < count) {
    double2 arm = double2_sub(double2_load(&local[i]), around);
    double2_store(&vertex[i], double2_add(double2_mul(double2_firsts(arm, arm), x),
                                          double2_mul(double2_seconds(arm, arm), y)));
  }
}

/* Four edges of a ring; after the ring's last edge come the first ones again. */
typedef struct EdgeRow {
  double4 normal_x, normal_y, offset;
} EdgeRow;

/* The measures that the rows of a ring have in common. */
typedef struct RingMeasures {
  double4 min_x, min_y, max_x, max_y;
  double4 least_length, least_sine; /* of an edge; of a corner between two edges */
} RingMeasures;

/* The vertices where four edges start, and where they end. */
typedef struct VertexRow {
  double4 x, y, next_x, next_y;
} VertexRow;

/* The edge's normal is (dy, -dx) / length. */
SAT_INLINE EdgeRow measure_row(VertexRow v, RingMeasures *measures, bool first) {
  double4 x = v.x, y = v.y, dx = double4_sub(v.next_x, x), dy = double4_sub(v.next_y, y);
  double4 length = double4_sqrt(double4_add(double4_mul(dx, dx), double4_mul(dy, dy)));
  EdgeRow row = {double4_div(dy, length), double4_div(double4_mul(dx, double4_of(-1)), length), x};
  row.offset = double4_add(double4_mul(row.normal_x, x), double4_mul(row.normal_y, y));
  measures->least_length = first ? length : double4_min(length, measures->least_length);
  measures->min_x = first ? x : double4_min(x, measures->min_x);
  measures->min_y = first ? y : double4_min(y, measures->min_y);
  measures->max_x = first ? x : double4_max(x, measures->max_x);
  measures->max_y = first ? y : double4_max(y, measures->max_y);
  return row;
}

/* The sines of the corners where a row's edges start; `before_x`, `before_y` end with the normal of
 * the edge before the row. */
SAT_INLINE double4 corner_sines(double4 before_x, double4 before_y, const EdgeRow *row) {
  double4 x = double4_shift_in(before_x, row->normal_x),
          y = double4_shift_in(before_y, row->normal_y);
  return double4_sub(double4_mul(x, row->normal_y), double4_mul(y, row->normal_x));
}

SAT_INLINE void store_row(const EdgeRow *row, sat_Edges *edges) {
  double4_store(edges->x, row->normal_x);
  double4_store(edges->y, row->normal_y);
  double4_store(edges->offset, row->offset);
}

/* Stores the first `count` edges of a row, and fills up with edges that are infinitely far out. */
SAT_INLINE void store_last_row(const EdgeRow *row, uint32_t count, sat_Edges *edges) {
  if (count == 4) {
    store_row(row, edges);
    return;
  }
  static const double numbers[4] = {0, 1, 2, 3};
  double4 index = double4_load(numbers), end = double4_of(count);
  EdgeRow last = {double4_where_more(end, index, row->normal_x, double4_of(0)),
                  double4_where_more(end, index, row->normal_y, double4_of(0)),
                  double4_where_more(end, index, row->offset, double4_of(HUGE_VAL))};
  store_row(&last, edges);
}

/* Reads the vertices of four edges from `first` on. */
SAT_INLINE VertexRow load_row(const sat_Vec2 *vertex, uint32_t count, uint32_t first) {
  const sat_Vec2 *at[5];
  VertexRow row;
  SAT_UNROLL
  for (uint32_t k = 0; k < 5; k++) {
    uint32_t index = first + k;
    if (index >= count) index -= count;
    if (index >= count) index -= count; /* a segment goes round twice */
    at[k] = vertex + index;
  }
  double4_load_vectors(at, &row.x, &row.y);
  double4_load_vectors(at + 1, &row.next_x, &row.next_y);
  return row;
}

SAT_INLINE bool measure_rows(const sat_Vec2 *vertex, uint32_t count, sat_Edges *edges,
                             sat_Box *box) {
  RingMeasures m;
  EdgeRow first = measure_row(load_row(vertex, count, 0), &m, true), row = first;
  uint32_t rows = edge_block_count(count);
  m.least_sine = double4_of(0);
  for (uint32_t i = 1; i < rows; i++) {
    EdgeRow before = row;
    store_row(&before, &edges[i - 1]);
    row = measure_row(load_row(vertex, count, 4 * i), &m, false);
    m.least_sine = double4_min(corner_sines(before.normal_x, before.normal_y, &row), m.least_sine);
  }
  store_last_row(&row, count - 4 * (rows - 1), &edges[rows - 1]);
  /* Where the first edge follows the last one within a row, that row has the corner between them,
   * and the first edge is compared with itself. */
  uint32_t last = count % 4 ? 0 : count - 1;
  sat_Vec2 before = normal_of(edges, last);
  double4 sines = corner_sines(double4_of(before.x), double4_of(before.y), &first);
  box->min = vec2(double4_least(m.min_x), double4_least(m.min_y));
  box->max = vec2(double4_greatest(m.max_x), double4_greatest(m.max_y));
  return double4_least(double4_min(sines, m.least_sine)) >= 0 && double4_least(m.least_length) > 0;
}

/* Constant counts let the compiler compute the indices of load_row. */
bool SAT_IN_THIS_SET(sat_measure_edges)(const sat_Vec2 *vertex, uint32_t count, sat_Edges *edges,
                                        sat_Box *box) {
  switch (count) {
  case 3: return measure_rows(vertex, 3, edges, box);
  case 4: return measure_rows(vertex, 4, edges, box);
  case 6: return measure_rows(vertex, 6, edges, box);
  case 8: return measure_rows(vertex, 8, edges, box);
  default: return measure_rows(vertex, count, edges, box);
  }
}

bool SAT_IN_THIS_SET(sat_turn_points)(double pivot_x, double pivot_y, double x_to_x, double x_to_y,
                                      double y_to_x, double y_to_y, const sat_Vec2 *local,
                                      uint32_t count, sat_Vec2 *vertex, sat_Edges *edges,
                                      sat_Box *box) {
  turn_vertices(vec2(pivot_x, pivot_y), vec2(x_to_x, x_to_y), vec2(y_to_x, y_to_y), local, count,
                vertex);
  return !edges || SAT_IN_THIS_SET(sat_measure_edges)(vertex, count, edges, box);
}

#endif
