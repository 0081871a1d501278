/* move.c: sweeps a shape through a world and responds to what it hits.
 *
 * The shape becomes a point p, its displacement, in a space of obstacles
 * (narrowphase/configuration_space.h). A leg goes along the remaining motion to the first place
 * where the union of the obstacles bars it, and from there along one of the surfaces of that place:
 * the one that leaves the longest way of those that nothing else bars. So seams, lips, corners and
 * gaps need no rule of their own. The obstacles are sorted by place, hence no bit of an answer but
 * the names of the hits depends on the order of adding. */
#include "base/box.h"
#include "base/heap.h"
#include "base/memory.h"
#include "narrowphase/collide.h"
#include "world/world.h"

#include <string.h>

/* The largest number of legs; the motion that remains after them is dropped. */
enum { MOST_LEGS = 64 };
#define STAYS 2
/* A motion of more than the first number of the shape's size is swept in parts, at most as many as
 * the second. */
enum { LONG_MOTION = 8, MOST_SECTIONS = 64 };

/* ---------------------------------------------------------------- the others */

static const sat_Shape *shape_of(const sat_World *world, const sat_MoveOther *other) {
  return sat_entry_shape(world, other->index);
}

static uint64_t id_of(const sat_World *world, uint32_t other) {
  return world->entries[world->move->others.at[other].index].id;
}

sat_MoveOther *sat_world_find_other(const sat_World *world, const sat_MoveState *move,
                                    uint32_t index) {
  uint32_t at = world->entries[index].other;
  return at < move->others.count && move->others.at[at].index == index ? &move->others.at[at]
                                                                       : NULL;
}

void sat_world_note_others(sat_World *world, const sat_MoveState *move) {
  for (uint32_t i = 0; i < move->others.count; i++)
    world->entries[move->others.at[i].index].other = i;
}

/* How often the call has pushed a shape. */
static uint32_t pushes_of(const sat_World *world, uint32_t index) {
  const sat_WorldEntry *entry = &world->entries[index];
  const sat_CarryEntries *fresh = &world->push.fresh;
  bool is_listed = (entry->state & SAT_ENTRY_CARRIED) && entry->place < fresh->count;
  return is_listed ? fresh->at[entry->place].turns : 0;
}

static void add_other(sat_World *world, sat_MoveState *move, uint32_t index) {
  const sat_Shape *shape = sat_entry_shape(world, index);
  bool is_sensor = !sat_is_solid(shape) || !sat_is_solid(move->shape);
  sat_Vec2 open;
  world->entries[index].other = (uint32_t)move->others.count;
  move->others.at[move->others.count++] = (sat_MoveOther){
      .index = index,
      .response = (uint8_t)(is_sensor && move->response != SAT_ASK ? SAT_CROSS : move->response),
      .crossed = is_sensor || move->response == SAT_CROSS,
      .pushes = pushes_of(world, index),
      .one_way = sat_shape_one_way(shape, &open)};
}

sat_Status sat_world_find_others(sat_World *world, sat_MoveState *move, const sat_Box *box) {
  sat_Vec2 low = box->min, high = box->max;
  sat_AreaQuery area;
  area.box = (sat_Rectangle){low.x, low.y, high.x - low.x, high.y - low.y};
  area.is_made = false;
  sat_Status status = sat_world_query_boxes(world, &area.box);
  if (!status) status = SAT_LIST_RESERVE(&move->others, world->near.count);
  for (size_t i = 0; status <= SAT_MISS && i < world->near.count; i++) {
    uint32_t index = world->near.at[i];
    if (!sat_world_may_meet(world, move->shape, index) || sat_world_find_other(world, move, index))
      continue;
    status = sat_world_is_around(world, &area, index);
    if (!status) add_other(world, move, index);
  }
  return status == SAT_MISS ? SAT_OK : status;
}

/* Lists the shapes that a displacement in `area` may meet, behind those that are listed. */
static sat_Status find_others(sat_World *world, const sat_Box *area) {
  sat_MoveState *move = world->move;
  sat_Box own = move->bounds, box = {add(own.min, area->min), add(own.max, area->max)};
  sat_Status status = sat_world_find_others(world, move, &box);
  if (!status) move->area = *area;
  return status;
}

/* ---------------------------------------------------------------- rounding */

/* Crossed shapes have a rounding of their own, so that no solid feels them. */
static void set_rounding(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_Box own = move->bounds, solids = sat_no_box(), all = sat_no_box();
  bool any_crossed = false;
  for (size_t i = 0; i < move->others.count; i++) {
    sat_Box box = sat_shape_bounds(shape_of(world, &move->others.at[i]));
    bool crossed = move->others.at[i].crossed;
    any_crossed = any_crossed || crossed;
    sat_grow_box(crossed ? &all : &solids, &box, 0);
  }
  move->solids.rounding = sat_rounding_of_way(own, move->left, solids);
  if (any_crossed) sat_grow_box(&all, &solids, 0);
  move->crossed.rounding =
      any_crossed ? sat_rounding_of_way(own, move->left, all) : move->solids.rounding;
}

/* ---------------------------------------------------------------- the space */

static sat_Box with_margin(const sat_MoveState *move, sat_Box box) {
  double r = max2(move->solids.rounding, move->crossed.rounding);
  return box_moved(box, vec2(0, 0), SAT_FELT * r);
}

/* The displacements on a part of a way. */
static sat_Box range_of(const sat_MoveState *move, sat_Vec2 from, sat_Vec2 motion, double begin,
                        double end) {
  const sat_Vec2 ends[2] = {add(from, mul(motion, begin)), add(from, mul(motion, end))};
  return with_margin(move, sat_box_of_points(ends, 2));
}

static bool holds_box(const sat_Box *outer, const sat_Box *inner) {
  return outer->min.x <= inner->min.x && outer->min.y <= inner->min.y &&
         outer->max.x >= inner->max.x && outer->max.y >= inner->max.y;
}

/* Lets the shape through all obstacles of the others that it is let through. */
static void pass_all(const sat_MoveState *move, sat_Space *space) {
  for (size_t i = 0; i < space->obstacles.count; i++) {
    sat_Obstacle *obstacle = &space->obstacles.at[i];
    obstacle->passed = obstacle->passed || move->others.at[obstacle->solid].passed;
  }
}

/* Marks what the shape is inside of where it stands: one-way shapes let it through, and so do
 * segments of closed chains, unless it may still be freed from them. */
static void mark_inside(sat_MoveState *move, sat_Space *space, bool may_be_freed) {
  double r = move->solids.rounding, contact = SAT_CONTACT * r;
  bool any_passed = false;
  if (move->size > 0) contact = min2(contact, max2(move->size / 8, 8 * r));
  for (size_t i = 0; i < space->obstacles.count; i++) {
    sat_Obstacle *o = &space->obstacles.at[i];
    sat_MoveOther *other = &move->others.at[o->solid];
    if (sat_obstacle_depth(space, o, vec2(0, 0)) <= contact) continue;
    if (other->one_way) any_passed = other->passed = true;
    else if (o->one_sided && !may_be_freed) o->passed = true;
    else other->inside = true;
  }
  if (any_passed) pass_all(move, space);
}

