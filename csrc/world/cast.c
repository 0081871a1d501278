/* cast.c: the first hits of moving shapes and of rays. */
#include "world/world.h"

/* ---------------------------------------------------------------- rays */

typedef struct WorldRay {
  sat_World *world;
  sat_Vec2 from, to;
  double error_bound;
  sat_Status status;
  sat_CastHit first;
} WorldRay;

/* An upper bound of the difference between the tree's entry of a box and the exact hit, as a
 * fraction of the ray: the two are computed by different sums. */
static double cast_error_bound(sat_Vec2 from, sat_Vec2 to) {
  double way = fabs(to.x - from.x) + fabs(to.y - from.y);
  double size = fabs(from.x) + fabs(from.y) + fabs(to.x) + fabs(to.y);
  return way > 0 ? size / way * SAT_CAST_ERROR : 1;
}

static double widened_fraction(const WorldRay *ray, double t) {
  return min2(t * (1 + SAT_LOOSE_ERROR) + ray->error_bound, 1);
}

static sat_Status hit_by_ray(const WorldRay *ray, sat_Item item, sat_Hit *hit) {
  const sat_Shape *shape = sat_entry_shape(ray->world, item);
  if (!sat_is_solid(shape)) return SAT_MISS;
  return sat_raycast(shape, ray->from, ray->to, &ray->world->scratch, hit);
}

static bool is_first(const sat_CastHit *first, uint32_t other, double t) {
  if (first->other == SAT_NO_SHAPE || t < first->hit.t) return true;
  return t == first->hit.t && other < first->other;
}

static double visit_first(void *context, sat_Item item, double box_t) {
  WorldRay *ray = context;
  sat_Hit hit;
  (void)box_t;
  sat_Status status = hit_by_ray(ray, item, &hit);
  if (status == SAT_OK && is_first(&ray->first, item, hit.t)) ray->first = (sat_CastHit){item, hit};
  ray->status = status == SAT_MISS ? SAT_OK : status;
  if (ray->status) return -1;
  return ray->first.other == SAT_NO_SHAPE ? 1 : widened_fraction(ray, ray->first.hit.t);
}

static double visit_every(void *context, sat_Item item, double box_t) {
  WorldRay *ray = context;
  sat_Neighbors *neighbors = &ray->world->neighbors;
  sat_Hit hit;
  (void)box_t;
  sat_Status status = hit_by_ray(ray, item, &hit);
  if (status == SAT_OK) status = sat_neighbors_push(neighbors, (sat_Neighbor){hit.t, item});
  ray->status = status == SAT_MISS ? SAT_OK : status;
  return ray->status ? -1 : 1;
}

static sat_Status raycast_world(WorldRay *ray, sat_World *world, sat_Vec2 from, sat_Vec2 to,
                                sat_Visit visit) {
  *ray =
      (WorldRay){.world = world, .from = from, .to = to, .error_bound = cast_error_bound(from, to)};
  ray->first.other = SAT_NO_SHAPE;
  sat_world_flush(world);
  sat_Status status = sat_quadtree_raycast(&world->tree, from, to, visit, ray);
  return status ? status : ray->status;
}

sat_Status sat_world_raycast(sat_World *world, sat_Vec2 from, sat_Vec2 to, sat_CastHit *first) {
  WorldRay ray;
  sat_Status status = raycast_world(&ray, world, from, to, visit_first);
  if (status) return status;
  if (ray.first.other == SAT_NO_SHAPE) return SAT_MISS;
  *first = ray.first;
  return SAT_OK;
}

sat_Status sat_world_raycast_all(sat_World *world, sat_Vec2 from, sat_Vec2 to, sat_Items *found) {
  WorldRay ray;
  found->count = world->neighbors.count = 0;
  sat_Status status = raycast_world(&ray, world, from, to, visit_every);
  return status ? status : sat_neighbors_list(&world->neighbors, found);
}

/* ---------------------------------------------------------------- casts */

typedef struct WorldCast {
  sat_World *world;
  const sat_Shape *shape;
  sat_Rectangle box;
  sat_Vec2 motion;
  sat_CastHit first;
} WorldCast;

/* The fractions of the motion at which an interval begins and ceases to overlap a resting one,
 * rounded outward. */
