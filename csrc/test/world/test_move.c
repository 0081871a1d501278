/* test_move.c: move, check, carry and collide of a world keep their promises in random scenes, and
 * when each allocation fails in turn. */
#include "world/world.h"
#include "test/memory.h"
#include "test/random.h"
#include "test/suite.h"

enum { MOST = 48 };

typedef struct Scene {
  Memory memory;
  sat_ChangeList changes;
  sat_World world;
  sat_Scratch scratch;
  sat_MoveHits hits; /* of a move that is to be repeated */
  sat_Shape *shapes[MOST], *mover;
  size_t count;
} Scene;

static Scene scene;
static Random random_state;
static uint64_t seed;

#define CHECK(condition) CHECK_SEED(seed, condition)

static int64_t whole(int64_t low, int64_t high) { return random_integer(&random_state, low, high); }
static double real(double low, double high) { return random_real(&random_state, low, high); }
static bool one_in(int64_t n) { return whole(1, n) == 1; }

static sat_Allocator watched(void) { return (sat_Allocator){watched_allocate, &scene.memory}; }

/* ---------------------------------------------------------------- scenes */

static sat_Shape *make(const sat_Vec2 *points, size_t count, double radius) {
  sat_Shape *shape = malloc(sat_shape_bytes(count));
  CHECK(sat_shape_init(shape, points, count, radius) == SAT_OK);
  shape->owner = NULL;
  return shape;
}

/* A box, a triangle, a circle or a capsule, at times rotated; a box is rounded at times. */
static sat_Shape *make_any(double x, double y) {
  double w = (double)whole(4, 20), h = (double)whole(4, 20);
  sat_Vec2 box[4] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
  sat_Vec2 slope[3] = {{x, y + h}, {x + w, y}, {x + w, y + h}};
  sat_Vec2 ends[2] = {{x, y}, {x + w, y + h}};
  sat_Shape *shape;
  switch (whole(1, 5)) {
  case 1: shape = make(slope, 3, 0); break;
  case 2: shape = make(ends, 1, w / 2); break;
  case 3: shape = make(ends, 2, h / 3); break;
  default: shape = make(box, 4, one_in(5) ? 2 : 0); break;
  }
  if (one_in(3)) CHECK(sat_shape_rotate(shape, real(0, 6)) == SAT_OK);
  return shape;
}

static void add_shape(sat_Shape *shape) {
  scene.shapes[scene.count++] = shape;
  CHECK(sat_world_add(&scene.world, shape) == SAT_OK);
}

static void begin_scene(void) {
  memset(&scene, 0, sizeof scene);
  scene.memory.until_fails = -1;
  sat_world_init(&scene.world, watched(), &scene.changes);
  scene.scratch = sat_scratch_make(watched());
  scene.hits.allocator = watched();
}

static void make_scene(uint64_t number) {
  seed = number;
  random_state.state = number;
  begin_scene();
  for (int64_t k = whole(3, 22); k > 0; k--) {
    sat_Shape *shape = make_any((double)whole(-60, 60), (double)whole(-60, 60));
    sat_shape_set_static(shape, !one_in(4));
    sat_shape_set_sensor(shape, one_in(8));
    if (one_in(6)) CHECK(sat_shape_set_one_way(shape, vec2(0, -1)) == SAT_OK);
    if (one_in(6)) CHECK(sat_shape_set_mass(shape, real(0.1, 9)) == SAT_OK);
    add_shape(shape);
  }
  scene.mover = make_any((double)whole(-60, 60), (double)whole(-60, 60));
  if (one_in(2)) add_shape(scene.mover);
}

static void drop_scene(void) {
  bool added = sat_world_has(&scene.world, scene.mover);
  sat_world_free(&scene.world);
  sat_scratch_free(&scene.scratch);
  SAT_LIST_FREE(&scene.hits);
  CHECK(scene.memory.bytes == 0);
  for (size_t i = 0; i < scene.count; i++) free(scene.shapes[i]);
  if (!added) free(scene.mover);
}

/* ---------------------------------------------------------------- checks of a move */

static double depth_in(const sat_Shape *one, const sat_Shape *other) {
  sat_Result way;
  sat_Status status = sat_collide(one, other, &scene.scratch, &way);
  CHECK(status <= SAT_MISS);
  return status == SAT_OK ? way.depth : -1;
}

static bool is_solid(const sat_Shape *shape) {
  sat_Vec2 normal;
  return shape != scene.mover && !(shape->flags & SAT_SENSOR) && !sat_shape_one_way(shape, &normal);
}

/* The response to an obstacle depends on its id, so that every question about the obstacle has the
 * same answer. */
static sat_Response answer(const sat_MoveHit *question, uint64_t salt) {
  static const sat_Response responses[] = {SAT_SLIDE, SAT_TOUCH, SAT_BOUNCE,
                                           SAT_PUSH,  SAT_CROSS, SAT_IGNORE};
  return responses[(question->id * 7 + salt) % COUNT_OF(responses)];
}

static sat_Status move_by_answers(sat_Vec2 motion, uint64_t salt, sat_MoveResult *result) {
  sat_MoveHit question;
  sat_Status status = sat_world_move_begin(&scene.world, scene.mover, motion, SAT_ASK);
  if (status) return status;
  while ((status = sat_world_run(&scene.world, &question)) == SAT_MISS) {
    CHECK(sat_shape_is_locked(scene.mover));
    sat_world_answer(&scene.world, question.other, answer(&question, salt));
  }
  if (!status) *result = sat_world_move_end(&scene.world, false);
  return status;
}

