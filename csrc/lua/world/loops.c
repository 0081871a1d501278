/* loops.c: the beginnings of loops over worlds, and the steps of all loops over worlds and
 * quadtrees, as an iterator and as a call.
 *
 * A step leaves its results in the context, like the answer of a call: numbers, and for a shape or
 * an item its place among the members of the state table. A shape that has been removed is minus
 * its id there: it may be in one of the tables of removed shapes. */
#include "lua/quadtree/quadtree_state.h"
#include "lua/world/world_state.h"

/* ---------------------------------------------------------------- beginning */

/* The loop may be about the shape or the ray of a query. */
static sat_Status fill_world_snapshot(satlua_World *world, satlua_Snapshot *snapshot,
                                      const satlua_Query *query, const sat_QueryFilter *filter) {
  switch (snapshot->kind) {
  case SATLUA_LOOP_COLLISIONS: return sat_world_collisions(world->core, &snapshot->collisions);
  case SATLUA_LOOP_OF_ONE:
    return sat_world_collisions_of(world->core, query->shape, &snapshot->collisions);
  case SATLUA_LOOP_NODES: return sat_world_nodes(world->core, &snapshot->nodes);
  case SATLUA_LOOP_HITS: return sat_world_copy_hits(world->core, &snapshot->hits);
  case SATLUA_LOOP_CARRIED:
    return sat_world_copy_moved(sat_world_carried(world->core), &snapshot->carried);
  case SATLUA_LOOP_PUSHED:
    return sat_world_copy_moved(sat_world_pushed(world->core), &snapshot->carried);
  case SATLUA_LOOP_RAYCASTS:
    return sat_world_raycast_hits(world->core, query->first, query->second, filter,
                                  &snapshot->casts);
  default: return sat_world_events(world->core, (sat_EventKind)snapshot->kind, &snapshot->events);
  }
}

/* The methods are in the order of their kinds, but for that of a loop about one shape, which has
 * that of all collisions. If that shape is in no world, or in another, a table maps the cursor to
 * it; a shape of this world is known by its index. */
static int world_loop(lua_State *L) {
  enum { SHAPE = 2, WHO = 6, CURSOR };
  int kind = satlua_which(L);
  satlua_World *world = satlua_world_check(L);
  satlua_Query query = {.question = SATLUA_ASK_RAYCAST_ALL};
  satlua_Who who = {.world = world};
  if (kind == SATLUA_LOOP_OF_ONE) {
    kind = SATLUA_LOOP_RAYCASTS;
    query.first = satlua_check_vec2(L, 2, "x1", "y1");
    query.second = satlua_check_vec2(L, 4, "x2", "y2");
  } else if (kind == SATLUA_LOOP_COLLISIONS && !lua_isnone(L, SHAPE)) {
    kind = SATLUA_LOOP_OF_ONE;
    query.shape = satlua_check_shape(L, SHAPE, "shape");
  }
  lua_settop(L, WHO);
  satlua_Cursor *cursor = satlua_cursor_push(L, &world->owner);
  if (kind == SATLUA_LOOP_RAYCASTS) satlua_who_read(L, WHO, &who);
  if (who.accept) satlua_ask(L, &query, &who);
  lua_settop(L, CURSOR);
  world = satlua_world_check(L);
  if (kind == SATLUA_LOOP_OF_ONE && !sat_world_has(world->core, query.shape)) {
    satlua_push_state(L, SATLUA_WORLD_STATE_SUBJECTS);
    lua_pushvalue(L, CURSOR);
    lua_pushvalue(L, SHAPE);
    lua_rawset(L, -3);
    lua_pop(L, 1);
  }
  satlua_Snapshot *snapshot = satlua_cursor_begin(cursor, &world->owner, kind);
  if (!snapshot) return satlua_raise_status(L, 1, SAT_ENOMEM);
  snapshot->born = sat_world_next_id(world->core);
  satlua_check_status(L, 2, fill_world_snapshot(world, snapshot, &query, satlua_who_filter(&who)));
  snapshot->changes = sat_world_change_count(world->core);
  return satlua_cursor_return_loop(L, cursor);
}

/* ---------------------------------------------------------------- results */

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

