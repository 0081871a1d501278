/* composite.c: the block of a composite shape, its view as pieces, transforms and measures. */
#include "shape/composite.h"

#include "base/double_double.h"
#include "shape/bvh.h"

#include <string.h>

/* ---------------------------------------------------------------- the block */

/* The number of points with an entry in `next_in_chain`. */
static uint32_t chain_link_count(const sat_CompositeHeader *header) {
  return header->kind == SAT_COMPOUND && header->flags & SAT_CHAIN_SEGMENT ? header->points : 0;
}

/* Inlined, since a view, which each question makes, takes half of the fields. */
SAT_INLINE sat_CompositeBlock block_of(sat_Shape *shape) {
  sat_CompositeHeader *header = (sat_CompositeHeader *)(void *)(shape + 1);
  uint32_t chain_vertices = chain_link_count(header);
  sat_CompositeBlock block = {.header = header, .edges = (sat_Edges *)(header + 1)};
  block.vertices = (sat_Vec2 *)(block.edges + header->edge_blocks);
  block.points = block.vertices + header->vertices;
  block.local_vertices = block.points + header->points;
  block.pieces = (sat_Piece *)(block.local_vertices + header->points);
  block.nodes = (sat_BvhNode *)(block.pieces + header->pieces);
  block.index = (uint32_t *)(block.nodes + header->nodes);
  block.next_in_chain = chain_vertices ? block.index + header->vertices : NULL;
  block.internal = (bool *)(block.index + header->vertices + chain_vertices);
  block.own_internal = block.internal + header->vertices;
  block.reflex = block.own_internal + header->vertices;
  block.own_reflex = block.reflex + header->vertices;
  block.records = (unsigned char *)(block.own_reflex + header->vertices);
  return block;
}

sat_CompositeBlock sat_composite_block(sat_Shape *shape) { return block_of(shape); }

size_t sat_composite_bytes(const sat_CompositeHeader *header) {
  uint64_t bytes = sizeof(sat_Shape) + sizeof(sat_CompositeHeader);
  bytes += (uint64_t)header->edge_blocks * sizeof(sat_Edges) +
           (uint64_t)header->pieces * sizeof(sat_Piece);
  bytes += (uint64_t)header->vertices * (sizeof(sat_Vec2) + sizeof(uint32_t) + 4 * sizeof(bool));
  bytes += (uint64_t)chain_link_count(header) * sizeof(uint32_t) + header->records;
  bytes += (uint64_t)header->points * 2 * sizeof(sat_Vec2) +
           (uint64_t)header->nodes * sizeof(sat_BvhNode);
  bytes = (bytes + 7) / 8 * 8;
  return bytes <= UINT32_MAX ? (size_t)bytes : 0;
}

/* The padding at the end is zero, so that equal shapes have equal bytes. */
sat_CompositeBlock sat_composite_begin(sat_Shape *shape, const sat_CompositeHeader *header) {
  size_t bytes = sat_composite_bytes(header);
  memset((char *)shape + bytes - 8, 0, 8);
  sat_init_head(shape, bytes, 0, 0);
  *(sat_CompositeHeader *)(void *)(shape + 1) = *header;
  return sat_composite_block(shape);
}

void sat_composite_sort(sat_Shape *shape) {
  sat_CompositeBlock block = sat_composite_block(shape);
  block.header->made_centroid = shape->local_centroid;
  block.header->made_area = shape->area;
  block.header->made_perimeter = shape->perimeter;
  block.header->made_length = block.header->length;
  for (sat_Piece *piece = block.pieces; piece < block.pieces + block.header->pieces; piece++) {
    piece->box = sat_no_box(); /* before any transform */
    for (uint32_t k = 0; k < piece->count; k++)
      sat_extend_box(&piece->box, block.local_vertices[block.index[piece->first + k]]);
  }
  sat_bvh_sort(block.pieces, block.header->pieces);
  if (sat_is_stretched(shape)) sat_composite_measure(shape);
}

/* An initializer of all fields is faster than stores to a zeroed struct. */
SAT_INLINE void view_block(const sat_Shape *shape, const sat_CompositeHeader *header,
                           sat_CompositeBlock block, double radius, sat_PieceView *view) {
  double r = shape->radius;
  sat_Vec2 out = vec2(r, r);
  bool has_tree = header->nodes > 1;
  *view = (sat_PieceView){.pieces = block.pieces,
                          .vertices = block.vertices,
                          .edges = block.edges,
                          .internal = block.internal,
                          .reflex = block.reflex,
                          .points = block.points,
                          .index = block.index,
                          .next_in_chain = block.next_in_chain,
                          .nodes = has_tree ? block.nodes : NULL,
                          .count = header->pieces,
                          .node_count = has_tree ? header->nodes : 0,
                          .point_count = header->points,
                          .flags = header->flags,
                          .closed = header->pieces == header->points,
                          .mirrored = is_mirrored(shape),
                          .radius = radius,
                          .origin = shape->origin,
                          .centroid_from_origin = shape->centroid_from_origin,
                          .box = {sub(shape->box.min, out), add(shape->box.max, out)},
                          .touches = NULL,
                          .touch_count = 0};
}

