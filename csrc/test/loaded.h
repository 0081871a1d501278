/* loaded.h: checks that bytes which `load` accepts are a whole world. */
#ifndef SAT_TEST_LOADED_H
#define SAT_TEST_LOADED_H

#include "base/vec2.h"
#include "test/forge.h"

/* Loads bytes as a world, asks it every question, saves it as it is, and changed, and loads that
 * again: into another world, whose shapes and answers must be the same to the bit, and into itself.
 * Returns the problem, or NULL, and sets `*status` to the result of opening or loading. */
const char *check_loaded(const unsigned char *bytes, size_t size, sat_Status *status);

/* Loads the base and a delta since it, and asks, saves and loads that again, too. Before that each
 * allocation of the loading fails once, and a load that fails or is refused must change nothing. */
const char *check_loaded_delta(const ForgedDelta *forged, sat_Status *status);

#endif
