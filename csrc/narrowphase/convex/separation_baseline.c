/* separation_baseline.c: the search for the greatest separation on any processor. */
#include "narrowphase/convex/scan_simd.h"
