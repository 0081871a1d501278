/* sat.h: 2D collision detection by the separating axis theorem: rings of vertices, shapes, and
 * queries of two shapes. sat_polygon.h and sat_world.h, included at the end, add polygons of rings
 * with holes, and quadtrees and worlds. */
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
/* Conventions
 *   Units    are the caller's. Numbers are doubles. Angles are radians, positive from +x towards
 *            +y, which is clockwise on a screen whose y points down.
 *   Shapes   are closed sets: two shapes that only touch collide, with depth 0.
 *   Normals  and vectors of a pair point out of B towards A: moving A along them leads it out of B.
 *   Memory   is the caller's. A shape, quadtree or world is one block of the size that a function
 *            tells, aligned as malloc's. A shape in no world ends with its block; lists, scratch
 *            memory, quadtrees and worlds have arrays, which a function of theirs frees.
 *   Failure  is a sat_Status. A call that returns neither SAT_OK nor SAT_MISS has changed nothing
 *            that the caller can see. The library never aborts, prints, or keeps state of its own.
 *   Threads  may query the same shape at once while none changes it; each needs its own scratch.
 *   Bits     are the same on every 64-bit platform, compiler and optimisation level.
 */
#ifndef SAT_H
#define SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SAT_VERSION "0.2.0"

/* ---------------------------------------------------------------- basics */

/* The largest magnitude of coordinates, lengths and angles, given or reached by a transform. */
#define SAT_LIMIT 1e15
/* The least radius but 0, and the least magnitude of a vertex's coordinate that should be given:
 * products of smaller numbers would vanish. */
#define SAT_TINY 1e-100

