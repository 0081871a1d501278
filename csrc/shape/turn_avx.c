/* turn_avx.c: the vertices and edges of a turned shape on processors with AVX. */
#include "shape/convex.h"

#ifdef SAT_AVX_KERNELS

#include "base/avx.h"

#include "shape/turn_simd.h"

#include "base/avx.h" /* NOLINT(readability-duplicate-include) */

#endif