static void check_hits(const sat_MoveResult *result) {
  const sat_MoveHits *hits = sat_world_hits(&scene.world);
  double last = 0;
  CHECK(hits->count == result->count);
  for (size_t i = 0; i < hits->count; i++) {
    const sat_MoveHit *hit = &hits->at[i];
    CHECK(hit->t >= last && hit->t <= 1);
    CHECK(sat_world_id(&scene.world, hit->other) == hit->id);
    if (hit->how != SAT_STUCK) CHECK(fabs(dot(hit->normal, hit->normal) - 1) <= 1e-12);
    last = hit->t;
  }
}

static void keep_hits(void) { CHECK(sat_world_copy_hits(&scene.world, &scene.hits) == SAT_OK); }

/* The bytes between the fields of a hit have no meaning. */
static bool is_same_hit(const sat_MoveHit *one, const sat_MoveHit *other) {
  return one->other == other->other && one->id == other->id && one->how == other->how &&
         memcmp(&one->normal, &other->normal, sizeof one->normal) == 0 &&
         memcmp(&one->point, &other->point, sizeof one->point) == 0 &&
         memcmp(&one->t, &other->t, sizeof one->t) == 0 &&
         memcmp(&one->centroid, &other->centroid, sizeof one->centroid) == 0;
}

/* Checks that the hits are those that were kept, to the last bit. */
static void check_same_hits(void) {
  const sat_MoveHits *hits = sat_world_hits(&scene.world);
  CHECK(hits->count == scene.hits.count);
  for (size_t i = 0; i < hits->count; i++) CHECK(is_same_hit(&hits->at[i], &scene.hits.at[i]));
}

static bool was_stuck(void) {
  const sat_MoveHits *hits = sat_world_hits(&scene.world);
  return hits->count > 0 && hits->at[0].how == SAT_STUCK;
}

static bool was_pushed(const sat_Shape *shape) {
  const sat_CarriedShapes *pushed = sat_world_pushed(&scene.world);
  for (size_t i = 0; i < pushed->count; i++)
    if (sat_entry_shape(&scene.world, pushed->at[i].other) == shape) return true;
  return false;
}

/* Checks that the mover overlaps no obstacle on a leg of the way, but for those that it overlapped
 * at the start, and those that were pushed, which were elsewhere then. */
static void check_leg(sat_Vec2 from, sat_Vec2 to, const double before[]) {
  enum { STEPS = 8 };
  sat_Shape *mover = scene.mover, *probe = malloc(mover->bytes);
  CHECK(probe != NULL);
  sat_shape_copy(probe, mover);
  for (int k = 0; k <= STEPS; k++) {
    sat_Vec2 place = add(from, mul(sub(to, from), (double)k / STEPS));
    CHECK(sat_shape_move_to(probe, place.x, place.y) == SAT_OK);
    for (size_t i = 0; i < scene.count; i++)
      if (is_solid(scene.shapes[i]) && before[i] <= 0 && !was_pushed(scene.shapes[i]))
        CHECK(depth_in(probe, scene.shapes[i]) <= 1e-9);
  }
  free(probe);
}

/* Checks that the legs of the way are no longer than the motion in all, and that no obstacle is on
 * them. */
static void check_way(const sat_MoveResult *result, sat_Vec2 start, sat_Vec2 motion,
                      const double before[]) {
  const sat_MoveHits *hits = sat_world_hits(&scene.world);
  sat_Vec2 from = start;
  double way = 0;
  if (hits->count > 0 && hits->at[0].how == SAT_FREED) return;
  for (size_t i = 0; i <= hits->count; i++) {
    sat_Vec2 to = i < hits->count ? hits->at[i].centroid : result->centroid;
    check_leg(from, to, before);
    way += length(sub(to, from));
    from = to;
  }
  double rounding = 1e-12 * 200 * (double)(hits->count + 1);
  CHECK(way <= length(motion) * (1 + 1e-12) + rounding);
}

enum { MOST_DIRECTIONS = 64 };

/* The directions in which a move may go on from one position: each surface may have turned it. */
typedef struct Directions {
  sat_Vec2 at[MOST_DIRECTIONS];
  size_t count;
} Directions;

static bool leads_against(const Directions *directions, sat_Vec2 normal) {
  for (size_t i = 0; i < directions->count; i++)
    if (dot(normal, directions->at[i]) < 1e-7 * length(directions->at[i])) return true;
  return directions->count == MOST_DIRECTIONS;
}

/* Changes the directions as a hit may: a bounce mirrors each one, and a slide adds each one
 * clipped. */
static void turn_directions(Directions *directions, const sat_MoveHit *hit) {
  size_t count = directions->count;
  for (size_t i = 0; i < count && directions->count < MOST_DIRECTIONS; i++) {
    double into = dot(directions->at[i], hit->normal);
    sat_Vec2 turned = sub(directions->at[i], mul(hit->normal, into));
    if (hit->how == SAT_BOUNCE) directions->at[i] = sub(turned, mul(hit->normal, into));
    else directions->at[directions->count++] = turned;
  }
}

