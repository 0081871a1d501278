/* fast_path_baseline.c: the fast path for any processor. */
#include "narrowphase/convex/simd/fast_path_simd.h"
#include "narrowphase/convex/simd/plain_pairs_simd.h"
