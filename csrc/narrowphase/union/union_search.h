/* union_search.h: the state of one search for the minimum translation vector of a union.
 *
 * The boundary of the union of all Minkowski differences consists of parts of the boundaries of the
 * single ones. The search follows their curves, segments and arcs, in the order of how near they
 * come to the origin, and skips what other differences cover. The first point that no difference
 * covers is the vector. The boundaries themselves are free: a shape that fits exactly touches on
 * all sides.
 *
 * Agarwal, Flato and Halperin, Polygon decomposition for efficient construction of Minkowski sums,
 * 2002.
 *
 * A file for each step:
 *   union_mtv.c          the order of the steps; the pair of pieces that overlaps most, which often
 *                        decides alone, and touches
 *   union_differences.c  all differences near enough but for equal ones, and their boundaries
 *   union_squares.c      many differences, a few at a time: those whose boundaries cross a square
 *   union_walk.c         the best-first search along the curves, and what covers a point
 *   union_shared_edge.c  points and segments on the shared edges of adjacent pieces, segments that
 *                        pass one another, and the sides from which chains can be touched */
#ifndef SAT_NARROWPHASE_UNION_SEARCH_H
#define SAT_NARROWPHASE_UNION_SEARCH_H

#include "base/double2.h"
#include "narrowphase/convex/convex_pair.h"
#include "narrowphase/union/minkowski_boundary.h"
#include "narrowphase/union/union_mtv.h"

/* No more pairs than this are listed once, without the trees of the pieces. */
#define SAT_VERY_FEW_PAIRS 16
/* The search takes all pairs of pieces where there are no more than this; otherwise those whose
 * differences are as near as the vector may be long, which is estimated and doubled. The curves of
 * more differences than this are followed within squares that few of them cross. */
#define SAT_FEW_DIFFERENCES 256
/* The room for boundaries, in edges, where not all fit into it; and the curves that a search has
 * room for at first. */
#define SAT_ROOM 49152
#define SAT_FIRST_CANDIDATES 16384
#define SAT_MOST_SEARCH_BYTES ((uint64_t)128 << 20)
/* A computed point within this many rounding errors of a boundary counts as on it. */
#define SAT_BOUNDARY_ROUNDINGS 8
/* A point beside another one is this many rounding errors away from it: farther than a boundary may
 * be to count as touched. */
#define SAT_ROUNDINGS_BESIDE 64

/* The Minkowski difference of two pieces. */
typedef struct sat_Difference {
  uint32_t piece_index[2];
  uint32_t place; /* of the boundary, or SAT_NO_PLACE */
  bool was_asked; /* it has been there */
  bool flat[2];   /* the piece on that side is a point or a segment */
  bool lines;     /* both are segments */
} sat_Difference;
#define SAT_NO_PLACE UINT32_MAX

typedef struct sat_DifferenceBox {
  sat_Box box;
  uint32_t difference;
} sat_DifferenceBox;

/* A pair of pieces, and the box of their difference. */
typedef struct sat_NearPair {
  sat_Box box;
  uint32_t piece_index[2];
} sat_NearPair;

/* The directions in which a task follows its curve, or a difference whose curves are not listed
 * yet. */
typedef enum SearchDirection {
  SEARCH_BACK,
  SEARCH_AHEAD,
  SEARCH_BOTH,
  SEARCH_DIFFERENCE
} SearchDirection;

/* A point on a curve from which the search goes on. */
typedef struct sat_SearchTask {
  sat_Parameter parameter;
  uint32_t of;       /* index of the candidate, or of the difference */
  uint32_t steps;    /* the number of covers that the task has left behind */
  uint8_t direction; /* a SearchDirection */
  bool projects;     /* the point is the projection of the origin on a segment */
  bool enters;       /* the curve comes into the square there, and is nearer outside of it */
} sat_SearchTask;

/* A vector that has been proposed as the result. */
typedef struct sat_Proposal {
  sat_UnionMtv mtv;
  sat_SearchTask task; /* to whose point it leads */
} sat_Proposal;

/* A task with a lower bound of its points' distance from the origin. */
typedef struct sat_SearchKey {
  double near;
  uint32_t task;
} sat_SearchKey;

/* A touch of a point or a segment with another piece, where the origin is on the boundary of their
 * difference. */
typedef struct sat_FlatTouch {
  sat_Wedge wedge;
  double start, end; /* of the boundary along a segment; or the direction where the wedge starts */
  bool left;         /* the piece is on the left of the segment */
  uint32_t side, piece;
} sat_FlatTouch;

/* What a segment has in common with one of the other shape: a point, or a segment from left to
 * right. */
typedef struct sat_CommonPart {
  sat_Vec2 from, to;
  uint32_t side, piece_index;
} sat_CommonPart;

