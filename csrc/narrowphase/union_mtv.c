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
#include "narrowphase/boundary_clip.h"
#include "base/memory.h"

#include <string.h>

/* Up to so many pairs of pieces all are looked at. Of more, those as near as the way out may be
 * long, which is guessed and doubled. */
#define FEW_PIECE_PAIRS 256
/* So few are looked at without asking the trees. */
#define VERY_FEW_PAIRS 16
/* So many meetings of few pairs are looked at, in the hope that leaving the deepest is enough. */
#define MAX_COUNTED_OVERLAPS 6

/* Of many pairs it is remembered what covered the last place in each square of a grid, which has so
 * many to a side: at least so many squares for each difference, up to a limit. */
#define LEAST_CACHE_CELLS 32
#define MOST_CACHE_CELLS 512
#define CELLS_PER_DIFFERENCE 8
/* A square is halved no more often than this, and about so many differences are tried on each
 * part. */
#define LEAST_HALVINGS 4
#define MOST_HALVINGS 13
#define SAMPLED_DIFFERENCES 512
/* No finer look follows once there were more than so many tries for each difference. */
#define TRIES 16
/* How often a stretch is halved to find where it leaves a disc. */
#define ARC_HALVINGS 12
/* A quarter turn about the origin is halved no more often than this, until what covers each part
 * extends as far as the least extent but for rounding, and with no more tries for each difference.
 * The table of what covers a sector has so many entries for a quarter turn. */
#define SECTOR_HALVINGS 24
#define SECTOR_TRIES 200
#define NEEDED_EXTENT 0.98
#define SURELY (1 - SAT_COVERED_MARGIN)
#define SECTOR_CODES 1024
/* Each 8 of many places in a row have a box about them, each 8 of these boxes one again, and so on,
 * up to so many levels: as many as 32 bits have octal digits. */
#define BLOCK_SHIFT 3
#define BLOCK (1u << BLOCK_SHIFT)
#define MOST_LEVELS 11

/* The Minkowski difference of two pieces. */
typedef struct Difference {
  sat_Boundary boundary;
  uint32_t piece_index[2];
  uint32_t first;       /* of its rims, and of the rows of its order */
  bool known;           /* the outline is there */
  bool flat[2];         /* that side's part is a point or a segment */
  bool looked, ordered; /* whether it has an order is known, and it has */
} Difference;

/* The box of a difference's outline. */
typedef struct DifferenceBox {
  sat_Box box;
  uint32_t difference;
} DifferenceBox;

/* A place on a stretch that may be the way out, with what follows it ahead or back still to be
 * looked at, or a whole difference that is not yet opened. */
typedef enum SearchDirection {
  SEARCH_BACK,
  SEARCH_AHEAD,
  SEARCH_BOTH,
  SEARCH_DIFFERENCE
} SearchDirection;
typedef struct SearchTask {
  sat_Parameter parameter;
  uint32_t of;       /* which strip, or difference */
  uint32_t steps;    /* how many covers have been left on the way */
  uint8_t direction; /* of what is still to be looked at */
  bool foot;         /* the place is the origin's projection */
} SearchTask;

/* No place of an entry is nearer than this. */
typedef struct Key {
  double near;
  uint32_t task;
} Key;

typedef struct UnionSearch {
  const sat_PieceView *of[2];
  sat_Vec2 origin_offset;   /* from A's origin to B's */
  sat_Vec2 centroid_offset; /* from B's centroid to A's; 0, 0 where they coincide */
  sat_Vec2 wanted;          /* the same with unit length, or +x */
  double rounding;          /* of the coordinates */
  double depth;             /* of the deepest pair that was looked for */
  double max_length;        /* no way out that is longer is looked for */
  double longest;           /* none is longer */
  bool overlap;             /* a pair does more than touch */
  bool in_chain;            /* there are chains, whose segments may not be left in all directions */
  bool solid;               /* one that touches is not of a one-sided chain */
  bool has_boundary;        /* a pair that meets has an outline: two points have none */
  bool touching;            /* no pair does more than touch, nor does a seam hold anything */
  bool few;                 /* few pairs, all of which are looked at */
  bool composite; /* many differences are near, so that what covers a place has to be sought */
  Difference *differences;
  /* of all differences; of few what has covered something moves to the front */
  DifferenceBox *boxes;
  sat_Box *blocks;                /* of many, from the smallest on: of each level */
  uint32_t level_at[MOST_LEVELS]; /* where its boxes begin */
  uint32_t levels;
  uint32_t *cached_covers; /* of many: differences */
  uint32_t cache_cells;    /* to a side of the grid */
  uint32_t *sector_covers; /* of many: what covers each sector about the origin */
  double covered;          /* all that is nearer to the origin than this is inside of differences */
  double separation;       /* the nearest square without a cover so far */
  uint64_t tries;          /* of one difference on one square */
  uint32_t random;
  sat_BoundaryEdge *boundary_edges;
  uint32_t *rows;
  sat_Candidate *candidates;
  SearchTask *tasks;
  Key *keys; /* a heap, the nearest first */
  uint32_t count, edge_count, candidate_count, task_count, key_count;
  uint64_t most_differences, max_boundary_edges; /* of what is near */
  sat_ConvexTest deepest_test;                   /* of that pair, */
  uint32_t overlap_count;                        /* and how many there were before */
  bool given_up;
  double tie;             /* facets nearer to each other than this are equally near */
  uint32_t deepest_of[2]; /* that pair's pieces, and their difference */
  uint32_t deepest;
  bool found;
  double shortest;
  sat_UnionMtv best;
  double best_length;
  bool best_is_foot;
} UnionSearch;

/* Unit vectors so near to each other are ways out of one side: what a corner beside the origin's
 * projection is off by is far less. */
#define SAME_WAY (1 - SAT_SAME_WAY)
/* What is no more than so many times rounding from outlines is on all of them: more than a computed
 * place is off by. */
#define BOUNDARY_ROUNDINGS 8

/* ---------------------------------------------------------------- pairs of pieces */

static sat_Pair pair_of(const UnionSearch *search, const uint32_t piece_index[2]) {
  return sat_convex_pair_of_pieces(search->of[0], search->of[1], piece_index);
}

/* The box of two pieces' difference. */
static sat_Box difference_box(const UnionSearch *search, const sat_Piece *a, const sat_Piece *b) {
  double radius = sat_piece_radius(search->of[0], a) + sat_piece_radius(search->of[1], b);
  sat_Vec2 out = vec2(radius, radius);
  return (sat_Box){sub(add(search->origin_offset, sub(b->box.min, a->box.max)), out),
                   add(add(search->origin_offset, sub(b->box.max, a->box.min)), out)};
}

/* From the origin to a box. */
static sat_Vec2 vector_to_box(sat_Box box) {
  double x = max2(max2(box.min.x, -box.max.x), 0), y = max2(max2(box.min.y, -box.max.y), 0);
  return vec2(x, y);
}

static bool box_is_near(sat_Box box, double max_length) {
  sat_Vec2 result = vector_to_box(box);
  return dot(result, result) <= max_length * max_length;
}

/* All four at once: which of them is wrong is hard to predict for the processor. */
static bool box_holds(const sat_Box *box, sat_Vec2 low, sat_Vec2 high) {
  return (high.x >= box->min.x) & (low.x <= box->max.x) & (high.y >= box->min.y) &
         (low.y <= box->max.y);
}

typedef bool (*PairVisit)(UnionSearch *search, const uint32_t piece_index[2], sat_Box box);
static bool visit_pair(UnionSearch *search, double max_length, PairVisit visit,
                       const uint32_t piece_index[2]) {
  const sat_Piece *a = &search->of[0]->pieces[piece_index[0]],
                  *b = &search->of[1]->pieces[piece_index[1]];
  sat_Box box = difference_box(search, a, b);
  return !box_is_near(box, max_length) || visit(search, piece_index, box);
}

/* Calls for every pair of pieces whose difference's box comes so near to the origin. */
static bool visit_pairs(UnionSearch *search, double max_length, PairVisit visit) {
  const sat_PieceView *a = search->of[0], *b = search->of[1];
  uint32_t piece_index[2];
  if ((uint64_t)a->count * b->count <= VERY_FEW_PAIRS) {
    for (piece_index[0] = 0; piece_index[0] < a->count; piece_index[0]++)
      for (piece_index[1] = 0; piece_index[1] < b->count; piece_index[1]++)
        if (!visit_pair(search, max_length, visit, piece_index)) return false;
    return true;
  }
  sat_PiecePairs piece_pairs = sat_piece_pairs_begin(a, b, max_length);
  while (sat_piece_pairs_next(&piece_pairs, piece_index))
    if (!visit_pair(search, max_length, visit, piece_index)) return false;
  return true;
}

/* ---------------------------------------------------------------- do they meet? */

/* How deep the pieces are in each other: no way out is shorter. Of many of a few pairs that they
 * overlap is enough. */
static bool measure_overlap(UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  (void)box;
  sat_Pair pair = pair_of(search, piece_index);
  sat_ConvexTest deepest_test;
  if (!sat_convex_test(&pair, search->tie, false, NULL, &deepest_test)) return true;
  if (search->in_chain) {
    sat_PiecePair pieces = sat_piece_pair_of(search->of[0], search->of[1], piece_index);
    search->solid = search->solid || !sat_pieces_one_sided(&pieces);
  }
  double separation =
      deepest_test.inside ? deepest_test.max_facet.separation : deepest_test.closest.distance;
  search->found = true;
  search->overlap = search->overlap || separation < pair.radius;
  search->has_boundary =
      search->has_boundary || pair.of[0].count + pair.of[1].count > 2 || pair.radius > 0;
  search->given_up =
      search->few && search->overlap && ++search->overlap_count > MAX_COUNTED_OVERLAPS;
  if (pair.radius - separation < search->depth) return !search->given_up;
  search->depth = pair.radius - separation;
  search->deepest_of[0] = piece_index[0];
  search->deepest_of[1] = piece_index[1];
  search->deepest_test = deepest_test;
  return !search->given_up;
}

