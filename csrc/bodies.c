/* bodies.c: see bodies.h. Each question is one about pairs of convex parts that are near each other,
 * except for the shortest way out, which escape.c finds, and for containment. */
#include "bodies.h"

#include "escape.h"
#include "narrowphase.h"
#include "outline.h"
#include "scratch.h"

/* ---------------------------------------------------------------- both sides */

/* Two bodies, each with storage for its one part, should it be convex. */
typedef struct Both {
  sat_Part single[2];
  sat_Body of[2];
} Both;

static void view_both(Both *both, const sat_Shape *a, const sat_Shape *b) {
  both->of[0] = sat_body_of(a, &both->single[0]);
  both->of[1] = sat_body_of(b, &both->single[1]);
}

/* What the boxes of parts may be wrong by when they are compared. */
static double box_rounding(const sat_Shape *a, const sat_Shape *b) {
  sat_Vec2 away = sub(b->origin, a->origin);
  double sizes = a->extent + b->extent + a->radius + b->radius;
  return SAT_GAP_ROUNDING * (fabs(away.x) + fabs(away.y) + sizes);
}

/* Two parts as the questions about convex shapes take them. */
typedef struct Parts {
  sat_Pair pair;
  double radius[2], extent[2];
  sat_Parts of;
} Parts;

static Parts parts_of(const Both *both, const uint32_t piece[2]) {
  const sat_Body *a = &both->of[0], *b = &both->of[1];
  Parts parts = {sat_parts_pair(a, b, piece), {0, 0}, {0, 0}, sat_parts_of(a, b, piece)};
  for (int side = 0; side < 2; side++) {
    const sat_Body *body = &both->of[side];
    const sat_Part *part = &body->parts[piece[side]];
    parts.radius[side] = sat_part_radius(body, part);
    parts.extent[side] = part->extent;
  }
  return parts;
}

/* ---------------------------------------------------------------- overlap and the way out */

bool sat_bodies_nearly_touch(const sat_Shape *a, const sat_Shape *b, double reach) {
  Both both;
  view_both(&both, a, b);
  sat_Pairing pairing = sat_pairing_begin(&both.of[0], &both.of[1], box_rounding(a, b) + reach);
  uint32_t piece[2];
  sat_Meeting meeting;
  while (sat_pairing_next(&pairing, piece)) {
    sat_Pair pair = sat_parts_pair(&both.of[0], &both.of[1], piece);
    pair.radius += reach;
    if (sat_pair_meets(&pair, 0, false, NULL, &meeting)) return true;
  }
  return false;
}

sat_Status sat_bodies_overlap(const sat_Shape *a, const sat_Shape *b) {
  return sat_bodies_nearly_touch(a, b, 0) ? SAT_OK : SAT_MISS;
}

sat_Status sat_bodies_collide(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                              sat_Result *result) {
  Both both;
  sat_Escape escape;
  view_both(&both, a, b);
  sat_Status status = sat_escape(&both.of[0], &both.of[1], scratch, &escape);
  if (status == SAT_OK) *result = escape.way;
  return status;
}

/* Where two round corners touch, which need not be in the direction of the way out: that may end where
 * other parts let go. */
static void touch_round(const Parts *parts, sat_Manifold *manifold) {
  sat_Distance touch = sat_pair_distance(&parts->pair, parts->radius, parts->extent, NULL);
  manifold->count = 1;
  manifold->points[0] = touch.on_a;
}

/* Where the two parts that decide touch once A has moved out. */
sat_Status sat_bodies_contacts(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                               sat_Manifold *manifold) {
  Both both;
  sat_Escape escape;
  view_both(&both, a, b);
  sat_Status status = sat_escape(&both.of[0], &both.of[1], scratch, &escape);
  if (status != SAT_OK) return status;
  Parts parts = parts_of(&both, escape.piece);
  sat_Pair *pair = &parts.pair;
  pair->of[SAT_OF_A].origin = add(pair->of[SAT_OF_A].origin, escape.way.vector);
  pair->away[SAT_OF_A] = sub(pair->away[SAT_OF_A], escape.way.vector);
  pair->away[SAT_OF_B] = neg(pair->away[SAT_OF_A]);
  sat_pair_contacts(pair, parts.radius, &escape.way, 0, manifold);
  if (escape.behind || (escape.way.corner && escape.way.depth > 0)) touch_round(&parts, manifold);
  return SAT_OK;
}

