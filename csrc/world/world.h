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
#include "shape/convex.h"

/* ---------------------------------------------------------------- what a world consists of */

typedef struct sat_UndoEntry {
  sat_SavedPosition position;
  uint64_t index;
  sat_Vec2 backed; /* the last push, which nothing undoes; 0, 0: it has no wall behind it */
} sat_UndoEntry;

typedef SAT_LIST(sat_UndoEntry) sat_UndoLog;

typedef struct sat_Neighbor {
  double distance;
  uint64_t index;
} sat_Neighbor;

typedef SAT_LIST(sat_Neighbor) sat_Neighbors;

/* What a move has learnt about another shape. */
typedef struct sat_MoveOther {
  uint32_t index;
  uint8_t response; /* a sat_Response; SAT_ASK while nobody has answered */
  bool reported;    /* it was crossed, which is told once */
  bool inside;      /* the two overlapped by more than rounding when the move began */
  bool shallow;     /* they overlapped by no more than rounding then */
} sat_MoveOther;

/* Where a leg meets another shape. */
typedef struct sat_MoveEvent {
  sat_Hit hit;
  uint32_t other;
} sat_MoveEvent;

/* A surface in contact with the moving shape. */
typedef struct sat_MoveSurface {
  sat_Vec2 normal; /* of unit length, towards the moving shape */
  double lead_out; /* the part of its length by which a clipped motion leads out of it */
  uint32_t other;
} sat_MoveSurface;

typedef SAT_LIST(sat_MoveOther) sat_MoveOthers;

typedef SAT_LIST(sat_MoveEvent) sat_MoveEvents;

typedef SAT_LIST(sat_MoveSurface) sat_MoveSurfaces;

/* The phases of a move, in order. */
typedef enum sat_MovePhase {
  SAT_MOVE_IDLE,
  SAT_MOVE_BEGIN,
  SAT_MOVE_INSIDE, /* what the shape overlaps at the start is asked about */
  SAT_MOVE_LEG,    /* a leg's events have to be found */
  SAT_MOVE_EVENTS, /* they are known */
  SAT_MOVE_DONE
} sat_MovePhase;

typedef struct sat_MoveState {
  sat_MovePhase phase;
  sat_Shape *shape;
  sat_Response response; /* to every solid; SAT_ASK: each is asked about */
  sat_Vec2 motion;       /* as given, mirrored at each bounce */
  sat_Vec2 left;         /* what the next leg tries */
  sat_Vec2 rest;         /* what is left of the motion in the end */
  double size;           /* the larger side of the shape's box */
  double rounding;       /* a gap or overlap up to this is a touch */
  double t;              /* the fraction of the motion that is behind the shape */
  uint32_t legs;
  uint64_t last_id;  /* the shape of that id is the last one that was asked about at the start */
  bool lips_dropped; /* the events of this leg have been compared with those of a lifted shape */
  sat_SavedPosition start, place;
  sat_Rectangle area;        /* all neighbours in here are known */
  sat_Items neighbors;       /* that the shape may meet, by number */
  sat_MoveOthers others;     /* in ascending order of their numbers */
  sat_MoveEvents events;     /* of this leg */
  sat_MoveEvents lifted;     /* the same of a lifted shape */
  sat_MoveSurfaces turned;   /* by which surfaces the motion was turned or stopped */
  sat_MoveSurfaces contacts; /* what the shape touches as this leg begins */
  sat_MoveHits hits;         /* of the last move that ended, */
  sat_MoveHits fresh;        /* and of the one that is under way */
} sat_MoveState;

/* The motion of a platform. */
typedef struct sat_CarryMotion {
  sat_Vec2 vector, centroid;
  double angle, rotation;
  sat_SavedPosition start;
} sat_CarryMotion;

/* A shape that a carry moves, and where it was. */
typedef struct sat_CarryEntry {
  sat_Carried carried;
  sat_SavedPosition start;
} sat_CarryEntry;

typedef SAT_LIST(sat_CarryEntry) sat_CarryEntries;

typedef struct sat_CarryState {
  sat_CarriedShapes carried; /* by the last carry that ended, */
  sat_CarryEntries fresh;    /* and by the one that is under way */
  sat_Items near;
} sat_CarryState;

/* What a world knows of a shape. */
typedef struct sat_WorldEntry {
  sat_Shape *shape; /* NULL where the number is free */
  uint64_t id;
  uint32_t touching; /* of how many pairs the last update has said that they touch */
  uint32_t state;
  uint32_t place;   /* of where it was, while it is pushed */
  uint64_t changed; /* the world's count of changes when the world last took notice of one */
} sat_WorldEntry;

struct sat_World {
  sat_Allocator allocator;
  sat_ChangeList *changes;
  sat_Quadtree tree;
  /* by number, in one block */
  sat_WorldEntry *entries;
  uint32_t *free_indices, *dirty;
  uint32_t count, end, capacity, free_index_count, dirty_count;
  uint64_t change_count;      /* how often the world has taken notice of changes */
  uint64_t next_id, saved_id; /* the next id, and what it was for the state that there is */
  /* what collides */
  sat_Collisions hits, fresh, spare_hits;
  sat_ItemPairs candidates, spare_pairs;
  sat_Items near;
  /* what the last update has found, and whether it is what collides now */
  sat_Events touching, began, ended, spare_events;
  bool compared, ignored;
  /* where shapes were that are being pushed; what is found, until it is in order */
  sat_UndoLog undo_log;
  sat_Neighbors neighbors;
  sat_Scratch scratch;
  sat_Scratch compound; /* where what is near is put together */
  sat_MoveState move;
  sat_CarryState carry;
};

/* ---------------------------------------------------------------- functions */

/* Bits of sat_WorldEntry.state. */
enum {
  SAT_ENTRY_CHANGED = 1,  /* the number is in `changes`, though its shape has changed */
  SAT_ENTRY_IN_TREE = 2,  /* it is enabled, or was when it was settled */
  SAT_ENTRY_DIRTY = 4,    /* the number is in `dirty` */
  SAT_ENTRY_PUSHED = 8,   /* where it was is in `undo_log` */
  SAT_ENTRY_CARRIED = 16, /* it is among what a carry moves */
  SAT_ENTRY_PASSABLE = 32 /* moves pass through it for now */
};

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
