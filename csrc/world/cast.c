/* cast.c: finds the first shape that a moving shape or a ray hits, and all shapes on a ray. */
#include "base/box.h"
#include "base/heap.h"
#include "narrowphase/collide.h"
#include "narrowphase/configuration_space.h"
#include "world/filter.h"

/* A cast of a shape, or of a ray, and what it has met so far. */
typedef struct WorldCast {
  sat_World *world;
  const sat_Shape *shape; /* NULL: a ray, */
  sat_Vec2 from, to;      /* from a point to another one */
  const sat_QueryFilter *filter;
  sat_Motion motion; /* with the greatest rounding of the pairs that hit */
  sat_Rectangle box; /* of the shape */
  double box_error;  /* of the fraction at which a ray enters a box */
  sat_CastHit first;
  sat_Status status;
  bool all;           /* every hit goes into the world's list */
  bool is_point;      /* see sat_is_bare_point */
  bool is_thin;       /* the shape has pieces without width, which may run along seams */
  bool is_tied;       /* several normals may be right where it is hit */
  bool starts_inside; /* of a shape, as a ray may */
  bool misses;        /* a solid on the line of something thin is missed */
  uint32_t beside;    /* the number of solids along which such pieces run, */
  uint32_t besides;   /* open ones included */
  bool ends_at;       /* a solid's box is at the end of the motion, and */
  bool ends_among;    /* so are several */
  bool ends_open;     /* an open solid's box is at the end, or several are there */
} WorldCast;

/* ---------------------------------------------------------------- the surface that is met */

/* Gathers the solids that the shape of a scene meets around a place, and where seams count on the
 * way there, with or without open ones. The lists lie in the world's memory for compounds. */
static sat_Status gather_solids(const WorldCast *cast, bool with_open, sat_Vec2 place,
                                sat_CastScene *scene) {
  sat_World *world = cast->world;
  sat_Rectangle box = sat_box_of(scene->shape);
  sat_Box range = {place, place};
  if (scene->gaps) sat_extend_box(&range, vec2(0, 0));
  range = box_moved(range, vec2(0, 0), SAT_FELT * scene->motion.rounding);
  sat_Status status =
      sat_world_query_boxes(world, &(sat_Rectangle){box.x + range.min.x, box.y + range.min.y,
                                                    box.w + range.max.x - range.min.x,
                                                    box.h + range.max.y - range.min.y});
  scene->count = 0;
  if (status || world->near.count == 0) return status;
  sat_CastSolid *solids =
      sat_scratch_reserve(&world->compound_scratch, world->near.count * (sizeof *solids + 1));
  if (!solids) return SAT_ENOMEM;
  for (size_t i = 0; i < world->near.count; i++) {
    uint32_t index = world->near.at[i];
    const sat_Shape *shape = sat_entry_shape(world, index);
    if (sat_is_admitted(cast->filter, shape, false) &&
        (with_open || !sat_is_open(cast->filter, shape)))
      solids[scene->count++] = (sat_CastSolid){shape, index, world->entries[index].id};
  }
  scene->solids = solids;
  scene->felt = with_open ? (bool *)(solids + scene->count) : NULL;
  return SAT_OK;
}

/* Tells the surface that solids which count show where the shape of a scene is, if there are that
 * many. */
static sat_Status tell_surface(const WorldCast *cast, sat_Vec2 place, size_t least,
                               sat_CastScene *scene, sat_CastHit *first) {
  sat_Status status = gather_solids(cast, false, place, scene);
  if (status || scene->count < least) return status;
  return sat_tell_real_surface(scene, &cast->world->scratch, &first->other, &first->hit);
}

/* Lists the open solids that would be part of the surface that is met, or of a seam before it, or
 * all on the way. */
