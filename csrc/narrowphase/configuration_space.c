/* configuration_space.c: the obstacles of a moving shape, the surfaces of their union, and the
 * first of these on a straight way. */
#include "narrowphase/configuration_space.h"

#include "base/box.h"
#include "base/double_double.h"
#include "base/heap.h"
#include "base/memory.h"
#include "narrowphase/convex/convex_pair.h"
#include "narrowphase/composite/piece_pairs.h"

#include <string.h>

/* In parts of the rounding: a facet of a shape without width is grown by the first, so that grown
 * seams overlap, and the shape is put beyond it by more than rounding. */
#define THIN 0.5
#define THIN_STOP 0.75

/* Factors of which no whole numbers are multiples of each other. */
#define SQRT_HALF 0.70710678118654752
#define GOLDEN 1.6180339887498949

enum { MOST_SETTLING = 16 };

/* ---------------------------------------------------------------- memory */

/* The number of facets that an obstacle has room for; boxes have 4 to 8. */
enum { ROOM_OF_FACETS = 8, ROOM_OF_SURFACES = 2 * (ROOM_OF_FACETS + 1) };

size_t sat_space_bytes(size_t obstacles) {
  return obstacles * (sizeof(sat_Obstacle) + ROOM_OF_FACETS * sizeof(sat_ObstacleFacet) +
                      sizeof(sat_WayEntry) + ROOM_OF_SURFACES * sizeof(sat_Surface));
}

void sat_space_in_block(sat_Space *space, sat_Way *way, void *block, size_t obstacles) {
  const sat_Allocator none = {sat_no_memory, NULL};
  *space =
      (sat_Space){.obstacles.allocator = none, .facets.allocator = none, .near.allocator = none};
  *way = (sat_Way){.entries.allocator = none, .bars.allocator = none};
  space->obstacles.at = block;
  space->obstacles.capacity = way->entries.capacity = obstacles;
  space->facets.at = (void *)(space->obstacles.at + obstacles);
  space->facets.capacity = obstacles * ROOM_OF_FACETS;
  way->entries.at = (void *)(space->facets.at + space->facets.capacity);
  space->near.at = (void *)(way->entries.at + obstacles);
  space->near.capacity = way->bars.capacity = obstacles * ROOM_OF_SURFACES / 2;
  way->bars.at = space->near.at + space->near.capacity;
}

void sat_space_clear(sat_Space *space, double rounding) {
  space->rounding = rounding;
  space->status = SAT_OK;
  space->obstacles.count = space->facets.count = space->near.count = 0;
}

static bool reserve_surfaces(sat_Space *space, sat_Surfaces *surfaces, size_t more) {
  if (surfaces->capacity - surfaces->count >= more) return true;
  sat_Status status = SAT_LIST_RESERVE(surfaces, more);
  if (status) space->status = status;
  return !status;
}

/* ---------------------------------------------------------------- rounding */

/* How far an interval goes along a motion until it has left another one. */
static double cut_way(double low, double high, double motion, double from, double to) {
  if (motion > 0) return max2(low, min2(low + motion, to));
  return min2(low, max2(low + motion, from - (high - low)));
}

double sat_rounding_of_way(sat_Box own, sat_Vec2 motion, sat_Box all) {
  double w = own.max.x - own.min.x, h = own.max.y - own.min.y, size = max2(w, h);
  size = max2(size,
              max2(max2(fabs(own.min.x), fabs(own.max.x)), max2(fabs(own.min.y), fabs(own.max.y))));
  if (all.min.x > all.max.x) return SAT_TOUCH_ERROR * size;
  double x = cut_way(own.min.x, own.max.x, motion.x, all.min.x, all.max.x);
  double y = cut_way(own.min.y, own.max.y, motion.y, all.min.y, all.max.y);
  size = max2(size, max2(max2(fabs(x), fabs(x + w)), max2(fabs(y), fabs(y + h))));
  if (size == 0) /* a point at 0, 0 */
    size = min2(length(motion), max2(all.max.x - all.min.x, all.max.y - all.min.y));
  return SAT_TOUCH_ERROR * size;
}

/* ---------------------------------------------------------------- an obstacle */

/* A pair of pieces, of which the moving one is A, and their radii make an obstacle. */
typedef struct ObstacleSource {
  const sat_Pair *pair;
  double radius[2];
  bool several;          /* the moving shape has several pieces */
  sat_Obstacle obstacle; /* what is known of it */
} ObstacleSource;

/* (o - p) + (v - w), to about twice the digits of a double. */
SAT_INLINE sat_DoubleDouble difference_of(double o, double p, double v, double w) {
  sat_DoubleDouble of_origins = two_sum(o, -p), own = two_sum(v, -w);
  sat_DoubleDouble sum = two_sum(of_origins.high, own.high);
  return (sat_DoubleDouble){sum.high, sum.low + (of_origins.low + own.low)};
}

/* The cross product of two vectors of twice the digits. */
static double precise_cross(const sat_DoubleDouble a[2], const sat_DoubleDouble b[2]) {
  sat_DoubleDouble p = two_product(a[0].high, b[1].high), q = two_product(a[1].high, b[0].high);
  sat_DoubleDouble sum = two_sum(p.high, -q.high);
  double of_lows =
      a[0].high * b[1].low + a[0].low * b[1].high - a[1].high * b[0].low - a[1].low * b[0].high;
  return sum.high + (sum.low + ((p.low - q.low) + of_lows));
}

/* The distance of a facet's line from where the moving shape stands, rounded once however far away
 * the facet's ends are. */
static double line_of(const sat_Pair *pair, const sat_Facet *facet, const uint32_t from[2],
                      sat_Vec2 normal, double size) {
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B], *own = &pair->of[facet->side];
  if (size < pair->error_bound * SAT_SHORT_EDGE) /* the edge is not as precise as its normal */
    return dot(normal, corner_of(pair, from[SAT_A], from[SAT_B]));
  sat_Vec2 of_a = a->vertex[from[SAT_A]], of_b = b->vertex[from[SAT_B]];
  sat_Vec2 start = own->vertex[facet->edge], stop = own->vertex[next_index(own, facet->edge)];
  if (facet->side == SAT_A) start = neg(start), stop = neg(stop);
  const sat_DoubleDouble corner[2] = {difference_of(b->origin.x, a->origin.x, of_b.x, of_a.x),
                                      difference_of(b->origin.y, a->origin.y, of_b.y, of_a.y)};
  const sat_DoubleDouble edge[2] = {two_sum(stop.x, -start.x), two_sum(stop.y, -start.y)};
  return precise_cross(corner, edge) / size;
}

/* Until finish_facet, `stop` is the facet's length, and the extents are the coordinates of its far
 * end. */
static sat_ObstacleFacet make_facet(const sat_Pair *pair, const sat_Facet *facet, double size) {
  uint32_t from[2], to[2];
  sat_facet_ends(pair, facet, from, to);
  sat_Vec2 normal = facet_normal(pair, facet), stop = corner_of(pair, to[SAT_A], to[SAT_B]);
  return (sat_ObstacleFacet){.normal = normal,
                             .line = line_of(pair, facet, from, normal, size),
                             .stop = size,
                             .low = stop.x,
                             .high = stop.y,
                             .corner = corner_of(pair, from[SAT_A], from[SAT_B])};
}

/* Merges a facet with the next one, if they are parallel but for rounding. */
static bool merge_facets(sat_ObstacleFacet *facet, const sat_ObstacleFacet *next, double most) {
  double sine = fabs(cross(facet->normal, next->normal));
  if (dot(facet->normal, next->normal) <= 0 || sine * min2(facet->stop, next->stop) > most)
    return false;
  if (next->stop > facet->stop) {
    facet->normal = next->normal;
    facet->line = next->line;
  }
  facet->stop += next->stop;
  facet->low = next->low;
  facet->high = next->high;
  return true;
}

