/* chain_neighbors.h: where the segments of a chain meet, and from where its parts can be touched.
 *
 * A segment of a chain is not alone: beside its end is the next one, which keeps off whatever would
 * touch that end from there. So a thing that slides along the chain has nothing to catch on. The
 * chain's outline at a vertex is touched only with normals that lead away from both segments, and
 * elsewhere with their own; a one-sided chain's only on its open side. */
#ifndef SAT_NARROWPHASE_CHAIN_NEIGHBORS_H
#define SAT_NARROWPHASE_CHAIN_NEIGHBORS_H

#include "shape/piece_view.h"
#include "narrowphase/minkowski.h"

/* A pair of parts and what they are parts of. */
typedef struct sat_PiecePair {
  const sat_PieceView *of[2];
  const sat_Piece *piece[2];
} sat_PiecePair;

/* Whether there is anything that the functions below would not allow. */
static inline bool sat_pieces_in_chain(const sat_PiecePair *pieces) {
  return ((pieces->piece[0]->flags | pieces->piece[1]->flags) & SAT_CHAIN_SEGMENT) != 0;
}

static inline bool sat_pieces_one_sided(const sat_PiecePair *pieces) {
  return ((pieces->piece[0]->flags | pieces->piece[1]->flags) & SAT_ONE_SIDED) != 0;
}

/* The edge of a chain's segment whose side is open. */
static inline uint32_t sat_front_edge(const sat_PieceView *view, const sat_Piece *piece) {
  return view->mirrored != ((piece->flags & SAT_BACKWARD) != 0);
}

/* The normal of that edge, out of the chain. */
sat_Vec2 sat_front_normal(const sat_PieceView *view, const sat_Piece *piece);

/* Whether a facet of the pair's difference, with this normal, is on the outline of no difference of
 * a whole chain. */
bool sat_chain_hides_facet(const sat_PiecePair *pieces, const sat_Facet *facet, sat_Vec2 normal);

/* The same for the place on the turn round a corner, made of these vertices, that has the
 * normal. */
bool sat_chain_hides_vertex_normal(const sat_PiecePair *pieces, const uint32_t vertex[2],
                                   sat_Vec2 normal);

/* The same for all of the turn. False may mean that other differences cover it. */
bool sat_chain_hides_arc(const sat_PiecePair *pieces, const uint32_t vertex[2]);

/* How a chain goes on at a vertex of a part. */
typedef struct sat_ChainVertex {
  uint32_t next_point; /* the body's point where the next one ends */
  sat_Vec2 own, next;  /* from the vertex to the other ends of this segment and of the next one */
  bool folded;         /* the next one lies upon this one, so that the vertex is an end */
  double arc; /* the sine of how far the outline turns there: towards the closed side if > 0 */
} sat_ChainVertex;

/* The point that follows another in its chain, forward or backward, or SAT_CHAIN_END. */
uint32_t sat_next_in_chain(const sat_PieceView *view, uint32_t point, bool forward);

/* False: it ends there, or the part is none of a chain. */
bool sat_chain_vertex_at(const sat_PieceView *view, const sat_Piece *piece, uint32_t vertex,
                         sat_ChainVertex *chain_vertex);

#endif