typedef struct sat_UnionSearch {
  const sat_PieceView *view[2];
  sat_Vec2 origin_offset; /* from A's origin to B's */
  sat_Vec2 from_b;        /* the direction from B's centroid to A's: see sat_tie_direction */
  sat_Vec2 preferred;     /* see sat_best_direction */
  double rounding;        /* the rounding error of the coordinates */
  double tie;             /* facets whose separations differ by less are equally near */
  double search_radius;   /* points farther from the origin are left out for now */
  double searched_radius; /* no vector is shorter, as an earlier search has found */
  sat_Box square;         /* in which curves are followed */
  double max_radius;      /* no vector is longer */

  /* the pairs of pieces that meet */
  bool lists_near;    /* from `near` to `near_end` are all pairs within `max_radius` */
  bool is_moved;      /* A is not where it was when they were listed */
  bool few_pairs;     /* the search takes all pairs of pieces */
  bool has_chain;     /* a shape has chains, whose segments hide some directions */
  bool has_back;      /* one of them is one-sided */
  bool overlaps;      /* the interiors of a pair meet */
  bool touches_solid; /* a pair that meets has no one-sided chain */
  bool has_boundary;  /* a pair that meets has a boundary: two points have none */
  bool touch_only;    /* no interiors meet, nor is anything inside a shared edge */
  bool touch_decides; /* all pairs so far that touch do so in facets of one direction */
  bool given_up;      /* too many pairs overlap for the deepest to decide */
  bool found;
  uint32_t overlap_count;
  uint32_t deepest_pieces[2];
  double max_depth;
  sat_NearPair *near, *near_end;
  sat_ConvexTest tests[2]; /* of the deepest pair, and room for the next one: a copy takes time */
  size_t deepest;          /* the index of the former */
  sat_UnionMtv best;
  double best_length;

  /* All that follows is zero before the first search. The differences, and those that cross the
   * square in front of all others */
  sat_Difference *differences;
  sat_DifferenceBox *boxes;
  uint32_t difference_count, box_count;
  uint64_t difference_capacity, edge_capacity, most_edges; /* of all; of one difference */
  sat_BoundaryEdge *boundaries; /* those computed last: one is good until the next one is made */
  uint32_t room, room_used;
  sat_FlatTouch *touches;  /* at one point; NULL where no piece is a point or a segment */
  sat_CommonPart *commons; /* at one point; NULL where only one shape has such pieces */
  sat_Vec2 known;          /* the last point that is inside no difference; HUGE_VAL: none */
  bool known_on_shared;    /* a point or a segment there is on a shared edge */
  bool keeps_known;        /* points are asked about again */
  bool has_flat[2];        /* a piece of that side is a point or a segment without a radius */
  bool has_rounded;        /* a piece of a difference has a radius */

  /* the walk */
  sat_Candidate *candidates;
  uint32_t *curves;       /* candidates, by hash, */
  uint32_t curve_entries; /* in a table of so many entries: a power of two, or 0: none */
  sat_SearchTask *tasks;
  sat_SearchKey *keys; /* a heap, the nearest first */
  uint32_t candidate_count, task_count, key_count;
  uint32_t candidate_capacity, task_capacity;
  bool is_full; /* the walk is to be repeated with more room for candidates and tasks */
  sat_Proposal *proposals;
  uint32_t proposal_count, proposal_capacity;
  bool best_is_projection;
  bool tied;       /* results that lead out on different sides are about as short */
  double shortest; /* the length of the shortest vector so far */
} sat_UnionSearch;

static inline sat_Pair difference_pair(const sat_UnionSearch *search,
                                       const uint32_t piece_index[2]) {
  return sat_convex_pair_of_pieces(search->view[0], search->view[1], piece_index);
}

/* Whether a piece is a point or a segment. */
static inline bool is_flat_piece(const sat_UnionSearch *search, uint32_t side,
                                 uint32_t piece_index) {
  const sat_Piece *piece = &search->view[side]->pieces[piece_index];
  return piece->count <= 2 && sat_piece_radius(search->view[side], piece) == 0;
}

/* Lengths that differ by less are equal. */
static inline double tie_of_length(const sat_UnionSearch *search, double length) {
  return SAT_TIE_RELATIVE * length + search->rounding;
}

/* Whether a vector of this length is longer than one that has been found. */
static inline bool is_too_long(const sat_UnionSearch *search, double length) {
  return search->found && length > search->shortest + tie_of_length(search, search->shortest);
}

/* Whether a parameter comes before another one in a direction along a curve. */
static inline bool is_sooner(uint32_t direction, double t, double other) {
  return direction == SEARCH_AHEAD ? t < other : t > other;
}

/* The features of a piece that may be on the boundary of the union: all of them where there is a
 * one-sided chain. A segment may fit exactly into a reflex vertex, or at the end of an internal
 * edge, where the chain's back hides the other curves that would lead there. */
static inline sat_ExposedFeatures exposed_features(const sat_UnionSearch *search, uint32_t side,
                                                   uint32_t piece_index) {
  const sat_Piece *piece = &search->view[side]->pieces[piece_index];
  if (search->has_back) return (sat_ExposedFeatures){UINT32_MAX, UINT32_MAX};
  return (sat_ExposedFeatures){piece->edges, piece->corners};
}

