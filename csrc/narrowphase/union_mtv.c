/* union_mtv.c: see narrowphase/union_mtv.h.
 *
 * The shortest way leads to a point of the outline of one difference that no other one covers. So
 * the stretches of all outlines are looked at in the order of how near they come to the origin; on
 * each, from the nearest place on, what is inside of others is skipped to both sides. The outlines
 * themselves are free: what fits exactly touches on all sides, as does what rounding alone keeps
 * from it. Only a point or a segment may be on the seam of two parts that abut, where it is inside
 * of neither and yet in the middle of both; for these a place is asked about all around. No stretch
 * farther from the origin than the best way so far is looked at.
 *
 * Agarwal, Flato and Halperin, Polygon decomposition for efficient construction of Minkowski sums,
 * 2002. */
#include "narrowphase/union_mtv.h"

#include "narrowphase/mtv_tie_break.h"
#include "narrowphase/convex_pair.h"
#include "narrowphase/minkowski_boundary.h"
#include "base/memory.h"

#include <string.h>

/* Up to so many pairs of pieces all are looked at. Of more, those as near as the way out may be
 * long, which is guessed and doubled. */
#define FEW_PAIRS 256
/* So few are looked at without asking the trees. */
#define VERY_FEW_PAIRS 16
/* So many meetings of few pairs are looked at, in the hope that leaving the deepest is enough. */
#define FEW_MEETINGS 6

/* Of many pairs it is remembered what covered the last place in each square of a grid, which has so
 * many to a side. */
#define HINTS 512
/* A square is halved no more often than this, and about so many differences are tried on each
 * part. */
#define LEAST_HALVINGS 4
#define MOST_HALVINGS 13
#define SAMPLES 512
/* No finer look follows once there were more than so many tries for each difference. */
#define TRIES 16
/* How often a stretch is halved to find where it leaves a disc. */
#define RIM_HALVINGS 12
/* Each 8 of many places in a row have a box about them, each 8 of these boxes one again, and so on,
 * up to so many levels: as many as 32 bits have octal digits. */
#define BLOCK_SHIFT 3
#define BLOCK (1u << BLOCK_SHIFT)
#define MOST_LEVELS 11

/* The Minkowski difference of two pieces. */
typedef struct Difference {
  sat_Outline outline;
  uint32_t piece[2];
  uint32_t first;       /* of its rims, and of the rows of its order */
  bool known;           /* the outline is there */
  bool flat[2];         /* that side's part is a point or a segment */
  bool looked, ordered; /* whether it has an order is known, and it has */
} Difference;

/* The box of a difference's outline. */
typedef struct Place {
  sat_Box box;
  uint32_t difference;
} Place;

/* A place on a stretch that may be the way out, with what follows it ahead or back still to be
 * looked at, or a whole difference that is not yet opened. */
typedef enum Direction { BACK, AHEAD, BOTH, WHOLE } Direction;
typedef struct Entry {
  sat_Place place;
  uint32_t of;       /* which strip, or difference */
  uint32_t steps;    /* how many covers have been left on the way */
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
  bool touching;   /* no pair does more than touch, nor does a seam hold anything */
  bool few;        /* few pairs, all of which are looked at */
  bool many;       /* many differences are near, so that what covers a place has to be sought */
  Difference *differences;
  Place *places;   /* of all differences; of few what has covered something moves to the front */
  sat_Box *blocks; /* of many, from the smallest on: of each level */
  uint32_t level_at[MOST_LEVELS]; /* where its boxes begin */
  uint32_t levels;
  uint32_t *hints; /* of many: differences */
  double covered;  /* all that is nearer to the origin than this is inside of differences */
  double gap;      /* the nearest square without a cover so far */
  uint64_t tries;  /* of one difference on one square */
  uint32_t random;
  sat_Rim *rims;
  uint32_t *rows;
  sat_Strip *strips;
  Entry *entries;
  Key *keys; /* a heap, the nearest first */
  uint32_t count, rim_count, strip_count, entry_count, key_count;
  uint64_t most_differences, most_rims; /* of what is near */
  sat_Meeting meeting;                  /* of that pair, */
  uint32_t met;                         /* and how many there were before */
  bool given_up;
  double tie;             /* facets nearer to each other than this are equally near */
  uint32_t deepest_of[2]; /* that pair's pieces, and their difference */
  uint32_t deepest;
  bool found;
  double shortest;
  sat_Escape best;
  double best_length;
  bool best_is_foot;
} Search;

/* Unit vectors so near to each other are ways out of one side: what a corner beside the origin's
 * projection is off by is far less. */
#define SAME_WAY (1 - 1e-9)
/* What is no more than so many times rounding from outlines is on all of them: more than a computed
 * place is off by. */
#define ON_OUTLINE 8
/* The sine of the angle up to which a segment runs along a seam. */
#define ALONG_SEAM 1e-9

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

/* The shortest way out of the deepest pair. False: several are about as short, or it leads nowhere
 * but into other parts. */
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
 * one, so that nothing is shorter, and if there is no other as short nothing else as short,
 * either. */
