/* quadtree_list.c: the lists that questions fill. */
#include "quadtree.h"

/* Half as much again, so that growing one by one stays cheap. */
static sat_Status reserve(const sat_Allocator *allocator, void **at, size_t count, size_t *capacity,
                          size_t more, size_t size) {
  if (*capacity - count >= more) return SAT_OK;
  if (more > SIZE_MAX / size / 2 - count) return SAT_ENOMEM;
  size_t wanted = count + more;
  if (wanted < *capacity + *capacity / 2) wanted = *capacity + *capacity / 2;
  if (wanted < 16) wanted = 16;
  void *grown = allocator->allocate(allocator->context, *at, *capacity * size, wanted * size);
  if (!grown) return SAT_ENOMEM;
  *at = grown;
  *capacity = wanted;
  return SAT_OK;
}

static void release(const sat_Allocator *allocator, void *at, size_t capacity, size_t size) {
  if (at) allocator->allocate(allocator->context, at, capacity * size, 0);
}

sat_Status sat_items_reserve(sat_Items *items, size_t more) {
  void *at = items->at;
  sat_Status status =
      reserve(&items->allocator, &at, items->count, &items->capacity, more, sizeof *items->at);
  items->at = at;
  return status;
}

sat_Status sat_item_pairs_reserve(sat_ItemPairs *pairs, size_t more) {
  void *at = pairs->at;
  sat_Status status =
      reserve(&pairs->allocator, &at, pairs->count, &pairs->capacity, more, sizeof *pairs->at);
  pairs->at = at;
  return status;
}

sat_Status sat_nodes_reserve(sat_Nodes *nodes, size_t more) {
  void *at = nodes->at;
  sat_Status status =
      reserve(&nodes->allocator, &at, nodes->count, &nodes->capacity, more, sizeof *nodes->at);
  nodes->at = at;
  return status;
}

void sat_items_free(sat_Items *items) {
  release(&items->allocator, items->at, items->capacity, sizeof *items->at);
  *items = (sat_Items){NULL, 0, 0, items->allocator};
}

void sat_item_pairs_free(sat_ItemPairs *pairs) {
  release(&pairs->allocator, pairs->at, pairs->capacity, sizeof *pairs->at);
  *pairs = (sat_ItemPairs){NULL, 0, 0, pairs->allocator};
}

void sat_nodes_free(sat_Nodes *nodes) {
  release(&nodes->allocator, nodes->at, nodes->capacity, sizeof *nodes->at);
  *nodes = (sat_Nodes){NULL, 0, 0, nodes->allocator};
}
