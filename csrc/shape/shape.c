/* shape.c: the transforms and readings of every shape, which call the files of convex and of
 * composite shapes where these differ. */
#include "shape/composite.h"

#include "base/double2.h"
#include "base/vec2.h"
#include "base/tolerance.h"

#include <string.h>

/* ---------------------------------------------------------------- derived fields */

/* The number of quarter turns in an angle, or -1 for any other angle. */
static int quarters_of(double sine, double cosine) {
  if (sine == 0) return cosine == 1 ? 0 : 2;
  if (cosine == 0) return sine == 1 ? 1 : 3;
  return -1;
}

static sat_Vec2 turn_quarters(sat_Vec2 v, int quarters) {
  switch (quarters & 3) {
  case 0: return v;
  case 1: return perp(v);
  case 2: return neg(v);
  default: return neg(perp(v));
  }
}

/* Turns a vector by the angle of a direction of unit length. */
static sat_Vec2 turn_by(sat_Vec2 v, sat_Vec2 direction) {
  return vec2(v.x * direction.x - v.y * direction.y, v.x * direction.y + v.y * direction.x);
}

/* Mirrors a vector of the shape's own frame. */
static sat_Vec2 mirrored(const sat_Shape *shape, sat_Vec2 v) {
  return vec2(shape->flags & SAT_MIRROR_X ? -v.x : v.x, shape->flags & SAT_MIRROR_Y ? -v.y : v.y);
}

/* Recomputes the sine and the cosine. A single vertex at its centroid looks the same at every
 * angle; the sine and cosine, which would take most of the time of its turn, are computed for
 * quarter turns alone. */
static void set_direction(sat_Shape *shape) {
  if (!sat_is_one_vertex(shape) || sat_is_quarter_turn(shape->angle))
    sat_sine_cosine(shape->angle, &shape->sine, &shape->cosine);
  else shape->cosine = shape->sine = 0.5;
}

static sat_Vec2 x_axis_of(const sat_Shape *shape) {
  sat_Vec2 axis;
  if (!sat_is_one_vertex(shape)) return vec2(shape->cosine, shape->sine);
  sat_sine_cosine(shape->angle, &axis.y, &axis.x);
  return axis;
}

static int local_origin_quarters(const sat_Shape *shape) {
  return (int)(shape->flags & SAT_QUARTERS) / SAT_QUARTER;
}

/* Recomputes the fields that depend on the transform, but for the bounding radius, which neither
 * turns nor mirrors change. */
static void reorient(sat_Shape *shape) {
  int quarters = local_origin_quarters(shape);
  bool turned = quarters_of(shape->sine, shape->cosine) != quarters || shape->scale != 1 ||
                (shape->flags & (SAT_MIRROR_X | SAT_MIRROR_Y)) || sat_is_stretched(shape);
  shape->flags =
      turned ? shape->flags | SAT_TRANSFORMED : shape->flags & ~(uint32_t)SAT_TRANSFORMED;
  shape->centroid_from_origin =
      turned ? vec2(0, 0) : turn_quarters(shape->local_centroid, quarters);
  const sat_Vec2 *origin = turned ? &shape->centroid : &shape->local_origin;
  shape->origin = vec2(origin->x, origin->y);
  if (is_composite(shape)) sat_composite_refresh(shape);
  else sat_convex_refresh(shape);
}

void sat_shape_refresh(sat_Shape *shape) {
  reorient(shape);
  if (is_composite(shape)) sat_composite_measure_bounding_radius(shape);
  else sat_convex_measure_bounding_radius(shape);
}

/* Recomputes all fields that depend on axis_scale. */
static void measure_stretched(sat_Shape *shape) {
  if (is_composite(shape)) sat_composite_measure(shape);
  else sat_convex_measure(shape);
  sat_shape_refresh(shape);
}

void sat_shape_derive(sat_Shape *shape) {
  set_direction(shape);
  measure_stretched(shape);
}

/* ---------------------------------------------------------------- changing */