/* ---------------------------------------------------------------- out of the deepest pair */

/* The part of the deepest pair on a side. */
static const sat_Piece *deepest_piece(const UnionSearch *search, uint32_t side) {
  return &search->of[side]->pieces[search->deepest_of[side]];
}

static bool corner_is_exposed(const UnionSearch *search, uint32_t side, uint32_t vertex) {
  return deepest_piece(search, side)->corners >> (vertex & 31) & 1;
}

static bool union_result_from_edge(const UnionSearch *search, const sat_Pair *pair, sat_Facet facet,
                                   sat_Result *result) {
  sat_Vec2 normal = facet_normal(pair, &facet);
  *result = (sat_Result){mul(normal, search->depth), normal,     search->depth,
                         (sat_Side)facet.side,       facet.edge, false};
  return deepest_piece(search, facet.side)->edges >> (facet.edge & 31) & 1 &&
         corner_is_exposed(search, !facet.side, facet.vertex);
}

static bool union_result_from_vertex(const UnionSearch *search, const sat_ClosestFeature *nearest,
                                     sat_Result *result) {
  *result = (sat_Result){mul(nearest->normal, search->depth),
                         nearest->normal,
                         search->depth,
                         SAT_A,
                         nearest->vertex_of[SAT_A],
                         true};
  return corner_is_exposed(search, SAT_A, nearest->vertex_of[SAT_A]) &&
         corner_is_exposed(search, SAT_B, nearest->vertex_of[SAT_B]);
}

/* The shortest way out of the deepest pair. False: several are about as short, or it leads nowhere
 * but into other parts. */
static bool deepest_pair_result(const UnionSearch *search, sat_Result *result) {
  const sat_ConvexTest *deepest_test = &search->deepest_test;
  const sat_ClosestFeature *nearest = &deepest_test->closest;
  sat_Pair pair = pair_of(search, search->deepest_of);
  if (search->depth <= search->tie) return false;
  if (deepest_test->inside) {
    sat_Facet facet = deepest_test->max_facet;
    sat_Vec2 inward = neg(normal_of(pair.of[facet.side].edges, facet.edge));
    bool all = deepest_piece(search, !facet.side)->corners == UINT32_MAX;
    facet.vertex = all ? 0 : sat_support_index(&pair.of[!facet.side], inward);
    return !deepest_test->ties && deepest_test->max_facet.separation < -search->tie &&
           union_result_from_edge(search, &pair, facet, result);
  }
  if (nearest->distance <= search->tie) return false;
  return nearest->corner ? union_result_from_vertex(search, nearest, result)
                         : union_result_from_edge(search, &pair, nearest->facet, result);
}

/* Whether a pair other than the deepest is apart by more than rounding. */
static bool is_separate(UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  sat_ConvexTest deepest_test;
  (void)box;
  if (piece_index[0] == search->deepest_of[0] && piece_index[1] == search->deepest_of[1])
    return true;
  sat_Pair pair = pair_of(search, piece_index);
  pair.radius += 8 * search->rounding;
  return !sat_convex_test(&pair, 0, false, NULL, &deepest_test);
}

/* Whether all others are once A has moved. */
static bool others_are_separate(UnionSearch *search, sat_Vec2 vector) {
  const sat_PieceView *a = search->of[0];
  sat_Vec2 origin_offset = search->origin_offset;
  sat_PieceView moved = *a;
  moved.origin = add(a->origin, vector);
  search->of[0] = &moved;
  search->origin_offset = sub(search->of[1]->origin, moved.origin);
  bool centroid_offset = visit_pairs(search, 8 * search->rounding, is_separate);
  search->of[0] = a;
  search->origin_offset = origin_offset;
  return centroid_offset;
}

/* The shortest way out of the deepest pair, if that is clear of the others: all have to leave that
 * one, so that nothing is shorter, and if there is no other as short nothing else as short,
 * either. */
static bool deepest_pair_decides(UnionSearch *search, sat_UnionMtv *mtv) {
  sat_Result result;
  if (search->in_chain || search->given_up || !deepest_pair_result(search, &result)) return false;
  if (!others_are_separate(search, result.vector)) return false;
  *mtv = (sat_UnionMtv){result, {search->deepest_of[0], search->deepest_of[1]}, false};
  return true;
}

/* ---------------------------------------------------------------- the differences */

static uint64_t max_boundary_edges(const UnionSearch *search, const uint32_t piece_index[2]) {
  return (uint64_t)search->of[0]->pieces[piece_index[0]].count +
         search->of[1]->pieces[piece_index[1]].count;
}

static bool count_difference(UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  (void)box;
  search->most_differences++;
  search->max_boundary_edges += max_boundary_edges(search, piece_index);
  return true;
}

static void push_key(UnionSearch *search, double near, uint32_t task) {
  Key *keys = search->keys;
  uint32_t index = search->key_count++;
  for (; index > 0 && keys[(index - 1) / 2].near > near; index = (index - 1) / 2)
    keys[index] = keys[(index - 1) / 2];
  keys[index] = (Key){near, task};
}

static void push_task(UnionSearch *search, double near, const SearchTask *task) {
  search->tasks[search->task_count] = *task;
  push_key(search, near, search->task_count++);
}

