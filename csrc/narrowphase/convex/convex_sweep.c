/* convex_sweep.c: casts of two sharp polygons of few vertices, by a scan of all edges for the time
 * at which the ray passes each.
 *
 * The answer is made of the numbers of the general cast, in its order; the facet that is entered is
 * found by cheaper ones, where those differ by far more than their rounding. */
#include "narrowphase/convex/convex_cast.h"
#include "narrowphase/convex/simd/separation_simd.h"

/* The most vertices of a polygon, in blocks of four edges. */
#define SWEEP_BLOCKS 4

typedef struct PolygonSweep {
  const sat_Pair *pair;
  sat_Vec2 motion;
  double sure, hair, size; /* as in convex_ray.c */
  double4 separation[2][SWEEP_BLOCKS], speed[2][SWEEP_BLOCKS];
} PolygonSweep;

/* The separations of one side's facets at the start, and their growth in the time of the motion. */
static void measure_side(PolygonSweep *sweep, uint32_t side) {
  const sat_Convex *own = &sweep->pair->of[side], *other = &sweep->pair->of[!side];
  sat_Vec2 offset = sweep->pair->origin_offset[side],
           motion = side == SAT_B ? sweep->motion : neg(sweep->motion);
  for (uint32_t block = 0; block < edge_block_count(own->count); block++) {
    ScanNormals normals = normals_of(&own->edges[block], offset);
    sweep->separation[side][block] = separations_to(&normals, other->vertex, other->count);
    sweep->speed[side][block] = double4_dot(normals.x, normals.y, motion);
  }
}

/* The facets of one side whose separation at a time is at least a limit, as bits. */
static uint32_t facets_beyond(const PolygonSweep *sweep, uint32_t side, double t, double limit) {
  uint32_t beyond = 0;
  for (uint32_t block = 0; block < edge_block_count(sweep->pair->of[side].count); block++) {
    double4 way = double4_mul(sweep->speed[side][block], double4_of(t));
    beyond |= double4_at_least(double4_add(sweep->separation[side][block], way), limit)
              << 4 * block;
  }
  return beyond;
}

/* The time at which the ray has passed all facets that it comes nearer to; -HUGE_VAL where it moves
 * away from one that it is outside of. */
static double entry_time(const PolygonSweep *sweep) {
  double4 latest = double4_of(-HUGE_VAL), never = latest, zero = double4_of(0);
  for (uint32_t side = 0; side < 2; side++)
    for (uint32_t block = 0; block < edge_block_count(sweep->pair->of[side].count); block++) {
      double4 separation = sweep->separation[side][block], speed = sweep->speed[side][block];
      if (double4_at_least(separation, sweep->sure) & double4_at_least(speed, 0)) return -HUGE_VAL;
      double4 time = double4_div(separation, double4_sub(zero, speed));
      latest = double4_max(double4_where_more(zero, speed, time, never), latest);
    }
  return double4_greatest(latest);
}

/* A facet of D with its start, and the entry by it. */
typedef struct SweepFacet {
  sat_Facet facet;
  sat_Vec2 along, outward, start;
  double t, closing; /* `closing`: how fast the ray comes nearer, in lengths of `outward` */
} SweepFacet;

static sat_Vec2 sweep_edge(const sat_Pair *pair, uint32_t side, uint32_t edge) {
  const sat_Convex *own = &pair->of[side];
  sat_Vec2 along = sub(own->vertex[next_index(own, edge)], own->vertex[edge]);
  return side == SAT_A ? neg(along) : along;
}

static void sweep_facet(const PolygonSweep *sweep, uint32_t side, uint32_t edge, uint32_t vertex,
                        SweepFacet *entry) {
  entry->facet = (sat_Facet){0, side, edge, vertex};
  entry->along = sweep_edge(sweep->pair, side, edge);
  entry->outward = sat_outward_of(entry->along);
  entry->start = sat_facet_start(sweep->pair, &entry->facet);
  entry->closing = -dot(entry->outward, sweep->motion);
  entry->t = -dot(entry->outward, entry->start) / entry->closing;
}

/* Where the origin is along a facet that starts there: 0 at its start, 1 at its end. */
static double place_on(sat_Vec2 along, sat_Vec2 start) {
  return -dot(start, along) / dot(along, along);
}

/* Whether the ray passes into D between two of its corners, beyond rounding. */
static bool passes_between(const PolygonSweep *sweep, sat_Vec2 from, sat_Vec2 to) {
  return cross(sweep->motion, from) > sweep->hair && cross(sweep->motion, to) < -sweep->hair;
}

