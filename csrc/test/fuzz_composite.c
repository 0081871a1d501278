/* fuzz_composite.c: any bytes as two shapes, mostly composite ones, whose answers must agree with
 * each other and with the answers of their pieces.
 *
 * The shapes are concave polygons, chains, compounds and convex shapes. Every other input
 * consists of small whole numbers, so that touches, ties, shared edges and gaps without width
 * are common. `make fuzz` builds this file with libFuzzer. */
#include "narrowphase/convex/convex_cast.h"
#include "shape/piece_view.h"
#include "test/bytes.h"
#include "test/fuzz_checks.h"

enum { MOST_GIVEN = 40, MOST_MEMBERS = 5, MOST_CHANGES = 3, MOST_PIECES = 60, DIRECTIONS = 12 };

/* ---------------------------------------------------------------- bytes */

typedef struct Input {
  Bytes bytes;
  bool whole; /* the numbers are small and whole, and no shape is rotated or scaled */
  double unit;
} Input;

static double next_number(Input *input) {
  if (input->whole) return (double)(next_byte(&input->bytes) % 17) - 8;
  uint32_t bits = 0;
  for (int i = 0; i < 3; i++) bits = bits << 8 | next_byte(&input->bytes);
  return ((double)bits - 0x1p23) * input->unit;
}

static sat_Vec2 next_point(Input *input) {
  double x = next_number(input);
  return vec2(x, next_number(input));
}

/* ---------------------------------------------------------------- shapes */

/* Points about a center in the order of their angles, which form a ring at any distances, unless
 * rounding to whole numbers spoils it. */
static void ring_about(Input *input, sat_Vec2 center, size_t count, sat_Vec2 *points) {
  for (size_t i = 0; i < count; i++) {
    double sine, cosine, out = fabs(next_number(input)) + input->unit;
    sat_sine_cosine((double)i * 6.283185307179586 / (double)count, &sine, &cosine);
    points[i] = add(center, vec2(out * cosine, out * sine));
    if (input->whole) points[i] = vec2(floor(points[i].x + 0.5), floor(points[i].y + 0.5));
  }
}

/* The teeth of a comb, one after another; the edge from the last point to the first is its back. */
static void comb_at(Input *input, sat_Vec2 at, size_t count, sat_Vec2 *points) {
  for (size_t i = 0; i < count; i++) {
    double tooth = i % 2 ? fabs(next_number(input)) : -input->unit;
    points[i] = add(at, vec2((double)i * input->unit, tooth));
  }
  points[0].y = at.y - 9 * input->unit;
  points[count - 1].y = at.y - 9 * input->unit;
}

static size_t read_points(Input *input, sat_Vec2 *points) {
  unsigned choice = next_byte(&input->bytes);
  size_t count = 1 + choice / 4 % MOST_GIVEN;
  sat_Vec2 at = next_point(input);
  switch (choice % 4) {
  case 0:
    for (size_t i = 0; i < count; i++) points[i] = next_point(input);
    break;
  case 1: count += count < 4 ? 3 : 0, comb_at(input, at, count, points); break;
  default: ring_about(input, at, count, points);
  }
  return count;
}

/* Returns a shape whose constructor has succeeded; else frees the block and returns NULL. */
static sat_Shape *finish(sat_Shape *shape, sat_Status status) {
  if (status == SAT_OK) return shape;
  free(shape);
  return NULL;
}

/* A block without spare bytes, so that the sanitizer sees an access past its end. */
static sat_Shape *new_block(size_t bytes) {
  sat_Shape *block = malloc(bytes);
  if (!block) abort();
  return block;
}

static sat_Shape *make_convex(const sat_Vec2 *points, size_t count, double radius) {
  sat_Shape *shape = new_block(sat_shape_bytes(count));
  return finish(shape, sat_shape_init(shape, points, count, radius));
}

static sat_Shape *make_polygon(sat_Vec2 *points, size_t count) {
  sat_Decomposition pieces;
  if (sat_ring_clean(points, &count, test_scratch(), NULL)) return NULL;
  if (sat_ring_is_convex(points, count, NULL)) return make_convex(points, count, 0);
  if (sat_ring_decompose(points, count, test_scratch(), &pieces)) abort();
  sat_Shape *shape = new_block(sat_polygon_bytes(count, &pieces));
  return finish(shape, sat_polygon_init(shape, points, count, &pieces));
}

static sat_Shape *make_chain(const sat_Vec2 *points, size_t count, bool closed) {
  sat_Shape *shape = new_block(sat_chain_bytes(count));
  return finish(shape, sat_chain_init(shape, points, count, closed));
}

