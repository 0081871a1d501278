/* convex_pair.c: overlap, the minimum translation vector, contacts, distance and containment of two
 * shapes. All of them ask sat_pair_meets whether the two share a point, so that they never
 * disagree. */
#include "narrowphase/convex_pair.h"

#include "narrowphase/composite_pair.h"
#include "narrowphase/mtv_tie_break.h"
#include "narrowphase/fast_path.h"

/* ---------------------------------------------------------------- do they meet? */

static bool surely_apart(const sat_Shape *a, const sat_Shape *b, const sat_Pair *pair) {
  double reach = pair->radius + pair->slack;
  return boxes_apart(a, b, pair->away[SAT_OF_A], reach) ||
         circles_apart(a, b, pair->away[SAT_OF_A], reach);
}

/* Asks the edge that parted the two last time. Edges are counted from 1, A's first; 0 is none. */
static bool still_apart(const sat_Pair *pair, const sat_Hint *hint, sat_Facet *facet) {
  if (!hint || hint->facet == 0) return false;
  uint32_t edges_of_a = pair->of[SAT_OF_A].count, edge = hint->facet - 1;
  uint32_t side = edge < edges_of_a ? SAT_OF_A : SAT_OF_B;
  if (side == SAT_OF_B) edge -= edges_of_a;
  if (edge >= pair->of[side].count || pair->of[side].count < 2) return false;
  *facet = sat_facet_of(pair, side, edge);
  return facet->gap > pair->radius + pair->slack;
}

static bool part(const sat_Pair *pair, bool gap, sat_Hint *hint, sat_Meeting *meeting) {
  const sat_Facet *facet = &meeting->widest;
  if (hint)
    hint->facet = 1 + facet->edge + (facet->side == SAT_OF_B ? pair->of[SAT_OF_A].count : 0);
  if (gap) meeting->nearest = sat_nearest_from(pair, facet);
  return false;
}

/* Without a radius the exact signs decide. A flat difference needs more than its facets. */
static bool meets_exactly(const sat_Pair *pair, double tie, bool gap, sat_Hint *hint,
                          sat_Meeting *meeting) {
  sat_Quest quest = {0, tie, gap, SAT_BY_SIZE};
  bool facets = sat_widest_facet(pair, quest, &meeting->widest, &meeting->ties);
  if (facets && meeting->widest.gap > 0) return part(pair, gap, hint, meeting);
  meeting->inside = !sat_is_flat(pair);
  if (meeting->inside) return true;
  meeting->nearest =
      facets ? sat_nearest_from(pair, &meeting->widest) : sat_nearest_of_points(pair);
  return sat_flat_holds_origin(pair);
}

bool sat_pair_meets(const sat_Pair *pair, double tie, bool gap, sat_Hint *hint,
                    sat_Meeting *meeting) {
  meeting->ties = false;
  /* The nearest point would be the same but for the last bits, which come from the facet that the
   * search starts at. */
  if (!gap && still_apart(pair, hint, &meeting->widest)) return part(pair, gap, hint, meeting);
  if (pair->radius == 0) return meets_exactly(pair, tie, gap, hint, meeting);
  sat_Quest quest = {pair->radius, tie, gap, SAT_BY_SIZE};
  bool facets = sat_widest_facet(pair, quest, &meeting->widest, &meeting->ties);
  if (facets && meeting->widest.gap > pair->radius + pair->slack)
    return part(pair, gap, hint, meeting);
  meeting->inside = facets && meeting->widest.gap < -pair->slack;
  if (meeting->inside) return true;
  meeting->nearest =
      facets ? sat_nearest_from(pair, &meeting->widest) : sat_nearest_of_points(pair);
  return meeting->nearest.distance <= pair->radius;
}

