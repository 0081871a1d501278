/* turn_baseline.c: the vertices and edges of a turned shape on any processor. */
#include "shape/turn_simd.h"

static void turn_baseline(double pivot_x, double pivot_y, double x_to_x, double x_to_y,
                          double y_to_x, double y_to_y, const sat_Vec2 *local, uint32_t count,
                          sat_Vec2 *vertex) {
  turn_vertices(vec2(pivot_x, pivot_y), vec2(x_to_x, x_to_y), vec2(y_to_x, y_to_y), local, count,
                vertex);
}

static bool measure_baseline(const sat_Vec2 *vertex, uint32_t count, sat_Edges *edges,
                             sat_Box *box) {
  return measure_ring(vertex, count, edges, box);
}

const sat_TurnKernels sat_turn_kernels_baseline = {turn_baseline, measure_baseline};
