/* saves.h: the steps of saving and loading a world, for tests. */
#ifndef SAT_TEST_SAVES_H
#define SAT_TEST_SAVES_H

#include "world/save/saved.h"

#include <stdlib.h>

typedef struct Bytes {
  unsigned char *at;
  size_t size;
} Bytes;

static inline Bytes take_bytes(size_t size) {
  Bytes bytes = {malloc(size ? size : 1), size};
  if (!bytes.at) abort();
  return bytes;
}

static inline Bytes save_whole(sat_World *world) {
  Bytes bytes = take_bytes(sat_world_saved_size(world));
  sat_world_save(world, bytes.at);
  return bytes;
}

/* The delta since the base; no bytes if there is none. */
static inline Bytes save_difference(sat_World *world) {
  size_t size;
  if (sat_world_delta_size(world, &size)) return (Bytes){NULL, 0};
  Bytes bytes = take_bytes(size);
  sat_world_save_delta(world, bytes.at);
  return bytes;
}

static inline bool same_bytes(const Bytes *a, const Bytes *b) {
  return a->size == b->size && memcmp(a->at, b->at, a->size) == 0;
}

/* Changes the word before the last `behind` bytes, which are the same in both, so that the bytes
 * have the checksum of `wanted`. */
static inline void take_sum_of(Bytes *bytes, const Bytes *wanted, size_t behind) {
  size_t at = bytes->size - behind - 8, from = wanted->size - behind - 8;
  uint64_t sums[2] = {bytes->size, wanted->size};
  for (int i = 0; i < 2; i++)
    for (size_t word = 0; word < (i ? from : at); word += 8) {
      if (word == SAT_SAVED_SUM_AT) continue;
      sums[i] = (sums[i] ^ sat_get_64((i ? wanted : bytes)->at + word)) * SAT_SAVED_FACTOR;
      sums[i] ^= sums[i] >> 29;
    }
  sat_put_64(bytes->at + at, sat_get_64(wanted->at + from) ^ sums[0] ^ sums[1]);
  sat_put_64(bytes->at + SAT_SAVED_SUM_AT, sat_saved_sum(bytes->at, bytes->size));
}

static inline sat_Status set_base_to(sat_World *world, const Bytes *base, sat_Scratch *scratch) {
  sat_Saved saved;
  sat_Status status = sat_saved_open(&saved, base->at, base->size, scratch);
  return status ? status : sat_world_set_base(world, &saved);
}

/* Allocates and prepares a block. The test frees it after the world. */
typedef sat_Shape *(*MakeBlock)(size_t bytes);

/* Loads a save, whole or a delta, whose shapes have indices below `most_end`. */
static inline sat_Status load_bytes(sat_World *world, const Bytes *bytes, sat_Scratch *scratch,
                                    MakeBlock make, uint32_t most_end) {
  sat_Saved saved;
  sat_Status status = sat_saved_open(&saved, bytes->at, bytes->size, scratch);
  if (status) return status;
  if (saved.internal.end > most_end) return SAT_ESAVED;
  size_t most = sat_world_most_listed(world, &saved), count = 0;
  sat_SavedShape *shapes = malloc(most * sizeof *shapes);
  sat_Shape **blocks = calloc(most, sizeof(sat_Shape *));
  if (!shapes || !blocks) abort();
  status = sat_world_list(world, &saved, shapes, &count);
  if (!status && count >= most) abort();
  if (!status) {
    sat_world_match(world, shapes, count, blocks);
    for (size_t i = 0; i < count; i++)
      if (shapes[i].record && !blocks[i]) blocks[i] = make(shapes[i].bytes);
    status = sat_world_load(world, &saved, shapes, count, blocks);
  }
  free(shapes);
  free(blocks);
  return status;
}

#endif
