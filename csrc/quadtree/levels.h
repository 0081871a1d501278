/* levels.h: which levels there are, how wide their cells, and who looks for whom. */
#ifndef SAT_QUADTREE_LEVELS_H
#define SAT_QUADTREE_LEVELS_H

#include "quadtree/quadtree.h"

/* Whether the levels may be used again although items have moved. */
bool sat_levels_still_fit(sat_Quadtree *tree);
/* Chooses the levels anew. */
void sat_levels_select(sat_Quadtree *tree);
/* Whether the items of the finest level share their cells with about as many others as was
 * expected. If not, another plan will be another one. */
bool sat_levels_match_estimate(sat_Quadtree *tree, double sharing);
/* The most cells that any plan has. */
uint32_t sat_levels_max_cells(const sat_Quadtree *tree);

/* Of the levels that have cells. */
static inline const sat_Level *sat_finest_level(const sat_Quadtree *tree) {
  uint64_t levels = tree->used_levels;
  return &tree->levels[levels ? sat_next_level(&levels) : 0];
}

#endif