/* Adds the obstacles within reach to those that a box of displacements has. */
static sat_Status add_obstacles(sat_World *world, sat_Box range) {
  sat_MoveState *move = world->move;
  sat_Status status = SAT_OK;
  size_t solids = move->solids.obstacles.count, crossed = move->crossed.obstacles.count;
  const sat_Box none = sat_no_box();
  for (uint32_t i = 0; !status && i < move->others.count; i++) {
    const sat_MoveOther *other = &move->others.at[i];
    sat_Space *space = other->crossed ? &move->crossed : &move->solids;
    if (other->reported || other->passed) continue;
    status = sat_space_add(space, move->shape, shape_of(world, other), &range,
                           i < move->known ? &move->range : &none, i, id_of(world, i));
  }
  sat_space_finish(&move->solids, solids);
  sat_space_finish(&move->crossed, crossed);
  move->range = range;
  move->known = move->others.count;
  return status;
}

/* Makes the obstacles within reach of where the shape stands. */
static sat_Status make_obstacles(sat_World *world, sat_Box range) {
  sat_MoveState *move = world->move;
  sat_space_clear(&move->solids, move->solids.rounding);
  sat_space_clear(&move->crossed, move->crossed.rounding);
  move->known = 0;
  move->here.count = move->turned.count = 0; /* surfaces of the former obstacles */
  sat_Status status = add_obstacles(world, range);
  if (status) return status;
  mark_inside(move, &move->solids, move->phase == SAT_MOVE_BEGIN);
  mark_inside(move, &move->crossed, false);
  return SAT_OK;
}

/* Extends the space, whose obstacles keep their indices, to a box of displacements. */
static sat_Status reach_box(sat_World *world, sat_Box range) {
  sat_MoveState *move = world->move;
  sat_Status status = SAT_OK;
  if (holds_box(&move->range, &range)) return SAT_OK;
  if (!holds_box(&move->area, &range)) {
    sat_Box area = move->area;
    sat_grow_box(&area, &range, 0);
    status = find_others(world, &area);
  }
  return status ? status : add_obstacles(world, range);
}

/* The end of the part of a way that begins at a fraction of it. */
static double end_of_part(const sat_MoveState *move, sat_Vec2 motion, double begin) {
  if (motion.x == 0 && motion.y == 0) return 1;
  double step = max2(LONG_MOTION * move->size / length(motion), 1.0 / MOST_SECTIONS);
  return begin + step < 1 - step / 2 ? begin + step : 1;
}

/* Lists the others and makes the space anew, where the shape stands. */
static sat_Status look_around(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_Box own = move->bounds = sat_shape_bounds(move->shape);
  double far = max2(max2(fabs(own.min.x), fabs(own.max.x)), max2(fabs(own.min.y), fabs(own.max.y)));
  move->size = max2(own.max.x - own.min.x, own.max.y - own.min.y);
  double way = length(move->left), most = far + move->size + way;
  move->solids.rounding = move->crossed.rounding = SAT_TOUCH_ERROR * most;
  /* clipped by any surface on its way the motion stays in the circle of which it is the diameter */
  sat_Vec2 middle = mul(move->left, 0.5);
  sat_Box area = with_margin(move, box_moved((sat_Box){middle, middle}, vec2(0, 0), way * 0.5));
  sat_Status status = find_others(world, &area);
  if (status) return status;
  sat_space_clear(&move->solids, 0);
  if (move->others.count == 0) return SAT_OK;
  set_rounding(world);
  double end = end_of_part(move, move->left, 0);
  return make_obstacles(world, end < 1 ? range_of(move, vec2(0, 0), move->left, 0, end) : area);
}

sat_Status sat_world_look_around(sat_World *world, sat_Shape *shape) {
  sat_MoveState *move = world->move;
  move->shape = shape;
  move->response = SAT_SLIDE;
  move->left = vec2(0, 0);
  move->others.count = 0;
  return look_around(world);
}

/* ---------------------------------------------------------------- hits and questions */

sat_MoveHit sat_world_hit_of(const sat_World *world, const sat_MoveState *move,
                             const sat_MoveEvent *event, sat_Response how, sat_Vec2 centroid) {
  uint32_t index = move->others.at[event->other].index;
  sat_Vec2 normal = add(event->normal, vec2(0, 0)); /* no negative zero */
  return (sat_MoveHit){
      index, world->entries[index].id, normal, event->point, event->t, how, centroid, event->parts};
}

/* Adds a hit of the move, with the shape displaced to a place. */
static sat_Status add_hit(sat_World *world, const sat_MoveEvent *event, sat_Response how,
                          sat_Vec2 place) {
  sat_MoveState *move = world->move;
  sat_Vec2 centroid = add(move->place.centroid, place);
  return SAT_LIST_ADD(&move->fresh, sat_world_hit_of(world, move, event, how, centroid));
}

/* The record of the solid that a surface is of. */
static sat_MoveOther *other_of(const sat_MoveState *move, const sat_Surface *surface) {
  return &move->others.at[sat_obstacle_of(&move->solids, surface)->solid];
}

/* Makes the response to the shape of an event the caller's question. */
static sat_Status ask_about(const sat_World *world, const sat_MoveEvent *event,
                            sat_MoveHit *question) {
  const sat_MoveState *move = world->move;
  *question = sat_world_hit_of(world, move, event, SAT_ASK, move->place.centroid);
  return SAT_MISS;
}

void sat_world_answer(sat_World *world, uint32_t other, sat_Response response) {
  const sat_MoveState *state = world->turn.shape ? world->waiting : world->move;
  sat_MoveOther *asked = sat_world_find_other(world, state, other);
  SAT_ASSERT(asked);
  asked->response = (uint8_t)(asked->crossed && response != SAT_IGNORE ? SAT_CROSS : response);
}

static bool is_later_event(const sat_MoveEvent *p, const sat_MoveEvent *q) {
  return p->order != q->order ? p->order > q->order : p->id > q->id;
}

SAT_DEFINE_SORT(sat_MoveEvent, events, is_later_event)

void sat_sort_events(sat_MoveEvents *events) {
  if (events->count > 1) events_sort(events->at, events->count);
}

/* ---------------------------------------------------------------- inside at the start */

/* Lists the solids that the shape is inside of, in the order of adding. */
static sat_Status list_inside(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_Status status = SAT_OK;
  move->events.count = 0;
  for (uint32_t i = 0; !status && i < move->others.count; i++) {
    if (!move->others.at[i].inside || move->others.at[i].crossed) continue;
    status = SAT_LIST_ADD(&move->events, (sat_MoveEvent){.other = i, .id = id_of(world, i)});
  }
  sat_sort_events(&move->events);
  move->event = 0;
  move->phase = SAT_MOVE_INSIDE;
  return status;
}

/* Asks about the solids that the shape is inside of. SAT_OK: all are answered; those that stay in
 * the list are to be left. */