/* Checks that the normal of every hit is against the motion before it: against the leg since the
 * last hit or, where several hits are in one position, against a direction that the surfaces there
 * allow. */
static void check_normals(sat_Vec2 start, sat_Vec2 motion) {
  const sat_MoveHits *hits = sat_world_hits(&scene.world);
  Directions directions = {{motion}, 1};
  sat_Vec2 from = start;
  for (size_t i = 0; i < hits->count; i++) {
    const sat_MoveHit *hit = &hits->at[i];
    if (hit->how == SAT_FREED || hit->how == SAT_STUCK) return;
    if (hit->how == SAT_CROSS) continue; /* the centroid is where the leg began */
    sat_Vec2 way = sub(hit->centroid, from);
    if (length(way) > 1e-6) directions = (Directions){{way}, 1};
    CHECK(leads_against(&directions, hit->normal));
    turn_directions(&directions, hit);
    from = hit->centroid;
  }
}

/* The depth of a copy of the mover in the obstacle that it overlaps most, of the obstacles that the
 * mover overlaps by rounding at most. */
static double deepest_rounding(const sat_Shape *copy) {
  double deepest = -1;
  for (size_t i = 0; i < scene.count; i++)
    if (is_solid(scene.shapes[i]) && depth_in(scene.mover, scene.shapes[i]) <= 1e-9)
      deepest = fmax(deepest, depth_in(copy, scene.shapes[i]));
  return deepest;
}

/* Whether the mover overlaps an obstacle at all positions within some units in the last place: then
 * it is in a gap that is narrower by rounding, which lets it in. */
static bool is_in_narrow_gap(void) {
  enum { STEPS = 12 };
  sat_Shape *copy = malloc(scene.mover->bytes);
  CHECK(copy != NULL);
  sat_shape_copy(copy, scene.mover);
  sat_Vec2 at = scene.mover->centroid;
  sat_SavedPosition place = sat_shape_position(scene.mover);
  double unit = 0x1p-54 * fmax(fabs(at.x), fabs(at.y)), least = HUGE_VAL;
  for (int scale = 1; scale <= 8; scale *= 2)
    for (int x = -STEPS; x <= STEPS; x++)
      for (int y = -STEPS; y <= STEPS; y++) {
        sat_shape_stand_at(copy, place);
        CHECK(sat_shape_shift(copy, mul(vec2(x, y), unit * scale)) == SAT_OK);
        least = fmin(least, deepest_rounding(copy));
      }
  free(copy);
  return least > 0;
}

static void check_move(sat_Response response) {
  double before[MOST] = {0};
  sat_MoveResult result, checked;
  sat_Vec2 motion = {real(-60, 60), one_in(4) ? 0 : real(-60, 60)}, start = scene.mover->centroid;
  for (size_t i = 0; i < scene.count; i++) before[i] = depth_in(scene.mover, scene.shapes[i]);
  CHECK(sat_world_check(&scene.world, scene.mover, motion, response, &checked) == SAT_OK);
  keep_hits();
  CHECK(memcmp(&start, &scene.mover->centroid, sizeof start) == 0);
  CHECK(sat_world_move(&scene.world, scene.mover, motion, response, &result) == SAT_OK);
  CHECK(memcmp(&result, &checked, sizeof result) == 0);
  CHECK(memcmp(&result.centroid, &scene.mover->centroid, sizeof result.centroid) == 0);
  check_hits(&result);
  check_same_hits();
  if (response == SAT_CROSS || was_stuck()) return;
  /* What is pushed out of an overlap of its own may come into a mover that is in no world. */
  bool is_seen = sat_world_has(&scene.world, scene.mover);
  for (size_t i = 0; i < scene.count; i++)
    if (is_solid(scene.shapes[i]) && (is_seen || !was_pushed(scene.shapes[i]))) {
      double depth = depth_in(scene.mover, scene.shapes[i]);
      CHECK(depth <= (before[i] > 0 ? 1e-9 : 0) || (depth <= 1e-9 && is_in_narrow_gap()));
    }
  check_way(&result, start, motion, before);
  check_normals(start, motion);
}

/* ---------------------------------------------------------------- random scenes */

TEST(a_move_ends_outside_of_everything_solid) {
  for (uint64_t i = 0; i < rounds(400); i++) {
    make_scene(i);
    for (int k = 0; k < 4; k++) check_move((sat_Response)whole(SAT_SLIDE, SAT_CROSS));
    drop_scene();
  }
}

/* In these rare scenes a gap is as wide as the mover but for rounding, and another obstacle is
 * beside the mover. */
TEST(a_move_leaves_a_gap_as_wide_as_the_mover_wherever_there_is_room) {
  static const uint64_t seeds[] = {6091, 466820, 783414, 1784737, 1948098, 2018751, 2162422};
  for (size_t i = 0; i < COUNT_OF(seeds); i++) {
    make_scene(seeds[i]);
    for (int k = 0; k < 4; k++) check_move((sat_Response)whole(SAT_SLIDE, SAT_CROSS));
    drop_scene();
  }
}

