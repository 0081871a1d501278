#define _POSIX_C_SOURCE 200809L
#include "common.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void *bench_allocate(size_t count, size_t size) {
  void *block = calloc(count ? count : 1, size);
  if (!block) {
    fputs("not enough memory\n", stderr);
    exit(1);
  }
  return block;
}

static double read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

double bench_now(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

double bench_wall_now(void) { return read_clock(CLOCK_MONOTONIC); }

void bench_check(sat_Status status) {
  if (status == SAT_OK || status == SAT_MISS) return;
  fprintf(stderr, "%s\n", sat_status_text(status));
  exit(1);
}

sat_Shape *bench_box(sat_Rectangle r) {
  sat_Vec2 corners[4] = {{r.x, r.y}, {r.x + r.w, r.y}, {r.x + r.w, r.y + r.h}, {r.x, r.y + r.h}};
  sat_Shape *shape = bench_allocate(1, sat_shape_bytes(4));
  bench_check(sat_shape_init(shape, corners, 4, 0));
  return shape;
}

sat_Shape *bench_compound(sat_Shape *const *members, size_t count) {
  const sat_Shape *const *list = (const sat_Shape *const *)members;
  sat_Shape *shape = bench_allocate(1, sat_compound_bytes(list, count));
  bench_check(sat_compound_init(shape, list, count));
  return shape;
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

/* ---------------------------------------------------------------- memory that is kept */

typedef struct Kept {
  struct Kept *next;
} Kept;
static Kept *kept[64];

static int class_of(size_t size) {
  int class = 4;
  while ((size_t)1 << class < size) class ++;
  return class;
}

static void *take_block(size_t size) {
  Kept **list = &kept[class_of(size)], *block = *list;
  if (!block) return bench_allocate(1, (size_t)1 << class_of(size));
  *list = block->next;
  return block;
}

static void give_back(void *block, size_t size) {
  Kept *freed = block, **list = &kept[class_of(size)];
  freed->next = *list;
  *list = freed;
}

void *bench_reallocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context;
  if (block && size && class_of(old_size) == class_of(size)) return block;
  void *to = size ? take_block(size) : NULL;
  if (block && to) memcpy(to, block, old_size < size ? old_size : size);
  if (block) give_back(block, old_size);
  return to;
}

FILE *bench_open_csv(int count, char **arguments) {
  char path[4096];
  snprintf(path, sizeof path, count > 1 ? "%s" : "%s.csv", arguments[count > 1]);
  FILE *csv = fopen(path, "w");
  if (csv) return csv;
  perror(path);
  exit(1);
}
