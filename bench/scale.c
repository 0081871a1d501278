/* scale.c: time and memory for each element, from a thousand to a million of them: items of a
 * quadtree, shapes of a world, vertices of a ring, pieces of a compound, and a world's save.
 *
 *   scale [times.csv]
 *
 * The least of three repetitions counts, in processor time. */
#include "common.h"

#include <math.h>

enum { LEAST = 1000, MOST = 1000000, STEP = 10, REPEATS = 3 };

/* ---------------------------------------------------------------- time and memory */

static size_t taken; /* bytes of the allocator that are in use */

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  taken += size - old_size;
  return bench_reallocate(context, block, old_size, size);
}
static const sat_Allocator allocator = {allocate, NULL};

/* The time and the memory of all elements of a row together. */
typedef struct Figures {
  double ns, bytes;
} Figures;

/* ---------------------------------------------------------------- items and shapes */

/* Boxes a unit wide, each of which overlaps one or two others on the average. */
static sat_Rectangle place(uint64_t *random, size_t count) {
  sat_Vec2 at = bench_anywhere(random, 0, 2 * sqrt((double)count));
  return (sat_Rectangle){at.x, at.y, 1, 1};
}

/* All items are put in, and all pairs found. */
static Figures items(size_t count) {
  sat_Rectangle *boxes = bench_allocate(count, sizeof *boxes);
  uint64_t random = 1;
  for (size_t i = 0; i < count; i++) boxes[i] = place(&random, count);
  bench_Pairing pairing = bench_pair(boxes, count, allocator);
  return (Figures){pairing.ns, (double)pairing.bytes};
}

/* A world of boxes, which also go into the list. */
static sat_World *make_world(sat_Shape **shapes, size_t count) {
  sat_World *world = bench_world(allocator);
  uint64_t random = 1;
  for (size_t i = 0; i < count; i++) {
    shapes[i] = bench_box(place(&random, count));
    bench_check(sat_world_add(world, shapes[i]));
  }
  return world;
}

/* A frame: all shapes move, and the world is updated. The bytes are those of world and shapes. */
static Figures shapes(size_t count) {
  size_t before = taken;
  sat_Shape **list = bench_allocate(count, sizeof *list);
  sat_World *world = make_world(list, count);
  bench_check(sat_world_update(world));
  double start = bench_now();
  for (size_t i = 0; i < count; i++) bench_check(sat_shape_move(list[i], 0.01, 0.01));
  bench_check(sat_world_update(world));
  Figures figures = {bench_now() - start,
                     (double)(taken - before + count * sat_shape_bytes(4) + sat_world_size())};
  sat_world_free(world);
  return figures;
}

/* The floor of that frame: the memory of the shapes is written in the order in which they were made,
 * as their moves do, and then the memory of one that lies anywhere is read for each, as the tests of
 * pairs do. Nothing is computed. */
static Figures lines(size_t count) {
  size_t each = sat_shape_bytes(4) / sizeof(double), line = 64 / sizeof(double);
  double *memory = bench_allocate(count * each, sizeof *memory), sum = 0;
  uint32_t *others = bench_allocate(count, sizeof *others);
  uint64_t random = 1;
  for (size_t i = 0; i < count; i++) others[i] = (uint32_t)(bench_next_bits(&random) % count);
  for (size_t i = 0; i < count * each; i++) memory[i] = 1;
  double start = bench_now();
  for (size_t i = 0; i < count * each; i += line) memory[i] += 1;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < each; k += line) sum += memory[others[i] * each + k];
  Figures figures = {bench_now() - start, (double)(count * each * sizeof *memory)};
  if (!(sum > 0)) bench_check(SAT_EVALUE);
  return figures;
}

/* ---------------------------------------------------------------- saves */

static void load(sat_World *world, const void *bytes, size_t size) {
  sat_Saved saved;
  bench_check(sat_saved_open(&saved, bytes, size, &bench_scratch));
  size_t count = sat_world_most_listed(world, &saved);
  sat_SavedShape *shapes = bench_allocate(count, sizeof *shapes);
  sat_Shape **blocks = bench_allocate(count, sizeof *blocks);
  bench_check(sat_world_list(world, &saved, shapes, &count));
  sat_world_match(world, shapes, count, blocks);
  bench_check(sat_world_load(world, &saved, shapes, count, blocks));
}

static Figures time_save(size_t count, bool loads) {
  sat_World *world = make_world(bench_allocate(count, sizeof(sat_Shape *)), count);
  size_t size = sat_world_saved_size(world);
  void *bytes = bench_allocate(1, size);
  sat_world_save(world, bytes);
  double start = bench_now();
  if (loads) load(world, bytes, size);
  else sat_world_save(world, bytes);
  Figures figures = {bench_now() - start, (double)size};
  sat_world_free(world);
  return figures;
}

