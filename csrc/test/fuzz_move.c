/* fuzz_move.c: any bytes as a world and steps in it: shapes are added, changed and removed, move
 * with every response and by answers, and are carried, while allocations fail.
 *
 * Most coordinates are multiples of 1, 16, 17.3 or 0.7, so that shared edges and gaps of exactly
 * a mover's width are common; some shapes are rotated. `make fuzz` builds this file with
 * libFuzzer. */
#include "test/bytes.h"
#include "test/oracle.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_SHAPES = 20, MOST_STEPS = 60, MOST_MEMBERS = 4, POINTS = 4 };

static _Noreturn void stop(const char *condition, int line) {
  fprintf(stderr, "line %d: %s\n", line, condition);
  abort();
}

#define MUST(condition)                                                                            \
  do {                                                                                             \
    if (!(condition)) stop(#condition, __LINE__);                                                  \
  } while (0)

typedef struct Play {
  Bytes bytes;
  double unit;
  sat_World world;
  sat_ChangeList changes;
  sat_Shape *shapes[MOST_SHAPES];
  bool added[MOST_SHAPES];
  int until_fails; /* allocations that still succeed; below 0 all do */
  size_t taken;    /* bytes allocated and not freed */
} Play;

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  Play *play = context;
  if (size && play->until_fails == 0) return NULL;
  if (size && play->until_fails > 0) play->until_fails--;
  play->taken += size - old_size;
  if (size) return realloc(block, size);
  free(block);
  return NULL;
}

/* ---------------------------------------------------------------- shapes */

static double next_number(Play *play) {
  return ((double)(next_byte(&play->bytes) % 33) - 16) * play->unit;
}

static sat_Vec2 next_point(Play *play) {
  double x = next_number(play);
  return vec2(x, next_number(play));
}

static sat_Shape *make_convex(const sat_Vec2 *points, size_t count, double radius) {
  sat_Shape *shape = malloc(sat_shape_bytes(count));
  MUST(shape != NULL);
  if (sat_shape_init(shape, points, count, radius) == SAT_OK) return shape;
  free(shape);
  return NULL;
}

/* A box in most cases, else a hull, circle, capsule, segment or point. Returns NULL if the bytes
 * make no shape. */
static sat_Shape *read_convex(Play *play) {
  sat_Vec2 points[POINTS];
  unsigned choice = next_byte(&play->bytes) % 16;
  size_t count = choice < 10 ? 4 : choice < 12 ? POINTS : choice % 2 + 1;
  for (size_t i = 0; i < count; i++) points[i] = next_point(play);
  if (choice < 10) {
    double size = (1 + choice % 4) * play->unit;
    points[1] = add(points[0], vec2(size, 0));
    points[2] = add(points[0], vec2(size, choice < 5 ? size : play->unit));
    points[3] = vec2(points[0].x, points[2].y);
  } else if (choice < 12 && sat_hull(points, &count, test_scratch(), NULL)) {
    return NULL;
  }
  return make_convex(points, count, choice == 9 || choice >= 14 ? play->unit / 2 : 0);
}

/* A compound of a few convex shapes. Returns NULL if the bytes make none. */
static sat_Shape *read_composite(Play *play) {
  sat_Shape *members[MOST_MEMBERS];
  size_t count = 0, wanted = 1 + next_byte(&play->bytes) % MOST_MEMBERS;
  for (size_t i = 0; i < wanted; i++)
    if ((members[count] = read_convex(play)) != NULL) count++;
  size_t size = sat_compound_bytes((const sat_Shape *const *)members, count);
  sat_Shape *shape = count && size ? malloc(size) : NULL;
  if (shape && sat_compound_init(shape, (const sat_Shape *const *)members, count)) {
    free(shape);
    shape = NULL;
  }
  for (size_t i = 0; i < count; i++) free(members[i]);
  return shape;
}