static Key pop_nearest(UnionSearch *search) {
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
static bool difference_is_exposed(const UnionSearch *search, const uint32_t piece_index[2]) {
  const sat_Piece *a = &search->of[0]->pieces[piece_index[0]],
                  *b = &search->of[1]->pieces[piece_index[1]];
  return (a->edges && b->corners) || (b->edges && a->corners);
}

static bool is_flat(const sat_PieceView *view, uint32_t piece_index) {
  const sat_Piece *piece = &view->pieces[piece_index];
  return piece->count <= 2 && sat_piece_radius(view, piece) == 0;
}

static bool add_difference(UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  uint32_t index = search->count++;
  search->differences[index] = (Difference){
      .piece_index = {piece_index[0], piece_index[1]},
      .first = search->edge_count,
      .flat = {is_flat(search->of[0], piece_index[0]), is_flat(search->of[1], piece_index[1])}};
  search->edge_count += (uint32_t)max_boundary_edges(search, piece_index);
  search->boxes[index] = (DifferenceBox){box, index};
  if (piece_index[0] == search->deepest_of[0] && piece_index[1] == search->deepest_of[1])
    search->deepest = index;
  return true;
}

/* ---------------------------------------------------------------- equal differences */

static int compare(double a, double b) { return (a > b) - (a < b); }

static bool comes_later(const DifferenceBox *p, const DifferenceBox *q) {
  int order = compare(p->box.min.x, q->box.min.x);
  if (order == 0) order = compare(p->box.min.y, q->box.min.y);
  if (order == 0) order = compare(p->box.max.x, q->box.max.x);
  if (order == 0) order = compare(p->box.max.y, q->box.max.y);
  return order != 0 ? order > 0 : p->difference > q->difference;
}

static void sift_difference_box(DifferenceBox *boxes, uint32_t index, uint32_t count) {
  DifferenceBox place = boxes[index];
  for (uint32_t child; index < count / 2; index = child) {
    child = 2 * index + 1;
    child += child + 1 < count && comes_later(&boxes[child + 1], &boxes[child]);
    if (!comes_later(&boxes[child], &place)) break;
    boxes[index] = boxes[child];
  }
  boxes[index] = place;
}

static void sort_places(DifferenceBox *boxes, uint32_t count) {
  for (uint32_t i = count / 2; i-- > 0;) sift_difference_box(boxes, i, count);
  for (uint32_t last = count; last-- > 1;) {
    DifferenceBox first = boxes[0];
    boxes[0] = boxes[last];
    boxes[last] = first;
    sift_difference_box(boxes, 0, last);
  }
}

/* Whether two parts of a body are the same but for where they are, and hide the same. */
static bool same_pieces(const sat_PieceView *view, uint32_t i, uint32_t j) {
  const sat_Piece *p = &view->pieces[i], *q = &view->pieces[j];
  const sat_Vec2 *v = view->vertices + p->first, *w = view->vertices + q->first;
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
static bool is_repeated(const UnionSearch *search, uint32_t first, uint32_t second) {
  const Difference *p = &search->differences[first], *q = &search->differences[second];
  if (q->flat[0] || q->flat[1]) return false;
  return same_pieces(search->of[0], p->piece_index[0], q->piece_index[0]) &&
         same_pieces(search->of[1], p->piece_index[1], q->piece_index[1]);
}

static bool same_box(const sat_Box *a, const sat_Box *b) {
  return a->min.x == b->min.x && a->min.y == b->min.y && a->max.x == b->max.x &&
         a->max.y == b->max.y;
}

/* The bits of a number below 2^16, each with a 0 after it. */
static uint32_t spread_bits(uint32_t number) {
  number = (number | number << 8) & 0x00ff00ffu;
  number = (number | number << 4) & 0x0f0f0f0fu;
  number = (number | number << 2) & 0x33333333u;
  return (number | number << 1) & 0x55555555u;
}

/* The Morton code of the square that a box's lower corner is in, of a grid about all boxes but the
 * largest. */
static uint32_t morton_code(const UnionSearch *search, const sat_Box *box) {
  double cells = search->cache_cells, scale = cells / (4 * search->max_length),
         middle = cells * 0.75;
  uint32_t column = (uint32_t)clamp(middle + scale * box->min.x, 0, cells - 1);
  uint32_t row = (uint32_t)clamp(middle + scale * box->min.y, 0, cells - 1);
  return spread_bits(column) | spread_bits(row) << 1;
}

/* A counting sort by Morton code, so that neighbours in the list are neighbours in the plane;
 * `sorted` has room for all boxes, and `ends` then has where each code ends. */
static void sort_by_code(const UnionSearch *search, DifferenceBox *sorted, uint32_t *ends) {
  uint32_t codes = search->cache_cells * search->cache_cells;
  memset(ends, 0, codes * sizeof *ends);
  for (uint32_t i = 0; i < search->count; i++) ends[morton_code(search, &search->boxes[i].box)]++;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < codes; i++) {
    uint32_t count = ends[i];
    ends[i] = sum;
    sum += count;
  }
  for (uint32_t i = 0; i < search->count; i++)
    sorted[ends[morton_code(search, &search->boxes[i].box)]++] = search->boxes[i];
}

/* Puts equal boxes beside each other. Most runs of one code are short, or of one box. */
static void sort_run(DifferenceBox *boxes, uint32_t count) {
  uint32_t i = 1;
  while (i < count && !comes_later(&boxes[i - 1], &boxes[i])) i++;
  if (i < count) sort_places(boxes, count);
}

/* Of many differences only the first of each place and form is left. The memory of the tasks and
 * of the covers is not in use yet. */
static void drop_repeated(UnionSearch *search) {
  DifferenceBox *boxes = search->boxes, *sorted = (DifferenceBox *)(void *)search->tasks;
  uint32_t left = 0, begin = 0, codes = search->cache_cells * search->cache_cells;
  sort_by_code(search, sorted, search->cached_covers);
  for (uint32_t code = 0; code < codes; code++) {
    uint32_t end = search->cached_covers[code];
    sort_run(sorted + begin, end - begin);
    for (; begin < end; begin++) {
      const DifferenceBox *last = left > 0 ? &boxes[left - 1] : NULL, *next = &sorted[begin];
      bool same = last && same_box(&last->box, &next->box) &&
                  is_repeated(search, last->difference, next->difference);
      if (!same) boxes[left++] = *next;
      else if (search->deepest == next->difference) search->deepest = last->difference;
    }
  }
  search->count = left;
}

/* ---------------------------------------------------------------- all of them */

/* How much there may be. Of few pairs all are there. */
static void count_differences(UnionSearch *search) {
  const sat_PieceView *a = search->of[0], *b = search->of[1];
  search->most_differences = search->max_boundary_edges = 0;
  if (!search->few) {
    visit_pairs(search, search->max_length, count_difference);
    return;
  }
  search->most_differences = (uint64_t)a->count * b->count;
  for (uint32_t i = 0; i < a->count; i++)
    search->max_boundary_edges += (uint64_t)a->pieces[i].count * b->count;
  for (uint32_t i = 0; i < b->count; i++)
    search->max_boundary_edges += (uint64_t)b->pieces[i].count * a->count;
}

static uint32_t cache_cells_for(uint64_t differences) {
  uint32_t cells = LEAST_CACHE_CELLS;
  while (cells < MOST_CACHE_CELLS && (uint64_t)cells * cells < CELLS_PER_DIFFERENCE * differences)
    cells *= 2;
  return cells;
}

/* How many boxes there are at most about so many places. */
static uint64_t most_blocks(uint64_t boxes) { return boxes / (BLOCK - 1) + MOST_LEVELS; }

static sat_Box union_of_boxes(sat_Box a, const sat_Box *b) {
  return (sat_Box){vec2(min2(a.min.x, b->min.x), min2(a.min.y, b->min.y)),
                   vec2(max2(a.max.x, b->max.x), max2(a.max.y, b->max.y))};
}

static const sat_Box *box_below(const UnionSearch *search, uint32_t level, uint32_t index) {
  return level == 0 ? &search->boxes[index].box
                    : &search->blocks[search->level_at[level - 1] + index];
}

/* Boxes about boxes, until there is one about all. */
static void make_blocks(UnionSearch *search) {
  uint32_t below = search->count, at = 0;
  for (search->levels = 0; below > 1; search->levels++) {
    uint32_t level = search->levels, first = at;
    search->level_at[level] = first;
    for (uint32_t i = 0; i < below; i++) {
      const sat_Box *box = box_below(search, level, i);
      sat_Box *block = &search->blocks[first + i / BLOCK];
      *block = i % BLOCK == 0 ? *box : union_of_boxes(*block, box);
    }
    below = (below - 1) / BLOCK + 1;
    at += below;
  }
}

/* All differences so near. False: no memory, or more than indices can count, which is more than any
 * memory. Each strip may be parted in two once. */
static bool collect_differences(UnionSearch *search, sat_Scratch *scratch) {
  count_differences(search);
  uint64_t differences = search->most_differences, boundary_edges = search->max_boundary_edges;
  uint64_t candidates = SAT_MAX_CANDIDATES * boundary_edges, tasks = differences + 2 * candidates;
  if (differences > UINT32_MAX || boundary_edges > UINT32_MAX || tasks > UINT32_MAX) return false;
  uint64_t bytes = differences * (sizeof(Difference) + sizeof(DifferenceBox)) +
                   boundary_edges * (sizeof(sat_BoundaryEdge) + sizeof(uint32_t)) +
                   candidates * sizeof(sat_Candidate) + tasks * (sizeof(SearchTask) + sizeof(Key));
  search->composite = differences > FEW_PIECE_PAIRS;
  uint64_t blocks = search->composite ? most_blocks(differences) : 0;
  search->cache_cells = search->composite ? cache_cells_for(differences) : 0;
  uint64_t cached_covers = (uint64_t)search->cache_cells * search->cache_cells;
  uint64_t sector_covers = search->composite ? 4 * SECTOR_CODES : 0;
  bytes += blocks * sizeof(sat_Box) + (cached_covers + sector_covers) * sizeof(uint32_t);
  char *block = bytes <= SIZE_MAX ? sat_scratch_reserve(scratch, (size_t)bytes) : NULL;
  if (!block) return false;
  search->differences = (Difference *)(void *)block;
  search->boxes = (DifferenceBox *)(search->differences + differences);
  search->blocks = (sat_Box *)(search->boxes + differences);
  search->boundary_edges = (sat_BoundaryEdge *)(search->blocks + blocks);
  search->candidates = (sat_Candidate *)(search->boundary_edges + boundary_edges);
  search->keys = (Key *)(search->candidates + candidates);
  search->tasks = (SearchTask *)(search->keys + tasks);
  search->rows = (uint32_t *)(search->tasks + tasks);
  search->cached_covers = search->rows + boundary_edges;
  search->sector_covers = search->cached_covers + cached_covers;
  search->count = search->edge_count = search->candidate_count = 0;
  search->task_count = search->key_count = 0;
  visit_pairs(search, search->max_length, add_difference);
  search->levels = 0;
  if (!search->composite) return true;
  if (!search->few && !search->in_chain) drop_repeated(search);
  make_blocks(search);
  for (uint64_t i = 0; i < cached_covers + sector_covers; i++)
    search->cached_covers[i] = search->deepest; /* and the table of sectors, which follows */
  return true;
}

/* ---------------------------------------------------------------- outlines */

/* The facets of two polygons, merged by angle as sat_walk_next does, but by the edges' normals,
 * which takes a third of the time. Where rounding misplaces two that are almost parallel, the
 * outline is off by rounding. */
static sat_Boundary merged_boundary(const sat_Pair *pair, sat_BoundaryEdge *boundary_edges) {
  const sat_Convex *of = pair->of;
  uint32_t at[2] = {0, sat_support_index(&of[1], neg(normal_of(of[0].edges, 0)))};
  uint32_t left[2] = {of[0].count, of[1].count}, count = 0;
  while (left[0] + left[1] > 0) {
    sat_Vec2 normals[2] = {normal_of(of[0].edges, at[0]), normal_of(of[1].edges, at[1])};
    uint32_t side = left[0] == 0 || (left[1] > 0 && cross(normals[0], normals[1]) > 0);
    sat_Vec2 normal = normals[side], other = of[!side].vertex[at[!side]];
    uint32_t next = next_index(&of[side], at[side]);
    sat_BoundaryEdge *boundary_edge = &boundary_edges[count];
    double base = dot(normal, pair->origin_offset[side]) - offset_of(of[side].edges, at[side]);
    boundary_edge->separation = base + dot(normal, other);
    boundary_edge->start = corner_of(pair, at[0], at[1]);
    boundary_edge->normal = side ? normal : neg(normal);
    boundary_edge->length =
        dot(perp(normal), sub(of[side].vertex[next], of[side].vertex[at[side]]));
    boundary_edge->facet = (sat_Facet){boundary_edge->separation, side, at[side], at[!side]};
    boundary_edge->corner_of[0] = at[0];
    boundary_edge->corner_of[1] = at[1];
    at[side] = next;
    left[side]--;
    count += boundary_edge->length > 0;
  }
  if (count == 0) return sat_boundary_of(pair, boundary_edges);
  return (sat_Boundary){boundary_edges, count, pair->radius, sat_boundary_error_bound(pair), false};
}

static bool is_ordered(UnionSearch *search, Difference *difference, const sat_Pair *pair) {
  if (!difference->looked)
    difference->ordered = sat_edge_order_of(pair, search->rows + difference->first);
  difference->looked = true;
  return difference->ordered;
}

static void ensure_boundary(UnionSearch *search, Difference *difference) {
  if (difference->known) return;
  sat_Pair pair = pair_of(search, difference->piece_index);
  sat_BoundaryEdge *boundary_edges = search->boundary_edges + difference->first;
  const uint32_t *rows = search->rows + difference->first;
  bool polygons = pair.of[0].count > 2 && pair.of[1].count > 2;
  difference->known = true;
  if (is_ordered(search, difference, &pair))
    difference->boundary = sat_boundary_in_order(&pair, rows, boundary_edges);
  else if (polygons) difference->boundary = merged_boundary(&pair, boundary_edges);
  else difference->boundary = sat_boundary_of(&pair, boundary_edges);
}

/* ---------------------------------------------------------------- ways out */

static double tie_of(const UnionSearch *search, double length) {
  return SAT_TIE_RELATIVE * length + search->rounding;
}

/* Whether something so long is too long. */
static bool too_long(const UnionSearch *search, double length) {
  return search->found && length > search->shortest + tie_of(search, search->shortest);
}

/* Of ways out of one side the one straight on is exact. */
static bool is_better(const UnionSearch *search, const sat_UnionMtv *mtv, bool foot) {
  sat_Vec2 normal = mtv->result.normal, best = search->best.result.normal;
  if (foot != search->best_is_foot && dot(normal, best) > SAME_WAY) return foot;
  return sat_mtv_preferred(search->centroid_offset, normal, best);
}

static void propose(UnionSearch *search, double length, bool foot, const sat_UnionMtv *mtv) {
  if (too_long(search, length)) return;
  bool first = !search->found;
  search->found = true;
  if (first || length < search->shortest) search->shortest = length;
  if (!first && !too_long(search, search->best_length) && !is_better(search, mtv, foot)) return;
  search->best = *mtv;
  search->best_length = length;
  search->best_is_foot = foot;
}

/* The way to a place on a stretch. Straight on to a facet it is as long as the facet's gap says,
 * whose sign is exact. */
static void propose_parameter(UnionSearch *search, const SearchTask *task) {
  const sat_Candidate *candidate = &search->candidates[task->of];
  const uint32_t *piece_index = search->differences[candidate->owner].piece_index;
  sat_Vec2 normal = sat_curve_normal(&candidate->curve, task->parameter.t);
  sat_Vec2 vector = sat_curve_point(&candidate->curve, task->parameter.t);
  double size = length(vector);
  bool corner = sat_is_arc(&candidate->curve), foot = task->foot && !corner;
  if (foot) {
    sat_Pair pair = pair_of(search, piece_index);
    double separation = pair.radius == 0 ? sat_exact_separation(&pair, &candidate->facet)
                                         : candidate->facet.separation;
    size = max2(pair.radius - separation, 0);
    vector = mul(normal, size);
  } else if (size > search->rounding) {
    normal = mul(vector, 1 / size);
  }
  if (search->touching) size = 0;
  else if (size == 0) size = DBL_MIN;
  if (size <= search->rounding) vector = size > 0 ? mul(normal, size) : vec2(0, 0);
  sat_UnionMtv mtv = {{vector, normal, size, corner ? SAT_A : (sat_Side)candidate->facet.side,
                       corner ? candidate->vertex_of_a : candidate->facet.edge, corner},
                      {piece_index[0], piece_index[1]},
                      false};
  propose(search, size, foot, &mtv);
}

/* ---------------------------------------------------------------- along the outlines */

static bool is_held_by(UnionSearch *search, uint32_t index, const SearchTask *task,
                       sat_Parameter exits[2]) {
  Difference *difference = &search->differences[index];
  ensure_boundary(search, difference);
  return sat_boundary_contains_parameter(&difference->boundary, &search->candidates[task->of].curve,
                                         task->parameter.t, exits);
}

/* What is near a point, as a square. */
typedef struct Square {
  sat_Vec2 low, high;
} Square;

static Square square_about(sat_Vec2 point, double error_bound) {
  return (Square){sub(point, vec2(error_bound, error_bound)),
                  add(point, vec2(error_bound, error_bound))};
}

/* How many places from the one at an index on are in a block that is not near. */
static uint32_t places_to_skip(const UnionSearch *search, uint32_t index, const Square *near) {
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
static inline uint32_t next_near(const UnionSearch *search, uint32_t index, const Square *near) {
  while (index < search->count) {
    uint32_t skip = index % BLOCK == 0 ? places_to_skip(search, index, near) : 0;
    if (skip == 0 && box_holds(&search->boxes[index].box, near->low, near->high)) return index;
    index += skip > 0 ? skip : 1;
  }
  return search->count;
}

/* What may have an outline at a point that `wedge_at` finds. */
static Square about_boundary(const UnionSearch *search, sat_Vec2 point) {
  return square_about(point, BOUNDARY_ROUNDINGS * search->rounding);
}

/* The wedge at a point of a difference whose place is near. False: the point is not on its outline,
 * or its part on that side has an inside or is not the given one. */
static bool wedge_at(UnionSearch *search, const DifferenceBox *place, uint32_t side, uint32_t piece,
                     sat_Vec2 point, sat_Wedge *wedge) {
  Difference *difference = &search->differences[place->difference];
  if (!difference->flat[side] || difference->piece_index[side] != piece) return false;
  ensure_boundary(search, difference);
  return sat_boundary_wedge(&difference->boundary, point, BOUNDARY_ROUNDINGS * search->rounding,
                            wedge);
}

/* Whether a point or segment has no width across a direction. */
static bool runs_along_piece(const sat_PieceView *view, uint32_t piece_index, sat_Vec2 direction) {
  const sat_Piece *piece = &view->pieces[piece_index];
  if (piece->count == 1) return true;
  sat_Vec2 normal = normal_of(view->edges + piece->edge_block, 0);
  return fabs(dot(normal, direction)) <= SAT_ALONG_SHARED_EDGE;
}

/* Whether beyond the end of a wedge another difference of the same part goes on. */
static bool goes_on_beyond(UnionSearch *search, uint32_t side, uint32_t piece, sat_Vec2 point,
                           const sat_Wedge *wedge) {
  Square near = about_boundary(search, point);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    sat_Wedge other;
    bool start;
    if (!wedge_at(search, &search->boxes[i], side, piece, point, &other)) continue;
    if (!sat_wedge_holds(&other, wedge->to, &start)) continue;
    if (!start) return true;
    if (wedge->closed[1] && other.closed[0] && runs_along_piece(search->of[side], piece, wedge->to))
      return true;
  }
  return false;
}

/* Whether the differences of one point or segment fill the whole turn about a point. */
static bool fill_turn(UnionSearch *search, uint32_t side, uint32_t piece, sat_Vec2 point) {
  Square near = about_boundary(search, point);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    sat_Wedge wedge;
    if (wedge_at(search, &search->boxes[i], side, piece, point, &wedge) &&
        !goes_on_beyond(search, side, piece, point, &wedge))
      return false;
  }
  return true;
}

