/* peer_plain.c: what a game would write for just one question about one pair of kinds: doubles, no
 * care for what lies within rounding, no other shape. Closed forms for circles, capsules and upright
 * boxes; normals, kept beside the vertices, for polygons. */
#include "pairs.h"

enum { MOST = 8 };

/* A box, or the core of a circle or capsule, from low to high. */
typedef struct Flat {
  sat_Vec2 low, high;
  double radius;
} Flat;

/* Normals point outward and are of unit length. */
typedef struct Ring {
  size_t count;
  double radius;
  sat_Vec2 vertex[MOST], normal[MOST];
} Ring;

typedef struct Answer {
  sat_Vec2 normal, points[2];
  double value;
} Answer;

typedef struct State {
  size_t count;
  struct {
    Flat a, b;
  } * flat;
  struct {
    Ring a, b;
  } * ring;
  sat_Vec2 *from, *motion;
  Answer *answers;
} State;

static inline sat_Vec2 scale(sat_Vec2 a, double by) { return (sat_Vec2){a.x * by, a.y * by}; }
static inline sat_Vec2 along(sat_Vec2 a, sat_Vec2 way, double t) {
  return (sat_Vec2){a.x + way.x * t, a.y + way.y * t};
}
static inline double least(double a, double b) { return a < b ? a : b; }
static inline double most(double a, double b) { return a > b ? a : b; }
static inline double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

/* ---------------------------------------------------------------- circles, capsules, boxes */

/* Two circles at these centres. */
static inline bool discs(sat_Vec2 a, sat_Vec2 b, double radii, Answer *answer) {
  sat_Vec2 between = sub(a, b);
  double square = dot(between, between);
  if (square > radii * radii) return false;
  double distance = sqrt(square);
  answer->normal = distance > 0 ? scale(between, 1 / distance) : (sat_Vec2){0, -1};
  answer->value = radii - distance;
  return true;
}

static inline bool circles(const Flat *a, const Flat *b, Answer *answer) {
  return discs(a->low, b->low, a->radius + b->radius, answer);
}

static inline bool circle_contacts(const Flat *a, const Flat *b, Answer *answer) {
  if (!circles(a, b, answer)) return false;
  answer->points[0] = along(b->low, answer->normal, b->radius);
  return true;
}

static inline bool circles_meet(const Flat *a, const Flat *b) {
  double radii = a->radius + b->radius;
  return dot(sub(a->low, b->low), sub(a->low, b->low)) <= radii * radii;
}

static inline sat_Vec2 nearest_on(sat_Vec2 from, sat_Vec2 to, sat_Vec2 point) {
  sat_Vec2 edge = sub(to, from);
  return along(from, edge, clamp(dot(sub(point, from), edge) / dot(edge, edge), 0, 1));
}

static inline bool capsule_circle(const Flat *a, const Flat *b, Answer *answer) {
  return discs(nearest_on(a->low, a->high, b->low), b->low, a->radius + b->radius, answer);
}

/* Ericson, Real-time collision detection, 2005, section 5.1.9. Crossing capsules are no deeper than
 * their radii. */
static inline bool capsules(const Flat *a, const Flat *b, Answer *answer) {
  sat_Vec2 u = sub(a->high, a->low), v = sub(b->high, b->low), r = sub(a->low, b->low);
  double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), ur = dot(u, r), vr = dot(v, r);
  double all = uu * vv - uv * uv, s = all != 0 ? clamp((uv * vr - ur * vv) / all, 0, 1) : 0;
  double t = (uv * s + vr) / vv;
  if (t < 0) t = 0, s = clamp(-ur / uu, 0, 1);
  else if (t > 1) t = 1, s = clamp((uv - ur) / uu, 0, 1);
  return discs(along(a->low, u, s), along(b->low, v, t), a->radius + b->radius, answer);
}

static inline bool boxes_meet(const Flat *a, const Flat *b) {
  return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
         b->low.y <= a->high.y;
}

