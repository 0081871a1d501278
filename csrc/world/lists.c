/* lists.c: the lists that a world's questions fill. */
#include "world/world.h"

#include "base/memory.h"

sat_Status sat_collisions_reserve(sat_Collisions *hits, size_t more) {
  void *at = hits->at;
  sat_Status status =
      sat_list_reserve(&hits->allocator, &at, hits->count, &hits->capacity, more, sizeof *hits->at);
  hits->at = at;
  return status;
}

sat_Status sat_events_reserve(sat_Events *events, size_t more) {
  void *at = events->at;
  sat_Status status = sat_list_reserve(&events->allocator, &at, events->count, &events->capacity,
                                       more, sizeof *events->at);
  events->at = at;
  return status;
}

sat_Status sat_standings_reserve(sat_Standings *places, size_t more) {
  void *at = places->at;
  sat_Status status = sat_list_reserve(&places->allocator, &at, places->count, &places->capacity,
                                       more, sizeof *places->at);
  places->at = at;
  return status;
}

sat_Status sat_finds_reserve(sat_Finds *finds, size_t more) {
  void *at = finds->at;
  sat_Status status = sat_list_reserve(&finds->allocator, &at, finds->count, &finds->capacity, more,
                                       sizeof *finds->at);
  finds->at = at;
  return status;
}

void sat_collisions_free(sat_Collisions *hits) {
  sat_list_release(&hits->allocator, hits->at, hits->capacity, sizeof *hits->at);
  *hits = (sat_Collisions){NULL, 0, 0, hits->allocator};
}

void sat_events_free(sat_Events *events) {
  sat_list_release(&events->allocator, events->at, events->capacity, sizeof *events->at);
  *events = (sat_Events){NULL, 0, 0, events->allocator};
}

void sat_standings_free(sat_Standings *places) {
  sat_list_release(&places->allocator, places->at, places->capacity, sizeof *places->at);
  *places = (sat_Standings){NULL, 0, 0, places->allocator};
}

void sat_finds_free(sat_Finds *finds) {
  sat_list_release(&finds->allocator, finds->at, finds->capacity, sizeof *finds->at);
  *finds = (sat_Finds){NULL, 0, 0, finds->allocator};
}
