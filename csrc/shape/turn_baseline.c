/* turn_baseline.c: the vertices and edges of a turned shape on any processor. */
#include "shape/turn_simd.h"

const sat_TurnKernels sat_turn_kernels_baseline = {turn_by_numbers, measure_ring, turn_ring};
