/* convex.c: the constructors, vertices, edges, extent and support of a convex shape.
 *
 * The local vertices are the vertices as given, less a local origin: they are exact, and near 0,
 * where doubles are dense. The local origin is the centroid, rounded to multiples of a power of two
 * near the shape's size, so that the subtraction loses no bit. If the subtraction would lose one,
 * some vertex is much nearer to 0 than to the local origin: the shape is then no farther from 0
 * than its own size, and 0 is the local origin. Once a shape is rotated, scaled or mirrored, its
 * vertices are relative to its centroid instead, which a rotation about the centroid leaves in
 * place. The coordinates of most triangles' centroids are thirds and therefore rounded, so quarter
 * turns about other pivots rotate the local origin, and the vertices stay relative to the local
 * origin. */
#include "shape/convex.h"

#include "base/box.h"
#include "base/double2.h"
#include "base/double_double.h"
#include "base/memory.h"
#include "base/predicates.h"

/* ---------------------------------------------------------------- the local origin */

/* Rounds a value to a multiple of a power of two, from an eighth to a quarter of the range. */
static double grid_near(double value, double low, double high) {
  int exponent;
  if (low == high) return low;
  frexp(high - low, &exponent);
  double grid = ldexp(1, exponent - 3);
  return floor(value / grid + 0.5) * grid;
}

/* One coordinate of the local origin. */
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

sat_Vec2 sat_points_centroid(const sat_Vec2 *points, size_t count) {
  return count > 2 ? sat_ring_centroid(points, count) : mul(add(points[0], points[count - 1]), 0.5);
}

sat_Vec2 sat_local_origin_of(const sat_Vec2 *points, size_t count, sat_Vec2 centroid) {
  return vec2(local_origin_along(&points->x, count, centroid.x),
              local_origin_along(&points->y, count, centroid.y));
}

/* ---------------------------------------------------------------- oriented vertices */

static sat_Vec2 *mutable_vertices(sat_Shape *shape) { return (sat_Vec2 *)vertices_of(shape); }

sat_Vec2 *sat_shape_local_vertices(sat_Shape *shape) {
  return mutable_vertices(shape) + shape->vertex_count;
}

/* The local point at a shape's origin, which the shape turns about, and where its own axes go. */
typedef struct Orientation {
  sat_Vec2 hinge, of_x, of_y;
} Orientation;

SAT_INLINE Orientation orientation_of(const sat_Shape *shape) {
  sat_Vec2 hinge = shape->flags & SAT_TRANSFORMED ? shape->local_centroid : vec2(0, 0),
           of_x = vec2(shape->cosine, shape->sine), of_y = vec2(-shape->sine, shape->cosine);
  bool is_mirrored_at_all = shape->flags & (SAT_MIRROR_X | SAT_MIRROR_Y);
  /* factors of 1 cost the time of two products */
  if (is_mirrored_at_all || shape->scale != 1 || sat_is_stretched(shape)) {
    double mirror_x = shape->flags & SAT_MIRROR_X ? -1 : 1,
           mirror_y = shape->flags & SAT_MIRROR_Y ? -1 : 1;
    mirror_x *= shape->axis_scale.x;
    mirror_y *= shape->axis_scale.y;
    double cosine = shape->cosine * shape->scale, sine = shape->sine * shape->scale;
    of_x = vec2(mirror_x * cosine, mirror_x * sine);
    of_y = vec2(-(mirror_y * sine), mirror_y * cosine);
  }
  return (Orientation){hinge, of_x, of_y};
}

SAT_INLINE bool is_turned(const sat_Shape *shape) {
  return shape->flags & (SAT_TRANSFORMED | SAT_QUARTERS);
}

void sat_turn_vertices(const sat_Shape *shape, const sat_Vec2 *local, uint32_t count,
                       sat_Vec2 *vertex) {
  if (!is_turned(shape)) {
    for (uint32_t i = 0; i < count; i++) vertex[i] = local[i];
    return;
  }
  Orientation o = orientation_of(shape);
  sat_turn_points(o.hinge.x, o.hinge.y, o.of_x.x, o.of_x.y, o.of_y.x, o.of_y.y, local, count,
                  vertex, NULL, NULL);
}

