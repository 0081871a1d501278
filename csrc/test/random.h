/* random.h: random numbers for tests, the same on every machine for the same seed. */
#ifndef SAT_TEST_RANDOM_H
#define SAT_TEST_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Random {
  uint64_t state;
} Random;

/* Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014. */
static inline uint64_t random_bits(Random *random) {
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A random number, low <= result <= high. The range is less than 2^63. */
static inline int64_t random_integer(Random *random, int64_t low, int64_t high) {
  return low + (int64_t)(random_bits(random) % ((uint64_t)(high - low) + 1));
}

/* A random number, low <= result < high but for rounding. */
static inline double random_real(Random *random, double low, double high) {
  return low + (high - low) * ((double)(random_bits(random) >> 11) * 0x1p-53);
}

/* The number of random cases, usually `usual`: SAT_ROUNDS=10 in the environment makes it ten
 * times as large, SAT_ROUNDS=0.1 a tenth. */
static inline uint64_t rounds(uint64_t usual) {
  const char *factor = getenv("SAT_ROUNDS");
  double times = factor ? strtod(factor, NULL) * (double)usual : (double)usual;
  return times >= 1 ? (uint64_t)times : 1;
}

#endif
