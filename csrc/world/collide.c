/* collide.c: the minimum translation of a shape out of all solid shapes at once.
 *
 * The deepest pair's minimum translation is a lower bound, since the shape has to leave that pair.
 * Where it leads into no other shape, it is the answer. Else all neighbours within reach are put
 * together as one compound, whose union of Minkowski differences the shape has to leave, and the
 * neighbourhood grows until it contains the answer. A point or a segment on a seam is inside no
 * solid alone, so two neighbours of such a shape always become a compound. */
#include "base/box.h"
#include "base/heap.h"
#include "base/memory.h"
#include "narrowphase/collide.h"
#include "narrowphase/composite/composite_pair.h"
#include "shape/composite.h"
#include "world/filter.h"

/* From this many obstacles and pieces of the shape on, all obstacles are asked about at once. */
enum { MANY_OBSTACLES = 8, MANY_PIECES = 16 };

/* The answer for one neighbourhood. */
typedef struct WayOut {
  sat_World *world;
  sat_Shape *shape;
  sat_Counts counts;
  const sat_QueryFilter *filter;
  sat_Result way;   /* of the deepest pair */
  sat_Box overlaps; /* the common bounds of all that the shape overlaps by more than rounding, or
                     * of all that it touches */
  bool touches, fits_between; /* the shape touches an obstacle; it may be on a seam */
} WayOut;

/* Lists the obstacles within a distance of the shape's box, in ascending order, in world->near. */
static sat_Status find_near(WayOut *out, double distance) {
  sat_World *world = out->world;
  sat_Rectangle box = sat_box_of(out->shape);
  box = (sat_Rectangle){box.x - distance, box.y - distance, box.w + 2 * distance,
                        box.h + 2 * distance};
  sat_Status status = sat_world_query_boxes(world, &box);
  size_t count = 0;
  for (size_t i = 0; !status && i < world->near.count; i++) {
    uint32_t index = world->near.at[i];
    const sat_Shape *other = sat_entry_shape(world, index);
    if (other == out->shape || !out->counts(world, out->shape, index)) continue;
    if (!sat_is_admitted(out->filter, other, true)) continue;
    if (sat_is_open(out->filter, other)) status = sat_list_open(out->filter, index, HUGE_VAL);
    else world->near.at[count++] = index;
  }
  world->near.count = count;
  return status;
}

static sat_Status overlap_with(const WayOut *out, uint32_t index, sat_Result *way) {
  const sat_Shape *other = sat_entry_shape(out->world, index);
  double rounding = sat_touch_rounding(out->shape, other);
  return sat_collide_beyond(out->shape, other, rounding, &out->world->scratch, way);
}

/* Whether a way out is the longer one. Equally long ones are ordered by direction, so that no
 * answer depends on the order of adding. */
static bool is_deeper(const sat_Result *way, const sat_Result *other) {
  sat_Vec2 normal = way->normal, other_normal = other->normal;
  if (way->depth != other->depth) return way->depth > other->depth;
  return normal.x != other_normal.x ? normal.x < other_normal.x : normal.y < other_normal.y;
}

/* Finds the deepest pair. */
static sat_Status find_deepest(WayOut *out) {
  const sat_World *world = out->world;
  out->touches = false;
  out->way.depth = 0;
  for (size_t i = 0; i < world->near.count; i++) {
    sat_Result way;
    sat_Status status = overlap_with(out, world->near.at[i], &way);
    if (status > SAT_MISS) return status;
    if (status == SAT_MISS || (way.depth == 0 && out->way.depth > 0)) continue;
    sat_Box box = sat_shape_bounds(sat_entry_shape(world, world->near.at[i]));
    bool first = !out->touches || (way.depth > 0 && out->way.depth == 0);
    if (first) out->overlaps = box;
    sat_extend_box(&out->overlaps, box.min);
    sat_extend_box(&out->overlaps, box.max);
    if (first || is_deeper(&way, &out->way)) out->way = way;
    out->touches = true;
  }
  return SAT_OK;
}

/* Whether the shape, moved by a vector, overlaps no obstacle by more than rounding. */
static sat_Status leads_out(WayOut *out, sat_Vec2 vector, bool *clear) {
  sat_World *world = out->world;
  sat_SavedPosition from = sat_shape_position(out->shape);
  *clear = true;
  if (sat_shape_shift(out->shape, vector)) return SAT_OK; /* no obstacle is beyond the limits */
  sat_Status status = find_near(out, 0);
  if (out->fits_between && world->near.count > 1) *clear = false;
  for (size_t i = 0; !status && *clear && i < world->near.count; i++) {
    sat_Result way;
    status = overlap_with(out, world->near.at[i], &way);
    if (status == SAT_OK) *clear = way.depth == 0;
    else if (status == SAT_MISS) status = SAT_OK;
  }
  sat_shape_stand_at(out->shape, from);
  return status;
}