/* ---------------------------------------------------------------- distance */

static double box_gap(const sat_Box *a, const sat_Box *b) {
  double x = max2(max2(b->min.x - a->max.x, a->min.x - b->max.x), 0);
  double y = max2(max2(b->min.y - a->max.y, a->min.y - b->max.y), 0);
  return length(vec2(x, y));
}

/* The part whose box is nearest to another, which is relative to the body's origin. */
static uint32_t nearest_part(const sat_Body *body, sat_Box box) {
  uint32_t best = 0;
  double least = HUGE_VAL;
  for (uint32_t i = 0; i < body->count; i++) {
    double gap = box_gap(&body->parts[i].box, &box) - body->parts[i].radius;
    if (gap >= least) continue;
    least = gap;
    best = i;
  }
  return best;
}

/* A pair that is about as near as any. */
static void guess_nearest(const Both *both, uint32_t piece[2]) {
  sat_Vec2 away = sub(both->of[1].origin, both->of[0].origin);
  piece[0] = nearest_part(&both->of[0], box_moved(both->of[1].box, away, 0));
  sat_Box box = box_moved(both->of[0].parts[piece[0]].box, neg(away), 0);
  piece[1] = nearest_part(&both->of[1], box);
}

sat_Distance sat_bodies_distance(const sat_Shape *a, const sat_Shape *b) {
  Both both;
  uint32_t piece[2];
  double rounding = box_rounding(a, b);
  view_both(&both, a, b);
  guess_nearest(&both, piece);
  Parts parts = parts_of(&both, piece);
  sat_Distance best = sat_pair_distance(&parts.pair, parts.radius, parts.extent, NULL);
  sat_Pairing pairing = sat_pairing_begin(&both.of[0], &both.of[1], best.distance + rounding);
  while (best.distance > 0 && sat_pairing_next(&pairing, piece)) {
    parts = parts_of(&both, piece);
    sat_Distance other = sat_pair_distance(&parts.pair, parts.radius, parts.extent, NULL);
    if (other.distance >= best.distance) continue;
    best = other;
    pairing.reach = best.distance + rounding;
  }
  return best;
}

/* ---------------------------------------------------------------- casts */

/* A search for the first hit. */
typedef struct Flight {
  const Both *both;
  sat_Motion motion;
  double reach; /* what the boxes of parts may be wrong by on the way, and rounding */
  sat_Impact best;
  bool hit;
  bool grazes[2]; /* something on the right hand, on the left */
} Flight;

/* Of hits at the same time the one that is met most head on. */
static void note_hit(Flight *flight, const sat_Impact *impact) {
  const sat_Impact *best = &flight->best;
  sat_Vec2 way = flight->motion.vector;
  bool sooner = !flight->hit || impact->t < best->t;
  if (!sooner && (impact->t > best->t || dot(impact->normal, way) >= dot(best->normal, way)))
    return;
  flight->best = *impact;
  flight->hit = true;
}

/* What the parts of a pair do to each other on the way: whether they hit. */
static bool fly_by(const Flight *flight, const uint32_t piece[2], sat_Impact *impact,
                   sat_Graze *graze) {
  Parts parts = parts_of(flight->both, piece);
  graze->any = false;
  return sat_sweep_pair(&parts.pair, &parts.of, flight->motion, parts.radius, impact, graze) ==
         SAT_OK;
}

static sat_Pairing pairs_on_the_way(const Flight *flight) {
  return sat_pairing_swept(&flight->both->of[0], &flight->both->of[1], flight->reach,
                           flight->motion.vector);
}

/* Where a way of this point between two parts that abut begins: it has no width. */
static void close_slit(Flight *flight, const uint32_t point[2], const sat_Graze *graze) {
  sat_Pairing pairing = pairs_on_the_way(flight);
  uint32_t piece[2];
  while (sat_pairing_next(&pairing, piece)) {
    sat_Impact impact;
    sat_Graze other;
    if (piece[graze->side] != point[graze->side]) continue;
    fly_by(flight, piece, &impact, &other);
    if (!other.any || other.left == graze->left) continue;
    const sat_Impact *later = other.impact.t > graze->impact.t ? &other.impact : &graze->impact;
    if (later->t < min2(other.end, graze->end)) note_hit(flight, later);
  }
}

