/* loaded.c: worlds loaded from bytes, queried, saved, loaded again and compared. */
#include "test/loaded.h"

#include "test/saves.h"

/* The limits of what is queried: the cost of a union grows faster than the square of its pieces. */
enum { MOST_END = 4096, MOST_SHAPES = 16, MOST_PIECES = 24 };

static int until_fails = -1; /* allocations that still succeed; below 0 all do */

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context, (void)old_size;
  if (size > 0 && until_fails == 0) return NULL;
  if (size > 0 && until_fails > 0) until_fails--;
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

static const sat_Allocator ALLOCATOR = {allocate, NULL};

static sat_Scratch scratch = {NULL, 0, {allocate, NULL}, 0};

#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) return #condition;                                                           \
  } while (0)

/* Returns the text of a check that has failed. */
#define TRY(check)                                                                                 \
  do {                                                                                             \
    const char *wrong = (check);                                                                   \
    if (wrong) return wrong;                                                                       \
  } while (0)

/* ---------------------------------------------------------------- worlds and bytes */

typedef struct Loaded {
  sat_World world;
  sat_ChangeList changes;
} Loaded;

/* The blocks of all worlds, which are freed together. */
static sat_Shape **made;
static size_t made_count;

static sat_Shape *make_block(size_t bytes) {
  sat_Shape *block = malloc(bytes);
  sat_Shape **grown = realloc(made, (made_count + 1) * sizeof(sat_Shape *));
  if (!block || !grown) abort();
  made = grown;
  sat_shape_prepare(block, bytes, NULL);
  return made[made_count++] = block;
}

static void free_made(void) {
  while (made_count > 0) free(made[--made_count]);
  free(made);
  made = NULL;
}

static void start(Loaded *loaded) { sat_world_init(&loaded->world, ALLOCATOR, &loaded->changes); }

static sat_Status load(Loaded *loaded, const Bytes *bytes) {
  return load_bytes(&loaded->world, bytes, &scratch, make_block, MOST_END);
}

static Bytes save(Loaded *loaded) { return save_whole(&loaded->world); }

/* ---------------------------------------------------------------- answers */

/* All answers, hashed into one number. */
typedef struct Answers {
  uint64_t sum;
  bool bad; /* a query has returned a status that it never has */
} Answers;

static void take_bits(Answers *answers, uint64_t bits) {
  answers->sum = (answers->sum ^ bits) * 0x9e3779b97f4a7c15u;
  answers->sum ^= answers->sum >> 29;
}

static void take(Answers *answers, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  take_bits(answers, bits);
}

static void take_vec2(Answers *answers, sat_Vec2 v) {
  take(answers, v.x);
  take(answers, v.y);
}

static bool take_status(Answers *answers, sat_Status status) {
  take_bits(answers, status);
  answers->bad = answers->bad || status > SAT_EVALUE;
  return status == SAT_OK;
}

static void ask_pair(Answers *answers, const sat_Shape *a, const sat_Shape *b) {
  sat_Result result;
  sat_Manifold manifold;
  sat_Distance distance;
  sat_Hit hit;
  take_status(answers, sat_overlaps(a, b, &scratch));
  if (take_status(answers, sat_collide(a, b, &scratch, &result)))
    take_vec2(answers, result.vector), take(answers, result.depth);
  if (take_status(answers, sat_contacts(a, b, &scratch, &manifold)))
    for (uint32_t i = 0; i < manifold.count; i++) take_vec2(answers, manifold.points[i]);
  if (take_status(answers, sat_distance(a, b, &scratch, &distance)))
    take(answers, distance.distance), take_vec2(answers, distance.on_a);
  take_status(answers, sat_contains(a, b, &scratch));
  if (take_status(answers, sat_cast(a, vec2(7, 3), b, &scratch, &hit)))
    take(answers, hit.t), take_vec2(answers, hit.normal);
}

static void ask_one(Answers *answers, const sat_Shape *shape) {
  sat_Hit hit;
  sat_Vec2 center = sat_shape_center(shape);
  sat_Box box = sat_shape_bounds(shape);
  take(answers, sat_shape_area(shape));
  take(answers, sat_shape_bounding_radius(shape));
  take_vec2(answers, box.min);
  take_vec2(answers, box.max);
  take_vec2(answers, sat_shape_support(shape, vec2(1, -2)));
  for (size_t i = 0; i < sat_shape_vertex_count(shape); i++)
    take_vec2(answers, sat_shape_vertex(shape, i));
  for (size_t i = 0; i < sat_shape_piece_count(shape); i++)
    take_vec2(answers, sat_shape_piece_vertex(shape, i, 0));
  take_status(answers, sat_contains_point(shape, center, &scratch));
  if (take_status(answers, sat_raycast(shape, vec2(-40, 3), center, &scratch, &hit)))
    take(answers, hit.t), take_vec2(answers, hit.normal);
}

static size_t pieces_of(const sat_World *world) {
  size_t pieces = 0;
  for (uint32_t slot = 0; slot < world->end; slot++)
    if (sat_world_shape(world, slot)) pieces += sat_shape_piece_count(sat_world_shape(world, slot));
  return pieces;
}

