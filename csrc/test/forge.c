/* forge.c: forgeries of saved worlds and deltas: words, records and whole shapes. */
#include "test/forge.h"

#include "test/saves.h"

/* Offsets in the record of a shape, and in the fields of a composite one. */
enum {
  FLAGS = 4,
  RADIUS = 24,
  MIDDLE = 80,
  FIELDS = 136,
  KIND = FIELDS,
  COUNT = FIELDS + 4,
  PIECES = FIELDS + 8,
  VERTICES = FIELDS + 12,
  EDGE_BLOCKS = FIELDS + 16,
  PIECE_FLAGS = FIELDS + 20,
  RECORDS = FIELDS + 24,
  DEPTH = FIELDS + 28,
  GIVEN = FIELDS + 32,
  POINT = 16
};

enum { MOST_SHAPES = 12, MOST_PIECES = 40 };

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context, (void)old_size;
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

static sat_Scratch scratch = {NULL, 0, {allocate, NULL}, 0};

static bool one_in(Random *random, int64_t count) { return random_integer(random, 1, count) == 1; }

static size_t below(Random *random, size_t end) {
  return (size_t)random_integer(random, 0, (int64_t)end - 1);
}

void forge_seal(unsigned char *bytes, size_t size) {
  if (size < SAT_SAVED_HEAD) return;
  sat_put_64(bytes, SAT_SAVED_MAGIC);
  sat_put_32(bytes + SAT_SAVED_VERSION_AT, SAT_SAVED_VERSION);
  sat_put_64(bytes + SAT_SAVED_SUM_AT, sat_saved_sum(bytes, size));
}

/* ---------------------------------------------------------------- words */

static double odd_number(Random *random, double near) {
  static const double odd[] = {0,     -0.0,  1,      -1,     NAN,    HUGE_VAL, 1e15, 2e15,
                               -1e15, 1e300, 1e-300, 1e-116, 1e-120, 0.5,      1e-15};
  switch (random_integer(random, 0, 5)) {
  case 0: return odd[below(random, sizeof odd / sizeof *odd)];
  case 1: return nextafter(near, HUGE_VAL);
  case 2: return nextafter(near, -HUGE_VAL);
  case 3: return -near;
  case 4: return (double)random_integer(random, -12, 12);
  default: return near * random_real(random, -2, 2);
  }
}

static void change_words(Random *random, unsigned char *bytes, size_t size) {
  for (int64_t i = random_integer(random, 1, 3); i > 0; i--) {
    unsigned char *at = bytes + 8 * below(random, size / 8),
                  *from = bytes + 8 * below(random, size / 8);
    switch (random_integer(random, 0, 4)) {
    case 0: at[below(random, 8)] ^= (unsigned char)(1 << below(random, 8)); break;
    case 1: sat_put_double(at, odd_number(random, sat_get_double(at))); break;
    case 2: memmove(at, from, 8); break;
    case 3: sat_put_32(at, sat_get_32(at) + (uint32_t)random_integer(random, -2, 2)); break;
    default: sat_put_32(at + 4, sat_get_32(at + 4) + (uint32_t)random_integer(random, -2, 2));
    }
  }
}

/* ---------------------------------------------------------------- shapes and records */

/* Reads the shape of a record. Returns NULL if the record is refused. */
static sat_Shape *shape_of(const unsigned char *record, size_t left) {
  if (!sat_record_check(record, left, 0)) return NULL;
  sat_Shape *shape = malloc(sat_record_block(record));
  void *memory = malloc(sat_record_memory(record) + 1);
  bool made = shape && memory;
  if (made) {
    shape->owner = NULL;
    made = sat_shape_read(record, shape, memory, &scratch) == SAT_OK;
  }
  free(memory);
  if (made) return shape;
  free(shape);
  return NULL;
}

typedef struct Shapes {
  sat_Shape *at[MOST_SHAPES];
  size_t count;
} Shapes;

