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
  bool runs_along;     /* the shape may run along a seam */
  bool leaves; /* the shape starts inside the union of the solids around it, and leaves it */
} WorldCast;

static const sat_CastHit NO_HIT = {SAT_NO_SHAPE, {0, {0, 0}, {0, 0}}};

/* The earliest hit so far. */
static sat_CastHit earliest(const WorldCast *cast) {
  sat_CastHit first = cast->first;
  if (cast->between.other != SAT_NO_SHAPE && !cast->leaves)
    sat_keep_first_hit(&first, cast->between.other, &cast->between.hit);
  return first;
}

/* The fractions of the motion at which the moving box begins and ceases to overlap a resting one in
 * one coordinate, rounded outward. */
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
  sat_CastHit first = earliest(cast);
  double enter = 0, leave = first.other == SAT_NO_SHAPE ? 1 : first.hit.t;
  leave += leave * SAT_LOOSE_ERROR;
  overlap_time(own.x, own.x + own.w, cast->motion.x, other.x, other.x + other.w, &enter, &leave);
  overlap_time(own.y, own.y + own.h, cast->motion.y, other.y, other.y + other.h, &enter, &leave);
  return enter <= leave;
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
  if (!may_be_first(cast, index)) return SAT_OK;
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
  return status ? status : resolve_cast_start(cast);
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
    sat_CastHit first = earliest(cast);
    if (first.other != SAT_NO_SHAPE && first.hit.t < to * (1 - SAT_LAST_STEP_ERROR)) break;
    from = to;
    step *= 2;
  }
  return earliest(cast).other == SAT_NO_SHAPE ? SAT_MISS : SAT_OK;
}

sat_Status sat_world_cast(sat_World *world, const sat_Shape *shape, sat_Vec2 motion,
                          sat_CastHit *first) {
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  WorldCast cast = {.world = world, .shape = shape, .box = sat_box_of(shape), .motion = motion};
  cast.first = cast.between = cast.start = NO_HIT;
  cast.runs_along = sat_is_solid(shape) && sat_may_run_along(shape);
  world->tangents.count = 0;
  sat_Status status = cast_in_steps(&cast);
  if (status == SAT_OK) *first = earliest(&cast);
  return status;
}
