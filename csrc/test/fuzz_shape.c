/* fuzz_shape.c: any bytes as points, the ring, the pieces, the hull and the shape that they make,
 * and a sequence of changes of the shape.
 *
 * A refused call must have changed nothing, and an accepted shape must keep its invariants.
 * `make fuzz` builds this file with libFuzzer. */
#include "base/predicates.h"
#include "shape/convex.h"
#include "test/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 300, MOST_CHANGES = 40 };

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) fail(#condition, __LINE__);                                                  \
  } while (0)

static _Noreturn void fail(const char *condition, int line) {
  fprintf(stderr, "line %d: %s\n", line, condition);
  abort();
}

/* ---------------------------------------------------------------- bytes */

typedef enum Numbers { SMALL, FIXED, ANY } Numbers;

typedef struct Input {
  Bytes bytes;
  Numbers numbers;
} Input;

static uint64_t next_bits(Input *input, int bytes) {
  uint64_t bits = 0;
  for (int i = 0; i < bytes; i++) bits = bits << 8 | next_byte(&input->bytes);
  return bits;
}

/* A small whole number, so that many points lie on one line; a multiple of a power of two; or
 * any double. */
static double next_number(Input *input) {
  if (input->numbers == SMALL) return (double)(next_byte(&input->bytes) % 17) - 8;
  if (input->numbers == FIXED) return ((double)next_bits(input, 4) - 0x1p31) * 0x1p-16;
  uint64_t bits = next_bits(input, 8);
  double number;
  memcpy(&number, &bits, sizeof number);
  /* the predicates are not exact where products vanish */
  return fabs(number) < SAT_TINY ? 0 : number;
}

static sat_Vec2 next_point(Input *input) {
  double x = next_number(input);
  return vec2(x, next_number(input));
}

/* ---------------------------------------------------------------- memory */

typedef struct Memory {
  unsigned until_fails; /* counts down to the one allocation that fails */
  bool has_failed;      /* in the last call */
} Memory;

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  Memory *memory = context;
  (void)old_size;
  if (size && memory->until_fails-- > 0) return realloc(block, size);
  if (!size) free(block);
  else memory->has_failed = true;
  return NULL;
}

/* A call has run out of memory if, and only if, an allocation has failed. */
static void check_memory(sat_Status status, const sat_Scratch *scratch) {
  Memory *memory = scratch->allocator.context;
  CHECK((status == SAT_ENOMEM) == memory->has_failed);
  memory->has_failed = false;
}

/* ---------------------------------------------------------------- rings */

typedef struct Points {
  size_t count;
  bool exact; /* the differences of the coordinates are exact */
  sat_Vec2 at[MOST_POINTS];
} Points;

static int turn_at(const Points *ring, size_t i) {
  size_t n = ring->count;
  return sat_orientation(ring->at[i], ring->at[(i + 1) % n], ring->at[(i + 2) % n]);
}

static void check_refused(sat_Status status, const Points *given, const Points *now,
                          sat_RingError error) {
  CHECK(status != SAT_MISS && status != SAT_EVALUE && status <= SAT_ECROSS);
  CHECK(memcmp(given, now, sizeof *now) == 0);
  CHECK(given->count == 0 || (error.first < given->count && error.second < given->count));
}

static double direction_of_edge(const Points *ring, size_t i) {
  sat_Vec2 edge = sub(ring->at[(i + 1) % ring->count], ring->at[i % ring->count]);
  return atan2(edge.y, edge.x);
}

/* The angle by which the ring turns to the left at the end of an edge. Rounding may make half a
 * turn to the right of the half turn at the end of a spike, which counts as one to the left. */
static double left_turn_after(const Points *ring, size_t i) {
  double turn = direction_of_edge(ring, i + 1) - direction_of_edge(ring, i);
  turn = remainder(turn, 6.283185307179586);
  return turn < -1 ? turn + 6.283185307179586 : turn;
}

/* A ring that touches itself at a vertex may turn one way everywhere, and is convex only if it
 * goes round once. */
static void check_ring(const Points *ring, size_t given) {
  bool convex = true;
  double turned = 0;
  CHECK(ring->count >= 3 && ring->count <= given);
  for (size_t i = 0; i < ring->count; i++) {
    CHECK(turn_at(ring, i) != 0);
    convex = convex && turn_at(ring, i) > 0;
    turned += left_turn_after(ring, i);
  }
  double area = sat_ring_area(ring->at, ring->count);
  double perimeter = sat_ring_perimeter(ring->at, ring->count);
  /* rounding may make the area of a sliver vanish */
  CHECK(perimeter > 0 && area >= (ring->exact ? DBL_MIN : -1e-15 * perimeter * perimeter));
  CHECK(sat_ring_is_convex(ring->at, ring->count, NULL) == (convex && turned < 10));
}

