/* shape_save.c: writes shapes as records, checks records, and makes or restores shapes from
 * them. */
#include "shape/shape_save.h"

#include "base/byte_order.h"
#include "shape/composite_save.h"
#include "base/memory.h"

/* Offsets in a record. */
enum {
  SHAPE_SAVE_COUNT = 0, /* number of vertices; 0 for a composite */
  SAVED_SHAPE_FLAGS = 4,
  CATEGORY = 8,
  MASK = 12,
  GROUP = 16, /* and 4 bytes of 0 */
  RADIUS = 24,
  ANGLE = 32,
  SAVED_SCALE = 40,
  CENTER = 48,
  ANCHOR = 64,
  MIDDLE = 80,
  MASS = 96,
  ONE_WAY_NORMAL = 104,
  SAVED_VERTICES = 120,
  SAVED_ONE_POINT = 16
};

enum {
  SAVED_FLAGS = SAT_MIRROR_X | SAT_MIRROR_Y | SAT_SENSOR | SAT_STATIC | SAT_DISABLED | SAT_QUARTERS
};

static bool is_compound(const unsigned char *record) {
  return sat_get_32(record + SHAPE_SAVE_COUNT) == 0 &&
         sat_composite_saved_is_compound(record + SAVED_VERTICES);
}

/* ---------------------------------------------------------------- writing */

size_t sat_shape_record_size(const sat_Shape *shape) {
  return SAVED_VERTICES + (is_composite(shape) ? sat_composite_record_size(shape)
                                               : (size_t)shape->vertex_count * SAVED_ONE_POINT);
}

void sat_shape_write(const sat_Shape *shape, unsigned char *record) {
  sat_put_32(record + SHAPE_SAVE_COUNT, shape->vertex_count);
  sat_put_32(record + SAVED_SHAPE_FLAGS, shape->flags & SAVED_FLAGS);
  sat_put_32(record + CATEGORY, shape->category);
  sat_put_32(record + MASK, shape->mask);
  sat_put_32(record + GROUP, (uint32_t)shape->group);
  sat_put_32(record + GROUP + 4, 0);
  sat_put_double(record + RADIUS, shape->radius);
  sat_put_double(record + ANGLE, shape->angle);
  sat_put_double(record + SAVED_SCALE, shape->scale);
  sat_put_vec2(record + CENTER, shape->centroid);
  sat_put_vec2(record + ANCHOR, shape->local_origin);
  sat_put_vec2(record + MIDDLE, shape->local_centroid);
  sat_put_double(record + MASS, shape->mass);
  sat_put_vec2(record + ONE_WAY_NORMAL, shape->one_way);
  if (is_composite(shape)) sat_composite_write(shape, record + SAVED_VERTICES);
  for (uint32_t i = 0; i < shape->vertex_count; i++)
    sat_put_vec2(record + SAVED_VERTICES + (size_t)i * SAVED_ONE_POINT,
                 local_vertices_of(shape)[i]);
}

/* ---------------------------------------------------------------- checking */

/* Compounds keep SAT_MOST_BOUND, whatever shape keeps it as it turns but for rounding. */
#define MOST_BOUND (SAT_MOST_BOUND * (1 + SAT_BOUND_ERROR))

static bool is_vec_within(sat_Vec2 v, double limit) {
  return fabs(v.x) <= limit && fabs(v.y) <= limit;
}

static bool has_right_normal(sat_Vec2 normal) {
  return (normal.x == 0 && normal.y == 0) || fabs(dot(normal, normal) - 1) <= SAT_RECORD_ROUNDING;
}

static bool has_right_numbers(const unsigned char *record) {
  double radius = sat_get_double(record + RADIUS), scale = sat_get_double(record + SAVED_SCALE);
  if (sat_get_32(record + SAVED_SHAPE_FLAGS) & ~(uint32_t)SAVED_FLAGS ||
      sat_get_32(record + GROUP + 4))
    return false;
  if (!(sat_get_double(record + MASS) > 0)) return false;
  if (!has_right_normal(sat_get_vec2(record + ONE_WAY_NORMAL))) return false;
  if (!in_range(radius) || !(radius >= 0)) return false;
  if (!in_range(scale) || !(scale >= 1 / SAT_LIMIT)) return false;
  return in_range(sat_get_double(record + ANGLE)) &&
         is_vec_within(sat_get_vec2(record + CENTER), SAT_LIMIT) &&
         is_vec_within(sat_get_vec2(record + ANCHOR), 2 * MOST_BOUND) &&
         is_vec_within(sat_get_vec2(record + MIDDLE), 2 * MOST_BOUND);
}

