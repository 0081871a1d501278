/* composite.c: composite shapes: layout, bounding volume hierarchy, transforms, constructors and
 * measures. */
#include "shape/composite.h"

#include "base/double_double.h"
#include "shape/shape_save.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---------------------------------------------------------------- the block */

/* The number of points with an entry in `next_in_chain`. */
static uint32_t chain_link_count(const sat_CompositeHeader *header) {
  return header->kind == SAT_COMPOUND && header->flags & SAT_CHAIN_SEGMENT ? header->points : 0;
}

sat_CompositeBlock sat_composite_block(sat_Shape *shape) {
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

/* Halving makes two sizes on each level of the tree, one apart. Counts both, level by level. */
static uint32_t node_count_for(uint32_t pieces) {
  uint32_t size = pieces, smaller = 1, larger = 0, nodes = 1;
  while (size > SAT_LEAF) {
    uint32_t low = size % 2 ? smaller : 2 * smaller + larger;
    larger = size % 2 ? smaller + 2 * larger : larger;
    smaller = low;
    size /= 2;
    nodes += smaller + larger;
  }
  return size == SAT_LEAF ? nodes + 2 * larger : nodes;
}

static bool is_mirrored(const sat_Shape *shape) {
  return !(shape->flags & SAT_MIRROR_X) != !(shape->flags & SAT_MIRROR_Y);
}

void sat_composite_count_nodes(sat_CompositeHeader *header) {
  header->nodes = node_count_for(header->pieces);
}

/* One initializer is faster than single stores on top of zeros. */
static sat_PieceView view_of_composite(const sat_Shape *shape, sat_Box box) {
  sat_CompositeBlock block = sat_composite_block((sat_Shape *)shape);
  const sat_CompositeHeader *header = block.header;
  bool has_tree = header->nodes > 1;
  return (sat_PieceView){.pieces = block.pieces,
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
                         .radius = shape->radius,
                         .origin = shape->origin,
                         .centroid_from_origin = shape->centroid_from_origin,
                         .box = box};
}

sat_PieceView sat_pieces_of(const sat_Shape *shape, sat_Piece *single) {
  double r = shape->radius;
  sat_Vec2 out = vec2(r, r);
  sat_Box box = {sub(shape->box.min, out), add(shape->box.max, out)};
  if (is_composite(shape)) return view_of_composite(shape, box);
  *single = (sat_Piece){.count = shape->vertex_count,
                        .edges = UINT32_MAX,
                        .corners = UINT32_MAX,
                        .own_radius = r,
                        .radius = r,
                        .l1_bound = shape->l1_bound,
                        .box = shape->box};
  return (sat_PieceView){.pieces = single,
                         .vertices = vertices_of(shape),
                         .edges = edges_of(shape),
                         .count = 1,
                         .origin = shape->origin,
                         .centroid_from_origin = shape->centroid_from_origin,
                         .box = box};
}

/* ---------------------------------------------------------------- the tree */

static void grow_box(sat_Box *box, const sat_Box *by, double out) {
  box->min = vec2(min2(box->min.x, sum_down(by->min.x, -out)),
                  min2(box->min.y, sum_down(by->min.y, -out)));
  box->max =
      vec2(max2(box->max.x, sum_up(by->max.x, out)), max2(box->max.y, sum_up(by->max.y, out)));
}

static const sat_Box NO_BOX = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};

/* Fits the boxes of the subtree at `*at` to their pieces. */
static sat_Box fit_nodes(const sat_CompositeBlock *block, uint32_t first, uint32_t count,
                         uint32_t *at) {
  uint32_t own = (*at)++;
  sat_BvhNode node = {NO_BOX, 0, first, count, 0};
  if (count <= SAT_LEAF) {
    for (uint32_t i = first; i < first + count; i++)
      grow_box(&node.box, &block->pieces[i].box, block->pieces[i].radius);
  } else {
    sat_Box low = fit_nodes(block, first, count / 2, at);
    sat_Box high = fit_nodes(block, first + count / 2, count - count / 2, at);
    grow_box(&node.box, &low, 0);
    grow_box(&node.box, &high, 0);
    node.count = 0;
  }
  node.skip = *at - own;
  block->nodes[own] = node;
  return node.box;
}

