/* fast_path_baseline.c: the fast path and the search for the greatest separation, for any
 * processor. */
#include "narrowphase/convex/fast_path_simd.h"
#include "narrowphase/convex/scan_simd.h"
