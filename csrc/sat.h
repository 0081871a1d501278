/* sat.h: 2D collision detection by the separating axis theorem.
 *
 * What holds everywhere
 *   Units    are the caller's (pixels, metres). Numbers are doubles. Angles are radians, positive
 *            from +x towards +y, which is clockwise on a screen whose y points down.
 *   Shapes   are closed sets: two that only touch collide, with depth 0.
 *   Normals  and vectors of a pair point out of B towards A: moving A along them leads it out of B.
 *   Memory   is the caller's. A shape is one block without pointers into itself: copy `bytes` of it
 *            to clone it, free the block to be rid of it. Working memory comes from a sat_Scratch
 *            of the caller's, and no answer has to be freed but lists.
 *   Failure  is a sat_Status. A call that returns neither SAT_OK nor SAT_MISS has changed nothing
 *            that the caller can see. The library never aborts, prints, or keeps state of its own.
 *   Threads  may ask about the same shape at once, as long as none changes it; each needs its own
 *            scratch.
 *   Bits     are the same on every 64-bit platform, compiler and optimisation level.
 */
/* Example: two boxes overlap, and A moves out of B. A real caller looks at every status.
 *
 *   static void *allocate(void *context, void *block, size_t old_size, size_t size) {
 *     (void)context, (void)old_size;
 *     if (size) return realloc(block, size);
 *     free(block);
 *     return NULL;
 *   }
 *
 *   static double push_out_of_box(void) {
 *     sat_Allocator allocator = {allocate, NULL};
 *     sat_Scratch scratch = sat_scratch_make(allocator);
 *     sat_Vec2 corners[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
 *     sat_Shape *a = malloc(sat_shape_bytes(4)), *b = malloc(sat_shape_bytes(4));
 *     sat_Result result = {.depth = 0};
 *     sat_shape_init(a, corners, 4, 0);
 *     sat_shape_init(b, corners, 4, 0);
 *     sat_shape_move(a, 1.5, 0);
 *     if (sat_collide(a, b, &scratch, &result) == SAT_OK)
 *       sat_shape_move(a, result.vector.x, result.vector.y);
 *     free(a);
 *     free(b);
 *     sat_scratch_free(&scratch);
 *     return result.depth;
 *   }
 */
#ifndef SAT_H
#define SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAT_VERSION "0.1.0"

/* ---------------------------------------------------------------- basics */

/* No coordinate, length or angle that is given, and none reached by moving or scaling, may be
 * beyond this. */
#define SAT_LIMIT 1e15
/* A radius is 0 or at least this, and so should be a vertex's coordinate, either way: the products
 * of smaller ones would vanish. */
#define SAT_TINY 1e-100

typedef enum sat_Status {
  SAT_OK = 0, /* done; of a question: yes */
  SAT_MISS,   /* of a question: no. They are apart, it is not inside, nothing was hit. No error */
  SAT_ENOMEM, /* the allocator gave no memory */
  SAT_ERANGE, /* a number is NaN, infinite or beyond SAT_LIMIT, or would become so */
  SAT_EVALUE, /* a number makes no sense where it stands: a negative radius, a scale factor of 0 */
  SAT_EFEW,   /* fewer than three distinct vertices are left */
  SAT_EAREA,  /* all vertices lie on one line */
  SAT_ECROSS, /* two edges of the ring cross, or run along each other */
  SAT_ECONCAVE, /* the ring is simple but not convex */
  SAT_ETAKEN,   /* the shape is in a world already */
  SAT_ESAVED,   /* the bytes are no saved world, or one that was damaged */
  SAT_EVERSION, /* the bytes are a world that another version has saved in another format */
  SAT_EDEEP     /* compounds are nested more than 500 deep */
} sat_Status;

/* One English sentence without full stop for a status, static. */
const char *sat_status_text(sat_Status status);

typedef struct sat_Vec2 {
  double x, y;
} sat_Vec2;

/* An axis-aligned box, corners included. */
typedef struct sat_Box {
  sat_Vec2 min, max;
} sat_Box;

/* Takes, resizes (size > 0) or frees (size 0, returns NULL) a block, exactly as lua_Alloc does. */
typedef void *(*sat_Allocate)(void *context, void *block, size_t old_size, size_t size);

typedef struct sat_Allocator {
  sat_Allocate allocate;
  void *context;
} sat_Allocator;

/* A list that questions fill. All fields are zero at first but the allocator; a question empties
 * its list and lets it grow as needed. The list of a question that fails is empty. */
#define SAT_LIST(T)                                                                                \
  struct {                                                                                         \
    T *at;                                                                                         \
    size_t count, capacity;                                                                        \
    sat_Allocator allocator;                                                                       \
  }
/* Frees the memory of a list, which may be used again. */
#define SAT_LIST_FREE(list) sat_list_free(list, sizeof *(list)->at)
void sat_list_free(void *list, size_t element_size);

/* Working memory that grows to what the largest call so far has needed and is used again by the
 * next. */
typedef struct sat_Scratch {
  void *block;
  size_t bytes;
  sat_Allocator allocator;
  size_t uses; /* how often it has been taken: what lives in it is there until this changes */
} sat_Scratch;

sat_Scratch sat_scratch_make(sat_Allocator allocator);
/* Frees the block. The scratch may be used again. */
void sat_scratch_free(sat_Scratch *scratch);

/* ---------------------------------------------------------------- rings of vertices */

