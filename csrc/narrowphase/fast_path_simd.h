/* fast_path_simd.h: the fast lane, for the instruction set of the file that includes it, which
 * defines LANE as the name of the table that comes of it.
 *
 * On small polygons one wrong guess of the processor's costs more than all the projections of an
 * edge: so every gap of both sides is taken, without a branch, and the answer is asked for once, at
 * the end. */
#include "narrowphase/separation_simd.h"

/* Up to this many vertices of either side all gaps are taken. */
#define MOST_SCANNED 16
/* Up to this many the calipers are quicker than the expansion. */
#define MOST_TURNED 256

/* What both sides of a question have in common. */
typedef struct Both {
  sat_Convex of[2];
  sat_Vec2 away[2];
  double slack, tie, apart; /* gaps beyond the last are answered as apart */
} Both;

/* A gap beyond this has the sign of the exact one: see SAT_GAP_ROUNDING. */
SAT_INLINE double slack_of(const sat_Shape *a, const sat_Shape *b, sat_Vec2 away) {
  return SAT_GAP_ROUNDING * (fabs(away.x) + fabs(away.y) + (a->extent + b->extent));
}

SAT_INLINE Both both_of(const sat_Shape *a, const sat_Shape *b, bool clearly) {
  sat_Vec2 away = sub(b->origin, a->origin);
  double slack = slack_of(a, b, away), tie = max2(tie_bound(a, b), slack);
  double apart = clearly ? CLEARLY * tie : slack;
  return (Both){{sat_convex_of(a), sat_convex_of(b)}, {away, neg(away)}, slack, tie, apart};
}

SAT_INLINE sat_Verdict verdict_of(const Both *both, double widest) {
  return widest > both->apart ? SAT_APART : widest < -both->slack ? SAT_MEET : SAT_UNSURE;
}

SAT_INLINE void leave_along(sat_Vec2 normal, double depth, sat_Result *result) {
  result->depth = depth;
  result->normal = normal;
  result->vector = mul(normal, depth);
}

/* By the edge that has the widest gap, which is negative. */
SAT_INLINE void leave_by_edge(const Both *both, uint32_t side, uint32_t edge, double gap,
                              sat_Result *result) {
  sat_Vec2 normal = normal_of(both->of[side].edges, edge);
  leave_along(mul(normal, (double)side * 2 - 1), -gap, result);
  result->side = (sat_Side)side;
  result->edge = edge;
  result->corner = false;
}

/* ---------------------------------------------------------------- all gaps */

/* The gaps of one side's edges. The counts are parameters of their own below: where they are
 * constants the loops are written out, which takes half the time. */
typedef struct Gaps {
  Four of[MOST_SCANNED / 4];
  double widest;
} Gaps;

SAT_INLINE Gaps take_gaps(const sat_Edges *own, uint32_t count, const sat_Vec2 *other,
                          uint32_t others, sat_Vec2 away) {
  Gaps gaps;
  Four widest = four_of(-HUGE_VAL);
  SAT_UNROLL
  for (uint32_t i = 0; i < fours_of(count); i++) {
    Normals normals = normals_of(&own[i], away);
    gaps.of[i] = gaps_to(&normals, other, others);
    widest = i ? four_max(gaps.of[i], widest) : gaps.of[i];
  }
  gaps.widest = four_greatest(widest);
  return gaps;
}

/* A bit for each edge whose gap is at least that. */
SAT_INLINE uint32_t edges_at_least(const Gaps *gaps, uint32_t count, double limit) {
  uint32_t bits = 0;
  SAT_UNROLL
  for (uint32_t i = 0; i < fours_of(count); i++)
    bits |= four_at_least(gaps->of[i], limit) << (4 * i);
  return bits;
}

SAT_INLINE bool is_one_bit(uint32_t bits) { return (bits & (bits - 1)) == 0; }

/* Whether of these edges of both sides more than one axis is left. */
SAT_INLINE bool are_rivals(const Both *both, uint32_t of_a, uint32_t of_b) {
  if (of_a == 0) return !is_one_bit(of_b);
  if (of_b == 0) return !is_one_bit(of_a);
  if (!is_one_bit(of_a) || !is_one_bit(of_b)) return true;
  return !are_back_to_back(normal_of(both->of[0].edges, lowest_bit(of_a)),
                           normal_of(both->of[1].edges, lowest_bit(of_b)));
}

