#include "common.h"

#include <stdio.h>
#include <stdlib.h>

void *bench_allocate(size_t count, size_t size) {
  void *block = calloc(count ? count : 1, size);
  if (!block) {
    fputs("not enough memory\n", stderr);
    exit(1);
  }
  return block;
}

/* Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014. */
uint64_t bench_next_bits(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double bench_between(uint64_t *state, double low, double high) {
  return low + (high - low) * ((double)(bench_next_bits(state) >> 11) * 0x1p-53);
}