/* Appends the facets of D, those that are parallel as one. */
static uint32_t add_facets(sat_Space *space, const sat_Pair *pair) {
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  double most = SAT_ROUNDING_OF_SUMS * space->rounding;
  sat_ObstacleFacet *first = space->facets.at + space->facets.count, *end = first;
  while (sat_walk_next(&walk, &facet)) {
    double size = length(sat_facet_edge(pair, facet.side, facet.edge));
    if (size == 0) continue;
    *end = make_facet(pair, &facet, size);
    if (end == first || !merge_facets(end - 1, end, most)) end++;
  }
  if (end - first > 2 && merge_facets(end - 1, first, most)) *first = *--end;
  space->facets.count += (size_t)(end - first);
  return (uint32_t)(end - first);
}

/* Whether a piece may have no width along some normal. A convex set has no less width than its area
 * divided by its diameter. */
static bool may_be_thin(const sat_Convex *piece, double radius, double rounding) {
  if (2 * radius > rounding || piece->count <= 2) return 2 * radius <= rounding;
  double area = 0, extent = 0;
  for (uint32_t i = 1; i < piece->count; i++) {
    sat_Vec2 arm = sub(piece->vertex[i], piece->vertex[0]);
    extent = max2(extent, fabs(arm.x) + fabs(arm.y));
    if (i > 1) area += cross(sub(piece->vertex[i - 1], piece->vertex[0]), arm) / 2;
  }
  return area <= 2 * extent * rounding;
}

static bool is_thin_along(const sat_Convex *piece, double radius, sat_Vec2 normal,
                          double rounding) {
  double low = 0, high = 0;
  for (uint32_t i = 1; i < piece->count; i++) {
    double along = dot(normal, sub(piece->vertex[i], piece->vertex[0]));
    low = min2(low, along);
    high = max2(high, along);
  }
  return high - low + 2 * radius <= rounding;
}

/* Computes what a facet bars; a thin one grows by a part of rounding instead. */
static void set_bar(sat_ObstacleFacet *facet, bool is_thin, double r) {
  facet->bar = is_thin ? facet->line + THIN * r : facet->line - r;
  facet->stop = is_thin ? facet->line + THIN_STOP * r : facet->line;
}

static void finish_facet(const sat_Space *space, const ObstacleSource *source, const bool thin[2],
                         sat_ObstacleFacet *facet) {
  double r = space->rounding;
  const sat_Pair *pair = source->pair;
  sat_Vec2 normal = facet->normal, along = perp(normal);
  bool is_thin = false;
  for (int side = 0; side < 2; side++)
    is_thin =
        is_thin || (thin[side] && is_thin_along(&pair->of[side], source->radius[side], normal, r));
  facet->high = dot(along, vec2(facet->low, facet->high));
  facet->low = dot(along, facet->corner);
  facet->line += pair->radius;
  set_bar(facet, is_thin, r);
}

/* The bounds of a piece that fills them: an upright box, a segment along an axis, or a point. */
static bool fills_bounds(const sat_Convex *piece, sat_Box *bounds) {
  const sat_Vec2 *v = piece->vertex, *far = &v[piece->count / 2];
  *bounds = (sat_Box){vec2(min2(v->x, far->x), min2(v->y, far->y)),
                      vec2(max2(v->x, far->x), max2(v->y, far->y))};
  if (piece->count <= 2) return v->x == far->x || v->y == far->y;
  if (piece->count != 4) return false;
  bool rises = v[0].x == v[1].x;
  return rises ? v[1].y == v[2].y && v[2].x == v[3].x && v[3].y == v[0].y
               : v[0].y == v[1].y && v[1].x == v[2].x && v[2].y == v[3].y && v[3].x == v[0].x;
}

/* The ends of the difference of two such pieces along an axis, rounded once, and whether the moving
 * one, or one that several pieces meet, is thin along it. */
typedef struct UprightAxis {
  double corner[2], line[2];
  bool thin;
} UprightAxis;

SAT_INLINE UprightAxis upright_axis(const double origin[2], double low, double high,
                                    double solid_low, double solid_high, const double least[2]) {
  sat_DoubleDouble from = difference_of(origin[1], origin[0], solid_low, high);
  sat_DoubleDouble to = difference_of(origin[1], origin[0], solid_high, low);
  return (UprightAxis){{from.high, to.high},
                       {from.high + from.low, to.high + to.low},
                       high - low <= least[SAT_A] || solid_high - solid_low <= least[SAT_B]};
}

/* Appends the facets of the difference of two pieces that fill their bounds, if it is a box. */
static uint32_t add_upright_facets(sat_Space *space, const ObstacleSource *source) {
  const sat_Convex *a = &source->pair->of[SAT_A], *b = &source->pair->of[SAT_B];
  double r = space->rounding, radius = source->pair->radius;
  sat_Box p, q;
  if (!fills_bounds(a, &p) || !fills_bounds(b, &q)) return 0;
  const double least[2] = {r - 2 * source->radius[SAT_A],
                           source->several ? r - 2 * source->radius[SAT_B] : -1};
  const double of_x[2] = {a->origin.x, b->origin.x}, of_y[2] = {a->origin.y, b->origin.y};
  UprightAxis x = upright_axis(of_x, p.min.x, p.max.x, q.min.x, q.max.x, least);
  UprightAxis y = upright_axis(of_y, p.min.y, p.max.y, q.min.y, q.max.y, least);
  sat_ObstacleFacet *f = space->facets.at + space->facets.count;
  const double *u = x.corner, *v = y.corner;
  if (!(u[0] < u[1] && v[0] < v[1])) return 0;
  f[0] = (sat_ObstacleFacet){{0, -1}, radius - y.line[0], 0, 0, u[0], u[1], {u[0], v[0]}};
  f[1] = (sat_ObstacleFacet){{1, 0}, radius + x.line[1], 0, 0, v[0], v[1], {u[1], v[0]}};
  f[2] = (sat_ObstacleFacet){{0, 1}, radius + y.line[1], 0, 0, -u[1], -u[0], {u[1], v[1]}};
  f[3] = (sat_ObstacleFacet){{-1, 0}, radius - x.line[0], 0, 0, -v[1], -v[0], {u[0], v[1]}};
  for (int i = 0; i < 4; i++) set_bar(&f[i], i % 2 == 0 ? y.thin : x.thin, r);
  space->facets.count += 4;
  return 4;
}

/* Appends the facets of any other difference; those of two points are a corner alone. */
static uint32_t add_any_facets(sat_Space *space, const ObstacleSource *source) {
  const sat_Pair *pair = source->pair;
  const sat_Convex *moving = &pair->of[SAT_A], *solid = &pair->of[SAT_B];
  double r = space->rounding;
  size_t first = space->facets.count;
  uint32_t count = add_facets(space, pair);
  const bool thin[2] = {may_be_thin(moving, source->radius[SAT_A], r),
                        source->several && may_be_thin(solid, source->radius[SAT_B], r)};
  for (size_t i = first; i < space->facets.count; i++)
    finish_facet(space, source, thin, &space->facets.at[i]);
  if (count == 0)
    space->facets.at[space->facets.count++] = (sat_ObstacleFacet){.corner = corner_of(pair, 0, 0)};
  return count;
}

