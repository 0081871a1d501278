/* test_saved.c: saved worlds: every kind of shape is loaded bit for bit, and shapes that no
 * constructor makes are refused. */
#include "shape/composite.h"
#include "shape/record.h"
#include "test/forge.h"
#include "test/loaded.h"
#include "test/saves.h"
#include "test/composite_shapes.h"

#include "test/memory.h"
#include "test/polygons.h"

#include <stdio.h>

/* ---------------------------------------------------------------- a world, saved and loaded */

enum { MOST = 16 };

static Memory memory = {0, -1, 0};

static sat_Allocator watched(void) { return (sat_Allocator){watched_allocate, &memory}; }

static Bytes save_shapes(sat_Shape *const *shapes, size_t count) {
  sat_World world;
  sat_ChangeList moved;
  sat_world_init(&world, watched(), &moved);
  for (size_t i = 0; i < count; i++) assert_int_equal(sat_world_add(&world, shapes[i]), SAT_OK);
  Bytes saves = save_whole(&world);
  sat_world_free(&world);
  return saves;
}

static void seal(const Bytes *saves) {
  sat_put_64(saves->at + SAT_SAVED_SUM_AT, sat_saved_sum(saves->at, saves->size));
}

static sat_Shape **made_at;

static sat_Shape *make_block(size_t bytes) {
  sat_Shape *block = malloc(bytes);
  assert_non_null(block);
  sat_shape_prepare(block, bytes, NULL);
  return *made_at++ = block;
}

/* Loads into a world. `made` receives the blocks of the new shapes, in order, and then NULL. */
static sat_Status load_into(sat_World *world, const Bytes *saves, sat_Shape **made) {
  for (size_t i = 0; i < MOST; i++) made[i] = NULL;
  made_at = made;
  return load_bytes(world, saves, test_scratch(), make_block, MOST);
}

static void free_made(sat_Shape **made) {
  for (size_t i = 0; i < MOST; i++) free(made[i]);
}

/* Whether two blocks are the same but for the owner, the world and the index. */
static bool same_block(const sat_Shape *a, const sat_Shape *b) {
  if (a->bytes != b->bytes) return false;
  sat_Shape *copy[2] = {malloc(a->bytes), malloc(a->bytes)};
  assert_true(copy[0] && copy[1]);
  sat_shape_copy(copy[0], a);
  sat_shape_copy(copy[1], b);
  copy[0]->index = copy[1]->index = 0;
  bool same = memcmp(copy[0], copy[1], a->bytes) == 0;
  free(copy[0]);
  free(copy[1]);
  return same;
}

/* Checks that saved shapes are restored to the bit and have the same bytes when saved again. */
static void check_restored(uint64_t seed, sat_Shape *const *shapes, size_t count) {
  Bytes saves = save_shapes(shapes, count);
  sat_World world;
  sat_ChangeList moved;
  sat_Shape *made[MOST];
  sat_world_init(&world, watched(), &moved);
  CHECK_SEED(seed, load_into(&world, &saves, made) == SAT_OK);
  for (size_t i = 0; i < count; i++) CHECK_SEED(seed, same_block(shapes[i], made[i]));
  Bytes again = save_whole(&world);
  CHECK_SEED(seed, same_bytes(&saves, &again));
  sat_world_free(&world);
  free_made(made);
  free(saves.at);
  free(again.at);
  CHECK_SEED(seed, memory.bytes == 0);
}

/* ---------------------------------------------------------------- shapes */

static void transform(Random *random, sat_Shape *shape) {
  for (int64_t i = random_integer(random, 0, 4); i > 0; i--) {
    double x = random_real(random, -50, 50), y = random_real(random, -50, 50);
    switch (random_integer(random, 0, 7)) {
    case 0: sat_shape_move(shape, x, y); break;
    case 1: sat_shape_move_to(shape, x, y); break;
    case 2: sat_shape_rotate_about(shape, x, vec2(y, x)); break;
    case 3: sat_shape_scale(shape, random_real(random, 0.01, 3)); break;
    case 4: sat_shape_flip(shape, x > 0); break;
    case 5: sat_shape_set_radius(shape, fabs(y)); break;
    case 6: sat_shape_scale_axes(shape, fabs(x) / 20, fabs(y) / 20); break;
    default: sat_shape_set_rotation(shape, x > 0 ? 0 : y);
    }
  }
  sat_shape_set_sensor(shape, random_integer(random, 0, 3) == 0);
  sat_shape_set_static(shape, random_integer(random, 0, 3) == 0);
  sat_shape_set_enabled(shape, random_integer(random, 0, 3) != 0);
  sat_shape_set_filter(shape, (uint32_t)random_bits(random), 5, (int32_t)random_bits(random));
}