static double box_center_along(const sat_Piece *piece, bool upright) {
  const sat_Box *box = &piece->box;
  return upright ? box->min.y + box->max.y : box->min.x + box->max.x;
}

static void swap_pieces(sat_Piece *pieces, uint32_t i, uint32_t j) {
  sat_Piece piece = pieces[i];
  pieces[i] = pieces[j];
  pieces[j] = piece;
}

/* Partitions the pieces so that the smallest `half_edge` come first. Hoare, Algorithm 65: Find,
 * 1961. The pivot's index is random, since sorted input makes every fixed index a bad one. */
static void split_pieces(sat_Piece *pieces, uint32_t count, uint32_t half, bool upright) {
  uint32_t low = 0, high = count - 1, anywhere = count;
  while (low < high) {
    anywhere = anywhere * 1664525u + 1013904223u; /* Knuth's and Lewis' generator */
    uint32_t place = low + (uint32_t)((uint64_t)anywhere * (high - low) >> 32);
    double pivot = box_center_along(&pieces[place], upright);
    uint32_t i = low, j = high;
    for (;;) {
      while (box_center_along(&pieces[i], upright) < pivot) i++;
      while (box_center_along(&pieces[j], upright) > pivot) j--;
      if (i >= j) break;
      swap_pieces(pieces, i++, j--);
    }
    if (half <= j) high = j;
    else low = j + 1;
  }
}

/* Sorts the pieces so that those of a node are near each other: each node splits its pieces into
 * halves of equal number, across the longer side of the box of their centres. */
static void sort_pieces(sat_Piece *pieces, uint32_t count) {
  if (count <= SAT_LEAF) return;
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (uint32_t i = 0; i < count; i++) {
    for (int axis = 0; axis < 2; axis++) {
      double local_centroid = box_center_along(&pieces[i], axis);
      low[axis] = min2(low[axis], local_centroid);
      high[axis] = max2(high[axis], local_centroid);
    }
  }
  split_pieces(pieces, count, count / 2, high[1] - low[1] > high[0] - low[0]);
  sort_pieces(pieces, count / 2);
  sort_pieces(pieces + count / 2, count - count / 2);
}

/* ---------------------------------------------------------------- from local to turned */

static sat_Vec2 oriented_point(const sat_Shape *shape, sat_Vec2 local) {
  if (!(shape->flags & (SAT_TRANSFORMED | SAT_QUARTERS))) return local;
  double cosine = shape->cosine * shape->scale, sine = shape->sine * shape->scale;
  sat_Vec2 arm = sub(local, sat_shape_hinge(shape));
  arm = vec2(shape->flags & SAT_MIRROR_X ? -arm.x : arm.x,
             shape->flags & SAT_MIRROR_Y ? -arm.y : arm.y);
  return vec2(arm.x * cosine - arm.y * sine, arm.x * sine + arm.y * cosine);
}

/* The index of a local point among the transformed points. */
static uint32_t local_index(const sat_CompositeHeader *header, uint32_t local, bool mirrored) {
  return header->kind == SAT_POLYGON && mirrored && local > 0 ? header->points - local : local;
}

uint32_t sat_exposed_bits(const bool *hidden, uint32_t count) {
  uint32_t bits = 0;
  if (count > 32) return UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) bits |= (uint32_t)!hidden[i] << i;
  return bits;
}

