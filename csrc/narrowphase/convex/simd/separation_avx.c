/* separation_avx.c: the search for the greatest separation on processors with AVX. */
#include "narrowphase/convex/simd/separation_kernels.h"

#ifdef SAT_AVX_KERNELS

#include "base/simd/avx.h"

#include "narrowphase/convex/simd/scan_simd.h"

#include "base/simd/avx.h" /* NOLINT(readability-duplicate-include) */

#endif