static sat_Vec2 point_at(const unsigned char *points, size_t index) {
  return sat_get_vec2(points + index * SAVED_ONE_POINT);
}

/* Whether the centroid is in the points' box, give or take rounding, and none of them is too far
 * away from it. */
static bool are_points(const unsigned char *points, size_t count, sat_Vec2 middle, double scale) {
  sat_Vec2 low = vec2(HUGE_VAL, HUGE_VAL), high = vec2(-HUGE_VAL, -HUGE_VAL);
  double size = 0, bounding_radius = 0;
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 point = point_at(points, i), arm = sub(point, middle);
    if (!is_vec_within(point, 2 * MOST_BOUND)) return false;
    low = vec2(min2(low.x, point.x), min2(low.y, point.y));
    high = vec2(max2(high.x, point.x), max2(high.y, point.y));
    size = max2(size, max2(fabs(point.x), fabs(point.y)));
    bounding_radius = max2(bounding_radius, dot(arm, arm));
  }
  double error_bound = size * SAT_BOUND_ERROR;
  return middle.x >= low.x - error_bound && middle.x <= high.x + error_bound &&
         middle.y >= low.y - error_bound && middle.y <= high.y + error_bound &&
         sqrt(bounding_radius) * scale <= MOST_BOUND;
}

/* The vertices of a piece of a turned shape are rounded, which may be done again and again: by so
 * much, in relation to the largest coordinate, they may be elsewhere. */
#define ROUNDED SAT_RECORD_ROUNDING

/* Whether `b` is not to the right of `a`, if each of them may be so far off. */
static bool turns_left(sat_Vec2 a, sat_Vec2 b, double off) {
  return cross(a, b) >= -off * (fabs(a.x) + fabs(a.y) + fabs(b.x) + fabs(b.y) + off);
}

/* All corners turn left, and from the first of them all others are to be seen in order and on one
 * side, or else they would go round more than once. */
static bool is_convex(const unsigned char *points, size_t count) {
  double size = 0;
  for (size_t i = 0; i < count; i++)
    size = max2(size, max2(fabs(point_at(points, i).x), fabs(point_at(points, i).y)));
  double off = size * ROUNDED;
  sat_Vec2 first = point_at(points, 0), start = sub(point_at(points, 1), first);
  sat_Vec2 a = first, b = point_at(points, 1);
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 c = point_at(points, (i + 2) % count);
    if (!turns_left(sub(b, a), sub(c, b), off)) return false;
    if (!turns_left(sub(a, first), sub(b, first), off)) return false;
    if (!turns_left(start, sub(a, first), off)) return false;
    a = b;
    b = c;
  }
  return true;
}

static bool are_vertices(const unsigned char *points, size_t count) {
  if (count == 1) return true;
  if (count > 2) return is_convex(points, count);
  sat_Vec2 from = point_at(points, 0), to = point_at(points, 1);
  return from.x != to.x || from.y != to.y;
}

/* A compound's record has no points of its own. */
bool sat_record_check(const unsigned char *record, size_t left, uint32_t depth) {
  if (left < SAVED_VERTICES || !has_right_numbers(record)) return false;
  size_t count = sat_get_32(record + SHAPE_SAVE_COUNT);
  const unsigned char *points = record + SAVED_VERTICES;
  bool is_convex_shape = count > 0;
  if (is_convex_shape && count > (left - SAVED_VERTICES) / SAVED_ONE_POINT) return false;
  if (!is_convex_shape) {
    if (!sat_composite_check(points, left - SAVED_VERTICES, depth)) return false;
    points = sat_composite_saved_points(points, &count);
  }
  sat_Vec2 middle = sat_get_vec2(record + MIDDLE);
  if (count > 0 && !are_points(points, count, middle, sat_get_double(record + SAVED_SCALE)))
    return false;
  return !is_convex_shape || are_vertices(points, count);
}

/* ---------------------------------------------------------------- sizes */

size_t sat_record_size(const unsigned char *record) {
  size_t count = sat_get_32(record + SHAPE_SAVE_COUNT);
  return SAVED_VERTICES +
         (count ? count * SAVED_ONE_POINT : sat_composite_saved_size(record + SAVED_VERTICES));
}

