/* visible.c: the area that is seen from a place: which edges of which shapes face an eye. */
#include "base/tolerance.h"
#include "narrowphase/composite/chain_neighbors.h"
#include "polygon/polygon.h"
#include "shape/bvh.h"
#include "world/filter.h"

/* The chords of a circle, and those of a quarter of it. */
enum { CHORDS = 64, QUARTER = CHORDS / 4 };

static const double COSINES[QUARTER + 1] = SAT_COSINES_64;

/* The unit vector at k / CHORDS of a turn. */
static sat_Vec2 spoke(uint32_t k) {
  sat_Vec2 way = vec2(COSINES[k % QUARTER], COSINES[QUARTER - k % QUARTER]);
  for (uint32_t quarter = k / QUARTER % 4; quarter > 0; quarter--) way = perp(way);
  return way;
}

/* A convex piece with its radius. */
typedef struct SeenPiece {
  const sat_PieceView *view;
  const sat_Piece *piece;
  sat_Convex convex;
  double radius;
  uint32_t front; /* the one edge that faces out, or SAT_NOT_ACTIVE: all do */
} SeenPiece;

static sat_Vec2 vertex_at(const sat_Convex *convex, uint32_t index) {
  return add(convex->origin, convex->vertex[index]);
}

/* How far the eye is outside of an edge. */
static double ahead_of(const sat_Eye *eye, const sat_Convex *convex, uint32_t edge) {
  return dot(normal_of(convex->edges, edge), sub(eye->at, convex->origin)) -
         offset_of(convex->edges, edge);
}

/* ---------------------------------------------------------------- what faces the eye */

/* The normals of the arc at a vertex, from `low` to `high`. False: there is none. At the vertex of
 * a one-sided chain they are those between its segments, where it turns outward from its front. */
static bool find_arc(const SeenPiece *seen, uint32_t vertex, sat_Vec2 *low, sat_Vec2 *high) {
  const sat_Convex *convex = &seen->convex;
  sat_ChainVertex corner;
  *low = normal_of(convex->edges, previous_index(convex, vertex));
  *high = normal_of(convex->edges, vertex);
  if (seen->front == SAT_NOT_ACTIVE) return true;
  if (!sat_chain_vertex_at(seen->view, seen->piece, vertex, &corner)) return true;
  sat_Vec2 outward = mul(perp(corner.next), 1 / length(corner.next));
  if (vertex == seen->front) *low = outward;
  else *high = neg(outward);
  return corner.arc > SAT_SAME_NORMAL;
}

/* Narrows the normals of a circle's arc about `center`, as seen from the eye, to those that face
 * the eye; `whole` arcs are circles. False: none does. */
static bool face_eye(sat_Vec2 center, double radius, bool whole, sat_Vec2 *low, sat_Vec2 *high) {
  double distance = length(center), square = distance * distance;
  double tangent = sqrt(max2((distance - radius) * (distance + radius), 0));
  sat_Vec2 toward = mul(center, -radius / square), aside = mul(perp(center), tangent / square);
  sat_Vec2 first = add(toward, aside), last = sub(toward, aside);
  if (whole || dot(*low, center) >= -radius) {
    if (!whole && !(cross(*low, first) >= 0 && cross(first, *high) >= 0)) return false;
    *low = first;
  }
  if (whole || dot(*high, center) >= -radius) *high = last;
  return true;
}

static void see_arc(sat_Eye *eye, const SeenPiece *seen, uint32_t vertex) {
  sat_Vec2 center = vertex_at(&seen->convex, vertex), low = {0, 0}, high = {0, 0};
  bool whole = seen->convex.count == 1;
  if (!whole && !find_arc(seen, vertex, &low, &high)) return;
  if (!face_eye(sub(center, eye->at), seen->radius, whole, &low, &high)) return;
  sat_Vec2 last = add(center, mul(low, seen->radius));
  uint32_t k = 0;
  while (k < CHORDS && !(cross(low, spoke(k)) > 0 && cross(low, spoke(k + CHORDS - 1)) <= 0 &&
                         dot(low, spoke(k)) > 0))
    k++;
  for (; cross(low, spoke(k)) > 0 && cross(spoke(k), high) > 0; k++) {
    sat_Vec2 next = add(center, mul(spoke(k), seen->radius));
    sat_eye_add(eye, next, last);
    last = next;
  }
  sat_eye_add(eye, add(center, mul(high, seen->radius)), last);
}

