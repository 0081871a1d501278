/* ring.c: rings of vertices: cleaning, convexity, convex hull, area and centroid. */
#include "base/box.h"
#include "base/double_double.h"
#include "polygon/polygon.h"

/* ---------------------------------------------------------------- checks */

/* Whether any three points span a triangle; if none do, a third distinct point or an area is
 * missing. */
static sat_Status check_area(const sat_Vec2 *points, size_t count) {
  size_t second = 1;
  while (second < count && equal_points(points[second], points[0])) second++;
  bool third = false;
  for (size_t i = second + 1; i < count; i++) {
    if (equal_points(points[i], points[0]) || equal_points(points[i], points[second])) continue;
    if (sat_orientation(points[0], points[second], points[i]) != 0) return SAT_OK;
    third = true;
  }
  return third ? SAT_EAREA : SAT_EFEW;
}

static sat_Status check_ring_points(const sat_Vec2 *points, size_t count, sat_RingError *error) {
  for (size_t i = 0; i < count; i++) {
    if (vec_in_range(points[i])) continue;
    error->first = i;
    return SAT_ERANGE;
  }
  return check_area(points, count);
}

/* Memory for `count` vertices, or NULL; indices of vertices have 32 bits. */
static void *reserve(sat_Scratch *scratch, size_t count, size_t bytes_each) {
  if (count >= UINT32_MAX || count > SIZE_MAX / bytes_each) return NULL;
  return sat_scratch_reserve(scratch, count * bytes_each);
}

/* ---------------------------------------------------------------- cleaning */

/* Removes the middle one of three neighbours on one line, equal ones included, until no such
 * vertex is left. The result does not depend on the order of removals. O(n): each vertex enters
 * and leaves the list once. */
static uint32_t *drop_flat(const sat_Vec2 *points, size_t count, uint32_t *kept,
                           size_t *kept_count) {
  size_t first = 0, end = 0;
  for (uint32_t i = 0; i < count; i++) {
    while (end > 1 && !equal_points(points[kept[end - 1]], points[i]) &&
           sat_orientation(points[kept[end - 2]], points[kept[end - 1]], points[i]) == 0) {
      end--;
    }
    if (end == 0 || !equal_points(points[kept[end - 1]], points[i])) kept[end++] = i;
  }
  while (end - first > 2) { /* the seam: only the two vertices beside it can be flat */
    sat_Vec2 last = points[kept[end - 1]], next = points[kept[first]];
    if (sat_orientation(points[kept[end - 2]], last, next) == 0) end--;
    else if (sat_orientation(last, next, points[kept[first + 1]]) == 0) first++;
    else break;
  }
  *kept_count = end - first;
  return kept + first;
}

static int ring_turn(const sat_Vec2 *points, size_t count, size_t middle) {
  size_t before = middle > 0 ? middle - 1 : count - 1;
  size_t after = middle + 1 < count ? middle + 1 : 0;
  return sat_orientation(points[before], points[middle], points[after]);
}

/* The first vertex that does not turn the way of the sign, or else where the ring goes round a
 * second time: a ring whose triangles touch at one vertex may have no reflex one. `count` if the
 * ring is convex. The edges of a convex ring change from running with the sweep to running against
 * it once, and once back. */
static size_t find_nonconvex(const sat_Vec2 *points, size_t count, int sign) {
  for (size_t i = 0; i < count; i++)
    if (ring_turn(points, count, i) != sign) return i;
  bool forward = sweep_precedes(points[count - 1], points[0]);
  int changes = 0;
  for (size_t i = 0; i < count; i++) {
    bool was_forward = forward;
    forward = sweep_precedes(points[i], points[i + 1 < count ? i + 1 : 0]);
    changes += forward != was_forward;
    if (changes > 2) return i;
  }
  return count;
}

size_t sat_ring_memory(size_t count) {
  return count * (sizeof(sat_Vec2) + sizeof(uint32_t)) + sat_simplicity_bytes(count);
}

sat_Status sat_ring_clean_in(void *memory, sat_Vec2 *points, size_t *count, bool is_hole,
                             uint32_t *given, sat_RingError *error) {
  sat_Status status = check_ring_points(points, *count, error);
  if (status) return status;
  sat_Vec2 *ring = memory;
  char *for_sweep = (char *)(ring + *count);
  uint32_t *kept = (uint32_t *)(void *)(for_sweep + sat_simplicity_bytes(*count));
  size_t end;
  kept = drop_flat(points, *count, kept, &end);
  if (end < 3) return SAT_EAREA;
  for (size_t i = 0; i < end; i++) ring[i] = points[kept[i]];
  int sign = ring_turn(ring, end, 0);
  if (find_nonconvex(ring, end, sign) < end)
    sign = sat_simple_ring_sign(ring, end, for_sweep, error);
  if (sign == 0) {
    *error = (sat_RingError){kept[error->first], kept[error->second]};
    return SAT_ECROSS;
  }
  bool turns_round = (sign < 0) != is_hole;
  for (size_t i = 0; i < end; i++) {
    size_t from = turns_round && i > 0 ? end - i : i;
    points[i] = ring[from];
    if (given) given[i] = kept[from];
  }
  *count = end;
  return SAT_OK;
}