SAT_NOT_INLINE sat_Status overlaps_at_all(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint) {
  if (is_many(a) || is_many(b)) return sat_bodies_overlap(a, b);
  sat_Pair pair = sat_pair_of(a, b);
  sat_Meeting meeting;
  if (surely_apart(a, b, &pair)) return SAT_MISS;
  return sat_pair_meets(&pair, 0, false, hint, &meeting) ? SAT_OK : SAT_MISS;
}

/* Asking the edge that parted the two last time takes as long as a few vertices do altogether. */
#define HINT_PAYS 32

/* The lane does not tell which edge parts the two: so much is left to those who keep a hint. */
SAT_NOT_INLINE sat_Status overlaps_again(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint) {
  if (is_many(a) || is_many(b)) return sat_bodies_overlap(a, b);
  sat_Pair pair = sat_pair_of(a, b);
  sat_Facet facet;
  if (surely_apart(a, b, &pair) || still_apart(&pair, hint, &facet)) return SAT_MISS;
  return sat_lane()->overlap(a, b) == SAT_MEET ? SAT_OK : overlaps_at_all(a, b, hint);
}

static inline sat_Status status_of(sat_Verdict verdict) {
  return verdict == SAT_MEET ? SAT_OK : SAT_MISS;
}

sat_Status sat_overlaps(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                        sat_Scratch *scratch) {
  (void)scratch;
  if (hint && a->vertex_count + b->vertex_count > HINT_PAYS) return overlaps_again(a, b, hint);
  sat_Verdict verdict = sat_lane()->overlap(a, b);
  return verdict != SAT_UNSURE ? status_of(verdict) : overlaps_at_all(a, b, hint);
}

/* ---------------------------------------------------------------- the shortest way out */

/* One of several ways out. */
typedef struct Way {
  sat_Vec2 normal;
  double depth;
  sat_Facet facet;
  bool corner;
  uint32_t vertex_of_a; /* the corner's */
} Way;

/* What decides between equally short ones. */
typedef struct Choice {
  const sat_Pair *pair;
  sat_Vec2 apart; /* from B's centroid to A's; 0, 0 where they coincide */
  bool found;
  Way best;
} Choice;

static double largest_coordinate(const sat_Shape *shape) {
  sat_Vec2 o = shape->origin;
  double x = max2(fabs(o.x + shape->box.min.x), fabs(o.x + shape->box.max.x));
  double y = max2(fabs(o.y + shape->box.min.y), fabs(o.y + shape->box.max.y));
  return max2(x, y) + shape->radius;
}

double sat_coordinate_rounding(const sat_Shape *a, const sat_Shape *b) {
  return SAT_ULPS_8 * max2(largest_coordinate(a), largest_coordinate(b));
}

static void consider(Choice *choice, const Way *way) {
  if (choice->found && !sat_better_way(choice->apart, way->normal, choice->best.normal)) return;
  choice->best = *way;
  choice->found = true;
}

static void consider_facets(Choice *choice, double least_gap) {
  const sat_Pair *pair = choice->pair;
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  while (sat_walk_next(&walk, &facet)) {
    if (facet.gap < least_gap - pair->slack) continue;
    double gap = pair->radius == 0 ? sat_settled_gap(pair, &facet) : facet.gap;
    if (gap < least_gap) continue;
    Way way = {facet_normal(pair, &facet), pair->radius - gap, facet, false, 0};
    consider(choice, &way);
  }
}

/* A round corner of D at the origin lets out in every direction between its two facets, equally
 * far. The best of them is the one that leads from centroid to centroid, if it is among them; the
 * ends of the range are facets'. */
static void consider_corner(Choice *choice, double tie) {
  const sat_Pair *pair = choice->pair;
  const sat_Convex *a = &pair->of[SAT_OF_A], *b = &pair->of[SAT_OF_B];
  double size = length(choice->apart);
  sat_Vec2 best = size > 0 ? vec2(choice->apart.x / size, choice->apart.y / size) : vec2(1, 0);
  uint32_t of_a = sat_support_index(a, neg(best));
  uint32_t of_b = sat_support_index(b, best);
  sat_Vec2 corner = corner_of(pair, of_a, of_b);
  if (length(corner) > tie) return;
  Way way = {best, pair->radius + dot(corner, best), {0, 0, 0, 0}, true, of_a};
  consider(choice, &way);
}

