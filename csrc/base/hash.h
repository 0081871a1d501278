/* hash.h: hashes of numbers, by multiplication, and pseudo-random numbers, the same in every run.
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

/* The next number of a linear congruential generator, by Knuth and Lewis. Its upper bits are the
 * random ones: see Press et al., Numerical recipes in C, section 7.1. */
static inline uint32_t next_random(uint32_t *state) {
  return *state = *state * 1664525u + 1013904223u;
}

#endif
