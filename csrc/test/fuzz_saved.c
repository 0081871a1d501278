/* fuzz_saved.c: programs that change, save, forge and load worlds. A forgery keeps the checksum and
 * the digest right, so that the checks behind them are met.
 *
 * An input is a list of steps, each a byte and what the step reads behind it; any bytes are one. A
 * load either leaves its world as it was, to the bit, or gives a world that answers queries and goes
 * through whole saves and deltas unchanged. A whole save that is loaded is saved in its own bytes. A
 * delta gives the same world wherever its base was loaded. `make fuzz` builds this file with
 * libFuzzer. */
#include "test/saves.h"

#include <stdio.h>

enum {
  MOST_STEPS = 48,
  WORLDS = 2,
  SAVES = 6,
  MOST_SHAPES = 10,
  MOST_PIECES = 16,
  MOST_WORDS = 1 << 11,
  MOST_END = 1 << 13,
  MOST_BLOCKS = 1 << 10
};

#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) fail(#condition, __LINE__);                                                  \
  } while (0)

static void fail(const char *condition, int line) {
  fprintf(stderr, "fuzz_saved.c:%d: not true: %s\n", line, condition);
  abort();
}

/* ---------------------------------------------------------------- memory */

static size_t allocated, most_allocated;
static int until_fails = -1; /* allocations that still succeed; below 0 all do */

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context;
  if (size > old_size && until_fails == 0) return NULL;
  if (size > old_size && until_fails > 0) until_fails--;
  if (allocated + size > most_allocated) most_allocated = allocated + size;
  allocated += size - old_size;
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

static const sat_Allocator ALLOCATOR = {allocate, NULL};
static sat_Scratch scratch;

/* All blocks of shapes, which are freed when the program ends. */
static sat_Shape *blocks[MOST_BLOCKS];
static size_t block_count;

static sat_Shape *keep(sat_Shape *shape) {
  if (shape && block_count == MOST_BLOCKS) abort();
  if (shape) blocks[block_count++] = shape;
  return shape;
}

static sat_Shape *make_block(size_t bytes) {
  sat_Shape *block = malloc(bytes);
  if (!block) abort();
  sat_shape_prepare(block, bytes, NULL);
  most_allocated += bytes;
  return keep(block);
}

/* ---------------------------------------------------------------- the input */

typedef struct Input {
  const uint8_t *at, *end;
} Input;

static uint32_t next_byte(Input *input) { return input->at < input->end ? *input->at++ : 0; }

static uint32_t below(Input *input, uint32_t count) {
  uint32_t number = next_byte(input);
  if (count > 256) number |= next_byte(input) << 8;
  return count ? number % count : 0;
}

static double coordinate(Input *input) { return ((int)next_byte(input) - 128) / 8.0; }

/* ---------------------------------------------------------------- worlds */

typedef struct Program {
  Input input;
  sat_World worlds[WORLDS];
  sat_ChangeList changes[WORLDS];
  Bytes saves[SAVES];
  int bases[WORLDS]; /* the save that is the base of a world, or -1 */
} Program;

static sat_Shape *some_shape(Input *input, const sat_World *world) {
  uint32_t end = sat_world_end(world);
  return end ? sat_world_shape(world, below(input, end)) : NULL;
}

static size_t read_points(Input *input, sat_Vec2 *points, uint32_t least) {
  size_t count = least + below(input, 6);
  for (size_t i = 0; i < count; i++) points[i] = vec2(coordinate(input), coordinate(input));
  return count;
}

static sat_Shape *made_or_freed(sat_Shape *shape, sat_Status status) {
  if (!status) return keep(shape);
  free(shape);
  return NULL;
}

static sat_Shape *new_convex(Input *input) {
  sat_Vec2 points[8];
  size_t count = read_points(input, points, 1);
  double radius = below(input, 3);
  if (count > 2 && sat_hull(points, &count, &scratch, NULL)) return NULL;
  sat_Shape *shape = malloc(sat_shape_bytes(count));
  return made_or_freed(shape, sat_shape_init(shape, points, count, radius));
}