static Answers ask_shapes(const sat_World *world) {
  Answers answers = {1, false};
  bool few = world->count <= MOST_SHAPES && pieces_of(world) <= MOST_PIECES;
  for (uint32_t a = 0; a < world->end; a++) {
    if (!sat_world_shape(world, a)) continue;
    ask_one(&answers, sat_world_shape(world, a));
    for (uint32_t b = 0; few && b < world->end; b++)
      if (sat_world_shape(world, b))
        ask_pair(&answers, sat_world_shape(world, a), sat_world_shape(world, b));
  }
  return answers;
}

/* ---------------------------------------------------------------- queries of a world */

/* The collisions of the enabled shapes, one by one, are twice those of the world, since a
 * collision has two shapes. */
static const char *check_collisions(sat_World *world, Answers *answers) {
  sat_Collisions all = {.allocator = ALLOCATOR}, of_one = {.allocator = ALLOCATOR};
  size_t twice = 0;
  bool asked = sat_world_collisions(world, &all) == SAT_OK;
  for (uint32_t slot = 0; asked && slot < world->end; slot++) {
    const sat_Shape *shape = sat_world_shape(world, slot);
    if (!shape) continue;
    asked = sat_world_collisions_of(world, shape, &of_one) == SAT_OK;
    if (!(shape->flags & SAT_DISABLED)) twice += of_one.count;
  }
  bool agree = twice == 2 * all.count;
  take_bits(answers, all.count);
  SAT_LIST_FREE(&all);
  SAT_LIST_FREE(&of_one);
  REQUIRE(asked);
  REQUIRE(agree);
  return NULL;
}

static void take_items(Answers *answers, sat_Status status, const sat_Items *items) {
  if (!take_status(answers, status)) return;
  for (size_t i = 0; i < items->count; i++) take_bits(answers, items->at[i]);
}

static void ask_lists(sat_World *world, Answers *answers, sat_Items *items) {
  sat_CastHit first;
  sat_NearestHit nearest;
  sat_Shape *shape = sat_world_shape(world, 0);
  sat_Vec2 center = shape ? sat_shape_center(shape) : vec2(0, 0);
  sat_Rectangle box = {-10, -10, 20, 20};
  take_items(answers, sat_world_at(world, center, NULL, items), items);
  take_items(answers, sat_world_query(world, box, NULL, items), items);
  take_items(answers, sat_world_raycast_all(world, vec2(-100, 0), center, NULL, items), items);
  take_items(answers, sat_world_nearest_all(world, center, 5, INFINITY, NULL, items), items);
  if (shape) take_items(answers, sat_world_query_shape(world, shape, items), items);
  if (shape && take_status(answers, sat_world_cast(world, shape, vec2(100, 30), NULL, &first)))
    take_bits(answers, first.other);
  if (take_status(answers, sat_world_raycast(world, vec2(-100, 0), center, NULL, &first)))
    take_bits(answers, first.other);
  if (take_status(answers, sat_world_nearest(world, vec2(1, 2), HUGE_VAL, NULL, &nearest)))
    take_bits(answers, nearest.other);
}

static const char *ask_world(Loaded *loaded, Answers *answers) {
  sat_Items items = {.allocator = ALLOCATOR};
  *answers = ask_shapes(&loaded->world);
  if (pieces_of(&loaded->world) > (size_t)8 * MOST_PIECES) return NULL;
  const char *wrong = check_collisions(&loaded->world, answers);
  ask_lists(&loaded->world, answers, &items);
  SAT_LIST_FREE(&items);
  REQUIRE(!answers->bad);
  return wrong;
}

/* ---------------------------------------------------------------- the same again */

static bool same_block(const sat_Shape *a, const sat_Shape *b) {
  if (!a || !b || a->bytes != b->bytes) return a == b;
  sat_Shape *one = malloc(a->bytes), *other = malloc(b->bytes);
  if (!one || !other) abort();
  sat_shape_copy(one, a);
  sat_shape_copy(other, b);
  bool same = memcmp(one, other, a->bytes) == 0;
  free(one);
  free(other);
  return same;
}

static const char *check_same(Loaded *a, Loaded *b) {
  Answers mine, its;
  uint32_t end = a->world.end > b->world.end ? a->world.end : b->world.end;
  for (uint32_t slot = 0; slot < end; slot++) /* a world may end with free indices */
    REQUIRE(same_block(sat_world_shape(&a->world, slot), sat_world_shape(&b->world, slot)));
  TRY(ask_world(a, &mine));
  TRY(ask_world(b, &its));
  REQUIRE(mine.sum == its.sum);
  return NULL;
}

static void stir(sat_World *world) {
  for (uint32_t slot = 0; slot < world->end; slot++) {
    sat_Shape *shape = sat_world_shape(world, slot);
    if (!shape) continue;
    sat_shape_rotate(shape, 0.5);
    sat_shape_scale(shape, 0.75);
    sat_shape_move(shape, 1, -2);
    sat_shape_flip(shape, slot % 2);
  }
}

