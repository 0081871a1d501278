/* levels.h: the selection of levels: their cell sizes, and which levels search which. */
#ifndef SAT_QUADTREE_LEVELS_H
#define SAT_QUADTREE_LEVELS_H

#include "quadtree/quadtree.h"

/* Whether the selected levels still suit the number of items, and are not too many rebuilds old.
 * Counts one more rebuild. */
bool sat_levels_still_fit(sat_Quadtree *tree);
/* Selects the levels by the cost model, or by the tree's capacity or depth if given. */
void sat_levels_select(sat_Quadtree *tree);
/* Compares the measured cell occupancy with the estimate and corrects the clustering factor.
 * `sharing` is the mean number of other items in the cell of an item of the finest level. False:
 * the levels must be selected again. */
bool sat_levels_match_estimate(sat_Quadtree *tree, double sharing);
/* An upper bound of the number of cells of any plan. */
uint32_t sat_levels_max_cells(const sat_Quadtree *tree);

/* The finest level that has cells, or level 0 if none has. */
static inline const sat_Level *sat_finest_level(const sat_Quadtree *tree) {
  uint64_t levels = tree->used_levels;
  return &tree->levels[levels ? sat_next_level(&levels) : 0];
}

#endif
