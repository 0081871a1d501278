/* sat_world.h: quadtrees of boxes, and worlds of shapes: contacts, queries, moves and saving. The
 * conventions are those of sat.h, which includes this header. */
#ifndef SAT_H
#include "sat.h"
#elif !defined(SAT_WORLD_H)
#define SAT_WORLD_H

/* ---------------------------------------------------------------- quadtree */

/* A box from x to x + w and from y to y + h, the sums rounded as doubles are, ends included, with
 * w, h >= 0. A quadtree keeps the numbers exactly as given. */
typedef struct sat_Rectangle {
  double x, y, w, h;
} sat_Rectangle;

/* The id of an item, counted from 0; the id of a removed item is given again. */
typedef uint32_t sat_Item;
typedef SAT_LIST(sat_Item) sat_Items;

/* An item with its distance, or with a fraction of a segment. */
typedef struct sat_Neighbor {
  double distance;
  sat_Item item;
} sat_Neighbor;
typedef SAT_LIST(sat_Neighbor) sat_Neighbors;

/* Two items whose boxes overlap; a < b. */
typedef struct sat_ItemPair {
  sat_Item a, b;
} sat_ItemPair;
typedef SAT_LIST(sat_ItemPair) sat_ItemPairs;

/* A cell of the tree, for drawing: its box, its level, 0 for the root, and the number of items that
 * lie in it and in none of its children: their corner of least x and y is in the cell, and they are
 * no larger than the cell. */
typedef struct sat_Node {
  sat_Rectangle box;
  uint32_t level, count;
} sat_Node;
typedef SAT_LIST(sat_Node) sat_Nodes;

#define SAT_QUADTREE_DEEPEST 32 /* the largest `depth` */
/* As capacity or depth: the tree takes what is fastest. */
#define SAT_QUADTREE_FASTEST 0xffffffffu

/* Boxes, found by place, in a block of sat_quadtree_size() bytes; its arrays come from the
 * allocator. `area` is where most items are expected, `capacity` is how many items a cell of
 * average density shall hold at most, and `depth` how often the area is halved at most, or
 * SAT_QUADTREE_FASTEST: they change the cells and the time, and no other answer. Fails
 * with SAT_ERANGE, and SAT_EVALUE for an area without width or height, capacity 0, or too large a
 * depth. sat_quadtree_free returns all memory and leaves the tree as after sat_quadtree_init. */
typedef struct sat_Quadtree sat_Quadtree;
size_t sat_quadtree_size(void);
sat_Status sat_quadtree_init(sat_Quadtree *tree, sat_Allocator allocator, sat_Rectangle area,
                             uint32_t capacity, uint32_t depth);
void sat_quadtree_free(sat_Quadtree *tree);

/* Changes, O(1) amortised. A box fails with SAT_ERANGE, SAT_EVALUE (w or h below 0). `item` must be
 * in the tree. sat_quadtree_build inserts all boxes or none. Two static items are no pair; at first
 * no item is static. */
sat_Status sat_quadtree_insert(sat_Quadtree *tree, sat_Rectangle box, sat_Item *item);
sat_Status sat_quadtree_build(sat_Quadtree *tree, const sat_Rectangle *boxes, size_t count,
                              sat_Item *items);
sat_Status sat_quadtree_update(sat_Quadtree *tree, sat_Item item, sat_Rectangle box);
void sat_quadtree_set_static(sat_Quadtree *tree, sat_Item item, bool fixed);
void sat_quadtree_remove(sat_Quadtree *tree, sat_Item item);
void sat_quadtree_clear(sat_Quadtree *tree); /* frees the memory, too */

size_t sat_quadtree_count(const sat_Quadtree *tree);
bool sat_quadtree_has(const sat_Quadtree *tree, sat_Item item); /* of any number */
bool sat_quadtree_is_static(const sat_Quadtree *tree, sat_Item item);
sat_Rectangle sat_quadtree_box(const sat_Quadtree *tree, sat_Item item);
size_t sat_quadtree_bytes(const sat_Quadtree *tree); /* taken from the allocator */

/* Queries. Each first flushes pending changes, and fails with SAT_ENOMEM besides the statuses
 * named. Answers depend on nothing but the calls made so far. */