/* Where a ring is at fault: indices into the list that the caller gave, before cleaning. For
 * SAT_ERANGE `first` is the vertex; for SAT_ECROSS and SAT_ECONCAVE `first` and `second` are edges,
 * edge k running from vertex k to the next (SAT_ECONCAVE: the two edges that meet at a reflex
 * vertex). Elsewhere both are 0. */
typedef struct sat_RingError {
  size_t first, second;
} sat_RingError;

/* Cleans a ring in place: drops repeated neighbours, a closing vertex equal to the first, vertices
 * on a straight line and spikes without width, all by exact arithmetic, and puts what is left in
 * the order of positive area (clockwise where y points down), starting with the first vertex that
 * was kept. `*count` becomes the number of vertices kept. A ring may touch itself, at a vertex or
 * along a bridge to a hole, but not cross itself. Fails with SAT_ERANGE, SAT_EFEW, SAT_EAREA,
 * SAT_ECROSS and SAT_ENOMEM. `error` may be NULL. O(n log n). */
sat_Status sat_ring_clean(sat_Vec2 *points, size_t *count, sat_Scratch *scratch,
                          sat_RingError *error);

/* Whether a cleaned ring is convex; if not, `error` (may be NULL) names the vertex's two edges, as
 * indices into `points`. Exact. O(n). */
bool sat_ring_is_convex(const sat_Vec2 *points, size_t count, sat_RingError *error);

/* The convex hull, in place: `*count` becomes its size, without vertices on straight lines, in the
 * order of positive area. Exact. Fails as sat_ring_clean does, never with SAT_ECROSS. O(n log n).
 * Andrew, Another efficient algorithm for convex hulls in two dimensions, 1979. */
sat_Status sat_hull(sat_Vec2 *points, size_t *count, sat_Scratch *scratch, sat_RingError *error);

/* Area (positive in the order of positive area), length of the closed outline, centroid of the
 * area. */
double sat_ring_area(const sat_Vec2 *points, size_t count);
double sat_ring_perimeter(const sat_Vec2 *points, size_t count);
sat_Vec2 sat_ring_centroid(const sat_Vec2 *points, size_t count);

/* A corner of a piece, and the piece's edge from it to the next corner. */
typedef struct sat_Corner {
  uint32_t vertex; /* of the ring; of several in one place always the same */
  bool internal;   /* the edge lies inside the ring, all along: other pieces share it */
  bool reflex;     /* of the ring's inside more than a half turn is around the corner */
} sat_Corner;

/* Piece k has the corners first[k] to first[k + 1] - 1, in the order of positive area and without
 * any on a straight line. */
typedef struct sat_Decomposition {
  uint32_t count;
  const uint32_t *first;
  const sat_Corner *corners;
} sat_Decomposition;

/* Cuts a cleaned ring (see sat_ring_clean) into convex pieces that have its area and no part of it
 * twice, from vertex to vertex. A bridge to a hole is no edge of it, but is inside; one between two
 * parts that nothing else connects is in no piece. `decomposition` lives in the scratch memory
 * until that is used again. Exact. Fails with SAT_ENOMEM. O(n log n).
 *
 * Hertel and Mehlhorn, Fast triangulation of simple polygons, 1983: a sweep that triangulates all
 * that is left of the line at once, then all diagonals that no corner needs are dropped. */
sat_Status sat_ring_decompose(const sat_Vec2 *points, size_t count, sat_Scratch *scratch,
                              sat_Decomposition *decomposition);

/* The sine and cosine of an angle up to SAT_LIMIT, within one unit in the last place and the same
 * everywhere. An angle within rounding of a quarter turn counts as one, so that turning a shape by
 * quarters about a pivot of whole numbers keeps vertices of whole numbers whole. */
void sat_sine_cosine(double angle, double *sine, double *cosine);

/* ---------------------------------------------------------------- shapes */

/* A convex shape is the set of all points within `radius` of the convex hull of its vertices, and
 * nothing else; its kind follows from how many vertices there are and whether there is a radius. */
typedef enum sat_Kind {
  SAT_POINT,   /* one vertex, no radius */
  SAT_CIRCLE,  /* one vertex */
  SAT_SEGMENT, /* two vertices, no radius */
  SAT_CAPSULE, /* two vertices */
  SAT_POLYGON, /* three or more, with or without radius, or a concave ring */
  SAT_CHAIN,   /* a run of segments */
  SAT_COMPOUND /* one rigid shape of copies of several */
} sat_Kind;

/* Four edges side by side, so that they can be asked at once: of the edge from each vertex to the
 * next the unit normal that points out, and the edge's distance from the shape's origin along it.
 * Behind a shape's last edge stand edges of normal 0, 0 that are infinitely far out. */
typedef struct sat_Edges {
  double x[4], y[4], offset[4];
} sat_Edges;

/* Bits of sat_Shape.flags. */
enum {
  SAT_TRANSFORMED =
      1,             /* by more than the quarter turns that the anchor knows, scaled or mirrored */
  SAT_MIRROR_X = 2,  /* flipped left for right */
  SAT_MIRROR_Y = 4,  /* flipped top for bottom */
  SAT_SENSOR = 8,    /* reported by a world, never solid */
  SAT_STATIC = 16,   /* never paired with another static one */
  SAT_DISABLED = 32, /* in no answer of a world */
  SAT_CHANGED = 64,  /* its world knows already that it has changed */
  SAT_LOCKED = 512,  /* a move of it waits for an answer */
  SAT_QUARTERS = 384 /* two bits: how many quarter turns the anchor has gone through */
};

/* Whoever keeps a shape's box, a world, learns here that it has changed: the numbers of those that
 * have since it looked last. A shape that is in the world and is not in the list yet finds room. It
 * stays empty once the world has been abandoned. */
