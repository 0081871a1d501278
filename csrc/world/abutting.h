/* abutting.h: seams between the solids of a world, which rays and thin moving shapes may run
 * along. */
#ifndef SAT_WORLD_ABUTTING_H
#define SAT_WORLD_ABUTTING_H

#include "world/world.h"

/* Receives a seam between two shapes, by their indices, and the hit where it begins. */
typedef sat_Status (*sat_AbuttingVisit)(void *context, uint32_t one, uint32_t other,
                                        const sat_Hit *hit);

/* Visits the seams that each tangential contact from index `from` on makes with all contacts before
 * it. A status of `visit` other than SAT_OK ends the search and is returned. */
sat_Status sat_find_abutting(sat_PieceTangents *tangents, size_t from, sat_Vec2 motion,
                             sat_AbuttingVisit visit, void *context);

/* Keeps the earlier hit, and of two at the same time the hit with the lower index. */
void sat_keep_first_hit(sat_CastHit *first, uint32_t other, const sat_Hit *hit);

/* Makes a compound of the solids whose boxes are no farther from the subject's box than a distance:
 * a subject on a seam is inside their union or on its boundary. The compound lies in the world's
 * memory for compounds. Fails as sat_compound_init does, and with SAT_ENOMEM. */
sat_Status sat_compound_around(sat_World *world, const sat_Shape *subject,
                               const sat_QueryFilter *filter, double distance,
                               sat_Shape **compound);

#endif
