/* shape_load.c: makes shapes from checked records by the constructors, and restores shapes that
 * exist. */
#include "shape/record.h"

#include "base/memory.h"

/* ---------------------------------------------------------------- polygons and chains */

/* Coordinates that are 0 or at least SAT_TINY have differences that are 0 or at least this, for
 * which the predicates are exact. */
#define LEAST (SAT_TINY * SAT_EPSILON / 4)

/* Checks that cleaning would change nothing of a ring. The ring is scaled to a quarter meanwhile,
 * exactly: its coordinates are then within the limits, wherever the local origin is. */
static sat_Status check_ring(const unsigned char *fields, sat_Vec2 *ring, sat_Scratch *scratch) {
  size_t count, kept;
  const unsigned char *points = sat_composite_saved_points(fields, &count);
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
  for (size_t i = 0; i < count; i++)
    if (kept != count || !sat_is_vec2_at(points + i * RECORD_POINT, ring[i])) return SAT_ESAVED;
  return SAT_OK;
}

static sat_Status fill_polygon(const unsigned char *fields, sat_Shape *block,
                               sat_Scratch *scratch) {
  sat_CompositeBlock to = sat_composite_block(block);
  sat_Decomposition decomposition;
  sat_Status status = check_ring(fields, to.local_vertices, scratch);
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

/* ---------------------------------------------------------------- the members of a compound */

/* The records of a compound's members. The members are made one behind the other in the caller's
 * memory. A list of pointers to all members follows the last one. While a member that is a compound
 * is made, the memory from its place on holds its own members and their list; the member is made
 * behind the list and then moves to its place. */
typedef struct Members {
  const unsigned char *record, *end;
} Members;

static Members members_of(const unsigned char *record) {
  size_t size;
  const unsigned char *first = sat_composite_saved_members(record + RECORD_VERTICES, &size);
  return (Members){first, first + size};
}

/* Returns the next member's record, or NULL. */
static const unsigned char *next_member(Members *members) {
  const unsigned char *record = members->record;
  if (record == members->end) return NULL;
  members->record += sat_record_size(record);
  return record;
}

static size_t aligned(size_t bytes) { return (bytes + 15) / 16 * 16; }

/* The bytes of the members' blocks and of the list of pointers to them. */
static size_t memory_of_members(const unsigned char *record) {
  size_t bytes = 0, pointers = 0;
  if (!sat_record_is_compound(record)) return 0;
  Members members = members_of(record);
  for (const unsigned char *member; (member = next_member(&members)) != NULL;) {
    bytes += aligned(sat_record_block(member));
    pointers += sizeof(sat_Shape *);
  }
  return bytes + aligned(pointers);
}

/* The most that is held at a time: while a member is made, the members before it, and its own
 * memory or its members and the block behind them. */
size_t sat_record_memory(const unsigned char *record) {
  size_t most = memory_of_members(record), held = 0;
  if (most == 0) return 0;
  Members members = members_of(record);
  for (const unsigned char *member; (member = next_member(&members)) != NULL;) {
    size_t block = aligned(sat_record_block(member)), inside = sat_record_memory(member);
    if (memory_of_members(member) + block > inside) inside = memory_of_members(member) + block;
    if (held + inside > most) most = held + inside;
    held += block;
  }
  return most;
}

/* ---------------------------------------------------------------- reading */

static void set_head(const unsigned char *record, sat_Shape *shape) {
  uint32_t group = sat_get_32(record + RECORD_GROUP);
  shape->flags = sat_get_32(record + RECORD_FLAGS);
  shape->category = sat_get_32(record + RECORD_CATEGORY);
  shape->mask = sat_get_32(record + RECORD_MASK);
  memcpy(&shape->group, &group, sizeof group);
  shape->radius = sat_get_double(record + RECORD_RADIUS);
  shape->angle = sat_get_double(record + RECORD_ANGLE);
  shape->scale = sat_get_double(record + RECORD_SCALE);
  shape->centroid = sat_get_vec2(record + RECORD_CENTROID);
  shape->local_origin = sat_get_vec2(record + RECORD_LOCAL_ORIGIN);
  shape->local_centroid = sat_get_vec2(record + RECORD_LOCAL_CENTROID);
  shape->mass = sat_get_double(record + RECORD_MASS);
  shape->one_way = sat_get_vec2(record + RECORD_ONE_WAY);
  shape->axis_scale = sat_get_vec2(record + RECORD_AXIS_SCALE);
}

/* SAT_ESAVED: no polygon or chain has these points. */
static sat_Status read_pieces(const unsigned char *record, sat_Shape *block, sat_Scratch *scratch) {
  size_t count;
  const unsigned char *fields = record + RECORD_VERTICES,
                      *points = sat_composite_saved_points(fields, &count);
  sat_CompositeHeader counts = sat_composite_saved_counts(fields);
  sat_CompositeBlock to = sat_composite_begin(block, &counts);
  for (size_t i = 0; i < count; i++) to.local_vertices[i] = sat_record_point(points, i);
  sat_Status status =
      counts.kind == SAT_CHAIN ? fill_chain(block) : fill_polygon(fields, block, scratch);
  if (status) return status;
  set_head(record, block);
  sat_sine_cosine(block->angle, &block->sine, &block->cosine);
  sat_composite_sort(block);
  sat_shape_refresh(block);
  return block->bounding_radius <= RECORD_MOST_BOUND ? SAT_OK : SAT_ESAVED;
}

static sat_Status read_at(const unsigned char *record, void *memory, sat_Scratch *scratch);

/* Makes the members, and behind them a list of pointers to them. */
static sat_Status read_members(const unsigned char *record, char *memory, sat_Scratch *scratch,
                               const sat_Shape *const **list, size_t *count) {
  Members members = members_of(record), again = members;
  char *at = memory;
  size_t made = 0;
  for (const unsigned char *member; (member = next_member(&members)) != NULL; made++) {
    sat_Status status = read_at(member, at, scratch);
    if (status) return status;
    at += aligned(sat_record_block(member));
  }
  const sat_Shape **places = (const sat_Shape **)(void *)at;
  for (size_t i = 0; i < made; i++) {
    places[i] = (const sat_Shape *)(void *)memory;
    memory += aligned(sat_record_block(next_member(&again)));
  }
  *list = places;
  *count = made;
  return SAT_OK;
}

/* Makes a compound with its constructor, behind the list if `*block` is NULL. */
static sat_Status read_compound(const unsigned char *record, sat_Shape **block, void *memory,
                                sat_Scratch *scratch) {
  const sat_Shape *const *members;
  size_t count;
  sat_Status status = read_members(record, memory, scratch, &members, &count);
  if (status) return status;
  if (!*block) *block = (sat_Shape *)((char *)members + aligned(count * sizeof(sat_Shape *)));
  if (sat_compound_bytes(members, count) != sat_record_block(record)) return SAT_ESAVED;
  if (sat_compound_init(*block, members, count) != SAT_OK) return SAT_ESAVED;
  if (!sat_is_vec2_at(record + RECORD_LOCAL_CENTROID, (*block)->local_centroid)) return SAT_ESAVED;
  sat_shape_restore(record, *block);
  return (*block)->bounding_radius <= RECORD_MOST_BOUND ? SAT_OK : SAT_ESAVED;
}

/* Makes a shape that is no compound. */
static sat_Status read_single(const unsigned char *record, sat_Shape *block, sat_Scratch *scratch) {
  size_t count = sat_get_32(record + RECORD_COUNT);
  if (count == 0) return read_pieces(record, block, scratch);
  sat_init_head(block, sat_shape_bytes(count), count, 0);
  for (size_t i = 0; i < count; i++)
    sat_shape_local_vertices(block)[i] = sat_record_point(record + RECORD_VERTICES, i);
  set_head(record, block);
  sat_shape_derive(block);
  return SAT_OK;
}

/* Makes a member at the start of the memory. */
static sat_Status read_at(const unsigned char *record, void *memory, sat_Scratch *scratch) {
  sat_Shape *made = NULL;
  if (!sat_record_is_compound(record)) return read_single(record, memory, scratch);
  sat_Status status = read_compound(record, &made, memory, scratch);
  if (!status) memmove(memory, made, made->bytes);
  return status;
}

sat_Status sat_shape_read(const unsigned char *record, sat_Shape *block, void *memory,
                          sat_Scratch *scratch) {
  void *owner = block->owner;
  sat_Status status = sat_record_is_compound(record)
                          ? read_compound(record, &block, memory, scratch)
                          : read_single(record, block, scratch);
  block->owner = owner;
  return status;
}

/* ---------------------------------------------------------------- restoring */

bool sat_record_is_of(const unsigned char *record, const sat_Shape *shape) {
  if (sat_get_32(record + RECORD_COUNT) != shape->vertex_count) return false;
  if (!is_composite(shape)) return true;
  return sat_is_vec2_at(record + RECORD_LOCAL_CENTROID, sat_made_centroid(shape)) &&
         sat_composite_is_made_of(shape, record + RECORD_VERTICES);
}

/* Whether the transform and the local geometry agree, but for the position. */
static bool stands_the_same(const unsigned char *record, const sat_Shape *shape) {
  const uint32_t arcs = SAT_MIRROR_X | SAT_MIRROR_Y | SAT_QUARTERS;
  bool same = ((sat_get_32(record + RECORD_FLAGS) ^ shape->flags) & arcs) == 0 &&
              sat_is_double_at(record + RECORD_ANGLE, shape->angle) &&
              sat_is_double_at(record + RECORD_SCALE, shape->scale) &&
              sat_is_vec2_at(record + RECORD_AXIS_SCALE, shape->axis_scale) &&
              sat_is_vec2_at(record + RECORD_LOCAL_CENTROID, sat_made_centroid(shape));
  for (size_t i = 0; same && i < shape->vertex_count; i++)
    same = sat_is_vec2_at(record + RECORD_VERTICES + i * RECORD_POINT, local_vertices_of(shape)[i]);
  return same;
}

void sat_shape_restore(const unsigned char *record, sat_Shape *shape) {
  SAT_ASSERT(sat_record_is_of(record, shape) &&
             sat_shape_record_size(shape) == sat_record_size(record));
  bool same = stands_the_same(record, shape), turned = shape->flags & SAT_TRANSFORMED;
  uint32_t derived = shape->flags & (SAT_TRANSFORMED | SAT_OF_VERTICES);
  sat_Vec2 centroid = shape->local_centroid;
  set_head(record, shape);
  if (same) {
    shape->local_centroid = centroid;
    shape->flags |= derived;
    sat_take_radius(shape, shape->radius);
    shape->origin = turned ? shape->centroid : shape->local_origin;
    return;
  }
  for (size_t i = 0; i < shape->vertex_count; i++)
    sat_shape_local_vertices(shape)[i] = sat_record_point(record + RECORD_VERTICES, i);
  sat_shape_derive(shape);
}

/* Only the scale changes how large a composite with the same points is. */
size_t sat_shape_try_memory(const unsigned char *record, const sat_Shape *shape) {
  bool same = sat_is_double_at(record + RECORD_SCALE, shape->scale) &&
              sat_is_vec2_at(record + RECORD_AXIS_SCALE, shape->axis_scale);
  return same || !is_composite(shape) ? 0 : shape->bytes;
}

sat_Status sat_shape_try_restore(const unsigned char *record, const sat_Shape *shape,
                                 void *memory) {
  sat_Shape *copy = memory;
  sat_shape_copy(copy, shape);
  sat_shape_restore(record, copy);
  return copy->bounding_radius <= RECORD_MOST_BOUND ? SAT_OK : SAT_ESAVED;
}