typedef struct sat_ChangeList {
  uint32_t *indices;
  uint32_t count, capacity;
  bool locked; /* a move in the world waits for an answer */
} sat_ChangeList;

/* The head of a shape's block; its edges, its vertices as they stand now, and its local geometry
 * follow in the same block. What a question reads comes last, so that it shares cache lines with
 * them. Read it through the functions below: the fields may change between versions. */
typedef struct sat_Shape {
  /* local */
  sat_Vec2 local_centroid; /* the centroid */
  double area, perimeter;  /* of the core: without the radius */
  /* the transform */
  double cosine, sine, angle, scale;
  sat_Vec2 centroid; /* the centroid in the world */
  sat_Vec2
      local_origin; /* what the local vertices are relative to, in the world, when turned about the
                    * centroid by as many quarters as SAT_QUARTERS says */
  /* its world, if it is in one */
  sat_ChangeList *changes;
  uint64_t index; /* its number there */
  /* for whoever holds the shape */
  void *owner;             /* the library keeps its hands off */
  uint32_t category, mask; /* see sat_shapes_filter */
  int32_t group;
  uint32_t bytes; /* of the whole block */
  double mass;
  sat_Vec2 one_way; /* in its own frame; 0, 0: it is solid from every side */
  /* in the world, relative to the origin but for the last */
  sat_Vec2 centroid_from_origin; /* the centroid */
  double bounding_radius; /* the farthest vertex's distance from the centroid, without the radius */
  sat_Box box;            /* of the vertices, without the radius */
  uint32_t flags, vertex_count; /* no vertex: more than one convex part, see below */
  double radius;
  double l1_bound; /* at least |x| + |y| of every vertex */
  sat_Vec2 origin;
} sat_Shape;

/* How large a block for that many vertices is. */
size_t sat_shape_bytes(size_t vertex_count);

/* Makes a convex shape in `block` (sat_shape_bytes(count) bytes, aligned as malloc's). The points
 * are world coordinates and are kept exactly as given; three or more must be a cleaned convex ring.
 * Two equal points make one. Fails with SAT_ERANGE, SAT_EVALUE (a radius that is negative or below
 * SAT_TINY), SAT_EFEW (no point). O(n). */
sat_Status sat_shape_init(sat_Shape *block, const sat_Vec2 *points, size_t count, double radius);

/* The same with points relative to `centroid`, which is taken for the centroid: regular polygons
 * and ellipses, whose points would lose digits far from 0, 0. */
sat_Status sat_shape_init_about(sat_Shape *block, sat_Vec2 centroid, const sat_Vec2 *points,
                                size_t count, double radius);

/* A copy in another block of as many bytes, without owner and in no world. */
void sat_shape_copy(sat_Shape *block, const sat_Shape *shape);
/* Shapes that are not convex keep several convex parts in their block, and move, turn and answer as
 * one. Their blocks are as large as these say, and as those of convex shapes else; 0 means that it
 * would be too large. What makes them fails with SAT_ERANGE, and else as said.
 *
 * The ring must be cleaned, see sat_ring_clean; it may be convex, but then sat_shape_init is the
 * better choice. O(n log n) */
size_t sat_polygon_bytes(size_t count, const sat_Decomposition *decomposition);
sat_Status sat_polygon_init(sat_Shape *shape, const sat_Vec2 *ring, size_t count,
                            const sat_Decomposition *decomposition);

/* A rigid shape of copies of others as they stand; those of several parts give theirs. SAT_EFEW:
 * there are none. SAT_EDEEP: compounds would be nested more than 500 deep. */
size_t sat_compound_bytes(const sat_Shape *const *members, size_t count);
sat_Status sat_compound_init(sat_Shape *shape, const sat_Shape *const *members, size_t count);

/* Segments from each point to the next and, if it is closed, from the last to the first. Repeated
 * neighbours are dropped. SAT_EFEW: there is no point.
 *
 * A chain is its outline: what shares a point with that overlaps it, from either side, and all that
 * it contains lies on it. Its segments know their neighbours, so that what slides along it is not
 * held up where two of them meet. An open one can be touched from both sides. A closed one of three
 * points or more is one-sided: its open side is on the right hand of who walks from point to point,
 * where x points right and y up, which is outside for an outline in the order of positive area, and
 * inside for the other one. What is in its way is pushed out to the open side, however far it has
 * come; what casts or rays come upon from the closed side lets them through; and where something
 * has no room on the open side, the way out is past the chain's box. */
size_t sat_chain_bytes(size_t count);
sat_Status sat_chain_init(sat_Shape *shape, const sat_Vec2 *points, size_t count, bool closed);

/* The convex parts of a shape, of which a convex one has itself. Inits `block`, which must have
 * sat_shape_bytes(sat_shape_piece_size(shape, index)) bytes, with a part as it stands, which is to
 * a world what the shape is. */
size_t sat_shape_piece_count(const sat_Shape *shape);
size_t sat_shape_piece_size(const sat_Shape *shape, size_t index);
sat_Status sat_shape_piece_init(sat_Shape *block, const sat_Shape *shape, size_t index);
/* Its vertices as they stand, of which it has sat_shape_piece_size, and its radius. */
sat_Vec2 sat_shape_piece_vertex(const sat_Shape *shape, size_t index, size_t vertex);
double sat_shape_piece_radius(const sat_Shape *shape, size_t index);
bool sat_shape_is_convex(const sat_Shape *shape);

sat_Kind sat_shape_kind(const sat_Shape *shape);
/* "point", "circle", "segment", "capsule", "polygon", "chain", "compound". */
const char *sat_kind_name(sat_Kind kind);

