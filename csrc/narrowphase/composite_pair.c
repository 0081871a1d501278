/* composite_pair.c: see narrowphase/composite_pair.h. Each question is one about pairs of convex
 * parts that are near each other, except for the shortest way out, which narrowphase/union_mtv.c
 * finds, and for containment. */
#include "narrowphase/composite_pair.h"

#include "narrowphase/union_mtv.h"
#include "narrowphase/convex_pair.h"
#include "narrowphase/minkowski_boundary.h"
#include "base/memory.h"

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

/* Where two round corners touch, which need not be in the direction of the way out: that may end
 * where other parts let go. */
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

/* A run of places on a stretch. */
typedef struct Span {
  double from, to;
} Span;

/* The parts of B that no single part of A holds, and the parts of A that are near B, in order, as
 * outlines seen from A's origin. */
typedef struct Cover {
  const sat_Body *a, *b;
  sat_Outline *outlines, *wanted;
  Span *spans; /* of the stretch in question, as far as there is room */
  uint32_t *wanted_parts, *parts;
  uint32_t *near; /* the outlines that the stretch in question is near */
  uint32_t wanted_count, count, span_count, span_room, near_count;
  double slack;
} Cover;

static sat_Outline outline_from(const sat_Body *body, const sat_Part *part, sat_Vec2 from,
                                sat_Rim *rims) {
  sat_Convex point = {&lone_vertex, NULL, from, 1};
  sat_Pair pair =
      sat_pair_make(point, sat_part_convex(body, part), part->extent, sat_part_radius(body, part));
  return sat_outline_of(&pair, rims);
}

static sat_PartWalk parts_near(const sat_Body *a, const sat_Body *b, sat_Box box, double reach) {
  return sat_parts_in(a, box_moved(box, sub(b->origin, a->origin), reach));
}

/* The place of a part in an ascending list, or UINT32_MAX. */
static uint32_t find_part(const uint32_t *parts, uint32_t count, uint32_t part) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (parts[mid] < part) low = mid + 1;
    else high = mid;
  }
  return low < count && parts[low] == part ? low : UINT32_MAX;
}

/* ---- what of a stretch the parts of A cover */

/* Without room a span is lost, and what it covers is looked at more closely. */
static void add_span(Cover *cover, double from, double to) {
  if (cover->span_count < cover->span_room) cover->spans[cover->span_count++] = (Span){from, to};
}

static void sift_span(Span *spans, uint32_t root, uint32_t count) {
  for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && spans[child + 1].from > spans[child].from) child++;
    if (spans[root].from >= spans[child].from) return;
    Span span = spans[root];
    spans[root] = spans[child];
    spans[child] = span;
  }
}

/* Williams, Algorithm 232: Heapsort, 1964. */
static void sort_spans(Span *spans, uint32_t count) {
  for (uint32_t i = count / 2; i-- > 0;) sift_span(spans, i, count);
  for (uint32_t end = count; end-- > 1;) {
    Span first = spans[0];
    spans[0] = spans[end];
    spans[end] = first;
    sift_span(spans, 0, end);
  }
}

/* Between two places where a stretch meets an outline, all of it is the same. */
static void add_covered(Cover *cover, const sat_Outline *outline, const sat_Stretch *stretch) {
  for (double from = 0, to; from < stretch->end; from = to) {
    to = min2(sat_outline_next(outline, stretch, from), stretch->end);
    sat_Place place = {from + (to - from) / 2, 0};
    if (!sat_outline_covers(outline, stretch, true, &place)) continue;
    to = min2(max2(place.t - place.pad, to), stretch->end);
    add_span(cover, from, to);
    if (!sat_is_turn(stretch)) return;
  }
}

static void add_touched(Cover *cover, const sat_Outline *outline, const sat_Stretch *line) {
  for (double from = 0, to; from < line->end; from = to) {
    to = min2(sat_outline_next(outline, line, from), line->end);
    if (sat_outline_is_near(outline, sat_stretch_at(line, from + (to - from) / 2)))
      add_span(cover, from, to);
  }
}