/* A mirror reverses the ring, whose area has to stay positive. */
void sat_turn_ring(const sat_Shape *shape, const sat_Vec2 *local, uint32_t count,
                   sat_Vec2 *vertex) {
  sat_turn_vertices(shape, local, count, vertex);
  if (!is_mirrored(shape)) return;
  for (uint32_t low = 1, high = count - 1; low < high; low++, high--)
    SAT_SWAP(sat_Vec2, &vertex[low], &vertex[high]);
}

/* The unit normal of the edge between two vertices, or `otherwise` where the edge has no length. */
static sat_Vec2 measure_normal(const sat_Vec2 *vertex, uint32_t from, uint32_t to,
                               sat_Vec2 otherwise) {
  sat_Vec2 edge = sub(vertex[to], vertex[from]);
  double size = length(edge);
  return size > 0 ? vec2(edge.y / size, -edge.x / size) : otherwise;
}

/* The normals of a shape whose vertices have all been rounded to one point: three normals around
 * it, or two opposite ones for a segment. */
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

/* Whether a vertex comes before another one along the y-axis, or else the x-axis. */
static bool is_before(sat_Vec2 p, sat_Vec2 q, bool upright) {
  if (upright) return p.y != q.y ? p.y < q.y : p.x < q.x;
  return p.x != q.x ? p.x < q.x : p.y < q.y;
}

/* Finds the first and the last vertex along the longer side of the box, which are on the hull and,
 * of a needle, at its two ends. */
static void find_ends(const sat_Vec2 *vertex, uint32_t count, uint32_t *first, uint32_t *last) {
  sat_Box box = sat_box_of_points(vertex, count);
  bool upright = box.max.y - box.min.y > box.max.x - box.min.x;
  *first = *last = 0;
  for (uint32_t i = 1; i < count; i++) {
    if (is_before(vertex[i], vertex[*first], upright)) *first = i;
    if (is_before(vertex[*last], vertex[i], upright)) *last = i;
  }
}

/* Sets the edges from vertex `from` to `to`, which lie behind one edge of the hull, to that edge's
 * normal. */
static void share_normal(sat_Edges *edge_block, const sat_Vec2 *vertex, uint32_t count,
                         uint32_t from, uint32_t to) {
  sat_Vec2 normal = measure_normal(vertex, from, to, normal_of(edge_block, from));
  double offset = max2(dot(normal, vertex[from]), dot(normal, vertex[to]));
  for (uint32_t i = from; i != to; i = i + 1 < count ? i + 1 : 0)
    set_edge(edge_block, i, normal, offset);
}

/* Rounding may turn a nearly straight corner into a reflex one, where the line of a short edge may
 * cut off distant vertices: each edge gets the normal of the hull's edge in front of it. The hull
 * is found by Graham's scan from one end to the other and back; meanwhile the offset of each hull
 * vertex holds the index of the previous hull vertex. The scan must keep the other end, since the
 * ring of a needle may turn the wrong way. */
