/* epa.c: the expanding polytope algorithm. A polygon is inscribed in D and grown at the chord
 * nearest to the origin until that chord is a facet. Each chord stores the range of both sides'
 * vertices between its ends, so that the support point beyond it takes two binary searches over the
 * edges' angles. */
#include "narrowphase/epa.h"

/* The algorithm gives up on a polygon of more chords than this. */
#define MOST_CHORDS 192

/* A corner of D, and the vertices that make it. Indices count on past the last vertex, so that they
 * never decrease along the boundary. */
typedef struct PolygonCorner {
  sat_Vec2 index;
  uint32_t at[2];
} PolygonCorner;

typedef struct Chord {
  PolygonCorner from, to;
  sat_Vec2 outward; /* not of unit length */
  double depth;     /* the origin's distance from its line, positive inside */
} Chord;

typedef struct InnerPolygon {
  const sat_Pair *pair;
  Chord chord[MOST_CHORDS];
  uint32_t count;
} InnerPolygon;

static uint32_t wrapped(const sat_Convex *convex, uint32_t index) {
  return index >= convex->count ? index - convex->count : index;
}

static sat_Vec2 edge_normal(const sat_Pair *pair, uint32_t side, uint32_t index) {
  return normal_of(pair->of[side].edges, wrapped(&pair->of[side], index));
}

static PolygonCorner polygon_corner(const sat_Pair *pair, uint32_t of_a, uint32_t of_b) {
  uint32_t a = wrapped(&pair->of[SAT_A], of_a), b = wrapped(&pair->of[SAT_B], of_b);
  return (PolygonCorner){corner_of(pair, a, b), {of_a, of_b}};
}

static bool same_corner(const PolygonCorner *a, const PolygonCorner *b) {
  return a->at[0] == b->at[0] && a->at[1] == b->at[1];
}

/* The support vertex in `direction` of one side's range from `low` to `high`: the edges before it
 * turn towards the direction, the edges after it away. */
static uint32_t farthest(const sat_Pair *pair, uint32_t side, uint32_t low, uint32_t high,
                         sat_Vec2 direction) {
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (cross(edge_normal(pair, side, middle), direction) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* How far apart the two sides are in a direction: less than 0 where they overlap in it. A chord
 * between corners that are almost one has a rounded direction, whose support vertices may be beyond
 * the chord's range. */
static double separation_along(const sat_Pair *pair, sat_Vec2 direction) {
  uint32_t a = sat_support_index(&pair->of[SAT_A], neg(direction));
  uint32_t b = sat_support_index(&pair->of[SAT_B], direction);
  return -dot(direction, corner_of(pair, a, b)) / length(direction);
}

static PolygonCorner farthest_corner(const sat_Pair *pair, const Chord *chord) {
  const PolygonCorner *from = &chord->from, *to = &chord->to;
  uint32_t a = farthest(pair, SAT_A, from->at[SAT_A], to->at[SAT_A], neg(chord->outward));
  uint32_t b = farthest(pair, SAT_B, from->at[SAT_B], to->at[SAT_B], chord->outward);
  return polygon_corner(pair, a, b);
}

static void add_chord(InnerPolygon *polygon, uint32_t index, PolygonCorner from, PolygonCorner to) {
  sat_Vec2 outward = neg(perp(sub(to.index, from.index)));
  double size = length(outward);
  double depth = size > 0 ? dot(outward, from.index) / size : HUGE_VAL;
  polygon->chord[index] = (Chord){from, to, outward, depth};
}

/* The number of indices in a whole turn: a point has no edges. */
static uint32_t indices_per_turn(const sat_Convex *convex) {
  return convex->count > 1 ? convex->count : 0;
}

/* The support vertex of one side in `direction`, counted on from the corner before. The first
 * vertex comes again after a whole turn. Of two equally far vertices the support search may return
 * the one before; the later one serves as well. */
static uint32_t advance_vertex(const sat_Convex *convex, sat_Vec2 direction, uint32_t first,
                               uint32_t before) {
  uint32_t index = sat_support_index(convex, direction);
  if (index < first || (index == first && before > first)) index += indices_per_turn(convex);
  return index < before ? before : index;
}

/* The corners farthest along both axes, either way: the first inscribed polygon, with up to four
 * chords. */
static void init_polygon(InnerPolygon *polygon, const sat_Pair *pair) {
  static const sat_Vec2 directions[5] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  uint32_t first_a = sat_support_index(a, neg(directions[0]));
  uint32_t first_b = sat_support_index(b, directions[0]);
  PolygonCorner first = polygon_corner(pair, first_a, first_b), last = first, from = first;
  last.at[SAT_A] += indices_per_turn(a);
  last.at[SAT_B] += indices_per_turn(b);
  polygon->pair = pair;
  polygon->count = 0;
  for (int i = 1; i < 5; i++) {
    uint32_t of_a =
        i == 4 ? last.at[SAT_A] : advance_vertex(a, neg(directions[i]), first_a, from.at[SAT_A]);
    uint32_t of_b =
        i == 4 ? last.at[SAT_B] : advance_vertex(b, directions[i], first_b, from.at[SAT_B]);
    PolygonCorner to = polygon_corner(pair, of_a, of_b);
    if (!same_corner(&from, &to)) add_chord(polygon, polygon->count++, from, to);
    from = to;
  }
}

static uint32_t nearest_chord(const InnerPolygon *polygon) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < polygon->count; i++)
    best = polygon->chord[i].depth < polygon->chord[best].depth ? i : best;
  return best;
}