sat_Status sat_ring_clean(sat_Vec2 *points, size_t *count, sat_Scratch *scratch,
                          sat_RingError *error) {
  sat_RingError own;
  if (!error) error = &own;
  *error = (sat_RingError){0, 0};
  if (*count == 0) return SAT_EFEW;
  void *memory = reserve(scratch, *count, sat_ring_memory(1));
  if (!memory) return SAT_ENOMEM;
  return sat_ring_clean_in(memory, points, count, false, NULL, error);
}

bool sat_ring_is_convex(const sat_Vec2 *points, size_t count, sat_RingError *error) {
  SAT_ASSERT(count >= 3);
  size_t at = find_nonconvex(points, count, 1);
  if (at < count && error) *error = (sat_RingError){at > 0 ? at - 1 : count - 1, at};
  return at == count;
}

/* The chain of left turns leads from the first point along the bottom to the last one and back
 * along the top; the points up to the last one then stay. The first point comes twice. */
size_t sat_hull_in(void *memory, sat_Vec2 *points, size_t count) {
  sat_Vec2 *hull = memory;
  uint32_t *order = (uint32_t *)(hull + count + 1), *chain = order + count + 1;
  size_t size = 1, base = 1;
  sat_sweep_order(points, count, order, chain);
  chain[0] = order[0];
  for (size_t i = 1; i < 2 * count - 1; i++) {
    uint32_t next = order[i < count ? i : 2 * count - 2 - i];
    if (i == count) base = size;
    while (size > base &&
           sat_orientation(points[chain[size - 2]], points[chain[size - 1]], points[next]) <= 0)
      size--;
    chain[size++] = next;
  }
  size--;
  for (size_t i = 0; i < size; i++) hull[i] = points[chain[i]];
  memcpy(points, hull, size * sizeof *points);
  return size;
}

sat_Status sat_hull(sat_Vec2 *points, size_t *count, sat_Scratch *scratch, sat_RingError *error) {
  sat_RingError own;
  if (!error) error = &own;
  *error = (sat_RingError){0, 0};
  sat_Status status = check_ring_points(points, *count, error);
  if (status) return status;
  void *memory = reserve(scratch, *count + 1, sizeof(sat_Vec2) + 2 * sizeof(uint32_t));
  if (!memory) return SAT_ENOMEM;
  *count = sat_hull_in(memory, points, *count);
  return SAT_OK;
}

/* ---------------------------------------------------------------- area, perimeter, centroid */

/* The cross product within two roundings of its own size, however much of the two products
 * cancels. */
static double accurate_cross(sat_Vec2 a, sat_Vec2 b) {
  sat_DoubleDouble left = two_product(a.x, b.y), right = two_product(a.y, b.x);
  return (left.high - right.high) + (left.low - right.low);
}

/* Coordinates are relative to the first vertex, so that no digits are lost far from 0, 0. */
double sat_ring_area(const sat_Vec2 *points, size_t count) {
  sat_DoubleDouble sum = {0, 0};
  for (size_t i = 2; i < count; i++) {
    accumulate(&sum, accurate_cross(sub(points[i - 1], points[0]), sub(points[i], points[0])));
  }
  return (sum.high + sum.low) * 0.5;
}

double sat_ring_perimeter(const sat_Vec2 *points, size_t count) {
  sat_DoubleDouble sum = {0, 0};
  for (size_t i = 0; i < count; i++)
    accumulate(&sum, length(sub(points[i + 1 < count ? i + 1 : 0], points[i])));
  return sum.high + sum.low;
}

/* The mean of the centroids of the triangles with the first vertex, each weighted by its area. */
sat_Vec2 sat_ring_centroid(const sat_Vec2 *points, size_t count) {
  sat_WeightedMean mean = {{0, 0}, {0, 0}, {0, 0}};
  for (size_t i = 2; i < count; i++) {
    sat_Vec2 a = sub(points[i - 1], points[0]), b = sub(points[i], points[0]);
    weigh_point(&mean, add(a, b), accurate_cross(a, b));
  }
  sat_Box box = sat_box_of_points(points, count);
  sat_Vec2 center = lerp(box.min, box.max, 0.5); /* the fallback where the area has underflowed */
  if (3 * total_weight(&mean) != 0) center = add(points[0], mean_point(&mean, 3));
  return vec2(clamp(center.x, box.min.x, box.max.x), clamp(center.y, box.min.y, box.max.y));
}
