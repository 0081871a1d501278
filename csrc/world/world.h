/* world.h: the declarations that the files of the world share.
 *
 * A shape's index in the world is its item in the tree. The lowest free index is given first, so
 * that indices depend only on which are in use.
 *
 * A change takes three steps, each on demand: the shape adds its index to the change list; a flush
 * updates the shape's box in the tree and marks the index dirty; the search for hits drops the
 * pairs of dirty indices and finds them again. At rest all three lists are empty and queries do no
 * extra work. */
#ifndef SAT_WORLD_WORLD_H
#define SAT_WORLD_WORLD_H

#include "base/byte_order.h"
#include "base/memory.h"
#include "base/base.h"
#include "narrowphase/composite/composite_cast.h"
#include "narrowphase/configuration_space.h"
#include "quadtree/store.h"
#include "shape/convex.h"

/* ---------------------------------------------------------------- structs */

/* The record of another shape in a move or a turn. */
typedef struct sat_MoveOther {
  uint32_t index;
  uint8_t response; /* a sat_Response; SAT_ASK: not answered yet */
  bool crossed;     /* it stops nothing, and is reported */
  bool reported;    /* as reported */
  bool passed;      /* it is as if it were not there */
  bool inside;      /* the move began inside of it */
  bool one_way;
  uint32_t pushes; /* how often it had been pushed where its obstacles have it */
  uint32_t bar;    /* of the surfaces that are listed the first one of it that counts, or none */
} sat_MoveOther;

/* An event of a leg, or of a sweep of a turn: a shape that it meets up to its hit. */
typedef struct sat_MoveEvent {
  uint32_t other; /* a record */
  uint64_t id;
  sat_Vec2 normal, point;
  sat_Parts parts;
  double t;       /* the fraction at which the shape reaches it */
  double order;   /* events are sorted by; of a crossing the fraction at which it bars the way */
  double opposed; /* the dot product of its normal with the motion */
  bool blocks;    /* it is a solid that has a surface at the hit */
  bool here;      /* it is met where the hit is */
} sat_MoveEvent;

typedef SAT_LIST(sat_MoveOther) sat_MoveOthers;

typedef SAT_LIST(sat_MoveEvent) sat_MoveEvents;

/* The phases of a move, in order. */
typedef enum sat_MovePhase {
  SAT_MOVE_IDLE,
  SAT_MOVE_BEGIN,
  SAT_MOVE_INSIDE, /* questions about what it is inside of */
  SAT_MOVE_LEG,    /* a leg begins */
  SAT_MOVE_EVENTS, /* questions about what it meets */
  SAT_MOVE_PUSH,   /* a shape is to be pushed, */
  SAT_MOVE_PUSHED, /* and has been */
  SAT_MOVE_DONE
} sat_MovePhase;

