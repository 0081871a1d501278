/* composite_save.h: the fields that a composite shape's record has besides those of every shape
 * (see shape/shape_save.h): its counts, and its points or the records of its members.
 *
 * A record has no pieces, internal edges or trees: loading makes them again by the code of the
 * constructors, with the same bits. The record has their counts, so that the size of a block is
 * known before the shape is made; loading compares the counts. */
#ifndef SAT_SHAPE_COMPOSITE_SAVE_H
#define SAT_SHAPE_COMPOSITE_SAVE_H

#include "shape/composite.h"

/* The length of a composite shape's fields in bytes, and their writer. */
size_t sat_composite_record_size(const sat_Shape *shape);
void sat_composite_write(const sat_Shape *shape, unsigned char *fields);

/* Whether `left` bytes begin with fields of consistent lengths and possible counts. The members of
 * a compound are not checked. */
bool sat_composite_check(const unsigned char *fields, size_t left);

/* For checked fields: whether they are a compound's, their length in bytes, the shape's counts, its
 * points (a compound has none), and the records of a compound's members with their bytes. The
 * pointers are into the fields. */
bool sat_composite_saved_is_compound(const unsigned char *fields);
size_t sat_composite_saved_size(const unsigned char *fields);
sat_CompositeHeader sat_composite_saved_counts(const unsigned char *fields);
const unsigned char *sat_composite_saved_points(const unsigned char *fields, size_t *count);
const unsigned char *sat_composite_saved_members(const unsigned char *fields, size_t *size);

/* Whether a composite shape has the counts, and the points or members, of checked fields. */
bool sat_composite_is_made_of(const sat_Shape *shape, const unsigned char *fields);

#endif
