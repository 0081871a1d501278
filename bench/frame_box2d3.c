/* frame_box2d3.c: a Lua module with Box2D 3 as a peer of frame.lua, without its world, which has no
 * frame without a solver: its dynamic tree, its manifolds, its tests of points and its rays. A frame
 * is one call, in C. It takes part where the build knows a checkout of it: see frame.mk. */
#include "lua/compat.h"
#include "sat.h"

SAT_EXPORT int luaopen_bench_frame_box2d3(lua_State *L);

#ifdef BENCH_BOX2D3

#include <box2d/collision.h>
#include <box2d/math_functions.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const uint64_t ANY_CATEGORY = UINT64_MAX;

typedef struct Body {
  b2Transform at;
  float angle, dx, dy, turn; /* the last three are the way in a frame */
  b2AABB box;
  int proxy;
  b2Circle circle; /* of bodies whose polygon has no vertices */
  b2Polygon polygon;
} Body;

/* As Box2D's world uses its tree: proxies are grown by a margin, bodies that have left theirs
 * enlarge them, and then the enlarged parts of the tree are rebuilt. */
typedef struct World {
  b2DynamicTree tree;
  float margin, least; /* who overlaps by less is let be */
  int count, most;
  bool has_tree;
  Body bodies[];
} World;

static bool is_circle(const Body *body) { return body->polygon.count == 0; }

static b2AABB aabb_of(const Body *body) {
  return is_circle(body) ? b2ComputeCircleAABB(&body->circle, body->at)
                         : b2ComputePolygonAABB(&body->polygon, body->at);
}

static b2AABB grown(b2AABB box, float margin) {
  return (b2AABB){{box.lowerBound.x - margin, box.lowerBound.y - margin},
                  {box.upperBound.x + margin, box.upperBound.y + margin}};
}

static World *check_world(lua_State *L) { return luaL_checkudata(L, 1, "bench_frame_box2d3"); }

/* ---------------------------------------------------------------- frames */

/* The normal leads from A to B. */
static b2Manifold collide(const Body *a, const Body *b) {
  if (is_circle(a) && is_circle(b)) return b2CollideCircles(&a->circle, a->at, &b->circle, b->at);
  if (is_circle(b)) return b2CollidePolygonAndCircle(&a->polygon, a->at, &b->circle, b->at);
  return b2CollidePolygons(&a->polygon, a->at, &b->polygon, b->at);
}

static void push_apart(Body *a, Body *b, float least) {
  if (is_circle(a) && !is_circle(b)) {
    push_apart(b, a, least);
    return;
  }
  b2Manifold manifold = collide(a, b);
  float depth = least;
  for (int i = 0; i < manifold.pointCount; i++)
    depth = fmaxf(depth, -manifold.points[i].separation);
  if (depth <= least) return;
  a->at.p = b2MulSub(a->at.p, depth / 2, manifold.normal);
  b->at.p = b2MulAdd(b->at.p, depth / 2, manifold.normal);
}

typedef struct Search {
  World *world;
  int index;
} Search;

static bool meet(int proxy, uint64_t other, void *context) {
  Search *search = context;
  (void)proxy;
  if ((int)other <= search->index) return true;
  Body *a = &search->world->bodies[search->index], *b = &search->world->bodies[other];
  if (b2AABB_Overlaps(a->box, b->box)) push_apart(a, b, search->world->least);
  return true;
}

/* world:frame(sign): all bodies go their ways, forth or back, and those that overlap are pushed
 * apart by half each. */
static int frame(lua_State *L) {
  World *world = check_world(L);
  float sign = (float)luaL_checknumber(L, 2);
  for (int i = 0; i < world->count; i++) {
    Body *body = &world->bodies[i];
    body->angle += sign * body->turn;
    body->at.p = b2Add(body->at.p, (b2Vec2){sign * body->dx, sign * body->dy});
    body->at.q = b2MakeRot(body->angle);
    body->box = aabb_of(body);
    if (!b2AABB_Contains(b2DynamicTree_GetAABB(&world->tree, body->proxy), body->box))
      b2DynamicTree_EnlargeProxy(&world->tree, body->proxy, grown(body->box, world->margin));
  }
  b2DynamicTree_Rebuild(&world->tree, false);
  for (int i = 0; i < world->count; i++) {
    Search search = {world, i};
    b2DynamicTree_Query(&world->tree, world->bodies[i].box, ANY_CATEGORY, meet, &search);
  }
  return 0;
}

