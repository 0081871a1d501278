/* hash.h: hashes of numbers, by multiplication.
 *
 * Knuth, The art of computer programming, volume 3, section 6.4. */
#ifndef SAT_BASE_HASH_H
#define SAT_BASE_HASH_H

#include <stdint.h>
#include <string.h>

static inline uint32_t mix_number(uint32_t hash, double number) {
  uint64_t bits;
  number += 0; /* -0 and 0 are equal */
  memcpy(&bits, &number, sizeof bits);
  hash = (hash ^ (uint32_t)bits ^ (uint32_t)(bits >> 32)) * 0x9e3779b1u;
  return hash ^ hash >> 15;
}

#endif
