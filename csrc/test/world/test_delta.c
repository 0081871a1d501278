/* test_delta.c: a delta restores a world to the bit as a whole save does, is as small as the
 * changes, and is refused unless it comes from the world's base. */
#include "test/composite_shapes.h"
#include "test/forge.h"
#include "test/loaded.h"
#include "test/saves.h"

#include "test/memory.h"

/* ---------------------------------------------------------------- worlds and their saves */

enum { MOST_MADE = 4096, MOST_MOMENTS = 12 };

static Memory memory = {0, -1, 0};
static uint64_t seed;
/* Every shape that was made, whether it is in a world or not. */
static sat_Shape *all_made[MOST_MADE];
static size_t made_count;

#define CHECK(condition) CHECK_SEED(seed, condition)

static sat_Allocator watched(void) { return (sat_Allocator){watched_allocate, &memory}; }

static sat_Shape *keep(sat_Shape *shape) {
  assert_true(shape && made_count < MOST_MADE);
  return all_made[made_count++] = shape;
}

static void free_made(void) {
  while (made_count > 0) free(all_made[--made_count]);
}

static sat_Shape *new_block(size_t size) {
  sat_Shape *block = malloc(size);
  assert_non_null(block);
  sat_shape_prepare(block, size, NULL);
  return keep(block);
}

static Bytes save_delta(sat_World *world) {
  Bytes bytes = save_difference(world);
  CHECK(bytes.at != NULL);
  return bytes;
}

static void set_base(sat_World *world, const Bytes *base) {
  CHECK(set_base_to(world, base, test_scratch()) == SAT_OK);
}

static sat_Status load(sat_World *world, const Bytes *bytes) {
  return load_bytes(world, bytes, test_scratch(), new_block, SAT_MOST_ITEMS);
}

/* ---------------------------------------------------------------- the changes of a game */

static sat_Shape *any_shape(Random *random) {
  return random_integer(random, 0, 2) ? random_shape(random, false) : random_convex(random);
}

static sat_Shape *pick(Random *random, const sat_World *world) {
  uint32_t end = sat_world_end(world);
  return end ? sat_world_shape(world, (uint32_t)random_integer(random, 0, end - 1)) : NULL;
}

static void change_shape(Random *random, sat_Shape *shape) {
  double x = random_real(random, -9, 9), y = random_real(random, -9, 9);
  switch (random_integer(random, 0, 9)) {
  case 0: sat_shape_set_mass(shape, 10 + x); break;
  case 1: sat_shape_set_one_way(shape, vec2(x, y)); break;
  case 2: sat_shape_set_filter(shape, (uint32_t)random_bits(random), 5, 0); break;
  case 3: sat_shape_set_static(shape, x > 0); break;
  case 4: sat_shape_set_sensor(shape, x > 0); break;
  case 5: sat_shape_set_enabled(shape, x > -5); break;
  case 6: sat_shape_rotate(shape, x); break;
  case 7: sat_shape_scale(shape, 1 + x / 10); break;
  case 8: sat_shape_flip(shape, x > 0); break;
  default: sat_shape_move(shape, x, y);
  }
}

static void act(Random *random, sat_World *world) {
  sat_Shape *shape = pick(random, world);
  sat_MoveResult moved;
  switch (random_integer(random, 0, 12)) {
  case 0:
  case 1: assert_int_equal(sat_world_add(world, keep(any_shape(random))), SAT_OK); break;
  case 2:
    if (shape) sat_world_remove(world, shape);
    break;
  case 3: assert_int_equal(sat_world_update(world), SAT_OK); break;
  case 4: assert_int_equal(sat_world_separate(world, 2, NULL), SAT_OK); break;
  case 5:
    if (shape) sat_world_move(world, shape, vec2(3, 1), SAT_SLIDE, &moved);
    break;
  case 6:
    if (random_integer(random, 0, 20) == 0) sat_world_clear(world);
    break;
  default:
    if (shape) change_shape(random, shape);
  }
}

