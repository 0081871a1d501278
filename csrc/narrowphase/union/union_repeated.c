/* union_repeated.c: drops differences that are equal to others, as those of rows of equal tiles
 * are. */
#include "base/hash.h"
#include "base/heap.h"
#include "narrowphase/union/union_differences.h"

#include <string.h>

/* ---------------------------------------------------------------- sorting */

static int compare_numbers(double a, double b) { return (a > b) - (a < b); }

static bool box_comes_later(const sat_DifferenceBox *p, const sat_DifferenceBox *q) {
  int order = compare_numbers(p->box.min.x, q->box.min.x);
  if (order == 0) order = compare_numbers(p->box.min.y, q->box.min.y);
  if (order == 0) order = compare_numbers(p->box.max.x, q->box.max.x);
  if (order == 0) order = compare_numbers(p->box.max.y, q->box.max.y);
  if (order == 0) order = (p->form > q->form) - (p->form < q->form);
  return order != 0 ? order > 0 : p->difference > q->difference;
}

SAT_DEFINE_SORT(sat_DifferenceBox, boxes, box_comes_later)

/* The bits of a number below 2^16, each with a 0 after it. */
static uint32_t spread_bits(uint32_t number) {
  number = (number | number << 8) & 0x00ff00ffu;
  number = (number | number << 4) & 0x0f0f0f0fu;
  number = (number | number << 2) & 0x33333333u;
  return (number | number << 1) & 0x55555555u;
}

/* The Morton code of the square that a box's lower corner is in, of a grid around all boxes but the
 * largest. */
static uint32_t morton_code(const sat_UnionSearch *search, const sat_Box *box) {
  double cells = search->cache_cells, scale = cells / (4 * search->search_radius),
         middle = cells * 0.75;
  uint32_t column = (uint32_t)clamp(middle + scale * box->min.x, 0, cells - 1);
  uint32_t row = (uint32_t)clamp(middle + scale * box->min.y, 0, cells - 1);
  return spread_bits(column) | spread_bits(row) << 1;
}

/* A counting sort by Morton code. `sorted` has room for all boxes, and `ends` then has the end of
 * each code. */
static void sort_by_code(const sat_UnionSearch *search, sat_DifferenceBox *sorted, uint32_t *ends) {
  uint32_t codes = search->cache_cells * search->cache_cells;
  memset(ends, 0, codes * sizeof *ends);
  for (uint32_t i = 0; i < search->box_count; i++)
    ends[morton_code(search, &search->boxes[i].box)]++;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < codes; i++) {
    uint32_t count = ends[i];
    ends[i] = sum;
    sum += count;
  }
  for (uint32_t i = 0; i < search->box_count; i++)
    sorted[ends[morton_code(search, &search->boxes[i].box)]++] = search->boxes[i];
}

/* ---------------------------------------------------------------- equal differences */

/* Whether two pieces of a shape differ in their position alone, and hide the same features.
 * Segments of a chain differ in their neighbours. */
static bool same_pieces(const sat_PieceView *view, uint32_t i, uint32_t j) {
  const sat_Piece *p = &view->pieces[i], *q = &view->pieces[j];
  const sat_Vec2 *v = view->vertices + p->first, *w = view->vertices + q->first;
  if (i == j) return true;
  if ((p->flags | q->flags) & SAT_CHAIN_SEGMENT) return false;
  if (p->count > 32 || p->count != q->count || p->radius != q->radius || p->edges != q->edges ||
      p->corners != q->corners)
    return false;
  for (uint32_t k = 1; k < p->count; k++) {
    sat_Vec2 of_p = sub(v[k], v[0]), of_q = sub(w[k], w[0]);
    if (of_p.x != of_q.x || of_p.y != of_q.y) return false;
  }
  return true;
}

/* Whether two pieces of the same form are in the same place. */
static bool same_place(const sat_PieceView *view, uint32_t i, uint32_t j) {
  sat_Vec2 v = view->vertices[view->pieces[i].first], w = view->vertices[view->pieces[j].first];
  return v.x == w.x && v.y == w.y;
}

/* Whether two differences with the same box are of the same form. */
static bool same_form(const sat_UnionSearch *search, uint32_t first, uint32_t second) {
  const sat_Difference *p = &search->differences[first], *q = &search->differences[second];
  return same_pieces(search->view[0], p->piece_index[0], q->piece_index[0]) &&
         same_pieces(search->view[1], p->piece_index[1], q->piece_index[1]);
}

/* Whether the second of two differences of the same form adds nothing to shared edges either: of
 * points and segments in one place the first one keeps all differences. */
static bool same_flat_pieces(const sat_UnionSearch *search, uint32_t first, uint32_t second) {
  const sat_Difference *p = &search->differences[first], *q = &search->differences[second];
  for (uint32_t side = 0; side < 2; side++) {
    uint32_t i = p->piece_index[side], j = q->piece_index[side];
    if (q->flat[side] && !same_place(search->view[side], i, j)) return false;
  }
  return true;
}

