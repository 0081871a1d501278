/* fast_path_baseline.c: the kernels of the narrow phase for any processor. */
#include "narrowphase/convex/simd/fast_path_simd.h"
#include "narrowphase/convex/simd/plain_pairs_simd.h"
#include "narrowphase/convex/simd/scan_simd.h"