static inline bool boxes(const Flat *a, const Flat *b, Answer *answer) {
  double left = a->high.x - b->low.x, right = b->high.x - a->low.x, up = a->high.y - b->low.y,
         down = b->high.y - a->low.y;
  if (left < 0 || right < 0 || up < 0 || down < 0) return false;
  double x = left < right ? left : right, y = up < down ? up : down;
  answer->value = x < y ? x : y;
  answer->normal = x < y ? (sat_Vec2){left < right ? -1 : 1, 0} : (sat_Vec2){0, up < down ? -1 : 1};
  return true;
}

static inline bool box_contacts(const Flat *a, const Flat *b, Answer *answer) {
  if (!boxes(a, b, answer)) return false;
  sat_Vec2 low = {most(a->low.x, b->low.x), most(a->low.y, b->low.y)},
           high = {least(a->high.x, b->high.x), least(a->high.y, b->high.y)};
  answer->points[0] = low;
  answer->points[1] = answer->normal.x != 0 ? (sat_Vec2){low.x, high.y} : (sat_Vec2){high.x, low.y};
  return true;
}

static inline sat_Vec2 nearest_in(const Flat *box, sat_Vec2 p) {
  return (sat_Vec2){clamp(p.x, box->low.x, box->high.x), clamp(p.y, box->low.y, box->high.y)};
}

static inline bool box_circle_meets(const Flat *a, const Flat *b) {
  sat_Vec2 between = sub(nearest_in(a, b->low), b->low);
  return dot(between, between) <= b->radius * b->radius;
}

static inline bool box_circle(const Flat *a, const Flat *b, Answer *answer) {
  sat_Vec2 nearest = nearest_in(a, b->low), between = sub(nearest, b->low);
  double square = dot(between, between);
  if (square > b->radius * b->radius) return false;
  if (square > 0) return discs(nearest, b->low, b->radius, answer);
  boxes(a, &(Flat){b->low, b->low, 0}, answer);
  answer->value += b->radius;
  return true;
}

static inline bool distance_circles(const Flat *a, const Flat *b, Answer *answer) {
  sat_Vec2 way = sub(b->low, a->low);
  double length = sqrt(dot(way, way));
  answer->points[0] = along(a->low, way, a->radius / length);
  answer->points[1] = along(b->low, way, -b->radius / length);
  answer->value = most(length - a->radius - b->radius, 0);
  return true;
}

static inline void keep_nearest(sat_Vec2 p, sat_Vec2 q, double *square, sat_Vec2 closest[2]) {
  sat_Vec2 way = sub(q, p);
  if (dot(way, way) >= *square) return;
  *square = dot(way, way);
  closest[0] = p;
  closest[1] = q;
}

static inline bool distance_capsules(const Flat *a, const Flat *b, Answer *answer) {
  double square = HUGE_VAL;
  sat_Vec2 ends_a[2] = {a->low, a->high}, ends_b[2] = {b->low, b->high}, p[2] = {a->low, b->low};
  for (size_t i = 0; i < 2; i++) {
    keep_nearest(ends_a[i], nearest_on(b->low, b->high, ends_a[i]), &square, p);
    keep_nearest(nearest_on(a->low, a->high, ends_b[i]), ends_b[i], &square, p);
  }
  double length = sqrt(square);
  sat_Vec2 way = sub(p[1], p[0]);
  answer->points[0] = along(p[0], way, a->radius / length);
  answer->points[1] = along(p[1], way, -b->radius / length);
  answer->value = most(length - a->radius - b->radius, 0);
  return true;
}

static inline bool distance_boxes(const Flat *a, const Flat *b, Answer *answer) {
  sat_Vec2 p = nearest_in(a, b->low), q = nearest_in(b, p), way = sub(q, p);
  answer->points[0] = p;
  answer->points[1] = q;
  answer->value = sqrt(dot(way, way));
  return true;
}

static inline bool distance_box_circle(const Flat *a, const Flat *b, Answer *answer) {
  sat_Vec2 p = nearest_in(a, b->low), way = sub(p, b->low);
  double length = sqrt(dot(way, way));
  answer->points[0] = p;
  answer->points[1] = along(b->low, way, b->radius / length);
  answer->value = most(length - b->radius, 0);
  return true;
}