static sat_Box box_of_stretch(const sat_Stretch *stretch, double from, double to, double out) {
  sat_Vec2 p = sat_stretch_at(stretch, from), q = sat_stretch_at(stretch, to);
  if (sat_is_turn(stretch)) return box_about(stretch->base, stretch->radius + out);
  sat_Box box = {vec2(min2(p.x, q.x), min2(p.y, q.y)), vec2(max2(p.x, q.x), max2(p.y, q.y))};
  return box_moved(box, vec2(0, 0), out);
}

/* Finds what is near a stretch, but for the outline that it is of, and all of the stretch that is
 * covered, in order. */
static void look_along(Cover *cover, uint32_t own, const sat_Stretch *stretch, bool closed) {
  sat_PartWalk walk =
      sat_parts_in(cover->a, box_of_stretch(stretch, 0, stretch->end, 4 * cover->slack));
  uint32_t part;
  cover->near_count = cover->span_count = 0;
  while (sat_next_part(&walk, &part)) {
    uint32_t index = find_part(cover->parts, cover->count, part);
    if (index == UINT32_MAX || index == own) continue;
    cover->near[cover->near_count++] = index;
    if (closed) add_touched(cover, &cover->outlines[index], stretch);
    else add_covered(cover, &cover->outlines[index], stretch);
  }
  sort_spans(cover->spans, cover->span_count);
}

/* The next place where a stretch meets what is near. */
static double next_place(const Cover *cover, const sat_Stretch *stretch, double after, double end) {
  double next = end;
  for (uint32_t i = 0; i < cover->near_count; i++)
    next = min2(next, sat_outline_next(&cover->outlines[cover->near[i]], stretch, after));
  return next;
}

static bool is_covered(const Cover *cover, const sat_Stretch *stretch, double t, bool closed) {
  for (uint32_t i = 0; i < cover->near_count; i++) {
    const sat_Outline *outline = &cover->outlines[cover->near[i]];
    sat_Place place = {t, 0};
    if (closed ? sat_outline_is_near(outline, sat_stretch_at(stretch, t))
               : sat_outline_covers(outline, stretch, true, &place))
      return true;
  }
  return false;
}

/* ---- what of A's outlines shows in B */

/* Looks at part of a stretch from place to place. `closed`: whether some of it is in no part of A,
 * for B's parts without an inside. Else whether some of it is inside of what is wanted, and in no
 * other part of A. */
static bool shows_between(const Cover *cover, const sat_Outline *wanted, const sat_Stretch *stretch,
                          Span span, double hair, bool closed) {
  for (double from = span.from, to; from < span.to; from = to) {
    to = next_place(cover, stretch, from, span.to);
    to = min2(to, sat_outline_next(wanted, stretch, from));
    double middle = from + (to - from) / 2;
    if (!(to - from > hair)) continue;
    sat_Vec2 point = sat_stretch_at(stretch, middle);
    if (!closed && sat_outline_excess(wanted, point, 0) >= -2 * cover->slack) continue;
    if (!is_covered(cover, stretch, middle, closed)) return true;
  }
  return false;
}

/* The same of what no outline alone covers, where it is inside of what is wanted: rounding may have
 * left a gap between two that abut. */
static bool shows_in(const Cover *cover, const sat_Outline *wanted, const sat_Stretch *stretch,
                     Span gap, double hair) {
  for (double from = gap.from, to; from < gap.to; from = to) {
    to = min2(sat_outline_next(wanted, stretch, from), gap.to);
    sat_Vec2 point = sat_stretch_at(stretch, from + (to - from) / 2);
    if (to - from > hair && sat_outline_excess(wanted, point, 0) < -2 * cover->slack &&
        shows_between(cover, wanted, stretch, (Span){from, to}, hair, false))
      return true;
  }
  return false;
}

static bool gap_shows(const Cover *cover, const sat_Stretch *stretch, Span gap, double hair) {
  const sat_Body *a = cover->a, *b = cover->b;
  sat_PartWalk walk = parts_near(b, a, box_of_stretch(stretch, gap.from, gap.to, 0), cover->slack);
  uint32_t part;
  while (sat_next_part(&walk, &part)) {
    uint32_t index = find_part(cover->wanted_parts, cover->wanted_count, part);
    if (index != UINT32_MAX && shows_in(cover, &cover->wanted[index], stretch, gap, hair))
      return true;
  }
  return false;
}

