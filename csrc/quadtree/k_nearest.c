/* k_nearest.c: keeps the k nearest items in a list, which becomes a heap with the farthest item on
 * top once it has k items, and is sorted in the end. */
#include "quadtree/k_nearest.h"

#include "base/heap.h"
#include "base/memory.h"

static bool is_farther(const sat_Neighbor *p, const sat_Neighbor *q) {
  return p->distance != q->distance ? p->distance > q->distance : p->item > q->item;
}
SAT_DEFINE_SORT(sat_Neighbor, neighbors, is_farther)

sat_Status sat_neighbors_keep(sat_Neighbors *neighbors, sat_Neighbor neighbor, size_t wanted) {
  if (neighbors->count == wanted) {
    if (!is_farther(&neighbors->at[0], &neighbor)) return SAT_OK;
    neighbors->at[0] = neighbor;
    neighbors_sift_down(neighbors->at, wanted, 0);
    return SAT_OK;
  }
  if (neighbors->count == neighbors->capacity && SAT_LIST_RESERVE(neighbors, 1)) return SAT_ENOMEM;
  neighbors->at[neighbors->count++] = neighbor;
  if (neighbors->count == wanted) neighbors_heapify(neighbors->at, wanted);
  return SAT_OK;
}

void sat_neighbors_sort(sat_Neighbors *neighbors) {
  neighbors_sort(neighbors->at, neighbors->count);
}

/* ---------------------------------------------------------------- queries of a tree */

typedef struct ItemQuery {
  sat_Neighbors *found;
  size_t wanted;
  double limit;
  sat_Status status;
} ItemQuery;

static double visit_item_near(void *context, sat_Item item, double distance) {
  ItemQuery *query = context;
  sat_Neighbors *found = query->found;
  query->status = sat_neighbors_keep(found, (sat_Neighbor){distance, item}, query->wanted);
  if (query->status) return -1;
  return found->count < query->wanted ? query->limit : found->at[0].distance;
}

static sat_Status finish_item_query(const ItemQuery *query, sat_Status status) {
  if (!status) status = query->status;
  if (status) query->found->count = 0;
  sat_neighbors_sort(query->found);
  return status;
}

sat_Status sat_quadtree_raycast_all(sat_Quadtree *tree, sat_Vec2 from, sat_Vec2 to,
                                    sat_Neighbors *found) {
  ItemQuery query = {found, SIZE_MAX, 1, SAT_OK};
  found->count = 0;
  return finish_item_query(&query, sat_quadtree_raycast(tree, from, to, visit_item_near, &query));
}

sat_Status sat_quadtree_nearest_all(sat_Quadtree *tree, sat_Vec2 point, size_t count,
                                    sat_Neighbors *found) {
  ItemQuery query = {found, count, HUGE_VAL, SAT_OK};
  found->count = 0;
  if (count == 0) return SAT_OK;
  return finish_item_query(&query,
                           sat_quadtree_nearest(tree, point, HUGE_VAL, visit_item_near, &query));
}
