/* shape_save.c: see shape_save.h. */
#include "shape_save.h"

#include "bytes.h"
#include "many_save.h"
#include "scratch.h"

/* Where what stands in a record. */
enum {
  COUNT = 0,
  FLAGS = 4,
  CATEGORY = 8,
  MASK = 12,
  GROUP = 16, /* and 4 bytes of 0 */
  RADIUS = 24,
  ANGLE = 32,
  SCALE = 40,
  CENTER = 48,
  ANCHOR = 64,
  MIDDLE = 80,
  POINTS = 96,
  POINT = 16
};

enum { SAVED_FLAGS = SAT_MIRROR_X | SAT_MIRROR_Y | SAT_SENSOR | SAT_STATIC | SAT_DISABLED };

/* ---------------------------------------------------------------- writing */

size_t sat_shape_record_size(const sat_Shape *shape) {
  return POINTS +
         (is_many(shape) ? sat_many_record_size(shape) : (size_t)shape->vertex_count * POINT);
}

void sat_shape_write(const sat_Shape *shape, unsigned char *record) {
  sat_put_32(record + COUNT, shape->vertex_count);
  sat_put_32(record + FLAGS, shape->flags & SAVED_FLAGS);
  sat_put_32(record + CATEGORY, shape->category);
  sat_put_32(record + MASK, shape->mask);
  sat_put_32(record + GROUP, (uint32_t)shape->group);
  sat_put_32(record + GROUP + 4, 0);
  sat_put_double(record + RADIUS, shape->radius);
  sat_put_double(record + ANGLE, shape->angle);
  sat_put_double(record + SCALE, shape->scale);
  sat_put_vec2(record + CENTER, shape->center);
  sat_put_vec2(record + ANCHOR, shape->anchor);
  sat_put_vec2(record + MIDDLE, shape->middle);
  if (is_many(shape)) sat_many_write(shape, record + POINTS);
  for (uint32_t i = 0; i < shape->vertex_count; i++)
    sat_put_vec2(record + POINTS + (size_t)i * POINT, locals_of(shape)[i]);
}

/* ---------------------------------------------------------------- checking */

/* A shape as large as the plane, turned: its vertices' distance from the centroid, and twice that
 * from what they are relative to. */
#define MOST_BOUND (3 * SAT_LIMIT)

static bool is_vec_within(sat_Vec2 v, double limit) {
  return fabs(v.x) <= limit && fabs(v.y) <= limit;
}

static bool has_right_numbers(const unsigned char *record) {
  double radius = sat_get_double(record + RADIUS), scale = sat_get_double(record + SCALE);
  if (sat_get_32(record + FLAGS) & ~(uint32_t)SAVED_FLAGS || sat_get_32(record + GROUP + 4))
    return false;
  if (!in_range(radius) || !(radius == 0 || radius >= SAT_LEAST)) return false;
  if (!in_range(scale) || !(scale >= 1 / SAT_LIMIT)) return false;
  return in_range(sat_get_double(record + ANGLE)) &&
         is_vec_within(sat_get_vec2(record + CENTER), SAT_LIMIT) &&
         is_vec_within(sat_get_vec2(record + ANCHOR), 2 * MOST_BOUND) &&
         is_vec_within(sat_get_vec2(record + MIDDLE), 2 * MOST_BOUND);
}

static bool is_coordinate(double value) {
  return fabs(value) <= 2 * MOST_BOUND && (value == 0 || fabs(value) >= SAT_LEAST);
}

/* Whether the centroid is in the vertices' box, give or take rounding, and none of them is too far
 * away from it. */
static bool is_middle(sat_Vec2 middle, double scale, const sat_Vec2 *points, size_t count) {
  sat_Vec2 low = points[0], high = points[0];
  double size = 0, bound = 0;
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 arm = sub(points[i], middle);
    if (!is_coordinate(points[i].x) || !is_coordinate(points[i].y)) return false;
    low = vec2(min2(low.x, points[i].x), min2(low.y, points[i].y));
    high = vec2(max2(high.x, points[i].x), max2(high.y, points[i].y));
    size = max2(size, max2(fabs(points[i].x), fabs(points[i].y)));
    bound = max2(bound, dot(arm, arm));
  }
  double slack = size * 0x1p-20;
  return middle.x >= low.x - slack && middle.x <= high.x + slack && middle.y >= low.y - slack &&
         middle.y <= high.y + slack && sqrt(bound) * scale <= MOST_BOUND;
}

