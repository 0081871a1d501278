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

sat_Status sat_undo_log_reserve(sat_UndoLog *undo_log, size_t more) {
  void *at = undo_log->at;
  sat_Status status = sat_list_reserve(&undo_log->allocator, &at, undo_log->count,
                                       &undo_log->capacity, more, sizeof *undo_log->at);
  undo_log->at = at;
  return status;
}

sat_Status sat_neighbors_reserve(sat_Neighbors *neighbors, size_t more) {
  void *at = neighbors->at;
  sat_Status status = sat_list_reserve(&neighbors->allocator, &at, neighbors->count,
                                       &neighbors->capacity, more, sizeof *neighbors->at);
  neighbors->at = at;
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

void sat_undo_log_free(sat_UndoLog *undo_log) {
  sat_list_release(&undo_log->allocator, undo_log->at, undo_log->capacity, sizeof *undo_log->at);
  *undo_log = (sat_UndoLog){NULL, 0, 0, undo_log->allocator};
}

void sat_neighbors_free(sat_Neighbors *neighbors) {
  sat_list_release(&neighbors->allocator, neighbors->at, neighbors->capacity,
                   sizeof *neighbors->at);
  *neighbors = (sat_Neighbors){NULL, 0, 0, neighbors->allocator};
}
