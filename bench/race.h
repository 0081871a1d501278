/* race.h: contestants that do the same work, timed in turns, and the tables of their times. */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include "common.h"

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

/* What a row is about. */
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

#endif