static void leave_by_facet(const sat_Pair *pair, const sat_Facet *facet, double depth,
                           sat_Result *result) {
  result->depth = max2(depth, 0);
  result->normal = facet_normal(pair, facet);
  result->vector = result->depth > 0 ? mul(result->normal, result->depth) : vec2(0, 0);
  result->side = (sat_Side)facet->side;
  result->edge = facet->edge;
  result->corner = false;
}

static void leave_by_corner(sat_Vec2 normal, uint32_t vertex_of_a, double depth,
                            sat_Result *result) {
  result->depth = max2(depth, 0);
  result->normal = normal;
  result->vector = result->depth > 0 ? mul(normal, result->depth) : vec2(0, 0);
  result->side = SAT_OF_A;
  result->edge = vertex_of_a;
  result->corner = true;
}

/* Of all ways out that are as short as `gap` below the radius says, give or take `tie`, the one
 * that the rule wants. */
static void choose_way(const sat_Shape *a, const sat_Shape *b, const sat_Pair *pair, double gap,
                       double tie, bool in_core, sat_Result *result) {
  sat_Vec2 apart = neg(add(pair->away[SAT_OF_A], sub(b->hub, a->hub)));
  if (fabs(apart.x) + fabs(apart.y) <= sat_coordinate_rounding(a, b)) apart = vec2(0, 0);
  Choice choice = {pair, apart, false, {{0, 0}, 0, {0, 0, 0, 0}, false, 0}};
  consider_facets(&choice, gap - tie);
  if (!in_core) consider_corner(&choice, tie);
  const Way *best = &choice.best;
  if (!choice.found) return;
  double depth = gap == pair->radius
                     ? 0
                     : best->depth; /* a touch stays one whichever of its normals is taken */
  if (best->corner) leave_by_corner(best->normal, best->vertex_of_a, depth, result);
  else leave_by_facet(pair, &best->facet, depth, result);
}

void sat_way_out(const sat_Shape *a, const sat_Shape *b, const sat_Pair *pair,
                 const sat_Meeting *meeting, sat_Result *result) {
  const sat_Nearest *nearest = &meeting->nearest;
  double gap = meeting->inside ? meeting->widest.gap : nearest->distance,
         depth = pair->radius - gap;
  if (meeting->inside) leave_by_facet(pair, &meeting->widest, depth, result);
  else if (nearest->corner)
    leave_by_corner(nearest->normal, nearest->vertex_of[SAT_OF_A], depth, result);
  else leave_by_facet(pair, &nearest->facet, depth, result);
  if (meeting->inside && pair->radius == 0 && !meeting->ties) return;
  double tie = SAT_TIE_RELATIVE * depth + sat_coordinate_rounding(a, b);
  bool in_core = meeting->inside && (pair->radius == 0 || gap < -tie);
  if (in_core ? meeting->ties : meeting->inside || gap <= tie)
    choose_way(a, b, pair, meeting->inside ? gap : 0, tie, in_core, result);
}

sat_Status sat_collide_at_all(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                              sat_Scratch *scratch, sat_Result *result) {
  if (is_many(a) || is_many(b)) return sat_bodies_collide(a, b, scratch, result);
  sat_Pair pair = sat_pair_of(a, b);
  sat_Meeting meeting;
  if (surely_apart(a, b, &pair)) return SAT_MISS;
  if (!sat_pair_meets(&pair, tie_bound(a, b), false, hint, &meeting)) return SAT_MISS;
  sat_way_out(a, b, &pair, &meeting, result);
  return SAT_OK;
}

sat_Status sat_collide(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint, sat_Scratch *scratch,
                       sat_Result *result) {
  return sat_lane()->collide(a, b, hint, scratch, result);
}

