/* shape.c: shapes: constructors, transforms and measures of a convex shape, dispatch for
 * composites.
 *
 * The anchor keeps the vertices exactly as given while they stay near 0, where doubles are
 * dense. It is the centroid, rounded to a power of two near the shape's size, so that
 * subtracting it loses no bit; where it would, some vertex is much nearer to 0 than to the
 * anchor, which means that the shape is no farther from 0 than its own size, and 0 itself
 * serves. Once a shape is turned, scaled or mirrored, its vertices stand relative to its
 * centroid instead, which turning about it does not move. A centroid is rounded where it is at
 * thirds: quarter turns about other pivots turn the anchor too, and the vertices go on to stand
 * relative to that. */
#include "shape/convex.h"

#include "base/double_double.h"
#include "shape/composite.h"
#include "base/predicates.h"

#include <string.h>

static sat_Edges *mutable_edges(sat_Shape *shape) { return (sat_Edges *)(shape + 1); }
static sat_Vec2 *mutable_vertices(sat_Shape *shape) {
  return (sat_Vec2 *)(mutable_edges(shape) + edge_block_count(shape->vertex_count));
}
static sat_Vec2 *mutable_local_vertices(sat_Shape *shape) {
  return mutable_vertices(shape) + shape->vertex_count;
}

size_t sat_shape_bytes(size_t vertex_count) {
  size_t edge_blocks = vertex_count > 1 ? (vertex_count - 1) / 4 + 1 : 0;
  return sizeof(sat_Shape) + edge_blocks * sizeof(sat_Edges) + vertex_count * 2 * sizeof(sat_Vec2);
}

/* ---------------------------------------------------------------- the anchor */

static double grid_near(double value, double low, double high) {
  int exponent;
  if (low == high) return low;
  frexp(high - low, &exponent);
  double grid = ldexp(1, exponent - 3);
  return floor(value / grid + 0.5) * grid;
}

/* One coordinate of the anchor. */
static double local_origin_along(const double *coordinate, size_t count, double centroid) {
  const size_t stride = sizeof(sat_Vec2) / sizeof(double);
  double low = coordinate[0], high = coordinate[0];
  for (size_t i = 1; i < count; i++) {
    low = min2(low, coordinate[i * stride]);
    high = max2(high, coordinate[i * stride]);
  }
  double local_origin = grid_near(centroid, low, high);
  for (size_t i = 0; i < count; i++) {
    double value = coordinate[i * stride];
    if (two_sum(value, -local_origin).low != 0) return 0;
  }
  return local_origin;
}

sat_Vec2 sat_local_origin_of(const sat_Vec2 *points, size_t count, sat_Vec2 centroid) {
  return vec2(local_origin_along(&points->x, count, centroid.x),
              local_origin_along(&points->y, count, centroid.y));
}

/* ---------------------------------------------------------------- from local to turned */

static void orient_vertices(sat_Shape *shape) {
  sat_Vec2 *vertex = mutable_vertices(shape), hinge = sat_shape_hinge(shape);
  const sat_Vec2 *local = mutable_local_vertices(shape);
  uint32_t count = shape->vertex_count;
  if (!(shape->flags & (SAT_TRANSFORMED | SAT_QUARTERS))) {
    for (uint32_t i = 0; i < count; i++) vertex[i] = local[i];
    return;
  }
  double mirror_x = shape->flags & SAT_MIRROR_X ? -1 : 1,
         mirror_y = shape->flags & SAT_MIRROR_Y ? -1 : 1;
  bool reversed =
      mirror_x != mirror_y; /* a mirror turns the order round, which has to be of positive area */
  double cosine = shape->cosine * shape->scale, sine = shape->sine * shape->scale;
  for (uint32_t i = 0; i < count; i++) {
    sat_Vec2 arm = sub(local[reversed && i ? count - i : i], hinge);
    arm = vec2(arm.x * mirror_x, arm.y * mirror_y);
    vertex[i] = vec2(arm.x * cosine - arm.y * sine, arm.x * sine + arm.y * cosine);
  }
}

