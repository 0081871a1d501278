/* shape_save.h: a shape as bytes.
 *
 * A record holds what a shape was given, the rest is worked out anew: points, members, transform,
 * filter and flags. Of one that is foreign nothing is believed. */
#ifndef SAT_SHAPE_SHAPE_SAVE_H
#define SAT_SHAPE_SHAPE_SAVE_H

#include "shape/composite.h"

/* How long a shape's record is, a multiple of 8, which never changes; and writing it. */
size_t sat_shape_record_size(const sat_Shape *shape);
void sat_shape_write(const sat_Shape *shape, unsigned char *record);

/* Whether at most `left` bytes begin with a record that is framed as it says and has numbers that a
 * shape may have. `depth` compounds are around it. */
bool sat_record_check(const unsigned char *record, size_t left, uint32_t depth);

/* Of a record that was checked: its length, how large a block its shape needs, how much memory
 * making it takes besides, and how many parts, vertices and so on the shape has. */
size_t sat_record_size(const unsigned char *record);
size_t sat_record_block(const unsigned char *record);
size_t sat_record_memory(const unsigned char *record);
sat_CompositeHeader sat_record_counts(const unsigned char *record);

/* Makes the shape in a block, in no world; its owner stays. `memory` is aligned as malloc's. Fails
 * with SAT_ESAVED where a constructor would refuse what the record has, and with SAT_ENOMEM. */
sat_Status sat_shape_read(const unsigned char *record, sat_Shape *block, void *memory,
                          sat_Scratch *scratch);

/* Whether a shape's block is laid out as the record's is, and, of several parts, is made of the
 * same: then it can be restored, which cannot fail. */
bool sat_record_is_of(const unsigned char *record, const sat_Shape *shape);
void sat_shape_restore(const unsigned char *record, sat_Shape *shape);

#endif