static sat_Status add_obstacle(sat_Space *space, const ObstacleSource *source) {
  const sat_Pair *pair = source->pair;
  const sat_Convex *moving = &pair->of[SAT_A], *solid = &pair->of[SAT_B];
  double r = space->rounding;
  sat_Status status = SAT_LIST_RESERVE(&space->facets, (size_t)moving->count + solid->count + 4);
  if (!status) status = SAT_LIST_RESERVE(&space->obstacles, 1);
  if (status) return status;
  bool is_point = moving->count == 1 && source->radius[SAT_A] == 0;
  sat_Obstacle *obstacle = &space->obstacles.at[space->obstacles.count++];
  *obstacle = source->obstacle;
  obstacle->box = sat_no_box();
  obstacle->facet = (uint32_t)space->facets.count;
  obstacle->count = add_upright_facets(space, source);
  if (obstacle->count == 0) obstacle->count = add_any_facets(space, source);
  for (int side = 0; side < 2; side++)
    obstacle->line[side] = pair->of[side].count <= 2 && source->radius[side] == 0;
  obstacle->round = pair->radius > r || obstacle->count == 0 || is_point;
  obstacle->radius = pair->radius;
  obstacle->bar_radius = pair->radius + (is_point ? THIN * r : -r);
  obstacle->stop_radius = pair->radius + (is_point ? THIN_STOP * r : 0);
  double sum = 0;
  for (size_t i = obstacle->facet; i < space->facets.count; i++) {
    const sat_ObstacleFacet *facet = &space->facets.at[i];
    sat_extend_box(&obstacle->box, facet->corner);
    sum = SQRT_HALF * sum + facet->line + facet->low / GOLDEN;
  }
  obstacle->key = sum;
  double out = pair->radius + 2 * r + 4 * SAT_EPSILON * l1_bound_of(&obstacle->box);
  obstacle->box = box_moved(obstacle->box, vec2(0, 0), out);
  return SAT_OK;
}

/* The box that a box reaches by displacements in another one. */
static sat_Box reach_of(sat_Box box, const sat_Box *range) {
  return (sat_Box){add(box.min, range->min), add(box.max, range->max)};
}

static sat_Status add_pieces(sat_Space *space, const sat_Shape *shape, const sat_Shape *solid,
                             const sat_Box *range, const sat_Box *known,
                             const ObstacleSource *whole) {
  ViewPair views;
  uint32_t index[2];
  view_both(&views, shape, solid);
  const sat_PieceView *a = &views.of[SAT_A], *b = &views.of[SAT_B];
  for (index[SAT_A] = 0; index[SAT_A] < a->count; index[SAT_A]++) {
    const sat_Piece *own = &a->pieces[index[SAT_A]];
    sat_Box box = box_moved(own->box, sub(a->origin, b->origin), sat_piece_radius(a, own));
    sat_Box wanted = reach_of(box, range), had = reach_of(box, known);
    sat_BvhQuery query = sat_bvh_query(b, wanted);
    while (sat_bvh_query_next(&query, &index[SAT_B])) {
      const sat_Piece *piece = &b->pieces[index[SAT_B]];
      if (boxes_meet(&piece->box, &had, sat_piece_radius(b, piece))) continue;
      PieceQuestion pieces = piece_question(&views, index);
      ObstacleSource source = {
          &pieces.pair, {pieces.radius[0], pieces.radius[1]}, a->count > 1, whole->obstacle};
      memcpy(source.obstacle.piece, index, sizeof index);
      /* a segment of a closed chain is open on its front, unless its chain is a one-way solid */
      source.obstacle.one_sided = piece->flags & SAT_ONE_SIDED && !source.obstacle.has_side;
      if (source.obstacle.one_sided) source.obstacle.open = sat_front_normal(b, piece);
      source.obstacle.has_side = source.obstacle.has_side || source.obstacle.one_sided;
      sat_Status status = add_obstacle(space, &source);
      if (status) return status;
    }
  }
  return SAT_OK;
}

sat_Status sat_space_add(sat_Space *space, const sat_Shape *shape, const sat_Shape *solid,
                         const sat_Box *range, const sat_Box *known, uint32_t number,
                         uint64_t order) {
  ObstacleSource source = {.radius = {shape->radius, solid->radius},
                           .obstacle = {.solid = number, .order = order}};
  source.obstacle.has_side = sat_shape_one_way(solid, &source.obstacle.open);
  if (is_composite(shape) || is_composite(solid))
    return add_pieces(space, shape, solid, range, known, &source);
  sat_Box box = box_moved(shape->box, sub(shape->origin, solid->origin), shape->radius);
  sat_Box wanted = reach_of(box, range), had = reach_of(box, known);
  if (!boxes_meet(&solid->box, &wanted, solid->radius) ||
      boxes_meet(&solid->box, &had, solid->radius))
    return SAT_OK;
  sat_Pair pair = sat_convex_pair(shape, solid);
  source.pair = &pair;
  return add_obstacle(space, &source);
}

/* ---------------------------------------------------------------- the obstacles by place */

static bool stands_behind(const sat_Obstacle *p, const sat_Obstacle *q) {
  const double of_p[] = {p->box.min.x, p->box.min.y, p->box.max.x, p->box.max.y, p->radius};
  const double of_q[] = {q->box.min.x, q->box.min.y, q->box.max.x, q->box.max.y, q->radius};
  for (int i = 0; i < 5; i++)
    if (of_p[i] != of_q[i]) return of_p[i] > of_q[i];
  if (p->key != q->key) return p->key > q->key;
  return p->order != q->order ? p->order > q->order : p->facet > q->facet;
}

SAT_DEFINE_SORT(sat_Obstacle, obstacles, stands_behind)

void sat_space_finish(sat_Space *space, size_t first) {
  if (space->obstacles.count > first + 1)
    obstacles_sort(space->obstacles.at + first, space->obstacles.count - first);
}

/* Finds the first obstacle from an index on whose box meets a box. */
static inline bool next_near(const sat_Space *space, const sat_Box *near, uint32_t *index) {
  for (; *index < space->obstacles.count; ++*index)
    if (boxes_meet(&space->obstacles.at[*index].box, near, 0)) return true;
  return false;
}

static sat_Box box_of_way(sat_Vec2 from, sat_Vec2 motion) {
  sat_Box box = {from, from};
  sat_extend_box(&box, add(from, motion));
  return box;
}

/* ---------------------------------------------------------------- chords */

/* Clips a chord to where t * along < room. */
static bool clip_chord(sat_Chord *chord, double along, double room, double parallel) {
  if (fabs(along) <= parallel) return room > 0;
  if (along < 0) chord->enter = max2(chord->enter, room / along);
  else chord->leave = min2(chord->leave, room / along);
  return chord->enter < chord->leave;
}

static const sat_ObstacleFacet *facets_of(const sat_Space *space, const sat_Obstacle *obstacle) {
  return space->facets.at + obstacle->facet;
}

/* The number of corners: one where there is no facet. */
static uint32_t corner_count(const sat_Obstacle *obstacle) {
  return obstacle->count > 0 ? obstacle->count : 1;
}

static double outside_of(const sat_ObstacleFacet *facet, sat_Vec2 p) {
  return dot(facet->normal, p) - facet->line;
}

/* The part of a line within the bars of all facets, and the facets where it comes in and goes out,
 * NULL where it is within from far away, unless `ends` is NULL. */