SAT_NOT_INLINE void straighten(sat_Edges *edge_block, const sat_Vec2 *vertex, uint32_t count) {
  uint32_t first, last, top, next;
  find_ends(vertex, count, &first, &last);
  top = next = first;
  for (uint32_t steps = 0; steps < count; steps++) {
    next = next + 1 < count ? next + 1 : 0;
    while (top != first && top != last) {
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

/* A rotation may round neighbouring vertices to one point: an edge without length repeats the
 * normal of the edge before it, and the first edge repeats that of the last edge with a length. */
static void measure_melted_edges(sat_Edges *edge_block, const sat_Vec2 *vertex, uint32_t count) {
  uint32_t all = 4 * edge_block_count(count);
  sat_Vec2 normal = vec2(0, 0);
  for (uint32_t i = count; i-- > 0 && normal.x == 0 && normal.y == 0;)
    normal = measure_normal(vertex, i, i + 1 < count ? i + 1 : 0, normal);
  bool melted = normal.x == 0 && normal.y == 0;
  double least = 0; /* the least sine of a corner: below 0 if a corner is reflex */
  for (uint32_t i = 0; i < count; i++) {
    sat_Vec2 before = normal;
    normal = melted ? any_normal(count, i)
                    : measure_normal(vertex, i, i + 1 < count ? i + 1 : 0, normal);
    set_edge(edge_block, i, normal, dot(normal, vertex[i]));
    least = min2(cross(before, normal), least);
  }
  for (uint32_t i = count; i < all; i++) set_edge(edge_block, i, vec2(0, 0), HUGE_VAL);
  if (least < 0 && !melted && count > 2) straighten(edge_block, vertex, count);
}

bool sat_measure_ring(const sat_Vec2 *vertex, uint32_t count, sat_Edges *edge_block, sat_Box *box) {
  if (count == 1) *box = sat_box_of_points(vertex, 1);
  else if (!sat_measure_edges(vertex, count, edge_block, box)) {
    measure_melted_edges(edge_block, vertex, count);
    return false;
  }
  return true;
}

/* Turns the vertices of a ring and measures it. Returns whether all edges have a length and no
 * corner is reflex. */
SAT_INLINE bool refresh_ring(sat_Shape *shape, sat_Vec2 *vertex, uint32_t count) {
  sat_Edges *edges = (sat_Edges *)edges_of(shape);
  const sat_Vec2 *local = vertex + count;
  if (count == 1 || !is_turned(shape) || is_mirrored(shape)) {
    sat_turn_ring(shape, local, count, vertex);
    return sat_measure_ring(vertex, count, edges, &shape->box);
  }
  Orientation o = orientation_of(shape);
  if (sat_turn_points(o.hinge.x, o.hinge.y, o.of_x.x, o.of_x.y, o.of_y.x, o.of_y.y, local, count,
                      vertex, edges, &shape->box))
    return true;
  measure_melted_edges(edges, vertex, count);
  return false;
}

/* Whether four edges are those of an upright box. Products and sums with 0 and 1 are exact. */
SAT_INLINE bool are_upright(const sat_Edges *edges, const sat_Vec2 *vertex) {
  const double *x = edges->x, *y = edges->y;
  if (x[0] * y[0] != 0 || fabs(x[0] + y[0]) != 1) return false;
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t next = (i + 1) % 4;
    if (x[next] != -y[i] || y[next] != x[i]) return false;
    if (dot(normal_of(edges, i), vertex[next]) != edges->offset[i]) return false;
  }
  return true;
}

void sat_convex_refresh(sat_Shape *shape) {
  sat_Vec2 *vertex = mutable_vertices(shape);
  if (sat_turns_in_place(shape)) {
    *vertex = vec2(0, 0);
    shape->box = (sat_Box){{0, 0}, {0, 0}};
    shape->l1_bound = 0;
    shape->flags |= SAT_FEW_VERTICES;
    return;
  }
  shape->flags &= ~(uint32_t)SAT_OF_VERTICES;
  sat_take_radius(shape, shape->radius);
  if (refresh_ring(shape, vertex, shape->vertex_count) && shape->vertex_count <= SAT_MOST_FEW)
    shape->flags |= SAT_FEW_VERTICES;
  if (shape->vertex_count == 4 && are_upright(edges_of(shape), vertex)) {
    sat_Vec2 normal = normal_of(edges_of(shape), 0);
    uint32_t first_side = (uint32_t)(normal.y != 0) + 2 * (uint32_t)(normal.x + normal.y > 0);
    shape->flags |= SAT_UPRIGHT + first_side * SAT_FIRST_SIDE;
  }
  shape->l1_bound = l1_bound_of(&shape->box);
}

void sat_convex_measure_bounding_radius(sat_Shape *shape) {
  const sat_Vec2 *local = local_vertices_of(shape);
  double farthest = 0;
  for (uint32_t i = 0; i < shape->vertex_count; i++) {
    sat_Vec2 arm = sat_stretched(shape, sub(local[i], shape->local_centroid));
    farthest = max2(farthest, dot(arm, arm));
  }
  shape->bounding_radius = sqrt(farthest) * shape->scale * SAT_ROUND_UP;
}

double sat_stretched_perimeter(const sat_Shape *shape, const sat_Vec2 *ring, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += length(sat_stretched(shape, sub(ring[i + 1 < count ? i + 1 : 0], ring[i])));
  return sum;
}

void sat_convex_measure(sat_Shape *shape) {
  const sat_Vec2 *local = sat_shape_local_vertices(shape);
  double area = max2(sat_ring_area(local, shape->vertex_count), 0); /* a sliver's may be negative */
  shape->area = area * shape->axis_scale.x * shape->axis_scale.y;
  shape->perimeter = sat_is_stretched(shape)
                         ? sat_stretched_perimeter(shape, local, shape->vertex_count)
                         : sat_ring_perimeter(local, shape->vertex_count);
}

size_t sat_shape_bytes(size_t vertex_count) {
  size_t edge_blocks = vertex_count > 1 ? (vertex_count - 1) / 4 + 1 : 0;
  return sizeof(sat_Shape) + edge_blocks * sizeof(sat_Edges) + vertex_count * 2 * sizeof(sat_Vec2);
}

void sat_init_head(sat_Shape *shape, size_t bytes, size_t count, double radius) {
  *shape = (sat_Shape){.bytes = (uint32_t)bytes,
                       .vertex_count = (uint32_t)count,
                       .category = 1,
                       .mask = UINT32_MAX,
                       .cosine = 1,
                       .scale = 1,
                       .mass = 1,
                       .axis_scale = {1, 1},
                       .radius = radius};
}

sat_Box sat_shape_bounds(const sat_Shape *shape) {
  double2 origin = double2_load(&shape->origin);
  double2 min = double2_sum_down(origin, double2_load(&shape->box.min));
  double2 max = double2_sum_down(double2_neg(origin), double2_neg(double2_load(&shape->box.max)));
  if (shape->radius != 0) {
    double2 out = double2_of(-shape->radius, -shape->radius);
    min = double2_sum_down(min, out);
    max = double2_sum_down(max, out);
  }
  sat_Box box;
  double2_store(&box.min, min);
  double2_store(&box.max, double2_neg(max));
  return box;
}

bool sat_shape_is_within(const sat_Shape *shape) {
  sat_Box box = sat_shape_bounds(shape);
  return vec_in_range(shape->centroid) && vec_in_range(box.min) && vec_in_range(box.max);
}

/* ---------------------------------------------------------------- constructors */

static sat_Status check_shape_points(const sat_Vec2 *points, size_t count, double radius) {
  if (count == 0) return SAT_EFEW;
  if (count > UINT32_MAX / sizeof(sat_Edges)) return SAT_ENOMEM;
  if (!sat_points_in_range(points, count) || !in_range(radius)) return SAT_ERANGE;
  return radius == 0 || radius >= SAT_TINY ? SAT_OK : SAT_EVALUE;
}

/* Fills in a shape, without transform, of points whose local origin is at `zero`. */
static sat_Status fill_shape(sat_Shape *block, const sat_Vec2 *points, size_t count, sat_Vec2 zero,
                             double radius, sat_Vec2 centroid, sat_Vec2 local_origin,
                             sat_Vec2 from_origin) {
  sat_init_head(block, sat_shape_bytes(count), count, radius);
  sat_Vec2 *local = sat_shape_local_vertices(block);
  for (size_t i = 0; i < count; i++) local[i] = sub(points[i], zero);
  block->local_origin = block->origin = local_origin;
  block->local_centroid = block->centroid_from_origin = from_origin;
  block->centroid = centroid;
  sat_convex_measure(block);
  sat_convex_refresh(block);
  sat_convex_measure_bounding_radius(block);
  return sat_shape_is_within(block) ? SAT_OK : SAT_ERANGE;
}

/* The vertex of a circle or point is its centroid: all that other constructors measure is 0. */
static void init_one_vertex(sat_Shape *block, sat_Vec2 center, double radius) {
  sat_init_head(block, sat_shape_bytes(1), 1, radius);
  *mutable_vertices(block) = *sat_shape_local_vertices(block) = vec2(0, 0);
  block->centroid = block->local_origin = block->origin = center;
  block->flags |= SAT_FEW_VERTICES;
}

sat_Status sat_shape_init(sat_Shape *block, const sat_Vec2 *points, size_t count, double radius) {
  sat_Status status = check_shape_points(points, count, radius);
  if (status) return status;
  if (count == 1 || (count == 2 && equal_points(points[0], points[1]))) {
    init_one_vertex(block, points[0], radius);
    return sat_shape_is_within(block) ? SAT_OK : SAT_ERANGE;
  }
  sat_Vec2 center = sat_points_centroid(points, count),
           local_origin = sat_local_origin_of(points, count, center);
  return fill_shape(block, points, count, local_origin, radius, center, local_origin,
                    sub(center, local_origin));
}

sat_Status sat_shape_init_about(sat_Shape *block, sat_Vec2 centroid, const sat_Vec2 *points,
                                size_t count, double radius) {
  sat_Status status =
      vec_in_range(centroid) ? check_shape_points(points, count, radius) : SAT_ERANGE;
  const sat_Vec2 zero = {0, 0};
  return status ? status : fill_shape(block, points, count, zero, radius, centroid, centroid, zero);
}

/* The vertices and the origin are kept to the last bit. */
sat_Status sat_shape_init_at(sat_Shape *block, sat_Vec2 origin, const sat_Vec2 *points,
                             size_t count) {
  sat_Status status = check_shape_points(points, count, 0);
  if (status) return status;
  sat_Vec2 middle = sat_points_centroid(points, count);
  fill_shape(block, points, count, vec2(0, 0), 0, add(origin, middle), origin, middle);
  return SAT_OK;
}

/* ---------------------------------------------------------------- support */

/* Whether a turn from `start` takes a half turn or more before it meets `v`. */
static bool in_second_half(sat_Vec2 start, sat_Vec2 v) {
  double side = cross(start, v);
  return side < 0 || (side == 0 && dot(start, v) < 0);
}

/* The normals are sorted by angle, so the farthest vertex ends the last edge whose normal a turn
 * from the first normal to `direction` passes. Two normals may be back to back but for rounding, as
 * those of parallel edges are: their cosines with the start of the half turn tell them apart. */
static uint32_t support_by_normals(const sat_Convex *convex, sat_Vec2 direction) {
  sat_Vec2 first = normal_of(convex->edges, 0);
  bool in_second = in_second_half(first, direction);
  sat_Vec2 begin = in_second ? neg(first) : first;
  double cosine = dot(begin, direction);
  uint32_t low = 0, high = convex->count;
  while (high - low > 1) {
    uint32_t mid = low + (high - low) / 2;
    sat_Vec2 normal = normal_of(convex->edges, mid);
    bool passed = in_second_half(first, normal) != in_second ? in_second
                  : dot(normal, direction) >= 0              ? cross(normal, direction) >= 0
                                                             : dot(begin, normal) > cosine;
    if (passed) low = mid;
    else high = mid;
  }
  return low + 1 < convex->count ? low + 1 : 0;
}

uint32_t sat_support_by_scan(const sat_Convex *convex, sat_Vec2 direction) {
  uint32_t best = 0;
  double farthest = dot(direction, convex->vertex[0]);
  for (uint32_t i = 1; i < convex->count; i++) {
    double along = dot(direction, convex->vertex[i]);
    best = along > farthest ? i : best;
    farthest = max2(along, farthest);
  }
  return best;
}

uint32_t sat_support_index(const sat_Convex *convex, sat_Vec2 direction) {
  return convex->count > SAT_SCAN_SUPPORT ? support_by_normals(convex, direction)
                                          : sat_support_by_scan(convex, direction);
}
