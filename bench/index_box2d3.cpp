// index_box2d3.cpp: Box2D 3's dynamic tree, used as its world uses it: boxes that have left their
// proxies enlarge them, and then the enlarged parts of the tree are rebuilt. It takes part where the
// build knows a checkout of it: see narrowphase.mk.
#include "index.h"

#ifdef BENCH_BOX2D3

#include <algorithm>
#include <box2d/collision.h>
#include <vector>

namespace {

// Its world grows proxies by this much.
const float MARGIN = 0.1f;
const uint64_t ANY_CATEGORY = UINT64_MAX;

struct State {
  bench_Crowd *crowd;
  float margin;
  b2DynamicTree tree;
  std::vector<int> proxies;
  std::vector<uint32_t> enlarged;              // items
  std::vector<std::vector<uint32_t>> contacts; // of each item those with the items above it
};

b2Vec2 vector_of(sat_Vec2 v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }

b2AABB aabb_of(const sat_Rectangle &box, float margin) {
  return {{static_cast<float>(box.x) - margin, static_cast<float>(box.y) - margin},
          {static_cast<float>(box.x + box.w) + margin, static_cast<float>(box.y + box.h) + margin}};
}

bool contains(const b2AABB &a, const b2AABB &b) {
  return a.lowerBound.x <= b.lowerBound.x && a.lowerBound.y <= b.lowerBound.y &&
         b.upperBound.x <= a.upperBound.x && b.upperBound.y <= a.upperBound.y;
}

bool overlap(const b2AABB &a, const b2AABB &b) {
  return a.lowerBound.x <= b.upperBound.x && a.lowerBound.y <= b.upperBound.y &&
         b.lowerBound.x <= a.upperBound.x && b.lowerBound.y <= a.upperBound.y;
}

b2AABB aabb_of_item(const State &state, uint32_t item) {
  return b2DynamicTree_GetAABB(&state.tree, state.proxies[item]);
}

void fill(State &state) {
  const bench_Crowd &crowd = *state.crowd;
  b2DynamicTree_Destroy(&state.tree);
  state.tree = b2DynamicTree_Create();
  state.proxies.resize(crowd.count);
  for (std::size_t i = 0; i < crowd.count; i++)
    state.proxies[i] =
        b2DynamicTree_CreateProxy(&state.tree, aabb_of(crowd.boxes[i], state.margin), 1, i);
}

void fill_at_once(State &state) {
  fill(state);
  b2DynamicTree_Rebuild(&state.tree, true);
}

// ---------------------------------------------------------------- queries

// Calls `found` with each item whose proxy overlaps the box.
template <typename Found> bool call_with_item(int, uint64_t item, void *context) {
  (*static_cast<Found *>(context))(static_cast<uint32_t>(item));
  return true;
}

template <typename Found> void query(const State &state, const b2AABB &aabb, Found found) {
  b2DynamicTree_Query(&state.tree, aabb, ANY_CATEGORY, call_with_item<Found>, &found);
}

void ask_window(const State &state, std::size_t question, const sat_Rectangle &window,
                bench_Tally &tally) {
  const bench_Crowd &crowd = *state.crowd;
  query(state, aabb_of(window, 0), [&](uint32_t item) {
    if (&crowd.boxes[item] != &window && bench_overlap(&window, &crowd.boxes[item]))
      bench_tally_item(&tally, question, item);
  });
}

bench_Tally ask_windows(void *opened) {
  const State &state = *static_cast<State *>(opened);
  bench_Tally tally = {0, 0};
  for (std::size_t i = 0; i < state.crowd->window_count; i++)
    ask_window(state, i, state.crowd->windows[i], tally);
  return tally;
}

bench_Tally interleave(void *opened) {
  State &state = *static_cast<State *>(opened);
  bench_Crowd &crowd = *state.crowd;
  bench_Tally tally = {0, 0};
  for (uint32_t i = 0; i < crowd.count; i++) {
    crowd.boxes[i] = crowd.next[i];
    if (!contains(aabb_of_item(state, i), aabb_of(crowd.boxes[i], 0)))
      b2DynamicTree_MoveProxy(&state.tree, state.proxies[i], aabb_of(crowd.boxes[i], state.margin));
    ask_window(state, i, crowd.boxes[i], tally);
  }
  return tally;
}

template <void (*FILL)(State &)> bench_Tally build(void *opened) {
  State &state = *static_cast<State *>(opened);
  bench_Tally tally = {0, 0};
  FILL(state);
  ask_window(state, 0, state.crowd->questions->small[0], tally);
  return tally;
}

// ---------------------------------------------------------------- pairs

bench_Tally query_each(const State &state) {
  const bench_Crowd &crowd = *state.crowd;
  bench_Tally tally = {0, 0};
  for (uint32_t i = 0; i < crowd.count; i++)
    query(state, aabb_of(crowd.boxes[i], 0), [&](uint32_t item) {
      if (item > i && bench_overlap(&crowd.boxes[i], &crowd.boxes[item]))
        bench_tally_pair(&tally, i, item);
    });
  return tally;
}

template <void (*FILL)(State &)> bench_Tally rebuild(void *opened) {
  State &state = *static_cast<State *>(opened);
  FILL(state);
  return query_each(state);
}

void enlarge_moved(State &state) {
  const bench_Crowd &crowd = *state.crowd;
  state.enlarged.clear();
  for (std::size_t k = 0; k < crowd.moved_count; k++) {
    uint32_t i = crowd.moved[k];
    if (contains(aabb_of_item(state, i), aabb_of(crowd.boxes[i], 0))) continue;
    b2DynamicTree_EnlargeProxy(&state.tree, state.proxies[i],
                               aabb_of(crowd.boxes[i], state.margin));
    state.enlarged.push_back(i);
  }
  b2DynamicTree_Rebuild(&state.tree, false);
}

bench_Tally frame_queried(void *opened) {
  State &state = *static_cast<State *>(opened);
  enlarge_moved(state);
  return query_each(state);
}

// Contacts are kept, as a world keeps them: only items with enlarged proxies meet new ones.
void add_contacts_of(State &state, uint32_t i) {
  query(state, aabb_of_item(state, i), [&](uint32_t item) {
    if (item == i) return;
    std::vector<uint32_t> &of = state.contacts[std::min(i, item)];
    uint32_t high = std::max(i, item);
    if (std::find(of.begin(), of.end(), high) == of.end()) of.push_back(high);
  });
}

bench_Tally frame_kept(void *opened) {
  State &state = *static_cast<State *>(opened);
  const bench_Crowd &crowd = *state.crowd;
  bench_Tally tally = {0, 0};
  enlarge_moved(state);
  for (uint32_t i : state.enlarged) add_contacts_of(state, i);
  for (uint32_t i = 0; i < crowd.count; i++) {
    std::vector<uint32_t> &of = state.contacts[i];
    for (std::size_t k = 0; k < of.size();) {
      if (bench_overlap(&crowd.boxes[i], &crowd.boxes[of[k]])) {
        bench_tally_pair(&tally, i, of[k]);
      } else if (!overlap(aabb_of_item(state, i), aabb_of_item(state, of[k]))) {
        of[k] = of.back();
        of.pop_back();
        continue;
      }
      k++;
    }
  }
  return tally;
}

// ---------------------------------------------------------------- rays

struct RayCaster {
  const State &state;
  const bench_Segment &ray;
  std::size_t question;
  bool all;
  double first;
  bench_Tally &tally;
};

float clip_at_item(const b2RayCastInput *input, int, uint64_t item, void *context) {
  RayCaster &caster = *static_cast<RayCaster *>(context);
  double at = bench_entry(&caster.state.crowd->boxes[item], &caster.ray);
  if (caster.all && at <= 1)
    bench_tally_item(&caster.tally, caster.question, static_cast<uint32_t>(item));
  if (caster.all || at >= caster.first) return input->maxFraction;
  caster.first = at;
  return static_cast<float>(at);
}

template <bool ALL> bench_Tally ask_rays(void *opened) {
  const State &state = *static_cast<State *>(opened);
  bench_Tally tally = {0, 0};
  for (std::size_t i = 0; i < state.crowd->questions->count; i++) {
    const bench_Segment &ray = state.crowd->questions->rays[i];
    RayCaster caster = {state, ray, i, ALL, 2, tally};
    b2Vec2 from = vector_of(ray.from), to = vector_of(ray.to);
    b2RayCastInput input = {from, {to.x - from.x, to.y - from.y}, 1};
    b2DynamicTree_RayCast(&state.tree, &input, ANY_CATEGORY, clip_at_item, &caster);
    if (!ALL && caster.first <= 1) bench_tally_distance(&tally, i, caster.first);
  }
  return tally;
}

// ---------------------------------------------------------------- ways

void *open_with_margin(bench_Crowd *crowd, float margin) {
  State *state = new State{crowd, margin, b2DynamicTree_Create(), {}, {}, {}};
  fill_at_once(*state);
  return state;
}

void *open_grown(bench_Crowd *crowd) { return open_with_margin(crowd, MARGIN); }
void *open_as_they_are(bench_Crowd *crowd) { return open_with_margin(crowd, 0); }

// With the contacts that there are.
void *open_kept(bench_Crowd *crowd) {
  State *state = static_cast<State *>(open_grown(crowd));
  state->contacts.resize(crowd->count);
  for (uint32_t i = 0; i < crowd->count; i++) add_contacts_of(*state, i);
  return state;
}

void tell(void *state) { enlarge_moved(*static_cast<State *>(state)); }

void close_tree(void *opened) {
  State *state = static_cast<State *>(opened);
  b2DynamicTree_Destroy(&state->tree);
  delete state;
}

} // namespace

