/* minkowski_boundary.c: see narrowphase/minkowski_boundary.h. */
#include "narrowphase/minkowski_boundary.h"

/* Places on a turn that are nearer to each other than this, as half an angle, are one. */
#define SAME_TURN 1e-10
/* The parts of a turn between two edges. With a straight stretch they are what comes of a
 * vertex. */
#define MOST_TURNS (SAT_MOST_STRIPS - 1)
/* Polygons are small for a table if the product of their numbers of vertices is no larger. */
#define TABLE 64
/* The square of a sine that rounding may have made negative. */
#define TANGENT 1e-9
/* The sine of an angle between edges that rounding may leave of none: four digits above what turned
 * normals are off by. */
#define SAME_EDGE 1e-11

static uint32_t next_rim(const sat_Outline *outline, uint32_t rim) {
  return rim + 1 < outline->count ? rim + 1 : 0;
}
static uint32_t previous_rim(const sat_Outline *outline, uint32_t rim) {
  return (rim > 0 ? rim : outline->count) - 1;
}

static double gap_of(const sat_Rim *rim, sat_Vec2 point) {
  return dot(rim->normal, point) + rim->gap;
}

/* How far along a rim a point is. */
static double along_rim(const sat_Rim *rim, sat_Vec2 point) {
  return dot(perp(rim->normal), sub(point, rim->start));
}

sat_Outline sat_outline_of(const sat_Pair *pair, sat_Rim *rims) {
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  uint32_t count = 0, to[2];
  while (sat_walk_next(&walk, &facet)) {
    sat_Rim *rim = &rims[count];
    rim->start = sat_facet_start(pair, &facet);
    rim->normal = facet_normal(pair, &facet);
    rim->gap = facet.gap;
    rim->length = length(sat_facet_edge(pair, facet.side, facet.edge));
    rim->facet = facet;
    sat_facet_ends(pair, &facet, rim->corner_of, to);
    count += rim->length > 0;
  }
  if (count == 0) {
    rims[0] = (sat_Rim){corner_of(pair, 0, 0), {1, 0}, 0, 0, {0, 0, 0, 0}, {0, 0}};
    count = 1;
  }
  bool hollow = pair->radius == 0 && sat_is_flat(pair);
  return (sat_Outline){rims, count, pair->radius, sat_outline_slack(pair), hollow};
}

/* ---------------------------------------------------------------- distance */

/* The distance from the core of a point outside of it, found from a rim that it is outside of. */
static double core_distance(const sat_Outline *outline, uint32_t rim, sat_Vec2 point) {
  const sat_Rim *rims = outline->rims;
  double along = along_rim(&rims[rim], point);
  bool forward = along > rims[rim].length;
  for (uint32_t steps = outline->count; steps > 0; steps--) {
    if (along >= 0 && along <= rims[rim].length) return gap_of(&rims[rim], point);
    uint32_t next = forward ? next_rim(outline, rim) : previous_rim(outline, rim);
    sat_Vec2 corner = forward ? rims[next].start : rims[rim].start;
    along = along_rim(&rims[next], point);
    if (forward ? along <= 0 : along >= rims[next].length) return length(sub(point, corner));
    rim = next;
  }
  return length(sub(point, rims[rim].start));
}

double sat_outline_excess(const sat_Outline *outline, sat_Vec2 point, double enough) {
  uint32_t widest = 0;
  double most = -HUGE_VAL;
  if (outline->count == 1) return length(sub(point, outline->rims[0].start)) - outline->radius;
  for (uint32_t i = 0; i < outline->count; i++) {
    double gap = gap_of(&outline->rims[i], point);
    if (gap <= most) continue;
    most = gap;
    widest = i;
    if (most - outline->radius > enough) return most - outline->radius;
  }
  /* On the line of a core without width the point may be beyond its ends. */
  bool outside = most > 0 || outline->count == 2;
  if (outline->radius > 0 && outside) most = core_distance(outline, widest, point);
  return most - outline->radius;
}

/* ---------------------------------------------------------------- stretches */

sat_Stretch sat_straight_of(const sat_Outline *outline, uint32_t rim) {
  const sat_Rim *r = &outline->rims[rim];
  sat_Vec2 start = add(r->start, mul(r->normal, outline->radius));
  return (sat_Stretch){start, perp(r->normal), r->normal, 0, r->length};
}

static double place_on_turn(sat_Vec2 from, sat_Vec2 normal) {
  return cross(from, normal) / (1 + dot(from, normal));
}

