/* move.c: sweeps a shape through a world, and responds to what it meets.
 *
 * A leg sweeps the shape along what is left of the motion. Where it meets a surface the shape
 * advances to contact, settles there, and the rest of the motion is clipped by every surface that
 * the shape still touches: Quake's rule (PM_SlideMove), on the motion that was asked for instead of
 * the last one. Three things keep the answer free of skins and nudges:
 *
 *   - After an advance the exact predicate says whether the shape is inside of anything by
 *   rounding,
 *     and if so it steps out along the normal by units in the last place until it is not.
 *   - A clipped motion leads out of the surface by a 2^-46th of its length, so that rounding cannot
 *     lead it back in.
 *   - Between two solids that abut there may be a lip of rounding. So whatever is met by a shape in
 *     contact is asked again from a little farther out along the contact's normal. */
#include "base/memory.h"
#include "shape/convex.h"
#include "world/world.h"

#include <string.h>

/* A longer row of slides is cut off: what is left of the motion by then is dropped. */
enum { MOST_LEGS = 64, MOST_STEPS_OUT = 6 };
/* Along a surface that is not parallel to an axis a motion leads out by this part of its length. */
#define LEAD_OUT 0x1p-46
#define MOST_LEAD_OUT 0x1p-30
/* A shape is lifted by this part of its size to see whether a hit is a lip of rounding, and its
 * motion is then at least this part of the size long. */
#define LIFT 1e-9
#define LEAST_QUESTION 1e-5
/* Normals that differ by less are those of one surface, met beside one of its corners perhaps: a
 * round shape meets a lip of rounding along a normal that is off by the lip's square root. */
#define SAME_SURFACE 1e-6
/* Normals that differ by less are those of one plane. */
#define SAME_PLANE 1e-10
/* A hit moves by less than this part of the size when the shape is lifted, unless it is another. */
#define SAME_PLACE 1e-4
/* A motion or a normal leads to one side of a one-way platform by more than this. */
#define LEAST_FACING 1e-9
/* Rounding as a part of the sizes and coordinates that take part. */
#define MOVE_ROUNDING 1e-12

/* ---------------------------------------------------------------- lists */

void sat_world_move_init(sat_World *world) {
  sat_MoveState *move = &world->move;
  sat_Allocator allocator = world->allocator;
  memset(move, 0, sizeof *move);
  move->neighbors.allocator = move->others.allocator = allocator;
  move->events.allocator = move->lifted.allocator = allocator;
  move->turned.allocator = move->contacts.allocator = allocator;
  move->hits.allocator = move->fresh.allocator = allocator;
  memset(&world->carry, 0, sizeof world->carry);
  world->carry.carried.allocator = world->carry.fresh.allocator = allocator;
  world->carry.near.allocator = allocator;
}

void sat_world_move_free(sat_World *world) {
  sat_MoveState *move = &world->move;
  SAT_LIST_FREE(&move->neighbors);
  SAT_LIST_FREE(&move->others);
  SAT_LIST_FREE(&move->events);
  SAT_LIST_FREE(&move->lifted);
  SAT_LIST_FREE(&move->turned);
  SAT_LIST_FREE(&move->contacts);
  SAT_LIST_FREE(&move->hits);
  SAT_LIST_FREE(&move->fresh);
  SAT_LIST_FREE(&world->carry.carried);
  SAT_LIST_FREE(&world->carry.fresh);
  SAT_LIST_FREE(&world->carry.near);
}

static sat_Status add_event(sat_MoveEvents *events, sat_MoveEvent event) {
  sat_Status status = SAT_LIST_RESERVE(events, 1);
  if (!status) events->at[events->count++] = event;
  return status;
}

static sat_Status add_surface(sat_MoveSurfaces *surfaces, sat_MoveSurface surface) {
  sat_Status status = SAT_LIST_RESERVE(surfaces, 1);
  if (!status) surfaces->at[surfaces->count++] = surface;
  return status;
}

static sat_Status add_hit(sat_World *world, uint32_t other, const sat_Hit *hit, double t,
                          sat_Response how) {
  sat_MoveHits *hits = &world->move.fresh;
  sat_Status status = SAT_LIST_RESERVE(hits, 1);
  if (status) return status;
  hits->at[hits->count++] =
      (sat_MoveHit){other, world->entries[other].id, hit->normal, hit->point, t, how};
  return SAT_OK;
}

/* ---------------------------------------------------------------- where the shape stands */

/* The world hears nothing of it: the shape is back at its start before anyone else asks. */
static void stand_at(sat_World *world, sat_SavedPosition place) {
  world->move.place = place;
  sat_shape_stand_at(world->move.shape, place);
}

/* Moves the shape by the same sums as sat_shape_move. */
static sat_Status shift(sat_World *world, sat_Vec2 motion) {
  sat_MoveState *move = &world->move;
  sat_Status status = sat_shape_shift(move->shape, motion);
  if (!status) move->place = sat_shape_position(move->shape);
  return status;
}

/* ---------------------------------------------------------------- boxes on the way */

/* A box that holds all of a motion, and `out` more. */
static sat_Rectangle sat_swept_rectangle(sat_Rectangle box, sat_Vec2 motion, double out) {
  double x = min2(box.x, box.x + motion.x) - out, y = min2(box.y, box.y + motion.y) - out;
  double right = max2(box.x, box.x + motion.x) + box.w + out;
  double bottom = max2(box.y, box.y + motion.y) + box.h + out;
  return (sat_Rectangle){x, y, right - x, bottom - y};
}