/* All shapes are put back to the last bit before the mover moves again. */
TEST(a_move_of_answers_unlocks_its_mover_and_repeats_its_hits) {
  uint64_t all_hits = 0;
  for (uint64_t i = 0; i < rounds(200); i++) {
    make_scene(i);
    sat_Vec2 motion = {real(-60, 60), real(-60, 60)};
    sat_SavedPosition start = sat_shape_position(scene.mover), places[MOST];
    sat_MoveResult one, other;
    for (size_t k = 0; k < scene.count; k++) places[k] = sat_shape_position(scene.shapes[k]);
    CHECK(move_by_answers(motion, i, &one) == SAT_OK);
    check_hits(&one);
    keep_hits();
    CHECK(!sat_shape_is_locked(scene.mover));
    sat_shape_put(scene.mover, start);
    for (size_t k = 0; k < scene.count; k++) sat_shape_put(scene.shapes[k], places[k]);
    CHECK(move_by_answers(motion, i, &other) == SAT_OK);
    CHECK(memcmp(&one, &other, sizeof one) == 0);
    check_same_hits();
    all_hits += one.count;
    drop_scene();
  }
  assert_true(all_hits >= rounds(200) / 4);
}

/* Checks that the way out is as long as the deepest overlap or longer, and that it leads out of all
 * solid shapes. */
static void check_way_out(void) {
  sat_Result way;
  double deepest = -1;
  for (size_t k = 0; k < scene.count; k++)
    if (is_solid(scene.shapes[k])) deepest = fmax(deepest, depth_in(scene.mover, scene.shapes[k]));
  sat_Status status = sat_world_collide(&scene.world, scene.mover, &way);
  CHECK(status == (deepest < 0 ? SAT_MISS : SAT_OK));
  if (status != SAT_OK) return;
  CHECK(way.depth >= deepest - 1e-9);
  CHECK(sat_shape_move(scene.mover, way.vector.x, way.vector.y) == SAT_OK);
  for (size_t k = 0; k < scene.count; k++)
    if (is_solid(scene.shapes[k])) CHECK(depth_in(scene.mover, scene.shapes[k]) <= 1e-9);
}

/* Checks that all is where it was, but for what the last check has pushed where `moved`. Returns
 * how many that are. */
static size_t check_pushed(const sat_Vec2 *from, bool moved) {
  const sat_CarriedShapes *pushed = sat_world_pushed(&scene.world);
  double weight = 0;
  for (size_t k = 0; k < scene.count; k++) {
    sat_Vec2 gone = {0, 0};
    for (size_t i = 0; i < pushed->count && moved; i++)
      if (sat_entry_shape(&scene.world, pushed->at[i].other) == scene.shapes[k])
        gone = pushed->at[i].motion;
    sat_Vec2 way = sub(scene.shapes[k]->centroid, from[k]);
    if (scene.shapes[k] != scene.mover) CHECK(equal_points(way, gone));
  }
  for (size_t i = 0; i < pushed->count; i++) {
    const sat_Shape *shape = sat_entry_shape(&scene.world, pushed->at[i].other);
    CHECK(shape != scene.mover && !(shape->flags & (SAT_STATIC | SAT_SENSOR)));
    CHECK(sat_world_is_listed(&scene.world, shape));
    weight += shape->mass;
  }
  CHECK(weight <= scene.mover->mass);
  return pushed->count;
}

TEST(what_a_check_pushes_moves_as_checked_unless_it_has_moved_since) {
  size_t all_pushed = 0;
  for (uint64_t i = 0; i < rounds(600); i++) {
    sat_Vec2 from[MOST];
    sat_MoveResult result;
    make_scene(i);
    CHECK(sat_shape_set_mass(scene.mover, HUGE_VAL) == SAT_OK);
    sat_Vec2 motion = {real(-60, 60), real(-60, 60)}, start = scene.mover->centroid;
    for (size_t k = 0; k < scene.count; k++) from[k] = scene.shapes[k]->centroid;
    CHECK(sat_world_check(&scene.world, scene.mover, motion, SAT_PUSH, &result) == SAT_OK);
    size_t pushed = check_pushed(from, false);
    all_pushed += pushed;
    if (pushed > 0) {
      uint32_t last = sat_world_pushed(&scene.world)->at[pushed - 1].other;
      sat_Shape *shape = sat_entry_shape(&scene.world, last);
      sat_SavedPosition place = sat_shape_position(shape);
      CHECK(sat_shape_move(shape, 1, 0) == SAT_OK);
      CHECK(sat_world_move_as_checked(&scene.world, scene.mover, result.centroid) == SAT_MISS);
      CHECK(equal_points(start, scene.mover->centroid));
      sat_shape_put(shape, place);
    }
    CHECK(sat_world_move_as_checked(&scene.world, scene.mover, result.centroid) == SAT_OK);
    CHECK(check_pushed(from, true) == pushed);
    CHECK(equal_points(result.centroid, scene.mover->centroid));
    drop_scene();
  }
  assert_true(all_pushed >= rounds(600) / 20);
}

TEST(the_way_out_leaves_everything_solid_at_once) {
  for (uint64_t i = 0; i < rounds(400); i++) {
    make_scene(i);
    check_way_out();
    drop_scene();
  }
}