static bool leaves_deepest(Search *search, sat_Escape *escape) {
  sat_Result way;
  if (search->joined || search->given_up || !leave_deepest(search, &way)) return false;
  if (!others_are_apart(search, way.vector)) return false;
  *escape = (sat_Escape){way, {search->deepest_of[0], search->deepest_of[1]}, false};
  return true;
}

/* ---------------------------------------------------------------- the differences */

static uint64_t most_rims(const Search *search, const uint32_t piece[2]) {
  return (uint64_t)search->of[0]->parts[piece[0]].count + search->of[1]->parts[piece[1]].count;
}

static bool count_one(Search *search, const uint32_t piece[2], sat_Box box) {
  (void)box;
  search->most_differences++;
  search->most_rims += most_rims(search, piece);
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

static bool is_flat(const sat_Body *body, uint32_t piece) {
  const sat_Part *part = &body->parts[piece];
  return part->count <= 2 && sat_part_radius(body, part) == 0;
}

static bool add_one(Search *search, const uint32_t piece[2], sat_Box box) {
  uint32_t index = search->count++;
  search->differences[index] =
      (Difference){.piece = {piece[0], piece[1]},
                   .first = search->rim_count,
                   .flat = {is_flat(search->of[0], piece[0]), is_flat(search->of[1], piece[1])}};
  search->rim_count += (uint32_t)most_rims(search, piece);
  search->places[index] = (Place){box, index};
  if (piece[0] == search->deepest_of[0] && piece[1] == search->deepest_of[1])
    search->deepest = index;
  return true;
}

/* ---------------------------------------------------------------- equal differences */

static int compare(double a, double b) { return (a > b) - (a < b); }

static bool comes_later(const Place *p, const Place *q) {
  int order = compare(p->box.min.x, q->box.min.x);
  if (order == 0) order = compare(p->box.min.y, q->box.min.y);
  if (order == 0) order = compare(p->box.max.x, q->box.max.x);
  if (order == 0) order = compare(p->box.max.y, q->box.max.y);
  return order != 0 ? order > 0 : p->difference > q->difference;
}

static void sift_down(Place *places, uint32_t index, uint32_t count) {
  Place place = places[index];
  for (uint32_t child; index < count / 2; index = child) {
    child = 2 * index + 1;
    child += child + 1 < count && comes_later(&places[child + 1], &places[child]);
    if (!comes_later(&places[child], &place)) break;
    places[index] = places[child];
  }
  places[index] = place;
}

static void sort_places(Place *places, uint32_t count) {
  for (uint32_t i = count / 2; i-- > 0;) sift_down(places, i, count);
  for (uint32_t last = count; last-- > 1;) {
    Place first = places[0];
    places[0] = places[last];
    places[last] = first;
    sift_down(places, 0, last);
  }
}

/* Whether two parts of a body are the same but for where they are, and hide the same. */
static bool same_parts(const sat_Body *body, uint32_t i, uint32_t j) {
  const sat_Part *p = &body->parts[i], *q = &body->parts[j];
  const sat_Vec2 *v = body->vertices + p->first, *w = body->vertices + q->first;
  if (i == j) return true;
  if (p->count > 32 || p->count != q->count || p->radius != q->radius || p->edges != q->edges ||
      p->corners != q->corners)
    return false;
  for (uint32_t k = 1; k < p->count; k++) {
    sat_Vec2 of_p = sub(v[k], v[0]), of_q = sub(w[k], w[0]);
    if (of_p.x != of_q.x || of_p.y != of_q.y) return false;
  }
  return true;
}

/* Whether the second of two differences with the same box adds nothing to the first. One that is
 * there for a seam is needed. */
static bool is_repeated(const Search *search, uint32_t first, uint32_t second) {
  const Difference *p = &search->differences[first], *q = &search->differences[second];
  if (q->flat[0] || q->flat[1]) return false;
  return same_parts(search->of[0], p->piece[0], q->piece[0]) &&
         same_parts(search->of[1], p->piece[1], q->piece[1]);
}

/* Of many differences only the first of each place and form is left. */
static void drop_repeated(Search *search) {
  Place *places = search->places;
  uint32_t left = 0;
  sort_places(places, search->count);
  for (uint32_t i = 0; i < search->count; i++) {
    const Place *last = left > 0 ? &places[left - 1] : NULL;
    bool same = last && last->box.min.x == places[i].box.min.x &&
                last->box.min.y == places[i].box.min.y && last->box.max.x == places[i].box.max.x &&
                last->box.max.y == places[i].box.max.y &&
                is_repeated(search, last->difference, places[i].difference);
    if (!same) places[left++] = places[i];
    else if (search->deepest == places[i].difference) search->deepest = last->difference;
  }
  search->count = left;
}

/* ---------------------------------------------------------------- all of them */

/* How much there may be. Of few pairs all are there. */
static void count_all(Search *search) {
  const sat_Body *a = search->of[0], *b = search->of[1];
  search->most_differences = search->most_rims = 0;
  if (!search->few) {
    visit_pairs(search, search->reach, count_one);
    return;
  }
  search->most_differences = (uint64_t)a->count * b->count;
  for (uint32_t i = 0; i < a->count; i++)
    search->most_rims += (uint64_t)a->parts[i].count * b->count;
  for (uint32_t i = 0; i < b->count; i++)
    search->most_rims += (uint64_t)b->parts[i].count * a->count;
}

/* How many boxes there are at most about so many places. */
static uint64_t most_blocks(uint64_t places) { return places / (BLOCK - 1) + MOST_LEVELS; }

static sat_Box box_about(sat_Box a, const sat_Box *b) {
  return (sat_Box){vec2(min2(a.min.x, b->min.x), min2(a.min.y, b->min.y)),
                   vec2(max2(a.max.x, b->max.x), max2(a.max.y, b->max.y))};
}

static const sat_Box *box_below(const Search *search, uint32_t level, uint32_t index) {
  return level == 0 ? &search->places[index].box
                    : &search->blocks[search->level_at[level - 1] + index];
}

/* Boxes about boxes, until there is one about all. */
static void make_blocks(Search *search) {
  uint32_t below = search->count, at = 0;
  for (search->levels = 0; below > 1; search->levels++) {
    uint32_t level = search->levels, first = at;
    search->level_at[level] = first;
    for (uint32_t i = 0; i < below; i++) {
      const sat_Box *box = box_below(search, level, i);
      sat_Box *block = &search->blocks[first + i / BLOCK];
      *block = i % BLOCK == 0 ? *box : box_about(*block, box);
    }
    below = (below - 1) / BLOCK + 1;
    at += below;
  }
}

/* All differences so near. False: no memory, or more than indices can count, which is more than any
 * memory. Each strip may be parted in two once. */
static bool gather(Search *search, sat_Scratch *scratch) {
  count_all(search);
  uint64_t differences = search->most_differences, rims = search->most_rims;
  uint64_t strips = SAT_MOST_STRIPS * rims, entries = differences + 2 * strips;
  if (differences > UINT32_MAX || rims > UINT32_MAX || entries > UINT32_MAX) return false;
  uint64_t bytes = differences * (sizeof(Difference) + sizeof(Place)) +
                   rims * (sizeof(sat_Rim) + sizeof(uint32_t)) + strips * sizeof(sat_Strip) +
                   entries * (sizeof(Entry) + sizeof(Key));
  search->many = differences > FEW_PAIRS;
  uint64_t blocks = search->many ? most_blocks(differences) : 0;
  uint64_t hints = search->many ? HINTS * HINTS : 0;
  bytes += blocks * sizeof(sat_Box) + hints * sizeof(uint32_t);
  char *block = bytes <= SIZE_MAX ? sat_scratch_reserve(scratch, (size_t)bytes) : NULL;
  if (!block) return false;
  search->differences = (Difference *)(void *)block;
  search->places = (Place *)(search->differences + differences);
  search->blocks = (sat_Box *)(search->places + differences);
  search->rims = (sat_Rim *)(search->blocks + blocks);
  search->strips = (sat_Strip *)(search->rims + rims);
  search->keys = (Key *)(search->strips + strips);
  search->entries = (Entry *)(search->keys + entries);
  search->rows = (uint32_t *)(search->entries + entries);
  search->hints = search->rows + rims;
  search->count = search->rim_count = search->strip_count = 0;
  search->entry_count = search->key_count = 0;
  visit_pairs(search, search->reach, add_one);
  if (!search->few && !search->joined) drop_repeated(search);
  search->levels = 0;
  if (!search->many) return true;
  make_blocks(search);
  for (uint32_t i = 0; i < hints; i++) search->hints[i] = search->deepest;
  return true;
}

/* ---------------------------------------------------------------- outlines */

/* The facets of two polygons, merged by angle as sat_walk_next does, but by the edges' normals,
 * which takes a third of the time. Where rounding misplaces two that are almost parallel, the
 * outline is off by rounding. */
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

/* Of ways out of one side the one straight on is exact. */
static bool is_better(const Search *search, const sat_Escape *escape, bool foot) {
  sat_Vec2 normal = escape->way.normal, best = search->best.way.normal;
  if (foot != search->best_is_foot && dot(normal, best) > SAME_WAY) return foot;
  return sat_better_way(search->apart, normal, best);
}

static void propose(Search *search, double length, bool foot, const sat_Escape *escape) {
  if (too_long(search, length)) return;
  bool first = !search->found;
  search->found = true;
  if (first || length < search->shortest) search->shortest = length;
  if (!first && !too_long(search, search->best_length) && !is_better(search, escape, foot)) return;
  search->best = *escape;
  search->best_length = length;
  search->best_is_foot = foot;
}

/* The way to a place on a stretch. Straight on to a facet it is as long as the facet's gap says,
 * whose sign is exact. */
static void propose_place(Search *search, const Entry *entry) {
  const sat_Strip *strip = &search->strips[entry->of];
  const uint32_t *piece = search->differences[strip->owner].piece;
  sat_Vec2 normal = sat_stretch_normal(&strip->stretch, entry->place.t);
  sat_Vec2 vector = sat_stretch_at(&strip->stretch, entry->place.t);
  double size = length(vector);
  bool corner = sat_is_turn(&strip->stretch), foot = entry->foot && !corner;
  if (foot) {
    sat_Pair pair = pair_of(search, piece);
    double gap = pair.radius == 0 ? sat_settled_gap(&pair, &strip->facet) : strip->facet.gap;
    size = max2(pair.radius - gap, 0);
    vector = mul(normal, size);
  } else if (size > search->rounding) {
    normal = mul(vector, 1 / size);
  }
  if (search->touching) size = 0;
  else if (size == 0) size = DBL_MIN;
  if (size <= search->rounding) vector = size > 0 ? mul(normal, size) : vec2(0, 0);
  sat_Escape escape = {{vector, normal, size, corner ? SAT_OF_A : (sat_Side)strip->facet.side,
                        corner ? strip->vertex_of_a : strip->facet.edge, corner},
                       {piece[0], piece[1]},
                       false};
  propose(search, size, foot, &escape);
}

/* ---------------------------------------------------------------- along the outlines */

static bool is_held_by(Search *search, uint32_t index, const Entry *entry, sat_Place exits[2]) {
  Difference *difference = &search->differences[index];
  know(search, difference);
  return sat_outline_holds(&difference->outline, &search->strips[entry->of].stretch, entry->place.t,
                           exits);
}

/* What is near a point, as a square. */
typedef struct Square {
  sat_Vec2 low, high;
} Square;

static Square square_about(sat_Vec2 point, double slack) {
  return (Square){sub(point, vec2(slack, slack)), add(point, vec2(slack, slack))};
}

/* How many places from the one at an index on are in a block that is not near. */
static uint32_t places_to_skip(const Search *search, uint32_t index, const Square *near) {
  for (uint32_t level = search->levels; level-- > 0;) {
    uint32_t shift = BLOCK_SHIFT * (level + 1);
    if (index & ((1u << shift) - 1)) continue;
    const sat_Box *block = &search->blocks[search->level_at[level] + (index >> shift)];
    if (!box_holds(block, near->low, near->high)) return 1u << shift;
  }
  return 0;
}

/* The first place from an index on whose box is near; the count of places: none.
 *   for (uint32_t i = next_near(search, 0, &near); i < search->count;
 *        i = next_near(search, i + 1, &near)) ... */
static inline uint32_t next_near(const Search *search, uint32_t index, const Square *near) {
  while (index < search->count) {
    uint32_t skip = index % BLOCK == 0 ? places_to_skip(search, index, near) : 0;
    if (skip == 0 && box_holds(&search->places[index].box, near->low, near->high)) return index;
    index += skip > 0 ? skip : 1;
  }
  return search->count;
}

/* What may have an outline at a point that `wedge_at` finds. */
static Square about_outline(const Search *search, sat_Vec2 point) {
  return square_about(point, ON_OUTLINE * search->rounding);
}

/* The wedge at a point of a difference whose place is near. False: the point is not on its outline,
 * or its part on that side has an inside or is not the given one. */
static bool wedge_at(Search *search, const Place *place, uint32_t side, uint32_t part,
                     sat_Vec2 point, sat_Wedge *wedge) {
  Difference *difference = &search->differences[place->difference];
  if (!difference->flat[side] || difference->piece[side] != part) return false;
  know(search, difference);
  return sat_outline_wedge(&difference->outline, point, ON_OUTLINE * search->rounding, wedge);
}

/* Whether a point or segment has no width across a direction. */
static bool runs_along(const sat_Body *body, uint32_t piece, sat_Vec2 direction) {
  const sat_Part *part = &body->parts[piece];
  if (part->count == 1) return true;
  return fabs(dot(normal_of(body->edges + part->four, 0), direction)) <= ALONG_SEAM;
}

/* Whether beyond the end of a wedge another difference of the same part goes on. */
static bool goes_on_beyond(Search *search, uint32_t side, uint32_t part, sat_Vec2 point,
                           const sat_Wedge *wedge) {
  Square near = about_outline(search, point);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    sat_Wedge other;
    bool start;
    if (!wedge_at(search, &search->places[i], side, part, point, &other)) continue;
    if (!sat_wedge_holds(&other, wedge->to, &start)) continue;
    if (!start) return true;
    if (wedge->closed[1] && other.closed[0] && runs_along(search->of[side], part, wedge->to))
      return true;
  }
  return false;
}