/* A mirrored piece has its vertices in reversed order, so that its area stays positive. */
static void reverse_piece(const sat_CompositeBlock *block, sat_Piece *piece, bool mirrored) {
  uint32_t first = piece->first, count = piece->count;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t vertex = mirrored && k > 0 ? count - k : k, edge = mirrored ? count - 1 - k : k;
    uint32_t place = local_index(block->header, block->index[first + vertex], mirrored);
    block->vertices[first + k] = block->points[place];
    block->internal[first + k] = block->own_internal[first + edge];
    block->reflex[first + k] = block->own_reflex[first + vertex];
  }
  piece->edges = sat_exposed_bits(block->internal + first, count);
  piece->corners = sat_exposed_bits(block->reflex + first, count);
}

static void measure_piece(const sat_CompositeBlock *block, sat_Piece *piece, double scale) {
  const sat_Vec2 *vertex = block->vertices + piece->first;
  sat_measure_edges(block->edges + piece->edge_block, vertex, piece->count);
  sat_Box box = {vertex[0], vertex[0]};
  for (uint32_t i = 1; i < piece->count; i++) {
    box.min = vec2(min2(box.min.x, vertex[i].x), min2(box.min.y, vertex[i].y));
    box.max = vec2(max2(box.max.x, vertex[i].x), max2(box.max.y, vertex[i].y));
  }
  piece->box = box;
  piece->l1_bound = max2(-box.min.x, box.max.x) + max2(-box.min.y, box.max.y);
  piece->radius = piece->own_radius * scale;
}

static void measure_whole(sat_Shape *shape, const sat_CompositeBlock *block) {
  double bounding_radius = 0;
  shape->box = NO_BOX;
  shape->l1_bound = 0;
  for (uint32_t i = 0; i < block->header->pieces; i++) {
    const sat_Piece *piece = &block->pieces[i];
    double farthest = 0;
    for (uint32_t k = 0; k < piece->count; k++) {
      sat_Vec2 arm = sub(block->vertices[piece->first + k], shape->centroid_from_origin);
      farthest = max2(farthest, dot(arm, arm));
    }
    bounding_radius = max2(bounding_radius, sum_up(sqrt(farthest) * SAT_ROUND_UP, piece->radius));
    grow_box(&shape->box, &piece->box, piece->radius);
    shape->l1_bound = max2(shape->l1_bound, piece->l1_bound + piece->radius);
  }
  shape->bounding_radius = bounding_radius;
}

void sat_composite_refresh(sat_Shape *shape) {
  sat_CompositeBlock block = sat_composite_block(shape);
  bool mirrored = is_mirrored(shape);
  for (uint32_t i = 0; i < block.header->points; i++)
    block.points[local_index(block.header, i, mirrored)] =
        oriented_point(shape, block.local_vertices[i]);
  for (uint32_t i = 0; i < block.header->pieces; i++) {
    reverse_piece(&block, &block.pieces[i], mirrored);
    measure_piece(&block, &block.pieces[i], shape->scale);
  }
  uint32_t at = 0;
  fit_nodes(&block, 0, block.header->pieces, &at);
  measure_whole(shape, &block);
}

/* ---------------------------------------------------------------- making */

/* The padding at the end is zero, so that equal shapes have equal bytes. */
sat_CompositeBlock sat_composite_begin(sat_Shape *shape, const sat_CompositeHeader *header) {
  size_t bytes = sat_composite_bytes(header);
  memset((char *)shape + bytes - 8, 0, 8);
  sat_init_head(shape, bytes, 0, 0);
  *(sat_CompositeHeader *)(void *)(shape + 1) = *header;
  return sat_composite_block(shape);
}

/* Appends a piece, and returns the array for its vertices. */
static uint32_t composite_add_piece(const sat_CompositeBlock *block, uint32_t *pieces,
                                    uint32_t count, double radius) {
  sat_Piece piece = {.count = count, .own_radius = radius, .radius = radius, .box = NO_BOX};
  if (*pieces > 0) {
    const sat_Piece *before = &block->pieces[*pieces - 1];
    piece.first = before->first + before->count;
    piece.edge_block = before->edge_block + edge_block_count(before->count);
  }
  block->pieces[(*pieces)++] = piece;
  return piece.first;
}

