/* escape.c: see escape.h.
 *
 * The shortest way leads to a point of the outline of one difference that no other one covers. So
 * the stretches of all outlines are looked at in the order of how near they come to the origin; on
 * each, from the nearest place on, what others cover is skipped to both sides. What is left has a
 * length, which closes the slits between differences that only abut. No stretch farther from the
 * origin than the best way so far is looked at.
 *
 * Agarwal, Flato and Halperin, Polygon decomposition for efficient construction of Minkowski sums,
 * 2002. */
#include "escape.h"

#include "choice.h"
#include "narrowphase.h"
#include "outline.h"
#include "scratch.h"

#include <string.h>

/* Up to so many pairs of pieces all are looked at. Of more, those as near as the way out may be
 * long, which is guessed and doubled. */
#define FEW_PAIRS 256

/* The Minkowski difference of two pieces. */
typedef struct Difference {
  sat_Outline outline;
  sat_Box box; /* of its outline, as seen from the origin */
  uint32_t piece[2];
  uint32_t first; /* of its rims */
  bool known;     /* the outline is there */
} Difference;

/* A stretch that may have the way out: a rim, the turn at its start, or a whole difference that is
 * not yet known. */
typedef enum Part { WHOLE, STRAIGHT, TURN } Part;
typedef struct Entry {
  double near; /* it is no nearer than this */
  uint32_t difference, rim;
  Part part;
} Entry;

typedef struct Search {
  const sat_Body *of[2];
  sat_Vec2 away;   /* from A's origin to B's */
  sat_Vec2 apart;  /* from B's centroid to A's; 0, 0 where they coincide */
  double rounding; /* of the coordinates */
  double depth;    /* of the deepest pair */
  bool overlap;    /* a pair does more than touch */
  Difference *differences;
  sat_Rim *rims;
  Entry *entries;                    /* a heap, the nearest first */
  uint32_t count, entry_count, last; /* `last` has covered something last */
  bool found;
  double shortest;
  sat_Escape best;
  double best_length;
} Search;

/* ---------------------------------------------------------------- pairs of pieces */

static sat_Convex convex_of(const sat_Body *body, const sat_Piece *piece) {
  return (sat_Convex){piece->vertex, body->origin, piece->count};
}

static sat_Pair pair_of(const Search *search, const uint32_t piece[2]) {
  const sat_Piece *a = &search->of[0]->pieces[piece[0]], *b = &search->of[1]->pieces[piece[1]];
  return sat_pair_make(convex_of(search->of[0], a), convex_of(search->of[1], b),
                       a->extent + b->extent, a->radius + b->radius);
}

/* The box of two pieces' difference. */
static sat_Box difference_box(const Search *search, const sat_Piece *a, const sat_Piece *b) {
  double radius = a->radius + b->radius;
  sat_Vec2 out = vec2(radius, radius);
  return (sat_Box){sub(add(search->away, sub(b->box.min, a->box.max)), out),
                   add(add(search->away, sub(b->box.max, a->box.min)), out)};
}

/* The distance of the origin from a box. */
static double box_distance(sat_Box box) {
  double x = max2(max2(box.min.x, -box.max.x), 0), y = max2(max2(box.min.y, -box.max.y), 0);
  return length(vec2(x, y));
}

static bool box_holds(sat_Box box, sat_Vec2 point, double slack) {
  return point.x >= box.min.x - slack && point.x <= box.max.x + slack &&
         point.y >= box.min.y - slack && point.y <= box.max.y + slack;
}

/* Whether a piece is within reach of the other body as a whole. */
static bool within(const Search *search, uint32_t side, const sat_Piece *piece, double reach) {
  sat_Vec2 away = side ? neg(search->away) : search->away;
  sat_Box other = search->of[!side]->box;
  double limit = reach + piece->radius;
  return away.x + other.min.x - piece->box.max.x <= limit &&
         piece->box.min.x - away.x - other.max.x <= limit &&
         away.y + other.min.y - piece->box.max.y <= limit &&
         piece->box.min.y - away.y - other.max.y <= limit;
}

/* Calls for every pair of pieces whose difference's box comes so near to the origin. */
typedef bool (*Visit)(Search *search, const uint32_t piece[2], sat_Box box);
static bool visit_pairs(Search *search, double reach, Visit visit) {
  const sat_Body *a = search->of[0], *b = search->of[1];
  uint32_t piece[2];
  for (piece[0] = 0; piece[0] < a->count; piece[0]++) {
    if (!within(search, 0, &a->pieces[piece[0]], reach)) continue;
    for (piece[1] = 0; piece[1] < b->count; piece[1]++) {
      sat_Box box = difference_box(search, &a->pieces[piece[0]], &b->pieces[piece[1]]);
      if (box_distance(box) <= reach && !visit(search, piece, box)) return false;
    }
  }
  return true;
}

