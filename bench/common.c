#define _POSIX_C_SOURCE 200809L
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---------------------------------------------------------------- memory */

static void *zeros(size_t size) {
  void *block = calloc(1, size ? size : 1);
  if (block) return block;
  fputs("not enough memory\n", stderr);
  exit(1);
}

static void **blocks;
static size_t used, room;

void *bench_allocate(size_t count, size_t size) {
  if (used == room) {
    void *more = realloc(blocks, (room = 2 * room + 1024) * sizeof *blocks);
    if (!more) abort();
    blocks = more;
  }
  return blocks[used++] = zeros(count * size);
}

size_t bench_mark(void) { return used; }

void bench_release(size_t mark) {
  while (used > mark) free(blocks[--used]);
}

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
  if (!block) return zeros((size_t)1 << class_of(size));
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

const sat_Allocator bench_allocator = {bench_reallocate, NULL};
sat_Scratch bench_scratch = {.allocator = {bench_reallocate, NULL}};

/* ---------------------------------------------------------------- times */

static double read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

double bench_now(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

double bench_wall_now(void) { return read_clock(CLOCK_MONOTONIC); }

FILE *bench_open_csv(int count, char **arguments) {
  char path[4096];
  snprintf(path, sizeof path, count > 1 ? "%s" : "%s.csv", arguments[count > 1]);
  FILE *csv = fopen(path, "w");
  if (csv) return csv;
  perror(path);
  exit(1);
}

/* ---------------------------------------------------------------- shapes and worlds */

void bench_check(sat_Status status) {
  if (status == SAT_OK || status == SAT_MISS) return;
  fprintf(stderr, "%s\n", sat_status_text(status));
  exit(1);
}

sat_Shape *bench_shape(const sat_Vec2 *points, size_t count, double radius) {
  sat_Shape *shape = bench_allocate(1, sat_shape_bytes(count));
  bench_check(sat_shape_init(shape, points, count, radius));
  return shape;
}

sat_Shape *bench_box(sat_Rectangle r) {
  sat_Vec2 corners[4] = {{r.x, r.y}, {r.x + r.w, r.y}, {r.x + r.w, r.y + r.h}, {r.x, r.y + r.h}};
  return bench_shape(corners, 4, 0);
}

sat_Shape *bench_compound(sat_Shape *const *members, size_t count) {
  const sat_Shape *const *list = (const sat_Shape *const *)members;
  sat_Shape *shape = bench_allocate(1, sat_compound_bytes(list, count));
  bench_check(sat_compound_init(shape, list, count));
  return shape;
}

sat_Shape *bench_polygon(sat_Vec2 *ring, size_t count) {
  sat_Decomposition pieces;
  bench_check(sat_ring_clean(ring, &count, &bench_scratch, NULL));
  if (sat_ring_is_convex(ring, count, NULL)) return bench_shape(ring, count, 0);
  bench_check(sat_ring_decompose(ring, count, &bench_scratch, &pieces));
  sat_Shape *shape = bench_allocate(1, sat_polygon_bytes(count, &pieces));
  bench_check(sat_polygon_init(shape, ring, count, &pieces));
  return shape;
}

sat_World *bench_world(sat_Allocator allocator) {
  sat_World *world = bench_allocate(1, sat_world_size());
  sat_world_init(world, allocator, bench_allocate(1, sizeof(sat_ChangeList)));
  return world;
}

sat_Quadtree *bench_quadtree(sat_Allocator allocator, double width) {
  sat_Quadtree *tree = bench_allocate(1, sat_quadtree_size());
  bench_check(sat_quadtree_init(tree, allocator, (sat_Rectangle){0, 0, width, width},
                                SAT_QUADTREE_FASTEST, SAT_QUADTREE_FASTEST));
  return tree;
}

void bench_comb(sat_Vec2 *ring, size_t count) {
  for (size_t i = 0; i < count; i++)
    ring[i] = (sat_Vec2){(double)(i / 2 * 2 + (i % 4 > 1)), i % 4 == 1 || i % 4 == 2 ? 100 : 1};
  ring[0].y = ring[count - 1].y = 0;
}

bench_Pairing bench_pair(const sat_Rectangle *boxes, size_t count, sat_Allocator allocator) {
  sat_ItemPairs found = {.allocator = allocator};
  sat_Quadtree *tree = bench_quadtree(allocator, 1000);
  double start = bench_now();
  for (size_t i = 0; i < count; i++) {
    sat_Item item;
    bench_check(sat_quadtree_insert(tree, boxes[i], &item));
  }
  bench_check(sat_quadtree_pairs(tree, &found));
  bench_Pairing pairing = {bench_now() - start, found.count, sat_quadtree_bytes(tree)};
  sat_quadtree_free(tree);
  SAT_LIST_FREE(&found);
  return pairing;
}

/* ---------------------------------------------------------------- numbers */

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

sat_Vec2 bench_anywhere(uint64_t *state, double low, double high) {
  double x = bench_between(state, low, high), y = bench_between(state, low, high);
  return (sat_Vec2){x, y};
}

sat_Vec2 bench_polar(double radius, double angle) {
  return (sat_Vec2){radius * cos(angle), radius * sin(angle)};
}