/* Adds what is up to a normal, of a turn that goes on there. Half a turn, cut once, has three
 * parts; of one that goes back, since its edges do not turn one way, what is left over is
 * dropped. */
static void cut_turn(sat_Stretch *turn, sat_Vec2 to, sat_Stretch turns[MOST_TURNS],
                     uint32_t *count) {
  if (dot(turn->ahead, to) <= 0 && *count < MOST_TURNS) {
    turn->end = 1;
    turns[(*count)++] = *turn;
    turn->ahead = perp(turn->ahead);
  }
  turn->end = place_on_turn(turn->ahead, to);
  if (turn->end > SAME_TURN && *count < MOST_TURNS) turns[(*count)++] = *turn;
  turn->ahead = to;
}

/* From where a turn is on to another normal. It is parted where it is farthest from the origin, so
 * that each part comes nearer only until it is nearest. */
static uint32_t turns_between(sat_Stretch turn, sat_Vec2 to, sat_Stretch turns[MOST_TURNS]) {
  uint32_t count = 0;
  if (cross(turn.ahead, turn.base) > 0 && cross(turn.base, to) > 0) {
    double distance = length(turn.base);
    if (distance > SAT_TINY) cut_turn(&turn, mul(turn.base, 1 / distance), turns, &count);
  }
  cut_turn(&turn, to, turns, &count);
  return count;
}

uint32_t sat_turns_of(const sat_Outline *outline, uint32_t rim, sat_Stretch turns[4]) {
  const sat_Rim *r = &outline->rims[rim];
  double distance = length(r->start);
  sat_Vec2 from = outline->rims[previous_rim(outline, rim)].normal;
  sat_Stretch turn = {r->start, from, {0, 0}, outline->radius, 1};
  uint32_t count = 0;
  if (outline->count > 1) return turns_between(turn, r->normal, turns);
  turn.ahead = distance > outline->slack ? mul(r->start, 1 / distance) : vec2(1, 0);
  for (; count < 4; turn.ahead = perp(turn.ahead)) turns[count++] = turn;
  return count;
}

/* ---------------------------------------------------------------- what may be on the union's
 * outline */

static bool is_hidden(const bool *flags, uint32_t index) { return flags && flags[index]; }

static bool hides_facet(const sat_Hidden hidden[2], const sat_Facet *facet) {
  return is_hidden(hidden[facet->side].inner, facet->edge) ||
         is_hidden(hidden[!facet->side].buried, facet->vertex);
}

static bool hides_corner(const sat_Hidden hidden[2], const uint32_t corner[2]) {
  return is_hidden(hidden[0].buried, corner[0]) || is_hidden(hidden[1].buried, corner[1]);
}

uint32_t sat_strips_of(const sat_Outline *outline, const sat_Hidden hidden[2], sat_Strip *strips) {
  sat_Stretch turns[4];
  uint32_t count = 0;
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    bool faces = rim->length > 0 && outline->radius - rim->gap >= -outline->slack;
    if (faces && !hides_facet(hidden, &rim->facet))
      strips[count++] = (sat_Strip){sat_straight_of(outline, i), rim->facet, 0, 0};
    if (outline->radius == 0 || hides_corner(hidden, rim->corner_of)) continue;
    uint32_t parts = sat_turns_of(outline, i, turns);
    for (uint32_t k = 0; k < parts; k++)
      strips[count++] = (sat_Strip){turns[k], rim->facet, rim->corner_of[SAT_OF_A], 0};
  }
  return count;
}

/* In each row, as bits of where they are: the steps on along A, and those along B. */
static void steps_of(const sat_Pair *pair, const uint32_t *rows, uint32_t row, uint32_t steps[2]) {
  uint32_t last = pair->of[SAT_OF_B].count - 1, own = rows[row];
  steps[SAT_OF_A] = (own << 1 | own >> last) & ~own & ((2u << last) - 1);
  steps[SAT_OF_B] = own & ~rows[previous_index(&pair->of[SAT_OF_A], row)];
}

static bool is_path(const sat_Pair *pair, const uint32_t *rows) {
  uint32_t seen = 0, wrong = 0, steps[2];
  for (uint32_t i = 0; i < pair->of[SAT_OF_A].count; i++) {
    steps_of(pair, rows, i, steps);
    wrong |= (uint32_t)(steps[0] == 0) | (steps[0] & (steps[0] - 1)) | (steps[1] & seen);
    seen |= steps[1];
  }
  return wrong == 0 && seen == (2u << (pair->of[SAT_OF_B].count - 1)) - 1;
}