/* Whether the differences of one point or segment fill the whole turn about a point. */
static bool fill_turn(Search *search, uint32_t side, uint32_t part, sat_Vec2 point) {
  Square near = about_outline(search, point);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    sat_Wedge wedge;
    if (wedge_at(search, &search->places[i], side, part, point, &wedge) &&
        !goes_on_beyond(search, side, part, point, &wedge))
      return false;
  }
  return true;
}

/* Whether at a point, which is inside of no difference, a point or a segment is on a seam. */
static bool is_on_seam(Search *search, sat_Vec2 point) {
  Square near = about_outline(search, point);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    const Difference *difference = &search->differences[search->places[i].difference];
    for (uint32_t side = 0; side < 2; side++) {
      uint32_t part = difference->piece[side];
      sat_Wedge wedge;
      if (wedge_at(search, &search->places[i], side, part, point, &wedge) &&
          fill_turn(search, side, part, point))
        return true;
    }
  }
  return false;
}

/* How a chain is touched at a place: where it cannot be, on its closed side alone, or where it
 * can. */
typedef enum Touch { BARRED, BEHIND, OPEN } Touch;

static Touch touch_of_facet(const sat_Parts *parts, const sat_Facet *facet, sat_Vec2 normal) {
  const sat_Part *own = parts->part[facet->side];
  if (own->flags & SAT_ONE_SIDED && facet->edge != sat_open_edge(parts->of[facet->side], own))
    return BEHIND;
  return sat_facet_is_barred(parts, facet, normal) ? BARRED : OPEN;
}

