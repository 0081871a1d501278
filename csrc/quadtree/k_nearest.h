/* k_nearest.h: lists of the k nearest items, in the order of their distances and then their ids. */
#ifndef SAT_QUADTREE_K_NEAREST_H
#define SAT_QUADTREE_K_NEAREST_H

#include "base/base.h"

/* Adds an item to a list of the nearest, unless the list has `wanted` items and the new one is
 * farther than all of them. The first element of a list of that many is the farthest.
 * SAT_ENOMEM. */
sat_Status sat_neighbors_keep(sat_Neighbors *neighbors, sat_Neighbor neighbor, size_t wanted);
void sat_neighbors_sort(sat_Neighbors *neighbors);

#endif
