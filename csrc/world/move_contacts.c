/* move_contacts.c: the surfaces in contact with a moving shape: lips of rounding between them, and
 * the clipping of a motion. */
#include "world/move.h"

/* ---------------------------------------------------------------- lips of rounding */

/* Whether the shape overlaps an obstacle at its position, by more than `least`. */
static sat_Status overlaps_obstacle(sat_World *world, double least, bool *overlaps) {
  sat_MoveState *move = &world->move;
  *overlaps = false;
  for (size_t i = 0; i < move->neighbors.count && !*overlaps; i++) {
    uint32_t index = move->neighbors.at[i];
    sat_Result way;
    if (!sat_move_is_obstacle(world, index)) continue;
    sat_Status status = sat_move_overlap(world, index, &way);
    if (status > SAT_MISS) return status;
    *overlaps =
        status == SAT_OK && way.depth > least && !sat_move_passes_through(world, index, way.depth);
  }
  return SAT_OK;
}

/* Adds a surface in contact. The surfaces are sorted, the one most head-on first, and of two in one
 * plane the first is kept, so that no answer depends on the order of adding. */
static sat_Status add_contact(sat_MoveState *move, sat_Vec2 normal, uint32_t index) {
  sat_MoveSurfaces *contacts = &move->contacts;
  sat_MoveSurface surface = {normal, SAT_LEAD_OUT, 0, index};
  for (size_t i = 0; i < contacts->count; i++) {
    if (sat_normals_differ(contacts->at[i].normal, normal, SAT_SAME_PLANE)) continue;
    if (sat_is_more_opposed(move->left, normal, contacts->at[i].normal)) contacts->at[i] = surface;
    return SAT_OK;
  }
  sat_Status status = sat_move_add_surface(contacts, surface);
  for (size_t i = contacts->count; !status && i-- > 1;) {
    if (!sat_is_more_opposed(move->left, normal, contacts->at[i - 1].normal)) break;
    contacts->at[i] = contacts->at[i - 1];
    contacts->at[i - 1] = surface;
  }
  return status;
}

/* Adds the surfaces in contact on that side, seams included. */
static sat_Status probe_abutting(sat_World *world, sat_Vec2 side) {
  sat_MoveState *move = &world->move;
  sat_Status status =
      sat_move_find_events(world, mul(side, SAT_PROBE_LENGTH * move->scale), &move->lifted);
  for (size_t i = 0; !status && i < move->lifted.count; i++) {
    const sat_MoveEvent *event = &move->lifted.at[i];
    if (sat_move_is_touch(move, &event->hit) && sat_move_is_obstacle(world, event->other))
      status = add_contact(move, event->hit.normal, event->other);
  }
  return status;
}

/* Whether the shape touches a neighbour on that side, by a short sweep. */
static sat_Status probe(sat_World *world, uint32_t index, sat_Vec2 direction) {
  sat_MoveState *move = &world->move;
  sat_Hit hit;
  sat_Status status =
      sat_move_cast(world, mul(direction, SAT_PROBE_LENGTH * move->scale), index, &hit);
  if (status || !sat_move_is_touch(move, &hit)) return status == SAT_MISS ? SAT_OK : status;
  if (sat_move_is_let_through(world, index, direction, hit.normal)) return SAT_OK;
  return add_contact(move, hit.normal, index);
}

/* Lists the surfaces in contact: those that the leg hits at its start, and those that the leg
 * slides along, which no sweep along the leg hits. */
static sat_Status find_contacts(sat_World *world) {
  sat_MoveState *move = &world->move;
  sat_Vec2 side = mul(perp(move->left), 1 / length(move->left));
  sat_Status status = SAT_OK;
  move->contacts.count = 0;
  for (size_t i = 0; !status && i < move->events.count; i++) {
    const sat_MoveEvent *event = &move->events.at[i];
    if (event->hit.t > 0 || !sat_move_is_obstacle(world, event->other)) continue;
    status = add_contact(move, event->hit.normal, event->other);
  }
  if (move->runs_along && !status) status = probe_abutting(world, side);
  if (move->runs_along) return status ? status : probe_abutting(world, neg(side));
  for (size_t i = 0; !status && i < move->neighbors.count; i++) {
    uint32_t index = move->neighbors.at[i];
    if (sat_move_is_apart(world, index) || !sat_move_is_obstacle(world, index)) continue;
    status = probe(world, index, side);
    if (!status) status = probe(world, index, neg(side));
  }
  return status;
}

