/* piece_view.h: the view of any shape as a rigid set of convex pieces, which may lie apart, abut or
 * overlap.
 *
 * A convex shape has one piece. The block of a composite has a head with a vertex count of 0, a
 * sat_CompositeHeader, and the arrays that the header counts; sat_pieces_of finds them. */
#ifndef SAT_SHAPE_PIECE_VIEW_H
#define SAT_SHAPE_PIECE_VIEW_H

#include "shape/convex.h"

/* A convex piece. Its vertices and edges are relative to the shape's origin. */
typedef struct sat_Piece {
  uint32_t first, count; /* range of the shape's vertices */
  uint32_t edge_block;   /* index of its first block of edges */
  uint32_t edges;        /* mask of edges that may be on the boundary of the shape */
  uint32_t corners;      /* mask of vertices that are not reflex; see sat_exposed_bits */
  uint32_t flags;        /* SAT_CHAIN_SEGMENT and so on */
  uint32_t part, spare;  /* `part`: that of the shape which it belongs to, counted from 0 */
  double own_radius;     /* unscaled radius */
  double radius;         /* scaled radius, without the view's radius */
  double l1_bound;       /* at least |x| + |y| of every vertex */
  sat_Box box;           /* bounds of the vertices, without the radius */
} sat_Piece;

/* Flags of a chain's segment; see narrowphase/composite/chain_neighbors.h. */
enum {
  SAT_CHAIN_SEGMENT = 1, /* a segment of a chain that may go on at its vertices */
  SAT_ONE_SIDED = 2,     /* the front of a one-sided segment is its first edge */
  SAT_BACKWARD = 4,      /* the front is its second edge; reversed in a mirrored shape */
  SAT_CONVEX_MEMBER = 8  /* a convex member of a compound; the member's area has its radius */
};

/* In place of a point: the chain ends here. */
#define SAT_CHAIN_END UINT32_MAX

/* A node of the bounding volume hierarchy, in preorder. `skip`: distance to the next sibling,
 * past the subtree (Ericson, Real-time collision detection, section 6.6.2). The box includes the
 * pieces' radii, not the view's. */
typedef struct sat_BvhNode {
  sat_Box box;
  uint32_t skip;
  uint32_t first, count; /* the pieces of a leaf; inner nodes have a count of 0 */
  uint32_t spare;
} sat_BvhNode;

#define SAT_NO_PART UINT32_MAX

/* Whether parts come before others that are hit at one place with one normal: the lowest count. */
static inline bool sat_parts_precede(sat_Parts p, sat_Parts q) {
  return p.b != q.b ? p.b < q.b : p.a < q.a;
}

/* From a vertex of a view on, an overlap with its pieces of up to `rounding` is a touch. */
typedef struct sat_Touch {
  uint32_t first;
  double rounding;
} sat_Touch;

typedef struct sat_PieceView {
  const sat_Piece *pieces;
  const sat_Vec2 *vertices;
  const sat_Edges *edges;
  const bool *internal;   /* whether other pieces share the edge from each vertex; or NULL */
  const bool *reflex;     /* whether the pieces at each vertex fill over a half turn; or NULL */
  const sat_Vec2 *points; /* `index` has the point of each vertex of a chain */
  const uint32_t *index;
  /* for each end of a segment, the far end of the neighbour there; NULL: the adjacent points */
  const uint32_t *next_in_chain;
  const sat_BvhNode *nodes; /* NULL where there are few pieces */
  uint32_t count, node_count, point_count;
  uint32_t flags; /* the union of the pieces' flags */
  bool closed;    /* of a chain: the last point is joined to the first */
  bool mirrored;
  double radius;                 /* added to the radius of each piece */
  sat_Vec2 origin;               /* in world coordinates; a move changes only this field */
  sat_Vec2 centroid_from_origin; /* the centroid, relative to the origin */
  sat_Box box;                   /* bounds of all pieces with all radii, relative to the origin */
  const sat_Touch *touches;      /* by vertex, or NULL: every overlap counts */
  uint32_t touch_count;
} sat_PieceView;

/* A view of the shape, valid until the shape changes. `single` is storage for the piece of a convex
 * shape. */
sat_PieceView sat_pieces_of(const sat_Shape *shape, sat_Piece *single);
/* The same, written in place: processors stall at a copy of what they have just written. */
void sat_view_pieces(const sat_Shape *shape, sat_Piece *single, sat_PieceView *view);

/* A mask with bit i set where hidden[i] is false, or with all bits set for a count above 32. */
uint32_t sat_exposed_bits(const bool *hidden, uint32_t count);

static inline sat_Convex sat_piece_convex(const sat_PieceView *view, const sat_Piece *piece) {
  return (sat_Convex){view->vertices + piece->first, view->edges + piece->edge_block, view->origin,
                      piece->count};
}

static inline double sat_touch_of_piece(const sat_PieceView *view, uint32_t piece) {
  const sat_Touch *touch = view->touches;
  for (uint32_t half, count = view->touch_count; count > 1; count -= half) {
    half = count / 2;
    touch += touch[half].first <= view->pieces[piece].first ? half : 0;
  }
  return touch ? touch->rounding : 0;
}

static inline double sat_piece_radius(const sat_PieceView *view, const sat_Piece *piece) {
  return piece->radius + view->radius;
}

#endif
