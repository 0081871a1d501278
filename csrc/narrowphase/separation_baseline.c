/* separation_baseline.c: the search for the greatest separation on any processor. */
#include "narrowphase/scan_simd.h"