static sat_Shape *closed_chain(Random *random) {
  sat_Vec2 points[8];
  size_t count = (size_t)random_integer(random, 1, 8);
  for (size_t i = 0; i < count; i++)
    points[i] = vec2((double)random_integer(random, -9, 9), random_real(random, -9, 9));
  return make_chain(points, count, true);
}

/* A ring with nearly straight vertices, which the rounding of a rotation makes reflex now and
 * then. */
static sat_Shape *nearly_straight(Random *random) {
  sat_Vec2 points[8] = {{0, 0}, {-3, 3}, {-3, -8}};
  size_t count = 3;
  double y = -8;
  for (int i = 0; i < 4; i++) {
    y += random_real(random, 0.5, 3);
    points[count++] = vec2(3 + (i % 3 == 1 ? 0x1p-51 : 0), y);
  }
  points[count++] = vec2(3, 5);
  size_t kept = count;
  sat_Status status = sat_ring_clean(points, &kept, test_scratch(), NULL);
  return status || kept < 4 ? random_ring(random) : make_ring(points, kept);
}

static sat_Shape *any_shape(Random *random, int depth);

static sat_Shape *nested(Random *random, int depth) {
  sat_Shape *members[4];
  size_t count = (size_t)random_integer(random, 1, 4);
  for (size_t i = 0; i < count; i++) members[i] = any_shape(random, depth - 1);
  sat_Shape *shape = make_compound((const sat_Shape *const *)members, count);
  for (size_t i = 0; i < count; i++) free(members[i]);
  return shape;
}

/* A piece of a random shape: the vertices of the piece are rounded. */
static sat_Shape *piece(Random *random, int depth) {
  sat_Shape *whole = any_shape(random, depth - 1);
  int64_t last = (int64_t)sat_shape_piece_count(whole) - 1;
  sat_Shape *piece = piece_of(whole, (size_t)random_integer(random, 0, last));
  free(whole);
  return piece;
}

static sat_Shape *any_shape(Random *random, int depth) {
  sat_Shape *shape;
  switch (random_integer(random, 0, depth > 0 ? 6 : 3)) {
  case 0: shape = random_convex(random); break;
  case 1: shape = random_chain(random); break;
  case 2: shape = closed_chain(random); break;
  case 3: shape = nearly_straight(random); break;
  case 4: shape = piece(random, depth); break;
  default: shape = nested(random, depth);
  }
  transform(random, shape);
  return shape;
}

/* ---------------------------------------------------------------- tests */

TEST(every_shape_is_restored_to_the_bit) {
  for (uint64_t seed = 0; seed < rounds(3000); seed++) {
    Random random = {seed};
    sat_Shape *shapes[4];
    for (int i = 0; i < 4; i++) shapes[i] = any_shape(&random, 4);
    check_restored(seed, shapes, 4);
    for (int i = 0; i < 4; i++) free(shapes[i]);
  }
}

/* The shapes are very large, very small, or pieces of pieces, of which rounding leaves little. */
TEST(shapes_at_the_limits_are_restored) {
  for (uint64_t seed = 0; seed < rounds(1000); seed++) {
    Random random = {seed};
    sat_Shape *shape = any_shape(&random, 2);
    double factor = random_integer(&random, 0, 1) ? 1e12 : 1e-15;
    for (int i = 0; i < 12; i++) {
      sat_shape_scale(shape, factor);
      transform(&random, shape);
      check_restored(seed, &shape, 1);
      int64_t last = (int64_t)sat_shape_piece_count(shape) - 1;
      size_t index = (size_t)random_integer(&random, 0, last);
      sat_Shape *piece = malloc(sat_shape_bytes(sat_shape_piece_size(shape, index)));
      assert_non_null(piece);
      sat_Status status = sat_shape_piece_init(piece, shape, index);
      assert_true(status == SAT_OK || status == SAT_ERANGE);
      free(status ? piece : shape);
      if (status) break;
      shape = piece;
    }
    check_restored(seed, &shape, 1);
    free(shape);
  }
}