static void set_vertex(const sat_CompositeBlock *block, uint32_t vertex, sat_Corner corner) {
  block->index[vertex] = corner.vertex;
  block->own_internal[vertex] = corner.internal;
  block->own_reflex[vertex] = corner.reflex;
}

/* The bounds of a piece before any transform. */
static sat_Box local_box(const sat_CompositeBlock *block, const sat_Piece *piece) {
  const uint32_t *index = block->index + piece->first;
  sat_Box box = {block->local_vertices[index[0]], block->local_vertices[index[0]]};
  for (uint32_t i = 1; i < piece->count; i++) {
    sat_Vec2 local = block->local_vertices[index[i]];
    box.min = vec2(min2(box.min.x, local.x), min2(box.min.y, local.y));
    box.max = vec2(max2(box.max.x, local.x), max2(box.max.y, local.y));
  }
  return box;
}

void sat_composite_finish(sat_Shape *shape) {
  sat_CompositeBlock block = sat_composite_block(shape);
  for (uint32_t i = 0; i < block.header->pieces; i++)
    block.pieces[i].box = local_box(&block, &block.pieces[i]);
  sort_pieces(block.pieces, block.header->pieces);
  sat_shape_refresh(shape);
}

/* Subtracts the anchor from the local points, which are still in world coordinates. */
static void set_center(sat_Shape *shape, const sat_CompositeBlock *block, sat_Vec2 center) {
  sat_Vec2 local_origin = sat_local_origin_of(block->local_vertices, block->header->points, center);
  for (uint32_t i = 0; i < block->header->points; i++)
    block->local_vertices[i] = sub(block->local_vertices[i], local_origin);
  shape->centroid = center;
  shape->local_origin = local_origin;
  shape->local_centroid = sub(center, local_origin);
}

static bool all_in_range(const sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!vec_in_range(points[i])) return false;
  return true;
}

/* ---------------------------------------------------------------- a concave polygon */

sat_CompositeHeader sat_polygon_counts(size_t count, const sat_Decomposition *decomposition) {
  sat_CompositeHeader header = {0};
  header.kind = SAT_POLYGON;
  header.pieces = decomposition->count;
  header.vertices = decomposition->first[decomposition->count];
  header.points = (uint32_t)count;
  for (uint32_t i = 0; i < decomposition->count; i++)
    header.edge_blocks += edge_block_count(decomposition->first[i + 1] - decomposition->first[i]);
  sat_composite_count_nodes(&header);
  return header;
}

size_t sat_polygon_bytes(size_t count, const sat_Decomposition *decomposition) {
  sat_CompositeHeader header = sat_polygon_counts(count, decomposition);
  return count <= UINT32_MAX ? sat_composite_bytes(&header) : 0;
}

void sat_polygon_fill(sat_Shape *shape, const sat_Decomposition *decomposition) {
  sat_CompositeBlock block = sat_composite_block(shape);
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < decomposition->count; i++) {
    uint32_t from = decomposition->first[i], size = decomposition->first[i + 1] - from;
    uint32_t first = composite_add_piece(&block, &pieces, size, 0);
    for (uint32_t k = 0; k < size; k++)
      set_vertex(&block, first + k, decomposition->corners[from + k]);
  }
  shape->area = max2(sat_ring_area(block.local_vertices, block.header->points), 0);
}

sat_Status sat_polygon_init(sat_Shape *shape, const sat_Vec2 *ring, size_t count,
                            const sat_Decomposition *decomposition) {
  if (!all_in_range(ring, count)) return SAT_ERANGE;
  sat_CompositeHeader header = sat_polygon_counts(count, decomposition);
  sat_CompositeBlock block = sat_composite_begin(shape, &header);
  for (size_t i = 0; i < count; i++) block.local_vertices[i] = ring[i];
  set_center(shape, &block, sat_ring_centroid(ring, count));
  sat_polygon_fill(shape, decomposition);
  sat_composite_finish(shape);
  return SAT_OK;
}

