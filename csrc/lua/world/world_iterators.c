/* world_iterators.c: loops over the collisions, events, hits, carried and pushed shapes, rays and
 * nodes of a world, and its update. */
#include "lua/calls.h"
#include "lua/who.h"

/* The kinds of loops; the first three in the order of sat_EventKind. */
enum { BEGAN, PERSISTED, ENDED, COLLISIONS, OF_ONE, HITS, RAYCASTS, NODES, CARRIED, PUSHED, KINDS };

static const char *const names[KINDS] = {"began", "touching", "ended", "collisions", "collisions",
                                         "hits",  "raycasts", "nodes", "carried",    "pushed"};

/* The subject of a loop: a shape, or a ray. */
typedef struct LoopSubject {
  const sat_Shape *shape;
  sat_Vec2 from, to;
  const sat_QueryFilter *filter;
  int who; /* the stack index of an argument that gives the filter, or 0 */
} LoopSubject;

/* ---------------------------------------------------------------- beginning */

static sat_Status fill_world_snapshot(satlua_World *world, satlua_Snapshot *snapshot,
                                      const LoopSubject *subject) {
  switch (snapshot->kind) {
  case COLLISIONS: return sat_world_collisions(world->core, &snapshot->collisions);
  case OF_ONE: return sat_world_collisions_of(world->core, subject->shape, &snapshot->collisions);
  case NODES: return sat_world_nodes(world->core, &snapshot->nodes);
  case HITS: return sat_world_copy_hits(world->core, &snapshot->hits);
  case CARRIED: return sat_world_copy_moved(sat_world_carried(world->core), &snapshot->carried);
  case PUSHED: return sat_world_copy_moved(sat_world_pushed(world->core), &snapshot->carried);
  case RAYCASTS:
    return sat_world_raycast_hits(world->core, subject->from, subject->to, subject->filter,
                                  &snapshot->casts);
  default: return sat_world_events(world->core, (sat_EventKind)snapshot->kind, &snapshot->events);
  }
}

/* Reads who a ray asks about, and asks the function of `who`. */
static const sat_QueryFilter *ask_about_hits(lua_State *L, const LoopSubject *ray,
                                             satlua_Who *who) {
  satlua_who_read(L, ray->who, who);
  satlua_World *world = satlua_world_check(L);
  while (who->accept &&
         satlua_who_ask(L, who,
                        sat_world_raycast_all(world->core, ray->from, ray->to,
                                              satlua_who_filter(world, who), &world->found))) {
  }
  return satlua_who_filter(world, who);
}

/* A subject's shape is at index 2. If the shape is in no world, or in another, a table maps the
 * cursor to it; a shape of this world is known by its index. */
static int begin_world_loop(lua_State *L, satlua_World *world, int kind, LoopSubject *subject) {
  lua_settop(L, subject->who > 0 ? subject->who : 2);
  satlua_Cursor *cursor = satlua_cursor_push(L, &world->owner, SATLUA_UP_WORLD);
  int top = lua_gettop(L);
  satlua_Who who;
  if (subject->who > 0) subject->filter = ask_about_hits(L, subject, &who);
  lua_settop(L, top);
  world = satlua_world_check(L);
  if (kind == OF_ONE && !sat_world_has(world->core, subject->shape)) {
    satlua_push_state(L, SATLUA_WORLD_STATE_SUBJECTS);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, 2);
    lua_rawset(L, -3);
    lua_pop(L, 1);
  }
  satlua_Snapshot *snapshot = satlua_cursor_begin(cursor, &world->owner, kind);
  if (!snapshot) return satlua_raise_status(L, 1, SAT_ENOMEM);
  snapshot->born = sat_world_next_id(world->core);
  satlua_check_status(L, 2, fill_world_snapshot(world, snapshot, subject));
  snapshot->changes = sat_world_change_count(world->core);
  return satlua_cursor_return_loop(L, cursor, SATLUA_UP_WORLD);
}

static int begin_loop_of_all(lua_State *L, int kind) {
  return begin_world_loop(L, satlua_world_check(L), kind, &(LoopSubject){.who = 0});
}

static int world_collisions(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  if (lua_isnone(L, 2)) return begin_loop_of_all(L, COLLISIONS);
  LoopSubject subject = {.shape = satlua_check_shape(L, 2, "shape")};
  return begin_world_loop(L, world, OF_ONE, &subject);
}

