#include "contest.h"

#include <stdlib.h>
#include <time.h>

#define ROUNDS 15
/* A round of one contestant takes about this long, or one pass if that takes longer; in
 * nanoseconds. */
#define ROUND 3e6
/* A contestant whose pass takes longer than this has fewer rounds: so long a time is steady. */
#define LONG_PASS 1e8
#define FEW_ROUNDS 3

/* Processor time: what others do on the machine counts only as far as it slows us down. */
static double now(void) { return (double)clock() * (1e9 / CLOCKS_PER_SEC); }

static double time_passes(bench_Contestant *contestant, size_t passes) {
  double start = now();
  for (size_t i = 0; i < passes; i++) contestant->sum = contestant->pass(contestant->state);
  return now() - start;
}

static size_t passes_for_a_round(bench_Contestant *contestant, double taken) {
  size_t passes = 1;
  while (taken < ROUND / 2) {
    passes *= 2;
    taken = time_passes(contestant, passes);
  }
  double wanted = (double)passes * ROUND / taken;
  return wanted < 1 ? 1 : (size_t)wanted;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* How a contestant is timed, and its times. */
typedef struct Plan {
  size_t passes, rounds;
  double times[ROUNDS];
} Plan;

static Plan plan_for(bench_Contestant *contestant) {
  Plan plan = {0, 0, {0}};
  if (!contestant->pass) return plan;
  time_passes(contestant, 1); /* which warms the caches */
  double taken = time_passes(contestant, 1);
  plan.rounds = taken > LONG_PASS ? FEW_ROUNDS : ROUNDS;
  plan.passes = passes_for_a_round(contestant, taken);
  return plan;
}

void bench_contest(bench_Contestant *contestants, size_t count, size_t answers) {
  Plan *plans = bench_allocate(count, sizeof *plans);
  for (size_t i = 0; i < count; i++) plans[i] = plan_for(&contestants[i]);
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < count; i++)
      if (round < plans[i].rounds)
        plans[i].times[round] = time_passes(&contestants[i], plans[i].passes);
  for (size_t i = 0; i < count; i++) {
    if (plans[i].rounds == 0) continue;
    qsort(plans[i].times, plans[i].rounds, sizeof plans[i].times[0], compare);
    contestants[i].ns = plans[i].times[plans[i].rounds / 2] / (double)(plans[i].passes * answers);
  }
  free(plans);
}

/* ---------------------------------------------------------------- tables */

void bench_write_heading(const char *title, const bench_Contestant *contestants, size_t count) {
  printf("\n%s\n%-16s %-7s %9s", title, "shape", "mix", contestants[0].name);
  for (size_t i = 1; i < count; i++) printf(" %18s", contestants[i].name);
  printf("\n");
}

void bench_write_csv_heading(FILE *csv) {
  fputs("section,shape,mix,vertices,contestant,ns,ratio,hits,depths\n", csv);
}

static void write_csv(bench_Row row, const bench_Contestant *contestant, double ratio, FILE *csv) {
  fprintf(csv, "%s,%s,%s,%zu,%s,%.2f,%.3f,%.0f,%.9g\n", row.section, row.shape, row.mix,
          row.vertices, contestant->name, contestant->ns, ratio, contestant->sum.hits,
          contestant->sum.depths);
}

void bench_write_row(bench_Row row, const bench_Contestant *contestants, size_t count, FILE *csv) {
  printf("%-16s %-7s %9.1f", row.shape, row.mix, contestants[0].ns);
  for (size_t i = 0; i < count; i++) {
    const bench_Contestant *contestant = &contestants[i];
    double ratio = contestant->ns / contestants[0].ns;
    if (i > 0 && contestant->pass) printf(" %9.1f %7.2fx", contestant->ns, ratio);
    if (i > 0 && !contestant->pass) printf(" %18s", "-");
    if (contestant->pass) write_csv(row, contestant, ratio, csv);
  }
  printf("   %.0f hits", contestants[0].sum.hits);
  if (contestants[0].sum.depths > 0) printf(", depths %.6g", contestants[0].sum.depths);
  printf("\n");
  fflush(stdout);
}