/* Reads shapes up to the first one that cannot be read. */
static void read_shapes(const unsigned char *bytes, size_t size, Shapes *shapes) {
  size_t at = SAT_SAVED_HEAD;
  while (at + 8 < size && shapes->count < MOST_SHAPES) {
    sat_Shape *shape = shape_of(bytes + at + 8, size - at - 8);
    if (!shape) return;
    shapes->at[shapes->count++] = shape;
    at += 8 + sat_shape_record_size(shape);
  }
}

static void free_shapes(Shapes *shapes) {
  for (size_t i = 0; i < shapes->count; i++) free(shapes->at[i]);
}

static size_t world_size(const Shapes *shapes) {
  size_t size = SAT_SAVED_HEAD;
  for (size_t i = 0; i < shapes->count; i++) size += 8 + sat_shape_record_size(shapes->at[i]);
  return size;
}

static void write_head(unsigned char *bytes, uint32_t count) {
  memset(bytes, 0, SAT_SAVED_HEAD);
  sat_put_32(bytes + SAT_SAVED_COUNT_AT, count);
  sat_put_64(bytes + SAT_SAVED_ID_AT, count + 1);
}

/* Writes as many shapes as there is room for and frees the others. `records` receives the offset
 * of each record. */
static size_t write_world(Shapes *shapes, unsigned char *bytes, size_t most, size_t *records) {
  while (world_size(shapes) > most && shapes->count > 0) free(shapes->at[--shapes->count]);
  if (world_size(shapes) > most) return 0;
  size_t at = SAT_SAVED_HEAD;
  write_head(bytes, (uint32_t)shapes->count);
  for (size_t i = 0; i < shapes->count; i++) {
    sat_put_64(bytes + at, i + 1);
    sat_shape_write(shapes->at[i], (uint32_t)i, bytes + at + 8);
    records[i] = at + 8;
    at += 8 + sat_shape_record_size(shapes->at[i]);
  }
  return at;
}

/* ---------------------------------------------------------------- new and changed shapes */

static void add_shape(Shapes *shapes, sat_Shape *shape) {
  if (shape && shapes->count < MOST_SHAPES && sat_shape_piece_count(shape) <= MOST_PIECES)
    shapes->at[shapes->count++] = shape;
  else free(shape);
}

static sat_Vec2 some_point(Random *random) {
  if (one_in(random, 3)) return vec2(random_real(random, -9, 9), random_real(random, -9, 9));
  return vec2((double)random_integer(random, -6, 6), (double)random_integer(random, -6, 6));
}

static sat_Shape *new_convex(Random *random) {
  sat_Vec2 points[8];
  size_t count = (size_t)random_integer(random, 1, 8);
  for (size_t i = 0; i < count; i++) points[i] = some_point(random);
  if (count > 2 && sat_hull(points, &count, &scratch, NULL) != SAT_OK) count = 1;
  sat_Shape *shape = malloc(sat_shape_bytes(count));
  double radius = one_in(random, 3) ? (double)random_integer(random, 1, 4) : 0;
  if (shape && sat_shape_init(shape, points, count, radius) == SAT_OK) return shape;
  free(shape);
  return NULL;
}

static sat_Shape *new_ring(Random *random) {
  sat_Vec2 points[8];
  size_t count = (size_t)random_integer(random, 4, 8);
  sat_Decomposition pieces;
  for (size_t i = 0; i < count; i++) points[i] = some_point(random);
  if (sat_ring_clean(points, &count, &scratch, NULL) != SAT_OK) return NULL;
  if (sat_ring_decompose(points, count, &scratch, &pieces) != SAT_OK) return NULL;
  sat_Shape *shape = malloc(sat_polygon_bytes(count, &pieces));
  if (shape && sat_polygon_init(shape, points, count, &pieces) == SAT_OK) return shape;
  free(shape);
  return NULL;
}

