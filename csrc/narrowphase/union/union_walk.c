/* union_walk.c: the best-first search along the curves of all differences.
 *
 * A heap has the points from which curves are to be followed, the nearest to the origin first. A
 * point that no difference covers is proposed as the result; from others the search goes on to the
 * exits of the difference that covers them. It ends where no point can be nearer than the best
 * result. */
#include "base/hash.h"
#include "base/heap.h"
#include "base/base.h"
#include "narrowphase/convex/mtv_tie_break.h"
#include "narrowphase/union/union_differences.h"

/* The covers of so many sectors on each side are tried. */
#define NEIGHBOR_SECTORS 8
/* How often a curve is halved to find where it leaves the covered circle. */
#define CIRCLE_HALVINGS 12
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

static void push_task(sat_UnionSearch *search, double near, const sat_SearchTask *task) {
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
static sat_UnionMtv vector_of_task(const sat_UnionSearch *search, const sat_SearchTask *task,
                                   bool *projects) {
  const sat_Candidate *candidate = &search->candidates[task->of];
  const uint32_t *piece_index = search->differences[candidate->owner].piece_index;
  sat_Vec2 normal = sat_curve_normal(&candidate->curve, task->parameter.t);
  sat_Vec2 vector = sat_curve_point(&candidate->curve, task->parameter.t);
  double size = length(vector);
  bool corner = sat_is_arc(&candidate->curve);
  *projects = task->projects && !corner;
  if (*projects && !search->touch_only) {
    sat_Pair pair = difference_pair(search, piece_index);
    double separation = pair.radius == 0 ? sat_exact_separation(&pair, &candidate->facet)
                                         : candidate->facet.separation;
    size = max2(pair.radius - separation, 0);
    vector = mul(normal, size);
  } else if (!*projects && size > search->rounding) {
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

/* Proposes the vector to a task's point, and lists the task, which is done. */
static void propose_task(sat_UnionSearch *search, const sat_SearchTask *task, uint32_t id) {
  bool projects;
  sat_UnionMtv mtv = vector_of_task(search, task, &projects);
  sat_union_propose(search, mtv.result.depth, projects, &mtv);
  search->tasks[id] = *task;
  search->tasks[id].steps = search->proposed;
  search->proposed = id;
}

/* Leaves out the touches on curves that end there, on the sides of seams, unless all are. A shape
 * that fits exactly into a hole touches on such curves alone. */
static void keep_touches_that_lead_on(sat_UnionSearch *search) {
  uint32_t first = search->proposed, *link = &search->proposed;
  while (*link != SAT_NO_TASK) {
    sat_SearchTask *task = &search->tasks[*link];
    if (sat_union_leads_on(search, task)) link = &task->steps;
    else *link = task->steps;
  }
  if (search->proposed == SAT_NO_TASK) search->proposed = first;
}

/* Chooses among all listed vectors that are as short as the shortest, of those that are one but for
 * rounding the first one. An exact one, a projection, that leads out on the same side takes its
 * place. */
static void choose_best_task(sat_UnionSearch *search) {
  sat_TieFilter filter = sat_tie_filter(search->from_b);
  bool projects, exact = false, tied = false;
  if (search->touch_only) keep_touches_that_lead_on(search);
  for (int pass = 0; pass <= SAT_TIE_STEPS + 1; filter.step += pass++ < SAT_TIE_STEPS)
    for (uint32_t id = search->proposed; id != SAT_NO_TASK; id = search->tasks[id].steps) {
      sat_UnionMtv mtv = vector_of_task(search, &search->tasks[id], &projects);
      if (is_too_long(search, mtv.result.depth)) continue;
      tied = tied || (pass > SAT_TIE_STEPS && !same_way(search, &mtv));
      if (pass < SAT_TIE_STEPS) sat_tie_measure(&filter, mtv.result.normal);
      else if (pass == SAT_TIE_STEPS
                   ? sat_tie_passes(&filter, mtv.result.normal) && exact <= projects
                   : projects && !exact && same_way(search, &mtv)) {
        search->best = mtv;
        exact = projects;
      }
    }
  search->best.result.tied = tied;
}

/* ---------------------------------------------------------------- covers
 *
 * The difference that covered the last point is likely to cover the next one. Few differences are
 * tried in a row, and one that covers moves towards the front; of many, the covers of points nearby
 * are tried first, and then those in the tree of boxes. */

static bool contains_parameter(sat_UnionSearch *search, uint32_t index, const sat_SearchTask *task,
                               sat_Parameter exits[2]) {
  const sat_Boundary *boundary = ensure_boundary(search, &search->differences[index]);
  return sat_boundary_contains_parameter(boundary, &search->candidates[task->of].curve,
                                         task->parameter.t, exits);
}

/* The sector around the origin that a point is in. */
static uint32_t sector_code(const sat_UnionSearch *search, sat_Vec2 point) {
  double x = fabs(point.x), y = fabs(point.y), turned = x + y > 0 ? y / (x + y) : 0;
  bool even = (point.x >= 0) == (point.y >= 0); /* the first quarter or the third */
  uint32_t quarter = point.y >= 0 ? !even : 3 - even;
  uint32_t codes = search->sector_codes, code = (uint32_t)(codes * (even ? turned : 1 - turned));
  return quarter * codes + (code < codes ? code : codes - 1);
}

/* Whether a difference that covers the sector of a point, or one near it, covers the point. */
static bool is_inside_sector_cover(sat_UnionSearch *search, const sat_SearchTask *task,
                                   sat_Vec2 point, sat_Parameter exits[2]) {
  uint32_t code = sector_code(search, point), owner = search->candidates[task->of].owner,
           last[2] = {owner, owner};
  for (uint32_t i = 0; i < 2 * NEIGHBOR_SECTORS; i++) {
    uint32_t other = i % 2 ? code + (i + 1) / 2 : code - i / 2;
    uint32_t index = search->sector_covers[other % (4 * search->sector_codes)];
    if (index == last[i % 2] || index == owner) continue;
    if (contains_parameter(search, index, task, exits)) return true;
    last[i % 2] = index;
    if (i == 0) last[1] = index;
  }
  return false;
}

static bool is_inside_cached(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                             sat_Parameter exits[2]) {
  uint32_t owner = search->candidates[task->of].owner, *cached_covers = cached_cover(search, point),
           last = owner;
  if (is_inside_sector_cover(search, task, point, exits)) return true;
  for (int i = 0; i < NEIGHBOR_SQUARES; i++) {
    uint32_t index = neighbor_cover(search, cached_covers, i);
    if (index == owner || index == last) continue;
    if (contains_parameter(search, index, task, exits)) {
      *cached_covers = index;
      return true;
    }
    last = index;
  }
  return false;
}

static void remember_cover(sat_UnionSearch *search, uint32_t index, sat_Vec2 point) {
  sat_DifferenceBox *boxes = search->boxes, entry = boxes[index];
  if (!search->indexed) {
    boxes[index] = boxes[index / 2];
    boxes[index / 2] = entry;
  } else {
    *cached_cover(search, point) = entry.difference;
  }
}

/* The entry for a point that is inside no difference, and for others as near as rounding. Of sharp
 * differences it does not matter which curve the point is on; thousands of curves may begin or end
 * in one corner. */
static sat_KnownPoint *known_point(const sat_UnionSearch *search, sat_Vec2 point) {
  double scale = 1 / (4 * search->rounding);
  uint32_t hash = mix_number(1, floor(point.x * scale + 0.5));
  hash = mix_number(hash, floor(point.y * scale + 0.5));
  return &search->known_points[hash >> 8 & (search->known_count - 1)];
}

/* Whether a point is inside a difference; if so, gives the exits from there. Otherwise
 * `on_shared_edge` tells whether a point or a segment is on a shared edge there. */
static bool is_inside_any(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                          sat_Parameter exits[2], bool *on_shared_edge) {
  uint32_t owner = search->candidates[task->of].owner, flat = 0;
  sat_NearWalk walk = {square_about_boundary(search, point), 0};
  *on_shared_edge = false;
  if (search->indexed && is_inside_cached(search, task, point, exits)) return true;
  for (const sat_Difference *difference; (difference = next_difference(search, &walk)) != NULL;) {
    uint32_t index = (uint32_t)(difference - search->differences);
    flat += difference->flat[0] || difference->flat[1];
    if (index == owner || !contains_parameter(search, index, task, exits)) continue;
    remember_cover(search, walk.next - 1, point);
    return true;
  }
  *on_shared_edge = flat >= 2 && sat_union_is_on_shared_edge(search, point);
  return false;
}

/* Whether a point of a sharp union is inside a difference, as above, which is kept if it is not. */
static bool is_inside_known(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                            sat_Parameter exits[2], bool *on_shared_edge) {
  sat_KnownPoint *known = known_point(search, point);
  bool same = fabs(known->point.x - point.x) + fabs(known->point.y - point.y) <= search->rounding;
  if (!same && is_inside_any(search, task, point, exits, &known->on_shared_edge)) {
    known->point.x = HUGE_VAL;
    return true;
  }
  known->point = same ? known->point : point;
  *on_shared_edge = known->on_shared_edge;
  return false;
}

/* Whether a task's point is inside a difference, on a shared edge, or hidden by a chain; if so,
 * gives the exits from there. */
static bool find_cover(sat_UnionSearch *search, const sat_SearchTask *task,
                       sat_Parameter exits[2]) {
  sat_Vec2 point = sat_curve_point(&search->candidates[task->of].curve, task->parameter.t);
  bool on_shared_edge, inside = search->known_count > 0
                                    ? is_inside_known(search, task, point, exits, &on_shared_edge)
                                    : is_inside_any(search, task, point, exits, &on_shared_edge);
  if (inside) return true;
  if (!on_shared_edge) return sat_union_chain_hides(search, task, point, exits);
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
 * back may be. Returns false if the exit is beyond the curve, or too far from the origin. */
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
  *near = length(sat_curve_point(curve, next->t));
  return !is_too_far(search, *near);
}

/* The exit, moved by at least the rounding error, so that the walk terminates. */
static sat_Parameter next_parameter(const sat_UnionSearch *search, const sat_SearchTask *task,
                                    sat_Parameter exit) {
  bool arcs = sat_is_arc(&search->candidates[task->of].curve);
  double margin = arcs ? 0 : search->rounding, t = task->parameter.t;
  exit.t = task->direction == SEARCH_AHEAD ? max2(exit.t, t + margin) : min2(exit.t, t - margin);
  return exit;
}

/* Follows a curve in one direction to the first point without a cover, as long as no other task is
 * nearer. A curve leaves each difference once, and a shared edge beside it, which bounds the number
 * of steps. */
static void follow_curve(sat_UnionSearch *search, sat_SearchTask *task, uint32_t id) {
  sat_Parameter exits[2];
  double near;
  for (;;) {
    if (!find_cover(search, task, exits)) {
      propose_task(search, task, id);
      return;
    }
    sat_Parameter next = next_parameter(search, task, exits[task->direction]);
    if (next.t == task->parameter.t) { /* the step is lost to rounding */
      propose_task(search, task, id);
      return;
    }
    if (task->steps++ / 4 > search->box_count) return;
    if (!has_remainder(search, task, task->direction, &next, &near)) return;
    task->parameter = next;
    task->projects = false;
    if (search->key_count > 0 && search->keys[0].near < near) {
      search->tasks[id] = *task;
      push_key(search, near, id);
      return;
    }
  }
}

/* Follows a curve from its point nearest to the origin in both directions. */
static void follow_curve_both_ways(sat_UnionSearch *search, const sat_SearchTask *task,
                                   uint32_t id) {
  sat_Parameter exits[2];
  if (!find_cover(search, task, exits)) {
    propose_task(search, task, id);
    return;
  }
  for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++) {
    sat_SearchTask rest = *task;
    double near;
    rest.direction = (uint8_t)direction;
    rest.parameter = exits[direction];
    rest.projects = false;
    if (!has_remainder(search, task, direction, &rest.parameter, &near)) continue;
    uint32_t own = direction == SEARCH_BACK ? search->task_count++ : id;
    search->tasks[own] = rest;
    push_key(search, near, own);
  }
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
static bool candidate_is_hidden(const sat_UnionSearch *search, const sat_PiecePair *pieces,
                                const sat_Candidate *candidate) {
  uint32_t from[2], to[2];
  if (!sat_is_arc(&candidate->curve))
    return sat_chain_hides_facet(pieces, &candidate->facet, candidate->curve.normal);
  sat_Pair pair = difference_pair(search, search->differences[candidate->owner].piece_index);
  sat_facet_ends(&pair, &candidate->facet, from, to);
  return sat_chain_hides_arc(pieces, from);
}

/* Keeps the others, in place, and returns their number. */
static uint32_t remove_hidden_candidates(const sat_UnionSearch *search,
                                         const uint32_t piece_index[2], sat_Candidate *candidates,
                                         uint32_t count) {
  sat_PiecePair pieces = sat_piece_pair_of(search->view[0], search->view[1], piece_index);
  uint32_t left = 0;
  if (!sat_chain_keeps_off(&pieces)) return count;
  for (uint32_t i = 0; i < count; i++)
    if (!candidate_is_hidden(search, &pieces, &candidates[i])) candidates[left++] = candidates[i];
  return left;
}

/* Lists the curves of a difference that may be on the boundary of the union, and returns their
 * number. */
static uint32_t list_curves(sat_UnionSearch *search, uint32_t index, sat_Candidate *candidates) {
  sat_Difference *difference = &search->differences[index];
  sat_HiddenFeatures hidden[2] = {hidden_features_of(search, 0, difference->piece_index[0]),
                                  hidden_features_of(search, 1, difference->piece_index[1])};
  uint32_t count = sat_candidates_of(ensure_boundary(search, difference), hidden,
                                     search->search_radius, candidates);
  for (uint32_t i = 0; i < count; i++) candidates[i].owner = index;
  if (!search->has_chain) return count;
  return remove_hidden_candidates(search, difference->piece_index, candidates, count);
}

/* ---------------------------------------------------------------- opening differences */

/* Whether the origin's projection is on a segment, or beyond its ends by rounding. */
static bool is_projection_inside(const sat_UnionSearch *search, const sat_Curve *curve) {
  double t = -dot(curve->base, curve->ahead);
  return t >= -search->rounding && t <= curve->end + search->rounding;
}

/* Pushes the point where a curve, which begins in the covered circle and leads away from the
 * origin, leaves it. */
static void push_task_from_circle(sat_UnionSearch *search, const sat_SearchTask *task,
                                  SearchDirection direction) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double inside = task->parameter.t, outside = direction == SEARCH_AHEAD ? curve->end : 0;
  if (length(sat_curve_point(curve, outside)) < search->covered_radius) return;
  for (int i = 0; i < CIRCLE_HALVINGS; i++) {
    double middle = (inside + outside) * 0.5;
    bool covered = length(sat_curve_point(curve, middle)) < search->covered_radius;
    inside = covered ? middle : inside;
    outside = covered ? outside : middle;
  }
  sat_SearchTask rest = *task;
  rest.parameter.t = inside;
  rest.direction = (uint8_t)direction;
  rest.projects = false;
  push_task(search, length(sat_curve_point(curve, inside)), &rest);
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

static void push_candidate(sat_UnionSearch *search, uint32_t index) {
  const sat_Curve *curve = &search->candidates[index].curve;
  sat_SearchTask task = {{nearest_and_best(search, curve), 0}, index, 0, SEARCH_BOTH, false};
  double near = length(sat_curve_point(curve, task.parameter.t));
  if (near > search->search_radius || is_too_long(search, near)) return;
  if (near < search->covered_radius) {
    push_task_from_circle(search, &task, SEARCH_BACK);
    push_task_from_circle(search, &task, SEARCH_AHEAD);
    return;
  }
  task.projects = !sat_is_arc(curve) && is_projection_inside(search, curve);
  push_task(search, near, &task);
}

/* Whether an equal curve is listed already, since equal curves lead to the same results. Segments
 * from one point have such curves. */
static bool is_repeated(sat_UnionSearch *search, uint32_t index) {
  if (!search->indexed) return false;
  const sat_Curve *curve = &search->candidates[index].curve;
  uint32_t hash = mix_number(mix_number(1, curve->base.x), curve->base.y);
  hash = mix_number(mix_number(hash, curve->ahead.x), curve->ahead.y);
  uint32_t *entry = &search->curves[hash >> 8 & (search->cache_cells * search->cache_cells - 1)];
  const sat_Curve *other = &search->candidates[*entry].curve;
  bool same = *entry < index && equal_points(curve->base, other->base) &&
              equal_points(curve->ahead, other->ahead) &&
              equal_points(curve->normal, other->normal) && curve->radius == other->radius &&
              curve->end == other->end;
  if (!same) *entry = index;
  return same;
}

/* Whether there is room for the candidates and tasks of so many edges, and for one more task. */
static bool has_room(sat_UnionSearch *search, uint64_t edges) {
  uint64_t candidates = SAT_MAX_CANDIDATES * edges;
  if (search->candidate_count + candidates > search->candidate_capacity ||
      search->task_count + 2 * candidates + !edges > search->task_capacity)
    search->is_full = true;
  return !search->is_full;
}

/* Keeps the curves that the search has a task for. */
static void open_difference(sat_UnionSearch *search, uint32_t index) {
  if (!has_room(search, max_boundary_edges(search, search->differences[index].piece_index))) return;
  sat_Candidate *candidates = search->candidates + search->candidate_count;
  uint32_t count = list_curves(search, index, candidates);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t own = search->candidate_count, tasks = search->task_count;
    search->candidates[own] = candidates[i];
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

/* Whether a whole box is within the covered circle. */
static bool circle_covers_box(const sat_UnionSearch *search, const sat_Box *box) {
  double x = max2(fabs(box->min.x), fabs(box->max.x)), y = max2(fabs(box->min.y), fabs(box->max.y));
  return x * x + y * y < search->covered_radius * search->covered_radius;
}

/* Opens a difference that contains the origin, and pushes another one as a task. */
static void open_or_push(sat_UnionSearch *search, const sat_DifferenceBox *entry) {
  sat_Vec2 vector = vector_to_box(entry->box);
  sat_SearchTask whole = {{0, 0}, entry->difference, 0, SEARCH_DIFFERENCE, false};
  if (circle_covers_box(search, &entry->box) ||
      !difference_is_exposed(search, search->differences[entry->difference].piece_index))
    return;
  if (vector.x == 0 && vector.y == 0) open_difference(search, entry->difference);
  else if (has_room(search, 0)) push_task(search, length(vector), &whole);
}

/* ---------------------------------------------------------------- the search */

static void examine_task(sat_UnionSearch *search, uint32_t id) {
  sat_SearchTask task = search->tasks[id];
  if (task.direction == SEARCH_DIFFERENCE) open_difference(search, task.of);
  else if (task.direction != SEARCH_BOTH) follow_curve(search, &task, id);
  else if (has_room(search, 0)) follow_curve_both_ways(search, &task, id);
}

void sat_union_walk(sat_UnionSearch *search) {
  search->found = false;
  search->proposed = SAT_NO_TASK;
  sat_union_find_covered_circle(search);
  if (search->covered_radius > 0 && search->free_distance >= search->search_radius &&
      search->search_radius < search->max_radius)
    return;
  for (uint32_t i = 0; i < search->box_count && !search->is_full; i++)
    open_or_push(search, &search->boxes[i]);
  while (search->key_count > 0 && !search->is_full) {
    sat_SearchKey key = pop_nearest(search);
    if (is_too_long(search, key.near)) break;
    examine_task(search, key.task);
  }
  if (search->tied && !search->is_full) choose_best_task(search);
}