/* Checks that two worlds have the same collisions and, after an update, the same events. */
static void check_answers(sat_World *one, sat_World *other) {
  sat_Collisions met[2] = {{.allocator = watched()}, {.allocator = watched()}};
  sat_Events events[2] = {{.allocator = watched()}, {.allocator = watched()}};
  sat_World *worlds[2] = {one, other};
  for (int i = 0; i < 2; i++) CHECK(sat_world_collisions(worlds[i], &met[i]) == SAT_OK);
  CHECK(met[0].count == met[1].count);
  for (size_t i = 0; i < met[0].count; i++)
    CHECK(memcmp(&met[0].at[i], &met[1].at[i], sizeof *met[0].at) == 0);
  for (int i = 0; i < 2; i++) CHECK(sat_world_update(worlds[i]) == SAT_OK);
  for (int kind = SAT_BEGIN; kind <= SAT_END; kind++) {
    for (int i = 0; i < 2; i++)
      CHECK(sat_world_events(worlds[i], (sat_EventKind)kind, &events[i]) == SAT_OK);
    CHECK(events[0].count == events[1].count);
    for (size_t i = 0; i < events[0].count; i++)
      CHECK(memcmp(&events[0].at[i], &events[1].at[i], sizeof *events[0].at) == 0);
  }
  for (int i = 0; i < 2; i++) {
    SAT_LIST_FREE(&met[i]);
    SAT_LIST_FREE(&events[i]);
  }
}

/* ---------------------------------------------------------------- restoring */

/* The saves of one moment: the whole world, and a delta since the base. */
typedef struct Moment {
  Bytes whole, delta;
} Moment;

/* Checks that a delta restores the same world as a whole save, also in a world that has loaded
 * nothing but the base. */
static void check_moment(sat_World *world, const Bytes *base, const Moment *moment) {
  sat_World other;
  sat_ChangeList changes;
  sat_world_init(&other, watched(), &changes);
  CHECK(load(world, &moment->delta) == SAT_OK);
  Bytes again = save_whole(world), delta = save_delta(world);
  CHECK(same_bytes(&again, &moment->whole) && same_bytes(&delta, &moment->delta));
  CHECK(load(&other, &moment->whole) == SAT_OK);
  check_answers(world, &other);
  CHECK(load(&other, base) == SAT_OK);
  set_base(&other, base);
  CHECK(load(&other, &moment->delta) == SAT_OK);
  CHECK(load(world, &moment->delta) == SAT_OK);
  check_answers(world, &other);
  sat_world_free(&other);
  free(again.at);
  free(delta.at);
}

TEST(deltas_restore_random_worlds_as_whole_saves_do) {
  for (seed = 0; seed < rounds(150); seed++) {
    Random random = {seed};
    sat_World world;
    sat_ChangeList changes;
    Moment moments[MOST_MOMENTS];
    sat_world_init(&world, watched(), &changes);
    for (int64_t i = random_integer(&random, 0, 40); i > 0; i--) act(&random, &world);
    Bytes base = save_whole(&world);
    for (int64_t i = random_integer(&random, 0, 5); i > 0; i--) act(&random, &world);
    set_base(&world, &base);
    int count = 0;
    while (count < MOST_MOMENTS) {
      for (int64_t i = random_integer(&random, 0, 12); i > 0; i--) act(&random, &world);
      if (count > 0 && random_integer(&random, 0, 1)) {
        check_moment(&world, &base, &moments[random_integer(&random, 0, count - 1)]);
        continue;
      }
      moments[count++] = (Moment){save_whole(&world), save_delta(&world)};
      if (random_integer(&random, 0, 3) == 0) CHECK(load(&world, &base) == SAT_OK);
    }
    for (int i = 0; i < MOST_MOMENTS; i++) {
      free(moments[i].whole.at);
      free(moments[i].delta.at);
    }
    sat_world_free(&world);
    free(base.at);
    free_made();
    CHECK(memory.bytes == 0);
  }
}

/* All shapes move and move back, so that nothing differs from the base. */
TEST(a_shape_that_is_as_in_the_base_is_in_no_delta) {
  sat_World world;
  sat_ChangeList changes;
  sat_world_init(&world, watched(), &changes);
  sat_Shape *shapes[100];
  for (int i = 0; i < 100; i++) {
    shapes[i] = keep(shape_box(3 * i, 0, 2, 2));
    assert_int_equal(sat_world_add(&world, shapes[i]), SAT_OK);
  }
  Bytes base = save_whole(&world);
  set_base(&world, &base);
  for (int i = 0; i < 100; i++) sat_shape_move(shapes[i], 8, 0);
  Bytes all = save_delta(&world);
  for (int i = 0; i < 100; i++) sat_shape_move(shapes[i], -8, 0);
  sat_shape_move(shapes[7], 1, 0);
  Bytes one = save_delta(&world);
  sat_shape_move(shapes[7], -1, 0);
  Bytes none = save_delta(&world);
  assert_true(all.size > 20000 && one.size < 400);
  assert_int_equal(none.size, SAT_SAVED_HEAD);
  sat_world_free(&world);
  free(base.at), free(all.at), free(one.at), free(none.at);
  free_made();
}

