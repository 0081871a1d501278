/* piece_view.h: any shape as a rigid body of convex parts, which may lie apart, abut or overlap.
 *
 * A convex shape is a body of one part. The block of any other has behind its head, whose
 * vertex_count is 0, a sat_Many, and behind that what it counts; sat_body_of finds it all. */
#ifndef SAT_SHAPE_PIECE_VIEW_H
#define SAT_SHAPE_PIECE_VIEW_H

#include "shape/convex.h"

/* A convex part. Its vertices and edges are relative to the body's origin. */
typedef struct sat_Part {
  uint32_t first, count; /* which of the body's vertices */
  uint32_t four;         /* where its edges begin among the body's */
  uint32_t edges;        /* bits of those that may be on the outline of the whole */
  uint32_t corners;      /* the same of its vertices; of more than 32 all bits are set */
  uint32_t flags;        /* of those below */
  double own_radius;     /* before the shape was scaled */
  double radius;         /* as it is now, without what the body adds to it */
  double extent;         /* at least |x| + |y| of every vertex */
  sat_Box box;           /* of the vertices, without the radius */
} sat_Part;

/* What sets a chain's segment apart from others; see narrowphase/chain_neighbors.h. */
enum {
  SAT_JOINED = 1,    /* a segment of a chain that may go on at its vertices */
  SAT_ONE_SIDED = 2, /* its open side is that of its first edge, */
  SAT_BACKWARD = 4   /* or of its second one; the other way round where the body is mirrored */
};

/* Instead of a point where a chain ends. */
#define SAT_CHAIN_END UINT32_MAX

/* A box that holds parts with their radii; so many nodes on, past all below it, is the next one
 * beside it. */
typedef struct sat_PartNode {
  sat_Box box;
  uint32_t skip;
  uint32_t first, count; /* the parts of a leaf; count is 0 above the leaves */
  uint32_t spare;
} sat_PartNode;

/* A leaf has up to so many parts. */
#define SAT_LEAF 4

typedef struct sat_Body {
  const sat_Part *parts;
  const sat_Vec2 *vertices;
  const sat_Edges *edges;
  const bool *inner;  /* of the edge from each vertex: other parts share all of it; or NULL */
  const bool *buried; /* of each vertex: the parts about it fill more than a half turn; or NULL */
  const sat_Vec2 *points; /* of chains, and which of them each vertex is */
  const uint32_t *index;
  const uint32_t *follow; /* of each point the next one of its chain; NULL: they stand in a row */
  const sat_PartNode *nodes; /* NULL: few parts, or one */
  uint32_t count, node_count, point_count;
  uint32_t flags; /* those that any part has */
  bool closed;    /* the row of points is */
  bool mirrored;
  double radius;   /* added to that of each part */
  sat_Vec2 origin; /* in the world; a move changes nothing else */
  sat_Vec2 hub;    /* the centroid, relative to the origin */
  sat_Box box;     /* of all parts with all radii, relative to the origin */
} sat_Body;

/* A view of the shape, which lasts until it changes. `single` is storage for a convex shape's
 * part. */
sat_Body sat_body_of(const sat_Shape *shape, sat_Part *single);

/* The bits of those that are not hidden. */
uint32_t sat_shown(const bool *hidden, uint32_t count);

static inline sat_Convex sat_part_convex(const sat_Body *body, const sat_Part *part) {
  return (sat_Convex){body->vertices + part->first, body->edges + part->four, body->origin,
                      part->count};
}

static inline double sat_part_radius(const sat_Body *body, const sat_Part *part) {
  return part->radius + body->radius;
}

/* All parts of a body whose boxes, with all radii, meet a box that is relative to its origin.
 *   sat_PartWalk walk = sat_parts_in(body, box);
 *   while (sat_next_part(&walk, &index)) ... */
typedef struct sat_PartWalk {
  const sat_Body *body;
  sat_Box box;
  uint32_t node, part, end;
} sat_PartWalk;

static inline sat_PartWalk sat_parts_in(const sat_Body *body, sat_Box box) {
  sat_Vec2 out = vec2(body->radius, body->radius);
  sat_Box wide = {sub(box.min, out), add(box.max, out)};
  return (sat_PartWalk){body, wide, 0, 0, body->nodes ? 0 : body->count};
}

/* All four at once: which of them is wrong is hard to predict for the processor. */
static inline bool boxes_meet(const sat_Box *a, const sat_Box *b, double reach) {
  return (a->min.x - b->max.x <= reach) & (b->min.x - a->max.x <= reach) &
         (a->min.y - b->max.y <= reach) & (b->min.y - a->max.y <= reach);
}

static inline bool sat_next_part(sat_PartWalk *walk, uint32_t *index) {
  const sat_Body *body = walk->body;
  for (;;) {
    while (walk->part < walk->end) {
      const sat_Part *part = &body->parts[walk->part++];
      if (!boxes_meet(&part->box, &walk->box, part->radius)) continue;
      *index = walk->part - 1;
      return true;
    }
    if (walk->node >= body->node_count) return false;
    const sat_PartNode *node = &body->nodes[walk->node];
    bool meets = boxes_meet(&node->box, &walk->box, 0);
    walk->node += meets ? 1 : node->skip;
    walk->part = node->first;
    walk->end = meets ? node->first + node->count : node->first;
  }
}

#endif
