/* piece_pairs.h: the pairs of parts of two bodies that are near each other. */
#ifndef SAT_NARROWPHASE_PIECE_PAIRS_H
#define SAT_NARROWPHASE_PIECE_PAIRS_H

#include "narrowphase/chain_neighbors.h"

static inline sat_Pair sat_parts_pair(const sat_Body *a, const sat_Body *b,
                                      const uint32_t piece[2]) {
  const sat_Part *p = &a->parts[piece[0]], *q = &b->parts[piece[1]];
  return sat_pair_make(sat_part_convex(a, p), sat_part_convex(b, q), p->extent + q->extent,
                       sat_part_radius(a, p) + sat_part_radius(b, q));
}

static inline sat_Parts sat_parts_of(const sat_Body *a, const sat_Body *b,
                                     const uint32_t piece[2]) {
  return (sat_Parts){{a, b}, {&a->parts[piece[0]], &b->parts[piece[1]]}};
}

/* Every pair of parts whose boxes, with all radii, are no farther apart than `reach` along either
 * axis. `reach` may become smaller on the way.
 *   sat_Pairing pairing = sat_pairing_begin(a, b, reach);
 *   while (sat_pairing_next(&pairing, piece)) ... */
typedef struct sat_Pairing {
  const sat_Body *of[2];
  sat_Vec2 away[2];
  double reach;
  sat_Vec2 motion; /* of A's parts: what they meet on the way counts */
  uint32_t side;   /* whose parts are taken one by one: the one that has fewer */
  uint32_t part;   /* the one that is at it */
  bool inside;     /* the inner walk is on */
  sat_PartWalk outer, inner;
} sat_Pairing;

static inline sat_Box box_moved(sat_Box box, sat_Vec2 by, double out) {
  return (sat_Box){vec2(box.min.x + by.x - out, box.min.y + by.y - out),
                   vec2(box.max.x + by.x + out, box.max.y + by.y + out)};
}

static inline sat_Box box_swept(sat_Box box, sat_Vec2 by) {
  return (sat_Box){vec2(box.min.x + min2(by.x, 0), box.min.y + min2(by.y, 0)),
                   vec2(box.max.x + max2(by.x, 0), box.max.y + max2(by.y, 0))};
}

static inline sat_Pairing sat_pairing_swept(const sat_Body *a, const sat_Body *b, double reach,
                                            sat_Vec2 motion) {
  sat_Vec2 away = sub(b->origin, a->origin);
  uint32_t side = a->count > b->count;
  sat_Pairing pairing = {{a, b}, {away, neg(away)}, reach, motion, side, 0, false, {0}, {0}};
  const sat_Body *own = pairing.of[side], *other = pairing.of[!side];
  sat_Box box = box_moved(other->box, pairing.away[side], reach);
  pairing.outer = sat_parts_in(own, box_swept(box, side ? motion : neg(motion)));
  return pairing;
}

static inline sat_Pairing sat_pairing_begin(const sat_Body *a, const sat_Body *b, double reach) {
  return sat_pairing_swept(a, b, reach, vec2(0, 0));
}

static inline bool sat_pairing_next(sat_Pairing *pairing, uint32_t piece[2]) {
  uint32_t side = pairing->side;
  const sat_Body *own = pairing->of[side];
  for (;;) {
    if (pairing->inside && sat_next_part(&pairing->inner, &piece[!side])) {
      piece[side] = pairing->part;
      return true;
    }
    pairing->inside = sat_next_part(&pairing->outer, &pairing->part);
    if (!pairing->inside) return false;
    const sat_Part *part = &own->parts[pairing->part];
    double out = sat_part_radius(own, part) + pairing->reach;
    sat_Box box = box_moved(part->box, neg(pairing->away[side]), out);
    sat_Vec2 motion = side ? neg(pairing->motion) : pairing->motion;
    pairing->inner = sat_parts_in(pairing->of[!side], box_swept(box, motion));
  }
}

#endif