/* ---------------------------------------------------------------- do they meet? */

/* How deep the pieces are in each other: no way out is shorter. */
static bool meet(Search *search, const uint32_t piece[2], sat_Box box) {
  (void)box;
  sat_Pair pair = pair_of(search, piece);
  sat_Meeting meeting;
  if (!sat_pair_meets(&pair, 0, false, NULL, &meeting)) return true;
  double gap = meeting.inside ? meeting.widest.gap : meeting.nearest.distance;
  search->found = true;
  search->overlap = search->overlap || gap < pair.radius;
  search->depth = max2(search->depth, pair.radius - gap);
  return true;
}

/* ---------------------------------------------------------------- the differences */

static bool count_one(Search *search, const uint32_t piece[2], sat_Box box) {
  (void)box;
  search->count++;
  search->entry_count += search->of[0]->pieces[piece[0]].count;
  search->entry_count += search->of[1]->pieces[piece[1]].count;
  return true;
}

static uint32_t most_rims(const Search *search, const uint32_t piece[2]) {
  return search->of[0]->pieces[piece[0]].count + search->of[1]->pieces[piece[1]].count;
}

static void sift_up(Entry *entries, uint32_t index, Entry entry) {
  while (index > 0 && entries[(index - 1) / 2].near > entry.near) {
    entries[index] = entries[(index - 1) / 2];
    index = (index - 1) / 2;
  }
  entries[index] = entry;
}

static void put(Search *search, Entry entry) {
  sift_up(search->entries, search->entry_count++, entry);
}

static Entry take_nearest(Search *search) {
  Entry *entries = search->entries, first = entries[0], last = entries[--search->entry_count];
  uint32_t index = 0, count = search->entry_count;
  for (;;) {
    uint32_t child = 2 * index + 1;
    if (child + 1 < count && entries[child + 1].near < entries[child].near) child++;
    if (child >= count || entries[child].near >= last.near) break;
    entries[index] = entries[child];
    index = child;
  }
  entries[index] = last;
  return first;
}

static bool add_one(Search *search, const uint32_t piece[2], sat_Box box) {
  Difference *difference = &search->differences[search->count];
  uint32_t first = 0;
  if (search->count > 0) {
    const Difference *before = difference - 1;
    first = before->first + most_rims(search, before->piece);
  }
  *difference = (Difference){{NULL, 0, 0, 0, false}, box, {piece[0], piece[1]}, first, false};
  put(search, (Entry){box_distance(box), search->count++, 0, WHOLE});
  return true;
}

/* All differences so near. False: no memory. */
static bool gather(Search *search, double reach, sat_Scratch *scratch) {
  search->count = search->entry_count = 0;
  visit_pairs(search, reach, count_one);
  size_t differences = search->count, rims = search->entry_count;
  char *block =
      sat_scratch_reserve(scratch, differences * sizeof(Difference) + rims * sizeof(sat_Rim) +
                                       (differences + 2 * rims) * sizeof(Entry));
  if (!block) return false;
  search->differences = (Difference *)(void *)block;
  search->rims = (sat_Rim *)(search->differences + differences);
  search->entries = (Entry *)(search->rims + rims);
  search->count = search->entry_count = search->last = 0;
  visit_pairs(search, reach, add_one);
  return true;
}

/* ---------------------------------------------------------------- outlines */

static bool is_inner(const Search *search, const uint32_t piece[2], const sat_Facet *facet) {
  const bool *inner = search->of[facet->side]->pieces[piece[facet->side]].inner;
  return inner && inner[facet->edge];
}

static uint32_t walk_rims(const Search *search, const Difference *difference,
                          const sat_Pair *pair) {
  sat_Rim *rims = search->rims + difference->first;
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  uint32_t count = 0, to[2];
  while (sat_walk_next(&walk, &facet)) {
    sat_Rim *rim = &rims[count];
    rim->start = sat_facet_start(pair, &facet);
    rim->normal = facet_normal(pair, &facet);
    rim->gap = facet.gap;
    rim->length = length(sat_facet_edge(pair, facet.side, facet.edge));
    rim->facet = facet;
    rim->inner = is_inner(search, difference->piece, &facet);
    sat_facet_ends(pair, &facet, rim->corner_of, to);
    count += rim->length > 0;
  }
  return count;
}