/* The leg's event with that shape, or NULL. */
static const sat_MoveEvent *event_with(const sat_MoveEvents *events, uint32_t other) {
  for (size_t i = 0; i < events->count; i++)
    if (events->at[i].other == other) return &events->at[i];
  return NULL;
}

/* The time at which the shape meets, without the lift along `normal`, a surface that it meets at
 * `t` with the lift: the lift leads away from a surface that rises on the way. */
static double time_without_lift(const sat_MoveState *move, sat_Vec2 normal, sat_Vec2 surface,
                                double t) {
  double speed = -dot(move->left, surface);
  return speed > 0 ? t - SAT_LIFT * move->scale * dot(normal, surface) / speed : t;
}

/* How much later, as a fraction of the leg, the shape lifted along `normal` meets a surface. */
static double delay_by_lift(const sat_MoveState *move, sat_Vec2 normal, sat_Vec2 surface) {
  return -time_without_lift(move, normal, surface, 0);
}

/* The length of the lifted shape's sweep as a multiple of the leg. The sweep leads beyond the leg's
 * end, since the lift delays the contact with a surface. A surface whose contact is delayed by more
 * than the leg is nearly parallel to the leg and handled by drop_lips. */
static double lifted_way(const sat_MoveState *move, sat_Vec2 normal) {
  double way = length(move->left), scale = max2(SAT_PROBE_LENGTH * move->scale / way, 1);
  for (size_t i = 0; i < move->events.count && way < SAT_LIMIT / 4; i++) {
    const sat_Hit *hit = &move->events.at[i].hit;
    double delay = delay_by_lift(move, normal, hit->normal);
    if (delay < 1) scale = max2(scale, hit->t + 2 * delay);
  }
  return scale;
}

/* Whether the lifted shape meets, before a hit, a surface of the same neighbour that the shape
 * passes without the lift: at the mouth of a gap as wide as the shape, the lift leads into the
 * gap's other side. Such a surface tells nothing about the hit. */
static bool is_met_by_lift_alone(const sat_MoveState *move, sat_Vec2 normal, const sat_Hit *hit,
                                 sat_Vec2 surface, double t) {
  double margin = SAT_LIFT * move->scale / length(move->left);
  return dot(normal, surface) <= 0 && !sat_normals_agree(surface, hit->normal) &&
         time_without_lift(move, normal, surface, t) < hit->t - margin;
}

/* Whether an event is a lip of rounding: the lifted shape does not have this hit, or has it
 * elsewhere. Its hit of that neighbour, or none, is to replace the event. */
static bool is_lip(const sat_World *world, sat_Vec2 normal, double scale,
                   const sat_MoveEvent *event, sat_MoveEvent *replacement) {
  const sat_MoveState *move = &world->move;
  double way = length(move->left);
  *replacement = (sat_MoveEvent){.other = SAT_NO_SHAPE};
  if (!sat_move_is_obstacle(world, event->other)) return false;
  if (!sat_normals_differ(event->hit.normal, normal, SAT_SAME_PLANE)) return false;
  const sat_MoveEvent *seen = event_with(&move->lifted, event->other);
  if (!seen) return delay_by_lift(move, normal, event->hit.normal) < 1;
  double t = seen->hit.t * scale;
  if (sat_normals_agree(seen->hit.normal, event->hit.normal) &&
      fabs(t - event->hit.t) * way <= SAT_SAME_PLACE * move->scale)
    return false;
  if (is_met_by_lift_alone(move, normal, &event->hit, seen->hit.normal, t)) return false;
  t = max2(time_without_lift(move, normal, seen->hit.normal, t), event->hit.t);
  if ((t - event->hit.t) * way <= move->rounding) t = event->hit.t; /* else the shape creeps */
  if (t <= 1)
    *replacement =
        (sat_MoveEvent){{t, seen->hit.normal, seen->hit.point}, event->other, seen->beside};
  return true;
}

static bool sees_lip(const sat_World *world, sat_Vec2 normal, double scale) {
  const sat_MoveEvents *events = &world->move.events;
  sat_MoveEvent replacement;
  for (size_t i = 0; i < events->count; i++)
    if (is_lip(world, normal, scale, &events->at[i], &replacement)) return true;
  return false;
}

