/* sat.h: 2D collision detection by the separating axis theorem.
 *
 * What holds everywhere
 *   Units    are the caller's (pixels, metres). Numbers are doubles. Angles are radians, positive
 *            from +x towards +y, which is clockwise on a screen whose y points down.
 *   Shapes   are closed sets: two that only touch collide, with depth 0.
 *   Normals  and vectors of a pair point out of B towards A: moving A along them leads it out of B.
 *   Memory   is the caller's. A shape is one block without pointers into itself: copy `bytes` of it
 *            to clone it, free the block to be rid of it. What a question needs beyond that it takes
 *            from a sat_Scratch of the caller's, and gives nothing back that has to be freed.
 *   Failure  is a sat_Status. Whatever is not SAT_OK or SAT_MISS has changed nothing that the caller
 *            can see. The library never aborts, prints, or keeps state of its own.
 *   Threads  may ask about the same shape at once, as long as none changes it; each needs its own
 *            scratch and hints.
 *   Bits     are the same on every 64-bit platform, compiler and optimisation level.
 */
#ifndef SAT_H
#define SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---------------------------------------------------------------- basics */

/* No coordinate, length or angle that is given, and none reached by moving or scaling, may be
 * beyond this. */
#define SAT_LIMIT 1e15
/* A radius is 0 or at least this: the products of smaller ones would vanish. */
#define SAT_TINY 1e-100

typedef enum sat_Status {
  SAT_OK = 0,  /* done; of a question: yes */
  SAT_MISS,    /* of a question: no. They are apart, it is not inside, nothing was hit. No error */
  SAT_ENOMEM,  /* the allocator gave no memory */
  SAT_ERANGE,  /* a number is NaN, infinite or beyond SAT_LIMIT, or would become so */
  SAT_EVALUE,  /* a number makes no sense where it stands: a negative radius, a scale factor of 0 */
  SAT_EFEW,    /* fewer than three distinct vertices are left */
  SAT_EAREA,   /* all vertices lie on one line */
  SAT_ECROSS,  /* two edges of the ring cross, or run along each other */
  SAT_ECONCAVE /* the ring is simple but not convex */
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
typedef struct sat_Fault {
  size_t first, second;
} sat_Fault;

/* Cleans a ring in place: drops repeated neighbours, a closing vertex equal to the first, vertices
 * on a straight line and spikes without width, all by exact arithmetic, and puts what is left in
 * the order of positive area (clockwise where y points down), starting with the first vertex that
 * was kept. `*count` becomes the number of vertices kept. A ring may touch itself, at a vertex or
 * along a bridge to a hole, but not cross itself. Fails with SAT_ERANGE, SAT_EFEW, SAT_EAREA,
 * SAT_ECROSS and SAT_ENOMEM. `fault` may be NULL. O(n log n). */
sat_Status sat_ring_clean(sat_Vec2 *points, size_t *count, sat_Scratch *scratch, sat_Fault *fault);

/* Whether a cleaned ring is convex; if not, `fault` (may be NULL) names the vertex's two edges, as
 * indices into `points`. Exact. O(n). */
bool sat_ring_is_convex(const sat_Vec2 *points, size_t count, sat_Fault *fault);

/* The convex hull, in place: `*count` becomes its size, without vertices on straight lines, in the
 * order of positive area. Exact. Fails as sat_ring_clean does, never with SAT_ECROSS. O(n log n).
 * Andrew, Another efficient algorithm for convex hulls in two dimensions, 1979. */
sat_Status sat_hull(sat_Vec2 *points, size_t *count, sat_Scratch *scratch, sat_Fault *fault);

/* Area (positive in the order of positive area), length of the closed outline, centroid of the
 * area. */
double sat_ring_area(const sat_Vec2 *points, size_t count);
double sat_ring_perimeter(const sat_Vec2 *points, size_t count);
sat_Vec2 sat_ring_centroid(const sat_Vec2 *points, size_t count);

/* A corner of a piece, and the piece's edge from it to the next corner. */
typedef struct sat_Corner {
  uint32_t vertex; /* of the ring; of several in one place always the same */
  bool inner;      /* the edge lies inside the ring, all along: other pieces share it */
} sat_Corner;

/* Piece k has the corners first[k] to first[k + 1] - 1, in the order of positive area and without
 * any on a straight line. */
typedef struct sat_Pieces {
  uint32_t count;
  const uint32_t *first;
  const sat_Corner *corners;
} sat_Pieces;

/* Cuts a cleaned ring (see sat_ring_clean) into convex pieces that have its area and no part of it
 * twice, from vertex to vertex. A bridge to a hole is no edge of it, but is inside; one between two
 * parts that nothing else connects is in no piece. `pieces` lives in the scratch memory until that
 * is used again. Exact. Fails with SAT_ENOMEM. O(n log n).
 *
 * Hertel and Mehlhorn, Fast triangulation of simple polygons, 1983: a sweep that triangulates all
 * that is left of the line at once, then all diagonals that no corner needs are dropped. */
sat_Status sat_ring_decompose(const sat_Vec2 *points, size_t count, sat_Scratch *scratch,
                              sat_Pieces *pieces);

/* The sine and cosine of an angle up to SAT_LIMIT, within two units in the last place and the same
 * everywhere. An angle within rounding of a quarter turn counts as one, so that turning by a
 * quarter keeps whole numbers whole. */
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
  SAT_TURNED = 1,   /* rotation, scale or mirror differ from the geometry as given */
  SAT_MIRROR_X = 2, /* flipped left for right */
  SAT_MIRROR_Y = 4, /* flipped top for bottom */
  SAT_SENSOR = 8,   /* reported by a world, never solid */
  SAT_STATIC = 16,  /* never paired with another static one */
  SAT_DISABLED = 32 /* in no answer of a world */
};

