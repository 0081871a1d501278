/* max_separation.h: the facet of D of maximum separation, which decides whether two convex sets
 * share a point and which translation is the shortest. */
#ifndef SAT_NARROWPHASE_MAX_SEPARATION_H
#define SAT_NARROWPHASE_MAX_SEPARATION_H

#include "narrowphase/convex/minkowski.h"

/* The search algorithm. All algorithms find the same facet. */
typedef enum sat_Algorithm {
  SAT_ALGORITHM_BY_SIZE, /* the fastest for the numbers of vertices */
  SAT_ALGORITHM_SCAN, /* every edge against every vertex of the other side: the fastest for few */
  /* every edge against a support vertex that moves on as the normals turn: O(n + m) */
  SAT_ALGORITHM_CALIPERS
} sat_Algorithm;

/* The query: a separation surely above `threshold` ends the search. With a threshold of 0 and no
 * radius the signs are exact. Facets within `tie` of the maximum are ties, if their directions
 * differ. */
typedef struct sat_SeparationQuery {
  double threshold, tie;
  sat_Algorithm algorithm;
} sat_SeparationQuery;

/* The facet of maximum separation, and whether others tie with it. Returns false where D has no
 * facet: two points. */
bool sat_max_separation(const sat_Pair *pair, sat_SeparationQuery query, sat_Facet *max_facet,
                        bool *ties);

#endif