/* Adds the shape to its world's change list. The capacity was reserved when the shape was added to
 * the world, so adding cannot fail; the list of a discarded world has no capacity. */
static inline void note_change(sat_Shape *shape) {
  sat_ChangeList *list = shape->changes;
  if (!list || (shape->flags & SAT_CHANGED) || list->internal.count == list->internal.capacity)
    return;
  shape->flags |= SAT_CHANGED;
  list->internal.indices[list->internal.count++] = shape->index;
}

/* Whether a shape stays far within the limits, at every angle, with its centroid at `center` and
 * its size times a factor. */
static bool is_well_within(const sat_Shape *shape, sat_Vec2 center, double factor) {
  double extent = (shape->bounding_radius + shape->radius) * factor;
  return fabs(center.x) + extent <= SAT_LIMIT / 2 && fabs(center.y) + extent <= SAT_LIMIT / 2;
}

/* Every change that may lead beyond the limits is between these two functions. The first copies the
 * head of a shape that may get there, and the second makes the shape what it was if it has. */
static bool begin_change(const sat_Shape *shape, sat_Vec2 center, double factor,
                         sat_Shape *before) {
  bool is_sure = is_well_within(shape, center, factor);
  if (!is_sure) *before = *shape;
  return is_sure;
}

static void revert_change(sat_Shape *shape, const sat_Shape *before) {
  *shape = *before;
  measure_stretched(shape);
  *shape = *before; /* a circle's origin depends on its former turns */
}

static sat_Status end_change(sat_Shape *shape, bool is_sure, const sat_Shape *before) {
  if (is_sure || sat_shape_is_within(shape)) {
    note_change(shape);
    return SAT_OK;
  }
  revert_change(shape, before);
  return SAT_ERANGE;
}

/* The position of the local origin for a centroid. */
static sat_Vec2 local_origin_about(const sat_Shape *shape, sat_Vec2 center) {
  return sub(center, turn_quarters(shape->local_centroid, local_origin_quarters(shape)));
}

sat_SavedPosition sat_shape_position(const sat_Shape *shape) {
  return (sat_SavedPosition){shape->centroid, shape->local_origin, shape->origin};
}

void sat_shape_stand_at(sat_Shape *shape, sat_SavedPosition position) {
  shape->centroid = position.centroid;
  shape->local_origin = position.local_origin;
  shape->origin = position.origin;
}

static sat_Status put(sat_Shape *shape, sat_Vec2 center, sat_Vec2 local_origin) {
  sat_SavedPosition before = sat_shape_position(shape);
  sat_shape_stand_at(shape,
                     (sat_SavedPosition){center, local_origin,
                                         shape->flags & SAT_TRANSFORMED ? center : local_origin});
  if (is_well_within(shape, center, 1) || sat_shape_is_within(shape)) return SAT_OK;
  sat_shape_stand_at(shape, before);
  return SAT_ERANGE;
}

sat_Status sat_shape_shift(sat_Shape *shape, sat_Vec2 motion) {
  return put(shape, add(shape->centroid, motion), add(shape->local_origin, motion));
}

void sat_shape_put(sat_Shape *shape, sat_SavedPosition position) {
  sat_shape_stand_at(shape, position);
  note_change(shape);
}

void sat_shape_become(sat_Shape *shape, const sat_Shape *copy) {
  sat_Shape before = *shape;
  const uint32_t own = SAT_CHANGED | SAT_LOCKED;
  memcpy(shape, copy, shape->bytes);
  shape->owner = before.owner;
  shape->changes = before.changes;
  shape->flags = (copy->flags & ~own) | (before.flags & own);
  note_change(shape);
}

sat_Status sat_shape_move(sat_Shape *shape, double dx, double dy) {
  sat_Status status = sat_shape_shift(shape, vec2(dx, dy));
  if (!status) note_change(shape);
  return status;
}

