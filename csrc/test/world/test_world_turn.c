/* test_world_turn.c: turns in a world: what they check, when each allocation fails in turn, and
 * what an open question keeps from changing. */
#include "test/memory.h"
#include "test/random.h"
#include "test/suite.h"
#include "world/world.h"

enum { SHAPES = 14 };

static Memory memory;
static sat_ChangeList changes;
static sat_World world;
static sat_Shape *shapes[SHAPES], *mover;
static Random random_state;

static sat_Shape *make_box(double x, double y, double w, double h) {
  sat_Vec2 corners[4] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
  sat_Shape *shape = malloc(sat_shape_bytes(4));
  assert_int_equal(sat_shape_init(shape, corners, 4, 0), SAT_OK);
  shape->owner = NULL;
  return shape;
}

static double real(double low, double high) { return random_real(&random_state, low, high); }

static void make_world(uint64_t seed) {
  random_state.state = seed;
  memory = (Memory){0, -1, 0};
  sat_world_init(&world, (sat_Allocator){watched_allocate, &memory}, &changes);
  for (int i = 0; i < SHAPES; i++) {
    shapes[i] = make_box(real(-40, 40), real(-40, 40), real(4, 20), real(4, 20));
    assert_int_equal(sat_shape_rotate(shapes[i], real(0, 6)), SAT_OK);
    sat_shape_set_sensor(shapes[i], i % 5 == 0);
    assert_int_equal(sat_world_add(&world, shapes[i]), SAT_OK);
  }
  mover = make_box(-12, -3, 24, 6);
  if (seed % 2) assert_int_equal(sat_world_add(&world, mover), SAT_OK);
}

static void drop_world(void) {
  sat_world_free(&world);
  assert_int_equal(memory.bytes, 0);
  for (int i = 0; i < SHAPES; i++) free(shapes[i]);
  free(mover);
}

/* What a caller of a turn may answer, by the shape that is met. */
static sat_Response answer_to(uint32_t other) {
  static const sat_Response responses[] = {SAT_SLIDE, SAT_CROSS, SAT_IGNORE, SAT_TOUCH, SAT_SLIDE};
  return responses[other % 5];
}

static sat_Status turn_asking(double angle, sat_Vec2 pivot, sat_TurnResult *result) {
  sat_MoveHit question;
  sat_Status status = sat_world_turn_begin(&world, mover, angle, pivot, SAT_ASK);
  while (!status && (status = sat_world_run(&world, &question)) == SAT_MISS) {
    assert_true(sat_shape_is_locked(mover) && sat_world_is_locked(&world));
    sat_world_answer(&world, question.other, answer_to(question.other));
    status = SAT_OK;
  }
  if (!status) *result = sat_world_turn_end(&world, false);
  assert_false(sat_shape_is_locked(mover) || sat_world_is_locked(&world));
  return status;
}

TEST(a_turn_is_made_as_it_was_checked) {
  for (uint64_t seed = 1; seed <= rounds(300); seed++) {
    sat_TurnResult checked, made;
    make_world(seed);
    sat_Shape before = *mover;
    double angle = real(-4, 4);
    sat_Vec2 pivot = seed % 3 ? mover->centroid : vec2(real(-9, 9), real(-9, 9));
    sat_Response response = seed % 4 ? SAT_SLIDE : SAT_TOUCH;
    assert_int_equal(sat_world_turn(&world, mover, angle, pivot, response, true, &checked), SAT_OK);
    assert_int_equal(memcmp(&before.angle, &mover->angle, sizeof before.angle), 0);
    if (seed % 7 == 0) assert_int_equal(sat_shape_move(mover, 0, 0.25), SAT_OK);
    sat_Status status = sat_world_turn_as_checked(&world, mover);
    CHECK_SEED(seed, status == (seed % 7 == 0 ? SAT_MISS : SAT_OK));
    if (status == SAT_OK) {
      CHECK_SEED(seed, fabs(mover->angle - checked.turned) < 1e-12);
      CHECK_SEED(seed, sat_world_turn_as_checked(&world, mover) == SAT_MISS);
      CHECK_SEED(seed, checked.count == sat_world_hits(&world)->count);
      assert_int_equal(sat_world_turn(&world, mover, 0, pivot, response, false, &made), SAT_OK);
      CHECK_SEED(seed, made.turned == 0 && made.count == 0);
    }
    drop_world();
  }
}

TEST(a_turn_without_memory_leaves_everything_as_it_was) {
  for (uint64_t seed = 1; seed <= rounds(12); seed++) {
    sat_TurnResult result, expected = {0, 0};
    sat_Status status = SAT_ENOMEM;
    for (int failing = 0; status == SAT_ENOMEM; failing++) {
      make_world(seed);
      double angle = real(-4, 4);
      sat_Shape before = *mover;
      sat_Vec2 pivot = vec2(real(-9, 9), real(-9, 9));
      memory.until_fails = failing;
      status = seed % 2 ? turn_asking(angle, pivot, &result)
                        : sat_world_turn(&world, mover, angle, pivot, SAT_SLIDE, false, &result);
      memory.until_fails = -1;
      CHECK_SEED(seed, status == SAT_OK || status == SAT_ENOMEM);
      if (status == SAT_ENOMEM) {
        CHECK_SEED(seed, mover->angle == before.angle && mover->centroid.x == before.centroid.x);
        for (int i = 0; i < SHAPES; i++)
          CHECK_SEED(seed, world.entries[i].state % (2 * SAT_ENTRY_PASSABLE) < SAT_ENTRY_PASSABLE);
        status = seed % 2 ? turn_asking(angle, pivot, &result)
                          : sat_world_turn(&world, mover, angle, pivot, SAT_SLIDE, false, &result);
        CHECK_SEED(seed, status == SAT_OK);
        status = SAT_ENOMEM;
      }
      if (failing > 0) CHECK_SEED(seed, result.turned == expected.turned);
      expected = result;
      drop_world();
    }
  }
}

TEST(a_turn_beyond_the_limits_is_refused) {
  sat_TurnResult result;
  make_world(2);
  sat_Vec2 pivot = mover->centroid;
  assert_int_equal(sat_world_turn(&world, mover, 2e15, pivot, SAT_TOUCH, false, &result),
                   SAT_ERANGE);
  assert_int_equal(sat_world_turn(&world, mover, NAN, pivot, SAT_TOUCH, false, &result),
                   SAT_ERANGE);
  assert_int_equal(sat_world_turn(&world, mover, 1, vec2(0, INFINITY), SAT_TOUCH, false, &result),
                   SAT_ERANGE);
  sat_world_clear(&world);
  assert_int_equal(sat_world_turn(&world, mover, 3, vec2(9e14, 0), SAT_TOUCH, false, &result),
                   SAT_ERANGE);
  assert_true(mover->angle == 0);
  assert_int_equal(sat_world_turn(&world, mover, 3, pivot, SAT_TOUCH, false, &result), SAT_OK);
  assert_true(result.turned == 3 && mover->angle == 3);
  drop_world();
}

int main(void) { return run_suite(NULL, NULL); }
