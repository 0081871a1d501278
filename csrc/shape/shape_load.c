/* shape_load.c: makes shapes from checked records by the constructors, and restores shapes that
 * exist. */
#include "shape/record.h"

#include "base/memory.h"

/* Coordinates that are 0 or at least SAT_TINY have differences that are 0 or at least this, for
 * which the predicates are exact. */
#define LEAST (SAT_TINY * SAT_EPSILON / 4)

/* Checks that cleaning would change nothing of a ring. The ring is scaled to a quarter meanwhile,
 * exactly: its coordinates are then within the limits, wherever the local origin is. */
static sat_Status check_ring(const unsigned char *record, sat_Vec2 *ring, sat_Scratch *scratch) {
  size_t count, kept;
  const unsigned char *points = sat_record_points(record, &count);
  kept = count;
  for (size_t i = 0; i < count; i++) {
    bool is_exact = (ring[i].x == 0 || fabs(ring[i].x) >= LEAST) &&
                    (ring[i].y == 0 || fabs(ring[i].y) >= LEAST);
    if (!is_exact) return SAT_ESAVED;
    ring[i] = mul(ring[i], 0.25);
  }
  sat_Status status = sat_ring_clean(ring, &kept, scratch, NULL);
  if (status) return status == SAT_ENOMEM ? SAT_ENOMEM : SAT_ESAVED;
  for (size_t i = 0; i < kept; i++) ring[i] = mul(ring[i], 4);
  return kept == count && sat_are_points_at(points, ring, count) ? SAT_OK : SAT_ESAVED;
}

static sat_Status fill_polygon(const unsigned char *record, sat_Shape *block,
                               sat_Scratch *scratch) {
  sat_CompositeBlock to = sat_composite_block(block);
  sat_Decomposition decomposition;
  sat_Status status = check_ring(record, to.local_vertices, scratch);
  if (!status)
    status = sat_ring_decompose(to.local_vertices, to.header->points, scratch, &decomposition);
  if (status) return status;
  sat_CompositeHeader counts = sat_polygon_counts(to.header->points, &decomposition);
  if (!sat_composite_same_counts(&counts, to.header)) return SAT_ESAVED;
  sat_polygon_fill(block, &decomposition);
  return SAT_OK;
}

static sat_Status fill_chain(sat_Shape *block) {
  sat_CompositeBlock to = sat_composite_block(block);
  uint32_t count = to.header->points;
  for (uint32_t i = 0; i < count && count > 1; i++) {
    sat_Vec2 next = to.local_vertices[i + 1 < count ? i + 1 : 0];
    bool is_last = i + 1 == count && to.header->pieces < count;
    if (!is_last && equal_points(to.local_vertices[i], next)) return SAT_ESAVED;
  }
  sat_chain_fill(block);
  return SAT_OK;
}

static size_t aligned(size_t bytes) { return (bytes + 15) / 16 * 16; }

/* While a member is made, the memory holds the members before it; while the compound is, all of
 * them, the list of pointers to them, and the compound. */
size_t sat_record_memory(const unsigned char *record) {
  size_t most = 0, held = 0, list = 0, block = aligned(sat_record_block(record)), size;
  if (sat_record_counts(record).kind != SAT_COMPOUND) return block;
  const unsigned char *member = sat_record_members(record, &size), *end = member + size;
  for (; member < end; member += sat_record_size(member)) {
    size_t inside = held + sat_record_memory(member);
    if (inside > most) most = inside;
    held += aligned(sat_record_block(member));
    list += sizeof(sat_Shape *);
  }
  held += aligned(list) + block;
  return held > most ? held : most;
}

/* ---------------------------------------------------------------- reading */

/* SAT_ESAVED: no polygon or chain has these points. */
static sat_Status read_pieces(const unsigned char *record, sat_Shape *block, sat_Scratch *scratch) {
  size_t count;
  const unsigned char *points = sat_record_points(record, &count);
  sat_CompositeHeader counts = sat_record_counts(record);
  sat_CompositeBlock to = sat_composite_begin(block, &counts);
  for (size_t i = 0; i < count; i++) to.local_vertices[i] = sat_record_point(points, i);
  sat_Status status =
      counts.kind == SAT_CHAIN ? fill_chain(block) : fill_polygon(record, block, scratch);
  if (status) return status;
  sat_record_get_head(record, block);
  sat_sine_cosine(block->angle, &block->sine, &block->cosine);
  sat_composite_sort(block);
  sat_shape_refresh(block);
  return block->bounding_radius <= RECORD_MOST_BOUND ? SAT_OK : SAT_ESAVED;
}

static sat_Status read_convex(const unsigned char *record, sat_Shape *block) {
  size_t count;
  const unsigned char *points = sat_record_points(record, &count);
  sat_init_head(block, sat_shape_bytes(count), count, 0);
  for (size_t i = 0; i < count; i++)
    sat_shape_local_vertices(block)[i] = sat_record_point(points, i);
  sat_record_get_head(record, block);
  sat_shape_derive(block);
  return SAT_OK;
}

static sat_Status read_compound(const unsigned char *record, sat_Shape *made,
                                const sat_Shape *const *members, size_t count) {
  if (sat_compound_bytes(members, count) != sat_record_block(record)) return SAT_ESAVED;
  if (sat_compound_init(made, members, count) != SAT_OK) return SAT_ESAVED;
  sat_Vec2 centroid = sat_get_vec2(record + RECORD_LOCAL_CENTROID);
  if (!sat_same_bits(centroid, made->local_centroid)) return SAT_ESAVED;
  sat_shape_restore(record, made);
  return made->bounding_radius <= RECORD_MOST_BOUND ? SAT_OK : SAT_ESAVED;
}

