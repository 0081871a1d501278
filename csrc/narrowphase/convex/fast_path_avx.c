/* fast_path_avx.c: the fast path for processors with AVX. */
#include "narrowphase/convex/fast_path.h"

#ifdef SAT_AVX_KERNELS

#include "base/avx.h"

#include "narrowphase/convex/fast_path_simd.h"

#include "base/avx.h" /* NOLINT(readability-duplicate-include) */

#endif
