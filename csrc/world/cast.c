/* cast.c: finds the first shape that a moving shape hits. */
#include "base/box.h"
#include "narrowphase/collide.h"
#include "narrowphase/configuration_space.h"
#include "world/world.h"

typedef struct WorldCast {
  sat_World *world;
  const sat_Shape *shape;
  sat_QueryFilter filter;
  sat_Rectangle box;
  sat_Vec2 motion;
  sat_CastHit first;
  sat_Status status;
  bool is_tied;    /* several normals may be right where it is hit */
  bool ends_at;    /* a solid's box is at the end of the motion, and */
  bool ends_among; /* so are several */
  bool is_thin;    /* the shape has pieces without width, which may run along seams */
  uint32_t beside; /* the number of solids along which such pieces run */
} WorldCast;

/* Gathers the solids that the shape of a scene meets around a place, and where seams count on the
 * way there. The list lies in the world's memory for compounds. */
static sat_Status gather_solids(sat_World *world, const sat_QueryFilter *filter, sat_Vec2 place,
                                sat_CastScene *scene) {
  sat_Rectangle box = sat_box_of(scene->shape);
  sat_Box range = {place, place};
  if (scene->gaps) sat_extend_box(&range, vec2(0, 0));
  range = box_moved(range, vec2(0, 0), SAT_FELT * scene->motion.rounding);
  sat_Status status = sat_world_query_boxes(
      world, (sat_Rectangle){box.x + range.min.x, box.y + range.min.y,
                             box.w + range.max.x - range.min.x, box.h + range.max.y - range.min.y});
  if (status || world->near.count == 0) return status;
  sat_CastSolid *solids =
      sat_scratch_reserve(&world->compound_scratch, world->near.count * sizeof *solids);
  if (!solids) return SAT_ENOMEM;
  for (size_t i = 0; i < world->near.count; i++) {
    uint32_t index = world->near.at[i];
    if (sat_is_admitted(filter, sat_entry_shape(world, index), false))
      solids[scene->count++] =
          (sat_CastSolid){sat_entry_shape(world, index), index, world->entries[index].id};
  }
  scene->solids = solids;
  return SAT_OK;
}

