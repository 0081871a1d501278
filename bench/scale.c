/* scale.c: how the time and the memory of a call grow with its input.
 *
 *   scale [doubling] [each]    both tables, or one
 *   scale families [family [family]]    all pairs of families of shapes, or those of one or of two, by number
 *   scale alike                the vectors of some pairs of families, whether they are too long or not
 *
 * `doubling`: how much longer a call takes when its input doubles, for inputs that have made geometry
 * slow before, and whether that is within limits: 2.5 times where a row has no other, or a quarter
 * more than the number of its results grows.
 *
 * `each`: time and memory for each element, from a thousand to a million of them: items of a
 * quadtree, shapes of a world, vertices of a ring, pieces of a compound, and a world's save.
 *
 * `families`: every question about two shapes of many pieces, as their numbers of pieces double, for
 * all pairs of families of such shapes, and which take longer than the limits. The last question is
 * about the first shape in a world of the other one's pieces. It takes half an hour.
 *
 * The least of some repetitions counts, in processor time. */
#include "common.h"
#include "test/families.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST = 3, REPEATS = 20 };
#define ENOUGH_NS 1e8 /* is repeated no more */
#define MOST_GROWTH 2.5
static const double turn = 2 * BENCH_PI;

/* Of all elements of a row together; as many results as elements where there is no number. */
typedef struct Figures {
  double ns, results, bytes;
} Figures;

typedef void Make(sat_Vec2 *ring, size_t count);
typedef sat_Rectangle Place(Random *random, size_t index);

/* A row of doublings grows from `least` to `most`. Where an element has hundreds of results, both are
 * fewer: the lists of more results do not fit into caches, whose speed is not what is measured. */
typedef struct Row {
  const char *name;
  Figures (*run)(size_t count);
  size_t least, most;
  double limit;
  Make *make, *inner; /* what rings are made by, of A and of B */
  Place *place;       /* where boxes lie */
  double less;        /* by which B is smaller than A */
  double radius;
  bool crosses; /* the ring does, and is refused */
  bool loads;   /* the save */
} Row;
static const Row *row; /* the present one */

/* Another one for each repetition: processors learn the branches of a small input by heart. */
static uint64_t seed;

static size_t taken; /* bytes of the allocator that are in use */

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  taken += size - old_size;
  return bench_reallocate(context, block, old_size, size);
}
static const sat_Allocator allocator = {allocate, NULL};

static Figures since(double start) { return (Figures){.ns = bench_now() - start}; }

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
static void needles(sat_Vec2 *ring, size_t count) { bench_ring(ring, count, 1e6, 1); }

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

/* A ring of thin teeth. */
static void comb(sat_Vec2 *ring, size_t count) {
  for (size_t i = 0; i < count; i++)
    ring[i] = point((double)(i / 2 * 2 + (i % 4 > 1)), i % 4 == 1 || i % 4 == 2 ? 100 : 1);
  ring[0].y = ring[count - 1].y = 0;
}

/* Cleans the ring, cuts it into convex pieces and makes a polygon of these. */
static Figures cut(size_t count) {
  sat_Vec2 *ring = bench_allocate(count, sizeof *ring);
  sat_Decomposition pieces;
  row->make(ring, count);
  double start = bench_now();
  bench_check(sat_ring_clean(ring, &count, &bench_scratch, NULL));
  bench_check(sat_ring_decompose(ring, count, &bench_scratch, &pieces));
  size_t size = sat_polygon_bytes(count, &pieces);
  sat_Shape *shape = allocate(NULL, NULL, 0, size);
  bench_check(sat_polygon_init(shape, ring, count, &pieces));
  Figures figures = since(start);
  figures.bytes = (double)size;
  allocate(NULL, shape, size, 0);
  return figures;
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
  Random random = {seed};
  ring[0] = point(1e4, 1);
  for (size_t i = 1; i < count; i++) ring[i] = point(floor(random_real(&random, -1e3, 1e3)), 0);
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
  Random random = {seed};
  for (size_t i = 0; i < count; i++) ring[i] = bench_anywhere(&random, -1, 1);
}

/* A ring that crosses itself is refused. */
static Figures clean(size_t count) {
  sat_Vec2 *ring = bench_allocate(count, sizeof *ring);
  row->make(ring, count);
  double start = bench_now();
  sat_Status status = sat_ring_clean(ring, &count, &bench_scratch, NULL);
  Figures figures = since(start);
  if (status != SAT_ECROSS || !row->crosses) bench_check(status);
  return figures;
}

/* ---------------------------------------------------------------- containment */

