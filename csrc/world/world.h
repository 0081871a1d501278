/* world.h: what the files of the world share.
 *
 * A shape's number in the world is its item's in the tree. The lowest free number is given first,
 * so that which one a shape gets depends on nothing but which are taken.
 *
 * A change goes down three steps, each taken when someone asks: the shape notes it in `changes`;
 * settling puts its box into the tree and makes the number dirty; finding the hits forgets those of
 * dirty numbers and looks for them anew. At rest all three lists are empty and nothing is done. */
#ifndef SAT_WORLD_WORLD_H
#define SAT_WORLD_WORLD_H

#include "base/memory.h"
#include "quadtree/quadtree.h"

/* Makes room for more elements in a list; `status` is a variable. */
#define SAT_MAKE_ROOM(list, more, status)                                                          \
  do {                                                                                             \
    void *block = (list)->at;                                                                      \
    (status) = sat_list_reserve(&(list)->allocator, &block, (list)->count, &(list)->capacity,      \
                                more, sizeof *(list)->at);                                         \
    (list)->at = block;                                                                            \
  } while (0)
#define SAT_ROOM_FOR_ONE(list, status) SAT_MAKE_ROOM(list, 1, status)
#define SAT_FREE_LIST(list)                                                                        \
  sat_list_release(&(list)->allocator, (list)->at, (list)->capacity, sizeof *(list)->at)

/* Bits of sat_WorldEntry.state. */
enum {
  SAT_ENTRY_CHANGED = 1,  /* the number is in `changes`, though its shape has changed */
  SAT_ENTRY_IN_TREE = 2,  /* it is enabled, or was when it was settled */
  SAT_ENTRY_DIRTY = 4,    /* the number is in `dirty` */
  SAT_ENTRY_PUSHED = 8,   /* where it was is in `undo_log` */
  SAT_ENTRY_CARRIED = 16, /* it is among what a carry moves */
  SAT_ENTRY_PASSABLE = 32 /* moves pass through it for now */
};

/* Makes room in a list for `more`. */
sat_Status sat_collisions_reserve(sat_Collisions *hits, size_t more);
sat_Status sat_events_reserve(sat_Events *events, size_t more);
sat_Status sat_undo_log_reserve(sat_UndoLog *undo_log, size_t more);
sat_Status sat_neighbors_reserve(sat_Neighbors *neighbors, size_t more);
void sat_undo_log_free(sat_UndoLog *undo_log);
void sat_neighbors_free(sat_Neighbors *neighbors);
/* Finds are a heap, by distance and then number, with the farthest on top: adds one; puts one that
 * is nearer in the place of the farthest; lists the numbers, near ones first, which ends the
 * heap. */
sat_Status sat_neighbors_push(sat_Neighbors *neighbors, sat_Neighbor neighbor);
void sat_neighbors_replace(sat_Neighbors *neighbors, sat_Neighbor neighbor);
sat_Status sat_neighbors_list(sat_Neighbors *neighbors, sat_Items *found);

static inline bool sat_is_solid(const sat_Shape *shape) { return !(shape->flags & SAT_SENSOR); }

/* The shape with a number that is in use. */
static inline sat_Shape *sat_entry_shape(const sat_World *world, uint32_t index) {
  SAT_ASSERT(index < world->end && world->entries[index].shape);
  return world->entries[index].shape;
}

/* A shape's number in this world, or SAT_NO_SHAPE. */
static inline uint32_t sat_index_in(const sat_World *world, const sat_Shape *shape) {
  return shape->changes == world->changes ? (uint32_t)shape->index : SAT_NO_SHAPE;
}

/* Room for so many numbers, of members and in the tree. */
sat_Status sat_world_reserve(sat_World *world, size_t count);
/* Takes a shape in under a number that is free, for which there is room. */
void sat_world_enter(sat_World *world, uint32_t index, uint64_t id, sat_Shape *shape);
/* Says that a number below the end is free. */
void sat_world_free_index(sat_World *world, uint32_t index);
/* Lets go of all shapes, which the tree may still have, and forgets which numbers were free. */
void sat_world_leave_all(sat_World *world);

/* The box of a shape that the tree has, or would have: a little larger than the shape. */
sat_Rectangle sat_box_of(const sat_Shape *shape);
/* Brings what has changed into the tree. */
void sat_world_flush(sat_World *world);
/* The numbers of those whose boxes overlap one, in ascending order, into `near`. Unlike a tree it
 * takes boxes that reach beyond the limits, as shapes may. */
sat_Status sat_world_query_boxes(sat_World *world, sat_Rectangle box);

/* Whether two shapes, both enabled, would be reported if they met. */
static inline bool sat_is_pair(const sat_Shape *a, const sat_Shape *b) {
  if (a->flags & b->flags & (SAT_SENSOR | SAT_STATIC)) return false;
  return sat_shapes_filter(a, b);
}

/* All pairs whose boxes overlap, in order, into `candidates`. */
sat_Status sat_world_find_candidates(sat_World *world);
/* Brings `hits` up to date. */
sat_Status sat_world_find_hits(sat_World *world);

/* The lists of a move that never began; gives their memory back. */
void sat_world_move_init(sat_World *world);
void sat_world_move_free(sat_World *world);

/* The minimum translation vector out of everything that counts, at once. SAT_MISS: there is nothing
 * to leave. */
typedef bool (*sat_Counts)(const sat_World *world, const sat_Shape *shape, uint32_t index);
sat_Status sat_world_way_out(sat_World *world, sat_Shape *shape, sat_Counts counts,
                             sat_Result *way);

/* Ends a move without telling of its hits. */
void sat_world_move_apply(sat_World *world);

/* A gap or overlap of two shapes up to this is a touch wherever things move. */
double sat_rounding_of(const sat_Shape *a, const sat_Shape *b);

#endif
