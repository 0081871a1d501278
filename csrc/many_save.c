/* many_save.c: see many_save.h. */
#include "many_save.h"

#include "bytes.h"

/* Where what stands in a record. */
enum {
  PARTS = 0,
  VERTICES = 4,
  POINTS = 8,
  KIND = 12,
  ROUNDS = 16,
  FLAGS = 20,
  LENGTH = 24,
  AREA = 32,
  PERIMETER = 40,
  HEAD = 48,
  PART = 16, /* how many vertices, the flags, and the radius */
  PART_FLAGS = 4,
  PART_RADIUS = 8,
  POINT = 16
};

/* A vertex is the index of its point, with these bits if the edge from it on is an inner one, and if
 * the parts about it fill more than a half turn. */
#define INNER ((uint32_t)1 << 31)
#define BURIED ((uint32_t)1 << 30)
#define BITS (INNER | BURIED)

static size_t vertices_at(const unsigned char *record) {
  return HEAD + (size_t)sat_get_32(record + PARTS) * PART;
}

/* Two vertices make up a word. */
static size_t points_at(const unsigned char *record) {
  return vertices_at(record) + ((size_t)sat_get_32(record + VERTICES) + 1) / 2 * 8;
}

/* Behind the points of a compound that holds chains is which of them follows each. */
static size_t follow_at(const unsigned char *record) {
  return points_at(record) + (size_t)sat_get_32(record + POINTS) * POINT;
}

static uint32_t followers_in(const unsigned char *record) {
  bool any = sat_get_32(record + KIND) == SAT_COMPOUND && sat_get_32(record + FLAGS) & SAT_JOINED;
  return any ? sat_get_32(record + POINTS) : 0;
}

size_t sat_many_record_length(const unsigned char *record) {
  return follow_at(record) + ((size_t)followers_in(record) + 1) / 2 * 8;
}

/* ---------------------------------------------------------------- writing */

size_t sat_many_record_size(const sat_Shape *shape) {
  const sat_Many *many = sat_many_of(shape);
  uint32_t followers = sat_many_block((sat_Shape *)shape).follow ? many->points : 0;
  return HEAD + (size_t)many->parts * PART + ((size_t)many->vertices + 1) / 2 * 8 +
         (size_t)many->points * POINT + ((size_t)followers + 1) / 2 * 8;
}

static void write_head(const sat_Shape *shape, const sat_Many *many, unsigned char *record) {
  sat_put_32(record + PARTS, many->parts);
  sat_put_32(record + VERTICES, many->vertices);
  sat_put_32(record + POINTS, many->points);
  sat_put_32(record + KIND, many->kind);
  sat_put_32(record + ROUNDS, many->rounds);
  sat_put_32(record + FLAGS, many->flags);
  sat_put_double(record + LENGTH, many->length);
  sat_put_double(record + AREA, shape->area);
  sat_put_double(record + PERIMETER, shape->perimeter);
}

void sat_many_write(const sat_Shape *shape, unsigned char *record) {
  sat_ManyBlock block = sat_many_block((sat_Shape *)shape);
  write_head(shape, block.many, record);
  unsigned char *vertex = record + vertices_at(record), *point = record + points_at(record);
  if (block.many->vertices % 2) sat_put_32(point - 4, 0);
  for (uint32_t i = 0; i < block.many->parts; i++) {
    const sat_Part *part = &block.parts[i];
    unsigned char *to = record + HEAD + (size_t)i * PART;
    sat_put_32(to, part->count);
    sat_put_32(to + PART_FLAGS, part->flags);
    sat_put_double(to + PART_RADIUS, part->own_radius);
    for (uint32_t k = part->first; k < part->first + part->count; k++, vertex += 4)
      sat_put_32(vertex, block.index[k] | (block.own_inner[k] ? INNER : 0) |
                             (block.own_buried[k] ? BURIED : 0));
  }
  for (uint32_t i = 0; i < block.many->points; i++, point += POINT)
    sat_put_vec2(point, block.locals[i]);
  if (!block.follow) return;
  for (uint32_t i = 0; i < block.many->points; i++, point += 4) sat_put_32(point, block.follow[i]);
  if (block.many->points % 2) sat_put_32(point, 0);
}

/* ---------------------------------------------------------------- looking through */

static sat_Many counts_in(const unsigned char *record) {
  sat_Many many = {0};
  many.parts = sat_get_32(record + PARTS);
  many.vertices = sat_get_32(record + VERTICES);
  many.points = sat_get_32(record + POINTS);
  many.kind = sat_get_32(record + KIND);
  many.rounds = sat_get_32(record + ROUNDS);
  many.flags = sat_get_32(record + FLAGS);
  many.ring = many.kind == SAT_POLYGON;
  many.length = sat_get_double(record + LENGTH);
  for (uint32_t i = 0; i < many.parts; i++)
    many.fours += fours_of(sat_get_32(record + HEAD + (size_t)i * PART));
  sat_many_count_nodes(&many);
  return many;
}

