/* families.c: how the time of every question about two shapes of many pieces grows as their numbers
 * of pieces double, for all pairs of families of such shapes, and which take longer than the
 * limits. The last question is about the first shape in a world of the other one's pieces.
 *
 *   families [family [family]]    all pairs, or those of one family or of two, by number */
#include "common.h"
#include "sat.h"
#include "sat_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SMALL = 31, LARGE = 250, SIZES = 4 };
/* The most that a call may take of what half as many pieces take, and the most at all. */
#define MOST_GROWTH 5.0
#define MOST_NS 1e9
/* Shorter times are not compared: what a call takes however few the pieces are is in them. */
#define LEAST_GROWN_NS 5e6
static const double turn = 6.283185307179586;

static sat_Scratch scratch;
static uint64_t seed;

/* ---------------------------------------------------------------- pieces */

static sat_Vec2 point(double x, double y) { return (sat_Vec2){x, y}; }
static sat_Vec2 polar(double radius, double angle) {
  return point(radius * cos(angle), radius * sin(angle));
}
static sat_Vec2 sum(sat_Vec2 a, sat_Vec2 b) { return point(a.x + b.x, a.y + b.y); }

static sat_Vec2 anywhere(double width) {
  double x = bench_between(&seed, 0, width);
  return point(x, bench_between(&seed, 0, width));
}

static sat_Shape *convex(const sat_Vec2 *corners, size_t count, double radius) {
  sat_Shape *shape = bench_allocate(1, sat_shape_bytes(count));
  bench_check(sat_shape_init(shape, corners, count, radius));
  return shape;
}

static sat_Shape *disc(sat_Vec2 center, double radius) { return convex(&center, 1, radius); }
static sat_Shape *line(sat_Vec2 a, sat_Vec2 b, double radius) {
  return convex((sat_Vec2[2]){a, b}, 2, radius);
}
static sat_Shape *box(sat_Vec2 low, double width, double height) {
  sat_Vec2 corners[4] = {low, sum(low, point(width, 0)), sum(low, point(width, height)),
                         sum(low, point(0, height))};
  return convex(corners, 4, 0);
}
static sat_Shape *regular(sat_Vec2 center, double radius, size_t count, double angle) {
  sat_Vec2 corners[8];
  for (size_t i = 0; i < count; i++)
    corners[i] = sum(center, polar(radius, angle + turn * (double)i / (double)count));
  return convex(corners, count, 0);
}

/* ---------------------------------------------------------------- compounds */

/* The place of a piece in its compound. */
typedef struct Place {
  size_t index, count, row;
  double angle; /* of as many around a turn, a little farther on the second side */
  double width; /* of a field where there is about one piece for each square unit */
  sat_Vec2 cell;
} Place;