typedef struct sat_MoveState {
  sat_MovePhase phase;
  sat_Shape *shape;
  sat_Response response;  /* to every solid; SAT_ASK: each is asked about */
  sat_Vec2 motion;        /* as given, mirrored at each bounce */
  sat_Vec2 at, left;      /* the displacement so far, and the motion of this leg */
  sat_Vec2 goal;          /* where that ends */
  sat_Vec2 rest;          /* the motion that remains at the end */
  sat_Vec2 origin;        /* of the shape, where displacements are counted from */
  sat_Box bounds;         /* of the shape, where displacements are counted from */
  double size;            /* the larger side of these */
  double begun, reported; /* the fraction of the motion before this leg, and of the last hit */
  uint32_t legs;
  bool is_pressed; /* the last leg has found no way on */
  bool has_hit;
  sat_SavedPosition start, straight, place; /* before it, after it if nothing is met, and so far */
  sat_MoveOthers others;     /* what it may meet, in the order in which it was found */
  sat_Box area, range;       /* the displacements whose others are listed, and those in the space */
  size_t known;              /* the number of others that these are of */
  sat_Space solids, crossed; /* their rounding is the move's, and that of what it crosses */
  sat_Way way, probe;        /* of this leg, and of a question about the way on */
  bool is_probed, is_known;  /* the probe is the best way on; the leg's way has been searched */
  sat_Surfaces held, here;   /* the surfaces that stop it, in this leg and in the last one */
  sat_Surfaces turned;       /* that have turned the motion */
  const sat_Surface *by;     /* of the bars that which the shape responds to, or NULL, */
  const sat_Surface *lead;   /* and the most head-on */
  double limit;              /* the fraction of the leg at which it reaches the surface itself */
  sat_Vec2 stop, way_on;     /* where the hit leaves it, and the motion from there, or 0, 0 */
  sat_Surface front;         /* of the shape to be pushed, */
  uint32_t pushed;           /* this shape, */
  sat_Vec2 push;             /* and how far */
  sat_Items touched;         /* the solids that it may overlap by rounding at the end */
  sat_MoveEvents events;     /* of this leg */
  sat_MoveEvents crossings;  /* on the rest of its way */
  size_t event, crossing;    /* the next ones */
  sat_MoveHits hits;         /* of the last move that has ended */
  sat_MoveHits fresh;        /* of the current move */
  sat_Vec2 from, to;         /* the centroid before and after the last move that has ended */
  bool has_ended;            /* there was one */
} sat_MoveState;

/* A shape that turns as a copy, so that nothing has changed until the turn ends. The records,
 * events and hits of the turn, the fraction that is made, and what the copy may overlap by
 * rounding, are in world->waiting. */
typedef struct sat_TurnState {
  sat_Shape *shape;           /* NULL: there is no turn */
  sat_Scratch copies;         /* the copy, and behind it how it was before it stepped back */
  sat_Shape before;           /* the head of the copy at the start */
  const sat_Shape *ended;     /* the shape of the turn that has ended last, or NULL */
  sat_Vec2 pivot;             /* which goes along where the shape steps back */
  double angle, turned, rest; /* as given, made so far, and left to be made */
  sat_Vec2 step;              /* by which the copy has stepped back */
  bool is_back, is_swept, is_done;
  uint32_t rounds;
} sat_TurnState;

/* A shape that a carry, a push or `separate` moves, and its former position. */
typedef struct sat_CarryEntry {
  sat_Carried carried; /* the motion of `separate`: the last push if a wall is behind, else 0, 0 */
  sat_SavedPosition start, place; /* before; and so far, while a question is open and at the end */
  uint32_t turns, met;            /* how often it has been pushed, and the platform has met it */
  sat_Vec2 slide;                 /* the direction that a wall has given its last push, or 0, 0 */
  bool stood;                     /* that push has not moved it */
} sat_CarryEntry;

typedef SAT_LIST(sat_CarryEntry) sat_CarryEntries;

typedef struct sat_CarryState {
  sat_CarriedShapes carried; /* of the last carry that has ended */
  sat_Items near;
  sat_Shape *platform; /* NULL: there is no carry */
  uint32_t only;       /* the shape that the platform may meet alone, or SAT_NO_SHAPE */
  sat_Vec2 motion;     /* of the platform, which then turns about its new centroid */
  double angle;
  sat_SavedPosition start;
} sat_CarryState;

/* A shape that is being pushed. */
typedef struct sat_Push {
  uint32_t index;
  sat_Vec2 asked, left; /* the motion, and what is left of it */
  sat_Vec2 from;        /* the centroid before */
} sat_Push;

typedef struct sat_PushState {
  sat_CarriedShapes pushed; /* by the last move or carry that has ended, in order */
  sat_CarryEntries fresh;   /* by the current move, carry or `separate` */
  SAT_LIST(sat_Push) chain; /* who pushes whom now, the mover aside */
  double weight, limit;     /* of all in `fresh`, and the most that it may become */
  double longest;           /* the farthest that a shape may go */
  bool along;               /* what is met is pushed by the whole of what is left */
} sat_PushState;