/* When an interval begins to overlap a still one and when it ceases, a little early and late. */
static void overlap_times(double low, double high, double motion, double other_low,
                          double other_high, double *enter, double *leave) {
  double error_bound = (fabs(low) + fabs(high) + fabs(other_low) + fabs(other_high)) * 0x1p-40;
  double ahead = other_low - high - error_bound, behind = other_high - low + error_bound;
  if (motion == 0) {
    if (ahead > 0 || behind < 0) *leave = -1;
    return;
  }
  *enter = max2(*enter, (motion > 0 ? ahead : behind) / motion - 0x1p-40);
  *leave = min2(*leave, (motion > 0 ? behind : ahead) / motion + 0x1p-40);
}

/* Whether a moving box comes to overlap a still one. */
static bool sat_boxes_meet_on_the_way(sat_Rectangle box, sat_Vec2 motion, sat_Rectangle other,
                                      double limit) {
  double enter = 0, leave = limit;
  overlap_times(box.x, box.x + box.w, motion.x, other.x, other.x + other.w, &enter, &leave);
  overlap_times(box.y, box.y + box.h, motion.y, other.y, other.y + other.h, &enter, &leave);
  return enter <= leave;
}

/* ---------------------------------------------------------------- the others */

/* Where the others' list has a number, or would have it. */
static size_t find_other(const sat_MoveOthers *others, uint32_t index) {
  size_t low = 0, high = others->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (others->at[middle].index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

static const sat_MoveOther *known_other(const sat_MoveState *move, uint32_t index) {
  size_t at = find_other(&move->others, index);
  bool known = at < move->others.count && move->others.at[at].index == index;
  return known ? &move->others.at[at] : NULL;
}

/* The record of another shape, made at need. NULL: no memory. */
static sat_MoveOther *get_other(sat_MoveState *move, uint32_t index) {
  sat_MoveOthers *others = &move->others;
  size_t at = find_other(others, index);
  if (at < others->count && others->at[at].index == index) return &others->at[at];
  sat_Status status = SAT_LIST_RESERVE(others, 1);
  if (status) return NULL;
  memmove(&others->at[at + 1], &others->at[at], (others->count - at) * sizeof *others->at);
  others->count++;
  others->at[at] = (sat_MoveOther){.index = index, .response = (uint8_t)move->response};
  return &others->at[at];
}

/* The response to another shape. A sensor is crossed unless the answer was to ignore it. */
static sat_Response response_to(const sat_World *world, uint32_t index) {
  const sat_MoveState *move = &world->move;
  const sat_MoveOther *other = known_other(move, index);
  sat_Response response = other ? (sat_Response)other->response : move->response;
  bool sensor = !sat_is_solid(sat_entry_shape(world, index)) || !sat_is_solid(move->shape);
  return sensor && response != SAT_ASK && response != SAT_IGNORE ? SAT_CROSS : response;
}

static bool is_one_way(const sat_World *world, uint32_t index) {
  sat_Vec2 open;
  return sat_shape_one_way(sat_entry_shape(world, index), &open);
}

/* Whether the shape has come so deep into a one-way platform that it is on its way through. */
static bool passes_through(const sat_World *world, uint32_t index, double depth) {
  return depth > 64 * world->move.rounding && is_one_way(world, index);
}

/* Whether a one-way platform lets the shape through: it comes from another side, or was inside of
 * the platform when the move began. */
static bool is_let_through(const sat_World *world, uint32_t index, sat_Vec2 motion,
                           sat_Vec2 normal) {
  sat_Vec2 open;
  if (!sat_shape_one_way(sat_entry_shape(world, index), &open)) return false;
  const sat_MoveOther *known = known_other(&world->move, index);
  return (known && known->inside) || dot(motion, open) >= -LEAST_FACING * length(motion) ||
         dot(normal, open) <= LEAST_FACING;
}

/* Whether the shape may not overlap another one. */
static bool is_obstacle(const sat_World *world, uint32_t index) {
  if (!sat_is_solid(sat_entry_shape(world, index)) || !sat_is_solid(world->move.shape))
    return false;
  sat_Response response = response_to(world, index);
  return response != SAT_CROSS && response != SAT_IGNORE;
}

/* Two sensors are no pair, and neither are two that their filters keep apart. */
static bool may_meet(const sat_World *world, uint32_t index) {
  const sat_Shape *shape = world->move.shape, *other = sat_entry_shape(world, index);
  return other != shape && !(shape->flags & other->flags & SAT_SENSOR) &&
         !(world->entries[index].state & SAT_ENTRY_PASSABLE) && sat_shapes_filter(shape, other);
}

static bool holds_rectangle(const sat_Rectangle *outer, const sat_Rectangle *inner) {
  return outer->x <= inner->x && outer->y <= inner->y &&
         outer->x + outer->w >= inner->x + inner->w && outer->y + outer->h >= inner->y + inner->h;
}

/* Lists everything that the shape may meet on a motion. */
static sat_Status find_neighbors(sat_World *world, sat_Vec2 motion) {
  sat_MoveState *move = &world->move;
  sat_Rectangle area = sat_swept_rectangle(sat_box_of(move->shape), motion, 4 * move->rounding);
  if (holds_rectangle(&move->area, &area)) return SAT_OK;
  sat_Status status = sat_world_query_boxes(world, area);
  move->neighbors.count = 0;
  if (!status) status = SAT_LIST_RESERVE(&move->neighbors, world->near.count);
  if (status) return status;
  for (size_t i = 0; i < world->near.count; i++)
    if (may_meet(world, world->near.at[i]))
      move->neighbors.at[move->neighbors.count++] = world->near.at[i];
  move->area = area;
  return SAT_OK;
}

/* ---------------------------------------------------------------- what a leg meets */

static bool differ_by(sat_Vec2 one, sat_Vec2 other, double most) {
  return fabs(one.x - other.x) > most || fabs(one.y - other.y) > most;
}

static bool faces(sat_Vec2 one, sat_Vec2 other) { return !differ_by(one, other, SAME_SURFACE); }

/* The order of events: by time, crossings before surfaces, the surface that is met most head on,
 * and then by its direction, so that the order of adding is seen only where one surface is met
 * twice. */
static bool event_comes_first(const sat_World *world, const sat_MoveEvent *one,
                              const sat_MoveEvent *other) {
  const sat_Hit *p = &one->hit, *q = &other->hit;
  if (p->t != q->t) return p->t < q->t;
  bool p_crossed = !is_obstacle(world, one->other), q_crossed = !is_obstacle(world, other->other);
  if (p_crossed != q_crossed) return p_crossed;
  sat_Vec2 motion = world->move.left;
  double p_along = dot(p->normal, motion), q_along = dot(q->normal, motion);
  if (!faces(p->normal, q->normal) && p_along != q_along) return p_along < q_along;
  if (!faces(p->normal, q->normal) && p->normal.x != q->normal.x) return p->normal.x < q->normal.x;
  return world->entries[one->other].id < world->entries[other->other].id;
}

/* Whether a one-way platform that a leg meets is none for it. A shape that is inside already is on
 * its way through. */
static sat_Status lets_through(sat_World *world, sat_Vec2 motion, const sat_MoveEvent *event,
                               bool *through) {
  sat_Result way = {.depth = 0};
  sat_Status status = SAT_OK;
  *through = false;
  if (!is_one_way(world, event->other) || !is_obstacle(world, event->other)) return SAT_OK;
  if (event->hit.t == 0)
    status = sat_collide(world->move.shape, sat_entry_shape(world, event->other), NULL,
                         &world->scratch, &way);
  *through = is_let_through(world, event->other, motion, event->hit.normal) ||
             passes_through(world, event->other, way.depth);
  return status == SAT_MISS ? SAT_OK : status;
}

/* Sweeps the shape, where it stands now, against every neighbour. */
static sat_Status find_events(sat_World *world, sat_Vec2 motion, sat_MoveEvents *events) {
  sat_MoveState *move = &world->move;
  sat_Rectangle box = sat_box_of(move->shape);
  events->count = 0;
  for (size_t i = 0; i < move->neighbors.count; i++) {
    uint32_t index = move->neighbors.at[i];
    const sat_MoveOther *known = known_other(move, index);
    sat_MoveEvent event = {.other = index};
    if (known && (known->reported || known->response == SAT_IGNORE)) continue;
    if (!sat_boxes_meet_on_the_way(box, motion, sat_quadtree_box(&world->tree, index), 1)) continue;
    sat_Status status =
        sat_cast(move->shape, motion, sat_entry_shape(world, index), &world->scratch, &event.hit);
    if (status == SAT_MISS) continue;
    bool through = false;
    if (!status) status = lets_through(world, motion, &event, &through);
    if (!status && !through) status = add_event(events, event);
    if (status) return status;
  }
  return SAT_OK;
}

static size_t first_event(const sat_World *world, const sat_MoveEvents *events) {
  size_t first = 0;
  for (size_t i = 1; i < events->count; i++)
    if (event_comes_first(world, &events->at[i], &events->at[first])) first = i;
  return first;
}

static void drop_event(sat_MoveEvents *events, size_t index) {
  events->at[index] = events->at[--events->count];
}

/* ---------------------------------------------------------------- lips of rounding */

static bool has_surface(const sat_MoveSurfaces *surfaces, sat_Vec2 normal, double most) {
  for (size_t i = 0; i < surfaces->count; i++)
    if (!differ_by(surfaces->at[i].normal, normal, most)) return true;
  return false;
}

/* Whether a probe has met something at once, but for rounding. */
static bool is_touch(const sat_MoveState *move, const sat_Hit *hit) {
  return hit->t * LEAST_QUESTION * move->size <= move->rounding;
}

/* Asks by a short sweep whether the shape touches a neighbour on that side. */
static sat_Status probe(sat_World *world, uint32_t index, sat_Vec2 direction) {
  sat_MoveState *move = &world->move;
  sat_Hit hit;
  sat_Status status = sat_cast(move->shape, mul(direction, LEAST_QUESTION * move->size),
                               sat_entry_shape(world, index), &world->scratch, &hit);
  if (status || !is_touch(move, &hit)) return status == SAT_MISS ? SAT_OK : status;
  if (is_let_through(world, index, direction, hit.normal)) return SAT_OK;
  if (has_surface(&move->contacts, hit.normal, SAME_PLANE)) return SAT_OK;
  return add_surface(&move->contacts, (sat_MoveSurface){hit.normal, LEAD_OUT, index});
}

/* Lists the surfaces that the shape touches: those that the leg meets at once, and those that it
 * slides along, which no sweep along the leg meets. */
static sat_Status find_contacts(sat_World *world) {
  sat_MoveState *move = &world->move;
  sat_Rectangle box = sat_swept_rectangle(sat_box_of(move->shape), vec2(0, 0), move->rounding);
  sat_Vec2 side = mul(perp(move->left), 1 / length(move->left));
  sat_Status status = SAT_OK;
  move->contacts.count = 0;
  for (size_t i = 0; !status && i < move->events.count; i++) {
    const sat_MoveEvent *event = &move->events.at[i];
    if (event->hit.t > 0 || !is_obstacle(world, event->other)) continue;
    if (!has_surface(&move->contacts, event->hit.normal, SAME_PLANE))
      status = add_surface(&move->contacts,
                           (sat_MoveSurface){event->hit.normal, LEAD_OUT, event->other});
  }
  for (size_t i = 0; !status && i < move->neighbors.count; i++) {
    uint32_t index = move->neighbors.at[i];
    sat_Rectangle other = sat_quadtree_box(&world->tree, index);
    if (!sat_boxes_meet_on_the_way(box, vec2(0, 0), other, 0) || !is_obstacle(world, index))
      continue;
    status = probe(world, index, side);
    if (!status) status = probe(world, index, neg(side));
  }
  return status;
}

/* Whether the shape, where it stands now, overlaps an obstacle. */
static sat_Status overlaps_obstacle(sat_World *world, bool *overlaps) {
  sat_MoveState *move = &world->move;
  *overlaps = false;
  for (size_t i = 0; i < move->neighbors.count && !*overlaps; i++) {
    uint32_t index = move->neighbors.at[i];
    sat_Result way;
    if (!is_obstacle(world, index)) continue;
    sat_Status status =
        sat_collide(move->shape, sat_entry_shape(world, index), NULL, &world->scratch, &way);
    if (status > SAT_MISS) return status;
    *overlaps = status == SAT_OK && way.depth > 0 && !passes_through(world, index, way.depth);
  }
  return SAT_OK;
}

/* The event with that shape, or NULL. */
static const sat_MoveEvent *event_with(const sat_MoveEvents *events, uint32_t other) {
  for (size_t i = 0; i < events->count; i++)
    if (events->at[i].other == other) return &events->at[i];
  return NULL;
}

/* Compares the events with those of the lifted shape. A hit that is gone, or is another one, was a
 * lip of rounding; what the lifted shape meets of that neighbour instead takes its place. */
static void drop_lips(sat_World *world, sat_Vec2 normal, double scale) {
  sat_MoveState *move = &world->move;
  double way = length(move->left);
  for (size_t i = move->events.count; i-- > 0;) {
    sat_MoveEvent *event = &move->events.at[i];
    if (!is_obstacle(world, event->other)) continue;
    if (!differ_by(event->hit.normal, normal, SAME_PLANE)) continue;
    const sat_MoveEvent *seen = event_with(&move->lifted, event->other);
    double t = seen ? seen->hit.t * scale : 0;
    if (seen && faces(seen->hit.normal, event->hit.normal) &&
        fabs(t - event->hit.t) * way <= SAME_PLACE * move->size)
      continue;
    if (seen && t <= 1) event->hit = (sat_Hit){t, seen->hit.normal, seen->hit.point};
    else drop_event(&move->events, i);
  }
}

static sat_Status look_from(sat_World *world, sat_Vec2 normal) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition place = move->place;
  double way = length(move->left);
  double scale = max2(LEAST_QUESTION * move->size / way, 1);
  bool overlaps = true;
  sat_Status status = shift(world, mul(normal, LIFT * move->size));
  if (!status) status = overlaps_obstacle(world, &overlaps);
  if (!status && !overlaps) status = find_events(world, mul(move->left, scale), &move->lifted);
  stand_at(world, place);
  if (!status && !overlaps) drop_lips(world, normal, scale);
  return status;
}

/* Leaves out of a leg's events what is only a lip of rounding beside something that the shape
 * touches. */
static sat_Status drop_all_lips(sat_World *world) {
  sat_MoveState *move = &world->move;
  sat_Status status = find_contacts(world);
  for (size_t i = 0; !status && i < move->contacts.count; i++)
    status = look_from(world, move->contacts.at[i].normal);
  move->lips_dropped = true;
  return status;
}

/* ---------------------------------------------------------------- settling */

/* The coordinates' last place: what a step out has to exceed to be felt. */
static double last_place(const sat_Shape *shape) {
  double x = max2(fabs(shape->centroid.x), fabs(shape->local_origin.x));
  double y = max2(fabs(shape->centroid.y), fabs(shape->local_origin.y));
  return max2(max2(x, y) * 0x1p-52, DBL_MIN);
}

/* A neighbour that the shape is inside of by rounding, or none. `all`: those that it was inside of
 * at the start count, too. */
static sat_Status find_overlap(sat_World *world, bool all, uint32_t *index, sat_Result *way) {
  sat_MoveState *move = &world->move;
  *index = SAT_NO_SHAPE;
  for (size_t i = 0; i < move->neighbors.count; i++) {
    uint32_t other = move->neighbors.at[i];
    const sat_MoveOther *known = known_other(move, other);
    if (!is_obstacle(world, other) || (known && (known->inside || (known->shallow && !all))))
      continue;
    sat_Status status =
        sat_collide(move->shape, sat_entry_shape(world, other), NULL, &world->scratch, way);
    if (status > SAT_MISS) return status;
    if (status == SAT_MISS || way->depth == 0 || passes_through(world, other, way->depth)) continue;
    *index = other;
    return SAT_OK;
  }
  return SAT_OK;
}

/* Steps along a direction, each step twice as long as the one before, until the shape is out of one
 * neighbour, or of all of them (SAT_NO_SHAPE). SAT_MISS: it never is within rounding. */
static sat_Status step_out(sat_World *world, bool all, uint32_t index, sat_Vec2 direction) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition from = move->place;
  for (double step = last_place(move->shape); step <= 64 * move->rounding; step *= 2) {
    uint32_t met = SAT_NO_SHAPE;
    sat_Result way = {.depth = 0};
    stand_at(world, from);
    sat_Status status = shift(world, mul(direction, step));
    if (!status && index == SAT_NO_SHAPE) status = find_overlap(world, all, &met, &way);
    else if (!status)
      status = sat_collide(move->shape, sat_entry_shape(world, index), NULL, &world->scratch, &way);
    if (status > SAT_MISS) return status;
    if (status == SAT_MISS || (met == SAT_NO_SHAPE && way.depth == 0)) return SAT_OK;
  }
  stand_at(world, from);
  return SAT_MISS;
}