/* Whether at a point, which is inside of no difference, a point or a segment is on a seam. */
static bool is_on_shared_edge(UnionSearch *search, sat_Vec2 point) {
  Square near = about_boundary(search, point);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    const Difference *difference = &search->differences[search->boxes[i].difference];
    for (uint32_t side = 0; side < 2; side++) {
      uint32_t piece = difference->piece_index[side];
      sat_Wedge wedge;
      if (wedge_at(search, &search->boxes[i], side, piece, point, &wedge) &&
          fill_turn(search, side, piece, point))
        return true;
    }
  }
  return false;
}

/* How a chain is touched at a place: where it cannot be, on its closed side alone, or where it
 * can. */
typedef enum Touch { HIDDEN, BEHIND, OPEN } Touch;

static Touch touch_of_facet(const sat_PiecePair *pieces, const sat_Facet *facet, sat_Vec2 normal) {
  const sat_Piece *own = pieces->piece[facet->side];
  if (own->flags & SAT_ONE_SIDED && facet->edge != sat_front_edge(pieces->of[facet->side], own))
    return BEHIND;
  return sat_chain_hides_facet(pieces, facet, normal) ? HIDDEN : OPEN;
}

/* The same of a difference that a point is on the outline of: at the best of the facets there. */
static Touch touch_of(const sat_PiecePair *pieces, const sat_Boundary *boundary, sat_Vec2 point) {
  double error_bound = 2 * boundary->error_bound, nearest = HUGE_VAL;
  uint32_t corner = 0, count[3] = {0, 0, 0};
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    sat_Vec2 from = sub(point, boundary_edge->start);
    double separation = dot(boundary_edge->normal, point) + boundary_edge->separation,
           along = dot(perp(boundary_edge->normal), from);
    if (length(from) < nearest) corner = i;
    nearest = min2(nearest, length(from));
    if (separation < boundary->radius - error_bound || along < -error_bound ||
        along > boundary_edge->length + error_bound)
      continue;
    count[touch_of_facet(pieces, &boundary_edge->facet, boundary_edge->normal)]++;
  }
  if (count[OPEN] > 0) return OPEN;
  if (count[HIDDEN] + count[BEHIND] > 0) return count[HIDDEN] > 0 ? HIDDEN : BEHIND;
  if (boundary->radius == 0 || nearest <= error_bound) return OPEN;
  sat_Vec2 out = mul(sub(point, boundary->boundary_edges[corner].start), 1 / nearest);
  return sat_chain_hides_vertex_normal(pieces, boundary->boundary_edges[corner].corner_of, out)
             ? HIDDEN
             : OPEN;
}

/* The same of the difference at a place that is near. False: it is none of a chain, or
 * elsewhere. */
static bool touch_at(UnionSearch *search, uint32_t place, sat_Vec2 point, Touch *touch) {
  Difference *difference = &search->differences[search->boxes[place].difference];
  sat_PiecePair pieces = sat_piece_pair_of(search->of[0], search->of[1], difference->piece_index);
  if (!sat_pieces_in_chain(&pieces)) return false;
  ensure_boundary(search, difference);
  double error_bound = 2 * difference->boundary.error_bound;
  if (sat_boundary_signed_distance(&difference->boundary, point, error_bound) > error_bound)
    return false;
  *touch = touch_of(&pieces, &difference->boundary, point);
  return true;
}

/* Whether a segment of a chain goes on in another one at its start or end. Each segment of a
 * compound has points of its own, so that two that meet need not have one in common. */
