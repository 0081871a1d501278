/* Chains: what slides along one meets nothing at its joints, and a closed one is a polygon to what
 * comes from its open side. */
#include "answers.h"
#include "many_shapes.h"
#include "polygons.h"

/* ---------------------------------------------------------------- a straight chain */

enum { STEPS = 6 };

/* A straight run from a point on, in so many steps of the same kind, to and fro where `fold` says. */
static sat_Shape *straight_chain(sat_Vec2 from, sat_Vec2 step, size_t count) {
  sat_Vec2 points[STEPS + 1];
  for (size_t i = 0; i <= count; i++) points[i] = add(from, mul(step, (double)i));
  return make_chain(points, count + 1, false);
}

/* Round things touch a slanted line but for rounding. */
static bool is_hairline(const sat_Shape *a, const sat_Shape *b, sat_Vec2 step,
                        const Answers *answers) {
  bool round = sat_shape_radius(a) > 0 || sat_shape_radius(b) > 0;
  return round && step.x != 0 && step.y != 0 && answers->way.depth < 1e-9 &&
         answers->distance.distance < 1e-9;
}

/* However it is cut, whatever meets it, from both sides. */
static void a_straight_chain_answers_as_one_segment(void **state) {
  (void)state;
  uint64_t hits = 0, touches = 0;
  for (uint64_t seed = 0; seed < rounds(20000); seed++) {
    Random random = {seed};
    sat_Vec2 step = random_whole(&random, 4), motion = random_whole(&random, 30);
    if (step.x == 0 && step.y == 0) step.x = 3;
    if (random_integer(&random, 0, 2) == 0)
      motion = mul(step, (double)random_integer(&random, -9, 9));
    sat_Shape *chain = straight_chain(vec2(0, 0), step, STEPS);
    sat_Vec2 ends[2] = {{0, 0}, mul(step, STEPS)};
    sat_Shape *segment = shape_make(ends, 2, 0), *thing = random_thing(&random);
    double radius = (double)random_integer(&random, -4, 1);
    if (radius > 0) {
      assert_int_equal(sat_shape_set_radius(chain, radius), SAT_OK);
      assert_int_equal(sat_shape_set_radius(segment, radius), SAT_OK);
    }
    move_by(thing, random_whole(&random, 12));
    if (seed % 2) bring_to_touch(thing, segment);
    Answers cut = ask(thing, chain, motion), whole = ask(thing, segment, motion);
    if (is_hairline(thing, chain, step, &whole)) cut = whole;
    CHECK_SEED(seed, cut.overlap == whole.overlap && cut.collide == whole.collide);
    CHECK_SEED(seed, fabs(cut.way.depth - whole.way.depth) < 1e-9);
    CHECK_SEED(seed, near(cut.way.vector, whole.way.vector, 1e-9));
    CHECK_SEED(seed, cut.contacts == whole.contacts);
    CHECK_SEED(seed, fabs(cut.distance.distance - whole.distance.distance) < 1e-9);
    CHECK_SEED(seed, same_hits(chain, &cut, &whole, motion));
    hits += cut.cast == SAT_OK;
    touches += cut.collide == SAT_OK && cut.way.depth == 0;
    free(chain);
    free(segment);
    free(thing);
  }
  assert_true(hits > rounds(20000) / 20 && touches > rounds(20000) / 40);
}

/* ---------------------------------------------------------------- a closed chain */

/* A simple ring of whole numbers, each of its edges cut in two. */
static size_t random_outline(Random *random, sat_Vec2 *points) {
  sat_Vec2 ring[MOST_VERTICES];
  size_t count = 0;
  while (count < 3)
    count = random_simple_polygon(random, 5, (size_t)random_integer(random, 3, 12), ring);
  for (size_t i = 0; i < count; i++) {
    points[2 * i] = mul(ring[i], 2);
    points[2 * i + 1] = add(ring[i], ring[(i + 1) % count]);
  }
  return 2 * count;
}

/* The polygon that has the outline, or all that is outside of that as far as the eye can see. */
static sat_Shape *solid_of(const sat_Vec2 *points, size_t count, bool hole) {
  sat_Vec2 ring[MOST_VERTICES];
  size_t size = 0;
  for (size_t i = 0; i < count; i++) ring[size++] = points[i];
  if (hole) {
    /* From the hole's leftmost vertex a bridge leads to the frame. */
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
      if (points[i].x < points[left].x) left = i;
    size = 0;
    for (size_t i = 0; i <= count; i++) ring[size++] = points[(left + count - i) % count];
    sat_Vec2 frame[6] = {{-900, points[left].y}, {-900, -900}, {900, -900}, {900, 900}, {-900, 900},
                         {-900, points[left].y}};
    for (size_t i = 0; i < 6; i++) ring[size++] = frame[i];
  }
  assert_int_equal(sat_ring_clean(ring, &size, test_scratch(), NULL), SAT_OK);
  return make_ring(ring, size);
}

/* In the order of positive area its outside is open, in the other one its inside. */
static sat_Shape *closed_chain(const sat_Vec2 *points, size_t count, bool hole) {
  sat_Vec2 ring[MOST_VERTICES];
  for (size_t i = 0; i < count; i++) ring[i] = points[hole ? count - 1 - i : i];
  return make_chain(ring, count, true);
}

/* What comes from the open side, or is in the way there, cannot tell it from the solid. */
static void a_closed_chain_is_a_solid_from_its_open_side(void **state) {
  (void)state;
  uint64_t hits = 0, touches = 0, pushes = 0;
  for (uint64_t seed = 0; seed < rounds(20000); seed++) {
    Random random = {seed};
    sat_Vec2 points[MOST_VERTICES], motion = random_whole(&random, 30);
    size_t count = random_outline(&random, points);
    bool hole = seed % 4 == 3;
    sat_Shape *solid = solid_of(points, count, hole), *chain = closed_chain(points, count, hole);
    sat_Shape *thing = random_thing(&random);
    move_by(thing, random_whole(&random, 12));
    if (seed % 3 == 0) bring_to_touch(thing, chain);
    Answers line = ask(thing, chain, motion), full = ask(thing, solid, motion);
    bool hair =
        sat_shape_radius(thing) > 0 && line.way.depth < 1e-9 && line.distance.distance < 1e-9;
    if (full.collide == SAT_MISS && !hair) {
      CHECK_SEED(seed, line.overlap == SAT_MISS && line.collide == SAT_MISS);
      CHECK_SEED(seed, fabs(line.distance.distance - full.distance.distance) < 1e-9);
      CHECK_SEED(seed, same_hits(chain, &line, &full, motion));
      hits += line.cast == SAT_OK;
    } else if (full.way.depth == 0 && !hair) {
      CHECK_SEED(seed, line.collide == SAT_OK && line.way.depth == 0);
      CHECK_SEED(seed, same_hits(chain, &line, &full, motion));
      touches++;
    } else if (line.collide == SAT_OK && line.way.depth > 1e-9) {
      /* Past the frame only what has no room inside is led. */
      if (full.way.depth < 100) CHECK_SEED(seed, fabs(line.way.depth - full.way.depth) < 1e-9);
      pushes += full.way.depth < 100;
    }
    free(solid);
    free(chain);
    free(thing);
  }
  assert_true(hits > rounds(20000) / 20 && touches > rounds(20000) / 40 &&
              pushes > rounds(20000) / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_straight_chain_answers_as_one_segment),
      cmocka_unit_test(a_closed_chain_is_a_solid_from_its_open_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
