/* peer_box2d3.c: Box2D 3 without a world, by the functions that its contacts and queries call
 * themselves. Shapes that collide are about their bodies' origins, with a transform each; rays,
 * casts and distances have them in the world, and their input ready. It takes part where the build
 * knows a checkout of it: see bench.mk. */
#include "pairs.h"

#ifdef BENCH_BOX2D3

#include <box2d/collision.h>
#include <box2d/math_functions.h>
#include <string.h>

typedef union Shape {
  b2Circle circle;
  b2Capsule capsule;
  b2Segment segment;
  b2Polygon polygon;
} Shape;

/* Arrays of just the kind of the scene. */
typedef struct State {
  size_t count;
  void *a, *b;
  struct {
    b2Transform a, b;
  } * at;
  struct {
    float a, b;
  } * angle;
  b2RayCastInput *rays;
  b2DistanceInput *distances;
  b2ShapeCastPairInput *casts;
  b2CastOutput hit;
  b2DistanceOutput distance;
} State;

static b2Vec2 vector_of(sat_Vec2 v) { return (b2Vec2){(float)v.x, (float)v.y}; }

static size_t make_shape(Shape *shape, bench_Kind kind, const bench_Polygon *from, bool in_world) {
  b2Vec2 points[B2_MAX_POLYGON_VERTICES] = {{0}};
  for (size_t i = 0; i < from->count; i++)
    points[i] = vector_of((in_world ? from->world : from->local)[i]);
  if (from->count <= 2) {
    *shape = (Shape){.capsule = {points[0], points[1], (float)from->radius}};
    if (from->count == 1) shape->circle = (b2Circle){points[0], (float)from->radius};
    return from->count == 1        ? sizeof shape->circle
           : kind == BENCH_CAPSULE ? sizeof shape->capsule
                                   : sizeof shape->segment;
  }
  b2Hull hull = b2ComputeHull(points, (int)from->count);
  if (hull.count != (int)from->count) bench_check(SAT_ECONCAVE);
  shape->polygon = b2MakePolygon(&hull, 0);
  return sizeof shape->polygon;
}

static b2ShapeProxy proxy_of(const bench_Polygon *from) {
  b2Vec2 points[B2_MAX_POLYGON_VERTICES];
  for (size_t i = 0; i < from->count; i++) points[i] = vector_of(from->world[i]);
  return b2MakeProxy(points, (int)from->count, (float)from->radius);
}

/* At rest with the exact sine and cosine. */
static b2Transform transform_of(const bench_Polygon *shape) {
  return (b2Transform){vector_of(shape->center),
                       {(float)cos(shape->angle), (float)sin(shape->angle)}};
}

/* 3.2 has the place of B in A's frame, 3.1 a transform of each. */
#ifdef B2_NULL_INDEX
typedef b2LocalManifold Manifold;
#define COLLIDE(kinds, A, B)                                                                       \
  b2Collide##kinds((const A *)state->a + i, (const B *)state->b + i,                               \
                   b2InvMulTransforms(state->at[i].a, state->at[i].b))
#define RAY(kind, B) b2RayCast##kind((const B *)state->b + i, &state->rays[i])
#define RAY_AT_SEGMENT b2RayCastSegment((const b2Segment *)state->b + i, &state->rays[i], false)
#else
typedef b2Manifold Manifold;
#define COLLIDE(kinds, A, B)                                                                       \
  b2Collide##kinds((const A *)state->a + i, state->at[i].a, (const B *)state->b + i, state->at[i].b)
#define RAY(kind, B) b2RayCast##kind(&state->rays[i], (const B *)state->b + i)
#define RAY_AT_SEGMENT b2RayCastSegment(&state->rays[i], (const b2Segment *)state->b + i, false)
#endif

static void add_inputs(State *state, const bench_Scene *scene, size_t i) {
  const bench_Polygon *a = &scene->a[i], *b = &scene->b[i];
  state->rays[i] = (b2RayCastInput){vector_of(a->center), vector_of(scene->motion[i]), 1};
  b2ShapeProxy of_a = proxy_of(a), of_b = proxy_of(b);
  b2DistanceInput *distance = &state->distances[i];
  b2ShapeCastPairInput *cast = &state->casts[i];
  distance->proxyA = cast->proxyB = of_a;
  distance->proxyB = cast->proxyA = of_b;
  distance->useRadii = true;
  cast->translationB = vector_of(scene->motion[i]);
  cast->maxFraction = 1;
#ifdef B2_NULL_INDEX
  distance->transform = cast->transform = b2Transform_identity;
#else
  distance->transformA = distance->transformB = b2Transform_identity;
  cast->transformA = cast->transformB = b2Transform_identity;
#endif
}

