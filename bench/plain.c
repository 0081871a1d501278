/* plain.c: the plain pairs of games, each beside a kernel that a game would write for just that
 * pair: doubles, no exactness, no other shape. Pairs meet anywhere, half of them, or touch exactly.
 *
 *   plain [rounds] [row]   the rows whose name has that word
 *
 * Each row has the least of many rounds of both, in turns. A row whose answers differ ends the
 * program. */
#include "common.h"
#include "sat.h"
#include "sat_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 1024, PASSES = 8, CRATES = 32 };

typedef enum Kind { CIRCLE, CAPSULE, BOX, TURNED, HEXAGON } Kind;
typedef enum Mix { ALL, HALF, SIDES, CORNERS } Mix;
typedef enum Question { COLLIDE, OVERLAPS, CONTACTS, DISTANCE } Question;

/* A box, or the core of a circle or capsule, from low to high, as the plain kernels read it. */
typedef struct Plain {
  sat_Vec2 low, high;
  double radius;
} Plain;

typedef struct Pair {
  Plain a, b;
  sat_Shape *shape_a, *shape_b;
} Pair;

typedef struct Answer {
  sat_Vec2 normal, points[2];
  double depth;
} Answer;

static sat_Scratch scratch;

/* ---------------------------------------------------------------- plain kernels */

static inline double dot(sat_Vec2 a, sat_Vec2 b) { return a.x * b.x + a.y * b.y; }
static inline double least(double a, double b) { return a < b ? a : b; }
static inline double most(double a, double b) { return a > b ? a : b; }
static inline double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

/* Two circles at these centres. */
static inline bool plain_round(sat_Vec2 a, sat_Vec2 b, double radii, Answer *answer) {
  sat_Vec2 between = {a.x - b.x, a.y - b.y};
  double square = dot(between, between);
  if (square > radii * radii) return false;
  double distance = sqrt(square);
  answer->normal =
      distance > 0 ? (sat_Vec2){between.x / distance, between.y / distance} : (sat_Vec2){0, -1};
  answer->depth = radii - distance;
  return true;
}

static inline bool plain_circles(const Plain *a, const Plain *b, Answer *answer) {
  return plain_round(a->low, b->low, a->radius + b->radius, answer);
}

/* A capsule and a circle. */
static inline bool plain_capsule(const Plain *a, const Plain *b, Answer *answer) {
  sat_Vec2 along = {a->high.x - a->low.x, a->high.y - a->low.y},
           arm = {b->low.x - a->low.x, b->low.y - a->low.y};
  double t = clamp(dot(arm, along) / dot(along, along), 0, 1);
  sat_Vec2 nearest = {a->low.x + along.x * t, a->low.y + along.y * t};
  return plain_round(nearest, b->low, a->radius + b->radius, answer);
}

/* Ericson, Real-time collision detection, 2005, section 5.1.9. */
static inline bool plain_capsules(const Plain *a, const Plain *b, Answer *answer) {
  sat_Vec2 u = {a->high.x - a->low.x, a->high.y - a->low.y},
           v = {b->high.x - b->low.x, b->high.y - b->low.y},
           r = {a->low.x - b->low.x, a->low.y - b->low.y};
  double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), ur = dot(u, r), vr = dot(v, r);
  double all = uu * vv - uv * uv, s = all != 0 ? clamp((uv * vr - ur * vv) / all, 0, 1) : 0;
  double t = (uv * s + vr) / vv;
  if (t < 0) t = 0, s = clamp(-ur / uu, 0, 1);
  else if (t > 1) t = 1, s = clamp((uv - ur) / uu, 0, 1);
  sat_Vec2 p = {a->low.x + u.x * s, a->low.y + u.y * s},
           q = {b->low.x + v.x * t, b->low.y + v.y * t};
  return plain_round(p, q, a->radius + b->radius, answer);
}

static inline bool plain_boxes_meet(const Plain *a, const Plain *b) {
  return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
         b->low.y <= a->high.y;
}

static inline bool plain_boxes(const Plain *a, const Plain *b, Answer *answer) {
  double left = a->high.x - b->low.x, right = b->high.x - a->low.x, up = a->high.y - b->low.y,
         down = b->high.y - a->low.y;
  if (left < 0 || right < 0 || up < 0 || down < 0) return false;
  double x = left < right ? left : right, y = up < down ? up : down;
  answer->depth = x < y ? x : y;
  answer->normal = x < y ? (sat_Vec2){left < right ? -1 : 1, 0} : (sat_Vec2){0, up < down ? -1 : 1};
  return true;
}

