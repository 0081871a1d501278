/* convex_sweep.c: casts of two sharp polygons of few vertices, by a scan of all edges for the time
 * at which the ray passes each.
 *
 * The answer is made of the numbers of the general cast, in its order; the facet that is entered is
 * found by cheaper ones, where those differ by far more than their rounding. */
#include "narrowphase/configuration_space.h"
#include "narrowphase/convex/convex_cast.h"
#include "narrowphase/convex/simd/separation_simd.h"

/* The most vertices of a polygon. */
#define MOST_SWEPT 16

typedef struct PolygonSweep {
  const sat_Pair *pair;
  sat_Vec2 motion;
  double sure, hair, size; /* as in convex_ray.c */
  /* The facets in blocks of four, A's before B's: the separations at the start, and their growth in
   * the time of the motion. */
  double4 separation[2 * MOST_SWEPT / 4], speed[2 * MOST_SWEPT / 4];
  uint32_t blocks;
} PolygonSweep;

static void measure_side(PolygonSweep *sweep, uint32_t side) {
  const sat_Convex *own = &sweep->pair->of[side], *other = &sweep->pair->of[!side];
  sat_Vec2 offset = sweep->pair->origin_offset[side],
           motion = side == SAT_B ? sweep->motion : neg(sweep->motion);
  for (uint32_t block = 0; block < edge_block_count(own->count); block++) {
    ScanNormals normals = normals_of(&own->edges[block], offset);
    sweep->separation[sweep->blocks] = separations_to(&normals, other->vertex, other->count);
    sweep->speed[sweep->blocks++] = double4_dot(normals.x, normals.y, motion);
  }
}

/* The facets whose separation at a time is at least a limit, as bits. */
static uint32_t facets_beyond(const PolygonSweep *sweep, double t, double limit) {
  uint32_t beyond = 0;
  for (uint32_t block = 0; block < sweep->blocks; block++) {
    double4 way = double4_mul(sweep->speed[block], double4_of(t));
    beyond |= double4_at_least(double4_add(sweep->separation[block], way), limit) << 4 * block;
  }
  return beyond;
}

/* The time at which the ray has passed all facets that it comes nearer to; -HUGE_VAL where it moves
 * away from one that it is outside of. */
