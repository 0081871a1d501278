/* query.c: the shapes at a point, in a box, at a shape, and nearest to a point. */
#include "narrowphase/convex/simd/fast_path.h"
#include "shape/bvh.h"
#include "world/filter.h"

/* ---------------------------------------------------------------- lists of matching shapes */

/* Whether a candidate belongs to the answer: SAT_OK or SAT_MISS. */
typedef sat_Status Test(sat_World *world, void *query, uint32_t index);

static sat_Status list_matching(sat_World *world, sat_Rectangle box, const sat_QueryFilter *filter,
                                Test *test, void *query, sat_Items *found) {
  found->count = 0;
  sat_begin_open(filter, SIZE_MAX);
  sat_Status status = sat_world_query_boxes(world, &box);
  if (!status) status = SAT_LIST_RESERVE(found, world->near.count);
  for (size_t i = 0; !status && i < world->near.count; i++) {
    const sat_Shape *shape = sat_entry_shape(world, world->near.at[i]);
    if (!sat_is_admitted(filter, shape, true)) continue;
    sat_Status passed = test(world, query, world->near.at[i]);
    if (passed != SAT_OK) status = passed == SAT_MISS ? SAT_OK : passed;
    else if (sat_is_open(filter, shape)) status = sat_list_open(filter, world->near.at[i], 0);
    else found->at[found->count++] = world->near.at[i];
  }
  if (status) found->count = 0;
  return status;
}

static sat_Status contains_query_point(sat_World *world, void *query, uint32_t index) {
  const sat_Vec2 *point = query;
  return sat_contains_point(sat_entry_shape(world, index), *point, &world->scratch);
}

sat_Status sat_world_at(sat_World *world, sat_Vec2 point, const sat_QueryFilter *filter,
                        sat_Items *found) {
  sat_Rectangle box = {point.x, point.y, 0, 0};
  found->count = 0;
  if (!in_range(point.x) || !in_range(point.y)) return SAT_ERANGE;
  return list_matching(world, box, filter, contains_query_point, &point, found);
}

sat_Status sat_world_nodes(sat_World *world, sat_Nodes *nodes) {
  sat_world_flush(world);
  return sat_quadtree_nodes(&world->tree, nodes);
}

/* ---------------------------------------------------------------- in a box */

/* Whether a part of a convex shape, the centroid or all of an upright box, meets a box by more than
 * rounding. */
static bool surely_meets(const sat_Shape *shape, sat_Rectangle box) {
  sat_Vec2 c = shape->centroid, low = c, high = c;
  if (sat_are_upright_boxes(shape, shape)) {
    low = add(shape->origin, shape->box.min);
    high = add(shape->origin, shape->box.max);
  }
  double error_bound = (fabs(c.x) + fabs(c.y) + shape->l1_bound) * SAT_LOOSE_ERROR;
  return !is_composite(shape) && high.x - error_bound > box.x && high.y - error_bound > box.y &&
         low.x + error_bound < box.x + box.w && low.y + error_bound < box.y + box.h;
}

/* Makes a shape of the box: a rectangle, or a segment or point where it has no width or height. */
static sat_Status make_probe(sat_Probe *probe, sat_Rectangle box) {
  double right = box.x + box.w, bottom = box.y + box.h;
  sat_Vec2 corners[4] = {{box.x, box.y}, {right, box.y}, {right, bottom}, {box.x, bottom}};
  if (right > box.x && bottom > box.y) return sat_shape_init(&probe->shape, corners, 4, 0);
  sat_Vec2 ends[2] = {corners[0], corners[2]};
  return sat_shape_init(&probe->shape, ends, 2, 0);
}

/* A shape whose whole box is inside, or which surely meets the box, needs no exact test. */
static sat_Status touches_box(sat_World *world, void *query, uint32_t index) {
  sat_AreaQuery *asked = query;
  sat_Rectangle own = sat_quadtree_box(&world->tree, index), box = asked->box;
  if (own.x >= box.x && own.x + own.w <= box.x + box.w && own.y >= box.y &&
      own.y + own.h <= box.y + box.h)
    return SAT_OK;
  const sat_Shape *shape = sat_entry_shape(world, index);
  if (surely_meets(shape, box)) return SAT_OK;
  if (!asked->is_made && make_probe(&asked->probe, box)) return SAT_OK; /* beyond the limits */
  asked->is_made = true;
  return sat_overlaps(shape, &asked->probe.shape, &world->scratch);
}

/* A shape that fills its box needs no exact test, and neither does a composite without a piece
 * whose box is near, or with one there that fills it. */
sat_Status sat_world_is_around(sat_World *world, sat_AreaQuery *query, uint32_t index) {
  const sat_Shape *shape = sat_entry_shape(world, index);
  if (sat_are_upright_boxes(shape, shape)) return SAT_OK;
  if (!is_composite(shape)) return touches_box(world, query, index);
  sat_Rectangle box = query->box;
  sat_Piece single;
  sat_PieceView view;
  sat_view_pieces(shape, &single, &view);
  sat_Vec2 low = sub(vec2(box.x, box.y), view.origin);
  sat_BvhQuery pieces = sat_bvh_query(&view, (sat_Box){low, add(low, vec2(box.w, box.h))});
  uint32_t piece;
  bool any = false;
  while (sat_bvh_query_next(&pieces, &piece)) {
    sat_Convex convex = sat_piece_convex(&view, &view.pieces[piece]);
    any = true;
    if (sat_piece_radius(&view, &view.pieces[piece]) == 0 && sat_is_upright(&convex)) return SAT_OK;
  }
  return any ? touches_box(world, query, index) : SAT_MISS;
}