static sat_Shape *disc_in_one_place(const Place *at) { return (void)at, disc(point(0, 0), 5); }
static sat_Shape *star(const Place *at) { return regular(point(0, 0), 10, 3, at->angle / 3); }
static sat_Shape *loose_disc(const Place *at) { return disc(anywhere(at->width), 1); }
static sat_Shape *loose_box(const Place *at) { return box(anywhere(at->width), 1.5, 1.5); }
static sat_Shape *turned_box(const Place *at) {
  sat_Vec2 center = anywhere(at->width);
  return regular(center, 2, 4, bench_between(&seed, 0, turn));
}
static sat_Shape *tile(const Place *at) { return box(at->cell, 10, 10); }
static sat_Shape *corner(const Place *at) { return disc(at->cell, 0); }
static sat_Shape *same_point(const Place *at) { return (void)at, disc(point(0, 0), 0); }
static sat_Shape *fan_of_segments(const Place *at) {
  return line(point(0, 0), polar(10, at->angle), 0);
}
static sat_Shape *fan_of_triangles(const Place *at) {
  double next = at->angle + turn / (double)at->count;
  return convex((sat_Vec2[3]){{0, 0}, polar(10, at->angle), polar(10, next)}, 3, 0);
}
static sat_Shape *diameter(const Place *at) {
  return line(polar(-10, at->angle / 2), polar(10, at->angle / 2), 0);
}
static sat_Shape *grid_line(const Place *at) {
  double along = 10 * (double)(at->index / 2), size = 10 * (double)at->row;
  return at->index % 2 ? line(point(0, along), point(size, along), 0)
                       : line(point(along, 0), point(along, size), 0);
}
static sat_Shape *collinear(const Place *at) {
  double along = (double)at->index;
  return line(point(along, 0), point(along + 1.5, 0), 0);
}
static sat_Shape *capsule(const Place *at) {
  sat_Vec2 from = anywhere(18);
  (void)at;
  return line(from, sum(from, polar(5, bench_between(&seed, 0, turn))), 0.5);
}
static sat_Shape *needle(const Place *at) {
  sat_Vec2 middle = anywhere(18), along = polar(20, bench_between(&seed, 0, turn));
  sat_Vec2 end = sum(middle, along), start = sum(middle, point(-along.x, -along.y));
  (void)at;
  return convex((sat_Vec2[3]){start, end, sum(middle, point(-along.y / 200, along.x / 200))}, 3, 0);
}
/* About 0, 0, each along the ring. */
static sat_Shape *needle_of_ring(const Place *at) {
  sat_Vec2 out = polar(1, at->angle), middle = point(10 * out.x, 10 * out.y);
  sat_Vec2 end = sum(middle, point(-20 * out.y, 20 * out.x)),
           start = sum(middle, point(20 * out.y, -20 * out.x));
  return convex((sat_Vec2[3]){start, end, sum(middle, point(-out.x / 10, -out.y / 10))}, 3, 0);
}
static sat_Shape *box_of_any_size(const Place *at) {
  double size = 20 * (double)(at->index + 1) / (double)at->count;
  return box(point(-size / 2, -size / 2), size, size);
}
static sat_Shape *rounded_star(const Place *at) {
  sat_Shape *shape = star(at);
  bench_check(sat_shape_set_radius(shape, 1));
  return shape;
}
static sat_Shape *rounded_box(const Place *at) {
  sat_Shape *shape = loose_box(at);
  bench_check(sat_shape_set_radius(shape, 0.25));
  return shape;
}
static sat_Shape *cluster(const Place *at) {
  sat_Vec2 far = point(1e6 * (double)(at->index % 4), 0);
  return disc(sum(far, anywhere(3)), 1);
}

/* ---------------------------------------------------------------- shapes of one outline */

enum { MOST_POINTS = 4 * LARGE };

static sat_Shape *polygon(sat_Vec2 *points, size_t count) {
  sat_Decomposition pieces;
  bench_check(sat_ring_clean(points, &count, &scratch, NULL));
  bench_check(sat_ring_decompose(points, count, &scratch, &pieces));
  sat_Shape *shape = bench_allocate(1, sat_polygon_bytes(count, &pieces));
  bench_check(sat_polygon_init(shape, points, count, &pieces));
  return shape;
}

/* Teeth up, one piece each; those of the other side are a little farther apart. */
static sat_Shape *comb(size_t count, int side) {
  sat_Vec2 points[MOST_POINTS];
  size_t used = 0;
  double step = side ? 2.01 : 2, end = step * (double)count;
  for (size_t i = 0; 4 * (i + 1) + 2 <= MOST_POINTS && i < count; i++) {
    double x = step * (double)i;
    for (int k = 0; k < 4; k++) points[used++] = point(x + k / 2, k == 1 || k == 2 ? 10 : 0);
  }
  points[used++] = point(end, -1);
  points[used++] = point(-1, -1);
  return polygon(points, used);
}

static sat_Shape *spiral(size_t count, int side) {
  sat_Vec2 points[MOST_POINTS];
  for (size_t i = 0; i <= count; i++) {
    double along = 0.3 * (double)i, out = 0.3 * along;
    points[i] = polar(1 + out, along + 0.1 * side);
    points[2 * count + 1 - i] = polar(2 + out, along + 0.1 * side);
  }
  return polygon(points, 2 * count + 2);
}

static sat_Shape *chain(const sat_Vec2 *points, size_t count, bool closed) {
  sat_Shape *shape = bench_allocate(1, sat_chain_bytes(count));
  bench_check(sat_chain_init(shape, points, count, closed));
  return shape;
}
static sat_Shape *zigzag(size_t count, int side) {
  sat_Vec2 points[LARGE + 1];
  for (size_t i = 0; i <= count; i++)
    points[i] = point((double)i * (side ? 1.01 : 1), i % 2 ? 10 : 0);
  return chain(points, count + 1, false);
}
static sat_Shape *closed_ring(size_t count, int side) {
  sat_Vec2 points[LARGE];
  for (size_t i = 0; i < count; i++)
    points[i] = polar(i % 2 ? 10 : 8, turn * ((double)i + 0.3 * side) / (double)count);
  return chain(points, count, true);
}