/* ---------------------------------------------------------------- refusals */

/* A world of some shapes, changed since its base. */
typedef struct Past {
  sat_World world;
  sat_ChangeList changes;
  Bytes base, delta;
} Past;

static void make_past(Past *past, Random *random) {
  sat_world_init(&past->world, watched(), &past->changes);
  for (int i = 0; i < 30; i++) act(random, &past->world);
  past->base = save_whole(&past->world);
  set_base(&past->world, &past->base);
  for (int i = 0; i < 12; i++) act(random, &past->world);
  past->delta = save_delta(&past->world);
}

static void free_past(Past *past) {
  sat_world_free(&past->world);
  free(past->base.at);
  free(past->delta.at);
}

TEST(a_delta_since_another_base_is_refused) {
  for (seed = 0; seed < rounds(50); seed++) {
    Random random = {seed}, other_random = {seed + 1000000};
    Past past, other;
    make_past(&past, &random);
    make_past(&other, &other_random);
    Bytes before = save_whole(&past.world);
    bool same = same_bytes(&past.base, &other.base); /* two empty worlds have the same base */
    CHECK(same || load(&past.world, &other.delta) == SAT_EBASE);
    Bytes after = save_whole(&past.world);
    CHECK(same || same_bytes(&before, &after));
    free(before.at), free(after.at);
    free_past(&other);
    free_past(&past);
    free_made();
  }
}

/* A shape of the other world has an id that the base has given, but not to a shape at that
 * index. */
TEST(the_base_of_another_world_is_refused) {
  sat_World world, other;
  sat_ChangeList changes, other_changes;
  sat_Saved saved;
  sat_world_init(&world, watched(), &changes);
  sat_world_init(&other, watched(), &other_changes);
  sat_Shape *first = keep(shape_box(0, 0, 1, 1));
  assert_int_equal(sat_world_add(&world, first), SAT_OK);
  assert_int_equal(sat_world_add(&world, keep(shape_box(0, 0, 1, 1))), SAT_OK);
  sat_world_remove(&world, first);
  assert_int_equal(sat_world_add(&world, keep(shape_box(0, 0, 1, 1))), SAT_OK);
  Bytes base = save_whole(&world);
  assert_int_equal(sat_world_add(&other, keep(shape_box(0, 0, 1, 1))), SAT_OK);
  assert_int_equal(sat_saved_open(&saved, base.at, base.size, test_scratch()), SAT_OK);
  assert_int_equal(sat_world_set_base(&other, &saved), SAT_EBASE);
  size_t size;
  assert_int_equal(sat_world_delta_size(&other, &size), SAT_EBASE);
  sat_world_free(&world);
  sat_world_free(&other);
  free(base.at);
  free_made();
}

/* A world of three boxes, of which the first is moved. */
static void make_boxes(sat_World *world, sat_ChangeList *changes, double x) {
  sat_world_init(world, watched(), changes);
  for (int i = 0; i < 3; i++)
    assert_int_equal(sat_world_add(world, keep(shape_box(3 * i, 0, 1, 1))), SAT_OK);
  assert_int_equal(sat_shape_move(sat_world_shape(world, 0), x, 0), SAT_OK);
}

TEST(a_base_is_a_save_that_the_world_has_made_or_loaded) {
  enum { MANY = 3 * SAT_SAVES };
  sat_World world, twin;
  sat_ChangeList changes, twin_changes;
  Bytes saves[MANY];
  make_boxes(&world, &changes, 0);
  make_boxes(&twin, &twin_changes, 1);
  Bytes others = save_whole(&twin);
  for (int i = 0; i < MANY; i++) {
    assert_int_equal(sat_shape_move(sat_world_shape(&world, 0), 0, 1), SAT_OK);
    if (i % 3 == 0) assert_int_equal(sat_world_add(&world, keep(shape_box(i, i, 1, 1))), SAT_OK);
    saves[i] = save_whole(&world);
    assert_int_equal(set_base_to(&world, &saves[i / 2], test_scratch()), SAT_OK);
    assert_int_equal(set_base_to(&world, &saves[i], test_scratch()), SAT_OK);
    if (i < SAT_SAVES) assert_int_equal(set_base_to(&world, &others, test_scratch()), SAT_EBASE);
  }
  assert_int_equal(set_base_to(&twin, &saves[0], test_scratch()), SAT_EBASE);
  assert_int_equal(load(&twin, &saves[0]), SAT_OK);
  assert_int_equal(set_base_to(&twin, &saves[0], test_scratch()), SAT_OK);
  assert_int_equal(load(&twin, &saves[MANY - 1]), SAT_OK);
  Bytes late = save_whole(&twin);
  assert_int_equal(set_base_to(&twin, &saves[0], test_scratch()), SAT_OK);
  assert_int_equal(set_base_to(&world, &late, test_scratch()), SAT_OK); /* the same bytes */
  assert_int_equal(sat_shape_move(sat_world_shape(&twin, 0), 1, 1), SAT_OK);
  free(late.at);
  late = save_whole(&twin);
  assert_int_equal(set_base_to(&world, &late, test_scratch()), SAT_EBASE);
  for (int i = 0; i < MANY; i++) free(saves[i].at);
  free(others.at), free(late.at);
  sat_world_free(&world);
  sat_world_free(&twin);
  free_made();
}