/* Changing a shape. Each fails with SAT_ERANGE (SAT_EVALUE for a factor or radius that is no size)
 * before anything has changed. Moving is O(1), the others O(n). The local geometry is kept, so that
 * a million small turns do not distort it; until the first one a shape has exactly the vertices
 * given, plus its moves. */
sat_Status sat_shape_move(sat_Shape *shape, double dx, double dy);
sat_Status sat_shape_move_to(sat_Shape *shape, double x, double y); /* puts the centroid there */
sat_Status sat_shape_rotate(sat_Shape *shape,
                            double angle); /* about the centroid, as all without pivot */
sat_Status sat_shape_rotate_about(sat_Shape *shape, double angle, sat_Vec2 pivot);
sat_Status sat_shape_set_rotation(sat_Shape *shape, double angle);
sat_Status sat_shape_set_rotation_about(sat_Shape *shape, double angle, sat_Vec2 pivot);
sat_Status sat_shape_scale(sat_Shape *shape, double factor); /* factor > 0; scales the radius too */
sat_Status sat_shape_scale_about(sat_Shape *shape, double factor, sat_Vec2 pivot);
sat_Status sat_shape_transform(sat_Shape *shape, double x, double y,
                               double angle); /* move_to and set_rotation */
sat_Status sat_shape_set_radius(sat_Shape *shape, double radius);
/* Mirrored about its centroid in its own frame: left for right, or top for bottom. */
void sat_shape_flip(sat_Shape *shape, bool vertical);

/* What it is in a world. */
void sat_shape_set_sensor(sat_Shape *shape, bool on);
void sat_shape_set_static(sat_Shape *shape, bool on);
void sat_shape_set_enabled(sat_Shape *shape, bool on);
void sat_shape_set_filter(sat_Shape *shape, uint32_t category, uint32_t mask, int32_t group);
/* Its mass, 1 at first: of two shapes that are pushed apart each goes by the other's share, an
 * infinite one not at all. Fails with SAT_EVALUE for a mass that is NaN or not above 0. */
sat_Status sat_shape_set_mass(sat_Shape *shape, double mass);
double sat_shape_mass(const sat_Shape *shape);
/* Makes it solid, in a world, only for what comes from the side of a normal, which turns and flips
 * with the shape and is made of length 1; 0, 0: from every side, as at first. False: it is so. */
sat_Status sat_shape_set_one_way(sat_Shape *shape, sat_Vec2 normal);
bool sat_shape_one_way(const sat_Shape *shape, sat_Vec2 *normal);

/* Whether a move waits for an answer that the shape, or its world, must not be changed before. */
bool sat_shape_is_locked(const sat_Shape *shape);

/* Reading a shape. A concave polygon has the vertices of its ring, a chain its points, a compound
 * none. */
size_t sat_shape_vertex_count(const sat_Shape *shape);
sat_Vec2 sat_shape_vertex(const sat_Shape *shape,
                          size_t index); /* world; index < vertex_count, positive area */
sat_Vec2 sat_shape_center(const sat_Shape *shape);
double sat_shape_rotation(const sat_Shape *shape); /* the sum of what was given, not wrapped */
double sat_shape_scale_factor(const sat_Shape *shape);
double sat_shape_radius(const sat_Shape *shape);
double sat_shape_area(const sat_Shape *shape); /* the rounding counts */
/* The smallest box, rounded outward so that it always holds the shape. */
sat_Box sat_shape_bounds(const sat_Shape *shape);
/* The radius about the centroid that holds it all, rounded up. */
double sat_shape_bounding_radius(const sat_Shape *shape);
/* The support point: the point farthest along `direction`, which need not be of unit length but not
 * 0, 0. O(log n) */
sat_Vec2 sat_shape_support(const sat_Shape *shape, sat_Vec2 direction);

/* Whether two shapes may meet in a world, with Box2D's meaning: in the same group other than 0 the
 * sign decides, else each one's category must be in the other's mask. */
bool sat_shapes_filter(const sat_Shape *a, const sat_Shape *b);

/* ---------------------------------------------------------------- questions about two shapes */

/* Which shape an edge is from. */
typedef enum sat_Side { SAT_A, SAT_B } sat_Side;

/* How to part two shapes: move A by `vector`. */
typedef struct sat_Result {
  sat_Vec2 vector; /* the minimum translation vector */
  sat_Vec2 normal; /* of unit length, out of B towards A */
  double depth;    /* length of `vector`; 0 when the outlines only touch */
  sat_Side side;   /* the edge that decided is of this shape, */
  uint32_t edge;   /* this one, from vertex `edge` to the next; */
  bool corner;     /* or a corner on a corner decided, and it is A's vertex `edge` */
} sat_Result;

/* Whether A and B share a point. The sign near 0 is exact where neither has a radius. O(n + m) at
 * worst. */
sat_Status sat_overlaps(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch);

/* The shortest way out. Touching gives depth 0 and vector 0, 0. Of equally short ones (within 1e-12
 * of the depth and 8 units in the last place of the largest coordinate) the one with the largest
 * dot product with c = A's centroid - B's wins, then the largest cross product of c with it, then,
 * where the centroids coincide, the smallest angle from +x. SAT_MISS leaves `result` alone. Two
 * convex shapes take O(n + m). Shapes of several pieces take time and memory in proportion to the
 * pairs of pieces that are about as near each other as the way out is long: all pairs where all
 * pieces lie in one place. */
sat_Status sat_collide(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                       sat_Result *result);

