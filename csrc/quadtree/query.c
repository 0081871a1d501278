/* query.c: finds the items whose boxes overlap a box, in ascending order. */
#include "quadtree/quadtree.h"

/* ---------------------------------------------------------------- collecting entries */

/* A query. The list first collects entries whose float boxes overlap; resolve() then replaces them
 * by items. */
typedef struct BoxQuery {
  const sat_Quadtree *tree;
  sat_Items *found;
  float4 limits;
} BoxQuery;

/* The number of elements reserved behind the last result: stores and loads of several elements at
 * once go past it. */
enum { SPARE = 8 };
/* Many rows of a small box's cells have no more entries than this. */
enum { FIRST = 4 };

static sat_Status make_room(const BoxQuery *query, size_t count) {
  sat_Items *found = query->found;
  if (found->capacity - found->count >= count + SPARE) return SAT_OK;
  return SAT_LIST_RESERVE(found, count + SPARE);
}

/* Collects entries from `start` to before `end`. No branch depends on the entries' boxes, and for
 * up to FIRST entries none depends on their number: entries after the last are compared and
 * discarded. */
SAT_INLINE sat_Status query_entries(const BoxQuery *query, uint32_t start, uint32_t end) {
  if (make_room(query, end - start)) return SAT_ENOMEM;
  const sat_Entry *entries = query->tree->entries;
  sat_Item *at = query->found->at + query->found->count;
#ifdef __GNUC__
#pragma GCC unroll 8
#endif
  for (uint32_t i = 0; i < FIRST; i++) {
    *at = start + i;
    at +=
        (start + i < end) & float4_below(float4_load(entries[start + i].float_box), query->limits);
  }
  for (uint32_t entry = start + FIRST; entry < end; entry++) {
    *at = entry;
    at += float4_below(float4_load(entries[entry].float_box), query->limits);
  }
  query->found->count = (size_t)(at - query->found->at);
  return SAT_OK;
}

/* Collects the overflow entries of the cells from `cell` to before `end`. */
static sat_Status query_chains(const BoxQuery *query, uint32_t cell, uint32_t end) {
  const sat_Quadtree *tree = query->tree;
  for (; cell < end; cell++)
    for (uint32_t entry = tree->heads[cell]; entry != SAT_NULL_INDEX;
         entry = tree->next[entry - tree->sorted_end]) {
      if (make_room(query, 1)) return SAT_ENOMEM;
      query->found->at[query->found->count] = entry;
      query->found->count +=
          float4_below(float4_load(tree->entries[entry].float_box), query->limits);
    }
  return SAT_OK;
}

/* Collects the entries of the cells from `cell` to before `end`, which do not wrap. */
SAT_INLINE sat_Status query_cells(const BoxQuery *query, const sat_Level *level, uint32_t cell,
                                  uint32_t end) {
  const sat_Quadtree *tree = query->tree;
  cell += level->first;
  end += level->first;
  if (query_entries(query, tree->starts[cell], tree->starts[end])) return SAT_ENOMEM;
  if (!tree->overflow || !sat_any_chained(tree, cell, end)) return SAT_OK;
  return query_chains(query, cell, end);
}

static sat_Status query_level(const BoxQuery *query, const sat_Level *level,
                              const sat_Rectangle *box) {
  sat_CellRange range =
      sat_range_of(query->tree, level, box->x, box->y, sat_right(box), sat_bottom(box));
  uint32_t all = level->mask + 1, columns = (uint32_t)(range.right - range.left) + 1;
  if (sat_is_small(level) || sat_range_meets_itself(level, range))
    return query_cells(query, level, 0, all);
  for (int32_t row = range.top; row <= range.bottom; row++) {
    uint32_t cell = sat_wrapped_index(level, range.left, row), end = cell + columns;
    sat_Status status = query_cells(query, level, cell, end < all ? end : all);
    if (end > all && !status) status = query_cells(query, level, 0, end - all);
    if (status) return status;
  }
  return SAT_OK;
}

static sat_Status query_all_entries(const BoxQuery *query, const sat_Rectangle *box) {
  const sat_Quadtree *tree = query->tree;
  for (uint64_t levels = tree->used_levels; levels;) {
    const sat_Level *level = &tree->levels[sat_next_level(&levels)];
    if (query_level(query, level, box)) return SAT_ENOMEM;
  }
  return SAT_OK;
}

/* Replaces entries by items, and drops those whose boxes do not overlap. */
static void resolve(const BoxQuery *query, const sat_Rectangle *box) {
  float4 sure = sat_certain_limits(query->limits);
  sat_Items *found = query->found;
  size_t count = 0;
  for (size_t i = 0; i < found->count; i++) {
    const sat_Entry *entry = &query->tree->entries[found->at[i]];
    sat_Item item = entry->id & ~SAT_STATIC_BIT;
    found->at[count] = item;
    count += float4_below(float4_load(entry->float_box), sure) ||
             sat_rectangles_overlap(box, &query->tree->boxes[item]);
  }
  found->count = count;
}