/* Both saves end with the record of a circle, whose filter is a word of free bits. */
TEST(a_save_with_the_checksum_of_the_base_is_another_base) {
  enum { BEHIND_FILTER = 152 - 16 };
  sat_World world, other;
  sat_ChangeList changes, other_changes;
  sat_world_init(&world, watched(), &changes);
  sat_world_init(&other, watched(), &other_changes);
  assert_int_equal(sat_world_add(&world, keep(shape_regular(0, 0, 3, 3))), SAT_OK);
  assert_int_equal(sat_world_add(&other, keep(shape_regular(0, 0, 3, 100))), SAT_OK);
  assert_int_equal(sat_world_add(&world, keep(shape_circle(0, 0, 1))), SAT_OK);
  assert_int_equal(sat_world_add(&other, keep(shape_circle(0, 0, 1))), SAT_OK);
  Bytes base = save_whole(&world), forged = save_whole(&other);
  take_sum_of(&forged, &base, BEHIND_FILTER);
  assert_memory_equal(base.at + SAT_SAVED_SUM_AT, forged.at + SAT_SAVED_SUM_AT, 8);
  set_base(&world, &base);
  assert_false(sat_world_has_base(&world, forged.at, forged.size));
  assert_int_equal(set_base_to(&world, &forged, test_scratch()), SAT_EBASE);
  assert_int_equal(sat_shape_move(sat_world_shape(&world, 0), 1, 0), SAT_OK);
  Bytes delta = save_delta(&world);
  assert_int_equal(load(&other, &forged), SAT_OK);
  set_base(&other, &forged);
  Bytes before = save_whole(&other);
  assert_int_equal(load(&other, &delta), SAT_EBASE);
  Bytes after = save_whole(&other);
  assert_true(same_bytes(&before, &after));
  free(base.at), free(forged.at), free(delta.at), free(before.at), free(after.at);
  sat_world_free(&world);
  sat_world_free(&other);
  free_made();
}

TEST(a_delta_that_lacks_memory_changes_nothing) {
  for (seed = 0; seed < rounds(20); seed++) {
    Random random = {seed};
    Past past;
    make_past(&past, &random);
    for (int i = 0; i < 12; i++) act(&random, &past.world);
    sat_Status status = SAT_ENOMEM;
    for (int fails = 0; status == SAT_ENOMEM; fails++) {
      Bytes before = save_whole(&past.world);
      memory.until_fails = fails;
      status = load(&past.world, &past.delta);
      memory.until_fails = -1;
      Bytes after = save_whole(&past.world), delta = save_delta(&past.world);
      CHECK(status == SAT_OK ? same_bytes(&delta, &past.delta) : same_bytes(&before, &after));
      free(before.at), free(after.at), free(delta.at);
    }
    CHECK(status == SAT_OK);
    free_past(&past);
    free_made();
    CHECK(memory.bytes == 0);
  }
}

TEST(every_damaged_bit_is_noticed) {
  Random random = {3};
  Past past;
  make_past(&past, &random);
  for (size_t i = 0; i < 8 * past.delta.size; i++) {
    past.delta.at[i / 8] ^= (unsigned char)(1 << i % 8);
    assert_int_equal(load(&past.world, &past.delta), SAT_ESAVED);
    past.delta.at[i / 8] ^= (unsigned char)(1 << i % 8);
  }
  for (size_t size = 0; size < past.delta.size; size++) {
    Bytes piece = take_bytes(size);
    memcpy(piece.at, past.delta.at, size);
    assert_int_equal(load(&past.world, &piece), SAT_ESAVED);
    free(piece.at);
  }
  free_past(&past);
  free_made();
}