/* Adds the edges and chords that face the eye, against the order of the sweep. */
static void see_outline(sat_Eye *eye, const SeenPiece *seen) {
  const sat_Convex *convex = &seen->convex;
  const bool *internal = seen->view->internal ? seen->view->internal + seen->piece->first : NULL;
  for (uint32_t i = 0; i < convex->count; i++) {
    if (seen->radius > 0) see_arc(eye, seen, i);
    if (convex->count == 1 || (internal && internal[i])) continue;
    if (seen->front != SAT_NOT_ACTIVE && seen->front != i) continue;
    if (ahead_of(eye, convex, i) <= seen->radius) continue;
    sat_Vec2 out = mul(normal_of(convex->edges, i), seen->radius);
    sat_eye_add(eye, add(vertex_at(convex, next_index(convex, i)), out),
                add(vertex_at(convex, i), out));
  }
}

/* ---------------------------------------------------------------- an eye on an outline */

static bool is_on(const sat_Eye *eye, const sat_Convex *convex, uint32_t edge) {
  return fabs(ahead_of(eye, convex, edge)) <= eye->rounding;
}

/* The ends of the run of edges that the eye is on. False: the eye is on all or none. */
static bool find_run(const sat_Eye *eye, const sat_Convex *convex, uint32_t *first, uint32_t *end) {
  uint32_t i = 0;
  while (i < convex->count &&
         (!is_on(eye, convex, i) || is_on(eye, convex, previous_index(convex, i))))
    i++;
  *first = *end = i;
  while (*end < convex->count && is_on(eye, convex, *end)) *end = next_index(convex, *end);
  return i < convex->count;
}

/* Hides what is behind a one-sided segment that the eye is on, or behind its chain where the eye is
 * on a vertex. */
static void hide_back(sat_Eye *eye, const SeenPiece *seen) {
  const sat_Convex *convex = &seen->convex;
  sat_ChainVertex corner;
  sat_Vec2 start = vertex_at(convex, seen->front), end = vertex_at(convex, !seen->front);
  double before = length(sub(eye->at, start)), after = length(sub(end, eye->at));
  if (before + after > length(sub(end, start)) + 2 * eye->rounding) return;
  if (before <= eye->rounding && sat_chain_vertex_at(seen->view, seen->piece, seen->front, &corner))
    sat_eye_hide(eye, end, add(start, corner.next));
  else if (after <= eye->rounding &&
           sat_chain_vertex_at(seen->view, seen->piece, !seen->front, &corner))
    sat_eye_hide(eye, add(end, corner.next), start);
  else sat_eye_hide(eye, end, start);
}

/* Hides what is behind an outline that the eye is on; a two-sided segment hides nothing. `outward`
 * is the normal of an outline with a radius. */
static void hide_inside(sat_Eye *eye, const SeenPiece *seen, sat_Vec2 outward) {
  const sat_Convex *convex = &seen->convex;
  uint32_t first, end;
  if (seen->radius > 0) sat_eye_hide(eye, add(eye->at, perp(outward)), sub(eye->at, perp(outward)));
  else if (seen->front != SAT_NOT_ACTIVE) hide_back(eye, seen);
  else if (convex->count > 2 && find_run(eye, convex, &first, &end))
    sat_eye_hide(eye, vertex_at(convex, end), vertex_at(convex, first));
}

/* ---------------------------------------------------------------- shapes */

/* The distance of the eye from a piece without its radius, and the vector from the nearest point;
 * inside of a polygon the distance is not above 0. Without a radius it is that of the lines of the
 * edges, the greatest. */
static double distance_to(const sat_Eye *eye, const SeenPiece *seen, sat_Vec2 *outward) {
  const sat_Convex *convex = &seen->convex;
  double ahead = -HUGE_VAL;
  for (uint32_t i = 0; convex->count > 1 && i < convex->count; i++)
    ahead = max2(ahead, ahead_of(eye, convex, i));
  *outward = sub(eye->at, vertex_at(convex, 0));
  if (seen->radius == 0 || (convex->count > 2 && ahead <= 0)) return ahead;
  for (uint32_t i = 0; convex->count > 1 && i < convex->count; i++) {
    sat_Vec2 start = vertex_at(convex, i), from = sub(eye->at, start);
    sat_Vec2 along = sub(vertex_at(convex, next_index(convex, i)), start);
    sat_Vec2 to = sub(from, mul(along, clamp(dot(from, along) / dot(along, along), 0, 1)));
    if (dot(to, to) < dot(*outward, *outward)) *outward = to;
  }
  return length(*outward);
}

