/* scale.c: time and memory for each element, from a thousand to a million of them: items of a
 * quadtree, shapes of a world, vertices of a ring, pieces of a compound, and a world's save.
 *
 *   scale [times.csv]
 *
 * The least of three repetitions counts, in processor time. */
#include "common.h"
#include "sat.h"
#include "sat_world.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST = 1000, MOST = 1000000, STEP = 10, REPEATS = 3 };

/* ---------------------------------------------------------------- time and memory */

static size_t taken; /* bytes of the allocator that are in use */

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  taken += size - old_size;
  return bench_reallocate(context, block, old_size, size);
}
static const sat_Allocator allocator = {allocate, NULL};
static sat_Scratch scratch;

/* The time and the memory of all elements of a row together. */
typedef struct Figures {
  double ns, bytes;
} Figures;

/* ---------------------------------------------------------------- items and shapes */

/* Boxes a unit wide, each of which overlaps one or two others on the average. */
static sat_Rectangle place(uint64_t *random, size_t count) {
  double width = 2 * sqrt((double)count);
  double x = bench_between(random, 0, width), y = bench_between(random, 0, width);
  return (sat_Rectangle){x, y, 1, 1};
}

/* All items are put in, and all pairs found. */
static Figures items(size_t count) {
  sat_ItemPairs found = {.allocator = allocator};
  sat_Quadtree *tree = bench_allocate(1, sat_quadtree_size());
  uint64_t random = 1;
  bench_check(sat_quadtree_init(tree, allocator, (sat_Rectangle){0, 0, 1000, 1000},
                                SAT_QUADTREE_FASTEST, SAT_QUADTREE_FASTEST));
  double start = bench_now();
  for (size_t i = 0; i < count; i++) {
    sat_Item item;
    bench_check(sat_quadtree_insert(tree, place(&random, count), &item));
  }
  bench_check(sat_quadtree_pairs(tree, &found));
  Figures figures = {bench_now() - start, (double)sat_quadtree_bytes(tree)};
  sat_quadtree_free(tree);
  free(tree);
  SAT_LIST_FREE(&found);
  return figures;
}

/* A world of boxes; `shapes` has its shapes. */
typedef struct Crowd {
  sat_World *world;
  sat_ChangeList changes;
  sat_Shape **shapes;
  size_t count;
} Crowd;

static void make_crowd(Crowd *crowd, size_t count) {
  uint64_t random = 1;
  crowd->count = count;
  crowd->world = bench_allocate(1, sat_world_size());
  crowd->shapes = bench_allocate(count, sizeof(sat_Shape *));
  sat_world_init(crowd->world, allocator, &crowd->changes);
  for (size_t i = 0; i < count; i++) {
    crowd->shapes[i] = bench_box(place(&random, count));
    bench_check(sat_world_add(crowd->world, crowd->shapes[i]));
  }
}

static void free_crowd(Crowd *crowd) {
  sat_world_free(crowd->world);
  for (size_t i = 0; i < crowd->count; i++) free(crowd->shapes[i]);
  free(crowd->shapes);
  free(crowd->world);
}

/* A frame: all shapes move, and the world is updated. The bytes are those of world and shapes. */
static Figures shapes(size_t count) {
  Crowd crowd;
  size_t before = taken;
  make_crowd(&crowd, count);
  bench_check(sat_world_update(crowd.world));
  double start = bench_now();
  for (size_t i = 0; i < count; i++) bench_check(sat_shape_move(crowd.shapes[i], 0.01, 0.01));
  bench_check(sat_world_update(crowd.world));
  Figures figures = {bench_now() - start,
                     (double)(taken - before + count * sat_shape_bytes(4) + sat_world_size())};
  free_crowd(&crowd);
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
  free(others);
  free(memory);
  return figures;
}

/* ---------------------------------------------------------------- saves */

