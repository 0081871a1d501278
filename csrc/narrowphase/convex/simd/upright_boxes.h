/* upright_boxes.h: the separations of two upright boxes, for the instruction set of the file that
 * includes it. */
#ifndef SAT_NARROWPHASE_UPRIGHT_BOXES_H
#define SAT_NARROWPHASE_UPRIGHT_BOXES_H

#include "base/simd/simd.h"
#include "narrowphase/convex/convex_pair.h"

/* The separations of A's left, upper, right and lower side (to smaller and larger x and y), as A's
 * edge and as B's edge back to back with it give them: the same number but for rounding. */
typedef struct BoxSeparations {
  double4 of_a, of_b, most_of, all_most, offsets;
  double most, tie; /* more than the rounding error of a separation */
} BoxSeparations;

/* A box, from its smaller coordinates to its larger ones; and the other way round. */
SAT_INLINE double4 box_sides(const sat_Shape *box) { return double4_load((const void *)&box->box); }
SAT_INLINE double4 facing_sides(const sat_Shape *box) {
  return double4_of_halves(double2_load(&box->box.max), double2_load(&box->box.min));
}

SAT_INLINE BoxSeparations box_separations(const sat_Shape *a, const sat_Shape *b) {
  double4 offsets = double4_sub(double4_load_twice(&b->origin), double4_load_twice(&a->origin)),
          own = box_sides(a), facing = facing_sides(b);
  double4 of_a = double4_neg_high(double4_sub(double4_sub(own, offsets), facing)),
          of_b = double4_neg_high(double4_sub(own, double4_add(offsets, facing))),
          most_of = double4_max(of_a, of_b), all_most = double4_all_greatest(most_of);
  double most = double4_first(all_most), tie = tie_of(a, b, a->l1_bound + b->l1_bound);
  return (BoxSeparations){of_a, of_b, most_of, all_most, offsets, most, tie};
}

/* One bit for each of A's sides whose separation is exact, as those of boxes of whole and dyadic
 * numbers are. */
SAT_INLINE uint32_t exact_sides(const sat_Shape *a, const sat_Shape *b, double4 offsets) {
  double4 from = double4_load_twice(&a->origin), to = double4_load_twice(&b->origin),
          own = box_sides(a), facing = facing_sides(b), moved = double4_sub(own, offsets);
  return double4_exact(offsets, to, from) & double4_exact(moved, own, offsets) &
         double4_exact(double4_sub(moved, facing), moved, facing);
}

/* The index of the edge of an upright box that is this side. */
SAT_INLINE uint32_t edge_of_side(const sat_Shape *box, uint32_t side) {
  return (side - box->flags / SAT_FIRST_SIDE) & 3;
}

#endif
