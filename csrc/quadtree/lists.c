/* lists.c: the lists that questions fill. */
#include "quadtree/quadtree.h"

#include "base/memory.h"

sat_Status sat_items_reserve(sat_Items *items, size_t more) {
  void *at = items->at;
  sat_Status status = sat_list_reserve(&items->allocator, &at, items->count, &items->capacity, more,
                                       sizeof *items->at);
  items->at = at;
  return status;
}

sat_Status sat_item_pairs_reserve(sat_ItemPairs *pairs, size_t more) {
  void *at = pairs->at;
  sat_Status status = sat_list_reserve(&pairs->allocator, &at, pairs->count, &pairs->capacity, more,
                                       sizeof *pairs->at);
  pairs->at = at;
  return status;
}

sat_Status sat_nodes_reserve(sat_Nodes *nodes, size_t more) {
  void *at = nodes->at;
  sat_Status status = sat_list_reserve(&nodes->allocator, &at, nodes->count, &nodes->capacity, more,
                                       sizeof *nodes->at);
  nodes->at = at;
  return status;
}

void sat_items_free(sat_Items *items) {
  sat_list_release(&items->allocator, items->at, items->capacity, sizeof *items->at);
  *items = (sat_Items){NULL, 0, 0, items->allocator};
}

void sat_item_pairs_free(sat_ItemPairs *pairs) {
  sat_list_release(&pairs->allocator, pairs->at, pairs->capacity, sizeof *pairs->at);
  *pairs = (sat_ItemPairs){NULL, 0, 0, pairs->allocator};
}

void sat_nodes_free(sat_Nodes *nodes) {
  sat_list_release(&nodes->allocator, nodes->at, nodes->capacity, sizeof *nodes->at);
  *nodes = (sat_Nodes){NULL, 0, 0, nodes->allocator};
}
