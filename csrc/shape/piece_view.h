/* piece_view.h: any shape as a rigid body of convex parts, which may lie apart, abut or overlap.
 *
 * A convex shape is a body of one part. The block of any other has behind its head, whose
 * vertex_count is 0, a sat_CompositeHeader, and behind that what it counts; sat_pieces_of finds it
 * all. */
#ifndef SAT_SHAPE_PIECE_VIEW_H
#define SAT_SHAPE_PIECE_VIEW_H

#include "shape/convex.h"

/* A convex part. Its vertices and edges are relative to the body's origin. */
typedef struct sat_Piece {
  uint32_t first, count; /* which of the body's vertices */
  uint32_t edge_block;   /* where its edges begin among the body's */
  uint32_t edges;        /* bits of those that may be on the outline of the whole */
  uint32_t corners;      /* the same of its vertices; of more than 32 all bits are set */
  uint32_t flags;        /* of those below */
  double own_radius;     /* before the shape was scaled */
  double radius;         /* as it is now, without what the body adds to it */
  double l1_bound;       /* at least |x| + |y| of every vertex */
  sat_Box box;           /* of the vertices, without the radius */
} sat_Piece;

/* What sets a chain's segment apart from others; see narrowphase/chain_neighbors.h. */
enum {
  SAT_CHAIN_SEGMENT = 1, /* a segment of a chain that may go on at its vertices */
  SAT_ONE_SIDED = 2,     /* its open side is that of its first edge, */
  SAT_BACKWARD = 4       /* or of its second one; the other way round where the body is mirrored */
};

/* Instead of a point where a chain ends. */
#define SAT_CHAIN_END UINT32_MAX

/* A box that holds parts with their radii; so many nodes on, past all below it, is the next one
 * beside it. */
typedef struct sat_BvhNode {
  sat_Box box;
  uint32_t skip;
  uint32_t first, count; /* the parts of a leaf; count is 0 above the leaves */
  uint32_t spare;
} sat_BvhNode;

/* A leaf has up to so many parts. */
#define SAT_LEAF 4

typedef struct sat_PieceView {
  const sat_Piece *pieces;
  const sat_Vec2 *vertices;
  const sat_Edges *edges;
  const bool *internal; /* of the edge from each vertex: other parts share all of it; or NULL */
  const bool *reflex;   /* of each vertex: the parts about it fill more than a half turn; or NULL */
  const sat_Vec2 *points; /* of chains, and which of them each vertex is */
  const uint32_t *index;
  const uint32_t
      *next_in_chain;       /* of each point the next one of its chain; NULL: they stand in a row */
  const sat_BvhNode *nodes; /* NULL: few parts, or one */
  uint32_t count, node_count, point_count;
  uint32_t flags; /* those that any part has */
  bool closed;    /* the row of points is */
  bool mirrored;
  double radius;                 /* added to that of each part */
  sat_Vec2 origin;               /* in the world; a move changes nothing else */
  sat_Vec2 centroid_from_origin; /* the centroid, relative to the origin */
  sat_Box box;                   /* of all parts with all radii, relative to the origin */
} sat_PieceView;

/* A view of the shape, which lasts until it changes. `single` is storage for a convex shape's
 * part. */
sat_PieceView sat_pieces_of(const sat_Shape *shape, sat_Piece *single);

/* The bits of those that are not hidden. */
uint32_t sat_exposed_bits(const bool *hidden, uint32_t count);

static inline sat_Convex sat_piece_convex(const sat_PieceView *view, const sat_Piece *piece) {
  return (sat_Convex){view->vertices + piece->first, view->edges + piece->edge_block, view->origin,
                      piece->count};
}

static inline double sat_piece_radius(const sat_PieceView *view, const sat_Piece *piece) {
  return piece->radius + view->radius;
}

/* All parts of a body whose boxes, with all radii, meet a box that is relative to its origin.
 *   sat_BvhQuery walk = sat_bvh_query(body, box);
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

/* All four at once: which of them is wrong is hard to predict for the processor. */
static inline bool boxes_meet(const sat_Box *a, const sat_Box *b, double threshold) {
  return (a->min.x - b->max.x <= threshold) & (b->min.x - a->max.x <= threshold) &
         (a->min.y - b->max.y <= threshold) & (b->min.y - a->max.y <= threshold);
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