static sat_Shape *new_chain(Random *random) {
  sat_Vec2 points[8];
  size_t count = (size_t)random_integer(random, 1, 8);
  for (size_t i = 0; i < count; i++) points[i] = some_point(random);
  sat_Shape *shape = malloc(sat_chain_bytes(count));
  if (shape && sat_chain_init(shape, points, count, one_in(random, 2)) == SAT_OK) return shape;
  free(shape);
  return NULL;
}

/* A compound of random shapes, which may repeat. */
static sat_Shape *new_compound(Random *random, const Shapes *shapes) {
  const sat_Shape *members[4];
  size_t count = (size_t)random_integer(random, 1, 4);
  if (shapes->count == 0) return NULL;
  for (size_t i = 0; i < count; i++) members[i] = shapes->at[below(random, shapes->count)];
  size_t bytes = sat_compound_bytes(members, count);
  sat_Shape *shape = bytes ? malloc(bytes) : NULL;
  if (shape && sat_compound_init(shape, members, count) == SAT_OK) return shape;
  free(shape);
  return NULL;
}

static sat_Shape *new_piece(Random *random, const Shapes *shapes) {
  if (shapes->count == 0) return NULL;
  const sat_Shape *whole = shapes->at[below(random, shapes->count)];
  size_t index = below(random, sat_shape_piece_count(whole));
  sat_Shape *shape = malloc(sat_shape_bytes(sat_shape_piece_size(whole, index)));
  if (shape && sat_shape_piece_init(shape, whole, index) == SAT_OK) return shape;
  free(shape);
  return NULL;
}

static sat_Shape *new_shape(Random *random, const Shapes *shapes) {
  switch (random_integer(random, 0, 5)) {
  case 0: return new_convex(random);
  case 1: return new_ring(random);
  case 2: return new_chain(random);
  case 3: return new_piece(random, shapes);
  default: return new_compound(random, shapes);
  }
}

static void change_shape(Random *random, sat_Shape *shape) {
  sat_Vec2 to = some_point(random);
  double scale = one_in(random, 4) ? 1e-9 : random_real(random, 0.2, 3);
  switch (random_integer(random, 0, 7)) {
  case 0: sat_shape_move(shape, to.x, to.y); break;
  case 1: sat_shape_rotate(shape, to.x); break;
  case 2: sat_shape_rotate_about(shape, to.x, vec2(to.y, 3)); break;
  case 3: sat_shape_scale(shape, scale); break;
  case 4: sat_shape_flip(shape, one_in(random, 2)); break;
  case 5: sat_shape_set_radius(shape, fabs(to.x)); break;
  case 6: sat_shape_scale_axes(shape, scale, random_real(random, 0.2, 3)); break;
  default: sat_shape_set_enabled(shape, one_in(random, 2)); sat_shape_set_static(shape, to.x < 0);
  }
}

static void change_shapes(Random *random, Shapes *shapes) {
  if (shapes->count == 0 || one_in(random, 2)) add_shape(shapes, new_shape(random, shapes));
  if (shapes->count == 0) return;
  size_t a = below(random, shapes->count), b = below(random, shapes->count);
  sat_Shape *shape = shapes->at[a];
  change_shape(random, shape);
  shapes->at[a] = shapes->at[b];
  shapes->at[b] = shape;
  if (one_in(random, 8)) free(shapes->at[--shapes->count]);
}

/* ---------------------------------------------------------------- corrected counts */

static void put_counts(unsigned char *record, const sat_CompositeHeader *composite) {
  sat_put_32(record + PIECES, composite->pieces);
  sat_put_32(record + VERTICES, composite->vertices);
  sat_put_32(record + EDGE_BLOCKS, composite->edge_blocks);
  sat_put_32(record + PIECE_FLAGS, composite->flags);
  sat_put_32(record + RECORDS, composite->records);
  sat_put_32(record + DEPTH, composite->depth);
}