static bool is_saved_as(Loaded *loaded, const Bytes *bytes) {
  Bytes again = save(loaded);
  bool same = same_bytes(&again, bytes);
  free(again.at);
  return same;
}

/* Saves a world, and loads the bytes into another world and, after changes, into the same one. */
static const char *go_round(Loaded *loaded, Loaded *other) {
  Bytes bytes = save(loaded);
  const char *wrong = load(other, &bytes) ? "another world refuses the save" : NULL;
  if (!wrong) wrong = check_same(loaded, other);
  stir(&loaded->world);
  if (!wrong && load(loaded, &bytes)) wrong = "the world refuses its own save";
  if (!wrong) wrong = check_same(loaded, other);
  if (!wrong && !is_saved_as(loaded, &bytes)) wrong = "the loaded world is saved in other bytes";
  free(bytes.at);
  return wrong;
}

static const char *check_round(Loaded *loaded) {
  Loaded other;
  start(&other);
  const char *wrong = go_round(loaded, &other);
  sat_world_free(&other.world);
  return wrong;
}

static const char *live_with(Loaded *loaded, const Bytes *bytes) {
  Answers answers;
  REQUIRE(is_saved_as(loaded, bytes));
  TRY(ask_world(loaded, &answers));
  TRY(check_round(loaded));
  if (pieces_of(&loaded->world) <= MOST_PIECES) {
    REQUIRE(sat_world_update(&loaded->world) == SAT_OK);
    REQUIRE(sat_world_separate(&loaded->world, 3, NULL) == SAT_OK);
    REQUIRE(sat_world_update(&loaded->world) == SAT_OK);
  }
  stir(&loaded->world);
  return check_round(loaded);
}

const char *check_loaded(unsigned char *at, size_t size, sat_Status *status) {
  Bytes bytes = {.size = size};
  bytes.at = at;
  Loaded loaded;
  start(&loaded);
  *status = load(&loaded, &bytes);
  const char *wrong = NULL;
  if (*status != SAT_OK && *status != SAT_ESAVED && *status != SAT_EVERSION && *status != SAT_EBASE)
    wrong = "the status is none of those that loading has";
  if (*status != SAT_OK && loaded.world.count > 0) wrong = "a refused save has changed the world";
  if (*status == SAT_OK) wrong = live_with(&loaded, &bytes);
  sat_world_free(&loaded.world);
  free_made();
  sat_scratch_free(&scratch);
  return wrong;
}

/* ---------------------------------------------------------------- deltas */

/* Loads the delta with 0, 1, 2 ... allocations that succeed, until it is loaded or refused. */
static const char *try_delta(Loaded *loaded, const Bytes *delta, sat_Status *status) {
  Bytes before = save(loaded);
  const char *wrong = NULL;
  *status = SAT_ENOMEM;
  for (int fails = 0; *status == SAT_ENOMEM && !wrong; fails++) {
    sat_scratch_free(&scratch);
    sat_scratch_free(&loaded->world.scratch);
    until_fails = fails;
    *status = load(loaded, delta);
    until_fails = -1;
    if (*status && !is_saved_as(loaded, &before)) wrong = "a refused delta has changed the world";
  }
  free(before.at);
  return wrong;
}

/* Saves the loaded world as a delta since the base, changes the world, and loads the delta,
 * which must restore it. */
static const char *check_delta_round(Loaded *loaded) {
  Bytes whole = save(loaded), delta = save_difference(&loaded->world);
  const char *wrong = delta.at ? NULL : "the loaded world has no delta";
  stir(&loaded->world);
  if (!wrong && load(loaded, &delta)) wrong = "the world refuses its own delta";
  if (!wrong && !is_saved_as(loaded, &whole)) wrong = "the delta restores another world";
  free(whole.at);
  free(delta.at);
  return wrong;
}

static const char *live_with_delta(Loaded *loaded) {
  Answers answers;
  TRY(check_delta_round(loaded));
  TRY(ask_world(loaded, &answers));
  TRY(check_delta_round(loaded));
  return check_round(loaded);
}

const char *check_loaded_delta(const ForgedDelta *forged, sat_Status *status) {
  Bytes base = {forged->base, forged->base_size}, delta = {forged->delta, forged->delta_size};
  Loaded loaded;
  const char *wrong = NULL;
  start(&loaded);
  *status = load(&loaded, &base);
  if (!*status) *status = set_base_to(&loaded.world, &base, &scratch);
  if (!*status) {
    stir(&loaded.world);
    wrong = try_delta(&loaded, &delta, status);
    if (!wrong && !*status) wrong = live_with_delta(&loaded);
  }
  if (*status != SAT_OK && *status != SAT_ESAVED && *status != SAT_EVERSION && *status != SAT_EBASE)
    wrong = "the status is none of those that loading has";
  sat_world_free(&loaded.world);
  free_made();
  sat_scratch_free(&scratch);
  return wrong;
}
