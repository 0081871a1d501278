/* separation_baseline.c: the search for the greatest separation on any processor. */
#include "narrowphase/convex/simd/scan_simd.h"
