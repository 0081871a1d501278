/* fast_path_avx.c: the fast path for processors with AVX. */
#include "narrowphase/fast_path.h"

#ifdef SAT_AVX_KERNELS

#include "base/avx_begin.h"

#include "narrowphase/fast_path_simd.h"

#include "base/avx_end.h"

#endif
