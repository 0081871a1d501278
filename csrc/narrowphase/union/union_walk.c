/* union_walk.c: the best-first search along the curves of all differences.
 *
 * A heap has the points from which curves are to be followed, the nearest to the origin first. A
 * point that no difference covers is proposed as the result; from others the search goes on to the
 * exits of the difference that covers them. It ends where no point can be nearer than the best
 * result. */
#include "base/byte_order.h"
#include "base/heap.h"
#include "base/base.h"
#include "narrowphase/convex/mtv_tie_break.h"
#include "narrowphase/union/union_differences.h"

/* A square cuts a segment at four points at most, and an arc at eight; and both ends. */
#define MOST_CUTS 10
/* Unit vectors with a larger dot product lead out on the same side: the vector to a corner beside
 * the origin's projection is off by far less. */
#define SAME_WAY (1 - SAT_SAME_WAY)

/* ---------------------------------------------------------------- the heap */

static bool is_nearer(const sat_SearchKey *p, const sat_SearchKey *q) { return p->near < q->near; }
SAT_DEFINE_HEAP(sat_SearchKey, keys, is_nearer)

static void push_key(sat_UnionSearch *search, double near, uint32_t task) {
  search->keys[search->key_count++] = (sat_SearchKey){near, task};
  keys_sift_up(search->keys, search->key_count - 1);
}

/* Without room for it the search is to be repeated with more. */
static void push_task(sat_UnionSearch *search, double near, const sat_SearchTask *task) {
  search->is_full = search->is_full || search->task_count == search->task_capacity;
  if (search->is_full) return;
  search->tasks[search->task_count] = *task;
  push_key(search, near, search->task_count++);
}

static sat_SearchKey pop_nearest(sat_UnionSearch *search) {
  sat_SearchKey nearest = search->keys[0];
  search->keys[0] = search->keys[--search->key_count];
  keys_sift_down(search->keys, search->key_count, 0);
  return nearest;
}

/* ---------------------------------------------------------------- results */

static bool same_way(const sat_UnionSearch *search, const sat_UnionMtv *mtv) {
  return dot(mtv->result.normal, search->best.result.normal) > SAME_WAY;
}

/* Where two vectors lead out on the same side, the projection on the facet is exact. */
static bool is_better_mtv(const sat_UnionSearch *search, const sat_UnionMtv *mtv, bool projects) {
  if (projects != search->best_is_projection && same_way(search, mtv)) return projects;
  return sat_mtv_preferred(search->from_b, mtv->result.normal, search->best.result.normal);
}

void sat_union_propose(sat_UnionSearch *search, double length, bool projects,
                       const sat_UnionMtv *mtv) {
  if (is_too_long(search, length)) return;
  bool first = !search->found;
  search->tied = !first && (search->tied || !same_way(search, mtv));
  search->found = true;
  if (first || length < search->shortest) search->shortest = length;
  if (!first && !is_too_long(search, search->best_length) && !is_better_mtv(search, mtv, projects))
    return;
  search->best = *mtv;
  search->best_length = length;
  search->best_is_projection = projects;
}

/* The vector to a task's point. A projection on a facet has the length of the facet's separation,
 * whose sign is exact. */
static sat_UnionMtv vector_of_task(const sat_UnionSearch *search, const sat_SearchTask *task) {
  const sat_Candidate *candidate = &search->candidates[task->of];
  const uint32_t *piece_index = search->differences[candidate->owner].piece_index;
  sat_Vec2 normal = sat_curve_normal(&candidate->curve, task->parameter.t);
  sat_Vec2 vector = sat_curve_point(&candidate->curve, task->parameter.t);
  double size = length(vector);
  bool corner = sat_is_arc(&candidate->curve);
  if (task->projects && !search->touch_only) {
    sat_Pair pair = difference_pair(search, piece_index);
    double separation = pair.radius == 0 ? sat_exact_separation(&pair, &candidate->facet)
                                         : candidate->facet.separation;
    size = max2(pair.radius - separation, 0);
    vector = mul(normal, size);
  } else if (!task->projects && size > search->rounding) {
    normal = mul(vector, 1 / size);
  }
  if (search->touch_only) size = 0;
  else if (size == 0) size = DBL_MIN;
  if (size <= search->rounding) vector = size > 0 ? mul(normal, size) : vec2(0, 0);
  return (sat_UnionMtv){{vector, normal, size, corner ? SAT_A : (sat_Side)candidate->facet.side,
                         corner ? candidate->vertex_of_a : candidate->facet.edge, corner, false},
                        {piece_index[0], piece_index[1]},
                        false};
}