static void *open_shapes(const bench_Scene *scene) {
  State *state = bench_allocate(1, sizeof *state);
  size_t count = state->count = scene->count;
  state->a = bench_allocate(count, sizeof(Shape));
  state->b = bench_allocate(count, sizeof(Shape));
  state->at = bench_allocate(count, sizeof *state->at);
  state->angle = bench_allocate(count, sizeof *state->angle);
  state->rays = bench_allocate(count, sizeof *state->rays);
  state->distances = bench_allocate(count, sizeof *state->distances);
  state->casts = bench_allocate(count, sizeof *state->casts);
  bool in_world = scene->class.a == BENCH_POINT;
  for (size_t i = 0; i < count; i++) {
    Shape of_a, of_b;
    size_t size_a = make_shape(&of_a, scene->class.a, &scene->a[i], in_world),
           size_b = make_shape(&of_b, scene->class.b, &scene->b[i], in_world);
    memcpy((unsigned char *)state->a + i * size_a, &of_a, size_a);
    memcpy((unsigned char *)state->b + i * size_b, &of_b, size_b);
    state->at[i].a = transform_of(&scene->a[i]);
    state->at[i].b = transform_of(&scene->b[i]);
    state->angle[i].a = (float)scene->a[i].angle;
    state->angle[i].b = (float)scene->b[i].angle;
    add_inputs(state, scene, i);
  }
  return state;
}

static inline double depth_of(Manifold manifold) {
  if (manifold.pointCount == 0) return -1;
  float separation = manifold.points[0].separation;
  if (manifold.pointCount > 1 && manifold.points[1].separation < separation)
    separation = manifold.points[1].separation;
  return -(double)separation;
}

static inline double fraction_of(State *state, b2CastOutput hit) {
  state->hit = hit;
  return hit.hit ? (double)hit.fraction : -1;
}

static inline double distance_of(State *state, const b2DistanceInput *input) {
  b2SimplexCache cache = b2_emptySimplexCache;
  state->distance = b2ShapeDistance(input, &cache, NULL, 0);
  return (double)state->distance.distance;
}

BENCH_ASK(circles, State, depth_of(COLLIDE(Circles, b2Circle, b2Circle)))
BENCH_ASK(capsule_circle, State, depth_of(COLLIDE(CapsuleAndCircle, b2Capsule, b2Circle)))
BENCH_ASK(capsules, State, depth_of(COLLIDE(Capsules, b2Capsule, b2Capsule)))
BENCH_ASK(polygon_circle, State, depth_of(COLLIDE(PolygonAndCircle, b2Polygon, b2Circle)))
BENCH_ASK(polygons, State, depth_of(COLLIDE(Polygons, b2Polygon, b2Polygon)))
BENCH_ASK(distance, State, distance_of(state, &state->distances[i]))
BENCH_ASK(ray_circle, State, fraction_of(state, RAY(Circle, b2Circle)))
BENCH_ASK(ray_capsule, State, fraction_of(state, RAY(Capsule, b2Capsule)))
BENCH_ASK(ray_segment, State, fraction_of(state, RAY_AT_SEGMENT))
BENCH_ASK(ray_polygon, State, fraction_of(state, RAY(Polygon, b2Polygon)))
BENCH_ASK(cast, State, fraction_of(state, b2ShapeCast(&state->casts[i])))

#define TURN_BOTH                                                                                  \
  state->at[i].a.q = b2MakeRot(state->angle[i].a + (float)by);                                     \
  state->at[i].b.q = b2MakeRot(state->angle[i].b + (float)by);
BENCH_TURN(turn, State, depth_of(COLLIDE(Polygons, b2Polygon, b2Polygon)), TURN_BOTH)
BENCH_TURN(turn_circle, State, depth_of(COLLIDE(PolygonAndCircle, b2Polygon, b2Circle)), TURN_BOTH)

static const bench_Entry asks[] = {BENCH_ENTRY(CIRCLE, CIRCLE, COLLIDE, circles),
                                   BENCH_ENTRY(CAPSULE, CIRCLE, COLLIDE, capsule_circle),
                                   BENCH_ENTRY(CAPSULE, CAPSULE, COLLIDE, capsules),
                                   BENCH_ENTRY(ANY, CIRCLE, COLLIDE, polygon_circle),
                                   BENCH_ENTRY(ANY, ANY, COLLIDE, polygons),
                                   BENCH_ENTRY(ANY, CIRCLE, TURNED, turn_circle),
                                   BENCH_ENTRY(ANY, ANY, TURNED, turn),
                                   BENCH_ENTRY(ANY, CIRCLE, RAY, ray_circle),
                                   BENCH_ENTRY(ANY, CAPSULE, RAY, ray_capsule),
                                   BENCH_ENTRY(ANY, SEGMENT, RAY, ray_segment),
                                   BENCH_ENTRY(ANY, ANY, RAY, ray_polygon),
                                   BENCH_ENTRY(ANY, ANY, DISTANCE, distance),
                                   BENCH_ENTRY(ANY, ANY, CAST, cast),
                                   {0}};

/* Its manifolds have contact points, and tell sooner than its distances whether shapes meet.
 * Contacts exist up to four times the linear slop of constants.h; casts end one slop before a
 * shape, and its sine and cosine are quick approximations. */
const bench_Peer bench_box2d3 = {.name = "Box2D 3",
                                 .most_vertices = B2_MAX_POLYGON_VERTICES,
                                 .skin = 0.02,
                                 .precise = 2e-2,
                                 .open = open_shapes,
                                 .has_manifolds = true,
                                 .asks = asks};

#else

const bench_Peer bench_box2d3 = {.name = "Box2D 3", .missing = "BOX2D3"};

#endif
