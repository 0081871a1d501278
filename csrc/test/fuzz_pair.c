/* fuzz_pair.c: any bytes as two convex shapes and a motion, whose answers must agree with each
 * other and, for few vertices, with the definition.
 *
 * Three of four inputs read small whole numbers, so that touches, ties and parallel edges are
 * common. Half of these are the pairs that games are full of and that the core answers on its
 * fast path: boxes, circles and small polygons, not rotated, that touch or nearly touch. `make
 * fuzz` builds this file with libFuzzer. */
#include "base/box.h"
#include "narrowphase/convex/convex_cast.h"
#include "narrowphase/convex/convex_pair.h"
#include "test/bytes.h"
#include "test/fuzz_checks.h"

/* Inputs stay small, so that each takes far less than a millisecond. */
enum { MOST_GIVEN = 24, MOST_ROUND = 130, MOST_CHANGES = 4, MOST_SMALL = 14 };

/* The unit of the exact oracle, which divides all numbers of most simple pairs. */
#define SMALL_UNIT 0x1p-46

/* ---------------------------------------------------------------- bytes */

typedef struct Input {
  Bytes bytes;
  bool whole;  /* the numbers that are read are small and whole */
  bool simple; /* the shapes are made by read_simple */
  double unit;
} Input;

static double next_number(Input *input) {
  if (input->whole) return (double)(next_byte(&input->bytes) % 17) - 8;
  uint32_t bits = 0;
  for (int i = 0; i < 4; i++) bits = bits << 8 | next_byte(&input->bytes);
  return ((double)bits - 0x1p31) * input->unit;
}

static sat_Vec2 next_point(Input *input) {
  double x = next_number(input);
  return vec2(x, next_number(input));
}

/* ---------------------------------------------------------------- shapes */

static void ring_about(sat_Vec2 center, double radius, size_t count, sat_Vec2 *points) {
  for (size_t i = 0; i < count; i++) {
    double sine, cosine;
    sat_sine_cosine((double)i * 6.283185307179586 / (double)count, &sine, &cosine);
    points[i] = add(center, vec2(radius * cosine, radius * sine));
  }
}

/* Up to MOST_GIVEN points as given, or up to MOST_ROUND points on a circle. */
static size_t read_points(Input *input, sat_Vec2 *points) {
  unsigned choice = next_byte(&input->bytes);
  if (choice % 4 != 3) {
    size_t given = 1 + choice / 4 % MOST_GIVEN;
    for (size_t i = 0; i < given; i++) points[i] = next_point(input);
    return given;
  }
  size_t count = 3 + next_byte(&input->bytes) % (MOST_ROUND - 2);
  sat_Vec2 center = next_point(input);
  ring_about(center, fabs(next_number(input)) + input->unit, count, points);
  return count;
}

/* A box, a circle, a hull of a few points or a regular polygon. */
static size_t read_simple(Input *input, sat_Vec2 *points, double *radius) {
  unsigned choice = next_byte(&input->bytes);
  size_t count = 3 + choice / 4 % (MOST_SMALL - 2);
  sat_Vec2 at = next_point(input);
  double size = 1 + next_byte(&input->bytes) % 32;
  points[0] = at;
  switch (choice % 4) {
  case 0:
    points[2] = add(at, vec2(size, 1 + next_byte(&input->bytes) % 8));
    points[1] = vec2(points[2].x, at.y);
    points[3] = vec2(at.x, points[2].y);
    return 4;
  case 1: *radius = size / 4; return 1;
  case 2:
    for (size_t i = 1; i < count; i++) points[i] = next_point(input);
    return count;
  default: ring_about(at, size / 4, count, points); return count;
  }
}

/* A change that fails leaves the shape as it was, so that its status does not matter. */
static void change(Input *input, sat_Shape *shape) {
  sat_Vec2 point;
  switch (next_byte(&input->bytes) % 8) {
  case 0: point = next_point(input), sat_shape_move(shape, point.x, point.y); break;
  case 1: point = next_point(input), sat_shape_move_to(shape, point.x, point.y); break;
  case 2: sat_shape_rotate(shape, next_number(input)); break;
  case 3: sat_shape_set_rotation(shape, next_byte(&input->bytes) % 8 * 1.5707963267948966); break;
  case 4: sat_shape_rotate_about(shape, next_number(input), next_point(input)); break;
  case 5:
    sat_shape_scale(
        shape, ldexp(1 + next_byte(&input->bytes) % 4, (int)(next_byte(&input->bytes) % 9) - 5));
    break;
  case 6: sat_shape_flip(shape, next_byte(&input->bytes) % 2); break;
  default: sat_shape_set_radius(shape, fabs(next_number(input))); break;
  }
}