/* Where two shapes touch once A has moved out: one or two points on the common line of the two
 * outlines, within both shapes as they are now, grown by the depth at most. Of convex shapes they
 * are the incident edge, clipped to the reference edge and projected on that line: Catto, Fast and
 * simple physics using sequential impulses, GDC 2006. */
typedef struct sat_Manifold {
  sat_Vec2 normal; /* of unit length, out of B towards A */
  double depth;    /* as sat_collide gives it */
  uint32_t count;  /* 1 or 2 */
  sat_Vec2 points[2];
} sat_Manifold;
sat_Status sat_contacts(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                        sat_Manifold *manifold);

/* The gap between two shapes and the closest points; 0 and one common point twice when they
 * meet. */
typedef struct sat_Distance {
  double distance;
  sat_Vec2 on_a, on_b;
} sat_Distance;
sat_Status sat_distance(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                        sat_Distance *result);

/* Whether B lies wholly inside A, outline included. */
sat_Status sat_contains(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch);
sat_Status sat_contains_point(const sat_Shape *shape, sat_Vec2 point, sat_Scratch *scratch);

/* Where a moving shape first meets another. */
typedef struct sat_Hit {
  double t;        /* the fraction of the way, 0 to 1 */
  sat_Vec2 normal; /* of unit length, out of what was hit; 0, 0 for a ray that starts inside */
  sat_Vec2 point;  /* of contact, in the world */
} sat_Hit;

/* Sweeps A by `motion` against B. Rounding is 1e-12 of the larger of both sizes and coordinates: an
 * overlap or gap up to that is a touch. Deeper in: t = 0 with the minimum translation vector's
 * normal if the motion leads further in, else SAT_MISS. Touching: t = 0 if the motion leads deeper
 * than rounding, else, as for grazing on the way, SAT_MISS. Where neither has an inside, crossing
 * is a hit. No iteration: the origin's ray against the Minkowski difference. Cyrus and Beck
 * 1978. */
sat_Status sat_cast(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, sat_Scratch *scratch,
                    sat_Hit *hit);

/* The segment from `from` to `to` against a shape. Starting inside: t = 0, normal 0, 0; on the
 * outline: t = 0 if it goes in, else SAT_MISS. Without length it is a point. */
sat_Status sat_raycast(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 to, sat_Scratch *scratch,
                       sat_Hit *hit);

/* ---------------------------------------------------------------- quadtree */

/* A box as one writes it down: from x to x + w and from y to y + h, the sums rounded as doubles
 * are, ends included. w and h are not negative. Two boxes overlap when they share a point: when
 * a.x <= b.x + b.w and b.x <= a.x + a.w, and likewise in y. */
typedef struct sat_Rectangle {
  double x, y, w, h;
} sat_Rectangle;

/* An item's number in its tree. The first is 0; that of one that was removed is used again. */
typedef uint32_t sat_Item;

/* Two items whose boxes overlap; a < b. */
typedef struct sat_ItemPair {
  sat_Item a, b;
} sat_ItemPair;

/* A part of the plane that the tree keeps together, for drawing: what it covers, how often the
 * largest such part was halved to get there, and how many items lie in it by their corner of least
 * x and y. */
typedef struct sat_Node {
  sat_Rectangle box;
  uint32_t level, count;
} sat_Node;

typedef SAT_LIST(sat_Item) sat_Items;
typedef SAT_LIST(sat_ItemPair) sat_ItemPairs;
typedef SAT_LIST(sat_Node) sat_Nodes;

/* How often a part of the plane may be halved at most. */
#define SAT_QUADTREE_DEEPEST 32

/* Boxes, found by place. A tree is one block of sat_quadtree_size() bytes in the caller's memory,
 * aligned as malloc's; its arrays come from the allocator. */
typedef struct sat_Quadtree sat_Quadtree;
size_t sat_quadtree_size(void);

/* An empty tree, which takes no memory yet. `area` (with width and height) is where most items are
 * expected; they may be anywhere. `capacity`, how many items a part should hold before it is split,
 * and `depth`, how often it may be, are hints, as is the area: what lies where decides. Fails with
 * SAT_ERANGE, and with SAT_EVALUE for an area without width or height, for capacity 0 and for a
 * depth above SAT_QUADTREE_DEEPEST. */
sat_Status sat_quadtree_init(sat_Quadtree *tree, sat_Allocator allocator, sat_Rectangle area,
                             uint32_t capacity, uint32_t depth);
/* Gives all memory back; afterwards the tree is as after sat_quadtree_init. */
void sat_quadtree_free(sat_Quadtree *tree);

/* Changing what is in it, each O(1) amortised. Boxes fail with SAT_ERANGE and SAT_EVALUE (w or h
 * below 0), and nothing has changed then, nor where there is no memory. `item` must be in the tree
 * wherever it is given. */
sat_Status sat_quadtree_insert(sat_Quadtree *tree, sat_Rectangle box, sat_Item *item);
sat_Status sat_quadtree_update(sat_Quadtree *tree, sat_Item item, sat_Rectangle box);
void sat_quadtree_remove(sat_Quadtree *tree, sat_Item item);
/* Two static items are no pair. At first none is. */
void sat_quadtree_set_static(sat_Quadtree *tree, sat_Item item, bool fixed);
/* Removes all and gives the memory back. */
void sat_quadtree_clear(sat_Quadtree *tree);
/* Adds many at once: items[i] becomes the number of boxes[i]. All or none. O(count) */
sat_Status sat_quadtree_build(sat_Quadtree *tree, const sat_Rectangle *boxes, size_t count,
                              sat_Item *items);