/* Leaves out proposals that are too long by now. */
static void drop_long_proposals(sat_UnionSearch *search) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->proposal_count; i++)
    if (!is_too_long(search, search->proposals[i].mtv.result.depth))
      search->proposals[count++] = search->proposals[i];
  search->proposal_count = count;
}

/* Proposes the vector to a task's point. */
static void propose_task(sat_UnionSearch *search, const sat_SearchTask *task) {
  if (task->enters) return;
  sat_Proposal proposal = {vector_of_task(search, task), *task};
  sat_union_propose(search, proposal.mtv.result.depth, task->projects, &proposal.mtv);
  if (search->proposal_count == search->proposal_capacity) drop_long_proposals(search);
  if (search->proposal_count < search->proposal_capacity)
    search->proposals[search->proposal_count++] = proposal;
  else search->is_full = search->candidate_capacity < SAT_MAX_CANDIDATES * search->edge_capacity;
}

/* Leaves out the touches on curves that end there, on the sides of seams, unless all are. A shape
 * that fits exactly into a hole touches on such curves alone. */
static void keep_touches_that_lead_on(sat_UnionSearch *search) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->proposal_count; i++)
    if (sat_union_leads_on(search, &search->proposals[i].task))
      search->proposals[count++] = search->proposals[i];
  if (count > 0) search->proposal_count = count;
}

/* Chooses among all proposals that are as short as the shortest, of those that are one but for
 * rounding the first one. An exact one, a projection, that leads out on the same side takes its
 * place. */
void sat_union_choose_best(sat_UnionSearch *search) {
  sat_TieFilter filter = sat_tie_filter(search->from_b);
  bool exact = false, tied = false;
  drop_long_proposals(search);
  if (search->touch_only) keep_touches_that_lead_on(search);
  for (int pass = 0; pass <= SAT_TIE_STEPS + 1; filter.step += pass++ < SAT_TIE_STEPS)
    for (uint32_t i = search->proposal_count; i-- > 0;) {
      const sat_UnionMtv *mtv = &search->proposals[i].mtv;
      bool projects = search->proposals[i].task.projects;
      tied = tied || (pass > SAT_TIE_STEPS && !same_way(search, mtv));
      if (pass < SAT_TIE_STEPS) sat_tie_measure(&filter, mtv->result.normal);
      else if (pass == SAT_TIE_STEPS
                   ? sat_tie_passes(&filter, mtv->result.normal) && exact <= projects
                   : projects && !exact && same_way(search, mtv)) {
        search->best = *mtv;
        exact = projects;
      }
    }
  search->best.result.tied = tied;
}

/* ---------------------------------------------------------------- covers */

/* Whether a point is inside a difference; if so, gives the exits from there. Otherwise finds out
 * whether a point or a segment is on a shared edge there. The difference
 * that covered the last point is likely to cover the next one: it moves towards the front. */
static bool is_inside_any(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                          sat_Parameter exits[2]) {
  const sat_Candidate *of = &search->candidates[task->of];
  uint32_t flat = 0;
  sat_NearWalk walk = {square_about_boundary(search, point), 0};
  for (sat_Difference *difference; (difference = next_difference(search, &walk)) != NULL;) {
    flat += difference->flat[0] || difference->flat[1];
    if (difference == &search->differences[of->owner] ||
        !sat_boundary_contains_parameter(ensure_boundary(search, difference), &of->curve,
                                         task->parameter.t, exits))
      continue;
    swap_listed(search, walk.next - 1, (walk.next - 1) / 2);
    return true;
  }
  search->known_on_shared = flat >= 2 && sat_union_is_on_shared_edge(search, point);
  return false;
}

/* Whether a task's point is inside a difference, on a shared edge, or hidden by a chain; if so,
 * gives the exits from there. The last point that is inside none is known: of sharp differences it
 * does not matter which curve a point is on, and thousands may begin or end in one corner. */
