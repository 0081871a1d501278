/* turn_avx.c: the vertices and edges of a turned shape on processors with AVX, whatever instruction
 * set the compiler is told to use elsewhere. */
#include "shape/turn_kernels.h"

#ifdef SAT_AVX_KERNELS

#define SAT_AVX

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx")
#endif

#include "shape/turn_simd.h"

static void turn_avx(double pivot_x, double pivot_y, double x_to_x, double x_to_y, double y_to_x,
                     double y_to_y, const sat_Vec2 *local, uint32_t count, sat_Vec2 *vertex) {
  turn_vertices(vec2(pivot_x, pivot_y), vec2(x_to_x, x_to_y), vec2(y_to_x, y_to_y), local, count,
                vertex);
}

static bool measure_avx(const sat_Vec2 *vertex, uint32_t count, sat_Edges *edges, sat_Box *box) {
  return measure_ring(vertex, count, edges, box);
}

const sat_TurnKernels sat_turn_kernels_avx = {turn_avx, measure_avx};

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