/* A collision of all has two shapes, and one of a single shape has the other one. */
SAT_INLINE sat_Status give_collision(void *context, satlua_World *world, satlua_Snapshot *snapshot,
                                     int kind, const sat_Shape *subject) {
  sat_Collision *collision = &snapshot->collisions.at[snapshot->position];
  sat_Status status = refresh_collision(world, snapshot, subject, collision);
  int last = kind == SATLUA_LOOP_COLLISIONS;
  if (status != SAT_OK) return status;
  satlua_put_number(context, 0, (double)collision->a + 1);
  satlua_put_number(context, last, (double)collision->b + 1);
  satlua_put_vector(context, last + 1, vec2(collision->dx, collision->dy));
  satlua_put_number(context, last + 3, collision->depth);
  return SAT_OK;
}

/* Puts a shape by its index in the world, or by minus its id where it has been removed and may be
 * in a table of removed shapes. SAT_MISS: it is gone. */
SAT_INLINE sat_Status give_shape(void *context, int place, const satlua_World *world,
                                 uint32_t index, uint64_t id, bool may_be_kept) {
  bool is_member = sat_world_id(world->core, index) == id;
  satlua_put_number(context, place, is_member ? (double)index + 1 : -(double)id);
  return is_member || may_be_kept ? SAT_OK : SAT_MISS;
}

SAT_INLINE sat_Status give_event(void *context, const satlua_World *world, const sat_Event *event,
                                 int kind) {
  bool may_be_kept = kind == SATLUA_LOOP_ENDED && world->has_removed[SATLUA_WORLD_STATE_ENDED];
  sat_Status status = give_shape(context, 0, world, event->a, event->id_a, may_be_kept);
  return status ? status : give_shape(context, 1, world, event->b, event->id_b, may_be_kept);
}

SAT_INLINE sat_Status give_hit(void *context, const satlua_World *world, const sat_MoveHit *hit) {
  bool has_kept = world->has_removed[SATLUA_WORLD_STATE_KEPT];
  sat_Status status = give_shape(context, 0, world, hit->other, hit->id, has_kept);
  satlua_put_vector(context, 1, hit->normal);
  satlua_put_number(context, 3, hit->t);
  satlua_put_vector(context, 4, hit->point);
  satlua_put_number(context, 6, hit->how);
  satlua_put_parts(context, 7, hit->parts);
  return status;
}

SAT_INLINE sat_Status give_moved(void *context, const satlua_World *world,
                                 const sat_Carried *carried) {
  satlua_put_vector(context, 1, carried->motion);
  satlua_put_number(context, 3, carried->crushed);
  bool has_kept = world->has_removed[SATLUA_WORLD_STATE_KEPT];
  return give_shape(context, 0, world, carried->other, carried->id, has_kept);
}

SAT_INLINE sat_Status give_ray_hit(void *context, const satlua_World *world,
                                   const satlua_Snapshot *snapshot) {
  const sat_CastHit *cast = &snapshot->casts.at[snapshot->position];
  satlua_put_number(context, 0, (double)cast->other + 1);
  satlua_put_hit(context, 1, &cast->hit);
  return is_there(world, snapshot, cast->other) ? SAT_OK : SAT_MISS;
}

/* Whether an item of a snapshot has left the tree since the loop began. */
static bool is_gone(const satlua_Quadtree *tree, const satlua_Snapshot *snapshot, sat_Item item) {
  return !sat_quadtree_has(tree->core, item) || tree->times.at[item] >= snapshot->born;
}

SAT_INLINE sat_Status give_pair(void *context, const satlua_Quadtree *tree,
                                const satlua_Snapshot *snapshot) {
  const sat_ItemPair *pair = &snapshot->pairs.at[snapshot->position];
  if (snapshot->changes != tree->removals &&
      (is_gone(tree, snapshot, pair->a) || is_gone(tree, snapshot, pair->b)))
    return SAT_MISS;
  satlua_put_number(context, 0, (double)pair->a + 1);
  satlua_put_number(context, 1, (double)pair->b + 1);
  return SAT_OK;
}

SAT_INLINE sat_Status give_node(void *context, const sat_Node *node) {
  satlua_put_vector(context, 0, vec2(node->box.x, node->box.y));
  satlua_put_vector(context, 2, vec2(node->box.w, node->box.h));
  satlua_put_vector(context, 4, vec2(node->level, node->count));
  return SAT_OK;
}