/* Compares the events with those of the lifted shape, and replaces the lips. In a reflex corner the
 * lifted shape may meet the other wall first, though the motion leads more into the surface in
 * contact. */
static void drop_lips(sat_World *world, const sat_MoveSurface *contact, double scale) {
  const sat_MoveState *move = &world->move;
  sat_MoveEvents *events = &world->move.events;
  for (size_t i = events->count; i-- > 0;) {
    sat_MoveEvent replacement;
    if (!is_lip(world, contact->normal, scale, &events->at[i], &replacement)) continue;
    if (replacement.other == SAT_NO_SHAPE) {
      sat_move_drop_event(events, i);
      continue;
    }
    if (replacement.other == contact->other && replacement.hit.t == 0 &&
        sat_is_more_opposed(move->left, contact->normal, replacement.hit.normal))
      replacement.hit.normal = contact->normal;
    events->at[i] = replacement;
  }
}

/* Removes a motion's component into a surface, exactly for surfaces parallel to an axis. */
static sat_Vec2 clip_along(sat_Vec2 motion, const sat_MoveSurface *surface) {
  sat_Vec2 normal = surface->normal;
  bool exact = surface->lead_out == SAT_LEAD_OUT;
  if (exact && normal.y == 0) return vec2(0, motion.y);
  if (exact && normal.x == 0) return vec2(motion.x, 0);
  sat_Vec2 along = sub(motion, mul(normal, dot(motion, normal)));
  double out = surface->lead_out * length(along) - dot(along, normal);
  return out > 0 ? add(along, mul(normal, out)) : along;
}

/* Finds the events of the lifted shape on the same motion, if it overlaps no obstacle. */
static sat_Status find_lifted(sat_World *world, sat_Vec2 normal, double scale, bool *has_room) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition place = move->place;
  bool overlaps = true;
  sat_Status status = sat_move_shift(world, mul(normal, SAT_LIFT * move->scale));
  if (!status) status = overlaps_obstacle(world, 0, &overlaps);
  if (!status && !overlaps)
    status = sat_move_find_events(world, mul(move->left, scale), &move->lifted);
  for (size_t i = 0; !status && !overlaps && i < move->lifted.count; i++)
    sat_move_add_point(world, mul(move->left, scale), move->lifted.at[i].other,
                       &move->lifted.at[i].hit);
  sat_move_stand_at(world, place);
  *has_room = !overlaps;
  return status;
}

/* Whether a probe meets a surface with that normal at its start, seams included. */
static sat_Status touches_abutting(sat_World *world, sat_Vec2 normal, bool *touches) {
  sat_MoveState *move = &world->move;
  sat_Vec2 inward = mul(normal, -SAT_PROBE_LENGTH * move->scale);
  sat_Status status = sat_move_find_events(world, inward, &move->lifted);
  *touches = false;
  for (size_t i = 0; !status && i < move->lifted.count; i++) {
    const sat_MoveEvent *event = &move->lifted.at[i];
    *touches = *touches ||
               (sat_move_is_obstacle(world, event->other) && sat_move_is_touch(move, &event->hit) &&
                sat_normals_agree(event->hit.normal, normal));
  }
  return status;
}

/* Whether a shape is a box whose sides are parallel to the axes. */
static bool is_upright_box(const sat_Shape *shape) {
  if (shape->vertex_count != 4 || shape->radius > 0) return false;
  const sat_Vec2 *vertex = vertices_of(shape);
  sat_Box box = shape->box;
  for (int i = 0; i < 4; i++)
    if ((vertex[i].x != box.min.x && vertex[i].x != box.max.x) ||
        (vertex[i].y != box.min.y && vertex[i].y != box.max.y))
      return false;
  return true;
}

/* Whether the intervals of two sides that face each other overlap by more than rounding. */
static bool is_beside(double low, double high, double other_low, double other_high, double least) {
  return min2(high, other_high) - max2(low, other_low) > least;
}

/* Whether a box or a circle certainly touches an upright box on that side: the bounds of the two
 * decide most contacts without a sweep. */