sat_CompositeHeader sat_record_counts(const unsigned char *record) {
  uint32_t count = sat_get_32(record + SHAPE_SAVE_COUNT);
  if (count == 0) return sat_composite_saved_counts(record + SAVED_VERTICES);
  return (sat_CompositeHeader){
      .pieces = 1, .vertices = count, .edge_blocks = edge_block_count(count)};
}

size_t sat_record_block(const unsigned char *record) {
  size_t count = sat_get_32(record + SHAPE_SAVE_COUNT);
  if (count) return sat_shape_bytes(count);
  sat_CompositeHeader composite = sat_composite_saved_counts(record + SAVED_VERTICES);
  return sat_composite_bytes(&composite);
}

/* ---------------------------------------------------------------- the members of a compound */

/* A compound's members are made behind one another in memory, those of a member where the next one
 * will be; then come pointers to them, and behind these a member is made that is itself a compound,
 * before it moves to its place. */
typedef struct Members {
  const unsigned char *record, *end;
} Members;

static Members members_of(const unsigned char *record) {
  size_t size;
  const unsigned char *first = sat_composite_saved_members(record + SAVED_VERTICES, &size);
  return (Members){first, first + size};
}

/* Returns the next member's record, or NULL. */
static const unsigned char *next_member(Members *members) {
  const unsigned char *record = members->record;
  if (record == members->end) return NULL;
  members->record += sat_record_size(record);
  return record;
}

static size_t aligned(size_t bytes) { return (bytes + 15) / 16 * 16; }

/* The memory for making a member, its block included. */
static size_t memory_inside(const unsigned char *record) {
  return sat_record_memory(record) + aligned(sat_record_block(record));
}

size_t sat_record_memory(const unsigned char *record) {
  if (!is_compound(record)) return 0;
  Members members = members_of(record);
  size_t most = 0, held = 0, pointers = 0;
  for (const unsigned char *member; (member = next_member(&members)) != NULL;) {
    size_t inside = memory_inside(member);
    if (held + inside > most) most = held + inside;
    held += aligned(sat_record_block(member));
    pointers += sizeof(sat_Shape *);
  }
  return held + aligned(pointers) > most ? held + aligned(pointers) : most;
}

/* ---------------------------------------------------------------- reading */

static void set_head(const unsigned char *record, sat_Shape *shape) {
  uint32_t group = sat_get_32(record + GROUP);
  shape->flags = sat_get_32(record + SAVED_SHAPE_FLAGS);
  shape->category = sat_get_32(record + CATEGORY);
  shape->mask = sat_get_32(record + MASK);
  memcpy(&shape->group, &group, sizeof group);
  shape->radius = sat_get_double(record + RADIUS);
  shape->angle = sat_get_double(record + ANGLE);
  shape->scale = sat_get_double(record + SAVED_SCALE);
  shape->centroid = sat_get_vec2(record + CENTER);
  shape->local_origin = sat_get_vec2(record + ANCHOR);
  shape->local_centroid = sat_get_vec2(record + MIDDLE);
  shape->mass = sat_get_double(record + MASS);
  shape->one_way = sat_get_vec2(record + ONE_WAY_NORMAL);
}

static void read_convex(const unsigned char *record, sat_Shape *block) {
  size_t count = sat_get_32(record + SHAPE_SAVE_COUNT);
  sat_init_head(block, sat_shape_bytes(count), count, 0);
  sat_Vec2 *local = sat_shape_local_vertices(block);
  for (size_t i = 0; i < count; i++) local[i] = point_at(record + SAVED_VERTICES, i);
  set_head(record, block);
  sat_shape_derive(block);
}

static sat_Status read_many(const unsigned char *record, sat_Shape *block, sat_Scratch *scratch) {
  sat_Status status = sat_composite_read(record + SAVED_VERTICES, block, scratch);
  if (status) return status;
  set_head(record, block);
  sat_sine_cosine(block->angle, &block->sine, &block->cosine);
  sat_composite_finish(block);
  return block->bounding_radius <= MOST_BOUND ? SAT_OK : SAT_ESAVED;
}

static sat_Status read_at(const unsigned char *record, void *memory, sat_Scratch *scratch);