/* Puts the results of the next step. SAT_MISS: its shapes or items are gone. */
SAT_INLINE sat_Status give_step(void *context, void *owner, satlua_Snapshot *snapshot, int kind,
                                const sat_Shape *subject) {
  size_t at = snapshot->position;
  switch (kind) {
  case SATLUA_LOOP_COLLISIONS:
  case SATLUA_LOOP_OF_ONE: return give_collision(context, owner, snapshot, kind, subject);
  case SATLUA_LOOP_HITS: return give_hit(context, owner, &snapshot->hits.at[at]);
  case SATLUA_LOOP_RAYCASTS: return give_ray_hit(context, owner, snapshot);
  case SATLUA_LOOP_CARRIED:
  case SATLUA_LOOP_PUSHED: return give_moved(context, owner, &snapshot->carried.at[at]);
  case SATLUA_LOOP_PAIRS: return give_pair(context, owner, snapshot);
  case SATLUA_LOOP_NODES:
  case SATLUA_LOOP_NODES_OF_TREE: return give_node(context, &snapshot->nodes.at[at]);
  default: return give_event(context, owner, &snapshot->events.at[at], kind);
  }
}

/* Goes on to the next step of a loop, past those whose shapes or items are gone. SAT_MISS: there is
 * none. `subject`: the shape that the loop is about, or NULL if there is none or if it has been
 * collected. */
SAT_INLINE sat_Status go_on(const satlua_Cursor *cursor, int kind, const sat_Shape *subject) {
  satlua_StateContext *context = cursor->handle->context;
  satlua_Snapshot *snapshot = cursor->snapshot;
  void *owner = cursor->handle->owner;
  for (; snapshot->position < snapshot->count; snapshot->position++) {
    sat_Status status = give_step(context, owner, snapshot, kind, subject);
    if (status == SAT_OK) snapshot->position++;
    if (status != SAT_MISS) return status;
  }
  return SAT_MISS;
}

/* ---------------------------------------------------------------- the iterators */

/* The subject of the loop of a cursor, if the next collision is that of a subject outside the
 * world; otherwise, and for a subject that has been collected, NULL. */
static const sat_Shape *get_stray(lua_State *L, const satlua_Snapshot *snapshot) {
  if (!snapshot || snapshot->kind != SATLUA_LOOP_OF_ONE || snapshot->position >= snapshot->count ||
      snapshot->collisions.at[snapshot->position].a != SAT_NO_SHAPE)
    return NULL;
  satlua_push_state(L, SATLUA_WORLD_STATE_SUBJECTS);
  lua_pushvalue(L, 1);
  lua_rawget(L, -2);
  const sat_Shape *subject = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return subject;
}

/* The iterator of the loops of a kind. */
SAT_INLINE int next_step(lua_State *L, int kind, const char *name, const char *results,
                         int removed) {
  satlua_Cursor *cursor = satlua_to_block(L, 1, SATLUA_UP_CURSORS);
  const satlua_Snapshot *snapshot = cursor ? satlua_cursor_snapshot(cursor) : NULL;
  if (!cursor || (snapshot && snapshot->kind != kind))
    return luaL_error(L, "the iterator of '%s' needs the state that came with it", name);
  while (snapshot) {
    satlua_next_serial(cursor->handle->context);
    sat_Status status =
        go_on(cursor, kind, kind == SATLUA_LOOP_OF_ONE ? get_stray(L, snapshot) : NULL);
    if (status == SAT_MISS) break;
    if (status) return satlua_raise_status(L, 1, status);
    int count = satlua_push_step(L, results, removed, cursor->handle->context->value);
    if (count > 0) return count;
    lua_settop(L, 1);
  }
  satlua_cursor_make_idle(L, cursor);
  return satlua_push_none(L);
}

#define ITERATOR(kind, name, results, removed)                                                     \
  static int next_##kind(lua_State *L) {                                                           \
    return next_step(L, SATLUA_LOOP_##kind, name, results, removed);                               \
  }
#define ITERATOR_OF_KIND(kind, name, results, removed) [SATLUA_LOOP_##kind] = next_##kind,
SATLUA_LOOPS(ITERATOR)
static const lua_CFunction iterators[] = {SATLUA_LOOPS(ITERATOR_OF_KIND)};

void satlua_set_iterators(lua_State *L, int worlds) {
  satlua_cursor_push_metatable(L);
  for (int i = SAT_SLIDE; i <= SAT_STUCK; i++) {
    lua_pushstring(L, satlua_response_names[i]);
    lua_rawseti(L, -2, i + 1);
  }
  for (int kind = 0; kind < SATLUA_LOOP_KINDS; kind++) {
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, iterators[kind], 1);
    lua_rawseti(L, worlds, SATLUA_METATABLE_ITERATORS + kind);
  }
  lua_rawseti(L, worlds, SATLUA_METATABLE_CURSORS);
}

/* ---------------------------------------------------------------- through the FFI */

