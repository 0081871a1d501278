/* widest.c: see widest.h. */
#include "widest.h"

#include "expansion.h"

/* Up to this many pairs of vertices the scan, whose loops have no branches, beats the expansion. */
#define SCAN_PAIRS 200

/* What a search for the widest facet has found so far. */
typedef struct Search {
  const sat_Pair *pair;
  double tie, apart; /* a gap above `apart` ends the search */
  sat_Facet *widest;
  bool ties, exact;
} Search;

/* Parallel edges of both sides make one axis, which is no tie with itself. */
static bool same_direction(const sat_Pair *pair, const sat_Facet *a, const sat_Facet *b) {
  sat_Vec2 v = facet_normal(pair, a), w = facet_normal(pair, b);
  return fabs(cross(v, w)) <= SAT_SAME_DIRECTION && dot(v, w) > 0;
}

/* Takes one more facet into account. True: it is apart, and the search is over. */
static bool look_at(Search *search, sat_Facet facet) {
  if (facet.gap < search->widest->gap - search->tie) return false;
  if (search->exact) facet.gap = sat_settled_gap(search->pair, &facet);
  if (facet.gap > search->widest->gap + search->tie) search->ties = false;
  else if (!same_direction(search->pair, &facet, search->widest)) search->ties = true;
  if (facet.gap > search->widest->gap) *search->widest = facet;
  return facet.gap > search->apart;
}

static inline double least_projection(const sat_Vertex *vertex, uint32_t count, sat_Vec2 normal) {
  double least = dot(normal, vertex[0].turned);
  for (uint32_t i = 1; i < count; i++) least = min2(dot(normal, vertex[i].turned), least);
  return least;
}

/* The widest gap of a scan so far, whose it is, and the one that comes next to it. */
typedef struct Scan {
  double widest, second;
  uint32_t side, edge;
} Scan;

static inline double gap_of(const sat_Pair *pair, uint32_t side, uint32_t edge) {
  const sat_Vertex *own = &pair->of[side].vertex[edge];
  const sat_Convex *other = &pair->of[!side];
  double base = dot(own->normal, pair->away[side]) - own->offset;
  return base + least_projection(other->vertex, other->count, own->normal);
}

/* All edges of one side. No branch depends on the data: on small polygons one wrong guess of the processor's costs more than
 * all the projections of an edge. */
static inline Scan scan_side(const sat_Pair *pair, uint32_t side, Scan scan) {
  uint32_t count = pair->of[side].count, edge = count;
  for (uint32_t i = 0; i < count; i++) {
    double gap = gap_of(pair, side, i);
    scan.second = max2(scan.second, min2(gap, scan.widest));
    edge = gap > scan.widest ? i : edge;
    scan.widest = max2(gap, scan.widest);
  }
  if (edge == count) return scan;
  return (Scan){scan.widest, scan.second, side, edge};
}

static bool look_at_side(Search *search, uint32_t side) {
  uint32_t count = search->pair->of[side].count;
  for (uint32_t i = 0; count > 1 && i < count; i++) {
    sat_Facet facet = {gap_of(search->pair, side, i), side, i, SAT_UNASKED};
    if (look_at(search, facet)) return true;
  }
  return false;
}

/* Mostly one facet is the widest by far and its sign is beyond doubt; else each is looked at more closely. */
static void scan_all(Search *search) {
  const sat_Pair *pair = search->pair;
  Scan scan = {-HUGE_VAL, -HUGE_VAL, 0, 0};
  double apart = search->apart + pair->slack;
  if (pair->of[SAT_OF_A].count > 1) scan = scan_side(pair, SAT_OF_A, scan);
  if (scan.widest <= apart && pair->of[SAT_OF_B].count > 1) scan = scan_side(pair, SAT_OF_B, scan);
  bool unsure = search->exact && fabs(scan.widest) <= pair->slack;
  if (scan.widest > apart || (scan.second < scan.widest - search->tie && !unsure)) {
    search->widest->gap = scan.widest;
    search->widest->side = scan.side;
    search->widest->edge = scan.edge;
    return;
  }
  if (!look_at_side(search, SAT_OF_A)) look_at_side(search, SAT_OF_B);
}

static void walk_round(Search *search) {
  sat_Walk walk = sat_walk_begin(search->pair);
  sat_Facet facet;
  while (sat_walk_next(&walk, &facet))
    if (look_at(search, facet)) return;
}

static sat_Tier tier_by_size(const sat_Pair *pair, bool facet) {
  uint32_t a = pair->of[SAT_OF_A].count, b = pair->of[SAT_OF_B].count;
  if ((uint64_t)a * b <= SCAN_PAIRS) return SAT_SCAN;
  return facet ? SAT_WALK : SAT_EXPANSION;
}

bool sat_widest_facet(const sat_Pair *pair, sat_Quest quest, sat_Facet *widest, bool *ties) {
  if (pair->of[SAT_OF_A].count == 1 && pair->of[SAT_OF_B].count == 1) return false;
  /* Facets within rounding of the widest are looked at, too: exactly, one of them may be apart. */
  Search search = {pair,  max2(quest.tie, pair->slack),         0, widest,
                   false, pair->radius == 0 && quest.reach == 0};
  if (!search.exact) search.apart = quest.reach + pair->slack;
  sat_Tier tier = quest.tier == SAT_BY_SIZE ? tier_by_size(pair, quest.facet) : quest.tier;
  *widest = (sat_Facet){-HUGE_VAL, 0, 0, SAT_UNASKED};
  if (tier == SAT_EXPANSION && sat_expand(pair, search.apart + pair->slack, search.tie, widest, ties))
    return true;
  widest->gap = -HUGE_VAL;
  if (tier == SAT_SCAN) scan_all(&search);
  else walk_round(&search);
  *ties = search.ties;
  return true;
}