/* The same of a difference that a point is on the outline of: at the best of the facets there. */
static Touch touch_of(const sat_Parts *parts, const sat_Outline *outline, sat_Vec2 point) {
  double slack = 2 * outline->slack, nearest = HUGE_VAL;
  uint32_t corner = 0, count[3] = {0, 0, 0};
  for (uint32_t i = 0; i < outline->count; i++) {
    const sat_Rim *rim = &outline->rims[i];
    sat_Vec2 from = sub(point, rim->start);
    double gap = dot(rim->normal, point) + rim->gap, along = dot(perp(rim->normal), from);
    if (length(from) < nearest) corner = i;
    nearest = min2(nearest, length(from));
    if (gap < outline->radius - slack || along < -slack || along > rim->length + slack) continue;
    count[touch_of_facet(parts, &rim->facet, rim->normal)]++;
  }
  if (count[OPEN] > 0) return OPEN;
  if (count[BARRED] + count[BEHIND] > 0) return count[BARRED] > 0 ? BARRED : BEHIND;
  if (outline->radius == 0 || nearest <= slack) return OPEN;
  sat_Vec2 out = mul(sub(point, outline->rims[corner].start), 1 / nearest);
  return sat_corner_is_barred(parts, outline->rims[corner].corner_of, out) ? BARRED : OPEN;
}