/* Some points of the polygon are farther than SAT_LIMIT from its local origin. */
TEST(a_polygon_as_large_as_the_plane_is_restored) {
  sat_Vec2 ring[4] = {{-1e15, -1e15}, {1e15, -1e15}, {9e14, 9e14}, {1e15, 1e15}};
  size_t count = 4;
  assert_int_equal(sat_ring_clean(ring, &count, test_scratch(), NULL), SAT_OK);
  sat_Shape *shape = make_ring(ring, count);
  check_restored(0, &shape, 1);
  assert_int_equal(sat_shape_rotate(shape, 1), SAT_ERANGE);
  check_restored(0, &shape, 1);
  assert_int_equal(sat_shape_scale(shape, 0.25), SAT_OK);
  assert_int_equal(sat_shape_rotate(shape, 1), SAT_OK);
  check_restored(0, &shape, 1);
  free(shape);
}

/* A load into the saved world keeps every block and restores it to the bit, whatever has changed
 * since. */
TEST(live_shapes_are_restored_in_place) {
  for (uint64_t seed = 0; seed < rounds(1000); seed++) {
    Random random = {seed};
    sat_World world;
    sat_ChangeList moved;
    sat_Shape *shapes[4], *copies[4], *made[MOST];
    sat_world_init(&world, watched(), &moved);
    for (int i = 0; i < 4; i++) {
      shapes[i] = any_shape(&random, 3);
      assert_int_equal(sat_world_add(&world, shapes[i]), SAT_OK);
      copies[i] = malloc(shapes[i]->bytes);
      assert_non_null(copies[i]);
      sat_shape_copy(copies[i], shapes[i]);
    }
    Bytes saves = save_whole(&world);
    for (int i = 0; i < 4; i++) transform(&random, shapes[i]);
    CHECK_SEED(seed, load_into(&world, &saves, made) == SAT_OK);
    for (int i = 0; i < 4; i++) CHECK_SEED(seed, !made[i] && same_block(shapes[i], copies[i]));
    sat_world_free(&world);
    for (int i = 0; i < 4; i++) free(shapes[i]), free(copies[i]);
    free(saves.at);
  }
}

/* Whether a shape can be restored in the block of another one: both are convex with as many
 * vertices, or composite with the same points and records, as two chains of one point are. */
static bool same_structure(const sat_Shape *a, const sat_Shape *b) {
  if (a->vertex_count != b->vertex_count || a->bytes != b->bytes) return false;
  if (!is_composite(a)) return true;
  sat_CompositeBlock one = sat_composite_block((sat_Shape *)a);
  sat_CompositeBlock other = sat_composite_block((sat_Shape *)b);
  uint32_t points = one.header->points;
  return one.header->kind == other.header->kind && points == other.header->points &&
         one.header->pieces == other.header->pieces &&
         one.header->records == other.header->records &&
         memcmp(one.local_vertices, other.local_vertices, points * sizeof(sat_Vec2)) == 0 &&
         memcmp(one.records, other.records, one.header->records) == 0;
}

/* A load writes into a live shape only if the structure is the same: a chain of three points and a
 * compound may have the same id and number of bytes. */
TEST(a_shape_of_another_structure_is_not_kept) {
  for (uint64_t seed = 0; seed < rounds(1000); seed++) {
    Random random = {seed};
    sat_World world;
    sat_ChangeList moved;
    sat_Shape *made[MOST];
    sat_Shape *saved = any_shape(&random, 2), *live = any_shape(&random, 2);
    Bytes saves = save_shapes(&saved, 1);
    size_t size = sat_shape_record_size(live);
    bool same = same_structure(saved, live);
    sat_Shape *copy = malloc(live->bytes);
    assert_non_null(copy);
    sat_shape_copy(copy, live);
    sat_world_init(&world, watched(), &moved);
    assert_int_equal(sat_world_add(&world, live), SAT_OK);
    CHECK_SEED(seed, load_into(&world, &saves, made) == SAT_OK);
    CHECK_SEED(seed, (made[0] == NULL) == same);
    CHECK_SEED(seed, same_block(made[0] ? made[0] : live, saved));
    CHECK_SEED(seed, sat_shape_record_size(live) == size && (same || same_block(live, copy)));
    sat_world_free(&world);
    free_made(made);
    free_all((sat_Shape *[]){saved, live, copy, NULL});
    free(saves.at);
  }
}

