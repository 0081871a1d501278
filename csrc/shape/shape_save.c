/* shape_save.c: writes a shape as a record, and checks records of unknown origin. */
#include "shape/record.h"

#include "base/box.h"
#include "shape/bvh.h"

#include <string.h>

enum {
  SAVED_FLAGS = SAT_MIRROR_X | SAT_MIRROR_Y | SAT_SENSOR | SAT_STATIC | SAT_DISABLED | SAT_QUARTERS
};

/* ---------------------------------------------------------------- the layout */

enum {
  COUNTS = 32,                  /* bytes of a composite's counts */
  POINT_COUNT = RECORD_HEAD + 4 /* offset of the number of its points; 0 for a compound */
};

void sat_record_get_head(const unsigned char *record, sat_Shape *shape) {
  uint32_t word;
#define GET_WORD(field) word = sat_get_32(record), memcpy(&shape->field, &word, 4), record += 4
#define GET_NUMBER(field) shape->field = sat_get_double(record), record += 8
#define GET_VECTOR(field) shape->field = sat_get_vec2(record), record += 16
  SAT_RECORD_FIELDS(GET_WORD, GET_NUMBER, GET_VECTOR)
}

sat_CompositeHeader sat_record_counts(const unsigned char *record) {
  sat_CompositeHeader header = {0};
  uint32_t vertices = sat_get_32(record + RECORD_COUNT);
  if (vertices > 0) return sat_convex_counts(vertices);
  record += RECORD_HEAD;
#define GET_COUNT(count) header.count = sat_get_32(record), record += 4;
  SAT_COMPOSITE_COUNTS(GET_COUNT)
  if (header.kind == SAT_COMPOUND) header.points = header.vertices;
  header.nodes = sat_bvh_node_count(header.pieces);
  return header;
}

void sat_shape_write(const sat_Shape *shape, uint32_t index, unsigned char *record) {
  uint32_t word;
  unsigned char *head = record;
#define PUT_WORD(field) memcpy(&word, &shape->field, 4), sat_put_32(record, word), record += 4
#define PUT_NUMBER(field) sat_put_double(record, shape->field), record += 8
#define PUT_VECTOR(field) sat_put_vec2(record, shape->field), record += 16
  SAT_RECORD_FIELDS(PUT_WORD, PUT_NUMBER, PUT_VECTOR)
  sat_put_32(head + RECORD_FLAGS, shape->flags & SAVED_FLAGS);
  sat_put_32(head + RECORD_INDEX, index);
  sat_put_vec2(head + RECORD_LOCAL_CENTROID, sat_made_centroid(shape));
  const sat_Vec2 *points = local_vertices_of(shape);
  size_t count = shape->vertex_count;
  if (is_composite(shape)) {
    sat_CompositeBlock block = sat_composite_block((sat_Shape *)shape);
    sat_CompositeHeader counts = *block.header;
    if (counts.kind == SAT_COMPOUND) counts.points = 0;
#define PUT_COUNT(count) sat_put_32(record, counts.count), record += 4;
    SAT_COMPOSITE_COUNTS(PUT_COUNT)
    memcpy(record, block.records, counts.records);
    points = block.local_vertices;
    count = counts.points;
  }
  for (size_t i = 0; i < count; i++) sat_put_vec2(record + i * RECORD_POINT, points[i]);
}

const unsigned char *sat_record_points(const unsigned char *record, size_t *count) {
  bool is_convex = sat_get_32(record + RECORD_COUNT) > 0;
  *count = sat_get_32(record + (is_convex ? RECORD_COUNT : POINT_COUNT));
  return record + RECORD_HEAD + (is_convex ? 0 : COUNTS);
}

const unsigned char *sat_record_members(const unsigned char *record, size_t *size) {
  *size = sat_record_counts(record).records;
  return record + RECORD_HEAD + COUNTS;
}

uint32_t sat_record_index(const unsigned char *record) { return sat_get_32(record + RECORD_INDEX); }

SAT_INLINE uint64_t record_size(const sat_CompositeHeader *counts) {
  uint64_t points = counts->kind == SAT_COMPOUND ? 0 : counts->points;
  return RECORD_HEAD + (counts->kind ? COUNTS : 0u) + points * RECORD_POINT + counts->records;
}

size_t sat_record_size(const unsigned char *record) {
  sat_CompositeHeader counts = sat_record_counts(record);
  return (size_t)record_size(&counts);
}

size_t sat_shape_record_size(const sat_Shape *shape) {
  sat_CompositeHeader counts = sat_shape_counts(shape);
  return (size_t)record_size(&counts);
}

size_t sat_record_block(const unsigned char *record) {
  sat_CompositeHeader counts = sat_record_counts(record);
  return counts.kind ? sat_composite_bytes(&counts) : sat_shape_bytes(counts.vertices);
}

/* ---------------------------------------------------------------- checking numbers */

static bool is_vec_within(sat_Vec2 v, double limit) {
  return fabs(v.x) <= limit && fabs(v.y) <= limit;
}

static bool has_right_numbers(const sat_Shape *head) {
  if (head->flags & ~(uint32_t)SAVED_FLAGS || !(head->mass > 0)) return false;
  sat_Vec2 normal = head->one_way;
  if ((normal.x != 0 || normal.y != 0) && !(fabs(dot(normal, normal) - 1) <= SAT_RECORD_ROUNDING))
    return false;
  return is_axis_scale(head->axis_scale) && in_range(head->radius) && head->radius >= 0 &&
         in_range(head->scale) && head->scale >= 1 / SAT_LIMIT && in_range(head->angle) &&
         is_vec_within(head->centroid, SAT_LIMIT) &&
         is_vec_within(head->local_origin, 2 * RECORD_MOST_BOUND) &&
         is_vec_within(head->local_centroid, 2 * RECORD_MOST_BOUND);
}