/* Once something is grazed on either hand. */
static void close_slits(Flight *flight) {
  sat_Pairing pairing = pairs_on_the_way(flight);
  uint32_t piece[2];
  while (sat_pairing_next(&pairing, piece)) {
    sat_Impact impact;
    sat_Graze graze;
    fly_by(flight, piece, &impact, &graze);
    if (graze.any && graze.left && !(flight->hit && graze.impact.t > flight->best.t))
      close_slit(flight, piece, &graze);
  }
}

static Flight flight_of(const Both *both, const sat_Shape *a, sat_Motion motion,
                        const sat_Shape *b) {
  Flight flight = {.both = both, .motion = motion};
  flight.reach = box_rounding(a, b) + motion.rounding +
                 SAT_GAP_ROUNDING * (fabs(motion.vector.x) + fabs(motion.vector.y));
  return flight;
}

static sat_Status fly(Flight *flight, sat_Impact *impact) {
  sat_Pairing pairing = pairs_on_the_way(flight);
  uint32_t piece[2];
  while (sat_pairing_next(&pairing, piece)) {
    sat_Impact other;
    sat_Graze graze;
    if (fly_by(flight, piece, &other, &graze)) note_hit(flight, &other);
    if (graze.any) flight->grazes[graze.left] = true;
  }
  if (flight->grazes[0] && flight->grazes[1]) close_slits(flight);
  if (!flight->hit) return SAT_MISS;
  *impact = flight->best;
  return SAT_OK;
}

sat_Status sat_bodies_sweep(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                            sat_Impact *impact) {
  Both both;
  view_both(&both, a, b);
  Flight flight = flight_of(&both, a, motion, b);
  return fly(&flight, impact);
}

/* Whether two parts meet, and how deep they are in each other. */
static bool parts_meet(const Parts *parts, double *depth) {
  sat_Meeting meeting;
  if (!sat_pair_meets(&parts->pair, 0, false, NULL, &meeting)) return false;
  double gap = meeting.inside ? meeting.widest.gap : meeting.nearest.distance;
  *depth = parts->pair.radius - gap;
  return true;
}

static bool is_line(const Both *both, uint32_t side, uint32_t index) {
  const sat_Body *body = &both->of[side];
  return body->parts[index].count <= 2 && sat_part_radius(body, &body->parts[index]) == 0;
}

/* Whether a point or segment, which is one side's part of a pair that meets, meets yet another
 * part: then it may be inside of both together. */
static bool meets_another(const Flight *flight, const uint32_t pair[2], uint32_t side) {
  const Both *both = flight->both;
  if (both->of[!side].count == 1 || !is_line(both, side, pair[side])) return false;
  sat_Pairing pairing = sat_pairing_begin(&both->of[0], &both->of[1], flight->reach);
  uint32_t piece[2];
  while (sat_pairing_next(&pairing, piece)) {
    double depth;
    if (piece[side] != pair[side] || piece[!side] == pair[!side]) continue;
    Parts parts = parts_of(both, piece);
    if (parts_meet(&parts, &depth)) return true;
  }
  return false;
}

/* Whether the two may overlap by more than rounding at the start. What has an area does only where
 * two of the parts do: so what fits in between to within rounding is not held to be stuck there. */
static bool may_start_deep(const Flight *flight) {
  sat_Pairing pairing =
      sat_pairing_begin(&flight->both->of[0], &flight->both->of[1], flight->reach);
  uint32_t piece[2];
  while (sat_pairing_next(&pairing, piece)) {
    double depth;
    Parts parts = parts_of(flight->both, piece);
    if (!parts_meet(&parts, &depth)) continue;
    if (depth > flight->motion.rounding || meets_another(flight, piece, SAT_OF_A) ||
        meets_another(flight, piece, SAT_OF_B))
      return true;
  }
  return false;
}

sat_Status sat_bodies_cast(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                           sat_Scratch *scratch, sat_Impact *impact) {
  sat_Manifold manifold;
  Both both;
  view_both(&both, a, b);
  Flight flight = flight_of(&both, a, motion, b);
  if (may_start_deep(&flight)) {
    sat_Status status = sat_bodies_contacts(a, b, scratch, &manifold);
    if (status > SAT_MISS) return status;
    if (status == SAT_OK && manifold.depth > motion.rounding) {
      if (!sat_leads_deeper(motion.vector, manifold.normal)) return SAT_MISS;
      *impact = (sat_Impact){0, manifold.normal, manifold.points[0]};
      return SAT_OK;
    }
  }
  return fly(&flight, impact);
}