static bool is_usable(const PolygonSweep *sweep, const SweepFacet *entry) {
  sat_Vec2 normal = facet_normal(sweep->pair, &entry->facet);
  return dot(normal, sweep->motion) < -sweep->sure && !sat_is_turned(entry->along, normal);
}

static sat_Verdict sweep_hit(const SweepFacet *entry, double t, sat_Vec2 point, sat_Hit *hit) {
  hit->t = t;
  hit->normal = sat_unit(entry->outward);
  hit->point = add(point, mul(hit->normal, 0));
  return SAT_OVERLAP;
}

/* The time of an entry, not before the first corner of D. */
static double time_from_corners(const PolygonSweep *sweep, double t, double first, double last) {
  return max2(t, min2(first, last) / sweep->size);
}

static sat_Verdict enter_one(const PolygonSweep *sweep, uint32_t side, uint32_t edge,
                             sat_Hit *hit) {
  const sat_Pair *pair = sweep->pair;
  SweepFacet entry;
  sat_Vec2 inward = neg(normal_of(pair->of[side].edges, edge));
  sweep_facet(sweep, side, edge, sat_support_by_scan(&pair->of[!side], inward), &entry);
  sat_Vec2 stop = sat_facet_stop(pair, &entry.facet);
  if (!is_usable(sweep, &entry) || !passes_between(sweep, entry.start, stop)) return SAT_UNDECIDED;
  double t =
      time_from_corners(sweep, entry.t, dot(sweep->motion, entry.start), dot(sweep->motion, stop));
  if (t > 1) return SAT_SEPARATE;
  const sat_Convex *b = &pair->of[SAT_B];
  sat_Vec2 point = b->vertex[side == SAT_B ? edge : entry.facet.vertex];
  if (side == SAT_B) {
    sat_Vec2 offset = sub(pair->origin_offset[SAT_A], mul(sweep->motion, t)),
             from_a = sub(point, pair->of[SAT_A].vertex[entry.facet.vertex]);
    double place = place_on(entry.along, add(offset, from_a));
    point = lerp(point, b->vertex[next_index(b, edge)], place);
  }
  return sweep_hit(&entry, t, add(b->origin, point), hit);
}

/* Two parallel edges that meet: of each side the edge, the vertex with which the other side's edge
 * is a facet, and the one that is nearest to that edge. */
typedef struct FacingEdgePair {
  uint32_t edge[2], vertex[2], nearest[2];
} FacingEdgePair;

/* The separation of a side's edge, as B's origin is seen from A's. */
static double separation_at(const PolygonSweep *sweep, uint32_t side, const FacingEdgePair *facing,
                            sat_Vec2 offset) {
  const sat_Convex *own = &sweep->pair->of[side];
  sat_Vec2 normal = normal_of(own->edges, facing->edge[side]),
           nearest = sweep->pair->of[!side].vertex[facing->nearest[!side]];
  return (dot(normal, side == SAT_B ? neg(offset) : offset) -
          offset_of(own->edges, facing->edge[side])) +
         dot(normal, nearest);
}

/* The contact of two parallel edges, as the search for the closest feature finds it. */
static bool point_of_two(const PolygonSweep *sweep, const FacingEdgePair *facing, double t,
                         sat_Vec2 *point) {
  const sat_Convex *a = &sweep->pair->of[SAT_A], *b = &sweep->pair->of[SAT_B];
  const sat_Vec2 *p = &a->vertex[facing->edge[SAT_A]], *q = &b->vertex[facing->edge[SAT_B]],
                 *q_end = &b->vertex[next_index(b, facing->edge[SAT_B])],
                 *of_facet = &b->vertex[facing->vertex[SAT_B]],
                 *nearest = &b->vertex[facing->nearest[SAT_B]];
  sat_Vec2 offset = sub(sweep->pair->origin_offset[SAT_A], mul(sweep->motion, t)),
           along_a = sub(*p, a->vertex[next_index(a, facing->edge[SAT_A])]),
           along_b = sub(*q_end, *q);
  double from_a = separation_at(sweep, SAT_A, facing, offset),
         from_b = separation_at(sweep, SAT_B, facing, offset);
  bool by_b = from_b > from_a;
  sat_Vec2 start = by_b ? sub(*q, a->vertex[facing->nearest[SAT_A]]) : sub(*nearest, *p);
  double place = place_on(by_b ? along_b : along_a, add(offset, start)),
         at_a = place_on(along_a, add(offset, sub(*of_facet, *p))),
         at_b = place_on(along_b, add(offset, sub(*q, a->vertex[facing->vertex[SAT_A]])));
  bool on_a = at_a >= 0 && at_a <= 1, on_b = at_b >= 0 && at_b <= 1;
  double beyond = max2(-place, place - 1), size_a = fabs(along_a.x) + fabs(along_a.y),
         size_b = fabs(along_b.x) + fabs(along_b.y),
         past = of_facet == q ? at_b * size_b : at_a * size_a;
  bool inside = beyond <= 0;
  if (!inside && (min2(fabs(past), beyond * (by_b ? size_b : size_a)) < sweep->sure ||
                  on_a == on_b || fabs(max2(from_a, from_b)) > sweep->pair->error_bound))
    return false; /* the corner between the two, or that of the nearest ends, may be nearer */
  bool is_vertex = inside ? !by_b : !on_b;
  *point = is_vertex ? *(inside ? nearest : of_facet) : lerp(*q, *q_end, inside ? place : at_b);
  *point = add(b->origin, *point);
  return true;
}