sat_Status sat_shape_move_to(sat_Shape *shape, double x, double y) {
  sat_Vec2 center = vec2(x, y);
  sat_Status status = put(shape, center, local_origin_about(shape, center));
  if (!status) note_change(shape);
  return status;
}

/* Sets the centroid. Where the centroid stays the same, so does the local origin, to the last
 * bit. */
static void set_centroid(sat_Shape *shape, sat_Vec2 center) {
  if (equal_points(center, shape->centroid)) return;
  shape->centroid = center;
  shape->local_origin = local_origin_about(shape, center);
}

static void set_angle(sat_Shape *shape, double angle) {
  shape->angle = angle;
  set_direction(shape);
  if (sat_turns_in_place(shape) && quarters_of(shape->sine, shape->cosine) < 0)
    shape->origin = shape->centroid; /* the circle's vertex and box stay */
  else reorient(shape);
}

/* Rotates to an angle with the centroid at a new position. */
static sat_Status set_orientation(sat_Shape *shape, double angle, sat_Vec2 center) {
  sat_Shape before;
  if (!in_range(angle) || !vec_in_range(center)) return SAT_ERANGE;
  bool is_sure = begin_change(shape, center, 1, &before);
  set_centroid(shape, center);
  set_angle(shape, angle);
  return end_change(shape, is_sure, &before);
}

/* Rotates the local origin by quarter turns, exactly where the local origin and the pivot are
 * dyadic, and sets the centroid. False: nothing has changed, since the angle is no multiple of
 * quarter turns, the shape has another transform, or the centroid would be out of range. */
static bool turn_local_origin(sat_Shape *shape, double angle, sat_Vec2 pivot) {
  double sine, cosine;
  int from = local_origin_quarters(shape);
  if (shape->flags & SAT_TRANSFORMED) return false;
  sat_sine_cosine(angle, &sine, &cosine);
  int to = quarters_of(sine, cosine);
  if (to < 0 || to == from) return to == from;
  sat_Vec2 local_origin = add(pivot, turn_quarters(sub(shape->local_origin, pivot), to - from));
  sat_Vec2 center = add(local_origin, turn_quarters(shape->local_centroid, to));
  if (!vec_in_range(center)) return false;
  shape->flags = (shape->flags & ~(uint32_t)SAT_QUARTERS) | (uint32_t)to * SAT_QUARTER;
  shape->local_origin = local_origin;
  shape->centroid = center;
  return true;
}

/* Rotates a shape about a pivot to an angle, by `arc`. */
static sat_Status turn_about(sat_Shape *shape, double angle, double arc, sat_Vec2 pivot) {
  double sine, cosine;
  sat_Shape before;
  if (!in_range(angle) || !in_range(arc)) return SAT_ERANGE;
  sat_sine_cosine(arc, &sine, &cosine);
  sat_Vec2 center = add(pivot, turn_by(sub(shape->centroid, pivot), vec2(cosine, sine)));
  if (!vec_in_range(center)) return SAT_ERANGE;
  bool is_sure = begin_change(shape, center, 1, &before);
  if (equal_points(center, shape->centroid) || !turn_local_origin(shape, angle, pivot))
    set_centroid(shape, center);
  set_angle(shape, angle);
  return end_change(shape, is_sure, &before);
}

/* The angle of a shape after a rotation. Quarter turns of a shape whose angle is a multiple of
 * quarter turns give another multiple, rounded once: a sum of many angles would have the rounding
 * errors of all, and would be no quarter turn. */
static double angle_after(const sat_Shape *shape, double arc) {
  double angle = shape->angle + arc, sine, cosine;
  if ((shape->sine != 0 && shape->cosine != 0) || arc == 0) return angle;
  if (!in_range(arc) || !in_range(angle)) return angle; /* which is refused */
  sat_sine_cosine(arc, &sine, &cosine);
  if (quarters_of(sine, cosine) < 0) return angle;
  return floor(angle * SAT_QUARTERS_PER_RADIAN + 0.5) * SAT_HALF_PI_HIGH;
}