static bool find_cover(sat_UnionSearch *search, const sat_SearchTask *task,
                       sat_Parameter exits[2]) {
  sat_Vec2 point = sat_curve_point(&search->candidates[task->of].curve, task->parameter.t),
           from = sub(search->known, point);
  bool known = search->keeps_known && fabs(from.x) + fabs(from.y) <= search->rounding;
  if (!known) {
    search->known.x = HUGE_VAL;
    if (is_inside_any(search, task, point, exits)) return true;
    search->known = point;
  }
  if (!search->known_on_shared) return sat_union_chain_hides(search, task, point, exits);
  sat_union_exits_of_shared(search, task, exits);
  return true;
}

/* ---------------------------------------------------------------- along the curves */

/* Whether points at this distance are left to a search within a larger radius, or cannot win. */
static bool is_too_far(const sat_UnionSearch *search, double distance) {
  bool later = distance > search->search_radius + tie_of_length(search, search->search_radius) &&
               search->search_radius < search->max_radius;
  return later || is_too_long(search, distance);
}

/* A parameter, or the end of the curve where that is as near as rounding: thousands of curves may
 * end in one corner, which is then one point for all. */
static double snapped(double t, double end, double margin) {
  return fabs(t - end) <= margin ? end : t;
}

/* Sets the point to go on from: the exit from a cover, or the end of the curve if the exit is near
 * that. Where a boundary touches an arc at the arc's end, rounding moves their crossing away from
 * the end, by its square root. The search stops at the ends of a chain's segments, beyond which its
 * back may be. Returns false if the exit is beyond the curve or the square, or too far from the
 * origin. */
static bool has_remainder(const sat_UnionSearch *search, const sat_SearchTask *task,
                          uint32_t direction, sat_Parameter *next, double *near) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double rounding =
      sat_is_arc(curve) ? sqrt(2 * search->rounding / curve->radius) : search->rounding;
  double margin = max2(next->error, rounding);
  double t = task->parameter.t;
  bool ends = direction == SEARCH_AHEAD ? t >= curve->end || next->t > curve->end + margin
                                        : t <= 0 || next->t < -margin;
  if (ends) return false;
  next->t = direction == SEARCH_AHEAD ? snapped(next->t, curve->end, margin)
                                      : snapped(next->t, 0, margin);
  sat_Vec2 point = sat_curve_point(curve, next->t);
  *near = length(point);
  return box_holds_point(&search->square, point) && !is_too_far(search, *near);
}

/* Follows a curve from its point nearest to the origin in both directions, or in one direction to
 * the first point without a cover, as long as no other task is nearer. A curve leaves each
 * difference once, and a shared edge beside it, which bounds the number of steps. An exit is moved
 * by at least the rounding error; a step that is lost to it all the same ends at the cover. */
static void follow_curve(sat_UnionSearch *search, sat_SearchTask task, uint32_t id) {
  double margin = sat_is_arc(&search->candidates[task.of].curve) ? 0 : search->rounding, near;
  sat_Parameter exits[2];
  while (find_cover(search, &task, exits)) {
    bool both = task.direction == SEARCH_BOTH;
    sat_SearchTask rest = task;
    rest.projects = rest.enters = false;
    for (uint32_t direction = SEARCH_BACK; both && direction <= SEARCH_AHEAD; direction++) {
      rest.direction = (uint8_t)direction;
      rest.parameter = exits[direction];
      if (has_remainder(search, &task, direction, &rest.parameter, &near))
        push_task(search, near, &rest);
    }
    if (both) return;
    rest.parameter = exits[task.direction];
    rest.parameter.t = task.direction == SEARCH_AHEAD
                           ? max2(rest.parameter.t, task.parameter.t + margin)
                           : min2(rest.parameter.t, task.parameter.t - margin);
    if (rest.parameter.t == task.parameter.t) break;
    if (rest.steps++ / 4 > search->box_count ||
        !has_remainder(search, &task, task.direction, &rest.parameter, &near))
      return;
    task = rest;
    if (search->key_count > 0 && search->keys[0].near < near) {
      search->tasks[id] = task;
      push_key(search, near, id);
      return;
    }
  }
  propose_task(search, &task);
}

/* ---------------------------------------------------------------- the curves of a difference */

/* The edges and vertices that are not exposed: a piece's neighbours keep them off the boundary of
 * the union. */