/* ---------------------------------------------------------------- containment */

static const sat_Vec2 lone_vertex; /* at its origin */

static sat_Box box_about(sat_Vec2 point, double out) {
  return (sat_Box){sub(point, vec2(out, out)), add(point, vec2(out, out))};
}

/* Whether a part holds a point, relative to an origin of its own. */
static bool a_part_holds(const sat_Body *body, sat_Vec2 origin, const sat_Vec2 *vertex) {
  sat_Vec2 at = add(sub(origin, body->origin), *vertex);
  double sizes = fabs(at.x) + fabs(at.y) + fabs(vertex->x) + fabs(vertex->y);
  sat_PartWalk walk = sat_parts_in(body, box_about(at, SAT_GAP_ROUNDING * sizes));
  uint32_t index;
  while (sat_next_part(&walk, &index)) {
    const sat_Part *part = &body->parts[index];
    sat_Convex convex = sat_part_convex(body, part);
    if (sat_core_holds(&convex, part->extent, origin, vertex, sat_part_radius(body, part)))
      return true;
  }
  return false;
}

sat_Status sat_bodies_contain_point(const sat_Shape *shape, sat_Vec2 point) {
  sat_Part single;
  sat_Body body = sat_body_of(shape, &single);
  return a_part_holds(&body, point, &lone_vertex) ? SAT_OK : SAT_MISS;
}

static bool part_holds_part(const sat_Body *a, const sat_Part *p, const sat_Body *b,
                            const sat_Part *q) {
  sat_Convex convex = sat_part_convex(a, p);
  double margin = sat_part_radius(a, p) - sat_part_radius(b, q);
  for (uint32_t i = 0; i < q->count; i++)
    if (!sat_core_holds(&convex, p->extent, b->origin, &b->vertices[q->first + i], margin))
      return false;
  return true;
}

/* One part of B, and the parts of A that are near it, as outlines seen from A's origin. */
typedef struct Cover {
  sat_Outline *outlines;
  const bool **inner; /* of each one's edges; NULL: none is */
  uint32_t count;
  sat_Outline wanted; /* of B's part */
} Cover;

static sat_Outline outline_from(const sat_Body *body, const sat_Part *part, sat_Vec2 from,
                                sat_Rim *rims) {
  sat_Convex point = {&lone_vertex, NULL, from, 1};
  sat_Pair pair =
      sat_pair_make(point, sat_part_convex(body, part), part->extent, sat_part_radius(body, part));
  return sat_outline_of(&pair, rims);
}

static sat_PartWalk parts_near(const sat_Body *a, const sat_Body *b, const sat_Part *q,
                               double rounding) {
  sat_Vec2 away = sub(b->origin, a->origin);
  return sat_parts_in(a, box_moved(q->box, away, sat_part_radius(b, q) + rounding));
}

static bool make_cover(Cover *cover, const sat_Body *a, const sat_Body *b, const sat_Part *q,
                       double rounding, sat_Scratch *scratch) {
  sat_PartWalk walk = parts_near(a, b, q, rounding);
  size_t count = 0, rims = q->count, index_size;
  uint32_t index;
  for (; sat_next_part(&walk, &index); count++) rims += a->parts[index].count;
  index_size = (count + 1) * (sizeof(sat_Outline) + sizeof(bool *));
  sat_Rim *rim = sat_scratch_reserve(scratch, rims * sizeof *rim + index_size);
  if (!rim) return false;
  cover->outlines = (sat_Outline *)(rim + rims);
  cover->inner = (const bool **)(cover->outlines + count + 1);
  cover->count = 0;
  cover->wanted = outline_from(b, q, a->origin, rim);
  rim += q->count;
  walk = parts_near(a, b, q, rounding);
  while (sat_next_part(&walk, &index)) {
    const sat_Part *part = &a->parts[index];
    cover->inner[cover->count] = a->inner ? a->inner + part->first : NULL;
    cover->outlines[cover->count] = outline_from(a, part, a->origin, rim);
    cover->outlines[cover->count++].slack = rounding;
    rim += part->count;
  }
  cover->wanted.slack = rounding;
  return true;
}

/* The next place where a stretch meets an outline. */
static double next_place(const Cover *cover, const sat_Stretch *stretch, double after) {
  double next = min2(sat_outline_next(&cover->wanted, stretch, after), stretch->end);
  for (uint32_t i = 0; i < cover->count; i++)
    next = min2(next, sat_outline_next(&cover->outlines[i], stretch, after));
  return next;
}