static bool goes_on_in(const sat_PieceView *view, uint32_t piece_index, uint32_t other) {
  const uint32_t *own = view->index + view->pieces[piece_index].first,
                 *next = view->index + view->pieces[other].first;
  if (!(view->pieces[piece_index].flags & view->pieces[other].flags & SAT_CHAIN_SEGMENT))
    return false;
  return sat_next_in_chain(view, own[0], false) == next[0] ||
         sat_next_in_chain(view, own[1], true) == next[1];
}

/* Whether two differences are of neighbours in a chain and one part of the other body. */
static bool are_adjacent(const UnionSearch *search, const uint32_t piece_index[2],
                         const uint32_t other[2]) {
  for (uint32_t side = 0; side < 2; side++)
    if (piece_index[!side] == other[!side] &&
        goes_on_in(search->of[side], piece_index[side], other[side]))
      return true;
  return false;
}

/* Whether a neighbour of a segment that is touched from behind is touched from its open side. */
static bool is_round_the_end(UnionSearch *search, uint32_t place, sat_Vec2 point) {
  const uint32_t *piece_index = search->differences[search->boxes[place].difference].piece_index;
  Square near = square_about(point, search->rounding);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    Touch touch;
    if (i != place && touch_at(search, i, point, &touch) && touch == OPEN &&
        are_adjacent(search, piece_index,
                     search->differences[search->boxes[i].difference].piece_index))
      return true;
  }
  return false;
}

/* Whether at a point all chains are touched where they can be. */
static bool is_let_be(UnionSearch *search, sat_Vec2 point) {
  Square near = square_about(point, search->rounding);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    Touch touch;
    if (!touch_at(search, i, point, &touch)) continue;
    if (touch == HIDDEN || (touch == BEHIND && is_round_the_end(search, i, point))) return false;
  }
  return true;
}

/* How far the differences at a place reach from there, or those alone that a point or a segment
 * makes, all of them closed. A way that none of them is on is not covered. */
static void follow_closed(UnionSearch *search, const SearchTask *task, bool flat,
                          sat_Parameter exits[2]) {
  const sat_Candidate *candidate = &search->candidates[task->of];
  sat_Vec2 point = sat_curve_point(&candidate->curve, task->parameter.t);
  Square near = square_about(point, search->rounding + task->parameter.error);
  exits[SEARCH_BACK] = (sat_Parameter){-HUGE_VAL, 0};
  exits[SEARCH_AHEAD] = (sat_Parameter){HUGE_VAL, 0};
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    Difference *difference = &search->differences[search->boxes[i].difference];
    if (search->boxes[i].difference == candidate->owner) continue;
    if (flat && !difference->flat[0] && !difference->flat[1]) continue;
    ensure_boundary(search, difference);
    for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++) {
      sat_Parameter exit = task->parameter;
      if (fabs(exits[direction].t) == HUGE_VAL &&
          sat_boundary_covers_parameter(&difference->boundary, &candidate->curve,
                                        direction == SEARCH_AHEAD, &exit))
        exits[direction] = exit;
    }
  }
}

/* Where a chain is touched in one point from its closed side, which is no way out unless nothing
 * covers what is beside it. */
static bool is_hidden_parameter(UnionSearch *search, const SearchTask *task, sat_Vec2 point,
                                sat_Parameter exits[2]) {
  if (!search->in_chain || search->touching || is_let_be(search, point)) return false;
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double t = task->parameter.t, hair = 4 * max2(task->parameter.error, search->rounding);
  follow_closed(search, task, false, exits);
  bool back = task->direction != SEARCH_AHEAD && t > hair,
       ahead = task->direction != SEARCH_BACK && t < curve->end - hair;
  return !(back && exits[SEARCH_BACK].t == -HUGE_VAL) &&
         !(ahead && exits[SEARCH_AHEAD].t == HUGE_VAL);
}

/* What covered the last place in a square of the grid, or the deepest; its box need not be near. */
static uint32_t *cached_cover(const UnionSearch *search, sat_Vec2 point) {
  double cells = search->cache_cells, scale = cells / (2 * search->max_length),
         middle = cells * 0.5;
  uint32_t column = (uint32_t)clamp(middle + scale * point.x, 1, cells - 2);
  uint32_t row = (uint32_t)clamp(middle + scale * point.y, 1, cells - 2);
  return &search->cached_covers[search->cache_cells * row + column];
}

/* What covers the sector that a point is in. */
static uint32_t sector_cover(const UnionSearch *search, sat_Vec2 point) {
  double x = fabs(point.x), y = fabs(point.y), turned = x + y > 0 ? y / (x + y) : 0;
  bool even = (point.x >= 0) == (point.y >= 0); /* the first quarter or the third */
  uint32_t quarter = point.y >= 0 ? !even : 3 - even;
  uint32_t code = (uint32_t)(SECTOR_CODES * (even ? turned : 1 - turned));
  return search
      ->sector_covers[quarter * SECTOR_CODES + (code < SECTOR_CODES ? code : SECTOR_CODES - 1)];
}

/* What has covered a place in the same square, and in those about it. */
enum { NEIGHBOR_SQUARES = 9 };
static uint32_t neighbor_cover(const UnionSearch *search, const uint32_t *cached_covers,
                               int index) {
  static const int columns[NEIGHBOR_SQUARES] = {0, -1, 1, 0, 0, -1, 1, -1, 1};
  static const int rows[NEIGHBOR_SQUARES] = {0, 0, 0, -1, 1, -1, -1, 1, 1};
  return cached_covers[columns[index] + rows[index] * (int)search->cache_cells];
}

static bool is_inside_cached(UnionSearch *search, const SearchTask *task, sat_Vec2 point,
                             sat_Parameter exits[2]) {
  uint32_t owner = search->candidates[task->of].owner, *cached_covers = cached_cover(search, point),
           last = sector_cover(search, point);
  if (last != owner && is_held_by(search, last, task, exits)) return true;
  for (int i = 0; i < NEIGHBOR_SQUARES; i++) {
    uint32_t index = neighbor_cover(search, cached_covers, i);
    if (index == owner || index == last) continue;
    if (is_held_by(search, index, task, exits)) {
      *cached_covers = index;
      return true;
    }
    last = index;
  }
  return false;
}

/* A cover of few is likely to cover the next place, too; one of many a place nearby. */
static void remember_cover(UnionSearch *search, uint32_t index, sat_Vec2 point) {
  DifferenceBox *boxes = search->boxes, place = boxes[index];
  if (!search->composite) {
    boxes[index] = boxes[index / 2];
    boxes[index / 2] = place;
  } else {
    *cached_cover(search, point) = place.difference;
  }
}

/* ---------------------------------------------------------------- what is surely covered */

/* The corner that is farthest from the origin. */
static sat_Vec2 far_corner(const Square *square) {
  sat_Vec2 low = square->low, high = square->high;
  return vec2(low.x + high.x < 0 ? low.x : high.x, low.y + high.y < 0 ? low.y : high.y);
}

/* Whether a square is inside of a difference beyond rounding: its corners are. */
static bool covers_square(UnionSearch *search, uint32_t index, const Square *square) {
  Difference *difference = &search->differences[index];
  search->tries++;
  sat_Vec2 low = square->low, high = square->high, far = far_corner(square);
  sat_Vec2 near = sub(add(low, high), far);
  sat_Vec2 corners[4] = {far, vec2(far.x, near.y), vec2(near.x, far.y), near};
  ensure_boundary(search, difference);
  const sat_Boundary *boundary = &difference->boundary;
  double inside = -2 * boundary->error_bound - BOUNDARY_ROUNDINGS * search->rounding;
  if (boundary->degenerate) return false;
  for (uint32_t i = 0; i < 4; i++)
    if (sat_boundary_signed_distance(boundary, corners[i], inside) >= inside) return false;
  return true;
}

/* At random, so that a walk over all places has about as many steps as there are samples. */
static uint32_t next_step(UnionSearch *search) {
  search->random = search->random * 1664525 + 1013904223;
  return 1 + (search->random >> 8) % (search->count / (SAMPLED_DIFFERENCES / 2) + 1);
}

/* Whether one difference covers all of a square, as far as a sample of them tells. */
static bool is_square_covered(UnionSearch *search, const Square *square) {
  sat_Vec2 middle = mul(add(square->low, square->high), 0.5);
  uint32_t *cached_covers = cached_cover(search, middle);
  Square whole = {square->high, square->low}; /* a box that is near it holds all of the square */
  for (int i = 0; i < NEIGHBOR_SQUARES; i++) {
    uint32_t index = neighbor_cover(search, cached_covers, i);
    if (!covers_square(search, index, square)) continue;
    *cached_covers = index;
    return true;
  }
  for (uint32_t i = next_near(search, next_step(search), &whole); i < search->count;
       i = next_near(search, i + next_step(search), &whole)) {
    if (!covers_square(search, search->boxes[i].difference, square)) continue;
    *cached_covers = search->boxes[i].difference;
    return true;
  }
  return false;
}

/* Comes down to how near to the origin a square is that no difference covers, once it is too small
 * to be parted. Nearer parts go first. */
static void look_for_gap(UnionSearch *search, const Square *square, uint32_t pieces) {
  sat_Vec2 low = square->low, high = square->high, middle = mul(add(low, high), 0.5);
  double near = length(vector_to_box((sat_Box){low, high}));
  if (near >= search->separation || length(far_corner(square)) <= search->covered) return;
  if (is_square_covered(search, square)) return;
  if (pieces == 0) {
    search->separation = near;
    return;
  }
  bool right = middle.x < 0, up = middle.y < 0;
  for (uint32_t i = 0; i < 4; i++) {
    bool at_right = right != (i & 1), at_top = up != (i >> 1);
    Square piece = {vec2(at_right ? middle.x : low.x, at_top ? middle.y : low.y),
                    vec2(at_right ? high.x : middle.x, at_top ? high.y : middle.y)};
    look_for_gap(search, &piece, pieces - 1);
  }
}

