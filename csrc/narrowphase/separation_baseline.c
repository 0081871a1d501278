/* separation_baseline.c: the search for the greatest separation on any processor. */
#include "narrowphase/separation_simd.h"

static sat_SeparationScan scan_baseline(const sat_Convex *own, const sat_Convex *other,
                                        sat_Vec2 origin_offset, double threshold) {
  return scan_edges(own, other, origin_offset, threshold);
}

static sat_SeparationScan calipers_baseline(const sat_Convex *own, const sat_Convex *other,
                                            sat_Vec2 origin_offset, double threshold) {
  return calipers_edges(own, other, origin_offset, threshold);
}

const sat_SeparationKernels sat_separation_kernels_baseline = {scan_baseline, calipers_baseline};
