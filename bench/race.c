#include "race.h"

#include <math.h>

/* Of long passes there are few rounds, which is enough, so steady they are; in nanoseconds. */
enum { ROUNDS = 15, FEW_ROUNDS = 3 };
#define ROUND 3e6
#define LONG_PASS 1e8

static double time_passes(bench_Contestant *contestant, size_t passes) {
  double taken = 0, start = bench_now();
  for (size_t i = 0; i < passes; i++) {
    if (contestant->prepare) {
      contestant->prepare(contestant->state);
      start = bench_now();
    }
    contestant->sum = contestant->pass(contestant->state);
    if (contestant->prepare) taken += bench_now() - start;
  }
  return contestant->prepare ? taken : bench_now() - start;
}

static size_t passes_for_a_round(bench_Contestant *contestant) {
  size_t passes = 1;
  double taken = time_passes(contestant, 1);
  while (taken < ROUND / 2) {
    passes *= 2;
    taken = time_passes(contestant, passes);
  }
  return (size_t)fmax((double)passes * ROUND / taken, 1);
}

void bench_race(bench_Contestant *contestants, size_t count, size_t passes, size_t answers) {
  size_t *of_each = bench_allocate(count, sizeof *of_each);
  double longest = 0;
  for (size_t i = 0; i < count; i++) {
    bench_Contestant *one = &contestants[i];
    one->ns = INFINITY;
    if (!one->pass) continue;
    time_passes(one, 1); /* warms the caches */
    longest = fmax(longest, time_passes(one, 1));
    of_each[i] = passes ? passes : passes_for_a_round(one);
  }
  for (int round = 0; round < (longest > LONG_PASS ? FEW_ROUNDS : ROUNDS); round++) {
    for (size_t i = 0; i < count; i++) {
      bench_Contestant *one = &contestants[i];
      if (!one->pass) continue;
      double ns = time_passes(one, of_each[i]) / (double)(of_each[i] * answers);
      one->ns = fmin(one->ns, ns);
    }
  }
}

/* ---------------------------------------------------------------- tables */

FILE *bench_open_times(int count, char **arguments) {
  FILE *csv = bench_open_csv(count, arguments);
  fputs("section,kind,mix,n,contestant,ns,ratio,hits,depths,check\n", csv);
  return csv;
}

void bench_write_heading(const char *title, const bench_Contestant *contestants, size_t count) {
  printf("\n%s\n%-32s %9s", title, "", contestants[0].name);
  for (size_t i = 1; i < count; i++) printf(" %18s", contestants[i].name);
  printf("\n");
}

static void write_csv(bench_Row row, const bench_Contestant *one, double ratio, FILE *csv) {
  fprintf(csv, "%s,%s,%s,%zu,%s,%.2f,%.3f,%.0f,%.9g,%016llx\n", row.section, row.kind, row.mix,
          row.n, one->name, one->ns, ratio, one->sum.hits, one->sum.depths,
          (unsigned long long)one->sum.check);
}

void bench_write_row(bench_Row row, const bench_Contestant *contestants, size_t count, FILE *csv) {
  double ours = contestants[0].ns;
  printf("%-24s %-7s %9.4g", row.kind, row.mix, ours / row.unit);
  for (size_t i = 0; i < count; i++) {
    const bench_Contestant *one = &contestants[i];
    if (i > 0 && one->pass) printf(" %9.4g %7.2fx", one->ns / row.unit, one->ns / ours);
    if (i > 0 && !one->pass) printf(" %18s", "-");
    if (one->pass) write_csv(row, one, one->ns / ours, csv);
  }
  printf("   %.0f hits", contestants[0].sum.hits);
  if (contestants[0].sum.depths > 0) printf(", depths %.6g", contestants[0].sum.depths);
  printf("%s\n", row.note ? row.note : "");
  fflush(stdout);
}
