/* fast_path_baseline.c: the fast lane for any processor. See narrowphase/fast_path.h. */
#define LANE sat_lane_any
#include "narrowphase/fast_path_simd.h"