SAT_INLINE sat_Verdict scan_both(const Both *both, uint32_t count_a, uint32_t count_b,
                                 sat_Result *result) {
  const sat_Convex *a = &both->of[0], *b = &both->of[1];
  Gaps of_a = take_gaps(a->edges, count_a, b->vertex, count_b, both->away[0]);
  Gaps of_b = take_gaps(b->edges, count_b, a->vertex, count_a, both->away[1]);
  double widest = max2(of_a.widest, of_b.widest), rival = widest - both->tie;
  sat_Verdict verdict = verdict_of(both, widest);
  if (!result || verdict != SAT_MEET) return verdict;
  if (are_rivals(both, edges_at_least(&of_a, count_a, rival), edges_at_least(&of_b, count_b, rival)))
    return SAT_UNSURE;
  bool side = of_b.widest > of_a.widest;
  uint32_t edges =
      side ? edges_at_least(&of_b, count_b, widest) : edges_at_least(&of_a, count_a, widest);
  leave_by_edge(both, side, lowest_bit(edges), widest, result);
  return SAT_MEET;
}

SAT_INLINE sat_Verdict scan_polygons(const Both *both, uint32_t of_a, uint32_t of_b,
                                     sat_Result *result) {
  switch (of_a == of_b ? of_a : 0) {
  case 3: return scan_both(both, 3, 3, result);
  case 4: return scan_both(both, 4, 4, result);
  case 6: return scan_both(both, 6, 6, result);
  case 8: return scan_both(both, 8, 8, result);
  default: return scan_both(both, of_a, of_b, result);
  }
}

/* ---------------------------------------------------------------- more vertices */

SAT_NOT_INLINE sat_Verdict turn_both(const Both *both, sat_Result *result) {
  const sat_Edges *edges[2] = {both->of[0].edges, both->of[1].edges};
  sat_Scan scan[2];
  for (int i = 0; i < 2; i++) {
    scan[i] = turn_edges(&both->of[i], &both->of[!i], both->away[i], both->apart);
    if (scan[i].widest > both->apart) return SAT_APART;
  }
  uint32_t side = scan[1].widest > scan[0].widest;
  sat_Verdict verdict = verdict_of(both, scan[side].widest);
  if (verdict != SAT_MEET) return verdict;
  if (scans_tie(scan, edges, both->tie)) return SAT_UNSURE;
  leave_by_edge(both, side, scan[side].edge, scan[side].widest, result);
  return SAT_MEET;
}

/* The edges of one side that may part the two: the vertex nearest along the line of the centroids
 * bounds each gap from above, and those whose bound is negative are not asked. */
static sat_Verdict ask_promising_edges(const Both *both, int side, sat_Vec2 toward) {
  const sat_Convex *own = &both->of[side], *other = &both->of[!side];
  const sat_Vec2 *nearest = &other->vertex[sat_support_index(other, neg(toward))];
  double widest = -HUGE_VAL;
  for (uint32_t row = 0; row < fours_of(own->count); row++) {
    Normals normals = normals_of(&own->edges[row], both->away[side]);
    if (four_greatest(gaps_to(&normals, nearest, 1)) < -both->slack) continue;
    widest = max2(four_greatest(gaps_to(&normals, other->vertex, other->count)), widest);
    if (widest > both->slack) return SAT_APART;
  }
  return verdict_of(both, widest);
}

SAT_NOT_INLINE sat_Verdict ask_from_centers(const Both *both, sat_Vec2 toward) {
  sat_Verdict by_a = ask_promising_edges(both, 0, toward);
  if (by_a == SAT_APART) return SAT_APART;
  sat_Verdict by_b = ask_promising_edges(both, 1, neg(toward));
  return by_b == SAT_APART ? SAT_APART : by_a == SAT_UNSURE ? SAT_UNSURE : by_b;
}

/* `clearly`: see sat_Lane.touch. */
SAT_INLINE sat_Verdict meet_polygons(const sat_Shape *a, const sat_Shape *b, bool clearly,
                                     sat_Result *result) {
  Both both = both_of(a, b, clearly);
  uint32_t of_a = a->vertex_count, of_b = b->vertex_count, more = of_a > of_b ? of_a : of_b;
  if (boxes_apart(a, b, both.away[0], both.apart)) return SAT_APART;
  if (more <= MOST_SCANNED) return scan_polygons(&both, of_a, of_b, result);
  if (more > MOST_TURNED) return SAT_UNSURE;
  if (result) return turn_both(&both, result);
  if (circles_apart(a, b, both.away[0], both.slack)) return SAT_APART;
  return ask_from_centers(&both, add(both.away[0], sub(b->hub, a->hub)));
}