static inline bool plain_box_contacts(const Plain *a, const Plain *b, Answer *answer) {
  if (!plain_boxes(a, b, answer)) return false;
  sat_Vec2 low = {most(a->low.x, b->low.x), most(a->low.y, b->low.y)},
           high = {least(a->high.x, b->high.x), least(a->high.y, b->high.y)};
  answer->points[0] = low;
  answer->points[1] = high;
  if (answer->normal.x != 0) answer->points[1].x = low.x;
  else answer->points[1].y = low.y;
  return true;
}

/* The depth is the distance. */
static inline bool plain_box_distance(const Plain *a, const Plain *b, Answer *answer) {
  double x = most(most(b->low.x - a->high.x, a->low.x - b->high.x), 0),
         y = most(most(b->low.y - a->high.y, a->low.y - b->high.y), 0);
  sat_Vec2 *points = answer->points;
  points[0].x = clamp(b->low.x, a->low.x, a->high.x);
  points[0].y = clamp(b->low.y, a->low.y, a->high.y);
  points[1].x = clamp(points[0].x, b->low.x, b->high.x);
  points[1].y = clamp(points[0].y, b->low.y, b->high.y);
  answer->depth = sqrt(x * x + y * y);
  return true;
}

/* A box and a circle. */
static inline bool plain_box_circle(const Plain *a, const Plain *b, Answer *answer) {
  sat_Vec2 nearest = {clamp(b->low.x, a->low.x, a->high.x), clamp(b->low.y, a->low.y, a->high.y)};
  sat_Vec2 between = {nearest.x - b->low.x, nearest.y - b->low.y};
  double square = dot(between, between);
  if (square > b->radius * b->radius) return false;
  if (square > 0) return plain_round(nearest, b->low, b->radius, answer);
  Plain center = {b->low, b->low, 0};
  plain_boxes(a, &center, answer);
  answer->depth += b->radius;
  return true;
}

typedef struct Tally {
  size_t hits;
  double depths;
} Tally;
typedef Tally Pass(const Pair *pairs);

#define PLAIN_PASS(name, kernel)                                                                   \
  static Tally name(const Pair *pairs) {                                                           \
    static Answer answers[PAIRS]; /* a game would keep them, too */                                \
    Tally tally = {0, 0};                                                                          \
    for (size_t i = 0; i < PAIRS; i++) {                                                           \
      if (!kernel(&pairs[i].a, &pairs[i].b, &answers[i])) continue;                                \
      tally.hits++;                                                                                \
      tally.depths += answers[i].depth;                                                            \
    }                                                                                              \
    return tally;                                                                                  \
  }
PLAIN_PASS(pass_circles, plain_circles)
PLAIN_PASS(pass_capsule, plain_capsule)
PLAIN_PASS(pass_capsules, plain_capsules)
PLAIN_PASS(pass_boxes, plain_boxes)
PLAIN_PASS(pass_box_contacts, plain_box_contacts)
PLAIN_PASS(pass_box_distance, plain_box_distance)
PLAIN_PASS(pass_box_circle, plain_box_circle)

static Tally pass_circles_meet(const Pair *pairs) {
  Tally tally = {0, 0};
  for (size_t i = 0; i < PAIRS; i++) {
    const Plain *a = &pairs[i].a, *b = &pairs[i].b;
    double x = a->low.x - b->low.x, y = a->low.y - b->low.y, radii = a->radius + b->radius;
    tally.hits += x * x + y * y <= radii * radii;
  }
  return tally;
}

static Tally pass_boxes_meet(const Pair *pairs) {
  Tally tally = {0, 0};
  for (size_t i = 0; i < PAIRS; i++) tally.hits += plain_boxes_meet(&pairs[i].a, &pairs[i].b);
  return tally;
}

static Tally pass_box_circle_meet(const Pair *pairs) {
  Tally tally = {0, 0};
  for (size_t i = 0; i < PAIRS; i++) {
    const Plain *a = &pairs[i].a, *b = &pairs[i].b;
    double x = clamp(b->low.x, a->low.x, a->high.x) - b->low.x,
           y = clamp(b->low.y, a->low.y, a->high.y) - b->low.y;
    tally.hits += x * x + y * y <= b->radius * b->radius;
  }
  return tally;
}

/* ---------------------------------------------------------------- ours */