static int world_raycasts(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  LoopSubject subject = {.who = 6};
  subject.from = satlua_check_vec2(L, 2, "x1", "y1");
  subject.to = satlua_check_vec2(L, 4, "x2", "y2");
  return begin_world_loop(L, world, RAYCASTS, &subject);
}

static int world_began(lua_State *L) { return begin_loop_of_all(L, BEGAN); }
static int world_touching(lua_State *L) { return begin_loop_of_all(L, PERSISTED); }
static int world_ended(lua_State *L) { return begin_loop_of_all(L, ENDED); }
static int world_nodes(lua_State *L) { return begin_loop_of_all(L, NODES); }
static int world_hits(lua_State *L) { return begin_loop_of_all(L, HITS); }
static int world_carried(lua_State *L) { return begin_loop_of_all(L, CARRIED); }
static int world_pushed(lua_State *L) { return begin_loop_of_all(L, PUSHED); }

/* ---------------------------------------------------------------- steps */

static satlua_Cursor *check_world_cursor(lua_State *L, int kind) {
  return satlua_cursor_check(L, kind, names[kind]);
}

static bool is_there(const satlua_World *world, const satlua_Snapshot *snapshot, uint32_t index) {
  uint64_t id = sat_world_id(world->core, index);
  return id != 0 && id < snapshot->born;
}

/* Brings a collision of a loop up to date. A subject in no world that has been collected cannot
 * have moved. */
static sat_Status refresh_collision(satlua_World *world, const satlua_Snapshot *snapshot,
                                    const sat_Shape *subject, sat_Collision *collision) {
  bool is_stray = collision->a == SAT_NO_SHAPE;
  if (!is_stray && !sat_world_has_changed_since(world->core, snapshot->changes)) return SAT_OK;
  if (!is_there(world, snapshot, collision->b)) return SAT_MISS;
  if (!is_stray && !is_there(world, snapshot, collision->a)) return SAT_MISS;
  if (!is_stray) return sat_world_refresh_collision(world->core, snapshot->changes, collision);
  if (!subject) return SAT_OK;
  return sat_world_refresh_collision_of(world->core, subject, collision);
}

/* Finds the next collision of a loop, brought up to date: shapes that have been removed or no
 * longer touch are skipped. SAT_MISS: no collision is left. */
static sat_Status next_found_collision(satlua_World *world, satlua_Snapshot *snapshot,
                                       const sat_Shape *subject, const sat_Collision **found) {
  while (snapshot && snapshot->position < snapshot->collisions.count) {
    sat_Collision *collision = &snapshot->collisions.at[snapshot->position];
    sat_Status status = refresh_collision(world, snapshot, subject, collision);
    if (status > SAT_MISS) return status;
    snapshot->position++;
    *found = collision;
    if (status == SAT_OK) return SAT_OK;
  }
  return SAT_MISS;
}

/* The subject of the loop of the cursor at index 1, if the next collision is that of a subject
 * outside the world; otherwise, and for a subject that has been collected, NULL. */
static const sat_Shape *get_stray(lua_State *L, const satlua_Snapshot *snapshot) {
  if (!snapshot || snapshot->position >= snapshot->collisions.count ||
      snapshot->collisions.at[snapshot->position].a != SAT_NO_SHAPE)
    return NULL;
  satlua_push_state(L, SATLUA_WORLD_STATE_SUBJECTS);
  lua_pushvalue(L, 1);
  lua_rawget(L, -2);
  const sat_Shape *subject = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return subject;
}

static int next_collision(lua_State *L, int kind) {
  satlua_Cursor *cursor = check_world_cursor(L, kind);
  satlua_Snapshot *snapshot = satlua_cursor_snapshot(cursor);
  const sat_Shape *subject = get_stray(L, snapshot);
  const sat_Collision *collision;
  sat_Status status =
      next_found_collision(satlua_handle_open(cursor->handle), snapshot, subject, &collision);
  if (status == SAT_MISS) return satlua_cursor_return_end(L, cursor);
  if (status) return satlua_raise_status(L, 1, status);
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  if (kind == COLLISIONS) lua_rawgeti(L, 2, (int)collision->a + 1);
  lua_rawgeti(L, 2, (int)collision->b + 1);
  lua_pushnumber(L, collision->dx + 0.0);
  lua_pushnumber(L, collision->dy + 0.0);
  lua_pushnumber(L, collision->depth);
  return kind == COLLISIONS ? 5 : 4;
}

