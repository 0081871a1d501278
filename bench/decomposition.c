/* decomposition.c: rings cut into convex pieces: how long it takes, and how many there are. */
#include "common.h"
#include "test/polygons.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 100000, ROUNDS = 15 };
static const double turn = 6.283185307179586;

/* ---------------------------------------------------------------- rings */

static sat_Vec2 polar(double radius, double angle) {
  double sine, cosine;
  sat_sine_cosine(angle, &sine, &cosine);
  return vec2(radius * cosine, radius * sine);
}

/* Bays and headlands of all sizes about a centre. */
static void make_coastline(sat_Vec2 *points, size_t count) {
  Random random = {5};
  double phase[24];
  for (int k = 0; k < 24; k++) phase[k] = random_real(&random, 0, turn);
  for (size_t i = 0; i < count; i++) {
    double radius = 500 + random_real(&random, 0, 0.5), angle = turn * (double)i / (double)count;
    for (int k = 0; k < 24; k++) {
      double sine, cosine;
      sat_sine_cosine(angle * (k + 1) * (k + 1) + phase[k], &sine, &cosine);
      radius += sine * 100 / (k + 1);
    }
    points[i] = polar(radius, angle);
  }
}

static void make_star(sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    points[i] = polar(i % 2 ? 500 : 1000, turn * (double)i / (double)count);
}

static void make_comb(sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t tooth = i / 4, part = i % 4;
    points[i] = vec2((double)(4 * tooth + (part > 1 ? 2 : 0)), part == 1 || part == 2 ? 100 : 1);
  }
  points[0].y = points[count - 1].y = 0;
}

static void make_spiral(sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    double angle = turn / 32 * (double)i;
    points[i] = polar(10 + angle, angle);
    points[count - 1 - i] = polar(7 + angle, angle);
  }
}

typedef struct Family {
  const char *name;
  void (*make)(sat_Vec2 *, size_t);
} Family;
static const Family families[] = {{"coastline", make_coastline},
                                  {"star", make_star},
                                  {"comb", make_comb},
                                  {"spiral", make_spiral}};

/* ---------------------------------------------------------------- timing */

/* Milliseconds, the least of some rounds. */
static double time_one(const sat_Vec2 *points, size_t count, sat_Scratch *scratch,
                       sat_Decomposition *pieces) {
  double least = HUGE_VAL;
  size_t times = 1 + 20000 / count;
  for (int round = 0; round < ROUNDS; round++) {
    double start = bench_now();
    for (size_t i = 0; i < times; i++) sat_ring_decompose(points, count, scratch, pieces);
    least = fmin(least, (bench_now() - start) * 1e-6 / (double)times);
  }
  return least;
}

static void time_family(const Family *family, sat_Scratch *scratch) {
  static sat_Vec2 points[MOST];
  for (size_t size = 100; size <= MOST; size *= 10) {
    size_t count = size;
    sat_Decomposition pieces;
    family->make(points, count);
    if (sat_ring_clean(points, &count, scratch, NULL)) abort();
    double time = time_one(points, count, scratch, &pieces);
    printf("%-10s %7zu %9.3f %8u\n", family->name, count, time, pieces.count);
  }
}

/* The number of pieces beside the optimum on random polygons small enough to know it. */
static void count_pieces(size_t vertices, sat_Scratch *scratch) {
  size_t pieces_in_all = 0, fewest_in_all = 0, polygons = 0;
  double worst = 1;
  for (uint64_t seed = 0; seed < 500; seed++) {
    sat_Vec2 points[MOST_FOR_FEWEST];
    Random random = {seed};
    sat_Decomposition pieces;
    size_t count = random_simple_polygon(&random, 1000, vertices, points);
    if (count == 0 || sat_ring_decompose(points, count, scratch, &pieces)) continue;
    size_t fewest = fewest_pieces(points, count);
    pieces_in_all += pieces.count;
    fewest_in_all += fewest;
    polygons++;
    worst = max2(worst, (double)pieces.count / (double)fewest);
  }
  printf("%8zu %9zu %8zu %8zu %7.4f %7.3f\n", vertices, polygons, pieces_in_all, fewest_in_all,
         (double)pieces_in_all / (double)fewest_in_all, worst);
}

int main(void) {
  sat_Scratch scratch = sat_scratch_make((sat_Allocator){bench_reallocate, NULL});
  puts("ring      vertices        ms   pieces");
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    time_family(&families[i], &scratch);
  puts("\nrandom polygons\nvertices  polygons   pieces  optimum   ratio   worst");
  for (size_t vertices = 8; vertices <= 60; vertices += 13) count_pieces(vertices, &scratch);
  sat_scratch_free(&scratch);
  return 0;
}