/* ---------------------------------------------------------------- touching but for rounding */

/* Whether two that do not overlap are no farther apart than rounding. The hint may know an edge
 * that parts them. */
static bool nearly_touch(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint) {
  double reach = sat_touch_rounding(a, b);
  if (is_many(a) || is_many(b)) return sat_bodies_nearly_touch(a, b, reach);
  sat_Pair pair = sat_pair_of(a, b);
  sat_Meeting meeting;
  pair.radius += reach;
  return !surely_apart(a, b, &pair) && sat_pair_meets(&pair, 0, false, hint, &meeting);
}

sat_Status sat_touch(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                     sat_Result *result, bool *near) {
  sat_Hint hint = {0};
  sat_Verdict verdict = sat_lane()->touch(a, b, result);
  *near = false;
  if (verdict != SAT_UNSURE) return status_of(verdict);
  sat_Status status = sat_collide_at_all(a, b, &hint, scratch, result);
  if (status == SAT_MISS) *near = nearly_touch(a, b, &hint);
  return status;
}

/* ---------------------------------------------------------------- contacts */

/* Where the segment from `out` to `in` meets the line that the first is `beyond` and the second
 * `behind` by. An end within `slack` of the line is on it. */
static sat_Vec2 meet_line(sat_Vec2 out, sat_Vec2 in, double beyond, double behind, double slack) {
  return behind <= slack ? in : lerp(out, in, beyond / (beyond + behind));
}

/* What is left of the segment from p to q on the side of a line where dot(normal, x) <= limit, give
 * or take `slack`. False: nothing. */
static bool clip(sat_Vec2 *p, sat_Vec2 *q, sat_Vec2 normal, double limit, double slack) {
  double at_p = dot(normal, *p) - limit, at_q = dot(normal, *q) - limit;
  if (at_p > slack && at_q > slack) return false;
  if (at_p > slack) *p = meet_line(*p, *q, at_p, -at_q, slack);
  else if (at_q > slack) *q = meet_line(*q, *p, at_q, -at_p, slack);
  return true;
}

/* The edge at `vertex` that faces the direction `against` most. */
static uint32_t incident_edge(const sat_Convex *convex, uint32_t vertex, sat_Vec2 against) {
  uint32_t before = previous_index(convex, vertex);
  double of_before = dot(normal_of(convex->edges, before), against);
  return of_before < dot(normal_of(convex->edges, vertex), against) ? before : vertex;
}

/* A point moved along a unit normal onto the line where dot(normal, x) == level; one that is within
 * `slack` of the line stays as it is. */
static sat_Vec2 put_on_line(sat_Vec2 p, sat_Vec2 normal, double level, double slack) {
  double gap = level - dot(normal, p);
  return fabs(gap) <= slack ? p : add(p, mul(normal, gap));
}

/* Clips the incident edge against the sides of the reference edge. What is beyond the reference
 * face is no contact. The rest is projected on the line along which the two touch once A has moved
 * by the `rest` of the depth: the reference face where that is B's, else as far behind A's. */