static int next_of_all(lua_State *L) { return next_collision(L, COLLISIONS); }
static int next_of_one(lua_State *L) { return next_collision(L, OF_ONE); }

/* Pushes the shape with an id, which is in the world or in a table of removed shapes, at the state
 * table's place `removed` (0: no table). False: the shape is in neither. */
static bool push_known_shape(lua_State *L, const satlua_World *world, uint32_t index, uint64_t id,
                             int removed) {
  bool is_member = sat_world_id(world->core, index) == id;
  if (!is_member && removed == 0) return false;
  if (is_member) {
    satlua_world_push_shape(L, index);
  } else {
    satlua_push_state(L, removed);
    lua_pushnumber(L, (lua_Number)id);
    lua_rawget(L, -2);
    lua_remove(L, -2);
  }
  return !lua_isnil(L, -1);
}

static int next_event(lua_State *L, int kind) {
  satlua_Cursor *cursor = check_world_cursor(L, kind);
  const satlua_World *world = satlua_handle_open(cursor->handle);
  satlua_Snapshot *snapshot = satlua_cursor_snapshot(cursor);
  int removed = kind == ENDED && snapshot && world->has_ended ? SATLUA_WORLD_STATE_ENDED : 0;
  while (snapshot && snapshot->position < snapshot->events.count) {
    const sat_Event *event = &snapshot->events.at[snapshot->position++];
    if (push_known_shape(L, world, event->a, event->id_a, removed) &&
        push_known_shape(L, world, event->b, event->id_b, removed))
      return 2;
    lua_settop(L, 1);
  }
  return satlua_cursor_return_end(L, cursor);
}

static int next_began(lua_State *L) { return next_event(L, BEGAN); }
static int next_touching(lua_State *L) { return next_event(L, PERSISTED); }
static int next_ended(lua_State *L) { return next_event(L, ENDED); }

static int next_world_node(lua_State *L) { return satlua_cursor_next_node(L, NODES); }

/* Pushes the shape of a hit or of a carried entry, or returns false if it is neither in the world
 * nor kept. */
static bool push_hit_shape(lua_State *L, const satlua_Cursor *cursor, uint32_t index, uint64_t id) {
  const satlua_World *world = satlua_handle_open(cursor->handle);
  return push_known_shape(L, world, index, id, world->has_kept ? SATLUA_WORLD_STATE_KEPT : 0);
}

static int next_hit(lua_State *L) {
  satlua_Cursor *cursor = check_world_cursor(L, HITS);
  satlua_Snapshot *snapshot = satlua_cursor_snapshot(cursor);
  while (snapshot && snapshot->position < snapshot->hits.count) {
    const sat_MoveHit *hit = &snapshot->hits.at[snapshot->position++];
    if (push_hit_shape(L, cursor, hit->other, hit->id)) {
      satlua_push_vec2(L, hit->normal);
      lua_pushnumber(L, hit->t + 0.0);
      satlua_push_vec2(L, hit->point);
      lua_pushstring(L, satlua_response_names[hit->how]);
      lua_pushnumber(L, hit->parts.b + 1.0);
      lua_pushnumber(L, hit->parts.a + 1.0);
      return 9;
    }
    lua_settop(L, 1);
  }
  return satlua_cursor_return_end(L, cursor);
}

static int next_moved(lua_State *L, int kind) {
  satlua_Cursor *cursor = check_world_cursor(L, kind);
  satlua_Snapshot *snapshot = satlua_cursor_snapshot(cursor);
  while (snapshot && snapshot->position < snapshot->carried.count) {
    const sat_Carried *carried = &snapshot->carried.at[snapshot->position++];
    if (push_hit_shape(L, cursor, carried->other, carried->id)) {
      satlua_push_vec2(L, carried->motion);
      if (kind == CARRIED) lua_pushboolean(L, carried->crushed);
      return kind == CARRIED ? 4 : 3;
    }
    lua_settop(L, 1);
  }
  return satlua_cursor_return_end(L, cursor);
}

static int next_carried(lua_State *L) { return next_moved(L, CARRIED); }
static int next_pushed(lua_State *L) { return next_moved(L, PUSHED); }

/* The next hit of a loop whose shape is still in the world, or NULL. */
static const sat_CastHit *next_found_ray_hit(const satlua_World *world, satlua_Snapshot *snapshot) {
  while (snapshot && snapshot->position < snapshot->casts.count) {
    const sat_CastHit *cast = &snapshot->casts.at[snapshot->position++];
    if (is_there(world, snapshot, cast->other)) return cast;
  }
  return NULL;
}