static Tally pass_sat(const Pair *pairs, Question question) {
  Tally tally = {0, 0};
  sat_Result result;
  sat_Manifold manifold;
  sat_Distance distance;
  for (size_t i = 0; i < PAIRS; i++) {
    const sat_Shape *a = pairs[i].shape_a, *b = pairs[i].shape_b;
    if (question == OVERLAPS) {
      tally.hits += sat_overlaps(a, b, &scratch) == SAT_OK;
    } else if (question == COLLIDE && sat_collide(a, b, &scratch, &result) == SAT_OK) {
      tally.hits++;
      tally.depths += result.depth;
    } else if (question == CONTACTS && sat_contacts(a, b, &scratch, &manifold) == SAT_OK) {
      tally.hits++;
      tally.depths += manifold.depth;
    } else if (question == DISTANCE && sat_distance(a, b, &scratch, &distance) == SAT_OK) {
      tally.hits++;
      tally.depths += distance.distance;
    }
  }
  return tally;
}

/* ---------------------------------------------------------------- pairs */

static size_t core_of(Kind kind, const Plain *plain, sat_Vec2 points[6]) {
  sat_Vec2 low = plain->low, high = plain->high;
  double size = high.x - low.x;
  switch (kind) {
  case CIRCLE: points[0] = low; return 1;
  case CAPSULE:
    points[0] = low;
    points[1] = high;
    return 2;
  case HEXAGON:
    for (int i = 0; i < 6; i++) {
      double angle = 1 + i * 1.0471975511965976;
      points[i] = (sat_Vec2){low.x + size * cos(angle), low.y + size * sin(angle)};
    }
    return 6;
  default:
    points[0] = low;
    points[1] = (sat_Vec2){high.x, low.y};
    points[2] = high;
    points[3] = (sat_Vec2){low.x, high.y};
    return 4;
  }
}

static sat_Shape *shape_of(Kind kind, const Plain *plain, uint64_t *state) {
  sat_Vec2 points[6];
  size_t count = core_of(kind, plain, points);
  sat_Shape *shape = bench_allocate(1, sat_shape_bytes(count));
  bench_check(sat_shape_init(shape, points, count, plain->radius));
  if (kind == TURNED) bench_check(sat_shape_rotate(shape, bench_between(state, 0.1, 1.4)));
  return shape;
}

/* Whole numbers where shapes touch. */
static Plain plain_of(Kind kind, sat_Vec2 at, bool whole, uint64_t *state) {
  double w = bench_between(state, 1, 5), h = bench_between(state, 1, 5);
  if (whole) w = floor(w), h = floor(h);
  Plain plain = {at, {at.x + w, at.y + h}, 0};
  if (kind == CIRCLE) plain = (Plain){at, at, w / 2};
  if (kind == CAPSULE) plain.radius = whole ? 1 : bench_between(state, 0.3, 1);
  if (kind == CAPSULE && bench_next_bits(state) >> 63) {
    plain.low.y = at.y + h;
    plain.high.y = at.y;
  }
  return plain;
}

/* B to the right of A: along a part of its side, or at its lower corner; a circle in the middle of
 * the side. */
static Plain put_beside(Kind kind, Plain b, const Plain *a, bool at_corner) {
  double x = a->high.x + a->radius + b.radius - b.low.x, y = at_corner ? a->high.y - b.low.y : 0;
  if (kind == CIRCLE) y = floor((a->low.y + a->high.y) / 2) - b.low.y;
  return (Plain){{b.low.x + x, b.low.y + y}, {b.high.x + x, b.high.y + y}, b.radius};
}

static void make_pair(Pair *pair, Kind of_a, Kind of_b, Mix mix, bool hit, uint64_t *state) {
  bool touches = mix == SIDES || mix == CORNERS;
  for (;;) {
    sat_Vec2 at = {bench_between(state, -50, 50), bench_between(state, -50, 50)};
    if (touches) at = (sat_Vec2){floor(at.x), floor(at.y)};
    pair->a = plain_of(of_a, at, touches, state);
    sat_Vec2 near = {at.x + bench_between(state, -7, 7), at.y + bench_between(state, -7, 7)};
    pair->b = plain_of(of_b, touches ? at : near, touches, state);
    if (touches) pair->b = put_beside(of_b, pair->b, &pair->a, mix == CORNERS);
    pair->shape_a = shape_of(of_a, &pair->a, state);
    pair->shape_b = shape_of(of_b, &pair->b, state);
    if (touches || (sat_overlaps(pair->shape_a, pair->shape_b, &scratch) == SAT_OK) == hit) return;
    free(pair->shape_a);
    free(pair->shape_b);
  }
}

