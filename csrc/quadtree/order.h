/* order.h: puts the items that a query has found into ascending order. */
#ifndef SAT_QUADTREE_ORDER_H
#define SAT_QUADTREE_ORDER_H

#include "base/uint4.h"
#include "quadtree/quadtree.h"

/* The number of items that are ranked together. */
enum { SAT_RANK_BLOCK = 8 };

/* Writes each item's rank, the number of smaller items. */
SAT_INLINE void sat_find_ranks(const sat_Item *all, uint32_t most, uint32_t *ranks) {
#ifdef __GNUC__
#pragma GCC unroll 2
#endif
  for (uint32_t i = 0; i < most; i += SAT_RANK_BLOCK) {
    uint4 a = uint4_load(all + i), b = uint4_load(all + i + 4);
    uint4 less_than_a = uint4_all(0), less_than_b = uint4_all(0);
#ifdef __GNUC__
#pragma GCC unroll 16
#endif
    for (uint32_t j = 0; j < most; j++) {
      uint4 item = uint4_all(all[j]);
      less_than_a = uint4_count_less(less_than_a, item, a);
      less_than_b = uint4_count_less(less_than_b, item, b);
    }
    uint4_store(ranks + i, less_than_a);
    uint4_store(ranks + i + 4, less_than_b);
  }
}

/* Sorts `most` items, a multiple of SAT_RANK_BLOCK that is no larger than 32, into another list.
 * Only the number that fills the list up may occur twice. This number is larger than all items, and
 * goes to the one place behind them. No branch depends on the items. */
SAT_INLINE void sat_rank_items(const sat_Item *all, uint32_t most, sat_Item *items) {
  uint32_t ranks[32];
  sat_find_ranks(all, most, ranks);
#ifdef __GNUC__
#pragma GCC unroll 16
#endif
  for (uint32_t i = 0; i < most; i++) items[ranks[i]] = all[i];
}

/* Sorts items that differ, in a list with room for one more. SAT_ENOMEM leaves the items in any
 * order. */
sat_Status sat_order_items(sat_Quadtree *tree, sat_Items *items);

#endif
