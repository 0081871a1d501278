/* peer.h: what a library must do to be measured: the same questions about the same pairs, in a loop
 * of its own language, so that no call of ours comes between. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

#include "scene.h"

/* What one pass over all pairs has found: the checksum beside its time. `depths` is 0 where a
 * library gives no depth. */
typedef struct bench_Sum {
  double hits, depths;
} bench_Sum;

/* One loop over all pairs. */
typedef bench_Sum bench_Pass(void *state);

/* How far the shapes turn, this way and back, in a `turn` pass. */
#define BENCH_TURN 0.05

typedef struct bench_Peer {
  const char *name;
  size_t most_vertices;
  double skin;    /* it calls those a hit that are not farther apart than this */
  double precise; /* its depths may be off by this much, */
  size_t sure;    /* and by more where polygons have more vertices: a search stops half-way */
  void *(*open)(const bench_Scene *scene);
  void (*close)(void *state);
  /* Untimed: the depth of a pair without the skin, or less than 0 when it is apart; both have been
   * turned by `turn` before. And the answer of the function that only tells whether they meet. */
  double (*depth)(void *state, size_t pair, double turn);
  bool (*meets)(void *state, size_t pair);
  bench_Pass *collide;  /* the minimum translation vector, or what the library has instead */
  bench_Pass *overlaps; /* yes or no */
  bench_Pass *turn;     /* all shapes turn and collide, twice: BENCH_TURN to either side */
  bench_Pass *distance; /* of pairs that are apart, or NULL */
  bench_Pass *cast;     /* one shape moves as far as it is from centre to centre, or NULL */
} bench_Peer;

extern const bench_Peer bench_sat, bench_textbook, bench_closest_point, bench_box2d, bench_box2d3,
    bench_chipmunk;

/* Of ours alone: with the contact points. */
bench_Sum bench_sat_contacts(void *opened);

#ifdef __cplusplus
}
#endif
#endif
