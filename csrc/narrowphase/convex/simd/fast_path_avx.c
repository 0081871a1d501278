/* fast_path_avx.c: the fast path for processors with AVX. */
#include "narrowphase/convex/simd/fast_path.h"

#ifdef SAT_AVX_KERNELS

#include "base/simd/avx.h"

#include "narrowphase/convex/simd/fast_path_simd.h"
#include "narrowphase/convex/simd/plain_pairs_simd.h"

#include "base/simd/avx.h" /* NOLINT(readability-duplicate-include) */

#endif