static void overlap_time(double low, double high, double motion, double other_low,
                         double other_high, double *enter, double *leave) {
  double error_bound =
      (fabs(low) + fabs(high) + fabs(other_low) + fabs(other_high)) * SAT_BOX_ERROR;
  double ahead = other_low - high - error_bound, behind = other_high - low + error_bound;
  if (motion == 0) {
    if (ahead > 0 || behind < 0) *leave = -1;
    return;
  }
  double first = (motion > 0 ? ahead : behind) / motion;
  double last = (motion > 0 ? behind : ahead) / motion;
  *enter = max2(*enter, first - fabs(first) * SAT_BOX_ERROR);
  *leave = min2(*leave, last + fabs(last) * SAT_BOX_ERROR);
}

/* Whether the box of a shape can be hit no later than the first hit so far. */
static bool may_be_first(const WorldCast *cast, uint32_t index) {
  sat_Rectangle own = cast->box, other = sat_quadtree_box(&cast->world->tree, index);
  double enter = 0, leave = cast->first.other == SAT_NO_SHAPE ? 1 : cast->first.hit.t;
  leave += leave * SAT_LOOSE_ERROR;
  overlap_time(own.x, own.x + own.w, cast->motion.x, other.x, other.x + other.w, &enter, &leave);
  overlap_time(own.y, own.y + own.h, cast->motion.y, other.y, other.y + other.h, &enter, &leave);
  return enter <= leave;
}

static sat_Status cast_at_shape(WorldCast *cast, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(cast->world, index);
  sat_Hit hit;
  if (other == cast->shape || !sat_is_solid(other) || !sat_shapes_filter(cast->shape, other))
    return SAT_OK;
  if (!may_be_first(cast, index)) return SAT_OK;
  sat_Status status = sat_cast(cast->shape, cast->motion, other, &cast->world->scratch, &hit);
  if (status) return status == SAT_MISS ? SAT_OK : status;
  if (is_first(&cast->first, index, hit.t)) cast->first = (sat_CastHit){index, hit};
  return SAT_OK;
}

/* The interval that a side of the box sweeps over between two fractions of the motion, rounded
 * outward. */
static void swept_interval(double low, double size, double motion, double from, double to,
                           double *start, double *l1_bound) {
  double a = low + motion * from, b = low + motion * to;
  double error_bound = (fabs(low) + size + fabs(motion)) * SAT_CAST_ERROR;
  *start = min2(a, b) - error_bound;
  *l1_bound = max2(a, b) - *start + size + 2 * error_bound;
}

static sat_Status cast_during(WorldCast *cast, double from, double to) {
  sat_Rectangle area;
  swept_interval(cast->box.x, cast->box.w, cast->motion.x, from, to, &area.x, &area.w);
  swept_interval(cast->box.y, cast->box.h, cast->motion.y, from, to, &area.y, &area.h);
  sat_Status status = sat_world_query_boxes(cast->world, area);
  for (size_t i = 0; !status && i < cast->world->near.count; i++)
    status = cast_at_shape(cast, cast->world->near.at[i]);
  return status;
}

/* The first step is about as long as the shape, but at least one in this many of the motion. */
enum { MOST_FIRST_STEPS = 64 };

static double first_cast_step(const WorldCast *cast) {
  double way = max2(fabs(cast->motion.x), fabs(cast->motion.y));
  double size = 4 * max2(cast->box.w, cast->box.h);
  return size >= way ? 1 : max2(size / way, 1.0 / MOST_FIRST_STEPS);
}

/* Casts in steps, each twice as long as the previous one: the box around a long diagonal would
 * contain too many shapes. */
static sat_Status cast_in_steps(WorldCast *cast) {
  double from = 0, step = first_cast_step(cast);
  while (from < 1) {
    double to = min2(from + step, 1);
    sat_Status status = cast_during(cast, from, to);
    if (status) return status;
    if (cast->first.other != SAT_NO_SHAPE && cast->first.hit.t < to * (1 - SAT_LAST_STEP_ERROR))
      break;
    from = to;
    step *= 2;
  }
  return cast->first.other == SAT_NO_SHAPE ? SAT_MISS : SAT_OK;
}

sat_Status sat_world_cast(sat_World *world, const sat_Shape *shape, sat_Vec2 motion,
                          sat_CastHit *first) {
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  WorldCast cast = {world, shape, sat_box_of(shape), motion, {SAT_NO_SHAPE, {0, {0, 0}, {0, 0}}}};
  sat_Status status = cast_in_steps(&cast);
  if (status == SAT_OK) *first = cast.first;
  return status;
}