/* Steps out of everything that the shape is inside of by rounding: out of one neighbour after the
 * other, and where these push it to and fro, towards where the gap between them opens. Where that
 * fails the shape goes back to `from`. */
static sat_Status step_out_of_overlaps(sat_World *world, bool all, sat_SavedPosition from) {
  sat_Vec2 sum = {0, 0}, last = {0, 0};
  for (int rounds = 0; rounds < MOST_STEPS_OUT; rounds++) {
    uint32_t index;
    sat_Result way;
    sat_Status status = find_overlap(world, all, &index, &way);
    if (status || index == SAT_NO_SHAPE) return status;
    if (!faces(last, way.normal)) sum = add(sum, way.normal);
    last = way.normal;
    status = step_out(world, all, index, way.normal);
    if (status) break;
  }
  double size = length(sum);
  sat_Status status = SAT_MISS;
  if (size > SAME_SURFACE) status = step_out(world, all, SAT_NO_SHAPE, mul(sum, 1 / size));
  if (status != SAT_MISS) return status;
  stand_at(world, from);
  return SAT_OK;
}

/* ---------------------------------------------------------------- clipping */

/* Takes away from a motion what leads into a surface. Along an axis that is exact. */
static sat_Vec2 clip_along(sat_Vec2 motion, const sat_MoveSurface *surface) {
  sat_Vec2 normal = surface->normal;
  bool exact = surface->lead_out == LEAD_OUT;
  if (exact && normal.y == 0) return vec2(0, motion.y);
  if (exact && normal.x == 0) return vec2(motion.x, 0);
  sat_Vec2 along = sub(motion, mul(normal, dot(motion, normal)));
  double out = surface->lead_out * length(along) - dot(along, normal);
  return out > 0 ? add(along, mul(normal, out)) : along;
}