static void change_flags(Play *play, sat_Shape *shape) {
  unsigned flags = next_byte(&play->bytes);
  sat_shape_set_static(shape, flags % 3 == 0);
  sat_shape_set_sensor(shape, flags % 11 == 0);
  sat_shape_set_enabled(shape, flags % 13 != 0);
  if (flags % 7 == 0) sat_shape_set_one_way(shape, next_point(play));
}

/* A change that fails leaves the shape as it was, so that its status does not matter. */
static void change_shape(Play *play, sat_Shape *shape) {
  sat_Vec2 to;
  switch (next_byte(&play->bytes) % 8) {
  case 0: to = next_point(play), sat_shape_move_to(shape, to.x, to.y); break;
  case 1: to = next_point(play), sat_shape_move(shape, to.x / 8, to.y / 8); break;
  case 2: sat_shape_rotate(shape, next_byte(&play->bytes) % 8 * 0.3); break;
  case 3: sat_shape_set_rotation(shape, next_byte(&play->bytes) % 4 * 1.5707963267948966); break;
  case 4: sat_shape_scale(shape, ldexp(1, (int)(next_byte(&play->bytes) % 3) - 1)); break;
  case 5: sat_shape_flip(shape, true); break;
  case 6: sat_shape_set_radius(shape, next_byte(&play->bytes) % 3 * play->unit / 2); break;
  default: change_flags(play, shape); break;
  }
}

static void remove_shape(Play *play, size_t at) {
  if (!play->shapes[at]) return;
  if (play->added[at]) sat_world_remove(&play->world, play->shapes[at]);
  free(play->shapes[at]);
  play->shapes[at] = NULL;
  play->added[at] = false;
}

static void replace_shape(Play *play, size_t at) {
  unsigned choice = next_byte(&play->bytes);
  remove_shape(play, at);
  sat_Shape *shape = choice % 4 == 0 ? read_composite(play) : read_convex(play);
  play->shapes[at] = shape;
  if (!shape || choice % 16 == 1) return; /* a shape may move through a world without being in it */
  sat_Status status = sat_world_add(&play->world, shape);
  MUST(status == SAT_OK || status == SAT_ENOMEM || status == SAT_ERANGE);
  play->added[at] = status == SAT_OK;
}

/* ---------------------------------------------------------------- moves */

static sat_Response next_response(Play *play) {
  return (sat_Response)(next_byte(&play->bytes) % (SAT_IGNORE + 1));
}

static sat_Status move_by_answers(Play *play, sat_Shape *shape, sat_Vec2 motion,
                                  sat_MoveResult *result) {
  bool asked[MOST_SHAPES] = {false};
  sat_MoveHit question;
  sat_Status status = sat_world_move_begin(&play->world, shape, motion, SAT_ASK);
  if (status) return status;
  while ((status = sat_world_run(&play->world, &question)) == SAT_MISS) {
    MUST(question.other < MOST_SHAPES && !asked[question.other]);
    asked[question.other] = true;
    sat_world_answer(&play->world, question.other, next_response(play));
  }
  if (!status) *result = sat_world_move_end(&play->world, false);
  return status;
}

static void check_hits(const Play *play, const sat_MoveResult *result) {
  const sat_MoveHits *hits = sat_world_hits(&play->world);
  double last = 0;
  MUST(hits->count == result->count);
  for (size_t i = 0; i < hits->count; i++) {
    const sat_MoveHit *hit = &hits->at[i];
    double size = length(hit->normal);
    MUST(hit->t >= last && hit->t <= 1);
    MUST(hit->how == SAT_STUCK || hit->how == SAT_CROSS || fabs(size - 1) < 1e-9);
    last = hit->t;
  }
}

