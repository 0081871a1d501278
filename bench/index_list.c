/* index_list.c: what is true, by looking at everything; pairs by sorting along x first. */
#include "crowd.h"

#include <stdlib.h>

double bench_entry(const sat_Rectangle *box, const bench_Segment *segment) {
  sat_Vec2 p = segment->from, q = segment->to;
  double enter = 0, leave = 1;
  return bench_cut(p.x, q.x - p.x, box->x, box->x + box->w, &enter, &leave) &&
                 bench_cut(p.y, q.y - p.y, box->y, box->y + box->h, &enter, &leave)
             ? enter
             : 2;
}

static void *open_list(bench_Crowd *crowd) { return crowd; }

typedef struct Entry {
  sat_Rectangle box;
  uint32_t item;
} Entry;

static int compare(const void *a, const void *b) {
  double x = ((const Entry *)a)->box.x, y = ((const Entry *)b)->box.x;
  return (x > y) - (x < y);
}

static void find_pairs(void *state, bench_Sum *tally) {
  const bench_Crowd *crowd = state;
  Entry *entries = bench_allocate(crowd->count, sizeof *entries);
  for (size_t i = 0; i < crowd->count; i++) entries[i] = (Entry){crowd->boxes[i], (uint32_t)i};
  qsort(entries, crowd->count, sizeof *entries, compare);
  for (const Entry *a = entries, *end = entries + crowd->count; a < end; a++)
    for (const Entry *b = a + 1; b < end && b->box.x <= a->box.x + a->box.w; b++)
      if (bench_overlap(&a->box, &b->box)) bench_tally_pair(tally, a->item, b->item);
}

static void look(void *state, size_t question, const sat_Rectangle *window, bench_Sum *tally) {
  const bench_Crowd *crowd = state;
  for (size_t i = 0; i < crowd->count; i++)
    if (bench_overlap(&crowd->boxes[i], window)) bench_tally_item(tally, question, (uint32_t)i);
}

static double first_along(void *state, const bench_Segment *ray) {
  const bench_Crowd *crowd = state;
  double first = 2;
  for (size_t i = 0; i < crowd->count; i++) first = fmin(first, bench_entry(&crowd->boxes[i], ray));
  return first;
}

static void all_along(void *state, size_t question, const bench_Segment *ray, bench_Sum *tally) {
  const bench_Crowd *crowd = state;
  for (size_t i = 0; i < crowd->count; i++)
    if (bench_entry(&crowd->boxes[i], ray) <= 1) bench_tally_item(tally, question, (uint32_t)i);
}

const bench_Index bench_list = {"list", SIZE_MAX,   BY_PAIRS, open_list,   NULL,     NULL,
                                NULL,   find_pairs, look,     first_along, all_along};