static sat_Status list_felt(const WorldCast *cast, sat_CastScene *scene, sat_CastHit first,
                            bool all) {
  bool is_whole = (all && scene->gaps) || first.other == SAT_NO_SHAPE;
  sat_Vec2 place = mul(scene->motion.vector, is_whole ? 1 : first.hit.t);
  cast->filter->open->wanted = SIZE_MAX;
  sat_Status status = gather_solids(cast, true, place, scene);
  if (!status && scene->count > 0)
    status = sat_tell_real_surface(scene, &cast->world->scratch, &first.other, &first.hit);
  for (size_t i = 0; !status && i < scene->count; i++)
    if ((all || scene->felt[i]) && sat_is_open(cast->filter, scene->solids[i].shape))
      status = sat_list_open(cast->filter, scene->solids[i].number, HUGE_VAL);
  return status;
}

/* Tells the surface among the solids that count, if `is_told`: one solid alone has told already.
 * Lists the open solids that would be part of the surface or, with `open_gaps`, of a seam before
 * it. They may decide whether a surface is told at all: then both answers are to be alike. */
static sat_Status tell_among_solids(const WorldCast *cast, bool is_told, bool open_gaps,
                                    sat_CastScene *scene, sat_CastHit *first) {
  const sat_Box all = {vec2(-SAT_LIMIT, -SAT_LIMIT), vec2(SAT_LIMIT, SAT_LIMIT)};
  sat_Vec2 place = mul(scene->motion.vector, first->other == SAT_NO_SHAPE ? 1 : first->hit.t);
  scene->motion.rounding = sat_rounding_of_way(sat_shape_bounds(scene->shape), place, all);
  sat_CastHit other = *first;
  sat_Status status = is_told ? tell_surface(cast, place, 2, scene, first) : SAT_OK;
  if (status || !cast->filter || !cast->filter->open) return status;
  scene->gaps = open_gaps;
  scene->at_end = scene->one_way;
  scene->in_company = true;
  status = tell_surface(cast, place, 1, scene, &other);
  bool differs = other.other != first->other || other.hit.t != first->hit.t ||
                 !equal_points(other.hit.normal, first->hit.normal);
  return status ? status : list_felt(cast, scene, *first, differs);
}

sat_Status sat_world_passes_side(sat_World *world, const sat_Shape *shape, const sat_Shape *other,
                                 sat_Vec2 normal, bool may_be_inside, bool *passes) {
  sat_Vec2 open;
  sat_Result way;
  *passes = false;
  if (!sat_shape_one_way(other, &open)) return SAT_OK;
  *passes = dot(normal, open) <= SAT_LEAST_FACING;
  if (*passes || !may_be_inside) return SAT_OK;
  sat_Status status = sat_collide(shape, other, &world->scratch, &way);
  *passes = status == SAT_OK && way.depth > sat_touch_rounding(shape, other);
  return status == SAT_MISS ? SAT_OK : status;
}

/* ---------------------------------------------------------------- hits */

/* Asks about one shape. SAT_MISS: it is not hit, or lets the shape pass: a one-way platform does,
 * wherever it is hit, if the motion leads out of it. */
SAT_INLINE sat_Status cast_at_shape(const WorldCast *cast, const sat_Shape *other,
                                    sat_CastNotes *notes, sat_Hit *hit) {
  sat_Scratch *scratch = &cast->world->scratch;
  sat_Vec2 motion = cast->motion.vector, open;
  bool passes;
  *notes = (sat_CastNotes){.one_way = true};
  if (!cast->shape)
    return sat_raycast_noting(other, cast->from, cast->to, scratch, &notes->beside, hit);
  sat_Status status = sat_cast_noting(cast->shape, motion, other, scratch, notes, hit);
  if (status) return status;
  if (sat_shape_one_way(other, &open) && dot(motion, open) >= -SAT_LEAST_FACING * length(motion))
    return SAT_MISS;
  status =
      sat_world_passes_side(cast->world, cast->shape, other, hit->normal, hit->t == 0, &passes);
  return !status && passes ? SAT_MISS : status;
}

/* A ray that starts inside of a shape has no normal. */
static bool starts_inside_of(const sat_Hit *hit) {
  return hit->normal.x == 0 && hit->normal.y == 0;
}

/* Whether a hit is later than another one. Of two at one time one inside of a shape comes first, as
 * it does where both shapes are pieces of one, and then that of the lower index. */
