/* k_nearest.h: lists of the k nearest items, in the order of their distances and then their ids. */
#ifndef SAT_QUADTREE_K_NEAREST_H
#define SAT_QUADTREE_K_NEAREST_H

#include "base/base.h"

/* Adds an item to a list of the nearest. In a list that has `wanted` items, at least 1, the first
 * item is the farthest; a new item replaces the first if nearer, and is dropped otherwise.
 * SAT_ENOMEM leaves the list as it was. */
sat_Status sat_neighbors_keep(sat_Neighbors *neighbors, sat_Neighbor neighbor, size_t wanted);
/* Sorts a list by distance, then by id. */
void sat_neighbors_sort(sat_Neighbors *neighbors);

#endif
