/* max_separation.h: the facet of D with the widest gap, which decides whether the two sides share a
 * point, and which way out is the shortest. */
#ifndef SAT_NARROWPHASE_MAX_SEPARATION_H
#define SAT_NARROWPHASE_MAX_SEPARATION_H

#include "narrowphase/minkowski.h"

/* How to find the widest facet. All ways find the same one. */
typedef enum sat_Algorithm {
  SAT_ALGORITHM_BY_SIZE, /* the fastest for the numbers of vertices */
  SAT_ALGORITHM_SCAN, /* every edge against every vertex of the other side: the fastest for few */
  /* every edge against a vertex that moves on as the edges turn: O(n + m) */
  SAT_ALGORITHM_CALIPERS,
  /* see narrowphase/epa.h: the fastest for many; not where a gap's facet is wanted */
  SAT_ALGORITHM_EPA
} sat_Algorithm;

/* What to look for: a gap above `threshold` for sure ends the search. With a reach of 0 and no
 * radius the signs are exact. Facets within `tie` of the widest are ties, if they have another
 * direction. */
typedef struct sat_SeparationQuery {
  double threshold, tie;
  bool facet; /* the widest facet is wanted when they are apart, too, and not its gap alone */
  sat_Algorithm algorithm;
} sat_SeparationQuery;

/* The facet with the widest gap, and whether others tie with it. Returns false where there is no
 * facet: two points. */
bool sat_max_separation(const sat_Pair *pair, sat_SeparationQuery query, sat_Facet *max_facet,
                        bool *ties);

#endif