size_t sat_quadtree_count(const sat_Quadtree *tree);
bool sat_quadtree_has(const sat_Quadtree *tree, sat_Item item); /* any number may be asked about */
bool sat_quadtree_is_static(const sat_Quadtree *tree, sat_Item item);
sat_Rectangle sat_quadtree_box(const sat_Quadtree *tree, sat_Item item); /* exactly as given */
/* What the tree has taken from its allocator. */
size_t sat_quadtree_bytes(const sat_Quadtree *tree);

/* Questions. They first settle what has changed, for which they may need memory: besides what is
 * said below each fails with SAT_ENOMEM, and then nothing has changed that a caller can see. What
 * they find depends on nothing but the calls made so far. */

/* All items whose boxes overlap this one, each once, in ascending order. Fails as insert does. */
sat_Status sat_quadtree_query(sat_Quadtree *tree, sat_Rectangle box, sat_Items *found);

/* All pairs of items whose boxes overlap, each once, unless both are static, in one walk over the
 * tree. Their order is that of the walk: the same calls give the same order, nothing more can be
 * relied on. */
sat_Status sat_quadtree_pairs(sat_Quadtree *tree, sat_ItemPairs *found);

/* Is shown an item and how far it is, and returns the limit from now on: what is farther than it
 * need not be shown any more; a negative one ends the search. It may not change the tree. */
typedef double (*sat_Visit)(void *context, sat_Item item, double distance);

/* The items whose boxes the segment meets, ends included, exactly, each once, with the fraction of
 * the way at which it enters, 0 where it starts inside. Roughly from the start to the end, but not
 * in order: it is for the caller to remember the nearest and lower the limit, which is 1 at first.
 * A segment without length is a point. Fails with SAT_ERANGE. */
sat_Status sat_quadtree_raycast(sat_Quadtree *tree, sat_Vec2 from, sat_Vec2 to, sat_Visit visit,
                                void *context);

/* The items whose boxes are no farther than `limit` from the point, each once, with the distance, 0
 * inside. Roughly from near to far, but not in order. `limit` may be INFINITY. Fails with
 * SAT_ERANGE for the point, SAT_EVALUE for a limit that is negative or NaN. */
sat_Status sat_quadtree_nearest(sat_Quadtree *tree, sat_Vec2 point, double limit, sat_Visit visit,
                                void *context);

/* The parts of the plane that hold items, larger before smaller. */
sat_Status sat_quadtree_nodes(sat_Quadtree *tree, sat_Nodes *nodes);

/* ---------------------------------------------------------------- world */

/* Shapes have a number in their world. The next one that is added gets the lowest that is free.
 * Besides they have an id, which is never given again. */

/* Instead of the number of a shape that is not in the world. */
#define SAT_NO_SHAPE 0xffffffffu

/* Two shapes that collide; dx, dy moves A out of B. */
typedef struct sat_Collision {
  uint32_t a, b;
  double dx, dy, depth;
} sat_Collision;

/* Two shapes of which an update has something to say; a < b. */
typedef struct sat_Event {
  uint32_t a, b;
  uint64_t id_a, id_b;
} sat_Event;

typedef SAT_LIST(sat_Collision) sat_Collisions;
typedef SAT_LIST(sat_Event) sat_Events;

/* The first shape that a cast or a ray meets. */
typedef struct sat_CastHit {
  uint32_t other;
  sat_Hit hit;
} sat_CastHit;

/* The shape that is nearest to a point, and its own point that is. */
typedef struct sat_NearestHit {
  uint32_t other;
  double distance;
  sat_Vec2 point;
} sat_NearestHit;

/* ---------------------------------------------------------------- moving in a world */

/* How a moving shape responds to a surface, and how a hit came about. */
typedef enum sat_Response {
  SAT_SLIDE,  /* goes on along the surface */
  SAT_TOUCH,  /* stops */
  SAT_BOUNCE, /* goes on mirrored */
  SAT_CROSS,  /* goes on as if nothing were there, and reports it */
  SAT_IGNORE, /* the same, and does not report it */
  SAT_ASK,    /* the caller answers for each shape that is really hit */
  SAT_FREED,  /* of a hit only: the shape was inside and has been moved out */
  SAT_STUCK   /* of a hit only: there was no way out */
} sat_Response;

/* What a move met. */
typedef struct sat_MoveHit {
  uint32_t other;  /* its number, */
  uint64_t id;     /* and its id */
  sat_Vec2 normal; /* of unit length, out of the other shape */
  sat_Vec2 point;  /* of contact, in the world */
  double t;        /* the fraction of the motion, 0 to 1 */
  sat_Response how;
} sat_MoveHit;

typedef SAT_LIST(sat_MoveHit) sat_MoveHits;

/* What a move comes to. */
typedef struct sat_MoveResult {
  sat_Vec2 centroid; /* where the shape's centroid is afterwards */
  sat_Vec2 rest;     /* the motion as the surfaces still touched at the end leave it */
  size_t count;      /* of hits */
} sat_MoveResult;

/* What a platform has carried or pushed. */
typedef struct sat_CarryResult {
  size_t count, crushed;
} sat_CarryResult;

/* What a carry has moved. */
typedef struct sat_Carried {
  uint32_t other;  /* its number, */
  uint64_t id;     /* and its id */
  sat_Vec2 motion; /* how far it has really gone */
  bool crushed;    /* it had no way out and stays where it was */
  bool held;       /* a wall holds it back */
} sat_Carried;

typedef SAT_LIST(sat_Carried) sat_CarriedShapes;