bool sat_order_of(const sat_Pair *pair, uint32_t *rows) {
  const sat_Convex *a = &pair->of[SAT_OF_A], *b = &pair->of[SAT_OF_B];
  sat_Vec2 normals[TABLE / 3];
  if (a->count < 3 || b->count < 3 || a->count > TABLE / 3 || b->count > TABLE / 3) return false;
  if (a->count * b->count > TABLE) return false;
  for (uint32_t j = 0; j < b->count; j++) normals[j] = normal_of(b->edges, j);
  for (uint32_t i = 0; i < a->count; i++) {
    sat_Vec2 normal = normal_of(a->edges, i);
    uint32_t row = 0;
    for (uint32_t j = 0; j < b->count; j++) row |= (uint32_t)(cross(normal, normals[j]) > 0) << j;
    rows[i] = row;
  }
  return is_path(pair, rows);
}

/* Which vertex of B is at A's first edge. */
static uint32_t first_step(const sat_Pair *pair, const uint32_t *rows) {
  uint32_t steps[2], vertex = 0;
  steps_of(pair, rows, 0, steps);
  while (!(steps[SAT_OF_A] >> vertex & 1)) vertex++;
  return vertex;
}

sat_Outline sat_outline_in_order(const sat_Pair *pair, const uint32_t *rows, sat_Rim *rims) {
  const sat_Convex *of = pair->of;
  uint32_t i = 0, j = first_step(pair, rows), count = 0;
  for (uint32_t left = of[0].count + of[1].count; left > 0; left--) {
    uint32_t side = rows[i] >> j & 1, edge = side ? j : i, other = side ? i : j;
    const sat_Convex *own = &of[side];
    sat_Vec2 normal = normal_of(own->edges, edge);
    uint32_t next = next_index(own, edge);
    double base = dot(normal, pair->away[side]) - offset_of(own->edges, edge);
    sat_Rim *rim = &rims[count];
    rim->gap = base + dot(normal, of[!side].vertex[other]);
    rim->start = corner_of(pair, i, j);
    rim->normal = side ? normal : neg(normal);
    rim->length = dot(perp(normal), sub(own->vertex[next], own->vertex[edge]));
    rim->facet = (sat_Facet){rim->gap, side, edge, other};
    rim->corner_of[0] = i;
    rim->corner_of[1] = j;
    i = side ? i : next;
    j = side ? next : j;
    count += rim->length > 0;
  }
  if (count == 0) return sat_outline_of(pair, rims);
  return (sat_Outline){rims, count, pair->radius, sat_outline_slack(pair), false};
}

/* What stretches are made of at once from. */
typedef struct Source {
  const sat_Pair *pair;
  const uint32_t *rows;
  const sat_Shown *shown;
  double reach; /* what is farther from the origin is left out */
  sat_Strip *strips;
  uint32_t count;
} Source;

/* The facet of an edge of one side that goes on from these vertices of both. */
static void add_facet(Source *source, uint32_t side, const uint32_t from[2]) {
  const sat_Pair *pair = source->pair;
  const sat_Convex *own = &pair->of[side];
  uint32_t edge = from[side], other = from[!side];
  sat_Vec2 normal = normal_of(own->edges, edge), outward = side ? normal : neg(normal);
  double base = dot(normal, pair->away[side]) - offset_of(own->edges, edge);
  sat_Facet facet = {base + dot(normal, pair->of[!side].vertex[other]), side, edge, other};
  double away = pair->radius - facet.gap;
  if (away < -sat_outline_slack(pair) || away > source->reach) return;
  sat_Vec2 along = sub(own->vertex[next_index(own, edge)], own->vertex[edge]);
  sat_Vec2 start = add(corner_of(pair, from[0], from[1]), mul(outward, pair->radius));
  double size = dot(perp(normal), along);
  if (size > 0)
    source->strips[source->count++] =
        (sat_Strip){{start, perp(outward), outward, 0, size}, facet, 0, 0};
}

static sat_Vec2 outward_normal(const sat_Pair *pair, uint32_t side, uint32_t edge) {
  sat_Vec2 normal = normal_of(pair->of[side].edges, edge);
  return side ? normal : neg(normal);
}

