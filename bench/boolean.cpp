// boolean.cpp: unions and repairs beside Clipper 6 and Clipper2, in the same program and on the same rings.
//
// Clipper 6 takes part where Debian's libpolyclipping-dev is installed, Clipper2 where CLIPPER2 names a checkout of it.
// Both count in whole numbers: their coordinates are ours times SCALE. Times are those of the processor, the least of many
// rounds, in turns.
#include "sat.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <time.h>
#include <vector>

#if __has_include(<polyclipping/clipper.hpp>)
#include <polyclipping/clipper.hpp>
#define BENCH_CLIPPER6
#endif
#ifdef BENCH_CLIPPER2
#include "clipper2/clipper.h"
#endif

using Ring = std::vector<sat_Vec2>;
using Rings = std::vector<Ring>;

static const double SCALE = 1e6;
static uint32_t state = 1;

static double random_real() {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / 16777216.0;
}

// ---------------------------------------------------------------- rings

static Ring star(double x, double y, int n, bool jagged) {
  Ring ring;
  for (int i = 0; i < n; i++) {
    double angle = 6.283185307179586 * i / n;
    double radius = jagged ? 50 + 50 * random_real() : i % 2 ? 50 : 100;
    ring.push_back({x + radius * std::cos(angle), y + radius * std::sin(angle)});
  }
  return ring;
}

// A line that crosses itself: each step is as long as the next, in any direction.
static Ring walk(int n) {
  Ring ring;
  double x = 0, y = 0;
  for (int i = 0; i < n; i++) {
    double angle = 6.283185307179586 * random_real();
    ring.push_back({x += std::cos(angle), y += std::sin(angle)});
  }
  return ring;
}

static Rings cells(int side, double shift) {
  Rings rings;
  for (int x = 0; x < side; x++)
    for (int y = 0; y < side; y++)
      if (random_real() < 0.6) {
        double l = x + shift, t = y + shift;
        rings.push_back({{l, t}, {l + 1, t}, {l + 1, t + 1}, {l, t + 1}});
      }
  return rings;
}

// ---------------------------------------------------------------- contestants

// Each returns the area of the result, so that all do the same.
using Contestant = std::function<double()>;

static void *allocate(void *, void *block, size_t, size_t size) {
  if (size) return std::realloc(block, size);
  std::free(block);
  return nullptr;
}

struct Region {
  std::vector<sat_Vec2> points;
  std::vector<uint32_t> first{0};
  bool even_odd;
  Region(const Rings &rings, bool even_odd) : even_odd(even_odd) {
    for (const Ring &ring : rings) {
      points.insert(points.end(), ring.begin(), ring.end());
      first.push_back((uint32_t)points.size());
    }
  }
  sat_Region view() const { return {points.data(), first.data(), first.size() - 1, even_odd}; }
};

static Contestant ours(const Rings &a, const Rings &b, bool even_odd) {
  return [left = Region(a, even_odd), right = Region(b, even_odd)] {
    static sat_Scratch scratch = sat_scratch_make({allocate, nullptr});
    sat_Region view[2] = {left.view(), right.view()};
    sat_Outline outline;
    if (sat_boolean(SAT_UNION, &view[0], &view[1], &scratch, &outline) != SAT_OK)
      return (double)NAN;
    double area = 0;
    for (uint32_t k = 0; k < outline.count; k++)
      area +=
          sat_ring_area(outline.points + outline.first[k], outline.first[k + 1] - outline.first[k]);
    return area;
  };
}

// Of either Clipper's own points.
template <class Paths> static Paths paths(const Rings &rings) {
  Paths list;
  for (const Ring &ring : rings) {
    list.emplace_back();
    for (sat_Vec2 p : ring)
      list.back().emplace_back(std::llround(p.x * SCALE), std::llround(p.y * SCALE));
  }
  return list;
}

