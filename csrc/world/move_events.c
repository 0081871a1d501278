/* move_events.c: the events of a leg: its crossings and its hits. */
#include "world/abutting.h"
#include "world/move.h"

/* Orders events by time; crossings come before surfaces, and of surfaces the one hit most head-on
 * is first, then by direction, to the bit. The order of adding matters only where two have the same
 * normal. */
static bool event_comes_first(const sat_World *world, const sat_MoveEvent *one,
                              const sat_MoveEvent *other) {
  const sat_Hit *p = &one->hit, *q = &other->hit;
  if (p->t != q->t) return p->t < q->t;
  bool p_crossed = !sat_move_is_obstacle(world, one->other),
       q_crossed = !sat_move_is_obstacle(world, other->other);
  if (p_crossed != q_crossed) return p_crossed;
  if (p->normal.x != q->normal.x || p->normal.y != q->normal.y)
    return sat_is_more_opposed(world->move.left, p->normal, q->normal);
  return world->entries[one->other].id < world->entries[other->other].id;
}

/* Whether a one-way platform is no obstacle for the leg. A shape inside the platform is passing
 * through. */
static sat_Status lets_through(sat_World *world, sat_Vec2 motion, const sat_MoveEvent *event,
                               bool *through) {
  sat_Result way = {.depth = 0};
  sat_Status status = SAT_OK;
  *through = false;
  if (!sat_move_is_one_way(world, event->other) || !sat_move_is_obstacle(world, event->other))
    return SAT_OK;
  if (event->hit.t == 0)
    status =
        sat_collide(world->move.shape, sat_entry_shape(world, event->other), &world->scratch, &way);
  *through = sat_move_is_let_through(world, event->other, motion, event->hit.normal) ||
             sat_move_passes_through(world, event->other, way.depth);
  return status == SAT_MISS ? SAT_OK : status;
}

/* The event of a shape alone. */
static sat_Status find_event_with(sat_World *world, sat_Vec2 motion, uint32_t index,
                                  sat_MoveEvents *events) {
  sat_MoveEvent event = {.other = index, .beside = SAT_NO_SHAPE};
  bool through = false;
  sat_Status status = sat_move_cast(world, motion, index, &event.hit);
  if (status) return status == SAT_MISS ? SAT_OK : status;
  status = lets_through(world, motion, &event, &through);
  return status || through ? status : sat_move_add_event(events, event);
}

/* ---------------------------------------------------------------- seams */

typedef struct AbuttingSearch {
  sat_World *world;
  sat_Vec2 motion;
  sat_MoveEvents *events;
} AbuttingSearch;

/* Adds an event, or keeps the earlier one that the leg has with the same shape. */
static sat_Status add_earlier(const AbuttingSearch *search, sat_MoveEvent event) {
  for (size_t i = 0; i < search->events->count; i++) {
    sat_MoveEvent *own = &search->events->at[i];
    if (own->other != event.other) continue;
    bool is_earlier = event.hit.t < own->hit.t ||
                      (event.hit.t == own->hit.t && own->beside != SAT_NO_SHAPE &&
                       sat_is_more_opposed(search->motion, event.hit.normal, own->hit.normal));
    if (is_earlier) *own = event;
    return SAT_OK;
  }
  return sat_move_add_event(search->events, event);
}

static sat_Status add_abutting(void *context, uint32_t one, uint32_t other, const sat_Hit *hit) {
  const AbuttingSearch *search = context;
  sat_Status status = add_earlier(search, (sat_MoveEvent){*hit, one, other});
  return status ? status : add_earlier(search, (sat_MoveEvent){*hit, other, one});
}

/* The events at seams that a solid makes with those before it. */
static sat_Status add_abutting_with(const AbuttingSearch *search, uint32_t index) {
  sat_World *world = search->world;
  const sat_Shape *shape = world->move.shape, *other = sat_entry_shape(world, index);
  sat_Motion motion = {search->motion, sat_touch_rounding(shape, other), false, false};
  size_t before = world->tangents.count;
  if (!sat_move_is_obstacle(world, index) || sat_move_is_one_way(world, index)) return SAT_OK;
  sat_Status status = sat_cast_tangents(shape, motion, other, index, &world->tangents);
  if (status) return status;
  return sat_find_abutting(&world->tangents, before, search->motion, add_abutting, (void *)search);
}

sat_Status sat_move_find_events(sat_World *world, sat_Vec2 motion, sat_MoveEvents *events) {
  sat_MoveState *move = &world->move;
  sat_Rectangle box = sat_box_of(move->shape);
  const AbuttingSearch abutting = {world, motion, events};
  events->count = world->tangents.count = 0;
  for (size_t i = 0; i < move->neighbors.count; i++) {
    uint32_t index = move->neighbors.at[i];
    const sat_MoveOther *known = sat_move_known_other(move, index);
    if (known && (known->reported || known->response == SAT_IGNORE)) continue;
    if (!sat_boxes_meet_on_the_way(box, motion, sat_quadtree_box(&world->tree, index), 1)) continue;
    sat_Status status = find_event_with(world, motion, index, events);
    if (!status && move->runs_along) status = add_abutting_with(&abutting, index);
    if (status) return status;
  }
  return SAT_OK;
}

static bool is_parallel_to_axis(sat_Vec2 normal) { return normal.x == 0 || normal.y == 0; }

/* The corner of a tile that a round shape rolls over has a normal that is off by rounding from that
 * of the plane beside it: an obstacle with the plane's normal stands for both. */
size_t sat_move_first_event(const sat_World *world, const sat_MoveEvents *events) {
  size_t first = 0, parallel = SIZE_MAX;
  for (size_t i = 1; i < events->count; i++)
    if (event_comes_first(world, &events->at[i], &events->at[first])) first = i;
  const sat_MoveEvent *event = &events->at[first];
  if (is_parallel_to_axis(event->hit.normal) || !sat_move_is_obstacle(world, event->other))
    return first;
  for (size_t i = 0; i < events->count; i++) {
    const sat_MoveEvent *other = &events->at[i];
    if (other->hit.t != event->hit.t || !is_parallel_to_axis(other->hit.normal) ||
        sat_normals_differ(other->hit.normal, event->hit.normal, SAT_SAME_PLANE) ||
        !sat_move_is_obstacle(world, other->other))
      continue;
    if (parallel == SIZE_MAX || event_comes_first(world, other, &events->at[parallel]))
      parallel = i;
  }
  return parallel == SIZE_MAX ? first : parallel;
}
