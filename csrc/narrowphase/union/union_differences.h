/* union_differences.h: the differences' boundaries, the tree of their boxes, the differences near a
 * point, and the covers that have been found nearby.
 *
 * Each 8 boxes in a row of the list have a box around them, each 8 of these again, up to one around
 * all. */
#ifndef SAT_NARROWPHASE_UNION_DIFFERENCES_H
#define SAT_NARROWPHASE_UNION_DIFFERENCES_H

#include "base/double2.h"
#include "narrowphase/union/union_search.h"

#define TREE_SHIFT 3
#define TREE_FANOUT (1u << TREE_SHIFT)

/* Lists the differences within the search radius. Fails with SAT_ENOMEM, and
 * with SAT_ECROWD beyond SAT_MOST_SEARCH_BYTES. */
sat_Status sat_union_collect(sat_UnionSearch *search, sat_Scratch *scratch);

/* The greatest number of edges that the difference of two pieces has. */
static inline uint64_t max_boundary_edges(const sat_UnionSearch *search,
                                          const uint32_t piece_index[2]) {
  return (uint64_t)search->view[0]->pieces[piece_index[0]].count +
         search->view[1]->pieces[piece_index[1]].count;
}

/* Whether a difference has an order of its edges: see sat_edge_order_of. */
bool sat_union_is_ordered(sat_UnionSearch *search, sat_Difference *difference,
                          const sat_Pair *pair);

/* The boundary of a difference. */
void sat_union_make_boundary(sat_UnionSearch *search, sat_Difference *difference);
static inline const sat_Boundary *ensure_boundary(sat_UnionSearch *search,
                                                  sat_Difference *difference) {
  if (!difference->has_boundary) sat_union_make_boundary(search, difference);
  return (const sat_Boundary *)(const void *)&search->boundaries[difference->place];
}

/* The surroundings of a point. */
typedef struct sat_Square {
  sat_Vec2 low, high;
} sat_Square;

static inline sat_Square square_about(sat_Vec2 point, double error_bound) {
  return (sat_Square){sub(point, vec2(error_bound, error_bound)),
                      add(point, vec2(error_bound, error_bound))};
}

/* The surroundings in which all boundaries count as going through a point. */
static inline sat_Square square_about_boundary(const sat_UnionSearch *search, sat_Vec2 point) {
  return square_about(point, SAT_BOUNDARY_ROUNDINGS * search->rounding);
}

/* All four comparisons at once: the processor can hardly predict which one fails. */
static inline bool box_meets(const sat_Box *box, sat_Vec2 low, sat_Vec2 high) {
  return double2_in_order(double2_load(&box->min), double2_load(&high), double2_load(&low),
                          double2_load(&box->max));
}

/* The number of boxes from an index on that are in a box of the tree that is not near. */
static inline uint32_t boxes_to_skip(const sat_UnionSearch *search, uint32_t index,
                                     const sat_Square *near) {
  for (uint32_t level = search->tree_levels; level-- > 0;) {
    uint32_t shift = TREE_SHIFT * (level + 1);
    if (index & ((1u << shift) - 1)) continue;
    const sat_Box *block = &search->tree[search->tree_level[level] + (index >> shift)];
    if (!box_meets(block, near->low, near->high)) return 1u << shift;
  }
  return 0;
}

/* The index of the first box from an index on that is near; the number of boxes: none.
 *   for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
 *        i = next_box_near(search, i + 1, &near)) ... */
static inline uint32_t next_box_near(const sat_UnionSearch *search, uint32_t index,
                                     const sat_Square *near) {
  while (index < search->box_count) {
    uint32_t skip = index % TREE_FANOUT == 0 ? boxes_to_skip(search, index, near) : 0;
    if (skip == 0 && box_meets(&search->boxes[index].box, near->low, near->high)) return index;
    index += skip > 0 ? skip : 1;
  }
  return search->box_count;
}

/* The difference that covered the last point in a square of the grid, or the deepest one; its box
 * need not be near. */
static inline uint32_t *cached_cover(const sat_UnionSearch *search, sat_Vec2 point) {
  double cells = search->cache_cells, scale = cells / (2 * search->search_radius),
         middle = cells * 0.5;
  uint32_t column = (uint32_t)clamp(middle + scale * point.x, 1, cells - 2);
  uint32_t row = (uint32_t)clamp(middle + scale * point.y, 1, cells - 2);
  return &search->cached_covers[search->cache_cells * row + column];
}

/* The covers cached in the same square of the grid and in those around it. */
enum { NEIGHBOR_SQUARES = 9 };
static inline uint32_t neighbor_cover(const sat_UnionSearch *search, const uint32_t *cached_covers,
                                      int index) {
  static const int columns[NEIGHBOR_SQUARES] = {0, -1, 1, 0, 0, -1, 1, -1, 1};
  static const int rows[NEIGHBOR_SQUARES] = {0, 0, 0, -1, 1, -1, -1, 1, 1};
  return cached_covers[columns[index] + rows[index] * (int)search->cache_cells];
}

#endif
