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
  uint32_t piece[2];
  uint32_t first; /* of its rims */
  bool known;     /* the outline is there */
} Difference;

/* A place on an outline that may be the way out, with what follows it ahead or back still to be
 * looked at, or a whole difference that is not yet known. */
typedef enum Part { WHOLE, STRAIGHT, TURN } Part;
typedef enum Direction { BACK, AHEAD, BOTH } Direction;
typedef struct Entry {
  sat_Place place;
  uint32_t difference, rim;
  uint8_t part, turn; /* which part of a turn */
  uint8_t direction;  /* of what is still to be looked at */
  bool foot;          /* the place is the origin's projection */
} Entry;

/* No place of an entry is nearer than this. */
typedef struct Key {
  double near;
  uint32_t entry;
} Key;

typedef struct Search {
  const sat_Body *of[2];
  sat_Vec2 away;   /* from A's origin to B's */
  sat_Vec2 apart;  /* from B's centroid to A's; 0, 0 where they coincide */
  sat_Vec2 wanted; /* the same with unit length, or +x */
  double rounding; /* of the coordinates */
  double depth;    /* of the deepest pair */
  bool overlap;    /* a pair does more than touch */
  Difference *differences;
  sat_Box *boxes; /* of their outlines */
  sat_Rim *rims;
  Entry *entries;
  Key *keys; /* a heap, the nearest first */
  uint32_t count, entry_count, key_count;
  uint32_t deepest_of[2]; /* the deepest pair's pieces, and their difference */
  uint32_t deepest;
  uint32_t last; /* the difference that was asked last */
  bool found;
  double shortest;
  sat_Escape best;
  double best_length;
} Search;

/* ---------------------------------------------------------------- pairs of pieces */

static sat_Pair pair_of(const Search *search, const uint32_t piece[2]) {
  return sat_parts_pair(search->of[0], search->of[1], piece);
}

/* The box of two pieces' difference. */
static sat_Box difference_box(const Search *search, const sat_Part *a, const sat_Part *b) {
  double radius = sat_part_radius(search->of[0], a) + sat_part_radius(search->of[1], b);
  sat_Vec2 out = vec2(radius, radius);
  return (sat_Box){sub(add(search->away, sub(b->box.min, a->box.max)), out),
                   add(add(search->away, sub(b->box.max, a->box.min)), out)};
}

/* The distance of the origin from a box. */
static double box_distance(sat_Box box) {
  double x = max2(max2(box.min.x, -box.max.x), 0), y = max2(max2(box.min.y, -box.max.y), 0);
  return length(vec2(x, y));
}

/* All four at once: which of them is wrong is hard to predict for the processor. */
static bool box_holds(const sat_Box *box, sat_Vec2 low, sat_Vec2 high) {
  return (high.x >= box->min.x) & (low.x <= box->max.x) & (high.y >= box->min.y) &
         (low.y <= box->max.y);
}

