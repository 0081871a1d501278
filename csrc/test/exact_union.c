/* exact_union.c: the arrangement of all Minkowski differences in whole numbers.
 *
 * The forbidden translations are the union of the open differences of all pairs of pieces and,
 * for a point or a segment, the edges that abutting differences share. A shortest free
 * translation is the origin's projection on an edge of a difference, a vertex, or a crossing of
 * two edges. All candidates are tried as rational numbers. */
#include "test/exact_union.h"

/* The point x / w, y / w, with whole numbers. */
typedef struct Exact {
  int64_t x, y, w;
} Exact;

typedef struct ExactEdge {
  int64_t x, y, dx, dy;
} ExactEdge;

enum { MOST_DIFFERENCES = 24 * 24, MOST_SIDES = 40 };

/* The Minkowski differences of all pairs of pieces. */
typedef struct Union {
  ExactEdge edges[MOST_DIFFERENCES][MOST_SIDES];
  size_t sides[MOST_DIFFERENCES], count;
  size_t piece_index[MOST_DIFFERENCES][2];
  const ExactPair *pair;
} Union;

static void add_difference(Union *whole, size_t i, size_t j) {
  sat_Vec2 corners[MOST_SIDES * MOST_SIDES / 4];
  const Solid *p = &whole->pair->of[0][i], *q = &whole->pair->of[1][j];
  size_t count = 0;
  assert_true(whole->count < MOST_DIFFERENCES);
  assert_true(p->count * q->count <= MOST_SIDES * MOST_SIDES / 4);
  for (size_t k = 0; k < p->count; k++)
    for (size_t l = 0; l < q->count; l++)
      corners[count++] = vec2((double)(q->vertices[l].x - p->vertices[k].x),
                              (double)(q->vertices[l].y - p->vertices[k].y));
  count = count > 1 ? hull_of(corners, count, 0) : count;
  assert_true(count <= MOST_SIDES);
  for (size_t k = 0; k < count; k++) {
    sat_Vec2 from = corners[k], along = sub(corners[(k + 1) % count], from);
    whole->edges[whole->count][k] =
        (ExactEdge){(int64_t)from.x, (int64_t)from.y, (int64_t)along.x, (int64_t)along.y};
  }
  whole->piece_index[whole->count][0] = i;
  whole->piece_index[whole->count][1] = j;
  whole->sides[whole->count++] = count;
}

/* The distance of a point to the left of an edge, and its distance along the edge, both times
 * the length of the edge and the denominator of the point. */
static int64_t left_of(const ExactEdge *edge, Exact at) {
  return edge->dx * (at.y - at.w * edge->y) - edge->dy * (at.x - at.w * edge->x);
}
static int64_t along_of(const ExactEdge *edge, Exact at) {
  return edge->dx * (at.x - at.w * edge->x) + edge->dy * (at.y - at.w * edge->y);
}

/* Returns 1 inside of a difference, 0 on its boundary, -1 outside. A difference without area has
 * no inside. */
static int exact_side(const Union *whole, size_t index, Exact at) {
  int least = 1;
  if (whole->sides[index] < 3) return -1;
  for (size_t k = 0; k < whole->sides[index]; k++) {
    int64_t left = left_of(&whole->edges[index][k], at);
    int side = (left > 0) - (left < 0);
    if (side < least) least = side;
  }
  return least;
}

/* Whether a difference with a point on its boundary contains, next to the point, the directions
 * that follow `direction` in the order of positive area, or, with `itself`, the direction
 * itself. */
static bool holds_direction(const Union *whole, size_t index, Exact at, Exact direction,
                            bool itself) {
  if (exact_side(whole, index, at) != 0) return false;
  for (size_t k = 0; k < whole->sides[index]; k++) {
    const ExactEdge *edge = &whole->edges[index][k];
    if (left_of(edge, at) != 0) continue;
    int64_t arc = edge->dx * direction.y - edge->dy * direction.x;
    int64_t ahead = edge->dx * direction.x + edge->dy * direction.y;
    if (arc < 0 || (arc == 0 && (itself || ahead < 0))) return false;
  }
  return true;
}

/* Whether the differences of one piece, a point or a segment, contain the directions that follow
 * `direction` at a point and, unless the piece lies along it, the direction itself. */
static bool covers_direction(const Union *whole, int side, size_t piece, Exact at,
                             Exact direction) {
  const Solid *solid = &whole->pair->of[side][piece];
  bool follows = false, itself = false;
  for (size_t i = 0; i < whole->count; i++) {
    if (whole->piece_index[i][side] != piece) continue;
    follows = follows || holds_direction(whole, i, at, direction, false);
    itself = itself || holds_direction(whole, i, at, direction, true);
  }
  Point p = solid->vertices[0], q = solid->vertices[solid->count - 1];
  return follows && (itself || (q.x - p.x) * direction.y == (q.y - p.y) * direction.x);
}