/* Whether the edge from one point to another goes down, or to the right. */
static bool goes_down(sat_Vec2 from, sat_Vec2 to) {
  return to.y != from.y ? to.y > from.y : to.x > from.x;
}

/* All corners turn the same way, and they turn round once: the edges begin to go down once. */
static bool is_convex_ring(const sat_Vec2 *points, size_t count) {
  size_t turns = 0;
  if (!sat_ring_is_convex(points, count, NULL)) return false;
  bool down = goes_down(points[count - 1], points[0]);
  for (size_t i = 0; i < count; i++) {
    bool down_now = goes_down(points[i], points[i + 1 < count ? i + 1 : 0]);
    turns += down_now && !down;
    down = down_now;
  }
  return turns == 1;
}

static bool are_vertices(const sat_Vec2 *points, size_t count) {
  if (count == 2) return points[0].x != points[1].x || points[0].y != points[1].y;
  return count < 2 || is_convex_ring(points, count);
}

/* Where the points begin, and how many there are; or 0. */
static size_t find_points(const unsigned char *record, size_t left, size_t *count) {
  *count = sat_get_32(record + COUNT);
  if (*count > 0) return *count <= (left - POINTS) / POINT ? POINTS : 0;
  size_t at = sat_many_find_points(record + POINTS, left - POINTS, count);
  return at > 0 ? POINTS + at : 0;
}

sat_Status sat_shape_check(const unsigned char *record, size_t left, sat_Scratch *scratch,
                           size_t *size) {
  size_t count, at = left < POINTS ? 0 : find_points(record, left, &count);
  if (at == 0 || !has_right_numbers(record)) return SAT_ESAVED;
  sat_Vec2 *points = sat_scratch_reserve(scratch, count * sizeof *points);
  if (!points) return SAT_ENOMEM;
  for (size_t i = 0; i < count; i++) points[i] = sat_get_vec2(record + at + i * POINT);
  sat_Vec2 middle = sat_get_vec2(record + MIDDLE);
  if (!is_middle(middle, sat_get_double(record + SCALE), points, count)) return SAT_ESAVED;
  *size = sat_record_size(record);
  bool is_right = sat_get_32(record + COUNT) ? are_vertices(points, count)
                                             : sat_many_are_parts(record + POINTS, points);
  return is_right ? SAT_OK : SAT_ESAVED;
}

/* ---------------------------------------------------------------- reading */

size_t sat_record_size(const unsigned char *record) {
  size_t count = sat_get_32(record + COUNT);
  return POINTS + (count ? count * POINT : sat_many_record_length(record + POINTS));
}

size_t sat_record_block(const unsigned char *record) {
  size_t count = sat_get_32(record + COUNT);
  return count ? sat_shape_bytes(count) : sat_many_record_block(record + POINTS);
}

void sat_shape_read(const unsigned char *record, sat_Shape *block) {
  sat_Shape head = {.owner = block->owner};
  uint32_t count = sat_get_32(record + COUNT), group = sat_get_32(record + GROUP);
  head.bytes = (uint32_t)sat_record_block(record);
  head.vertex_count = count;
  head.flags = sat_get_32(record + FLAGS);
  head.category = sat_get_32(record + CATEGORY);
  head.mask = sat_get_32(record + MASK);
  memcpy(&head.group, &group, sizeof group);
  head.radius = sat_get_double(record + RADIUS);
  head.angle = sat_get_double(record + ANGLE);
  head.scale = sat_get_double(record + SCALE);
  head.center = sat_get_vec2(record + CENTER);
  head.anchor = sat_get_vec2(record + ANCHOR);
  head.middle = sat_get_vec2(record + MIDDLE);
  *block = head;
  if (is_many(block)) sat_many_read(record + POINTS, block);
  sat_Vec2 *local = sat_shape_locals(block);
  for (uint32_t i = 0; i < count; i++) local[i] = sat_get_vec2(record + POINTS + (size_t)i * POINT);
  sat_shape_derive(block);
}
