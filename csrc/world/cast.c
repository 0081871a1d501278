/* cast.c: finds the first shape that a moving shape hits. */
#include "base/box.h"
#include "narrowphase/convex_pair.h"
#include "world/world.h"
#include "world/abutting.h"

typedef struct WorldCast {
  sat_World *world;
  const sat_Shape *shape;
  sat_Rectangle box;
  sat_Vec2 motion;
  sat_CastHit first;   /* of a shape alone, */
  sat_CastHit between; /* of a seam, */
  sat_CastHit start;   /* and of a seam that the shape starts on */
  sat_Status status;
  bool is_tied;    /* several shapes are hit at once */
  bool ends_at;    /* a solid's box is at the end of the motion, and */
  bool ends_among; /* so are several */
  bool runs_along; /* the shape may run along a seam */
  bool leaves;     /* the shape starts inside the union of the solids around it, and leaves it */
} WorldCast;

static const sat_CastHit NO_HIT = {SAT_NO_SHAPE, {0, {0, 0}, {0, 0}}};

/* The earliest hit so far. */
static sat_CastHit earliest(const WorldCast *cast) {
  sat_CastHit first = cast->first;
  if (cast->between.other != SAT_NO_SHAPE && !cast->leaves)
    sat_keep_first_hit(&first, cast->between.other, &cast->between.hit);
  return first;
}

/* Whether a one-way platform that is hit lets the shape through: it comes from another side, or is
 * inside of the platform. */
static sat_Status passes_one_way(const WorldCast *cast, const sat_Shape *other, const sat_Hit *hit,
                                 bool *through) {
  sat_Vec2 open;
  sat_Result way;
  *through = false;
  if (!sat_shape_one_way(other, &open)) return SAT_OK;
  *through = dot(cast->motion, open) >= -SAT_LEAST_FACING * length(cast->motion) ||
             dot(hit->normal, open) <= SAT_LEAST_FACING;
  if (*through || hit->t > 0) return SAT_OK;
  sat_Status status = sat_collide(cast->shape, other, &cast->world->scratch, &way);
  *through = status == SAT_OK && way.depth > sat_touch_rounding(cast->shape, other);
  return status == SAT_MISS ? SAT_OK : status;
}

static sat_Status meet_abutting(void *context, uint32_t one, uint32_t other, const sat_Hit *hit) {
  WorldCast *cast = context;
  sat_CastHit *kept = hit->t > 0 ? &cast->between : &cast->start;
  sat_keep_first_hit(kept, one, hit);
  sat_keep_first_hit(kept, other, hit);
  return SAT_OK;
}

static sat_Status find_abutting_with(WorldCast *cast, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(cast->world, index);
  sat_PieceTangents *tangents = &cast->world->tangents;
  sat_Motion motion = {cast->motion, sat_touch_rounding(cast->shape, other), false, false};
  size_t before = tangents->count;
  sat_Vec2 open;
  if (sat_shape_one_way(other, &open)) return SAT_OK;
  sat_Status status = sat_cast_tangents(cast->shape, motion, other, index, tangents);
  return status ? status : sat_find_abutting(tangents, before, cast->motion, meet_abutting, cast);
}

static bool is_obstacle(const WorldCast *cast, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(cast->world, index);
  return other != cast->shape && sat_is_solid(other) && sat_shapes_filter(cast->shape, other);
}

static sat_Status cast_at_shape(WorldCast *cast, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(cast->world, index);
  sat_Hit hit;
  bool through = false;
  if (!is_obstacle(cast, index)) return SAT_OK;
  sat_Status status = sat_cast(cast->shape, cast->motion, other, &cast->world->scratch, &hit);
  if (status > SAT_MISS) return status;
  bool is_hit = status == SAT_OK;
  status = is_hit ? passes_one_way(cast, other, &hit, &through) : SAT_OK;
  if (!status && is_hit && !through) {
    sat_Motion motion = {cast->motion, sat_touch_rounding(cast->shape, other), false, false};
    double best = cast->first.other == SAT_NO_SHAPE ? HUGE_VAL : cast->first.hit.t;
    sat_note_tie(&cast->is_tied, best, hit.t, motion);
    sat_keep_first_hit(&cast->first, index, &hit);
  }
  if (status || !cast->runs_along || cast->leaves) return status;
  return find_abutting_with(cast, index);
}

