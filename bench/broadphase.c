/* broadphase.c: many boxes: which overlap, and what is where? Ours beside its peers.
 *
 *   broadphase [-n most] [-s scene] [row...]
 *
 * With no more items than that, in that scene alone and those rows alone, where they are named. The
 * times are written to a table, and to a file beside the program. Before a row is timed all answer
 * it once and are compared with what is true, and after it with each other. */
#include "crowd.h"

#include <stdlib.h>
#include <string.h>

/* The first is ours. */
static const bench_Index *const peers[] = {&bench_index_sat, &bench_tutorial, &bench_hashes[0],
                                           &bench_hashes[1], &bench_hashes[2]};
enum { PEERS = sizeof peers / sizeof peers[0] };

typedef struct Row {
  const char *name, *title;
  bench_Task task;
  double share; /* of the items that move in a frame */
  double unit;  /* nanoseconds */
  bool large;   /* windows */
} Row;

static const Row rows[] = {
    {"rebuild", "All out, all in again, all pairs: ms", BENCH_REBUILD, 1, 1e6, false},
    {"move", "All move by a hundredth of their width, all pairs: ms", BENCH_FRAME, 1, 1e6, false},
    {"tenth", "One in ten moves so, all pairs: ms", BENCH_FRAME, 0.1, 1e6, false},
    {"interleaved", "Each moves and asks for its neighbours: ns", BENCH_INTERLEAVE, 1, 1, false},
    {"small", "Windows twice as wide as an item: ns", BENCH_WINDOW, 1, 1, false},
    {"large", "Windows of a tenth of the width: ns", BENCH_WINDOW, 1, 1, true},
    {"ray", "The first item along a ray: ns", BENCH_RAY, 1, 1, false},
    {"rays", "All items along a ray, a quarter of the width: ns", BENCH_RAY_ALL, 1, 1, false},
    {"build", "All out, all in again, one small window: ms", BENCH_BUILD, 1, 1e6, false}};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const size_t sizes[] = {1000, 10000, 100000, 1000000};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* The list is looked through no longer than for so many boxes. */
#define LOOKED_THROUGH 2e8
/* A round has so many items pass in frames, or so many passes over the questions. */
enum { ITEMS_A_ROUND = 30000, PASSES_OF_QUESTIONS = 4 };

/* A peer on a crowd of its own, all of which move alike. */
typedef struct Entry {
  const bench_Index *index;
  bench_Crowd *crowd;
  void *state;
  bench_Task task;
} Entry;

static void interleave(const Entry *entry, bench_Sum *tally) {
  bench_Crowd *crowd = entry->crowd;
  for (size_t i = 0; i < crowd->count; i++) {
    sat_Rectangle box = crowd->boxes[i] = crowd->next[i];
    if (entry->index->move) entry->index->move(entry->state, (uint32_t)i);
    entry->index->window(entry->state, i, &box, tally);
  }
}

static void tell_of_moves(const Entry *entry) {
  const bench_Index *index = entry->index;
  if (index->is_told == BY_REFILL) index->refill(entry->state);
  for (size_t i = 0; index->is_told == BY_MOVES && i < entry->crowd->moved_count; i++)
    index->move(entry->state, entry->crowd->moved[i]);
}

static bench_Sum ask(void *opened) {
  const Entry *entry = opened;
  const bench_Index *index = entry->index;
  const bench_Crowd *crowd = entry->crowd;
  bench_Task task = entry->task;
  bench_Sum tally = {0};
  if (task == BENCH_FRAME) tell_of_moves(entry);
  if (task <= BENCH_REBUILD && index->refill) index->refill(entry->state);
  if (task == BENCH_BUILD) index->window(entry->state, 0, &crowd->small[0], &tally);
  if (task == BENCH_REBUILD || task == BENCH_FRAME) index->pairs(entry->state, &tally);
  if (task == BENCH_INTERLEAVE) interleave(entry, &tally);
  for (size_t i = 0; task == BENCH_WINDOW && i < crowd->window_count; i++)
    index->window(entry->state, i, &crowd->windows[i], &tally);
  for (size_t i = 0; task == BENCH_RAY_ALL && i < BENCH_QUESTIONS; i++)
    index->ray_all(entry->state, i, &crowd->rays[i], &tally);
  for (size_t i = 0; task == BENCH_RAY && i < BENCH_QUESTIONS; i++) {
    double along = index->ray(entry->state, &crowd->rays[i]);
    if (along <= 1) bench_tally_distance(&tally, i, along);
  }
  return tally;
}

static void prepare(void *opened) {
  const Entry *entry = opened;
  if (entry->task == BENCH_FRAME) bench_crowd_move(entry->crowd);
  if (entry->task == BENCH_INTERLEAVE) bench_crowd_plan(entry->crowd);
}

static Entry open_entry(const bench_Index *index, const bench_Crowd *crowd, const Row *row) {
  Entry entry = {index, bench_crowd_create(crowd->layout, crowd->count), NULL, row->task};
  entry.crowd->share = row->share;
  entry.crowd->windows = row->large ? crowd->large : crowd->small;
  entry.crowd->window_count = row->large ? BENCH_LARGE_QUESTIONS : BENCH_QUESTIONS;
  entry.state = index->open(entry.crowd);
  return entry;
}

static void close_entry(Entry *entry) {
  if (entry->index->close) entry->index->close(entry->state);
}

/* ---------------------------------------------------------------- do they agree? */