/* Whether a motion leads into none of the surfaces, by more than rounding. */
static bool leads_into_none(const sat_MoveSurfaces *surfaces, sat_Vec2 motion) {
  double error_bound = 4 * LEAD_OUT * length(motion);
  for (size_t i = 0; i < surfaces->count; i++)
    if (dot(motion, surfaces->at[i].normal) < -error_bound) return false;
  return true;
}

/* The rest of a motion along the surfaces that the shape touches: clipped by the one of them whose
 * clipped motion leads into no other, and does not turn against what was asked for. */
static sat_Vec2 clip_by_all(const sat_MoveSurfaces *surfaces, sat_Vec2 motion, sat_Vec2 asked) {
  sat_Vec2 best = {0, 0};
  double most = 0;
  if (leads_into_none(surfaces, motion)) return motion;
  for (size_t i = 0; i < surfaces->count; i++) {
    sat_Vec2 along = clip_along(motion, &surfaces->at[i]);
    double forward = dot(along, motion);
    if (forward <= most || dot(along, asked) < 0 || !leads_into_none(surfaces, along)) continue;
    best = along;
    most = forward;
  }
  return best;
}

/* Whether the shape touches, on that side, any obstacle: the one that it has met or its neighbour
 * across a seam. */
static sat_Status touches(sat_World *world, sat_Vec2 normal, bool *touches) {
  sat_MoveState *move = &world->move;
  sat_Rectangle box = sat_swept_rectangle(sat_box_of(move->shape), vec2(0, 0), move->rounding);
  sat_Vec2 inward = mul(normal, -LEAST_QUESTION * move->size);
  *touches = false;
  for (size_t i = 0; i < move->neighbors.count && !*touches; i++) {
    uint32_t index = move->neighbors.at[i];
    sat_Rectangle other = sat_quadtree_box(&world->tree, index);
    sat_Hit hit;
    if (!sat_boxes_meet_on_the_way(box, vec2(0, 0), other, 0) || !is_obstacle(world, index))
      continue;
    sat_Status status =
        sat_cast(move->shape, inward, sat_entry_shape(world, index), &world->scratch, &hit);
    if (status > SAT_MISS) return status;
    *touches = status == SAT_OK && is_touch(move, &hit) && faces(hit.normal, normal) &&
               !is_let_through(world, index, inward, hit.normal);
  }
  return SAT_OK;
}

