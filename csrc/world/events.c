/* events.c: the contacts that have begun, persisted or ended since the last update.
 *
 * The contacts of the last update and the present ones are both sorted, so one merge finds the
 * difference. Two contacts are the same if their ids are: an index may have been given to another
 * shape since. */
#include "world/world.h"

static sat_Event event_of(const sat_World *world, const sat_Collision *hit) {
  sat_Event event = {hit->a, hit->b, world->entries[hit->a].id, world->entries[hit->b].id};
  return event;
}

/* Below 0 if the event's pair comes before the hit's pair, 0 for the same pair, above 0 if it comes
 * after. */
static int compare_pairs(const sat_Event *event, const sat_Collision *hit) {
  if (event->a != hit->a) return event->a < hit->a ? -1 : 1;
  if (event->b != hit->b) return event->b < hit->b ? -1 : 1;
  return 0;
}

static void append(sat_Events *events, const sat_Event *event) {
  events->at[events->count++] = *event;
}

static void count_end(sat_World *world, uint32_t index, uint64_t id) {
  if (sat_world_id(world, index) == id) world->entries[index].touching--;
}

static void begin_contact(sat_World *world, const sat_Event *event) {
  append(&world->began, event);
  world->entries[event->a].touching++;
  world->entries[event->b].touching++;
}

static void end_contact(sat_World *world, const sat_Event *event) {
  append(&world->ended, event);
  count_end(world, event->a, event->id_a);
  count_end(world, event->b, event->id_b);
}

/* Merges the two lists into the events; all lists have room. Where the indices of a pair are the
 * same and its ids are not, one contact has ended and another has begun. */
static void compare_contacts(sat_World *world) {
  const sat_Event *old = world->touching.at;
  size_t at = 0, count = world->touching.count;
  for (size_t i = 0; i < world->collisions.count; i++) {
    const sat_Collision *hit = &world->collisions.at[i];
    sat_Event now = event_of(world, hit);
    while (at < count && compare_pairs(&old[at], hit) < 0) end_contact(world, &old[at++]);
    bool met = at < count && compare_pairs(&old[at], hit) == 0;
    bool same = met && old[at].id_a == now.id_a && old[at].id_b == now.id_b;
    if (met && !same) end_contact(world, &old[at]);
    if (!same) begin_contact(world, &now);
    at += met;
    append(&world->spare_events, &now);
  }
  while (at < count) end_contact(world, &old[at++]);
}

static sat_Status reserve_empty(sat_Events *events, size_t count) {
  events->count = 0;
  return SAT_LIST_RESERVE(events, count);
}

/* Without memory the events of the last update stay. */
static sat_Status reserve_lists(sat_World *world) {
  size_t began = world->began.count, ended = world->ended.count, now = world->collisions.count;
  sat_Status status = reserve_empty(&world->spare_events, now);
  if (!status) status = reserve_empty(&world->began, now);
  if (!status) status = reserve_empty(&world->ended, world->touching.count);
  if (status) {
    world->began.count = began;
    world->ended.count = ended;
  }
  return status;
}

sat_Status sat_world_update(sat_World *world) {
  sat_Status status = sat_world_find_collisions(world);
  if (status) return status;
  if (world->compared) {
    world->began.count = world->ended.count = 0;
    world->ignored = false;
    return SAT_OK;
  }
  status = reserve_lists(world);
  if (status) return status;
  compare_contacts(world);
  sat_Events kept = world->touching;
  world->touching = world->spare_events;
  world->spare_events = kept;
  world->compared = true;
  world->ignored = false;
  return SAT_OK;
}

size_t sat_world_event_count(const sat_World *world, sat_EventKind kind) {
  switch (kind) {
  case SAT_BEGIN: return world->began.count;
  case SAT_END: return world->ended.count;
  default: return world->ignored ? 0 : world->touching.count - world->began.count;
  }
}

static bool same_event(const sat_Event *p, const sat_Event *q) {
  return p->a == q->a && p->b == q->b;
}

/* Lists the present contacts without those that have begun, which are in the same order. */
static void list_persisting(const sat_World *world, sat_Events *found) {
  const sat_Event *began = world->began.at;
  size_t next = 0, count = world->began.count;
  for (size_t i = 0; i < world->touching.count; i++) {
    const sat_Event *event = &world->touching.at[i];
    if (next < count && same_event(&began[next], event)) next++;
    else append(found, event);
  }
}

sat_Status sat_world_events(const sat_World *world, sat_EventKind kind, sat_Events *found) {
  size_t count = sat_world_event_count(world, kind);
  found->count = 0;
  sat_Status status = SAT_LIST_RESERVE(found, count);
  if (status || count == 0) return status;
  if (kind == SAT_PERSIST) {
    list_persisting(world, found);
    return SAT_OK;
  }
  memcpy(found->at, (kind == SAT_BEGIN ? &world->began : &world->ended)->at,
         count * sizeof *found->at);
  found->count = count;
  return SAT_OK;
}