/* A world's entry of a shape. */
typedef struct sat_WorldEntry {
  sat_Shape *shape; /* NULL: the index is free */
  uint64_t id;
  uint32_t touching; /* number of the last update's contacts of the shape */
  uint32_t state;
  uint32_t place;   /* index in the list of the shapes that are moved */
  uint32_t other;   /* index in the others of a move or a turn, if one there has the index */
  uint32_t hit;     /* index in the last move's hits, if the hit there has the shape's id */
  uint32_t pushed;  /* index in the list of the last pushed, and in that of the last carried, */
  uint32_t carried; /* if the shape there has the same id */
  uint64_t changed; /* the count of changes at the shape's last flush */
} sat_WorldEntry;

/* An index of the world and of its base. */
typedef struct sat_BaseEntry {
  const unsigned char *saved; /* the id and the record in the base, or NULL */
  uint32_t listed;            /* an element of the list of indices that may differ */
  bool differs;               /* the index is in the list */
} sat_BaseEntry;

/* A saved world that deltas are made since. At every index that is not in the list the world is
 * what the base has, once all changes are flushed. */
typedef struct sat_Base {
  sat_Saved saved;
  unsigned char digest[SAT_DIGEST]; /* of all bytes of the base */
  sat_BaseEntry *entries;           /* NULL: there is no base */
  uint32_t capacity, count;
} sat_Base;

/* The last whole saves that a world has made or loaded: their sums by an odd factor, which
 * nobody else knows, and the next ids of the world then. All saves with a next id from `known_from`
 * on are among them. */
enum { SAT_SAVES = 128 };
typedef struct sat_Saves {
  uint64_t key, sums[SAT_SAVES], next_ids[SAT_SAVES], known_from;
  size_t count;
} sat_Saves;

struct sat_World {
  sat_Allocator allocator;
  sat_ChangeList *changes;
  sat_Quadtree tree;
  /* by index, in one block */
  sat_WorldEntry *entries;
  uint32_t *free_indices, *dirty;
  uint32_t count, end, capacity, free_index_count, dirty_count;
  uint64_t change_count;      /* the flushes that found changes, and the shapes that have left */
  uint64_t next_id, saved_id; /* the next id; and the one to save, which loading restores */
  /* colliding pairs */
  sat_Collisions collisions, fresh_collisions, spare_collisions;
  sat_ItemPairs candidates, spare_pairs;
  sat_Items near;
  /* contacts of the last update, and whether they equal `collisions` */
  sat_Events touching, began, ended, spare_events;
  bool compared, ignored;
  sat_Neighbors neighbors; /* candidates before sorting */
  sat_CastHits ray_hits;
  sat_Scratch scratch;
  sat_Scratch compound_scratch; /* of compounds of neighbours, solids of a cast, and loading */
  sat_MoveState moves[2];
  sat_MoveState *move, *waiting; /* of these: now; and the mover's while what it pushes moves, or a
                                  * turn while its copy is */
  sat_TurnState turn;
  sat_CarryState carry;
  sat_PushState push;
  sat_Base base;
  sat_Saves saves;
};

/* ---------------------------------------------------------------- functions */

/* Bits of sat_WorldEntry.state, and who sets and clears each. The bits of what is moved are all
 * cleared at the end. */
