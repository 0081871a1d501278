#include "runner.h"

#include "common.h"

#include <math.h>

#define WARMING_FRAMES 24
#define ROUNDS 9
/* Of long passes there are fewer, which is enough, so steady they are; in nanoseconds. */
#define FEW_ROUNDS 7
#define FEWEST_ROUNDS 3
#define LONG_PASS 1e8
/* A round has so many items pass in frames, or so many questions. */
#define ITEMS_A_ROUND 30000
#define PASSES_OF_QUESTIONS 4

static bool moves(bench_Work work) {
  return work.task == BENCH_FRAME || work.task == BENCH_INTERLEAVE;
}

static void warm(bench_Runner *runner) {
  const bench_Index *index = runner->index;
  for (size_t frame = 1; frame <= WARMING_FRAMES; frame++) {
    bench_crowd_move(runner->crowd);
    if (index->tell) index->tell(runner->state);
    else if (!index->forgets || frame == WARMING_FRAMES) index->ask[BENCH_FRAME](runner->state);
  }
}

bench_Runner bench_runner_open(const bench_Index *index, const bench_Crowd *crowd,
                               bench_Work work) {
  bench_Runner runner = {index, NULL, NULL, {0, 0}, {0, 0}, 0, 0};
  if (!index) return runner;
  runner.crowd = bench_crowd_copy(crowd);
  runner.state = index->open(runner.crowd);
  if (moves(work)) warm(&runner);
  runner.crowd->share = work.share;
  runner.crowd->windows = work.large ? crowd->questions->large : crowd->questions->small;
  runner.crowd->window_count = work.large ? crowd->questions->large_count : crowd->questions->count;
  return runner;
}

void bench_runner_close(bench_Runner *runner) {
  if (!runner->index) return;
  runner->index->close(runner->state);
  bench_crowd_destroy(runner->crowd);
}

bool bench_can(const bench_Index *index, const bench_Crowd *crowd, bench_Work work) {
  bool heaped = crowd->layout == BENCH_SHRUNK || crowd->layout == BENCH_POINTS;
  if (heaped && index->not_in_heaps) return false;
  return index->ask[work.task] && crowd->count <= index->most;
}

static void prepare(bench_Runner *runner, bench_Work work) {
  if (work.task == BENCH_FRAME) bench_crowd_move(runner->crowd);
  if (work.task == BENCH_INTERLEAVE) bench_crowd_plan(runner->crowd);
}

static double time_pass(bench_Runner *runner, bench_Work work, bench_Tally *found) {
  prepare(runner, work);
  double start = bench_now();
  *found = runner->index->ask[work.task](runner->state);
  return bench_now() - start;
}

bench_Tally bench_runner_ask(bench_Runner *runner, bench_Work work) {
  bench_Tally found;
  time_pass(runner, work, &found);
  return found;
}

static size_t passes_a_round(const bench_Crowd *crowd, bench_Work work) {
  if (work.task >= BENCH_WINDOW) return PASSES_OF_QUESTIONS;
  return crowd->count < ITEMS_A_ROUND ? ITEMS_A_ROUND / crowd->count : 1;
}

static double time_round(bench_Runner *runner, bench_Work work) {
  size_t passes = passes_a_round(runner->crowd, work);
  double taken = 0;
  for (size_t i = 0; i < passes; i++) {
    bench_Tally found;
    taken += time_pass(runner, work, &found);
    if (runner->rounds >= FEWEST_ROUNDS) continue;
    runner->all.count += found.count;
    runner->all.check += found.check;
  }
  runner->rounds++;
  return taken / (double)passes;
}

const bench_Index *bench_best_way(const bench_Index *ways, const bench_Crowd *crowd,
                                  bench_Work work) {
  const bench_Index *best = NULL;
  double least = INFINITY;
  for (const bench_Index *way = ways; way->name; way++) {
    if (!bench_can(way, crowd, work)) continue;
    bench_Runner runner = bench_runner_open(way, crowd, work);
    double taken = time_round(&runner, work);
    bench_runner_close(&runner);
    if (taken >= least) continue;
    least = taken;
    best = way;
  }
  return best;
}

static size_t rounds_for(const bench_Runner *runner, size_t round) {
  if (runner->crowd->count <= ITEMS_A_ROUND) return ROUNDS;
  return round > 0 && runner->ns > LONG_PASS ? FEWEST_ROUNDS : FEW_ROUNDS;
}

void bench_race(bench_Runner *runners, size_t count, bench_Work work) {
  for (size_t i = 0; i < count; i++) runners[i].ns = INFINITY;
  for (size_t round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < count; i++) {
      bench_Runner *runner = &runners[i];
      if (!runner->index || round >= rounds_for(runner, round)) continue;
      runner->ns = fmin(runner->ns, time_round(runner, work));
    }
  }
}

size_t bench_answers(const bench_Crowd *crowd, bench_Work work) {
  if (work.task == BENCH_INTERLEAVE) return crowd->count;
  if (work.task < BENCH_WINDOW) return 1;
  if (work.large) return crowd->questions->large_count;
  return crowd->questions->count;
}