SAT_INLINE bool chord_of_facets(const sat_Space *space, const sat_Obstacle *obstacle, sat_Vec2 p,
                                sat_Vec2 motion, sat_Chord *chord,
                                const sat_ObstacleFacet *ends[2]) {
  double parallel = SAT_LEADS * (fabs(motion.x) + fabs(motion.y));
  *chord = (sat_Chord){-HUGE_VAL, HUGE_VAL};
  if (ends) ends[0] = ends[1] = NULL;
  for (uint32_t i = 0; i < obstacle->count; i++) {
    const sat_ObstacleFacet *f = &facets_of(space, obstacle)[i];
    sat_Chord before = *chord;
    if (!clip_chord(chord, dot(f->normal, motion), f->bar - dot(f->normal, p), parallel))
      return false;
    if (ends && chord->enter != before.enter) ends[0] = f;
    if (ends && chord->leave != before.leave) ends[1] = f;
  }
  return true;
}

static bool is_on_flat(const sat_ObstacleFacet *flat, sat_Vec2 place) {
  if (!flat) return false;
  double along = dot(perp(flat->normal), place);
  return along >= flat->low && along <= flat->high;
}

/* The part of a line within a disc. The line's distance from the centre comes from a cross product,
 * without the loss of digits of a difference of squares. */
static bool chord_of_circle(sat_Vec2 from_center, double radius, sat_Vec2 motion,
                            sat_Chord *chord) {
  double square = dot(motion, motion), area = cross(from_center, motion);
  double rest = radius * radius - area * area / square;
  if (radius <= 0 || !(rest > 0)) return false;
  double middle = -dot(from_center, motion) / square, half = sqrt(rest / square);
  *chord = (sat_Chord){middle - half, middle + half};
  return true;
}

/* A line comes into a round obstacle, and goes out of it, on a flat or through the disc of a
 * corner. */
static bool chord_of_round(const sat_Space *space, const sat_Obstacle *obstacle, sat_Vec2 p,
                           sat_Vec2 motion, sat_Chord *all) {
  const sat_ObstacleFacet *ends[2];
  sat_Chord one, at_corners = {HUGE_VAL, -HUGE_VAL};
  if (!chord_of_facets(space, obstacle, p, motion, all, ends)) return false;
  bool enters = is_on_flat(ends[0], add(p, mul(motion, all->enter)));
  bool leaves = is_on_flat(ends[1], add(p, mul(motion, all->leave)));
  for (uint32_t i = 0; !(enters && leaves) && i < corner_count(obstacle); i++) {
    sat_Vec2 corner = facets_of(space, obstacle)[i].corner;
    if (!chord_of_circle(sub(p, corner), obstacle->bar_radius, motion, &one)) continue;
    at_corners = (sat_Chord){min2(at_corners.enter, one.enter), max2(at_corners.leave, one.leave)};
  }
  if (!enters) all->enter = at_corners.enter;
  if (!leaves) all->leave = at_corners.leave;
  return all->enter < all->leave;
}

bool sat_obstacle_chord(const sat_Space *space, const sat_Obstacle *obstacle, sat_Vec2 p,
                        sat_Vec2 motion, sat_Chord *chord) {
  return obstacle->round ? chord_of_round(space, obstacle, p, motion, chord)
                         : chord_of_facets(space, obstacle, p, motion, chord, NULL);
}

/* ---------------------------------------------------------------- surfaces */

/* The place of a round obstacle's core that is nearest to a place outside of the core: on a facet
 * that has the place beside it, to within a distance, or at a corner. False: there is none. */
static bool nearest_of_core(const sat_Space *space, const sat_Obstacle *obstacle, sat_Vec2 p,
                            double beside, sat_Surface *nearest) {
  const sat_ObstacleFacet *facets = facets_of(space, obstacle);
  double best = HUGE_VAL, margin = beside * beside / max2(obstacle->radius, max2(beside, DBL_MIN));
  bool is_beside = false; /* strictly: then no other place of a convex core is as near */
  *nearest = (sat_Surface){.facet = obstacle->facet};
  for (uint32_t i = 0; i < obstacle->count; i++) {
    double along = dot(perp(facets[i].normal), p);
    double out = outside_of(&facets[i], p) + obstacle->radius;
    if (along < facets[i].low - beside || along > facets[i].high + beside || out < 0 || out >= best)
      continue;
    best = out;
    is_beside = along > facets[i].low && along < facets[i].high && out > 0;
    *nearest = (sat_Surface){.facet = obstacle->facet + i, .normal = facets[i].normal};
    if (is_beside) break;
  }
  for (uint32_t i = 0; !is_beside && i < corner_count(obstacle); i++) {
    sat_Vec2 arm = sub(p, facets[i].corner);
    double distance = length(arm);
    if (!(distance < best - margin) || distance == 0) continue;
    best = distance;
    *nearest = (sat_Surface){
        .facet = obstacle->facet + i, .corner = true, .normal = mul(arm, 1 / distance)};
  }
  nearest->obstacle = (uint32_t)(obstacle - space->obstacles.at);
  nearest->outside = best - obstacle->radius;
  nearest->back = nearest->ahead = HUGE_VAL;
  return best < HUGE_VAL;
}

/* How far a place is outside of the core's farthest line. */
static double outside_of_core(const sat_Space *space, const sat_Obstacle *obstacle, sat_Vec2 p) {
  double most = -HUGE_VAL;
  for (uint32_t i = 0; i < obstacle->count; i++)
    most = max2(most, outside_of(&facets_of(space, obstacle)[i], p) + obstacle->radius);
  return most;
}

static bool has_radius(const sat_Obstacle *obstacle) {
  return obstacle->radius > 0 || obstacle->count == 0;
}

double sat_obstacle_depth(const sat_Space *space, const sat_Obstacle *obstacle, sat_Vec2 p) {
  sat_Surface nearest;
  double most = -HUGE_VAL;
  if (has_radius(obstacle)) {
    double outside = outside_of_core(space, obstacle, p);
    if (outside >= obstacle->bar_radius || (obstacle->count > 2 && outside <= 0))
      return obstacle->bar_radius - outside;
    if (!nearest_of_core(space, obstacle, p, 0, &nearest)) return obstacle->bar_radius;
    return obstacle->bar_radius - (nearest.outside + obstacle->radius);
  }
  for (uint32_t i = 0; i < obstacle->count; i++) {
    const sat_ObstacleFacet *f = &facets_of(space, obstacle)[i];
    most = max2(most, dot(f->normal, p) - f->bar);
  }
  return -most;
}

/* Whether a motion from a place that is inside of an obstacle by rounding leads along or out of one
 * of the nearest surfaces; of the two sides of a flat obstacle only what leads along both is
 * free. */
static bool leads_outward(const sat_Space *space, const sat_Obstacle *obstacle, sat_Vec2 p,
                          sat_Vec2 motion) {
  double least = -SAT_LEADS * length(motion), near, depth = sat_obstacle_depth(space, obstacle, p);
  const sat_ObstacleFacet *facets = facets_of(space, obstacle);
  sat_Surface nearest = {.normal = {0, 0}};
  bool round = has_radius(obstacle);
  if (round && !(obstacle->count > 2 && outside_of_core(space, obstacle, p) <= 0))
    return nearest_of_core(space, obstacle, p, 0, &nearest) && dot(nearest.normal, motion) >= least;
  near = round ? depth : depth + SAT_ROUNDING_OF_SUMS * space->rounding;
  bool free = false, stopped = false;
  for (uint32_t i = 0; i < obstacle->count; i++) {
    double line = round ? facets[i].line - obstacle->radius + obstacle->bar_radius : facets[i].bar;
    if (dot(facets[i].normal, p) - line < -near) continue;
    bool leads = dot(facets[i].normal, motion) >= least;
    free = free || leads;
    stopped = stopped || !leads;
  }
  return free && !(stopped && obstacle->count == 2);
}