static sat_Shape *new_composite(Input *input, bool is_chain) {
  sat_Vec2 points[12];
  sat_Decomposition pieces;
  size_t count = read_points(input, points, is_chain ? 1 : 4);
  bool is_closed = is_chain && below(input, 2);
  if (is_chain) {
    sat_Shape *chain = malloc(sat_chain_bytes(count));
    return made_or_freed(chain, sat_chain_init(chain, points, count, is_closed));
  }
  if (sat_ring_clean(points, &count, &scratch, NULL)) return NULL;
  if (sat_ring_decompose(points, count, &scratch, &pieces)) return NULL;
  sat_Shape *ring = malloc(sat_polygon_bytes(count, &pieces));
  return made_or_freed(ring, sat_polygon_init(ring, points, count, &pieces));
}

static sat_Shape *new_compound(Input *input, const sat_World *world) {
  const sat_Shape *members[3];
  size_t count = 0, pieces = 0;
  for (uint32_t i = 0; i < 3; i++) {
    const sat_Shape *member = some_shape(input, world);
    if (!member || (pieces += sat_shape_piece_count(member)) > MOST_PIECES) continue;
    members[count++] = member;
  }
  size_t bytes = count ? sat_compound_bytes(members, count) : 0;
  sat_Shape *shape = bytes ? malloc(bytes) : NULL;
  return shape ? made_or_freed(shape, sat_compound_init(shape, members, count)) : NULL;
}

static void add_shape(Input *input, sat_World *world) {
  sat_Shape *shape = NULL;
  if (sat_world_count(world) >= MOST_SHAPES || block_count > MOST_BLOCKS / 2) return;
  switch (below(input, 5)) {
  case 0: shape = new_composite(input, true); break;
  case 1: shape = new_composite(input, false); break;
  case 2: shape = new_compound(input, world); break;
  default: shape = new_convex(input);
  }
  if (shape) REQUIRE(sat_world_add(world, shape) == SAT_OK);
}

static void change_shape(Input *input, sat_Shape *shape) {
  double x = coordinate(input), y = coordinate(input);
  switch (below(input, 10)) {
  case 0: sat_shape_rotate(shape, x); break;
  case 1: sat_shape_scale(shape, 1 + fabs(x) / 8); break;
  case 2: sat_shape_scale_axes(shape, 0.5 + fabs(x), 0.5 + fabs(y)); break;
  case 3: sat_shape_flip(shape, x > 0); break;
  case 4: sat_shape_set_radius(shape, fabs(x)); break;
  case 5: sat_shape_set_filter(shape, next_byte(input), next_byte(input), (int32_t)x); break;
  case 6: sat_shape_set_enabled(shape, x > 0); break;
  case 7: sat_shape_set_static(shape, x > 0); break;
  case 8: sat_shape_set_sensor(shape, x > 0); break;
  default: sat_shape_move(shape, x, y);
  }
}

static size_t pieces_of(const sat_World *world) {
  size_t pieces = 0;
  for (uint32_t index = 0; index < sat_world_end(world); index++) {
    const sat_Shape *shape = sat_world_shape(world, index);
    pieces += shape ? sat_shape_piece_count(shape) : 0;
  }
  return pieces;
}

static bool is_small(const sat_World *world) {
  return sat_world_count(world) <= 2 * MOST_SHAPES && pieces_of(world) <= 2 * MOST_PIECES;
}

/* ---------------------------------------------------------------- what holds for every world */

static void check_same(const Bytes *a, const Bytes *b) { REQUIRE(same_bytes(a, b)); }

static void check_saved_as(sat_World *world, const Bytes *expected) {
  Bytes bytes = save_whole(world);
  check_same(&bytes, expected);
  free(bytes.at);
}

static sat_Status load(sat_World *world, const Bytes *bytes) {
  sat_Status status = load_bytes(world, bytes, &scratch, make_block, MOST_END);
  REQUIRE(status == SAT_OK || status == SAT_ENOMEM || status == SAT_ESAVED ||
          status == SAT_EVERSION || status == SAT_EBASE);
  return status;
}

static void ask(sat_World *world) {
  sat_Items items = {.allocator = ALLOCATOR};
  sat_Collisions collisions = {.allocator = ALLOCATOR};
  sat_CastHit hit;
  sat_NearestHit nearest;
  REQUIRE(sat_world_at(world, vec2(1, 1), NULL, &items) == SAT_OK);
  REQUIRE(sat_world_query(world, (sat_Rectangle){-3, -3, 6, 6}, NULL, &items) == SAT_OK);
  REQUIRE(sat_world_raycast(world, vec2(-20, 0), vec2(20, 1), NULL, &hit) <= SAT_MISS);
  REQUIRE(sat_world_nearest(world, vec2(1, 2), HUGE_VAL, NULL, &nearest) <= SAT_MISS);
  REQUIRE(sat_world_shapes(world, &items) == SAT_OK && items.count == sat_world_count(world));
  if (is_small(world)) REQUIRE(sat_world_collisions(world, &collisions) == SAT_OK);
  SAT_LIST_FREE(&items);
  SAT_LIST_FREE(&collisions);
}