/* Adds a compound of many pieces to a scene of many obstacles, and makes it the mover. */
static void make_scene_of_many(uint64_t number) {
  enum { PIECES = 20 };
  sat_Shape *pieces[PIECES];
  make_scene(number);
  while (scene.count < MOST - 2) add_shape(make_any(real(-40, 40), real(-40, 40)));
  for (int i = 0; i < PIECES; i++)
    pieces[i] = make_any((double)whole(-40, 40), (double)whole(-40, 40));
  const sat_Shape *const *members = (const sat_Shape *const *)pieces;
  if (!sat_world_has(&scene.world, scene.mover)) free(scene.mover);
  scene.mover = malloc(sat_compound_bytes(members, PIECES));
  CHECK(sat_compound_init(scene.mover, members, PIECES) == SAT_OK);
  scene.mover->owner = NULL;
  for (int i = 0; i < PIECES; i++) free(pieces[i]);
  add_shape(scene.mover);
}

/* The way out of one compound of all obstacles. */
static void collide_with_compound(sat_Result *way) {
  const sat_Shape *solids[MOST];
  size_t count = 0;
  for (size_t k = 0; k < scene.count; k++)
    if (is_solid(scene.shapes[k])) solids[count++] = scene.shapes[k];
  sat_Shape *compound = malloc(sat_compound_bytes(solids, count));
  CHECK(sat_compound_init(compound, solids, count) == SAT_OK);
  CHECK(sat_collide(scene.mover, compound, &scene.scratch, way) == SAT_OK);
  free(compound);
}

TEST(the_way_out_of_a_composite_is_as_long_as_out_of_one_compound) {
  for (uint64_t i = 0; i < rounds(30); i++) {
    sat_Result way, of_compound;
    make_scene_of_many(i);
    CHECK(sat_world_collide(&scene.world, scene.mover, &way) == SAT_OK);
    collide_with_compound(&of_compound);
    CHECK(fabs(way.depth - of_compound.depth) <= 1e-9);
    check_way_out();
    drop_scene();
  }
}

TEST(a_platform_carries_its_riders_out_of_overlap_or_crushes_them) {
  size_t all_carried = 0, all_crushed = 0;
  for (uint64_t i = 0; i < rounds(300); i++) {
    make_scene(i);
    sat_Shape *platform = scene.shapes[0];
    sat_Vec2 motion = {real(-9, 9), real(-9, 9)}, start = platform->centroid;
    sat_Vec2 from[MOST];
    sat_CarryResult result;
    for (size_t k = 0; k < scene.count; k++) from[k] = scene.shapes[k]->centroid;
    double angle = one_in(3) ? real(-1, 1) : 0;
    CHECK(sat_world_carry(&scene.world, platform, motion, angle, vec2(0, -1), &result) == SAT_OK);
    CHECK(length(sub(sub(platform->centroid, start), motion)) <= 1e-12 * 100);
    const sat_CarriedShapes *carried = sat_world_carried(&scene.world);
    CHECK(carried->count == result.count);
    size_t crushed = 0;
    for (size_t k = 0; k < carried->count; k++) {
      const sat_Shape *rider = sat_entry_shape(&scene.world, carried->at[k].other);
      crushed += carried->at[k].crushed;
      CHECK(!(rider->flags & SAT_STATIC));
      if (carried->at[k].crushed) CHECK(length(carried->at[k].motion) == 0);
      else CHECK(platform->flags & SAT_SENSOR || depth_in(rider, platform) <= 1e-9);
    }
    CHECK(crushed == result.crushed);
    all_carried += result.count - crushed;
    all_crushed += crushed;
    for (size_t k = 1; k < scene.count; k++)
      if (scene.shapes[k]->flags & SAT_STATIC)
        CHECK(memcmp(&from[k], &scene.shapes[k]->centroid, sizeof from[k]) == 0);
    drop_scene();
  }
  assert_true(all_carried + all_crushed >= rounds(300) / 50);
}

/* While others are pushed out of its way, the platform is where it has begun. */
TEST(a_platform_is_found_where_a_carry_has_left_it) {
  const sat_Vec2 box[4] = {{0, 0}, {10, 0}, {10, 2}, {0, 2}};
  for (int turns = 0; turns < 2; turns++) {
    Memory memory = {0, -1, 0};
    sat_Allocator allocator = {watched_allocate, &memory};
    sat_ChangeList changes;
    sat_World world;
    sat_Items found = {.allocator = allocator};
    sat_CarryResult result;
    sat_Shape *platform = make(box, 4, 0);
    sat_world_init(&world, allocator, &changes);
    CHECK(sat_world_add(&world, platform) == SAT_OK);
    CHECK(sat_world_carry(&world, platform, vec2(30, 40), turns, vec2(0, -1), &result) == SAT_OK);
    CHECK(sat_world_at(&world, vec2(35, 41), NULL, &found) == SAT_OK && found.count == 1);
    CHECK(sat_world_at(&world, vec2(5, 1), NULL, &found) == SAT_OK && found.count == 0);
    SAT_LIST_FREE(&found);
    sat_world_free(&world);
    free(platform);
  }
}

/* Each allocation of a call fails in turn until the call succeeds, and a call that fails moves
 * nothing. */