static bool is_later_hit(const sat_CastHit *p, const sat_CastHit *q) {
  if (p->hit.t != q->hit.t) return p->hit.t > q->hit.t;
  bool inside = starts_inside_of(&p->hit), other_inside = starts_inside_of(&q->hit);
  return inside != other_inside ? other_inside : p->other > q->other;
}

SAT_DEFINE_SORT(sat_CastHit, hits, is_later_hit)

SAT_INLINE sat_Status keep_hit(WorldCast *cast, uint32_t other, bool is_tied, double rounding,
                               const sat_Hit *hit) {
  const sat_Motion motion = {cast->motion.vector, rounding, false, false};
  bool is_first = cast->first.other == SAT_NO_SHAPE;
  if (starts_inside_of(hit)) cast->starts_inside = true;
  else sat_note_tie(&cast->is_tied, is_first ? NULL : &cast->first.hit, hit, motion);
  cast->is_tied = cast->is_tied || (is_tied && (is_first || hit->t <= cast->first.hit.t));
  const sat_CastHit own = {other, *hit};
  if (is_first || is_later_hit(&cast->first, &own)) cast->first = own;
  return cast->all ? SAT_LIST_ADD(&cast->world->ray_hits, own) : SAT_OK;
}

/* Notes which boxes are at the end of the motion, and are led into: solids that meet there may be
 * touched though each of them alone is missed. */
SAT_NOT_INLINE void note_end(WorldCast *cast, uint32_t index) {
  sat_Rectangle own = cast->box, other = sat_quadtree_box(&cast->world->tree, index);
  double x = own.x + cast->motion.vector.x, y = own.y + cast->motion.vector.y;
  double out = (fabs(x) + fabs(y) + own.w + own.h) * SAT_LOOSE_ERROR;
  if (other.x > x + own.w + out || other.x + other.w < x - out || other.y > y + own.h + out ||
      other.y + other.h < y - out ||
      boxes_lead_past(sat_shape_bounds(cast->shape),
                      sat_shape_bounds(sat_entry_shape(cast->world, index)), cast->motion.vector))
    return;
  bool is_open = sat_is_open(cast->filter, sat_entry_shape(cast->world, index));
  cast->ends_open = cast->ends_open || is_open;
  cast->ends_among = cast->ends_among || (cast->ends_at && !is_open);
  cast->ends_at = cast->ends_at || !is_open;
}

/* Asks about a shape, and keeps its hit. Of all hits those of the shapes that a ray may meet at a
 * seam, too, are told apart by a time that no hit has. */
SAT_INLINE sat_Status meet_shape(WorldCast *cast, sat_Item item) {
  const sat_Shape *other = sat_entry_shape(cast->world, item);
  sat_CastNotes notes;
  sat_Hit hit;
  if (!sat_is_admitted(cast->filter, other, false)) return SAT_OK;
  sat_Status status = cast_at_shape(cast, other, &notes, &hit);
  if (status > SAT_MISS) return status;
  bool is_open = sat_is_open(cast->filter, other);
  if (cast->is_thin && notes.beside != 0) {
    bool runs_along = (notes.beside & SAT_ON_BOTH_HANDS) != 0;
    cast->misses = true;
    cast->besides += runs_along;
    cast->beside += runs_along && !is_open;
    if (cast->all && runs_along && !is_open &&
        SAT_LIST_ADD(&cast->world->ray_hits, (sat_CastHit){item, {.t = HUGE_VAL}}))
      return SAT_ENOMEM;
  }
  if (status == SAT_OK) {
    double rounding = cast->shape ? sat_touch_rounding(cast->shape, other) : cast->motion.rounding;
    cast->motion.rounding = max2(cast->motion.rounding, rounding);
    status = is_open ? sat_list_open(cast->filter, item, hit.t)
                     : keep_hit(cast, item, notes.is_tied, rounding, &hit);
    if (status) return status;
  }
  if (cast->first.other == SAT_NO_SHAPE && !cast->is_point) note_end(cast, item);
  return SAT_OK;
}