/* Loads saves one after the other into a new world, the result of which is to have these bytes. */
static void check_fresh(const Bytes *first, const Bytes *then, const Bytes *expected) {
  enum { OF_EVERY_WORLD = 1 << 14, OF_A_BYTE = 64 };
  sat_World world;
  sat_ChangeList changes;
  sat_world_init(&world, ALLOCATOR, &changes);
  size_t before = most_allocated = allocated;
  REQUIRE(load(&world, first) == SAT_OK);
  REQUIRE(most_allocated - before <= OF_EVERY_WORLD + OF_A_BYTE * first->size);
  if (then) REQUIRE(set_base_to(&world, first, &scratch) == SAT_OK);
  if (then) REQUIRE(load(&world, then) == SAT_OK);
  check_saved_as(&world, expected);
  ask(&world);
  sat_world_free(&world);
}

/* Checks a world that a save has been loaded into. */
static void check_loaded(Program *program, int which, const Bytes *loaded) {
  sat_World *world = &program->worlds[which];
  Bytes whole = save_whole(world);
  sat_Saved saved;
  REQUIRE(sat_saved_open(&saved, loaded->at, loaded->size, &scratch) == SAT_OK);
  if (!sat_saved_is_delta(&saved)) check_same(&whole, loaded);
  else check_fresh(&program->saves[program->bases[which]], loaded, &whole);
  check_fresh(&whole, NULL, &whole);
  ask(world);
  check_saved_as(world, &whole);
  Bytes delta = save_difference(world);
  if (delta.at) REQUIRE(load(world, &delta) == SAT_OK);
  if (delta.at) check_saved_as(world, &whole);
  free(delta.at);
  free(whole.at);
}

/* ---------------------------------------------------------------- forging */

static unsigned char *word_at(Input *input, const Bytes *bytes) {
  return bytes->at + 8 * (size_t)below(input, (uint32_t)(bytes->size / 8));
}

/* A place of a save: a field of the head, of a record, of an entry of the lists, or any word. */
static unsigned char *field_at(Input *input, const Bytes *bytes) {
  static const int heads[] = {SAT_SAVED_COUNT_AT, SAT_SAVED_FREED_AT, SAT_SAVED_ENDED_AT,
                              SAT_SAVED_BEGUN_AT, SAT_SAVED_ID_AT,    SAT_SAVED_VERSION_AT};
  size_t at = SAT_SAVED_HEAD;
  uint32_t kind = below(input, 4), record = below(input, MOST_SHAPES);
  if (kind == 0) return bytes->at + heads[below(input, sizeof heads / sizeof *heads)];
  if (kind == 1) return word_at(input, bytes);
  for (uint32_t i = 0; i <= record && at + 8 < bytes->size; i++) {
    if (!sat_record_check(bytes->at + at + 8, bytes->size - at - 8, 0)) break;
    if (i == record) return bytes->at + at + 4 * (size_t)below(input, 48) % (bytes->size - at);
    at += 8 + sat_record_size(bytes->at + at + 8);
  }
  return at < bytes->size ? bytes->at + at + (8 * (size_t)below(input, 64)) % (bytes->size - at)
                          : word_at(input, bytes);
}

static void change_field(Input *input, const Bytes *bytes) {
  static const double odd[] = {0,    -0.0, 1,     -1,     NAN,    HUGE_VAL, 1e15,
                               2e15, 1e16, 1e300, 1e-300, 1e-120, 0.5,      0x1p-1074};
  unsigned char *at = field_at(input, bytes), *from = field_at(input, bytes);
  size_t left = (size_t)(bytes->at + bytes->size - at),
         held = (size_t)(bytes->at + bytes->size - from);
  if (left < 8) at = bytes->at + bytes->size - 8;
  if (held < 8) from = bytes->at + bytes->size - 8;
  switch (below(input, 7)) {
  case 0: at[below(input, 8)] ^= (unsigned char)(1u << below(input, 8)); break;
  case 1: sat_put_32(at, sat_get_32(at) + below(input, 5) - 2); break;
  case 2: sat_put_32(at, below(input, 16)); break;
  case 3: memmove(at, from, 8); break;
  case 4: sat_put_double(at, odd[below(input, sizeof odd / sizeof *odd)]); break;
  case 5: sat_put_32(at, UINT32_MAX - below(input, 4)); break;
  default: sat_put_double(at, coordinate(input));
  }
}