static void rebuild_ring(unsigned char *record, size_t count) {
  sat_Vec2 points[64];
  sat_Decomposition pieces;
  if (count < 3 || count > 64) return;
  for (size_t i = 0; i < count; i++) points[i] = sat_get_vec2(record + GIVEN + i * POINT);
  if (sat_ring_clean(points, &count, &scratch, NULL) != SAT_OK) return;
  if (sat_ring_decompose(points, count, &scratch, &pieces) != SAT_OK) return;
  sat_CompositeHeader composite = sat_polygon_counts(count, &pieces);
  put_counts(record, &composite);
}

static void rebuild_record(unsigned char *record, size_t size);

/* Corrects the members of a compound first, then its own counts and its centroid, by making the
 * compound. */
static void rebuild_compound(unsigned char *record, size_t size) {
  const sat_Shape *members[MOST_SHAPES];
  Shapes made = {.count = 0};
  unsigned char *at = record + GIVEN, *end = record + size;
  while (at < end && made.count < MOST_SHAPES) {
    rebuild_record(at, (size_t)(end - at));
    sat_Shape *shape = shape_of(at, (size_t)(end - at));
    if (!shape) break;
    members[made.count] = made.at[made.count] = shape;
    made.count++;
    at += sat_shape_record_size(shape);
  }
  sat_CompositeHeader composite;
  if (at == end && made.count && !sat_compound_counts(members, made.count, &composite)) {
    sat_Shape *shape = malloc(sat_composite_bytes(&composite));
    put_counts(record, &composite);
    if (shape && sat_compound_init(shape, members, made.count) == SAT_OK)
      sat_put_vec2(record + MIDDLE, shape->local_centroid);
    free(shape);
  }
  free_shapes(&made);
}

/* Corrects the counts of a composite shape's record, unless the record does not fit into `size`. */
static void rebuild_record(unsigned char *record, size_t size) {
  if (size < GIVEN || sat_get_32(record) != 0) return;
  uint64_t count = sat_get_32(record + COUNT), records = sat_get_32(record + RECORDS);
  if (GIVEN + count * POINT + records > size) return;
  if (sat_get_32(record + KIND) == SAT_POLYGON) rebuild_ring(record, (size_t)count);
  if (sat_get_32(record + KIND) == SAT_COMPOUND) rebuild_compound(record, GIVEN + (size_t)records);
}

/* ---------------------------------------------------------------- forged records */

static void change_record(Random *random, unsigned char *record, size_t size) {
  size_t words = size / 8;
  unsigned char *at = record + 8 * below(random, words), *from = record + 8 * below(random, words);
  switch (random_integer(random, 0, 4)) {
  case 0: change_words(random, record, size); break;
  case 1: sat_put_double(at, odd_number(random, sat_get_double(at))); break;
  case 2:
    memmove(at, from, words > 1 && at < record + size - 8 && from < record + size - 8 ? 16 : 8);
    break;
  case 3: sat_put_32(record + FLAGS, (uint32_t)random_bits(random) & 31); break;
  default: sat_put_double(record + RADIUS + 8 * below(random, 9), odd_number(random, 1));
  }
  if (!one_in(random, 4)) rebuild_record(record, size);
}

static void change_bytes(Random *random, unsigned char *bytes, size_t *size) {
  if (one_in(random, 6)) *size = 8 * below(random, *size / 8 + 1);
  if (*size >= 8) change_words(random, bytes, *size);
}

size_t forge_world(Random *random, unsigned char *bytes, size_t size, size_t most,
                   const unsigned char *other, size_t other_size) {
  Shapes shapes = {.count = 0};
  size_t records[MOST_SHAPES];
  size -= size % 8;
  int64_t way = random_integer(random, 0, 5);
  if (way > 0) {
    read_shapes(bytes, size, &shapes);
    if (other && one_in(random, 2)) read_shapes(other, other_size, &shapes);
    if (way < 4 || shapes.count == 0) change_shapes(random, &shapes);
    size = write_world(&shapes, bytes, most, records);
    if (way > 2 && size > 0 && shapes.count > 0) {
      size_t index = below(random, shapes.count);
      change_record(random, bytes + records[index], sat_shape_record_size(shapes.at[index]));
    }
    free_shapes(&shapes);
  } else change_bytes(random, bytes, &size);
  forge_seal(bytes, size);
  sat_scratch_free(&scratch);
  return size;
}