/* The unit normal of the edge from vertex `index` on, or `otherwise` where it has no length. */
static sat_Vec2 measure_normal(const sat_Vec2 *vertex, uint32_t count, uint32_t index,
                               sat_Vec2 otherwise) {
  sat_Vec2 edge = sub(vertex[index + 1 < count ? index + 1 : 0], vertex[index]);
  double size = length(edge);
  return size > 0 ? vec2(edge.y / size, -edge.x / size) : otherwise;
}

/* The normals of what has melted into one point altogether: they hold it from all sides, or a
 * segment from both. */
static sat_Vec2 any_normal(uint32_t count, uint32_t index) {
  static const sat_Vec2 round[3] = {{1, 0}, {-0.6, 0.8}, {-0.6, -0.8}};
  if (count == 2) return vec2(index ? -1 : 1, 0);
  return round[index < 3 ? index : 2];
}

static void set_edge(sat_Edges *edge_block, uint32_t index, sat_Vec2 normal, double offset) {
  edge_block[index / 4].x[index % 4] = normal.x;
  edge_block[index / 4].y[index % 4] = normal.y;
  edge_block[index / 4].offset[index % 4] = offset;
}

static uint32_t leftmost(const sat_Vec2 *vertex, uint32_t count) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < count; i++) {
    bool level = vertex[i].x == vertex[best].x;
    if (level ? vertex[i].y < vertex[best].y : vertex[i].x < vertex[best].x) best = i;
  }
  return best;
}

/* Gives the edges from vertex `from` to `to`, which the hull has one edge for, the normal of
 * that. */
static void share_normal(sat_Edges *edge_block, const sat_Vec2 *vertex, uint32_t count,
                         uint32_t from, uint32_t to) {
  sat_Vec2 edge = sub(vertex[to], vertex[from]);
  double size = length(edge);
  sat_Vec2 normal = size > 0 ? vec2(edge.y / size, -edge.x / size) : normal_of(edge_block, from);
  double offset = max2(dot(normal, vertex[from]), dot(normal, vertex[to]));
  for (uint32_t i = from; i != to; i = i + 1 < count ? i + 1 : 0)
    set_edge(edge_block, i, normal, offset);
}

/* Rounding may leave a nearly straight corner reflex, and the line of a short edge there far inside
 * of what lies beyond the corner: each edge gets the normal of the hull's edge that it is behind.
 * Graham's scan, with the hull's previous vertex in place of each offset; the leftmost vertex is on
 * the hull. */
SAT_NOT_INLINE void straighten(sat_Edges *edge_block, const sat_Vec2 *vertex, uint32_t count) {
  uint32_t first = leftmost(vertex, count), top = first, next = first;
  for (uint32_t steps = 0; steps < count; steps++) {
    next = next + 1 < count ? next + 1 : 0;
    while (top != first) {
      uint32_t below = (uint32_t)offset_of(edge_block, top);
      if (sat_orientation(vertex[below], vertex[top], vertex[next]) >= 0) break;
      top = below;
    }
    edge_block[next / 4].offset[next % 4] = top;
    top = next;
  }
  uint32_t below = (uint32_t)offset_of(edge_block, first);
  for (uint32_t left = count; left > 0;) {
    uint32_t edges = (top > below ? 0 : count) + top - below, further;
    further = (uint32_t)offset_of(edge_block, below);
    if (edges > 1) share_normal(edge_block, vertex, count, below, top);
    else edge_block[below / 4].offset[below % 4] = dot(normal_of(edge_block, below), vertex[below]);
    left -= edges;
    top = below;
    below = further;
  }
}

/* Turning can melt neighbours into one: an edge without length repeats the edge before it, the
 * first one the last that has a length. */
