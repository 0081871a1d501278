/* shape_make.c: the constructors of concave polygons, chains and compounds, of copies, and of a
 * shape from one piece of another. */
#include "base/box.h"
#include "base/double_double.h"
#include "shape/bvh.h"
#include "shape/record.h"

#include <string.h>

void sat_shape_copy(sat_Shape *block, const sat_Shape *shape) {
  memcpy(block, shape, shape->bytes);
  block->flags &= ~(uint32_t)(SAT_CHANGED | SAT_LOCKED);
  block->changes = NULL;
  block->owner = NULL;
}

/* ---------------------------------------------------------------- pieces of composite shapes */

/* Appends a piece, and returns the index of its first vertex. */
static uint32_t composite_add_piece(const sat_CompositeBlock *block, uint32_t *pieces,
                                    uint32_t count, double radius) {
  sat_Piece piece = {.count = count, .own_radius = radius, .radius = radius, .box = sat_no_box()};
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

/* Sets the centroid and the local origin, and makes the points relative to the local origin. */
static void set_center(sat_Shape *shape, const sat_CompositeBlock *block, sat_Vec2 center) {
  sat_Vec2 local_origin = sat_local_origin_of(block->local_vertices, block->header->points, center);
  for (uint32_t i = 0; i < block->header->points; i++)
    block->local_vertices[i] = sub(block->local_vertices[i], local_origin);
  shape->centroid = center;
  shape->local_origin = local_origin;
  shape->local_centroid = sub(center, local_origin);
}

/* ---------------------------------------------------------------- a concave polygon */

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
  block.header->parts = 1;
}

sat_Status sat_polygon_init(sat_Shape *block, const sat_Vec2 *ring, size_t count,
                            const sat_Decomposition *decomposition) {
  if (!sat_points_in_range(ring, count)) return SAT_ERANGE;
  sat_CompositeHeader header = sat_polygon_counts(count, decomposition);
  sat_CompositeBlock composite = sat_composite_begin(block, &header);
  for (size_t i = 0; i < count; i++) composite.local_vertices[i] = ring[i];
  set_center(block, &composite, sat_ring_centroid(ring, count));
  sat_polygon_fill(block, decomposition);
  sat_composite_sort(block);
  sat_shape_refresh(block);
  return SAT_OK;
}

/* ---------------------------------------------------------------- a chain */

size_t sat_chain_bytes(size_t count) {
  if (count == 0) return sizeof(sat_Shape) + sizeof(sat_CompositeHeader);
  if (count > UINT32_MAX / 2) return 0;
  sat_CompositeHeader header = sat_chain_counts((uint32_t)count, true);
  return sat_composite_bytes(&header);
}

/* The number of points that repeat neither their predecessor nor, at the end of a closed chain, the
 * first point. */
static uint32_t count_distinct(const sat_Vec2 *points, size_t count, bool closed) {
  uint32_t distinct = 1;
  while (closed && count > 1 && equal_points(points[count - 1], points[0])) count--;
  for (size_t i = 1; i < count; i++) distinct += !equal_points(points[i], points[i - 1]);
  return distinct;
}

sat_Vec2 sat_chain_measure(const sat_CompositeBlock *block) {
  sat_CompositeHeader *header = block->header;
  const sat_Vec2 *points = block->local_vertices;
  sat_WeightedMean mean = {{0, 0}, {0, 0}, {0, 0}};
  for (uint32_t i = 0; i < header->pieces; i++) {
    sat_Vec2 from = sub(points[i], points[0]),
             to = sub(points[i + 1 < header->points ? i + 1 : 0], points[0]);
    weigh_point(&mean, add(from, to), length(sub(to, from)));
  }
  header->length = total_weight(&mean);
  return header->length > 0 ? add(points[0], mean_point(&mean, 2)) : points[0];
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
    block.pieces[i].part = i;
    set_vertex(&block, first, (sat_Corner){i, false, false});
    if (size == 2) set_vertex(&block, first + 1, (sat_Corner){next, false, false});
  }
  block.header->parts = header->pieces;
  sat_chain_measure(&block);
}

sat_Status sat_chain_init(sat_Shape *block, const sat_Vec2 *points, size_t count, bool closed) {
  if (count == 0) return SAT_EFEW;
  if (!sat_points_in_range(points, count)) return SAT_ERANGE;
  sat_CompositeHeader header = sat_chain_counts(count_distinct(points, count, closed), closed);
  sat_CompositeBlock composite = sat_composite_begin(block, &header);
  uint32_t kept = 0;
  for (size_t i = 0; i < count && kept < header.points; i++)
    if (i == 0 || !equal_points(points[i], points[i - 1]))
      composite.local_vertices[kept++] = points[i];
  set_center(block, &composite, sat_chain_measure(&composite));
  sat_chain_fill(block);
  sat_composite_sort(block);
  sat_shape_refresh(block);
  return SAT_OK;
}

/* ---------------------------------------------------------------- a compound */

sat_Status sat_compound_counts(const sat_Shape *const *members, size_t count,
                               sat_CompositeHeader *header) {
  if (count == 0) return SAT_EFEW;
  *header = (sat_CompositeHeader){.kind = SAT_COMPOUND, .depth = 1};
  for (size_t i = 0; i < count; i++) {
    sat_CompositeHeader own = sat_shape_counts(members[i]);
    if (!sat_count_member(header, &own, sat_shape_record_size(members[i]))) return SAT_ENOMEM;
  }
  header->nodes = sat_bvh_node_count(header->pieces);
  if (sat_composite_bytes(header) == 0) return SAT_ENOMEM;
  return header->depth <= SAT_MOST_NESTED ? SAT_OK : SAT_EDEEP;
}

