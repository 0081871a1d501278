/* random.h: pseudo-random numbers, the same in every run. */
#ifndef SAT_BASE_RANDOM_H
#define SAT_BASE_RANDOM_H

#include <stdint.h>

/* The next number of a linear congruential generator, by Knuth and Lewis. Its upper bits are the
 * random ones: see Press et al., Numerical recipes in C, section 7.1. */
static inline uint32_t next_random(uint32_t *state) {
  return *state = *state * 1664525u + 1013904223u;
}

/* A random index below `count`. */
static inline uint32_t next_random_index(uint32_t *state, uint32_t count) {
  return (uint32_t)((uint64_t)next_random(state) * count >> 32);
}

#endif