/* Of a length or an area; each part has less than so much of it. */
#define MOST_MEASURE (64 * SAT_LIMIT * SAT_LIMIT)

static bool are_measures(const unsigned char *record) {
  double most = sat_get_32(record + PARTS) * MOST_MEASURE;
  for (int at = LENGTH; at < HEAD; at += 8) {
    double measure = sat_get_double(record + at);
    if (!(measure >= 0 && measure <= most)) return false;
  }
  return true;
}

/* Only the parts of a compound have radii of their own. */
static bool is_radius(double radius, uint32_t kind) {
  return radius == 0 || (kind == SAT_COMPOUND && radius >= SAT_LEAST && in_range(radius));
}

/* A chain's flags follow from how much there is of it, a compound's parts have no others than the
 * whole, and only segments have any. */
static bool are_flags(const unsigned char *record) {
  uint32_t parts = sat_get_32(record + PARTS), points = sat_get_32(record + POINTS);
  uint32_t kind = sat_get_32(record + KIND), flags = sat_get_32(record + FLAGS);
  uint32_t right = flags & (SAT_JOINED | SAT_ONE_SIDED);
  if (kind == SAT_POLYGON) right = 0;
  if (kind == SAT_CHAIN)
    right = (parts > 1 ? SAT_JOINED : 0) | (parts == points && points > 2 ? SAT_ONE_SIDED : 0);
  if (flags != right) return false;
  for (uint32_t i = 0; i < parts; i++) {
    const unsigned char *part = record + HEAD + (size_t)i * PART;
    uint32_t own = sat_get_32(part + PART_FLAGS), most = flags;
    if (kind == SAT_COMPOUND && own & SAT_ONE_SIDED) most |= SAT_BACKWARD;
    if (kind == SAT_CHAIN ? own != flags : (own & most) != own) return false;
    if (own && sat_get_32(part) != 2) return false;
  }
  return true;
}

/* All parts together have as many vertices as was said. */
static bool add_up(const unsigned char *record) {
  uint64_t vertices = 0;
  uint32_t parts = sat_get_32(record + PARTS), kind = sat_get_32(record + KIND);
  for (uint32_t i = 0; i < parts; i++) {
    const unsigned char *part = record + HEAD + (size_t)i * PART;
    uint32_t count = sat_get_32(part);
    if (count == 0 || !is_radius(sat_get_double(part + PART_RADIUS), kind)) return false;
    vertices += count;
  }
  return vertices == sat_get_32(record + VERTICES);
}

size_t sat_many_find_points(const unsigned char *record, size_t left, size_t *count) {
  if (left < HEAD) return 0;
  uint64_t parts = sat_get_32(record + PARTS), vertices = sat_get_32(record + VERTICES),
           points = sat_get_32(record + POINTS);
  uint64_t size = HEAD + parts * PART + (vertices + 1) / 2 * 8 + points * POINT;
  size += ((uint64_t)followers_in(record) + 1) / 2 * 8;
  uint32_t kind = sat_get_32(record + KIND);
  if (size > left || parts == 0 || points == 0 || !add_up(record)) return 0;
  if (kind != SAT_POLYGON && kind != SAT_CHAIN && kind != SAT_COMPOUND) return 0;
  if (sat_get_32(record + ROUNDS) > points || !are_flags(record)) return 0;
  if (!are_measures(record)) return 0;
  *count = (size_t)points;
  return points_at(record);
}

/* A polygon's parts and a compound's have been rounded: by so much, in relation to the largest
 * coordinate, a vertex may be elsewhere. */
#define ROUNDED 0x1p-48

/* Whether `b` is not to the right of `a`, if each of them may be so far off. */
static bool turns_left(sat_Vec2 a, sat_Vec2 b, double off) {
  return cross(a, b) >= -off * (fabs(a.x) + fabs(a.y) + fabs(b.x) + fabs(b.y) + off);
}

/* A convex part's corners turn left, and from the first of them all others are to be seen in order
 * and on one side, or else it would go round more than once. */