static sat_Status ask_about_inside(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = world->move;
  for (; move->event < move->events.count; move->event++) {
    sat_MoveEvent *event = &move->events.at[move->event];
    sat_MoveOther *other = &move->others.at[event->other];
    sat_Manifold manifold;
    event->blocks = false;
    sat_Status status =
        sat_contacts(move->shape, shape_of(world, other), &world->scratch, &manifold);
    if (status > SAT_MISS) return status;
    if (status == SAT_MISS || manifold.depth == 0) continue;
    event->normal = manifold.normal;
    event->point = manifold.points[0];
    if (other->response == SAT_ASK) return ask_about(world, event, question);
    event->blocks = other->response != SAT_IGNORE && other->response != SAT_CROSS;
    other->crossed = other->response == SAT_CROSS;
    other->passed = other->response == SAT_IGNORE;
  }
  return SAT_OK;
}

/* Whether the way out leads out of the shape at an index. */
static bool has_to_be_left(const sat_World *world, const sat_Shape *shape, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(world, index);
  const sat_MoveOther *record = sat_world_find_other(world, world->move, index);
  bool is_left_out = record && (record->passed || record->crossed);
  return sat_world_may_meet(world, shape, index) && sat_pushes_out(other, shape) && !is_left_out;
}

static sat_Status add_inside_hits(sat_World *world, sat_Vec2 normal, sat_Response how) {
  sat_MoveState *move = world->move;
  sat_Status status = SAT_OK;
  for (size_t i = 0; !status && i < move->events.count; i++) {
    sat_MoveEvent *event = &move->events.at[i];
    if (!event->blocks) continue;
    event->normal = normal;
    const sat_Shape *other = shape_of(world, &move->others.at[event->other]);
    status = sat_deepest_parts(move->shape, other, NULL, &world->scratch, &event->parts);
    if (!status) status = add_hit(world, event, how, vec2(0, 0));
    if (how == SAT_STUCK) break;
  }
  return status;
}

/* Moves the shape out of all solids at once. */
static sat_Status leave_inside(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_Result way = {.depth = 0};
  bool any = false;
  for (size_t i = 0; i < move->events.count; i++) any = any || move->events.at[i].blocks;
  move->phase = SAT_MOVE_LEG;
  if (move->events.count == 0) return SAT_OK;
  sat_Status status =
      any ? sat_world_way_out(world, move->shape, has_to_be_left, NULL, &way) : SAT_MISS;
  if (status > SAT_MISS) return status;
  if (status == SAT_MISS || way.depth == 0) return make_obstacles(world, move->range);
  if (way.depth > move->size) {
    move->phase = SAT_MOVE_DONE;
    move->rest = vec2(0, 0);
    return add_inside_hits(world, way.normal, SAT_STUCK);
  }
  status = add_inside_hits(world, way.normal, SAT_FREED);
  if (!status) status = sat_shape_shift(move->shape, way.vector);
  if (status) return status;
  move->place = sat_shape_position(move->shape);
  move->origin = move->shape->origin;
  for (size_t i = 0; i < move->fresh.count; i++) move->fresh.at[i].centroid = move->place.centroid;
  return look_around(world);
}

/* ---------------------------------------------------------------- what is crossed */

/* The crossing of a shape that the moving one is inside of: at once, if the motion leads farther
 * in than rounding. Else it is let go, whatever piece of it the way enters: t is below 0. */
static sat_Status cross_from_inside(sat_World *world, sat_MoveEvent *event) {
  sat_MoveState *move = world->move;
  const sat_Shape *other = shape_of(world, &move->others.at[event->other]);
  sat_Manifold manifold;
  sat_Status status = sat_shape_shift(move->shape, move->at);
  if (!status) status = sat_contacts(move->shape, other, &world->scratch, &manifold);
  sat_shape_stand_at(move->shape, move->place);
  if (status) return status;
  if (manifold.depth <= move->crossed.rounding) return SAT_MISS;
  event->t = dot(manifold.normal, move->left) < 0 ? 0 : -1;
  event->normal = manifold.normal;
  event->point = manifold.points[0];
  return sat_deepest_parts(move->shape, other, &manifold.normal, &world->scratch, &event->parts);
}

/* The crossing of one obstacle. SAT_MISS: the way does not enter it. */
static sat_Status cross_obstacle(sat_World *world, uint32_t index, sat_MoveEvent *event) {
  sat_MoveState *move = world->move;
  sat_Space *space = &move->crossed;
  const sat_Obstacle *obstacle = &space->obstacles.at[index];
  const sat_Shape *other = shape_of(world, &move->others.at[obstacle->solid]);
  sat_Vec2 p = move->at, motion = move->left;
  sat_Chord chord;
  *event = (sat_MoveEvent){.other = obstacle->solid, .id = obstacle->order};
  if (sat_obstacle_lets_pass(obstacle, motion)) return SAT_MISS;
  if (!sat_obstacle_chord(space, obstacle, p, motion, &chord) || chord.leave <= 0 ||
      chord.enter >= 1)
    return SAT_MISS;
  event->order = max2(chord.enter, 0);
  if (chord.enter < 0) return cross_from_inside(world, event);
  space->near.count = 0;
  sat_obstacle_surfaces(space, index, add(p, mul(motion, event->order)),
                        SAT_ACTIVE * space->rounding, &space->near);
  for (size_t i = space->near.count; i-- > 0;)
    if (!sat_surface_is_open(space, &space->near.at[i]))
      space->near.at[i] = space->near.at[--space->near.count];
  const sat_Surface *surface = sat_most_head_on(&space->near, motion);
  if (!surface || dot(surface->normal, motion) >= 0) return SAT_MISS;
  event->t = sat_surface_time(space, surface, p, motion, event->order, space->rounding);
  event->order = min2(event->order, event->t);
  event->normal = surface->normal;
  event->opposed = dot(surface->normal, motion);
  event->point = add(move->origin, sat_surface_point(space, surface, add(p, mul(motion, event->t)),
                                                     move->shape, other));
  event->parts = sat_parts_of(obstacle, move->shape, other);
  return SAT_OK;
}

/* Keeps of the crossings of each shape the first, with the lowest of the parts that are entered
 * there; none of one that is let go. */
static void keep_first_crossings(sat_MoveState *move) {
  sat_MoveEvents *list = &move->crossings;
  size_t count = list->count;
  for (size_t i = count; i-- > 0;) move->others.at[list->at[i].other].bar = (uint32_t)i;
  for (size_t i = 0; i < count; i++) {
    const sat_MoveEvent *event = &list->at[i], *first;
    uint32_t *bar = &move->others.at[event->other].bar;
    first = &list->at[*bar];
    if (event->t != first->t ? event->t < first->t : event->opposed < first->opposed)
      *bar = (uint32_t)i;
  }
  for (size_t i = 0; i < count; i++) {
    const sat_MoveEvent *event = &list->at[i];
    sat_MoveEvent *first = &list->at[move->others.at[event->other].bar];
    if ((event->t - first->t) * length(move->left) > move->crossed.rounding ||
        dot(event->normal, first->normal) < 1 - SAT_SAME_NORMAL ||
        !sat_parts_precede(event->parts, first->parts))
      continue;
    first->parts = event->parts;
    first->point = event->point;
  }
  list->count = 0;
  for (size_t i = 0; i < count; i++)
    if (move->others.at[list->at[i].other].bar == i && list->at[i].t >= 0)
      list->at[list->count++] = list->at[i];
}

