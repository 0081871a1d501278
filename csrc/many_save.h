/* many_save.h: what a shape of several convex parts adds to its record, see shape_save.h: how many of
 * everything there are, its measures, the parts, their vertices, and last its points. */
#ifndef SAT_MANY_SAVE_H
#define SAT_MANY_SAVE_H

#include "many.h"

/* Of radii and coordinates that are not 0 the smallest is given to a shape that is as large as can be
 * and then made as small as can be. */
#define SAT_LEAST (SAT_TINY / SAT_LIMIT / SAT_LIMIT / 2)

size_t sat_many_record_size(const sat_Shape *shape);
void sat_many_write(const sat_Shape *shape, unsigned char *record);

/* Looks whether `left` bytes hold as much as they say. Where the points begin, and how many there
 * are; or 0: they do not. */
size_t sat_many_find_points(const unsigned char *record, size_t left, size_t *count);
/* Whether the parts are what a shape may have of such points. */
bool sat_many_are_parts(const unsigned char *record, const sat_Vec2 *points);

/* Of one that was looked through. */
size_t sat_many_record_length(const unsigned char *record);
size_t sat_many_record_block(const unsigned char *record);
/* Fills in the block behind a head that is there but for its measures. */
void sat_many_read(const unsigned char *record, sat_Shape *block);

#endif