void sat_measure_edges(sat_Edges *edge_block, const sat_Vec2 *vertex, uint32_t count) {
  uint32_t all = 4 * edge_block_count(count);
  sat_Vec2 normal = vec2(0, 0);
  if (count == 1) return;
  for (uint32_t i = count; i-- > 0 && normal.x == 0 && normal.y == 0;)
    normal = measure_normal(vertex, count, i, normal);
  bool melted = normal.x == 0 && normal.y == 0;
  double least = 0; /* of the sines of the corners: below 0 where one is reflex */
  for (uint32_t i = 0; i < count; i++) {
    sat_Vec2 before = normal;
    normal = melted ? any_normal(count, i) : measure_normal(vertex, count, i, normal);
    set_edge(edge_block, i, normal, dot(normal, vertex[i]));
    least = min2(cross(before, normal), least);
  }
  for (uint32_t i = count; i < all; i++) set_edge(edge_block, i, vec2(0, 0), HUGE_VAL);
  if (least < 0 && !melted && count > 2) straighten(edge_block, vertex, count);
}

static void measure_extent(sat_Shape *shape) {
  const sat_Vec2 *vertex = mutable_vertices(shape);
  sat_Box box = {vertex[0], vertex[0]};
  double farthest = 0;
  for (uint32_t i = 0; i < shape->vertex_count; i++) {
    sat_Vec2 v = vertex[i], arm = sub(v, shape->centroid_from_origin);
    box.min = vec2(min2(box.min.x, v.x), min2(box.min.y, v.y));
    box.max = vec2(max2(box.max.x, v.x), max2(box.max.y, v.y));
    farthest = max2(farthest, dot(arm, arm));
  }
  shape->box = box;
  shape->l1_bound = max2(-box.min.x, box.max.x) + max2(-box.min.y, box.max.y);
  shape->bounding_radius = sqrt(farthest) * SAT_ROUND_UP;
}

/* The number of quarter turns in an angle, or -1. */
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

/* The number of quarter turns of the anchor. */
static int anchor_quarters(const sat_Shape *shape) {
  return (int)(shape->flags & SAT_QUARTERS) / SAT_QUARTER;
}

/* Recomputes all fields that depend on the transform. */
void sat_shape_refresh(sat_Shape *shape) {
  int quarters = anchor_quarters(shape);
  bool turned = quarters_of(shape->sine, shape->cosine) != quarters || shape->scale != 1 ||
                (shape->flags & (SAT_MIRROR_X | SAT_MIRROR_Y));
  shape->flags =
      turned ? shape->flags | SAT_TRANSFORMED : shape->flags & ~(uint32_t)SAT_TRANSFORMED;
  shape->centroid_from_origin =
      turned ? vec2(0, 0) : turn_quarters(shape->local_centroid, quarters);
  shape->origin = turned ? shape->centroid : shape->local_origin;
  if (is_composite(shape)) {
    sat_composite_refresh(shape);
    return;
  }
  orient_vertices(shape);
  sat_measure_edges(mutable_edges(shape), mutable_vertices(shape), shape->vertex_count);
  measure_extent(shape);
}

/* ---------------------------------------------------------------- making */

static sat_Status check_shape_points(const sat_Vec2 *points, size_t count, double radius) {
  if (count == 0) return SAT_EFEW;
  if (count > UINT32_MAX / sizeof(sat_Edges)) return SAT_ENOMEM;
  for (size_t i = 0; i < count; i++)
    if (!vec_in_range(points[i])) return SAT_ERANGE;
  if (!in_range(radius)) return SAT_ERANGE;
  return radius == 0 || radius >= SAT_TINY ? SAT_OK : SAT_EVALUE;
}

void sat_init_head(sat_Shape *shape, size_t bytes, size_t count, double radius) {
  sat_Shape head = {0};
  head.bytes = (uint32_t)bytes;
  head.vertex_count = (uint32_t)count;
  head.category = 1;
  head.mask = UINT32_MAX;
  head.cosine = head.scale = head.mass = 1;
  head.radius = radius;
  *shape = head;
}

static void init_measures(sat_Shape *shape) {
  const sat_Vec2 *local = mutable_local_vertices(shape);
  shape->area = max2(sat_ring_area(local, shape->vertex_count), 0); /* of a sliver, rounded */
  shape->perimeter = sat_ring_perimeter(local, shape->vertex_count);
  sat_shape_refresh(shape);
}