sat_Status sat_world_query(sat_World *world, sat_Rectangle box, const sat_QueryFilter *filter,
                           sat_Items *found) {
  sat_AreaQuery query;
  query.box = box;
  query.is_made = false;
  sat_Status status = sat_rectangle_check(&box);
  if (!status && !(in_range(box.x + box.w) && in_range(box.y + box.h))) status = SAT_ERANGE;
  found->count = 0;
  return status ? status : list_matching(world, box, filter, touches_box, &query, found);
}

/* ---------------------------------------------------------------- at a shape */

static sat_Status touches_shape(sat_World *world, void *query, uint32_t index) {
  return sat_overlaps(query, sat_entry_shape(world, index), &world->scratch);
}

sat_Status sat_world_query_shape(sat_World *world, const sat_Shape *shape, sat_Items *found) {
  sat_QueryFilter filter = {.subject = shape};
  return list_matching(world, sat_box_of(shape), &filter, touches_shape, (void *)shape, found);
}

/* ---------------------------------------------------------------- nearest */

typedef struct NearestQuery {
  sat_World *world;
  const sat_Shape *probe;
  const sat_QueryFilter *filter;
  double error_bound, limit;
  size_t wanted;
  sat_Status status;
  sat_Vec2 point; /* of the nearest, if one is wanted */
} NearestQuery;

/* A limit for the tree's distances to boxes, rounded up, since they are computed by other sums than
 * the distances to shapes. */
static double widened_limit(const NearestQuery *search) {
  const sat_Neighbors *found = &search->world->neighbors;
  bool is_full = found->count == search->wanted;
  double limit = sat_open_limit(search->filter, is_full ? found->at[0].distance : search->limit);
  return limit * (1 + SAT_LOOSE_ERROR) + search->error_bound;
}

/* Whether enough shapes are nearer than one at a distance, or as near with lower indices. */
static inline bool is_beyond_last(const NearestQuery *search, double distance, sat_Item item) {
  const sat_Neighbor *last = search->world->neighbors.at;
  if (search->world->neighbors.count < search->wanted || distance < last->distance) return false;
  return distance > last->distance || item > last->item;
}

/* Keeps a shape that is among the nearest so far. */
static sat_Status meet_neighbor(NearestQuery *search, sat_Item item) {
  sat_Neighbors *found = &search->world->neighbors;
  const sat_Shape *shape = sat_entry_shape(search->world, item);
  sat_Distance distance;
  /* no shape is nearer than one at the point, and of several there the first ones are nearest */
  if (is_beyond_last(search, 0, item) || !sat_is_admitted(search->filter, shape, false))
    return SAT_OK;
  sat_Status status = sat_distance(search->probe, shape, &search->world->scratch, &distance);
  if (status) return status;
  double d = distance.distance;
  if (d > search->limit || is_beyond_last(search, d, item)) return SAT_OK;
  if (sat_is_open(search->filter, shape)) return sat_list_open(search->filter, item, d);
  search->point = distance.on_b;
  return sat_neighbors_keep(found, (sat_Neighbor){d, item}, search->wanted);
}

static double visit_neighbor(void *context, sat_Item item, double box_distance) {
  NearestQuery *search = context;
  (void)box_distance;
  search->status = meet_neighbor(search, item);
  return search->status ? -1 : widened_limit(search);
}

/* Finds the nearest shapes, in order, in world->neighbors, and the point of the last that was
 * kept. */
static sat_Status find_neighbors(sat_World *world, sat_Vec2 point, size_t wanted, double limit,
                                 const sat_QueryFilter *filter, sat_Vec2 *on_last) {
  sat_Probe probe;
  sat_Neighbors *found = &world->neighbors;
  sat_Status status = sat_shape_init(&probe.shape, &point, 1, 0);
  NearestQuery search = {.world = world,
                         .probe = &probe.shape,
                         .filter = filter,
                         .error_bound = (fabs(point.x) + fabs(point.y)) * SAT_BOX_ERROR,
                         .limit = limit,
                         .wanted = wanted};
  found->count = 0;
  if (!status && !(limit >= 0)) status = SAT_EVALUE;
  sat_begin_open(filter, wanted);
  sat_world_flush(world);
  if (status || wanted == 0) return status;
  status =
      sat_quadtree_nearest(&world->tree, point, widened_limit(&search), visit_neighbor, &search);
  if (!status) status = search.status;
  if (status) return status;
  sat_neighbors_sort(found);
  bool is_full = found->count == wanted;
  sat_end_open(filter, is_full ? &found->at[wanted - 1] : NULL);
  if (!is_full && filter && filter->open) filter->open->wanted -= found->count;
  *on_last = search.point;
  return SAT_OK;
}

sat_Status sat_world_nearest(sat_World *world, sat_Vec2 point, double limit,
                             const sat_QueryFilter *filter, sat_NearestHit *nearest) {
  sat_Vec2 on_shape;
  sat_Status status = find_neighbors(world, point, 1, limit, filter, &on_shape);
  if (status) return status;
  if (world->neighbors.count == 0) return SAT_MISS;
  const sat_Neighbor *first = &world->neighbors.at[0];
  *nearest = (sat_NearestHit){first->item, first->distance, on_shape};
  return SAT_OK;
}

sat_Status sat_world_nearest_all(sat_World *world, sat_Vec2 point, size_t count, double limit,
                                 const sat_QueryFilter *filter, sat_Items *found) {
  const sat_Neighbors *neighbors = &world->neighbors;
  sat_Vec2 on_last;
  found->count = 0;
  sat_Status status = find_neighbors(world, point, count, limit, filter, &on_last);
  if (!status) status = SAT_LIST_RESERVE(found, neighbors->count);
  for (size_t i = 0; !status && i < neighbors->count; i++)
    found->at[found->count++] = neighbors->at[i].item;
  return status;
}
