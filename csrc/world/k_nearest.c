/* k_nearest.c: shapes by how far away they are: a heap with the farthest on top, and the list that
 * it becomes. */
#include "world/world.h"

static bool is_farther(const sat_Find *p, const sat_Find *q) {
  return p->distance != q->distance ? p->distance > q->distance : p->slot > q->slot;
}

static void sink(sat_Find *finds, size_t count, size_t at) {
  sat_Find find = finds[at];
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && is_farther(&finds[child + 1], &finds[child])) child++;
    if (!is_farther(&finds[child], &find)) break;
    finds[at] = finds[child];
  }
  finds[at] = find;
}

static void rise(sat_Find *finds, size_t at) {
  sat_Find find = finds[at];
  for (; at > 0 && is_farther(&find, &finds[(at - 1) / 2]); at = (at - 1) / 2)
    finds[at] = finds[(at - 1) / 2];
  finds[at] = find;
}

sat_Status sat_finds_push(sat_Finds *finds, sat_Find find) {
  if (finds->count == finds->capacity && sat_finds_reserve(finds, 1)) return SAT_ENOMEM;
  finds->at[finds->count++] = find;
  rise(finds->at, finds->count - 1);
  return SAT_OK;
}

void sat_finds_replace(sat_Finds *finds, sat_Find find) {
  if (!is_farther(&finds->at[0], &find)) return;
  finds->at[0] = find;
  sink(finds->at, finds->count, 0);
}

static void sort(sat_Finds *finds) {
  for (size_t left = finds->count; left > 1;) {
    sat_Find last = finds->at[--left];
    finds->at[left] = finds->at[0];
    finds->at[0] = last;
    sink(finds->at, left, 0);
  }
}

sat_Status sat_finds_list(sat_Finds *finds, sat_Items *found) {
  found->count = 0;
  sat_Status status = sat_items_reserve(found, finds->count);
  if (status) return status;
  sort(finds);
  for (size_t i = 0; i < finds->count; i++) found->at[i] = (sat_Item)finds->at[i].slot;
  found->count = finds->count;
  return SAT_OK;
}