/* ---------------------------------------------------------------- the sectors about the origin */

static const sat_Vec2 axis_directions[5] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};

/* The search for the direction in which the differences that hold the origin reach least. A
 * direction is a point of the square |x| + |y| = 1. */
typedef struct SectorSearch {
  UnionSearch *search;
  double least; /* how far they reach in that direction, so far */
  sat_Vec2 direction;
  double sure;   /* the least height of the triangles that are not halved any more */
  double needed; /* what reaches less far has no part in the proof */
  uint64_t tries;
} SectorSearch;

/* A part of a quarter turn: `codes` entries of the table of covers from one on. */
typedef struct Sector {
  sat_Vec2 from, to;
  double height;  /* a triangle so high is covered by one difference, */
  uint32_t cover; /* this one */
  uint32_t code, codes;
} Sector;

/* How far a disc about a point reaches along a ray from within. */
static double circle_extent(sat_Vec2 center, double radius, sat_Vec2 along) {
  double off = cross(center, along), square = radius * radius - off * off;
  return square > 0 ? max2(dot(center, along) + sqrt(square), 0) : 0;
}

/* The same of a rounded difference, which is inside its facets moved out by the radius. */
static double rounded_extent(const sat_Boundary *boundary, sat_Vec2 along, double extent,
                             double margin) {
  double inside = 0, outside = extent;
  if (boundary->count == 1)
    return min2(extent,
                circle_extent(boundary->boundary_edges[0].start, boundary->radius - margin, along));
  for (int i = 0; i < ARC_HALVINGS; i++) {
    bool held = sat_boundary_signed_distance(boundary, mul(along, extent), -margin) < -margin;
    if (held) inside = extent;
    else outside = extent;
    if (inside == outside) break;
    extent = (inside + outside) * 0.5;
  }
  return inside;
}

/* How far a difference holds a ray of unit length from the origin, deeper than rounding; 0: not the
 * origin. */
static double extent_along(const UnionSearch *search, const sat_Boundary *boundary,
                           sat_Vec2 along) {
  double margin = 2 * boundary->error_bound + BOUNDARY_ROUNDINGS * search->rounding;
  double extent = search->max_length;
  for (uint32_t i = 0; i < boundary->count && boundary->count > 1; i++) {
    const sat_BoundaryEdge *edge = &boundary->boundary_edges[i];
    double depth = boundary->radius - edge->separation - margin;
    double slope = dot(edge->normal, along);
    if (depth <= 0) return 0;
    if (slope * extent > depth) extent = depth / slope;
  }
  return boundary->radius > 0 ? rounded_extent(boundary, along, extent, margin) : extent;
}

/* No point of a difference between two directions is farther from the origin than this, or than
 * where these leave it. */
static double farthest_between(const sat_Boundary *boundary, const Sector *sector) {
  double square = 0;
  for (uint32_t i = 0; i < boundary->count; i++) {
    sat_Vec2 corner = boundary->boundary_edges[i].start;
    bool between = cross(sector->from, corner) >= 0 && cross(corner, sector->to) >= 0;
    if (between) square = max2(square, dot(corner, corner));
  }
  return square > 0 ? sqrt(square) + boundary->radius : 0;
}

/* The distance of the origin from a segment from one direction to another. */
static double triangle_height(sat_Vec2 from, sat_Vec2 to) {
  sat_Vec2 along = sub(to, from);
  if (dot(from, along) >= 0) return length(from);
  if (dot(to, along) <= 0) return length(to);
  return cross(from, to) / length(along);
}

static void note_extent(SectorSearch *sectors, double extent, sat_Vec2 direction) {
  if (extent >= sectors->least) return;
  sectors->least = extent;
  sectors->direction = direction;
}

/* Of the listed differences those that reach less than another one all over the sector go behind
 * the others; returns how many are left. */
static uint32_t measure_sector(SectorSearch *sectors, Sector *sector, uint32_t *list,
                               uint32_t count) {
  sat_Vec2 from = mul(sector->from, 1 / length(sector->from)),
           to = mul(sector->to, 1 / length(sector->to));
  double most = 0;
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index = list[i];
    const sat_Boundary *boundary = &sectors->search->differences[index].boundary;
    double first = extent_along(sectors->search, boundary, from),
           last = extent_along(sectors->search, boundary, to);
    double height = triangle_height(mul(from, first), mul(to, last));
    most = max2(most, last);
    if (height > sector->height) {
      sector->height = height;
      sector->cover = index;
    }
    double farthest = max2(max2(first, last), farthest_between(boundary, sector));
    if (farthest < max2(sector->height, sectors->needed)) continue;
    list[i] = list[left];
    list[left++] = index;
  }
  sectors->tries += count;
  note_extent(sectors, most, to);
  return left;
}
/* Halves a sector until one difference covers a triangle of each part that is as high as the
 * least extent. */
static void look_in_sector(SectorSearch *sectors, Sector sector, uint32_t *list, uint32_t count,
                           int halvings) {
  count = measure_sector(sectors, &sector, list, count);
  bool enough = sector.height >= sectors->least * SURELY;
  if (enough || halvings == 0 || sectors->tries > SECTOR_TRIES * (uint64_t)sectors->search->count) {
    if (!enough) sectors->sure = min2(sectors->sure, sector.height);
    for (uint32_t i = 0; i < sector.codes; i++)
      sectors->search->sector_covers[sector.code + i] = sector.cover;
    return;
  }
  Sector second = sector;
  sector.to = second.from = mul(add(sector.from, sector.to), 0.5);
  second.codes = sector.codes - sector.codes / 2;
  sector.codes /= 2;
  second.code += sector.codes;
  look_in_sector(sectors, sector, list, count, halvings - 1);
  look_in_sector(sectors, second, list, count, halvings - 1);
}

/* Lists the differences that hold the origin. */
static uint32_t list_about_origin(UnionSearch *search, uint32_t *list) {
  Square origin = {{0, 0}, {0, 0}};
  uint32_t count = 0;
  for (uint32_t i = next_near(search, 0, &origin); i < search->count;
       i = next_near(search, i + 1, &origin)) {
    uint32_t index = search->boxes[i].difference;
    Difference *difference = &search->differences[index];
    ensure_boundary(search, difference);
    if (difference->boundary.degenerate) continue;
    if (extent_along(search, &difference->boundary, vec2(1, 0)) > 0) list[count++] = index;
  }
  return count;
}

/* Whether no difference holds a point beyond rounding. */
static bool is_free(UnionSearch *search, sat_Vec2 point) {
  Square near = square_about(point, search->rounding);
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    Difference *difference = &search->differences[search->boxes[i].difference];
    ensure_boundary(search, difference);
    const sat_Boundary *boundary = &difference->boundary;
    if (!boundary->degenerate &&
        sat_boundary_signed_distance(boundary, point, 0) < -boundary->error_bound)
      return false;
  }
  return true;
}

/* How far the listed differences reach in one direction. */
static double max_extent(const UnionSearch *search, const uint32_t *list, uint32_t count,
                         sat_Vec2 along) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    most = max2(most, extent_along(search, &search->differences[list[i]].boundary, along));
  return most;
}

/* The least extent of the listed differences, or a little less, as far as those decide it that
 * extend as far as is needed. */
static double least_extent(SectorSearch *sectors, uint32_t *list, uint32_t count) {
  sectors->sure = sectors->least = sectors->search->max_length;
  for (uint32_t i = 0; i < 4; i++) {
    Sector quarter = {axis_directions[i],       axis_directions[i + 1], 0,
                      sectors->search->deepest, i * SECTOR_CODES,       SECTOR_CODES};
    look_in_sector(sectors, quarter, list, count, SECTOR_HALVINGS);
  }
  return min2(sectors->sure, sectors->least * SURELY);
}

/* Covers the disc that the differences which hold the origin cover. Whether there is a place to go
 * to at its rim. The memory of the keys is not in use yet. */
static bool cover_about_origin(UnionSearch *search) {
  uint32_t *list = (uint32_t *)(void *)search->keys, count = list_about_origin(search, list);
  SectorSearch sectors = {.search = search, .needed = search->max_length};
  for (uint32_t i = 0; i < 4; i++)
    sectors.needed = min2(sectors.needed, max_extent(search, list, count, axis_directions[i]));
  uint64_t most = SECTOR_TRIES * (uint64_t)search->count;
  do {
    sectors.needed *= NEEDED_EXTENT;
    search->covered = max2(search->covered, least_extent(&sectors, list, count));
  } while (search->covered < sectors.needed && sectors.tries < most);
  return sectors.least < search->max_length &&
         is_free(search, mul(sectors.direction, sectors.least / SURELY));
}

/* A disc about the origin without a place to go to, a little smaller than it could be, so that what
 * starts on its rim is covered there. Stretches within it need not be followed, which are nearly
 * all where pieces lie in each other. What a coarse look has found a finer one does not look at
 * again. */
static void find_covered(UnionSearch *search) {
  Square all = square_about(vec2(0, 0), search->max_length);
  search->covered = 0;
  search->tries = 0;
  if (!search->composite || search->touching || cover_about_origin(search)) return;
  for (uint32_t pieces = LEAST_HALVINGS; pieces <= MOST_HALVINGS; pieces++) {
    search->separation = search->max_length;
    look_for_gap(search, &all, pieces);
    search->covered = max2(search->covered, search->separation * SURELY);
    if (search->separation >= search->max_length || search->tries > TRIES * (uint64_t)search->count)
      return;
  }
}

