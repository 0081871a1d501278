/* scratch.c: see scratch.h. */
#include "scratch.h"

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
  if (!block) return NULL; /* the old block is intact and still ours */
  scratch->block = block;
  scratch->bytes = bytes;
  return block;
}
