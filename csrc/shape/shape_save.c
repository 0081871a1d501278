/* shape_save.c: writes a shape as a record, and checks records of unknown origin. */
#include "shape/record.h"

#include "base/box.h"

#include <string.h>

enum {
  SAVED_FLAGS = SAT_MIRROR_X | SAT_MIRROR_Y | SAT_SENSOR | SAT_STATIC | SAT_DISABLED | SAT_QUARTERS
};

/* ---------------------------------------------------------------- the fields of a composite */

/* The offsets of the fields that a composite has; its points, or the records of its members, come
 * last. */
enum {
  COMPOSITE_KIND_AT = 0,
  COMPOSITE_COUNT_AT = 4, /* number of points; 0 for a compound */
  COMPOSITE_PIECES_AT = 8,
  COMPOSITE_VERTICES_AT = 12,
  COMPOSITE_EDGE_BLOCKS_AT = 16,
  COMPOSITE_PIECE_FLAGS_AT = 20,
  COMPOSITE_RECORDS_AT = 24,
  COMPOSITE_DEPTH_AT = 28,
  COMPOSITE_POINTS_AT = 32
};

static uint32_t given_points(const sat_CompositeHeader *header) {
  return header->kind == SAT_COMPOUND ? 0 : header->points;
}

static void composite_write(const sat_Shape *shape, unsigned char *fields) {
  sat_CompositeBlock block = sat_composite_block((sat_Shape *)shape);
  uint32_t count = given_points(block.header);
  sat_put_32(fields + COMPOSITE_KIND_AT, block.header->kind);
  sat_put_32(fields + COMPOSITE_COUNT_AT, count);
  sat_put_32(fields + COMPOSITE_PIECES_AT, block.header->pieces);
  sat_put_32(fields + COMPOSITE_VERTICES_AT, block.header->vertices);
  sat_put_32(fields + COMPOSITE_EDGE_BLOCKS_AT, block.header->edge_blocks);
  sat_put_32(fields + COMPOSITE_PIECE_FLAGS_AT, block.header->flags);
  sat_put_32(fields + COMPOSITE_RECORDS_AT, block.header->records);
  sat_put_32(fields + COMPOSITE_DEPTH_AT, block.header->depth);
  for (size_t i = 0; i < count; i++)
    sat_put_vec2(fields + COMPOSITE_POINTS_AT + i * RECORD_POINT, block.local_vertices[i]);
  memcpy(fields + COMPOSITE_POINTS_AT, block.records, block.header->records);
}

sat_CompositeHeader sat_composite_saved_counts(const unsigned char *fields) {
  sat_CompositeHeader header = {0};
  header.kind = sat_get_32(fields + COMPOSITE_KIND_AT);
  header.pieces = sat_get_32(fields + COMPOSITE_PIECES_AT);
  header.vertices = sat_get_32(fields + COMPOSITE_VERTICES_AT);
  header.edge_blocks = sat_get_32(fields + COMPOSITE_EDGE_BLOCKS_AT);
  header.flags = sat_get_32(fields + COMPOSITE_PIECE_FLAGS_AT);
  header.records = sat_get_32(fields + COMPOSITE_RECORDS_AT);
  header.depth = sat_get_32(fields + COMPOSITE_DEPTH_AT);
  header.points =
      header.kind == SAT_COMPOUND ? header.vertices : sat_get_32(fields + COMPOSITE_COUNT_AT);
  sat_composite_count_nodes(&header);
  return header;
}

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

/* Whether `left` bytes begin with fields of consistent lengths and possible counts. The members of
 * a compound are not checked. */
static bool composite_check(const unsigned char *fields, size_t left) {
  if (left < COMPOSITE_POINTS_AT) return false;
  uint64_t count = sat_get_32(fields + COMPOSITE_COUNT_AT),
           records = sat_get_32(fields + COMPOSITE_RECORDS_AT);
  if (COMPOSITE_POINTS_AT + count * RECORD_POINT + records > left || (count > 0 && records > 0))
    return false;
  if (sat_get_32(fields + COMPOSITE_PIECES_AT) > left ||
      sat_get_32(fields + COMPOSITE_VERTICES_AT) > left)
    return false;
  sat_CompositeHeader header = sat_composite_saved_counts(fields);
  bool may_be = false;
  switch (header.kind) {
  case SAT_POLYGON: may_be = may_be_polygon(&header); break;
  case SAT_CHAIN: may_be = may_be_chain(&header); break;
  case SAT_COMPOUND: may_be = count == 0; break;
  }
  return may_be && sat_composite_bytes(&header) > 0;
}