sat_Status sat_world_tell_surface(sat_World *world, const sat_QueryFilter *filter,
                                  sat_CastScene *scene, sat_CastHit *first) {
  const sat_Box all = {vec2(-SAT_LIMIT, -SAT_LIMIT), vec2(SAT_LIMIT, SAT_LIMIT)};
  sat_Vec2 place = mul(scene->motion.vector, first->other == SAT_NO_SHAPE ? 1 : first->hit.t);
  scene->motion.rounding = sat_rounding_of_way(sat_shape_bounds(scene->shape), place, all);
  sat_Status status = gather_solids(world, filter, place, scene);
  if (status || scene->count < 2) return status;
  return sat_tell_real_surface(scene, &world->scratch, &first->other, &first->hit);
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

/* Whether a motion leads out of a one-way platform, which lets it through wherever it is hit. */
static bool leaves_one_way(const sat_Shape *other, sat_Vec2 motion) {
  sat_Vec2 open;
  return sat_shape_one_way(other, &open) && dot(motion, open) >= -SAT_LEAST_FACING * length(motion);
}

static sat_Status cast_at_shape(WorldCast *cast, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(cast->world, index);
  sat_CastNotes notes = {.one_way = true};
  sat_Hit hit;
  bool through = false;
  sat_Status status =
      sat_cast_noting(cast->shape, cast->motion, other, &cast->world->scratch, &notes, &hit);
  if (status > SAT_MISS) return status;
  cast->beside += cast->is_thin && notes.runs_along;
  if (status == SAT_MISS) return SAT_OK;
  if (leaves_one_way(other, cast->motion)) return SAT_OK;
  status = sat_world_passes_side(cast->world, cast->shape, other, hit.normal, hit.t == 0, &through);
  if (status || through) return status;
  sat_Motion motion = {cast->motion, sat_touch_rounding(cast->shape, other), false, false};
  bool is_first = cast->first.other == SAT_NO_SHAPE;
  sat_note_tie(&cast->is_tied, is_first ? NULL : &cast->first.hit, &hit, motion);
  cast->is_tied = cast->is_tied || (notes.is_tied && (is_first || hit.t <= cast->first.hit.t));
  sat_keep_first_hit(&cast->first, index, &hit);
  return SAT_OK;
}

/* Notes which boxes are at the end of the motion, and are led into: solids that meet there may be
 * touched though each of them alone is missed. */
static void note_end(WorldCast *cast, uint32_t index) {
  sat_Rectangle own = cast->box, other = sat_quadtree_box(&cast->world->tree, index);
  double x = own.x + cast->motion.x, y = own.y + cast->motion.y;
  double out = (fabs(x) + fabs(y) + own.w + own.h) * SAT_LOOSE_ERROR;
  if (other.x > x + own.w + out || other.x + other.w < x - out || other.y > y + own.h + out ||
      other.y + other.h < y - out ||
      boxes_lead_past(sat_shape_bounds(cast->shape),
                      sat_shape_bounds(sat_entry_shape(cast->world, index)), cast->motion))
    return;
  cast->ends_among = cast->ends_among || cast->ends_at;
  cast->ends_at = true;
}

static double visit_cast(void *context, sat_Item item, double box_t) {
  WorldCast *cast = context;
  (void)box_t;
  if (sat_is_admitted(&cast->filter, sat_entry_shape(cast->world, item), false)) {
    cast->status = cast_at_shape(cast, item);
    if (cast->status) return -1;
    if (cast->first.other == SAT_NO_SHAPE) note_end(cast, item);
  }
  return cast->first.other == SAT_NO_SHAPE ? 1 : cast->first.hit.t * (1 + SAT_LOOSE_ERROR);
}

/* A shape that starts on a seam, inside of the union of the solids there, hits the seam if its
 * motion leads deeper in. */
static sat_Status start_in_gap(WorldCast *cast, const sat_CastHit *between) {
  sat_World *world = cast->world;
  const sat_Shape *other = sat_entry_shape(world, between->other);
  sat_Result way;
  sat_Manifold manifold = {.points = {between->hit.point}};
  sat_Status status = sat_world_collide(world, (sat_Shape *)cast->shape, &way);
  if (status || !sat_leads_deeper(cast->motion, way.normal)) return status == SAT_MISS ? 0 : status;
  status = sat_contacts(cast->shape, other, &world->scratch, &manifold);
  if (status > SAT_MISS) return status;
  cast->first = (sat_CastHit){between->other, {0, way.normal, manifold.points[0], {0, 0}}};
  return sat_deepest_parts(cast->shape, other, &way.normal, &world->scratch,
                           &cast->first.hit.parts);
}

/* Tells the surface of the union of the solids that is met. */
static sat_Status tell_cast_surface(WorldCast *cast) {
  sat_CastScene scene = {.shape = cast->shape,
                         .motion = {cast->motion, 0, false, false},
                         .gaps = cast->beside > 1,
                         .gaps_with = SAT_NO_SHAPE,
                         .at_end = cast->ends_among,
                         .one_way = true};
  sat_CastHit answer = cast->first;
  sat_Status status = sat_world_tell_surface(cast->world, &cast->filter, &scene, &answer);
  if (status || answer.other == SAT_NO_SHAPE) return status;
  if (answer.hit.normal.x == 0 && answer.hit.normal.y == 0) return start_in_gap(cast, &answer);
  cast->first = answer;
  return SAT_OK;
}

sat_Status sat_world_cast(sat_World *world, const sat_Shape *shape, sat_Vec2 motion,
                          const sat_QueryFilter *filter, sat_CastHit *first) {
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  WorldCast cast = {.world = world, .shape = shape, .box = sat_box_of(shape), .motion = motion};
  cast.filter.subject = shape;
  cast.filter.also = filter;
  if (filter) cast.filter.sensors = SAT_SENSORS_TOO;
  cast.first.other = SAT_NO_SHAPE;
  cast.is_thin = sat_is_solid(shape) && sat_may_run_along(shape);
  sat_world_flush(world);
  sat_Status status = sat_tree_cast(&world->tree, cast.box, motion, visit_cast, &cast);
  if (!status) status = cast.status;
  bool is_hit = cast.first.other != SAT_NO_SHAPE;
  if (!status && (cast.beside > 1 || (is_hit ? cast.is_tied : cast.ends_among)))
    status = tell_cast_surface(&cast);
  if (status) return status;
  *first = cast.first;
  return first->other == SAT_NO_SHAPE ? SAT_MISS : SAT_OK;
}
