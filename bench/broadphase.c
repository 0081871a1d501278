/* broadphase.c: many boxes: which overlap, and what is where? Ours beside its peers.
 *
 *   broadphase [-n most] [-l least] [-s scene] [-w peers] [-o times.csv] [row...]
 *
 * With no more items and no fewer than that, in that scene alone, without those peers, and those
 * rows alone, where they are named. The times are written to a table, and to that file or one
 * beside the program. Before a row is timed all answer it once, and are compared with what is
 * true. */
#define _GNU_SOURCE /* for mallinfo2 */
#include "runner.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first is ours. */
static const bench_Index *const peers[] = {
    bench_index_sat,  bench_tutorial,       bench_chipmunk_tree, bench_chipmunk_hash,
    bench_box2d_tree, bench_box2d_contacts, bench_box2d3_tree,   bench_boost};
#define PEERS (sizeof peers / sizeof peers[0])

typedef struct Row {
  bench_Work work;
  const char *title;
  double unit; /* nanoseconds */
  const char *unit_name;
  size_t most;     /* items */
  bool all_scenes; /* with the odd ones, and with the most items, too */
} Row;

static const Row rows[] = {
    {{"rebuild", BENCH_REBUILD, 1, false},
     "All out, all in again, all pairs: ms a frame",
     1e6,
     "ms",
     1000000,
     false},
    {{"move", BENCH_FRAME, 1, false},
     "All move by a hundredth of their width, all pairs: ms a frame",
     1e6,
     "ms",
     1000000,
     true},
    {{"tenth", BENCH_FRAME, 0.1, false},
     "One in ten moves so, all pairs: ms a frame",
     1e6,
     "ms",
     1000000,
     false},
    {{"interleaved", BENCH_INTERLEAVE, 1, false},
     "Each item moves, and its neighbours are asked for, in turn: ns an item",
     1,
     "ns",
     100000,
     false},
    {{"small", BENCH_WINDOW, 1, false},
     "Windows twice as wide as an item: ns a window",
     1,
     "ns",
     1000000,
     false},
    {{"large", BENCH_WINDOW, 1, true},
     "Windows of a tenth of the width: ns a window",
     1,
     "ns",
     1000000,
     false},
    {{"ray", BENCH_RAY, 1, false}, "The first item along a ray: ns a ray", 1, "ns", 1000000, false},
    {{"rays", BENCH_RAY_ALL, 1, false},
     "All items along a ray, a quarter of the width: ns a ray",
     1,
     "ns",
     1000000,
     false},
    {{"nearest", BENCH_NEAREST, 1, false},
     "The item nearest to a point: ns a point",
     1,
     "ns",
     1000000,
     false},
    {{"build", BENCH_BUILD, 1, false},
     "All out, all in again, one small window: ms",
     1e6,
     "ms",
     1000000,
     false}};
#define ROWS (sizeof rows / sizeof rows[0])
#define MOVE 1 /* which of them is `move` */

static const size_t sizes[] = {1000, 10000, 100000, 1000000};
#define SIZES (sizeof sizes / sizeof sizes[0])
/* What is tried is tried on no more than these. */
#define TRIED 100000
/* The list is looked through no longer than for so many boxes. */
#define LOOKED_THROUGH 2e8

typedef struct Options {
  size_t least, most; /* items */
  const char *scene, *csv, *without;
  char **rows;
  int row_count;
} Options;

/* ---------------------------------------------------------------- do they agree? */

static bool can_know(const bench_Crowd *crowd, bench_Work work) {
  double n = (double)crowd->count, answers = (double)bench_answers(crowd, work);
  if (work.task == BENCH_INTERLEAVE || work.task >= BENCH_WINDOW)
    return n * answers <= LOOKED_THROUGH;
  return true;
}

static bool same(bench_Tally a, bench_Tally b) { return a.count == b.count && a.check == b.check; }

static size_t complain(const bench_Runner *runner, bench_Tally found, bench_Tally wanted) {
  printf("%s (%s), %s, %zu items, found %llu, not %llu, or not the same\n", runner->index->name,
         runner->index->way, bench_layout_name(runner->crowd->layout), runner->crowd->count,
         (unsigned long long)found.count, (unsigned long long)wanted.count);
  return 1;
}

/* With the truth, or with the first that takes part where finding it would take too long. */
static size_t compare_answers(bench_Runner *runners, const bench_Crowd *crowd, bench_Work work) {
  bool known = can_know(crowd, work);
  bench_Tally wanted = {0, 0};
  size_t wrong = 0;
  if (known) {
    bench_Runner list = bench_runner_open(bench_list, crowd, work);
    wanted = bench_runner_ask(&list, work);
    bench_runner_close(&list);
  }
  for (size_t i = 0; i < PEERS; i++) {
    if (!runners[i].index) continue;
    runners[i].first = bench_runner_ask(&runners[i], work);
    if (!known) wanted = runners[i].first;
    known = true;
    if (!same(runners[i].first, wanted)) wrong += complain(&runners[i], runners[i].first, wanted);
  }
  return wrong;
}