bool sat_obstacle_lets_pass(const sat_Obstacle *obstacle, sat_Vec2 motion) {
  if (obstacle->passed) return true;
  return obstacle->has_side && dot(motion, obstacle->open) >= -SAT_LEADS * length(motion);
}

bool sat_surface_is_open(const sat_Space *space, const sat_Surface *surface) {
  const sat_Obstacle *obstacle = sat_obstacle_of(space, surface);
  return !obstacle->has_side || dot(surface->normal, obstacle->open) > SAT_LEAST_FACING;
}

/* A corner of a round obstacle beside the end of a flat that is as good as tangential there is that
 * flat: a circle on a lip of rounding would take off along the lip's tangent. */
static void take_for_flat(const sat_Space *space, sat_Vec2 p, sat_Surface *surface) {
  const sat_Obstacle *obstacle = sat_obstacle_of(space, surface);
  const sat_ObstacleFacet *facets = facets_of(space, obstacle);
  sat_Vec2 corner = space->facets.at[surface->facet].corner;
  double r = space->rounding;
  for (uint32_t i = 0; surface->corner && i < obstacle->count; i++) {
    const sat_ObstacleFacet *f = &facets[i];
    double sine = cross(surface->normal, f->normal), along = dot(perp(f->normal), corner);
    if (dot(surface->normal, f->normal) <= 0 || sine * sine * obstacle->radius > 2 * SAT_ACTIVE * r)
      continue;
    if (fabs(along - f->low) > r && fabs(along - f->high) > r) continue;
    surface->corner = false;
    surface->facet = obstacle->facet + i;
    surface->normal = f->normal;
    surface->outside = outside_of(f, p);
  }
}

/* The nearer one of the two sides of a thin obstacle counts. */
static void drop_far_sides(const sat_Space *space, sat_Surfaces *found, size_t first) {
  for (size_t i = first; i < found->count; i++) {
    for (size_t k = first; k < found->count; k++) {
      const sat_Surface *one = &found->at[i], *other = &found->at[k];
      if (dot(one->normal, other->normal) >= SAT_SAME_NORMAL - 1 ||
          one->outside >= other->outside - SAT_ROUNDING_OF_SUMS * space->rounding)
        continue;
      found->at[i--] = found->at[--found->count];
      break;
    }
  }
}

void sat_obstacle_surfaces(sat_Space *space, uint32_t index, sat_Vec2 p, double distance,
                           sat_Surfaces *found) {
  const sat_Obstacle *obstacle = &space->obstacles.at[index];
  const sat_ObstacleFacet *facets = facets_of(space, obstacle);
  if (!reserve_surfaces(space, found, (size_t)obstacle->count + 1)) return;
  size_t first = found->count;
  sat_Surface nearest;
  if (has_radius(obstacle)) {
    if (!nearest_of_core(space, obstacle, p, distance, &nearest)) return;
    if (nearest.corner) take_for_flat(space, p, &nearest);
    if (fabs(nearest.outside) <= distance) found->at[found->count++] = nearest;
    return;
  }
  for (uint32_t i = 0; i < obstacle->count; i++) {
    const sat_ObstacleFacet *f = &facets[i];
    double outside = outside_of(f, p);
    if (outside > distance) {
      found->count = first;
      return;
    }
    if (outside < -distance) continue;
    double along = dot(perp(f->normal), p);
    if (along < f->low - distance || along > f->high + distance) continue;
    found->at[found->count++] = (sat_Surface){.obstacle = index,
                                              .facet = obstacle->facet + i,
                                              .normal = f->normal,
                                              .outside = outside,
                                              .back = along - f->low,
                                              .ahead = f->high - along};
  }
  if (found->count - first > 1) drop_far_sides(space, found, first);
}

void sat_space_surfaces(sat_Space *space, sat_Vec2 place, double distance, sat_Surfaces *found) {
  sat_Vec2 out = vec2(distance, distance);
  sat_Box near = {sub(place, out), add(place, out)};
  for (uint32_t i = 0; next_near(space, &near, &i); i++)
    if (!space->obstacles.at[i].passed) sat_obstacle_surfaces(space, i, place, distance, found);
}

/* ---------------------------------------------------------------- real surfaces */

/* Whether an obstacle bars a way: at the fraction at which it is entered, 0 from inside. One that
 * is open on a side bars nothing from inside, but for rounding. */
static bool bars_way(const sat_Space *space, const sat_Obstacle *obstacle, sat_Vec2 from,
                     sat_Vec2 motion, double *t) {
  double contact = SAT_CONTACT * space->rounding;
  sat_Chord chord;
  if (sat_obstacle_lets_pass(obstacle, motion) ||
      !sat_obstacle_chord(space, obstacle, from, motion, &chord) || chord.leave <= 0 ||
      chord.enter > 1)
    return false;
  *t = max2(chord.enter, 0);
  if (chord.enter >= 0) return true;
  bool is_inside = obstacle->has_side && sat_obstacle_depth(space, obstacle, from) > contact;
  return !is_inside && !leads_outward(space, obstacle, from, motion);
}

/* Whether an obstacle bars a way, whose box is given, before its end. */
static bool stops_way(const sat_Space *space, uint32_t index, const sat_Box *near, sat_Vec2 from,
                      sat_Vec2 motion) {
  const sat_Obstacle *obstacle = &space->obstacles.at[index];
  double t;
  return boxes_meet(&obstacle->box, near, 0) && bars_way(space, obstacle, from, motion, &t) &&
         t < 1;
}

/* Whether any obstacle but one bars a way before its end. What was left out when the way was found
 * free is all that may stop it: a shape on n tiles asks n times, not n * n times. */
static bool is_stopped(sat_Space *space, sat_Vec2 from, sat_Vec2 motion, uint32_t but) {
  sat_Box near = box_of_way(from, motion);
  sat_FreeWay *free = &space->free;
  if (free->is_known && equal_points(from, free->from) && equal_points(motion, free->motion))
    return free->but != but && stops_way(space, free->but, &near, from, motion);
  for (uint32_t i = 0; next_near(space, &near, &i); i++)
    if (i != but && stops_way(space, i, &near, from, motion)) return true;
  *free = (sat_FreeWay){from, motion, but, true};
  return false;
}

/* The answer of sat_surface_is_real, for as long as no obstacle is added or passed. */
static bool is_real(sat_Space *space, const sat_Surface *surface, sat_Vec2 place) {
  const sat_ObstacleFacet *f = &space->facets.at[surface->facet];
  const sat_Obstacle *obstacle = sat_obstacle_of(space, surface);
  double stop = surface->corner ? obstacle->stop_radius - obstacle->radius : f->stop - f->line;
  double r = space->rounding, up = max2(stop - surface->outside, 0);
  sat_Vec2 raised = add(place, mul(surface->normal, up));
  if (up > 4 * r && is_stopped(space, place, sub(raised, place), surface->obstacle))
    return false; /* the surface is on the other side of something thin */
  double whole = surface->corner ? HUGE_VAL : f->high - f->low;
  double least = (whole > 4.0 * SAT_GOES_ON * r ? SAT_GOES_ON : SAT_ACTIVE) * r;
  /* Off a thin one the way leads outward a little: along a seam it leads into the other side. */
  sat_Vec2 along = perp(surface->normal), off = mul(surface->normal, stop);
  for (int side = 0; side < 2; side++) {
    double goes_on = side ? surface->ahead : surface->back;
    double way = min2(4 * SAT_ACTIVE * r, goes_on);
    if (goes_on > least &&
        !is_stopped(space, raised, add(off, mul(along, side ? way : -way)), surface->obstacle))
      return true;
  }
  return false;
}