static void forge(Random *random, Bytes *bytes) {
  for (int64_t i = random_integer(random, 1, 3); i > 0; i--) {
    size_t words = bytes->size / 8;
    unsigned char *at = bytes->at + 8 * (size_t)random_integer(random, 0, (int64_t)words - 1);
    unsigned char *from = bytes->at + 8 * (size_t)random_integer(random, 0, (int64_t)words - 1);
    switch (random_integer(random, 0, 5)) {
    case 0:
      at[random_integer(random, 0, 7)] ^= (unsigned char)(1 << random_integer(random, 0, 7));
      break;
    case 1: memmove(at, from, 8); break;
    case 2: sat_put_32(at, sat_get_32(at) + (uint32_t)random_integer(random, -2, 2)); break;
    case 3: sat_put_32(at + 4, sat_get_32(at + 4) + (uint32_t)random_integer(random, -2, 2)); break;
    case 4: sat_put_double(at, random_real(random, -9, 9)); break;
    default: memmove(at, at + 8, (size_t)(bytes->at + bytes->size - at) - 8); bytes->size -= 8;
    }
    if (bytes->size < SAT_SAVED_HEAD) return;
  }
  sat_put_64(bytes->at, SAT_SAVED_MAGIC);
  sat_put_32(bytes->at + SAT_SAVED_VERSION_AT, SAT_SAVED_VERSION);
  sat_put_64(bytes->at + SAT_SAVED_SUM_AT, sat_saved_sum(bytes->at, bytes->size));
}

/* Checks that a loaded world can be saved, whole and as a delta, and restored from both saves. */
static void check_whole(Past *past) {
  sat_World other;
  sat_ChangeList changes;
  sat_world_init(&other, watched(), &changes);
  Bytes whole = save_whole(&past->world), delta = save_delta(&past->world);
  CHECK(load(&other, &whole) == SAT_OK);
  check_answers(&past->world, &other);
  CHECK(load(&past->world, &delta) == SAT_OK);
  Bytes again = save_whole(&past->world);
  CHECK(same_bytes(&whole, &again));
  sat_world_free(&other);
  free(whole.at), free(delta.at), free(again.at);
}

TEST(a_forged_delta_is_refused_or_gives_a_sound_world) {
  size_t loaded = 0, all = 0;
  for (seed = 0; seed < rounds(300); seed++) {
    Random random = {seed};
    Past past;
    make_past(&past, &random);
    for (int i = 0; i < 10; i++, all++) {
      Bytes forged = take_bytes(past.delta.size);
      memcpy(forged.at, past.delta.at, forged.size);
      forge(&random, &forged);
      Bytes exact = take_bytes(forged.size), before = save_whole(&past.world);
      memcpy(exact.at, forged.at, forged.size);
      sat_Status status = load(&past.world, &exact);
      Bytes after = save_whole(&past.world);
      CHECK(status == SAT_OK || same_bytes(&before, &after));
      CHECK(status == SAT_OK || status == SAT_ESAVED || status == SAT_EBASE);
      if (status == SAT_OK) check_whole(&past);
      loaded += status == SAT_OK;
      free(forged.at), free(exact.at), free(before.at), free(after.at);
    }
    free_past(&past);
    free_made();
    CHECK(memory.bytes == 0);
  }
  assert_true(loaded > all / 50 && loaded < all * 9 / 10);
}

/* fuzz_world.c does the same for hours. The base is forged, too, and allocations fail. */
TEST(a_forged_base_and_delta_are_refused_or_give_a_sound_world) {
  enum { MOST_BYTES = 1 << 12 };
  size_t loaded = 0, all = 0;
  for (seed = 0; seed < rounds(40); seed++) {
    Random random = {seed};
    unsigned char *bytes = malloc(MOST_BYTES);
    assert_non_null(bytes);
    size_t size = 0;
    for (int i = 0; i < 10; i++) {
      ForgedDelta forged;
      sat_Status status;
      size = forge_delta(&random, bytes, size, MOST_BYTES);
      Bytes exact = take_bytes(size); /* a sanitizer sees reads beyond it */
      memcpy(exact.at, bytes, size);
      if (forge_open_delta(exact.at, size, &forged)) {
        const char *wrong = check_loaded_delta(&forged, &status);
        if (wrong) fail_msg("with seed %llu: %s", (unsigned long long)seed, wrong);
        loaded += status == SAT_OK;
        all++;
      }
      free(exact.at);
    }
    free(bytes);
  }
  assert_true(all > rounds(40) && loaded > all / 10 && loaded < all * 9 / 10);
}

int main(void) { return run_suite(NULL, NULL); }
