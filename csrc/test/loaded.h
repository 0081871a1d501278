/* loaded.h: whether what is taken for a saved world is one. */
#ifndef SAT_TEST_LOADED_H
#define SAT_TEST_LOADED_H

#include "base/vec2.h"
#include "test/forge.h"

/* Loads bytes as a world, asks it every question, saves it as it is, and changed, and loads that
 * again: into another world, whose shapes and answers must be the same to the bit, and into itself.
 * Returns what is wrong, or NULL. `*status` becomes what opening or loading said. */
const char *check_loaded(const unsigned char *bytes, size_t size, sat_Status *status);

/* Loads the base and a delta since it, and asks, saves and loads that again, too. Before that each
 * allocation of the loading fails once, and whatever fails or is refused changes nothing. */
const char *check_loaded_delta(const ForgedDelta *forged, sat_Status *status);

#endif
