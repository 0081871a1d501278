/* fast_path_baseline.c: the fast path for any processor. */
#define KERNELS sat_kernels_baseline
#include "narrowphase/fast_path_simd.h"
