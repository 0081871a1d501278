/* growth.c: how much longer a call takes when its input doubles, for inputs that have made geometry
 * slow before, and whether that is within limits: 2.5 times where a row has no other, or a quarter
 * more than the number of its results grows. And the number of convex pieces of random polygons
 * beside the optimum. */
#include "common.h"
#include "test/polygons.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST = 3, REPEATS = 20 };
#define ENOUGH_NS 1e8 /* is repeated no more */
#define MOST_GROWTH 2.5
static const double turn = 2 * BENCH_PI;

typedef void Make(sat_Vec2 *ring, size_t count);
typedef sat_Rectangle Place(uint64_t *random, size_t index);

/* A row grows from `least` to `most`, and has as many results as elements where it says no other number. Where an element has hundreds of results, both are fewer: the
 * lists of more results do not fit into caches, whose speed is not what is measured. */
typedef struct Row Row;
struct Row {
  const char *name;
  double (*run)(const Row *row, size_t count, double *results);
  size_t least, most;
  double limit;
  Make *make, *inner; /* what rings are made by, of A and of B */
  Place *place;       /* where boxes lie */
  double less;        /* by which B is smaller than A */
  double radius;
  bool crosses; /* the ring does, and is refused */
};

/* Another one for each repetition: processors learn the branches of a small input by heart. */
static uint64_t seed;

static sat_Vec2 point(double x, double y) { return (sat_Vec2){x, y}; }

/* ---------------------------------------------------------------- rings */

static void zigzag(sat_Vec2 *ring, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    ring[i] = point((double)i, i % 2 ? 50 : 0);
    ring[count - 1 - i] = point((double)i, i % 2 ? 51 : 1);
  }
}

static void spiral(sat_Vec2 *ring, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    double angle = turn / 32 * (double)i;
    ring[i] = bench_polar(10 + angle, angle);
    ring[count - 1 - i] = bench_polar(7 + angle, angle);
  }
}

/* A square, with spikes without width all along one side, which cleaning takes away. */
static void spikes(sat_Vec2 *ring, size_t count) {
  double last = (double)count;
  for (size_t i = 0; i + 3 < count; i++)
    ring[i] = point((double)(i - i % 2), i % 2 ? -(double)(i % 7) - 1 : 0);
  ring[count - 3] = point(last, 0);
  ring[count - 2] = point(last, last);
  ring[count - 1] = point(0, last);
}

static void collinear(sat_Vec2 *ring, size_t count) {
  for (size_t i = 0; i + 2 < count; i++) ring[i] = point((double)i, 0);
  ring[count - 2] = point((double)count, (double)count);
  ring[count - 1] = point(0, (double)count);
}

/* A star of long thin rays. */
static void needles(sat_Vec2 *ring, size_t count) {
  for (size_t i = 0; i < count; i++)
    ring[i] = bench_polar(i % 2 ? 1 : 1e6, turn * (double)i / (double)count);
}

/* Bays and headlands of all sizes about a centre. */
static void coastline(sat_Vec2 *ring, size_t count) {
  Random random = {5};
  double phase[24];
  for (int k = 0; k < 24; k++) phase[k] = random_real(&random, 0, turn);
  for (size_t i = 0; i < count; i++) {
    double radius = 500 + random_real(&random, 0, 0.5), angle = turn * (double)i / (double)count;
    for (int k = 0; k < 24; k++)
      radius += sin(angle * (k + 1) * (k + 1) + phase[k]) * 100 / (k + 1);
    ring[i] = bench_polar(radius, angle);
  }
}

static double cut(const Row *row, size_t count, double *results) {
  (void)results;
  sat_Vec2 *ring = bench_allocate(count, sizeof *ring);
  sat_Decomposition pieces;
  row->make(ring, count);
  double start = bench_now();
  bench_check(sat_ring_clean(ring, &count, &bench_scratch, NULL));
  bench_check(sat_ring_decompose(ring, count, &bench_scratch, &pieces));
  return bench_now() - start;
}

/* Long edges side by side, all of which a sweep line meets at once. */
static void side_by_side(sat_Vec2 *ring, size_t count) {
  for (size_t i = 0; i + 2 < count; i++) {
    double at = (double)i;
    ring[i] = i % 2 ? point(1e6 + at, 1e6 - at) : point(at, -at);
  }
  ring[count - 2] = point(3e6, -3e6);
  ring[count - 1] = point(-1e6, -1e6);
}

/* To and fro along one line. */
static void line(sat_Vec2 *ring, size_t count) {
  uint64_t random = seed;
  ring[0] = point(1e4, 1);
  for (size_t i = 1; i < count; i++) ring[i] = point(floor(bench_between(&random, -1e3, 1e3)), 0);
}