/* The piece of a convex shape has its radius, and the view none. */
void sat_view_pieces(const sat_Shape *shape, sat_Piece *single, sat_PieceView *view) {
  static const sat_CompositeHeader one = {.pieces = 1};
  double r = shape->radius;
  if (is_composite(shape)) {
    sat_CompositeBlock block = block_of((sat_Shape *)shape);
    view_block(shape, block.header, block, r, view);
    return;
  }
  *single = (sat_Piece){0, shape->vertex_count, 0,         UINT32_MAX, UINT32_MAX, 0, 0, 0, r,
                        r, shape->l1_bound,     shape->box};
  sat_CompositeBlock block = {.pieces = single,
                              .vertices = (sat_Vec2 *)vertices_of(shape),
                              .edges = (sat_Edges *)edges_of(shape)};
  view_block(shape, &one, block, 0, view);
}

sat_PieceView sat_pieces_of(const sat_Shape *shape, sat_Piece *single) {
  sat_PieceView view;
  sat_view_pieces(shape, single, &view);
  return view;
}

/* ---------------------------------------------------------------- oriented points */

uint32_t sat_exposed_bits(const bool *hidden, uint32_t count) {
  uint32_t bits = 0;
  if (count > 32) return UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) bits |= (uint32_t)!hidden[i] << i;
  return bits;
}

/* A mirrored piece has its vertices in reversed order, so that its area stays positive, and so have
 * the points of a polygon, which are one ring. */
static void reverse_piece(const sat_CompositeBlock *block, sat_Piece *piece, bool mirrored) {
  uint32_t first = piece->first, count = piece->count;
  bool is_ring = block->header->kind == SAT_POLYGON;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t vertex = mirrored && k > 0 ? count - k : k, edge = mirrored ? count - 1 - k : k;
    uint32_t point = block->index[first + vertex];
    if (is_ring && mirrored && point > 0) point = block->header->points - point;
    block->vertices[first + k] = block->points[point];
    block->internal[first + k] = block->own_internal[first + edge];
    block->reflex[first + k] = block->own_reflex[first + vertex];
  }
  piece->edges = sat_exposed_bits(block->internal + first, count);
  piece->corners = sat_exposed_bits(block->reflex + first, count);
}

void sat_composite_refresh(sat_Shape *shape) {
  sat_CompositeBlock block = sat_composite_block(shape);
  const sat_CompositeHeader *header = block.header;
  bool mirrored = is_mirrored(shape);
  if (header->kind == SAT_POLYGON)
    sat_turn_ring(shape, block.local_vertices, header->points, block.points);
  else sat_turn_vertices(shape, block.local_vertices, header->points, block.points);
  shape->box = sat_no_box();
  shape->l1_bound = 0;
  for (sat_Piece *piece = block.pieces; piece < block.pieces + header->pieces; piece++) {
    reverse_piece(&block, piece, mirrored);
    sat_measure_ring(block.vertices + piece->first, piece->count, block.edges + piece->edge_block,
                     &piece->box);
    piece->l1_bound = l1_bound_of(&piece->box);
    piece->radius = piece->own_radius * shape->scale;
    sat_grow_box(&shape->box, &piece->box, piece->radius);
    shape->l1_bound = max2(shape->l1_bound, piece->l1_bound + piece->radius);
  }
  sat_bvh_fit(block.nodes, block.pieces, header->pieces);
}

void sat_composite_measure_bounding_radius(sat_Shape *shape) {
  sat_CompositeBlock block = sat_composite_block(shape);
  shape->bounding_radius = 0;
  for (uint32_t i = 0; i < block.header->pieces; i++) {
    const sat_Piece *piece = &block.pieces[i];
    double farthest = 0;
    for (uint32_t k = 0; k < piece->count; k++) {
      sat_Vec2 local = block.local_vertices[block.index[piece->first + k]];
      sat_Vec2 arm = sat_stretched(shape, sub(local, shape->local_centroid));
      farthest = max2(farthest, dot(arm, arm));
    }
    double radius =
        sum_up(sqrt(farthest) * shape->scale * SAT_ROUND_UP, piece->own_radius * shape->scale);
    shape->bounding_radius = max2(shape->bounding_radius, radius);
  }
}

sat_CompositeHeader sat_polygon_counts(size_t count, const sat_Decomposition *decomposition) {
  sat_CompositeHeader header = {.kind = SAT_POLYGON,
                                .pieces = decomposition->count,
                                .vertices = decomposition->first[decomposition->count],
                                .points = (uint32_t)count};
  for (uint32_t i = 0; i < decomposition->count; i++)
    header.edge_blocks += edge_block_count(decomposition->first[i + 1] - decomposition->first[i]);
  header.nodes = sat_bvh_node_count(header.pieces);
  return header;
}

sat_CompositeHeader sat_chain_counts(uint32_t points, bool closed) {
  sat_CompositeHeader header = {.kind = SAT_CHAIN, .points = points};
  header.pieces = points == 1 ? 1 : closed && points > 2 ? points : points - 1;
  header.vertices = points == 1 ? 1 : 2 * header.pieces;
  header.edge_blocks = points == 1 ? 0 : header.pieces;
  if (header.pieces > 1) header.flags = SAT_CHAIN_SEGMENT;
  if (closed && points > 2) header.flags |= SAT_ONE_SIDED;
  header.nodes = sat_bvh_node_count(header.pieces);
  return header;
}