static double entry_time(const PolygonSweep *sweep) {
  double4 latest = double4_of(-HUGE_VAL), never = latest, zero = double4_of(0);
  for (uint32_t block = 0; block < sweep->blocks; block++) {
    double4 separation = sweep->separation[block], speed = sweep->speed[block];
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

/* A box that moves, or a ray, towards a box: which edges meet, and whether the hit may be at a
 * corner of both. */
typedef struct BoxSweep {
  sat_UprightSides of[2];
  sat_Vec2 origin, offset, motion; /* B's origin, and the way there from A's */
  double sure, error_bound;        /* `sure`: a length that is surely more than rounding */
  uint32_t edge[2];
  bool at_corner;
} BoxSweep;

/* Where a ray from the origin enters a box: `*axis` is 0 or 1 for the pair of sides which it gets
 * between last, at the time `*t`. `sure` is a length that is surely more than rounding. A ray that
 * comes within rounding of what decides is left undecided, and so is one that starts between those
 * sides. Both axes are computed at once, without a branch. */
SAT_INLINE sat_Verdict enter_box(double2 low, double2 high, sat_Vec2 motion, double sure,
                                 uint32_t *axis, double *t) {
  double hair = sure * (fabs(motion.x) + fabs(motion.y));
  double2 way = double2_of(motion.x, motion.y), speed = double2_max(way, double2_neg(way)),
          half = double2_of(0.5, 0.5);
  double2 entry = double2_min(double2_div(low, way), double2_div(high, way)),
          along = double2_min(double2_mul(low, way), double2_mul(high, way)),
          place = double2_mul(double2_across(way, way), entry), /* along the other axis */
      inside = double2_min(double2_sub(place, double2_across(low, low)),
                           double2_sub(double2_across(high, high), place)),
          least = double2_min(double2_mul(double2_sub(high, low), half),
                              double2_min(double2_mul(entry, speed), speed));
  double of_entry[2], of_inside[2], of_least[2];
  double2_store_pair(of_entry, entry);
  double2_store_pair(of_inside, double2_mul(inside, speed));
  double2_store_pair(of_least, least);
  uint32_t k = *axis = of_entry[1] > of_entry[0];
  /* not before the nearest corner */
  *t = max2(of_entry[k], double2_sum(along) / dot(motion, motion));
  if (!(of_least[k] >= sure) || !(fabs(of_inside[k]) >= hair)) return SAT_UNDECIDED;
  return of_inside[k] < 0 || *t > 1 ? SAT_SEPARATE : SAT_OVERLAP;
}

/* The normals of the sides, as sat_outward_of computes those of B's edges, and of A's. */
static const double side_normals[2][4][2] = {{{-1, -0.0}, {0, -1}, {1, -0.0}, {0, 1}},
                                             {{-1, 0}, {-0.0, -1}, {1, 0}, {-0.0, 1}}};

/* Two edges that meet, by the sides that they are: A's front and B's back. B's edge leads from the
 * side `begin` to the side `end`, and A's back; both vertices of an edge are as near to the other
 * one, so that the first counts, on the side near_a or near_b. B is `ahead` of A and `beside`. */
typedef struct ContactEdges {
  uint32_t front, back, begin, end, near_a, near_b;
  double ahead, beside, forth; /* `forth`: 1, or -1 for a front of smaller coordinates */
} ContactEdges;

/* The place of a corner along an edge, 0 to 1, times the square of the edge's length. */
SAT_INLINE double place_along(double beside, double of_b, double of_a, double edge) {
  return -((beside + (of_b - of_a)) * edge);
}

/* The point of two edges, along that of B, with the bits of the search for the closest feature. The
 * search begins with the edge of the greater separation and the near vertex of the other one; a
 * vertex beside the edge gives way to the end that lies on the other edge. No branch depends on the
 * boxes: it would take longer than all that is computed for nothing. Returns false if undecided. */
SAT_INLINE bool point_of_edges(const BoxSweep *sweep, const ContactEdges *edges, double *at) {
  const double *a = sweep->of[SAT_A].at, *b = sweep->of[SAT_B].at;
  uint32_t begin = edges->begin, end = edges->end, near_a = edges->near_a, near_b = edges->near_b;
  double beside = edges->beside, edge_a = a[end] - a[begin], edge_b = b[end] - b[begin],
         by_a = edges->forth * (edges->ahead - a[edges->front] + b[edges->back]),
         by_b = edges->forth * (edges->ahead + b[edges->back] - a[edges->front]),
         past = beside + (b[end] - a[end]);
  uint32_t from_b = by_b > by_a;
  const double lengths[2] = {edge_a, edge_b}, squares[2] = {edge_a * edge_a, edge_b * edge_b},
               places[2] = {place_along(beside, b[near_b], a[end], edge_a),
                            place_along(beside, b[begin], a[near_a], edge_b)},
               at_end = place_along(beside, b[begin], a[end], edge_b) / squares[1],
               points[4] = {b[end], b[begin] + edge_b * at_end, b[near_b],
                            b[begin] + edge_b * (places[1] / squares[1])};
  double inside = min2(places[from_b], squares[from_b] - places[from_b]),
         outside = -inside - sweep->sure * fabs(lengths[from_b]),
         certain = min2(fabs(past) - sweep->sure, sweep->error_bound - fabs(max2(by_a, by_b)));
  uint32_t is_inside = inside >= 0, is_past = (past > 0) ^ (end < 2);
  *at = points[2 * is_inside + (is_past ^ ((is_past ^ from_b) & -is_inside))];
  /* the corner between the two ends may be nearer */
  return max2(inside, min2(outside, certain)) >= 0;
}

SAT_INLINE sat_Verdict sweep_box(BoxSweep *sweep, bool is_ray, sat_Hit *hit) {
  static const double signs[2] = {-1, 1};
  const double *a = sweep->of[SAT_A].at, *b = sweep->of[SAT_B].at;
  const double offset[2] = {sweep->offset.x, sweep->offset.y},
               motion[2] = {sweep->motion.x, sweep->motion.y},
               origin[2] = {sweep->origin.x, sweep->origin.y};
  double2 from = double2_of(offset[0], offset[1]),
          low = double2_sub(double2_load_pair(b), double2_load_pair(a + 2)),
          high = double2_sub(double2_load_pair(b + 2), double2_load_pair(a));
  uint32_t axis;
  double t;
  sat_Verdict verdict = enter_box(double2_add(from, low), double2_add(from, high), sweep->motion,
                                  sweep->sure, &axis, &t);
  if (verdict != SAT_OVERLAP) return verdict;
  uint32_t across = axis ^ 1, forth = motion[axis] > 0, front = axis + 2 * forth, back = front ^ 2,
           end = across + 2 * (forth ^ across), begin = end ^ 2,
           of_a = (front - sweep->of[SAT_A].first) & 3, of_b = (back - sweep->of[SAT_B].first) & 3;
  ContactEdges edges = {front,
                        back,
                        begin,
                        end,
                        end ^ 2u * (of_a == 3),
                        begin ^ 2u * (of_b == 3),
                        offset[axis] - motion[axis] * t,
                        offset[across] - motion[across] * t,
                        signs[forth]};
  double beside = edges.beside, edge = b[end] - b[begin],
         at = b[begin] + edge * (place_along(beside, b[begin], 0, edge) / (edge * edge));
  if (!is_ray && !point_of_edges(sweep, &edges, &at)) return SAT_UNDECIDED;
  bool is_of_a = !is_ray && (of_a == 0) & (of_b == 3);
  const double *normal = side_normals[is_of_a][back];
  double point[2];
  point[axis] = origin[axis] + b[back] + normal[axis] * 0;
  point[across] = origin[across] + at + normal[across] * 0;
  hit->t = t;
  hit->normal = vec2(normal[0], normal[1]);
  hit->point = vec2(point[0], point[1]);
  sweep->edge[SAT_A] = of_a;
  sweep->edge[SAT_B] = of_b;
  double from_a = min2(fabs(at + beside - a[begin]), fabs(at + beside - a[end])),
         from_b = min2(fabs(at - b[begin]), fabs(at - b[end]));
  sweep->at_corner = max2(from_a, from_b) <= sweep->sure;
  return SAT_OVERLAP;
}

sat_Verdict sat_ray_at_box(sat_UprightSides box, sat_Vec2 origin, sat_Vec2 from, sat_Vec2 motion,
                           double rounding, uint32_t *edge, sat_Hit *hit) {
  static const double point[4] = {0, 0, 0, 0};
  BoxSweep sweep = {
      {{point, 0}, box}, origin, sub(origin, from), motion, 4 * rounding, 0, {0, 0}, false};
  sat_Verdict verdict = sweep_box(&sweep, true, hit);
  *edge = sweep.edge[SAT_B];
  return verdict;
}

/* The margin is not less than the distance of sat_is_corner_hit, and quicker to tell. */
sat_Verdict sat_boxes_cast(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, bool *at_corner,
                           sat_Hit *hit) {
  sat_Vec2 offset = sub(b->origin, a->origin);
  double2 from = double2_load(&a->origin), to = double2_load(&b->origin);
  double bounds = a->l1_bound + b->l1_bound, far = double2_sum(double2_abs(double2_sub(to, from))),
         place = double2_sum(double2_add(double2_abs(from), double2_abs(to)));
  BoxSweep sweep = {{sat_sides_of_shape(a), sat_sides_of_shape(b)},
                    b->origin,
                    offset,
                    motion,
                    (SAT_ACTIVE + 1) * SAT_TOUCH_ERROR * (place + 2 * bounds),
                    SAT_SEPARATION_ROUNDING * (far + bounds),
                    {0, 0},
                    false};
  sat_Verdict verdict = sweep_box(&sweep, false, hit);
  *at_corner = sweep.at_corner;
  return verdict;
}

SAT_NOT_INLINE sat_Verdict sweep_upright(const PolygonSweep *polygons, const sat_PiecePair *pieces,
                                         sat_Hit *hit) {
  const sat_Pair *pair = polygons->pair;
  sat_Box of_a, of_b;
  BoxSweep sweep = {{sat_sides_of(&pair->of[SAT_A], &of_a), sat_sides_of(&pair->of[SAT_B], &of_b)},
                    pair->of[SAT_B].origin,
                    pair->origin_offset[SAT_A],
                    polygons->motion,
                    polygons->sure,
                    pair->error_bound,
                    {0, 0},
                    false};
  sat_Verdict verdict = sweep_box(&sweep, false, hit);
  bool internal = any_is_internal(pieces, SAT_A, 1u << sweep.edge[SAT_A]) ||
                  any_is_internal(pieces, SAT_B, 1u << sweep.edge[SAT_B]);
  return verdict == SAT_OVERLAP && internal ? SAT_UNDECIDED : verdict;
}

/* ---------------------------------------------------------------- the question */

static bool is_swept(const sat_Convex *convex) {
  return convex->count > 2 && convex->count <= MOST_SWEPT;
}

sat_Verdict sat_polygon_sweep(const sat_Pair *pair, const sat_PiecePair *pieces,
                              const sat_Motion *motion, sat_Hit *hit) {
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  if (pair->radius > 0 || !is_swept(a) || !is_swept(b) || motion->by_all) return SAT_UNDECIDED;
  PolygonSweep sweep;
  sweep.pair = pair;
  sweep.blocks = 0;
  sweep.motion = motion->vector;
  sweep.sure = 4 * motion->rounding;
  sweep.size = dot(motion->vector, motion->vector);
  sweep.hair = sweep.sure * (fabs(motion->vector.x) + fabs(motion->vector.y));
  if (sweep.hair == 0) return SAT_UNDECIDED;
  if (sat_may_be_upright(a) && sat_may_be_upright(b) && sat_is_upright(a) && sat_is_upright(b)) {
    sat_Verdict verdict = sweep_upright(&sweep, pieces, hit);
    if (verdict != SAT_UNDECIDED) return verdict;
  }
  measure_side(&sweep, SAT_A);
  uint32_t bits_of_a = 4 * sweep.blocks;
  measure_side(&sweep, SAT_B);
  double t = entry_time(&sweep);
  if (t == -HUGE_VAL) return SAT_SEPARATE;
  if (facets_beyond(&sweep, t, sweep.sure)) return t > 0 ? SAT_SEPARATE : SAT_UNDECIDED;
  uint32_t entered = facets_beyond(&sweep, t, -sweep.sure), of_b = entered >> bits_of_a,
           of_a = entered & ((1u << bits_of_a) - 1);
  if (!(facets_beyond(&sweep, 0, sweep.sure) & entered) || (of_a & (of_a - 1)) ||
      (of_b & (of_b - 1)) || any_is_internal(pieces, SAT_A, of_a) ||
      any_is_internal(pieces, SAT_B, of_b))
    return SAT_UNDECIDED;
  if (of_a && of_b) return enter_two(&sweep, lowest_bit(of_a), lowest_bit(of_b), hit);
  uint32_t side = of_b ? SAT_B : SAT_A;
  return enter_one(&sweep, side, lowest_bit(of_b ? of_b : of_a), hit);
}
