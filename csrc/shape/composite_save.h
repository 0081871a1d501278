/* composite_save.h: the body of a composite shape's record (see shape/shape_save.h): its points, or
 * the records of its members.
 *
 * A record has no pieces, internal edges or trees: the code of the constructors makes them
 * again, with the same bits. The record has their counts, so that the size of a block is known
 * before; building compares them. */
#ifndef SAT_SHAPE_COMPOSITE_SAVE_H
#define SAT_SHAPE_COMPOSITE_SAVE_H

#include "shape/composite.h"

size_t sat_composite_record_size(const sat_Shape *shape);
void sat_composite_write(const sat_Shape *shape, unsigned char *view);

/* Whether `left` bytes begin with a body of consistent lengths and possible counts. `depth`
 * compounds contain it. */
bool sat_composite_check(const unsigned char *view, size_t left, uint32_t depth);

/* For a checked body: whether it is a compound's, its length, its counts, its points (a compound
 * has none), and the records of a compound's members. */
bool sat_composite_saved_is_compound(const unsigned char *view);
size_t sat_composite_saved_size(const unsigned char *view);
sat_CompositeHeader sat_composite_saved_counts(const unsigned char *view);
const unsigned char *sat_composite_saved_points(const unsigned char *view, size_t *count);
const unsigned char *sat_composite_saved_members(const unsigned char *view, size_t *size);

/* Whether a shape has the same points or members. */
bool sat_composite_is_made_of(const sat_Shape *shape, const unsigned char *view);

/* Makes a polygon or a chain in a block, without its head; sat_composite_finish completes it.
 * SAT_ESAVED: no shape has these points. */
sat_Status sat_composite_read(const unsigned char *view, sat_Shape *block, sat_Scratch *scratch);

#endif