/* Adds what faces the eye, or returns SAT_MISS if the eye is inside. A point hides nothing. */
static sat_Status see_piece(sat_Eye *eye, const sat_PieceView *view, const sat_Piece *piece) {
  SeenPiece seen = {view, piece, sat_piece_convex(view, piece), sat_piece_radius(view, piece),
                    SAT_NOT_ACTIVE};
  size_t count = piece->count;
  sat_Vec2 outward;
  if (seen.radius <= eye->rounding) seen.radius = 0;
  if (piece->flags & SAT_ONE_SIDED) seen.front = sat_front_edge(view, piece);
  if (count == 1 && seen.radius == 0) return SAT_OK;
  if (sat_eye_reserve(eye, seen.radius > 0 ? 3 * count + CHORDS + 1 : count + 1)) return SAT_ENOMEM;
  double clearance = distance_to(eye, &seen, &outward) - seen.radius;
  if (clearance < -eye->rounding) return SAT_MISS;
  if (clearance > eye->rounding) see_outline(eye, &seen);
  else hide_inside(eye, &seen, outward);
  return SAT_OK;
}

static sat_Status see_shape(sat_Eye *eye, const sat_Shape *shape, sat_Rectangle box) {
  sat_Piece single;
  sat_PieceView view;
  sat_view_pieces(shape, &single, &view);
  if (!is_composite(shape)) return see_piece(eye, &view, &single);
  sat_Vec2 low = sub(vec2(box.x, box.y), view.origin);
  sat_BvhQuery pieces = sat_bvh_query(&view, (sat_Box){low, add(low, vec2(box.w, box.h))});
  sat_Status status = SAT_OK;
  for (uint32_t piece; !status && sat_bvh_query_next(&pieces, &piece);)
    status = see_piece(eye, &view, &view.pieces[piece]);
  return status;
}

static sat_Status see_shapes(sat_World *world, sat_Eye *eye, sat_Rectangle box,
                             const sat_QueryFilter *filter) {
  sat_Status status = sat_world_query_boxes(world, &box);
  for (size_t i = 0; !status && i < world->near.count; i++) {
    const sat_Shape *shape = sat_entry_shape(world, world->near.at[i]);
    if (sat_is_admitted(filter, shape, false) && !sat_is_open(filter, shape))
      status = see_shape(eye, shape, box);
  }
  return status;
}

/* Adds the edges of the area, all of which face the eye, or returns SAT_MISS if the eye is outside.
 * A circle has no edges to ask, since the eye is in its middle. */
static sat_Status see_area(sat_Eye *eye, const sat_Convex *area) {
  uint32_t first, end;
  if (sat_eye_reserve(eye, (size_t)area->count + 1)) return SAT_ENOMEM;
  for (uint32_t i = area->count; i-- > 0;) {
    double ahead = area->edges ? ahead_of(eye, area, i) : -HUGE_VAL;
    if (ahead > eye->rounding) return SAT_MISS;
    if (ahead < -eye->rounding)
      sat_eye_add(eye, vertex_at(area, i), vertex_at(area, next_index(area, i)));
  }
  if (area->edges && find_run(eye, area, &first, &end))
    sat_eye_hide(eye, vertex_at(area, first), vertex_at(area, end));
  return SAT_OK;
}

sat_Status sat_world_visible(sat_World *world, sat_Vec2 from, const sat_Shape *area, double radius,
                             const sat_QueryFilter *filter, sat_Points *seen) {
  sat_Vec2 ends[CHORDS];
  sat_Convex edges = {ends, NULL, from, CHORDS};
  sat_Rectangle box = {from.x - radius, from.y - radius, 2 * radius, 2 * radius};
  seen->count = 0;
  if (!vec_in_range(from)) return SAT_ERANGE;
  if (area) {
    if (is_composite(area)) return SAT_ECONCAVE;
    if (!(area->flags & SAT_SHARP)) return SAT_EVALUE;
    edges = sat_convex_of(area);
    box = sat_box_of(area);
  } else {
    if (!in_range(fabs(from.x) + radius) || !in_range(fabs(from.y) + radius)) return SAT_ERANGE;
    if (radius <= 0) return SAT_EVALUE;
    for (uint32_t k = 0; k < CHORDS; k++) ends[k] = mul(spoke(k), radius);
  }
  double size = fabs(from.x) + fabs(from.y) + box.w + box.h;
  sat_Eye eye = {from, SAT_TOUCH_ERROR * size, &world->scratch, NULL, 0, 0};
  sat_Status status = see_area(&eye, &edges);
  if (status) return status;
  status = see_shapes(world, &eye, box, filter);
  if (!status) status = sat_eye_sweep(&eye, seen);
  if (status) seen->count = 0;
  return status == SAT_MISS ? SAT_OK : status;
}