static bool plainly_touches(const sat_MoveState *move, const sat_Shape *other, sat_Vec2 normal) {
  const sat_Shape *shape = move->shape;
  bool is_circle = shape->vertex_count == 1;
  if (normal.x != 0 && normal.y != 0) return false;
  if (!is_upright_box(other) || !(is_circle || is_upright_box(shape))) return false;
  sat_Box a = sat_shape_bounds(shape), b = sat_shape_bounds(other);
  double least = 16 * move->rounding, separation;
  if (normal.x != 0) separation = normal.x > 0 ? a.min.x - b.max.x : b.min.x - a.max.x;
  else separation = normal.y > 0 ? a.min.y - b.max.y : b.min.y - a.max.y;
  if (fabs(separation) > move->rounding / 4) return false;
  if (is_circle) {
    double inset = shape->radius - least;
    a = (sat_Box){vec2(a.min.x + inset, a.min.y + inset), vec2(a.max.x - inset, a.max.y - inset)};
    least *= 1.5;
  }
  return normal.x != 0 ? is_beside(a.min.y, a.max.y, b.min.y, b.max.y, least)
                       : is_beside(a.min.x, a.max.x, b.min.x, b.max.x, least);
}

/* Whether a hit is at that surface. The first normals of a gap's sides are those at its mouth,
 * where a round shape meets the corners aslant. */
static bool is_at_surface(const sat_Hit *hit, const sat_MoveSurface *surface) {
  double slant = max2(SAT_SAME_SURFACE, surface->slant);
  return !sat_normals_differ(hit->normal, surface->normal, slant);
}

/* Whether the shape touches, on that side, the obstacle it has hit or the neighbour that abuts
 * it. A gap's side takes the normal that it has there. */
static sat_Status touches(sat_World *world, sat_MoveSurface *surface, bool *touches) {
  sat_MoveState *move = &world->move;
  sat_Vec2 normal = surface->normal, inward = mul(normal, -SAT_PROBE_LENGTH * move->scale);
  *touches = false;
  if (move->runs_along) return touches_abutting(world, normal, touches);
  for (size_t i = 0; i < move->neighbors.count && !*touches; i++) {
    uint32_t index = move->neighbors.at[i];
    sat_Hit hit;
    if (sat_move_is_apart(world, index) || !sat_move_is_obstacle(world, index)) continue;
    *touches = plainly_touches(move, sat_entry_shape(world, index), normal) &&
               !sat_move_is_let_through(world, index, inward, normal);
    if (*touches) break;
    sat_Status status = sat_move_cast(world, inward, index, &hit);
    if (status > SAT_MISS) return status;
    *touches = status == SAT_OK && sat_move_is_touch(move, &hit) && is_at_surface(&hit, surface) &&
               !sat_move_is_let_through(world, index, inward, hit.normal);
    if (*touches && surface->slant > 0) surface->normal = hit.normal;
  }
  return SAT_OK;
}

/* Whether a motion against the normal meets that shape at once, by a surface with that normal. */
static sat_Status rests_on(sat_World *world, uint32_t index, sat_Vec2 normal, sat_Hit *hit) {
  sat_Vec2 inward = mul(normal, -SAT_PROBE_LENGTH * world->move.scale);
  sat_Status status = sat_move_cast(world, inward, index, hit);
  if (status) return status;
  bool rests = sat_move_is_touch(&world->move, hit) && sat_normals_agree(hit->normal, normal);
  sat_move_add_point(world, inward, index, hit);
  return rests ? SAT_OK : SAT_MISS;
}

/* Drops the event of a lip, or replaces it by the surface in contact where that belongs to the same
 * shape. */
static sat_Status replace_lip(sat_World *world, size_t at, sat_Vec2 normal) {
  sat_MoveState *move = &world->move;
  sat_MoveEvent *event = &move->events.at[at];
  sat_Hit hit;
  sat_Status status = SAT_MISS;
  if (is_composite(move->shape) || is_composite(sat_entry_shape(world, event->other)))
    status = rests_on(world, event->other, normal, &hit);
  if (status > SAT_MISS) return status;
  if (status == SAT_OK)
    *event = (sat_MoveEvent){{0, normal, hit.point}, event->other, SAT_NO_SHAPE};
  else sat_move_drop_event(&move->events, at);
  return SAT_OK;
}

