/* union_differences.c: the Minkowski differences of all pairs of pieces that are near enough, their
 * boundaries. */
#include "base/double2.h"
#include "base/byte_order.h"
#include "base/memory.h"
#include "narrowphase/union/union_differences.h"

/* The table of curves has at least so many entries for each difference, within limits. */
#define ENTRIES_PER_DIFFERENCE 2
#define LEAST_ENTRIES 1024
#define MOST_ENTRIES 262144

/* ---------------------------------------------------------------- pairs of pieces */

SAT_INLINE sat_Box difference_box(const sat_UnionSearch *search, const uint32_t piece_index[2]) {
  const sat_Piece *a = &search->view[0]->pieces[piece_index[0]],
                  *b = &search->view[1]->pieces[piece_index[1]];
  double radius = sat_piece_radius(search->view[0], a) + sat_piece_radius(search->view[1], b);
  double2 out = double2_of(radius, radius),
          offset = double2_of(search->origin_offset.x, search->origin_offset.y),
          min = double2_sub(double2_load(&b->box.min), double2_load(&a->box.max)),
          max = double2_sub(double2_load(&b->box.max), double2_load(&a->box.min));
  sat_Box box;
  double2_store(&box.min, double2_sub(double2_add(offset, min), out));
  double2_store(&box.max, double2_add(double2_add(offset, max), out));
  return box;
}

void sat_union_list_pairs(sat_UnionSearch *search) {
  uint32_t outer = search->view[1]->count == 1 ? SAT_B : SAT_A;
  const sat_PieceView *own = search->view[outer], *other = search->view[!outer];
  sat_Vec2 offset = search->origin_offset;
  sat_NearPair *pair = search->near;
  search->lists_near = (uint64_t)own->count * other->count <= SAT_VERY_FEW_PAIRS;
  for (uint32_t i = 0; search->lists_near && i < own->count; i++) {
    double out = sat_piece_radius(own, &own->pieces[i]) + search->max_radius +
                 SAT_ROUNDINGS_BESIDE * search->rounding;
    sat_Box box = box_moved(own->pieces[i].box, outer ? offset : neg(offset), out);
    sat_BvhQuery query = sat_bvh_query(other, box);
    const sat_Piece *piece = other->pieces;
    for (uint32_t k = 0; k < other->count; k++, piece++) {
      if (!sat_bvh_meets(&query, &piece->box, piece->radius)) continue;
      pair->piece_index[outer] = i;
      pair->piece_index[!outer] = k;
      pair->box = difference_box(search, pair->piece_index);
      pair++;
    }
  }
  search->near_end = pair;
}

