/* contest.h: contestants that do the same work, timed in turns. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "peer.h"

#include <stdio.h>

/* What goes into one column of a table. Without a pass it stays empty. */
typedef struct bench_Contestant {
  const char *name;
  bench_Pass *pass;
  void *state;
  bench_Sum sum; /* what a pass found */
  double ns;     /* processor time of one answer, the median of all rounds */
} bench_Contestant;

/* Times all of them: after a pass to warm up, in many short rounds, each contestant once a
 * round, so that a disturbance hits all alike and the median drops it. `answers` is how many a
 * pass gives. */
void bench_contest(bench_Contestant *contestants, size_t count, size_t answers);

/* What a row is about. */
typedef struct bench_Row {
  const char *section, *shape, *mix;
  size_t vertices;
} bench_Row;

/* The heading of a table, and of the CSV file. */
void bench_write_heading(const char *title, const bench_Contestant *contestants, size_t count);
void bench_write_csv_heading(FILE *csv);

/* One row: the times, and behind those of the peers how many times the first contestant's they
 * are. */
void bench_write_row(bench_Row row, const bench_Contestant *contestants, size_t count, FILE *csv);

#endif