/* The same of the difference at a place that is near. False: it is none of a chain, or
 * elsewhere. */
static bool touch_at(Search *search, uint32_t place, sat_Vec2 point, Touch *touch) {
  Difference *difference = &search->differences[search->places[place].difference];
  sat_Parts parts = sat_parts_of(search->of[0], search->of[1], difference->piece);
  if (!sat_parts_joined(&parts)) return false;
  know(search, difference);
  double slack = 2 * difference->outline.slack;
  if (sat_outline_excess(&difference->outline, point, slack) > slack) return false;
  *touch = touch_of(&parts, &difference->outline, point);
  return true;
}

/* Whether a segment of a chain goes on in another one at its start or end. Each segment of a
 * compound has points of its own, so that two that meet need not have one in common. */
static bool goes_on_in(const sat_Body *body, uint32_t piece, uint32_t other) {
  const uint32_t *own = body->index + body->parts[piece].first,
                 *next = body->index + body->parts[other].first;
  if (!(body->parts[piece].flags & body->parts[other].flags & SAT_JOINED)) return false;
  return sat_point_beyond(body, own[0], false) == next[0] ||
         sat_point_beyond(body, own[1], true) == next[1];
}

/* Whether two differences are of neighbours in a chain and one part of the other body. */
static bool are_joined(const Search *search, const uint32_t piece[2], const uint32_t other[2]) {
  for (uint32_t side = 0; side < 2; side++)
    if (piece[!side] == other[!side] && goes_on_in(search->of[side], piece[side], other[side]))
      return true;
  return false;
}

/* Whether a neighbour of a segment that is touched from behind is touched from its open side. */
static bool is_round_the_end(Search *search, uint32_t place, sat_Vec2 point) {
  const uint32_t *piece = search->differences[search->places[place].difference].piece;
  Square near = square_about(point, search->rounding);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    Touch touch;
    if (i != place && touch_at(search, i, point, &touch) && touch == OPEN &&
        are_joined(search, piece, search->differences[search->places[i].difference].piece))
      return true;
  }
  return false;
}

/* Whether at a point all chains are touched where they can be. */
static bool is_let_be(Search *search, sat_Vec2 point) {
  Square near = square_about(point, search->rounding);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    Touch touch;
    if (!touch_at(search, i, point, &touch)) continue;
    if (touch == BARRED || (touch == BEHIND && is_round_the_end(search, i, point))) return false;
  }
  return true;
}

/* How far the differences at a place reach from there, or those alone that a point or a segment
 * makes, all of them closed. A way that none of them is on is not covered. */
static void follow_closed(Search *search, const Entry *entry, bool flat, sat_Place exits[2]) {
  const sat_Strip *strip = &search->strips[entry->of];
  sat_Vec2 point = sat_stretch_at(&strip->stretch, entry->place.t);
  Square near = square_about(point, search->rounding + entry->place.pad);
  exits[BACK] = (sat_Place){-HUGE_VAL, 0};
  exits[AHEAD] = (sat_Place){HUGE_VAL, 0};
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    Difference *difference = &search->differences[search->places[i].difference];
    if (search->places[i].difference == strip->owner) continue;
    if (flat && !difference->flat[0] && !difference->flat[1]) continue;
    know(search, difference);
    for (uint32_t direction = BACK; direction <= AHEAD; direction++) {
      sat_Place exit = entry->place;
      if (fabs(exits[direction].t) == HUGE_VAL &&
          sat_outline_covers(&difference->outline, &strip->stretch, direction == AHEAD, &exit))
        exits[direction] = exit;
    }
  }
}

/* Where a chain is touched in one point from its closed side, which is no way out unless nothing
 * covers what is beside it. */