typedef enum sat_Status {
  SAT_OK = 0,   /* done; of a query: yes */
  SAT_MISS,     /* of a query: no. No error */
  SAT_ENOMEM,   /* the allocator gave no memory */
  SAT_ERANGE,   /* a number is NaN, infinite or beyond SAT_LIMIT, or would become so */
  SAT_EVALUE,   /* a number has no meaning here: a negative radius, a scale factor of 0 */
  SAT_EFEW,     /* fewer than three distinct vertices are left; no point; no member */
  SAT_EAREA,    /* all vertices lie on one line */
  SAT_ECROSS,   /* two edges of the ring cross, or run along each other */
  SAT_ECONCAVE, /* the ring is simple but not convex */
  SAT_EHOLE,    /* a hole lies outside the ring, or in another hole */
  SAT_ETAKEN,   /* the shape is in a world already */
  SAT_ESAVED,   /* the bytes are no saved world, or a damaged one */
  SAT_EVERSION, /* the bytes are a world that another version has saved in another format */
  SAT_EDEEP,    /* compounds are nested more than 500 deep */
  SAT_EBASE,    /* a delta belongs to another base than the world's, or a base to another world */
  SAT_ECROWD,   /* the way out of two shapes of many pieces would take more than 128 MB */
  SAT_EMANY     /* polygons cross or run side by side too often: see sat_boolean */
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

/* A list that a query fills. All fields but the allocator are zero at first; a query empties its
 * list and grows it as needed, and leaves it empty if it fails. SAT_LIST_FREE frees the memory of a
 * list, which may be used again. */
#define SAT_LIST(T)                                                                                \
  struct {                                                                                         \
    T *at;                                                                                         \
    size_t count, capacity;                                                                        \
    sat_Allocator allocator;                                                                       \
  }
#define SAT_LIST_FREE(list) sat_list_free(list, sizeof *(list)->at)
void sat_list_free(void *list, size_t element_size);

/* Working memory, reused by every call that is given it. `uses` counts those calls: an answer that
 * lives in the scratch memory is valid until `uses` changes. sat_scratch_free frees the block; the
 * scratch may be used again. */
typedef struct sat_Scratch {
  void *block;
  size_t bytes;
  sat_Allocator allocator;
  size_t uses;
} sat_Scratch;
sat_Scratch sat_scratch_make(sat_Allocator allocator);
void sat_scratch_free(sat_Scratch *scratch);

/* The sine and cosine of an angle up to SAT_LIMIT, within one unit in the last place. An angle
 * within rounding of a quarter turn counts as one, so that quarter turns about a pivot of whole
 * numbers keep vertices of whole numbers whole. */
void sat_sine_cosine(double angle, double *sine, double *cosine);

/* ---------------------------------------------------------------- rings of vertices */

/* The vertices or edges where a ring is invalid, as indices into the list as given, before
 * cleaning. SAT_ERANGE: `first` is the vertex. SAT_ECROSS, SAT_ECONCAVE: `first` and `second` are
 * edges, edge k from vertex k to the next; those of SAT_ECONCAVE share a vertex. Else 0. */
typedef struct sat_RingError {
  size_t first, second;
} sat_RingError;

/* Cleans a ring in place, exactly: drops repeated neighbours, a last vertex equal to the first,
 * vertices on straight lines and spikes without width, and orders the ring by positive area
 * (clockwise where y points down), from the first kept vertex on. `*count` becomes the number of
 * vertices kept. A ring may touch itself, at a vertex or along a bridge to a hole, but not cross
 * itself. Fails with SAT_ERANGE, SAT_EFEW, SAT_EAREA, SAT_ECROSS, SAT_ENOMEM. `error` may be NULL.
 * O(n log n). */
sat_Status sat_ring_clean(sat_Vec2 *points, size_t *count, sat_Scratch *scratch,
                          sat_RingError *error);

/* Joins holes to a ring by bridges, which the result walks once each way, and cleans the result as
 * sat_ring_clean does. The given ring k has the points first[k] to first[k + 1] - 1: ring 0 goes
 * round all others, which are its holes and lie outside each other, in any order of points. They
 * may touch, at vertices or along edges. `ring` has room for as many points as given and two more
 * for each hole; its contents are undefined after a failure. Fails as sat_ring_clean does, with
 * indices into `given`, and with SAT_EHOLE, where `first` is a vertex of the hole; of a ring that
 * has too few vertices or no area, `first` is its first vertex. Exact. O(n log n). The bridge leads
 * to the vertex that a sweep line has met last in the face. De Berg et al., Computational Geometry,
 * section 3.2, 2008. */
sat_Status sat_ring_join(const sat_Vec2 *given, const uint32_t *first, size_t rings, sat_Vec2 *ring,
                         size_t *count, sat_Scratch *scratch, sat_RingError *error);

/* Whether a cleaned ring is convex, exactly. If not, `error` (may be NULL) has the two edges at a
 * reflex vertex or, in a ring that touches itself and has none, at a vertex where it goes round a
 * second time, as indices into `points`. O(n). */
bool sat_ring_is_convex(const sat_Vec2 *points, size_t count, sat_RingError *error);

/* The convex hull, in place and exactly: no vertex on a straight line, ordered by positive area.
 * Fails as sat_ring_clean does, but never with SAT_ECROSS. O(n log n). Andrew, Another efficient
 * algorithm for convex hulls in two dimensions, 1979. */
sat_Status sat_hull(sat_Vec2 *points, size_t *count, sat_Scratch *scratch, sat_RingError *error);

/* The area (positive in the order of positive area), the length of the closed boundary, and the
 * centroid of the area. */
double sat_ring_area(const sat_Vec2 *points, size_t count);
double sat_ring_perimeter(const sat_Vec2 *points, size_t count);
sat_Vec2 sat_ring_centroid(const sat_Vec2 *points, size_t count);

/* A vertex of a piece, and the piece's edge from it to the next vertex. */
typedef struct sat_Corner {
  uint32_t vertex; /* index in the ring; one index for all vertices of the ring in one place */
  bool internal;   /* the edge lies inside the ring: other pieces share all of it */
  bool reflex;     /* the ring's inside fills more than a half turn around the vertex */
} sat_Corner;

/* Piece k has the corners first[k] to first[k + 1] - 1, ordered by positive area, none of them on a
 * straight line. */
typedef struct sat_Decomposition {
  uint32_t count;
  const uint32_t *first;
  const sat_Corner *corners;
} sat_Decomposition;

/* Cuts a cleaned ring into convex pieces without overlap that cover its area, along diagonals
 * between its vertices. A bridge to a hole is an internal edge; a bridge between two parts that
 * nothing else connects is in no piece. `decomposition` lives in the scratch memory. Exact. Fails
 * with SAT_ENOMEM. O(n log n). Hertel and Mehlhorn, Fast triangulation of simple polygons, 1983. */
sat_Status sat_ring_decompose(const sat_Vec2 *points, size_t count, sat_Scratch *scratch,
                              sat_Decomposition *decomposition);

/* ---------------------------------------------------------------- shapes */

/* A shape: a convex one is the set of all points within `radius` of the convex hull of its
 * vertices; a composite one (a concave polygon, chain or compound) is the union of convex pieces,
 * which move and answer as one. Its block has local geometry, a transform, and an owner. */
typedef struct sat_Shape sat_Shape;

typedef enum sat_Kind {
  SAT_POINT,   /* one vertex, no radius */
  SAT_CIRCLE,  /* one vertex */
  SAT_SEGMENT, /* two vertices, no radius */
  SAT_CAPSULE, /* two vertices */
  SAT_POLYGON, /* three or more, with or without radius, or a concave ring */
  SAT_CHAIN,   /* consecutive segments */
  SAT_COMPOUND /* one rigid shape of copies of several */
} sat_Kind;

/* Makes a convex shape in a block of sat_shape_bytes(count) bytes. The points are world coordinates
 * and kept exactly as given; three or more must be a cleaned convex ring. Two equal points make one
 * vertex. Fails with SAT_ERANGE, SAT_EVALUE (a radius that is negative or, but for 0, below
 * SAT_TINY), SAT_EFEW (no point). O(n). sat_shape_init_about takes points relative to `centroid`,
 * which it takes for theirs: regular polygons and ellipses would lose digits far from 0, 0. */
size_t sat_shape_bytes(size_t vertex_count);
sat_Status sat_shape_init(sat_Shape *block, const sat_Vec2 *points, size_t count, double radius);
sat_Status sat_shape_init_about(sat_Shape *block, sat_Vec2 centroid, const sat_Vec2 *points,
                                size_t count, double radius);

/* Composite shapes, in blocks of the size that the first function of each pair tells; 0: the block
 * would be too large. Each fails with SAT_ERANGE, besides the statuses named.
 *
 * A concave polygon: the ring must be cleaned. A convex ring is allowed, but sat_shape_init suits
 * it better. O(n log n). */
size_t sat_polygon_bytes(size_t count, const sat_Decomposition *decomposition);
sat_Status sat_polygon_init(sat_Shape *block, const sat_Vec2 *ring, size_t count,
                            const sat_Decomposition *decomposition);

/* A rigid shape of copies of others as they are now; composite members give their pieces. SAT_EFEW:
 * no members. SAT_EDEEP. */
size_t sat_compound_bytes(const sat_Shape *const *members, size_t count);
sat_Status sat_compound_init(sat_Shape *block, const sat_Shape *const *members, size_t count);

/* A chain of segments from each point to the next and, if closed, from the last to the first.
 * Repeated neighbours are dropped. SAT_EFEW: no point.
 *
 * A chain has no inside: shapes overlap it where they share a point with a segment. Segments know
 * their neighbours, so that a shape slides over their common vertices. An open chain is two-sided.
 * A closed chain of three points or more is one-sided: its front is on the right hand of the
 * direction of its points where x points right and y up, which is outside for points in the order
 * of positive area. A shape is pushed out to the front however deep it is, casts and rays from
 * behind pass, and where the front has no room the way out leads past the chain's box. */
size_t sat_chain_bytes(size_t count);
sat_Status sat_chain_init(sat_Shape *block, const sat_Vec2 *points, size_t count, bool closed);

/* The size of a shape's block, and a copy in another block of that size, without owner or world. */
size_t sat_shape_size(const sat_Shape *shape);
void sat_shape_copy(sat_Shape *block, const sat_Shape *shape);

/* A pointer of the caller's, NULL at first. */
void *sat_shape_owner(const sat_Shape *shape);
void sat_shape_set_owner(sat_Shape *shape, void *owner);

/* The convex pieces; a convex shape has one. sat_shape_piece_init makes a shape of a piece as it is
 * now, with the filter, flags and mass of the whole, in a block of
 * sat_shape_bytes(sat_shape_piece_size(shape, index)) bytes. */
bool sat_shape_is_convex(const sat_Shape *shape);
size_t sat_shape_piece_count(const sat_Shape *shape);
size_t sat_shape_piece_size(const sat_Shape *shape, size_t index); /* its number of vertices */
sat_Vec2 sat_shape_piece_vertex(const sat_Shape *shape, size_t index, size_t vertex);
double sat_shape_piece_radius(const sat_Shape *shape, size_t index);
sat_Status sat_shape_piece_init(sat_Shape *block, const sat_Shape *shape, size_t index);

/* The parts, as the maker of a shape counts them, here from 0: a compound's members, those of a
 * compound among them in turn, as many as its own; a chain's segments, part k from vertex k to the
 * next one; all else is one part. No change of a shape changes them. sat_shape_part_init makes a
 * shape of a part as it is now, with the filter, flags and mass of the whole, in a block of
 * sat_shape_part_bytes bytes; where the part is all of a shape, a copy. Fails with SAT_ERANGE,
 * SAT_ENOMEM. O(pieces). */
size_t sat_shape_part_count(const sat_Shape *shape);
size_t sat_shape_part_bytes(const sat_Shape *shape, size_t part);
sat_Status sat_shape_part_init(sat_Shape *block, const sat_Shape *shape, size_t part,
                               sat_Scratch *scratch);

/* Transforms, about the centroid unless a pivot is given. Each fails with SAT_ERANGE, and
 * SAT_EVALUE for a factor or radius that is no size. Moving is O(1), the others O(n). The local
 * geometry is kept, so that a million small rotations do not distort it; until the first transform
 * but a move, the vertices are exactly those given, plus the moves. sat_shape_transform sets the
 * centroid and the rotation at once. */
sat_Status sat_shape_move(sat_Shape *shape, double dx, double dy);
sat_Status sat_shape_move_to(sat_Shape *shape, double x, double y); /* of the centroid */
sat_Status sat_shape_rotate(sat_Shape *shape, double angle);
sat_Status sat_shape_rotate_about(sat_Shape *shape, double angle, sat_Vec2 pivot);
sat_Status sat_shape_set_rotation(sat_Shape *shape, double angle);
sat_Status sat_shape_set_rotation_about(sat_Shape *shape, double angle, sat_Vec2 pivot);
sat_Status sat_shape_transform(sat_Shape *shape, double x, double y, double angle);
sat_Status sat_shape_scale(sat_Shape *shape, double factor); /* factor > 0; scales the radius too */
sat_Status sat_shape_scale_about(sat_Shape *shape, double factor, sat_Vec2 pivot);
sat_Status sat_shape_set_radius(sat_Shape *shape, double radius);
/* Mirrors left for right, or top for bottom, in the shape's own frame. */
sat_Status sat_shape_flip(sat_Shape *shape, bool vertical);
/* Scales the vertices about the centroid along the shape's own axes, by factors above 0, but no
 * radius, so that a point or a circle stays as it is. The centroid of a chain or compound may move;
 * the point where it was stays. SAT_EAREA: a polygon or piece would lose its area. */
sat_Status sat_shape_scale_axes(sat_Shape *shape, double sx, double sy);
/* Makes a convex shape of four vertices an upright rectangle, which keeps the filter, flags, mass
 * and one-way normal. SAT_EVALUE: another shape; SAT_EAREA: a side is lost to rounding. */
sat_Status sat_shape_set_rectangle(sat_Shape *shape, double x, double y, double w, double h);

/* Geometry in world coordinates. A concave polygon has the vertices of its ring, a chain its
 * points, a compound none. Vertices are in the order of positive area. */
sat_Kind sat_shape_kind(const sat_Shape *shape);
const char *sat_kind_name(sat_Kind kind); /* "point", "circle", ..., static */
size_t sat_shape_vertex_count(const sat_Shape *shape);
sat_Vec2 sat_shape_vertex(const sat_Shape *shape, size_t index);
sat_Vec2 sat_shape_center(const sat_Shape *shape); /* the centroid */
double sat_shape_rotation(const sat_Shape *shape); /* the sum of all angles given, not wrapped */
double sat_shape_scale_factor(const sat_Shape *shape);
double sat_shape_radius(const sat_Shape *shape);
/* The area, with the radius but for concave polygons and chains; of a compound the members' sum. */
double sat_shape_area(const sat_Shape *shape);
sat_Box sat_shape_bounds(const sat_Shape *shape); /* rounded outward: it contains the shape */
double sat_shape_bounding_radius(const sat_Shape *shape); /* about the centroid, rounded up */
/* The point farthest along `direction`, of any length but 0. O(log n) of a convex shape. */
sat_Vec2 sat_shape_support(const sat_Shape *shape, sat_Vec2 direction);
/* The least and greatest dot product of `axis`, of any length but 0, with a point of the shape. */
typedef struct sat_Interval {
  double low, high;
} sat_Interval;
sat_Interval sat_shape_project(const sat_Shape *shape, sat_Vec2 axis);

/* Properties in a world. A sensor is reported but never solid; two static shapes are never paired;
 * a disabled shape is in no answer. */
void sat_shape_set_sensor(sat_Shape *shape, bool on);
void sat_shape_set_static(sat_Shape *shape, bool on);
void sat_shape_set_enabled(sat_Shape *shape, bool on);
bool sat_shape_is_sensor(const sat_Shape *shape);
bool sat_shape_is_static(const sat_Shape *shape);
bool sat_shape_is_enabled(const sat_Shape *shape);
/* Filters as in Box2D: shapes of one group but 0 meet if it is positive; others meet if the
 * category of each is in the mask of the other. At first: category 1, all masks, group 0. */
void sat_shape_set_filter(sat_Shape *shape, uint32_t category, uint32_t mask, int32_t group);
void sat_shape_filter(const sat_Shape *shape, uint32_t *category, uint32_t *mask, int32_t *group);
bool sat_shapes_filter(const sat_Shape *a, const sat_Shape *b);
/* The mass, 1 at first: of two shapes that are pushed apart each moves by the other's share, one of
 * infinite mass not at all. SAT_EVALUE: NaN or not above 0. */
sat_Status sat_shape_set_mass(sat_Shape *shape, double mass);
double sat_shape_mass(const sat_Shape *shape);
/* Makes a shape solid, in a world, only for shapes that come from the side of a normal, which
 * rotates and flips with the shape and is normalised; 0, 0: from every side, as at first. The
 * reader returns false for 0, 0. SAT_ERANGE. */
sat_Status sat_shape_set_one_way(sat_Shape *shape, sat_Vec2 normal);
bool sat_shape_one_way(const sat_Shape *shape, sat_Vec2 *normal);
/* Whether a move waits for an answer, until which the shape must not change. */
bool sat_shape_is_locked(const sat_Shape *shape);

/* ---------------------------------------------------------------- queries of two shapes */

typedef enum sat_Side { SAT_A, SAT_B } sat_Side;

/* The minimum translation of A out of B. */
typedef struct sat_Result {
  sat_Vec2 vector;
  sat_Vec2 normal; /* of unit length, out of B towards A */
  double depth;    /* the length of `vector`; 0 where the shapes only touch */
  sat_Side side;   /* the shape with the deciding edge, */
  uint32_t edge;   /* and the edge, from vertex `edge` to the next; */
  bool corner;     /* or two vertices decide, and A's is `edge` */
  bool tied;       /* others may be equally short */
} sat_Result;

/* Whether A and B share a point. Exact where neither has a radius. O(n + m) at worst. */
sat_Status sat_overlaps(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch);

/* The minimum translation vector. Touching gives depth 0 and vector 0, 0. A point, segment or chain
 * overlaps a solid where a part of it is in the inside of the union of the solid's closed pieces.
 * Lines overlap where one passes from one side of the other to the other side, at a point or along
 * a shared stretch: where around what they have in common arms of A, B, A and B follow each other.
 * The segments of a chain or a compound count as one set of points. Vectors count as equally
 * short within 1e-12 of the depth and 8 units in the last place of the largest coordinate: then the
 * one with the largest dot product with c = A's centroid - B's wins, then the most upright one,
 * then the largest cross product of c with it; where the centroids coincide within 1e-12 of sizes
 * and coordinates, the most upright one, then that which leads up (-y), then to the right. Products
 * of unit vectors count as equal within 1e-12. SAT_MISS leaves `result` as it was. O(n + m) for
 * convex shapes; for composite shapes, time and memory grow with the pairs of pieces whose distance
 * is about the vector's length or less. */
sat_Status sat_collide(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                       sat_Result *result);

/* One or two contact points on the common line of the two boundaries once A has moved out, within
 * both shapes as they are now, grown by the depth. For convex shapes: the incident edge, clipped to
 * the reference edge and projected on that line (Catto, Fast and simple physics using sequential
 * impulses, GDC 2006). */
typedef struct sat_Manifold {
  sat_Vec2 normal; /* and depth: as sat_collide gives them */
  double depth;
  uint32_t count; /* 1 or 2 */
  sat_Vec2 points[2];
} sat_Manifold;
sat_Status sat_contacts(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                        sat_Manifold *manifold);

/* The distance and the closest points. Shapes that share a point have distance 0, and one common
 * point twice. */
typedef struct sat_Distance {
  double distance;
  sat_Vec2 on_a, on_b;
} sat_Distance;
sat_Status sat_distance(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                        sat_Distance *result);

/* The axis on which the projections of two convex shapes are farthest apart, or overlap least.
 * SAT_ECONCAVE: a shape has several pieces. */
typedef struct sat_Axis {
  sat_Vec2 normal;   /* of unit length, out of B towards A */
  double separation; /* of the projections: the distance, or minus the depth */
} sat_Axis;
sat_Status sat_axis(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch, sat_Axis *axis);

/* Whether A contains all of B, boundary included. */
sat_Status sat_contains(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch);
sat_Status sat_contains_point(const sat_Shape *shape, sat_Vec2 point, sat_Scratch *scratch);

/* The lowest part that contains a point. */
sat_Status sat_part_at(const sat_Shape *shape, sat_Vec2 point, size_t *part);

/* A part of A and one of B, counted from 0. */
typedef struct sat_Parts {
  uint32_t a, b;
} sat_Parts;

/* The pairs of parts with boxes that meet, by A's part, then B's, in the scratch memory. O(k log k)
 * for k pairs. SAT_ENOMEM. */
typedef struct sat_PartPairs {
  const sat_Parts *at;
  size_t count;
} sat_PartPairs;
sat_Status sat_part_pairs(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                          sat_PartPairs *found);
/* Does what sat_collide does, of a part of each. SAT_ERANGE. */
sat_Status sat_collide_parts(const sat_Shape *a, const sat_Shape *b, sat_Parts parts,
                             sat_Scratch *scratch, sat_Result *result);

/* The first contact of a moving shape with another. The parts are those whose own hit this is, the
 * lowest of B and then of A where there are several, or a seam; of a deep overlap at the start
 * those that are deepest along the normal. */
typedef struct sat_Hit {
  double t;        /* the fraction of the motion, 0 to 1 */
  sat_Vec2 normal; /* of unit length, out of the other shape; 0, 0 for a ray that starts inside */
  sat_Vec2 point;  /* of contact, in the world */
  sat_Parts parts; /* A's is that of the moving shape, 0 for a ray */
} sat_Hit;

/* Sweeps A by `motion` against B. An overlap or gap up to 1e-12 of the larger of both sizes and
 * coordinates is a touch. Deeper overlap: t = 0 with the minimum translation's normal if the motion
 * leads deeper, else SAT_MISS. A touch: t = 0 if the motion leads deeper than rounding, else
 * SAT_MISS, as for tangential contact on the way. Two shapes without inside hit where they cross.
 * Where several surfaces meet, the normal is that of the most head-on one that the union of B's
 * pieces shows, of equally head-on ones the most upright.
 * The origin is cast against the Minkowski difference, without iteration. Cyrus and Beck 1978. */
sat_Status sat_cast(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, sat_Scratch *scratch,
                    sat_Hit *hit);

/* Turns A by an angle about a pivot against B: what sat_cast is for a motion. The hit's t is the
 * fraction of the angle. Of the gap (the distance, or minus the depth) as A turns, of composites
 * that of each pair of pieces, one below 0, or below that at the start, by more than rounding is a
 * hit, where it falls below. Rounding is as in sat_cast, by the coordinates of the pivot, too. The
 * normal is that of B's surface there; of several places the point is where A comes in fastest. */
sat_Status sat_turn(const sat_Shape *a, double angle, const sat_Shape *b, sat_Vec2 pivot,
                    sat_Scratch *scratch, sat_Hit *hit);

/* Casts the segment `from`-`to`. A start inside: t = 0, normal 0, 0. A start on the boundary: t = 0
 * if the segment leads in, else SAT_MISS. A segment of length 0 is a point. */
sat_Status sat_raycast(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 to, sat_Scratch *scratch,
                       sat_Hit *hit);

#include "sat_polygon.h"
#include "sat_world.h"

#ifdef __cplusplus
}
#endif

#endif
