/* composite_save.c: writes, checks and reads the body of a composite shape's record. */
#include "shape/composite_save.h"

#include "base/byte_order.h"
#include "shape/shape_save.h"

/* Offsets in a body. */
enum {
  KIND = 0,
  COMPOSITE_SAVE_COUNT = 4, /* number of points; 0 for a compound */
  PIECES = 8,
  VERTICES = 12,
  EDGE_BLOCKS = 16,
  SAVED_PIECE_FLAGS = 20,
  RECORDS = 24,
  DEPTH = 28,
  HEAD = 32,
  SAVED_POINT = 16
};

/* Coordinates that are 0 or at least SAT_TINY have differences that are 0 or at least this, for
 * which the predicates are exact. */
#define LEAST (SAT_TINY * SAT_EPSILON / 4)

/* ---------------------------------------------------------------- writing */

static uint32_t given_points(const sat_CompositeHeader *header) {
  return header->kind == SAT_COMPOUND ? 0 : header->points;
}

size_t sat_composite_record_size(const sat_Shape *shape) {
  const sat_CompositeHeader *header = sat_composite_header(shape);
  return HEAD + (size_t)given_points(header) * SAVED_POINT + header->records;
}

void sat_composite_write(const sat_Shape *shape, unsigned char *view) {
  sat_CompositeBlock block = sat_composite_block((sat_Shape *)shape);
  uint32_t count = given_points(block.header);
  sat_put_32(view + KIND, block.header->kind);
  sat_put_32(view + COMPOSITE_SAVE_COUNT, count);
  sat_put_32(view + PIECES, block.header->pieces);
  sat_put_32(view + VERTICES, block.header->vertices);
  sat_put_32(view + EDGE_BLOCKS, block.header->edge_blocks);
  sat_put_32(view + SAVED_PIECE_FLAGS, block.header->flags);
  sat_put_32(view + RECORDS, block.header->records);
  sat_put_32(view + DEPTH, block.header->depth);
  for (size_t i = 0; i < count; i++)
    sat_put_vec2(view + HEAD + i * SAVED_POINT, block.local_vertices[i]);
  memcpy(view + HEAD, block.records, block.header->records);
}

/* ---------------------------------------------------------------- checking */

sat_CompositeHeader sat_composite_saved_counts(const unsigned char *view) {
  sat_CompositeHeader header = {0};
  header.kind = sat_get_32(view + KIND);
  header.pieces = sat_get_32(view + PIECES);
  header.vertices = sat_get_32(view + VERTICES);
  header.edge_blocks = sat_get_32(view + EDGE_BLOCKS);
  header.flags = sat_get_32(view + SAVED_PIECE_FLAGS);
  header.records = sat_get_32(view + RECORDS);
  header.depth = sat_get_32(view + DEPTH);
  header.points =
      header.kind == SAT_COMPOUND ? header.vertices : sat_get_32(view + COMPOSITE_SAVE_COUNT);
  sat_composite_count_nodes(&header);
  return header;
}

/* Whether the derived counts agree with the others. */
static bool same_counts(const sat_CompositeHeader *a, const sat_CompositeHeader *b) {
  return a->kind == b->kind && a->points == b->points && a->pieces == b->pieces &&
         a->vertices == b->vertices && a->edge_blocks == b->edge_blocks && a->flags == b->flags &&
         a->records == b->records && a->depth == b->depth;
}

/* A piece has three vertices or more, a diagonal makes one piece more and two vertices. */
static bool may_be_polygon(const sat_CompositeHeader *header) {
  uint64_t points = header->points, pieces = header->pieces, vertices = header->vertices;
  if (points < 3 || points > UINT32_MAX / 4 || pieces == 0 || pieces > points - 2) return false;
  return vertices >= 3 * pieces && vertices <= points + 2 * (pieces - 1) &&
         header->edge_blocks <= vertices && header->flags == 0 && header->records == 0 &&
         header->depth == 0;
}

/* A closed chain has as many segments as points. */
static bool may_be_chain(const sat_CompositeHeader *header) {
  if (header->points == 0 || header->points > UINT32_MAX / 4) return false;
  sat_CompositeHeader right = sat_chain_counts(header->points, header->pieces == header->points);
  return same_counts(header, &right);
}

/* Adds the counts of a member. */
static void count_member(sat_CompositeHeader *sum, const unsigned char *record) {
  sat_CompositeHeader own = sat_record_counts(record);
  sum->pieces += own.pieces;
  sum->vertices += own.vertices;
  sum->edge_blocks += own.edge_blocks;
  sum->flags |= own.flags;
  if (own.depth >= sum->depth) sum->depth = own.depth + 1;
}