enum {
  /* The index is in the list of changes, though the flag of its shape is not set. Set where a shape
   * leaves with a change pending; cleared by the flush, or by the next shape with the index. */
  SAT_ENTRY_CHANGED = 1,
  /* The shape was enabled at the last flush. Set and cleared by the flush; cleared by a removal. */
  SAT_ENTRY_IN_TREE = 2,
  /* The index is in `dirty`. Set by the flush and by a removal; cleared by the search for
   * collisions. */
  SAT_ENTRY_DIRTY = 4,
  /* A carry, a push or `separate` moves the shape. Set as it is listed. */
  SAT_ENTRY_CARRIED = 8,
  /* Moves pass through the shape. Set for the platform and for riders while these are moved, and
   * for what is crushed; cleared for riders that are held back. A turn sets it, while its copy
   * steps back, for its shape and for what does not stop it. */
  SAT_ENTRY_PASSABLE = 16,
  /* The shape stands on the platform, or on what stands there. Set as it is found. */
  SAT_ENTRY_RIDES = 32,
  /* The shape is being pushed, and pushes others. Set and cleared around each push. */
  SAT_ENTRY_PUSHES = 64,
  /* The shape could not be pushed as far as asked. A carry clears it after each push of its own. */
  SAT_ENTRY_JAMMED = 128
};

static inline bool sat_has_state(const sat_World *world, uint32_t index, uint32_t state) {
  return (world->entries[index].state & state) != 0;
}
static inline void sat_set_state(sat_World *world, uint32_t index, uint32_t state, bool on) {
  uint32_t *of = &world->entries[index].state;
  *of = on ? *of | state : *of & ~state;
}

static inline bool sat_is_solid(const sat_Shape *shape) { return !(shape->flags & SAT_SENSOR); }

/* The shape with an index that is in use. */
static inline sat_Shape *sat_entry_shape(const sat_World *world, uint32_t index) {
  SAT_ASSERT(index < world->end && world->entries[index].shape);
  return world->entries[index].shape;
}

/* A shape's index in this world, or SAT_NO_SHAPE. */
static inline uint32_t sat_index_in(const sat_World *world, const sat_Shape *shape) {
  return shape->changes == world->changes ? (uint32_t)shape->index : SAT_NO_SHAPE;
}

/* Prefetches what a pair test reads of a shape: shapes are scattered in memory, and several cache
 * lines long. */
SAT_INLINE void sat_entry_prefetch(const sat_World *world, uint32_t index) {
  enum { FIRST_LINE = 2, LINES = 6 };
  const char *shape = (const char *)world->entries[index].shape;
  prefetch(shape + (size_t)FIRST_LINE * SAT_CACHE_LINE, (size_t)LINES * SAT_CACHE_LINE);
}

/* Prefetches the shapes of the pair that is a few pairs ahead. Pairs are in ascending order of A,
 * so A's shape has mostly been prefetched already. */
SAT_INLINE void sat_pairs_prefetch(const sat_World *world, const sat_ItemPairs *pairs,
                                   size_t index) {
  enum { AHEAD = 6 };
  if (index + AHEAD >= pairs->count) return;
  const sat_ItemPair *pair = &pairs->at[index + AHEAD];
  if (pair->a != pair[-1].a) sat_entry_prefetch(world, pair->a);
  sat_entry_prefetch(world, pair->b);
}

/* Whether the platform of a carry may move the shape at an index. */
static inline bool sat_world_may_carry(const sat_World *world, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(world, index), *platform = world->carry.platform;
  return other != platform && !(other->flags & (SAT_STATIC | SAT_SENSOR)) &&
         sat_is_solid(platform) && sat_shapes_filter(platform, other);
}

/* Whether a shape that moves or turns meets the shape at an index: two sensors are no pair, and
 * neither are two shapes that their filters keep apart. The platform of a carry goes over all that
 * stops other shapes, and through riders. */
static inline bool sat_world_may_meet(const sat_World *world, const sat_Shape *shape,
                                      uint32_t index) {
  const sat_Shape *other = sat_entry_shape(world, index);
  uint32_t only = world->carry.only;
  return other != shape && !(shape->flags & other->flags & SAT_SENSOR) &&
         !(world->entries[index].state & SAT_ENTRY_PASSABLE) && sat_shapes_filter(shape, other) &&
         (shape != world->carry.platform ||
          (only != SAT_NO_SHAPE ? index == only
                                : sat_world_may_carry(world, index) &&
                                      !sat_has_state(world, index, SAT_ENTRY_RIDES)));
}

