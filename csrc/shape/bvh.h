/* bvh.h: the bounding volume hierarchy over the pieces of a composite shape, and its queries. */
#ifndef SAT_SHAPE_BVH_H
#define SAT_SHAPE_BVH_H

#include "base/box.h"
#include "base/double2.h"
#include "shape/piece_view.h"

#define SAT_LEAF 4

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
  double2 min, max; /* of the box, with the view's radius */
  uint32_t node, piece, end;
} sat_BvhQuery;

static inline sat_BvhQuery sat_bvh_query(const sat_PieceView *view, sat_Box box) {
  double2 out = double2_of(view->radius, view->radius);
  double2 min = double2_sub(double2_of(box.min.x, box.min.y), out);
  double2 max = double2_add(double2_of(box.max.x, box.max.y), out);
  return (sat_BvhQuery){view, min, max, 0, 0, view->nodes ? 0 : view->count};
}

/* Does what boxes_meet does, two coordinates at once. */
SAT_INLINE bool sat_bvh_meets(const sat_BvhQuery *walk, const sat_Box *box, double threshold) {
  double2 most = double2_of(threshold, threshold);
  return double2_in_order(double2_sub(double2_load(&box->min), walk->max), most,
                          double2_sub(walk->min, double2_load(&box->max)), most);
}

static inline bool sat_bvh_query_next(sat_BvhQuery *walk, uint32_t *index) {
  const sat_PieceView *view = walk->view;
  for (;;) {
    while (walk->piece < walk->end) {
      const sat_Piece *piece = &view->pieces[walk->piece++];
      if (!sat_bvh_meets(walk, &piece->box, piece->radius)) continue;
      *index = walk->piece - 1;
      return true;
    }
    if (walk->node >= view->node_count) return false;
    const sat_BvhNode *node = &view->nodes[walk->node];
    bool meets = sat_bvh_meets(walk, &node->box, 0);
    walk->node += meets ? 1 : node->skip;
    walk->piece = node->first;
    walk->end = meets ? node->first + node->count : node->first;
  }
}

/* Halving leaves fewer levels than a count has bits. */
#define SAT_BVH_LEVELS 32

/* Visits the pieces whose boxes, with all radii, have a key of at most `limit`, the child of the
 * smaller key first. The key is the distance from a box that rests, or the fraction of the motion
 * at which a box that moves arrives. `limit` may become smaller on the way.
 *   sat_BvhWalk walk;
 *   sat_bvh_walk_begin(&walk, view, box, motion, limit);
 *   while (sat_bvh_walk_next(&walk, &index)) ... */
typedef struct sat_BvhWalk {
  const sat_PieceView *view;
  sat_Box box;       /* with the view's radius, and relative to the view's origin */
  double limit, key; /* `key`: that of the last piece */
  sat_Vec2 inverse;  /* of the motion */
  bool moves;
  uint32_t piece, end, waiting;
  struct {
    double key;
    uint32_t node;
  } at[SAT_BVH_LEVELS];
} sat_BvhWalk;

/* The distance of two boxes, the second one widened by `out`. */
static inline double box_separation(const sat_Box *a, const sat_Box *b, double out) {
  double x = max2(max2(b->min.x - a->max.x, a->min.x - b->max.x) - out, 0);
  double y = max2(max2(b->min.y - a->max.y, a->min.y - b->max.y) - out, 0);
  return length(vec2(x, y));
}

/* Narrows the time from `*in` to `*until` to that in which a moving box is at another one along an
 * axis. A box without motion there that touches gives 0 times infinity, which narrows
 * nothing. */
static inline void narrow_time(double *in, double *until, double low, double high, double inverse) {
  double first = (inverse < 0 ? high : low) * inverse, last = (inverse < 0 ? low : high) * inverse;
  *in = first > *in ? first : *in;
  *until = last < *until ? last : *until;
}

static inline double sat_bvh_key(const sat_BvhWalk *walk, const sat_Box *box, double out) {
  const sat_Box *own = &walk->box;
  if (!walk->moves) return box_separation(own, box, out);
  double in = 0, until = walk->limit;
  narrow_time(&in, &until, box->min.x - own->max.x - out, box->max.x - own->min.x + out,
              walk->inverse.x);
  narrow_time(&in, &until, box->min.y - own->max.y - out, box->max.y - own->min.y + out,
              walk->inverse.y);
  return in <= until ? in : HUGE_VAL;
}

static inline void sat_bvh_wait(sat_BvhWalk *walk, uint32_t node, double key) {
  if (key > walk->limit) return;
  walk->at[walk->waiting].key = key;
  walk->at[walk->waiting++].node = node;
}

static inline void sat_bvh_walk_begin(sat_BvhWalk *walk, const sat_PieceView *view, sat_Box box,
                                      sat_Vec2 motion, double limit) {
  sat_Vec2 out = vec2(view->radius, view->radius);
  walk->view = view;
  walk->box = (sat_Box){sub(box.min, out), add(box.max, out)};
  walk->limit = limit;
  walk->inverse = vec2(1 / motion.x, 1 / motion.y);
  walk->moves = motion.x != 0 || motion.y != 0;
  walk->piece = walk->waiting = 0;
  walk->end = view->nodes ? 0 : view->count;
  if (view->nodes) sat_bvh_wait(walk, 0, 0);
}

static inline bool sat_bvh_walk_next(sat_BvhWalk *walk, uint32_t *index) {
  const sat_PieceView *view = walk->view;
  for (;;) {
    while (walk->piece < walk->end) {
      const sat_Piece *piece = &view->pieces[walk->piece++];
      walk->key = sat_bvh_key(walk, &piece->box, piece->radius);
      if (walk->key > walk->limit) continue;
      *index = walk->piece - 1;
      return true;
    }
    if (walk->waiting == 0) return false;
    uint32_t at = walk->at[--walk->waiting].node;
    if (walk->at[walk->waiting].key > walk->limit) continue;
    const sat_BvhNode *node = &view->nodes[at];
    walk->piece = node->first;
    walk->end = node->first + node->count;
    if (node->count > 0) continue;
    uint32_t child[2] = {at + 1, at + 1 + view->nodes[at + 1].skip};
    double key[2] = {sat_bvh_key(walk, &view->nodes[child[0]].box, 0),
                     sat_bvh_key(walk, &view->nodes[child[1]].box, 0)};
    bool swap = key[1] < key[0];
    sat_bvh_wait(walk, child[!swap], key[!swap]);
    sat_bvh_wait(walk, child[swap], key[swap]);
  }
}

#endif