/* Shapes, their index and their collisions. A world is one block of sat_world_size() bytes in the
 * caller's memory, aligned as malloc's; its arrays come from the allocator. The shapes are the
 * caller's, too: each has to be there until it is removed, or the world cleared, freed or
 * discarded. */
typedef struct sat_World sat_World;
size_t sat_world_size(void);

/* An empty world. `changes` is the caller's, too, and has to be there as long as any shape is in
 * the world. */
void sat_world_init(sat_World *world, sat_Allocator allocator, sat_ChangeList *changes);
/* Removes all shapes and gives all memory back; afterwards the world is as after
 * sat_world_init, but that ids go on. */
void sat_world_free(sat_World *world);

/* Gives all memory back where shapes may be gone already: it does not look at them. Those that are
 * not remain in a world that takes no notice of them, and which is not to be used any more. */
void sat_world_discard(sat_World *world);

/* Adds a shape. Fails with SAT_ETAKEN when it is in a world, this or another one. O(log n)
 * amortised. */
sat_Status sat_world_add(sat_World *world, sat_Shape *shape);
/* Makes room for so many more, so that adding them cannot fail for want of memory. */
sat_Status sat_world_reserve_more(sat_World *world, size_t count);
/* The shape must be in the world. O(log n) */
void sat_world_remove(sat_World *world, sat_Shape *shape);
/* Removes all. The next update tells of the end of every pair that touched at the last one. */
void sat_world_clear(sat_World *world);

bool sat_world_has(const sat_World *world, const sat_Shape *shape);
size_t sat_world_count(const sat_World *world);
/* All shapes, disabled ones too, in ascending order. */
sat_Status sat_world_shapes(const sat_World *world, sat_Items *found);
/* All numbers of its shapes are below this. */
uint32_t sat_world_end(const sat_World *world);
/* The shape with a number, or NULL. */
sat_Shape *sat_world_shape(const sat_World *world, uint32_t index);
/* Its id, or 0 where the number is free. */
uint64_t sat_world_id(const sat_World *world, uint32_t index);
/* What the next shape's id will be. Who remembers it along with an answer knows later that a number
 * of the answer still is of the same shape: when its id is not 0 and less. */
uint64_t sat_world_next_id(const sat_World *world);
/* Whether, were the shape removed now, the next update would tell of the end of a pair of it. */
bool sat_world_has_contact_events(const sat_World *world, const sat_Shape *shape);
/* What the world has taken from its allocator. */
size_t sat_world_bytes(const sat_World *world);

/* Questions first settle what has changed, for which they may need memory: besides what is said
 * below each fails with SAT_ENOMEM, and then nothing has changed that a caller can see. A disabled
 * shape is in no answer. Unless said otherwise lists of shapes are in ascending order, and pairs
 * are in ascending order of A and then of B. */

/* All pairs that collide, each once; a < b. Two static shapes are no pair, nor are two sensors, nor
 * two that sat_shapes_filter keeps apart. */
sat_Status sat_world_collisions(sat_World *world, sat_Collisions *found);
/* Those of one shape, which may be in another world or in none: as A, which is SAT_NO_SHAPE
 * then. */
sat_Status sat_world_collisions_of(sat_World *world, const sat_Shape *shape, sat_Collisions *found);

/* The world's count of changes: whoever remembers it along with a collision can bring that up to
 * date later. SAT_MISS: the two do not touch any more. Both must be in the world. */
uint64_t sat_world_change_count(const sat_World *world);
sat_Status sat_world_refresh_collision(sat_World *world, uint64_t change_count,
                                       sat_Collision *collision);

/* Compares what touches with what did at the last update. A pair touches that collides, or whose
 * gap is what rounding may have left of a push: see sat_cast. */
sat_Status sat_world_update(sat_World *world);
/* What that has found: pairs that collide and did not, that did already, that do no more. */
typedef enum sat_EventKind { SAT_BEGIN, SAT_PERSIST, SAT_END } sat_EventKind;
size_t sat_world_event_count(const sat_World *world, sat_EventKind change);
sat_Status sat_world_events(const sat_World *world, sat_EventKind change, sat_Events *found);

/* Pushes overlapping solid shapes apart, pair by pair in ascending order, each by half or all of it
 * against a static one; so many times over, or until nothing is pushed any more. `pushed` (may be
 * NULL) becomes how many pairs were pushed the last time. */
sat_Status sat_world_separate(sat_World *world, uint32_t iterations, size_t *pushed);

/* What holds a point, what touches a box, what touches a shape. The shape may be in another world
 * or in none and is not among the answers; its filter counts. The box fails as that of a quadtree
 * does, and with SAT_ERANGE where its end is beyond the limits. */
sat_Status sat_world_at(sat_World *world, sat_Vec2 point, sat_Items *found);
sat_Status sat_world_query(sat_World *world, sat_Rectangle box, sat_Items *found);
sat_Status sat_world_query_shape(sat_World *world, const sat_Shape *shape, sat_Items *found);

/* The parts of the plane that hold shapes which are not disabled, as the quadtree keeps them
 * together. */
sat_Status sat_world_nodes(sat_World *world, sat_Nodes *nodes);

/* The rest sees solid shapes only. Of equally near ones that of the lowest number is first. */

/* The first shape that this one meets on its way, as sat_cast says; its filter counts. Fails with
 * SAT_ERANGE. */
sat_Status sat_world_cast(sat_World *world, const sat_Shape *shape, sat_Vec2 motion,
                          sat_CastHit *first);