sat_Status sat_shape_init(sat_Shape *block, const sat_Vec2 *points, size_t count, double radius) {
  sat_Status status = check_shape_points(points, count, radius);
  if (status) return status;
  if (count == 2 && points[0].x == points[1].x && points[0].y == points[1].y) count = 1;
  sat_Vec2 center =
      count > 2 ? sat_ring_centroid(points, count) : mul(add(points[0], points[count - 1]), 0.5);
  sat_init_head(block, sat_shape_bytes(count), count, radius);
  sat_Vec2 local_origin = sat_local_origin_of(points, count, center);
  sat_Vec2 *local = mutable_local_vertices(block);
  for (size_t i = 0; i < count; i++) local[i] = sub(points[i], local_origin);
  block->centroid = center;
  block->local_origin = local_origin;
  block->local_centroid = sub(center, local_origin);
  init_measures(block);
  return SAT_OK;
}

sat_Status sat_shape_init_about(sat_Shape *block, sat_Vec2 centroid, const sat_Vec2 *points,
                                size_t count, double radius) {
  sat_Status status =
      vec_in_range(centroid) ? check_shape_points(points, count, radius) : SAT_ERANGE;
  if (status) return status;
  sat_init_head(block, sat_shape_bytes(count), count, radius);
  sat_Vec2 *local = mutable_local_vertices(block);
  for (size_t i = 0; i < count; i++) local[i] = points[i];
  block->centroid = block->local_origin = centroid;
  init_measures(block);
  return SAT_OK;
}

sat_Vec2 *sat_shape_local_vertices(sat_Shape *shape) { return mutable_local_vertices(shape); }

void sat_shape_derive(sat_Shape *shape) {
  sat_sine_cosine(shape->angle, &shape->sine, &shape->cosine);
  if (is_composite(shape)) sat_shape_refresh(shape);
  else init_measures(shape);
}

void sat_shape_copy(sat_Shape *block, const sat_Shape *shape) {
  memcpy(block, shape, shape->bytes);
  block->flags &= ~(uint32_t)(SAT_CHANGED | SAT_LOCKED);
  block->changes = NULL;
  block->owner = NULL;
}

/* Vertices and origin stay as they are to the last bit. */
sat_Status sat_shape_init_at(sat_Shape *block, sat_Vec2 origin, const sat_Vec2 *points,
                             size_t count) {
  sat_Status status = check_shape_points(points, count, 0);
  if (status) return status;
  sat_Vec2 middle =
      count > 2 ? sat_ring_centroid(points, count) : mul(add(points[0], points[count - 1]), 0.5);
  sat_init_head(block, sat_shape_bytes(count), count, 0);
  sat_Vec2 *local = mutable_local_vertices(block);
  for (size_t i = 0; i < count; i++) local[i] = points[i];
  block->local_centroid = middle;
  block->local_origin = origin;
  block->centroid = add(origin, middle);
  init_measures(block);
  return SAT_OK;
}

/* ---------------------------------------------------------------- changing */

/* Notifies the shape's world. */
static inline void note_change(sat_Shape *shape) {
  sat_ChangeList *moved = shape->changes;
  if (!moved || (shape->flags & SAT_CHANGED) || moved->count == moved->capacity) return;
  shape->flags |= SAT_CHANGED;
  moved->indices[moved->count++] = (uint32_t)shape->index;
}

/* Whether a shape is within the limits once its centroid is at `centroid` and its size has grown
 * by a factor. */
static bool fits(const sat_Shape *shape, sat_Vec2 center, double factor) {
  double threshold = shape->bounding_radius * factor;
  if (fabs(center.x) + threshold <= SAT_LIMIT && fabs(center.y) + threshold <= SAT_LIMIT)
    return true;
  sat_Vec2 low = mul(sub(shape->box.min, shape->centroid_from_origin), factor),
           high = mul(sub(shape->box.max, shape->centroid_from_origin), factor);
  return vec_in_range(center) && vec_in_range(add(center, low)) && vec_in_range(add(center, high));
}