/* The turn from an edge of one side to what follows. */
static void add_turn(Source *source, uint32_t side, const uint32_t from[2]) {
  const sat_Pair *pair = source->pair;
  uint32_t to[2] = {from[0], from[1]};
  to[side] = next_index(&pair->of[side], from[side]);
  if (!(source->shown[0].corners >> to[0] & source->shown[1].corners >> to[1] & 1)) return;
  sat_Vec2 corner = corner_of(pair, to[0], to[1]);
  double farthest = source->reach + pair->radius;
  if (dot(corner, corner) > farthest * farthest) return;
  uint32_t next = source->rows[to[0]] >> to[1] & 1;
  sat_Vec2 before = outward_normal(pair, side, from[side]);
  sat_Stretch turns[MOST_TURNS], turn = {corner, before, {0, 0}, pair->radius, 1};
  uint32_t parts = turns_between(turn, outward_normal(pair, next, to[next]), turns);
  for (uint32_t k = 0; k < parts; k++)
    source->strips[source->count++] = (sat_Strip){turns[k], {0, 0, 0, 0}, to[0], 0};
}

uint32_t sat_strips_in_order(const sat_Pair *pair, const uint32_t *rows, const sat_Shown shown[2],
                             double reach, sat_Strip *strips) {
  Source source = {pair, rows, shown, reach, strips, 0};
  const sat_Convex *of = pair->of;
  uint32_t i = 0, j = first_step(pair, rows);
  for (uint32_t left = of[0].count + of[1].count; left > 0; left--) {
    uint32_t side = rows[i] >> j & 1, from[2] = {i, j};
    uint32_t facet_of_a = shown[0].edges >> i & shown[1].corners >> j;
    uint32_t facet_of_b = shown[0].corners >> i & shown[1].edges >> j;
    if ((side ? facet_of_b : facet_of_a) & 1) add_facet(&source, side, from);
    if (pair->radius > 0) add_turn(&source, side, from);
    i = side ? i : next_index(&of[0], i);
    j = side ? next_index(&of[1], j) : j;
  }
  return source.count;
}

static double nearest_on_turn(const sat_Stretch *turn, double same, sat_Vec2 wanted) {
  double distance = length(turn->base);
  sat_Vec2 best = distance > same ? mul(turn->base, -1 / distance) : wanted;
  double at_start = dot(best, turn->ahead), at_end = dot(best, sat_stretch_normal(turn, turn->end));
  if (at_start > 0 || at_end > 0) {
    double t = place_on_turn(turn->ahead, best);
    if (t >= 0 && t <= turn->end) return t;
  }
  return at_start >= at_end ? 0 : turn->end;
}

double sat_stretch_nearest(const sat_Stretch *stretch, double same, sat_Vec2 wanted) {
  if (sat_is_turn(stretch)) return nearest_on_turn(stretch, same, wanted);
  return clamp(-dot(stretch->base, stretch->ahead), 0, stretch->end);
}

/* ---------------------------------------------------------------- straight against D */

/* A place on a straight stretch from which to go on, ahead or back. */
typedef struct Front {
  sat_Vec2 point, ahead;
  double pad, end; /* what the place may be off by, and how long the stretch is */
} Front;

/* Where a front leaves D. */
typedef struct Exit {
  sat_Place place;
  uint32_t rim;
  bool beside; /* it runs along D's outline, on the other side */
} Exit;

static void note_exit(Exit *exit, double distance, double pad, uint32_t rim) {
  if (distance >= exit->place.t) return;
  exit->place = (sat_Place){distance, pad};
  exit->rim = rim;
}

/* A front at a facet of D, where the stretch has D's other side: D abuts on it and covers it, until
 * they have come apart by more than rounding, and round corners as long as the facet is. */
static void run_beside(const sat_Outline *outline, const Front *front, uint32_t index, double slope,
                       Exit *exit) {
  const sat_Rim *rim = &outline->rims[index];
  exit->beside = true;
  if (slope * front->end > outline->slack)
    note_exit(exit, 2 * outline->slack / slope, outline->slack / slope, index);
  if (outline->radius == 0) return;
  double along = along_rim(rim, front->point);
  bool forward = dot(perp(rim->normal), front->ahead) > 0;
  note_exit(exit, forward ? rim->length - along : along, outline->slack, index);
}

/* Where D's facets, moved out by the radius, are left, as a distance from the front. False: at
 * once, or not inside of them. */
