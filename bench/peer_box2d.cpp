// peer_box2d.cpp: Box2D 2.4 without a world: shapes about their bodies' origins, a transform each, and the functions that
// its contacts call themselves. Its polygons keep the skin of 0.01 that its documentation asks for.
#include "peer.h"

#include <algorithm>
#include <box2d/b2_distance.h>
#include <box2d/box2d.h>
#include <vector>

namespace {

struct Pair {
  b2PolygonShape a, b;
  b2CircleShape circle;
  b2Transform at_a, at_b;
  float angle_a, angle_b;
};

struct State {
  bool circles;
  std::vector<Pair> pairs;
};

b2Vec2 vector_of(sat_Vec2 v) { return b2Vec2(static_cast<float>(v.x), static_cast<float>(v.y)); }

void set_polygon(b2PolygonShape &shape, const bench_Polygon &polygon) {
  b2Vec2 points[b2_maxPolygonVertices];
  for (std::size_t i = 0; i < polygon.count; i++) points[i] = vector_of(polygon.local[i]);
  shape.Set(points, static_cast<int32>(polygon.count));
}

void *open_shapes(const bench_Scene *scene) {
  State *state = new State{scene->b[0].count == 0, std::vector<Pair>(scene->count)};
  for (std::size_t i = 0; i < scene->count; i++) {
    const bench_Polygon &a = scene->a[i], &b = scene->b[i];
    Pair &pair = state->pairs[i];
    set_polygon(pair.a, a);
    if (state->circles) pair.circle.m_radius = static_cast<float>(b.radius);
    else set_polygon(pair.b, b);
    pair.angle_a = static_cast<float>(a.angle);
    pair.angle_b = static_cast<float>(b.angle);
    pair.at_a.Set(vector_of(a.center), pair.angle_a);
    pair.at_b.Set(vector_of(b.center), pair.angle_b);
  }
  return state;
}

void close_shapes(void *state) { delete static_cast<State *>(state); }

inline void collide_pair(const Pair &pair, bool circles, b2Manifold &manifold) {
  if (circles) b2CollidePolygonAndCircle(&manifold, &pair.a, pair.at_a, &pair.circle, pair.at_b);
  else b2CollidePolygons(&manifold, &pair.a, pair.at_a, &pair.b, pair.at_b);
}

inline void turn_pair(Pair &pair, float turn) {
  pair.at_a.q.Set(pair.angle_a + turn);
  pair.at_b.q.Set(pair.angle_b + turn);
}

double pair_depth(void *opened, std::size_t index, double turn) {
  State *state = static_cast<State *>(opened);
  Pair &pair = state->pairs[index];
  b2Manifold manifold;
  turn_pair(pair, static_cast<float>(turn));
  collide_pair(pair, state->circles, manifold);
  if (manifold.pointCount == 0) return -1;
  float radius_b = state->circles ? pair.circle.m_radius : pair.b.m_radius;
  float skin = pair.a.m_radius + (state->circles ? 0 : pair.b.m_radius);
  b2WorldManifold world;
  world.Initialize(&manifold, pair.at_a, pair.a.m_radius, pair.at_b, radius_b);
  float separation = world.separations[0];
  if (manifold.pointCount > 1) separation = std::min(separation, world.separations[1]);
  return std::max(0.0, -static_cast<double>(separation + skin));
}

inline bool overlap_pair(const Pair &pair, bool circles) {
  const b2Shape *b = circles ? static_cast<const b2Shape *>(&pair.circle) : &pair.b;
  return b2TestOverlap(&pair.a, 0, b, 0, pair.at_a, pair.at_b);
}

bool pair_meets(void *opened, std::size_t index) {
  State *state = static_cast<State *>(opened);
  return overlap_pair(state->pairs[index], state->circles);
}

bench_Sum collide(void *opened) {
  State *state = static_cast<State *>(opened);
  bench_Sum sum = {0, 0};
  b2Manifold manifold;
  for (const Pair &pair : state->pairs) {
    collide_pair(pair, state->circles, manifold);
    sum.hits += manifold.pointCount > 0;
  }
  return sum;
}

bench_Sum overlaps(void *opened) {
  State *state = static_cast<State *>(opened);
  bench_Sum sum = {0, 0};
  for (const Pair &pair : state->pairs) sum.hits += overlap_pair(pair, state->circles);
  return sum;
}

bench_Sum turn(void *opened) {
  State *state = static_cast<State *>(opened);
  bench_Sum sum = {0, 0};
  b2Manifold manifold;
  for (int side = -1; side <= 1; side += 2) {
    for (Pair &pair : state->pairs) {
      turn_pair(pair, static_cast<float>(side * BENCH_TURN));
      collide_pair(pair, state->circles, manifold);
      sum.hits += manifold.pointCount > 0;
    }
  }
  return sum;
}

double distance_of(const Pair &pair, bool circles) {
  const b2Shape *b = circles ? static_cast<const b2Shape *>(&pair.circle) : &pair.b;
  b2DistanceInput input;
  input.proxyA.Set(&pair.a, 0);
  input.proxyB.Set(b, 0);
  input.transformA = pair.at_a;
  input.transformB = pair.at_b;
  input.useRadii = true;
  b2SimplexCache cache;
  cache.count = 0;
  b2DistanceOutput output;
  b2Distance(&output, &cache, &input);
  return static_cast<double>(output.distance);
}

bench_Sum distance(void *opened) {
  State *state = static_cast<State *>(opened);
  bench_Sum sum = {0, 0};
  for (const Pair &pair : state->pairs) {
    double apart = distance_of(pair, state->circles);
    sum.hits += apart <= 0;
    sum.depths += apart;
  }
  return sum;
}

// B moves where ours moves A.
bench_Sum cast(void *opened) {
  State *state = static_cast<State *>(opened);
  bench_Sum sum = {0, 0};
  for (const Pair &pair : state->pairs) {
    const b2Shape *b = state->circles ? static_cast<const b2Shape *>(&pair.circle) : &pair.b;
    b2ShapeCastInput input;
    input.proxyA.Set(&pair.a, 0);
    input.proxyB.Set(b, 0);
    input.transformA = pair.at_a;
    input.transformB = pair.at_b;
    input.translationB = pair.at_a.p - pair.at_b.p;
    b2ShapeCastOutput output;
    bool hit = b2ShapeCast(&output, &input);
    sum.hits += hit;
    sum.depths += hit ? static_cast<double>(output.lambda) : 0;
  }
  return sum;
}

} // namespace

extern "C" const bench_Peer bench_box2d = {"Box2D",
                                           b2_maxPolygonVertices,
                                           2 * b2_polygonRadius,
                                           1e-3,
                                           SIZE_MAX,
                                           open_shapes,
                                           close_shapes,
                                           pair_depth,
                                           pair_meets,
                                           collide,
                                           overlaps,
                                           turn,
                                           distance,
                                           cast};
