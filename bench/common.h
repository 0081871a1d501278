/* common.h: the tools of all timings: memory that is there or ends the program, the clock, files of
 * times, and random numbers that are the same on every run. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include "sat.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* All zero. */
void *bench_allocate(size_t count, size_t size);

/* An allocator of the library's, by blocks of 2^k bytes, which are kept when they are freed: new
 * memory takes time of the operating system's, by the page, which is not the library's. */
void *bench_reallocate(void *context, void *block, size_t old_size, size_t size);

/* The processor's time in nanoseconds, for a busy machine. The call is a system call and may take
 * more than a microsecond. */
double bench_now(void);

/* The time in nanoseconds, for short intervals: the call takes some 25 ns. */
double bench_wall_now(void);

/* Ends the program at a status that is an error. */
void bench_check(sat_Status status);

/* The file of times that a program's first argument names, else the one with the program's name
 * beside it. A file that cannot be opened ends the program. */
FILE *bench_open_csv(int count, char **arguments);

/* Blocks for `free`. */
sat_Shape *bench_box(sat_Rectangle r);
sat_Shape *bench_compound(sat_Shape *const *members, size_t count);

uint64_t bench_next_bits(uint64_t *state);
double bench_between(uint64_t *state, double low, double high);

#endif