/* ---------------------------------------------------------------- a chain */

sat_CompositeHeader sat_chain_counts(uint32_t points, bool closed) {
  sat_CompositeHeader header = {0};
  header.kind = SAT_CHAIN;
  header.points = points;
  header.pieces = points == 1 ? 1 : closed && points > 2 ? points : points - 1;
  header.vertices = points == 1 ? 1 : 2 * header.pieces;
  header.edge_blocks = points == 1 ? 0 : header.pieces;
  if (header.pieces > 1) header.flags = SAT_CHAIN_SEGMENT;
  if (closed && points > 2) header.flags |= SAT_ONE_SIDED;
  sat_composite_count_nodes(&header);
  return header;
}

size_t sat_chain_bytes(size_t count) {
  if (count == 0) return sizeof(sat_Shape) + sizeof(sat_CompositeHeader);
  if (count > UINT32_MAX / 2) return 0;
  sat_CompositeHeader header = sat_chain_counts((uint32_t)count, true);
  return sat_composite_bytes(&header);
}

static bool same_vec2(sat_Vec2 a, sat_Vec2 b) { return a.x == b.x && a.y == b.y; }

/* Removes points that repeat their predecessor, or, at the end of a closed chain, the first point.
 * Returns the number of points left. */
static uint32_t count_distinct(const sat_Vec2 *points, size_t count, bool closed) {
  uint32_t distinct = 1;
  while (closed && count > 1 && same_vec2(points[count - 1], points[0])) count--;
  for (size_t i = 1; i < count; i++) distinct += !same_vec2(points[i], points[i - 1]);
  return distinct;
}

/* The centroid of a chain, weighted by length. */
static sat_Vec2 measure_chain(const sat_CompositeBlock *block) {
  sat_CompositeHeader *header = block->header;
  const sat_Vec2 *points = block->local_vertices;
  sat_Vec2 sum = vec2(0, 0);
  header->length = 0;
  for (uint32_t i = 0; i < header->pieces; i++) {
    sat_Vec2 from = sub(points[i], points[0]),
             to = sub(points[i + 1 < header->points ? i + 1 : 0], points[0]);
    double size = length(sub(to, from));
    sum = add(sum, mul(add(from, to), size / 2));
    header->length += size;
  }
  return header->length > 0 ? add(points[0], mul(sum, 1 / header->length)) : points[0];
}

void sat_chain_fill(sat_Shape *shape) {
  sat_CompositeBlock block = sat_composite_block(shape);
  const sat_CompositeHeader *header = block.header;
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < header->pieces; i++) {
    uint32_t size = header->points == 1 ? 1 : 2,
             first = composite_add_piece(&block, &pieces, size, 0);
    uint32_t next = i + 1 < header->points ? i + 1 : 0;
    block.pieces[i].flags = header->flags;
    set_vertex(&block, first, (sat_Corner){i, false, false});
    if (size == 2) set_vertex(&block, first + 1, (sat_Corner){next, false, false});
  }
  measure_chain(&block);
}

sat_Status sat_chain_init(sat_Shape *shape, const sat_Vec2 *points, size_t count, bool closed) {
  if (count == 0) return SAT_EFEW;
  if (!all_in_range(points, count)) return SAT_ERANGE;
  sat_CompositeHeader header = sat_chain_counts(count_distinct(points, count, closed), closed);
  sat_CompositeBlock block = sat_composite_begin(shape, &header);
  uint32_t kept = 0;
  for (size_t i = 0; i < count && kept < header.points; i++)
    if (i == 0 || !same_vec2(points[i], points[i - 1])) block.local_vertices[kept++] = points[i];
  set_center(shape, &block, measure_chain(&block));
  sat_chain_fill(shape);
  sat_composite_finish(shape);
  return SAT_OK;
}

/* ---------------------------------------------------------------- a compound */