static bool leave_facets(const sat_Outline *outline, const Front *front, sat_Vec2 normal,
                         Exit *exit) {
  double slack = outline->slack, most = slack + front->pad;
  *exit = (Exit){{HUGE_VAL, 0}, 0, false};
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    double out = gap_of(rim, front->point) - outline->radius;
    if (out > most) return false;
    double slope = dot(rim->normal, front->ahead);
    if (slope < 0 && out > slack - front->pad * slope) return false;
    if (out >= -2 * slack && dot(rim->normal, normal) < 0) {
      run_beside(outline, front, i, slope, exit);
    } else if (fabs(slope) * front->end <= slack) {
      if (out >= -2 * slack) return false; /* along its own side */
    } else if (slope > 0) {
      if (out >= -slack) return false;
      note_exit(exit, -out / slope, slack / slope, i);
    }
  }
  return exit->place.t > exit->place.pad;
}

/* What of a line is inside, as places on it. */
typedef struct Inside {
  sat_Place from, to;
} Inside;

static void widen(Inside *inside, sat_Place place) {
  if (place.t < inside->from.t) inside->from = place;
  if (place.t > inside->to.t) inside->to = place;
}

/* All of the line that is inside, round corners: where it meets straight parts of the outline, and
 * all discs. */
static Inside inside_round(const sat_Outline *outline, const Front *line) {
  double radius = outline->radius, slack = outline->slack;
  Inside inside = {{HUGE_VAL, 0}, {-HUGE_VAL, 0}};
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    sat_Vec2 from = sub(line->point, rim->start);
    double middle = -dot(from, line->ahead), beside = cross(from, line->ahead);
    double square = radius * radius - beside * beside;
    if (square > 0) {
      double half = sqrt(square), pad = slack * radius / half;
      widen(&inside, (sat_Place){middle - half, pad});
      widen(&inside, (sat_Place){middle + half, pad});
    }
    double slope = dot(rim->normal, line->ahead);
    if (fabs(slope) * line->end <= slack) continue;
    sat_Place place = {(radius - gap_of(rim, line->point)) / slope, slack / fabs(slope)};
    double along = along_rim(rim, add(line->point, mul(line->ahead, place.t)));
    if (along >= 0 && along <= rim->length) widen(&inside, place);
  }
  return inside;
}

/* Whether the way from inside the core to where it leaves a facet ends on the straight part of the
 * outline. */
static bool leaves_straight(const sat_Outline *outline, const Front *front, const Exit *exit) {
  sat_Vec2 point = add(front->point, mul(front->ahead, exit->place.t));
  double along = along_rim(&outline->rims[exit->rim], point);
  return along >= 0 && along <= outline->rims[exit->rim].length &&
         sat_outline_excess(outline, front->point, 0) < -outline->slack;
}

static bool covers_straight(const sat_Outline *outline, const sat_Stretch *line, bool forward,
                            sat_Place *place) {
  Front front = {sat_stretch_at(line, place->t), forward ? line->ahead : neg(line->ahead),
                 place->pad, line->end};
  Exit exit = {{HUGE_VAL, 0}, 0, false};
  if (outline->count > 1 && !leave_facets(outline, &front, line->normal, &exit)) return false;
  if (outline->radius > 0 && !exit.beside &&
      (exit.place.t == HUGE_VAL || !leaves_straight(outline, &front, &exit))) {
    Inside inside = inside_round(outline, &front);
    if (inside.from.t - inside.from.pad > place->pad || inside.to.t <= inside.to.pad) return false;
    exit.place = inside.to;
  }
  double t = forward ? place->t + exit.place.t : place->t - exit.place.t;
  if (t == place->t) return false; /* far along a long line, so little of it is lost in rounding */
  *place = (sat_Place){t, exit.place.pad};
  return true;
}

/* ---------------------------------------------------------------- a turn against D */

/* The first place on a turn after (or before) another where it meets an outline. */
typedef struct Meeting {
  const sat_Stretch *turn;
  bool forward;
  double after, first;
} Meeting;

static void note_place(Meeting *meeting, sat_Vec2 normal) {
  const sat_Stretch *turn = meeting->turn;
  if (dot(turn->ahead, normal) <= -0.5) return; /* nowhere near, and the place would overflow */
  double t = place_on_turn(turn->ahead, normal);
  if (meeting->forward) {
    if (t > meeting->after + SAME_TURN && t < meeting->first) meeting->first = t;
  } else {
    if (t < meeting->after - SAME_TURN && t > meeting->first) meeting->first = t;
  }
}