static bool same_box(const sat_Box *a, const sat_Box *b) {
  return a->min.x == b->min.x && a->min.y == b->min.y && a->max.x == b->max.x &&
         a->max.y == b->max.y;
}

/* ---------------------------------------------------------------- equal boxes */

/* A hash of what same_pieces compares. */
static uint32_t mix_form(uint32_t hash, const sat_PieceView *view, uint32_t index) {
  const sat_Piece *piece = &view->pieces[index];
  const sat_Vec2 *v = view->vertices + piece->first;
  if (piece->flags & SAT_CHAIN_SEGMENT || piece->count > 32) return mix(hash, index);
  hash = mix_number(mix(mix(hash, piece->edges), piece->corners), piece->radius);
  for (uint32_t k = 1; k < piece->count; k++) {
    sat_Vec2 from_first = sub(v[k], v[0]);
    hash = mix_number(mix_number(hash, from_first.x), from_first.y);
  }
  return mix(hash, piece->count);
}

/* A hash of the places of points and segments. */
static uint32_t mix_place(uint32_t hash, const sat_PieceView *view, uint32_t index) {
  sat_Vec2 v = view->vertices[view->pieces[index].first];
  return mix_number(mix_number(hash, v.x), v.y);
}

/* Half of the bits are of the form, and half of the places, by which equal forms are sorted. */
static uint32_t form_of(const sat_UnionSearch *search, const sat_DifferenceBox *entry) {
  const sat_Difference *difference = &search->differences[entry->difference];
  uint32_t form = 1, place = 1;
  for (uint32_t side = 0; side < 2; side++) {
    uint32_t index = difference->piece_index[side];
    form = mix_form(form, search->view[side], index);
    if (difference->flat[side]) place = mix_place(place, search->view[side], index);
  }
  return (form & 0xffff0000u) | place >> 16;
}

/* Whether all differences are of one form and none is of a point or a segment. */
static bool are_of_one_form(const sat_UnionSearch *search, const sat_DifferenceBox *boxes,
                            uint32_t count) {
  const sat_Difference *first = &search->differences[boxes[0].difference];
  if (first->flat[0] || first->flat[1]) return false;
  for (uint32_t i = 1; i < count; i++)
    if (!same_form(search, boxes[0].difference, boxes[i].difference)) return false;
  return true;
}

/* Sorts equal boxes by their differences' forms. */
static void sort_equal(const sat_UnionSearch *search, sat_DifferenceBox *boxes, uint32_t count) {
  if (are_of_one_form(search, boxes, count)) return;
  for (uint32_t i = 0; i < count; i++) boxes[i].form = form_of(search, &boxes[i]);
  boxes_sort(boxes, count);
}

/* Puts equal differences beside each other. Most runs of one code are short, or of one box. */
static void sort_run(const sat_UnionSearch *search, sat_DifferenceBox *boxes, uint32_t count) {
  uint32_t i = 1, begin = 0;
  while (i < count && !box_comes_later(&boxes[i - 1], &boxes[i])) i++;
  if (i < count) boxes_sort(boxes, count);
  for (i = 1; i <= count; i++) {
    if (i < count && same_box(&boxes[begin].box, &boxes[i].box)) continue;
    if (i - begin > 2) sort_equal(search, boxes + begin, i - begin);
    begin = i;
  }
}

/* ---------------------------------------------------------------- dropping */

/* Appends a difference to the list, unless it is equal to the last one. `lead`: the last one that
 * is not repeated. */
static void keep_or_drop(sat_UnionSearch *search, const sat_DifferenceBox *entry, uint32_t *lead) {
  sat_DifferenceBox *boxes = search->boxes;
  const sat_DifferenceBox *first = &boxes[*lead], *last = boxes + search->box_count;
  if (search->box_count > 0) last--;
  bool same = search->box_count > 0 && same_box(&first->box, &entry->box) &&
              same_form(search, first->difference, entry->difference);
  if (same && search->deepest_difference == entry->difference)
    search->deepest_difference = first->difference;
  if (same && same_flat_pieces(search, last->difference, entry->difference)) return;
  search->differences[entry->difference].repeated = same;
  if (!same) *lead = search->box_count;
  boxes[search->box_count++] = *entry;
}

/* The memory of the keys, the tasks behind them, and the cached covers is not in use yet. */
void sat_union_drop_repeated(sat_UnionSearch *search) {
  sat_DifferenceBox *sorted = (sat_DifferenceBox *)(void *)search->keys;
  uint32_t lead = 0, begin = 0, codes = search->cache_cells * search->cache_cells;
  sort_by_code(search, sorted, search->cached_covers);
  search->box_count = 0;
  for (uint32_t code = 0; code < codes; code++) {
    uint32_t end = search->cached_covers[code];
    sort_run(search, sorted + begin, end - begin);
    for (; begin < end; begin++) keep_or_drop(search, &sorted[begin], &lead);
  }
}