/* ---------------------------------------------------------------- ascending order */

enum { FEW = 48, ITEM_DIGIT_BITS = 8 };

/* Rank sort: the rank of an item is the number of smaller items. No branch depends on the items. */
#ifdef __SSE2__
SAT_INLINE __m128i load_items(const sat_Item *items) {
  return _mm_loadu_si128((const __m128i *)(const void *)items);
}

SAT_INLINE void store_items(sat_Item *items, __m128i values) {
  _mm_storeu_si128((__m128i *)(void *)items, values);
}

/* The negated sum of four counters, each of which is 0 or negative. */
SAT_INLINE uint32_t total(__m128i values) {
  values = _mm_add_epi32(values, _mm_shuffle_epi32(values, _MM_SHUFFLE(1, 0, 3, 2)));
  values = _mm_add_epi32(values, _mm_shuffle_epi32(values, _MM_SHUFFLE(2, 3, 0, 1)));
  return 0 - (uint32_t)_mm_cvtsi128_si32(values);
}

/* The room behind the items is filled with a value that is larger than any item. */
static void sort_few_items(sat_Item *items, uint32_t count) {
  sat_Item all[FEW + 4];
  store_items(items + count, _mm_set1_epi32(SAT_MOST_ITEMS));
  for (uint32_t i = 0; i < count; i += 4) store_items(all + i, load_items(items + i));
  for (uint32_t i = 0; i < count; i++) {
    __m128i item = _mm_set1_epi32((int)all[i]), less = _mm_setzero_si128();
    for (uint32_t j = 0; j < count; j += 4)
      less = _mm_add_epi32(less, _mm_cmplt_epi32(load_items(all + j), item));
    items[total(less)] = all[i];
  }
}

#else
static void sort_few_items(sat_Item *items, uint32_t count) {
  sat_Item all[FEW];
  memcpy(all, items, count * sizeof *items);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t less = 0;
    for (uint32_t j = 0; j < count; j++) less += all[j] < all[i];
    items[less] = all[i];
  }
}
#endif

/* One pass of a radix sort: sorts by one digit into another array. */
static void sort_items_by_digit(const sat_Item *from, sat_Item *to, uint32_t count, uint32_t shift,
                                uint32_t bits) {
  uint32_t ends[1 << ITEM_DIGIT_BITS], sum = 0, mask = (1u << bits) - 1;
  memset(ends, 0, (mask + 1) * sizeof *ends);
  for (uint32_t i = 0; i < count; i++) ends[from[i] >> shift & mask]++;
  for (uint32_t digit = 0; digit <= mask; digit++) {
    uint32_t start = sum;
    sum += ends[digit];
    ends[digit] = start;
  }
  for (uint32_t i = 0; i < count; i++) to[ends[from[i] >> shift & mask]++] = from[i];
}

/* Few items are sorted by rank, many by radix, with a second array behind the first. All digits
 * have about as many bits. */
static sat_Status sort_items(sat_Items *items, sat_Item end) {
  uint32_t count = (uint32_t)items->count, bits = 1;
  if (count <= FEW) {
    if (count > 1) sort_few_items(items->at, count);
    return SAT_OK;
  }
  sat_Status status = SAT_LIST_RESERVE(items, items->count);
  if (status) return status;
  while (end >> bits) bits++;
  uint32_t digits = (bits + ITEM_DIGIT_BITS - 1) / ITEM_DIGIT_BITS,
           width = (bits + digits - 1) / digits;
  sat_Item *from = items->at, *to = items->at + count;
  for (uint32_t i = 0; i < digits; i++) {
    sort_items_by_digit(from, to, count, i * width, width);
    sat_Item *other = from;
    from = to;
    to = other;
  }
  if (from != items->at) memcpy(items->at, from, count * sizeof *from);
  return SAT_OK;
}

/* ---------------------------------------------------------------- the query */

sat_Status sat_quadtree_query(sat_Quadtree *tree, sat_Rectangle box, sat_Items *found) {
  found->count = 0;
  sat_Status status = sat_rectangle_check(&box);
  if (!status) status = sat_quadtree_flush(tree);
  if (status) return status;
  BoxQuery query = {tree, found, sat_overlap_limits(sat_float_box(&box))};
  status = query_all_entries(&query, &box);
  if (!status) resolve(&query, &box);
  if (!status) status = sort_items(found, tree->item_end);
  if (status) found->count = 0;
  return status;
}