TEST(a_failed_allocation_leaves_everything_where_it_was) {
  size_t failures[4] = {0};
  for (uint64_t i = 0; i < rounds(60); i++) {
    make_scene(i);
    /* The first call of a world finds the least memory there. */
    for (int turn = 0; turn < 4; turn++) {
      int call = (turn + (int)i) % 4;
      sat_Vec2 from[MOST], start = scene.mover->centroid, motion = {real(-40, 40), real(-40, 40)};
      for (size_t k = 0; k < scene.count; k++) from[k] = scene.shapes[k]->centroid;
      sat_Status status = SAT_ENOMEM;
      for (int left = 0; status == SAT_ENOMEM; left++) {
        sat_MoveResult result;
        sat_CarryResult carried;
        sat_Result way;
        scene.memory.until_fails = left;
        if (call == 0) status = move_by_answers(motion, i, &result);
        else if (call == 1)
          status = sat_world_move(&scene.world, scene.mover, motion, i % 2 ? SAT_PUSH : SAT_SLIDE,
                                  &result);
        else if (call == 2) status = sat_world_collide(&scene.world, scene.mover, &way);
        else
          status = sat_world_carry(&scene.world, scene.shapes[0], mul(motion, 0.2), 0.2,
                                   vec2(0, -1), &carried);
        scene.memory.until_fails = -1;
        CHECK(status <= SAT_MISS || status == SAT_ENOMEM);
        if (status != SAT_ENOMEM) break;
        failures[call]++;
        CHECK(memcmp(&start, &scene.mover->centroid, sizeof start) == 0);
        for (size_t k = 0; k < scene.count; k++)
          CHECK(memcmp(&from[k], &scene.shapes[k]->centroid, sizeof from[k]) == 0);
      }
    }
    drop_scene();
  }
  for (int call = 0; call < 4; call++) assert_true(failures[call] >= rounds(60) / 12);
}

TEST(numbers_out_of_range_are_refused_before_anything_moves) {
  make_scene(1);
  sat_MoveResult result;
  sat_CarryResult carried;
  CHECK(sat_shape_move_to(scene.mover, 50, 50) == SAT_OK);
  sat_Vec2 start = scene.mover->centroid, far_out = {SAT_LIMIT, 0}, none = {0, 0};
  CHECK(sat_world_move(&scene.world, scene.mover, vec2(NAN, 0), SAT_SLIDE, &result) == SAT_ERANGE);
  CHECK(sat_world_move(&scene.world, scene.mover, vec2(INFINITY, 0), SAT_SLIDE, &result) ==
        SAT_ERANGE);
  CHECK(sat_world_move(&scene.world, scene.mover, far_out, SAT_SLIDE, &result) == SAT_ERANGE);
  CHECK(sat_world_carry(&scene.world, scene.mover, vec2(1, 1), 0, none, &carried) == SAT_EVALUE);
  CHECK(sat_shape_set_mass(scene.mover, 0) == SAT_EVALUE);
  CHECK(sat_shape_set_mass(scene.mover, NAN) == SAT_EVALUE);
  CHECK(memcmp(&start, &scene.mover->centroid, sizeof start) == 0);
  drop_scene();
}

/* A box jumps through a one-way platform, moves freely inside it, and lands on it. */
TEST(a_one_way_platform_is_solid_from_the_side_of_its_normal_alone) {
  sat_Vec2 plank[4] = {{0, 50}, {100, 50}, {100, 55}, {0, 55}};
  sat_Vec2 box[4] = {{40, 60}, {50, 60}, {50, 70}, {40, 70}};
  sat_MoveResult result;
  begin_scene();
  add_shape(make(plank, 4, 0));
  scene.mover = make(box, 4, 0);
  CHECK(sat_shape_set_one_way(scene.shapes[0], vec2(0, -2)) == SAT_OK);
  CHECK(sat_world_move(&scene.world, scene.mover, vec2(0, -12), SAT_SLIDE, &result) == SAT_OK);
  CHECK(result.count == 0 && result.centroid.y == 53);
  CHECK(sat_world_move(&scene.world, scene.mover, vec2(0, 2), SAT_SLIDE, &result) == SAT_OK);
  CHECK(result.count == 0 && result.centroid.y == 55);
  CHECK(sat_world_move(&scene.world, scene.mover, vec2(0, -30), SAT_SLIDE, &result) == SAT_OK);
  CHECK(sat_world_move(&scene.world, scene.mover, vec2(3, 60), SAT_SLIDE, &result) == SAT_OK);
  CHECK(result.count == 1 && result.centroid.y == 45 && result.centroid.x == 48);
  CHECK(result.rest.x == 3 && result.rest.y == 0);
  drop_scene();
}

static sat_Shape *make_hull(sat_Vec2 *points, size_t count) {
  CHECK(sat_hull(points, &count, &scene.scratch, NULL) == SAT_OK);
  return make(points, count, 0);
}

/* Makes a scene of a box on a slope, at that fraction of the slope's length, and a floor at the
 * foot. */
static void make_slope(double x, double w, double h, double fraction) {
  double far = x - copysign(100, w), left = -copysign(12, w);
  sat_Vec2 foot = vec2(x + w * fraction, -h * fraction), up = vec2(foot.x, foot.y - 20);
  sat_Vec2 slope[4] = {{x, 0}, {x + w, -h}, {x + w, 100}, {x, 100}};
  sat_Vec2 floor[4] = {{x, 0}, {x, 100}, {far, 100}, {far, 0}};
  sat_Vec2 box[4] = {foot, up, {up.x + left, up.y}, {foot.x + left, foot.y}};
  begin_scene();
  add_shape(make_hull(slope, 4));
  add_shape(make_hull(floor, 4));
  scene.mover = make_hull(box, 4);
}