const unsigned char *sat_composite_saved_points(const unsigned char *fields, size_t *count) {
  *count = sat_get_32(fields + COMPOSITE_COUNT_AT);
  return fields + COMPOSITE_POINTS_AT;
}

const unsigned char *sat_composite_saved_members(const unsigned char *fields, size_t *size) {
  *size = sat_get_32(fields + COMPOSITE_RECORDS_AT);
  return fields + COMPOSITE_POINTS_AT;
}

bool sat_composite_is_made_of(const sat_Shape *shape, const unsigned char *fields) {
  sat_CompositeBlock block = sat_composite_block((sat_Shape *)shape);
  sat_CompositeHeader counts = sat_composite_saved_counts(fields);
  if (!sat_composite_same_counts(block.header, &counts)) return false;
  uint32_t count = given_points(block.header);
  for (size_t i = 0; i < count; i++)
    if (!sat_is_vec2_at(fields + COMPOSITE_POINTS_AT + i * RECORD_POINT, block.local_vertices[i]))
      return false;
  return memcmp(block.records, fields + COMPOSITE_POINTS_AT, counts.records) == 0;
}

/* ---------------------------------------------------------------- all shapes */

bool sat_record_is_compound(const unsigned char *record) {
  return sat_get_32(record + RECORD_COUNT) == 0 &&
         sat_get_32(record + RECORD_VERTICES + COMPOSITE_KIND_AT) == SAT_COMPOUND;
}

size_t sat_shape_record_size(const sat_Shape *shape) {
  if (!is_composite(shape)) return RECORD_VERTICES + (size_t)shape->vertex_count * RECORD_POINT;
  const sat_CompositeHeader *header = sat_composite_header(shape);
  return RECORD_VERTICES + COMPOSITE_POINTS_AT + (size_t)given_points(header) * RECORD_POINT +
         header->records;
}

void sat_shape_write(const sat_Shape *shape, uint32_t index, unsigned char *record) {
  sat_put_32(record + RECORD_COUNT, shape->vertex_count);
  sat_put_32(record + RECORD_FLAGS, shape->flags & SAVED_FLAGS);
  sat_put_32(record + RECORD_CATEGORY, shape->category);
  sat_put_32(record + RECORD_MASK, shape->mask);
  sat_put_32(record + RECORD_GROUP, (uint32_t)shape->group);
  sat_put_32(record + RECORD_INDEX, index);
  sat_put_double(record + RECORD_RADIUS, shape->radius);
  sat_put_double(record + RECORD_ANGLE, shape->angle);
  sat_put_double(record + RECORD_SCALE, shape->scale);
  sat_put_vec2(record + RECORD_CENTROID, shape->centroid);
  sat_put_vec2(record + RECORD_LOCAL_ORIGIN, shape->local_origin);
  sat_put_vec2(record + RECORD_LOCAL_CENTROID, sat_made_centroid(shape));
  sat_put_double(record + RECORD_MASS, shape->mass);
  sat_put_vec2(record + RECORD_ONE_WAY, shape->one_way);
  sat_put_vec2(record + RECORD_AXIS_SCALE, shape->axis_scale);
  if (is_composite(shape)) composite_write(shape, record + RECORD_VERTICES);
  for (uint32_t i = 0; i < shape->vertex_count; i++)
    sat_put_vec2(record + RECORD_VERTICES + (size_t)i * RECORD_POINT, local_vertices_of(shape)[i]);
}

uint32_t sat_record_index(const unsigned char *record) { return sat_get_32(record + RECORD_INDEX); }

size_t sat_record_size(const unsigned char *record) {
  size_t count = sat_get_32(record + RECORD_COUNT);
  const unsigned char *fields = record + RECORD_VERTICES;
  if (count) return RECORD_VERTICES + count * RECORD_POINT;
  return RECORD_VERTICES + COMPOSITE_POINTS_AT +
         (size_t)sat_get_32(fields + COMPOSITE_COUNT_AT) * RECORD_POINT +
         sat_get_32(fields + COMPOSITE_RECORDS_AT);
}

size_t sat_record_block(const unsigned char *record) {
  size_t count = sat_get_32(record + RECORD_COUNT);
  if (count) return sat_shape_bytes(count);
  sat_CompositeHeader composite = sat_composite_saved_counts(record + RECORD_VERTICES);
  return sat_composite_bytes(&composite);
}

/* ---------------------------------------------------------------- checking numbers */

