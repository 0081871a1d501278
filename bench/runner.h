/* runner.h: ways of using a library, each with a crowd of its own that all move alike, timed in
 * turns. */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "index.h"

/* What is timed. */
typedef struct bench_Work {
  const char *name;
  bench_Task task;
  double share; /* of the items that move in a frame */
  bool large;   /* windows */
} bench_Work;

typedef struct bench_Runner {
  const bench_Index *index; /* NULL: takes no part */
  bench_Crowd *crowd;
  void *state;
  bench_Tally first, all; /* found in the first pass; in the rounds that all have */
  size_t rounds;
  double ns; /* processor time of a pass, the least of all rounds */
} bench_Runner;

/* Opens an index on a copy of the crowd, and lets some frames pass, since boxes that are grown
 * beyond an item's size are outgrown after some frames only. */
bench_Runner bench_runner_open(const bench_Index *index, const bench_Crowd *crowd, bench_Work work);
void bench_runner_close(bench_Runner *runner);

bool bench_can(const bench_Index *index, const bench_Crowd *crowd, bench_Work work);

/* The way of a library that takes the least time, by trying each; NULL if none can. */
const bench_Index *bench_best_way(const bench_Index *ways, const bench_Crowd *crowd,
                                  bench_Work work);

/* One pass, not timed. Returns what was found. */
bench_Tally bench_runner_ask(bench_Runner *runner, bench_Work work);

/* Times all, in rounds in which each has its turn; the least counts, since what else happens on the
 * machine only adds. */
void bench_race(bench_Runner *runners, size_t count, bench_Work work);

/* How many answers a pass gives: 1 where a frame is one answer. */
size_t bench_answers(const bench_Crowd *crowd, bench_Work work);

#endif
