/* composite_save.c: writes, checks and reads the fields of a composite shape's record. */
#include "shape/record.h"

#include "base/byte_order.h"

#include <string.h>

/* Offsets of the fields, and the size of a point. */
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

/* ---------------------------------------------------------------- writing */

static uint32_t given_points(const sat_CompositeHeader *header) {
  return header->kind == SAT_COMPOUND ? 0 : header->points;
}

size_t sat_composite_record_size(const sat_Shape *shape) {
  const sat_CompositeHeader *header = sat_composite_header(shape);
  return HEAD + (size_t)given_points(header) * SAVED_POINT + header->records;
}

void sat_composite_write(const sat_Shape *shape, unsigned char *fields) {
  sat_CompositeBlock block = sat_composite_block((sat_Shape *)shape);
  uint32_t count = given_points(block.header);
  sat_put_32(fields + KIND, block.header->kind);
  sat_put_32(fields + COMPOSITE_SAVE_COUNT, count);
  sat_put_32(fields + PIECES, block.header->pieces);
  sat_put_32(fields + VERTICES, block.header->vertices);
  sat_put_32(fields + EDGE_BLOCKS, block.header->edge_blocks);
  sat_put_32(fields + SAVED_PIECE_FLAGS, block.header->flags);
  sat_put_32(fields + RECORDS, block.header->records);
  sat_put_32(fields + DEPTH, block.header->depth);
  for (size_t i = 0; i < count; i++)
    sat_put_vec2(fields + HEAD + i * SAVED_POINT, block.local_vertices[i]);
  memcpy(fields + HEAD, block.records, block.header->records);
}

/* ---------------------------------------------------------------- checking */

sat_CompositeHeader sat_composite_saved_counts(const unsigned char *fields) {
  sat_CompositeHeader header = {0};
  header.kind = sat_get_32(fields + KIND);
  header.pieces = sat_get_32(fields + PIECES);
  header.vertices = sat_get_32(fields + VERTICES);
  header.edge_blocks = sat_get_32(fields + EDGE_BLOCKS);
  header.flags = sat_get_32(fields + SAVED_PIECE_FLAGS);
  header.records = sat_get_32(fields + RECORDS);
  header.depth = sat_get_32(fields + DEPTH);
  header.points =
      header.kind == SAT_COMPOUND ? header.vertices : sat_get_32(fields + COMPOSITE_SAVE_COUNT);
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

bool sat_composite_check(const unsigned char *fields, size_t left) {
  if (left < HEAD) return false;
  uint64_t count = sat_get_32(fields + COMPOSITE_SAVE_COUNT),
           records = sat_get_32(fields + RECORDS);
  if (HEAD + count * SAVED_POINT + records > left || (count > 0 && records > 0)) return false;
  if (sat_get_32(fields + PIECES) > left || sat_get_32(fields + VERTICES) > left) return false;
  sat_CompositeHeader header = sat_composite_saved_counts(fields);
  bool may_be = false;
  switch (header.kind) {
  case SAT_POLYGON: may_be = may_be_polygon(&header); break;
  case SAT_CHAIN: may_be = may_be_chain(&header); break;
  case SAT_COMPOUND: may_be = count == 0; break;
  }
  return may_be && sat_composite_bytes(&header) > 0;
}

/* ---------------------------------------------------------------- reading */

bool sat_composite_saved_is_compound(const unsigned char *fields) {
  return sat_get_32(fields + KIND) == SAT_COMPOUND;
}

size_t sat_composite_saved_size(const unsigned char *fields) {
  return HEAD + (size_t)sat_get_32(fields + COMPOSITE_SAVE_COUNT) * SAVED_POINT +
         sat_get_32(fields + RECORDS);
}

const unsigned char *sat_composite_saved_points(const unsigned char *fields, size_t *count) {
  *count = sat_get_32(fields + COMPOSITE_SAVE_COUNT);
  return fields + HEAD;
}

const unsigned char *sat_composite_saved_members(const unsigned char *fields, size_t *size) {
  *size = sat_get_32(fields + RECORDS);
  return fields + HEAD;
}

bool sat_composite_is_made_of(const sat_Shape *shape, const unsigned char *fields) {
  sat_CompositeBlock block = sat_composite_block((sat_Shape *)shape);
  sat_CompositeHeader counts = sat_composite_saved_counts(fields);
  if (!sat_composite_same_counts(block.header, &counts)) return false;
  uint32_t count = given_points(block.header);
  for (size_t i = 0; i < count; i++)
    if (!sat_is_vec2_at(fields + HEAD + i * SAVED_POINT, block.local_vertices[i])) return false;
  return memcmp(block.records, fields + HEAD, counts.records) == 0;
}
