/* max_separation.c: see narrowphase/max_separation.h. */
#include "narrowphase/max_separation.h"

#include "narrowphase/epa.h"
#include "narrowphase/fast_path.h"

/* Up to this many pairs of vertices the scan beats the calipers, and those up to this many edges
 * the expansion: measured on polygons that the processor has not learned by heart. */
#define SCAN_PAIRS 144
#define CALIPERS_EDGES 256

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

static double edge_gap(const sat_Convex *own, uint32_t edge, const sat_Convex *other,
                       sat_Vec2 away) {
  sat_Vec2 normal = normal_of(own->edges, edge);
  double least = dot(normal, other->vertex[0]);
  for (uint32_t i = 1; i < other->count; i++) least = min2(dot(normal, other->vertex[i]), least);
  return (dot(normal, away) - offset_of(own->edges, edge)) + least;
}

static bool look_at_side(Search *search, uint32_t side) {
  const sat_Convex *own = &search->pair->of[side], *other = &search->pair->of[!side];
  for (uint32_t i = 0; own->count > 1 && i < own->count; i++) {
    double gap = edge_gap(own, i, other, search->pair->away[side]);
    if (look_at(search, (sat_Facet){gap, side, i, SAT_UNASKED})) return true;
  }
  return false;
}

static sat_Scan ask_side(const Search *search, sat_Tier tier, uint32_t side) {
  const sat_Convex *own = &search->pair->of[side], *other = &search->pair->of[!side];
  sat_Vec2 away = search->pair->away[side];
  double apart = search->apart + search->pair->slack;
  if (own->count < 2) return SAT_NOTHING_SCANNED;
  return (tier == SAT_SCAN ? sat_lane()->scan : sat_lane()->turn)(own, other, away, apart);
}

/* By scan or calipers. Mostly one facet is the widest by far and its sign is beyond doubt; else
 * false: each has to be looked at more closely. */
static bool ask_sides(Search *search, sat_Tier tier) {
  const sat_Pair *pair = search->pair;
  const sat_Edges *edges[2] = {pair->of[0].edges, pair->of[1].edges};
  double apart = search->apart + pair->slack;
  sat_Scan scan[2] = {ask_side(search, tier, SAT_OF_A), SAT_NOTHING_SCANNED};
  if (scan[0].widest <= apart) scan[1] = ask_side(search, tier, SAT_OF_B);
  uint32_t side = scan[1].widest > scan[0].widest ? SAT_OF_B : SAT_OF_A;
  bool unsure = search->exact && fabs(scan[side].widest) <= pair->slack;
  if (scan[side].widest <= apart) {
    if (unsure || scans_tie(scan, edges, search->tie)) return false;
  }
  *search->widest = (sat_Facet){scan[side].widest, side, scan[side].edge, SAT_UNASKED};
  return true;
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
  return facet || (uint64_t)a + b <= CALIPERS_EDGES ? SAT_CALIPERS : SAT_EXPANSION;
}

bool sat_widest_facet(const sat_Pair *pair, sat_Quest quest, sat_Facet *widest, bool *ties) {
  if (pair->of[SAT_OF_A].count == 1 && pair->of[SAT_OF_B].count == 1) return false;
  /* Facets within rounding of the widest are looked at, too: exactly, one of them may be apart. */
  double tie = max2(quest.tie, pair->slack);
  Search search = {pair, tie, 0, widest, false, pair->radius == 0 && quest.reach == 0};
  if (!search.exact) search.apart = quest.reach + pair->slack;
  sat_Tier tier = quest.tier == SAT_BY_SIZE ? tier_by_size(pair, quest.facet) : quest.tier;
  *widest = (sat_Facet){-HUGE_VAL, 0, 0, SAT_UNASKED};
  *ties = false;
  if (tier == SAT_EXPANSION && sat_expand(pair, search.apart + pair->slack, tie, widest, ties))
    return true;
  if (tier == SAT_EXPANSION) tier = SAT_CALIPERS;
  if (ask_sides(&search, tier)) return true;
  widest->gap = -HUGE_VAL;
  if (tier == SAT_CALIPERS) walk_round(&search);
  else if (!look_at_side(&search, SAT_OF_A)) look_at_side(&search, SAT_OF_B);
  *ties = search.ties;
  return true;
}
