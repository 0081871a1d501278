/* cast.c: what a moving shape or a ray meets. */
#include "world/world.h"

/* ---------------------------------------------------------------- rays */

typedef struct Ray {
  sat_World *world;
  sat_Vec2 from, to;
  double slack;
  sat_Status status;
  sat_Encounter first;
} Ray;

/* The tree finds where a ray enters a box by other sums than ours: what comes later by rounding
 * alone is still to be shown. */
static double slack_of(sat_Vec2 from, sat_Vec2 to) {
  double way = fabs(to.x - from.x) + fabs(to.y - from.y);
  double size = fabs(from.x) + fabs(from.y) + fabs(to.x) + fabs(to.y);
  return way > 0 ? size / way * 0x1p-46 : 1;
}

static double widened(const Ray *ray, double t) { return min2(t * (1 + 0x1p-40) + ray->slack, 1); }

static sat_Status meet(const Ray *ray, sat_Item item, sat_Impact *impact) {
  const sat_Shape *shape = sat_member_shape(ray->world, item);
  if (!sat_is_solid(shape)) return SAT_MISS;
  return sat_raycast(shape, ray->from, ray->to, &ray->world->scratch, impact);
}

static bool is_first(const sat_Encounter *first, uint32_t other, double t) {
  if (first->other == SAT_NOBODY || t < first->impact.t) return true;
  return t == first->impact.t && other < first->other;
}

static double visit_first(void *context, sat_Item item, double box_t) {
  Ray *ray = context;
  sat_Impact impact;
  (void)box_t;
  sat_Status status = meet(ray, item, &impact);
  if (status == SAT_OK && is_first(&ray->first, item, impact.t))
    ray->first = (sat_Encounter){item, impact};
  ray->status = status == SAT_MISS ? SAT_OK : status;
  if (ray->status) return -1;
  return ray->first.other == SAT_NOBODY ? 1 : widened(ray, ray->first.impact.t);
}

static double visit_every(void *context, sat_Item item, double box_t) {
  Ray *ray = context;
  sat_Finds *finds = &ray->world->finds;
  sat_Impact impact;
  (void)box_t;
  sat_Status status = meet(ray, item, &impact);
  if (status == SAT_OK) status = sat_finds_push(finds, (sat_Find){impact.t, item});
  ray->status = status == SAT_MISS ? SAT_OK : status;
  return ray->status ? -1 : 1;
}

static sat_Status trace(Ray *ray, sat_World *world, sat_Vec2 from, sat_Vec2 to, sat_Visit visit) {
  *ray = (Ray){.world = world, .from = from, .to = to, .slack = slack_of(from, to)};
  ray->first.other = SAT_NOBODY;
  sat_world_settle(world);
  sat_Status status = sat_quadtree_raycast(&world->tree, from, to, visit, ray);
  return status ? status : ray->status;
}

sat_Status sat_world_raycast(sat_World *world, sat_Vec2 from, sat_Vec2 to, sat_Encounter *first) {
  Ray ray;
  sat_Status status = trace(&ray, world, from, to, visit_first);
  if (status) return status;
  if (ray.first.other == SAT_NOBODY) return SAT_MISS;
  *first = ray.first;
  return SAT_OK;
}

sat_Status sat_world_raycast_all(sat_World *world, sat_Vec2 from, sat_Vec2 to, sat_Items *found) {
  Ray ray;
  found->count = world->finds.count = 0;
  sat_Status status = trace(&ray, world, from, to, visit_every);
  return status ? status : sat_finds_list(&world->finds, found);
}

/* ---------------------------------------------------------------- casts */

typedef struct Cast {
  sat_World *world;
  const sat_Shape *shape;
  sat_Rectangle box;
  sat_Vec2 motion;
  sat_Encounter first;
} Cast;

/* When the moving box begins to overlap the still one in one coordinate and when it ceases, a
 * little early and late. */
