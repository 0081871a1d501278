/* list.c: see list.h. */
#include "list.h"

/* Half as much again, so that growing one by one stays cheap. */
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
