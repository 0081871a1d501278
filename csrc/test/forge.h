/* forge.h: saved worlds, changed with knowledge of their layout.
 *
 * The changes reach every level: bits and words anywhere, numbers and points of one record, whole
 * records, and shapes that are loaded, changed and written again. The checksum is set right in the
 * end, and often the counts are. */
#ifndef SAT_TEST_FORGE_H
#define SAT_TEST_FORGE_H

#include "test/random.h"

#include <stdbool.h>
#include <stddef.h>

/* Sets the head and the checksum right. */
void forge_seal(unsigned char *bytes, size_t size);

/* Changes a saved world in `bytes`, which have room for `most` bytes. Shapes may be taken from the
 * world `other`. Returns the new size. */
size_t forge_world(Random *random, unsigned char *bytes, size_t size, size_t most,
                   const unsigned char *other, size_t other_size);

/* Writes a world of a few shapes of every kind. Returns its size, or 0 if the room is too small. */
size_t forge_any_world(Random *random, unsigned char *bytes, size_t most);

/* A saved world and a delta since it, with bytes that tell where each of the two begins. */
typedef struct ForgedDelta {
  unsigned char *base, *delta;
  size_t base_size, delta_size;
} ForgedDelta;

/* Finds the base and the delta, and sets their checksums and the delta's reference to the base
 * right. Returns false if the bytes are no such pair. */
bool forge_open_delta(unsigned char *bytes, size_t size, ForgedDelta *forged);

/* Changes a base and a delta, or makes others. Returns their new size, or 0 if the room is too
 * small. */
size_t forge_delta(Random *random, unsigned char *bytes, size_t size, size_t most);

/* Writes a base, and the delta of another base. Returns their size, or 0. */
size_t forge_other_delta(const unsigned char *bytes, size_t size, const unsigned char *other,
                         size_t other_size, unsigned char *out, size_t most);

#endif