static void overlap_time(double low, double high, double motion, double other_low,
                         double other_high, double *enter, double *leave) {
  double slack = (fabs(low) + fabs(high) + fabs(other_low) + fabs(other_high)) * 0x1p-48;
  double ahead = other_low - high - slack, behind = other_high - low + slack;
  if (motion == 0) {
    if (ahead > 0 || behind < 0) *leave = -1;
    return;
  }
  double first = (motion > 0 ? ahead : behind) / motion;
  double last = (motion > 0 ? behind : ahead) / motion;
  *enter = max2(*enter, first - fabs(first) * 0x1p-48);
  *leave = min2(*leave, last + fabs(last) * 0x1p-48);
}

/* Whether a shape, by its box, may be met no later than what is the first so far. */
static bool may_be_first(const Cast *cast, uint32_t slot) {
  sat_Rectangle own = cast->box, other = sat_quadtree_box(&cast->world->tree, slot);
  double enter = 0, leave = cast->first.other == SAT_NOBODY ? 1 : cast->first.impact.t;
  leave += leave * 0x1p-40;
  overlap_time(own.x, own.x + own.w, cast->motion.x, other.x, other.x + other.w, &enter, &leave);
  overlap_time(own.y, own.y + own.h, cast->motion.y, other.y, other.y + other.h, &enter, &leave);
  return enter <= leave;
}

static sat_Status try_one(Cast *cast, uint32_t slot) {
  const sat_Shape *other = sat_member_shape(cast->world, slot);
  sat_Impact impact;
  if (other == cast->shape || !sat_is_solid(other) || !sat_shapes_filter(cast->shape, other))
    return SAT_OK;
  if (!may_be_first(cast, slot)) return SAT_OK;
  sat_Status status = sat_cast(cast->shape, cast->motion, other, &cast->world->scratch, &impact);
  if (status) return status == SAT_MISS ? SAT_OK : status;
  if (is_first(&cast->first, slot, impact.t)) cast->first = (sat_Encounter){slot, impact};
  return SAT_OK;
}

/* What the box sweeps over from one time to another, a little more than that. */
static void swept(double low, double size, double motion, double from, double to, double *start,
                  double *extent) {
  double a = low + motion * from, b = low + motion * to;
  double slack = (fabs(low) + size + fabs(motion)) * 0x1p-46;
  *start = min2(a, b) - slack;
  *extent = max2(a, b) - *start + size + 2 * slack;
}

static sat_Status try_while(Cast *cast, double from, double to) {
  sat_Rectangle area;
  swept(cast->box.x, cast->box.w, cast->motion.x, from, to, &area.x, &area.w);
  swept(cast->box.y, cast->box.h, cast->motion.y, from, to, &area.y, &area.h);
  sat_Status status = sat_world_gather(cast->world, area);
  for (size_t i = 0; !status && i < cast->world->near.count; i++)
    status = try_one(cast, cast->world->near.at[i]);
  return status;
}

/* The first part of the way is about as long as the shape, but no less than this part of all. */
#define LEAST_STEP 0x1p-6

static double first_step(const Cast *cast) {
  double way = max2(fabs(cast->motion.x), fabs(cast->motion.y));
  double size = 4 * max2(cast->box.w, cast->box.h);
  return size >= way ? 1 : max2(size / way, LEAST_STEP);
}

/* Step by step, each twice as long as the one before, lest all that lies in the box around a long
 * diagonal be looked at. */
static sat_Status sweep(Cast *cast) {
  double from = 0, step = first_step(cast);
  while (from < 1) {
    double to = min2(from + step, 1);
    sat_Status status = try_while(cast, from, to);
    if (status) return status;
    if (cast->first.other != SAT_NOBODY && cast->first.impact.t < to * (1 - 0x1p-30)) break;
    from = to;
    step *= 2;
  }
  return cast->first.other == SAT_NOBODY ? SAT_MISS : SAT_OK;
}

sat_Status sat_world_cast(sat_World *world, const sat_Shape *shape, sat_Vec2 motion,
                          sat_Encounter *first) {
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  Cast cast = {world, shape, sat_box_of(shape), motion, {SAT_NOBODY, {0, {0, 0}, {0, 0}}}};
  sat_Status status = sweep(&cast);
  if (status == SAT_OK) *first = cast.first;
  return status;
}