/* Where the turn's normal has this cosine with a direction. One that is 1 but for rounding is where
 * a straight side begins that shares the corner: to miss it would be worse than to look there in
 * vain. */
static void note_cosine(Meeting *meeting, sat_Vec2 direction, double cosine) {
  double square = 1 - cosine * cosine;
  if (!(square >= -TANGENT)) return;
  sat_Vec2 along = mul(direction, cosine), across = mul(perp(direction), sqrt(max2(square, 0)));
  note_place(meeting, add(along, across));
  note_place(meeting, sub(along, across));
}

static void note_meetings(const sat_Outline *outline, Meeting *meeting) {
  const sat_Stretch *turn = meeting->turn;
  double own = turn->radius, radius = outline->radius;
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    if (outline->count > 1)
      note_cosine(meeting, rim->normal, (radius - gap_of(rim, turn->base)) / own);
    sat_Vec2 away = sub(rim->start, turn->base);
    double distance = length(away);
    if (radius == 0 || distance <= outline->slack) continue;
    double cosine = (dot(away, away) + own * own - radius * radius) / (2 * distance * own);
    note_cosine(meeting, mul(away, 1 / distance), cosine);
  }
}

/* The widest of the facets' gaps at a point. */
static double widest_gap(const sat_Outline *outline, sat_Vec2 point, double enough) {
  double most = -HUGE_VAL;
  for (uint32_t i = 0; i < outline->count && most <= enough; i++)
    most = max2(most, gap_of(&outline->rims[i], point));
  return most;
}

/* How a turn's whole disc lies to D: -1 inside, 1 outside, 0 neither for sure. */
static int disc_side(const sat_Outline *outline, const sat_Stretch *turn) {
  double slack = outline->slack, reach = outline->radius + turn->radius + slack;
  if (outline->count == 1) return 0;
  double gap = widest_gap(outline, turn->base, reach);
  if (gap > reach) return 1;
  return gap < -slack && gap + turn->radius < outline->radius - slack ? -1 : 0;
}

static bool covers_part_of_turn(const sat_Outline *outline, const sat_Stretch *turn, bool forward,
                                sat_Place *place) {
  double slack = outline->slack;
  if (sat_outline_excess(outline, sat_stretch_at(turn, place->t), 2 * slack) > 2 * slack)
    return false;
  double end = forward ? turn->end : 0;
  Meeting meeting = {turn, forward, place->t, forward ? HUGE_VAL : -HUGE_VAL};
  note_meetings(outline, &meeting);
  double until = forward ? min2(meeting.first, end) : max2(meeting.first, end);
  double middle = place->t + (until - place->t) * 0.5;
  if (sat_outline_excess(outline, sat_stretch_at(turn, middle), 0) >= -slack) return false;
  *place = (sat_Place){meeting.first, SAME_TURN};
  return true;
}

static bool covers_turn(const sat_Outline *outline, const sat_Stretch *turn, bool forward,
                        sat_Place *place) {
  int side = disc_side(outline, turn);
  if (side < 0) *place = (sat_Place){forward ? HUGE_VAL : -HUGE_VAL, 0};
  return side < 0 || (side == 0 && covers_part_of_turn(outline, turn, forward, place));
}

bool sat_outline_covers(const sat_Outline *outline, const sat_Stretch *stretch, bool forward,
                        sat_Place *place) {
  if (outline->hollow) return false;
  return sat_is_turn(stretch) ? covers_turn(outline, stretch, forward, place)
                              : covers_straight(outline, stretch, forward, place);
}

/* The line through a point inside of D, from where it comes in to where it goes out. False where
 * the point is not inside of all facets, moved out by the radius, for sure. */
static bool leave_both_ways(const sat_Outline *outline, const sat_Stretch *line, sat_Vec2 point,
                            sat_Place exits[2], uint32_t rims[2]) {
  double slack = outline->slack, radius = outline->radius;
  exits[0] = (sat_Place){-HUGE_VAL, 0};
  exits[1] = (sat_Place){HUGE_VAL, 0};
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    double out = gap_of(rim, point) - radius;
    if (out >= -slack) return false;
    double slope = dot(rim->normal, line->ahead);
    if (slope > 0 && -out < exits[1].t * slope) {
      exits[1] = (sat_Place){-out / slope, slack / slope};
      rims[1] = i;
    } else if (slope < 0 && out > exits[0].t * -slope) {
      exits[0] = (sat_Place){-out / slope, -slack / slope};
      rims[0] = i;
    }
  }
  return true;
}