/* A change that fails leaves the shape as it was, so its status is dropped. */
static void change(Input *input, sat_Shape *shape) {
  unsigned choice = next_byte(&input->bytes);
  sat_Vec2 point = next_point(input);
  switch (choice % (input->whole ? 4 : 6)) {
  case 0: sat_shape_move(shape, point.x, point.y); break;
  case 1: sat_shape_move_to(shape, point.x, point.y); break;
  case 2: sat_shape_flip(shape, choice / 8 % 2); break;
  case 3: sat_shape_set_radius(shape, fabs(point.x)); break;
  case 4: sat_shape_rotate_about(shape, next_number(input), point); break;
  default: sat_shape_scale(shape, ldexp(1 + choice / 8 % 4, -2)); break;
  }
}

static sat_Shape *read_single(Input *input) {
  sat_Vec2 points[MOST_GIVEN];
  unsigned choice = next_byte(&input->bytes);
  size_t count = read_points(input, points);
  double radius = choice / 8 % 4 == 3 ? fabs(next_number(input)) / 2 : 0;
  switch (choice % 8) {
  case 0: return make_chain(points, count, choice / 32 % 2);
  case 1: return make_convex(points, 1, radius);
  case 2:
    return sat_hull(points, &count, test_scratch(), NULL) ? NULL
                                                          : make_convex(points, count, radius);
  default: return make_polygon(points, count);
  }
}

static sat_Shape *read_compound(Input *input) {
  sat_Shape *members[MOST_MEMBERS];
  size_t count = 0;
  for (unsigned left = 1 + next_byte(&input->bytes) % MOST_MEMBERS; left > 0; left--) {
    sat_Shape *member = read_single(input);
    if (member) members[count++] = member;
  }
  if (count == 0) return NULL;
  const sat_Shape *const *all = (const sat_Shape *const *)members;
  sat_Shape *shape = new_block(sat_compound_bytes(all, count));
  sat_Status status = sat_compound_init(shape, all, count);
  for (size_t i = 0; i < count; i++) free(members[i]);
  return finish(shape, status);
}

/* Returns NULL if the bytes make no shape, or one of too many pieces. */
static sat_Shape *read_shape(Input *input) {
  unsigned choice = next_byte(&input->bytes);
  if (!input->whole) input->unit = ldexp(1, -18 - (int)(choice / 16));
  sat_Shape *shape = choice % 4 ? read_single(input) : read_compound(input);
  for (unsigned i = choice / 4 % (MOST_CHANGES + 1); shape && i > 0; i--) change(input, shape);
  if (!shape || sat_shape_piece_count(shape) <= MOST_PIECES) return shape;
  free(shape);
  return NULL;
}

/* ---------------------------------------------------------------- a pair and its pieces */

typedef struct PieceShapes {
  sat_Shape *of[MOST_PIECES];
  size_t count;
} PieceShapes;

typedef struct Pair {
  const sat_Shape *a, *b;
  PieceShapes pieces_of_a, pieces_of_b;
  double threshold; /* the largest coordinate */
  double hair;      /* the rounding error of a length */
  double corner;    /* the rounding error of a point where an arc and a line touch */
  bool exact;       /* no radius: the sign of the separation is the same with A and B swapped */
  bool whole;
  bool one_sided;    /* a chain of one of the two blocks its front only */
  sat_Result result; /* if the two overlap */
} Pair;

static void print_shape(const char *name, const PieceShapes *pieces) {
  for (size_t k = 0; k < pieces->count; k++) {
    const sat_Shape *piece = pieces->of[k];
    fprintf(stderr, "%s, piece %zu: radius %a, vertices", name, k, piece->radius);
    print_vertices(piece);
  }
}

static _Noreturn void fail_pair(const Pair *pair, const char *condition, int line) {
  fprintf(stderr, "line %d: %s\n", line, condition);
  print_shape("a", &pair->pieces_of_a);
  print_shape("b", &pair->pieces_of_b);
  fprintf(stderr, "translation: %.17g, %.17g, depth %.17g\n", pair->result.vector.x,
          pair->result.vector.y, pair->result.depth);
  abort();
}

static double largest_radius(const sat_Shape *shape) {
  sat_Piece single;
  sat_PieceView view = sat_pieces_of(shape, &single);
  double most = view.radius;
  for (uint32_t i = 0; i < view.count; i++) most = max2(most, view.pieces[i].radius);
  return most;
}

static bool is_one_sided(const sat_Shape *shape) {
  sat_Piece single;
  return sat_pieces_of(shape, &single).flags & SAT_ONE_SIDED;
}

static void take_apart(const sat_Shape *shape, PieceShapes *pieces) {
  pieces->count = sat_shape_piece_count(shape);
  for (size_t i = 0; i < pieces->count; i++) {
    pieces->of[i] = new_block(sat_shape_bytes(sat_shape_piece_size(shape, i)));
    if (sat_shape_piece_init(pieces->of[i], shape, i)) abort();
  }
}