size_t forge_any_world(Random *random, unsigned char *bytes, size_t most) {
  Shapes shapes = {.count = 0};
  size_t records[MOST_SHAPES];
  for (int i = 0; i < 8; i++) change_shapes(random, &shapes);
  size_t size = write_world(&shapes, bytes, most, records);
  free_shapes(&shapes);
  forge_seal(bytes, size);
  sat_scratch_free(&scratch);
  return size;
}

/* ---------------------------------------------------------------- deltas */

#define FORGED_DELTA 0x6567726f66746173u /* "satforge" */
enum { BASE_AT = 16 };

static void seal_delta(const ForgedDelta *forged) {
  sat_digest(forged->base, forged->base_size, forged->delta + SAT_SAVED_BASE_AT);
  forge_seal(forged->delta, forged->delta_size);
}

bool forge_open_delta(unsigned char *bytes, size_t size, ForgedDelta *forged) {
  size -= size % 8;
  if (size < BASE_AT + SAT_SAVED_HEAD + SAT_SAVED_HEAD || sat_get_64(bytes) != FORGED_DELTA)
    return false;
  uint64_t base_size = sat_get_64(bytes + 8);
  if (base_size % 8 || base_size < SAT_SAVED_HEAD || base_size > size - BASE_AT - SAT_SAVED_HEAD)
    return false;
  *forged = (ForgedDelta){bytes + BASE_AT, bytes + BASE_AT + base_size, (size_t)base_size,
                          size - BASE_AT - (size_t)base_size};
  forge_seal(forged->base, forged->base_size);
  seal_delta(forged);
  return true;
}

static Shapes base_shapes;

static sat_Shape *make_block(size_t bytes) {
  sat_Shape *block = malloc(bytes);
  if (!block || base_shapes.count == MOST_SHAPES) abort();
  sat_shape_prepare(block, bytes, NULL);
  return base_shapes.at[base_shapes.count++] = block;
}

/* Loads a world of forge_any_world. */
static bool load_base(sat_World *world, unsigned char *at, size_t size, Shapes *shapes) {
  Bytes bytes = {.size = size};
  bytes.at = at;
  base_shapes.count = 0;
  bool loaded = load_bytes(world, &bytes, &scratch, make_block, MOST_SHAPES) == SAT_OK &&
                set_base_to(world, &bytes, &scratch) == SAT_OK;
  *shapes = base_shapes;
  return loaded;
}

static void change_world(Random *random, sat_World *world, Shapes *made) {
  size_t before = made->count;
  if (made->count == 0 || one_in(random, 4)) add_shape(made, new_shape(random, made));
  if (made->count > before) sat_world_add(world, made->at[before]);
  if (made->count == 0) return;
  sat_Shape *shape = made->at[below(random, made->count)];
  bool is_added = shape->changes != NULL;
  if (one_in(random, 5) && is_added) sat_world_remove(world, shape);
  else if (one_in(random, 5) && !is_added) sat_world_add(world, shape);
  else change_shape(random, shape);
  if (one_in(random, 4)) sat_world_update(world);
}

/* Writes the delta behind its base. Returns the size of both, or 0 without room. */
static size_t write_delta(sat_World *world, unsigned char *bytes, size_t base_size, size_t most) {
  size_t size;
  if (sat_world_delta_size(world, &size) || BASE_AT + base_size + size > most) return 0;
  sat_world_save_delta(world, bytes + BASE_AT + base_size);
  sat_put_64(bytes, FORGED_DELTA);
  sat_put_64(bytes + 8, base_size);
  return BASE_AT + base_size + size;
}

