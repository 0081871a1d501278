/* memory.c: the scratch block, which grows and never shrinks, and the growth of lists. */
#include "base/memory.h"

#include <string.h>

sat_Scratch sat_scratch_make(sat_Allocator allocator) {
  return (sat_Scratch){NULL, 0, allocator, 0};
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

/* The layout of every SAT_LIST. Lists are copied as bytes, since their pointers are of many
 * types. */
typedef SAT_LIST(void) AnyList;

/* The capacity grows by half at least, so that growing one by one stays cheap. */
sat_Status sat_list_reserve(void *list, size_t more, size_t element_size) {
  AnyList any;
  memcpy(&any, list, sizeof any);
  if (any.capacity - any.count >= more) return SAT_OK;
  if (more > SIZE_MAX / element_size / 2 - any.count) return SAT_ENOMEM;
  size_t wanted = any.count + more;
  if (wanted < any.capacity + any.capacity / 2) wanted = any.capacity + any.capacity / 2;
  if (wanted < 16) wanted = 16;
  void *grown = any.allocator.allocate(any.allocator.context, any.at, any.capacity * element_size,
                                       wanted * element_size);
  if (!grown) return SAT_ENOMEM;
  any.at = grown;
  any.capacity = wanted;
  memcpy(list, &any, sizeof any);
  return SAT_OK;
}

void sat_list_free(void *list, size_t element_size) {
  AnyList any;
  memcpy(&any, list, sizeof any);
  if (any.at) any.allocator.allocate(any.allocator.context, any.at, any.capacity * element_size, 0);
  any.at = NULL;
  any.count = any.capacity = 0;
  memcpy(list, &any, sizeof any);
}

void *sat_no_memory(void *context, void *block, size_t old_bytes, size_t new_bytes) {
  (void)context, (void)block, (void)old_bytes, (void)new_bytes;
  return NULL;
}
