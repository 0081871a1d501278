/* bytes.h: reads numbers from the bytes of a fuzzer's input. */
#ifndef SAT_TEST_BYTES_H
#define SAT_TEST_BYTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct Bytes {
  const uint8_t *next;
  size_t left;
} Bytes;

/* Zeros follow the last byte. */
static inline unsigned next_byte(Bytes *bytes) {
  if (bytes->left == 0) return 0;
  bytes->left--;
  return *bytes->next++;
}

#endif
