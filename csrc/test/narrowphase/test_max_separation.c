/* test_max_separation.c: all tiers of the search for the widest facet find the same one. */
#include "test/oracle.h"

#include "narrowphase/epa.h"
#include "narrowphase/convex_pair.h"

static bool meets(const sat_Pair *pair) {
  sat_Meeting meeting;
  return sat_pair_meets(pair, 0, false, NULL, &meeting);
}

static sat_Facet widest_by(const sat_Pair *pair, sat_Tier tier, bool *ties) {
  sat_Quest quest = {pair->radius, 8 * pair->slack, false, tier};
  sat_Facet facet = {0, 0, 0, 0};
  assert_true(sat_widest_facet(pair, quest, &facet, ties));
  return facet;
}

/* Bit for bit, where the two meet and no other facet is as wide but for rounding: then the tie rule
 * decides. */
static void every_tier_finds_the_same_facet(void **state) {
  (void)state;
  uint64_t compared = 0;
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Scene scene;
    scene_make(&scene, seed);
    sat_Pair pair = sat_pair_of(scene.a, scene.b);
    bool facets = pair.of[0].count > 1 || pair.of[1].count > 1;
    if (facets && meets(&pair)) {
      bool ties[3];
      sat_Facet scan = widest_by(&pair, SAT_SCAN, &ties[0]),
                walk = widest_by(&pair, SAT_CALIPERS, &ties[1]);
      sat_Facet expansion = widest_by(&pair, SAT_EXPANSION, &ties[2]);
      bool tie = ties[0] || ties[1] || ties[2];
      CHECK_SCENE(&scene, fabs(scan.gap - walk.gap) <= pair.slack &&
                              fabs(scan.gap - expansion.gap) <= pair.slack);
      if (!tie) {
        sat_Vec2 normal = facet_normal(&pair, &scan);
        CHECK_SCENE(&scene, dot(normal, facet_normal(&pair, &walk)) > 1 - 1e-12);
        CHECK_SCENE(&scene, dot(normal, facet_normal(&pair, &expansion)) > 1 - 1e-12);
        compared++;
      }
    }
    scene_free(&scene);
  }
  assert_true(compared > rounds(20000) / 7);
}

/* They may differ in which facet parts them, never in whether one does. */
static void every_tier_sees_a_gap_where_there_is_one(void **state) {
  (void)state;
  uint64_t apart = 0;
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Scene scene;
    scene_make(&scene, seed);
    sat_Pair pair = sat_pair_of(scene.a, scene.b);
    if (pair.of[0].count > 1 || pair.of[1].count > 1) {
      bool ties;
      double reach = pair.radius + 2 * pair.slack, gap = widest_by(&pair, SAT_CALIPERS, &ties).gap;
      if (pair.radius == 0 || gap > pair.radius + 4 * pair.slack ||
          gap < pair.radius - 4 * pair.slack) {
        bool yes = pair.radius == 0 ? gap > 0 : gap > reach;
        double by_scan = widest_by(&pair, SAT_SCAN, &ties).gap,
               by_growing = widest_by(&pair, SAT_EXPANSION, &ties).gap;
        CHECK_SCENE(&scene, (pair.radius == 0 ? by_scan > 0 : by_scan > reach) == yes);
        /* The expansion asks more directions than the facets': a corner's gap is wider than any
         * facet's. */
        CHECK_SCENE(&scene, !yes || by_growing > 0);
        CHECK_SCENE(&scene, yes || by_growing <= pair.radius + 2 * pair.slack || !meets(&pair));
        apart += yes;
      }
    }
    scene_free(&scene);
  }
  assert_true(apart > rounds(20000) / 7);
}

/* The expansion may give up where the origin is near the outline or D is too round about it, or has
 * nearly straight corners, and only there. */
static void the_expansion_rarely_gives_up(void **state) {
  (void)state;
  uint64_t asked = 0, gave_up = 0;
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Scene scene;
    scene_make(&scene, seed);
    sat_Pair pair = sat_pair_of(scene.a, scene.b);
    bool ties, facets = pair.of[0].count > 1 || pair.of[1].count > 1;
    if (!scene.hard && facets && widest_by(&pair, SAT_CALIPERS, &ties).gap < -1e-9 * scene.unit) {
      sat_Facet facet;
      asked++;
      gave_up += !sat_expand(&pair, pair.slack, 0, &facet, &ties);
    }
    scene_free(&scene);
  }
  assert_true(asked > rounds(20000) / 10 && gave_up * 1000 < asked);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_tier_finds_the_same_facet),
      cmocka_unit_test(every_tier_sees_a_gap_where_there_is_one),
      cmocka_unit_test(the_expansion_rarely_gives_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