static void clip_contacts(const sat_Pair *pair, const sat_Result *result, double incident_radius,
                          double rest, sat_Manifold *out) {
  const sat_Convex *own = &pair->of[result->side], *other = &pair->of[!result->side];
  sat_Vec2 normal = normal_of(own->edges, result->edge), start = own->vertex[result->edge],
           stop = own->vertex[next_index(own, result->edge)];
  double limit = offset_of(own->edges, result->edge) + pair->radius;
  uint32_t vertex = sat_facet_of(pair, result->side, result->edge).vertex;
  sat_Vec2 deepest = add(pair->away[result->side], other->vertex[vertex]), p = deepest, q = deepest;
  if (other->count > 1) {
    uint32_t edge = incident_edge(other, vertex, normal);
    p = add(pair->away[result->side], other->vertex[edge]);
    q = add(pair->away[result->side], other->vertex[next_index(other, edge)]);
  }
  sat_Vec2 along = perp(normal);
  bool left = clip(&p, &q, along, dot(along, stop), 0) &&
              clip(&p, &q, neg(along), -dot(along, start), 0) &&
              clip(&p, &q, normal, limit, pair->slack);
  if (!left) p = q = deepest; /* by rounding alone: the deepest vertex is between the sides */
  double level = result->side == SAT_OF_A ? limit - rest : limit;
  p = put_on_line(p, normal, level, pair->slack);
  q = put_on_line(q, normal, level, pair->slack);
  sat_Vec2 to_surface = sub(own->origin, mul(normal, incident_radius));
  out->points[0] = add(p, to_surface);
  out->points[1] = add(q, to_surface);
  sat_Vec2 apart = sub(out->points[1], out->points[0]); /* far from 0, 0 the two may be one */
  bool near = fabs(p.x - q.x) + fabs(p.y - q.y) <= pair->slack;
  out->count = near || (apart.x == 0 && apart.y == 0) ? 1 : 2;
}

void sat_pair_contacts(const sat_Pair *pair, const double radius[2], const sat_Result *way,
                       double rest, sat_Manifold *manifold) {
  const sat_Convex *a = &pair->of[SAT_OF_A];
  manifold->normal = way->normal;
  manifold->depth = way->depth;
  if (way->corner) {
    sat_Vec2 corner = add(a->origin, a->vertex[way->edge]);
    manifold->count = 1;
    manifold->points[0] = add(corner, mul(way->normal, rest - radius[SAT_OF_A]));
    return;
  }
  clip_contacts(pair, way, radius[!way->side], rest, manifold);
}

void sat_contacts_of(const sat_Shape *a, const sat_Shape *b, const sat_Result *way,
                     sat_Manifold *manifold) {
  sat_Pair pair = sat_pair_of(a, b);
  double radius[2] = {a->radius, b->radius};
  sat_pair_contacts(&pair, radius, way, way->depth, manifold);
}

sat_Status sat_contacts(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                        sat_Scratch *scratch, sat_Manifold *manifold) {
  sat_Result way;
  if (is_many(a) || is_many(b)) return sat_bodies_contacts(a, b, scratch, manifold);
  sat_Status status = sat_collide(a, b, hint, scratch, &way);
  if (status == SAT_OK) sat_contacts_of(a, b, &way, manifold);
  return status;
}

/* ---------------------------------------------------------------- distance */

/* A point of both cores, the origin being inside D: D as a fan of triangles about its first corner,
 * the origin's barycentric coordinates in the one that holds it, and the same mixture of one side's
 * vertices. */
static sat_Vec2 common_point(const sat_Pair *pair, uint32_t side) {
  const sat_Vec2 *vertex = pair->of[side].vertex;
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  uint32_t from[2], to[2], hub[2];
  sat_walk_next(&walk, &facet);
  sat_facet_ends(pair, &facet, hub, to);
  sat_Vec2 center = corner_of(pair, hub[0], hub[1]), start = vertex[hub[side]], point = start;
  double best = -HUGE_VAL;
  while (sat_walk_next(&walk, &facet)) {
    sat_facet_ends(pair, &facet, from, to);
    sat_Vec2 p = corner_of(pair, from[0], from[1]), q = corner_of(pair, to[0], to[1]);
    double of_hub = cross(p, q), of_p = cross(q, center), of_q = cross(center, p),
           all = of_hub + of_p + of_q;
    double worst = min2(of_hub, min2(of_p, of_q));
    if (!(all > 0) || worst <= best) continue;
    best = worst;
    sat_Vec2 to_p = sub(vertex[from[side]], start), to_q = sub(vertex[to[side]], start);
    point = add(start, add(mul(to_p, of_p / all), mul(to_q, of_q / all)));
  }
  return add(pair->of[side].origin, point);
}