static sat_HiddenFeatures hidden_features_of(const sat_UnionSearch *search, uint32_t side,
                                             uint32_t piece_index) {
  const sat_PieceView *view = search->view[side];
  uint32_t first = view->pieces[piece_index].first;
  if (search->has_back) return (sat_HiddenFeatures){NULL, NULL};
  return (sat_HiddenFeatures){view->internal ? view->internal + first : NULL,
                              view->reflex ? view->reflex + first : NULL};
}

/* Whether a chain hides a curve: by a neighbour of its segment, or because it is at the back. */
static bool candidate_is_hidden(const sat_UnionSearch *search, const sat_Candidate *candidate) {
  const uint32_t *piece_index = search->differences[candidate->owner].piece_index;
  sat_PiecePair pieces = sat_piece_pair_of(search->view[0], search->view[1], piece_index);
  uint32_t from[2], to[2];
  if (!sat_chain_keeps_off(&pieces)) return false;
  if (!sat_is_arc(&candidate->curve))
    return sat_chain_hides_facet(&pieces, &candidate->facet, candidate->curve.normal);
  sat_Pair pair = difference_pair(search, piece_index);
  sat_facet_ends(&pair, &candidate->facet, from, to);
  return sat_chain_hides_arc(&pieces, from);
}

/* ---------------------------------------------------------------- opening differences */

/* Whether the origin's projection is on a segment, or beyond its ends by rounding. */
static bool is_projection_inside(const sat_UnionSearch *search, const sat_Curve *curve) {
  double t = -dot(curve->base, curve->ahead);
  return t >= -search->rounding && t <= curve->end + search->rounding;
}

/* Adds where a curve crosses a line along a side of the square. */
static void add_cuts(const sat_Curve *curve, sat_Vec2 normal, double offset, double cuts[],
                     uint32_t *count) {
  double room = offset - dot(normal, curve->base), slope = dot(normal, curve->ahead);
  if (!sat_is_arc(curve)) {
    if (slope != 0) cuts[(*count)++] = clamp(room / slope, 0, curve->end);
    return;
  }
  double cosine = room / curve->radius, sine = sqrt(max2(1 - cosine * cosine, 0));
  for (int i = -1; i <= 1 && fabs(cosine) < 1; i += 2) {
    sat_Vec2 at = add(mul(normal, cosine), mul(perp(normal), i * sine));
    if (dot(curve->ahead, at) > -0.5) /* elsewhere the parameter would overflow */
      cuts[(*count)++] = clamp(arc_parameter(curve->ahead, at), 0, curve->end);
  }
}

static bool is_later_cut(const double *p, const double *q) { return *p > *q; }
SAT_DEFINE_SORT(double, cuts, is_later_cut)

/* The parameters that cut a curve into parts inside and outside of the square, in order. */
static uint32_t list_cuts(const sat_Box *square, const sat_Curve *curve, double cuts[MOST_CUTS]) {
  const double sides[4] = {square->min.x, square->max.x, square->min.y, square->max.y};
  uint32_t count = 2;
  cuts[0] = 0;
  cuts[1] = curve->end;
  if (sides[3] == HUGE_VAL) return count;
  for (uint32_t i = 0; i < 4; i++) add_cuts(curve, vec2(i < 2, i >= 2), sides[i], cuts, &count);
  cuts_sort(cuts, count);
  return count;
}

/* The point of a curve nearest to the origin; of an arc about the origin, the best point. */
static double nearest_and_best(const sat_UnionSearch *search, const sat_Curve *curve) {
  double same = tie_of_length(search, curve->radius),
         t = sat_curve_nearest(curve, same, search->preferred);
  if (!sat_is_arc(curve)) return t;
  double other = sat_curve_nearest(curve, same, neg(search->preferred));
  bool better =
      sat_mtv_preferred(search->from_b, sat_curve_normal(curve, other), sat_curve_normal(curve, t));
  return better ? other : t;
}

/* Pushes the point nearest to the origin of each part of a curve in the square. */
static void push_candidate(sat_UnionSearch *search, uint32_t index) {
  const sat_Curve *curve = &search->candidates[index].curve;
  double best = nearest_and_best(search, curve), nearest = length(sat_curve_point(curve, best)),
         cuts[MOST_CUTS];
  if (nearest > search->search_radius || is_too_long(search, nearest)) return;
  bool projects = !sat_is_arc(curve) && is_projection_inside(search, curve);
  bool everywhere = search->square.max.x == HUGE_VAL;
  for (uint32_t i = 1, count = list_cuts(&search->square, curve, cuts); i < count; i++) {
    double t = clamp(best, cuts[i - 1], cuts[i]), middle = (cuts[i - 1] + cuts[i]) / 2;
    bool enters = t != best;
    double near = enters ? length(sat_curve_point(curve, t)) : nearest;
    sat_SearchTask task = {{t, 0}, index, 0, SEARCH_BOTH, projects && !enters, enters};
    if (near <= search->search_radius && !is_too_long(search, near) &&
        (everywhere || box_holds_point(&search->square, sat_curve_point(curve, middle))))
      push_task(search, near, &task);
  }
}

