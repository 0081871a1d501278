/* composite_save.c: what a composite shape adds to its record, and making polygons and chains of
 * it. */
#include "shape/composite_save.h"

#include "base/byte_order.h"
#include "shape/shape_save.h"

/* Offsets in a body. */
enum {
  KIND = 0,
  COUNT = 4, /* of points; 0 for a compound */
  PARTS = 8,
  VERTICES = 12,
  FOURS = 16,
  FLAGS = 20,
  RECORDS = 24,
  DEPTH = 28,
  HEAD = 32,
  POINT = 16
};

/* The differences of coordinates that are 0 or at least SAT_TINY are 0 or at least this: exact
 * predicates hold for them. */
#define LEAST (SAT_TINY * 0x1p-54)

/* ---------------------------------------------------------------- writing */

static uint32_t given_points(const sat_Many *many) {
  return many->kind == SAT_COMPOUND ? 0 : many->points;
}

size_t sat_many_record_size(const sat_Shape *shape) {
  const sat_Many *many = sat_many_of(shape);
  return HEAD + (size_t)given_points(many) * POINT + many->records;
}

void sat_many_write(const sat_Shape *shape, unsigned char *body) {
  sat_ManyBlock block = sat_many_block((sat_Shape *)shape);
  uint32_t count = given_points(block.many);
  sat_put_32(body + KIND, block.many->kind);
  sat_put_32(body + COUNT, count);
  sat_put_32(body + PARTS, block.many->parts);
  sat_put_32(body + VERTICES, block.many->vertices);
  sat_put_32(body + FOURS, block.many->fours);
  sat_put_32(body + FLAGS, block.many->flags);
  sat_put_32(body + RECORDS, block.many->records);
  sat_put_32(body + DEPTH, block.many->depth);
  for (size_t i = 0; i < count; i++) sat_put_vec2(body + HEAD + i * POINT, block.locals[i]);
  memcpy(body + HEAD, block.records, block.many->records);
}

/* ---------------------------------------------------------------- checking */

sat_Many sat_many_body_counts(const unsigned char *body) {
  sat_Many many = {0};
  many.kind = sat_get_32(body + KIND);
  many.parts = sat_get_32(body + PARTS);
  many.vertices = sat_get_32(body + VERTICES);
  many.fours = sat_get_32(body + FOURS);
  many.flags = sat_get_32(body + FLAGS);
  many.records = sat_get_32(body + RECORDS);
  many.depth = sat_get_32(body + DEPTH);
  many.points = many.kind == SAT_COMPOUND ? many.vertices : sat_get_32(body + COUNT);
  sat_many_count_nodes(&many);
  return many;
}

/* Whether counts that follow from others are what they have to be. */
static bool same_counts(const sat_Many *a, const sat_Many *b) {
  return a->kind == b->kind && a->points == b->points && a->parts == b->parts &&
         a->vertices == b->vertices && a->fours == b->fours && a->flags == b->flags &&
         a->records == b->records && a->depth == b->depth;
}

/* A piece has three vertices or more, a diagonal makes one piece more and two vertices. */
static bool may_be_polygon(const sat_Many *many) {
  uint64_t points = many->points, parts = many->parts, vertices = many->vertices;
  if (points < 3 || points > UINT32_MAX / 4 || parts == 0 || parts > points - 2) return false;
  return vertices >= 3 * parts && vertices <= points + 2 * (parts - 1) && many->fours <= vertices &&
         many->flags == 0 && many->records == 0 && many->depth == 0;
}

/* A closed chain has as many segments as points. */
static bool may_be_chain(const sat_Many *many) {
  if (many->points == 0 || many->points > UINT32_MAX / 4) return false;
  sat_Many right = sat_chain_counts(many->points, many->parts == many->points);
  return same_counts(many, &right);
}

/* Adds what a member comes to. */
static void count_member(sat_Many *sum, const unsigned char *record) {
  sat_Many own = sat_record_counts(record);
  sum->parts += own.parts;
  sum->vertices += own.vertices;
  sum->fours += own.fours;
  sum->flags |= own.flags;
  if (own.depth >= sum->depth) sum->depth = own.depth + 1;
}

/* The sums of counts that bytes bound stay far below their range. */
static bool may_be_compound(const sat_Many *many, const unsigned char *record, uint32_t depth) {
  sat_Many sum = {.kind = SAT_COMPOUND, .records = many->records, .depth = 1};
  size_t left = many->records;
  if (left == 0 || depth >= SAT_MOST_NESTED) return false;
  while (left > 0) {
    if (!sat_record_check(record, left, depth + 1)) return false;
    count_member(&sum, record);
    if (sum.vertices > UINT32_MAX / 4) return false;
    left -= sat_record_size(record);
    record += sat_record_size(record);
  }
  sum.points = sum.vertices;
  return same_counts(many, &sum);
}