/* Of two facets on one line that of the later entry counts, then that which the ray comes nearer to
 * faster, then the first of the walk. */
static bool enters_later(const SweepFacet *a, const SweepFacet *b, bool is_before) {
  if (a->t != b->t) return a->t > b->t;
  double opposition = a->closing / length(a->outward), other = b->closing / length(b->outward);
  return opposition != other ? opposition > other : is_before;
}

/* Two parallel edges, one after the other: facets of one line. */
static sat_Verdict enter_two(const PolygonSweep *sweep, uint32_t of_a, uint32_t of_b,
                             sat_Hit *hit) {
  const sat_Pair *pair = sweep->pair;
  bool b_first = cross(sweep_edge(pair, SAT_B, of_b), sweep_edge(pair, SAT_A, of_a)) >= 0;
  uint32_t next_a = next_index(&pair->of[SAT_A], of_a), next_b = next_index(&pair->of[SAT_B], of_b);
  SweepFacet a, b;
  sweep_facet(sweep, SAT_A, of_a, b_first ? next_b : of_b, &a);
  sweep_facet(sweep, SAT_B, of_b, b_first ? of_a : next_a, &b);
  sat_Vec2 start = b_first ? b.start : a.start, middle = b_first ? a.start : b.start,
           stop = sat_facet_stop(pair, b_first ? &a.facet : &b.facet), point;
  bool parallel = are_back_to_back(normal_of(pair->of[SAT_A].edges, of_a),
                                   normal_of(pair->of[SAT_B].edges, of_b));
  if (!parallel || !is_usable(sweep, &a) || !is_usable(sweep, &b) ||
      !passes_between(sweep, start, stop))
    return SAT_UNDECIDED;
  /* the walk around D begins with edge 0 of A, or with an edge of B that is parallel to it */
  bool walks_b_first = b_first && (of_a > 0 || sat_walk_begin(pair).at[SAT_B] == of_b);
  bool is_b = enters_later(&b, &a, walks_b_first);
  double low = min2(dot(sweep->motion, start), dot(sweep->motion, middle));
  double t = time_from_corners(sweep, is_b ? b.t : a.t, low, dot(sweep->motion, stop));
  if (t > 1) return SAT_SEPARATE;
  FacingEdgePair facing = {
      {of_a, of_b},
      {b.facet.vertex, a.facet.vertex},
      {sat_facet_of(pair, SAT_B, of_b).vertex, sat_facet_of(pair, SAT_A, of_a).vertex}};
  if (!point_of_two(sweep, &facing, t, &point)) return SAT_UNDECIDED;
  return sweep_hit(is_b ? &b : &a, t, point, hit);
}

/* Whether the shape goes on behind any of a side's edges that are given as bits. */
static bool any_is_internal(const sat_PiecePair *pieces, uint32_t side, uint32_t edges) {
  const bool *internal = pieces ? pieces->of[side]->internal : NULL;
  return edges && internal && internal[pieces->piece[side]->first + lowest_bit(edges)];
}

/* ---------------------------------------------------------------- upright boxes */

