/* composite_shapes.h: shapes of several convex pieces for tests, in blocks for `free`. */
#ifndef SAT_TEST_COMPOSITE_SHAPES_H
#define SAT_TEST_COMPOSITE_SHAPES_H

#include "test/oracle.h"

/* Each function fails the test if there is no such shape. */
sat_Shape *make_ring(const sat_Vec2 *points, size_t count);
sat_Shape *make_chain(const sat_Vec2 *points, size_t count, bool closed);
sat_Shape *make_compound(const sat_Shape *const *members, size_t count);
sat_Shape *piece_of(const sat_Shape *shape, size_t index);

/* The points of a ring of whole numbers up to a size, made of 5 to `most` points, some of which may
 * be dropped; returns their number. */
size_t random_ring_points(Random *random, int size, int64_t most, sat_Vec2 *points);
sat_Shape *random_ring(Random *random);
sat_Shape *random_convex(Random *random);
sat_Shape *random_chain(Random *random); /* an open chain */
sat_Shape *random_compound(Random *random);

/* A shape of a random kind. A `whole` shape is only moved, by whole numbers; other shapes are
 * rotated and scaled, too. */
sat_Shape *random_shape(Random *random, bool whole);

/* Two shapes and all pieces of each. */
typedef struct Twosome {
  sat_Shape *of[2], **pieces[2];
  size_t count[2];
} Twosome;

/* The shapes of an odd seed are whole. Fails the test where two answers about them disagree. */
Twosome make_twosome(uint64_t seed);
void free_twosome(Twosome *two);

/* Frees shapes up to the first NULL. */
void free_all(sat_Shape *const *shapes);

/* The distance of a shape from a point. */
double distance_to(const sat_Shape *shape, sat_Vec2 at);

#endif
