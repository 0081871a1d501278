/* composite_save.h: what a shape of several convex parts adds to its record, see
 * shape/shape_save.h: what it was made of, which are its points, or the records of its members.
 *
 * Neither pieces nor hidden edges nor trees are in a record: the constructors' code makes them
 * again, with the same bits. The counts of what it will make stand there all the same, so that
 * the size of a block is known before; building compares them. */
#ifndef SAT_SHAPE_COMPOSITE_SAVE_H
#define SAT_SHAPE_COMPOSITE_SAVE_H

#include "shape/composite.h"

size_t sat_composite_record_size(const sat_Shape *shape);
void sat_composite_write(const sat_Shape *shape, unsigned char *view);

/* Whether at most `left` bytes are framed as they say, and their counts are no more than they can
 * come to. `depth` compounds are around. */
bool sat_composite_check(const unsigned char *view, size_t left, uint32_t depth);

/* Of a body that was checked: whether it is a compound's, its length, its counts, its points,
 * of which a compound has none, and the records of a compound's members. */
bool sat_composite_body_is_compound(const unsigned char *view);
size_t sat_composite_body_size(const unsigned char *view);
sat_CompositeHeader sat_composite_body_counts(const unsigned char *view);
const unsigned char *sat_composite_body_points(const unsigned char *view, size_t *count);
const unsigned char *sat_composite_body_members(const unsigned char *view, size_t *size);

/* Whether a shape was made of the same. */
bool sat_composite_is_made_of(const sat_Shape *shape, const unsigned char *view);

/* Makes a polygon or a chain in a block, but for its head and what sat_composite_finish does.
 * SAT_ESAVED: there is no such shape. */
sat_Status sat_composite_read(const unsigned char *view, sat_Shape *block, sat_Scratch *scratch);

#endif