/* Sweeps the shape, shifted along a contact's surface, towards the contact's other shape. */
static sat_Status cast_beside(sat_World *world, const sat_MoveSurface *contact, double shift,
                              sat_Hit *hit) {
  sat_MoveState *move = &world->move;
  sat_Vec2 inward = mul(contact->normal, -SAT_PROBE_LENGTH * move->scale);
  sat_Status status = sat_move_shift(world, mul(perp(contact->normal), shift * move->scale));
  return status ? status : sat_move_cast(world, inward, contact->other, hit);
}

/* Whether a normal beside a contact is the contact's, or one that a round shape turns to: half the
 * way along the surface, it has turned by half as much. */
static sat_Status is_normal_beside(sat_World *world, const sat_MoveSurface *contact, double shift,
                                   sat_Vec2 normal, bool *is) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition place = move->place;
  sat_Vec2 turn = sub(normal, contact->normal);
  sat_Hit half;
  *is = sat_normals_agree(normal, contact->normal);
  if (*is || sat_normals_differ(normal, contact->normal, SAT_PROBE_SLOPE)) return SAT_OK;
  sat_Status status = cast_beside(world, contact, -shift / 2, &half);
  sat_move_stand_at(world, place);
  if (status) return status;
  *is = length(sub(half.normal, contact->normal)) < SAT_TURNED_BY_HALF * length(turn);
  return SAT_OK;
}

/* Whether the shape, shifted a little along the surface to that hand, rests on the other shape of a
 * contact along about the same normal, and overlaps nothing. */
static sat_Status rests_beside(sat_World *world, const sat_MoveSurface *contact, double hand,
                               bool *rests) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition place = move->place;
  double shift = hand * SAT_PROBE_SHIFT;
  bool overlaps = false;
  sat_Hit hit;
  sat_Status status = cast_beside(world, contact, shift, &hit);
  *rests = status == SAT_OK && hit.t * SAT_PROBE_LENGTH <= SAT_PROBE_SLOPE * SAT_PROBE_SHIFT;
  if (*rests) status = is_normal_beside(world, contact, shift, hit.normal, rests);
  if (status == SAT_OK && *rests) status = overlaps_obstacle(world, move->rounding, &overlaps);
  *rests = *rests && !overlaps;
  sat_move_stand_at(world, place);
  return status == SAT_MISS ? SAT_OK : status;
}

/* Whether a contact is a surface. Where two shapes or pieces meet at a corner of each, a probe may
 * hit along the normal of a side that only this corner touches, and something else covers the rest
 * of that side's contacts. */
static sat_Status is_surface(sat_World *world, const sat_MoveSurface *contact, bool *is) {
  const sat_MoveState *move = &world->move;
  *is = move->runs_along ||
        plainly_touches(move, sat_entry_shape(world, contact->other), contact->normal);
  sat_Status status = *is ? SAT_OK : rests_beside(world, contact, 1, is);
  return status || *is ? status : rests_beside(world, contact, -1, is);
}

/* Whether the leg meets a surface with that normal at once. */
static bool meets_at_once(const sat_World *world, sat_Vec2 normal, double latest) {
  const sat_MoveEvents *events = &world->move.events;
  for (size_t i = 0; i < events->count; i++)
    if (sat_move_is_obstacle(world, events->at[i].other) && events->at[i].hit.t <= latest &&
        sat_normals_agree(events->at[i].hit.normal, normal))
      return true;
  return false;
}

/* Whether an event may be a lip beside a surface in contact, where that stops the motion itself. */
static bool may_be_lip_beside(const sat_World *world, const sat_MoveEvent *event,
                              const sat_MoveSurface *contact, double latest) {
  bool is_of_composite =
      is_composite(world->move.shape) || is_composite(sat_entry_shape(world, event->other));
  return sat_move_is_obstacle(world, event->other) && event->hit.t <= latest &&
         !event_with(&world->move.lifted, event->other) &&
         !sat_normals_agree(event->hit.normal, contact->normal) &&
         (is_of_composite ||
          (event->other != contact->other && meets_at_once(world, contact->normal, latest)));
}

/* Drops lips in a gap as wide as the shape, which has no room for the lift, and at the mouth of
 * such a gap in a composite shape, whose other side the lifted shape meets. A hit that the motion
 * along the surface in contact does not have is a lip; the surface itself stops the motion. A hit
 * later than the contact with the surface would be no hit: the shape touches only a corner, and the
 * leg leads past it. Two convex shapes that meet at a corner of each have several normals there,
 * and none of them is a lip. */