/* Whether all of a box is within the covered disc. */
static bool is_box_covered(const UnionSearch *search, const sat_Box *box) {
  double x = max2(fabs(box->min.x), fabs(box->max.x)), y = max2(fabs(box->min.y), fabs(box->max.y));
  return x * x + y * y < search->covered * search->covered;
}

/* ---------------------------------------------------------------- what covers a place */

/* Whether a place is inside of a difference, on a seam or barred; `exits` has where that ends. */
static bool find_cover(UnionSearch *search, const SearchTask *task, sat_Parameter exits[2]) {
  uint32_t owner = search->candidates[task->of].owner;
  sat_Vec2 point = sat_curve_point(&search->candidates[task->of].curve, task->parameter.t);
  Square near = square_about(point, search->rounding + task->parameter.error);
  uint32_t flat = 0;
  if (search->composite && is_inside_cached(search, task, point, exits)) return true;
  for (uint32_t i = next_near(search, 0, &near); i < search->count;
       i = next_near(search, i + 1, &near)) {
    const Difference *difference = &search->differences[search->boxes[i].difference];
    flat += difference->flat[0] || difference->flat[1];
    if (search->boxes[i].difference == owner ||
        !is_held_by(search, search->boxes[i].difference, task, exits))
      continue;
    remember_cover(search, i, point);
    return true;
  }
  if (flat < 2 || !is_on_shared_edge(search, point))
    return is_hidden_parameter(search, task, point, exits);
  follow_closed(search, task, true, exits);
  return true;
}

/* The place to go on from: where a cover ends, or the end of the stretch if that is nearly there.
 * The ends of a chain's segments are left to what is beside them: beyond may be its closed side.
 * False: it is beyond the stretch, or too far from the origin. */
static bool has_remainder(const UnionSearch *search, const SearchTask *task, uint32_t direction,
                          sat_Parameter *place, double *near) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double hair = sat_is_arc(curve) ? place->error : max2(place->error, search->rounding);
  double t = task->parameter.t;
  bool ends = direction == SEARCH_AHEAD ? t >= curve->end || place->t > curve->end + hair
                                        : t <= 0 || place->t < -hair;
  if (ends) return false;
  place->t = clamp(place->t, 0, curve->end);
  *near = length(sat_curve_point(curve, place->t));
  return !too_long(search, *near);
}

/* Goes on by a hair at least, which rounding might leave out for ever. */
static sat_Parameter next_parameter(const UnionSearch *search, const SearchTask *task,
                                    sat_Parameter exit) {
  bool arcs = sat_is_arc(&search->candidates[task->of].curve);
  double hair = arcs ? 0 : search->rounding, t = task->parameter.t;
  exit.t = task->direction == SEARCH_AHEAD ? max2(exit.t, t + hair) : min2(exit.t, t - hair);
  return exit;
}

/* From a place on one way to the first that nothing covers, as long as no other place is nearer.
 * Each difference is left once, and a seam beside it, so that more steps than that are none. */
static void follow_curve(UnionSearch *search, SearchTask *task, uint32_t id) {
  sat_Parameter exits[2];
  double near;
  while (find_cover(search, task, exits)) {
    sat_Parameter next = next_parameter(search, task, exits[task->direction]);
    if (next.t == task->parameter.t) break; /* by less than a bit: not at all */
    if (task->steps++ / 4 > search->count) return;
    if (!has_remainder(search, task, task->direction, &next, &near)) return;
    task->parameter = next;
    task->foot = false;
    if (search->key_count > 0 && search->keys[0].near < near) {
      search->tasks[id] = *task;
      push_key(search, near, id);
      return;
    }
  }
  propose_parameter(search, task);
}

/* The same from where a stretch comes nearest, both ways. */
static void follow_curve_both_ways(UnionSearch *search, const SearchTask *task, uint32_t id) {
  sat_Parameter exits[2];
  if (!find_cover(search, task, exits)) {
    propose_parameter(search, task);
    return;
  }
  for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++) {
    SearchTask piece = *task;
    double near;
    piece.direction = (uint8_t)direction;
    piece.parameter = exits[direction];
    piece.foot = false;
    if (!has_remainder(search, task, direction, &piece.parameter, &near)) continue;
    uint32_t own = direction == SEARCH_BACK ? search->task_count++ : id;
    search->tasks[own] = piece;
    push_key(search, near, own);
  }
}

/* Whether the difference of a pair that is deep in each other covers all of a stretch. */
static bool is_inside_other(UnionSearch *search, const sat_Candidate *candidate) {
  if (candidate->owner == search->deepest) return false;
  Difference *deepest = &search->differences[search->deepest];
  ensure_boundary(search, deepest);
  return sat_boundary_contains_curve(&deepest->boundary, &candidate->curve);
}

/* Whether a straight stretch comes nearest at the origin's projection, or is short of it by
 * rounding. */
static bool is_foot(const UnionSearch *search, const sat_Curve *curve) {
  double t = -dot(curve->base, curve->ahead);
  return t >= -search->rounding && t <= curve->end + search->rounding;
}

/* Puts where a stretch that begins in the covered disc leaves it, one way; from its nearest place
 * on it leads only away. */
static void push_task_from_boundary(UnionSearch *search, const SearchTask *task,
                                    SearchDirection direction) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double inside = task->parameter.t, outside = direction == SEARCH_AHEAD ? curve->end : 0;
  if (length(sat_curve_point(curve, outside)) < search->covered) return;
  for (int i = 0; i < ARC_HALVINGS; i++) {
    double middle = (inside + outside) * 0.5;
    bool covered = length(sat_curve_point(curve, middle)) < search->covered;
    inside = covered ? middle : inside;
    outside = covered ? outside : middle;
  }
  SearchTask piece = *task;
  piece.parameter.t = inside;
  piece.direction = (uint8_t)direction;
  piece.foot = false;
  push_task(search, length(sat_curve_point(curve, inside)), &piece);
}

static void push_candidate(UnionSearch *search, uint32_t index) {
  const sat_Candidate *candidate = &search->candidates[index];
  const sat_Curve *curve = &candidate->curve;
  double same = tie_of(search, curve->radius);
  SearchTask task = {
      {sat_curve_nearest(curve, same, search->wanted), 0}, index, 0, SEARCH_BOTH, false};
  double near = length(sat_curve_point(curve, task.parameter.t));
  if (near > search->max_length || too_long(search, near)) return;
  if (near < search->covered) {
    push_task_from_boundary(search, &task, SEARCH_BACK);
    push_task_from_boundary(search, &task, SEARCH_AHEAD);
    return;
  }
  if (!search->few && is_inside_other(search, candidate)) return; /* of few it does not pay */
  task.foot = !sat_is_arc(curve) && is_foot(search, curve);
  push_task(search, near, &task);
}

static sat_HiddenFeatures hidden_features_of(const sat_PieceView *view, uint32_t piece_index) {
  uint32_t first = view->pieces[piece_index].first;
  return (sat_HiddenFeatures){view->internal ? view->internal + first : NULL,
                              view->reflex ? view->reflex + first : NULL};
}

static uint32_t find_candidates(UnionSearch *search, Difference *difference,
                                sat_Candidate *candidates) {
  const uint32_t *piece_index = difference->piece_index;
  sat_Pair pair = pair_of(search, piece_index);
  if (is_ordered(search, difference, &pair)) {
    const sat_Piece *a = &search->of[0]->pieces[piece_index[0]],
                    *b = &search->of[1]->pieces[piece_index[1]];
    sat_ExposedFeatures shown[2] = {{a->edges, a->corners}, {b->edges, b->corners}};
    const uint32_t *rows = search->rows + difference->first;
    return sat_candidates_in_order(&pair, rows, shown, search->max_length, candidates);
  }
  sat_HiddenFeatures hidden[2] = {hidden_features_of(search->of[0], piece_index[0]),
                                  hidden_features_of(search->of[1], piece_index[1])};
  ensure_boundary(search, difference);
  return sat_candidates_of(&difference->boundary, hidden, candidates);
}

/* Whether a strip is where a chain's neighbour is, or on its closed side. */
static bool candidate_is_hidden(const UnionSearch *search, const sat_PiecePair *pieces,
                                const sat_Candidate *candidate) {
  uint32_t from[2], to[2];
  if (!sat_is_arc(&candidate->curve))
    return sat_chain_hides_facet(pieces, &candidate->facet, candidate->curve.normal);
  sat_Pair pair = pair_of(search, search->differences[candidate->owner].piece_index);
  sat_facet_ends(&pair, &candidate->facet, from, to);
  return sat_chain_hides_arc(pieces, from);
}

/* Those that are left, at the same place. */
static uint32_t remove_hidden_candidates(const UnionSearch *search, const uint32_t piece_index[2],
                                         sat_Candidate *candidates, uint32_t count) {
  sat_PiecePair pieces = sat_piece_pair_of(search->of[0], search->of[1], piece_index);
  uint32_t left = 0;
  if (!sat_pieces_in_chain(&pieces)) return count;
  for (uint32_t i = 0; i < count; i++)
    if (!candidate_is_hidden(search, &pieces, &candidates[i])) candidates[left++] = candidates[i];
  return left;
}

static void open_difference(UnionSearch *search, uint32_t index) {
  Difference *difference = &search->differences[index];
  sat_Candidate *candidates = search->candidates + search->candidate_count;
  uint32_t count = find_candidates(search, difference, candidates);
  for (uint32_t i = 0; i < count; i++) candidates[i].owner = index;
  if (search->in_chain)
    count = remove_hidden_candidates(search, difference->piece_index, candidates, count);
  for (uint32_t i = 0; i < count; i++) push_candidate(search, search->candidate_count++);
}

