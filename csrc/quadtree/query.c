/* query.c: finds the items whose boxes overlap a box, in ascending order. */
#include "quadtree/store.h"

enum { RANK_BLOCK = 8, MOST_RANKED = 32 };

/* Sorts few items by rank, the number of smaller items. The list is filled up to whole blocks by a
 * number that is larger than all items. No branch depends on the items. */
static void order_by_rank(sat_Item *items, uint32_t count) {
  sat_Item all[MOST_RANKED + RANK_BLOCK];
  uint32_t ranks[MOST_RANKED + RANK_BLOCK];
  memcpy(all, items, count * sizeof *all);
  for (uint32_t i = 0; i < RANK_BLOCK; i++) all[count + i] = SAT_MOST_ITEMS;
  for (uint32_t i = 0; i < count; i += RANK_BLOCK) {
    uint4 a = uint4_load(all + i), b = uint4_load(all + i + 4);
    uint4 less_than_a = uint4_all(0), less_than_b = uint4_all(0);
    for (uint32_t j = 0; j < count; j++) {
      uint4 item = uint4_all(all[j]);
      less_than_a = uint4_count_less(less_than_a, item, a);
      less_than_b = uint4_count_less(less_than_b, item, b);
    }
    uint4_store(ranks + i, less_than_a);
    uint4_store(ranks + i + 4, less_than_b);
  }
  for (uint32_t i = 0; i < count; i++) items[ranks[i]] = all[i];
}

/* A set of items has a bit for each item, in words, and behind them a bit for each word that is not
 * 0. All bits are clear between the queries. */
enum { WORD_BITS = 64 };

static uint32_t words_for(uint32_t bits) { return (bits + WORD_BITS - 1) / WORD_BITS; }

/* Lists the items that are marked in a word, which is not 0, and may write one more element. No
 * branch decides between one item and two. */
SAT_INLINE sat_Item *list_word(uint64_t word, sat_Item first, sat_Item *at) {
  *at++ = first + sat_next_level(&word);
  uint64_t filled = word | UINT64_C(1) << (WORD_BITS - 1);
  *at = first + sat_next_level(&filled);
  at += word != 0;
  for (word &= word - 1; word; at++) *at = first + sat_next_level(&word);
  return at;
}

static sat_Status order_by_marks(sat_Quadtree *tree, sat_Items *items) {
  uint32_t words = words_for(tree->item_end), groups = words_for(words);
  if (tree->capacities[SAT_MARKS] < words + groups) {
    uint32_t more = words + groups + (words + groups) / 4;
    if (sat_tree_reserve(tree, SAT_MARKS, SAT_MARKS, more)) return SAT_ENOMEM;
    memset(tree->marks, 0, more * sizeof *tree->marks);
  }
  uint64_t *marks = tree->marks, *used = marks + words;
  sat_Item *at = items->at, *end = at + items->count;
  for (; at < end; at++) {
    uint32_t word = *at / WORD_BITS;
    marks[word] |= UINT64_C(1) << *at % WORD_BITS;
    used[word / WORD_BITS] |= UINT64_C(1) << word % WORD_BITS;
  }
  at = items->at;
  for (uint32_t group = 0; group < groups; group++) {
    for (uint64_t bits = used[group]; bits;) {
      uint32_t word = group * WORD_BITS + sat_next_level(&bits);
      at = list_word(marks[word], word * WORD_BITS, at);
      marks[word] = 0;
    }
    used[group] = 0;
  }
  return SAT_OK;
}

typedef struct BoxQuery {
  sat_EntrySearch search;
  const sat_Rectangle *box;
  sat_Items *found;
  sat_Status status;
} BoxQuery;

/* Lists the items of entries whose float boxes overlap. The float box of most entries proves that
 * the item's box overlaps, too; of the others the boxes themselves are compared. */
static bool list_items(sat_EntrySearch *search) {
  BoxQuery *query = (BoxQuery *)search;
  const sat_Quadtree *tree = search->tree;
  sat_Items *found = query->found;
  float4 sure = sat_certain_limits(search->limits);
  query->status = SAT_LIST_RESERVE(found, search->count + 1);
  if (query->status) return false;
  sat_Item *at = found->at + found->count;
  for (uint32_t i = 0; i < search->count; i++) {
    const sat_Entry *entry = &tree->entries[search->entries[i]];
    sat_Item item = entry->id & ~SAT_STATIC_BIT;
    *at = item;
    at += float4_below(float4_load(entry->float_box), sure) ||
          sat_rectangles_overlap(query->box, &tree->boxes[item]);
  }
  found->count = (size_t)(at - found->at);
  return true;
}

sat_Status sat_tree_query(sat_Quadtree *tree, const sat_Rectangle *box, sat_Items *found) {
  found->count = 0;
  sat_Status status = sat_quadtree_flush(tree);
  if (status) return status;
  BoxQuery query;
  query.search.tree = tree;
  query.search.visit_entries = list_items;
  query.search.compared = 0;
  query.box = box;
  query.found = found;
  query.status = SAT_OK;
  sat_search_box(&query.search, box);
  status = query.status;
  if (!status && found->count > MOST_RANKED) status = order_by_marks(tree, found);
  else if (!status && found->count > 1) order_by_rank(found->at, (uint32_t)found->count);
  if (status) found->count = 0;
  return status;
}

sat_Status sat_quadtree_query(sat_Quadtree *tree, sat_Rectangle box, sat_Items *found) {
  sat_Status status = sat_rectangle_check(&box);
  found->count = 0;
  return status ? status : sat_tree_query(tree, &box, found);
}
