/* turn_avx.c: the vertices and edges of a turned shape on processors with AVX. */
#include "shape/convex.h"

#ifdef SAT_AVX_KERNELS

#include "base/simd/avx.h"

#include "shape/simd/turn_simd.h"

#include "base/simd/avx.h" /* NOLINT(readability-duplicate-include) */

#endif