/* A member's own counts are far below the limits of the sums. */
bool sat_count_member(sat_CompositeHeader *sum, const sat_CompositeHeader *own, size_t bytes) {
  if (bytes > UINT32_MAX - sum->records || sum->vertices > UINT32_MAX / 4) return false;
  sum->pieces += own->pieces;
  sum->points = sum->vertices += own->vertices;
  sum->edge_blocks += own->edge_blocks;
  sum->records += (uint32_t)bytes;
  sum->flags |= own->flags;
  if (own->depth >= sum->depth) sum->depth = own->depth + 1;
  return true;
}

bool sat_composite_same_counts(const sat_CompositeHeader *a, const sat_CompositeHeader *b) {
#define IS_SAME(count) &&a->count == b->count
  return true SAT_COMPOSITE_COUNTS(IS_SAME);
#undef IS_SAME
}

/* ---------------------------------------------------------------- measures of a stretched shape */

/* The perimeter of a stretched shape, and the means of its pieces' centroids, weighted by area and
 * by length. */
typedef struct StretchedMeasures {
  double perimeter;
  sat_WeightedMean by_area, by_length;
} StretchedMeasures;

/* Adds one piece. Scaling maps a piece's centroid to the centroid of the scaled piece, so that in
 * the local frame a piece's centroid is always the same point. The refresh overwrites the vertices,
 * whose memory holds the local vertices until then. */
static void add_stretched_piece(const sat_Shape *shape, const sat_CompositeBlock *block,
                                const sat_Piece *piece, StretchedMeasures *sums) {
  sat_Vec2 *ring = block->vertices + piece->first, origin = block->header->made_centroid;
  for (uint32_t k = 0; k < piece->count; k++)
    ring[k] = sub(block->local_vertices[block->index[piece->first + k]], origin);
  double perimeter = sat_stretched_perimeter(shape, ring, piece->count), area = 0;
  if (piece->count > 2)
    area = max2(sat_ring_area(ring, piece->count), 0) * shape->axis_scale.x * shape->axis_scale.y;
  if (piece->flags & SAT_CONVEX_MEMBER) {
    area += (perimeter + SAT_PI * piece->own_radius) * piece->own_radius;
    sums->perimeter += perimeter + 2 * SAT_PI * piece->own_radius;
  }
  double size = piece->count == 2 ? perimeter / 2 : 0;
  sat_Vec2 centroid = sat_points_centroid(ring, piece->count);
  weigh_point(&sums->by_area, centroid, area);
  weigh_point(&sums->by_length, centroid, size);
}

/* The weights are those of weigh_members. A shape of points alone, which weigh 1 each, keeps its
 * local centroid under any stretch. */
void sat_composite_measure(sat_Shape *shape) {
  sat_CompositeBlock block = sat_composite_block(shape);
  shape->local_centroid = block.header->made_centroid;
  shape->area = block.header->made_area;
  shape->perimeter = block.header->made_perimeter;
  block.header->length = block.header->made_length;
  if (!sat_is_stretched(shape)) return;
  if (block.header->kind == SAT_POLYGON) {
    shape->area *= shape->axis_scale.x * shape->axis_scale.y;
    return;
  }
  StretchedMeasures sums;
  memset(&sums, 0, sizeof sums);
  for (uint32_t i = 0; i < block.header->pieces; i++)
    add_stretched_piece(shape, &block, &block.pieces[i], &sums);
  shape->area = total_weight(&sums.by_area);
  shape->perimeter = sums.perimeter;
  block.header->length = total_weight(&sums.by_length);
  const sat_WeightedMean *mean = shape->area > 0 ? &sums.by_area : &sums.by_length;
  if (total_weight(mean) > 0)
    shape->local_centroid = add(shape->local_centroid, mean_point(mean, 1));
}

sat_Vec2 sat_composite_support(const sat_Shape *shape, sat_Vec2 direction) {
  sat_Piece single;
  sat_PieceView view = sat_pieces_of(shape, &single);
  double size = length(direction), best = -HUGE_VAL;
  sat_Vec2 point = vec2(0, 0);
  for (uint32_t i = 0; i < view.count; i++) {
    const sat_Piece *piece = &view.pieces[i];
    sat_Vec2 corner = vec2(direction.x > 0 ? piece->box.max.x : piece->box.min.x,
                           direction.y > 0 ? piece->box.max.y : piece->box.min.y);
    double radius = sat_piece_radius(&view, piece);
    if (dot(direction, corner) + radius * size <= best) continue;
    sat_Convex convex = sat_piece_convex(&view, piece);
    sat_Vec2 vertex = convex.vertex[sat_support_index(&convex, direction)];
    double along = dot(direction, vertex) + radius * size;
    if (along <= best) continue;
    best = along;
    point = add(vertex, mul(direction, radius / size));
  }
  return add(shape->origin, point);
}
