/* families.h: shapes of many pieces, of all kinds, for tests and timings. */
#ifndef SAT_TEST_FAMILIES_H
#define SAT_TEST_FAMILIES_H

#include "sat.h"

enum { FAMILIES = 24, MOST_OF_FAMILY = 250, MOST_PIECES_OF_FAMILY = 4 * MOST_OF_FAMILY };

const char *family_name(int family);

/* A shape of `count` pieces, or about as many, in a block for `free`. In most families the
 * shapes of side 0 and side 1 differ a little. */
sat_Shape *family_shape(int family, size_t count, int side);

#endif