/* Triangles that share one vertex. */
static void spokes(sat_Vec2 *ring, size_t count) {
  for (size_t i = 0; i < count; i++)
    ring[i] = i % 3 ? bench_polar(1, turn * 0.95 * (double)i / (double)count) : point(0, 0);
}

/* Two loops, and a bridge between them that the ring walks again and again. */
static void bridge(sat_Vec2 *ring, size_t count) {
  static const sat_Vec2 loops[8] = {{0, 0}, {9, 0}, {12, -1}, {12, 1},
                                    {9, 0}, {0, 0}, {-1, 1},  {-1, -1}};
  for (size_t i = 0; i < count; i++) {
    ring[i] = loops[i % 8];
    if (i % 8 == 5) ring[i].x += 5 * (double)i / (double)count;
  }
}

static void scrawl(sat_Vec2 *ring, size_t count) {
  uint64_t random = seed;
  for (size_t i = 0; i < count; i++) ring[i] = bench_anywhere(&random, -1, 1);
}

/* A ring that crosses itself is refused. */
static double clean(const Row *row, size_t count, double *results) {
  (void)results;
  sat_Vec2 *ring = bench_allocate(count, sizeof *ring);
  row->make(ring, count);
  double start = bench_now();
  sat_Status status = sat_ring_clean(ring, &count, &bench_scratch, NULL);
  double ns = bench_now() - start;
  if (status != SAT_ECROSS || !row->crosses) bench_check(status);
  return ns;
}

/* ---------------------------------------------------------------- containment */

/* Equal discs, each of which meets all others. */
static sat_Shape *discs(size_t count, double radius, double from, double to) {
  sat_Shape **members = bench_allocate(count, sizeof *members);
  uint64_t random = seed;
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 center = bench_anywhere(&random, from, to);
    members[i] = bench_shape(&center, 1, radius);
  }
  return bench_compound(members, count);
}

/* The time until A is found to contain B. */
static double time_contains(const sat_Shape *a, const sat_Shape *b) {
  double start = bench_now();
  bench_check(sat_contains(a, b, &bench_scratch));
  return bench_now() - start;
}

/* The results are the pairs of discs whose outlines cross. */
static double contain_discs(const Row *row, size_t count, double *results) {
  (void)row;
  *results = (double)count * (double)count;
  return time_contains(discs(count, 10, 0, 9), discs(count, 9.99, 2.5, 6.5));
}

static void star(sat_Vec2 *ring, size_t count) {
  for (size_t i = 0; i < count; i++)
    ring[i] = bench_polar(i % 2 ? 99.9 : 100, turn * (double)i / (double)count);
}

static void wheel(sat_Vec2 *ring, size_t count) {
  for (size_t i = 0; i < count; i++) ring[i] = bench_polar(99.8, turn * (double)i / (double)count);
}

static sat_Shape *polygon_of(Make *make, size_t count) {
  sat_Vec2 *ring = bench_allocate(count, sizeof *ring);
  make(ring, count);
  return bench_polygon(ring, count);
}

static double contain_polygons(const Row *row, size_t count, double *results) {
  (void)results;
  sat_Shape *a = polygon_of(row->make, count), *b = polygon_of(row->inner, count);
  bench_check(sat_shape_set_radius(a, row->radius));
  bench_check(sat_shape_set_radius(b, row->radius));
  bench_check(sat_shape_scale_about(b, 1 - row->less, point(0, 0)));
  return time_contains(a, b);
}

/* ---------------------------------------------------------------- quadtrees and worlds */

static sat_Rectangle in_one_place(uint64_t *random, size_t index) {
  (void)random;
  (void)index;
  return (sat_Rectangle){5, 5, 1, 1};
}

/* As far apart as coordinates go, each of eight boxes in a row. */
static sat_Rectangle in_clusters(uint64_t *random, size_t index) {
  double at = 1e-9 + (double)(index % 8), far = (double)(index / 8 % 4) * 2e14 - 3e14;
  double along = (double)(index / 32) * 10;
  (void)random;
  return (sat_Rectangle){far + at, far / 2 + along, 0.5, 0.5};
}

static sat_Rectangle as_needles(uint64_t *random, size_t index) {
  double along = bench_between(random, 0, 1e6);
  return (sat_Rectangle){along, (double)index, 1e5, 0.25};
}