static double visit_cast(void *context, sat_Item item, double box_t) {
  WorldCast *cast = context;
  (void)box_t;
  cast->status = meet_shape(cast, item);
  if (cast->status) return -1;
  bool goes_on = cast->all || cast->first.other == SAT_NO_SHAPE;
  double limit = sat_open_limit(cast->filter, goes_on ? 1 : cast->first.hit.t);
  return min2(limit * (1 + SAT_LOOSE_ERROR) + cast->box_error, 1);
}

static bool is_two_way(const sat_World *world, const sat_Shape *shape, uint32_t index) {
  sat_Vec2 open;
  (void)shape;
  return !sat_shape_one_way(sat_entry_shape(world, index), &open);
}

/* A shape that starts on a seam, inside of the union of the solids there, hits the seam if its
 * motion leads deeper in. */
static sat_Status start_in_gap(WorldCast *cast, const sat_CastHit *between) {
  sat_World *world = cast->world;
  const sat_Shape *other = sat_entry_shape(world, between->other);
  sat_Result way;
  sat_Manifold manifold = {.points = {between->hit.point}};
  sat_Status status =
      sat_world_way_out(world, (sat_Shape *)cast->shape, is_two_way, cast->filter, &way);
  if (status || !sat_leads_deeper(cast->motion.vector, way.normal))
    return status == SAT_MISS ? 0 : status;
  status = sat_contacts(cast->shape, other, &world->scratch, &manifold);
  if (status > SAT_MISS) return status;
  cast->first = (sat_CastHit){between->other, {0, way.normal, manifold.points[0], {0, 0}}};
  return sat_deepest_parts(cast->shape, other, &way.normal, &world->scratch,
                           &cast->first.hit.parts);
}

/* Tells the surface of the union of the solids that is met, or the seam that is met before, with
 * one solid alone or with any. A ray that starts on a seam inside of the union has no normal. Lists
 * the open shapes that may be part of either, or does that alone. */
static sat_Status tell_cast_surface(WorldCast *cast, uint32_t gaps_with, bool lists_alone,
                                    sat_CastHit *first) {
  sat_PointShape point;
  sat_CastScene scene = {.shape = cast->shape,
                         .motion = cast->motion,
                         .gaps = cast->beside > 1,
                         .gaps_with = gaps_with,
                         .at_end = cast->ends_among,
                         .one_way = cast->shape != NULL,
                         .is_ray = !cast->shape};
  bool is_hit = first->other != SAT_NO_SHAPE;
  bool is_told = scene.gaps || (is_hit ? cast->is_tied || cast->misses : cast->ends_among);
  bool open_gaps = cast->besides > 1;
  sat_CastHit answer = *first;
  if (is_hit && cast->starts_inside) return SAT_OK; /* nothing comes before the start */
  if (!is_told && !open_gaps && (is_hit || !cast->ends_open)) return SAT_OK;
  sat_Status status = SAT_OK;
  if (!cast->shape) {
    status = sat_shape_init(&point.head, &cast->from, 1, 0);
    scene.shape = &point.head;
  }
  if (!status)
    status = tell_among_solids(cast, is_told && !lists_alone, open_gaps, &scene, &answer);
  if (status || answer.other == SAT_NO_SHAPE) return status;
  if (cast->shape && starts_inside_of(&answer.hit)) return start_in_gap(cast, &answer);
  *first = answer;
  return SAT_OK;
}

static sat_Status find_first(WorldCast *cast) {
  sat_World *world = cast->world;
  cast->first.other = SAT_NO_SHAPE;
  sat_begin_open(cast->filter, cast->all ? SIZE_MAX : 1);
  sat_world_flush(world);
  sat_Status status =
      cast->shape ? sat_tree_cast(&world->tree, cast->box, cast->motion.vector, visit_cast, cast)
                  : sat_quadtree_raycast(&world->tree, cast->from, cast->to, visit_cast, cast);
  if (!status) status = cast->status;
  if (cast->filter && cast->filter->open) {
    /* open shapes may be later than the hit by what rounding makes of one time */
    double near = SAT_ACTIVE * cast->motion.rounding / length(cast->motion.vector);
    const sat_Neighbor answer = {cast->first.hit.t + near, SAT_NO_SHAPE};
    bool is_hit = !cast->all && cast->first.other != SAT_NO_SHAPE;
    sat_end_open(cast->filter, is_hit ? &answer : NULL);
  }
  if (status || sat_has_open(cast->filter)) return status;
  return tell_cast_surface(cast, SAT_NO_SHAPE, false, &cast->first);
}

