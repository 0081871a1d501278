/* sweep.h: finds all overlapping pairs by a sweep, however the boxes are spread. */
#ifndef SAT_QUADTREE_SWEEP_H
#define SAT_QUADTREE_SWEEP_H

#include "quadtree/quadtree.h"

/* An item with the coordinate that it is sorted by. */
typedef struct sat_SweepSlot {
  double at;
  sat_Item item;
} sat_SweepSlot;

/* Appends what sat_quadtree_pairs finds, in another order. All changes have been flushed. The time
 * for n items and k pairs is O((n + k) log n). */
sat_Status sat_sweep_pairs(sat_Quadtree *tree, sat_ItemPairs *found);

#endif