/* Whether another shape pushes one out that it overlaps: a sensor does not, nor does a one-way
 * shape. */
static inline bool sat_pushes_out(const sat_Shape *other, const sat_Shape *shape) {
  bool one_way = other->one_way.x != 0 || other->one_way.y != 0;
  return sat_is_solid(other) && sat_shapes_filter(shape, other) && !one_way;
}

/* Reserves entries, and items of the tree, for indices below `count`. */
sat_Status sat_world_reserve(sat_World *world, size_t count);
/* Adds a shape with a free index, for which there is room. */
void sat_world_add_entry(sat_World *world, uint32_t index, uint64_t id, sat_Shape *shape);
/* Marks an index below the end as free. */
void sat_world_free_index(sat_World *world, uint32_t index);
/* Removes all shapes but from the tree, and empties the list of free indices. */
void sat_world_remove_entries(sat_World *world);

/* Takes a shape out of its entry. The shape stays in the tree, and its index is not free yet. */
void sat_world_release_entry(sat_World *world, uint32_t index);
/* Takes a shape out of the world. */
void sat_world_remove_entry(sat_World *world, uint32_t index);

/* Adds an index to the list of those that may differ from the base. */
static inline void sat_base_note(sat_Base *base, uint32_t index) {
  if (!base->entries || base->entries[index].differs) return;
  base->entries[index].differs = true;
  base->entries[base->count++].listed = index;
}
/* Allocates entries of a base, or frees them, as an allocator does. New entries are empty. */
sat_BaseEntry *sat_base_allocate(sat_World *world, sat_BaseEntry *entries, size_t old_count,
                                 size_t count);
/* Frees the entries of the base: the world has no base then. */
void sat_base_forget(sat_World *world);

/* The box of a shape in the tree: slightly larger than the shape. */
sat_Rectangle sat_box_of(const sat_Shape *shape);
/* Flushes the changes of shapes into the tree. */
void sat_world_flush(sat_World *world);
/* Lists the shapes whose boxes overlap a box, in ascending order, in `near`. The box may exceed the
 * limits, as shapes may. */
sat_Status sat_world_query_boxes(sat_World *world, const sat_Rectangle *box);

/* Whether one way is longer than another one, or of the same length and farther right, or down. */
static inline bool sat_is_farther(sat_Vec2 way, sat_Vec2 than) {
  double far = dot(way, way), near = dot(than, than);
  if (far != near) return far > near;
  return way.x != than.x ? way.x > than.x : way.y > than.y;
}

/* A number for a pair of indices, the lower one first: the pairs are in the order of these. */
static inline uint64_t sat_pair_key(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }

/* Whether two enabled shapes form a pair: their flags and filters allow it. */
static inline bool sat_is_pair(const sat_Shape *a, const sat_Shape *b) {
  if (a->flags & b->flags & (SAT_SENSOR | SAT_STATIC)) return false;
  return sat_shapes_filter(a, b);
}

/* Lists all pairs whose boxes overlap, in order, in `candidates`. */
sat_Status sat_world_find_candidates(sat_World *world);
/* Updates `collisions`. */
sat_Status sat_world_find_collisions(sat_World *world);

/* Whether the shape at an index is an obstacle to another shape. */
typedef bool (*sat_Counts)(const sat_World *world, const sat_Shape *shape, uint32_t index);
/* The minimum translation vector of a shape out of all its obstacles at once, or of those that a
 * filter lets count; open ones nearby are listed. SAT_MISS: the shape touches none. */
sat_Status sat_world_way_out(sat_World *world, sat_Shape *shape, sat_Counts counts,
                             const sat_QueryFilter *filter, sat_Result *way);