/* Lists the shapes that the way crosses, each once, in the order in which it enters them. */
static sat_Status find_crossings(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_MoveEvents *list = &move->crossings;
  list->count = move->crossing = 0;
  for (uint32_t i = 0; i < move->crossed.obstacles.count; i++) {
    const sat_MoveOther *other = &move->others.at[move->crossed.obstacles.at[i].solid];
    sat_MoveEvent event;
    if (other->reported || other->response == SAT_IGNORE) continue;
    sat_Status status = cross_obstacle(world, i, &event);
    if (status == SAT_MISS) continue;
    if (!status) status = SAT_LIST_ADD(list, event);
    if (status) return status;
  }
  if (list->count > 0) keep_first_crossings(move);
  sat_sort_events(list);
  return move->crossed.status;
}

/* ---------------------------------------------------------------- the first hit of a leg */

static sat_Vec2 clipped(sat_Vec2 motion, sat_Vec2 normal) {
  if (normal.y == 0) return vec2(0, motion.y);
  if (normal.x == 0) return vec2(motion.x, 0);
  return sub(motion, mul(normal, dot(motion, normal)));
}

/* How free a motion is: 0 barred at once, 1 beyond what is active, 2 beyond a facet's length. */
static sat_Status freedom_of(sat_World *world, sat_Vec2 from, sat_Vec2 motion, double most,
                             int *freedom) {
  sat_MoveState *move = world->move;
  double r = move->solids.rounding, size = length(motion);
  double end = min2(1, most / size);
  motion = mul(motion, end);
  sat_Status status = reach_box(world, range_of(move, from, motion, 0, 1));
  if (!status) status = sat_way_begin(&move->solids, &move->probe, from, motion, 0, 1);
  if (!status) status = sat_way_find_hit(&move->solids, &move->probe);
  if (status) return status;
  double way = move->probe.t * size * end;
  *freedom = move->probe.t >= 1 || way > SAT_GOES_ON * r ? 2 : way > SAT_ACTIVE * r;
  return SAT_OK;
}

/* Whether a way is longer than another one, or equally long with more of x, as in every mirror. */
static bool is_longer_way(sat_Vec2 way, sat_Vec2 than) {
  double size = length(way), least = length(than);
  return size > least * (1 + SAT_TIE_RELATIVE) ||
         (size > least * (1 - SAT_TIE_RELATIVE) &&
          fabs(way.x) > fabs(than.x) * (1 + SAT_TIE_RELATIVE));
}

/* The surface along which the way is longest of those that are not tried yet, or NULL. */
static sat_Surface *longest_way(const sat_MoveState *move, sat_Vec2 motion, sat_Surfaces *bars,
                                sat_Vec2 *way) {
  sat_Surface *best = NULL;
  double least = SAT_LEADS * length(motion);
  for (size_t i = 0; i < bars->count; i++) {
    sat_Surface *bar = &bars->at[i];
    sat_Vec2 along = clipped(motion, bar->normal);
    if (bar->tried || length(along) <= least || dot(along, move->motion) < 0) continue;
    if (best && !is_longer_way(along, *way)) continue;
    best = bar;
    *way = along;
  }
  return best;
}

/* Whether a way along a surface leads at once into another one that bars the motion in that place,
 * as in a corner: it is not free then. */
static bool leads_into_other(const sat_MoveState *move, const sat_Surfaces *bars, sat_Vec2 from,
                             sat_Vec2 way) {
  const sat_Space *space = &move->solids;
  double active = SAT_ACTIVE * space->rounding, size = length(way);
  for (size_t i = 0; i < bars->count; i++) {
    const sat_Surface *bar = &bars->at[i];
    double into = -dot(bar->normal, way) / size;
    if (!bar->corner && into * size > space->rounding && min2(bar->back, bar->ahead) > active &&
        sat_surface_outside(space, bar, from) <= into * active)
      return true;
  }
  return false;
}

/* The best way on along one of several surfaces: the freest, of equally free ones the longest. A
 * surface that others hide, aslant to it by little, is less free than those. `best` is NULL if none
 * is free. The way is that of move->probe where is_probed says so. */
static sat_Status choose_way_on(sat_World *world, sat_Vec2 from, sat_Vec2 motion,
                                sat_Surfaces *bars, double most, sat_Vec2 *way_on,
                                const sat_Surface **best) {
  sat_MoveState *move = world->move;
  int freest = 0, freedom;
  sat_Surface *next;
  sat_Vec2 along;
  *best = NULL;
  *way_on = vec2(0, 0);
  for (size_t i = 0; i < bars->count; i++) bars->at[i].tried = false;
  while (freest < 2 && (next = longest_way(move, motion, bars, &along))) {
    sat_Status status = SAT_OK;
    if (leads_into_other(move, bars, from, along)) freedom = 0;
    else status = freedom_of(world, from, along, most, &freedom);
    if (status) return status;
    move->is_probed = freedom > freest;
    if (freedom > freest) {
      freest = freedom;
      *way_on = along;
      *best = next;
    }
    for (size_t i = 0; freest < 2 && i < bars->count; i++)
      bars->at[i].tried = bars->at[i].tried || sat_surfaces_agree(&bars->at[i], next);
    next->tried = true;
  }
  return SAT_OK;
}

/* Finds where the rest of the motion is barred, and by what. */
static sat_Status find_hit(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_Space *space = &move->solids;
  sat_Way *way = &move->way;
  sat_Vec2 p = move->at, m = move->left;
  sat_Status status = move->is_known ? SAT_OK : sat_way_find_hit(space, way);
  move->is_known = false;
  move->by = NULL;
  move->limit = way->bars.count > 0 || way->t < 1 ? way->t : way->end;
  if (status || way->bars.count == 0) return status;
  move->held.count = 0;
  if (way->t * length(m) <= SAT_ACTIVE * space->rounding)
    status = SAT_LIST_APPEND(&move->held, &move->here);
  if (!status) status = SAT_LIST_APPEND(&move->held, &way->bars);
  if (status) return status;
  move->stop = sat_surfaces_leave(space, &move->held, add(p, mul(m, way->t)));
  status = choose_way_on(world, move->stop, mul(m, 1 - way->t), &way->bars, HUGE_VAL, &move->way_on,
                         &move->by);
  move->lead = sat_most_head_on(&way->bars, m);
  bool may_slide = move->response != SAT_TOUCH && move->response != SAT_BOUNCE;
  if (!move->by || !may_slide) move->by = move->lead;
  move->limit = sat_surface_time(space, move->by, p, m, way->t, space->rounding);
  return status;
}

/* ---------------------------------------------------------------- the events of a leg */

/* Adds what the way crosses up to the hit. */
static sat_Status add_crossed_events(sat_MoveState *move) {
  double r = move->crossed.rounding, size = length(move->left);
  sat_Status status = SAT_OK;
  for (; !status && move->crossing < move->crossings.count; move->crossing++) {
    sat_MoveEvent event = move->crossings.at[move->crossing];
    if ((event.order - move->limit) * size > r) break;
    event.t = min2(event.t, move->limit);
    event.here = move->by && (move->limit - event.t) * size <= r;
    status = SAT_LIST_ADD(&move->events, event);
  }
  return status;
}