/* Makes a compound of the solids around the shape, of more and more until the way out of the
 * compound leads to no other solid. */
static sat_Status make_surroundings(const WorldCast *cast, sat_Shape **compound) {
  sat_QueryFilter filter = {cast->shape, 0};
  double distance = 0;
  for (;;) {
    sat_Result way;
    sat_Status status = sat_compound_around(cast->world, cast->shape, &filter, distance, compound);
    if (!status) status = sat_collide(cast->shape, *compound, &cast->world->scratch, &way);
    if (status == SAT_MISS) return SAT_OK;
    if (status || way.depth <= distance) return status;
    distance = max2(2 * distance, way.depth);
  }
}

/* A cast that starts on a shared edge is inside the union of the solids around it, or on its
 * boundary. */
static sat_Status resolve_cast_start(WorldCast *cast) {
  sat_Shape *compound;
  sat_Hit hit;
  if (cast->start.other == SAT_NO_SHAPE || cast->leaves) return SAT_OK;
  uint32_t other = cast->start.other;
  cast->start = NO_HIT;
  sat_Status status = make_surroundings(cast, &compound);
  if (status) return status == SAT_ERANGE || status == SAT_EDEEP ? SAT_OK : status;
  status = sat_cast(cast->shape, cast->motion, compound, &cast->world->scratch, &hit);
  if (status > SAT_MISS) return status;
  cast->leaves = status == SAT_MISS;
  if (!cast->leaves) sat_keep_first_hit(&cast->between, other, &hit);
  return SAT_OK;
}

/* Notes which boxes are at the end of the motion: solids that meet there may be touched though each
 * of them alone is missed. */
static void note_end(WorldCast *cast, uint32_t index) {
  sat_Rectangle own = cast->box, other = sat_quadtree_box(&cast->world->tree, index);
  double x = own.x + cast->motion.x, y = own.y + cast->motion.y;
  double out = (fabs(x) + fabs(y) + own.w + own.h) * SAT_LOOSE_ERROR;
  if (other.x > x + own.w + out || other.x + other.w < x - out || other.y > y + own.h + out ||
      other.y + other.h < y - out || !is_obstacle(cast, index))
    return;
  cast->ends_among = cast->ends_among || cast->ends_at;
  cast->ends_at = true;
}

static double visit_cast(void *context, sat_Item item, double box_t) {
  WorldCast *cast = context;
  (void)box_t;
  note_end(cast, item);
  cast->status = cast_at_shape(cast, item);
  if (cast->status) return -1;
  sat_CastHit first = earliest(cast);
  return first.other == SAT_NO_SHAPE ? 1 : first.hit.t * (1 + SAT_LOOSE_ERROR);
}

static sat_Status walk_cast(WorldCast *cast) {
  sat_world_flush(cast->world);
  sat_Status status = sat_tree_cast(&cast->world->tree, cast->box, cast->motion, visit_cast, cast);
  return status ? status : cast->status;
}