static double tree_pairs(const Row *row, size_t count, double *results) {
  sat_Rectangle *boxes = bench_allocate(count, sizeof *boxes);
  uint64_t random = seed;
  for (size_t i = 0; i < count; i++) boxes[i] = row->place(&random, i);
  bench_Pairing pairing = bench_pair(boxes, count, bench_allocator);
  *results = (double)(pairing.pairs + count);
  return pairing.ns;
}

/* Boxes that go one by one from one place to another, with a question elsewhere after each. */
static double tree_moves(const Row *row, size_t count, double *results) {
  (void)row, (void)results;
  sat_Items found = {.allocator = bench_allocator};
  sat_Quadtree *tree = bench_quadtree(bench_allocator, 1000);
  sat_Item *items = bench_allocate(count, sizeof *items);
  for (size_t i = 0; i < count; i++)
    bench_check(sat_quadtree_insert(tree, (sat_Rectangle){4, 4, 2, 2}, &items[i]));
  double start = bench_now();
  for (size_t i = 0; i < 2 * count; i++) {
    sat_Rectangle box = {i < count ? 500 : 4, 4, 2, 2};
    bench_check(sat_quadtree_update(tree, items[i % count], box));
    bench_check(sat_quadtree_query(tree, (sat_Rectangle){3000, 70, 1, 1}, &found));
  }
  double ns = bench_now() - start;
  sat_quadtree_free(tree);
  SAT_LIST_FREE(&found);
  return ns;
}

static double update_world(const Row *row, size_t count, double *results) {
  sat_Shape **shapes = bench_allocate(count, sizeof *shapes);
  sat_World *world = bench_world(bench_allocator);
  uint64_t random = seed;
  for (size_t i = 0; i < count; i++) shapes[i] = bench_box(row->place(&random, i));
  double start = bench_now();
  for (size_t i = 0; i < count; i++) bench_check(sat_world_add(world, shapes[i]));
  bench_check(sat_world_update(world));
  double ns = bench_now() - start;
  *results = (double)(sat_world_event_count(world, SAT_BEGIN) + count);
  sat_world_free(world);
  return ns;
}

/* Boxes in a row, so far from each other, in a world. */
static sat_World *world_of_row(sat_Shape **shapes, size_t count, double pitch, bool sensors) {
  sat_World *world = bench_world(bench_allocator);
  for (size_t i = 0; i < count; i++) {
    shapes[i] = bench_box((sat_Rectangle){pitch * (double)i, 0, 1, 1});
    sat_shape_set_sensor(shapes[i], sensors);
    bench_check(sat_world_add(world, shapes[i]));
  }
  return world;
}

/* Sensors that a move has crossed, each asked for in its hits and then removed. */
static double world_removed(const Row *row, size_t count, double *results) {
  (void)row, (void)results;
  sat_Shape **shapes = bench_allocate(count, sizeof *shapes);
  sat_World *world = world_of_row(shapes, count, 3, true);
  sat_MoveResult end;
  sat_Shape *mover = bench_box((sat_Rectangle){-2, 0, 1, 1});
  bench_check(sat_world_check(world, mover, point(3 * (double)count, 0), SAT_SLIDE, &end));
  size_t listed = 0;
  double start = bench_now();
  for (size_t i = 0; i < count; i++) {
    listed += sat_world_is_listed(world, shapes[i]);
    sat_world_remove(world, shapes[i]);
  }
  double ns = bench_now() - start;
  if (listed != count) abort();
  sat_world_free(world);
  return ns;
}

/* A box as wide as a row of tiles falls onto all of them. */
static double wide_box(const Row *row, size_t count, double *results) {
  (void)row, (void)results;
  sat_World *world = world_of_row(bench_allocate(count, sizeof(sat_Shape *)), count, 1, false);
  sat_MoveResult end;
  sat_Shape *mover = bench_box((sat_Rectangle){0, -2, (double)count, 1});
  double start = bench_now();
  bench_check(sat_world_check(world, mover, point(0.5, 2), SAT_SLIDE, &end));
  double ns = bench_now() - start;
  sat_world_free(world);
  return ns;
}

/* ---------------------------------------------------------------- the table */

