/* lane.c: see lane.h. */
#include "lane.h"

#include "scan.h"

typedef struct Lane {
  sat_Vec2 away;
  double slack;
  sat_Scan scan[2];
} Lane;

/* Up to this many pairs of vertices their scan is quick enough for no more than that. */
#define LANE_PAIRS 144
/* From this many vertices on, bounds of the gaps rule out most edges sooner than their gaps. */
#define BOUNDS_PAY 6
#define MOST_BOUNDS 32

static inline bool are_plain_polygons(const sat_Shape *a, const sat_Shape *b) {
  return a->vertex_count > 2 && b->vertex_count > 2 && a->radius + b->radius == 0;
}

static inline void enter_lane(const sat_Shape *a, const sat_Shape *b, Lane *lane) {
  lane->away = sub(b->origin, a->origin);
  lane->slack =
      SAT_GAP_ROUNDING * (fabs(lane->away.x) + fabs(lane->away.y) + (a->extent + b->extent));
}

static sat_Verdict ask_all_edges(const sat_Shape *a, const sat_Shape *b, Lane *lane) {
  const sat_Vertex *of_a = vertices_of(a), *of_b = vertices_of(b);
  lane->scan[0] =
      sat_scan_side(of_a, a->vertex_count, of_b, b->vertex_count, lane->away, lane->slack);
  if (lane->scan[0].widest > lane->slack) return SAT_APART;
  lane->scan[1] =
      sat_scan_side(of_b, b->vertex_count, of_a, a->vertex_count, neg(lane->away), lane->slack);
  double widest = max2(lane->scan[0].widest, lane->scan[1].widest);
  return widest > lane->slack ? SAT_APART : widest < -lane->slack ? SAT_MEET : SAT_UNSURE;
}

/* The edges of one side that may part the two. The vertex nearest along the line of the centroids
 * bounds each gap from above; the most promising edge is asked first, and those whose bound is
 * negative never. */
static sat_Verdict ask_promising_edges(const sat_Shape *own, const sat_Shape *other, sat_Vec2 away,
                                       double slack) {
  const sat_Vertex *edge = vertices_of(own), *vertex = vertices_of(other);
  uint32_t count = own->vertex_count, others = other->vertex_count, first = 0, left = 0,
           list[MOST_BOUNDS];
  sat_Vec2 back = neg(add(away, sub(other->hub, own->hub)));
  sat_Vec2 nearest = add(away, vertex[sat_scan_support(vertex, others, back)].turned);
  double most = -HUGE_VAL;
  for (uint32_t i = 0; i < count; i++) {
    double bound = dot(edge[i].normal, nearest) - edge[i].offset;
    first = bound > most ? i : first;
    most = max2(bound, most);
    list[left] = i;
    left += bound >= -2 * slack;
  }
  if (left == 0) return SAT_MEET;
  if (sat_edge_gap(&edge[first], vertex, others, away) > slack) return SAT_APART;
  double widest = -HUGE_VAL;
  for (uint32_t k = 0; k < left; k++)
    widest = max2(sat_edge_gap(&edge[list[k]], vertex, others, away), widest);
  return widest > slack ? SAT_APART : widest < -slack ? SAT_MEET : SAT_UNSURE;
}

sat_Verdict sat_overlap_quickly(const sat_Shape *a, const sat_Shape *b) {
  Lane lane;
  sat_Result unused;
  if (!are_plain_polygons(a, b)) return sat_collide_quickly(a, b, &unused);
  enter_lane(a, b, &lane);
  if (boxes_apart(a, b, lane.away, lane.slack)) return SAT_APART;
  if (a->vertex_count > MOST_BOUNDS || b->vertex_count > MOST_BOUNDS) return SAT_UNSURE;
  if (a->vertex_count < BOUNDS_PAY || b->vertex_count < BOUNDS_PAY)
    return ask_all_edges(a, b, &lane);
  if (circles_apart(a, b, lane.away, lane.slack)) return SAT_APART;
  sat_Verdict by_a = ask_promising_edges(a, b, lane.away, lane.slack);
  if (by_a == SAT_APART) return SAT_APART;
  sat_Verdict by_b = ask_promising_edges(b, a, neg(lane.away), lane.slack);
  return by_b == SAT_APART ? SAT_APART : by_a == SAT_UNSURE ? SAT_UNSURE : by_b;
}