/* Removes words, or puts words of a save between them. */
static void splice(Input *input, Bytes *bytes, const Bytes *other) {
  size_t words = bytes->size / 8, from = below(input, (uint32_t)words), count = below(input, 48);
  if (below(input, 2)) {
    if (from + count > words) count = words - from;
    memmove(bytes->at + 8 * from, bytes->at + 8 * (from + count), 8 * (words - from - count));
    bytes->size -= 8 * count;
  } else {
    size_t others = other->size / 8, start = below(input, (uint32_t)others);
    if (start + count > others) count = others - start;
    Bytes longer = take_bytes(bytes->size + 8 * count);
    memcpy(longer.at, bytes->at, 8 * from);
    memcpy(longer.at + 8 * from, other->at + 8 * start, 8 * count);
    memcpy(longer.at + 8 * (from + count), bytes->at + 8 * from, bytes->size - 8 * from);
    free(bytes->at);
    *bytes = longer;
  }
}

/* Puts a record of the save, or of another one, behind its last one. */
static void add_record(Input *input, Bytes *bytes, const Bytes *other) {
  size_t at = SAT_SAVED_HEAD, from = SAT_SAVED_HEAD;
  uint32_t record = below(input, MOST_SHAPES);
  for (uint32_t i = 0; i < sat_get_32(bytes->at + SAT_SAVED_COUNT_AT); i++) {
    if (at + 8 > bytes->size) return;
    if (!sat_record_check(bytes->at + at + 8, bytes->size - at - 8, 0)) return;
    at += 8 + sat_record_size(bytes->at + at + 8);
  }
  for (uint32_t i = 0; i <= record; i++) {
    if (from + 8 > other->size) return;
    if (!sat_record_check(other->at + from + 8, other->size - from - 8, 0)) return;
    if (i < record) from += 8 + sat_record_size(other->at + from + 8);
  }
  size_t more = 8 + sat_record_size(other->at + from + 8);
  Bytes longer = take_bytes(bytes->size + more);
  memcpy(longer.at, bytes->at, at);
  memcpy(longer.at + at, other->at + from, more);
  memcpy(longer.at + at + more, bytes->at + at, bytes->size - at);
  free(bytes->at);
  *bytes = longer;
  sat_put_32(bytes->at + SAT_SAVED_COUNT_AT, sat_get_32(bytes->at + SAT_SAVED_COUNT_AT) + 1);
  sat_put_32(bytes->at + at + 8 + 20, below(input, MOST_END));
  if (below(input, 2)) sat_put_64(bytes->at + at, sat_get_64(bytes->at + SAT_SAVED_ID_AT));
  if (below(input, 2)) sat_put_64(bytes->at + SAT_SAVED_ID_AT, 1u + below(input, 99));
}

static void pad(Input *input, Bytes *bytes) {
  size_t size = below(input, 2) ? 8 * (size_t)below(input, MOST_WORDS)
                                : bytes->size + 8 * (size_t)below(input, 16);
  Bytes padded = take_bytes(size > bytes->size ? size : bytes->size);
  memset(padded.at, 0, padded.size);
  memcpy(padded.at, bytes->at, bytes->size);
  free(bytes->at);
  *bytes = padded;
}

static void seal(Bytes *bytes) {
  sat_put_64(bytes->at + SAT_SAVED_SUM_AT, sat_saved_sum(bytes->at, bytes->size));
}

/* Copies the save that is forged into a block of its size, where a sanitizer sees all reads behind
 * it. */
