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
/* So few are looked at without asking the trees. */
#define VERY_FEW_PAIRS 16
/* So many meetings of few pairs are looked at, in the hope that leaving the deepest is enough. */
#define FEW_MEETINGS 6

/* The Minkowski difference of two pieces. */
typedef struct Difference {
  sat_Outline outline;
  uint32_t piece[2];
  uint32_t first;       /* of its rims, and of the rows of its order */
  bool known;           /* the outline is there */
  bool looked, ordered; /* whether it has an order is known, and it has */
} Difference;

/* The box of a difference's outline. */
typedef struct Place {
  sat_Box box;
  uint32_t difference;
} Place;

/* A place on a stretch that may be the way out, with what follows it ahead or back still to be looked
 * at, or a whole difference that is not yet opened. */
typedef enum Direction { BACK, AHEAD, BOTH, WHOLE } Direction;
typedef struct Entry {
  sat_Place place;
  uint32_t of;       /* which strip, or difference */
  uint8_t direction; /* of what is still to be looked at */
  bool foot;         /* the place is the origin's projection */
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
  double depth;    /* of the deepest pair that was looked for */
  double reach;    /* no way out that is longer is looked for */
  double longest;  /* none is longer */
  bool overlap;    /* a pair does more than touch */
  bool joined;     /* there are chains, whose segments may not be left in all directions */
  bool solid;      /* one that touches is not of a one-sided chain */
  bool outlined;   /* a pair that meets has an outline: two points have none */
  bool few;        /* few pairs, all of which are looked at */
  Difference *differences;
  Place *places; /* of all differences; what has covered something moves to the front */
  sat_Rim *rims;
  uint32_t *rows;
  sat_Strip *strips;
  Entry *entries;
  Key *keys; /* a heap, the nearest first */
  uint32_t count, rim_count, strip_count, entry_count, key_count;
  sat_Meeting meeting; /* of that pair, */
  uint32_t met;        /* and how many there were before */
  bool given_up;
  double tie;             /* facets nearer to each other than this are equally near */
  uint32_t deepest_of[2]; /* that pair's pieces, and their difference */
  uint32_t deepest;
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

/* From the origin to a box. */
static sat_Vec2 way_to_box(sat_Box box) {
  double x = max2(max2(box.min.x, -box.max.x), 0), y = max2(max2(box.min.y, -box.max.y), 0);
  return vec2(x, y);
}

static bool box_is_near(sat_Box box, double reach) {
  sat_Vec2 way = way_to_box(box);
  return dot(way, way) <= reach * reach;
}

/* All four at once: which of them is wrong is hard to predict for the processor. */
static bool box_holds(const sat_Box *box, sat_Vec2 low, sat_Vec2 high) {
  return (high.x >= box->min.x) & (low.x <= box->max.x) & (high.y >= box->min.y) &
         (low.y <= box->max.y);
}

typedef bool (*Visit)(Search *search, const uint32_t piece[2], sat_Box box);
static bool visit_one(Search *search, double reach, Visit visit, const uint32_t piece[2]) {
  const sat_Part *a = &search->of[0]->parts[piece[0]], *b = &search->of[1]->parts[piece[1]];
  sat_Box box = difference_box(search, a, b);
  return !box_is_near(box, reach) || visit(search, piece, box);
}

/* Calls for every pair of pieces whose difference's box comes so near to the origin. */
static bool visit_pairs(Search *search, double reach, Visit visit) {
  const sat_Body *a = search->of[0], *b = search->of[1];
  uint32_t piece[2];
  if ((uint64_t)a->count * b->count <= VERY_FEW_PAIRS) {
    for (piece[0] = 0; piece[0] < a->count; piece[0]++)
      for (piece[1] = 0; piece[1] < b->count; piece[1]++)
        if (!visit_one(search, reach, visit, piece)) return false;
    return true;
  }
  sat_Pairing pairing = sat_pairing_begin(a, b, reach);
  while (sat_pairing_next(&pairing, piece))
    if (!visit_one(search, reach, visit, piece)) return false;
  return true;
}

/* ---------------------------------------------------------------- do they meet? */

/* How deep the pieces are in each other: no way out is shorter. Of many of a few pairs that they
 * overlap is enough. */
static bool meet(Search *search, const uint32_t piece[2], sat_Box box) {
  (void)box;
  sat_Pair pair = pair_of(search, piece);
  sat_Meeting meeting;
  if (!sat_pair_meets(&pair, search->tie, false, NULL, &meeting)) return true;
  if (search->joined) {
    sat_Parts parts = sat_parts_of(search->of[0], search->of[1], piece);
    search->solid = search->solid || !sat_parts_one_sided(&parts);
  }
  double gap = meeting.inside ? meeting.widest.gap : meeting.nearest.distance;
  search->found = true;
  search->overlap = search->overlap || gap < pair.radius;
  search->outlined = search->outlined || pair.of[0].count + pair.of[1].count > 2 || pair.radius > 0;
  search->given_up = search->few && search->overlap && ++search->met > FEW_MEETINGS;
  if (pair.radius - gap < search->depth) return !search->given_up;
  search->depth = pair.radius - gap;
  search->deepest_of[0] = piece[0];
  search->deepest_of[1] = piece[1];
  search->meeting = meeting;
  return !search->given_up;
}

/* ---------------------------------------------------------------- out of the deepest pair */

/* The part of the deepest pair on a side. */
static const sat_Part *deepest_part(const Search *search, uint32_t side) {
  return &search->of[side]->parts[search->deepest_of[side]];
}

static bool shows_corner(const Search *search, uint32_t side, uint32_t vertex) {
  return deepest_part(search, side)->corners >> (vertex & 31) & 1;
}

static bool leave_by_facet(const Search *search, const sat_Pair *pair, sat_Facet facet,
                           sat_Result *way) {
  sat_Vec2 normal = facet_normal(pair, &facet);
  *way = (sat_Result){mul(normal, search->depth), normal,     search->depth,
                      (sat_Side)facet.side,       facet.edge, false};
  return deepest_part(search, facet.side)->edges >> (facet.edge & 31) & 1 &&
         shows_corner(search, !facet.side, facet.vertex);
}

static bool leave_by_corner(const Search *search, const sat_Nearest *nearest, sat_Result *way) {
  *way = (sat_Result){mul(nearest->normal, search->depth),
                      nearest->normal,
                      search->depth,
                      SAT_OF_A,
                      nearest->vertex_of[SAT_OF_A],
                      true};
  return shows_corner(search, SAT_OF_A, nearest->vertex_of[SAT_OF_A]) &&
         shows_corner(search, SAT_OF_B, nearest->vertex_of[SAT_OF_B]);
}

/* The shortest way out of the deepest pair. False: several are about as short, or it leads nowhere but
 * into other parts. */
static bool leave_deepest(const Search *search, sat_Result *way) {
  const sat_Meeting *meeting = &search->meeting;
  const sat_Nearest *nearest = &meeting->nearest;
  sat_Pair pair = pair_of(search, search->deepest_of);
  if (search->depth <= search->tie) return false;
  if (meeting->inside) {
    sat_Facet facet = meeting->widest;
    sat_Vec2 inward = neg(normal_of(pair.of[facet.side].edges, facet.edge));
    bool all = deepest_part(search, !facet.side)->corners == UINT32_MAX;
    facet.vertex = all ? 0 : sat_support_index(&pair.of[!facet.side], inward);
    return !meeting->ties && meeting->widest.gap < -search->tie &&
           leave_by_facet(search, &pair, facet, way);
  }
  if (nearest->distance <= search->tie) return false;
  return nearest->corner ? leave_by_corner(search, nearest, way)
                         : leave_by_facet(search, &pair, nearest->facet, way);
}

/* Whether a pair other than the deepest is apart by more than rounding. */
static bool is_apart(Search *search, const uint32_t piece[2], sat_Box box) {
  sat_Meeting meeting;
  (void)box;
  if (piece[0] == search->deepest_of[0] && piece[1] == search->deepest_of[1]) return true;
  sat_Pair pair = pair_of(search, piece);
  pair.radius += 8 * search->rounding;
  return !sat_pair_meets(&pair, 0, false, NULL, &meeting);
}

/* Whether all others are once A has moved. */
static bool others_are_apart(Search *search, sat_Vec2 vector) {
  const sat_Body *a = search->of[0];
  sat_Vec2 away = search->away;
  sat_Body moved = *a;
  moved.origin = add(a->origin, vector);
  search->of[0] = &moved;
  search->away = sub(search->of[1]->origin, moved.origin);
  bool apart = visit_pairs(search, 8 * search->rounding, is_apart);
  search->of[0] = a;
  search->away = away;
  return apart;
}

/* The shortest way out of the deepest pair, if that is clear of the others: all have to leave that
 * one, so that nothing is shorter, and if there is no other as short nothing else as short, either. */
static bool leaves_deepest(Search *search, sat_Escape *escape) {
  sat_Result way;
  if (search->joined || search->given_up || !leave_deepest(search, &way)) return false;
  if (!others_are_apart(search, way.vector)) return false;
  *escape = (sat_Escape){way, {search->deepest_of[0], search->deepest_of[1]}, false};
  return true;
}

/* ---------------------------------------------------------------- the differences */

static uint32_t most_rims(const Search *search, const uint32_t piece[2]) {
  return search->of[0]->parts[piece[0]].count + search->of[1]->parts[piece[1]].count;
}

static bool count_one(Search *search, const uint32_t piece[2], sat_Box box) {
  (void)box;
  search->count++;
  search->rim_count += most_rims(search, piece);
  return true;
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

/* Whether anything of the difference may be on the outline of the union. */
static bool shows(const Search *search, const uint32_t piece[2]) {
  const sat_Part *a = &search->of[0]->parts[piece[0]], *b = &search->of[1]->parts[piece[1]];
  return (a->edges && b->corners) || (b->edges && a->corners);
}

static bool add_one(Search *search, const uint32_t piece[2], sat_Box box) {
  uint32_t index = search->count++;
  search->differences[index] =
      (Difference){.piece = {piece[0], piece[1]}, .first = search->rim_count};
  search->rim_count += most_rims(search, piece);
  search->places[index] = (Place){box, index};
  if (piece[0] == search->deepest_of[0] && piece[1] == search->deepest_of[1])
    search->deepest = index;
  return true;
}

/* How much there may be. Of few pairs all are there. */
static void count_all(Search *search) {
  const sat_Body *a = search->of[0], *b = search->of[1];
  search->count = search->rim_count = 0;
  if (!search->few) {
    visit_pairs(search, search->reach, count_one);
    return;
  }
  search->count = a->count * b->count;
  for (uint32_t i = 0; i < a->count; i++) search->rim_count += a->parts[i].count * b->count;
  for (uint32_t i = 0; i < b->count; i++) search->rim_count += b->parts[i].count * a->count;
}

/* All differences so near. False: no memory. Each strip may be parted in two once. */
static bool gather(Search *search, sat_Scratch *scratch) {
  count_all(search);
  size_t differences = search->count, rims = search->rim_count, strips = SAT_MOST_STRIPS * rims;
  size_t entries = differences + 2 * strips;
  char *block = sat_scratch_reserve(scratch, differences * (sizeof(Difference) + sizeof(Place)) +
                                                 rims * (sizeof(sat_Rim) + sizeof(uint32_t)) +
                                                 strips * sizeof(sat_Strip) +
                                                 entries * (sizeof(Entry) + sizeof(Key)));
  if (!block) return false;
  search->differences = (Difference *)(void *)block;
  search->places = (Place *)(search->differences + differences);
  search->rims = (sat_Rim *)(search->places + differences);
  search->strips = (sat_Strip *)(search->rims + rims);
  search->keys = (Key *)(search->strips + strips);
  search->entries = (Entry *)(search->keys + entries);
  search->rows = (uint32_t *)(search->entries + entries);
  search->count = search->rim_count = search->strip_count = 0;
  search->entry_count = search->key_count = 0;
  visit_pairs(search, search->reach, add_one);
  return true;
}

/* ---------------------------------------------------------------- outlines */

/* The facets of two polygons, merged by angle as sat_walk_next does, but by the edges' normals, which
 * takes a third of the time. Where rounding misplaces two that are almost parallel, the outline is
 * off by rounding. */
static sat_Outline merged_outline(const sat_Pair *pair, sat_Rim *rims) {
  const sat_Convex *of = pair->of;
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
    at[side] = next;
    left[side]--;
    count += rim->length > 0;
  }
  if (count == 0) return sat_outline_of(pair, rims);
  return (sat_Outline){rims, count, pair->radius, sat_outline_slack(pair), false};
}

static bool is_ordered(Search *search, Difference *difference, const sat_Pair *pair) {
  if (!difference->looked)
    difference->ordered = sat_order_of(pair, search->rows + difference->first);
  difference->looked = true;
  return difference->ordered;
}

static void know(Search *search, Difference *difference) {
  if (difference->known) return;
  sat_Pair pair = pair_of(search, difference->piece);
  sat_Rim *rims = search->rims + difference->first;
  const uint32_t *rows = search->rows + difference->first;
  bool polygons = pair.of[0].count > 2 && pair.of[1].count > 2;
  difference->known = true;
  if (is_ordered(search, difference, &pair))
    difference->outline = sat_outline_in_order(&pair, rows, rims);
  else if (polygons) difference->outline = merged_outline(&pair, rims);
  else difference->outline = sat_outline_of(&pair, rims);
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
static void propose_place(Search *search, const Entry *entry) {
  const sat_Strip *strip = &search->strips[entry->of];
  const uint32_t *piece = search->differences[strip->owner].piece;
  sat_Vec2 normal = sat_stretch_normal(&strip->stretch, entry->place.t);
  sat_Vec2 vector = sat_stretch_at(&strip->stretch, entry->place.t);
  double size = length(vector);
  bool corner = sat_is_turn(&strip->stretch);
  if (entry->foot && !corner) {
    sat_Pair pair = pair_of(search, piece);
    double gap = pair.radius == 0 ? sat_settled_gap(&pair, &strip->facet) : strip->facet.gap;
    size = max2(pair.radius - gap, 0);
    vector = mul(normal, size);
  } else if (size > search->rounding) {
    normal = mul(vector, 1 / size);
  }
  /* What only touches is out, wherever beside a part that it abuts on the place has come to. */
  if (!search->overlap && size <= search->rounding + 2 * entry->place.pad) size = 0;
  if (search->overlap && size == 0) size = DBL_MIN;
  if (size <= search->rounding) vector = size > 0 ? mul(normal, size) : vec2(0, 0);
  sat_Escape escape = {{vector, normal, size, corner ? SAT_OF_A : (sat_Side)strip->facet.side,
                        corner ? strip->vertex_of_a : strip->facet.edge, corner},
                       {piece[0], piece[1]},
                       false};
  propose(search, size, &escape);
}

/* ---------------------------------------------------------------- along the outlines */

static bool is_covered_by(Search *search, uint32_t index, const Entry *entry, sat_Place exits[2]) {
  const sat_Stretch *stretch = &search->strips[entry->of].stretch;
  Difference *difference = &search->differences[index];
  know(search, difference);
  if (entry->direction == BOTH)
    return sat_outline_holds(&difference->outline, stretch, entry->place.t, exits);
  sat_Place *exit = &exits[entry->direction];
  *exit = entry->place;
  return sat_outline_covers(&difference->outline, stretch, entry->direction == AHEAD, exit);
}

/* What asking the differences whose boxes hold a place has come to. */
typedef enum Found { COVERED, UNCOVERED, ALONE } Found;

/* Asks whether they cover what is to be looked at; `exits` has where that ends. */
static Found find_cover(Search *search, const Entry *entry, sat_Place exits[2]) {
  const sat_Strip *strip = &search->strips[entry->of];
  sat_Vec2 point = sat_stretch_at(&strip->stretch, entry->place.t);
  double slack = search->rounding + entry->place.pad;
  sat_Vec2 low = sub(point, vec2(slack, slack)), high = add(point, vec2(slack, slack));
  Place *places = search->places;
  Found found = ALONE;
  for (uint32_t i = 0; i < search->count; i++) {
    if (!box_holds(&places[i].box, low, high) || places[i].difference == strip->owner) continue;
    found = UNCOVERED;
    if (!is_covered_by(search, places[i].difference, entry, exits)) continue;
    Place place = places[i];
    places[i] = places[i / 2];
    places[i / 2] = place;
    return COVERED;
  }
  return found;
}

/* What is left to look at beyond a place, if that is on the stretch, more than a hair long, and not too
 * far. */
static bool go_on(const Search *search, const sat_Stretch *stretch, uint32_t direction,
                  sat_Place place, double *near) {
  double hair = sat_is_turn(stretch) ? place.pad : max2(place.pad, search->rounding);
  bool ends = direction == AHEAD ? place.t + hair >= stretch->end : place.t <= hair;
  if (ends) return false;
  *near = length(sat_stretch_at(stretch, place.t));
  return !too_long(search, *near);
}

/* Goes on by a hair at least, which rounding might leave out for ever. */
static sat_Place next_place(const Search *search, const Entry *entry, sat_Place exit) {
  bool turns = sat_is_turn(&search->strips[entry->of].stretch);
  double hair = turns ? 0 : search->rounding, t = entry->place.t;
  exit.t = entry->direction == AHEAD ? max2(exit.t, t + hair) : min2(exit.t, t - hair);
  return exit;
}

/* From a place on one way to the first that nothing covers, as long as no other place is nearer. */
static void follow(Search *search, Entry *entry, uint32_t id) {
  const sat_Stretch *stretch = &search->strips[entry->of].stretch;
  sat_Place exits[2];
  double near;
  while (find_cover(search, entry, exits) == COVERED) {
    sat_Place next = next_place(search, entry, exits[entry->direction]);
    if (next.t == entry->place.t) break; /* by less than a bit: not at all */
    if (!go_on(search, stretch, entry->direction, next, &near)) return;
    entry->place = next;
    entry->foot = false;
    if (search->key_count > 0 && search->keys[0].near < near) {
      search->entries[id] = *entry;
      put_key(search, near, id);
      return;
    }
  }
  propose_place(search, entry);
}

/* The same from where a stretch comes nearest: mostly that is covered by one difference. */
static void follow_both(Search *search, const Entry *entry, uint32_t id) {
  const sat_Stretch *stretch = &search->strips[entry->of].stretch;
  sat_Place exits[2];
  Found found = find_cover(search, entry, exits);
  bool covered = found == COVERED;
  if (found == ALONE) {
    double near;
    if (go_on(search, stretch, BACK, entry->place, &near) ||
        go_on(search, stretch, AHEAD, entry->place, &near))
      propose_place(search, entry);
    return;
  }
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
    else follow(search, &part, own);
  }
}

/* Whether the difference of a pair that is deep in each other covers all of a stretch. */
static bool is_swallowed(Search *search, const sat_Strip *strip) {
  if (strip->owner == search->deepest) return false;
  Difference *deepest = &search->differences[search->deepest];
  know(search, deepest);
  return sat_outline_swallows(&deepest->outline, &strip->stretch);
}

static void put_strip(Search *search, uint32_t index) {
  const sat_Strip *strip = &search->strips[index];
  const sat_Stretch *stretch = &strip->stretch;
  double same = tie_of(search, stretch->radius);
  Entry entry = {{sat_stretch_nearest(stretch, same, search->wanted), 0}, index, BOTH, false};
  double near = length(sat_stretch_at(stretch, entry.place.t));
  if (near > search->reach || too_long(search, near)) return;
  if (!search->few && is_swallowed(search, strip)) return; /* of few it does not pay */
  entry.foot = entry.place.t > 0 && entry.place.t < stretch->end;
  put(search, near, &entry);
}

static sat_Hidden hidden_of(const sat_Body *body, uint32_t piece) {
  uint32_t first = body->parts[piece].first;
  return (sat_Hidden){body->inner ? body->inner + first : NULL,
                      body->buried ? body->buried + first : NULL};
}

static uint32_t find_strips(Search *search, Difference *difference, sat_Strip *strips) {
  const uint32_t *piece = difference->piece;
  sat_Pair pair = pair_of(search, piece);
  if (is_ordered(search, difference, &pair)) {
    const sat_Part *a = &search->of[0]->parts[piece[0]], *b = &search->of[1]->parts[piece[1]];
    sat_Shown shown[2] = {{a->edges, a->corners}, {b->edges, b->corners}};
    const uint32_t *rows = search->rows + difference->first;
    return sat_strips_in_order(&pair, rows, shown, search->reach, strips);
  }
  sat_Hidden hidden[2] = {hidden_of(search->of[0], piece[0]), hidden_of(search->of[1], piece[1])};
  know(search, difference);
  return sat_strips_of(&difference->outline, hidden, strips);
}

/* Whether a strip is where a chain's neighbour is, or on its closed side. */
static bool is_barred(const Search *search, const sat_Parts *parts, const sat_Strip *strip) {
  uint32_t from[2], to[2];
  if (!sat_is_turn(&strip->stretch))
    return sat_facet_is_barred(parts, &strip->facet, strip->stretch.normal);
  sat_Pair pair = pair_of(search, search->differences[strip->owner].piece);
  sat_facet_ends(&pair, &strip->facet, from, to);
  return sat_turn_is_barred(parts, from);
}

/* Those that are left, at the same place. */
static uint32_t leave_out_barred(const Search *search, const uint32_t piece[2], sat_Strip *strips,
                                 uint32_t count) {
  sat_Parts parts = sat_parts_of(search->of[0], search->of[1], piece);
  uint32_t left = 0;
  if (!sat_parts_joined(&parts)) return count;
  for (uint32_t i = 0; i < count; i++)
    if (!is_barred(search, &parts, &strips[i])) strips[left++] = strips[i];
  return left;
}

static void open_difference(Search *search, uint32_t index) {
  Difference *difference = &search->differences[index];
  sat_Strip *strips = search->strips + search->strip_count;
  uint32_t count = find_strips(search, difference, strips);
  for (uint32_t i = 0; i < count; i++) strips[i].owner = index;
  if (search->joined) count = leave_out_barred(search, difference->piece, strips, count);
  for (uint32_t i = 0; i < count; i++) put_strip(search, search->strip_count++);
}

/* Those that hold the origin are opened at once. */
static void put_whole(Search *search, uint32_t index) {
  sat_Vec2 way = way_to_box(search->places[index].box);
  Entry whole = {{0, 0}, index, WHOLE, false};
  if (!shows(search, search->differences[index].piece)) return;
  if (way.x == 0 && way.y == 0) open_difference(search, index);
  else put(search, length(way), &whole);
}

static void look_at(Search *search, uint32_t id) {
  Entry entry = search->entries[id];
  if (entry.direction == WHOLE) open_difference(search, entry.of);
  else if (entry.direction == BOTH) follow_both(search, &entry, id);
  else follow(search, &entry, id);
}

static void search_all(Search *search) {
  search->found = false;
  for (uint32_t i = 0; i < search->count; i++) put_whole(search, i);
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

static void begin_search(Search *search, const sat_Body *a, const sat_Body *b) {
  memset(search, 0, sizeof *search);
  search->of[0] = a;
  search->of[1] = b;
  search->away = sub(b->origin, a->origin);
  search->joined = (a->flags | b->flags) & SAT_JOINED;
  search->solid = !search->joined;
  search->rounding = 8 * 0x1p-52 * max2(largest_coordinate(a), largest_coordinate(b));
  search->apart = neg(add(search->away, sub(b->hub, a->hub)));
  if (fabs(search->apart.x) + fabs(search->apart.y) <= search->rounding) search->apart = vec2(0, 0);
  double size = length(search->apart);
  search->wanted = size > 0 ? mul(search->apart, 1 / size) : vec2(1, 0);
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

/* Where no outline has a way out, since only points meet, in one place. Should roundings ever lead
 * astray, the way past the box is one, if not the shortest. */
static void propose_anything(Search *search) {
  sat_Vec2 vector = search->overlap ? way_past_box(search) : vec2(0, 0);
  double size = length(vector);
  sat_Escape escape = {{vector, search->wanted, size, SAT_OF_A, 0, true},
                       {search->deepest_of[0], search->deepest_of[1]},
                       false};
  if (size > 0) escape.way.normal = mul(vector, 1 / size);
  propose(search, size, &escape);
}

/* No way out of a one-sided chain is longer: towards its open side may be much farther than past the
 * box. */
static double longest_way(const Search *search) {
  const sat_Box *a = &search->of[0]->box, *b = &search->of[1]->box;
  sat_Vec2 away = search->away;
  double way = length(way_past_box(search));
  if ((search->of[0]->flags | search->of[1]->flags) & SAT_ONE_SIDED)
    way = length(vec2(max2(away.x + b->max.x - a->min.x, a->max.x - b->min.x - away.x),
                      max2(away.y + b->max.y - a->min.y, a->max.y - b->min.y - away.y)));
  return way * (1 + 1e-9) + search->rounding;
}

/* False: no memory. */
static bool search_near_and_far(Search *search, sat_Scratch *scratch) {
  double longest = search->longest;
  search->reach = search->few ? longest : min2(longest, 2 * search->depth + longest / 64);
  for (;;) {
    if (!gather(search, scratch)) return false;
    search_all(search);
    if (search->reach >= longest || (search->found && search->shortest <= search->reach))
      return true;
    search->reach = min2(2 * search->reach, longest);
  }
}

/* What touches one-sided chains from behind alone is in nobody's way. */
static void touch_from_behind(Search *search) {
  sat_Parts parts = sat_parts_of(search->of[0], search->of[1], search->deepest_of);
  uint32_t side = parts.part[SAT_OF_B]->flags & SAT_ONE_SIDED ? SAT_OF_B : SAT_OF_A;
  sat_Vec2 open = sat_open_normal(parts.of[side], parts.part[side]);
  sat_Vec2 normal = side == SAT_OF_B ? open : neg(open);
  search->best = (sat_Escape){
      {{0, 0}, normal, 0, SAT_OF_A, 0, true}, {search->deepest_of[0], search->deepest_of[1]}, true};
}

sat_Status sat_escape(const sat_Body *a, const sat_Body *b, sat_Scratch *scratch,
                      sat_Escape *escape) {
  Search search;
  begin_search(&search, a, b);
  if (!box_is_near((sat_Box){sub(add(search.away, b->box.min), a->box.max),
                             sub(add(search.away, b->box.max), a->box.min)},
                   search.rounding))
    return SAT_MISS;
  search.few = (uint64_t)a->count * b->count <= FEW_PAIRS;
  search.longest = longest_way(&search);
  search.tie = tie_of(&search, search.longest);
  visit_pairs(&search, search.rounding, meet);
  if (!search.found) return SAT_MISS;
  if (leaves_deepest(&search, escape)) return SAT_OK;
  search.found = false;
  if (search.outlined && !search_near_and_far(&search, scratch)) return SAT_ENOMEM;
  if (!search.found) propose_anything(&search);
  if (!search.overlap && !search.solid && search.shortest > 0) touch_from_behind(&search);
  *escape = search.best;
  return SAT_OK;
}