sat_Status sat_compound_counts(const sat_Shape *const *members, size_t count,
                               sat_CompositeHeader *header) {
  uint64_t pieces = 0, vertices = 0, edge_blocks = 0, records = 0;
  uint32_t flags = 0, depth = 0;
  if (count == 0) return SAT_EFEW;
  for (size_t i = 0; i < count; i++) {
    const sat_Shape *member = members[i];
    const sat_CompositeHeader *own = is_composite(member) ? sat_composite_header(member) : NULL;
    pieces += own ? own->pieces : 1;
    vertices += own ? own->vertices : member->vertex_count;
    edge_blocks += own ? own->edge_blocks : edge_block_count(member->vertex_count);
    records += sat_shape_record_size(member);
    flags |= own ? own->flags : 0;
    if (own && own->depth > depth) depth = own->depth;
  }
  if (vertices > UINT32_MAX / 2 || records > UINT32_MAX) return SAT_ENOMEM;
  *header = (sat_CompositeHeader){.pieces = (uint32_t)pieces,
                                  .vertices = (uint32_t)vertices,
                                  .edge_blocks = (uint32_t)edge_blocks,
                                  .points = (uint32_t)vertices,
                                  .kind = SAT_COMPOUND,
                                  .flags = flags,
                                  .records = (uint32_t)records,
                                  .depth = depth + 1};
  sat_composite_count_nodes(header);
  if (sat_composite_bytes(header) == 0) return SAT_ENOMEM;
  return depth < SAT_MOST_NESTED ? SAT_OK : SAT_EDEEP;
}

size_t sat_compound_bytes(const sat_Shape *const *members, size_t count) {
  sat_CompositeHeader header = {0};
  return sat_compound_counts(members, count, &header) == SAT_ENOMEM ? 0
                                                                    : sat_composite_bytes(&header);
}

/* Where among a compound's points, from the member's first one on, a vertex of a member goes: where
 * the points of a chain follow each other can be told from that. */
static uint32_t point_in_member(const sat_Shape *member, const sat_PieceView *view,
                                const sat_Piece *piece, uint32_t vertex) {
  sat_Kind kind = sat_shape_kind(member);
  if (!view->index) return vertex; /* it is convex */
  if (kind == SAT_COMPOUND) return view->index[piece->first + vertex];
  return kind == SAT_CHAIN ? 2 * view->index[piece->first] + vertex : piece->first + vertex;
}

/* The successor of a member's point in its chain. */
static uint32_t follower_in_member(const sat_PieceView *view, const sat_Piece *piece,
                                   uint32_t vertex) {
  if (!(piece->flags & SAT_CHAIN_SEGMENT)) return SAT_CHAIN_END;
  uint32_t start = view->index[piece->first], count = view->count;
  if (view->next_in_chain) return view->next_in_chain[view->index[piece->first + vertex]];
  if (vertex == 0)
    return start > 0 ? 2 * (start - 1) : view->closed ? 2 * (count - 1) : SAT_CHAIN_END;
  return start + 1 < count ? 2 * start + 3 : view->closed ? 1 : SAT_CHAIN_END;
}

static void add_member(const sat_CompositeBlock *block, uint32_t *pieces, const sat_Shape *member) {
  sat_Piece single;
  sat_PieceView view = sat_pieces_of(member, &single);
  uint32_t base = 0;
  if (*pieces > 0) base = block->pieces[*pieces - 1].first + block->pieces[*pieces - 1].count;
  for (uint32_t i = 0; i < view.count; i++) {
    const sat_Piece *piece = &view.pieces[i];
    uint32_t first =
        composite_add_piece(block, pieces, piece->count, sat_piece_radius(&view, piece));
    bool turned_over = view.mirrored && piece->flags & SAT_ONE_SIDED;
    block->pieces[*pieces - 1].flags = piece->flags ^ (turned_over ? SAT_BACKWARD : 0);
    for (uint32_t k = 0; k < piece->count; k++) {
      uint32_t own = piece->first + k, point = base + point_in_member(member, &view, piece, k);
      bool internal = view.internal && view.internal[own], reflex = view.reflex && view.reflex[own];
      set_vertex(block, first + k, (sat_Corner){point, internal, reflex});
      block->local_vertices[point] = add(view.origin, view.vertices[own]);
      if (!block->next_in_chain) continue;
      uint32_t follower = follower_in_member(&view, piece, k);
      block->next_in_chain[point] = follower == SAT_CHAIN_END ? follower : base + follower;
    }
  }
}