static void know(Search *search, Difference *difference) {
  if (difference->known) return;
  sat_Pair pair = pair_of(search, difference->piece);
  sat_Rim *rims = search->rims + difference->first;
  uint32_t count = walk_rims(search, difference, &pair);
  if (count == 0) {
    rims[0] = (sat_Rim){corner_of(&pair, 0, 0), {1, 0}, 0, 0, {0, 0, 0, 0}, {0, 0}, false};
    count = 1;
  }
  bool hollow = pair.radius == 0 && sat_is_flat(&pair);
  difference->outline = (sat_Outline){rims, count, pair.radius, pair.slack, hollow};
  difference->known = true;
}

/* ---------------------------------------------------------------- ways out */

static double tie_of(const Search *search, double length) {
  return 1e-12 * length + search->rounding;
}

/* Whether something so long is too long. */
static bool too_long(const Search *search, double length) {
  return search->found && length > search->shortest + tie_of(search, search->shortest);
}

static void propose(Search *search, double length, const sat_Escape *escape) {
  if (too_long(search, length)) return;
  bool first = !search->found;
  search->found = true;
  if (first || length < search->shortest) search->shortest = length;
  if (!first && !too_long(search, search->best_length) &&
      !sat_better_way(search->apart, escape->way.normal, search->best.way.normal))
    return;
  search->best = *escape;
  search->best_length = length;
}

/* The way to a place on a stretch. Straight on to a facet it is as long as the facet's gap says,
 * whose sign is exact. */
static void propose_place(Search *search, const Difference *difference, const Entry *entry,
                          const sat_Stretch *stretch, double t, bool straight_on) {
  const sat_Rim *rim = &difference->outline.rims[entry->rim];
  sat_Vec2 vector = sat_stretch_at(stretch, t), normal = sat_stretch_normal(stretch, t);
  double size = length(vector);
  if (straight_on && entry->part == STRAIGHT) {
    sat_Pair pair = pair_of(search, difference->piece);
    double gap = pair.radius == 0 ? sat_settled_gap(&pair, &rim->facet) : rim->gap;
    size = max2(pair.radius - gap, 0);
    vector = mul(normal, size);
  } else if (size > search->rounding) {
    normal = mul(vector, 1 / size);
  }
  if (!search->overlap && size <= search->rounding) size = 0;
  if (search->overlap && size == 0) size = DBL_MIN;
  bool corner = entry->part == TURN;
  sat_Escape escape = {{vector, normal, size, corner ? SAT_OF_A : (sat_Side)rim->facet.side,
                        corner ? rim->corner_of[SAT_OF_A] : rim->facet.edge, corner},
                       {difference->piece[0], difference->piece[1]}};
  if (size <= search->rounding) escape.way.vector = size > 0 ? mul(normal, size) : vec2(0, 0);
  propose(search, size, &escape);
}

/* Whether a difference covers what follows a place; if so, goes on to where it does not. */
static bool is_covered_by(Search *search, uint32_t index, const Difference *own,
                          const sat_Stretch *stretch, bool forward, sat_Place *place) {
  Difference *difference = &search->differences[index];
  if (difference == own) return false;
  double slack = search->rounding + place->pad;
  if (!box_holds(difference->box, sat_stretch_at(stretch, place->t), slack)) return false;
  know(search, difference);
  if (!sat_outline_covers(&difference->outline, stretch, forward, place)) return false;
  search->last = index;
  return true;
}

/* From a place on to the first that nothing covers. False when there is none before the end, or the
 * way there is too long. */
static bool find_free(Search *search, const Difference *own, const sat_Stretch *stretch,
                      bool forward, double *t) {
  sat_Place place = {*t, 0};
  uint32_t failures = 0;
  for (uint32_t index = search->last; failures < search->count;) {
    if (is_covered_by(search, index, own, stretch, forward, &place)) {
      if (forward ? place.t + place.pad >= stretch->end : place.t - place.pad <= 0) return false;
      if (too_long(search, length(sat_stretch_at(stretch, place.t)))) return false;
      failures = 0;
    } else {
      failures++;
      index = index + 1 < search->count ? index + 1 : 0;
    }
  }
  *t = place.t;
  return forward ? place.t + place.pad < stretch->end : place.t - place.pad > 0;
}

static void follow(Search *search, const Entry *entry, const sat_Stretch *stretch) {
  const Difference *own = &search->differences[entry->difference];
  double start = sat_stretch_nearest(stretch, search->rounding, search->apart);
  for (int forward = 0; forward < 2; forward++) {
    double t = start;
    if (find_free(search, own, stretch, forward, &t))
      propose_place(search, own, entry, stretch, t,
                    t == start && start > 0 && start < stretch->end);
  }
}

/* ---------------------------------------------------------------- one stretch after the other */

/* A stretch that the origin is outside of is only on the way to another that it is inside of, and
 * one that is all within the deepest pair's depth is covered. */
