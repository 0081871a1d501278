/* chain_neighbors.c: the neighbouring segments of a chain's vertex, and which contact normals they
 * hide. */
#include "narrowphase/composite/chain_neighbors.h"

sat_Vec2 sat_front_normal(const sat_PieceView *view, const sat_Piece *piece) {
  return normal_of(view->edges + piece->edge_block, sat_front_edge(view, piece));
}

uint32_t sat_next_in_chain(const sat_PieceView *view, uint32_t point, bool forward) {
  if (view->next_in_chain) return view->next_in_chain[point];
  uint32_t last = view->point_count - 1;
  if (forward) return point < last ? point + 1 : view->closed ? 0 : SAT_CHAIN_END;
  return point > 0 ? point - 1 : view->closed ? last : SAT_CHAIN_END;
}

bool sat_chain_vertex_at(const sat_PieceView *view, const sat_Piece *piece, uint32_t vertex,
                         sat_ChainVertex *chain_vertex) {
  if (!(piece->flags & SAT_CHAIN_SEGMENT)) return false;
  const sat_Vec2 *vertices = view->vertices;
  uint32_t index = piece->first + vertex;
  chain_vertex->next_point = sat_next_in_chain(view, view->index[index], vertex == 1);
  if (chain_vertex->next_point == SAT_CHAIN_END) return false;
  chain_vertex->own = sub(vertices[piece->first + 1 - vertex], vertices[index]);
  chain_vertex->next = sub(view->points[chain_vertex->next_point], vertices[index]);
  double sizes = length(chain_vertex->own) * length(chain_vertex->next);
  double arc = sizes > 0 ? cross(chain_vertex->own, chain_vertex->next) / sizes : 0;
  chain_vertex->arc = (vertex == 0) == (sat_front_edge(view, piece) == 0) ? arc : -arc;
  chain_vertex->folded =
      fabs(arc) <= SAT_SAME_NORMAL && dot(chain_vertex->own, chain_vertex->next) > 0;
  return true;
}

/* Whether the vertex of a segment has no contact normals besides those of its edges: the chain is
 * straight there, or reflex towards its open side. */
static bool is_unreachable(const sat_Piece *piece, const sat_ChainVertex *chain_vertex) {
  if (chain_vertex->folded) return false;
  return fabs(chain_vertex->arc) <= SAT_SAME_NORMAL ||
         (piece->flags & SAT_ONE_SIDED && chain_vertex->arc < 0);
}

/* The vector `normal` points out of the shape. */
static bool vertex_normal_is_hidden(const sat_PieceView *view, const sat_Piece *piece,
                                    uint32_t vertex, sat_Vec2 normal) {
  sat_ChainVertex chain_vertex;
  if (!sat_chain_vertex_at(view, piece, vertex, &chain_vertex)) return false;
  sat_Vec2 open = sat_front_normal(view, piece);
  if (fabs(cross(normal, open)) <= SAT_SAME_NORMAL)
    return piece->flags & SAT_ONE_SIDED && dot(normal, open) < 0;
  return dot(normal, chain_vertex.next) > SAT_SAME_NORMAL * length(chain_vertex.next) ||
         dot(normal, chain_vertex.own) > SAT_SAME_NORMAL * length(chain_vertex.own) ||
         is_unreachable(piece, &chain_vertex);
}

bool sat_chain_hides_vertex_normal(const sat_PiecePair *pieces, const uint32_t vertex[2],
                                   sat_Vec2 normal) {
  return vertex_normal_is_hidden(pieces->of[0], pieces->piece[0], vertex[0], neg(normal)) ||
         vertex_normal_is_hidden(pieces->of[1], pieces->piece[1], vertex[1], normal);
}

bool sat_chain_hides_facet(const sat_PiecePair *pieces, const sat_Facet *facet, sat_Vec2 normal) {
  uint32_t side = facet->side;
  const sat_Piece *own = pieces->piece[side];
  if (own->flags & SAT_ONE_SIDED && facet->edge != sat_front_edge(pieces->of[side], own))
    return true;
  sat_Vec2 out = side == SAT_A ? normal : neg(normal);
  return vertex_normal_is_hidden(pieces->of[!side], pieces->piece[!side], facet->vertex, out);
}

bool sat_chain_hides_arc(const sat_PiecePair *pieces, const uint32_t vertex[2]) {
  sat_ChainVertex chain_vertex;
  for (uint32_t side = 0; side < 2; side++)
    if (sat_chain_vertex_at(pieces->of[side], pieces->piece[side], vertex[side], &chain_vertex) &&
        is_unreachable(pieces->piece[side], &chain_vertex))
      return true;
  return false;
}