static void free_pieces(const PieceShapes *pieces) {
  for (size_t i = 0; i < pieces->count; i++) free(pieces->of[i]);
}

static void make_pair(Pair *pair, const sat_Shape *a, const sat_Shape *b, bool whole) {
  double threshold = max2(reach_of(a), reach_of(b));
  *pair = (Pair){.a = a, .b = b, .threshold = threshold, .hair = 1e-12 * threshold, .whole = whole};
  double radius = largest_radius(a) + largest_radius(b);
  pair->exact = radius == 0;
  pair->corner = sqrt(2 * radius * 0x1p-50 * (threshold + radius));
  pair->one_sided = is_one_sided(a) || is_one_sided(b);
  take_apart(a, &pair->pieces_of_a);
  take_apart(b, &pair->pieces_of_b);
}

/* The largest depth of any two pieces once A has moved. The depth of the whole shapes may be
 * large even then: pieces that overlap by no more than rounding on two sides have a long way out
 * together. */
static double deepest_after(const Pair *pair, sat_Vec2 motion) {
  double most = 0;
  for (size_t i = 0; i < pair->pieces_of_a.count; i++) {
    sat_Shape *a = moved_by(pair->pieces_of_a.of[i], motion);
    sat_Result way;
    for (size_t k = 0; a && k < pair->pieces_of_b.count; k++)
      if (sat_collide(a, pair->pieces_of_b.of[k], test_scratch(), &way) == SAT_OK)
        most = max2(most, way.depth);
    free(a);
  }
  return most;
}

/* ---------------------------------------------------------------- checks */

static void check_pieces(const Pair *pair, bool meet) {
  bool any = false;
  double least = HUGE_VAL;
  for (size_t i = 0; i < pair->pieces_of_a.count; i++) {
    for (size_t k = 0; k < pair->pieces_of_b.count; k++) {
      const sat_Shape *a = pair->pieces_of_a.of[i], *b = pair->pieces_of_b.of[k];
      sat_Distance separation;
      any = any || sat_overlaps(a, b, test_scratch()) == SAT_OK;
      sat_distance(a, b, test_scratch(), &separation);
      least = min2(least, separation.distance);
    }
  }
  sat_Distance d;
  CHECK(pair, sat_distance(pair->a, pair->b, test_scratch(), &d) == SAT_OK);
  CHECK(pair, any == meet && (d.distance == 0) == meet);
  CHECK(pair, fabs(d.distance - least) <= pair->hair);
  CHECK(pair, finite_point(d.on_a) && finite_point(d.on_b));
  CHECK(pair, fabs(length(sub(d.on_a, d.on_b)) - d.distance) <= pair->hair);
}

static void check_way(const Pair *pair) {
  CHECK(pair, pair->result.depth >= 0 && isfinite(pair->result.depth));
  CHECK(pair, is_unit(pair->result.normal) && finite_point(pair->result.vector));
  CHECK(pair, length(sub(pair->result.vector, mul(pair->result.normal, pair->result.depth))) <=
                  pair->hair);
  CHECK(pair, deepest_after(pair, pair->result.vector) <= pair->hair + 1e-9 * pair->result.depth);
}

/* Translations in many directions that are a little shorter than the result leave the two
 * overlapping. */
static void check_nothing_shorter(const Pair *pair) {
  double size = pair->result.depth * (1 - 1e-6) - 2 * pair->hair;
  if (size <= 0 || pair->one_sided) return;
  for (int i = 0; i < DIRECTIONS; i++) {
    double sine, cosine, angle = (i + 0.25) * 6.283185307179586 / DIRECTIONS;
    sat_sine_cosine(angle, &sine, &cosine);
    sat_Vec2 out = mul(vec2(cosine, sine), i % 3 ? size : size / 2);
    sat_Shape *moved = moved_by(pair->a, i == 0 ? mul(pair->result.normal, size) : out);
    sat_Distance separation = {0, {0, 0}, {0, 0}};
    if (moved) sat_distance(moved, pair->b, test_scratch(), &separation);
    free(moved);
    CHECK(pair, separation.distance <= pair->hair);
  }
}

/* The depths are compared for whole numbers only, since a rotated shape may have a gap as wide
 * as rounding, which only one order of the two shapes sees. A translation may end where an arc
 * and a line touch: each order finds that point to the square root of rounding, since the arc
 * leaves the line by no more than rounding that far along it. */
static void check_back(const Pair *pair, bool meet) {
  sat_Result back = {.depth = 0};
  bool backwards = sat_collide(pair->b, pair->a, test_scratch(), &back) == SAT_OK;
  CHECK(pair, backwards == meet);
  if (pair->whole && backwards && meet)
    CHECK(pair, fabs(back.depth - pair->result.depth) <=
                    pair->hair + 1e-9 * pair->result.depth + pair->corner);
}

