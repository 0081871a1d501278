/* fuzz_saved.c: programs that change, save, forge and load worlds. A forgery keeps the checksum and
 * the digest right, so that the checks behind them are met.
 *
 * An input is a list of steps, each a byte and what the step reads behind it; any bytes are one.
 * A load either leaves its world as it was, to the bit, or gives a world that answers queries and
 * goes through whole saves and deltas unchanged. A whole save that is loaded is saved in its own
 * bytes. A delta gives the same world wherever its base was loaded. `make fuzz` builds this file
 * with libFuzzer. */
#include "test/saves.h"

#include <stdio.h>

enum {
  MOST_STEPS = 12,
  WORLDS = 2,
  SAVES = 6,
  MOST_SHAPES = 10,
  MOST_PIECES = 6,
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

/* The cost of a union grows faster than the square of its pieces, and other fuzzers test it. */
static bool is_small(const sat_World *world) { return pieces_of(world) <= MOST_SHAPES; }

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

static void find_collisions(sat_World *world) {
  sat_Collisions collisions = {.allocator = ALLOCATOR};
  if (is_small(world)) REQUIRE(sat_world_collisions(world, &collisions) == SAT_OK);
  SAT_LIST_FREE(&collisions);
}

static void ask(sat_World *world) {
  sat_Items items = {.allocator = ALLOCATOR};
  sat_CastHit hit;
  sat_NearestHit nearest;
  REQUIRE(sat_world_at(world, vec2(1, 1), NULL, &items) == SAT_OK);
  REQUIRE(sat_world_query(world, (sat_Rectangle){-3, -3, 6, 6}, NULL, &items) == SAT_OK);
  REQUIRE(sat_world_raycast(world, vec2(-20, 0), vec2(20, 1), NULL, &hit) <= SAT_MISS);
  REQUIRE(sat_world_nearest(world, vec2(1, 2), HUGE_VAL, NULL, &nearest) <= SAT_MISS);
  REQUIRE(sat_world_shapes(world, &items) == SAT_OK && items.count == sat_world_count(world));
  SAT_LIST_FREE(&items);
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
  find_collisions(world);
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

/* The place of a record with its id, or the end of the records. */
static size_t record_at(const Bytes *bytes, uint32_t record) {
  size_t at = SAT_SAVED_HEAD;
  uint32_t count = sat_get_32(bytes->at + SAT_SAVED_COUNT_AT);
  for (uint32_t i = 0; i < record && i < count && at + 8 < bytes->size; i++) {
    if (!sat_record_check(bytes->at + at + 8, bytes->size - at - 8, 0)) break;
    at += 8 + sat_record_size(bytes->at + at + 8);
  }
  return at < bytes->size ? at : bytes->size;
}

/* A place of a save: a field of the head, of a record, of an entry of the lists, or any word. */
static unsigned char *field_at(Input *input, const Bytes *bytes) {
  static const int heads[] = {SAT_SAVED_COUNT_AT, SAT_SAVED_FREED_AT, SAT_SAVED_ENDED_AT,
                              SAT_SAVED_BEGUN_AT, SAT_SAVED_ID_AT,    SAT_SAVED_VERSION_AT};
  uint32_t kind = below(input, 4), record = below(input, MOST_SHAPES), word = below(input, 64);
  if (kind == 0) return bytes->at + heads[below(input, sizeof heads / sizeof *heads)];
  if (kind == 1) return word_at(input, bytes);
  size_t at = record_at(bytes, kind == 2 ? record : UINT32_MAX) + 4 * (size_t)word;
  return at < bytes->size ? bytes->at + at : word_at(input, bytes);
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

/* Replaces `size` bytes by others, which may be in another save. */
static void replace(Bytes *bytes, size_t at, size_t size, const unsigned char *by, size_t by_size) {
  Bytes changed = take_bytes(bytes->size - size + by_size);
  memcpy(changed.at, bytes->at, at);
  if (by_size) memcpy(changed.at + at, by, by_size);
  memcpy(changed.at + at + by_size, bytes->at + at + size, bytes->size - at - size);
  free(bytes->at);
  *bytes = changed;
}

/* Removes words, or puts words of a save between them. */
static void splice(Input *input, Bytes *bytes, const Bytes *other) {
  size_t words = bytes->size / 8, from = below(input, (uint32_t)words), count = below(input, 48);
  size_t others = other->size / 8, start = below(input, (uint32_t)others);
  if (below(input, 2)) {
    replace(bytes, 8 * from, 8 * (from + count > words ? words - from : count), NULL, 0);
  } else {
    if (start + count > others) count = others - start;
    replace(bytes, 8 * from, 0, other->at + 8 * start, 8 * count);
  }
}

static void add_to(const Bytes *bytes, int at, uint32_t number) {
  sat_put_32(bytes->at + at, sat_get_32(bytes->at + at) + number);
}

/* Puts a record of a save before one of the save, or removes one; and changes its index and id. */
static void change_records(Input *input, Bytes *bytes, const Bytes *other) {
  uint32_t record = below(input, MOST_SHAPES), wanted = below(input, MOST_SHAPES);
  size_t at = record_at(bytes, record), next = record_at(bytes, record + 1);
  size_t from = record_at(other, wanted), to = record_at(other, wanted + 1);
  if (below(input, 3) == 0) {
    if (next == at) return;
    replace(bytes, at, next - at, NULL, 0);
    add_to(bytes, SAT_SAVED_COUNT_AT, UINT32_MAX);
    return;
  }
  if (to - from < 160) return;
  replace(bytes, at, 0, other->at + from, to - from);
  add_to(bytes, SAT_SAVED_COUNT_AT, 1);
  sat_put_32(bytes->at + at + 8 + 20, below(input, below(input, 4) ? 16 : MOST_END));
  if (below(input, 2)) sat_put_64(bytes->at + at, 1 + below(input, 32));
  if (below(input, 2)) add_to(bytes, SAT_SAVED_ID_AT, below(input, 32));
}

/* Adds an entry to one of the lists, or removes its last one. */
static void change_lists(Input *input, Bytes *bytes) {
  static const int counts[] = {SAT_SAVED_FREED_AT, SAT_SAVED_ENDED_AT, SAT_SAVED_BEGUN_AT};
  size_t at = record_at(bytes, UINT32_MAX);
  uint32_t list = below(input, 3);
  unsigned char entry[8];
  for (uint32_t i = 0; i <= list; i++) at += 8 * (size_t)sat_get_32(bytes->at + counts[i]);
  if (at > bytes->size) return;
  sat_put_32(entry, below(input, 16));
  sat_put_32(entry + 4, list == 0 ? 0 : below(input, 16));
  if (below(input, 3)) {
    replace(bytes, at, 0, entry, 8);
    add_to(bytes, counts[list], 1);
  } else if (sat_get_32(bytes->at + counts[list]) > 0) {
    replace(bytes, at - 8, 8, NULL, 0);
    add_to(bytes, counts[list], UINT32_MAX);
  }
}

/* Adds bytes of 0, mostly as many as the last index takes. */
static void add_zeros(Input *input, Bytes *bytes, const Bytes *other) {
  static const unsigned char zeros[8 * MOST_WORDS];
  size_t size = bytes->size + 8 * (size_t)below(input, 16), last = record_at(bytes, UINT32_MAX - 1);
  for (size_t at = SAT_SAVED_HEAD; at + 160 <= last; at += 8 + sat_record_size(bytes->at + at + 8))
    size = ((size_t)sat_record_index(bytes->at + at + 8) + 2) / 2 * 8;
  if (below(input, 2) && size > other->size) size -= other->size;
  if (size > bytes->size + sizeof zeros) size = bytes->size + sizeof zeros;
  if (size > bytes->size) replace(bytes, bytes->size, 0, zeros, size - bytes->size);
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
    switch (below(input, 12)) {
    case 0: splice(input, &bytes, other); break;
    case 1:
    case 2: change_records(input, &bytes, other); break;
    case 3:
    case 4: change_lists(input, &bytes); break;
    case 5: add_zeros(input, &bytes, other); break;
    case 6: sat_digest(other->at, other->size, bytes.at + SAT_SAVED_BASE_AT); break;
    case 7: memset(bytes.at + SAT_SAVED_BASE_AT, 0, SAT_DIGEST); break;
    default: change_field(input, &bytes);
    }
  }
  bool is_sealed = bytes.size >= SAT_SAVED_HEAD && below(input, 16);
  if (is_sealed) seal(&bytes);
  Bytes exact = take_bytes(
      bytes.size < sizeof(uint64_t) * MOST_WORDS ? bytes.size : sizeof(uint64_t) * MOST_WORDS);
  memcpy(exact.at, bytes.at, exact.size);
  free(bytes.at);
  return exact;
}

/* ---------------------------------------------------------------- steps */

/* Puts a save into a place, unless it has no head, or the place has the base of a world. */
static void put_save(Program *program, Bytes bytes) {
  int place = (int)below(&program->input, SAVES);
  bool is_refused = bytes.size < SAT_SAVED_HEAD;
  for (int i = 0; i < WORLDS; i++) is_refused = is_refused || program->bases[i] == place;
  if (is_refused) {
    free(bytes.at);
    return;
  }
  free(program->saves[place].at);
  program->saves[place] = bytes;
}

/* Any of the saves; there are some. */
static int some_save(Program *program) {
  int place = (int)below(&program->input, SAVES);
  while (!program->saves[place].at) place = (place + 1) % SAVES;
  return place;
}

static void set_base(Program *program, int which) {
  int place = some_save(program);
  const Bytes *bytes = &program->saves[place];
  sat_World *world = &program->worlds[which];
  Bytes before = save_whole(world);
  if (set_base_to(world, bytes, &scratch) == SAT_OK) {
    program->bases[which] = place;
    REQUIRE(sat_world_has_base(world, bytes->at, bytes->size));
  }
  check_saved_as(world, &before);
  free(before.at);
}

/* Loads a save; sometimes an allocation fails. */
static void load_save(Program *program, int which, const Bytes *bytes) {
  sat_World *world = &program->worlds[which];
  enum { MOST_FAILS = 16 };
  int fails = 63 - (int)below(&program->input, 64);
  if (block_count > MOST_BLOCKS / 2) return;
  Bytes before = save_whole(world);
  if (fails < MOST_FAILS) sat_scratch_free(&scratch);
  until_fails = fails < MOST_FAILS ? fails : -1;
  sat_Status status = load(world, bytes);
  until_fails = -1;
  if (status) check_saved_as(world, &before);
  else check_loaded(program, which, bytes);
  free(before.at);
}

static void load_forged(Program *program, int which) {
  const Bytes *original = &program->saves[some_save(program)];
  Bytes bytes = forge(&program->input, original, &program->saves[some_save(program)]);
  load_save(program, which, &bytes);
  put_save(program, bytes);
}

static void change_world(Input *input, sat_World *world) {
  sat_Shape *shape = some_shape(input, world);
  switch (below(input, 8)) {
  case 0:
  case 1: add_shape(input, world); break;
  case 2:
    if (shape) sat_world_remove(world, shape);
    break;
  case 3:
    if (is_small(world)) REQUIRE(sat_world_update(world) == SAT_OK);
    break;
  default:
    if (shape) change_shape(input, shape);
  }
}

static void take_step(Program *program) {
  Input *input = &program->input;
  int which = (int)below(input, WORLDS);
  switch (below(input, 16)) {
  case 0:
  case 1:
  case 2: change_world(input, &program->worlds[which]); break;
  case 3: put_save(program, save_whole(&program->worlds[which])); break;
  case 4: put_save(program, save_difference(&program->worlds[which])); break;
  case 5: set_base(program, which); break;
  case 6: load_save(program, which, &program->saves[some_save(program)]); break;
  default: load_forged(program, which);
  }
}

/* Makes a world, which is the base of both, and a delta since it. */
static void begin(Program *program) {
  Input *input = &program->input;
  for (uint32_t i = 2 + below(input, 4); i > 0; i--) add_shape(input, &program->worlds[0]);
  if (below(input, 2)) REQUIRE(sat_world_update(&program->worlds[0]) == SAT_OK);
  program->saves[0] = save_whole(&program->worlds[0]);
  REQUIRE(load(&program->worlds[1], &program->saves[0]) == SAT_OK);
  for (int i = 0; i < WORLDS; i++) {
    REQUIRE(set_base_to(&program->worlds[i], &program->saves[0], &scratch) == SAT_OK);
    program->bases[i] = 0;
  }
  for (uint32_t i = below(input, 4); i > 0; i--) change_world(input, &program->worlds[0]);
  program->saves[1] = save_difference(&program->worlds[0]);
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
  begin(&program);
  for (int i = 0; i < MOST_STEPS && program.input.at < program.input.end; i++) take_step(&program);
  for (int i = 0; i < WORLDS; i++) sat_world_free(&program.worlds[i]);
  for (int i = 0; i < SAVES; i++) free(program.saves[i].at);
  while (block_count > 0) free(blocks[--block_count]);
  sat_scratch_free(&scratch);
  REQUIRE(allocated == 0);
  return 0;
}
