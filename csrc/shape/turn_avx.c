/* turn_avx.c: the vertices and edges of a turned shape on processors with AVX. */
#include "shape/turn_kernels.h"

#ifdef SAT_AVX_KERNELS

#include "base/avx_begin.h"

#include "shape/turn_simd.h"

#include "base/avx_end.h"

#endif