static sat_Status drop_lips_between(sat_World *world, const sat_MoveSurface *contact) {
  sat_MoveState *move = &world->move;
  sat_Vec2 along = clip_along(move->left, contact);
  double way = length(along), inward = -dot(move->left, contact->normal);
  if (!(inward > 0) || way == 0) return SAT_OK;
  double scale = max2(SAT_PROBE_LENGTH * move->scale / way, 1);
  double latest = 4 * move->rounding / inward;
  sat_MoveSurface surface = *contact;
  bool is;
  sat_Status status = touches(world, &surface, &is);
  if (status || !is) return status;
  status = sat_move_find_events(world, mul(along, scale), &move->lifted);
  for (size_t i = move->events.count; !status && i-- > 0;) {
    if (!may_be_lip_beside(world, &move->events.at[i], contact, latest)) continue;
    status = is_surface(world, contact, &is);
    if (status || !is) return status;
    status = replace_lip(world, i, contact->normal);
  }
  return status;
}

/* Whether a leg meets a composite obstacle along another normal than that. */
static bool meets_composite(const sat_World *world, sat_Vec2 normal) {
  const sat_MoveEvents *events = &world->move.events;
  for (size_t i = 0; i < events->count; i++)
    if (is_composite(sat_entry_shape(world, events->at[i].other)) &&
        sat_normals_differ(events->at[i].hit.normal, normal, SAT_SAME_PLANE) &&
        sat_move_is_obstacle(world, events->at[i].other))
      return true;
  return false;
}

static sat_Status look_from(sat_World *world, const sat_MoveSurface *contact) {
  sat_MoveState *move = &world->move;
  double scale = lifted_way(move, contact->normal);
  bool has_room, is = true;
  sat_Status status = find_lifted(world, contact->normal, scale, &has_room);
  if (!status && has_room && sees_lip(world, contact->normal, scale)) {
    status = is_surface(world, contact, &is);
    if (!status && is) drop_lips(world, contact, scale);
  }
  if (status || !is) return status;
  bool is_sure = has_room && !meets_composite(world, contact->normal);
  return is_sure ? SAT_OK : drop_lips_between(world, contact);
}

/* Whether a leg meets an obstacle along another normal than that. */
static bool meets_other_surface(const sat_World *world, sat_Vec2 normal) {
  const sat_MoveEvents *events = &world->move.events;
  for (size_t i = 0; i < events->count; i++)
    if (sat_normals_differ(events->at[i].hit.normal, normal, SAT_SAME_PLANE) &&
        sat_move_is_obstacle(world, events->at[i].other))
      return true;
  return false;
}

/* Whether the first event is certainly no lip: the shape touches no obstacle, or the leg meets at
 * its start, along one normal, every obstacle that the shape touches, and none is composite. Later
 * events are met by another leg, since no response to an obstacle lets this one go on. */
static bool touches_one_surface(const sat_World *world) {
  const sat_MoveState *move = &world->move;
  const sat_MoveEvent *first = &move->events.at[sat_move_first_event(world, &move->events)];
  if (is_composite(move->shape)) return false;
  for (size_t i = 0; i < move->neighbors.count; i++) {
    uint32_t index = move->neighbors.at[i];
    const sat_MoveEvent *event = event_with(&move->events, index);
    bool is_met = event && event->hit.t == 0;
    if (!sat_move_is_obstacle(world, index)) continue;
    if (is_met && sat_normals_differ(event->hit.normal, first->hit.normal, SAT_SAME_PLANE))
      return false;
    if (is_met && !is_composite(sat_entry_shape(world, index))) continue;
    if (!sat_move_is_apart(world, index)) return false;
  }
  return true;
}

/* Finds the surface that covers a contact which is none: the shape meets it when shifted a little
 * to that hand, and its plane leads through the place where the shape is. SAT_MISS: none does. */
static sat_Status find_cover_beside(sat_World *world, const sat_MoveSurface *contact, double hand,
                                    sat_Vec2 *normal) {
  sat_MoveState *move = &world->move;
  sat_SavedPosition place = move->place;
  bool overlaps = false;
  sat_Hit hit;
  sat_Status status = cast_beside(world, contact, hand * SAT_PROBE_SHIFT, &hit);
  if (status == SAT_OK) status = overlaps_obstacle(world, move->rounding, &overlaps);
  sat_move_stand_at(world, place);
  if (status || overlaps) return status ? status : SAT_MISS;
  double distance = hit.t * SAT_PROBE_LENGTH * dot(contact->normal, hit.normal);
  double gain = hand * SAT_PROBE_SHIFT * dot(perp(contact->normal), hit.normal);
  *normal = hit.normal;
  bool covers =
      fabs(distance - gain) * move->scale <= 4 * move->rounding && dot(move->left, hit.normal) < 0;
  return covers ? SAT_OK : SAT_MISS;
}