/* Forgets the surfaces that the shape no longer touches. */
static sat_Status drop_left_surfaces(sat_World *world) {
  sat_MoveSurfaces *turned = &world->move.turned;
  size_t count = 0;
  for (size_t i = 0; i < turned->count; i++) {
    bool still;
    sat_Status status = touches(world, turned->at[i].normal, &still);
    if (status) return status;
    if (still) turned->at[count++] = turned->at[i];
  }
  turned->count = count;
  return SAT_OK;
}

/* A surface that is met again leads out by more: a round shape finds its normal, at every corner
 * anew, a few bits off. */
static sat_Status add_turned(sat_MoveState *move, sat_Vec2 normal, uint32_t other) {
  for (size_t i = 0; i < move->turned.count; i++) {
    sat_MoveSurface *surface = &move->turned.at[i];
    if (!faces(surface->normal, normal)) continue;
    surface->normal = normal;
    surface->lead_out = min2(8 * surface->lead_out, MOST_LEAD_OUT);
    return SAT_OK;
  }
  return add_surface(&move->turned, (sat_MoveSurface){normal, LEAD_OUT, other});
}

static sat_Vec2 mirror(sat_Vec2 motion, sat_Vec2 normal) {
  return sub(motion, mul(normal, 2 * dot(motion, normal)));
}