/* ---------------------------------------------------------------- rays and casts of these */

static inline bool ray_at_disc(sat_Vec2 center, double radius, sat_Vec2 from, sat_Vec2 motion,
                               Answer *hit) {
  sat_Vec2 out = sub(from, center);
  double a = dot(motion, motion), b = dot(out, motion), c = dot(out, out) - radius * radius;
  double root = b * b - a * c;
  if (c < 0 || b >= 0 || root < 0) return false;
  hit->value = (-b - sqrt(root)) / a;
  if (hit->value > 1) return false;
  hit->points[0] = along(from, motion, hit->value);
  hit->normal = scale(sub(hit->points[0], center), 1 / radius);
  return true;
}

static inline bool ray_circle(const Flat *b, sat_Vec2 from, sat_Vec2 motion, Answer *hit) {
  return ray_at_disc(b->low, b->radius, from, motion, hit);
}

static inline bool keep_hit(Answer *hit, double t, sat_Vec2 from, sat_Vec2 motion,
                            sat_Vec2 normal) {
  hit->value = t;
  hit->normal = normal;
  hit->points[0] = along(from, motion, t);
  return true;
}

static inline bool ray_capsule(const Ring *b, sat_Vec2 from, sat_Vec2 motion, Answer *hit) {
  sat_Vec2 axis = sub(b->vertex[1], b->vertex[0]), out = sub(from, b->vertex[0]);
  double side = dot(b->normal[0], out), closing = dot(b->normal[0], motion);
  double sign = side > 0 ? 1 : -1, t = (sign * b->radius - side) / closing;
  double size = dot(axis, axis), place = dot(out, axis) + dot(motion, axis) * t;
  if (sign * closing < 0 && sign * side > b->radius && place >= 0 && place <= size)
    return t <= 1 && keep_hit(hit, t, from, motion, scale(b->normal[0], sign));
  bool late = sign * side > b->radius ? place > size : dot(out, axis) > size / 2;
  return ray_at_disc(b->vertex[late], b->radius, from, motion, hit);
}

static inline bool ray_segment(const Ring *b, sat_Vec2 from, sat_Vec2 motion, Answer *hit) {
  sat_Vec2 axis = sub(b->vertex[1], b->vertex[0]), out = sub(b->vertex[0], from);
  double closing = cross(motion, axis), t = cross(out, axis) / closing,
         place = cross(out, motion) / closing;
  if (closing == 0 || t < 0 || t > 1 || place < 0 || place > 1) return false;
  return keep_hit(hit, t, from, motion, scale(b->normal[0], closing < 0 ? 1 : -1));
}

/* The slabs of a box. */
static inline bool ray_at_box(sat_Vec2 min, sat_Vec2 max, sat_Vec2 from, sat_Vec2 motion,
                              Answer *hit) {
  double x = 1 / motion.x, y = 1 / motion.y;
  double x0 = (min.x - from.x) * x, x1 = (max.x - from.x) * x;
  double y0 = (min.y - from.y) * y, y1 = (max.y - from.y) * y;
  double in_x = least(x0, x1), in_y = least(y0, y1);
  double in = most(in_x, in_y), until = least(most(x0, x1), most(y0, y1));
  if (in > until || in < 0 || in > 1) return false;
  return keep_hit(hit, in, from, motion,
                  in_x > in_y ? (sat_Vec2){motion.x > 0 ? -1 : 1, 0}
                              : (sat_Vec2){0, motion.y > 0 ? -1 : 1});
}

static inline bool ray_box(const Flat *b, sat_Vec2 from, sat_Vec2 motion, Answer *hit) {
  return ray_at_box(b->low, b->high, from, motion, hit);
}

static inline bool cast_circles(const Flat *a, sat_Vec2 motion, const Flat *b, Answer *hit) {
  if (!ray_at_disc(b->low, a->radius + b->radius, a->low, motion, hit)) return false;
  hit->points[0] = along(b->low, hit->normal, b->radius);
  return true;
}