bool sat_surface_is_real(sat_Space *space, const sat_Surface *surface, sat_Vec2 place) {
  space->free.is_known = false;
  return is_real(space, surface, place);
}

/* How far a place is inside of where a surface puts the shape, and the normal there. */
static double gap_of(const sat_Space *space, const sat_Surface *s, sat_Vec2 p, sat_Vec2 *normal) {
  const sat_ObstacleFacet *f = &space->facets.at[s->facet];
  *normal = s->normal;
  if (!s->corner) return f->stop - dot(f->normal, p);
  sat_Vec2 arm = sub(p, f->corner);
  double distance = length(arm);
  if (distance == 0) return 0;
  *normal = mul(arm, 1 / distance);
  return sat_obstacle_of(space, s)->stop_radius - distance;
}

/* The surface that a place is deepest in, but for one; any that it is deeper in than `limit`. */
static double deepest_gap(const sat_Space *space, const sat_Surfaces *surfaces, size_t but,
                          sat_Vec2 p, double limit, sat_Vec2 *normal) {
  double most = 0;
  for (size_t i = 0; i < surfaces->count && most <= limit; i++) {
    sat_Vec2 own;
    double inside = gap_of(space, &surfaces->at[i], p, &own);
    if (i == but || inside <= most) continue;
    most = inside;
    *normal = own;
  }
  return most;
}

/* The way out of one surface may lead into another one, which is then left along the first: in a
 * narrow wedge turns of the two would halve the rest. */
sat_Vec2 sat_surfaces_leave(const sat_Space *space, const sat_Surfaces *surfaces, sat_Vec2 p) {
  double most = HUGE_VAL, active = SAT_ACTIVE * space->rounding;
  for (int round = 0; round < MOST_SETTLING && most > space->rounding * SAT_ROUNDING_OF_SUMS;
       round++) {
    most = 0;
    for (size_t i = 0; i < surfaces->count; i++) {
      sat_Vec2 normal, other = {0, 0};
      double inside = gap_of(space, &surfaces->at[i], p, &normal);
      if (!(inside > 0)) continue;
      p = add(p, mul(normal, inside));
      most = max2(most, inside);
      double rest = deepest_gap(space, surfaces, i, p, active, &other), sine = cross(normal, other);
      if (rest > 0 && rest <= active && fabs(sine) * active >= rest)
        p = add(p, mul(perp(normal), rest / sine));
    }
  }
  return p;
}

/* ---------------------------------------------------------------- a straight way */

static bool is_entry_later(const sat_WayEntry *p, const sat_WayEntry *q) {
  return p->t != q->t ? p->t > q->t : p->obstacle > q->obstacle;
}

SAT_DEFINE_SORT(sat_WayEntry, entries, is_entry_later)

sat_Status sat_way_begin(sat_Space *space, sat_Way *way, sat_Vec2 from, sat_Vec2 motion,
                         double begin, double end) {
  sat_Box near = box_of_way(from, motion);
  way->from = from;
  way->motion = motion;
  way->end = end;
  way->entries.count = 0;
  for (uint32_t i = 0; next_near(space, &near, &i); i++) {
    double t;
    if (!bars_way(space, &space->obstacles.at[i], from, motion, &t)) continue;
    if (t < begin || t > end) continue;
    if (SAT_LIST_ADD(&way->entries, (sat_WayEntry){t, i})) return SAT_ENOMEM;
  }
  if (way->entries.count > 1) entries_sort(way->entries.at, way->entries.count);
  return SAT_OK;
}

/* Gives a round corner the normal where the shape touches it: where the way is barred, r farther
 * on, it is turned by r / R. */
static void turn_to_touch(const sat_Space *space, const sat_Way *way, sat_Surface *surface) {
  double t = sat_surface_time(space, surface, way->from, way->motion, way->t, 0);
  sat_Vec2 place = add(way->from, mul(way->motion, t));
  sat_Vec2 arm = sub(place, space->facets.at[surface->facet].corner);
  double distance = length(arm);
  if (distance > 0) surface->normal = mul(arm, 1 / distance);
}

/* Whether a surface that is near a place of a way is there for it. */
static bool is_on_way(sat_Space *space, const sat_Way *way, const sat_Surface *surface,
                      sat_Vec2 place) {
  return sat_surface_is_open(space, surface) &&
         !sat_obstacle_lets_pass(sat_obstacle_of(space, surface), way->motion) &&
         is_real(space, surface, place);
}

bool sat_surfaces_are_equal(const sat_Space *space, const sat_Surface *one,
                            const sat_Surface *other) {
  const sat_Obstacle *p = sat_obstacle_of(space, one), *q = sat_obstacle_of(space, other);
  return p->key == q->key && p->passed == q->passed && equal_points(p->open, q->open) &&
         one->facet - p->facet == other->facet - q->facet && one->corner == other->corner &&
         equal_points(one->normal, other->normal) && one->outside == other->outside &&
         one->back == other->back && one->ahead == other->ahead;
}

/* Lists the real surfaces near a place of a way that bar the rest of it. False: there is no real
 * surface at all. */
static bool find_bars(sat_Space *space, sat_Way *way, sat_Vec2 place, double distance) {
  double most = -max2(SAT_LEADS * length(way->motion), SAT_ROUNDING_OF_SUMS * space->rounding);
  bool any = false;
  way->bars.count = space->near.count = 0;
  space->free.is_known = false;
  sat_space_surfaces(space, place, distance, &space->near);
  if (!reserve_surfaces(space, &way->bars, space->near.count + 1)) return true;
  const sat_Surface *last = NULL; /* that was asked about: of shapes in one place one is asked */
  bool was_real = false;
  for (size_t i = 0; i < space->near.count; i++) {
    const sat_Surface *surface = &space->near.at[i];
    if (dot(surface->normal, way->motion) * (1 - way->t) >= most) continue;
    if (!last || !sat_surfaces_are_equal(space, last, surface))
      was_real = is_on_way(space, way, surface, place);
    last = surface;
    if (!was_real) continue;
    sat_Surface *bar = &way->bars.at[way->bars.count++];
    *bar = *surface;
    if (bar->corner) turn_to_touch(space, way, bar);
  }
  for (size_t i = 0; i < space->near.count && way->bars.count == 0 && !any; i++) {
    const sat_Surface *surface = &space->near.at[i];
    any = dot(surface->normal, way->motion) * (1 - way->t) >= most &&
          is_on_way(space, way, surface, place);
  }
  return any || way->bars.count > 0;
}

/* The insets of two obstacles leave a notch, deeper than rounding, in a corner of the union whose
 * sides belong to one of them each. In a notch a place is behind either side; from where all sides
 * put the shape they are seen. */
static bool leave_notch(const sat_Space *space, sat_Surfaces *near, sat_Vec2 motion, double least,
                        sat_Vec2 *place) {
  bool is_in_notch = false;
  for (size_t i = 0; i < near->count && !is_in_notch; i++)
    is_in_notch = near->at[i].outside < least && dot(near->at[i].normal, motion) < 0;
  if (!is_in_notch) return false;
  size_t kept = 0;
  for (size_t i = 0; i < near->count; i++)
    if (dot(near->at[i].normal, motion) < 0) near->at[kept++] = near->at[i];
  near->count = kept;
  *place = sat_surfaces_leave(space, near, *place);
  return true;
}

/* Whether a way that enters an obstacle leads deep into it, or ends in it farther in than it came:
 * behind a surface that it leads into. */