/* The anchor's position for a centroid. */
static sat_Vec2 anchor_about(const sat_Shape *shape, sat_Vec2 center) {
  return sub(center, turn_quarters(shape->local_centroid, anchor_quarters(shape)));
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
  if (!fits(shape, center, 1)) return SAT_ERANGE;
  sat_shape_stand_at(shape,
                     (sat_SavedPosition){center, local_origin,
                                         shape->flags & SAT_TRANSFORMED ? center : local_origin});
  return SAT_OK;
}

sat_Status sat_shape_shift(sat_Shape *shape, sat_Vec2 motion) {
  return put(shape, add(shape->centroid, motion), add(shape->local_origin, motion));
}

void sat_shape_put(sat_Shape *shape, sat_SavedPosition position) {
  sat_shape_stand_at(shape, position);
  note_change(shape);
}

static sat_Status place_vertices(sat_Shape *shape, sat_Vec2 center, sat_Vec2 local_origin) {
  sat_Status status = put(shape, center, local_origin);
  if (!status) note_change(shape);
  return status;
}

sat_Status sat_shape_move(sat_Shape *shape, double dx, double dy) {
  sat_Vec2 motion = vec2(dx, dy);
  return place_vertices(shape, add(shape->centroid, motion), add(shape->local_origin, motion));
}

sat_Status sat_shape_move_to(sat_Shape *shape, double x, double y) {
  sat_Vec2 center = vec2(x, y);
  return place_vertices(shape, center, anchor_about(shape, center));
}

/* Turning about the centroid leaves the anchor where it was to the last bit. */
static void set_centroid(sat_Shape *shape, sat_Vec2 center) {
  if (center.x == shape->centroid.x && center.y == shape->centroid.y) return;
  shape->centroid = center;
  shape->local_origin = anchor_about(shape, center);
}

/* A rotation: the new angle, and the centroid's new position. */
static sat_Status set_orientation(sat_Shape *shape, double angle, sat_Vec2 center) {
  if (!in_range(angle) || !vec_in_range(center)) return SAT_ERANGE;
  shape->angle = angle;
  set_centroid(shape, center);
  sat_sine_cosine(angle, &shape->sine, &shape->cosine);
  sat_shape_refresh(shape);
  note_change(shape);
  return SAT_OK;
}

static sat_Vec2 rotated_about(sat_Vec2 point, double angle, sat_Vec2 pivot) {
  double sine, cosine;
  if (!in_range(angle)) return vec2(NAN, NAN); /* which set_orientation refuses */
  sat_sine_cosine(angle, &sine, &cosine);
  sat_Vec2 arm = sub(point, pivot);
  return add(pivot, vec2(arm.x * cosine - arm.y * sine, arm.x * sine + arm.y * cosine));
}

/* Turns the anchor by quarters, which is exact where it and the pivot are dyadic, and lets the
 * centroid follow. False: the turn is of another kind. */