/* Equal discs, each of which meets all others. */
static sat_Shape *discs(size_t count, double radius, double from, double to) {
  sat_Shape **members = bench_allocate(count, sizeof *members);
  Random random = {seed};
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 center = bench_anywhere(&random, from, to);
    members[i] = bench_shape(&center, 1, radius);
  }
  return bench_compound(members, count);
}

/* The time until A is found to contain B. */
static Figures time_contains(const sat_Shape *a, const sat_Shape *b) {
  double start = bench_now();
  bench_check(sat_contains(a, b, &bench_scratch));
  return since(start);
}

/* The results are the pairs of discs whose outlines cross. */
static Figures contain_discs(size_t count) {
  Figures figures = time_contains(discs(count, 10, 0, 9), discs(count, 9.99, 2.5, 6.5));
  figures.results = (double)count * (double)count;
  return figures;
}

static void star(sat_Vec2 *ring, size_t count) { bench_ring(ring, count, 100, 99.9); }
static void wheel(sat_Vec2 *ring, size_t count) { bench_ring(ring, count, 99.8, 99.8); }

static sat_Shape *polygon_of(Make *make, size_t count) {
  sat_Vec2 *ring = bench_allocate(count, sizeof *ring);
  make(ring, count);
  return bench_polygon(ring, count);
}

static Figures contain_polygons(size_t count) {
  sat_Shape *a = polygon_of(row->make, count), *b = polygon_of(row->inner, count);
  bench_check(sat_shape_set_radius(a, row->radius));
  bench_check(sat_shape_set_radius(b, row->radius));
  bench_check(sat_shape_scale_about(b, 1 - row->less, point(0, 0)));
  return time_contains(a, b);
}

/* ---------------------------------------------------------------- quadtrees and worlds */

static sat_Rectangle in_one_place(Random *random, size_t index) {
  (void)random;
  (void)index;
  return (sat_Rectangle){5, 5, 1, 1};
}

static sat_Rectangle in_a_row(Random *random, size_t index) {
  (void)random;
  return (sat_Rectangle){(double)index, 0, 1, 1};
}

/* As far apart as coordinates go, each of eight boxes in a row. */
static sat_Rectangle in_clusters(Random *random, size_t index) {
  double at = 1e-9 + (double)(index % 8), far = (double)(index / 8 % 4) * 2e14 - 3e14;
  double along = (double)(index / 32) * 10;
  (void)random;
  return (sat_Rectangle){far + at, far / 2 + along, 0.5, 0.5};
}

static sat_Rectangle as_needles(Random *random, size_t index) {
  double along = random_real(random, 0, 1e6);
  return (sat_Rectangle){along, (double)index, 1e5, 0.25};
}

/* Boxes a unit wide, of which each overlaps one or two others on the average. */
static sat_Rectangle anywhere(Random *random, size_t count) {
  sat_Vec2 at = bench_anywhere(random, 0, 2 * sqrt((double)count));
  return (sat_Rectangle){at.x, at.y, 1, 1};
}

static sat_Rectangle *place_all(size_t count) {
  sat_Rectangle *boxes = bench_allocate(count, sizeof *boxes);
  Random random = {seed};
  for (size_t i = 0; i < count; i++)
    boxes[i] = row->place ? row->place(&random, i) : anywhere(&random, count);
  return boxes;
}

/* All items are put in, and all pairs found. */
static Figures tree_pairs(size_t count) {
  const sat_Rectangle *boxes = place_all(count);
  sat_ItemPairs found = {.allocator = allocator};
  sat_Quadtree *tree = bench_quadtree(allocator, 1000);
  double start = bench_now();
  for (size_t i = 0; i < count; i++) {
    sat_Item item;
    bench_check(sat_quadtree_insert(tree, boxes[i], &item));
  }
  bench_check(sat_quadtree_pairs(tree, &found));
  double ns = bench_now() - start;
  Figures figures = {ns, (double)(found.count + count), (double)sat_quadtree_bytes(tree)};
  sat_quadtree_free(tree);
  SAT_LIST_FREE(&found);
  return figures;
}

/* Boxes that go one by one from one place to another, with a question elsewhere after each. */
static Figures tree_moves(size_t count) {
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
  Figures figures = since(start);
  sat_quadtree_free(tree);
  SAT_LIST_FREE(&found);
  return figures;
}