/* The items whose boxes overlap a box, in ascending order. Fails as sat_quadtree_insert does. */
sat_Status sat_quadtree_query(sat_Quadtree *tree, sat_Rectangle box, sat_Items *found);
/* Every pair of items whose boxes overlap, once, unless both are static, in an order that only
 * repeats with the same calls. */
sat_Status sat_quadtree_pairs(sat_Quadtree *tree, sat_ItemPairs *found);
/* The tree from its root to the cells that hold items: parents before children, level by level, and
 * each child half as wide as its parent and inside it. The root has no item of its own where it
 * only joins what lies on both sides of the area's corner. */
sat_Status sat_quadtree_nodes(sat_Quadtree *tree, sat_Nodes *nodes);

/* Called with an item and its distance. Returns the new limit of the distance: farther items may be
 * left out, and a negative limit ends the search. It must not change the tree. */
typedef double (*sat_Visit)(void *context, sat_Item item, double distance);

/* Visits each item whose box meets a segment, ends included, exactly, with the fraction at which
 * the segment enters, 0 if it starts inside; roughly in order. The limit is 1 at first. A segment
 * of length 0 is a point. SAT_ERANGE. */
sat_Status sat_quadtree_raycast(sat_Quadtree *tree, sat_Vec2 from, sat_Vec2 to, sat_Visit visit,
                                void *context);
/* Visits each item whose box is no farther than `limit` (INFINITY is allowed) from a point, with
 * the distance, 0 inside; roughly in order. SAT_ERANGE; SAT_EVALUE: a negative limit or NaN. */
sat_Status sat_quadtree_nearest(sat_Quadtree *tree, sat_Vec2 point, double limit, sat_Visit visit,
                                void *context);
/* All items on a segment, and the `count` nearest to a point that are no farther than `limit`, in
 * the order of their distances and then their ids. */
sat_Status sat_quadtree_raycast_all(sat_Quadtree *tree, sat_Vec2 from, sat_Vec2 to,
                                    sat_Neighbors *found);
sat_Status sat_quadtree_nearest_all(sat_Quadtree *tree, sat_Vec2 point, size_t count, double limit,
                                    sat_Neighbors *found);

/* ---------------------------------------------------------------- world */

/* A shape has an index in its world, the lowest that is free, and an id, which is never given
 * again. SAT_NO_SHAPE stands for a shape that is not in the world. */
#define SAT_NO_SHAPE 0xffffffffu

/* Two shapes that collide; dx, dy moves A out of B. */
typedef struct sat_Collision {
  uint32_t a, b;
  double dx, dy, depth;
} sat_Collision;
typedef SAT_LIST(sat_Collision) sat_Collisions;

/* Two shapes whose contact begins, persists or ends; a < b. */
typedef struct sat_Event {
  uint32_t a, b;
  uint64_t id_a, id_b;
} sat_Event;
typedef SAT_LIST(sat_Event) sat_Events;

/* A shape that a cast or ray hits. */
typedef struct sat_CastHit {
  uint32_t other;
  sat_Hit hit;
} sat_CastHit;

typedef SAT_LIST(sat_CastHit) sat_CastHits;

/* The shape nearest to a point, and its closest point. */
typedef struct sat_NearestHit {
  uint32_t other;
  double distance;
  sat_Vec2 point;
} sat_NearestHit;

/* The list of a world's changed shapes, which its shapes point to. It is the caller's, and stays as
 * long as any shape of the world. */
typedef struct sat_ChangeList {
  struct {
    uint32_t *indices, count, capacity;
    bool locked;
  } internal;
} sat_ChangeList;

/* A set of shapes, their quadtree and their collisions, in a block of sat_world_size() bytes; its
 * arrays come from the allocator. The shapes are the caller's and stay until they are removed, or
 * the world is cleared, freed or discarded. sat_world_free removes all shapes, returns all memory
 * and leaves the world as after sat_world_init, but for ids. sat_world_discard does not look at the
 * shapes, some of which may be gone; the world must not be used again. */
typedef struct sat_World sat_World;
size_t sat_world_size(void);
void sat_world_init(sat_World *world, sat_Allocator allocator, sat_ChangeList *changes);
void sat_world_free(sat_World *world);
void sat_world_discard(sat_World *world);

