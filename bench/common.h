/* common.h: the tools of all timings: memory, shapes and worlds that are there or end the program,
 * the clock, contestants that are timed in turns, tables and files of their times, and random numbers
 * that are the same on every run. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include "sat.h"
#include "sat_world.h"
#include "test/random.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BENCH_PI 3.14159265358979323846

/* ---------------------------------------------------------------- memory */

/* All zero, until `bench_release` frees the blocks that have come since `bench_mark` gave the mark. */
void *bench_allocate(size_t count, size_t size);
size_t bench_mark(void);
void bench_release(size_t mark);

/* An allocator for the library. What is freed is kept for the next block: new memory takes time of
 * the operating system's, by the page, which is not the library's. */
void *bench_reallocate(void *context, void *block, size_t old_size, size_t size);
extern const sat_Allocator bench_allocator; /* the same */
extern sat_Scratch bench_scratch;

/* ---------------------------------------------------------------- shapes and worlds */

/* Ends the program at a status that is an error. */
void bench_check(sat_Status status);

sat_Shape *bench_shape(const sat_Vec2 *points, size_t count, double radius);
sat_Shape *bench_box(sat_Rectangle r);
sat_Shape *bench_compound(sat_Shape *const *members, size_t count);
/* A convex or concave polygon of a ring, which is cleaned. */
sat_Shape *bench_polygon(sat_Vec2 *ring, size_t count);

/* Both are freed by their own functions before their memory is. */
sat_World *bench_world(sat_Allocator allocator);
sat_Quadtree *bench_quadtree(sat_Allocator allocator, double width);

/* ---------------------------------------------------------------- times */

/* The processor's time in nanoseconds, for a busy machine. The call is a system call and may take
 * more than a microsecond. */
double bench_now(void);

/* The time in nanoseconds, for short intervals: the call takes some 25 ns. */
double bench_wall_now(void);

/* The file of times that a program's first argument names, else the one with the program's name
 * beside it. A file that cannot be opened ends the program. */
FILE *bench_open_csv(int count, char **arguments);

/* ---------------------------------------------------------------- contestants that do the same work */

/* The sums of what a pass has found, which stand beside its time: the number of hits, the depths
 * where a library gives them, and a checksum that depends on no order. */
typedef struct bench_Sum {
  double hits, depths;
  uint64_t check;
} bench_Sum;

/* One loop over all that is asked, in the library's own source, so that no call of ours comes
 * between. */
typedef bench_Sum bench_Pass(void *state);

/* One column of a table. Without a pass it stays empty. */
typedef struct bench_Contestant {
  const char *name;
  bench_Pass *pass;
  void *state;
  void (*prepare)(void *state); /* before each pass, not timed, or NULL */
  bench_Sum sum;                /* what the last pass found */
  double ns;                    /* processor time of one answer */
} bench_Contestant;

/* Times all, each once a round, and takes the least, since what else the machine does only adds. A
 * round has so many passes, or, with 0, as many as take three milliseconds; a pass gives so many
 * answers. */
void bench_race(bench_Contestant *contestants, size_t count, size_t passes, size_t answers);

/* The words of a row, and the unit of its numbers. */
typedef struct bench_Row {
  const char *section, *kind, *mix;
  size_t n;
  double unit;      /* of the table, in nanoseconds; the CSV file has nanoseconds */
  const char *note; /* at the end, or NULL */
} bench_Row;

/* As `bench_open_csv`, with the heading of the rows below. */
FILE *bench_open_times(int count, char **arguments);

void bench_write_heading(const char *title, const bench_Contestant *contestants, size_t count);

/* The times, and behind those of the peers how many times the first contestant's they are. */
void bench_write_row(bench_Row row, const bench_Contestant *contestants, size_t count, FILE *csv);

/* ---------------------------------------------------------------- numbers */

/* Narrows a motion along one axis to what of it lies in this range; false where none does. */
static inline bool bench_cut(double from, double way, double low, double high, double *enter,
                             double *leave) {
  if (way == 0) return low <= from && from <= high;
  double a = (low - from) / way, b = (high - from) / way;
  *enter = fmax(*enter, fmin(a, b));
  *leave = fmin(*leave, fmax(a, b));
  return *enter <= *leave;
}

/* Both coordinates in that range. */
sat_Vec2 bench_anywhere(Random *state, double low, double high);
sat_Vec2 bench_polar(double radius, double angle);
/* About 0, 0, with its vertices at these distances in turn. */
void bench_ring(sat_Vec2 *ring, size_t count, double first, double second);

#endif
