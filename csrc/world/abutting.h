/* abutting.h: seams between the solids of a world, which rays and thin moving shapes may run
 * along. */
#ifndef SAT_WORLD_ABUTTING_H
#define SAT_WORLD_ABUTTING_H

#include "world/world.h"

/* Receives a seam between two shapes, by their numbers, and the hit where it begins. */
typedef sat_Status (*sat_AbuttingVisit)(void *context, uint32_t one, uint32_t other,
                                        const sat_Hit *hit);

/* Visits the seams that the tangential contacts from index `from` on make with all before them. */
sat_Status sat_find_abutting(sat_PieceTangents *tangents, size_t from, sat_Vec2 motion,
                             sat_AbuttingVisit visit, void *context);

/* Keeps the earlier hit, and of two at the same time that of the lower number. */
void sat_keep_first_hit(sat_CastHit *first, uint32_t other, const sat_Hit *hit);

/* Makes a compound of the solids whose boxes are no farther from the subject's box than a distance:
 * a subject on a seam is inside of their union, or on its outline. Fails as sat_compound_init
 * does. */
sat_Status sat_compound_around(sat_World *world, const sat_Shape *subject,
                               const sat_QueryFilter *filter, double distance,
                               sat_Shape **compound);

#endif
