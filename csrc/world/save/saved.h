/* saved.h: the format of saved worlds, and what their reader and their writer share.
 *
 * A save is a whole world, or a delta: its difference from an earlier whole save, the base. A whole
 * save is the difference from nothing. A save has a head; for each index whose shape differs from
 * the base's, in ascending order, the id and the shape's record, which has the index; the indices
 * that have lost their shape; the contacts of the last update that only the base has; and those
 * that only the world has. Bytes of 0 follow where the indices beyond the base's are many and the
 * shapes are few, so that the memory that a world takes is in proportion to its save.
 *
 * All parts are words of 8 bytes, with numbers whose least byte comes first. */
#ifndef SAT_WORLD_SAVED_H
#define SAT_WORLD_SAVED_H

#include "base/byte_order.h"
#include "shape/record.h"
#include "world/world.h"

#define SAT_SAVED_MAGIC 0x646c726f77746173u /* "satworld" */

#define SAT_SAVED_FACTOR 0x9e3779b97f4a7c15u

enum { SAT_SAVED_BYTES_PER_INDEX = 4 };

/* Offsets in the head, which begins with the magic number, and the bytes of an index and of a
 * contact. A whole save has bytes of 0 for the digest of its base. */
enum {
  SAT_SAVED_VERSION_AT = 8,
  SAT_SAVED_COUNT_AT = 12,
  SAT_SAVED_FREED_AT = 16,
  SAT_SAVED_ENDED_AT = 20,
  SAT_SAVED_BEGUN_AT = 24, /* followed by 4 bytes of 0 */
  SAT_SAVED_SUM_AT = 32,
  SAT_SAVED_ID_AT = 40,
  SAT_SAVED_BASE_AT = 48,
  SAT_SAVED_HEAD = SAT_SAVED_BASE_AT + SAT_DIGEST,
  SAT_SAVED_INDEX = 8,
  SAT_SAVED_PAIR = 8
};

/* An upper bound of ids that no world reaches. */
#define SAT_MOST_IDS ((uint64_t)1 << 53)

/* The sum of all words but the checksum, by an odd factor. Each step is invertible, so that two
 * inputs which differ in one word have different sums. */
static inline uint64_t sat_sum_by(uint64_t factor, const unsigned char *bytes, size_t size) {
  uint64_t sum = size;
  for (size_t at = 0; at + 8 <= size; at += 8) {
    if (at == SAT_SAVED_SUM_AT) continue;
    sum = (sum ^ sat_get_64(bytes + at)) * factor;
    sum ^= sum >> 29;
  }
  return sum;
}
static inline uint64_t sat_saved_sum(const unsigned char *bytes, size_t size) {
  return sat_sum_by(SAT_SAVED_FACTOR, bytes, size);
}

/* The size of a save with `size` bytes before its bytes of 0, whose shapes have indices below
 * `end`. */
static inline size_t sat_saved_padded(const sat_Base *base, uint32_t end, size_t size) {
  size_t more = end > base->saved.internal.end ? end - base->saved.internal.end : 0;
  size_t least = (more * SAT_SAVED_BYTES_PER_INDEX + 7) / 8 * 8;
  return size > least ? size : least;
}

/* Contacts in ascending order, each as a number with the lower index in front. */
typedef struct sat_SavedPairs {
  const unsigned char *at, *end;
} sat_SavedPairs;

static inline uint64_t sat_saved_pair(const unsigned char *pair) {
  return (uint64_t)sat_get_32(pair) << 32 | sat_get_32(pair + 4);
}

/* The contacts that the world of a whole save has. */
static inline sat_SavedPairs sat_saved_pairs(const sat_Saved *whole) {
  return (sat_SavedPairs){whole->internal.begun, whole->internal.padding};
}

/* The saved id of an index, followed by the shape's record; NULL where the base has no shape. */
static inline const unsigned char *sat_base_saved(const sat_Base *base, uint32_t index) {
  bool is_listed = base->entries && index < base->saved.internal.end;
  return is_listed ? base->entries[index].saved : NULL;
}

/* Whether a shape may have an id at an index: the id of the base there, or an id that the base has
 * not given yet. So no two shapes have the same id, whether or not they are in the base. */
static inline bool sat_base_allows(const sat_Base *base, uint32_t index, uint64_t id) {
  const unsigned char *saved = sat_base_saved(base, index);
  return id >= base->saved.internal.next_id || (saved && sat_get_64(saved) == id);
}

/* The base of whole saves: nothing. */
extern const sat_Base sat_base_of_none;

/* The shape of an id that a record follows. */
static inline sat_SavedShape sat_saved_shape(const unsigned char *saved) {
  const unsigned char *record = saved + 8;
  return (sat_SavedShape){sat_get_64(saved), sat_record_index(record), sat_record_block(record),
                          record};
}

/* Remembers a whole save that the world has made or loaded, instead of the oldest of many. */
void sat_saves_remember(sat_World *world, const unsigned char *bytes, size_t size);
/* Whether the world may have made or loaded a whole save: it is remembered, or older. */
bool sat_saves_may_have(const sat_Saves *saves, const sat_Saved *whole);

/* Lists the shapes that a save changes: those with records, then those that are gone, with a record
 * of NULL, both in ascending order. */
void sat_saved_list(const sat_Saved *saved, sat_SavedShape *shapes);
/* Whether one of the shapes with records, or of those that are gone, has an index. */
bool sat_saved_changes(const sat_Saved *saved, const sat_SavedShape *shapes, uint32_t index);
bool sat_saved_frees(const sat_Saved *saved, const sat_SavedShape *shapes, uint32_t index);

/* Whether a base and a save make a world. `shapes`: the list. `ids`: room for as many as the save
 * has shapes with records. */
bool sat_saved_fits(const sat_Saved *saved, const sat_Base *base, const sat_SavedShape *shapes,
                    uint64_t *ids);

/* The contacts of the base without those that have ended, merged with those that have begun. */
typedef struct sat_PairMerge {
  sat_SavedPairs old, ended, begun;
} sat_PairMerge;
sat_PairMerge sat_saved_merge(const sat_Saved *saved, const sat_Base *base);
/* The next pair, or UINT64_MAX after the last one. Pairs that have ended and are not in the base
 * stay in `ended`. `*twice`: the base has a pair that has begun. */
uint64_t sat_saved_next_pair(sat_PairMerge *merge, bool *twice);

#endif