size_t sat_compound_bytes(const sat_Shape *const *members, size_t count) {
  sat_CompositeHeader header = {0};
  return sat_compound_counts(members, count, &header) == SAT_ENOMEM ? 0
                                                                    : sat_composite_bytes(&header);
}

/* The index of a member's vertex among the compound's points, counted from the member's first. The
 * two points of each segment of a chain follow those of the previous segment, so that
 * follower_in_member can compute an index. */
static uint32_t point_in_member(const sat_Shape *member, const sat_PieceView *view,
                                const sat_Piece *piece, uint32_t vertex) {
  sat_Kind kind = sat_shape_kind(member);
  if (!view->index) return vertex; /* a convex member */
  if (kind == SAT_COMPOUND) return view->index[piece->first + vertex];
  return kind == SAT_CHAIN ? 2 * view->index[piece->first] + vertex : piece->first + vertex;
}

/* The index of the far end of the neighbour at a vertex of a segment, counted as above, or
 * SAT_CHAIN_END. */
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
  bool is_compound = sat_shape_kind(member) == SAT_COMPOUND;
  uint32_t base = 0, part = block->header->parts;
  block->header->parts += is_compound ? sat_composite_header(member)->parts : 1;
  if (*pieces > 0) base = block->pieces[*pieces - 1].first + block->pieces[*pieces - 1].count;
  for (uint32_t i = 0; i < view.count; i++) {
    const sat_Piece *piece = &view.pieces[i];
    uint32_t first =
        composite_add_piece(block, pieces, piece->count, sat_piece_radius(&view, piece));
    bool turned_over = view.mirrored && piece->flags & SAT_ONE_SIDED;
    block->pieces[*pieces - 1].flags = (piece->flags ^ (turned_over ? SAT_BACKWARD : 0)) |
                                       (is_composite(member) ? 0 : SAT_CONVEX_MEMBER);
    block->pieces[*pieces - 1].part = part + (is_compound ? piece->part : 0);
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

/* The centroid of a compound. A member's weight is its area where any member has one, else its
 * length, else 1. */
static sat_Vec2 weigh_members(const sat_Shape *const *members, size_t count) {
  double area = 0, size = 0;
  for (size_t i = 0; i < count; i++) {
    area += sat_shape_area(members[i]);
    size += chain_length(members[i]);
  }
  sat_Vec2 start = members[0]->centroid;
  sat_WeightedMean mean = {{0, 0}, {0, 0}, {0, 0}};
  for (size_t i = 0; i < count; i++) {
    double weight = area > 0   ? sat_shape_area(members[i]) / area
                    : size > 0 ? chain_length(members[i]) / size
                               : 1;
    weigh_point(&mean, sub(members[i]->centroid, start), weight);
  }
  return add(start, mean_point(&mean, 1));
}

sat_Status sat_compound_init(sat_Shape *block, const sat_Shape *const *members, size_t count) {
  sat_CompositeHeader header;
  sat_Status status = sat_compound_counts(members, count, &header);
  if (status) return status;
  sat_Vec2 center = weigh_members(members, count);
  sat_CompositeBlock composite = sat_composite_begin(block, &header);
  unsigned char *record = composite.records;
  uint32_t pieces = 0;
  for (size_t i = 0; i < count; i++) {
    const sat_Shape *member = members[i];
    uint32_t rounded = is_composite(member) ? sat_composite_header(member)->rounded_count : 1;
    add_member(&composite, &pieces, member);
    /* with a radius the area of each boundary grows by its length times that, and one circle */
    composite.header->rounded_count += rounded;
    composite.header->length += chain_length(member);
    block->area += sat_shape_area(member);
    block->perimeter += member->perimeter * member->scale + 2 * SAT_PI * rounded * member->radius;
    sat_shape_write(member, 0, record);
    record += sat_shape_record_size(member);
  }
  set_center(block, &composite, center);
  sat_composite_sort(block);
  sat_shape_refresh(block);
  return sat_shape_is_within(block) ? SAT_OK : SAT_ERANGE;
}

/* ---------------------------------------------------------------- pieces as shapes */

/* A segment of length 0 is a point. */
static uint32_t piece_size(const sat_PieceView *view, const sat_Piece *piece) {
  const sat_Vec2 *vertices = view->vertices + piece->first;
  return piece->count == 2 && equal_points(vertices[0], vertices[1]) ? 1 : piece->count;
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
  return status ? status : sat_shape_take_settings(block, shape, sat_piece_radius(&view, piece));
}

sat_Status sat_shape_take_settings(sat_Shape *block, const sat_Shape *shape, double radius) {
  if (!in_range(radius)) return SAT_ERANGE;
  sat_take_radius(block, radius);
  block->flags |= shape->flags & (SAT_SENSOR | SAT_STATIC | SAT_DISABLED);
  sat_shape_set_filter(block, shape->category, shape->mask, shape->group);
  block->mass = shape->mass;
  return SAT_OK;
}

/* The new rectangle is made aside, so that an error leaves the old shape. */
sat_Status sat_shape_set_rectangle(sat_Shape *shape, double x, double y, double w, double h) {
  struct {
    sat_Shape head;
    sat_Edges edges;
    sat_Vec2 vertices[4], local[4];
  } made;
  sat_Vec2 corners[4] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, normal;
  if (shape->vertex_count != 4) return SAT_EVALUE;
  if (!(x < x + w && y < y + h)) return SAT_EAREA;
  sat_Status status = sat_shape_init(&made.head, corners, 4, 0);
  if (!status) status = sat_shape_take_settings(&made.head, shape, 0);
  if (!status && sat_shape_one_way(shape, &normal))
    status = sat_shape_set_one_way(&made.head, normal);
  if (status) return status;
  made.head.index = shape->index;
  sat_shape_become(shape, &made.head);
  return SAT_OK;
}