/* The facet of a range of one edge. Two parallel edges, one of each side, make one facet of D;
 * their separations differ by rounding alone and the larger one is taken, as in the other
 * algorithms. */
static void improve_facet(const InnerPolygon *polygon, const Chord *chord, uint32_t side,
                          sat_Facet *max_facet) {
  const sat_Pair *pair = polygon->pair;
  const sat_Convex *own = &pair->of[side], *other = &pair->of[!side];
  if (chord->to.at[side] == chord->from.at[side]) return;
  uint32_t edge = wrapped(own, chord->from.at[side]),
           vertex = wrapped(other, chord->from.at[!side]);
  sat_Facet facet = sat_facet_near(pair, side, edge, vertex);
  if (facet.separation > max_facet->separation) *max_facet = facet;
}

/* Whether a chord spans no more than one edge of either side. */
static bool spans_one(const Chord *chord) {
  return chord->to.at[0] - chord->from.at[0] <= 1 && chord->to.at[1] - chord->from.at[1] <= 1;
}

/* Whether another chord's range may hold a facet about as near. */
static bool has_rival(const InnerPolygon *polygon, uint32_t best, double depth) {
  for (uint32_t i = 0; i < polygon->count; i++)
    if (i != best && polygon->chord[i].depth <= depth) return true;
  return false;
}

/* The depth of a chord between corners that are almost one is rounded, too: that of its facet takes
 * its place. */
bool sat_epa(const sat_Pair *pair, double threshold, double tie, sat_Facet *max_facet, bool *ties) {
  InnerPolygon polygon;
  init_polygon(&polygon, pair);
  while (polygon.count >= 2 && polygon.count < MOST_CHORDS) {
    uint32_t best = nearest_chord(&polygon);
    Chord chord = polygon.chord[best];
    PolygonCorner beyond = farthest_corner(pair, &chord);
    double separation = -dot(chord.outward, beyond.index) / length(chord.outward);
    if (separation > threshold) {
      max_facet->separation = separation_along(pair, chord.outward);
      if (max_facet->separation > threshold) return true;
    }
    bool grows = !same_corner(&beyond, &chord.from) && !same_corner(&beyond, &chord.to);
    if (!grows || (spans_one(&chord) && -separation - chord.depth <= pair->error_bound)) {
      if (!spans_one(&chord)) return false;
      max_facet->separation = -HUGE_VAL;
      improve_facet(&polygon, &chord, SAT_A, max_facet);
      improve_facet(&polygon, &chord, SAT_B, max_facet);
      if (chord.depth < -max_facet->separation - pair->error_bound) {
        polygon.chord[best].depth = -max_facet->separation;
        continue;
      }
      *ties = has_rival(&polygon, best, tie - max_facet->separation);
      return max_facet->separation < -pair->error_bound;
    }
    add_chord(&polygon, best, chord.from, beyond);
    add_chord(&polygon, polygon.count++, beyond, chord.to);
  }
  return false;
}