/* The sides of B, with those of A added. */
static inline bool cast_boxes(const Flat *a, sat_Vec2 motion, const Flat *b, Answer *hit) {
  sat_Vec2 half = scale(sub(a->high, a->low), 0.5), from = along(a->low, half, 1);
  if (!ray_at_box(sub(b->low, half), along(b->high, half, 1), from, motion, hit)) return false;
  hit->points[0] = nearest_in(b, hit->points[0]);
  return true;
}

/* ---------------------------------------------------------------- polygons */

/* The largest of the distances of B from A's edges, or a positive one, and that edge. */
static inline double apart(const Ring *a, const Ring *b, size_t *edge) {
  double farthest = -HUGE_VAL;
  for (size_t i = 0; i < a->count; i++) {
    sat_Vec2 normal = a->normal[i];
    double nearest = dot(normal, b->vertex[0]);
    for (size_t k = 1; k < b->count; k++) nearest = least(nearest, dot(normal, b->vertex[k]));
    nearest -= dot(normal, a->vertex[i]);
    if (nearest <= farthest) continue;
    farthest = nearest;
    *edge = i;
    if (farthest > 0) break;
  }
  return farthest;
}

static inline bool polygons_meet(const Ring *a, const Ring *b) {
  size_t edge = 0;
  return apart(a, b, &edge) <= 0 && apart(b, a, &edge) <= 0;
}

/* Whether the edge is B's, in `of_b`. */
static inline bool deepest(const Ring *a, const Ring *b, size_t *edge, bool *of_b, Answer *answer) {
  size_t edge_b = 0;
  double by_a = apart(a, b, edge), by_b = by_a > 0 ? 1 : apart(b, a, &edge_b);
  if (by_a > 0 || by_b > 0) return false;
  *of_b = by_b > by_a;
  if (*of_b) *edge = edge_b;
  answer->value = -most(by_a, by_b);
  answer->normal = *of_b ? b->normal[*edge] : scale(a->normal[*edge], -1);
  return true;
}

static inline bool polygons(const Ring *a, const Ring *b, Answer *answer) {
  size_t edge = 0;
  bool of_b;
  return deepest(a, b, &edge, &of_b, answer);
}

/* The edge of the other one that faces this one most, clipped to its ends. */
static inline bool polygon_contacts(const Ring *a, const Ring *b, Answer *answer) {
  size_t edge = 0, facing = 0;
  bool of_b;
  if (!deepest(a, b, &edge, &of_b, answer)) return false;
  const Ring *own = of_b ? b : a, *other = of_b ? a : b;
  sat_Vec2 normal = own->normal[edge], way = {-normal.y, normal.x};
  for (size_t i = 1; i < other->count; i++)
    if (dot(other->normal[i], normal) < dot(other->normal[facing], normal)) facing = i;
  sat_Vec2 p = other->vertex[facing], q = other->vertex[facing + 1 < other->count ? facing + 1 : 0];
  double from = dot(own->vertex[edge], way),
         to = dot(own->vertex[edge + 1 < own->count ? edge + 1 : 0], way);
  double at_p = dot(p, way), at_q = dot(q, way), length = at_q - at_p;
  answer->points[0] = along(p, sub(q, p), clamp((to - at_p) / length, 0, 1));
  answer->points[1] = along(p, sub(q, p), clamp((from - at_p) / length, 0, 1));
  return true;
}

static inline bool ray_polygon(const Ring *b, sat_Vec2 from, sat_Vec2 motion, Answer *hit) {
  double in = 0, until = 1;
  size_t side = b->count;
  for (size_t i = 0; i < b->count; i++) {
    double ahead = dot(b->normal[i], sub(b->vertex[i], from)), speed = dot(b->normal[i], motion);
    if (speed == 0 && ahead < 0) return false;
    if (speed < 0 && ahead < in * speed) in = ahead / speed, side = i;
    else if (speed > 0 && ahead < until * speed) until = ahead / speed;
    if (until < in) return false;
  }
  return side < b->count && keep_hit(hit, in, from, motion, b->normal[side]);
}