/* Given where the line leaves a facet, moved out by the radius: whether it leaves D there, or, if
 * that is beyond the facet, round the corner beside it, which `exit` then becomes. */
static bool leaves_near(const sat_Outline *outline, const sat_Stretch *line, sat_Vec2 point,
                        uint32_t rim, bool ahead, sat_Place *exit) {
  const sat_Rim *facet = &outline->rims[rim];
  double along = along_rim(facet, add(point, mul(line->ahead, exit->t)));
  if (along >= 0 && along <= facet->length) return true;
  uint32_t next = along > 0 ? next_rim(outline, rim) : rim, before = previous_rim(outline, next);
  sat_Vec2 from = sub(point, outline->rims[next].start);
  double middle = -dot(from, line->ahead), beside = cross(from, line->ahead);
  double square = outline->radius * outline->radius - beside * beside;
  if (!(square > 0)) return false;
  double half = sqrt(square), t = ahead ? middle + half : middle - half;
  sat_Vec2 out = add(from, mul(line->ahead, t));
  *exit = (sat_Place){t, outline->slack * outline->radius / half};
  return cross(outline->rims[before].normal, out) >= 0 &&
         cross(out, outline->rims[next].normal) >= 0;
}

/* A line that leaves D both ways where D's outline is for sure is inside between the two. */
static bool leaves_near_both_ways(const sat_Outline *outline, const sat_Stretch *line,
                                  sat_Vec2 point, sat_Place exits[2], const uint32_t rims[2]) {
  if (outline->count == 1 || exits[0].t == -HUGE_VAL || exits[1].t == HUGE_VAL) return false;
  return leaves_near(outline, line, point, rims[0], false, &exits[0]) &&
         leaves_near(outline, line, point, rims[1], true, &exits[1]) &&
         exits[0].t < -exits[0].pad && exits[1].t > exits[1].pad;
}

static bool holds_straight(const sat_Outline *outline, const sat_Stretch *line, double t,
                           sat_Place exits[2]) {
  sat_Vec2 point = sat_stretch_at(line, t);
  uint32_t rims[2] = {0, 0};
  if (outline->count > 1 && !leave_both_ways(outline, line, point, exits, rims)) return false;
  if (outline->radius > 0 && !leaves_near_both_ways(outline, line, point, exits, rims)) {
    Front front = {point, line->ahead, 0, line->end};
    Inside inside = inside_round(outline, &front);
    if (inside.from.t >= -inside.from.pad || inside.to.t <= inside.to.pad) return false;
    exits[0] = inside.from;
    exits[1] = inside.to;
  }
  exits[0].t += t;
  exits[1].t += t;
  return true;
}

/* Where a turn that is inside of D at a place leaves it: just beyond, should the outline be nearer
 * than two places are told apart. */
static sat_Place leave_on_turn(const sat_Outline *outline, const sat_Stretch *turn, double t,
                               bool forward) {
  double end = forward ? turn->end : 0, hair = forward ? 2 * SAME_TURN : -2 * SAME_TURN;
  Meeting meeting = {turn, forward, t, forward ? HUGE_VAL : -HUGE_VAL};
  note_meetings(outline, &meeting);
  double until = forward ? min2(meeting.first, end) : max2(meeting.first, end);
  double middle = t + (until - t) * 0.5;
  bool inside = sat_outline_excess(outline, sat_stretch_at(turn, middle), 0) < -outline->slack;
  return (sat_Place){inside ? meeting.first : t + hair, SAME_TURN};
}

static bool holds_turn(const sat_Outline *outline, const sat_Stretch *turn, double t,
                       sat_Place exits[2]) {
  double slack = outline->slack;
  int side = disc_side(outline, turn);
  exits[0] = (sat_Place){-HUGE_VAL, 0};
  exits[1] = (sat_Place){HUGE_VAL, 0};
  if (side != 0) return side < 0;
  if (sat_outline_excess(outline, sat_stretch_at(turn, t), -slack) >= -slack) return false;
  exits[0] = leave_on_turn(outline, turn, t, false);
  exits[1] = leave_on_turn(outline, turn, t, true);
  return true;
}

bool sat_outline_holds(const sat_Outline *outline, const sat_Stretch *stretch, double t,
                       sat_Place exits[2]) {
  if (outline->hollow) return false;
  return sat_is_turn(stretch) ? holds_turn(outline, stretch, t, exits)
                              : holds_straight(outline, stretch, t, exits);
}

