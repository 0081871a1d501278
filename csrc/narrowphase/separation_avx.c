/* separation_avx.c: the search for the greatest separation on processors with AVX. */
#include "narrowphase/separation_kernels.h"

#ifdef SAT_AVX_KERNELS

#include "base/avx_begin.h"

#include "narrowphase/separation_simd.h"

const sat_SeparationKernels sat_separation_kernels_avx = {scan_edges, calipers_edges};

#include "base/avx_end.h"

#endif
