/* turn_kernels.h: the vertices and edges of a turned shape, with the widest instruction set of the
 * processor. */
#ifndef SAT_SHAPE_TURN_KERNELS_H
#define SAT_SHAPE_TURN_KERNELS_H

#include "base/base.h"
#include "shape/shape.h"

/* Computes the edges and the box of a ring of two vertices or more. False: an edge has no length or
 * a corner is reflex, so that the caller must compute the edges again, but not the box. */
SAT_KERNEL(bool, sat_measure_edges,
           (const sat_Vec2 *vertex, uint32_t count, sat_Edges *edges, sat_Box *box),
           (vertex, count, edges, box))

/* Turns points about a pivot, with a scale and mirrors: pivot + (x, y) goes to x * (x_to_x, x_to_y)
 * + y * (y_to_x, y_to_y). Where `edges` is not NULL, the points are a ring of two or more, which is
 * measured, with the bits and the result of sat_measure_edges. The vectors are passed as single
 * numbers, which stay in registers. */
SAT_KERNEL(bool, sat_turn_points,
           (double pivot_x, double pivot_y, double x_to_x, double x_to_y, double y_to_x,
            double y_to_y, const sat_Vec2 *local, uint32_t count, sat_Vec2 *vertex,
            sat_Edges *edges, sat_Box *box),
           (pivot_x, pivot_y, x_to_x, x_to_y, y_to_x, y_to_y, local, count, vertex, edges, box))

#endif