/* A box slides down to the foot of a slope, a hair less or more. The motion is made to its end, and
 * the part beyond the foot leads along the floor. */
TEST(a_move_to_the_foot_of_a_slope_is_made_to_its_end) {
  for (seed = 0; seed < rounds(3000); seed++) {
    random_state.state = seed;
    double w = (double)whole(10, 90) * (one_in(2) ? 1 : -1), h = (double)whole(1, 90);
    double x = one_in(2) ? 0 : (double)whole(-1000, 1000), fraction = real(0.01, 0.9);
    double hair = ldexp(real(-1, 1), -(int)whole(8, 46)), limit = 1e-9 * (1000 + fabs(x));
    sat_Vec2 way = mul(vec2(-w, h), fraction * (1 + hair));
    sat_MoveResult result;
    make_slope(x, w, h, fraction);
    sat_Vec2 from = scene.mover->centroid;
    CHECK(sat_world_move(&scene.world, scene.mover, way, SAT_SLIDE, &result) == SAT_OK);
    CHECK(fabs(result.centroid.x - from.x - way.x) <= limit);
    CHECK(fabs(result.centroid.y - min2(from.y + way.y, -10)) <= limit);
    drop_scene();
  }
}

static sat_Shape *make_ray(void) {
  sat_Vec2 ends[2] = {{0, 0}, {(double)whole(-9, 9), (double)whole(-9, 9)}};
  return make(ends, 2, 0);
}

/* The mover and the obstacles are segments with a common end. */
TEST(a_move_without_a_hit_is_made_to_its_end) {
  for (seed = 1; seed <= rounds(20000); seed++) {
    random_state.state = seed;
    begin_scene();
    for (int64_t count = whole(1, 4); count > 0; count--) add_shape(make_ray());
    sat_Shape *members[2] = {make_ray(), make_ray()};
    const sat_Shape *const both[2] = {members[0], members[1]};
    scene.mover = malloc(sat_compound_bytes(both, 2));
    CHECK(sat_compound_init(scene.mover, both, 2) == SAT_OK);
    free(members[0]);
    free(members[1]);
    sat_Vec2 motion = {(double)whole(-9, 9), (double)whole(-9, 9)}, from = scene.mover->centroid;
    sat_MoveResult result;
    sat_Response response = one_in(2) ? SAT_TOUCH : SAT_SLIDE;
    CHECK(sat_world_move(&scene.world, scene.mover, motion, response, &result) == SAT_OK);
    CHECK(result.count > 0 || length(sub(sub(result.centroid, from), motion)) <= 1e-9);
    drop_scene();
  }
}

/* ---------------------------------------------------------------- gaps */

typedef struct Frame {
  sat_Vec2 origin;
  double unit, cosine, sine;
} Frame;

static sat_Vec2 turned(const Frame *frame, double along, double across) {
  return vec2(frame->cosine * along - frame->sine * across,
              frame->sine * along + frame->cosine * across);
}

static sat_Vec2 placed(const Frame *frame, double column, double row) {
  return add(frame->origin, turned(frame, column * frame->unit, row * frame->unit));
}

static void add_block(const Frame *frame, double column, double row, double w, double h) {
  sat_Vec2 points[4] = {placed(frame, column, row), placed(frame, column + w, row),
                        placed(frame, column + w, row + h), placed(frame, column, row + h)};
  add_shape(make(points, 4, 0));
}

/* Makes a scene of a corridor, four cells long, between two blocks or rows of tiles, with a ledge
 * before its mouth. */
static void make_corridor(const Frame *frame) {
  bool tiles = one_in(2);
  begin_scene();
  add_block(frame, -4, 1, 4, 2);
  if (!tiles) add_block(frame, 0, -3, 4, 3);
  if (!tiles) add_block(frame, 0, 1, 4, 3);
  for (int column = 0; tiles && column < 4; column++)
    for (int row = -2; row <= 2; row++)
      if (row != 0) add_block(frame, column, row, 1, 1);
}

/* A circle or a capsule moves along a gap of exactly its own width and is pressed to either side.
 * The coordinates are not whole, and rounding at the mouth does not stop it. */
TEST(a_round_shape_goes_through_a_gap_of_its_own_width) {
  static const double units[] = {16, 10, 17.3, 0.7, 1.0 / 3}, angles[] = {0, 0.3, 1.1, -0.5};
  for (seed = 1; seed <= rounds(6000); seed++) {
    random_state.state = seed;
    double unit = units[whole(0, 4)], angle = angles[whole(0, 3)];
    double x = (double)whole(-1000, 1000) / (double)whole(1, 9);
    double y = (double)whole(-1000, 1000) / (double)whole(1, 9);
    const Frame frame = {{x, y}, unit, cos(angle), sin(angle)};
    int64_t steps = whole(3, 12);
    sat_Vec2 ends[2] = {placed(&frame, -1.5, 0.5), placed(&frame, -2, 0.5)};
    make_corridor(&frame);
    scene.mover = make(ends, one_in(2) ? 1 : 2, unit / 2);
    sat_Vec2 from = scene.mover->centroid, along = turned(&frame, 4 * unit / (double)steps, 0);
    for (int64_t i = 0; i < steps; i++) {
      double to = 4 * (double)(i + 1) / (double)steps;
      int64_t least = 4 * i >= 2 * steps ? -1 : 0;
      double across = to < 3.5 ? (double)whole(least, 1) * unit / 10 : 0;
      sat_MoveResult result;
      CHECK(sat_world_move(&scene.world, scene.mover, add(along, turned(&frame, 0, across)),
                           SAT_SLIDE, &result) == SAT_OK);
    }
    sat_Vec2 way = sub(scene.mover->centroid, from), wanted = turned(&frame, 4 * unit, 0);
    CHECK(length(sub(way, wanted)) <= 1e-6 * unit);
    drop_scene();
  }
}