static void load(Crowd *crowd, const void *bytes, size_t size) {
  sat_Saved saved;
  bench_check(sat_saved_open(&saved, bytes, size, &scratch));
  size_t count = sat_world_most_listed(crowd->world, &saved);
  sat_SavedShape *shapes = bench_allocate(count, sizeof *shapes);
  sat_Shape **blocks = bench_allocate(count, sizeof *blocks);
  bench_check(sat_world_list(crowd->world, &saved, shapes, &count));
  sat_world_match(crowd->world, shapes, count, blocks);
  bench_check(sat_world_load(crowd->world, &saved, shapes, count, blocks));
  free(blocks);
  free(shapes);
}

static Figures time_save(size_t count, bool loads) {
  Crowd crowd;
  make_crowd(&crowd, count);
  size_t size = sat_world_saved_size(crowd.world);
  void *bytes = bench_allocate(1, size);
  sat_world_save(crowd.world, bytes);
  double start = bench_now();
  if (loads) load(&crowd, bytes, size);
  else sat_world_save(crowd.world, bytes);
  Figures figures = {bench_now() - start, (double)size};
  free(bytes);
  free_crowd(&crowd);
  return figures;
}

static Figures saves(size_t count) { return time_save(count, false); }
static Figures loads(size_t count) { return time_save(count, true); }

/* Moves 16 shapes, and saves what differs from the base. */
static Figures save_delta(const Crowd *crowd, void *delta) {
  size_t size;
  for (size_t i = 0; i < 16; i++)
    bench_check(sat_shape_move(crowd->shapes[i * (crowd->count / 16)], 1, 1));
  double start = bench_now();
  bench_check(sat_world_delta_size(crowd->world, &size));
  sat_world_save_delta(crowd->world, delta);
  return (Figures){bench_now() - start, (double)size};
}

/* Of 16 shapes that move in each frame: time and bytes of all, whatever the world's size. The first
 * frames find nothing in the caches. */
static Figures deltas(size_t count) {
  Crowd crowd;
  make_crowd(&crowd, count);
  size_t size = sat_world_saved_size(crowd.world);
  sat_Saved saved;
  void *base = bench_allocate(1, size), *delta = bench_allocate(1, size);
  sat_world_save(crowd.world, base);
  bench_check(sat_saved_open(&saved, base, size, &scratch));
  bench_check(sat_world_set_base(crowd.world, &saved));
  Figures least = save_delta(&crowd, delta);
  for (int frame = 0; frame < 20; frame++) least.ns = fmin(least.ns, save_delta(&crowd, delta).ns);
  free(delta);
  free(base);
  free_crowd(&crowd);
  return (Figures){least.ns * (double)count / 16, least.bytes * (double)count / 16};
}

/* ---------------------------------------------------------------- rings and compounds */

/* A comb, cut into convex pieces. */
static Figures vertices(size_t count) {
  sat_Vec2 *ring = bench_allocate(count, sizeof *ring);
  sat_Decomposition pieces;
  for (size_t i = 0; i < count; i++) {
    double x = (double)(i / 2 * 2 + (i % 4 > 1));
    ring[i] = (sat_Vec2){x, i % 4 == 1 || i % 4 == 2 ? 100 : 1};
  }
  ring[0].y = ring[count - 1].y = 0;
  double start = bench_now();
  bench_check(sat_ring_clean(ring, &count, &scratch, NULL));
  bench_check(sat_ring_decompose(ring, count, &scratch, &pieces));
  size_t size = sat_polygon_bytes(count, &pieces);
  sat_Shape *shape = allocate(NULL, NULL, 0, size);
  bench_check(sat_polygon_init(shape, ring, count, &pieces));
  Figures figures = {bench_now() - start, (double)size};
  allocate(NULL, shape, size, 0);
  free(ring);
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
  free(members);
  free(discs);
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
  Figures best = run(count);
  for (int i = 1; i < REPEATS; i++) best.ns = fmin(best.ns, run(count).ns);
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
  scratch = sat_scratch_make(allocator);
  fprintf(csv, "what,n,ns,bytes\n");
  printf("%-22s  %14s  %14s  %14s  %14s  most of least\n", "ns and bytes each", "1000", "10,000",
         "100,000", "1,000,000");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) write_row(i, csv);
  fclose(csv);
  sat_scratch_free(&scratch);
  return 0;
}