typedef struct Clip {
  double in, until;
  sat_Vec2 normal, point;
} Clip;

/* Clips against the half planes of one side's edges; `sign` is 1 for B's. */
static inline bool clip(const Ring *own, const Ring *other, sat_Vec2 motion, double sign,
                        Clip *all) {
  for (size_t i = 0; i < own->count; i++) {
    size_t best = 0;
    double ahead = HUGE_VAL, speed = sign * dot(own->normal[i], motion);
    for (size_t k = 0; k < other->count; k++) {
      double at = dot(own->normal[i], sub(other->vertex[k], own->vertex[i]));
      if (at < ahead) ahead = at, best = k;
    }
    if (speed >= 0 && ahead > 0) return false;
    double t = -ahead / speed;
    if (speed < 0 && t > all->in) {
      sat_Vec2 at = sign > 0 ? along(other->vertex[best], motion, t) : other->vertex[best];
      *all = (Clip){t, all->until, scale(own->normal[i], sign), at};
    } else if (speed > 0) {
      all->until = least(all->until, t);
    }
    if (all->until < all->in) return false;
  }
  return true;
}

static inline bool cast_polygons(const Ring *a, sat_Vec2 motion, const Ring *b, Answer *hit) {
  Clip all = {-1, 1, {0, 0}, {0, 0}};
  if (!clip(b, a, motion, 1, &all) || !clip(a, b, motion, -1, &all) || all.in < 0) return false;
  *hit = (Answer){all.normal, {all.point, all.point}, all.in};
  return true;
}

/* All vertices of each and all edges of the other one. */
static inline bool distance_polygons(const Ring *a, const Ring *b, Answer *answer) {
  double square = HUGE_VAL;
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < b->count; k++) {
      sat_Vec2 p = a->vertex[i], q = b->vertex[k];
      keep_nearest(p, nearest_on(q, b->vertex[k + 1 < b->count ? k + 1 : 0], p), &square,
                   answer->points);
      keep_nearest(nearest_on(p, a->vertex[i + 1 < a->count ? i + 1 : 0], q), q, &square,
                   answer->points);
    }
  answer->value = sqrt(square);
  return true;
}

/* ---------------------------------------------------------------- as a peer */

/* Each: both kinds, the question, the form of the shapes, and the kernel. */
#define KERNELS(pair, meet, ray, cast)                                                             \
  pair(CIRCLE, CIRCLE, COLLIDE, flat, circles) meet(CIRCLE, CIRCLE, OVERLAPS, flat, circles_meet)  \
      pair(CIRCLE, CIRCLE, CONTACTS, flat,                                                         \
           circle_contacts) pair(CIRCLE, CIRCLE, DISTANCE, flat,                                   \
                                 distance_circles) cast(CIRCLE, CIRCLE, CAST, flat, cast_circles)  \
          pair(CAPSULE, CIRCLE, COLLIDE, flat, capsule_circle) pair(                               \
              CAPSULE, CAPSULE, COLLIDE, flat,                                                     \
              capsules) pair(CAPSULE, CAPSULE, DISTANCE, flat,                                     \
                             distance_capsules) pair(UPRIGHT, UPRIGHT, COLLIDE, flat, boxes)       \
              meet(UPRIGHT, UPRIGHT, OVERLAPS, flat, boxes_meet) pair(UPRIGHT, UPRIGHT, CONTACTS,  \
                                                                      flat, box_contacts)          \
                  pair(UPRIGHT, UPRIGHT, DISTANCE, flat,                                           \
                       distance_boxes) cast(UPRIGHT, UPRIGHT, CAST, flat, cast_boxes)              \
                      pair(UPRIGHT, CIRCLE, COLLIDE, flat,                                         \
                           box_circle) meet(UPRIGHT, CIRCLE, OVERLAPS, flat, box_circle_meets)     \
                          pair(UPRIGHT, CIRCLE, DISTANCE, flat, distance_box_circle)               \
                              pair(POLYGON, POLYGON, COLLIDE, ring,                                \
                                   polygons) meet(POLYGON, POLYGON, OVERLAPS, ring, polygons_meet) \
                                  pair(POLYGON, POLYGON, CONTACTS, ring, polygon_contacts)         \
                                      pair(POLYGON, POLYGON, DISTANCE, ring, distance_polygons)    \
                                          cast(POLYGON, POLYGON, CAST, ring, cast_polygons)        \
                                              ray(POINT, CIRCLE, RAY, flat, ray_circle)            \
                                                  ray(POINT, SEGMENT, RAY, ring, ray_segment)      \
                                                      ray(POINT, CAPSULE, RAY, ring, ray_capsule)  \
                                                          ray(POINT, UPRIGHT, RAY, flat, ray_box)  \
                                                              ray(POINT, POLYGON, RAY, ring,       \
                                                                  ray_polygon)