/* ---------------------------------------------------------------- floors of tiles */

enum { WALK = 20, TILES = 45, WIDTH = 16 };

/* Moves a shape along a floor of so many tiles while pressing it down. `seed` tells which shape. */
static void walk_over(int tiles, sat_Vec2 way[WALK]) {
  const Frame frame = {{-5 * WIDTH, 0}, WIDTH, 1, 0};
  sat_Vec2 box[4] = {{-5, -13}, {5, -13}, {5, -3}, {-5, -3}};
  sat_Vec2 ends[2] = {{0, -8}, {0, -15}};
  random_state.state = seed;
  begin_scene();
  for (int i = 0; i < tiles; i++)
    add_block(&frame, (double)TILES / tiles * i, 0, (double)TILES / tiles, 1);
  int64_t kind = whole(1, 3);
  scene.mover = kind == 1 ? make(box, 4, 0) : make(ends, (size_t)kind - 1, 5);
  for (int i = 0; i < WALK; i++) {
    sat_Vec2 motion = {(double)whole(0, 900) * WIDTH / 1000, (double)whole(0, 300) / 100};
    sat_MoveResult result;
    CHECK(sat_world_move(&scene.world, scene.mover, motion, SAT_SLIDE, &result) == SAT_OK);
    way[i] = result.centroid;
  }
  drop_scene();
}

/* The coordinates of both floors are whole. */
TEST(a_walk_over_tiles_has_the_bits_of_a_walk_over_one_block) {
  for (seed = 1; seed <= rounds(3000); seed++) {
    sat_Vec2 one[WALK], other[WALK];
    walk_over(1, one);
    walk_over(TILES, other);
    CHECK(memcmp(one, other, sizeof one) == 0);
  }
}

/* ---------------------------------------------------------------- memory */

enum { PIECES = 250 };

/* A compound of capsules, of boxes, or of turned boxes, in one place. */
static sat_Shape *make_pile(int kind) {
  sat_Shape *members[PIECES];
  for (int i = 0; i < PIECES; i++) {
    double x = real(0, 100), y = real(0, 100), w = real(5, 30), h = real(1, 5);
    sat_Vec2 to = vec2(x + real(-w, w), y + real(-w, w));
    sat_Vec2 corners[4] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
    sat_Vec2 ends[2] = {{x, y}, to};
    members[i] = kind ? make(corners, 4, 0) : make(ends, 2, h);
    if (kind == 2) CHECK(sat_shape_rotate(members[i], real(0, 6.3)) == SAT_OK);
  }
  const sat_Shape *const *list = (const sat_Shape *const *)members;
  sat_Shape *pile = malloc(sat_compound_bytes(list, PIECES));
  CHECK(sat_compound_init(pile, list, PIECES) == SAT_OK);
  for (int i = 0; i < PIECES; i++) free(members[i]);
  pile->owner = NULL;
  return pile;
}

/* The ways out of 62,500 pairs of pieces, and of them again in memory that is there already. */
TEST(two_piles_in_one_place_take_less_than_20_megabytes) {
  for (int kind = 0; kind < 3; kind++) {
    seed = random_state.state = (uint64_t)kind + 1;
    sat_Shape *a = make_pile(kind), *b = make_pile(kind);
    Memory memory = {0, -1, 0};
    sat_Allocator allocator = {watched_allocate, &memory};
    sat_Scratch scratch = sat_scratch_make(allocator);
    sat_ChangeList changes;
    sat_World world;
    sat_Result way, again;
    sat_MoveResult end;
    CHECK(sat_collide(a, b, &scratch, &way) == SAT_OK);
    CHECK(sat_collide(a, b, &scratch, &again) == SAT_OK);
    CHECK(way.vector.x == again.vector.x && way.vector.y == again.vector.y);
    CHECK(memory.most < (size_t)16 * 1000 * 1000);
    sat_scratch_free(&scratch);
    memory.most = 0;
    sat_world_init(&world, allocator, &changes);
    CHECK(sat_world_add(&world, a) == SAT_OK && sat_world_add(&world, b) == SAT_OK);
    CHECK(sat_world_check(&world, a, vec2(5, 3), SAT_SLIDE, &end) == SAT_OK);
    CHECK(memory.most < (size_t)20 * 1000 * 1000); /* with what bars the way */
    sat_world_free(&world);
    CHECK(memory.bytes == 0);
    free(a);
    free(b);
  }
}

int main(void) { return run_suite(NULL, NULL); }
