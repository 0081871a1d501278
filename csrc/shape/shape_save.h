/* shape_save.h: the record of a shape in a saved world.
 *
 * A record holds points, members, transform, filter, mass, one-way normal and flags; loading
 * derives the other fields. A loaded record is untrusted: every number in it is checked. */
#ifndef SAT_SHAPE_SHAPE_SAVE_H
#define SAT_SHAPE_SHAPE_SAVE_H

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

#endif
