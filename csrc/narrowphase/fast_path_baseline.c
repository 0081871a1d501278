/* fast_path_baseline.c: the fast lane for any processor. See narrowphase/fast_path.h. */
#define KERNELS sat_kernels_baseline
#include "narrowphase/fast_path_simd.h"
