/* plain_tree.c: a binary tree over boxes, by halves, with leaves of four. */
#include "levels.h"

#include <stdlib.h>

typedef struct Node {
  sat_Box box;
  uint32_t left, right; /* children; of a leaf, its range of boxes */
  bool is_leaf;
} Node;

typedef struct Tree {
  Node *nodes;
  sat_Box *boxes;
  uint32_t used;
  double cast;
} Tree;

static inline double least(double a, double b) { return a < b ? a : b; }
static inline double most(double a, double b) { return a > b ? a : b; }

/* ---------------------------------------------------------------- making */

static uint32_t build(Tree *tree, uint32_t first, uint32_t count);

static int compare_x(const void *a, const void *b) {
  double x = ((const sat_Box *)a)->min.x, y = ((const sat_Box *)b)->min.x;
  return (x > y) - (x < y);
}
static int compare_y(const void *a, const void *b) {
  double x = ((const sat_Box *)a)->min.y, y = ((const sat_Box *)b)->min.y;
  return (x > y) - (x < y);
}

static void halve(Tree *tree, uint32_t node, uint32_t first, uint32_t count) {
  sat_Box box = tree->nodes[node].box;
  bool wide = box.max.x - box.min.x > box.max.y - box.min.y;
  qsort(tree->boxes + first, count, sizeof *tree->boxes, wide ? compare_x : compare_y);
  tree->nodes[node].left = build(tree, first, count / 2);
  tree->nodes[node].right = build(tree, first + count / 2, count - count / 2);
}

static uint32_t build(Tree *tree, uint32_t first, uint32_t count) {
  uint32_t own = tree->used++;
  sat_Box box = tree->boxes[first];
  for (uint32_t i = first; i < first + count; i++) {
    const sat_Box *other = &tree->boxes[i];
    box.min = (sat_Vec2){least(box.min.x, other->min.x), least(box.min.y, other->min.y)};
    box.max = (sat_Vec2){most(box.max.x, other->max.x), most(box.max.y, other->max.y)};
  }
  tree->nodes[own] = (Node){box, first, first + count, count <= 4};
  if (count > 4) halve(tree, own, first, count);
  return own;
}

static void *open_tree(const bench_Boxes *boxes) {
  Tree *tree = bench_allocate(1, sizeof *tree);
  tree->nodes = bench_allocate(2 * boxes->count, sizeof *tree->nodes);
  tree->boxes = bench_allocate(boxes->count, sizeof *tree->boxes);
  tree->cast = boxes->cast;
  for (size_t i = 0; i < boxes->count; i++) {
    sat_Rectangle r = boxes->at[i];
    tree->boxes[i] = (sat_Box){{r.x, r.y}, {r.x + r.w, r.y + r.h}};
  }
  build(tree, 0, (uint32_t)boxes->count);
  return tree;
}

/* ---------------------------------------------------------------- questions */

typedef double Value(const sat_Box *box, const bench_Question *question, double size);

/* The least value of a box that is below `best`, or that. Of two children the one with the lesser
 * value comes first. */
static inline __attribute__((always_inline)) double
walk(const Tree *tree, const bench_Question *question, double size, double best, Value *value) {
  uint32_t waiting[64], top = 0;
  double values[64];
  waiting[top++] = 0;
  values[0] = 0;
  while (top > 0) {
    const Node *node = &tree->nodes[waiting[--top]];
    if (values[top] >= best) continue;
    for (uint32_t i = node->left; node->is_leaf && i < node->right; i++)
      best = least(best, value(&tree->boxes[i], question, size));
    if (node->is_leaf) continue;
    double left = value(&tree->nodes[node->left].box, question, size),
           right = value(&tree->nodes[node->right].box, question, size);
    bool swap = right < left;
    values[top] = swap ? left : right;
    waiting[top++] = swap ? node->left : node->right;
    values[top] = swap ? right : left;
    waiting[top++] = swap ? node->right : node->left;
  }
  return best;
}

/* When a box of this size, whose lower corner is where the question is, reaches another one; the
 * question's way is 1 divided by the motion. */
static inline double entry(const sat_Box *box, const bench_Question *question, double size) {
  sat_Vec2 from = question->at, inverse = question->way;
  double x0 = (box->min.x - size - from.x) * inverse.x, x1 = (box->max.x - from.x) * inverse.x;
  double y0 = (box->min.y - size - from.y) * inverse.y, y1 = (box->max.y - from.y) * inverse.y;
  double in = most(most(least(x0, x1), least(y0, y1)), 0);
  return in <= least(most(x0, x1), most(y0, y1)) ? in : HUGE_VAL;
}

static inline double square_from(const sat_Box *box, const bench_Question *question, double size) {
  (void)size;
  double x = most(most(box->min.x - question->at.x, question->at.x - box->max.x), 0);
  double y = most(most(box->min.y - question->at.y, question->at.y - box->max.y), 0);
  return x * x + y * y;
}

static inline double cast(const Tree *tree, const bench_Question *question, double size) {
  const double after = 1 + 0x1p-52; /* a hit at the end is one */
  bench_Question inverted = {question->at, {1 / question->way.x, 1 / question->way.y}};
  double first = walk(tree, &inverted, size, after, entry);
  return first < after ? first : 2;
}

static double answer_ray(void *state, const bench_Question *question) {
  return cast(state, question, 0);
}

static double answer_cast(void *state, const bench_Question *question) {
  return cast(state, question, ((const Tree *)state)->cast);
}

static double answer_nearest(void *state, const bench_Question *question) {
  return sqrt(walk(state, question, 0, HUGE_VAL, square_from));
}

static double answer_contains(void *state, const bench_Question *question) {
  return walk(state, question, 0, 0x1p-1022, square_from) == 0;
}

const bench_Keeper bench_plain_tree = {
    "plain",
    NULL,
    open_tree,
    NULL,
    {NULL, answer_nearest, answer_ray, answer_cast, answer_contains}};