/* ---------------------------------------------------------------- the calls */

sat_Status sat_world_cast(sat_World *world, const sat_Shape *shape, sat_Vec2 motion,
                          const sat_QueryFilter *filter, sat_CastHit *first) {
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  sat_QueryFilter own = {.subject = shape, .also = filter};
  WorldCast cast = {.world = world,
                    .shape = shape,
                    .filter = &own,
                    .motion = {motion, 0, false, false},
                    .box = sat_box_of(shape),
                    .is_point = sat_is_bare_point(shape->vertex_count, shape->radius),
                    .is_thin = sat_is_solid(shape) && sat_may_run_along(shape)};
  if (filter) {
    own.sensors = SAT_SENSORS_TOO;
    own.decisions = filter->decisions;
    own.decision_count = filter->decision_count;
    own.open = filter->open;
  }
  sat_Status status = find_first(&cast);
  if (status) return status;
  *first = cast.first;
  return first->other == SAT_NO_SHAPE ? SAT_MISS : SAT_OK;
}

/* The cast of a ray. The tree computes the fraction at which it enters a box by other sums than
 * those of the hit, so a box may seem to come later than its hit. */
static WorldCast cast_of_ray(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                             const sat_QueryFilter *filter) {
  double way = fabs(to.x - from.x) + fabs(to.y - from.y);
  double size = fabs(from.x) + fabs(from.y) + fabs(to.x) + fabs(to.y);
  return (WorldCast){.world = world,
                     .from = from,
                     .to = to,
                     .filter = filter,
                     .motion = {sub(to, from), size * SAT_TOUCH_ERROR, false, false},
                     .box_error = way > 0 ? size / way * SAT_CAST_ERROR : 1,
                     .is_point = true,
                     .is_thin = true};
}

sat_Status sat_world_raycast(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                             const sat_QueryFilter *filter, sat_CastHit *first) {
  WorldCast ray = cast_of_ray(world, from, to, filter);
  sat_Status status = find_first(&ray);
  if (status) return status;
  *first = ray.first;
  return first->other == SAT_NO_SHAPE ? SAT_MISS : SAT_OK;
}

/* ---------------------------------------------------------------- all hits, in order */

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
  if (at == hits->count && SAT_LIST_ADD(hits, *first)) return SAT_ENOMEM;
  for (; at > 0; at--) hits->at[at] = hits->at[at - 1];
  hits->at[0] = *first;
  return SAT_OK;
}

/* Finds all hits, in order, in world->ray_hits. */
static sat_Status find_ray_hits(sat_World *world, sat_Vec2 from, sat_Vec2 to,
                                const sat_QueryFilter *filter) {
  WorldCast ray = cast_of_ray(world, from, to, filter);
  sat_CastHits *hits = &world->ray_hits;
  hits->count = 0;
  ray.all = true;
  sat_Status status = find_first(&ray);
  sat_CastHit none = {.other = SAT_NO_SHAPE};
  if (!status && ray.besides > ray.beside && !sat_has_open(filter))
    status = tell_cast_surface(&ray, SAT_NO_SHAPE, true, &none);
  for (size_t i = 0; !status && ray.beside > 1 && i < hits->count && !sat_has_open(filter); i++) {
    sat_CastHit between = {SAT_NO_SHAPE, hits->at[i].hit};
    if (hits->at[i].hit.t <= 1) continue;
    status = tell_cast_surface(&ray, hits->at[i].other, false, &between);
    if (between.other != SAT_NO_SHAPE) hits->at[i].hit = between.hit;
  }
  if (status || sat_has_open(filter)) return status;
  if (ray.beside > 1) { /* seams behind what stops a ray have no part in the first hit */
    WorldCast alone = cast_of_ray(world, from, to, filter);
    status = find_first(&alone);
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
  if (!status) status = SAT_LIST_APPEND(found, &world->ray_hits);
  return status;
}