/* The sums of counts that bytes bound stay far below their range. */
static bool may_be_compound(const sat_CompositeHeader *header, const unsigned char *record,
                            uint32_t depth) {
  sat_CompositeHeader sum = {.kind = SAT_COMPOUND, .records = header->records, .depth = 1};
  size_t left = header->records;
  if (left == 0 || depth >= SAT_MOST_NESTED) return false;
  while (left > 0) {
    if (!sat_record_check(record, left, depth + 1)) return false;
    count_member(&sum, record);
    if (sum.vertices > UINT32_MAX / 4) return false;
    left -= sat_record_size(record);
    record += sat_record_size(record);
  }
  sum.points = sum.vertices;
  return same_counts(header, &sum);
}

bool sat_composite_check(const unsigned char *view, size_t left, uint32_t depth) {
  if (left < HEAD) return false;
  uint64_t count = sat_get_32(view + COMPOSITE_SAVE_COUNT), records = sat_get_32(view + RECORDS);
  if (HEAD + count * SAVED_POINT + records > left || (count > 0 && records > 0)) return false;
  if (sat_get_32(view + PIECES) > left || sat_get_32(view + VERTICES) > left) return false;
  sat_CompositeHeader header = sat_composite_saved_counts(view);
  bool may_be = false;
  switch (header.kind) {
  case SAT_POLYGON: may_be = may_be_polygon(&header); break;
  case SAT_CHAIN: may_be = may_be_chain(&header); break;
  case SAT_COMPOUND: may_be = count == 0 && may_be_compound(&header, view + HEAD, depth); break;
  }
  return may_be && sat_composite_bytes(&header) > 0;
}

bool sat_composite_saved_is_compound(const unsigned char *view) {
  return sat_get_32(view + KIND) == SAT_COMPOUND;
}

size_t sat_composite_saved_size(const unsigned char *view) {
  return HEAD + (size_t)sat_get_32(view + COMPOSITE_SAVE_COUNT) * SAVED_POINT +
         sat_get_32(view + RECORDS);
}

const unsigned char *sat_composite_saved_points(const unsigned char *view, size_t *count) {
  *count = sat_get_32(view + COMPOSITE_SAVE_COUNT);
  return view + HEAD;
}

const unsigned char *sat_composite_saved_members(const unsigned char *view, size_t *size) {
  *size = sat_get_32(view + RECORDS);
  return view + HEAD;
}

bool sat_composite_is_made_of(const sat_Shape *shape, const unsigned char *view) {
  sat_CompositeBlock block = sat_composite_block((sat_Shape *)shape);
  sat_CompositeHeader counts = sat_composite_saved_counts(view);
  if (!same_counts(block.header, &counts)) return false;
  uint32_t count = given_points(block.header);
  for (size_t i = 0; i < count; i++)
    if (!sat_is_vec2_at(view + HEAD + i * SAVED_POINT, block.local_vertices[i])) return false;
  return memcmp(block.records, view + HEAD, counts.records) == 0;
}

/* ---------------------------------------------------------------- reading */

/* A ring is as cleaning leaves it. A quarter of it is within the limits, wherever its anchor
 * is, and is as simple as the whole. */
static sat_Status check_ring(const unsigned char *view, sat_Vec2 *ring, sat_Scratch *scratch) {
  size_t count = sat_get_32(view + COMPOSITE_SAVE_COUNT), kept = count;
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
    if (kept != count || !sat_is_vec2_at(view + HEAD + i * SAVED_POINT, ring[i])) return SAT_ESAVED;
  return SAT_OK;
}

static sat_Status fill_polygon(const unsigned char *view, sat_Shape *block, sat_Scratch *scratch) {
  sat_CompositeBlock to = sat_composite_block(block);
  sat_Decomposition decomposition;
  sat_Status status = check_ring(view, to.local_vertices, scratch);
  if (!status)
    status = sat_ring_decompose(to.local_vertices, to.header->points, scratch, &decomposition);
  if (status) return status;
  sat_CompositeHeader counts = sat_polygon_counts(to.header->points, &decomposition);
  if (!same_counts(&counts, to.header)) return SAT_ESAVED;
  sat_polygon_fill(block, &decomposition);
  return SAT_OK;
}

static sat_Status fill_chain(sat_Shape *block) {
  sat_CompositeBlock to = sat_composite_block(block);
  uint32_t count = to.header->points;
  for (uint32_t i = 0; i < count && count > 1; i++) {
    sat_Vec2 point = to.local_vertices[i], next = to.local_vertices[i + 1 < count ? i + 1 : 0];
    bool is_last = i + 1 == count && to.header->pieces < count;
    if (!is_last && point.x == next.x && point.y == next.y) return SAT_ESAVED;
  }
  sat_chain_fill(block);
  return SAT_OK;
}

sat_Status sat_composite_read(const unsigned char *view, sat_Shape *block, sat_Scratch *scratch) {
  sat_CompositeHeader counts = sat_composite_saved_counts(view);
  sat_CompositeBlock to = sat_composite_begin(block, &counts);
  for (size_t i = 0; i < counts.points; i++)
    to.local_vertices[i] = sat_get_vec2(view + HEAD + i * SAVED_POINT);
  return counts.kind == SAT_CHAIN ? fill_chain(block) : fill_polygon(view, block, scratch);
}
