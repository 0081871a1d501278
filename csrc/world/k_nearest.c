/* k_nearest.c: the k nearest shapes: a heap with the farthest on top, which becomes a sorted
 * list. */
#include "world/world.h"

static bool is_farther(const sat_Neighbor *p, const sat_Neighbor *q) {
  return p->distance != q->distance ? p->distance > q->distance : p->index > q->index;
}

static void sift_neighbor_down(sat_Neighbor *neighbors, size_t count, size_t at) {
  sat_Neighbor neighbor = neighbors[at];
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && is_farther(&neighbors[child + 1], &neighbors[child])) child++;
    if (!is_farther(&neighbors[child], &neighbor)) break;
    neighbors[at] = neighbors[child];
  }
  neighbors[at] = neighbor;
}

static void sift_up(sat_Neighbor *neighbors, size_t at) {
  sat_Neighbor neighbor = neighbors[at];
  for (; at > 0 && is_farther(&neighbor, &neighbors[(at - 1) / 2]); at = (at - 1) / 2)
    neighbors[at] = neighbors[(at - 1) / 2];
  neighbors[at] = neighbor;
}

sat_Status sat_neighbors_push(sat_Neighbors *neighbors, sat_Neighbor neighbor) {
  if (neighbors->count == neighbors->capacity && SAT_LIST_RESERVE(neighbors, 1)) return SAT_ENOMEM;
  neighbors->at[neighbors->count++] = neighbor;
  sift_up(neighbors->at, neighbors->count - 1);
  return SAT_OK;
}

void sat_neighbors_replace(sat_Neighbors *neighbors, sat_Neighbor neighbor) {
  if (!is_farther(&neighbors->at[0], &neighbor)) return;
  neighbors->at[0] = neighbor;
  sift_neighbor_down(neighbors->at, neighbors->count, 0);
}

static void sort_neighbors(sat_Neighbors *neighbors) {
  for (size_t left = neighbors->count; left > 1;) {
    sat_Neighbor last = neighbors->at[--left];
    neighbors->at[left] = neighbors->at[0];
    neighbors->at[0] = last;
    sift_neighbor_down(neighbors->at, left, 0);
  }
}

sat_Status sat_neighbors_list(sat_Neighbors *neighbors, sat_Items *found) {
  found->count = 0;
  sat_Status status = SAT_LIST_RESERVE(found, neighbors->count);
  if (status) return status;
  sort_neighbors(neighbors);
  for (size_t i = 0; i < neighbors->count; i++) found->at[i] = (sat_Item)neighbors->at[i].index;
  found->count = neighbors->count;
  return SAT_OK;
}
