/* turn_baseline.c: the vertices and edges of a turned shape on any processor. */
#include "shape/simd/turn_simd.h"
