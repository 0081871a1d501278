#define _POSIX_C_SOURCE 200809L
#include "common.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
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

/* As the C library's, which is told to keep what it has once had of the system. */
void *bench_reallocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context, (void)old_size;
  if (size) return realloc(block, size);
  free(block);
  return NULL;
}

#ifdef __GLIBC__
__attribute__((constructor)) static void keep_memory(void) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}
#endif

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

/* ---------------------------------------------------------------- contestants */

/* Of long passes there are few rounds, which is enough, so steady they are; in nanoseconds. */
enum { ROUNDS = 15, FEW_ROUNDS = 3 };
#define ROUND 3e6
#define LONG_PASS 1e8

static double time_passes(bench_Contestant *contestant, size_t passes) {
  double taken = 0, start = bench_now();
  for (size_t i = 0; i < passes; i++) {
    if (contestant->prepare) {
      contestant->prepare(contestant->state);
      start = bench_now();
    }
    contestant->sum = contestant->pass(contestant->state);
    if (contestant->prepare) taken += bench_now() - start;
  }
  return contestant->prepare ? taken : bench_now() - start;
}

static size_t passes_for_a_round(bench_Contestant *contestant) {
  size_t passes = 1;
  double taken = time_passes(contestant, 1);
  while (taken < ROUND / 2) {
    passes *= 2;
    taken = time_passes(contestant, passes);
  }
  return (size_t)fmax((double)passes * ROUND / taken, 1);
}

void bench_race(bench_Contestant *contestants, size_t count, size_t passes, size_t answers) {
  size_t *of_each = bench_allocate(count, sizeof *of_each);
  double longest = 0;
  for (size_t i = 0; i < count; i++) {
    bench_Contestant *one = &contestants[i];
    one->ns = INFINITY;
    if (!one->pass) continue;
    time_passes(one, 1); /* warms the caches */
    longest = fmax(longest, time_passes(one, 1));
    of_each[i] = passes ? passes : passes_for_a_round(one);
  }
  for (int round = 0; round < (longest > LONG_PASS ? FEW_ROUNDS : ROUNDS); round++) {
    for (size_t i = 0; i < count; i++) {
      bench_Contestant *one = &contestants[i];
      if (!one->pass) continue;
      double ns = time_passes(one, of_each[i]) / (double)(of_each[i] * answers);
      one->ns = fmin(one->ns, ns);
    }
  }
}

/* ---------------------------------------------------------------- tables */

FILE *bench_open_times(int count, char **arguments) {
  FILE *csv = bench_open_csv(count, arguments);
  fputs("section,kind,mix,n,contestant,ns,ratio,hits,depths,check\n", csv);
  return csv;
}

void bench_write_heading(const char *title, const bench_Contestant *contestants, size_t count) {
  printf("\n%s\n%-32s %9s", title, "", contestants[0].name);
  for (size_t i = 1; i < count; i++) printf(" %18s", contestants[i].name);
  printf("\n");
}

static void write_csv(bench_Row row, const bench_Contestant *one, double ratio, FILE *csv) {
  fprintf(csv, "%s,%s,%s,%zu,%s,%.2f,%.3f,%.0f,%.9g,%016llx\n", row.section, row.kind, row.mix,
          row.n, one->name, one->ns, ratio, one->sum.hits, one->sum.depths,
          (unsigned long long)one->sum.check);
}

void bench_write_row(bench_Row row, const bench_Contestant *contestants, size_t count, FILE *csv) {
  double ours = contestants[0].ns;
  printf("%-24s %-7s %9.4g", row.kind, row.mix, ours / row.unit);
  for (size_t i = 0; i < count; i++) {
    const bench_Contestant *one = &contestants[i];
    if (i > 0 && one->pass) printf(" %9.4g %7.2fx", one->ns / row.unit, one->ns / ours);
    if (i > 0 && !one->pass) printf(" %18s", "-");
    if (one->pass) write_csv(row, one, one->ns / ours, csv);
  }
  printf("   %.0f hits", contestants[0].sum.hits);
  if (contestants[0].sum.depths > 0) printf(", depths %.6g", contestants[0].sum.depths);
  printf("%s\n", row.note ? row.note : "");
  fflush(stdout);
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

/* ---------------------------------------------------------------- numbers */

sat_Vec2 bench_anywhere(Random *state, double low, double high) {
  double x = random_real(state, low, high), y = random_real(state, low, high);
  return (sat_Vec2){x, y};
}

sat_Vec2 bench_polar(double radius, double angle) {
  return (sat_Vec2){radius * cos(angle), radius * sin(angle)};
}

void bench_ring(sat_Vec2 *ring, size_t count, double first, double second) {
  for (size_t i = 0; i < count; i++)
    ring[i] = bench_polar(i % 2 ? second : first, 2 * BENCH_PI * (double)i / (double)count);
}