static bool is_convex_part(const unsigned char *vertex, uint32_t count, const sat_Vec2 *points,
                           double off) {
#define POINT_OF(i) points[sat_get_32(vertex + 4 * (size_t)((i) % count)) & ~BITS]
  sat_Vec2 first = POINT_OF(0), start = sub(POINT_OF(1), first);
  for (uint32_t i = 0; count > 2 && i < count; i++) {
    sat_Vec2 a = POINT_OF(i), b = POINT_OF(i + 1), c = POINT_OF(i + 2);
    if (!turns_left(sub(b, a), sub(c, b), off)) return false;
    if (!turns_left(sub(a, first), sub(b, first), off)) return false;
    if (!turns_left(start, sub(a, first), off)) return false;
  }
  return true;
#undef POINT_OF
}

/* A chain has no inner edges. Of other shapes any edge may be one: which are does not matter to
 * anything but how good the answers are, as where the points are does. */
static bool are_indices(const unsigned char *vertex, uint32_t count, uint32_t points, bool chain) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index = sat_get_32(vertex + 4 * (size_t)i);
    if ((chain ? index : index & ~BITS) >= points) return false;
  }
  return count % 2 == 0 || sat_get_32(vertex + 4 * (size_t)count) == 0;
}

/* A chain's segments are each from a point to the next. */
static bool are_in_a_row(const unsigned char *record) {
  const unsigned char *vertex = record + vertices_at(record);
  uint32_t parts = sat_get_32(record + PARTS), points = sat_get_32(record + POINTS);
  if (points == 1) return parts == 1 && sat_get_32(record + HEAD) == 1;
  if (parts != points && parts != points - 1) return false;
  for (uint32_t i = 0; i < parts; i++, vertex += 8) {
    uint32_t start = sat_get_32(vertex), end = sat_get_32(vertex + 4);
    if (sat_get_32(record + HEAD + (size_t)i * PART) != 2) return false;
    if (start >= parts || end != (start + 1) % points) return false;
  }
  return true;
}

static bool are_followers(const unsigned char *record) {
  const unsigned char *follow = record + follow_at(record);
  uint32_t count = followers_in(record), points = sat_get_32(record + POINTS);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t point = sat_get_32(follow + 4 * (size_t)i);
    if (point >= points && point != SAT_CHAIN_END) return false;
  }
  return count % 2 == 0 || sat_get_32(follow + 4 * (size_t)count) == 0;
}

bool sat_many_are_parts(const unsigned char *record, const sat_Vec2 *points) {
  const unsigned char *vertex = record + vertices_at(record);
  uint32_t parts = sat_get_32(record + PARTS), all = sat_get_32(record + POINTS);
  bool chain = sat_get_32(record + KIND) == SAT_CHAIN;
  double size = 0;
  if (!are_indices(vertex, sat_get_32(record + VERTICES), all, chain)) return false;
  if (!are_followers(record) || (chain && !are_in_a_row(record))) return false;
  for (uint32_t i = 0; i < all; i++) size = max2(size, max2(fabs(points[i].x), fabs(points[i].y)));
  for (uint32_t i = 0; i < parts; i++) {
    uint32_t count = sat_get_32(record + HEAD + (size_t)i * PART);
    if (!is_convex_part(vertex, count, points, size * ROUNDED)) return false;
    vertex += 4 * (size_t)count;
  }
  return sat_many_record_block(record) > 0;
}

/* ---------------------------------------------------------------- reading */

size_t sat_many_record_block(const unsigned char *record) {
  sat_Many many = counts_in(record);
  return sat_many_bytes(&many);
}

void sat_many_read(const unsigned char *record, sat_Shape *block) {
  sat_Many many = counts_in(record);
  const unsigned char *vertex = record + vertices_at(record), *point = record + points_at(record);
  sat_ManyBlock to = sat_many_lay_out(block, &many);
  uint32_t parts = 0;
  while (parts < many.parts) {
    const unsigned char *part = record + HEAD + (size_t)parts * PART;
    uint32_t count = sat_get_32(part),
             first = sat_many_add_part(&to, &parts, count, sat_get_double(part + PART_RADIUS));
    to.parts[parts - 1].flags = sat_get_32(part + PART_FLAGS);
    for (uint32_t k = first; k < first + count; k++, vertex += 4) {
      to.index[k] = sat_get_32(vertex) & ~BITS;
      to.own_inner[k] = sat_get_32(vertex) & INNER;
      to.own_buried[k] = sat_get_32(vertex) & BURIED;
    }
  }
  for (uint32_t i = 0; i < many.points; i++) to.locals[i] = sat_get_vec2(point + (size_t)i * POINT);
  for (uint32_t i = 0; to.follow && i < many.points; i++)
    to.follow[i] = sat_get_32(record + follow_at(record) + 4 * (size_t)i);
  block->area = sat_get_double(record + AREA);
  block->perimeter = sat_get_double(record + PERIMETER);
}