/* ---------------------------------------------------------------- a leg */

static void finish_move(sat_MoveState *move, sat_Vec2 rest) {
  move->rest = rest;
  move->phase = SAT_MOVE_DONE;
}

/* What the surfaces still touched at the end leave of the motion. */
static sat_Status finish_leg(sat_World *world) {
  sat_MoveState *move = &world->move;
  sat_Status status = drop_left_surfaces(world);
  finish_move(move, clip_by_all(&move->turned, move->motion, move->motion));
  return status;
}

/* The whole of what is left, since nothing is in its way. */
static sat_Status advance_freely(sat_World *world) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition from = move->place;
  bool met = move->turned.count > 0 || move->fresh.count > 0;
  sat_Status status = shift(world, move->left);
  if (!status) status = step_out_of_overlaps(world, met, from);
  return status ? status : finish_leg(world);
}

static sat_Status respond(sat_World *world, sat_MoveEvent event, sat_Response response) {
  sat_MoveState *move = &world->move;
  sat_Vec2 normal = event.hit.normal, left = mul(move->left, 1 - event.hit.t);
  sat_Status status = SAT_OK;
  if (response == SAT_TOUCH) {
    finish_move(move, vec2(0, 0));
  } else if (response == SAT_BOUNCE) {
    move->motion = mirror(move->motion, normal);
    move->left = mirror(left, normal);
  } else {
    status = drop_left_surfaces(world);
    if (!status) status = add_turned(move, normal, event.other);
    move->left = clip_by_all(&move->turned, left, move->motion);
  }
  return status;
}

/* Advances to a surface and responds to it. */
static sat_Status meet_surface(sat_World *world, sat_MoveEvent event, sat_Response response) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition from = move->place;
  sat_Status status = SAT_OK;
  if (event.hit.t > 0) status = shift(world, mul(move->left, event.hit.t));
  if (!status) status = step_out_of_overlaps(world, true, from);
  move->t += (1 - move->t) * event.hit.t;
  if (!status) status = add_hit(world, event.other, &event.hit, move->t, response);
  if (!status) status = respond(world, event, response);
  if (status || move->phase == SAT_MOVE_DONE) return status;
  move->phase = SAT_MOVE_LEG;
  move->legs++;
  return SAT_OK;
}

static sat_Status cross_shape(sat_World *world, sat_MoveEvent event) {
  sat_MoveState *move = &world->move;
  sat_MoveOther *other = get_other(move, event.other);
  if (!other) return SAT_ENOMEM;
  other->reported = true;
  double t = move->t + (1 - move->t) * event.hit.t;
  return add_hit(world, event.other, &event.hit, t, SAT_CROSS);
}

/* The caller is to answer what the response to that shape is. */
static sat_Status ask(sat_World *world, uint32_t other, const sat_Hit *hit, double t,
                      sat_MoveHit *question) {
  *question = (sat_MoveHit){other, world->entries[other].id, hit->normal, hit->point, t, SAT_ASK};
  return SAT_MISS;
}

/* One event of a leg, the next one. */
static sat_Status handle_next_event(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = &world->move;
  if (move->events.count == 0) return advance_freely(world);
  size_t first = first_event(world, &move->events);
  sat_MoveEvent event = move->events.at[first];
  if (is_obstacle(world, event.other) && !move->lips_dropped) return drop_all_lips(world);
  sat_Response response = response_to(world, event.other);
  if (response == SAT_ASK)
    return ask(world, event.other, &event.hit, move->t + (1 - move->t) * event.hit.t, question);
  drop_event(&move->events, first);
  if (response == SAT_IGNORE) return SAT_OK;
  return response == SAT_CROSS ? cross_shape(world, event) : meet_surface(world, event, response);
}

static sat_Status begin_leg(sat_World *world) {
  sat_MoveState *move = &world->move;
  move->lips_dropped = false;
  if ((move->left.x == 0 && move->left.y == 0) || move->legs == MOST_LEGS) return finish_leg(world);
  sat_Status status = find_neighbors(world, move->left);
  if (!status) status = find_events(world, move->left, &move->events);
  move->phase = SAT_MOVE_EVENTS;
  return status;
}