static bool leads_deep(const sat_Space *space, const sat_Obstacle *obstacle, const sat_Way *way) {
  sat_Chord chord;
  if (!sat_obstacle_chord(space, obstacle, way->from, way->motion, &chord)) return false;
  double middle = (max2(chord.enter, 0) + min2(chord.leave, 1)) / 2;
  sat_Vec2 place = add(way->from, mul(way->motion, middle)), end = add(way->from, way->motion);
  return sat_obstacle_depth(space, obstacle, place) > 2 * SAT_ACTIVE * space->rounding ||
         (chord.leave > 1 && !leads_outward(space, obstacle, end, way->motion));
}

/* Lists the real surfaces that bar the way where it enters obstacles. False: there is no real
 * surface at all. */
static bool find_bars_of_entry(sat_Space *space, sat_Way *way) {
  double active = SAT_ACTIVE * space->rounding;
  sat_Vec2 place = add(way->from, mul(way->motion, way->t)), seen_from = place;
  bool any = find_bars(space, way, place, active);
  if (leave_notch(space, &space->near, way->motion, -4 * space->rounding, &seen_from))
    any = find_bars(space, way, seen_from, active);
  return any || find_bars(space, way, place, SAT_ACTIVE * active); /* a needle's tip */
}

/* Whether the way ends where it enters an obstacle, and no surface goes on: at the end of a gap
 * that is as wide as the shape. */
static bool ends_in_gap(sat_Space *space, sat_Way *way, uint32_t index) {
  const sat_Obstacle *obstacle = &space->obstacles.at[index];
  if (obstacle->has_side || !leads_deep(space, obstacle, way)) return false;
  sat_Vec2 place = add(way->from, mul(way->motion, way->t));
  space->near.count = 0;
  sat_obstacle_surfaces(space, index, place, SAT_ACTIVE * space->rounding, &space->near);
  const sat_Surface *end = sat_most_head_on(&space->near, way->motion);
  if (end && dot(end->normal, way->motion) < 0) {
    way->bars.at[way->bars.count] = *end;
    way->bars.at[way->bars.count++].is_gap_end = true;
  }
  return true;
}

/* Places that are within rounding of each other are one: what is there is asked once, but for an
 * obstacle that is open on a side, which a hit alone keeps from being passed. */
sat_Status sat_way_find_hit(sat_Space *space, sat_Way *way) {
  double asked = -HUGE_VAL, size = length(way->motion);
  bool any = false;
  way->bars.count = 0;
  for (size_t i = 0; !space->status && i < way->entries.count; i++) {
    uint32_t index = way->entries.at[i].obstacle;
    sat_Obstacle *obstacle = &space->obstacles.at[index];
    if (obstacle->passed) continue;
    way->t = way->entries.at[i].t;
    if (!((way->t - asked) * size <= (obstacle->has_side ? 0 : space->rounding))) {
      any = find_bars_of_entry(space, way);
      asked = way->t;
    }
    if (way->bars.count > 0 || space->status) return space->status;
    if (!any && obstacle->has_side) {
      obstacle->passed = true;
      asked = -HUGE_VAL;
    }
    if (ends_in_gap(space, way, index)) return space->status;
  }
  way->t = 1;
  return space->status;
}

/* How far a motion leads into the most head-on of the bars; 0: there is none. */
static double lead_into_bars(const sat_Way *way) {
  const sat_Surface *most = sat_most_head_on(&way->bars, way->motion);
  return most ? -dot(most->normal, way->motion) : 0;
}

const sat_Surface *sat_space_surface_met(sat_Space *space, sat_Way *way, sat_Vec2 place,
                                         sat_Vec2 motion) {
  double active = SAT_ACTIVE * space->rounding, lead = 0;
  sat_Vec2 outside = place;
  way->from = place;
  way->motion = motion;
  way->t = 0;
  space->near.count = 0;
  sat_space_surfaces(space, place, active, &space->near);
  /* A place in the corner of two lines is within their width, as it is in a notch. Where solids
   * meet, the way out of one may lead into another one, which hides surfaces. */
  if (leave_notch(space, &space->near, motion, space->rounding, &outside)) {
    find_bars(space, way, outside, active);
    lead = lead_into_bars(way);
  }
  bool any = find_bars(space, way, place, active);
  if (lead > lead_into_bars(way)) any = find_bars(space, way, outside, active);
  if (!any) find_bars(space, way, place, SAT_ACTIVE * active);
  return sat_most_head_on(&way->bars, motion);
}

/* Whether a motion that goes on by a few roundings would enter an obstacle, by a surface that is at
 * its end. */
static bool is_touched(const sat_Space *space, const sat_Surface *surface, sat_Vec2 motion) {
  double r = space->rounding, into = -dot(surface->normal, motion);
  sat_Chord chord;
  sat_Vec2 longer = mul(motion, 1 + 4 * r / into);
  const sat_Obstacle *obstacle = sat_obstacle_of(space, surface);
  return into > r && surface->outside <= SAT_ROUNDING_OF_SUMS * r &&
         sat_obstacle_chord(space, obstacle, vec2(0, 0), longer, &chord) && chord.enter >= 0 &&
         chord.enter <= 1;
}

const sat_Surface *sat_space_surface_touched(sat_Space *space, sat_Way *way, sat_Vec2 motion) {
  sat_Surfaces *touched = &way->bars;
  way->motion = motion;
  touched->count = 0;
  space->free.is_known = false;
  sat_space_surfaces(space, motion, space->rounding, touched);
  for (size_t i = touched->count; i-- > 0;)
    if (!is_touched(space, &touched->at[i], motion) ||
        !is_on_way(space, way, &touched->at[i], motion))
      touched->at[i] = touched->at[--touched->count];
  return sat_most_head_on(touched, motion);
}

/* ---------------------------------------------------------------- seams */

/* The part of a motion during which the shape runs along a facet, within rounding. */
static bool find_part_along(const sat_Space *space, const sat_Obstacle *obstacle, uint32_t facet,
                            sat_Vec2 motion, sat_Surface *along) {
  const sat_ObstacleFacet *facets = facets_of(space, obstacle), *f = &facets[facet];
  sat_Vec2 out = mul(f->normal, obstacle->radius), from = add(f->corner, out),
           to = add(facets[facet + 1 < obstacle->count ? facet + 1 : 0].corner, out);
  double size = dot(motion, motion), hair = 2 * space->rounding * sqrt(size);
  if (fabs(cross(motion, from)) > hair || fabs(cross(motion, to)) > hair) return false;
  double begin = min2(dot(motion, from), dot(motion, to)) / size, least = hair / 2 / size;
  *along = (sat_Surface){.obstacle = (uint32_t)(obstacle - space->obstacles.at),
                         .normal = f->normal,
                         .outside = HUGE_VAL,
                         .back = begin <= least ? 0 : begin,
                         .ahead = max2(dot(motion, from), dot(motion, to)) / size};
  return along->ahead > least && along->ahead - along->back > least && along->back <= 1;
}

static sat_Convex piece_of(const sat_Shape *shape, uint32_t index, double *radius) {
  sat_Piece single;
  sat_PieceView view;
  sat_view_pieces(shape, &single, &view);
  *radius = sat_piece_radius(&view, &view.pieces[index]);
  return sat_piece_convex(&view, &view.pieces[index]);
}

/* Whether a piece without width is between two facets that it runs along, one at each hand. Its
 * front end is what runs along a piece with an inside: two of these that meet at a corner make no
 * seam, and two lines that meet at their ends do. */
