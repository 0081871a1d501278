/* sine_cosine.h: whether an angle is a quarter turn, which takes less time than its sine. */
#ifndef SAT_BASE_SINE_COSINE_H
#define SAT_BASE_SINE_COSINE_H

#include "base/base.h"

/* Whether sat_sine_cosine gives 0 for the sine or the cosine of an angle. */
bool sat_is_quarter_turn(double angle);

#endif