/* ---------------------------------------------------------------- rows */

typedef struct Row {
  const char *name;
  Kind a, b;
  Mix mix;
  Question question;
  Pass *plain; /* NULL: see narrowphase.c */
} Row;

static const Row rows[] = {
    {"circles, all meet", CIRCLE, CIRCLE, ALL, COLLIDE, pass_circles},
    {"circles, half meet", CIRCLE, CIRCLE, HALF, COLLIDE, pass_circles},
    {"circles: overlaps", CIRCLE, CIRCLE, HALF, OVERLAPS, pass_circles_meet},
    {"circles: contacts", CIRCLE, CIRCLE, ALL, CONTACTS, pass_circles},
    {"capsule and circle, all meet", CAPSULE, CIRCLE, ALL, COLLIDE, pass_capsule},
    {"capsule and circle, half", CAPSULE, CIRCLE, HALF, COLLIDE, pass_capsule},
    {"capsules, all meet", CAPSULE, CAPSULE, ALL, COLLIDE, pass_capsules},
    {"capsules, half meet", CAPSULE, CAPSULE, HALF, COLLIDE, pass_capsules},
    {"upright boxes, all meet", BOX, BOX, ALL, COLLIDE, pass_boxes},
    {"upright boxes, half meet", BOX, BOX, HALF, COLLIDE, pass_boxes},
    {"upright boxes: overlaps", BOX, BOX, HALF, OVERLAPS, pass_boxes_meet},
    {"upright boxes: contacts", BOX, BOX, ALL, CONTACTS, pass_box_contacts},
    {"box and circle, all meet", BOX, CIRCLE, ALL, COLLIDE, pass_box_circle},
    {"box and circle, half meet", BOX, CIRCLE, HALF, COLLIDE, pass_box_circle},
    {"box and circle: overlaps", BOX, CIRCLE, HALF, OVERLAPS, pass_box_circle_meet},
    {"side by side", BOX, BOX, SIDES, COLLIDE, pass_boxes},
    {"side by side: overlaps", BOX, BOX, SIDES, OVERLAPS, pass_boxes_meet},
    {"side by side: contacts", BOX, BOX, SIDES, CONTACTS, pass_box_contacts},
    {"side by side: distance", BOX, BOX, SIDES, DISTANCE, pass_box_distance},
    {"corner to corner", BOX, BOX, CORNERS, COLLIDE, pass_boxes},
    {"corner to corner: overlaps", BOX, BOX, CORNERS, OVERLAPS, pass_boxes_meet},
    {"circle beside a box", BOX, CIRCLE, SIDES, COLLIDE, pass_box_circle},
    {"circle beside a circle", CIRCLE, CIRCLE, SIDES, COLLIDE, pass_circles},
    {"turned boxes, all meet", TURNED, TURNED, ALL, COLLIDE, NULL},
    {"turned boxes, half meet", TURNED, TURNED, HALF, COLLIDE, NULL},
    {"turned boxes: overlaps", TURNED, TURNED, HALF, OVERLAPS, NULL},
    {"turned boxes: contacts", TURNED, TURNED, ALL, CONTACTS, NULL},
    {"hexagons, all meet", HEXAGON, HEXAGON, ALL, COLLIDE, NULL},
    {"hexagons: contacts", HEXAGON, HEXAGON, ALL, CONTACTS, NULL},
};

/* The plain kernel takes crossing capsules for no deeper than their radii. */
static void compare(const Row *row, const Pair *pairs) {
  Tally plain = row->plain(pairs), sat = pass_sat(pairs, row->question);
  bool crossing = row->a == CAPSULE && row->b == CAPSULE;
  if (plain.hits == sat.hits &&
      (crossing || row->question == OVERLAPS || fabs(plain.depths - sat.depths) <= 1e-6))
    return;
  fprintf(stderr, "%s: %zu of ours meet, %.12g deep, of the plain ones %zu, %.12g\n", row->name,
          sat.hits, sat.depths, plain.hits, plain.depths);
  exit(1);
}

static double time_of(const Row *row, const Pair *pairs, bool plain) {
  static volatile double sink;
  double start = bench_wall_now();
  for (int i = 0; i < PASSES; i++) {
    Tally tally = plain ? row->plain(pairs) : pass_sat(pairs, row->question);
    sink = tally.depths + (double)tally.hits;
  }
  (void)sink;
  return (bench_wall_now() - start) / (PASSES * PAIRS);
}

