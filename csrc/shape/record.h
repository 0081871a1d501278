/* record.h: the record of a shape in a saved world.
 *
 * A record holds points, members, transform, filter, mass, one-way normal and flags; loading
 * derives the other fields. A loaded record is untrusted: every number in it is checked. */
#ifndef SAT_SHAPE_RECORD_H
#define SAT_SHAPE_RECORD_H

#include "base/byte_order.h"
#include "shape/composite.h"

/* The length of a shape's record in bytes, a multiple of 8 that never changes; and the writer of
 * the record, which has the shape's index in the world. */
size_t sat_shape_record_size(const sat_Shape *shape);
void sat_shape_write(const sat_Shape *shape, uint32_t index, unsigned char *record);

/* Whether `left` bytes begin with a record of consistent lengths and of numbers that a shape may
 * have. `depth` compounds contain the record. */
bool sat_record_check(const unsigned char *record, size_t left, uint32_t depth);

/* For a checked record: the index; and in bytes its length, the size of its shape's block, and the
 * size of the memory for making the shape. */
uint32_t sat_record_index(const unsigned char *record);
size_t sat_record_size(const unsigned char *record);
size_t sat_record_block(const unsigned char *record);
size_t sat_record_memory(const unsigned char *record);

/* Makes the shape in a block, in no world; the block keeps its owner. `memory` is aligned as
 * malloc's. Fails with SAT_ESAVED (a constructor would refuse these numbers) and SAT_ENOMEM, which
 * leave no shape in the block. */
sat_Status sat_shape_read(const unsigned char *record, sat_Shape *block, void *memory,
                          sat_Scratch *scratch);

/* Whether a shape's block has the layout of the record and, if composite, the same points or
 * members. Such a record can be restored into the shape, unless sat_shape_try_restore fails with
 * SAT_ESAVED: the shape would be too large. It is tried in memory of sat_shape_try_memory bytes; 0:
 * it cannot fail. Restoring does not notify the shape's world, and clears SAT_CHANGED and
 * SAT_LOCKED. */
bool sat_record_is_of(const unsigned char *record, const sat_Shape *shape);
size_t sat_shape_try_memory(const unsigned char *record, const sat_Shape *shape);
sat_Status sat_shape_try_restore(const unsigned char *record, const sat_Shape *shape, void *memory);
void sat_shape_restore(const unsigned char *record, sat_Shape *shape);

/* ---------------------------------------------------------------- for the writer and the reader */

/* The fields of a head that a record has, in its order, as words of 32 bits, doubles and vectors.
 * The record's local centroid is the one before axis_scale; a member of a compound has index 0. */
#define SAT_RECORD_FIELDS(WORD, NUMBER, VECTOR)                                                    \
  WORD(vertex_count);                                                                              \
  WORD(flags);                                                                                     \
  WORD(category);                                                                                  \
  WORD(mask);                                                                                      \
  WORD(group);                                                                                     \
  WORD(index);                                                                                     \
  NUMBER(radius);                                                                                  \
  NUMBER(angle);                                                                                   \
  NUMBER(scale);                                                                                   \
  VECTOR(centroid);                                                                                \
  VECTOR(local_origin);                                                                            \
  VECTOR(local_centroid);                                                                          \
  NUMBER(mass);                                                                                    \
  VECTOR(one_way);                                                                                 \
  VECTOR(axis_scale);

enum {
  RECORD_COUNT = 0, /* offset of the number of vertices; 0 for a composite */
  RECORD_FLAGS = 4,
  RECORD_INDEX = 20,
  RECORD_LOCAL_CENTROID = 80,
  RECORD_HEAD = 136, /* bytes of the head */
  RECORD_POINT = 16  /* bytes of a point */
};

/* Reads the fields of a head, and leaves the others. */
void sat_record_get_head(const unsigned char *record, sat_Shape *shape);

/* The largest bounding radius of a record: SAT_MOST_BOUND with the rounding error of rotations. */
#define RECORD_MOST_BOUND (SAT_MOST_BOUND * (1 + SAT_BOUND_ERROR))

/* A point of a list that starts at `points`. */
static inline sat_Vec2 sat_record_point(const unsigned char *points, size_t index) {
  return sat_get_vec2(points + index * RECORD_POINT);
}

/* The local centroid before axis_scale. */
static inline sat_Vec2 sat_made_centroid(const sat_Shape *shape) {
  return is_composite(shape) ? sat_composite_header(shape)->made_centroid : shape->local_centroid;
}

/* A composite's counts follow the head: SAT_COMPOSITE_COUNTS, in words. Last come the points of any
 * shape but a compound, or the records of its members. A record has no pieces, internal edges or
 * trees: loading makes them again by the code of the constructors, with the same bits. The record
 * has their counts, so that the size of a block is known before the shape is made; loading compares
 * the counts. */

/* For a checked record: the counts, as sat_shape_counts gives them; the points (a compound has
 * none); and the records of a compound's members with their bytes. The pointers are into the
 * record. */
sat_CompositeHeader sat_record_counts(const unsigned char *record);
const unsigned char *sat_record_points(const unsigned char *record, size_t *count);
const unsigned char *sat_record_members(const unsigned char *record, size_t *size);

/* Whether these points are, to the bit, in a list that starts at `at`. */
static inline bool sat_are_points_at(const unsigned char *at, const sat_Vec2 *points,
                                     size_t count) {
  size_t same = 0;
  while (same < count && sat_same_bits(sat_record_point(at, same), points[same])) same++;
  return same == count;
}

#endif
