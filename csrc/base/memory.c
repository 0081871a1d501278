/* memory.c: the scratch block, which grows and never shrinks, and the growth of arrays. */
#include "base/memory.h"

sat_Scratch sat_scratch_make(sat_Allocator allocator) {
  sat_Scratch scratch = {NULL, 0, allocator, 0};
  return scratch;
}

void sat_scratch_free(sat_Scratch *scratch) {
  scratch->uses++;
  if (!scratch->block) return;
  scratch->allocator.allocate(scratch->allocator.context, scratch->block, scratch->bytes, 0);
  scratch->block = NULL;
  scratch->bytes = 0;
}

void *sat_scratch_reserve(sat_Scratch *scratch, size_t bytes) {
  SAT_ASSERT(bytes > 0);
  scratch->uses++;
  if (bytes <= scratch->bytes) return scratch->block;
  sat_Allocator allocator = scratch->allocator;
  void *block = allocator.allocate(allocator.context, scratch->block, scratch->bytes, bytes);
  if (!block) return NULL; /* the scratch still owns the old block */
  scratch->block = block;
  scratch->bytes = bytes;
  return block;
}

/* The capacity grows by half, so that appending one by one is O(1) on average. */
sat_Status sat_list_reserve(const sat_Allocator *allocator, void **at, size_t count,
                            size_t *capacity, size_t more, size_t size) {
  if (*capacity - count >= more) return SAT_OK;
  if (more > SIZE_MAX / size / 2 - count) return SAT_ENOMEM;
  size_t wanted = count + more;
  if (wanted < *capacity + *capacity / 2) wanted = *capacity + *capacity / 2;
  if (wanted < 16) wanted = 16;
  void *grown = allocator->allocate(allocator->context, *at, *capacity * size, wanted * size);
  if (!grown) return SAT_ENOMEM;
  *at = grown;
  *capacity = wanted;
  return SAT_OK;
}

void sat_list_release(const sat_Allocator *allocator, void *at, size_t capacity, size_t size) {
  if (at) allocator->allocate(allocator->context, at, capacity * size, 0);
}
