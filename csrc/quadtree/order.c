/* order.c: puts the items that a query has found into ascending order, by rank or by marks. */
#include "quadtree/order.h"

/* ---------------------------------------------------------------- few items */

enum { FEW = 32 };

/* Sorts few items by rank, in a list that is filled up to whole blocks. */
static void rank_blocks(sat_Item *items, uint32_t count) {
  sat_Item all[FEW], most = (count + SAT_RANK_BLOCK - 1) / SAT_RANK_BLOCK * SAT_RANK_BLOCK;
  memcpy(all, items, count * sizeof *all);
  for (uint32_t i = count; i < most; i++) all[i] = SAT_MOST_ITEMS;
  sat_rank_items(all, most, items);
}

/* ---------------------------------------------------------------- many items */

/* A set of items has a bit for each item, in words, and behind them a bit for each word that is not
 * 0. All bits are clear between the queries. */
enum { WORD_BITS = 64 };

static uint32_t words_for(uint32_t bits) { return (bits + WORD_BITS - 1) / WORD_BITS; }

static sat_Status reserve_marks(sat_Quadtree *tree, uint32_t words) {
  if (tree->capacities[SAT_MARKS] >= words) return SAT_OK;
  sat_Status status = sat_tree_reserve(tree, SAT_MARKS, SAT_MARKS, words + words / 4);
  if (!status) memset(tree->marks, 0, tree->capacities[SAT_MARKS] * sizeof *tree->marks);
  return status;
}

static void mark_items(const sat_Items *items, uint64_t *words, uint64_t *used) {
  size_t count = items->count;
  const sat_Item *at = items->at;
  for (size_t i = 0; i < count; i++) {
    uint32_t word = at[i] / WORD_BITS;
    words[word] |= UINT64_C(1) << at[i] % WORD_BITS;
    used[word / WORD_BITS] |= UINT64_C(1) << word % WORD_BITS;
  }
}

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
  sat_Status status = reserve_marks(tree, words + groups);
  if (status) return status;
  uint64_t *marks = tree->marks, *used = marks + words;
  mark_items(items, marks, used);
  sat_Item *at = items->at;
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

/* ---------------------------------------------------------------- all */

sat_Status sat_order_items(sat_Quadtree *tree, sat_Items *items) {
  if (items->count > FEW) return order_by_marks(tree, items);
  if (items->count > 1) rank_blocks(items->at, (uint32_t)items->count);
  return SAT_OK;
}