/* One sweep over what is covered. `line` is the part of B that the stretch is, or NULL. */
static bool any_gap_shows(const Cover *cover, const sat_Outline *line, const sat_Stretch *stretch,
                          double hair) {
  double from = 0;
  for (uint32_t i = 0; i <= cover->span_count; i++) {
    bool last = i == cover->span_count;
    Span gap = {from, last ? stretch->end : cover->spans[i].from};
    bool wide = gap.to - gap.from > hair;
    if (wide && (line ? shows_between(cover, line, stretch, gap, hair, true)
                      : gap_shows(cover, stretch, gap, hair)))
      return true;
    if (!last) from = max2(from, cover->spans[i].to);
  }
  return false;
}

static bool stretch_shows(Cover *cover, uint32_t own, const sat_Stretch *stretch) {
  look_along(cover, own, stretch, false);
  return any_gap_shows(cover, NULL, stretch, sat_is_turn(stretch) ? 1e-9 : 4 * cover->slack);
}

static bool is_near_wanted(const Cover *cover, const sat_Part *part) {
  double reach = sat_part_radius(cover->a, part) + cover->slack;
  sat_PartWalk walk = parts_near(cover->b, cover->a, part->box, reach);
  uint32_t index;
  while (sat_next_part(&walk, &index))
    if (find_part(cover->wanted_parts, cover->wanted_count, index) != UINT32_MAX) return true;
  return false;
}

static bool outline_shows(Cover *cover, uint32_t own) {
  const sat_Outline *outline = &cover->outlines[own];
  const sat_Part *part = &cover->a->parts[cover->parts[own]];
  if (!is_near_wanted(cover, part)) return false;
  const bool *inner = cover->a->inner ? cover->a->inner + part->first : NULL;
  sat_Stretch turns[4];
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    sat_Stretch straight = sat_straight_of(outline, i);
    if (rim->length > 0 && !(inner && inner[rim->facet.edge]) &&
        stretch_shows(cover, own, &straight))
      return true;
    uint32_t count = outline->radius > 0 ? sat_turns_of(outline, i, turns) : 0;
    for (uint32_t k = 0; k < count; k++)
      if (stretch_shows(cover, own, &turns[k])) return true;
  }
  return false;
}

/* Of what has no inside all but the ends is asked. */
static bool line_is_covered(Cover *cover, const sat_Outline *wanted) {
  sat_Stretch line = sat_straight_of(wanted, 0);
  look_along(cover, UINT32_MAX, &line, true);
  return !any_gap_shows(cover, wanted, &line, 4 * cover->slack);
}

/* ---- the whole of B */

static sat_Vec2 middle_of(const sat_Body *body, const sat_Part *part) {
  sat_Vec2 sum = vec2(0, 0);
  for (uint32_t i = 0; i < part->count; i++) sum = add(sum, body->vertices[part->first + i]);
  return mul(sum, 1.0 / part->count);
}

static bool corners_are_in(const sat_Body *a, const sat_Body *b, const sat_Part *q) {
  for (uint32_t i = 0; i < q->count; i++)
    if (!a_part_holds(a, b->origin, &b->vertices[q->first + i])) return false;
  return true;
}

static bool one_part_holds(const sat_Body *a, const sat_Body *b, const sat_Part *q, double slack) {
  sat_PartWalk walk = parts_near(a, b, q->box, sat_part_radius(b, q) + slack);
  uint32_t index;
  while (sat_next_part(&walk, &index))
    if (part_holds_part(a, &a->parts[index], b, q)) return true;
  return false;
}

/* Lists the parts of B that no part of A holds. SAT_MISS: A does not hold some corner, or has no
 * other part. */
static sat_Status list_wanted(Cover *cover, sat_Scratch *scratch) {
  const sat_Body *a = cover->a, *b = cover->b;
  for (uint32_t i = 0; i < b->count; i++) {
    const sat_Part *q = &b->parts[i];
    if (!corners_are_in(a, b, q)) return SAT_MISS;
    if (one_part_holds(a, b, q, cover->slack)) continue;
    if (a->count == 1) return SAT_MISS;
    uint32_t *list = sat_scratch_reserve(scratch, (size_t)b->count * sizeof *list);
    if (!list) return SAT_ENOMEM;
    list[cover->wanted_count++] = i;
  }
  return SAT_OK;
}