static Bytes forge(Input *input, const Bytes *original, const Bytes *other) {
  Bytes bytes = take_bytes(original->size);
  memcpy(bytes.at, original->at, bytes.size);
  for (uint32_t i = 1 + below(input, 3); i > 0 && bytes.size >= SAT_SAVED_HEAD; i--) {
    switch (below(input, 8)) {
    case 0: splice(input, &bytes, other); break;
    case 1: add_record(input, &bytes, other); break;
    case 2: pad(input, &bytes); break;
    case 3: sat_digest(other->at, other->size, bytes.at + SAT_SAVED_BASE_AT); break;
    case 4: memset(bytes.at + SAT_SAVED_BASE_AT, 0, SAT_DIGEST); break;
    default: change_field(input, &bytes);
    }
  }
  bool is_sealed = bytes.size >= SAT_SAVED_HEAD && below(input, 16);
  if (is_sealed) seal(&bytes);
  Bytes exact = take_bytes(bytes.size < 8 * MOST_WORDS ? bytes.size : 8 * MOST_WORDS);
  memcpy(exact.at, bytes.at, exact.size);
  free(bytes.at);
  return exact;
}

/* ---------------------------------------------------------------- steps */

/* Puts a save into a place, unless it is the base of a world. */
static void put_save(Program *program, Bytes bytes) {
  int place = (int)below(&program->input, SAVES);
  for (int i = 0; i < WORLDS; i++)
    if (program->bases[i] == place) bytes.size = 0;
  if (!bytes.at || bytes.size == 0) {
    free(bytes.at);
    return;
  }
  free(program->saves[place].at);
  program->saves[place] = bytes;
}

static void set_base(Program *program, int which) {
  int place = (int)below(&program->input, SAVES);
  Bytes *bytes = &program->saves[place];
  sat_World *world = &program->worlds[which];
  Bytes before = save_whole(world);
  if (bytes->at && set_base_to(world, bytes, &scratch) == SAT_OK) {
    program->bases[which] = place;
    REQUIRE(sat_world_has_base(world, bytes->at, bytes->size));
  }
  check_saved_as(world, &before);
  free(before.at);
}

/* Loads a save, mostly with an allocation that fails. */
static void load_save(Program *program, int which) {
  Bytes *bytes = &program->saves[below(&program->input, SAVES)];
  sat_World *world = &program->worlds[which];
  int fails = (int)below(&program->input, 32);
  if (!bytes->at || block_count > MOST_BLOCKS / 2) return;
  Bytes before = save_whole(world);
  if (fails < 16) sat_scratch_free(&scratch);
  until_fails = fails < 16 ? fails : -1;
  sat_Status status = load(world, bytes);
  until_fails = -1;
  if (status) check_saved_as(world, &before);
  else check_loaded(program, which, bytes);
  free(before.at);
}

static void take_step(Program *program) {
  Input *input = &program->input;
  int which = (int)below(input, WORLDS);
  sat_World *world = &program->worlds[which];
  sat_Shape *shape;
  const Bytes *saves = program->saves, *original, *other;
  switch (below(input, 12)) {
  case 0:
  case 1: add_shape(input, world); break;
  case 2:
    if ((shape = some_shape(input, world)) != NULL) change_shape(input, shape);
    break;
  case 3:
    if ((shape = some_shape(input, world)) != NULL) sat_world_remove(world, shape);
    break;
  case 4:
    if (is_small(world)) REQUIRE(sat_world_update(world) == SAT_OK);
    break;
  case 5: put_save(program, save_whole(world)); break;
  case 6: set_base(program, which); break;
  case 7: put_save(program, save_difference(world)); break;
  case 8:
  case 9:
    original = &saves[below(input, SAVES)], other = &saves[below(input, SAVES)];
    if (original->at && other->at && other->size >= 8)
      put_save(program, forge(input, original, other));
    break;
  default: load_save(program, which);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Program program;
  program = (Program){.input = {data, data + size}};
  scratch = sat_scratch_make(ALLOCATOR);
  for (int i = 0; i < WORLDS; i++) {
    sat_world_init(&program.worlds[i], ALLOCATOR, &program.changes[i]);
    program.bases[i] = -1;
  }
  for (int i = 0; i < MOST_STEPS && program.input.at < program.input.end; i++) take_step(&program);
  for (int i = 0; i < WORLDS; i++) sat_world_free(&program.worlds[i]);
  for (int i = 0; i < SAVES; i++) free(program.saves[i].at);
  while (block_count > 0) free(blocks[--block_count]);
  sat_scratch_free(&scratch);
  REQUIRE(allocated == 0);
  return 0;
}
