/* chain_neighbors.h: where the segments of a chain meet, and from where its parts can be touched.
 *
 * A segment of a chain is not alone: beside its end is the next one, which keeps off whatever would
 * touch that end from there. So a thing that slides along the chain has nothing to catch on. The
 * chain's outline at a vertex is touched only with normals that lead away from both segments, and
 * elsewhere with their own; a one-sided chain's only on its open side. */
#ifndef SAT_NARROWPHASE_CHAIN_NEIGHBORS_H
#define SAT_NARROWPHASE_CHAIN_NEIGHBORS_H

#include "shape/piece_view.h"
#include "narrowphase/minkowski.h"

/* A pair of parts and what they are parts of. */
typedef struct sat_Parts {
  const sat_Body *of[2];
  const sat_Part *part[2];
} sat_Parts;

/* Whether there is anything that the functions below would not allow. */
static inline bool sat_parts_joined(const sat_Parts *parts) {
  return ((parts->part[0]->flags | parts->part[1]->flags) & SAT_JOINED) != 0;
}

static inline bool sat_parts_one_sided(const sat_Parts *parts) {
  return ((parts->part[0]->flags | parts->part[1]->flags) & SAT_ONE_SIDED) != 0;
}

/* The edge of a chain's segment whose side is open. */
static inline uint32_t sat_open_edge(const sat_Body *body, const sat_Part *part) {
  return body->mirrored != ((part->flags & SAT_BACKWARD) != 0);
}

/* The normal of that edge, out of the chain. */
sat_Vec2 sat_open_normal(const sat_Body *body, const sat_Part *part);

/* Whether a facet of the pair's difference, with this normal, is on the outline of no difference of
 * a whole chain. */
bool sat_facet_is_barred(const sat_Parts *parts, const sat_Facet *facet, sat_Vec2 normal);

/* The same for the place on the turn round a corner, made of these vertices, that has the
 * normal. */
bool sat_corner_is_barred(const sat_Parts *parts, const uint32_t vertex[2], sat_Vec2 normal);

/* The same for all of the turn. False may mean that other differences cover it. */
bool sat_turn_is_barred(const sat_Parts *parts, const uint32_t vertex[2]);

/* How a chain goes on at a vertex of a part. */
typedef struct sat_Joint {
  uint32_t beyond;    /* the body's point where the next one ends */
  sat_Vec2 own, next; /* from the vertex to the other ends of this segment and of the next one */
  bool folded;        /* the next one lies upon this one, so that the vertex is an end */
  double turn; /* the sine of how far the outline turns there: towards the closed side if > 0 */
} sat_Joint;

/* The point that follows another in its chain, forward or backward, or SAT_CHAIN_END. */
uint32_t sat_point_beyond(const sat_Body *body, uint32_t point, bool forward);

/* False: it ends there, or the part is none of a chain. */
bool sat_joint_at(const sat_Body *body, const sat_Part *part, uint32_t vertex, sat_Joint *joint);

#endif