/* The components of the shortest vector from the origin to a box, without their signs. */
static inline sat_Vec2 vector_to_box(sat_Box box) {
  double x = max2(max2(box.min.x, -box.max.x), 0), y = max2(max2(box.min.y, -box.max.y), 0);
  return vec2(x, y);
}

static inline bool box_is_near(sat_Box box, double max_distance) {
  sat_Vec2 vector = vector_to_box(box);
  return dot(vector, vector) <= max_distance * max_distance;
}

/* union_differences.c. Calls for every pair of pieces whose difference's box is within a distance
 * of the origin, until a call returns false; returns whether none did. */
typedef bool (*PairVisit)(sat_UnionSearch *search, const uint32_t piece_index[2], sat_Box box);
bool sat_union_visit_pairs(sat_UnionSearch *search, double max_distance, PairVisit visit);
/* Lists the pairs within `max_radius`, in the order of the visits, where there are few in all. */
void sat_union_list_pairs(sat_UnionSearch *search);

/* Lists the differences within the search radius. Fails with SAT_ENOMEM, and
 * with SAT_ECROWD beyond SAT_MOST_SEARCH_BYTES. */
sat_Status sat_union_collect(sat_UnionSearch *search, sat_Scratch *scratch);

/* Whether a point is inside a difference beyond rounding. */
bool sat_union_holds(sat_UnionSearch *search, sat_Vec2 point);

/* The greatest number of edges that the difference of two pieces has. */
static inline uint64_t max_boundary_edges(const sat_UnionSearch *search,
                                          const uint32_t piece_index[2]) {
  return (uint64_t)search->view[0]->pieces[piece_index[0]].count +
         search->view[1]->pieces[piece_index[1]].count;
}

/* The surroundings of a point. */
static inline sat_Box square_about(sat_Vec2 point, double error_bound) {
  return (sat_Box){sub(point, vec2(error_bound, error_bound)),
                   add(point, vec2(error_bound, error_bound))};
}

/* The surroundings in which all boundaries count as going through a point. */
static inline sat_Box square_about_boundary(const sat_UnionSearch *search, sat_Vec2 point) {
  return square_about(point, SAT_BOUNDARY_ROUNDINGS * search->rounding);
}

/* All four comparisons at once: the processor can hardly predict which one fails. */
static inline bool box_meets(const sat_Box *box, sat_Vec2 low, sat_Vec2 high) {
  return double2_in_order(double2_load(&box->min), double2_load(&high), double2_load(&low),
                          double2_load(&box->max));
}

static inline bool box_holds_point(const sat_Box *box, sat_Vec2 point) {
  return box_meets(box, point, point);
}

static inline void swap_listed(sat_UnionSearch *search, uint32_t i, uint32_t j) {
  sat_DifferenceBox entry = search->boxes[i];
  search->boxes[i] = search->boxes[j];
  search->boxes[j] = entry;
}

/* A walk over the differences whose boxes are near, in the order of the list.
 *   sat_NearWalk walk = {near, 0};
 *   for (sat_Difference *difference; (difference = next_difference(search, &walk)) != NULL;) ... */
typedef struct sat_NearWalk {
  sat_Box near;
  uint32_t next; /* the index of the next box */
} sat_NearWalk;

static inline sat_Difference *next_difference(const sat_UnionSearch *search, sat_NearWalk *walk) {
  while (walk->next < search->box_count) {
    const sat_DifferenceBox *entry = &search->boxes[walk->next++];
    if (box_meets(&entry->box, walk->near.min, walk->near.max))
      return &search->differences[entry->difference];
  }
  return NULL;
}

/* union_squares.c. Finds the best vector within the search radius; `found` says whether there is
 * one. */
void sat_union_walk(sat_UnionSearch *search);

/* union_shared_edge.c. Whether a point that is inside no difference is covered all the same: a
 * piece that is a point or a segment would lie on a shared edge of two adjacent pieces there, or
 * segments of both shapes would pass one another. */
bool sat_union_is_on_shared_edge(sat_UnionSearch *search, sat_Vec2 point);

/* The exits from a task's point on a shared edge, where the next difference of a point or a segment
 * begins or ends: what those cover together changes nowhere else. */
void sat_union_exits_of_shared(sat_UnionSearch *search, const sat_SearchTask *task,
                               sat_Parameter exits[2]);

/* Whether a shape at a point would touch a chain where its segments' neighbours or
 * its back hide the touch, so that the point is no result; `exits` are as above. */
bool sat_union_chain_hides(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                           sat_Parameter exits[2]);

/* Whether the curve of a touch is on the boundary of the union beside it, and does not only end
 * there, inside of other differences beyond. */
bool sat_union_leads_on(sat_UnionSearch *search, const sat_SearchTask *task);

/* union_walk.c. Proposes a vector as the result: the best is kept. */
void sat_union_propose(sat_UnionSearch *search, double length, bool projects,
                       const sat_UnionMtv *mtv);

/* Follows the curves of the listed differences within the square. */
void sat_union_walk_square(sat_UnionSearch *search);

/* Chooses among all proposals that are as short as the shortest. */
void sat_union_choose_best(sat_UnionSearch *search);

#endif
