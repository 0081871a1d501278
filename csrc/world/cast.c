/* cast.c: finds the first shape that a moving shape hits. */
#include "world/move.h"
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

static sat_Status cast_at_shape(WorldCast *cast, uint32_t index) {
  const sat_Shape *other = sat_entry_shape(cast->world, index);
  sat_Hit hit;
  bool through = false;
  if (other == cast->shape || !sat_is_solid(other) || !sat_shapes_filter(cast->shape, other))
    return SAT_OK;
  sat_Status status = sat_cast(cast->shape, cast->motion, other, &cast->world->scratch, &hit);
  if (status > SAT_MISS) return status;
  bool is_hit = status == SAT_OK;
  status = is_hit ? passes_one_way(cast, other, &hit, &through) : SAT_OK;
  if (!status && is_hit && !through) sat_keep_first_hit(&cast->first, index, &hit);
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

static double visit_cast(void *context, sat_Item item, double box_t) {
  WorldCast *cast = context;
  (void)box_t;
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
  sat_CastHit hit = earliest(&cast);
  if (!status && hit.other == SAT_NO_SHAPE) status = SAT_MISS;
  if (!status) *first = hit;
  return status;
}
