/* memory.h: an allocator for tests that counts bytes, fails on request, and checks the size of
 * every block that comes back. */
#ifndef SAT_TEST_MEMORY_H
#define SAT_TEST_MEMORY_H

#include "test/suite.h"

#include <string.h>

typedef struct Memory {
  size_t bytes;    /* allocated and not freed */
  int until_fails; /* allocations that still succeed; below 0 all do */
  size_t most;     /* bytes at a time, those of a block and of its larger copy among them */
} Memory;

enum { HEAD = 16 };

/* Each block begins with its size, which its owner must pass as `old_size`. */
static inline void *watched_allocate(void *context, void *block, size_t old_size, size_t size) {
  Memory *memory = context;
  char *whole = block ? (char *)block - HEAD : NULL;
  if (whole) assert_int_equal(*(size_t *)(void *)whole, old_size);
  else assert_int_equal(old_size, 0);
  if (size == 0) {
    memory->bytes -= old_size;
    free(whole);
    return NULL;
  }
  if (memory->until_fails == 0) return NULL;
  memory->until_fails--;
  if (memory->bytes + size > memory->most) memory->most = memory->bytes + size;
  char *grown = malloc(HEAD + size);
  assert_non_null(grown);
  if (whole) memcpy(grown + HEAD, block, old_size < size ? old_size : size);
  free(whole);
  *(size_t *)(void *)grown = size;
  memory->bytes += size - old_size;
  return grown + HEAD;
}

#endif