/* Those that hold the origin are opened at once. */
static void open_overlapping(UnionSearch *search, const DifferenceBox *place) {
  sat_Vec2 result = vector_to_box(place->box);
  SearchTask whole = {{0, 0}, place->difference, 0, SEARCH_DIFFERENCE, false};
  if (is_box_covered(search, &place->box)) return;
  if (!difference_is_exposed(search, search->differences[place->difference].piece_index)) return;
  if (result.x == 0 && result.y == 0) open_difference(search, place->difference);
  else push_task(search, length(result), &whole);
}

static void examine_task(UnionSearch *search, uint32_t id) {
  SearchTask task = search->tasks[id];
  if (task.direction == SEARCH_DIFFERENCE) open_difference(search, task.of);
  else if (task.direction == SEARCH_BOTH) follow_curve_both_ways(search, &task, id);
  else follow_curve(search, &task, id);
}

static void search_all(UnionSearch *search) {
  search->found = false;
  find_covered(search);
  if (search->covered > 0 && search->separation >= search->max_length &&
      search->max_length < search->longest)
    return;
  for (uint32_t i = 0; i < search->count; i++) open_overlapping(search, &search->boxes[i]);
  while (search->key_count > 0) {
    Key key = pop_nearest(search);
    if (too_long(search, key.near)) return;
    examine_task(search, key.task);
  }
}

/* ---------------------------------------------------------------- the question */

static double largest_view_coordinate(const sat_PieceView *view) {
  sat_Vec2 o = view->origin;
  double x = max2(fabs(o.x + view->box.min.x), fabs(o.x + view->box.max.x));
  double y = max2(fabs(o.y + view->box.min.y), fabs(o.y + view->box.max.y));
  return max2(x, y);
}

static void begin_search(UnionSearch *search, const sat_PieceView *a, const sat_PieceView *b) {
  memset(search, 0, sizeof *search);
  search->of[0] = a;
  search->of[1] = b;
  search->origin_offset = sub(b->origin, a->origin);
  search->in_chain = (a->flags | b->flags) & SAT_CHAIN_SEGMENT;
  search->solid = !search->in_chain;
  search->rounding = SAT_ULPS_8 * max2(largest_view_coordinate(a), largest_view_coordinate(b));
  search->centroid_offset =
      neg(add(search->origin_offset, sub(b->centroid_from_origin, a->centroid_from_origin)));
  if (fabs(search->centroid_offset.x) + fabs(search->centroid_offset.y) <= search->rounding)
    search->centroid_offset = vec2(0, 0);
  double size = length(search->centroid_offset);
  search->wanted = size > 0 ? mul(search->centroid_offset, 1 / size) : vec2(1, 0);
}

/* A way that is surely out, past the other body's box along one of the axes. */
static sat_Vec2 vector_past_box(const UnionSearch *search) {
  const sat_Box *a = &search->of[0]->box, *b = &search->of[1]->box;
  sat_Vec2 ways[4] = {{search->origin_offset.x + b->max.x - a->min.x, 0},
                      {search->origin_offset.x + b->min.x - a->max.x, 0},
                      {0, search->origin_offset.y + b->max.y - a->min.y},
                      {0, search->origin_offset.y + b->min.y - a->max.y}};
  sat_Vec2 best = ways[0];
  for (int i = 1; i < 4; i++)
    if (fabs(ways[i].x) + fabs(ways[i].y) < fabs(best.x) + fabs(best.y)) best = ways[i];
  return best;
}

/* Should roundings ever lead astray, the way past the box is one, if not the shortest. */
static void propose_past_box(UnionSearch *search) {
  sat_Vec2 vector = vector_past_box(search);
  double size = length(vector);
  sat_UnionMtv mtv = {{vector, search->wanted, size, SAT_A, 0, true},
                      {search->deepest_of[0], search->deepest_of[1]},
                      false};
  if (size > 0) mtv.result.normal = mul(vector, 1 / size);
  propose(search, size, false, &mtv);
}

/* No way out of a one-sided chain is longer: towards its open side may be much farther than past
 * the box. */
static double max_mtv_length(const UnionSearch *search) {
  const sat_Box *a = &search->of[0]->box, *b = &search->of[1]->box;
  sat_Vec2 origin_offset = search->origin_offset;
  double result = length(vector_past_box(search));
  if ((search->of[0]->flags | search->of[1]->flags) & SAT_ONE_SIDED)
    result = length(
        vec2(max2(origin_offset.x + b->max.x - a->min.x, a->max.x - b->min.x - origin_offset.x),
             max2(origin_offset.y + b->max.y - a->min.y, a->max.y - b->min.y - origin_offset.y)));
  return result * (1 + SAT_LONGEST_MARGIN) + search->rounding;
}

/* False: no memory. */
static bool search_with_limits(UnionSearch *search, sat_Scratch *scratch) {
  double longest = search->longest;
  search->max_length = search->few ? longest : min2(longest, 2 * search->depth + longest / 64);
  for (;;) {
    if (!collect_differences(search, scratch)) return false;
    search_all(search);
    if (search->max_length >= longest || (search->found && search->shortest <= search->max_length))
      return true;
    search->max_length = min2(2 * search->max_length, longest);
  }
}

/* What touches one-sided chains from behind alone is in nobody's way. */
static void back_side_touch(UnionSearch *search) {
  sat_PiecePair pieces = sat_piece_pair_of(search->of[0], search->of[1], search->deepest_of);
  uint32_t side = pieces.piece[SAT_B]->flags & SAT_ONE_SIDED ? SAT_B : SAT_A;
  sat_Vec2 open = sat_front_normal(pieces.of[side], pieces.piece[side]);
  sat_Vec2 normal = side == SAT_B ? open : neg(open);
  search->best = (sat_UnionMtv){
      {{0, 0}, normal, 0, SAT_A, 0, true}, {search->deepest_of[0], search->deepest_of[1]}, true};
}

/* Where no outline says how two touch: two points, or a corner that is not on the outline of the
 * whole. */
static void touch_anyhow(UnionSearch *search) {
  const sat_ConvexTest *deepest_test = &search->deepest_test;
  const sat_ClosestFeature *nearest = &deepest_test->closest;
  sat_Pair pair = pair_of(search, search->deepest_of);
  bool corner = !deepest_test->inside && nearest->corner;
  const sat_Facet *facet = deepest_test->inside ? &deepest_test->max_facet : &nearest->facet;
  sat_Vec2 normal = corner ? nearest->normal : facet_normal(&pair, facet);
  if (normal.x == 0 && normal.y == 0) normal = search->wanted;
  search->best = (sat_UnionMtv){{vec2(0, 0), normal, 0, corner ? SAT_A : (sat_Side)facet->side,
                                 corner ? nearest->vertex_of[SAT_A] : facet->edge, corner},
                                {search->deepest_of[0], search->deepest_of[1]},
                                false};
}

/* Two parallel segments, or a point and a segment, have a difference without area, whose ends have
 * no arcs. An end at the origin may be touched in every direction between those of its edges, and
 * the best one leads from centroid to centroid. */
static void propose_touching_end(UnionSearch *search, const Difference *difference) {
  if (!difference->known || !difference->boundary.degenerate) return;
  sat_Pair pair = pair_of(search, difference->piece_index);
  sat_PiecePair pieces = sat_piece_pair_of(search->of[0], search->of[1], difference->piece_index);
  uint32_t corner[2] = {sat_support_index(&pair.of[SAT_A], neg(search->wanted)),
                        sat_support_index(&pair.of[SAT_B], search->wanted)};
  if (length(corner_of(&pair, corner[0], corner[1])) > search->rounding) return;
  bool in_chain = sat_pieces_in_chain(&pieces);
  if (in_chain && sat_chain_hides_vertex_normal(&pieces, corner, search->wanted)) return;
  sat_UnionMtv mtv = {{{0, 0}, search->wanted, 0, SAT_A, corner[0], true},
                      {difference->piece_index[0], difference->piece_index[1]},
                      false};
  propose(search, 0, false, &mtv);
}

/* Where no pair does more than touch, nothing has to move, unless a point or a segment is on a
 * seam; what decides is near the origin. */
static sat_Status touch_only(UnionSearch *search, sat_Scratch *scratch) {
  search->max_length = 8 * search->rounding;
  search->found = false;
  if (search->has_boundary) {
    if (!collect_differences(search, scratch)) return SAT_ENOMEM;
    if (search->count > 1 && is_on_shared_edge(search, vec2(0, 0))) return SAT_MISS;
    search->touching = true;
    search_all(search);
    for (uint32_t i = 0; search->found && i < search->count; i++)
      propose_touching_end(search, &search->differences[search->boxes[i].difference]);
  }
  if (!search->found && search->solid) touch_anyhow(search);
  else if (!search->found) back_side_touch(search);
  return SAT_OK;
}

sat_Status sat_union_mtv(const sat_PieceView *a, const sat_PieceView *b, sat_Scratch *scratch,
                         sat_UnionMtv *mtv) {
  UnionSearch search;
  begin_search(&search, a, b);
  if (!box_is_near((sat_Box){sub(add(search.origin_offset, b->box.min), a->box.max),
                             sub(add(search.origin_offset, b->box.max), a->box.min)},
                   search.rounding))
    return SAT_MISS;
  search.few = (uint64_t)a->count * b->count <= FEW_PIECE_PAIRS;
  search.longest = max_mtv_length(&search);
  search.tie = tie_of(&search, search.longest);
  visit_pairs(&search, search.rounding, measure_overlap);
  if (!search.found) return SAT_MISS;
  if (deepest_pair_decides(&search, mtv)) return SAT_OK;
  sat_Status status = search.overlap ? SAT_MISS : touch_only(&search, scratch);
  if (status == SAT_ENOMEM) return status;
  if (status == SAT_MISS) {
    search.found = false;
    if (!search_with_limits(&search, scratch)) return SAT_ENOMEM;
    if (!search.found) propose_past_box(&search);
  }
  *mtv = search.best;
  return SAT_OK;
}