/* Begins a loop with an idle cursor, and refuses a cursor that is not idle. */
static int begin_idle(const void *block, void *idle, int kind, const satlua_Query *query,
                      const sat_QueryFilter *filter) {
  satlua_World *world = satlua_handle_open(block);
  satlua_Cursor *cursor = idle;
  if (!world || world->owner.idle_cursors == 0 || cursor->handle != block || cursor->snapshot)
    return SATLUA_REFUSED;
  satlua_Snapshot *snapshot = satlua_cursor_begin(cursor, &world->owner, kind);
  if (!snapshot) return SATLUA_REFUSED;
  snapshot->born = sat_world_next_id(world->core);
  bool is_filled = fill_world_snapshot(world, snapshot, query, filter) == SAT_OK;
  snapshot->changes = sat_world_change_count(world->core);
  bool has_steps = satlua_cursor_count(cursor) > 0;
  bool to_report = satlua_memory_has_unreported(&world->owner.memory);
  if (!is_filled || (!has_steps && !to_report)) {
    satlua_cursor_finish(cursor);
    return is_filled ? SATLUA_NOTHING : SATLUA_REFUSED;
  }
  world->owner.idle_cursors--;
  return to_report ? SATLUA_TO_REPORT : SATLUA_BEGUN;
}

int satlua_call_begin_of_one(const void *world, void *cursor, void *shape) {
  return begin_idle(world, cursor, SATLUA_LOOP_OF_ONE, &(satlua_Query){.shape = shape}, NULL);
}

int satlua_call_begin_hits(const void *world, void *cursor) {
  return begin_idle(world, cursor, SATLUA_LOOP_HITS, &(satlua_Query){.shape = NULL}, NULL);
}

int satlua_call_begin_raycasts(const void *world, void *cursor, double x1, double y1, double x2,
                               double y2, SATLUA_WHO) {
  const satlua_World *open = satlua_handle_open(world);
  const satlua_Query ray = {.first = {x1, y1}, .second = {x2, y2}};
  satlua_CallWho who;
  if (!open) return SATLUA_REFUSED;
  return begin_idle(world, cursor, SATLUA_LOOP_RAYCASTS, &ray,
                    satlua_who_of_call(&who, open->core, SATLUA_WHO_GIVEN));
}

/* Only the iterator has access to shapes that have been removed. The cursor of a loop that ends
 * counts as the last of the idle ones, into whose table lua/sat/fast.lua puts it. That code may be
 * interrupted, so the table may hold a cursor that is not idle, or miss one that is. */
SAT_INLINE int call_step(satlua_Cursor *cursor, int kind, const sat_Shape *subject) {
  const satlua_Snapshot *snapshot = satlua_cursor_snapshot(cursor);
  if (!snapshot) return SATLUA_OVER;
  if (snapshot->kind != kind) return SATLUA_REFUSED;
  satlua_StateContext *context = cursor->handle->context;
  int serial = satlua_next_serial(context);
  sat_Status status = go_on(cursor, kind, subject);
  if (status == SAT_MISS) {
    satlua_cursor_finish(cursor);
    cursor->handle->owner->idle_cursors++;
    return SATLUA_ENDED;
  }
  if (status == SAT_OK && (kind != SATLUA_LOOP_HITS || context->value[0] > 0)) return serial;
  if (status == SAT_OK) satlua_call_step_back(cursor);
  return SATLUA_REFUSED;
}

int satlua_call_next_collision(void *cursor) {
  return call_step(cursor, SATLUA_LOOP_COLLISIONS, NULL);
}
int satlua_call_next_of_one(void *cursor, const void *subject) {
  return call_step(cursor, SATLUA_LOOP_OF_ONE, subject);
}
int satlua_call_next_hit(void *cursor) { return call_step(cursor, SATLUA_LOOP_HITS, NULL); }
int satlua_call_next_raycast(void *cursor) { return call_step(cursor, SATLUA_LOOP_RAYCASTS, NULL); }
int satlua_call_next_pair(void *cursor) { return call_step(cursor, SATLUA_LOOP_PAIRS, NULL); }

/* Takes back a step whose result was lost. */
void satlua_call_step_back(void *block) {
  satlua_Snapshot *snapshot = satlua_cursor_snapshot(block);
  if (snapshot && snapshot->position > 0) snapshot->position--;
}

const luaL_Reg satlua_world_loops[] = {
    {"began", world_loop},  {"touching", world_loop},   {"ended", world_loop},
    {"nodes", world_loop},  {"hits", world_loop},       {"carried", world_loop},
    {"pushed", world_loop}, {"collisions", world_loop}, {"raycasts", world_loop},
    {NULL, NULL},
};