sat_Status sat_shape_rotate(sat_Shape *shape, double angle) {
  return set_orientation(shape, angle_after(shape, angle), shape->centroid);
}

sat_Status sat_shape_rotate_about(sat_Shape *shape, double angle, sat_Vec2 pivot) {
  return turn_about(shape, angle_after(shape, angle), angle, pivot);
}

sat_Status sat_shape_set_rotation(sat_Shape *shape, double angle) {
  return set_orientation(shape, angle, shape->centroid);
}

sat_Status sat_shape_set_rotation_about(sat_Shape *shape, double angle, sat_Vec2 pivot) {
  return turn_about(shape, angle, angle - shape->angle, pivot);
}

sat_Status sat_shape_transform(sat_Shape *shape, double x, double y, double angle) {
  return set_orientation(shape, angle, vec2(x, y));
}

/* The local vertices are not scaled, so a shape may shrink to 1 / SAT_LIMIT of its size and grow
 * again without loss. */
static sat_Status scale_to(sat_Shape *shape, double factor, sat_Vec2 center) {
  if (!in_range(factor)) return SAT_ERANGE;
  if (factor <= 0) return SAT_EVALUE;
  double scale = shape->scale * factor, radius = shape->radius * factor;
  if (!in_range(scale) || scale < 1 / SAT_LIMIT || !in_range(radius)) return SAT_ERANGE;
  if (!vec_in_range(center)) return SAT_ERANGE;
  sat_Shape before;
  bool is_sure = begin_change(shape, center, factor, &before);
  shape->scale = scale;
  shape->radius = radius;
  set_centroid(shape, center);
  sat_shape_refresh(shape);
  return end_change(shape, is_sure, &before);
}

sat_Status sat_shape_scale(sat_Shape *shape, double factor) {
  return scale_to(shape, factor, shape->centroid);
}

sat_Status sat_shape_scale_about(sat_Shape *shape, double factor, sat_Vec2 pivot) {
  return scale_to(shape, factor, add(pivot, mul(sub(shape->centroid, pivot), factor)));
}

sat_Status sat_shape_set_radius(sat_Shape *shape, double radius) {
  if (!in_range(radius)) return SAT_ERANGE;
  if (radius != 0 && radius < SAT_TINY) return SAT_EVALUE;
  sat_Shape before = *shape;
  sat_take_radius(shape, radius);
  return end_change(shape, false, &before);
}

sat_Status sat_shape_flip(sat_Shape *shape, bool vertical) {
  sat_Shape before;
  bool is_sure = begin_change(shape, shape->centroid, 1, &before);
  shape->flags ^= vertical ? SAT_MIRROR_Y : SAT_MIRROR_X;
  reorient(shape);
  return end_change(shape, is_sure, &before);
}

/* The point that was the centroid stays in place, though another local point may be the centroid
 * now. */
static void set_axis_scale(sat_Shape *shape, sat_Vec2 axis_scale) {
  sat_Vec2 before = shape->local_centroid;
  shape->axis_scale = axis_scale;
  measure_stretched(shape);
  sat_Vec2 arm = sub(shape->local_centroid, before);
  if (arm.x == 0 && arm.y == 0) return;
  sat_Vec2 axis = vec2(shape->cosine * shape->scale, shape->sine * shape->scale);
  arm = turn_by(mirrored(shape, sat_stretched(shape, arm)), axis);
  shape->centroid = add(shape->centroid, arm);
  shape->local_origin = local_origin_about(shape, shape->centroid);
  sat_shape_refresh(shape);
}

sat_Status sat_shape_scale_axes(sat_Shape *shape, double sx, double sy) {
  if (!in_range(sx) || !in_range(sy)) return SAT_ERANGE;
  if (!(sx > 0) || !(sy > 0)) return SAT_EVALUE;
  if (shape->vertex_count == 1) return SAT_OK; /* the centroid, which no factor moves */
  sat_Shape before = *shape;
  sat_Vec2 axis_scale = vec2(before.axis_scale.x * sx, before.axis_scale.y * sy);
  if (!is_axis_scale(axis_scale)) return SAT_ERANGE;
  set_axis_scale(shape, axis_scale);
  bool is_flat = before.area > 0 && !(shape->area * shape->scale * shape->scale > 0);
  if (!is_flat) return end_change(shape, false, &before);
  revert_change(shape, &before);
  return SAT_EAREA;
}