static Figures update_world(size_t count) {
  sat_Shape **shapes = bench_allocate(count, sizeof *shapes);
  const sat_Rectangle *boxes = place_all(count);
  sat_World *world = bench_world(bench_allocator);
  for (size_t i = 0; i < count; i++) shapes[i] = bench_box(boxes[i]);
  double start = bench_now();
  for (size_t i = 0; i < count; i++) bench_check(sat_world_add(world, shapes[i]));
  bench_check(sat_world_update(world));
  Figures figures = since(start);
  figures.results = (double)(sat_world_event_count(world, SAT_BEGIN) + count);
  sat_world_free(world);
  return figures;
}

/* A world of boxes, which also go into the list. */
static sat_World *make_world(sat_Shape **shapes, size_t count) {
  sat_World *world = bench_world(allocator);
  const sat_Rectangle *boxes = place_all(count);
  for (size_t i = 0; i < count; i++) {
    shapes[i] = bench_box(boxes[i]);
    bench_check(sat_world_add(world, shapes[i]));
  }
  return world;
}

/* Sensors that a move has crossed, each asked for in its hits and then removed. */
static Figures world_removed(size_t count) {
  sat_Shape **shapes = bench_allocate(count, sizeof *shapes);
  sat_World *world = make_world(shapes, count);
  for (size_t i = 0; i < count; i++) sat_shape_set_sensor(shapes[i], true);
  sat_MoveResult end;
  sat_Shape *mover = bench_box((sat_Rectangle){-2, 0, 1, 1});
  bench_check(sat_world_check(world, mover, point((double)count + 2, 0), SAT_SLIDE, &end));
  size_t listed = 0;
  double start = bench_now();
  for (size_t i = 0; i < count; i++) {
    listed += sat_world_is_listed(world, shapes[i]);
    sat_world_remove(world, shapes[i]);
  }
  Figures figures = since(start);
  if (listed != count) abort();
  sat_world_free(world);
  return figures;
}

/* A box as wide as a row of tiles falls onto all of them. */
static Figures wide_box(size_t count) {
  sat_World *world = make_world(bench_allocate(count, sizeof(sat_Shape *)), count);
  sat_MoveResult end;
  sat_Shape *mover = bench_box((sat_Rectangle){0, -2, (double)count, 1});
  double start = bench_now();
  bench_check(sat_world_check(world, mover, point(0.5, 2), SAT_SLIDE, &end));
  Figures figures = since(start);
  sat_world_free(world);
  return figures;
}

/* ---------------------------------------------------------------- frames and saves of a world */

/* A frame: all shapes move, and the world is updated. The bytes are those of world and shapes. */
static Figures shapes(size_t count) {
  size_t before = taken;
  sat_Shape **list = bench_allocate(count, sizeof *list);
  sat_World *world = make_world(list, count);
  bench_check(sat_world_update(world));
  double start = bench_now();
  for (size_t i = 0; i < count; i++) bench_check(sat_shape_move(list[i], 0.01, 0.01));
  bench_check(sat_world_update(world));
  Figures figures = since(start);
  figures.bytes = (double)(taken - before + count * sat_shape_bytes(4) + sat_world_size());
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
  Random random = {1};
  for (size_t i = 0; i < count; i++) others[i] = (uint32_t)(random_bits(&random) % count);
  for (size_t i = 0; i < count * each; i++) memory[i] = 1;
  double start = bench_now();
  for (size_t i = 0; i < count * each; i += line) memory[i] += 1;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < each; k += line) sum += memory[others[i] * each + k];
  Figures figures = since(start);
  figures.bytes = (double)(count * each * sizeof *memory);
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

static Figures save_or_load(size_t count) {
  sat_World *world = make_world(bench_allocate(count, sizeof(sat_Shape *)), count);
  size_t size = sat_world_saved_size(world);
  void *bytes = bench_allocate(1, size);
  sat_world_save(world, bytes);
  double start = bench_now();
  if (row->loads) load(world, bytes, size);
  else sat_world_save(world, bytes);
  Figures figures = since(start);
  figures.bytes = (double)size;
  sat_world_free(world);
  return figures;
}

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
  double all = (double)count / 16;
  return (Figures){least * all, 0, (double)size_of_delta * all};
}

/* ---------------------------------------------------------------- compounds */

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
  Figures figures = since(start);
  figures.bytes = (double)size;
  allocate(NULL, shape, size, 0);
  return figures;
}

/* ---------------------------------------------------------------- how times grow when inputs double */