/* SAT_ETAKEN: the shape is in a world. O(log n) amortised; cannot fail for memory after
 * sat_world_reserve_more. sat_world_clear removes all shapes; their contacts end at the next
 * update. */
sat_Status sat_world_add(sat_World *world, sat_Shape *shape);
sat_Status sat_world_reserve_more(sat_World *world, size_t count);
void sat_world_remove(sat_World *world, sat_Shape *shape); /* must be in the world. O(log n) */
void sat_world_clear(sat_World *world);

/* The change list of a shape's world, or NULL if the shape is in no world. */
const sat_ChangeList *sat_shape_changes(const sat_Shape *shape);
bool sat_world_has(const sat_World *world, const sat_Shape *shape);
size_t sat_world_count(const sat_World *world);
sat_Status sat_world_shapes(const sat_World *world, sat_Items *found);    /* all, ascending */
uint32_t sat_world_end(const sat_World *world);                           /* above every index */
sat_Shape *sat_world_shape(const sat_World *world, uint32_t index);       /* or NULL */
uint32_t sat_world_index(const sat_World *world, const sat_Shape *shape); /* or SAT_NO_SHAPE */
uint64_t sat_world_id(const sat_World *world, uint32_t index);            /* or 0 */
uint64_t sat_world_next_id(const sat_World *world);
/* Whether the next update would report the end of a contact if the shape were removed now. */
bool sat_world_has_contact_events(const sat_World *world, const sat_Shape *shape);
/* Whether a move, or the caller, waits for an answer, until which the world must not change. The
 * core itself changes a locked world like any other. */
bool sat_world_is_locked(const sat_World *world);
void sat_world_set_locked(sat_World *world, bool locked);

/* Queries first flush pending changes, and fail with SAT_ENOMEM besides the statuses named. A
 * disabled shape is in no answer. Lists of shapes are in ascending order, and pairs in ascending
 * order of A, then B, unless said otherwise. */

/* All pairs that collide, a < b, or those of one shape, as A, which is SAT_NO_SHAPE if it is not in
 * this world. Two static shapes are no pair, nor are two sensors, nor two shapes that
 * sat_shapes_filter keeps apart. */
sat_Status sat_world_collisions(sat_World *world, sat_Collisions *found);
sat_Status sat_world_collisions_of(sat_World *world, const sat_Shape *shape, sat_Collisions *found);
/* The count of changes, which grows whenever shapes leave the world and when a query finds that
 * shapes have changed or come. */
uint64_t sat_world_change_count(const sat_World *world);
/* Whether a shape has changed, come or left since the count of changes was `change_count`. */
bool sat_world_has_changed_since(const sat_World *world, uint64_t change_count);
/* Brings a collision, found when the count of changes was `change_count`, up to date. SAT_MISS: the
 * shapes, which must both be in the world, no longer collide. */
sat_Status sat_world_refresh_collision(sat_World *world, uint64_t change_count,
                                       sat_Collision *collision);
/* The same for a collision of a shape outside the world, whose changes the world does not count:
 * the pair is tested again. */
sat_Status sat_world_refresh_collision_of(sat_World *world, const sat_Shape *shape,
                                          sat_Collision *collision);

/* Compares the contacts with those of the last update. A pair is in contact if it collides, or if
 * its gap is what rounding may leave after it was pushed apart (see sat_cast). */
sat_Status sat_world_update(sat_World *world);
typedef enum sat_EventKind { SAT_BEGIN, SAT_PERSIST, SAT_END } sat_EventKind;
size_t sat_world_event_count(const sat_World *world, sat_EventKind kind);
sat_Status sat_world_events(const sat_World *world, sat_EventKind kind, sat_Events *found);

/* Pushes overlapping solid shapes apart, pair by pair in ascending order, each by its share (see
 * sat_shape_set_mass), a static one not at all; repeats until nothing is pushed, at most
 * `iterations` times. `pushed` (may be NULL): the pairs pushed in the last iteration. */
sat_Status sat_world_separate(sat_World *world, uint32_t iterations, size_t *pushed);

/* Which shapes a query asks about: at a place all, and casts, rays and distances solid ones, or
 * what is said here. */
