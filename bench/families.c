/* families.c: how the time of every question about two shapes of many pieces grows as their numbers
 * of pieces double, for all pairs of families of such shapes, and which take longer than the
 * limits. The last question is about the first shape in a world of the other one's pieces.
 *
 *   families [family [family]]    all pairs, or those of one family or of two, by number
 *   families alike                the vectors of some pairs of families, whether they are too long or not */
#include "common.h"
#include "test/families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 31, LARGE = MOST_OF_FAMILY, SIZES = 4 };
/* The most that a call may take of what half as many pieces take, and the most at all. */
#define MOST_GROWTH 5.0
#define MOST_NS 1e9
/* Shorter times are not compared: what a call takes however few the pieces are is in them. */
#define LEAST_GROWN_NS 5e6

static sat_World *world; /* of the first shape of a pair, and the pieces of the second one */

static void make_world(sat_Shape *a, const sat_Shape *b) {
  world = bench_world(bench_allocator);
  for (size_t i = 0; i < sat_shape_piece_count(b); i++) {
    sat_Shape *piece = bench_allocate(1, sat_shape_bytes(sat_shape_piece_size(b, i)));
    bench_check(sat_shape_piece_init(piece, b, i));
    bench_check(sat_world_add(world, piece));
  }
  bench_check(sat_world_add(world, a));
}

/* ---------------------------------------------------------------- questions */

typedef sat_Status Ask(sat_Shape *a, sat_Shape *b);

static sat_Status ask_collide(sat_Shape *a, sat_Shape *b) {
  return sat_collide(a, b, &bench_scratch, &(sat_Result){.depth = 0});
}
static sat_Status ask_contacts(sat_Shape *a, sat_Shape *b) {
  sat_Manifold manifold;
  return sat_contacts(a, b, &bench_scratch, &manifold);
}
static sat_Status ask_overlaps(sat_Shape *a, sat_Shape *b) {
  return sat_overlaps(a, b, &bench_scratch);
}
static sat_Status ask_contains(sat_Shape *a, sat_Shape *b) {
  return sat_contains(a, b, &bench_scratch);
}
static sat_Status ask_distance(sat_Shape *a, sat_Shape *b) {
  sat_Distance distance;
  return sat_distance(a, b, &bench_scratch, &distance);
}
static sat_Status ask_cast(sat_Shape *a, sat_Shape *b) {
  sat_Hit hit;
  return sat_cast(a, (sat_Vec2){300, 0}, b, &bench_scratch, &hit);
}

static sat_Status ask_world(sat_Shape *a, sat_Shape *b) {
  (void)b;
  return sat_world_collide(world, a, &(sat_Result){.depth = 0});
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
static bool time_question(int question, int first, int second, double offset, bool writes) {
  double ns[SIZES] = {0}, growth = 0;
  size_t count = SMALL;
  int size = 0;
  for (; size < SIZES && (size == 0 || ns[size - 1] <= MOST_NS); size++) {
    sat_Shape *a = family_shape(first, count, 0), *b = family_shape(second, count, 1);
    bench_check(sat_shape_move(a, offset, offset / 2));
    size_t mark = bench_mark();
    make_world(a, b);
    double once = time_once(questions[question].ask, a, b);
    ns[size] = fmin(once, time_once(questions[question].ask, a, b));
    sat_world_free(world);
    bench_release(mark);
    free(a);
    free(b);
    if (size > 0 && ns[size - 1] > LEAST_GROWN_NS) growth = fmax(growth, ns[size] / ns[size - 1]);
    count = size == SIZES - 2 ? LARGE : 2 * count + 1;
  }
  bool good = growth <= MOST_GROWTH && ns[size - 1] <= MOST_NS;
  if (good && !writes) return true;
  printf("%-21s %-21s %4.2f %-8s", family_name(first), family_name(second), offset,
         questions[question].name);
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

int main(int count, char **arguments) {
  bool alike = count > 1 && strcmp(arguments[1], "alike") == 0;
  int from[2] = {0, 0}, to[2] = {FAMILIES, FAMILIES}, bad = 0, all = 0;
  for (int i = 1; i < count && i < 3 && !alike; i++) {
    from[i - 1] = atoi(arguments[i]) % FAMILIES;
    to[i - 1] = from[i - 1] + 1;
  }
  printf("in ms at %d, %d, %d and %d pieces each\n", SMALL, 63, 127, LARGE);
  if (alike) return time_alike() > 0;
  for (int first = from[0]; first < to[0]; first++)
    for (int second = from[1]; second < to[1]; second++)
      for (int question = 0; question < QUESTIONS; question++)
        for (int moved = 0; moved < 2; moved++, all++)
          bad += !time_question(question, first, second, moved * 0.13, false);
  printf("%d of %d rows exceed %.1f times per doubling or %.0f ms\n", bad, all, MOST_GROWTH,
         MOST_NS * 1e-6);
  return bad > 0;
}
