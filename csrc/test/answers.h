/* answers.h: all answers about two shapes, in one struct, for comparison. */
#ifndef SAT_TEST_ANSWERS_H
#define SAT_TEST_ANSWERS_H

#include "test/oracle.h"

/* A convex shape of any kind near 0, 0, whose vertices are whole numbers. */
sat_Shape *random_thing(Random *random);
sat_Vec2 random_whole(Random *random, int size);

void move_by(sat_Shape *shape, sat_Vec2 by);

/* Moves A out of B where the way out is of whole numbers, so that the two touch exactly. */
void bring_to_touch(sat_Shape *a, const sat_Shape *b);

/* All answers about two shapes. */
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

/* The time at which A hits B, as a fraction of the motion, or HUGE_VAL if A misses. */
double time_of_hit(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b);

#endif
