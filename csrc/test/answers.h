/* answers.h: all that two shapes answer, to be compared with what others do. */
#ifndef SAT_TEST_ANSWERS_H
#define SAT_TEST_ANSWERS_H

#include "test/oracle.h"

/* A thing of any convex kind with vertices of whole numbers, near 0, 0. */
sat_Shape *random_thing(Random *random);
sat_Vec2 random_whole(Random *random, int size);

void move_by(sat_Shape *shape, sat_Vec2 by);

/* Moves A out of B where that is by whole numbers, so that the two touch exactly. */
void bring_to_touch(sat_Shape *a, const sat_Shape *b);

/* All that two shapes answer. */
typedef struct Answers {
  sat_Status overlap, collide, contacts, cast, back;
  sat_Result result;
  sat_Manifold manifold;
  sat_Distance distance;
  sat_Hit hit, hit_back; /* A moves onto B; B moves onto A */
} Answers;
Answers ask(const sat_Shape *a, const sat_Shape *b, sat_Vec2 motion);

bool near(sat_Vec2 v, sat_Vec2 w, double hair);

/* Whether the casts hit at the same time, with the same normal unless it is at a vertex of B, where
 * there are several to choose from. */
bool same_hits(const sat_Shape *b, const Answers *one, const Answers *other, sat_Vec2 motion);

/* When A hits B on its way, in fractions of that; HUGE_VAL: it does not. */
double time_of_hit(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b);

#endif
