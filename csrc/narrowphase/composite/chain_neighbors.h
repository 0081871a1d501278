/* chain_neighbors.h: the neighbouring segments at the vertices of a chain, and the contact normals
 * that they hide.
 *
 * The neighbour of a segment keeps off whatever would touch their common vertex from the
 * neighbour's side, so that a shape that slides along the chain catches on nothing. A vertex of a
 * chain is touched only with normals that lead away from both of its segments, an edge only with
 * its own normal, and a one-sided chain only on its open side. */
#ifndef SAT_NARROWPHASE_CHAIN_NEIGHBORS_H
#define SAT_NARROWPHASE_CHAIN_NEIGHBORS_H

#include "shape/piece_view.h"
#include "narrowphase/convex/minkowski.h"

/* Two pieces and the shapes that they are pieces of. */
typedef struct sat_PiecePair {
  const sat_PieceView *of[2];
  const sat_Piece *piece[2];
} sat_PiecePair;

/* Whether either piece is a segment of a chain, so that the functions below may hide a normal. */
static inline bool sat_pieces_in_chain(const sat_PiecePair *pieces) {
  return ((pieces->piece[0]->flags | pieces->piece[1]->flags) & SAT_CHAIN_SEGMENT) != 0;
}

static inline bool sat_pieces_one_sided(const sat_PiecePair *pieces) {
  return ((pieces->piece[0]->flags | pieces->piece[1]->flags) & SAT_ONE_SIDED) != 0;
}

/* Whether the neighbours of a chain's segment hide directions of the other piece. Of two segments
 * that are not one-sided, what leads away from their contact decides: see union_shared_edge.c. */
static inline bool sat_chain_keeps_off(const sat_PiecePair *pieces) {
  bool lines = pieces->piece[0]->count == 2 && pieces->piece[1]->count == 2 &&
               sat_piece_radius(pieces->of[0], pieces->piece[0]) +
                       sat_piece_radius(pieces->of[1], pieces->piece[1]) ==
                   0;
  return sat_pieces_in_chain(pieces) && (!lines || sat_pieces_one_sided(pieces));
}

/* The edge of a chain's segment whose side is open. */
static inline uint32_t sat_front_edge(const sat_PieceView *view, const sat_Piece *piece) {
  return view->mirrored != ((piece->flags & SAT_BACKWARD) != 0);
}

/* The normal of that edge, out of the chain. */
sat_Vec2 sat_front_normal(const sat_PieceView *view, const sat_Piece *piece);

/* Whether the chain's neighbouring segments hide this contact normal of a facet. */
bool sat_chain_hides_facet(const sat_PiecePair *pieces, const sat_Facet *facet, sat_Vec2 normal);

/* Whether the neighbouring segments hide this contact normal of a corner of the difference, which
 * these vertices make. */
bool sat_chain_hides_vertex_normal(const sat_PiecePair *pieces, const uint32_t vertex[2],
                                   sat_Vec2 normal);

/* Whether the neighbouring segments hide the whole arc around such a corner. False may mean that
 * other differences cover it. */
bool sat_chain_hides_arc(const sat_PiecePair *pieces, const uint32_t vertex[2]);

/* The neighbour of a segment at one of the segment's vertices. */
typedef struct sat_ChainVertex {
  uint32_t next_point; /* the chain's point where the neighbour ends */
  sat_Vec2 own, next;  /* from the vertex to the other ends of this segment and of the next one */
  bool folded;         /* the next one lies upon this one, so that the vertex is an end */
  double arc;          /* the sine of the chain's angle there: towards the closed side if > 0 */
} sat_ChainVertex;

/* The point that follows another in its chain, forward or backward, or SAT_CHAIN_END. */
uint32_t sat_next_in_chain(const sat_PieceView *view, uint32_t point, bool forward);

/* Finds the neighbour at a vertex. False: the chain ends there, or the piece is no segment of a
 * chain. */
bool sat_chain_vertex_at(const sat_PieceView *view, const sat_Piece *piece, uint32_t vertex,
                         sat_ChainVertex *chain_vertex);

#endif