static void set_flag(sat_Shape *shape, uint32_t flag, bool on) {
  if (((shape->flags & flag) != 0) == on) return;
  shape->flags ^= flag;
  note_change(shape);
}

void sat_shape_set_sensor(sat_Shape *shape, bool on) { set_flag(shape, SAT_SENSOR, on); }
void sat_shape_set_static(sat_Shape *shape, bool on) { set_flag(shape, SAT_STATIC, on); }
void sat_shape_set_enabled(sat_Shape *shape, bool on) { set_flag(shape, SAT_DISABLED, !on); }
bool sat_shape_is_sensor(const sat_Shape *shape) { return shape->flags & SAT_SENSOR; }
bool sat_shape_is_static(const sat_Shape *shape) { return shape->flags & SAT_STATIC; }
bool sat_shape_is_enabled(const sat_Shape *shape) { return !(shape->flags & SAT_DISABLED); }

bool sat_shape_is_locked(const sat_Shape *shape) {
  return (shape->flags & SAT_LOCKED) || (shape->changes && shape->changes->internal.locked);
}

sat_Status sat_shape_set_mass(sat_Shape *shape, double mass) {
  if (!(mass > 0)) return SAT_EVALUE;
  shape->mass = mass;
  note_change(shape);
  return SAT_OK;
}

double sat_shape_mass(const sat_Shape *shape) { return shape->mass; }

sat_Status sat_shape_set_one_way(sat_Shape *shape, sat_Vec2 normal) {
  double larger = max2(fabs(normal.x), fabs(normal.y));
  if (!vec_in_range(normal)) return SAT_ERANGE;
  if (larger > 0) normal = vec2(normal.x / larger, normal.y / larger);
  if (larger > 0) normal = mul(normal, 1 / length(normal));
  sat_Vec2 axis = x_axis_of(shape);
  shape->one_way = mirrored(shape, turn_by(normal, vec2(axis.x, -axis.y)));
  note_change(shape);
  return SAT_OK;
}

bool sat_shape_one_way(const sat_Shape *shape, sat_Vec2 *normal) {
  *normal = vec2(0, 0);
  if (shape->one_way.x == 0 && shape->one_way.y == 0) return false;
  *normal = turn_by(mirrored(shape, shape->one_way), x_axis_of(shape));
  return true;
}

void sat_shape_set_filter(sat_Shape *shape, uint32_t category, uint32_t mask, int32_t group) {
  shape->category = category;
  shape->mask = mask;
  shape->group = group;
  note_change(shape);
}

void sat_shape_filter(const sat_Shape *shape, uint32_t *category, uint32_t *mask, int32_t *group) {
  *category = shape->category;
  *mask = shape->mask;
  *group = shape->group;
}

void sat_shape_set_owner(sat_Shape *shape, void *owner) { shape->owner = owner; }

void sat_shape_prepare(sat_Shape *block, size_t bytes, void *owner) {
  block->bytes = (uint32_t)bytes;
  block->owner = owner;
  block->changes = NULL;
}

/* ---------------------------------------------------------------- reading */

void *sat_shape_owner(const sat_Shape *shape) { return shape->owner; }
size_t sat_shape_size(const sat_Shape *shape) { return shape->bytes; }
const sat_ChangeList *sat_shape_changes(const sat_Shape *shape) { return shape->changes; }

sat_Kind sat_shape_kind(const sat_Shape *shape) {
  bool round = shape->radius > 0;
  if (is_composite(shape)) return (sat_Kind)sat_composite_header(shape)->kind;
  switch (shape->vertex_count) {
  case 1: return round ? SAT_CIRCLE : SAT_POINT;
  case 2: return round ? SAT_CAPSULE : SAT_SEGMENT;
  default: return SAT_POLYGON;
  }
}