/* The head of a shape's block; its edges, its vertices as they stand now, and its local geometry
 * follow in the same block. What a question reads comes last, so that it shares cache lines with
 * them. Read it through the functions below: the fields may change between versions. */
typedef struct sat_Shape {
  /* local */
  sat_Vec2 middle;        /* the centroid */
  double area, perimeter; /* of the core: without the radius */
  /* the transform */
  double cosine, sine, angle, scale;
  sat_Vec2 center; /* the centroid in the world */
  sat_Vec2 anchor; /* what the local vertices are relative to, in the world, when not turned */
  /* for whoever holds the shape */
  void *owner;             /* the library keeps its hands off */
  uint32_t category, mask; /* see sat_shapes_filter */
  int32_t group;
  uint32_t bytes; /* of the whole block */
  /* in the world, relative to the origin but for the last */
  sat_Vec2 hub; /* the centroid */
  double bound; /* the farthest vertex's distance from the centroid, without the radius */
  sat_Box box;  /* of the vertices, without the radius */
  uint32_t flags, vertex_count; /* no vertex: more than one convex part, see below */
  double radius;
  double extent; /* at least |x| + |y| of every vertex */
  sat_Vec2 origin;
} sat_Shape;

/* How large a block for that many vertices is. */
size_t sat_shape_bytes(size_t vertex_count);

/* Makes a convex shape in `block` (sat_shape_bytes(count) bytes, aligned as malloc's). The points
 * are world coordinates and are kept exactly as given; three or more must be a cleaned convex ring.
 * Two equal points make one. Fails with SAT_ERANGE, SAT_EVALUE (a radius that is negative or below
 * SAT_TINY), SAT_EFEW (no point). O(n). */
sat_Status sat_shape_init(sat_Shape *block, const sat_Vec2 *points, size_t count, double radius);

/* The same with points relative to `center`, which is taken for the centroid: regular polygons and
 * ellipses, whose points would lose digits far from 0, 0. */
sat_Status sat_shape_init_about(sat_Shape *block, sat_Vec2 center, const sat_Vec2 *points,
                                size_t count, double radius);

/* Shapes that are not convex keep several convex parts in their block, and move, turn and answer as
 * one. Their blocks are as large as these say, and as those of convex shapes else; 0 means that it
 * would be too large. What makes them fails with SAT_ERANGE, and else as said.
 *
 * The ring must be cleaned, see sat_ring_clean; it may be convex, but then sat_shape_init is the
 * better choice. O(n log n) */
size_t sat_polygon_bytes(size_t count, const sat_Pieces *pieces);
sat_Status sat_polygon_init(sat_Shape *shape, const sat_Vec2 *ring, size_t count,
                            const sat_Pieces *pieces);

