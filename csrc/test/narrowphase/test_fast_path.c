/* test_fast_path.c: the fast lane answers as the general machinery does, bit for bit, whatever the
 * processor. */
#include "test/oracle.h"

#include "narrowphase/fast_path.h"
#include "narrowphase/convex_pair.h"

static bool same_bits(const sat_Result *a, const sat_Result *b) {
  return a->vector.x == b->vector.x && a->vector.y == b->vector.y && a->normal.x == b->normal.x &&
         a->normal.y == b->normal.y && a->depth == b->depth && a->side == b->side &&
         a->edge == b->edge && a->corner == b->corner;
}

static bool same_scan(sat_Scan a, sat_Scan b) {
  return a.widest == b.widest && a.second == b.second && a.edge == b.edge;
}

static void check_lane(const Scene *scene, const sat_Lane *lane, uint64_t answers[3]) {
  sat_Result quick = {{0, 0}, {0, 0}, 0, SAT_OF_A, 0, false}, general = quick;
  sat_Status status = lane->collide(scene->a, scene->b, NULL, test_scratch(), &quick),
             wanted = sat_collide_at_all(scene->a, scene->b, NULL, test_scratch(), &general);
  sat_Verdict verdict = lane->overlap(scene->a, scene->b);
  answers[verdict]++;
  CHECK_SCENE(scene, status == wanted && same_bits(&quick, &general));
  CHECK_SCENE(scene, verdict == SAT_UNSURE || (verdict == SAT_MEET) == (wanted == SAT_OK));
}

static void check_scans(const Scene *scene, const sat_Lane *lane) {
  sat_Pair pair = sat_pair_of(scene->a, scene->b);
  for (int side = 0; side < 2; side++) {
    const sat_Convex *own = &pair.of[side], *other = &pair.of[!side];
    if (own->count < 2) continue;
    sat_Vec2 away = pair.away[side];
    double apart[2] = {HUGE_VAL, 0};
    for (int i = 0; i < 2; i++) {
      sat_Scan scan = lane->scan(own, other, away, apart[i]),
               turn = lane->turn(own, other, away, apart[i]);
      CHECK_SCENE(scene, same_scan(scan, sat_lane_any.scan(own, other, away, apart[i])));
      CHECK_SCENE(scene, same_scan(turn, sat_lane_any.turn(own, other, away, apart[i])));
      CHECK_SCENE(scene, fabs(scan.widest - turn.widest) <= pair.slack);
    }
  }
}

static void check_lanes(const Scene *scene, uint64_t answers[3]) {
  check_lane(scene, &sat_lane_any, answers);
  check_lane(scene, sat_lane(), answers);
  check_scans(scene, &sat_lane_any);
  check_scans(scene, sat_lane());
}

static void every_lane_answers_as_the_general_machinery_does(void **state) {
  (void)state;
  uint64_t answers[3] = {0, 0, 0};
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Scene scene;
    scene_make(&scene, seed);
    check_lanes(&scene, answers);
    scene_free(&scene);
  }
  assert_true(answers[SAT_APART] > rounds(20000) / 10 && answers[SAT_MEET] > rounds(20000) / 10);
}

/* Where an edge is about to change which one is widest, and whether the two touch at all. */
static void lanes_hand_over_what_is_all_but_a_touch_or_a_tie(void **state) {
  (void)state;
  uint64_t answers[3] = {0, 0, 0};
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Scene scene;
    scene_make(&scene, seed);
    scene_bring_to_touch(&scene);
    check_lanes(&scene, answers);
    scene_free(&scene);
  }
  assert_true(answers[SAT_UNSURE] > rounds(20000) / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_lane_answers_as_the_general_machinery_does),
      cmocka_unit_test(lanes_hand_over_what_is_all_but_a_touch_or_a_tie),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
