/* bytes.h: a reader of the bytes that a fuzzer passes. */
#ifndef SAT_TEST_BYTES_H
#define SAT_TEST_BYTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct Bytes {
  const uint8_t *next;
  size_t left;
} Bytes;

/* Returns the next byte, or 0 after the last one. */
static inline unsigned next_byte(Bytes *bytes) {
  if (bytes->left == 0) return 0;
  bytes->left--;
  return *bytes->next++;
}

#endif