extern "C" const bench_Index bench_box2d3_tree[] = {
    {"Box2D 3",
     "grown, a query each",
     100000,
     true,
     false,
     open_grown,
     close_tree,
     {build<fill_at_once>, rebuild<fill_at_once>, frame_queried, interleave, ask_windows,
      ask_rays<false>, ask_rays<true>, nullptr},
     tell},
    {"Box2D 3",
     "as they are, a query each",
     100000,
     true,
     false,
     open_as_they_are,
     close_tree,
     {build<fill>, rebuild<fill_at_once>, frame_queried, interleave, ask_windows, ask_rays<false>,
      ask_rays<true>, nullptr},
     tell},
    {"Box2D 3",
     "grown, pairs kept",
     100000,
     true,
     false,
     open_kept,
     close_tree,
     {nullptr, nullptr, frame_kept, nullptr, nullptr, nullptr, nullptr, nullptr},
     nullptr},
    {nullptr, nullptr, 0, false, false, nullptr, nullptr, {nullptr}, nullptr}};

#else

extern "C" const bench_Index bench_box2d3_tree[] = {
    {"Box2D 3", "left out", 0, false, false, nullptr, nullptr, {nullptr}, nullptr},
    {nullptr, nullptr, 0, false, false, nullptr, nullptr, {nullptr}, nullptr}};

#endif