/* Gives the event of a contact that is no surface the normal of the surface that covers it. */
static sat_Status replace_covered(sat_World *world, const sat_MoveSurface *contact) {
  sat_MoveEvents *events = &world->move.events;
  size_t at = 0;
  while (at < events->count && events->at[at].other != contact->other) at++;
  if (at == events->count || events->at[at].hit.t > 0 ||
      sat_normals_differ(events->at[at].hit.normal, contact->normal, SAT_SAME_PLANE))
    return SAT_OK;
  bool is;
  sat_Status status = is_surface(world, contact, &is);
  if (status || is) return status;
  sat_Vec2 *normal = &events->at[at].hit.normal;
  status = find_cover_beside(world, contact, 1, normal);
  if (status == SAT_MISS) status = find_cover_beside(world, contact, -1, normal);
  return status == SAT_MISS ? SAT_OK : status;
}

sat_Status sat_move_drop_lips(sat_World *world) {
  sat_MoveState *move = &world->move;
  bool is_sure = touches_one_surface(world);
  sat_Status status = SAT_OK;
  move->contacts.count = 0;
  if (!is_sure) status = find_contacts(world);
  for (size_t i = 0; !status && i < move->contacts.count; i++) {
    const sat_MoveSurface *contact = &move->contacts.at[i];
    if (meets_other_surface(world, contact->normal)) status = look_from(world, contact);
  }
  for (size_t i = 0; !status && i < move->contacts.count; i++)
    status = replace_covered(world, &move->contacts.at[i]);
  move->lips_dropped = true;
  return status;
}

/* ---------------------------------------------------------------- clipping */

/* Whether a motion leads into none of the surfaces by more than rounding. Those with one of two
 * indices do not count. */
static bool leads_into_no_other(const sat_MoveSurfaces *surfaces, sat_Vec2 motion, size_t one,
                                size_t other) {
  double error_bound = 4 * SAT_LEAD_OUT * length(motion);
  for (size_t i = 0; i < surfaces->count; i++)
    if (i != one && i != other && dot(motion, surfaces->at[i].normal) < -error_bound) return false;
  return true;
}

static bool leads_into_none(const sat_MoveSurfaces *surfaces, sat_Vec2 motion) {
  return leads_into_no_other(surfaces, motion, SIZE_MAX, SIZE_MAX);
}

/* How far the normals of the two sides of a gap may be from opposite. A shape that touches both
 * corners of the mouth, each within rounding, is wider than the gap by twice that at most. Where it
 * is round, with a radius of at least SAT_LEAST_ROUND of its size, each of its normals there is off
 * by at most the square root of twice the rounding by the radius. */
static double gap_slant(const sat_MoveState *move) {
  double radius = SAT_LEAST_ROUND * move->size;
  return max2(SAT_SAME_SURFACE, 2 * sqrt(2 * move->rounding / radius));
}

/* Whether two surfaces are the sides of a gap that the shape may enter. Surfaces that have been hit
 * again make no such gap: it grows narrower. */
static bool are_sides_of_gap(const sat_MoveState *move, size_t one, size_t other) {
  const sat_MoveSurfaces *turned = &move->turned;
  double slant = gap_slant(move);
  sat_Vec2 normal = turned->at[one].normal;
  for (size_t i = 0; i < turned->count; i++)
    if (turned->at[i].lead_out > SAT_LEAD_OUT &&
        (!sat_normals_differ(turned->at[i].normal, normal, slant) ||
         !sat_normals_differ(turned->at[i].normal, neg(normal), slant)))
      return false;
  return !sat_normals_differ(normal, neg(turned->at[other].normal), slant);
}

/* Moves the shape to the middle between two corners of a mouth: beside it by more than rounding the
 * shape would meet one of them. */