typedef enum sat_Sensors {
  SAT_SENSORS_BY_QUERY,
  SAT_SENSORS_NONE,
  SAT_SENSORS_TOO,
  SAT_SENSORS_ONLY
} sat_Sensors;

/* A decision of the caller: whether the shape with an index counts. */
typedef struct sat_Decision {
  uint32_t index;
  bool counts;
} sat_Decision;

/* The shapes that may change an answer and have no decision: see sat_QueryFilter. */
typedef struct sat_OpenShapes {
  sat_Neighbors shapes; /* the nearest first; INFINITY: they count only beside others */
  size_t wanted;        /* so many of them are to count */
} sat_OpenShapes;

/* The shapes that a query asks about: those for which all holds that is given. A filter of NULL, or
 * one of zeros, stands for all shapes. A caller that decides shape by shape gives `open`. Then only
 * shapes with a decision count, and a query lists others that may change its answer: the caller
 * decides about them in order, until `wanted` more count, and asks again. Once none is listed, the
 * answer is that of a world of the shapes that count. */
typedef struct sat_QueryFilter {
  const sat_Shape *subject; /* is left out itself, and its filter must meet a shape's */
  bool by_mask;             /* a shape's category must have a bit of the mask */
  uint32_t mask;
  sat_Sensors sensors;
  const sat_Decision *decisions; /* in ascending order; a shape that does not count is left out */
  size_t decision_count;
  sat_OpenShapes *open;               /* or NULL: a shape without a decision counts */
  const struct sat_QueryFilter *also; /* holds, too, or NULL */
} sat_QueryFilter;

/* The shapes that contain a point, touch a box, or touch a shape. That shape's filter counts, and
 * it may be in any world or none. A box fails as sat_quadtree_insert's, or with SAT_ERANGE if it
 * ends beyond SAT_LIMIT. sat_world_nodes: as sat_quadtree_nodes, of the world's quadtree. */
sat_Status sat_world_at(sat_World *world, sat_Vec2 point, const sat_QueryFilter *filter,
                        sat_Items *found);
sat_Status sat_world_query(sat_World *world, sat_Rectangle box, const sat_QueryFilter *filter,
                           sat_Items *found);
sat_Status sat_world_query_shape(sat_World *world, const sat_Shape *shape, sat_Items *found);
sat_Status sat_world_nodes(sat_World *world, sat_Nodes *nodes);

/* Casts, rays and distances find solid shapes, unless the filter names sensors; of equally near
 * ones the lowest index is first, behind those that a ray starts inside of. A cast shape's own
 * filter counts, too, and it hits a one-way shape from its side only; where several surfaces meet,
 * the normal is that of the most head-on one that the union of all shows, of equally head-on ones
 * the most upright. Lists are sorted from near to far. `limit` may be INFINITY. All fail with
 * SAT_ERANGE, those with a limit also with SAT_EVALUE (negative or NaN).
 *
 * Two solids that abut, to within rounding, have a seam between them, which is closed to a ray, to
 * a point and to a segment that moves along itself, as within a compound of the two. */
sat_Status sat_world_cast(sat_World *world, const sat_Shape *shape, sat_Vec2 motion,
                          const sat_QueryFilter *filter, sat_CastHit *first);
sat_Status sat_world_raycast(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                             const sat_QueryFilter *filter, sat_CastHit *first);
sat_Status sat_world_raycast_all(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                                 const sat_QueryFilter *filter, sat_Items *found);
sat_Status sat_world_raycast_hits(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                                  const sat_QueryFilter *filter, sat_CastHits *found);
sat_Status sat_world_nearest(sat_World *world, sat_Vec2 point, double limit,
                             const sat_QueryFilter *filter, sat_NearestHit *nearest);
sat_Status sat_world_nearest_all(sat_World *world, sat_Vec2 point, size_t count, double limit,
                                 const sat_QueryFilter *filter, sat_Items *found);