/* Notes the bar of each solid: that with the normal of the hit, else the most head-on. */
static void note_bars(sat_MoveState *move) {
  const sat_Surfaces *bars = &move->way.bars;
  for (size_t i = 0; i < bars->count; i++) other_of(move, &bars->at[i])->bar = SAT_NO_SHAPE;
  for (size_t i = 0; i < bars->count; i++) {
    const sat_Surface *bar = &bars->at[i];
    sat_MoveOther *other = other_of(move, bar);
    const sat_Surface *best = other->bar == SAT_NO_SHAPE ? NULL : &bars->at[other->bar];
    if (best && sat_surfaces_agree(best, move->by)) continue;
    if (!best || sat_surfaces_agree(bar, move->by) ||
        dot(bar->normal, move->left) < dot(best->normal, move->left))
      other->bar = (uint32_t)i;
  }
}

static sat_Vec2 point_of(const sat_World *world, const sat_Surface *bar) {
  const sat_MoveState *move = world->move;
  return sat_surface_point(&move->solids, bar, move->stop, move->shape,
                           shape_of(world, other_of(move, bar)));
}

/* Adds the solids that have a surface at the hit. The bits of t and of the normal are those of the
 * hit where it is the same surface, in any order of adding. */
static sat_Status add_blockers(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_Status status = SAT_OK;
  note_bars(move);
  for (size_t i = 0; !status && i < move->way.bars.count; i++) {
    const sat_Surface *bar = &move->way.bars.at[i];
    uint32_t other = sat_obstacle_of(&move->solids, bar)->solid;
    if (move->others.at[other].bar != i) continue;
    const sat_Surface *same = sat_surfaces_agree(bar, move->by) ? move->by : bar;
    double t = sat_surface_time(&move->solids, same, move->at, move->left, move->way.t,
                                move->solids.rounding);
    status = SAT_LIST_ADD(&move->events,
                          (sat_MoveEvent){.other = other,
                                          .id = id_of(world, other),
                                          .t = t,
                                          .normal = same->normal,
                                          .point = add(move->origin, point_of(world, bar)),
                                          .here = true,
                                          .blocks = true});
  }
  return status;
}

/* Finds the hit of a leg, and lists the events up to it. */
static sat_Status list_events(sat_World *world) {
  sat_MoveState *move = world->move;
  move->events.count = move->event = 0;
  sat_Status status = find_hit(world);
  if (!status) status = add_crossed_events(move);
  if (!status && move->by && move->response == SAT_ASK) status = add_blockers(world);
  if (status) return status;
  for (size_t i = 0; i < move->events.count; i++) {
    sat_MoveEvent *event = &move->events.at[i];
    event->order = event->here ? HUGE_VAL : event->t;
    event->t = max2(move->reported, move->begun + (1 - move->begun) * event->t);
  }
  sat_sort_events(&move->events);
  move->phase = SAT_MOVE_EVENTS;
  return SAT_OK;
}

/* Asks about all events, and tells those that are crossed, once all are answered. */
static sat_Status ask_about_events(sat_World *world, sat_MoveHit *question, bool *passes) {
  sat_MoveState *move = world->move;
  sat_MoveEvents *events = &move->events;
  *passes = false;
  for (; move->event < events->count; move->event++) {
    sat_MoveEvent *event = &events->at[move->event];
    sat_Response response = (sat_Response)move->others.at[event->other].response;
    if (response == SAT_ASK) return ask_about(world, event, question);
    bool is_told = response == SAT_CROSS || (!event->blocks && response != SAT_IGNORE);
    event->order = is_told ? event->t : HUGE_VAL;
  }
  for (size_t i = 0; i < events->count; i++) {
    sat_MoveOther *other = &move->others.at[events->at[i].other];
    if (events->at[i].blocks && other->response >= SAT_CROSS) other->passed = *passes = true;
  }
  if (*passes) pass_all(move, &move->solids);
  sat_sort_events(events);
  for (size_t i = 0; i < events->count && events->at[i].order < HUGE_VAL; i++) {
    const sat_MoveEvent *event = &events->at[i];
    move->others.at[event->other].reported = true;
    move->reported = event->t;
    sat_Status status = add_hit(world, event, SAT_CROSS, move->at);
    if (status) return status;
  }
  return SAT_OK;
}

/* ---------------------------------------------------------------- the response */

/* Whether a shape can be pushed now: if it weighs, with all that the call has pushed, no more than
 * the mover. What is being pushed itself cannot, nor what a push has left behind. */
static bool can_be_pushed(const sat_World *world, uint32_t index) {
  const sat_Shape *shape = sat_entry_shape(world, index);
  uint32_t state = world->entries[index].state;
  if ((shape->flags & (SAT_STATIC | SAT_LOCKED)) ||
      !(shape->mass < HUGE_VAL || world->carry.platform) ||
      (state & (SAT_ENTRY_PUSHES | SAT_ENTRY_JAMMED | SAT_ENTRY_RIDES)))
    return false;
  if (state & SAT_ENTRY_CARRIED) return pushes_of(world, index) < MOST_LEGS;
  return world->push.weight + shape->mass <= world->push.limit;
}

/* Finds the surface of an obstacle that has, at a place, the normal of the lead, else that of a bar
 * that is as head-on. */
static bool find_front(sat_MoveState *move, uint32_t obstacle, sat_Vec2 place, sat_Surface *front) {
  sat_Surfaces *near = &move->solids.near;
  double most = dot(move->lead->normal, move->left) * (1 - SAT_TIE_RELATIVE);
  bool is_found = false;
  near->count = 0;
  sat_obstacle_surfaces(&move->solids, obstacle, place, SAT_ACTIVE * move->solids.rounding, near);
  for (size_t k = 0; k < move->way.bars.count; k++) {
    sat_Surface *bar = &move->way.bars.at[k], *own = bar;
    bool leads = sat_surfaces_agree(bar, move->lead);
    if (is_found ? !leads : dot(bar->normal, move->left) > most) continue;
    for (size_t i = near->count; own->obstacle != obstacle && i-- > 0;)
      if (sat_surfaces_agree(&near->at[i], bar)) own = &near->at[i];
    if (own->obstacle != obstacle) continue;
    *front = *own;
    is_found = true;
    if (leads) return true;
  }
  return is_found;
}

/* Finds what is to be pushed: the nearest of all that can be and that the way enters where it is
 * barred. None, if all of them are too heavy together, or the push is no more than rounding. So no
 * order of adding is felt, and none of those that the way only grazes is pushed. */
