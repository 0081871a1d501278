/* bvh.h: the bounding volume hierarchy over the pieces of a composite shape, and its queries. */
#ifndef SAT_SHAPE_BVH_H
#define SAT_SHAPE_BVH_H

#include "base/box.h"
#include "shape/piece_view.h"

/* The largest number of pieces in a leaf. */
#define SAT_LEAF 4

/* The number of nodes over `pieces` pieces. */
uint32_t sat_bvh_node_count(uint32_t pieces);

/* Sorts the pieces so that the pieces of each node are near each other: a node splits its pieces
 * into halves of equal number, across the longer side of the box of their centres. */
void sat_bvh_sort(sat_Piece *pieces, uint32_t count);

/* Fits all nodes to the boxes and radii of the sorted pieces. */
void sat_bvh_fit(sat_BvhNode *nodes, const sat_Piece *pieces, uint32_t count);

/* Visits all pieces whose boxes, with all radii, meet a box that is relative to the view's origin.
 *   sat_BvhQuery walk = sat_bvh_query(view, box);
 *   while (sat_bvh_query_next(&walk, &index)) ... */
typedef struct sat_BvhQuery {
  const sat_PieceView *view;
  sat_Box box;
  uint32_t node, piece, end;
} sat_BvhQuery;

static inline sat_BvhQuery sat_bvh_query(const sat_PieceView *view, sat_Box box) {
  sat_Vec2 out = vec2(view->radius, view->radius);
  sat_Box wide = {sub(box.min, out), add(box.max, out)};
  return (sat_BvhQuery){view, wide, 0, 0, view->nodes ? 0 : view->count};
}

static inline bool sat_bvh_query_next(sat_BvhQuery *walk, uint32_t *index) {
  const sat_PieceView *view = walk->view;
  for (;;) {
    while (walk->piece < walk->end) {
      const sat_Piece *piece = &view->pieces[walk->piece++];
      if (!boxes_meet(&piece->box, &walk->box, piece->radius)) continue;
      *index = walk->piece - 1;
      return true;
    }
    if (walk->node >= view->node_count) return false;
    const sat_BvhNode *node = &view->nodes[walk->node];
    bool meets = boxes_meet(&node->box, &walk->box, 0);
    walk->node += meets ? 1 : node->skip;
    walk->piece = node->first;
    walk->end = meets ? node->first + node->count : node->first;
  }
}

#endif