static const Row doublings[] = {
    {"ring: zigzag", cut, 1000, 16000, MOST_GROWTH, .make = zigzag},
    {"ring: comb", cut, 1000, 16000, MOST_GROWTH, .make = comb},
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
    {"world: wide box", wide_box, 250, 2000, MOST_GROWTH, .place = in_a_row},
    {"world: removed", world_removed, 250, 2000, MOST_GROWTH, .place = in_a_row},
    {"world: one place", update_world, 250, 1000, MOST_GROWTH, .place = in_one_place},
    {"world: clusters", update_world, 250, 1000, MOST_GROWTH, .place = in_clusters},
    {"world: needles", update_world, 1000, 16000, MOST_GROWTH, .place = as_needles}};

static Figures least_of(size_t count) {
  Figures least = {HUGE_VAL, 0, 0};
  double sum = 0;
  for (seed = 1; seed <= FEWEST || (seed <= REPEATS && sum < ENOUGH_NS); seed++) {
    size_t mark = bench_mark();
    Figures one = row->run(count);
    bench_release(mark);
    sum += one.ns;
    if (one.results == 0) one.results = (double)count;
    least = (Figures){fmin(least.ns, one.ns), one.results, one.bytes};
  }
  return least;
}

/* Whether the row is within its limits. */
static bool write_doublings(void) {
  Figures now = least_of(row->least);
  bool good = true;
  printf("%-20s %6zu %9.0f", row->name, row->least, now.ns / 1000);
  for (size_t count = 2 * row->least; count <= row->most; count *= 2) {
    Figures before = now;
    now = least_of(count);
    double growth = now.ns / before.ns;
    bool within = growth <= fmax(row->limit, 1.25 * now.results / before.results);
    printf("  x %4.2f%s", growth, within ? "" : " (too long)");
    good = good && within;
  }
  printf("\n");
  fflush(stdout);
  return good;
}

static bool measure_doublings(void) {
  bool good = true;
  printf("%-20s %6s %9s  for each doubling\n", "growth", "from", "us");
  for (size_t i = 0; i < sizeof doublings / sizeof *doublings; i++) {
    row = &doublings[i];
    good = write_doublings() && good;
  }
  return good;
}

/* ---------------------------------------------------------------- each element */

static const Row elements[] = {{"items of a quadtree", .run = tree_pairs},
                               {"shapes of a world", .run = shapes},
                               {"their memory alone", .run = lines},
                               {"vertices of a ring", .run = cut, .make = comb},
                               {"pieces of a compound", .run = pieces},
                               {"shapes of a save", .run = save_or_load},
                               {"shapes of a load", .run = save_or_load, .loads = true},
                               {"shapes of a delta", .run = deltas}};

static void measure_elements(FILE *csv) {
  fprintf(csv, "what,n,ns,bytes\n");
  printf("%-22s  %14s  %14s  %14s  %14s  most of least\n", "ns and bytes each", "1000", "10,000",
         "100,000", "1,000,000");
  for (row = elements; row < elements + sizeof elements / sizeof *elements; row++) {
    double low = HUGE_VAL, high = 0;
    printf("%-22s", row->name);
    for (size_t count = 1000; count <= 1000000; count *= 10) {
      Figures all = least_of(count);
      double ns = all.ns / (double)count, bytes = all.bytes / (double)count;
      low = fmin(low, ns);
      high = fmax(high, ns);
      printf("  %7.1f %6.0f", ns, bytes);
      fflush(stdout);
      fprintf(csv, "%s,%zu,%.2f,%.1f\n", row->name, count, ns, bytes);
    }
    printf("  %4.1f\n", high / low);
  }
}

/* ---------------------------------------------------------------- families */

enum { SMALL = 31, LARGE = MOST_OF_FAMILY, SIZES = 4 };
/* The most that a call may take of what half as many pieces take, and the most at all. */
#define MOST_GROWTH_OF_FAMILIES 5.0
#define MOST_NS 1e9
/* Shorter times are not compared: what a call takes however few the pieces are is in them. */
#define LEAST_GROWN_NS 5e6

static sat_World *mixed; /* of the first shape of a pair, and the pieces of the second one */

static void mix(sat_Shape *a, const sat_Shape *b) {
  mixed = bench_world(bench_allocator);
  for (size_t i = 0; i < sat_shape_piece_count(b); i++) {
    sat_Shape *piece = bench_allocate(1, sat_shape_bytes(sat_shape_piece_size(b, i)));
    bench_check(sat_shape_piece_init(piece, b, i));
    bench_check(sat_world_add(mixed, piece));
  }
  bench_check(sat_world_add(mixed, a));
}

enum { COLLIDE, CONTACTS, OVERLAPS, CONTAINS, DISTANCE, CAST, WORLD, QUESTIONS };
static const char *const questions[] = {"collide",  "contacts", "overlaps", "contains",
                                        "distance", "cast",     "world"};