static bool find_pushed(sat_World *world) {
  sat_MoveState *move = world->move;
  const sat_Way *way = &move->way;
  double weight = world->push.weight, rest = 1 - way->t;
  double least = SAT_ACTIVE * move->solids.rounding / length(move->left);
  sat_Vec2 place = add(move->at, mul(move->left, way->t)), nearest = {HUGE_VAL, 0};
  sat_Surface front;
  for (size_t i = 0; i < move->others.count; i++) move->others.at[i].bar = SAT_NO_SHAPE;
  for (size_t i = 0; i < way->entries.count && way->entries.at[i].t <= way->t + least; i++) {
    uint32_t at = way->entries.at[i].obstacle;
    const sat_Obstacle *obstacle = &move->solids.obstacles.at[at];
    sat_MoveOther *other = &move->others.at[obstacle->solid];
    sat_Chord chord;
    if (other->response != SAT_PUSH || obstacle->passed || !can_be_pushed(world, other->index) ||
        !sat_obstacle_chord(&move->solids, obstacle, move->at, move->left, &chord) ||
        min2(chord.leave, 1) - way->t <= least || !find_front(move, at, place, &front))
      continue;
    const sat_Shape *shape = shape_of(world, other);
    if (other->bar == SAT_NO_SHAPE && pushes_of(world, other->index) == 0) weight += shape->mass;
    other->bar = 0;
    sat_Vec2 to = sub(sub(shape->centroid, move->place.centroid), place);
    if (-dot(front.normal, move->left) * rest <= sat_push_rounding(shape) ||
        !sat_is_farther(nearest, to))
      continue;
    nearest = to;
    move->front = front;
  }
  return nearest.x < HUGE_VAL && weight <= world->push.limit;
}

/* How a surface was answered: of several solids that have it the strongest answer counts, and of
 * those that gave it the one added first has its name. */
static sat_Response answer_of(const sat_World *world, const sat_Surface *surface,
                              const sat_Surface **named) {
  static const int rank[SAT_CROSS] = {[SAT_TOUCH] = 2, [SAT_BOUNCE] = 1};
  const sat_MoveState *move = world->move;
  uint32_t best = SAT_NO_SHAPE;
  *named = surface;
  for (size_t i = 0; i < move->way.bars.count; i++) {
    const sat_Surface *bar = &move->way.bars.at[i];
    if (bar != surface && !sat_surfaces_agree(bar, surface)) continue;
    uint32_t other = sat_obstacle_of(&move->solids, bar)->solid;
    int gain = best == SAT_NO_SHAPE
                   ? 1
                   : rank[move->others.at[other].response] - rank[move->others.at[best].response];
    if (gain < 0 || (gain == 0 && id_of(world, other) >= id_of(world, best))) continue;
    best = other;
    *named = bar;
  }
  sat_Response how = (sat_Response)other_of(move, *named)->response;
  return how == SAT_PUSH ? SAT_SLIDE : how;
}

static void turn_along(sat_MoveState *move, bool has_way_on, double t, const sat_Surface *by) {
  double size = length(move->left);
  if (has_way_on) {
    move->left = move->way_on;
    move->is_pressed = false;
    move->is_known = move->is_probed;
    if (move->is_known) SAT_SWAP(sat_Way, &move->way, &move->probe);
  } else if (move->is_pressed) {
    move->left = vec2(0, 0);
  } else { /* another surface bars the way on: it is told in the next leg, which begins here */
    move->is_pressed = true;
    move->left = clipped(mul(move->left, 1 - t), by->normal);
    if (length(move->left) <= SAT_LEADS * size || dot(move->left, move->motion) < 0)
      move->left = vec2(0, 0);
  }
  /* along an axis the end of the motion stays what it is, to the bit */
  sat_Vec2 end = add(move->at, move->left);
  if (!(by->normal.x == 0 && move->left.x != 0)) move->goal.x = end.x;
  if (!(by->normal.y == 0 && move->left.y != 0)) move->goal.y = end.y;
}

static sat_Vec2 mirror(sat_Vec2 motion, sat_Vec2 normal) {
  return sub(motion, mul(normal, 2 * dot(motion, normal)));
}

/* Goes to the surface that stops the shape, and responds. */
static sat_Status meet_surface(sat_World *world) {
  sat_MoveState *move = world->move;
  const sat_Space *space = &move->solids;
  const sat_Surface *named, *by = move->by;
  sat_Vec2 p = move->at, m = move->left;
  double t = move->way.t, size = length(m);
  bool has_way_on = move->way_on.x != 0 || move->way_on.y != 0;
  sat_Response how = answer_of(world, move->lead, &named);
  if (how != SAT_SLIDE) by = move->lead;
  else if (by != move->lead) how = answer_of(world, by, &named);
  if (how == SAT_SLIDE && move->response >= SAT_PUSH && find_pushed(world)) {
    how = SAT_PUSH;
    by = named = &move->front;
  }
  double reached =
      by == move->by ? move->limit : sat_surface_time(space, by, p, m, t, space->rounding);
  move->reported = max2(move->reported, move->begun + (1 - move->begun) * reached);
  uint32_t other = sat_obstacle_of(space, named)->solid;
  const sat_Shape *solid = shape_of(world, &move->others.at[other]);
  named = sat_surface_of_lowest_parts(space, &move->way.bars, named, m, move->shape, solid);
  sat_MoveEvent event = {.other = other,
                         .normal = by->normal,
                         .point = add(move->origin, point_of(world, named)),
                         .parts = sat_parts_of(sat_obstacle_of(space, named), move->shape, solid),
                         .t = move->reported};
  bool stays = how == SAT_SLIDE && !has_way_on && t * size <= SAT_ACTIVE * space->rounding;
  stays = stays || ((how == SAT_TOUCH || how == SAT_PUSH) && t * size <= 4 * space->rounding);
  if (t * size > SAT_ACTIVE * space->rounding) move->is_pressed = false;
  if (how != SAT_SLIDE || stays) { /* on the line of the way, or where it is */
    t = stays ? 0 : reached;
    move->stop = sat_surfaces_leave(space, &move->held, add(p, mul(m, t)));
  }
  move->at = move->stop;
  move->begun += (1 - move->begun) * t;
  sat_Status status = add_hit(world, &event, how, add(p, mul(m, reached)));
  SAT_SWAP(sat_Surfaces, &move->here, &move->held);
  if (!status && how == SAT_SLIDE) status = SAT_LIST_ADD(&move->turned, *by);
  if (status) return status;
  move->legs += how != SAT_PUSH;
  move->phase = how == SAT_PUSH ? SAT_MOVE_PUSH : SAT_MOVE_LEG;
  move->has_hit = true;
  if (how == SAT_SLIDE) {
    turn_along(move, has_way_on, t, by);
  } else if (how == SAT_BOUNCE) {
    move->left = mirror(mul(m, 1 - t), by->normal);
    move->goal = add(move->at, move->left);
    if (dot(move->motion, by->normal) < 0) move->motion = mirror(move->motion, by->normal);
    move->is_pressed = false;
  } else if (how == SAT_PUSH) {
    move->left = sub(move->goal, move->at);
    move->is_pressed = false;
    move->pushed = other_of(move, named)->index;
    move->push = world->push.along ? move->left : mul(by->normal, dot(move->left, by->normal));
  } else {
    move->left = move->motion = vec2(0, 0);
  }
  return SAT_OK;
}

/* ---------------------------------------------------------------- the end */

