/* turn_kernels.h: the vertices and edges of a turned shape, with the widest instruction set of the
 * processor. */
#ifndef SAT_SHAPE_TURN_KERNELS_H
#define SAT_SHAPE_TURN_KERNELS_H

#include "base/instruction_sets.h"
#include "shape/shape.h"

/* The functions of one instruction set. Those of all instruction sets give the same bits. */
typedef struct sat_TurnKernels {
  /* Turns points about a pivot, with a scale and mirrors: pivot + (x, y) goes to x * (x_to_x,
   * x_to_y) + y * (y_to_x, y_to_y). The vectors are passed as single numbers, which stay in
   * registers. */
  void (*turn)(double pivot_x, double pivot_y, double x_to_x, double x_to_y, double y_to_x,
               double y_to_y, const sat_Vec2 *local, uint32_t count, sat_Vec2 *vertex);
  /* Computes the edges and the box of a ring of two vertices or more. False: an edge has no length
   * or a corner is reflex, so that the caller must compute the edges again, but not the box. */
  bool (*measure)(const sat_Vec2 *vertex, uint32_t count, sat_Edges *edges, sat_Box *box);
  /* Turns a ring of two vertices or more and measures it, with the bits and the result of the two
   * functions above. */
  bool (*turn_ring)(double pivot_x, double pivot_y, double x_to_x, double x_to_y, double y_to_x,
                    double y_to_y, const sat_Vec2 *local, uint32_t count, sat_Vec2 *vertex,
                    sat_Edges *edges, sat_Box *box);
} sat_TurnKernels;

#ifdef SAT_AVX_KERNELS
extern const sat_TurnKernels sat_turn_kernels_avx;
#endif
extern const sat_TurnKernels sat_turn_kernels_baseline;

/* The table of the widest instruction set that the processor has. */
static inline const sat_TurnKernels *sat_turn_kernels(void) {
#ifdef SAT_AVX_KERNELS
  if (__builtin_cpu_supports("avx")) return &sat_turn_kernels_avx;
#endif
  return &sat_turn_kernels_baseline;
}

#endif