static void put_stretch(Search *search, Entry entry, const sat_Stretch *stretch) {
  double start = sat_stretch_nearest(stretch, search->rounding, search->apart);
  double depth = search->depth - search->rounding;
  if (length(sat_stretch_at(stretch, 0)) < depth &&
      length(sat_stretch_at(stretch, stretch->end)) < depth)
    return;
  entry.near = length(sat_stretch_at(stretch, start));
  if (!too_long(search, entry.near)) put(search, entry);
}

static void open_difference(Search *search, const Entry *whole) {
  Difference *difference = &search->differences[whole->difference];
  know(search, difference);
  const sat_Outline *outline = &difference->outline;
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    Entry entry = {0, whole->difference, i, STRAIGHT};
    if (rim->length > 0 && !rim->inner && outline->radius - rim->gap >= -outline->slack) {
      sat_Stretch straight = sat_straight_of(outline, i);
      put_stretch(search, entry, &straight);
    }
    if (outline->radius == 0) continue;
    sat_Stretch turns[4];
    uint32_t count = sat_turns_of(outline, i, turns);
    entry.part = TURN;
    entry.near = HUGE_VAL;
    for (uint32_t k = 0; k < count; k++) {
      double t = sat_stretch_nearest(&turns[k], search->rounding, search->apart);
      entry.near = min2(entry.near, length(sat_stretch_at(&turns[k], t)));
    }
    if (count > 0 && !too_long(search, entry.near)) put(search, entry);
  }
}

static void look_at(Search *search, const Entry *entry) {
  const sat_Outline *outline = &search->differences[entry->difference].outline;
  if (entry->part == STRAIGHT) {
    sat_Stretch straight = sat_straight_of(outline, entry->rim);
    follow(search, entry, &straight);
    return;
  }
  sat_Stretch turns[4];
  uint32_t count = sat_turns_of(outline, entry->rim, turns);
  for (uint32_t k = 0; k < count; k++) follow(search, entry, &turns[k]);
}

static void search_all(Search *search) {
  search->found = false;
  while (search->entry_count > 0) {
    Entry entry = take_nearest(search);
    if (too_long(search, entry.near)) return;
    if (entry.part == WHOLE) open_difference(search, &entry);
    else look_at(search, &entry);
  }
}

/* ---------------------------------------------------------------- the question */

static double largest_coordinate(const sat_Body *body) {
  sat_Vec2 o = body->origin;
  double x = max2(fabs(o.x + body->box.min.x), fabs(o.x + body->box.max.x));
  double y = max2(fabs(o.y + body->box.min.y), fabs(o.y + body->box.max.y));
  return max2(x, y);
}

static Search search_of(const sat_Body *a, const sat_Body *b) {
  Search search;
  memset(&search, 0, sizeof search);
  search.of[0] = a;
  search.of[1] = b;
  search.away = sub(b->origin, a->origin);
  search.rounding = 8 * 0x1p-52 * max2(largest_coordinate(a), largest_coordinate(b));
  search.apart = neg(add(search.away, sub(b->hub, a->hub)));
  if (fabs(search.apart.x) + fabs(search.apart.y) <= search.rounding) search.apart = vec2(0, 0);
  return search;
}

/* Farther than any way out is long: past the other body's box. */
static double longest_way(const Search *search) {
  const sat_Box *a = &search->of[0]->box, *b = &search->of[1]->box;
  double right = search->away.x + b->max.x - a->min.x, left = a->max.x - search->away.x - b->min.x;
  double down = search->away.y + b->max.y - a->min.y, up = a->max.y - search->away.y - b->min.y;
  return min2(min2(right, left), min2(down, up)) * (1 + 1e-9) + search->rounding;
}

sat_Status sat_escape(const sat_Body *a, const sat_Body *b, sat_Scratch *scratch,
                      sat_Escape *escape) {
  Search search = search_of(a, b);
  if (box_distance((sat_Box){sub(add(search.away, b->box.min), a->box.max),
                             sub(add(search.away, b->box.max), a->box.min)}) > search.rounding)
    return SAT_MISS;
  visit_pairs(&search, search.rounding, meet);
  if (!search.found) return SAT_MISS;
  double longest = longest_way(&search), reach = longest;
  if ((uint64_t)a->count * b->count > FEW_PAIRS)
    reach = min2(longest, 2 * search.depth + longest / 64);
  for (;; reach = min2(2 * reach, longest)) {
    if (!gather(&search, reach, scratch)) return SAT_ENOMEM;
    search_all(&search);
    if (reach >= longest || (search.found && search.shortest <= reach)) break;
  }
  *escape = search.best;
  return SAT_OK;
}