static void check_contacts(const Pair *pair) {
  sat_Manifold contacts;
  CHECK(pair, sat_contacts(pair->a, pair->b, test_scratch(), &contacts) == SAT_OK);
  CHECK(pair,
        contacts.depth == pair->result.depth && same_vector(contacts.normal, pair->result.normal));
  CHECK(pair, contacts.count == 1 || contacts.count == 2);
  for (uint32_t i = 0; i < contacts.count; i++) CHECK(pair, finite_point(contacts.points[i]));
}

/* A contained shape overlaps, and a shape contains a point exactly if one of its pieces does. */
static void check_containment(const Pair *pair, bool meet, sat_Vec2 point) {
  sat_Status inside = sat_contains(pair->a, pair->b, test_scratch());
  CHECK(pair, inside <= SAT_MISS);
  if (inside == SAT_OK && pair->exact && pair->whole) CHECK(pair, meet);
  CHECK(pair, sat_contains(pair->a, pair->a, test_scratch()) == SAT_OK);
  bool holds = sat_contains_point(pair->a, point, test_scratch()) == SAT_OK, any = false;
  for (size_t i = 0; i < pair->pieces_of_a.count; i++)
    any = any || sat_contains_point(pair->pieces_of_a.of[i], point, test_scratch()) == SAT_OK;
  CHECK(pair, holds == any);
}

/* Whether the two overlap by more than rounding. At the back of a one-sided chain the depth is
 * large, however small the overlap is. */
static bool is_deep(const Pair *pair) {
  double rounding = sat_touch_rounding(pair->a, pair->b);
  return pair->result.depth > rounding &&
         !(pair->one_sided && deepest_after(pair, vec2(0, 0)) <= rounding);
}

/* At the time of a hit the two touch; after a miss they do not overlap. */
static void check_cast(const Pair *pair, bool meet, sat_Vec2 motion) {
  sat_Hit hit = {.t = 1};
  sat_Distance rest = {0, {0, 0}, {0, 0}};
  sat_Status status = sat_cast(pair->a, motion, pair->b, test_scratch(), &hit);
  double hair = pair->hair + 1e-12 * length(motion);
  CHECK(pair, status <= SAT_MISS && hit.t >= 0 && hit.t <= 1);
  if (status == SAT_OK) CHECK(pair, is_unit(hit.normal) && finite_point(hit.point));
  if (meet && is_deep(pair))
    CHECK(pair, (status == SAT_OK && hit.t == 0) == sat_leads_deeper(motion, pair->result.normal));
  if (meet || pair->one_sided) return;
  CHECK(pair, deepest_after(pair, mul(motion, hit.t)) <= hair);
  sat_Shape *moved = moved_by(pair->a, mul(motion, hit.t));
  if (moved && status == SAT_OK) sat_distance(moved, pair->b, test_scratch(), &rest);
  free(moved);
  CHECK(pair, rest.distance <= hair);
}

static void check_ray(const Pair *pair, sat_Vec2 from, sat_Vec2 to) {
  sat_Hit hit;
  sat_Status status = sat_raycast(pair->b, from, to, test_scratch(), &hit);
  CHECK(pair, status <= SAT_MISS);
  if (status == SAT_OK) CHECK(pair, hit.t >= 0 && hit.t <= 1 && finite_point(hit.point));
}

static void check_pair(Pair *pair, Input *input) {
  bool meet = sat_overlaps(pair->a, pair->b, test_scratch()) == SAT_OK;
  bool collide = sat_collide(pair->a, pair->b, test_scratch(), &pair->result) == SAT_OK;
  CHECK(pair, collide == meet);
  check_pieces(pair, meet);
  if (meet) {
    check_way(pair);
    check_nothing_shorter(pair);
    check_contacts(pair);
  }
  check_back(pair, meet);
  check_containment(pair, meet, next_point(input));
  check_cast(pair, meet, next_point(input));
  check_cast(pair, meet, sub(pair->b->centroid, pair->a->centroid));
  sat_Vec2 from = next_point(input);
  check_ray(pair, from, next_point(input));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Input input = {{bytes, size}, false, 1};
  input.whole = next_byte(&input.bytes) % 2 == 0;
  sat_Shape *a = read_shape(&input), *b = read_shape(&input);
  if (a && b) {
    Pair pair;
    make_pair(&pair, a, b, input.whole);
    check_pair(&pair, &input);
    free_pieces(&pair.pieces_of_a);
    free_pieces(&pair.pieces_of_b);
  }
  free(a);
  free(b);
  sat_scratch_free(test_scratch());
  return 0;
}