/* ---------------------------------------------------------------- questions */

/* Bodies are told by their numbers. */
typedef struct Question {
  lua_State *L;
  const World *world;
  b2Vec2 point;
  b2AABB box;
  bool first;
  int out, found; /* the list's index on the stack, and its length */
} Question;

static void tell(Question *question, uint64_t index) {
  lua_pushinteger(question->L, (lua_Integer)index + 1);
  lua_rawseti(question->L, question->out, ++question->found);
}

static int found(const Question *question) {
  lua_pushinteger(question->L, question->found);
  return 1;
}

static bool test_point(int proxy, uint64_t index, void *context) {
  Question *question = context;
  const Body *body = &question->world->bodies[index];
  b2Vec2 point = b2InvTransformPoint(body->at, question->point);
  (void)proxy;
  if (is_circle(body) ? b2PointInCircle(point, &body->circle)
                      : b2PointInPolygon(point, &body->polygon))
    tell(question, index);
  return true;
}

/* world:point(x, y, out): writes the bodies that it is in to a list, and returns how many. */
static int point(lua_State *L) {
  Question question = {.L = L, .world = check_world(L), .out = 4};
  question.point = (b2Vec2){(float)luaL_checknumber(L, 2), (float)luaL_checknumber(L, 3)};
  b2DynamicTree_Query(&question.world->tree, (b2AABB){question.point, question.point}, ANY_CATEGORY,
                      test_point, &question);
  return found(&question);
}

static bool test_box(int proxy, uint64_t index, void *context) {
  Question *question = context;
  (void)proxy;
  if (b2AABB_Overlaps(question->world->bodies[index].box, question->box)) tell(question, index);
  return true;
}

/* world:box(x, y, width, height, out): the same for bodies whose bounding box touches this one. */
static int box(lua_State *L) {
  Question question = {.L = L, .world = check_world(L), .out = 6};
  b2Vec2 low = {(float)luaL_checknumber(L, 2), (float)luaL_checknumber(L, 3)};
  b2Vec2 size = {(float)luaL_checknumber(L, 4), (float)luaL_checknumber(L, 5)};
  question.box = (b2AABB){low, b2Add(low, size)};
  b2DynamicTree_Query(&question.world->tree, question.box, ANY_CATEGORY, test_box, &question);
  return found(&question);
}

static float meet_ray(const b2RayCastInput *input, int proxy, uint64_t index, void *context) {
  Question *question = context;
  const Body *body = &question->world->bodies[index];
  b2RayCastInput local = {b2InvTransformPoint(body->at, input->origin),
                          b2InvRotateVector(body->at.q, input->translation), input->maxFraction};
  b2CastOutput hit = is_circle(body) ? b2RayCastCircle(&local, &body->circle)
                                     : b2RayCastPolygon(&local, &body->polygon);
  (void)proxy;
  if (!hit.hit) return input->maxFraction;
  if (!question->first) tell(question, index);
  else question->found = 1;
  return question->first ? hit.fraction : input->maxFraction;
}

/* world:ray(x1, y1, x2, y2, out): the same for bodies that a ray meets. Without a list it looks for
 * the first one, and returns 1 or 0. */
static int ray(lua_State *L) {
  Question question = {.L = L, .world = check_world(L), .first = lua_isnoneornil(L, 6), .out = 6};
  b2Vec2 from = {(float)luaL_checknumber(L, 2), (float)luaL_checknumber(L, 3)};
  b2Vec2 to = {(float)luaL_checknumber(L, 4), (float)luaL_checknumber(L, 5)};
  b2RayCastInput input = {from, b2Sub(to, from), 1};
  b2DynamicTree_RayCast(&question.world->tree, &input, ANY_CATEGORY, meet_ray, &question);
  return found(&question);
}