static bool is_barred_place(Search *search, const Entry *entry, sat_Vec2 point,
                            sat_Place exits[2]) {
  if (!search->joined || search->touching || is_let_be(search, point)) return false;
  const sat_Stretch *stretch = &search->strips[entry->of].stretch;
  double t = entry->place.t, hair = 4 * max2(entry->place.pad, search->rounding);
  follow_closed(search, entry, false, exits);
  bool back = entry->direction != AHEAD && t > hair,
       ahead = entry->direction != BACK && t < stretch->end - hair;
  return !(back && exits[BACK].t == -HUGE_VAL) && !(ahead && exits[AHEAD].t == HUGE_VAL);
}

/* What covered the last place in a square of the grid, or the deepest; its box need not be near. */
static uint32_t *hint_at(const Search *search, sat_Vec2 point) {
  double scale = HINTS / (2 * search->reach), middle = HINTS * 0.5;
  uint32_t column = (uint32_t)clamp(middle + scale * point.x, 1, HINTS - 2);
  uint32_t row = (uint32_t)clamp(middle + scale * point.y, 1, HINTS - 2);
  return &search->hints[HINTS * row + column];
}

/* What has covered a place in the same square, and in those about it. */
static const int around[] = {0, -1, 1, -HINTS, HINTS, -HINTS - 1, -HINTS + 1, HINTS - 1, HINTS + 1};
enum { AROUND = sizeof around / sizeof *around };

static bool is_held_by_hint(Search *search, const Entry *entry, sat_Vec2 point,
                            sat_Place exits[2]) {
  uint32_t owner = search->strips[entry->of].owner, *hint = hint_at(search, point), last = owner;
  for (int i = 0; i < AROUND; i++) {
    uint32_t index = hint[around[i]];
    if (index == owner || index == last) continue;
    if (is_held_by(search, index, entry, exits)) {
      *hint = index;
      return true;
    }
    last = index;
  }
  return false;
}

/* A cover of few is likely to cover the next place, too; one of many a place nearby. */
static void remember_cover(Search *search, uint32_t index, sat_Vec2 point) {
  Place *places = search->places, place = places[index];
  if (!search->many) {
    places[index] = places[index / 2];
    places[index / 2] = place;
  } else {
    *hint_at(search, point) = place.difference;
  }
}

/* ---------------------------------------------------------------- what is surely covered */

/* The corner that is farthest from the origin. */
static sat_Vec2 far_corner(const Square *square) {
  sat_Vec2 low = square->low, high = square->high;
  return vec2(low.x + high.x < 0 ? low.x : high.x, low.y + high.y < 0 ? low.y : high.y);
}

/* Whether a square is inside of a difference beyond rounding: its corners are. */
static bool covers_square(Search *search, uint32_t index, const Square *square) {
  Difference *difference = &search->differences[index];
  search->tries++;
  sat_Vec2 low = square->low, high = square->high, far = far_corner(square);
  sat_Vec2 near = sub(add(low, high), far);
  sat_Vec2 corners[4] = {far, vec2(far.x, near.y), vec2(near.x, far.y), near};
  know(search, difference);
  const sat_Outline *outline = &difference->outline;
  double inside = -2 * outline->slack - ON_OUTLINE * search->rounding;
  if (outline->hollow) return false;
  for (uint32_t i = 0; i < 4; i++)
    if (sat_outline_excess(outline, corners[i], inside) >= inside) return false;
  return true;
}

/* At random, so that a walk over all places has about as many steps as there are samples. */
static uint32_t next_step(Search *search) {
  search->random = search->random * 1664525 + 1013904223;
  return 1 + (search->random >> 8) % (search->count / (SAMPLES / 2) + 1);
}

/* Whether one difference covers all of a square, as far as a sample of them tells. */
static bool is_square_covered(Search *search, const Square *square) {
  sat_Vec2 middle = mul(add(square->low, square->high), 0.5);
  uint32_t *hint = hint_at(search, middle);
  Square whole = {square->high, square->low}; /* a box that is near it holds all of the square */
  for (int i = 0; i < AROUND; i++) {
    uint32_t index = hint[around[i]];
    if (!covers_square(search, index, square)) continue;
    *hint = index;
    return true;
  }
  for (uint32_t i = next_near(search, next_step(search), &whole); i < search->count;
       i = next_near(search, i + next_step(search), &whole)) {
    if (!covers_square(search, search->places[i].difference, square)) continue;
    *hint = search->places[i].difference;
    return true;
  }
  return false;
}

/* Comes down to how near to the origin a square is that no difference covers, once it is too small
 * to be parted. Nearer parts go first. */
static void look_for_gap(Search *search, const Square *square, uint32_t parts) {
  sat_Vec2 low = square->low, high = square->high, middle = mul(add(low, high), 0.5);
  double near = length(way_to_box((sat_Box){low, high}));
  if (near >= search->gap || length(far_corner(square)) <= search->covered) return;
  if (is_square_covered(search, square)) return;
  if (parts == 0) {
    search->gap = near;
    return;
  }
  bool right = middle.x < 0, up = middle.y < 0;
  for (uint32_t i = 0; i < 4; i++) {
    bool at_right = right != (i & 1), at_top = up != (i >> 1);
    Square part = {vec2(at_right ? middle.x : low.x, at_top ? middle.y : low.y),
                   vec2(at_right ? high.x : middle.x, at_top ? high.y : middle.y)};
    look_for_gap(search, &part, parts - 1);
  }
}

