/* query.c: what is at a point, in a box, at a shape, and nearest to a point. */
#include "shape/convex.h"
#include "world/world.h"

/* Room for a point, a segment or a rectangle. */
typedef union Probe {
  sat_Shape shape;
  char bytes[sizeof(sat_Shape) + sizeof(sat_Edges) + 8 * sizeof(sat_Vec2)];
} Probe;

/* ---------------------------------------------------------------- lists of those that pass */

/* Whether a shape that is near belongs to the answer: SAT_OK or SAT_MISS. */
typedef sat_Status Test(sat_World *world, const void *question, uint32_t slot);

static sat_Status list_near(sat_World *world, sat_Rectangle box, Test *test, const void *question,
                            sat_Items *found) {
  found->count = 0;
  sat_Status status = sat_world_gather(world, box);
  if (!status) status = sat_items_reserve(found, world->near.count);
  for (size_t i = 0; !status && i < world->near.count; i++) {
    sat_Status passed = test(world, question, world->near.at[i]);
    if (passed == SAT_OK) found->at[found->count++] = world->near.at[i];
    else if (passed != SAT_MISS) status = passed;
  }
  if (status) found->count = 0;
  return status;
}

static sat_Status holds_point(sat_World *world, const void *question, uint32_t slot) {
  const sat_Vec2 *point = question;
  return sat_contains_point(sat_member_shape(world, slot), *point, &world->scratch);
}

sat_Status sat_world_at(sat_World *world, sat_Vec2 point, sat_Items *found) {
  sat_Rectangle box = {point.x, point.y, 0, 0};
  found->count = 0;
  if (!in_range(point.x) || !in_range(point.y)) return SAT_ERANGE;
  return list_near(world, box, holds_point, &point, found);
}

sat_Status sat_world_nodes(sat_World *world, sat_Nodes *nodes) {
  sat_world_settle(world);
  return sat_quadtree_nodes(&world->tree, nodes);
}

/* ---------------------------------------------------------------- in a box */

typedef struct BoxQuestion {
  sat_Rectangle box;
  const sat_Shape *probe;
} BoxQuestion;

/* Whether the centroid of a convex shape, which belongs to it, is inside by more than rounding may
 * be wrong. */
static bool has_center_in(const sat_Shape *shape, sat_Rectangle box) {
  sat_Vec2 c = shape->center;
  double slack = (fabs(c.x) + fabs(c.y) + shape->extent) * 0x1p-40;
  return !is_many(shape) && c.x - slack > box.x && c.y - slack > box.y &&
         c.x + slack < box.x + box.w && c.y + slack < box.y + box.h;
}

/* What has all of its box or its centroid inside is not looked at any closer. */
static sat_Status touches_box(sat_World *world, const void *question, uint32_t slot) {
  const BoxQuestion *asked = question;
  sat_Rectangle own = sat_quadtree_box(&world->tree, slot), box = asked->box;
  if (own.x >= box.x && own.x + own.w <= box.x + box.w && own.y >= box.y &&
      own.y + own.h <= box.y + box.h)
    return SAT_OK;
  const sat_Shape *shape = sat_member_shape(world, slot);
  if (has_center_in(shape, box)) return SAT_OK;
  return sat_overlaps(shape, asked->probe, NULL, &world->scratch);
}

/* The box as a shape: a rectangle, or a segment or point where it has no width or height. */
static sat_Status make_probe(Probe *probe, sat_Rectangle box) {
  double right = box.x + box.w, bottom = box.y + box.h;
  sat_Vec2 corners[4] = {{box.x, box.y}, {right, box.y}, {right, bottom}, {box.x, bottom}};
  if (right > box.x && bottom > box.y) return sat_shape_init(&probe->shape, corners, 4, 0);
  sat_Vec2 ends[2] = {corners[0], corners[2]};
  return sat_shape_init(&probe->shape, ends, 2, 0);
}

sat_Status sat_world_query(sat_World *world, sat_Rectangle box, sat_Items *found) {
  Probe probe;
  found->count = 0;
  sat_Status status = sat_rectangle_check(&box);
  if (!status) status = make_probe(&probe, box);
  if (status) return status;
  BoxQuestion question = {box, &probe.shape};
  return list_near(world, box, touches_box, &question, found);
}

/* ---------------------------------------------------------------- at a shape */