/* The first that a segment meets, and all of them by where it meets them. Fail with SAT_ERANGE. */
sat_Status sat_world_raycast(sat_World *world, sat_Vec2 from, sat_Vec2 to, sat_CastHit *first);
sat_Status sat_world_raycast_all(sat_World *world, sat_Vec2 from, sat_Vec2 to, sat_Items *found);
/* The nearest one that is no farther than `limit`, which may be INFINITY, and the `count` nearest,
 * near ones first. Fail with SAT_ERANGE, and SAT_EVALUE for a limit that is negative or NaN. */
sat_Status sat_world_nearest(sat_World *world, sat_Vec2 point, double limit,
                             sat_NearestHit *nearest);
sat_Status sat_world_nearest_all(sat_World *world, sat_Vec2 point, size_t count, sat_Items *found);

/* Moves a shape, which may be in this world, another one, or none, as far as what it meets allows.
 * It never overlaps afterwards what it did not overlap before. A sensor crosses everything, and is
 * crossed. `result` is untouched where the status is not SAT_OK. Fails with SAT_ERANGE where the
 * motion leads beyond the limits. */
sat_Status sat_world_move(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                          sat_Response response, sat_MoveResult *result);
/* The same answer, but the shape stays where it is. */
sat_Status sat_world_check(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                           sat_Response response, sat_MoveResult *result);
/* What the last move or check met, in order. A copy stays as it is when the shape moves on. */
const sat_MoveHits *sat_world_hits(const sat_World *world);
sat_Status sat_world_copy_hits(const sat_World *world, sat_MoveHits *copy);

/* The shortest way for a shape out of everything solid at once: moved by the vector it overlaps
 * nothing solid, and no shorter vector does that. SAT_MISS: it touches nothing solid. */
sat_Status sat_world_collide(sat_World *world, sat_Shape *shape, sat_Result *way);

/* The same step by step, for a caller who answers for each shape that is hit: begin with SAT_ASK,
 * then run. SAT_MISS means that `question` waits for sat_world_move_answer, after which the move
 * runs on; SAT_OK, that it is done and may be ended. While a question is open nothing has changed,
 * and the world may be asked anything, but must not be changed; a move that is not ended is
 * cancelled. A run that fails is cancelled already. */
sat_Status sat_world_move_begin(sat_World *world, sat_Shape *shape, sat_Vec2 motion,
                                sat_Response response);
sat_Status sat_world_move_run(sat_World *world, sat_MoveHit *question);
sat_Status sat_world_move_answer(sat_World *world, uint32_t other, sat_Response response);
void sat_world_move_cancel(sat_World *world);
/* Moves a platform by a vector and turns it about its new centroid. What stands on it, with a
 * normal within 60 degrees of `up`, comes along, and what is in its way is pushed, each by a move
 * that slides; what has no way out is crushed, which is left where it was. Fails with SAT_ERANGE,
 * and with SAT_EVALUE where `up` has no length. */
sat_Status sat_world_carry(sat_World *world, sat_Shape *platform, sat_Vec2 vector, double angle,
                           sat_Vec2 up, sat_CarryResult *result);
/* What the last carry has moved, in the order of adding. */
const sat_CarriedShapes *sat_world_carried(const sat_World *world);
sat_Status sat_world_copy_carried(const sat_World *world, sat_CarriedShapes *copy);

/* `stay`: the shape stays where it is. */
sat_MoveResult sat_world_move_end(sat_World *world, bool stay);

/* Saving writes down everything but `owner`, bit for bit and the same on every platform: the shapes
 * with their numbers and ids, and which pairs touched at the last update. */
size_t sat_world_saved_size(const sat_World *world);
void sat_world_save(const sat_World *world, void *bytes);

/* A saved world that has been looked through. It points to the bytes, which have to stay. */
typedef struct sat_Saved {
  const unsigned char *bytes, *taken, *shapes, *pairs;
  uint64_t next_id;
  uint32_t end, count, pair_count;
} sat_Saved;

/* Looks through bytes of which nothing is known. Fails with SAT_ESAVED unless the framing and every
 * number are as sat_world_save may have written them, so that the sizes of all blocks are bounded
 * by the size of the bytes, and with SAT_EVERSION where another version has written them. */
sat_Status sat_saved_open(sat_Saved *saved, const void *bytes, size_t size, sat_Scratch *scratch);

/* One of its shapes. */
typedef struct sat_SavedShape {
  uint64_t id;
  uint32_t index;
  size_t bytes; /* of the block that it needs */
  const unsigned char *record;
} sat_SavedShape;

/* The first shape, where `record` is NULL, or the next one, in ascending order. False: there are no
 * more. */
bool sat_saved_next(const sat_Saved *saved, sat_SavedShape *shape);

/* Which shapes of a world are saved, too: sets blocks[i], for each of the `count` saved ones, to
 * the shape that has its id, or to NULL where there is none, or where it is made of something else:
 * of another number of vertices, or, of several parts, of other points or members. */
sat_Status sat_world_match(sat_World *world, const sat_Saved *saved, sat_Shape **blocks);

/* Makes the world what was saved. The shapes that it has now are removed; the saved ones are
 * written into `blocks`, all but their `owner`, which stays. A block is what sat_world_match gave,
 * or, where that is NULL, one of the caller's, with an owner, and whose `changes` is NULL. Every
 * shape is built again as its constructor would: fails with SAT_ESAVED where one would refuse, and
 * then the world is as it was. No update tells of what comes or goes by loading, and until the next
 * one there is nothing that the last one has found. Ids that have been given are not given
 * again. */
sat_Status sat_world_load(sat_World *world, const sat_Saved *saved, sat_Shape *const *blocks);

#endif
