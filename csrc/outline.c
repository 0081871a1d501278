/* outline.c: see outline.h. */
#include "outline.h"

/* Places on a turn that are nearer to each other than this, as half an angle, are one. */
#define SAME_TURN 1e-10

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
  if (outline->radius > 0 && most > 0) most = core_distance(outline, widest, point);
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

uint32_t sat_turns_of(const sat_Outline *outline, uint32_t rim, sat_Stretch turns[4]) {
  const sat_Rim *r = &outline->rims[rim];
  sat_Vec2 from = outline->rims[previous_rim(outline, rim)].normal, to = r->normal;
  sat_Stretch turn = {r->start, from, {0, 0}, outline->radius, 1};
  uint32_t count = 0;
  if (outline->count == 1) {
    for (turn.ahead = vec2(1, 0); count < 4; turn.ahead = perp(turn.ahead)) turns[count++] = turn;
    return count;
  }
  if (dot(from, to) <= 0) { /* more than a quarter, and at most two of them */
    turns[count++] = turn;
    turn.ahead = perp(turn.ahead);
  }
  turn.end = place_on_turn(turn.ahead, to);
  if (turn.end > SAME_TURN) turns[count++] = turn;
  return count;
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

/* What of a line is inside, as places on it. */
typedef struct Inside {
  sat_Place from, to;
  uint32_t from_rim, to_rim;
} Inside;

/* Cuts off what is outside of one facet. False if that is all. */
static bool clip(const sat_Outline *outline, const sat_Stretch *line, uint32_t index,
                 Inside *inside) {
  const sat_Rim *rim = &outline->rims[index];
  double out = gap_of(rim, line->base) - outline->radius, slope = dot(rim->normal, line->ahead);
  double slack = outline->slack;
  if (fabs(slope) * line->end <= slack) {
    /* Along the facet: what D begins at, on the other side, is not free; D's own side is. */
    if (fabs(out) <= 2 * slack) return dot(rim->normal, line->normal) < 0;
    return out < 0;
  }
  sat_Place place = {-out / slope, slack / fabs(slope)};
  if (slope < 0 && place.t > inside->from.t) {
    inside->from = place;
    inside->from_rim = index;
  }
  if (slope > 0 && place.t < inside->to.t) {
    inside->to = place;
    inside->to_rim = index;
  }
  return inside->from.t < inside->to.t;
}

static void widen(Inside *inside, sat_Place place) {
  if (place.t < inside->from.t) inside->from = place;
  if (place.t > inside->to.t) inside->to = place;
}

/* The same, round corners: where the line meets straight parts of the outline, and all discs. */
static bool clip_round(const sat_Outline *outline, const sat_Stretch *line, Inside *inside) {
  double radius = outline->radius, slack = outline->slack;
  *inside = (Inside){{HUGE_VAL, 0}, {-HUGE_VAL, 0}, 0, 0};
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    sat_Vec2 from = sub(line->base, rim->start);
    double middle = -dot(from, line->ahead), beside = cross(from, line->ahead);
    double square = radius * radius - beside * beside;
    if (square > 0) {
      double half = sqrt(square), pad = slack * radius / half;
      widen(inside, (sat_Place){middle - half, pad});
      widen(inside, (sat_Place){middle + half, pad});
    }
    double slope = dot(rim->normal, line->ahead);
    if (fabs(slope) * line->end <= slack) continue;
    sat_Place place = {(radius - gap_of(rim, line->base)) / slope, slack / fabs(slope)};
    double along = along_rim(rim, add(line->base, mul(line->ahead, place.t)));
    if (along >= 0 && along <= rim->length) widen(inside, place);
  }
  return inside->from.t < inside->to.t;
}

/* Whether a place on a line is on the straight part of a facet's outline. */
static bool on_rim(const sat_Outline *outline, uint32_t rim, const sat_Stretch *line, double t) {
  double along = along_rim(&outline->rims[rim], sat_stretch_at(line, t));
  return along >= 0 && along <= outline->rims[rim].length;
}

static bool straight_inside(const sat_Outline *outline, const sat_Stretch *line, Inside *inside) {
  *inside = (Inside){{-HUGE_VAL, 0}, {HUGE_VAL, 0}, 0, 0};
  if (outline->count == 1) return clip_round(outline, line, inside);
  for (uint32_t i = 0; i < outline->count; i++)
    if (!clip(outline, line, i, inside)) return false;
  if (outline->radius == 0) return true;
  if (inside->from.t > -HUGE_VAL && inside->to.t < HUGE_VAL &&
      on_rim(outline, inside->from_rim, line, inside->from.t) &&
      on_rim(outline, inside->to_rim, line, inside->to.t))
    return true;
  return clip_round(outline, line, inside);
}

static bool covers_straight(const sat_Outline *outline, const sat_Stretch *line, bool forward,
                            sat_Place *place) {
  Inside inside;
  if (!straight_inside(outline, line, &inside)) return false;
  double pad = place->pad;
  if (forward) {
    if (inside.from.t - inside.from.pad > place->t + pad || inside.to.t <= place->t) return false;
    *place = inside.to;
  } else {
    if (inside.to.t + inside.to.pad < place->t - pad || inside.from.t >= place->t) return false;
    *place = inside.from;
  }
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

/* Where the turn's normal has this cosine with a direction. */
static void note_cosine(Meeting *meeting, sat_Vec2 direction, double cosine) {
  double square = 1 - cosine * cosine;
  if (!(square >= 0)) return;
  sat_Vec2 along = mul(direction, cosine), across = mul(perp(direction), sqrt(square));
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

static bool covers_turn(const sat_Outline *outline, const sat_Stretch *turn, bool forward,
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

bool sat_outline_covers(const sat_Outline *outline, const sat_Stretch *stretch, bool forward,
                        sat_Place *place) {
  if (outline->hollow) return false;
  return sat_is_turn(stretch) ? covers_turn(outline, stretch, forward, place)
                              : covers_straight(outline, stretch, forward, place);
}
