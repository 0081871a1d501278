/* index_tutorial.c: the quadtree of the tutorials: 10 objects to a node, 5 levels, what straddles a
 * centre line stays in the parent, and everything is taken out and put in again in every frame.
 *
 * Two things differ from how it is usually printed. Its sums are not rounded to whole pixels, and
 * `retrieve` also goes into the children that a straddling box crosses: without that it misses most
 * of what such a box meets. */
#include "crowd.h"

#include <stdlib.h>

#define MOST_OBJECTS 10
#define MOST_LEVELS 5

typedef struct Node {
  int level;
  sat_Rectangle bounds;
  size_t count, capacity;
  uint32_t *objects;
  struct Node *children[4];
} Node;

typedef struct State {
  bench_Crowd *crowd;
  Node *root;
  uint32_t *found;
  size_t count, capacity;
} State;

enum { RIGHT_TOP, LEFT_TOP, LEFT_BOTTOM, RIGHT_BOTTOM, STRADDLES };

static Node *create_node(int level, double x, double y, double w, double h) {
  Node *node = calloc(1, sizeof *node);
  if (!node) abort();
  node->level = level;
  node->bounds = (sat_Rectangle){x, y, w, h};
  return node;
}

static void clear(Node *node) {
  for (int i = 0; i < 4; i++) {
    if (!node->children[i]) continue;
    clear(node->children[i]);
    free(node->children[i]);
    node->children[i] = NULL;
  }
  free(node->objects);
  node->objects = NULL;
  node->count = node->capacity = 0;
}

static void append(uint32_t **list, size_t *count, size_t *capacity, uint32_t object) {
  if (*count == *capacity) {
    *capacity = *capacity ? 2 * *capacity : MOST_OBJECTS + 1;
    *list = realloc(*list, *capacity * sizeof **list);
    if (!*list) abort();
  }
  (*list)[(*count)++] = object;
}

static void split(Node *node) {
  sat_Rectangle b = node->bounds;
  double w = b.w / 2, h = b.h / 2;
  int level = node->level + 1;
  node->children[RIGHT_TOP] = create_node(level, b.x + w, b.y, w, h);
  node->children[LEFT_TOP] = create_node(level, b.x, b.y, w, h);
  node->children[LEFT_BOTTOM] = create_node(level, b.x, b.y + h, w, h);
  node->children[RIGHT_BOTTOM] = create_node(level, b.x + w, b.y + h, w, h);
}

static int index_of(const Node *node, const sat_Rectangle *box) {
  double middle_x = node->bounds.x + node->bounds.w / 2;
  double middle_y = node->bounds.y + node->bounds.h / 2;
  bool top = box->y + box->h<middle_y, bottom = box->y> middle_y;
  if (box->x + box->w < middle_x) return top ? LEFT_TOP : bottom ? LEFT_BOTTOM : STRADDLES;
  if (box->x > middle_x) return top ? RIGHT_TOP : bottom ? RIGHT_BOTTOM : STRADDLES;
  return STRADDLES;
}

static void insert(Node *node, const sat_Rectangle *boxes, uint32_t object);

static void hand_down(Node *node, const sat_Rectangle *boxes) {
  size_t kept = 0;
  for (size_t i = 0; i < node->count; i++) {
    uint32_t object = node->objects[i];
    int index = index_of(node, &boxes[object]);
    if (index == STRADDLES) node->objects[kept++] = object;
    else insert(node->children[index], boxes, object);
  }
  node->count = kept;
}

static void insert(Node *node, const sat_Rectangle *boxes, uint32_t object) {
  if (node->children[0]) {
    int index = index_of(node, &boxes[object]);
    if (index != STRADDLES) {
      insert(node->children[index], boxes, object);
      return;
    }
  }
  append(&node->objects, &node->count, &node->capacity, object);
  if (node->count <= MOST_OBJECTS || node->level >= MOST_LEVELS) return;
  if (!node->children[0]) split(node);
  hand_down(node, boxes);
}

static void retrieve(State *state, const Node *node, const sat_Rectangle *box) {
  if (node->children[0]) {
    int index = index_of(node, box);
    double middle_x = node->bounds.x + node->bounds.w / 2;
    double middle_y = node->bounds.y + node->bounds.h / 2;
    bool left = box->x<middle_x, right = box->x + box->w> middle_x;
    bool top = box->y<middle_y, bottom = box->y + box->h> middle_y;
    if (index != STRADDLES) {
      retrieve(state, node->children[index], box);
    } else {
      if (right && top) retrieve(state, node->children[RIGHT_TOP], box);
      if (left && top) retrieve(state, node->children[LEFT_TOP], box);
      if (left && bottom) retrieve(state, node->children[LEFT_BOTTOM], box);
      if (right && bottom) retrieve(state, node->children[RIGHT_BOTTOM], box);
    }
  }
  for (size_t i = 0; i < node->count; i++)
    append(&state->found, &state->count, &state->capacity, node->objects[i]);
}

/* ---------------------------------------------------------------- its frame */

static void fill(void *opened) {
  State *state = opened;
  clear(state->root);
  for (size_t i = 0; i < state->crowd->count; i++)
    insert(state->root, state->crowd->boxes, (uint32_t)i);
}

static void find_pairs(void *opened, bench_Sum *tally) {
  State *state = opened;
  const sat_Rectangle *boxes = state->crowd->boxes;
  for (uint32_t i = 0; i < state->crowd->count; i++) {
    state->count = 0;
    retrieve(state, state->root, &boxes[i]);
    for (size_t k = 0; k < state->count; k++)
      if (i < state->found[k] && bench_overlap(&boxes[i], &boxes[state->found[k]]))
        bench_tally_pair(tally, i, state->found[k]);
  }
}

static void ask_window(void *opened, size_t question, const sat_Rectangle *window,
                       bench_Sum *tally) {
  State *state = opened;
  state->count = 0;
  retrieve(state, state->root, window);
  for (size_t k = 0; k < state->count; k++)
    if (bench_overlap(window, &state->crowd->boxes[state->found[k]]))
      bench_tally_item(tally, question, state->found[k]);
}

static void *open_tree(bench_Crowd *crowd) {
  State *state = bench_allocate(1, sizeof *state);
  state->crowd = crowd;
  state->root = create_node(0, 0, 0, crowd->width, crowd->width);
  fill(state);
  return state;
}

static void close_tree(void *opened) {
  State *state = opened;
  clear(state->root);
  free(state->root);
  free(state->found);
}

const bench_Index bench_tutorial = {"tutorial", 100000,     BY_REFILL,  open_tree, close_tree, fill,
                                    NULL,       find_pairs, ask_window, NULL,      NULL};
