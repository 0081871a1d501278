/* union_differences.h: the boundaries of the differences of a search, each made when it is needed.
 */
#ifndef SAT_NARROWPHASE_UNION_DIFFERENCES_H
#define SAT_NARROWPHASE_UNION_DIFFERENCES_H

#include "narrowphase/union/union_search.h"

/* The boundary of a difference, good until the next one is made. */
void sat_union_make_boundary(sat_UnionSearch *search, sat_Difference *difference);
static inline const sat_Boundary *ensure_boundary(sat_UnionSearch *search,
                                                  sat_Difference *difference) {
  if (difference->place == SAT_NO_PLACE) sat_union_make_boundary(search, difference);
  return (const sat_Boundary *)(const void *)&search->boundaries[difference->place];
}

#endif