/* ---------------------------------------------------------------- a polygon and a circle */

/* What the question comes down to. */
typedef struct Disc {
  const sat_Edges *edges;
  sat_Vec2 away, center; /* from the polygon's origin to the circle's, and its centre from there */
  double reach, slack, tie, apart;
  double sign; /* 1 if the circle is A */
} Disc;

/* Past an edge's end the corner is nearest. */
SAT_INLINE sat_Verdict leave_corner(Disc disc, uint32_t corner, sat_Vec2 at, sat_Result *result) {
  sat_Vec2 out = add(disc.away, sub(disc.center, at));
  double distance = sqrt(dot(out, out));
  if (fabs(distance - disc.reach) <= disc.slack || distance <= disc.tie) return SAT_UNSURE;
  if (distance > disc.reach) return distance - disc.reach > disc.apart ? SAT_APART : SAT_UNSURE;
  if (!result) return SAT_MEET;
  leave_along(vec2(out.x / distance * disc.sign, out.y / distance * disc.sign),
              disc.reach - distance, result);
  result->side = SAT_OF_A;
  result->edge = disc.sign > 0 ? 0 : corner;
  result->corner = true;
  return SAT_MEET;
}

SAT_INLINE sat_Verdict leave_side(Disc disc, uint32_t edge, double gap, sat_Result *result) {
  if (gap > disc.reach) return gap > disc.reach + disc.apart ? SAT_APART : SAT_UNSURE;
  if (!result) return SAT_MEET;
  leave_along(mul(normal_of(disc.edges, edge), disc.sign), disc.reach - gap, result);
  result->side = disc.sign > 0 ? SAT_OF_B : SAT_OF_A;
  result->edge = edge;
  result->corner = false;
  return SAT_MEET;
}

/* The edge with the widest gap to the centre, or an end of that edge, is nearest to it. Between
 * edges whose gaps are equal but for rounding, as they are beside a nearly straight corner, the
 * gaps do not tell which edge is nearest. Branches come as soon as their conditions are known. */
SAT_INLINE sat_Verdict ask_disc(Disc disc, uint32_t count, sat_Result *result) {
  Gaps gaps = take_gaps(disc.edges, count, &disc.center, 1, disc.away);
  double widest = gaps.widest;
  if (widest > disc.reach + disc.apart) return SAT_APART;
  if (fabs(widest) <= disc.tie || fabs(widest - disc.reach) <= disc.slack) return SAT_UNSURE;
  uint32_t edges = edges_at_least(&gaps, count, widest - disc.tie);
  if (!is_one_bit(edges)) return SAT_UNSURE;
  uint32_t edge = lowest_bit(edges), next = (edge + 1) * (edge + 1 < count);
  const sat_Vec2 *vertex = (const sat_Vec2 *)(disc.edges + (count + 3) / 4);
  if (widest < 0) return leave_side(disc, edge, widest, result);
  sat_Vec2 along = sub(vertex[next], vertex[edge]);
  double t = dot(add(disc.away, sub(disc.center, vertex[edge])), along);
  if (t < 0) return leave_corner(disc, edge, vertex[edge], result);
  if (t > dot(along, along)) return leave_corner(disc, next, vertex[next], result);
  return leave_side(disc, edge, widest, result);
}

SAT_INLINE sat_Verdict meet_disc(const sat_Shape *polygon, const sat_Shape *circle, double sign,
                                 uint32_t count, bool clearly, sat_Result *result) {
  sat_Vec2 away = sub(circle->origin, polygon->origin);
  const sat_Vec2 *center = (const sat_Vec2 *)(circle + 1); /* it has no edges before it */
  double slack = slack_of(polygon, circle, away), tie = max2(tie_bound(polygon, circle), slack);
  double reach = polygon->radius + circle->radius, apart = clearly ? CLEARLY * tie : slack;
  Disc disc = {edges_of(polygon), away, *center, reach, slack, tie, apart, sign};
  return ask_disc(disc, count, result);
}

/* ---------------------------------------------------------------- the table */

/* What a pair is to the lane: nothing, two polygons, or a polygon and a circle, the polygon being A
 * or B. */