static const Row rows[] = {
    {"ring: zigzag", cut, 1000, 16000, MOST_GROWTH, .make = zigzag},
    {"ring: comb", cut, 1000, 16000, MOST_GROWTH, .make = bench_comb},
    {"ring: spiral", cut, 1000, 16000, MOST_GROWTH, .make = spiral},
    {"ring: spikes", cut, 1000, 16000, MOST_GROWTH, .make = spikes},
    {"ring: collinear", cut, 1000, 16000, MOST_GROWTH, .make = collinear},
    {"ring: coastline", cut, 1000, 16000, MOST_GROWTH, .make = coastline},
    {"ring: needles", cut, 1000, 16000, MOST_GROWTH, .make = needles},
    {"clean: side by side", clean, 1000, 16000, MOST_GROWTH, .make = side_by_side},
    {"clean: line", clean, 1000, 16000, MOST_GROWTH, .make = line},
    {"clean: spokes", clean, 999, 16000, MOST_GROWTH, .make = spokes}, /* whole triangles */
    {"clean: bridge", clean, 1000, 16000, MOST_GROWTH, .make = bridge, .crosses = true},
    {"clean: scrawl", clean, 1000, 16000, MOST_GROWTH, .make = scrawl, .crosses = true},
    {"contains: discs", contain_discs, 250, 1000, MOST_GROWTH, .make = NULL},
    {"contains: wheels", contain_polygons, 1000, 16000, 3, .make = wheel, .inner = wheel},
    {"contains: stars", contain_polygons, 1000, 16000, 3, .make = star, .inner = star, .less = 1e-9},
    {"contains: rounded", contain_polygons, 1000, 16000, 4, .make = star, .inner = star,
     .less = 1e-9, .radius = 1},
    {"contains: wheel", contain_polygons, 1000, 16000, 3, .make = star, .inner = wheel},
    {"quadtree: one place", tree_pairs, 250, 1000, MOST_GROWTH, .place = in_one_place},
    {"quadtree: clusters", tree_pairs, 1000, 16000, MOST_GROWTH, .place = in_clusters},
    {"quadtree: needles", tree_pairs, 1000, 16000, MOST_GROWTH, .place = as_needles},
    {"quadtree: moves", tree_moves, 1000, 16000, MOST_GROWTH, .make = NULL},
    {"world: wide box", wide_box, 250, 2000, MOST_GROWTH, .make = NULL},
    {"world: removed", world_removed, 250, 2000, MOST_GROWTH, .make = NULL},
    {"world: one place", update_world, 250, 1000, MOST_GROWTH, .place = in_one_place},
    {"world: clusters", update_world, 250, 1000, MOST_GROWTH, .place = in_clusters},
    {"world: needles", update_world, 1000, 16000, MOST_GROWTH, .place = as_needles}};

static double least_time(const Row *row, size_t count, double *results) {
  double least = HUGE_VAL, sum = 0;
  for (seed = 1; seed <= FEWEST || (seed <= REPEATS && sum < ENOUGH_NS); seed++) {
    size_t mark = bench_mark();
    *results = (double)count;
    double ns = row->run(row, count, results);
    bench_release(mark);
    least = fmin(least, ns);
    sum += ns;
  }
  return least;
}

/* Whether the row is within its limits. */
static bool write_row(const Row *row) {
  double results, ns = least_time(row, row->least, &results);
  bool good = true;
  printf("%-20s %6zu %9.0f", row->name, row->least, ns / 1000);
  for (size_t count = 2 * row->least; count <= row->most; count *= 2) {
    double before = ns, fewer = results;
    ns = least_time(row, count, &results);
    bool within = ns / before <= fmax(row->limit, 1.25 * results / fewer);
    printf("  x %4.2f%s", ns / before, within ? "" : " (too long)");
    good = good && within;
  }
  printf("\n");
  fflush(stdout);
  return good;
}

/* The number of pieces beside the optimum on random polygons small enough to know it. */
static void count_pieces(size_t vertices) {
  size_t in_all = 0, least_in_all = 0, polygons = 0;
  double worst = 1;
  for (seed = 0; seed < 500; seed++) {
    sat_Vec2 points[MOST_FOR_FEWEST];
    Random random = {seed};
    sat_Decomposition pieces;
    size_t count = random_simple_polygon(&random, 1000, vertices, points);
    if (count == 0 || sat_ring_decompose(points, count, &bench_scratch, &pieces)) continue;
    size_t fewest = fewest_pieces(points, count);
    in_all += pieces.count;
    least_in_all += fewest;
    polygons++;
    worst = fmax(worst, (double)pieces.count / (double)fewest);
  }
  printf("%8zu %9zu %8zu %8zu %7.4f %7.3f\n", vertices, polygons, in_all, least_in_all,
         (double)in_all / (double)least_in_all, worst);
}

int main(void) {
  bool good = true;
  printf("%-20s %6s %9s  for each doubling\n", "growth", "from", "us");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) good = write_row(&rows[i]) && good;
  puts("\nrandom polygons\nvertices  polygons   pieces  optimum   ratio   worst");
  for (size_t vertices = 8; vertices <= 60; vertices += 13) count_pieces(vertices);
  return good ? 0 : 1;
}