/* ---------------------------------------------------------------- making */

/* The ring is about the body's origin. */
static void read_polygon(lua_State *L, int ring, b2Polygon *polygon) {
  b2Vec2 points[B2_MAX_POLYGON_VERTICES];
  int count = (int)lua_rawlen(L, ring) / 2;
  luaL_argcheck(L, count <= B2_MAX_POLYGON_VERTICES, ring, "too many vertices");
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, ring, 2 * i + 1);
    lua_rawgeti(L, ring, 2 * i + 2);
    points[i] = (b2Vec2){(float)lua_tonumber(L, -2), (float)lua_tonumber(L, -1)};
    lua_pop(L, 2);
  }
  b2Hull hull = b2ComputeHull(points, count);
  luaL_argcheck(L, hull.count == count, ring, "Box2D 3 refuses the polygon");
  *polygon = b2MakePolygon(&hull, 0);
}

/* world:add(x, y, radius or ring, dx, dy, turn): a body, and its way in a frame. */
static int add(lua_State *L) {
  World *world = check_world(L);
  luaL_argcheck(L, world->count < world->most, 1, "the world is full");
  Body *body = &world->bodies[world->count];
  memset(body, 0, sizeof *body);
  body->at =
      (b2Transform){{(float)luaL_checknumber(L, 2), (float)luaL_checknumber(L, 3)}, b2Rot_identity};
  if (lua_istable(L, 4)) read_polygon(L, 4, &body->polygon);
  else body->circle.radius = (float)luaL_checknumber(L, 4);
  body->dx = (float)luaL_checknumber(L, 5);
  body->dy = (float)luaL_checknumber(L, 6);
  body->turn = (float)luaL_checknumber(L, 7);
  body->box = aabb_of(body);
  body->proxy = b2DynamicTree_CreateProxy(&world->tree, grown(body->box, world->margin), 1,
                                          (uint64_t)world->count++);
  return 0;
}

/* world:center(number): where that body is. */
static int center(lua_State *L) {
  const World *world = check_world(L);
  lua_Integer number = luaL_checkinteger(L, 2);
  luaL_argcheck(L, number >= 1 && number <= world->count, 2, "no such body");
  lua_pushnumber(L, (double)world->bodies[number - 1].at.p.x);
  lua_pushnumber(L, (double)world->bodies[number - 1].at.p.y);
  return 2;
}

/* world:settle(): the tree is built anew, after the last `add`. */
static int settle(lua_State *L) {
  b2DynamicTree_Rebuild(&check_world(L)->tree, true);
  return 0;
}

static int release(lua_State *L) {
  World *world = check_world(L);
  if (world->has_tree) b2DynamicTree_Destroy(&world->tree);
  world->has_tree = false;
  return 0;
}

/* new(most, margin, least): a world for so many bodies. */
static int new_world(lua_State *L) {
  int most = (int)luaL_checkinteger(L, 1);
  float margin = (float)luaL_checknumber(L, 2), least = (float)luaL_checknumber(L, 3);
  World *world = lua_newuserdata(L, sizeof *world + (size_t)most * sizeof(Body));
  *world = (World){.margin = margin, .least = least, .most = most};
  luaL_getmetatable(L, "bench_frame_box2d3");
  lua_setmetatable(L, -2);
  world->tree = b2DynamicTree_Create();
  world->has_tree = true;
  return 1;
}

int luaopen_bench_frame_box2d3(lua_State *L) {
  static const luaL_Reg methods[] = {{"frame", frame},   {"point", point},  {"box", box},
                                     {"ray", ray},       {"add", add},      {"settle", settle},
                                     {"center", center}, {"__gc", release}, {NULL, NULL}};
  luaL_newmetatable(L, "bench_frame_box2d3");
  for (const luaL_Reg *method = methods; method->name; method++) {
    lua_pushcfunction(L, method->func);
    lua_setfield(L, -2, method->name);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, new_world);
  return 1;
}

#else

/* Without a checkout there is no peer. */
int luaopen_bench_frame_box2d3(lua_State *L) {
  lua_pushboolean(L, 0);
  return 1;
}

#endif