/* Returns NULL if the bytes make no shape. The block has no spare bytes, so that the sanitizer
 * sees an access past its end. */
static sat_Shape *read_shape(Input *input) {
  sat_Vec2 points[MOST_ROUND];
  double radius = 0;
  if (!input->whole) input->unit = ldexp(1, -7 - (int)(next_byte(&input->bytes) % 24));
  size_t count = input->simple ? read_simple(input, points, &radius) : read_points(input, points);
  if (count > 2 && sat_hull(points, &count, test_scratch(), NULL)) return NULL;
  unsigned choice = input->simple ? 0 : next_byte(&input->bytes);
  if (choice % 2) radius = fabs(next_number(input));
  sat_Shape *shape = malloc(sat_shape_bytes(count));
  if (!shape || sat_shape_init(shape, points, count, radius)) abort();
  for (unsigned i = choice / 2 % MOST_CHANGES; i > 0; i--) change(input, shape);
  return shape;
}

/* Moves A to a touch or leaves it in place, and moves it by a small step then, or by none. */
static void bring_near(Input *input, sat_Shape *a, const sat_Shape *b) {
  unsigned choice = next_byte(&input->bytes);
  sat_Result way;
  sat_Distance separation;
  if (choice % 4 == 1 && sat_collide(a, b, test_scratch(), &way) == SAT_OK) {
    sat_shape_move(a, way.vector.x, way.vector.y);
  } else if (choice % 4 == 1) {
    sat_distance(a, b, test_scratch(), &separation);
    sat_shape_move(a, separation.on_b.x - separation.on_a.x, separation.on_b.y - separation.on_a.y);
  }
  double step = ldexp(SMALL_UNIT, (int)(choice / 4 % 48)), along_x = next_byte(&input->bytes) % 3;
  sat_shape_move(a, step * (along_x - 1), step * ((double)(next_byte(&input->bytes) % 3) - 1));
}

/* ---------------------------------------------------------------- checks */

typedef struct Pair {
  const sat_Shape *a, *b;
  double threshold; /* the largest coordinate */
  double hair;      /* the rounding error of a length */
  bool exact;       /* no radius: the sign of the separation is that of the definition */
} Pair;

static void print_shape(const char *name, const sat_Shape *shape) {
  fprintf(stderr, "%s: radius %a, flags %u, vertices", name, shape->radius, (unsigned)shape->flags);
  print_vertices(shape);
}

static _Noreturn void fail_pair(const Pair *pair, const char *condition, int line) {
  fprintf(stderr, "line %d: %s\n", line, condition);
  print_shape("a", pair->a);
  print_shape("b", pair->b);
  abort();
}

static Pair pair_of(const sat_Shape *a, const sat_Shape *b) {
  double threshold = max2(reach_of(a), reach_of(b));
  return (Pair){a, b, threshold, 1e-13 * threshold, a->radius == 0 && b->radius == 0};
}

static double depth_hair(const Pair *pair, double depth) { return pair->hair + 1e-9 * depth; }

static void check_way(const Pair *pair, const sat_Result *way) {
  CHECK(pair, way->depth >= 0 && isfinite(way->depth));
  CHECK(pair, is_unit(way->normal));
  CHECK(pair, finite_point(way->vector));
  CHECK(pair, length(sub(way->vector, mul(way->normal, way->depth))) <= 1e-14 * way->depth);
  const sat_Shape *own = way->side == SAT_A ? pair->a : pair->b;
  CHECK(pair, way->edge < own->vertex_count);
}

/* After the translation the two overlap by no more than rounding. */
static void check_parted(const Pair *pair, const sat_Result *way) {
  sat_Shape *moved = moved_by(pair->a, way->vector);
  sat_Result left;
  if (moved && sat_collide(moved, pair->b, test_scratch(), &left) == SAT_OK)
    CHECK(pair, left.depth <= depth_hair(pair, way->depth));
  free(moved);
}

static void check_contacts(const Pair *pair, const sat_Result *way) {
  sat_Manifold contacts;
  CHECK(pair, sat_contacts(pair->a, pair->b, test_scratch(), &contacts) == SAT_OK);
  CHECK(pair, contacts.depth == way->depth && same_vector(contacts.normal, way->normal));
  CHECK(pair, contacts.count == 1 || contacts.count == 2);
  for (uint32_t i = 0; i < contacts.count; i++) CHECK(pair, finite_point(contacts.points[i]));
}

