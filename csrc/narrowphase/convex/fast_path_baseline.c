/* fast_path_baseline.c: the fast path for any processor. */
#include "narrowphase/convex/fast_path_simd.h"