static Figures saves(size_t count) { return time_save(count, false); }
static Figures loads(size_t count) { return time_save(count, true); }

/* Of 16 shapes that move in each frame, what differs from the base is saved: time and bytes of all,
 * whatever the world's size. The first frames find nothing in the caches. */
static Figures deltas(size_t count) {
  sat_Shape **list = bench_allocate(count, sizeof *list);
  sat_World *world = make_world(list, count);
  size_t size = sat_world_saved_size(world), size_of_delta = 0;
  sat_Saved saved;
  void *base = bench_allocate(1, size), *delta = bench_allocate(1, size);
  double least = HUGE_VAL;
  sat_world_save(world, base);
  bench_check(sat_saved_open(&saved, base, size, &bench_scratch));
  bench_check(sat_world_set_base(world, &saved));
  for (int frame = 0; frame <= 20; frame++) {
    for (size_t i = 0; i < 16; i++) bench_check(sat_shape_move(list[i * (count / 16)], 1, 1));
    double start = bench_now();
    bench_check(sat_world_delta_size(world, &size_of_delta));
    sat_world_save_delta(world, delta);
    least = fmin(least, bench_now() - start);
  }
  sat_world_free(world);
  return (Figures){least * (double)count / 16, (double)size_of_delta * (double)count / 16};
}

/* ---------------------------------------------------------------- rings and compounds */

/* A comb, cut into convex pieces. */
static Figures vertices(size_t count) {
  sat_Vec2 *ring = bench_allocate(count, sizeof *ring);
  sat_Decomposition pieces;
  bench_comb(ring, count);
  double start = bench_now();
  bench_check(sat_ring_clean(ring, &count, &bench_scratch, NULL));
  bench_check(sat_ring_decompose(ring, count, &bench_scratch, &pieces));
  size_t size = sat_polygon_bytes(count, &pieces);
  sat_Shape *shape = allocate(NULL, NULL, 0, size);
  bench_check(sat_polygon_init(shape, ring, count, &pieces));
  Figures figures = {bench_now() - start, (double)size};
  allocate(NULL, shape, size, 0);
  return figures;
}

/* Discs side by side. */
static Figures pieces(size_t count) {
  size_t each = sat_shape_bytes(1), across = (size_t)sqrt((double)count);
  char *discs = bench_allocate(count, each);
  const sat_Shape **members = bench_allocate(count, sizeof *members);
  for (size_t i = 0; i < count; i++) {
    sat_Shape *disc = (sat_Shape *)(void *)(discs + i * each);
    sat_Vec2 center = {(double)(i % across), (double)(i / across)};
    bench_check(sat_shape_init(disc, &center, 1, 0.4));
    members[i] = disc;
  }
  double start = bench_now();
  size_t size = sat_compound_bytes(members, count);
  sat_Shape *shape = allocate(NULL, NULL, 0, size);
  bench_check(sat_compound_init(shape, members, count));
  Figures figures = {bench_now() - start, (double)size};
  allocate(NULL, shape, size, 0);
  return figures;
}

/* ---------------------------------------------------------------- the table */

static const struct {
  const char *name;
  Figures (*run)(size_t count);
} rows[] = {{"items of a quadtree", items},   {"shapes of a world", shapes},
            {"their memory alone", lines},    {"vertices of a ring", vertices},
            {"pieces of a compound", pieces}, {"shapes of a save", saves},
            {"shapes of a load", loads},      {"shapes of a delta", deltas}};

static Figures least(Figures (*run)(size_t), size_t count) {
  Figures best = {HUGE_VAL, 0};
  for (int i = 0; i < REPEATS; i++) {
    size_t mark = bench_mark();
    Figures one = run(count);
    best = (Figures){fmin(best.ns, one.ns), one.bytes};
    bench_release(mark);
  }
  return (Figures){best.ns / (double)count, best.bytes / (double)count};
}

static void write_row(size_t row, FILE *csv) {
  double first = 0, low = HUGE_VAL, high = 0;
  printf("%-22s", rows[row].name);
  for (size_t count = LEAST; count <= MOST; count *= STEP) {
    Figures one = least(rows[row].run, count);
    if (count == LEAST) first = one.ns;
    low = fmin(low, one.ns);
    high = fmax(high, one.ns);
    printf("  %7.1f %6.0f", one.ns, one.bytes);
    fflush(stdout);
    fprintf(csv, "%s,%zu,%.2f,%.1f\n", rows[row].name, count, one.ns, one.bytes);
  }
  printf("  %4.1f\n", high / fmin(first, low));
}

int main(int count, char **arguments) {
  FILE *csv = bench_open_csv(count, arguments);
  fprintf(csv, "what,n,ns,bytes\n");
  printf("%-22s  %14s  %14s  %14s  %14s  most of least\n", "ns and bytes each", "1000", "10,000",
         "100,000", "1,000,000");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) write_row(i, csv);
  fclose(csv);
  return 0;
}
