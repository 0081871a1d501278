/* raycast.c: finds the first shape on a ray, or all of them in order. */
#include "base/heap.h"
#include "narrowphase/collide.h"
#include "world/abutting.h"

typedef struct WorldRay {
  sat_World *world;
  sat_Vec2 from, to;
  const sat_QueryFilter *filter;
  double error_bound;
  sat_Status status;
  sat_CastHit first;
  bool all;            /* every hit goes into the world's list */
  bool starts_between; /* the ray starts on a seam */
} WorldRay;

/* The error of the fraction at which a ray enters a box: the tree computes it by other sums than
 * those of the hit, so a box may seem to come later than its hit by this much. */
static double cast_error_bound(sat_Vec2 from, sat_Vec2 to) {
  double way = fabs(to.x - from.x) + fabs(to.y - from.y);
  double size = fabs(from.x) + fabs(from.y) + fabs(to.x) + fabs(to.y);
  return way > 0 ? size / way * SAT_CAST_ERROR : 1;
}

static double widened_fraction(const WorldRay *ray, double t) {
  return min2(t * (1 + SAT_LOOSE_ERROR) + ray->error_bound, 1);
}

/* Each shape is in the list once, with its earliest hit. */
static sat_Status list_hit(sat_World *world, uint32_t other, const sat_Hit *hit) {
  sat_CastHits *hits = &world->ray_hits;
  for (size_t i = 0; i < hits->count && world->tangents.count > 0; i++) {
    if (hits->at[i].other != other) continue;
    if (hit->t < hits->at[i].hit.t) hits->at[i].hit = *hit;
    return SAT_OK;
  }
  if (hits->count == hits->capacity && SAT_LIST_RESERVE(hits, 1)) return SAT_ENOMEM;
  hits->at[hits->count++] = (sat_CastHit){other, *hit};
  return SAT_OK;
}

static sat_Status keep_hit(WorldRay *ray, uint32_t other, const sat_Hit *hit) {
  if (ray->all) return list_hit(ray->world, other, hit);
  sat_keep_first_hit(&ray->first, other, hit);
  return SAT_OK;
}

static sat_Status hit_abutting(void *context, uint32_t one, uint32_t other, const sat_Hit *hit) {
  WorldRay *ray = context;
  ray->starts_between = ray->starts_between || hit->t == 0;
  sat_Status status = keep_hit(ray, one, hit);
  return status ? status : keep_hit(ray, other, hit);
}

static sat_Status meet_shape(WorldRay *ray, sat_Item item) {
  sat_World *world = ray->world;
  const sat_Shape *shape = sat_entry_shape(world, item);
  size_t before = world->tangents.count;
  sat_Hit hit;
  if (!sat_is_solid(shape) || !sat_is_admitted(ray->filter, shape)) return SAT_OK;
  sat_Status status = sat_raycast_with_tangents(shape, ray->from, ray->to, &world->scratch, item,
                                                &world->tangents, &hit);
  if (status == SAT_OK) status = keep_hit(ray, item, &hit);
  if (status > SAT_MISS || world->tangents.count == before) return status > SAT_MISS ? status : 0;
  return sat_find_abutting(&world->tangents, before, sub(ray->to, ray->from), hit_abutting, ray);
}

static double visit_item(void *context, sat_Item item, double box_t) {
  WorldRay *ray = context;
  (void)box_t;
  ray->status = meet_shape(ray, item);
  if (ray->status) return -1;
  return ray->first.other == SAT_NO_SHAPE ? 1 : widened_fraction(ray, ray->first.hit.t);
}

/* A ray that starts on a seam starts inside the union of the solids there, or on its boundary. */
static sat_Status resolve_ray_start(const WorldRay *ray, sat_CastHit *first) {
  struct {
    sat_Shape head;
    sat_Vec2 vertex, local;
  } point;
  sat_Shape *compound;
  sat_Hit hit;
  if (first->hit.t > 0 || !ray->starts_between) return SAT_OK;
  sat_Status status = sat_shape_init(&point.head, &ray->from, 1, 0);
  if (!status) status = sat_compound_around(ray->world, &point.head, ray->filter, 0, &compound);
  if (status) return status == SAT_ERANGE || status == SAT_EDEEP ? SAT_OK : status;
  status = sat_raycast(compound, ray->from, ray->to, &ray->world->scratch, &hit);
  if (status == SAT_OK && hit.t == 0) first->hit = hit;
  return status == SAT_MISS ? SAT_OK : status;
}

static sat_Status raycast_world(WorldRay *ray) {
  sat_World *world = ray->world;
  ray->error_bound = cast_error_bound(ray->from, ray->to);
  ray->first.other = SAT_NO_SHAPE;
  world->tangents.count = 0;
  sat_world_flush(world);
  sat_Status status = sat_quadtree_raycast(&world->tree, ray->from, ray->to, visit_item, ray);
  return status ? status : ray->status;
}

sat_Status sat_world_raycast(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                             const sat_QueryFilter *filter, sat_CastHit *first) {
  WorldRay ray = {.world = world, .from = from, .to = to, .filter = filter};
  sat_Status status = raycast_world(&ray);
  if (status) return status;
  if (ray.first.other == SAT_NO_SHAPE) return SAT_MISS;
  status = resolve_ray_start(&ray, &ray.first);
  if (!status) *first = ray.first;
  return status;
}

/* ---------------------------------------------------------------- all hits, in order */

static bool is_later_hit(const sat_CastHit *p, const sat_CastHit *q) {
  return p->hit.t != q->hit.t ? p->hit.t > q->hit.t : p->other > q->other;
}

SAT_DEFINE_SORT(sat_CastHit, hits, is_later_hit)

/* Finds all hits, in order, in world->ray_hits. */
static sat_Status find_ray_hits(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                                const sat_QueryFilter *filter) {
  WorldRay ray = {.world = world, .from = from, .to = to, .filter = filter, .all = true};
  world->ray_hits.count = 0;
  sat_Status status = raycast_world(&ray);
  for (size_t i = 0; !status && i < world->ray_hits.count; i++)
    status = resolve_ray_start(&ray, &world->ray_hits.at[i]);
  if (!status) hits_sort(world->ray_hits.at, world->ray_hits.count);
  return status;
}

sat_Status sat_world_raycast_all(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                                 const sat_QueryFilter *filter, sat_Items *found) {
  found->count = 0;
  sat_Status status = find_ray_hits(world, from, to, filter);
  if (!status) status = SAT_LIST_RESERVE(found, world->ray_hits.count);
  for (size_t i = 0; !status && i < world->ray_hits.count; i++)
    found->at[found->count++] = world->ray_hits.at[i].other;
  return status;
}

sat_Status sat_world_raycast_hits(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                                  const sat_QueryFilter *filter, sat_CastHits *found) {
  found->count = 0;
  sat_Status status = find_ray_hits(world, from, to, filter);
  if (!status) status = SAT_LIST_RESERVE(found, world->ray_hits.count);
  for (size_t i = 0; !status && i < world->ray_hits.count; i++)
    found->at[found->count++] = world->ray_hits.at[i];
  return status;
}