static void check_distance(const Pair *pair, bool meet) {
  sat_Distance d, back;
  CHECK(pair, sat_distance(pair->a, pair->b, test_scratch(), &d) == SAT_OK);
  CHECK(pair, sat_distance(pair->b, pair->a, test_scratch(), &back) == SAT_OK);
  CHECK(pair, d.distance >= 0 && isfinite(d.distance));
  CHECK(pair, finite_point(d.on_a) && finite_point(d.on_b));
  CHECK(pair, (d.distance == 0) == meet);
  if (meet) CHECK(pair, same_vector(d.on_a, d.on_b));
  CHECK(pair, fabs(length(sub(d.on_a, d.on_b)) - d.distance) <= pair->hair);
  CHECK(pair, fabs(d.distance - back.distance) <= pair->hair);
}

/* The swapped pair has the opposite result, unless the centroids are so near that the direction
 * between them is rounding. */
static void check_opposite(const Pair *pair, const sat_Result *way, const sat_Result *back) {
  sat_Vec2 between = sub(sat_shape_center(pair->a), sat_shape_center(pair->b));
  double hair = depth_hair(pair, way->depth);
  if (length(between) <= 1e-6 * pair->threshold) return;
  CHECK(pair, length(add(way->normal, back->normal)) <= 1e-9);
  CHECK(pair, length(add(way->vector, back->vector)) <= hair);
}

/* Whether the exact oracle can read a shape. */
static bool is_of_small_units(const sat_Shape *shape) {
  for (size_t i = 0; i < shape->vertex_count; i++) {
    Point vertex = point_mul(solid_vertex(shape, i), 1 / (Real)SMALL_UNIT);
    if (rintl(vertex.x) != vertex.x || rintl(vertex.y) != vertex.y) return false;
    if (fmaxl(fabsl(vertex.x), fabsl(vertex.y)) > 0x1p53L) return false;
  }
  return true;
}

/* Compares the answers with the definition: every edge against every vertex. */
static void check_definition(const Pair *pair, const sat_Result *way, bool meet) {
  Solid a, b;
  Point nowhere = {0, 0};
  solid_read(&a, pair->a);
  solid_read(&b, pair->b);
  Real separation = solid_gap(&a, nowhere, &b);
  sat_Distance rest;
  sat_distance(pair->a, pair->b, test_scratch(), &rest);
  if (separation > pair->hair) CHECK(pair, !meet);
  if (separation < -pair->hair) CHECK(pair, meet);
  CHECK(pair, fabsl(fmaxl(separation, 0) - rest.distance) <= pair->hair);
  CHECK(pair, fabsl(fmaxl(-separation, 0) - way->depth) <= depth_hair(pair, way->depth));
  if (meet) {
    Real along = solid_gap_along(&a, nowhere, &b, point_of(way->normal));
    CHECK(pair, fabsl(along + way->depth) <= depth_hair(pair, way->depth));
  }
  if (!pair->exact || !is_of_small_units(pair->a) || !is_of_small_units(pair->b)) return;
  int sign = exact_sign(pair->a, pair->b, SMALL_UNIT);
  CHECK(pair, meet == (sign <= 0));
  if (meet) CHECK(pair, (sign == 0) == (way->depth == 0));
}

/* The swapped pair overlaps exactly if the pair does, and has the same depth. */
static void check_back(const Pair *pair, const sat_Result *way, bool meet, bool simple) {
  sat_Result back = {.depth = 0};
  bool backwards = sat_collide(pair->b, pair->a, test_scratch(), &back) == SAT_OK;
  CHECK(pair, backwards == meet);
  Pair swapped = {pair->b, pair->a, pair->threshold, pair->hair, pair->exact};
  if (backwards) check_way(&swapped, &back);
  CHECK(pair, fabs(back.depth - way->depth) <= depth_hair(pair, way->depth));
  if (simple && meet && backwards) check_opposite(pair, way, &back);
  CHECK(pair, (sat_overlaps(pair->b, pair->a, test_scratch()) == SAT_OK) == backwards);
}

static void check_containment(const Pair *pair, bool meet) {
  const sat_Shape *b = pair->b;
  sat_Status inside = sat_contains(pair->a, b, test_scratch());
  CHECK(pair, inside <= SAT_MISS);
  if (inside == SAT_OK && pair->exact) CHECK(pair, meet);
  if (b->vertex_count > 1 || b->radius > 0 || (b->flags & SAT_TRANSFORMED)) return;
  CHECK(pair, (inside == SAT_OK) == meet);
  if (!same_vector(sat_shape_vertex(b, 0), b->origin)) return;
  CHECK(pair, sat_contains_point(pair->a, b->origin, test_scratch()) == inside);
}

static void check_hit(const Pair *pair, const sat_Hit *hit) {
  CHECK(pair, hit->t >= 0 && hit->t <= 1);
  CHECK(pair, finite_point(hit->point));
  CHECK(pair, is_unit(hit->normal) || (hit->t == 0 && same_vector(hit->normal, vec2(0, 0))));
}

