/* exact_union.h: the exact minimum translation vectors of unions of convex pieces whose vertices
 * are whole numbers. */
#ifndef SAT_TEST_EXACT_UNION_H
#define SAT_TEST_EXACT_UNION_H

#include "test/oracle.h"

/* The pieces of two shapes, without radius. */
typedef struct ExactPair {
  const Solid *of[2];
  size_t count[2];
} ExactPair;

enum { MOST_EXACT_TRANSLATIONS = 64 };

/* A shortest translation; `foot` tells that it is the origin's projection on an edge. */
typedef struct ExactTranslation {
  Point vector;
  bool foot;
} ExactTranslation;

/* All shortest translations of A out of B. The depth is HUGE_VALL where the two are apart; where
 * they only touch, it is 0 and there is no translation. */
typedef struct ExactMtv {
  Real depth;
  size_t count;
  ExactTranslation all[MOST_EXACT_TRANSLATIONS];
} ExactMtv;

ExactMtv exact_mtv(const ExactPair *pair);

#endif