TEST(a_load_without_memory_changes_nothing) {
  Random random = {5};
  sat_World world;
  sat_ChangeList moved;
  sat_Shape *shapes[3], *there = random_convex(&random);
  for (int i = 0; i < 3; i++) shapes[i] = nested(&random, 3);
  Bytes saves = save_shapes(shapes, 3);
  int allocations = 0;
  for (sat_Status status = SAT_ENOMEM; status; allocations++) {
    sat_world_init(&world, watched(), &moved);
    memory.until_fails = -1;
    assert_int_equal(sat_world_add(&world, there), SAT_OK);
    Bytes before = save_whole(&world);
    memory.until_fails = allocations;
    sat_Shape *made[MOST];
    status = load_into(&world, &saves, made);
    Bytes after = save_whole(&world);
    assert_true(status == SAT_OK || status == SAT_ENOMEM);
    assert_true(status == SAT_OK || same_bytes(&before, &after));
    memory.until_fails = -1;
    sat_world_free(&world);
    assert_int_equal(memory.bytes, 0);
    free_made(made);
    free(before.at);
    free(after.at);
  }
  assert_true(allocations > 3);
  for (int i = 0; i < 3; i++) free(shapes[i]);
  free(there);
  free(saves.at);
}

static sat_Shape *compound_of(const sat_Shape *shape) { return make_compound(&shape, 1); }

static sat_Status load_alone(const Bytes *saves) {
  sat_World world;
  sat_ChangeList moved;
  sat_Shape *made[MOST];
  sat_world_init(&world, watched(), &moved);
  sat_Status status = load_into(&world, saves, made);
  assert_int_equal(sat_world_count(&world) > 0, status == SAT_OK);
  sat_world_free(&world);
  free_made(made);
  return status;
}

/* The save with the right checksum is whole, but of another version. */
TEST(another_version_has_a_status_of_its_own) {
  sat_Shape *shape = shape_box(0, 0, 2, 2);
  Bytes saves = save_shapes(&shape, 1);
  sat_put_32(saves.at + SAT_SAVED_VERSION_AT, 1);
  assert_int_equal(load_alone(&saves), SAT_ESAVED);
  seal(&saves);
  assert_int_equal(load_alone(&saves), SAT_EVERSION);
  saves.size = SAT_SAVED_SUM_AT + 8; /* the empty world of format 3 */
  seal(&saves);
  assert_int_equal(load_alone(&saves), SAT_EVERSION);
  free(shape);
  free(saves.at);
}

TEST(the_message_for_another_version_names_this_one) {
  char number[32];
  snprintf(number, sizeof number, "not in format %d", SAT_SAVED_VERSION);
  assert_non_null(strstr(sat_status_text(SAT_EVERSION), number));
}

/* ---------------------------------------------------------------- blocks and memory */

/* The first of the blocks of a load is the wrong one. */
static sat_Status load_with(sat_World *world, const Bytes *saves, sat_Shape *first) {
  sat_SavedShape shapes[MOST];
  sat_Shape *blocks[MOST];
  size_t count;
  sat_Saved saved;
  assert_int_equal(sat_saved_open(&saved, saves->at, saves->size, test_scratch()), SAT_OK);
  assert_true(sat_world_most_listed(world, &saved) <= MOST);
  assert_int_equal(sat_world_list(world, &saved, shapes, &count), SAT_OK);
  sat_world_match(world, shapes, count, blocks);
  blocks[0] = first;
  return sat_world_load(world, &saved, shapes, count, blocks);
}

TEST(a_block_of_another_size_or_of_a_world_is_not_written_into) {
  sat_World world, other;
  sat_ChangeList moved, other_moved;
  sat_Shape *shape = shape_regular(0, 0, 3, 9), *taken = shape_regular(0, 0, 3, 9);
  sat_Shape *small = shape_box(0, 0, 1, 1);
  Bytes saves = save_shapes(&shape, 1);
  sat_world_init(&world, watched(), &moved);
  sat_world_init(&other, watched(), &other_moved);
  assert_int_equal(sat_world_add(&other, taken), SAT_OK);
  Bytes before = save_whole(&world);
  assert_int_equal(load_with(&world, &saves, NULL), SAT_EVALUE);
  assert_int_equal(load_with(&world, &saves, small), SAT_EVALUE);
  assert_int_equal(load_with(&world, &saves, taken), SAT_EVALUE);
  Bytes after = save_whole(&world);
  assert_true(same_bytes(&before, &after));
  sat_shape_prepare(shape, shape->bytes, NULL);
  assert_int_equal(load_with(&world, &saves, shape), SAT_OK);
  sat_world_free(&world);
  sat_world_free(&other);
  free(saves.at), free(before.at), free(after.at);
  free_all((sat_Shape *[]){shape, taken, small, NULL});
}