/* At the time of a hit the two touch: at the start with a gap of at most the rounding r of
 * touches, later with a gap of at most the rounding of the answer. A motion that leads no deeper
 * than r is no hit, so that the two overlap by no more at a hit or after a miss. */
static void check_arrival(const Pair *pair, sat_Vec2 motion, const sat_Hit *is_hit) {
  double hair = pair->hair + 1e-13 * length(motion);
  double rounding = sat_touch_rounding(pair->a, pair->b);
  sat_Shape *moved = moved_by(pair->a, is_hit ? mul(motion, is_hit->t) : motion);
  sat_Distance rest;
  sat_Result way;
  if (!moved) return;
  sat_distance(moved, pair->b, test_scratch(), &rest);
  if (is_hit) CHECK(pair, rest.distance <= (is_hit->t == 0 ? rounding : hair));
  if (sat_collide(moved, pair->b, test_scratch(), &way) == SAT_OK)
    CHECK(pair, way.depth <= rounding + hair);
  free(moved);
}

/* The cheap tests at the start of a cast must not claim more than the full answers confirm. */
static void check_shortcuts(const Pair *pair, const sat_Result *way, bool meet, sat_Vec2 motion,
                            bool is_hit) {
  sat_Pair convex = sat_convex_pair(pair->a, pair->b);
  double rounding = sat_touch_rounding(pair->a, pair->b);
  if (meet && sat_overlap_is_rounding(&convex, rounding)) CHECK(pair, way->depth <= rounding);
  bool has_area = pair->a->vertex_count > 2 || pair->b->vertex_count > 2;
  if (pair->exact && has_area &&
      boxes_lead_past(sat_shape_bounds(pair->a), sat_shape_bounds(pair->b), motion))
    CHECK(pair, !is_hit);
}

static void check_cast(const Pair *pair, const sat_Result *way, bool meet, sat_Vec2 motion) {
  sat_Hit hit;
  sat_Status status = sat_cast(pair->a, motion, pair->b, test_scratch(), &hit);
  CHECK(pair, status <= SAT_MISS);
  bool deep = meet && way->depth > sat_touch_rounding(pair->a, pair->b);
  if (deep) CHECK(pair, (status == SAT_OK) == sat_leads_deeper(motion, way->normal));
  if (!deep) check_arrival(pair, motion, status == SAT_OK ? &hit : NULL);
  check_shortcuts(pair, way, meet, motion, status == SAT_OK);
  if (status == SAT_MISS) return;
  check_hit(pair, &hit);
  CHECK(pair, !meet || hit.t == 0);
  CHECK(pair, !same_vector(hit.normal, vec2(0, 0)));
  CHECK(pair, meet || dot(hit.normal, motion) < 1e-13 * length(motion));
}

static void check_ray(const Pair *pair, sat_Vec2 from, sat_Vec2 to) {
  sat_Hit hit;
  sat_Status status = sat_raycast(pair->b, from, to, test_scratch(), &hit);
  CHECK(pair, status <= SAT_MISS);
  if (status == SAT_OK) check_hit(pair, &hit);
  if (status == SAT_OK && same_vector(hit.normal, vec2(0, 0)))
    CHECK(pair, sat_contains_point(pair->b, from, test_scratch()) == SAT_OK);
}

static void check_pair(const Pair *pair, Input *input) {
  sat_Result way = {.depth = 0};
  bool meet = sat_overlaps(pair->a, pair->b, test_scratch()) == SAT_OK;
  CHECK(pair, sat_collide(pair->a, pair->b, test_scratch(), &way) == (meet ? SAT_OK : SAT_MISS));
  if (meet) {
    check_way(pair, &way);
    check_parted(pair, &way);
    check_contacts(pair, &way);
  }
  check_distance(pair, meet);
  check_back(pair, &way, meet, input->simple);
  if (pair->a->vertex_count <= MOST_SMALL && pair->b->vertex_count <= MOST_SMALL)
    check_definition(pair, &way, meet);
  check_containment(pair, meet);
  check_cast(pair, &way, meet, next_point(input));
  check_cast(pair, &way, meet, sub(pair->b->centroid, pair->a->centroid));
  sat_Vec2 from = next_point(input);
  check_ray(pair, from, next_point(input));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Input input = {{bytes, size}, false, false, 1};
  unsigned choice = next_byte(&input.bytes);
  input.simple = choice % 8 == 3 || choice % 8 > 5;
  input.whole = input.simple || choice % 2 == 0;
  sat_Shape *a = read_shape(&input), *b = read_shape(&input);
  if (a && b) {
    if (input.simple) bring_near(&input, a, b);
    Pair pair = pair_of(a, b);
    check_pair(&pair, &input);
  }
  free(a);
  free(b);
  sat_scratch_free(test_scratch());
  return 0;
}
