// index_box2d.cpp: Box2D 2.4's broad phase, and the tree in it. What it suggests is tested before
// it counts.
#include "index.h"

#include <algorithm>
#include <box2d/box2d.h>
#include <memory>
#include <vector>

namespace {

struct State {
  bench_Crowd *crowd;
  std::unique_ptr<b2BroadPhase> phase;
  std::vector<int32> proxies;
  std::vector<std::vector<uint32_t>> contacts; // of each item those with the items above it
  explicit State(bench_Crowd *of) : crowd(of) {}
};

b2AABB aabb_of(const sat_Rectangle &box) {
  b2AABB aabb;
  aabb.lowerBound.Set(static_cast<float>(box.x), static_cast<float>(box.y));
  aabb.upperBound.Set(static_cast<float>(box.x + box.w), static_cast<float>(box.y + box.h));
  return aabb;
}

b2Vec2 vector_of(sat_Vec2 v) { return b2Vec2(static_cast<float>(v.x), static_cast<float>(v.y)); }

void *data_of(std::size_t item) { return reinterpret_cast<void *>(item); }
uint32_t item_of(void *data) { return static_cast<uint32_t>(reinterpret_cast<std::size_t>(data)); }

void fill(State &state) {
  const bench_Crowd &crowd = *state.crowd;
  state.phase.reset(new b2BroadPhase);
  state.proxies.resize(crowd.count);
  for (std::size_t i = 0; i < crowd.count; i++)
    state.proxies[i] = state.phase->CreateProxy(aabb_of(crowd.boxes[i]), data_of(i));
}

// ---------------------------------------------------------------- pairs

struct PairFinder {
  const bench_Crowd &crowd;
  bench_Tally tally = {0, 0};
  explicit PairFinder(const bench_Crowd &of) : crowd(of) {}
  void AddPair(void *a, void *b) {
    uint32_t i = item_of(a), k = item_of(b);
    if (bench_overlap(&crowd.boxes[i], &crowd.boxes[k])) bench_tally_pair(&tally, i, k);
  }
};

// A moving proxy grows ahead of its motion of one frame.
void move_proxies(State &state) {
  const bench_Crowd &crowd = *state.crowd;
  for (std::size_t k = 0; k < crowd.moved_count; k++) {
    uint32_t i = crowd.moved[k];
    state.phase->MoveProxy(state.proxies[i], aabb_of(crowd.boxes[i]), vector_of(crowd.steps[i]));
  }
}

bench_Tally rebuild(void *opened) {
  State &state = *static_cast<State *>(opened);
  fill(state);
  PairFinder finder(*state.crowd);
  state.phase->UpdatePairs(&finder);
  return finder.tally;
}

// Contacts are kept, as a world keeps them: new ones are added once, old ones last as long as the
// grown boxes overlap.
struct ContactKeeper {
  std::vector<std::vector<uint32_t>> &contacts;
  void AddPair(void *a, void *b) {
    uint32_t low = std::min(item_of(a), item_of(b)), high = std::max(item_of(a), item_of(b));
    std::vector<uint32_t> &of = contacts[low];
    if (std::find(of.begin(), of.end(), high) == of.end()) of.push_back(high);
  }
};

bench_Tally frame_kept(void *opened) {
  State &state = *static_cast<State *>(opened);
  const bench_Crowd &crowd = *state.crowd;
  move_proxies(state);
  ContactKeeper keeper = {state.contacts};
  state.phase->UpdatePairs(&keeper);
  bench_Tally tally = {0, 0};
  for (uint32_t i = 0; i < crowd.count; i++) {
    std::vector<uint32_t> &of = state.contacts[i];
    for (std::size_t k = 0; k < of.size();) {
      if (bench_overlap(&crowd.boxes[i], &crowd.boxes[of[k]])) {
        bench_tally_pair(&tally, i, of[k]);
      } else if (!state.phase->TestOverlap(state.proxies[i], state.proxies[of[k]])) {
        of[k] = of.back();
        of.pop_back();
        continue;
      }
      k++;
    }
  }
  return tally;
}

// The tree alone, asked about the box of each item.
struct ItemFinder {
  const State &state;
  const sat_Rectangle &box;
  std::size_t question;
  bool pairs; // with items above the one of the question alone
  bench_Tally tally;
  bool QueryCallback(int32 proxy) {
    uint32_t item = item_of(state.phase->GetUserData(proxy));
    if (pairs ? item <= question : &state.crowd->boxes[item] == &box) return true;
    if (bench_overlap(&box, &state.crowd->boxes[item])) bench_tally_item(&tally, question, item);
    return true;
  }
};

bench_Tally frame_queried(void *opened) {
  State &state = *static_cast<State *>(opened);
  const bench_Crowd &crowd = *state.crowd;
  move_proxies(state);
  bench_Tally tally = {0, 0};
  for (std::size_t i = 0; i < crowd.count; i++) {
    ItemFinder finder = {state, crowd.boxes[i], i, true, tally};
    state.phase->Query(&finder, aabb_of(crowd.boxes[i]));
    tally = finder.tally;
  }
  return tally;
}

// ---------------------------------------------------------------- questions

bench_Tally interleave(void *opened) {
  State &state = *static_cast<State *>(opened);
  bench_Crowd &crowd = *state.crowd;
  bench_Tally tally = {0, 0};
  for (std::size_t i = 0; i < crowd.count; i++) {
    sat_Rectangle &box = crowd.boxes[i];
    box = crowd.next[i];
    state.phase->MoveProxy(state.proxies[i], aabb_of(box), vector_of(crowd.steps[i]));
    ItemFinder finder = {state, box, i, false, tally};
    state.phase->Query(&finder, aabb_of(box));
    tally = finder.tally;
  }
  return tally;
}

void ask_window(const State &state, std::size_t question, const sat_Rectangle &window,
                bench_Tally &tally) {
  ItemFinder finder = {state, window, question, false, tally};
  state.phase->Query(&finder, aabb_of(window));
  tally = finder.tally;
}

bench_Tally ask_windows(void *opened) {
  const State &state = *static_cast<State *>(opened);
  bench_Tally tally = {0, 0};
  for (std::size_t i = 0; i < state.crowd->window_count; i++)
    ask_window(state, i, state.crowd->windows[i], tally);
  return tally;
}

bench_Tally build(void *opened) {
  State &state = *static_cast<State *>(opened);
  fill(state);
  bench_Tally tally = {0, 0};
  ask_window(state, 0, state.crowd->questions->small[0], tally);
  return tally;
}

struct RayCaster {
  const State &state;
  const bench_Segment &ray;
  std::size_t question;
  bool all;
  double first;
  bench_Tally tally;
  float RayCastCallback(const b2RayCastInput &input, int32 proxy) {
    uint32_t item = item_of(state.phase->GetUserData(proxy));
    double at = bench_entry(&state.crowd->boxes[item], &ray);
    if (all && at <= 1) bench_tally_item(&tally, question, item);
    if (all || at >= first) return input.maxFraction;
    first = at;
    return static_cast<float>(at);
  }
};

RayCaster cast(const State &state, std::size_t i, bool all, bench_Tally tally) {
  const bench_Segment &ray = state.crowd->questions->rays[i];
  RayCaster caster = {state, ray, i, all, 2, tally};
  b2RayCastInput input = {vector_of(ray.from), vector_of(ray.to), 1};
  state.phase->RayCast(&caster, input);
  return caster;
}

bench_Tally ask_rays(void *opened) {
  const State &state = *static_cast<State *>(opened);
  bench_Tally tally = {0, 0};
  for (std::size_t i = 0; i < state.crowd->questions->count; i++) {
    RayCaster caster = cast(state, i, false, tally);
    if (caster.first <= 1) bench_tally_distance(&tally, i, caster.first);
  }
  return tally;
}

bench_Tally ask_rays_all(void *opened) {
  const State &state = *static_cast<State *>(opened);
  bench_Tally tally = {0, 0};
  for (std::size_t i = 0; i < state.crowd->questions->count; i++)
    tally = cast(state, i, true, tally).tally;
  return tally;
}

void *open_phase(bench_Crowd *crowd) {
  State *state = new State(crowd);
  fill(*state);
  return state;
}

// With the contacts that there are.
void *open_kept(bench_Crowd *crowd) {
  State *state = new State(crowd);
  fill(*state);
  state->contacts.resize(crowd->count);
  ContactKeeper keeper = {state->contacts};
  state->phase->UpdatePairs(&keeper);
  return state;
}

void tell(void *state) { move_proxies(*static_cast<State *>(state)); }

void close_phase(void *state) { delete static_cast<State *>(state); }

} // namespace

// UpdatePairs tells of new pairs alone: all pairs are either asked for item by item, or kept.
extern "C" const bench_Index bench_box2d_tree[] = {
    {"b2BroadPhase",
     "a query each",
     100000,
     true,
     false,
     open_phase,
     close_phase,
     {build, rebuild, frame_queried, interleave, ask_windows, ask_rays, ask_rays_all, nullptr},
     tell},
    {nullptr, nullptr, 0, false, false, nullptr, nullptr, {nullptr}, nullptr}};

extern "C" const bench_Index bench_box2d_contacts[] = {
    {"b2 contacts",
     "pairs kept",
     100000,
     true,
     false,
     open_kept,
     close_phase,
     {nullptr, nullptr, frame_kept, nullptr, nullptr, nullptr, nullptr, nullptr},
     nullptr},
    {nullptr, nullptr, 0, false, false, nullptr, nullptr, {nullptr}, nullptr}};