/* ---------------------------------------------------------------- families */

typedef struct Family {
  const char *name;
  sat_Shape *(*piece)(const Place *at);
  sat_Shape *(*whole)(size_t count, int side); /* of as many pieces, or about as many */
} Family;
static const Family families[] = {{"discs in one place", disc_in_one_place, NULL},
                                  {"stars in one place", star, NULL},
                                  {"loose discs", loose_disc, NULL},
                                  {"loose boxes", loose_box, NULL},
                                  {"turned boxes", turned_box, NULL},
                                  {"grid", tile, NULL},
                                  {"corners of a grid", corner, NULL},
                                  {"points in one place", same_point, NULL},
                                  {"segments from a point", fan_of_segments, NULL},
                                  {"triangles at a point", fan_of_triangles, NULL},
                                  {"segments across", diameter, NULL},
                                  {"lines of a grid", grid_line, NULL},
                                  {"collinear segments", collinear, NULL},
                                  {"capsules", capsule, NULL},
                                  {"needles", needle, NULL},
                                  {"needles in a ring", needle_of_ring, NULL},
                                  {"boxes of all sizes", box_of_any_size, NULL},
                                  {"clusters far apart", cluster, NULL},
                                  {"rounded stars", rounded_star, NULL},
                                  {"rounded boxes", rounded_box, NULL},
                                  {"comb", NULL, comb},
                                  {"spiral", NULL, spiral},
                                  {"zigzag chain", NULL, zigzag},
                                  {"closed chain", NULL, closed_ring}};
enum { FAMILIES = sizeof families / sizeof *families };

static sat_Shape *compound(const Family *family, size_t count, int side) {
  sat_Shape *pieces[LARGE] = {NULL};
  if (family->whole) return family->whole(count, side);
  size_t row = (size_t)ceil(sqrt((double)count));
  seed = 7 + (uint64_t)side;
  for (size_t i = 0; i < count; i++) {
    double angle = turn * ((double)i + 0.3 * side) / (double)count;
    sat_Vec2 cell = point(10.0 * (double)(i % row), 10.0 * (double)(i / row));
    pieces[i] = family->piece(&(Place){i, count, row, angle, sqrt((double)count) * 1.2, cell});
  }
  const sat_Shape *const *members = (const sat_Shape *const *)pieces;
  sat_Shape *shape = bench_allocate(1, sat_compound_bytes(members, count));
  bench_check(sat_compound_init(shape, members, count));
  for (size_t i = 0; i < count; i++) free(pieces[i]);
  return shape;
}

/* ---------------------------------------------------------------- worlds */

/* The first shape of a pair, and the pieces of the second one. */
typedef struct Scene {
  sat_World *world;
  sat_ChangeList changes;
  sat_Shape *pieces[MOST_POINTS];
  size_t count;
} Scene;
static Scene scene;

static void make_scene(sat_Shape *a, const sat_Shape *b) {
  scene.world = bench_allocate(1, sat_world_size());
  sat_world_init(scene.world, (sat_Allocator){bench_reallocate, NULL}, &scene.changes);
  scene.count = sat_shape_piece_count(b);
  for (size_t i = 0; i < scene.count; i++) {
    scene.pieces[i] = bench_allocate(1, sat_shape_bytes(sat_shape_piece_size(b, i)));
    bench_check(sat_shape_piece_init(scene.pieces[i], b, i));
    bench_check(sat_world_add(scene.world, scene.pieces[i]));
  }
  bench_check(sat_world_add(scene.world, a));
}

static void free_scene(void) {
  sat_world_free(scene.world);
  free(scene.world);
  for (size_t i = 0; i < scene.count; i++) free(scene.pieces[i]);
  scene = (Scene){0};
}

/* ---------------------------------------------------------------- questions */

typedef sat_Status Ask(sat_Shape *a, sat_Shape *b);