static double chain_length(const sat_Shape *shape) {
  if (is_composite(shape)) return sat_composite_header(shape)->length * shape->scale;
  return shape->vertex_count == 2 ? shape->perimeter * shape->scale / 2 : 0;
}

/* A member's weight is its area where any member has one, else its length, else 1. */
static sat_Vec2 weigh_members(const sat_Shape *const *members, size_t count) {
  double area = 0, size = 0, all = 0;
  for (size_t i = 0; i < count; i++) {
    area += sat_shape_area(members[i]);
    size += chain_length(members[i]);
  }
  sat_Vec2 start = members[0]->centroid, sum = vec2(0, 0);
  for (size_t i = 0; i < count; i++) {
    double weight = area > 0   ? sat_shape_area(members[i]) / area
                    : size > 0 ? chain_length(members[i]) / size
                               : 1;
    sum = add(sum, mul(sub(members[i]->centroid, start), weight));
    all += weight;
  }
  return add(start, mul(sum, 1 / all));
}

/* The area is a sum over the outlines that are rounded, and so is what rounding adds to it: for a
 * radius r it grows by the outlines' length times r, and a disc for each. */
static void add_measures(sat_Shape *shape, sat_CompositeHeader *header, const sat_Shape *member) {
  uint32_t rounded_count = is_composite(member) ? sat_composite_header(member)->rounded_count : 1;
  shape->area += sat_shape_area(member);
  shape->perimeter += member->perimeter * member->scale + 2 * PI * rounded_count * member->radius;
  header->rounded_count += rounded_count;
  header->length += chain_length(member);
}

static bool fits_bound(const sat_Shape *const *members, size_t count, sat_Vec2 center) {
  for (size_t i = 0; i < count; i++) {
    double threshold = sat_shape_bounding_radius(members[i]);
    if (!(length(sub(members[i]->centroid, center)) + threshold <= SAT_MOST_BOUND)) return false;
  }
  return true;
}

sat_Status sat_compound_init(sat_Shape *shape, const sat_Shape *const *members, size_t count) {
  sat_CompositeHeader header;
  sat_Status status = sat_compound_counts(members, count, &header);
  if (status) return status;
  sat_Vec2 center = weigh_members(members, count);
  if (!fits_bound(members, count, center)) return SAT_ERANGE;
  sat_CompositeBlock block = sat_composite_begin(shape, &header);
  unsigned char *record = block.records;
  uint32_t pieces = 0;
  for (size_t i = 0; i < count; i++) {
    add_member(&block, &pieces, members[i]);
    add_measures(shape, block.header, members[i]);
    sat_shape_write(members[i], record);
    record += sat_shape_record_size(members[i]);
  }
  set_center(shape, &block, center);
  sat_composite_finish(shape);
  return SAT_OK;
}

/* ---------------------------------------------------------------- reading */

size_t sat_composite_point_count(const sat_Shape *shape) {
  const sat_CompositeHeader *header = sat_composite_header(shape);
  return header->kind == SAT_COMPOUND ? 0 : header->points;
}

sat_Vec2 sat_composite_point(const sat_Shape *shape, size_t index) {
  return add(shape->origin, sat_composite_block((sat_Shape *)shape).points[index]);
}