static bool is_vec_within(sat_Vec2 v, double limit) {
  return fabs(v.x) <= limit && fabs(v.y) <= limit;
}

static bool has_right_numbers(const unsigned char *record) {
  double radius = sat_get_double(record + RECORD_RADIUS),
         scale = sat_get_double(record + RECORD_SCALE);
  sat_Vec2 normal = sat_get_vec2(record + RECORD_ONE_WAY);
  if (sat_get_32(record + RECORD_FLAGS) & ~(uint32_t)SAVED_FLAGS) return false;
  if (!(sat_get_double(record + RECORD_MASS) > 0)) return false;
  if ((normal.x != 0 || normal.y != 0) && !(fabs(dot(normal, normal) - 1) <= SAT_RECORD_ROUNDING))
    return false;
  if (!is_axis_scale(sat_get_vec2(record + RECORD_AXIS_SCALE))) return false;
  if (!in_range(radius) || !(radius >= 0)) return false;
  if (!in_range(scale) || !(scale >= 1 / SAT_LIMIT)) return false;
  return in_range(sat_get_double(record + RECORD_ANGLE)) &&
         is_vec_within(sat_get_vec2(record + RECORD_CENTROID), SAT_LIMIT) &&
         is_vec_within(sat_get_vec2(record + RECORD_LOCAL_ORIGIN), 2 * RECORD_MOST_BOUND) &&
         is_vec_within(sat_get_vec2(record + RECORD_LOCAL_CENTROID), 2 * RECORD_MOST_BOUND);
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

static sat_CompositeHeader record_counts(const unsigned char *record) {
  uint32_t count = sat_get_32(record + RECORD_COUNT);
  if (count == 0) return sat_composite_saved_counts(record + RECORD_VERTICES);
  return (sat_CompositeHeader){
      .pieces = 1, .vertices = count, .edge_blocks = edge_block_count(count)};
}

/* Adds the counts of a member. */
static void count_member(sat_CompositeHeader *sum, const unsigned char *record) {
  sat_CompositeHeader own = record_counts(record);
  sum->pieces += own.pieces;
  sum->vertices += own.vertices;
  sum->edge_blocks += own.edge_blocks;
  sum->flags |= own.flags;
  if (own.depth >= sum->depth) sum->depth = own.depth + 1;
}

/* Whether the fields of a compound are followed by records of members that add up to its counts.
 * The number of bytes bounds the sums of the counts, so that none overflows. */
static bool are_members(const unsigned char *fields, uint32_t depth) {
  size_t left;
  const unsigned char *record = sat_composite_saved_members(fields, &left);
  sat_CompositeHeader header = sat_composite_saved_counts(fields);
  sat_CompositeHeader sum = {.kind = SAT_COMPOUND, .records = header.records, .depth = 1};
  if (left == 0 || depth >= SAT_MOST_NESTED) return false;
  while (left > 0) {
    if (!sat_record_check(record, left, depth + 1)) return false;
    count_member(&sum, record);
    if (sum.vertices > UINT32_MAX / 4) return false;
    left -= sat_record_size(record);
    record += sat_record_size(record);
  }
  sum.points = sum.vertices;
  return sat_composite_same_counts(&header, &sum);
}

/* A compound's record has no points of its own. */
bool sat_record_check(const unsigned char *record, size_t left, uint32_t depth) {
  if (left < RECORD_VERTICES || !has_right_numbers(record)) return false;
  if (depth > 0 && sat_record_index(record) != 0) return false;
  size_t count = sat_get_32(record + RECORD_COUNT);
  const unsigned char *points = record + RECORD_VERTICES;
  bool is_convex_shape = count > 0;
  if (is_convex_shape && count > (left - RECORD_VERTICES) / RECORD_POINT) return false;
  if (!is_convex_shape) {
    if (!composite_check(points, left - RECORD_VERTICES)) return false;
    if (sat_record_is_compound(record) && !are_members(points, depth)) return false;
    points = sat_composite_saved_points(points, &count);
  }
  sat_Vec2 middle = sat_get_vec2(record + RECORD_LOCAL_CENTROID);
  sat_Vec2 scale =
      mul(sat_get_vec2(record + RECORD_AXIS_SCALE), sat_get_double(record + RECORD_SCALE));
  if (count > 0 && !are_points(points, count, middle, scale)) return false;
  if (!is_convex_shape || count == 1) return true;
  return count > 2 ? is_convex(points, count)
                   : !equal_points(sat_record_point(points, 0), sat_record_point(points, 1));
}