bool sat_union_visit_pairs(sat_UnionSearch *search, double max_distance, PairVisit visit) {
  if (search->lists_near) {
    for (const sat_NearPair *pair = search->near; pair < search->near_end; pair++) {
      sat_Box box = search->is_moved ? difference_box(search, pair->piece_index) : pair->box;
      if (box_is_near(box, max_distance) && !visit(search, pair->piece_index, box)) return false;
    }
    return true;
  }
  uint32_t piece_index[2];
  sat_PiecePairs piece_pairs =
      sat_piece_pairs_begin(search->view[0], search->view[1], max_distance);
  while (sat_piece_pairs_next(&piece_pairs, piece_index)) {
    sat_Box box = difference_box(search, piece_index);
    if (box_is_near(box, max_distance) && !visit(search, piece_index, box)) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- counting */

static void note_kind(sat_UnionSearch *search, uint32_t side, uint32_t piece_index) {
  const sat_PieceView *view = search->view[side];
  search->has_flat[side] = search->has_flat[side] || is_flat_piece(search, side, piece_index);
  search->has_rounded =
      search->has_rounded || sat_piece_radius(view, &view->pieces[piece_index]) > 0;
}

static bool count_difference(sat_UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  (void)box;
  uint64_t edges = max_boundary_edges(search, piece_index);
  search->difference_capacity++;
  search->edge_capacity += edges;
  search->most_edges = edges > search->most_edges ? edges : search->most_edges;
  for (uint32_t side = 0; side < 2; side++) note_kind(search, side, piece_index[side]);
  return true;
}

/* Counts an upper bound of the differences and of their edges, and notes the kinds of pieces that
 * make them. Of many pieces only those that are near are visited. */
static void count_differences(sat_UnionSearch *search) {
  search->difference_capacity = search->edge_capacity = search->most_edges = 0;
  search->has_flat[0] = search->has_flat[1] = search->has_rounded = false;
  if (!search->few_pairs) {
    sat_union_visit_pairs(search, search->search_radius, count_difference);
    return;
  }
  search->difference_capacity = (uint64_t)search->view[0]->count * search->view[1]->count;
  for (uint32_t side = 0; side < 2; side++)
    for (uint32_t i = 0; i < search->view[side]->count; i++) {
      search->edge_capacity +=
          (uint64_t)search->view[side]->pieces[i].count * search->view[!side]->count;
      note_kind(search, side, i);
    }
  search->most_edges = search->edge_capacity;
}

static uint32_t curve_entries_for(uint64_t differences) {
  uint32_t entries = LEAST_ENTRIES;
  if (differences <= SAT_FEW_DIFFERENCES) return 0;
  while (entries < MOST_ENTRIES && entries < ENTRIES_PER_DIFFERENCE * differences) entries *= 2;
  return entries;
}

/* ---------------------------------------------------------------- the list of differences
 *
 * Rows of equal tiles make many equal differences, of which the first counts. */

/* Whether two pieces of a shape differ in their position alone, and hide the same features.
 * Segments of a chain differ in their neighbours. */
static bool same_pieces(const sat_PieceView *view, uint32_t i, uint32_t j) {
  const sat_Piece *p = &view->pieces[i], *q = &view->pieces[j];
  const sat_Vec2 *v = view->vertices + p->first, *w = view->vertices + q->first;
  if (i == j) return true;
  if ((p->flags | q->flags) & SAT_CHAIN_SEGMENT || p->count > 32 || p->count != q->count ||
      p->radius != q->radius || p->edges != q->edges || p->corners != q->corners)
    return false;
  for (uint32_t k = 1; k < p->count; k++)
    if (!equal_points(sub(v[k], v[0]), sub(w[k], w[0]))) return false;
  return true;
}

/* Whether an equal difference is listed, by a hash of the boxes; else this one, which comes next,
 * is. The table of curves is not in use yet. */
static bool is_listed(sat_UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  uint32_t hash = mix_number(mix_number(1, box.min.x), box.min.y);
  hash = mix_number(mix_number(hash, box.max.x), box.max.y);
  uint32_t *entry = &search->curves[hash >> 8 & (search->curve_entries - 1)];
  const sat_Box *other = &search->boxes[*entry].box;
  const uint32_t *of_other = search->differences[*entry].piece_index;
  if (*entry < search->box_count && equal_points(other->min, box.min) &&
      equal_points(other->max, box.max) &&
      same_pieces(search->view[0], of_other[0], piece_index[0]) &&
      same_pieces(search->view[1], of_other[1], piece_index[1]))
    return true;
  *entry = search->box_count;
  return false;
}

static bool add_difference(sat_UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  uint64_t edges = max_boundary_edges(search, piece_index);
  bool flat[2] = {is_flat_piece(search, 0, piece_index[0]),
                  is_flat_piece(search, 1, piece_index[1])};
  /* a point and a point or a segment are never inside each other: there is nothing to be left */
  if (flat[0] && flat[1] && edges <= 3 && !search->touch_only) return true;
  if (search->curve_entries > 0 && !flat[0] && !flat[1] && is_listed(search, piece_index, box))
    return true;
  uint32_t index = search->box_count++;
  search->difference_count = search->box_count;
  search->differences[index] = (sat_Difference){.piece_index = {piece_index[0], piece_index[1]},
                                                .place = SAT_NO_PLACE,
                                                .flat = {flat[0], flat[1]},
                                                .lines = flat[0] && flat[1] && edges == 4};
  search->boxes[index] = (sat_DifferenceBox){box, index};
  return true;
}

/* A block that is given out in arrays; without memory they are only measured. */
typedef struct Block {
  char *memory;
  uint64_t bytes; /* given out so far */
} Block;

static void *next_array(Block *block, uint64_t count, size_t size) {
  void *array = block->memory && count > 0 ? block->memory + block->bytes : NULL;
  block->bytes += count * size;
  return array;
}

/* Each candidate is a task, which may be parted in two once, and so is each difference; a search
 * mostly needs far fewer. */
static void measure_walk(sat_UnionSearch *search, uint64_t most_candidates) {
  uint64_t differences = search->difference_capacity,
           candidates = SAT_MAX_CANDIDATES * search->edge_capacity,
           tasks = differences + 3 * candidates;
  if (candidates > most_candidates) {
    candidates = most_candidates;
    tasks = 2 * candidates > differences ? 2 * candidates : differences;
  }
  search->candidate_capacity = (uint32_t)candidates;
  search->task_capacity = (uint32_t)tasks;
  search->proposal_capacity =
      (uint32_t)(2 * candidates > most_candidates ? most_candidates : 2 * candidates);
}

/* Lays out the arrays for so many candidates at most, those with the strictest alignment first, and
 * returns the bytes that they take. */
static uint64_t lay_out_search(sat_UnionSearch *search, uint64_t most_candidates, Block block) {
  uint64_t differences = search->difference_capacity, tasks,
           room = search->most_edges + 1 > SAT_ROOM ? search->most_edges + 1 : SAT_ROOM;
  bool flat = search->has_flat[0] || search->has_flat[1];
  search->keeps_known = !search->has_rounded && (search->curve_entries > 0 || flat);
  search->room =
      (uint32_t)(room < search->edge_capacity + differences ? room
                                                            : search->edge_capacity + differences);
  measure_walk(search, most_candidates);
  tasks = search->task_capacity;
  search->boxes = next_array(&block, differences, sizeof(sat_DifferenceBox));
  search->touches = next_array(&block, flat ? differences : 0, sizeof(sat_FlatTouch));
  bool lines = search->has_flat[0] && search->has_flat[1];
  search->commons = next_array(&block, lines ? 2 * differences : 0, sizeof(sat_CommonPart));
  search->boundaries = next_array(&block, search->room, sizeof(sat_BoundaryEdge));
  search->proposals = next_array(&block, search->proposal_capacity, sizeof(sat_Proposal));
  search->candidates = next_array(&block, search->candidate_capacity, sizeof(sat_Candidate));
  search->keys = next_array(&block, tasks, sizeof(sat_SearchKey));
  search->tasks = next_array(&block, tasks, sizeof(sat_SearchTask));
  search->differences = next_array(&block, differences, sizeof(sat_Difference));
  search->curves = next_array(&block, search->curve_entries, sizeof(uint32_t));
  return block.bytes;
}

/* Reserves room for as many candidates as the block has memory for already, within the limit of a
 * search. A larger block need not be a copy. */
static sat_Status reserve_arrays(sat_UnionSearch *search, sat_Scratch *scratch) {
  uint64_t candidates = search->candidate_capacity,
           all = SAT_MAX_CANDIDATES * search->edge_capacity;
  if (candidates < SAT_FIRST_CANDIDATES) candidates = SAT_FIRST_CANDIDATES;
  while (all > candidates) {
    uint64_t bytes = lay_out_search(search, candidates + candidates / 2, (Block){NULL, 0});
    if (bytes > scratch->bytes || bytes > SAT_MOST_SEARCH_BYTES) break;
    candidates += candidates / 2;
  }
  uint64_t bytes = lay_out_search(search, candidates, (Block){NULL, 0});
  if (bytes > SAT_MOST_SEARCH_BYTES) return SAT_ECROWD;
  if (bytes > scratch->bytes) sat_scratch_free(scratch);
  char *block = sat_scratch_reserve(scratch, (size_t)bytes);
  if (!block) return SAT_ENOMEM;
  lay_out_search(search, candidates, (Block){block, 0});
  return SAT_OK;
}

sat_Status sat_union_collect(sat_UnionSearch *search, sat_Scratch *scratch) {
  count_differences(search);
  search->curve_entries = curve_entries_for(search->difference_capacity);
  sat_Status status = reserve_arrays(search, scratch);
  if (status) return status;
  search->room_used = search->box_count = search->difference_count = 0;
  search->is_full = false;
  search->known.x = HUGE_VAL;
  for (uint32_t i = 0; i < search->curve_entries; i++) search->curves[i] = UINT32_MAX;
  sat_union_visit_pairs(search, search->search_radius, add_difference);
  return SAT_OK;
}

/* ---------------------------------------------------------------- boundaries */

/* Takes a place for a boundary, which begins with the boundary itself. Where the room is full, all
 * others are computed again when they are needed. */
static void take_place(sat_UnionSearch *search, sat_Difference *difference) {
  uint32_t units = 1 + (uint32_t)max_boundary_edges(search, difference->piece_index);
  if (search->room - search->room_used < units) {
    search->room_used = 0;
    for (uint32_t i = 0; i < search->difference_count; i++)
      search->differences[i].place = SAT_NO_PLACE;
  }
  difference->place = search->room_used;
  search->room_used += units;
}

void sat_union_make_boundary(sat_UnionSearch *search, sat_Difference *difference) {
  sat_Pair pair = difference_pair(search, difference->piece_index);
  take_place(search, difference);
  sat_BoundaryEdge *place = search->boundaries + difference->place;
  difference->was_asked = true;
  sat_Boundary *boundary = (sat_Boundary *)(void *)place;
  *boundary = sat_boundary_of(&pair, place + 1);
  double touch = sat_touch_of_piece(search->view[1], difference->piece_index[1]);
  boundary->error_bound = max2(boundary->error_bound, touch);
}

bool sat_union_holds(sat_UnionSearch *search, sat_Vec2 point) {
  sat_NearWalk walk = {square_about_boundary(search, point), 0};
  for (sat_Difference *difference; (difference = next_difference(search, &walk)) != NULL;) {
    const sat_Boundary *boundary = ensure_boundary(search, difference);
    double inside = -boundary->error_bound;
    if (!boundary->degenerate && sat_boundary_signed_distance(boundary, point, inside) < inside)
      return true;
  }
  return false;
}