static int next_ray_hit(lua_State *L) {
  satlua_Cursor *cursor = check_world_cursor(L, RAYCASTS);
  const sat_CastHit *cast =
      next_found_ray_hit(satlua_handle_open(cursor->handle), satlua_cursor_snapshot(cursor));
  if (!cast) return satlua_cursor_return_end(L, cursor);
  satlua_world_push_shape(L, cast->other);
  return 1 + satlua_push_hit(L, &cast->hit, false);
}

/* ---------------------------------------------------------------- updates */

/* Drops the shapes kept for the previous update's end events. */
static void swap_ended_tables(lua_State *L, satlua_World *world) {
  if (world->has_ended) satlua_world_forget(L, SATLUA_WORLD_STATE_ENDED);
  if (world->has_ending) {
    lua_getuservalue(L, 1);
    lua_rawgeti(L, -1, SATLUA_WORLD_STATE_ENDED);
    lua_rawgeti(L, -2, SATLUA_WORLD_STATE_ENDING);
    lua_rawseti(L, -3, SATLUA_WORLD_STATE_ENDED);
    lua_rawseti(L, -2, SATLUA_WORLD_STATE_ENDING);
    lua_pop(L, 1);
  }
  world->has_ended = world->has_ending;
  world->has_ending = false;
}

static int world_update(lua_State *L) {
  satlua_World *world = satlua_world_check_changing(L);
  lua_settop(L, 1);
  satlua_check_status(L, 2, sat_world_update(world->core));
  swap_ended_tables(L, world);
  lua_pushinteger(L, (lua_Integer)sat_world_event_count(world->core, SAT_BEGIN));
  lua_pushinteger(L, (lua_Integer)sat_world_event_count(world->core, SAT_END));
  return satlua_finish(L, 2);
}

/* ---------------------------------------------------------------- through the FFI */

static bool has_found(const satlua_Snapshot *snapshot) {
  if (snapshot->kind == HITS) return snapshot->hits.count > 0;
  if (snapshot->kind == RAYCASTS) return snapshot->casts.count > 0;
  return snapshot->collisions.count > 0;
}

/* Begins a loop with an idle cursor, and refuses a cursor that is not idle. */
static int begin_idle(const void *block, void *idle, int kind, const LoopSubject *subject) {
  satlua_World *world = satlua_handle_open(block);
  satlua_Cursor *cursor = idle;
  if (!world || world->owner.idle_cursors == 0 || cursor->handle != block || cursor->snapshot)
    return SATLUA_REFUSED;
  satlua_Snapshot *snapshot = satlua_cursor_begin(cursor, &world->owner, kind);
  if (!snapshot) return SATLUA_REFUSED;
  snapshot->born = sat_world_next_id(world->core);
  bool is_filled = fill_world_snapshot(world, snapshot, subject) == SAT_OK;
  snapshot->changes = sat_world_change_count(world->core);
  bool to_report = satlua_memory_has_unreported(&world->owner.memory);
  if (!is_filled || (!has_found(snapshot) && !to_report)) {
    satlua_cursor_cancel(cursor);
    return is_filled ? SATLUA_NOTHING : SATLUA_REFUSED;
  }
  satlua_cursor_count_memory(cursor);
  world->owner.idle_cursors--;
  return to_report ? SATLUA_TO_REPORT : SATLUA_BEGUN;
}

int satlua_call_begin_of_one(const void *world, void *cursor, const void *shape) {
  return begin_idle(world, cursor, OF_ONE, &(LoopSubject){.shape = shape});
}

int satlua_call_begin_hits(const void *world, void *cursor) {
  return begin_idle(world, cursor, HITS, &(LoopSubject){.shape = NULL});
}

int satlua_call_begin_raycasts(const void *world, void *cursor, double x1, double y1, double x2,
                               double y2, SATLUA_WHO) {
  const satlua_World *open = satlua_handle_open(world);
  LoopSubject ray = {.from = vec2(x1, y1), .to = vec2(x2, y2)};
  satlua_CallWho who;
  if (!open) return SATLUA_REFUSED;
  ray.filter = satlua_who_of_call(&who, open->core, SATLUA_WHO_GIVEN);
  return begin_idle(world, cursor, RAYCASTS, &ray);
}