const char *sat_kind_name(sat_Kind kind) {
  static const char *const names[] = {"point",   "circle", "segment", "capsule",
                                      "polygon", "chain",  "compound"};
  return names[kind];
}

size_t sat_shape_vertex_count(const sat_Shape *shape) {
  if (!is_composite(shape)) return shape->vertex_count;
  const sat_CompositeHeader *header = sat_composite_header(shape);
  return header->kind == SAT_COMPOUND ? 0 : header->points;
}

sat_Vec2 sat_shape_center(const sat_Shape *shape) { return shape->centroid; }
double sat_shape_rotation(const sat_Shape *shape) { return shape->angle; }
double sat_shape_scale_factor(const sat_Shape *shape) { return shape->scale; }
double sat_shape_radius(const sat_Shape *shape) { return shape->radius; }

sat_Vec2 sat_shape_vertex(const sat_Shape *shape, size_t index) {
  SAT_ASSERT(index < sat_shape_vertex_count(shape));
  const sat_Vec2 *vertices =
      is_composite(shape) ? sat_composite_block((sat_Shape *)shape).points : vertices_of(shape);
  return add(shape->origin, vertices[index]);
}

/* The area of the core, of a band along its boundary, as wide as the radius, and of the rounded
 * corners, which form one circle, or one for each member of a compound. */
double sat_shape_area(const sat_Shape *shape) {
  double core = shape->area * shape->scale * shape->scale, r = shape->radius;
  uint32_t circles = is_composite(shape) ? sat_composite_header(shape)->rounded_count : 1;
  return core + (shape->perimeter * shape->scale + circles * SAT_PI * r) * r;
}

double sat_shape_bounding_radius(const sat_Shape *shape) {
  return sum_up(shape->bounding_radius, shape->radius);
}

sat_Vec2 sat_shape_support(const sat_Shape *shape, sat_Vec2 direction) {
  /* The direction is scaled first, since the square of a tiny one would vanish. */
  double largest = max2(fabs(direction.x), fabs(direction.y));
  sat_Vec2 scaled = vec2(direction.x / largest, direction.y / largest);
  if (is_composite(shape)) return sat_composite_support(shape, scaled);
  sat_Convex convex = sat_convex_of(shape);
  uint32_t best = sat_support_index(&convex, scaled);
  return add(add(shape->origin, convex.vertex[best]), mul(scaled, shape->radius / length(scaled)));
}

sat_Interval sat_shape_project(const sat_Shape *shape, sat_Vec2 axis) {
  double largest = max2(fabs(axis.x), fabs(axis.y)); /* the square of a tiny axis would vanish */
  double size = largest * length(vec2(axis.x / largest, axis.y / largest));
  sat_Interval shadow = {HUGE_VAL, -HUGE_VAL};
  sat_Piece single;
  sat_PieceView view = sat_pieces_of(shape, &single);
  for (uint32_t i = 0; i < view.count; i++) {
    const sat_Piece *piece = &view.pieces[i];
    double radius = sat_piece_radius(&view, piece) * size;
    for (uint32_t k = 0; k < piece->count; k++) {
      double along = dot(axis, add(view.origin, view.vertices[piece->first + k]));
      shadow.low = min2(shadow.low, along - radius);
      shadow.high = max2(shadow.high, along + radius);
    }
  }
  return shadow;
}

bool sat_shapes_filter(const sat_Shape *a, const sat_Shape *b) {
  if (a->group != 0 && a->group == b->group) return a->group > 0;
  return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

bool sat_shape_is_convex(const sat_Shape *shape) { return sat_shape_piece_count(shape) == 1; }

size_t sat_shape_piece_count(const sat_Shape *shape) {
  return is_composite(shape) ? sat_composite_header(shape)->pieces : 1;
}