/* A rigid shape of copies of others as they stand; those of several parts give theirs. SAT_EFEW:
 * there are none. */
size_t sat_compound_bytes(const sat_Shape *const *members, size_t count);
sat_Status sat_compound_init(sat_Shape *shape, const sat_Shape *const *members, size_t count);

/* Segments from each point to the next and, if it is closed, from the last to the first. Repeated
 * neighbours are dropped. What is on both sides of a segment is outside. SAT_EFEW: there is no
 * point. */
size_t sat_chain_bytes(size_t count);
sat_Status sat_chain_init(sat_Shape *shape, const sat_Vec2 *points, size_t count, bool closed);

/* The convex parts of a shape, of which a convex one has itself. Inits `block`, which must have
 * sat_shape_bytes(sat_shape_part_size(shape, index)) bytes, with a part as it stands. */
size_t sat_shape_part_count(const sat_Shape *shape);
size_t sat_shape_part_size(const sat_Shape *shape, size_t index);
sat_Status sat_shape_part_init(sat_Shape *block, const sat_Shape *shape, size_t index);
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

/* What a caller may keep for a pair between calls: the edge that parted the two last time, which is
 * asked first the next time. All zero at first. It changes the time, never the answer, and may be
 * NULL. */
typedef struct sat_Hint {
  uint32_t facet;
} sat_Hint;

/* Which shape an edge is from. */
typedef enum sat_Side { SAT_OF_A, SAT_OF_B } sat_Side;

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
sat_Status sat_overlaps(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                        sat_Scratch *scratch);

/* The shortest way out. Touching gives depth 0 and vector 0, 0. Of equally short ones (within 1e-12
 * of the depth and 8 units in the last place of the largest coordinate) the one with the largest
 * dot product with c = A's centroid - B's wins, then the largest cross product of c with it, then,
 * where the centroids coincide, the smallest angle from +x. SAT_MISS leaves `result` alone. O(n +
 * m). */
sat_Status sat_collide(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint, sat_Scratch *scratch,
                       sat_Result *result);

/* Where two shapes meet: one or two points of the incident edge, clipped to the reference edge.
 * Catto, Fast and simple physics using sequential impulses, GDC 2006. */
typedef struct sat_Manifold {
  sat_Vec2 normal; /* of unit length, out of B towards A */
  double depth;    /* as sat_collide gives it */
  uint32_t count;  /* 1 or 2 */
  sat_Vec2 points[2];
} sat_Manifold;
sat_Status sat_contacts(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                        sat_Scratch *scratch, sat_Manifold *manifold);

/* The gap between two shapes and the closest points; 0 and one common point twice when they
 * meet. */
typedef struct sat_Distance {
  double distance;
  sat_Vec2 on_a, on_b;
} sat_Distance;
sat_Status sat_distance(const sat_Shape *a, const sat_Shape *b, sat_Hint *hint,
                        sat_Scratch *scratch, sat_Distance *result);

/* Whether B lies wholly inside A, outline included. */
sat_Status sat_contains(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch);
sat_Status sat_contains_point(const sat_Shape *shape, sat_Vec2 point, sat_Scratch *scratch);

/* Where a moving shape first meets another. */
typedef struct sat_Impact {
  double t;        /* the fraction of the way, 0 to 1 */
  sat_Vec2 normal; /* of unit length, out of what was hit; 0, 0 for a ray that starts inside */
  sat_Vec2 point;  /* of contact, in the world */
} sat_Impact;

/* Sweeps A by `motion` against B. Already overlapping: t = 0 with the minimum translation vector's
 * normal. Touching and moving away or along, and grazing on the way: SAT_MISS. Where neither has an
 * inside, crossing is a hit. Exact, no iteration: the origin's ray against the Minkowski
 * difference. Cyrus and Beck 1978. */
sat_Status sat_cast(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, sat_Scratch *scratch,
                    sat_Impact *impact);

/* The segment from `from` to `to` against a shape. Starting inside: t = 0, normal 0, 0; on the
 * outline: t = 0 if it goes in, else SAT_MISS. Without length it is a point. */
sat_Status sat_raycast(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 to, sat_Scratch *scratch,
                       sat_Impact *impact);

#endif