/* Whether a surface at the end of the move turned it, and the motion still leads into it. */
static bool still_turns(sat_MoveState *move, const sat_Surface *surface) {
  sat_Space *space = &move->solids;
  bool is_known = false, is_gap_end = false;
  for (size_t i = 0; i < move->turned.count && !is_known; i++) {
    const sat_Surface *turned = &move->turned.at[i];
    is_known = (sat_obstacle_of(space, surface)->round && turned->obstacle == surface->obstacle) ||
               sat_surfaces_agree(surface, turned);
    is_gap_end = turned->is_gap_end;
  }
  return is_known && dot(surface->normal, move->motion) < -SAT_LEADS * length(move->motion) &&
         sat_surface_is_open(space, surface) &&
         (is_gap_end || sat_surface_is_real(space, surface, move->at));
}

/* The motion asked for, as the surfaces that turned the move and are still touched leave it: those
 * of move->held. Of surfaces with one normal one is asked. Where no other surface is near, the way
 * along it is free. */
static sat_Status find_rest(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_Surfaces *still = &move->held;
  const sat_Surface *by, *last = NULL;
  size_t kept = 0;
  bool agree = true, does = false;
  for (size_t i = 0; i < still->count; i++) {
    const sat_Surface *surface = &still->at[i];
    agree = agree && sat_surfaces_agree(surface, &still->at[0]);
    if (kept > 0 && equal_points(surface->normal, still->at[kept - 1].normal)) continue;
    if (!last || !sat_surfaces_are_equal(&move->solids, last, surface))
      does = still_turns(move, surface);
    last = surface;
    if (does) still->at[kept++] = *surface;
  }
  still->count = kept;
  move->rest = move->motion;
  if (kept == 0) return move->solids.status;
  if (agree) {
    move->rest = vec2(0, 0);
    longest_way(move, move->motion, still, &move->rest);
    return move->solids.status;
  }
  return choose_way_on(world, move->at, move->motion, still,
                       2 * SAT_GOES_ON * move->solids.rounding, &move->rest, &by);
}

/* Lists the solids that the shape may overlap by rounding at the end, each once. */
static sat_Status list_touched(sat_MoveState *move) {
  const sat_Surfaces *held = &move->held;
  move->touched.count = 0;
  sat_Status status = SAT_LIST_RESERVE(&move->touched, held->count);
  for (size_t i = 0; i < held->count; i++) other_of(move, &held->at[i])->bar = SAT_NO_SHAPE;
  for (size_t i = 0; !status && i < held->count; i++) {
    const sat_Obstacle *o = sat_obstacle_of(&move->solids, &held->at[i]);
    sat_MoveOther *other = &move->others.at[o->solid];
    if (other->bar != SAT_NO_SHAPE || held->at[i].outside > 4 * move->solids.rounding ||
        o->has_side)
      continue;
    other->bar = (uint32_t)i;
    move->touched.at[move->touched.count++] = other->index;
  }
  return status;
}

/* The sum of the ways out of all listed solids that a shape overlaps by rounding. SAT_MISS: it
 * overlaps none. */
static sat_Status sum_overlaps(sat_World *world, const sat_Shape *shape, const sat_Items *touched,
                               double rounding, sat_Vec2 *sum) {
  sat_Status any = SAT_MISS;
  *sum = vec2(0, 0);
  for (size_t i = 0; i < touched->count; i++) {
    const sat_Shape *other = sat_entry_shape(world, touched->at[i]);
    sat_Result way;
    if (sat_only_touches(shape, other)) continue;
    sat_Status status = sat_collide(shape, other, &world->scratch, &way);
    if (status > SAT_MISS) return status;
    if (status == SAT_MISS || way.depth == 0 || way.depth > 4 * rounding) continue;
    *sum = add(*sum, way.normal);
    any = SAT_OK;
  }
  return any;
}

sat_Status sat_world_step_free(sat_World *world, sat_Shape *shape, const sat_Items *touched,
                               double rounding) {
  sat_SavedPosition from = sat_shape_position(shape);
  sat_Vec2 sum, more;
  sat_Status status = sum_overlaps(world, shape, touched, rounding, &sum);
  if (status) return status == SAT_MISS ? SAT_OK : status;
  double x = max2(fabs(from.centroid.x), fabs(from.local_origin.x)),
         y = max2(fabs(from.centroid.y), fabs(from.local_origin.y)), size = length(sum);
  double step = max2(max2(x, y) * (SAT_EPSILON / 2), DBL_MIN); /* to the next double */
  while (step <= 2 * rounding && size > SAT_SAME_NORMAL) {
    sat_shape_stand_at(shape, from);
    status = sat_shape_shift(shape, mul(sum, step / size));
    if (!status) status = sum_overlaps(world, shape, touched, rounding, &more);
    if (status) return status == SAT_MISS ? SAT_OK : status;
    /* The next step leaves what this one leads into, too; where both face each other, along it. */
    double into = min2(dot(sum, more), 0);
    sum = into < 0 ? sub(sum, mul(more, into / dot(more, more))) : add(sum, more);
    size = length(sum);
    step *= 2;
  }
  sat_shape_stand_at(shape, from);
  return SAT_OK;
}

static sat_Status end_legs(sat_World *world) {
  sat_MoveState *move = world->move;
  double r = move->solids.rounding;
  move->phase = SAT_MOVE_DONE;
  move->held.count = 0;
  sat_space_surfaces(&move->solids, move->at, SAT_ACTIVE * r, &move->held);
  sat_Status status = move->solids.status;
  if (!status) status = list_touched(move);
  /* what has been pushed as far as asked takes nothing of what remains */
  for (size_t i = 0; world->push.fresh.count > 0 && i < move->others.count; i++) {
    sat_MoveOther *other = &move->others.at[i];
    uint32_t state = world->entries[other->index].state & (SAT_ENTRY_CARRIED | SAT_ENTRY_JAMMED);
    other->passed = other->passed || state == SAT_ENTRY_CARRIED;
  }
  if (world->push.fresh.count > 0) pass_all(move, &move->solids);
  if (!status) status = find_rest(world);
  if (status) return status;
  /* Pressed where it stands a shape stays, to the bit, but leaves an overlap of rounding. */
  bool stays = move->has_hit && fabs(move->at.x) + fabs(move->at.y) <= STAYS * r;
  if (stays) move->at = vec2(0, 0);
  status = sat_shape_shift(move->shape, move->at);
  if (!status) status = sat_world_step_free(world, move->shape, &move->touched, r);
  if (!status) move->place = sat_shape_position(move->shape);
  return status;
}

/* ---------------------------------------------------------------- legs */

/* Begins a leg, or the next part of one, and lists the events up to its hit. Its way may have been
 * searched as the way on. */
static sat_Status begin_leg(sat_World *world, double begin) {
  sat_MoveState *move = world->move;
  sat_Status status = SAT_OK;
  if ((move->left.x == 0 && move->left.y == 0) || move->legs == MOST_LEGS) return end_legs(world);
  if (!move->is_known) {
    double end = end_of_part(move, move->left, begin);
    status = reach_box(world, range_of(move, move->at, move->left, begin, end));
    if (!status)
      status = sat_way_begin(&move->solids, &move->way, move->at, move->left, begin, end);
  }
  if (!status) status = find_crossings(world);
  return status ? status : list_events(world);
}