/* The surface that the union of the solids shows at the place of a hit, or at the end. */
static sat_Status surface_met(WorldCast *cast, const sat_CastHit *first, const sat_Surface **met) {
  sat_World *world = cast->world;
  sat_Space *space = &world->cast_space;
  sat_Way *way = &world->cast_way;
  const sat_Box none = sat_no_box(),
                all = {vec2(-SAT_LIMIT, -SAT_LIMIT), vec2(SAT_LIMIT, SAT_LIMIT)};
  bool is_hit = first->other != SAT_NO_SHAPE;
  sat_Vec2 place = is_hit ? mul(cast->motion, first->hit.t) : cast->motion;
  double r = sat_rounding_of_way(sat_shape_bounds(cast->shape), place, all);
  sat_Box range = box_moved((sat_Box){place, place}, vec2(0, 0), SAT_FELT * r);
  sat_Rectangle box = cast->box;
  *met = NULL;
  sat_Status status = sat_world_query_boxes(
      world, (sat_Rectangle){box.x + range.min.x, box.y + range.min.y,
                             box.w + range.max.x - range.min.x, box.h + range.max.y - range.min.y});
  sat_space_clear(space, r);
  size_t others = 0; /* what one composite shows is known */
  for (size_t i = 0; !status && i < world->near.count; i++)
    others += world->near.at[i] != first->other && is_obstacle(cast, world->near.at[i]);
  for (size_t i = 0; !status && others > 0 && i < world->near.count; i++) {
    uint32_t index = world->near.at[i];
    if (is_obstacle(cast, index))
      status = sat_space_add(space, cast->shape, sat_entry_shape(world, index), &range, &none,
                             index, world->entries[index].id);
  }
  if (status || space->obstacles.count < 2) return status;
  status = sat_space_finish(space, 0);
  if (!status)
    *met = is_hit ? sat_space_surface_met(space, way, place, cast->motion)
                  : sat_space_surface_touched(space, way, cast->motion);
  return status ? status : space->status;
}

/* Where several surfaces meet, a hit tells one that the union of the solids really shows. Without a
 * hit tells what the motion touches at its end where solids meet, which each alone lets pass. */
static sat_Status tell_real_surface(WorldCast *cast, sat_CastHit *first) {
  sat_World *world = cast->world;
  const sat_Surface *met, *named;
  bool is_hit = first->other != SAT_NO_SHAPE;
  sat_Status status = surface_met(cast, first, &met);
  if (status || !met || (is_hit && dot(met->normal, first->hit.normal) >= 1 - SAT_SAME_NORMAL))
    return status;
  named = met;
  for (size_t i = 0; i < world->cast_way.bars.count; i++) {
    const sat_Surface *bar = &world->cast_way.bars.at[i];
    uint64_t order = sat_obstacle_of(&world->cast_space, bar)->order;
    bool is_older = order < sat_obstacle_of(&world->cast_space, named)->order;
    if (is_older && sat_surfaces_agree(bar, met)) named = bar;
  }
  first->other = sat_obstacle_of(&world->cast_space, named)->solid;
  sat_surface_tell(&world->cast_space, named,
                   is_hit ? mul(cast->motion, first->hit.t) : cast->motion, cast->shape,
                   sat_entry_shape(world, first->other), is_hit, &first->hit);
  return SAT_OK;
}

/* Whether other solids may hide the surface of a hit, or solids that meet may be touched though
 * each of them is missed. */
static bool may_be_hidden(const WorldCast *cast, const sat_CastHit *first) {
  if (first->other == SAT_NO_SHAPE) return cast->ends_among;
  const sat_Shape *other = sat_entry_shape(cast->world, first->other);
  if (cast->is_tied || is_composite(cast->shape) || is_composite(other)) return true;
  sat_Motion motion = {cast->motion, sat_touch_rounding(cast->shape, other), false, false};
  sat_Pair pair = sat_convex_pair(cast->shape, other);
  return sat_is_corner_hit(&pair, motion, &first->hit);
}

sat_Status sat_world_cast(sat_World *world, const sat_Shape *shape, sat_Vec2 motion,
                          sat_CastHit *first) {
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  WorldCast cast = {.world = world, .shape = shape, .box = sat_box_of(shape), .motion = motion};
  cast.first = cast.between = cast.start = NO_HIT;
  cast.runs_along = sat_is_solid(shape) && sat_may_run_along(shape);
  world->tangents.count = 0;
  sat_Status status = walk_cast(&cast);
  if (!status) status = resolve_cast_start(&cast);
  if (!status && cast.leaves) status = walk_cast(&cast); /* the seams do not count then */
  if (status) return status;
  *first = earliest(&cast);
  status = may_be_hidden(&cast, first) ? tell_real_surface(&cast, first) : SAT_OK;
  return status || first->other != SAT_NO_SHAPE ? status : SAT_MISS;
}