/* In all the passes that were timed. */
static size_t compare_all(const bench_Runner *runners) {
  size_t wrong = 0;
  const bench_Runner *first = NULL;
  for (size_t i = 0; i < PEERS; i++) {
    if (!runners[i].index) continue;
    if (!first) first = &runners[i];
    if (!same(runners[i].all, first->all))
      wrong += complain(&runners[i], runners[i].all, first->all);
  }
  return wrong;
}

/* ---------------------------------------------------------------- tables */

static void write_heading(const char *title) {
  printf("\n%s; how many times ours\n%-12s %8s %10s", title, "scene", "items", peers[0]->name);
  for (size_t i = 1; i < PEERS; i++) printf(" %18s", peers[i]->name);
  printf("   fastest peer\n");
}

typedef struct Cell {
  const bench_Index *index;
  double value;
  bench_Tally found;
} Cell;

static void write_csv(const char *name, const bench_Crowd *crowd, const char *unit,
                      const Cell *cells, FILE *csv) {
  for (size_t i = 0; i < PEERS; i++) {
    if (!cells[i].index) continue;
    fprintf(csv, "%s,%s,%zu,%s,%s,%.6g,%s,%.4g,%llu,%016llx\n", name,
            bench_layout_name(crowd->layout), crowd->count, cells[i].index->name,
            cells[i].index->way, cells[i].value, unit, cells[i].value / cells[0].value,
            (unsigned long long)cells[i].found.count, (unsigned long long)cells[i].found.check);
  }
  fflush(csv);
}

static void write_cells(const char *name, const bench_Crowd *crowd, const char *unit,
                        const Cell *cells, FILE *csv) {
  double fastest = INFINITY;
  printf("%-12s %8zu", bench_layout_name(crowd->layout), crowd->count);
  if (cells[0].index) printf(" %10.4g", cells[0].value);
  else printf(" %10s", "-");
  for (size_t i = 1; i < PEERS; i++) {
    if (!cells[i].index) {
      printf(" %18s", "-");
      continue;
    }
    printf(" %10.4g %6.2fx", cells[i].value, cells[i].value / cells[0].value);
    fastest = fmin(fastest, cells[i].value);
  }
  printf(" %13.2fx", fastest / cells[0].value);
  if (cells[0].found.count) printf("   %llu found", (unsigned long long)cells[0].found.count);
  printf("\n");
  fflush(stdout);
  write_csv(name, crowd, unit, cells, csv);
}

/* ---------------------------------------------------------------- one row */

static bool left_out[PEERS];

/* What has been tried once need not be tried again. */
static const bench_Index *tried[BENCH_LAYOUTS][ROWS][PEERS];

static void choose_ways(const Row *row, const bench_Crowd *crowd, const bench_Index **ways) {
  const bench_Index **kept = tried[crowd->layout][row - rows];
  const bench_Crowd *on = crowd;
  bench_Crowd *smaller = NULL;
  bool known = crowd->count > TRIED && kept[0];
  if (crowd->count > TRIED && !known) {
    on = smaller = bench_crowd_create(crowd->layout, TRIED);
    smaller->questions = bench_questions_create(smaller);
  }
  for (size_t i = 0; i < PEERS; i++) {
    if (!known && !left_out[i]) kept[i] = bench_best_way(peers[i], on, row->work);
    ways[i] = kept[i] && bench_can(kept[i], crowd, row->work) ? kept[i] : NULL;
  }
  if (!smaller) return;
  bench_questions_destroy((bench_Questions *)(uintptr_t)smaller->questions);
  bench_crowd_destroy(smaller);
}

/* Returns how many were wrong. */
static size_t measure(const Row *row, const bench_Crowd *crowd, FILE *csv) {
  const bench_Index *ways[PEERS];
  bench_Runner runners[PEERS];
  Cell cells[PEERS];
  choose_ways(row, crowd, ways);
  for (size_t i = 0; i < PEERS; i++) runners[i] = bench_runner_open(ways[i], crowd, row->work);
  size_t wrong = compare_answers(runners, crowd, row->work);
  if (wrong == 0) {
    bench_race(runners, PEERS, row->work);
    wrong = compare_all(runners);
  }
  for (size_t i = 0; i < PEERS; i++) {
    double answers = (double)bench_answers(crowd, row->work);
    cells[i] = (Cell){ways[i], runners[i].ns / answers / row->unit, runners[i].first};
    bench_runner_close(&runners[i]);
  }
  if (wrong == 0) write_cells(row->work.name, crowd, row->unit_name, cells, csv);
  return wrong;
}

/* ---------------------------------------------------------------- memory */