#ifdef BENCH_CLIPPER6
static Contestant clipper6(const Rings &a, const Rings &b, bool even_odd) {
  using Paths = ClipperLib::Paths;
  return [left = paths<Paths>(a), right = paths<Paths>(b), even_odd] {
    ClipperLib::Clipper clipper;
    ClipperLib::PolyTree tree; // which knows the polygon around a hole, as ours does
    clipper.AddPaths(left, ClipperLib::ptSubject, true);
    clipper.AddPaths(right, ClipperLib::ptClip, true);
    auto rule = even_odd ? ClipperLib::pftEvenOdd : ClipperLib::pftNonZero;
    clipper.Execute(ClipperLib::ctUnion, tree, rule, rule);
    ClipperLib::Paths result;
    ClipperLib::PolyTreeToPaths(tree, result);
    double area = 0;
    for (const auto &path : result) area += ClipperLib::Area(path);
    return area / SCALE / SCALE;
  };
}
#endif

#ifdef BENCH_CLIPPER2
static Contestant clipper2(const Rings &a, const Rings &b, bool even_odd) {
  using Paths = Clipper2Lib::Paths64;
  return [left = paths<Paths>(a), right = paths<Paths>(b), even_odd] {
    Clipper2Lib::Clipper64 clipper;
    Clipper2Lib::PolyTree64 tree;
    clipper.AddSubject(left);
    clipper.AddClip(right);
    clipper.Execute(Clipper2Lib::ClipType::Union,
                    even_odd ? Clipper2Lib::FillRule::EvenOdd : Clipper2Lib::FillRule::NonZero,
                    tree);
    return Clipper2Lib::Area(Clipper2Lib::PolyTreeToPaths64(tree)) / SCALE / SCALE;
  };
}
#endif

// ---------------------------------------------------------------- the table

static double processor_ms() {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void row(const char *words, const Rings &a, const Rings &b, bool even_odd, int rounds) {
  std::vector<std::pair<std::string, Contestant>> list = {{"sat", ours(a, b, even_odd)}};
#ifdef BENCH_CLIPPER6
  list.emplace_back("Clipper 6", clipper6(a, b, even_odd));
#endif
#ifdef BENCH_CLIPPER2
  list.emplace_back("Clipper2", clipper2(a, b, even_odd));
#endif
  std::vector<double> least(list.size(), INFINITY), area(list.size());
  for (int round = 0; round < rounds; round++)
    for (size_t i = 0; i < list.size(); i++) {
      double start = processor_ms();
      area[i] = list[i].second();
      least[i] = std::fmin(least[i], processor_ms() - start);
    }
  std::printf("%-52s", words);
  for (size_t i = 0; i < list.size(); i++) {
    bool differs = std::fabs(area[i] - area[0]) > 1e-3 * std::fabs(area[0]);
    std::printf("  %s %9.3f ms%s", list[i].first.c_str(), least[i],
                differs ? " (another area!)" : "");
  }
  std::printf("\n");
}

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
#ifndef BENCH_CLIPPER6
  std::printf("Clipper 6 is missing: libpolyclipping-dev has it\n");
#endif
#ifndef BENCH_CLIPPER2
  std::printf("Clipper2 is missing: CLIPPER2=folder names a checkout\n");
#endif
  row("two boxes", {{{0, 0}, {4, 0}, {4, 4}, {0, 4}}}, {{{2, 2}, {9, 2}, {9, 9}, {2, 9}}}, false,
      2000);
  row("two jagged stars of 150 vertices", {star(0, 0, 150, true)}, {star(20, 10, 150, true)}, false,
      500);
  row("two even stars of 150 vertices", {star(0, 0, 150, false)}, {star(20, 10, 150, false)}, false,
      300);
  row("two jagged stars of 1000 vertices", {star(0, 0, 1000, true)}, {star(20, 10, 1000, true)},
      false, 20);
  row("400 cells, and 400 half a cell aside", cells(20, 0), cells(20, 0.5), false, 50);
  row("10,000 cells, and as many half a cell aside", cells(100, 0), cells(100, 0.5), false, 3);
  row("a line of 1000 steps, repaired", {walk(1000)}, {}, false, 50);
  row("a line of 10,000 steps, repaired", {walk(10000)}, {}, false, 5);
  row("a line of 100,000 steps, repaired", {walk(100000)}, {}, false, 1);
  row("the same by evenodd", {walk(100000)}, {}, true, 1);
  return 0;
}