/* Whether a member of a compound comes after another one, by place. */
static bool is_behind(const sat_Shape *const *one, const sat_Shape *const *other) {
  const sat_Shape *p = *one, *q = *other;
  sat_Rectangle a = sat_box_of(p), b = sat_box_of(q);
  if (a.x != b.x) return a.x > b.x;
  if (a.y != b.y) return a.y > b.y;
  if (a.w != b.w) return a.w > b.w;
  if (a.h != b.h) return a.h > b.h;
  if (p->centroid.x != q->centroid.x) return p->centroid.x > q->centroid.x;
  if (p->centroid.y != q->centroid.y) return p->centroid.y > q->centroid.y;
  return p->index > q->index;
}

SAT_DEFINE_SORT(const sat_Shape *, members, is_behind)

/* Makes one compound of all shapes of world->near, in the world's memory for compounds, with their
 * touches. The members are sorted by place: the last bits of the way out depend on their order
 * where the boundaries of several pairs cross, and must not depend on the order of adding. */
static sat_Status make_compound(sat_World *world, const sat_Shape *shape, sat_Shape **compound,
                                sat_Touch **touches) {
  sat_Scratch *scratch = &world->compound_scratch;
  size_t count = world->near.count, bytes = count * (sizeof(sat_Shape *) + sizeof(sat_Touch));
  const sat_Shape **entries = sat_scratch_reserve(scratch, bytes);
  if (!entries) return SAT_ENOMEM;
  for (size_t i = 0; i < count; i++) entries[i] = sat_entry_shape(world, world->near.at[i]);
  size_t size = (sat_compound_bytes(entries, count) + 15) / 16 * 16;
  char *block = size ? sat_scratch_reserve(scratch, bytes + size) : NULL;
  if (!block) return SAT_ENOMEM;
  sat_Touch *touch = *touches = (sat_Touch *)(void *)(block + size);
  entries = (const sat_Shape **)(void *)(touch + count);
  for (size_t i = 0; i < count; i++) entries[i] = sat_entry_shape(world, world->near.at[i]);
  members_sort(entries, count);
  for (size_t i = 0, first = 0; i < count; i++) {
    touch[i] = (sat_Touch){(uint32_t)first, sat_touch_rounding(shape, entries[i])};
    first += is_composite(entries[i]) ? sat_composite_header(entries[i])->vertices
                                      : entries[i]->vertex_count;
  }
  *compound = (sat_Shape *)(void *)block;
  return sat_compound_init(*compound, entries, count);
}

/* The minimum translation out of all obstacles: the neighbourhood grows until it contains the
 * answer. Where the obstacles are too far out or nested too deep for a compound, the answer is that
 * of the deepest pair. */
static sat_Status leave_all(WayOut *out, sat_Result *way) {
  sat_World *world = out->world;
  sat_Shape *compound;
  sat_Touch *touches;
  sat_Vec2 center = lerp(out->overlaps.min, out->overlaps.max, 0.5);
  double distance = out->way.depth;
  size_t count = 0; /* of the obstacles that the answer so far is out of */
  for (;;) {
    sat_Status status = find_near(out, distance);
    bool answered = count > 0;
    if (!status && answered && world->near.count == count) return SAT_OK;
    count = world->near.count;
    if (!status) status = make_compound(world, out->shape, &compound, &touches);
    if (status == SAT_ERANGE || status == SAT_EDEEP) {
      if (answered) return SAT_OK;
      status = find_near(out, 0);
      if (!status) status = find_deepest(out);
      *way = out->way;
      return status || out->touches ? status : SAT_MISS;
    }
    if (!status)
      status = sat_composite_leave(out->shape, compound, touches, (uint32_t)count,
                                   out->touches ? &center : NULL, &world->scratch, way);
    if (status || way->depth <= distance) return status;
    distance = max2(2 * distance, way->depth);
  }
}

/* Where several ways out of the deepest pair are equally short, the centre of all obstacles that
 * the shape overlaps decides. */
sat_Status sat_world_way_out(sat_World *world, sat_Shape *shape, sat_Counts counts,
                             const sat_QueryFilter *filter, sat_Result *way) {
  WayOut out = {.world = world, .shape = shape, .counts = counts, .filter = filter};
  bool clear;
  sat_world_flush(world);
  sat_Status status = find_near(&out, 0);
  /* a shape of many pieces may take the square of their number to leave a single obstacle */
  bool all_at_once =
      world->near.count >= MANY_OBSTACLES && sat_shape_piece_count(shape) >= MANY_PIECES;
  if (!status && all_at_once) {
    status = leave_all(&out, way);
    if (status || way->depth == 0 || !way->tied) return status;
    status = find_near(&out, 0);
  }
  if (!status) status = find_deepest(&out);
  if (status) return status;
  out.fits_between = sat_may_run_along(shape);
  *way = out.way;
  if (out.fits_between && world->near.count > 1) return leave_all(&out, way);
  if (out.way.depth == 0) return out.touches ? SAT_OK : SAT_MISS;
  if (out.way.tied) return leave_all(&out, way);
  status = leads_out(&out, out.way.vector, &clear);
  return status || clear ? status : leave_all(&out, way);
}

static bool is_solid_pair(const sat_World *world, const sat_Shape *shape, uint32_t index) {
  return sat_is_solid(shape) && sat_pushes_out(sat_entry_shape(world, index), shape);
}

sat_Status sat_world_collide(sat_World *world, sat_Shape *shape, sat_Result *result) {
  return sat_world_way_out(world, shape, is_solid_pair, NULL, result);
}
