/* forge.h: forgeries of saved worlds and deltas, for tests of loading.
 *
 * A forgery changes bits and words anywhere, the numbers and points of one record, or the
 * shapes, which are loaded, changed and written again. The checksum of a forged world is right,
 * and often the counts are. */
#ifndef SAT_TEST_FORGE_H
#define SAT_TEST_FORGE_H

#include "test/random.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes the magic number, the version and the checksum that belong to the bytes. */
void forge_seal(unsigned char *bytes, size_t size);

/* Changes the world in `bytes`, which have room for `most` bytes, and takes shapes from `other`,
 * too, which may be NULL. Returns the new size. */
size_t forge_world(Random *random, unsigned char *bytes, size_t size, size_t most,
                   const unsigned char *other, size_t other_size);

/* Writes a world of a few random shapes. Returns its size, or 0 without room for it. */
size_t forge_any_world(Random *random, unsigned char *bytes, size_t most);

/* A saved world, and a delta since it, within forged bytes. */
typedef struct ForgedDelta {
  unsigned char *base, *delta;
  size_t base_size, delta_size;
} ForgedDelta;

/* Finds the base and the delta, and corrects the checksums of both and the base's checksum in
 * the delta. Returns false if the bytes hold no such pair. */
bool forge_open_delta(unsigned char *bytes, size_t size, ForgedDelta *forged);

/* Changes a base and its delta, or makes a new pair. Returns the new size, or 0 without room for
 * it. */
size_t forge_delta(Random *random, unsigned char *bytes, size_t size, size_t most);

/* Writes the base of one pair and the delta of another one. Returns their size, or 0 if an input
 * is no pair or there is no room. */
size_t forge_other_delta(const unsigned char *bytes, size_t size, const unsigned char *other,
                         size_t other_size, unsigned char *out, size_t most);

#endif
