/* separation_avx.c: the search for the greatest separation on processors with AVX. */
#include "narrowphase/separation_kernels.h"

#ifdef SAT_AVX_KERNELS

#include "base/avx.h"

#include "narrowphase/scan_simd.h"

#include "base/avx.h"

#endif