static sat_Distance no_distance(const sat_Pair *pair, const double radius[2],
                                const double extent[2], sat_Meeting *meeting) {
  sat_Vec2 point;
  if (meeting->inside && meeting->widest.gap < -pair->slack) {
    /* the smaller one's rounding */
    point = common_point(pair, extent[0] < extent[1] ? SAT_OF_A : SAT_OF_B);
  } else {
    if (meeting->inside) meeting->nearest = sat_nearest_from(pair, &meeting->widest);
    sat_Vec2 on_a = sat_nearest_witness(pair, &meeting->nearest, SAT_OF_A);
    sat_Vec2 on_b = sat_nearest_witness(pair, &meeting->nearest, SAT_OF_B);
    point = pair->radius > 0 ? lerp(on_a, on_b, radius[0] / pair->radius) : on_a;
  }
  sat_Distance none = {0, point, point};
  return none;
}

sat_Distance sat_pair_distance(const sat_Pair *pair, const double radius[2], const double extent[2],
                               sat_Hint *hint) {
  sat_Meeting meeting;
  if (sat_pair_meets(pair, 0, true, hint, &meeting))
    return no_distance(pair, radius, extent, &meeting);
  const sat_Nearest *nearest = &meeting.nearest;
  sat_Vec2 on_a = sat_nearest_witness(pair, nearest, SAT_OF_A),
           on_b = sat_nearest_witness(pair, nearest, SAT_OF_B);
  sat_Distance result;
  result.distance =
      max2(nearest->distance - pair->radius, DBL_MIN); /* apart is apart, however near */
  result.on_a = sub(on_a, mul(nearest->normal, radius[0]));
  result.on_b = add(on_b, mul(nearest->normal, radius[1]));
  return result;
}

sat_Status sat_distance(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                        sat_Scratch *scratch, sat_Distance *result) {
  (void)scratch;
  if (is_many(a) || is_many(b)) {
    *result = sat_bodies_distance(a, b);
    return SAT_OK;
  }
  double radius[2] = {a->radius, b->radius}, extent[2] = {a->extent, b->extent};
  sat_Pair pair = sat_pair_of(a, b);
  *result = sat_pair_distance(&pair, radius, extent, hint);
  return SAT_OK;
}

/* ---------------------------------------------------------------- containment */

static const sat_Vec2 lone_vertex; /* at its origin */

bool sat_core_holds(const sat_Convex *a, double extent, sat_Vec2 origin, const sat_Vec2 *vertex,
                    double margin) {
  sat_Convex point = {vertex, NULL, origin, 1};
  double extents = extent + fabs(vertex->x) + fabs(vertex->y);
  sat_Pair pair = sat_pair_make(*a, point, extents, max2(margin, 0));
  sat_Meeting meeting;
  if (!sat_pair_meets(&pair, 0, false, NULL, &meeting)) return false;
  return margin >= 0 || (a->count > 2 && meeting.widest.gap <= margin);
}

/* B is in A where each of B's corners, a disc of B's radius, is: A's core grown by the one radius
 * and shrunk by the other must hold the vertices. */
sat_Status sat_contains(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch) {
  if (is_many(a) || is_many(b)) return sat_bodies_contain(a, b, scratch);
  sat_Convex convex = sat_convex_of(a);
  for (uint32_t i = 0; i < b->vertex_count; i++)
    if (!sat_core_holds(&convex, a->extent, b->origin, &vertices_of(b)[i], a->radius - b->radius))
      return SAT_MISS;
  return SAT_OK;
}

sat_Status sat_contains_point(const sat_Shape *shape, sat_Vec2 point, sat_Scratch *scratch) {
  (void)scratch;
  if (is_many(shape)) return sat_bodies_contain_point(shape, point);
  sat_Convex convex = sat_convex_of(shape);
  return sat_core_holds(&convex, shape->extent, point, &lone_vertex, shape->radius) ? SAT_OK
                                                                                    : SAT_MISS;
}
