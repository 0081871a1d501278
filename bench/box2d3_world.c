/* box2d3_world.c: a world of Box2D 3 with all boxes on one body at rest, in a tree that has been made
 * anew when all were there. See bench.mk. */
#include "levels.h"

#ifdef BENCH_BOX2D3

#include <box2d/box2d.h>

typedef struct State {
  b2WorldId world;
  b2QueryFilter filter;
  float cast, first;
  size_t found;
} State;

static void *open_world(const bench_Boxes *boxes) {
  State *state = bench_allocate(1, sizeof *state);
  b2WorldDef world = b2DefaultWorldDef();
  b2BodyDef body = b2DefaultBodyDef();
  b2ShapeDef shape = b2DefaultShapeDef();
  state->world = b2CreateWorld(&world);
  state->filter = b2DefaultQueryFilter();
  state->cast = (float)boxes->cast;
  b2BodyId ground = b2CreateBody(state->world, &body);
  for (size_t i = 0; i < boxes->count; i++) {
    sat_Rectangle r = boxes->at[i];
    b2Vec2 center = {(float)(r.x + r.w / 2), (float)(r.y + r.h / 2)};
    b2Polygon box = b2MakeOffsetBox((float)r.w / 2, (float)r.h / 2, center, b2Rot_identity);
    b2CreatePolygonShape(ground, &shape, &box);
  }
  b2World_RebuildStaticTree(state->world);
  return state;
}

static void close_world(void *opened) { b2DestroyWorld(((State *)opened)->world); }

/* 3.2 has an origin that the rest of a question is about. */
#ifdef B2_NULL_INDEX
#define ABOUT state->world, b2Pos_zero
typedef b2Pos Place;
#else
#define ABOUT state->world
typedef b2Vec2 Place;
#endif

static bool count_shape(b2ShapeId shape, void *context) {
  (void)shape;
  ((State *)context)->found++;
  return true;
}

static float keep_first(b2ShapeId shape, Place point, b2Vec2 normal, float fraction,
                        void *context) {
  (void)shape;
  (void)point;
  (void)normal;
  ((State *)context)->first = fraction;
  return fraction;
}

static b2Vec2 vector_of(sat_Vec2 v) { return (b2Vec2){(float)v.x, (float)v.y}; }

/* Box2D compares the boxes in its tree, which are a little larger. */
static double answer_window(void *opened, const bench_Question *question) {
  State *state = opened;
  b2Vec2 low = vector_of(question->at);
  b2AABB box = {low, b2Add(low, vector_of(question->way))};
  state->found = 0;
  b2World_OverlapAABB(ABOUT, box, state->filter, count_shape, state);
  return (double)state->found;
}

static double answer_ray(void *opened, const bench_Question *question) {
  State *state = opened;
  b2RayResult hit = b2World_CastRayClosest(state->world, vector_of(question->at),
                                           vector_of(question->way), state->filter);
  return hit.hit ? (double)hit.fraction : 2;
}

static double answer_cast(void *opened, const bench_Question *question) {
  State *state = opened;
  b2Vec2 p = vector_of(question->at), q = {p.x + state->cast, p.y + state->cast};
  b2Vec2 corners[4] = {p, {q.x, p.y}, q, {p.x, q.y}};
  b2ShapeProxy box = b2MakeProxy(corners, 4, 0);
  state->first = 2;
  b2World_CastShape(ABOUT, &box, vector_of(question->way), state->filter, keep_first, state);
  return (double)state->first;
}

static double answer_contains(void *opened, const bench_Question *question) {
  State *state = opened;
  b2Vec2 at = vector_of(question->at);
  b2ShapeProxy point = b2MakeProxy(&at, 1, 0);
  state->found = 0;
  b2World_OverlapShape(ABOUT, &point, state->filter, count_shape, state);
  return state->found > 0;
}

const bench_Keeper bench_box2d3_world = {
    "Box2D 3",
    NULL,
    open_world,
    close_world,
    {answer_window, NULL, answer_ray, answer_cast, answer_contains}};

#else

const bench_Keeper bench_box2d3_world = {.name = "Box2D 3", .missing = "BOX2D3"};

#endif
