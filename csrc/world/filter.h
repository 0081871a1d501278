/* filter.h: which shapes a question asks about, and the list of those that wait for a decision. */
#ifndef SAT_FILTER_H
#define SAT_FILTER_H

#include "world/world.h"

/* Whether a query with this filter asks about a shape, and of itself about sensors. */
bool sat_is_admitted(const sat_QueryFilter *filter, const sat_Shape *shape, bool with_sensors);
/* Whether a shape that is admitted waits for a decision. */
bool sat_is_open(const sat_QueryFilter *filter, const sat_Shape *shape);

/* Whether open shapes are listed. */
static inline bool sat_has_open(const sat_QueryFilter *filter) {
  return filter && filter->open && filter->open->shapes.count > 0;
}
/* Begins a list of open shapes, of which so many are to count; nothing without a list. */
void sat_begin_open(const sat_QueryFilter *filter, size_t wanted);
/* Lists an open shape; one that counts only beside others may come several times. */
sat_Status sat_list_open(const sat_QueryFilter *filter, uint32_t index, double distance);
/* The distance up to which a search goes on: at most a limit, and no farther than a list that is
 * full. */
double sat_open_limit(const sat_QueryFilter *filter, double limit);
/* Ends a list: shapes later than the answer, if there is one, are dropped, and all others are
 * wanted. */
void sat_end_open(const sat_QueryFilter *filter, const sat_Neighbor *answer);

#endif
