/* raycast.c: finds the first shape on a ray, or all of them in order. */
#include "base/heap.h"
#include "narrowphase/collide.h"
#include "narrowphase/configuration_space.h"
#include "world/filter.h"

typedef struct WorldRay {
  sat_World *world;
  sat_Vec2 from, to;
  const sat_QueryFilter *filter;
  double error_bound;
  sat_Status status;
  sat_CastHit first;
  sat_Motion motion;
  bool all;           /* every hit goes into the world's list */
  bool is_tied;       /* several shapes are hit at once */
  bool starts_inside; /* of a shape */
  bool misses;        /* a shape on its line is missed */
  uint32_t beside;    /* the number of shapes along whose edges the ray runs, */
  uint32_t besides;   /* open ones included */
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

static sat_Status list_hit(sat_World *world, uint32_t other, const sat_Hit *hit) {
  return SAT_LIST_ADD(&world->ray_hits, (sat_CastHit){other, *hit});
}

/* A ray that starts inside of a shape has no normal. */
static bool starts_inside_of(const sat_Hit *hit) {
  return hit->normal.x == 0 && hit->normal.y == 0;
}

/* Keeps a hit. Of all hits those of the shapes that the ray may meet at a seam, too, are told
 * apart by a time that no hit has. */
static sat_Status meet_shape(WorldRay *ray, sat_Item item) {
  static const sat_Hit IN_GAP = {HUGE_VAL, {0, 0}, {0, 0}, {0, 0}};
  sat_World *world = ray->world;
  const sat_Shape *shape = sat_entry_shape(world, item);
  uint32_t beside;
  sat_Hit hit;
  if (!sat_is_admitted(ray->filter, shape, false)) return SAT_OK;
  sat_Status status = sat_raycast_noting(shape, ray->from, ray->to, &world->scratch, &beside, &hit);
  if (status > SAT_MISS) return status;
  bool runs_along = (beside & SAT_ON_BOTH_HANDS) != 0;
  ray->besides += runs_along;
  ray->misses = ray->misses || beside != 0;
  if (sat_is_open(ray->filter, shape))
    return status ? SAT_OK : sat_list_open(ray->filter, item, hit.t);
  ray->beside += runs_along;
  if (ray->all && runs_along && list_hit(world, item, &IN_GAP)) return SAT_ENOMEM;
  if (status == SAT_MISS) return SAT_OK;
  if (ray->all && list_hit(world, item, &hit)) return SAT_ENOMEM;
  bool is_first = ray->first.other == SAT_NO_SHAPE;
  if (starts_inside_of(&hit)) ray->starts_inside = true;
  else sat_note_tie(&ray->is_tied, is_first ? NULL : &ray->first.hit, &hit, ray->motion);
  sat_keep_first_hit(&ray->first, item, &hit);
  return SAT_OK;
}

static double visit_item(void *context, sat_Item item, double box_t) {
  WorldRay *ray = context;
  (void)box_t;
  ray->status = meet_shape(ray, item);
  if (ray->status) return -1;
  bool goes_on = ray->all || ray->first.other == SAT_NO_SHAPE;
  return widened_fraction(ray, sat_open_limit(ray->filter, goes_on ? 1 : ray->first.hit.t));
}

/* Tells which surface of the union of the shapes a ray hits, or the seam that it meets before, with
 * one shape alone or with any. A ray that starts on a seam inside of the union has no normal. Lists
 * the open shapes that may be part of either, or does that alone. */
static sat_Status tell_ray_surface(const WorldRay *ray, uint32_t gaps_with, bool lists_alone,
                                   sat_CastHit *first) {
  sat_PointShape point;
  sat_CastScene scene = {
      .motion = ray->motion, .gaps = ray->beside > 1, .gaps_with = gaps_with, .is_ray = true};
  bool is_hit = first->other != SAT_NO_SHAPE && !ray->starts_inside;
  bool is_shared = is_hit && (ray->is_tied || ray->misses);
  if (ray->besides < 2 && !is_shared) return SAT_OK;
  sat_Status status = sat_shape_init(&point.head, &ray->from, 1, 0);
  scene.shape = &point.head;
  bool is_told = !lists_alone && (scene.gaps || is_shared), open_gaps = ray->besides > 1;
  return status
             ? status
             : sat_world_tell_surface(ray->world, ray->filter, is_told, open_gaps, &scene, first);
}

static sat_Status raycast_world(WorldRay *ray) {
  sat_World *world = ray->world;
  sat_Vec2 from = ray->from, to = ray->to;
  double size = fabs(from.x) + fabs(from.y) + fabs(to.x) + fabs(to.y);
  ray->error_bound = cast_error_bound(from, to);
  ray->motion = (sat_Motion){sub(to, from), size * SAT_TOUCH_ERROR, false, false};
  ray->first.other = SAT_NO_SHAPE;
  sat_begin_open(ray->filter, ray->all ? SIZE_MAX : 1);
  sat_world_flush(world);
  sat_Status status = sat_quadtree_raycast(&world->tree, from, to, visit_item, ray);
  if (!status) status = ray->status;
  if (ray->filter) sat_end_open_hits(ray->filter, ray->all ? NULL : &ray->first, ray->motion);
  if (status || sat_has_open(ray->filter)) return status;
  return tell_ray_surface(ray, SAT_NO_SHAPE, false, &ray->first);
}

sat_Status sat_world_raycast(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                             const sat_QueryFilter *filter, sat_CastHit *first) {
  WorldRay ray = {.world = world, .from = from, .to = to, .filter = filter};
  sat_Status status = raycast_world(&ray);
  if (status) return status;
  *first = ray.first;
  return first->other == SAT_NO_SHAPE ? SAT_MISS : SAT_OK;
}

/* ---------------------------------------------------------------- all hits, in order */

static bool is_later_hit(const sat_CastHit *p, const sat_CastHit *q) {
  return p->hit.t != q->hit.t ? p->hit.t > q->hit.t : p->other > q->other;
}

SAT_DEFINE_SORT(sat_CastHit, hits, is_later_hit)

/* Keeps the earliest hit of each shape, without those that have met no seam. */
static void keep_one_of_each(sat_CastHits *hits) {
  size_t count = 0;
  for (size_t i = 0; i < hits->count && hits->at[i].hit.t <= 1; i++) {
    size_t k = 0;
    while (k < count && hits->at[k].other != hits->at[i].other) k++;
    if (k == count) hits->at[count++] = hits->at[i];
  }
  hits->count = count;
}

/* Puts the first hit at the begin of the list: of several at one time it may be any. */
static sat_Status put_first(sat_World *world, const sat_CastHit *first) {
  sat_CastHits *hits = &world->ray_hits;
  size_t at = 0;
  if (first->other == SAT_NO_SHAPE) return SAT_OK;
  while (at < hits->count && hits->at[at].other != first->other) at++;
  if (at == hits->count && list_hit(world, first->other, &first->hit)) return SAT_ENOMEM;
  for (; at > 0; at--) hits->at[at] = hits->at[at - 1];
  hits->at[0] = *first;
  return SAT_OK;
}

/* Finds all hits, in order, in world->ray_hits. */
static sat_Status find_ray_hits(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                                const sat_QueryFilter *filter) {
  WorldRay ray = {.world = world, .from = from, .to = to, .filter = filter, .all = true};
  sat_CastHits *hits = &world->ray_hits;
  hits->count = 0;
  sat_Status status = raycast_world(&ray);
  sat_CastHit none = {.other = SAT_NO_SHAPE};
  if (!status && ray.besides > ray.beside && !sat_has_open(filter))
    status = tell_ray_surface(&ray, SAT_NO_SHAPE, true, &none);
  for (size_t i = 0; !status && ray.beside > 1 && i < hits->count && !sat_has_open(filter); i++) {
    sat_CastHit between = {SAT_NO_SHAPE, hits->at[i].hit};
    if (hits->at[i].hit.t <= 1) continue;
    status = tell_ray_surface(&ray, hits->at[i].other, false, &between);
    if (between.other != SAT_NO_SHAPE) hits->at[i].hit = between.hit;
  }
  if (status || sat_has_open(filter)) return status;
  if (ray.beside > 1) { /* seams behind what stops a ray have no part in the first hit */
    WorldRay alone = {.world = world, .from = from, .to = to, .filter = filter};
    status = raycast_world(&alone);
    ray.first = alone.first;
  }
  if (!status) hits_sort(hits->at, hits->count);
  if (!status && ray.beside > 0) keep_one_of_each(hits);
  return status ? status : put_first(world, &ray.first);
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