/* The list of wanted parts stays at the start of the memory. */
static bool reserve_cover(Cover *cover, size_t rims, sat_Rim **rim, sat_Scratch *scratch) {
  size_t count = cover->count, wanted = cover->wanted_count, room = 2 * count + 16;
  size_t head = (cover->b->count * sizeof(uint32_t) + 15) / 16 * 16;
  char *memory = sat_scratch_reserve(
      scratch, head + rims * sizeof(sat_Rim) + (count + wanted) * sizeof(sat_Outline) +
                   room * sizeof(Span) + 2 * count * sizeof(uint32_t));
  if (!memory) return false;
  cover->wanted_parts = (uint32_t *)(void *)memory;
  *rim = (sat_Rim *)(void *)(memory + head);
  cover->outlines = (sat_Outline *)(*rim + rims);
  cover->wanted = cover->outlines + count;
  cover->spans = (Span *)(cover->wanted + wanted);
  cover->span_room = (uint32_t)min2((double)room, UINT32_MAX);
  cover->parts = (uint32_t *)(cover->spans + room);
  cover->near = cover->parts + count;
  return true;
}

static sat_PartWalk all_near(const Cover *cover) {
  return parts_near(cover->a, cover->b, cover->b->box, cover->slack);
}

static sat_Outline cover_outline(const Cover *cover, const sat_Body *body, uint32_t part,
                                 sat_Rim **rim) {
  sat_Outline outline = outline_from(body, &body->parts[part], cover->a->origin, *rim);
  outline.slack = cover->slack;
  *rim += body->parts[part].count;
  return outline;
}

static bool make_cover(Cover *cover, sat_Scratch *scratch) {
  const sat_Body *a = cover->a, *b = cover->b;
  const uint32_t *list = sat_scratch_reserve(scratch, (size_t)b->count * sizeof *list);
  size_t rims = 0;
  uint32_t part;
  sat_Rim *rim;
  if (!list) return false;
  for (uint32_t i = 0; i < cover->wanted_count; i++) rims += b->parts[list[i]].count;
  sat_PartWalk walk = all_near(cover);
  for (; sat_next_part(&walk, &part); cover->count++) rims += a->parts[part].count;
  if (!reserve_cover(cover, rims, &rim, scratch)) return false;
  for (uint32_t i = 0; i < cover->wanted_count; i++)
    cover->wanted[i] = cover_outline(cover, b, cover->wanted_parts[i], &rim);
  walk = all_near(cover);
  for (uint32_t i = 0; sat_next_part(&walk, &part); i++) {
    cover->parts[i] = part;
    cover->outlines[i] = cover_outline(cover, a, part, &rim);
  }
  return true;
}

/* Parts of B whose corners are in A are in all parts of A together if none of A's outline shows
 * inside of them, and they are on the inner side of that. */
static bool covers_wanted(Cover *cover) {
  bool solid = false;
  for (uint32_t i = 0; i < cover->wanted_count; i++) {
    const sat_Outline *wanted = &cover->wanted[i];
    sat_Vec2 middle = middle_of(cover->b, &cover->b->parts[cover->wanted_parts[i]]);
    if (wanted->hollow ? !line_is_covered(cover, wanted)
                       : !a_part_holds(cover->a, cover->b->origin, &middle))
      return false;
    solid = solid || !wanted->hollow;
  }
  for (uint32_t i = 0; solid && i < cover->count; i++)
    if (outline_shows(cover, i)) return false;
  return true;
}

/* O(k log n) for each of A's edges that is near B, of which k parts are near. */
sat_Status sat_bodies_contain(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch) {
  Both both;
  view_both(&both, a, b);
  Cover cover = {.a = &both.of[0], .b = &both.of[1]};
  cover.slack = 2 * box_rounding(a, b) + sat_coordinate_rounding(a, b);
  sat_Status status = list_wanted(&cover, scratch);
  if (status != SAT_OK || cover.wanted_count == 0) return status;
  if (!make_cover(&cover, scratch)) return SAT_ENOMEM;
  return covers_wanted(&cover) ? SAT_OK : SAT_MISS;
}