/* Offsets in a record. */
enum { SCALE_AT = 40, AXIS_SCALE_AT = 120 };

/* A new compound of that scale is refused as it is made. */
TEST(a_shape_that_is_there_is_not_restored_beyond_the_limits) {
  sat_World world;
  sat_ChangeList moved;
  sat_Shape *box = shape_box(0, 0, 200, 200), *shape = compound_of(box);
  Bytes saves = save_shapes(&shape, 1);
  sat_world_init(&world, watched(), &moved);
  assert_int_equal(sat_world_add(&world, shape), SAT_OK);
  Bytes before = save_whole(&world);
  for (int i = 0; i < 2; i++) {
    unsigned char *record = saves.at + SAT_SAVED_HEAD + 8;
    sat_put_double(record + (i ? AXIS_SCALE_AT : SCALE_AT), 1e15);
    sat_put_double(record + AXIS_SCALE_AT + 8, i ? 1e-15 : 1);
    sat_put_double(record + (i ? SCALE_AT : AXIS_SCALE_AT), i ? 1e14 : 1);
    seal(&saves);
    sat_Shape *made[MOST];
    assert_int_equal(load_into(&world, &saves, made), SAT_ESAVED);
    Bytes after = save_whole(&world);
    assert_true(same_bytes(&before, &after));
    free(after.at);
  }
  sat_world_free(&world);
  assert_int_equal(memory.bytes, 0);
  free(saves.at), free(before.at);
  free_all((sat_Shape *[]){box, shape, NULL});
}

/* A save of a point at an index, with as many bytes of 0 as are given. */
static Bytes save_far(uint32_t index, size_t padding) {
  sat_Shape *point = shape_circle(0, 0, 0);
  Bytes one = save_shapes(&point, 1), far = take_bytes(one.size + padding);
  memset(far.at, 0, far.size);
  memcpy(far.at, one.at, one.size);
  sat_put_32(far.at + SAT_SAVED_HEAD + 8 + RECORD_INDEX, index);
  seal(&far);
  free(one.at);
  free(point);
  return far;
}

enum { FAR = 1 << 20, BYTES_TO_FAR = (FAR + 1) * SAT_SAVED_BYTES_PER_INDEX };

/* The most memory that loading takes for each byte of the save, in an empty world. Every world has
 * some memory, whatever it holds. */
static double bytes_per_byte(const Bytes *saves, uint32_t most) {
  enum { OF_EVERY_WORLD = 4096 };
  sat_World world;
  sat_ChangeList moved;
  sat_Saved saved;
  sat_Shape **made = calloc(most + (size_t)1, sizeof(sat_Shape *));
  sat_Scratch scratch = sat_scratch_make(watched());
  memory = (Memory){0, -1, 0};
  made_at = made;
  assert_non_null(made);
  sat_world_init(&world, watched(), &moved);
  assert_int_equal(sat_saved_open(&saved, saves->at, saves->size, &scratch), SAT_OK);
  size_t bytes =
      sat_world_most_listed(&world, &saved) * (sizeof(sat_SavedShape) + sizeof(sat_Shape *));
  assert_int_equal(load_bytes(&world, saves, &scratch, make_block, SAT_MOST_ITEMS), SAT_OK);
  bytes += memory.most;
  for (uint32_t i = 0; made[i]; i++) bytes += made[i]->bytes;
  sat_world_free(&world);
  sat_scratch_free(&scratch);
  for (uint32_t i = 0; made[i]; i++) free(made[i]);
  free(made);
  assert_int_equal(memory.bytes, 0);
  return ((double)bytes - OF_EVERY_WORLD) / (double)saves->size;
}

