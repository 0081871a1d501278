/* exact_union.c: the arrangement of all Minkowski differences in whole numbers.
 *
 * A translation is forbidden where the interiors of two pieces meet, a part of a line is inside the
 * union of closed solids, or lines pass one another. A shortest free translation is the origin's
 * projection on an edge of a difference, a place where two vertices meet, or a crossing of two
 * edges. All candidates are tried as rational numbers. */
#include "test/exact_union.h"

/* The point x / w, y / w, with whole numbers. */
typedef struct Exact {
  int64_t x, y, w;
} Exact;

typedef struct ExactEdge {
  int64_t x, y, dx, dy;
} ExactEdge;

enum {
  MOST_DIFFERENCES = 24 * 24,
  MOST_SIDES = 40,
  MOST_CUTS = 400,
  MOST_ARMS = 400,
  MOST_LINES = 32
};

/* The Minkowski differences of all pairs of pieces. */
typedef struct Union {
  ExactEdge edges[MOST_DIFFERENCES][MOST_SIDES];
  size_t sides[MOST_DIFFERENCES], count;
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

/* ---------------------------------------------------------------- in place */

/* The vertices of both shapes once A has moved by a fraction, times its denominator. */
typedef struct Whole {
  int64_t x, y;
} Whole;

static Whole whole_sub(Whole p, Whole q) { return (Whole){p.x - q.x, p.y - q.y}; }
static int64_t whole_cross(Whole p, Whole q) { return p.x * q.y - p.y * q.x; }
static int64_t whole_dot(Whole p, Whole q) { return p.x * q.x + p.y * q.y; }
static bool whole_equal(Whole p, Whole q) { return p.x == q.x && p.y == q.y; }
static bool same_direction(Whole p, Whole q) {
  return whole_cross(p, q) == 0 && whole_dot(p, q) > 0;
}

static Whole own_vertex(const ExactPair *pair, int side, size_t piece, size_t k) {
  const Solid *solid = &pair->of[side][piece];
  Point v = solid->vertices[k % solid->count];
  return (Whole){(int64_t)v.x, (int64_t)v.y};
}

static Whole moved_vertex(const ExactPair *pair, int side, size_t piece, size_t k, Exact at) {
  Whole v = own_vertex(pair, side, piece, k);
  return (Whole){v.x * at.w + (side == 0 ? at.x : 0), v.y * at.w + (side == 0 ? at.y : 0)};
}

static Whole edge_of(const ExactPair *pair, int side, size_t piece, size_t k) {
  return whole_sub(own_vertex(pair, side, piece, k + 1), own_vertex(pair, side, piece, k));
}

/* ---------------------------------------------------------------- lines in solids */

/* The pieces of one side with an inside, and a point whose coordinates are times `scale`. */
typedef struct Spot {
  const ExactPair *pair;
  int side;
  Exact at;
  Whole point;
  int64_t scale;
} Spot;

/* The position of the spot relative to a piece's edge: positive to the left. */
static int64_t left_of_edge(const Spot *spot, size_t piece, size_t k) {
  Whole v = moved_vertex(spot->pair, spot->side, piece, k, spot->at);
  Whole from = {spot->point.x - v.x * spot->scale, spot->point.y - v.y * spot->scale};
  return whole_cross(edge_of(spot->pair, spot->side, piece, k), from);
}

/* Returns 1 inside of a piece, 0 on its outline, -1 outside or where it is a line. */
static int side_of_piece(const Spot *spot, size_t piece) {
  size_t count = spot->pair->of[spot->side][piece].count;
  int least = count < 3 ? -1 : 1;
  for (size_t k = 0; count > 2 && k < count; k++) {
    int64_t left = left_of_edge(spot, piece, k);
    if (left <= 0) least = left < 0 || least < 0 ? -1 : 0;
  }
  return least;
}

/* Whether closed pieces hold the directions that follow `direction` at the spot in the order of
 * positive area. */
static bool holds_sector(const Spot *spot, Whole direction) {
  for (size_t piece = 0; piece < spot->pair->count[spot->side]; piece++) {
    bool holds = side_of_piece(spot, piece) >= 0;
    for (size_t k = 0; holds && k < spot->pair->of[spot->side][piece].count; k++) {
      Whole edge = edge_of(spot->pair, spot->side, piece, k);
      int64_t turn = whole_cross(edge, direction);
      if (left_of_edge(spot, piece, k) == 0)
        holds = turn > 0 || (turn == 0 && whole_dot(edge, direction) > 0);
    }
    if (holds) return true;
  }
  return false;
}

/* Whether the spot is in the inside of the union of the closed pieces: they hold every sector
 * between the lines of their edges there. */
static bool is_inside_union(const Spot *spot) {
  bool any = false;
  for (size_t piece = 0; piece < spot->pair->count[spot->side]; piece++) {
    if (side_of_piece(spot, piece) < 0) continue;
    any = true;
    for (size_t k = 0; k < spot->pair->of[spot->side][piece].count; k++) {
      Whole edge = edge_of(spot->pair, spot->side, piece, k), back = {-edge.x, -edge.y};
      if (left_of_edge(spot, piece, k) == 0 &&
          !(holds_sector(spot, edge) && holds_sector(spot, back)))
        return false;
    }
  }
  return any;
}

/* Where a line crosses the lines of edges, as fractions of its length. */
typedef struct Cuts {
  int64_t share[MOST_CUTS], of[MOST_CUTS];
  size_t count;
} Cuts;

static void add_cut(Cuts *cuts, int64_t share, int64_t of) {
  if (of < 0) share = -share, of = -of;
  if (share < 0 || share > of) return;
  size_t i = 0;
  while (i < cuts->count && cuts->share[i] * of < share * cuts->of[i]) i++;
  if (i < cuts->count && cuts->share[i] * of == share * cuts->of[i]) return;
  assert_true(cuts->count < MOST_CUTS);
  for (size_t k = cuts->count++; k > i; k--) {
    cuts->share[k] = cuts->share[k - 1];
    cuts->of[k] = cuts->of[k - 1];
  }
  cuts->share[i] = share;
  cuts->of[i] = of;
}

/* Cuts a segment at the lines of all edges, and at the ends of edges along it. */
static void cut_line(const Spot *spot, Whole start, Whole along, Cuts *cuts) {
  int64_t w = spot->at.w;
  cuts->count = 0;
  add_cut(cuts, 0, 1);
  add_cut(cuts, 1, 1);
  for (size_t piece = 0; piece < spot->pair->count[spot->side]; piece++) {
    for (size_t k = 0; k < spot->pair->of[spot->side][piece].count; k++) {
      Whole edge = edge_of(spot->pair, spot->side, piece, k);
      Whole to = whole_sub(moved_vertex(spot->pair, spot->side, piece, k, spot->at), start);
      int64_t turn = whole_cross(along, edge);
      if (turn != 0) add_cut(cuts, whole_cross(to, edge), turn * w);
      else add_cut(cuts, whole_dot(to, along), whole_dot(along, along) * w);
    }
  }
}

/* Whether a point, or an open part of a segment, is in the inside of the union of the other shape's
 * closed pieces. A part between two cuts is there as its middle is. */
static bool is_line_inside(const ExactPair *pair, int side, size_t piece, Exact at) {
  size_t ends = pair->of[side][piece].count;
  Whole start = moved_vertex(pair, side, piece, 0, at), along = edge_of(pair, side, piece, 0);
  Spot spot = {pair, !side, at, start, 1};
  Cuts cuts;
  if (ends != 2) return ends == 1 && is_inside_union(&spot);
  cut_line(&spot, start, along, &cuts);
  for (size_t i = 0; i + 1 < cuts.count; i++) {
    int64_t middle = cuts.share[i] * cuts.of[i + 1] + cuts.share[i + 1] * cuts.of[i];
    spot.scale = 2 * cuts.of[i] * cuts.of[i + 1];
    spot.point = (Whole){start.x * spot.scale + along.x * at.w * middle,
                         start.y * spot.scale + along.y * at.w * middle};
    if (is_inside_union(&spot)) return true;
  }
  return false;
}

/* ---------------------------------------------------------------- lines that pass one another */

/* The lines of both shapes that leave a point, in a direction. */
typedef struct Arm {
  Whole at, direction;
  int sides; /* 1: of A, 2: of B, 3: of both */
} Arm;

typedef struct Arms {
  Arm of[MOST_ARMS];
  size_t count;
} Arms;

static void add_arm(Arms *arms, Whole at, Whole direction, int side) {
  for (size_t i = 0; i < arms->count; i++) {
    Arm *arm = &arms->of[i];
    if (!whole_equal(arm->at, at) || !same_direction(arm->direction, direction)) continue;
    arm->sides |= 1 << side;
    return;
  }
  assert_true(arms->count < MOST_ARMS);
  arms->of[arms->count++] = (Arm){at, direction, 1 << side};
}

/* The segments of both shapes in place. */
typedef struct Lines {
  Whole ends[2][MOST_LINES][2];
  size_t count[2];
} Lines;

static void place_lines(const ExactPair *pair, Exact at, Lines *lines) {
  for (int side = 0; side < 2; side++) {
    lines->count[side] = 0;
    for (size_t i = 0; i < pair->count[side]; i++) {
      if (pair->of[side][i].count != 2) continue;
      assert_true(lines->count[side] < MOST_LINES);
      Whole *ends = lines->ends[side][lines->count[side]++];
      for (size_t k = 0; k < 2; k++) ends[k] = moved_vertex(pair, side, i, k, at);
    }
  }
}

static bool is_on_segment(const Whole ends[2], Whole point) {
  Whole along = whole_sub(ends[1], ends[0]), from = whole_sub(point, ends[0]);
  return whole_cross(along, from) == 0 && whole_dot(along, from) >= 0 &&
         whole_dot(along, whole_sub(point, ends[1])) <= 0;
}

/* Adds the arms at an end of a line, if a line of the other shape goes through that point. */
static void add_arms_at(const Lines *lines, int side, Whole point, Arms *arms) {
  bool any = false;
  for (size_t i = 0; i < lines->count[!side]; i++)
    any = any || is_on_segment(lines->ends[!side][i], point);
  for (int of = 0; any && of < 2; of++) {
    for (size_t i = 0; i < lines->count[of]; i++) {
      const Whole *ends = lines->ends[of][i];
      for (size_t k = 0; is_on_segment(ends, point) && k < 2; k++)
        if (!whole_equal(ends[k], point)) add_arm(arms, point, whole_sub(ends[k], point), of);
    }
  }
}

/* How far a direction is from another one, anticlockwise, as a number that grows with the angle;
 * the same direction is a whole turn away. */
static Real turn_between(Whole from, Whole to) {
  Real x = (Real)whole_dot(from, to), y = (Real)whole_cross(from, to), whole = fabsl(x) + fabsl(y);
  if (y == 0) return x > 0 ? 4 : 2;
  return y > 0 ? 1 - x / whole : 3 + x / whole;
}

/* The next arm at a point, anticlockwise from a direction. */
static const Arm *next_arm(const Arms *arms, Whole at, Whole direction) {
  const Arm *next = NULL;
  for (size_t i = 0; i < arms->count; i++) {
    const Arm *arm = &arms->of[i];
    if (whole_equal(arm->at, at) && (!next || turn_between(direction, arm->direction) <
                                                  turn_between(direction, next->direction)))
      next = arm;
  }
  return next;
}

/* The point where a stretch that both shapes share comes to the next one with arms. */
static Whole end_of_common(const Arms *arms, const Arm *arm) {
  Whole end = arm->at;
  for (size_t i = 0; i < arms->count; i++) {
    Whole to = whole_sub(arms->of[i].at, arm->at);
    if (same_direction(to, arm->direction) &&
        (whole_equal(end, arm->at) || whole_dot(to, to) < whole_dot(whole_sub(end, arm->at), to)))
      end = arms->of[i].at;
  }
  assert_false(whole_equal(end, arm->at));
  return end;
}

/* Whether the arms around what two shapes have in common, from one on, belong to A, B, A and B in
 * turns: then one passes from one side of the other to the other side. Shared stretches are walked
 * around. */
static bool arms_alternate(const Arms *arms, const Arm *first) {
  int changes = 0, last = first->sides;
  Whole at = first->at, direction = first->direction;
  for (;;) {
    const Arm *arm = next_arm(arms, at, direction);
    at = arm->at;
    direction = arm->direction;
    if (arm->sides == 3) {
      at = end_of_common(arms, arm);
      direction = (Whole){-direction.x, -direction.y};
      continue;
    }
    changes += arm->sides != last;
    last = arm->sides;
    if (arm == first) return changes > 2;
  }
}

static bool lines_pass(const ExactPair *pair, Exact at) {
  static Lines lines;
  Arms arms;
  arms.count = 0;
  place_lines(pair, at, &lines);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < lines.count[side]; i++)
      for (size_t k = 0; k < 2; k++) add_arms_at(&lines, side, lines.ends[side][i][k], &arms);
  for (size_t i = 0; i < arms.count; i++)
    if (arms.of[i].sides != 3 && arms_alternate(&arms, &arms.of[i])) return true;
  return false;
}