/* The area of one piece, which must be convex. */
static double check_piece(const Points *ring, const sat_Decomposition *pieces, uint32_t piece) {
  static Points corners;
  uint32_t first = pieces->first[piece];
  corners.count = pieces->first[piece + 1] - first;
  CHECK(corners.count >= 3 && corners.count <= ring->count);
  for (size_t i = 0; i < corners.count; i++)
    corners.at[i] = ring->at[pieces->corners[first + i].vertex];
  for (size_t i = 0; i < corners.count; i++) CHECK(turn_at(&corners, i) > 0);
  return sat_ring_area(corners.at, corners.count);
}

/* The areas of the pieces add up to the ring's, but for rounding. */
static void check_pieces(const Points *ring, sat_Scratch *scratch) {
  sat_Decomposition pieces;
  sat_Status status = sat_ring_decompose(ring->at, ring->count, scratch, &pieces);
  check_memory(status, scratch);
  CHECK(status == SAT_OK || status == SAT_ENOMEM);
  if (status) return;
  double sum = 0, area = sat_ring_area(ring->at, ring->count);
  double perimeter = sat_ring_perimeter(ring->at, ring->count);
  CHECK(pieces.count >= 1 && pieces.count <= 2 * ring->count);
  for (uint32_t piece = 0; piece < pieces.count; piece++) sum += check_piece(ring, &pieces, piece);
  CHECK(fabs(sum - area) <= 1e-13 * perimeter * perimeter);
}

static bool clean(Points *ring, sat_Scratch *scratch) {
  Points given = *ring, again;
  sat_RingError error;
  sat_Status status = sat_ring_clean(ring->at, &ring->count, scratch, &error);
  check_memory(status, scratch);
  if (status) check_refused(status, &given, ring, error);
  if (status) return false;
  check_ring(ring, given.count);
  check_pieces(ring, scratch);
  again = *ring;
  CHECK(sat_ring_clean(again.at, &again.count, scratch, NULL) == SAT_OK);
  CHECK(memcmp(ring->at, again.at, ring->count * sizeof *ring->at) == 0);
  return true;
}

static bool make_hull(Points *hull, sat_Scratch *scratch) {
  Points given = *hull;
  sat_RingError error;
  sat_Status status = sat_hull(hull->at, &hull->count, scratch, &error);
  check_memory(status, scratch);
  CHECK(status != SAT_ECROSS);
  if (status) check_refused(status, &given, hull, error);
  if (status) return false;
  check_ring(hull, given.count);
  CHECK(sat_ring_is_convex(hull->at, hull->count, NULL));
  for (size_t i = 0; i < hull->count; i++)
    for (size_t j = 0; j < given.count; j++)
      CHECK(sat_orientation(hull->at[i], hull->at[(i + 1) % hull->count], given.at[j]) >= 0);
  return true;
}

/* ---------------------------------------------------------------- a shape */

static void check_finite(const sat_Shape *shape) {
  const sat_Vec2 *vertex = vertices_of(shape);
  const sat_Edges *edges = edges_of(shape);
  for (uint32_t i = 0; i < shape->vertex_count; i++) {
    CHECK(isfinite(vertex[i].x) && isfinite(vertex[i].y));
    if (shape->vertex_count == 1) break; /* it has no edge */
    CHECK(isfinite(offset_of(edges, i)) && fabs(length(normal_of(edges, i)) - 1) < 1e-14);
  }
  CHECK(isfinite(sat_shape_rotation(shape)) && sat_shape_scale_factor(shape) > 0);
  CHECK(isfinite(sat_shape_scale_factor(shape)) && isfinite(shape->bounding_radius) &&
        isfinite(shape->l1_bound));
}

static void check_measures(const sat_Shape *shape) {
  sat_Vec2 center = sat_shape_center(shape);
  double area = sat_shape_area(shape), radius = sat_shape_radius(shape);
  CHECK(isfinite(center.x) && isfinite(center.y));
  CHECK(area >= 0 && isfinite(area));
  CHECK(radius >= 0 && isfinite(radius));
  CHECK(sat_shape_bounding_radius(shape) >= radius);
  CHECK(sat_kind_name(sat_shape_kind(shape)) != NULL);
}

