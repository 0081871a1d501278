/* common.h: what all timings share: memory that is there or ends the program, and random numbers
 * that are the same on every run. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <stddef.h>
#include <stdint.h>

/* All zero. */
void *bench_allocate(size_t count, size_t size);

uint64_t bench_next_bits(uint64_t *state);
double bench_between(uint64_t *state, double low, double high);

#endif