static sat_Status end_events(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = world->move;
  bool passes;
  sat_Status status = ask_about_events(world, question, &passes);
  if (status) return status;
  if (move->by && !passes) return meet_surface(world);
  if (move->by) return list_events(world); /* what stops it may be another surface now */
  if (move->way.t < 1) move->at = add(move->at, mul(move->left, move->way.t));
  else if (move->way.end < 1) return begin_leg(world, move->way.end);
  else move->at = move->goal;
  return end_legs(world);
}

static sat_Status begin_move(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_Status status = look_around(world);
  if (status || move->others.count > 0) return status ? status : list_inside(world);
  move->place = move->straight;
  move->phase = SAT_MOVE_DONE;
  return SAT_OK;
}

/* Looks for what was pushed where it is now, and, if anything else was pushed, for what has come
 * near. The space keeps its other obstacles, so that no bit of the way before and after a push
 * depends on it. */
static sat_Status see_pushed(sat_World *world) {
  sat_MoveState *move = world->move;
  sat_MoveOthers *others = &move->others;
  sat_Surfaces *here = &move->here;
  const sat_CarryEntries *pushed = &world->push.fresh;
  size_t count = others->count;
  sat_Status status = SAT_LIST_RESERVE(others, count);
  sat_world_note_others(world, move);
  for (uint32_t i = 0; !status && i < count; i++) {
    sat_MoveOther *other = &others->at[i], now = *other;
    now.pushes = pushes_of(world, other->index);
    if (other->passed || other->pushes == now.pushes) continue;
    other->passed = other->reported = true;
    now.inside = false;
    if (sat_has_state(world, other->index, SAT_ENTRY_PASSABLE)) continue; /* crushed */
    world->entries[other->index].other = (uint32_t)others->count;
    others->at[others->count++] = now;
  }
  pass_all(move, &move->solids);
  for (size_t i = here->count; i-- > 0;)
    if (sat_obstacle_of(&move->solids, &here->at[i])->passed) here->at[i] = here->at[--here->count];
  bool any_else = false;
  for (size_t i = 0; i < pushed->count && !any_else; i++)
    any_else = !sat_world_find_other(world, move, pushed->at[i].carried.other);
  if (!status && any_else) status = find_others(world, &move->area);
  if (!status) status = add_obstacles(world, move->range);
  move->phase = SAT_MOVE_LEG;
  return status;
}

/* ---------------------------------------------------------------- the steps of a call */

sat_Status sat_world_way_begin(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                               sat_Response response) {
  sat_MoveState *move = world->move;
  SAT_ASSERT(move->phase == SAT_MOVE_IDLE);
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  sat_SavedPosition start = sat_shape_position(shape);
  sat_Status status = sat_shape_shift(shape, motion);
  move->straight = sat_shape_position(shape);
  sat_shape_stand_at(shape, start);
  if (status) return status;
  move->phase = SAT_MOVE_BEGIN;
  move->shape = shape;
  move->response = response;
  move->motion = move->left = move->goal = motion;
  move->rest = motion;
  move->at = vec2(0, 0);
  move->reported = move->begun = 0;
  move->legs = 0;
  move->is_pressed = move->has_hit = move->is_known = false;
  move->start = move->place = start;
  move->origin = shape->origin;
  move->others.count = move->turned.count = move->here.count = move->fresh.count = 0;
  return SAT_OK;
}

sat_Status sat_world_way_go_on(sat_World *world, sat_MoveHit *question) {
  sat_MoveState *move = world->move;
  sat_Status status = SAT_OK;
  while (!status && move->phase != SAT_MOVE_DONE && move->phase != SAT_MOVE_PUSH) {
    if (move->phase == SAT_MOVE_EVENTS) status = end_events(world, question);
    else if (move->phase == SAT_MOVE_LEG) status = begin_leg(world, 0);
    else if (move->phase == SAT_MOVE_BEGIN) status = begin_move(world);
    else if (move->phase == SAT_MOVE_PUSHED) status = see_pushed(world);
    else {
      status = ask_about_inside(world, question);
      if (!status) status = leave_inside(world);
    }
  }
  return status;
}

sat_Status sat_world_find_way(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                              sat_Response response) {
  sat_MoveHit question;
  sat_Status status = sat_world_way_begin(world, shape, motion, response);
  if (status) return status;
  status = sat_world_way_go_on(world, &question);
  sat_shape_stand_at(shape, world->move->start);
  world->move->phase = SAT_MOVE_IDLE;
  return status;
}

/* ---------------------------------------------------------------- what a move has met */

void sat_world_note_hits(sat_World *world) {
  const sat_MoveHits *hits = &world->move->hits;
  const sat_CarriedShapes *pushed = &world->push.pushed, *carried = &world->carry.carried;
  for (size_t i = 0; i < hits->count; i++)
    if (hits->at[i].other < world->end) world->entries[hits->at[i].other].hit = (uint32_t)i;
  for (size_t i = 0; i < pushed->count; i++)
    if (pushed->at[i].other < world->end) world->entries[pushed->at[i].other].pushed = (uint32_t)i;
  for (size_t i = 0; i < carried->count; i++)
    if (carried->at[i].other < world->end)
      world->entries[carried->at[i].other].carried = (uint32_t)i;
}

void sat_world_take_hits(sat_World *world, sat_MoveHits *fresh, sat_Vec2 from, sat_Vec2 to) {
  SAT_SWAP(sat_MoveHits, &world->move->hits, fresh);
  sat_world_note_hits(world);
  world->move->from = from;
  world->move->to = to;
  world->move->has_ended = true;
}

const sat_MoveHits *sat_world_hits(const sat_World *world) { return &world->move->hits; }

bool sat_world_move_ends(const sat_World *world, sat_Vec2 *from, sat_Vec2 *to) {
  *from = world->move->from;
  *to = world->move->to;
  return world->move->has_ended;
}

bool sat_world_is_listed(const sat_World *world, const sat_Shape *shape) {
  const sat_WorldEntry *entry = &world->entries[sat_index_in(world, shape)];
  const sat_MoveHits *hits = &world->move->hits;
  const sat_CarriedShapes *pushed = &world->push.pushed, *carried = &world->carry.carried;
  return (entry->hit < hits->count && hits->at[entry->hit].id == entry->id) ||
         (entry->pushed < pushed->count && pushed->at[entry->pushed].id == entry->id) ||
         (entry->carried < carried->count && carried->at[entry->carried].id == entry->id);
}

const sat_CarriedShapes *sat_world_pushed(const sat_World *world) { return &world->push.pushed; }

sat_Status sat_world_copy_hits(const sat_World *world, sat_MoveHits *copy) {
  copy->count = 0;
  return SAT_LIST_APPEND(copy, &world->move->hits);
}

sat_Status sat_world_copy_moved(const sat_CarriedShapes *moved, sat_CarriedShapes *copy) {
  copy->count = 0;
  return SAT_LIST_APPEND(copy, moved);
}