/* ---------------------------------------------------------------- inside at the start */

/* Notes how deep the shape is in a neighbour as the move begins. */
static sat_Status look_at_start(sat_World *world, uint32_t index, bool *inside) {
  sat_MoveState *move = &world->move;
  sat_Result way;
  sat_Status status =
      sat_collide(move->shape, sat_entry_shape(world, index), NULL, &world->scratch, &way);
  if (status == SAT_MISS || (status == SAT_OK && way.depth == 0)) return SAT_OK;
  if (status) return status;
  sat_MoveOther *other = get_other(move, index);
  if (!other) return SAT_ENOMEM;
  other->shallow = way.depth <= move->rounding;
  other->inside = !other->shallow;
  *inside = *inside || other->inside;
  return SAT_OK;
}

static bool is_inside(const sat_World *world, uint32_t index) {
  const sat_MoveOther *other = known_other(&world->move, index);
  return other && other->inside;
}

/* The neighbour that the shape is inside of and that was added next after the one of that id. */
static uint32_t next_inside(const sat_World *world, uint64_t id) {
  const sat_Items *neighbors = &world->move.neighbors;
  uint32_t next = SAT_NO_SHAPE;
  for (size_t i = 0; i < neighbors->count; i++) {
    uint32_t index = neighbors->at[i];
    uint64_t own = world->entries[index].id;
    if (own > id && is_inside(world, index) &&
        (next == SAT_NO_SHAPE || own < world->entries[next].id))
      next = index;
  }
  return next;
}

static sat_Status begin_inside(sat_World *world) {
  sat_MoveState *move = &world->move;
  bool inside = false;
  sat_Status status = find_neighbors(world, move->left);
  for (size_t i = 0; !status && i < move->neighbors.count; i++)
    status = look_at_start(world, move->neighbors.at[i], &inside);
  move->phase = inside && sat_is_solid(move->shape) ? SAT_MOVE_INSIDE : SAT_MOVE_LEG;
  move->last_id = 0;
  return status;
}

/* Asks about the next solid that the shape is inside of; SAT_OK: all have been answered. */
static sat_Status ask_about_inside(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = &world->move;
  for (;;) {
    uint32_t index = next_inside(world, move->last_id);
    if (index == SAT_NO_SHAPE) return SAT_OK;
    const sat_Shape *other = sat_entry_shape(world, index);
    if (sat_is_solid(other) && !is_one_way(world, index) && response_to(world, index) == SAT_ASK) {
      sat_Manifold manifold;
      sat_Status status = sat_contacts(move->shape, other, NULL, &world->scratch, &manifold);
      if (status) return status == SAT_MISS ? SAT_OK : status;
      sat_Hit hit = {0, manifold.normal, manifold.points[0]};
      return ask(world, index, &hit, 0, question);
    }
    move->last_id = world->entries[index].id;
  }
}

/* A one-way platform leaves alone what is inside of it. */
static bool has_to_be_left(const sat_World *world, uint32_t index) {
  return is_obstacle(world, index) && !is_one_way(world, index);
}

static sat_Status add_inside_hits(sat_World *world, sat_Vec2 normal, sat_Response how) {
  sat_Status status = SAT_OK;
  uint32_t index = next_inside(world, 0);
  for (; !status && index != SAT_NO_SHAPE; index = next_inside(world, world->entries[index].id)) {
    sat_Manifold manifold;
    if (!has_to_be_left(world, index)) continue;
    status = sat_contacts(world->move.shape, sat_entry_shape(world, index), NULL, &world->scratch,
                          &manifold);
    if (status > SAT_MISS) break;
    sat_Hit hit = {0, normal, status == SAT_OK ? manifold.points[0] : manifold.normal};
    status = add_hit(world, index, &hit, 0, how);
    if (how == SAT_STUCK) break;
  }
  return status;
}

static bool is_any_in_the_way(const sat_World *world) {
  uint32_t index = next_inside(world, 0);
  while (index != SAT_NO_SHAPE && !has_to_be_left(world, index))
    index = next_inside(world, world->entries[index].id);
  return index != SAT_NO_SHAPE;
}

/* The shape can leave nothing behind that it was inside of: it touches all of that at most now. */
static void forget_inside(sat_World *world) {
  sat_MoveOthers *others = &world->move.others;
  for (size_t i = 0; i < others->count; i++)
    if (has_to_be_left(world, others->at[i].index))
      others->at[i].inside = others->at[i].shallow = false;
}

static bool counts_as_obstacle(const sat_World *world, const sat_Shape *shape, uint32_t index) {
  (void)shape;
  return may_meet(world, index) && has_to_be_left(world, index);
}

/* Moves the shape out of everything solid at once. */
static sat_Status leave_inside(sat_World *world) {
  sat_MoveState *move = &world->move;
  sat_Result way;
  move->phase = SAT_MOVE_LEG;
  if (!is_any_in_the_way(world)) return SAT_OK;
  sat_Status status = sat_world_way_out(world, move->shape, counts_as_obstacle, &way);
  if (status > SAT_MISS) return status;
  if (status == SAT_MISS || way.depth > move->size) {
    finish_move(move, vec2(0, 0));
    return add_inside_hits(world, way.normal, SAT_STUCK);
  }
  status = add_inside_hits(world, way.normal, SAT_FREED);
  if (!status) status = shift(world, way.vector);
  forget_inside(world);
  if (!status) status = find_neighbors(world, vec2(0, 0));
  return status ? status : step_out_of_overlaps(world, true, move->place);
}

