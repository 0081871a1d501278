/* separation_simd.h: the separations of one side's edges, four at a time. On small polygons one
 * mispredicted branch costs more than all the projections of an edge, so that no branch depends on
 * a single separation, and loops over up to eight vertices can have a fixed length. */
#ifndef SAT_NARROWPHASE_SEPARATION_SIMD_H
#define SAT_NARROWPHASE_SEPARATION_SIMD_H

#include "base/simd/simd.h"
#include "narrowphase/convex/simd/separation_kernels.h"

/* The normals of four edges, and the part of their separations that does not depend on the other
 * side's vertices. */
typedef struct ScanNormals {
  double4 x, y, base;
} ScanNormals;

/* The vector from one side's origin to the other's, for four edges at once. */
typedef struct double4_Offset {
  double4 x, y;
} double4_Offset;

SAT_INLINE ScanNormals normals_from(const sat_Edges *edges, double4_Offset origin_offset) {
  ScanNormals normals = {double4_load(edges->x), double4_load(edges->y), double4_of(0)};
  double4 across =
      double4_add(double4_mul(normals.x, origin_offset.x), double4_mul(normals.y, origin_offset.y));
  normals.base = double4_sub(across, double4_load(edges->offset));
  return normals;
}

SAT_INLINE ScanNormals normals_of(const sat_Edges *edges, sat_Vec2 origin_offset) {
  double4_Offset offset = {double4_of(origin_offset.x), double4_of(origin_offset.y)};
  return normals_from(edges, offset);
}

/* The separations of four edges: the same sums in the same order as in the general path. */
SAT_INLINE double4 separations_to(const ScanNormals *normals, const sat_Vec2 *vertex,
                                  uint32_t count) {
  double4 least = double4_dot(normals->x, normals->y, vertex[0]);
  SAT_UNROLL
  for (uint32_t i = 1; i < count; i++)
    least = double4_min(double4_dot(normals->x, normals->y, vertex[i]), least);
  return double4_add(normals->base, least);
}

#endif
