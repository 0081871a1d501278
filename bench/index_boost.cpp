// index_boost.cpp: Boost's R-tree, packed anew in every frame or kept up to date item by item.
#include "index.h"

#include <algorithm>
#include <boost/function_output_iterator.hpp>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <vector>

namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

// Of doubles or floats, which hold the scenes as exactly, with any way to split a full node.
template <typename Number, typename Split> struct Index {
  using Point = bg::model::point<Number, 2, bg::cs::cartesian>;
  using Box = bg::model::box<Point>;
  using Segment = bg::model::segment<Point>;
  using Value = std::pair<Box, uint32_t>;
  using Tree = bgi::rtree<Value, Split>;

  bench_Crowd *crowd;
  Tree tree;
  std::vector<Value> values; // as they are in the tree
  explicit Index(bench_Crowd *of) : crowd(of), values(of->count) {}

  static Index &of(void *state) { return *static_cast<Index *>(state); }
  static Point point_of(double x, double y) {
    return Point(static_cast<Number>(x), static_cast<Number>(y));
  }
  static Box box_of(const sat_Rectangle &box) {
    return Box(point_of(box.x, box.y), point_of(box.x + box.w, box.y + box.h));
  }

  // ---------------------------------------------------------------- what is in it

  void read(uint32_t item) { values[item] = Value(box_of(crowd->boxes[item]), item); }
  void read_all() {
    for (uint32_t i = 0; i < crowd->count; i++) read(i);
  }
  void pack() {
    read_all();
    tree = Tree(values.begin(), values.end());
  }
  void insert_each() {
    read_all();
    tree.clear();
    for (const Value &value : values) tree.insert(value);
  }
  void move(uint32_t item) {
    tree.remove(values[item]);
    read(item);
    tree.insert(values[item]);
  }

  static void *open_packed(bench_Crowd *crowd) {
    Index *index = new Index(crowd);
    index->pack();
    return index;
  }
  static void *open_inserted(bench_Crowd *crowd) {
    Index *index = new Index(crowd);
    index->insert_each();
    return index;
  }
  static void close(void *state) { delete static_cast<Index *>(state); }

  // ---------------------------------------------------------------- pairs

  void pairs_of(const Value &value, bench_Tally &tally) const {
    uint32_t item = value.second;
    auto found = [&](const Value &other) {
      if (item < other.second) bench_tally_pair(&tally, item, other.second);
    };
    tree.query(bgi::intersects(value.first), boost::make_function_output_iterator(found));
  }
  // In the order of the tree, so that one question visits the nodes of the last.
  bench_Tally all_pairs() const {
    bench_Tally tally = {0, 0};
    for (const Value &value : tree) pairs_of(value, tally);
    return tally;
  }

  static bench_Tally frame_packed(void *state) {
    of(state).pack();
    return of(state).all_pairs();
  }
  static void tell(void *state) {
    Index &index = of(state);
    for (std::size_t i = 0; i < index.crowd->moved_count; i++) index.move(index.crowd->moved[i]);
  }
  static bench_Tally frame_moved(void *state) {
    tell(state);
    return of(state).all_pairs();
  }

  // ---------------------------------------------------------------- questions

  void look(std::size_t question, const Box &box, bench_Tally &tally) const {
    auto found = [&](const Value &value) { bench_tally_item(&tally, question, value.second); };
    tree.query(bgi::intersects(box), boost::make_function_output_iterator(found));
  }

  static bench_Tally interleave(void *state) {
    Index &index = of(state);
    bench_Crowd &crowd = *index.crowd;
    bench_Tally tally = {0, 0};
    for (uint32_t i = 0; i < crowd.count; i++) {
      crowd.boxes[i] = crowd.next[i];
      index.move(i);
      auto found = [&](const Value &value) {
        if (value.second != i) bench_tally_item(&tally, i, value.second);
      };
      index.tree.query(bgi::intersects(index.values[i].first),
                       boost::make_function_output_iterator(found));
    }
    return tally;
  }

  static bench_Tally ask_windows(void *state) {
    const Index &index = of(state);
    bench_Tally tally = {0, 0};
    for (std::size_t i = 0; i < index.crowd->window_count; i++)
      index.look(i, box_of(index.crowd->windows[i]), tally);
    return tally;
  }
  static bench_Tally build_packed(void *state) {
    Index &index = of(state);
    index.pack();
    bench_Tally tally = {0, 0};
    index.look(0, box_of(index.crowd->questions->small[0]), tally);
    return tally;
  }

  template <typename Found> void cast(const bench_Segment &ray, Found found) const {
    Segment segment(point_of(ray.from.x, ray.from.y), point_of(ray.to.x, ray.to.y));
    tree.query(bgi::intersects(segment), boost::make_function_output_iterator(found));
  }
  static bench_Tally ask_rays(void *state) {
    const Index &index = of(state);
    const bench_Questions &questions = *index.crowd->questions;
    bench_Tally tally = {0, 0};
    for (std::size_t i = 0; i < questions.count; i++) {
      double first = 2;
      index.cast(questions.rays[i], [&](const Value &value) {
        first = std::min(first, bench_entry(&index.crowd->boxes[value.second], &questions.rays[i]));
      });
      if (first <= 1) bench_tally_distance(&tally, i, first);
    }
    return tally;
  }
  static bench_Tally ask_rays_all(void *state) {
    const Index &index = of(state);
    const bench_Questions &questions = *index.crowd->questions;
    bench_Tally tally = {0, 0};
    for (std::size_t i = 0; i < questions.count; i++)
      index.cast(questions.rays[i],
                 [&](const Value &value) { bench_tally_item(&tally, i, value.second); });
    return tally;
  }
  static bench_Tally ask_nearest(void *state) {
    const Index &index = of(state);
    const bench_Questions &questions = *index.crowd->questions;
    bench_Tally tally = {0, 0};
    for (std::size_t i = 0; i < questions.count; i++) {
      sat_Vec2 point = questions.points[i];
      auto found = [&](const Value &value) {
        bench_tally_distance(&tally, i, bench_distance(&index.crowd->boxes[value.second], point));
      };
      index.tree.query(bgi::nearest(point_of(point.x, point.y), 1),
                       boost::make_function_output_iterator(found));
    }
    return tally;
  }

  static constexpr bench_Index packed(const char *way) {
    return {"Boost R-tree",
            way,
            SIZE_MAX,
            false,
            true,
            open_packed,
            close,
            {build_packed, frame_packed, frame_packed, nullptr, ask_windows, ask_rays, ask_rays_all,
             ask_nearest},
            nullptr};
  }
  static constexpr bench_Index kept(const char *way) {
    return {"Boost R-tree",
            way,
            SIZE_MAX,
            false,
            false,
            open_inserted,
            close,
            {nullptr, nullptr, frame_moved, interleave, nullptr, nullptr, nullptr, nullptr},
            tell};
  }
};

} // namespace

extern "C" const bench_Index bench_boost[] = {
    Index<float, bgi::quadratic<8>>::packed("packed; floats; 8"),
    Index<float, bgi::quadratic<16>>::packed("packed; floats; 16"),
    Index<float, bgi::linear<16>>::kept("kept; linear 16"),
    Index<float, bgi::quadratic<8>>::kept("kept; quadratic 8"),
    {nullptr, nullptr, 0, false, false, nullptr, nullptr, {nullptr}, nullptr}};
