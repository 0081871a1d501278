/* peer_cute_c2.c: cute_c2, whose shapes are in the world, and whose rays have a direction of unit
 * length, which is ready. It is compiled into this file, as its manual has it. It takes part where
 * the build knows its folder: see bench.mk. */
#include "pairs.h"

#ifdef BENCH_CUTE_C2

#define CUTE_C2_IMPLEMENTATION
#include <cute_c2.h>
#include <string.h>

typedef union Shape {
  c2Circle circle;
  c2AABB box;
  c2Capsule capsule;
  c2Poly polygon;
} Shape;

/* Arrays of just the kind of the scene. */
typedef struct State {
  size_t count;
  unsigned char *a, *b;
  size_t size_a, size_b;
  C2_TYPE type_a, type_b;
  c2Ray *rays;
  c2v *motions, closest[2];
  struct {
    c2v a, b;
  } * centers;
  c2Manifold manifold;
  c2Raycast raycast;
  c2TOIResult impact;
} State;

static c2v vector_of(sat_Vec2 v) { return (c2v){(float)v.x, (float)v.y}; }

static size_t make_shape(Shape *shape, C2_TYPE *type, bench_Kind kind, const bench_Polygon *from) {
  sat_Box box = bench_box_of(from);
  c2v first = vector_of(from->world[0]), last = vector_of(from->world[from->count - 1]);
  switch (kind) {
  case BENCH_POINT:
  case BENCH_CIRCLE:
    *type = C2_TYPE_CIRCLE;
    shape->circle = (c2Circle){first, (float)from->radius};
    return sizeof shape->circle;
  case BENCH_SEGMENT:
  case BENCH_CAPSULE:
    *type = C2_TYPE_CAPSULE;
    shape->capsule = (c2Capsule){first, last, (float)from->radius};
    return sizeof shape->capsule;
  case BENCH_UPRIGHT:
    *type = C2_TYPE_AABB;
    shape->box = (c2AABB){vector_of(box.min), vector_of(box.max)};
    return sizeof shape->box;
  default:
    *type = C2_TYPE_POLY;
    shape->polygon.count = (int)from->count;
    for (size_t i = 0; i < from->count; i++) shape->polygon.verts[i] = vector_of(from->world[i]);
    c2MakePoly(&shape->polygon);
    return sizeof shape->polygon;
  }
}

static void *open_shapes(const bench_Scene *scene) {
  State *state = bench_allocate(1, sizeof *state);
  size_t count = state->count = scene->count;
  state->a = bench_allocate(count, sizeof(Shape));
  state->b = bench_allocate(count, sizeof(Shape));
  state->rays = bench_allocate(count, sizeof *state->rays);
  state->motions = bench_allocate(count, sizeof *state->motions);
  state->centers = bench_allocate(count, sizeof *state->centers);
  for (size_t i = 0; i < count; i++) {
    Shape of_a, of_b;
    state->size_a = make_shape(&of_a, &state->type_a, scene->class.a, &scene->a[i]);
    state->size_b = make_shape(&of_b, &state->type_b, scene->class.b, &scene->b[i]);
    memcpy(state->a + i * state->size_a, &of_a, state->size_a);
    memcpy(state->b + i * state->size_b, &of_b, state->size_b);
    state->centers[i].a = vector_of(scene->a[i].center);
    state->centers[i].b = vector_of(scene->b[i].center);
    c2v motion = state->motions[i] = vector_of(scene->motion[i]);
    state->rays[i] = (c2Ray){vector_of(scene->a[i].center), c2SafeNorm(motion), c2Len(motion)};
  }
  return state;
}

static inline double depth_of(const State *state) {
  const c2Manifold *m = &state->manifold;
  if (m->count == 0) return -1;
  return (double)(m->count > 1 && m->depths[1] > m->depths[0] ? m->depths[1] : m->depths[0]);
}

#define A(type) ((const type *)(const void *)state->a)[i]
#define B(type) ((const type *)(const void *)state->b)[i]
#define MANIFOLDS(name, call) BENCH_ASK(name, State, (call, depth_of(state)))
#define MEETS(name, call) BENCH_ASK(name, State, call ? 1 : -1)
#define RAYS(name, call) BENCH_ASK(name, State, call ? state->raycast.t / state->rays[i].t : -1)
MANIFOLDS(circles, c2CircletoCircleManifold(A(c2Circle), B(c2Circle), &state->manifold))
MANIFOLDS(capsule_circle, c2CircletoCapsuleManifold(B(c2Circle), A(c2Capsule), &state->manifold))
MANIFOLDS(capsules, c2CapsuletoCapsuleManifold(A(c2Capsule), B(c2Capsule), &state->manifold))
MANIFOLDS(boxes, c2AABBtoAABBManifold(A(c2AABB), B(c2AABB), &state->manifold))
MANIFOLDS(box_circle, c2CircletoAABBManifold(B(c2Circle), A(c2AABB), &state->manifold))
MANIFOLDS(polygon_circle, c2CircletoPolyManifold(B(c2Circle), &A(c2Poly), NULL, &state->manifold))
MANIFOLDS(polygons, c2PolytoPolyManifold(&A(c2Poly), NULL, &B(c2Poly), NULL, &state->manifold))
MEETS(circles_meet, c2CircletoCircle(A(c2Circle), B(c2Circle)))
MEETS(boxes_meet, c2AABBtoAABB(A(c2AABB), B(c2AABB)))
MEETS(box_circle_meets, c2CircletoAABB(B(c2Circle), A(c2AABB)))
MEETS(polygon_circle_meets, c2CircletoPoly(B(c2Circle), &A(c2Poly), NULL))
MEETS(polygons_meet, c2PolytoPoly(&A(c2Poly), NULL, &B(c2Poly), NULL))
RAYS(ray_circle, c2RaytoCircle(state->rays[i], B(c2Circle), &state->raycast))
RAYS(ray_capsule, c2RaytoCapsule(state->rays[i], B(c2Capsule), &state->raycast))
RAYS(ray_box, c2RaytoAABB(state->rays[i], B(c2AABB), &state->raycast))
RAYS(ray_polygon, c2RaytoPoly(state->rays[i], &B(c2Poly), NULL, &state->raycast))