#define FILL(kernel, ...)                                                                          \
  BENCH_ASK(ask_##kernel, State,                                                                   \
            kernel(__VA_ARGS__, &state->answers[i]) ? state->answers[i].value : -1)
#define ASK_PAIR(of_a, of_b, question, form, kernel)                                               \
  FILL(kernel, &state->form[i].a, &state->form[i].b)
#define ASK_RAY(of_a, of_b, question, form, kernel)                                                \
  FILL(kernel, &state->form[i].b, state->from[i], state->motion[i])
#define ASK_CAST(of_a, of_b, question, form, kernel)                                               \
  FILL(kernel, &state->form[i].a, state->motion[i], &state->form[i].b)
#define ASK_MEET(of_a, of_b, question, form, kernel)                                               \
  BENCH_ASK(ask_##kernel, State, kernel(&state->form[i].a, &state->form[i].b) ? 1 : -1)
KERNELS(ASK_PAIR, ASK_MEET, ASK_RAY, ASK_CAST)

#define ENTRY(of_a, of_b, question, form, kernel) BENCH_ENTRY(of_a, of_b, question, ask_##kernel),
static const bench_Entry asks[] = {KERNELS(ENTRY, ENTRY, ENTRY, ENTRY){0}};

static Flat flat_of(const bench_Polygon *shape) {
  sat_Box box = bench_box_of(shape);
  if (shape->count <= 2)
    return (Flat){shape->world[0], shape->world[shape->count - 1], shape->radius};
  return (Flat){box.min, box.max, 0};
}

static Ring ring_of(const bench_Polygon *shape) {
  Ring ring = {.count = shape->count, .radius = shape->radius};
  for (size_t i = 0; i < shape->count; i++) {
    sat_Vec2 edge = sub(shape->world[(i + 1) % shape->count], shape->world[i]);
    ring.vertex[i] = shape->world[i];
    ring.normal[i] = scale((sat_Vec2){edge.y, -edge.x}, 1 / sqrt(dot(edge, edge)));
  }
  return ring;
}

static void *open_kernels(const bench_Scene *scene) {
  State *state = bench_allocate(1, sizeof *state);
  size_t count = state->count = scene->count;
  state->flat = bench_allocate(count, sizeof *state->flat);
  state->ring = bench_allocate(count, sizeof *state->ring);
  state->from = bench_allocate(2 * count, sizeof *state->from);
  state->motion = state->from + count;
  state->answers = bench_allocate(count, sizeof *state->answers);
  for (size_t i = 0; i < count; i++) {
    state->flat[i].a = flat_of(&scene->a[i]);
    state->flat[i].b = flat_of(&scene->b[i]);
    state->ring[i].a = ring_of(&scene->a[i]);
    state->ring[i].b = ring_of(&scene->b[i]);
    state->from[i] = scene->a[i].center;
    state->motion[i] = scene->motion[i];
  }
  return state;
}

const bench_Peer bench_plain = {
    .name = "plain", .most_vertices = MOST, .precise = 1e-9, .open = open_kernels, .asks = asks};
