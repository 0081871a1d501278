/* answers.h: the answers of all questions about two shapes, for comparisons. */
#ifndef SAT_TEST_ANSWERS_H
#define SAT_TEST_ANSWERS_H

#include "test/oracle.h"

/* A shape of a random convex kind near 0, 0, whose vertices are whole numbers. */
sat_Shape *random_thing(Random *random);
sat_Vec2 random_whole(Random *random, int size);

void move_by(sat_Shape *shape, sat_Vec2 by);

/* Moves A out of B if the translation has whole numbers, so that the two touch exactly. */
void bring_to_touch(sat_Shape *a, const sat_Shape *b);

/* The answers about A and B. In `hit` A moves onto B, in `hit_back` B moves onto A. */
typedef struct Answers {
  sat_Status overlap, collide, contacts, cast, back;
  sat_Result result;
  sat_Manifold manifold;
  sat_Distance distance;
  sat_Hit hit, hit_back;
} Answers;

/* Asks all questions about A and B, and fails the test where two answers disagree. */
Answers ask(const sat_Shape *a, const sat_Shape *b, sat_Vec2 motion);

bool near(sat_Vec2 v, sat_Vec2 w, double hair);

/* Whether the casts hit at the same times and, unless a hit is at a vertex of B, with the same
 * normals: several normals are right at a vertex. */
bool same_hits(const sat_Shape *b, const Answers *one, const Answers *other, sat_Vec2 motion);

/* The fraction of the motion at which A hits B, or HUGE_VAL if A misses B. */
double time_of_hit(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b);

#endif
