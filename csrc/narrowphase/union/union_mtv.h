/* union_mtv.h: the minimum translation vector of composite shapes.
 *
 * Moving A by m moves the origin, seen from the Minkowski differences of all pairs of pieces, to m.
 * The two shapes overlap while the origin is inside any difference; so the minimum translation
 * vector is the shortest one that leads out of the union of all differences. */
#ifndef SAT_NARROWPHASE_UNION_MTV_H
#define SAT_NARROWPHASE_UNION_MTV_H

#include "narrowphase/composite/piece_pairs.h"

typedef struct sat_UnionMtv {
  sat_Result result;       /* its edge is of the piece, */
  uint32_t piece_index[2]; /* of these two, that touch once A has moved */
  bool behind;             /* they only touch, on the closed side of a chain */
} sat_UnionMtv;

/* The minimum translation vector of A out of B, with the rules and ties of sat_collide. After the
 * move the interiors of no two pieces overlap: a shape that fits exactly into a gap or a hole is
 * free there. A point or a segment has no interior, so one on the shared edge of two adjacent
 * pieces is inside their union. Fails with SAT_MISS where no pieces meet,
 * SAT_ENOMEM, SAT_ECROWD. */
sat_Status sat_union_mtv(const sat_PieceView *a, const sat_PieceView *b, sat_Scratch *scratch,
                         sat_UnionMtv *mtv);

#endif