/* Whether an equal curve is listed already, since equal curves lead to the same results. Segments
 * from one point have such curves. */
static bool is_repeated(sat_UnionSearch *search, uint32_t index) {
  if (search->curve_entries == 0) return false;
  const sat_Curve *curve = &search->candidates[index].curve;
  uint32_t hash = mix_number(mix_number(1, curve->base.x), curve->base.y);
  hash = mix_number(mix_number(hash, curve->ahead.x), curve->ahead.y);
  uint32_t *entry = &search->curves[hash >> 8 & (search->curve_entries - 1)];
  const sat_Curve *other = &search->candidates[*entry].curve;
  bool same = *entry < index && equal_points(curve->base, other->base) &&
              equal_points(curve->ahead, other->ahead) &&
              equal_points(curve->normal, other->normal) && curve->radius == other->radius &&
              curve->end == other->end;
  if (!same) *entry = index;
  return same;
}

/* Lists the curves of a difference that may be on the boundary of the union, and keeps those that
 * the search has a task for. */
static void open_difference(sat_UnionSearch *search, uint32_t index) {
  sat_Difference *difference = &search->differences[index];
  uint64_t most = SAT_MAX_CANDIDATES * max_boundary_edges(search, difference->piece_index);
  search->is_full = search->is_full || search->candidate_count + most > search->candidate_capacity;
  if (search->is_full) return;
  sat_HiddenFeatures hidden[2] = {hidden_features_of(search, 0, difference->piece_index[0]),
                                  hidden_features_of(search, 1, difference->piece_index[1])};
  sat_Candidate *candidates = search->candidates + search->candidate_count;
  uint32_t count = sat_candidates_of(ensure_boundary(search, difference), hidden,
                                     search->search_radius, candidates);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t own = search->candidate_count, tasks = search->task_count;
    search->candidates[own] = candidates[i];
    search->candidates[own].owner = index;
    if (search->has_chain && candidate_is_hidden(search, &search->candidates[own])) continue;
    if (!is_repeated(search, own)) push_candidate(search, own);
    if (search->task_count > tasks) search->candidate_count++;
  }
}

/* Whether a curve of the difference may be on the boundary of the union. */
static bool difference_is_exposed(const sat_UnionSearch *search, const uint32_t piece_index[2]) {
  sat_ExposedFeatures a = exposed_features(search, 0, piece_index[0]),
                      b = exposed_features(search, 1, piece_index[1]);
  return (a.edges && b.corners) || (b.edges && a.corners);
}

/* Opens a difference that contains the origin, and pushes another one as a task. */
static void open_or_push(sat_UnionSearch *search, const sat_DifferenceBox *entry) {
  sat_Vec2 vector = vector_to_box(entry->box);
  sat_SearchTask whole = {{0, 0}, entry->difference, 0, SEARCH_DIFFERENCE, false, false};
  if (!difference_is_exposed(search, search->differences[entry->difference].piece_index)) return;
  if (vector.x == 0 && vector.y == 0) open_difference(search, entry->difference);
  else push_task(search, length(vector), &whole);
}

/* ---------------------------------------------------------------- the search */

void sat_union_walk_square(sat_UnionSearch *search) {
  search->candidate_count = search->task_count = search->key_count = 0;
  for (uint32_t i = 0; i < search->box_count && !search->is_full; i++)
    open_or_push(search, &search->boxes[i]);
  while (search->key_count > 0 && !search->is_full) {
    sat_SearchKey key = pop_nearest(search);
    if (is_too_long(search, key.near)) break;
    const sat_SearchTask *task = &search->tasks[key.task];
    if (task->direction == SEARCH_DIFFERENCE) open_difference(search, task->of);
    else follow_curve(search, *task, key.task);
  }
}