static void check_bounds(const sat_Shape *shape) {
  sat_Box box = sat_shape_bounds(shape);
  double radius = sat_shape_radius(shape);
  for (size_t i = 0; i < sat_shape_vertex_count(shape); i++) {
    sat_Vec2 v = sat_shape_vertex(shape, i);
    CHECK(box.min.x <= v.x - radius && box.min.y <= v.y - radius);
    CHECK(box.max.x >= v.x + radius && box.max.y >= v.y + radius);
  }
}

static void check_shape(const sat_Shape *shape, sat_Vec2 direction) {
  check_finite(shape);
  check_measures(shape);
  check_bounds(shape);
  if ((direction.x == 0 && direction.y == 0) || !in_range(direction.x) || !in_range(direction.y))
    return;
  sat_Vec2 support = sat_shape_support(shape, direction);
  CHECK(isfinite(support.x) && isfinite(support.y));
}

static sat_Status change(Input *input, sat_Shape *shape) {
  unsigned choice = next_byte(&input->bytes) % 12;
  sat_Vec2 point = next_point(input);
  double number = next_number(input);
  switch (choice) {
  case 0: return sat_shape_move(shape, point.x, point.y);
  case 1: return sat_shape_move_to(shape, point.x, point.y);
  case 2: return sat_shape_rotate(shape, number);
  case 3: return sat_shape_rotate_about(shape, number, point);
  case 4: return sat_shape_set_rotation(shape, number);
  case 5: return sat_shape_set_rotation_about(shape, number, point);
  case 6: return sat_shape_scale(shape, number);
  case 7: return sat_shape_scale_about(shape, number, point);
  case 8: return sat_shape_transform(shape, point.x, point.y, number);
  case 9: return sat_shape_set_radius(shape, number);
  case 11: return sat_shape_scale_axes(shape, point.x, number);
  default: sat_shape_flip(shape, number > 0); return SAT_OK;
  }
}

static void change_often(Input *input, sat_Shape *shape) {
  char *before = malloc(shape->bytes);
  CHECK(before != NULL);
  for (int i = 0; i < MOST_CHANGES && input->bytes.left > 0; i++) {
    memcpy(before, shape, shape->bytes);
    sat_Status status = change(input, shape);
    CHECK(status == SAT_OK || status == SAT_ERANGE || status == SAT_EVALUE);
    if (status) CHECK(memcmp(before, shape, shape->bytes) == 0);
    check_shape(shape, next_point(input));
  }
  free(before);
}

/* Makes a shape in a block without spare bytes, so that the sanitizer sees an access past its
 * end. The block is filled first, which shows that a constructor that fails leaves it alone. */
static void make_shape(Input *input, const Points *points, bool about) {
  size_t bytes = sat_shape_bytes(points->count);
  char *block = malloc(bytes);
  CHECK(block != NULL);
  memset(block, 0x5a, bytes);
  sat_Shape *shape = (sat_Shape *)(void *)block;
  double radius = next_byte(&input->bytes) % 2 ? next_number(input) : 0;
  sat_Vec2 center = about ? next_point(input) : vec2(0, 0);
  sat_Status status = about ? sat_shape_init_about(shape, center, points->at, points->count, radius)
                            : sat_shape_init(shape, points->at, points->count, radius);
  if (status) {
    CHECK(status == SAT_ERANGE || status == SAT_EVALUE || status == SAT_EFEW);
    for (size_t i = 0; i < bytes; i++) CHECK(block[i] == 0x5a);
  } else {
    check_shape(shape, next_point(input));
    change_often(input, shape);
  }
  free(block);
}

/* Makes a shape of a convex ring, of fewer than three points as they are, or else of the hull. */
static void use(Input *input, Points *points, sat_Scratch *scratch, unsigned choice) {
  Points hull = *points;
  bool is_hull = make_hull(&hull, scratch), is_ring = clean(points, scratch);
  bool is_convex = is_ring && sat_ring_is_convex(points->at, points->count, NULL);
  if (points->count < 3 || is_convex) make_shape(input, points, choice % 2 && is_convex);
  else if (is_hull) make_shape(input, &hull, choice % 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static Points points;
  Input input = {{bytes, size}, SMALL};
  unsigned choice = next_byte(&input.bytes);
  Memory memory = {choice / 8 == 31 ? 1 : 1000, false};
  input.numbers = (Numbers)(choice / 2 % 3);
  memset(&points, 0, sizeof points);
  points.exact = input.numbers != ANY;
  points.count = next_byte(&input.bytes) + (choice & 64 ? MOST_POINTS - 255 : 0);
  for (size_t i = 0; i < points.count; i++) points.at[i] = next_point(&input);
  sat_Scratch scratch = {.allocator = {allocate, &memory}};
  use(&input, &points, &scratch, choice);
  sat_scratch_free(&scratch);
  return 0;
}