static bool turn_anchor(sat_Shape *shape, double angle, sat_Vec2 pivot) {
  double sine, cosine;
  int from = anchor_quarters(shape);
  if (shape->flags & SAT_TRANSFORMED || !in_range(angle)) return false;
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

/* Turns a shape about a pivot to an angle, by `arc`. */
static sat_Status turn_about(sat_Shape *shape, double angle, double arc, sat_Vec2 pivot) {
  sat_Vec2 center = rotated_about(shape->centroid, arc, pivot);
  bool stays = center.x == shape->centroid.x && center.y == shape->centroid.y;
  if (!stays && vec_in_range(center) && turn_anchor(shape, angle, pivot)) center = shape->centroid;
  return set_orientation(shape, angle, center);
}

sat_Status sat_shape_rotate(sat_Shape *shape, double angle) {
  return set_orientation(shape, shape->angle + angle, shape->centroid);
}

sat_Status sat_shape_rotate_about(sat_Shape *shape, double angle, sat_Vec2 pivot) {
  return turn_about(shape, shape->angle + angle, angle, pivot);
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

/* The local numbers stay, so a shape may shrink to 1 / SAT_LIMIT of itself and come back
 * unharmed. */
static sat_Status scale_to(sat_Shape *shape, double factor, sat_Vec2 center) {
  if (!in_range(factor)) return SAT_ERANGE;
  if (factor <= 0) return SAT_EVALUE;
  double scale = shape->scale * factor, radius = shape->radius * factor;
  if (!in_range(scale) || scale < 1 / SAT_LIMIT || !in_range(radius)) return SAT_ERANGE;
  if (!vec_in_range(center) || (factor > 1 && !fits(shape, center, factor))) return SAT_ERANGE;
  shape->scale = scale;
  shape->radius = radius;
  set_centroid(shape, center);
  sat_shape_refresh(shape);
  note_change(shape);
  return SAT_OK;
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
  shape->radius = radius;
  note_change(shape);
  return SAT_OK;
}

void sat_shape_flip(sat_Shape *shape, bool vertical) {
  shape->flags ^= vertical ? SAT_MIRROR_Y : SAT_MIRROR_X;
  sat_shape_refresh(shape);
  note_change(shape);
}

static void set_flag(sat_Shape *shape, uint32_t flag, bool on) {
  if (((shape->flags & flag) != 0) == on) return;
  shape->flags ^= flag;
  note_change(shape);
}

void sat_shape_set_sensor(sat_Shape *shape, bool on) { set_flag(shape, SAT_SENSOR, on); }
void sat_shape_set_static(sat_Shape *shape, bool on) { set_flag(shape, SAT_STATIC, on); }
void sat_shape_set_enabled(sat_Shape *shape, bool on) { set_flag(shape, SAT_DISABLED, !on); }

bool sat_shape_is_locked(const sat_Shape *shape) {
  return (shape->flags & SAT_LOCKED) || (shape->changes && shape->changes->locked);
}

sat_Status sat_shape_set_mass(sat_Shape *shape, double mass) {
  if (!(mass > 0)) return SAT_EVALUE;
  shape->mass = mass;
  return SAT_OK;
}

double sat_shape_mass(const sat_Shape *shape) { return shape->mass; }

/* Mirrors a vector of the shape's own frame. */
static sat_Vec2 mirrored(const sat_Shape *shape, sat_Vec2 v) {
  return vec2(shape->flags & SAT_MIRROR_X ? -v.x : v.x, shape->flags & SAT_MIRROR_Y ? -v.y : v.y);
}

sat_Status sat_shape_set_one_way(sat_Shape *shape, sat_Vec2 normal) {
  double larger = max2(fabs(normal.x), fabs(normal.y));
  if (!vec_in_range(normal)) return SAT_ERANGE;
  if (larger > 0) normal = vec2(normal.x / larger, normal.y / larger);
  if (larger > 0) normal = mul(normal, 1 / length(normal));
  double cosine = shape->cosine, sine = -shape->sine;
  sat_Vec2 own = vec2(cosine * normal.x - sine * normal.y, sine * normal.x + cosine * normal.y);
  shape->one_way = mirrored(shape, own);
  return SAT_OK;
}

bool sat_shape_one_way(const sat_Shape *shape, sat_Vec2 *normal) {
  sat_Vec2 own = mirrored(shape, shape->one_way);
  double cosine = shape->cosine, sine = shape->sine;
  *normal = vec2(cosine * own.x - sine * own.y, sine * own.x + cosine * own.y);
  return own.x != 0 || own.y != 0;
}

void sat_shape_set_filter(sat_Shape *shape, uint32_t category, uint32_t mask, int32_t group) {
  shape->category = category;
  shape->mask = mask;
  shape->group = group;
  note_change(shape);
}

/* ---------------------------------------------------------------- reading */

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
  return is_composite(shape) ? sat_composite_point_count(shape) : shape->vertex_count;
}
sat_Vec2 sat_shape_center(const sat_Shape *shape) { return shape->centroid; }
double sat_shape_rotation(const sat_Shape *shape) { return shape->angle; }
double sat_shape_scale_factor(const sat_Shape *shape) { return shape->scale; }
double sat_shape_radius(const sat_Shape *shape) { return shape->radius; }

sat_Vec2 sat_shape_vertex(const sat_Shape *shape, size_t index) {
  SAT_ASSERT(index < sat_shape_vertex_count(shape));
  if (is_composite(shape)) return sat_composite_point(shape, index);
  return add(shape->origin, vertices_of(shape)[index]);
}

/* The core, a band of the radius' width along its boundary, and the corners, which make one
 * circle. */
double sat_shape_area(const sat_Shape *shape) {
  const double pi = 3.14159265358979323846;
  double core = shape->area * shape->scale * shape->scale,
         boundary = shape->perimeter * shape->scale;
  if (is_composite(shape)) return sat_composite_area(shape, core, boundary);
  return core + (boundary + pi * shape->radius) * shape->radius;
}

sat_Box sat_shape_bounds(const sat_Shape *shape) {
  sat_Vec2 o = shape->origin;
  double r = shape->radius;
  sat_Box box;
  box.min = vec2(sum_down(sum_down(o.x, shape->box.min.x), -r),
                 sum_down(sum_down(o.y, shape->box.min.y), -r));
  box.max =
      vec2(sum_up(sum_up(o.x, shape->box.max.x), r), sum_up(sum_up(o.y, shape->box.max.y), r));
  return box;
}

double sat_shape_bounding_radius(const sat_Shape *shape) {
  return sum_up(shape->bounding_radius, shape->radius);
}

/* Whether `v` comes after a half turn from `start`, counting from `start` itself. */
static bool in_second_half(sat_Vec2 start, sat_Vec2 v) {
  double side = cross(start, v);
  return side < 0 || (side == 0 && dot(start, v) < 0);
}

/* Whether a turn from `start` meets `v` no later than `w`. */
static bool comes_first(sat_Vec2 start, sat_Vec2 v, sat_Vec2 w) {
  bool v_half = in_second_half(start, v), w_half = in_second_half(start, w);
  return v_half == w_half ? cross(v, w) >= 0 : w_half;
}

/* The edges' normals are sorted by angle, so the farthest vertex ends the last edge whose normal
 * the turn from the first normal to `direction` has passed. */
static uint32_t search_support(const sat_Convex *convex, sat_Vec2 direction) {
  uint32_t low = 0, high = convex->count;
  sat_Vec2 first = normal_of(convex->edges, 0);
  while (high - low > 1) {
    uint32_t mid = low + (high - low) / 2;
    if (comes_first(first, normal_of(convex->edges, mid), direction)) low = mid;
    else high = mid;
  }
  return low + 1 < convex->count ? low + 1 : 0;
}

uint32_t sat_support_index(const sat_Convex *convex, sat_Vec2 direction) {
  uint32_t best = 0;
  if (convex->count > SAT_SCAN_SUPPORT) return search_support(convex, direction);
  for (uint32_t i = 1; i < convex->count; i++)
    if (dot(direction, convex->vertex[i]) > dot(direction, convex->vertex[best])) best = i;
  return best;
}

sat_Vec2 sat_shape_support(const sat_Shape *shape, sat_Vec2 direction) {
  /* Scaled first: the square of a tiny direction would vanish. */
  double largest = max2(fabs(direction.x), fabs(direction.y));
  sat_Vec2 scaled = vec2(direction.x / largest, direction.y / largest);
  if (is_composite(shape)) return sat_composite_support(shape, scaled);
  sat_Convex convex = sat_convex_of(shape);
  uint32_t best = sat_support_index(&convex, scaled);
  return add(add(shape->origin, convex.vertex[best]), mul(scaled, shape->radius / length(scaled)));
}

bool sat_shapes_filter(const sat_Shape *a, const sat_Shape *b) {
  if (a->group != 0 && a->group == b->group) return a->group > 0;
  return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}
