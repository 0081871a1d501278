/* shape.h: what the narrow phase knows of a shape's block beyond sat.h. */
#ifndef SAT_SHAPE_H
#define SAT_SHAPE_H

#include "geometry.h"

/* The vertices stand right behind the head, and the local geometry behind them. */
static inline const sat_Vertex *vertices_of(const sat_Shape *shape) {
  return (const sat_Vertex *)(shape + 1);
}

/* Up to here looking at every vertex beats the binary search over the edges' angles. */
#define SAT_SCAN_SUPPORT 8

/* The index of the vertex farthest along `direction`; of equal ones, the first that the search
 * meets. */
uint32_t sat_support_index(const sat_Vertex *vertex, uint32_t count, sat_Vec2 direction);

#endif