/* A disc about the origin without a place to go to, a little smaller than it could be, so that what
 * starts on its rim is covered there. Stretches within it need not be followed, which are nearly
 * all where pieces lie in each other. What a coarse look has found a finer one does not look at
 * again. */
static void find_covered(Search *search) {
  Square all = square_about(vec2(0, 0), search->reach);
  search->covered = 0;
  search->tries = 0;
  if (!search->many || search->touching) return;
  for (uint32_t parts = LEAST_HALVINGS; parts <= MOST_HALVINGS; parts++) {
    search->gap = search->reach;
    look_for_gap(search, &all, parts);
    search->covered = max2(search->covered, search->gap * (1 - 1e-6));
    if (search->gap >= search->reach || search->tries > TRIES * (uint64_t)search->count) return;
  }
}

/* Whether all of a box is within the covered disc. */
static bool is_box_covered(const Search *search, const sat_Box *box) {
  double x = max2(fabs(box->min.x), fabs(box->max.x)), y = max2(fabs(box->min.y), fabs(box->max.y));
  return x * x + y * y < search->covered * search->covered;
}

/* ---------------------------------------------------------------- what covers a place */

/* Whether a place is inside of a difference, on a seam or barred; `exits` has where that ends. */
static bool find_cover(Search *search, const Entry *entry, sat_Place exits[2]) {
  uint32_t owner = search->strips[entry->of].owner;
  sat_Vec2 point = sat_stretch_at(&search->strips[entry->of].stretch, entry->place.t);
  Square near = square_about(point, search->rounding + entry->place.pad);
  uint32_t flat = 0;
  if (search->many && is_held_by_hint(search, entry, point, exits)) return true;
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    const Difference *difference = &search->differences[search->places[i].difference];
    flat += difference->flat[0] || difference->flat[1];
    if (search->places[i].difference == owner ||
        !is_held_by(search, search->places[i].difference, entry, exits))
      continue;
    remember_cover(search, i, point);
    return true;
  }
  if (flat < 2 || !is_on_seam(search, point)) return is_barred_place(search, entry, point, exits);
  follow_closed(search, entry, true, exits);
  return true;
}

/* The place to go on from: where a cover ends, or the end of the stretch if that is nearly there.
 * The ends of a chain's segments are left to what is beside them: beyond may be its closed side.
 * False: it is beyond the stretch, or too far from the origin. */
static bool go_on(const Search *search, const Entry *entry, uint32_t direction, sat_Place *place,
                  double *near) {
  const sat_Stretch *stretch = &search->strips[entry->of].stretch;
  double hair = sat_is_turn(stretch) ? place->pad : max2(place->pad, search->rounding);
  double t = entry->place.t;
  bool ends = direction == AHEAD ? t >= stretch->end || place->t > stretch->end + hair
                                 : t <= 0 || place->t < -hair;
  if (ends) return false;
  place->t = clamp(place->t, 0, stretch->end);
  *near = length(sat_stretch_at(stretch, place->t));
  return !too_long(search, *near);
}

/* Goes on by a hair at least, which rounding might leave out for ever. */
static sat_Place next_place(const Search *search, const Entry *entry, sat_Place exit) {
  bool turns = sat_is_turn(&search->strips[entry->of].stretch);
  double hair = turns ? 0 : search->rounding, t = entry->place.t;
  exit.t = entry->direction == AHEAD ? max2(exit.t, t + hair) : min2(exit.t, t - hair);
  return exit;
}

/* From a place on one way to the first that nothing covers, as long as no other place is nearer.
 * Each difference is left once, and a seam beside it, so that more steps than that are none. */
