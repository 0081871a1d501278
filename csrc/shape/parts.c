/* parts.c: the parts of a shape, as its maker counts them, as shapes of their own. */
#include "base/memory.h"
#include "polygon/polygon.h"
#include "shape/bvh.h"
#include "shape/record.h"

#include <string.h>

size_t sat_shape_part_count(const sat_Shape *shape) {
  return is_composite(shape) ? sat_composite_header(shape)->parts : 1;
}

/* Whether a part is all of a shape that is no list of parts. */
static bool is_one_part(const sat_Shape *shape) {
  sat_Kind kind = sat_shape_kind(shape);
  return kind != SAT_CHAIN && kind != SAT_COMPOUND;
}

/* The first point of a piece, which is the lowest. */
static uint32_t first_point(const sat_CompositeBlock *block, uint32_t piece) {
  return block->index[block->pieces[piece].first];
}

/* The piece of a part with the lowest point. The points of a part stand in a row, in the order of
 * the pieces that it had alone. */
static uint32_t first_piece(const sat_CompositeBlock *block, size_t part) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < block->header->pieces; i++)
    if (block->pieces[i].part == part &&
        (best == UINT32_MAX || first_point(block, i) < first_point(block, best)))
      best = i;
  return best;
}

/* A part that is a polygon or chain of several pieces: its record when it became a part, and
 * whether the compounds that it has been in since have turned its pieces over. */
typedef struct CompositePart {
  const unsigned char *record;
  bool turned_over;
} CompositePart;

static void find_record(CompositePart *found, const unsigned char *record, size_t size,
                        size_t *part) {
  const unsigned char *end = record + size;
  for (; !found->record && record < end; record += sat_record_size(record)) {
    if (sat_record_counts(record).kind == SAT_COMPOUND) {
      sat_Shape head;
      sat_record_get_head(record, &head);
      const unsigned char *members = sat_record_members(record, &size);
      find_record(found, members, size, part);
      found->turned_over = found->turned_over != (found->record && is_mirrored(&head));
    } else if ((*part)-- == 0) {
      found->record = record;
    }
  }
}

/* Without a record the part is a convex piece. */
static CompositePart composite_part(const sat_CompositeBlock *block, uint32_t piece, size_t part) {
  CompositePart found = {NULL, false};
  if (block->header->kind == SAT_COMPOUND && !(block->pieces[piece].flags & SAT_CONVEX_MEMBER))
    find_record(&found, block->records, block->header->records, &part);
  return found;
}

/* The most bytes that a polygon or chain with as many points as a record takes: its pieces may be
 * others, and triangles at worst. */
static size_t bytes_of_composite(const unsigned char *record) {
  sat_CompositeHeader most = sat_record_counts(record);
  if (most.kind == SAT_POLYGON) {
    most.pieces = most.points;
    most.edge_blocks = 2 * most.points;
    most.vertices = 3 * most.points;
    most.nodes = sat_bvh_node_count(most.pieces);
  }
  return sat_composite_bytes(&most);
}

size_t sat_shape_part_bytes(const sat_Shape *shape, size_t part) {
  SAT_ASSERT(part < sat_shape_part_count(shape));
  if (is_one_part(shape)) return shape->bytes;
  sat_CompositeBlock block = sat_composite_block((sat_Shape *)shape);
  uint32_t piece = first_piece(&block, part);
  const unsigned char *record = composite_part(&block, piece, part).record;
  if (!record) return sat_shape_bytes(block.pieces[piece].count);
  size_t count = sat_record_counts(record).points;
  return bytes_of_composite(record) + count * sizeof(sat_Vec2); /* and the points on the way */
}

/* The point of a shape that a piece has at vertex k of the piece in a view. */
static uint32_t point_at(const sat_CompositeBlock *block, const sat_Piece *piece, uint32_t k,
                         bool turned_over) {
  return block->index[piece->first + (turned_over && k > 0 ? piece->count - k : k)];
}

/* Carries all points of a polygon along with three of its first piece: the vertices of a bridge may
 * be in no piece. */
static void carry_points(const sat_CompositeBlock *to, const sat_Vec2 place[3], bool turned_over) {
  sat_Vec2 *local = to->local_vertices, from = local[point_at(to, to->pieces, 0, turned_over)];
  sat_Vec2 u = sub(local[point_at(to, to->pieces, 1, turned_over)], from),
           v = sub(local[point_at(to, to->pieces, 2, turned_over)], from);
  for (uint32_t i = 0; i < to->header->points; i++) {
    sat_Vec2 arm = sub(local[i], from);
    local[i] = add(place[0], add(mul(sub(place[1], place[0]), cross(arm, v) / cross(u, v)),
                                 mul(sub(place[2], place[0]), cross(u, arm) / cross(u, v))));
  }
}