static sat_Status collision_step(void *context, satlua_World *world, satlua_Snapshot *snapshot,
                                 const sat_Shape *subject) {
  const sat_Collision *collision;
  sat_Status status = next_found_collision(world, snapshot, subject, &collision);
  if (status != SAT_OK) return status;
  satlua_put_number(context, 0, (double)collision->a + 1);
  satlua_put_number(context, 1, (double)collision->b + 1);
  satlua_put_number(context, 2, collision->dx);
  satlua_put_number(context, 3, collision->dy);
  satlua_put_number(context, 4, collision->depth);
  return SAT_OK;
}

/* Only the function of the Lua API has access to shapes that have been removed. */
static sat_Status hit_step(void *context, const satlua_World *world, satlua_Snapshot *snapshot) {
  for (; snapshot->position < snapshot->hits.count; snapshot->position++) {
    const sat_MoveHit *hit = &snapshot->hits.at[snapshot->position];
    if (sat_world_id(world->core, hit->other) != hit->id) {
      if (world->has_kept) return SAT_ERANGE;
      continue;
    }
    snapshot->position++;
    satlua_put_number(context, 0, (double)hit->other + 1);
    satlua_put_vector(context, 2, hit->normal);
    satlua_put_number(context, 4, hit->t);
    satlua_put_vector(context, 5, hit->point);
    satlua_put_number(context, 7, hit->how);
    satlua_put_parts(context, 8, hit->parts);
    return SAT_OK;
  }
  return SAT_MISS;
}

static sat_Status ray_step(void *context, const satlua_World *world, satlua_Snapshot *snapshot) {
  const sat_CastHit *cast = next_found_ray_hit(world, snapshot);
  if (!cast) return SAT_MISS;
  satlua_put_number(context, 0, (double)cast->other + 1);
  satlua_put_number(context, 2, cast->hit.t);
  satlua_put_vector(context, 3, cast->hit.normal);
  satlua_put_vector(context, 5, cast->hit.point);
  satlua_put_parts(context, 7, cast->hit.parts);
  return SAT_OK;
}

/* `subject`: the shape that the loop is about, or NULL if there is none or if it has been
 * collected. */
static int step(void *context, void *block, int kind, const sat_Shape *subject) {
  satlua_Cursor *cursor = block;
  satlua_Snapshot *snapshot = satlua_cursor_snapshot(cursor);
  if (!snapshot) return SATLUA_OVER;
  if (snapshot->kind != kind) return SATLUA_REFUSED;
  satlua_World *world = satlua_handle_open(cursor->handle);
  sat_Status status = kind == HITS       ? hit_step(context, world, snapshot)
                      : kind == RAYCASTS ? ray_step(context, world, snapshot)
                                         : collision_step(context, world, snapshot, subject);
  if (status > SAT_MISS) return SATLUA_REFUSED;
  return status == SAT_OK ? satlua_next_serial(context) : satlua_cursor_end(cursor);
}

int satlua_call_next_of_one(void *context, void *cursor, const void *subject) {
  return step(context, cursor, OF_ONE, subject);
}
int satlua_call_next_collision(void *context, void *cursor) {
  return step(context, cursor, COLLISIONS, NULL);
}
int satlua_call_next_hit(void *context, void *cursor) { return step(context, cursor, HITS, NULL); }
int satlua_call_next_raycast(void *context, void *cursor) {
  return step(context, cursor, RAYCASTS, NULL);
}

const luaL_Reg satlua_world_iterators[] = {
    {"collisions", world_collisions},
    {"update", world_update},
    {"began", world_began},
    {"touching", world_touching},
    {"ended", world_ended},
    {"nodes", world_nodes},
    {"hits", world_hits},
    {"carried", world_carried},
    {"pushed", world_pushed},
    {"raycasts", world_raycasts},
    {NULL, NULL},
};

void satlua_world_set_iterators(lua_State *L, int metatable) {
  static const lua_CFunction next[KINDS] = {
      [BEGAN] = next_began,       [PERSISTED] = next_touching, [ENDED] = next_ended,
      [COLLISIONS] = next_of_all, [OF_ONE] = next_of_one,      [HITS] = next_hit,
      [RAYCASTS] = next_ray_hit,  [NODES] = next_world_node,   [CARRIED] = next_carried,
      [PUSHED] = next_pushed};
  satlua_cursor_set_metatable(L, metatable, next, KINDS);
}