typedef enum Kind { NEITHER, POLYGONS, DISC_LAST, DISC_FIRST } Kind;

SAT_INLINE bool is_few(uint32_t count) { return count > 2 && count <= MOST_SCANNED; }

SAT_INLINE Kind kind_of(const sat_Shape *a, const sat_Shape *b) {
  uint32_t of_a = a->vertex_count, of_b = b->vertex_count;
  if (of_a > 2 && of_b > 2) return a->radius + b->radius > 0 ? NEITHER : POLYGONS;
  if (of_b == 1 && is_few(of_a) && b->radius > 0) return DISC_LAST;
  if (of_a == 1 && is_few(of_b) && a->radius > 0) return DISC_FIRST;
  return NEITHER;
}

/* The functions of the table are one question each for one kind of pair, and hand over by calling
 * what comes last, so that none has to keep anything beyond a call. */
SAT_INLINE sat_Status settle(sat_Verdict verdict, const sat_Shape *a, const sat_Shape *b,
                             sat_Hint *hint, sat_Scratch *scratch, sat_Result *result) {
  if (verdict == SAT_UNSURE) return sat_collide_at_all(a, b, hint, scratch, result);
  return verdict == SAT_MEET ? SAT_OK : SAT_MISS;
}

SAT_NOT_INLINE sat_Status collide_polygons(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                                           sat_Scratch *scratch, sat_Result *result) {
  return settle(meet_polygons(a, b, false, result), a, b, hint, scratch, result);
}

SAT_NOT_INLINE sat_Status collide_octagon(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                                          sat_Scratch *scratch, sat_Result *result) {
  return settle(meet_disc(a, b, -1, 8, false, result), a, b, hint, scratch, result);
}

SAT_NOT_INLINE sat_Status collide_disc(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                                       sat_Scratch *scratch, sat_Result *result) {
  sat_Verdict verdict = a->vertex_count > 1 ? meet_disc(a, b, -1, a->vertex_count, false, result)
                                            : meet_disc(b, a, 1, b->vertex_count, false, result);
  return settle(verdict, a, b, hint, scratch, result);
}

static sat_Status collide(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                          sat_Scratch *scratch, sat_Result *result) {
  switch (kind_of(a, b)) {
  case POLYGONS: return collide_polygons(a, b, hint, scratch, result);
  case DISC_LAST:
    return a->vertex_count == 8 ? collide_octagon(a, b, hint, scratch, result)
                                : collide_disc(a, b, hint, scratch, result);
  case DISC_FIRST: return collide_disc(a, b, hint, scratch, result);
  default: return sat_collide_at_all(a, b, hint, scratch, result);
  }
}

static sat_Verdict touch(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  switch (kind_of(a, b)) {
  case POLYGONS: return meet_polygons(a, b, true, result);
  case DISC_LAST: return meet_disc(a, b, -1, a->vertex_count, true, result);
  case DISC_FIRST: return meet_disc(b, a, 1, b->vertex_count, true, result);
  default: return SAT_UNSURE;
  }
}

SAT_NOT_INLINE sat_Verdict overlap_polygons(const sat_Shape *a, const sat_Shape *b) {
  return meet_polygons(a, b, false, NULL);
}

SAT_NOT_INLINE sat_Verdict overlap_octagon(const sat_Shape *polygon, const sat_Shape *circle) {
  return meet_disc(polygon, circle, 1, 8, false, NULL);
}

SAT_NOT_INLINE sat_Verdict overlap_disc(const sat_Shape *polygon, const sat_Shape *circle) {
  return meet_disc(polygon, circle, 1, polygon->vertex_count, false, NULL);
}

static sat_Verdict overlap(const sat_Shape *a, const sat_Shape *b) {
  switch (kind_of(a, b)) {
  case POLYGONS: return overlap_polygons(a, b);
  case DISC_LAST: return a->vertex_count == 8 ? overlap_octagon(a, b) : overlap_disc(a, b);
  case DISC_FIRST: return overlap_disc(b, a);
  default: return SAT_UNSURE;
  }
}

static sat_Scan scan(const sat_Convex *own, const sat_Convex *other, sat_Vec2 away, double apart) {
  return scan_edges(own, other, away, apart);
}

static sat_Scan turn(const sat_Convex *own, const sat_Convex *other, sat_Vec2 away, double apart) {
  return turn_edges(own, other, away, apart);
}

const sat_Lane LANE = {collide, touch, overlap, scan, turn};