static bool is_on_shared_edge(const Union *whole, int side, size_t piece, Exact at) {
  bool any = false;
  if (whole->pair->of[side][piece].count > 2) return false;
  for (size_t i = 0; i < whole->count; i++) {
    if (whole->piece_index[i][side] != piece || exact_side(whole, i, at) != 0) continue;
    for (size_t k = 0; k < whole->sides[i]; k++) {
      const ExactEdge *edge = &whole->edges[i][k];
      int64_t along = along_of(edge, at), all = edge->dx * edge->dx + edge->dy * edge->dy;
      if (left_of(edge, at) != 0 || along < 0 || along > all * at.w) continue;
      any = true;
      if (along < all * at.w &&
          !covers_direction(whole, side, piece, at, (Exact){edge->dx, edge->dy, 1}))
        return false;
      if (along > 0 && !covers_direction(whole, side, piece, at, (Exact){-edge->dx, -edge->dy, 1}))
        return false;
    }
  }
  return any;
}

static bool is_free(const Union *whole, Exact at) {
  for (size_t i = 0; i < whole->count; i++)
    if (exact_side(whole, i, at) > 0) return false;
  for (int side = 0; side < 2; side++)
    for (size_t piece = 0; piece < whole->pair->count[side]; piece++)
      if (is_on_shared_edge(whole, side, piece, at)) return false;
  return true;
}

static void add_translation(ExactMtv *mtv, ExactTranslation one) {
  for (size_t i = 0; i < mtv->count; i++) {
    ExactTranslation *known = &mtv->all[i];
    if (point_length(point_sub(known->vector, one.vector)) > 1e-12L * mtv->depth) continue;
    known->foot = known->foot || one.foot;
    return;
  }
  assert_true(mtv->count < MOST_EXACT_TRANSLATIONS);
  mtv->all[mtv->count++] = one;
}

/* Lengths that differ by rounding alone count as equal, since the squares of different lengths
 * are fractions with denominators below 2^40. */
static void try_place(const Union *whole, Exact at, bool foot, ExactMtv *mtv) {
  ExactTranslation one = {{(Real)at.x / (Real)at.w, (Real)at.y / (Real)at.w}, foot};
  Real size = point_length(one.vector), same = 8 * real_epsilon();
  if (size > mtv->depth * (1 + same)) return;
  if (at.w < 0) at = (Exact){-at.x, -at.y, -at.w};
  if (!is_free(whole, at)) return;
  if (size < mtv->depth * (1 - same)) {
    mtv->count = 0;
    mtv->depth = size;
  }
  add_translation(mtv, one);
}

/* Tries the start of an edge, the projection of the origin if it lies within the edge, and the
 * crossings with all edges. */
static void try_edge(const Union *whole, const ExactEdge *edge, ExactMtv *mtv) {
  Exact origin = {0, 0, 1};
  int64_t along = along_of(edge, origin), all = edge->dx * edge->dx + edge->dy * edge->dy;
  try_place(whole, (Exact){edge->x, edge->y, 1}, false, mtv);
  if (along > 0 && along < all)
    try_place(whole,
              (Exact){edge->x * all + edge->dx * along, edge->y * all + edge->dy * along, all},
              true, mtv);
  for (size_t i = 0; i < whole->count; i++) {
    for (size_t k = 0; k < whole->sides[i]; k++) {
      const ExactEdge *other = &whole->edges[i][k];
      int64_t w = edge->dx * other->dy - edge->dy * other->dx;
      int64_t t = (other->x - edge->x) * other->dy - (other->y - edge->y) * other->dx;
      if (w == 0 || (w > 0 ? t < 0 || t > w : t > 0 || t < w)) continue;
      try_place(whole, (Exact){edge->x * w + edge->dx * t, edge->y * w + edge->dy * t, w}, false,
                mtv);
    }
  }
}

/* Whether the pieces of a pair share a point, which puts the origin into their difference. */
static bool pieces_share_point(const Union *whole, size_t index) {
  Exact origin = {0, 0, 1};
  const ExactEdge *edge = whole->edges[index];
  if (whole->sides[index] > 2) return exact_side(whole, index, origin) >= 0;
  if (whole->sides[index] == 1) return edge->x == 0 && edge->y == 0;
  int64_t along = along_of(edge, origin);
  return left_of(edge, origin) == 0 && along >= 0 &&
         along <= edge->dx * edge->dx + edge->dy * edge->dy;
}

ExactMtv exact_mtv(const ExactPair *pair) {
  static Union whole;
  ExactMtv mtv = {.depth = HUGE_VALL};
  bool touch = false;
  whole.count = 0;
  whole.pair = pair;
  for (size_t i = 0; i < pair->count[0]; i++)
    for (size_t j = 0; j < pair->count[1]; j++) add_difference(&whole, i, j);
  for (size_t i = 0; i < whole.count; i++) touch = touch || pieces_share_point(&whole, i);
  if (!touch) return mtv;
  if (is_free(&whole, (Exact){0, 0, 1})) return (ExactMtv){.depth = 0};
  for (size_t i = 0; i < whole.count; i++)
    for (size_t k = 0; k < whole.sides[i]; k++) try_edge(&whole, &whole.edges[i][k], &mtv);
  return mtv;
}