/* Gives a polygon or chain the points that it has as a part of a compound. */
static void place_points(const sat_CompositeBlock *to, const sat_Vec2 *points, bool turned_over) {
  bool is_chain = to->header->kind == SAT_CHAIN;
  if (!is_chain) carry_points(to, points + to->pieces->first, turned_over);
  for (uint32_t i = 0; i < to->header->pieces; i++) {
    const sat_Piece *piece = &to->pieces[i];
    uint32_t first = is_chain ? 2 * to->index[piece->first] : piece->first;
    for (uint32_t k = 0; k < piece->count; k++)
      to->local_vertices[point_at(to, piece, k, turned_over)] = points[first + k];
  }
}

/* Gives points that were one place before, the ends of bridges, the coordinates of the one that
 * pieces have, after points have been placed. */
static sat_Status join_points(const sat_CompositeBlock *to, const sat_Vec2 *before,
                              sat_Scratch *scratch) {
  size_t count = to->header->points;
  uint32_t *order = sat_scratch_reserve(scratch, 3 * count * sizeof *order);
  if (!order) return SAT_ENOMEM;
  uint32_t *is_placed = order + 2 * count;
  for (size_t i = 0; i < count; i++) is_placed[i] = 0;
  for (size_t i = 0; i < to->header->vertices; i++) is_placed[to->index[i]] = 1;
  sat_sweep_order(before, count, order, order + count);
  for (size_t first = 0, end; first < count; first = end) {
    uint32_t placed = order[first];
    for (end = first; end < count && equal_points(before[order[end]], before[order[first]]); end++)
      if (is_placed[order[end]]) placed = order[end];
    for (size_t i = first; i < end; i++) to->local_vertices[order[i]] = to->local_vertices[placed];
  }
  return SAT_OK;
}

/* Makes a polygon or chain of points in the world. A chain whose front is on the other hand has its
 * points in the reverse order. */
static sat_Status make_of_points(sat_Shape *block, sat_Vec2 *points, size_t count, bool is_chain,
                                 bool closed, bool turned_over, sat_Scratch *scratch) {
  sat_Decomposition decomposition;
  for (size_t low = 0, high = count - 1; turned_over && low < high; low++, high--)
    SAT_SWAP(sat_Vec2, &points[low], &points[high]);
  if (is_chain) return sat_chain_init(block, points, count, closed);
  sat_Status status = sat_ring_clean(points, &count, scratch, NULL);
  if (!status) status = sat_ring_decompose(points, count, scratch, &decomposition);
  return status ? status : sat_polygon_init(block, points, count, &decomposition);
}

sat_Status sat_shape_part_init(sat_Shape *block, const sat_Shape *shape, size_t part,
                               sat_Scratch *scratch) {
  SAT_ASSERT(part < sat_shape_part_count(shape));
  sat_CompositeBlock from = sat_composite_block((sat_Shape *)shape);
  if (is_one_part(shape)) {
    sat_shape_copy(block, shape);
    return SAT_OK;
  }
  uint32_t index = first_piece(&from, part);
  CompositePart composite = composite_part(&from, index, part);
  if (!composite.record) return sat_shape_piece_init(block, shape, index);
  sat_shape_prepare(block, sat_record_block(composite.record), NULL);
  sat_Status status = sat_shape_read(composite.record, block, block, scratch);
  if (status) return status;
  const sat_Piece *piece = &from.pieces[index];
  sat_CompositeBlock to = sat_composite_block(block);
  size_t count = to.header->points;
  bool is_chain = to.header->kind == SAT_CHAIN, closed = to.header->flags & SAT_ONE_SIDED;
  sat_Vec2 *points = (sat_Vec2 *)(void *)((char *)block + bytes_of_composite(composite.record));
  for (size_t i = 0; i < count; i++) points[i] = to.local_vertices[i];
  place_points(&to, from.points + first_point(&from, index),
               is_mirrored(block) != composite.turned_over);
  if (!is_chain) status = join_points(&to, points, scratch);
  if (status) return status;
  for (size_t i = 0; i < count; i++) points[i] = add(shape->origin, to.local_vertices[i]);
  bool is_backward = closed && is_mirrored(shape) != ((piece->flags & SAT_BACKWARD) != 0);
  double radius = piece->radius + shape->radius;
  status = make_of_points(block, points, count, is_chain, closed, is_backward, scratch);
  return status ? status : sat_shape_take_settings(block, shape, radius);
}
