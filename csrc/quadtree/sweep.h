/* sweep.h: finds all overlapping pairs by a sweep, however the boxes are spread. */
#ifndef SAT_QUADTREE_SWEEP_H
#define SAT_QUADTREE_SWEEP_H

#include "quadtree/quadtree.h"

/* An item with the coordinate that it is sorted by. */
typedef struct sat_SweepSlot {
  double at;
  sat_Item item;
} sat_SweepSlot;

/* Appends the pairs of sat_quadtree_pairs, in another order, to a list. SAT_ENOMEM leaves some of
 * the pairs in the list. O((n + k) log n) for n items and k pairs. */
sat_Status sat_sweep_pairs(sat_Quadtree *tree, sat_ItemPairs *found);

#endif
