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
  POINT = 16
};

/* A part: its vertices, what it is in a chain, 4 bytes of 0, and its radius. */
enum { FIRST = 0, COUNT = 4, ROLE = 8, RADIUS = 16, PART = 24 };

/* A vertex is the index of its point, with these bits if the edge from it on is an inner one, and if
 * it is buried itself. */
#define INNER ((uint32_t)1 << 31)
#define BURIED ((uint32_t)1 << 30)
#define MARKS (INNER | BURIED)

static const unsigned char *part_at(const unsigned char *record, uint32_t index) {
  return record + HEAD + (size_t)index * PART;
}

static size_t vertices_at(const unsigned char *record) {
  return HEAD + (size_t)sat_get_32(record + PARTS) * PART;
}

/* Vertices, and behind them what is beyond them if they have joints; two of these make up a word. */
static size_t vertex_size(uint64_t vertices, uint32_t flags) {
  return (size_t)((vertices * (flags & SAT_JOINED ? 2 : 1) + 1) / 2 * 8);
}

static size_t points_at(const unsigned char *record) {
  return vertices_at(record) +
         vertex_size(sat_get_32(record + VERTICES), sat_get_32(record + FLAGS));
}

size_t sat_many_record_length(const unsigned char *record) {
  return points_at(record) + (size_t)sat_get_32(record + POINTS) * POINT;
}

/* ---------------------------------------------------------------- writing */