/* ---------------------------------------------------------------- the shortest translation */

static bool is_free(const Union *whole, Exact at) {
  for (size_t i = 0; i < whole->count; i++)
    if (exact_side(whole, i, at) > 0) return false;
  for (int side = 0; side < 2; side++)
    for (size_t piece = 0; piece < whole->pair->count[side]; piece++)
      if (is_line_inside(whole->pair, side, piece, at)) return false;
  return !lines_pass(whole->pair, at);
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

/* Tries the projection of the origin if it lies within an edge, and the crossings with others. */
static void try_edge(const Union *whole, const ExactEdge *edge, ExactMtv *mtv) {
  Exact origin = {0, 0, 1};
  int64_t along = along_of(edge, origin), all = edge->dx * edge->dx + edge->dy * edge->dy;
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

/* Tries every place where a vertex of one piece is on one of the other. Those of two segments along
 * one line are not all vertices of their difference, and where ends meet, what a line passes
 * changes. */
static void try_vertices(const Union *whole, size_t i, size_t j, ExactMtv *mtv) {
  for (size_t k = 0; k < whole->pair->of[0][i].count; k++)
    for (size_t l = 0; l < whole->pair->of[1][j].count; l++) {
      Whole at = whole_sub(own_vertex(whole->pair, 1, j, l), own_vertex(whole->pair, 0, i, k));
      try_place(whole, (Exact){at.x, at.y, 1}, false, mtv);
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
  for (size_t i = 0; i < pair->count[0]; i++)
    for (size_t j = 0; j < pair->count[1]; j++) try_vertices(&whole, i, j, &mtv);
  return mtv;
}
