/* separation_avx.c: the search for the greatest separation on processors with AVX. */
#include "narrowphase/convex/separation_kernels.h"

#ifdef SAT_AVX_KERNELS

#include "base/avx.h"

#include "narrowphase/convex/scan_simd.h"

#include "base/avx.h" /* NOLINT(readability-duplicate-include) */

#endif
