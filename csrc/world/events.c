/* events.c: the contacts that have begun, persisted or ended since the last update.
 *
 * The contacts of the last update and the present ones are both sorted, so one merge finds the
 * difference. Two contacts are the same if their ids are: an index may have been given to another
 * shape since. */
#include "world/world.h"

static uint64_t key_of(const sat_Event *event) { return sat_pair_key(event->a, event->b); }

static void append(sat_Events *events, const sat_Event *event) {
  events->at[events->count++] = *event;
}

static void count_end(sat_World *world, uint32_t index, uint64_t id) {
  if (sat_world_id(world, index) == id) world->entries[index].touching--;
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
    uint32_t a = world->collisions.at[i].a, b = world->collisions.at[i].b;
    sat_Event now = {a, b, world->entries[a].id, world->entries[b].id};
    while (at < count && key_of(&old[at]) < key_of(&now)) end_contact(world, &old[at++]);
    bool met = at < count && key_of(&old[at]) == key_of(&now);
    bool same = met && old[at].id_a == now.id_a && old[at].id_b == now.id_b;
    if (met && !same) end_contact(world, &old[at]);
    if (!same) {
      append(&world->began, &now);
      world->entries[a].touching++;
      world->entries[b].touching++;
    }
    at += met;
    append(&world->spare_events, &now);
  }
  while (at < count) end_contact(world, &old[at++]);
}

/* Makes room for all events. Without memory those of the last update stay. */
static sat_Status reserve_lists(sat_World *world) {
  size_t now = world->collisions.count;
  world->spare_events.count = 0;
  sat_Status status = SAT_LIST_RESERVE(&world->spare_events, now);
  if (!status) status = SAT_LIST_RESERVE(&world->began, now);
  return status ? status : SAT_LIST_RESERVE(&world->ended, world->touching.count);
}

sat_Status sat_world_update(sat_World *world) {
  sat_Status status = sat_world_find_collisions(world);
  if (!status && !world->compared) status = reserve_lists(world);
  if (status) return status;
  world->began.count = world->ended.count = 0;
  if (!world->compared) {
    compare_contacts(world);
    SAT_SWAP(sat_Events, &world->touching, &world->spare_events);
  }
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

/* Contacts that persist are the present ones without those that have begun, which are in the same
 * order. */
sat_Status sat_world_events(const sat_World *world, sat_EventKind kind, sat_Events *found) {
  found->count = 0;
  if (kind != SAT_PERSIST)
    return SAT_LIST_APPEND(found, kind == SAT_BEGIN ? &world->began : &world->ended);
  size_t count = sat_world_event_count(world, kind), next = 0;
  sat_Status status = SAT_LIST_RESERVE(found, count);
  for (size_t i = 0; !status && count > 0 && i < world->touching.count; i++) {
    const sat_Event *event = &world->touching.at[i];
    if (next < world->began.count && key_of(&world->began.at[next]) == key_of(event)) next++;
    else append(found, event);
  }
  return status;
}