/* Whether some part of a stretch of outline `own` is inside of what is wanted, and in no other part of
 * A. Between two places where it meets outlines, all of it is the same. */
static bool shows(const Cover *cover, uint32_t own, const sat_Stretch *stretch) {
  double from = 0, slack = cover->wanted.slack;
  double hair = sat_is_turn(stretch) ? 1e-9 : 4 * slack;
  while (from < stretch->end) {
    double to = next_place(cover, stretch, from), middle = from + (to - from) / 2;
    bool counts = to - from > hair;
    from = to;
    if (!counts) continue;
    sat_Vec2 point = sat_stretch_at(stretch, middle);
    if (sat_outline_excess(&cover->wanted, point, 0) >= -2 * slack) continue;
    bool covered = false;
    for (uint32_t i = 0; i < cover->count && !covered; i++) {
      sat_Place place = {middle, 0};
      covered = i != own && sat_outline_covers(&cover->outlines[i], stretch, true, &place);
    }
    if (!covered) return true;
  }
  return false;
}

static bool outline_shows(const Cover *cover, uint32_t own) {
  const sat_Outline *outline = &cover->outlines[own];
  const bool *inner = cover->inner[own];
  sat_Stretch turns[4];
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    sat_Stretch straight = sat_straight_of(outline, i);
    if (rim->length > 0 && !(inner && inner[rim->facet.edge]) && shows(cover, own, &straight))
      return true;
    uint32_t count = outline->radius > 0 ? sat_turns_of(outline, i, turns) : 0;
    for (uint32_t k = 0; k < count; k++)
      if (shows(cover, own, &turns[k])) return true;
  }
  return false;
}

/* Of what has no inside all but the ends is asked: between two places where it meets outlines, the
 * middle must be in one of the parts. */
static bool line_is_covered(const Cover *cover) {
  sat_Stretch line = sat_straight_of(&cover->wanted, 0);
  double from = 0, slack = cover->wanted.slack;
  while (from < line.end) {
    double to = next_place(cover, &line, from), middle = from + (to - from) / 2;
    bool covered = to - from <= 4 * slack;
    for (uint32_t i = 0; i < cover->count && !covered; i++)
      covered = sat_outline_is_near(&cover->outlines[i], sat_stretch_at(&line, middle));
    if (!covered) return false;
    from = to;
  }
  return true;
}

static sat_Vec2 middle_of(const sat_Body *body, const sat_Part *part) {
  sat_Vec2 sum = vec2(0, 0);
  for (uint32_t i = 0; i < part->count; i++) sum = add(sum, body->vertices[part->first + i]);
  return mul(sum, 1.0 / part->count);
}

/* Whether a convex part of B is in all parts of A together: if its corners are, none of A's outline
 * shows inside of it, and it is on the inner side of that. */
static sat_Status hold_part(const sat_Body *a, const sat_Body *b, const sat_Part *q,
                            double rounding, sat_Scratch *scratch) {
  for (uint32_t i = 0; i < q->count; i++)
    if (!a_part_holds(a, b->origin, &b->vertices[q->first + i])) return SAT_MISS;
  sat_PartWalk walk = parts_near(a, b, q, rounding);
  uint32_t index;
  while (sat_next_part(&walk, &index))
    if (part_holds_part(a, &a->parts[index], b, q)) return SAT_OK;
  if (a->count == 1) return SAT_MISS;
  Cover cover;
  if (!make_cover(&cover, a, b, q, rounding, scratch)) return SAT_ENOMEM;
  if (cover.wanted.hollow) return line_is_covered(&cover) ? SAT_OK : SAT_MISS;
  for (uint32_t i = 0; i < cover.count; i++)
    if (outline_shows(&cover, i)) return SAT_MISS;
  sat_Vec2 middle = middle_of(b, q);
  return a_part_holds(a, b->origin, &middle) ? SAT_OK : SAT_MISS;
}

sat_Status sat_bodies_contain(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch) {
  Both both;
  view_both(&both, a, b);
  double rounding = 2 * box_rounding(a, b) + sat_coordinate_rounding(a, b);
  for (uint32_t i = 0; i < both.of[1].count; i++) {
    sat_Status status =
        hold_part(&both.of[0], &both.of[1], &both.of[1].parts[i], rounding, scratch);
    if (status != SAT_OK) return status;
  }
  return SAT_OK;
}