bool sat_outline_swallows(const sat_Outline *outline, const sat_Stretch *stretch) {
  if (outline->hollow) return false;
  if (sat_is_turn(stretch)) return disc_side(outline, stretch) < 0;
  double slack = outline->slack;
  return sat_outline_excess(outline, stretch->base, -slack) < -slack &&
         sat_outline_excess(outline, sat_stretch_at(stretch, stretch->end), -slack) < -slack;
}

/* ---------------------------------------------------------------- about a point of the outline */

/* The wedge of a grown D: half a turn, closed as far as the outline is straight. */
static sat_Wedge round_wedge(const sat_Outline *outline, sat_Vec2 point, double slack) {
  sat_Vec2 out = {1, 0}, corner = outline->rims[0].start;
  double nearest = HUGE_VAL;
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    double along = along_rim(rim, point), gap = gap_of(rim, point) - outline->radius;
    if (rim->length > 0 && fabs(gap) <= slack && along >= -slack && along <= rim->length + slack)
      return (sat_Wedge){
          perp(rim->normal), neg(perp(rim->normal)), {along<rim->length - slack, along> slack}};
    double distance = length(sub(point, rim->start));
    if (distance >= nearest) continue;
    nearest = distance;
    corner = rim->start;
  }
  if (nearest > slack) out = mul(sub(point, corner), 1 / nearest);
  return (sat_Wedge){perp(out), neg(perp(out)), {false, false}};
}

bool sat_outline_wedge(const sat_Outline *outline, sat_Vec2 point, double slack, sat_Wedge *wedge) {
  if (outline->hollow || fabs(sat_outline_excess(outline, point, slack)) > slack) return false;
  if (outline->radius > 0) {
    *wedge = round_wedge(outline, point, slack);
    return true;
  }
  uint32_t touched = 0;
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i], *before = &outline->rims[previous_rim(outline, i)],
                  *after = &outline->rims[next_rim(outline, i)];
    if (gap_of(rim, point) < -slack) continue;
    touched++;
    if (gap_of(before, point) < -slack) wedge->to = neg(perp(rim->normal));
    if (gap_of(after, point) < -slack) wedge->from = perp(rim->normal);
  }
  wedge->closed[0] = wedge->closed[1] = true;
  return touched < outline->count;
}

bool sat_wedge_holds(const sat_Wedge *wedge, sat_Vec2 direction, bool *start) {
  double from = cross(wedge->from, direction), to = cross(direction, wedge->to);
  *start = fabs(from) <= SAME_EDGE && dot(wedge->from, direction) > 0;
  return *start || (from > SAME_EDGE && to > SAME_EDGE);
}

/* ---------------------------------------------------------------- where they meet */

static double next_on_line(const sat_Outline *outline, const sat_Stretch *line, double after) {
  double radius = outline->radius, slack = outline->slack, least = after + slack;
  double next = HUGE_VAL;
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    double slope = dot(rim->normal, line->ahead);
    double crossing = (radius - gap_of(rim, line->base)) / slope;
    if (slope != 0 && crossing > least) next = min2(next, crossing);
    sat_Vec2 from = sub(line->base, rim->start);
    double middle = -dot(from, line->ahead), beside = cross(from, line->ahead);
    double reach = radius + 2 * slack;
    if (fabs(beside) > reach) continue;
    double half = sqrt((reach - beside) * (reach + beside));
    if (middle - half > least) next = min2(next, middle - half);
    if (middle + half > least) next = min2(next, middle + half);
  }
  return next;
}

double sat_outline_next(const sat_Outline *outline, const sat_Stretch *stretch, double after) {
  if (!sat_is_turn(stretch)) return next_on_line(outline, stretch, after);
  Meeting meeting = {stretch, true, after, HUGE_VAL};
  note_meetings(outline, &meeting);
  return meeting.first;
}

bool sat_outline_is_near(const sat_Outline *outline, sat_Vec2 point) {
  double slack = 2 * outline->slack;
  if (!outline->hollow) return sat_outline_excess(outline, point, slack) <= slack;
  const sat_Rim *rim = &outline->rims[0];
  if (outline->count == 1) return length(sub(point, rim->start)) <= slack;
  double along = along_rim(rim, point);
  return fabs(gap_of(rim, point)) <= slack && along >= -slack && along <= rim->length + slack;
}