TEST(a_load_takes_64_bytes_of_memory_for_a_byte_of_the_save_at_most) {
  enum { MANY = 3000 };
  static sat_Vec2 points[MANY];
  static sat_Shape *circles[MANY];
  for (int i = 0; i < MANY; i++) {
    points[i] = vec2(i, i % 2);
    circles[i] = shape_circle(i, 0, 1);
  }
  sat_Shape *chain = make_chain(points, MANY, false), *nested = shape_box(0, 0, 1, 1);
  points[MANY - 1] = vec2(0, 9);
  points[MANY - 2] = vec2(MANY, 9);
  sat_Shape *ring = make_ring(points, MANY);
  sat_Shape *compound = make_compound((const sat_Shape *const *)circles, MANY);
  for (int i = 0; i < SAT_MOST_NESTED; i++) {
    sat_Shape *outer = compound_of(nested);
    free(nested);
    nested = outer;
  }
  Bytes saves[] = {save_shapes(circles, MANY),
                   save_shapes(circles, 1),
                   save_shapes(&chain, 1),
                   save_shapes(&ring, 1),
                   save_shapes(&compound, 1),
                   save_shapes(&nested, 1),
                   save_far(FAR, (BYTES_TO_FAR + 7) / 8 * 8 - SAT_SAVED_HEAD - 160)};
  for (size_t i = 0; i < sizeof saves / sizeof *saves; i++) {
    double each = bytes_per_byte(&saves[i], MANY);
    if (each > 64) fail_msg("save %d: %.1f bytes of memory for a byte", (int)i, each);
    free(saves[i].at);
  }
  for (int i = 0; i < MANY; i++) free(circles[i]);
  free_all((sat_Shape *[]){chain, ring, compound, nested, NULL});
}

TEST(free_indices_cost_bytes) {
  const size_t needed = (BYTES_TO_FAR + 7) / 8 * 8 - SAT_SAVED_HEAD - 160;
  for (int more = -8; more <= 8; more += 8) {
    Bytes far = save_far(FAR, needed + (size_t)more);
    sat_Saved saved;
    assert_int_equal(sat_saved_open(&saved, far.at, far.size, test_scratch()),
                     more ? SAT_ESAVED : SAT_OK);
    free(far.at);
  }
}

/* Offsets in the saved form of a world of one shape. */
enum { RECORD = SAT_SAVED_HEAD + 8, POINT = 16 };
enum { CENTROID = RECORD + RECORD_LOCAL_CENTROID, FIELDS = RECORD + RECORD_HEAD };
enum { POINTS = FIELDS + 32 };

/* Whether the constructor takes the points unchanged and makes a block of the same size of them. */
static bool is_constructible(const sat_Shape *shape, const unsigned char *points) {
  sat_Vec2 ring[MOST_VERTICES], clean[MOST_VERTICES];
  size_t count = sat_shape_vertex_count(shape), kept = count;
  sat_Decomposition pieces;
  for (size_t i = 0; i < count; i++) clean[i] = ring[i] = sat_get_vec2(points + i * POINT);
  if (sat_ring_clean(clean, &kept, test_scratch(), NULL) || kept != count) return false;
  if (memcmp(clean, ring, count * sizeof *ring) != 0) return false;
  assert_int_equal(sat_ring_decompose(ring, count, test_scratch(), &pieces), SAT_OK);
  return sat_polygon_bytes(count, &pieces) == shape->bytes;
}

/* Writes the points' centroid into the record of a ring: a load refuses a centroid outside the
 * points' box. */
static void restore_centroid(const Bytes *saves, size_t count) {
  sat_Vec2 ring[MOST_VERTICES];
  for (size_t i = 0; i < count; i++) ring[i] = sat_get_vec2(saves->at + POINTS + i * POINT);
  sat_put_vec2(saves->at + CENTROID, sat_ring_centroid(ring, count));
}

/* One point of a saved ring is put where another one is, or beside that. The centroid follows, so
 * that the points alone decide. */