static void follow(Search *search, Entry *entry, uint32_t id) {
  sat_Place exits[2];
  double near;
  while (find_cover(search, entry, exits)) {
    sat_Place next = next_place(search, entry, exits[entry->direction]);
    if (next.t == entry->place.t) break; /* by less than a bit: not at all */
    if (entry->steps++ / 4 > search->count) return;
    if (!go_on(search, entry, entry->direction, &next, &near)) return;
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

/* The same from where a stretch comes nearest, both ways. */
static void follow_both(Search *search, const Entry *entry, uint32_t id) {
  sat_Place exits[2];
  if (!find_cover(search, entry, exits)) {
    propose_place(search, entry);
    return;
  }
  for (uint32_t direction = BACK; direction <= AHEAD; direction++) {
    Entry part = *entry;
    double near;
    part.direction = (uint8_t)direction;
    part.place = exits[direction];
    part.foot = false;
    if (!go_on(search, entry, direction, &part.place, &near)) continue;
    uint32_t own = direction == BACK ? search->entry_count++ : id;
    search->entries[own] = part;
    put_key(search, near, own);
  }
}

/* Whether the difference of a pair that is deep in each other covers all of a stretch. */
static bool is_swallowed(Search *search, const sat_Strip *strip) {
  if (strip->owner == search->deepest) return false;
  Difference *deepest = &search->differences[search->deepest];
  know(search, deepest);
  return sat_outline_swallows(&deepest->outline, &strip->stretch);
}

/* Whether a straight stretch comes nearest at the origin's projection, or is short of it by
 * rounding. */
static bool is_foot(const Search *search, const sat_Stretch *stretch) {
  double t = -dot(stretch->base, stretch->ahead);
  return t >= -search->rounding && t <= stretch->end + search->rounding;
}

/* Puts where a stretch that begins in the covered disc leaves it, one way; from its nearest place
 * on it leads only away. */
static void put_from_rim(Search *search, const Entry *entry, Direction direction) {
  const sat_Stretch *stretch = &search->strips[entry->of].stretch;
  double inside = entry->place.t, outside = direction == AHEAD ? stretch->end : 0;
  if (length(sat_stretch_at(stretch, outside)) < search->covered) return;
  for (int i = 0; i < RIM_HALVINGS; i++) {
    double middle = (inside + outside) * 0.5;
    bool covered = length(sat_stretch_at(stretch, middle)) < search->covered;
    inside = covered ? middle : inside;
    outside = covered ? outside : middle;
  }
  Entry part = *entry;
  part.place.t = inside;
  part.direction = (uint8_t)direction;
  part.foot = false;
  put(search, length(sat_stretch_at(stretch, inside)), &part);
}

static void put_strip(Search *search, uint32_t index) {
  const sat_Strip *strip = &search->strips[index];
  const sat_Stretch *stretch = &strip->stretch;
  double same = tie_of(search, stretch->radius);
  Entry entry = {{sat_stretch_nearest(stretch, same, search->wanted), 0}, index, 0, BOTH, false};
  double near = length(sat_stretch_at(stretch, entry.place.t));
  if (near > search->reach || too_long(search, near)) return;
  if (near < search->covered) {
    put_from_rim(search, &entry, BACK);
    put_from_rim(search, &entry, AHEAD);
    return;
  }
  if (!search->few && is_swallowed(search, strip)) return; /* of few it does not pay */
  entry.foot = !sat_is_turn(stretch) && is_foot(search, stretch);
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
static void put_whole(Search *search, const Place *place) {
  sat_Vec2 way = way_to_box(place->box);
  Entry whole = {{0, 0}, place->difference, 0, WHOLE, false};
  if (is_box_covered(search, &place->box)) return;
  if (!shows(search, search->differences[place->difference].piece)) return;
  if (way.x == 0 && way.y == 0) open_difference(search, place->difference);
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
  find_covered(search);
  if (search->covered > 0 && search->gap >= search->reach && search->reach < search->longest)
    return;
  for (uint32_t i = 0; i < search->count; i++) put_whole(search, &search->places[i]);
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

/* Should roundings ever lead astray, the way past the box is one, if not the shortest. */
static void propose_past_box(Search *search) {
  sat_Vec2 vector = way_past_box(search);
  double size = length(vector);
  sat_Escape escape = {{vector, search->wanted, size, SAT_OF_A, 0, true},
                       {search->deepest_of[0], search->deepest_of[1]},
                       false};
  if (size > 0) escape.way.normal = mul(vector, 1 / size);
  propose(search, size, false, &escape);
}

/* No way out of a one-sided chain is longer: towards its open side may be much farther than past
 * the box. */
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

/* Where no outline says how two touch: two points, or a corner that is not on the outline of the
 * whole. */
static void touch_anyhow(Search *search) {
  const sat_Meeting *meeting = &search->meeting;
  const sat_Nearest *nearest = &meeting->nearest;
  sat_Pair pair = pair_of(search, search->deepest_of);
  bool corner = !meeting->inside && nearest->corner;
  const sat_Facet *facet = meeting->inside ? &meeting->widest : &nearest->facet;
  sat_Vec2 normal = corner ? nearest->normal : facet_normal(&pair, facet);
  if (normal.x == 0 && normal.y == 0) normal = search->wanted;
  search->best = (sat_Escape){{vec2(0, 0), normal, 0, corner ? SAT_OF_A : (sat_Side)facet->side,
                               corner ? nearest->vertex_of[SAT_OF_A] : facet->edge, corner},
                              {search->deepest_of[0], search->deepest_of[1]},
                              false};
}

/* Where no pair does more than touch, nothing has to move, unless a point or a segment is on a
 * seam; what decides is near the origin. */
static sat_Status touch_only(Search *search, sat_Scratch *scratch) {
  search->reach = 8 * search->rounding;
  search->found = false;
  if (search->outlined) {
    if (!gather(search, scratch)) return SAT_ENOMEM;
    if (search->count > 1 && is_on_seam(search, vec2(0, 0))) return SAT_MISS;
    search->touching = true;
    search_all(search);
  }
  if (!search->found && search->solid) touch_anyhow(search);
  else if (!search->found) touch_from_behind(search);
  return SAT_OK;
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
  sat_Status status = search.overlap ? SAT_MISS : touch_only(&search, scratch);
  if (status == SAT_ENOMEM) return status;
  if (status == SAT_MISS) {
    search.found = false;
    if (!search_near_and_far(&search, scratch)) return SAT_ENOMEM;
    if (!search.found) propose_past_box(&search);
  }
  *escape = search.best;
  return SAT_OK;
}
