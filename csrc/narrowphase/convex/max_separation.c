/* max_separation.c: two searches for the facet of maximum separation, chosen by the numbers of
 * vertices. */
#include "narrowphase/convex/max_separation.h"

#include "narrowphase/convex/simd/separation_kernels.h"

/* The scan beats the calipers up to this many pairs of vertices: measured on polygons that vary
 * between calls. */
#define SCAN_PAIRS 144

/* The state of a search for the facet of maximum separation. */
typedef struct SeparationSearch {
  const sat_Pair *pair;
  double tie, threshold; /* a separation above `threshold` ends the search */
  sat_Facet *max_facet;
  bool ties, exact;
} SeparationSearch;

/* Updates the maximum with one more facet. Returns true once it separates the two. Parallel edges
 * of both sides make one axis, which is no tie with itself. */
static bool add_facet_candidate(SeparationSearch *search, sat_Facet facet) {
  if (facet.separation < search->max_facet->separation - search->tie) return false;
  if (search->exact) facet.separation = sat_exact_separation(search->pair, &facet);
  if (facet.separation > search->max_facet->separation + search->tie) search->ties = false;
  else {
    sat_Vec2 v = facet_normal(search->pair, &facet),
             w = facet_normal(search->pair, search->max_facet);
    if (fabs(cross(v, w)) > SAT_SAME_DIRECTION || dot(v, w) <= 0) search->ties = true;
  }
  if (facet.separation > search->max_facet->separation) *search->max_facet = facet;
  return facet.separation > search->threshold;
}

static bool add_side_candidates(SeparationSearch *search, uint32_t side) {
  const sat_Convex *own = &search->pair->of[side], *other = &search->pair->of[!side];
  for (uint32_t i = 0; own->count > 1 && i < own->count; i++) {
    sat_Vec2 normal = normal_of(own->edges, i);
    double least = dot(normal, other->vertex[0]);
    for (uint32_t k = 1; k < other->count; k++) least = min2(dot(normal, other->vertex[k]), least);
    double separation = sat_origin_separation(search->pair, side, i) + least;
    if (add_facet_candidate(search, (sat_Facet){separation, side, i, SAT_NO_VERTEX})) return true;
  }
  return false;
}

static sat_SeparationScan scan_side(const SeparationSearch *search, sat_Algorithm algorithm,
                                    uint32_t side) {
  const sat_Convex *own = &search->pair->of[side], *other = &search->pair->of[!side];
  sat_Vec2 origin_offset = search->pair->origin_offset[side];
  double threshold = search->threshold + search->pair->error_bound;
  if (own->count < 2) return SAT_NOTHING_SCANNED;
  return algorithm == SAT_ALGORITHM_SCAN ? sat_scan_edges(own, other, origin_offset, threshold)
                                         : sat_calipers_edges(own, other, origin_offset, threshold);
}

/* Whether one side is a vertex, against which another edge of the other side ties with the maximum,
 * and neither rounding nor the order of the edges could make it none. */
static bool is_surely_tied(const SeparationSearch *search) {
  const sat_Pair *pair = search->pair;
  const sat_Facet *most = search->max_facet;
  sat_Vec2 normal = facet_normal(pair, most);
  for (uint32_t i = 0; pair->of[!most->side].count == 1 && i < pair->of[most->side].count; i++) {
    sat_Facet facet = sat_facet_at(pair, most->side, i, 0);
    if (facet.separation >= most->separation - search->tie / 2 &&
        dot(facet_normal(pair, &facet), normal) < 1 - SAT_SAME_WAY)
      return true;
  }
  return false;
}

/* Searches by scan or calipers. Mostly one facet is the maximum by far and its sign is beyond
 * doubt; else returns false: each facet needs a closer test. */
static bool scan_sides(SeparationSearch *search, sat_Algorithm algorithm) {
  const sat_Pair *pair = search->pair;
  const sat_Edges *edges[2] = {pair->of[0].edges, pair->of[1].edges};
  double threshold = search->threshold + pair->error_bound;
  sat_SeparationScan scan[2] = {scan_side(search, algorithm, SAT_A), SAT_NOTHING_SCANNED};
  if (scan[0].max_separation <= threshold) scan[1] = scan_side(search, algorithm, SAT_B);
  uint32_t side = scan[1].max_separation > scan[0].max_separation ? SAT_B : SAT_A;
  bool unsure = search->exact && fabs(scan[side].max_separation) <= pair->error_bound;
  *search->max_facet = (sat_Facet){scan[side].max_separation, side, scan[side].edge, SAT_NO_VERTEX};
  if (scan[side].max_separation > threshold) return true;
  if (unsure) return false;
  search->ties = scans_tie(scan, edges, search->tie);
  return !search->ties || is_surely_tied(search);
}

bool sat_max_separation(const sat_Pair *pair, sat_SeparationQuery query, sat_Facet *max_facet,
                        bool *ties) {
  if (pair->of[SAT_A].count == 1 && pair->of[SAT_B].count == 1) return false;
  /* Facets within rounding of the maximum are candidates, too: exactly, one of them may separate
   * the two. */
  double tie = max2(query.tie, pair->error_bound);
  SeparationSearch search = {pair,      tie,   0,
                             max_facet, false, pair->radius == 0 && query.threshold == 0};
  if (!search.exact) search.threshold = query.threshold + pair->error_bound;
  uint64_t pairs = (uint64_t)pair->of[SAT_A].count * pair->of[SAT_B].count;
  sat_Algorithm algorithm = query.algorithm;
  if (algorithm == SAT_ALGORITHM_BY_SIZE)
    algorithm = pairs <= SCAN_PAIRS ? SAT_ALGORITHM_SCAN : SAT_ALGORITHM_CALIPERS;
  bool is_known = scan_sides(&search, algorithm);
  *ties = search.ties;
  if (is_known) return true;
  *max_facet = (sat_Facet){-HUGE_VAL, 0, 0, SAT_NO_VERTEX};
  search.ties = false;
  if (algorithm == SAT_ALGORITHM_CALIPERS) {
    sat_Walk walk = sat_walk_begin(pair);
    sat_Facet facet;
    while (sat_walk_next(&walk, &facet) && !add_facet_candidate(&search, facet)) continue;
  } else if (!add_side_candidates(&search, SAT_A)) add_side_candidates(&search, SAT_B);
  *ties = search.ties;
  return true;
}