/* Makes the members, and a list of them behind them. */
static sat_Status read_members(const unsigned char *record, char *memory, sat_Scratch *scratch,
                               const sat_Shape *const **list, size_t *count) {
  Members members = members_of(record), again = members;
  char *at = memory;
  size_t made = 0;
  for (const unsigned char *member; (member = next_member(&members)) != NULL; made++) {
    sat_Status status = read_at(member, at, scratch);
    if (status) return status;
    at += aligned(sat_record_block(member));
  }
  const sat_Shape **places = (const sat_Shape **)(void *)at;
  for (size_t i = 0; i < made; i++) {
    places[i] = (const sat_Shape *)(void *)memory;
    memory += aligned(sat_record_block(next_member(&again)));
  }
  *list = places;
  *count = made;
  return SAT_OK;
}

/* Makes a compound as its constructor did. `block` is NULL where it is to stand behind the list. */
static sat_Status read_compound(const unsigned char *record, sat_Shape **block, void *memory,
                                sat_Scratch *scratch) {
  const sat_Shape *const *members;
  size_t count;
  sat_Status status = read_members(record, memory, scratch, &members, &count);
  if (status) return status;
  if (!*block) *block = (sat_Shape *)((char *)members + aligned(count * sizeof(sat_Shape *)));
  if (sat_compound_bytes(members, count) != sat_record_block(record)) return SAT_ESAVED;
  if (sat_compound_init(*block, members, count) != SAT_OK) return SAT_ESAVED;
  if (!sat_is_vec2_at(record + MIDDLE, (*block)->local_centroid)) return SAT_ESAVED;
  sat_shape_restore(record, *block);
  return (*block)->bounding_radius <= MOST_BOUND ? SAT_OK : SAT_ESAVED;
}

/* Makes a shape that is no compound. */
static sat_Status read_single(const unsigned char *record, sat_Shape *block, sat_Scratch *scratch) {
  if (!sat_get_32(record + SHAPE_SAVE_COUNT)) return read_many(record, block, scratch);
  read_convex(record, block);
  return SAT_OK;
}

/* Makes a member at the start of the memory. */
static sat_Status read_at(const unsigned char *record, void *memory, sat_Scratch *scratch) {
  sat_Shape *made = NULL;
  if (!is_compound(record)) return read_single(record, memory, scratch);
  sat_Status status = read_compound(record, &made, memory, scratch);
  if (!status) memmove(memory, made, made->bytes);
  return status;
}

sat_Status sat_shape_read(const unsigned char *record, sat_Shape *block, void *memory,
                          sat_Scratch *scratch) {
  void *owner = block->owner;
  sat_Status status = is_compound(record) ? read_compound(record, &block, memory, scratch)
                                          : read_single(record, block, scratch);
  block->owner = owner;
  return status;
}

/* ---------------------------------------------------------------- restoring */

bool sat_record_is_of(const unsigned char *record, const sat_Shape *shape) {
  if (sat_get_32(record + SHAPE_SAVE_COUNT) != shape->vertex_count) return false;
  if (!is_composite(shape)) return true;
  return sat_is_vec2_at(record + MIDDLE, shape->local_centroid) &&
         sat_composite_is_made_of(shape, record + SAVED_VERTICES);
}

/* Whether all that the vertices follow from is the same, but for where the shape is. */
static bool stands_the_same(const unsigned char *record, const sat_Shape *shape) {
  const uint32_t arcs = SAT_MIRROR_X | SAT_MIRROR_Y | SAT_QUARTERS;
  bool same = ((sat_get_32(record + SAVED_SHAPE_FLAGS) ^ shape->flags) & arcs) == 0 &&
              sat_is_double_at(record + ANGLE, shape->angle) &&
              sat_is_double_at(record + SAVED_SCALE, shape->scale) &&
              sat_is_vec2_at(record + MIDDLE, shape->local_centroid);
  for (size_t i = 0; same && i < shape->vertex_count; i++)
    same =
        sat_is_vec2_at(record + SAVED_VERTICES + i * SAVED_ONE_POINT, local_vertices_of(shape)[i]);
  return same;
}

void sat_shape_restore(const unsigned char *record, sat_Shape *shape) {
  SAT_ASSERT(sat_record_is_of(record, shape) &&
             sat_shape_record_size(shape) == sat_record_size(record));
  bool same = stands_the_same(record, shape), turned = shape->flags & SAT_TRANSFORMED;
  set_head(record, shape);
  if (same) {
    shape->flags |= turned ? SAT_TRANSFORMED : 0;
    shape->origin = turned ? shape->centroid : shape->local_origin;
    return;
  }
  for (size_t i = 0; i < shape->vertex_count; i++)
    sat_shape_local_vertices(shape)[i] = point_at(record + SAVED_VERTICES, i);
  sat_shape_derive(shape);
}