/* Whether the centroid is in the box of the points, but for rounding, and no point is too far from
 * the centroid. */
static bool are_points(const unsigned char *points, size_t count, sat_Vec2 middle, sat_Vec2 scale) {
  sat_Box box = sat_no_box();
  double size = 0, bounding_radius = 0;
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 point = sat_record_point(points, i), arm = sub(point, middle);
    if (!is_vec_within(point, 2 * RECORD_MOST_BOUND)) return false;
    sat_extend_box(&box, point);
    size = max2(size, max2(fabs(point.x), fabs(point.y)));
    arm = vec2(arm.x * scale.x, arm.y * scale.y);
    bounding_radius = max2(bounding_radius, dot(arm, arm));
  }
  double error_bound = size * SAT_BOUND_ERROR;
  return middle.x >= box.min.x - error_bound && middle.x <= box.max.x + error_bound &&
         middle.y >= box.min.y - error_bound && middle.y <= box.max.y + error_bound &&
         sqrt(bounding_radius) <= RECORD_MOST_BOUND;
}

/* Whether `b` is not to the right of `a`, if each coordinate may be off by `off`. */
static bool turns_left(sat_Vec2 a, sat_Vec2 b, double off) {
  return cross(a, b) >= -off * (fabs(a.x) + fabs(a.y) + fabs(b.x) + fabs(b.y) + off);
}

/* Whether a ring is convex but for rounding: all corners turn left, and the first vertex sees all
 * others in order and on one side, since the ring could otherwise go round more than once. */
static bool is_convex(const unsigned char *points, size_t count) {
  double size = 0;
  for (size_t i = 0; i < count; i++)
    size =
        max2(size, max2(fabs(sat_record_point(points, i).x), fabs(sat_record_point(points, i).y)));
  double off = size * SAT_RECORD_ROUNDING;
  sat_Vec2 first = sat_record_point(points, 0), start = sub(sat_record_point(points, 1), first);
  sat_Vec2 a = first, b = sat_record_point(points, 1);
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 c = sat_record_point(points, (i + 2) % count);
    if (!turns_left(sub(b, a), sub(c, b), off)) return false;
    if (!turns_left(sub(a, first), sub(b, first), off)) return false;
    if (!turns_left(start, sub(a, first), off)) return false;
    a = b;
    b = c;
  }
  return true;
}

/* ---------------------------------------------------------------- checking records */

/* Checks the counts of a polygon. A piece has at least three vertices; each diagonal adds a piece
 * and two vertices. */
static bool may_be_polygon(const sat_CompositeHeader *header) {
  uint64_t points = header->points, pieces = header->pieces, vertices = header->vertices;
  if (points < 3 || points > UINT32_MAX / 4 || pieces == 0 || pieces > points - 2) return false;
  return vertices >= 3 * pieces && vertices <= points + 2 * (pieces - 1) &&
         header->edge_blocks <= vertices && header->flags == 0 && header->records == 0 &&
         header->depth == 0;
}

/* Checks the counts of a chain: a closed one has as many segments as points. */
static bool may_be_chain(const sat_CompositeHeader *header) {
  if (header->points == 0 || header->points > UINT32_MAX / 4) return false;
  sat_CompositeHeader right = sat_chain_counts(header->points, header->pieces == header->points);
  return sat_composite_same_counts(header, &right);
}

/* Whether a compound has records of members that add up to its counts. */
static bool are_members(const unsigned char *record, uint32_t depth) {
  size_t left, count;
  sat_CompositeHeader header = sat_record_counts(record);
  sat_CompositeHeader sum = {.kind = SAT_COMPOUND, .depth = 1};
  sat_record_points(record, &count);
  record = sat_record_members(record, &left);
  if (count > 0 || left == 0 || depth >= SAT_MOST_NESTED) return false;
  while (left > 0) {
    if (!sat_record_check(record, left, depth + 1)) return false;
    sat_CompositeHeader own = sat_record_counts(record);
    size_t size = sat_record_size(record);
    if (!sat_count_member(&sum, &own, size)) return false;
    left -= size;
    record += size;
  }
  return sat_composite_same_counts(&header, &sum);
}

/* A compound's record has no points of its own. */
bool sat_record_check(const unsigned char *record, size_t left, uint32_t depth) {
  sat_Shape head;
  if (left < RECORD_HEAD) return false;
  sat_record_get_head(record, &head);
  if (!has_right_numbers(&head) || (depth > 0 && head.index != 0)) return false;
  if (head.vertex_count == 0 && left < RECORD_HEAD + COUNTS) return false;
  sat_CompositeHeader counts = sat_record_counts(record);
  if (record_size(&counts) > left) return false;
  if (head.vertex_count == 0) {
    if (sat_composite_bytes(&counts) == 0) return false;
    if (counts.kind == SAT_COMPOUND) return are_members(record, depth);
    bool is_polygon = counts.kind == SAT_POLYGON && may_be_polygon(&counts);
    if (!is_polygon && !(counts.kind == SAT_CHAIN && may_be_chain(&counts))) return false;
  }
  size_t count;
  const unsigned char *points = sat_record_points(record, &count);
  if (!are_points(points, count, head.local_centroid, mul(head.axis_scale, head.scale)))
    return false;
  if (head.vertex_count > 2) return is_convex(points, count);
  return head.vertex_count != 2 ||
         !equal_points(sat_record_point(points, 0), sat_record_point(points, 1));
}