/* Moves a shape, and requires the result that sat_world_check has predicted. */
static sat_Status move_as_checked(Play *play, sat_Shape *shape, sat_Vec2 motion,
                                  sat_MoveResult *result) {
  sat_MoveResult checked;
  sat_Response response = (sat_Response)(next_byte(&play->bytes) % (SAT_CROSS + 1));
  sat_SavedPosition before = sat_shape_position(shape);
  sat_Status status = sat_world_check(&play->world, shape, motion, response, &checked);
  sat_SavedPosition after = sat_shape_position(shape);
  MUST(memcmp(&before, &after, sizeof before) == 0);
  if (status) return status;
  status = sat_world_move(&play->world, shape, motion, response, result);
  if (status) return status;
  MUST(memcmp(&checked, result, sizeof checked) == 0);
  if (result->count == 0) { /* without a hit the shape makes the whole motion, but for rounding */
    sat_Vec2 made = sub(result->centroid, before.centroid);
    MUST(length(sub(made, motion)) <= 1e-7 * play->unit);
  }
  if (response == SAT_SLIDE && (result->count == 0 || sat_world_hits(&play->world)->at[0].t > 0)) {
    double way = length(sub(result->centroid, before.centroid)), asked = length(motion);
    MUST(way <= asked * (1 + 1e-9) + 1e-7 * play->unit);
  }
  return SAT_OK;
}

static void move_shape(Play *play, sat_Shape *shape, bool by_answers) {
  sat_Vec2 motion = next_point(play);
  sat_MoveResult result;
  if (next_byte(&play->bytes) % 2) motion = mul(motion, 1.0 / 7);
  sat_Status status = by_answers ? move_by_answers(play, shape, motion, &result)
                                 : move_as_checked(play, shape, motion, &result);
  MUST(status == SAT_OK || status == SAT_ERANGE ||
       (status == SAT_ENOMEM && play->until_fails == 0));
  MUST(!sat_shape_is_locked(shape) && !sat_world_is_locked(&play->world));
  if (status == SAT_OK) check_hits(play, &result);
}

static void ask_world(Play *play, sat_Shape *shape) {
  sat_Result way;
  sat_CastHit first;
  sat_CarryResult carried;
  sat_Status status = SAT_OK;
  switch (next_byte(&play->bytes) % 4) {
  case 0: status = sat_world_collide(&play->world, shape, &way); break;
  case 1: status = sat_world_cast(&play->world, shape, next_point(play), NULL, &first); break;
  case 2: status = sat_world_update(&play->world); break;
  default: {
    sat_Vec2 vector = mul(next_point(play), 1.0 / 4);
    double angle = next_byte(&play->bytes) % 3 * 0.1;
    status = sat_world_carry(&play->world, shape, vector, angle, vec2(0, -1), &carried);
  }
  }
  MUST(status <= SAT_MISS || status == SAT_ERANGE ||
       (status == SAT_ENOMEM && play->until_fails == 0));
}

static void run_step(Play *play) {
  unsigned choice = next_byte(&play->bytes);
  size_t at = next_byte(&play->bytes) % MOST_SHAPES;
  sat_Shape *shape = play->shapes[at];
  if (choice % 64 == 63) play->until_fails = (int)(next_byte(&play->bytes) % 8);
  else if (choice % 64 == 62) play->until_fails = -1;
  else if (!shape || choice % 8 == 0) replace_shape(play, at);
  else if (choice % 8 == 1) change_shape(play, shape);
  else if (choice % 8 == 2) ask_world(play, shape);
  else move_shape(play, shape, choice % 8 == 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Play play;
  play = (Play){.bytes = {data, size}, .until_fails = -1};
  play.unit = ((const double[]){1, 16, 17.3, 0.7})[next_byte(&play.bytes) % 4];
  sat_world_init(&play.world, (sat_Allocator){allocate, &play}, &play.changes);
  for (int i = 0; i < MOST_STEPS && play.bytes.left > 0; i++) run_step(&play);
  for (size_t i = 0; i < MOST_SHAPES; i++) remove_shape(&play, i);
  sat_world_free(&play.world);
  MUST(play.taken == 0);
  return 0;
}