/* Makes a shape at the start of the memory. A compound is made behind its members and the list of
 * pointers to them, and then moves to the start. */
static sat_Status read_at(const unsigned char *record, char *memory, sat_Scratch *scratch) {
  sat_Shape *first = (sat_Shape *)(void *)memory;
  if (sat_get_32(record + RECORD_COUNT) > 0) return read_convex(record, first);
  if (sat_record_counts(record).kind != SAT_COMPOUND) return read_pieces(record, first, scratch);
  size_t size, count = 0;
  const unsigned char *member = sat_record_members(record, &size), *end = member + size;
  char *behind = memory, *at = memory;
  for (; member < end; member += sat_record_size(member), count++) {
    sat_Status status = read_at(member, behind, scratch);
    if (status) return status;
    behind += aligned(sat_record_block(member));
  }
  const sat_Shape **list = (const sat_Shape **)(void *)behind;
  for (size_t i = 0; i < count; at += aligned(list[i++]->bytes))
    list[i] = (const sat_Shape *)(void *)at;
  sat_Shape *made = (sat_Shape *)(void *)(behind + aligned(count * sizeof(sat_Shape *)));
  sat_Status status = read_compound(record, made, list, count);
  if (!status) memmove(memory, made, made->bytes);
  return status;
}

sat_Status sat_shape_read(const unsigned char *record, sat_Shape *block, void *memory,
                          sat_Scratch *scratch) {
  void *owner = block->owner;
  sat_Shape *made = sat_record_counts(record).kind == SAT_COMPOUND ? memory : block;
  sat_Status status = read_at(record, (char *)made, scratch);
  if (!status && made != block) memcpy(block, made, made->bytes);
  block->owner = owner;
  return status;
}

/* ---------------------------------------------------------------- restoring */

bool sat_record_is_of(const unsigned char *record, const sat_Shape *shape) {
  size_t count;
  sat_CompositeHeader counts = sat_record_counts(record), own = sat_shape_counts(shape);
  if (!sat_composite_same_counts(&counts, &own)) return false;
  if (!is_composite(shape)) return true;
  sat_CompositeBlock block = sat_composite_block((sat_Shape *)shape);
  const unsigned char *points = sat_record_points(record, &count);
  return sat_same_bits(sat_get_vec2(record + RECORD_LOCAL_CENTROID), sat_made_centroid(shape)) &&
         sat_are_points_at(points, block.local_vertices, count) &&
         memcmp(block.records, points, counts.records) == 0;
}

/* Whether the transform and the local geometry agree to the bit, but for the position. */
static bool stands_the_same(const unsigned char *record, const sat_Shape *shape) {
  const uint32_t arcs = SAT_MIRROR_X | SAT_MIRROR_Y | SAT_QUARTERS;
  sat_Shape head;
  sat_record_get_head(record, &head);
  return ((head.flags ^ shape->flags) & arcs) == 0 &&
         sat_same_bits(vec2(head.angle, head.scale), vec2(shape->angle, shape->scale)) &&
         sat_same_bits(head.axis_scale, shape->axis_scale) &&
         sat_same_bits(sat_get_vec2(record + RECORD_LOCAL_CENTROID), sat_made_centroid(shape)) &&
         sat_are_points_at(record + RECORD_HEAD, local_vertices_of(shape), shape->vertex_count);
}

void sat_shape_restore(const unsigned char *record, sat_Shape *shape) {
  SAT_ASSERT(sat_record_is_of(record, shape) &&
             sat_shape_record_size(shape) == sat_record_size(record));
  bool same = stands_the_same(record, shape), turned = shape->flags & SAT_TRANSFORMED;
  uint32_t derived = shape->flags & (SAT_TRANSFORMED | SAT_OF_VERTICES);
  sat_Vec2 centroid = shape->local_centroid;
  sat_record_get_head(record, shape);
  if (same) {
    shape->local_centroid = centroid;
    shape->flags |= derived;
    sat_take_radius(shape, shape->radius);
    shape->origin = turned ? shape->centroid : shape->local_origin;
    return;
  }
  for (size_t i = 0; i < shape->vertex_count; i++)
    sat_shape_local_vertices(shape)[i] = sat_record_point(record + RECORD_HEAD, i);
  sat_shape_derive(shape);
}

/* Only the scale changes how large a composite with the same points is. */
size_t sat_shape_try_memory(const unsigned char *record, const sat_Shape *shape) {
  sat_Shape head;
  sat_record_get_head(record, &head);
  bool same = sat_same_bits(vec2(head.scale, 0), vec2(shape->scale, 0)) &&
              sat_same_bits(head.axis_scale, shape->axis_scale);
  return same || !is_composite(shape) ? 0 : shape->bytes;
}

sat_Status sat_shape_try_restore(const unsigned char *record, const sat_Shape *shape,
                                 void *memory) {
  sat_Shape *copy = memory;
  sat_shape_copy(copy, shape);
  sat_shape_restore(record, copy);
  return copy->bounding_radius <= RECORD_MOST_BOUND ? SAT_OK : SAT_ESAVED;
}