double sat_composite_area(const sat_Shape *shape, double core, double boundary) {
  double r = shape->radius;
  return core + (boundary + sat_composite_header(shape)->rounded_count * PI * r) * r;
}

/* An upper bound of a piece's support along a direction. */
static double farthest_along(const sat_PieceView *view, const sat_Piece *piece, sat_Vec2 direction,
                             double size) {
  double x = direction.x > 0 ? piece->box.max.x : piece->box.min.x;
  double y = direction.y > 0 ? piece->box.max.y : piece->box.min.y;
  return direction.x * x + direction.y * y + sat_piece_radius(view, piece) * size;
}

sat_Vec2 sat_composite_support(const sat_Shape *shape, sat_Vec2 direction) {
  sat_Piece single;
  sat_PieceView view = sat_pieces_of(shape, &single);
  double size = length(direction), best = -HUGE_VAL;
  sat_Vec2 point = vec2(0, 0);
  for (uint32_t i = 0; i < view.count; i++) {
    const sat_Piece *piece = &view.pieces[i];
    if (farthest_along(&view, piece, direction, size) <= best) continue;
    sat_Convex convex = sat_piece_convex(&view, piece);
    double radius = sat_piece_radius(&view, piece);
    sat_Vec2 vertex = convex.vertex[sat_support_index(&convex, direction)];
    double threshold = dot(direction, vertex) + radius * size;
    if (threshold <= best) continue;
    best = threshold;
    point = add(vertex, mul(direction, radius / size));
  }
  return add(shape->origin, point);
}

/* ---------------------------------------------------------------- the parts */

bool sat_shape_is_convex(const sat_Shape *shape) { return sat_shape_piece_count(shape) == 1; }

size_t sat_shape_piece_count(const sat_Shape *shape) {
  return is_composite(shape) ? sat_composite_header(shape)->pieces : 1;
}

/* A segment of length 0 is a point. */
static uint32_t piece_size(const sat_PieceView *view, const sat_Piece *piece) {
  const sat_Vec2 *vertices = view->vertices + piece->first;
  return piece->count == 2 && same_vec2(vertices[0], vertices[1]) ? 1 : piece->count;
}

size_t sat_shape_piece_size(const sat_Shape *shape, size_t index) {
  sat_Piece single;
  SAT_ASSERT(index < sat_shape_piece_count(shape));
  sat_PieceView view = sat_pieces_of(shape, &single);
  return piece_size(&view, &view.pieces[index]);
}

sat_Vec2 sat_shape_piece_vertex(const sat_Shape *shape, size_t index, size_t vertex) {
  sat_Piece single;
  SAT_ASSERT(vertex < sat_shape_piece_size(shape, index));
  sat_PieceView view = sat_pieces_of(shape, &single);
  return add(view.origin, view.vertices[view.pieces[index].first + vertex]);
}

double sat_shape_piece_radius(const sat_Shape *shape, size_t index) {
  sat_Piece single;
  SAT_ASSERT(index < sat_shape_piece_count(shape));
  sat_PieceView view = sat_pieces_of(shape, &single);
  return sat_piece_radius(&view, &view.pieces[index]);
}

sat_Status sat_shape_piece_init(sat_Shape *block, const sat_Shape *shape, size_t index) {
  sat_Piece single;
  sat_PieceView view = sat_pieces_of(shape, &single);
  const sat_Piece *piece = &view.pieces[index];
  const sat_Vec2 *vertices = view.vertices + piece->first;
  sat_Status status = sat_shape_init_at(block, view.origin, vertices, piece_size(&view, piece));
  if (status != SAT_OK) return status;
  if (!in_range(sat_piece_radius(&view, piece))) return SAT_ERANGE;
  block->radius = sat_piece_radius(&view, piece);
  block->flags |= shape->flags & (SAT_SENSOR | SAT_STATIC | SAT_DISABLED);
  sat_shape_set_filter(block, shape->category, shape->mask, shape->group);
  block->mass = shape->mass;
  return SAT_OK;
}
