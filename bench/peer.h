/* peer.h: what a library must do to be measured: the same questions about the same pairs. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "race.h"
#include "scene.h"

/* How far the shapes turn, this way and back, in a `turn` pass. */
#define BENCH_TURN 0.05

typedef struct bench_Peer {
  const char *name;
  size_t most_vertices;
  double skin;    /* it calls those a hit that are not farther apart than this */
  double precise; /* its depths may be off by this much */
  void *(*open)(const bench_Scene *scene);
  void (*close)(void *state);
  /* Untimed: the depth of a pair without the skin, or less than 0 when it is apart; both have been
   * turned by `turn` before. And the answer of the function that only tells whether they meet. */
  double (*depth)(void *state, size_t pair, double turn);
  bool (*meets)(void *state, size_t pair);
  bench_Pass *collide;  /* the minimum translation vector, or what the library has instead */
  bench_Pass *overlaps; /* yes or no */
  bench_Pass *turn;     /* all shapes turn and collide, twice: BENCH_TURN to either side */
} bench_Peer;

extern const bench_Peer bench_sat, bench_textbook, bench_closest_point, bench_box2d3;

/* Of ours alone: with the contact points. */
bench_Sum bench_sat_contacts(void *opened);

#endif
