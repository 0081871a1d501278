/* forge.h: saved worlds, changed by someone who knows how they are laid out.
 *
 * The changes are of every depth: bits and words anywhere, numbers and points of one record, whole
 * records, and shapes that are loaded, changed and written again. The checksum is right in the end,
 * and often the counts are. */
#ifndef SAT_TEST_FORGE_H
#define SAT_TEST_FORGE_H

#include "test/random.h"

#include <stddef.h>

/* Makes the head and the checksum right. */
void forge_seal(unsigned char *bytes, size_t size);

/* Changes a world in `bytes`, which have room for `most`; `other` is one more to take shapes from.
 * Returns its new size. */
size_t forge_world(Random *random, unsigned char *bytes, size_t size, size_t most,
                   const unsigned char *other, size_t other_size);

/* A world of a few shapes of every kind. Returns its size, or 0 where there is not as much room. */
size_t forge_any_world(Random *random, unsigned char *bytes, size_t most);

#endif
