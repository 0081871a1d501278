/* separation_baseline.c: the search for the greatest separation on any processor. */
#include "narrowphase/separation_simd.h"

const sat_SeparationKernels sat_separation_kernels_baseline = {scan_edges, calipers_edges};