static inline void leave_along(sat_Vec2 normal, double depth, sat_Result *result) {
  result->depth = depth;
  result->normal = normal;
  result->vector = mul(normal, depth);
}

static sat_Verdict collide_polygons(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  Lane lane;
  enter_lane(a, b, &lane);
  if (boxes_apart(a, b, lane.away, lane.slack)) return SAT_APART;
  sat_Verdict verdict = ask_all_edges(a, b, &lane);
  const sat_Vertex *edges[2] = {vertices_of(a), vertices_of(b)};
  if (verdict != SAT_MEET) return verdict;
  if (sat_scans_tie(lane.scan, edges[0], edges[1], max2(tie_bound(a, b), lane.slack)))
    return SAT_UNSURE;
  uint32_t side = lane.scan[1].widest > lane.scan[0].widest, edge = lane.scan[side].edge;
  leave_along(mul(edges[side][edge].normal, (double)side * 2 - 1), -lane.scan[side].widest, result);
  result->side = (sat_Side)side;
  result->edge = edge;
  result->corner = false;
  return SAT_MEET;
}

/* Of a polygon and a circle the edge with the widest gap to the centre, or an end of that edge, is
 * nearest to it. `sign` is 1 if the circle is A. */
static sat_Verdict collide_disc(const sat_Shape *polygon, const sat_Shape *disc, double sign,
                                sat_Result *result) {
  const sat_Vertex *edge = vertices_of(polygon);
  uint32_t count = polygon->vertex_count;
  double reach = polygon->radius + disc->radius, tie = tie_bound(polygon, disc);
  Lane lane;
  enter_lane(polygon, disc, &lane);
  sat_Scan scan = sat_scan_side(edge, count, vertices_of(disc), 1, lane.away, reach + lane.slack);
  if (scan.widest > reach + lane.slack) return SAT_APART;
  if (fabs(scan.widest) <= tie || fabs(scan.widest - reach) <= lane.slack) return SAT_UNSURE;
  if (scan.widest < 0 && scan.second >= scan.widest - tie) return SAT_UNSURE;
  uint32_t next = scan.edge + 1 < count ? scan.edge + 1 : 0;
  sat_Vec2 center = vertices_of(disc)->turned,
           along = sub(edge[next].turned, edge[scan.edge].turned);
  double t = dot(add(lane.away, sub(center, edge[scan.edge].turned)), along) / dot(along, along);
  result->side = sign > 0 ? SAT_OF_B : SAT_OF_A;
  result->edge = scan.edge;
  result->corner = scan.widest > 0 && (t < 0 || t > 1);
  if (!result->corner) {
    leave_along(mul(edge[scan.edge].normal, sign), reach - scan.widest, result);
    return result->depth > 0 ? SAT_MEET : SAT_APART;
  }
  uint32_t vertex = t < 0 ? scan.edge : next;
  sat_Vec2 out = add(lane.away, sub(center, edge[vertex].turned));
  double distance = length(out);
  if (fabs(distance - reach) <= lane.slack || distance <= tie) return SAT_UNSURE;
  leave_along(vec2(out.x / distance * sign, out.y / distance * sign), reach - distance, result);
  result->side = SAT_OF_A;
  result->edge = sign > 0 ? 0 : vertex;
  return result->depth > 0 ? SAT_MEET : SAT_APART;
}

sat_Verdict sat_collide_quickly(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  if (are_plain_polygons(a, b)) {
    bool few = (uint64_t)a->vertex_count * b->vertex_count <= LANE_PAIRS;
    return few ? collide_polygons(a, b, result) : SAT_UNSURE;
  }
  if (a->radius + b->radius == 0) return SAT_UNSURE;
  if (b->vertex_count == 1 && a->vertex_count > 2) return collide_disc(a, b, -1, result);
  if (a->vertex_count == 1 && b->vertex_count > 2) return collide_disc(b, a, 1, result);
  return SAT_UNSURE;
}