/* Calls for every pair of pieces whose difference's box comes so near to the origin. */
typedef bool (*Visit)(Search *search, const uint32_t piece[2], sat_Box box);
static bool visit_pairs(Search *search, double reach, Visit visit) {
  const sat_Body *a = search->of[0], *b = search->of[1];
  sat_Pairing pairing = sat_pairing_begin(a, b, reach);
  uint32_t piece[2];
  while (sat_pairing_next(&pairing, piece)) {
    sat_Box box = difference_box(search, &a->parts[piece[0]], &b->parts[piece[1]]);
    if (box_distance(box) <= reach && !visit(search, piece, box)) return false;
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
  if (pair.radius - gap < search->depth) return true;
  search->depth = pair.radius - gap;
  search->deepest_of[0] = piece[0];
  search->deepest_of[1] = piece[1];
  return true;
}

/* ---------------------------------------------------------------- the differences */

static bool count_one(Search *search, const uint32_t piece[2], sat_Box box) {
  (void)box;
  search->count++;
  search->entry_count += search->of[0]->parts[piece[0]].count;
  search->entry_count += search->of[1]->parts[piece[1]].count;
  return true;
}

static uint32_t most_rims(const Search *search, const uint32_t piece[2]) {
  return search->of[0]->parts[piece[0]].count + search->of[1]->parts[piece[1]].count;
}

static void put_key(Search *search, double near, uint32_t entry) {
  Key *keys = search->keys;
  uint32_t index = search->key_count++;
  for (; index > 0 && keys[(index - 1) / 2].near > near; index = (index - 1) / 2)
    keys[index] = keys[(index - 1) / 2];
  keys[index] = (Key){near, entry};
}

static void put(Search *search, double near, const Entry *entry) {
  search->entries[search->entry_count] = *entry;
  put_key(search, near, search->entry_count++);
}

static Key take_nearest(Search *search) {
  Key *keys = search->keys, first = keys[0], last = keys[--search->key_count];
  uint32_t index = 0, count = search->key_count;
  for (;;) {
    uint32_t child = 2 * index + 1;
    child += child + 1 < count && keys[child + 1].near < keys[child].near;
    if (child >= count || keys[child].near >= last.near) break;
    keys[index] = keys[child];
    index = child;
  }
  keys[index] = last;
  return first;
}

static bool add_one(Search *search, const uint32_t piece[2], sat_Box box) {
  Difference *difference = &search->differences[search->count];
  uint32_t first = 0;
  if (search->count > 0) {
    const Difference *before = difference - 1;
    first = before->first + most_rims(search, before->piece);
  }
  *difference = (Difference){{NULL, 0, 0, 0, false}, {piece[0], piece[1]}, first, false};
  search->boxes[search->count] = box;
  if (piece[0] == search->deepest_of[0] && piece[1] == search->deepest_of[1])
    search->deepest = search->last = search->count;
  Entry whole = {{0, 0}, search->count++, 0, WHOLE, 0, BOTH, false};
  put(search, box_distance(box), &whole);
  return true;
}

/* Of each rim: its straight stretch and up to four parts of a turn (more than two only where there
 * is no other rim), each of which may be parted in two once. */
#define MOST_ENTRIES 10

/* All differences so near. False: no memory. */
static bool gather(Search *search, double reach, sat_Scratch *scratch) {
  search->count = search->entry_count = 0;
  visit_pairs(search, reach, count_one);
  size_t differences = search->count, rims = search->entry_count;
  char *block = sat_scratch_reserve(
      scratch, differences * (sizeof(Difference) + sizeof(sat_Box)) + rims * sizeof(sat_Rim) +
                   (differences + MOST_ENTRIES * rims) * sizeof(Entry));
  if (!block) return false;
  search->differences = (Difference *)(void *)block;
  search->boxes = (sat_Box *)(search->differences + differences);
  search->rims = (sat_Rim *)(search->boxes + differences);
  search->keys = (Key *)(search->rims + rims);
  search->entries = (Entry *)(search->keys + differences + MOST_ENTRIES * rims);
  search->count = search->entry_count = search->key_count = search->last = 0;
  visit_pairs(search, reach, add_one);
  return true;
}

/* ---------------------------------------------------------------- outlines */

static const bool *inner_of(const sat_Body *body, uint32_t piece) {
  return body->inner ? body->inner + body->parts[piece].first : NULL;
}

/* The facets of two polygons, merged by angle as sat_walk_next does, but by the edges' normals, which
 * takes a third of the time. Where rounding misplaces two that are almost parallel, the outline is
 * off by rounding. */
static uint32_t merge_rims(const Search *search, const Difference *difference,
                           const sat_Pair *pair) {
  const sat_Convex *of = pair->of;
  const bool *inner[2] = {inner_of(search->of[0], difference->piece[0]),
                          inner_of(search->of[1], difference->piece[1])};
  sat_Rim *rims = search->rims + difference->first;
  uint32_t at[2] = {0, sat_support_index(&of[1], neg(normal_of(of[0].edges, 0)))};
  uint32_t left[2] = {of[0].count, of[1].count}, count = 0;
  while (left[0] + left[1] > 0) {
    sat_Vec2 normals[2] = {normal_of(of[0].edges, at[0]), normal_of(of[1].edges, at[1])};
    uint32_t side = left[0] == 0 || (left[1] > 0 && cross(normals[0], normals[1]) > 0);
    sat_Vec2 normal = normals[side], other = of[!side].vertex[at[!side]];
    uint32_t next = next_index(&of[side], at[side]);
    sat_Rim *rim = &rims[count];
    double base = dot(normal, pair->away[side]) - offset_of(of[side].edges, at[side]);
    rim->gap = base + dot(normal, other);
    rim->start = corner_of(pair, at[0], at[1]);
    rim->normal = side ? normal : neg(normal);
    rim->length = dot(perp(normal), sub(of[side].vertex[next], of[side].vertex[at[side]]));
    rim->facet = (sat_Facet){rim->gap, side, at[side], at[!side]};
    rim->corner_of[0] = at[0];
    rim->corner_of[1] = at[1];
    rim->inner = inner[side] && inner[side][at[side]];
    at[side] = next;
    left[side]--;
    count += rim->length > 0;
  }
  return count;
}

/* Any pair that is not of two polygons. */
static sat_Outline walk_outline(const Search *search, const Difference *difference,
                                const sat_Pair *pair) {
  sat_Rim *rims = search->rims + difference->first;
  sat_Outline outline = sat_outline_of(pair, rims);
  for (uint32_t i = 0; i < outline.count; i++) {
    const sat_Facet *facet = &rims[i].facet;
    const bool *inner = inner_of(search->of[facet->side], difference->piece[facet->side]);
    rims[i].inner = inner && inner[facet->edge];
  }
  return outline;
}

static void know(Search *search, Difference *difference) {
  if (difference->known) return;
  sat_Pair pair = pair_of(search, difference->piece);
  difference->known = true;
  bool polygons = pair.of[0].count > 2 && pair.of[1].count > 2;
  uint32_t count = polygons ? merge_rims(search, difference, &pair) : 0;
  sat_Rim *rims = search->rims + difference->first;
  difference->outline = count ? (sat_Outline){rims, count, pair.radius, pair.slack, false}
                              : walk_outline(search, difference, &pair);
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
static void propose_place(Search *search, const Entry *entry, const sat_Stretch *stretch) {
  const Difference *difference = &search->differences[entry->difference];
  const sat_Rim *rim = &difference->outline.rims[entry->rim];
  sat_Vec2 normal = sat_stretch_normal(stretch, entry->place.t);
  sat_Vec2 vector = sat_stretch_at(stretch, entry->place.t);
  double size = length(vector);
  if (entry->foot && entry->part == STRAIGHT) {
    sat_Pair pair = pair_of(search, difference->piece);
    double gap = pair.radius == 0 ? sat_settled_gap(&pair, &rim->facet) : rim->gap;
    size = max2(pair.radius - gap, 0);
    vector = mul(normal, size);
  } else if (size > search->rounding) {
    normal = mul(vector, 1 / size);
  }
  if (!search->overlap && size <= search->rounding) size = 0;
  if (search->overlap && size == 0) size = DBL_MIN;
  if (size <= search->rounding) vector = size > 0 ? mul(normal, size) : vec2(0, 0);
  bool corner = entry->part == TURN;
  sat_Escape escape = {{vector, normal, size, corner ? SAT_OF_A : (sat_Side)rim->facet.side,
                        corner ? rim->corner_of[SAT_OF_A] : rim->facet.edge, corner},
                       {difference->piece[0], difference->piece[1]}};
  propose(search, size, &escape);
}

/* ---------------------------------------------------------------- along the outlines */

static sat_Stretch stretch_of(const Search *search, const Entry *entry) {
  const sat_Outline *outline = &search->differences[entry->difference].outline;
  sat_Stretch turns[4];
  if (entry->part == STRAIGHT) return sat_straight_of(outline, entry->rim);
  sat_turns_of(outline, entry->rim, turns);
  return turns[entry->turn];
}

/* Asks the differences whose boxes hold a place, beginning with the one that has covered something
 * last, whether they cover what is to be looked at; `exits` has where that ends. */
static bool find_cover(Search *search, const Entry *entry, const sat_Stretch *stretch,
                       uint32_t direction, sat_Place exits[2]) {
  sat_Vec2 point = sat_stretch_at(stretch, entry->place.t);
  double slack = search->rounding + entry->place.pad;
  sat_Vec2 low = sub(point, vec2(slack, slack)), high = add(point, vec2(slack, slack));
  uint32_t index = search->last;
  for (uint32_t left = search->count; left > 0; left--) {
    if (box_holds(&search->boxes[index], low, high) && index != entry->difference) {
      Difference *difference = &search->differences[index];
      know(search, difference);
      search->last = index;
      if (direction == BOTH) {
        if (sat_outline_holds(&difference->outline, stretch, entry->place.t, exits)) return true;
      } else {
        exits[direction] = entry->place;
        if (sat_outline_covers(&difference->outline, stretch, direction == AHEAD, &exits[direction]))
          return true;
      }
    }
    index = index + 1 < search->count ? index + 1 : 0;
  }
  return false;
}

/* What is left to look at beyond a place, if that is on the stretch and not too far. */
static bool go_on(const Search *search, const sat_Stretch *stretch, uint32_t direction,
                  sat_Place place, double *near) {
  bool ends = direction == AHEAD ? place.t + place.pad >= stretch->end : place.t <= place.pad;
  if (ends) return false;
  *near = length(sat_stretch_at(stretch, place.t));
  return !too_long(search, *near);
}

/* From a place on one way to the first that nothing covers, as long as no other place is nearer. */
static void follow(Search *search, Entry *entry, const sat_Stretch *stretch, uint32_t id) {
  sat_Place exits[2];
  double near;
  while (find_cover(search, entry, stretch, entry->direction, exits)) {
    if (!go_on(search, stretch, entry->direction, exits[entry->direction], &near)) return;
    entry->place = exits[entry->direction];
    entry->foot = false;
    if (search->key_count > 0 && search->keys[0].near < near) {
      search->entries[id] = *entry;
      put_key(search, near, id);
      return;
    }
  }
  propose_place(search, entry, stretch);
}

/* The same from where a stretch comes nearest: mostly that is covered by one difference. */
static void follow_both(Search *search, Entry *entry, const sat_Stretch *stretch, uint32_t id) {
  sat_Place exits[2];
  bool covered = find_cover(search, entry, stretch, BOTH, exits);
  for (uint32_t direction = BACK; direction <= AHEAD; direction++) {
    Entry part = *entry;
    double near;
    part.direction = (uint8_t)direction;
    if (covered) {
      part.place = exits[direction];
      part.foot = false;
    }
    if (!go_on(search, stretch, direction, part.place, &near)) continue;
    uint32_t own = direction == BACK ? search->entry_count++ : id;
    search->entries[own] = part;
    if (covered) put_key(search, near, own);
    else follow(search, &part, stretch, own);
  }
}

/* Whether the deepest pair's difference covers all of a stretch. */
static bool is_swallowed(Search *search, const Entry *entry, const sat_Stretch *stretch) {
  if (entry->difference == search->deepest) return false;
  Difference *deepest = &search->differences[search->deepest];
  know(search, deepest);
  return sat_outline_swallows(&deepest->outline, stretch);
}

static void put_stretch(Search *search, Entry *entry, const sat_Stretch *stretch) {
  if (is_swallowed(search, entry, stretch)) return;
  double same = tie_of(search, stretch->radius);
  entry->place.t = sat_stretch_nearest(stretch, same, search->wanted);
  entry->foot = entry->place.t > 0 && entry->place.t < stretch->end;
  double near = length(sat_stretch_at(stretch, entry->place.t));
  if (!too_long(search, near)) put(search, near, entry);
}

/* A facet that the origin is outside of is only on the way to another that it is inside of. */
static void open_difference(Search *search, uint32_t index) {
  Difference *difference = &search->differences[index];
  know(search, difference);
  const sat_Outline *outline = &difference->outline;
  sat_Stretch turns[4];
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    Entry entry = {{0, 0}, index, i, STRAIGHT, 0, BOTH, false};
    if (rim->length > 0 && !rim->inner && outline->radius - rim->gap >= -outline->slack) {
      sat_Stretch straight = sat_straight_of(outline, i);
      put_stretch(search, &entry, &straight);
    }
    entry.part = TURN;
    uint32_t count = outline->radius > 0 ? sat_turns_of(outline, i, turns) : 0;
    for (uint32_t k = 0; k < count; k++) {
      entry.turn = (uint8_t)k;
      put_stretch(search, &entry, &turns[k]);
    }
  }
}

static void look_at(Search *search, uint32_t id) {
  Entry entry = search->entries[id];
  if (entry.part == WHOLE) {
    open_difference(search, entry.difference);
    return;
  }
  sat_Stretch stretch = stretch_of(search, &entry);
  if (entry.direction == BOTH) follow_both(search, &entry, &stretch, id);
  else follow(search, &entry, &stretch, id);
}

static void search_all(Search *search) {
  search->found = false;
  while (search->key_count > 0) {
    Key key = take_nearest(search);
    if (too_long(search, key.near)) return;
    look_at(search, key.entry);
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
  double size = length(search.apart);
  search.wanted = size > 0 ? mul(search.apart, 1 / size) : vec2(1, 0);
  return search;
}

/* A way that is surely out, past the other body's box along one of the axes. */
static sat_Vec2 way_past_box(const Search *search) {
  const sat_Box *a = &search->of[0]->box, *b = &search->of[1]->box;
  sat_Vec2 ways[4] = {{search->away.x + b->max.x - a->min.x, 0},
                      {search->away.x + b->min.x - a->max.x, 0},
                      {0, search->away.y + b->max.y - a->min.y},
                      {0, search->away.y + b->min.y - a->max.y}};
  sat_Vec2 best = ways[0];
  for (int i = 1; i < 4; i++)
    if (fabs(ways[i].x) + fabs(ways[i].y) < fabs(best.x) + fabs(best.y)) best = ways[i];
  return best;
}

/* Where no outline has a way out: two points in one place. Should roundings ever lead astray, the
 * way past the box is one, if not the shortest. */
static void propose_anything(Search *search) {
  sat_Vec2 vector = search->overlap ? way_past_box(search) : vec2(0, 0);
  double size = length(vector);
  sat_Escape escape = {{vector, search->wanted, size, SAT_OF_A, 0, true},
                       {search->deepest_of[0], search->deepest_of[1]}};
  if (size > 0) escape.way.normal = mul(vector, 1 / size);
  propose(search, size, &escape);
}

sat_Status sat_escape(const sat_Body *a, const sat_Body *b, sat_Scratch *scratch,
                      sat_Escape *escape) {
  Search search = search_of(a, b);
  if (box_distance((sat_Box){sub(add(search.away, b->box.min), a->box.max),
                             sub(add(search.away, b->box.max), a->box.min)}) > search.rounding)
    return SAT_MISS;
  visit_pairs(&search, search.rounding, meet);
  if (!search.found) return SAT_MISS;
  double longest = length(way_past_box(&search)) * (1 + 1e-9) + search.rounding, reach = longest;
  if ((uint64_t)a->count * b->count > FEW_PAIRS)
    reach = min2(longest, 2 * search.depth + longest / 64);
  for (;;) {
    if (!gather(&search, reach, scratch)) return SAT_ENOMEM;
    search_all(&search);
    if (reach >= longest || (search.found && search.shortest <= reach)) break;
    reach = min2(2 * reach, longest);
  }
  if (!search.found) propose_anything(&search);
  *escape = search.best;
  return SAT_OK;
}