TEST(a_ring_that_no_constructor_takes_is_refused) {
  size_t refused = 0, all = 0;
  for (uint64_t seed = 0; seed < rounds(1000); seed++, all++) {
    Random random = {seed};
    sat_Shape *shape = random_ring(&random);
    Bytes saves = save_shapes(&shape, 1);
    int64_t last = (int64_t)sat_shape_vertex_count(shape) - 1;
    unsigned char *points = saves.at + POINTS;
    unsigned char *to = points + POINT * random_integer(&random, 0, last);
    sat_Vec2 from = sat_get_vec2(points + POINT * random_integer(&random, 0, last));
    if (seed % 2) from.x += 1;
    sat_put_vec2(to, from);
    restore_centroid(&saves, (size_t)last + 1);
    seal(&saves);
    sat_Status status = load_alone(&saves);
    CHECK_SEED(seed, status == (is_constructible(shape, points) ? SAT_OK : SAT_ESAVED));
    refused += status != SAT_OK;
    free(shape);
    free(saves.at);
  }
  assert_true(refused > all / 2 && refused < all);
}

TEST(a_centroid_outside_the_points_is_refused) {
  for (uint64_t seed = 0; seed < rounds(300); seed++) {
    Random random = {seed};
    sat_Shape *shape = seed % 2 ? random_ring(&random) : shape_regular(0, 0, 3, 5);
    Bytes saves = save_shapes(&shape, 1);
    sat_Box box = sat_shape_bounds(shape);
    double width = box.max.x - box.min.x, beyond = seed % 3 ? width * 1.01 : -width * 1.01;
    sat_Vec2 centroid = sat_get_vec2(saves.at + CENTROID);
    sat_put_vec2(saves.at + CENTROID, add(centroid, vec2(beyond, 0)));
    seal(&saves);
    CHECK_SEED(seed, load_alone(&saves) == SAT_ESAVED);
    free(shape);
    free(saves.at);
  }
}

/* The counts tell the sizes of blocks before any shape is made. */
TEST(wrong_counts_are_refused) {
  for (uint64_t seed = 0; seed < rounds(300); seed++) {
    Random random = {seed};
    sat_Shape *shape = seed % 2 ? random_ring(&random) : nested(&random, 2);
    Bytes saves = save_shapes(&shape, 1);
    for (int at = 0; at < 32; at += 4) {
      uint32_t count = sat_get_32(saves.at + FIELDS + at);
      const uint32_t wrong[] = {count + 1, count - 1, 0, 1, count * 2, UINT32_MAX, 0x7fffffff};
      for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (wrong[i] == count) continue;
        sat_put_32(saves.at + FIELDS + at, wrong[i]);
        seal(&saves);
        CHECK_SEED(seed, load_alone(&saves) == SAT_ESAVED);
      }
      sat_put_32(saves.at + FIELDS + at, count);
    }
    free(shape);
    free(saves.at);
  }
}

TEST(compounds_nest_to_a_limit) {
  sat_Shape *shape = shape_box(0, 0, 2, 2);
  for (int i = 0; i < SAT_MOST_NESTED; i++) {
    sat_Shape *outer = compound_of(shape);
    assert_int_equal(sat_shape_rotate(outer, 0.1), SAT_OK);
    free(shape);
    shape = outer;
  }
  check_restored(0, &shape, 1);
  const sat_Shape *member = shape;
  size_t bytes = sat_compound_bytes(&member, 1);
  sat_Shape *outer = malloc(bytes);
  assert_non_null(outer);
  assert_int_equal(sat_compound_init(outer, &member, 1), SAT_EDEEP);
  free(outer);
  free(shape);
}

/* fuzz_world.c does the same for hours. */
TEST(a_forged_world_is_refused_or_is_sound) {
  enum { MOST_BYTES = 1 << 12 };
  size_t loaded = 0, all = 0;
  for (uint64_t seed = 0; seed < rounds(40) + 4; seed++) { /* enough to count when few */
    Random random = {seed};
    unsigned char *bytes = malloc(MOST_BYTES);
    assert_non_null(bytes);
    size_t size = forge_any_world(&random, bytes, MOST_BYTES);
    for (int i = 0; i < 10; i++, all++) {
      sat_Status status;
      size = forge_world(&random, bytes, size, MOST_BYTES, NULL, 0);
      unsigned char *exact = malloc(size ? size : 1); /* a sanitizer sees reads beyond it */
      assert_non_null(exact);
      memcpy(exact, bytes, size);
      const char *wrong = check_loaded(exact, size, &status);
      if (wrong) fail_msg("with seed %llu: %s", (unsigned long long)seed, wrong);
      loaded += status == SAT_OK;
      free(exact);
    }
    free(bytes);
  }
  assert_true(loaded > all / 10 && loaded < all * 9 / 10);
}

int main(void) { return run_suite(NULL, NULL); }
