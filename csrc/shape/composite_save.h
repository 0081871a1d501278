/* composite_save.h: what a shape of several convex parts adds to its record, see
 * shape/shape_save.h: what it was made of, which are its points, or the records of its members.
 *
 * Neither pieces nor hidden edges nor trees are in a record: the constructors' code makes them
 * again, with the same bits. The counts of what it will make stand there all the same, so that
 * the size of a block is known before; building compares them. */
#ifndef SAT_SHAPE_COMPOSITE_SAVE_H
#define SAT_SHAPE_COMPOSITE_SAVE_H

#include "shape/composite.h"

size_t sat_many_record_size(const sat_Shape *shape);
void sat_many_write(const sat_Shape *shape, unsigned char *body);

/* Whether at most `left` bytes are framed as they say, and their counts are no more than they can
 * come to. `depth` compounds are around. */
bool sat_many_check(const unsigned char *body, size_t left, uint32_t depth);

/* Of a body that was checked: whether it is a compound's, its length, its counts, its points,
 * of which a compound has none, and the records of a compound's members. */
bool sat_many_body_is_compound(const unsigned char *body);
size_t sat_many_body_size(const unsigned char *body);
sat_Many sat_many_body_counts(const unsigned char *body);
const unsigned char *sat_many_body_points(const unsigned char *body, size_t *count);
const unsigned char *sat_many_body_members(const unsigned char *body, size_t *size);

/* Whether a shape was made of the same. */
bool sat_many_is_made_of(const sat_Shape *shape, const unsigned char *body);

/* Makes a polygon or a chain in a block, but for its head and what sat_many_finish does.
 * SAT_ESAVED: there is no such shape. */
sat_Status sat_many_read(const unsigned char *body, sat_Shape *block, sat_Scratch *scratch);

#endif