/* Notes the indices of the last move's hits, and of what was pushed and carried, in the entries. */
void sat_world_note_hits(sat_World *world);
/* Makes a list of hits that of the last move, which has led a centroid from a place to another. */
void sat_world_take_hits(sat_World *world, sat_MoveHits *fresh, sat_Vec2 from, sat_Vec2 to);
/* Steps out of what a shape overlaps by rounding, by units in the last place, if that leads free of
 * all in a list of solids. */
sat_Status sat_world_step_free(sat_World *world, sat_Shape *shape, const sat_Items *touched,
                               double rounding);

/* Whether `other` is a one-way shape that lets a shape pass, which meets it with this normal: from
 * another side or, if the shape `may_be_inside` at the start, from inside. */
sat_Status sat_world_passes_side(sat_World *world, const sat_Shape *shape, const sat_Shape *other,
                                 sat_Vec2 normal, bool may_be_inside, bool *passes);

/* Storage for a point, a segment or a rectangle. */
typedef union sat_Probe {
  sat_Shape shape;
  char bytes[sizeof(sat_Shape) + sizeof(sat_Edges) + 8 * sizeof(sat_Vec2)];
} sat_Probe;
/* A box; its shape is made for the first that needs an exact test. */
typedef struct sat_AreaQuery {
  sat_Rectangle box;
  bool is_made;
  sat_Probe probe;
} sat_AreaQuery;
/* Whether the box meets a shape that sat_world_query_boxes has listed, to within rounding: SAT_OK
 * or SAT_MISS. A box beyond the limits meets all of them. */
sat_Status sat_world_is_around(sat_World *world, sat_AreaQuery *query, uint32_t index);

/* Makes the space of a shape, where it stands, in world->move. */
sat_Status sat_world_look_around(sat_World *world, sat_Shape *shape);
/* The record of the shape at an index, or NULL; adds records of what a box meets to a move or a
 * turn; and notes them again in the entries after another move. */
sat_MoveOther *sat_world_find_other(const sat_World *world, const sat_MoveState *move,
                                    uint32_t index);
sat_Status sat_world_find_others(sat_World *world, sat_MoveState *move, const sat_Box *box);
void sat_world_note_others(sat_World *world, const sat_MoveState *move);
/* A hit of an event of a move or a turn, with the shape's centroid at a place. */
sat_MoveHit sat_world_hit_of(const sat_World *world, const sat_MoveState *move,
                             const sat_MoveEvent *event, sat_Response how, sat_Vec2 centroid);
/* Sorts events by their order, and those of one order by when their shapes were added. */
void sat_sort_events(sat_MoveEvents *events);
/* Begins a move; and goes on until it ends, asks, with SAT_MISS, or pushes. The shape, which stands
 * somewhere on the way meanwhile, is all that changes. */
sat_Status sat_world_way_begin(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                               sat_Response response);
sat_Status sat_world_way_go_on(sat_World *world, sat_MoveHit *question);
/* Finds a way that asks nothing and pushes nothing, to the move's place. The shape stays. */
sat_Status sat_world_find_way(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                              sat_Response response);
/* Goes on with the turn that has begun, as sat_world_run does. */
sat_Status sat_world_run_turn(sat_World *world, sat_MoveHit *question);

/* A push that is shorter by this is not as far as was asked. */
static inline double sat_push_rounding(const sat_Shape *shape) {
  return 4 * sat_touch_rounding(shape, shape);
}
/* Lists a shape, where it is, among those that are moved, unless it is listed; and forgets that all
 * in a list are moved, which `back` puts back. */
sat_Status sat_world_list_moved(sat_World *world, sat_CarryEntries *moved, uint32_t index);
void sat_world_forget_moved(sat_World *world, const sat_CarryEntries *moved, bool back);
/* Pushes a shape by a vector, and what it meets. The move under way, if any, waits. */
sat_Status sat_world_push(sat_World *world, uint32_t index, sat_Vec2 vector);
/* Leads a shape to the move's place. The world's hits stay those of the move before it. */
void sat_world_move_apply(sat_World *world);

#endif