static size_t make_delta(Random *random, unsigned char *bytes, size_t most) {
  Shapes made = {.count = 0};
  sat_ChangeList changes;
  sat_World world;
  if (most < BASE_AT + SAT_SAVED_HEAD) return 0;
  size_t base_size = forge_any_world(random, bytes + BASE_AT, (most - BASE_AT) / 2), size = 0;
  sat_world_init(&world, (sat_Allocator){allocate, NULL}, &changes);
  if (base_size > 0 && load_base(&world, bytes + BASE_AT, base_size, &made)) {
    for (int64_t i = random_integer(random, 0, 12); i > 0; i--) change_world(random, &world, &made);
    size = write_delta(&world, bytes, base_size, most);
  }
  sat_world_free(&world);
  free_shapes(&made);
  sat_scratch_free(&scratch);
  return size;
}

/* Cuts words out of the delta, or doubles some of its words. */
static void splice(Random *random, ForgedDelta *forged, size_t most) {
  size_t words = forged->delta_size / 8, from = below(random, words);
  size_t count = 8 * (1 + below(random, one_in(random, 2) ? 1 : words - from));
  unsigned char *at = forged->delta + 8 * from;
  size_t behind = forged->delta_size - 8 * from - count;
  if (one_in(random, 2)) {
    if (forged->delta_size < SAT_SAVED_HEAD + count) return;
    memmove(at, at + count, behind);
    forged->delta_size -= count;
  } else if (forged->delta_size + count <= most) {
    memmove(at + count, at, behind + count);
    forged->delta_size += count;
  }
}

/* Changes one of the counts or the next id in the head of a delta. */
static void change_head(Random *random, const ForgedDelta *forged) {
  static const int at[] = {SAT_SAVED_COUNT_AT, SAT_SAVED_FREED_AT, SAT_SAVED_ENDED_AT,
                           SAT_SAVED_BEGUN_AT, SAT_SAVED_ID_AT};
  unsigned char *number = forged->delta + at[below(random, sizeof at / sizeof *at)];
  sat_put_32(number, sat_get_32(number) + (uint32_t)random_integer(random, -2, 2));
}

size_t forge_delta(Random *random, unsigned char *bytes, size_t size, size_t most) {
  ForgedDelta forged;
  if (!forge_open_delta(bytes, size, &forged) || one_in(random, 8))
    return make_delta(random, bytes, most);
  for (int64_t i = random_integer(random, 1, 3); i > 0; i--) {
    switch (random_integer(random, 0, 5)) {
    case 0: change_words(random, forged.base, forged.base_size); break;
    case 1: splice(random, &forged, most - BASE_AT - forged.base_size); break;
    case 2: change_head(random, &forged); break;
    default: change_words(random, forged.delta, forged.delta_size);
    }
  }
  forge_seal(forged.base, forged.base_size);
  seal_delta(&forged);
  return BASE_AT + forged.base_size + forged.delta_size;
}

size_t forge_other_delta(const unsigned char *bytes, size_t size, const unsigned char *other,
                         size_t other_size, unsigned char *out, size_t most) {
  size_t head = BASE_AT + SAT_SAVED_HEAD, base_size, from;
  if (size < head || other_size < head || sat_get_64(bytes) != FORGED_DELTA ||
      sat_get_64(other) != FORGED_DELTA)
    return 0;
  base_size = (size_t)sat_get_64(bytes + 8), from = (size_t)sat_get_64(other + 8);
  if (base_size > size - BASE_AT || from > other_size - BASE_AT) return 0;
  size_t delta_size = other_size - BASE_AT - from;
  if (BASE_AT + base_size + delta_size > most) return 0;
  memcpy(out, bytes, BASE_AT + base_size);
  memcpy(out + BASE_AT + base_size, other + BASE_AT + from, delta_size);
  return BASE_AT + base_size + delta_size;
}
