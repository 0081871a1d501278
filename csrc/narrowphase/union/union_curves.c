/* union_curves.c: the curves of a difference that may be on the boundary of the union. */
#include "narrowphase/union/union_differences.h"

/* The edges and vertices that are not exposed: a piece's neighbours keep them off the boundary of
 * the union. */
static sat_HiddenFeatures hidden_features_of(const sat_UnionSearch *search, uint32_t side,
                                             uint32_t piece_index) {
  const sat_PieceView *view = search->view[side];
  uint32_t first = view->pieces[piece_index].first;
  if (search->has_back) return (sat_HiddenFeatures){NULL, NULL};
  return (sat_HiddenFeatures){view->internal ? view->internal + first : NULL,
                              view->reflex ? view->reflex + first : NULL};
}

static uint32_t find_candidates(sat_UnionSearch *search, sat_Difference *difference,
                                sat_Candidate *candidates) {
  const uint32_t *piece_index = difference->piece_index;
  sat_Pair pair = difference_pair(search, piece_index);
  if (sat_union_is_ordered(search, difference, &pair)) {
    sat_ExposedFeatures exposed[2] = {exposed_features(search, 0, piece_index[0]),
                                      exposed_features(search, 1, piece_index[1])};
    const uint32_t *rows = search->rows + difference->place;
    return sat_candidates_in_order(&pair, rows, exposed, search->search_radius, candidates);
  }
  sat_HiddenFeatures hidden[2] = {hidden_features_of(search, 0, piece_index[0]),
                                  hidden_features_of(search, 1, piece_index[1])};
  return sat_candidates_of(ensure_boundary(search, difference), hidden, candidates);
}

/* Whether a chain hides a curve: by a neighbour of its segment, or because it is at the back. */
static bool candidate_is_hidden(const sat_UnionSearch *search, const sat_PiecePair *pieces,
                                const sat_Candidate *candidate) {
  uint32_t from[2], to[2];
  if (!sat_is_arc(&candidate->curve))
    return sat_chain_hides_facet(pieces, &candidate->facet, candidate->curve.normal);
  sat_Pair pair = difference_pair(search, search->differences[candidate->owner].piece_index);
  sat_facet_ends(&pair, &candidate->facet, from, to);
  return sat_chain_hides_arc(pieces, from);
}

/* Keeps the others, in place, and returns their number. */
static uint32_t remove_hidden_candidates(const sat_UnionSearch *search,
                                         const uint32_t piece_index[2], sat_Candidate *candidates,
                                         uint32_t count) {
  sat_PiecePair pieces = sat_piece_pair_of(search->view[0], search->view[1], piece_index);
  uint32_t left = 0;
  if (!sat_chain_keeps_off(&pieces)) return count;
  for (uint32_t i = 0; i < count; i++)
    if (!candidate_is_hidden(search, &pieces, &candidates[i])) candidates[left++] = candidates[i];
  return left;
}

uint32_t sat_union_list_curves(sat_UnionSearch *search, uint32_t index, sat_Candidate *candidates) {
  sat_Difference *difference = &search->differences[index];
  uint32_t count = find_candidates(search, difference, candidates);
  for (uint32_t i = 0; i < count; i++) candidates[i].owner = index;
  if (!search->has_chain) return count;
  return remove_hidden_candidates(search, difference->piece_index, candidates, count);
}
