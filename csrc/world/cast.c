/* cast.c: finds the first shape that a moving shape hits. */
#include "base/box.h"
#include "narrowphase/collide.h"
#include "narrowphase/configuration_space.h"
#include "world/filter.h"

typedef struct WorldCast {
  sat_World *world;
  const sat_Shape *shape;
  sat_QueryFilter filter;
  sat_Rectangle box;
  sat_Vec2 motion;
  sat_CastHit first;
  sat_Status status;
  double rounding;  /* the greatest of those of the pairs that hit */
  bool is_tied;     /* several normals may be right where it is hit */
  bool misses;      /* a solid on the line of something thin is missed */
  bool is_point;    /* what goes on into a union goes on into a solid, or along a seam */
  bool ends_at;     /* a solid's box is at the end of the motion, and */
  bool ends_among;  /* so are several */
  bool is_thin;     /* the shape has pieces without width, which may run along seams */
  uint32_t beside;  /* the number of solids along which such pieces run */
  bool ends_open;   /* an open solid's box is at the end, or several are there */
  uint32_t besides; /* open solids included */
} WorldCast;

/* Gathers the solids that the shape of a scene meets around a place, and where seams count on the
 * way there, with or without open ones. The lists lie in the world's memory for compounds. */
static sat_Status gather_solids(sat_World *world, const sat_QueryFilter *filter, bool with_open,
                                sat_Vec2 place, sat_CastScene *scene) {
  sat_Rectangle box = sat_box_of(scene->shape);
  sat_Box range = {place, place};
  if (scene->gaps) sat_extend_box(&range, vec2(0, 0));
  range = box_moved(range, vec2(0, 0), SAT_FELT * scene->motion.rounding);
  sat_Status status = sat_world_query_boxes(
      world, (sat_Rectangle){box.x + range.min.x, box.y + range.min.y,
                             box.w + range.max.x - range.min.x, box.h + range.max.y - range.min.y});
  scene->count = 0;
  if (status || world->near.count == 0) return status;
  sat_CastSolid *solids =
      sat_scratch_reserve(&world->compound_scratch, world->near.count * (sizeof *solids + 1));
  if (!solids) return SAT_ENOMEM;
  for (size_t i = 0; i < world->near.count; i++) {
    uint32_t index = world->near.at[i];
    const sat_Shape *shape = sat_entry_shape(world, index);
    if (sat_is_admitted(filter, shape, false) && (with_open || !sat_is_open(filter, shape)))
      solids[scene->count++] = (sat_CastSolid){shape, index, world->entries[index].id};
  }
  scene->solids = solids;
  scene->felt = with_open ? (bool *)(solids + scene->count) : NULL;
  return SAT_OK;
}

/* Tells the surface that solids which count show where the shape of a scene is, if there are that
 * many. */
static sat_Status tell_surface(sat_World *world, const sat_QueryFilter *filter, sat_Vec2 place,
                               size_t least, sat_CastScene *scene, sat_CastHit *first) {
  sat_Status status = gather_solids(world, filter, false, place, scene);
  if (status || scene->count < least) return status;
  return sat_tell_real_surface(scene, &world->scratch, &first->other, &first->hit);
}

/* Lists the open solids that would be part of the surface that is met, or of a seam before it, or
 * all on the way. */
static sat_Status list_felt(sat_World *world, const sat_QueryFilter *filter, sat_CastScene *scene,
                            sat_CastHit first, bool all) {
  bool is_whole = (all && scene->gaps) || first.other == SAT_NO_SHAPE;
  sat_Vec2 place = mul(scene->motion.vector, is_whole ? 1 : first.hit.t);
  filter->open->wanted = SIZE_MAX;
  sat_Status status = gather_solids(world, filter, true, place, scene);
  if (!status && scene->count > 0)
    status = sat_tell_real_surface(scene, &world->scratch, &first.other, &first.hit);
  for (size_t i = 0; !status && i < scene->count; i++)
    if ((all || scene->felt[i]) && sat_is_open(filter, scene->solids[i].shape))
      status = sat_list_open(filter, scene->solids[i].number, HUGE_VAL);
  return status;
}