static size_t answers_of(const bench_Crowd *crowd, const Row *row) {
  if (row->task == BENCH_INTERLEAVE) return crowd->count;
  if (row->task < BENCH_WINDOW) return 1;
  return row->large ? BENCH_LARGE_QUESTIONS : BENCH_QUESTIONS;
}

/* The true answer, found by looking at every item, or nothing where that would take too long. */
static bench_Sum truth(const bench_Crowd *crowd, const Row *row) {
  double looks = (double)crowd->count * (double)answers_of(crowd, row);
  if (looks > LOOKED_THROUGH) return (bench_Sum){.hits = -1};
  Entry entry = open_entry(&bench_list, crowd, row);
  prepare(&entry);
  bench_Sum sum = ask(&entry);
  close_entry(&entry);
  return sum;
}

/* With what is wanted, or with the first where that is not known. */
static bool agree(const bench_Contestant *list, bench_Sum wanted, const bench_Crowd *crowd) {
  bool good = true;
  for (size_t i = 0; i < PEERS; i++) {
    if (!list[i].pass) continue;
    if (wanted.hits < 0) wanted = list[i].sum;
    if (list[i].sum.hits == wanted.hits && list[i].sum.check == wanted.check) continue;
    printf("%s, %s, %zu items, found %.0f, not %.0f, or not the same\n", list[i].name,
           bench_layout_name(crowd->layout), crowd->count, list[i].sum.hits, wanted.hits);
    good = false;
  }
  return good;
}

/* ---------------------------------------------------------------- one row */

static bool can(const bench_Index *index, const bench_Crowd *crowd, const Row *row) {
  bool knows = row->task == BENCH_INTERLEAVE ? index->move != NULL
               : row->task == BENCH_RAY      ? index->ray != NULL
               : row->task == BENCH_RAY_ALL  ? index->ray_all != NULL
                                             : true;
  return knows && crowd->count <= index->most;
}

/* Returns whether all found the same. */
static bool measure(const Row *row, const bench_Crowd *crowd, FILE *csv) {
  Entry entries[PEERS];
  bench_Contestant list[PEERS];
  bool moves = row->task == BENCH_FRAME || row->task == BENCH_INTERLEAVE;
  size_t passes = row->task >= BENCH_WINDOW      ? PASSES_OF_QUESTIONS
                  : crowd->count < ITEMS_A_ROUND ? ITEMS_A_ROUND / crowd->count
                                                 : 1;
  for (size_t i = 0; i < PEERS; i++) {
    list[i] = (bench_Contestant){.name = peers[i]->name};
    if (!can(peers[i], crowd, row)) continue;
    entries[i] = open_entry(peers[i], crowd, row);
    list[i].pass = ask;
    list[i].state = &entries[i];
    if (moves) list[i].prepare = prepare;
    prepare(&entries[i]);
    list[i].sum = ask(&entries[i]);
  }
  bool good = agree(list, truth(crowd, row), crowd);
  if (good) {
    bench_race(list, PEERS, passes, answers_of(crowd, row));
    good = agree(list, (bench_Sum){.hits = -1}, crowd);
  }
  for (size_t i = 0; i < PEERS; i++)
    if (list[i].pass) close_entry(&entries[i]);
  char items[16];
  snprintf(items, sizeof items, "%zu", crowd->count);
  bench_Row about = {row->name, bench_layout_name(crowd->layout), items, crowd->count, row->unit,
                     NULL};
  if (good) bench_write_row(about, list, PEERS, csv);
  return good;
}

/* ---------------------------------------------------------------- all rows */

static bool measure_scenes(const Row *row, size_t most, const char *scene, FILE *csv) {
  bool good = true;
  bench_Contestant heads[PEERS];
  for (size_t i = 0; i < PEERS; i++) heads[i].name = peers[i]->name;
  bench_write_heading(row->title, heads, PEERS);
  if (row->task == BENCH_INTERLEAVE && most > 100000) most = 100000;
  for (int layout = 0; layout < BENCH_LAYOUTS; layout++) {
    if (scene && strcmp(scene, bench_layout_name((bench_Layout)layout)) != 0) continue;
    for (size_t k = 0; k < SIZES && sizes[k] <= most; k++) {
      /* All but the uniform scene come in the largest size where all move. */
      bool is_largest = sizes[k] == sizes[SIZES - 1];
      if (is_largest && layout != BENCH_UNIFORM && strcmp(row->name, "move") != 0) continue;
      size_t mark = bench_mark();
      good = measure(row, bench_crowd_create((bench_Layout)layout, sizes[k]), csv) && good;
      bench_release(mark);
    }
  }
  return good;
}

int main(int count, char **arguments) {
  size_t most = SIZE_MAX;
  const char *scene = NULL;
  bool good = true;
  int first = 1;
  for (; first + 1 < count && arguments[first][0] == '-'; first += 2) {
    if (arguments[first][1] == 'n') most = strtoul(arguments[first + 1], NULL, 10);
    if (arguments[first][1] == 's') scene = arguments[first + 1];
  }
  FILE *csv = bench_open_times(1, arguments);
  for (const Row *row = rows; row < rows + ROWS; row++) {
    bool wanted = first == count;
    for (int i = first; i < count; i++) wanted = wanted || strcmp(arguments[i], row->name) == 0;
    if (wanted) good = measure_scenes(row, most, scene, csv) && good;
  }
  fclose(csv);
  return good ? 0 : 1;
}
