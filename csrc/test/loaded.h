/* loaded.h: checks of bytes that may be a saved world, or a base and its delta. */
#ifndef SAT_TEST_LOADED_H
#define SAT_TEST_LOADED_H

#include "base/vec2.h"
#include "test/forge.h"

/* Loads bytes as a world, queries it, and saves and loads it twice, the second time with changed
 * shapes: into another world, whose shapes and answers must be the same to the bit, and into
 * itself. Returns the check that has failed, as text, or NULL. `*status` becomes the status of
 * the loading. */
const char *check_loaded(unsigned char *at, size_t size, sat_Status *status);

/* Loads the base and a delta since it, and queries, saves and loads the result, too. Each
 * allocation of the delta's loading fails once before that, and neither a failure nor a refusal
 * may change the world. */
const char *check_loaded_delta(const ForgedDelta *forged, sat_Status *status);

#endif
