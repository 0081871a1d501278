/* forge.h: saved worlds, changed by someone who knows how they are laid out.
 *
 * The changes are of every depth: bits and words anywhere, numbers and points of one record, whole
 * records, and shapes that are loaded, changed and written again. The checksum is right in the end,
 * and often the counts are. */
#ifndef SAT_TEST_FORGE_H
#define SAT_TEST_FORGE_H

#include "test/random.h"

#include <stdbool.h>
#include <stddef.h>

/* Makes the head and the checksum right. */
void forge_seal(unsigned char *bytes, size_t size);

/* Changes a world in `bytes`, which have room for `most`; `other` is one more to take shapes from.
 * Returns its new size. */
size_t forge_world(Random *random, unsigned char *bytes, size_t size, size_t most,
                   const unsigned char *other, size_t other_size);

/* A world of a few shapes of every kind. Returns its size, or 0 where there is not as much room. */
size_t forge_any_world(Random *random, unsigned char *bytes, size_t most);

/* A saved world and a delta since it, with bytes that tell where each one is. */
typedef struct ForgedDelta {
  unsigned char *base, *delta;
  size_t base_size, delta_size;
} ForgedDelta;

/* Finds the base and the delta and makes their checksums, and the delta's mention of the base,
 * right. False: the bytes are no such pair. */
bool forge_open_delta(unsigned char *bytes, size_t size, ForgedDelta *forged);

/* Tampers with a base and a delta, or makes others. Returns their new size, or 0 where there is not
 * as much room. */
size_t forge_delta(Random *random, unsigned char *bytes, size_t size, size_t most);

/* One base, and the delta of another one. Returns their size, or 0. */
size_t forge_other_delta(const unsigned char *bytes, size_t size, const unsigned char *other,
                         size_t other_size, unsigned char *out, size_t most);

#endif