static sat_Status ask(int question, sat_Shape *a, sat_Shape *b) {
  static sat_Result result;
  static sat_Manifold manifold;
  static sat_Distance distance;
  static sat_Hit hit;
  switch (question) {
  case COLLIDE: return sat_collide(a, b, &bench_scratch, &result);
  case CONTACTS: return sat_contacts(a, b, &bench_scratch, &manifold);
  case OVERLAPS: return sat_overlaps(a, b, &bench_scratch);
  case CONTAINS: return sat_contains(a, b, &bench_scratch);
  case DISTANCE: return sat_distance(a, b, &bench_scratch, &distance);
  case CAST: return sat_cast(a, point(300, 0), b, &bench_scratch, &hit);
  default: return sat_world_collide(mixed, a, &result);
  }
}

static double time_once(int question, sat_Shape *a, sat_Shape *b) {
  double start = bench_now();
  sat_Status status = ask(question, a, b);
  double ns = bench_now() - start;
  if (status > SAT_MISS) bench_check(status);
  return ns;
}

/* A question that exceeds a limit is not asked of more pieces. Returns whether all questions keep
 * to the limits. */
static bool time_question(int question, int first, int second, double offset, bool writes) {
  double ns[SIZES] = {0}, growth = 0;
  size_t count = SMALL;
  int size = 0;
  for (; size < SIZES && (size == 0 || ns[size - 1] <= MOST_NS); size++) {
    sat_Shape *a = family_shape(first, count, 0), *b = family_shape(second, count, 1);
    bench_check(sat_shape_move(a, offset, offset / 2));
    size_t mark = bench_mark();
    mix(a, b);
    double once = time_once(question, a, b);
    ns[size] = fmin(once, time_once(question, a, b));
    sat_world_free(mixed);
    bench_release(mark);
    free(a);
    free(b);
    if (size > 0 && ns[size - 1] > LEAST_GROWN_NS) growth = fmax(growth, ns[size] / ns[size - 1]);
    count = size == SIZES - 2 ? LARGE : 2 * count + 1;
  }
  bool good = growth <= MOST_GROWTH_OF_FAMILIES && ns[size - 1] <= MOST_NS;
  if (good && !writes) return true;
  printf("%-21s %-21s %4.2f %-8s", family_name(first), family_name(second), offset,
         questions[question]);
  for (int i = 0; i < size; i++) printf(" %8.2f", ns[i] * 1e-6);
  printf("   %.1f times\n", growth);
  fflush(stdout);
  return good;
}

/* Circles, stars, loose circles and grids with their like, points in circles and on corners of grids,
 * and segments from a point. */
static int time_alike(void) {
  static const int families[][2] = {{0, 0}, {1, 1}, {2, 2}, {5, 5}, {7, 0}, {6, 5}, {8, 8}};
  int bad = 0;
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    bad += !time_question(0, families[i][0], families[i][1], families[i][0] == 6 ? 0 : 0.13, true);
  return bad;
}

static int measure_families(int count, char **arguments) {
  int from[2] = {0, 0}, to[2] = {FAMILIES, FAMILIES}, bad = 0, all = 0;
  for (int i = 0; i < count && i < 2; i++) {
    from[i] = atoi(arguments[i]) % FAMILIES;
    to[i] = from[i] + 1;
  }
  for (int first = from[0]; first < to[0]; first++)
    for (int second = from[1]; second < to[1]; second++)
      for (int question = 0; question < QUESTIONS; question++)
        for (int moved = 0; moved < 2; moved++, all++)
          bad += !time_question(question, first, second, moved * 0.13, false);
  printf("%d of %d rows exceed %.1f times per doubling or %.0f ms\n", bad, all,
         MOST_GROWTH_OF_FAMILIES, MOST_NS * 1e-6);
  return bad;
}

/* ---------------------------------------------------------------- main */

int main(int count, char **arguments) {
  const char *table = count > 1 ? arguments[1] : "";
  bool good = true, alike = strcmp(table, "alike") == 0, families = strcmp(table, "families") == 0;
  if (alike || families) {
    printf("in ms at %d, %d, %d and %d pieces each\n", SMALL, 63, 127, LARGE);
    return (alike ? time_alike() : measure_families(count - 2, arguments + 2)) > 0;
  }
  if (strcmp(table, "each") != 0) good = measure_doublings();
  if (strcmp(table, "doubling") == 0) return !good;
  FILE *csv = bench_open_csv(1, arguments);
  measure_elements(csv);
  fclose(csv);
  return !good;
}