/* ---------------------------------------------------------------- the questions */

static sat_Status run(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = &world->move;
  sat_Status status = SAT_OK;
  while (!status && move->phase != SAT_MOVE_DONE) {
    if (move->phase == SAT_MOVE_BEGIN) status = begin_inside(world);
    else if (move->phase == SAT_MOVE_LEG) status = begin_leg(world);
    else if (move->phase == SAT_MOVE_EVENTS) status = handle_next_event(world, question);
    else status = ask_about_inside(world, question);
    if (!status && move->phase == SAT_MOVE_INSIDE) status = leave_inside(world);
  }
  return status;
}

/* A motion, or what a bounce makes of it, may lead no farther than shapes may be. */
static double rounding_of_move(const sat_Shape *shape, sat_Vec2 motion) {
  sat_Rectangle box = sat_box_of(shape);
  double x = max2(fabs(box.x), fabs(box.x + box.w)) + fabs(motion.x);
  double y = max2(fabs(box.y), fabs(box.y + box.h)) + fabs(motion.y);
  return MOVE_ROUNDING * max2(max2(x, y), max2(box.w, box.h));
}

sat_Status sat_world_move_begin(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                                sat_Response response) {
  sat_MoveState *move = &world->move;
  SAT_ASSERT(move->phase == SAT_MOVE_IDLE);
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  sat_SavedPosition start = sat_shape_position(shape);
  sat_Status status = sat_shape_shift(shape, motion);
  sat_shape_stand_at(shape, start);
  if (status) return status;
  sat_world_flush(world);
  sat_Rectangle box = sat_box_of(shape);
  move->phase = SAT_MOVE_BEGIN;
  move->shape = shape;
  move->response = response;
  move->motion = move->left = motion;
  move->rest = vec2(0, 0);
  move->size = max2(max2(box.w, box.h), SAT_TINY);
  move->rounding = rounding_of_move(shape, motion);
  move->t = 0;
  move->legs = 0;
  move->start = move->place = start;
  move->area = (sat_Rectangle){0, 0, -1, -1};
  move->others.count = move->events.count = move->turned.count = move->fresh.count = 0;
  return SAT_OK;
}

/* While a question is open nobody else may change the shape or the world. */
static void set_locked(sat_World *world, bool locked) {
  sat_Shape *shape = world->move.shape;
  world->changes->locked = locked;
  shape->flags = locked ? shape->flags | SAT_LOCKED : shape->flags & ~(uint32_t)SAT_LOCKED;
}

void sat_world_move_cancel(sat_World *world) {
  if (world->move.phase != SAT_MOVE_IDLE) set_locked(world, false);
  world->move.phase = SAT_MOVE_IDLE;
}

sat_Status sat_world_move_run(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = &world->move;
  SAT_ASSERT(move->phase != SAT_MOVE_IDLE);
  set_locked(world, false);
  sat_shape_stand_at(move->shape, move->place);
  sat_Status status = run(world, question);
  sat_shape_stand_at(move->shape, move->start);
  set_locked(world, status == SAT_MISS);
  if (status > SAT_MISS) sat_world_move_cancel(world);
  return status;
}

sat_Status sat_world_move_answer(sat_World *world, uint32_t other, sat_Response response) {
  sat_MoveOther *known = get_other(&world->move, other);
  if (!known) return SAT_ENOMEM;
  known->response = (uint8_t)response;
  return SAT_OK;
}

void sat_world_move_apply(sat_World *world) {
  sat_MoveState *move = &world->move;
  SAT_ASSERT(move->phase == SAT_MOVE_DONE);
  move->phase = SAT_MOVE_IDLE;
  if (memcmp(&move->place, &move->start, sizeof move->place) == 0) return;
  sat_shape_put(move->shape, move->place);
}

sat_MoveResult sat_world_move_end(sat_World *world, bool stay) {
  sat_MoveState *move = &world->move;
  sat_MoveHits hits = move->hits;
  move->hits = move->fresh;
  move->fresh = hits;
  if (stay) move->phase = SAT_MOVE_IDLE;
  else sat_world_move_apply(world);
  return (sat_MoveResult){move->place.centroid, move->rest, move->hits.count};
}

static sat_Status move_at_once(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                               sat_Response response, bool stay, sat_MoveResult *result) {
  sat_MoveHit question;
  sat_Status status = sat_world_move_begin(world, shape, motion, response);
  if (!status) status = sat_world_move_run(world, &question);
  if (!status) *result = sat_world_move_end(world, stay);
  return status;
}

sat_Status sat_world_move(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                          sat_Response response, sat_MoveResult *result) {
  return move_at_once(world, shape, motion, response, false, result);
}

sat_Status sat_world_check(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                           sat_Response response, sat_MoveResult *result) {
  return move_at_once(world, shape, motion, response, true, result);
}

const sat_MoveHits *sat_world_hits(const sat_World *world) { return &world->move.hits; }

sat_Status sat_world_copy_hits(const sat_World *world, sat_MoveHits *copy) {
  const sat_MoveHits *hits = &world->move.hits;
  copy->count = 0;
  sat_Status status = SAT_LIST_RESERVE(copy, hits->count);
  if (status || hits->count == 0) return status;
  memcpy(copy->at, hits->at, hits->count * sizeof *copy->at);
  copy->count = hits->count;
  return SAT_OK;
}
