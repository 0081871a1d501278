/* abutting.c: seams, which are gaps of no width between solids that abut. A seam is closed to rays,
 * to points, and to segments that move along themselves, as the same gap within a compound is.
 *
 * A ray or a shape that runs along a seam has tangential contacts with a solid on either hand. The
 * seam begins where the later one of the two contacts begins. */
#include "world/abutting.h"

#include "world/world.h"

/* Whether the first of two tangential contacts is where their seam begins. Of equal ones that of
 * the larger index counts, so that the order in which they are found does not. */
static bool meets_later(const sat_PieceTangent *p, const sat_PieceTangent *q, sat_Vec2 motion) {
  const sat_Hit *a = &p->contact.hit, *b = &q->contact.hit;
  if (a->t != b->t) return a->t > b->t;
  if (sat_is_more_opposed(motion, a->normal, b->normal)) return true;
  return !sat_is_more_opposed(motion, b->normal, a->normal) && p->other > q->other;
}

/* Whether two tangential contacts make a seam, and the hit where it begins. Two solids that meet
 * only at a corner make no seam. */
static bool are_abutting(const sat_PieceTangent *p, const sat_PieceTangent *q, sat_Vec2 motion,
                         sat_Hit *hit) {
  const sat_TangentContact *a = &p->contact, *b = &q->contact;
  if (p->other == q->other || p->piece != q->piece || a->left == b->left) return false;
  *hit = meets_later(p, q, motion) ? a->hit : b->hit;
  return hit->t + max2(p->error_bound, q->error_bound) < min2(a->end, b->end);
}

sat_Status sat_find_abutting(sat_PieceTangents *tangents, size_t from, sat_Vec2 motion,
                             sat_AbuttingVisit visit, void *context) {
  for (size_t i = from; i < tangents->count; i++) {
    for (size_t k = 0; k < i; k++) {
      const sat_PieceTangent *p = &tangents->at[k], *q = &tangents->at[i];
      sat_Hit hit;
      if (!are_abutting(p, q, motion, &hit)) continue;
      sat_Status status = visit(context, p->other, q->other, &hit);
      if (status) return status;
    }
  }
  return SAT_OK;
}

void sat_keep_first_hit(sat_CastHit *first, uint32_t other, const sat_Hit *hit) {
  bool sooner = first->other == SAT_NO_SHAPE || hit->t < first->hit.t;
  if (!sooner && (hit->t > first->hit.t || other >= first->other)) return;
  *first = (sat_CastHit){other, *hit};
}

sat_Status sat_compound_around(sat_World *world, const sat_Shape *subject,
                               const sat_QueryFilter *filter, double distance,
                               sat_Shape **compound) {
  sat_Rectangle box = sat_box_of(subject);
  box = (sat_Rectangle){box.x - distance, box.y - distance, box.w + 2 * distance,
                        box.h + 2 * distance};
  sat_Status status = sat_world_query_boxes(world, box);
  size_t count = 0;
  for (size_t i = 0; !status && i < world->near.count; i++) {
    const sat_Shape *shape = sat_entry_shape(world, world->near.at[i]);
    if (shape != subject && sat_is_solid(shape) && sat_is_admitted(filter, shape))
      world->near.at[count++] = world->near.at[i];
  }
  world->near.count = count;
  return status ? status : sat_world_make_compound(world, NULL, compound, NULL);
}
