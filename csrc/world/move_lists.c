/* move_lists.c: the lists of a world's moves and carries. */
#include "world/move.h"

#include <string.h>

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
  move->has_ended = false;
  SAT_LIST_FREE(&world->carry.carried);
  SAT_LIST_FREE(&world->carry.fresh);
  SAT_LIST_FREE(&world->carry.near);
}

sat_Status sat_move_add_event(sat_MoveEvents *events, sat_MoveEvent event) {
  sat_Status status = SAT_LIST_RESERVE(events, 1);
  if (!status) events->at[events->count++] = event;
  return status;
}

sat_Status sat_move_add_surface(sat_MoveSurfaces *surfaces, sat_MoveSurface surface) {
  sat_Status status = SAT_LIST_RESERVE(surfaces, 1);
  if (!status) surfaces->at[surfaces->count++] = surface;
  return status;
}

sat_Status sat_move_add_hit(sat_World *world, uint32_t other, const sat_Hit *hit, double t,
                            sat_Response how) {
  sat_MoveHits *hits = &world->move.fresh;
  sat_Status status = SAT_LIST_RESERVE(hits, 1);
  if (status) return status;
  hits->at[hits->count++] = (sat_MoveHit){
      other, world->entries[other].id, hit->normal, hit->point, t, how, world->move.place.centroid};
  return SAT_OK;
}