bool sat_many_check(const unsigned char *body, size_t left, uint32_t depth) {
  if (left < HEAD) return false;
  uint64_t count = sat_get_32(body + COUNT), records = sat_get_32(body + RECORDS);
  if (HEAD + count * POINT + records > left || (count > 0 && records > 0)) return false;
  if (sat_get_32(body + PARTS) > left || sat_get_32(body + VERTICES) > left) return false;
  sat_Many many = sat_many_body_counts(body);
  bool may_be = false;
  switch (many.kind) {
  case SAT_POLYGON: may_be = may_be_polygon(&many); break;
  case SAT_CHAIN: may_be = may_be_chain(&many); break;
  case SAT_COMPOUND: may_be = count == 0 && may_be_compound(&many, body + HEAD, depth); break;
  }
  return may_be && sat_many_bytes(&many) > 0;
}

bool sat_many_body_is_compound(const unsigned char *body) {
  return sat_get_32(body + KIND) == SAT_COMPOUND;
}

size_t sat_many_body_size(const unsigned char *body) {
  return HEAD + (size_t)sat_get_32(body + COUNT) * POINT + sat_get_32(body + RECORDS);
}

const unsigned char *sat_many_body_points(const unsigned char *body, size_t *count) {
  *count = sat_get_32(body + COUNT);
  return body + HEAD;
}

const unsigned char *sat_many_body_members(const unsigned char *body, size_t *size) {
  *size = sat_get_32(body + RECORDS);
  return body + HEAD;
}

bool sat_many_is_made_of(const sat_Shape *shape, const unsigned char *body) {
  sat_ManyBlock block = sat_many_block((sat_Shape *)shape);
  sat_Many counts = sat_many_body_counts(body);
  if (!same_counts(block.many, &counts)) return false;
  uint32_t count = given_points(block.many);
  for (size_t i = 0; i < count; i++)
    if (!sat_is_vec2_at(body + HEAD + i * POINT, block.locals[i])) return false;
  return memcmp(block.records, body + HEAD, counts.records) == 0;
}

/* ---------------------------------------------------------------- reading */

/* A ring is as cleaning leaves it. A quarter of it is within the limits, wherever its anchor
 * is, and is as simple as the whole. */
static sat_Status check_ring(const unsigned char *body, sat_Vec2 *ring, sat_Scratch *scratch) {
  size_t count = sat_get_32(body + COUNT), kept = count;
  for (size_t i = 0; i < count; i++) {
    bool is_exact = (ring[i].x == 0 || fabs(ring[i].x) >= LEAST) &&
                    (ring[i].y == 0 || fabs(ring[i].y) >= LEAST);
    if (!is_exact) return SAT_ESAVED;
    ring[i] = mul(ring[i], 0.25);
  }
  sat_Status status = sat_ring_clean(ring, &kept, scratch, NULL);
  if (status) return status == SAT_ENOMEM ? SAT_ENOMEM : SAT_ESAVED;
  for (size_t i = 0; i < kept; i++) ring[i] = mul(ring[i], 4);
  for (size_t i = 0; i < count; i++)
    if (kept != count || !sat_is_vec2_at(body + HEAD + i * POINT, ring[i])) return SAT_ESAVED;
  return SAT_OK;
}

static sat_Status fill_polygon(const unsigned char *body, sat_Shape *block, sat_Scratch *scratch) {
  sat_ManyBlock to = sat_many_block(block);
  sat_Pieces pieces;
  sat_Status status = check_ring(body, to.locals, scratch);
  if (!status) status = sat_ring_decompose(to.locals, to.many->points, scratch, &pieces);
  if (status) return status;
  sat_Many counts = sat_polygon_counts(to.many->points, &pieces);
  if (!same_counts(&counts, to.many)) return SAT_ESAVED;
  sat_polygon_fill(block, &pieces);
  return SAT_OK;
}

static sat_Status fill_chain(sat_Shape *block) {
  sat_ManyBlock to = sat_many_block(block);
  uint32_t count = to.many->points;
  for (uint32_t i = 0; i < count && count > 1; i++) {
    sat_Vec2 point = to.locals[i], next = to.locals[i + 1 < count ? i + 1 : 0];
    bool is_last = i + 1 == count && to.many->parts < count;
    if (!is_last && point.x == next.x && point.y == next.y) return SAT_ESAVED;
  }
  sat_chain_fill(block);
  return SAT_OK;
}

sat_Status sat_many_read(const unsigned char *body, sat_Shape *block, sat_Scratch *scratch) {
  sat_Many counts = sat_many_body_counts(body);
  sat_ManyBlock to = sat_many_begin(block, &counts);
  for (size_t i = 0; i < counts.points; i++) to.locals[i] = sat_get_vec2(body + HEAD + i * POINT);
  return counts.kind == SAT_CHAIN ? fill_chain(block) : fill_polygon(body, block, scratch);
}