/* The vertices of the area that is seen from a place, in the order of positive area, which is
 * star-shaped about it: all that sat_world_raycast would reach with the filter from there. The view
 * ends at `area`, a convex shape without radius, or if that is NULL, at the regular polygon of 64
 * vertices in a circle, of which one is at +x. Edges are straight and exact, but arcs are cut into
 * chords of up to 1/64 turn, between exact tangents; where solids overlap, their crossings are
 * vertices. Inside a solid there are no vertices. On an outline what lies behind it is hidden, and
 * the place is a vertex. Of directions that are closer than 1e-9 only one is seen, so that no light
 * leaks between solids that abut. Fails with SAT_ERANGE, SAT_EVALUE (the radius is not above 0, or
 * the area has one or is no polygon), SAT_ECONCAVE. SAT_MISS: the area does not contain the place;
 * its outline does. O(n log n + n a) for n edges near the area of which one ray crosses `a`. */
typedef SAT_LIST(sat_Vec2) sat_Points;
sat_Status sat_world_visible(sat_World *world, sat_Vec2 from, const sat_Shape *area, double radius,
                             const sat_QueryFilter *filter, sat_Points *seen);

/* ---------------------------------------------------------------- moves */

/* The response of a moving shape to a surface; the last two occur in hits only. */
typedef enum sat_Response {
  SAT_SLIDE,  /* goes on along the surface */
  SAT_TOUCH,  /* stops */
  SAT_BOUNCE, /* goes on mirrored */
  SAT_PUSH,   /* pushes the other shape ahead if it can be, else goes on along the surface */
  SAT_CROSS,  /* goes on as if nothing were there, and reports the hit */
  SAT_IGNORE, /* the same, without a report */
  SAT_ASK,    /* the caller answers for each shape that is hit */
  SAT_FREED,  /* the shape overlapped at the start and has been moved out */
  SAT_STUCK   /* there was no way out */
} sat_Response;

/* SAT_PUSH: what is solid, not static, of finite mass, and weighs with all that the call pushes no
 * more than the mover is moved by that part of the motion left which leads into it, along the
 * normal, by the same rules: it slides, and pushes on. What went less far than asked, by more than
 * rounding, is as if static for the rest of the call; what is being pushed stops what meets it, and
 * is not pushed by that. Nothing goes farther than the motion is long. What is touched at once by
 * one surface is pushed all, or is too heavy together. Cost: a move for each push. */

/* A hit of a move. */
typedef struct sat_MoveHit {
  uint32_t other;
  uint64_t id;
  sat_Vec2 normal; /* of unit length, out of the other shape */
  sat_Vec2 point;  /* of contact, in the world */
  double t;        /* the fraction of the motion, 0 to 1 */
  sat_Response how;
  sat_Vec2 centroid; /* of the moving shape where its way turns, or has turned last */
  sat_Parts parts; /* A is the moving shape. Of SAT_FREED and SAT_STUCK those that are deepest along
                      * the normal */
} sat_MoveHit;
typedef SAT_LIST(sat_MoveHit) sat_MoveHits;

typedef struct sat_MoveResult {
  sat_Vec2 centroid; /* of the shape afterwards */
  sat_Vec2 rest;     /* the motion as the surfaces touched at the end leave it */
  size_t count;      /* of hits */
} sat_MoveResult;

/* Moves a shape, in this world, another or none, as far as its hits allow: afterwards it overlaps
 * nothing that it did not overlap before, but for rounding, which is 1e-12 of its own size and
 * coordinates. A surface that the motion only touches at its end is no hit. A sensor crosses
 * everything, and is crossed; what is crossed comes before what stops the shape at the same t.
 * sat_world_check gives the same answer and leaves the shape in place. SAT_ERANGE: the motion leads
 * beyond SAT_LIMIT. */
sat_Status sat_world_move(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                          sat_Response response, sat_MoveResult *result);
sat_Status sat_world_check(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                           sat_Response response, sat_MoveResult *result);
/* Moves a shape to the centroid that the last check in this world has found for it. SAT_MISS: that
 * check was of another shape or led elsewhere, or the shape has moved since. */
sat_Status sat_world_move_as_checked(sat_World *world, sat_Shape *shape, sat_Vec2 centroid);
/* Turns a shape by an angle about a pivot until a solid stops it, as sat_turn tells. Sensors,
 * filters and rounding are as in moves, and the hits are those of the last move. What the shape is
 * inside of at the start stops it where it would get deeper. SAT_SLIDE: what is stopped steps back
 * along the normal, by what a free turn needs or by half of the room, turns on, and returns, as
 * often as that gains more than rounding; the pivot goes along. SAT_BOUNCE is no response of a
 * turn. `stay` leaves the shape as it is. SAT_ERANGE: as sat_shape_rotate_about. */