static sat_Status ask_collide(sat_Shape *a, sat_Shape *b) {
  return sat_collide(a, b, &scratch, &(sat_Result){{0, 0}, {0, 0}, 0, SAT_A, 0, false});
}
static sat_Status ask_contacts(sat_Shape *a, sat_Shape *b) {
  sat_Manifold manifold;
  return sat_contacts(a, b, &scratch, &manifold);
}
static sat_Status ask_overlaps(sat_Shape *a, sat_Shape *b) { return sat_overlaps(a, b, &scratch); }
static sat_Status ask_contains(sat_Shape *a, sat_Shape *b) { return sat_contains(a, b, &scratch); }
static sat_Status ask_distance(sat_Shape *a, sat_Shape *b) {
  sat_Distance distance;
  return sat_distance(a, b, &scratch, &distance);
}
static sat_Status ask_cast(sat_Shape *a, sat_Shape *b) {
  sat_Hit hit;
  return sat_cast(a, point(300, 0), b, &scratch, &hit);
}

static sat_Status ask_world(sat_Shape *a, sat_Shape *b) {
  (void)b;
  return sat_world_collide(scene.world, a, &(sat_Result){{0, 0}, {0, 0}, 0, SAT_A, 0, false});
}

static const struct {
  const char *name;
  Ask *ask;
} questions[] = {{"collide", ask_collide},   {"contacts", ask_contacts}, {"overlaps", ask_overlaps},
                 {"contains", ask_contains}, {"distance", ask_distance}, {"cast", ask_cast},
                 {"world", ask_world}};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static double time_once(Ask *ask, sat_Shape *a, sat_Shape *b) {
  double start = bench_now();
  sat_Status status = ask(a, b);
  double ns = bench_now() - start;
  if (status > SAT_MISS) bench_check(status);
  return ns;
}

/* A question that exceeds a limit is not asked of more pieces. Returns whether all questions keep
 * to the limits. */
static bool time_question(int question, int first, int second, double offset) {
  double ns[SIZES] = {0}, growth = 0;
  size_t count = SMALL;
  int size = 0;
  for (; size < SIZES && (size == 0 || ns[size - 1] <= MOST_NS); size++) {
    sat_Shape *a = compound(&families[first], count, 0), *b = compound(&families[second], count, 1);
    bench_check(sat_shape_move(a, offset, offset / 2));
    make_scene(a, b);
    double once = time_once(questions[question].ask, a, b);
    ns[size] = fmin(once, time_once(questions[question].ask, a, b));
    free_scene();
    free(a);
    free(b);
    if (size > 0 && ns[size - 1] > LEAST_GROWN_NS) growth = fmax(growth, ns[size] / ns[size - 1]);
    count = size == SIZES - 2 ? LARGE : 2 * count + 1;
  }
  bool good = growth <= MOST_GROWTH && ns[size - 1] <= MOST_NS;
  if (good) return true;
  printf("%-21s %-21s %4.2f %-8s", families[first].name, families[second].name, offset,
         questions[question].name);
  for (int i = 0; i < size; i++) printf(" %8.2f", ns[i] * 1e-6);
  printf("   %.1f times\n", growth);
  fflush(stdout);
  return false;
}

int main(int count, char **arguments) {
  int from[2] = {0, 0}, to[2] = {FAMILIES, FAMILIES}, bad = 0, all = 0;
  for (int i = 1; i < count && i < 3; i++) {
    from[i - 1] = atoi(arguments[i]) % FAMILIES;
    to[i - 1] = from[i - 1] + 1;
  }
  scratch = sat_scratch_make((sat_Allocator){bench_reallocate, NULL});
  printf("too long, in ms at %d, %d, %d and %d pieces each\n", SMALL, 63, 127, LARGE);
  for (int first = from[0]; first < to[0]; first++)
    for (int second = from[1]; second < to[1]; second++)
      for (int question = 0; question < QUESTIONS; question++)
        for (int moved = 0; moved < 2; moved++, all++)
          bad += !time_question(question, first, second, moved * 0.13);
  printf("%d of %d rows exceed %.1f times per doubling or %.0f ms\n", bad, all, MOST_GROWTH,
         MOST_NS * 1e-6);
  sat_scratch_free(&scratch);
  return bad > 0;
}