size_t sat_many_record_size(const sat_Shape *shape) {
  const sat_Many *many = sat_many_of(shape);
  return HEAD + (size_t)many->parts * PART + vertex_size(many->vertices, many->flags) +
         (size_t)many->points * POINT;
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

static void write_part(const sat_Part *part, unsigned char *to) {
  sat_put_32(to + FIRST, part->first);
  sat_put_32(to + COUNT, part->count);
  sat_put_32(to + ROLE, part->flags);
  sat_put_32(to + ROLE + 4, 0);
  sat_put_double(to + RADIUS, part->own_radius);
}

void sat_many_write(const sat_Shape *shape, unsigned char *record) {
  sat_ManyBlock block = sat_many_block((sat_Shape *)shape);
  uint32_t vertices = block.many->vertices;
  write_head(shape, block.many, record);
  unsigned char *vertex = record + vertices_at(record), *point = record + points_at(record);
  sat_put_32(point - 4, 0); /* where no vertex is */
  for (uint32_t i = 0; i < block.many->parts; i++)
    write_part(&block.parts[i], record + HEAD + (size_t)i * PART);
  for (uint32_t i = 0; i < vertices; i++, vertex += 4)
    sat_put_32(vertex, block.index[i] | (block.own_inner[i] ? INNER : 0) |
                           (block.own_buried[i] ? BURIED : 0));
  for (uint32_t i = 0; block.beyond && i < vertices; i++, vertex += 4)
    sat_put_32(vertex, block.beyond[i]);
  for (uint32_t i = 0; i < block.many->points; i++, point += POINT)
    sat_put_vec2(point, block.locals[i]);
}

/* ---------------------------------------------------------------- looking through */

static sat_Many counts_in(const unsigned char *record) {
  sat_Many many = {.parts = sat_get_32(record + PARTS),
                   .vertices = sat_get_32(record + VERTICES),
                   .points = sat_get_32(record + POINTS),
                   .kind = sat_get_32(record + KIND),
                   .rounds = sat_get_32(record + ROUNDS),
                   .flags = sat_get_32(record + FLAGS),
                   .length = sat_get_double(record + LENGTH)};
  many.ring = many.kind == SAT_POLYGON;
  for (uint32_t i = 0; i < many.parts; i++)
    many.fours += fours_of(sat_get_32(part_at(record, i) + COUNT));
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

/* Only a chain's segments have a role, also in a compound. */
static bool is_role(uint32_t role, uint32_t count, uint32_t kind) {
  if (role == 0) return true;
  if (count != 2 || kind == SAT_POLYGON) return false;
  return role == SAT_JOINED || role == (SAT_JOINED | SAT_ONE_SIDED) ||
         role == (SAT_JOINED | SAT_ONE_SIDED | SAT_BACKWARD);
}

/* The parts have all of the vertices, and the roles that were said. */
static bool add_up(const unsigned char *record) {
  uint64_t vertices = 0;
  uint32_t parts = sat_get_32(record + PARTS), kind = sat_get_32(record + KIND), flags = 0;
  for (uint32_t i = 0; i < parts; i++) {
    const unsigned char *part = part_at(record, i);
    uint32_t count = sat_get_32(part + COUNT), role = sat_get_32(part + ROLE);
    uint64_t end = (uint64_t)sat_get_32(part + FIRST) + count;
    if (count == 0 || end > sat_get_32(record + VERTICES)) return false;
    if (!is_role(role, count, kind) || sat_get_32(part + ROLE + 4)) return false;
    if (!is_radius(sat_get_double(part + RADIUS), kind)) return false;
    vertices += count;
    flags |= role & ~(uint32_t)SAT_BACKWARD;
  }
  return vertices == sat_get_32(record + VERTICES) && flags == sat_get_32(record + FLAGS);
}

size_t sat_many_find_points(const unsigned char *record, size_t left, size_t *count) {
  if (left < HEAD) return 0;
  uint64_t parts = sat_get_32(record + PARTS), vertices = sat_get_32(record + VERTICES),
           points = sat_get_32(record + POINTS);
  uint64_t size = HEAD + parts * PART + vertices * 8 + points * POINT;
  uint32_t kind = sat_get_32(record + KIND);
  if (!(sat_get_32(record + FLAGS) & SAT_JOINED)) size += (vertices + 1) / 2 * 8 - vertices * 8;
  if (size > left || parts == 0 || points == 0 || !add_up(record)) return 0;
  if (kind != SAT_POLYGON && kind != SAT_CHAIN && kind != SAT_COMPOUND) return 0;
  if (sat_get_32(record + ROUNDS) > points || !are_measures(record)) return 0;
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
#define POINT_OF(i) points[sat_get_32(vertex + 4 * (size_t)((i) % count)) & ~MARKS]
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

/* A chain's vertices have no marks. Of those of other shapes any may have: which they are does not
 * matter to anything but how good the answers are, as where the points are does. */
static bool are_vertices(const unsigned char *record) {
  const unsigned char *vertex = record + vertices_at(record), *end = record + points_at(record);
  uint32_t count = sat_get_32(record + VERTICES), points = sat_get_32(record + POINTS),
           marks = sat_get_32(record + KIND) == SAT_CHAIN ? 0 : MARKS;
  for (uint32_t i = 0; i < count; i++, vertex += 4)
    if ((sat_get_32(vertex) & ~marks) >= points) return false;
  if (sat_get_32(record + FLAGS) & SAT_JOINED) {
    for (uint32_t i = 0; i < count; i++, vertex += 4)
      if (sat_get_32(vertex) >= count && sat_get_32(vertex) != SAT_CHAIN_END) return false;
  }
  return vertex == end || sat_get_32(vertex) == 0;
}

bool sat_many_are_parts(const unsigned char *record, const sat_Vec2 *points) {
  const unsigned char *vertex = record + vertices_at(record);
  uint32_t parts = sat_get_32(record + PARTS), all = sat_get_32(record + POINTS);
  double size = 0;
  if (!are_vertices(record)) return false;
  for (uint32_t i = 0; i < all; i++) size = max2(size, max2(fabs(points[i].x), fabs(points[i].y)));
  for (uint32_t i = 0; i < parts; i++) {
    const unsigned char *part = part_at(record, i);
    const unsigned char *first = vertex + 4 * (size_t)sat_get_32(part + FIRST);
    if (!is_convex_part(first, sat_get_32(part + COUNT), points, size * ROUNDED)) return false;
  }
  return sat_many_record_block(record) > 0;
}

/* ---------------------------------------------------------------- reading */

size_t sat_many_record_block(const unsigned char *record) {
  sat_Many many = counts_in(record);
  return sat_many_bytes(&many);
}

static void read_parts(const unsigned char *record, const sat_ManyBlock *to) {
  uint32_t four = 0;
  for (uint32_t i = 0; i < to->many->parts; i++) {
    const unsigned char *part = part_at(record, i);
    uint32_t count = sat_get_32(part + COUNT);
    to->parts[i] = (sat_Part){.first = sat_get_32(part + FIRST),
                              .count = count,
                              .four = four,
                              .flags = sat_get_32(part + ROLE),
                              .own_radius = sat_get_double(part + RADIUS)};
    four += fours_of(count);
  }
}

void sat_many_read(const unsigned char *record, sat_Shape *block) {
  sat_Many many = counts_in(record);
  const unsigned char *vertex = record + vertices_at(record), *point = record + points_at(record);
  sat_ManyBlock to = sat_many_lay_out(block, &many);
  read_parts(record, &to);
  for (uint32_t i = 0; i < many.vertices; i++, vertex += 4) {
    to.index[i] = sat_get_32(vertex) & ~MARKS;
    to.own_inner[i] = sat_get_32(vertex) & INNER;
    to.own_buried[i] = sat_get_32(vertex) & BURIED;
  }
  for (uint32_t i = 0; to.beyond && i < many.vertices; i++, vertex += 4)
    to.beyond[i] = sat_get_32(vertex);
  for (uint32_t i = 0; i < many.points; i++) to.locals[i] = sat_get_vec2(point + (size_t)i * POINT);
  block->area = sat_get_double(record + AREA);
  block->perimeter = sat_get_double(record + PERIMETER);
}