typedef struct sat_TurnResult {
  double turned; /* the angle that it has been turned by */
  size_t count;  /* of hits */
} sat_TurnResult;
sat_Status sat_world_turn(sat_World *world, sat_Shape *shape, double angle, sat_Vec2 pivot,
                          sat_Response response, bool stay, sat_TurnResult *result);
/* Turns a shape as the last turn that stayed has found for it. SAT_MISS: that turn was of another
 * shape, or the shape has changed since. */
sat_Status sat_world_turn_as_checked(sat_World *world, sat_Shape *shape);

/* The hits of the last move or check, in order; valid until the next. */
const sat_MoveHits *sat_world_hits(const sat_World *world);
sat_Status sat_world_copy_hits(const sat_World *world, sat_MoveHits *copy);
/* Whether a shape of this world is among these hits, or in the lists of what was pushed last, or
 * carried. O(log n). */
bool sat_world_is_listed(const sat_World *world, const sat_Shape *shape);
/* Where the centroid was before and after the last move or check. False: there was none. */
bool sat_world_move_ends(const sat_World *world, sat_Vec2 *from, sat_Vec2 *to);

/* A move or a turn step by step, for SAT_ASK. Run returns SAT_MISS while `question` waits for
 * sat_world_answer, and SAT_OK when all is done and is to be ended; `stay` leaves the shape in
 * place. While a question is open nothing has changed; the world may be queried, but not changed. A
 * move or turn that is not ended is cancelled; so is one whose run fails. */
sat_Status sat_world_move_begin(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                                sat_Response response);
sat_Status sat_world_turn_begin(sat_World *world, sat_Shape *shape, double angle, sat_Vec2 pivot,
                                sat_Response response);
sat_Status sat_world_run(sat_World *world, sat_MoveHit *question);
void sat_world_answer(sat_World *world, uint32_t other, sat_Response response);
void sat_world_cancel(sat_World *world);
sat_MoveResult sat_world_move_end(sat_World *world, bool stay);
sat_TurnResult sat_world_turn_end(sat_World *world, bool stay);

/* The shortest translation of a shape out of all solid shapes at once. An overlap of up to 1e-12 of
 * the two shapes' sizes and coordinates, in a composite with each piece, is a touch, here and in
 * sat_world_separate. In ties B's centre is the middle of the common bounds of all that the shape
 * overlaps by more. SAT_MISS: the shape touches none. */
sat_Status sat_world_collide(sat_World *world, sat_Shape *shape, sat_Result *result);

/* A shape that a carry has moved. */
typedef struct sat_Carried {
  uint32_t other;
  uint64_t id;
  sat_Vec2 motion; /* how far it has moved */
  bool crushed;    /* it had no way out and is where it was */
  bool held;       /* a wall holds it back */
} sat_Carried;
typedef SAT_LIST(sat_Carried) sat_CarriedShapes;

typedef struct sat_CarryResult {
  size_t count, crushed; /* of the shapes carried or pushed, and of those crushed */
} sat_CarryResult;

/* Moves a platform by a vector and rotates it about its new centroid. Shapes that stand on it, with
 * a normal within 60 degrees of `up`, come along. What it passes over on its straight way is pushed
 * ahead of it by moves that slide, and pushes what it meets itself; what the turn reaches is pushed
 * at its end. A shape without a way out is crushed. SAT_ERANGE; SAT_EVALUE: `up` has no length.
 * sat_world_carried: the shapes of the last carry, in the order of adding, until the next. */
sat_Status sat_world_carry(sat_World *world, sat_Shape *platform, sat_Vec2 vector, double angle,
                           sat_Vec2 up, sat_CarryResult *result);
const sat_CarriedShapes *sat_world_carried(const sat_World *world);
/* The shapes that the last move, check or carry has pushed, in the order of the first push, with
 * how far each went; not the riders of a platform. Valid until the next. */
