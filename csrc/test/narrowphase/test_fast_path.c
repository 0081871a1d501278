/* test_fast_path.c: the fast path answers as the general path does, bit for bit, on every
 * instruction set. */
#include "test/oracle.h"

#include "narrowphase/convex/simd/fast_path.h"

#include <string.h>

/* Whether two results are the same bits: the sign of a zero counts. */
static bool same_bits(const sat_Result *a, const sat_Result *b) {
  return memcmp(&a->vector, &b->vector, sizeof a->vector) == 0 &&
         memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 &&
         memcmp(&a->depth, &b->depth, sizeof a->depth) == 0 && a->side == b->side &&
         a->edge == b->edge && a->corner == b->corner;
}

static bool same_scan(sat_SeparationScan a, sat_SeparationScan b) {
  return a.max_separation == b.max_separation && a.second == b.second && a.edge == b.edge;
}

/* The verdicts, and the distances that the kernels have told. */
enum { TOLD = SAT_OVERLAP + 1 };

/* The kernels of one instruction set, by the kinds of pairs as in collide.c. */
typedef struct Kernels {
  sat_Status (*collide)(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
  sat_Verdict (*touch)(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
  sat_Status (*overlap)(const sat_Shape *a, const sat_Shape *b);
  sat_Verdict (*distance)(const sat_Shape *a, const sat_Shape *b, sat_Distance *result);
  sat_SeparationScan (*scan)(const sat_Convex *own, const sat_Convex *other, sat_Vec2 origin_offset,
                             double threshold);
  sat_SeparationScan (*calipers)(const sat_Convex *own, const sat_Convex *other,
                                 sat_Vec2 origin_offset, double threshold);
} Kernels;

#define INSTRUCTION_SET(name, ending)                                                              \
  static sat_Status collide_##name(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {   \
    switch (sat_pair_kind(a, b)) {                                                                 \
    case SAT_POLYGONS: return sat_polygons_collide##ending(a, b, result);                          \
    case SAT_ROUNDED_SHAPES: return sat_rounded_collide##ending(a, b, result);                     \
    default: return sat_collide(a, b, test_scratch(), result);                                     \
    }                                                                                              \
  }                                                                                                \
  static sat_Verdict touch_##name(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {    \
    switch (sat_pair_kind(a, b)) {                                                                 \
    case SAT_POLYGONS: return sat_polygons_touch##ending(a, b, result);                            \
    case SAT_ROUNDED_SHAPES: return sat_rounded_touch##ending(a, b, result);                       \
    default: return SAT_UNDECIDED;                                                                 \
    }                                                                                              \
  }                                                                                                \
  static sat_Status overlap_##name(const sat_Shape *a, const sat_Shape *b) {                       \
    switch (sat_pair_kind(a, b)) {                                                                 \
    case SAT_POLYGONS: return sat_polygons_overlap##ending(a, b);                                  \
    case SAT_ROUNDED_SHAPES: return sat_rounded_overlap##ending(a, b);                             \
    default: return sat_overlaps(a, b, test_scratch());                                            \
    }                                                                                              \
  }                                                                                                \
  static const Kernels name = {collide_##name,         touch_##name,                               \
                               overlap_##name,         sat_few_distance##ending,                   \
                               sat_scan_edges##ending, sat_calipers_edges##ending};
INSTRUCTION_SET(baseline, _baseline)
INSTRUCTION_SET(best, )

static bool same_points(const sat_Distance *a, const sat_Distance *b) {
  return memcmp(&a->distance, &b->distance, sizeof a->distance) == 0 &&
         memcmp(&a->on_a, &b->on_a, sizeof a->on_a) == 0 &&
         memcmp(&a->on_b, &b->on_b, sizeof a->on_b) == 0;
}

/* Returns whether the kernel has told the distance. */
static bool check_distance(const Scene *scene, const Kernels *kernels) {
  const sat_Shape *a = scene->a, *b = scene->b;
  double radius[2] = {a->radius, b->radius}, l1_bound[2] = {a->l1_bound, b->l1_bound};
  sat_Pair pair = sat_convex_pair(a, b);
  sat_Distance quick, general = sat_convex_distance(&pair, radius, l1_bound);
  if (!sat_are_few(a, b) || kernels->distance(a, b, &quick) != SAT_SEPARATE) return false;
  CHECK_SCENE(scene, same_points(&quick, &general));
  return true;
}

static void check_kernels(const Scene *scene, const Kernels *kernels, uint64_t answers[TOLD + 1]) {
  sat_Result quick = {.depth = 0}, general = quick, touch = quick;
  sat_Status status = kernels->collide(scene->a, scene->b, &quick),
             wanted = sat_convex_collide(scene->a, scene->b, &general);
  sat_Verdict verdict = kernels->touch(scene->a, scene->b, &touch);
  answers[verdict]++;
  CHECK_SCENE(scene, status == wanted && same_bits(&quick, &general));
  CHECK_SCENE(scene, kernels->overlap(scene->a, scene->b) == wanted);
  CHECK_SCENE(scene, verdict == SAT_UNDECIDED || (verdict == SAT_OVERLAP) == (wanted == SAT_OK));
  CHECK_SCENE(scene, verdict != SAT_OVERLAP || same_bits(&touch, &general));
}

/* The separation of one edge by its definition, with the sums in the order of the kernels. */
static double plain_separation(const sat_Convex *own, uint32_t edge, const sat_Convex *other,
                               sat_Vec2 origin_offset) {
  sat_Vec2 normal = normal_of(own->edges, edge);
  double least = dot(normal, other->vertex[0]);
  for (uint32_t i = 1; i < other->count; i++) least = min2(dot(normal, other->vertex[i]), least);
  return (dot(normal, origin_offset) - offset_of(own->edges, edge)) + least;
}

/* The scan by its definition. A kernel takes four edges at a time, after which the search may
 * end. */
static sat_SeparationScan plain_scan(const sat_Convex *own, const sat_Convex *other,
                                     sat_Vec2 origin_offset, double threshold) {
  sat_SeparationScan scan = SAT_NOTHING_SCANNED;
  for (uint32_t i = 0; i < own->count; i++) {
    double separation = plain_separation(own, i, other, origin_offset);
    scan.second = max2(scan.second, min2(separation, scan.max_separation));
    if (separation > scan.max_separation) scan.edge = i;
    scan.max_separation = max2(separation, scan.max_separation);
    if (i % 4 == 3 && scan.max_separation > threshold) break;
  }
  return scan;
}

/* Where rounding hides the next vertex, the calipers find a separation that is larger within
 * rounding. So one search may end at an edge past which another one goes on. */
static void check_calipers(const Scene *scene, sat_SeparationScan calipers,
                           sat_SeparationScan plain, double threshold, double error_bound) {
  if (calipers.max_separation > threshold || plain.max_separation > threshold) {
    CHECK_SCENE(scene, calipers.max_separation > threshold - error_bound);
    CHECK_SCENE(scene, plain.max_separation > threshold - error_bound);
  } else {
    CHECK_SCENE(scene, fabs(plain.max_separation - calipers.max_separation) <= error_bound);
    CHECK_SCENE(scene, fabs(plain.second - calipers.second) <= error_bound);
  }
}

/* The scan has the bits of its definition, and the calipers the same in all instruction sets. */
static void check_scans(const Scene *scene, const Kernels *kernels) {
  sat_Pair pair = sat_convex_pair(scene->a, scene->b);
  for (int side = 0; side < 2; side++) {
    const sat_Convex *own = &pair.of[side], *other = &pair.of[!side];
    if (own->count < 2) continue;
    sat_Vec2 origin_offset = pair.origin_offset[side];
    double separate[2] = {HUGE_VAL, 0};
    for (int i = 0; i < 2; i++) {
      sat_SeparationScan plain = plain_scan(own, other, origin_offset, separate[i]),
                         scan = kernels->scan(own, other, origin_offset, separate[i]),
                         calipers = kernels->calipers(own, other, origin_offset, separate[i]);
      CHECK_SCENE(scene, same_scan(scan, plain));
      CHECK_SCENE(scene, same_scan(calipers, sat_calipers_edges_baseline(own, other, origin_offset,
                                                                         separate[i])));
      check_calipers(scene, calipers, plain, separate[i], pair.error_bound);
      CHECK_SCENE(scene, fabs(plain_separation(own, calipers.edge, other, origin_offset) -
                              calipers.max_separation) <= pair.error_bound);
    }
  }
}

static void check_instruction_sets(const Scene *scene, uint64_t answers[TOLD + 1]) {
  check_kernels(scene, &baseline, answers);
  check_kernels(scene, &best, answers);
  answers[TOLD] += check_distance(scene, &baseline);
  answers[TOLD] += check_distance(scene, &best);
  check_scans(scene, &baseline);
  check_scans(scene, &best);
}

TEST(every_instruction_set_answers_as_the_general_path_does) {
  uint64_t answers[TOLD + 1] = {0};
  for (Scene scene = {0}; scene_next(&scene, rounds(20000));) {
    check_instruction_sets(&scene, answers);
  }
  assert_true(answers[SAT_SEPARATE] > rounds(20000) / 10 &&
              answers[SAT_OVERLAP] > rounds(20000) / 10);
}

/* In these scenes another edge is about to have the maximum separation, or the overlap is about to
 * end. */
TEST(many_near_touches_and_ties_are_left_undecided) {
  uint64_t answers[TOLD + 1] = {0};
  for (Scene scene = {0}; scene_next(&scene, rounds(20000));) {
    scene_bring_to_touch(&scene);
    check_instruction_sets(&scene, answers);
  }
  assert_true(answers[SAT_UNDECIDED] > rounds(20000) / 10);
}

/* ---------------------------------------------------------------- rounded shapes */

static size_t random_core(Random *random, sat_Vec2 *points) {
  switch (random_integer(random, 0, 9)) {
  case 0: points[0] = vec2((double)random_integer(random, -3, 3), 0); return 1;
  case 1:
    points[0] = vec2((double)random_integer(random, -3, 0), 0);
    points[1] = vec2((double)random_integer(random, 1, 3), 1);
    return 2;
  case 2:
  case 3: return random_hard_polygon(random, points);
  case 4:
  case 5: /* a rectangle */
    points[0] = vec2(0, 0);
    points[1] = vec2((double)random_integer(random, 1, 4), 0);
    points[2] = vec2(points[1].x, (double)random_integer(random, 1, 4));
    points[3] = vec2(0, points[2].y);
    return 4;
  default: return random_whole_polygon(random, 4, (size_t)random_integer(random, 3, 12), points);
  }
}

static double random_rounding(Random *random) {
  switch (random_integer(random, 0, 6)) {
  case 0: return 0;
  case 1: return 1e-9;
  case 2: return random_real(random, 0, 2);
  case 3: return 0.1;
  default: return (double)random_integer(random, 1, 3);
  }
}

static sat_Shape *random_rounded_shape(Random *random) {
  sat_Vec2 points[MOST_VERTICES];
  size_t count = random_core(random, points);
  sat_Shape *shape = shape_make(points, count, random_rounding(random));
  if (random_integer(random, 0, 2) == 0) sat_shape_rotate(shape, random_real(random, -4, 4));
  return shape;
}

/* Puts B beside A: the box of B begins where the box of A ends, exactly or but for a hair, or
 * overlaps it. */
static void put_beside(Random *random, const sat_Shape *a, sat_Shape *b) {
  static const double overlaps[] = {0, 0, 0x1p-50, -0x1p-50, 1e-9, 0.5, 1, 2};
  sat_Box box_a = sat_shape_bounds(a), box_b = sat_shape_bounds(b);
  double overlap = overlaps[random_integer(random, 0, 7)];
  double along = (double)random_integer(random, -2, 2);
  if (random_integer(random, 0, 1)) {
    sat_shape_move(b, box_a.max.x - box_b.min.x - overlap, along);
  } else {
    sat_shape_move(b, along, box_a.max.y - box_b.min.y - overlap);
  }
}

static void make_rounded_scene(Scene *scene, uint64_t seed) {
  Random random = {seed};
  *scene = (Scene){.seed = seed, .unit = 1};
  scene->a = random_rounded_shape(&random);
  scene->b = random_rounded_shape(&random);
  switch (random_integer(&random, 0, 3)) {
  case 0: put_beside(&random, scene->a, scene->b); break;
  case 1: put_beside(&random, scene->b, scene->a); break;
  case 2: scene_bring_to_touch(scene); break;
  default:
    sat_shape_move(scene->a, (double)random_integer(&random, -4, 4),
                   (double)random_integer(&random, -4, 4));
  }
  if (random_integer(&random, 0, 9) == 0) {
    sat_shape_move(scene->a, 1e7, -1e6);
    sat_shape_move(scene->b, 1e7, -1e6);
  }
}

/* The scenes have nearly straight vertices, exact touches, tiny and large radii, capsules and
 * points. */
TEST(rounded_shapes_have_the_bits_of_the_general_path) {
  uint64_t answers[TOLD + 1] = {0}, touches = 0;
  for (uint64_t seed = 1; seed <= rounds(40000); seed++) {
    Scene scene;
    sat_Result result;
    make_rounded_scene(&scene, seed);
    check_instruction_sets(&scene, answers);
    touches += sat_convex_collide(scene.a, scene.b, &result) == SAT_OK && result.depth == 0;
    scene_free(&scene);
  }
  assert_true(touches > rounds(40000) / 40 && answers[TOLD] > rounds(40000) / 4);
  for (int i = 0; i < 3; i++) assert_true(answers[i] > rounds(40000) / 10);
}

int main(void) { return run_suite(NULL, NULL); }