static size_t bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/* After some frames. The crowd is not counted, nor are, of our own, the lists of results. */
static double bytes_of(const bench_Index *way, bool ours, const bench_Crowd *crowd,
                       bench_Work work) {
  size_t of_crowd =
      crowd->count * (2 * sizeof(sat_Rectangle) + sizeof(sat_Vec2) + sizeof(uint32_t));
  size_t before = bytes_in_use() + of_crowd;
  bench_Runner runner = bench_runner_open(way, crowd, work);
  size_t bytes = ours ? bench_index_sat_bytes(runner.state) : bytes_in_use() - before;
  bench_runner_close(&runner);
  return (double)bytes / (double)crowd->count;
}

/* In the ways that took part in that row. */
static size_t measure_bytes(const Row *row, const bench_Crowd *crowd, FILE *csv) {
  Cell cells[PEERS] = {{NULL, 0, {0, 0}}};
  for (size_t i = 0; i < PEERS; i++) {
    const bench_Index *way = tried[crowd->layout][row - rows][i];
    if (!way) way = peers[i];
    if (left_out[i] || !bench_can(way, crowd, row->work)) continue;
    cells[i].index = way;
    cells[i].value = bytes_of(way, i == 0, crowd, row->work);
  }
  write_cells("bytes", crowd, "bytes", cells, csv);
  return 0;
}

/* ---------------------------------------------------------------- all rows */

static bool is_wanted(const Options *options, const char *row) {
  for (int i = 0; i < options->row_count; i++)
    if (strcmp(options->rows[i], row) == 0) return true;
  return options->row_count == 0;
}

/* The odd scenes come in some sizes only, and all but the uniform one seldom in the largest. */
static bool has_scene(bench_Layout layout, size_t count, bool all_scenes) {
  if (layout == BENCH_UNIFORM) return true;
  if (layout == BENCH_CLUSTERED || layout == BENCH_SIZES) return count < 1000000 || all_scenes;
  if (layout == BENCH_FAR) return all_scenes && (count == 10000 || count == 100000);
  return all_scenes && count == 100000;
}

typedef size_t Measure(const Row *row, const bench_Crowd *crowd, FILE *csv);

static size_t measure_scenes(const Row *row, const Options *options, Measure *with, FILE *csv) {
  size_t wrong = 0;
  for (bench_Layout layout = BENCH_UNIFORM; layout < BENCH_LAYOUTS;
       layout = (bench_Layout)(layout + 1)) {
    if (options->scene && strcmp(options->scene, bench_layout_name(layout)) != 0) continue;
    for (size_t k = 0; k < SIZES && sizes[k] <= options->most && sizes[k] <= row->most; k++) {
      if (sizes[k] < options->least || !has_scene(layout, sizes[k], row->all_scenes)) continue;
      bench_Crowd *crowd = bench_crowd_create(layout, sizes[k]);
      bench_Questions *questions = bench_questions_create(crowd);
      crowd->questions = questions;
      wrong += with(row, crowd, csv);
      bench_questions_destroy(questions);
      bench_crowd_destroy(crowd);
    }
  }
  return wrong;
}

static size_t measure_all(const Options *options, FILE *csv) {
  size_t wrong = 0;
  for (const Row *row = rows; row < rows + ROWS; row++) {
    if (!is_wanted(options, row->work.name)) continue;
    write_heading(row->title);
    wrong += measure_scenes(row, options, measure, csv);
  }
  if (is_wanted(options, "bytes")) {
    write_heading("Bytes an item, after some frames in which all move");
    measure_scenes(&rows[MOVE], options, measure_bytes, csv);
  }
  return wrong;
}

/* Next to the program, where no other is named. */
static FILE *open_csv(const Options *options, const char *program) {
  char path[4096];
  snprintf(path, sizeof path, options->csv ? "%s" : "%s.csv",
           options->csv ? options->csv : program);
  FILE *csv = fopen(path, "w");
  if (!csv) perror(path);
  return csv;
}

static Options read_options(int count, char **arguments) {
  Options options = {0, SIZE_MAX, NULL, NULL, NULL, NULL, 0};
  int i = 1;
  for (; i + 1 < count && arguments[i][0] == '-'; i += 2) {
    char option = arguments[i][1];
    if (option == 'n') options.most = strtoul(arguments[i + 1], NULL, 10);
    if (option == 'l') options.least = strtoul(arguments[i + 1], NULL, 10);
    if (option == 'w') options.without = arguments[i + 1];
    if (option == 's') options.scene = arguments[i + 1];
    if (option == 'o') options.csv = arguments[i + 1];
  }
  options.rows = arguments + i;
  options.row_count = count - i;
  return options;
}

int main(int count, char **arguments) {
  Options options = read_options(count, arguments);
  FILE *csv = open_csv(&options, arguments[0]);
  if (!csv) return 1;
  printf("compiler %s\n", __VERSION__);
  fputs("row,scene,items,contestant,way,value,unit,ratio,found,check\n", csv);
  for (size_t i = 0; options.without && i < PEERS; i++)
    left_out[i] = strstr(options.without, peers[i]->name) != NULL;
  size_t wrong = measure_all(&options, csv);
  fclose(csv);
  if (wrong > 0) printf("%zu times something else was found: no times there.\n", wrong);
  return wrong > 0;
}
