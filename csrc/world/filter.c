/* filter.c: which shapes a question asks about, and the list of those that wait for a decision. */
#include "world/filter.h"

/* The decision about a shape, or NULL. */
static const sat_Decision *find_decision(const sat_QueryFilter *filter, const sat_Shape *shape) {
  size_t low = 0, high = filter->decision_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (filter->decisions[middle].index < shape->index) low = middle + 1;
    else high = middle;
  }
  bool is_found = low < filter->decision_count && filter->decisions[low].index == shape->index;
  return is_found ? &filter->decisions[low] : NULL;
}

bool sat_is_admitted(const sat_QueryFilter *filter, const sat_Shape *shape, bool with_sensors) {
  bool is_sensor = !sat_is_solid(shape);
  if (!filter) return with_sensors || !is_sensor;
  if (filter->sensors == SAT_SENSORS_BY_QUERY ? is_sensor && !with_sensors
      : is_sensor                             ? filter->sensors == SAT_SENSORS_NONE
                                              : filter->sensors == SAT_SENSORS_ONLY)
    return false;
  if (filter->by_mask && !(shape->category & filter->mask)) return false;
  if (filter->subject && (shape == filter->subject || !sat_shapes_filter(filter->subject, shape)))
    return false;
  const sat_Decision *decision = find_decision(filter, shape);
  if (decision && !decision->counts) return false;
  return !filter->also || sat_is_admitted(filter->also, shape, with_sensors);
}

bool sat_is_open(const sat_QueryFilter *filter, const sat_Shape *shape) {
  return filter && filter->open && !find_decision(filter, shape);
}

void sat_begin_open(const sat_QueryFilter *filter, size_t wanted) {
  if (!filter || !filter->open) return;
  filter->open->shapes.count = 0;
  filter->open->wanted = wanted;
}

/* The number of open shapes that a list takes: more the more decisions there are, so that the
 * number of questions is a logarithm. */
static size_t most_open(const sat_QueryFilter *filter) {
  size_t wanted = filter->open->wanted, more = filter->decision_count;
  return wanted < SIZE_MAX - more ? wanted + more : SIZE_MAX;
}

sat_Status sat_list_open(const sat_QueryFilter *filter, uint32_t index, double distance) {
  const sat_Neighbors *shapes = &filter->open->shapes;
  for (size_t i = 0; distance == HUGE_VAL && i < shapes->count; i++)
    if (shapes->at[i].item == index) return SAT_OK;
  return sat_neighbors_keep(&filter->open->shapes, (sat_Neighbor){distance, index},
                            most_open(filter));
}

double sat_open_limit(const sat_QueryFilter *filter, double limit) {
  if (!filter || !filter->open) return limit;
  const sat_Neighbors *shapes = &filter->open->shapes;
  return shapes->count < most_open(filter) ? limit : min2(limit, shapes->at[0].distance);
}

void sat_end_open(const sat_QueryFilter *filter, const sat_Neighbor *answer) {
  if (!filter || !filter->open) return;
  sat_Neighbors *shapes = &filter->open->shapes;
  sat_neighbors_sort(shapes);
  if (!answer) return;
  filter->open->wanted = SIZE_MAX;
  while (shapes->count > 0 && sat_comes_later(&shapes->at[shapes->count - 1], answer))
    shapes->count--;
}