SAT_NOT_INLINE sat_Verdict sweep_upright(const PolygonSweep *sweep, const sat_PiecePair *pieces,
                                         sat_Hit *hit) {
  const sat_Pair *pair = sweep->pair;
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  uint32_t axis;
  double t;
  sat_Vec2 point;
  sat_Verdict verdict =
      sat_enter_box(pair->origin_offset[SAT_A], double2_sub(sat_low_corner(b), sat_high_corner(a)),
                    double2_sub(sat_high_corner(b), sat_low_corner(a)), sweep->motion, sweep->sure,
                    sweep->hair, &axis, &t);
  if (verdict != SAT_OVERLAP) return verdict;
  uint32_t of_a = sat_upright_edge(a, axis, sweep->motion, false), next_a = (of_a + 1) & 3,
           of_b = sat_upright_edge(b, axis, sweep->motion, true), next_b = (of_b + 1) & 3;
  /* both vertices of an edge are as near: the first one counts */
  FacingEdgePair facing = {
      {of_a, of_b}, {of_a, next_b}, {of_a < next_a ? of_a : next_a, of_b < next_b ? of_b : next_b}};
  if (any_is_internal(pieces, SAT_A, 1u << of_a) || any_is_internal(pieces, SAT_B, 1u << of_b) ||
      !point_of_two(sweep, &facing, t, &point))
    return SAT_UNDECIDED;
  hit->t = t;
  bool is_of_b = of_a > 0 || of_b < 3; /* else the zero has the other sign */
  hit->normal = is_of_b ? sat_upright_normal(axis, sweep->motion)
                        : neg(sat_upright_normal(axis, neg(sweep->motion)));
  hit->point = add(point, mul(hit->normal, 0));
  return SAT_OVERLAP;
}

/* ---------------------------------------------------------------- the question */

static bool is_swept(const sat_Convex *convex) {
  return convex->count > 2 && convex->count <= 4 * SWEEP_BLOCKS;
}

static void begin_polygon_sweep(PolygonSweep *sweep, const sat_Pair *pair,
                                const sat_Motion *motion) {
  sat_Vec2 vector = motion->vector;
  sweep->pair = pair;
  sweep->motion = vector;
  sweep->sure = 4 * motion->rounding;
  sweep->size = dot(vector, vector);
  sweep->hair = sweep->sure * (fabs(vector.x) + fabs(vector.y));
}

sat_Verdict sat_upright_sweep(const sat_Shape *a, const sat_Motion *motion, const sat_Shape *b,
                              sat_Hit *hit) {
  PolygonSweep sweep;
  sat_Pair pair = sat_convex_pair(a, b);
  begin_polygon_sweep(&sweep, &pair, motion);
  return sweep_upright(&sweep, NULL, hit);
}

sat_Verdict sat_polygon_sweep(const sat_Pair *pair, const sat_PiecePair *pieces,
                              const sat_Motion *motion, sat_Hit *hit) {
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  if (pair->radius > 0 || !is_swept(a) || !is_swept(b) || motion->by_all) return SAT_UNDECIDED;
  PolygonSweep sweep;
  begin_polygon_sweep(&sweep, pair, motion);
  if (sweep.hair == 0) return SAT_UNDECIDED;
  if (sat_may_be_upright(a) && sat_may_be_upright(b) && sat_is_upright(a) && sat_is_upright(b)) {
    sat_Verdict verdict = sweep_upright(&sweep, pieces, hit);
    if (verdict != SAT_UNDECIDED) return verdict;
  }
  measure_side(&sweep, SAT_A);
  measure_side(&sweep, SAT_B);
  double t = entry_time(&sweep);
  if (t == -HUGE_VAL) return SAT_SEPARATE;
  if (facets_beyond(&sweep, SAT_A, t, sweep.sure) | facets_beyond(&sweep, SAT_B, t, sweep.sure))
    return t > 0 ? SAT_SEPARATE : SAT_UNDECIDED;
  uint32_t of_a = facets_beyond(&sweep, SAT_A, t, -sweep.sure),
           of_b = facets_beyond(&sweep, SAT_B, t, -sweep.sure);
  uint32_t outside = (facets_beyond(&sweep, SAT_A, 0, sweep.sure) & of_a) |
                     (facets_beyond(&sweep, SAT_B, 0, sweep.sure) & of_b);
  if (!outside || (of_a & (of_a - 1)) || (of_b & (of_b - 1)) ||
      any_is_internal(pieces, SAT_A, of_a) || any_is_internal(pieces, SAT_B, of_b))
    return SAT_UNDECIDED;
  if (of_a && of_b) return enter_two(&sweep, lowest_bit(of_a), lowest_bit(of_b), hit);
  uint32_t side = of_b ? SAT_B : SAT_A;
  return enter_one(&sweep, side, lowest_bit(of_b ? of_b : of_a), hit);
}