static void measure_row(const Row *row, int rounds) {
  static Pair pairs[PAIRS];
  uint64_t state = 7;
  double least[2] = {HUGE_VAL, HUGE_VAL};
  for (size_t i = 0; i < PAIRS; i++)
    make_pair(&pairs[i], row->a, row->b, row->mix,
              row->mix != HALF || bench_next_bits(&state) >> 63, &state);
  if (row->plain) compare(row, pairs);
  for (int round = 0; round < rounds; round++)
    for (int plain = 0; plain < 1 + (row->plain != NULL); plain++)
      least[plain] = fmin(least[plain], time_of(row, pairs, plain));
  if (row->plain)
    printf("%-28s %7.1f %7.1f %7.2f\n", row->name, least[0], least[1], least[0] / least[1]);
  else printf("%-28s %7.1f\n", row->name, least[0]);
  for (size_t i = 0; i < PAIRS; i++) {
    free(pairs[i].shape_a);
    free(pairs[i].shape_b);
  }
}

/* ---------------------------------------------------------------- crates in a world */

static Tally plain_crates(Plain crates[CRATES + 1][CRATES + 2]) {
  static const int others[4][2] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}};
  Tally tally = {0, 0};
  for (int y = 0; y < CRATES; y++) {
    for (int x = 1; x <= CRATES; x++) {
      for (int k = 0; k < 4; k++) {
        Answer answer;
        const Plain *other = &crates[y + others[k][0]][x + others[k][1]];
        if (!plain_boxes(&crates[y][x], other, &answer)) continue;
        tally.hits++;
        tally.depths += answer.depth;
      }
    }
  }
  return tally;
}

/* Crates in rows, each `pitch` from the last, which all move in each round. The plain kernel knows
 * that only neighbours of the grid may meet. */
static void measure_crates(const char *name, double pitch, int rounds) {
  static Plain crates[CRATES + 1][CRATES + 2];
  static sat_Shape *shapes[CRATES * CRATES];
  sat_Allocator allocator = {bench_reallocate, NULL};
  sat_World *world = bench_allocate(1, sat_world_size());
  sat_ChangeList changes;
  sat_Collisions found = {NULL, 0, 0, allocator};
  double least[2] = {HUGE_VAL, HUGE_VAL};
  Tally tally = {0, 0};
  sat_world_init(world, allocator, &changes);
  for (int y = 0; y <= CRATES; y++) {
    for (int x = 0; x <= CRATES + 1; x++) {
      bool is_there = y < CRATES && x > 0 && x <= CRATES;
      sat_Vec2 low = is_there ? (sat_Vec2){x * pitch, y * pitch} : (sat_Vec2){-9, -9};
      crates[y][x] = (Plain){low, {low.x + 16, low.y + 16}, 0};
      if (!is_there) crates[y][x].high = low;
      else
        bench_check(
            sat_world_add(world, shapes[y * CRATES + x - 1] = shape_of(BOX, &crates[y][x], NULL)));
    }
  }
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < CRATES * CRATES; i++)
      bench_check(sat_shape_move(shapes[i], round % 2 ? -1 : 1, 0));
    double start = bench_wall_now();
    bench_check(sat_world_collisions(world, &found));
    double middle = bench_wall_now();
    tally = plain_crates(crates);
    least[0] = fmin(least[0], (middle - start) / (CRATES * CRATES));
    least[1] = fmin(least[1], (bench_wall_now() - middle) / (CRATES * CRATES));
  }
  printf("%-28s %7.1f %7.1f %7.2f\n", name, least[0], least[1], least[0] / least[1]);
  if (tally.hits != found.count) exit(1);
  SAT_LIST_FREE(&found);
  sat_world_free(world);
  free(world);
  for (int i = 0; i < CRATES * CRATES; i++) free(shapes[i]);
}

int main(int count, char **arguments) {
  int rounds = count > 1 ? (int)strtol(arguments[1], NULL, 10) : 200;
  scratch = sat_scratch_make((sat_Allocator){bench_reallocate, NULL});
  printf("ns a pair, the least of %d rounds\n%-28s %7s %7s %7s\n", rounds, "", "sat", "plain",
         "ratio");
  const char *word = count > 2 ? arguments[2] : "";
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strstr(rows[i].name, word)) measure_row(&rows[i], rounds);
  if (strstr("crates", word)) {
    measure_crates("crates, each, gaps of 0", 16, rounds);
    measure_crates("crates, each, some overlap", 15.5, rounds);
  }
  sat_scratch_free(&scratch);
  return 0;
}
