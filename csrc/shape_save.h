/* shape_save.h: a shape as bytes.
 *
 * A record holds what a shape was given, the rest is worked out anew. Of one that is foreign nothing
 * is believed. */
#ifndef SAT_SHAPE_SAVE_H
#define SAT_SHAPE_SAVE_H

#include "shape.h"

/* How long a shape's record is, a multiple of 8; and writing it. */
size_t sat_shape_record_size(const sat_Shape *shape);
void sat_shape_write(const sat_Shape *shape, unsigned char *record);

/* Looks through a record of at most `left` bytes. `*size` becomes its length. Fails with SAT_ESAVED
 * unless it is what a shape may have written. */
sat_Status sat_shape_check(const unsigned char *record, size_t left, sat_Scratch *scratch,
                           size_t *size);

/* Of a record that was looked through: its length, how large a block the shape needs, and making it
 * there. The shape is in no world; its owner stays. */
size_t sat_record_size(const unsigned char *record);
size_t sat_record_block(const unsigned char *record);
void sat_shape_read(const unsigned char *record, sat_Shape *block);

#endif
