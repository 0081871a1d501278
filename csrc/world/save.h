/* save.h: the formats of a saved world and of a delta.
 *
 * A saved world has a head; a bit for every index up to the highest in use; for each index in use,
 * in ascending order, the id and the shape's record; and the contacts of the last update, in order.
 * Both formats consist of words of 8 bytes, with numbers whose least byte comes first.
 *
 * A delta has a head; for each index whose shape differs from the base's, in ascending order, the
 * index, the id and the shape's record; the indices that have lost their shape; the contacts that
 * only the base has; those that only the world has; and a bit of 0 for each index from the base's
 * end to the last one, so that the memory that a world takes is in proportion to its save. Indices
 * take 8 bytes. */
#ifndef SAT_WORLD_SAVE_H
#define SAT_WORLD_SAVE_H

#include "base/byte_order.h"

#define SAT_DELTA_MAGIC 0x61746c6564746173u /* "satdelta" */
#define SAT_SAVED_MAGIC 0x646c726f77746173u /* "satworld" */

/* Offsets in the head, which begins with the magic number. */
enum {
  SAT_SAVED_VERSION = 3,
  SAT_SAVED_VERSION_AT = 8,
  SAT_SAVED_END_AT = 12,
  SAT_SAVED_COUNT_AT = 16,
  SAT_SAVED_PAIRS_AT = 20,
  SAT_SAVED_ID_AT = 24,
  SAT_SAVED_SUM_AT = 32,
  SAT_SAVED_HEAD = 40,
  SAT_SAVED_PAIR = 8
};

/* Offsets in the head of a delta, where they differ from those of a saved world. */
enum {
  SAT_DELTA_COUNT_AT = 12,
  SAT_DELTA_FREED_AT = 16,
  SAT_DELTA_ENDED_AT = 20,
  SAT_DELTA_BEGUN_AT = 24,
  SAT_DELTA_ROOM_AT = 28,
  SAT_DELTA_BASE_AT = 40,
  SAT_DELTA_ID_AT = 48,
  SAT_DELTA_HEAD = 56,
  SAT_DELTA_INDEX = 8
};

/* The number of bytes of the bits of `end` indices. */
static inline size_t sat_saved_bits(uint32_t end) { return ((size_t)end + 63) / 64 * 8; }

/* The checksum of all words but its own. Each step is invertible, so that two inputs which differ
 * in one word have different sums. */
static inline uint64_t sat_saved_sum(const unsigned char *bytes, size_t size) {
  uint64_t sum = size;
  for (size_t at = 0; at + 8 <= size; at += 8) {
    if (at == SAT_SAVED_SUM_AT) continue;
    sum = (sum ^ sat_get_64(bytes + at)) * 0x9e3779b97f4a7c15u;
    sum ^= sum >> 29;
  }
  return sum;
}

#endif
