/* test_fast_path.c: the fast path answers as the general path does, bit for bit, on every
 * instruction set. */
#include "test/oracle.h"

#include "narrowphase/fast_path.h"

static bool same_bits(const sat_Result *a, const sat_Result *b) {
  return a->vector.x == b->vector.x && a->vector.y == b->vector.y && a->normal.x == b->normal.x &&
         a->normal.y == b->normal.y && a->depth == b->depth && a->side == b->side &&
         a->edge == b->edge && a->corner == b->corner;
}

static bool same_scan(sat_SeparationScan a, sat_SeparationScan b) {
  return a.max_separation == b.max_separation && a.second == b.second && a.edge == b.edge;
}

static void check_kernels(const Scene *scene, const sat_Kernels *kernels, uint64_t answers[3]) {
  sat_Result quick = {{0, 0}, {0, 0}, 0, SAT_A, 0, false}, general = quick, touch = quick;
  sat_Status status = kernels->collide(scene->a, scene->b, &quick),
             wanted = sat_convex_collide(scene->a, scene->b, &general);
  sat_Verdict verdict = kernels->touch(scene->a, scene->b, &touch);
  answers[verdict]++;
  CHECK_SCENE(scene, status == wanted && same_bits(&quick, &general));
  CHECK_SCENE(scene, kernels->overlap(scene->a, scene->b) == wanted);
  CHECK_SCENE(scene, verdict == SAT_UNDECIDED || (verdict == SAT_OVERLAP) == (wanted == SAT_OK));
  CHECK_SCENE(scene, verdict != SAT_OVERLAP || same_bits(&touch, &general));
}

static void check_scans(const Scene *scene, const sat_SeparationKernels *kernels) {
  sat_Pair pair = sat_convex_pair(scene->a, scene->b);
  for (int side = 0; side < 2; side++) {
    const sat_Convex *own = &pair.of[side], *other = &pair.of[!side];
    if (own->count < 2) continue;
    sat_Vec2 origin_offset = pair.origin_offset[side];
    double separate[2] = {HUGE_VAL, 0};
    for (int i = 0; i < 2; i++) {
      sat_SeparationScan scan = kernels->scan(own, other, origin_offset, separate[i]),
                         calipers = kernels->calipers(own, other, origin_offset, separate[i]);
      CHECK_SCENE(scene, same_scan(scan, sat_separation_kernels_baseline.scan(
                                             own, other, origin_offset, separate[i])));
      CHECK_SCENE(scene, same_scan(calipers, sat_separation_kernels_baseline.calipers(
                                                 own, other, origin_offset, separate[i])));
      CHECK_SCENE(scene, fabs(scan.max_separation - calipers.max_separation) <= pair.error_bound);
    }
  }
}

static void check_instruction_sets(const Scene *scene, uint64_t answers[3]) {
  check_kernels(scene, &sat_kernels_baseline, answers);
  check_kernels(scene, sat_kernels(), answers);
  check_scans(scene, &sat_separation_kernels_baseline);
  check_scans(scene, sat_separation_kernels());
}

static void every_instruction_set_answers_as_the_general_path_does(void **state) {
  (void)state;
  uint64_t answers[3] = {0, 0, 0};
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Scene scene;
    scene_make(&scene, seed);
    check_instruction_sets(&scene, answers);
    scene_free(&scene);
  }
  assert_true(answers[SAT_SEPARATE] > rounds(20000) / 10 &&
              answers[SAT_OVERLAP] > rounds(20000) / 10);
}

/* The edge of maximum separation is about to change in these scenes, or the overlap to end. */
static void near_touches_and_ties_are_left_undecided(void **state) {
  (void)state;
  uint64_t answers[3] = {0, 0, 0};
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Scene scene;
    scene_make(&scene, seed);
    scene_bring_to_touch(&scene);
    check_instruction_sets(&scene, answers);
    scene_free(&scene);
  }
  assert_true(answers[SAT_UNDECIDED] > rounds(20000) / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_instruction_set_answers_as_the_general_path_does),
      cmocka_unit_test(near_touches_and_ties_are_left_undecided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