const sat_CarriedShapes *sat_world_pushed(const sat_World *world);
sat_Status sat_world_copy_moved(const sat_CarriedShapes *moved, sat_CarriedShapes *copy);

/* ---------------------------------------------------------------- saved worlds */

/* A save has all but the owners, the same bytes on every platform: the shapes with their indices
 * and ids, and the contacts of the last update. A delta has the differences from an earlier save,
 * the base: its size and its time grow with the changes, not with the world. The same differences
 * give the same bytes.
 *
 * The size of a whole save, and the save. */
size_t sat_world_saved_size(const sat_World *world);
void sat_world_save(sat_World *world, void *bytes);
/* The size of the delta since the base, and the delta, between which nothing may change. SAT_EBASE:
 * there is no base, or a shape has come from another world since. */
sat_Status sat_world_delta_size(sat_World *world, size_t *size);
void sat_world_save_delta(const sat_World *world, void *bytes);

/* A checked save, which points to the bytes. */
typedef struct sat_Saved {
  uint32_t count, freed; /* of the shapes in it, and of those that are gone since the base */
  struct {
    const unsigned char *bytes, *freed, *ended, *begun, *padding;
    size_t size;
    uint64_t next_id;
    uint32_t end;
  } internal;
} sat_Saved;

/* Checks all of a whole save, or all of a delta that needs no base. Anybody may have written the
 * bytes. SAT_ESAVED: framing or numbers are not as the functions above write them. SAT_EVERSION:
 * they are a save of another format than SAT_SAVED_VERSION. */
#define SAT_SAVED_VERSION 4
sat_Status sat_saved_open(sat_Saved *saved, const void *bytes, size_t size, sat_Scratch *scratch);
bool sat_saved_is_delta(const sat_Saved *saved);
/* Whether the base of a delta has these bytes, by their digest. O(size). */
bool sat_saved_is_since(const sat_Saved *delta, const void *base, size_t size);

/* Sets the base, whose bytes stay until there is another one, or the world is freed or discarded.
 * O(size). SAT_EBASE: the world has neither made nor loaded that save, which it knows for certain
 * of the last 128, or has a shape of another world. SAT_ESAVED: it is a delta. The second tells
 * whether bytes are the base. */
sat_Status sat_world_set_base(sat_World *world, const sat_Saved *saved);
bool sat_world_has_base(const sat_World *world, const void *bytes, size_t size);
/* Whether the save is whole, or a delta since the world's base. */
bool sat_world_takes(const sat_World *world, const sat_Saved *saved);

/* Loading a save takes three steps. First, the list of the shapes that it changes, with a record of
 * NULL for those that it removes, in `shapes`, which have room for sat_world_most_listed, at least
 * for one. `bytes`: the size of a shape's block. SAT_EBASE: the world does not take the save.
 * SAT_ESAVED: the base and the delta make no world. */
typedef struct sat_SavedShape {
  uint64_t id;
  uint32_t index;
  size_t bytes;
  const unsigned char *record;
} sat_SavedShape;
size_t sat_world_most_listed(sat_World *world, const sat_Saved *saved);
sat_Status sat_world_list(sat_World *world, const sat_Saved *saved, sat_SavedShape *shapes,
                          size_t *count);

/* Second, blocks[i] becomes the world's shape that shapes[i] is restored into: the one with the
 * same id, unless it differs in its number of vertices or, if composite, in its points or members.
 * The caller replaces each NULL, but for shapes to remove, by a new block that sat_shape_prepare
 * has prepared. */
void sat_world_match(const sat_World *world, const sat_SavedShape *shapes, size_t count,
                     sat_Shape **blocks);
void sat_shape_prepare(sat_Shape *block, size_t bytes, void *owner);

/* Third, the world becomes what was saved; shapes keep their owners. Nothing may have changed since
 * the first step. Loading produces no begin or end events, and the event lists are empty until the
 * next update. Ids that have been given are not given again. SAT_ESAVED: a constructor would refuse
 * a shape. SAT_EVALUE: a block is missing, of another size, or in a world. */
sat_Status sat_world_load(sat_World *world, const sat_Saved *saved, const sat_SavedShape *shapes,
                          size_t count, sat_Shape *const *blocks);

#endif