BENCH_ASK(distance, State,
          (double)c2GJK(state->a + i * state->size_a, state->type_a, NULL,
                        state->b + i * state->size_b, state->type_b, NULL, &state->closest[0],
                        &state->closest[1], 1, NULL, NULL))

static inline double impact_of(State *state, size_t i) {
  state->impact = c2TOI(state->a + i * state->size_a, state->type_a, NULL, state->motions[i],
                        state->b + i * state->size_b, state->type_b, NULL, c2V(0, 0), 1);
  return state->impact.hit ? (double)state->impact.toi : -1;
}
BENCH_ASK(impact, State, impact_of(state, i))

/* About the centre of a shape whose vertices are in the world. */
static inline c2x turned(c2v center, float by) {
  c2x at = c2Transform(center, by);
  at.p = c2Sub(center, c2Mulrv(at.r, center));
  return at;
}

BENCH_TURN(turn_circle, State, depth_of(state), c2x a = turned(state->centers[i].a, (float)by);
           c2CircletoPolyManifold(B(c2Circle), &A(c2Poly), &a, &state->manifold);)
BENCH_TURN(turn, State, depth_of(state), c2x a = turned(state->centers[i].a, (float)by),
           b = turned(state->centers[i].b, (float)by);
           c2PolytoPolyManifold(&A(c2Poly), &a, &B(c2Poly), &b, &state->manifold);)

static const bench_Entry asks[] = {BENCH_ENTRY(CIRCLE, CIRCLE, COLLIDE, circles),
                                   BENCH_ENTRY(CIRCLE, CIRCLE, OVERLAPS, circles_meet),
                                   BENCH_ENTRY(CAPSULE, CIRCLE, COLLIDE, capsule_circle),
                                   BENCH_ENTRY(CAPSULE, CAPSULE, COLLIDE, capsules),
                                   BENCH_ENTRY(UPRIGHT, UPRIGHT, COLLIDE, boxes),
                                   BENCH_ENTRY(UPRIGHT, UPRIGHT, OVERLAPS, boxes_meet),
                                   BENCH_ENTRY(UPRIGHT, CIRCLE, COLLIDE, box_circle),
                                   BENCH_ENTRY(UPRIGHT, CIRCLE, OVERLAPS, box_circle_meets),
                                   BENCH_ENTRY(POLYGON, CIRCLE, COLLIDE, polygon_circle),
                                   BENCH_ENTRY(POLYGON, CIRCLE, OVERLAPS, polygon_circle_meets),
                                   BENCH_ENTRY(POLYGON, POLYGON, COLLIDE, polygons),
                                   BENCH_ENTRY(REGULAR, REGULAR, COLLIDE, polygons),
                                   BENCH_ENTRY(POLYGON, POLYGON, OVERLAPS, polygons_meet),
                                   BENCH_ENTRY(REGULAR, REGULAR, OVERLAPS, polygons_meet),
                                   BENCH_ENTRY(ANY, CIRCLE, TURNED, turn_circle),
                                   BENCH_ENTRY(ANY, ANY, TURNED, turn),
                                   BENCH_ENTRY(ANY, CIRCLE, RAY, ray_circle),
                                   BENCH_ENTRY(ANY, CAPSULE, RAY, ray_capsule),
                                   BENCH_ENTRY(ANY, UPRIGHT, RAY, ray_box),
                                   BENCH_ENTRY(ANY, POLYGON, RAY, ray_polygon),
                                   BENCH_ENTRY(ANY, ANY, DISTANCE, distance),
                                   BENCH_ENTRY(ANY, ANY, CAST, impact),
                                   {0}};

const bench_Peer bench_cute_c2 = {.name = "cute_c2",
                                  .most_vertices = C2_MAX_POLYGON_VERTS,
                                  .skin = 1e-4,
                                  .precise = 1e-3,
                                  .open = open_shapes,
                                  .has_manifolds = true,
                                  .asks = asks};

#else

const bench_Peer bench_cute_c2 = {.name = "cute_c2", .missing = "CUTE_C2"};

#endif
