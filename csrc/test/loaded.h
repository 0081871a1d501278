/* loaded.h: whether what is taken for a saved world is one. */
#ifndef SAT_TEST_LOADED_H
#define SAT_TEST_LOADED_H

#include "base/vec2.h"

/* Loads bytes as a world, asks it every question, saves it as it is, and changed, and loads that
 * again: into another world, whose shapes and answers must be the same to the bit, and into itself.
 * Returns what is wrong, or NULL. `*status` becomes what opening or loading said. */
const char *check_loaded(const unsigned char *bytes, size_t size, sat_Status *status);

#endif