static sat_Status touches_shape(sat_World *world, const void *question, uint32_t slot) {
  const sat_Shape *subject = question, *other = sat_member_shape(world, slot);
  if (other == subject || !sat_shapes_filter(subject, other)) return SAT_MISS;
  return sat_overlaps(subject, other, NULL, &world->scratch);
}

sat_Status sat_world_query_shape(sat_World *world, const sat_Shape *shape, sat_Items *found) {
  return list_near(world, sat_box_of(shape), touches_shape, shape, found);
}

/* ---------------------------------------------------------------- nearest */

typedef struct Search {
  sat_World *world;
  const sat_Shape *probe;
  double slack, limit;
  size_t wanted;
  sat_Status status;
  sat_Nearby nearest;
} Search;

/* The tree measures the distance to a box by other sums than ours to the shape: what is beyond the
 * limit by rounding alone is still to be shown. */
static double widened(const Search *search, double limit) {
  return limit * (1 + 0x1p-40) + search->slack;
}

static sat_Status measure(const Search *search, sat_Item item, sat_Distance *distance) {
  const sat_Shape *shape = sat_member_shape(search->world, item);
  if (!sat_is_solid(shape)) return SAT_MISS;
  return sat_distance(search->probe, shape, NULL, &search->world->scratch, distance);
}

static double visit_nearest(void *context, sat_Item item, double box_distance) {
  Search *search = context;
  sat_Nearby *nearest = &search->nearest;
  sat_Distance distance;
  (void)box_distance;
  sat_Status status = measure(search, item, &distance);
  if (status == SAT_MISS) return widened(search, search->limit);
  search->status = status;
  if (status) return -1;
  double d = distance.distance;
  if (d < search->limit || (d == search->limit && item < nearest->other)) {
    *nearest = (sat_Nearby){item, d, distance.on_b};
    search->limit = d;
  }
  return widened(search, search->limit);
}

static sat_Status start_search(sat_World *world, sat_Vec2 point, Probe *probe, Search *search) {
  sat_Status status = sat_shape_init(&probe->shape, &point, 1, 0);
  *search = (Search){.world = world, .probe = &probe->shape};
  search->slack = (fabs(point.x) + fabs(point.y)) * 0x1p-48;
  search->nearest.other = SAT_NOBODY;
  sat_world_settle(world);
  return status;
}

sat_Status sat_world_nearest(sat_World *world, sat_Vec2 point, double limit, sat_Nearby *nearest) {
  Probe probe;
  Search search;
  sat_Status status = start_search(world, point, &probe, &search);
  if (status) return status;
  if (!(limit >= 0)) return SAT_EVALUE;
  search.limit = limit;
  status =
      sat_quadtree_nearest(&world->tree, point, widened(&search, limit), visit_nearest, &search);
  if (!status) status = search.status;
  if (status) return status;
  if (search.nearest.other == SAT_NOBODY) return SAT_MISS;
  *nearest = search.nearest;
  return SAT_OK;
}

/* ---------------------------------------------------------------- the nearest ones */

static sat_Status keep_nearest(const Search *search, sat_Find find) {
  sat_Finds *finds = &search->world->finds;
  if (finds->count < search->wanted) return sat_finds_push(finds, find);
  sat_finds_replace(finds, find);
  return SAT_OK;
}

static double visit_all(void *context, sat_Item item, double box_distance) {
  Search *search = context;
  const sat_Finds *finds = &search->world->finds;
  sat_Distance distance;
  (void)box_distance;
  sat_Status status = measure(search, item, &distance);
  if (status == SAT_OK) {
    sat_Find find = {distance.distance, item};
    status = keep_nearest(search, find);
  }
  search->status = status == SAT_MISS ? SAT_OK : status;
  if (search->status) return -1;
  return finds->count < search->wanted ? HUGE_VAL : widened(search, finds->at[0].distance);
}

sat_Status sat_world_nearest_all(sat_World *world, sat_Vec2 point, size_t count, sat_Items *found) {
  Probe probe;
  Search search;
  found->count = world->finds.count = 0;
  sat_Status status = start_search(world, point, &probe, &search);
  if (status || count == 0) return status;
  search.wanted = count;
  status = sat_quadtree_nearest(&world->tree, point, HUGE_VAL, visit_all, &search);
  if (!status) status = search.status;
  return status ? status : sat_finds_list(&world->finds, found);
}