static bool is_between(const sat_Space *space, const sat_Surface *one, const sat_Surface *other,
                       const sat_Shape *const shapes[2], sat_Vec2 motion) {
  const sat_Obstacle *p = sat_obstacle_of(space, one), *q = sat_obstacle_of(space, other);
  double size = dot(motion, motion), begin = max2(one->back, other->back);
  if ((cross(motion, one->normal) < 0) == (cross(motion, other->normal) < 0)) return false;
  for (int side = 0; side < 2; side++) {
    double radius;
    if (!shapes[side] || p->piece[side] != q->piece[side] || !p->line[side]) continue;
    sat_Convex piece = piece_of(shapes[side], p->piece[side], &radius);
    if (!is_thin_along(&piece, radius, one->normal, space->rounding)) continue;
    double own = fabs(dot(motion, sub(piece.vertex[piece.count - 1], piece.vertex[0]))) / size;
    double end =
        min2(one->ahead - (p->line[!side] ? 0 : own), other->ahead - (q->line[!side] ? 0 : own));
    if (begin <= 1 && begin + 2 * space->rounding / sqrt(size) < end) return true;
  }
  return false;
}

void sat_way_find_gaps(sat_Space *space, sat_Way *way, const sat_Shape *shape,
                       const sat_Shape *solid, sat_Vec2 motion) {
  const sat_Shape *const shapes[2] = {shape, solid};
  sat_Surfaces *found = &space->near;
  way->entries.count = found->count = 0;
  for (size_t i = 0; i < space->obstacles.count; i++) {
    const sat_Obstacle *obstacle = &space->obstacles.at[i];
    bool is_flat = obstacle->count < 3 && obstacle->radius == 0;
    if (is_flat || sat_obstacle_lets_pass(obstacle, motion)) continue;
    if (!reserve_surfaces(space, found, obstacle->count)) return;
    for (uint32_t facet = 0; facet < obstacle->count; facet++)
      found->count += find_part_along(space, obstacle, facet, motion, &found->at[found->count]);
  }
  for (size_t i = 0; i < found->count; i++)
    for (size_t k = 0; k < i; k++) {
      sat_Surface *one = &found->at[i], *other = &found->at[k];
      double begin = max2(one->back, other->back);
      if (!is_between(space, one, other, shapes, motion)) continue;
      one->outside = min2(one->outside, begin);
      other->outside = min2(other->outside, begin);
    }
  if (SAT_LIST_RESERVE(&way->entries, found->count)) space->status = SAT_ENOMEM;
  for (size_t i = 0; !space->status && i < found->count; i++)
    if (found->at[i].outside <= 1)
      way->entries.at[way->entries.count++] =
          (sat_WayEntry){found->at[i].outside, found->at[i].obstacle};
}

/* ---------------------------------------------------------------- at a surface */

double sat_surface_time(const sat_Space *space, const sat_Surface *surface, sat_Vec2 from,
                        sat_Vec2 motion, double limit, double touch) {
  const sat_ObstacleFacet *f = &space->facets.at[surface->facet];
  double into = dot(surface->normal, motion), t = limit;
  if (surface->corner) {
    double radius = sat_obstacle_of(space, surface)->stop_radius, square = dot(motion, motion);
    sat_Vec2 arm = sub(from, f->corner);
    double area = cross(arm, motion), rest = max2(radius * radius - area * area / square, 0);
    t = (-dot(arm, motion) - sqrt(rest * square)) / square;
  } else if (into < 0) {
    t = (f->stop - dot(f->normal, from)) / into;
  }
  return t * -into <= touch ? 0 : clamp(t, 0, limit);
}

sat_Vec2 sat_surface_point(const sat_Space *space, const sat_Surface *surface, sat_Vec2 place,
                           const sat_Shape *shape, const sat_Shape *solid) {
  const sat_ObstacleFacet *f = &space->facets.at[surface->facet];
  double radius, top = -HUGE_VAL, from = HUGE_VAL, to = -HUGE_VAL;
  sat_Convex side = piece_of(solid, sat_obstacle_of(space, surface)->piece[SAT_B], &radius);
  sat_Vec2 offset = sub(side.origin, shape->origin), normal = surface->normal;
  for (uint32_t i = 0; i < side.count; i++) top = max2(top, dot(normal, side.vertex[i]));
  for (uint32_t i = 0; i < side.count; i++) {
    if (dot(normal, side.vertex[i]) < top - space->rounding) continue;
    double along = dot(perp(normal), add(offset, side.vertex[i]));
    from = min2(from, along);
    to = max2(to, along);
  }
  /* The middle of what the solid's side has in common with the shape's, which is as long as D's
   * facet is longer. */
  double shift = dot(perp(normal), place), middle = from;
  if (!surface->corner)
    middle =
        clamp((max2(from, to - f->high + shift) + min2(to, from - f->low + shift)) / 2, from, to);
  return add(mul(perp(normal), middle), mul(normal, dot(normal, offset) + top + radius));
}

/* Whether a place is at the end of a surface, and a motion does not lead onto it. */
static bool is_at_end(const sat_Space *space, const sat_Surface *surface, sat_Vec2 motion) {
  double along = dot(perp(surface->normal), motion);
  return (surface->ahead <= space->rounding && along >= 0) ||
         (surface->back <= space->rounding && along <= 0);
}

const sat_Surface *sat_surface_of_lowest_parts(const sat_Space *space, const sat_Surfaces *surfaces,
                                               const sat_Surface *met, sat_Vec2 motion,
                                               const sat_Shape *shape, const sat_Shape *solid) {
  const sat_Surface *best = met;
  if (!is_composite(shape) && !is_composite(solid)) return met;
  for (size_t i = 0; i < surfaces->count; i++) {
    const sat_Surface *surface = &surfaces->at[i];
    const sat_Obstacle *p = sat_obstacle_of(space, surface), *q = sat_obstacle_of(space, best);
    if (p->solid != q->solid) continue;
    sat_Parts parts = sat_parts_of(p, shape, solid), lowest = sat_parts_of(q, shape, solid);
    bool at_end = is_at_end(space, surface, motion), was_at_end = is_at_end(space, best, motion);
    if ((parts.a == lowest.a && parts.b == lowest.b) ||
        (at_end == was_at_end ? !sat_parts_precede(parts, lowest) : at_end) ||
        !sat_surfaces_agree(surface, met))
      continue;
    best = surface;
  }
  return best;
}

static bool has_corner_at(const sat_Convex *piece, sat_Vec2 place, double distance) {
  for (uint32_t i = 0; i < piece->count; i++) {
    sat_Vec2 arm = sub(place, add(piece->origin, piece->vertex[i]));
    if (fabs(arm.x) + fabs(arm.y) <= distance) return true;
  }
  return false;
}

bool sat_is_corner_hit(const sat_Pair *pair, const sat_Motion *motion, const sat_Hit *hit) {
  double distance = SAT_ACTIVE * motion->rounding;
  return pair->radius == 0 && has_corner_at(&pair->of[SAT_B], hit->point, distance) &&
         has_corner_at(&pair->of[SAT_A], sub(hit->point, mul(motion->vector, hit->t)), distance);
}

const sat_Surface *sat_most_head_on(const sat_Surfaces *surfaces, sat_Vec2 motion) {
  const sat_Surface *best = surfaces->count > 0 ? surfaces->at : NULL;
  double margin = SAT_TIE_RELATIVE * length(motion);
  for (size_t i = 1; i < surfaces->count; i++) {
    const sat_Surface *s = &surfaces->at[i];
    double gain = dot(best->normal, motion) - dot(s->normal, motion);
    if (gain < -margin) continue;
    if (gain <= margin) {
      double upright = fabs(s->normal.y) - fabs(best->normal.y);
      double turn = cross(best->normal, motion) - cross(s->normal, motion);
      if (upright < -SAT_TIE_RELATIVE || (upright <= SAT_TIE_RELATIVE && !(turn < -margin)))
        continue;
    }
    best = s;
  }
  return best;
}