static sat_Status center_between(sat_World *world, sat_MoveSurface p, sat_MoveSurface q) {
  sat_MoveState *move = &world->move;
  sat_Distance to_p = {.distance = 0}, to_q = {.distance = 0};
  if (p.other == q.other || sat_normals_agree(p.normal, neg(q.normal))) return SAT_OK;
  sat_Status status =
      sat_distance(move->shape, sat_entry_shape(world, p.other), &world->scratch, &to_p);
  if (status <= SAT_MISS)
    status = sat_distance(move->shape, sat_entry_shape(world, q.other), &world->scratch, &to_q);
  if (status > SAT_MISS) return status;
  double way = (to_q.distance - to_p.distance) / 2;
  return fabs(way) <= 4 * move->rounding ? sat_move_shift(world, mul(p.normal, way)) : SAT_OK;
}

sat_Status sat_move_center_in_gap(sat_World *world) {
  sat_MoveSurfaces *turned = &world->move.turned;
  for (size_t i = 1; i < turned->count; i++) {
    for (size_t k = 0; k < i; k++) {
      if (!are_sides_of_gap(&world->move, i, k)) continue;
      turned->at[i].slant = turned->at[k].slant = gap_slant(&world->move);
      return center_between(world, turned->at[i], turned->at[k]);
    }
  }
  return SAT_OK;
}

/* The motion along a gap between two surfaces that face each other, or 0, 0. At the mouth of a gap
 * that is narrower than a round shape by rounding, the shape's normals are off by the square root
 * of that, and the motion along either surface leads into the other one. A motion straight into a
 * side has no part along the gap but rounding. */
static sat_Vec2 clip_between(const sat_MoveState *move, sat_Vec2 motion, size_t one, size_t other) {
  const sat_MoveSurfaces *surfaces = &move->turned;
  sat_Vec2 across = sub(surfaces->at[one].normal, surfaces->at[other].normal),
           along = vec2(-across.y, across.x);
  along = mul(along, dot(motion, along) / dot(along, along));
  bool is_gap =
      are_sides_of_gap(move, one, other) && length(along) > SAT_SAME_SURFACE * length(motion);
  return is_gap && leads_into_no_other(surfaces, along, one, other) ? along : vec2(0, 0);
}

static sat_Vec2 clip_between_any(const sat_MoveState *move, sat_Vec2 motion) {
  for (size_t i = 1; i < move->turned.count; i++) {
    for (size_t k = 0; k < i; k++) {
      sat_Vec2 along = clip_between(move, motion, i, k);
      if (along.x != 0 || along.y != 0) return along;
    }
  }
  return vec2(0, 0);
}

sat_Vec2 sat_move_clip(const sat_MoveState *move, sat_Vec2 motion) {
  const sat_MoveSurfaces *surfaces = &move->turned;
  sat_Vec2 best = {0, 0};
  double most = 0;
  if (leads_into_none(surfaces, motion)) return motion;
  for (size_t i = 0; i < surfaces->count; i++) {
    sat_Vec2 along = clip_along(motion, &surfaces->at[i]);
    double forward = dot(along, motion);
    if (forward <= most || dot(along, move->motion) < 0 || !leads_into_none(surfaces, along))
      continue;
    best = along;
    most = forward;
  }
  if (most > 0) return best;
  best = clip_between_any(move, motion);
  return dot(best, move->motion) < 0 ? vec2(0, 0) : best;
}

sat_Status sat_move_drop_left_surfaces(sat_World *world) {
  sat_MoveSurfaces *turned = &world->move.turned;
  size_t count = 0;
  for (size_t i = 0; i < turned->count; i++) {
    bool still;
    sat_Status status = touches(world, &turned->at[i], &still);
    if (status) return status;
    if (still) turned->at[count++] = turned->at[i];
  }
  turned->count = count;
  return SAT_OK;
}

sat_Status sat_move_add_turned(sat_MoveState *move, sat_Vec2 normal, uint32_t other) {
  for (size_t i = 0; i < move->turned.count; i++) {
    sat_MoveSurface *surface = &move->turned.at[i];
    if (!sat_normals_agree(surface->normal, normal)) continue;
    surface->normal = normal;
    surface->lead_out = min2(8 * surface->lead_out, SAT_MOST_LEAD_OUT);
    return SAT_OK;
  }
  return sat_move_add_surface(&move->turned, (sat_MoveSurface){normal, SAT_LEAD_OUT, 0, other});
}