/* Open solids may decide whether a surface is told at all: then both answers are to be alike. */
sat_Status sat_world_tell_surface(sat_World *world, const sat_QueryFilter *filter, bool is_told,
                                  bool open_gaps, sat_CastScene *scene, sat_CastHit *first) {
  const sat_Box all = {vec2(-SAT_LIMIT, -SAT_LIMIT), vec2(SAT_LIMIT, SAT_LIMIT)};
  sat_Vec2 place = mul(scene->motion.vector, first->other == SAT_NO_SHAPE ? 1 : first->hit.t);
  scene->motion.rounding = sat_rounding_of_way(sat_shape_bounds(scene->shape), place, all);
  sat_CastHit other = *first;
  sat_Status status = is_told ? tell_surface(world, filter, place, 2, scene, first) : SAT_OK;
  if (status || !filter || !filter->open) return status;
  scene->gaps = open_gaps;
  scene->at_end = scene->one_way;
  scene->in_company = true;
  status = tell_surface(world, filter, place, 1, scene, &other);
  bool differs = other.other != first->other || other.hit.t != first->hit.t ||
                 other.hit.normal.x != first->hit.normal.x ||
                 other.hit.normal.y != first->hit.normal.y;
  return status ? status : list_felt(world, filter, scene, *first, differs);
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
  bool is_open = sat_is_open(&cast->filter, other);
  bool is_beside = cast->is_thin && (notes.beside & SAT_ON_BOTH_HANDS) != 0;
  cast->besides += is_beside;
  cast->beside += is_beside && !is_open;
  cast->misses = cast->misses || (cast->is_thin && notes.beside != 0);
  if (status == SAT_MISS) return SAT_OK;
  if (leaves_one_way(other, cast->motion)) return SAT_OK;
  status = sat_world_passes_side(cast->world, cast->shape, other, hit.normal, hit.t == 0, &through);
  if (status || through) return status;
  sat_Motion motion = {cast->motion, sat_touch_rounding(cast->shape, other), false, false};
  cast->rounding = max2(cast->rounding, motion.rounding);
  if (is_open) return sat_list_open(&cast->filter, index, hit.t);
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
  bool is_open = sat_is_open(&cast->filter, sat_entry_shape(cast->world, index));
  cast->ends_open = cast->ends_open || is_open;
  cast->ends_among = cast->ends_among || (cast->ends_at && !is_open);
  cast->ends_at = cast->ends_at || !is_open;
}

static double visit_cast(void *context, sat_Item item, double box_t) {
  WorldCast *cast = context;
  (void)box_t;
  if (sat_is_admitted(&cast->filter, sat_entry_shape(cast->world, item), false)) {
    cast->status = cast_at_shape(cast, item);
    if (cast->status) return -1;
    if (cast->first.other == SAT_NO_SHAPE && !cast->is_point) note_end(cast, item);
  }
  double limit = cast->first.other == SAT_NO_SHAPE ? 1 : cast->first.hit.t;
  return sat_open_limit(&cast->filter, limit) * (1 + SAT_LOOSE_ERROR);
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
      sat_world_way_out(world, (sat_Shape *)cast->shape, is_two_way, &cast->filter, &way);
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
  bool is_hit = cast->first.other != SAT_NO_SHAPE;
  bool is_told = cast->beside > 1 || (is_hit ? cast->is_tied || cast->misses : cast->ends_among);
  bool open_gaps = cast->besides > 1;
  sat_CastHit answer = cast->first;
  if (!is_told && !open_gaps && (is_hit || !cast->ends_open)) return SAT_OK;
  sat_Status status =
      sat_world_tell_surface(cast->world, &cast->filter, is_told, open_gaps, &scene, &answer);
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
  if (filter) {
    cast.filter.sensors = SAT_SENSORS_TOO;
    cast.filter.decisions = filter->decisions;
    cast.filter.decision_count = filter->decision_count;
    cast.filter.open = filter->open;
    sat_begin_open(filter, 1);
  }
  cast.first.other = SAT_NO_SHAPE;
  cast.is_point = shape->vertex_count == 1 && shape->radius == 0;
  cast.is_thin = sat_is_solid(shape) && sat_may_run_along(shape);
  sat_world_flush(world);
  sat_Status status = sat_tree_cast(&world->tree, cast.box, motion, visit_cast, &cast);
  if (!status) status = cast.status;
  if (filter)
    sat_end_open_hits(&cast.filter, &cast.first, (sat_Motion){motion, cast.rounding, false, false});
  if (!status && !sat_has_open(&cast.filter)) status = tell_cast_surface(&cast);
  if (status) return status;
  *first = cast.first;
  return first->other == SAT_NO_SHAPE ? SAT_MISS : SAT_OK;
}
